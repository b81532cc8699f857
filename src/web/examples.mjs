/* The built-in examples: tables of data/, and two that are made up here, the same each time: patients with numbers, categories
 * and missing values, and genotypes with phenotypes. */
import {readFileSync} from 'node:fs';

/* Numbers of [0, 1), the same everywhere: a linear congruential generator with 32 bits. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function patients() {
  const random = generator(2026), pick = list => list[Math.floor(random() * list.length)];
  const rows = ['age,sex,smoker,systolic,glucose,bmi,activity,readmitted'];
  for (let i = 0; i < 320; i++) {
    const age = 30 + Math.floor(random() * 55), sex = pick(['female', 'male']), smoker = random() < 0.3 ? 'yes' : 'no';
    const systolic = Math.round(105 + 0.4 * age + 45 * random()), glucose = Math.round(75 + 110 * random() * random()) + (random() < 0.15 ? 60 : 0);
    const bmi = (19 + 16 * random()).toFixed(1), activity = pick(['low', 'medium', 'high']);
    const isIll = (age > 60 && smoker === 'yes') || (glucose > 140 && activity === 'low') || (systolic > 165 && age > 70);
    const label = random() < 0.05 ? !isIll : isIll;
    rows.push([age, sex, smoker, random() < 0.04 ? '' : systolic, random() < 0.03 ? '' : glucose, bmi, activity, label ? 'yes' : 'no'].join(','));
  }
  return rows.join('\n') + '\n';
}

/* 240 people, 60 variants; cases carry both of two variants, or both of two others, but for some noise. */
function genotypes() {
  const random = generator(77), people = 240, variants = 60, calls = [], names = Array.from({length: people}, (_, i) => 'P' + (i + 1));
  const frequency = Array.from({length: variants}, () => 0.15 + 0.35 * random());
  for (let j = 0; j < variants; j++) calls.push(names.map(() => [random() < frequency[j] ? 1 : 0, random() < frequency[j] ? 1 : 0]));
  const carries = (i, j) => calls[j][i][0] + calls[j][i][1] > 0;
  const lines = ['##fileformat=VCFv4.2', '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">', ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t')];
  for (let j = 0; j < variants; j++)
    lines.push([1 + Math.floor(j / 20), 1000 * (j + 1), 'rs' + (j + 1), 'A', 'G', '.', 'PASS', '.', 'GT', ...calls[j].map(pair => random() < 0.01 ? './.' : pair.join('/'))].join('\t'));
  const labels = names.map((name, i) => {
    const isIll = (carries(i, 6) && carries(i, 33)) || (carries(i, 14) && carries(i, 51));
    return [name, name, (random() < 0.04 ? !isIll : isIll) ? 2 : 1].join(' ');
  });
  return {vcf: lines.join('\n') + '\n', phenotypes: 'FID IID ill\n' + labels.join('\n') + '\n'};
}

export function examples(folder) {
  const table = file => ({name: file, text: readFileSync(`${folder}/${file}`, 'utf8')}), made = genotypes();
  return [
    {name: 'patients (made up)', files: [{name: 'patients.csv', text: patients()}]},
    {name: 'tic-tac-toe: has x won?', files: [table('tic_tac_toe.csv')]},
    {name: 'monks 1: robots', files: [table('monks1.csv')]},
    {name: 'planted rule with noise', files: [table('planted_noisy.csv')]},
    {name: 'genotypes (made up, VCF)', files: [{name: 'study.vcf', text: made.vcf}, {name: 'study.pheno', text: made.phenotypes}]},
  ];
}
