'use strict';
/* Where the data are genotypes: the variants of the rule, linkage disequilibrium among them and their partners, and genotype
 * counts of each clause, known to geneticists as a penetrance table. */

function variantsTable(variants) {
  const counts = n => cell(`${n[0]} / ${n[1]} / ${n[2]}, ${n[3]}`);
  const partners = v => [listed(v.ld.map(one => [make('code', {}, one.name), `\u00a0(${one.r2.toFixed(2)})`])),
    v.linked > v.ld.length && ` and ${v.linked - v.ld.length} more`];
  return tableOf([textHead('variant'), textHead('place'), textHead('alleles', 'counted, other'), textHead('gene'), head('in cases'),
    head('in controls'),
    head('genotypes', 'of cases'), head('genotypes', 'of controls'), textHead('in linkage disequilibrium', 'r2')],
  variants.map(v => [textCell(nameOf(v.name)), typeCell(`${v.chromosome}:${v.position}`),
    typeCell(make('code', {}, v.counted), ', ', make('code', {}, v.other)), typeCell(v.gene || ''),
    cell(isKnown(v.frequency_cases) ? v.frequency_cases.toFixed(4) : '\u2013'),
    cell(isKnown(v.frequency_controls) ? v.frequency_controls.toFixed(4) : '\u2013'),
    counts(v.genotypes_cases), counts(v.genotypes_controls), make('td', {className: 'text partners'}, partners(v))]));
}

/* A triangle of r2 in the order of the file; the darker, the nearer to 1. */
function ldPicture(variants) {
  const side = 18, names = 190, size = side * variants.length;
  const label = name => name.length > 22 ? name.slice(0, 21) + '\u2026' : name;
  const square = (i, j) => {
    const r2 = i === j ? 1 : variants[i].r2[j] || 0;
    return draw('rect', {class: i === j ? 'controls' : 'cases', x: names + side * j, y: side * i, width: side - 1, height: side - 1,
      'fill-opacity': r2.toFixed(2)},
      i === j ? null : draw('title', {}, `${variants[i].name}, ${variants[j].name}: r2 ${r2.toFixed(2)}`));
  };
  return make('figure', {className: 'ld'},
    draw('svg', {class: 'chart', viewBox: `0 0 ${names + size} ${size}`, width: names + size, height: size, role: 'img',
    'aria-label': `Linkage disequilibrium of ${variants.length} variants; a table of the same follows`},
  variants.map((v, i) => [draw('text', {class: v.in_rule ? 'label' : 'other', x: names - 8, y: side * i + 13.5, 'text-anchor': 'end'}, label(v.name)),
    Array.from({length: i + 1}, (_, j) => square(i, j))])));
}

function ldParts({least_r2: least, variants}) {
  return [make('h3', {}, 'Linkage disequilibrium'),
    p(`Squared correlation of allele counts (r2) of the variants of the rule, in bold, and those with an r2 of at least ${general(least, 3)} to one of them, in the order of the file: the darker, the nearer to 1.`),
    make('div', {className: 'wide'}, ldPicture(variants)),
    make('details', {}, make('summary', {}, 'The same as a table'), tableOf([textHead('r2'), ...variants.slice(0, -1).map(v => head(v.name))],
      variants.slice(1).map(v => [rowHead(v.name), ...v.r2.map(r2 => cell(isKnown(r2) ? r2.toFixed(2) : '\u2013'))])))];
}

function genotypesTable(one, clause, variants) {
  const alleles = one.variants.map(name => variants.find(v => v.name === name));
  /* The counted allele first where there is one of each. */
  const genotype = (n, v) => typeCell(n === null ? '\u2013' : make('code', {}, `${n ? v.counted : v.other}/${n === 2 ? v.counted : v.other}`));
  return [tableOf([one.variants.map(name => textHead(nameOf(name))), head('asked for', one.has_others ? 'of the variants' : ''),
    head('cases'), head('controls'), head('share of cases', '95\u00a0% interval'), barHead()],
    one.combinations.map(row => [row.genotypes.map((n, i) => genotype(n, alleles[i])), dotCell(row.holds), cell(row.cases),
      cell(row.controls), shareOf([row.cases, row.controls]),
      barCell(row.cases / (row.cases + row.controls), row.holds)]),
      {className: 'numbers upset', caption: [`Clause ${one.clause + 1}: `, clauseOf(clause)]}),
  one.other_combinations > 0 && hint(`And ${one.other_combinations} combinations more.`)];
}

function variantsSection({fit, page}) {
  if (!fit.variants) return null;
  const {genotypes = []} = page;
  return section('variants', 'The variants',
    p('Frequencies are those of the counted allele; genotypes are how many people have 0, 1 and 2 of it, and how many calls are missing.'),
    variantsTable(fit.variants),
    page.ld && ldParts(page.ld),
    genotypes.length > 0 && [make('h3', {}, 'Genotypes clause by clause'),
      p('How many people of the whole file have each combination of genotypes, and whether the clause asks for it. A dash is a missing call.')],
    genotypes.map(one => genotypesTable(one, fit.clause_statistics[one.clause].clause, fit.variants)));
}
