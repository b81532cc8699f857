/* The nearest name, for "did you mean": edit distance where a swap of neighbours counts as one. */
#include "ireland.h"
#include <string.h>

#define LONGEST 64u

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static size_t distance(const char *a, const char *b) {
  const size_t n = strlen(a), m = strlen(b);
  size_t d[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return SIZE_MAX;
  for (size_t i = 0; i <= n; i++) d[i][0] = i;
  for (size_t j = 0; j <= m; j++) d[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    for (size_t j = 1; j <= m; j++) {
      d[i][j] =
          least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

const char *irl_nearest(const char *word, const char *const *names, size_t n) {
  const char *nearest = NULL;
  size_t best = strlen(word) / 2 + 1; /* more than half of it wrong is not near */
  for (size_t i = 0; i < n; i++) {
    const size_t d = distance(word, names[i]);
    if (d >= best) continue;
    best = d;
    nearest = names[i];
  }
  return nearest;
}
