/* ireland cv DATA: cross-validation over K, M and penalties. */
#include "cli/cli.h"
#include "ireland_study.h"

int cli_cv(cli *c) {
  irl_table *table;
  irl_cv_result *result = NULL;
  irl_cv_info info = IRL_SIZED(irl_cv_info);
  char *text;
  const irl_cv_grid grid = {sizeof grid, c->own.K, c->own.M, c->own.penalty,
                            c->own.no_negations ? "0" : NULL};
  if (c->own.no_negations && c->options.rule.negations)
    return cli_usage(c, "options --negations and --no-negations exclude each other");
  irl_status status = irl_table_read(c->env, c->arguments[0], &c->options, &table);
  if (status) return cli_fail(c, status);
  cli_spend_time(c);
  status = irl_cv(c->env, table, &c->options, &grid, &result);
  if (!status) irl_cv_describe(result, &info);
  if (!status && c->own.predictions) {
    char *csv = NULL;
    cli_note_file(c, irl_cv_predictions(c->env, result, &csv));
    cli_save_text(c, c->own.predictions, csv);
    irl_text_free(c->env, csv);
  }
  if (!status) cli_save_cv_report(c, result);
  if (!status) status = irl_cv_render(c->env, result, cli_format(c), &text);
  irl_cv_free(result);
  irl_table_free(table);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  return info.chosen == info.rows ? EXIT_NOTHING : EXIT_DONE;
}
