/* The allowance: what may follow the last improvement, in each phase, and that whole runs keep to
 * it on any number of threads. */
#include "greatest.h"
#include "ireland_data.h"
#include "state/effort.h"
#include "state/learner.h"
#include "support.h"
#include <math.h>

static irl_env *env;

#define PARTS ((uint64_t)IRL_EFFORT_AFTER_PARTS)

static uint64_t up_to(irl_phase phase) {
  static const uint64_t shares[IRL_N_PHASE][2] = {[IRL_PHASE_SEARCHING] = {IRL_EFFORT_SEARCHING},
                                                  [IRL_PHASE_REFINING] = {IRL_EFFORT_REFINING},
                                                  [IRL_PHASE_PROVING] = {IRL_EFFORT_PROVING},
                                                  [IRL_PHASE_SHORTENING] = {IRL_EFFORT_SHORTENING}};
  return shares[phase][0];
}

/* A learner with a rule that counts. */
static irl_status begin(irl_learner *learner, const irl_data *data) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  const irl_learn_settings settings = {.K = 2,
                                       .M = 2,
                                       .case_weight = 1,
                                       .control_weight = 1,
                                       .divisor = 1,
                                       .max_literals = UINT64_MAX,
                                       .max_controls = UINT64_MAX,
                                       .threads = 1};
  const irl_status status = irl_learner_init(learner, env, data, &settings, &options);
  learner->best.n = 1;
  learner->best.loss = 1;
  return status;
}

TEST phases_have_their_shares(irl_data *data) {
  const uint64_t found = (uint64_t)8e9, part = IRL_EFFORT_AFTER * found / PARTS;
  irl_learner learner;
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, data));
  learner.work = found;
  irl_learner_note_better(&learner);
  ASSERT_EQ(UINT64_MAX, irl_learner_left(&learner)); /* it may be chance */
  irl_learner_set_doubtful(&learner, false);
  for (int i = 0; i < IRL_N_PHASE; i++) {
    ASSERT_EQ(IRL_PHASE_SEARCHING, irl_learner_begin_phase(&learner, (irl_phase)i));
    learner.work = found;
    const uint64_t most = up_to((irl_phase)i) * part;
    if (!most) ASSERT_EQ(UINT64_MAX, irl_learner_left(&learner));
    if (most) ASSERT(irl_learner_left(&learner) && irl_learner_left(&learner) <= most);
    learner.work = found + most;
    if (most) ASSERT_EQ(0, irl_learner_left(&learner));
    if (most) ASSERT(irl_learner_is_done(&learner));
    if (most) ASSERT_EQ(1, irl_learner_sublimit(&learner, UINT64_MAX).max_work);
    ASSERT_EQ((irl_phase)i, irl_learner_begin_phase(&learner, IRL_PHASE_SEARCHING));
  }
  irl_learner_free(&learner);
  PASS();
}

TEST an_improvement_begins_the_count_anew(irl_data *data) {
  irl_learner learner;
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, data));
  irl_learner_set_doubtful(&learner, false);
  learner.work = 100;
  irl_learner_note_better(&learner);
  const uint64_t least = irl_learner_left(&learner); /* little was done, but there is a least */
  ASSERT(least <= IRL_EFFORT_AFTER_LEAST && least >= IRL_EFFORT_AFTER_LEAST / PARTS);
  learner.work += 1000;
  ASSERT_EQ(least - 1000, irl_learner_left(&learner));
  irl_learner_note_better(&learner);
  ASSERT_EQ(least, irl_learner_left(&learner));
  ASSERT_EQ(1100, learner.allowance.best_work);
  /* What a search in doubt takes is not counted, and does not make the allowance larger. */
  irl_learner_set_doubtful(&learner, true);
  learner.work += 10 * IRL_EFFORT_AFTER_LEAST;
  ASSERT_EQ(UINT64_MAX, irl_learner_left(&learner));
  irl_learner_set_doubtful(&learner, false);
  ASSERT_EQ(least, irl_learner_left(&learner));
  /* Who asks for more gets it. */
  learner.work += least;
  ASSERT_EQ(0, irl_learner_left(&learner));
  learner.settings.prove = true;
  ASSERT_EQ(UINT64_MAX, irl_learner_left(&learner));
  learner.settings.prove = false;
  learner.settings.for_curve = true;
  ASSERT_EQ(UINT64_MAX, irl_learner_left(&learner));
  irl_learner_free(&learner);
  PASS();
}

static void generator(irl_options *options, int64_t n, int64_t j, int64_t k, int64_t seed) {
  irl_options_init(options, sizeof *options);
  options->data.N = n;
  options->data.J = j;
  options->data.exact_size = true;
  options->rule.K = k;
  options->rule.M = 3;
  options->search.seed = seed;
}

/* A step that began within the allowance may end behind it. */
#define OVERRUN 1.25

TEST runs_keep_to_it(void) {
  irl_data *data;
  irl_options options;
  irl_fit_info infos[2] = {IRL_SIZED(irl_fit_info), IRL_SIZED(irl_fit_info)};
  generator(&options, 150, 60, 5, 1);
  options.data.noise = 0.1;
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  irl_options_init(&options, sizeof options);
  options.rule.K = 5;
  options.rule.M = 3;
  for (int i = 0; i < 2; i++) {
    irl_fit_result *result;
    options.limits.threads = 1 + 2 * i;
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
    ASSERT_EQ(IRL_STATUS_OK, irl_fit_describe(result, &infos[i]));
    irl_fit_free(result);
    const double found = (double)infos[i].best_work, after = (double)infos[i].work - found;
    const double most = fmax((double)IRL_EFFORT_AFTER * found, (double)IRL_EFFORT_AFTER_LEAST);
    ASSERT(after <= most * OVERRUN);
    for (int phase = 0; phase < IRL_N_PHASE; phase++) ASSERT(infos[i].phase_seconds[phase] >= 0);
    ASSERT(infos[i].phase_seconds[IRL_PHASE_SEARCHING] > 0);
  }
  ASSERT_EQ(infos[0].work, infos[1].work);
  ASSERT_EQ(infos[0].best_work, infos[1].best_work);
  ASSERT(infos[0].objective == infos[1].objective && infos[0].bound == infos[1].bound);
  irl_data_free(data);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  irl_data *data = NULL;
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  irl_options options;
  generator(&options, 40, 10, 2, 1);
  if (irl_generate(env, &options, &data, NULL)) return 1;
  RUN_TESTp(phases_have_their_shares, data);
  RUN_TESTp(an_improvement_begins_the_count_anew, data);
  RUN_TEST(runs_keep_to_it);
  irl_data_free(data);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
