/* Groups of columns, as genes, of which a clause may take one literal at most: `--one-per FILE`. */
#ifndef IRL_TABLE_ONE_PER_H
#define IRL_TABLE_ONE_PER_H

#include "table/raw_table.h"

typedef struct irl_one_per {
  irl_allocator allocator;
  uint32_t *group;  /* of each column, from 1; 0: none. NULL: the option is not given */
  uint32_t *number; /* of each group, from 1 in the order in which they are asked for; 0: not yet */
  uint32_t n_numbers;
} irl_one_per;

/* Lines `COLUMN GROUP`, separated by blanks, tabs or a comma; a variant may be called by its
 * identifier alone. Fails on a line of another form, on a column in two groups, and if no column is
 * in a group. `is_part`: nothing is said of columns that are not there. */
irl_status irl_one_per_init(irl_env *env, irl_one_per *one_per, const irl_table *table,
                            const irl_bytes *file, bool is_part);
/* What the literals of a column have as their group, IRL_GROUP_BINDS included; 0: none. */
uint32_t irl_one_per_group(irl_one_per *one_per, size_t column);
void irl_one_per_free(irl_one_per *one_per);

#endif
