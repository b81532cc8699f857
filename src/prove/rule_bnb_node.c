/* The nodes of the rule branch and bound: a better rule, clause by clause.
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
#include "prove/rule_bnb_node.h"

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
  const irl_learner *learner = s->learner;
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
  irl_status status = irl_clause_model_init(s->env, &model, &problem);
  if (status) return status;
  const irl_limit part = irl_limit_left(&s->limit, s->work);
  s->work += model.work;
  s->is_divided = s->is_divided || model.comm;
  status =
      irl_clause_enumerate_all(&(irl_clause_search){s->env, &model, &part, s->threads, &s->work},
                               &thresholds, s->task->cap, &here->clauses, &is_complete);
  assert(is_complete || here->clauses.n <= s->task->cap);
  if (!is_complete) s->is_cut = true;
  if (!is_complete && here->clauses.n >= s->task->cap) s->is_full = true;
  irl_clause_model_free(&model);
  return status;
}

/* ---- nodes ---- */

void irl_rule_bnb_put_literals(irl_text *text, const irl_literal *literals, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    irl_text_printf(text, " %s%u", irl_literal_is_negated(literals[i]) ? "!" : "",
                    irl_literal_feature(literals[i]) + 1);
}

/* No rule with the clauses of the node and one of that value, or less, has less loss. */
static int64_t child_bound(const irl_rule_bnb *s, const irl_rule_bnb_level *at, int64_t value) {
  const int64_t bound = irl_rule_bnb_loss(&at->node) - value;
  return !at->is_cover && !s->task->found && bound > at->node.bound ? bound : at->node.bound;
}

int64_t irl_rule_bnb_open_bound(const irl_rule_bnb *s, uint32_t depth, size_t i) {
  const irl_rule_bnb_level *at = &s->levels[depth];
  assert(i < at->n_order);
  return child_bound(s, at, at->clauses.values[at->order[i]]);
}

/* The child with one more clause; what the clause covers is no longer live. */
static irl_rule_bnb_node make_child(const irl_rule_bnb *s, const irl_rule_bnb_node *at,
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
      .bound = child_bound(s, from, clause->value)};
  kernels->andnot_into(to->cases, from->cases, to->cases, data->cases.stride);
  kernels->andnot_into(to->controls, from->controls, to->controls, data->controls.stride);
  next.uncovered = irl_merged_weigh(s->merged, 0, to->cases);
  assert(next.bound >= at->bound && next.cost_so_far >= at->cost_so_far);
  assert(next.uncovered >= 0 && next.uncovered <= at->uncovered);
  return next;
}

/* Keeps the rule of the node as the best that the worker found, and goes on with its loss as the
 * target. Nodes do not know the limit on complexity: a rule above it is none. */
static void keep_rule(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  if (s->task->found) {
    s->is_cut = s->task->found(s->task->user, s->path, at->n);
    return;
  }
  if (at->n + at->literals > s->learner->settings.max_complexity) return;
  assert(irl_rule_bnb_loss(at) < s->target && at->n <= s->learner->settings.K);
  s->n_found = at->n;
  s->target = irl_rule_bnb_loss(at);
  memcpy(s->found, s->path, at->n * sizeof *s->found);
}

/* Is the choice of the node itself a rule that is sought? */
static bool is_sought(const irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_learner *learner = s->learner;
  /* Limits on cases and controls count samples, which are not merged then. */
  const int64_t most = s->merged->weight[0] * (int64_t)(s->data->n_cases - learner->min_cases);
  return irl_rule_bnb_loss(at) < s->target && (!learner->min_cases || at->uncovered <= most) &&
         at->controls <= learner->max_controls && at->literals <= learner->settings.max_literals;
}

/* The node as a line of a certificate, with its number of children. */
static void put_line(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_rule_bnb_level *here = &s->levels[at->n];
  irl_text *text = &s->text->text;
  s->text->n_lines++;
  irl_text_printf(text, "%u", at->n);
  if (at->n) irl_rule_bnb_put_literals(text, s->path[at->n - 1].literals, s->path[at->n - 1].n);
  irl_text_printf(text, " branch %s %zu\n", here->is_cover ? "cover" : "value",
                  at->n + 1 < s->learner->settings.K ? here->n_order : 0);
}

irl_status irl_rule_bnb_open(irl_rule_bnb *s, uint32_t depth) {
  irl_rule_bnb_level *here = &s->levels[depth];
  const irl_rule_bnb_node *at = &here->node;
  assert(at->n == depth && depth <= s->learner->settings.K);
  assert(at->uncovered == irl_merged_weigh(s->merged, 0, here->cases));
  here->n_order = here->clauses.n = 0;
  here->n_closed = s->closed.n;
  if (is_sought(s, at)) keep_rule(s, at);
  if (depth == s->learner->settings.K) return IRL_STATUS_OK;
  s->nodes++;
  irl_status status = enumerate_children(s, at);
  if (status || s->is_cut) return status;
  charge_clauses(s, at);
  if (here->clauses.n) status = irl_rule_bnb_sort(s, here);
  if (!status && here->n_order)
    status =
        s->task->found ? irl_rule_bnb_drop_repeated(s, at) : irl_rule_bnb_drop_dominated(s, at);
  if (!status && s->text) put_line(s, at);
  return status;
}

bool irl_rule_bnb_descend(irl_rule_bnb *s, uint32_t depth, size_t i) {
  const irl_rule_bnb_level *here = &s->levels[depth];
  irl_clause *clause = &s->path[depth];
  assert(i < here->n_order && here->node.n == depth);
  assert(!i || here->clauses.values[here->order[i]] <= here->clauses.values[here->order[i - 1]]);
  if (irl_rule_bnb_open_bound(s, depth, i) >= s->target) return false;
  irl_clause_array_get(&here->clauses, here->order[i], clause);
  s->levels[depth + 1].node = make_child(s, &here->node, clause);
  return true;
}
