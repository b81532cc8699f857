/* A model with names, as it stands in a file: reading, writing, and the presolve that it gets. */
#ifndef IRL_MODEL_LP_NAMES_H
#define IRL_MODEL_LP_NAMES_H

#include "base/arena.h"
#include "base/file.h"
#include "base/hash_index.h"
#include "lp/lp.h"

typedef struct irl_lp_names {
  irl_env *env;
  irl_allocator allocator;
  irl_lp *lp; /* always minimises: costs and constant are negated if is_maximised */
  irl_arena arena;
  const char *name, *objective; /* "" if the file has none */
  const char **row_names, **column_names;
  bool *is_integer; /* by column */
  uint32_t n_integer;
  size_t rows_capacity, columns_capacity, integer_capacity;
  bool is_maximised;
} irl_lp_names;

/* An empty model with an empty irl_lp. */
irl_status irl_lp_names_init(irl_env *env, irl_lp_names *model);
void irl_lp_names_free(irl_lp_names *model);
/* Appends a name; the row or column itself is added by the caller. */
irl_status irl_lp_name_row(irl_lp_names *model, const char *name, size_t length);
irl_status irl_lp_name_column(irl_lp_names *model, const char *name, size_t length,
                              bool is_integer);

/* The constant of the objective; it and the costs, as they stand in the file, are negated if the
 * model maximises. */
void irl_lp_names_set_sense(irl_lp_names *model, double constant);

/* Is it an integer column with a finite bound beyond 2^53, where doubles leave integers out? */
bool irl_lp_names_is_uncounted(const irl_lp_names *model, uint32_t column);
/* What no file may ask for: no rows and columns at all, a lower bound above its upper one, integers
 * beyond 2^53. `lines` has the line of each column's last bound, 0: none; NULL: there are none. */
irl_status irl_lp_names_check(irl_env *env, const char *path, const irl_lp_names *model,
                              const size_t *lines);

/* MPS, free or fixed (which one is found out), or the LP format of CPLEX. Errors are
 * file:line:column: what is wrong. */
irl_status irl_lp_read(irl_env *env, const char *path, irl_lp_names *model);
irl_status irl_lp_parse_mps(irl_env *env, const char *path, const irl_file *file,
                            irl_lp_names *model);
irl_status irl_lp_parse_lp(irl_env *env, const char *path, const irl_file *file,
                           irl_lp_names *model);
/* Free MPS, or CPLEX LP if the extension is .lp, or OPB if it is .opb. Numbers read back bit by
 * bit.
 */
irl_status irl_lp_write(irl_env *env, const irl_lp_names *model, const char *path);
/* The last of these; see opb_write.c. */
irl_status irl_lp_write_opb(irl_env *env, const irl_lp_names *model, const char *path);

/* Solves `lp` by way of a smaller model; the solution stands in `lp` as after irl_lp_solve, and has
 * passed the same check. Falls back to irl_lp_solve where that fails. */
irl_status irl_lp_solve_presolved(irl_lp *lp, const irl_lp_options *options, irl_lp_result *result);

/* The number of `name` among `names`, or UINT32_MAX. */
uint32_t irl_lp_index_find(const irl_hash_index *index, const char *const *names, const char *name,
                           size_t length);
/* Adds names[number], which must be new. */
bool irl_lp_index_add(irl_hash_index *index, const char *const *names, uint32_t number);

#endif
