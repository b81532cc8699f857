/* A LIBSVM file whose values are more than 0 and 1: its columns as numbers in a table, 0 where a
 * line says nothing. What each column is for comes from the options or from a rule, as for other
 * files (typed_roles.c); so do weights and missing values (nan). Columns that hold 0 and 1 alone
 * are binary. The table is dense, eight bytes per cell: files of very many columns, as of texts,
 * are refused rather than fill the memory. */
#include "base/file.h"
#include "base/memory.h"
#include "read/libsvm.h"
#include "read/typed.h"
#include <math.h>

#define COLUMN_BYTES 400.0 /* of a column besides its cells */

/* Which columns hold other values than 0 and 1, and missing ones. */
static void scan_numbers(const irl_libsvm *r, typed_column *columns) {
  size_t n_missing = 0;
  for (size_t e = 0; r->values.n && e < r->entries.n; e++) {
    typed_look *of = &columns[r->entries.items[e]].look;
    of->n_numbers++;
    of->has_other |= r->values.items[e] != 1 && !isnan(r->values.items[e]);
    of->has_more |=
        r->values.items[e] != 1 && r->values.items[e] != 2 && !isnan(r->values.items[e]);
    if (!isnan(r->values.items[e])) continue;
    if (!of->n_missing++) of->first_missing = r->missing.items[n_missing];
    n_missing++;
  }
}

static irl_status refuse(const typed_plan *plan, size_t column, const char *what) {
  return irl_fail(plan->csv.env, IRL_BAD_INPUT, "%s: column '%s' %s", plan->csv.source->path,
                  irl_names_get(&plan->csv.columns, column), what);
}

static irl_status make_column(typed_plan *plan, size_t i) {
  const typed_column *from = &plan->columns[i];
  if (from->role != TYPED_KEEP) return IRL_OK;
  irl_column *into = &plan->table->columns[from->into];
  if (from->forced == IRL_CATEGORY)
    return refuse(plan, i, "cannot be a category; this format has numbers only");
  if (from->forced == IRL_BINARY && from->look.has_other)
    return refuse(plan, i, "holds other values than 0 and 1");
  if (from->forced == IRL_SNP && from->look.has_more)
    return refuse(plan, i, "holds other values than 0, 1 and 2, which count alleles");
  const irl_column_type type = from->forced != IRL_NOT_FORCED ? (irl_column_type)from->forced
                               : from->look.has_other         ? IRL_NUMBER
                                                              : IRL_BINARY;
  into->n_missing = from->look.n_missing;
  return irl_column_init(into, &plan->table->allocator, type, plan->n_rows)
             ? IRL_OK
             : irl_fail_memory(plan->csv.env);
}

static irl_status take_value(const typed_plan *plan, size_t row, uint32_t column, double value) {
  const typed_column *from = &plan->columns[column];
  assert(column < plan->csv.n_columns && row < plan->n_rows);
  if (from->role == TYPED_KEEP) {
    irl_column *into = &plan->table->columns[from->into];
    if (into->type == IRL_NUMBER)
      into->numbers[row] = value;
    else
      irl_packed_set(&into->cells, row, isnan(value) ? IRL_CELL_MISSING : (unsigned)value);
  }
  if (from->role != TYPED_WEIGHT) return IRL_OK;
  if (!isfinite(value) || value < 0) return refuse(plan, column, "has a weight below 0 or none");
  plan->table->weights[row] = value;
  return IRL_OK;
}

static irl_status copy_numbers(const irl_libsvm *r, typed_plan *plan) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < r->start.n && !status; i++)
    for (size_t e = r->start.items[i]; e < irl_libsvm_row_end(r, i) && !status; e++)
      status = take_value(plan, i, r->entries.items[e], r->values.n ? r->values.items[e] : 1);
  return status;
}

/* What the cells of the columns that are kept take. */
static double count_bytes(const typed_plan *plan) {
  double bytes = 0;
  for (size_t i = 0; i < plan->csv.n_columns; i++) {
    const typed_column *c = &plan->columns[i];
    const bool is_number =
        c->forced == IRL_NOT_FORCED ? c->look.has_other : c->forced == IRL_NUMBER;
    if (c->role == TYPED_WEIGHT || (c->role == TYPED_KEEP && is_number))
      bytes += 8.0 * (double)plan->n_rows;
    else if (c->role == TYPED_KEEP)
      bytes += 16.0 * (double)irl_packed_words(plan->n_rows);
  }
  return bytes;
}

static irl_status make_columns(const irl_libsvm *r, typed_plan *plan) {
  scan_numbers(r, plan->columns);
  irl_status status = irl_libsvm_afford(r, count_bytes(plan));
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    if (plan->columns[i].role != TYPED_WEIGHT) continue;
    plan->table->weights =
        irl_mem_alloc(&plan->table->allocator, plan->n_rows, sizeof *plan->table->weights);
    if (!plan->table->weights) status = irl_fail_memory(plan->csv.env);
  }
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) status = make_column(plan, i);
  return status ? status : copy_numbers(r, plan);
}

irl_status irl_libsvm_numbers(const irl_libsvm *r, irl_table *table) {
  typed_plan plan = {.csv = {.env = r->env,
                             .source = r->source,
                             .n_columns = r->n_features,
                             .target = r->n_features,
                             .text = r->text,
                             .header = r->text,
                             .end = r->end},
                     .n_rows = r->start.n,
                     .table = table};
  irl_names_init(&plan.csv.columns, &r->env->allocator);
  irl_status status = irl_libsvm_afford(r, COLUMN_BYTES * r->n_features);
  if (status) return status;
  status = irl_names_add_numbered(&plan.csv.columns, r->n_features) &&
                   irl_names_index(&plan.csv.columns, NULL)
               ? irl_typed_roles(&plan)
               : irl_fail_memory(r->env);
  if (!status) status = make_columns(r, &plan);
  if (!status) status = irl_typed_check(&plan);
  irl_typed_free(&plan);
  irl_names_free(&plan.csv.columns);
  return status;
}
