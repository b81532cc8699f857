/* A model behind the public functions, from a file or from data. */
#ifndef IRL_API_API_MODEL_H
#define IRL_API_API_MODEL_H

#include "ireland_model.h"
#include "milp/bp.h"
#include "model/lp_names.h"

struct irl_model {
  irl_allocator allocator;
  irl_lp_names named;
  irl_bp bp; /* of a model from data: the bits that the LP's blocks borrow */
  irl_solution solution;
  double *point;  /* the best integer point; NULL: the answer is the LP's */
  bool has_point; /* there is a point to show */
};

/* One without rows and columns and without an answer. */
irl_model *irl_model_create(irl_env *env);

#endif
