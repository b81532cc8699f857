/* Branch and bound over choices of clauses from a list, for weighted samples.
 *
 * With r clauses left and `need` still to gain, value = r * (new cases) - (new controls) of the r
 * clauses sums up to r * need or more, as everywhere in the proof. That counts a case once for each
 * clause that covers it, and where clauses resemble each other the bound is hopeless. So some cases
 * are given away: let D be a set of them. The r clauses gain at most the weight of D and what they
 * gain on the others, so the values counted without D must sum up to r * (need - weight of D). D
 * grows by the cases that more than one of the r largest values count, as long as that makes the
 * bound smaller; children start with the D of their parent. (This is a Lagrangian bound with
 * multipliers 0 or 1, which need no arithmetic but counting.)
 *
 * A candidate is dropped if its value and the r - 1 largest others do not reach that sum. The
 * clause branched on is the first of the choice by value, the others come after it; two clauses are
 * left to a loop over pairs, where both new cases less the larger new controls reject nearly
 * everything without touching a bit. The first clauses are the tasks of a search in rounds. */
#include "learn/choose.h"
#include "base/memory.h"
#include "search/rounds.h"
#include <stdlib.h>

#define MAX_K          64u
#define GIVE_ROUNDS    12u                 /* sets D that are tried at a node, at most */
#define CHUNK          128u                /* covers that are weighed while they are in cache */
#define CHECK_INTERVAL ((uint64_t)1 << 20) /* words of work between looks at the clock */

typedef struct candidate {
  int64_t value, a, b;
  uint32_t k;
} candidate;

typedef struct frame {
  uint64_t *live;  /* cases, then controls, that the choice leaves uncovered */
  uint64_t *given; /* cases that are given away */
  candidate *list;
  uint32_t n;
  uint32_t left;
  int64_t loss, paid;
  uint64_t literals;
  int64_t free; /* weight of what is given away */
} frame;

typedef struct worker {
  struct chooser *c;
  frame frames[MAX_K + 1];
  uint32_t path[MAX_K], best[MAX_K];
  uint32_t n_path, n_best;
  int64_t target;
  uint32_t *ids, *places;
  uint32_t counts[CHUNK];
  int64_t *weights, *sums;
  uint64_t *counted, *once, *twice, *given, *cover; /* scratch: cases; cover has controls too */
  uint32_t n_first;                                 /* with what is in `given` */
  uint64_t nodes, work, max_work, next_check;
  bool is_cut;
} worker;

typedef struct chooser {
  irl_env *env;
  irl_learn_choosing *choosing;
  const irl_limit *limit;
  size_t case_words, control_words;
  worker *workers;
  candidate *list; /* of the root: a task each */
  uint32_t n;
  int64_t *bounds;
  uint32_t *found, *n_found; /* by each task of a round, K each */
  int64_t *losses;
  uint64_t *task_nodes;
} chooser;

/* ---- counting ---- */

static const uint64_t *cases_of(const worker *w, uint32_t k) {
  return irl_bits_vector(&w->c->choosing->list->cases, k);
}

static const uint64_t *controls_of(const worker *w, uint32_t k) {
  return irl_bits_vector(&w->c->choosing->list->controls, k);
}

/* The weight that each of n clauses (in w->ids) shares with a vector of one class, to w->weights.
 */
static void weigh_all(worker *w, int class, const uint64_t *vector, uint32_t n) {
  const irl_learn_choosing *choosing = w->c->choosing;
  const irl_learn_reduced *reduced = choosing->reduced;
  const irl_bits_matrix *covers = class ? &choosing->list->controls : &choosing->list->cases;
  const size_t extra = reduced->n_words[class] - reduced->first_word[class];
  w->work += n * (covers->stride + 2 * extra);
  for (uint32_t first = 0; first < n; first += CHUNK) {
    const uint32_t end = n - first < CHUNK ? n : first + CHUNK;
    irl_bits_kernels()->and_count_many(vector, covers->words, covers->stride, w->ids + first,
                                       end - first, covers->stride, w->counts);
    for (uint32_t i = first; i < end; i++)
      w->weights[i] = irl_learn_reduced_weigh_counted(
          reduced, class, vector, irl_bits_vector(covers, w->ids[i]), w->counts[i - first]);
  }
}

/* The largest positive numbers, in falling order. */
typedef struct largest {
  int64_t number[MAX_K];
  uint32_t i[MAX_K]; /* whose */
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

static int64_t need_of(const worker *w, const frame *f) {
  return f->loss - (w->target - 1);
}

/* What each of the candidates would add; those that add no case or cost too much are left out. */
static void count(worker *w, frame *f, const candidate *from, uint32_t n) {
  const irl_learn_choosing *choosing = w->c->choosing;
  const int64_t room = w->target - 1 - f->paid;
  const uint64_t max_size = choosing->max_literals - f->literals;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = from ? from[i].k : i;
    if (choosing->list->sizes[k] <= max_size) w->ids[kept++] = k;
  }
  n = kept;
  kept = 0;
  weigh_all(w, 0, f->live, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!w->weights[i]) continue;
    f->list[kept] = (candidate){.k = w->ids[i], .a = w->weights[i]};
    w->ids[kept++] = w->ids[i];
  }
  n = kept;
  kept = 0;
  weigh_all(w, 1, f->live + w->c->case_words, n);
  for (uint32_t i = 0; i < n; i++) {
    f->list[i].b = w->weights[i];
    if (f->list[i].b <= room) f->list[kept++] = f->list[i];
  }
  f->n = kept;
}

/* Values without the cases that are given away; the largest of them. */
static void value(worker *w, frame *f, largest *most) {
  const size_t words = w->c->case_words;
  most->n = f->left;
  most->used = 0;
  for (size_t i = 0; i < words; i++) w->counted[i] = f->live[i] & ~f->given[i];
  for (uint32_t i = 0; i < f->n; i++) w->ids[i] = f->list[i].k;
  if (f->free) weigh_all(w, 0, w->counted, f->n);
  for (uint32_t i = 0; i < f->n; i++) {
    f->list[i].value = f->left * (f->free ? w->weights[i] : f->list[i].a) - f->list[i].b;
    put_largest(most, f->list[i].value, i);
  }
}

/* Adds the cases that several of the largest values count to those given away; false: none. */
static bool give_more(worker *w, frame *f, const largest *most) {
  const size_t words = w->c->case_words;
  memset(w->once, 0, words * sizeof *w->once);
  memset(w->twice, 0, words * sizeof *w->twice);
  for (uint32_t j = 0; j < most->used; j++) {
    const uint64_t *cover = cases_of(w, f->list[most->i[j]].k);
    for (size_t i = 0; i < words; i++) {
      const uint64_t counted = cover[i] & f->live[i] & ~f->given[i];
      w->twice[i] |= w->once[i] & counted;
      w->once[i] |= counted;
    }
  }
  w->work += most->used * words;
  const int64_t more = irl_learn_reduced_weigh(w->c->choosing->reduced, 0, w->twice);
  for (size_t i = 0; i < words; i++) f->given[i] |= w->twice[i];
  f->free += more;
  return more > 0;
}

/* No choice gains more, times the clauses left. */
static int64_t most_gain(const frame *f, const largest *most) {
  return f->left * f->free + sum_of(most, f->left);
}

static void drop_hopeless(frame *f, const largest *most, int64_t need) {
  const int64_t others = sum_of(most, f->left - 1), wanted = f->left * (need - f->free);
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
  const candidate *a = x, *b = y;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

static void give_nothing(worker *w, frame *f) {
  memset(f->given, 0, w->c->case_words * sizeof *f->given);
  f->free = 0;
}

/* Values with what is given away now. False: no choice is better. Otherwise what cannot be part of
 * one is dropped, and the set is remembered if fewer clauses than with any before could be the
 * first of a better choice: by value, that has the average of what is needed at least. */
static bool judge(worker *w, frame *f, largest *most) {
  const size_t size = w->c->case_words * sizeof *f->given;
  const int64_t need = need_of(w, f);
  uint32_t n_first = 0;
  value(w, f, most);
  if (most_gain(f, most) < f->left * need) return false;
  drop_hopeless(f, most, need);
  for (uint32_t i = 0; i < f->n; i++) n_first += f->list[i].value >= need - f->free;
  if (n_first >= w->n_first) return true;
  w->n_first = n_first;
  memcpy(w->given, f->given, size);
  return true;
}

/* Tries nothing, what the parent gave away, and more as long as that makes the bound smaller; false
 * as judge. */
static bool give(worker *w, frame *f) {
  const irl_learn_reduced *reduced = w->c->choosing->reduced;
  const size_t words = w->c->case_words;
  largest most;
  w->n_first = UINT32_MAX;
  for (size_t i = 0; i < words; i++) w->once[i] = f->given[i] & f->live[i];
  give_nothing(w, f);
  if (!judge(w, f, &most)) return false;
  if (f->left < 3) return true; /* pairs are tried one by one */
  const int64_t without = most_gain(f, &most);
  f->free = irl_learn_reduced_weigh(reduced, 0, w->once);
  if (f->free) {
    memcpy(f->given, w->once, words * sizeof *f->given);
    if (!judge(w, f, &most)) return false;
    if (most_gain(f, &most) >= without) give_nothing(w, f);
  }
  for (uint32_t round = 0; round < GIVE_ROUNDS && f->n > 1; round++) {
    value(w, f, &most); /* their numbers have changed */
    const int64_t before = most_gain(f, &most);
    if (!give_more(w, f, &most)) break;
    if (!judge(w, f, &most)) return false;
    if (most_gain(f, &most) >= before) break;
  }
  memcpy(f->given, w->given, words * sizeof *f->given);
  f->free = irl_learn_reduced_weigh(reduced, 0, f->given);
  value(w, f, &most);
  return true;
}

/* Candidates that may be part of a better choice, by value unless two are left. */
static void fill(worker *w, uint32_t depth, const candidate *from, uint32_t n) {
  frame *f = &w->frames[depth];
  count(w, f, from, n);
  if (!give(w, f)) f->n = 0;
  if (f->left != 2) qsort(f->list, f->n, sizeof *f->list, by_value);
}

/* ---- nodes ---- */

static bool must_cut(worker *w) {
  if (w->is_cut) return true;
  if (w->work < w->next_check && w->work < w->max_work) return false;
  w->next_check = w->work + CHECK_INTERVAL;
  w->is_cut = w->work >= w->max_work || irl_limit_cut(w->c->limit);
  return w->is_cut;
}

static void accept(worker *w, int64_t loss, const uint32_t *more, uint32_t n_more) {
  memcpy(w->best, w->path, w->n_path * sizeof *w->best);
  memcpy(w->best + w->n_path, more, n_more * sizeof *w->best);
  w->n_best = w->n_path + n_more;
  w->target = loss;
}

static int by_cases(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->a != b->a) return a->a > b->a ? -1 : 1;
  return a->k < b->k ? -1 : 1;
}

/* Candidates that some other could complete: what the two gain is no more than the cases of one and
 * the cases less the controls of the other, whichever is which. */
static void keep_paired(const worker *w, frame *f) {
  const int64_t need = need_of(w, f);
  int64_t most = 0, most_net = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    const candidate *c = &f->list[i];
    if (c->a > most) most = c->a;
    if (c->a - c->b > most_net) most_net = c->a - c->b;
  }
  for (uint32_t i = 0; i < f->n; i++) {
    const candidate *c = &f->list[i];
    if (c->a + most_net >= need && c->a - c->b + most >= need) f->list[kept++] = *c;
  }
  f->n = kept;
}

/* The places after i in the list of candidates that may complete number i, to w->places; how many.
 */
static uint32_t find_partners(worker *w, const frame *f, uint32_t i) {
  const candidate *x = &f->list[i];
  const int64_t rest = need_of(w, f) - x->a;
  uint32_t n = 0, j = i + 1;
  for (; j < f->n && f->list[j].a >= rest + x->b; j++)
    if (f->list[j].a >= rest + f->list[j].b) w->places[n++] = j;
  w->work += 1 + (j - i) / 4;
  return n;
}

/* What candidate i shares with each of those in w->places goes off their weights in one class;
 * those that do not reach what is wanted are dropped. `sums` has what the pairs gain. */
static uint32_t drop_partners(worker *w, const frame *f, uint32_t i, int class, uint32_t n) {
  const candidate *x = &f->list[i];
  const int64_t need = need_of(w, f);
  uint32_t kept = 0;
  for (uint32_t j = 0; j < n; j++) w->ids[j] = f->list[w->places[j]].k;
  weigh_all(w, class, class ? w->cover + w->c->case_words : w->cover, n);
  for (uint32_t j = 0; j < n; j++) {
    const candidate *y = &f->list[w->places[j]];
    const int64_t larger = x->b > y->b ? x->b : y->b;
    const int64_t sum = class ? w->sums[j] + w->weights[j] + larger - x->b - y->b
                              : x->a + y->a - w->weights[j] - larger;
    if (sum < need) continue;
    w->places[kept] = w->places[j];
    w->sums[kept++] = sum;
  }
  return kept;
}

/* Pairs of candidate i and later ones. */
static void try_partners(worker *w, const frame *f, uint32_t i) {
  const candidate *x = &f->list[i];
  const uint32_t *sizes = w->c->choosing->list->sizes;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t words = w->c->case_words;
  uint32_t n = find_partners(w, f, i);
  if (!n) return;
  kernels->and_into(w->cover, f->live, cases_of(w, x->k), words);
  n = drop_partners(w, f, i, 0, n);
  if (!n) return;
  kernels->and_into(w->cover + words, f->live + words, controls_of(w, x->k), w->c->control_words);
  n = drop_partners(w, f, i, 1, n);
  for (uint32_t j = 0; j < n; j++) {
    const uint32_t pair[2] = {x->k, f->list[w->places[j]].k};
    const uint64_t literals = f->literals + sizes[pair[0]] + sizes[pair[1]];
    if (f->loss - w->sums[j] < w->target && literals <= w->c->choosing->max_literals)
      accept(w, f->loss - w->sums[j], pair, 2);
  }
}

/* Two clauses left: all pairs by falling cases. */
static void try_pairs(worker *w, frame *f) {
  keep_paired(w, f);
  qsort(f->list, f->n, sizeof *f->list, by_cases);
  for (uint32_t i = 0; i < f->n && !must_cut(w); i++) {
    const candidate *x = &f->list[i];
    if (f->loss - x->a + x->b < w->target) accept(w, f->loss - x->a + x->b, &x->k, 1);
    if (2 * x->a < need_of(w, f)) return; /* nor any later pair */
    try_partners(w, f, i);
  }
}

/* The frame below with one more clause. */
static frame *take(worker *w, uint32_t depth, const candidate *c) {
  const irl_kernels *kernels = irl_bits_kernels();
  const frame *f = &w->frames[depth];
  frame *child = &w->frames[depth + 1];
  kernels->andnot_into(child->live, f->live, cases_of(w, c->k), w->c->case_words);
  kernels->andnot_into(child->live + w->c->case_words, f->live + w->c->case_words,
                       controls_of(w, c->k), w->c->control_words);
  memcpy(child->given, f->given, w->c->case_words * sizeof *child->given);
  child->left = f->left - 1;
  child->loss = f->loss - c->a + c->b;
  child->paid = f->paid + c->b;
  child->literals = f->literals + w->c->choosing->list->sizes[c->k];
  w->work += w->c->case_words + w->c->control_words;
  return child;
}

/* The least loss of a choice with candidate i and later ones of a list by value. */
static int64_t bound_of(const frame *f, const candidate *list, uint32_t n, uint32_t i) {
  int64_t sum = list[i].value + f->left * f->free;
  for (uint32_t j = i + 1; j < n && j < i + f->left && list[j].value > 0; j++) sum += list[j].value;
  const int64_t left = f->left;
  return f->loss - (sum >= 0 ? sum / left : -((-sum + left - 1) / left));
}

/* How many candidates after number i of a list by value may follow it in a better choice: with the
 * largest others after it their values reach what is needed. */
static uint32_t count_followers(const worker *w, const frame *f, const candidate *list, uint32_t n,
                                uint32_t i) {
  int64_t least = f->left * (need_of(w, f) - f->free) - list[i].value;
  for (uint32_t j = i + 1; j < n && j < i + f->left - 1 && list[j].value > 0; j++)
    least -= list[j].value;
  uint32_t low = i + 1;
  for (uint32_t high = n; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (list[middle].value >= least)
      low = middle + 1;
    else
      high = middle;
  }
  return low - i - 1;
}

static void branch(worker *w, uint32_t depth, const candidate *list, uint32_t n, uint32_t i);

static void expand(worker *w, uint32_t depth, const candidate *from, uint32_t n) {
  frame *f = &w->frames[depth];
  if (must_cut(w)) return;
  fill(w, depth, from, n);
  if (f->left == 2) {
    try_pairs(w, f);
    return;
  }
  for (uint32_t i = 0; i < f->n && !must_cut(w); i++) {
    if (bound_of(f, f->list, f->n, i) >= w->target) return;
    branch(w, depth, f->list, f->n, i);
  }
}

static void branch(worker *w, uint32_t depth, const candidate *list, uint32_t n, uint32_t i) {
  const frame *child = take(w, depth, &list[i]);
  w->nodes++;
  if (child->loss < w->target) accept(w, child->loss, &list[i].k, 1);
  if (!child->left) return;
  w->path[w->n_path++] = list[i].k;
  expand(w, depth + 1, list + i + 1, count_followers(w, &w->frames[depth], list, n, i));
  w->n_path--;
}

/* ---- tasks ---- */

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  chooser *c = user;
  const irl_learn_choosing *choosing = c->choosing;
  worker *w = &c->workers[thread];
  w->target = choosing->loss;
  w->nodes = w->work = w->next_check = 0;
  w->max_work = max_work;
  w->is_cut = false;
  w->n_best = UINT32_MAX;
  w->n_path = 0;
  if (c->bounds[task] < w->target) branch(w, 0, c->list, c->n, task);
  c->task_nodes[task] = w->nodes;
  c->n_found[task] = w->n_best;
  if (w->n_best != UINT32_MAX) {
    memcpy(c->found + (size_t)task * choosing->K, w->best, w->n_best * sizeof *c->found);
    c->losses[task] = w->target;
  }
  *is_done = !w->is_cut;
  return w->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  chooser *c = user;
  irl_learn_choosing *choosing = c->choosing;
  (void)is_done;
  choosing->nodes += c->task_nodes[task];
  if (c->n_found[task] == UINT32_MAX || c->losses[task] >= choosing->loss) return;
  choosing->n = c->n_found[task];
  choosing->loss = c->losses[task];
  memcpy(choosing->chosen, c->found + (size_t)task * choosing->K,
         choosing->n * sizeof *choosing->chosen);
}

static irl_status run_tasks(chooser *c) {
  irl_learn_choosing *choosing = c->choosing;
  irl_search_rounds rounds = {.env = c->env,
                              .limit = c->limit,
                              .threads = choosing->threads,
                              .n_tasks = c->n,
                              .user = c,
                              .run = run_task,
                              .merge = merge_task};
  const irl_status status = irl_search_run(&rounds);
  if (status) return status;
  choosing->work += rounds.work;
  choosing->bound = choosing->loss;
  for (uint32_t i = 0; i < c->n; i++)
    if (rounds.is_open[i] && c->bounds[i] < choosing->bound) choosing->bound = c->bounds[i];
  irl_mem_free(&c->env->allocator, rounds.is_open);
  return IRL_OK;
}

/* ---- memory ---- */

static bool make_worker(chooser *c, worker *w) {
  const irl_allocator *allocator = &c->env->allocator;
  const size_t n = c->choosing->list->n, words = c->case_words + c->control_words;
  bool is_ready = true;
  w->c = c;
  for (uint32_t i = 0; i <= c->choosing->K && is_ready; i++) {
    frame *f = &w->frames[i];
    f->live = irl_mem_alloc_aligned(allocator, words, sizeof *f->live);
    f->given = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *f->given);
    f->list = irl_mem_alloc(allocator, n, sizeof *f->list);
    is_ready = f->live && f->given && f->list;
  }
  w->ids = irl_mem_alloc(allocator, n, sizeof *w->ids);
  w->places = irl_mem_alloc(allocator, n, sizeof *w->places);
  w->weights = irl_mem_alloc(allocator, n, sizeof *w->weights);
  w->sums = irl_mem_alloc(allocator, n, sizeof *w->sums);
  w->counted = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->counted);
  w->once = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->once);
  w->twice = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->twice);
  w->given = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->given);
  w->cover = irl_mem_alloc_aligned(allocator, words, sizeof *w->cover);
  return is_ready && w->ids && w->places && w->weights && w->sums && w->counted && w->once &&
         w->twice && w->given && w->cover;
}

static void free_worker(chooser *c, worker *w) {
  const irl_allocator *allocator = &c->env->allocator;
  for (uint32_t i = 0; i <= c->choosing->K; i++) {
    irl_mem_free_aligned(allocator, w->frames[i].live);
    irl_mem_free_aligned(allocator, w->frames[i].given);
    irl_mem_free(allocator, w->frames[i].list);
  }
  irl_mem_free(allocator, w->ids);
  irl_mem_free(allocator, w->places);
  irl_mem_free(allocator, w->weights);
  irl_mem_free(allocator, w->sums);
  irl_mem_free_aligned(allocator, w->counted);
  irl_mem_free_aligned(allocator, w->once);
  irl_mem_free_aligned(allocator, w->twice);
  irl_mem_free_aligned(allocator, w->given);
  irl_mem_free_aligned(allocator, w->cover);
}

/* Nothing is chosen. */
static void begin_root(chooser *c, worker *w) {
  const irl_learn_choosing *choosing = c->choosing;
  const irl_data *data = choosing->reduced->data;
  frame *root = &w->frames[0];
  irl_bits_fill(root->live, data->n_cases, c->case_words);
  irl_bits_fill(root->live + c->case_words, data->n_controls, c->control_words);
  root->left = choosing->K;
  root->loss = irl_learn_reduced_weigh(choosing->reduced, 0, root->live);
  w->target = choosing->loss;
}

/* The candidates of the root, from the first worker, are the tasks. */
static irl_status make_tasks(chooser *c) {
  const irl_allocator *allocator = &c->env->allocator;
  irl_learn_choosing *choosing = c->choosing;
  const frame *first = &c->workers[0].frames[0];
  for (int t = 0; t < choosing->threads; t++) begin_root(c, &c->workers[t]);
  fill(&c->workers[0], 0, NULL, (uint32_t)choosing->list->n);
  for (int t = 1; t < choosing->threads; t++) {
    frame *root = &c->workers[t].frames[0];
    memcpy(root->given, first->given, c->case_words * sizeof *root->given);
    root->free = first->free;
  }
  choosing->work += c->workers[0].work;
  c->n = first->n;
  c->list = irl_mem_alloc(allocator, c->n, sizeof *c->list);
  c->bounds = irl_mem_alloc(allocator, c->n, sizeof *c->bounds);
  c->found = irl_mem_alloc(allocator, (size_t)c->n * choosing->K, sizeof *c->found);
  c->n_found = irl_mem_alloc(allocator, c->n, sizeof *c->n_found);
  c->losses = irl_mem_alloc(allocator, c->n, sizeof *c->losses);
  c->task_nodes = irl_mem_alloc(allocator, c->n, sizeof *c->task_nodes);
  if (!c->list || !c->bounds || !c->found || !c->n_found || !c->losses || !c->task_nodes)
    return irl_fail_memory(c->env);
  memcpy(c->list, first->list, c->n * sizeof *c->list);
  for (uint32_t i = 0; i < c->n; i++) c->bounds[i] = bound_of(first, c->list, c->n, i);
  return IRL_OK;
}

static irl_status begin(chooser *c, irl_env *env, const irl_limit *limit,
                        irl_learn_choosing *choosing) {
  *c = (chooser){.env = env,
                 .choosing = choosing,
                 .limit = limit,
                 .case_words = choosing->reduced->data->cases.stride,
                 .control_words = choosing->reduced->data->controls.stride};
  choosing->n = UINT32_MAX;
  choosing->loss = choosing->target;
  choosing->bound = 0;
  choosing->nodes = choosing->work = 0;
  c->workers = irl_mem_alloc(&env->allocator, (size_t)choosing->threads, sizeof *c->workers);
  if (!c->workers) return irl_fail_memory(env);
  for (int t = 0; t < choosing->threads; t++)
    if (!make_worker(c, &c->workers[t])) return irl_fail_memory(env);
  return IRL_OK;
}

static void end(chooser *c) {
  const irl_allocator *allocator = &c->env->allocator;
  for (int t = 0; c->workers && t < c->choosing->threads; t++) free_worker(c, &c->workers[t]);
  irl_mem_free(allocator, c->workers);
  irl_mem_free(allocator, c->list);
  irl_mem_free(allocator, c->bounds);
  irl_mem_free(allocator, c->found);
  irl_mem_free(allocator, c->n_found);
  irl_mem_free(allocator, c->losses);
  irl_mem_free(allocator, c->task_nodes);
}

irl_status irl_learn_choose(irl_env *env, const irl_limit *limit, irl_learn_choosing *choosing) {
  chooser c;
  irl_status status = begin(&c, env, limit, choosing);
  if (!status) status = make_tasks(&c);
  if (!status) status = run_tasks(&c);
  end(&c);
  return status;
}
