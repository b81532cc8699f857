'use strict';
/* The page about a fit, section by section: the answer of `fit --json` and what the page knows beside it. Of a CNF all but its
 * first section is about the reflection: the other class is that of the cases. */

/* Where figures come from, the ones that say most about new samples first. */
const SOURCES = {held: 'samples that were held out', fresh: 'new samples, as estimated', training: 'samples that it was learnt from'};

const turnCounts = c => ({tp: c.tn, fp: c.fn, tn: c.tp, fn: c.fp});

function sharesOf(sensitivity, specificity, balanced, counts) {
  return {sensitivity, specificity, balanced: balanced || meanOf(sensitivity, specificity), counts};
}

/* Figures of each source, with the name of the main one, whose figures are the large ones. */
function figuresOf(fit) {
  const isTurned = fit.form === 'cnf', figures = {};
  const take = facts => {
    const given = [[facts.sensitivity, ...facts.sensitivity_interval], [facts.specificity, ...facts.specificity_interval]];
    const [a, b] = isTurned ? given.reverse() : given;
    return sharesOf(a, b, [facts.balanced_accuracy, ...facts.interval],
      facts.confusion && (isTurned ? turnCounts(facts.confusion) : facts.confusion));
  };
  if (fit.held_out) figures.held = take(fit.held_out);
  if (fit.validation && !fit.validation.none_since) figures.fresh = take(fit.validation);
  const c = isTurned ? turnCounts(fit.confusion) : fit.confusion;
  figures.training = sharesOf(wilson(c.tp, c.tp + c.fn), wilson(c.tn, c.tn + c.fp), null, c);
  figures.main = Object.keys(SOURCES).find(name => figures[name]);
  figures.known = Object.keys(SOURCES).filter(name => figures[name]);
  return figures;
}

const allOf = c => c.tp + c.fp + c.tn + c.fn;
const clausesOf = fit => fit.clause_statistics.map(row => row.clause);

/* ---- the rule ---- */

function ruleSection({fit, page: {data}}) {
  const clauses = clausesOf(fit), positive = make('code', {}, data.positive), negative = make('code', {}, data.negative);
  const cnf = fit.clauses.map(clause => `(${clause.join(' OR ') || 'FALSE'})`).join(' AND ') || 'TRUE';
  return section('rule', 'The rule', fit.form === 'cnf' && [
    p('A CNF for ', make('code', {}, data.negative), ': ', make('code', {className: 'long', id: 'cnf'}, cnf)),
    p('The same as clauses for ', make('code', {}, data.positive),
      ', any of which says so, stands below. This page calls the samples with that label cases: its sensitivity is the specificity of the CNF, and the other way round.')],
  !clauses.length ? p('Predict ', positive, ' ', make('i', {}, 'never'), '; predict ', negative, ' always.')
    : [p('Predict ', positive, clauses.length === 1 ? ' if' : ' if at least one of these holds:'),
      make('ol', {className: 'rule'}, clauses.map(clause => make('li', {}, clauseOf(clause)))), p('and otherwise ', negative, '.')],
  fit.reason && p(`Why: ${fit.reason}.`), (fit.notes || []).map(note => hint(`Note: ${note}.`)));
}

/* ---- what it is worth ---- */

function measuresOf(figures) {
  const measure = (name, key) => {
    const [value, low, high] = figures[figures.main][key];
    return make('div', {}, make('dt', {}, name), make('dd', {}, bold(percent(value)), make('span', {}, '95\u00a0% interval ', range(low, high)),
      figures.main !== 'training' && make('span', {}, `samples learnt from: ${percent(figures.training[key][0])}`)));
  };
  return make('dl', {className: 'measures'}, measure('Balanced accuracy', 'balanced'), measure('Sensitivity', 'sensitivity'),
    measure('Specificity', 'specificity'));
}

function sourceParts(fit, figures) {
  const {validation} = fit;
  return [figures.main === 'held' ? p('On ', bold(`${allOf(figures.held.counts)} samples that were held out`),
    ': neither the search nor the coding of the columns has seen them.')
    : figures.main === 'fresh' ? p('On ', bold('new samples of the same kind'),
      `, as estimated by ${validation.method}: rules are learnt in the same way from parts of the samples and tested on the others. The estimate is of this way of learning; the rule itself was learnt from all.`)
      : p(bold('Only on the samples that it was learnt from'),
        ', which flatters: new samples may differ, and the more clauses were tried, the more a rule fits its own data.'),
  validation && validation.none_since && p(`There is no estimate for new samples, since ${validation.none_since}.`)];
}

function figuresTable(figures) {
  const ratio = ([value, low, high]) => cell(general(value, 3), small(isKnown(value) && `${general(low, 3)} to ${general(high, 3)}`));
  const rows = [['sensitivity', 'cases that it finds', of => share(...of.sensitivity)],
    ['specificity', 'controls that it leaves alone', of => share(...of.specificity)],
    ['balanced accuracy', 'the mean of both', of => share(...of.balanced)],
    ['likelihood ratio +', 'odds rise so if it says yes', of => ratio(likelihoodRatio(of, true))],
    ['likelihood ratio \u2212', 'odds fall so if it says no', of => ratio(likelihoodRatio(of, false))]];
  return tableOf([make('th'), figures.known.map(name => head(SOURCES[name]))],
    rows.map(([name, below, of]) => [rowHead(name, small(below)), figures.known.map(source => of(figures[source]))]));
}

function worthSection({fit, page}, figures) {
  const {sensitivity, specificity} = figures[figures.main];
  return section('worth', 'What it is worth', sourceParts(fit, figures), measuresOf(figures),
    p(`Of 100 cases the rule finds about ${Math.round(100 * sensitivity[0])}, and of 100 controls it takes about ${Math.round(100 * (1 - specificity[0]))} for cases.`),
    figuresTable(figures),
    hint('Below each figure its 95\u00a0% interval, which is about the samples that were tested. ',
      page.by_groups ? 'For samples that it was not learnt from it knows of the groups. ' : 'It takes them as independent. ',
      figures.main === 'training' ? 'That the rule was chosen because it fits is not in it.' : 'For the samples that the rule was learnt from it does not allow for the choice of the rule.'));
}

function confusionSection({page: {data}}, figures) {
  const matrix = (caption, c) => tableOf([make('th'), head('cases'), head('controls'), head('all')],
    [['predicted ', data.positive, c.tp, c.fp], ['predicted ', data.negative, c.fn, c.tn],
      ['all', '', c.tp + c.fn, c.fp + c.tn]].map(([word, name, a, b]) =>
      [rowHead(word, name && make('code', {}, name)), cell(a), cell(b), cell(a + b)]), {caption});
  return section('confusion', 'What it gets right and wrong',
    make('div', {className: 'pair'}, figures.held && matrix('Samples that were held out', figures.held.counts),
    matrix('Samples that it was learnt from', figures.training.counts)));
}

/* ---- what is claimed, of what, and by what right ---- */

function proofParts(fit, {scope, loss}) {
  const isProven = fit.status === 'optimal';
  return [p(bold(isProven ? 'It is proven to be the best:' : 'It is not proven to be the best:'), ` among all ${scope}`, isProven
    ? `: none has a smaller ${loss} on these data. All rules of these literals are accounted for, not only those that were tried; other literals, as by other cuts, are not.`
    : fit.bound > 0 ? `: it is the best one found, and none could avoid more than ${general(100 * fit.gap, 3)}\u00a0% of its ${loss} on these data.`
      : ': it is the best one found; how much better another could be is not known.'),
  fit.bound_rests_on && p('The bound is that of the checkpoint ', make('code', {}, fit.bound_rests_on), '; this run has not shown that it holds.'),
  fit.status === 'limit' && p('The search ended at its limit of time or work.'),
  fit.status === 'interrupted' && p('The search was interrupted before its end.')];
}

function claimsOf(fit, page, figures) {
  const by = (...words) => [make('i', {}, 'By'), ' ', ...words, '.'], {data} = page;
  const claims = [[fit.status === 'optimal' ? 'No rule is better' : 'No rule is better than the bound',
    [`About the ${data.samples} samples that it was learnt from (checksum `, make('code', {}, data.checksum),
      `), all rules of the scope above, and the ${page.loss}. `,
      by(fit.bound_rests_on ? 'a checkpoint that was read' : 'proof in integers',
        page.certificate && ['; certificate of checksum ', make('code', {}, page.certificate), ', which ',
        make('code', {}, 'ireland verify'), ' checks by other code'])]]];
  if (figures.held) claims.push(['Figures on held-out samples',
    ['About this rule, on samples as these come: drawn at random, by class, before anything was learnt. ',
    by(`${allOf(figures.held.counts)} samples, intervals of Wilson`)]]);
  if (figures.fresh) claims.push(['Figures for new samples',
    ['About this way of learning (coding, search, choice), on new samples of the same population; not about other places or times. ',
    by(fit.validation.method)]]);
  claims.push(['Figures of the samples learnt from', ['About these samples only: the rule was chosen because it fits them. ', by('counting')]]);
  if (fit.permutations) claims.push(['p-value of the search',
    ['About whether these data hold any association at all, all clauses that were looked at together. ',
    by(`${fit.permutations} permutations of the labels`)]]);
  if (fit.rules) claims.push([fit.rules_complete ? 'There are no other such rules' : 'There are such rules',
    ['About rules of the scope above within the loss that was asked for, in which every clause and literal matters. ',
      by(fit.rules_complete ? 'enumeration' : 'a list that ended early')]]);
  return make('dl', {className: 'claims'}, claims.flatMap(([claim, words]) => [make('dt', {}, claim), make('dd', {}, words)]));
}

function certaintySection({fit, page}, figures) {
  return section('certainty', 'How certain it is', proofParts(fit, page),
    fit.permutations > 0 && p(bold(`p-value of the whole search: ${general(fit.p_value, 4)}.`),
    ` With shuffled labels the strongest clause was as strong as the rule\u2019s strongest in ${fit.permutations_as_good} of ${fit.permutations} runs.`),
  make('h3', {}, 'What is claimed, and of what'), claimsOf(fit, page, figures),
  factsTable([[`${page.loss} (objective)`, `${general(fit.objective, 6)} (${percent(fit.rate, 2)})`],
    ['proven bound: no rule has less', general(fit.bound, 6)], ['gap between them', percent(fit.gap, 2)], ['status', fit.status]]));
}

/* ---- clause by clause ---- */

function clauseRows(rows, alone) {
  const hasP = rows.some(row => isKnown(row.p_value));
  return tableOf([make('th'), textHead('clause'), head('cases'), head('controls'), head('precision', '95\u00a0% interval'),
    head('odds ratio', '95\u00a0% interval'),
    hasP ? head(make('span', {className: 'range'}, 'p-value'), 'of the search') : head('nominal p', 'not valid after search'),
    alone && [head('cases', 'only it explains'), head('controls', 'only it adds')]],
  rows.map((row, k) => [cell(k + 1), textCell(clauseOf(row.clause)), cell(row.tp), cell(row.fp),
    share(row.tp + row.fp ? row.precision : 0, ...row.precision_interval),
    cell(general(row.odds_ratio, 4), row.odds_ratio_corrected && '*', small(row.odds_ratio_interval.map(x => general(x, 3)).join(' to '))),
    cell(general(hasP ? row.p_value : row.fisher_p, 3)), alone && alone[k].map(n => cell(n))]));
}

function clausesSection({fit, page}) {
  if (!fit.clause_statistics.length) return null;
  return section('clauses', 'Clause by clause', p('On the samples that it was learnt from.'), clauseRows(fit.clause_statistics, page.alone),
    hint('Precision is the share of cases among the samples that a clause covers; *: a cell of its table is 0, so one half was added to each for the odds ratio. ',
      isKnown(fit.clause_statistics[0].p_value)
      ? 'The p-values are those of the whole search with shuffled labels, and hold for all clauses together.'
      : ['Fisher\u2019s test is for a clause that was fixed before the data was seen. These were chosen because they fit, so their nominal p is not valid after search, nor do the intervals allow for it; ',
        make('code', {}, '--permutations'), ' gives p-values that hold.'],
          ' A clause that explains few cases of its own is more likely to be chance.'));
}

/* Literals that could stand in place of others: SNPs in linkage disequilibrium are the usual case. */
function equivalentsSection({fit}) {
  const most = 20, signed = x => (x > 0 ? '+' : '') + general(x, 4);
  if (!fit.equivalents || !fit.equivalents.length) return null;
  return section('equivalents', 'What could stand instead',
    tableOf([make('th', {}, 'clause'), textHead('in place of'), textHead('could stand')],
    fit.equivalents.map(place => [cell(place.clause + 1), textCell(make('code', {}, place.literal[0])),
    textCell(listed(place.others.slice(0,
      most).map((other, i) => [make('code', {}, other), place.changes[i] !== 0 && ` (${signed(place.changes[i])})`])),
      place.count > most && ` and ${place.count - most} more`)])),
  hint('Each of these, one at a time, gives a rule that is as good on these data, or, with a number, one whose objective changes by it. Which of them the rule holds is chance.'));
}

function optimalSection({fit}) {
  const most = 100, mostLiterals = 40, {rules, literal_shares: shares} = fit;
  if (!rules) return null;
  return section('rules', 'Rules that are as good',
    p(`${rules.length} rules in which every clause and every literal matters${fit.rules_complete ? ', and there are no others' : '; there may be others'}.`),
    rules.length > 1 && [tableOf([textHead('literal'), head('rules'), barHead(), textHead('in')],
      shares.slice(0, mostLiterals).map(one => [textCell(nameOf(one.literal)), cell(one.rules), barCell(one.rules / rules.length, true),
        textCell(one.in)]), {className: 'numbers upset'}),
    shares.length > mostLiterals && hint(`And ${shares.length - mostLiterals} literals more.`)],
    tableOf([head('objective'), textHead('rule')],
      rules.slice(0, most).map(one => [cell(general(one.objective, 6)), textCell(ruleOfClauses(one.clauses, fit.form === 'cnf'))])),
    rules.length > most && hint(`The first ${most} are shown; `, make('code', {}, '--json'), ' lists all.'));
}

/* ---- how often its parts come back in resamples ---- */

function stabilitySection({fit}) {
  const s = fit.stability, mostOthers = 12;
  if (!s) return null;
  if (s.none_since) return section('stability', 'How stable it is', p(`That is not known, since ${s.none_since}.`));
  const literals = [...s.literals.filter(one => one.in_rule), ...s.literals.filter(one => !one.in_rule).slice(0, mostOthers)];
  const cuts = one => one.cuts && small(one.cuts[0] < one.cuts[1] ? one.cuts.join(' to ') : one.cuts[0]);
  const instead = one => listed((one.instead || []).map(other => [nameOf(other.literal), ' ',
    make('span', {className: 'range'},
    `${percent(other.count / s.done, 0)} (r\u00a0${isKnown(other.correlation) ? other.correlation.toFixed(2) : '\u2013'})`)]));
  return section('stability', 'How stable it is',
    p(`The whole way of learning was repeated on ${s.done} bootstrap resamples${s.done < s.resamples ? ', fewer than were asked for' : ''}. ` +
    `${s.same_clauses} of them gave the same clauses, cut points aside; ${percent(s.agreement)} of the samples are predicted alike on average.`),
  tableOf([textHead('literal', 'cut points in resamples'), head('comes back'), barHead(), textHead('in its place', 'and correlation with it')],
    literals.map(one => [textCell(nameOf(one.literal), cuts(one)), cell(percent(one.count / s.done)),
      barCell(one.count / s.done, one.in_rule), textCell(instead(one))]), {className: 'numbers upset'}),
  hint('Dark: literals of the rule; light: the most frequent of the others.'),
  tableOf([textHead('clause'), head('comes back', 'same literals'), head('overlap', 'with the nearest clause'), barHead()],
    s.clauses.map((one, k) => [textCell(clauseOf(clausesOf(fit)[k])), cell(percent(one.count / s.done)), cell(percent(one.overlap)),
      barCell(one.overlap, true)]), {className: 'numbers upset'}),
  hint('Overlap: samples that a clause and the nearest clause of a resample\u2019s rule both cover, over those that one of them covers. A clause may come back in other words: then overlap is high though its literals differ.'));
}

/* ---- the data ---- */

function columnsSection({page}) {
  const {columns, data} = page, used = columns.filter(one => one.in_rule), others = columns.filter(one => !one.in_rule),
    hidden = page.n_columns - columns.length;
  const literals = one => [listed(one.literals.map((literal,
    i) => [!i && !one.names && (typeof literal === 'number' ? 'cut at ' : 'values '), nameOf(String(literal))])),
    one.more > 0 && ` and ${one.more} more`];
  const table = rows => tableOf([textHead('column'), textHead('type'), head('missing'), textHead('literals')],
    rows.map(one => [textCell(nameOf(one.name)), typeCell(one.type || '\u2013'), cell(isKnown(one.missing) ? one.missing : '\u2013'),
      textCell(literals(one))]));
  return section('columns', 'The columns',
    p(`${page.n_columns} columns give ${data.features} literals; the rule asks for ${used.length} of them. A missing value makes every literal of its column false, unless `,
    make('code', {}, '--missing'), ' says otherwise; missing values are counted in the whole file.'), used.length > 0 && table(used),
  others.length > 0 && make('details', {}, make('summary', {}, `The other ${page.n_columns - used.length} columns`), table(others),
    hidden > 0 && hint(`And ${hidden} more columns.`)));
}

/* A paragraph for the methods and results of a paper, with what the run knows of the items of TRIPOD (Collins and others 2015),
 * and the list of those that only the authors know. */
const MISSING = {drop: 'Samples with missing values were left out.',
  impute: 'Missing values were replaced by the median or the most frequent value.', error: 'There were no missing values.'};

function methodsText({fit, page}, figures) {
  const {data} = page, words = [`The outcome was ${data.target} = ${data.positive}.`], cuts = fit.scope && fit.scope.cuts;
  const shares = (of, [a, b, c]) => [[a, of.sensitivity, ', '], [b, of.specificity, ' and '], [c, of.balanced, '.']]
    .map(([name, x, end]) => `${name} ${percent(x[0])} (95\u00a0% interval ${fixed(100 * x[1])} to ${fixed(100 * x[2])})${end}`).join('');
  const was = ['sensitivity was', 'specificity', 'balanced accuracy'];
  words.push(`The rule was developed on ${data.samples} samples (${data.cases} with the outcome, ${data.controls} without)${data.file ? ` from the file ${data.file}` : ''}` +
    `${figures.held ? `; ${allOf(figures.held.counts)} further samples, drawn at random within each class, were held out` : ''}.`);
  words.push(page.coded
    ? `There were ${page.n_columns} candidate predictors, which gave ${data.features} binary conditions${cuts ? `: numbers were cut at points found in the same samples (${cuts})` : ''}. ${MISSING[fit.scope && fit.scope.missing] || 'A condition on a missing value was taken not to hold.'}`
    : `There were ${data.features} candidate predictors, all of them binary.`);
  words.push('The model is a rule in disjunctive normal form: a sample is predicted to have the outcome if at least one clause holds, a clause being a conjunction of conditions. ' +
    `It minimises the ${page.loss} among ${page.scope}, and was found by ireland ${page.version} (method ${fit.method}, seed ${fit.seed})${fit.status === 'optimal'
      ? `, which proved that no rule of this form has a smaller ${page.loss} on these samples.` : '; that no rule of this form does better was not proven.'}`);
  if (figures.held) words.push(`In the held-out samples ${shares(figures.held, was)}`);
  if (figures.fresh) words.push(`Internal validation of the whole procedure, coding included (${fit.validation.method}), gave ${shares(figures.fresh, ['a sensitivity of', 'a specificity of', 'a balanced accuracy of'])}`);
  words.push(`In the samples that it was developed on ${shares(figures.training, was)}`,
    'Intervals are those of Wilson, for the mean of two shares by Newcombe\u2019s square-and-add.');
  if (fit.permutations) words.push(`The association is beyond chance with p = ${general(fit.p_value, 4)} by ${fit.permutations} permutations of the whole search.`);
  words.push(`The checksum of the data is ${data.checksum}.`);
  return words.join(' ');
}

function methodsSection(result, figures) {
  return section('methods', 'For the methods of a paper',
    copied(make('div', {className: 'paste', id: 'methods-text'}, p(methodsText(result, figures))), 'Copy the text'),
    hint('What TRIPOD asks for and only you know: aim and intended use (item 3), source of the data, setting and dates (4, 5a), who was eligible and treated how (5b, 5c), how outcome and predictors were measured, and whether blindly (6, 7), how the number of samples came about (8), funding (22).'));
}

function originSections({fit, page}) {
  const {data} = page, shown = value => value === true ? 'yes' : value === false ? 'no' : value;
  return [make('div', {className: 'pair'},
    section('data', 'Data', factsTable([['file', data.file], ['samples', data.samples], ['cases', data.cases], ['controls', data.controls],
      ['features', data.features], ['feature cells that are 1', percent(data.density)],
      ['label column', data.target], ['label of the cases', data.positive], ['label of the controls', data.negative], ['checksum', data.checksum]])),
    section('origin', 'How it was made',
      factsTable([['program', `ireland ${page.version}`], ['method', fit.method], ['clauses, at most (K)', fit.K],
      ['literals in a clause, at most (M)', fit.M],
      ...Object.entries(page.options).map(([name, value]) => [name, shown(value)]), ['seed', fit.seed], ['work', fit.work]]))),
  page.command && [p(page.repeatable ? 'This command makes it again, byte for byte:' : 'This command makes it again; the clock may end it at another place:'),
    make('pre', {tabIndex: 0}, page.command)]];
}

/* ---- the whole ---- */

function fitHeader({page: {data}}) {
  return make('header', {}, make('h1', {}, 'When is ', make('code', {}, data.target), ' = ', make('code', {}, data.positive), '?'),
    make('p', {className: 'lead'}, 'A rule learnt from ', data.file && [make('code', {}, data.file), ': '],
      `${data.samples} samples, of which ${data.cases} are cases and ${data.controls} controls; ${data.features} features.`, savedOn()));
}

function fitSections(result) {
  const {fit, page, curve} = result, figures = figuresOf(fit);
  return [ruleSection(result), worthSection(result, figures), tuningSection(fit.tuning), certaintySection(result, figures), confusionSection(result, figures),
    prevalenceSection(page, figures), clausesSection(result),
    patternsSection(page, fit.clause_statistics.length), equivalentsSection(result), optimalSection(result), stabilitySection(result),
    variantsSection(result),
    Object.keys(CURVES).map(kind => curveSection(curve, kind, figures.training.counts)), columnsSection(result),
    methodsSection(result, figures), originSections(result)];
}
