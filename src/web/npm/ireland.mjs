/* ireland for Node and bundlers: the program in WebAssembly, one instance for each call. README.md shows its use. */
import {createIreland, irelandJob} from './engine.mjs';
import {packed, version} from './wasm.mjs';

export {version};

/* What the program refused, in its own sentence; `code` is its exit code: 2 usage, 3 bad input, 4 no solution. */
export class IrelandError extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'IrelandError';
    this.code = code;
  }
}

let compiled = null;

async function compile() {
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/* Any command line of the program, without its name. `files` are {name, data} with bytes or text. */
export async function run(words, {files = [], outputs = [], onProgress, onRule} = {}) {
  compiled = compiled || compile();
  const encoder = new TextEncoder();
  const given = files.map(file => ({name: file.name, data: typeof file.data === 'string' ? encoder.encode(file.data) : new Uint8Array(file.data)}));
  return irelandJob(createIreland, await compiled, {words: words.map(String), files: given, outputs}, {onProgress, onRule});
}

const cell = value => {
  const text = value === null || value === undefined || Number.isNaN(value) ? '' : typeof value === 'boolean' ? String(Number(value)) : String(value);
  return /[",\n\r]|^\s|\s$/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
};

/* A table as a file: the text of a CSV, {name, data}, or an array of objects, one for each sample. */
function fileOf(table) {
  if (typeof table === 'string') return {name: 'data.csv', data: table};
  if (table && typeof table.name === 'string' && table.data !== undefined) return table;
  if (!Array.isArray(table) || !table.length) throw new IrelandError('data: an array of objects, the text of a CSV, or {name, data} is wanted', 2);
  const columns = Object.keys(table[0]);
  return {name: 'data.csv', data: [columns, ...table.map(row => columns.map(column => row[column]))].map(row => row.map(cell).join(',')).join('\n') + '\n'};
}

/* {maxLiterals: 4, negations: true} is --max-literals 4 --negations; K is -K. */
function wordsOf(options) {
  const words = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false || typeof value === 'function') continue;
    words.push(name.length === 1 ? '-' + name : '--' + name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase()));
    if (value !== true) words.push(String(value));
  }
  return words;
}

function check(answer) {
  if (answer.code === 0 || (answer.code === 4 && answer.out)) return answer;
  const lines = answer.err.trim().split('\n');
  throw new IrelandError(lines[lines.length - 1].replace(/^ireland: /, '') || `exit code ${answer.code}`, answer.code);
}

const ruleFile = rule => ({name: 'rule.json', data: typeof rule === 'string' ? rule : JSON.stringify(rule.rule && rule.rule.format ? rule.rule : rule)});
const text = bytes => bytes && new TextDecoder().decode(bytes);

/* Learns a rule. Beside the program's options: onProgress and onRule, whose true answer ends the search with the best rule so far. */
export async function fit(table, options = {}) {
  const {onProgress, onRule, prove, ...others} = options, file = fileOf(table);
  const words = ['fit', file.name, ...wordsOf(others), '--json', '--quiet', '-o', 'ireland.rule', '--report', 'ireland.html', ...(prove ? ['--prove', '--certificate', 'ireland.proof'] : [])];
  const answer = check(await run(words, {files: [file], outputs: ['ireland.rule', 'ireland.html', 'ireland.proof'], onProgress, onRule}));
  const rule = text(answer.files['ireland.rule']);
  return {...JSON.parse(answer.out), rule: rule ? JSON.parse(rule) : null, certificate: text(answer.files['ireland.proof']) || null, report: text(answer.files['ireland.html']) || null};
}

/* The class of each sample, and why. */
export async function predict(rule, table, options = {}) {
  const file = fileOf(table);
  return JSON.parse(check(await run(['predict', 'rule.json', file.name, '--explain', '--json', ...wordsOf(options)], {files: [ruleFile(rule), file]})).out);
}

/* Confusion counts and measures. */
export async function evaluate(rule, table, options = {}) {
  const file = fileOf(table);
  return JSON.parse(check(await run(['evaluate', 'rule.json', file.name, '--json', ...wordsOf(options)], {files: [ruleFile(rule), file]})).out);
}

/* Checks a certificate, which fit with `prove` has made; an IrelandError if it does not hold. */
export async function verify(rule, table, certificate, options = {}) {
  const file = fileOf(table), words = ['verify', 'rule.json', file.name, '--certificate', 'proof.txt', '--json', ...wordsOf(options)];
  return JSON.parse(check(await run(words, {files: [ruleFile(rule), file, {name: 'proof.txt', data: certificate}]})).out);
}
