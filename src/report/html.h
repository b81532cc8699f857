/* Text that goes into HTML or SVG. */
#ifndef IRL_REPORT_HTML_H
#define IRL_REPORT_HTML_H

#include "base/text.h"
#include "rule/rule.h"

/* Escaped: whatever the string holds, it is shown and never obeyed. For text and for attributes in
 * double quotes. */
void irl_html_text(irl_text *text, const char *string);
/* A template in which each %s is the next argument, a string, escaped. */
void irl_html_put(irl_text *text, const char *template, ...);
/* "98.2 %"; a share that is not defined is a dash. */
void irl_html_percent(irl_text *text, double share);
/* A name, marked as such; short ones stay on one line. */
void irl_html_name(irl_text *text, const char *name);
/* A clause in words, names marked as such: <code>a</code> and <code>!b</code>. */
void irl_html_clause(irl_text *text, const irl_rule *rule, size_t clause);
/* All clauses with "or" between; without any "never". */
void irl_html_rule(irl_text *text, const irl_rule *rule);

#endif
