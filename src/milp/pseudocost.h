/* Pseudo-costs: what branching on a column has done to the LP's objective so far. */
#ifndef IRL_MILP_PSEUDOCOST_H
#define IRL_MILP_PSEUDOCOST_H

#include "base/arena.h"
#include "base/env.h"

/* One observation: gain per unit of distance. */
typedef struct irl_milp_gain {
  double per_unit;
  uint32_t column;
  bool is_up;
} irl_milp_gain;

/* Observations of one column and direction. */
typedef struct irl_milp_gains {
  double sum;
  uint32_t n;
} irl_milp_gains;

typedef struct irl_milp_pseudocost {
  uint32_t n_columns;
  irl_milp_gains (*gains)[2]; /* by column: down, up */
  double total;               /* over all columns and directions */
  uint64_t n_total;
} irl_milp_pseudocost;

/* Its arrays live as long as the arena; false: out of memory. */
bool irl_milp_pseudocost_init(irl_milp_pseudocost *pseudo, irl_arena *arena, uint32_t n_columns);
void irl_milp_pseudocost_copy(irl_milp_pseudocost *to, const irl_milp_pseudocost *from);
void irl_milp_pseudocost_note(irl_milp_pseudocost *pseudo, const irl_milp_gain *gain);
/* The expected gain of moving the column by `distance`; the average of all where it is unknown. */
double irl_milp_pseudocost_expect(const irl_milp_pseudocost *pseudo, uint32_t column, bool is_up,
                                  double distance);
/* Observations in the direction that has fewer. */
uint32_t irl_milp_pseudocost_count(const irl_milp_pseudocost *pseudo, uint32_t column);
/* Two gains as one number: both children should be better. */
double irl_milp_pseudocost_score(double down, double up);

#endif
