'use strict';
/* The trade-off curve: points to hover, click or reach by Tab and arrow keys; each has its rule, and can be learnt for. */

const CHART = {width: 480, height: 400, left: 52, right: 14, top: 14, bottom: 46};
let curveJob = null;

const chartX = specificity => CHART.left + (1 - specificity) * (CHART.width - CHART.left - CHART.right);
const chartY = sensitivity => CHART.height - CHART.bottom - sensitivity * (CHART.height - CHART.top - CHART.bottom);

function chartAxes() {
  const parts = [draw('rect', {x: chartX(1), y: chartY(1), width: chartX(0) - chartX(1), height: chartY(0) - chartY(1), class: 'axis'})];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const below = draw('text', {x: chartX(share), y: chartY(0) + 18, 'text-anchor': 'middle'}), left = draw('text', {x: chartX(1) - 6, y: chartY(share) + 4, 'text-anchor': 'end'});
    below.textContent = left.textContent = 100 * share + ' %';
    parts.push(below, left);
  }
  const specificity = draw('text', {x: (chartX(0) + chartX(1)) / 2, y: CHART.height - 8, 'text-anchor': 'middle'});
  const sensitivity = draw('text', {x: 14, y: (chartY(0) + chartY(1)) / 2, 'text-anchor': 'middle', transform: `rotate(-90 14 ${(chartY(0) + chartY(1)) / 2})`});
  specificity.textContent = 'specificity';
  sensitivity.textContent = 'sensitivity';
  return [...parts, specificity, sensitivity];
}

function pointFacts(point, isCurveProven) {
  const box = make('div');
  /* Just below what the point reaches, so that rounding does not shut it out. */
  const least = Math.max(0, Math.floor(point.specificity * 1e6) / 1e6);
  box.append(make('p', {}, make('b', {textContent: `sensitivity ${percent(point.sensitivity)}, specificity ${percent(point.specificity)}`})),
    make('ol', {className: 'clauses'}, ...(point.clauses.length ? clauseItems(point.clauses, false) : [make('li', {textContent: 'never'})])),
    make('p', {className: 'hint', textContent: `${point.tp} cases found, ${point.fp} controls covered. ` + (point.status === 'optimal'
      ? `Proven ${isCurveProven ? 'among all rules' : 'among the clauses that were found'}: none of this specificity has a larger sensitivity.`
      : `None of this specificity, ${isCurveProven ? 'of all rules' : 'of the clauses that were found'}, has more than ${percent(point.sensitivity_bound)} sensitivity.`)}),
    make('button', {type: 'button', textContent: 'Learn a rule of this specificity', on: {click: () => {
      const field = byId('option--min-specificity');
      field.value = String(least);
      byId('option--min-sensitivity').value = '';
      showCommand();
      learn(false);
    }}}));
  return box;
}

function showCurve(curve) {
  const points = curve.tradeoff, facts = make('div', {'aria-live': 'polite'});
  const line = draw('polyline', {class: 'line', points: points.map(point => `${chartX(point.specificity)},${chartY(point.sensitivity)}`).join(' ')});
  const svg = draw('svg', {viewBox: `0 0 ${CHART.width} ${CHART.height}`, class: 'chart', role: 'group', 'aria-label': 'Sensitivity against specificity'}, ...chartAxes(), line);
  const dots = points.map((point, i) => draw('circle', {cx: chartX(point.specificity), cy: chartY(point.sensitivity), r: 6, class: 'point', tabindex: -1, role: 'button',
    'aria-label': `Point ${i + 1} of ${points.length}: sensitivity ${percent(point.sensitivity)}, specificity ${percent(point.specificity)}`}));
  const choose = (i, isFocused) => {
    dots.forEach((dot, k) => {
      dot.classList.toggle('on', k === i);
      dot.setAttribute('tabindex', k === i ? 0 : -1);
    });
    if (isFocused) dots[i].focus();
    facts.replaceChildren(pointFacts(points[i], curve.proven_for === 'all'));
  };
  dots.forEach((dot, i) => dot.addEventListener('click', () => choose(i, true)));
  svg.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -points.length, End: points.length}[event.key];
    const now = dots.findIndex(dot => dot.classList.contains('on'));
    if (event.key === 'Enter' || event.key === ' ') choose(now, true);
    else if (step) choose(Math.min(points.length - 1, Math.max(0, now + step)), true);
    else return;
    event.preventDefault();
  });
  svg.append(...dots);
  if (shown && shown.fit.confusion) svg.append(draw('circle', {cx: chartX(shown.fit.specificity), cy: chartY(shown.fit.sensitivity), r: 10, class: 'here'}));
  byId('curve-chart').replaceChildren(svg, facts);
  byId('curve-state').textContent = `${points.length} points, area ${shortNumber(+curve.area.toPrecision(4))}. The ring is the rule above. Click a point, or use the arrow keys.`;
  if (points.length) choose(points.reduce((best, point, i) => point.accuracy > points[best].accuracy ? i : best, 0), false);
}

async function makeCurve() {
  const problem = byId('curve-problem');
  complain(problem, '');
  byId('curve-state').textContent = 'Computing …';
  show(byId('curve-stop'));
  byId('curve-make').disabled = true;
  const known = knownBy('curve').filter(option => option !== '--min-sensitivity' && option !== '--min-specificity');
  curveJob = engine.start({words: ['curve', chosen.main, ...dataWords(), ...optionWords(known), '--json', '--quiet'], files: allFiles()},
    {onProgress: progress => { byId('curve-state').textContent = `Computing: ${progress.part}, ${seconds(progress.seconds)}`; }});
  const answer = await curveJob.answer;
  curveJob = null;
  show(byId('curve-stop'), false);
  byId('curve-make').disabled = false;
  byId('curve-state').textContent = '';
  if (answer.out.startsWith('{')) showCurve(JSON.parse(answer.out));
  else complain(problem, answer.isStopped ? 'Stopped before there was a point.' : reasonOf(answer));
}

function watchCurve() {
  byId('curve-make').addEventListener('click', makeCurve);
  byId('curve-stop').addEventListener('click', () => curveJob && curveJob.stop());
}
