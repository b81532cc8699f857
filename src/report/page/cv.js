'use strict';
/* The page about a cross-validation: what is chosen and what it is worth, the command that fits it, a picture of all settings by
 * the size of their rules, and the table with the folds that were ended. */

const CV_FIGURES = {accuracy: 'accuracy', balanced_accuracy: 'balanced accuracy', sensitivity: 'sensitivity', specificity: 'specificity',
  accuracy_by_weight: 'accuracy by weight', balanced_accuracy_by_weight: 'balanced accuracy by weight'};
const CHOICES = {best: 'the best setting', 'half-se': 'the simplest setting within half a standard error of the best',
  'one-se': 'the simplest setting within one standard error of the best'};

const isSetting = (row, other) => Boolean(other) && ['K', 'M', 'penalty', 'negations'].every(name => row[name] === other[name]);
const negationsOf = (cv, row) => cv.table.every(one => one.negations === cv.table[0].negations) ? '' : row.negations ? ', with negations' : ', no negations';
const hasChoice = cv => cv.best !== undefined;

function cvMeasures(row) {
  const measure = name => make('div', {}, make('dt', {}, CV_FIGURES[name]), make('dd', {}, bold(percent(row[name])),
    isKnown(row[name + '_se']) && make('span', {}, `standard error ${percent(row[name + '_se'])}`)));
  return make('dl', {className: 'measures four'}, ['balanced_accuracy', 'accuracy', 'sensitivity', 'specificity'].map(measure));
}

function choiceParts(cv) {
  const folds = row => `${row.folds} of ${cv.all_folds} folds`;
  if (!hasChoice(cv)) return [p(`Nothing: ${Math.max(0, ...cv.table.map(row => row.folds))} of ${cv.all_folds} folds were ended at most, and a choice needs ${cv.folds_needed}.`)];
  return [p('At most ', bold(cv.K), cv.K === 1 ? ' clause' : ' clauses', ' of at most ', bold(cv.M), cv.M === 1 ? ' literal' : ' literals',
    ` (K\u00a0=\u00a0${cv.K}, M\u00a0=\u00a0${cv.M}), penalty `, bold(general(cv.penalty, 4)),
    `${negationsOf(cv, cv)}: ${CHOICES[cv.choose]} by ${CV_FIGURES[cv.chosen_by]}.`),
  cv.nested ? [p(`On new samples, with the setting chosen anew without each fold, which is the honest estimate of the whole procedure (${folds(cv.nested)}):`),
    cvMeasures(cv.nested),
    hint(`The chosen setting itself has balanced accuracy ${percent(cv.balanced_accuracy)} and accuracy ${percent(cv.accuracy)} on the folds that chose it, which is a little too good.`)]
    : [p('On the folds that chose it, so a little too good (', make('code', {}, '--nested'), ` tells by how much), ${folds(cv)}:`), cvMeasures(cv)],
  cv.proven > 0 && p(`${cv.proven} of ${cv.folds} rules are proven the best for the samples they are learnt from.`),
  cv.fit_command && [p('To fit it to all samples:'), copied(make('pre', {className: 'paste', tabIndex: 0}, cv.fit_command), 'Copy the command')]];
}

/* A point for each setting, with room for every mean and its standard error, in twentieths, or tenths if they are many. */
function settingsPicture(cv) {
  const rows = cv.table.filter(row => row.folds), size = row => row.clauses + row.literals, of = row => row[cv.chosen_by],
    error = row => row[cv.chosen_by + '_se'] || 0;
  const least = Math.min(1, ...rows.map(row => of(row) - error(row))), most = Math.max(0, ...rows.map(row => of(row) + error(row)));
  const step = most - least > 0.3 ? 0.1 : 0.05, high = Math.min(1, Math.ceil(most / step) * step),
    end = Math.ceil(1.04 * Math.max(1, ...rows.map(size)));
  const low = Math.min(Math.max(0, Math.floor(least / step) * step), high - step), label = CV_FIGURES[cv.chosen_by];
  const chart = plotOf({height: 220,
    x: {low: 0, high: end, ticks: ticksOf(0, end, Math.ceil(end / 6)), text: v => v.toFixed(0), label: 'clauses and literals, on average'},
    y: {low, high, ticks: ticksOf(low, high, step), text: v => percent(v, 0), label}, className: 'settings',
    name: `${label} of each setting against the size of its rules; the table below has the numbers`});
  const rank = row => (isSetting(row, cv) ? 2 : 0) + (isSetting(row, cv.best) ? 1 : 0);
  for (const row of [...rows].sort((a, b) => rank(a) - rank(b))) {
    const isChosen = rank(row) > 1;
    if (rank(row)) chart.svg.append(chart.path(isChosen ? 'bound' : 'line',
      [[size(row), Math.max(low, of(row) - error(row))], [size(row), Math.min(high, of(row) + error(row))]]));
    chart.svg.append(draw('circle',
      {class: `mark${isChosen ? ' of-choice' : rank(row) ? ' of-best' : ''}`, cx: fixed(chart.x(size(row))), cy: fixed(chart.y(of(row))),
      r: rank(row) ? 5 : 3},
      draw('title', {}, `K = ${row.K}, M = ${row.M}, penalty ${general(row.penalty, 4)}${negationsOf(cv, row)}`)));
  }
  return make('figure', {}, chart.svg);
}

/* Of a fit that chose its settings itself. */
const tuningSection = cv => cv && section('tuning', 'How its size was chosen', choiceParts(cv), settingsPicture(cv));

function settingsTable(cv) {
  const names = Object.keys(CV_FIGURES).filter(name => !name.endsWith('_by_weight') || cv.chosen_by.endsWith('_by_weight'));
  const rows = cv.table.filter(row => row.folds).map(row => {
    const isChosen = hasChoice(cv) && isSetting(row, cv), isBest = isSetting(row, cv.best);
    const name = `K\u00a0${row.K}, M\u00a0${row.M}${negationsOf(cv, row) && row.negations ? ', negations' : ''}`;
    return make('tr', {className: isChosen ? 'chosen-row' : ''},
      rowHead(isChosen ? bold(name) : name, small([isChosen && 'chosen', isBest && 'best'].filter(Boolean).join(', '))),
      cell(general(row.penalty, 4)),
      names.map(one => cell(percent(row[one]), isKnown(row[one + '_se']) && small(`\u00b1 ${fixed(100 * row[one + '_se'])}`))),
      cell(fixed(row.clauses)), cell(fixed(row.literals)), cell(`${row.folds} of ${cv.all_folds}`));
  });
  return tableOf([head('setting'), head('penalty'), names.map(name => head(CV_FIGURES[name])), head('clauses'), head('literals'),
    head('folds done')], rows, {className: 'numbers points'});
}

function cvSections({cv, page}) {
  const isSame = isSetting(cv, cv.best);
  return [section('choice', 'What is chosen', choiceParts(cv)),
    section('sizes', 'Larger rules, better rules?', p('A point for each setting.', hasChoice(cv) && (isSame
      ? ' The large one is chosen and the best; its line is one standard error up and down.'
      : ' The large ones are the chosen setting (dashed line) and the best; the lines are one standard error up and down.')), settingsPicture(cv)),
    section('settings', 'All settings',
      p('Means over the folds, below each its standard error. Repeats are not independent, so the error is that of the folds of one.'),
      settingsTable(cv)),
    page.command && section('origin', 'How it was made',
      p(`In each fold coding and rules were learnt without its samples and tested on them, by ireland ${page.version} and this command:`),
      make('pre', {tabIndex: 0}, page.command))];
}

function cvHeader({cv, page}) {
  return make('header', {}, make('h1', {}, 'Which size of rule?'), make('p', {className: 'lead'}, page.file && [make('code', {}, page.file), ': '],
    `${cv.samples} samples, of which ${cv.cases} are cases (label `, make('code', {}, page.positive),
    `). Cross-validation with ${cv.all_folds / cv.repeats} folds, ${many(cv.repeats, 'repeat')}, seed ${cv.seed}${cv.status === 'done' ? '' : '; not all folds were ended'}.`, savedOn()));
}
