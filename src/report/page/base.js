'use strict';
/* What all parts of the page use: elements, numbers as they are shown, intervals. Text from files goes into the page as text
 * nodes only, never as markup. The page of --report and the web page share these files. */

/* Shown in place of what would steer the text around it; bytes of an older encoding come as lone surrogates. */
function plain(text) {
  return String(text).replace(/[\ud800-\udbff][\udc00-\udfff]|[\udc80-\udcff]|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    found => found.length > 1 ? found : found >= '\udc80' && found <= '\udcff' ? '\\x' + (found.charCodeAt(0) & 0xff).toString(16) : '\ufffd');
}

const isNode = value => value instanceof Node;
const nodesOf = children => children.flat(9).filter(child => child !== null && child !== undefined && child !== false && child !== '')
  .map(child => isNode(child) ? child : plain(child));

/* An element: properties, attributes with a dash, `on` for listeners, then children; lists of children are taken apart. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'on') Object.entries(value).forEach(([kind, listener]) => element.addEventListener(kind, listener));
    else if (name.includes('-') || ['role', 'for', 'scope', 'list'].includes(name)) element.setAttribute(name, value);
    else if (value !== undefined) element[name] = name === 'textContent' ? plain(value) : value;
  }
  element.append(...nodesOf(children));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...nodesOf(children));
  return element;
}

const p = (...children) => make('p', {}, ...children);
const hint = (...children) => make('p', {className: 'hint'}, ...children);
const bold = (...children) => make('b', {}, ...children);
const small = (...children) => make('small', {}, ...children);
const section = (id, title, ...children) => make('section', {id}, make('h2', {}, title), ...children);

/* ---- tables ---- */

const head = (text, below = '', className = '') => make('th', {scope: 'col', className}, text, below && small(below));
const textHead = (text, below = '') => head(text, below, 'text');
const cell = (...children) => make('td', {}, ...children);
const textCell = (...children) => make('td', {className: 'text'}, ...children);
const typeCell = (...children) => make('td', {className: 'text type'}, ...children);
const rowHead = (...children) => make('th', {scope: 'row'}, ...children);
const barHead = () => make('th', {className: 'bar'}, make('span', {className: 'only-read'}, 'bar'));

/* Rows are lists of cells; what is wider than the screen is scrolled in a box of its own. */
function tableOf(heads, rows, {className = 'numbers', caption = ''} = {}) {
  return make('div', {className: 'wide'}, make('table', {className}, caption && make('caption', {}, caption),
    make('thead', {}, make('tr', {}, heads)), make('tbody', {}, rows.map(cells => isNode(cells) ? cells : make('tr', {}, cells)))));
}

const factsTable = facts => make('table', {className: 'facts'},
  make('tbody', {}, facts.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => make('tr', {}, rowHead(name),
    cell(value)))));

/* ---- numbers and words ---- */

const isKnown = x => x !== null && x !== undefined && !Number.isNaN(x);
const percent = (x, digits = 1) => isKnown(x) ? (100 * x).toFixed(digits) + '\u00a0%' : '\u2013';
/* With so many digits that count. */
const general = (x, digits) => !isKnown(x) ? '\u2013' : x === Infinity ? '\u221e' : String(+Number(x).toPrecision(digits));
const many = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const range = (low, high) => make('span', {className: 'range'}, `${percent(low)} to ${percent(high)}`);
const share = (value, low, high) => cell(percent(value), small(isKnown(value) && range(low, high)));

const LONG_NAME = 28; /* characters of a name that may be broken, since a phone is no wider */
const nameOf = name => make('code', name.length > LONG_NAME ? {className: 'long'} : {}, name);
/* Items with a separator between each two, which is made anew each time. */
const listed = (items, separator = () => ', ') => items.flatMap((item, i) => i ? [separator(), item] : [item]);
const clauseOf = (clause, word = 'and') => listed(clause.map(nameOf), () => [' ', make('i', {}, word), ' ']);

/* All clauses with "or" between them; those of a CNF have it inside. */
function ruleOfClauses(clauses, isCnf) {
  if (!clauses.length) return [make('i', {}, isCnf ? 'always' : 'never')];
  const inside = isCnf ? 'or' : 'and', between = isCnf ? 'and' : 'or';
  const one = clause => clauses.length > 1 && clause.length > 1 ? ['(', clauseOf(clause, inside), ')'] : clauseOf(clause, inside);
  return listed(clauses.map(one), () => [' ', bold(between), ' ']);
}

/* A bar as long as the share. */
function barCell(part, isDark) {
  return make('td', {className: 'bar'},
    draw('svg', {class: 'chart many', viewBox: '0 0 150 14', width: 150, height: 14, preserveAspectRatio: 'none', 'aria-hidden': true},
    draw('rect', {class: 'track', width: 150, height: 14}),
    draw('rect', {class: isDark ? 'cases' : 'controls', width: (150 * part).toFixed(1), height: 14})));
}

const dotCell = isOn => make('td', {className: isOn ? 'dot on' : 'dot'}, make('span', {}, isOn ? 'yes' : 'no'));

/* ---- intervals: [value, low, high] ---- */

/* The 95 % interval of a share (Wilson 1927). */
function wilson(hits, n) {
  const z = 1.959963984540054, value = hits / n;
  if (!n) return [NaN, 0, 1];
  const middle = (value + z * z / (2 * n)) / (1 + z * z / n);
  const half = z * Math.sqrt(value * (1 - value) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return [value, hits ? Math.max(0, middle - half) : 0, hits < n ? Math.min(1, middle + half) : 1];
}

const complement = x => [1 - x[0], 1 - x[2], 1 - x[1]];

/* The mean of two shares (Newcombe's square-and-add). */
function meanOf(a, b) {
  const value = (a[0] + b[0]) / 2;
  return [value, Math.max(0, value - Math.hypot(a[0] - a[1], b[0] - b[1]) / 2), Math.min(1, value + Math.hypot(a[2] - a[0], b[2] - b[0]) / 2)];
}

/* The ratio of two shares (Donner and Zou 2012), which takes the intervals of the shares as they are, whatever made them. With
 * B = l1 (2 t1 - l1) and D = u2 (2 t2 - u2) the lower limit is B / (t1 t2 + sqrt((t1 t2)^2 - B D)), and the upper one likewise;
 * it is infinite where l2 is 0. */
function ratioOf(a, b) {
  const product = a[0] * b[0], root = (B, D) => product + Math.sqrt(Math.max(0, product * product - B * D));
  const B = a[1] * (2 * a[0] - a[1]), D = b[2] * (2 * b[0] - b[2]), B2 = a[2] * (2 * a[0] - a[2]), D2 = b[1] * (2 * b[0] - b[1]);
  if (Number.isNaN(a[0] / b[0])) return [NaN, NaN, NaN];
  return [a[0] / b[0], a[1] > 0 ? B / root(B, D) : 0, D2 > 0 ? root(B2, D2) / D2 : Infinity];
}

/* How much likelier a case is than a control to be called a case, and to be called a control. */
const likelihoodRatio = (shares, isPositive) => isPositive
  ? ratioOf(shares.sensitivity, complement(shares.specificity)) : ratioOf(complement(shares.sensitivity), shares.specificity);

/* ---- charts ---- */

const LEFT = 58, TOP = 14, PLOT_WIDTH = 364;
const fixed = x => x.toFixed(1);

/* A chart with axes; `x` and `y` are {low, high, ticks, label, text}. Its x(v) and y(v) are places. */
function plotOf({height, x, y, name, role = 'img', className = ''}) {
  const places = {x: v => LEFT + (v - x.low) / (x.high - x.low) * PLOT_WIDTH, y: v => TOP + (y.high - v) / (y.high - y.low) * height};
  const right = LEFT + PLOT_WIDTH, bottom = TOP + height, middle = TOP + height / 2, all = [right + 30, bottom + 50];
  const svg = draw('svg', {class: 'chart ' + className, viewBox: `0 0 ${all.join(' ')}`, width: all[0], height: all[1], role, 'aria-label': name},
    draw('rect', {class: 'paper', width: '100%', height: '100%'}),
    x.ticks.map(v => [draw('path', {class: 'grid', d: `M${fixed(places.x(v))} ${TOP}V${bottom}`}),
      draw('text', {x: fixed(places.x(v)), y: bottom + 19, 'text-anchor': 'middle'}, x.text(v))]),
    y.ticks.map(v => [draw('path', {class: 'grid', d: `M${LEFT} ${fixed(places.y(v))}H${right}`}),
      draw('text', {x: LEFT - 8, y: fixed(places.y(v) + 4.5), 'text-anchor': 'end'}, y.text(v))]),
    draw('text', {class: 'label', x: LEFT + PLOT_WIDTH / 2, y: bottom + 41, 'text-anchor': 'middle'}, x.label),
    draw('text', {class: 'label', x: 15, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 15 ${middle})`}, y.label),
    draw('path', {class: 'frame', d: `M${LEFT} ${TOP}V${bottom}H${right}`}));
  const path = (kind, points) => draw('path',
    {class: kind, d: points.map(([a, b], i) => `${i ? 'L' : 'M'}${fixed(places.x(a))} ${fixed(places.y(b))}`).join('')});
  return {...places, svg, path};
}

const ticksOf = (low, high, step) => Array.from({length: Math.max(0, Math.floor((high - low) / step + 1.001))}, (_, i) => low + i * step);
