/* How exact the answers to linear programs are: the residuals that the independent check finds, for
 * each file and the largest of all.   lp_residuals FILE.mps ...   Integer columns are relaxed. */
#include "model/lp_names.h"
#include <math.h>
#include <stdio.h>

/* Solves one file; its residuals go into the largest ones. */
static irl_status measure(irl_env *env, const char *path, irl_lp_residuals *largest) {
  static const char *const ends[] = {"optimal", "infeasible", "unbounded",
                                     "cutoff",  "limit",      "trouble"};
  irl_lp_names model;
  irl_lp_options options;
  irl_lp_result result;
  irl_lp_residuals r = {0};
  irl_status status = irl_lp_read(env, path, &model);
  if (status) return status;
  irl_lp_options_init(&options, env);
  status = irl_lp_solve_presolved(model.lp, &options, &result);
  if (!status && result.end == IRL_LP_OPTIMAL) status = irl_lp_kkt(model.lp, &r);
  if (!status)
    printf("%-28s %-10s primal %.1e dual %.1e gap %.1e\n", path, ends[result.end], r.primal, r.dual,
           r.gap);
  largest->primal = fmax(largest->primal, r.primal);
  largest->dual = fmax(largest->dual, r.dual);
  largest->gap = fmax(largest->gap, r.gap);
  irl_lp_names_free(&model);
  return status;
}

int main(int argc, char **argv) {
  irl_lp_residuals largest = {0};
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  for (int i = 1; i < argc; i++)
    if (measure(env, argv[i], &largest)) fprintf(stderr, "%s\n", irl_env_error(env));
  printf("%d files, largest residuals, relative: primal %.1e, dual %.1e, gap %.1e\n", argc - 1,
         largest.primal, largest.dual, largest.gap);
  irl_env_free(env);
  return 0;
}
