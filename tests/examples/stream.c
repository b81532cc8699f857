/* Predicts a stream of any length in little memory: reads rows of 0 and 1 (blanks or commas between
 * them do not matter) from standard input, prints the class of each.
 *
 *   stream RULE.json NAME... <rows       the names of the columns, in order */
#include <ireland.h>
#include <stdio.h>

enum { BLOCK = 1024, MOST_COLUMNS = 256 };

/* Fills `cells` with the next row; false at the end of the stream. */
static bool read_row(uint8_t *cells, uint32_t n) {
  for (uint32_t j = 0; j < n;) {
    const int c = getchar();
    if (c == EOF) return false;
    if (c == '0' || c == '1') cells[j++] = c == '1';
  }
  return true;
}

static irl_status predict_block(irl_env *env, const irl_rule *rule, uint32_t n_rows,
                                uint32_t n_columns, const uint8_t *cells,
                                const char *const *names) {
  static uint8_t predicted[BLOCK];
  irl_data *data = NULL;
  irl_status status = irl_data_from_bytes(env, n_rows, n_columns, cells, NULL, names, &data);
  if (!status) status = irl_predict_bytes(env, rule, data, predicted, NULL);
  for (uint32_t i = 0; !status && i < n_rows; i++) printf("%d\n", predicted[i]);
  irl_data_free(data);
  return status;
}

int main(int n, char **words) {
  static uint8_t cells[BLOCK * MOST_COLUMNS];
  const uint32_t n_columns = n > 2 ? (uint32_t)n - 2 : 0;
  irl_env *env = NULL;
  irl_rule *rule = NULL;
  if (!n_columns || n_columns > MOST_COLUMNS || irl_env_create(NULL, &env)) return 2;
  irl_status status = irl_rule_read(env, words[1], &rule);
  for (bool is_end = false; !status && !is_end;) {
    uint32_t n_rows = 0;
    while (n_rows < BLOCK && !is_end) {
      is_end = !read_row(cells + (size_t)n_rows * n_columns, n_columns);
      n_rows += !is_end;
    }
    if (n_rows)
      status = predict_block(env, rule, n_rows, n_columns, cells, (const char *const *)(words + 2));
  }
  if (status) fprintf(stderr, "%s\n", irl_env_error(env));
  irl_rule_free(rule);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
