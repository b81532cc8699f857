/* The reflection of a problem, for rules in conjunctive normal form: a CNF for the cases is the
 * negation of a DNF for the controls over the opposite literals. So the classes are exchanged, and
 * each literal gives way to its opposite: of a table where its coding is learnt (coding.c), of 0/1
 * data by complementing the bits. What limits the classes is exchanged by whoever makes settings.
 *
 * A feature of complemented data stands for the negation of its name; irl_literal_in_words and
 * irl_bound_rule_literal (rule.h) are where literals of data and of rules meet. */
#ifndef IRL_TABLE_REFLECT_H
#define IRL_TABLE_REFLECT_H

#include "table/raw_table.h"

/* Exchanges the classes of data whose features are the opposites already, if they are coded, and
 * complements the bits if they are not. */
void irl_data_reflect(irl_data *data);
/* A reflected copy of 0/1 data. Fails on coded data, whose opposites only its table can tell. */
irl_status irl_data_reflected(irl_env *env, const irl_data *data, int threads, irl_data **copy);

#endif
