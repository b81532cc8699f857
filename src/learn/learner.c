#include "learn/learner.h"
#include "base/clock.h"
#include "base/memory.h"
#include "clause/beam.h"
#include "clause/seek.h"
#include <math.h>

#define POOL_OF_A_SEARCH 400u                /* clauses that one search keeps */
#define HARVEST_BYTES    ((size_t)16 << 20)  /* of covers that are looked at for that */
#define HARVEST          60u                 /* of them that go to the pool, at most */
#define HARVEST_BEST     8u                  /* of those, the first by value */
#define POOL_BYTES       ((size_t)3 << 20)   /* of covers that a search adds, unless they are few */
#define SELECT_WORK      ((uint64_t)2e9)     /* for one selection, */
#define QUICK_SELECT     ((uint64_t)3e6)     /* if it has to be quick */
#define FAR_WORK         ((uint64_t)2e8)     /* of a search that went far */
#define PAPER_SECONDS    120.0               /* for one solve, in the paper's profile */
#define MUCH_DATA        ((uint64_t)1 << 23) /* words: 64 MB */
#define LITTLE_DATA      ((uint64_t)1 << 14) /* words */

irl_status irl_learner_init(irl_learner *learner, irl_env *env, const irl_data *data,
                            const irl_learn_settings *settings, const irl_options *options) {
  *learner = (irl_learner){.env = env, .data = data, .settings = *settings};
  if (!data->n_cases || !data->n_controls)
    return irl_fail(env, IRL_BAD_INPUT, "there is only one class, so nothing can be learnt");
  if (settings->K > IRL_LEARN_MAX_K)
    return irl_fail(env, IRL_BAD_ARGUMENT, "K is at most %u", IRL_LEARN_MAX_K);
  if (!settings->max_complexity) learner->settings.max_complexity = UINT64_MAX;
  irl_limit_init(&learner->limit, env, options);
  irl_learn_pool_init(&learner->pool, data, settings->M);
  learner->outcome = IRL_FEASIBLE;
  irl_watch_note(env, "start", 0, NAN, NAN);
  learner->min_cases = settings->for_curve ? 0 : settings->min_cases;
  learner->max_controls = settings->for_curve ? UINT64_MAX : settings->max_controls;
  return irl_learner_weigh(learner, &learner->best);
}

irl_status irl_learner_reduce(irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_data *data = learner->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  const bool may_merge =
      irl_learner_is_simple(learner) && !settings->is_paper && !settings->is_quick;
  const irl_status status = irl_learn_reduced_init(
      learner->env, &learner->reduced, data, settings->case_weight, settings->control_weight,
      may_merge, words < LITTLE_DATA ? 1 : settings->threads);
  learner->bound = learner->reduced.offset;
  return status;
}

void irl_learner_free(irl_learner *learner) {
  if (learner->pool.data) irl_learn_pool_free(&learner->pool);
  irl_journal_free(&learner->journal);
  if (learner->env) irl_mem_free_aligned(&learner->env->allocator, learner->given);
  irl_learn_reduced_free(&learner->reduced);
}

bool irl_learner_may_prove(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  return !learner->settings.is_quick && (learner->settings.prove || words <= MUCH_DATA);
}

bool irl_learner_at_limit(const irl_learner *learner) {
  const double max_mb = learner->settings.memory_limit_mb;
  return irl_limit_reached(&learner->limit, learner->work) ||
         (max_mb > 0 && irl_clock_peak_mb() > max_mb);
}

bool irl_learner_must_end(const irl_learner *learner) {
  return learner->best.loss <= learner->bound || irl_learner_at_limit(learner);
}

irl_limit irl_learner_part(const irl_learner *learner, uint64_t work) {
  irl_limit part = learner->limit;
  const uint64_t left = part.max_work == UINT64_MAX     ? UINT64_MAX
                        : part.max_work > learner->work ? part.max_work - learner->work
                                                        : 1;
  part.max_work = work < left ? work : left;
  if (learner->settings.is_paper) {
    const double deadline = irl_clock_now() + PAPER_SECONDS;
    if (part.deadline == 0 || part.deadline > deadline) part.deadline = deadline;
  }
  return part;
}

void irl_learner_uncovered(const irl_learner *learner, const irl_learn_rule *rule, uint32_t except,
                           uint64_t *cases, uint64_t *controls) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_pool *pool = &learner->pool;
  const size_t case_words = learner->data->cases.stride,
               control_words = learner->data->controls.stride;
  irl_bits_fill(cases, learner->data->n_cases, case_words);
  irl_bits_fill(controls, learner->data->n_controls, control_words);
  for (uint32_t i = 0; i < rule->n; i++) {
    if (i == except) continue;
    kernels->andnot_into(cases, cases, irl_bits_vector(&pool->cases, rule->clauses[i]), case_words);
    if (!learner->settings.is_hamming)
      kernels->andnot_into(controls, controls, irl_bits_vector(&pool->controls, rule->clauses[i]),
                           control_words);
  }
}

/* ---- seeking ---- */

/* Found clauses with their covers, for choosing among them. */
typedef struct crop {
  const irl_clause_pool *found;
  irl_learn_pool covers;
  uint32_t *number; /* in covers, of each clause */
  bool *is_picked;
  uint64_t *left; /* live cases that the layer so far does not cover */
  uint32_t n;     /* clauses that are looked at */
} crop;

static irl_status crop_init(irl_learner *learner, const irl_clause_pool *found, crop *c) {
  const irl_allocator *allocator = &learner->env->allocator;
  const size_t words = learner->data->cases.stride;
  const size_t bytes = (words + learner->data->controls.stride) * sizeof(uint64_t);
  const size_t affordable = HARVEST_BYTES / bytes > HARVEST ? HARVEST_BYTES / bytes : HARVEST;
  bool is_new;
  *c = (crop){.found = found, .n = found->n < affordable ? found->n : (uint32_t)affordable};
  irl_learn_pool_init(&c->covers, learner->data, learner->settings.M);
  c->left = irl_mem_alloc_aligned(allocator, words, sizeof *c->left);
  c->number = irl_mem_alloc(allocator, c->n, sizeof *c->number);
  c->is_picked = irl_mem_alloc(allocator, c->n, sizeof *c->is_picked);
  irl_status status = c->left && c->number && c->is_picked ? IRL_OK : irl_fail_memory(learner->env);
  for (uint32_t i = 0; i < c->n && !status; i++)
    status = irl_learn_pool_add(learner->env, &c->covers, found->clauses[i].literals,
                                found->clauses[i].n, &c->number[i], &is_new);
  return status;
}

static void crop_free(irl_learner *learner, crop *c) {
  irl_learn_pool_free(&c->covers);
  irl_mem_free(&learner->env->allocator, c->number);
  irl_mem_free(&learner->env->allocator, c->is_picked);
  irl_mem_free_aligned(&learner->env->allocator, c->left);
}

/* A new layer: everything live is uncovered again. */
static void begin_layer(irl_learner *learner, crop *c, const uint64_t *live_cases) {
  const size_t words = learner->data->cases.stride;
  if (live_cases)
    memcpy(c->left, live_cases, words * sizeof *c->left);
  else
    irl_bits_fill(c->left, learner->data->n_cases, words);
}

/* The clause that covers most of what the layer leaves; c->n if none covers any. */
static uint32_t next_of_layer(const crop *c) {
  const irl_kernels *kernels = irl_bits_kernels();
  uint64_t most = 0;
  uint32_t pick = c->n;
  for (uint32_t i = 0; i < c->n; i++) {
    if (c->is_picked[i]) continue;
    const uint64_t *cover = irl_bits_vector(&c->covers.cases, c->number[i]);
    const uint64_t more = kernels->and_count(c->left, cover, c->covers.cases.stride);
    if (more > most) most = more, pick = i;
  }
  return pick;
}

/* So many go to the pool: few if their covers are large. */
static uint32_t n_harvest(const irl_learner *learner) {
  const size_t words = learner->data->cases.stride + learner->data->controls.stride;
  const size_t affordable = POOL_BYTES / (words * sizeof(uint64_t));
  return affordable >= HARVEST           ? HARVEST
         : affordable < 2 * HARVEST_BEST ? 2 * HARVEST_BEST
                                         : (uint32_t)affordable;
}

/* Which clauses to keep: the best by value and then, for variety, layer after layer of clauses that
 * cover most of what those before leave. */
static irl_status choose_harvest(irl_learner *learner, const irl_clause_pool *found,
                                 const uint64_t *live_cases, uint32_t picks[HARVEST], uint32_t *n) {
  crop c;
  const irl_status status = crop_init(learner, found, &c);
  const uint32_t wanted = n_harvest(learner);
  bool is_fresh = true;
  if (!status) begin_layer(learner, &c, live_cases);
  for (*n = 0; *n < wanted && *n < c.n && !status;) {
    const uint32_t pick = *n < HARVEST_BEST ? *n : next_of_layer(&c);
    if (pick == c.n && is_fresh) break;
    is_fresh = pick == c.n;
    if (is_fresh) {
      begin_layer(learner, &c, live_cases);
      continue;
    }
    const uint64_t *cover = irl_bits_vector(&c.covers.cases, c.number[pick]);
    irl_bits_kernels()->andnot_into(c.left, c.left, cover, learner->data->cases.stride);
    c.is_picked[pick] = true;
    picks[(*n)++] = pick;
  }
  crop_free(learner, &c);
  return status;
}

static irl_status add_clause(irl_learner *learner, const uint32_t *literals, uint32_t n,
                             irl_learn_answer *answer) {
  uint32_t number;
  bool is_new;
  const irl_status status =
      irl_learn_pool_add(learner->env, &learner->pool, literals, n, &number, &is_new);
  answer->n_new += !status && is_new;
  return status;
}

/* Threads wait for each other too often on little data. */
static int seek_threads(const irl_learner *learner) {
  const irl_data *data = learner->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  return words < LITTLE_DATA ? 1 : learner->settings.threads;
}

/* The usual passes, or a wide one. */
static irl_status pass(irl_learner *learner, const irl_learn_question *question,
                       const irl_clause_model *model, irl_clause_pool *found) {
  const irl_limit part = irl_learner_part(learner, question->max_work);
  const irl_clause_seeking seeking = {part.max_work, learner->settings.seed};
  const int threads = seek_threads(learner);
  irl_clause_beam *beam = NULL;
  if (!question->width)
    return irl_clause_seek(learner->env, model, &part, threads, &seeking, found, &learner->work);
  irl_status status =
      irl_clause_beam_create(learner->env, model, &model->root, &part, threads, &beam);
  const irl_clause_pass wide = {question->width, true};
  if (!status) status = irl_clause_beam_run(beam, &wide, found, &learner->work);
  irl_clause_beam_free(beam);
  return status;
}

/* Of what a search with weights per case found, what is wanted. */
static void keep_wanted(const irl_learn_question *question, irl_clause_pool *found) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < found->n; i++) {
    const irl_clause *clause = &found->clauses[i];
    if (clause->value < question->min_value + question->literal_weight * clause->n) continue;
    found->clauses[n++] = *clause;
  }
  found->n = n;
}

/* The search itself, and what it brings into the pool and the journal. */
static irl_status seek(irl_learner *learner, const irl_learn_question *question,
                       const irl_clause_model *model, irl_clause_pool *found,
                       irl_learn_answer *answer) {
  const irl_learn_settings *settings = &learner->settings;
  const uint64_t before = learner->work;
  uint32_t picks[HARVEST], n = 0;
  irl_status status = pass(learner, question, model, found);
  if (question->case_weights) keep_wanted(question, found);
  const irl_clause *best = found->n ? &found->clauses[0] : NULL;
  answer->is_chance =
      learner->work - before > FAR_WORK && !irl_clause_is_beyond_chance(model, found);
  answer->is_small = !best || (uint64_t)best->cases * settings->K < model->root.n_cases;
  if (question->n_wanted)
    n = found->n;
  else if (!status && found->n)
    status = choose_harvest(learner, found, question->live_cases, picks, &n);
  const bool is_whole = !status && !irl_limit_cut(&learner->limit);
  if (is_whole) {
    irl_journal_begin(&learner->journal, IRL_LEARN_SEEK);
    irl_journal_put(&learner->journal, learner->work - before);
    irl_journal_put(&learner->journal, answer->is_chance);
    irl_journal_put(&learner->journal, answer->is_small);
  }
  for (uint32_t i = 0; i < n && !status; i++) {
    const irl_clause *clause = &found->clauses[question->n_wanted ? i : picks[i]];
    if (is_whole) irl_learner_put_clause(learner, clause->literals, clause->n);
    status = add_clause(learner, clause->literals, clause->n, answer);
  }
  return status || !is_whole ? status : irl_journal_end(&learner->journal);
}

void irl_learner_put_clause(irl_learner *learner, const uint32_t *literals, uint32_t n) {
  irl_journal_put(&learner->journal, n);
  for (uint32_t i = 0; i < n; i++) irl_journal_put(&learner->journal, literals[i]);
}

uint32_t irl_learner_get_clause(const irl_learner *learner, const uint64_t **words,
                                const uint64_t *end, uint32_t *literals) {
  const uint64_t n = *words < end ? *(*words)++ : 0;
  if (n > learner->settings.M || n > (uint64_t)(end - *words)) return 0;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t literal = *(*words)++;
    if (literal / 2 >= learner->data->n_features) return 0;
    literals[i] = (uint32_t)literal;
  }
  return (uint32_t)n;
}

/* The same from the journal. */
static irl_status replay_seek(irl_learner *learner, const uint64_t *words, size_t n,
                              irl_learn_answer *answer) {
  const uint64_t *at = words + 3, *end = words + n;
  uint32_t literals[IRL_CLAUSE_MAX], size;
  irl_status status = IRL_OK;
  if (n < 3) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
  learner->work += words[0];
  answer->is_chance = words[1];
  answer->is_small = words[2];
  while (at < end && !status) {
    size = irl_learner_get_clause(learner, &at, end, literals);
    if (!size) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
    status = add_clause(learner, literals, size, answer);
  }
  return status;
}

static irl_status seek_once(irl_learner *learner, const irl_learn_question *question,
                            irl_learn_answer *answer) {
  const irl_learn_settings *settings = &learner->settings;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_pool found;
  size_t n;
  *answer = (irl_learn_answer){0};
  const uint64_t *words = irl_journal_next(&learner->journal, IRL_LEARN_SEEK, &n);
  if (words) return replay_seek(learner, words, n, answer);
  irl_clause_problem_init(&problem, learner->data);
  problem.live_cases = question->live_cases;
  problem.live_controls = question->live_controls;
  problem.case_weights = question->case_weights;
  problem.case_weight = question->case_weight;
  problem.control_weight = question->control_weight;
  problem.budget =
      question->budget < learner->data->n_controls ? question->budget : learner->data->n_controls;
  problem.max_literals = question->max_literals ? question->max_literals : settings->M;
  problem.negations = settings->negations;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  if (irl_clause_pool_init(&found, &learner->env->allocator,
                           question->n_wanted ? question->n_wanted : POOL_OF_A_SEARCH)) {
    status = seek(learner, question, &model, &found, answer);
    irl_clause_pool_free(&found);
  } else {
    status = irl_fail_memory(learner->env);
  }
  irl_clause_model_free(&model);
  return status;
}

/* Where literals cost something, the best clause of each length may be the one that is wanted. */
irl_status irl_learner_seek(irl_learner *learner, const irl_learn_question *question,
                            irl_learn_answer *answer) {
  irl_status status = seek_once(learner, question, answer);
  irl_learn_question shorter = *question;
  shorter.max_literals = question->max_literals ? question->max_literals : learner->settings.M;
  while (learner->settings.penalty && --shorter.max_literals && !status &&
         !irl_learner_must_end(learner)) {
    irl_learn_answer more;
    status = seek_once(learner, &shorter, &more);
    if (!status) answer->n_new += more.n_new;
  }
  return status;
}

irl_status irl_learner_seek_within(irl_learner *learner, const uint64_t *live_cases,
                                   uint64_t budget, uint64_t max_work, irl_learn_answer *answer) {
  const irl_learn_question question = {.live_cases = live_cases,
                                       .case_weight = (int64_t)learner->data->n_controls + 1,
                                       .control_weight = 1,
                                       .budget = budget,
                                       .max_work = max_work};
  return irl_learner_seek(learner, &question, answer);
}

/* ---- choosing ---- */

int64_t irl_learner_cost(const irl_learner *learner, uint32_t n_literals) {
  return learner->settings.penalty * (1 + (int64_t)n_literals);
}

irl_status irl_learner_weigh(const irl_learner *learner, irl_learn_rule *rule) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = learner->data;
  const irl_learn_pool *pool = &learner->pool;
  const size_t case_words = data->cases.stride, control_words = data->controls.stride;
  uint64_t *cases =
      irl_mem_alloc_aligned(&learner->env->allocator, case_words + control_words, sizeof *cases);
  if (!cases) return irl_fail_memory(learner->env);
  uint64_t *controls = cases + case_words;
  uint64_t n_paid = 0;
  rule->tp = rule->fp = rule->literals = 0;
  for (uint32_t i = 0; i < rule->n; i++) {
    const uint32_t k = rule->clauses[i];
    rule->tp = kernels->or_into(cases, cases, irl_bits_vector(&pool->cases, k), case_words);
    rule->fp =
        kernels->or_into(controls, controls, irl_bits_vector(&pool->controls, k), control_words);
    rule->literals += pool->sizes[k];
    n_paid += kernels->count(irl_bits_vector(&pool->controls, k), control_words);
  }
  if (!learner->settings.is_hamming) n_paid = rule->fp;
  irl_mem_free_aligned(&learner->env->allocator, cases);
  rule->loss = learner->settings.case_weight * (int64_t)(data->n_cases - rule->tp) +
               learner->settings.control_weight * (int64_t)n_paid +
               learner->settings.penalty * (int64_t)(rule->n + rule->literals);
  if (rule->tp < learner->min_cases || rule->fp > learner->max_controls ||
      rule->literals > learner->settings.max_literals)
    rule->loss = IRL_SELECT_NO_LOSS;
  return IRL_OK;
}

bool irl_learner_is_simple(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  return !settings->is_hamming && !settings->penalty && !learner->min_cases &&
         learner->max_controls >= learner->data->n_controls &&
         settings->max_complexity == UINT64_MAX;
}

int64_t irl_learner_target(const irl_learner *learner) {
  const irl_learn_settings *settings = &learner->settings;
  const int64_t K = settings->K;
  const int64_t most = settings->case_weight * (int64_t)learner->data->n_cases +
                       settings->control_weight * (int64_t)learner->data->n_controls *
                           (settings->is_hamming ? K : 1) +
                       K * irl_learner_cost(learner, settings->M) + 1;
  return learner->best.loss < most ? learner->best.loss : most;
}

static irl_status replay_select(irl_learner *learner, const uint64_t *words, size_t n,
                                irl_learn_rule *rule) {
  if (n < 1 || n - 1 > learner->settings.K)
    return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
  learner->work += words[0];
  rule->n = (uint32_t)(n - 1);
  for (uint32_t i = 0; i < rule->n; i++) {
    if (words[i + 1] >= learner->pool.n)
      return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
    rule->clauses[i] = (uint32_t)words[i + 1];
  }
  return irl_learner_weigh(learner, rule);
}

static irl_status record_select(irl_learner *learner, uint64_t work, const irl_learn_rule *rule) {
  if (irl_limit_cut(&learner->limit)) return IRL_OK;
  irl_journal_begin(&learner->journal, IRL_LEARN_SELECT);
  irl_journal_put(&learner->journal, work);
  for (uint32_t i = 0; i < rule->n; i++) irl_journal_put(&learner->journal, rule->clauses[i]);
  return irl_journal_end(&learner->journal);
}

void irl_learner_set_goal(const irl_learner *learner, uint64_t budget,
                          irl_select_problem *problem) {
  const irl_learn_settings *settings = &learner->settings;
  const bool is_free = budget == UINT64_MAX;
  irl_select_problem_init(problem, &learner->pool.cases, &learner->pool.controls, settings->K);
  problem->sizes = learner->pool.sizes;
  problem->max_literals = settings->max_literals;
  problem->max_complexity = settings->max_complexity;
  problem->case_weight = is_free ? settings->case_weight : (int64_t)learner->data->n_controls + 1;
  problem->control_weight = is_free ? settings->control_weight : 1;
  problem->is_hamming = is_free && settings->is_hamming;
  problem->max_controls = budget < learner->max_controls ? budget : learner->max_controls;
  problem->min_cases = is_free ? learner->min_cases : 0;
  problem->clause_cost = problem->literal_cost = is_free ? settings->penalty : 0;
}

irl_status irl_learner_select(irl_learner *learner, uint64_t budget, irl_learn_rule *rule) {
  return irl_learner_select_few(learner, budget, learner->settings.K, rule);
}

irl_status irl_learner_select_few(irl_learner *learner, uint64_t budget, uint32_t K,
                                  irl_learn_rule *rule) {
  const irl_learn_settings *settings = &learner->settings;
  irl_select_problem problem;
  irl_select_result result;
  size_t n;
  const uint64_t *words = irl_journal_next(&learner->journal, IRL_LEARN_SELECT, &n);
  if (words) return replay_select(learner, words, n, rule);
  irl_learner_set_goal(learner, budget, &problem);
  problem.K = K;
  const irl_limit part = irl_learner_part(learner, settings->is_quick ? QUICK_SELECT : SELECT_WORK);
  irl_status status = irl_select_solve(learner->env, &problem, &part, settings->threads,
                                       rule->clauses, rule->n, &result);
  if (status) return status;
  learner->work += result.work;
  rule->n = result.n;
  status = record_select(learner, result.work, rule);
  return status ? status : irl_learner_weigh(learner, rule);
}

static bool is_preferred(const irl_learn_rule *a, const irl_learn_rule *b) {
  if (a->loss != b->loss) return a->loss < b->loss;
  return a->n != b->n ? a->n < b->n : a->literals < b->literals;
}

irl_status irl_learner_offer(irl_learner *learner, const irl_learn_rule *rule, bool *is_better) {
  irl_learn_rule offered = *rule;
  const irl_status status = irl_learner_weigh(learner, &offered);
  *is_better = !status && offered.loss < learner->best.loss;
  if (!status && is_preferred(&offered, &learner->best)) learner->best = offered;
  return *is_better ? irl_learner_notify(learner) : status;
}

void irl_learner_log(irl_learner *learner, const char *tag, uint64_t budget) {
  const irl_data *data = learner->data;
  const irl_learn_rule *best = &learner->best;
  const double sensitivity = (double)best->tp / data->n_cases;
  const double specificity = 1 - (double)best->fp / data->n_controls;
  char shown[24] = "-";
  irl_run run = {.seconds = irl_clock_now() - learner->env->started};
  if (budget != UINT64_MAX) snprintf(shown, sizeof shown, "%llu", (unsigned long long)budget);
  irl_watch_note(learner->env, tag, learner->work, irl_learner_objective(learner, best->loss),
                 irl_learner_objective(learner, learner->bound));
  if (!learner->round++)
    irl_log(learner->env, IRL_LOG_NOTE,
            "  part     budget   pool        tp        fp  balanced       loss      bound    work  "
            "   time");
  irl_log(learner->env, IRL_LOG_NOTE,
          "  %-8s %6s %6zu %9llu %9llu  %.6f %10lld %10lld %7.2g %7.2fs", tag, shown,
          learner->pool.n, (unsigned long long)best->tp, (unsigned long long)best->fp,
          (sensitivity + specificity) / 2, (long long)best->loss, (long long)learner->bound,
          (double)learner->work, run.seconds);
}
