/* ireland solve FILE: the built-in LP and MILP engine on any model; -o writes the model itself.
 * Of an infeasible one the rows that conflict are shown. A limit with a solution in hand is a
 * success, as it is for `fit`; that there is none is not. */
#include "cli/cli.h"
#include "ireland_model.h"
#include <math.h>

int cli_solve(cli *c) {
  irl_model *model = NULL;
  irl_solution solution = {.size = sizeof solution};
  irl_conflict conflict = {.size = sizeof conflict};
  char *text;
  irl_status status = irl_model_read(c->env, c->arguments[0], &model);
  if (!status && c->own.output) status = irl_model_write(c->env, model, c->own.output);
  cli_spend_time(c);
  if (!status) status = irl_model_solve(c->env, model, &c->options, &solution);
  if (!status && solution.outcome == IRL_OUTCOME_INFEASIBLE)
    status = irl_model_conflict(c->env, model, &c->options, &conflict);
  if (!status && c->own.solution)
    cli_note_file(c, irl_model_write_solution(c->env, model, c->own.solution));
  if (!status) status = irl_model_render(c->env, model, cli_format(c), &text);
  irl_model_free(model);
  if (status) return cli_fail(c, status);
  cli_print(c, text);
  const bool has_none = solution.outcome == IRL_OUTCOME_INFEASIBLE ||
                        solution.outcome == IRL_OUTCOME_UNBOUNDED ||
                        (solution.outcome == IRL_OUTCOME_LIMIT && isnan(solution.objective));
  return has_none ? EXIT_NOTHING : EXIT_DONE;
}
