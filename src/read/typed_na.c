/* Which texts mean a missing value, and lists in options. */
#include "base/memory.h"
#include "read/typed.h"

irl_status irl_list_walk(const char *list, bool is_whole,
                         irl_status (*visit)(void *user, const char *item, size_t length),
                         void *user) {
  irl_status status = IRL_OK;
  for (const char *at = list; !status;) {
    const size_t length = strcspn(at, is_whole ? "\n" : ",\n");
    status = visit(user, at, length);
    if (!at[length]) break;
    at += length + 1;
  }
  return status;
}

static bool add_text(typed_na *na, const char *text, size_t length) {
  uint32_t number;
  if (!length) na->has_empty = true;
  na->starts[(unsigned char)(length ? *text : 0)] = true;
  return irl_names_intern(&na->texts, text, length, &number);
}

/* Texts that mean a missing value where nothing else is said. */
static const char usual[] = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.";

bool irl_typed_is_usual_na(const char *text, size_t length) {
  for (const char *at = usual; *at;) {
    const size_t n = strcspn(at, ",");
    if (n == length && !memcmp(at, text, n)) return true;
    at += n + (at[n] == ',');
  }
  return false;
}

static irl_status start_na(irl_env *env, typed_na *na) {
  *na = (typed_na){0};
  irl_names_init(&na->texts, &env->allocator);
  return add_text(na, "", 0) ? IRL_OK : irl_fail_memory(env);
}

typedef struct adder {
  irl_env *env;
  typed_plan *plan; /* whose columns may be named, NULL: none */
  typed_na *na;     /* where other texts go */
  size_t n;         /* of these */
} adder;

static irl_status add_item(void *user, const char *item, size_t length) {
  adder *a = user;
  a->n++;
  return add_text(a->na, item, length) ? IRL_OK : irl_fail_memory(a->env);
}

irl_status irl_typed_usual_na(irl_env *env, typed_na *na) {
  adder a = {env, NULL, na, 0};
  const irl_status status = start_na(env, na);
  return status ? status : irl_list_walk(usual, false, add_item, &a);
}

/* The `=` of COL=TEXT, NULL if the item is a text; `*column` is found, or IRL_NO_NAME. */
static const char *find_column(const adder *a, const char *item, size_t length, uint32_t *column) {
  const char *first = NULL;
  *column = IRL_NO_NAME;
  for (const char *at = item + 1; at < item + length; at++) {
    if (*at != '=') continue;
    if (!first) first = at;
    *column = irl_names_find(&a->plan->csv.columns, item, (size_t)(at - item));
    if (*column != IRL_NO_NAME) return at;
  }
  return first;
}

/* A text for all columns, */
static irl_status add_general(void *user, const char *item, size_t length) {
  uint32_t column;
  const adder *a = user;
  return find_column(a, item, length, &column) ? IRL_OK : add_item(user, item, length);
}

/* and one for its column alone. */
static irl_status add_own(void *user, const char *item, size_t length) {
  const adder *a = user;
  uint32_t column;
  const char *sign = find_column(a, item, length, &column);
  if (!sign) return IRL_OK;
  if (column == IRL_NO_NAME) return irl_typed_no_column(a->plan, "na", item, (size_t)(sign - item));
  typed_column *c = &a->plan->columns[column];
  if (!c->na) { /* those of all columns count there too */
    const typed_na *from = c->role == TYPED_LABEL ? &a->plan->label_na : &a->plan->na;
    c->na = irl_mem_alloc(&a->env->allocator, 1, sizeof *c->na);
    irl_status status = c->na ? start_na(a->env, c->na) : irl_fail_memory(a->env);
    for (size_t i = 0; i < from->texts.n && !status; i++) {
      const char *text = irl_names_get(&from->texts, i);
      if (!add_text(c->na, text, strlen(text))) status = irl_fail_memory(a->env);
    }
    if (status) return status;
  }
  return add_text(c->na, sign + 1, (size_t)(item + length - sign - 1)) ? IRL_OK
                                                                       : irl_fail_memory(a->env);
}

irl_status irl_typed_na(typed_plan *plan) {
  irl_env *env = plan->csv.env;
  const irl_options *options = plan->csv.source->options;
  const char *list = options ? options->na : NULL;
  adder a = {env, plan, &plan->na, 0};
  irl_status status = irl_typed_usual_na(env, &plan->label_na);
  if (!status) status = start_na(env, &plan->na);
  if (!status && list) status = irl_list_walk(list, false, add_general, &a);
  if (!status && !a.n) status = irl_list_walk(usual, false, add_item, &a);
  if (!status && plan->is_arff) status = add_item(&a, "?", 1); /* the format's own sign */
  if (!status && list) status = irl_list_walk(list, false, add_own, &a);
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
