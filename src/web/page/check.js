'use strict';
/* A rule on other data: validation, cross-validation, prediction; and the check of a rule and a certificate that somebody sent. */

const OTHER = 'other/'; /* a second file may have the name of the first */
let checkJob = null, cvJob = null;

const ruleFile = () => ({name: shown.names.rule, data: shown.files[shown.names.rule].slice()});

/* Words for another file that is read for a rule: what the rule says stands in it. */
function companionWords(files) {
  return files.flatMap(file => PHENOTYPES.test(file.name) ? ['--pheno', file.name] : COVARIATES.test(file.name) ? ['--covar', file.name] : []);
}

function refuseLarge(problem, file) {
  if (file.size <= LARGEST) return false;
  complain(problem, `${file.name} has ${megabytes(file.size)}, more than this page can hold. The program on your machine reads it: ${commandLine(['predict', shown ? shown.names.rule : 'rule.json', file.name, '--explain'])}`);
  return true;
}

async function validate(file) {
  const problem = byId('validate-problem');
  complain(problem, '');
  if (refuseLarge(problem, file)) return;
  const name = OTHER + safeName(file.name).replace(/^\.\//, '');
  const answer = await engine.run({words: ['evaluate', shown.names.rule, name, '--json'], files: [ruleFile(), {name, data: file}]});
  if (answer.code) return complain(problem, reasonOf(answer).replace(OTHER, ''));
  const measured = JSON.parse(answer.out);
  showInside('validate-answer', p(`${file.name}: ${measured.samples} samples, ${measured.cases} cases, ${measured.controls} controls.`), measuresOf(figuresOf(measured)), clauseRows(measured.clauses));
}

async function crossValidate() {
  const problem = byId('validate-problem');
  complain(problem, '');
  byId('validate-state').textContent = 'Computing …';
  show(byId('cv-stop'));
  byId('cv-make').disabled = true;
  const known = knownBy('cv').filter(option => !['-K', '-M', '--penalty'].includes(option)); /* those of the rule: the engine tries its own */
  cvJob = engine.start({words: ['cv', chosen.main, ...dataWords(), ...optionWords(known), '--json'], files: allFiles()},
    {onProgress: progress => { byId('validate-state').textContent = `Computing: ${progress.part}, ${seconds(progress.seconds)}`; }});
  const answer = await cvJob.answer;
  cvJob = null;
  show(byId('cv-stop'), false);
  byId('cv-make').disabled = false;
  byId('validate-state').textContent = '';
  if (!answer.out) return complain(problem, answer.isStopped ? 'Stopped before a fold was ended.' : reasonOf(answer));
  const result = {cv: JSON.parse(answer.out), page: {}};
  showInside('validate-answer', cvSections(result));
}

async function predictFile(file) {
  const problem = byId('predict-problem');
  complain(problem, '');
  if (refuseLarge(problem, file)) return;
  const name = OTHER + safeName(file.name).replace(/^\.\//, '');
  const answer = await engine.run({words: ['predict', shown.names.rule, name, '--explain'], files: [ruleFile(), {name, data: file}]});
  if (answer.code) return complain(problem, reasonOf(answer).replace(OTHER, ''));
  const lines = answer.out.split('\n').filter(Boolean), saved = stemOf(file.name) + '.predicted.tsv';
  const rows = lines.slice(0, 9).map(line => line.split('\t'));
  byId('predict-answer').replaceChildren(make('p', {}, `${lines.length - 1} samples. `, make('button', {type: 'button', className: 'primary', textContent: 'Save the predictions', on: {click: () => download(saved, answer.out, 'text/tab-separated-values')}})),
    make('div', {className: 'wide'}, make('table', {}, make('thead', {}, make('tr', {}, ...rows[0].map(cell => make('th', {scope: 'col', className: 'text', textContent: cell})))),
      make('tbody', {}, ...rows.slice(1).map(row => make('tr', {}, ...row.map(cell => make('td', {className: 'text', textContent: cell}))))))));
}

/* ---- a rule that somebody sent ---- */

const sent = {rule: null};

function receiveRule(file) {
  sent.rule = file;
  byId('verify-rule').value = '';
  complain(byId('verify-problem'), '');
  byId('verify-answer').replaceChildren(make('p', {textContent: `${file.name} is taken as the rule. Choose the data, and the certificate to check it.`}));
  byId('verify').scrollIntoView({block: 'start'});
  byId('verify').focus({preventScroll: true});
}

/* The files of the check; null, with a sentence, if one is missing. The data in step 1 stand in for those that are not chosen. */
function sentFiles(needsCertificate) {
  const problem = byId('verify-problem');
  const rule = byId('verify-rule').files[0] || sent.rule, data = byId('verify-data').files[0], certificate = byId('verify-certificate').files[0];
  const missing = !rule ? 'the rule (.json)' : !data && !chosen.main ? 'the data' : needsCertificate && !certificate ? 'the certificate' : '';
  complain(problem, missing ? `Choose ${missing} first.` : '');
  const large = [rule, data, certificate].find(file => file && file.size > LARGEST);
  if (missing || (large && refuseLarge(problem, large))) return null;
  const files = [{name: 'sent/' + safeName(rule.name).replace(/^\.\//, ''), data: rule}];
  if (certificate) files.push({name: 'proof/' + safeName(certificate.name).replace(/^\.\//, ''), data: certificate});
  const name = data ? OTHER + safeName(data.name).replace(/^\.\//, '') : chosen.main;
  return {files: [...files, ...(data ? [{name, data}] : allFiles())], rule: files[0].name, certificate: certificate ? files[1].name : '', data: name, isOwn: !data};
}

const plainly = text => text.replace(/\b(sent|proof|other)\//g, '');

async function runCheck(words, files) {
  checkJob = engine.start({words, files}, {onProgress: () => {}});
  show(byId('verify-stop'));
  byId('verify-run').disabled = byId('verify-use').disabled = true;
  byId('verify-answer').replaceChildren(make('p', {textContent: 'Checking …'}));
  const answer = await checkJob.answer;
  checkJob = null;
  show(byId('verify-stop'), false);
  byId('verify-run').disabled = byId('verify-use').disabled = false;
  byId('verify-answer').replaceChildren();
  return answer;
}

async function verify() {
  const given = sentFiles(true);
  if (!given) return;
  const own = given.isOwn ? dataWords().filter((word, i, all) => !['--target', '--positive', '--vs-rest'].includes(word) && !['--target', '--positive', '--vs-rest'].includes(all[i - 1])) : [];
  const answer = await runCheck(['verify', given.rule, given.data, '--certificate', given.certificate, ...own], given.files);
  const place = byId('verify-answer'), isValid = answer.code === 0 && answer.out.startsWith('valid');
  if (isValid) place.replaceChildren(make('p', {className: 'verdict'}, make('span', {className: 'good', textContent: 'The certificate is valid: '}), answer.out.replace(/^valid: /, '').trim()));
  else if (answer.isStopped) complain(byId('verify-problem'), 'Stopped: nothing is known yet.');
  else complain(byId('verify-problem'), plainly(answer.out.trim() ? answer.out.trim() : reasonOf(answer)));
}

async function useSent() {
  const given = sentFiles(false);
  if (!given) return;
  const answer = await runCheck(['evaluate', given.rule, given.data, '--json', ...(given.isOwn ? companionWords(chosen.files) : [])], given.files);
  if (answer.code) return complain(byId('verify-problem'), plainly(reasonOf(answer)));
  const measured = JSON.parse(answer.out), inside = make('div', {id: 'verify-figures'});
  byId('verify-answer').replaceChildren(make('ol', {className: 'clauses'}, ...clauseItems(measured.clauses.map(row => row.clause), false)), inside);
  showInside('verify-figures', measuresOf(figuresOf(measured)));
}

function watchChecks() {
  const watchFile = (id, use) => byId(id).addEventListener('change', event => {
    if (event.target.files[0]) use(event.target.files[0]);
    event.target.value = '';
  });
  watchFile('validate-file', validate);
  watchFile('predict-file', predictFile);
  byId('cv-make').addEventListener('click', crossValidate);
  byId('cv-stop').addEventListener('click', () => cvJob && cvJob.stop());
  byId('verify-run').addEventListener('click', verify);
  byId('verify-use').addEventListener('click', useSent);
  byId('verify-stop').addEventListener('click', () => checkJob && checkJob.stop());
}
