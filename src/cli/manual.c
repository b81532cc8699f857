/* The manual page, ireland(1), in the man macros: every command with the options that it takes and
 * an example, then every option once, all from the tables that the command line itself uses. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

#define DATE "2026-11-16" /* of the last change of the texts below */

/* Text that troff takes as it is. */
static void put(const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
  }
}

static void put_name(const irl_option_info *info) {
  char spelled[CLI_SPELLED];
  cli_spell(info, spelled);
  printf("\\fB");
  put(spelled);
  printf("\\fR");
}

/* ---- commands ---- */

static void put_command(const cli_command *command) {
  bool is_own;
  const irl_option_info *info;
  printf(".SS \"ireland %s ", command->name);
  put(command->arguments);
  printf("\"\n");
  put(command->summary);
  printf("\n.PP\nOptions:\n");
  for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
    if (i) printf(",\n");
    put_name(info);
  }
  printf(".\n.PP\n.nf\n\\fBireland ");
  put(command->example);
  printf("\\fR\n.fi\n");
}

/* ---- options ---- */

/* Is it an option of this command, and which one is it there? */
static bool takes(const cli_command *command, const irl_option_info *wanted) {
  bool is_own;
  const irl_option_info *info;
  for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++)
    if (info == wanted) return true;
  return false;
}

static void put_option(const irl_option_info *info) {
  static const char *const shapes[] = {"", "INT", "NUMBER", "TEXT"};
  size_t n = 0, n_all = 0;
  printf(".TP\n");
  put_name(info);
  if (info->type != IRL_OPTION_FLAG) printf(" \\fI%s\\fR", shapes[info->type]);
  printf("\n");
  put(info->help);
  if (info->type == IRL_OPTION_INTEGER || info->type == IRL_OPTION_REAL) {
    char preset[40];
    snprintf(preset, sizeof preset, " (default %.15g)", info->preset);
    put(preset);
  }
  /* The commands that take it, unless all do. */
  for (const cli_command *c = cli_commands; c->name; c++, n_all++) n += takes(c, info);
  const char *between = "\n.br\nFor ";
  for (const cli_command *c = cli_commands; c->name && n < n_all; c++) {
    if (!takes(c, info)) continue;
    printf("%s%s", between, c->name);
    between = ", ";
  }
  printf(n < n_all ? ".\n" : "\n");
}

/* ---- the page ---- */

static const char head[] =
    ".SH NAME\n"
    "ireland \\- readable Boolean rules from data, and how good they provably are\n"
    ".SH SYNOPSIS\n"
    ".B ireland\n"
    ".I COMMAND\n"
    ".RI [ options ]\n"
    ".br\n"
    ".B ireland \\-\\-version\n"
    ".RB [ \\-\\-json ]\n"
    ".br\n"
    ".B ireland\n"
    ".I COMMAND\n"
    ".B \\-\\-help\n"
    ".SH DESCRIPTION\n"
    "ireland learns rules of the form (a AND b) OR (c AND NOT d) from a table of samples with a\n"
    "label of two values. The cases are the samples of one label, the controls those of the "
    "other.\n"
    "A rule has at most K clauses of at most M literals each. Besides the rule it found, ireland\n"
    "says how much better any such rule could be at most; often that is nothing, and then a\n"
    "certificate of it can be written and checked.\n"
    ".PP\n"
    "Results go to standard output, everything else to standard error. The same data, options and\n"
    "seed give the same result on any number of threads. Ctrl\\-C ends a run with the best that "
    "it\n"
    "has.\n";

static const char tail[] =
    ".SH FILES\n"
    "Data: .csv, .tsv, .txt, .arff, .svm, .libsvm, PLINK .bed with .bim and .fam, and .irb, the\n"
    "packed format of ireland. \\- is CSV on standard input. Rules are JSON, models MPS or LP. All "
    "of\n"
    "them may be compressed by gzip (.gz).\n"
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\ndone; reaching a limit with a result is done\n"
    ".TP\n.B 1\ninternal error\n"
    ".TP\n.B 2\nwrong use of the program\n"
    ".TP\n.B 3\nbad input; the message reads file:line:column: what is wrong. Or a file could not "
    "be\n"
    "written: before the work nothing is done, after it the rest is kept\n"
    ".TP\n.B 4\nno solution: none was found, or the problem is infeasible or unbounded\n"
    ".TP\n.B 130\ninterrupted; the best rule so far was written\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B OMP_NUM_THREADS\n"
    "threads where --threads does not say how many, at most one per core\n"
    ".TP\n.B OMP_WAIT_POLICY\n"
    "passive spares the processor while threads wait, on a machine with other work\n"
    ".SH SEE ALSO\n"
    "M. Balvert, Iterative Rule Extension for Logic Analysis of Data, INFORMS Journal on\n"
    "Computing, 2024. The header\n"
    ".I ireland.h\n"
    "for the library.\n";

void cli_print_manual(void) {
  printf(".\\\" Made by ireland --man-page.\n.TH IRELAND 1 \"" DATE
         "\" \"ireland %s\" \"User Commands\"\n",
         irl_version());
  fputs(head, stdout);
  printf(".SH COMMANDS\n");
  for (const cli_command *command = cli_commands; command->name; command++) put_command(command);
  printf(".SH OPTIONS\n");
  for (const cli_command *command = cli_commands; command->name; command++) {
    bool is_own;
    const irl_option_info *info;
    for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
      const cli_command *first = cli_commands;
      while (first < command && !takes(first, info)) first++;
      if (first == command && *info->help) put_option(info);
    }
  }
  fputs(tail, stdout);
}
