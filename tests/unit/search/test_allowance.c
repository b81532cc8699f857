/* The allowance: what may follow the last improvement, in each phase, and that whole runs keep to
 * it on any number of threads. */
#include "greatest.h"
#include "ireland_data.h"
#include "learn/learner.h"
#include "search_limit.h"
#include "support.h"
#include <math.h>

static irl_env *env;

#define PARTS       8u
#define AFTER       irl_tuning_usual.after
#define AFTER_LEAST irl_tuning_usual.after_least

/* In parts: each phase leaves half of what was left to it, the last one nothing. */
static uint64_t up_to(irl_phase phase) {
  static const uint64_t shares[IRL_N_PHASE] = {[IRL_PHASE_SEARCHING] = 4,
                                               [IRL_PHASE_REFINING] = 6,
                                               [IRL_PHASE_PROVING] = 7,
                                               [IRL_PHASE_SHORTENING] = 8};
  return shares[phase];
}

/* A learner with a rule that counts. */
static irl_status begin(irl_learner *learner, const irl_data *data) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  const irl_problem problem = {.data = data,
                               .K = 2,
                               .M = 2,
                               .case_weight = 1,
                               .control_weight = 1,
                               .divisor = 1,
                               .max_literals = UINT64_MAX,
                               .max_controls = UINT64_MAX};
  const irl_learn_settings settings = {.search = {.threads = 1}};
  const irl_status status =
      irl_learner_init(learner, env, &problem, &settings, LIMIT_OF(env, &options));
  learner->search.best.n = 1;
  learner->search.best.loss = 1;
  return status;
}

TEST phases_have_their_shares(irl_data *data) {
  const uint64_t found = (uint64_t)8e9, part = AFTER * found / PARTS;
  irl_learner learner;
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, data));
  learner.search.work = found;
  irl_search_note_better(&learner.search);
  ASSERT_EQ(UINT64_MAX, irl_search_left(&learner.search)); /* it may be chance */
  irl_search_set_doubtful(&learner.search, false);
  for (int i = 0; i < IRL_N_PHASE; i++) {
    ASSERT_EQ(IRL_PHASE_SEARCHING, irl_search_begin_phase(&learner.search, (irl_phase)i));
    learner.search.work = found;
    const uint64_t most = up_to((irl_phase)i) * part;
    if (!most) ASSERT_EQ(UINT64_MAX, irl_search_left(&learner.search));
    if (most) ASSERT(irl_search_left(&learner.search) && irl_search_left(&learner.search) <= most);
    learner.search.work = found + most;
    if (most) ASSERT_EQ(0, irl_search_left(&learner.search));
    if (most) ASSERT(irl_search_is_done(&learner.search));
    if (most) ASSERT_EQ(1, irl_search_sublimit(&learner.search, UINT64_MAX).max_work);
    ASSERT_EQ((irl_phase)i, irl_search_begin_phase(&learner.search, IRL_PHASE_SEARCHING));
  }
  irl_learner_free(&learner);
  PASS();
}

TEST an_improvement_begins_the_count_anew(irl_data *data) {
  irl_learner learner;
  ASSERT_EQ(IRL_STATUS_OK, begin(&learner, data));
  irl_search_set_doubtful(&learner.search, false);
  learner.search.work = 100;
  irl_search_note_better(&learner.search);
  const uint64_t least =
      irl_search_left(&learner.search); /* little was done, but there is a least */
  ASSERT(least <= AFTER_LEAST && least >= AFTER_LEAST / PARTS);
  learner.search.work += 1000;
  ASSERT_EQ(least - 1000, irl_search_left(&learner.search));
  irl_search_note_better(&learner.search);
  ASSERT_EQ(least, irl_search_left(&learner.search));
  ASSERT_EQ(1100, learner.search.allowance.best_work);
  /* What a search in doubt takes is not counted, and does not make the allowance larger. */
  irl_search_set_doubtful(&learner.search, true);
  learner.search.work += 10 * AFTER_LEAST;
  ASSERT_EQ(UINT64_MAX, irl_search_left(&learner.search));
  irl_search_set_doubtful(&learner.search, false);
  ASSERT_EQ(least, irl_search_left(&learner.search));
  /* Who asks for more gets it. */
  learner.search.work += least;
  ASSERT_EQ(0, irl_search_left(&learner.search));
  learner.search.settings.is_open_ended = true;
  ASSERT_EQ(UINT64_MAX, irl_search_left(&learner.search));
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
    const double most = fmax((double)AFTER * found, (double)AFTER_LEAST);
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
