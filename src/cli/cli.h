/* The command line: one file per command, one table of commands, options from tables. */
#ifndef IRL_CLI_CLI_H
#define IRL_CLI_CLI_H

#include "ireland.h"
#include "ireland_comm.h"
#include "ireland_study.h"
#include <time.h>

/* X(type, name, default, low, high, jobs, help): options of the command line itself. A command
 * takes those of its jobs, and those without jobs that it names; they hide the library's of the
 * same name. */
#define CLI_OPTION_TABLE(X)                                                                        \
  X(FLAG, json, 0, 0, 1, 0, "print one JSON object instead of text")                               \
  X(FLAG, quiet, 0, 0, 1, 0, "nothing on standard error but errors")                               \
  X(FLAG, help, 0, 0, 1, 0, "show this help")                                                      \
  X(TEXT, K, NULL, 0, 0, 0, "numbers of clauses to try, as 1,2,4 (default 1..6,8,12,16)")          \
  X(TEXT, M, NULL, 0, 0, 0, "literals in a clause to try (default 1..3, then 4, 6, 8 if it pays)") \
  X(TEXT, penalty, NULL, 0, 0, 0, "penalties to try (default 0,0.001,0.003,0.01)")                 \
  X(TEXT, to, NULL, 0, 0, 0, "c, python, sql, r, javascript, plink2, bcftools (scripts) or text")  \
  X(TEXT, output, NULL, 0, 0, 0, "file to write (-o)")                                             \
  X(TEXT, rule, NULL, 0, 0, 0, "also write the planted rule to this file, as JSON")                \
  X(TEXT, solution, NULL, 0, 0, 0, "answer as HiGHS has it (.sol), or as glpsol -o (.txt)")        \
  X(TEXT, csv, NULL, 0, 0, 0, "write the points to this file, as CSV")                             \
  X(TEXT, svg, NULL, 0, 0, 0, "draw the curve to this file, as SVG")                               \
  X(FLAG, plot, 0, 0, 1, 0, "also draw the curve in the terminal")                                 \
  X(FLAG, complexity, 0, 0, 1, 0, "also accuracy against literals and clauses")                    \
  X(TEXT, types, NULL, 0, 0, IRL_FOR_COLUMNS, "file with a line COL,TYPE for each column")         \
  X(TEXT, one_per, NULL, 0, 0, IRL_FOR_CODE,                                                       \
    "file of lines COLUMN GROUP: a clause takes one literal of a group")                           \
  X(TEXT, bfile, NULL, 0, 0, IRL_FOR_READ, "the data are PREFIX.bed, .bim and .fam, as for plink") \
  X(TEXT, vcf, NULL, 0, 0, IRL_FOR_READ, "the data are this VCF file, as for plink")               \
  X(TEXT, bcf, NULL, 0, 0, IRL_FOR_READ, "the data are this BCF file, as for plink")               \
  X(TEXT, pheno, NULL, 0, 0, IRL_FOR_READ,                                                         \
    "genotypes: file of lines FID IID VALUE: 2 a case, 1 a control, 0 or -9 missing")              \
  X(TEXT, covar, NULL, 0, 0, IRL_FOR_READ,                                                         \
    "genotypes: file of lines FID IID VALUES under a header: columns beside the variants")         \
  X(TEXT, keep, NULL, 0, 0, IRL_FOR_READ, "genotypes: file of lines FID IID: the people to keep")  \
  X(TEXT, remove, NULL, 0, 0, IRL_FOR_READ,                                                        \
    "genotypes: file of lines FID IID: people to leave out")                                       \
  X(TEXT, extract, NULL, 0, 0, IRL_FOR_COLUMNS, "genotypes: file of the variants to use")          \
  X(TEXT, exclude, NULL, 0, 0, IRL_FOR_COLUMNS, "genotypes: file of variants to leave out")        \
  X(TEXT, genes, NULL, 0, 0, IRL_FOR_FIT,                                                          \
    "genotypes: file in BED or GFF that names the genes of the rule's variants")                   \
  X(TEXT, start, NULL, 0, 0, IRL_FOR_FIT, "begin with the rule of this file, as fit -o writes it") \
  X(TEXT, pool, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE | IRL_FOR_MODEL,                           \
    "choose from the clauses of this file, generate no others")                                    \
  X(TEXT, save_pool, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE,                                      \
    "save the clauses that were found to this file")                                               \
  X(TEXT, checkpoint, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE,                                     \
    "save what is learnt to this file now and then")                                               \
  X(TEXT, resume, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE, "go on from a checkpoint file")         \
  X(TEXT, certificate, NULL, 0, 0, IRL_FOR_FIT | IRL_FOR_CURVE | IRL_FOR_VERIFY,                   \
    "file of the proof: --prove writes it, verify checks it")                                      \
  X(FLAG, tune, 0, 0, 1, IRL_FOR_FIT,                                                              \
    "choose K, M, penalty, negations and cuts by cross-validation; what is given, as -K 1..4, "    \
    "stays")                                                                                       \
  X(FLAG, no_negations, 0, 0, 1, IRL_FOR_CV | IRL_FOR_FIT,                                         \
    "literals as they are (default: both with and without negations; SNPs without)")               \
  X(TEXT, predictions, NULL, 0, 0, IRL_FOR_CV,                                                     \
    "file of what the folds predict of each sample, as CSV")                                       \
  X(TEXT, report, NULL, 0, 0, 0, "write a page about it to this file, as HTML")                    \
  X(FLAG, explain, 0, 0, 1, 0, "say in a sentence what holds, or what is missing for it")          \
  X(TEXT, format, NULL, 0, 0, 0, "tsv (default), csv, jsonl or json (default by the name of -o)")  \
  X(FLAG, decide, 0, 0, 1, 0, "a condition on a missing value is false: never `cannot tell`")

#define CLI_FIELD_ROW(type, name, preset, low, high, jobs, help) IRL_TYPE_##type name;
typedef struct cli_options {
  CLI_OPTION_TABLE(CLI_FIELD_ROW)
} cli_options;
#undef CLI_FIELD_ROW

enum {
  EXIT_DONE = 0,
  EXIT_INTERNAL = 1,
  EXIT_USAGE = 2,
  EXIT_BAD_INPUT = 3,
  EXIT_NOTHING = 4,
  EXIT_INTERRUPTED = 130
};

#define CLI_MAX_ARGUMENTS 3
#define CLI_MAX_JOINED    256 /* repeated options */
#define CLI_MAX_OPTIONS   192 /* of one command */
#define CLI_SPELLED       64  /* bytes of an option's name with its dashes */

/* X(option, group): files whose bytes the library takes. */
#define CLI_FILE_TABLE(X)                                                                          \
  X(types, data)                                                                                   \
  X(one_per, data)                                                                                 \
  X(resume, search)                                                                                \
  X(pheno, genotypes)                                                                              \
  X(covar, genotypes)                                                                              \
  X(keep, genotypes)                                                                               \
  X(remove, genotypes)                                                                             \
  X(extract, genotypes)                                                                            \
  X(exclude, genotypes)                                                                            \
  X(genes, genotypes)
#define CLI_FILE_ROW(option, group) CLI_FILE_##option,
enum { CLI_FILE_TABLE(CLI_FILE_ROW) CLI_N_FILES };
#undef CLI_FILE_ROW

typedef struct cli_command cli_command;

/* One run of a command. */
typedef struct cli {
  irl_env *env;
  const cli_command *command;
  irl_options options;
  cli_options own;
  int n_words; /* of the command line, after the command's name */
  char **words;
  const char *arguments[CLI_MAX_ARGUMENTS];
  int n_arguments;
  char *joined[CLI_MAX_JOINED]; /* values of repeated options */
  int n_joined;
  irl_bytes files[CLI_N_FILES]; /* what options name, read before the command begins */
  irl_rule *start;
  irl_pool *pool;
  irl_cv_grid grid;         /* of fit: what -K, -M and --penalty say */
  irl_checkpoint_sink sink; /* writes the file of --checkpoint */
  bool has_told_checkpoint; /* it could not be written, and --quiet has been told */
  bool has_lost_file;       /* one could not be written; what else there is was */
  bool has_progress;        /* a progress line stands on the terminal */
  time_t next_progress;     /* when the next one may go to a file */
  double own_line_at;       /* seconds when the line last was about a rule */
  double whole_time;        /* the limit on time before any of it was spent */
} cli;

struct cli_command {
  const char *name, *arguments, *summary;
  const char *own;     /* names of the command line's options that it takes, between blanks */
  unsigned jobs;       /* the library's options that it takes */
  int n_arguments;     /* how many arguments it needs */
  const char *example; /* one line, without the program's name */
  int (*run)(cli *c);
  bool is_distributed; /* several processes share the work */
};

/* The commands, ended by a NULL name. */
extern const cli_command cli_commands[];

int cli_fit(cli *c);
int cli_verify(cli *c);
int cli_cv(cli *c);
int cli_curve(cli *c);
int cli_export(cli *c);
int cli_generate(cli *c);
int cli_info(cli *c);
int cli_convert(cli *c);
int cli_evaluate(cli *c);
int cli_predict(cli *c);
int cli_clause(cli *c);
int cli_model(cli *c);
int cli_solve(cli *c);

/* The whole program: finds the command, runs it, answers with an exit code. `comm`: the other
 * processes, NULL if there are none. */
/* One thread for BLAS. */
void cli_set_blas(void);
int cli_main(int n, char **words, const irl_comm *comm);
/* Called with the environment of a run before it begins, for hooks of a front end's own; NULL:
 * none.
 */
extern void (*cli_on_begin)(irl_env *env);
/* Has Ctrl-C or a request to end come? */
bool cli_was_interrupted(void);
/* Fills options and arguments from the command line; an exit code, EXIT_DONE to go on. */
int cli_parse(cli *c, int n, char **words);
/* Reads the files that options name into `options`; an exit code, EXIT_DONE to go on. */
int cli_read_inputs(cli *c);
void cli_free_inputs(cli *c);
/* Can all files be written that the command is to write? An exit code, EXIT_DONE to go on. */
int cli_check_outputs(const cli *c);
void cli_print_help(const cli_command *command);
/* What is said to an option of plink's that is none of ours; NULL: nothing in particular. */
const char *cli_plink_answer(const char *word);
/* Every option that the command takes, in order, those of the command line before the library's of
 * the same name: i = 0, 1, ...; NULL after the last. */
const irl_option_info *cli_option_at(const cli_command *command, size_t i, bool *is_own);
/* exact_size is --exact-size, K is -K. */
void cli_spell(const irl_option_info *info, char spelled[CLI_SPELLED]);
/* Is a name one of the words of a list? */
bool cli_is_listed(const char *list, const char *name);
/* The manual page and the completion for a shell (bash, zsh, fish), from the tables of commands and
 * options. */
void cli_print_manual(void);
void cli_print_completion(const char *shell);

/* Says why a call failed and gives the exit code for it. */
int cli_fail(const cli *c, irl_status status);
/* The exit code for it, but for a program that was interrupted. */
int cli_code_of(irl_status status);
/* A file beside the answer: if it failed that is a warning, and the exit code is EXIT_BAD_INPUT in
 * the end. */
void cli_note_file(cli *c, irl_status status);
/* Writes a text to a file of that kind; nothing if there is no text or no path. */
void cli_save_text(cli *c, const char *path, const char *text);
/* The time limit is that of the program: what has passed, for reading, is taken from it. */
void cli_spend_time(cli *c);
/* A mistake in the use of the program. */
int cli_usage(const cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a text of the library and frees it. */
int cli_print(cli *c, char *text);
irl_format cli_format(const cli *c);
/* Writes the page about a fit to the file of --report, if there is one. `curve` NULL: it is made.
 */
void cli_save_report(cli *c, const irl_fit_result *fit, const irl_curve *curve);
/* Writes the page about a cross-validation there. */
void cli_save_cv_report(cli *c, const irl_cv_result *result);
/* Writes the clauses of a fit to the file of --save-pool, if there is one. */
void cli_save_pool(cli *c, const irl_fit_result *fit);
/* What the library says, on standard error; `user` is the run. */
void cli_on_log(void *user, irl_log_kind kind, const char *line);
/* Shows how far the run comes, if there is a terminal. */
void cli_watch(cli *c);
/* Takes the line about that away, before others are printed. */
void cli_clear_progress(cli *c);
void cli_print_warning(const char *line);
/* A remark on standard error, unless --quiet. */
void cli_note(const cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
