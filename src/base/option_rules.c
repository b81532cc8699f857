/* Which options can have an effect together: the one place that refuses those that cannot. Options
 * of other jobs than the one at hand are left alone, since one set of options may serve several
 * calls. */
#include "base/contract.h"
#include "base/env.h"
#include <stdio.h>
#include <string.h>

/* X(name, is it so?, what is said where it is not): facts about a set of options. */
#define FACT_TABLE(X)                                                                              \
  X(IS_BP, is_bp, "without method bp1 to bp6")                                                     \
  X(NOT_BP, !is_bp, "with methods bp1 to bp6")                                                     \
  X(IS_BRCG, is_brcg, "without method brcg")                                                       \
  X(NOT_BRCG, !is_brcg, "with method brcg")                                                        \
  X(IS_PAPER, is_paper, "without profile paper")                                                   \
  X(HAS_START, !is_bp || !(o->search.plain || o->search.no_start),                                 \
    "with options plain and no_start, by which a model begins without a rule")                     \
  X(NO_POOL, !o->search.pool, "with option pool, whose clauses are given")                         \
  X(IS_WEIGHTED, irl_options_loss(o) != IRL_LOSS_HAMMING, "with the Hamming loss")                 \
  X(IS_FULL, o->search.effort != IRL_EFFORT_QUICK, "with effort quick, which makes no proof")      \
  X(IS_PROVEN, o->search.prove, "without option prove")                                            \
  X(IS_FORM_BP_OR_MP, !is_sp, "with form sp")                                                      \
  X(IS_FORM_BP_OR_SP, !is_mp, "with form mp")                                                      \
  X(IS_FORM_SP, !o->search.form || is_sp, "without form sp")                                       \
  X(IS_FORM_MP, !o->search.form || is_mp, "without form mp")                                       \
  X(IS_FORM_WHOLE, !o->search.form || o->search.form == IRL_FORM_WHOLE, "without form whole")      \
  X(NO_COUNT, o->rule.budget_count < 0, "with option budget_count")                                \
  X(IS_INTEGER, !o->search.relax, "with option relax")                                             \
  X(NO_REST, !o->data.vs_rest, "with option vs_rest")                                              \
  X(NO_FOLD_COLUMN, !o->data.fold_column, "with option fold_column, which gives the folds")        \
  X(BY_FOLDS, o->output.validate != IRL_VALIDATE_BOOTSTRAP,                                        \
    "with validate bootstrap, which makes parts of its own")                                       \
  X(HAS_PHENO, o->genotypes.pheno, "without option pheno")                                         \
  X(HAS_COVAR, o->genotypes.covar, "without option covar")                                         \
  X(NO_WEIGHT_COLUMN, !o->data.weight_column, "with option weight_column, whose weights count")    \
  X(NO_START_RULE, !o->search.start, "with option start, whose clauses are given")                 \
  X(HAS_CHR, o->genotypes.chr, "without option chr, which names the chromosome")                   \
  X(NO_CHECKPOINT, !o->search.checkpoint && !o->search.resume,                                     \
    "with options checkpoint and resume, which are of one search")                                 \
  X(NO_CNF, !o->rule.cnf, "with option cnf: cross-validation is of DNFs")                          \
  X(NO_PERMUTATIONS, !o->output.permutations,                                                      \
    "with option permutations, whose p-value would leave the choice out")                          \
  X(NO_VALIDATE, o->output.validate <= IRL_VALIDATE_NONE,                                          \
    "with option validate, except none: it makes a nested estimate of its own")                    \
  X(NOT_IMPUTED, o->data.missing != IRL_MISSING_IMPUTE,                                            \
    "as impute on columns as they are; give it to fit")

#define BIT_ROW(name, is_so, text) name##_BIT,
enum { FACT_TABLE(BIT_ROW) N_FACTS };
#define FACT_ROW(name, is_so, text) name = 1u << name##_BIT,
enum { FACT_TABLE(FACT_ROW) };
#define TEXT_ROW(name, is_so, text) text,
static const char *const unless[] = {FACT_TABLE(TEXT_ROW)};

#define GENERATES_CLAUSES (HAS_START | NO_POOL) /* clauses are sought */

static const struct {
  const char *option;
  unsigned jobs;  /* for which it needs */
  unsigned facts; /* all of these */
} needs[] = {
    {"positive", IRL_FOR_READ, NO_REST},
    {"missing", IRL_FOR_RAW, NOT_IMPUTED},
    {"pheno_name", IRL_FOR_READ, HAS_PHENO},
    {"covar_name", IRL_FOR_READ, HAS_COVAR},
    {"strata", IRL_FOR_CODE, NO_WEIGHT_COLUMN},
    {"fold_column", IRL_FOR_FIT, BY_FOLDS},
    {"folds", IRL_FOR_CV, NO_FOLD_COLUMN},
    {"repeats", IRL_FOR_CV, NO_FOLD_COLUMN},
    {"one_per", IRL_FOR_LEARN, NOT_BP | NOT_BRCG | NO_POOL | NO_START_RULE},
    {"from_bp", IRL_FOR_COLUMNS, HAS_CHR},
    {"to_bp", IRL_FOR_COLUMNS, HAS_CHR},
    {"binary", IRL_FOR_LEARN, IS_BP},
    {"plain", IRL_FOR_LEARN, IS_BP},
    {"no_start", IRL_FOR_LEARN, IS_BP},
    {"complexity", IRL_FOR_LEARN, IS_BRCG},
    {"max_literals", IRL_FOR_LEARN, NOT_BP},
    {"penalty", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"profile", IRL_FOR_LEARN, NOT_BRCG | GENERATES_CLAUSES},
    {"paper_sample", IRL_FOR_LEARN, IS_PAPER | NOT_BRCG | GENERATES_CLAUSES},
    {"budgets", IRL_FOR_LEARN, NOT_BRCG | GENERATES_CLAUSES},
    {"effort", IRL_FOR_LEARN, NOT_BRCG | HAS_START},
    {"prove", IRL_FOR_LEARN, GENERATES_CLAUSES | IS_FULL},
    {"pool", IRL_FOR_LEARN, NOT_BP},
    {"min_sensitivity", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"min_specificity", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"checkpoint", IRL_FOR_LEARN, NOT_BP},
    {"resume", IRL_FOR_LEARN, NOT_BP},
    {"start", IRL_FOR_FIT, GENERATES_CLAUSES},
    {"loss", IRL_FOR_FIT, NOT_BP | NOT_BRCG},
    {"equivalent", IRL_FOR_FIT, IS_WEIGHTED},
    {"stability", IRL_FOR_FIT, NO_POOL},
    {"all_optimal", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"within", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"count_within", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"certificate", IRL_FOR_FIT, IS_PROVEN | NOT_BP},
    {"certificate", IRL_FOR_CURVE, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"tune", IRL_FOR_FIT,
     NO_POOL | NO_START_RULE | NO_CHECKPOINT | NO_CNF | NO_PERMUTATIONS | NO_VALIDATE},
    {"budget", IRL_FOR_CLAUSE, NO_COUNT},
    /* K, M and the budget say what the problem is; the same line makes any form of it. */
    {"budget", IRL_FOR_MODEL, NO_COUNT},
    {"budget_count", IRL_FOR_MODEL, IS_FORM_SP},
    {"weights", IRL_FOR_MODEL, IS_FORM_BP_OR_MP},
    {"M", IRL_FOR_MODEL, IS_FORM_BP_OR_SP},
    {"negations", IRL_FOR_MODEL, IS_FORM_BP_OR_SP},
    {"pool", IRL_FOR_MODEL, IS_FORM_MP},
    {"max_literals", IRL_FOR_MODEL, IS_FORM_WHOLE},
    {"penalty", IRL_FOR_MODEL, IS_FORM_WHOLE},
    {"min_sensitivity", IRL_FOR_MODEL, IS_FORM_WHOLE},
    {"min_specificity", IRL_FOR_MODEL, IS_FORM_WHOLE},
    {"node_limit", IRL_FOR_SOLVE, IS_INTEGER},
};

/* All that is so. */
static unsigned find_facts(const irl_options *o) {
  const bool is_bp = o->search.method >= IRL_METHOD_BP1;
  const bool is_brcg = o->search.method == IRL_METHOD_BRCG;
  const bool is_paper = o->search.profile == IRL_PROFILE_PAPER;
  const bool is_sp = o->search.form == IRL_FORM_SP, is_mp = o->search.form == IRL_FORM_MP;
  unsigned facts = 0;
#define SO_ROW(name, is_so, text)                                                                  \
  if (is_so) facts |= name;
  FACT_TABLE(SO_ROW)
  return facts;
}

static irl_status check_input(irl_env *env, const irl_option_info *info, const irl_options *options,
                              unsigned input) {
  if (!input || info->inputs & input || !irl_option_is_set(info, options)) return IRL_STATUS_OK;
  const char *name = input == IRL_FROM_ARFF     ? ".arff files"
                     : input == IRL_FROM_LIBSVM ? "LIBSVM files"
                     : input == IRL_FROM_BED    ? ".bed files"
                     : input == IRL_FROM_VCF    ? ".vcf and .bcf files"
                     : input == IRL_FROM_COUNTS ? ".raw files"
                     : input == IRL_FROM_IRB    ? ".irb files"
                     : input == IRL_FROM_MEMORY ? "tables in memory"
                     : input == IRL_FROM_DATA ? "data that are no table, as irl_fit_table takes it"
                                              : "CSV files";
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has no effect on %s", info->name, name);
}

irl_status irl_options_check(irl_env *env, const irl_options *options, unsigned jobs,
                             unsigned input) {
  IRL_NEED(env, "env, options", env, options);
  size_t n;
  irl_options own;
  const irl_option_info *table = irl_options_table(&n);
  irl_status status = irl_options_copy_in(env, options, &own);
  if (!status) status = irl_options_check_ranges(env, &own);
  const unsigned facts = status ? 0 : find_facts(&own);
  for (size_t i = 0; i < n && !status; i++) {
    if (!(table[i].jobs & jobs) || !irl_option_is_set(&table[i], &own)) continue;
    for (size_t k = 0; k < sizeof needs / sizeof *needs && !status; k++) {
      const unsigned lacks = needs[k].facts & ~facts;
      if (needs[k].jobs & jobs && lacks && !strcmp(needs[k].option, table[i].name))
        status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has no effect %s", table[i].name,
                          unless[__builtin_ctz(lacks)]);
    }
    if (!status) status = check_input(env, &table[i], &own, input);
  }
#ifdef IRL_CORE_ONLY /* the form in one file, which src/package/amalgamate.py makes */
  if (!status && jobs & IRL_FOR_LEARN && facts & (IS_BP | IS_BRCG))
    status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "method %s needs linear programs, which are not in the library's form in one "
                      "file: build the whole one",
                      facts & IS_BP ? "bp1 to bp6" : "brcg");
#endif
  return status;
}
