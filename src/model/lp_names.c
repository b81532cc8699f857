/* Models with names, and the hash index that finds them: open addressing, at most half full. */
#include "model/lp_names.h"
#include "base/memory.h"
#include <xxhash.h>

irl_status irl_lp_names_init(irl_env *env, irl_lp_names *model) {
  *model = (irl_lp_names){.env = env, .allocator = env->allocator, .name = "", .objective = ""};
  irl_arena_init(&model->arena, &env->allocator);
  return irl_lp_create(env, &model->lp);
}

void irl_lp_names_free(irl_lp_names *model) {
  if (!model->env) return;
  const irl_allocator *a = &model->allocator;
  irl_mem_free(a, model->row_names);
  irl_mem_free(a, model->column_names);
  irl_mem_free(a, model->is_integer);
  irl_arena_free(&model->arena);
  irl_lp_free(model->lp);
  *model = (irl_lp_names){0};
}

irl_status irl_lp_name_row(irl_lp_names *model, const char *name, size_t length) {
  const uint32_t row = irl_lp_n_rows(model->lp);
  const char *copy = irl_arena_copy_text(&model->arena, name, length);
  if (!copy || !irl_mem_reserve(&model->allocator, (void **)&model->row_names,
                                &model->rows_capacity, row, sizeof *model->row_names))
    return irl_fail_memory(model->env);
  model->row_names[row] = copy;
  return IRL_OK;
}

irl_status irl_lp_name_column(irl_lp_names *model, const char *name, size_t length,
                              bool is_integer) {
  const uint32_t column = irl_lp_n_columns(model->lp);
  const irl_allocator *a = &model->allocator;
  const char *copy = irl_arena_copy_text(&model->arena, name, length);
  if (!copy ||
      !irl_mem_reserve(a, (void **)&model->column_names, &model->columns_capacity, column,
                       sizeof *model->column_names) ||
      !irl_mem_reserve(a, (void **)&model->is_integer, &model->integer_capacity, column,
                       sizeof *model->is_integer))
    return irl_fail_memory(model->env);
  model->column_names[column] = copy;
  model->is_integer[column] = is_integer;
  model->n_integer += is_integer;
  return IRL_OK;
}

static size_t first_slot(const irl_lp_index *index, const char *name, size_t length) {
  return (size_t)XXH3_64bits(name, length) & (index->n_slots - 1);
}

uint32_t irl_lp_index_find(const irl_lp_index *index, const char *const *names, const char *name,
                           size_t length) {
  if (!index->n_slots) return UINT32_MAX;
  for (size_t i = first_slot(index, name, length); index->slots[i];
       i = (i + 1) & (index->n_slots - 1)) {
    const char *other = names[index->slots[i] - 1];
    if (!strncmp(other, name, length) && !other[length]) return index->slots[i] - 1;
  }
  return UINT32_MAX;
}

static void insert(irl_lp_index *index, const char *name, uint32_t number) {
  size_t i = first_slot(index, name, strlen(name));
  while (index->slots[i]) i = (i + 1) & (index->n_slots - 1);
  index->slots[i] = number + 1;
}

bool irl_lp_index_add(irl_lp_index *index, const char *const *names, uint32_t number) {
  if (2 * (index->used + 1) > index->n_slots) {
    irl_lp_index bigger = {index->allocator, NULL, index->n_slots ? 2 * index->n_slots : 64,
                           index->used};
    bigger.slots = irl_mem_alloc(index->allocator, bigger.n_slots, sizeof *bigger.slots);
    if (!bigger.slots) return false;
    for (size_t i = 0; i < index->n_slots; i++)
      if (index->slots[i]) insert(&bigger, names[index->slots[i] - 1], index->slots[i] - 1);
    irl_mem_free(index->allocator, index->slots);
    *index = bigger;
  }
  insert(index, names[number], number);
  index->used++;
  return true;
}

void irl_lp_index_free(irl_lp_index *index) {
  if (index->allocator) irl_mem_free(index->allocator, index->slots);
  *index = (irl_lp_index){0};
}
