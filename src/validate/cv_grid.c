/* Lists of numbers as people write them: 3, 1,2,4, 1..8, or parts of both kinds with commas. */
#include "base/c_locale.h"
#include "validate/cv.h"
#include <math.h>
#include <stdlib.h>

/* A clause and a literal have to bring 0, 0.3 or 1 percent of (balanced) accuracy each. */
#define USUAL_K         "1..8"
#define USUAL_M         "1..4"
#define USUAL_PENALTIES "0,0.003,0.01"

typedef struct list {
  double number[IRL_CV_MAX_LIST];
  uint32_t n;
} list;

/* Keeps the list ascending and each number once; false: it is full. */
static bool put(list *l, double number) {
  uint32_t at = l->n;
  for (uint32_t i = 0; i < l->n; i++)
    if (l->number[i] == number) return true;
  if (l->n == IRL_CV_MAX_LIST) return false;
  for (; at && l->number[at - 1] > number; at--) l->number[at] = l->number[at - 1];
  l->number[at] = number;
  l->n++;
  return true;
}

typedef struct axis {
  const char *name, *example;
  double low, high;
  bool is_whole;
} axis;

static bool is_on(const axis *a, double number) {
  return number >= a->low && number <= a->high && (!a->is_whole || number == floor(number));
}

/* One part: a number or a range; *text moves behind it. False: it is neither. */
static bool parse_part(const axis *a, const char **text, list *l) {
  char *end;
  double first, last;
  if (a->is_whole) { /* strtod would read the first point of 1..8 */
    first = (double)strtoll(*text, &end, 10);
  } else {
    first = irl_c_strtod(*text, &end);
  }
  if (end == *text || !is_on(a, first)) return false;
  last = first;
  if (a->is_whole && end[0] == '.' && end[1] == '.') {
    const char *at = end + 2;
    last = (double)strtoll(at, &end, 10);
    if (end == at || !is_on(a, last) || last < first) return false;
  }
  for (double x = first; x <= last; x++)
    if (!put(l, x)) return false;
  *text = end;
  return true;
}

static irl_status parse(irl_env *env, const axis *a, const char *text, list *l) {
  const char *at = text;
  l->n = 0;
  while (parse_part(a, &at, l)) {
    if (!*at) return IRL_OK;
    if (*at++ != ',') break;
  }
  return irl_fail(env, IRL_BAD_ARGUMENT,
                  "option %s takes at most %u numbers from %.15g to %.15g, as %s, not '%s'",
                  a->name, IRL_CV_MAX_LIST, a->low, a->high, a->example, text);
}

static irl_status parse_whole(irl_env *env, const axis *a, const char *text, uint32_t *numbers,
                              uint32_t *n) {
  list l;
  const irl_status status = parse(env, a, text, &l);
  for (uint32_t i = 0; i < l.n && !status; i++) numbers[i] = (uint32_t)l.number[i];
  *n = l.n;
  return status;
}

/* Penalties to try if none are named: those methods that know none are tried without. */
static const char *usual_penalties(const irl_options *options) {
  const bool is_ireland = !options->method || !strcmp(options->method, "ireland");
  return is_ireland && !options->paper_brcg ? USUAL_PENALTIES : "0";
}

irl_status irl_cv_parse_grid(irl_env *env, const irl_options *options, const irl_cv_grid *grid,
                             irl_cv_axes *axes) {
  const irl_cv_grid usual = {0};
  if (!grid) grid = &usual;
  const axis K = {"K", "3, 1,2,4 or 1..8", 1, IRL_LEARN_MAX_K, true};
  const axis M = {"M", "3, 1,2,4 or 1..4", 1, IRL_CLAUSE_MAX, true};
  const axis penalty = {"penalty", "0,0.002,0.01", 0, 1, false};
  list penalties = {.n = 0};
  irl_status status = parse_whole(env, &K, grid->K ? grid->K : USUAL_K, axes->K, &axes->n_K);
  if (!status) status = parse_whole(env, &M, grid->M ? grid->M : USUAL_M, axes->M, &axes->n_M);
  if (!status)
    status =
        parse(env, &penalty, grid->penalty ? grid->penalty : usual_penalties(options), &penalties);
  axes->n_penalties = penalties.n;
  memcpy(axes->penalties, penalties.number, sizeof axes->penalties);
  return status;
}
