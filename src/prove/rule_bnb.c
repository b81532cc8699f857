/* Rule branch and bound: a better rule, clause by clause.
 *
 * A node has fixed some clauses; r = K - n more may follow. Let L be its loss as it stands and U
 * the loss of the incumbent: the further clauses must gain g = L - (U - 1) together.
 *
 * Lemma. With v(c) = r * (weight of the cases that c newly covers) - (weight of its new controls)
 * the values of the r clauses sum up to r * g or more, since a control that several of them cover
 * is paid once. So the clause of largest value has v(c) >= g, and it is enough to enumerate the
 * clauses of that value on the samples that are uncovered, and to branch on each. With r = 1 these
 * are the better rules and nothing else. Under the Hamming loss every clause pays for all its
 * controls, and v is r times what it gains. Where cases must be covered at a loss (g <= 0, with a
 * least number of covered cases) the clause that covers most new cases takes the place of that of
 * largest value: it covers at least 1/r of what is missing.
 *
 * Dominance. Once a child is closed, its clause is in no better rule that has the clauses of the
 * node. Neither is a clause that covers no more cases and no fewer controls of what is uncovered:
 * such clauses are left out at later siblings and all nodes below them (rule_dominance.c), and no
 * set of clauses is met twice.
 *
 * Bound. Children come by falling value, and what follows child c gains at most v(c): the subtree
 * has no loss below L - v(c). At a limit the least bound of the open nodes holds for the whole
 * problem.
 *
 * With task->found the same tree meets every rule below the target, which then stays. A clause
 * dominates nothing but itself there, and is left out where it was branched on before. */
#include "base/clock.h"
#include "base/memory.h"
#include "prove/prove_effort.h"
#include "prove/rule_bnb_node.h"
#include <stdio.h>

/* How far the search is at a node, by the children that are closed at each level. */
static double share_done(const irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  double share = 0;
  for (uint32_t i = at->n + 1; i--;) {
    const irl_rule_bnb_level *l = &s->levels[i];
    if (l->n_order) share = ((double)l->n_done + share) / (double)l->n_order;
  }
  assert(share >= 0 && share <= 1);
  return share;
}

/* The node stays open; the first open one is where the search was cut. */
static void leave_open(irl_rule_bnb *s, const irl_rule_bnb_node *at, int64_t bound) {
  assert(s->is_cut && bound >= 0);
  if (s->task->share == 1) s->task->share = share_done(s, at);
  if (bound < s->bound) s->bound = bound;
}

/* Offers the rule of the node, and goes on with its loss as the target. */
static irl_status offer(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_learner *learner = s->learner;
  if (s->task->found) {
    s->is_cut = s->task->found(s->task->user, s->path, at->n);
    return IRL_STATUS_OK;
  }
  irl_learn_rule rule = {.n = at->n};
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < at->n && !status; i++)
    status = irl_clause_set_add(learner->env, &learner->pool, s->path[i].literals, s->path[i].n,
                                &rule.clauses[i], NULL);
  if (!status) status = irl_learner_offer_logged(learner, &rule, "proof", UINT64_MAX);
  if (status) return status;
  /* Nodes do not know the limit on complexity: a rule above it is none, and its loss no target. */
  assert(learner->best.loss <= irl_merged_loss(s->merged, irl_rule_bnb_loss(at)) ||
         learner->settings.max_complexity < UINT64_MAX);
  if (learner->best.loss < s->task->target) {
    s->task->target = learner->best.loss;
    s->target = irl_merged_target(s->merged, learner->best.loss);
  }
  return IRL_STATUS_OK;
}

/* ---- the clauses of a node ---- */

/* What the clauses of a node must have; false: no clause can. */
static bool make_thresholds(const irl_rule_bnb *s, const irl_rule_bnb_node *at,
                            irl_clause_thresholds *wanted) {
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->data;
  const int64_t left = settings->K - at->n, w1 = s->merged->weight[0];
  const int64_t budget = s->target - 1 - at->cost_so_far; /* that may still be paid or lost */
  const int64_t required_gain = irl_rule_bnb_loss(at) - (s->target - 1);
  assert(left > 0 && w1 > 0 && s->merged->weight[1] > 0);
  if (budget < 0 || at->controls > s->learner->max_controls) return false;
  int64_t max_controls = budget / s->merged->weight[1];
  const int64_t allowed = (int64_t)(s->learner->max_controls - at->controls);
  if (!settings->is_hamming && allowed < max_controls) max_controls = allowed;
  *wanted = (irl_clause_thresholds){
      .min_cases = 1,
      .max_controls = max_controls < data->n_controls ? (uint32_t)max_controls : data->n_controls,
      .min_value = required_gain > 0 || left == 1 ? required_gain : IRL_CLAUSE_ANY_VALUE};
  if ((required_gain <= 0 || left == 1) && !s->merged->own) { /* cases that may stay uncovered */
    const int64_t most = (int64_t)(data->n_cases - s->learner->min_cases);
    const int64_t missing = at->uncovered / w1 - (budget / w1 < most ? budget / w1 : most);
    if (missing > left) wanted->min_cases = (uint32_t)((missing + left - 1) / left);
  }
  /* Rules with q < left further clauses are wanted too. Their values sum up to q * required_gain
   * and (left - q) times what their cases are worth, which is not negative; or times that less what
   * the clauses cost, which is no less than the required gain. */
  if (s->task->found) {
    const bool costs = settings->is_hamming || settings->penalty;
    wanted->min_cases = 1;
    wanted->min_value = required_gain < 0 && costs ? left * required_gain : required_gain;
  }
  /* Every clause pays for itself: one literal at least. */
  if (wanted->min_value > IRL_CLAUSE_ANY_VALUE)
    wanted->min_value += left * irl_learner_cost(s->learner, 1);
  return at->literals < settings->max_literals;
}

/* Subtracts from the values what each clause costs by itself; clauses that fall below the threshold
 * are dropped. */
static void charge_clauses(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_clause_array *list = &s->levels[at->n].clauses;
  const int64_t left = s->learner->settings.K - at->n;
  irl_clause_thresholds wanted;
  size_t n = 0;
  if (!s->learner->settings.penalty || !make_thresholds(s, at, &wanted)) return;
  for (size_t i = 0; i < list->n; i++) {
    const uint32_t size = list->sizes[i];
    const int64_t value = list->values[i] - left * irl_learner_cost(s->learner, size);
    if (list->values[i] -
            left * (irl_learner_cost(s->learner, size) - irl_learner_cost(s->learner, 1)) <
        wanted.min_value)
      continue;
    list->values[n] = value;
    list->cases[n] = list->cases[i];
    list->controls[n] = list->controls[i];
    list->sizes[n] = size;
    memmove(list->literals + n * list->max_literals, list->literals + i * list->max_literals,
            size * sizeof *list->literals);
    n++;
  }
  assert(n <= list->n);
  list->n = n;
}

/* Enumerates the clauses one of which a better rule must add. */
static irl_status enumerate_children(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_learner *learner = s->learner;
  const irl_learn_settings *settings = &learner->settings;
  irl_rule_bnb_level *here = &s->levels[at->n];
  const int64_t left = settings->K - at->n;
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_thresholds thresholds;
  bool is_complete = false;
  here->clauses.n = 0;
  here->is_cover = irl_rule_bnb_loss(at) < s->target && !s->task->found;
  if (!make_thresholds(s, at, &thresholds)) return IRL_STATUS_OK;
  const uint64_t literals_left = settings->max_literals - at->literals;
  irl_clause_problem_init(&problem, s->data);
  problem.live_cases = here->cases;
  problem.live_controls = settings->is_hamming ? NULL : here->controls;
  problem.case_weight = left * s->merged->weight[0];
  problem.control_weight = (settings->is_hamming ? left : 1) * s->merged->weight[1];
  problem.case_weights = here->scaled;
  problem.control_weights = s->merged->weights[1];
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_literals = literals_left < settings->M ? (uint32_t)literals_left : settings->M;
  problem.negations = settings->negations;
  problem.keeps_all = irl_learner_counts_literals(learner) || s->task->found;
  problem.groups = learner->data->groups;
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_limit part = s->limit;
  if (part.max_work != UINT64_MAX) part.max_work -= learner->work - s->start;
  learner->work += model.work;
  status = irl_clause_enumerate_all(
      &(irl_clause_search){learner->env, &model, &part, s->threads, &learner->work}, &thresholds,
      s->task->cap, &here->clauses, &is_complete);
  assert(is_complete || here->clauses.n <= s->task->cap);
  if (!is_complete) s->is_cut = true;
  if (!is_complete && here->clauses.n >= s->task->cap) s->task->is_full = true;
  irl_clause_model_free(&model);
  return status;
}

/* ---- nodes ---- */

void irl_rule_bnb_put_literals(irl_text *text, const irl_literal *literals, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    irl_text_printf(text, " %s%u", irl_literal_is_negated(literals[i]) ? "!" : "",
                    irl_literal_feature(literals[i]) + 1);
}

/* The child with one more clause; what the clause covers is no longer live. */
static irl_rule_bnb_node make_child(irl_rule_bnb *s, const irl_rule_bnb_node *at,
                                    const irl_clause *clause) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->data;
  const irl_rule_bnb_level *from = &s->levels[at->n], *to = &s->levels[at->n + 1];
  irl_rule_bnb_cover(data, false, clause, from->cases, to->cases);
  irl_rule_bnb_cover(data, true, clause, from->controls, to->controls);
  const int64_t cost = settings->is_hamming ? s->merged->weight[1] * (int64_t)clause->controls
                                            : irl_merged_weigh(s->merged, 1, to->controls);
  irl_rule_bnb_node next = {
      .n = at->n + 1,
      .cost_so_far = at->cost_so_far + cost + irl_learner_cost(s->learner, clause->n),
      .controls = at->controls + kernels->count(to->controls, data->controls.stride),
      .literals = at->literals + clause->n,
      .bound = at->bound};
  kernels->andnot_into(to->cases, from->cases, to->cases, data->cases.stride);
  kernels->andnot_into(to->controls, from->controls, to->controls, data->controls.stride);
  next.uncovered = irl_merged_weigh(s->merged, 0, to->cases);
  const int64_t bound = irl_rule_bnb_loss(at) - clause->value;
  if (!from->is_cover && !s->task->found && bound > next.bound) next.bound = bound;
  assert(next.bound >= at->bound && next.cost_so_far >= at->cost_so_far);
  assert(next.uncovered >= 0 && next.uncovered <= at->uncovered);
  return next;
}

static void log_progress(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_learner *learner = s->learner;
  const double now = irl_clock_now(), loss = (double)learner->best.loss;
  char levels[16 * IRL_LEARN_MAX_K];
  size_t length = 0;
  uint64_t n_open = 0;
  if (now - s->last_line < IRL_PROVE_PROGRESS_PERIOD) return;
  s->last_line = now;
  for (uint32_t i = 0; i <= at->n; i++) {
    const irl_rule_bnb_level *l = &s->levels[i];
    n_open += l->n_order - l->n_done;
    if (length + 32 < sizeof levels)
      length += (size_t)snprintf(levels + length, sizeof levels - length, " %zu/%zu", l->n_done,
                                 l->n_order);
  }
  irl_log(
      learner->env, IRL_LOG_PROGRESS,
      "rule-bnb  nodes %llu  levels%s  open %llu  best %.6g  bound %.6g  gap %.1f %%  %.1f %% done",
      (unsigned long long)learner->nodes, levels, (unsigned long long)n_open,
      irl_learner_objective(learner, learner->best.loss),
      irl_learner_objective(learner, learner->proof.bound),
      loss > 0 ? 100 * (loss - (double)learner->proof.bound) / loss : 0, 100 * share_done(s, at));
}

static irl_status visit(irl_rule_bnb *s, const irl_rule_bnb_node *at);

static irl_status visit_children(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  const irl_learner *learner = s->learner;
  const size_t n_closed = s->closed.n;
  irl_status status = IRL_STATUS_OK;
  if (!at->n) { /* the trial begins: the children of the root have that much work at first */
    const uint64_t end = learner->work - s->start + s->task->trial_work;
    s->max_work = s->limit.max_work;
    if (s->task->trial_work && end < s->max_work) s->limit.max_work = end;
  }
  for (size_t i = 0; i < here->n_order && !status; i++) {
    here->n_done = i;
    log_progress(s, at);
    /* A trial is passed if the share that is done lets expect an end. */
    const double work = (double)(learner->work - s->start);
    if (s->limit.max_work < s->max_work &&
        work <= share_done(s, at) * IRL_PROVE_MAX_OVERRUN * (double)s->max_work)
      s->limit.max_work = s->max_work;
    irl_clause *clause = &s->path[at->n];
    assert(!i || here->clauses.values[here->order[i]] <= here->clauses.values[here->order[i - 1]]);
    irl_clause_array_get(&here->clauses, here->order[i], clause);
    const irl_rule_bnb_node next = make_child(s, at, clause);
    s->is_cut = s->is_cut || irl_limit_reached(&s->limit, learner->work - s->start);
    if (s->is_cut) { /* this child and all after it */
      leave_open(s, at, next.bound);
      break;
    }
    if (next.bound >= s->target) break; /* a better rule was found meanwhile */
    assert(next.n == at->n + 1 && next.literals == at->literals + clause->n);
    status = visit(s, &next);
    irl_clause_array_get(&here->clauses, here->order[i], clause);
    if (!status && !irl_clause_array_add(&s->closed, clause))
      status = irl_fail_memory(learner->env);
  }
  assert(s->closed.n >= n_closed);
  s->closed.n = n_closed;
  return status;
}

static irl_status visit(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_learner *learner = s->learner;
  const irl_learn_settings *settings = &learner->settings;
  irl_text *text = s->task->nodes;
  irl_status status = IRL_STATUS_OK;
  assert(at->n <= settings->K);
  assert(at->uncovered == irl_merged_weigh(s->merged, 0, s->levels[at->n].cases));
  /* Limits on cases and controls count samples, which are not merged then. */
  const int64_t most = s->merged->weight[0] * (int64_t)(s->data->n_cases - learner->min_cases);
  if (irl_rule_bnb_loss(at) < s->target && (!learner->min_cases || at->uncovered <= most) &&
      at->controls <= learner->max_controls && at->literals <= settings->max_literals)
    status = offer(s, at);
  if (status || at->n == settings->K) return status;
  learner->nodes++;
  irl_rule_bnb_level *here = &s->levels[at->n];
  here->n_order = 0;
  status = enumerate_children(s, at);
  if (!status && !s->is_cut) charge_clauses(s, at);
  if (!status && s->is_cut) leave_open(s, at, at->bound);
  if (status || s->is_cut) return status;
  if (here->clauses.n) status = irl_rule_bnb_sort(s, here);
  if (!status && here->n_order)
    status =
        s->task->found ? irl_rule_bnb_drop_repeated(s, at) : irl_rule_bnb_drop_dominated(s, at);
  if (text) { /* the node as a line of a certificate, with its number of children */
    s->task->n_nodes++;
    irl_text_printf(text, "%u", at->n);
    if (at->n) irl_rule_bnb_put_literals(text, s->path[at->n - 1].literals, s->path[at->n - 1].n);
    irl_text_printf(text, " branch %s %zu\n", here->is_cover ? "cover" : "value",
                    at->n + 1 < settings->K ? here->n_order : 0);
  }
  return status ? status : visit_children(s, at);
}

/* The vectors of all levels; nothing is covered at the root. */
static bool make_levels(irl_rule_bnb *s) {
  const irl_data *data = s->data;
  for (uint32_t i = 0; i <= s->learner->settings.K; i++) {
    irl_rule_bnb_level *l = &s->levels[i];
    l->cases = irl_arena_alloc_aligned(&s->arena, data->cases.stride, sizeof *l->cases);
    l->controls = irl_arena_alloc_aligned(&s->arena, data->controls.stride, sizeof *l->controls);
    if (s->merged->own) l->scaled = irl_arena_alloc(&s->arena, data->n_cases, sizeof *l->scaled);
    if (!l->cases || !l->controls || (s->merged->own && !l->scaled)) return false;
    for (uint32_t k = 0; l->scaled && k < data->n_cases; k++)
      l->scaled[k] = (s->learner->settings.K - i) * s->merged->weights[0][k];
  }
  irl_bits_fill(s->levels[0].cases, data->n_cases, data->cases.stride);
  irl_bits_fill(s->levels[0].controls, data->n_controls, data->controls.stride);
  return true;
}

irl_status irl_rule_bnb_solve(irl_learner *learner, const irl_limit *limit,
                              irl_rule_bnb_task *task) {
  const irl_merged *merged = &learner->proof.merged;
  const irl_data *data = merged->data;
  const irl_allocator *allocator = &learner->env->allocator;
  const uint32_t K = learner->settings.K;
  irl_rule_bnb *s = irl_mem_alloc(allocator, 1, sizeof *s);
  task->is_proven = task->is_full = false;
  task->share = 1;
  task->n_nodes = 0;
  task->bound = learner->proof.bound;
  if (!s) return irl_fail_memory(learner->env);
  assert(task->cap && merged->data && K <= IRL_LEARN_MAX_K);
  s->learner = learner;
  s->merged = merged;
  s->data = data;
  s->limit = *limit;
  s->task = task;
  s->start = learner->work;
  s->target = s->bound = irl_merged_target(merged, task->target);
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  s->threads = words < IRL_PROVE_WORTH_THREADS ? 1 : learner->settings.threads;
  irl_arena_init(&s->arena, allocator);
  irl_clause_array_init(&s->closed, allocator, learner->settings.M);
  for (uint32_t i = 0; i <= K; i++)
    irl_clause_array_init(&s->levels[i].clauses, allocator, learner->settings.M);
  irl_status status = make_levels(s) ? IRL_STATUS_OK : irl_fail_memory(learner->env);
  if (!status) {
    const bool is_known = !task->has_no_bound && !task->found;
    const int64_t above = learner->proof.bound - merged->offset;
    const irl_rule_bnb_node root = {.uncovered = irl_merged_weigh(merged, 0, s->levels[0].cases),
                                    .bound = is_known && above > 0 ? above / merged->unit : 0};
    status = visit(s, &root);
  }
  task->is_proven = !status && !s->is_cut;
  const int64_t bound = irl_merged_loss(merged, s->bound < s->target ? s->bound : s->target);
  if (!status) task->bound = bound < task->target ? bound : task->target;
  assert(status || !task->is_proven || s->bound >= s->target);
  for (uint32_t i = 0; i <= K; i++) {
    irl_clause_array_free(&s->levels[i].clauses);
    irl_mem_free(allocator, s->levels[i].order);
  }
  irl_clause_array_free(&s->closed);
  irl_arena_free(&s->arena);
  irl_mem_free(allocator, s);
  return status;
}
