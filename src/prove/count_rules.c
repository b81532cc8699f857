/* How many rules have at most a given loss, whether or not everything in them matters.
 *
 * A clause is a set of 1 to M literals, no two of a feature or of a group; a rule is a set of at
 * most K clauses. Two clauses are two, also where they cover the same samples: what is counted are
 * sets of distinct clauses, the rule without clauses among them. All clauses are listed first.
 *
 * The tree: a node is a rule, its children add one of the clauses that come later in the list, so
 * every rule is met once. Let u be the cases that a node leaves out, and t its further clauses.
 *
 * Lemma 12 (method.md). A rule below the child by clause c, with t more clauses, pays for the
 * controls of the child, for the clauses of the child and t times what the cheapest clause costs;
 * and it leaves out at least u - n(c) - (the t largest n) cases, where n counts the new cases of a
 * clause at the node, since at the child no clause has more of them, and a union no more than their
 * sum. So it is above the loss that is asked for if this sum is, for each t up to the clauses that
 * are left. A clause whose controls and costs alone are too much at a node is so at all nodes below
 * it.
 *
 * Integers throughout; one thread; work is counted. */
#include "base/memory.h"
#include "prove/optimal_rules.h"
#include "rule/literal_columns.h"

#define MOST_CLAUSES ((size_t)1 << 20) /* that are listed, */
#define MOST_SEEN    ((size_t)1 << 26) /* that are looked at for that, */
#define MOST_BYTES   ((size_t)1 << 28) /* and the bytes of their covers */

/* The cheapest and largest further clauses of a node. */
typedef struct outlook {
  uint64_t most[IRL_MAX_K + 1]; /* new cases of the t clauses that have most, together */
} outlook;

/* What a rule covers. Controls are paid for once, under the Hamming loss for each clause. */
typedef struct covered {
  uint64_t cases, controls, paid;
} covered;

/* A rule on the way. */
typedef struct node {
  uint32_t n;                 /* clauses */
  uint64_t *cases, *controls; /* not covered; */
  covered counts;             /* the others */
  uint64_t literals;          /* of all clauses */
  int64_t cost;               /* of the clauses themselves */
} node;

typedef struct counter {
  irl_search *search;
  irl_rule_count *found;
  int64_t most, least_cost; /* loss asked for; of a clause */
  size_t n_seen;            /* clauses that were looked at, */
  size_t n, capacity;       /* and those that rules may have: */
  irl_literal *literals;    /* M each */
  uint32_t *sizes;
  uint64_t *covers; /* cases, then controls */
  size_t covers_capacity, stride;
  uint32_t *on_path; /* per literal: clauses of the node that have it */
  uint32_t path[IRL_MAX_K];
  uint64_t *live;             /* K + 1 covers: what the node and those above it leave */
  uint32_t *lists[IRL_MAX_K]; /* clauses to choose from at each depth, */
  covered *gains;             /* and what each adds there: n per depth */
  bool is_cut;
} counter;

void irl_rule_count_free(irl_rule_count *count) {
  if (count->allocator.resize) irl_mem_free(&count->allocator, count->literals);
  *count = (irl_rule_count){0};
}

static size_t case_words(const counter *c) {
  return c->search->problem->data->cases.stride;
}

static const irl_literal *literals_of(const counter *c, uint32_t clause) {
  return c->literals + (size_t)clause * c->search->problem->M;
}

static uint64_t *cases_of(const counter *c, uint32_t clause) {
  return c->covers + (size_t)clause * c->stride;
}

/* ---- the clauses ---- */

/* Do controls and costs alone forbid a rule and all that have more clauses? */
static bool is_over(const counter *c, const covered *counts, int64_t cost) {
  const irl_search *search = c->search;
  return counts->controls > search->problem->max_controls ||
         cost + search->problem->control_weight * (int64_t)counts->paid > c->most;
}

/* The counts of a node with what a clause adds. */
static covered add(const covered *a, const covered *b) {
  return (covered){a->cases + b->cases, a->controls + b->controls, a->paid + b->paid};
}

/* Room for one more cover, aligned as kernels want it. */
static bool reserve_cover(counter *c) {
  const irl_allocator *allocator = &c->search->env->allocator;
  const size_t capacity = 2 * c->covers_capacity + 16;
  if (c->n < c->covers_capacity) return true;
  uint64_t *covers = irl_mem_alloc_aligned(allocator, capacity * c->stride, sizeof *covers);
  if (!covers) return false;
  if (c->n) memcpy(covers, c->covers, c->n * c->stride * sizeof *covers);
  irl_mem_free_aligned(allocator, c->covers);
  c->covers = covers;
  c->covers_capacity = capacity;
  return true;
}

/* Adds a clause if a rule with it may be within the loss; false: out of memory or too many. */
static bool add_clause(counter *c, const irl_literal *literals, uint32_t n) {
  const irl_search *search = c->search;
  const irl_data *data = search->problem->data;
  const size_t M = search->problem->M;
  const irl_allocator *allocator = &search->env->allocator;
  size_t sizes_capacity = c->capacity, literals_capacity = c->capacity;
  if (c->n_seen++ == MOST_SEEN || c->n == MOST_CLAUSES ||
      (c->n + 1) * c->stride * sizeof(uint64_t) > MOST_BYTES) {
    c->found->none_since = "there are too many clauses to list them";
    return false;
  }
  if (!irl_mem_reserve(allocator, &c->sizes, &sizes_capacity, c->n, sizeof *c->sizes) ||
      !irl_mem_reserve(allocator, &c->literals, &literals_capacity, c->n,
                       M * sizeof *c->literals) ||
      !reserve_cover(c))
    return false;
  c->capacity = sizes_capacity;
  assert(literals_capacity == sizes_capacity);
  uint64_t *cover = c->live; /* which is not yet used, and aligned as kernels want it */
  irl_literals_cover(data, false, literals, n, cover);
  irl_literals_cover(data, true, literals, n, cover + case_words(c));
  const uint64_t controls = irl_data_weigh(data, 1, cover + case_words(c));
  const covered alone = {.controls = controls, .paid = controls};
  c->search->work += n * c->stride;
  if (!irl_problem_allows_size(search->problem, 1, n) ||
      is_over(c, &alone, irl_problem_cost(search->problem, n)))
    return true;
  memcpy(c->literals + c->n * M, literals, n * sizeof *literals);
  memcpy(cases_of(c, (uint32_t)c->n), cover, c->stride * sizeof *cover);
  c->sizes[c->n++] = n;
  return true;
}

static bool may_meet(const irl_data *data, irl_literal a, irl_literal b) {
  const uint32_t x = irl_literal_feature(a), y = irl_literal_feature(b);
  return x != y && !(data->groups && data->groups[x] && data->groups[x] == data->groups[y]);
}

/* All clauses that go on from these literals, in the order of their literals. */
static bool list_clauses(counter *c, irl_literal *chosen, uint32_t n) {
  const irl_search *search = c->search;
  const irl_data *data = search->problem->data;
  const bool is_both = search->problem->negations && irl_data_may_negate(data);
  for (irl_literal l = n ? chosen[n - 1] + 1 : 0; l < 2 * data->n_features; l++) {
    bool is_free = is_both || !irl_literal_is_negated(l);
    for (uint32_t i = 0; i < n && is_free; i++) is_free = may_meet(data, chosen[i], l);
    if (!is_free) continue;
    if (irl_limit_reached(&search->limit, search->work)) c->is_cut = true;
    if (c->is_cut) return true;
    chosen[n] = l;
    if (!add_clause(c, chosen, n + 1)) return false;
    if (n + 1 < search->problem->M && !list_clauses(c, chosen, n + 1)) return false;
  }
  return true;
}

/* ---- the rules ---- */

/* One more rule: that of the node with this clause. */
static void credit(counter *c, uint32_t clause) {
  const irl_literal *literals = literals_of(c, clause);
  c->found->n++;
  for (uint32_t i = 0; i < c->sizes[clause]; i++)
    if (!c->on_path[literals[i]]) c->found->literals[literals[i]]++;
}

/* So many rules more that have all clauses of the node. */
static void credit_path(counter *c, uint32_t n, uint64_t n_rules) {
  for (uint32_t k = 0; k < n; k++) {
    const irl_literal *literals = literals_of(c, c->path[k]);
    for (uint32_t i = 0; i < c->sizes[c->path[k]]; i++) {
      bool is_first = true;
      for (uint32_t j = 0; j < k; j++)
        for (uint32_t m = 0; m < c->sizes[c->path[j]]; m++)
          is_first &= literals_of(c, c->path[j])[m] != literals[i];
      if (is_first) c->found->literals[literals[i]] += n_rules;
    }
  }
}

/* What each clause of the list adds to the node, and the largest numbers of new cases. */
static void look_out(counter *c, const node *at, const uint32_t *list, uint32_t n_list,
                     covered *gains, outlook *out) {
  const irl_data *data = c->search->problem->data;
  const uint32_t left = c->search->problem->K - at->n;
  uint64_t top[IRL_MAX_K] = {0};
  for (uint32_t i = 0; i < n_list; i++) {
    const uint64_t *cover = cases_of(c, list[i]);
    const uint64_t *controls = cover + case_words(c);
    gains[i].cases = irl_data_weigh_both(data, 0, cover, at->cases);
    gains[i].controls = irl_data_weigh_both(data, 1, controls, at->controls);
    gains[i].paid = irl_problem_shares_controls(c->search->problem)
                        ? gains[i].controls
                        : irl_data_weigh(data, 1, controls);
    uint64_t gain = gains[i].cases;
    for (uint32_t t = 0; t < left; t++)
      if (gain > top[t]) IRL_SWAP(gain, top[t]);
  }
  c->search->work += n_list * c->stride;
  out->most[0] = 0;
  for (uint32_t t = 0; t < left; t++) out->most[t + 1] = out->most[t] + top[t];
}

/* May a rule of so many cases, or with up to `left` clauses more, be within loss and limits?
 * `cost`: of its clauses and controls. */
static bool may_be_within(const counter *c, const outlook *out, uint64_t n_cases, int64_t cost,
                          uint32_t left) {
  const irl_search *search = c->search;
  const uint64_t all = irl_data_total(search->problem->data, 0);
  for (uint32_t t = left > 0; t <= left; t++) {
    uint64_t reached = n_cases + out->most[t];
    if (reached > all) reached = all;
    const int64_t lost = search->problem->case_weight * (int64_t)(all - reached);
    if (reached >= search->problem->min_cases && cost + t * c->least_cost + lost <= c->most)
      return true;
  }
  return false;
}

static void visit(counter *c, const node *at, uint32_t n_list);

/* The child by clause `i` of the node's list, with the clauses behind it. */
static void descend(counter *c, const node *at, uint32_t i, uint32_t n_list) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_data *data = c->search->problem->data;
  const uint32_t clause = c->lists[at->n][i];
  const covered *gains = c->gains + c->n * at->n;
  const uint64_t *cover = cases_of(c, clause);
  node child = {.n = at->n + 1, .cases = at->cases + c->stride};
  child.controls = child.cases + case_words(c);
  kernels->andnot_into(child.cases, at->cases, cover, data->cases.stride);
  kernels->andnot_into(child.controls, at->controls, cover + case_words(c), data->controls.stride);
  child.counts = add(&at->counts, &gains[i]);
  child.literals = at->literals + c->sizes[clause];
  child.cost = at->cost + irl_problem_cost(c->search->problem, c->sizes[clause]);
  assert(child.counts.cases + irl_data_weigh(data, 0, child.cases) == irl_data_total(data, 0));
  uint32_t n = 0;
  for (uint32_t j = i + 1; j < n_list; j++) {
    const uint32_t other = c->lists[at->n][j];
    const covered both = add(&at->counts, &gains[j]);
    if (!is_over(c, &both, child.cost + irl_problem_cost(c->search->problem, c->sizes[other])))
      c->lists[child.n][n++] = other;
  }
  c->path[at->n] = clause;
  for (uint32_t l = 0; l < c->sizes[clause]; l++) c->on_path[literals_of(c, clause)[l]]++;
  visit(c, &child, n);
  for (uint32_t l = 0; l < c->sizes[clause]; l++) c->on_path[literals_of(c, clause)[l]]--;
}

/* All rules that add clauses of its list to the node. */
static void visit(counter *c, const node *at, uint32_t n_list) {
  const irl_problem *problem = c->search->problem;
  const uint32_t *list = c->lists[at->n], left = problem->K - at->n;
  covered *gains = c->gains + c->n * at->n;
  uint64_t n_rules = 0;
  outlook out;
  assert(left);
  c->is_cut = c->is_cut || irl_limit_reached(&c->search->limit, c->search->work);
  if (c->is_cut || !n_list) return;
  look_out(c, at, list, n_list, gains, &out);
  for (uint32_t i = 0; i < n_list && !c->is_cut; i++) {
    const uint32_t clause = list[i];
    const covered counts = add(&at->counts, &gains[i]);
    const int64_t own = at->cost + irl_problem_cost(c->search->problem, c->sizes[clause]);
    const int64_t cost = own + problem->control_weight * (int64_t)counts.paid;
    const uint64_t n_literals = at->literals + c->sizes[clause];
    if (is_over(c, &counts, own) || !irl_problem_allows_size(problem, at->n + 1, n_literals))
      continue;
    if (may_be_within(c, &out, counts.cases, cost, 0)) {
      credit(c, clause);
      n_rules++;
    }
    if (left > 1 && may_be_within(c, &out, counts.cases, cost, left - 1)) descend(c, at, i, n_list);
  }
  credit_path(c, at->n, n_rules);
}

/* ---- the whole ---- */

static bool prepare(counter *c) {
  const irl_allocator *allocator = &c->search->env->allocator;
  const uint32_t K = c->search->problem->K;
  const size_t n_literals = 2 * (size_t)c->search->problem->data->n_features;
  bool done = true;
  c->on_path = irl_mem_alloc(allocator, n_literals, sizeof *c->on_path);
  c->gains = irl_mem_alloc(allocator, c->n * K, sizeof *c->gains);
  for (uint32_t k = 0; k < K && done; k++) {
    c->lists[k] = irl_mem_alloc(allocator, c->n, sizeof **c->lists);
    done = c->lists[k];
  }
  for (uint32_t i = 0; i < c->n && done; i++) c->lists[0][i] = i;
  return done && c->on_path && c->gains;
}

static irl_status count(counter *c) {
  irl_search *search = c->search;
  irl_env *env = search->env;
  const irl_data *data = search->problem->data;
  irl_literal chosen[IRL_CLAUSE_MAX];
  c->found->literals = irl_mem_alloc(&env->allocator, 2 * (size_t)search->problem->data->n_features,
                                     sizeof *c->found->literals);
  c->live =
      irl_mem_alloc_aligned(&env->allocator, (search->problem->K + 1) * c->stride, sizeof *c->live);
  if (!c->found->literals || !c->live) return irl_fail_memory(env);
  const bool is_listed = list_clauses(c, chosen, 0);
  c->found->n_clauses = c->n;
  if (c->found->none_since) return IRL_STATUS_OK;
  if (!is_listed || !prepare(c)) return irl_fail_memory(env);
  node root = {.cases = c->live};
  root.controls = root.cases + case_words(c);
  irl_bits_fill(root.cases, data->n_cases, data->cases.stride);
  irl_bits_fill(root.controls, data->n_controls, data->controls.stride);
  const outlook none = {{0}};
  c->found->n = may_be_within(c, &none, 0, 0, 0); /* the rule without clauses */
  visit(c, &root, (uint32_t)c->n);
  c->found->is_complete = !c->is_cut;
  return IRL_STATUS_OK;
}

irl_status irl_prove_count_rules(irl_search *search, int64_t most, irl_rule_count *out) {
  const irl_data *data = search->problem->data;
  const irl_allocator *allocator = &search->env->allocator;
  irl_rule_count found = {.allocator = *allocator, .most = most};
  counter c = {.search = search, .found = &found, .most = most};
  irl_status status = irl_data_check_whole(search->env, data);
  c.stride = data->cases.stride + data->controls.stride;
  c.least_cost = irl_problem_cost(search->problem, 1);
  if (!status) status = count(&c);
  for (uint32_t k = 0; k < search->problem->K; k++) irl_mem_free(allocator, c.lists[k]);
  irl_mem_free(allocator, c.literals);
  irl_mem_free(allocator, c.sizes);
  irl_mem_free_aligned(allocator, c.covers);
  irl_mem_free(allocator, c.on_path);
  irl_mem_free(allocator, c.gains);
  irl_mem_free_aligned(allocator, c.live);
  if (status)
    irl_rule_count_free(&found);
  else
    *out = found;
  return status;
}
