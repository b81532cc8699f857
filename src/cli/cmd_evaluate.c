/* ireland evaluate RULE.json DATA: how good a rule is on a data set.
 * ireland predict RULE.json DATA: the class of each sample, and why. */
#include "cli/cli.h"

/* What a rule says of a data set; whether it is right needs labels. */
static int apply(cli *c, bool is_evaluation) {
  irl_rule *rule = NULL;
  irl_data *data = NULL;
  char *text;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status)
    status = irl_data_read_for(c->env, c->arguments[1], &c->options, rule, is_evaluation, &data);
  if (!status)
    status = is_evaluation
                 ? irl_evaluate_render(c->env, rule, data, cli_format(c), &text)
                 : irl_predict_render(c->env, rule, data, cli_format(c), c->own.explain, &text);
  irl_data_free(data);
  irl_rule_free(rule);
  return status ? cli_fail(c, status) : cli_print(c, text);
}

int cli_evaluate(cli *c) {
  return apply(c, true);
}

int cli_predict(cli *c) {
  return apply(c, false);
}
