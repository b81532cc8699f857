'use strict';
/* The trade-off curve, as in a report; each point has a rule, and can be learnt for. */

let curveJob = null;

/* A button that learns a rule for a point: just below what it reaches, so that rounding does not shut it out. */
function learnButton(point) {
  return p(make('button', {type: 'button', className: 'copy', on: {click: () => {
    byId('option--min-specificity').value = String(Math.max(0, Math.floor(point.specificity * 1e6) / 1e6));
    byId('option--min-sensitivity').value = '';
    showCommand();
    learn(false);
  }}}, 'Learn a rule of this specificity'));
}

function showCurve(curve) {
  const own = shown && shown.fit.confusion && figuresOf(shown.fit).training.counts;
  byId('curve-state').textContent = `${curve.tradeoff.length} points, area ${shortNumber(+curve.area.toPrecision(4))}.`;
  showInside('curve-chart', curveSection(curve, 'tradeoff', own, learnButton) || p('There are too few points for a curve.'));
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
