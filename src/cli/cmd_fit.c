/* ireland fit DATA: learns a rule. An interrupted run still writes its best rule. */
#include "cli/cli.h"
#include <math.h>

int cli_fit(cli *c) {
  irl_table *table;
  irl_fit_result *result = NULL;
  irl_fit_info info = {0};
  char *text;
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  cli_spend_time(c);
  status = irl_fit_table(c->env, table, &c->options, &result);
  if (!status) irl_fit_describe(result, &info);
  const bool has_rule = info.objective == info.objective; /* NaN without one */
  if (!status && has_rule && c->own.output)
    status = irl_rule_write(c->env, irl_fit_rule(result), c->own.output);
  if (!status && has_rule) status = cli_save_report(c, result, NULL);
  if (!status) status = irl_fit_render(c->env, result, cli_format(c), &text);
  irl_fit_free(result);
  irl_table_free(table);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  if (info.outcome == IRL_INTERRUPTED) return EXIT_INTERRUPTED;
  return has_rule ? EXIT_DONE : EXIT_NOTHING;
}
