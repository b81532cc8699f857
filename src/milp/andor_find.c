/* Recognition of AND/OR structure (andor.h) in the rows of a model: rows made simple, roles of the
 * columns, places, bits. Each step may find that there is no such structure. */
#include "milp/andor_find.h"
#include "bits/kernels.h"

void irl_andor_free(irl_andor *a) {
  irl_bits_matrix_free(&a->cases.bits);
  irl_bits_matrix_free(&a->controls.bits);
  irl_arena_free(&a->arena);
  *a = (irl_andor){0};
}

static bool start(irl_andor_finder *f, irl_andor *a, const irl_milp_model *m) {
  const size_t n = m->n_columns;
  *a = (irl_andor){.env = m->env, .model = m};
  *f = (irl_andor_finder){.andor = a, .m = m};
  irl_arena_init(&a->arena, &m->env->allocator);
  irl_arena_init(&f->arena, &m->env->allocator);
  return (a->role = irl_arena_alloc(&a->arena, n, 1)) &&
         (a->place = irl_arena_alloc(&a->arena, n, sizeof *a->place)) &&
         (a->at = irl_arena_alloc(&a->arena, n, sizeof *a->at)) &&
         (a->value = irl_arena_alloc(&a->arena, n, sizeof *a->value)) &&
         (f->lower = irl_arena_alloc(&f->arena, n, sizeof *f->lower)) &&
         (f->upper = irl_arena_alloc(&f->arena, n, sizeof *f->upper)) &&
         (f->kind = irl_arena_alloc(&f->arena, 2 * (size_t)m->n_rows, 1)) &&
         (f->parent = irl_arena_alloc(&f->arena, n, sizeof *f->parent)) &&
         (f->columns = irl_arena_alloc(&f->arena, n, sizeof *f->columns)) &&
         (f->values = irl_arena_alloc(&f->arena, n, sizeof *f->values)) &&
         (f->hash = irl_arena_alloc(&f->arena, n, sizeof *f->hash));
}

/* Begins again, for the other kind of structure. */
static bool restart(irl_andor_finder *f) {
  memset(f->kind, 0, 2 * (size_t)f->m->n_rows);
  for (uint32_t j = 0; j < f->m->n_columns; j++) f->parent[j] = j;
  return irl_andor_simplify(f);
}

irl_status irl_andor_find(irl_andor *a, const irl_milp_model *m, const irl_limit *limit,
                          bool *is_found) {
  irl_andor_finder f;
  *is_found = false;
  if (!start(&f, a, m)) irl_andor_fail_memory(&f);
  f.pace.limit = limit;
  if (!f.status && !m->hides_blocks && !m->is_infeasible && restart(&f)) {
    bool has_roles = irl_andor_find_roles(&f);
    if (!has_roles && restart(&f)) has_roles = a->is_choice = irl_andor_find_choice(&f);
    *is_found = has_roles && irl_andor_find_places(&f) && irl_andor_build(&f) && !f.pace.is_cut;
  }
  irl_arena_free(&f.arena);
  if (!*is_found) irl_andor_free(a);
  return f.status;
}

/* ---- what is counted ---- */

int64_t irl_andor_weigh(const irl_andor_side *side, const int64_t *weights, const uint64_t *v) {
  const irl_kernels *kernels = irl_bits_kernels();
  int64_t sum = 0;
  assert(side->n_segments <= IRL_ANDOR_MAX_SEGMENTS);
  for (uint32_t g = 0; g < side->n_segments; g++)
    if (weights[g])
      sum += weights[g] *
             (int64_t)kernels->count(v + side->start[g], side->start[g + 1] - side->start[g]);
  return sum;
}

void irl_andor_cover(const irl_andor_side *side, uint32_t n, const uint32_t *literals,
                     const uint64_t *from, uint64_t *into) {
  const size_t words = side->start[side->n_segments];
  assert(words <= side->bits.stride);
  memcpy(into, from, words * sizeof *into);
  for (uint32_t i = 0; i < n; i++)
    irl_bits_kernels()->and_into(into, into, irl_bits_vector(&side->bits, literals[i]), words);
}

irl_status irl_andor_losses(const irl_andor *a, const irl_andor_rule *rule, int64_t *losses) {
  irl_arena arena;
  const size_t cases = a->cases.start[a->cases.n_segments];
  const size_t controls = a->controls.start[a->controls.n_segments];
  irl_arena_init(&arena, &a->env->allocator);
  uint64_t *open = irl_arena_alloc_aligned(&arena, cases, sizeof *open);
  uint64_t *paid = irl_arena_alloc_aligned(&arena, controls, sizeof *paid);
  uint64_t *own = irl_arena_alloc_aligned(&arena, cases + controls, sizeof *own);
  irl_status status = open && paid && own ? IRL_STATUS_OK : irl_fail_memory(a->env);
  for (uint32_t i = 0; i < a->n_rows; i++) losses[i] = 0;
  if (!status) memcpy(open, a->cases.all, cases * sizeof *open);
  for (uint32_t k = 0; k < rule->n && !status; k++) {
    const uint32_t *literals = rule->literals + (size_t)k * a->M, size = rule->sizes[k];
    irl_andor_cover(&a->cases, size, literals, a->cases.all, own);
    irl_bits_kernels()->andnot_into(open, open, own, cases);
    irl_andor_cover(&a->controls, size, literals, a->controls.all, own);
    for (uint32_t g = 0; g < a->controls.n_segments; g++) {
      const size_t first = a->controls.start[g], n = a->controls.start[g + 1] - first;
      if (!a->controls.is_private[g]) {
        irl_bits_kernels()->or_into(paid + first, paid + first, own + first, n);
        continue;
      }
      const int64_t count = (int64_t)irl_bits_kernels()->count(own + first, n);
      for (uint32_t i = 0; i < a->n_rows; i++) losses[i] += count * a->rows[i].control_weight[g];
    }
    for (uint32_t i = 0; i < a->n_rows; i++) {
      losses[i] += a->rows[i].clause_cost;
      for (uint32_t l = 0; l < size && a->rows[i].literal_cost; l++)
        losses[i] += a->rows[i].literal_cost[literals[l]];
    }
  }
  for (uint32_t i = 0; i < a->n_rows && !status; i++)
    losses[i] += irl_andor_weigh(&a->cases, a->rows[i].case_weight, open) +
                 irl_andor_weigh(&a->controls, a->rows[i].control_weight, paid);
  irl_arena_free(&arena);
  return status;
}
