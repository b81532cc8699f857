/* Learns a rule from data in memory and says how good it is.
 *
 *   cc minimal.c $(pkg-config --cflags --libs ireland) -o minimal */
#include <ireland.h>
#include <stdio.h>

enum { SAMPLES = 8, FEATURES = 3 };

/* One row per patient: fever, cough, rash. Ill: fever and cough, or a rash. */
static const uint8_t cells[SAMPLES * FEATURES] = {1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
                                                  1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0};
static const uint8_t labels[SAMPLES] = {1, 0, 0, 1, 1, 0, 1, 0};
static const char *const names[FEATURES] = {"fever", "cough", "rash"};

int main(void) {
  irl_env *env = NULL;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  irl_options options;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  char *text = NULL;
  irl_options_init(&options, sizeof options);
  options.rule.K = options.rule.M = 2;
  if (irl_env_create(NULL, &env)) return 1;
  irl_status status = irl_data_from_bytes(env, SAMPLES, FEATURES, cells, labels, names, &data);
  if (!status) status = irl_fit(env, data, &options, &fit);
  if (!status) status = irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_TEXT, &text);
  if (status) {
    fprintf(stderr, "%s\n", irl_env_error(env));
  } else {
    irl_fit_describe(fit, &info);
    printf("%s\n%s: weighted error %g, and no rule has less than %g\n", text,
           irl_outcome_text(info.outcome), info.objective, info.bound);
    irl_text_free(env, text);
  }
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
