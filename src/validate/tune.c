/* fit --tune: the settings of a fit by cross-validation of its training samples.
 *
 * It has half of the time limit. Proofs, and what else is asked for beside the rule, are for the
 * rule that comes of the choice. Where too few folds were done for a choice, the setting
 * nearest to the usual one is taken, since a fit is to give a rule. */
#include "base/contract.h"
#include "ireland_study.h"
#include "validate/cv_validator.h"
#include "validate/fit_extras.h"
#include <stdlib.h>

/* Among settings that were not tried enough; the first of them that are as near has the least
 * penalty and no negations. */
static uint32_t find_usual(const irl_cv_result *tuning) {
  irl_options usual;
  uint32_t nearest = 0;
  int64_t least = INT64_MAX;
  irl_options_init(&usual, sizeof usual);
  for (uint32_t i = 0; i < tuning->info.rows; i++) {
    const irl_cv_row *row = &tuning->rows[i];
    const int64_t away = llabs(row->K - usual.rule.K) + llabs(row->M - usual.rule.M);
    if (away >= least) continue;
    nearest = i;
    least = away;
  }
  return nearest;
}

irl_status irl_fit_tune(irl_env *env, const irl_table *table, const irl_limit *limit,
                        const irl_rows *rows, irl_options *options, irl_cv_result **tuning) {
  irl_options own = *options;
  irl_limit half = *limit;
  if (table->divided)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option tune: the data are divided among processes, which have no folds");
  own.search.prove = false;
  own.output.all_optimal = 0;
  own.output.within = 0;
  own.output.count_within = false;
  own.output.predictions = false;
  own.output.nested = options->output.validate != IRL_VALIDATE_NONE;
  if (half.deadline > 0) half.deadline -= options->limits.time_limit / 2;
  const irl_status status = irl_cv_run(env, table, rows, &own, options->search.tune, &half, tuning);
  if (status) return status;
  const irl_cv_info *info = &(*tuning)->info;
  const irl_cv_row *row =
      &(*tuning)->rows[info->chosen < info->rows ? info->chosen : find_usual(*tuning)];
  options->rule.K = row->K;
  options->rule.M = row->M;
  options->rule.penalty = row->penalty;
  options->rule.negations = row->negations;
  options->data.cuts = (*tuning)->cuts;
  options->search.tune = NULL;
  return IRL_STATUS_OK;
}

void irl_fit_note_tuning(irl_env *env, const irl_options *options, irl_fit_result *result) {
  const irl_cv_result *tuning = result->tuning;
  const uint32_t n_folds = tuning->folds * tuning->repeats;
  uint32_t most = 0, n_tried = 0;
  for (uint32_t i = 0; i < tuning->info.rows; i++) {
    n_tried += tuning->rows[i].folds >= tuning->least_folds;
    if (tuning->rows[i].folds > most) most = tuning->rows[i].folds;
  }
  if (tuning->info.chosen == tuning->info.rows)
    irl_fit_add_note(env, result,
                     "tuning stopped before it could choose: %u of %u folds were done and a choice "
                     "needs %u; the rule has the usual settings",
                     most, n_folds, tuning->least_folds);
  else if (tuning->info.outcome != IRL_OUTCOME_FEASIBLE)
    irl_fit_add_note(env, result,
                     "tuning stopped early: chosen from %u settings, by %u of %u folds", n_tried,
                     most, n_folds);
  if (options->output.validate != IRL_VALIDATE_NONE && !tuning->nested.folds)
    irl_fit_add_note(env, result, "there is no nested estimate: %s",
                     tuning->inner_folds ? "tuning stopped before it"
                                         : "the classes have too few samples for folds in folds");
}

const irl_cv_result *irl_fit_tuning(const irl_fit_result *result) {
  return result ? result->tuning : NULL;
}
