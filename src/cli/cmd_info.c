/* ireland info FILE: what a data set is. */
#include "cli/cli.h"

int cli_info(cli *c) {
  irl_data *data;
  char *text;
  irl_status status = irl_data_read(c->env, c->arguments[0], &c->options, &data);
  if (status) return cli_fail(c, status);
  status = irl_data_render(c->env, data, cli_format(c), &text);
  irl_data_free(data);
  return status ? cli_fail(c, status) : cli_print(c, text);
}
