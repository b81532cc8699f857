/* Seeking clauses for the pool: a search by the clause engine, of whose clauses the best go to the
 * pool and then, for variety, layer after layer of those that cover most of what the ones before
 * leave. What a search brought goes to the checkpoint too, from which a resumed run takes it. */
#include "base/memory.h"
#include "clause/heuristic.h"
#include "rule/literal_columns.h"
#include "state/effort.h"
#include "state/learner.h"

/* Found clauses with their covers, for choosing among them. */
typedef struct candidates {
  const irl_clause_pool *found;
  irl_clause_set covers;
  uint32_t *number; /* in covers, of each clause */
  bool *is_picked;
  uint64_t *left; /* live cases that the layer so far does not cover */
  uint32_t n;     /* clauses that are looked at */
} candidates;

/* The columns of the first clauses in one go, as far as there is room for them. */
static irl_status want_columns(irl_learner *learner, const irl_clause_pool *found, uint32_t n) {
  if (!learner->data->shard) return IRL_OK;
  irl_literal *literals =
      irl_mem_alloc(&learner->env->allocator, (size_t)n * learner->settings.M, sizeof *literals);
  size_t n_literals = 0;
  if (!literals) return irl_fail_memory(learner->env);
  for (uint32_t i = 0; i < n; i++) {
    const irl_clause *clause = &found->clauses[i];
    memcpy(literals + n_literals, clause->literals, clause->n * sizeof *literals);
    n_literals += clause->n;
  }
  const irl_status status = irl_literals_want(learner->env, learner->data, literals, n_literals);
  irl_mem_free(&learner->env->allocator, literals);
  return status;
}

static irl_status candidates_init(irl_learner *learner, const irl_clause_pool *found,
                                  candidates *c) {
  const irl_allocator *allocator = &learner->env->allocator;
  const size_t words = learner->data->cases.stride;
  const size_t bytes = (words + learner->data->controls.stride) * sizeof(uint64_t);
  const size_t affordable = IRL_EFFORT_FOUND_BYTES / bytes > IRL_EFFORT_ADDED
                                ? IRL_EFFORT_FOUND_BYTES / bytes
                                : IRL_EFFORT_ADDED;
  bool is_new;
  *c = (candidates){.found = found, .n = found->n < affordable ? found->n : (uint32_t)affordable};
  irl_clause_set_init(&c->covers, learner->data, learner->settings.M);
  c->left = irl_mem_alloc_aligned(allocator, words, sizeof *c->left);
  c->number = irl_mem_alloc(allocator, c->n, sizeof *c->number);
  c->is_picked = irl_mem_alloc(allocator, c->n, sizeof *c->is_picked);
  irl_status status = c->left && c->number && c->is_picked ? IRL_OK : irl_fail_memory(learner->env);
  if (!status) status = want_columns(learner, found, c->n);
  for (uint32_t i = 0; i < c->n && !status; i++)
    status = irl_clause_set_add(learner->env, &c->covers, found->clauses[i].literals,
                                found->clauses[i].n, &c->number[i], &is_new);
  return status;
}

static void candidates_free(irl_learner *learner, candidates *c) {
  irl_clause_set_free(&c->covers);
  irl_mem_free(&learner->env->allocator, c->number);
  irl_mem_free(&learner->env->allocator, c->is_picked);
  irl_mem_free_aligned(&learner->env->allocator, c->left);
}

/* A new layer: everything live is uncovered again. */
static void begin_layer(irl_learner *learner, candidates *c, const uint64_t *live_cases) {
  const size_t words = learner->data->cases.stride;
  if (live_cases)
    memcpy(c->left, live_cases, words * sizeof *c->left);
  else
    irl_bits_fill(c->left, learner->data->n_cases, words);
}

/* The clause that covers most of what the layer leaves; c->n if none covers any. */
static uint32_t next_of_layer(const candidates *c) {
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
static uint32_t n_added(const irl_learner *learner) {
  const size_t words = learner->data->cases.stride + learner->data->controls.stride;
  const size_t affordable = IRL_EFFORT_ADDED_BYTES / (words * sizeof(uint64_t));
  return affordable >= IRL_EFFORT_ADDED           ? IRL_EFFORT_ADDED
         : affordable < 2 * IRL_EFFORT_ADDED_BEST ? 2 * IRL_EFFORT_ADDED_BEST
                                                  : (uint32_t)affordable;
}

/* Which clauses to keep: the best by value and then, for variety, layer after layer of clauses that
 * cover most of what those before leave. */
static irl_status choose_varied(irl_learner *learner, const irl_clause_pool *found,
                                const uint64_t *live_cases, uint32_t picks[IRL_EFFORT_ADDED],
                                uint32_t *n) {
  candidates c;
  const irl_status status = candidates_init(learner, found, &c);
  const uint32_t wanted = n_added(learner);
  bool is_fresh = true;
  if (!status) begin_layer(learner, &c, live_cases);
  for (*n = 0; *n < wanted && *n < c.n && !status;) {
    const uint32_t pick = *n < IRL_EFFORT_ADDED_BEST ? *n : next_of_layer(&c);
    if (pick == c.n && is_fresh) break;
    is_fresh = pick == c.n;
    if (is_fresh) {
      begin_layer(learner, &c, live_cases);
      continue;
    }
    const uint64_t *cover = irl_bits_vector(&c.covers.cases, c.number[pick]);
    irl_bits_kernels()->andnot_into(c.left, c.left, cover, learner->data->cases.stride);
    c.is_picked[pick] = true;
    assert(pick < c.n && *n < IRL_EFFORT_ADDED);
    picks[(*n)++] = pick;
  }
  candidates_free(learner, &c);
  return status;
}

static irl_status add_clause(irl_learner *learner, const uint32_t *literals, uint32_t n,
                             irl_learn_generated *generated) {
  uint32_t number;
  bool is_new;
  const irl_status status =
      irl_clause_set_add(learner->env, &learner->pool, literals, n, &number, &is_new);
  generated->n_new += !status && is_new;
  return status;
}

static irl_status pass(irl_learner *learner, const irl_learn_subproblem *subproblem,
                       const irl_clause_model *model, irl_clause_pool *found) {
  const irl_limit part = irl_learner_sublimit(learner, subproblem->max_work);
  const irl_clause_heuristic_settings heuristic = {part.max_work, learner->settings.seed,
                                                   subproblem->width};
  return irl_clause_heuristic(&(irl_clause_search){learner->env, model, &part,
                                                   irl_learner_threads(learner), &learner->work},
                              &heuristic, found);
}

/* Of what a search with weights per case found, what is wanted. */
static void keep_wanted(const irl_learn_subproblem *subproblem, irl_clause_pool *found) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < found->n; i++) {
    const irl_clause *clause = &found->clauses[i];
    if (clause->value < subproblem->min_value + subproblem->literal_weight * clause->n) continue;
    found->clauses[n++] = *clause;
  }
  found->n = n;
}

/* The search itself, and what it brings into the pool and the checkpoint. */
static irl_status search_and_add(irl_learner *learner, const irl_learn_subproblem *subproblem,
                                 const irl_clause_model *model, irl_clause_pool *found,
                                 irl_learn_generated *generated) {
  const irl_learn_settings *settings = &learner->settings;
  const uint64_t before = learner->work;
  uint32_t picks[IRL_EFFORT_ADDED], n = 0;
  irl_status status = pass(learner, subproblem, model, found);
  if (subproblem->case_weights) keep_wanted(subproblem, found);
  const irl_clause *best = found->n ? &found->clauses[0] : NULL;
  generated->is_chance =
      learner->work - before > IRL_EFFORT_FAR && !irl_clause_is_beyond_chance(model, found);
  generated->is_small = !best || (uint64_t)best->cases * settings->K < model->root.n_cases;
  if (subproblem->n_wanted)
    n = found->n;
  else if (!status && found->n)
    status = choose_varied(learner, found, subproblem->live_cases, picks, &n);
  const bool is_whole = !status && !irl_limit_poll(&learner->limit);
  if (is_whole) {
    irl_checkpoint_begin(&learner->checkpoint, IRL_LEARN_GENERATE);
    irl_checkpoint_put(&learner->checkpoint, learner->work - before);
    irl_checkpoint_put(&learner->checkpoint, generated->is_chance);
    irl_checkpoint_put(&learner->checkpoint, generated->is_small);
  }
  for (uint32_t i = 0; i < n && !status; i++) {
    const irl_clause *clause = &found->clauses[subproblem->n_wanted ? i : picks[i]];
    if (is_whole) irl_learner_put_clause(learner, clause->literals, clause->n);
    status = add_clause(learner, clause->literals, clause->n, generated);
  }
  if (!status && is_whole) irl_checkpoint_end(&learner->checkpoint);
  return status;
}

void irl_learner_put_clause(irl_learner *learner, const uint32_t *literals, uint32_t n) {
  irl_checkpoint_put(&learner->checkpoint, n);
  for (uint32_t i = 0; i < n; i++) irl_checkpoint_put(&learner->checkpoint, literals[i]);
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

/* Takes the clauses of a search from the checkpoint. */
static irl_status replay_generated(irl_learner *learner, const uint64_t *words, size_t n,
                                   irl_learn_generated *generated) {
  const uint64_t *at = words + 3, *end = words + n;
  uint32_t literals[IRL_CLAUSE_MAX], size;
  irl_status status = IRL_OK;
  if (n < 3) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
  learner->work += words[0];
  generated->is_chance = words[1];
  generated->is_small = words[2];
  while (at < end && !status) {
    size = irl_learner_get_clause(learner, &at, end, literals);
    if (!size) return irl_fail(learner->env, IRL_BAD_INPUT, "the checkpoint is damaged");
    status = add_clause(learner, literals, size, generated);
  }
  return status;
}

static irl_status generate_once(irl_learner *learner, const irl_learn_subproblem *subproblem,
                                irl_learn_generated *generated) {
  const irl_learn_settings *settings = &learner->settings;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_pool found;
  size_t n;
  *generated = (irl_learn_generated){0};
  const uint64_t *words = irl_checkpoint_next(&learner->checkpoint, IRL_LEARN_GENERATE, &n);
  if (words) return replay_generated(learner, words, n, generated);
  irl_clause_problem_init(&problem, learner->data);
  problem.live_cases = subproblem->live_cases;
  problem.live_controls = subproblem->live_controls;
  problem.case_weights = subproblem->case_weights;
  problem.case_weight = subproblem->case_weight;
  problem.control_weight = subproblem->control_weight;
  problem.budget = subproblem->budget < learner->data->n_controls ? subproblem->budget
                                                                  : learner->data->n_controls;
  problem.max_literals = subproblem->max_literals ? subproblem->max_literals : settings->M;
  problem.negations = settings->negations;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  if (irl_clause_pool_init(&found, &learner->env->allocator,
                           subproblem->n_wanted ? subproblem->n_wanted : IRL_EFFORT_FOUND)) {
    status = search_and_add(learner, subproblem, &model, &found, generated);
    irl_clause_pool_free(&found);
  } else {
    status = irl_fail_memory(learner->env);
  }
  irl_clause_model_free(&model);
  return status;
}

/* Where literals cost something, the best clause of each length may be the one that is wanted. */
irl_status irl_learner_generate(irl_learner *learner, const irl_learn_subproblem *subproblem,
                                irl_learn_generated *generated) {
  irl_status status = generate_once(learner, subproblem, generated);
  irl_learn_subproblem shorter = *subproblem;
  shorter.max_literals = subproblem->max_literals ? subproblem->max_literals : learner->settings.M;
  while (learner->settings.penalty && --shorter.max_literals && !status &&
         !irl_learner_is_done(learner)) {
    irl_learn_generated more;
    status = generate_once(learner, &shorter, &more);
    if (!status) generated->n_new += more.n_new;
  }
  return status;
}

irl_status irl_learner_generate_within(irl_learner *learner, const uint64_t *live_cases,
                                       uint64_t budget, uint64_t max_work,
                                       irl_learn_generated *generated) {
  const irl_learn_subproblem subproblem = {.live_cases = live_cases,
                                           .case_weight = (int64_t)learner->data->n_controls + 1,
                                           .control_weight = 1,
                                           .budget = budget,
                                           .max_work = max_work};
  return irl_learner_generate(learner, &subproblem, generated);
}
