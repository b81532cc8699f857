#include "data/meaning.h"
#include "base/memory.h"
#include <string.h>

void irl_meanings_init(irl_meanings *meanings, const irl_allocator *allocator) {
  *meanings = (irl_meanings){.allocator = *allocator};
  irl_names_init(&meanings->columns, allocator);
  irl_names_init(&meanings->values, allocator);
}

/* The number of a text; the index is made with the first one. */
static bool intern(irl_names *names, const char *text, uint32_t *number) {
  uint32_t twice;
  if (!names->slots && !irl_names_index(names, &twice)) return false;
  return irl_names_intern(names, text, strlen(text), number);
}

bool irl_meanings_add(irl_meanings *meanings, irl_condition condition, const char *column,
                      const char *value) {
  if (!irl_mem_reserve(&meanings->allocator, (void **)&meanings->conditions, &meanings->capacity,
                       meanings->n, sizeof condition) ||
      !intern(&meanings->columns, column, &condition.column) ||
      (value && !intern(&meanings->values, value, &condition.value)))
    return false;
  meanings->conditions[meanings->n++] = condition;
  return true;
}

bool irl_meanings_copy(irl_meanings *into, const irl_meanings *from) {
  bool done = true;
  *into = (irl_meanings){0};
  if (!irl_has_meanings(from)) return true;
  irl_meanings_init(into, &from->allocator);
  for (size_t i = 0; i < from->n && done; i++) {
    const irl_condition *c = &from->conditions[i];
    done =
        irl_meanings_add(into, *c, irl_names_get(&from->columns, c->column),
                         irl_condition_is_text(c) ? irl_names_get(&from->values, c->value) : NULL);
  }
  if (!done) irl_meanings_free(into);
  return done;
}

void irl_meanings_free(irl_meanings *meanings) {
  if (!irl_has_meanings(meanings)) return;
  irl_mem_free(&meanings->allocator, meanings->conditions);
  irl_names_free(&meanings->columns);
  irl_names_free(&meanings->values);
  *meanings = (irl_meanings){0};
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
      [IRL_ABOVE] = IRL_AT_MOST,  [IRL_EQUALS] = IRL_DIFFERS, [IRL_DIFFERS] = IRL_EQUALS};
  irl_condition opposite = *condition;
  opposite.relation = opposites[condition->relation];
  if (condition->is_imputed) opposite.is_true_missing = !condition->is_true_missing;
  return opposite;
}

irl_question irl_meaning_of(const irl_meanings *meanings, const irl_names *names, uint32_t i) {
  if (!irl_has_meanings(meanings))
    return (irl_question){{.relation = IRL_IS_ONE}, irl_names_get(names, i), NULL};
  const irl_condition *c = &meanings->conditions[i];
  return (irl_question){*c, irl_names_get(&meanings->columns, c->column),
                        irl_condition_is_text(c) ? irl_names_get(&meanings->values, c->value)
                                                 : NULL};
}

bool irl_question_is_same(const irl_question *a, const irl_question *b) {
  const irl_condition *x = &a->condition, *y = &b->condition;
  const bool has_cut = x->relation == IRL_AT_MOST || x->relation == IRL_ABOVE;
  if (x->relation != y->relation || strcmp(a->column, b->column)) return false;
  if (has_cut && (x->cut < y->cut || x->cut > y->cut)) return false;
  if (irl_condition_is_text(x) && strcmp(a->value, b->value)) return false;
  return x->is_imputed == y->is_imputed &&
         (!x->is_imputed || x->is_true_missing == y->is_true_missing);
}
