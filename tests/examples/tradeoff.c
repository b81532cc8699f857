/* The trade-off of sensitivity and specificity of a file: a line and a rule per point, a picture.
 *
 *   tradeoff DATA.csv PICTURE.svg */
#include <ireland.h>
#include <ireland_study.h>
#include <stdio.h>
#include <string.h>

static irl_status print_points(irl_env *env, const irl_curve *curve) {
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < irl_curve_size(curve, IRL_CURVE_TRADEOFF) && !status; i++) {
    irl_curve_point point = IRL_SIZED(irl_curve_point);
    char *text;
    irl_curve_get(curve, IRL_CURVE_TRADEOFF, i, &point);
    status =
        irl_rule_render(env, irl_curve_rule(curve, IRL_CURVE_TRADEOFF, i), IRL_FORMAT_TEXT, &text);
    if (status) break;
    printf("%.3f %.3f %s\n", point.sensitivity, point.specificity, text);
    irl_text_free(env, text);
  }
  return status;
}

static irl_status save_picture(irl_env *env, const irl_curve *curve, const char *path) {
  char *svg;
  irl_status status = irl_curve_export(env, curve, "svg", &svg);
  if (status) return status;
  status = irl_file_write(env, path, svg, strlen(svg));
  irl_text_free(env, svg);
  return status;
}

int main(int n, char **words) {
  irl_env *env = NULL;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  irl_curve *curve = NULL;
  irl_options options;
  irl_options_init(&options, sizeof options);
  if (n != 3 || irl_env_create(NULL, &env)) return 2;
  irl_status status = irl_data_read(env, words[1], &options, &data);
  if (!status) status = irl_fit_for_curve(env, data, &options, &fit);
  if (!status) status = irl_curve_make(env, fit, &options, &curve);
  if (!status) status = print_points(env, curve);
  if (!status) status = save_picture(env, curve, words[2]);
  if (status) fprintf(stderr, "%s\n", irl_env_error(env));
  irl_curve_free(curve);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
