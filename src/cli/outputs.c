/* The files that a command will write, before it begins: none of them is to fail after hours of
 * work, and none is to replace another one or what is read. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_OUTPUTS 16

typedef struct outputs {
  const char *paths[MAX_OUTPUTS];
  size_t n;
} outputs;

static bool is_output(const cli *c, const char *name) {
  static const char *const names[] = {"output", "report",    "csv",        "svg",        "solution",
                                      "rule",   "save_pool", "checkpoint", "certificate"};
  if (!strcmp(name, "certificate") && c->command->run == cli_verify) return false; /* is read */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* Are they one regular file, there already or to be? */
static bool is_same(const char *a, const char *b) {
  struct stat of_a, of_b;
  const bool has_a = !stat(a, &of_a), has_b = !stat(b, &of_b);
  if (has_a && has_b)
    return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  return !has_a && !has_b && !strcmp(a, b);
}

int cli_check_outputs(const cli *c) {
  outputs all = {.n = 0};
  bool is_own;
  const irl_option_info *info;
  for (size_t i = 0; (info = cli_option_at(c->command, i, &is_own)); i++) {
    const char *base = is_own ? (const char *)&c->own : (const char *)&c->options;
    if (info->type != IRL_TEXT || !is_output(c, info->name)) continue;
    const char *path = *(const char *const *)(base + info->offset);
    if (path && all.n < MAX_OUTPUTS) all.paths[all.n++] = path;
  }
  if (c->command->run == cli_convert) all.paths[all.n++] = c->arguments[1];
  for (size_t i = 0; i < all.n; i++) {
    for (size_t k = 0; k < i; k++)
      if (is_same(all.paths[i], all.paths[k]))
        return cli_usage(c, "%s cannot be two outputs at once", all.paths[i]);
    for (int k = 0; k < c->n_arguments; k++)
      if (c->arguments[k] != all.paths[i] && is_same(all.paths[i], c->arguments[k]))
        return cli_usage(c, "%s is read, so it cannot be written", all.paths[i]);
    const irl_status status = irl_output_check(c->env, all.paths[i]);
    if (status) return cli_fail(c, status);
  }
  return EXIT_DONE;
}
