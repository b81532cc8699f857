'use strict';
/* What a verdict of the rule means where cases are rarer or more frequent than in these data: predictive values at some
 * prevalences and at one that the reader sets, and a decision curve.
 *
 * Odds after a verdict are odds before it times its likelihood ratio (Bayes), so predictive values at any prevalence, and their
 * limits, come from the ratios. Net benefit (Vickers and Elkin 2006) counts a case that is found as 1 and a control that is taken
 * for a case as the odds of the threshold; divided by the prevalence, its greatest value, it is sensitivity - (1 - specificity) w
 * with w = threshold odds / prior odds. Its interval adds the squares of what each share contributes. */

const after = (prior, ratio) => ratio === Infinity ? 1 : prior * ratio / (prior * ratio + 1 - prior);
const predictiveValue = (shares, prior, isPositive) => {
  const risk = likelihoodRatio(shares, isPositive).map(ratio => after(prior, ratio));
  return isPositive ? risk : complement(risk);
};

function netBenefit({sensitivity: a, specificity: b}, prior, threshold) {
  const w = threshold / (1 - threshold) * (1 - prior) / prior, value = a[0] - (1 - b[0]) * w;
  return [value, value - Math.hypot(a[0] - a[1], (b[0] - b[1]) * w), value + Math.hypot(a[2] - a[0], (b[2] - b[0]) * w)];
}

const per1000 = (shares, prior) => {
  const hits = shares.sensitivity[0] * prior, alarms = (1 - shares.specificity[0]) * (1 - prior);
  return [hits + alarms, hits, prior - hits].map(x => Math.round(1000 * x));
};

/* Blue: the rule with its interval; dashed: acting on everybody. Lines end where they leave the chart. */
function decisionCurve(shares) {
  const least = -0.2, steps = Array.from({length: 100}, (_, i) => i / 100), shareText = v => Math.round(100 * v) + '\u00a0%';
  const chart = plotOf({height: 220, x: {low: 0, high: 1, ticks: ticksOf(0, 1, 0.2), text: shareText, label: 'risk from which one acts'},
    y: {low: least, high: 1, ticks: ticksOf(least, 1, 0.2), text: v => (v + 1e-9).toFixed(1), label: 'net benefit'},
    name: 'Decision curve: net benefit of the rule, of acting on everybody and of acting on nobody, against the risk from which one acts'});
  const at = (t, benefit) => `${fixed(chart.x(t))},${fixed(chart.y(Math.max(least, Math.min(1, benefit))))}`;
  const until = list => list.slice(0, (list.findIndex(([, y]) => y < least) + 1 || list.length + 1) - 1);
  const wash = draw('polygon', {class: 'wash', id: 'benefit-range'}), all = draw('polyline', {class: 'chance', id: 'benefit-all'}),
    rule = draw('polyline', {class: 'line', id: 'benefit-rule', fill: 'none'});
  chart.svg.append(draw('path', {class: 'frame', d: `M${LEFT} ${fixed(chart.y(0))}h${PLOT_WIDTH}`}), wash, all, rule);
  const set = prior => {
    const lines = steps.map(t => [t, ...netBenefit(shares, prior, t)]), everybody = steps.map(t => [t, 1 - t / (1 - t) * (1 - prior) / prior]);
    const write = (element, points) => element.setAttribute('points', points.map(([t, y]) => at(t, y)).join(' '));
    write(wash, [...lines.map(([t, , , high]) => [t, high]), ...lines.map(([t, , low]) => [t, low]).reverse()]);
    write(all, until(everybody));
    write(rule, until(lines));
  };
  return {set, figure: make('figure', {}, chart.svg, make('figcaption', {className: 'hint'},
    'Blue: acting on what the rule says, with its 95\u00a0% interval. Dashed: acting on everybody. The line at 0: on nobody. 1 is the benefit of a rule without errors.'))};
}

/* The slider is a scale of log odds. */
function sliderOf(prior, set) {
  const output = make('output', {for: 'prevalence-slider'}), verdict = make('p', {className: 'verdict', 'aria-live': 'polite'});
  const slider = make('input', {type: 'range', id: 'prevalence-slider', min: -690, max: 440, step: 1, value: 100 * Math.log(prior / (1 - prior)),
    on: {input: () => change(1 / (1 + Math.exp(-slider.value / 100)))}});
  const change = value => {
    const shown = value < 0.01 ? (100 * value).toPrecision(2) + '\u00a0%' : percent(value);
    output.textContent = shown;
    slider.setAttribute('aria-valuetext', shown);
    verdict.textContent = set(value, shown);
  };
  change(prior);
  return make('form', {className: 'slider', on: {submit: event => event.preventDefault()}},
    make('label', {for: 'prevalence-slider'}, 'Share of cases among those who are asked: ', output), slider, verdict);
}

function prevalenceSection(page, figures) {
  const {data} = page, source = figures.main, shares = figures[source];
  if (!data || !data.cases || !data.controls || !page.patterns) return null;
  const prior = data.cases / (data.cases + data.controls), curve = decisionCurve(shares), pays = make('p', {className: 'pays'});
  const row = (value, note) => [rowHead(general(100 * value, 3) + '\u00a0%', note && small(note)), share(...predictiveValue(shares, value, true)),
    share(...predictiveValue(shares, value, false)), per1000(shares, value).map(n => cell(n))];
  const set = (value, shown) => {
    const yes = predictiveValue(shares, value, true), no = predictiveValue(shares, value, false), [called, hits, missed] = per1000(shares, value);
    pays.textContent = yes[0] > 1 - no[0]
      ? `Where ${shown} are cases, for those who act from a risk between ${percent(1 - no[0])} and ${percent(yes[0])} on: below it acting on everybody is better, above it acting on nobody.`
      : 'Nowhere: those whom it calls cases are no likelier to be cases than the others.';
    curve.set(value);
    return `If it says yes, ${percent(yes[0])} are cases (${percent(yes[1])} to ${percent(yes[2])}); if it says no, ${percent(no[0])} are controls (${percent(no[1])} to ${percent(no[2])}). ` +
      `Of 1,000 it says yes to ${called}, of whom ${hits} are cases, and misses ${missed}.`;
  };
  return section('prevalence', 'What its word means for one person',
    p('It depends on how frequent cases are among those who are asked. The figures are those of ', bold(SOURCES[source]), '.'), sliderOf(prior, set),
    tableOf([head('cases', 'among all'), head('positive predictive value', 'cases if it says yes'),
      head('negative predictive value', 'controls if it says no'),
      head('of 1,000', 'it says yes to'), head('of these', 'are cases'), head('cases', 'that it misses')],
    [row(prior, 'as in these data'), ...[0.01, 0.05, 0.1, 0.2, 0.5].map(value => row(value))]),
    make('h3', {}, 'When acting on it pays'), pays, curve.figure);
}
