/* Two labels, and which of them means case. */
#include "base/memory.h"
#include "base/text.h"
#include "data/source.h"
#include <stdlib.h>
#include <strings.h>

/* Quotes in labels may stand doubled, as in CSV. */
static bool is_text(const irl_labels *labels, size_t i, const char *text) {
  const char *p = labels->text[i], *end = p + labels->length[i];
  for (; p < end && *p == *text; p++, text++)
    if (*p == '"' && p + 1 < end && p[1] == '"') p++;
  return p == end && !*text;
}

int irl_labels_add(irl_labels *labels, const char *text, size_t length) {
  for (size_t i = 0; i < labels->n; i++)
    if (labels->length[i] == length && !memcmp(labels->text[i], text, length)) return (int)i;
  if (labels->n == 2) return -1;
  labels->text[labels->n] = text;
  labels->length[labels->n] = length;
  return (int)labels->n++;
}

/* Labels that mean case, and those that mean control, wherever they are met. */
static int known_meaning(const irl_labels *labels, size_t i) {
  static const char *const cases[] = {"1",        "+1",  "yes", "true", "case", "cases",
                                      "positive", "pos", "t",   "y",    "1.0"};
  static const char *const controls[] = {"0",        "-1",  "no", "false", "control", "controls",
                                         "negative", "neg", "f",  "n",     "0.0"};
  char text[16];
  if (labels->length[i] >= sizeof text) return -1;
  memcpy(text, labels->text[i], labels->length[i]);
  text[labels->length[i]] = '\0';
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    if (!strcasecmp(text, cases[k])) return 1;
    if (!strcasecmp(text, controls[k])) return 0;
  }
  return -1;
}

/* The greater as a number if both are numbers (PLINK's 1 and 2), otherwise the later in byte order.
 */
static int greater_label(const irl_labels *labels) {
  double value[2];
  bool are_numbers = true;
  for (size_t i = 0; i < 2; i++) {
    char text[32] = "", *end;
    const size_t n = labels->length[i] < 31 ? labels->length[i] : 31;
    memcpy(text, labels->text[i], n);
    value[i] = strtod(text, &end);
    are_numbers = are_numbers && n && !*end;
  }
  if (are_numbers) return value[1] > value[0];
  const size_t n = labels->length[0] < labels->length[1] ? labels->length[0] : labels->length[1];
  const int order = memcmp(labels->text[0], labels->text[1], n);
  return order ? order < 0 : labels->length[0] < labels->length[1];
}

static irl_status find_positive(irl_env *env, const irl_source *source, const irl_labels *labels,
                                int *positive) {
  const int first = known_meaning(labels, 0);
  if (labels->n == 1) {
    *positive = first == 1 ? 0 : -1;
    return IRL_OK;
  }
  const int second = known_meaning(labels, 1);
  if (first >= 0 && second >= 0 && first != second) {
    *positive = first == 1 ? 0 : 1;
    return IRL_OK;
  }
  *positive = greater_label(labels);
  irl_log(env, IRL_LOG_NOTE, "%s: label '%.*s' is taken as the cases; --positive names the other",
          source->path, (int)labels->length[*positive], labels->text[*positive]);
  return IRL_OK;
}

/* The label that is not the cases' should be the one that the rule knows. */
static void compare_negative(irl_env *env, const irl_source *source, const irl_labels *labels,
                             size_t i) {
  if (!source->negative || i >= labels->n || is_text(labels, i, source->negative)) return;
  irl_log(env, IRL_LOG_WARNING, "%s: label '%.*s' is taken as the controls; the rule has '%s'",
          source->path, (int)labels->length[i], labels->text[i], source->negative);
}

irl_status irl_labels_resolve(irl_env *env, const irl_source *source, const irl_labels *labels,
                              const char *text, const char *column, int *positive) {
  size_t line, place;
  assert(labels->n > 0);
  irl_text_place(text, (size_t)(labels->text[0] - text), &line, &place);
  if (labels->n == 1 && !source->one_class_ok)
    return irl_fail(env, IRL_BAD_INPUT,
                    "%s:%zu:%zu: there is only one class: every label in column '%s' is '%.*s'",
                    source->path, line, place, column, (int)labels->length[0], labels->text[0]);
  if (!source->positive) return find_positive(env, source, labels, positive);
  for (size_t i = 0; i < labels->n; i++)
    if (is_text(labels, i, source->positive)) {
      *positive = (int)i;
      compare_negative(env, source, labels, 1 - i);
      return IRL_OK;
    }
  *positive = -1;
  if (labels->n == 1 && (!source->negative || is_text(labels, 0, source->negative))) return IRL_OK;
  return irl_fail(env, IRL_BAD_INPUT,
                  "%s:%zu:%zu: no label in column '%s' is '%s'; there is '%.*s'%s%.*s%s",
                  source->path, line, place, column, source->positive, (int)labels->length[0],
                  labels->text[0], labels->n > 1 ? " and '" : "", (int)labels->length[1],
                  labels->n > 1 ? labels->text[1] : "", labels->n > 1 ? "'" : "");
}
