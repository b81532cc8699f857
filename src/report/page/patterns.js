'use strict';
/* Which clauses hold together, as an UpSet chart (Lex and others 2014) that is a table: a row for each pattern of clauses that
 * some sample has, with how many cases and controls have it and the share of cases among them. Where samples were held out their
 * share stands beside. */

const MOST_DOTS = 12; /* clauses that have a column each; of more, numbers are listed */

const shareOf = ([cases, controls]) => cases + controls ? share(...wilson(cases, cases + controls)) : cell('\u2013');

/* Cases and controls as bars one behind the other, `most` being the longest row. */
function countsBar([cases, controls], most) {
  const width = n => (150 * n / most).toFixed(1);
  return make('td', {className: 'bar'},
    draw('svg', {class: 'chart many', viewBox: '0 0 150 14', width: 150, height: 14, preserveAspectRatio: 'none', 'aria-hidden': true},
    draw('rect', {class: 'cases', width: width(cases), height: 14}),
    draw('rect', {class: 'controls', x: width(cases), width: width(controls), height: 14})));
}

/* The share of cases with its interval, between 0 and 1; held-out samples as an open circle. */
function riskCell([cases, controls], held) {
  const [value, low, high] = wilson(cases, cases + controls).map(x => fixed(120 * x));
  const ring = held && held[0] + held[1] ? draw('circle',
    {class: 'point chosen', cx: fixed(120 * held[0] / (held[0] + held[1])), cy: 7, r: 2.5}) : null;
  return make('td', {className: 'bar'}, draw('svg', {class: 'chart', viewBox: '-5 0 130 14', width: 130, height: 14, 'aria-hidden': true},
    draw('path', {class: 'grid', d: 'M0 0V14M60 0V14M120 0V14'}), draw('path', {class: 'line', d: `M${low} 7H${high}`}),
    draw('circle', {class: 'point', cx: value, cy: 7, r: 3.5}), ring));
}

function patternsSection(page, nClauses) {
  const {patterns} = page;
  if (!patterns || !patterns.length) return null;
  const isDotted = nClauses <= MOST_DOTS, isTested = Boolean(patterns[0].held_out), numbers = Array.from({length: nClauses}, (_, k) => k);
  const most = patterns[0].training[0] + patterns[0].training[1];
  const heads = [isDotted ? numbers.map(k => make('th', {scope: 'col', className: 'dot'},
    make('span', {className: 'only-read'}, 'clause '), k + 1)) : textHead('clauses'),
    head('cases'), head('controls'), make('th', {className: 'bar'}, make('span', {className: 'only-read'}, 'bars')),
    head('share of cases', '95\u00a0% interval'),
    make('th', {className: 'bar'}, make('span', {className: 'ends'}, make('span', {}, '0'), make('span', {}, '100\u00a0%'))),
      isTested && head('held out', 'share of cases')];
  const rows = patterns.map(one => [isDotted ? numbers.map(k => dotCell(one.clauses.includes(k))) : textCell(one.clauses.map(k => k + 1).join(', ') || 'none'),
    cell(one.training[0]), cell(one.training[1]), countsBar(one.training, most), shareOf(one.training),
    riskCell(one.training, one.held_out), isTested && shareOf(one.held_out)]);
  return section('patterns', 'Which clauses hold together, and how often such samples are cases',
    p('Each row is a combination of clauses that hold, and of no others.'),
    tableOf(heads, rows, {className: 'numbers upset'}),
    hint(page.other_patterns > 0 && `The other ${page.other_patterns} patterns have ${page.samples_of_others} samples together. `,
      'Bars: cases dark, controls light. ', isTested
      ? 'The share among the samples learnt from, with its interval, and as a ring that among those held out: where both agree the share can be taken for a risk at the share of cases of these data.'
      : ['The shares are those of the samples that the clauses were chosen on, at their share of cases: for new samples they are nearer to each other. ',
        make('code', {}, '--test'), ' shows both.']));
}
