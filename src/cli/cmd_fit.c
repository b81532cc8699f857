/* ireland fit DATA: learns a rule. An interrupted run still writes its best rule. */
#include "cli/cli.h"

int cli_fit(cli *c) {
  irl_table *table;
  irl_fit_result *result = NULL;
  irl_fit_info info = {0};
  char *text;
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  status = irl_fit_table(c->env, table, &c->options, &result);
  if (!status && c->own.output)
    status = irl_rule_write(c->env, irl_fit_rule(result), c->own.output);
  if (!status) status = cli_save_report(c, result, NULL);
  if (!status) status = irl_fit_render(c->env, result, cli_format(c), &text);
  if (!status) irl_fit_describe(result, &info);
  irl_fit_free(result);
  irl_table_free(table);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  return info.outcome == IRL_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_DONE;
}
