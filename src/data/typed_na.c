/* Which texts mean a missing value, and lists in options. */
#include "base/memory.h"
#include "data/typed.h"

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

typedef struct adder {
  irl_env *env;
  typed_na *na;
} adder;

static irl_status add_item(void *user, const char *item, size_t length) {
  const adder *a = user;
  return add_text(a->na, item, length) ? IRL_OK : irl_fail_memory(a->env);
}

irl_status irl_typed_na(irl_env *env, const irl_options *options, typed_na *na) {
  uint32_t twice;
  *na = (typed_na){0};
  irl_names_init(&na->texts, &env->allocator);
  if (!irl_names_index(&na->texts, &twice)) return irl_fail_memory(env);
  const char *list = options && options->na
                         ? options->na
                         : ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.";
  adder a = {env, na};
  const irl_status status = add_text(na, "", 0) ? IRL_OK : irl_fail_memory(env);
  return status ? status : irl_list_walk(list, false, add_item, &a);
}

bool irl_typed_is_missing(const typed_na *na, const char *text, size_t length) {
  if (!length) return na->has_empty;
  return na->starts[(unsigned char)*text] &&
         irl_names_find(&na->texts, text, length) != IRL_NO_NAME;
}
