/* ireland curve DATA: the trade-off of sensitivity and specificity, and of accuracy and size. */
#include "cli/cli.h"
#include "ireland_study.h"
#include <string.h>

/* The curve as `to` into a file. */
static void save(cli *c, const irl_curve *curve, const char *to, const char *path) {
  char *text = NULL;
  if (!path) return;
  const irl_status status = irl_curve_export(c->env, curve, to, &text);
  if (status)
    cli_note_file(c, status);
  else if (*text) /* without a proof there is no certificate */
    cli_save_text(c, path, text);
  irl_text_free(c->env, text);
}

int cli_curve(cli *c) {
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  irl_curve *curve = NULL;
  char *text;
  bool is_empty = false;
  if (c->own.plot && c->own.json)
    return cli_usage(c, "option --plot has no effect with --json, which is one object");
  c->options.output.sizes = c->own.complexity;
  irl_status status = irl_data_read(c->env, c->arguments[0], &c->options, &data);
  cli_spend_time(c);
  if (!status) status = irl_fit_for_curve(c->env, data, &c->options, &fit);
  if (!status) status = irl_curve_make(c->env, fit, &c->options, &curve);
  /* None of the files takes another one with it. */
  if (!status) {
    save(c, curve, "certificate", c->own.certificate);
    save(c, curve, "csv", c->own.csv);
    save(c, curve, "svg", c->own.svg);
    cli_save_pool(c, fit);
    if (irl_curve_lost_checkpoint(curve)) c->has_lost_file = true; /* a warning has said so */
    cli_save_report(c, fit, curve);
  }
  if (!status) status = irl_curve_render(c->env, curve, cli_format(c), &text);
  if (!status) cli_print(c, text);
  if (!status && c->own.plot) {
    status = irl_curve_export(c->env, curve, "plot", &text);
    if (!status) cli_print(c, text);
  }
  if (!status) is_empty = !irl_curve_size(curve, IRL_CURVE_TRADEOFF);
  irl_curve_free(curve);
  irl_fit_free(fit);
  irl_data_free(data);
  if (status) return cli_fail(c, status);
  return is_empty ? EXIT_NOTHING : EXIT_DONE;
}
