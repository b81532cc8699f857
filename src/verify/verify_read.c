/* Lines of a certificate: words with a single blank between them, a newline after the last. */
#include "verify/verify_parts.h"
#include <assert.h>

bool irl_verify_next_line(irl_verify_text *text) {
  irl_verify_line *line = &text->line;
  line->number++;
  line->n = 0;
  line->start = text->at;
  const char *at = text->at, *end = memchr(at, '\n', (size_t)(text->end - at));
  if (!end) return false;
  while (at <= end) {
    const char *stop = memchr(at, ' ', (size_t)(end - at));
    if (!stop) stop = end;
    if (stop == at || line->n == IRL_VERIFY_MAX_WORDS) return false;
    line->word[line->n] = at;
    line->length[line->n++] = (size_t)(stop - at);
    at = stop + 1;
  }
  text->at = end + 1;
  assert(line->n && text->at <= text->end);
  return true;
}

bool irl_verify_is_word(const irl_verify_line *line, uint32_t i, const char *word) {
  return i < line->n && line->length[i] == strlen(word) &&
         !memcmp(line->word[i], word, line->length[i]);
}

bool irl_verify_number(const irl_verify_line *line, uint32_t i, uint64_t most, uint64_t *number) {
  if (i >= line->n || (line->length[i] > 1 && line->word[i][0] == '0')) return false;
  uint64_t value = 0;
  for (size_t k = 0; k < line->length[i]; k++) {
    const char digit = line->word[i][k];
    if (digit < '0' || digit > '9' || value > (UINT64_MAX - 9) / 10) return false;
    value = 10 * value + (uint64_t)(digit - '0');
  }
  if (value > most) return false;
  *number = value;
  return true;
}
