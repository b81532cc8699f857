/* What can be forbidden is a literal that the coding of the table may have: the option says so
 * before any cut point is known, so that each part of a cross-validation takes the same entries. */
#include "table/forbid.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ireland_data.h"

typedef struct part {
  const char *text;
  size_t length;
} part;

static part trimmed(const char *from, const char *to) {
  while (from < to && (*from == ' ' || *from == '\t')) from++;
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
  return (part){from, (size_t)(to - from)};
}

void irl_forbidden_print_value(irl_text *text, const char *value) {
  for (; *value; value++) {
    const char *known = strchr("n\nr\rt\t", *value);
    if ((unsigned char)*value < ' ' && known)
      irl_text_printf(text, "\\%c", known[-1]);
    else
      irl_text_add(text, value, 1);
  }
}

static const irl_column *find_column(const irl_table *table, const char *name, size_t length) {
  const uint32_t j = irl_names_find(&table->names, name, length);
  return j == IRL_NO_NAME ? NULL : &table->columns[j];
}

/* x, rs1_A:dom, and with negations !x, !rs1_A:rec. */
static bool is_plain_literal(const irl_table *table, part p, bool negations) {
  const bool is_negated = p.length && *p.text == '!';
  if (is_negated && !negations) return false;
  p.text += is_negated;
  p.length -= is_negated;
  const irl_column *c = find_column(table, p.text, p.length);
  if (c && c->type == IRL_COLUMN_BINARY) return true;
  if (p.length <= 4 ||
      (memcmp(p.text + p.length - 4, ":dom", 4) && memcmp(p.text + p.length - 4, ":rec", 4) &&
       memcmp(p.text + p.length - 4, ":het", 4)))
    return false;
  c = find_column(table, p.text, p.length - 4);
  return c && c->type == IRL_COLUMN_SNP;
}

static bool has_value(irl_env *env, const irl_column *column, part value) {
  bool found = false;
  irl_text text;
  for (size_t v = 0; v < column->values->n && !found; v++) {
    irl_text_init(&text, env);
    irl_forbidden_print_value(&text, irl_names_get(column->values, v));
    found = !text.failed && text.length && text.length == value.length &&
            !memcmp(text.bytes, value.text, value.length);
    irl_text_drop(&text);
  }
  return found;
}

/* May the column be asked this? `value` of length 0: whatever the value. */
static bool fits(irl_env *env, const irl_column *c, irl_relation relation, part value,
                 bool negations) {
  double number;
  const bool is_any = !value.length;
  switch (c->type) {
  case IRL_COLUMN_NUMBER:
    return (relation == IRL_AT_MOST || relation == IRL_ABOVE) &&
           (is_any || irl_number_parse(value.text, value.length, &number));
  case IRL_COLUMN_CATEGORY:
    return (relation == IRL_EQUALS || (relation == IRL_DIFFERS && negations)) &&
           (is_any || has_value(env, c, value));
  case IRL_COLUMN_BINARY:
    return is_any && (relation == IRL_IS_ONE || (relation == IRL_IS_ZERO && negations));
  case IRL_COLUMN_SNP:
    return is_any && (relation == IRL_ABOVE || (relation == IRL_AT_MOST && negations));
  default:
    return false;
  }
}

/* `age > 52.5`, `age >`: wherever a relation stands after a column's name and a blank. */
static bool is_condition(irl_env *env, const irl_table *table, part p, bool negations) {
  for (size_t at = 1; at < p.length; at++) {
    const irl_column *c = p.text[at] == ' ' ? find_column(table, p.text, at) : NULL;
    for (int r = 0; c && r < IRL_N_RELATIONS; r++) {
      const char *relation = irl_relation_text((irl_relation)r);
      const size_t after = at + 1 + strlen(relation);
      if (after > p.length || memcmp(p.text + at + 1, relation, strlen(relation))) continue;
      if (after < p.length && p.text[after] != ' ') continue;
      const part value = trimmed(p.text + after, p.text + p.length);
      if (fits(env, c, (irl_relation)r, value, negations)) return true;
    }
  }
  return false;
}

static bool is_literal(irl_env *env, const irl_table *table, part p, bool negations) {
  return is_plain_literal(table, p, negations) || is_condition(env, table, p, negations);
}

/* The x of `NOT x`, another way to write !x; nothing: it is no such entry. */
static part after_not(const irl_table *table, part p) {
  static const char word[] = "NOT ";
  const size_t n = sizeof word - 1;
  if (p.length <= n || memcmp(p.text, word, n)) return (part){NULL, 0};
  const part rest = trimmed(p.text + n, p.text + p.length);
  return is_plain_literal(table, rest, false) ? rest : (part){NULL, 0};
}

/* The longest entry that starts at `from`: a value may hold commas. */
static part find_entry(irl_env *env, const irl_table *table, const char *from, const char *end,
                       bool negations) {
  for (const char *to = end; to > from; to--) {
    if (to < end && *to != ',') continue;
    const part p = trimmed(from, to);
    if (p.length &&
        (is_literal(env, table, p, negations) || (negations && after_not(table, p).text)))
      return p;
  }
  return (part){NULL, 0};
}

/* Entries are kept as literals are named. A column that is called `NOT x` is itself. */
static irl_status add_entry(irl_env *env, irl_forbidden *f, const irl_table *table, part p,
                            bool negations) {
  irl_text text;
  const part negated = after_not(table, p);
  const bool is_word = negated.text && !is_literal(env, table, p, negations);
  irl_text_init(&text, env);
  if (is_word) irl_text_puts(&text, "!");
  irl_text_add(&text, is_word ? negated.text : p.text, is_word ? negated.length : p.length);
  const bool is_added = !text.failed && irl_names_add(&f->entries, text.bytes, text.length);
  irl_text_drop(&text);
  return is_added ? IRL_STATUS_OK : irl_fail_memory(env);
}

static irl_status add_line(irl_env *env, irl_forbidden *f, const irl_table *table, part line,
                           bool negations) {
  const char *at = line.text, *end = line.text + line.length;
  while (at < end) {
    const part p = find_entry(env, table, at, end, negations);
    if (!p.text) {
      const char *comma = memchr(at, ',', (size_t)(end - at));
      const part wrong = trimmed(at, comma ? comma : end);
      const char *nearest =
          irl_names_suggest(&table->names, wrong.text, strcspn(wrong.text, " :,\n"));
      return irl_fail(
          env, IRL_STATUS_BAD_INPUT,
          "%s: there is no literal '%.*s' for --forbid; they are written as 'age > 52.5', "
          "'age >', 'sex = male', 'smoker'%s%s%s",
          table->path, (int)wrong.length, wrong.text, nearest ? "; did you mean column '" : "",
          nearest ? nearest : "", nearest ? "'?" : "");
    }
    const irl_status status = add_entry(env, f, table, p, negations);
    if (status) return status;
    const char *comma = memchr(p.text + p.length, ',', (size_t)(end - p.text) - p.length);
    at = comma ? comma + 1 : end;
  }
  return IRL_STATUS_OK;
}

irl_status irl_forbidden_init(irl_env *env, irl_forbidden *forbidden, const irl_table *table,
                              const irl_options *options) {
  irl_status status = IRL_STATUS_OK;
  *forbidden = (irl_forbidden){.allocator = env->allocator};
  irl_names_init(&forbidden->entries, &env->allocator);
  for (const char *at = options->data.forbid; at && !status;) {
    const size_t length = strcspn(at, "\n");
    status = add_line(env, forbidden, table, trimmed(at, at + length), options->rule.negations);
    at = at[length] ? at + length + 1 : NULL;
  }
  if (!status) {
    forbidden->is_met = irl_mem_alloc(&env->allocator, forbidden->entries.n, sizeof(bool));
    if (!forbidden->is_met) status = irl_fail_memory(env);
  }
  return status;
}

void irl_forbidden_free(irl_forbidden *forbidden) {
  if (!forbidden->allocator.resize) return;
  irl_mem_free(&forbidden->allocator, forbidden->is_met);
  irl_names_free(&forbidden->entries);
  *forbidden = (irl_forbidden){0};
}

bool irl_forbidden_has(irl_forbidden *forbidden, const char *name, const char *column,
                       irl_relation relation) {
  const char *relation_text = irl_relation_text(relation);
  const size_t n = strlen(column);
  bool found = false;
  for (size_t i = 0; i < forbidden->entries.n; i++) {
    const char *entry = irl_names_get(&forbidden->entries, i);
    if (strcmp(entry, name) &&
        (strncmp(entry, column, n) || entry[n] != ' ' || strcmp(entry + n + 1, relation_text)))
      continue;
    assert(forbidden->is_met);
    forbidden->is_met[i] = found = true;
  }
  forbidden->n_left += found;
  return found;
}

irl_status irl_forbidden_check(irl_env *env, const irl_forbidden *forbidden,
                               const irl_table *table) {
  for (size_t i = 0; i < forbidden->entries.n; i++)
    if (!forbidden->is_met[i])
      return irl_fail(env, IRL_STATUS_BAD_INPUT,
                      "%s: no literal is '%s', so --forbid leaves nothing out; a number has other "
                      "cut points, or the column is constant",
                      table->path, irl_names_get(&forbidden->entries, i));
  return IRL_STATUS_OK;
}
