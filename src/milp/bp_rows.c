/* Building blocks of the models: named columns and rows, and the misses as blocks of bits. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "milp/bp.h"

#define NAME_SIZE 160u

irl_status irl_bp_add_column(irl_bp *bp, double cost, bool is_integer, uint8_t priority,
                             const char *format, ...) {
  char name[NAME_SIZE];
  va_list arguments;
  const uint32_t column = irl_lp_n_columns(bp->named.lp);
  va_start(arguments, format);
  irl_c_vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  if (!irl_mem_reserve(&bp->env->allocator, &bp->priority, &bp->priority_capacity, column,
                       sizeof *bp->priority))
    return irl_fail_memory(bp->env);
  bp->priority[column] = priority;
  const irl_status status = irl_lp_name_column(&bp->named, name, strlen(name), is_integer);
  return status ? status : irl_lp_add_column(bp->named.lp, cost, 0, 1, 0, NULL, NULL, NULL);
}

irl_status irl_bp_add_row(irl_bp *bp, double lower, double upper, uint32_t n,
                          const uint32_t *columns, const double *values, const char *format, ...) {
  char name[NAME_SIZE];
  va_list arguments;
  va_start(arguments, format);
  irl_c_vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  const irl_status status = irl_lp_name_row(&bp->named, name, strlen(name));
  return status ? status : irl_lp_add_row(bp->named.lp, lower, upper, n, columns, values, NULL);
}

irl_status irl_bp_add_misses(irl_bp *bp, const irl_bp_class *class, uint32_t first_row,
                             uint32_t first_s) {
  irl_lp_block block = {.bits = &class->bits,
                        .first_row = first_row,
                        .first_column = first_s,
                        .coefficient = 1,
                        .is_complemented = true};
  assert(first_row + class->n == irl_lp_n_rows(bp->named.lp));
  irl_status status = class->n ? irl_lp_add_block(bp->named.lp, &block) : IRL_OK;
  if (status || !bp->settings.negations || !class->n) return status;
  block.first_column += bp->data->n_features;
  block.is_complemented = false;
  return irl_lp_add_block(bp->named.lp, &block);
}

void irl_bp_literal_name(const irl_bp *bp, uint32_t l, char *name, size_t size) {
  const irl_literal literal = irl_bp_literal(bp, l);
  const uint32_t feature = irl_literal_feature(literal);
  const char *text = irl_names_get(&bp->data->names, feature);
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
