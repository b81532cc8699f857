/* The type of each column from its cells. Numbers throughout: a number, or binary if only 0 and 1
 * occur; texts: a category. What cannot be right is refused with its place and a remedy; a column
 * without any value is left out with a warning. */
#include "read/typed.h"

#define MOST_SHOWN 40 /* bytes of a cell in a message */

int irl_typed_shown(const typed_plan *plan, const char *at) {
  const char before = at > plan->csv.text ? at[-1] : '\n';
  const bool is_quoted = before == '"' || before == '\'';
  int length = 0;
  while (at + length < plan->csv.end && length < MOST_SHOWN && !strchr("\r\n", at[length]) &&
         at[length] != (is_quoted ? before : plan->csv.delimiter))
    length++;
  return length;
}

static irl_status refuse_cell(const typed_plan *plan, size_t column, const char *at,
                              const char *format) {
  return irl_csv_fail(&plan->csv, at, format, irl_typed_shown(plan, at), at,
                      irl_names_get(&plan->csv.columns, column));
}

/* A type that was asked for must fit. */
static irl_status check_forced(const typed_plan *plan, size_t column) {
  const typed_column *c = &plan->columns[column];
  const typed_look *look = &c->look;
  if (c->forced == IRL_CATEGORY) return IRL_OK;
  if (look->n_commas)
    return refuse_cell(
        plan, column, look->first_text,
        "'%.*s' in column '%.150s' has a comma; write thousands as 1234 and decimals as 1.5");
  if (look->n_texts)
    return refuse_cell(plan, column, look->first_text,
                       c->forced == IRL_BINARY ? "'%.*s' in feature '%.200s' is not 0 or 1"
                                               : "'%.*s' in column '%.200s' is not a number");
  if (c->forced == IRL_SNP && look->has_more)
    return refuse_cell(plan, column, look->first_more,
                       "'%.*s' in column '%.200s' is not 0, 1 or 2, as a count of alleles is");
  if (c->forced == IRL_BINARY && look->has_other)
    return refuse_cell(plan, column, look->first_other, "'%.*s' in feature '%.200s' is not 0 or 1");
  return IRL_OK;
}

static irl_status find_type(typed_plan *plan, size_t column) {
  typed_column *c = &plan->columns[column];
  const typed_look *look = &c->look;
  const char *name = irl_names_get(&plan->csv.columns, column);
  if (look->n_texts && look->n_texts == look->n_commas)
    return refuse_cell(
        plan, column, look->first_text,
        "'%.*s' in column '%.150s' has a comma; write thousands as 1234 and decimals "
        "as 1.5, or make it a category by --type");
  if (look->n_texts) {
    c->type = IRL_CATEGORY;
  } else if (look->n_numbers) {
    c->type = look->has_other ? IRL_NUMBER : IRL_BINARY;
  } else {
    c->type = IRL_IGNORED;
    irl_log(plan->csv.env, IRL_LOG_WARNING, "%s: column '%s' has no value at all and is left out",
            plan->csv.source->path, name);
  }
  return IRL_OK;
}

irl_status irl_typed_infer(typed_plan *plan) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    typed_column *c = &plan->columns[i];
    if (c->role != TYPED_KEEP) continue;
    if (c->forced == IRL_NOT_FORCED) {
      status = find_type(plan, i);
    } else {
      c->type = (irl_column_type)c->forced;
      status = check_forced(plan, i);
    }
  }
  return status;
}
