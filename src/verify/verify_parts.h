/* What the parts of the checker share. */
#ifndef IRL_VERIFY_VERIFY_PARTS_H
#define IRL_VERIFY_VERIFY_PARTS_H

#include "base/arena.h"
#include "base/limit.h"
#include "bits/kernels.h"
#include "verify/verify.h"

#define IRL_VERIFY_MAX_M 64u
#define IRL_VERIFY_MAX_K 64u

/* ---- lines of words ---- */

#define IRL_VERIFY_MAX_WORDS (IRL_VERIFY_MAX_M + 16u)

typedef struct irl_verify_line {
  size_t number; /* from 1; 0 before the first */
  const char *start;
  uint32_t n;
  const char *word[IRL_VERIFY_MAX_WORDS];
  size_t length[IRL_VERIFY_MAX_WORDS];
} irl_verify_line;

typedef struct irl_verify_text {
  const char *begin, *at, *end;
  irl_verify_line line;
} irl_verify_text;

/* The next line, words apart by single blanks; false: there is none, or it is not such a line. */
bool irl_verify_next_line(irl_verify_text *text);
bool irl_verify_is_word(const irl_verify_line *line, uint32_t i, const char *word);
/* A number without sign, plus or leading zeros. */
bool irl_verify_number(const irl_verify_line *line, uint32_t i, uint64_t most, uint64_t *number);

/* ---- limits of the run ---- */

/* Bytes of lists unless a memory limit says otherwise: a certificate of a few lines may ask for any
 * number of clauses. */
#define IRL_VERIFY_LIST_BYTES ((size_t)1 << 30)
/* Work unless a limit on work or time says otherwise: so many words, some minutes, and a second
 * or less for each node beyond a few hundred of them, whose line has some thirty bytes. */
#define IRL_VERIFY_WORK          ((uint64_t)1 << 38)
#define IRL_VERIFY_WORK_PER_BYTE ((uint64_t)1 << 24)

typedef struct irl_verify_meter {
  irl_limit limit;
  uint64_t work;           /* words touched */
  size_t bytes, max_bytes; /* of lists */
  bool is_cut, is_full;    /* by a limit; by that of the lists */
  bool is_guarded;         /* nobody has set a limit on work or time */
} irl_verify_meter;

/* For a certificate of `size` bytes. */
irl_verify_meter irl_verify_start_meter(const irl_limit *limit, size_t size);

/* Counts work; true: it is time to end. */
bool irl_verify_spend(irl_verify_meter *meter, uint64_t work);

/* ---- samples and columns ---- */

/* A class of samples in the columns of a view. */
typedef struct irl_verify_class {
  size_t offset, words;
  int64_t weight;    /* of each sample; with planes the unit of their weights */
  unsigned n_planes; /* bit b of the weight of each sample in units, `words` each */
  uint64_t *planes;  /* NULL: all weigh the same */
} irl_verify_class;

/* A column per literal over some samples: cases, then controls. */
typedef struct irl_verify_view {
  irl_allocator allocator;
  irl_verify_meter *meter;
  const irl_kernels *kernels;
  uint32_t n; /* columns */
  irl_literal *literals;
  uint32_t n_cases, n_controls;
  irl_verify_class cases, controls;
  uint32_t *case_of; /* merged: the sample of each case of the data; UINT32_MAX: none */
  size_t stride;
  uint64_t *columns;
  const uint32_t *groups; /* of the features, as the data have them; NULL: none */
} irl_verify_view;

/* Two columns that no clause of the scope may both have. */
static inline bool irl_verify_are_bound(const irl_verify_view *view, uint32_t a, uint32_t b) {
  return irl_data_are_bound(view->groups, irl_literal_feature(view->literals[a]),
                            irl_literal_feature(view->literals[b]));
}
static inline const uint64_t *irl_verify_column(const irl_verify_view *view, uint32_t i) {
  return view->columns + i * view->stride;
}

/* What a false negative and a false positive weigh. */
typedef struct irl_verify_weights {
  int64_t of_case, of_control;
} irl_verify_weights;

/* Every literal of the data on every sample. */
irl_status irl_verify_view_init(irl_env *env, irl_verify_meter *meter, irl_verify_view *view,
                                const irl_data *data, bool negations,
                                const irl_verify_weights *weights);
/* Every literal on samples of equal features as one (verify_view.c). All that a rule loses beyond
 * the offset is a multiple of the unit. `view` has its meter. */
typedef struct irl_verify_merged {
  int64_t offset, unit;
} irl_verify_merged;

irl_status irl_verify_view_merge(irl_env *env, irl_verify_view *view, const irl_data *data,
                                 bool negations, const irl_verify_weights *weights,
                                 irl_verify_merged *merged);
/* The columns of `from` on the samples of `live` (a column) alone. */
irl_status irl_verify_view_pack(irl_env *env, irl_verify_view *view, const irl_verify_view *from,
                                const uint64_t *live);
void irl_verify_view_free(irl_verify_view *view);
/* Zeros, to be freed by irl_mem_free_aligned; NULL: out of memory. */
uint64_t *irl_verify_new_column(irl_env *env, const irl_verify_view *view);
/* Has the column no bit beyond the samples of the view? For assertions. */
bool irl_verify_view_has(const irl_verify_view *view, const uint64_t *column);
/* The cover of literals among the samples of `live`; false if one of them has no column. */
bool irl_verify_cover(const irl_verify_view *view, const uint64_t *live,
                      const irl_literal *literals, uint32_t n, uint64_t *cover);
/* The weight of samples of one class, of a column or of what two columns share. */
int64_t irl_verify_weigh(const irl_verify_view *view, const irl_verify_class *class,
                         const uint64_t *column);
int64_t irl_verify_weigh_both(const irl_verify_view *view, const irl_verify_class *class,
                              const uint64_t *x, const uint64_t *y);
/* A column as the planes of what it has of a class, for weighing many others with it. */
static inline unsigned irl_verify_n_planes(const irl_verify_class *class) {
  return class->planes ? class->n_planes : 1;
}
void irl_verify_mask(const irl_verify_class *class, const uint64_t *x, uint64_t *masked);
/* Room for one of either class. */
uint64_t *irl_verify_new_mask(irl_arena *arena, const irl_verify_view *view);
/* The weights of what n columns of the view each share with a mask. */
void irl_verify_weigh_columns(const irl_verify_view *view, const irl_verify_class *class,
                              const uint64_t *masked, const uint32_t *ids, uint32_t n,
                              int64_t *sums);

/* ---- listing (verify_list.c) ---- */

/* Wanted clauses have a = weight of live cases >= min_cover, b = weight of live controls <=
 * max_controls, at least min_size, b + c <= budget where c is what a clause of so many literals
 * costs by itself, and case_factor * (a - c) - control_factor * b >= min_value. */
typedef struct irl_verify_wanted {
  int64_t case_factor, control_factor, min_value;
  int64_t min_cover, max_controls, budget;
  int64_t penalty;
  uint32_t min_size, max_size;
} irl_verify_wanted;

typedef struct irl_verify_clause {
  const uint64_t *cover;   /* live samples, a column of the view */
  int64_t cases, controls; /* its weights */
  uint32_t n;
  const irl_literal *literals; /* ascending */
} irl_verify_clause;

/* Called for every wanted clause; true ends the listing. */
typedef bool (*irl_verify_visit)(void *user, const irl_verify_clause *clause);

irl_status irl_verify_list(irl_env *env, const irl_verify_view *view, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user);

/* ---- states and selecting (verify_select.c) ---- */

/* The limits that the certificate is about; weights, not counts. */
typedef struct irl_verify_limits {
  uint64_t K, M, max_literals;
  uint64_t max_complexity; /* clauses and literals together; UINT64_MAX: any */
  bool negations, is_hamming;
  int64_t penalty;       /* of each clause and of each literal */
  int64_t best;          /* the loss of the rule */
  int64_t max_uncovered; /* cases that a rule may leave out */
  int64_t max_controls;  /* controls that it may cover */
} irl_verify_limits;

/* A node of the proof: some clauses are selected, `left` may follow. The loss is uncovered +
 * cost_so_far. Vectors are columns of the view. */
typedef struct irl_verify_state {
  uint32_t left;
  int64_t uncovered;   /* weight of the cases that are not covered */
  int64_t cost_so_far; /* of the selected clauses: controls and penalties */
  int64_t controls;    /* weight of covered controls, each once */
  uint64_t literals;   /* of the clauses selected */
  uint64_t *live;      /* samples that count for further clauses; owns both columns */
  uint64_t *touched;   /* covered controls */
} irl_verify_state;

/* Room for the columns, all zero; freed also if it failed. */
irl_status irl_verify_state_init(irl_env *env, const irl_verify_view *view,
                                 irl_verify_state *state);
void irl_verify_state_free(irl_env *env, irl_verify_state *state);
/* Do the weights agree with the columns? For assertions. */
bool irl_verify_state_check(const irl_verify_view *view, const irl_verify_limits *limits,
                            const irl_verify_state *state);

/* What a clause of n literals costs by itself. */
static inline int64_t irl_verify_cost(int64_t penalty, uint32_t n) {
  return penalty * (1 + (int64_t)n);
}
/* Keeps the n largest positive numbers that were put, descending, among zeros. */
static inline void irl_verify_put_largest(int64_t *largest, uint32_t n, int64_t number) {
  for (uint32_t i = 0; i < n && number > 0; i++)
    if (number > largest[i]) {
      const int64_t smaller = largest[i];
      largest[i] = number;
      number = smaller;
    }
}
/* Is a shorter clause better by that alone, so that a longer one does not stand for it? */
static inline bool irl_verify_counts_literals(const irl_verify_limits *limits) {
  return limits->max_literals != UINT64_MAX || limits->max_complexity != UINT64_MAX ||
         limits->penalty;
}
/* Clauses and literals that are selected. */
static inline uint64_t irl_verify_complexity(const irl_verify_limits *limits,
                                             const irl_verify_state *state) {
  return limits->K - state->left + state->literals;
}
bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state);
/* What further clauses may cost in a better rule, and what they have to gain together: the cases
 * that they cover less their costs. */
int64_t irl_verify_budget(const irl_verify_limits *limits, const irl_verify_state *state);
int64_t irl_verify_required_gain(const irl_verify_limits *limits, const irl_verify_state *state);
/* The controls that one of them may add, and the cases that they have to cover together. */
int64_t irl_verify_max_controls(const irl_verify_limits *limits, const irl_verify_state *state);
int64_t irl_verify_required_cases(const irl_verify_limits *limits, const irl_verify_state *state);
/* The literals that one more clause may have. */
uint32_t irl_verify_max_size(const irl_verify_limits *limits, const irl_verify_state *state);
/* The most clauses that may be added if one of them has so many literals and none has `small` ones
 * or fewer. */
int64_t irl_verify_clauses_beside(const irl_verify_limits *limits, const irl_verify_state *state,
                                  uint32_t size, uint32_t small);
/* `next`, which has its own vectors: the state with one more clause, whose cover is among what is
 * live. */
void irl_verify_take(const irl_verify_view *view, const irl_verify_limits *limits,
                     const irl_verify_state *state, const uint64_t *cover, uint32_t size,
                     irl_verify_state *next);

/* Clauses by their live covers. */
typedef struct irl_verify_pool {
  size_t n, capacity;
  uint64_t *covers; /* columns of the view */
  uint32_t *sizes;  /* literals */
} irl_verify_pool;

/* False: out of memory, or of what lists may take (the meter says so). */
bool irl_verify_pool_add(const irl_verify_view *view, irl_verify_pool *pool, const uint64_t *cover,
                         uint32_t size);
void irl_verify_pool_free(const irl_verify_view *view, irl_verify_pool *pool);
/* Is clause i made superfluous by a cover and size: no fewer cases, no more controls, no longer? */
bool irl_verify_dominates(const irl_verify_view *view, const irl_verify_pool *pool, size_t i,
                          const uint64_t *cover, uint32_t size);
/* Drops clauses that others of the pool dominate: equal ones always, the rest if there are at most
 * so many to compare. False: out of memory. */
#define IRL_VERIFY_COMPARED 200000u
bool irl_verify_pool_reduce(const irl_verify_view *view, irl_verify_pool *pool, size_t compared);
/* 0 ... n - 1 by falling value, in one of the two arrays; equal ones by number. */
const uint32_t *irl_verify_order(const int64_t *values, uint32_t n, uint32_t *order,
                                 uint32_t *other);
/* Do at most state->left clauses of the pool make a rule that is better than the best?
 * (verify_choose.c) */
irl_status irl_verify_select(irl_env *env, const irl_verify_view *view,
                             const irl_verify_limits *limits, const irl_verify_state *state,
                             irl_verify_pool *pool, bool *is_better);

#endif
