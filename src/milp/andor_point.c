/* From a rule to the point of the model. Literals that change nothing are left out of it: rows that
 * forbid them together, as among cut points of one number, are met then. Clauses go to places where
 * the cases that only some places may cover find theirs: place k of the order gets one that covers
 * a case of the first k + 1 places, unless one before it does. */
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

/* Leaves out literals without which the clause covers the same. */
static void shorten(const irl_andor *a, irl_andor_rule *rule, uint64_t *with, uint64_t *without) {
  const size_t cases = a->cases.start[a->cases.n_segments];
  const size_t controls = a->controls.start[a->controls.n_segments];
  for (uint32_t k = 0; k < rule->n; k++) {
    uint32_t *literals = rule->literals + (size_t)k * a->M, *size = &rule->sizes[k];
    irl_andor_cover(&a->cases, *size, literals, a->cases.all, with);
    irl_andor_cover(&a->controls, *size, literals, a->controls.all, with + cases);
    for (uint32_t i = *size; i-- > 0 && *size > (a->may_be_empty ? 0u : 1u);) {
      const uint32_t last = literals[*size - 1], own = literals[i];
      literals[i] = last;
      irl_andor_cover(&a->cases, *size - 1, literals, a->cases.all, without);
      irl_andor_cover(&a->controls, *size - 1, literals, a->controls.all, without + cases);
      if (memcmp(with, without, (cases + controls) * sizeof *with) == 0) {
        --*size;
      } else {
        literals[i] = own;
        literals[*size - 1] = last;
      }
    }
  }
}

irl_status irl_andor_point(const irl_andor *a, const irl_andor_rule *rule, double *x) {
  irl_arena arena;
  irl_arena_init(&arena, &a->env->allocator);
  const size_t words =
      a->cases.start[a->cases.n_segments] + a->controls.start[a->controls.n_segments];
  irl_andor_rule own = {.n = rule->n};
  assert(rule->n <= a->K);
  uint32_t *places = irl_arena_alloc(&arena, 2 * (size_t)a->K, sizeof *places);
  uint64_t *cover = irl_arena_alloc_aligned(&arena, 2 * words, sizeof *cover);
  own.sizes = irl_arena_alloc(&arena, a->K, sizeof *own.sizes);
  own.literals = irl_arena_alloc(&arena, (size_t)a->K * a->M, sizeof *own.literals);
  const bool has_memory = places && cover && own.sizes && own.literals;
  if (has_memory) {
    memcpy(own.sizes, rule->sizes, rule->n * sizeof *own.sizes);
    memcpy(own.literals, rule->literals, (size_t)rule->n * a->M * sizeof *own.literals);
    if (!a->is_choice) shorten(a, &own, cover, cover + words);
    order_clauses(a, &own, places, places + a->K);
    for (uint32_t j = 0; j < a->model->n_columns; j++) x[j] = value_of(a, &own, places, j);
  }
  irl_arena_free(&arena);
  return has_memory ? IRL_STATUS_OK : irl_fail_memory(a->env);
}
