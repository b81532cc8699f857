/* Text that goes into HTML or SVG. */
#ifndef IRL_REPORT_HTML_H
#define IRL_REPORT_HTML_H

#include "base/text.h"

/* A template in which each %s is the next argument, a string, escaped: whatever it holds, it is
 * shown and never obeyed. For text and for attributes in double quotes. */
void irl_html_put(irl_text *text, const char *template, ...);

#endif
