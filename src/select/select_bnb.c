/* Branch and bound over choices of clauses, with budget masks (select_mask.c).
 *
 * The candidates of a node stand by falling value under its multipliers. The one branched on is the
 * first of its choice, so the others come from behind it and no set is seen twice. A child is
 * closed as early as possible:
 *
 *   1. Under the multipliers of the parent, or those that closed one of the last siblings, does any
 *      later candidate have the value that the first of the rest needs? Only the prefix of the list
 *      with such values has to be weighed.
 *   2. The later candidates are listed with what they add to the child's choice. Masks are
 * tightened by plain values, then by the multipliers with which the last sibling ended.
 *   3. What is left gets columns of its own, multipliers are looked for, and the child is branched
 *      on, or its pairs are tried (select_pairs.c).
 *
 * The first clauses of a choice are the tasks of a search in rounds (select_solve.c); whatever a
 * task remembers of closed children it has met itself, so that tasks do not depend on threads. */
#include "search/top.h"
#include "select/select_search.h"

#define CHECK_INTERVAL ((uint64_t)1 << 20) /* words of work between looks at the clock */
#define LOOK_AHEAD     64u                 /* followers that are asked for the largest value */
/* Rounds of the search for multipliers: at the root, at nodes, at those with two clauses left; and
 * the candidates from which on they are worth it. */
#define ROOT_ROUNDS      40u
#define NODE_ROUNDS      40u
#define PAIR_ROUNDS      15u
#define FEW_ROUNDS       2u
#define FEW_CANDIDATES   30u
#define FEWER_CANDIDATES 100u

bool irl_select_limit_reached(irl_select_worker *w) {
  if (w->ending) return true;
  if (w->work < w->next_check && w->work < w->max_work) return false;
  w->next_check = w->work + CHECK_INTERVAL;
  if (w->work >= w->max_work || irl_limit_poll(w->limit)) w->ending = IRL_ENDED_BY_LIMIT;
  return w->ending;
}

void irl_select_accept(irl_select_worker *w, int64_t loss, const uint32_t *more, uint32_t n_more) {
  irl_select_choice *best = &w->best;
  assert(loss < w->to_beat && loss >= w->pool->lost);
  assert(w->path.n + n_more <= w->pool->problem->K);
  memcpy(best->k, w->path.k, w->path.n * sizeof *best->k);
  memcpy(best->k + w->path.n, more, n_more * sizeof *best->k);
  best->n = w->path.n + n_more;
  best->loss = w->to_beat = loss;
}

/* The choice so far and candidate i, if that is better and allowed. */
static void try_single(irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  const irl_select_pool *pool = w->pool;
  const int64_t loss =
      node->loss - irl_select_benefit(w, node, i) + pool->unit[1] * node->controls[i];
  assert(loss >= pool->lost && node->left);
  if (loss < w->to_beat && node->covered + node->cases[i] >= pool->case_units &&
      node->paid + node->controls[i] <= pool->control_units &&
      irl_problem_allows_size(pool->problem, pool->problem->K - node->left + 1,
                              node->literals + pool->size[node->clause[i]]))
    irl_select_accept(w, loss, &node->clause[i], 1);
}

/* ---- closing a child before it is made ---- */

/* The samples of a node that candidate i does not cover: cases, then controls. */
static void set_live(irl_select_worker *w, const irl_select_node *node, uint32_t i) {
  const uint64_t *column = node->columns + node->column[i] * node->stride;
  for (size_t word = 0; word < node->stride; word++) w->live[word] = ~column[word];
}

/* Bit planes without what is not live. */
static void mask_planes(uint64_t *to, const uint64_t *planes, uint32_t n_planes, size_t words,
                        const uint64_t *live) {
  for (uint32_t t = 0; t < n_planes; t++)
    for (size_t word = 0; word < words; word++)
      to[t * words + word] = planes[t * words + word] & live[word];
}

static int64_t weigh_planes(const uint64_t *planes, uint32_t n_planes, size_t words) {
  int64_t sum = 0;
  for (uint32_t t = 0; t < n_planes; t++) {
    int64_t count = 0;
    for (size_t word = 0; word < words; word++)
      count += __builtin_popcountll(planes[t * words + word]);
    sum += count << t;
  }
  return sum;
}

/* Multipliers as bit planes of the parent become those of the child, without what is not live, in
 * w->scratch. Returns the rest of the child's weights, in parts. */
static int64_t inherit_planes(irl_select_worker *w, const irl_select_node *parent,
                              const uint64_t *planes) {
  const irl_select_pool *pool = w->pool;
  const size_t words = parent->words[0];
  uint64_t *weights = w->scratch + pool->n_value_planes * words;
  mask_planes(w->scratch, planes, pool->n_value_planes, words, w->live);
  mask_planes(weights, parent->weights[0], pool->n_planes[0], words, w->live);
  const int64_t given = IRL_SELECT_PARTS * weigh_planes(weights, pool->n_planes[0], words) -
                        weigh_planes(w->scratch, pool->n_value_planes, words);
  assert(given >= 0);
  return pool->unit[0] * given;
}

/* Can none of the followers lead what is left to the child, under multipliers given as bit planes
 * of the parent? */
static bool is_closed_by(irl_select_worker *w, const irl_select_node *parent,
                         const irl_select_node *child, const uint64_t *planes,
                         const irl_select_followers *followers) {
  const irl_select_pool *pool = w->pool;
  const uint32_t n_planes = pool->n_value_planes;
  const int64_t given = inherit_planes(w, parent, planes);
  irl_select_followers leaders = *followers;
  int64_t least[64];
  w->work += (n_planes + pool->n_planes[0]) * parent->words[0];
  for (uint64_t left = followers->lead; left; left &= left - 1) {
    const unsigned bit = (unsigned)__builtin_ctzll(left);
    const int64_t needed = irl_select_needed(w, child, given, bit);
    least[bit] = needed > 0 ? (needed + child->left - 1) / child->left : needed;
  }
  /* What they are worth to the parent is no less. */
  if (planes == parent->planes) irl_select_cut_followers(parent, &leaders, least);
  for (irl_select_place place = {0}; irl_select_next(w, parent, &leaders, &place);) {
    irl_select_weigh_columns(w, parent, 0, w->scratch, n_planes, w->ids, place.n, w->sums);
    for (uint32_t i = 0; i < place.n; i++) {
      const int64_t value = pool->unit[0] * w->sums[i] -
                            IRL_SELECT_PARTS * irl_select_cost(pool, parent->clause[w->ids[i]]);
      /* What is needed grows with the budget. */
      if (value >= least[__builtin_ctzll(w->moved[i])]) return false;
    }
  }
  return true;
}

static bool is_closed_early(irl_select_worker *w, irl_select_node *parent,
                            const irl_select_node *child, const irl_select_followers *followers) {
  const size_t n = w->pool->n_value_planes * parent->words[0];
  if (is_closed_by(w, parent, child, parent->planes, followers)) return true;
  if (child->left < 3) return false;
  for (uint32_t c = 0; c < parent->n_closers; c++) {
    if (!is_closed_by(w, parent, child, parent->closers + c * n, followers)) continue;
    for (size_t i = 0; i < n && c; i++) { /* the one that closed comes first */
      const uint64_t word = parent->closers[c * n + i];
      parent->closers[c * n + i] = parent->closers[i];
      parent->closers[i] = word;
    }
    return true;
  }
  return false;
}

/* ---- making a child ---- */

void irl_select_drop_by_cases(const irl_select_pool *pool, irl_select_node *node) {
  const int64_t missing = pool->case_units - node->covered;
  irl_top most;
  uint32_t kept = 0;
  if (missing <= 0) return;
  irl_top_init(&most, node->left);
  for (uint32_t i = 0; i < node->n; i++) irl_top_put(&most, node->cases[i], i);
  const irl_top_total total = irl_top_add(&most);
  for (uint32_t i = 0; i < node->n && total.sum >= missing; i++) {
    if (irl_top_with(total, node->cases[i]) >= missing)
      irl_select_keep(node, kept++, i, node->mask[i]);
  }
  node->n = kept;
}

/* The followers with what they add to the child, as columns of the parent. */
static void list_candidates(irl_select_worker *w, const irl_select_node *parent,
                            irl_select_node *child, const irl_select_followers *followers) {
  const irl_select_pool *pool = w->pool;
  const size_t words = parent->words[0];
  const uint64_t max_size =
      irl_problem_literal_budget(pool->problem, pool->problem->K - child->left, child->literals);
  const bool is_limited = max_size < pool->task->clauses->max_size;
  const irl_select_range range = w->range;
  const int64_t paid = child->paid;
  uint64_t *cases = w->scratch, *controls = cases + pool->n_planes[0] * words;
  mask_planes(cases, parent->weights[0], pool->n_planes[0], words, w->live);
  mask_planes(controls, parent->weights[1], pool->n_planes[1], parent->words[1], w->live + words);
  child->n = 0;
  for (irl_select_place place = {0}; irl_select_next(w, parent, followers, &place);) {
    uint32_t n = child->n, n_left = 0;
    irl_select_weigh_columns(w, parent, 1, controls, pool->n_planes[1], w->ids, place.n,
                             w->more_sums);
    for (uint32_t i = 0; i < place.n; i++) { /* without branches */
      const int64_t sum = w->more_sums[i];
      const uint64_t mask = w->moved[i] & irl_select_from(&range, paid + sum);
      w->moved[n_left] = mask;
      w->more_sums[n_left] = sum;
      w->ids[n_left] = w->ids[i];
      n_left += mask != 0;
    }
    irl_select_weigh_columns(w, parent, 0, cases, pool->n_planes[0], w->ids, n_left, w->sums);
    for (uint32_t i = 0; i < n_left; i++) {
      const uint32_t k = parent->clause[w->ids[i]];
      child->mask[n] = w->moved[i];
      child->cases[n] = w->sums[i];
      child->controls[n] = w->more_sums[i];
      child->column[n] = w->ids[i];
      child->clause[n] = k;
      n += w->sums[i] > 0 && (!is_limited || pool->size[k] <= max_size);
    }
    child->n = n;
  }
}

/* Tightens by the multipliers with which the last sibling ended, before columns are made. */
static void tighten_by_hint(irl_select_worker *w, const irl_select_node *parent,
                            irl_select_node *child) {
  const irl_select_pool *pool = w->pool;
  irl_select_set_planes(w, parent, parent->hint, w->scratch);
  const int64_t given = inherit_planes(w, parent, w->scratch);
  irl_select_weigh_columns(w, parent, 0, w->scratch, pool->n_value_planes, child->column, child->n,
                           child->value);
  for (uint32_t i = 0; i < child->n; i++)
    child->value[i] = pool->unit[0] * child->value[i] -
                      IRL_SELECT_PARTS * irl_select_cost(pool, child->clause[i]);
  irl_select_tighten(w, child, given);
  irl_select_tighten(w, child, given);
}

/* What a child ended with is where its next sibling begins; if that closed it, it may close others
 * too. */
static void remember(irl_select_worker *w, irl_select_node *parent, const irl_select_node *child,
                     const uint64_t *used) {
  const size_t n = w->pool->n_value_planes * parent->words[0];
  uint32_t i = 0;
  for (size_t word = 0; word < parent->words[0]; word++)
    for (uint64_t left = used[word]; left; left &= left - 1)
      parent->hint[64 * word + (size_t)__builtin_ctzll(left)] = child->hint[i++];
  assert(i == child->n_samples[0]);
  if (child->n || child->left < 3) return;
  const uint32_t last =
      parent->n_closers < IRL_SELECT_CLOSERS ? parent->n_closers++ : IRL_SELECT_CLOSERS - 1;
  memmove(parent->closers + n, parent->closers, last * n * sizeof *parent->closers);
  irl_select_set_planes(w, parent, parent->hint, parent->closers);
}

/* Are so many candidates worth a search for multipliers? */
static bool is_worth_multipliers(const irl_select_worker *w, const irl_select_node *node,
                                 uint32_t few) {
  const unsigned rules = w->pool->task->rules;
  return node->left > 1 && !(rules & IRL_SELECT_WITHOUT_MULTIPLIERS) &&
         (node->n > few || (node->n && rules & IRL_SELECT_ALWAYS));
}

void irl_select_order(irl_select_worker *w, irl_select_node *node, bool is_root) {
  if (is_worth_multipliers(w, node, FEW_CANDIDATES))
    irl_select_find_multipliers(w, node,
                                is_root                      ? ROOT_ROUNDS
                                : node->left > 2             ? NODE_ROUNDS
                                : node->n > FEWER_CANDIDATES ? PAIR_ROUNDS
                                                             : FEW_ROUNDS);
  else { /* plain values, as they are */
    node->given = 0;
    for (uint32_t i = 0; i < node->n_samples[0]; i++) {
      node->fine[i] = node->hint[i] = IRL_SELECT_PARTS * IRL_SELECT_FINE;
      node->parts[i] = IRL_SELECT_PARTS;
    }
    irl_select_set_planes(w, node, node->fine, node->planes);
    for (uint32_t i = 0; i < node->n; i++)
      node->value[i] = IRL_SELECT_PARTS * irl_select_benefit(w, node, i);
  }
  if (node->n) irl_select_sort_by_value(w, node);
}

/* The node is made; its candidates have columns. */
static void expand(irl_select_worker *w, uint32_t depth) {
  irl_select_node *node = &w->nodes[depth];
  for (uint32_t i = 0; i < node->n && !irl_select_limit_reached(w); i++)
    if (!irl_select_branch(w, depth, i)) return;
}

/* The candidates that may follow number i, with the budgets with which it may lead (L3). */
static void find_followers(irl_select_worker *w, const irl_select_node *node, uint32_t i,
                           uint64_t lead, irl_select_followers *followers) {
  int64_t least[64];
  uint64_t open = lead; /* budgets for which no follower was met */
  uint32_t j = i + 1;
  *followers = (irl_select_followers){.lead = lead, .first = i + 1, .n = 1};
  followers->end[0] = node->n;
  followers->mask[0] = lead;
  if (w->pool->task->rules & IRL_SELECT_WITHOUT_PREFIX) return;
  while (open) {
    /* The largest value of a follower; not to look for long, a value that is no less. */
    const uint64_t met = j >= node->n || j - i > LOOK_AHEAD ? open : open & node->mask[j];
    const int64_t top = j < node->n && node->value[j] > 0 ? node->value[j] : 0;
    for (uint64_t left = met; left; left &= left - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(left);
      least[bit] =
          irl_select_needed(w, node, node->given, bit) - node->value[i] - (node->left - 2) * top;
    }
    open &= ~met;
    j++;
  }
  irl_select_cut_followers(node, followers, least);
}

/* The child with candidate i, which may lead with these budgets. */
static void make_child(irl_select_worker *w, uint32_t depth, uint32_t i, uint64_t lead) {
  irl_select_node *node = &w->nodes[depth], *child = &w->nodes[depth + 1];
  const irl_select_pool *pool = w->pool;
  const uint32_t k = node->clause[i];
  child->left = node->left - 1;
  child->loss = node->loss - irl_select_benefit(w, node, i) + pool->unit[1] * node->controls[i];
  child->costs = node->costs + irl_select_cost(pool, k);
  child->covered = node->covered + node->cases[i];
  child->paid = node->paid + node->controls[i];
  child->literals = node->literals + pool->size[k];
  lead &= irl_select_from(&w->range, child->paid) &
          irl_select_up_to(&w->range, irl_select_most_controls(w, child));
  w->nodes_done++;
  if (!lead) return;
  irl_select_followers followers;
  find_followers(w, node, i, lead, &followers);
  if (!followers.n) return;
  set_live(w, node, i);
  const unsigned rules = pool->task->rules;
  if (!(rules & IRL_SELECT_WITHOUT_EARLY_TESTS) && is_closed_early(w, node, child, &followers))
    return;
  /* One more than there can be: the next place is written before it is known to be needed. */
  if (!irl_select_reserve(w, child, followers.end[followers.n - 1] - i)) return;
  list_candidates(w, node, child, &followers);
  irl_select_drop_by_cases(pool, child);
  irl_select_tighten_plain(w, child);
  if (child->n && child->left > 2 && !(rules & IRL_SELECT_WITHOUT_MULTIPLIERS))
    tighten_by_hint(w, node, child);
  if (!child->n) return;
  irl_select_pack(w, child, node, w->live);
  if (w->ending == IRL_ENDED_BY_MEMORY) return;
  memcpy(w->live, w->scratch, node->words[0] * sizeof *w->live); /* the child's cases */
  const bool is_worth =
      is_worth_multipliers(w, child, child->left > 2 ? FEW_CANDIDATES : FEWER_CANDIDATES);
  irl_select_order(w, child, false);
  if (w->ending == IRL_ENDED_BY_MEMORY) return;
  if (is_worth) remember(w, node, child, w->live);
  w->path.k[w->path.n++] = k;
  assert(irl_select_node_check(w, depth + 1));
  expand(w, depth + 1);
  w->path.n--;
}

bool irl_select_branch(irl_select_worker *w, uint32_t depth, uint32_t i) {
  irl_select_node *node = &w->nodes[depth];
  assert(i < node->n && depth < w->pool->problem->K && w->path.n == depth);
  if (!irl_select_may_lead(node->value[i], node->left, irl_select_needed(w, node, node->given, 0)))
    return false;
  try_single(w, node, i);
  if (node->left == 1) return true;
  const uint64_t lead = irl_select_lead_mask(w, node, i);
  if (!lead) return true;
  if (node->left > 2) {
    make_child(w, depth, i, lead);
    return true;
  }
  irl_select_followers followers;
  find_followers(w, node, i, lead, &followers);
  if (followers.n) irl_select_try_partners(w, depth, i, followers.end[followers.n - 1]);
  return true;
}
