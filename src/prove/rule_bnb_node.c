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
 * Sizes. Where literals are limited or cost, a long clause has few others beside it, and its cases
 * count as often as there may be such (rule_sizes.c): lists of long clauses are short. A node may
 * branch on all clauses of few literals for that, which come first.
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
#include <math.h>

/* ---- the clauses of a node ---- */

/* Clauses of a node that are listed together: of so many literals, with values that count the cases
 * so many times. */
typedef struct clause_class {
  uint32_t least, most; /* literals */
  uint32_t count;       /* clauses that may follow beside such a one, and itself */
  bool is_small;        /* all of them are children */
} clause_class;

/* The weight of the cases that a rule may leave uncovered: a limit on them is there only where
 * samples are not merged. */
static int64_t most_uncovered(const irl_rule_bnb *s) {
  const irl_problem *problem = s->search->problem;
  return s->merged->common[0] * (int64_t)(irl_data_total(problem->data, 0) - problem->min_cases);
}

/* Of samples that are not merged. */
static int64_t heaviest_case(const irl_rule_bnb *s) {
  return s->merged->weights[0] ? s->merged->common[0] * s->data->weights[0].most
                               : s->merged->weight[0];
}

const uint64_t *irl_rule_bnb_unpaid(const irl_rule_bnb *s, uint32_t depth) {
  return s->levels[irl_problem_shares_controls(s->search->problem) ? depth : 0].controls;
}

/* What the clauses of a class must have; false: no clause can. */
static bool make_thresholds(const irl_rule_bnb *s, const irl_rule_bnb_node *at,
                            const clause_class *class, irl_clause_thresholds *wanted) {
  const irl_problem *problem = s->search->problem;
  const irl_data *data = s->data;
  const int64_t left = problem->K - at->n, count = class->count;
  const int64_t budget = s->target - 1 - at->cost_so_far; /* that may still be paid or lost */
  const int64_t required_gain = irl_rule_bnb_loss(at) - (s->target - 1);
  assert(left > 0 && count > 0 && count <= left);
  assert(s->merged->weight[0] > 0 && s->merged->weight[1] > 0);
  if (budget < 0 || at->controls > s->search->problem->max_controls) return false;
  int64_t max_controls = budget / s->merged->weight[1];
  const int64_t allowed = (int64_t)(s->search->problem->max_controls - at->controls);
  if (irl_problem_shares_controls(problem) && allowed < max_controls) max_controls = allowed;
  *wanted = (irl_clause_thresholds){
      .min_cases = 1,
      .max_controls = max_controls < data->n_controls ? (uint32_t)max_controls : data->n_controls,
      .min_value = required_gain > 0 || left == 1 ? required_gain : IRL_CLAUSE_ANY_VALUE};
  if (class->is_small) {
    wanted->min_value = IRL_CLAUSE_ANY_VALUE;
    return true;
  }
  if ((required_gain <= 0 || left == 1) && !s->merged->own) { /* cases that may stay uncovered */
    const int64_t most = most_uncovered(s);
    const int64_t missing = at->uncovered - (budget < most ? budget : most);
    const int64_t each = count * heaviest_case(s);
    if (missing > each) wanted->min_cases = (uint32_t)((missing + each - 1) / each);
  }
  /* Rules with q < left further clauses are wanted too. Their values sum up to q * required_gain
   * and (left - q) times what their cases are worth, which is not negative; or times that less what
   * the clauses cost, which is no less than the required gain. */
  if (s->task->found) {
    const bool costs = !irl_problem_shares_controls(problem) || problem->penalty;
    assert(count == left);
    wanted->min_cases = 1;
    wanted->min_value = required_gain < 0 && costs ? left * required_gain : required_gain;
  }
  /* Every clause pays for itself: for the fewest literals of the class at least. */
  if (wanted->min_value > IRL_CLAUSE_ANY_VALUE)
    wanted->min_value += count * irl_problem_cost(s->search->problem, class->least);
  return true;
}

/* Of the clauses from `first` on only those of the class stay. Their values lose what each costs by
 * itself, and those that fall below the threshold are dropped. */
static void charge_clauses(const irl_rule_bnb *s, irl_clause_array *list, size_t first,
                           const clause_class *class, const irl_clause_thresholds *wanted) {
  const int64_t least_cost = irl_problem_cost(s->search->problem, class->least);
  size_t n = first;
  for (size_t i = first; i < list->n; i++) {
    const uint32_t size = list->sizes[i];
    const int64_t cost = irl_problem_cost(s->search->problem, size);
    if (size < class->least || size > class->most ||
        list->values[i] - class->count * (cost - least_cost) < wanted->min_value)
      continue;
    list->values[n] = list->values[i] - class->count * cost;
    list->cases[n] = list->cases[i];
    list->controls[n] = list->controls[i];
    list->sizes[n] = size;
    memmove(list->literals + n * list->max_size, list->literals + i * list->max_size,
            size * sizeof *list->literals);
    n++;
  }
  assert(n <= list->n);
  list->n = n;
}

/* Adds the clauses of a class to the list. */
static irl_status list_class(irl_rule_bnb *s, const irl_rule_bnb_node *at,
                             const clause_class *class, irl_clause_array *list) {
  const irl_search *search = s->search;
  irl_rule_bnb_level *here = &s->levels[at->n];
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_thresholds thresholds;
  const size_t first = list->n;
  if (!make_thresholds(s, at, class, &thresholds)) return IRL_STATUS_OK;
  if (class->count * at->uncovered < thresholds.min_value) return IRL_STATUS_OK;
  const uint32_t control_count = irl_problem_shares_controls(search->problem) ? 1 : class->count;
  int64_t *scaled = here->scaled, *controls = scaled ? scaled + s->data->n_cases : NULL;
  for (uint32_t k = 0; scaled && k < s->data->n_cases; k++)
    scaled[k] = class->count * s->merged->weights[0][k];
  for (uint32_t k = 0; scaled && k < s->data->n_controls; k++)
    controls[k] = control_count * s->merged->weights[1][k];
  irl_clause_problem_init(&problem, s->data);
  problem.live_cases = here->cases;
  problem.live_controls = irl_rule_bnb_unpaid(s, at->n);
  problem.case_weight = class->count * s->merged->weight[0];
  problem.control_weight = control_count * s->merged->weight[1];
  problem.case_weights = scaled;
  problem.control_weights = controls;
  problem.budget = IRL_CLAUSE_NO_LIMIT;
  problem.max_size = class->most;
  problem.negations = search->problem->negations;
  problem.keeps_all = irl_problem_counts_literals(search->problem) || s->task->found;
  problem.groups = search->problem->data->groups;
  irl_status status = irl_clause_model_init(s->env, &model, &problem);
  if (status) return status;
  const irl_limit part = irl_limit_left(&s->limit, s->work);
  s->work += model.work;
  s->is_divided = s->is_divided || model.comm;
  status =
      irl_clause_enumerate_all(&(irl_clause_search){s->env, &model, &part, s->threads, &s->work},
                               &thresholds, s->task->cap, list, &s->ending);
  assert(!s->ending || list->n <= s->task->cap);
  irl_clause_model_free(&model);
  charge_clauses(s, list, first, class, &thresholds);
  return status;
}

/* How often the value of a clause of that size counts its cases; 0: no such clause fits. Where all
 * rules below a loss are wanted, as often as there are clauses left. */
static uint32_t count_of(const irl_rule_bnb *s, const irl_rule_room *room, uint32_t size,
                         uint32_t small) {
  const uint32_t count = irl_rule_room_count(room, size, small);
  const bool is_plain = size <= small || s->task->found || s->task->ignores_sizes;
  return count && is_plain ? (uint32_t)room->clauses : count;
}

/* Lists the clauses of a node, where all of at most `small` literals are its children, class by
 * class: those of sizes whose values count as often. Where clauses of some sizes are all closed,
 * those are left out; by cover they are listed, and dropped one by one. */
static irl_status list_clauses(irl_rule_bnb *s, const irl_rule_bnb_node *at,
                               const irl_rule_room *room, uint32_t small, irl_clause_array *list) {
  const uint32_t M = s->search->problem->M;
  const uint32_t closed = s->levels[at->n].is_cover ? 0 : at->closed_size;
  irl_status status = IRL_STATUS_OK;
  assert(closed <= small);
  list->n = 0;
  for (uint32_t size = closed + 1, next; size <= M && !status && !s->ending; size = next) {
    const bool is_small = size <= small;
    const uint32_t count = count_of(s, room, size, small);
    if (!count) break;
    for (next = size + 1; next <= M && (next <= small) == is_small;) {
      if (count_of(s, room, next, small) != count) break;
      next++;
    }
    status = list_class(s, at, &(clause_class){size, next - 1, count, is_small}, list);
  }
  return status;
}

/* Is it worth a try to branch on all clauses of one more literal, where the children would take so
 * much work? Only values of a required gain lose by it. */
static bool may_raise_small(const irl_rule_bnb *s, const irl_rule_bnb_level *here,
                            const irl_rule_room *room, double work) {
  const uint32_t next = here->small + 1;
  return !here->is_cover && !s->task->found && !s->task->ignores_sizes && room->clauses > 1 &&
         room->literals != UINT64_MAX && 2 * (uint64_t)next <= room->literals &&
         next < s->search->problem->M && irl_rule_room_work_of_all(s, room, next) < work;
}

/* Lists the clauses of a node, and says what its children will take; INFINITY: there are more
 * clauses than the cap. */
static irl_status try_small(irl_rule_bnb *s, const irl_rule_bnb_node *at, uint32_t small,
                            irl_clause_array *list, double *work) {
  const irl_rule_room room = irl_rule_room_left(s, at);
  const irl_status status = list_clauses(s, at, &room, small, list);
  *work = s->ending == IRL_ENDED_BY_CAP ? INFINITY : irl_rule_room_work(s, &room, list);
  return status;
}

/* Up to how many literals all clauses are children to begin with: those that are closed anyway. */
static uint32_t first_small(const irl_rule_bnb *s, const irl_rule_bnb_level *here) {
  const uint32_t closed = here->node.closed_size, asked = s->task->least_small;
  const uint32_t M = s->search->problem->M, most = asked < M ? asked : M;
  if (here->is_cover || s->task->found) return 0;
  return closed > most ? closed : most;
}

/* Enumerates the clauses one of which a better rule must add. All clauses of one more literal are
 * taken in as long as the rest becomes so much shorter that less work is left, or short enough. */
static irl_status enumerate_children(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  irl_rule_bnb_level *here = &s->levels[at->n];
  const irl_rule_room room = irl_rule_room_left(s, at);
  double work, other;
  assert(s->ending != IRL_ENDED_BY_CAP);
  here->base = irl_rule_bnb_loss(at);
  here->is_cover = irl_rule_bnb_loss(at) < s->target && !s->task->found;
  here->small = first_small(s, here);
  irl_status status = try_small(s, at, here->small, &here->clauses, &work);
  while (!status && (!s->ending || s->ending == IRL_ENDED_BY_CAP) &&
         may_raise_small(s, here, &room, work)) {
    s->ending = IRL_ENDED;
    status = try_small(s, at, here->small + 1, &s->other, &other);
    if (other >= work && work < INFINITY) { /* the list that is there will do */
      if (s->ending == IRL_ENDED_BY_CAP) s->ending = IRL_ENDED;
      break;
    }
    const irl_clause_array better = s->other;
    s->other = here->clauses;
    here->clauses = better;
    here->small++;
    work = other;
  }
  return status;
}

/* ---- nodes ---- */

void irl_rule_bnb_put_literals(irl_text *text, const irl_literal *literals, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    irl_text_printf(text, " %s%u", irl_literal_is_negated(literals[i]) ? "!" : "",
                    irl_literal_feature(literals[i]) + 1);
}

/* No rule of a child with a clause of that value and size, or of a later one, has less loss. */
static int64_t child_bound(const irl_rule_bnb *s, const irl_rule_bnb_level *at, int64_t value,
                           uint32_t size) {
  const int64_t bound = at->base - value;
  const bool is_bound = !at->is_cover && !s->task->found && size > at->small;
  return is_bound && bound > at->node.bound ? bound : at->node.bound;
}

int64_t irl_rule_bnb_open_bound(const irl_rule_bnb *s, uint32_t depth, size_t i) {
  const irl_rule_bnb_level *at = &s->levels[depth];
  assert(i < at->n_order);
  return child_bound(s, at, at->clauses.values[at->order[i]], at->clauses.sizes[at->order[i]]);
}

/* Small clauses come before all others, shorter ones first: below a child of n literals those of at
 * most so many are closed. */
static uint32_t closed_size_of(const irl_rule_bnb_level *at, uint32_t n) {
  const uint32_t closed = n > at->small ? at->small : n - 1;
  assert(n);
  return closed > at->node.closed_size ? closed : at->node.closed_size;
}

/* The child with one more clause; what the clause covers is no longer live. */
static irl_rule_bnb_node make_child(const irl_rule_bnb *s, const irl_rule_bnb_node *at,
                                    const irl_clause *clause) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = s->data;
  const irl_rule_bnb_level *from = &s->levels[at->n], *to = &s->levels[at->n + 1];
  irl_rule_bnb_cover(data, false, clause, from->cases, to->cases);
  irl_rule_bnb_cover(data, true, clause, irl_rule_bnb_unpaid(s, at->n), to->controls);
  const int64_t cost = irl_merged_weigh(s->merged, 1, to->controls);
  kernels->and_into(to->controls, to->controls, from->controls, data->controls.stride);
  irl_rule_bnb_node next = {.n = at->n + 1,
                            .cost_so_far = at->cost_so_far + cost +
                                           irl_problem_cost(s->search->problem, clause->n),
                            .controls = at->controls + irl_data_weigh(data, 1, to->controls),
                            .literals = at->literals + clause->n,
                            .closed_size = closed_size_of(from, clause->n),
                            .bound = child_bound(s, from, clause->value, clause->n)};
  kernels->andnot_into(to->cases, from->cases, to->cases, data->cases.stride);
  kernels->andnot_into(to->controls, from->controls, to->controls, data->controls.stride);
  next.uncovered = irl_merged_weigh(s->merged, 0, to->cases);
  assert(next.bound >= at->bound && next.cost_so_far >= at->cost_so_far);
  assert(next.uncovered >= 0 && next.uncovered <= at->uncovered);
  return next;
}

/* Keeps the rule of the node as the best that the worker found; its loss is the target from now on,
 * if that was not lower. */
static void keep_rule(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  if (s->task->found) {
    if (s->task->found(s->task->user, s->path, at->n)) s->ending = IRL_ENDED_BY_LIMIT;
    return;
  }
  assert(irl_rule_bnb_loss(at) < s->best && at->n <= s->search->problem->K);
  s->n_found = at->n;
  s->best = irl_rule_bnb_loss(at);
  if (s->best < s->target) s->target = s->best;
  memcpy(s->found, s->path, at->n * sizeof *s->found);
}

/* Is the choice of the node itself a rule that is sought? */
static bool is_sought(const irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_search *search = s->search;
  return irl_rule_bnb_loss(at) < (s->task->found ? s->target : s->best) &&
         (!search->problem->min_cases || at->uncovered <= most_uncovered(s)) &&
         at->controls <= search->problem->max_controls &&
         irl_problem_allows_size(search->problem, at->n, at->literals);
}

/* The node as a line of a certificate, with its number of children. */
static void put_line(irl_rule_bnb *s, const irl_rule_bnb_node *at) {
  const irl_rule_bnb_level *here = &s->levels[at->n];
  irl_text *text = &s->text->text;
  s->text->n_lines++;
  irl_text_printf(text, "%u", at->n);
  if (at->n) irl_rule_bnb_put_literals(text, s->path[at->n - 1].literals, s->path[at->n - 1].n);
  const size_t n = at->n + 1 < s->search->problem->K ? here->n_order : 0;
  if (here->small)
    irl_text_printf(text, " branch size %u %zu\n", here->small, n);
  else
    irl_text_printf(text, " branch %s %zu\n", here->is_cover ? "cover" : "value", n);
}

irl_status irl_rule_bnb_open(irl_rule_bnb *s, uint32_t depth) {
  irl_rule_bnb_level *here = &s->levels[depth];
  const irl_rule_bnb_node *at = &here->node;
  assert(at->n == depth && depth <= s->search->problem->K);
  assert(at->uncovered == irl_merged_weigh(s->merged, 0, here->cases));
  here->n_order = here->clauses.n = 0;
  here->n_closed = s->closed.n;
  if (is_sought(s, at)) keep_rule(s, at);
  if (depth == s->search->problem->K) return IRL_STATUS_OK;
  s->nodes++;
  irl_status status = IRL_STATUS_OK;
  here->is_listed = here->is_cover = false;
  here->small = 0;
  if (s->listed) status = irl_listed_open(s, depth, &here->is_listed);
  if (!status && !here->is_listed) status = enumerate_children(s, at);
  if (status || s->ending) return status;
  if (here->clauses.n) status = irl_rule_bnb_sort(s, here);
  if (!status && here->n_order && !here->is_listed)
    status =
        s->task->found ? irl_rule_bnb_drop_repeated(s, at) : irl_rule_bnb_drop_dominated(s, at);
  if (!status && s->text) put_line(s, at);
  return status;
}

bool irl_rule_bnb_descend(irl_rule_bnb *s, uint32_t depth, size_t i) {
  const irl_rule_bnb_level *here = &s->levels[depth];
  irl_clause *clause = &s->path[depth];
  assert(i < here->n_order && here->node.n == depth);
  assert(!i || here->small ||
         here->clauses.values[here->order[i]] <= here->clauses.values[here->order[i - 1]]);
  if (irl_rule_bnb_open_bound(s, depth, i) >= s->target) return false;
  irl_clause_array_get(&here->clauses, here->order[i], clause);
  s->levels[depth + 1].node = make_child(s, &here->node, clause);
  return true;
}
