/* Two labels, and which of them means case. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "data/source.h"

#define SUGGESTED 64u /* bytes of a label that may be suggested */

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
  assert(labels->n < 2);
  labels->text[labels->n] = text;
  labels->length[labels->n] = length;
  return (int)labels->n++;
}

/* Words that mean case, and those that mean control, wherever they are met. */
static const char *const case_words[] = {
    "1",        "+1",        "yes",  "true", "case", "cases",   "positive", "pos",       "t",
    "y",        "1.0",       "sick", "ill",  "dead", "died",    "present",  "malignant", "diseased",
    "affected", "recurrent", "bad",  "fail", "spam", "patient", "abnormal"};
static const char *const control_words[] = {
    "0",      "-1",     "no",       "false",  "control",    "controls", "negative", "neg",
    "f",      "n",      "0.0",      "not",    "non",        "without",  "healthy",  "alive",
    "absent", "benign", "survived", "normal", "unaffected", "never",    "good",     "ham"};

static bool is_among(const char *word, size_t length, const char *const *words, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (strlen(words[k]) == length && irl_c_equal_ignoring_case(word, words[k], length))
      return true;
  return false;
}

static int word_meaning(const char *word, size_t length) {
  if (is_among(word, length, case_words, sizeof case_words / sizeof *case_words)) return 1;
  const size_t n = sizeof control_words / sizeof *control_words;
  return is_among(word, length, control_words, n) ? 0 : -1;
}

/* 1: case, 0: control, -1: it does not say. A label of several words ('no disease',
 * 'tested_positive') says what one of them says, a denial before others. */
static int known_meaning(const irl_labels *labels, size_t i) {
  const char *text = labels->text[i], *end = text + labels->length[i];
  int meaning = word_meaning(text, labels->length[i]);
  while (text < end && meaning) {
    const char *word = text;
    while (text < end && !strchr(" _-", *text)) text++;
    const int found = word_meaning(word, (size_t)(text - word));
    if (text - word > 1 && found >= 0) meaning = found;
    if (text < end) text++;
  }
  return meaning;
}

/* The greater if both are numbers (PLINK's 1 and 2), otherwise the later in byte order. */
static int greater_label(const irl_labels *labels) {
  double value[2];
  bool are_numbers = true;
  for (size_t i = 0; i < 2; i++) {
    char text[32] = "", *end;
    const size_t n = labels->length[i] < 31 ? labels->length[i] : 31;
    memcpy(text, labels->text[i], n);
    value[i] = irl_c_strtod(text, &end);
    are_numbers = are_numbers && n && !*end;
  }
  if (are_numbers) return value[1] > value[0];
  const size_t n = labels->length[0] < labels->length[1] ? labels->length[0] : labels->length[1];
  const int order = memcmp(labels->text[0], labels->text[1], n);
  return order ? order < 0 : labels->length[0] < labels->length[1];
}

/* Which of two labels has the cases, and do their words say so? */
static int choose_positive(const irl_labels *labels, bool *are_known) {
  const int first = known_meaning(labels, 0), second = known_meaning(labels, 1);
  *are_known = first >= 0 && second >= 0 && first != second;
  /* A word is enough to go by if the other label says nothing: 1 beside 2 is not. */
  const size_t i = first < 0;
  const bool is_word = labels->length[i] > 1 && irl_c_is_letter(labels->text[i][0]);
  if (*are_known || (first != second && is_word)) return first == 1 || second == 0 ? 0 : 1;
  return greater_label(labels);
}

bool irl_labels_is_positive(const char *first, const char *second) {
  const irl_labels labels = {{first, second}, {strlen(first), strlen(second)}, 2};
  bool are_known;
  return choose_positive(&labels, &are_known) == 0;
}

/* The label that is most like the wanted one, if one is. */
static bool find_nearest(const irl_labels *labels, const char *wanted, char near[SUGGESTED + 1]) {
  size_t best = SIZE_MAX;
  near[0] = '\0';
  for (size_t i = 0; i < labels->n; i++) {
    char name[SUGGESTED + 1];
    if (labels->length[i] > SUGGESTED) continue;
    memcpy(name, labels->text[i], labels->length[i]);
    name[labels->length[i]] = '\0';
    const size_t distance = irl_suggest_distance(wanted, strlen(wanted), name);
    if (distance >= best) continue;
    best = distance;
    strcpy(near, name);
  }
  return best < SIZE_MAX;
}

irl_status irl_labels_resolve(irl_env *env, const irl_source *source, const irl_labels *labels,
                              irl_position first, const char *column, int *positive) {
  const size_t line = first.line, place = first.column;
  assert(labels->n > 0);
  if (labels->n == 1 && !source->one_class_ok)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s:%zu:%zu: there is only one class: every label in column '%s' is '%.*s'",
                    source->path, line, place, column, (int)labels->length[0], labels->text[0]);
  if (!source->positive && labels->n == 1) {
    *positive = known_meaning(labels, 0) == 1 ? 0 : -1;
    return IRL_STATUS_OK;
  }
  if (!source->positive) {
    bool are_known;
    *positive = choose_positive(labels, &are_known);
    if (!are_known)
      irl_log(env, IRL_LOG_NOTE,
              "%s: label '%.*s' is taken as the cases; --positive names the other", source->path,
              (int)labels->length[*positive], labels->text[*positive]);
    return IRL_STATUS_OK;
  }
  for (size_t i = 0; i < labels->n; i++)
    if (is_text(labels, i, source->positive)) {
      const size_t other = 1 - i; /* should be the controls' label that the rule knows */
      *positive = (int)i;
      if (source->negative && other < labels->n && !is_text(labels, other, source->negative))
        irl_log(env, IRL_LOG_WARNING,
                "%s: label '%.*s' is taken as the controls; the rule has '%s'", source->path,
                (int)labels->length[other], labels->text[other], source->negative);
      return IRL_STATUS_OK;
    }
  *positive = -1;
  if (labels->n == 1 && (!source->negative || is_text(labels, 0, source->negative)))
    return IRL_STATUS_OK;
  char near[SUGGESTED + 1];
  const bool is_near = find_nearest(labels, source->positive, near);
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s:%zu:%zu: no label in column '%s' is '%s'; there is '%.*s'%s%.*s%s%s%s%s",
                  source->path, line, place, column, source->positive, (int)labels->length[0],
                  labels->text[0], labels->n > 1 ? " and '" : "", (int)labels->length[1],
                  labels->n > 1 ? labels->text[1] : "", labels->n > 1 ? "'" : "",
                  is_near ? "; did you mean '" : "", near, is_near ? "'?" : "");
}
