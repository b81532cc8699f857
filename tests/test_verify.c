/* Certificates of tiny problems (puzzle.h), by nested search and by list: valid as they are,
 * invalid with a line or a word changed; and whatever the checker accepts, even with its own
 * checksum put right, is true by brute force. Nothing is accepted for a rule that is not the best.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "base/memory.h"
#include "fuzzing.h"
#include "greatest.h"
#include "learn/certificate.c" /* its parts are private */
#include "puzzle.h"
#include "support.h"

#define MAX_LINES 4000u

static irl_env *env;
static uint64_t seed = 5;
static unsigned long long n_accepted, n_rejected, n_given;

typedef struct lines {
  const char *at[MAX_LINES + 1];
  size_t n;
} lines;

/* ---- what is proven ---- */

static irl_status start(irl_learner *learner, const puzzle *p, const irl_data *data) {
  const irl_options *options = &p->options;
  const irl_learn_settings settings = {
      .K = (uint32_t)options->K,
      .M = (uint32_t)options->M,
      .negations = options->negations,
      .case_weight = p->case_weight,
      .control_weight = p->control_weight,
      .max_literals = options->max_literals ? (uint64_t)options->max_literals : UINT64_MAX,
      .is_hamming = options->loss != NULL,
      .min_cases = p->min_cases,
      .max_controls = p->max_controls,
      .max_complexity = UINT64_MAX,
      .unit = 1,
      .prove = true,
      .threads = 1};
  return irl_learner_init(learner, env, data, &settings, options);
}

static irl_status rule_of(const irl_learner *learner, irl_rule **rule) {
  uint32_t sizes[IRL_LEARN_MAX_K];
  irl_literal literals[IRL_LEARN_MAX_K * IRL_CLAUSE_MAX];
  const uint32_t M = learner->settings.M;
  for (uint32_t i = 0; i < learner->best.n; i++) {
    const uint32_t k = learner->best.clauses[i];
    sizes[i] = learner->pool.sizes[k];
    memcpy(literals + i * M, irl_learn_pool_literals(&learner->pool, k), sizes[i] * sizeof *sizes);
  }
  return irl_rule_from_literals(env, learner->data, learner->settings.K, M, learner->best.n, sizes,
                                literals, rule);
}

static void put_certificate(irl_learner *learner, bool is_listed, irl_text *text) {
  uint64_t n = 1;
  irl_text_init(text, env);
  put_head(learner, text);
  put_rule(learner, text);
  if (is_listed)
    put_list(learner, text);
  else if (put_nest(learner, text, &n))
    abort();
  put_end(text, n);
}

/* ---- changing texts ---- */

static void split(const char *bytes, size_t size, lines *l) {
  l->n = 0;
  for (const char *at = bytes; at < bytes + size && l->n < MAX_LINES;) {
    const char *end = memchr(at, '\n', (size_t)(bytes + size - at));
    l->at[l->n++] = at;
    at = end ? end + 1 : bytes + size;
  }
  l->at[l->n] = bytes + size;
}

static void put_line(buffer *b, const lines *l, size_t i) {
  put_bytes(b, l->at[i], (size_t)(l->at[i + 1] - l->at[i]));
}

/* All lines, except that line i is left out, doubled or swapped with the next. */
static void change_line(const lines *l, size_t i, int how, buffer *b) {
  b->length = 0;
  for (size_t k = 0; k < l->n; k++) {
    if (how == 2 && k == i && k + 1 < l->n) put_line(b, l, ++k);
    if (how == 0 && k == i) continue;
    put_line(b, l, how == 2 && k == i + 1 ? i : k);
    if (how == 1 && k == i) put_line(b, l, k);
  }
}

/* All lines with one number or word of line i changed; false: nothing to change there. */
static bool change_word(const lines *l, size_t i, buffer *b) {
  const char *line = l->at[i], *end = l->at[i + 1] - 1;
  size_t words = 1, pick, k = 0;
  for (const char *at = line; at < end; at++) words += *at == ' ';
  pick = below(words);
  const char *word = line;
  for (; k < pick; word++) k += *word == ' ';
  const char *stop = word;
  while (stop < end && *stop != ' ') stop++;
  char text[80];
  const bool is_negated = *word == '!';
  const unsigned long long number = strtoull(word + is_negated, NULL, 10);
  if (word[is_negated] < '0' || word[is_negated] > '9')
    snprintf(text, sizeof text, "%s", below(2) ? "list" : "value");
  else if (is_negated || below(4))
    snprintf(text, sizeof text, "%s%llu", is_negated != (below(6) == 0) ? "!" : "",
             below(2) ? number + 1 + below(2) : number - (number > 0));
  else
    snprintf(text, sizeof text, "%u", below(10));
  b->length = 0;
  put_bytes(b, l->at[0], (size_t)(word - l->at[0]));
  put(b, text);
  put_bytes(b, stop, (size_t)(l->at[l->n] - stop));
  return strlen(text) != (size_t)(stop - word) || memcmp(text, word, strlen(text));
}

/* The end line for what stands before it. */
static void mend(buffer *b) {
  lines l;
  char end[80];
  size_t n = 0, last;
  split(b->bytes, b->length, &l);
  for (last = l.n; last && strncmp(l.at[last - 1], "end ", 4); last--) continue;
  if (!last) return;
  b->length = (size_t)(l.at[last - 1] - b->bytes);
  for (size_t i = 0; i + 1 < last; i++) n += l.at[i][0] >= '0' && l.at[i][0] <= '9';
  snprintf(end, sizeof end, "end %zu %016llx\n", n,
           (unsigned long long)XXH3_64bits(b->bytes, b->length));
  put(b, end);
}

/* ---- checks ---- */

/* What a certificate that was accepted says of itself is true. */
static enum greatest_test_res check_truth(const puzzle *p, const char *bytes) {
  static puzzle other;
  unsigned long long v[6], w[3];
  char loss[16];
  const char *limits = strstr(bytes, "\nlimits ") + 1;
  other = *p;
  ASSERT_EQ(6, sscanf(limits,
                      "limits K %llu M %llu negations %llu literals %llu cases %llu controls %llu",
                      &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]));
  ASSERT_EQ(4, sscanf(strchr(limits, '\n') + 1, "loss %15s case %llu control %llu best %llu", loss,
                      &w[0], &w[1], &w[2]));
  other.options.K = (int64_t)v[0];
  other.options.M = (int64_t)v[1];
  other.options.negations = v[2];
  other.options.max_literals = (int64_t)v[3];
  other.options.loss = strcmp(loss, "hamming") ? NULL : "hamming";
  other.min_cases = v[4];
  other.max_controls = v[5];
  other.case_weight = (int64_t)w[0];
  other.control_weight = (int64_t)w[1];
  if (other.options.loss && p->n_rows > HAMMING_ROWS) PASS();
  solve(&other);
  ASSERT_EQ_FMT((long long)other.best, (long long)w[2], "%lld");
  PASS();
}

static enum greatest_test_res check_changed(const puzzle *p, const irl_rule *rule,
                                            const irl_data *data, buffer *b) {
  irl_verify_result result;
  ASSERT_EQ(IRL_OK, irl_verify_text_run(env, rule, data, b->bytes, b->length, &result));
  if (result.is_valid) printf("%.*s", (int)b->length, b->bytes);
  ASSERT_FALSE(result.is_valid);
  ASSERT(result.line && *result.reason);
  mend(b);
  ASSERT_EQ(IRL_OK, irl_verify_text_run(env, rule, data, b->bytes, b->length, &result));
  if (result.is_valid) CHECK_CALL(check_truth(p, b->bytes));
  result.is_valid ? n_accepted++ : n_rejected++;
  PASS();
}

static enum greatest_test_res check_changes(const puzzle *p, const irl_rule *rule,
                                            const irl_data *data, const irl_text *text) {
  static lines l;
  buffer b = {0};
  split(text->bytes, text->length, &l);
  for (size_t i = 0; i < l.n; i += 1 + (l.n > 60 ? below(l.n / 20) : 0)) {
    for (int how = 0; how < 3; how++) {
      change_line(&l, i, how, &b);
      const bool is_same = b.length == text->length && !memcmp(b.bytes, text->bytes, b.length);
      if (!is_same) CHECK_CALL(check_changed(p, rule, data, &b));
    }
    for (int k = 0; k < 5; k++)
      if (change_word(&l, i, &b)) CHECK_CALL(check_changed(p, rule, data, &b));
  }
  for (size_t i = 0; i < 4; i++) { /* cut short, or a byte changed */
    b.length = 0;
    put_bytes(&b, text->bytes, i < 2 ? below(text->length) : text->length);
    if (i >= 2) b.bytes[below(text->length)] ^= (char)(1 + below(127));
    CHECK_CALL(check_changed(p, rule, data, &b));
  }
  free(b.bytes);
  PASS();
}

/* The rule that is one step worse: without its last clause. No proof of the optimum, and none of
 * those that close at once, makes it the best. */
static enum greatest_test_res check_worse(const puzzle *p, irl_learner *learner,
                                          const irl_text *text) {
  static const char *const proofs[] = {"0 list\n", "0 branch value 0\n", "0 branch cover 0\n"};
  const irl_learn_rule best = learner->best;
  irl_verify_result result;
  irl_rule *rule;
  learner->best.n--;
  ASSERT_EQ(IRL_OK, irl_learner_weigh(learner, &learner->best));
  for (int i = 0; learner->best.loss > best.loss && i < 4; i++) {
    irl_text worse;
    irl_text_init(&worse, env);
    put_head(learner, &worse);
    put_rule(learner, &worse);
    const char *root = strstr(text->bytes, "\n0 ") + 1, *end = strstr(text->bytes, "\nend ") + 1;
    if (i < 3)
      irl_text_puts(&worse, proofs[i]);
    else
      irl_text_add(&worse, root, (size_t)(end - root));
    put_end(&worse, i < 3 ? 1 : strtoull(end + 4, NULL, 10));
    ASSERT_EQ(IRL_OK, rule_of(learner, &rule));
    ASSERT_EQ(IRL_OK,
              irl_verify_text_run(env, rule, learner->data, worse.bytes, worse.length, &result));
    ASSERT_FALSE(result.is_valid);
    irl_rule_free(rule);
    irl_text_drop(&worse);
  }
  (void)p;
  learner->best = best;
  PASS();
}

/* Other data of the same shape: the labels of two samples are exchanged. */
static enum greatest_test_res check_other_data(const puzzle *p, const irl_rule *rule,
                                               const irl_text *text) {
  static puzzle other;
  irl_data *data;
  irl_verify_result result;
  uint32_t a = 0, b = 0;
  other = *p;
  while (a < p->n_cases + p->n_controls && !p->labels[a]) a++;
  while (b < p->n_cases + p->n_controls && p->labels[b]) b++;
  other.labels[a] = 0;
  other.labels[b] = 1;
  ASSERT_EQ(IRL_OK, irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, other.cells,
                                        other.labels, NULL, &data));
  ASSERT_EQ(IRL_OK, irl_verify_text_run(env, rule, data, text->bytes, text->length, &result));
  ASSERT_FALSE(result.is_valid);
  ASSERT_EQ(2, result.line);
  irl_data_free(data);
  PASS();
}

static enum greatest_test_res check_puzzle(const puzzle *p) {
  irl_data *data;
  irl_learner learner;
  irl_rule *rule;
  ASSERT_EQ(IRL_OK, irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, p->cells, p->labels,
                                        NULL, &data));
  ASSERT_EQ(IRL_OK, start(&learner, p, data));
  ASSERT_EQ(IRL_OK, irl_learn(&learner));
  ASSERT_EQ(p->best == INT64_MAX ? IRL_INFEASIBLE : IRL_OPTIMAL, learner.outcome);
  for (int how = 0; how < 3 && p->best < INT64_MAX; how++) {
    irl_text text;
    irl_verify_result result;
    bool is_listed = how == 1; /* everything that may matter */
    irl_mem_free_aligned(&env->allocator, learner.given);
    learner.given = NULL;
    if (how == 2) { /* with cases given away */
      ASSERT_EQ(IRL_OK, irl_learn_prove_again(&learner, &is_listed));
      ASSERT(is_listed);
      n_given += learner.given != NULL;
    }
    put_certificate(&learner, is_listed, &text);
    ASSERT_EQ(IRL_OK, rule_of(&learner, &rule));
    ASSERT_EQ(IRL_OK, irl_verify_text_run(env, rule, data, text.bytes, text.length, &result));
    if (!result.is_valid) printf("%s%zu: %s\n", text.bytes, result.line, result.reason);
    ASSERT(result.is_valid);
    CHECK_CALL(check_changes(p, rule, data, &text));
    CHECK_CALL(check_other_data(p, rule, &text));
    if (learner.best.n) CHECK_CALL(check_worse(p, &learner, &text));
    irl_rule_free(rule);
    irl_text_drop(&text);
  }
  irl_learner_free(&learner);
  irl_data_free(data);
  PASS();
}

TEST only_the_truth_is_accepted(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 500);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    draw(&p);
    p.options.profile = NULL;
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  printf("%llu changed certificates rejected, %llu still proofs of what is true; %llu gave cases\n",
         n_rejected, n_accepted, n_given);
  PASS();
}

/* From the command's side: planted data, files, both ways. */
TEST planted_rules_have_certificates(void) {
  static const char *const sets[][4] = {
      {"200", "40", "3", "2"}, {"300", "60", "2", "3"}, {"150", "30", "4", "2"}};
  make_folder("build/test-verify");
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    irl_data *data;
    irl_fit_result *result;
    irl_verification v;
    char *text;
    irl_options options =
        options_of(env, "N", sets[i][0], "J", sets[i][1], "K", sets[i][2], "M", sets[i][3], "noise",
                   "0.03", "prove", "", "certificate", "build/test-verify/c", NULL);
    ASSERT_EQ(IRL_OK, irl_generate(env, &options, &data, NULL));
    ASSERT_EQ(IRL_OK, irl_fit(env, data, &options, &result));
    ASSERT_EQ(IRL_OK, irl_text_save(env, options.certificate, irl_fit_certificate(result)));
    ASSERT_EQ(IRL_OK, irl_verify(env, irl_fit_rule(result), data, "build/test-verify/c", &v));
    ASSERT(v.valid && v.nodes);
    ASSERT_EQ(IRL_OK, irl_verify_render(env, &v, "c", IRL_FORMAT_JSON, &text));
    ASSERT(strstr(text, "\"status\": \"valid\""));
    irl_text_free(env, text);
    ASSERT_EQ(IRL_BAD_INPUT,
              irl_verify(env, irl_fit_rule(result), data, "build/test-verify/none", &v));
    irl_fit_free(result);
    irl_data_free(data);
  }
  PASS();
}

SUITE(verify) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(only_the_truth_is_accepted);
  RUN_TEST(planted_rules_have_certificates);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(verify);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
