/* From a rule to the point of the model. Clauses go to places where the cases that only some places
 * may cover find theirs: place k of the order gets one that covers a case of the first k + 1
 * places, unless one before it does. */
#include "base/memory.h"
#include "milp/andor.h"

/* Does the clause cover the case at that bit? */
static bool covers(const irl_andor_side *side, const uint32_t *literals, uint32_t size,
                   uint32_t at) {
  for (uint32_t i = 0; i < size; i++)
    if (!irl_bits_get(irl_bits_vector(&side->bits, literals[i]), at)) return false;
  return true;
}

/* Which clause stands at which place: clause_at[place], or IRL_ANDOR_NONE. */
static void order_clauses(const irl_andor *a, const irl_andor_rule *rule, uint32_t *clause_at,
                          uint32_t *order) {
  for (uint32_t k = 0; k < a->K; k++) {
    order[k] = k < rule->n ? k : rule->n && !a->may_be_unused ? 0 : IRL_ANDOR_NONE;
    clause_at[k] = IRL_ANDOR_NONE;
  }
  for (uint32_t place = 0; place + 1 < rule->n; place++)
    for (uint32_t r = 0; r < a->n_restricted; r++) {
      uint32_t i = 0;
      if (a->restricted_places[r] != place + 1) continue;
      while (i < rule->n && !covers(&a->cases, rule->literals + (size_t)order[i] * a->M,
                                    rule->sizes[order[i]], a->restricted_at[r]))
        i++;
      if (i == rule->n || i <= place) continue;
      const uint32_t clause = order[i];
      order[i] = order[place];
      order[place] = clause;
    }
  for (uint32_t k = 0; k < a->K; k++) {
    const uint32_t place = a->order ? a->order[k] : k;
    assert(place < a->K && clause_at[place] == IRL_ANDOR_NONE); /* each place once */
    clause_at[place] = order[k];
  }
}

static double value_of(const irl_andor *a, const irl_andor_rule *rule, const uint32_t *clause_at,
                       uint32_t j) {
  const uint32_t place = a->place[j], at = a->at[j];
  const bool is_case = a->role[j] == IRL_ANDOR_CASE || a->role[j] == IRL_ANDOR_CASE_COVER;
  const irl_andor_side *side = is_case ? &a->cases : &a->controls;
  assert(a->role[j] != IRL_ANDOR_UNKNOWN && j < a->model->n_columns);
  switch ((irl_andor_role)a->role[j]) {
  case IRL_ANDOR_CONSTANT:
    return a->value[j];
  case IRL_ANDOR_USED:
    return clause_at[place] != IRL_ANDOR_NONE;
  case IRL_ANDOR_LITERAL:
    for (uint32_t k = 0; k < rule->n; k++) {
      if (!a->is_choice && clause_at[place] != k) continue;
      for (uint32_t i = 0; i < rule->sizes[k]; i++)
        if (rule->literals[(size_t)k * a->M + i] == at) return 1;
    }
    return 0;
  case IRL_ANDOR_CASE_COVER:
  case IRL_ANDOR_CONTROL_COVER:
    return clause_at[place] != IRL_ANDOR_NONE &&
           covers(side, rule->literals + (size_t)clause_at[place] * a->M,
                  rule->sizes[clause_at[place]], at);
  case IRL_ANDOR_CASE:
  case IRL_ANDOR_CONTROL:
    for (uint32_t k = 0; k < rule->n; k++)
      if (covers(side, rule->literals + (size_t)k * a->M, rule->sizes[k], at)) return 1;
    return 0;
  case IRL_ANDOR_UNKNOWN:
    break;
  }
  return 0;
}

irl_status irl_andor_point(const irl_andor *a, const irl_andor_rule *rule, double *x) {
  uint32_t *places = irl_mem_alloc(&a->env->allocator, 2 * (size_t)a->K, sizeof *places);
  if (!places) return irl_fail_memory(a->env);
  assert(rule->n <= a->K);
  order_clauses(a, rule, places, places + a->K);
  for (uint32_t j = 0; j < a->model->n_columns; j++) x[j] = value_of(a, rule, places, j);
  irl_mem_free(&a->env->allocator, places);
  return IRL_STATUS_OK;
}
