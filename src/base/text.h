/* A growing text. Out of memory, or a limit, is remembered and said once, by irl_text_take. */
#ifndef IRL_BASE_TEXT_H
#define IRL_BASE_TEXT_H

#include "base/limit.h"

typedef struct irl_text {
  irl_env *env;
  char *bytes; /* NUL terminated once anything was added */
  size_t length, capacity;
  bool failed;
  irl_pace pace; /* with an env, limits cut the text */
} irl_text;

void irl_text_init(irl_text *text, irl_env *env);
void irl_text_add(irl_text *text, const char *bytes, size_t length);
void irl_text_puts(irl_text *text, const char *string);
void irl_text_printf(irl_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A name as people are shown it, in one line; see base/utf8.h. */
void irl_text_show(irl_text *text, const char *name);
/* A cell of a CSV file: in quotes if it has to be, or must. */
void irl_text_cell(irl_text *text, const char *cell, bool must_quote);
/* Hands the bytes over (free with irl_text_free), or frees them and fails. */
irl_status irl_text_take(irl_text *text, char **bytes);
/* Takes a text that people read: whatever came from files into it does not steer their
 * terminal. Line ends and tabs stay. */
irl_status irl_text_take_shown(irl_text *text, char **bytes);
void irl_text_drop(irl_text *text);

/* Line and column (from 1) of a byte, for messages. */
void irl_text_place(const char *text, size_t offset, size_t *line, size_t *column);

#endif
