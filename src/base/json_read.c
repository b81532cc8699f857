/* A strict JSON reader (RFC 8259): recursive descent with a bound on depth, values in an arena. */
#include "base/c_locale.h"
#include "base/json.h"
#include "base/limit.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 64

typedef struct reader {
  irl_env *env;
  const char *place, *text, *end, *at;
  irl_arena *arena;
  size_t next_look; /* at limits */
} reader;

irl_status irl_json_refuse(const irl_json_source *source, const irl_json_value *value,
                           const char *what) {
  size_t line, column;
  irl_text_place(source->text, value ? value->offset : 0, &line, &column);
  return irl_fail(source->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s", source->place, line, column,
                  what);
}

bool irl_json_is_text(const irl_json_value *value) {
  return value && value->type == IRL_JSON_STRING && !memchr(value->text, '\0', value->length);
}

bool irl_json_is_whole(const irl_json_value *value, double low, double high) {
  return value && value->type == IRL_JSON_NUMBER && value->number >= low && value->number <= high &&
         value->number == floor(value->number);
}

static irl_status fail_at(reader *r, const char *at, const char *what) {
  const irl_json_value value = {.offset = (size_t)(at - r->text)};
  return irl_json_refuse(&(irl_json_source){r->env, r->place, r->text}, &value, what);
}

static void skip_space(reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

/* Four hexadecimal digits at `p`, or -1. */
static int32_t read_unit(const reader *r, const char *p) {
  int32_t unit = 0;
  if (r->end - p < 4) return -1;
  for (int i = 0; i < 4; i++) {
    const char c = irl_c_lower(p[i]);
    const bool is_letter = c >= 'a' && c <= 'f';
    if (!is_letter && !irl_c_is_digit(c)) return -1;
    unit = unit * 16 + (is_letter ? c - 'a' + 10 : c - '0');
  }
  return unit;
}

static size_t put_utf8(char *out, uint32_t code) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(0xf00u >> n | code);
  return n;
}

/* The escape after \u; lone surrogates dc80 .. dcff are the bytes 80 .. ff. */
static irl_status read_unicode(reader *r, char **out) {
  const int32_t unit = read_unit(r, r->at);
  if (unit < 0) return fail_at(r, r->at, "\\u needs four hexadecimal digits");
  r->at += 4;
  if (unit >= 0xdc80 && unit <= 0xdcff) {
    *(*out)++ = (char)(unit - 0xdc00);
    return IRL_STATUS_OK;
  }
  uint32_t code = (uint32_t)unit;
  if (code >> 10 == 0x36) {
    const int32_t low =
        r->end - r->at >= 6 && !memcmp(r->at, "\\u", 2) ? read_unit(r, r->at + 2) : -1;
    if (low >> 10 != 0x37) return fail_at(r, r->at, "half of a surrogate pair");
    code = 0x10000 + ((code & 0x3ff) << 10 | ((uint32_t)low & 0x3ff));
    r->at += 6;
  } else if (code >> 10 == 0x37) {
    return fail_at(r, r->at, "half of a surrogate pair");
  }
  *out += put_utf8(*out, code);
  return IRL_STATUS_OK;
}

/* r->at stands behind the opening quote. The result is never longer than the source. */
static irl_status read_string(reader *r, const char **text, size_t *length) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char *close = r->at;
  while (close < r->end && *close != '"') close += *close == '\\' ? 2 : 1;
  if (close >= r->end) return fail_at(r, r->at - 1, "this string does not end");
  char *start = irl_arena_alloc(r->arena, (size_t)(close - r->at) + 1, 1);
  if (!start) return irl_fail_memory(r->env);
  char *out = start;
  while (*r->at != '"') {
    if ((unsigned char)*r->at < 0x20) return fail_at(r, r->at, "control character in a string");
    if (*r->at != '\\') {
      *out++ = *r->at++;
      continue;
    }
    const char escaped = r->at[1];
    const char *found = escaped ? strchr(from, escaped) : NULL;
    if (escaped != 'u' && !found) return fail_at(r, r->at + 1, "unknown escape in a string");
    r->at += 2;
    if (found) {
      *out++ = to[found - from];
    } else {
      const irl_status status = read_unicode(r, &out);
      if (status) return status;
    }
  }
  assert(r->at == close);
  r->at++;
  *text = start;
  *length = (size_t)(out - start);
  return IRL_STATUS_OK;
}

static const char *skip_digits(const reader *r, const char *p) {
  while (p < r->end && *p >= '0' && *p <= '9') p++;
  return p;
}

static irl_status read_number(reader *r, double *number) {
  const char *start = r->at, *p = start + (*start == '-');
  const char *whole = p;
  p = skip_digits(r, p);
  bool valid = p > whole && (*whole != '0' || p == whole + 1);
  if (p < r->end && *p == '.') {
    const char *fraction = ++p;
    p = skip_digits(r, p);
    valid = valid && p > fraction;
  }
  if (p < r->end && (*p | 32) == 'e') {
    p++;
    if (p < r->end && (*p == '+' || *p == '-')) p++;
    const char *exponent = p;
    p = skip_digits(r, p);
    valid = valid && p > exponent;
  }
  if (!valid) return fail_at(r, start, "this is not a JSON value");
  r->at = p;
  char *digits = irl_arena_copy_text(r->arena, start, (size_t)(p - start));
  if (!digits) return irl_fail_memory(r->env);
  *number = irl_c_strtod(digits, NULL);
  return IRL_STATUS_OK;
}

static irl_status read_value(reader *r, unsigned depth, irl_json_value **value);

static irl_status read_items(reader *r, unsigned depth, irl_json_value *parent) {
  const char close = parent->type == IRL_JSON_OBJECT ? '}' : ']';
  irl_json_value **link = &parent->first;
  for (;;) {
    const char *key = NULL;
    skip_space(r);
    if (r->at < r->end && *r->at == close && !parent->first) break;
    if (close == '}') {
      size_t length;
      if (r->at == r->end || *r->at != '"')
        return fail_at(r, r->at, "expected a member name in quotes");
      r->at++;
      const irl_status named = read_string(r, &key, &length);
      if (named) return named;
      skip_space(r);
      if (r->at == r->end || *r->at != ':')
        return fail_at(r, r->at, "expected ':' after a member name");
      r->at++;
    }
    const irl_status status = read_value(r, depth + 1, link);
    if (status) return status;
    (*link)->key = key;
    link = &(*link)->next;
    parent->n_items++;
    skip_space(r);
    if (r->at < r->end && *r->at == close) break;
    if (r->at == r->end || *r->at != ',')
      return fail_at(r, r->at, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
    r->at++;
  }
  r->at++;
  return IRL_STATUS_OK;
}

static irl_status read_word(reader *r, irl_json_value *value) {
  static const struct {
    const char *text;
    irl_json_type type;
  } words[] = {{"null", IRL_JSON_NULL}, {"false", IRL_JSON_FALSE}, {"true", IRL_JSON_TRUE}};
  for (size_t i = 0; i < 3; i++) {
    const size_t n = strlen(words[i].text);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, words[i].text, n)) continue;
    value->type = words[i].type;
    r->at += n;
    return IRL_STATUS_OK;
  }
  value->type = IRL_JSON_NUMBER;
  return read_number(r, &value->number);
}

static irl_status read_value(reader *r, unsigned depth, irl_json_value **out) {
  skip_space(r);
  if (r->at == r->end) return fail_at(r, r->at, "the text ends where a value should stand");
  if (depth > MAX_DEPTH) return fail_at(r, r->at, "nested too deeply");
  if (irl_reading_limit_reached_at(r->env, &r->next_look, (size_t)(r->at - r->text)))
    return irl_reading_fail(r->env, r->place);
  irl_json_value *value = irl_arena_alloc(r->arena, 1, sizeof *value);
  if (!value) return irl_fail_memory(r->env);
  *out = value;
  value->offset = (size_t)(r->at - r->text);
  switch (*r->at) {
  case '{':
  case '[':
    value->type = *r->at++ == '{' ? IRL_JSON_OBJECT : IRL_JSON_ARRAY;
    return read_items(r, depth, value);
  case '"':
    value->type = IRL_JSON_STRING;
    r->at++;
    return read_string(r, &value->text, &value->length);
  default:
    return read_word(r, value);
  }
}

irl_status irl_json_parse(irl_env *env, const char *place, const char *text, size_t length,
                          irl_arena *arena, irl_json_value **value) {
  reader r = {env, place, text, text + length, text, arena, 0};
  irl_status status = read_value(&r, 0, value);
  if (status) return status;
  skip_space(&r);
  return r.at == r.end ? IRL_STATUS_OK : fail_at(&r, r.at, "something follows the JSON value");
}

const irl_json_value *irl_json_get(const irl_json_value *object, const char *key) {
  if (!object || object->type != IRL_JSON_OBJECT) return NULL;
  const irl_json_value *item = object->first;
  while (item && strcmp(item->key, key)) item = item->next;
  return item;
}
