'use strict';
/* Step 3: the rule, what is certain about it, its numbers, and all that can be saved. */

const EXPORTS = {python: 'py', r: 'R', sql: 'sql', javascript: 'js', c: 'c', text: 'txt'};
let shown = null; /* {fit, files, names, main, words, err, command}: the result in the page */

function dropResult() {
  shown = null;
  show(byId('result'), false);
}

/* What the report holds: {fit, curve, page}; a search that was cut off has none. */
function resultIn(report) {
  const found = report && /<script type="application\/json" id="result">([^]*?)<\/script>/.exec(new TextDecoder().decode(report));
  return found ? JSON.parse(found[1]) : null;
}

function verdictOf(fit, page) {
  const loss = `Its loss is ${shortNumber(fit.objective)}${fit.rate === undefined ? '' : `, ${percent(fit.rate)} of that of a rule that is always wrong`}.`;
  const none = page ? `no ${page.scope.replace(/^rules/, 'rule').replace(/^CNFs/, 'CNF')} has` : '';
  if (fit.status === 'optimal') return {isProven: true, text: `${none} a smaller ${page.loss} on these data. ${loss}`};
  const how = {interrupted: 'Stopped: the best rule so far. ', limit: 'A limit was reached: the best rule so far. '}[fit.status] || 'Found, not proven. ';
  return {isProven: false, text: how + loss + (page && isKnown(fit.bound) ? ` N${none.slice(1)} less than ${shortNumber(fit.bound)} (gap ${percent(fit.gap)}).` : '')};
}

function saveButton(text, name, type) {
  return make('button', {type: 'button', textContent: text, on: {click: () => download(name, shown.files[name], type)}});
}

/* The rule in another language, by the engine. */
async function saveExport(to) {
  const problem = byId('save-problem');
  complain(problem, '');
  const answer = await engine.run({words: ['export', shown.names.rule, '--to', to], files: [{name: shown.names.rule, data: shown.files[shown.names.rule].slice()}]});
  if (answer.code) complain(problem, reasonOf(answer));
  else download(`${stemOf(shown.main)}.${EXPORTS[to]}`, answer.out, 'text/plain');
}

function fillSaves() {
  const {names, files} = shown;
  const select = make('select', {'aria-label': 'Save the rule as code', on: {change: event => {
    if (event.target.value) saveExport(event.target.value);
    event.target.value = '';
  }}}, make('option', {value: '', textContent: 'Save as code …'}), ...Object.keys(EXPORTS).map(to => make('option', {value: to, textContent: {sql: 'SQL', r: 'R', c: 'C'}[to] || to[0].toUpperCase() + to.slice(1)})));
  const buttons = [];
  if (files[names.rule]) buttons.push(saveButton('Save the rule', names.rule, 'application/json'));
  if (files[names.certificate]) buttons.push(saveButton('Save the certificate', names.certificate, 'text/plain'));
  if (files[names.report]) buttons.push(saveButton('Save the report', names.report, 'text/html'));
  if (files[names.rule]) buttons.push(select);
  if (shown.fit.status !== 'optimal' || !files[names.certificate])
    buttons.push(make('button', {type: 'button', textContent: shown.fit.status === 'optimal' ? 'Make a certificate' : 'Prove', on: {click: () => learn(true)}}));
  byId('saves').replaceChildren(...buttons);
}

function showResult(result) {
  shown = result;
  const report = resultIn(result.files[result.names.report]), {fit} = result, verdict = verdictOf(fit, report && report.page), isCnf = fit.form === 'cnf';
  const scope = fit.scope || {}, info = chosen.info || {};
  const target = scope.target || info.target, positive = scope.positive || info.positive;
  byId('question').replaceChildren('When is ', make('code', {textContent: target}), ' = ', make('code', {textContent: positive}), '?');
  byId('verdict').replaceChildren(verdict.isProven ? make('span', {className: 'good', textContent: 'Proven: '}) : '', verdict.text);
  byId('clauses').replaceChildren(...(fit.clauses.length ? clauseItems(fit.clauses, isCnf) : [make('li', {textContent: fit.reason || 'never'})]));
  byId('log-text').textContent = result.command + '\n\n' + result.err.trim();
  fillSaves();
  ['predict-answer', 'whatif-fields', 'whatif-answer'].forEach(id => byId(id).replaceChildren());
  ['curve-chart', 'validate-answer'].forEach(id => showInside(id));
  ['save', 'whatif', 'curve', 'validate', 'predict'].forEach(name => complain(byId(name + '-problem'), ''));
  byId('curve-state').textContent = byId('validate-state').textContent = '';
  show(byId('result'));
  show(byId('report'), Boolean(report));
  showInside('report-page', report && fitSections(report));
  if (byId('whatif').open) openWhatIf();
  byId('result').focus({preventScroll: true});
  byId('result').scrollIntoView({block: 'start'});
  say(`A rule of ${fit.clauses.length} clauses. ${verdict.isProven ? 'Proven: ' : ''}${verdict.text}`);
}
