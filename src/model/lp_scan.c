#include "model/lp_scan.h"
#include "base/c_locale.h"
#include "base/limit.h"
#include "lp/tol.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define LONGEST_NUMBER 100u
#define WORD_SHOWN     100

void irl_lp_scan_init(irl_lp_scanner *s, irl_env *env, const char *path, const irl_file *file) {
  *s = (irl_lp_scanner){.env = env, .path = path, .at = file->bytes, .line = 1};
  s->end = file->bytes + file->size;
  s->line_start = s->start = s->at;
}

irl_status irl_lp_scan_bad(const irl_lp_scanner *s, const char *what, bool quotes) {
  if (s->kind == IRL_LP_END || !quotes)
    return irl_fail(s->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s", s->path, s->word_line,
                    s->column, what);
  return irl_fail(s->env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s '%.*s'", s->path, s->word_line,
                  s->column, what, (int)(s->length < WORD_SHOWN ? s->length : WORD_SHOWN), s->text);
}

bool irl_lp_scan_is(const irl_lp_scanner *s, const char *word) {
  return s->length == strlen(word) && irl_c_equal_ignoring_case(s->text, word, s->length);
}

/* ---- sections ---- */

bool irl_lp_is_keyword(const char *word, size_t length, irl_lp_section *section) {
  static const struct {
    const char *word;
    irl_lp_section section;
  } table[] = {
      {"minimize", IRL_LP_MINIMISE},  {"minimise", IRL_LP_MINIMISE}, {"minimum", IRL_LP_MINIMISE},
      {"min", IRL_LP_MINIMISE},       {"maximize", IRL_LP_MAXIMISE}, {"maximise", IRL_LP_MAXIMISE},
      {"maximum", IRL_LP_MAXIMISE},   {"max", IRL_LP_MAXIMISE},      {"subject", IRL_LP_ROWS},
      {"such", IRL_LP_ROWS},          {"st", IRL_LP_ROWS},           {"s.t.", IRL_LP_ROWS},
      {"st.", IRL_LP_ROWS},           {"bounds", IRL_LP_BOUNDS},     {"bound", IRL_LP_BOUNDS},
      {"general", IRL_LP_INTEGERS},   {"generals", IRL_LP_INTEGERS}, {"gen", IRL_LP_INTEGERS},
      {"integer", IRL_LP_INTEGERS},   {"integers", IRL_LP_INTEGERS}, {"int", IRL_LP_INTEGERS},
      {"binary", IRL_LP_BINARIES},    {"binaries", IRL_LP_BINARIES}, {"bin", IRL_LP_BINARIES},
      {"end", IRL_LP_ENDS},           {"semi", IRL_LP_UNSUPPORTED},  {"semis", IRL_LP_UNSUPPORTED},
      {"sos", IRL_LP_UNSUPPORTED},    {"sos1", IRL_LP_UNSUPPORTED},  {"sos2", IRL_LP_UNSUPPORTED},
      {"pwlobj", IRL_LP_UNSUPPORTED}, {"lazy", IRL_LP_UNSUPPORTED},  {"user", IRL_LP_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (length != strlen(table[i].word) || !irl_c_equal_ignoring_case(word, table[i].word, length))
      continue;
    *section = table[i].section;
    return true;
  }
  return false;
}

static const char *skip_blanks(const irl_lp_scanner *s, const char *at) {
  while (at < s->end && irl_c_is_space(*at) && *at != '\n') at++;
  return at;
}

bool irl_lp_scan_is_label(const irl_lp_scanner *s) {
  const char *next = skip_blanks(s, s->at);
  return s->kind == IRL_LP_NAME && next < s->end && *next == ':';
}

/* 'subject' needs 'to' behind it, 'such' needs 'that'. */
static bool has_second_word(irl_lp_scanner *s) {
  const char *wanted = irl_lp_scan_is(s, "subject") ? "to"
                       : irl_lp_scan_is(s, "such")  ? "that"
                                                    : "";
  const char *at = skip_blanks(s, s->at);
  const size_t n = strlen(wanted);
  if (!n) return true;
  if ((size_t)(s->end - at) < n || !irl_c_equal_ignoring_case(at, wanted, n) ||
      (at + n < s->end && !irl_c_is_space(at[n])))
    return false;
  s->at = at + n;
  return true;
}

/* ---- words ---- */

static bool is_digit_at(const irl_lp_scanner *s, const char *at) {
  return at < s->end && irl_c_is_digit(*at);
}

static const char *skip_digits(const irl_lp_scanner *s, const char *at) {
  while (is_digit_at(s, at)) at++;
  return at;
}

/* An e without digits behind it is the beginning of a name. */
static irl_status scan_number(irl_lp_scanner *s) {
  char text[LONGEST_NUMBER];
  const char *at = skip_digits(s, s->text);
  if (at < s->end && *at == '.') at = skip_digits(s, at + 1);
  if (at < s->end && irl_c_lower(*at) == 'e') {
    const char *digits = at + 1;
    if (digits < s->end && (*digits == '+' || *digits == '-')) digits++;
    if (is_digit_at(s, digits)) at = skip_digits(s, digits);
  }
  s->at = at;
  s->kind = IRL_LP_NUMBER;
  s->length = (size_t)(at - s->text);
  if (s->length >= sizeof text) return irl_lp_scan_bad(s, "this number is too long:", true);
  memcpy(text, s->text, s->length);
  text[s->length] = '\0';
  s->number = irl_c_strtod(text, NULL);
  return IRL_STATUS_OK;
}

static bool is_name_character(char c) {
  return irl_c_is_letter(c) || irl_c_is_digit(c) || (c & 0x80) ||
         (c && strchr("!\"#$%&()/,.;?@_`'{}|~", c));
}

irl_status irl_lp_scan(irl_lp_scanner *s) {
  /* Up to the next word; comments go from a backslash to the end of the line. */
  for (; s->at < s->end; s->at++) {
    if (*s->at == '\\') {
      const char *line_end = memchr(s->at, '\n', (size_t)(s->end - s->at));
      s->at = line_end ? line_end : s->end;
      if (s->at == s->end) break;
    }
    if (!irl_c_is_space(*s->at)) break;
    if (*s->at != '\n') continue;
    s->line++;
    s->line_start = s->at + 1;
    s->has_word = false;
  }
  if (irl_reading_limit_reached_at(s->env, &s->next_look, (size_t)(s->at - s->start)))
    return irl_reading_fail(s->env, s->path);
  s->text = s->at;
  s->word_line = s->line;
  s->column = (size_t)(s->at - s->line_start) + 1;
  s->is_first = !s->has_word;
  s->has_word = true;
  s->kind = IRL_LP_END;
  s->length = 0;
  if (s->at == s->end) return IRL_STATUS_OK;
  const char c = *s->at;
  if (irl_c_is_digit(c) || (c == '.' && is_digit_at(s, s->at + 1))) return scan_number(s);
  if (is_name_character(c)) {
    while (s->at < s->end && is_name_character(*s->at)) s->at++;
    s->kind = IRL_LP_NAME;
  } else if (strchr("<>=", c) && c) {
    s->kind = IRL_LP_RELATION;
    s->relation = c;
    const char second = ++s->at < s->end ? *s->at : '\0';
    /* <> is none: the next word is a mistake. */
    if (second == '=' || (c == '=' && (second == '<' || second == '>'))) {
      if (second != '=') s->relation = second;
      s->at++;
    }
  } else {
    s->kind = c == '+' || c == '-' ? IRL_LP_SIGN : IRL_LP_OTHER;
    s->at++;
  }
  assert(s->at > s->text && s->at <= s->end);
  s->length = (size_t)(s->at - s->text);
  if (s->kind == IRL_LP_NAME && s->is_first && irl_lp_is_keyword(s->text, s->length, &s->section) &&
      !irl_lp_scan_is_label(s) && has_second_word(s))
    s->kind = IRL_LP_SECTION;
  return IRL_STATUS_OK;
}
