/* ireland info FILE: what a data set is. */
#include "cli/cli.h"
#include "ireland_data.h"

int cli_info(cli *c) {
  irl_table *table;
  char *text;
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  status = irl_table_render(c->env, table, cli_format(c), &text);
  irl_table_free(table);
  return status ? cli_fail(c, status) : cli_print(c, text);
}
