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
    const bool has_value = c->relation == IRL_EQUALS || c->relation == IRL_DIFFERS;
    done = irl_meanings_add(into, *c, irl_names_get(&from->columns, c->column),
                            has_value ? irl_names_get(&from->values, c->value) : NULL);
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

const char *irl_relation_text(irl_relation relation) {
#define TEXT_ROW(name, text) text,
  static const char *const texts[] = {IRL_RELATION_TABLE(TEXT_ROW)};
#undef TEXT_ROW
  return texts[relation];
}
