/* The reflection of a problem, for rules in conjunctive normal form: a CNF for the cases is the
 * negation of a DNF for the controls over the opposite literals. So the classes are exchanged, and
 * each literal gives way to its opposite: of a table where its coding is learnt (coding.c), of 0/1
 * data by complementing the bits. What limits the classes is exchanged by whoever makes settings.
 *
 * A feature of complemented data stands for the negation of its name; irl_literal_in_words and
 * irl_bound_rule_literal (rule.h) are where literals of data and of rules meet. */
#include "table/raw_table.h"

static void complement(irl_bits_matrix *matrix) {
  for (size_t j = 0; j < matrix->n_vectors; j++) {
    uint64_t *bits = irl_bits_vector(matrix, j);
    for (size_t i = 0; i < matrix->n_bits / 64; i++) bits[i] = ~bits[i];
    if (matrix->n_bits % 64) bits[matrix->n_bits / 64] ^= ((uint64_t)1 << matrix->n_bits % 64) - 1;
  }
}

void irl_data_reflect(irl_data *data) {
  assert(!data->shard && !data->is_reflected);
  irl_data_swap_classes(data);
  data->is_reflected = true;
  if (!irl_data_is_complemented(data)) return;
  complement(&data->cases);
  complement(&data->controls);
  assert(irl_data_check(data));
}

irl_status irl_data_reflected(irl_env *env, const irl_data *data, int threads, irl_data **copy) {
  assert(!data->is_reflected);
  if (data->has_opposites)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option cnf on coded data needs its table (irl_fit_table), or data that was "
                    "coded with this option");
  const irl_status status = irl_data_subset(env, data, NULL, threads, copy);
  if (!status) irl_data_reflect(*copy);
  return status;
}
