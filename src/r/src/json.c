/* JSON of the library, as its own reader understands it, as R values. */
#include "json.h"
#include "base/json.h"
#include <string.h>

static SEXP as_value(const irl_json_value *from);

static SEXP as_text(const irl_json_value *from) {
  return Rf_mkCharLenCE(from->text, (int)from->length, CE_UTF8);
}

static SEXP as_object(const irl_json_value *from) {
  SEXP values = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)from->n_items));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)from->n_items));
  R_xlen_t i = 0;
  for (const irl_json_value *v = from->first; v; v = v->next, i++) {
    SET_STRING_ELT(names, i, Rf_mkCharCE(v->key, CE_UTF8));
    SET_VECTOR_ELT(values, i, as_value(v));
  }
  Rf_setAttrib(values, R_NamesSymbol, names);
  UNPROTECT(2);
  return values;
}

/* The type of the vector that an array becomes: that of all its items but null; VECSXP: a list. */
static SEXPTYPE common_type(const irl_json_value *array) {
  static const SEXPTYPE types[] = {
      [IRL_JSON_FALSE] = LGLSXP,  [IRL_JSON_TRUE] = LGLSXP,  [IRL_JSON_NUMBER] = REALSXP,
      [IRL_JSON_STRING] = STRSXP, [IRL_JSON_ARRAY] = VECSXP, [IRL_JSON_OBJECT] = VECSXP};
  SEXPTYPE type = NILSXP;
  for (const irl_json_value *v = array->first; v; v = v->next) {
    if (v->type == IRL_JSON_NULL) continue;
    if (type != NILSXP && types[v->type] != type) return VECSXP;
    type = types[v->type];
  }
  return type == NILSXP ? VECSXP : type;
}

static SEXP as_array(const irl_json_value *from) {
  const SEXPTYPE type = common_type(from);
  SEXP made = PROTECT(Rf_allocVector(type, (R_xlen_t)from->n_items));
  R_xlen_t i = 0;
  for (const irl_json_value *v = from->first; v; v = v->next, i++) {
    const int is_null = v->type == IRL_JSON_NULL;
    if (type == REALSXP)
      REAL(made)[i] = is_null ? NA_REAL : v->number;
    else if (type == LGLSXP)
      LOGICAL(made)[i] = is_null ? NA_LOGICAL : v->type == IRL_JSON_TRUE;
    else if (type == STRSXP)
      SET_STRING_ELT(made, i, is_null ? NA_STRING : as_text(v));
    else
      SET_VECTOR_ELT(made, i, as_value(v));
  }
  UNPROTECT(1);
  return made;
}

static SEXP as_value(const irl_json_value *from) {
  switch (from->type) {
  case IRL_JSON_OBJECT:
    return as_object(from);
  case IRL_JSON_ARRAY:
    return as_array(from);
  case IRL_JSON_STRING: {
    SEXP text = PROTECT(as_text(from)), value = Rf_ScalarString(text);
    UNPROTECT(1);
    return value;
  }
  case IRL_JSON_NUMBER:
    return Rf_ScalarReal(from->number);
  case IRL_JSON_NULL:
    return R_NilValue;
  default:
    return Rf_ScalarLogical(from->type == IRL_JSON_TRUE);
  }
}

SEXP json_to_r(job *j, const char *text) {
  irl_json_value *value;
  irl_env_clear_stop(j->env); /* an interrupt has ended the search, and its answer is wanted */
  irl_arena_init(&j->arena, &j->env->allocator);
  if (irl_json_parse(j->env, "JSON", text, strlen(text), &j->arena, &value))
    Rf_error("%s", irl_env_error(j->env));
  SEXP made = PROTECT(as_value(value));
  irl_arena_free(&j->arena);
  UNPROTECT(1);
  return made;
}
