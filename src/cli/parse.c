/* Words of the command line to options: --name value, --name=value, -K 3, -K3, -o FILE. */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRESET_FLAG(x)    (x)
#define PRESET_INTEGER(x) (double)(x)
#define PRESET_REAL(x)    (x)
#define PRESET_TEXT(x)    0
#define INFO_ROW(type, name, preset, low, high, jobs, help)                                        \
  {#name,                                                                                          \
   IRL_OPTION_##type,                                                                              \
   PRESET_##type(preset),                                                                          \
   low,                                                                                            \
   high,                                                                                           \
   jobs,                                                                                           \
   IRL_FROM_ANY,                                                                                   \
   IRL_KEEPS,                                                                                      \
   help,                                                                                           \
   offsetof(cli_options, name),                                                                    \
   NULL,                                                                                           \
   0},

static const irl_option_info own_table[] = {CLI_OPTION_TABLE(INFO_ROW)};
#define N_OWN (sizeof own_table / sizeof *own_table)

bool cli_is_listed(const char *list, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' ')) return true;
  return false;
}

static bool takes_own(const cli_command *command, const irl_option_info *info) {
  return cli_is_listed("json help quiet", info->name) || cli_is_listed(command->own, info->name) ||
         info->jobs & command->jobs;
}

/* Does the command line take an option of this name itself? */
static bool is_hidden(const cli_command *command, const char *name) {
  for (size_t i = 0; i < N_OWN; i++)
    if (!strcmp(own_table[i].name, name)) return takes_own(command, &own_table[i]);
  return false;
}

const irl_option_info *cli_option_at(const cli_command *command, size_t i, bool *is_own) {
  size_t n_library;
  const irl_option_info *library = irl_options_table(&n_library);
  for (size_t k = 0; k < n_library + N_OWN; k++) {
    *is_own = k >= n_library;
    const irl_option_info *info = *is_own ? &own_table[k - n_library] : &library[k];
    const bool is_taken =
        *is_own ? takes_own(command, info)
                : info->jobs & (command->jobs | IRL_FOR_RUN) && !is_hidden(command, info->name);
    if (is_taken && !i--) return info;
  }
  return NULL;
}

void cli_spell(const irl_option_info *info, char spelled[CLI_SPELLED]) {
  snprintf(spelled, CLI_SPELLED, "%s%s", strlen(info->name) == 1 ? "-" : "--", info->name);
  for (char *p = spelled; *p; p++)
    if (*p == '_') *p = '-';
}

static bool is_spelled(const irl_option_info *info, const char *word, size_t length) {
  char spelled[CLI_SPELLED];
  cli_spell(info, spelled);
  return strlen(spelled) == length && !strncmp(spelled, word, length);
}

static int unknown_option(const cli *c, const char *word, size_t length) {
  char spelled[CLI_MAX_OPTIONS][CLI_SPELLED], wrong[CLI_SPELLED], takers[256] = "";
  const char *names[CLI_MAX_OPTIONS];
  size_t n = 0, used = 0;
  bool is_own;
  const irl_option_info *info;
  snprintf(wrong, sizeof wrong, "%.*s", (int)length, word);
  /* The commands that take an option of this spelling, as "fit, curve". */
  for (const cli_command *command = cli_commands; command->name; command++) {
    bool takes = false;
    for (size_t i = 0; (info = cli_option_at(command, i, &is_own)) && !takes; i++)
      takes = is_spelled(info, word, length);
    if (takes && used < sizeof takers)
      used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "",
                               command->name);
  }
  if (*takers)
    return cli_usage(c, "option %s has no effect on %s; it is for %s", wrong, c->command->name,
                     takers);
  for (; n < CLI_MAX_OPTIONS && (info = cli_option_at(c->command, n, &is_own)); n++) {
    cli_spell(info, spelled[n]);
    names[n] = spelled[n];
  }
  const char *answer = cli_plink_answer(wrong);
  if (answer) return cli_usage(c, "option %s is plink's; here %s", wrong, answer);
  const char *nearest = irl_suggest(wrong, names, n);
  if (nearest) return cli_usage(c, "unknown option %s; did you mean %s?", wrong, nearest);
  return cli_usage(c, "unknown option %s; 'ireland %s --help' lists them", wrong, c->command->name);
}

/* An option whose values add up: a line each. The text lives as long as the run. */
static const char *add_value(cli *c, const irl_option_info *info, const char *value) {
  const char *before = *(const char **)((char *)&c->options + info->offset);
  if (!cli_is_listed("type ignore only forbid na", info->name) || !before) return value;
  if (c->n_joined == CLI_MAX_JOINED) return NULL;
  const size_t size = strlen(before) + strlen(value) + 2;
  char *joined = malloc(size);
  if (!joined) return NULL;
  snprintf(joined, size, "%s\n%s", before, value);
  c->joined[c->n_joined++] = joined;
  return joined;
}

/* Where the value of an option goes that --tune takes a range of; NULL: elsewhere. */
static const char **range_of(cli *c, const irl_option_info *info) {
  if (!(c->command->jobs & IRL_FOR_FIT)) return NULL;
  return !strcmp(info->name, "K")         ? &c->grid.K
         : !strcmp(info->name, "M")       ? &c->grid.M
         : !strcmp(info->name, "penalty") ? &c->grid.penalty
                                          : NULL;
}

/* What fit is given is a grid to choose from, or one setting. */
static int settle_ranges(cli *c) {
  const char *const names[] = {"K", "M", "penalty"};
  const char *const values[] = {c->grid.K, c->grid.M, c->grid.penalty};
  if (!(c->command->jobs & IRL_FOR_FIT)) return EXIT_DONE;
  if (c->own.no_negations && c->options.rule.negations)
    return cli_usage(c, "options --negations and --no-negations exclude each other");
  if (c->own.tune) {
    c->grid.size = sizeof c->grid;
    c->grid.negations = c->own.no_negations ? "0" : NULL;
    c->options.search.tune = &c->grid;
    return EXIT_DONE;
  }
  if (c->own.no_negations)
    return cli_usage(c, "option --no-negations has no effect without --tune");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!values[i]) continue;
    const irl_status status = irl_options_set(c->env, &c->options, names[i], values[i]);
    if (status) return cli_fail(c, status);
  }
  return EXIT_DONE;
}

/* One option at words[*i]; its value may be the next word. */
static int parse_option(cli *c, int n, char **words, int *i) {
  const char *word = words[*i], *value = NULL;
  size_t length = strlen(word);
  if (!strncmp(word, "-o", 2) && word[1] != '-') {
    value = word[2] ? word + 2 : NULL;
    word = "--output";
    length = strlen(word);
  } else if (word[1] != '-' && word[2]) {
    value = word + 2 + (word[2] == '=');
    length = 2;
  } else if (strchr(word, '=')) {
    value = strchr(word, '=') + 1;
    length = (size_t)(value - word) - 1;
  }
  if (!strcmp(word, "--1")) { /* plink's word for it */
    word = "--pheno-01";
    length = strlen(word);
  }
  if (!strcmp(word, "-h")) {
    word = "--help";
    length = strlen(word);
  }
  bool is_own;
  const irl_option_info *info;
  for (size_t k = 0; (info = cli_option_at(c->command, k, &is_own)); k++) {
    if (!is_spelled(info, word, length)) continue;
    if (info->type != IRL_OPTION_FLAG && !value) {
      if (*i + 1 >= n) return cli_usage(c, "option %s needs a value", words[*i]);
      value = words[++*i];
    }
    if (!is_own && info->type == IRL_OPTION_TEXT) {
      value = add_value(c, info, value);
      if (!value)
        return cli_usage(c, "option %s is there too often; give its values with commas",
                         info->name);
    }
    const char **range = range_of(c, info);
    if (range) {
      *range = value;
      return EXIT_DONE;
    }
    const irl_status status =
        irl_option_parse(c->env, info, is_own ? (void *)&c->own : (void *)&c->options, value);
    return status ? cli_fail(c, status) : EXIT_DONE;
  }
  return unknown_option(c, word, length);
}

/* Data that an option names, as plink's do, stand where the argument would. */
static int name_data(cli *c) {
  static const char *const data[] = {"DATA", "FILE", "IN"};
  const char *given[] = {c->own.bfile, c->own.vcf, c->own.bcf};
  const char *path = NULL;
  int n = 0, at = 0;
  for (int i = 0; i < 3; i++)
    if (given[i]) path = given[i], n++;
  if (!n) return EXIT_DONE;
  if (n > 1 || c->n_arguments >= c->command->n_arguments)
    return cli_usage(c, "option %s names the data a second time; usage: ireland %s %s",
                     c->own.bfile ? "--bfile"
                     : c->own.vcf ? "--vcf"
                                  : "--bcf",
                     c->command->name, c->command->arguments);
  if (c->own.bfile) {
    const size_t size = strlen(path) + sizeof ".bed";
    char *whole = c->n_joined < CLI_MAX_JOINED ? malloc(size) : NULL;
    if (!whole) return cli_usage(c, "option --bfile: out of memory");
    snprintf(whole, size, "%s.bed", path);
    path = c->joined[c->n_joined++] = whole;
  }
  for (int i = 0; i < 3; i++) {
    const char *found = strstr(c->command->arguments, data[i]);
    if (found && found > c->command->arguments && found[-1] == ' ' && strncmp(found, "FILE", 4))
      at = 1;
  }
  if (at > c->n_arguments) at = c->n_arguments;
  for (int i = c->n_arguments++; i > at; i--) c->arguments[i] = c->arguments[i - 1];
  c->arguments[at] = path;
  return EXIT_DONE;
}

int cli_parse(cli *c, int n, char **words) {
  bool only_arguments = false;
  irl_options_init(&c->options, sizeof c->options);
  if (c->command->jobs & IRL_FOR_VERIFY) irl_certificate_clear_options(&c->options);
  for (int i = 0; i < n; i++) {
    if (!strcmp(words[i], "--") && !only_arguments) {
      only_arguments = true;
    } else if (words[i][0] == '-' && words[i][1] && !only_arguments) {
      const int code = parse_option(c, n, words, &i);
      if (code) return code;
    } else if (c->n_arguments == c->command->n_arguments) {
      return cli_usage(c, "'%s' is one argument too many; usage: ireland %s %s", words[i],
                       c->command->name, c->command->arguments);
    } else {
      c->arguments[c->n_arguments++] = words[i];
    }
  }
  int code = settle_ranges(c);
  if (!code) code = name_data(c);
  if (code) return code;
  const bool may_lack = c->command->jobs & IRL_FOR_VERIFY; /* the rule: certificates have it */
  const int least = c->command->n_arguments - may_lack;
  if (c->own.help || c->n_arguments >= least) return EXIT_DONE;
  return cli_usage(c, "usage: ireland %s %s", c->command->name, c->command->arguments);
}
