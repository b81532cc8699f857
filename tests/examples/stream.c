/* Predicts a file of any size in little memory: the class of each row and why, block by block.
 *
 *   stream RULE.json FILE      CSV, TSV or LIBSVM, compressed or not; - is standard input */
#include <ireland_data.h>
#include <stdio.h>

enum { BLOCK = 1000 };

/* Where printing has come to. */
typedef struct printer {
  const irl_rule *rule;
  unsigned long long first; /* number of the block's first row */
} printer;

static void print_literal(const irl_rule *rule, uint32_t clause, uint32_t literal) {
  bool negated;
  const char *feature = irl_rule_literal(rule, clause, literal, &negated);
  printf("%s%s", negated ? "not " : "", feature);
}

static int print_verdict(void *user, const irl_verdict *verdict) {
  const printer *p = user;
  printf("%llu %s", p->first + verdict->sample + 1, verdict->predicted ? "yes" : "no");
  for (uint32_t i = 0; i < verdict->n_fired; i++) {
    printf("%s", i ? ", or " : ": ");
    for (uint32_t k = 0; k < irl_rule_clause_size(p->rule, verdict->fired[i]); k++) {
      printf("%s", k ? " and " : "");
      print_literal(p->rule, verdict->fired[i], k);
    }
  }
  for (uint32_t i = 0; i < verdict->n_missed; i++) {
    printf("%s", i ? ", " : ": misses ");
    print_literal(p->rule, verdict->closest, verdict->missed[i]);
  }
  printf("\n");
  return 0;
}

int main(int n, char **words) {
  irl_env *env = NULL;
  irl_rule *rule = NULL;
  irl_stream *stream = NULL;
  irl_data *block = NULL;
  irl_options options;
  irl_options_init(&options, sizeof options);
  if (n != 3 || irl_env_create(NULL, &env)) return 2;
  irl_status status = irl_rule_read(env, words[1], &rule);
  if (!status) status = irl_stream_open_file(env, words[2], &options, rule, false, &stream);
  printer p = {rule, 0};
  while (!status && !(status = irl_stream_next(env, stream, BLOCK, &block)) && block) {
    status = irl_predict(env, rule, block, print_verdict, &p);
    p.first = irl_stream_n_samples(stream);
    irl_data_free(block);
  }
  if (status) fprintf(stderr, "%s\n", irl_env_error(env));
  irl_stream_free(stream);
  irl_rule_free(rule);
  irl_env_free(env);
  return status != IRL_STATUS_OK;
}
