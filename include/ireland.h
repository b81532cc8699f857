/* ireland: readable Boolean rules (an OR of AND clauses) from binary data.
 *
 * A complete program, which learns the rule that hides in generated data:
 *
 *   #include <ireland.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     irl_env *env = NULL;
 *     irl_data *data = NULL;
 *     irl_fit_result *fit = NULL;
 *     irl_options options;
 *     char *text = NULL;
 *     irl_options_init(&options);
 *     if (irl_env_create(NULL, &env)) return 1;
 *     if (irl_options_set(env, &options, "K", "2") || irl_generate(env, &options, &data, NULL) ||
 *         irl_fit(env, data, &options, &fit) ||
 *         irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_TEXT, &text))
 *       printf("%s\n", irl_env_error(env));
 *     else
 *       printf("%s\n", text);
 *     irl_text_free(env, text);
 *     irl_fit_free(fit);
 *     irl_data_free(data);
 *     irl_env_free(env);
 *     return 0;
 *   }
 *
 * States and ownership
 *   - An irl_env is the handle of a solver: it carries the allocator, the hooks and the text of the
 *     last error. Use one env per thread of yours; irl_env_stop alone may be called from any thread
 *     or a signal handler. Jobs in several envs may run at once, on the same data too.
 *   - irl_table, irl_coding, irl_data, irl_rule and results are immutable once made: any number of
 *     threads may read them. Each remembers its allocator and is freed by its own *_free, which
 *     takes NULL too, before or after its env. An irl_model alone keeps the answer of its last
 *     solve: use it in one thread at a time.
 *   - A process may fork before and after it has used the library, though not while a job runs in
 *     the same env. In the child, jobs in the thread that forked have one thread if they had more
 *     before, because those of OpenMP are not there any more; the answers are the same. What the
 *     library cannot see is OpenMP of the program's own: if the thread that forks has had parallel
 *     regions, but no job, then a job with several threads in the same thread of the child may wait
 *     for ever (as any region there would, with GNU's OpenMP). There set the option threads to 1 or
 *     call the library from a thread that the child has started.
 *   - Functions that can fail return irl_status. On failure out-parameters are untouched and
 *     irl_env_error says what is wrong, with file, line and column where there is a file.
 *   - irl_outcome says how a search ended. Reaching a limit is an outcome, not a failure.
 *   - The library never prints, never exits and installs no signal handler. It leaves the number of
 *     threads of OpenBLAS to the program; irl_fit with methods bp1 to bp6 or brcg and
 *     irl_model_solve are fastest with one.
 *   - Numbers in options, files and texts have a decimal point, whatever locale the program sets.
 *     Binary files are the same on every machine.
 */
#ifndef IRELAND_H
#define IRELAND_H

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

/* The library that is linked, which may be another than this header's. */
typedef struct irl_build {
  const char *version;
  const char *compiler;
  const char *kernel; /* the bit kernels for this machine */
  const char *blas;   /* OpenBLAS and how it was configured */
  unsigned xxhash;    /* 802 is 0.8.2 */
  int openmp;         /* year and month of the standard, as 201511 */
  bool has_assertions;
} irl_build;

IRL_API const char *irl_version(void);
IRL_API void irl_build_describe(irl_build *build);

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

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_status { IRL_STATUS_TABLE(IRL_ENUM_ROW) IRL_N_STATUS } irl_status;
typedef enum irl_outcome { IRL_OUTCOME_TABLE(IRL_ENUM_ROW) IRL_N_OUTCOME } irl_outcome;
#undef IRL_ENUM_ROW

IRL_API const char *irl_status_text(irl_status status);
IRL_API const char *irl_outcome_text(irl_outcome outcome);

/* Texts that the library makes are for people or for machines. */
typedef enum irl_format { IRL_FORMAT_TEXT, IRL_FORMAT_JSON } irl_format;

/* ---- environment -------------------------------------------------------------------------- */

typedef struct irl_env irl_env;
typedef struct irl_data irl_data;
typedef struct irl_rule irl_rule;

/* Like realloc: `memory` NULL allocates, `size` 0 frees. Called from several threads at once. */
typedef struct irl_allocator {
  void *(*resize)(void *user, void *memory, size_t size);
  void *user;
} irl_allocator;

typedef enum irl_log_kind { IRL_LOG_NOTE, IRL_LOG_WARNING, IRL_LOG_PROGRESS } irl_log_kind;

/* One line without its newline. Called from the thread that called the library. */
typedef void (*irl_log_hook)(void *user, irl_log_kind kind, const char *line);

/* What a job has come to. Objective and bound are NaN where they are not known (yet). */
typedef struct irl_progress {
  const char *part; /* what runs now, as "proof" */
  double seconds;   /* since irl_env_create */
  uint64_t work;
  double objective, bound;
} irl_progress;

/* Called about ten times a second while a job runs, from the thread that called the library. An
 * answer other than 0 asks to stop, as irl_env_stop does. */
typedef int (*irl_progress_hook)(void *user, const irl_progress *progress);

/* A rule that is better than those before. */
typedef struct irl_incumbent {
  const irl_rule *rule; /* during the call only; with the option cnf it is for the other class */
  double objective, bound;
  uint64_t work;
} irl_incumbent;

/* Called by irl_fit and its kin, like the progress hook: the better rules in order, the last one
 * being that of the result or as good. */
typedef int (*irl_incumbent_hook)(void *user, const irl_incumbent *incumbent);

/* What may differ between two runs of the same job. */
typedef struct irl_run {
  int threads;
  double seconds; /* since irl_env_create */
  double peak_mb; /* of the process */
  const char *kernel;
} irl_run;

/* `allocator` NULL: malloc and free. */
IRL_API irl_status irl_env_create(const irl_allocator *allocator, irl_env **env);
IRL_API void irl_env_free(irl_env *env);
/* Hooks; NULL takes one back. A hook may use the env to show or save a rule, not for another job.
 */
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
IRL_API void irl_env_run(const irl_env *env, irl_run *run);
/* Writes a text to a file, which appears whole or not at all. */
IRL_API irl_status irl_text_save(irl_env *env, const char *path, const char *text);
/* Could a file be written there? To be asked before long work; nothing is changed. */
IRL_API irl_status irl_output_check(irl_env *env, const char *path);
/* Frees texts that the library handed out. */
IRL_API void irl_text_free(irl_env *env, char *text);

/* ---- communicators ------------------------------------------------------------------------ */

/* Several processes (or threads with an env each) that learn together, each holding a part of the
 * data. The caller brings the collectives; all processes enter them in the same order. They return
 * false if a process has ended, and are not called any more then.
 *
 * The root (rank 0) sets the communicator for its env and uses the library as ever: data that it
 * reads from files is divided, and irl_fit, irl_fit_for_curve, irl_clause_solve, irl_evaluate and
 * irl_predict work on the parts, with the same results as alone. The other processes call
 * irl_comm_serve meanwhile. A divided data set belongs to its env. */
typedef struct irl_comm {
  int rank, size;
  int on_this_machine; /* processes that share its memory */
  void *user;
  /* `n` bytes of rank `root` to all. */
  bool (*broadcast)(void *user, int root, void *bytes, size_t n);
  /* Each number becomes the sum over all processes. */
  bool (*allreduce)(void *user, uint64_t *numbers, size_t n);
  /* The bytes of all processes, sizes[i] of rank i, one after the other, to all. */
  bool (*allgatherv)(void *user, const void *mine, void *all, const size_t *sizes);
  /* out_sizes[i] bytes to rank i, one after the other in `out`; in_sizes[i] from rank i. */
  bool (*alltoallv)(void *user, const void *out, const size_t *out_sizes, void *in,
                    const size_t *in_sizes);
  /* The next number of a shared counter: 0, 1, 2, ... Called from any thread. */
  uint64_t (*fetch_add)(void *user);
  void (*reset_counter)(void *user);
} irl_comm;

/* NULL: one process. The collectives are copied, not `user`. */
IRL_API irl_status irl_env_set_comm(irl_env *env, const irl_comm *comm);
/* What all processes but the root do, until the root ends it. */
IRL_API irl_status irl_comm_serve(irl_env *env);
/* By the root, after its last job: the other processes return from irl_comm_serve. */
IRL_API irl_status irl_comm_end(irl_env *env);

/* ---- options ------------------------------------------------------------------------------ */

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

/* Which inputs an option can have an effect on; on others it is refused. */
#define IRL_FROM_TEXT   1u /* .csv .tsv .txt */
#define IRL_FROM_ARFF   2u
#define IRL_FROM_LIBSVM 4u
#define IRL_FROM_BED    8u
#define IRL_FROM_IRB    16u
#define IRL_FROM_MEMORY 32u /* irl_table_from_columns and its kin */
#define IRL_FROM_DATA   64u /* irl_fit on data, whose features are there already */
#define IRL_FROM_RAW    (IRL_FROM_TEXT | IRL_FROM_ARFF | IRL_FROM_LIBSVM) /* columns without types */
#define IRL_FROM_FILE   (IRL_FROM_RAW | IRL_FROM_BED | IRL_FROM_IRB)
#define IRL_FROM_TABLE  (IRL_FROM_FILE | IRL_FROM_MEMORY)
#define IRL_FROM_ANY    (IRL_FROM_TABLE | IRL_FROM_DATA)

/* Does an option change the answer: rule, status, objective, bound or the rules beside it? One that
 * does belongs to the job that a checkpoint may go on with. The limits on work and memory do, since
 * the course of a search depends on them; the one on time, which cuts a run anywhere, does not. */
#define IRL_KEEPS   false
#define IRL_CHANGES true

/* X(type, name, default, low, high, jobs, inputs, changes, help): one row gives the field, the
 * default, the range check, the setter by name, the command line option and its help. TEXT fields
 * borrow the caller's string, so it has to live as long as the options do. */
#define IRL_OPTION_TABLE(X)                                                                        \
  X(TEXT, target, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                            \
    "label column: name or number (default: last)")                                                \
  X(TEXT, positive, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                          \
    "label of the cases (default: 1, yes, case, ...)")                                             \
  X(TEXT, delimiter, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_TEXT, IRL_CHANGES,                         \
    "comma, tab, semicolon, space (default: found)")                                               \
  X(FLAG, no_header, 0, 0, 1, IRL_FOR_READ, IRL_FROM_TEXT, IRL_CHANGES,                            \
    "the first line is data, not names")                                                           \
  X(TEXT, na, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_TEXT | IRL_FROM_ARFF, IRL_CHANGES,                \
    "texts of missing values, as NA,? or COL=0 (default: the usual)")                              \
  X(TEXT, vs_rest, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_CHANGES,                           \
    "label of the cases; all others are controls")                                                 \
  X(TEXT, type, NULL, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_RAW, IRL_CHANGES,                            \
    "COL=binary|number|category|snp|ignore, ...")                                                  \
  X(TEXT, types, NULL, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_RAW, IRL_CHANGES,                           \
    "file with a line COL,TYPE for each column")                                                   \
  X(TEXT, ignore, NULL, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                          \
    "columns to leave out, as COL,COL")                                                            \
  X(TEXT, only, NULL, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                            \
    "the columns to use, as COL,COL")                                                              \
  X(TEXT, forbid, NULL, 0, 0, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                             \
    "literals not to use, as 'age >,sex = male,!smoker'")                                          \
  X(TEXT, cuts, NULL, 0, 0, IRL_FOR_CODE, IRL_FROM_ANY, IRL_CHANGES,                               \
    "of numbers: mdl:3 (default: MDL and 3 quantiles), mdl, quantile:9, all")                      \
  X(TEXT, missing, NULL, 0, 0, IRL_FOR_COLUMNS, IRL_FROM_ANY, IRL_CHANGES,                         \
    "false (default), drop, impute, error")                                                        \
  X(TEXT, weight_column, NULL, 0, 0, IRL_FOR_CODE, IRL_FROM_FILE, IRL_CHANGES,                     \
    "weight per sample; in more than 131072 and 8 N units they are rounded")                       \
  X(INTEGER, N, 1000, 2, 1000000000, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                  \
    "number of samples")                                                                           \
  X(INTEGER, J, 100, 1, 100000000, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                    \
    "number of features")                                                                          \
  X(INTEGER, K, 3, 1, 64, IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY,       \
    IRL_FROM_ANY, IRL_CHANGES, "number of clauses, at most")                                       \
  X(INTEGER, M, 3, 1, 64,                                                                          \
    IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_CLAUSE | IRL_FOR_MODEL | IRL_FOR_VERIFY,            \
    IRL_FROM_ANY, IRL_CHANGES, "literals in a clause, at most")                                    \
  X(INTEGER, max_literals, 0, 0, INT64_MAX, IRL_FOR_LEARN | IRL_FOR_VERIFY, IRL_FROM_ANY,          \
    IRL_CHANGES, "literals in the whole rule (0: any)")                                            \
  X(INTEGER, complexity, 0, 0, INT64_MAX, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                \
    "sum of 1 + literals over clauses (0: any)")                                                   \
  X(TEXT, method, NULL, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                            \
    "ireland (default), brcg for the Hamming loss, or bp1 to bp6: a MILP")                         \
  X(TEXT, form, NULL, 0, 0, IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,                              \
    "bp1 to bp6; sp: the best clause; mp: a choice")                                               \
  X(FLAG, binary, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,               \
    "bp1 to bp6: all variables binary (default: some come out so)")                                \
  X(FLAG, plain, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,                \
    "bp1 to bp6: the paper's model as it stands, with exactly K clauses")                          \
  X(FLAG, no_start, 0, 0, 1, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                             \
    "bp1 to bp6: begin without a rule")                                                            \
  X(FLAG, cnf, 0, 0, 1, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,                   \
    "an AND of OR clauses: the negation of a rule for the controls")                               \
  X(FLAG, paper_brcg, 0, 0, 1, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                           \
    "method brcg as published: its limits, sub-sampling")                                          \
  X(TEXT, profile, NULL, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                           \
    "default, or paper: its sub-sampling and budgets")                                             \
  X(INTEGER, paper_sample, 100, 1, 1000000000, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,           \
    "profile paper: cases in a sub problem (N_s)")                                                 \
  X(REAL, paper_seconds, 120.0, 0.0, 1e9, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                \
    "profile paper: limit of one sub or master problem")                                           \
  X(TEXT, budgets, NULL, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                           \
    "fractions of the controls, as 0.005,0.01,0.02")                                               \
  X(TEXT, weights, NULL, 0, 0, IRL_FOR_LEARN | IRL_FOR_MODEL | IRL_FOR_VERIFY, IRL_FROM_ANY,       \
    IRL_CHANGES, "balanced (default), or unit for plain accuracy")                                 \
  X(REAL, penalty, 0.0, 0.0, 1.0, IRL_FOR_LEARN | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,       \
    "loss per clause and per literal, as a share of all weights")                                  \
  X(REAL, equivalent, 0.0, 0.0, 1.0, IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,                         \
    "list literals that could replace others at this loss, as a share")                            \
  X(TEXT, effort, NULL, 0, 0, IRL_FOR_LEARN, IRL_FROM_ANY, IRL_CHANGES,                            \
    "full (default), or quick: short searches, no proof")                                          \
  X(REAL, test, 0.0, 0.0, 0.99, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_TABLE, IRL_CHANGES,         \
    "share of each class to hold out for a test")                                                  \
  X(INTEGER, permutations, 0, 0, 1000000, IRL_FOR_FIT, IRL_FROM_TABLE, IRL_KEEPS,                  \
    "shuffled labels to learn from, for a p-value of the search")                                  \
  X(INTEGER, folds, 10, 2, 1000000, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                         \
    "parts, each of which is the test set once")                                                   \
  X(INTEGER, repeats, 1, 1, 10000, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                          \
    "cross-validations with other folds")                                                          \
  X(FLAG, nested, 0, 0, 1, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                                  \
    "also choose anew without each fold: an honest estimate")                                      \
  X(TEXT, choose, NULL, 0, 0, IRL_FOR_CV, IRL_FROM_ANY, IRL_CHANGES,                               \
    "one-se (default): the simplest within it; or best")                                           \
  X(REAL, min_sensitivity, 0.0, 0.0, 1.0, IRL_FOR_CURVE | IRL_FOR_FIT | IRL_FOR_VERIFY,            \
    IRL_FROM_ANY, IRL_CHANGES, "only rules of this sensitivity or more")                           \
  X(REAL, min_specificity, 0.0, 0.0, 1.0, IRL_FOR_CURVE | IRL_FOR_FIT | IRL_FOR_VERIFY,            \
    IRL_FROM_ANY, IRL_CHANGES, "only rules of this specificity or more")                           \
  X(TEXT, checkpoint, NULL, 0, 0, IRL_FOR_CURVE | IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,            \
    "save what is learnt to this file now and then")                                               \
  X(TEXT, resume, NULL, 0, 0, IRL_FOR_CURVE | IRL_FOR_FIT, IRL_FROM_ANY, IRL_KEEPS,                \
    "go on from a checkpoint file")                                                                \
  X(TEXT, start, NULL, 0, 0, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,                               \
    "begin with the rule of this file, as fit -o writes it")                                       \
  X(TEXT, save_pool, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE, IRL_FROM_ANY, IRL_KEEPS,             \
    "save the clauses that were found to this file")                                               \
  X(TEXT, pool, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE | IRL_FOR_MODEL, IRL_FROM_ANY,             \
    IRL_CHANGES, "choose from the clauses of this file, seek no others")                           \
  X(INTEGER, memory_limit, 0, 0, INT64_MAX,                                                        \
    IRL_FOR_READ | IRL_FOR_GENERATE | IRL_FOR_LEARN | IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,    \
    "MB to use beyond what the process had before (0: any)")                                       \
  X(FLAG, exact_size, 0, 0, 1, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                        \
    "planted clauses have exactly M literals")                                                     \
  X(REAL, noise, 0.0, 0.0, 0.5, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                       \
    "fraction of the labels that is inverted")                                                     \
  X(REAL, density, 0.5, 0.0, 1.0, IRL_FOR_GENERATE, IRL_FROM_ANY, IRL_CHANGES,                     \
    "chance that a feature is 1")                                                                  \
  X(FLAG, negations, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_CLAUSE | IRL_FOR_MODEL | IRL_FOR_VERIFY,     \
    IRL_FROM_ANY, IRL_CHANGES, "literals may be negated features")                                 \
  X(REAL, budget, 0.0, 0.0, 1.0, IRL_FOR_CLAUSE | IRL_FOR_MODEL, IRL_FROM_ANY, IRL_CHANGES,        \
    "controls it may cover, as a fraction of all")                                                 \
  X(INTEGER, budget_count, -1, -1, INT64_MAX, IRL_FOR_CLAUSE | IRL_FOR_MODEL, IRL_FROM_ANY,        \
    IRL_CHANGES, "the same as a count (-1: not set)")                                              \
  X(REAL, threshold, 0.01, 0.0, 1.0, IRL_FOR_CURVE, IRL_FROM_ANY, IRL_CHANGES,                     \
    "gap of a curve that is left alone")                                                           \
  X(FLAG, sizes, 0, 0, 1, 0, IRL_FROM_ANY, IRL_CHANGES,                                            \
    "curve: also accuracy against literals and clauses")                                           \
  X(FLAG, prove, 0, 0, 1, IRL_FOR_LEARN | IRL_FOR_CLAUSE, IRL_FROM_ANY, IRL_CHANGES,               \
    "search until the best is proven")                                                             \
  X(TEXT, loss, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_CHANGES,               \
    "weighted (default), or hamming: each clause pays")                                            \
  X(INTEGER, all_optimal, 0, 0, 1000000, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,                   \
    "list up to so many rules of equal loss")                                                      \
  X(REAL, within, 0.0, 0.0, 1e6, IRL_FOR_FIT, IRL_FROM_ANY, IRL_CHANGES,                           \
    "also rules of more loss, by up to this fraction")                                             \
  X(TEXT, certificate, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_VERIFY, IRL_FROM_ANY, IRL_KEEPS,          \
    "file of the proof: fit --prove writes it, verify checks it")                                  \
  X(TEXT, grid, NULL, 0, 0, IRL_FOR_READ, IRL_FROM_FILE, IRL_KEEPS,                                \
    "several processes: 4x2 divides the features by 4, the samples by 2")                          \
  X(INTEGER, threads, 0, 0, 1024, IRL_FOR_RUN, IRL_FROM_ANY, IRL_KEEPS,                            \
    "threads (0: one per core)")                                                                   \
  X(INTEGER, seed, 1, 0, INT64_MAX, IRL_FOR_GENERATE | IRL_FOR_RUN, IRL_FROM_ANY, IRL_CHANGES,     \
    "seed of the random numbers")                                                                  \
  X(REAL, time_limit, 0.0, 0.0, 1e9, IRL_FOR_RUN, IRL_FROM_ANY, IRL_KEEPS,                         \
    "seconds of wall clock (0: none)")                                                             \
  X(INTEGER, work_limit, 0, 0, INT64_MAX, IRL_FOR_RUN, IRL_FROM_ANY, IRL_CHANGES,                  \
    "work: 64-bit words touched (0: none)")                                                        \
  X(FLAG, relax, 0, 0, 1, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES, "drop integrality")            \
  X(FLAG, no_presolve, 0, 0, 1, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,                          \
    "solve the model as it is")                                                                    \
  X(INTEGER, iteration_limit, 0, 0, INT64_MAX, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,           \
    "simplex iterations (0: no limit)")                                                            \
  X(INTEGER, node_limit, 0, 0, INT64_MAX, IRL_FOR_SOLVE, IRL_FROM_ANY, IRL_CHANGES,                \
    "nodes of branch and bound (0: no limit)")

#define IRL_TYPE_FLAG    bool
#define IRL_TYPE_INTEGER int64_t
#define IRL_TYPE_REAL    double
#define IRL_TYPE_TEXT    const char *
#define IRL_FIELD_ROW(type, name, preset, low, high, jobs, inputs, changes, help)                  \
  IRL_TYPE_##type name;
typedef struct irl_options {
  IRL_OPTION_TABLE(IRL_FIELD_ROW)
} irl_options;
#undef IRL_FIELD_ROW

typedef enum irl_option_type {
  IRL_OPTION_FLAG,
  IRL_OPTION_INTEGER,
  IRL_OPTION_REAL,
  IRL_OPTION_TEXT
} irl_option_type;

typedef struct irl_option_info {
  const char *name; /* the field's name; on the command line '_' is '-' */
  irl_option_type type;
  double preset, low, high; /* TEXT: unused */
  unsigned jobs;            /* IRL_FOR_... */
  unsigned inputs;          /* IRL_FROM_... */
  bool changes;             /* the answer */
  const char *help;
  size_t offset; /* in its options struct */
} irl_option_info;

IRL_API void irl_options_init(irl_options *options);
/* Bytes of irl_options in the library that is linked, for callers that do not read this header. */
IRL_API size_t irl_options_size(void);
/* `value` NULL or "" sets a flag. */
IRL_API irl_status irl_options_set(irl_env *env, irl_options *options, const char *name,
                                   const char *value);
/* The rows of the table; `count` may be NULL. */
IRL_API const irl_option_info *irl_options_table(size_t *count);
/* Parses and range-checks `value` into the field of `options` that `info` describes; for tables of
 * the caller's own as well. */
IRL_API irl_status irl_option_parse(irl_env *env, const irl_option_info *info, void *options,
                                    const char *value);
/* The limits on time and memory of these options hold, from here on, for all reading with env, also
 * of files for which no options are given: rules, pools, models, certificates. */
IRL_API irl_status irl_env_limit_reading(irl_env *env, const irl_options *options);

/* What every call that takes options asks first: are they in range, and can each one that is set
 * and belongs to these jobs (IRL_FOR_...) have an effect, beside the others and on this input
 * (IRL_FROM_..., 0: any)? Those of other jobs are left alone, so that one set of options may serve
 * several calls. */
IRL_API irl_status irl_options_check(irl_env *env, const irl_options *options, unsigned jobs,
                                     unsigned input);
/* The name that is nearest to a word, for "did you mean"; NULL if none is near. */
IRL_API const char *irl_suggest(const char *word, const char *const *names, size_t n);

/* ---- data --------------------------------------------------------------------------------- */

typedef struct irl_data_info {
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
/* Data from bits: sample i is bit i % 64 of word i / 64, in a vector per feature and in the
 * labels. */
IRL_API irl_status irl_data_from_bits(irl_env *env, uint32_t n_samples, uint32_t n_features,
                                      const uint64_t *const *columns, const uint64_t *labels,
                                      const char *const *names, irl_data **data);

/* The samples of one class: n_features vectors of bits, irl_data_stride(n_samples) words each. */
typedef struct irl_class_bits {
  uint32_t n_samples;
  const uint64_t *words; /* aligned to 64 bytes; bits beyond the last sample are 0 */
} irl_class_bits;

/* 64-bit words of a vector: whole blocks of 64 bytes. */
IRL_API size_t irl_data_stride(uint32_t n_samples);
/* Uses the caller's bits where they are, as the library keeps its own: they must stay, unchanged,
 * as long as the data set. The cases are the first samples. */
IRL_API irl_status irl_data_borrow(irl_env *env, uint32_t n_features, const irl_class_bits *cases,
                                   const irl_class_bits *controls, const char *const *names,
                                   irl_data **data);
/* .csv .tsv .svm .libsvm .irb by extension. The file appears whole or not at all. Not for the
 * features of a table of other columns than 0/1: that is written by irl_table_write. */
IRL_API irl_status irl_data_write(irl_env *env, const irl_data *data, const char *path);
/* Planted data as in the paper; `planted` may be NULL. */
IRL_API irl_status irl_generate(irl_env *env, const irl_options *options, irl_data **data,
                                irl_rule **planted);
IRL_API void irl_data_free(irl_data *data);
IRL_API void irl_data_describe(const irl_data *data, irl_data_info *info);
IRL_API irl_status irl_data_render(irl_env *env, const irl_data *data, irl_format format,
                                   char **text);
IRL_API const char *irl_data_feature(const irl_data *data, uint32_t feature);
/* The label of a sample, in the order of the file: 1 case, 0 control. */
IRL_API int irl_data_label(const irl_data *data, uint32_t sample);

/* ---- raw tables and their coding ------------------------------------------------------------ */

/* A file as it is: typed columns, missing values, labels, weights. Immutable once read. */
typedef struct irl_table irl_table;
/* What features are made of the columns of a table: cut points, categories. Learnt from some of
 * its rows, applied to any; independent of the table once made. */
typedef struct irl_coding irl_coding;

typedef struct irl_table_info {
  uint64_t samples, columns, cases, controls; /* columns without labels and weights */
  bool has_labels, has_weights;
  bool is_plain;                            /* 0/1 throughout: the columns are the features */
  const char *target, *positive, *negative; /* as in irl_data_info */
} irl_table_info;

/* Some samples of a table. */
typedef struct irl_rows {
  const uint32_t *samples; /* numbers in the order of the file; NULL: the first n */
  uint32_t n;
  const uint8_t *labels; /* 1 or 0 for each of them in place of their own; NULL: their own */
} irl_rows;

/* Reads the files of irl_data_read, and .arff. */
IRL_API irl_status irl_table_read(irl_env *env, const char *path, const irl_options *options,
                                  irl_table **table);

/* X(name, text): what a column holds. A SNP counts alleles: 0, 1 or 2. */
#define IRL_COLUMN_TABLE(X)                                                                        \
  X(IRL_COLUMN_BINARY, "binary")                                                                   \
  X(IRL_COLUMN_NUMBER, "number")                                                                   \
  X(IRL_COLUMN_CATEGORY, "category")                                                               \
  X(IRL_COLUMN_SNP, "snp")                                                                         \
  X(IRL_COLUMN_IGNORED, "ignore")

#define IRL_ENUM_ROW(name, text) name,
typedef enum irl_column_type { IRL_COLUMN_TABLE(IRL_ENUM_ROW) IRL_N_COLUMN_TYPES } irl_column_type;
#undef IRL_ENUM_ROW

/* A column of the caller's. */
typedef struct irl_column_view {
  const char *name;
  irl_column_type type;
  const double *numbers;     /* per sample, NaN where it is missing; not for categories: */
  const int32_t *codes;      /* per sample the number of its value, negative where it is missing, */
  const char *const *values; /* and the values */
  uint32_t n_values;
} irl_column_view;

typedef struct irl_table_view {
  uint32_t n_samples, n_columns;
  const irl_column_view *columns;
  const uint8_t *labels;                    /* per sample, 1 case, 0 control; NULL: none */
  const double *weights;                    /* per sample, NULL: none */
  const char *target, *positive, *negative; /* what labels are called; NULL: y, 1, 0 */
} irl_table_view;

/* All is copied. Of the options for reading, those about files do not matter: `missing` does. */
IRL_API irl_status irl_table_from_columns(irl_env *env, const irl_table_view *view,
                                          const irl_options *options, irl_table **table);
/* The cells as they are, missing ones empty in texts: .csv .tsv .svm .libsvm .irb by extension.
 * LIBSVM has neither texts nor missing values: such a table is refused. A note says which options
 * make a text file the same table again. The file appears whole or not at all. */
IRL_API irl_status irl_table_write(irl_env *env, const irl_table *table, const char *path);
IRL_API void irl_table_free(irl_table *table);
IRL_API void irl_table_describe(const irl_table *table, irl_table_info *info);
/* 1 case, 0 control, -1 without labels. */
IRL_API int irl_table_label(const irl_table *table, uint32_t sample);
/* A row or an object per column: type, values, missing ones. */
IRL_API irl_status irl_table_render(irl_env *env, const irl_table *table, irl_format format,
                                    char **text);
/* Learns the coding from these samples alone; `rows` NULL: from all. With the option negations the
 * opposites of literals are features too: give it here as well as to irl_fit. With the option cnf
 * the features are the opposites of literals, and data of this coding has its classes exchanged. */
IRL_API irl_status irl_table_code(irl_env *env, const irl_table *table, const irl_rows *rows,
                                  const irl_options *options, irl_coding **coding);
IRL_API void irl_coding_free(irl_coding *coding);
/* These samples as bits, in that order; `rows` NULL: all. Data of one coding has the same features,
 * so a rule learnt from some samples can be evaluated on others. */
IRL_API irl_status irl_table_data(irl_env *env, const irl_table *table, const irl_coding *coding,
                                  const irl_rows *rows, irl_data **data);
/* All samples with the features of a rule, for irl_predict and irl_evaluate; columns that it does
 * not name do not matter. */
IRL_API irl_status irl_table_data_for(irl_env *env, const irl_table *table, const irl_rule *rule,
                                      irl_data **data);

/* ---- rules -------------------------------------------------------------------------------- */

/* A literal as a name and a sign. */
typedef struct irl_literal_view {
  const char *feature;
  bool negated;
} irl_literal_view;

typedef struct irl_rule_info {
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
/* The rule as code; `to` is c, python, sql, r, javascript or text. */
IRL_API irl_status irl_rule_export(irl_env *env, const irl_rule *rule, const char *to, char **text);
IRL_API void irl_rule_free(irl_rule *rule);
IRL_API void irl_rule_describe(const irl_rule *rule, irl_rule_info *info);
IRL_API uint32_t irl_rule_clause_size(const irl_rule *rule, uint32_t clause);
IRL_API irl_literal_view irl_rule_literal(const irl_rule *rule, uint32_t clause, uint32_t literal);

/* ---- evaluation and prediction -------------------------------------------------------------- */

/* Quantities that are not defined (no cases, no controls) are NaN, null in JSON. */
typedef struct irl_evaluation {
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

/* A clause, or any condition, as a two by two table: what it covers against the label. The p-value
 * is that of a condition fixed before the data was seen. */
typedef struct irl_statistics {
  uint64_t tp, fp;                                 /* covered cases, covered controls */
  double precision, precision_low, precision_high; /* 95 % interval of Wilson; NaN: covers none */
  double odds_ratio, odds_low, odds_high;          /* 95 % interval of Woolf */
  bool is_corrected; /* a cell is 0, so one half was added to each for the odds ratio */
  double fisher_p;   /* Fisher's exact test, two-sided */
} irl_statistics;

IRL_API void irl_statistics_compute(uint64_t tp, uint64_t fp, uint64_t fn, uint64_t tn,
                                    irl_statistics *statistics);

/* What a rule says of one sample. */
typedef struct irl_verdict {
  uint32_t sample;  /* in the order of the file */
  int predicted;    /* 1 case, 0 control */
  int label;        /* 1, 0, or -1 where the data has none */
  uint32_t n_fired; /* clauses that fired: */
  const uint32_t *fired;
  uint32_t closest;  /* if none fired: the clause that misses fewest literals, */
  uint32_t n_missed; /* and the literals of it that the sample misses */
  const uint32_t *missed;
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
  uint64_t seed, work, nodes;
  uint32_t permutations; /* that were made */
  double p_value;        /* the share of them, with the true labels among them, for which the search
                            reaches as good an objective as for the true ones; NaN without any */
  double best_seconds;   /* when a rule as good as this was first there, since irl_env_create; may
                            differ between two runs of the same job */
} irl_fit_info;

/* Learns a rule. The data must live as long as the result. Samples are held out and labels shuffled
 * in tables only, by irl_fit_table: options test and permutations are refused here. */
IRL_API irl_status irl_fit(irl_env *env, const irl_data *data, const irl_options *options,
                           irl_fit_result **result);
/* Learns with a rule to begin with, of at most M literals in each clause; NULL: none. The bound
 * is as good without it, but may come sooner. */
IRL_API irl_status irl_fit_from(irl_env *env, const irl_data *data, const irl_options *options,
                                const irl_rule *start, irl_fit_result **result);
/* Learns from a table: the coding is learnt too. With the option `test` a share of the samples is
 * held out of both and the rule evaluated on it; with `permutations` the whole search is made with
 * shuffled labels as well. The table must live as long as the result. */
IRL_API irl_status irl_fit_table(irl_env *env, const irl_table *table, const irl_options *options,
                                 irl_fit_result **result);
/* The rule on the samples that were held out; false if there are none. */
IRL_API bool irl_fit_test(const irl_fit_result *result, irl_evaluation *evaluation);
IRL_API void irl_fit_free(irl_fit_result *result);
/* With the option cnf: the rule for the other class, of which the CNF is the negation. What is said
 * in numbers is about the classes as they were given. */
IRL_API const irl_rule *irl_fit_rule(const irl_fit_result *result);
IRL_API void irl_fit_describe(const irl_fit_result *result, irl_fit_info *info);
/* Why there is no rule within the limits, or why the best one is empty, and what could be reached;
 * NULL if there is a rule with clauses. */
IRL_API const char *irl_fit_reason(const irl_fit_result *result);
/* Texts for files, which irl_fit does not write itself: with the option certificate the proof of a
 * proven rule, with the option save_pool the clauses that were found (irl_text_save writes them).
 * NULL: not asked for, not proven, or the limits left no room for it, as a warning has said. */
IRL_API const char *irl_fit_certificate(const irl_fit_result *result);
IRL_API const char *irl_fit_pool(const irl_fit_result *result);
/* After the option resume: the checkpoint file whose bound is the result's, which is not shown to
 * hold by this run; such a result is never optimal. NULL: the bound rests on no file. */
IRL_API const char *irl_fit_rests_on(const irl_fit_result *result);
/* The option checkpoint was given, and in the end its file could not be written. */
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

/* ---- cross-validation ------------------------------------------------------------------------ */

typedef struct irl_cv_result irl_cv_result;

/* The settings to try, as "1..8" or "1,2,4"; NULL: 1..8, 1..4 and 0,0.003,0.01 (0 for methods other
 * than ireland, which take no penalty). */
typedef struct irl_cv_grid {
  const char *K, *M, *penalty;
} irl_cv_grid;

/* A measure over the folds: its mean and the standard error of that. */
typedef struct irl_cv_measure {
  double mean, error;
} irl_cv_measure;

typedef struct irl_cv_row {
  uint32_t K, M;
  double penalty;
  uint32_t folds; /* that were ended */
  irl_cv_measure accuracy, balanced_accuracy, sensitivity, specificity;
  irl_cv_measure accuracy_by_weight, balanced_accuracy_by_weight; /* NaN without a weight column */
  double clauses, literals;                                       /* of the rules, on average */
  uint32_t proven; /* folds whose rule is proven the best of its scope */
} irl_cv_row;

typedef struct irl_cv_info {
  irl_outcome outcome;   /* feasible: all folds were ended; limit, interrupted */
  uint32_t rows, chosen; /* of the table; chosen is `rows` if no fold was ended */
  uint32_t best;         /* the row of the greatest mean */
  irl_cv_row nested; /* with the option: K, M and penalty chosen anew without each fold; folds 0:
                        none was ended */
} irl_cv_info;

/* Stratified folds; in each the coding and the rules are learnt without the samples of the fold and
 * tested on them. Chosen is the setting with the simplest rules (clauses and literals) whose mean
 * is within one standard error of the best one, by balanced accuracy, or by accuracy if the weights
 * are `unit`; both by weight if there is a weight column. */
IRL_API irl_status irl_cv(irl_env *env, const irl_table *table, const irl_options *options,
                          const irl_cv_grid *grid, irl_cv_result **result);
IRL_API void irl_cv_free(irl_cv_result *result);
IRL_API void irl_cv_describe(const irl_cv_result *result, irl_cv_info *info);
/* Row 0 .. rows - 1 of the table. */
IRL_API void irl_cv_row_at(const irl_cv_result *result, uint32_t i, irl_cv_row *row);
IRL_API irl_status irl_cv_render(irl_env *env, const irl_cv_result *result, irl_format format,
                                 char **text);
/* ---- trade-off curves ------------------------------------------------------------------------
 *
 * Points are rules chosen from the clauses that a fit has found. Their bounds are for these
 * clauses: others might do better. With the option prove a fit for a curve lists all clauses, if
 * they are not too many; then the bounds are for all rules. */

typedef struct irl_curve irl_curve;

/* Sensitivity against specificity; accuracy against the number of literals, and of clauses. */
typedef enum irl_curve_kind {
  IRL_CURVE_TRADEOFF,
  IRL_CURVE_LITERALS,
  IRL_CURVE_CLAUSES,
  IRL_N_CURVE_KINDS
} irl_curve_kind;

typedef struct irl_curve_point {
  irl_outcome outcome; /* optimal: no rule is better, its bounds are its values */
  uint64_t tp, fp;
  double sensitivity, specificity;
  double accuracy;          /* by the weights of the fit: balanced, or plain */
  double sensitivity_bound; /* trade-off: none with this specificity has a larger sensitivity, */
  double specificity_bound; /* none with this sensitivity a larger specificity; NaN elsewhere */
  double accuracy_bound;    /* complexity: none of this size has more; NaN for the trade-off */
  uint32_t clauses, literals;
} irl_curve_point;

typedef struct irl_curve_info {
  irl_outcome outcome;     /* optimal: all points, and nothing is missing by the threshold */
  double area;             /* under the trade-off curve, straight lines between points */
  uint64_t pool;           /* clauses to choose from */
  bool is_complete;        /* these are all that there are, so that points may be optimal */
  uint64_t selections;     /* problems solved */
  uint64_t work, nodes;    /* for the curve alone */
  const char *accuracy_is; /* "balanced accuracy" or "accuracy" */
} irl_curve_info;

/* Learns as irl_fit does, but for clauses over the whole range of budgets and, with the option
 * sizes, of every size; half of the limits are left for the curve. */
IRL_API irl_status irl_fit_for_curve(irl_env *env, const irl_data *data, const irl_options *options,
                                     irl_fit_result **result);
/* The trade-off curve, to the option threshold, and with the option sizes the others too; no points
 * if the fit kept no clauses, as irl_fit with weights of samples. The fit must live as long as the
 * curve. With the option checkpoint, given to both, the file that the fit began goes on. */
IRL_API irl_status irl_curve_make(irl_env *env, const irl_fit_result *fit,
                                  const irl_options *options, irl_curve **curve);
IRL_API void irl_curve_free(irl_curve *curve);
IRL_API void irl_curve_describe(const irl_curve *curve, irl_curve_info *info);
/* As irl_fit_rests_on, but for bounds of any point, which may be optimal by the file; and as
 * irl_fit_lost_checkpoint. */
IRL_API const char *irl_curve_rests_on(const irl_curve *curve);
IRL_API bool irl_curve_lost_checkpoint(const irl_curve *curve);
/* Points in order: specificity falls and sensitivity rises, or size and accuracy rise. */
IRL_API uint32_t irl_curve_size(const irl_curve *curve, irl_curve_kind kind);
IRL_API void irl_curve_get(const irl_curve *curve, irl_curve_kind kind, uint32_t i,
                           irl_curve_point *point);
IRL_API const irl_rule *irl_curve_rule(const irl_curve *curve, irl_curve_kind kind, uint32_t i);
/* The whole answer of `ireland curve`. */
IRL_API irl_status irl_curve_render(irl_env *env, const irl_curve *curve, irl_format format,
                                    char **text);
/* `to` is csv, svg (a picture) or plot (a chart for a terminal). */
IRL_API irl_status irl_curve_export(irl_env *env, const irl_curve *curve, const char *to,
                                    char **text);
/* A page in HTML that needs nothing but itself: the rule of the fit, how good and how certain it
 * is, what it was learnt from, and the curves. `options` are those of the fit; `curve` and
 * `command`, what made it, may be NULL. */
IRL_API irl_status irl_report_render(irl_env *env, const irl_fit_result *fit,
                                     const irl_curve *curve, const irl_options *options,
                                     const char *command, char **html);

/* ---- certificates ---------------------------------------------------------------------------- */

/* The proof of `fit --prove --certificate`, and the scope that it is about. */
typedef struct irl_certificate irl_certificate;

typedef struct irl_verification {
  bool valid;       /* the certificate proves that no rule of its scope is better */
  bool cut;         /* a limit or a request to stop came first: neither valid nor invalid */
  uint64_t line;    /* of the certificate where it fails; 0 if valid or cut */
  char reason[400]; /* why, if it is not valid */
  uint64_t nodes, clauses, work; /* of the proof; clauses that were listed to check it */
} irl_verification;

/* Fails only if there is no such file; what stands in it irl_verify looks at. */
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
 * scope: it is given again for the same file, and another format may need none of it. Texts stay
 * the certificate's. */
IRL_API irl_status irl_certificate_options(irl_env *env, const irl_certificate *certificate,
                                           irl_options *options);
/* Replays the proof in integer arithmetic, sharing no code with the search; its cost is about that
 * of the proof. Of the options the limits on time, work and memory and the threads count. A few
 * lines may ask for any amount of work: if no limit on time or work is set, 2^38 words and 2^24 for
 * each byte of the certificate are one (minutes for a short one), and lists take 1 GB at most.
 * Rule, data and certificate must be of one scope. A certificate that does not hold is an answer,
 * not a failure. */
IRL_API irl_status irl_verify(irl_env *env, const irl_rule *rule, const irl_data *data,
                              const irl_options *options, const irl_certificate *certificate,
                              irl_verification *verification);
/* Verifies on a table, by the options of irl_certificate_options: coding and hold-out are made
 * again. */
IRL_API irl_status irl_verify_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                                    const irl_options *options, const irl_certificate *certificate,
                                    irl_verification *verification);
/* The whole answer of `ireland verify`. */
IRL_API irl_status irl_verify_render(irl_env *env, const irl_verification *verification,
                                     const irl_certificate *certificate, irl_format format,
                                     char **text);

/* ---- the best clause --------------------------------------------------------------------------
 */

typedef struct irl_clause_solution irl_clause_solution;

typedef struct irl_clause_info {
  irl_outcome
      outcome;       /* optimal; feasible: not proven within the default work; limit, interrupted:
                        not proven either; infeasible: no clause covers a case within the budget */
  uint32_t literals; /* 0: no clause was found */
  uint64_t tp, fp;   /* covered cases and controls */
  int64_t objective; /* covered cases; -1 without a clause */
  int64_t bound;     /* no clause within the budget covers more cases */
  uint64_t nodes, work;
} irl_clause_info;

/* The clause of at most M literals that covers most cases and at most `budget` of the controls.
 * With the option `prove` it searches until that is proven, otherwise up to a default work. */
IRL_API irl_status irl_clause_solve(irl_env *env, const irl_data *data, const irl_options *options,
                                    irl_clause_solution **solution);
IRL_API void irl_clause_free(irl_clause_solution *solution);
IRL_API void irl_clause_describe(const irl_clause_solution *solution, irl_clause_info *info);
IRL_API irl_literal_view irl_clause_literal(const irl_clause_solution *solution, uint32_t literal);
IRL_API irl_status irl_clause_render(irl_env *env, const irl_clause_solution *solution,
                                     irl_format format, char **text);

/* ---- linear and mixed-integer programs ------------------------------------------------------ */

/* A model as it stands in a file: minimise or maximise c'x subject to row and column bounds, with
 * some columns integer. */
typedef struct irl_model irl_model;

typedef struct irl_model_info {
  const char *name;
  uint64_t rows, columns, entries, integers;
  bool is_maximised;
} irl_model_info;

typedef struct irl_solution {
  irl_outcome outcome; /* optimal, infeasible, unbounded, limit, interrupted */
  double objective;    /* NaN if there is no feasible point */
  double bound;        /* no feasible point is better; NaN if none is known */
  double gap;          /* of objective and bound, relative to the objective; NaN if unknown */
  uint64_t nodes, iterations, work;
} irl_solution;

/* A model in the caller's arrays. Bounds may be infinite; NULL stands for none, and for columns
 * from 0 on. */
typedef struct irl_model_view {
  uint32_t n_rows, n_columns;
  bool is_maximised;
  const double *cost, *lower, *upper;  /* per column */
  const uint8_t *is_integer;           /* the same; NULL: none is */
  const double *row_lower, *row_upper; /* per row */
  const size_t *start;                 /* column j has the entries start[j] .. start[j + 1] - 1: */
  const uint32_t *rows;                /* each row once, */
  const double *values;
  const char *const *row_names, *const *column_names; /* NULL: r1, ... and x1, ... */
} irl_model_view;

IRL_API irl_status irl_model_from_arrays(irl_env *env, const irl_model_view *view,
                                         irl_model **model);
/* MPS, fixed or free, or the LP format of CPLEX: by extension (.mps, .lp, with .gz as well), of
 * other names by the first word. */
IRL_API irl_status irl_model_read(irl_env *env, const char *path, irl_model **model);
/* .mps or .lp by extension; every number reads back to the same double. */
IRL_API irl_status irl_model_write(irl_env *env, const irl_model *model, const char *path);
/* The model that the options form, K, M, ... name: bp1 to bp6 minimise N1*FP + N0*FN (bp5 and bp6:
 * with every clause that a control satisfies), sp maximises covered cases within the budget, mp
 * chooses from the clauses of a pool file (option pool). */
IRL_API irl_status irl_model_from_data(irl_env *env, const irl_data *data,
                                       const irl_options *options, irl_model **model);
IRL_API void irl_model_free(irl_model *model);
IRL_API void irl_model_describe(const irl_model *model, irl_model_info *info);
/* The answer stays in the model until the next solve. At a limit there may be a feasible point all
 * the same: then the objective is a number. */
IRL_API irl_status irl_model_solve(irl_env *env, irl_model *model, const irl_options *options,
                                   irl_solution *solution);
/* The value of a column in the last answer. */
IRL_API const char *irl_model_column(const irl_model *model, uint32_t column, double *value);
/* The whole answer of `ireland solve`. */
IRL_API irl_status irl_model_render(irl_env *env, const irl_model *model, irl_format format,
                                    char **text);
/* The answer row by row and column by column: status and objective, then a line 'column NAME VALUE
 * REDUCED_COST' for each column and 'row NAME ACTIVITY DUAL' for each row; for integer models
 * without reduced costs and duals. */
IRL_API irl_status irl_model_write_solution(irl_env *env, const irl_model *model, const char *path);

#ifdef __cplusplus
}
#endif
#endif
