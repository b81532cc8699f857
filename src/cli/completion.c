/* Completion for bash: commands, then the options of the command, otherwise files. */
#include "cli/cli.h"
#include <stdio.h>

static const char head[] = "# Completion of ireland for bash, made by ireland --bash-completion.\n"
                           "_ireland() {\n"
                           "  local current=${COMP_WORDS[COMP_CWORD]} options=\n"
                           "  COMPREPLY=()\n";

static const char tail[] = "  esac\n"
                           "  if [[ $current == -* ]]; then\n"
                           "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                           "  fi\n"
                           "}\n"
                           "complete -o default -F _ireland ireland\n";

static void put_command(const cli_command *command) {
  bool is_own;
  const irl_option_info *info;
  char spelled[CLI_SPELLED];
  printf("  %s) options=\"", command->name);
  for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
    cli_spell(info, spelled);
    printf("%s%s", i ? " " : "", spelled);
  }
  printf("\" ;;\n");
}

void cli_print_completion(void) {
  fputs(head, stdout);
  printf("  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"");
  for (const cli_command *command = cli_commands; command->name; command++)
    printf("%s ", command->name);
  printf("--help --version\" -- \"$current\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (const cli_command *command = cli_commands; command->name; command++) put_command(command);
  fputs(tail, stdout);
}
