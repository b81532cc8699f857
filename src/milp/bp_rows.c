/* Building blocks of the models: named columns and rows. What fails sets the status of the model,
 * and whatever comes after it does nothing. */
#include "base/c_locale.h"
#include "milp/bp.h"

#define NAME_SIZE 160u

/* The samples of one class; equal ones become one with a weight if `merges`. */
static irl_status init_class(irl_bp *bp, irl_bp_class *class, bool merges) {
  const bool is_case = class == &bp->cases;
  const irl_data *data = bp->problem.data;
  const irl_bits_matrix *all = is_case ? &data->cases : &data->controls;
  const uint32_t n = is_case ? data->n_cases : data->n_controls;
  *class = (irl_bp_class){.n = n, .first_t = IRL_BP_NONE, .first_y = IRL_BP_NONE};
  irl_status status = irl_data_check_whole(bp->env, data);
  if (status) return status;
  class->weight = irl_arena_alloc(&bp->arena, n, sizeof *class->weight);
  class->sample = irl_arena_alloc(&bp->arena, n, sizeof *class->sample);
  uint32_t *first = irl_arena_alloc(&bp->arena, 3 * (size_t)n, sizeof *first);
  if (!class->weight || !class->sample || !first) return irl_fail_memory(bp->env);
  const uint64_t *live = is_case ? bp->style.live_cases : NULL;
  assert(!live || !merges);
  uint32_t *group_of = first + n;
  class->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    group_of[i] = IRL_BP_NONE;
    if (live && !irl_bits_get(live, i)) continue;
    group_of[i] = class->n;
    first[class->n++] = i;
  }
  if (merges) {
    irl_equal_rows groups = {.group_of = group_of, .first = first, .size = first + 2 * (size_t)n};
    irl_bits_matrix rows = {0};
    status = irl_bits_transposed(bp->env, all, &rows, 1);
    if (!status) status = irl_equal_rows_find(bp->env, &rows, NULL, &groups);
    irl_bits_matrix_free(&rows);
    if (status) return status;
    class->n = groups.n;
  }
  const int64_t *each = data->weights[!is_case].each;
  for (uint32_t i = 0; i < n; i++)
    if (group_of[i] != IRL_BP_NONE) class->weight[group_of[i]] += each ? each[i] : 1;
  /* Groups come in the order of their first samples. */
  uint32_t at = 0, place = 0;
  for (uint32_t i = 0; i < data->n_samples && at < class->n; i++)
    if (irl_bits_get(data->labels, i) == is_case && place++ == first[at])
      class->sample[at++] = i + 1;
  assert(at == class->n);
  status = irl_bits_matrix_init(bp->env, &class->bits, all->n_vectors, class->n);
  for (uint32_t j = 0; j < all->n_vectors && !status; j++)
    for (uint32_t g = 0; g < class->n; g++)
      if (irl_bits_get(irl_bits_vector(all, j), first[g]))
        irl_bits_set(irl_bits_vector(&class->bits, j), g);
  return status;
}

bool irl_bp_start(irl_bp *bp, irl_env *env, const irl_problem *problem, const irl_bp_style *style) {
  const bool merges = !style->is_plain;
  *bp = (irl_bp){.env = env, .problem = *problem, .style = *style, .first_u = IRL_BP_NONE};
  irl_arena_init(&bp->arena, &env->allocator);
  bp->n_literals = problem->data->n_features * (problem->negations ? 2 : 1);
  bp->status = irl_lp_names_init(env, &bp->named);
  bp->named.name = "ireland";
  if (!bp->status) bp->status = init_class(bp, &bp->cases, merges);
  if (!bp->status) bp->status = init_class(bp, &bp->controls, merges);
  return !bp->status;
}

irl_status irl_bp_finish(irl_bp *bp, const char *objective) {
  const irl_status status = bp->status;
  assert(status || bp->columns.n == 0);
  bp->named.objective = objective;
  irl_array_free(&bp->env->allocator, &bp->columns);
  irl_array_free(&bp->env->allocator, &bp->values);
  if (status) irl_bp_free(bp);
  return status;
}

void irl_bp_add_column(irl_bp *bp, double cost, bool is_integer, uint8_t priority,
                       const char *format, ...) {
  char name[NAME_SIZE];
  va_list arguments;
  if (bp->status) return;
  va_start(arguments, format);
  irl_c_vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  assert(bp->priority.n == irl_lp_n_columns(bp->named.lp));
  if (!irl_array_push(&bp->env->allocator, &bp->priority, priority))
    bp->status = irl_fail_memory(bp->env);
  if (!bp->status) bp->status = irl_lp_name_column(&bp->named, name, strlen(name), is_integer);
  if (!bp->status) bp->status = irl_lp_add_column(bp->named.lp, cost, 0, 1, NULL);
}

void irl_bp_put(irl_bp *bp, uint32_t column, double value) {
  const irl_allocator *a = &bp->env->allocator;
  if (bp->status) return;
  assert(column < irl_lp_n_columns(bp->named.lp) && bp->columns.n == bp->values.n);
  if (!irl_array_push(a, &bp->columns, column) || !irl_array_push(a, &bp->values, value))
    bp->status = irl_fail_memory(bp->env);
}

void irl_bp_end_row(irl_bp *bp, double lower, double upper, const char *format, ...) {
  char name[NAME_SIZE];
  va_list arguments;
  if (bp->status) return;
  va_start(arguments, format);
  irl_c_vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  bp->status = irl_lp_name_row(&bp->named, name, strlen(name));
  if (!bp->status)
    bp->status = irl_lp_add_row(
        bp->named.lp, lower, upper,
        &(irl_lp_terms){(uint32_t)bp->columns.n, bp->columns.items, bp->values.items});
  bp->columns.n = bp->values.n = 0;
}

void irl_bp_literal_name(const irl_bp *bp, uint32_t l, char *name, size_t size) {
  const irl_literal literal = irl_bp_literal(bp, l);
  const uint32_t feature = irl_literal_feature(literal);
  const char *text = irl_names_get(&bp->problem.data->names, feature);
  const size_t length = strlen(text), most = size / 2;
  bool is_clean = length < most;
  size_t used = 0;
  if (irl_literal_is_negated(literal)) used += (size_t)snprintf(name, size, "not_");
  for (size_t i = 0; i < length && i < most; i++) {
    const bool is_good =
        irl_c_is_letter(text[i]) || irl_c_is_digit(text[i]) || text[i] == '_' || text[i] == '.';
    is_clean &= is_good;
    name[used++] = is_good ? text[i] : '_';
  }
  name[used] = '\0';
  /* What was changed might be like another: the feature's number tells them apart. */
  if (!is_clean) snprintf(name + used, size - used, "_j%u", feature + 1);
}
