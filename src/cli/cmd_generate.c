/* ireland generate -o FILE: planted data. */
#include "cli/cli.h"

int cli_generate(cli *c) {
  irl_data *data;
  irl_rule *rule;
  if (!c->own.output) return cli_usage(c, "generate needs -o FILE");
  irl_status status = irl_generate(c->env, &c->options, &data, &rule);
  if (status) return cli_fail(c, status);
  status = irl_data_write(c->env, data, c->own.output);
  if (!status && c->own.rule) status = irl_rule_write(c->env, rule, c->own.rule);
  const int code = status ? cli_fail(c, status) : cli_report_data(c, data, c->own.output);
  irl_rule_free(rule);
  irl_data_free(data);
  return code;
}
