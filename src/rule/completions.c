/* Samples that miss values, judged over all completions.
 *
 * A rule asks of a column only on which side of its cuts a number is, or which of the texts that it
 * names a category has. So a column has few kinds of values: a number one between each two cuts, a
 * 0/1 column 0 and 1, a count of alleles 0, 1 and 2, a category the texts that the rule names and
 * one more for all others, if the samples learnt from had any other.
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
#include "base/arena.h"
#include "base/memory.h"
#include "rule/training.h"
#include <stdlib.h>

#define MOST_STEPS 100000u

/* A kind of values of a column. */
typedef struct kind {
  double number;    /* (first, as irl_compare_numbers takes it) */
  const char *text; /* of a category; NULL: all that the rule does not name */
  uint32_t removed; /* how many choices took it away */
} kind;

typedef struct asked_column {
  const irl_column *cells;
  const char *name;
  kind *kinds;
  uint32_t n;
  bool is_missing; /* in the sample at hand */
} asked_column;

typedef struct asked_literal {
  asked_column *column;
  irl_named_condition asked; /* in the words of the data */
} asked_literal;

struct irl_completions {
  irl_allocator allocator;
  irl_arena arena; /* of the lists */
  const irl_rule *rule;
  asked_column *columns;
  uint32_t n_columns;
  asked_literal *literals; /* as the rule's */
  uint32_t *left;          /* clauses that are neither dead nor hold, */
  uint32_t n_left;
  const char **needed;
  uint32_t n_steps;
};

static bool holds_on(const asked_literal *l, const kind *k) {
  if (!l->asked.value) return irl_condition_holds(&l->asked.condition, k->number);
  const bool is_equal = k->text && !strcmp(k->text, l->asked.value);
  return is_equal == (l->asked.condition.relation == IRL_EQUALS);
}

/* ---- kinds of values ---- */

static void add_text(asked_column *column, const char *text) {
  for (uint32_t i = 0; i < column->n; i++)
    if (!strcmp(column->kinds[i].text, text)) return;
  column->kinds[column->n++].text = text;
}

/* The texts that the rule names, and all others, if the samples learnt from had any other. */
static void find_texts(const irl_completions *c, asked_column *column) {
  const irl_known *known = irl_training_known(c->rule->training, column->name);
  size_t n_named = 0;
  for (size_t l = 0; l < c->rule->n_literals; l++)
    if (c->literals[l].column == column) add_text(column, c->literals[l].asked.value);
  for (uint32_t i = 0; known && i < column->n; i++) {
    const char *text = column->kinds[i].text;
    n_named += irl_names_find(&known->values, text, strlen(text)) != IRL_NO_NAME;
  }
  if (!known || known->is_number || n_named < known->values.n) column->n++;
}

/* Counts of alleles, or 0 and 1; or the cuts, each on its own left side, and what is beyond. */
static void find_numbers(const irl_completions *c, asked_column *column) {
  const irl_column_type type = column->cells->type;
  bool is_count = irl_type_is_packed(type);
  for (size_t l = 0; l < c->rule->n_literals; l++) {
    const irl_condition *asked = &c->literals[l].asked.condition;
    if (c->literals[l].column != column) continue;
    if (irl_condition_is_cut(asked))
      column->kinds[column->n++].number = asked->cut;
    else
      is_count = true;
  }
  if (is_count) {
    column->n = type == IRL_COLUMN_BINARY ? 2 : 3;
    for (uint32_t i = 0; i < column->n; i++) column->kinds[i].number = i;
    return;
  }
  column->kinds[column->n++].number = (double)INFINITY;
  qsort(column->kinds, column->n, sizeof *column->kinds, irl_compare_numbers);
}

/* False: out of memory. */
static bool find_kinds(irl_completions *c, asked_column *column) {
  size_t most = 3;
  for (size_t l = 0; l < c->rule->n_literals; l++) most += c->literals[l].column == column;
  column->kinds = irl_arena_alloc(&c->arena, most, sizeof *column->kinds);
  if (!column->kinds) return false;
  (column->cells->type == IRL_COLUMN_CATEGORY ? find_texts : find_numbers)(c, column);
  assert(column->n <= most);
  return true;
}

/* What literal l asks, and of which column. */
static void find_literal(irl_completions *c, const irl_bound_rule *bound, const irl_table *table,
                         size_t l) {
  const irl_data *data = bound->data;
  const irl_literal literal = irl_bound_rule_literal(bound, c->rule->literals[l]);
  irl_named_condition asked =
      irl_condition_of(&data->conditions, &data->names, irl_literal_feature(literal));
  if (irl_literal_is_negated(literal)) asked.condition = irl_condition_opposite(&asked.condition);
  const uint32_t number = irl_names_find(&table->names, asked.column, strlen(asked.column));
  uint32_t j = 0;
  assert(number != IRL_NO_NAME); /* the data was made of it */
  while (j < c->n_columns && c->columns[j].cells != &table->columns[number]) j++;
  if (j == c->n_columns)
    c->columns[c->n_columns++] = (asked_column){.cells = &table->columns[number],
                                                .name = irl_names_get(&table->names, number)};
  c->literals[l] = (asked_literal){&c->columns[j], asked};
}

irl_status irl_completions_create(irl_env *env, const irl_bound_rule *bound, const irl_table *table,
                                  irl_completions **out) {
  const irl_rule *rule = bound->rule;
  irl_completions *c = irl_mem_alloc(&env->allocator, 1, sizeof *c);
  if (!c) return irl_fail_memory(env);
  *c = (irl_completions){.allocator = env->allocator, .rule = rule};
  irl_arena_init(&c->arena, &env->allocator);
  c->columns = irl_arena_alloc(&c->arena, rule->n_literals, sizeof *c->columns);
  c->literals = irl_arena_alloc(&c->arena, rule->n_literals, sizeof *c->literals);
  c->left = irl_arena_alloc(&c->arena, rule->n_clauses, sizeof *c->left);
  c->needed = irl_arena_alloc(&c->arena, rule->n_literals, sizeof *c->needed);
  bool done = c->columns && c->literals && c->left && c->needed;
  for (size_t l = 0; l < rule->n_literals && done; l++) find_literal(c, bound, table, l);
  for (uint32_t j = 0; j < c->n_columns && done; j++) done = find_kinds(c, &c->columns[j]);
  if (!done) {
    irl_completions_free(c);
    return irl_fail_memory(env);
  }
  *out = c;
  return IRL_STATUS_OK;
}

void irl_completions_free(irl_completions *c) {
  if (!c) return;
  const irl_allocator allocator = c->allocator;
  irl_arena_free(&c->arena);
  irl_mem_free(&allocator, c);
}

/* ---- one sample ---- */

/* Is a literal left open, in the sample at hand? */
static bool is_open(const asked_literal *l) {
  return l->column->is_missing && !l->asked.condition.is_imputed;
}

/* Can the open literals of a clause hold at once? Those on one column need a kind in common. */
static bool can_hold(const irl_completions *c, uint32_t clause) {
  const size_t *start = c->rule->start;
  for (const asked_column *column = c->columns; column < c->columns + c->n_columns; column++) {
    bool some = !column->is_missing;
    for (uint32_t i = 0; i < column->n && !some; i++) {
      some = true;
      for (size_t k = start[clause]; k < start[clause + 1]; k++) {
        const asked_literal *l = &c->literals[k];
        some = some && (l->column != column || !is_open(l) || holds_on(l, &column->kinds[i]));
      }
    }
    if (!some) return false;
  }
  return true;
}

/* Takes the kinds away on which a literal holds, or gives them back; is any left? */
static bool restrict_to_false(const asked_literal *l, int by) {
  bool some = false;
  for (kind *k = l->column->kinds; k < l->column->kinds + l->column->n; k++) {
    if (holds_on(l, k)) k->removed += (uint32_t)by;
    some |= !k->removed;
  }
  return some;
}

/* Does a literal fail on all kinds that are left? */
static bool has_failed(const asked_literal *l) {
  for (const kind *k = l->column->kinds; k < l->column->kinds + l->column->n; k++)
    if (!k->removed && holds_on(l, k)) return false;
  return true;
}

/* Can all clauses from number `at` of those that are left fail at once? */
static bool can_fail(irl_completions *c, uint32_t at) {
  const size_t *start = c->rule->start;
  if (at == c->n_left || c->n_steps++ >= MOST_STEPS) return true;
  const asked_literal *first = c->literals + start[c->left[at]],
                      *end = c->literals + start[c->left[at] + 1];
  for (const asked_literal *l = first; l < end; l++)
    if (is_open(l) && has_failed(l)) return can_fail(c, at + 1);
  for (const asked_literal *l = first; l < end; l++) {
    if (!is_open(l)) continue;
    const bool found = restrict_to_false(l, 1) && can_fail(c, at + 1);
    restrict_to_false(l, -1);
    if (found) return true;
  }
  return false;
}

static bool misses(const asked_literal *l, uint32_t sample) {
  const irl_column *cells = l->column->cells;
  if (l->column->is_missing) return !l->asked.condition.is_true_missing;
  const bool is_text = cells->type == IRL_COLUMN_CATEGORY;
  const kind own = {.number = is_text ? 0 : irl_column_number(cells, sample),
                    .text = is_text ? irl_names_get(cells->values, cells->codes[sample]) : NULL};
  return !holds_on(l, &own);
}

/* The columns that the clauses which are left ask for. */
static uint32_t find_needed(const irl_completions *c) {
  const size_t *start = c->rule->start;
  uint32_t n = 0;
  for (const asked_column *column = c->columns; column < c->columns + c->n_columns; column++) {
    bool is_needed = false;
    for (uint32_t i = 0; i < c->n_left; i++)
      for (size_t l = start[c->left[i]]; l < start[c->left[i] + 1]; l++)
        is_needed |= is_open(&c->literals[l]) && c->literals[l].column == column;
    if (is_needed) c->needed[n++] = column->name;
  }
  return n;
}

irl_certainty irl_completions_judge(irl_completions *c, uint32_t sample,
                                    const char *const **columns, uint32_t *n) {
  const irl_rule *rule = c->rule;
  bool some_missing = false;
  for (asked_column *column = c->columns; column < c->columns + c->n_columns; column++) {
    column->is_missing = column->cells->n_missing && irl_column_is_missing(column->cells, sample);
    some_missing |= column->is_missing;
  }
  if (!some_missing) return IRL_IS_KNOWN;
  c->n_left = c->n_steps = 0;
  for (uint32_t k = 0; k < rule->n_clauses; k++) {
    bool is_dead = false, has_open = false;
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      const asked_literal *l = &c->literals[i];
      has_open |= is_open(l);
      is_dead |= !is_open(l) && misses(l, sample);
    }
    if (is_dead) continue;
    if (!has_open) return IRL_IS_CASE;
    if (can_hold(c, k)) c->left[c->n_left++] = k;
  }
  if (!c->n_left) return IRL_IS_CONTROL;
  if (!can_fail(c, 0)) return IRL_IS_CASE;
  *n = find_needed(c);
  *columns = c->needed;
  return IRL_CANNOT_TELL;
}
