'use strict';
/* Step 2, the form: daily options with a line each, all others from the engine's own table, and the command that they make. */

const DAILY = [
  {option: '-K', name: 'Clauses, at most', help: 'The rule is an OR of so many clauses.', type: 'integer', value: 3, least: 1, most: 64},
  {option: '-M', name: 'Literals in a clause, at most', help: 'A clause is an AND of so many conditions.', type: 'integer', value: 3, least: 1, most: 64},
  {option: '--tune', name: 'Choose the size', help: 'Clauses, literals, penalty and negations by cross-validation; what you fill in stays as it is.', type: 'flag'},
  {option: '--negations', name: 'Negated literals', help: 'Also “is not”: finer rules, a harder proof.', type: 'flag'},
  {option: '--cnf', name: 'AND of ORs', help: 'The other form: every clause must hold, each by one of its literals.', type: 'flag'},
  {option: '--weights', name: 'What counts', help: 'Both classes the same (balanced), or every sample the same (unit).', type: 'word', first: 'balanced', words: ['unit']},
  {option: '--penalty', name: 'Price of a literal', help: 'Share of the total loss for each clause and literal, as 0.01: shorter rules.', type: 'real'},
  {option: '--min-sensitivity', name: 'Sensitivity, at least', help: 'Only rules that find this share of the cases, as 0.9.', type: 'real'},
  {option: '--min-specificity', name: 'Specificity, at least', help: 'Only rules that spare this share of the controls.', type: 'real'},
  {option: '--test', name: 'Held out for a test', help: 'This share of each class is not learnt from, as 0.3.', type: 'real'},
  {option: '--time-limit', name: 'Seconds, at most', help: 'Then the best rule so far is the answer.', type: 'real'},
];
const FILE_OPTIONS = ['--pheno', '--covar', '--keep', '--remove', '--extract', '--exclude', '--genes', '--start', '--pool', '--types'];
/* What the page says itself, what has no use here, and files that it would write. */
const NOT_SHOWN = ['--target', '--positive', '--vs-rest', '--type', '--threads', '--grid', '--json', '--quiet', '--help', '--output', '--report', '--certificate',
  '--checkpoint', '--resume', '--save-pool', '--bfile', '--vcf', '--bcf', '--prove'];

function optionField(row, id) {
  if (FILE_OPTIONS.includes(row.option)) return make('input', {type: 'file', id});
  if (row.type === 'flag') return make('input', {type: 'checkbox', id});
  if (row.type === 'word') return make('select', {id}, make('option', {value: '', textContent: row.first || 'default'}), ...row.words.filter(word => word !== 'default').map(word => make('option', {value: word, textContent: word})));
  const field = make('input', {type: row.type === 'integer' ? 'number' : 'text', id});
  if (row.type === 'integer') Object.assign(field, {min: row.least === undefined ? 0 : row.least, step: 1});
  if (row.most) field.max = row.most;
  if (row.type === 'real') field.inputMode = 'decimal';
  if (row.value !== undefined) field.value = row.value;
  else if (row.type !== 'text' && row.preset) field.placeholder = row.preset;
  return field;
}

function optionRow(row) {
  const id = 'option' + row.option, field = optionField(row, id);
  field.dataset.option = row.option;
  field.setAttribute('aria-describedby', id + '-help');
  return make('div', {className: 'option'}, make('label', {for: id, textContent: row.name || row.option}), field, make('small', {id: id + '-help', textContent: row.help}));
}

/* The words of all fields that are set; `known` are the options that a command takes, null: all. */
function optionWords(known) {
  const words = [];
  for (const field of document.querySelectorAll('[data-option]')) {
    const option = field.dataset.option;
    if (known && !known.includes(option)) continue;
    if (field.type === 'file') {
      if (field.files.length) words.push(option, fileOptionName(option, field.files[0]));
    } else if (field.type === 'checkbox') {
      if (field.checked) words.push(option);
    } else if (field.value.trim()) {
      words.push(option, field.value.trim());
    }
  }
  return words;
}

/* Files that options name stand apart from the data, whatever they are called. */
const fileOptionName = (option, file) => option.replace(/^-+/, '') + '/' + safeName(file.name).replace(/^\.\//, '');

function optionFiles() {
  return [...document.querySelectorAll('input[type=file][data-option]')].filter(field => field.files.length)
    .map(field => ({name: fileOptionName(field.dataset.option, field.files[0]), data: field.files[0]}));
}

const knownBy = command => facts.options[command].map(row => row.option);
const allFiles = () => [...chosen.files, ...optionFiles()];

/* Names of what a fit writes. */
function outputNames() {
  const stem = stemOf(chosen.main);
  return {rule: stem + '.rule.json', report: stem + '.report.html', certificate: stem + '.proof.txt'};
}

function fitWords(isProof, extra = []) {
  const names = outputNames();
  return ['fit', chosen.main, ...dataWords(), ...optionWords(), ...extra, '-o', names.rule, '--report', names.report,
    ...(isProof ? ['--prove', '--certificate', names.certificate] : [])];
}

function showCommand() {
  byId('command').textContent = commandLine(fitWords(true));
}

/* The numbers of clauses and literals that stand in the form are no wish of the user's. */
function onTune(isTuned) {
  for (const {option, value} of DAILY.slice(0, 2)) {
    const field = byId('option' + option);
    field.placeholder = isTuned ? 'tried' : '';
    field.value = isTuned ? '' : field.value || value;
  }
  showCommand();
}

function makeOptions() {
  const daily = DAILY.map(row => row.option);
  byId('daily').append(...DAILY.map(optionRow));
  byId('others').append(...facts.options.fit.filter(row => !daily.includes(row.option) && !NOT_SHOWN.includes(row.option) && row.type !== 'object').map(optionRow));
  byId('option--tune').addEventListener('change', event => onTune(event.target.checked));
  byId('options').addEventListener('input', showCommand);
  byId('options').addEventListener('change', showCommand);
}
