/* Strings of a rule as code reads them, whatever bytes a file had in its names and cells.
 *
 * Printable characters stay as they are. Others are escaped: in C and R by octal digits, three of
 * them so that no digit behind is taken for one more; in Python and JavaScript (whose modules know
 * no octal ones) by hexadecimal digits. Bytes that are not UTF-8 are lone surrogates there, as in
 * the JSON of a rule and in Python's own surrogateescape.
 *
 * SQL has no escapes; MySQL takes a backslash for one unless it is told otherwise. Text with a
 * backslash is written with two of them, and REPLACE makes one of two: where '\\\\' has a single
 * character that changes nothing, and SUBSTR('\\\\', 1, 1) is one backslash either way. Quotes are
 * doubled, which all of them read alike. */
#include "base/utf8.h"
#include "rule/rule_code.h"

/* Writes the character at `at` of `n` bytes, or a byte that is none (n is 0). */
typedef void escape(irl_text *text, const char *at, size_t n, uint32_t code);

static void escape_bytes(irl_text *text, const char *at, size_t n, uint32_t code) {
  (void)code;
  for (size_t i = 0; i < (n ? n : 1); i++)
    irl_text_printf(text, "\\%03o", (unsigned)(unsigned char)at[i]);
}

/* No control character is beyond four digits. */
static void escape_unicode(irl_text *text, const char *at, size_t n, uint32_t code) {
  (void)at;
  if (!n)
    irl_text_printf(text, "\\udc%02x", code);
  else
    irl_text_printf(text, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
}

static const char *find_short(uint32_t code) {
  return code == '"'    ? "\\\""
         : code == '\\' ? "\\\\"
         : code == '\n' ? "\\n"
         : code == '\r' ? "\\r"
         : code == '\t' ? "\\t"
                        : NULL;
}

static void quote(irl_text *text, const char *string, escape *write) {
  irl_text_puts(text, "\"");
  for (const char *at = string; *at;) {
    uint32_t code;
    const size_t n = irl_utf8_read(at, &code);
    const char *known = n == 1 ? find_short(code) : NULL;
    const bool is_trigraph = *at == '?' && at[1] == '?'; /* may begin one in C */
    if (known)
      irl_text_puts(text, known);
    else if (!n || irl_utf8_is_control(code) || is_trigraph)
      write(text, at, n, code);
    else
      irl_text_add(text, at, n);
    at += n ? n : 1;
  }
  irl_text_puts(text, "\"");
}

void irl_quote_c(irl_text *text, const char *string) {
  quote(text, string, escape_bytes);
}

void irl_quote_r(irl_text *text, const char *string) {
  quote(text, string, escape_bytes);
}

void irl_quote_python(irl_text *text, const char *string) {
  quote(text, string, escape_unicode);
}

void irl_quote_javascript(irl_text *text, const char *string) {
  quote(text, string, escape_unicode);
}

/* ---- SQL ---- */

static void put_doubled(irl_text *text, const char *string, const char *doubled) {
  for (; *string; string++) {
    if (strchr(doubled, *string)) irl_text_add(text, string, 1);
    irl_text_add(text, string, 1);
  }
}

void irl_quote_sql_name(irl_text *text, const char *name) {
  irl_text_puts(text, "\"");
  put_doubled(text, name, "\"");
  irl_text_puts(text, "\"");
}

void irl_quote_sql_text(irl_text *text, const char *string) {
  const bool has_backslash = strchr(string, '\\');
  irl_text_puts(text, has_backslash ? "REPLACE('" : "'");
  put_doubled(text, string, "'\\");
  irl_text_puts(text, has_backslash ? "', '\\\\', SUBSTR('\\\\', 1, 1))" : "'");
}

irl_status irl_sql_check(irl_env *env, const irl_rule *rule) {
  const irl_names *names =
      irl_has_conditions(&rule->conditions) ? &rule->conditions.columns : &rule->names;
  for (size_t i = 0; i < names->n; i++)
    if (strchr(irl_names_get(names, i), '\\'))
      return irl_fail(env, IRL_BAD_INPUT,
                      "the column '%s' has a backslash in its name, which databases read in "
                      "different ways: rename it to export the rule to SQL",
                      irl_names_get(names, i));
  return IRL_OK;
}
