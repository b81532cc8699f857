/* Refining the best rule: one clause is taken out and the clause engine asked for the best one by
 * weighted error on what the others leave uncovered; what it finds goes to the pool, from which the
 * best rule is chosen anew. Round after round until a whole round brings nothing. */
#include "base/memory.h"
#include "learn/learn.h"
#include "state/learner.h"

#define REFINE_WORK  ((uint64_t)3e9) /* for one search of clauses, */
#define QUICK_WORK   ((uint64_t)5e7) /* if it has to be quick */
#define PASS_WORK    250u            /* times the words of the data, for each literal */
#define MAX_SWEEPS   20u
#define QUICK_SWEEPS 3u

/* A pass over the data, if it is large. */
static uint64_t quick_work(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  const uint64_t pass = PASS_WORK * learner->settings.M * words;
  return !learner->settings.is_quick && pass > QUICK_WORK ? pass : QUICK_WORK;
}

/* What clause i could be replaced by, or (i = n) what could be added. */
static irl_status seek_replacement(irl_learner *learner, uint32_t i, uint64_t *cases,
                                   uint64_t *controls, uint64_t work) {
  const irl_learn_settings *settings = &learner->settings;
  irl_learn_generated answer;
  irl_learner_uncovered(learner, &learner->best, i, cases, controls);
  if (!irl_bits_kernels()->count(cases, learner->data->cases.stride)) return IRL_OK;
  const irl_learn_subproblem question = {.live_cases = cases,
                                         .live_controls = controls,
                                         .case_weight = settings->case_weight,
                                         .control_weight = settings->control_weight,
                                         .budget = UINT64_MAX,
                                         .max_work = work};
  return irl_learner_generate(learner, &question, &answer);
}

static irl_status sweep(irl_learner *learner, uint64_t *cases, uint64_t *controls, uint64_t work,
                        bool *improved) {
  const uint32_t n = learner->best.n;
  const size_t before = learner->pool.n;
  irl_status status = IRL_OK;
  *improved = false;
  for (uint32_t i = 0; i < n + (n < learner->settings.K) && !status; i++) {
    if (irl_learner_is_done(learner)) break;
    status = seek_replacement(learner, i, cases, controls, work);
  }
  if (status || learner->pool.n == before || irl_learner_is_done(learner)) return status;
  irl_learn_rule rule = learner->best;
  status = irl_learner_select(learner, UINT64_MAX, &rule);
  if (!status) status = irl_learner_offer(learner, &rule, improved);
  if (*improved) irl_learner_log(learner, "refine", UINT64_MAX);
  return status;
}

irl_status irl_learn_exchange(irl_learner *learner, bool is_quick) {
  const irl_allocator *allocator = &learner->env->allocator;
  uint64_t *cases = irl_mem_alloc_aligned(allocator, learner->data->cases.stride, sizeof *cases);
  uint64_t *controls =
      irl_mem_alloc_aligned(allocator, learner->data->controls.stride, sizeof *controls);
  irl_status status = cases && controls ? IRL_OK : irl_fail_memory(learner->env);
  const uint32_t n_sweeps = is_quick ? QUICK_SWEEPS : MAX_SWEEPS;
  const uint64_t work = is_quick ? quick_work(learner) : REFINE_WORK;
  bool improved = true;
  for (uint32_t i = 0; i < n_sweeps && improved && !status; i++)
    status = sweep(learner, cases, controls, work, &improved);
  irl_mem_free_aligned(allocator, cases);
  irl_mem_free_aligned(allocator, controls);
  return status;
}
