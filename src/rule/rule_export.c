/* A rule as code without dependencies, or as text.
 *
 * Each language is a row of one table: what stands before, between and after clauses and literals,
 * and a template for each kind of literal. In a template `@` is the column (its name as the
 * language quotes it, in C its number in an array), `$` the value or the comparison that a literal
 * asks for, `~` the opposite comparison.
 *
 * Every literal is false on a missing value, or what imputing made of it, as in `ireland predict`.
 * A rule on 0/1 columns asks for the value 1, or for 0 if the literal is negated, so that on a
 * missing value (NULL, NA, None, undefined) both are false. Python and JavaScript, where "1" and 1
 * and true differ, make a number of every value first, as csv.DictReader gives texts. Numbers
 * compare with NaN as false in C, Python and JavaScript, which is what a missing value has to do; a
 * literal that is true on a missing value is then the opposite literal, inverted. SQL's NULL makes
 * a comparison unknown, which counts as false; R's NA is caught by %in% TRUE. */
#include "base/contract.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "rule/rule.h"
#include "rule/rule_genotypes.h"
#include <assert.h>

/* ---- strings as each language reads them, whatever bytes a file had in its names and cells ----
 */

/* Writes a string in double quotes. Printable characters stay as they are. Others are escaped: in C
 * and R by octal digits of each byte, three of them so that no digit behind is taken for one more;
 * in Python and JavaScript (whose modules know no octal ones) by hexadecimal digits of the
 * character, which for a control character are at most four. Bytes that are not UTF-8 are lone
 * surrogates there, as in the JSON of a rule and in Python's own surrogateescape. */
static void quote(irl_text *text, const char *string, bool by_bytes) {
  static const char shorts[] = "\"\"\\\\\nn\rr\tt"; /* a character and the letter that escapes it */
  irl_text_puts(text, "\"");
  for (const char *at = string; *at;) {
    uint32_t code;
    const size_t n = irl_utf8_read(at, &code), n_bytes = n ? n : 1;
    const char *known = shorts;
    while (*known && *known != *at) known += 2;
    const bool is_trigraph = *at == '?' && at[1] == '?'; /* may begin one in C */
    if (*known)
      irl_text_printf(text, "\\%c", known[1]);
    else if (n && !irl_utf8_is_control(code) && !is_trigraph)
      irl_text_add(text, at, n);
    else if (by_bytes)
      for (size_t i = 0; i < n_bytes; i++)
        irl_text_printf(text, "\\%03o", (unsigned)(unsigned char)at[i]);
    else
      irl_text_printf(text, !n ? "\\udc%02x" : code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    at += n_bytes;
  }
  irl_text_puts(text, "\"");
}

static void quote_bytes(irl_text *text, const char *string) {
  quote(text, string, true);
}

static void quote_unicode(irl_text *text, const char *string) {
  quote(text, string, false);
}

static void put_doubled(irl_text *text, const char *string, const char *doubled) {
  for (; *string; string++) {
    if (strchr(doubled, *string)) irl_text_add(text, string, 1);
    irl_text_add(text, string, 1);
  }
}

/* SQL has no escapes, and quotes are doubled, which all databases read alike. A name with a
 * backslash cannot be written so that it means the same everywhere: check_sql_names refuses it. */
static void quote_sql_name(irl_text *text, const char *name) {
  irl_text_puts(text, "\"");
  put_doubled(text, name, "\"");
  irl_text_puts(text, "\"");
}

/* MySQL takes a backslash for an escape unless it is told otherwise. Text with a backslash is
 * written with two of them, and REPLACE makes one of two: where '\\' has a single character that
 * changes nothing, and SUBSTR('\\', 1, 1) is one backslash either way. */
static void quote_sql_text(irl_text *text, const char *string) {
  const bool has_backslash = strchr(string, '\\');
  irl_text_puts(text, has_backslash ? "REPLACE('" : "'");
  put_doubled(text, string, "'\\");
  irl_text_puts(text, has_backslash ? "', '\\\\', SUBSTR('\\\\', 1, 1))" : "'");
}

static irl_status check_sql_names(irl_env *env, const irl_rule *rule) {
  const irl_names *names =
      irl_has_conditions(&rule->conditions) ? &rule->conditions.columns : &rule->names;
  for (size_t i = 0; i < names->n; i++)
    if (strchr(irl_names_get(names, i), '\\'))
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "the column '%s' has a backslash in its name, which databases read in "
                      "different ways: rename it to export the rule to SQL",
                      irl_names_get(names, i));
  return IRL_STATUS_OK;
}

/* ---- the languages ---- */

typedef struct language {
  const char *name;
  void (*quote_name)(irl_text *text, const char *string);
  void (*quote_text)(irl_text *text, const char *string);
  const char *bit_head, *raw_head, *tail; /* around the whole; NULL: raw for 0/1 columns too */
  const char *clause_or, *literal_and;    /* between clauses, between literals */
  const char *nothing, *everything;       /* a rule, a clause without parts */
  const char *equals;                     /* of numbers */
  const char *bit;                        /* a literal on a 0/1 column */
  const char *number[2];                  /* false, true on a missing value */
  const char *equal[2], *differs[2];      /* texts, likewise */
  const char *het[2], *not_het[2];        /* counts 0, 1, 2: one; another */
} language;

/* What the names' quotes mean is the one thing on which databases differ here. */
#define SQL_HEAD                                                                                   \
  "-- standard SQL (PostgreSQL, SQLite, DuckDB, Oracle; MySQL with sql_mode ANSI_QUOTES)\n"        \
  "CASE WHEN "

static const language languages[] = {
    {.name = "c",
     .quote_name = quote_bytes,
     .quote_text = quote_bytes,
     .bit_head = "int rule_predict(const int *x) {\n  return ",
     .raw_head = "int rule_predict(const double *number, const char *const *text) {\n"
                 "  (void)number, (void)text;\n  return ",
     .tail = ";\n}\n",
     .clause_or = " ||\n         ",
     .literal_and = " && ",
     .nothing = "0",
     .everything = "1",
     .equals = "==",
     .bit = "x[@] == $",
     .number = {"number[@]$", "!(number[@]~)"},
     .equal = {"(text[@] && rule_equal(text[@], $))", "(!text[@] || rule_equal(text[@], $))"},
     .differs = {"(text[@] && !rule_equal(text[@], $))", "(!text[@] || !rule_equal(text[@], $))"},
     .het = {"number[@] == 1", "!(number[@] * (number[@] - 2) == 0)"},
     .not_het = {"number[@] * (number[@] - 2) == 0", "number[@] != 1"}},
    {.name = "python",
     .quote_name = quote_unicode,
     .quote_text = quote_unicode,
     .raw_head =
         "def predict(row):\n"
         "    \"\"\"1 for the label that the rule calls positive, 0 else; row maps columns to "
         "values, None or NaN if missing.\"\"\"\n"
         "    def number(name):\n"
         "        value = row.get(name)\n"
         "        return float(\"nan\") if value is None or value == \"\" else float(value)\n\n"
         "    def text(name):\n"
         "        value = row.get(name)\n"
         "        return None if value is None or value != value else str(value)\n\n"
         "    return int(",
     .tail = ")\n",
     .clause_or = " or\n               ",
     .literal_and = " and ",
     .nothing = "False",
     .everything = "True",
     .equals = "==",
     .number = {"number(@)$", "not (number(@)~)"},
     .equal = {"text(@) == $", "text(@) in (None, $)"},
     .differs = {"text(@) not in (None, $)", "text(@) != $"},
     .het = {"number(@) == 1", "number(@) % 2 != 0"},
     .not_het = {"number(@) % 2 == 0", "number(@) != 1"}},
    {.name = "javascript",
     .quote_name = quote_unicode,
     .quote_text = quote_unicode,
     .raw_head =
         "// 1 for the label that the rule calls positive, 0 else; row maps columns to values, "
         "null or NaN if missing.\n"
         "function predict(row) {\n"
         "  const has = name => Object.prototype.hasOwnProperty.call(row, name);\n"
         "  const value = name => !has(name) || row[name] === undefined || row[name] !== "
         "row[name] ? null : row[name];\n"
         "  const number = name => value(name) === null || value(name) === \"\" ? NaN : "
         "Number(value(name));\n"
         "  const text = name => value(name) === null ? null : String(value(name));\n"
         "  return ",
     .tail = " ? 1 : 0;\n}\n",
     .clause_or = " ||\n         ",
     .literal_and = " && ",
     .nothing = "false",
     .everything = "true",
     .equals = "===",
     .number = {"number(@)$", "!(number(@)~)"},
     .equal = {"text(@) === $", "[null, $].includes(text(@))"},
     .differs = {"![null, $].includes(text(@))", "text(@) !== $"},
     .het = {"number(@) === 1", "number(@) % 2 !== 0"},
     .not_het = {"number(@) % 2 === 0", "number(@) !== 1"}},
    {.name = "r",
     .quote_name = quote_bytes,
     .quote_text = quote_bytes,
     .bit_head = "# 1 for the label that the rule calls positive, 0 else, for each row of the data "
                 "frame d\npredict_rule <- function(d) as.integer(",
     .raw_head = "# 1 for the label that the rule calls positive, 0 else, for each row of the data "
                 "frame d; NA is missing\npredict_rule <- function(d) as.integer(",
     .tail = ")\n",
     .clause_or = " |\n  ",
     .literal_and = " & ",
     .nothing = "logical(nrow(d))",
     .everything = "rep(TRUE, nrow(d))",
     .equals = "==",
     .bit = "d[[@]] %in% $",
     .number = {"((d[[@]]$) %in% TRUE)", "!((d[[@]]~) %in% TRUE)"},
     .equal = {"(d[[@]] %in% c($))", "(d[[@]] %in% c($, NA))"},
     .differs = {"!(d[[@]] %in% c($, NA))", "!(d[[@]] %in% c($))"},
     .het = {"(d[[@]] %in% 1)", "(d[[@]] %in% c(1, NA))"},
     .not_het = {"(d[[@]] %in% c(0, 2))", "(d[[@]] %in% c(0, 2, NA))"}},
    {.name = "sql",
     .quote_name = quote_sql_name,
     .quote_text = quote_sql_text,
     .bit_head = SQL_HEAD,
     .raw_head = SQL_HEAD,
     .tail = " THEN 1 ELSE 0 END\n",
     .clause_or = "\n  OR ",
     .literal_and = " AND ",
     .nothing = "1 = 0",
     .everything = "1 = 1",
     .equals = "=",
     .bit = "@ = $",
     .number = {"@$", "(@$ OR @ IS NULL)"},
     .equal = {"@ = $", "(@ = $ OR @ IS NULL)"},
     .differs = {"@ <> $", "(@ <> $ OR @ IS NULL)"},
     .het = {"@ = 1", "(@ = 1 OR @ IS NULL)"},
     .not_het = {"@ <> 1", "(@ <> 1 OR @ IS NULL)"}},
};

/* ---- writing ---- */

/* A rule on its way into code. */
typedef struct code {
  irl_text text;
  const irl_rule *rule;
  const language *to;
  bool is_c;         /* columns are numbers in arrays */
  bool is_raw;       /* some literal asks more than whether a column is 1 */
  uint32_t *places;  /* C, raw: by column its number among those taken as numbers, */
  uint32_t *of_text; /* and among those taken as texts, or IRL_NO_NAME */
} code;

static void put_comparison(irl_text *text, const irl_condition *c, const char *equals) {
  char number[IRL_NUMBER_SIZE];
  if (c->relation == IRL_AT_MOST || c->relation == IRL_ABOVE) {
    irl_number_print(c->cut, number);
    irl_text_printf(text, " %s %s", irl_relation_text(c->relation), number);
  } else {
    irl_text_printf(text, " %s %d", equals, c->relation == IRL_IS_ONE);
  }
}

static void put_literal(code *c, irl_literal literal) {
  const irl_rule *rule = c->rule;
  const uint32_t feature = irl_literal_feature(literal);
  assert(feature < rule->names.n);
  irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, feature);
  irl_condition opposite = irl_condition_opposite(&asked.condition);
  if (irl_literal_is_negated(literal)) {
    const irl_condition swap = asked.condition;
    asked.condition = opposite;
    opposite = swap;
  }
  const irl_relation relation = asked.condition.relation;
  const bool is_true_missing = asked.condition.is_true_missing;
  const char *template = !c->is_raw                ? c->to->bit
                         : relation == IRL_EQUALS  ? c->to->equal[is_true_missing]
                         : relation == IRL_DIFFERS ? c->to->differs[is_true_missing]
                         : relation == IRL_IS_HET  ? c->to->het[is_true_missing]
                         : relation == IRL_NOT_HET ? c->to->not_het[is_true_missing]
                                                   : c->to->number[is_true_missing];
  const uint32_t column = asked.condition.column;
  const uint32_t place =
      !c->is_raw || !c->is_c ? feature : (asked.value ? c->of_text : c->places)[column];
  assert(place != IRL_NO_NAME);
  for (; *template; template ++)
    if (*template == '@' && c->is_c)
      irl_text_printf(&c->text, "%u", place);
    else if (*template == '@')
      c->to->quote_name(&c->text, asked.column);
    else if (*template == '~')
      put_comparison(&c->text, &opposite, c->to->equals);
    else if (*template != '$')
      irl_text_add(&c->text, template, 1);
    else if (!c->is_raw)
      irl_text_puts(&c->text, relation == IRL_IS_ONE ? "1" : "0");
    else if (asked.value)
      c->to->quote_text(&c->text, asked.value);
    else
      put_comparison(&c->text, &asked.condition, c->to->equals);
}

/* The columns of one kind as an array of names that ends with 0. */
static void put_array(code *c, const char *name, const uint32_t *places) {
  const irl_names *columns = &c->rule->conditions.columns;
  irl_text_printf(&c->text, "const char *const %s[] = {", name);
  for (uint32_t k = 0; k < columns->n; k++) {
    if (places[k] == IRL_NO_NAME) continue;
    quote_bytes(&c->text, irl_names_get(columns, k));
    irl_text_puts(&c->text, ", ");
  }
  irl_text_puts(&c->text, "0};\n");
}

/* What the C function takes, and in which order. */
static void put_c_arrays(code *c) {
  const irl_names *names = &c->rule->names;
  if (c->is_raw) {
    irl_text_puts(&c->text,
                  "/* The columns that rule_predict takes, in this order: numbers (a missing one "
                  "is NAN)\n * and texts (a missing one is 0). The arrays end with 0. */\n");
    put_array(c, "rule_numbers", c->places);
    put_array(c, "rule_texts", c->of_text);
    irl_text_puts(&c->text, "\nstatic inline int rule_equal(const char *a, const char *b) {\n"
                            "  while (*a && *a == *b) a++, b++;\n  return *a == *b;\n}\n\n");
  } else {
    irl_text_puts(&c->text,
                  "/* The features in the order in which rule_predict takes them, each 0, 1 or -1 "
                  "(missing). */\nconst char *const rule_features[] = {");
    for (size_t i = 0; i < names->n; i++) {
      if (i) irl_text_puts(&c->text, ", ");
      quote_bytes(&c->text, irl_names_get(names, i));
    }
    irl_text_puts(&c->text, names->n ? "};\n\n" : "0};\n\n");
  }
  irl_text_puts(&c->text, "/* 1 for the label that the rule calls positive, 0 else. */\n");
}

/* Numbers the columns of each kind, in the order of the rule's columns. */
static irl_status place_columns(irl_env *env, code *c) {
  const irl_conditions *conditions = &c->rule->conditions;
  const size_t n = conditions->columns.n;
  uint32_t n_numbers = 0, n_texts = 0;
  c->places = irl_mem_alloc(&env->allocator, 2 * n, sizeof *c->places);
  if (!c->places) return irl_fail_memory(env);
  c->of_text = c->places + n;
  for (size_t i = 0; i < conditions->n; i++) {
    const irl_condition *condition = &conditions->items[i];
    (irl_condition_is_text(condition) ? c->of_text : c->places)[condition->column] = 1;
  }
  for (size_t k = 0; k < n; k++) {
    c->places[k] = c->places[k] ? n_numbers++ : IRL_NO_NAME;
    c->of_text[k] = c->of_text[k] ? n_texts++ : IRL_NO_NAME;
  }
  return IRL_STATUS_OK;
}

irl_status irl_rule_export(irl_env *env, const irl_rule *rule, const char *to, char **out) {
  IRL_NEED(env, "env, rule, to, text", env, rule, to, out);
  code c = {.rule = rule, .is_c = !strcmp(to, "c")};
  const bool is_text = !strcmp(to, "text");
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (!strcmp(languages[i].name, to)) c.to = &languages[i];
  if (!strcmp(to, "plink2") || !strcmp(to, "bcftools"))
    return irl_rule_export_genotypes(env, rule, *to == 'p', out);
  if (!c.to && !is_text)
    return irl_fail(
        env, IRL_STATUS_BAD_ARGUMENT,
        "a rule goes to c, python, sql, r, javascript, plink2, bcftools or text, not '%s'", to);
  c.is_raw = c.to && !c.to->bit_head;
  for (size_t i = 0; i < rule->conditions.n; i++) c.is_raw |= !irl_rule_is_bit(rule, i);
  if (!strcmp(to, "sql")) status = check_sql_names(env, rule);
  if (!status && c.is_c && c.is_raw) status = place_columns(env, &c);
  if (status) return status;
  irl_text *text = &c.text;
  irl_text_init(text, env);
  text->pace.env = env;
  if (is_text) {
    irl_rule_print_all(text, rule);
    irl_text_puts(text, "\n");
    return irl_text_take(text, out);
  }
  if (c.is_c) put_c_arrays(&c);
  irl_text_puts(text, c.is_raw ? c.to->raw_head : c.to->bit_head);
  if (!rule->n_clauses) irl_text_puts(text, c.to->nothing);
  for (size_t k = 0; k < rule->n_clauses && !text->failed; k++) {
    irl_text_puts(text, k ? c.to->clause_or : "");
    irl_text_puts(text, "(");
    if (rule->start[k] == rule->start[k + 1]) irl_text_puts(text, c.to->everything);
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      if (i > rule->start[k]) irl_text_puts(text, c.to->literal_and);
      put_literal(&c, rule->literals[i]);
    }
    irl_text_puts(text, ")");
  }
  irl_text_puts(text, c.to->tail);
  irl_mem_free(&env->allocator, c.places);
  return irl_text_take(text, out);
}
