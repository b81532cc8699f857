/* The options of all jobs: one table gives the fields, their defaults and ranges, the names that
 * irl_options_set and the command line take, and their help. ireland.h includes it. */
#ifndef IRELAND_OPTIONS_H
#define IRELAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A struct of this type, empty but for its size, with which it begins. */
#ifdef __cplusplus
extern "C++" template <class T> inline T irl_sized() {
  T made = T();
  made.size = sizeof made;
  return made;
}
#define IRL_SIZED(type) irl_sized<type>()
#else
#define IRL_SIZED(type) ((type){.size = sizeof(type)})
#endif

/* Which jobs an option belongs to. */
#define IRL_FOR_READ     1u
#define IRL_FOR_GENERATE 2u
#define IRL_FOR_RUN      4u
#define IRL_FOR_LEARN    8u
#define IRL_FOR_CLAUSE   16u
#define IRL_FOR_SOLVE    32u
#define IRL_FOR_CODE     64u  /* features from columns */
#define IRL_FOR_COLUMNS  128u /* which columns, and of what type */
#define IRL_FOR_CURVE    256u
#define IRL_FOR_FIT      512u  /* one rule from one data set */
#define IRL_FOR_CV       1024u /* cross-validation */
#define IRL_FOR_VERIFY   2048u
#define IRL_FOR_MODEL    4096u
#define IRL_FOR_RAW      8192u /* columns as they are, no features: info, convert */
#define IRL_FOR_PREDICT  16384u

/* Which inputs an option can have an effect on; on others it is refused. */
#define IRL_FROM_TEXT      1u /* .csv .tsv .txt */
#define IRL_FROM_ARFF      2u
#define IRL_FROM_LIBSVM    4u
#define IRL_FROM_BED       8u
#define IRL_FROM_IRB       16u
#define IRL_FROM_MEMORY    32u  /* irl_table_from_columns and its kin */
#define IRL_FROM_DATA      64u  /* irl_fit on data, whose features are there already */
#define IRL_FROM_VCF       128u /* .vcf .vcf.gz .bcf */
#define IRL_FROM_COUNTS    256u /* .raw, allele counts as plink --recode A writes them */
#define IRL_FROM_PLACED    (IRL_FROM_BED | IRL_FROM_VCF) /* variants with their places */
#define IRL_FROM_GENOTYPES (IRL_FROM_PLACED | IRL_FROM_COUNTS)
#define IRL_FROM_RAW       (IRL_FROM_TEXT | IRL_FROM_ARFF | IRL_FROM_LIBSVM) /* columns without types */
#define IRL_FROM_FILE      (IRL_FROM_RAW | IRL_FROM_GENOTYPES | IRL_FROM_IRB)
#define IRL_FROM_TABLE     (IRL_FROM_FILE | IRL_FROM_MEMORY)
#define IRL_FROM_ANY       (IRL_FROM_TABLE | IRL_FROM_DATA)

/* Does an option say which answer is wanted: which rule, proof or rules beside it? One that does
 * belongs to the job that a checkpoint may go on with. Limits do not: they end a search early, and
 * it may go on with other limits or none. */
#define IRL_KEEPS   false
#define IRL_CHANGES true

/* ---- words ---- */

/* X(name, text): options that take one of a few words. The first of each stands for "not given":
 * what its text says, or what another option makes of it. */
#define IRL_METHOD_TABLE(X)                                                                        \
  X(IRL_METHOD_DEFAULT, "")                                                                        \
  X(IRL_METHOD_IRELAND, "ireland")                                                                 \
  X(IRL_METHOD_BRCG, "brcg")                                                                       \
  X(IRL_METHOD_BP1, "bp1")                                                                         \
  X(IRL_METHOD_BP2, "bp2")                                                                         \
  X(IRL_METHOD_BP3, "bp3")                                                                         \
  X(IRL_METHOD_BP4, "bp4")                                                                         \
  X(IRL_METHOD_BP5, "bp5")                                                                         \
  X(IRL_METHOD_BP6, "bp6")
#define IRL_FORM_TABLE(X)                                                                          \
  X(IRL_FORM_DEFAULT, "")                                                                          \
  X(IRL_FORM_BP1, "bp1")                                                                           \
  X(IRL_FORM_BP2, "bp2")                                                                           \
  X(IRL_FORM_BP3, "bp3")                                                                           \
  X(IRL_FORM_BP4, "bp4")                                                                           \
  X(IRL_FORM_BP5, "bp5")                                                                           \
  X(IRL_FORM_BP6, "bp6")                                                                           \
  X(IRL_FORM_SP, "sp")                                                                             \
  X(IRL_FORM_MP, "mp")                                                                             \
  X(IRL_FORM_WHOLE, "whole")
#define IRL_LOSS_TABLE(X)                                                                          \
  X(IRL_LOSS_DEFAULT, "")                                                                          \
  X(IRL_LOSS_WEIGHTED, "weighted")                                                                 \
  X(IRL_LOSS_HAMMING, "hamming")
#define IRL_WEIGHTS_TABLE(X)                                                                       \
  X(IRL_WEIGHTS_DEFAULT, "")                                                                       \
  X(IRL_WEIGHTS_BALANCED, "balanced")                                                              \
  X(IRL_WEIGHTS_UNIT, "unit")
#define IRL_MISSING_TABLE(X)                                                                       \
  X(IRL_MISSING_DEFAULT, "")                                                                       \
  X(IRL_MISSING_FALSE, "false")                                                                    \
  X(IRL_MISSING_DROP, "drop")                                                                      \
  X(IRL_MISSING_IMPUTE, "impute")                                                                  \
  X(IRL_MISSING_ERROR, "error")
#define IRL_PROFILE_TABLE(X)                                                                       \
  X(IRL_PROFILE_DEFAULT, "")                                                                       \
  X(IRL_PROFILE_NORMAL, "default")                                                                 \
  X(IRL_PROFILE_PAPER, "paper")
#define IRL_EFFORT_TABLE(X)                                                                        \
  X(IRL_EFFORT_DEFAULT, "")                                                                        \
  X(IRL_EFFORT_FULL, "full")                                                                       \
  X(IRL_EFFORT_QUICK, "quick")
#define IRL_CHOICE_TABLE(X)                                                                        \
  X(IRL_CHOICE_DEFAULT, "")                                                                        \
  X(IRL_CHOICE_ONE_SE, "one-se")                                                                   \
  X(IRL_CHOICE_BEST, "best")                                                                       \
  X(IRL_CHOICE_HALF_SE, "half-se")

#define IRL_VALIDATE_TABLE(X)                                                                      \
  X(IRL_VALIDATE_DEFAULT, "")                                                                      \
  X(IRL_VALIDATE_NONE, "none")                                                                     \
  X(IRL_VALIDATE_QUICK, "quick")                                                                   \
  X(IRL_VALIDATE_CV, "cv")                                                                         \
  X(IRL_VALIDATE_BOOTSTRAP, "bootstrap")

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_method { IRL_METHOD_TABLE(IRL_ENUM_ROW) IRL_N_METHOD } irl_method;
typedef enum irl_form { IRL_FORM_TABLE(IRL_ENUM_ROW) IRL_N_FORM } irl_form;
typedef enum irl_loss { IRL_LOSS_TABLE(IRL_ENUM_ROW) IRL_N_LOSS } irl_loss;
typedef enum irl_weights { IRL_WEIGHTS_TABLE(IRL_ENUM_ROW) IRL_N_WEIGHTS } irl_weights;
typedef enum irl_missing { IRL_MISSING_TABLE(IRL_ENUM_ROW) IRL_N_MISSING } irl_missing;
typedef enum irl_profile { IRL_PROFILE_TABLE(IRL_ENUM_ROW) IRL_N_PROFILE } irl_profile;
typedef enum irl_effort { IRL_EFFORT_TABLE(IRL_ENUM_ROW) IRL_N_EFFORT } irl_effort;
typedef enum irl_choice { IRL_CHOICE_TABLE(IRL_ENUM_ROW) IRL_N_CHOICE } irl_choice;
typedef enum irl_validate { IRL_VALIDATE_TABLE(IRL_ENUM_ROW) IRL_N_VALIDATE } irl_validate;
#undef IRL_ENUM_ROW

/* Where numbers are cut: by MDL with some quantiles beside, at quantiles, or between all values. As
 * a text mdl:3, quantile:9, all. */
typedef enum irl_cut_method {
  IRL_CUT_DEFAULT, /* mdl:3 */
  IRL_CUT_MDL,
  IRL_CUT_QUANTILE,
  IRL_CUT_ALL,
  IRL_N_CUT_METHOD
} irl_cut_method;

typedef struct irl_cuts {
  irl_cut_method method;
  uint32_t n_quantiles; /* of quantile 0: 9 */
} irl_cuts;

/* ---- objects ---- */

typedef struct irl_rule irl_rule;
typedef struct irl_pool irl_pool;
typedef struct irl_cv_grid irl_cv_grid; /* ireland_study.h */

typedef struct irl_bytes {
  const void *data;
  size_t size;
  const char *name; /* what messages call them, as the path of their file; NULL: "bytes" */
} irl_bytes;

/* Called now and then with all that a job needs to go on later, and once when it has ended. An
 * answer other than 0 says that the bytes were not kept: a warning says so, and the job goes on. */
typedef struct irl_checkpoint_sink {
  size_t size; /* IRL_SIZED sets it */
  int (*save)(void *user, irl_bytes checkpoint);
  void *user;
  const char *name; /* what messages call it; NULL: "checkpoint" */
} irl_checkpoint_sink;

/* ---- the table ---- */

/* X(group, type, name, default, low, high, jobs, inputs, changes, help): one row gives the field,
 * the default, the range check, the setter by name, the command line option and its help. Texts and
 * objects are borrowed: they have to live as long as the options do. */
/* What is read, and which features are made of it. */
#define IRL_DATA_OPTIONS(X)                                                                        \
  X(data, TEXT, target, 0, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                         \
    "label column: name or number (default: last)")                                                \
  X(data, TEXT, positive, 0, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                       \
    "label of the cases (default: 1, yes, case, ...)")                                             \
  X(data, TEXT, vs_rest, 0, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                        \
    "label of the cases; all others are controls")                                                 \
  X(data, TEXT, delimiter, 0, 0, 0, IRL_FOR_READ, IRL_FROM_TEXT, IRL_CHANGES,                      \
    "comma, tab, semicolon, space (default: found)")                                               \
  X(data, FLAG, no_header, 0, 0, 1, IRL_FOR_READ, IRL_FROM_TEXT, IRL_CHANGES,                      \
    "the first line is data, not names")                                                           \
  X(data, TEXT, na, 0, 0, 0, IRL_FOR_READ, IRL_FROM_TEXT | IRL_FROM_ARFF, IRL_CHANGES,             \
    "texts of missing values, as NA,? or COL=0 (default: the usual)")                              \
  X(data, TEXT, type, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_RAW, IRL_CHANGES,                         \
    "COL=binary|number|category|snp|ignore, ...")                                                  \
  X(data, BYTES, types, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_RAW, IRL_CHANGES,                       \
    "the lines COL,TYPE of a file, one for each column")                                           \
  X(data, TEXT, ignore, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                       \
    "columns to leave out, as COL,COL")                                                            \
  X(data, TEXT, only, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                         \
    "the columns to use, as COL,COL")                                                              \
  X(data, MISSING, missing, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                   \
    "false (default), drop, impute, error")                                                        \
  X(data, TEXT, weight_column, 0, 0, 0, IRL_FOR_CODE, IRL_FROM_FILE, IRL_CHANGES,                  \
    "column with sample weights; rounded only if they have no common unit")                        \
  X(data, TEXT, forbid, 0, 0, 0, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                          \
    "literals not to use, as 'age >,sex = male,!smoker'")                                          \
  X(data, CUTS, cuts, 0, 0, 0, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                            \
    "of numbers: mdl:3 (default: MDL and 3 quantiles), mdl, quantile:9, all")                      \
  X(data, TEXT, grid, 0, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_KEEPS,                             \
    "several processes: 4x2 divides the features by 4, the samples by 2")                          \
  X(data, INTEGER, N, 1000, 2, 1000000000, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,            \
    "number of samples")                                                                           \
  X(data, INTEGER, J, 100, 1, 100000000, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,              \
    "number of features")                                                                          \
  X(data, FLAG, exact_size, 0, 0, 1, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                  \
    "planted clauses have exactly M literals")                                                     \
  X(data, REAL, noise, 0.0, 0.0, 0.5, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                 \
    "fraction of the labels that is inverted")                                                     \
  X(data, REAL, density, 0.5, 0.0, 1.0, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,               \
    "chance that a feature is 1")                                                                  \
  X(data, TEXT, strata, 0, 0, 0, IRL_FOR_CODE, IRL_FROM_FILE, IRL_CHANGES,                         \
    "column of groups: errors are weighed within each, and labels shuffled there")                 \
  X(data, TEXT, decimal, 0, 0, 0, IRL_FOR_READ, IRL_FROM_TEXT, IRL_CHANGES,                        \
    "comma or point, in numbers (default: found)")                                                 \
  X(data, BYTES, one_per, 0, 0, 0, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                        \
    "lines COLUMN GROUP: a clause takes at most one literal of a group")                           \
  X(data, TEXT, group, 0, 0, 0, IRL_FOR_FIT | IRL_FOR_CV | IRL_FOR_VERIFY, IRL_FROM_TABLE,         \
    IRL_CHANGES, "column of samples that belong together, as a patient: never divided")            \
  X(data, TEXT, fold_column, 0, 0, 0, IRL_FOR_FIT | IRL_FOR_CV | IRL_FOR_VERIFY, IRL_FROM_TABLE,   \
    IRL_CHANGES, "column of the folds to validate by, as of sites")                                \
  X(data, TEXT, id, 0, 0, 0, IRL_FOR_PREDICT, IRL_FROM_TEXT | IRL_FROM_ARFF, IRL_KEEPS,            \
    "column that identifies samples (default: one called id, patient_id, ...)")

/* Which rules there are, and what counts as an error. */
#define IRL_RULE_OPTIONS(X)                                                                        \
  X(rule, INTEGER, K, 3, 1, 64, IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY, \
    IRL_FROM_ANY, IRL_CHANGES, "number of clauses, at most")                                       \
  X(rule, INTEGER, M, 3, 1, 64,                                                                    \
    IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_CLAUSE | IRL_FOR_MODEL | IRL_FOR_VERIFY,            \
    IRL_FROM_ANY, IRL_CHANGES, "literals in a clause, at most")                                    \
  X(rule, INTEGER, max_literals, 0, 0, INT64_MAX, IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY,  \
    IRL_FROM_ANY, IRL_CHANGES, "literals in the whole rule (0: any)")                              \
  X(rule, INTEGER, complexity, 0, 0, INT64_MAX, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,          \
    "sum of 1 + literals over clauses (0: any)")                                                   \
  X(rule, FLAG, negations, 0, 0, 1,                                                                \
    IRL_FOR_LEARN | IRL_FOR_CLAUSE | IRL_FOR_MODEL | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,    \
    "literals may be negated features")                                                            \
  X(rule, FLAG, cnf, 0, 0, 1, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,             \
    "an AND of OR clauses: the negation of a rule for the controls")                               \
  X(rule, LOSS, loss, 0, 0, 0, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,            \
    "weighted (default), or hamming: each clause pays")                                            \
  X(rule, WEIGHTS, weights, 0, 0, 0, IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY, IRL_FROM_ANY, \
    IRL_CHANGES, "balanced (default), or unit for plain accuracy")                                 \
  X(rule, REAL, penalty, 0.0, 0.0, 1.0, IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY,            \
    IRL_FROM_ANY, IRL_CHANGES, "loss per clause and per literal, as a share of all weights")       \
  X(rule, REAL, min_sensitivity, 0.0, 0.0, 1.0,                                                    \
    IRL_FOR_CURVE | IRL_FOR_FIT | IRL_FOR_MODEL | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,       \
    "only rules of this sensitivity or more")                                                      \
  X(rule, REAL, min_specificity, 0.0, 0.0, 1.0,                                                    \
    IRL_FOR_CURVE | IRL_FOR_FIT | IRL_FOR_MODEL | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,       \
    "only rules of this specificity or more")                                                      \
  X(rule, REAL, budget, 0.0, 0.0, 1.0, IRL_FOR_CLAUSE | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,  \
    "controls it may cover, as a fraction of all")                                                 \
  X(rule, INTEGER, budget_count, -1, -1, INT64_MAX, IRL_FOR_CLAUSE | IRL_FOR_MODEL, IRL_FROM_ANY,  \
    IRL_CHANGES, "the same as a count (-1: not set)")

/* How they are searched. */
#define IRL_SEARCH_OPTIONS(X)                                                                      \
  X(search, METHOD, method, 0, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                     \
    "ireland (default), brcg for the Hamming loss, or bp1 to bp6: a MILP")                         \
  X(search, FORM, form, 0, 0, 0, IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,                         \
    "bp1 to bp6; sp: the best clause; mp: a choice; whole: what proofs are about")                 \
  X(search, EFFORT, effort, 0, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                     \
    "full (default), or quick: short searches, no proof")                                          \
  X(search, FLAG, prove, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_CLAUSE, IRL_FROM_ANY, IRL_CHANGES,       \
    "search until the best is proven")                                                             \
  X(search, FLAG, certificate, 0, 0, 1, IRL_FOR_FIT | IRL_FOR_CURVE, IRL_FROM_ANY, IRL_KEEPS,      \
    "keep what a certificate of the proof needs")                                                  \
  X(search, PROFILE, profile, 0, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                   \
    "default, or paper: its sub-sampling and budgets")                                             \
  X(search, INTEGER, paper_sample, 100, 1, 1000000000, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,   \
    "profile paper: cases in a sub problem (N_s)")                                                 \
  X(search, TEXT, budgets, 0, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                      \
    "fractions of the controls, as 0.005,0.01,0.02")                                               \
  X(search, RULE, start, 0, 0, 0, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES, "a rule to begin with")  \
  X(search, POOL, pool, 0, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE | IRL_FOR_MODEL, IRL_FROM_ANY,        \
    IRL_CHANGES, "choose from these clauses, generate no others")                                  \
  X(search, SINK, checkpoint, 0, 0, 0, IRL_FOR_CURVE | IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,       \
    "where checkpoints go, now and then")                                                          \
  X(search, BYTES, resume, 0, 0, 0, IRL_FOR_CURVE | IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,          \
    "a checkpoint to go on from")                                                                  \
  X(search, FLAG, binary, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,       \
    "bp1 to bp6: all variables binary (default: some come out so)")                                \
  X(search, FLAG, plain, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,        \
    "bp1 to bp6: the paper's model as it stands, with exactly K clauses")                          \
  X(search, FLAG, no_start, 0, 0, 1, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                     \
    "bp1 to bp6: solve the model from the start, without a rule")                                  \
  X(search, INTEGER, seed, 1, 0, INT64_MAX, IRL_FOR_GENERATE | IRL_FOR_RUN, IRL_FROM_ANY,          \
    IRL_CHANGES, "seed of the random numbers")                                                     \
  X(search, FLAG, relax, 0, 0, 1, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES, "drop integrality")    \
  X(search, FLAG, no_presolve, 0, 0, 1, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,                  \
    "solve the model as it is")                                                                    \
  X(search, TEXT, internal, 0, 0, 0, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES, "")                   \
  X(search, FLAG, no_structure, 0, 0, 1, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,                 \
    "solve models of rules by branch and bound, as any other")                                     \
  X(search, GRID, tune, 0, 0, 0, IRL_FOR_FIT, IRL_FROM_TABLE, IRL_KEEPS,                           \
    "the settings to choose from by cross-validation")

/* What a job may take. */
#define IRL_LIMITS_OPTIONS(X)                                                                      \
  X(limits, INTEGER, threads, 0, 0, 1024, IRL_FOR_RUN, IRL_FROM_ANY, IRL_KEEPS,                    \
    "threads (0: OMP_NUM_THREADS, or one per core)")                                               \
  X(limits, REAL, time_limit, 0.0, 0.0, 1e9, IRL_FOR_RUN, IRL_FROM_ANY, IRL_KEEPS,                 \
    "seconds of wall clock (0: none)")                                                             \
  X(limits, INTEGER, work_limit, 0, 0, INT64_MAX, IRL_FOR_RUN, IRL_FROM_ANY, IRL_KEEPS,            \
    "work: 64-bit words touched (0: none)")                                                        \
  X(limits, INTEGER, memory_limit, 0, 0, INT64_MAX,                                                \
    IRL_FOR_READ | IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_KEEPS,      \
    "MB to use beyond what the process had before (0: any)")                                       \
  X(limits, INTEGER, iteration_limit, 0, 0, INT64_MAX, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,   \
    "simplex iterations (0: no limit)")                                                            \
  X(limits, INTEGER, node_limit, 0, 0, INT64_MAX, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,        \
    "nodes of branch and bound (0: no limit)")

/* What is asked for beside the rule. */
#define IRL_OUTPUT_OPTIONS(X)                                                                      \
  X(output, REAL, equivalent, 0.0, 0.0, 1.0, IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,                 \
    "list literals that could replace others at this loss, as a share")                            \
  X(output, INTEGER, all_optimal, 0, 0, 1000000, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,           \
    "list up to so many rules of equal loss")                                                      \
  X(output, REAL, within, 0.0, 0.0, 1e6, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,                   \
    "also rules of more loss, by up to this fraction")                                             \
  X(output, REAL, test, 0.0, 0.0, 0.99, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_TABLE, IRL_CHANGES, \
    "share of each class to hold out for a test")                                                  \
  X(output, INTEGER, permutations, 0, 0, 1000000, IRL_FOR_FIT, IRL_FROM_TABLE, IRL_KEEPS,          \
    "shuffled labels to learn from, for a p-value of the search")                                  \
  X(output, INTEGER, folds, 10, 2, 1000000, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                 \
    "parts, each of which is the test set once")                                                   \
  X(output, INTEGER, repeats, 1, 1, 10000, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                  \
    "cross-validations with other folds")                                                          \
  X(output, FLAG, nested, 0, 0, 1, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                          \
    "also choose anew without each fold: an honest estimate")                                      \
  X(output, CHOICE, choose, 0, 0, 0, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                        \
    "half-se (default): the simplest within it; one-se, best")                                     \
  X(output, REAL, threshold, 0.01, 0.0, 1.0, IRL_FOR_CURVE, IRL_FROM_ANY, IRL_CHANGES,             \
    "gap of a curve that is left alone")                                                           \
  X(output, FLAG, sizes, 0, 0, 1, 0, IRL_FROM_ANY, IRL_CHANGES,                                    \
    "curve: also accuracy against literals and clauses")                                           \
  X(output, VALIDATE, validate, 0, 0, 0, IRL_FOR_FIT, IRL_FROM_TABLE, IRL_KEEPS,                   \
    "estimate for new samples: quick, cv, bootstrap, none (command: quick)")                       \
  X(output, FLAG, predictions, 0, 0, 1, IRL_FOR_CV, IRL_FROM_ANY, IRL_KEEPS,                       \
    "keep what the folds predict")                                                                 \
  X(output, INTEGER, stability, 0, 0, 1000000, IRL_FOR_FIT, IRL_FROM_TABLE, IRL_KEEPS,             \
    "resamples to learn from anew, to see which literals come back")                               \
  X(output, FLAG, count_within, 0, 0, 1, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,                   \
    "count all rules of that loss, whose clauses have at most one literal of a group")             \
  X(output, FLAG, all, 0, 0, 1, IRL_FOR_CV, IRL_FROM_ANY, IRL_KEEPS,                               \
    "print every setting, not the best dozen alone")

/* Whose genotypes count, and which variants: PLINK's words, with their meaning there. */
#define IRL_GENOTYPES_OPTIONS(X)                                                                   \
  X(genotypes, BYTES, pheno, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,               \
    "lines FID IID VALUE: 2 a case, 1 a control, 0 or -9 missing")                                 \
  X(genotypes, TEXT, pheno_name, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,           \
    "which column of the phenotypes, by its header (default: the first)")                          \
  X(genotypes, FLAG, pheno_01, 0, 0, 1, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,             \
    "phenotypes are 0 (control) and 1 (case), as plink's --1")                                     \
  X(genotypes, BYTES, covar, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,               \
    "lines FID IID VALUES under a header: columns beside the variants")                            \
  X(genotypes, TEXT, covar_name, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,           \
    "which of the covariates, as age,site (default: all)")                                         \
  X(genotypes, BYTES, keep, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,                \
    "lines FID IID: the people to keep")                                                           \
  X(genotypes, BYTES, remove, 0, 0, 0, IRL_FOR_READ, IRL_FROM_GENOTYPES, IRL_CHANGES,              \
    "lines FID IID: people to leave out")                                                          \
  X(genotypes, BYTES, extract, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,          \
    "identifiers of the variants to use")                                                          \
  X(genotypes, BYTES, exclude, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,          \
    "identifiers of variants to leave out")                                                        \
  X(genotypes, TEXT, chr, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_PLACED, IRL_CHANGES,                  \
    "chromosomes, as 1-4,22,X")                                                                    \
  X(genotypes, INTEGER, from_bp, 0, 0, 4294967295, IRL_FOR_COLUMNS, IRL_FROM_PLACED, IRL_CHANGES,  \
    "first position on the one chromosome of chr (0: any)")                                        \
  X(genotypes, INTEGER, to_bp, 0, 0, 4294967295, IRL_FOR_COLUMNS, IRL_FROM_PLACED, IRL_CHANGES,    \
    "last position on it (0: any)")                                                                \
  X(genotypes, TEXT, region, 0, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_PLACED, IRL_CHANGES,               \
    "places, as 2:1000-5000,X")                                                                    \
  X(genotypes, REAL, maf, 0.0, 0.0, 0.5, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,         \
    "least frequency of the rarer allele among founders")                                          \
  X(genotypes, REAL, geno, 1.0, 0.0, 1.0, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,        \
    "greatest share of missing calls of a variant")                                                \
  X(genotypes, REAL, mind, 1.0, 0.0, 1.0, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,        \
    "greatest share of missing calls of a person")                                                 \
  X(genotypes, REAL, hwe, 0.0, 0.0, 1.0, IRL_FOR_COLUMNS, IRL_FROM_GENOTYPES, IRL_CHANGES,         \
    "least p of the exact Hardy-Weinberg test among controls")                                     \
  X(genotypes, FLAG, vcf_filter, 0, 0, 1, IRL_FOR_COLUMNS, IRL_FROM_VCF, IRL_CHANGES,              \
    "only variants whose FILTER is PASS or missing")                                               \
  X(genotypes, REAL, dosage, 0.0, 0.0, 0.5, IRL_FOR_READ, IRL_FROM_VCF, IRL_CHANGES,               \
    "use DS: call a genotype if DS is within this of 0, 1 or 2 (0: use GT)")                       \
  X(genotypes, REAL, ld_r2, 0.8, 0.0, 1.0, IRL_FOR_FIT, IRL_FROM_GENOTYPES, IRL_KEEPS,             \
    "list variants with at least this r2 to one of the rule, within 1 Mb")                         \
  X(genotypes, BYTES, genes, 0, 0, 0, IRL_FOR_FIT, IRL_FROM_GENOTYPES, IRL_KEEPS,                  \
    "lines of BED or GFF: names the genes of the rule's variants")                                 \
  X(genotypes, FLAG, het, 0, 0, 1, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                        \
    "variants also give x:het, exactly one counted allele")                                        \
  X(genotypes, REAL, prune_ld, 1.0, 0.0, 1.0, IRL_FOR_COLUMNS, IRL_FROM_PLACED, IRL_CHANGES,       \
    "greatest r2 of variants, in windows of 50 that move by 5")

#define IRL_OPTION_TABLE(X)                                                                        \
  IRL_DATA_OPTIONS(X)                                                                              \
  IRL_RULE_OPTIONS(X)                                                                              \
  IRL_SEARCH_OPTIONS(X) IRL_LIMITS_OPTIONS(X) IRL_OUTPUT_OPTIONS(X) IRL_GENOTYPES_OPTIONS(X)

#define IRL_TYPE_FLAG     bool
#define IRL_TYPE_INTEGER  int64_t
#define IRL_TYPE_REAL     double
#define IRL_TYPE_TEXT     const char *
#define IRL_TYPE_METHOD   irl_method
#define IRL_TYPE_FORM     irl_form
#define IRL_TYPE_LOSS     irl_loss
#define IRL_TYPE_WEIGHTS  irl_weights
#define IRL_TYPE_MISSING  irl_missing
#define IRL_TYPE_PROFILE  irl_profile
#define IRL_TYPE_EFFORT   irl_effort
#define IRL_TYPE_CHOICE   irl_choice
#define IRL_TYPE_VALIDATE irl_validate
#define IRL_TYPE_CUTS     irl_cuts
#define IRL_TYPE_RULE     const irl_rule *
#define IRL_TYPE_POOL     const irl_pool *
#define IRL_TYPE_SINK     const irl_checkpoint_sink *
#define IRL_TYPE_BYTES    const irl_bytes *
#define IRL_TYPE_GRID     const irl_cv_grid *
#define IRL_FIELD_ROW(group, type, name, preset, low, high, jobs, inputs, changes, help)           \
  IRL_TYPE_##type name;
/* Each group ends in space for options of later versions. */
#define IRL_N_RESERVED 16
typedef struct irl_data_options {
  IRL_DATA_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED - 5];
} irl_data_options;
typedef struct irl_rule_options {
  IRL_RULE_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED];
} irl_rule_options;
typedef struct irl_search_options {
  IRL_SEARCH_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED - 3];
} irl_search_options;
typedef struct irl_limits_options {
  IRL_LIMITS_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED];
} irl_limits_options;
typedef struct irl_output_options {
  IRL_OUTPUT_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED - 2];
} irl_output_options;
typedef struct irl_genotypes_options {
  IRL_GENOTYPES_OPTIONS(IRL_FIELD_ROW) const void *reserved[IRL_N_RESERVED - 2];
} irl_genotypes_options;
#undef IRL_FIELD_ROW

/* All options of a job. irl_options_init sets `size` and the defaults; a struct of an older header
 * is shorter, and what it lacks has its default. */
typedef struct irl_options {
  size_t size;
  irl_data_options data;
  irl_rule_options rule;
  irl_search_options search;
  irl_limits_options limits;
  irl_output_options output;
  irl_genotypes_options genotypes;
} irl_options;

typedef enum irl_option_type {
  IRL_OPTION_FLAG,
  IRL_OPTION_INTEGER,
  IRL_OPTION_REAL,
  IRL_OPTION_TEXT,
  IRL_OPTION_WORD, /* an enum */
  IRL_OPTION_CUTS,
  IRL_OPTION_OBJECT /* a pointer that no text stands for */
} irl_option_type;

typedef struct irl_option_info {
  const char *name; /* the field's name; on the command line '_' is '-' */
  irl_option_type type;
  double preset, low, high; /* of numbers */
  unsigned jobs;            /* IRL_FOR_... */
  unsigned inputs;          /* IRL_FROM_... */
  bool changes;             /* the answer */
  const char *help;
  size_t offset;            /* in its options struct */
  const char *const *words; /* of WORD: the texts of its values, of which the first is "" */
  size_t n_words;
} irl_option_info;

#ifdef __cplusplus
}
#endif
#endif
