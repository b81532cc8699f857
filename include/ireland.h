/* ireland: readable Boolean rules (an OR of AND clauses) from binary data.
 *
 * A complete program, which learns a rule of two clauses from a CSV file and prints it:
 *
 *   #include <ireland.h>
 *   #include <stdio.h>
 *
 *   int main(int n, char **words) {
 *     irl_env *env = NULL;
 *     irl_data *data = NULL;
 *     irl_fit_result *fit = NULL;
 *     irl_options options;
 *     char *text = NULL;
 *     irl_options_init(&options, sizeof options);
 *     options.rule.K = 2;
 *     if (irl_env_create(NULL, &env)) return 1;
 *     const bool failed = irl_data_read(env, n > 1 ? words[1] : "-", &options, &data) ||
 *                         irl_fit(env, data, &options, &fit) ||
 *                         irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_TEXT, &text);
 *     puts(failed ? irl_env_error(env) : text);
 *     irl_text_free(env, text);
 *     irl_fit_free(fit);
 *     irl_data_free(data);
 *     irl_env_free(env);
 *     return 0;
 *   }
 *
 * The other headers: ireland_options.h (included here) is the table of options, ireland_data.h has
 * more ways for data to come in, ireland_study.h cross-validation, curves and pages,
 * ireland_model.h linear and mixed-integer programs, ireland_comm.h several processes.
 *
 * States and ownership
 *   - An irl_env is the handle of a solver: it carries the allocator, the hooks and the text of the
 *     last error. Use one env per thread of yours; irl_env_stop alone may be called from any thread
 *     or a signal handler. Jobs in several envs may run at once, on the same data too.
 *   - irl_table, irl_coding, irl_data, irl_rule and results are immutable once made: any number of
 *     threads may read them. Each remembers its allocator and is freed by its own *_free, which
 *     takes NULL too, before or after its env. An irl_model alone keeps the answer of its last
 *     solve: use it in one thread at a time.
 *   - A process may fork, though not while a job runs in the same env. In the child, jobs in the
 *     thread that forked have one thread if they had more before; the answers are the same. If that
 *     thread has had parallel regions of the program's own, but no job, a job with several threads
 *     may wait for ever in the child: set the option threads to 1 there, or start a thread for it.
 *   - Functions that can fail return irl_status. On failure out-parameters are untouched and
 *     irl_env_error says what is wrong, with file, line and column where there is a file.
 *   - Structs begin with their size, by which programs and libraries of different versions get
 *     along: irl_fit_info info = IRL_SIZED(irl_fit_info); The library writes no more of one than
 * the caller has, and takes what the caller's lacks for 0 or NULL.
 *   - irl_outcome says how a search ended. Reaching a limit is an outcome, not a failure.
 *   - The library never prints, never exits and installs no signal handler. Threads of OpenBLAS are
 *     the program's affair; methods bp1 to bp6 and brcg and irl_model_solve are fastest with one.
 *   - Numbers in options, files and texts have a decimal point, whatever locale the program sets.
 *     Binary files are the same on every machine.
 */
#ifndef IRELAND_H
#define IRELAND_H

#include "ireland_options.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define IRL_API __attribute__((visibility("default")))
#else
#define IRL_API
#endif

#define IRL_VERSION "0.1.0"
/* 10000 times major, 100 times minor and patch together. */
#define IRL_VERSION_NUMBER 100

/* ---- status and outcome ------------------------------------------------------------------- */

/* X(name, text): how a call ended. */
#define IRL_STATUS_TABLE(X)                                                                        \
  X(IRL_STATUS_OK, "done")                                                                         \
  X(IRL_STATUS_NO_MEMORY, "out of memory")                                                         \
  X(IRL_STATUS_BAD_ARGUMENT, "bad argument")                                                       \
  X(IRL_STATUS_BAD_INPUT, "bad input")                                                             \
  X(IRL_STATUS_CANNOT_WRITE, "cannot write")                                                       \
  X(IRL_STATUS_INTERNAL, "internal error")                                                         \
  X(IRL_STATUS_PROCESS_LOST, "a process of the team has ended")                                    \
  X(IRL_STATUS_LIMIT, "a limit or a request to stop came first")

/* X(name, text): how a search ended. */
#define IRL_OUTCOME_TABLE(X)                                                                       \
  X(IRL_OUTCOME_OPTIMAL, "optimal")                                                                \
  X(IRL_OUTCOME_FEASIBLE, "feasible")                                                              \
  X(IRL_OUTCOME_LIMIT, "limit")                                                                    \
  X(IRL_OUTCOME_INTERRUPTED, "interrupted")                                                        \
  X(IRL_OUTCOME_INFEASIBLE, "infeasible")                                                          \
  X(IRL_OUTCOME_UNBOUNDED, "unbounded")

/* X(name, text): what the time of a fit goes to; the last is certificate and lists of rules. */
#define IRL_PHASE_TABLE(X)                                                                         \
  X(IRL_PHASE_READING, "reading")                                                                  \
  X(IRL_PHASE_SEARCHING, "searching")                                                              \
  X(IRL_PHASE_REFINING, "refining")                                                                \
  X(IRL_PHASE_PROVING, "proving")                                                                  \
  X(IRL_PHASE_SHORTENING, "shortening")                                                            \
  X(IRL_PHASE_FINISHING, "finishing")

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_status { IRL_STATUS_TABLE(IRL_ENUM_ROW) IRL_N_STATUS } irl_status;
typedef enum irl_outcome { IRL_OUTCOME_TABLE(IRL_ENUM_ROW) IRL_N_OUTCOME } irl_outcome;
typedef enum irl_phase { IRL_PHASE_TABLE(IRL_ENUM_ROW) IRL_N_PHASE } irl_phase;
#undef IRL_ENUM_ROW

IRL_API const char *irl_status_text(irl_status status);
IRL_API const char *irl_outcome_text(irl_outcome outcome);
IRL_API const char *irl_phase_text(irl_phase phase);

/* The library that is linked, which may be another than this header's. */
typedef struct irl_build {
  size_t size;
  const char *version;
  const char *compiler;
  const char *kernel; /* the bit kernels for this machine */
  const char *blas;   /* OpenBLAS and how it was configured, or that there is none */
  unsigned xxhash;    /* 802 is 0.8.2 */
  int openmp;         /* year and month of the standard, as 201511; 0: one thread, without it */
  bool has_assertions;
} irl_build;

IRL_API const char *irl_version(void);
IRL_API int irl_version_number(void);
IRL_API irl_status irl_build_describe(irl_build *build);

/* Texts that the library makes are for people or for machines; the last two are for predictions. */
typedef enum irl_format {
  IRL_FORMAT_TEXT,
  IRL_FORMAT_JSON,
  IRL_FORMAT_CSV,
  IRL_FORMAT_JSON_LINES
} irl_format;

/* ---- environment -------------------------------------------------------------------------- */

typedef struct irl_env irl_env;
typedef struct irl_data irl_data;

/* Like realloc: `memory` NULL allocates, `size` 0 frees. Called from several threads at once. */
typedef struct irl_allocator {
  size_t size;
  void *(*resize)(void *user, void *memory, size_t size);
  void *user;
} irl_allocator;

typedef enum irl_log_kind { IRL_LOG_NOTE, IRL_LOG_WARNING, IRL_LOG_PROGRESS } irl_log_kind;

/* One line without its newline. Called from the thread that called the library. */
typedef void (*irl_log_hook)(void *user, irl_log_kind kind, const char *line);

/* What a job has come to; NaN stands for what is not known (yet). */
typedef struct irl_progress {
  size_t size;
  const char *part; /* what runs now, as "proof"; "reading": data */
  double seconds;   /* since irl_env_create */
  uint64_t work;
  double objective, bound, share, left; /* share of this part that is done, seconds left */
} irl_progress;

/* Called about ten times a second while a job runs, from the thread that called the library. An
 * answer other than 0 asks to stop, as irl_env_stop does; the hook may be called again before the
 * job has ended. */
typedef int (*irl_progress_hook)(void *user, const irl_progress *progress);

typedef struct irl_incumbent { /* a rule that is better than those before */
  size_t size;
  const irl_rule *rule; /* during the call only; with the option cnf it is for the other class */
  double objective, bound;
  uint64_t work;
} irl_incumbent;

/* Called by irl_fit and its kin, like the progress hook: the better rules in order, the last one
 * being that of the result or as good. */
typedef int (*irl_incumbent_hook)(void *user, const irl_incumbent *incumbent);

typedef struct irl_run { /* what may differ between two runs of the same job */
  size_t size;
  int threads;
  double seconds; /* since irl_env_create */
  double peak_mb; /* of the process */
  const char *kernel;
} irl_run;

/* `allocator` NULL: malloc and free. */
IRL_API irl_status irl_env_create(const irl_allocator *allocator, irl_env **env);
IRL_API void irl_env_free(irl_env *env);
/* Hooks; NULL takes one back. One may use the env to show or save a rule, not for another job. */
IRL_API void irl_env_set_log(irl_env *env, irl_log_hook hook, void *user);
IRL_API void irl_env_set_progress(irl_env *env, irl_progress_hook hook, void *user);
IRL_API void irl_env_set_incumbent(irl_env *env, irl_incumbent_hook hook, void *user);
/* The sentence of the last failure, "" if there was none; valid until the next call with env. */
IRL_API const char *irl_env_error(const irl_env *env);
/* Asks what runs in env, now or later, to end with the best it has, until that is taken back. Safe
 * in signal handlers and other threads. */
IRL_API void irl_env_stop(irl_env *env);
IRL_API void irl_env_clear_stop(irl_env *env);
/* The option memory_limit counts what the process has beyond what it had when the call began. From
 * here on it counts from here on, for all calls with env. */
IRL_API void irl_env_count_memory(irl_env *env);
IRL_API irl_status irl_env_run(const irl_env *env, irl_run *run);
/* The whole file, unpacked if gzip has compressed it, "-" standard input; and its end. */
IRL_API irl_status irl_file_read(irl_env *env, const char *path, irl_bytes *bytes);
IRL_API void irl_bytes_free(irl_env *env, irl_bytes *bytes);
/* Writes a file, which appears whole or not at all; `size` of a text is its strlen. */
IRL_API irl_status irl_file_write(irl_env *env, const char *path, const void *bytes, size_t size);
/* Could a file be written there? To be asked before long work; nothing is changed. */
IRL_API irl_status irl_file_check(irl_env *env, const char *path);
/* Frees texts that the library handed out. */
IRL_API void irl_text_free(irl_env *env, char *text);

/* ---- options ------------------------------------------------------------------------------ */

/* Sets all options to their defaults; `size` is sizeof *options, by which a program that was built
 * with an older header gets along with a newer library. */
IRL_API void irl_options_init(irl_options *options, size_t size);
/* Bytes of irl_options in the library that is linked, for callers that do not read this header. */
IRL_API size_t irl_options_size(void);
/* `value` NULL or "" sets a flag. */
IRL_API irl_status irl_options_set(irl_env *env, irl_options *options, const char *name,
                                   const char *value);
/* The rows of the table; `count` may be NULL. */
IRL_API const irl_option_info *irl_options_table(size_t *count);
/* Parses `value` into the field of `options` that `info` describes; for own tables as well. */
IRL_API irl_status irl_option_parse(irl_env *env, const irl_option_info *info, void *options,
                                    const char *value);
/* The limits on time and memory of these options hold, from here on, for all reading with env, also
 * of files for which no options are given: rules, pools, models, certificates. */
IRL_API irl_status irl_env_limit_reading(irl_env *env, const irl_options *options);

/* What every call asks first: are options in range, and can each that is set and belongs to these
 * jobs (IRL_FOR_...) have an effect, beside others and on this input (IRL_FROM_..., 0: any)? */
IRL_API irl_status irl_options_check(irl_env *env, const irl_options *options, unsigned jobs,
                                     unsigned input);
/* The name that is nearest to a word, for "did you mean"; NULL if none is near. */
IRL_API const char *irl_suggest(const char *word, const char *const *names, size_t n);

/* ---- data --------------------------------------------------------------------------------- */

typedef struct irl_data_info {
  size_t size;
  uint64_t samples, features, cases, controls;
  double density;           /* fraction of ones among all feature cells */
  double sparsest, densest; /* the least and the greatest density of a feature */
  uint64_t checksum;        /* of names, labels and bits; the same for every file format */
  bool has_labels;
  const char *target;   /* name of the label column */
  const char *positive; /* label of the cases, */
  const char *negative; /* and of the controls */
} irl_data_info;

/* By extension: .csv .tsv .txt .arff .svm .libsvm .bed .irb; "-" is CSV on standard input. The same
 * as irl_table_read, irl_table_code and irl_table_data with all samples. IRL_STATUS_LIMIT: large
 * data were not read within the options' limits. */
IRL_API irl_status irl_data_read(irl_env *env, const char *path, const irl_options *options,
                                 irl_data **data);
/* Reads only what `rule` needs; columns it does not name may hold anything. The rule's own target
 * and label stand where the options name none. Unless `labelled`, the label column may be missing.
 */
IRL_API irl_status irl_data_read_for(irl_env *env, const char *path, const irl_options *options,
                                     const irl_rule *rule, bool labelled, irl_data **data);
/* `cells`: n_samples rows of n_features bytes, 0 or 1; `labels` one byte per sample, NULL: none;
 * `names` NULL gives f1, f2, ... All are copied. */
IRL_API irl_status irl_data_from_bytes(irl_env *env, uint32_t n_samples, uint32_t n_features,
                                       const uint8_t *cells, const uint8_t *labels,
                                       const char *const *names, irl_data **data);
/* .csv .tsv .svm .libsvm .irb by extension. The file appears whole or not at all. Not for the
 * features of a table of other columns than 0/1: that is written by irl_table_write. */
IRL_API irl_status irl_data_write(irl_env *env, const irl_data *data, const char *path);
IRL_API void irl_data_free(irl_data *data);
IRL_API irl_status irl_data_describe(const irl_data *data, irl_data_info *info);
IRL_API irl_status irl_data_render(irl_env *env, const irl_data *data, irl_format format,
                                   char **text);
IRL_API const char *irl_data_feature(const irl_data *data, uint32_t feature);
/* The label of a sample, in the order of the file: 1 case, 0 control. */
IRL_API int irl_data_label(const irl_data *data, uint32_t sample);

/* ---- raw tables and their coding ------------------------------------------------------------ */

/* A file as it is: typed columns, missing values, labels, weights. Immutable once read. */
typedef struct irl_table irl_table;
IRL_API irl_status irl_table_read(irl_env *env, const char *path, const irl_options *options,
                                  irl_table **table);

IRL_API void irl_table_free(irl_table *table);

/* ---- rules -------------------------------------------------------------------------------- */

typedef struct irl_rule_info {
  size_t size;
  uint32_t clauses, literals, K, M;
  const char *target, *positive, *negative; /* NULL if the rule does not say */
} irl_rule_info;

IRL_API irl_status irl_rule_read(irl_env *env, const char *path, irl_rule **rule);
/* JSON, whole or not at all. */
IRL_API irl_status irl_rule_write(irl_env *env, const irl_rule *rule, const char *path);
IRL_API irl_status irl_rule_parse_json(irl_env *env, const char *json, size_t length,
                                       irl_rule **rule);
/* Text: "(a AND NOT b) OR (c)"; "FALSE" without clauses. */
IRL_API irl_status irl_rule_render(irl_env *env, const irl_rule *rule, irl_format format,
                                   char **text);
/* The rule as code; `to`: c, python, sql, r, javascript, text; of variants plink2, bcftools. */
IRL_API irl_status irl_rule_export(irl_env *env, const irl_rule *rule, const char *to, char **text);
IRL_API void irl_rule_free(irl_rule *rule);
IRL_API irl_status irl_rule_describe(const irl_rule *rule, irl_rule_info *info);
IRL_API uint32_t irl_rule_clause_size(const irl_rule *rule, uint32_t clause);
/* The feature of a literal; NULL: there is no such literal. `negated` may be NULL. */
IRL_API const char *irl_rule_literal(const irl_rule *rule, uint32_t clause, uint32_t literal,
                                     bool *negated);

/* ---- evaluation and prediction -------------------------------------------------------------- */

/* Quantities that are not defined (no cases, no controls) are NaN, null in JSON. */
typedef struct irl_evaluation {
  size_t size;
  uint64_t tp, fp, tn, fn;
  double sensitivity, specificity, accuracy, balanced_accuracy;
  double weighted_error; /* the paper's (N1*FP + N0*FN)/N */
  double normalized;     /* that over N */
  double hamming_loss;   /* (N1 * sum over controls of clauses satisfied + N0*FN)/N */
  /* With weights of samples: the same with a sample counted as often as it weighs; else NaN. */
  double accuracy_by_weight, balanced_accuracy_by_weight;
  double errors_by_weight, weighted_error_by_weight; /* in the user's weights */
} irl_evaluation;

IRL_API irl_status irl_evaluate(irl_env *env, const irl_rule *rule, const irl_data *data,
                                irl_evaluation *evaluation);
/* The whole answer of `ireland evaluate`, with a row per clause. */
IRL_API irl_status irl_evaluate_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                                       irl_format format, char **text);

typedef struct irl_verdict { /* what a rule says of one sample */
  size_t size;
  uint32_t sample;  /* in the order of the file */
  int predicted;    /* 1 case, 0 control */
  int label;        /* 1, 0, or -1 where the data has none */
  uint32_t n_fired; /* clauses that fired: */
  const uint32_t *fired;
  uint32_t closest;  /* if none fired: the clause that misses fewest literals, */
  uint32_t n_missed; /* and the literals of it that the sample misses */
  const uint32_t *missed;
  double probability, low, high;     /* share of cases among samples learnt from on which the same
                                        clauses fire, with a 95 % interval; NaN: the rule has none */
  uint64_t like_cases, like_samples; /* of these samples */
  bool undecided;                    /* missing values decide: the class could be either, */
  uint32_t n_measure;                /* until these columns are known */
  const char *const *measure;
  const char *id; /* what identifies the sample; NULL: nothing does */
} irl_verdict;

/* Calls `visit` for each sample in the order of the file; a non-zero answer ends the walk. */
IRL_API irl_status irl_predict(irl_env *env, const irl_rule *rule, const irl_data *data,
                               int (*visit)(void *user, const irl_verdict *verdict), void *user);
/* Predicts into memory: a byte per sample, and in `fired` (NULL: not wanted) a row per sample with
 * a byte per clause. */
IRL_API irl_status irl_predict_bytes(irl_env *env, const irl_rule *rule, const irl_data *data,
                                     uint8_t *predicted, uint8_t *fired);
/* The whole answer of `ireland predict`: a line or an object per sample, with the reasons if
 * `explain`. */
IRL_API irl_status irl_predict_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                                      irl_format format, bool explain, char **text);

/* ---- learning ------------------------------------------------------------------------------ */

typedef struct irl_fit_result irl_fit_result;

typedef struct irl_fit_info {
  size_t size;
  irl_outcome outcome; /* optimal, feasible, limit, interrupted; infeasible: no rule is within the
                          limits on sensitivity and specificity */
  /* The sum of the weights of the errors, NaN without a rule: with weights unit their number, or
   * the weights of the samples that are wrong; balanced (N1*FP + N0*FN)/N, by the samples' weights
   * if they have any. For the Hamming loss a control counts for each clause that covers it. A
   * penalty is its share of `total` for each clause and literal. */
  double objective;
  double bound; /* no rule with at most K clauses of at most M literals has less */
  double gap;   /* (objective - bound) / objective, 0 if both are 0 */
  double total; /* the objective of a rule that is wrong everywhere */
  double rate;  /* objective over total */
  uint64_t samples, features;
  uint32_t K, M;
  const char *method;
  uint64_t seed, work, nodes; /* after resume with those of the checkpoint */
  uint32_t permutations;      /* that were made */
  double p_value;             /* the share of them, with the true labels among them, whose strongest
                                 clause is as strong as the rule's strongest one; NaN without any */
  double best_seconds;        /* when such a rule was found; may differ between two runs */
  uint64_t best_work;         /* the work that had been done then: the same in every run */
  double phase_seconds[8];    /* by irl_phase; may differ between two runs */
  const char *bound_by;       /* the method that proved the bound, or the rule */
} irl_fit_info;

/* Learns a rule. The data must live as long as the result. Samples are held out and labels shuffled
 * in tables only, by irl_fit_table: options test and permutations are refused here. */
IRL_API irl_status irl_fit(irl_env *env, const irl_data *data, const irl_options *options,
                           irl_fit_result **result);
/* Learns from a table: the coding is learnt too. With the option `test` a share of the samples is
 * held out of both and the rule evaluated on it; with `permutations` the whole search is made with
 * shuffled labels as well; with `validate` (none here, unless it is given) on parts of the samples.
 * `tune` chooses settings before (irl_fit_tuning). The table must live as long as the result. */
IRL_API irl_status irl_fit_table(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_fit_result **result);
/* The rule on the samples that were held out; false if there are none. */
IRL_API bool irl_fit_test(const irl_fit_result *result, irl_evaluation *evaluation);
IRL_API void irl_fit_free(irl_fit_result *result);
/* With the option cnf: the rule for the other class, of which the CNF is the negation; numbers are
 * about the classes as they were given. */
IRL_API const irl_rule *irl_fit_rule(const irl_fit_result *result);
IRL_API irl_status irl_fit_describe(const irl_fit_result *result, irl_fit_info *info);
/* Why there is no rule, or an empty one, and what could be reached; NULL: there is one. */
IRL_API const char *irl_fit_reason(const irl_fit_result *result);
/* With the option certificate the proof of a proven rule, as a text; NULL: not asked for, not
 * proven, or the limits left no room for it (a warning). */
IRL_API irl_status irl_fit_certificate(irl_env *env, const irl_fit_result *result, char **text);
/* The clauses that were found, to choose from again by the option pool on the same data. */
IRL_API irl_status irl_fit_pool(irl_env *env, const irl_fit_result *result, irl_pool **pool);
IRL_API irl_status irl_pool_read(irl_env *env, const char *path, irl_pool **pool);
IRL_API irl_status irl_pool_write(irl_env *env, const irl_pool *pool, const char *path);
IRL_API void irl_pool_free(irl_pool *pool);
/* After the option resume: the checkpoint whose bound is the result's, if this run did not show the
 * bound itself; such a result is never optimal. NULL: the bound rests on no checkpoint. */
IRL_API const char *irl_fit_rests_on(const irl_fit_result *result);
/* The option checkpoint was given, and in the end it could not be kept. */
IRL_API bool irl_fit_lost_checkpoint(const irl_fit_result *result);
/* With the options all_optimal and within: rules of at most (1 + within) times the best loss in
 * which no clause and no literal can be dropped without making it larger, best first.
 * `*is_complete`: there are no others. */
IRL_API uint32_t irl_fit_n_optimal_rules(const irl_fit_result *result, bool *is_complete);
/* Number i of them as a rule of its own. */
IRL_API irl_status irl_fit_optimal_rule(irl_env *env, const irl_fit_result *result, uint32_t i,
                                        irl_rule **rule);
/* The whole answer of `ireland fit`: the rule, how good it is, a row per clause. The rows and the
 * equivalent literals of a CNF are those of the same rule as a DNF for the other label, which JSON
 * names in "statistics_and_equivalents_for". */
IRL_API irl_status irl_fit_render(irl_env *env, const irl_fit_result *result, irl_format format,
                                  char **text);

/* ---- certificates ---------------------------------------------------------------------------- */

/* The proof of `fit --prove --certificate`, and the scope that it is about. */
typedef struct irl_certificate irl_certificate;

typedef struct irl_verification {
  size_t size;
  bool valid;       /* the certificate proves that no rule of its scope is better */
  bool cut;         /* a limit or a request to stop came first: neither valid nor invalid */
  uint64_t line;    /* of the certificate where it fails; 0 if valid or cut */
  char reason[400]; /* why, if it is not valid */
  uint64_t nodes, clauses, work;   /* of the proof; clauses that were listed to check it */
  uint64_t cases, controls, rules; /* that the rule covers; of a list proven complete, or 0 */
  double loss, most;               /* of the rule; of the list, at most */
  char rule[400];                  /* in words, if it is the certificate's */
} irl_verification;

/* From a text, as irl_fit_certificate gives it, or a file, which irl_verify looks at. */
IRL_API irl_status irl_certificate_parse(irl_env *env, const irl_bytes *bytes,
                                         irl_certificate **certificate);
IRL_API irl_status irl_certificate_read(irl_env *env, const char *path,
                                        irl_certificate **certificate);
IRL_API void irl_certificate_free(irl_certificate *certificate);
/* The scope as a line of text or as JSON. */
IRL_API irl_status irl_certificate_scope(irl_env *env, const irl_certificate *certificate,
                                         irl_format format, char **text);
/* Takes back all that the scope of a certificate says: none of these options is given. */
IRL_API void irl_certificate_clear_options(irl_options *options);
/* Sets the options to what the scope says, for coding the data. Those that are given must say the
 * same. How a file is read (types, texts of missing values, delimiter, header) is no part of a
 * scope: it is given again for the same file. Texts stay the certificate's. */
IRL_API irl_status irl_certificate_options(irl_env *env, const irl_certificate *certificate,
                                           irl_options *options);
/* Replays the proof in integer arithmetic, sharing no code with the search, at about its cost. Of
 * the options the limits on time, work and memory and the threads count. A few lines may ask for
 * any amount of work: if no limit on time or work is set, 2^38 words and 2^24 for each byte of the
 * certificate are one (minutes for a short one), and lists take 1 GB at most. Rule (NULL: the
 * certificate's), data and certificate must be of one scope. A certificate that does not hold is an
 * answer, not a failure. */
IRL_API irl_status irl_verify(irl_env *env, const irl_rule *rule, const irl_data *data,
                              const irl_options *options, const irl_certificate *certificate,
                              irl_verification *verification);
/* Verifies on a table: coding and hold-out are made again, by irl_certificate_options. */
IRL_API irl_status irl_verify_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                                    const irl_options *options, const irl_certificate *certificate,
                                    irl_verification *verification);
/* The whole answer of `ireland verify`. */
IRL_API irl_status irl_verify_render(irl_env *env, const irl_verification *verification,
                                     const irl_certificate *certificate, irl_format format,
                                     char **text);

#ifdef __cplusplus
}
#endif
#endif
