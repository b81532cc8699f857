/* A linear program that is changed and solved again: shifts of nurses over a week, solved for the
 * demand of each day, then after each surprise from the basis of the solve before.
 *
 *   cc warm_start.c $(pkg-config --cflags --libs ireland) -lm -o warm_start */
#include <ireland_model.h>
#include <math.h>
#include <stdio.h>

enum { DAYS = 7, LONGEST = 5 };

static const double demand[DAYS] = {17, 13, 15, 19, 14, 16, 11};

/* A column for each day on which somebody may begin: five days of work, two of rest; weeks with a
 * Sunday cost more. Then a row for each day: those at work are as many as are needed. */
static irl_status build(irl_env *env, irl_model *model) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t j = 0; j < DAYS && !status; j++) {
    char name[20];
    snprintf(name, sizeof name, "begin_%u", (unsigned)j);
    const irl_variable column = {.size = sizeof column,
                                 .cost = 1 + 0.1 * (j >= DAYS - LONGEST),
                                 .lower = 0,
                                 .upper = INFINITY,
                                 .name = name};
    status = irl_model_add_columns(env, model, 1, &column);
  }
  for (uint32_t i = 0; i < DAYS && !status; i++) {
    uint32_t at_work[LONGEST];
    double ones[LONGEST];
    for (uint32_t k = 0; k < LONGEST; k++) {
      at_work[k] = (i + DAYS - k) % DAYS;
      ones[k] = 1;
    }
    const irl_constraint row = {.size = sizeof row,
                                .lower = demand[i],
                                .upper = INFINITY,
                                .n_entries = LONGEST,
                                .columns = at_work,
                                .values = ones};
    status = irl_model_add_rows(env, model, 1, &row);
  }
  return status;
}

static irl_status solve(irl_env *env, irl_model *model, const char *what) {
  irl_options options;
  irl_solution solution = {.size = sizeof solution};
  double staff[DAYS];
  irl_options_init(&options, sizeof options);
  irl_status status = irl_model_solve(env, model, &options, &solution);
  if (!status) status = irl_model_primal(env, model, DAYS, staff);
  if (status) return status;
  printf("%-22s %s, cost %.4g, %u iterations:", what, irl_outcome_text(solution.outcome),
         solution.objective, (unsigned)solution.iterations);
  for (int j = 0; j < DAYS; j++) printf(" %.3g", staff[j]);
  printf("\n");
  return IRL_STATUS_OK;
}

/* At most eight may begin on the first two days: a row that comes after the solve. */
static irl_status add_limit(irl_env *env, irl_model *model) {
  const uint32_t first[] = {0, 1};
  const double ones[] = {1, 1};
  const irl_constraint row = {.size = sizeof row,
                              .lower = -INFINITY,
                              .upper = 8,
                              .name = "training",
                              .n_entries = 2,
                              .columns = first,
                              .values = ones};
  return irl_model_add_rows(env, model, 1, &row);
}

int main(void) {
  irl_env *env = NULL;
  irl_model *model = NULL;
  if (irl_env_create(NULL, &env)) return 1;
  irl_status status = irl_model_create(env, &model);
  if (!status) status = build(env, model);
  if (!status) status = solve(env, model, "at first");
  if (!status) status = irl_model_set_bounds(env, model, 3, 0, 2);
  if (!status) status = solve(env, model, "few begin on day 3");
  if (!status) status = irl_model_set_sides(env, model, 0, 20, INFINITY);
  if (!status) status = solve(env, model, "more work on day 0");
  if (!status) status = add_limit(env, model);
  if (!status) status = solve(env, model, "a limit on two days");
  if (status) fprintf(stderr, "%s\n", irl_env_error(env));
  irl_model_free(model);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
