/* A model behind the public functions, and what its files share. */
#ifndef IRL_API_API_MODEL_H
#define IRL_API_API_MODEL_H

#include "ireland_model.h"
#include "milp/bp.h"
#include "model/lp_names.h"

/* The answer of the last solve, for the columns and rows that there were. Primal and reduced, then
 * activity and dual stand one after the other in one block, or a ray alone at its beginning. */
typedef struct irl_model_answer {
  uint32_t n_columns, n_rows;
  double *values;
  bool has_point, has_duals;
  uint32_t n_ray; /* 0: there is none */
} irl_model_answer;

struct irl_model {
  irl_allocator allocator;
  irl_lp_names named;
  irl_bp bp; /* of a model from data: the bits that the LP's blocks borrow */
  irl_solution solution;
  irl_model_answer answer;
  bool has_conflict; /* of the last answer; its rows are ours */
  irl_conflict conflict;
  bool has_basis; /* from a solve: then there is no presolve */
  bool has_start;
  double *start; /* where the next integer program begins, for its first n_start columns */
  uint32_t n_start;
  bool *is_seen; /* by row or column, false between calls */
  size_t seen_capacity;
};

/* One without LP, without an answer; NULL: out of memory. */
irl_model *irl_model_alloc(irl_env *env);
/* The model is there, and its errors go to this env from now on. */
irl_status irl_model_enter(irl_env *env, irl_model *model);
/* Room for the answer of the model as it is; the old one goes. */
irl_status irl_model_begin_answer(irl_env *env, irl_model *model);
void irl_model_drop_conflict(irl_model *model);
void irl_model_take_lp_answer(irl_model *model);
void irl_model_take_ray(irl_model *model, irl_outcome outcome);
/* The integer point stands in values[0 .. n_columns - 1] already. */
void irl_model_take_milp_answer(irl_model *model);
/* Room for a start of all columns; new ones start at 0. */
irl_status irl_model_reserve_start(irl_env *env, irl_model *model);
/* A part of an answer that has values: of rows or columns, and the duals of these. */
double *irl_model_part(const irl_model_answer *answer, bool is_rows, bool is_dual);

#endif
