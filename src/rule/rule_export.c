/* A rule on 0/1 columns as code (on raw columns: rule_code.c). A literal asks for the value 1, a
 * negated one for the value 0, so that on a missing value (NULL, NA, None, undefined) both are
 * false, as everywhere in ireland.
 *
 * Each language is a row of a table: what stands before, between and after clauses and literals,
 * and how a literal is written. */
#include "rule/rule_code.h"
#include "rule/rule_json.h"

/* A string in double quotes: bytes that need it as three octal digits, which C, Python, JavaScript
 * (in sloppy mode) and R all read; valid characters beyond ASCII stay as they are. */
void irl_code_string(irl_text *text, const char *string) {
  irl_text_puts(text, "\"");
  for (const unsigned char *p = (const unsigned char *)string; *p; p++) {
    if (*p == '"' || *p == '\\')
      irl_text_printf(text, "\\%c", *p);
    else if (*p == '\n' || *p == '\r' || *p == '\t')
      irl_text_puts(text, *p == '\n' ? "\\n" : *p == '\r' ? "\\r" : "\\t");
    else if (*p < 0x20 || *p == 0x7f || (*p == '?' && p[1] == '?')) /* ?? begins a trigraph in C */
      irl_text_printf(text, "\\%03o", *p);
    else
      irl_text_add(text, (const char *)p, 1);
  }
  irl_text_puts(text, "\"");
}

static void put_c(irl_text *text, const irl_rule *rule, irl_literal literal) {
  (void)rule;
  irl_text_printf(text, "x[%u] == %d", irl_literal_feature(literal),
                  !irl_literal_is_negated(literal));
}

static void put_python(irl_text *text, const irl_rule *rule, irl_literal literal) {
  irl_text_puts(text, "row.get(");
  irl_code_string(text, irl_rule_name(rule, literal));
  irl_text_printf(text, ") == %d", !irl_literal_is_negated(literal));
}

static void put_javascript(irl_text *text, const irl_rule *rule, irl_literal literal) {
  irl_text_puts(text, "row[");
  irl_code_string(text, irl_rule_name(rule, literal));
  irl_text_printf(text, "] === %d", !irl_literal_is_negated(literal));
}

static void put_r(irl_text *text, const irl_rule *rule, irl_literal literal) {
  irl_text_puts(text, "d[[");
  irl_code_string(text, irl_rule_name(rule, literal));
  irl_text_printf(text, "]] %%in%% %d", !irl_literal_is_negated(literal));
}

static void put_sql(irl_text *text, const irl_rule *rule, irl_literal literal) {
  irl_text_puts(text, "\"");
  for (const char *p = irl_rule_name(rule, literal); *p; p++)
    irl_text_add(text, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
  irl_text_printf(text, "\" = %d", !irl_literal_is_negated(literal));
}

/* The C function takes its values in the order of this array. */
static void put_features(irl_text *text, const irl_rule *rule) {
  irl_text_puts(text,
                "/* The features in the order in which rule_predict takes them, each 0, 1 or -1 "
                "(missing). */\nconst char *const rule_features[] = {");
  for (size_t i = 0; i < rule->names.n; i++) {
    if (i) irl_text_puts(text, ", ");
    irl_code_string(text, irl_names_get(&rule->names, i));
  }
  irl_text_printf(text, "%s};\n\n/* 1 for a case, 0 for a control. */\n", rule->names.n ? "" : "0");
}

static const irl_language languages[] = {
    {"c", "int rule_predict(const int *x) {\n  return ", ";\n}\n", " ||\n         ", " && ", "(",
     ")", "0", "1", put_c, put_features},
    {"python",
     "def predict(row):\n    \"\"\"1 for a case, 0 for a control; row maps names to 0 or 1.\"\"\"\n"
     "    return int(",
     ")\n", " or\n               ", " and ", "(", ")", "False", "True", put_python, NULL},
    {"javascript",
     "// 1 for a case, 0 for a control; row maps names to 0 or 1.\nfunction predict(row) {\n  "
     "return ",
     " ? 1 : 0;\n}\n", " ||\n         ", " && ", "(", ")", "false", "true", put_javascript, NULL},
    {"r",
     "# 1 for a case, 0 for a control, for each row of the data frame d\n"
     "predict_rule <- function(d) as.integer(",
     ")\n", " |\n  ", " & ", "(", ")", "logical(nrow(d))", "rep(TRUE, nrow(d))", put_r, NULL},
    {"sql", "CASE WHEN ", " THEN 1 ELSE 0 END\n", "\n  OR ", " AND ", "(", ")", "1 = 0", "1 = 1",
     put_sql, NULL},
};

static void put_rule(irl_text *text, const irl_language *l, const irl_rule *rule) {
  if (l->preamble) l->preamble(text, rule);
  irl_text_puts(text, l->head);
  if (!rule->n_clauses) irl_text_puts(text, l->nothing);
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_text_puts(text, k ? l->clause_or : "");
    irl_text_puts(text, l->open);
    if (rule->start[k] == rule->start[k + 1]) irl_text_puts(text, l->everything);
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      if (i > rule->start[k]) irl_text_puts(text, l->literal_and);
      l->literal(text, rule, rule->literals[i]);
    }
    irl_text_puts(text, l->close);
  }
  irl_text_puts(text, l->tail);
}

static bool is_raw(const irl_rule *rule) {
  for (size_t i = 0; i < rule->meanings.n; i++)
    if (!irl_condition_is_plain(&rule->meanings.conditions[i])) return true;
  return false;
}

static const irl_language *find_language(const irl_rule *rule, const char *name) {
  size_t n = sizeof languages / sizeof *languages;
  const irl_language *from = is_raw(rule) ? irl_code_languages(&n) : languages;
  for (size_t i = 0; i < n; i++)
    if (!strcmp(from[i].name, name)) return &from[i];
  return NULL;
}

irl_status irl_rule_export(irl_env *env, const irl_rule *rule, const char *to, char **out) {
  irl_text text;
  const irl_language *found = find_language(rule, to);
  if (!found && strcmp(to, "text"))
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "a rule goes to c, python, sql, r, javascript or text, not '%s'", to);
  irl_text_init(&text, env);
  if (!found) {
    char *line;
    const irl_status status = irl_rule_print(env, rule, &line);
    if (status) return status;
    irl_text_printf(&text, "%s\n", line);
    irl_text_free(env, line);
    return irl_text_take(&text, out);
  }
  put_rule(&text, found, rule);
  return irl_text_take(&text, out);
}
