#include "base/suggest.h"
#include "base/c_locale.h"
#include "ireland.h"
#include <string.h>

#define LONGEST 64u

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Two letters but for their case. */
static bool is_same(char a, char b) {
  return irl_c_equal_ignoring_case((const char[]){a, '\0'}, (const char[]){b, '\0'}, 1);
}

size_t irl_suggest_distance(const char *text, size_t length, const char *name) {
  const size_t m = strlen(name);
  size_t d[LONGEST + 1][LONGEST + 1];
  if (!length || length > LONGEST || m > LONGEST) return SIZE_MAX;
  for (size_t i = 0; i <= length; i++) d[i][0] = i;
  for (size_t j = 0; j <= m; j++) d[0][j] = j;
  for (size_t i = 1; i <= length; i++)
    for (size_t j = 1; j <= m; j++) {
      d[i][j] = least(d[i - 1][j - 1] + !is_same(text[i - 1], name[j - 1]),
                      least(d[i - 1][j], d[i][j - 1]) + 1);
      if (i > 1 && j > 1 && is_same(text[i - 1], name[j - 2]) && is_same(text[i - 2], name[j - 1]))
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[length][m] <= length / 2 ? d[length][m] : SIZE_MAX;
}

const char *irl_suggest(const char *word, const char *const *names, size_t n) {
  const char *nearest = NULL;
  size_t best = SIZE_MAX;
  for (size_t i = 0; word && names && i < n; i++) {
    if (!names[i]) continue;
    const size_t distance = irl_suggest_distance(word, strlen(word), names[i]);
    if (distance >= best) continue;
    best = distance;
    nearest = names[i];
  }
  return nearest;
}
