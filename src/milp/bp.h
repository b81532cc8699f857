/* The paper's direct models: K clauses of at most M literals at once, in six formulations.
 *
 *        objective       OR      AND     binary when relaxed (s always)
 *   BP1  weighted error  OR1     AND1    t of cases, y of controls
 *   BP2  weighted error  OR1     AND2    y of controls
 *   BP3  weighted error  OR2     AND1    t of cases
 *   BP4  weighted error  OR2     AND2    -
 *   BP5  Hamming loss    OR1a    AND1    t of cases
 *   BP6  Hamming loss    OR1a    AND2    -
 *
 *   OR1a   y_n <= sum_k t_nk               cases       OR1b  K y_n >= sum_k t_nk    controls
 *                                                      OR2b  y_n >= t_nk            controls
 *   AND1a  B t_nk + misses_nk <= B         cases       AND1b t_nk + misses_nk >= 1  controls
 *   AND2a  t_nk + s_kj <= 1 for each j that sample n misses: cases; AND2b is AND1b
 *
 * with misses_nk the chosen literals of clause k that sample n does not satisfy. In BP4 OR2b and
 * AND2b become one, y_n + misses_nk >= 1, without t of controls. The paper lets t of cases be
 * continuous in BP3; with AND1 they must not be (t <= 1 - misses / B would count in part).
 *
 * As the paper has it (is_plain): exactly K clauses, the empty one, which covers everything, among
 * them; B the number of literals. Otherwise: a clause k may be unused (u_k = 0: it covers nothing)
 * and has a literal if it is used; B = M; of all permutations of a rule few are left
 * (bp_point.c); equal samples of one class are one sample with a weight.
 *
 * Objectives are integers: N1 per false positive and N0 per false negative, N times the paper's. */
#ifndef IRL_MILP_BP_H
#define IRL_MILP_BP_H

#include "base/arena.h"
#include "base/array.h"
#include "model/lp_names.h"
#include "problem/problem.h"
#include "rule/rule.h"

/* How a problem is written as a model. */
typedef struct irl_bp_style {
  uint32_t form; /* 1 .. 6 */
  bool is_binary, is_plain;
  const uint64_t *live_cases; /* of a plain model: no others are in it; NULL: all are */
} irl_bp_style;

#define IRL_BP_NONE UINT32_MAX

/* Samples of a class, equal ones merged. */
typedef struct irl_bp_class {
  irl_bits_matrix bits; /* a vector per feature over the groups */
  uint32_t n;           /* groups */
  int64_t *weight;      /* of all samples of each */
  uint32_t *sample;     /* the number, from 1 in the order of the file, of the first one */
  /* First columns of t, those of a clause together, and of y; IRL_BP_NONE: the model has none. */
  uint32_t first_t, first_y;
} irl_bp_class;

typedef struct irl_bp {
  irl_env *env;
  irl_arena arena; /* all arrays whose size stays */
  irl_problem problem;
  irl_bp_style style;
  uint32_t n_literals;
  irl_bp_class cases, controls;
  irl_lp_names named;
  irl_status status; /* of the building: what fails first */
  struct {
    IRL_ARRAY(uint8_t)
  } priority; /* by column */
  struct {
    IRL_ARRAY(uint32_t)
  } columns; /* of the row that is being built */
  struct {
    IRL_ARRAY(double)
  } values;
  uint32_t first_s;          /* the columns of a clause stand together */
  uint32_t first_u;          /* IRL_BP_NONE: no clause may be unused */
  uint32_t *representatives; /* groups of cases; none if the model is plain */
  uint32_t n_representatives;
} irl_bp;

/* K clauses at once; of the problem only sizes and the weights of the classes are in the model. */
irl_status irl_bp_init(irl_bp *bp, irl_env *env, const irl_problem *problem,
                       const irl_bp_style *style);
void irl_bp_free(irl_bp *bp);
/* Rows that this model will have, before equal samples are merged. */
double irl_bp_count_rows(const irl_problem *problem, const irl_bp_style *style);
/* The entries that the rows of AND1 have beside, about: half of the literals miss a sample. */
double irl_bp_count_misses(const irl_problem *problem, const irl_bp_style *style);

/* ---- the other models, for other solvers: our own engines are in src/clause and src/select ----
 */

/* (SP)_u: the clause that covers most cases and at most max_controls controls. */
irl_status irl_bp_write_clause(irl_bp *bp, irl_env *env, const irl_problem *problem,
                               const irl_bp_style *style);
/* The rule of least loss, nothing left out: the question of a proof; see bp_whole.c. */
irl_status irl_bp_write_whole(irl_bp *bp, irl_env *env, const irl_problem *problem);
/* The clauses of a pool by their covers, a vector each. */
typedef struct irl_bp_pool {
  const irl_bits_matrix *cases, *controls;
  uint32_t n;
} irl_bp_pool;

/* (MP): the choice of at most K clauses of a pool that cover at most max_controls controls; `bp` is
 * as from irl_bp_init, without literals. */
irl_status irl_bp_write_master(irl_bp *bp, irl_env *env, const irl_problem *problem,
                               const irl_bp_style *style, const irl_bp_pool *pool);

/* ---- bp_point.c: points as rules, and which permutations of their clauses are points ---- */
irl_status irl_bp_break_symmetry(irl_bp *bp);
/* Case g is covered by one of the first so many clauses, if at all: K, or fewer for a
 * representative. */
uint32_t irl_bp_first_clauses(const irl_bp *bp, uint32_t g);
/* The clauses of a point: sizes[K] and literals[K * M]; the number of those in use. */
uint32_t irl_bp_clauses(const irl_bp *bp, const double *x, uint32_t *sizes, irl_literal *literals);

/* Has group g of the class the literal? */
static inline bool irl_bp_has(const irl_bp_class *class, uint32_t g, irl_literal literal) {
  assert(g < class->n);
  return irl_bits_get(irl_bits_vector(&class->bits, irl_literal_feature(literal)), g) !=
         irl_literal_is_negated(literal);
}

static inline irl_literal irl_bp_literal(const irl_bp *bp, uint32_t l) {
  const uint32_t J = bp->problem.data->n_features;
  assert(l < bp->n_literals);
  return irl_literal_make(l < J ? l : l - J, l >= J);
}

/* ---- bp_rows.c: building blocks; what fails sets bp->status, and the rest does nothing ---- */
/* An empty model and the samples of both classes; false: it failed. */
bool irl_bp_start(irl_bp *bp, irl_env *env, const irl_problem *problem, const irl_bp_style *style);
/* Names the objective; returns the status, and frees the model if it is not IRL_STATUS_OK. */
irl_status irl_bp_finish(irl_bp *bp, const char *objective);
void irl_bp_add_column(irl_bp *bp, double cost, bool is_integer, uint8_t priority,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A row: its terms, then its sides and its name. */
void irl_bp_put(irl_bp *bp, uint32_t column, double value);
void irl_bp_end_row(irl_bp *bp, double lower, double upper, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A name that every file format can hold: of literal l. */
void irl_bp_literal_name(const irl_bp *bp, uint32_t l, char *name, size_t size);

#endif
