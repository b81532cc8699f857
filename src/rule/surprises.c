/* Values of a rule's columns that the samples which it was learnt from did not have: a category
 * that is spelt otherwise, a number out of their range. The rule decides on them all the same, so
 * whoever applies it is told. */
#include "base/memory.h"
#include "rule/training.h"
#include <inttypes.h>
#include <math.h>

irl_status irl_surprises_init(irl_env *env, irl_surprises *s, const irl_rule *rule) {
  *s = (irl_surprises){.allocator = env->allocator};
  if (!rule->training || !rule->training->columns.n) return IRL_STATUS_OK;
  s->columns = irl_mem_alloc(&env->allocator, rule->training->columns.n, sizeof *s->columns);
  if (!s->columns) return irl_fail_memory(env);
  s->training = rule->training;
  for (size_t i = 0; i < s->training->columns.n; i++)
    irl_names_init(&s->columns[i].values, &env->allocator);
  return IRL_STATUS_OK;
}

void irl_surprises_free(irl_surprises *s) {
  if (!s->columns) return;
  for (size_t i = 0; i < s->training->columns.n; i++) irl_names_free(&s->columns[i].values);
  irl_mem_free(&s->allocator, s->columns);
  s->columns = NULL;
}

bool irl_known_lacks(const irl_known *known, const irl_column *column, uint32_t sample) {
  if (irl_column_is_missing(column, sample)) return false;
  if (column->type == IRL_COLUMN_CATEGORY && !known->is_number) {
    const char *value = irl_names_get(column->values, column->codes[sample]);
    return irl_names_find(&known->values, value, strlen(value)) == IRL_NO_NAME;
  }
  if (column->type == IRL_COLUMN_CATEGORY || !known->is_number) return false;
  const double value = irl_column_number(column, sample);
  return value < known->low || value > known->high;
}

/* A new value of a category, in these many samples. */
static bool note_value(irl_surprise *new, const char *value, uint64_t sample, uint64_t n) {
  uint32_t number = irl_names_find(&new->values, value, strlen(value));
  if (number == IRL_NO_NAME && new->values.n >= IRL_SURPRISES_SHOWN) {
    if (!new->n_outside) new->first_outside = sample;
    new->n_outside += n;
    return true;
  }
  if (number == IRL_NO_NAME) {
    if (!irl_names_intern(&new->values, value, strlen(value), &number)) return false;
    new->counts[number] = 0;
    new->first[number] = sample;
  }
  new->counts[number] += n;
  return true;
}

static void note_number(irl_surprise *new, double value, uint64_t sample) {
  if (!new->n_outside++) {
    new->first_outside = sample;
    new->least = new->most = value;
  }
  new->least = fmin(new->least, value);
  new->most = fmax(new->most, value);
}

/* Each value of the table is looked up once. */
static bool look_at_values(const irl_known *known, irl_surprise *new, const irl_column *column,
                           const irl_table *table, uint64_t first) {
  bool done = true;
  for (uint32_t v = 0; v < column->values->n && done && !known->is_number; v++) {
    const char *value = irl_names_get(column->values, v);
    uint64_t n = 0, sample = 0;
    if (irl_names_find(&known->values, value, strlen(value)) != IRL_NO_NAME) continue;
    for (uint32_t i = 0; i < table->n_samples; i++) {
      if (column->codes[i] != v) continue;
      if (!n++) sample = first + i + 1;
    }
    if (n) done = note_value(new, value, sample, n);
  }
  return done;
}

irl_status irl_surprises_look(irl_env *env, irl_surprises *s, const irl_table *table,
                              uint64_t first) {
  const irl_training *t = s->training;
  for (size_t j = 0; t && j < t->columns.n; j++) {
    const char *name = irl_names_get(&t->columns, j);
    const uint32_t found = irl_names_find(&table->names, name, strlen(name));
    if (found == IRL_NO_NAME) continue;
    const irl_column *column = &table->columns[found];
    for (uint32_t i = 0; column->type == IRL_COLUMN_NUMBER && i < table->n_samples; i++)
      if (irl_known_lacks(&t->known[j], column, i))
        note_number(&s->columns[j], column->numbers[i], first + i + 1);
    if (column->type == IRL_COLUMN_CATEGORY &&
        !look_at_values(&t->known[j], &s->columns[j], column, table, first))
      return irl_fail_memory(env);
  }
  return IRL_STATUS_OK;
}

/* The samples that have it: "sample 3", "3 samples, the first of them sample 7". */
static void print_samples(irl_text *text, uint64_t n, uint64_t first) {
  if (n == 1)
    irl_text_printf(text, "sample %" PRIu64, first);
  else
    irl_text_printf(text, "%" PRIu64 " samples from sample %" PRIu64 " on", n, first);
}

/* The value that was meant, or those that there are. */
static void print_known(irl_text *text, const irl_known *known, const char *value) {
  const char *nearest = irl_names_suggest(&known->values, value, strlen(value));
  if (nearest) {
    irl_text_printf(text, IRL_HINT, IRL_HINT_OF(nearest));
    return;
  }
  irl_text_puts(text, "; it had ");
  for (size_t v = 0; v < known->values.n && v < IRL_SURPRISES_SHOWN; v++)
    irl_text_printf(text, "%s'%s'", v ? ", " : "", irl_names_get(&known->values, v));
  if (known->values.n > IRL_SURPRISES_SHOWN) irl_text_puts(text, ", ...");
}

/* One sentence about a column: its new value v, or what is beyond those. */
static void note_one(irl_env *env, const irl_surprises *s, const char *path, size_t j, size_t v) {
  irl_text text;
  const irl_surprise *new = &s->columns[j];
  const irl_known *known = &s->training->known[j];
  irl_text_init(&text, env);
  irl_text_printf(&text, "%s: column '%s'", path, irl_names_get(&s->training->columns, j));
  if (v < new->values.n) {
    const char *value = irl_names_get(&new->values, v);
    irl_text_printf(&text, " has '%s' (", value);
    print_samples(&text, new->counts[v], new->first[v]);
    irl_text_puts(&text, "), which no sample had that the rule was learnt from");
    print_known(&text, known, value);
  } else if (known->is_number) {
    irl_text_printf(&text, " has values from %.6g to %.6g (", new->least, new->most);
    print_samples(&text, new->n_outside, new->first_outside);
    irl_text_printf(&text, "), where the rule was learnt from %.6g to %.6g", known->low,
                    known->high);
  } else {
    irl_text_puts(&text, " has other new values too (");
    print_samples(&text, new->n_outside, new->first_outside);
    irl_text_puts(&text, ")");
  }
  if (!text.failed) irl_log(env, IRL_LOG_WARNING, "%s", text.bytes);
  irl_text_drop(&text);
}

void irl_surprises_tell(irl_env *env, irl_surprises *s, const char *path) {
  for (size_t j = 0; s->training && j < s->training->columns.n; j++) {
    irl_surprise *new = &s->columns[j];
    for (size_t v = 0; v < new->values.n + (new->n_outside > 0); v++) note_one(env, s, path, j, v);
    irl_names_free(&new->values);
    *new = (irl_surprise){.n_outside = 0};
    irl_names_init(&new->values, &s->allocator);
  }
}
