#include "base/fields.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static uint64_t unsigned_at(const irl_field *field, const char *at) {
  uint32_t number;
  uint64_t large;
  if (field->size == sizeof large) return memcpy(&large, at, sizeof large), large;
  return memcpy(&number, at, sizeof number), number;
}

static int64_t signed_at(const irl_field *field, const char *at) {
  int32_t number;
  int64_t large;
  if (field->size == sizeof large) return memcpy(&large, at, sizeof large), large;
  return memcpy(&number, at, sizeof number), number;
}

static double real_at(const char *at) {
  return *(const double *)(const void *)at;
}

static const char *text_at(const char *at) {
  return *(const char *const *)(const void *)at;
}

/* ---- JSON ---- */

static void put_value(irl_json *json, const char *key, const irl_field *field, const char *at) {
  switch (field->type) {
  case IRL_FIELD_FLAG:
    irl_json_bool(json, key, *(const bool *)at);
    break;
  case IRL_FIELD_SIGNED:
    if (signed_at(field, at) >= 0)
      irl_json_integer(json, key, signed_at(field, at));
    else
      irl_json_string(json, key, NULL);
    break;
  case IRL_FIELD_UNSIGNED:
    irl_json_unsigned(json, key, unsigned_at(field, at));
    break;
  case IRL_FIELD_REAL:
    irl_json_real(json, key, real_at(at));
    break;
  default:
    irl_json_string(json, key, text_at(at));
  }
}

void irl_fields_put(irl_json *json, const irl_field *fields, const void *object) {
  for (const irl_field *f = fields; f->name; f++) {
    const char *at = (const char *)object + f->offset;
    if (f->n) {
      irl_json_open_flat(json, f->name, '[');
      for (size_t i = 0; i < f->n; i++) put_value(json, NULL, f, at + i * f->size);
      irl_json_close(json, ']');
    } else {
      put_value(json, f->name, f, at);
    }
  }
}

void irl_fields_put_object(irl_json *json, const char *key, const irl_field *fields,
                           const void *object) {
  irl_json_open_flat(json, key, '{');
  irl_fields_put(json, fields, object);
  irl_json_close(json, '}');
}

/* ---- text ---- */

/* How a value is to look: -WIDTH.PRECISION and a letter. */
typedef struct look {
  int width, precision;
  char letter;
} look;

/* Takes a number from a text. */
static int take_number(const char **at) {
  char *end;
  const int number = (int)strtol(*at, &end, 10);
  *at = end;
  return number;
}

static look read_look(const char *at) {
  look made = {0, -1, 'g'};
  if (*at == ':' && *++at != '.') made.width = take_number(&at);
  if (*at == '.') {
    at++;
    made.precision = take_number(&at);
  }
  if (*at != '}') made.letter = *at++;
  assert(*at == '}');
  return made;
}

static void print_value(irl_text *text, const irl_field *field, const char *at, look as) {
  switch (field->type) {
  case IRL_FIELD_UNSIGNED:
    irl_text_printf(text, "%*" PRIu64, as.width, unsigned_at(field, at));
    break;
  case IRL_FIELD_SIGNED:
    irl_text_printf(text, "%*" PRId64, as.width, signed_at(field, at));
    break;
  case IRL_FIELD_REAL:
    if (as.letter == 'g')
      irl_text_printf(text, "%*.*g", as.width, as.precision, real_at(at));
    else
      irl_text_printf(text, "%*.*f", as.width, as.precision,
                      (as.letter == 'p' ? 100 : 1) * real_at(at));
    break;
  default:
    assert(field->type == IRL_FIELD_TEXT);
    irl_text_printf(text, "%*s", as.width, text_at(at));
  }
}

void irl_fields_print(irl_text *text, const irl_field *fields, const void *object,
                      const char *words) {
  for (const char *open; (open = strchr(words, '{')); words = strchr(open, '}') + 1) {
    const char *name = open + 1, *end = name + strcspn(name, "[:}");
    const size_t n = (size_t)(end - name);
    const irl_field *f = fields;
    size_t i = 0;
    while (f->name && (strlen(f->name) != n || memcmp(f->name, name, n))) f++;
    if (*end == '[') {
      end++;
      i = (size_t)take_number(&end);
      end++;
    }
    assert(f->name && (i < f->n || !i));
    irl_text_add(text, words, (size_t)(open - words));
    print_value(text, f, (const char *)object + f->offset + i * f->size, read_look(end));
  }
  irl_text_puts(text, words);
}
