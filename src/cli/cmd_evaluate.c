/* ireland evaluate RULE.json DATA: how good a rule is on a data set. */
#include "cli/cli.h"

int cli_evaluate(cli *c) {
  irl_rule *rule = NULL;
  irl_data *data = NULL;
  char *text;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) status = irl_data_read_for(c->env, c->arguments[1], &c->options, rule, true, &data);
  if (!status) status = irl_evaluate_render(c->env, rule, data, cli_format(c), &text);
  irl_data_free(data);
  irl_rule_free(rule);
  return status ? cli_fail(c, status) : cli_print(c, text);
}
