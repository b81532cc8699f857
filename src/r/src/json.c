/* JSON of the library as R values. It is well formed, since the library wrote it; what is not ends
 * in an R error. */
#include "json.h"
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *at;
} reader;

static SEXP read_value(reader *in);

static void skip(reader *in) {
  while (*in->at == ' ' || *in->at == '\n' || *in->at == '\t' || *in->at == '\r') in->at++;
}

static int take(reader *in, char c) {
  skip(in);
  if (*in->at != c) return 0;
  in->at++;
  return 1;
}

static unsigned read_hex(reader *in) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++, in->at++) {
    const char c = *in->at;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) Rf_error("bad escape in JSON");
    code = 16 * code + (unsigned)digit;
  }
  return code;
}

/* A code point as UTF-8; returns how many bytes. */
static size_t put_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (char)(0xc0 | code >> 6);
    to[1] = (char)(0x80 | (code & 63));
    return 2;
  }
  if (code < 0x10000) {
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 63));
    to[2] = (char)(0x80 | (code & 63));
    return 3;
  }
  to[0] = (char)(0xf0 | code >> 18);
  to[1] = (char)(0x80 | (code >> 12 & 63));
  to[2] = (char)(0x80 | (code >> 6 & 63));
  to[3] = (char)(0x80 | (code & 63));
  return 4;
}

static unsigned read_escape(reader *in) {
  const char c = *in->at++;
  if (c != 'u')
    return (unsigned)(c == 'n'   ? '\n'
                      : c == 't' ? '\t'
                      : c == 'r' ? '\r'
                      : c == 'b' ? '\b'
                      : c == 'f' ? '\f'
                                 : c);
  unsigned code = read_hex(in);
  if (code >= 0xd800 && code < 0xdc00 && in->at[0] == '\\' && in->at[1] == 'u') {
    in->at += 2;
    code = 0x10000 + ((code - 0xd800) << 10) + (read_hex(in) - 0xdc00);
  }
  return code;
}

/* A CHARSXP. */
static SEXP read_text(reader *in) {
  const char *end = in->at;
  while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
  char *text = R_alloc((size_t)(end - in->at) + 4, 1);
  size_t n = 0;
  while (*in->at && *in->at != '"') {
    if (*in->at != '\\') {
      text[n++] = *in->at++;
      continue;
    }
    in->at++;
    n += put_utf8(text + n, read_escape(in));
  }
  if (!take(in, '"')) Rf_error("JSON ends within a text");
  return Rf_mkCharLenCE(text, (int)n, CE_UTF8);
}

/* Items in a list that grows; protected by its place in `keep`. */
typedef struct items {
  SEXP values, names;
  R_xlen_t n;
  PROTECT_INDEX value_index, name_index;
} items;

static void items_begin(items *list) {
  list->n = 0;
  PROTECT_WITH_INDEX(list->values = Rf_allocVector(VECSXP, 8), &list->value_index);
  PROTECT_WITH_INDEX(list->names = Rf_allocVector(STRSXP, 8), &list->name_index);
}

static void items_add(items *list, SEXP name, SEXP value) {
  PROTECT(name);
  PROTECT(value);
  if (list->n == XLENGTH(list->values)) {
    REPROTECT(list->values = Rf_xlengthgets(list->values, 2 * list->n), list->value_index);
    REPROTECT(list->names = Rf_xlengthgets(list->names, 2 * list->n), list->name_index);
  }
  SET_VECTOR_ELT(list->values, list->n, value);
  SET_STRING_ELT(list->names, list->n, name);
  list->n++;
  UNPROTECT(2);
}

static SEXP read_object(reader *in) {
  items list;
  items_begin(&list);
  while (!take(in, '}')) {
    if (list.n) take(in, ',');
    if (!take(in, '"')) Rf_error("JSON has no name where one belongs");
    SEXP name = PROTECT(read_text(in));
    take(in, ':');
    SEXP value = PROTECT(read_value(in));
    items_add(&list, name, value);
    UNPROTECT(2);
  }
  SEXP values = PROTECT(Rf_xlengthgets(list.values, list.n));
  SEXP names = PROTECT(Rf_xlengthgets(list.names, list.n));
  Rf_setAttrib(values, R_NamesSymbol, names);
  UNPROTECT(4);
  return values;
}

/* The common type of scalars: REALSXP, STRSXP or LGLSXP; VECSXP if they have none. */
static SEXPTYPE common_type(const items *list) {
  SEXPTYPE type = NILSXP;
  for (R_xlen_t i = 0; i < list->n; i++) {
    SEXP value = VECTOR_ELT(list->values, i);
    if (value == R_NilValue) continue;
    if (TYPEOF(value) == VECSXP || XLENGTH(value) != 1 ||
        Rf_getAttrib(value, Rf_install("json_array")) != R_NilValue)
      return VECSXP;
    if (type != NILSXP && (SEXPTYPE)TYPEOF(value) != type) return VECSXP;
    type = TYPEOF(value);
  }
  return type == NILSXP ? VECSXP : type;
}

static SEXP as_vector(const items *list, SEXPTYPE type) {
  SEXP vector = PROTECT(Rf_allocVector(type, list->n));
  for (R_xlen_t i = 0; i < list->n; i++) {
    SEXP value = VECTOR_ELT(list->values, i);
    const int is_null = value == R_NilValue;
    if (type == REALSXP)
      REAL(vector)[i] = is_null ? NA_REAL : REAL(value)[0];
    else if (type == LGLSXP)
      LOGICAL(vector)[i] = is_null ? NA_LOGICAL : LOGICAL(value)[0];
    else
      SET_STRING_ELT(vector, i, is_null ? NA_STRING : STRING_ELT(value, 0));
  }
  UNPROTECT(1);
  return vector;
}

static SEXP read_array(reader *in) {
  items list;
  items_begin(&list);
  while (!take(in, ']')) {
    if (list.n) take(in, ',');
    SEXP value = PROTECT(read_value(in));
    items_add(&list, R_BlankString, value);
    UNPROTECT(1);
  }
  const SEXPTYPE type = common_type(&list);
  SEXP made =
      PROTECT(type == VECSXP ? Rf_xlengthgets(list.values, list.n) : as_vector(&list, type));
  /* Or a list of arrays of one text each would become one vector of texts. */
  if (type != VECSXP) Rf_setAttrib(made, Rf_install("json_array"), Rf_ScalarLogical(1));
  UNPROTECT(3);
  return made;
}

static SEXP read_value(reader *in) {
  if (take(in, '{')) return read_object(in);
  if (take(in, '[')) return read_array(in);
  if (take(in, '"')) {
    SEXP text = PROTECT(read_text(in)), value = Rf_ScalarString(text);
    UNPROTECT(1);
    return value;
  }
  if (!strncmp(in->at, "null", 4)) return in->at += 4, R_NilValue;
  if (!strncmp(in->at, "true", 4)) return in->at += 4, Rf_ScalarLogical(1);
  if (!strncmp(in->at, "false", 5)) return in->at += 5, Rf_ScalarLogical(0);
  char *end;
  const double number = R_strtod(in->at, &end);
  if (end == in->at) Rf_error("JSON has no value where one belongs");
  in->at = end;
  return Rf_ScalarReal(number);
}

SEXP json_to_r(const char *text) {
  reader in = {text};
  return read_value(&in);
}
