/* Files whose columns have types already, .irb and .bed: the options say which of them to take, and
 * the reader brings these, one at a time. */
#include "base/memory.h"
#include "read/typed.h"

static irl_status take_weights(typed_plan *plan, size_t i, typed_bring *bring, void *user) {
  irl_table *table = plan->table;
  irl_env *env = plan->csv.env;
  irl_column column = {.type = IRL_IGNORED};
  if (table->weights)
    return irl_fail(env, IRL_BAD_ARGUMENT, "%s has weights already, without column '%s'",
                    table->path, irl_names_get(&plan->csv.columns, i));
  table->weights = irl_mem_alloc(&table->allocator, table->n_samples, sizeof *table->weights);
  irl_status status = table->weights ? bring(user, i, &column) : irl_fail_memory(env);
  if (!status && (column.type == IRL_CATEGORY || column.type == IRL_IGNORED))
    status = irl_fail(env, IRL_BAD_INPUT, "%s: the weights in column '%s' are not numbers",
                      table->path, irl_names_get(&plan->csv.columns, i));
  for (uint32_t s = 0; s < table->n_samples && !status; s++) {
    table->weights[s] = irl_column_number(&column, s);
    if (!(table->weights[s] >= 0) || isinf(table->weights[s]))
      status = irl_fail(env, IRL_BAD_INPUT, "%s: the weight of sample %u in column '%s' is %s",
                        table->path, s + 1, irl_names_get(&plan->csv.columns, i),
                        table->weights[s] < 0 ? "negative" : "missing or not a number");
  }
  irl_column_free(&column, &table->allocator);
  return status;
}

static irl_status take_columns(typed_plan *plan, typed_bring *bring, void *user) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    const typed_column *c = &plan->columns[i];
    if (c->role == TYPED_KEEP) status = bring(user, i, &plan->table->columns[c->into]);
    if (c->role == TYPED_WEIGHT) status = take_weights(plan, i, bring, user);
  }
  return status;
}

irl_status irl_typed_file(irl_env *env, const irl_source *source, const irl_names *names,
                          irl_table *table, typed_bring *bring, void *user) {
  static const char none[] = "";
  typed_plan plan = {.csv = {.env = env,
                             .source = source,
                             .n_columns = names->n,
                             .target = names->n,
                             .text = none,
                             .header = none,
                             .end = none},
                     .has_types = true,
                     .n_rows = table->n_samples,
                     .table = table};
  const char *weights = source->options ? source->options->weight_column : NULL;
  irl_status status = irl_names_copy(&plan.csv.columns, names, &env->allocator) &&
                              irl_names_index(&plan.csv.columns, NULL)
                          ? irl_typed_roles(&plan)
                          : irl_fail_memory(env);
  if (!status) status = take_columns(&plan, bring, user);
  if (!status && table->weights)
    status = irl_table_weigh(env, table, weights ? weights : "weights");
  if (!status && !source->only && source->options)
    status = irl_table_treat_missing(env, table, source->options);
  irl_typed_free(&plan);
  irl_names_free(&plan.csv.columns);
  return status;
}
