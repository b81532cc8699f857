/* Lists of numbers as people write them: 3, 1,2,4, 1..8, or parts of both kinds with commas. */
#include "base/c_locale.h"
#include "base/contract.h"
#include "ireland_study.h"
#include "validate/cv.h"
#include <math.h>
#include <stdlib.h>

/* What is tried unless the caller names it. Where all settings of a fold share its clauses, more
 * numbers of clauses cost next to nothing; where each has a search of its own there are fewer. A
 * clause and a literal have to bring 0, 0.1, 0.3 or 1 percent of (balanced) accuracy each. */
typedef struct axis {
  const char *name, *usual, *few, *example;
  double low, high;
  bool is_whole;
} axis;

static const axis
    clauses = {"K", "1..6,8,12,16", "1..8", "3, 1,2,4 or 1..8", 1, IRL_MAX_K, true},
    literals = {"M", "1..4,6,8", "1..4", "3, 1,2,4 or 1..4", 1, IRL_CLAUSE_MAX, true},
    penalties = {"penalty", "0,0.001,0.003,0.01", "0,0.003,0.01", "0,0.002,0.01", 0, 1, false},
    negations = {"negations", "0,1", "0", "0, 1 or 0,1", 0, 1, true};
#define USUAL_FIRST_M 3u /* of the usual numbers of literals; more while that helps */

static bool is_on(const axis *a, double number) {
  return number >= a->low && number <= a->high && (!a->is_whole || number == floor(number));
}

/* Keeps the list ascending and each number once; false: it is full. */
static bool add(irl_cv_list *list, double number) {
  uint32_t at = list->n;
  for (uint32_t i = 0; i < list->n; i++)
    if (list->numbers[i] == number) return true;
  if (list->n == IRL_CV_MAX_LIST) return false;
  for (; at && list->numbers[at - 1] > number; at--) list->numbers[at] = list->numbers[at - 1];
  list->numbers[at] = number;
  list->n++;
  return true;
}

/* One part: a number or a range; *text moves behind it. False: it is neither. */
static bool parse_part(const axis *a, const char **text, irl_cv_list *list) {
  char *end; /* strtod would read the first point of 1..8 */
  const double first = a->is_whole ? (double)strtoll(*text, &end, 10) : irl_c_strtod(*text, &end);
  double last = first;
  if (end == *text || !is_on(a, first)) return false;
  if (a->is_whole && end[0] == '.' && end[1] == '.') {
    const char *at = end + 2;
    last = (double)strtoll(at, &end, 10);
    if (end == at || !is_on(a, last) || last < first) return false;
  }
  for (double x = first; x <= last; x++)
    if (!add(list, x)) return false;
  *text = end;
  return true;
}

static irl_status parse(irl_env *env, const axis *a, const char *text, irl_cv_list *list) {
  const char *at = text;
  list->n = 0;
  while (parse_part(a, &at, list)) {
    if (!*at) return IRL_STATUS_OK;
    if (*at++ != ',') break;
  }
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "option %s takes at most %u numbers from %.15g to %.15g, as %s, not '%s'",
                  a->name, IRL_CV_MAX_LIST, a->low, a->high, a->example, text);
}

irl_status irl_cv_parse_grid(irl_env *env, const irl_options *options, const irl_cv_grid *grid,
                             bool has_words, irl_cv_axes *axes) {
  irl_cv_grid own = {0};
  irl_status status = grid ? irl_sized_need(env, grid, "grid") : IRL_STATUS_OK;
  if (status) return status;
  if (grid) irl_sized_copy_in(grid, &own, sizeof own);
  /* Methods that know no penalties are tried without, unless some are named. Where every literal
   * has its opposite anyhow there are no negations to try. */
  const bool is_each = irl_cv_is_each(options);
  const bool has_penalty = options->search.method <= IRL_METHOD_IRELAND;
  const struct {
    const axis *axis;
    const char *named, *fixed; /* by the caller; by the other options */
    irl_cv_list *list;
  } all[] = {{&clauses, own.K, NULL, &axes->K},
             {&literals, own.M, NULL, &axes->M},
             {&penalties, own.penalty, has_penalty ? NULL : "0", &axes->penalty},
             {&negations, own.negations,
              options->rule.negations ? "1"
              : has_words             ? NULL
                                      : "0",
              &axes->negations}};
  for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++) {
    const axis *a = all[i].axis;
    const char *usual = all[i].fixed ? all[i].fixed : is_each ? a->few : a->usual;
    status = parse(env, a, all[i].named ? all[i].named : usual, all[i].list);
  }
  axes->first_M = own.M || is_each ? axes->M.n : USUAL_FIRST_M;
  return status;
}
