#include "report/html.h"
#include "base/utf8.h"
#include <math.h>
#include <stdarg.h>

#define LONG_NAME 28u /* bytes of a name that may be broken, since a phone is no wider */

/* Characters that mean something in HTML, and control characters, which no font has. */
void irl_html_text(irl_text *text, const char *string) {
  static const struct {
    char from;
    const char *to;
  } escapes[] = {{'&', "&amp;"},  {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"},
                 {'\'', "&#39;"}, {'\t', " "},   {'\n', " "},   {'\r', " "}};
  for (const char *at = string; *at;) {
    uint32_t code;
    const size_t n = irl_utf8_read(at, &code);
    const char *replacement = irl_utf8_is_control(code) ? "\xef\xbf\xbd" : NULL;
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
      if (*at == escapes[i].from) replacement = escapes[i].to;
    if (!n) /* a byte of an older encoding */
      irl_text_printf(text, "\\x%02x", code);
    else if (replacement)
      irl_text_puts(text, replacement);
    else
      irl_text_add(text, at, n);
    at += n ? n : 1;
  }
}

void irl_html_put(irl_text *text, const char *template, ...) {
  va_list strings;
  va_start(strings, template);
  for (const char *at; (at = strstr(template, "%s")); template = at + 2) {
    irl_text_add(text, template, (size_t)(at - template));
    irl_html_text(text, va_arg(strings, const char *));
  }
  va_end(strings);
  irl_text_puts(text, template);
}

void irl_html_percent(irl_text *text, double share) {
  if (isnan(share))
    irl_text_puts(text, "\xe2\x80\x93");
  else
    irl_text_printf(text, "%.1f\xc2\xa0%%", 100 * share);
}

static void put_name(irl_text *text, const char *sign, const char *name) {
  irl_html_put(text,
               strlen(name) > LONG_NAME ? "<code class=\"long\">%s%s</code>" : "<code>%s%s</code>",
               sign, name);
}

void irl_html_name(irl_text *text, const char *name) {
  put_name(text, "", name);
}

void irl_html_clause(irl_text *text, const irl_rule *rule, size_t clause) {
  for (size_t i = rule->start[clause]; i < rule->start[clause + 1]; i++) {
    const irl_literal literal = rule->literals[i];
    if (i > rule->start[clause]) irl_text_puts(text, " <i>and</i> ");
    put_name(text, irl_literal_is_negated(literal) ? IRL_NEGATION : "",
             irl_rule_name(rule, literal));
  }
}

void irl_html_rule(irl_text *text, const irl_rule *rule) {
  if (!rule->n_clauses) irl_text_puts(text, "<i>never</i>");
  for (size_t k = 0; k < rule->n_clauses; k++) {
    const bool is_long = rule->n_clauses > 1 && rule->start[k + 1] - rule->start[k] > 1;
    if (k) irl_text_puts(text, " <b>or</b> ");
    if (is_long) irl_text_puts(text, "(");
    irl_html_clause(text, rule, k);
    if (is_long) irl_text_puts(text, ")");
  }
}
