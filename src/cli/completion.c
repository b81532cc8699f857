/* Completion for bash, zsh and fish, from the tables of commands and options: commands, then the
 * options of the command, the words that an option takes, otherwise files. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* Calls `put` for each option of a command. */
static void each_option(const cli_command *command,
                        void (*put)(const irl_option_info *info, const char *spelled)) {
  bool is_own;
  const irl_option_info *info;
  char spelled[CLI_SPELLED];
  for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
    cli_spell(info, spelled);
    if (*info->help) put(info, spelled);
  }
}

static bool is_number(const irl_option_info *info) {
  return info->type == IRL_OPTION_INTEGER || info->type == IRL_OPTION_REAL;
}

/* The texts of an option of words, with a blank before each but the first. */
static void put_words(const irl_option_info *info) {
  for (size_t i = 1; i < info->n_words; i++) printf("%s%s", i > 1 ? " " : "", info->words[i]);
}

/* A text within single quotes: `quote` is how the shell has one in it, and each of `special` gets a
 * backslash. */
static void put_quoted(const char *text, const char *quote, const char *special) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs(quote, stdout);
    else
      printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
  }
}

/* ---- bash ---- */

static const char bash_head[] =
    "# Completion of ireland for bash, made by ireland --bash-completion.\n"
    "_ireland() {\n"
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
    "  COMPREPLY=()\n";

static const char bash_tail[] = "  esac\n"
                                "  if [[ $current == -* ]]; then\n"
                                "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                                "  fi\n"
                                "}\n"
                                "complete -o default -F _ireland ireland\n";

static void put_bash_name(const irl_option_info *info, const char *spelled) {
  (void)info;
  printf("%s ", spelled);
}

static void put_bash_words(const irl_option_info *info, const char *spelled) {
  if (info->type != IRL_OPTION_WORD) return;
  printf("  %s) COMPREPLY=($(compgen -W \"", spelled);
  put_words(info);
  printf("\" -- \"$current\")) && return ;;\n");
}

static void put_bash(void) {
  fputs(bash_head, stdout);
  printf("  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"");
  for (const cli_command *command = cli_commands; command->name; command++)
    printf("%s ", command->name);
  printf("--help --version\" -- \"$current\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (const cli_command *command = cli_commands; command->name; command++) {
    printf("  %s)\n  options=\"", command->name);
    each_option(command, put_bash_name);
    printf("--help\"\n  case $previous in\n");
    each_option(command, put_bash_words);
    printf("  esac ;;\n");
  }
  fputs(bash_tail, stdout);
}

/* ---- zsh ---- */

static void put_zsh_option(const irl_option_info *info, const char *spelled) {
  printf("      '*%s[", spelled);
  put_quoted(info->help, "'\\''", "[]\\");
  printf("]");
  if (info->type == IRL_OPTION_WORD) {
    printf(":word:(");
    put_words(info);
    printf(")");
  } else if (info->type != IRL_OPTION_FLAG) {
    printf(":%s:%s", is_number(info) ? "number" : "text", is_number(info) ? "" : "_files");
  }
  printf("' \\\n");
}

static void put_zsh(void) {
  printf("#compdef ireland\n"
         "# Completion of ireland for zsh, made by ireland --zsh-completion.\n"
         "_ireland() {\n"
         "  local -a commands=(\n");
  for (const cli_command *command = cli_commands; command->name; command++) {
    printf("    '%s:", command->name);
    put_quoted(command->summary, "'\\''", ":\\");
    printf("'\n");
  }
  printf("  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe -t commands command commands\n"
         "    compadd -- --help --version\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $words[1] in\n");
  for (const cli_command *command = cli_commands; command->name; command++) {
    printf("  %s)\n    _arguments \\\n", command->name);
    each_option(command, put_zsh_option);
    printf("      '--help[the options and an example]' \\\n      '*:file:_files' ;;\n");
  }
  printf(
      "  esac\n"
      "}\n"
      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _ireland \"$@\"; else compdef _ireland "
      "ireland; fi\n");
}

/* ---- fish ---- */

static const cli_command *fish_command; /* whose options are put */

static void put_fish_option(const irl_option_info *info, const char *spelled) {
  const bool is_long = spelled[1] == '-';
  printf("complete -c ireland -n '__fish_seen_subcommand_from %s' -%c %s", fish_command->name,
         is_long ? 'l' : 's', spelled + (is_long ? 2 : 1));
  if (info->type == IRL_OPTION_WORD) {
    printf(" -x -a '");
    put_words(info);
    printf("'");
  } else if (info->type != IRL_OPTION_FLAG) {
    printf(is_number(info) ? " -x" : " -r");
  }
  printf(" -d '");
  put_quoted(info->help, "\\'", "\\");
  printf("'\n");
}

static void put_fish(void) {
  printf("# Completion of ireland for fish, made by ireland --fish-completion.\n");
  for (const cli_command *command = cli_commands; command->name; command++) {
    printf("complete -c ireland -n __fish_use_subcommand -f -a %s -d '", command->name);
    put_quoted(command->summary, "\\'", "\\");
    printf("'\n");
  }
  printf("complete -c ireland -n __fish_use_subcommand -l version -d 'the version'\n"
         "complete -c ireland -l help -d 'commands, or the options of one'\n");
  for (fish_command = cli_commands; fish_command->name; fish_command++)
    each_option(fish_command, put_fish_option);
}

void cli_print_completion(const char *shell) {
  if (!strcmp(shell, "bash"))
    put_bash();
  else if (!strcmp(shell, "zsh"))
    put_zsh();
  else
    put_fish();
}
