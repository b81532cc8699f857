/* The page in a real browser, opened from disk: node browser.mjs PAGE.html MODULES CHROMIUM FOLDER [HEART.csv]
 *
 * Walks the whole way with each example and with files of the user's, by mouse and by keyboard; the console has to stay silent.
 * Prints PASS and FAIL lines for tests/shell.sh; pictures for people go to FOLDER. */
import {existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {examples} from '../../src/web/examples.mjs';

const [pageFile, modules, chromium, folder, heart] = process.argv.slice(2).map(path => path && resolve(path));
const puppeteer = createRequire(join(modules, 'x.js'))('puppeteer-core');
const saved = join(folder, 'saved'), LONG = 90000;
rmSync(folder, {recursive: true, force: true});
mkdirSync(saved, {recursive: true});

const browser = await puppeteer.launch({executablePath: chromium, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'], protocolTimeout: 2 * LONG});
const messages = [];
let page;

function report(name, isTrue, detail = '') {
  console.log(isTrue ? `PASS ${name}` : `FAIL ${name}: ${String(detail).replace(/\s+/g, ' ').slice(0, 300)}`);
}

/* A test, which throws or answers false if it fails. */
async function test(name, body) {
  try {
    const answer = await body();
    report(name, answer !== false, answer === false ? 'not so' : '');
  } catch (error) {
    report(name, false, error.message);
    await page.screenshot({path: join(folder, 'failed.png')}).catch(() => {});
  }
}

async function open(width = 1100, height = 1400, file = pageFile) {
  if (page) await page.close();
  page = await browser.newPage();
  await page.setViewport({width, height});
  page.on('console', message => messages.push(message.text()));
  page.on('pageerror', error => messages.push(error.message));
  page.on('request', request => { if (!/^(file|blob|data|about):/.test(request.url())) messages.push('request to ' + request.url()); });
  const client = await page.createCDPSession();
  await client.send('Page.setDownloadBehavior', {behavior: 'allow', downloadPath: saved});
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('html[data-ready]');
}

const textOf = id => page.$eval('#' + id, element => element.innerText);
const until = (expression, timeout = LONG) => page.waitForFunction(expression, {timeout, polling: 50});
const press = id => page.$eval('#' + id, element => element.click());
/* Parts of a report stand in a shadow, with a style of their own. */
const inside = (id, selector) => `Boolean(document.getElementById('${id}').shadowRoot && document.getElementById('${id}').shadowRoot.querySelector('${selector}'))`;
const inReport = selector => inside('report-page', selector);
const isShown = id => `!document.getElementById('${id}').hidden`;
const picture = name => page.screenshot({path: join(folder, name + '.png'), fullPage: true});

async function upload(id, ...files) {
  const input = await page.$('#' + id);
  await input.uploadFile(...files);
}

function write(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function loaded(name) {
  await until(`document.getElementById('data-summary').innerText.startsWith(${JSON.stringify(name)}) && ${isShown('rule')} && !document.getElementById('data').hasAttribute('aria-busy')`);
}

async function learnt(button) {
  await press(button);
  await until(`${isShown('live')} || ${isShown('learn-problem')}`);
  await until(`!(${isShown('live')})`);
  const problem = await page.$eval('#learn-problem', element => element.hidden ? '' : element.innerText);
  if (problem) throw new Error(problem);
  await until(isShown('result'));
}

async function fileSaved(name) {
  const path = join(saved, name);
  for (let i = 0; i < 200 && !(existsSync(path) && readFileSync(path).length); i++) await new Promise(done => setTimeout(done, 50));
  return readFileSync(path, 'utf8');
}

const button = text => page.evaluate(label => [...document.querySelectorAll('button')].find(one => one.textContent === label && !one.closest('[hidden]')).click(), text);

/* ---- the examples, end to end ---- */
await open();
await picture('start');
const all = examples('data');
for (const example of all) {
  const main = example.files[0].name;
  await test(`example ${example.name}: read`, async () => {
    await page.select('#example', example.name);
    await loaded(main);
  });
  await test(`example ${example.name}: learnt and proven`, async () => {
    await learnt('prove');
    const verdict = await textOf('verdict');
    if (!verdict.startsWith('Proven: no rule of at most 3 clauses')) throw new Error(verdict);
    await until(`document.querySelectorAll('#clauses li').length > 0 && ${inReport('#clauses tbody tr')}`);
  });
  await test(`example ${example.name}: report in the page`, async () => {
    await until(`${inReport('.curve .point')} && ${inReport('.shown dl')} && ${inReport('#methods-text')}`);
  });
}

/* ---- what can be done with a rule ---- */
await page.select('#example', all[0].name);
await loaded('patients.csv');
await learnt('prove');
await test('rule, certificate, report and code are saved', async () => {
  await button('Save the rule');
  await button('Save the certificate');
  await button('Save the report');
  await page.select('#saves select', 'python');
  const rule = JSON.parse(await fileSaved('patients.rule.json'));
  return rule.format === 'ireland-rule' && (await fileSaved('patients.proof.txt')).startsWith('ireland certificate') &&
    (await fileSaved('patients.report.html')).includes('When is') && (await fileSaved('patients.py')).includes('def predict');
});
await test('what if: a single change that the page names changes the class', async () => {
  await page.$eval('#whatif', element => { element.open = true; });
  await until(`document.querySelector('#whatif-answer button')`);
  const before = await page.$eval('#whatif-answer .verdict b', element => element.innerText);
  await press('whatif-answer button');
  await until(`document.querySelector('#whatif-answer .verdict b').innerText !== ${JSON.stringify(before)}`);
});
await test('trade-off curve: points to click on, and a rule for one', async () => {
  await page.$eval('#curve', element => { element.open = true; });
  await press('curve-make');
  await until(inside('curve-chart', '.point:nth-of-type(4)'));
  const facts = () => page.evaluate(() => document.getElementById('curve-chart').shadowRoot.querySelector('.shown').textContent), before = await facts();
  await page.evaluate(() => document.getElementById('curve-chart').shadowRoot.querySelector('.point').dispatchEvent(new MouseEvent('click', {bubbles: true})));
  if (await facts() === before) return false;
  await picture('result');
  await page.evaluate(() => document.getElementById('curve-chart').shadowRoot.querySelector('.shown button').click());
  await until(isShown('live'), 10000).catch(() => {});
  await until(`!(${isShown('live')}) && ${isShown('result')}`);
  const specificity = Number(await page.$eval('#option--min-specificity', element => element.value));
  await page.$eval('#option--min-specificity', element => { element.value = ''; });
  return specificity > 0.5;
});
await test('validation on a second file', async () => {
  await learnt('learn');
  await page.$eval('#validate', element => { element.open = true; });
  await upload('validate-file', write('patients.csv', all[0].files[0].text));
  await until(inside('validate-answer', '.measures div:nth-child(3)'));
  return page.evaluate(() => document.getElementById('validate-answer').shadowRoot.textContent.includes('320 samples'));
});
await test('cross-validation', async () => {
  await page.$eval('[id="option-K"]', element => { element.value = 1; });
  await press('cv-make');
  await until(`${inside('validate-answer', '#settings tbody tr')} || ${isShown('validate-problem')}`);
  await page.$eval('[id="option-K"]', element => { element.value = 3; });
  return page.evaluate(() => document.getElementById('validate-answer').shadowRoot.textContent.includes('balanced accuracy'));
});
await test('predictions of a file are saved', async () => {
  await page.$eval('#predict', element => { element.open = true; });
  await upload('predict-file', write('new.csv', all[0].files[0].text.replace(/,[^,\n]*$/gm, '')));
  await until(`document.querySelector('#predict-answer button')`);
  await button('Save the predictions');
  return (await fileSaved('new.predicted.tsv')).split('\n').length > 320;
});
await test('a rule and its certificate are verified', async () => {
  await upload('verify-rule', join(saved, 'patients.rule.json'));
  await upload('verify-data', join(folder, 'patients.csv'));
  await upload('verify-certificate', join(saved, 'patients.proof.txt'));
  await press('verify-run');
  await until(`document.querySelector('#verify-answer .good')`);
  return (await textOf('verify-answer')).includes('none has a smaller loss');
});
await test('a certificate of other data is refused', async () => {
  await upload('verify-data', write('other.csv', all[0].files[0].text.replace(/,no\n/, ',yes\n')));
  await press('verify-run');
  await until(isShown('verify-problem'));
  return !(await page.$('#verify-answer .good'));
});
await test('a type is changed', async () => {
  await page.select('select[aria-label="Type of age"]', 'ignore');
  await until(`document.getElementById('command').textContent.includes("--type age=ignore")`);
  await learnt('learn');
  return !(await textOf('clauses')).includes('age');
});
await test('another column, and one of its values against the rest', async () => {
  await page.select('#target', 'activity');
  await until(isShown('data-problem'));
  await page.select('#positive', 'low');
  await until(`${isShown('rule')} && document.getElementById('data-summary').innerText.includes('activity = low')`);
  await picture('other-target');
});

/* ---- files of the user's ---- */
const vcf = all.find(one => one.files.length === 2);
await test('a VCF with phenotypes', async () => {
  await upload('choose', ...vcf.files.map(file => write(file.name, file.text)));
  await loaded('study.vcf');
  await learnt('prove');
  await page.$eval('#whatif', element => { element.open = true; });
  await until(`document.querySelector('#whatif-answer .verdict')`);
  await picture('vcf');
  return (await textOf('clauses')).includes('rs');
});
if (heart && existsSync(heart)) {
  await test('heart: the whole way', async () => {
    await upload('choose', heart);
    await loaded('heart');
    await learnt('prove');
    await until(inReport('.shown dl'));
    await picture('heart');
    return (await textOf('verdict')).startsWith('Proven');
  });
}
await test('a pasted table', async () => {
  await press('paste-open');
  await page.type('#paste-text', 'age,smoker,ill\n61,yes,1\n48,no,0\n70,yes,1\n33,no,0\n58,no,1\n41,yes,0');
  await press('paste-use');
  await loaded('pasted.csv');
});
const bad = {'words.csv': ['this is not a table', /words\.csv/], 'empty.csv': ['', /empty\.csv/], 'one.csv': ['a,y\n1,1\n0,1\n', /one\.csv/], 'ragged.csv': ['a,b,y\n1,2,0\n1,1\n', /ragged\.csv:3/],
  'rubbish.irb': ['IRB?', /rubbish\.irb/], 'image.png': ['PNG', /names end in/]};
for (const [name, [content, wanted]] of Object.entries(bad)) {
  await test(`bad file ${name}: a sentence, and what was there stays`, async () => {
    await upload('choose', write(name, content));
    await until(`${isShown('data-problem')} && !document.getElementById('data').hasAttribute('aria-busy')`);
    const sentence = await textOf('data-problem');
    if (!wanted.test(sentence)) throw new Error(sentence);
    await page.select('#example', '');
    await page.select('#example', all[2].name);
    await loaded('monks1.csv');
  });
}
await test('a file of 2 GB: the command to run instead', async () => {
  const large = write('large.csv', 'a,y\n');
  truncateSync(large, 2 * 2 ** 30);
  await upload('choose', large);
  await until(isShown('data-problem'));
  rmSync(large);
  const sentence = await textOf('data-problem');
  if (!/large\.csv has 2\.1 GB.*ireland fit large\.csv/.test(sentence)) throw new Error(sentence);
  return (await textOf('data-summary')).startsWith('monks1.csv');
});
await test('a rule of another schema', async () => {
  await upload('choose', write('future.json', '{"format": "ireland-rule", "version": 99}'));
  await press('verify-use');
  await until(isShown('verify-problem'));
  return /version|99/.test(await textOf('verify-problem'));
});

/* ---- Stop ---- */
await test('Stop keeps the best rule, with its bound and a report', async () => {
  let state = 5;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const rows = Array.from({length: 500}, () => Array.from({length: 201}, () => random() < 0.5 ? 1 : 0).join(','));
  await upload('choose', write('noise.csv', [[...Array.from({length: 200}, (_, i) => 'x' + i), 'y'].join(','), ...rows].join('\n') + '\n'));
  await loaded('noise.csv');
  await page.$eval('[id="option-K"]', element => { element.value = 6; });
  await page.$eval('[id="option-M"]', element => { element.value = 5; });
  await press('prove');
  await until(`document.querySelectorAll('#live-rule li').length > 0 && document.getElementById('live-bound').innerText !== '–'`);
  await new Promise(done => setTimeout(done, 1500));
  await picture('live');
  await press('stop');
  await until(`!(${isShown('live')}) && ${isShown('result')}`);
  const verdict = await textOf('verdict');
  if (!/^Stopped: the best rule so far.*No rule of at most 6 clauses/s.test(verdict)) throw new Error(verdict);
  return !(await page.$eval('#report', element => element.hidden));
});

await test('an AND of ORs', async () => {
  await page.select('#example', all[0].name);
  await loaded('patients.csv');
  await page.$eval('[id="option-K"]', element => { element.value = 2; });
  await page.$eval('[id="option-M"]', element => { element.value = 2; });
  await page.$eval('#option--cnf', element => { element.checked = true; });
  await learnt('learn');
  await page.$eval('#whatif', element => { element.open = true; });
  await until(`document.querySelector('#whatif-answer .verdict')`);
  return (await textOf('clauses')).includes(' or ') && /no CNF of at most 2 clauses|Found, not proven/i.test(await textOf('verdict'));
});

/* ---- no connection ---- */
const silent = messages.splice(0);
await test('no message on the console, no request', () => {
  if (silent.length) throw new Error(silent.join(' | '));
});
await test('a connection is refused: fetch, beacon, image, worker', () => page.evaluate(async () => {
  const isRefused = await fetch('https://example.org/').then(() => false, () => true);
  const image = await new Promise(done => {
    const one = new Image();
    one.onerror = () => done(true);
    one.onload = () => done(false);
    one.src = 'https://example.org/a.png';
  });
  let socket = true;
  try {
    socket = await new Promise(done => {
      const one = new WebSocket('wss://example.org/');
      one.onerror = () => done(true);
      one.onopen = () => done(false);
    });
  } catch { /* refused at once */ }
  return isRefused && image && socket;
}));
messages.splice(0);

/* ---- an engine that cannot wait for promises ---- */
await test('Stop without JSPI keeps the last rule, and measures it', async () => {
  const text = readFileSync(pageFile, 'utf8'), other = text.replace('CAN_PAUSE = Boolean(WebAssembly.Suspending)', 'CAN_PAUSE = false');
  if (other === text) return false;
  await open(1100, 1400, write('plain.html', other));
  await upload('choose', join(folder, 'noise.csv'));
  await loaded('noise.csv');
  await page.$eval('[id="option-K"]', element => { element.value = 6; });
  await page.$eval('[id="option-M"]', element => { element.value = 5; });
  await press('prove');
  await until(`document.querySelectorAll('#live-rule li').length > 0`);
  await press('stop');
  await until(`!(${isShown('live')}) && ${isShown('result')}`);
  await button('Save the rule');
  return (await textOf('verdict')).startsWith('Stopped: the best rule so far.') && JSON.parse(await fileSaved('noise.rule.json')).clauses.length > 0;
});

/* ---- keyboard only ---- */
await test('keyboard only: example, learn, result', async () => {
  await open();
  const reach = async id => {
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement.id) === id) return;
    }
    throw new Error(`${id} is not reached by Tab`);
  };
  await reach('choose');
  await reach('paste-open');
  await reach('example');
  await page.keyboard.type('mon');
  await page.keyboard.press('Tab');
  await loaded('monks1.csv');
  await reach('learn');
  await page.keyboard.press('Enter');
  await until(isShown('result'));
  await until(`document.activeElement.id === 'result'`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
});
await test('every field has a name for screen readers', async () => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll('input, select, textarea, button, iframe')]
    .filter(one => !one.closest('[hidden]') && !(one.labels && one.labels.length) && !one.getAttribute('aria-label') && !one.title && !one.textContent.trim()).map(one => one.outerHTML.slice(0, 80)));
  if (nameless.length) throw new Error(nameless.join(' '));
});

/* ---- other looks ---- */
await test('narrow screen: nothing sticks out', async () => {
  await open(360, 740);
  await page.select('#example', all[0].name);
  await loaded('patients.csv');
  await learnt('prove');
  for (const id of ['whatif', 'report', 'more']) await page.$eval('#' + id, element => { element.open = true; });
  await until(`document.querySelector('#whatif-answer .verdict')`);
  await picture('narrow');
  const [scroll, width] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  if (scroll > width) throw new Error(`${scroll} pixels on a screen of ${width}`);
});
await test('dark', async () => {
  await page.setViewport({width: 1100, height: 1400});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}]);
  await picture('dark');
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 29)');
});
await test('print', async () => {
  const pdf = await page.pdf({path: join(folder, 'print.pdf'), format: 'A4'});
  return pdf.length > 10000;
});
await test('no message on the console in the other looks', () => {
  if (messages.length) throw new Error(messages.join(' | '));
});
await browser.close();
