#include "data/condition.h"
#include "base/memory.h"
#include <string.h>

void irl_conditions_init(irl_conditions *conditions, const irl_allocator *allocator) {
  *conditions = (irl_conditions){.allocator = *allocator};
  irl_names_init(&conditions->columns, allocator);
  irl_names_init(&conditions->values, allocator);
}

bool irl_conditions_add(irl_conditions *conditions, irl_condition condition, const char *column,
                        const char *value) {
  if (!irl_mem_reserve(&conditions->allocator, &conditions->items, &conditions->capacity,
                       conditions->n, sizeof condition) ||
      !irl_names_intern(&conditions->columns, column, strlen(column), &condition.column) ||
      (value && !irl_names_intern(&conditions->values, value, strlen(value), &condition.value)))
    return false;
  assert(condition.relation < IRL_N_RELATIONS && irl_condition_is_text(&condition) == !!value);
  conditions->items[conditions->n++] = condition;
  return true;
}

bool irl_conditions_copy(irl_conditions *into, const irl_conditions *from) {
  const irl_allocator *allocator = &from->allocator;
  *into = (irl_conditions){0};
  if (!irl_has_conditions(from)) return true;
  irl_conditions_init(into, allocator);
  into->items = irl_mem_alloc(allocator, from->n, sizeof *into->items);
  const bool done = into->items && irl_names_copy(&into->columns, &from->columns, allocator) &&
                    irl_names_copy(&into->values, &from->values, allocator);
  if (!done) {
    irl_conditions_free(into);
    return false;
  }
  if (from->n) memcpy(into->items, from->items, from->n * sizeof *into->items);
  into->n = into->capacity = from->n;
  return true;
}

void irl_conditions_free(irl_conditions *conditions) {
  if (!irl_has_conditions(conditions)) return;
  irl_mem_free(&conditions->allocator, conditions->items);
  irl_names_free(&conditions->columns);
  irl_names_free(&conditions->values);
  *conditions = (irl_conditions){0};
}

#define TEXT_ROW(name, text) text,
static const char *const relations[] = {IRL_RELATION_TABLE(TEXT_ROW)};
#undef TEXT_ROW

const char *irl_relation_text(irl_relation relation) {
  return relations[relation];
}

irl_relation irl_relation_find(const char *text) {
  int i = 0;
  while (i < IRL_N_RELATIONS && strcmp(relations[i], text)) i++;
  return (irl_relation)i;
}

irl_condition irl_condition_opposite(const irl_condition *condition) {
  static const irl_relation opposites[] = {
      [IRL_IS_ONE] = IRL_IS_ZERO, [IRL_IS_ZERO] = IRL_IS_ONE, [IRL_AT_MOST] = IRL_ABOVE,
      [IRL_ABOVE] = IRL_AT_MOST,  [IRL_EQUALS] = IRL_DIFFERS, [IRL_DIFFERS] = IRL_EQUALS,
      [IRL_IS_HET] = IRL_NOT_HET, [IRL_NOT_HET] = IRL_IS_HET};
  irl_condition opposite = *condition;
  opposite.relation = opposites[condition->relation];
  if (condition->is_imputed) opposite.is_true_missing = !condition->is_true_missing;
  return opposite;
}

irl_named_condition irl_condition_of(const irl_conditions *conditions, const irl_names *names,
                                     uint32_t i) {
  if (!irl_has_conditions(conditions))
    return (irl_named_condition){{.relation = IRL_IS_ONE}, irl_names_get(names, i), NULL};
  const irl_condition *c = &conditions->items[i];
  assert(i < conditions->n && conditions->n == names->n);
  return (irl_named_condition){
      *c, irl_names_get(&conditions->columns, c->column),
      irl_condition_is_text(c) ? irl_names_get(&conditions->values, c->value) : NULL};
}

bool irl_named_condition_equal(const irl_named_condition *a, const irl_named_condition *b) {
  const irl_condition *x = &a->condition, *y = &b->condition;
  const bool has_cut = x->relation == IRL_AT_MOST || x->relation == IRL_ABOVE;
  if (x->relation != y->relation || strcmp(a->column, b->column)) return false;
  if (has_cut && (x->cut < y->cut || x->cut > y->cut)) return false;
  if (irl_condition_is_text(x) && strcmp(a->value, b->value)) return false;
  return x->is_imputed == y->is_imputed &&
         (!x->is_imputed || x->is_true_missing == y->is_true_missing);
}
