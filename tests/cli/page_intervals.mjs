/* The figures that the page itself computes: node page_intervals.mjs FIT.json. Intervals of shares and of their mean are those of
 * the program; likelihood ratios, predictive values and net benefit have known values, edges, and intervals that hold the truth in
 * random tables as often as they say. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

const parts = ['base', 'prevalence'].map(name => readFileSync(new URL(`../../src/report/page/${name}.js`, import.meta.url), 'utf8'));
const {wilson, meanOf, ratioOf, likelihoodRatio, predictiveValue, netBenefit} =
  new Function(parts.join('\n') + '\nreturn {wilson, meanOf, ratioOf, likelihoodRatio, predictiveValue, netBenefit};')();
const near = (a, b, most = 1e-12) => assert.ok(Math.abs(a - b) <= most * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const shares = (sensitivity, specificity) => ({sensitivity, specificity});

/* Those of the program. */
const held = JSON.parse(readFileSync(process.argv[2], 'utf8')).held_out, c = held.confusion;
const found = shares(wilson(c.tp, c.tp + c.fn), wilson(c.tn, c.tn + c.fp));
found.sensitivity.forEach((x, i) => near(x, [held.sensitivity, ...held.sensitivity_interval][i]));
found.specificity.forEach((x, i) => near(x, [held.specificity, ...held.specificity_interval][i]));
meanOf(found.sensitivity, found.specificity).forEach((x, i) => near(x, [held.balanced_accuracy, ...held.interval][i]));

/* At the share of cases of the counts themselves: 90 of 130, and 160 of 170; 90 of 300 are found, 40 of 300 are false alarms, each
 * worth 1/4 of a case at 20 %. */
const known = shares(wilson(90, 100), wilson(160, 200));
near(likelihoodRatio(known, true)[0], 4.5);
near(likelihoodRatio(known, false)[0], 0.125);
near(predictiveValue(known, 1 / 3, true)[0], 90 / 130);
near(predictiveValue(known, 1 / 3, false)[0], 160 / 170);
near(netBenefit(known, 1 / 3, 0.2)[0], (90 - 40 * 0.25) / 300 * 3);

/* The intervals of a ratio as they are published, without the rearrangement. */
for (let a = 1; a < 20; a++) {
  for (let b = 1; b < 20; b++) {
    const x = wilson(a, 20), y = wilson(b, 20), r = ratioOf(x, y), A = x[0] * y[0];
    const B = x[1] * (2 * x[0] - x[1]), D = y[2] * (2 * y[0] - y[2]), B2 = x[2] * (2 * x[0] - x[2]), D2 = y[1] * (2 * y[0] - y[1]);
    near(r[1], (A - Math.sqrt(A * A - B * D)) / D, 1e-9);
    near(r[2], (A + Math.sqrt(A * A - B2 * D2)) / D2, 1e-9);
    assert.ok(r[1] < r[0] && r[0] < r[2]);
  }
}

const none = wilson(0, 20), all = wilson(20, 20), half = wilson(10, 20);
assert.equal(likelihoodRatio(shares(all, all), true)[0], Infinity);
assert.ok(likelihoodRatio(shares(all, all), true)[1] > 1);
assert.equal(likelihoodRatio(shares(all, all), false)[0], 0);
assert.ok(Number.isNaN(likelihoodRatio(shares(none, all), true)[0]));
assert.equal(likelihoodRatio(shares(none, all), false)[0], 1);
assert.equal(likelihoodRatio(shares(all, none), true)[0], 1);
assert.equal(predictiveValue(shares(all, all), 0.001, true)[0], 1);
assert.equal(ratioOf(none, half)[1], 0);
assert.ok(ratioOf(none, half)[2] > 0);
assert.equal(ratioOf(half, none)[2], Infinity);
near(netBenefit(shares(all, all), 0.1, 0.5)[0], 1);

/* Of 95 % intervals about 95 in 100 hold the truth. */
const draws = 4000, cases = 80, controls = 120, sensitivity = 0.8, specificity = 0.7, prior = 0.1, holds = [0, 0, 0, 0];
let state = 20261117;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
const count = (n, share) => Array.from({length: n}, random).filter(x => x < share).length;
for (let i = 0; i < draws; i++) {
  const s = shares(wilson(count(cases, sensitivity), cases), wilson(count(controls, specificity), controls));
  const hits = sensitivity * prior, alarms = (1 - specificity) * (1 - prior);
  const intervals = [likelihoodRatio(s, true), likelihoodRatio(s, false), predictiveValue(s, prior, true), netBenefit(s, prior, 0.15)];
  const truth = [sensitivity / (1 - specificity), (1 - sensitivity) / specificity, hits / (hits + alarms), sensitivity - (1 - specificity) * 0.15 / 0.85 * (1 - prior) / prior];
  intervals.forEach(([, low, high], k) => { holds[k] += low <= truth[k] && truth[k] <= high; });
}
for (const n of holds) assert.ok(n > 0.935 * draws && n < 0.97 * draws, holds.join(' '));
