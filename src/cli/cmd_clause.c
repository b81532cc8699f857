/* ireland clause DATA: the best single clause. */
#include "cli/cli.h"
#include "ireland_study.h"
#include <stdio.h>
#include <unistd.h>

int cli_clause(cli *c) {
  irl_data *data = NULL;
  irl_clause_solution *solution = NULL;
  irl_clause_info info = IRL_SIZED(irl_clause_info);
  char *text;
  irl_status status = irl_data_read(c->env, c->arguments[0], &c->options, &data);
  cli_spend_time(c);
  if (!status) status = irl_clause_solve(c->env, data, &c->options, &solution);
  if (!c->own.quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K"); /* the progress line */
  if (!status) status = irl_clause_render(c->env, solution, cli_format(c), &text);
  int code = status ? cli_fail(c, status) : cli_print(c, text);
  if (!code) {
    /* A limit with a clause is a success; without one, and where none exists, there is nothing to
     * show. */
    irl_clause_describe(solution, &info);
    if (info.outcome == IRL_OUTCOME_INFEASIBLE ||
        (info.outcome == IRL_OUTCOME_LIMIT && !info.literals))
      code = EXIT_NOTHING;
  }
  irl_clause_free(solution);
  irl_data_free(data);
  return code;
}
