/* The model while presolve takes it apart: entries in linked lists by row and by column, which may
 * change their values and be added to; an entry of value 0 counts as none. */
#ifndef IRL_MODEL_PRESOLVE_WORK_H
#define IRL_MODEL_PRESOLVE_WORK_H

#include "base/array.h"
#include "lp/lp_model.h"

#define IRL_LP_NO_ENTRY UINT32_MAX

typedef enum irl_lp_step_kind {
  IRL_LP_STEP_REMOVE_ROW,
  IRL_LP_STEP_SINGLETON_ROW,
  IRL_LP_STEP_REMOVE_COLUMN,
  IRL_LP_STEP_DOUBLETON_ROW
} irl_lp_step_kind;

typedef struct irl_lp_presolve_step {
  irl_lp_step_kind kind;
  uint32_t row, column;
  double entry;        /* of `column` in a singleton or doubleton row */
  double lower, upper; /* of `column` before its row was made a bound; of `other` in a doubleton */
  double value;        /* of a removed column; right-hand side of a doubleton */
  uint32_t other;      /* the column of a doubleton that stays */
  double other_entry, other_cost;
  size_t first_change; /* where the changes of a doubleton begin */
} irl_lp_presolve_step;

typedef struct irl_lp_presolve_entry {
  double value;
  uint32_t row, column, next_in_row, next_in_column;
} irl_lp_presolve_entry;

typedef struct irl_lp_presolve_change {
  double old;
  uint32_t entry;
} irl_lp_presolve_change;

typedef struct irl_lp_presolve {
  irl_lp *lp;
  irl_arena arena; /* all arrays whose size stays */
  uint32_t n_rows, n_columns;
  struct {
    IRL_ARRAY(irl_lp_presolve_entry)
  } entries;
  uint32_t *row_first, *column_first;
  struct {
    IRL_ARRAY(irl_lp_presolve_change)
  } changes; /* of values of entries, so that they come back exactly */
  bool *row_gone, *column_gone;
  uint32_t *row_count, *column_count;
  double *cost, *row_lower, *row_upper, *lower, *upper;
  struct {
    IRL_ARRAY(irl_lp_presolve_step)
  } steps;
  uint32_t *new_row, *new_column; /* numbers in the smaller model */
  bool failed;                    /* out of memory */
  bool gave_up;                   /* bounds cross: not for us to judge */
  bool has_changed;
} irl_lp_presolve;

/* presolve.c */
void irl_lp_presolve_record(irl_lp_presolve *p, irl_lp_presolve_step step);
void irl_lp_presolve_remove_row(irl_lp_presolve *p, uint32_t i);
double irl_lp_presolve_reduced_cost(const irl_lp_presolve *p, uint32_t j);

/* doubleton.c */
void irl_lp_presolve_append(irl_lp_presolve *p, uint32_t row, uint32_t column, double value);
/* The first entry of a row, from `e` on, that is not zero and whose column is there. */
uint32_t irl_lp_presolve_active(const irl_lp_presolve *p, uint32_t e);
/* If the row is an equation of two columns, one of which it can well be solved for, takes that one
 * and the row out. */
bool irl_lp_presolve_substitute(irl_lp_presolve *p, uint32_t i);
void irl_lp_presolve_undo_doubleton(irl_lp_presolve *p, const irl_lp_presolve_step *step);

#endif
