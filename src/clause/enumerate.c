#include "clause/enumerate.h"
#include "base/memory.h"

irl_status irl_clause_enumerator_init(irl_env *env, irl_clause_enumerator *lister,
                                      const irl_clause_model *model) {
  *lister = (irl_clause_enumerator){.model = model};
  if (!irl_clause_worker_init(&lister->worker, model)) return irl_fail_memory(env);
  /* The root's table is the model's: borrowed, never freed here. */
  lister->root.table = model->root;
  const uint64_t least = model->problem->min_cases;
  lister->root.thresholds = (irl_clause_thresholds){
      least < UINT32_MAX ? (uint32_t)least : UINT32_MAX, UINT32_MAX, IRL_CLAUSE_NO_VALUE};
  return IRL_OK;
}

void irl_clause_enumerator_free(irl_clause_enumerator *lister) {
  if (!lister->model) return;
  irl_clause_worker_free(&lister->worker, &lister->model->allocator);
  *lister = (irl_clause_enumerator){0};
}

void irl_clause_scope_free(const irl_clause_enumerator *lister, irl_clause_scope *scope) {
  irl_clause_table_free(&lister->model->allocator, &scope->table);
}

void irl_clause_set_thresholds(irl_clause_worker *worker, const irl_clause_thresholds *thresholds) {
  worker->min_cases = thresholds->min_cases ? thresholds->min_cases : 1;
  worker->budget = thresholds->max_controls;
  worker->need =
      thresholds->min_value > IRL_CLAUSE_ANY_VALUE ? thresholds->min_value : IRL_CLAUSE_ANY_VALUE;
  worker->path.n = 0;
  worker->is_cut = worker->is_out_of_memory = false;
}

/* Counts of the parent's columns on the mask; keeps those that the thresholds let through now and,
 * since all of it only shrinks, in every scope below. */
static bool choose_columns(irl_clause_worker *worker, const irl_clause_table *from,
                           const uint64_t *mask, irl_literal_set *set) {
  const irl_clause_model *model = worker->model;
  if (!irl_literal_set_reserve(&model->allocator, set, from->set.n)) return false;
  set->n = (uint32_t)model->kernels->and_select(mask, from->words, from->stride, from->set.n,
                                                from->case_words, irl_clause_least_cases(worker), 0,
                                                set->id, set->cases);
  model->kernels->and_count_many(mask + from->case_words, from->words + from->case_words,
                                 from->stride, set->id, set->n, from->control_words, set->controls);
  worker->work += (uint64_t)from->set.n * from->case_words + set->n * from->control_words;
  uint32_t kept = 0;
  uint64_t *joint = worker->cover;
  for (uint32_t i = 0; i < set->n; i++) {
    const uint64_t *column = irl_clause_cases(from, set->id[i]);
    if (model->n_case_planes || model->n_control_planes)
      model->kernels->and_into(joint, mask, column, from->stride);
    set->gain[i] = irl_clause_weigh_cases(model, from, joint, set->cases[i]);
    set->cost[i] =
        irl_clause_weigh_controls(model, from, joint + from->case_words, set->controls[i]);
    if (set->gain[i] < worker->need) continue;
    irl_literal_set_put(set, kept++, set, i);
  }
  set->n = kept;
  return true;
}

bool irl_clause_scope_narrow(irl_clause_enumerator *lister, const irl_clause_scope *parent,
                             const uint64_t *mask, const irl_clause_thresholds *thresholds,
                             irl_clause_scope *child) {
  irl_clause_worker *worker = &lister->worker;
  const irl_clause_model *model = lister->model;
  const irl_clause_table *from = &parent->table;
  assert(thresholds->min_cases >= parent->thresholds.min_cases);
  assert(thresholds->min_value >= parent->thresholds.min_value);
  irl_clause_set_thresholds(worker, thresholds);
  const uint32_t n_cases = (uint32_t)model->kernels->count(mask, from->case_words);
  const uint32_t n_controls =
      (uint32_t)model->kernels->count(mask + from->case_words, from->control_words);
  irl_literal_set *set = &worker->frames[0].children[0];
  if (!choose_columns(worker, from, mask, set) ||
      !irl_clause_sort(worker, set, set->cases, &worker->sorted) ||
      !irl_clause_table_narrow(model, from, mask, n_cases, n_controls, &worker->sorted,
                               &child->table))
    return false;
  child->table.cost = irl_clause_weigh_controls(model, from, mask + from->case_words, n_controls);
  child->thresholds = *thresholds;
  irl_clause_drop_dominated(worker, &child->table);
  return !worker->is_out_of_memory;
}

bool irl_clause_enumerate(irl_clause_enumerator *lister, const irl_clause_scope *scope,
                          const irl_clause_thresholds *thresholds, irl_clause_visit visit,
                          void *user) {
  irl_clause_worker *worker = &lister->worker;
  const irl_clause_table *table = &scope->table;
  const uint32_t left = lister->model->max_literals;
  irl_clause_set_thresholds(worker, thresholds);
  worker->visit = visit;
  worker->user = user;
  irl_literal_set *set = &worker->sorted;
  if (!irl_literal_set_reserve(&lister->model->allocator, set, table->set.n)) return false;
  for (uint32_t i = 0; i < table->set.n; i++) {
    irl_literal_set_put(set, i, &table->set, i);
    set->id[i] = i;
  }
  set->n = table->set.n;
  irl_clause_offer_all(worker, table, set, UINT32_MAX);
  if (left > 1) irl_clause_filter(worker, set, table->n_controls, table->cost, left);
  if (left > 1 && set->n > 1 && !worker->is_cut) {
    if (set->n < table->set.n - table->set.n / 4) { /* worth packing */
      if (!irl_clause_table_copy(lister->model, table, set, &worker->frames[0].table)) return false;
      table = &worker->frames[0].table;
    }
    irl_clause_bnb_branch(worker, table, 0, 0, table->set.n, left);
  }
  worker->visit = NULL;
  return !worker->is_out_of_memory;
}

void irl_clause_scope_cover(const irl_clause_enumerator *lister, const irl_clause_scope *scope,
                            const irl_clause *clause, uint64_t *cover) {
  const irl_clause_table *table = &scope->table;
  bool is_first = true;
  for (uint32_t i = 0; i < table->set.n; i++)
    for (uint32_t j = 0; j < clause->n; j++) {
      if (table->set.id[i] != clause->literals[j]) continue;
      if (is_first)
        memcpy(cover, irl_clause_cases(table, i), table->stride * sizeof *cover);
      else
        lister->model->kernels->and_into(cover, cover, irl_clause_cases(table, i), table->stride);
      is_first = false;
    }
}
