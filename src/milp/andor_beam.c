/* A good clause for what is left, level by level: of all clauses with one literal more than those
 * kept so far the best are kept, by how many more cases they cover than clauses without relation to
 * the labels would, in standard deviations. The clause of largest value on the way is the result;
 * nothing is proven. */
#include "bits/kernels.h"
#include "milp/andor_search.h"
#include <math.h>

#define BEAM_WORK ((uint64_t)4000000) /* words for a clause, by which the width is chosen */
#define MIN_WIDTH 6u
#define MAX_WIDTH 64u

typedef struct partial {
  double score;
  uint32_t size;
  uint32_t *literals;
} partial;

struct irl_andor_beam {
  partial *kept, *next;
  uint32_t n_kept, n_next, width;
  uint64_t *cases, *controls;
  uint32_t *case_counts, *control_counts;
  int64_t *weights; /* of cases and controls by literal */
};

bool irl_andor_beam_init(irl_andor_search *s) {
  const irl_andor *a = s->andor;
  irl_arena *arena = &s->arena;
  const size_t words = irl_andor_words(&a->cases) + irl_andor_words(&a->controls);
  const double cost = (double)a->n_literals * (double)words * a->M;
  irl_andor_beam *b = irl_arena_alloc(arena, 1, sizeof *b);
  if (!b) return false;
  b->width = (uint32_t)fmin(MAX_WIDTH, fmax(MIN_WIDTH, (double)BEAM_WORK / cost));
  b->kept = irl_arena_alloc(arena, b->width + 1, sizeof *b->kept);
  b->next = irl_arena_alloc(arena, b->width + 1, sizeof *b->next);
  uint32_t *literals = irl_arena_alloc(arena, 2 * ((size_t)b->width + 1) * a->M, sizeof *literals);
  b->cases = irl_arena_alloc_aligned(arena, irl_andor_words(&a->cases), 8);
  b->controls = irl_arena_alloc_aligned(arena, irl_andor_words(&a->controls), 8);
  b->case_counts = irl_arena_alloc(arena, a->n_literals, sizeof *b->case_counts);
  b->control_counts = irl_arena_alloc(arena, a->n_literals, sizeof *b->control_counts);
  b->weights = irl_arena_alloc(arena, 2 * (size_t)a->n_literals, sizeof *b->weights);
  if (!b->kept || !b->next || !literals || !b->cases || !b->controls || !b->case_counts ||
      !b->control_counts || !b->weights)
    return false;
  for (uint32_t k = 0; k <= b->width; k++) {
    b->kept[k].literals = literals + (size_t)k * a->M;
    b->next[k].literals = literals + ((size_t)b->width + 1 + k) * a->M;
  }
  s->beam = b;
  return true;
}

/* Weights of what each literal leaves of the masks, in row 0; counts of controls stay. */
static void weigh_literals(irl_andor_search *s) {
  const irl_kernels *kernels = irl_bits_kernels();
  const irl_andor *a = s->andor;
  irl_andor_beam *b = s->beam;
  memset(b->weights, 0, 2 * (size_t)a->n_literals * sizeof *b->weights);
  for (int is_control = 0; is_control < 2; is_control++) {
    const irl_andor_side *side = is_control ? &a->controls : &a->cases;
    const int64_t *weights = is_control ? s->beam_control_weight : s->beam_case_weight;
    const uint64_t *mask = is_control ? b->controls : b->cases;
    int64_t *into = b->weights + (is_control ? a->n_literals : 0);
    for (uint32_t g = 0; g < side->n_segments; g++) {
      kernels->and_count_many(mask + side->start[g], side->bits.words + side->start[g],
                              side->bits.stride, NULL, a->n_literals,
                              side->start[g + 1] - side->start[g], b->case_counts);
      for (uint32_t l = 0; l < a->n_literals; l++)
        into[l] += weights[g] * (int64_t)b->case_counts[l];
    }
    s->work += a->n_literals * irl_andor_words(side);
  }
}

/* Standard deviations by which the cases covered exceed their share. */
static double score_of(double cases, double controls, double all_cases, double all_controls) {
  const double p = all_cases / (all_cases + all_controls), n = cases + controls;
  if (!(n > 0) || !(p > 0) || !(p < 1)) return 0;
  return (cases - n * p) / sqrt(n * p * (1 - p));
}

/* Is the clause with one literal more kept already? Literals are in rising order. */
static bool is_there(const irl_andor_beam *b, const partial *p) {
  for (uint32_t k = 0; k < b->n_next; k++)
    if (b->next[k].score == p->score &&
        memcmp(b->next[k].literals, p->literals, p->size * sizeof *p->literals) == 0)
      return true;
  return false;
}

static void insert_literal(const partial *from, uint32_t literal, double score, partial *to) {
  uint32_t at = from->size;
  assert(from->literals != to->literals);
  for (; at > 0 && from->literals[at - 1] > literal; at--)
    to->literals[at] = from->literals[at - 1];
  to->literals[at] = literal;
  memcpy(to->literals, from->literals, at * sizeof *to->literals);
  to->size = from->size + 1;
  to->score = score;
}

/* Puts the clause among the best of the next level; place `width` is spare. */
static void keep(irl_andor_beam *b, const partial *from, uint32_t literal, double score) {
  assert(b->n_next <= b->width);
  if (b->n_next == b->width && score <= b->next[b->n_next - 1].score) return;
  partial *spare = &b->next[b->width], made;
  insert_literal(from, literal, score, spare);
  if (is_there(b, spare)) return;
  made = *spare;
  if (b->n_next < b->width) {
    b->next[b->width] = b->next[b->n_next];
    b->n_next++;
  } else {
    b->next[b->width] = b->next[b->n_next - 1];
  }
  uint32_t at = b->n_next - 1;
  for (; at > 0 && b->next[at - 1].score < score; at--) b->next[at] = b->next[at - 1];
  b->next[at] = made;
  assert(at == 0 || b->next[at - 1].score >= score);
}

/* May the clause stand beside those of the step: is every row kept that no other can mend? */
static bool is_allowed(irl_andor_search *s, const irl_andor_step *step, const partial *p) {
  const irl_andor *a = s->andor;
  irl_andor_beam *b = s->beam;
  for (uint32_t i = 1; i < a->n_rows; i++) {
    const irl_andor_row *row = &a->rows[i];
    if (row->has_cases) continue;
    int64_t loss = step->loss[i] + row->clause_cost;
    irl_andor_cover(&a->controls, p->size, p->literals, step->controls, b->controls);
    loss += irl_andor_weigh(&a->controls, row->control_weight, b->controls);
    for (uint32_t l = 0; l < p->size && row->literal_cost; l++)
      loss += row->literal_cost[p->literals[l]];
    if (loss > s->limits[i]) return false;
  }
  return true;
}

/* All clauses with one literal more than p. */
static void extend(irl_andor_search *s, const irl_andor_step *step, const partial *p,
                   const uint64_t *cases, irl_andor_clause_found *best) {
  const irl_andor *a = s->andor;
  irl_andor_beam *b = s->beam;
  const double all_cases = s->beam_all[0], all_controls = s->beam_all[1];
  int64_t cost = a->rows[0].clause_cost;
  irl_andor_cover(&a->cases, p->size, p->literals, cases, b->cases);
  irl_andor_cover(&a->controls, p->size, p->literals, step->controls, b->controls);
  for (uint32_t l = 0; l < p->size && a->rows[0].literal_cost; l++)
    cost += a->rows[0].literal_cost[p->literals[l]];
  const int64_t before = irl_andor_weigh(&a->controls, s->beam_control_weight, b->controls);
  const int64_t own = irl_andor_weigh(&a->cases, s->beam_case_weight, b->cases);
  weigh_literals(s);
  for (uint32_t l = 0; l < a->n_literals; l++) {
    const int64_t gained = b->weights[l], paid = b->weights[a->n_literals + l];
    assert(gained >= 0 && gained <= own && paid >= 0 && paid <= before);
    if (gained == 0 || (paid == before && (p->size > 0 || gained == own))) continue;
    const int64_t literal = a->rows[0].literal_cost ? a->rows[0].literal_cost[l] : 0;
    const int64_t value = gained - paid - cost - literal;
    if (value > best->value) {
      partial made = {.literals = best->scratch};
      insert_literal(p, l, 0, &made);
      if (is_allowed(s, step, &made)) {
        best->value = value;
        best->size = made.size;
        memcpy(best->literals, made.literals, made.size * sizeof *best->literals);
      }
    }
    if (p->size + 1 < a->M)
      keep(b, p, l, score_of((double)gained, (double)paid, all_cases, all_controls));
  }
}

void irl_andor_beam_seek(irl_andor_search *s, const irl_andor_step *step, const uint64_t *cases,
                         irl_andor_clause_found *best) {
  const irl_andor *a = s->andor;
  irl_andor_beam *b = s->beam;
  for (uint32_t g = 0; g < a->cases.n_segments; g++)
    s->beam_case_weight[g] = a->rows[0].case_weight[g];
  for (uint32_t g = 0; g < a->controls.n_segments; g++) {
    s->beam_control_weight[g] = a->rows[0].control_weight[g];
    /* Controls that cost nothing may be limited by a row. */
    for (uint32_t i = 1; i < a->n_rows && !a->rows[0].has_controls; i++)
      s->beam_control_weight[g] += a->rows[i].control_weight[g];
  }
  s->beam_all[0] = (double)irl_andor_weigh(&a->cases, s->beam_case_weight, cases);
  s->beam_all[1] = (double)irl_andor_weigh(&a->controls, s->beam_control_weight, step->controls);
  assert(irl_bits_is_subset(cases, step->cases, irl_andor_words(&a->cases)));
  b->n_kept = 1;
  b->kept[0].size = 0;
  for (uint32_t size = 0; size < a->M && b->n_kept && !irl_andor_is_over(s); size++) {
    b->n_next = 0;
    for (uint32_t k = 0; k < b->n_kept && !irl_limit_poll(&s->limit); k++)
      extend(s, step, &b->kept[k], cases, best);
    partial *kept = b->kept;
    b->kept = b->next;
    b->next = kept;
    b->n_kept = b->n_next;
  }
}
