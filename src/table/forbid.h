/* Literals that a coding leaves out: `--forbid 'sex = male,age >'`. */
#ifndef IRL_TABLE_FORBID_H
#define IRL_TABLE_FORBID_H

#include "base/text.h"
#include "table/raw_table.h"

typedef struct irl_forbidden {
  irl_allocator allocator;
  irl_names entries;
  bool *is_met;  /* per entry: did a literal match it? */
  size_t n_left; /* literals left out */
} irl_forbidden;

/* The entries of the option: lines, and in them what commas separate, where that is no text of a
 * value. Fails on one that can be no literal of the table. */
irl_status irl_forbidden_init(irl_env *env, irl_forbidden *forbidden, const irl_table *table,
                              const irl_options *options);
void irl_forbidden_free(irl_forbidden *forbidden);
/* Is this literal of a column left out? An entry is its name, or the column and the relation. */
bool irl_forbidden_has(irl_forbidden *forbidden, const char *name, const char *column,
                       irl_relation relation);
/* Fails if an entry matched nothing. */
irl_status irl_forbidden_check(irl_env *env, const irl_forbidden *forbidden,
                               const irl_table *table);
/* A value in the name of a literal: on one line, whatever it holds. */
void irl_forbidden_print_value(irl_text *text, const char *value);

#endif
