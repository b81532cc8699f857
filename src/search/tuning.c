#include "search/tuning.h"
#include "base/c_locale.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct row {
  const char *name;
  size_t offset;
  uint64_t low, high;
} rows[] = {
#define ROW(name, usual, low, high, meaning) {#name, offsetof(irl_tuning, name), low, high},
    IRL_TUNING(ROW)
#undef ROW
};

enum { N_ROWS = sizeof rows / sizeof *rows };

const irl_tuning irl_tuning_usual = {
#define USUAL(name, usual, low, high, meaning) .name = usual,
    IRL_TUNING(USUAL)
#undef USUAL
};

static uint64_t *member(irl_tuning *tuning, const struct row *row) {
  return (uint64_t *)((char *)tuning + row->offset);
}

void irl_tuning_fill(irl_tuning *tuning) {
  for (size_t i = 0; i < N_ROWS; i++)
    if (!*member(tuning, &rows[i]))
      memcpy(member(tuning, &rows[i]), (const char *)&irl_tuning_usual + rows[i].offset,
             sizeof(uint64_t));
}

irl_status irl_tuning_parse(irl_env *env, irl_tuning *tuning, const char *text, size_t n) {
  const struct row *row = rows;
  while (row < rows + N_ROWS && (strlen(row->name) != n || memcmp(row->name, text, n) != 0)) row++;
  if (row == rows + N_ROWS || text[n] != '=')
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option internal takes METHOD=0 or NAME=VALUE with commas between, not '%s'",
                    text);
  const char *digits = text + n + 1;
  char *end;
  const double value = irl_c_strtod(digits, &end);
  if (end == digits || (*end && *end != ',') || value != floor(value) ||
      !(value >= (double)row->low && value <= (double)row->high))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option internal: %s takes a whole number from %.15g to %.15g, not '%.*s'",
                    row->name, (double)row->low, (double)row->high, (int)strcspn(digits, ","),
                    digits);
  *member(tuning, row) = (uint64_t)value;
  return IRL_STATUS_OK;
}
