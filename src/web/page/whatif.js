'use strict';
/* What if: a sample with the columns that the rule uses, its class by the engine, and the single changes that would change it. */

const MOST_CANDIDATES = 60; /* values of a column that are tried */
const whatIf = {columns: [], values: [], turn: 0};

function ruleOf() {
  return JSON.parse(new TextDecoder().decode(shown.files[shown.names.rule]));
}

/* The columns of the table that the rule's literals speak of. */
function columnsOf(rule) {
  const columns = rule.literals ? rule.literals.map(literal => literal.column) : rule.features;
  return [...new Set(columns)];
}

/* Values of a column: those in the rows that the page has, the nearest to `value` first if they are numbers. */
function candidates(column, value) {
  const at = chosen.columns.indexOf(column);
  const seen = at < 0 ? ['0', '1'] : [...new Set(chosen.rows.map(row => row[at]).filter(cell => cell !== undefined && cell !== ''))];
  const others = seen.filter(cell => cell !== value);
  const isNumeric = others.length && others.every(cell => Number.isFinite(Number(cell)));
  if (isNumeric && value !== '' && Number.isFinite(Number(value))) others.sort((a, b) => Math.abs(a - value) - Math.abs(b - value));
  if (others.length <= MOST_CANDIDATES) return others;
  /* The nearest ones, and some from everywhere. */
  const step = others.length / (MOST_CANDIDATES / 2);
  return [...new Set([...others.slice(0, MOST_CANDIDATES / 2), ...Array.from({length: MOST_CANDIDATES / 2}, (_, i) => others[Math.floor(i * step)])])];
}

/* Verdicts on rows of the rule's columns. A column that is in no table makes sure that there are two. */
async function judge(rows) {
  const text = [['ireland page', ...whatIf.columns], ...rows.map(row => ['x', ...row])].map(csvRow).join('\n') + '\n';
  const answer = await engine.run({words: ['predict', shown.names.rule, 'sample.csv', '--explain', '--json', '--delimiter', 'comma'],
    files: [{name: shown.names.rule, data: shown.files[shown.names.rule].slice()}, {name: 'sample.csv', data: new TextEncoder().encode(text)}]});
  if (answer.code) throw new Error(reasonOf(answer));
  return JSON.parse(answer.out);
}

function clauseLine(clause) {
  return make('code', {textContent: clause.map(literalText).join(' and ')});
}

/* The first change of one value, nearest first, that changes the class, for each column that has one. */
function changesOf(verdicts, tried) {
  const found = new Map();
  tried.forEach((one, i) => {
    if (verdicts[i + 1].predicted !== verdicts[0].predicted && !found.has(one.column)) found.set(one.column, {...one, predicted: verdicts[i + 1].predicted});
  });
  return [...found.values()];
}

function showVerdict(verdicts, tried) {
  const now = verdicts[0], rule = ruleOf(), isPositive = now.predicted === rule.positive, answer = byId('whatif-answer');
  const list = make('ul');
  now.fired.forEach(clause => list.append(make('li', {}, 'This clause fires: ', clauseLine(clause))));
  if (now.closest) list.append(make('li', {}, 'No clause fires. The closest one is ', clauseLine(now.closest), '; it misses ', clauseLine(now.misses), '.'));
  const changes = changesOf(verdicts, tried), ways = make('ul');
  changes.forEach(change => ways.append(make('li', {}, make('code', {textContent: whatIf.columns[change.column]}), ` ${whatIf.values[change.column] || 'missing'} → ${change.value}: `, make('b', {textContent: `${rule.target || 'class'} = ${change.predicted}`}), ' ',
    make('button', {type: 'button', textContent: 'Try', 'aria-label': `Set ${whatIf.columns[change.column]} to ${change.value}`, on: {click: () => {
      whatIf.values[change.column] = change.value;
      fillWhatIf();
      weigh();
    }}}))));
  answer.replaceChildren(make('p', {className: 'verdict'}, 'The rule says ', make('b', {textContent: `${rule.target || 'class'} = ${now.predicted}`}), isPositive ? ' (a case).' : ' (a control).'), list,
    make('p', {textContent: changes.length ? 'A change of one value that would change this:' : 'No change of one value would change this.'}), ways);
}

async function weigh() {
  const turn = ++whatIf.turn, problem = byId('whatif-problem');
  complain(problem, '');
  const tried = whatIf.columns.flatMap((column, i) => candidates(column, whatIf.values[i]).map(value => ({column: i, value})));
  const rows = [whatIf.values, ...tried.map(one => whatIf.values.map((value, i) => i === one.column ? one.value : value))];
  try {
    const verdicts = await judge(rows);
    if (turn === whatIf.turn) showVerdict(verdicts, tried);
  } catch (error) {
    if (turn === whatIf.turn) complain(problem, String(error.message));
  }
}

function fillWhatIf() {
  byId('whatif-fields').replaceChildren(...whatIf.columns.map((column, i) => {
    const values = candidates(column, null), list = 'values-of-' + i;
    const field = values.length <= 12 && values.includes(whatIf.values[i])
      ? make('select', {}, ...[...values, ''].map(value => make('option', {value, textContent: value || 'missing', selected: value === whatIf.values[i]})))
      : make('input', {value: whatIf.values[i], list});
    field.addEventListener('change', event => {
      whatIf.values[i] = event.target.value.trim();
      weigh();
    });
    return make('label', {}, column, field, field.tagName === 'INPUT' ? make('datalist', {id: list}, ...values.slice(0, 30).map(value => make('option', {value}))) : null);
  }));
}

function takeSample(number) {
  const rows = chosen.rows, row = rows[Math.min(rows.length, Math.max(1, number)) - 1] || [];
  whatIf.values = whatIf.columns.map(column => {
    const cell = row[chosen.columns.indexOf(column)];
    return cell === undefined ? '' : cell;
  });
  fillWhatIf();
  return weigh();
}

function openWhatIf() {
  if (!shown || !shown.files[shown.names.rule]) return undefined;
  whatIf.columns = columnsOf(ruleOf());
  byId('whatif-row').max = Math.max(1, chosen.rows.length);
  if (!whatIf.columns.length) return byId('whatif-answer').replaceChildren(make('p', {textContent: 'The rule has no clause: it says the same of every sample.'}));
  return takeSample(Number(byId('whatif-row').value) || 1);
}

function watchWhatIf() {
  byId('whatif').addEventListener('toggle', () => byId('whatif').open && openWhatIf());
  byId('whatif-row').addEventListener('change', event => takeSample(Number(event.target.value) || 1));
  byId('whatif-random').addEventListener('click', () => {
    const next = Number(byId('whatif-row').value) % Math.max(1, chosen.rows.length) + 1;
    byId('whatif-row').value = next;
    takeSample(next);
  });
}
