/* A rule on raw columns as code without dependencies (rules on 0/1 columns: rule_export.c). Every
 * literal is false on a missing value, or what imputing made of it, as in `ireland predict`.
 *
 * Numbers compare with NaN as false in C, Python and JavaScript, which is what a missing value has
 * to do; a literal that is true on a missing value is then the opposite literal, inverted. SQL's
 * NULL makes a comparison unknown, which counts as false; R's NA is caught by %in% TRUE. */
#include "rule/rule_code.h"
#include "base/memory.h"
#include "base/number.h"

/* A literal, its sign taken into its condition. */
typedef struct literal {
  irl_condition c;
  const char *column, *value;
} literal;

static literal find_literal(const irl_rule *rule, irl_literal from) {
  const irl_meanings *meanings = &rule->meanings;
  literal found = {.c = meanings->conditions[irl_literal_feature(from)]};
  if (irl_literal_is_negated(from)) found.c = irl_condition_opposite(&found.c);
  found.column = irl_names_get(&meanings->columns, found.c.column);
  if (irl_condition_is_text(&found.c))
    found.value = irl_names_get(&meanings->values, found.c.value);
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
} dialect;

/* The column's number compared; inverted opposite if it is true on a missing value. */
static void put_number(irl_text *text, const dialect *d, const literal *l) {
  const irl_condition c = l->c.is_true_missing ? irl_condition_opposite(&l->c) : l->c;
  irl_text_puts(text, l->c.is_true_missing ? d->not_open : "");
  irl_text_puts(text, d->open);
  irl_code_string(text, l->column);
  irl_text_puts(text, d->close);
  put_comparison(text, &c, d->equals);
  irl_text_puts(text, l->c.is_true_missing ? d->not_close : "");
}

/* ---- Python and JavaScript ---- */

/* A text compared: plainly, or with the missing value beside it. */
typedef struct membership {
  const char *equal, *differs;       /* text(column) OP value */
  const char *among, *beyond, *last; /* text(column) IN (value, missing) */
} membership;

static void put_text(irl_text *text, const membership *m, const literal *l) {
  const bool is_equal = l->c.relation == IRL_EQUALS;
  const bool has_missing = is_equal == l->c.is_true_missing;
  irl_text_puts(text, "text(");
  irl_code_string(text, l->column);
  irl_text_puts(text, has_missing ? is_equal ? m->among : m->beyond
                      : is_equal  ? m->equal
                                  : m->differs);
  irl_code_string(text, l->value);
  if (has_missing) irl_text_puts(text, m->last);
}

static void put_python(irl_text *text, const irl_rule *rule, irl_literal from) {
  static const dialect python = {"number(", ")", "not (", ")", "=="};
  static const membership in = {") == ", ") != ", ") in (None, ", ") not in (None, ", ")"};
  const literal l = find_literal(rule, from);
  if (l.value)
    put_text(text, &in, &l);
  else
    put_number(text, &python, &l);
}

static void put_javascript(irl_text *text, const irl_rule *rule, irl_literal from) {
  static const dialect javascript = {"number(", ")", "!(", ")", "==="};
  static const membership in = {") === ", ") !== ", NULL, NULL, NULL};
  const literal l = find_literal(rule, from);
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
  irl_code_string(text, l.value);
  irl_text_puts(text, "].includes(text(");
  irl_code_string(text, l.column);
  irl_text_puts(text, "))");
}

/* ---- R ---- */

static void put_r(irl_text *text, const irl_rule *rule, irl_literal from) {
  static const dialect r = {"((d[[", "]]", "!((d[[", ") %in% TRUE)", "=="};
  const literal l = find_literal(rule, from);
  if (!l.value) {
    const irl_condition c = l.c.is_true_missing ? irl_condition_opposite(&l.c) : l.c;
    irl_text_puts(text, l.c.is_true_missing ? r.not_open : r.open);
    irl_code_string(text, l.column);
    irl_text_puts(text, r.close);
    put_comparison(text, &c, r.equals);
    irl_text_puts(text, r.not_close);
    return;
  }
  const bool is_equal = l.c.relation == IRL_EQUALS;
  irl_text_puts(text, is_equal ? "(d[[" : "!(d[[");
  irl_code_string(text, l.column);
  irl_text_puts(text, "]] %in% c(");
  irl_code_string(text, l.value);
  irl_text_puts(text, is_equal == l.c.is_true_missing ? ", NA))" : "))");
}

/* ---- SQL ---- */

static void put_doubled(irl_text *text, const char *string, char quote) {
  irl_text_add(text, &quote, 1);
  for (; *string; string++) {
    if (*string == quote) irl_text_add(text, &quote, 1);
    irl_text_add(text, string, 1);
  }
  irl_text_add(text, &quote, 1);
}

static void put_sql(irl_text *text, const irl_rule *rule, irl_literal from) {
  const literal l = find_literal(rule, from);
  if (l.c.is_true_missing) irl_text_puts(text, "(");
  put_doubled(text, l.column, '"');
  if (l.value) {
    irl_text_puts(text, l.c.relation == IRL_EQUALS ? " = " : " <> ");
    put_doubled(text, l.value, '\'');
  } else {
    put_comparison(text, &l.c, "=");
  }
  if (!l.c.is_true_missing) return;
  irl_text_puts(text, " OR ");
  put_doubled(text, l.column, '"');
  irl_text_puts(text, " IS NULL)");
}

/* ---- C ---- */

/* The number of a column among those of its kind, in the order of the rule's columns. */
static size_t place_of(const irl_rule *rule, uint32_t column, bool wants_text) {
  const irl_meanings *meanings = &rule->meanings;
  size_t place = 0;
  for (uint32_t k = 0; k < column; k++)
    for (size_t i = 0; i < meanings->n; i++)
      if (meanings->conditions[i].column == k) {
        place += irl_condition_is_text(&meanings->conditions[i]) == wants_text;
        break;
      }
  return place;
}

static void put_c(irl_text *text, const irl_rule *rule, irl_literal from) {
  const literal l = find_literal(rule, from);
  const size_t place = place_of(rule, l.c.column, l.value != NULL);
  if (!l.value) {
    const irl_condition c = l.c.is_true_missing ? irl_condition_opposite(&l.c) : l.c;
    irl_text_printf(text, "%snumber[%zu]", l.c.is_true_missing ? "!(" : "", place);
    put_comparison(text, &c, "==");
    irl_text_puts(text, l.c.is_true_missing ? ")" : "");
    return;
  }
  irl_text_printf(text, l.c.is_true_missing ? "(!text[%zu] || " : "(text[%zu] && ", place);
  irl_text_printf(text, "%srule_equal(text[%zu], ", l.c.relation == IRL_EQUALS ? "" : "!", place);
  irl_code_string(text, l.value);
  irl_text_puts(text, "))");
}

/* The columns of one kind as an array of names. */
static void put_array(irl_text *text, const irl_rule *rule, const char *name, bool wants_text) {
  const irl_meanings *meanings = &rule->meanings;
  size_t n = 0;
  irl_text_printf(text, "const char *const %s[] = {", name);
  for (uint32_t k = 0; k < meanings->columns.n; k++)
    for (size_t i = 0; i < meanings->n; i++) {
      if (meanings->conditions[i].column != k) continue;
      if (irl_condition_is_text(&meanings->conditions[i]) == wants_text) {
        irl_text_puts(text, n++ ? ", " : "");
        irl_code_string(text, irl_names_get(&meanings->columns, k));
      }
      break;
    }
  irl_text_puts(text, n ? ", 0};\n" : "0};\n");
}

static void put_c_head(irl_text *text, const irl_rule *rule) {
  irl_text_puts(text,
                "/* The columns that rule_predict takes, in this order: numbers (a missing one "
                "is NAN)\n * and texts (a missing one is 0). The arrays end with 0. */\n");
  put_array(text, rule, "rule_numbers", false);
  put_array(text, rule, "rule_texts", true);
  irl_text_puts(text, "\nstatic inline int rule_equal(const char *a, const char *b) {\n"
                      "  while (*a && *a == *b) a++, b++;\n  return *a == *b;\n}\n\n"
                      "/* 1 for a case, 0 for a control. */\n");
}

static const irl_language languages[] = {
    {"c",
     "int rule_predict(const double *number, const char *const *text) {\n  (void)number, "
     "(void)text;\n"
     "  return ",
     ";\n}\n", " ||\n         ", " && ", "(", ")", "0", "1", put_c, put_c_head},
    {"python",
     "def predict(row):\n"
     "    \"\"\"1 for a case, 0 for a control; row maps columns to values, None or NaN if "
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
     "// 1 for a case, 0 for a control; row maps columns to values, null or NaN if missing.\n"
     "function predict(row) {\n"
     "  const value = name => row[name] === undefined || row[name] !== row[name] ? null : "
     "row[name];\n"
     "  const number = name => value(name) === null || value(name) === \"\" ? NaN : "
     "Number(value(name));\n"
     "  const text = name => value(name) === null ? null : String(value(name));\n"
     "  return ",
     " ? 1 : 0;\n}\n", " ||\n         ", " && ", "(", ")", "false", "true", put_javascript, NULL},
    {"r",
     "# 1 for a case, 0 for a control, for each row of the data frame d; NA is missing\n"
     "predict_rule <- function(d) as.integer(",
     ")\n", " |\n  ", " & ", "(", ")", "logical(nrow(d))", "rep(TRUE, nrow(d))", put_r, NULL},
    {"sql", "CASE WHEN ", " THEN 1 ELSE 0 END\n", "\n  OR ", " AND ", "(", ")", "1 = 0", "1 = 1",
     put_sql, NULL},
};

const irl_language *irl_code_languages(size_t *n) {
  *n = sizeof languages / sizeof *languages;
  return languages;
}
