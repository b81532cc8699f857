/* Puts the page together: node src/web/bundle.mjs ENGINE.js ENGINE.wasm DATA OUT.html
 *
 * Style, scripts, worker, WebAssembly (gzip, base64), options and examples go into one file. The content policy names the
 * script and the style of the page by their checksums: no other script runs. */
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {examples} from './examples.mjs';

const PARTS = ['dom', 'client', 'data', 'options', 'learn', 'result', 'whatif', 'curve', 'check', 'main'];
const here = dirname(fileURLToPath(import.meta.url));
const [engineFile, wasmFile, dataFolder, target] = process.argv.slice(2).map(path => resolve(path));
const read = name => readFileSync(join(here, name), 'utf8');
const checksum = text => "'sha256-" + createHash('sha256').update(text, 'utf8').digest('base64') + "'";
const strict = /^'use strict';\n/;

const engineText = readFileSync(engineFile, 'utf8'), wasm = readFileSync(wasmFile);
const job = read('job.js');
const create = createRequire(import.meta.url)(engineFile);
const irelandJob = new Function(job + '\nreturn irelandJob;')();
const compiled = await WebAssembly.compile(wasm);

async function run(words, files = [], outputs = []) {
  const answer = await irelandJob(create, compiled, {words, files, outputs});
  if (answer.code !== 0) throw new Error(`ireland ${words.join(' ')}: ${answer.err}`);
  return answer;
}

/* The style of a report, as it stands in one. */
async function reportStyle(made) {
  const file = made.find(one => one.files.length === 1).files[0];
  const answer = await run(['fit', file.name, '-K', '1', '-M', '1', '--effort', 'quick', '--report', 'report.html'], [{name: file.name, data: new TextEncoder().encode(file.text)}], ['report.html']);
  const page = new TextDecoder().decode(answer.files['report.html']);
  return page.slice(page.indexOf('<style>') + 7, page.lastIndexOf('</style>'));
}

/* The scripts that show a result, here and in a report; the last one begins in a report. */
const renderer = readdirSync(join(here, '../report/page')).filter(name => name.endsWith('.js') && name !== 'start.js').sort().map(name => '../report/page/' + name);

const made = examples(dataFolder), options = {};
for (const command of ['fit', 'curve', 'cv']) options[command] = JSON.parse((await run(['--options-of', command])).out);
const build = JSON.parse((await run(['--version', '--json'])).out);
const facts = JSON.stringify({version: build.version, kernel: build.kernel, checksum: createHash('sha256').update(wasm).digest('hex').slice(0, 16), options, examples: made});
const worker = "'use strict';\n" + engineText + '\n' + job.replace(strict, '') + read('page/worker.js').replace(strict, '');
const app = "'use strict';\n(() => {\n" + [...renderer, ...PARTS.map(name => `page/${name}.js`)].map(name => read(name).replace(strict, '')).join('\n') + '})();\n';
const report = await reportStyle(made), style = read('page/page.css').trim();
const policy = ["default-src 'none'", "connect-src 'none'", `script-src ${checksum(app)} 'wasm-unsafe-eval' blob:`, 'worker-src blob:',
  `style-src ${checksum(style)}`, 'img-src data:', "base-uri 'none'", "form-action 'none'"].join('; ');
const parts = {policy, style, worker, wasm: gzipSync(wasm, {level: 9}).toString('base64'), facts: facts.replace(/</g, '\\u003c'), report, app};
for (const [name, text] of Object.entries(parts)) if (/<\/script|<!--/i.test(text)) throw new Error(`${name} would end its script element`);
writeFileSync(target, read('page/page.html').replace(/@(policy|style|worker|wasm|facts|report|app)@/g, (_, name) => parts[name]));
