/* A rule on raw columns as code without dependencies (rules on 0/1 columns: rule_export.c). Every
 * literal is false on a missing value, or what imputing made of it, as in `ireland predict`.
 *
 * Numbers compare with NaN as false in C, Python and JavaScript, which is what a missing value has
 * to do; a literal that is true on a missing value is then the opposite literal, inverted. SQL's
 * NULL makes a comparison unknown, which counts as false; R's NA is caught by %in% TRUE. */
#include "rule/rule_code.h"
#include "base/number.h"
#include <assert.h>

/* A literal, its sign taken into its condition. */
typedef struct literal {
  irl_condition c;
  const char *column, *value;
} literal;

static literal find_literal(const irl_rule *rule, irl_literal from) {
  const irl_conditions *conditions = &rule->conditions;
  literal found = {.c = conditions->items[irl_literal_feature(from)]};
  if (irl_literal_is_negated(from)) found.c = irl_condition_opposite(&found.c);
  found.column = irl_names_get(&conditions->columns, found.c.column);
  if (irl_condition_is_text(&found.c))
    found.value = irl_names_get(&conditions->values, found.c.value);
  return found;
}

/* `operand` compared with the cut point, or with 1 or 0. */
static void put_comparison(irl_text *text, const irl_condition *c, const char *equals) {
  char number[IRL_NUMBER_SIZE];
  if (c->relation == IRL_AT_MOST || c->relation == IRL_ABOVE) {
    irl_number_print(c->cut, number);
    irl_text_printf(text, " %s %s", irl_relation_text(c->relation), number);
  } else {
    irl_text_printf(text, " %s %d", equals, c->relation == IRL_IS_ONE);
  }
}

/* How a language reads a column and writes the parts of a literal. */
typedef struct dialect {
  const char *open, *close;         /* around the name of a column */
  const char *not_open, *not_close; /* around what is inverted */
  const char *equals;
  irl_quote *quote;
} dialect;

/* The column's number compared; inverted opposite if it is true on a missing value. */
static void put_number(irl_text *text, const dialect *d, const literal *l) {
  const irl_condition c = l->c.is_true_missing ? irl_condition_opposite(&l->c) : l->c;
  irl_text_puts(text, l->c.is_true_missing ? d->not_open : "");
  irl_text_puts(text, d->open);
  d->quote(text, l->column);
  irl_text_puts(text, d->close);
  put_comparison(text, &c, d->equals);
  irl_text_puts(text, l->c.is_true_missing ? d->not_close : "");
}

/* ---- Python and JavaScript ---- */

/* A text compared: plainly, or with the missing value beside it. */
typedef struct membership {
  const char *equal, *differs;       /* text(column) OP value */
  const char *among, *beyond, *last; /* text(column) IN (value, missing) */
  irl_quote *quote;
} membership;

static void put_text(irl_text *text, const membership *m, const literal *l) {
  const bool is_equal = l->c.relation == IRL_EQUALS;
  const bool has_missing = is_equal == l->c.is_true_missing;
  irl_text_puts(text, "text(");
  m->quote(text, l->column);
  irl_text_puts(text, has_missing ? is_equal ? m->among : m->beyond
                      : is_equal  ? m->equal
                                  : m->differs);
  m->quote(text, l->value);
  if (has_missing) irl_text_puts(text, m->last);
}

static void put_python(irl_code *code, irl_literal from) {
  static const dialect python = {"number(", ")", "not (", ")", "==", irl_quote_python};
  static const membership in = {") == ", ") != ",         ") in (None, ", ") not in (None, ",
                                ")",     irl_quote_python};
  const literal l = find_literal(code->rule, from);
  if (l.value)
    put_text(&code->text, &in, &l);
  else
    put_number(&code->text, &python, &l);
}

static void put_javascript(irl_code *code, irl_literal from) {
  static const dialect javascript = {"number(", ")", "!(", ")", "===", irl_quote_javascript};
  static const membership in = {") === ", ") !== ", NULL, NULL, NULL, irl_quote_javascript};
  irl_text *text = &code->text;
  const literal l = find_literal(code->rule, from);
  if (!l.value) {
    put_number(text, &javascript, &l);
    return;
  }
  const bool is_equal = l.c.relation == IRL_EQUALS;
  if (is_equal != l.c.is_true_missing) {
    put_text(text, &in, &l);
    return;
  }
  irl_text_puts(text, is_equal ? "[null, " : "![null, ");
  irl_quote_javascript(text, l.value);
  irl_text_puts(text, "].includes(text(");
  irl_quote_javascript(text, l.column);
  irl_text_puts(text, "))");
}

/* ---- R ---- */

static void put_r(irl_code *code, irl_literal from) {
  static const dialect r = {"((d[[", "]]", "!((d[[", ") %in% TRUE)", "==", irl_quote_r};
  irl_text *text = &code->text;
  const literal l = find_literal(code->rule, from);
  if (!l.value) {
    const irl_condition c = l.c.is_true_missing ? irl_condition_opposite(&l.c) : l.c;
    irl_text_puts(text, l.c.is_true_missing ? r.not_open : r.open);
    irl_quote_r(text, l.column);
    irl_text_puts(text, r.close);
    put_comparison(text, &c, r.equals);
    irl_text_puts(text, r.not_close);
    return;
  }
  const bool is_equal = l.c.relation == IRL_EQUALS;
  irl_text_puts(text, is_equal ? "(d[[" : "!(d[[");
  irl_quote_r(text, l.column);
  irl_text_puts(text, "]] %in% c(");
  irl_quote_r(text, l.value);
  irl_text_puts(text, is_equal == l.c.is_true_missing ? ", NA))" : "))");
}

/* ---- SQL ---- */

static void put_sql(irl_code *code, irl_literal from) {
  irl_text *text = &code->text;
  const literal l = find_literal(code->rule, from);
  if (l.c.is_true_missing) irl_text_puts(text, "(");
  irl_quote_sql_name(text, l.column);
  if (l.value) {
    irl_text_puts(text, l.c.relation == IRL_EQUALS ? " = " : " <> ");
    irl_quote_sql_text(text, l.value);
  } else {
    put_comparison(text, &l.c, "=");
  }
  if (!l.c.is_true_missing) return;
  irl_text_puts(text, " OR ");
  irl_quote_sql_name(text, l.column);
  irl_text_puts(text, " IS NULL)");
}

/* ---- C ---- */

static void put_c(irl_code *code, irl_literal from) {
  irl_text *text = &code->text;
  const literal l = find_literal(code->rule, from);
  const uint32_t place = (l.value ? code->text_places : code->number_places)[l.c.column];
  assert(place != IRL_NO_NAME);
  if (!l.value) {
    const irl_condition c = l.c.is_true_missing ? irl_condition_opposite(&l.c) : l.c;
    irl_text_printf(text, "%snumber[%u]", l.c.is_true_missing ? "!(" : "", place);
    put_comparison(text, &c, "==");
    irl_text_puts(text, l.c.is_true_missing ? ")" : "");
    return;
  }
  irl_text_printf(text, l.c.is_true_missing ? "(!text[%u] || " : "(text[%u] && ", place);
  irl_text_printf(text, "%srule_equal(text[%u], ", l.c.relation == IRL_EQUALS ? "" : "!", place);
  irl_quote_c(text, l.value);
  irl_text_puts(text, "))");
}

/* The columns of one kind as an array of names. */
static void put_array(irl_code *code, const char *name, const uint32_t *places) {
  const irl_names *columns = &code->rule->conditions.columns;
  irl_text_printf(&code->text, "const char *const %s[] = {", name);
  for (uint32_t k = 0; k < columns->n; k++) {
    if (places[k] == IRL_NO_NAME) continue;
    irl_quote_c(&code->text, irl_names_get(columns, k));
    irl_text_puts(&code->text, ", ");
  }
  irl_text_puts(&code->text, "0};\n");
}

static void put_c_head(irl_code *code) {
  irl_text_puts(&code->text,
                "/* The columns that rule_predict takes, in this order: numbers (a missing one "
                "is NAN)\n * and texts (a missing one is 0). The arrays end with 0. */\n");
  put_array(code, "rule_numbers", code->number_places);
  put_array(code, "rule_texts", code->text_places);
  irl_text_puts(&code->text, "\nstatic inline int rule_equal(const char *a, const char *b) {\n"
                             "  while (*a && *a == *b) a++, b++;\n  return *a == *b;\n}\n\n"
                             "/* 1 for the label that the rule calls positive, 0 else. */\n");
}

static const irl_language languages[] = {
    {"c",
     "int rule_predict(const double *number, const char *const *text) {\n  (void)number, "
     "(void)text;\n"
     "  return ",
     ";\n}\n", " ||\n         ", " && ", "(", ")", "0", "1", put_c, put_c_head},
    {"python",
     "def predict(row):\n"
     "    \"\"\"1 for the label that the rule calls positive, 0 else; row maps columns to values, "
     "None or NaN if "
     "missing.\"\"\"\n"
     "    def number(name):\n"
     "        value = row.get(name)\n"
     "        return float(\"nan\") if value is None or value == \"\" else float(value)\n\n"
     "    def text(name):\n"
     "        value = row.get(name)\n"
     "        return None if value is None or value != value else str(value)\n\n"
     "    return int(",
     ")\n", " or\n               ", " and ", "(", ")", "False", "True", put_python, NULL},
    {"javascript",
     "// 1 for the label that the rule calls positive, 0 else; row maps columns to values, null or "
     "NaN if missing.\n"
     "function predict(row) {\n"
     "  const has = name => Object.prototype.hasOwnProperty.call(row, name);\n"
     "  const value = name => !has(name) || row[name] === undefined || row[name] !== row[name] ? "
     "null : row[name];\n"
     "  const number = name => value(name) === null || value(name) === \"\" ? NaN : "
     "Number(value(name));\n"
     "  const text = name => value(name) === null ? null : String(value(name));\n"
     "  return ",
     " ? 1 : 0;\n}\n", " ||\n         ", " && ", "(", ")", "false", "true", put_javascript, NULL},
    {"r",
     "# 1 for the label that the rule calls positive, 0 else, for each row of the data frame d; NA "
     "is missing\n"
     "predict_rule <- function(d) as.integer(",
     ")\n", " |\n  ", " & ", "(", ")", "logical(nrow(d))", "rep(TRUE, nrow(d))", put_r, NULL},
    {"sql", "CASE WHEN ", " THEN 1 ELSE 0 END\n", "\n  OR ", " AND ", "(", ")", "1 = 0", "1 = 1",
     put_sql, NULL},
};

const irl_language *irl_code_languages(size_t *n) {
  *n = sizeof languages / sizeof *languages;
  return languages;
}
