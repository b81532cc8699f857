#include "report/html.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <string.h>

/* Escapes characters that mean something in HTML, and control characters, which no font has. */
static void put_escaped(irl_text *text, const char *string) {
  static const struct {
    char from;
    const char *to;
  } escapes[] = {{'&', "&amp;"},  {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"},
                 {'\'', "&#39;"}, {'\t', " "},   {'\n', "\n"},  {'\r', " "}};
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
    put_escaped(text, va_arg(strings, const char *));
  }
  va_end(strings);
  irl_text_puts(text, template);
}
