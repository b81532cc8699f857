'use strict';
/* The curves: a chart each, and a table of its points. Beside the chart stands the row of the point that is hovered, tapped,
 * clicked or reached by the arrow keys.
 *
 * The trade-off looks as ROC curves do: specificity from 1 at the left to 0 at the right, sensitivity upwards, straight lines from
 * (1, 0) through the points to (0, 1). Complexity is a staircase: a rule of some size is also one of any larger size. */

const CURVES = {
  tradeoff: ['Other choices: sensitivity against specificity', null],
  literals: ['Shorter rules: accuracy against literals',
    'The best rule for each number of literals, all clauses together. A dashed line rises to the limit that is proven where a point is not.'],
  clauses: ['Fewer clauses: accuracy against clauses', 'The best rule for each number of clauses.'],
};

const sizeOfPoint = (point, kind) => kind === 'literals' ? point.literals : point.clauses.length;

function tradeoffChart(curve) {
  const points = [[0, 0], ...curve.tradeoff.map(one => [1 - one.specificity, one.sensitivity]), [1, 1]],
    axis = {low: 0, high: 1, ticks: ticksOf(0, 1, 0.2)};
  const chart = plotOf({height: PLOT_WIDTH, x: {...axis, text: v => fixed(1 - v), label: 'specificity'},
    y: {...axis, text: fixed, label: 'sensitivity'},
    name: 'Trade-off of sensitivity and specificity', role: 'group'});
  chart.svg.append(chart.path('chance', [[0, 0], [1, 1]]), chart.path('wash', [...points, [1, 0]]), chart.path('line', points),
    draw('text', {class: 'note', x: fixed(chart.x(0.97)), y: fixed(chart.y(0.05)), 'text-anchor': 'end'},
      `area under the curve ${curve.area.toFixed(3)}`));
  return chart;
}

/* The smallest step that makes at most so many ticks: 1, 2 or 5 times a power of ten. */
function niceStep(span, least, most) {
  for (let power = least; ; power *= 10) for (const factor of [1, 2, 5]) if (span / (power * factor) <= most) return power * factor;
}

function sizeChart(curve, kind) {
  const points = curve[kind], end = sizeOfPoint(points[points.length - 1], kind) + 0.5, first = points[0].accuracy;
  const xStep = niceStep(end, 1, 10), step = niceStep(1 - first, 0.001, 5), low = Math.max(0, Math.floor(first / step - 0.2) * step);
  const chart = plotOf({height: 220,
    x: {low: 0, high: end, ticks: ticksOf(xStep === 1 ? 1 : 0, end, xStep), text: v => v.toFixed(0), label: `${kind} in the rule, at most`},
    y: {low, high: 1, ticks: ticksOf(low, 1, step), text: v => v.toFixed(step < 0.01 ? 3 : step < 0.1 ? 2 : 1), label: curve.accuracy_is},
    name: `Accuracy by ${kind}`, role: 'group'});
  const stairs = points.flatMap((one, i) => [...i ? [[sizeOfPoint(one, kind), points[i - 1].accuracy]] : [], [sizeOfPoint(one, kind), one.accuracy]]);
  /* Above a point that is not proven, a line up to its bound. */
  points.filter(one => one.accuracy_bound > one.accuracy).forEach(one =>
    chart.svg.append(chart.path('bound', [[sizeOfPoint(one, kind), one.accuracy], [sizeOfPoint(one, kind), one.accuracy_bound]])));
  chart.svg.append(chart.path('line', [...stairs, [end, points[points.length - 1].accuracy]]));
  return chart;
}

/* A bound is shown where it says more than that a share is at most 1. */
function certaintyOf(point, kind) {
  const isTradeoff = kind === 'tradeoff', bound = isTradeoff ? point.sensitivity_bound : point.accuracy_bound;
  if (point.status === 'optimal') return 'proven';
  return bound < 1 ? `not proven; ${isTradeoff ? 'sensitivity ' : ''}at most ${percent(bound)}` : 'not proven';
}

function cellsOfPoint(curve, kind, point) {
  const sizes = kind === 'tradeoff' ? [] : [[head(kind), cell(sizeOfPoint(point, kind))], [head(curve.accuracy_is), cell(percent(point.accuracy))]];
  return [...sizes, [head('sensitivity'), cell(percent(point.sensitivity))], [head('specificity'), cell(percent(point.specificity))],
    [head('true positives'), cell(point.tp)],
    [head('false positives'), cell(point.fp)], [textHead('rule'), textCell(ruleOfClauses(point.clauses))],
    [textHead('certainty'), textCell(certaintyOf(point, kind))]];
}

/* Joins the points of a chart to what is shown beside it; `extra` makes more of a point. */
function explore(svg, dots, place, rowOf, kept, extra) {
  const show = i => {
    const list = rowOf(i).flatMap(([name, value]) => [make('dt', {}, name.textContent), make('dd', {}, [...value.childNodes])]);
    place.replaceChildren(make('dl', {}, list), ...extra ? [extra(i)] : [],
      hint(`Point ${i + 1} of ${dots.length}. Hover, tap or click a point, or use the arrow keys.`));
    dots.forEach((dot, k) => dot.classList.toggle('on', k === i));
  };
  const keep = (i, isFocused) => {
    dots[kept].setAttribute('tabindex', '-1');
    kept = i;
    dots[i].setAttribute('tabindex', '0');
    if (isFocused) dots[i].focus();
    show(i);
  };
  const nearest = event => {
    const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
    const far = dot => Math.hypot(box.left + dot.cx.baseVal.value * scale - event.clientX, box.top + dot.cy.baseVal.value * scale - event.clientY);
    return dots.reduce((best, dot, i) => far(dot) < far(dots[best]) ? i : best, 0);
  };
  dots.forEach((dot, i) => {
    dot.setAttribute('tabindex', '-1');
    dot.setAttribute('role', 'button');
    dot.setAttribute('aria-label', rowOf(i).slice(0, 2).map(([name, value]) => `${name.textContent} ${value.textContent}`).join(', '));
    dot.addEventListener('focus', () => i === kept || keep(i, false));
    dot.addEventListener('click', event => {
      event.stopPropagation();
      keep(i, true);
    });
  });
  svg.addEventListener('pointermove', event => show(nearest(event)));
  svg.addEventListener('pointerleave', () => show(kept));
  svg.addEventListener('click', event => keep(nearest(event), true));
  svg.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -dots.length, End: dots.length}[event.key];
    if (!step) return;
    event.preventDefault();
    keep(Math.min(dots.length - 1, Math.max(0, kept + step)), true);
  });
  keep(kept, false);
}

/* `counts` are those of the rule of the page, whose point is marked. */
function curveSection(curve, kind, counts, extra) {
  const points = curve && curve[kind];
  if (!points || points.length < 2) return null;
  const isComplete = curve.proven_for === 'rules', chart = kind === 'tradeoff' ? tradeoffChart(curve) : sizeChart(curve, kind);
  const isOwn = one => counts && one.tp === counts.tp && one.fp === counts.fp, rowOf = i => cellsOfPoint(curve, kind, points[i]);
  const dots = points.map((one, i) => draw('circle', {class: isOwn(one) ? 'point chosen' : 'point', r: points.length > 40 ? 3 : 4,
    cx: fixed(chart.x(kind === 'tradeoff' ? 1 - one.specificity : sizeOfPoint(one, kind))),
    cy: fixed(chart.y(kind === 'tradeoff' ? one.sensitivity : one.accuracy))}));
  const [title, about] = CURVES[kind], place = make('div', {className: 'shown', 'aria-live': 'polite'});
  chart.svg.append(...dots);
  explore(chart.svg, dots, place, rowOf, Math.max(0, points.findIndex(isOwn)), extra && (i => extra(points[i])));
  const text = about || (isComplete
    ? 'Each point is another rule: to find more cases, more controls are taken for cases. The rule of this page is marked. A point is proven if no rule of this form is better.'
    : 'Each point is another rule, from the same clauses: to find more cases, more controls are taken for cases. The rule of this page is marked. With other clauses there may be better ones, unless a point is proven.');
  const made = section(kind, title, p(text), make('div', {className: 'pair'}, make('figure', {}, chart.svg), place),
    make('details', {}, make('summary', {}, 'All points as a table'),
      tableOf(rowOf(0).map(([name]) => name), points.map((_, i) => rowOf(i).map(([, value]) => value)), {className: 'numbers points'})));
  made.className = 'curve';
  return made;
}
