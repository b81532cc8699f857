/* A rule on 0/1 columns as code (on raw columns: rule_code.c). A literal asks for the value 1, a
 * negated one for the value 0, so that on a missing value (NULL, NA, None, undefined) both are
 * false, as everywhere in ireland.
 *
 * Each language is a row of a table: what stands before, between and after clauses and literals,
 * and how a literal is written. */
#include "base/memory.h"
#include "rule/rule_code.h"

static void put_c(irl_code *code, irl_literal literal) {
  irl_text_printf(&code->text, "x[%u] == %d", irl_literal_feature(literal),
                  !irl_literal_is_negated(literal));
}

/* The value of the column of that name, and the one it has to have. */
static void put_value(irl_code *code, irl_literal literal, irl_quote *quote, const char *between) {
  quote(&code->text, irl_rule_name(code->rule, literal));
  irl_text_printf(&code->text, "%s%d", between, !irl_literal_is_negated(literal));
}

static void put_python(irl_code *code, irl_literal literal) {
  irl_text_puts(&code->text, "row.get(");
  put_value(code, literal, irl_quote_python, ") == ");
}

static void put_javascript(irl_code *code, irl_literal literal) {
  irl_text_puts(&code->text, "row[");
  put_value(code, literal, irl_quote_javascript, "] === ");
}

static void put_r(irl_code *code, irl_literal literal) {
  irl_text_puts(&code->text, "d[[");
  put_value(code, literal, irl_quote_r, "]] %in% ");
}

static void put_sql(irl_code *code, irl_literal literal) {
  put_value(code, literal, irl_quote_sql_name, " = ");
}

/* The C function takes its values in the order of this array. */
static void put_features(irl_code *code) {
  const irl_names *names = &code->rule->names;
  irl_text_puts(&code->text,
                "/* The features in the order in which rule_predict takes them, each 0, 1 or -1 "
                "(missing). */\nconst char *const rule_features[] = {");
  for (size_t i = 0; i < names->n; i++) {
    if (i) irl_text_puts(&code->text, ", ");
    irl_quote_c(&code->text, irl_names_get(names, i));
  }
  irl_text_printf(&code->text,
                  "%s};\n\n/* 1 for the label that the rule calls positive, 0 else. */\n",
                  names->n ? "" : "0");
}

static const irl_language languages[] = {
    {"c", "int rule_predict(const int *x) {\n  return ", ";\n}\n", " ||\n         ", " && ", "(",
     ")", "0", "1", put_c, put_features},
    {"python",
     "def predict(row):\n    \"\"\"1 for the label that the rule calls positive, 0 else; row maps "
     "names to 0 or 1.\"\"\"\n"
     "    return int(",
     ")\n", " or\n               ", " and ", "(", ")", "False", "True", put_python, NULL},
    {"javascript",
     "// 1 for the label that the rule calls positive, 0 else; row maps names to 0 or 1.\nfunction "
     "predict(row) {\n  "
     "return ",
     " ? 1 : 0;\n}\n", " ||\n         ", " && ", "(", ")", "false", "true", put_javascript, NULL},
    {"r",
     "# 1 for the label that the rule calls positive, 0 else, for each row of the data frame d\n"
     "predict_rule <- function(d) as.integer(",
     ")\n", " |\n  ", " & ", "(", ")", "logical(nrow(d))", "rep(TRUE, nrow(d))", put_r, NULL},
    {"sql", "CASE WHEN ", " THEN 1 ELSE 0 END\n", "\n  OR ", " AND ", "(", ")", "1 = 0", "1 = 1",
     put_sql, NULL},
};

static void put_rule(irl_code *code, const irl_language *l) {
  const irl_rule *rule = code->rule;
  irl_text *text = &code->text;
  if (l->preamble) l->preamble(code);
  irl_text_puts(text, l->head);
  if (!rule->n_clauses) irl_text_puts(text, l->nothing);
  for (size_t k = 0; k < rule->n_clauses; k++) {
    irl_text_puts(text, k ? l->clause_or : "");
    irl_text_puts(text, l->open);
    if (rule->start[k] == rule->start[k + 1]) irl_text_puts(text, l->everything);
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      if (i > rule->start[k]) irl_text_puts(text, l->literal_and);
      l->literal(code, rule->literals[i]);
    }
    irl_text_puts(text, l->close);
  }
  irl_text_puts(text, l->tail);
}

static bool is_raw(const irl_rule *rule) {
  for (size_t i = 0; i < rule->conditions.n; i++)
    if (!irl_rule_is_bit(rule, i)) return true;
  return false;
}

static const irl_language *find_language(const irl_rule *rule, const char *name) {
  size_t n = sizeof languages / sizeof *languages;
  const irl_language *from = is_raw(rule) ? irl_code_languages(&n) : languages;
  for (size_t i = 0; i < n; i++)
    if (!strcmp(from[i].name, name)) return &from[i];
  return NULL;
}

/* Numbers the columns of each kind, in the order of the rule's columns. */
static irl_status place_columns(irl_env *env, irl_code *code) {
  const irl_conditions *conditions = &code->rule->conditions;
  const size_t n = conditions->columns.n;
  uint32_t n_numbers = 0, n_texts = 0;
  code->number_places = irl_mem_alloc(&env->allocator, n, sizeof *code->number_places);
  code->text_places = irl_mem_alloc(&env->allocator, n, sizeof *code->text_places);
  if (!code->number_places || !code->text_places) return irl_fail_memory(env);
  for (size_t i = 0; i < conditions->n; i++) {
    const irl_condition *c = &conditions->items[i];
    (irl_condition_is_text(c) ? code->text_places : code->number_places)[c->column] = 1;
  }
  for (size_t k = 0; k < n; k++) {
    code->number_places[k] = code->number_places[k] ? n_numbers++ : IRL_NO_NAME;
    code->text_places[k] = code->text_places[k] ? n_texts++ : IRL_NO_NAME;
  }
  return IRL_OK;
}

static irl_status export_text(irl_env *env, const irl_rule *rule, char **out) {
  irl_text text;
  irl_text_init(&text, env);
  irl_rule_print_all(&text, rule);
  irl_text_puts(&text, "\n");
  return irl_text_take(&text, out);
}

irl_status irl_rule_export(irl_env *env, const irl_rule *rule, const char *to, char **out) {
  irl_code code = {.rule = rule};
  const irl_language *found = find_language(rule, to);
  if (!strcmp(to, "text")) return export_text(env, rule, out);
  if (!found)
    return irl_fail(env, IRL_BAD_ARGUMENT,
                    "a rule goes to c, python, sql, r, javascript or text, not '%s'", to);
  irl_status status = strcmp(to, "sql") ? IRL_OK : irl_sql_check(env, rule);
  if (!status && is_raw(rule)) status = place_columns(env, &code);
  irl_text_init(&code.text, env);
  if (!status) {
    put_rule(&code, found);
    status = irl_text_take(&code.text, out);
  }
  irl_mem_free(&env->allocator, code.number_places);
  irl_mem_free(&env->allocator, code.text_places);
  return status;
}
