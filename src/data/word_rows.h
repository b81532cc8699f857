/* Small files of words beside the data: phenotypes, covariates, lists of people, of variants, of
 * groups, genes, types of columns. A row is a line that is not blank. */
#ifndef IRL_DATA_WORD_ROWS_H
#define IRL_DATA_WORD_ROWS_H

#include "data/source.h"

/* A text of a file, not ended by a zero. */
typedef struct irl_slice {
  const char *text;
  size_t length;
} irl_slice;

static inline bool irl_slice_is(const irl_slice *slice, const char *text) {
  return slice->length == strlen(text) && !memcmp(slice->text, text, slice->length);
}

typedef struct irl_word_rows {
  irl_env *env;
  const char *path; /* in messages */
  const char *text, *end;
  const char *at;     /* of the next line */
  char delimiter;     /* between two words, with blanks around it; 0: any number of blanks */
  const char *blanks; /* which these are */
  const char *line;   /* the current row, */
  irl_slice *words;   /* which has `n` of them */
  size_t n, capacity;
} irl_word_rows;

/* Rows of words with blanks and tabs between them; `name` is what the file is called if it has no
 * name itself. */
irl_word_rows irl_word_rows_open(irl_env *env, const irl_bytes *bytes, const char *name);
/* False: there is none, or it cannot be read (*status). */
bool irl_word_rows_next(irl_word_rows *rows, irl_status *status);
void irl_word_rows_close(irl_word_rows *rows);

/* Says what is wrong at a place of the text, as rows->line. */
#define irl_word_rows_fail(rows, where, ...)                                                       \
  irl_source_fail((rows)->env, (irl_place){(rows)->path, (rows)->text, where, {0, 0}}, __VA_ARGS__)

#endif
