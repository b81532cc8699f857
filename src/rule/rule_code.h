/* Languages that a rule can be written in. */
#ifndef IRL_RULE_RULE_CODE_H
#define IRL_RULE_RULE_CODE_H

#include "rule/rule.h"

typedef struct irl_language {
  const char *name;
  const char *head, *tail;             /* around the whole expression */
  const char *clause_or, *literal_and; /* between clauses, between literals */
  const char *open, *close;            /* around a clause */
  const char *nothing;                 /* a rule without clauses */
  const char *everything;              /* a clause without literals */
  void (*literal)(irl_text *text, const irl_rule *rule, irl_literal literal);
  void (*preamble)(irl_text *text, const irl_rule *rule); /* before all else; may be NULL */
} irl_language;

/* Those for rules on raw columns. */
const irl_language *irl_code_languages(size_t *n);
/* A string in double quotes. */
void irl_code_string(irl_text *text, const char *string);

#endif
