/* ireland fit DATA: learns a rule. Whatever ends the run, the best rule is written first, then the
 * files beside it, of which none takes another one with it. */
#include "cli/cli.h"

int cli_fit(cli *c) {
  irl_table *table;
  irl_fit_result *result = NULL;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  char *text;
  bool has_rule = false;
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  cli_spend_time(c);
  if (!c->options.output.validate && !c->own.tune) c->options.output.validate = IRL_VALIDATE_QUICK;
  status = irl_fit_table(c->env, table, &c->options, &result);
  if (!status) {
    irl_fit_describe(result, &info);
    has_rule = info.objective == info.objective; /* NaN without one */
    if (has_rule && c->own.output)
      cli_note_file(c, irl_rule_write(c->env, irl_fit_rule(result), c->own.output));
    char *certificate = NULL;
    cli_note_file(c, irl_fit_certificate(c->env, result, &certificate));
    cli_save_text(c, c->own.certificate, certificate);
    irl_text_free(c->env, certificate);
    cli_save_pool(c, result);
    if (irl_fit_lost_checkpoint(result)) c->has_lost_file = true; /* a warning has said so */
    if (has_rule) cli_save_report(c, result, NULL);
    status = irl_fit_render(c->env, result, cli_format(c), &text);
    if (status) { /* the rule without what could not be told of it */
      cli_note_file(c, status);
      status = irl_rule_render(c->env, irl_fit_rule(result), cli_format(c), &text);
    }
  }
  irl_fit_free(result);
  irl_table_free(table);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  return has_rule ? EXIT_DONE : EXIT_NOTHING;
}
