/* ireland COMMAND: finds the command, runs it, and answers with an exit code. Results go to
 * standard output, everything else to standard error. */
#include "cli/cli.h"
#include "ireland_comm.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const cli_command cli_commands[] = {
    {"fit", "DATA", "Learns a rule of at most K clauses with at most M literals each.",
     "output report", IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_LEARN | IRL_FOR_FIT,
     1, "fit data.csv --tune -K 1..4 -o rule.json", cli_fit, true},
    {"cv", "DATA",
     "Cross-validation over K, M and penalties: how well rules do on samples they have not seen.",
     "K M penalty no_negations report",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_LEARN | IRL_FOR_CV, 1,
     "cv data.csv --folds 10 -K 1..8 -M 1..4 --penalty 0,0.002,0.01", cli_cv, false},
    {"evaluate", "RULE.json DATA", "Confusion counts and measures of a rule on a data set.", "",
     IRL_FOR_READ, 2, "evaluate rule.json data.csv --json", cli_evaluate, true},
    {"predict", "RULE.json DATA", "The class of each sample, how likely it is, and why.",
     "output format explain decide", IRL_FOR_READ | IRL_FOR_PREDICT, 2,
     "predict rule.json patients.csv --id patient_id --explain -o predicted.csv", cli_predict,
     true},
    {"clause", "DATA",
     "The best single clause: most cases, at most a budget of controls; found, and proven.", "",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_CLAUSE | IRL_FOR_RUN, 1,
     "clause data.csv -M 3 --budget 0.01 --prove", cli_clause, true},
    {"curve", "DATA",
     "The trade-off of sensitivity and specificity, and of accuracy and size of the rule.",
     "csv svg plot report complexity",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_LEARN | IRL_FOR_CURVE, 1,
     "curve data.csv -K 3 -M 3 --csv curve.csv --svg curve.svg --report curve.html", cli_curve,
     true},
    {"verify", "[RULE.json] DATA",
     "Checks certificates of proven rules, without trusting the search; options are in them.", "",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_VERIFY, 2,
     "verify rule.json data.csv --certificate proof.txt", cli_verify, false},
    {"info", "FILE", "Sizes, class balance, columns and checksum of a data set.", "",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_RAW, 1, "info data.csv --target outcome", cli_info,
     false},
    {"generate", "-o FILE",
     "Planted data: a random rule with K clauses of 1 to M features labels random samples.",
     "output rule", IRL_FOR_GENERATE, 0,
     "generate -N 1000 -J 100 -K 3 -M 3 --noise 0.05 -o data.irb --rule planted.json", cli_generate,
     false},
    {"convert", "IN OUT",
     "Converts data: reads .csv .tsv .arff .svm .bed .vcf .bcf .raw .irb, writes .csv .tsv .svm "
     ".irb.",
     "", IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_RAW, 2, "convert data.csv data.irb", cli_convert,
     false},
    {"model", "DATA -o FILE",
     "Writes a MILP of the paper, or the question of a proof, as MPS, LP or OPB.", "output",
     IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_MODEL, 1,
     "model data.csv --form bp4 -K 2 -M 3 -o model.mps", cli_model, false},
    {"solve", "FILE",
     "The built-in LP and MILP engine on any model in MPS or LP format (.mps, .lp, each also .gz).",
     "solution output", IRL_FOR_SOLVE, 1, "solve model.mps --json", cli_solve, false},
    {"export", "RULE.json", "The rule as code in C, Python, SQL, R or JavaScript, or as text.",
     "to output", 0, 1, "export rule.json --to python", cli_export, false},
    {NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, false},
};

void (*cli_on_begin)(irl_env *env);

/* The environment that Ctrl-C asks to stop. */
static irl_env *volatile interruptible;
static volatile sig_atomic_t was_interrupted;

static void on_interrupt(int number) {
  (void)number;
  was_interrupted = 1;
  if (interruptible) irl_env_stop(interruptible);
}

static void print_commands(FILE *stream) {
  fprintf(stream,
          "ireland %s: readable Boolean rules from binary data\n\nireland COMMAND [options]\n\n",
          IRL_VERSION);
  for (const cli_command *command = cli_commands; command->name; command++)
    fprintf(stream, "  %-9s %-16s %s\n", command->name, command->arguments, command->summary);
  fprintf(stream, "\n'ireland COMMAND --help' shows the options of a command and an example.\n");
}

int cli_fail(const cli *c, irl_status status) {
  const char *prefix =
      status == IRL_STATUS_BAD_INPUT || status == IRL_STATUS_LIMIT ? "" : "ireland: ";
  fprintf(stderr, "%s%s\n", prefix, irl_env_error(c->env));
  return cli_code_of(status);
}

int cli_code_of(irl_status status) {
  switch (status) {
  case IRL_STATUS_OK:
    return EXIT_DONE;
  case IRL_STATUS_BAD_INPUT:
  case IRL_STATUS_CANNOT_WRITE:
    return EXIT_BAD_INPUT;
  case IRL_STATUS_BAD_ARGUMENT:
    return EXIT_USAGE;
  case IRL_STATUS_LIMIT:
    return EXIT_NOTHING;
  default:
    return EXIT_INTERNAL;
  }
}

void cli_note_file(cli *c, irl_status status) {
  if (!status) return;
  cli_clear_progress(c);
  cli_print_warning(irl_env_error(c->env)); /* --quiet or not */
  c->has_lost_file = true;
}

void cli_save_text(cli *c, const char *path, const char *text) {
  if (path && text) cli_note_file(c, irl_file_write(c->env, path, text, strlen(text)));
}

int cli_usage(const cli *c, const char *format, ...) {
  va_list arguments;
  (void)c;
  fprintf(stderr, "ireland: ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  return EXIT_USAGE;
}

void cli_note(const cli *c, const char *format, ...) {
  va_list arguments;
  if (c->own.quiet) return;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

int cli_print(cli *c, char *text) {
  cli_clear_progress(c);
  fputs(text, stdout);
  irl_text_free(c->env, text);
  return EXIT_DONE;
}

void cli_spend_time(cli *c) {
  const double least = 1e-6; /* 0 would be no limit */
  irl_run run = IRL_SIZED(irl_run);
  if (c->options.limits.time_limit <= 0) return;
  irl_env_run(c->env, &run);
  const double left = c->options.limits.time_limit - run.seconds;
  c->options.limits.time_limit = left > least ? left : least;
}

irl_format cli_format(const cli *c) {
  return c->own.json ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT;
}

bool cli_was_interrupted(void) {
  return was_interrupted;
}

static int run(const cli_command *command, int n, char **words, const irl_comm *comm) {
  cli c = {.command = command, .n_words = n, .words = words};
  const irl_status status = irl_env_create(NULL, &c.env);
  if (status) return cli_fail(&c, status);
  irl_env_set_log(c.env, cli_on_log, &c);
  if (cli_on_begin) cli_on_begin(c.env);
  if (command->is_distributed && irl_env_set_comm(c.env, comm))
    return cli_fail(&c, IRL_STATUS_NO_MEMORY);
  irl_env_count_memory(c.env);
  /* The first signal asks to stop and ends waiting for input, the second one kills. */
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  interruptible = c.env;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
#endif
  int code = cli_parse(&c, n, words);
  if (!code && !c.own.help)
    code = irl_env_limit_reading(c.env, &c.options) ? EXIT_INTERNAL : cli_read_inputs(&c);
  /* The options of verify are whole once the certificate is read. */
  if (!code && !c.own.help && !(command->jobs & IRL_FOR_VERIFY)) {
    const irl_status checked = irl_options_check(c.env, &c.options, command->jobs, 0);
    if (checked) code = cli_fail(&c, checked);
  }
  if (!code && c.own.help)
    cli_print_help(command);
  else if (!code)
    code = cli_check_outputs(&c);
  cli_watch(&c);
  if (!code && !c.own.help) code = command->run(&c);
  cli_clear_progress(&c);
  interruptible = NULL; /* what is left is to say how it ended */
  if (c.has_lost_file && (code == EXIT_DONE || code == EXIT_NOTHING)) code = EXIT_BAD_INPUT;
  cli_free_inputs(&c);
  irl_env_free(c.env);
  for (int i = 0; i < c.n_joined; i++) free(c.joined[i]);
  return was_interrupted ? EXIT_INTERRUPTED : code;
}

/* Output that did not arrive is a failure even if the work was done. */
static int finish(int code) {
  if (!fflush(stdout) && !ferror(stdout)) return code;
  fprintf(stderr, "ireland: standard output: %s\n", strerror(errno));
  return code ? code : EXIT_INTERNAL;
}

/* The engine's own threads are enough, and results must not depend on how BLAS splits its work. */
void cli_set_blas(void) {
#ifdef IRL_HAS_BLAS
  extern void openblas_set_num_threads(int n);
  openblas_set_num_threads(1);
#endif
}

int cli_main(int n, char **words, const irl_comm *comm) {
  cli_set_blas();
  if (n < 2) {
    print_commands(stderr);
    return EXIT_USAGE;
  }
  const char *word = words[1];
  const bool is_help = !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
  if (!strcmp(word, "--version")) {
    /* One line for people; with --json what bug reports need. */
    irl_build build = IRL_SIZED(irl_build);
    irl_build_describe(&build);
    if (n < 3 || strcmp(words[2], "--json"))
      printf("ireland %s\n", build.version);
    else
      printf("{\n  \"version\": \"%s\",\n  \"compiler\": \"%s\",\n  \"kernel\": \"%s\",\n"
             "  \"blas\": \"%s\",\n  \"xxhash\": %u,\n  \"openmp\": %d,\n"
             "  \"assertions\": %s\n}\n",
             build.version, build.compiler, build.kernel, build.blas, build.xxhash, build.openmp,
             build.has_assertions ? "true" : "false");
    return finish(EXIT_DONE);
  }
  const bool is_page = !strcmp(word, "--man-page");
  const char *shell = !strcmp(word, "--bash-completion")   ? "bash"
                      : !strcmp(word, "--zsh-completion")  ? "zsh"
                      : !strcmp(word, "--fish-completion") ? "fish"
                                                           : NULL;
  if (is_page || shell || (is_help && n == 2)) {
    if (is_help)
      print_commands(stdout);
    else if (is_page)
      cli_print_manual();
    else
      cli_print_completion(shell);
    return finish(EXIT_DONE);
  }
  const char *name = words[is_help ? 2 : 1], *names[64];
  const cli_command *command = cli_commands;
  size_t n_names = 0;
  for (; command->name && strcmp(command->name, name) && n_names < 64; command++)
    names[n_names++] = command->name;
  if (!command->name) {
    const char *nearest = irl_suggest(name, names, n_names);
    fprintf(stderr, "ireland: unknown command '%s'; ", name);
    fprintf(stderr, nearest ? "did you mean '%s'?\n" : "'ireland --help' lists them\n", nearest);
    return EXIT_USAGE;
  }
  if (!is_help) return finish(run(command, n - 2, words + 2, comm));
  cli_print_help(command);
  return finish(EXIT_DONE);
}
