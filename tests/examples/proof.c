/* Proves that no rule is better, shows how the certificate begins, and has it checked: all in
 * memory.
 *
 *   cc proof.c $(pkg-config --cflags --libs ireland) -o proof */
#include <ireland_data.h>
#include <stdio.h>
#include <string.h>

/* The checker shares no code with the search: it takes rule, data and text alone. */
static irl_status check(irl_env *env, const irl_fit_result *fit, const irl_data *data,
                        const char *text) {
  const irl_bytes bytes = {text, strlen(text), "the certificate"};
  irl_certificate *certificate = NULL;
  irl_verification found = IRL_SIZED(irl_verification);
  irl_options options;
  irl_options_init(&options, sizeof options);
  irl_status status = irl_certificate_parse(env, &bytes, &certificate);
  if (!status) status = irl_verify(env, irl_fit_rule(fit), data, &options, certificate, &found);
  if (!status)
    printf("%s, %llu nodes\n", found.valid ? "valid" : found.reason,
           (unsigned long long)found.nodes);
  irl_certificate_free(certificate);
  return status;
}

int main(void) {
  irl_env *env = NULL;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  char *rule = NULL, *text = NULL;
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.data.N = 300;
  options.data.J = 40;
  options.data.noise = 0.05;
  options.rule.K = options.rule.M = 2;
  options.search.prove = options.search.certificate = true;
  if (irl_env_create(NULL, &env)) return 1;
  irl_status status = irl_generate(env, &options, &data, NULL);
  if (!status) status = irl_fit(env, data, &options, &fit);
  if (!status) status = irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_TEXT, &rule);
  if (!status) status = irl_fit_certificate(env, fit, &text);
  if (!status && text) {
    printf("%s\n%.*s\n", rule, (int)strcspn(text, "\n"), text);
    status = check(env, fit, data, text);
  }
  if (status) fprintf(stderr, "%s\n", irl_env_error(env));
  irl_text_free(env, text);
  irl_text_free(env, rule);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return status != IRL_STATUS_OK || !text;
}
