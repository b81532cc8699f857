/* Memory of tables and sets only grows, and each belongs to one depth of one worker: so after the
 * first nodes a search allocates nothing.
 *
 * Weights that differ between samples are bit-sliced: plane b holds bit b of each sample's weight,
 * packed like a column, and a weighted count is the sum of 2^b |v & plane b|. */
#include "clause/table.h"
#include "base/memory.h"
#include "clause/distributed.h"

bool irl_literal_set_reserve(const irl_allocator *allocator, irl_literal_set *set,
                             uint32_t capacity) {
  if (capacity <= set->capacity) return true;
  const size_t n = set->capacity ? (size_t)capacity + capacity / 4 + 64 : capacity;
  int64_t *memory = irl_mem_alloc(allocator, n, 3 * sizeof(uint32_t) + 2 * sizeof(int64_t));
  if (!memory) return false;
  irl_mem_free(allocator, set->memory);
  set->memory = memory;
  set->gain = memory;
  set->cost = memory + n;
  set->id = (uint32_t *)(memory + 2 * n);
  set->cases = set->id + n;
  set->controls = set->cases + n;
  set->capacity = (uint32_t)n;
  assert(set->capacity >= capacity);
  return true;
}

bool irl_clause_reserve_words(const irl_allocator *allocator, irl_clause_words *words, size_t n) {
  if (n <= words->capacity) return true;
  /* What grows will grow again; the first size, which may be that of all data, is exact. */
  if (words->capacity) n += n / 4 + 64;
  uint64_t *grown = irl_mem_alloc_aligned(allocator, n, sizeof *grown);
  if (!grown) return false;
  irl_mem_free_aligned(allocator, words->words);
  *words = (irl_clause_words){grown, n};
  return true;
}

bool irl_clause_table_shape(const irl_clause_model *model, irl_clause_table *table, uint32_t n,
                            uint32_t n_cases, uint32_t n_controls) {
  table->n_cases = n_cases;
  table->n_controls = n_controls;
  table->case_words = irl_bits_stride(n_cases);
  table->control_words = irl_bits_stride(n_controls);
  table->stride = table->case_words + table->control_words;
  table->set.n = n;
  assert(irl_clause_n_here(table) <= n);
  const size_t plane_words =
      model->n_planes[0] * table->case_words + model->n_planes[1] * table->control_words;
  if (!irl_literal_set_reserve(&model->allocator, &table->set, n) ||
      !irl_clause_reserve_words(&model->allocator, &table->words_memory,
                                irl_clause_n_here(table) * table->stride + IRL_BITS_BLOCK) ||
      !irl_clause_reserve_words(&model->allocator, &table->planes_memory,
                                plane_words + IRL_BITS_BLOCK))
    return false;
  table->words = table->words_memory.words;
  table->planes = table->planes_memory.words;
  return true;
}

/* Literals and counts of the columns of `from` that `set` names. */
static void copy_set(const irl_clause_table *from, const irl_literal_set *set,
                     irl_clause_table *into) {
  assert(set->n <= from->set.n);
  for (uint32_t i = 0; i < set->n; i++) {
    irl_literal_set_put(&into->set, i, set, i);
    into->set.id[i] = from->set.id[set->id[i]];
  }
  into->set.n = set->n;
  into->is_reducible = from->is_reducible;
}

bool irl_clause_table_narrow(const irl_clause_model *model, const irl_clause_table *from,
                             uint32_t k, const irl_literal_set *set, irl_clause_table *into) {
  if (!irl_clause_table_shape(model, into, set->n, from->set.cases[k], from->set.controls[k]))
    return false;
  const irl_kernels *kernels = model->kernels;
  const uint64_t *cases = irl_clause_cases(from, k), *controls = irl_clause_controls(from, k);
  assert(!from->own);
  assert(kernels->count(cases, from->case_words) == into->n_cases);
  assert(kernels->count(controls, from->control_words) == into->n_controls);
  kernels->gather_many(into->words, into->stride, into->case_words, from->words, from->stride,
                       set->id, set->n, cases, from->case_words);
  kernels->gather_many(into->words + into->case_words, into->stride, into->control_words,
                       from->words + from->case_words, from->stride, set->id, set->n, controls,
                       from->control_words);
  kernels->gather_many(into->planes, into->case_words, into->case_words, from->planes,
                       from->case_words, NULL, model->n_planes[0], cases, from->case_words);
  kernels->gather_many(irl_clause_planes(model, into, 1), into->control_words, into->control_words,
                       irl_clause_planes(model, from, 1), from->control_words, NULL,
                       model->n_planes[1], controls, from->control_words);
  copy_set(from, set, into);
  into->cost = from->set.cost[k];
  return true;
}

void irl_clause_table_copy_rest(const irl_clause_model *model, const irl_clause_table *from,
                                const irl_literal_set *set, irl_clause_table *into) {
  assert(into->case_words == from->case_words && into->stride == from->stride);
  memcpy(into->planes, from->planes,
         (model->n_planes[0] * from->case_words + model->n_planes[1] * from->control_words) *
             sizeof(uint64_t));
  copy_set(from, set, into);
  into->cost = from->cost;
}

bool irl_clause_table_copy(const irl_clause_model *model, const irl_clause_table *from,
                           const irl_literal_set *set, irl_clause_table *into) {
  if (!irl_literal_set_reserve(&model->allocator, &into->set, set->n)) return false;
  copy_set(from, set, into);
  if ((from->own && !irl_clause_assign_own(model, into)) ||
      !irl_clause_table_shape(model, into, set->n, from->n_cases, from->n_controls))
    return false;
  for (uint32_t here = 0; here < irl_clause_n_here(into); here++) {
    const uint32_t number = set->id[irl_clause_number(into, here)];
    memcpy(irl_clause_cases(into, here),
           irl_clause_cases(from, from->own ? irl_clause_find_own(from, number) : number),
           from->stride * sizeof(uint64_t));
  }
  irl_clause_table_copy_rest(model, from, set, into);
  return true;
}

void irl_clause_table_free(const irl_allocator *allocator, irl_clause_table *table) {
  irl_mem_free_aligned(allocator, table->words_memory.words);
  irl_mem_free_aligned(allocator, table->planes_memory.words);
  irl_mem_free(allocator, table->set.memory);
  irl_mem_free(allocator, table->own);
  *table = (irl_clause_table){0};
}

int64_t irl_clause_weigh(const irl_clause_model *model, const irl_clause_table *table, int class,
                         const uint64_t *vector, uint64_t count) {
  const uint64_t *plane = irl_clause_planes(model, table, class);
  const size_t n_words = class ? table->control_words : table->case_words;
  int64_t sum = 0;
  assert(count <= (class ? table->n_controls : table->n_cases) && model->n_planes[class] < 63);
  if (!model->n_planes[class]) return model->weight[class] * (int64_t)count;
  for (unsigned b = 0; b < model->n_planes[class]; b++, plane += n_words)
    sum += (int64_t)(model->kernels->and_count(vector, plane, n_words) << b);
  return sum;
}

void irl_clause_set_value(const irl_clause_model *model, const irl_clause_table *table,
                          const uint64_t *cover, irl_clause *clause) {
  const int64_t gain = irl_clause_weigh(model, table, 0, cover, clause->cases);
  const int64_t cost =
      irl_clause_weigh(model, table, 1, cover + table->case_words, clause->controls);
  clause->value = cost > model->problem->max_cost ? IRL_CLAUSE_NO_VALUE : gain - cost;
}

void irl_clause_set_counts(const irl_clause_model *model, const irl_clause_table *table,
                           const uint64_t *cover, irl_clause *clause) {
  clause->cases = (uint32_t)model->kernels->count(cover, table->case_words);
  clause->controls =
      (uint32_t)model->kernels->count(cover + table->case_words, table->control_words);
  irl_clause_set_value(model, table, cover, clause);
}

#ifndef NDEBUG
static bool is_tail_zero(const uint64_t *vector, uint32_t n, size_t n_words) {
  const irl_bits_matrix one = {
      .words = (uint64_t *)vector, .n_vectors = 1, .n_bits = n, .stride = n_words};
  return irl_bits_tails_are_zero(&one);
}

bool irl_clause_table_check(const irl_clause_model *model, const irl_clause_table *table) {
  const irl_literal_set *set = &table->set;
  const irl_kernels *kernels = model->kernels;
  const size_t n_literals = 2 * (size_t)model->problem->data->n_features;
  bool is_sound = table->stride == table->case_words + table->control_words;
  for (uint32_t i = 0; i < set->n && is_sound; i++)
    is_sound = set->id[i] < n_literals && (!i || set->cases[i] >= set->cases[i - 1]);
  for (uint32_t here = 0; here < irl_clause_n_here(table) && is_sound; here++) {
    const uint32_t i = irl_clause_number(table, here);
    const uint64_t *cases = irl_clause_cases(table, here);
    const uint64_t *controls = irl_clause_controls(table, here);
    is_sound = is_tail_zero(cases, table->n_cases, table->case_words) &&
               is_tail_zero(controls, table->n_controls, table->control_words) &&
               kernels->count(cases, table->case_words) == set->cases[i] &&
               kernels->count(controls, table->control_words) == set->controls[i] &&
               irl_clause_weigh(model, table, 0, cases, set->cases[i]) == set->gain[i] &&
               irl_clause_weigh(model, table, 1, controls, set->controls[i]) == set->cost[i];
  }
  return is_sound;
}
#endif
