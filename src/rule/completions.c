/* Samples that miss values, judged over all completions.
 *
 * A rule asks of a column only on which side of its cuts a number is, or which of the texts that it
 * names a category has. So a column has few kinds of values: a number one between each two cuts, a
 * 0/1 column 0 and 1, a count of alleles 0, 1 and 2, a category the texts that the rule names and
 * one more for all others, if the samples learnt from had any other. What a literal says of each
 * kind is a row of a table that is made once.
 *
 * Of a sample, a clause is dead if a known value fails it, and holds if all its literals are known
 * to; the literals on missing values are left of the others. A literal whose missing values are
 * imputed is known. If a clause holds, or none is left whose literals can hold at once, that is the
 * answer. Otherwise the sample can be a case; can it be a control? Then some completion fails each
 * clause that is left: clause by clause, one of its literals is chosen to fail, which takes kinds
 * of values away from its column; a column without any left takes the choice back. That is a
 * search, but one in a few literals; it ends after MOST_STEPS, and then both are taken for
 * possible. */
#include "rule/completions.h"
#include "base/memory.h"
#include "rule/training.h"
#include <stdlib.h>

#define MOST_STEPS 100000u

typedef struct asked_column {
  uint32_t number; /* in the table */
  const char *name;
  uint32_t first, n; /* its kinds of values, among those of all columns */
} asked_column;

typedef struct asked_literal {
  uint32_t column;   /* of those that are asked */
  bool is_imputed;   /* what is missing stands for another value: */
  bool when_missing; /* and this is what the literal is */
  bool *holds;       /* on each kind of value of its column */
} asked_literal;

struct irl_completions {
  irl_allocator allocator;
  const irl_bound_rule *bound;
  const irl_table *table;
  asked_column *columns;
  uint32_t n_columns;
  asked_literal *literals; /* as the rule's */
  bool *holds;             /* of all literals */
  uint32_t *left;          /* clauses that are neither dead nor hold, */
  uint32_t n_left;
  uint32_t *removed; /* of each kind of value: how many choices took it away */
  bool *is_missing;  /* of each column, in the sample at hand */
  const char **needed;
  uint32_t n_kinds, n_steps;
};

/* ---- kinds of values ---- */

/* The condition of a literal, in the words of the data. */
static irl_named_condition condition_of(const irl_bound_rule *bound, size_t literal) {
  const irl_data *data = bound->data;
  const irl_literal l = irl_bound_rule_literal(bound, bound->rule->literals[literal]);
  irl_named_condition asked =
      irl_condition_of(&data->conditions, &data->names, irl_literal_feature(l));
  if (irl_literal_is_negated(l)) asked.condition = irl_condition_opposite(&asked.condition);
  return asked;
}

/* The kinds of values of one column: numbers, or texts where NULL stands for all others. */
typedef struct kinds {
  double *numbers;
  const char **texts;
  uint32_t n;
} kinds;

static void add_text(kinds *k, const char *text) {
  for (uint32_t i = 0; i < k->n; i++)
    if (k->texts[i] && text && !strcmp(k->texts[i], text)) return;
  k->texts[k->n++] = text;
}

/* Room is for one kind per literal and four more. */
static void find_kinds(const irl_completions *c, const asked_column *column, kinds *k) {
  const irl_rule *rule = c->bound->rule;
  const irl_column *cells = &c->table->columns[column->number];
  const irl_known *known = irl_training_known(rule->training, column->name);
  bool is_count = irl_type_is_packed(cells->type);
  k->n = 0;
  for (size_t l = 0; l < rule->n_literals; l++) {
    const irl_named_condition asked = condition_of(c->bound, l);
    if (strcmp(asked.column, column->name)) continue;
    if (cells->type == IRL_COLUMN_CATEGORY)
      add_text(k, asked.value);
    else if (irl_condition_is_cut(&asked.condition))
      k->numbers[k->n++] = asked.condition.cut;
    else
      is_count = true; /* of alleles, or 0 and 1 */
  }
  if (cells->type == IRL_COLUMN_CATEGORY) {
    size_t n_named = 0;
    for (uint32_t i = 0; known && i < k->n; i++)
      n_named += irl_names_find(&known->values, k->texts[i], strlen(k->texts[i])) != IRL_NO_NAME;
    if (!known || known->is_number || n_named < known->values.n) k->texts[k->n++] = NULL;
    return;
  }
  if (is_count) {
    const uint32_t n = cells->type == IRL_COLUMN_BINARY ? 2 : 3;
    for (k->n = 0; k->n < n; k->n++) k->numbers[k->n] = k->n;
    return;
  }
  k->numbers[k->n++] = (double)INFINITY; /* beyond the last cut; a cut itself is on its left side */
  qsort(k->numbers, k->n, sizeof *k->numbers, irl_compare_numbers);
}

static bool holds_on(const irl_named_condition *asked, const kinds *k, uint32_t i,
                     bool is_category) {
  if (!is_category) return irl_condition_holds(&asked->condition, k->numbers[i]);
  const bool is_equal = k->texts[i] && !strcmp(k->texts[i], asked->value);
  return is_equal == (asked->condition.relation == IRL_EQUALS);
}

/* The kinds of each column, and what the literals on it say of them. */
static irl_status tabulate(irl_env *env, irl_completions *c) {
  const irl_rule *rule = c->bound->rule;
  const size_t most = rule->n_literals + 4;
  size_t used = 0;
  kinds k = {irl_mem_alloc(&env->allocator, most, sizeof(double)),
             irl_mem_alloc(&env->allocator, most, sizeof(char *)), 0};
  c->holds = irl_mem_alloc(&env->allocator, (rule->n_literals + 1) * most, sizeof *c->holds);
  const bool done = k.numbers && k.texts && c->holds;
  for (uint32_t j = 0; j < c->n_columns && done; j++) {
    asked_column *column = &c->columns[j];
    const bool is_category = c->table->columns[column->number].type == IRL_COLUMN_CATEGORY;
    find_kinds(c, column, &k);
    column->first = c->n_kinds;
    column->n = k.n;
    c->n_kinds += k.n;
    for (size_t l = 0; l < rule->n_literals; l++) {
      if (c->literals[l].column != j) continue;
      const irl_named_condition asked = condition_of(c->bound, l);
      c->literals[l].holds = c->holds + used;
      used += k.n;
      for (uint32_t i = 0; i < k.n; i++)
        c->literals[l].holds[i] = holds_on(&asked, &k, i, is_category);
    }
  }
  irl_mem_free(&env->allocator, k.numbers);
  irl_mem_free(&env->allocator, (void *)k.texts);
  if (done) c->removed = irl_mem_alloc(&env->allocator, c->n_kinds + 1, sizeof *c->removed);
  return done && c->removed ? IRL_STATUS_OK : irl_fail_memory(env);
}

irl_status irl_completions_create(irl_env *env, const irl_bound_rule *bound, const irl_table *table,
                                  irl_completions **out) {
  const irl_rule *rule = bound->rule;
  irl_completions *c = irl_mem_alloc(&env->allocator, 1, sizeof *c);
  if (!c) return irl_fail_memory(env);
  *c = (irl_completions){.allocator = env->allocator, .bound = bound, .table = table};
  c->columns = irl_mem_alloc(&env->allocator, rule->n_literals + 1, sizeof *c->columns);
  c->literals = irl_mem_alloc(&env->allocator, rule->n_literals + 1, sizeof *c->literals);
  c->left = irl_mem_alloc(&env->allocator, rule->n_clauses + 1, sizeof *c->left);
  c->is_missing = irl_mem_alloc(&env->allocator, rule->n_literals + 1, sizeof *c->is_missing);
  c->needed = irl_mem_alloc(&env->allocator, rule->n_literals + 1, sizeof *c->needed);
  const bool done = c->columns && c->literals && c->left && c->is_missing && c->needed;
  irl_status status = done ? IRL_STATUS_OK : irl_fail_memory(env);
  for (size_t l = 0; l < rule->n_literals && !status; l++) {
    const irl_named_condition asked = condition_of(bound, l);
    const uint32_t number = irl_names_find(&table->names, asked.column, strlen(asked.column));
    uint32_t j = 0;
    assert(number != IRL_NO_NAME); /* the data was made of it */
    while (j < c->n_columns && c->columns[j].number != number) j++;
    if (j == c->n_columns)
      c->columns[c->n_columns++] =
          (asked_column){number, irl_names_get(&table->names, number), 0, 0};
    c->literals[l] = (asked_literal){.column = j,
                                     .is_imputed = asked.condition.is_imputed,
                                     .when_missing = asked.condition.is_true_missing};
  }
  if (!status) status = tabulate(env, c);
  if (status)
    irl_completions_free(c);
  else
    *out = c;
  return status;
}

void irl_completions_free(irl_completions *c) {
  if (!c) return;
  const irl_allocator allocator = c->allocator;
  irl_mem_free(&allocator, c->columns);
  irl_mem_free(&allocator, c->literals);
  irl_mem_free(&allocator, c->holds);
  irl_mem_free(&allocator, c->left);
  irl_mem_free(&allocator, c->removed);
  irl_mem_free(&allocator, c->is_missing);
  irl_mem_free(&allocator, (void *)c->needed);
  irl_mem_free(&allocator, c);
}

/* ---- one sample ---- */

/* Is a literal left open, in the sample at hand? */
static bool is_open(const irl_completions *c, size_t literal) {
  const asked_literal *l = &c->literals[literal];
  return c->is_missing[l->column] && !l->is_imputed;
}

/* Can the open literals of a clause hold at once? Those on one column need a kind in common. */
static bool can_hold(const irl_completions *c, uint32_t clause) {
  const size_t *start = c->bound->rule->start;
  for (uint32_t j = 0; j < c->n_columns; j++) {
    bool some = !c->is_missing[j];
    for (uint32_t i = 0; i < c->columns[j].n && !some; i++) {
      some = true;
      for (size_t l = start[clause]; l < start[clause + 1]; l++)
        some = some && (c->literals[l].column != j || !is_open(c, l) || c->literals[l].holds[i]);
    }
    if (!some) return false;
  }
  return true;
}

/* Takes the kinds away on which a literal holds, or gives them back; is any left? */
static bool restrict_to_false(irl_completions *c, size_t literal, int by) {
  const asked_literal *l = &c->literals[literal];
  const asked_column *column = &c->columns[l->column];
  bool some = false;
  for (uint32_t i = 0; i < column->n; i++) {
    uint32_t *removed = &c->removed[column->first + i];
    if (l->holds[i]) *removed += (uint32_t)by;
    some |= !*removed;
  }
  return some;
}

/* Does a literal fail on all kinds that are left? */
static bool has_failed(const irl_completions *c, size_t literal) {
  const asked_literal *l = &c->literals[literal];
  const asked_column *column = &c->columns[l->column];
  for (uint32_t i = 0; i < column->n; i++)
    if (!c->removed[column->first + i] && l->holds[i]) return false;
  return true;
}

/* Can all clauses from number `at` of those that are left fail at once? */
static bool can_fail(irl_completions *c, uint32_t at) {
  const size_t *start = c->bound->rule->start;
  if (at == c->n_left || c->n_steps++ >= MOST_STEPS) return true;
  const size_t first = start[c->left[at]], last = start[c->left[at] + 1];
  for (size_t l = first; l < last; l++)
    if (is_open(c, l) && has_failed(c, l)) return can_fail(c, at + 1);
  for (size_t l = first; l < last; l++) {
    if (!is_open(c, l)) continue;
    const bool found = restrict_to_false(c, l, 1) && can_fail(c, at + 1);
    restrict_to_false(c, l, -1);
    if (found) return true;
  }
  return false;
}

static bool misses(const irl_completions *c, uint32_t sample, size_t literal) {
  const irl_column *column = &c->table->columns[c->columns[c->literals[literal].column].number];
  const irl_named_condition asked = condition_of(c->bound, literal);
  if (c->is_missing[c->literals[literal].column]) return !c->literals[literal].when_missing;
  if (column->type != IRL_COLUMN_CATEGORY)
    return !irl_condition_holds(&asked.condition, irl_column_number(column, sample));
  const char *value = irl_names_get(column->values, column->codes[sample]);
  return !strcmp(value, asked.value) != (asked.condition.relation == IRL_EQUALS);
}

/* The columns that the clauses which are left ask for. */
static void find_needed(const irl_completions *c, const char *const **columns, uint32_t *n) {
  const size_t *start = c->bound->rule->start;
  *n = 0;
  for (uint32_t j = 0; j < c->n_columns; j++) {
    bool is_needed = false;
    for (uint32_t i = 0; i < c->n_left; i++)
      for (size_t l = start[c->left[i]]; l < start[c->left[i] + 1]; l++)
        is_needed |= is_open(c, l) && c->literals[l].column == j;
    if (is_needed) c->needed[(*n)++] = c->columns[j].name;
  }
  *columns = c->needed;
}

irl_certainty irl_completions_judge(irl_completions *c, uint32_t sample,
                                    const char *const **columns, uint32_t *n) {
  const irl_rule *rule = c->bound->rule;
  bool some_missing = false;
  for (uint32_t j = 0; j < c->n_columns; j++) {
    const irl_column *column = &c->table->columns[c->columns[j].number];
    c->is_missing[j] = column->n_missing && irl_column_is_missing(column, sample);
    some_missing |= c->is_missing[j];
  }
  if (!some_missing) return IRL_IS_KNOWN;
  c->n_left = c->n_steps = 0;
  for (uint32_t k = 0; k < rule->n_clauses; k++) {
    bool is_dead = false, has_open = false;
    for (size_t l = rule->start[k]; l < rule->start[k + 1]; l++) {
      has_open |= is_open(c, l);
      is_dead |= !is_open(c, l) && misses(c, sample, l);
    }
    if (is_dead) continue;
    if (!has_open) return IRL_IS_CASE;
    if (can_hold(c, k)) c->left[c->n_left++] = k;
  }
  if (!c->n_left) return IRL_IS_CONTROL;
  memset(c->removed, 0, c->n_kinds * sizeof *c->removed);
  if (!can_fail(c, 0)) return IRL_IS_CASE;
  find_needed(c, columns, n);
  return IRL_CANNOT_TELL;
}
