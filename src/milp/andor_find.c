/* Recognition of AND/OR structure (andor.h) in the rows of a model: rows made simple, roles of the
 * columns, places, bits. Each step may find that there is no such structure. */
#include "milp/andor_find.h"

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
  if (!f.status && !m->is_infeasible && restart(&f)) {
    bool has_roles = irl_andor_find_roles(&f);
    if (!has_roles && restart(&f)) has_roles = a->is_choice = irl_andor_find_choice(&f);
    *is_found = has_roles && irl_andor_find_places(&f) && irl_andor_build(&f) && !f.pace.is_cut;
  }
  irl_arena_free(&f.arena);
  if (!*is_found) irl_andor_free(a);
  return f.status;
}
