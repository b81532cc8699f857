/* The folder of the npm package: node pack.mjs ENGINE.js ENGINE.wasm OUT VERSION */
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url)), top = join(here, '../../..');
const [engine, wasm, out, version] = process.argv.slice(2);
const license = /MIT/.test(readFileSync(join(top, 'LICENSE'), 'utf8')) ? 'MIT' : 'SEE LICENSE IN LICENSE';
mkdirSync(out, {recursive: true});
for (const name of ['ireland.mjs', 'ireland.d.ts', 'README.md']) copyFileSync(join(here, name), join(out, name));
copyFileSync(join(top, 'LICENSE'), join(out, 'LICENSE'));
writeFileSync(join(out, 'package.json'), readFileSync(join(here, 'package.json.in'), 'utf8').replace('@version@', version).replace('@license@', license));
writeFileSync(join(out, 'engine.mjs'), readFileSync(engine, 'utf8') + '\n' + readFileSync(join(here, '../job.js'), 'utf8').replace(/^'use strict';\n/, '') + '\nexport {createIreland, irelandJob};\n');
writeFileSync(join(out, 'wasm.mjs'), `export const version = '${version}';\nexport const packed = '${gzipSync(readFileSync(wasm), {level: 9}).toString('base64')}';\n`);
