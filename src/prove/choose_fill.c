/* The candidates of a node of the choice: what each would add, what is given away, and which of
 * them may be part of a better choice. See choose.c. */
#include "prove/choose_worker.h"
#include <stdlib.h>

#define MAX_RELAX_ROUNDS 12u /* sets that are tried at a node, at most */

/* ---- counting ---- */

void irl_choose_weigh(irl_choose_worker *w, int class, const uint64_t *vector, uint32_t n) {
  const irl_learn_choosing *choosing = w->choosing;
  const irl_merged *merged = choosing->merged;
  const irl_bits_matrix *covers = class ? &choosing->list->controls : &choosing->list->cases;
  const size_t extra = merged->n_words[class] - merged->first_word[class];
  w->work += n * (covers->stride + 2 * extra);
  for (uint32_t first = 0; first < n; first += IRL_CHOOSE_CHUNK) {
    const uint32_t end = n - first < IRL_CHOOSE_CHUNK ? n : first + IRL_CHOOSE_CHUNK;
    irl_bits_kernels()->and_count_many(vector, covers->words, covers->stride, w->ids + first,
                                       end - first, covers->stride, w->counts);
    for (uint32_t i = first; i < end; i++)
      w->weights[i] = irl_merged_weigh_counted(
          merged, class, vector, irl_bits_vector(covers, w->ids[i]), w->counts[i - first]);
  }
}

/* The largest positive numbers, in falling order. */
typedef struct largest {
  int64_t number[IRL_CHOOSE_MAX_K];
  uint32_t i[IRL_CHOOSE_MAX_K]; /* whose */
  uint32_t n, used;
} largest;

static void put_largest(largest *l, int64_t number, uint32_t i) {
  if (number <= 0 || (l->used == l->n && (!l->n || number <= l->number[l->n - 1]))) return;
  uint32_t at = l->used < l->n ? l->used++ : l->n - 1;
  for (; at && l->number[at - 1] < number; at--) {
    l->number[at] = l->number[at - 1];
    l->i[at] = l->i[at - 1];
  }
  l->number[at] = number;
  l->i[at] = i;
}

static int64_t sum_of(const largest *l, uint32_t n) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < n && i < l->used; i++) sum += l->number[i];
  return sum;
}

/* ---- candidates of a node ---- */

/* What each of the candidates would add; those that add no case or cost too much are left out. */
static void count(irl_choose_worker *w, irl_choose_frame *f, const irl_choose_candidate *from,
                  uint32_t n) {
  const irl_learn_choosing *choosing = w->choosing;
  const int64_t budget = w->target - 1 - f->cost_so_far;
  const uint64_t max_size = choosing->max_literals - f->literals;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = from ? from[i].k : i;
    if (choosing->list->sizes[k] <= max_size) w->ids[kept++] = k;
  }
  n = kept;
  kept = 0;
  irl_choose_weigh(w, 0, f->live, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!w->weights[i]) continue;
    f->list[kept] = (irl_choose_candidate){.k = w->ids[i], .a = w->weights[i]};
    w->ids[kept++] = w->ids[i];
  }
  n = kept;
  kept = 0;
  irl_choose_weigh(w, 1, f->live + w->case_words, n);
  for (uint32_t i = 0; i < n; i++) {
    f->list[i].b = w->weights[i];
    if (f->list[i].b <= budget) f->list[kept++] = f->list[i];
  }
  f->n = kept;
}

/* Values without the cases that are given away; the largest of them. */
static void value(irl_choose_worker *w, irl_choose_frame *f, largest *most) {
  const size_t words = w->case_words;
  most->n = f->left;
  most->used = 0;
  for (size_t i = 0; i < words; i++) w->counted[i] = f->live[i] & ~f->relaxed[i];
  for (uint32_t i = 0; i < f->n; i++) w->ids[i] = f->list[i].k;
  if (f->relaxed_weight) irl_choose_weigh(w, 0, w->counted, f->n);
  for (uint32_t i = 0; i < f->n; i++) {
    f->list[i].value = f->left * (f->relaxed_weight ? w->weights[i] : f->list[i].a) - f->list[i].b;
    put_largest(most, f->list[i].value, i);
  }
}

/* Adds the cases that several of the largest values count to those given away; false: none. */
static bool relax_more(irl_choose_worker *w, irl_choose_frame *f, const largest *most) {
  const size_t words = w->case_words;
  memset(w->once, 0, words * sizeof *w->once);
  memset(w->twice, 0, words * sizeof *w->twice);
  for (uint32_t j = 0; j < most->used; j++) {
    const uint64_t *cover = irl_choose_cases(w, f->list[most->i[j]].k);
    for (size_t i = 0; i < words; i++) {
      const uint64_t counted = cover[i] & f->live[i] & ~f->relaxed[i];
      w->twice[i] |= w->once[i] & counted;
      w->once[i] |= counted;
    }
  }
  w->work += most->used * words;
  const int64_t more = irl_merged_weigh(w->choosing->merged, 0, w->twice);
  for (size_t i = 0; i < words; i++) f->relaxed[i] |= w->twice[i];
  f->relaxed_weight += more;
  return more > 0;
}

/* No choice gains more, times the clauses left. */
static int64_t most_gain(const irl_choose_frame *f, const largest *most) {
  return f->left * f->relaxed_weight + sum_of(most, f->left);
}

static void drop_hopeless(irl_choose_frame *f, const largest *most, int64_t required_gain) {
  const int64_t others = sum_of(most, f->left - 1),
                wanted = f->left * (required_gain - f->relaxed_weight);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    const bool is_in =
        f->list[i].value > 0 && most->used && f->list[i].value >= most->number[most->used - 1];
    const int64_t sum = is_in ? sum_of(most, f->left) : f->list[i].value + others;
    if (sum >= wanted) f->list[kept++] = f->list[i];
  }
  f->n = kept;
}

static int by_value(const void *x, const void *y) {
  const irl_choose_candidate *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static void relax_none(irl_choose_worker *w, irl_choose_frame *f) {
  memset(f->relaxed, 0, w->case_words * sizeof *f->relaxed);
  f->relaxed_weight = 0;
}

/* Values with what is given away now. False: no choice is better. Otherwise what cannot be part of
 * one is dropped, and the set is remembered if fewer clauses than with any before could be the
 * first of a better choice: by value, that has the average of what is needed at least. */
static bool judge(irl_choose_worker *w, irl_choose_frame *f, largest *most) {
  const size_t size = w->case_words * sizeof *f->relaxed;
  const int64_t required_gain = irl_choose_need(w, f);
  uint32_t n_first = 0;
  value(w, f, most);
  if (most_gain(f, most) < f->left * required_gain) return false;
  drop_hopeless(f, most, required_gain);
  for (uint32_t i = 0; i < f->n; i++)
    n_first += f->list[i].value >= required_gain - f->relaxed_weight;
  if (n_first >= w->n_first) return true;
  w->n_first = n_first;
  memcpy(w->relaxed, f->relaxed, size);
  return true;
}

/* Tries nothing, what the parent gave away, and more as long as that makes the bound smaller; false
 * as judge. */
static bool relax(irl_choose_worker *w, irl_choose_frame *f) {
  const irl_merged *merged = w->choosing->merged;
  const size_t words = w->case_words;
  largest most;
  w->n_first = UINT32_MAX;
  for (size_t i = 0; i < words; i++) w->once[i] = f->relaxed[i] & f->live[i];
  relax_none(w, f);
  if (!judge(w, f, &most)) return false;
  if (f->left < 3) return true; /* pairs are tried one by one */
  const int64_t without = most_gain(f, &most);
  f->relaxed_weight = irl_merged_weigh(merged, 0, w->once);
  if (f->relaxed_weight) {
    memcpy(f->relaxed, w->once, words * sizeof *f->relaxed);
    if (!judge(w, f, &most)) return false;
    if (most_gain(f, &most) >= without) relax_none(w, f);
  }
  for (uint32_t round = 0; round < MAX_RELAX_ROUNDS && f->n > 1; round++) {
    value(w, f, &most); /* their numbers have changed */
    const int64_t before = most_gain(f, &most);
    if (!relax_more(w, f, &most)) break;
    if (!judge(w, f, &most)) return false;
    if (most_gain(f, &most) >= before) break;
  }
  memcpy(f->relaxed, w->relaxed, words * sizeof *f->relaxed);
  f->relaxed_weight = irl_merged_weigh(merged, 0, f->relaxed);
  value(w, f, &most);
  return true;
}

void irl_choose_fill(irl_choose_worker *w, uint32_t depth, const irl_choose_candidate *from,
                     uint32_t n) {
  irl_choose_frame *f = &w->frames[depth];
  count(w, f, from, n);
  if (!relax(w, f)) f->n = 0;
  if (f->left != 2 || !depth) qsort(f->list, f->n, sizeof *f->list, by_value);
}
