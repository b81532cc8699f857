/* Multipliers of the cases (method.md, lemmas 2 and 3): the cases of a set D are taken to be gained
 * at once, the others count as before. With v_D the value without the cases of D, the values of the
 * further clauses of a better rule sum up to r (g - w(D)), and if none is above m each has at least
 * t = r (g - w(D)) - (r - 1) m. D is right whatever it is; good is one with a large t.
 *
 * The search for it begins with the cases that the best rule covers more than once. Then, step by
 * step, the clause of largest v_D is found and some of its cases join D, those first that most of
 * the clauses found so far cover. The best D on the way is kept. */
#include "bits/kernels.h"
#include "milp/andor_search.h"

#define MAX_STEPS  60u
#define PATIENCE   15u
#define STEP_SHARE 12u /* of the cases of the largest clause that join D in a step */
#define STEP_WORK  ((uint64_t)20000000)

typedef struct relaxer {
  irl_andor_search *search;
  irl_andor_step *step;
  uint64_t *relaxed, *cover; /* D, scratch */
  uint8_t *seen;             /* by case: clauses of largest value that cover it, and the rule's */
  irl_andor_list list;
} relaxer;

/* What the best rule covers more than once of what is left. */
static void start_with_rule(relaxer *r) {
  const irl_andor_search *s = r->search;
  const irl_andor *a = s->andor;
  const size_t words = irl_andor_words(&a->cases);
  memset(r->relaxed, 0, words * sizeof *r->relaxed);
  for (uint32_t k = 0; k < s->best.n && s->best.loss != INT64_MAX; k++) {
    irl_andor_cover(&a->cases, s->best.sizes[k], s->best.literals + (size_t)k * a->M,
                    r->step->cases, r->cover);
    for (size_t i = 0; i < 64 * words; i++) {
      if (!irl_bits_get(r->cover, i)) continue;
      if (r->seen[i]++) irl_bits_set(r->relaxed, i);
    }
  }
}

/* The cases of the clause that most others cover join D. */
static void grow(relaxer *r, const irl_andor_found *found) {
  const irl_andor *a = r->search->andor;
  const size_t words = irl_andor_words(&a->cases);
  uint64_t left = 0;
  assert(found->size <= a->M && found->first + found->size <= r->list.literals.n);
  irl_andor_cover(&a->cases, found->size, irl_andor_literals(&r->list, found), r->step->counted,
                  r->cover);
  for (size_t i = 0; i < 64 * words; i++)
    if (irl_bits_get(r->cover, i) && r->seen[i] < UINT8_MAX) r->seen[i]++;
  left = 1 + irl_bits_kernels()->count(r->cover, words) / STEP_SHARE;
  for (uint32_t level = UINT8_MAX; level > 0 && left > 0; level--)
    for (size_t i = 0; i < 64 * words && left > 0; i++) {
      if (r->seen[i] != level || !irl_bits_get(r->cover, i)) continue;
      irl_bits_set(r->relaxed, i);
      left--;
    }
  r->search->work += words * 64;
}

/* The step's counted cases and the weight of the others, by a set D. */
static void apply(irl_andor_search *s, irl_andor_step *step, const uint64_t *relaxed,
                  uint64_t *scratch) {
  const irl_andor *a = s->andor;
  const size_t words = irl_andor_words(&a->cases);
  irl_bits_kernels()->and_into(scratch, step->cases, relaxed, words);
  step->relaxed = irl_andor_weigh(&a->cases, a->rows[0].case_weight, scratch);
  assert(step->relaxed >= 0);
  irl_bits_kernels()->andnot_into(step->counted, step->cases, relaxed, words);
  s->work += 2 * words;
}

void irl_andor_relax_step(irl_andor_search *s, irl_andor_step *step) {
  apply(s, step, s->relaxed, s->scratch);
}

/* The threshold t of D as it is now, and the clause of largest value in the list; false: none of
 * value g - w(D), so that the node is closed, or it is cut, or D is too large: with g - w(D) <= 0
 * nothing follows for rules of fewer than r further clauses. */
static bool judge(relaxer *r, const irl_andor_query *query, int64_t places, int64_t *threshold,
                  bool *is_closed) {
  irl_andor_query q = *query;
  bool is_complete;
  apply(r->search, r->step, r->relaxed, r->cover);
  q.cases = r->step->counted;
  q.wants_best = true;
  q.least = query->least - r->step->relaxed;
  q.max_work = STEP_WORK;
  if (q.least <= 0) return false;
  const irl_status status = irl_andor_seek(&r->search->seeker, &q, &r->list, &is_complete);
  if (status) {
    r->search->status = status;
    r->search->is_cut = true;
  }
  if (!is_complete || status) return false;
  *is_closed = !r->list.clauses.n;
  if (*is_closed) return false;
  const int64_t most = r->list.clauses.items[0].value;
  assert(most >= q.least && places >= 1);
  *threshold = places * q.least - (places - 1) * (most > 0 ? most : 0);
  return true;
}

bool irl_andor_relax(irl_andor_search *s, uint32_t depth, const irl_andor_query *query,
                     int64_t *threshold) {
  const irl_andor *a = s->andor;
  const size_t words = irl_andor_words(&a->cases);
  const int64_t places = (int64_t)(a->K - depth);
  irl_arena arena;
  irl_arena_init(&arena, &a->env->allocator);
  relaxer r = {.search = s, .step = &s->steps[depth]};
  r.relaxed = irl_arena_alloc_aligned(&arena, words, sizeof(uint64_t));
  r.cover = irl_arena_alloc_aligned(&arena, words, sizeof(uint64_t));
  r.seen = irl_arena_alloc(&arena, 64 * words, 1);
  bool is_closed = false;
  assert(depth < a->K && query->row == 0);
  memset(s->relaxed, 0, words * sizeof *s->relaxed);
  if (!r.relaxed || !r.cover || !r.seen) {
    s->status = irl_fail_memory(a->env);
    s->is_cut = true;
  } else {
    start_with_rule(&r);
  }
  for (uint32_t n = 0, idle = 0; n < MAX_STEPS && idle < PATIENCE && !irl_andor_is_over(s); n++) {
    int64_t t;
    if (!judge(&r, query, places, &t, &is_closed)) break;
    idle++;
    if (depth == 0) irl_andor_note_bound(s, r.step->relaxed, r.list.clauses.items[0].value);
    if (t > *threshold) {
      *threshold = t;
      memcpy(s->relaxed, r.relaxed, words * sizeof *s->relaxed);
      idle = 0;
    }
    grow(&r, &r.list.clauses.items[0]);
  }
  irl_andor_list_free(&a->env->allocator, &r.list);
  irl_arena_free(&arena);
  if (!s->is_cut) irl_andor_relax_step(s, r.step);
  return !is_closed;
}
