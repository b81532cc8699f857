#include "data/word_rows.h"
#include "base/memory.h"

irl_word_rows irl_word_rows_open(irl_env *env, const irl_bytes *bytes, const char *name) {
  const char *text = bytes->data ? bytes->data : "", *end = text + bytes->size;
  if (bytes->size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) text += 3;
  return (irl_word_rows){.env = env,
                         .path = bytes->name ? bytes->name : name,
                         .text = text,
                         .end = end,
                         .at = text,
                         .blanks = " \t\r",
                         .line = text};
}

/* Without blanks around it. */
static irl_slice trim(const irl_word_rows *rows, const char *from, const char *to) {
  while (from < to && strchr(rows->blanks, *from)) from++;
  while (to > from && strchr(rows->blanks, to[-1])) to--;
  return (irl_slice){from, (size_t)(to - from)};
}

/* False: out of memory. */
static bool split(irl_word_rows *rows, irl_slice row) {
  const char *at = row.text, *end = at + row.length;
  for (rows->n = 0;; at++) {
    while (!rows->delimiter && at < end && strchr(rows->blanks, *at)) at++;
    const char *from = at;
    while (at < end && (rows->delimiter ? *at != rows->delimiter : !strchr(rows->blanks, *at)))
      at++;
    if (!irl_mem_reserve(&rows->env->allocator, &rows->words, &rows->capacity, rows->n,
                         sizeof *rows->words))
      return false;
    rows->words[rows->n++] = trim(rows, from, at);
    if (at == end) return true;
  }
}

bool irl_word_rows_next(irl_word_rows *rows, irl_status *status) {
  while (rows->at < rows->end) {
    const char *line = rows->line = rows->at;
    const char *end = memchr(line, '\n', (size_t)(rows->end - line));
    rows->at = end ? end + 1 : rows->end;
    if (!end) end = rows->end;
    if (memchr(line, '\0', (size_t)(end - line))) {
      *status = irl_word_rows_fail(rows, line, "there is a NUL byte in this line");
      return false;
    }
    if (!split(rows, trim(rows, line, end))) {
      *status = irl_fail_memory(rows->env);
      return false;
    }
    if (rows->n > 1 || rows->words[0].length) return true;
  }
  return false;
}

void irl_word_rows_close(irl_word_rows *rows) {
  if (rows->env) irl_mem_free(&rows->env->allocator, rows->words);
}
