/* The other side of a data set, for rules in conjunctive normal form: a CNF for the cases is the
 * negation of a DNF for the controls. */
#ifndef IRL_DATA_COMPLEMENT_H
#define IRL_DATA_COMPLEMENT_H

#include "data/dataset.h"

typedef struct irl_complement {
  irl_data *swapped; /* classes exchanged; names and bits are the original's */
  irl_data *flipped; /* to learn from: the same with every bit inverted, */
  bool is_inverted;  /* so that feature j stands for NOT j; not where opposites are features */
} irl_complement;

irl_status irl_complement_init(irl_env *env, irl_complement *complement, const irl_data *data);
/* Safe on one that was not made. */
void irl_complement_free(irl_complement *complement);

#endif
