'use strict';
/* Step 3: the rule, what is certain about it, its numbers, and all that can be saved. */

const EXPORTS = {python: 'py', r: 'R', sql: 'sql', javascript: 'js', c: 'c', text: 'txt'};
let shown = null; /* {fit, files, names, main, words, err, command}: the result in the page */

function dropResult() {
  shown = null;
  show(byId('result'), false);
}

/* The rules that a claim is about: sizes, literals, and every limit that was set. */
function scopeText(fit) {
  const scope = fit.scope || {}, many = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`, limits = [];
  if (scope.cuts) limits.push('cuts ' + scope.cuts);
  limits.push(scope.negations ? 'negations' : 'no negations');
  if (scope.pool) limits.push('from the clauses of the pool alone');
  if (scope.forbid) limits.push('without ' + scope.forbid);
  if (scope.only) limits.push('of the columns ' + scope.only);
  if (scope.ignore) limits.push('not of the columns ' + scope.ignore);
  const also = [];
  if (scope.form === 'cnf') also.push('an AND of ORs');
  if (scope.max_literals) also.push(`at most ${scope.max_literals} literals in all`);
  if (scope.complexity) also.push(`complexity at most ${scope.complexity}`);
  if (scope.min_sensitivity) also.push(`sensitivity at least ${scope.min_sensitivity}`);
  if (scope.min_specificity) also.push(`specificity at least ${scope.min_specificity}`);
  if (scope.penalty) also.push(`penalty ${scope.penalty}`);
  also.push(scope.loss === 'hamming' ? 'Hamming loss' : `${scope.weights || 'balanced'} weights`);
  if (scope.weight_column) also.push(`samples weighed by ${scope.weight_column}`);
  if (scope.strata) also.push(`within the groups of ${scope.strata}`);
  return `of at most ${many(fit.K, 'clause')} of at most ${fit.M} of ${many(scope.literals === undefined ? fit.features : scope.literals, 'literal')} (${limits.join(', ')}), ${also.join(', ')},`;
}

function verdictOf(fit) {
  const isKnown = fit.bound !== null && fit.bound !== undefined && !Number.isNaN(fit.bound);
  const loss = `Its loss is ${shortNumber(fit.objective)}${fit.rate === undefined ? '' : `, ${percent(fit.rate)} of that of a rule that is always wrong`}.`;
  if (fit.status === 'optimal') return {isProven: true, text: `no rule ${scopeText(fit)} has a smaller loss on these data. ${loss}`};
  const how = {interrupted: 'Stopped: the best rule so far. ', limit: 'A limit was reached: the best rule so far. '}[fit.status] || 'Found, not proven. ';
  const bound = isKnown && fit.scope ? ` No rule ${scopeText(fit)} has less than ${shortNumber(fit.bound)} (gap ${percent(fit.gap)}).` : '';
  return {isProven: false, text: how + loss + bound};
}

function measure(name, value, below) {
  return make('div', {}, make('dt', {textContent: name}), make('dd', {}, make('b', {textContent: value}), make('span', {textContent: below})));
}

function showMeasures(place, facts, isTest) {
  const c = facts.confusion;
  place.replaceChildren(
    measure((isTest ? 'test: ' : '') + 'balanced accuracy', percent(facts.balanced_accuracy), `accuracy ${percent(facts.accuracy)}`),
    measure((isTest ? 'test: ' : '') + 'sensitivity', percent(facts.sensitivity), `${c.tp} of ${c.tp + c.fn} cases found`),
    measure((isTest ? 'test: ' : '') + 'specificity', percent(facts.specificity), `${c.tn} of ${c.tn + c.fp} controls spared`));
}

function clauseTable(rows) {
  const head = ['clause', 'cases', 'controls', 'precision', '95 % interval', 'odds ratio', 'Fisher p', 'cases it adds'];
  const cells = row => [row.clause.map(literalText).join(' and '), row.tp, row.fp, percent(row.precision),
    row.precision_interval ? row.precision_interval.map(percent).join(' to ') : '–', shortNumber(+Number(row.odds_ratio).toPrecision(3)), row.fisher_p === null || row.fisher_p === undefined ? '–' : row.fisher_p.toExponential(1), row.adds];
  return [make('thead', {}, make('tr', {}, ...head.map((name, i) => make('th', {scope: 'col', textContent: name, className: i ? '' : 'text'})))),
    make('tbody', {}, ...rows.map(row => make('tr', {}, ...cells(row).map((value, i) => make('td', {textContent: value, className: i ? '' : 'text long'})))))];
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

function showReport() {
  const bytes = shown.files[shown.names.report], frame = byId('report-frame');
  show(byId('report'), Boolean(bytes));
  frame.onload = () => {
    const page = frame.contentDocument && frame.contentDocument.body;
    if (page && page.offsetHeight > 100) frame.style.height = page.offsetHeight + 24 + 'px';
  };
  if (bytes) frame.srcdoc = new TextDecoder().decode(bytes);
}

function showResult(result) {
  shown = result;
  const {fit} = result, verdict = verdictOf(fit), isCnf = fit.form === 'cnf';
  const scope = fit.scope || {}, info = chosen.info || {};
  const target = scope.target || info.target, positive = scope.positive || info.positive;
  byId('question').replaceChildren('When is ', make('code', {textContent: target}), ' = ', make('code', {textContent: positive}), '?');
  byId('verdict').replaceChildren(verdict.isProven ? make('span', {className: 'good', textContent: 'Proven: '}) : '', verdict.text);
  byId('clauses').replaceChildren(...(fit.clauses.length ? clauseItems(fit.clauses, isCnf) : [make('li', {textContent: fit.reason || 'never'})]));
  showMeasures(byId('measures'), fit, false);
  if (fit.test) {
    const test = make('dl', {className: 'measures'});
    showMeasures(test, fit.test, true);
    byId('measures').append(...test.children);
  }
  byId('clause-table').replaceChildren(...clauseTable(fit.clause_statistics || []));
  byId('log-text').textContent = result.command + '\n\n' + result.err.trim();
  fillSaves();
  ['curve-chart', 'validate-answer', 'predict-answer', 'whatif-fields', 'whatif-answer'].forEach(id => byId(id).replaceChildren());
  ['save', 'whatif', 'curve', 'validate', 'predict'].forEach(name => complain(byId(name + '-problem'), ''));
  byId('curve-state').textContent = byId('validate-state').textContent = '';
  show(byId('result'));
  showReport();
  if (byId('whatif').open) openWhatIf();
  byId('result').focus({preventScroll: true});
  byId('result').scrollIntoView({block: 'start'});
  say(`A rule of ${fit.clauses.length} clauses. ${verdict.isProven ? 'Proven: ' : ''}${verdict.text}`);
}

function watchResult() {
  byId('report-print').addEventListener('click', () => byId('report-frame').contentWindow.print());
  byId('report').addEventListener('toggle', () => byId('report').open && byId('report-frame').onload && byId('report-frame').onload());
}
