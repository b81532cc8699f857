/* ireland model DATA --form bp1 -o FILE.mps: models of the paper for other solvers. */
#include "cli/cli.h"
#include "ireland_model.h"
#include <inttypes.h>
#include <stdio.h>

int cli_model(cli *c) {
  irl_data *data;
  irl_model *model = NULL;
  irl_model_info info = {.size = sizeof info};
  if (!c->own.output) return cli_usage(c, "model needs -o FILE.mps, FILE.lp or FILE.opb");
  irl_status status = irl_data_read(c->env, c->arguments[0], &c->options, &data);
  if (status) return cli_fail(c, status);
  status = irl_model_from_data(c->env, data, &c->options, &model);
  if (!status) status = irl_model_write(c->env, model, c->own.output);
  if (!status) status = irl_model_describe(model, &info);
  irl_model_free(model);
  irl_data_free(data);
  if (status) return cli_fail(c, status);
  if (c->own.json)
    printf("{\"rows\": %" PRIu64 ", \"columns\": %" PRIu64 ", \"integers\": %" PRIu64 "}\n",
           info.rows, info.columns, info.integers);
  cli_note(c, "%s: %" PRIu64 " rows, %" PRIu64 " columns, %" PRIu64 " of them integer",
           c->own.output, info.rows, info.columns, info.integers);
  return EXIT_DONE;
}
