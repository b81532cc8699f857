/* ireland convert IN OUT: a table in another format, its cells as they are. */
#include "cli/cli.h"
#include <string.h>

static int report(cli *c, const irl_table *table) {
  irl_table_info info;
  char *text;
  if (c->own.json) {
    const irl_status status = irl_table_render(c->env, table, IRL_FORMAT_JSON, &text);
    return status ? cli_fail(c, status) : cli_print(c, text);
  }
  irl_table_describe(table, &info);
  cli_note(c, "%s: %llu samples, %llu of them cases, %llu %s", c->arguments[1],
           (unsigned long long)info.samples, (unsigned long long)info.cases,
           (unsigned long long)info.columns, info.is_plain ? "features" : "columns");
  return EXIT_DONE;
}

int cli_convert(cli *c) {
  irl_table *table;
  const char *end = strrchr(c->arguments[1], '.');
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  status = irl_table_write(c->env, table, c->arguments[1]);
  if (!status && end && (!strcmp(end, ".svm") || !strcmp(end, ".libsvm")))
    cli_note(c, "%s: this format has no names; features are f1, f2, ... and labels 1 and 0",
             c->arguments[1]);
  const int code = status ? cli_fail(c, status) : report(c, table);
  irl_table_free(table);
  return code;
}
