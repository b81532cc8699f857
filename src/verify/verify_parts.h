/* What the parts of the checker share, in the order of a replay: the lines (verify_head.c), limits
 * and losses (verify_limits.c), samples (verify_view.c), lists of clauses (verify_list.c,
 * verify_pool.c), choices from them (verify_choose.c) and lists of rules (verify_rules.c). */
#ifndef IRL_VERIFY_VERIFY_PARTS_H
#define IRL_VERIFY_VERIFY_PARTS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/limit.h"
#include "bits/kernels.h"
#include "verify/verify.h"

#define IRL_VERIFY_MAX_M 64u
#define IRL_VERIFY_MAX_K 64u
/* No sum of weights times K comes near the end of the integers. */
#define IRL_VERIFY_MAX_WEIGHT ((int64_t)1 << 54)

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
/* IRL_STATUS_LIMIT once it is: the certificate is neither valid nor invalid. */
irl_status irl_verify_meter_status(irl_env *env, const irl_verify_meter *meter);

/* ---- samples and columns ---- */

/* A class of samples in the columns of a view. */
typedef struct irl_verify_class {
  size_t offset, words;
  int64_t weight;    /* of each sample; with planes the unit of their weights */
  unsigned n_planes; /* bit b of the weight of each sample in units, `words` each */
  uint64_t *planes;  /* NULL: all weigh the same */
} irl_verify_class;

/* A column per literal over some samples: cases, then controls. Equal samples may be one. */
typedef struct irl_verify_view {
  irl_env *env;
  irl_verify_meter *meter;
  const irl_kernels *kernels;
  uint32_t n; /* columns */
  irl_literal *literals;
  uint32_t n_cases, n_controls;
  irl_verify_class cases, controls;
  uint32_t *case_of; /* the sample of each case of the data; UINT32_MAX: none */
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

/* Every literal of the data on every sample; or, if `merged` is not NULL, on samples of equal
 * features as one (verify_view.c), where all that a rule loses beyond the offset is a multiple of
 * the unit. `view` has its meter. */
typedef struct irl_verify_merged {
  int64_t offset, unit;
} irl_verify_merged;

irl_status irl_verify_view_init(irl_env *env, irl_verify_view *view, const irl_data *data,
                                bool negations, const irl_verify_weights *weights,
                                irl_verify_merged *merged);
/* The columns of `from` on the samples of `live` (a column) alone. */
irl_status irl_verify_view_pack(irl_verify_view *view, const irl_verify_view *from,
                                const uint64_t *live);
void irl_verify_view_free(irl_verify_view *view);
/* Zeros, to be freed by irl_mem_free_aligned; NULL: out of memory. */
uint64_t *irl_verify_new_column(const irl_verify_view *view);
/* All samples. */
void irl_verify_fill(const irl_verify_view *view, uint64_t *column);
/* Has the column no bit beyond the samples of the view? For assertions. */
bool irl_verify_view_has(const irl_verify_view *view, const uint64_t *column);
/* The cover of literals among the samples of `live`; false if one of them has no column. */
bool irl_verify_cover(const irl_verify_view *view, const uint64_t *live,
                      const irl_literal *literals, uint32_t n, uint64_t *cover);
/* The weight of the samples of one class of a column. */
int64_t irl_verify_weigh(const irl_verify_view *view, const irl_verify_class *class,
                         const uint64_t *column);
/* The weight of one sample of a class. */
int64_t irl_verify_weight_of(const irl_verify_class *class, uint32_t i);
/* The binary digits of the weights of a class: those of a vector as planes, for weighing many
 * others with it. */
static inline unsigned irl_verify_n_planes(const irl_verify_class *class) {
  return class->planes ? class->n_planes : 1;
}
void irl_verify_mask(const irl_verify_class *class, const uint64_t *x, uint64_t *masked);
/* Room for one of either class. */
uint64_t *irl_verify_new_mask(irl_arena *arena, const irl_verify_view *view);
/* The weights of what n columns each share with a mask. */
void irl_verify_weigh_many(const irl_verify_view *view, const irl_verify_class *class,
                           const uint64_t *masked, const uint64_t *columns, const uint32_t *ids,
                           uint32_t n, int64_t *sums);

/* ---- limits, states and losses (verify_limits.c) ---- */

/* The limits that the certificate is about; weights, not counts. */
typedef struct irl_verify_limits {
  uint64_t K, M, max_literals;
  uint64_t max_complexity; /* clauses and literals together; UINT64_MAX: any */
  bool negations, is_hamming, is_merged;
  irl_verify_weights weights;
  uint64_t min_cases, most_controls; /* by what samples weigh, not by what their class does */
  bool has_all_controls;
  int64_t penalty;       /* of each clause and of each literal */
  int64_t best;          /* the loss of the rule */
  int64_t offset;        /* that every rule loses */
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
irl_status irl_verify_state_init(const irl_verify_view *view, irl_verify_state *state);
void irl_verify_state_free(irl_env *env, irl_verify_state *state);
/* Nothing is selected yet. */
irl_status irl_verify_state_root(const irl_verify_view *view, const irl_verify_limits *limits,
                                 irl_verify_state *state);
/* What `from` has, in the columns of `into`. */
void irl_verify_state_copy(const irl_verify_view *view, irl_verify_state *into,
                           const irl_verify_state *from);
/* Do the weights agree with the columns? For assertions. */
bool irl_verify_state_check(const irl_verify_view *view, const irl_verify_limits *limits,
                            const irl_verify_state *state);

/* Keeps the n largest positive numbers that were put, descending, among zeros. */
static inline void irl_verify_put_largest(int64_t *largest, uint32_t n, int64_t number) {
  for (uint32_t i = 0; i < n && number > 0; i++)
    if (number > largest[i]) {
      const int64_t smaller = largest[i];
      largest[i] = number;
      number = smaller;
    }
}
/* What a clause of n literals costs by itself. */
static inline int64_t irl_verify_cost(int64_t penalty, uint32_t n) {
  return penalty * (1 + (int64_t)n);
}
/* Is a shorter clause better by that alone, so that a longer one does not stand for it? */
bool irl_verify_counts_literals(const irl_verify_limits *limits);
/* Does a rule lose the cases that it leaves out and the controls that it covers, each once, and
 * nothing else? */
bool irl_verify_is_plain(const irl_verify_limits *limits);
/* Is that so, and are all rules of K clauses of M literals within the limits? */
bool irl_verify_is_free(const irl_verify_limits *limits);
bool irl_verify_is_within(const irl_verify_limits *limits, const irl_verify_state *state);
bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state);
/* What further clauses may cost in a better rule. */
int64_t irl_verify_budget(const irl_verify_limits *limits, const irl_verify_state *state);
/* The cases that they have to cover together. */
int64_t irl_verify_required_cases(const irl_verify_limits *limits, const irl_verify_state *state);
/* `next`, which has its own vectors: the state with one more clause, whose cover is among what is
 * live. */
void irl_verify_take(const irl_verify_view *view, const irl_verify_limits *limits,
                     const irl_verify_state *state, const uint64_t *cover, uint32_t size,
                     irl_verify_state *next);

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

/* All that a further clause of a better rule has. */
irl_verify_wanted irl_verify_want_all(const irl_verify_limits *limits,
                                      const irl_verify_state *state);
/* The value that one clause has by lemma 1: at least the gain if that is positive, and so many
 * times that otherwise; where each clause only pays controls, s of them have s * a - b of at least
 * the gain for one, and r * a is no less. */
int64_t irl_verify_least_value(const irl_verify_limits *limits, int64_t left, int64_t gain);
/* The clauses of wanted->min_size or more that a branching node has to account for, by cover or by
 * value, of as many sizes as have the same thresholds; all of them of at most `small` literals.
 * Returns the first size that has others. */
uint32_t irl_verify_want_branch(const irl_verify_limits *limits, const irl_verify_state *state,
                                bool is_cover, uint32_t small, irl_verify_wanted *wanted);
/* The value of a clause there that covers so much. */
int64_t irl_verify_branch_value(const irl_verify_limits *limits, const irl_verify_state *state,
                                bool is_cover, uint32_t small, uint32_t size, int64_t cases,
                                int64_t controls);

typedef struct irl_verify_clause {
  const uint64_t *cover;   /* live samples, a column of the view */
  int64_t cases, controls; /* its weights */
  uint32_t n;
  const irl_literal *literals; /* ascending */
} irl_verify_clause;

/* Called for every wanted clause; true ends the listing. */
typedef bool (*irl_verify_visit)(void *user, const irl_verify_clause *clause);

/* `live`: a column; NULL: all samples. */
irl_status irl_verify_list(const irl_verify_view *view, const uint64_t *live,
                           const irl_verify_wanted *wanted, irl_verify_visit visit, void *user);

/* ---- clauses by their live covers (verify_pool.c) ---- */

typedef struct irl_verify_pool {
  size_t n, capacity;
  uint64_t *covers; /* columns of the view */
  uint32_t *words;  /* of each its size and its literals */
  uint32_t width;   /* words of each: M + 1 */
} irl_verify_pool;

static inline const uint64_t *irl_verify_pool_cover(const irl_verify_view *view,
                                                    const irl_verify_pool *pool, size_t i) {
  return pool->covers + i * view->stride;
}
static inline const uint32_t *irl_verify_pool_words(const irl_verify_pool *pool, size_t i) {
  return pool->words + i * pool->width;
}
irl_status irl_verify_pool_add(const irl_verify_view *view, irl_verify_pool *pool,
                               const uint64_t *cover, const irl_literal *literals, uint32_t size);
void irl_verify_pool_free(const irl_verify_view *view, irl_verify_pool *pool);
/* Compares the words of clauses, to which both point; for sorting. */
int irl_verify_by_words(const void *x, const void *y);
/* Is clause i made superfluous by a cover and size: no fewer cases, no more controls, no longer? */
bool irl_verify_dominates(const irl_verify_view *view, const irl_verify_pool *pool, size_t i,
                          const uint64_t *cover, uint32_t size);
/* Drops clauses that others of the pool dominate: equal ones always, the rest if there are not too
 * many to compare. */
irl_status irl_verify_pool_reduce(const irl_verify_view *view, irl_verify_pool *pool);

/* ---- a list of all rules of a loss (verify_rules.c) ---- */

typedef struct irl_verify_replay irl_verify_replay;

typedef struct irl_verify_rules {
  irl_env *env;
  const irl_verify_view *view;
  const irl_verify_limits *limits; /* with that loss and 1 as the best one */
  struct {
    IRL_ARRAY(uint32_t)
  } text; /* of each rule how many words follow, then its clauses in order, each as its size and
             its literals */
  struct {
    IRL_ARRAY(size_t)
  } starts;                                  /* where they begin, rules in order */
  const uint32_t *clauses[IRL_VERIFY_MAX_K]; /* of a rule that is asked about, likewise */
  irl_verify_state root, parts[2];           /* scratch */
  uint64_t *cover;
} irl_verify_rules;

/* The rules that come next: the n tight rules of a loss below limits->best. */
irl_status irl_verify_rules_read(irl_verify_replay *v, size_t line, const irl_verify_limits *limits,
                                 uint64_t n, irl_verify_rules *rules);
void irl_verify_rules_free(irl_verify_rules *rules);
/* Is the rule of rules->clauses on the list, or something in it superfluous? */
irl_status irl_verify_rules_have(irl_verify_rules *rules, uint32_t n, bool *is_met);

/* ---- choices (verify_choose.c) ---- */

/* Is there a better rule with the clauses of the state and at most state->left others? */
typedef struct irl_verify_choice {
  const irl_verify_view *view;
  const irl_verify_limits *limits;
  const irl_verify_state *state;
  irl_verify_pool *pool;   /* of the clauses that it has all those of a value beyond `known` */
  int64_t known;           /* for one clause left, and so many times that for more */
  const uint64_t *counted; /* cases that count by the weight `unit`; NULL: all, by their own */
  int64_t unit;
  irl_verify_rules *rules; /* not better are those that it lists, or that are not tight */
  uint64_t n_listed;       /* clauses that were listed anew */
  uint32_t n_clauses;      /* of a better rule */
  int64_t loss;            /* its loss */
  bool is_better;
} irl_verify_choice;

/* `known` if the pool has all clauses, or none. */
#define IRL_VERIFY_ALL_KNOWN  (-IRL_VERIFY_MAX_WEIGHT)
#define IRL_VERIFY_NONE_KNOWN IRL_VERIFY_MAX_WEIGHT

irl_status irl_verify_choose(irl_verify_choice *choice);

/* ---- the replay (verify.c) and its lines (verify_head.c) ---- */

#define IRL_VERIFY_MAX_WORDS (IRL_VERIFY_MAX_M + 16u)

typedef struct irl_verify_line {
  size_t number; /* from 1; 0 before the first */
  uint32_t n;
  const char *word[IRL_VERIFY_MAX_WORDS];
  size_t length[IRL_VERIFY_MAX_WORDS];
} irl_verify_line;

typedef struct irl_verify_text {
  const char *begin, *at, *end;
  irl_verify_line line;
} irl_verify_text;

struct irl_verify_replay {
  irl_env *env;
  const irl_data *data;
  const irl_rule *rule;
  irl_verify_text text;
  irl_verify_meter meter;
  irl_scope *scope;         /* what it is about, */
  irl_verify_limits limits; /* and the same in numbers */
  irl_verify_view all;
  /* Refuted clauses: each is in no better rule together with those of the path. */
  struct {
    IRL_ARRAY(irl_literal)
  } refuted; /* room for M literals of each */
  struct {
    IRL_ARRAY(uint32_t)
  } refuted_sizes;
  irl_verify_result *result;
};

/* The certificate is wrong there. A status that ends the replay. */
irl_status irl_verify_reject(irl_verify_replay *v, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool irl_verify_is_word(const irl_verify_line *line, uint32_t i, const char *word);
/* A number without sign, plus or leading zeros. */
bool irl_verify_number(const irl_verify_line *line, uint32_t i, uint64_t most, uint64_t *number);
/* The next line, words apart by single blanks. */
irl_status irl_verify_expect_line(irl_verify_replay *v);
/* The next line has exactly these words; '#' stands for a number, which goes to `numbers`. */
irl_status irl_verify_expect(irl_verify_replay *v, const char *pattern, uint64_t *numbers);
/* Which limit came, in the result. */
void irl_verify_name_cut(irl_verify_replay *v);
/* Version and scope. */
irl_status irl_verify_read_head(irl_verify_replay *v);
irl_status irl_verify_read_data(irl_verify_replay *v);
/* The limits and the loss, as the lines have them; then they are held against the scope. */
irl_status irl_verify_read_limits(irl_verify_replay *v);
irl_status irl_verify_check_claim(irl_verify_replay *v);
/* A line "clause" with literals: 1 and more of them. */
irl_status irl_verify_read_clause(irl_verify_replay *v, irl_literal *literals, uint32_t *n);
/* Literals from word `at` on up to a word that is none; false: not ascending literals of features.
 */
bool irl_verify_read_literals(const irl_verify_replay *v, uint32_t *at, irl_literal *literals,
                              uint32_t *n);
/* The rule that the certificate has, in place of one that is given; its lines are read again. */
irl_status irl_verify_read_rule(irl_verify_replay *v);
/* The rule's own clauses one after the other: its loss is the one claimed. */
irl_status irl_verify_check_rule(irl_verify_replay *v);

#endif
