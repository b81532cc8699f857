/* The part of an .irb file that says what features mean; see irb_coding.c. */
#ifndef IRL_DATA_IRB_H
#define IRL_DATA_IRB_H

#include "data/dataset.h"

/* Is there anything to say? */
bool irl_irb_has_coding(const irl_data *data);
/* NULL: out of memory. */
char *irl_irb_pack_coding(irl_env *env, const irl_data *data, uint64_t *size);
/* False: the part makes no sense. */
bool irl_irb_unpack_coding(irl_env *env, const char *bytes, uint64_t size, irl_data *data,
                           irl_status *status);

#endif
