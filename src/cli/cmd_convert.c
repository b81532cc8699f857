/* ireland convert IN OUT: a data set in another format. */
#include "cli/cli.h"
#include <string.h>

int cli_convert(cli *c) {
  irl_data *data;
  irl_status status = irl_data_read(c->env, c->arguments[0], &c->options, &data);
  if (status) return cli_fail(c, status);
  status = irl_data_write(c->env, data, c->arguments[1]);
  const char *end = strrchr(c->arguments[1], '.');
  if (!status && end && (!strcmp(end, ".svm") || !strcmp(end, ".libsvm")))
    cli_note(c, "%s: this format has no names; features are f1, f2, ... and labels 1 and 0",
             c->arguments[1]);
  const int code = status ? cli_fail(c, status) : cli_report_data(c, data, c->arguments[1]);
  irl_data_free(data);
  return code;
}
