/* The other side of a data set, for rules in conjunctive normal form: a CNF for the cases is the
 * negation of a DNF for the controls. */
#ifndef IRL_API_COMPLEMENT_H
#define IRL_API_COMPLEMENT_H

#include "data/dataset.h"

typedef struct irl_complement {
  irl_data *swapped; /* classes exchanged; names and bits are the original's */
  irl_data
      *flipped; /* the same with every bit inverted, to learn from: feature j stands for NOT j */
} irl_complement;

irl_status irl_complement_init(irl_env *env, irl_complement *complement, const irl_data *data);
/* Safe on one that was not made. */
void irl_complement_free(irl_complement *complement);

#endif
