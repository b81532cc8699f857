/* The files that a command will write, before it begins: none of them is to fail after hours of
 * work, and none is to replace another one or what is read. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_OUTPUTS 16

/* Are they one regular file, there already or to be? */
static bool is_same(const char *a, const char *b) {
  struct stat of_a, of_b;
  const bool has_a = !stat(a, &of_a), has_b = !stat(b, &of_b);
  if (has_a && has_b)
    return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  return !has_a && !has_b && !strcmp(a, b);
}

int cli_check_outputs(const cli *c) {
  static const char *const names[] = {"output",      "report",     "csv",       "svg",
                                      "solution",    "rule",       "save_pool", "checkpoint",
                                      "certificate", "predictions"};
  const char *paths[MAX_OUTPUTS];
  size_t n = 0;
  bool is_own;
  const irl_option_info *info;
  for (size_t i = 0; (info = cli_option_at(c->command, i, &is_own)); i++) {
    const char *base = is_own ? (const char *)&c->own : (const char *)&c->options;
    bool is_output = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      is_output |= !strcmp(info->name, names[k]);
    if (!strcmp(info->name, "certificate") && c->command->run == cli_verify)
      is_output = false; /* it is read */
    const char *path = is_output ? *(const char *const *)(base + info->offset) : NULL;
    if (path && n < MAX_OUTPUTS) paths[n++] = path;
  }
  if (c->command->run == cli_convert) paths[n++] = c->arguments[1];
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++)
      if (is_same(paths[i], paths[k]))
        return cli_usage(c, "%s cannot be two outputs at once", paths[i]);
    for (int k = 0; k < c->n_arguments; k++)
      if (c->arguments[k] != paths[i] && is_same(paths[i], c->arguments[k]))
        return cli_usage(c, "%s is read, so it cannot be written", paths[i]);
    const irl_status status = irl_file_check(c->env, paths[i]);
    if (status) return cli_fail(c, status);
  }
  return EXIT_DONE;
}
