/* Bounds of columns along a path of the tree, what follows from them, and the way back. */
#ifndef IRL_MILP_PROPAGATE_H
#define IRL_MILP_PROPAGATE_H

#include "base/array.h"
#include "milp/milp_model.h"

typedef struct irl_milp_change {
  uint32_t column;
  double lower, upper; /* as they were before */
} irl_milp_change;

typedef struct irl_milp_domain {
  const irl_milp_model *model;
  irl_allocator allocator;
  double *lower, *upper;
  struct {
    IRL_ARRAY(irl_milp_change)
  } trail;
  uint32_t *queue; /* rows to look at: a ring of n_rows places */
  uint32_t first, n_queued;
  bool *is_queued;
  uint32_t *touched; /* columns whose bounds differ from what the LP was told */
  uint32_t n_touched;
  bool *is_touched;
  uint64_t work;
  bool is_empty; /* a column has no value left */
  bool is_out_of_memory;
} irl_milp_domain;

/* All but the trail lives as long as the arena; false: out of memory. */
bool irl_milp_domain_init(irl_milp_domain *domain, irl_arena *arena, const irl_milp_model *model);
void irl_milp_domain_free(irl_milp_domain *domain);
/* New bounds where they are tighter; the rows of the column are queued. */
void irl_milp_domain_tighten(irl_milp_domain *domain, uint32_t column, double lower, double upper);
/* column >= value if `is_up`, <= value if not. */
void irl_milp_domain_branch(irl_milp_domain *domain, uint32_t column, double value, bool is_up);
/* Draws conclusions from the queued rows until nothing changes; false: there is no point left. */
bool irl_milp_domain_propagate(irl_milp_domain *domain);
void irl_milp_domain_queue_all(irl_milp_domain *domain);
/* Bounds of integer columns that follow from the reduced costs of an LP; how many changed. */
uint32_t irl_milp_domain_fix(irl_milp_domain *domain, double bound, const double *reduced,
                             double cutoff);
/* Back to where the trail had `mark` changes. */
void irl_milp_domain_undo(irl_milp_domain *domain, size_t mark);
/* Does every column keep a value unless the domain is empty, are integer bounds integers, and is
 * every change on the trail one of a column? For assertions. */
bool irl_milp_domain_check(const irl_milp_domain *domain);
/* Tells the LP about all bounds of integer columns that changed since the last call. */
void irl_milp_domain_tell(irl_milp_domain *domain, irl_lp *lp);

#endif
