/* The clause problem (SP)_u as a MILP in LP format, for other solvers: at most 100 cases, all
 * controls, big-M value M (the tight form). Prints the model.
 * clause_model N J K M exact noise seed budget */
#include "planted.h"

static void print_and(const irl_data *data, const irl_bits_matrix *matrix, uint32_t i) {
  for (uint32_t j = 0; j < data->n_features; j++)
    if (!irl_bits_get(irl_bits_vector(matrix, j), i)) printf(" + s%u\n", j);
}

int main(int argc, char **argv) {
  if (argc < 9) {
    fprintf(stderr, "usage: %s N J K M exact noise seed budget\n", argv[0]);
    return 2;
  }
  irl_env *env;
  if (irl_env_create(NULL, &env)) return 1;
  planted p = planted_of(argv + 1);
  if (planted_make(env, &p)) return 1;
  const uint32_t n_cases = p.data->n_cases < 100 ? p.data->n_cases : 100;
  printf("Maximize\n tp:");
  for (uint32_t i = 0; i < n_cases; i++) printf(" + t%u\n", i);
  printf("Subject To\n");
  for (uint32_t i = 0; i < n_cases; i++) { /* a case counts only if no chosen feature is 0 */
    printf(" a%u: %u t%u", i, p.M, i);
    print_and(p.data, &p.data->cases, i);
    printf(" <= %u\n", p.M);
  }
  for (uint32_t i = 0; i < p.data->n_controls; i++) {
    printf(" b%u: u%u", i, i);
    print_and(p.data, &p.data->controls, i);
    printf(" >= 1\n");
  }
  printf(" size:");
  for (uint32_t j = 0; j < p.J; j++) printf(" + s%u\n", j);
  printf(" <= %u\n budget:", p.M);
  for (uint32_t i = 0; i < p.data->n_controls; i++) printf(" + u%u\n", i);
  printf(" <= %u\nBinary\n", (uint32_t)(atof(argv[8]) * p.data->n_controls));
  for (uint32_t j = 0; j < p.J; j++) printf(" s%u\n", j);
  for (uint32_t i = 0; i < n_cases; i++) printf(" t%u\n", i);
  for (uint32_t i = 0; i < p.data->n_controls; i++) printf(" u%u\n", i);
  printf("End\n");
  irl_data_free(p.data);
  irl_env_free(env);
  return 0;
}
