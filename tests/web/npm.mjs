/* The package as npm has installed it: node npm.mjs FOLDER_WITH_NODE_MODULES DATA. Prints PASS and FAIL lines. */
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, data] = process.argv.slice(2).map(path => resolve(path));
const installed = join(folder, 'node_modules/ireland-rules');
const description = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const ireland = await import(pathToFileURL(join(installed, description.exports['.'].default)).href);
const table = readFileSync(join(data, 'monks1.csv'), 'utf8');

async function test(name, body) {
  try {
    const answer = await body();
    console.log(answer === false ? `FAIL ${name}: not so` : `PASS ${name}`);
  } catch (error) {
    console.log(`FAIL ${name}: ${error.message}`);
  }
}
const fails = async (body, pattern) => body().then(() => false, error => error instanceof ireland.IrelandError && pattern.test(error.message));

let found;
await test('it is found by its name', () => createRequire(join(folder, 'x.js')).resolve('ireland-rules').endsWith('ireland.mjs'));
await test('fit', async () => {
  const rules = [];
  found = await ireland.fit(table, {K: 3, M: 2, prove: true, onRule: one => { rules.push(one.objective); }});
  return found.status === 'optimal' && found.objective === 18 && found.rule.clauses.length === 3 && rules.length > 0 && found.certificate.startsWith('ireland certificate') && found.report.includes('<!DOCTYPE html>');
});
await test('predict', async () => {
  const verdicts = await ireland.predict(found, table);
  return verdicts.length === 432 && verdicts.filter(one => one.predicted === '1').length === 180;
});
await test('evaluate', async () => (await ireland.evaluate(found.rule, table)).confusion.tp === 180);
await test('verify', async () => (await ireland.verify(found, table, found.certificate)).status === 'valid');
await test('a certificate of other data', () => fails(() => ireland.verify(found, readFileSync(join(data, 'monks2.csv'), 'utf8'), found.certificate), /./));
await test('objects as rows', async () => {
  const rows = Array.from({length: 60}, (_, i) => ({age: 20 + i * 7 % 40, city: i % 3 ? 'a' : 'b, c', empty: null, ill: i * 7 % 40 > 24}));
  return (await ireland.fit(rows, {K: 1, M: 2})).objective === 0;
});
await test('a progress hook ends it', async () => {
  const rows = Array.from({length: 300}, (_, i) => Object.fromEntries([...Array.from({length: 120}, (_, j) => ['x' + j, (Math.imul(i + 1, 7919) ^ Math.imul(j + 3, 104729) * (i + 7)) >>> 3 & 1]), ['y', Math.imul(i + 5, 2654435761) >>> 9 & 1]]));
  const answer = await ireland.fit(rows, {K: 6, M: 5, prove: true, onProgress: progress => progress.objective === progress.objective});
  return answer.status === 'interrupted' && answer.rule !== null;
});
await test('bad input is a sentence with its place', () => fails(() => ireland.fit({name: 'ragged.csv', data: 'a,b,y\n1,2,0\n1,1\n'}), /^ragged\.csv:3/));
await test('an unknown option', () => fails(() => ireland.fit(table, {maxLiteral: 3}), /--max-literals/));
await test('any command line', async () => (await ireland.run(['--version'])).out === `ireland ${ireland.version}\n`);
