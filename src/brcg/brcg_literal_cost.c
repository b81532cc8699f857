/* Clauses where each literal has a price: the best one, or all that are worth enough.
 *
 * The clause engine (clause/bnb.c) knows no cost of a literal and has to be asked once for each
 * number of literals, and where many may be added its bound says that they remove all controls.
 * With a price r of a literal that changes. At a node of d literals with candidates after it, of
 * which each removes at most what it removes there, a clause with candidate k and further ones is
 * worth at most
 *
 *   gain of k - (d + 1) r - min over n of (what the n largest removals leave of k's controls + n r)
 *
 * so that only removals of more than r count. Where the best clause is wanted, a literal that
 * removes no more than r at a node is of no use below it: without it a clause is worth no less
 * (src/doc/method.md). A node's children see only candidates that come after them, so the bound
 * of a child is made of those alone. Tables, counts and dominance are those of the clause engine;
 * one thread searches, and limits count work, so nothing depends on the number of threads. */
#include "brcg/brcg.h"
#include "clause/enumerate.h"
#include "clause/solve.h"

struct search {
  irl_clause_worker *worker;
  const irl_clause_model *model;
  int64_t literal;         /* what one costs */
  int64_t need;            /* the least worth that is wanted, literals paid */
  irl_clause best;         /* n = 0: none; its value does not count off literals */
  bool is_best;            /* that one is wanted; otherwise all are */
  irl_clause_array *store; /* of those that are wanted, or of those met that are worth enough */
  int64_t worth;           /* that is enough, in a search for the best */
  size_t cap;
  bool may_drop;   /* is a literal of no use that removes no more than it costs? */
  int64_t *bounds; /* of the children, a part for each depth */
  /* Over the root's controls: what the path covers, and what each of its literals alone removes; a
   * part for each depth, with room for one set more than the path has literals. */
  uint64_t *removed;
  uint64_t *stuck; /* over a table's controls: those that no later candidate removes */
};

/* The sets of a path of so many literals: that of literal p at p, what it covers at n. */
static uint64_t *removed_by(const struct search *search, uint32_t n, uint32_t p) {
  assert(p <= n && n <= search->model->max_size);
  return search->removed +
         ((size_t)n * (search->model->max_size + 1) + p) * search->model->root.control_words;
}

/* The controls of a literal at the root. */
static const uint64_t *controls_of(const struct search *search, uint32_t literal) {
  return irl_clause_controls(&search->model->root, search->model->column_of[literal]);
}

/* ---- clauses that are found ---- */

static void offer(struct search *search, uint32_t literal, const irl_literal_set *set, uint32_t i) {
  irl_clause_worker *worker = search->worker;
  irl_clause clause = worker->path;
  clause.literals[clause.n++] = literal;
  const int64_t value = set->gain[i] - set->cost[i];
  const int64_t worth = value - search->literal * clause.n;
  assert(clause.n <= search->model->max_size);
  if (worth < (search->is_best ? search->worth : search->need) ||
      set->controls[i] > worker->budget || set->cases[i] < worker->min_cases || worker->ending)
    return;
  clause.value = value;
  clause.cases = set->cases[i];
  clause.controls = set->controls[i];
  irl_clause_sort_literals(&clause);
  assert(irl_clause_model_check(search->model, &clause, worker->cover.words));
  if (search->is_best && worth >= search->need) {
    search->best = clause;
    search->need = worth + 1;
  }
  if (search->store->n < search->cap) {
    if (!irl_clause_array_add(search->store, &clause)) worker->ending = IRL_ENDED_BY_MEMORY;
  } else if (!search->is_best) {
    worker->ending = IRL_ENDED_BY_CAP;
  }
}

/* The path and each candidate; not those that the path may stand for, which has fewer literals. */
static void offer_all(struct search *search, const irl_clause_table *table,
                      const irl_literal_set *set, uint32_t controls) {
  for (uint32_t i = 0; i < set->n; i++)
    if (!search->model->may_replace || set->controls[i] != controls)
      offer(search, table->set.id[set->id[i]], set, i);
}

/* ---- bounds ---- */

/* The least that stays of a cost, and is paid, if literals with the largest removals may be added,
 * at most so many, not the one at `skipped`. */
static int64_t least_rest(const irl_top *top, int64_t cost, int64_t literal, uint32_t n_more,
                          uint32_t skipped) {
  int64_t least = cost, left = cost, paid = 0;
  assert(cost >= 0 && literal >= 0);
  for (uint32_t i = 0; i < top->used && n_more && left > 0; i++) {
    if (top->place[i] == skipped) continue;
    if (top->number[i] <= literal) break;
    left -= top->number[i];
    paid += literal;
    n_more--;
    if ((left > 0 ? left : 0) + paid < least) least = (left > 0 ? left : 0) + paid;
  }
  return least;
}

/* A literal was added to the path: what each literal alone removes. */
static void extend_removed(const struct search *search) {
  const irl_clause *path = &search->worker->path;
  const irl_kernels *kernels = search->model->kernels;
  const size_t words = search->model->root.control_words;
  const uint32_t n = path->n;
  const uint64_t *column = controls_of(search, path->literals[n - 1]);
  for (uint32_t p = 0; p + 1 < n; p++)
    kernels->and_into(removed_by(search, n, p), removed_by(search, n - 1, p), column, words);
  const uint64_t *before = removed_by(search, n - 1, n - 1);
  uint64_t *alone = removed_by(search, n, n - 1);
  for (size_t w = 0; w < words; w++) alone[w] = before[w] & ~column[w];
  kernels->and_into(removed_by(search, n, n), before, column, words);
  search->worker->work += (n + 1) * words;
}

/* Drops candidates with which a literal of the path alone removes no more than it costs, or, where
 * all clauses are wanted, nothing. */
static void drop_needless(const struct search *search, const irl_clause_table *table,
                          irl_literal_set *set) {
  irl_clause_worker *worker = search->worker;
  const irl_clause_model *model = search->model;
  const size_t words = model->root.control_words;
  const int64_t weight = search->may_drop ? model->weight[1] : 1;
  const int64_t price = search->may_drop ? search->literal : 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < set->n; i++) {
    const uint64_t *column = controls_of(search, table->set.id[set->id[i]]);
    bool is_needed = true;
    for (uint32_t p = 0; p < worker->path.n && is_needed; p++, worker->work += words)
      is_needed = weight * (int64_t)model->kernels->and_count(removed_by(search, worker->path.n, p),
                                                              column, words) >
                  price;
    if (is_needed) irl_literal_set_put(set, n++, set, i);
  }
  set->n = n;
}

/* The bounds of a table's children, at most `left` literals being added, theirs among them. */
static void bound_children(const struct search *search, const irl_clause_table *table,
                           uint32_t depth, uint32_t left, int64_t *bounds) {
  const irl_literal_set *set = &table->set;
  const int64_t paid = search->literal * (depth + 1);
  const irl_kernels *kernels = search->model->kernels;
  irl_top top;
  irl_top_init(&top, left);
  irl_bits_fill(search->stuck, table->n_controls, table->control_words);
  for (uint32_t k = set->n; k-- > 0;) {
    const uint64_t *controls = irl_clause_controls(table, k);
    const int64_t stays =
        search->model->least_weight[1] *
        (int64_t)kernels->and_count(search->stuck, controls, table->control_words);
    assert(stays <= set->cost[k]);
    bounds[k] = set->gain[k] - paid - stays -
                least_rest(&top, set->cost[k] - stays, search->literal, left - 1, UINT32_MAX);
    irl_top_put(&top, table->cost - set->cost[k], k);
    kernels->and_into(search->stuck, search->stuck, controls, table->control_words);
  }
  search->worker->work += 2 * (uint64_t)set->n * table->control_words;
}

/* Is a candidate of no use in what is wanted, at a node that covers so much? */
static bool is_useless(const struct search *search, const irl_literal_set *set, uint32_t i,
                       uint32_t controls, int64_t cost) {
  if (search->may_drop) return cost - set->cost[i] <= search->literal;
  return search->model->may_replace && set->controls[i] == controls;
}

/* Drops candidates that no clause that is wanted holds, at a node whose literals are paid with
 * `paid` and that covers so many controls of that cost, if at most `left` are added. */
static void filter(struct search *search, irl_literal_set *set, const irl_clause_counts *node,
                   int64_t paid, uint32_t left) {
  irl_top top;
  uint32_t before;
  do {
    irl_top_init(&top, left);
    for (uint32_t i = 0; i < set->n; i++) irl_top_put(&top, node->cost - set->cost[i], i);
    uint32_t n = 0;
    before = set->n;
    for (uint32_t i = 0; i < before; i++) {
      const int64_t rest = least_rest(&top, set->cost[i], search->literal, left - 1, i);
      if (set->gain[i] - paid - search->literal - rest >= search->need &&
          !is_useless(search, set, i, node->controls, node->cost))
        irl_literal_set_put(set, n++, set, i);
    }
    set->n = n;
    search->worker->work += before;
  } while (set->n < before - before / 8);
}

/* ---- the search ---- */

static void visit(struct search *search, const irl_clause_table *table, uint32_t depth,
                  uint32_t left);

/* The clauses that hold the path, whose last literal is child k, and candidates of its set. */
static void descend(struct search *search, const irl_clause_table *table, uint32_t depth,
                    uint32_t k, uint32_t left) {
  irl_clause_worker *worker = search->worker;
  irl_literal_set *set = &worker->frames[depth].children[0];
  irl_clause_table *next = &worker->frames[depth + 1].table;
  offer_all(search, table, set, table->set.controls[k]);
  if (left < 2) return;
  const irl_clause_counts node = {.controls = table->set.controls[k], .cost = table->set.cost[k]};
  filter(search, set, &node, search->literal * worker->path.n, left);
  if (search->model->may_replace) {
    extend_removed(search);
    drop_needless(search, table, set);
  }
  if (set->n < 2) return;
  if (!irl_clause_sort(worker, set, set->cases, &worker->sorted) ||
      !irl_clause_table_narrow(search->model, table, k, &worker->sorted, next)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  worker->work += (uint64_t)set->n * table->stride;
  irl_clause_drop_dominated(worker, next);
  if (next->set.n > 1) visit(search, next, depth + 1, left);
}

static void visit(struct search *search, const irl_clause_table *table, uint32_t depth,
                  uint32_t left) {
  irl_clause_worker *worker = search->worker;
  int64_t *bounds = search->bounds + (size_t)depth * search->model->root.set.n;
  assert(left > 1 && worker->path.n == depth && table->set.n <= search->model->root.set.n);
  bound_children(search, table, depth, left, bounds);
  for (uint32_t k = 0; k < table->set.n; k++) {
    if (irl_clause_limit_reached(worker)) {
      for (; k < table->set.n; k++)
        if (bounds[k] > worker->open_bound) worker->open_bound = bounds[k];
      return;
    }
    if (bounds[k] < search->need) continue;
    /* What counting asks of a candidate: its gain pays for the literals and what is wanted. */
    worker->need = search->need + search->literal * (depth + 2);
    if (!irl_clause_count_children(worker, table, &worker->frames[depth], k, 1)) return;
    worker->nodes++;
    worker->path.literals[worker->path.n++] = table->set.id[k];
    descend(search, table, depth, k, left - 1);
    worker->path.n--;
  }
}

/* The single literals, and the search below those that may be part of something better. */
static void search_root(struct search *search, irl_clause_table *table) {
  irl_clause_worker *worker = search->worker;
  const irl_clause_table *root = &search->model->root;
  irl_literal_set *set = &worker->sorted;
  if (!irl_literal_set_reserve(&search->model->allocator, set, root->set.n)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  for (set->n = 0; set->n < root->set.n; set->n++) {
    irl_literal_set_put(set, set->n, &root->set, set->n);
    set->id[set->n] = set->n;
  }
  for (uint32_t i = 0; i < set->n; i++) offer(search, root->set.id[i], set, i);
  if (search->model->max_size < 2 || worker->ending) return;
  filter(search, set, &(irl_clause_counts){.controls = root->n_controls, .cost = root->cost}, 0,
         search->model->max_size);
  if (set->n < 2) return;
  if (!irl_clause_table_copy(search->model, root, set, table)) {
    worker->ending = IRL_ENDED_BY_MEMORY;
    return;
  }
  irl_clause_drop_dominated(worker, table);
  if (table->set.n > 1) visit(search, table, 0, search->model->max_size);
}

/* Runs a search whose wishes are set; *result tells how it ended, without its best clause. */
static irl_status run(irl_env *env, const irl_clause_problem *problem, const irl_limit *limit,
                      struct search *search, irl_clause_result *result) {
  irl_clause_model model;
  irl_clause_table table = {0};
  irl_arena arena;
  assert(!problem->data->shard && problem->max_size <= IRL_TOP_MAX);
  irl_status status = irl_clause_model_init(env, &model, problem);
  if (status) return status;
  irl_arena_init(&arena, &env->allocator);
  search->model = &model;
  search->may_drop = search->is_best && model.may_replace && model.budget >= model.root.n_controls;
  search->bounds = irl_arena_alloc(&arena, (size_t)model.max_size * model.root.set.n + 1,
                                   sizeof *search->bounds);
  const size_t words = model.root.control_words, depths = model.max_size + 1;
  search->removed = irl_arena_alloc_aligned(&arena, depths * depths * words, sizeof(uint64_t));
  search->stuck = irl_arena_alloc_aligned(&arena, words, sizeof *search->stuck);
  search->worker = irl_clause_workers_create(&model, 1);
  if (search->worker && search->bounds && search->removed && search->stuck) {
    irl_bits_fill(removed_by(search, 0, 0), model.root.n_controls, words);
    search->worker->limit = limit;
    search->worker->max_work = limit->max_work;
    search_root(search, &table);
    status = search->worker->ending == IRL_ENDED_BY_MEMORY ? irl_fail_memory(env) : IRL_STATUS_OK;
    *result = (irl_clause_result){.outcome = search->worker->ending ? irl_limit_outcome(limit)
                                                                    : IRL_OUTCOME_OPTIMAL,
                                  .bound = search->worker->open_bound,
                                  .nodes = search->worker->nodes,
                                  .work = search->worker->work + model.work};
  } else {
    status = irl_fail_memory(env);
  }
  irl_clause_workers_free(search->worker, 1, &model.allocator);
  irl_clause_table_free(&model.allocator, &table);
  irl_clause_model_free(&model);
  irl_arena_free(&arena);
  return status;
}

irl_status irl_brcg_search_best(const irl_clause_problem *problem, const irl_brcg_wish *wish,
                                const irl_clause_search *with, irl_clause_array *store,
                                irl_clause_result *result) {
  struct search search = {.literal = wish->literal,
                          .need = wish->need,
                          .worth = wish->worth < wish->need ? wish->worth : wish->need,
                          .cap = wish->cap,
                          .is_best = true,
                          .store = store};
  const irl_status status = run(with->env, problem, with->limit, &search, result);
  if (!status) result->best = search.best;
  if (!status) *with->work += result->work;
  return status;
}

irl_status irl_brcg_search_all(const irl_clause_problem *problem, const irl_brcg_wish *wish,
                               const irl_clause_search *with, irl_clause_array *store,
                               irl_ending *ending) {
  struct search search = {
      .literal = wish->literal, .need = wish->need, .store = store, .cap = wish->cap};
  irl_clause_result result;
  const irl_status status = run(with->env, problem, with->limit, &search, &result);
  if (status) return status;
  *ending = result.outcome == IRL_OUTCOME_OPTIMAL ? IRL_ENDED : IRL_ENDED_BY_LIMIT;
  *with->work += result.work;
  return IRL_STATUS_OK;
}
