/* Selection with weights of merged samples and with multipliers, against going through all choices,
 * on random samples and lists in no order. */
#include "base/random.h"
#include "greatest.h"
#include "problem/clause_set.h"
#include "rule/literal.h"
#include "select/select.h"
#include "support.h"
#include <stdlib.h>

#define PUZZLES   1500u
#define MAX_ROWS  24u
#define MAX_J     7u
#define MAX_LIST  14u
#define MAX_COUNT 4u

static irl_env *env;
static irl_random numbers;
static uint64_t seed = 7;

static uint32_t below(uint32_t n) {
  return (uint32_t)irl_random_below(&numbers, n);
}

/* Rows with a few samples of each class. */
static irl_status draw_data(irl_data **data) {
  static uint8_t cells[MAX_ROWS * 2 * MAX_COUNT * MAX_J], labels[MAX_ROWS * 2 * MAX_COUNT];
  const uint32_t n_rows = 2 + below(MAX_ROWS - 2), j = 2 + below(MAX_J - 1);
  uint32_t n = 0, n_class[2] = {0, 0};
  for (uint32_t r = 0; r < n_rows || !n_class[0] || !n_class[1]; r = (r + 1) % (n_rows + 1)) {
    uint8_t row[MAX_J];
    if (n + 2 * MAX_COUNT > MAX_ROWS * 2 * MAX_COUNT) break;
    for (uint32_t i = 0; i < j; i++) row[i] = below(3) > 0;
    for (int class = 0; class < 2; class ++)
      for (uint32_t count = below(2) ? 1 : below(MAX_COUNT); count; count--, n++) {
        memcpy(cells + (size_t)n * j, row, j);
        labels[n] = (uint8_t) class;
        n_class[class]++;
      }
  }
  return irl_data_from_bytes(env, n, j, cells, labels, NULL, data);
}

static irl_status draw_list(const irl_data *data, irl_clause_set *list) {
  const uint32_t n = 1 + below(MAX_LIST);
  irl_status status = IRL_STATUS_OK;
  uint32_t number;
  bool is_new;
  irl_clause_set_init(list, data, 3);
  for (uint32_t i = 0; i < n && !status; i++) {
    uint32_t literals[3], size = 0;
    for (uint32_t f = 0; f < data->n_features && size < 3; f++)
      if (below(data->n_features) < 2) literals[size++] = irl_literal_make(f, below(4) == 0);
    if (size) status = irl_clause_set_add(env, list, literals, size, &number, &is_new);
  }
  return status;
}

static int64_t weight_of(const irl_merged *merged, int class, uint32_t i) {
  return merged->weights[class] ? merged->weights[class][i] : merged->weight[class];
}

/* The loss of the clauses that the bits of `choice` name. */
static int64_t loss_of(const irl_merged *merged, const irl_clause_set *list, uint32_t choice) {
  int64_t loss = 0;
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *covers = class ? &list->controls : &list->cases;
    const uint32_t n = class ? merged->data->n_controls : merged->data->n_cases;
    for (uint32_t i = 0; i < n; i++) {
      bool is_covered = false;
      for (uint32_t k = 0; k < list->n; k++)
        if (choice >> k & 1 && irl_bits_get(irl_bits_vector(covers, k), i)) is_covered = true;
      if (is_covered == (class == 1)) loss += weight_of(merged, class, i);
    }
  }
  return loss;
}

static int64_t least_of(const irl_merged *merged, const irl_clause_set *list, uint32_t K,
                        uint64_t max_literals) {
  int64_t least = loss_of(merged, list, 0);
  for (uint32_t choice = 1; choice < 1u << list->n; choice++) {
    uint64_t literals = 0;
    for (uint32_t k = 0; k < list->n; k++)
      if (choice >> k & 1) literals += list->sizes[k];
    if ((uint32_t)__builtin_popcount(choice) > K || literals > max_literals) continue;
    const int64_t loss = loss_of(merged, list, choice);
    if (loss < least) least = loss;
  }
  return least;
}

/* With a target just above the least loss, at it, or that of no clause, and with limited work. */
static enum greatest_test_res check_choices(const irl_merged *merged, const irl_clause_set *list) {
  const uint32_t K = 1 + below(4);
  const uint64_t max_literals = below(3) ? UINT64_MAX : 1 + below(8);
  const irl_problem simple = {.data = merged->data,
                              .merged = *merged,
                              .K = K,
                              .M = 3,
                              .max_controls = UINT64_MAX,
                              .max_literals = max_literals,
                              .max_complexity = UINT64_MAX};
  const irl_problem problem = irl_problem_on_merged(&simple);
  const int64_t none = loss_of(merged, list, 0);
  const int64_t least = least_of(merged, list, K, max_literals);
  uint32_t chosen[4];
  for (int round = 0; round < 4; round++) {
    const irl_limit limit = {.env = env, .max_work = round == 3 ? 1 + below(400) : UINT64_MAX};
    const int64_t target = round == 0 || least == none ? least : round == 1 ? least + 1 : none;
    irl_select_task task = irl_select_task_of(&problem, list, below(2) ? 1 : 3);
    irl_select_result result;
    task.to_beat = target;
    task.rules = below(64) & below(64);
    if (below(3)) task.rules |= IRL_SELECT_ALWAYS;
    ASSERT_EQ(IRL_STATUS_OK, irl_select_solve(env, &task, &limit, chosen, &result));
    ASSERT(result.bound <= (least < target ? least : target));
    ASSERT(result.loss >= least);
    if (round < 3) ASSERT_EQ(least < target ? least : target, result.bound);
    if (round < 3 && least < target) ASSERT_EQ(least, result.loss);
    uint32_t choice = 0;
    for (uint32_t i = 0; i < result.n; i++) choice |= 1u << chosen[i];
    ASSERT_EQ(result.loss, loss_of(merged, list, choice));
  }
  PASS();
}

static enum greatest_test_res check_puzzle(void) {
  irl_data *data;
  irl_merged merged;
  irl_clause_set list;
  ASSERT_EQ(IRL_STATUS_OK, draw_data(&data));
  const int64_t w1 = 1 + below(30), w0 = 1 + below(30);
  ASSERT_EQ(IRL_STATUS_OK,
            irl_merged_init(env, &merged, data, (const int64_t[2]){w1, w0}, below(4) > 0, 1));
  ASSERT_EQ(IRL_STATUS_OK, draw_list(merged.data, &list));
  if (list.n) CHECK_CALL(check_choices(&merged, &list));
  irl_clause_set_free(&list);
  irl_merged_free(&merged);
  irl_data_free(data);
  PASS();
}

TEST choices_equal_brute_force(void) {
  printf("seed %llu\n", (unsigned long long)seed);
  for (uint32_t i = 0; i < PUZZLES; i++) {
    irl_random_init(&numbers, seed, i);
    const enum greatest_test_res res = check_puzzle();
    if (res) printf("puzzle %u\n", i);
    if (res) return res;
  }
  PASS();
}

SUITE(select_weighted) {
  RUN_TEST(choices_equal_brute_force);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(select_weighted);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
