/* The header of a CSV file: delimiter, names, label column, and the plan for the body. */
#include "base/memory.h"
#include "data/csv.h"
#include <stdlib.h>

static char find_delimiter(const irl_source *source, const char *text, const char *end) {
  static const char candidates[] = "\t,;| ";
  size_t best = 0;
  char delimiter = ',';
  for (const char *c = candidates; *c; c++) {
    size_t n = 0;
    bool is_quoted = false;
    for (const char *at = text; at < end && (*at != '\n' || is_quoted); at++) {
      if (*at == '"') is_quoted = !is_quoted;
      n += *at == *c && !is_quoted;
    }
    if (*c == ' ' && best) continue; /* blanks stand in names */
    if (n > best) {
      best = n;
      delimiter = *c;
    }
  }
  return source->delimiter ? source->delimiter : delimiter;
}

static irl_status add_column(csv_plan *plan, const csv_cell *c) {
  char number[32];
  size_t length;
  if (plan->source->no_header) {
    length = (size_t)snprintf(number, sizeof number, "f%zu", plan->columns.n + 1);
    return irl_names_add(&plan->columns, number, length) ? IRL_OK : irl_fail_memory(plan->env);
  }
  if (memchr(c->text, '\0', c->length))
    return irl_csv_fail(plan, c->text, "a NUL byte; this is not a text file");
  char *name = irl_csv_unquote(plan->env, c->text, c->length, &length);
  const bool added = name && irl_names_add(&plan->columns, name, length);
  irl_mem_free(&plan->env->allocator, name);
  return added ? IRL_OK : irl_fail_memory(plan->env);
}

/* The cells of the first line as names, and the body after it. Without a header it only counts. */
static irl_status read_header(csv_plan *plan, csv_piece *whole) {
  const char *at = whole->start;
  csv_cell c = {.after = plan->delimiter};
  while (c.after == plan->delimiter) {
    if (!irl_csv_cell(whole, at, plan->delimiter, &c))
      return irl_csv_fail(plan, at, "a quote is not closed, or text follows it");
    const irl_status status = add_column(plan, &c);
    if (status) return status;
    at = c.next;
  }
  plan->n_columns = plan->columns.n;
  if (!plan->source->no_header) whole->start = at;
  return IRL_OK;
}

static bool looks_like_data(const irl_names *columns) {
  for (size_t i = 0; i < columns->n; i++) {
    const char *name = irl_names_get(columns, i);
    if (strcmp(name, "0") && strcmp(name, "1")) return false;
  }
  return true;
}

static irl_status find_target(csv_plan *plan) {
  const char *wanted = plan->source->target;
  const irl_source *source = plan->source;
  uint32_t twice;
  if (!irl_names_index(&plan->columns, &twice)) return irl_fail_memory(plan->env);
  if (twice != IRL_NO_NAME)
    return irl_fail(plan->env, IRL_BAD_INPUT, "%s:1: column name '%s' is there twice%s",
                    source->path, irl_names_get(&plan->columns, twice),
                    looks_like_data(&plan->columns) ? "; --no-header if the first line is data"
                                                    : "");
  if (!wanted) {
    plan->target = source->labels_optional ? plan->n_columns : plan->n_columns - 1;
    return IRL_OK;
  }
  const uint32_t found = irl_names_find(&plan->columns, wanted, strlen(wanted));
  if (found != IRL_NO_NAME) {
    plan->target = found;
    return IRL_OK;
  }
  char *end;
  const unsigned long number = strtoul(wanted, &end, 10);
  if (*wanted >= '0' && *wanted <= '9' && !*end && number >= 1 && number <= plan->n_columns) {
    plan->target = number - 1;
    return IRL_OK;
  }
  if (source->labels_optional) {
    plan->target = plan->n_columns;
    return IRL_OK;
  }
  return irl_fail(plan->env, IRL_BAD_INPUT, "%s:1: there is no column '%s' for the labels",
                  source->path, wanted);
}

static bool add_step(csv_plan *plan, enum csv_kind kind) {
  if (plan->n_steps && plan->steps[plan->n_steps - 1].kind == kind) {
    plan->steps[plan->n_steps - 1].n++;
    return true;
  }
  if (!irl_mem_reserve(&plan->env->allocator, (void **)&plan->steps, &plan->steps_capacity,
                       plan->n_steps, sizeof *plan->steps))
    return false;
  plan->steps[plan->n_steps++] = (csv_step){kind, 1};
  return true;
}

/* Which columns to keep; their names go to `kept`. */
static irl_status make_plan(csv_plan *plan, irl_names *kept) {
  const irl_names *only = plan->source->only;
  for (size_t i = 0; i < plan->n_columns; i++) {
    const char *name = irl_names_get(&plan->columns, i);
    const size_t length = strlen(name);
    const bool is_kept = !only || irl_names_find(only, name, length) != IRL_NO_NAME;
    const enum csv_kind kind = i == plan->target ? CSV_LABEL : is_kept ? CSV_KEEP : CSV_SKIP;
    if (!add_step(plan, kind)) return irl_fail_memory(plan->env);
    if (kind != CSV_KEEP) continue;
    plan->n_kept++;
    if (!irl_names_add(kept, name, length)) return irl_fail_memory(plan->env);
  }
  if (!plan->n_kept && !only)
    return irl_fail(plan->env, IRL_BAD_INPUT,
                    "%s:1: one column only, so no features; is the delimiter right?",
                    plan->source->path);
  return IRL_OK;
}

irl_status irl_csv_header(csv_plan *plan, csv_piece *whole, irl_names *kept) {
  plan->delimiter = find_delimiter(plan->source, whole->start, whole->end);
  irl_status status = read_header(plan, whole);
  if (!status) status = find_target(plan);
  if (!status) status = make_plan(plan, kept);
  return status;
}
