/* The engine in WebAssembly against the native program: node same.mjs IRELAND ENGINE.js DATA FOLDER [SEED]
 *
 * Every command line is run by both on the same files; exit codes, standard output, errors and all files that are written have to be
 * the same bytes, but for the line of a JSON that tells the time. Prints PASS or FAIL lines for tests/shell.sh. */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const [program, engineFile, dataFolder, folder] = process.argv.slice(2, 6).map(path => resolve(path));
const seed = Number(process.argv[6] || Date.now() % 1000000);
const source = join(dirname(fileURLToPath(import.meta.url)), '../../src/web/job.js');
const irelandJob = new Function(readFileSync(source, 'utf8') + '\nreturn irelandJob;')();
const create = createRequire(import.meta.url)(engineFile);
const compiled = await WebAssembly.compile(readFileSync(engineFile.replace(/js$/, 'wasm')));
const WRITERS = ['-o', '--report', '--certificate', '--csv', '--svg', '--save-pool'];
let state = seed >>> 0;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
const pick = list => list[Math.floor(random() * list.length)];

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
console.log(`# seed ${seed}`);

/* What may differ: times, memory and the kernel's name. */
const DAMAGED = /^[^:]+: .*(damaged|cut off|follows|twice)/; /* in the words of zlib's caller, or of job.js */
const timeless = text => text.replace(/^ {2}"run": .*$/m, '').replace(/^.*the best rule was there after.*\n/m, '').replace(/ +[0-9.]+s$/gm, '').replace(/^.* s, .* MB, .*\n/gm, '');

async function compare(name, words, inputs) {
  const outputs = words.filter((_, i) => WRITERS.includes(words[i - 1]));
  if (words[0] === 'convert') outputs.push(words[2]);
  const files = inputs.map(path => ({name: basename(path), data: new Uint8Array(readFileSync(join(folder, path)))}));
  const ours = await irelandJob(create, compiled, {words, files, outputs});
  const native = spawnSync(program, words, {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, env: {...process.env, OMP_WAIT_POLICY: 'passive'}});
  const differing = [];
  if (native.status !== ours.code) differing.push(`code ${native.status} is ${ours.code}`);
  if (timeless(native.stdout) !== timeless(ours.out)) differing.push('standard output');
  const isDamaged = [native.stderr, ours.err].every(text => DAMAGED.test(text));
  if (native.status && !isDamaged && timeless(native.stderr) !== timeless(ours.err)) differing.push(`error ${native.stderr.trim().split('\n').pop()} is ${ours.err.trim().split('\n').pop()}`);
  for (const output of outputs) {
    const path = join(folder, output), isThere = existsSync(path);
    if (isThere !== Boolean(ours.files[output])) differing.push(`${output}: only one wrote it`);
    else if (isThere && Buffer.compare(readFileSync(path), Buffer.from(ours.files[output]))) differing.push(output);
  }
  console.log(differing.length ? `FAIL ${name}: ireland ${words.join(' ')}: ${differing.join(', ')}` : `PASS ${name}`);
  return !differing.length;
}

/* A table with numbers, categories, missing values and a label. */
function writeTable(file, rows, columns) {
  const kinds = Array.from({length: columns}, () => pick(['number', 'word', 'bit', 'small']));
  const lines = [[...kinds.map((kind, j) => kind + j), 'y'].join(',')];
  for (let i = 0; i < rows; i++) {
    const values = kinds.map(kind => random() < 0.04 ? '' : kind === 'number' ? (100 * random()).toFixed(2) : kind === 'word' ? pick(['red', 'green', 'blue, dark']) : kind === 'bit' ? pick([0, 1]) : Math.floor(5 * random()));
    const score = values.reduce((sum, value, j) => sum + (j % 3 === 0 && value !== '' && (Number(value) > 1 || value === 'red') ? 1 : 0), 0);
    lines.push([...values.map(value => String(value).includes(',') ? `"${value}"` : value), random() < 0.1 ? pick([0, 1]) : score > columns / 6 ? 1 : 0].join(','));
  }
  writeFileSync(join(folder, file), lines.join('\n') + '\n');
}

const bring = file => writeFileSync(join(folder, file), readFileSync(join(dataFolder, file)));

/* ---- the tables of data/ ---- */
for (const file of readdirSync(dataFolder).filter(name => name.endsWith('.csv'))) {
  bring(file);
  const stem = file.replace('.csv', ''), rule = stem + '.rule.json', proof = stem + '.txt';
  await compare(`fit and prove ${file}`, ['fit', file, '-K', '2', '-M', '2', '--prove', '-o', rule, '--report', stem + '.html', '--certificate', proof, '--json'], [file]);
  await compare(`verify ${file}`, ['verify', rule, file, '--certificate', proof], [file, rule, proof]);
  await compare(`predict ${file}`, ['predict', rule, file, '--explain', '--json'], [file, rule]);
  await compare(`evaluate ${file}`, ['evaluate', rule, file, '--json'], [file, rule]);
}
await compare('fit as text', ['fit', 'tic_tac_toe.csv', '--quiet'], ['tic_tac_toe.csv']);
await compare('curve', ['curve', 'monks1.csv', '--json', '-K', '2', '-M', '2', '--quiet', '--csv', 'curve.csv', '--svg', 'curve.svg'], ['monks1.csv']);
await compare('cv', ['cv', 'monks3.csv', '-K', '1..2', '-M', '1..2', '--penalty', '0', '--folds', '3', '--json', '--quiet'], ['monks3.csv']);
await compare('fit with a choice', ['fit', 'monks3.csv', '--tune', '-K', '1..2', '-M', '1..2', '--penalty', '0', '--json', '--quiet'], ['monks3.csv']);
for (const to of ['c', 'python', 'sql', 'r', 'javascript', 'text']) await compare(`export to ${to}`, ['export', 'monks3.rule.json', '--to', to], ['monks3.rule.json']);

/* ---- random tables and options ---- */
const MIXES = [['--prove'], ['--negations'], ['--cnf', '--prove'], ['--weights', 'unit'], ['--penalty', '0.01', '--prove'], ['--loss', 'hamming', '--prove'], ['--min-sensitivity', '0.8'],
  ['--test', '0.3'], ['--missing', 'impute'], ['--cuts', 'quantile:4', '--prove'], ['--max-literals', '4', '--prove'], ['--equivalent', '0.05'], ['--all-optimal', '5', '--prove'], ['--permutations', '2', '--effort', 'quick'],
  ['--method', 'bp4', '--work-limit', '20000000'], ['--work-limit', '3000000', '--prove']];
for (let i = 0; i < 16; i++) {
  const file = `random${i}.csv`, K = pick([1, 2, 3]), M = pick([1, 2, 3]);
  writeTable(file, 60 + Math.floor(120 * random()), 4 + Math.floor(8 * random()));
  await compare(`random table ${i}`, ['fit', file, '-K', String(K), '-M', String(M), ...MIXES[i % MIXES.length], '-o', `random${i}.json`, '--report', `random${i}.html`, '--json', '--quiet'], [file]);
}

/* ---- formats, compression, mistakes ---- */
writeFileSync(join(folder, 'a.csv.gz'), gzipSync(readFileSync(join(folder, 'random0.csv'))));
for (const level of [1, 6, 9]) writeFileSync(join(folder, `level${level}.csv.gz`), gzipSync(readFileSync(join(folder, 'tic_tac_toe.csv')), {level}));
const whole = readFileSync(join(folder, 'level6.csv.gz')), stored = gzipSync(readFileSync(join(folder, 'monks1.csv')), {level: 0});
writeFileSync(join(folder, 'stored.csv.gz'), stored);
const text = readFileSync(join(folder, 'monks1.csv')), half = text.indexOf(10, 7000) + 1;
writeFileSync(join(folder, 'members.csv.gz'), Buffer.concat([gzipSync(text.subarray(0, half)), gzipSync(text.subarray(half)), Buffer.alloc(300)]));
writeFileSync(join(folder, 'cut.csv.gz'), whole.subarray(0, whole.length - 100));
writeFileSync(join(folder, 'twice.csv.gz'), gzipSync(whole));
writeFileSync(join(folder, 'behind.csv.gz'), Buffer.concat([whole, Buffer.from('x')]));
for (const file of ['a.csv.gz', 'level1.csv.gz', 'level6.csv.gz', 'level9.csv.gz', 'stored.csv.gz', 'members.csv.gz', 'cut.csv.gz', 'behind.csv.gz', 'twice.csv.gz'])
  await compare(`compressed: ${file}`, ['info', file, '--json'], [file]);
for (let i = 0; i < 12; i++) {
  const bytes = Buffer.from(pick([whole, stored])), at = 10 + Math.floor((bytes.length - 10) * random());
  bytes[at] ^= 1 << Math.floor(8 * random());
  writeFileSync(join(folder, `damaged${i}.csv.gz`), bytes);
  await compare(`damaged at byte ${at}`, ['info', `damaged${i}.csv.gz`], [`damaged${i}.csv.gz`]);
}
for (const to of ['irb', 'tsv', 'csv']) await compare(`convert to ${to}`, ['convert', 'random1.csv', 'converted.' + to, '--quiet'], ['random1.csv']);
await compare('convert to svm', ['convert', 'monks1.csv', 'converted.svm', '--quiet'], ['monks1.csv']);
await compare('read .irb', ['fit', 'converted.irb', '--json', '--quiet'], ['converted.irb']);
await compare('read .svm', ['fit', 'converted.svm', '--json', '--quiet'], ['converted.svm']);
writeFileSync(join(folder, 'toy.arff'), '@relation toy\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {0,1}\n@data\n1,x,0\n2,y,1\n3,x,1\n0.5,y,0\n');
await compare('read .arff', ['fit', 'toy.arff', '--json', '--quiet'], ['toy.arff']);
const BAD = {'not.csv': 'this is not a table', 'empty.csv': '', 'one_class.csv': 'a,y\n1,1\n0,1\n', 'three.csv': 'a,y\n1,0\n2,1\n3,2\n', 'ragged.csv': 'a,b,y\n1,2,0\n1,1\n', 'bytes.irb': 'IRB?', 'bad.vcf': '##fileformat=VCFv4.2\nrubbish\n',
  'schema.json': '{"format": "ireland-rule", "version": 99}', 'cut.json': '{"format": "ireland-rule", "ver'};
for (const [file, content] of Object.entries(BAD)) {
  writeFileSync(join(folder, file), content);
  if (file.endsWith('.json')) await compare(`bad: ${file}`, ['evaluate', file, 'monks1.csv'], [file, 'monks1.csv']);
  else await compare(`bad: ${file}`, ['fit', file, '--quiet'], [file]);
}
await compare('bad: a certificate of other data', ['verify', 'monks1.rule.json', 'monks2.csv', '--certificate', 'monks1.txt'], ['monks1.rule.json', 'monks2.csv', 'monks1.txt']);
await compare('bad: an option', ['fit', 'monks1.csv', '-K', '0'], ['monks1.csv']);
for (const file of process.argv.slice(7)) {
  const name = basename(file);
  writeFileSync(join(folder, name), readFileSync(file));
  if (/\.(vcf|vcf\.gz)$/.test(name)) await compare(`genotypes of ${name}`, ['fit', name, '--pheno', 'g.pheno', '-K', '2', '-M', '2', '-o', name + '.json', '--report', name + '.html', '--json', '--quiet', '--prove'], [name, 'g.pheno']);
  else if (name.endsWith('.csv')) await compare(`fit and prove ${name}`, ['fit', name, '-K', '3', '-M', '3', '--prove', '-o', name + '.json', '--report', name + '.html', '--certificate', name + '.txt', '--json'], [name]);
}
