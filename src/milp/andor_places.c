/* Samples, places and literals: which columns are the same literal in different places?
 *
 * A literal is known by the samples that miss it. Outputs join the covers of a sample in all
 * places, so each place's literals get a hash of the samples that miss them; private controls,
 * which nothing joins, have the hash of their literals and give theirs back to the literals, twice.
 * Literals of equal hash are the same one; the samples are compared literal by literal afterwards,
 * so a wrong guess costs the structure but not the truth. */
#include "milp/andor_find.h"
#include <stdlib.h>

#define ROLE(f, j) ((f)->andor->role[j])

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* The place of the loaded side of a cover: that of its literals; IRL_ANDOR_NONE if it has none. */
static uint32_t place_of_side(const irl_andor_finder *f) {
  for (uint32_t k = 0; k < f->n; k++) {
    const uint8_t role = ROLE(f, f->columns[k]);
    if (role == IRL_ANDOR_LITERAL || role == IRL_ANDOR_USED) return f->andor->place[f->columns[k]];
  }
  return IRL_ANDOR_NONE;
}

/* ---- samples ---- */

static void start_sample(irl_andor_finder *f, uint32_t output, bool is_case, uint32_t first) {
  assert(f->n_samples < f->m->n_columns && output < f->m->n_columns);
  f->samples[f->n_samples++] = (irl_andor_sample){
      .output = output, .first = first, .place = IRL_ANDOR_NONE, .is_case = is_case};
}

/* The covers of an output: those in its OR sides, or itself. */
static uint32_t list_covers(irl_andor_finder *f, uint32_t y, uint32_t at_cover) {
  const uint32_t first = at_cover;
  uint32_t side;
  for (size_t at = 0; irl_andor_next_side(f, y, IRL_ANDOR_ORS, &at, &side);)
    for (uint32_t k = 0; k < f->n; k++) {
      if (f->columns[k] == y) continue;
      f->covers[at_cover++] = f->columns[k];
      if (f->hash[f->columns[k]] == 0) f->hash[f->columns[k]] = 1; /* it has an output */
    }
  if (at_cover == first) f->covers[at_cover++] = y;
  f->samples[f->n_samples - 1].n_covers = at_cover - first;
  return at_cover;
}

/* The only place of a cover, or IRL_ANDOR_NONE if it has several. */
static uint32_t only_place(irl_andor_finder *f, uint32_t t) {
  uint32_t side, place = IRL_ANDOR_NONE;
  for (size_t at = 0; irl_andor_next_side(f, t, IRL_ANDOR_ANDS, &at, &side);) {
    const uint32_t own = place_of_side(f);
    if (own == IRL_ANDOR_NONE || own == place) continue;
    if (place != IRL_ANDOR_NONE) return IRL_ANDOR_NONE;
    place = own;
  }
  return place;
}

static void list_samples(irl_andor_finder *f) {
  const irl_milp_model *m = f->m;
  const bool is_choice = f->andor->is_choice;
  uint32_t at = 0;
  f->n_samples = 0;
  memset(f->hash, 0, m->n_columns * sizeof *f->hash);
  for (uint32_t j = 0; j < m->n_columns; j++) {
    if (ROLE(f, j) != IRL_ANDOR_CASE && ROLE(f, j) != IRL_ANDOR_CONTROL) continue;
    start_sample(f, j, ROLE(f, j) == IRL_ANDOR_CASE, at);
    at = list_covers(f, j, at);
  }
  /* Covers of controls without an output, or that cost something themselves. */
  for (uint32_t j = 0; j < m->n_columns && !is_choice; j++) {
    if (ROLE(f, j) != IRL_ANDOR_CONTROL_COVER || (f->hash[j] && m->cost[j] == 0)) continue;
    start_sample(f, j, false, at);
    f->covers[at++] = j;
    f->samples[f->n_samples - 1].n_covers = 1;
    const uint32_t place = f->andor->K > 1 ? only_place(f, j) : IRL_ANDOR_NONE;
    f->samples[f->n_samples - 1].place = place;
    if (place == IRL_ANDOR_NONE) ROLE(f, j) = IRL_ANDOR_CONTROL;
  }
  memset(f->hash, 0, m->n_columns * sizeof *f->hash);
}

/* ---- places ---- */

/* Is the loaded side a sum of literals, all with one entry of that sign? */
static bool is_literals(const irl_andor_finder *f) {
  for (uint32_t k = 0; k < f->n; k++)
    if (ROLE(f, f->columns[k]) != IRL_ANDOR_LITERAL || f->values[k] < 0 ||
        !irl_andor_near(f->values[k], f->values[0]))
      return false;
  return f->n > 1;
}

/* Notes the sets of columns that rows of samples have joined. */
static void note_sampled(irl_andor_finder *f) {
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_ANDS, &side);)
    for (uint32_t k = 0; k < f->n; k++)
      if (ROLE(f, f->columns[k]) == IRL_ANDOR_LITERAL || ROLE(f, f->columns[k]) == IRL_ANDOR_USED)
        f->hash[irl_andor_root(f, f->columns[k])] = 1;
}

/* Literals that no sample joins with others are joined by the rows that bound the sizes, the
 * shortest first; a row that would join two sets with samples is one over several places. */
static void join_by_sizes(irl_andor_finder *f) {
  const irl_milp_model *m = f->m;
  for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
    uint32_t n_used = 0, used = IRL_ANDOR_NONE;
    /* sum s - M u <= 0 and -sum s + u <= 0 name their place. */
    for (uint32_t k = 0; k < f->n; k++) {
      const uint8_t role = ROLE(f, f->columns[k]);
      if (role == IRL_ANDOR_USED) {
        n_used++;
        used = f->columns[k];
      } else if (role != IRL_ANDOR_LITERAL) {
        n_used = 2;
      }
    }
    for (uint32_t k = 0; k < f->n && n_used == 1; k++) irl_andor_join(f, used, f->columns[k]);
  }
  note_sampled(f);
  for (uint32_t length = 2, next = 0; length != IRL_ANDOR_NONE; length = next) {
    next = IRL_ANDOR_NONE;
    for (uint32_t side = IRL_ANDOR_NONE; irl_andor_load_next(f, IRL_ANDOR_OPENS, &side);) {
      uint32_t n_sized = 0, last = IRL_ANDOR_NONE;
      if (!is_literals(f) || f->n < length) continue;
      if (f->n > length) {
        if (f->n < next) next = f->n;
        continue;
      }
      for (uint32_t k = 0; k < f->n; k++) {
        const uint32_t root = irl_andor_root(f, f->columns[k]);
        if (root == last) continue;
        n_sized += f->hash[root] == 1;
        last = root;
      }
      if (n_sized > 1) continue;
      for (uint32_t k = 1; k < f->n; k++) irl_andor_join(f, f->columns[0], f->columns[k]);
      f->hash[irl_andor_root(f, f->columns[0])] = 1;
    }
  }
  memset(f->hash, 0, m->n_columns * sizeof *f->hash);
}

/* Numbers the places by their first literals; their columns go into `literals` and `used`. */
static bool number_places(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const uint32_t n = f->m->n_columns;
  uint32_t n_all = 0;
  a->K = 0;
  for (uint32_t j = 0; j < n; j++) a->place[j] = IRL_ANDOR_NONE;
  for (uint32_t j = 0; j < n; j++) {
    if (ROLE(f, j) != IRL_ANDOR_LITERAL) continue;
    const uint32_t root = a->is_choice ? 0 : irl_andor_root(f, j);
    if (!a->is_choice && f->hash[root] == 0) f->hash[root] = ++a->K;
    a->place[j] = a->is_choice ? 0 : (uint32_t)f->hash[root] - 1;
    n_all++;
  }
  if (a->is_choice) a->K = 1;
  if (!n_all || n_all % a->K) return false;
  a->n_literals = n_all / a->K;
  assert(a->n_literals > 0);
  f->literals = irl_arena_alloc(&f->arena, n_all, sizeof *f->literals);
  f->used = irl_arena_alloc(&f->arena, a->K, sizeof *f->used);
  uint32_t *sizes = irl_arena_alloc(&f->arena, a->K, sizeof *sizes);
  if (!f->literals || !f->used || !sizes) return false;
  for (uint32_t p = 0; p < a->K; p++) f->used[p] = IRL_ANDOR_NONE;
  for (uint32_t j = 0; j < n; j++) {
    if (ROLE(f, j) == IRL_ANDOR_USED) {
      const uint64_t number = f->hash[irl_andor_root(f, j)];
      if (!number || f->used[number - 1] != IRL_ANDOR_NONE) return false;
      a->place[j] = (uint32_t)number - 1;
      f->used[number - 1] = j;
    }
    if (ROLE(f, j) != IRL_ANDOR_LITERAL) continue;
    const uint32_t p = a->place[j];
    if (sizes[p] == a->n_literals) return false;
    f->literals[p * a->n_literals + sizes[p]++] = j;
  }
  memset(f->hash, 0, n * sizeof *f->hash);
  return true;
}

/* ---- the same literals ---- */

/* Adds the sample's hash to the literals that it misses, or sums up theirs. */
static uint64_t pass_hash(irl_andor_finder *f, const irl_andor_sample *s, uint64_t own,
                          uint64_t *add) {
  uint64_t sum = 0;
  uint32_t side;
  for (uint32_t c = 0; c < s->n_covers; c++)
    for (size_t at = 0;
         irl_andor_next_side(f, f->covers[s->first + c], IRL_ANDOR_ANDS, &at, &side);) {
      if (place_of_side(f) == IRL_ANDOR_NONE) continue;
      for (uint32_t k = 0; k < f->n; k++) {
        if (ROLE(f, f->columns[k]) != IRL_ANDOR_LITERAL) continue;
        sum += mix(f->hash[f->columns[k]]);
        if (add) add[f->columns[k]] += own;
      }
    }
  return sum;
}

typedef struct key {
  uint64_t hash;
  uint32_t column;
} key;

static int by_hash(const void *x, const void *y) {
  const key *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static bool hash_literals(irl_andor_finder *f) {
  const uint32_t n = f->m->n_columns;
  uint64_t *add = irl_arena_alloc(&f->arena, n, sizeof *add);
  if (!add) return false;
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < f->n_samples; i++) {
      const irl_andor_sample *s = &f->samples[i];
      const bool is_private = s->place != IRL_ANDOR_NONE;
      /* A case that some places cannot cover would tell them apart. */
      const bool is_everywhere = s->n_covers >= f->andor->K || f->covers[s->first] == s->output;
      if (is_private != (round > 0) || (!is_private && !is_everywhere)) continue;
      const uint64_t own = is_private ? pass_hash(f, s, 0, NULL) : s->output;
      pass_hash(f, s, mix(own + 1), add);
    }
    for (uint32_t j = 0; j < n; j++) {
      if (ROLE(f, j) != IRL_ANDOR_LITERAL) continue;
      f->hash[j] = mix(f->hash[j] + add[j]);
      add[j] = 0;
    }
  }
  return true;
}

/* Gives the literals of all places the numbers of those of the first place, by their hashes. */
static bool match_literals(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const uint32_t n = a->n_literals;
  key *first = irl_arena_alloc(&f->arena, n, sizeof *first);
  key *other = irl_arena_alloc(&f->arena, n, sizeof *other);
  if (!first || !other) return false;
  for (uint32_t l = 0; l < n; l++) a->at[f->literals[l]] = l;
  if (a->K == 1) return true;
  if (!hash_literals(f)) return false;
  for (uint32_t l = 0; l < n; l++) first[l] = (key){f->hash[f->literals[l]], f->literals[l]};
  qsort(first, n, sizeof *first, by_hash);
  for (uint32_t p = 1; p < a->K; p++) {
    uint32_t *own = f->literals + (size_t)p * n;
    for (uint32_t l = 0; l < n; l++) other[l] = (key){f->hash[own[l]], own[l]};
    qsort(other, n, sizeof *other, by_hash);
    for (uint32_t l = 0; l < n; l++) a->at[other[l].column] = a->at[first[l].column];
    for (uint32_t l = 0; l < n; l++) own[a->at[other[l].column]] = other[l].column;
  }
  return true;
}

bool irl_andor_find_places(irl_andor_finder *f) {
  irl_andor *a = f->andor;
  const irl_milp_model *m = f->m;
  if (!a->is_choice) join_by_sizes(f);
  if (!number_places(f)) return false;
  f->samples = irl_arena_alloc(&f->arena, m->n_columns, sizeof *f->samples);
  f->covers = irl_arena_alloc(&f->arena, m->row_start[m->n_rows] + 2 * (size_t)m->n_columns,
                              sizeof *f->covers);
  f->is_missed = irl_arena_alloc(&f->arena, a->n_literals, 1);
  if (!f->samples || !f->covers || !f->is_missed) return irl_andor_fail_memory(f);
  list_samples(f);
  return match_literals(f);
}

/* ---- what a sample misses ---- */

uint32_t irl_andor_misses(irl_andor_finder *f, const irl_andor_sample *s, uint32_t place) {
  uint32_t side, n = 0, n_sides = 0, cover = IRL_ANDOR_NONE;
  assert(place < f->andor->K && s->n_covers > 0);
  bool has_used = false;
  for (uint32_t c = 0; c < s->n_covers; c++)
    for (size_t at = 0;
         irl_andor_next_side(f, f->covers[s->first + c], IRL_ANDOR_ANDS, &at, &side);) {
      if (place_of_side(f) != place) continue;
      /* Two covers at a place, or a control by two rows, would be an OR of two ANDs. */
      if (n_sides++ && (!s->is_case || cover != c)) return IRL_ANDOR_BAD;
      cover = c;
      for (uint32_t k = 0; k < f->n; k++) {
        has_used |= ROLE(f, f->columns[k]) == IRL_ANDOR_USED;
        if (ROLE(f, f->columns[k]) != IRL_ANDOR_LITERAL) continue;
        const uint32_t l = f->andor->at[f->columns[k]];
        assert(l < f->andor->n_literals);
        n += !f->is_missed[l];
        f->is_missed[l] = true;
      }
    }
  /* A clause that is not used must cover nothing. */
  if (n_sides && has_used != (f->used[place] != IRL_ANDOR_NONE)) return IRL_ANDOR_BAD;
  return n_sides ? n : IRL_ANDOR_NONE;
}

void irl_andor_forget(irl_andor_finder *f) {
  memset(f->is_missed, 0, f->andor->n_literals);
}
