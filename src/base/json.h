/* JSON: a writer onto a growing text and a strict reader into an arena.
 *
 * Bytes that are not UTF-8 (names in old encodings) are written as lone surrogates \udc80 .. \udcff
 * and read back to the same bytes, so that every name survives the round trip. */
#ifndef IRL_BASE_JSON_H
#define IRL_BASE_JSON_H

#include "base/arena.h"
#include "base/text.h"

/* ---- writing ---- */

typedef struct irl_json {
  irl_text text;
  unsigned depth;
  bool has_items; /* in the object or array that is open */
  unsigned flat;  /* depth from which on everything stands on one line; 0: nowhere */
} irl_json;

void irl_json_init(irl_json *json, irl_env *env);
/* `key` is NULL inside arrays and at the top. The brackets are '{' '}' '[' ']'. */
void irl_json_open(irl_json *json, const char *key, char bracket);
/* Opens an object or list whose contents stand on one line. */
void irl_json_open_flat(irl_json *json, const char *key, char bracket);
void irl_json_close(irl_json *json, char bracket);
void irl_json_string(irl_json *json, const char *key, const char *value);
/* Takes the text over; one that failed fails this one. */
void irl_json_take_text(irl_json *json, const char *key, irl_text *value);
/* A literal: `!name` if negated. */
void irl_json_literal(irl_json *json, const char *name, bool negated);
void irl_json_integer(irl_json *json, const char *key, int64_t value);
void irl_json_unsigned(irl_json *json, const char *key, uint64_t value);
/* The shortest text that reads back to the same double; null if it is not finite. */
void irl_json_real(irl_json *json, const char *key, double value);
void irl_json_bool(irl_json *json, const char *key, bool value);
/* Ends with a newline and hands the text over, as irl_text_take. */
irl_status irl_json_take(irl_json *json, char **bytes);
void irl_json_drop(irl_json *json);

/* ---- reading ---- */

typedef enum irl_json_type {
  IRL_JSON_NULL,
  IRL_JSON_FALSE,
  IRL_JSON_TRUE,
  IRL_JSON_NUMBER,
  IRL_JSON_STRING,
  IRL_JSON_ARRAY,
  IRL_JSON_OBJECT
} irl_json_type;

typedef struct irl_json_value {
  irl_json_type type;
  const char *key;  /* inside an object */
  const char *text; /* of a string, NUL terminated; */
  size_t length;    /* it may hold NUL itself */
  double number;
  size_t offset; /* of its first byte in the input */
  struct irl_json_value *first, *next;
  size_t n_items;
} irl_json_value;

/* Parses one value that fills the whole text. Errors read `place:line:column: ...`. */
irl_status irl_json_parse(irl_env *env, const char *place, const char *text, size_t length,
                          irl_arena *arena, irl_json_value **value);
/* The member of that name, NULL if there is none or `object` is not an object. */
const irl_json_value *irl_json_get(const irl_json_value *object, const char *key);
/* Is it a text that has no NUL in it; a whole number from `low` to `high`? NULL is neither. */
bool irl_json_is_text(const irl_json_value *value);
bool irl_json_is_whole(const irl_json_value *value, double low, double high);

/* A text that values come from. */
typedef struct irl_json_source {
  irl_env *env;
  const char *place, *text;
} irl_json_source;

/* Bad input: `place:line:column: what`, where the value begins in the text (NULL: at its start). */
irl_status irl_json_refuse(const irl_json_source *source, const irl_json_value *value,
                           const char *what);

#endif
