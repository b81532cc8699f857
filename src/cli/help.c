/* The help of a command: its options in groups, those of every day first, from the tables of
 * options. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* X(name, title, options between blanks that belong to it whatever group of the library they are
 * in): in the order in which they are shown. */
#define GROUP_TABLE(X)                                                                             \
  X(daily, "Every day",                                                                            \
    "target positive K M prove time_limit output report json id format explain decide")            \
  X(data, "Data", "types one_per bfile vcf bcf het")                                               \
  X(rule, "Rule", "no_negations")                                                                  \
  X(search, "Search", "start pool resume checkpoint save_pool")                                    \
  X(limits, "Limits", "")                                                                          \
  X(validation, "Validation",                                                                      \
    "validate test permutations folds repeats nested choose group fold_column within all_optimal " \
    "equivalent certificate")                                                                      \
  X(output, "Output", "quiet help csv svg plot solution rule to complexity")                       \
  X(genotypes, "Genotypes", "pheno covar keep remove extract exclude genes")                       \
  X(paper, "The paper's methods", "method form profile paper_sample budgets binary plain no_start")

#define ENUM_ROW(name, title, options) GROUP_##name,
enum { GROUP_TABLE(ENUM_ROW) N_GROUPS };
#define TITLE_ROW(name, title, options) title,
static const char *const titles[] = {GROUP_TABLE(TITLE_ROW)};
#define OPTIONS_ROW(name, title, options) options,
static const char *const listed[] = {GROUP_TABLE(OPTIONS_ROW)};

/* The library's own groups, for options that are not listed. */
#define LIBRARY_ROW(group, type, name, preset, low, high, jobs, inputs, changes, help)             \
  {#name, GROUP_##group},
static const struct {
  const char *name;
  int group;
} library[] = {IRL_OPTION_TABLE(LIBRARY_ROW)};

static int group_of(const char *name) {
  for (int group = 0; group < N_GROUPS; group++)
    if (cli_is_listed(listed[group], name)) return group;
  for (size_t i = 0; i < sizeof library / sizeof *library; i++)
    if (!strcmp(library[i].name, name)) return library[i].group;
  return GROUP_output;
}

static void print_option(const irl_option_info *info) {
  static const char *const shapes[] = {"", " INT", " NUMBER", " TEXT", " WORD", " TEXT", ""};
  char spelled[CLI_SPELLED], shown[96];
  cli_spell(info, spelled);
  snprintf(shown, sizeof shown, "%s%s", spelled, shapes[info->type]);
  printf("  %-22s %s", shown, info->help);
  if (info->type == IRL_OPTION_INTEGER || info->type == IRL_OPTION_REAL)
    printf(" (default %.15g)", info->preset);
  printf("\n");
}

void cli_print_help(const cli_command *command) {
  bool is_own;
  const irl_option_info *info;
  printf("ireland %s %s\n\n%s\n", command->name, command->arguments, command->summary);
  for (int group = 0; group < N_GROUPS; group++) {
    bool has_title = false;
    for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
      if (group_of(info->name) != group || !*info->help) continue;
      if (!has_title) printf("\n%s\n", titles[group]);
      has_title = true;
      print_option(info);
    }
  }
  printf("\nExample\n  ireland %s\n", command->example);
  printf("\nExit codes: 0 done, 1 internal error, 2 usage, 3 bad input or a file that could not be "
         "written,\n4 no solution (none found, infeasible or unbounded), 130 interrupted\n");
}
