#include "base/text.h"
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/utf8.h"
#include <assert.h>
#include <string.h>

void irl_text_init(irl_text *text, irl_env *env) {
  *text = (irl_text){.env = env};
}

static bool make_room(irl_text *text, size_t more) {
  if (text->pace.env && irl_pace_is_cut(&text->pace, more)) text->failed = true;
  if (text->failed) return false;
  if (text->capacity - text->length > more) return true;
  size_t wanted = text->length + text->capacity + 1; /* each block has at most half of all */
  const bool is_countable = !__builtin_add_overflow(wanted, more, &wanted);
  char *grown = !is_countable ? NULL : irl_mem_grow(&text->env->allocator, text->bytes, wanted, 1);
  text->failed = !grown;
  if (!grown) return false;
  text->bytes = grown;
  text->capacity = wanted;
  return true;
}

void irl_text_add(irl_text *text, const char *bytes, size_t length) {
  if (!make_room(text, length)) return;
  assert(text->length + length < text->capacity);
  if (length) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void irl_text_puts(irl_text *text, const char *string) {
  irl_text_add(text, string, strlen(string));
}

void irl_text_printf(irl_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = irl_c_vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !make_room(text, (size_t)length)) return;
  va_start(arguments, format);
  irl_c_vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void irl_text_show(irl_text *text, const char *name) {
  char shown[IRL_SHOWN_SIZE];
  while (*name) {
    name += irl_utf8_show(name, shown);
    irl_text_puts(text, shown);
  }
}

void irl_text_cell(irl_text *text, const char *cell, bool must_quote) {
  const bool is_quoted = must_quote || strpbrk(cell, ",\"\r\n");
  if (is_quoted) irl_text_puts(text, "\"");
  for (const char *at = cell; *at; at++) {
    if (*at == '"') irl_text_puts(text, "\"");
    irl_text_add(text, at, 1);
  }
  if (is_quoted) irl_text_puts(text, "\"");
}

irl_status irl_text_take(irl_text *text, char **bytes) {
  irl_text_add(text, "", 0);
  if (text->failed) {
    irl_text_drop(text);
    return text->pace.is_cut ? irl_writing_fail(text->env, "the text", false)
                             : irl_fail_memory(text->env);
  }
  *bytes = text->bytes;
  return IRL_STATUS_OK;
}

irl_status irl_text_take_shown(irl_text *text, char **bytes) {
  irl_text shown;
  char one[IRL_SHOWN_SIZE];
  irl_text_init(&shown, text->env);
  for (size_t i = 0; i < text->length;) {
    const char *at = text->bytes + i;
    const bool is_layout = *at == '\n' || *at == '\t';
    i += is_layout ? 1 : irl_utf8_show(at, one);
    irl_text_add(&shown, is_layout ? at : one, is_layout ? 1 : strlen(one));
  }
  shown.failed |= text->failed;
  irl_text_drop(text);
  return irl_text_take(&shown, bytes);
}

void irl_text_drop(irl_text *text) {
  irl_mem_free(&text->env->allocator, text->bytes);
  text->bytes = NULL;
}

void irl_text_place(const char *text, size_t offset, size_t *line, size_t *column) {
  *line = 1;
  *column = 1;
  for (size_t i = 0; i < offset; i++) {
    ++*column;
    if (text[i] != '\n') continue;
    ++*line;
    *column = 1;
  }
}
