/* Languages that a rule can be written in. */
#ifndef IRL_RULE_RULE_CODE_H
#define IRL_RULE_RULE_CODE_H

#include "rule/rule.h"

/* A rule on its way into code. */
typedef struct irl_code {
  irl_text text;
  const irl_rule *rule;
  /* By column of a rule on raw columns: its number among those that are taken as numbers, and among
   * those taken as texts, or IRL_NO_NAME. NULL for other rules. */
  uint32_t *number_places, *text_places;
} irl_code;

typedef struct irl_language {
  const char *name;
  const char *head, *tail;             /* around the whole expression */
  const char *clause_or, *literal_and; /* between clauses, between literals */
  const char *open, *close;            /* around a clause */
  const char *nothing;                 /* a rule without clauses */
  const char *everything;              /* a clause without literals */
  void (*literal)(irl_code *code, irl_literal literal);
  void (*preamble)(irl_code *code); /* before all else; may be NULL */
} irl_language;

/* Those for rules on raw columns. */
const irl_language *irl_code_languages(size_t *n);

/* ---- strings as each language reads them (rule_quote.c) ---- */

typedef void irl_quote(irl_text *text, const char *string);
irl_quote irl_quote_c, irl_quote_python, irl_quote_javascript, irl_quote_r;
/* A name in double quotes; one with a backslash cannot be written so that it means the same
 * everywhere, and irl_sql_check refuses it. */
irl_quote irl_quote_sql_name;
irl_quote irl_quote_sql_text;
irl_status irl_sql_check(irl_env *env, const irl_rule *rule);

#endif
