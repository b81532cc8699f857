/* ireland verify RULE.json DATA --certificate FILE: replays a proof. What it is about, and how the
 * data are read and coded, stands in the certificate; options that are given must say the same. */
#include "cli/cli.h"

static irl_status verify(cli *c, const irl_certificate *certificate, irl_verification *v) {
  irl_rule *rule = NULL;
  irl_table *table = NULL;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) status = irl_certificate_options(c->env, certificate, &c->options);
  if (!status) status = irl_table_read(c->env, c->arguments[1], &c->options, &table);
  if (!status) {
    cli_spend_time(c);
    status = irl_verify_table(c->env, rule, table, &c->options, certificate, v);
  }
  irl_table_free(table);
  irl_rule_free(rule);
  return status;
}

int cli_verify(cli *c) {
  irl_certificate *certificate = NULL;
  irl_verification v = IRL_SIZED(irl_verification);
  char *text;
  if (!c->own.certificate) return cli_usage(c, "verify needs --certificate FILE");
  irl_status status = irl_certificate_read(c->env, c->own.certificate, &certificate);
  if (!status) status = verify(c, certificate, &v);
  if (!status) status = irl_verify_render(c->env, &v, certificate, cli_format(c), &text);
  irl_certificate_free(certificate);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  if (v.cut) return cli_was_interrupted() ? EXIT_INTERRUPTED : EXIT_NOTHING;
  return v.valid ? EXIT_DONE : EXIT_BAD_INPUT;
}
