/* ireland verify RULE.json DATA --certificate FILE: replays a proof. */
#include "cli/cli.h"

int cli_verify(cli *c) {
  irl_rule *rule = NULL;
  irl_data *data = NULL;
  irl_verification verification = {.valid = false};
  irl_rule_info info;
  char *text;
  if (!c->options.certificate) return cli_usage(c, "verify needs --certificate FILE");
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) { /* the rule knows its label column */
    irl_rule_describe(rule, &info);
    if (!c->options.target) c->options.target = info.target;
    if (!c->options.positive) c->options.positive = info.positive;
    status = irl_data_read(c->env, c->arguments[1], &c->options, &data);
  }
  if (!status) status = irl_verify(c->env, rule, data, c->options.certificate, &verification);
  if (!status)
    status = irl_verify_render(c->env, &verification, c->options.certificate, cli_format(c), &text);
  irl_data_free(data);
  irl_rule_free(rule);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  return verification.valid ? EXIT_DONE : EXIT_BAD_INPUT;
}
