/* ireland convert IN OUT: a table in another format, its cells as they are. */
#include "cli/cli.h"
#include "ireland_data.h"
#include <inttypes.h>
#include <string.h>

int cli_convert(cli *c) {
  irl_table *table;
  irl_table_info info = IRL_SIZED(irl_table_info);
  char *text;
  const char *end = strrchr(c->arguments[1], '.');
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  status = irl_table_write(c->env, table, c->arguments[1]);
  if (!status && end && (!strcmp(end, ".svm") || !strcmp(end, ".libsvm")))
    cli_note(c, "%s: this format has no names; features are f1, f2, ... and labels 1 and 0",
             c->arguments[1]);
  irl_table_describe(table, &info);
  if (!status && c->own.json)
    status = irl_table_render(c->env, table, IRL_FORMAT_JSON, &text);
  else if (!status)
    cli_note(c, "%s: %" PRIu64 " samples, %" PRIu64 " of them cases, %" PRIu64 " %s",
             c->arguments[1], info.samples, info.cases, info.columns,
             info.is_plain ? "features" : "columns");
  irl_table_free(table);
  if (status) return cli_fail(c, status);
  return c->own.json ? cli_print(c, text) : EXIT_DONE;
}
