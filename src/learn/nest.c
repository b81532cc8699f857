/* Nested search: a better rule, clause by clause.
 *
 * A node has chosen some clauses; r more may follow, and together they must gain at least
 * need = loss - (target - 1). With value = r * case_weight * new cases - control_weight * new
 * controls the values of the r clauses sum up to at least r * need (a control is paid once, however
 * many of them cover it), so the one of largest value has at least `need`. The clause engine lists
 * all clauses of that value on what is uncovered, and the search branches on each of them: one of
 * them is part of the better rule. With r = 1 the list holds the rules that are better, and nothing
 * else. Under the Hamming loss every clause pays for all its controls, so the value is r times what
 * it gains. Where cases must be covered at a loss (need <= 0) the clause that covers most new cases
 * takes the place of that of largest value: it covers at least 1/r of what is missing.
 *
 * Once a child is closed, its clause is in no better rule with the clauses chosen. So neither is a
 * clause that covers no more cases and no fewer controls among what is uncovered: at later
 * siblings and all nodes below them such clauses are left out, and no set of clauses is met twice.
 *
 * The same search meets all rules below the target (nesting->found): then a clause stands for
 * itself only, and is left out where it was branched on before.
 *
 * Children come by falling value, and what follows child i gains at most its value: at a limit the
 * least bound of the open nodes holds for the whole problem. Where planted or other strong clauses
 * stand out there are few of them at each node, however many clauses there are in all. */
#include "learn/nest.h"
#include "base/memory.h"
#include "clause/list.h"
#include <stdlib.h>

/* Words of data from which on a node's list is worth more than one thread. */
#define WORTH_THREADS ((uint64_t)1 << 20)
/* Clauses that are done with and looked at for each of a list. */
#define MAX_ANSWERS ((size_t)5000)

typedef struct level {
  uint64_t *cases, *controls; /* uncovered */
  irl_clause_store list;
  int64_t *scaled; /* weights of the cases, times the clauses left; NULL: all the same */
  uint32_t *order; /* of the list, by falling value */
  size_t n_order, order_capacity;
  bool is_cover; /* listed by cover, not by value: what values say of bounds does not hold */
} level;

/* Covers of clauses that are done with, on what is uncovered at a node. */
typedef struct answers {
  size_t n, capacity;
  uint64_t *covers; /* cases, then controls */
  uint32_t *sizes;
} answers;

typedef struct nest {
  irl_learner *learner;
  const irl_learn_reduced *reduced; /* what is counted here: losses are in its terms */
  const irl_data *data;
  int64_t target, bound;
  const irl_limit *limit;
  irl_learn_nesting *nesting;
  uint64_t start; /* work before it */
  level levels[IRL_LEARN_MAX_K + 1];
  irl_clause path[IRL_LEARN_MAX_K];
  irl_clause_store done; /* earlier siblings of the node and its ancestors */
  answers answers;
  int threads;
  bool is_cut;
} nest;

/* A node: what is chosen so far, and a bound on what may come of it. */
typedef struct node {
  uint32_t n; /* clauses */
  int64_t paid, uncovered;
  uint64_t controls, literals;
  int64_t bound;
} node;

static bool must_end(nest *s) {
  const uint64_t work = s->learner->work - s->start;
  s->is_cut = s->is_cut || irl_limit_reached(s->limit, work);
  return s->is_cut;
}

/* The node stays open. */
static void leave_open(nest *s, int64_t bound) {
  if (bound < s->bound) s->bound = bound;
}

static int64_t loss_of(const node *at) {
  return at->paid + at->uncovered;
}

/* Limits on cases and controls count samples: they are not merged then. */
static bool is_feasible(const nest *s, const node *at) {
  const irl_learn_settings *settings = &s->learner->settings;
  const int64_t most = s->reduced->weight[0] * (int64_t)(s->data->n_cases - s->learner->min_cases);
  return (!s->learner->min_cases || at->uncovered <= most) &&
         at->controls <= s->learner->max_controls && at->literals <= settings->max_literals;
}

static irl_status offer(nest *s, const node *at) {
  irl_learner *learner = s->learner;
  if (s->nesting->found) {
    s->is_cut = s->nesting->found(s->nesting->user, s->path, at->n);
    return IRL_OK;
  }
  irl_learn_rule rule = {.n = at->n};
  irl_status status = IRL_OK;
  bool is_new;
  for (uint32_t i = 0; i < at->n && !status; i++)
    status = irl_learn_pool_add(learner->env, &learner->pool, s->path[i].literals, s->path[i].n,
                                &rule.clauses[i], &is_new);
  if (status) return status;
  status = irl_learner_offer(learner, &rule, &is_new);
  if (is_new) irl_learner_log(learner, "nested", UINT64_MAX);
  if (learner->best.loss < s->nesting->target) {
    s->nesting->target = learner->best.loss;
    s->target = irl_learn_reduced_target(s->reduced, learner->best.loss);
  }
  return status;
}

/* ---- listing ---- */

/* What the clauses of a node's list must have; false: no clause can. */
static bool make_thresholds(const nest *s, const node *at, irl_clause_thresholds *wanted) {
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->data;
  const int64_t left = settings->K - at->n, w1 = s->reduced->weight[0];
  const int64_t spare = s->target - 1 - at->paid; /* that may still be paid or lost */
  const int64_t need = loss_of(at) - (s->target - 1);
  if (spare < 0 || at->controls > s->learner->max_controls) return false;
  int64_t room = spare / s->reduced->weight[1];
  const int64_t allowed = (int64_t)(s->learner->max_controls - at->controls);
  if (!settings->is_hamming && allowed < room) room = allowed;
  *wanted = (irl_clause_thresholds){
      .min_cases = 1,
      .max_controls = room < data->n_controls ? (uint32_t)room : data->n_controls,
      .min_value = need > 0 || left == 1 ? need : IRL_CLAUSE_ANY_VALUE};
  if ((need <= 0 || left == 1) && !s->reduced->own) { /* cases that may stay uncovered */
    const int64_t most = (int64_t)(data->n_cases - s->learner->min_cases);
    const int64_t missing = at->uncovered / w1 - (spare / w1 < most ? spare / w1 : most);
    if (missing > left) wanted->min_cases = (uint32_t)((missing + left - 1) / left);
  }
  if (s->nesting->found) { /* also rules with fewer clauses, which lose more each */
    wanted->min_cases = 1;
    wanted->min_value = need < 0 && settings->is_hamming ? left * need : need;
  }
  /* Every clause pays for itself: one literal at least. */
  if (wanted->min_value > IRL_CLAUSE_ANY_VALUE)
    wanted->min_value += left * irl_learner_cost(s->learner, 1);
  return at->literals < settings->max_literals;
}

/* Values less what each clause costs by itself; those that fall below the need are dropped. */
static void charge(nest *s, const node *at) {
  irl_clause_store *list = &s->levels[at->n].list;
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
  list->n = n;
}

static void make_problem(const nest *s, const node *at, irl_clause_problem *problem) {
  const irl_learn_settings *settings = &s->learner->settings;
  const level *here = &s->levels[at->n];
  const int64_t left = settings->K - at->n;
  const uint64_t room = settings->max_literals - at->literals;
  irl_clause_problem_init(problem, s->data);
  problem->live_cases = here->cases;
  problem->live_controls = settings->is_hamming ? NULL : here->controls;
  problem->case_weight = left * s->reduced->weight[0];
  problem->control_weight = (settings->is_hamming ? left : 1) * s->reduced->weight[1];
  problem->case_weights = here->scaled;
  problem->control_weights = s->reduced->weights[1];
  problem->budget = IRL_CLAUSE_NO_LIMIT;
  problem->max_literals = room < settings->M ? (uint32_t)room : settings->M;
  problem->negations = settings->negations;
  problem->keeps_all =
      settings->max_literals != UINT64_MAX || settings->penalty || s->nesting->found;
  problem->groups = s->learner->data->groups;
}

/* Lists the clauses one of which a better rule must add. */
static irl_status list_next(nest *s, const node *at) {
  irl_learner *learner = s->learner;
  level *here = &s->levels[at->n];
  irl_clause_problem problem;
  irl_clause_model model;
  irl_clause_thresholds thresholds;
  bool is_complete = false;
  here->list.n = 0;
  here->is_cover = loss_of(at) < s->target && !s->nesting->found;
  if (!make_thresholds(s, at, &thresholds)) return IRL_OK;
  make_problem(s, at, &problem);
  irl_status status = irl_clause_model_init(learner->env, &model, &problem);
  if (status) return status;
  irl_limit part = *s->limit;
  if (part.max_work != UINT64_MAX) part.max_work -= learner->work - s->start;
  learner->work += model.work;
  status = irl_clause_list_all(learner->env, &model, &part, s->threads, &thresholds,
                               s->nesting->cap, &here->list, &is_complete, &learner->work);
  if (!is_complete) s->is_cut = true;
  if (!is_complete && here->list.n >= s->nesting->cap) s->nesting->is_full = true;
  irl_clause_model_free(&model);
  return status;
}

/* ---- what is answered already ---- */

static size_t cover_words(const nest *s) {
  return s->data->cases.stride + s->data->controls.stride;
}

/* What the clause covers of the vectors of one class. */
static void cover_class(const irl_bits_matrix *data, const irl_clause *clause, const uint64_t *live,
                        uint64_t *cover) {
  const irl_kernels *kernels = irl_bits_kernels();
  memcpy(cover, live, data->stride * sizeof *cover);
  for (uint32_t i = 0; i < clause->n; i++) {
    const uint64_t *bits = irl_bits_vector(data, irl_literal_feature(clause->literals[i]));
    const bool negated = irl_literal_is_negated(clause->literals[i]);
    (negated ? kernels->andnot_into : kernels->and_into)(cover, cover, bits, data->stride);
  }
}

static bool reserve_answers(nest *s, size_t n) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  answers *a = &s->answers;
  if (n <= a->capacity) return true;
  const size_t capacity = n + n / 2 + 16, words = cover_words(s);
  uint64_t *covers = irl_mem_alloc_aligned(allocator, capacity * words, sizeof *covers);
  uint32_t *sizes = irl_mem_grow(allocator, a->sizes, capacity, sizeof *sizes);
  if (sizes) a->sizes = sizes;
  if (!covers || !sizes) {
    irl_mem_free_aligned(allocator, covers);
    return false;
  }
  if (a->n) memcpy(covers, a->covers, a->n * words * sizeof *covers);
  irl_mem_free_aligned(allocator, a->covers);
  a->covers = covers;
  a->capacity = capacity;
  return true;
}

/* The cover of a clause on what is uncovered at the node, as number a->n of the answers. */
static void put_answer(nest *s, const node *at, const irl_clause *clause) {
  const irl_data *data = s->data;
  const level *here = &s->levels[at->n];
  answers *a = &s->answers;
  uint64_t *cover = a->covers + a->n * cover_words(s);
  cover_class(&data->cases, clause, here->cases, cover);
  if (s->learner->settings.is_hamming) {
    irl_bits_fill(cover + data->cases.stride, data->n_controls, data->controls.stride);
    cover_class(&data->controls, clause, cover + data->cases.stride, cover + data->cases.stride);
  } else {
    cover_class(&data->controls, clause, here->controls, cover + data->cases.stride);
  }
  a->sizes[a->n] = clause->n;
}

/* Does an answer cover all cases of number a->n, none but its controls, and is it not longer where
 * that counts? */
static bool is_answered(const nest *s) {
  const answers *a = &s->answers;
  const irl_learn_settings *settings = &s->learner->settings;
  const bool counts_literals = settings->max_literals != UINT64_MAX || settings->penalty;
  const size_t words = cover_words(s), case_words = s->data->cases.stride;
  const uint64_t *cover = a->covers + a->n * words;
  for (size_t i = 0; i < a->n; i++) {
    const uint64_t *own = a->covers + i * words;
    size_t w = 0;
    if (counts_literals && a->sizes[i] > a->sizes[a->n]) continue;
    while (w < case_words && !(cover[w] & ~own[w])) w++;
    if (w < case_words) continue;
    while (w < words && !(own[w] & ~cover[w])) w++;
    if (w == words) return true;
  }
  return false;
}

typedef struct ranked {
  int64_t value;
  const irl_literal *literals;
  uint32_t n, i;
} ranked;

/* As irl_clause_better. */
static int by_value(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i] ? -1 : 1;
  return 0;
}

/* The node's list by falling value. */
static irl_status sort_list(nest *s, level *here) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  const irl_clause_store *list = &here->list;
  const size_t n = list->n;
  here->n_order = 0;
  if (n > here->order_capacity) {
    uint32_t *order = irl_mem_grow(allocator, here->order, n, sizeof *order);
    if (!order) return irl_fail_memory(s->learner->env);
    here->order = order;
    here->order_capacity = n;
  }
  ranked *all = irl_mem_alloc(allocator, n, sizeof *all);
  if (!all) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < n; i++)
    all[i] = (ranked){list->values[i], list->literals + i * list->max_literals, list->sizes[i],
                      (uint32_t)i};
  qsort(all, n, sizeof *all, by_value);
  for (size_t i = 0; i < n; i++) here->order[here->n_order++] = all[i].i;
  irl_mem_free(allocator, all);
  return IRL_OK;
}

/* Does the clause cover more without one of its literals, whichever it is? */
static bool is_short(nest *s, const irl_clause *clause) {
  const irl_data *data = s->data;
  irl_bits_fill(s->answers.covers, data->n_cases, data->cases.stride);
  uint64_t *all_cases = s->answers.covers, *cases = all_cases + cover_words(s);
  uint64_t *all_controls = all_cases + data->cases.stride, *controls = cases + data->cases.stride;
  irl_bits_fill(all_controls, data->n_controls, data->controls.stride);
  const irl_kernels *kernels = irl_bits_kernels();
  uint64_t before = 0;
  for (uint32_t without = clause->n; without != UINT32_MAX; without--) {
    irl_clause shorter = {.n = 0};
    for (uint32_t i = 0; i < clause->n; i++)
      if (i != without) shorter.literals[shorter.n++] = clause->literals[i];
    cover_class(&data->cases, &shorter, all_cases, cases);
    cover_class(&data->controls, &shorter, all_controls, controls);
    const uint64_t n =
        kernels->count(cases, data->cases.stride) + kernels->count(controls, data->controls.stride);
    if (without < clause->n && clause->n > 1 && n == before) return false;
    before = without == clause->n ? n : before;
  }
  return true;
}

static bool is_done(const nest *s, const irl_clause *clause) {
  const irl_clause_store *done = &s->done;
  for (size_t i = 0; i < done->n; i++)
    if (done->sizes[i] == clause->n && !memcmp(done->literals + i * done->max_literals,
                                               clause->literals, clause->n * sizeof(irl_literal)))
      return true;
  return false;
}

/* Where all rules are wanted: drops what was branched on before, and longer forms of clauses. */
static irl_status drop_repeated(nest *s, const node *at) {
  level *here = &s->levels[at->n];
  irl_clause clause;
  size_t kept = 0;
  if (!reserve_answers(s, 2)) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_store_get(&here->list, here->order[i], &clause);
    if (!is_done(s, &clause) && is_short(s, &clause)) here->order[kept++] = here->order[i];
  }
  s->learner->work += (s->done.n + cover_words(s)) * here->n_order;
  here->n_order = kept;
  return IRL_OK;
}

/* Does number a->n of the answers cover controls of more weight than may be paid? The listing knows
 * how many they are at most, which says all unless they are merged. */
static bool is_too_dear(const nest *s, const node *at) {
  const uint64_t *cover = s->answers.covers + s->answers.n * cover_words(s);
  return s->reduced->own && irl_learn_reduced_weigh(s->reduced, 1, cover + s->data->cases.stride) >
                                s->target - 1 - at->paid;
}

/* Drops the clauses of the list that others answer. */
static irl_status drop_answered(nest *s, const node *at) {
  level *here = &s->levels[at->n];
  answers *a = &s->answers;
  irl_clause clause;
  size_t kept = 0;
  a->n = 0;
  if (!reserve_answers(s, MAX_ANSWERS + 1)) return irl_fail_memory(s->learner->env);
  for (size_t i = 0; i < s->done.n && a->n < MAX_ANSWERS; i++, a->n++) {
    irl_clause_store_get(&s->done, i, &clause);
    put_answer(s, at, &clause);
  }
  for (size_t i = 0; i < here->n_order; i++) {
    irl_clause_store_get(&here->list, here->order[i], &clause);
    put_answer(s, at, &clause);
    if (is_too_dear(s, at) || is_answered(s)) continue;
    a->n += a->n < MAX_ANSWERS;
    here->order[kept++] = here->order[i];
  }
  s->learner->work += (a->n + here->n_order) * cover_words(s);
  here->n_order = kept;
  return IRL_OK;
}

/* ---- nodes ---- */

static void record(nest *s, const node *at, size_t n) {
  irl_text *text = s->nesting->record;
  if (!text) return;
  irl_text_printf(text, "%u", at->n);
  for (uint32_t i = 0; at->n && i < s->path[at->n - 1].n; i++) {
    const irl_literal literal = s->path[at->n - 1].literals[i];
    irl_text_printf(text, " %s%u", irl_literal_is_negated(literal) ? "!" : "",
                    irl_literal_feature(literal) + 1);
  }
  irl_text_printf(text, " branch %s %zu\n", s->levels[at->n].is_cover ? "cover" : "value", n);
}

/* The node with one more clause; what the clause covers is no longer live. */
static node take(nest *s, const node *at, const irl_clause *clause) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_learn_settings *settings = &s->learner->settings;
  const irl_data *data = s->data;
  const level *from = &s->levels[at->n], *to = &s->levels[at->n + 1];
  cover_class(&data->cases, clause, from->cases, to->cases);
  cover_class(&data->controls, clause, from->controls, to->controls);
  const int64_t cost = settings->is_hamming ? s->reduced->weight[1] * (int64_t)clause->controls
                                            : irl_learn_reduced_weigh(s->reduced, 1, to->controls);
  node next = {.n = at->n + 1,
               .paid = at->paid + cost + irl_learner_cost(s->learner, clause->n),
               .controls = at->controls + kernels->count(to->controls, data->controls.stride),
               .literals = at->literals + clause->n,
               .bound = at->bound};
  kernels->andnot_into(to->cases, from->cases, to->cases, data->cases.stride);
  kernels->andnot_into(to->controls, from->controls, to->controls, data->controls.stride);
  next.uncovered = irl_learn_reduced_weigh(s->reduced, 0, to->cases);
  const int64_t bound = loss_of(at) - clause->value;
  if (!from->is_cover && !s->nesting->found && bound > next.bound) next.bound = bound;
  return next;
}

static irl_status visit(nest *s, const node *at);

static irl_status visit_children(nest *s, const node *at) {
  const level *here = &s->levels[at->n];
  const size_t n_done = s->done.n;
  irl_status status = IRL_OK;
  for (size_t i = 0; i < here->n_order && !status; i++) {
    irl_clause *clause = &s->path[at->n];
    irl_clause_store_get(&here->list, here->order[i], clause);
    const node next = take(s, at, clause);
    if (must_end(s)) { /* this child and all after it */
      leave_open(s, next.bound);
      break;
    }
    if (next.bound >= s->target) break; /* a better rule was found meanwhile */
    status = visit(s, &next);
    irl_clause_store_get(&here->list, here->order[i], clause);
    if (!status && !irl_clause_store_add(&s->done, clause))
      status = irl_fail_memory(s->learner->env);
  }
  s->done.n = n_done;
  return status;
}

static irl_status visit(nest *s, const node *at) {
  irl_learner *learner = s->learner;
  irl_status status = IRL_OK;
  if (loss_of(at) < s->target && is_feasible(s, at)) status = offer(s, at);
  if (status || at->n == learner->settings.K) return status;
  learner->nodes++;
  level *here = &s->levels[at->n];
  here->n_order = 0;
  status = list_next(s, at);
  if (!status && !s->is_cut) charge(s, at);
  if (!status && s->is_cut) leave_open(s, at->bound);
  if (status || s->is_cut) return status;
  if (here->list.n) status = sort_list(s, here);
  if (!status && here->n_order)
    status = s->nesting->found ? drop_repeated(s, at) : drop_answered(s, at);
  record(s, at, at->n + 1 < learner->settings.K ? here->n_order : 0);
  return status ? status : visit_children(s, at);
}

static bool make_levels(nest *s) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  const irl_data *data = s->data;
  for (uint32_t i = 0; i <= s->learner->settings.K; i++) {
    level *l = &s->levels[i];
    irl_clause_store_init(&l->list, allocator, s->learner->settings.M);
    l->cases = irl_mem_alloc_aligned(allocator, data->cases.stride, sizeof *l->cases);
    l->controls = irl_mem_alloc_aligned(allocator, data->controls.stride, sizeof *l->controls);
    if (!l->cases || !l->controls) return false;
    if (!s->reduced->own) continue;
    l->scaled = irl_mem_alloc(allocator, data->n_cases, sizeof *l->scaled);
    for (uint32_t k = 0; l->scaled && k < data->n_cases; k++)
      l->scaled[k] = (s->learner->settings.K - i) * s->reduced->weights[0][k];
    if (!l->scaled) return false;
  }
  irl_clause_store_init(&s->done, allocator, s->learner->settings.M);
  irl_bits_fill(s->levels[0].cases, data->n_cases, data->cases.stride);
  irl_bits_fill(s->levels[0].controls, data->n_controls, data->controls.stride);
  return true;
}

static void free_nest(nest *s) {
  const irl_allocator *allocator = &s->learner->env->allocator;
  for (uint32_t i = 0; i <= s->learner->settings.K; i++) {
    level *l = &s->levels[i];
    if (l->list.allocator.resize) irl_clause_store_free(&l->list);
    irl_mem_free_aligned(allocator, l->cases);
    irl_mem_free_aligned(allocator, l->controls);
    irl_mem_free(allocator, l->order);
    irl_mem_free(allocator, l->scaled);
  }
  if (s->done.allocator.resize) irl_clause_store_free(&s->done);
  irl_mem_free_aligned(allocator, s->answers.covers);
  irl_mem_free(allocator, s->answers.sizes);
  irl_mem_free(allocator, s);
}

irl_status irl_learn_nest(irl_learner *learner, const irl_limit *limit,
                          irl_learn_nesting *nesting) {
  const irl_learn_reduced *reduced = &learner->reduced;
  const irl_data *data = reduced->data;
  nest *s = irl_mem_alloc(&learner->env->allocator, 1, sizeof *s);
  nesting->is_proven = nesting->is_full = false;
  nesting->bound = learner->bound;
  if (!s) return irl_fail_memory(learner->env);
  s->learner = learner;
  s->reduced = reduced;
  s->data = data;
  s->limit = limit;
  s->nesting = nesting;
  s->start = learner->work;
  s->target = s->bound = irl_learn_reduced_target(reduced, nesting->target);
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  s->threads = words < WORTH_THREADS ? 1 : learner->settings.threads;
  irl_status status = make_levels(s) ? IRL_OK : irl_fail_memory(learner->env);
  if (!status) {
    const bool is_known = !nesting->record && !nesting->found;
    const int64_t above = learner->bound - reduced->offset;
    const node root = {.uncovered = irl_learn_reduced_weigh(reduced, 0, s->levels[0].cases),
                       .bound = is_known && above > 0 ? above / reduced->unit : 0};
    status = visit(s, &root);
  }
  nesting->is_proven = !status && !s->is_cut;
  const int64_t bound =
      irl_learn_reduced_loss(reduced, s->bound < s->target ? s->bound : s->target);
  if (!status) nesting->bound = bound < nesting->target ? bound : nesting->target;
  free_nest(s);
  return status;
}
