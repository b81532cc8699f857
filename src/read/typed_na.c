/* Which texts mean a missing value. */
#include "base/memory.h"
#include "read/typed.h"

static bool add_text(typed_na *na, const char *text, size_t length) {
  uint32_t number;
  if (!length) na->has_empty = true;
  na->starts[(unsigned char)(length ? *text : 0)] = true;
  return irl_names_intern(&na->texts, text, length, &number);
}

/* Texts that mean a missing value where nothing else is said. */
static const char usual[] = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.";

bool irl_typed_is_usual_na(const char *text, size_t length) {
  size_t n;
  for (const char *at = usual, *next; at; at = next) {
    next = irl_list_item(at, ",", &n);
    if (n == length && !memcmp(at, text, n)) return true;
  }
  return false;
}

static irl_status start_na(irl_env *env, typed_na *na) {
  *na = (typed_na){0};
  irl_names_init(&na->texts, &env->allocator);
  return add_text(na, "", 0) ? IRL_STATUS_OK : irl_fail_memory(env);
}

static irl_status add_usual(irl_env *env, typed_na *na) {
  bool done = true;
  size_t length;
  for (const char *at = usual, *next; at && done; at = next) {
    next = irl_list_item(at, ",", &length);
    done = add_text(na, at, length);
  }
  return done ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_typed_usual_na(irl_env *env, typed_na *na) {
  const irl_status status = start_na(env, na);
  return status ? status : add_usual(env, na);
}

/* The `=` of COL=TEXT, NULL if the item is a text; `*column` is found, or IRL_NO_NAME. */
static const char *find_column(const typed_plan *plan, const char *item, size_t length,
                               uint32_t *column) {
  const char *first = NULL;
  *column = IRL_NO_NAME;
  for (const char *at = item + 1; at < item + length; at++) {
    if (*at != '=') continue;
    if (!first) first = at;
    *column = irl_names_find(&plan->csv.columns, item, (size_t)(at - item));
    if (*column != IRL_NO_NAME) return at;
  }
  return first;
}

/* The missing values of a column of its own: first those of all columns. */
static irl_status make_own(const typed_plan *plan, typed_column *c) {
  irl_env *env = plan->csv.env;
  const typed_na *from = c->role == TYPED_LABEL ? &plan->label_na : &plan->na;
  c->na = irl_mem_alloc(&env->allocator, 1, sizeof *c->na);
  irl_status status = c->na ? start_na(env, c->na) : irl_fail_memory(env);
  for (size_t i = 0; i < from->texts.n && !status; i++) {
    const char *text = irl_names_get(&from->texts, i);
    if (!add_text(c->na, text, strlen(text))) status = irl_fail_memory(env);
  }
  return status;
}

irl_status irl_typed_na(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  const irl_options *options = plan->csv.source->options;
  const char *list = options ? options->data.na : NULL, *next;
  size_t length, n = 0;
  uint32_t column;
  irl_status status = irl_typed_usual_na(env, &plan->label_na);
  if (!status) status = start_na(env, &plan->na);
  /* Texts for all columns, */
  for (const char *item = list; item && !status; item = next) {
    next = irl_list_item(item, ",\n", &length);
    if (find_column(plan, item, length, &column)) continue;
    n++;
    if (!add_text(&plan->na, item, length)) status = irl_fail_memory(env);
  }
  if (!status && !n) status = add_usual(env, &plan->na);
  if (!status && plan->is_arff && !add_text(&plan->na, "?", 1)) /* the format's own sign */
    status = irl_fail_memory(env);
  /* and those for a column alone. */
  for (const char *item = list; item && !status; item = next) {
    next = irl_list_item(item, ",\n", &length);
    const char *sign = find_column(plan, item, length, &column);
    if (!sign) continue;
    if (column == IRL_NO_NAME)
      return irl_names_no_column(env, &plan->csv.columns, plan->csv.source->path, "na", item,
                                 (size_t)(sign - item));
    typed_column *c = &plan->columns[column];
    if (!c->na) status = make_own(plan, c);
    if (!status && !add_text(c->na, sign + 1, (size_t)(item + length - sign - 1)))
      status = irl_fail_memory(env);
  }
  return status;
}

void irl_typed_na_free(typed_plan *plan) {
  irl_names_free(&plan->na.texts);
  irl_names_free(&plan->label_na.texts);
  for (size_t i = 0; plan->columns && i < plan->csv.n_columns; i++) {
    if (!plan->columns[i].na) continue;
    irl_names_free(&plan->columns[i].na->texts);
    irl_mem_free(&plan->csv.env->allocator, plan->columns[i].na);
  }
}

bool irl_typed_is_missing(const typed_na *na, const char *text, size_t length) {
  if (!length) return na->has_empty;
  return na->starts[(unsigned char)*text] &&
         irl_names_find(&na->texts, text, length) != IRL_NO_NAME;
}
