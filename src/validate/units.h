/* Units of resampling: samples that belong together, as several rows of one patient, go to the same
 * fold, hold-out, bag and shuffle. Without groups each sample is a unit. Folds may also be given.
 *
 * With groups a rule has seen other samples of a patient or none, so an estimate is about new
 * patients. Errors of one patient are alike, so that there is less to learn from n samples than
 * from n patients: intervals are made for as many samples as independent ones would be worth (the
 * design effect of Kish 1965, from the errors themselves, as for a ratio of sums over clusters).
 * Labels are shuffled as they stand in a group, among groups of the same size: under the hypothesis
 * that nothing tells, these might have been exchanged. */
#ifndef IRL_VALIDATE_UNITS_H
#define IRL_VALIDATE_UNITS_H

#include "base/random.h"
#include "table/raw_table.h"

typedef struct irl_units {
  uint32_t n, n_rows;
  bool are_groups;
  uint32_t *of;     /* the unit of each row */
  uint32_t *start;  /* n + 1: where its rows begin in */
  uint32_t *rows;   /* these, ascending in each unit */
  uint32_t *counts; /* 2 * unit + label: its samples of each class */
  uint32_t *alike;  /* by irl_units_sort: units whose labels may be exchanged stand together */
} irl_units;

/* The units of some samples of a table; `labels` are theirs, a byte each. */
irl_status irl_units_init(irl_env *env, irl_units *units, const irl_table *table,
                          const irl_rows *rows, const uint8_t *labels);
void irl_units_free(irl_env *env, irl_units *units);

static inline uint32_t irl_units_size(const irl_units *units, uint32_t unit) {
  return units->start[unit + 1] - units->start[unit];
}

/* So many folds can have samples of both classes: the number of units with the rarer class. */
uint32_t irl_units_most_folds(const irl_units *units);
/* fold_of[row] for folds of whole units that have both classes as evenly as units allow; `labels`
 * as at the beginning. Where units are single samples, the sizes of two folds differ by at most
 * one, in each class and in all. */
irl_status irl_units_folds(irl_env *env, const irl_units *units, const uint8_t *labels,
                           irl_random *random, uint32_t n_folds, uint32_t *fold_of);
/* The folds that the table's column gives to these samples, numbered from 0; returns how many.
 * `fold_of` NULL: they are counted. */
uint32_t irl_units_given_folds(const irl_table *table, const irl_rows *rows, uint32_t *fold_of);
/* 1 for the share that is held out, 0 else, of whole units, as near to it as these allow. Where
 * units are single samples, at least one of each class is held out, and all but one at most. */
irl_status irl_units_hold_out(irl_env *env, const irl_units *units, const uint8_t *labels,
                              double share, uint64_t seed, uint32_t *is_held);
/* The rows of as many units as there are, drawn with replacement: *bag, of *n rows, for the caller
 * to free; is_in[row]. */
irl_status irl_units_bag(irl_env *env, const irl_units *units, irl_random *random, uint32_t **bag,
                         uint32_t *n, uint8_t *is_in);
/* Labels exchanged among units of one size (and stratum, unless that is NULL), which are sorted
 * before; `order` is room for a number per unit. */
irl_status irl_units_sort(irl_env *env, irl_units *units, const uint32_t *strata);
void irl_units_shuffle(const irl_units *units, const uint8_t *labels, const uint32_t *strata,
                       irl_random *random, uint32_t *order, uint8_t *shuffled);
/* How many times as many samples of a class it takes as if they were independent: 1 or more. */
double irl_units_effect(const irl_units *units, const uint8_t *labels, const uint8_t *is_right,
                        bool of_cases);

#endif
