#include "base/c_locale.h"
#include "base/json.h"
#include "base/utf8.h"
#include <math.h>
#include <string.h>

void irl_json_init(irl_json *json, irl_env *env) {
  *json = (irl_json){.depth = 0};
  irl_text_init(&json->text, env);
}

static void add_escaped(irl_text *text, const char *string) {
  for (const char *p = string; *p;) {
    uint32_t code;
    const size_t n = irl_utf8_read(p, &code);
    if (!n)
      irl_text_printf(text, "\\udc%02x", code);
    else if (*p == '"' || *p == '\\')
      irl_text_printf(text, "\\%c", *p);
    else if (*p == '\n')
      irl_text_puts(text, "\\n");
    else if (*p == '\t')
      irl_text_puts(text, "\\t");
    else if (irl_utf8_is_control(code))
      irl_text_printf(text, "\\u%04x", code);
    else
      irl_text_add(text, p, n);
    p += n ? n : 1;
  }
}

static void add_quoted(irl_text *text, const char *string) {
  irl_text_puts(text, "\"");
  add_escaped(text, string);
  irl_text_puts(text, "\"");
}

static void break_line(irl_json *json) {
  irl_text_puts(&json->text, "\n");
  for (unsigned i = 0; i < json->depth; i++) irl_text_puts(&json->text, "  ");
}

/* What stands before every item: comma, line break, key. */
static void begin_item(irl_json *json, const char *key) {
  const bool is_flat = json->flat && json->depth >= json->flat;
  if (json->has_items) irl_text_puts(&json->text, is_flat ? ", " : ",");
  if (json->depth && !is_flat) break_line(json);
  json->has_items = true;
  if (!key) return;
  add_quoted(&json->text, key);
  irl_text_puts(&json->text, ": ");
}

void irl_json_open(irl_json *json, const char *key, char bracket) {
  begin_item(json, key);
  irl_text_add(&json->text, &bracket, 1);
  json->depth++;
  json->has_items = false;
}

void irl_json_open_flat(irl_json *json, const char *key, char bracket) {
  irl_json_open(json, key, bracket);
  if (!json->flat) json->flat = json->depth;
}

void irl_json_close(irl_json *json, char bracket) {
  const bool is_flat = json->flat && json->depth >= json->flat;
  if (json->flat == json->depth) json->flat = 0;
  json->depth--;
  if (json->has_items && !is_flat) break_line(json);
  irl_text_add(&json->text, &bracket, 1);
  json->has_items = true;
}

void irl_json_string(irl_json *json, const char *key, const char *value) {
  begin_item(json, key);
  if (value)
    add_quoted(&json->text, value);
  else
    irl_text_puts(&json->text, "null");
}

void irl_json_take_text(irl_json *json, const char *key, irl_text *value) {
  irl_json_string(json, key, value->length && !value->failed ? value->bytes : "");
  json->text.failed |= value->failed;
  irl_text_drop(value);
}

void irl_json_literal(irl_json *json, const char *name, bool negated) {
  begin_item(json, NULL);
  irl_text_puts(&json->text, negated ? "\"!" : "\"");
  add_escaped(&json->text, name);
  irl_text_puts(&json->text, "\"");
}

void irl_json_integer(irl_json *json, const char *key, int64_t value) {
  begin_item(json, key);
  irl_text_printf(&json->text, "%lld", (long long)value);
}

void irl_json_unsigned(irl_json *json, const char *key, uint64_t value) {
  begin_item(json, key);
  irl_text_printf(&json->text, "%llu", (unsigned long long)value);
}

void irl_json_real(irl_json *json, const char *key, double value) {
  char digits[40];
  begin_item(json, key);
  for (int precision = 15; precision <= 17; precision++) {
    irl_c_snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (irl_c_strtod(digits, NULL) == value) break;
  }
  irl_text_puts(&json->text, isfinite(value) ? digits : "null");
}

void irl_json_bool(irl_json *json, const char *key, bool value) {
  begin_item(json, key);
  irl_text_puts(&json->text, value ? "true" : "false");
}

irl_status irl_json_take(irl_json *json, char **bytes) {
  irl_text_puts(&json->text, "\n");
  return irl_text_take(&json->text, bytes);
}

void irl_json_drop(irl_json *json) {
  irl_text_drop(&json->text);
}
