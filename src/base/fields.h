/* The fields of an object as a table, which says name, place and type of each once. JSON and text
 * of the object come from it:
 *
 *   static const irl_field fields[] = IRL_FIELDS(irl_evaluation, tp, fn, sensitivity);
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
  IRL_FIELD_TEXT
} irl_field_type;

typedef struct irl_field {
  const char *name; /* NULL: the end of the table */
  irl_field_type type;
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
/* A row: n members of one type, this one the first, under a name. */
#define IRL_FIELD_LIST(object, name, member, n)                                                    \
  {                                                                                                \
    name, IRL_FIELD_TYPE(((object *)0)->member), sizeof((object *)0)->member,                      \
        offsetof(object, member), n                                                                \
  }
#define IRL_FIELD_AS(object, name, member) IRL_FIELD_LIST(object, name, member, 0)
#define IRL_FIELD(object, member)          IRL_FIELD_AS(object, #member, member)
#define IRL_FIELDS_END                                                                             \
  { NULL, IRL_FIELD_FLAG, 0, 0, 0 }

/* A table of up to ten members under their own names. */
#define IRL_FIELDS(object, ...)                                                                    \
  {                                                                                                \
    IRL_FIELDS_COUNT(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, )                                 \
    (object, __VA_ARGS__) IRL_FIELDS_END                                                           \
  }
#define IRL_FIELDS_COUNT(a, b, c, d, e, f, g, h, i, j, n, ...) IRL_FIELDS_##n

#define IRL_FIELDS_1(o, m)       IRL_FIELD(o, m),
#define IRL_FIELDS_2(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_1(o, __VA_ARGS__)
#define IRL_FIELDS_3(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_2(o, __VA_ARGS__)
#define IRL_FIELDS_4(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_3(o, __VA_ARGS__)
#define IRL_FIELDS_5(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_4(o, __VA_ARGS__)
#define IRL_FIELDS_6(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_5(o, __VA_ARGS__)
#define IRL_FIELDS_7(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_6(o, __VA_ARGS__)
#define IRL_FIELDS_8(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_7(o, __VA_ARGS__)
#define IRL_FIELDS_9(o, m, ...)  IRL_FIELD(o, m), IRL_FIELDS_8(o, __VA_ARGS__)
#define IRL_FIELDS_10(o, m, ...) IRL_FIELD(o, m), IRL_FIELDS_9(o, __VA_ARGS__)

/* Members of the open object. */
void irl_fields_put(irl_json *json, const irl_field *fields, const void *object);
/* The same as an object on one line; `key` is NULL in arrays. */
void irl_fields_put_object(irl_json *json, const char *key, const irl_field *fields,
                           const void *object);
/* The words, with the fields that they call. */
void irl_fields_print(irl_text *text, const irl_field *fields, const void *object,
                      const char *words);

#endif
