/* The fields of an object as a table, which says name, place and type of each once. JSON and text
 * of the object come from it:
 *
 *   #define FIELD(name) IRL_FIELD(irl_evaluation, name)
 *   static const irl_field fields[] = {FIELD(tp), FIELD(fn), FIELD(sensitivity), IRL_FIELDS_END};
 *   ...
 *   irl_fields_put(json, fields, e);
 *   irl_fields_print(text, fields, e, "sensitivity {sensitivity:.4f} ({tp} found, {fn} missed)\n");
 *
 * JSON has the fields in the order of the table: as members under their names or, where several
 * stand one behind the other in the object, as an array. Text is a sentence or a row that calls
 * those it wants by their names, and says how they are to look: {name:FORMAT} is printf's %FORMAT
 * with a width, a precision and, of real numbers, f or g; {name:.2p} is 100 times the number, and
 * {name} has %g for real numbers; {name[1]} is the second of an array. What is not there (no text,
 * not a number, a signed number below 0) is null in JSON. */
#ifndef IRL_BASE_FIELDS_H
#define IRL_BASE_FIELDS_H

#include "base/json.h"
#include <stddef.h>

typedef enum irl_field_type {
  IRL_FIELD_FLAG,
  IRL_FIELD_SIGNED, /* below 0: it is not there */
  IRL_FIELD_UNSIGNED,
  IRL_FIELD_REAL,
  IRL_FIELD_TEXT,
  IRL_FIELD_OUTCOME /* an irl_outcome in words */
} irl_field_type;

typedef struct irl_field {
  const char *name; /* NULL: the end of the table */
  irl_field_type type;
  bool is_optional; /* JSON leaves it out where it is not there, false, or 0 and unsigned */
  size_t size, offset;
  size_t n; /* so many make an array; 0: it is none */
} irl_field;

/* The type of a member, from its C type. */
#define IRL_FIELD_TYPE(member)                                                                     \
  _Generic(member,                                                                                 \
      bool: IRL_FIELD_FLAG,                                                                        \
      int: IRL_FIELD_SIGNED,                                                                       \
      long: IRL_FIELD_SIGNED,                                                                      \
      long long: IRL_FIELD_SIGNED,                                                                 \
      unsigned: IRL_FIELD_UNSIGNED,                                                                \
      unsigned long: IRL_FIELD_UNSIGNED,                                                           \
      unsigned long long: IRL_FIELD_UNSIGNED,                                                      \
      double: IRL_FIELD_REAL,                                                                      \
      char *: IRL_FIELD_TEXT,                                                                      \
      const char *: IRL_FIELD_TEXT)
/* Rows: the member as it is called, under another name, one that may be left out, and n of the same
 * type from this one on. */
#define IRL_FIELD_ROW(object, name, member, is_optional, n)                                        \
  {                                                                                                \
    name, IRL_FIELD_TYPE(((object *)0)->member), is_optional, sizeof((object *)0)->member,         \
        offsetof(object, member), n                                                                \
  }
#define IRL_FIELD(object, member)               IRL_FIELD_ROW(object, #member, member, false, 0)
#define IRL_FIELD_AS(object, name, member)      IRL_FIELD_ROW(object, name, member, false, 0)
#define IRL_FIELD_IF(object, name, member)      IRL_FIELD_ROW(object, name, member, true, 0)
#define IRL_FIELD_LIST(object, name, member, n) IRL_FIELD_ROW(object, name, member, false, n)
/* The outcome as the status. */
#define IRL_FIELD_STATUS(object, member)                                                           \
  { "status", IRL_FIELD_OUTCOME, false, sizeof(irl_outcome), offsetof(object, member), 0 }
#define IRL_FIELDS_END                                                                             \
  { NULL, IRL_FIELD_FLAG, false, 0, 0, 0 }

/* Members of the open object. */
void irl_fields_put(irl_json *json, const irl_field *fields, const void *object);
/* The same as an object on one line; `key` is NULL in arrays. */
void irl_fields_put_object(irl_json *json, const char *key, const irl_field *fields,
                           const void *object);
/* The words, with the fields that they call. */
void irl_fields_print(irl_text *text, const irl_field *fields, const void *object,
                      const char *words);

#endif
