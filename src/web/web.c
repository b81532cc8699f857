/* The program in WebAssembly: main for a page or for Node, which call it once per instance.
 *
 * A job is a command line, as in a terminal: so the answers are those of the program, and what the
 * page does can be done again without it. Files are those of emscripten's file system, into which
 * JavaScript has put what the user chose; answers are files there and standard output. While a job
 * runs, JavaScript is told of progress and of better rules by two functions of the module, each of
 * which may answer that the job is to stop: nothing else could reach a thread that computes. */
#include "cli/cli.h"
#include <emscripten.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
EM_JS(int, on_progress, (const char *part, double seconds, double work, double objective, double bound), {
  return Module["onProgress"] ? Module["onProgress"](UTF8ToString(part), seconds, work, objective, bound) : 0;
})
EM_JS(int, on_incumbent, (const char *rule, const char *text, double objective, double bound), {
  return Module["onIncumbent"] ? Module["onIncumbent"](UTF8ToString(rule), UTF8ToString(text), objective, bound) : 0;
})
/* clang-format on */

static int tell_progress(void *user, const irl_progress *progress) {
  (void)user;
  return on_progress(progress->part, progress->seconds, (double)progress->work, progress->objective,
                     progress->bound);
}

/* A rule that cannot be shown, for want of memory, is found all the same. */
static int tell_incumbent(void *user, const irl_incumbent *incumbent) {
  irl_env *env = user;
  char *json = NULL, *text = NULL;
  int answer = 0;
  if (!irl_rule_render(env, incumbent->rule, IRL_FORMAT_JSON, &json) &&
      !irl_rule_render(env, incumbent->rule, IRL_FORMAT_TEXT, &text))
    answer = on_incumbent(json, text, incumbent->objective, incumbent->bound);
  irl_text_free(env, json);
  irl_text_free(env, text);
  return answer;
}

static void watch(irl_env *env) {
  irl_env_set_progress(env, tell_progress, NULL);
  irl_env_set_incumbent(env, tell_incumbent, env);
}

/* The options of a command for the forms of the page, as JSON. No help has a quotation mark. */
static int print_options(const char *name) {
  static const char *const types[] = {"flag", "integer", "real", "text", "word", "text", "object"};
  const cli_command *command = cli_commands;
  const irl_option_info *info;
  bool is_own;
  while (command->name && strcmp(command->name, name)) command++;
  if (!command->name) return EXIT_USAGE;
  for (size_t i = 0; (info = cli_option_at(command, i, &is_own)); i++) {
    char spelled[CLI_SPELLED];
    cli_spell(info, spelled);
    printf("%s{\"option\": \"%s\", \"type\": \"%s\", \"preset\": %.17g, \"help\": \"%s\", "
           "\"words\": [",
           i ? ",\n " : "[", spelled, types[info->type], info->preset, info->help);
    for (size_t k = 1; k < info->n_words; k++)
      printf("%s\"%s\"", k > 1 ? ", " : "", info->words[k]);
    printf("]}");
  }
  printf("]\n");
  return fflush(stdout) ? EXIT_INTERNAL : EXIT_DONE;
}

int main(int n, char **words) {
  cli_on_begin = watch;
  if (n == 3 && !strcmp(words[1], "--options-of")) return print_options(words[2]);
  return cli_main(n, words, NULL);
}
