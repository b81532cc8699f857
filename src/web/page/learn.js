'use strict';
/* Step 2, the run: live best rule, bound, gap and time; Stop keeps the best rule. */

const running = {job: null, began: 0, timer: 0, objective: NaN, bound: NaN};

/* A literal as it is said: "!a" is not a. */
const literalText = literal => literal.startsWith('!') ? 'not ' + literal.slice(1) : literal;

/* Clauses as a list; of a CNF the literals are joined by or, the clauses by and. */
function clauseItems(clauses, isCnf) {
  return clauses.map((clause, k) => {
    const item = make('li');
    clause.forEach((literal, i) => {
      if (i) item.append(make('i', {textContent: isCnf ? ' or ' : ' and '}));
      if (literal.startsWith('!')) item.append(make('i', {textContent: 'not '}));
      item.append(make('code', {textContent: literal.replace(/^!/, '')}));
    });
    if (k < clauses.length - 1) item.append(make('i', {textContent: isCnf ? ' — and' : ' — or'}));
    return item;
  });
}

function showLive() {
  const {objective, bound} = running;
  const isKnown = objective === objective && bound === bound;
  const gap = isKnown ? (objective > 0 ? Math.max(0, (objective - bound) / objective) : 0) : NaN;
  byId('live-objective').textContent = shortNumber(objective);
  byId('live-bound').textContent = shortNumber(bound);
  byId('live-gap').textContent = isKnown ? 'gap ' + percent(gap) : 'gap not known yet';
  byId('live-bar').setAttribute('aria-valuenow', isKnown ? Math.round(100 * (1 - gap)) : 0);
  byId('live-bar').firstElementChild.style.width = (isKnown ? 100 * (1 - gap) : 0) + '%';
}

function onLiveProgress(progress) {
  byId('live-part').textContent = progress.part;
  if (progress.objective === progress.objective) running.objective = progress.objective;
  if (progress.bound === progress.bound) running.bound = progress.bound;
  showLive();
}

function onLiveRule(rule) {
  running.objective = rule.objective;
  if (rule.bound === rule.bound) running.bound = rule.bound;
  show(byId('live-note'), byId('option--cnf').checked);
  byId('live-rule').replaceChildren(...clauseItems(JSON.parse(rule.rule).clauses, false));
  showLive();
}

function setRunning(isRunning) {
  show(byId('live'), isRunning);
  show(byId('stop'), isRunning);
  ['learn', 'prove'].forEach(id => { byId(id).disabled = isRunning; });
  byId('stop').disabled = false;
  byId('stop').textContent = 'Stop and keep the best rule';
  clearInterval(running.timer);
  if (!isRunning) return;
  Object.assign(running, {began: performance.now(), objective: NaN, bound: NaN});
  byId('live-rule').replaceChildren();
  byId('live-part').textContent = 'reading';
  byId('live-time').textContent = '0.0 s';
  running.timer = setInterval(() => { byId('live-time').textContent = seconds((performance.now() - running.began) / 1000); }, 100);
  showLive();
}

/* A rule whose worker had to be ended: it is measured on the data anew. */
async function measureLast(last) {
  const names = outputNames();
  const bytes = new TextEncoder().encode(last.rule);
  const answer = await engine.run({words: ['evaluate', names.rule, chosen.main, '--json', ...dataWords().filter((word, i, all) => word !== '--type' && all[i - 1] !== '--type')],
    files: [...chosen.files, {name: names.rule, data: bytes}]});
  if (answer.code !== 0) return null;
  const measured = JSON.parse(answer.out);
  return {fit: {...measured, status: 'interrupted', objective: last.objective, bound: last.bound, gap: null, clauses: JSON.parse(last.rule).clauses, clause_statistics: measured.clauses},
    files: {[names.rule]: bytes}, err: 'The search was cut off, so that there is no report: learn again without Stop for one.'};
}

async function learn(isProof, extra = []) {
  if (running.job || !chosen.info) return;
  const names = outputNames(), problem = byId('learn-problem');
  const words = fitWords(isProof, extra);
  complain(problem, '');
  setRunning(true);
  say('Learning.');
  byId('stop').focus();
  const before = {main: chosen.main, words: dataWords(), inputs: allFiles(), names};
  let result = null;
  try {
    running.job = engine.start({words: [...words, '--json'], files: before.inputs, outputs: Object.values(names)}, {onProgress: onLiveProgress, onRule: onLiveRule});
    const answer = await running.job.answer;
    if (answer.last) result = await measureLast(answer.last);
    else if (answer.out.startsWith('{')) result = {fit: JSON.parse(answer.out), files: answer.files, err: answer.err};
    if (!result) complain(problem, answer.isStopped ? 'Stopped before there was a rule.' : explainFailure(answer));
  } catch (error) {
    complain(problem, String(error.message || error));
  }
  running.job = null;
  setRunning(false);
  if (result && result.fit.reason && !result.fit.clauses.length && result.fit.objective === null) {
    complain(problem, result.fit.reason);
    result = null;
  }
  if (result) showResult(Object.assign(result, {command: commandLine(words)}, before));
  else byId(isProof ? 'prove' : 'learn').focus();
}

function watchLearn() {
  byId('options').addEventListener('submit', event => {
    event.preventDefault();
    learn(false);
  });
  byId('prove').addEventListener('click', () => learn(true));
  byId('stop').addEventListener('click', () => {
    if (!running.job) return;
    running.job.stop();
    byId('stop').disabled = true;
    byId('stop').textContent = 'Stopping …';
  });
}
