/* What is said to people who come from plink and try its options: the nearest of ours, or why there
 * is none. */
#include "cli/cli.h"
#include <string.h>

static const struct {
  const char *word, *answer;
} words[] = {
    {"--allow-no-sex", "sex changes no phenotype: leave it out"},
    {"--out", "the rule goes to the file of -o, what is printed to standard output"},
    {"--assoc", "'ireland fit DATA -K 1 -M 1' looks for the best single literal"},
    {"--logistic", "'ireland fit' learns a rule; it has no regression"},
    {"--linear", "phenotypes are two classes: cut a quantity in two first"},
    {"--model", "each variant gives the literals dom (a copy or two) and rec (two)"},
    {"--epistasis", "'ireland clause DATA -M 2 --prove' searches all pairs"},
    {"--fast-epistasis", "'ireland clause DATA -M 2 --prove' searches all pairs"},
    {"--mperm", "--permutations N shuffles labels and learns again"},
    {"--perm", "--permutations N shuffles labels and learns again"},
    {"--file", "'plink --file PREFIX --make-bed' makes the .bed that is read"},
    {"--tfile", "'plink --tfile PREFIX --make-bed' makes the .bed that is read"},
    {"--pfile", "'plink2 --pfile PREFIX --make-bed' makes the .bed that is read"},
    {"--bpfile", "'plink2 --bpfile PREFIX --make-bed' makes the .bed that is read"},
    {"--bed", "--bfile PREFIX reads PREFIX.bed, .bim and .fam"},
    {"--bim", "--bfile PREFIX reads PREFIX.bed, .bim and .fam"},
    {"--fam", "--bfile PREFIX reads PREFIX.bed, .bim and .fam"},
    {"--make-bed", "'ireland convert DATA OUT' writes .csv, .tsv, .svm and .irb"},
    {"--recode", "'ireland convert DATA OUT' writes .csv, .tsv, .svm and .irb"},
    {"--mpheno", "--pheno-name NAME chooses the phenotype by its header"},
    {"--all-pheno", "--pheno-name NAME chooses one phenotype by its header"},
    {"--pheno-merge", "the phenotypes are those of --pheno alone"},
    {"--make-pheno", "--pheno FILE has the phenotypes, 1 and 2"},
    {"--missing-phenotype", "-9, 0 and NA are missing phenotypes"},
    {"--filter", "--keep FILE keeps the people of a list"},
    {"--snp", "--extract FILE uses the variants of a list, --region 1:100-200 those of a place"},
    {"--snps", "--extract FILE uses the variants of a list"},
    {"--from-kb", "--from-bp takes positions in base pairs"},
    {"--to-kb", "--to-bp takes positions in base pairs"},
    {"--from-mb", "--from-bp takes positions in base pairs"},
    {"--to-mb", "--to-bp takes positions in base pairs"},
    {"--not-chr", "--chr takes the chromosomes to use, as 1-22"},
    {"--autosome", "--chr 1-22 takes the autosomes"},
    {"--autosome-xy", "--chr 1-22,XY takes them"},
    {"--max-maf", "--maf has the least frequency, there is no greatest one"},
    {"--mac", "--maf takes the least frequency"},
    {"--nonfounders", "only founders count for --maf and --hwe"},
    {"--double-id", "people of a VCF are known by their one name"},
    {"--const-fid", "people of a VCF are known by their one name"},
    {"--vcf-half-call", "a call that is missing in part is missing"},
    {"--freq", "'ireland info DATA' shows frequencies"},
    {"--missing", "--missing takes false, drop, impute or error; 'ireland info DATA' counts calls"},
    {"--hardy", "--hwe P leaves out variants by the exact test"},
    {"--keep-allele-order", "the allele that a file counts is never exchanged"},
    {"--a1-allele", "the allele that a file counts is never exchanged"},
    {"--chr-set", "chromosomes are those of people"},
};

const char *cli_plink_answer(const char *word) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i].word, word)) return words[i].answer;
  return NULL;
}
