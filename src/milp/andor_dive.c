/* Rules without proof: places are filled one after the other with a good clause for what is left;
 * then each clause in turn is taken out and a better one looked for, until nothing gets better;
 * then literals are exchanged one by one. From the best rule the search goes on with two clauses
 * taken out and the first one found on some of the cases only, so that it goes another way. */
#include "base/random.h"
#include "milp/andor_search.h"

#define MAX_IDLE 12u /* rounds without progress per place, and some */

/* A rule that is being worked on: its clauses as on the path. */
typedef struct diver {
  irl_andor_search *search;
  irl_andor_rule rule; /* loss INT64_MAX: none */
  irl_andor_clause_found found;
  uint64_t *some; /* of the cases */
  irl_random random;
} diver;

static void copy_rule(const irl_andor *a, const irl_andor_rule *from, irl_andor_rule *to) {
  assert(from->n <= a->K);
  to->n = from->n;
  to->loss = from->loss;
  memcpy(to->sizes, from->sizes, from->n * sizeof *to->sizes);
  memcpy(to->literals, from->literals, (size_t)from->n * a->M * sizeof *to->literals);
}

/* The path becomes the rule without clause `out`. */
static void push_others(diver *d, uint32_t out) {
  irl_andor_search *s = d->search;
  s->path.n = 0;
  for (uint32_t k = 0; k < d->rule.n; k++)
    if (k != out)
      irl_andor_push(s, s->path.n, d->rule.sizes[k], d->rule.literals + (size_t)k * s->andor->M);
}

/* Fills the next place of the path by a clause whose value is above `least`; false: none is. */
static bool fill(diver *d, int64_t least, const uint64_t *cases) {
  irl_andor_search *s = d->search;
  const uint32_t depth = s->path.n;
  assert(depth < s->andor->K);
  d->found.value = least;
  d->found.size = IRL_ANDOR_NONE;
  irl_andor_beam_seek(s, &s->steps[depth], cases, &d->found);
  if (d->found.size == IRL_ANDOR_NONE) return false;
  assert(d->found.size <= s->andor->M && d->found.value > least);
  irl_andor_push(s, depth, d->found.size, d->found.literals);
  irl_andor_offer(s, &s->steps[depth + 1]);
  return true;
}

/* Repeats the clause of the path that costs least. */
static void repeat_clause(diver *d) {
  irl_andor_search *s = d->search;
  const uint32_t depth = s->path.n, M = s->andor->M;
  uint32_t best = 0;
  int64_t least = INT64_MAX;
  assert(depth > 0 && depth < s->andor->K);
  for (uint32_t k = 0; k < depth; k++) {
    irl_andor_push(s, depth, s->path.sizes[k], s->path.literals + (size_t)k * M);
    if (s->steps[depth + 1].loss[0] >= least) continue;
    least = s->steps[depth + 1].loss[0];
    best = k;
  }
  irl_andor_push(s, depth, s->path.sizes[best], s->path.literals + (size_t)best * M);
  irl_andor_offer(s, &s->steps[depth + 1]);
}

/* Where all places must be filled a clause is repeated if no other is found. */
static void fill_all(diver *d) {
  irl_andor_search *s = d->search;
  const int64_t least = s->needs_all ? INT64_MIN / 2 : 0;
  while (s->path.n < s->andor->K && !irl_andor_is_over(s)) {
    if (fill(d, least, s->steps[s->path.n].cases)) continue;
    if (!s->needs_all || s->path.n == 0) break;
    repeat_clause(d);
  }
}

static int64_t path_loss(const irl_andor_search *s) {
  int64_t loss = s->steps[s->path.n].loss[0];
  /* Rows that are not kept yet weigh more than the objective. */
  for (uint32_t i = 1; i < s->andor->n_rows; i++)
    if (s->steps[s->path.n].loss[i] > s->limits[i])
      loss += ((int64_t)1 << 40) + s->steps[s->path.n].loss[i] - s->limits[i];
  return loss;
}

static void take_path(diver *d) {
  const irl_andor_search *s = d->search;
  copy_rule(s->andor, &s->path, &d->rule);
  d->rule.loss = path_loss(s);
}

/* Takes out clause k and looks for a better one. */
static bool exchange_clause(diver *d, uint32_t k) {
  irl_andor_search *s = d->search;
  push_others(d, k);
  const int64_t without = path_loss(s);
  if (!fill(d, without - d->rule.loss, s->steps[s->path.n].cases)) return false;
  if (s->path.n < s->andor->K) fill_all(d);
  if (path_loss(s) >= d->rule.loss) return false;
  take_path(d);
  return true;
}

/* Exchanges literal i of clause k for the best other one, or leaves it out. */
static bool exchange_literal(diver *d, uint32_t k, uint32_t i) {
  irl_andor_search *s = d->search;
  const irl_andor *a = s->andor;
  uint32_t *literals = d->found.scratch;
  push_others(d, k);
  const uint32_t depth = s->path.n, size = d->rule.sizes[k];
  assert(k < d->rule.n && i < size && depth + 1 == d->rule.n);
  memcpy(literals, d->rule.literals + (size_t)k * a->M, size * sizeof *literals);
  uint32_t best = IRL_ANDOR_NONE;
  int64_t least = d->rule.loss;
  for (uint32_t l = 0; l < a->n_literals && !irl_andor_is_over(s); l++) {
    literals[i] = l;
    irl_andor_push(s, depth, size, literals);
    if (path_loss(s) < least) {
      least = path_loss(s);
      best = l;
    }
    s->path.n = depth;
  }
  if (best == IRL_ANDOR_NONE) return false;
  literals[i] = best;
  irl_andor_push(s, depth, size, literals);
  irl_andor_offer(s, &s->steps[depth + 1]);
  take_path(d);
  return true;
}

static void improve(diver *d) {
  irl_andor_search *s = d->search;
  bool has_changed = true;
  while (has_changed && !irl_andor_is_over(s) && s->best.loss > s->bound) {
    has_changed = false;
    for (uint32_t k = 0; k < d->rule.n && !irl_andor_is_over(s); k++)
      has_changed |= exchange_clause(d, k);
    for (uint32_t k = 0; k < d->rule.n && !has_changed; k++)
      for (uint32_t i = 0; i < d->rule.sizes[k] && !has_changed && !s->andor->is_choice; i++)
        has_changed = exchange_literal(d, k, i);
  }
}

/* Leaves two clauses out, and finds the next one by some of the cases. */
static void disturb(diver *d) {
  irl_andor_search *s = d->search;
  const size_t words = irl_andor_words(&s->andor->cases);
  for (uint32_t n = 0; n < 2 && d->rule.n > 0; n++) {
    const uint32_t out = (uint32_t)irl_random_below(&d->random, d->rule.n);
    push_others(d, out);
    copy_rule(s->andor, &s->path, &d->rule);
  }
  push_others(d, IRL_ANDOR_NONE);
  const uint64_t *cases = s->steps[s->path.n].cases;
  for (size_t w = 0; w < words; w++)
    d->some[w] = cases[w] & (irl_random_next(&d->random) | irl_random_next(&d->random));
  fill(d, 0, d->some);
  fill_all(d);
  take_path(d);
}

void irl_andor_dive(irl_andor_search *s, uint64_t max_work) {
  const irl_andor *a = s->andor;
  irl_arena arena;
  diver d = {.search = s};
  irl_arena_init(&arena, &a->env->allocator);
  irl_random_init(&d.random, s->seed, s->n_dives++);
  d.rule.sizes = irl_arena_alloc(&arena, a->K, sizeof *d.rule.sizes);
  d.rule.literals = irl_arena_alloc(&arena, (size_t)a->K * a->M, sizeof *d.rule.literals);
  d.found.literals = irl_arena_alloc(&arena, 2 * (size_t)a->M, sizeof *d.found.literals);
  d.some = irl_arena_alloc_aligned(&arena, irl_andor_words(&a->cases), 8);
  if (d.rule.sizes && d.rule.literals && d.found.literals && d.some) {
    d.found.scratch = d.found.literals + a->M;
  } else {
    s->status = irl_fail_memory(a->env);
    s->is_cut = true;
  }
  const uint64_t start = s->work;
  if (!s->is_cut && s->best.loss == INT64_MAX) {
    s->path.n = 0;
    irl_andor_offer(s, &s->steps[0]);
    fill_all(&d);
    take_path(&d);
    improve(&d);
  }
  for (uint32_t idle = 0; idle < MAX_IDLE + 2 * a->K && a->K > 1; idle++) {
    const int64_t before = s->best.loss;
    if (s->work - start > max_work || irl_andor_is_over(s) || before <= s->bound) break;
    if (before != INT64_MAX) copy_rule(a, &s->best, &d.rule);
    disturb(&d);
    improve(&d);
    if (s->best.loss < before) idle = 0;
  }
  irl_arena_free(&arena);
}
