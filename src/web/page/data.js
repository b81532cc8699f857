'use strict';
/* Step 1: files in, what is in them, types, target, value of the cases. */

const LARGEST = 1e9;          /* bytes of a file that is read here */
const HEAD = 1 << 18;         /* bytes of a text that the preview looks at */
const PREVIEW_ROWS = 8;
const PREVIEW_COLUMNS = 40;
const TYPES = ['binary', 'number', 'category', 'snp', 'ignore'];
const COMPANIONS = /\.(bim|fam|pheno|phe|phen|cov|covar)$/i;
const PHENOTYPES = /\.(pheno|phe|phen)$/i, COVARIATES = /\.(cov|covar)$/i;

/* What was chosen. `files` go into every job; `main` is the one that is learnt from. */
const chosen = {files: [], main: '', columns: [], rows: [], info: null, types: {}, kind: '', isBusy: false, turn: 0};

const kindOf = name => {
  const found = /\.(csv|tsv|txt|arff|svm|libsvm|vcf|bcf|bed|raw|irb|json)$/i.exec(name.replace(/\.gz$/i, ''));
  return found ? found[1].toLowerCase() : '';
};
const isText = kind => kind === 'csv' || kind === 'tsv' || kind === 'txt';
const hasTypes = kind => isText(kind) || kind === 'arff' || kind === 'svm' || kind === 'libsvm';

/* The first bytes, unpacked if need be, as text; `isWhole` unless there are more. */
async function headOf(file) {
  let text = '', isWhole = true;
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    const reader = file.slice(0, HEAD).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    const decoder = new TextDecoder();
    isWhole = file.size <= HEAD;
    try {
      for (let part = await reader.read(); !part.done && text.length < HEAD; part = await reader.read()) text += decoder.decode(part.value, {stream: true});
    } catch { /* the rest was cut off, or another member follows */
      isWhole = false;
    }
  } else {
    text = await file.slice(0, HEAD).text();
    isWhole = file.size <= HEAD;
  }
  return {text: text.replace(/^\ufeff/, ''), isWhole};
}

/* Columns and first rows of a text, for the preview alone: the engine reads for itself. */
function rowsOf(text, isWhole) {
  const first = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1);
  const separators = [',', '\t', ';', ' '];
  const separator = separators.reduce((best, one) => first.split(one).length > first.split(best).length ? one : best);
  const rows = parseRows(text, separator, 20000, isWhole);
  return {columns: rows.length ? rows[0].map(cell => cell.trim()) : [], rows: rows.slice(1).map(row => row.map(cell => cell.trim()))};
}

function tooLarge(file) {
  const words = ['fit', file.name, '-K', '3', '-M', '3', '--prove', '-o', 'rule.json', '--report', 'rule.html'];
  return `${file.name} has ${megabytes(file.size)}, more than this page can hold. The program on your machine reads it: ${commandLine(words)}`;
}

/* Words that say how the data are read. */
function dataWords() {
  const words = [];
  const target = byId('target').value, positive = byId('positive').value;
  if (target) words.push('--target', target);
  if (positive) words.push(byId('positive').dataset.isMany ? '--vs-rest' : '--positive', positive);
  const types = Object.entries(chosen.types).map(([column, type]) => column + '=' + type);
  if (types.length) words.push('--type', types.join(','));
  for (const file of chosen.files) {
    if (PHENOTYPES.test(file.name)) words.push('--pheno', file.name);
    if (COVARIATES.test(file.name)) words.push('--covar', file.name);
  }
  return words;
}

async function loadFiles(list) {
  const files = [...list].map(file => ({name: safeName(file.name), data: file}));
  const problem = byId('data-problem');
  complain(problem, '');
  if (!files.length) return;
  const large = [...list].find(file => file.size > LARGEST);
  if (large) return complain(problem, tooLarge(large));
  const rule = files.find(file => kindOf(file.name) === 'json');
  if (rule && files.length === 1) return receiveRule(rule.data);
  const added = files.every(file => COMPANIONS.test(file.name)) && chosen.main;
  const main = added ? chosen.main : (files.find(file => kindOf(file.name) && kindOf(file.name) !== 'json') || files[0]).name;
  if (!added && !kindOf(main)) {
    return complain(problem, `${main}: this page reads files whose names end in .csv, .tsv, .txt, .arff, .svm, .libsvm, .vcf, .bed, .raw or .irb (or these with .gz)`);
  }
  const before = {...chosen};
  Object.assign(chosen, {files: added ? [...chosen.files.filter(old => !files.some(file => file.name === old.name)), ...files] : files, main, kind: kindOf(main), types: {}});
  byId('target').replaceChildren();
  byId('positive').replaceChildren();
  if (!await look()) {
    /* Nothing is lost of what was there, unless a choice of the target may help. */
    if (chosen.columns.length < 2 && before.main) {
      Object.assign(chosen, before);
      const sentence = problem.textContent;
      await look();
      complain(problem, sentence);
    }
    return;
  }
  dropResult();
  say(`${main} is read.`);
}

async function findRows() {
  const main = chosen.files.find(file => file.name === chosen.main);
  if (isText(chosen.kind)) {
    const {text, isWhole} = await headOf(main.data);
    Object.assign(chosen, rowsOf(text, isWhole));
  } else if (main.data.size < 1e8) {
    const answer = await engine.run({words: ['convert', chosen.main, 'preview.csv', '--quiet', ...dataWords()], files: chosen.files, outputs: ['preview.csv']});
    const bytes = answer.files['preview.csv'];
    if (bytes) Object.assign(chosen, rowsOf(new TextDecoder().decode(bytes.subarray(0, 4 * HEAD)), bytes.length <= 4 * HEAD));
    else Object.assign(chosen, {columns: [], rows: []});
  } else {
    Object.assign(chosen, {columns: [], rows: []});
  }
}

/* Asks the engine what is in the files, and shows it; false if it cannot be learnt from. */
async function look() {
  const turn = ++chosen.turn, problem = byId('data-problem');
  byId('data').setAttribute('aria-busy', 'true');
  complain(problem, '');
  let answer;
  try {
    await findRows();
    answer = await engine.run({words: ['info', chosen.main, '--json', ...dataWords()], files: chosen.files});
  } catch (error) {
    answer = {code: 1, out: '', err: String(error.message || error)};
  }
  if (turn !== chosen.turn) return false;
  byId('data').removeAttribute('aria-busy');
  const isRead = answer.code === 0;
  chosen.info = isRead ? JSON.parse(answer.out) : null;
  if (isRead) chosen.notes = answer.err.trim().replace(/^warning: /gm, '');
  else complain(problem, explainFailure(answer));
  const isShown = isRead || chosen.columns.length > 1;
  show(byId('loaded'), isShown);
  if (isShown) showData(isRead);
  const canLearn = isRead && chosen.info.cases > 0 && chosen.info.controls > 0;
  if (isRead && !canLearn) complain(problem, oneClass());
  show(byId('rule'), canLearn);
  if (canLearn) showCommand();
  return canLearn;
}

function oneClass() {
  if (['vcf', 'bcf', 'bed', 'raw'].includes(chosen.kind) && !chosen.info.cases) {
    return `${chosen.main} has no phenotypes: choose a file of them too (name.pheno, lines FID IID VALUE: 2 a case, 1 a control).`;
  }
  const target = chosen.info.target || 'the label';
  return `${chosen.main}: all samples are of one class of ${target}; a rule tells two apart. Choose another column to predict.`;
}

function explainFailure(answer) {
  const reason = reasonOf(answer);
  if (/third label/.test(reason)) return reason.replace(/; two are allowed.*/, '') + ': choose the value of the cases below, all others are controls then, or another column to predict.';
  if (/out of memory/.test(reason)) return `${chosen.main}: out of memory. The program on your machine may have more: ${commandLine(['fit', chosen.main, '--prove', '-o', 'rule.json'])}`;
  return reason;
}

function fillTarget(isRead) {
  const target = byId('target'), old = target.value;
  const names = [...new Set(chosen.columns)];
  target.replaceChildren(make('option', {value: '', textContent: isRead ? `${chosen.info.target} (found)` : 'the last column'}),
    ...names.slice(0, 5000).map(name => make('option', {value: name, textContent: name})));
  target.value = names.includes(old) ? old : '';
}

function fillPositive(isRead) {
  const positive = byId('positive'), old = positive.value;
  const aim = byId('target').value || (isRead ? chosen.info.target : chosen.columns[chosen.columns.length - 1]);
  const at = chosen.columns.indexOf(aim);
  const values = at < 0 ? [] : [...new Set(chosen.rows.map(row => row[at]).filter(value => value !== undefined && value !== ''))];
  const found = isRead ? `${chosen.info.positive} (found)` : 'choose …';
  positive.replaceChildren(make('option', {value: '', textContent: found}), ...values.slice(0, 200).map(value => make('option', {value, textContent: value})));
  positive.value = values.includes(old) ? old : '';
  if (values.length > 2) positive.dataset.isMany = 'yes';
  else delete positive.dataset.isMany;
}

function typeOf(column) {
  if (chosen.types[column]) return chosen.types[column];
  if (!chosen.info) return '';
  if (!chosen.info.columns) return 'binary';
  const found = chosen.info.columns.find(one => one.name === column);
  return found ? found.type : '';
}

function changeType(column, type) {
  chosen.types[column] = type;
  look().then(dropResult);
}

function headCell(column, aim) {
  const type = typeOf(column);
  const name = make('span', {textContent: column, title: column});
  if (column === aim) return make('th', {scope: 'col', className: 'aim'}, name, make('small', {className: 'soft', textContent: 'to predict'}));
  if (!hasTypes(chosen.kind) || /[,=]/.test(column)) return make('th', {scope: 'col'}, name, make('small', {className: 'soft', textContent: type}));
  const select = make('select', {'aria-label': 'Type of ' + column, on: {change: event => changeType(column, event.target.value)}},
    ...TYPES.map(one => make('option', {value: one, textContent: one, selected: one === type})));
  return make('th', {scope: 'col'}, name, select);
}

function showData(isRead) {
  const {info, columns, rows} = chosen;
  fillTarget(isRead);
  fillPositive(isRead);
  const aim = byId('target').value || (isRead ? info.target : '');
  byId('data-summary').textContent = isRead
    ? `${chosen.main}: ${info.samples} samples, ${info.columns ? info.columns.length + ' columns' : info.features + ' columns of 0 and 1'}; ${info.cases} cases (${info.target} = ${info.positive}), ${info.controls} controls.`
    : `${chosen.main}: ${columns.length} columns.`;
  byId('data-notes').textContent = isRead ? chosen.notes : '';
  const order = aim && columns.includes(aim) ? [aim, ...columns.filter(name => name !== aim)] : columns;
  const shown = order.slice(0, PREVIEW_COLUMNS), places = shown.map(name => columns.indexOf(name));
  byId('preview').replaceChildren(
    make('thead', {}, make('tr', {}, ...shown.map(name => headCell(name, aim)))),
    make('tbody', {}, ...rows.slice(0, PREVIEW_ROWS).map(row =>
      make('tr', {}, ...places.map((place, i) => make('td', {textContent: row[place] === undefined ? '' : row[place], className: shown[i] === aim ? 'aim' : ''}))))));
  const hidden = columns.length - shown.length;
  byId('preview-note').textContent = columns.length ? `The first ${Math.min(PREVIEW_ROWS, rows.length)} rows${hidden > 0 ? `, ${hidden} more columns are not shown` : ''}.` : 'No preview of this file.';
}

function usePaste() {
  const text = byId('paste-text').value;
  if (!text.trim()) return complain(byId('data-problem'), 'There is nothing in the field yet: paste a table with a line of names.');
  const isTabbed = text.slice(0, 2000).split('\n')[0].includes('\t');
  show(byId('paste'), false);
  byId('example').value = '';
  return loadFiles([new File([text.endsWith('\n') ? text : text + '\n'], isTabbed ? 'pasted.tsv' : 'pasted.csv')]);
}

function useExample(name) {
  const example = facts.examples.find(one => one.name === name);
  if (!example) return undefined;
  return loadFiles(example.files.map(file => new File([file.text], file.name)));
}

function watchData() {
  const drop = byId('drop');
  byId('choose').addEventListener('change', event => {
    byId('example').value = '';
    loadFiles([...event.target.files]);
    event.target.value = '';
  });
  byId('paste-open').addEventListener('click', () => {
    show(byId('paste'));
    byId('paste-text').focus();
  });
  byId('paste-close').addEventListener('click', () => {
    show(byId('paste'), false);
    byId('paste-open').focus();
  });
  byId('paste-use').addEventListener('click', usePaste);
  byId('example').append(...facts.examples.map(one => make('option', {value: one.name, textContent: one.name})));
  byId('example').addEventListener('change', event => useExample(event.target.value));
  ['target', 'positive'].forEach(id => byId(id).addEventListener('change', () => {
    if (id === 'target') byId('positive').value = '';
    look().then(dropResult);
  }));
  document.addEventListener('dragover', event => {
    event.preventDefault();
    drop.classList.add('over');
  });
  document.addEventListener('dragleave', () => drop.classList.remove('over'));
  document.addEventListener('drop', event => {
    event.preventDefault();
    drop.classList.remove('over');
    loadFiles(event.dataTransfer.files);
  });
}
