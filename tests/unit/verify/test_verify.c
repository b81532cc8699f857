/* Certificates of tiny problems (puzzle.h), by nested search and by list: valid as they are,
 * invalid with a line or a word changed; and whatever the checker accepts, even with its own
 * checksum put right, is true by brute force. Nothing is accepted for a rule that is not the best.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "base/memory.h"
#include "files.h"
#include "fuzzing.h"
#include "greatest.h"
#include "ireland_data.h"
#include "learn/learn.h"
#include "prove/certificate.c" /* their parts are private */
#include "prove/evidence.c"
#include "puzzle.h"
#include "search_limit.h"
#include "support.h"
#include "validate/hold_out.h"
#include "verify/verify_parts.h"

#define MAX_LINES 4000u

static irl_env *env;
static uint64_t seed = 5;
static unsigned long long n_accepted, n_rejected, n_given, n_charged, n_recorded, n_by_size;
static int64_t penalty; /* of the puzzle at hand */

typedef struct lines {
  const char *at[MAX_LINES + 1];
  size_t n;
} lines;

/* ---- what is proven ---- */

static irl_status start(irl_learner *learner, puzzle *p, const irl_data *data) {
  irl_problem problem;
  irl_learn_settings settings;
  irl_status status = irl_fit_settings(env, data, &p->options, &problem, &settings);
  if (status) return status;
  p->case_weight = problem.case_weight;
  p->control_weight = problem.control_weight;
  penalty = problem.penalty;
  if (penalty) solve_charged(p, penalty);
  settings.search.prove = IRL_SEARCH_CERTIFY;
  status = irl_learner_init(learner, env, &problem, &settings, LIMIT_OF(env, &p->options));
  return status ? status
                : irl_scope_make(env, data, &p->options, (irl_scope **)&learner->problem.scope);
}

static irl_status rule_of(const irl_learner *learner, irl_rule **rule) {
  uint32_t sizes[IRL_MAX_K];
  irl_literal literals[IRL_MAX_K * IRL_CLAUSE_MAX];
  const uint32_t M = learner->problem.M;
  for (uint32_t i = 0; i < learner->search.best.n; i++) {
    const uint32_t k = learner->search.best.clauses[i];
    sizes[i] = learner->search.pool.sizes[k];
    memcpy(literals + i * M, irl_clause_set_literals(&learner->search.pool, k),
           sizes[i] * sizeof *sizes);
  }
  const irl_clause_list list = {learner->problem.K, M, learner->search.best.n, sizes, literals};
  return irl_rule_from_literals(env, learner->data, &list, rule);
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

/* The line of what the features ask. */
static void put_features(buffer *b, const irl_data *data) {
  char *features = NULL;
  if (irl_rule_format_features(env, data, &features)) return;
  put(b, "features ");
  put(b, features);
  irl_text_free(env, features);
}

/* ---- checks ---- */

/* What a certificate that was accepted says of itself is true. */
static enum greatest_test_res check_truth(const puzzle *p, const char *bytes) {
  static puzzle other;
  unsigned long long v[6], w[4];
  char loss[16];
  const char *limits = strstr(bytes, "\nlimits ") + 1;
  other = *p;
  ASSERT_EQ(6, sscanf(limits,
                      "limits K %llu M %llu negations %llu literals %llu cases %llu controls %llu",
                      &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]));
  ASSERT_EQ(5, sscanf(strchr(limits, '\n') + 1,
                      "loss %15s case %llu control %llu penalty %llu best %llu", loss, &w[0], &w[1],
                      &w[2], &w[3]));
  other.options.rule.K = (int64_t)v[0];
  other.options.rule.M = (int64_t)v[1];
  other.options.rule.negations = v[2];
  other.options.rule.max_literals = (int64_t)v[3];
  other.options.rule.loss = strcmp(loss, "hamming") ? IRL_LOSS_DEFAULT : IRL_LOSS_HAMMING;
  other.min_cases = v[4];
  other.max_controls = v[5];
  other.case_weight = (int64_t)w[0];
  other.control_weight = (int64_t)w[1];
  if (other.options.rule.loss && p->n_rows > HAMMING_ROWS) PASS();
  if (penalty)
    solve_charged(&other, penalty);
  else
    solve(&other);
  ASSERT_EQ_FMT((long long)penalty, (long long)w[2], "%lld");
  ASSERT_EQ_FMT((long long)other.best, (long long)w[3], "%lld");
  PASS();
}

/* Without limits. */
static irl_status check_text(const irl_rule *rule, const irl_data *data, const char *bytes,
                             size_t size, irl_verify_result *result) {
  irl_verify_job job = {.rule = rule, .data = data, .bytes = bytes, .size = size};
  job.limit = (irl_limit){.env = env, .max_work = UINT64_MAX};
  return irl_verify_run(env, &job, result);
}

static enum greatest_test_res check_changed(const puzzle *p, const irl_rule *rule,
                                            const irl_data *data, buffer *b) {
  irl_verify_result result;
  ASSERT_EQ(IRL_STATUS_OK, check_text(rule, data, b->bytes, b->length, &result));
  if (result.is_valid) printf("%.*s", (int)b->length, b->bytes);
  ASSERT_FALSE(result.is_valid);
  ASSERT(result.line && *result.reason);
  mend(b);
  ASSERT_EQ(IRL_STATUS_OK, check_text(rule, data, b->bytes, b->length, &result));
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
  static const char *const proofs[] = {"0 list\n", "0 branch value 0\n", "0 branch cover 0\n",
                                       "0 branch size 1 0\n"};
  const irl_search_rule best = learner->search.best;
  irl_verify_result result;
  irl_rule *rule;
  learner->search.best.n--;
  irl_search_weigh(&learner->search, &learner->search.best);
  for (int i = 0; learner->search.best.loss > best.loss && i < 5; i++) {
    irl_text worse;
    irl_text_init(&worse, env);
    ASSERT_EQ(IRL_STATUS_OK, put_head(&learner->search, &worse));
    const char *root = strstr(text->bytes, "\n0 ") + 1, *end = strstr(text->bytes, "\nend ") + 1;
    if (i < 4)
      irl_text_puts(&worse, proofs[i]);
    else
      irl_text_add(&worse, root, (size_t)(end - root));
    irl_certificate_put_end(&worse, 0, i < 4 ? 1 : strtoull(end + 4, NULL, 10));
    ASSERT_EQ(IRL_STATUS_OK, rule_of(learner, &rule));
    ASSERT_EQ(IRL_STATUS_OK, check_text(rule, learner->data, worse.bytes, worse.length, &result));
    ASSERT_FALSE(result.is_valid);
    irl_rule_free(rule);
    irl_text_drop(&worse);
  }
  (void)p;
  learner->search.best = best;
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
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, other.cells,
                                               other.labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, check_text(rule, data, text->bytes, text->length, &result));
  ASSERT_FALSE(result.is_valid);
  ASSERT_EQ(3, result.line);
  irl_data_free(data);
  PASS();
}

/* Nodes that branch on all clauses of at most one, two or three literals, or of none. */
static enum greatest_test_res search_by_size(irl_learner *learner, irl_proof_evidence *evidence) {
  irl_text nodes;
  irl_text_init(&nodes, env);
  irl_rule_bnb_task task = {.cap = SIZE_MAX / 2,
                            .target = irl_search_target(&learner->search),
                            .has_no_bound = true,
                            .least_small = below(4),
                            .nodes = &nodes};
  const irl_limit left = irl_search_sublimit(&learner->search, UINT64_MAX);
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_bnb_solve(&learner->search, &left, &task));
  ASSERT(!task.ending && task.n_nodes && task.target == irl_search_target(&learner->search));
  n_by_size += strstr(nodes.bytes, "branch size") != NULL;
  *evidence = (irl_proof_evidence){IRL_PROOF_BY_RULE_BNB, .target = task.target};
  evidence->n_nodes = task.n_nodes;
  ASSERT_EQ(IRL_STATUS_OK, irl_text_take(&nodes, &evidence->nodes));
  PASS();
}

/* Evidence of every kind: of the proof, nodes, everything that may matter, with multipliers. */
static enum greatest_test_res find_evidence(irl_learner *learner, int how,
                                            irl_proof_evidence *evidence) {
  const int64_t target = irl_search_target(&learner->search);
  *evidence = (irl_proof_evidence){.target = -1};
  if (!how && irl_prove_has_evidence(&learner->search)) {
    n_recorded++;
    PASS();
  }
  if (how == 1) return search_by_size(learner, evidence);
  if (!how) {
    ASSERT_EQ(IRL_STATUS_OK, search_nodes(&learner->search, evidence));
    irl_proof_close(&learner->search.proof, learner->search.best.loss, evidence, &env->allocator);
  } else if (how == 2) {
    *evidence = (irl_proof_evidence){.way = IRL_PROOF_BY_ENUMERATION, .target = target};
  } else {
    ASSERT_EQ(IRL_STATUS_OK, search_multipliers(&learner->search, SIZE_MAX, UINT64_MAX, evidence));
    ASSERT_EQ(target, evidence->target);
  }
  PASS();
}

static enum greatest_test_res check_puzzle(puzzle *p) {
  irl_data *data;
  irl_learner learner;
  irl_rule *rule;
  ASSERT_EQ(IRL_STATUS_OK, irl_data_from_bytes(env, p->n_cases + p->n_controls, p->j, p->cells,
                                               p->labels, NULL, &data));
  ASSERT_EQ(IRL_STATUS_OK, start(&learner, p, data));
  n_charged += penalty > 0;
  ASSERT_EQ(IRL_STATUS_OK, irl_learn(&learner));
  ASSERT_EQ(p->best == INT64_MAX ? IRL_OUTCOME_INFEASIBLE : IRL_OUTCOME_OPTIMAL, learner.outcome);
  for (int how = 0; how < 4 && p->best < INT64_MAX; how++) {
    irl_text text;
    irl_verify_result result;
    irl_proof_evidence evidence;
    CHECK_CALL(find_evidence(&learner, how, &evidence));
    if (how)
      irl_proof_close(&learner.search.proof, learner.search.best.loss, &evidence, &env->allocator);
    n_given += learner.search.proof.evidence.relaxed != NULL;
    ASSERT(irl_proof_check(&learner.search.proof, learner.search.best.loss));
    irl_text_init(&text, env);
    ASSERT_EQ(IRL_STATUS_OK, put_certificate(&learner.search, &text));
    ASSERT_EQ(IRL_STATUS_OK, rule_of(&learner, &rule));
    ASSERT_EQ(IRL_STATUS_OK, check_text(rule, data, text.bytes, text.length, &result));
    if (!result.is_valid) printf("%s%zu: %s\n", text.bytes, result.line, result.reason);
    ASSERT(result.is_valid);
    CHECK_CALL(check_changes(p, rule, data, &text));
    CHECK_CALL(check_other_data(p, rule, &text));
    if (learner.search.best.n) CHECK_CALL(check_worse(p, &learner, &text));
    irl_rule_free(rule);
    irl_text_drop(&text);
  }
  irl_scope_free((irl_scope *)learner.problem.scope);
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
    p.options.search.profile = IRL_PROFILE_DEFAULT;
    if (below(2)) p.options.rule.max_literals = 1 + below(7);
    solve(&p);
    if (p.n_rows <= HAMMING_ROWS && below(3) == 0)
      p.options.rule.penalty = (1 + below(60)) / 1000.0;
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  printf("%llu changed certificates rejected, %llu still proofs of what is true; %llu had "
         "multipliers, "
         "%llu a penalty, %llu the nodes that the proof recorded, %llu nodes by size\n",
         n_rejected, n_accepted, n_given, n_charged, n_recorded, n_by_size);
  ASSERT(n_by_size || n < 100);
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
    irl_verification v = IRL_SIZED(irl_verification);
    irl_options options =
        options_of(env, "N", sets[i][0], "J", sets[i][1], "K", sets[i][2], "M", sets[i][3], "noise",
                   "0.03", "prove", "", "certificate", "1", NULL);
    ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &options, &result));
    ASSERT_EQ(IRL_STATUS_OK, save_certificate(env, result, "build/test-verify/c"));
    ASSERT_EQ(IRL_STATUS_OK,
              verify_file(env, irl_fit_rule(result), data, "build/test-verify/c", &v));
    ASSERT(v.valid && v.nodes);
    ASSERT_EQ(IRL_STATUS_BAD_INPUT,
              verify_file(env, irl_fit_rule(result), data, "build/test-verify/none", &v));
    irl_fit_free(result);
    irl_data_free(data);
  }
  PASS();
}

/* ---- scopes ---- */

#define TABLE       "build/test-verify/t.csv"
#define CERTIFICATE "build/test-verify/t.certificate"

/* Numbers, a category, 0/1 columns, missing values and weights. */
static void save_table(void) {
  buffer b = {0};
  char line[80];
  irl_random_init(&numbers, 11, 0);
  put(&b, "age,colour,x,z,w,y\n");
  for (int i = 0; i < 60; i++) {
    const unsigned age = 20 + below(50), x = below(2), colour = below(3);
    const unsigned y = (age > 45 && x) || colour == 2 ? below(8) > 0 : below(8) == 0;
    snprintf(line, sizeof line, "%u,%s,%s,%u,%u,%u\n", age,
             (const char *[]){"red", "blue", "green"}[colour], below(9) ? (x ? "1" : "0") : "",
             below(2), 1 + below(3), y);
    put(&b, line);
  }
  make_folder("build/test-verify");
  save_text(TABLE, b.bytes);
  free(b.bytes);
}

/* The certificate of a file for a rule, all data options taken from it but for those of reading. */
static enum greatest_test_res verify_table(const irl_rule *rule, const char *type,
                                           irl_verification *v) {
  irl_certificate *certificate;
  irl_table *raw;
  irl_options options;
  irl_options_init(&options, sizeof options);
  irl_certificate_clear_options(&options);
  options.data.type = type;
  ASSERT_EQ(IRL_STATUS_OK, irl_certificate_read(env, CERTIFICATE, &certificate));
  ASSERT_EQ(IRL_STATUS_OK, irl_certificate_options(env, certificate, &options));
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_table_read(env, TABLE, &options, &raw), "%d");
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK,
                 irl_verify_table(env, rule, raw, &options, certificate, v), "%d");
  irl_table_free(raw);
  irl_certificate_free(certificate);
  PASS();
}

/* The texts of a proven rule and its certificate; NULL: no rule is within the limits. */
static enum greatest_test_res prove(const irl_options *options, char **rule, char **certificate) {
  irl_table *raw;
  irl_fit_result *fit;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_table_read(env, TABLE, options, &raw), "%d");
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK, irl_fit_table(env, raw, options, &fit), "%d");
  irl_fit_describe(fit, &info);
  *rule = NULL;
  *certificate = certificate_of(env, fit);
  ASSERT_EQ(info.outcome == IRL_OUTCOME_OPTIMAL, *certificate != NULL);
  ASSERT(info.outcome == IRL_OUTCOME_OPTIMAL || info.outcome == IRL_OUTCOME_INFEASIBLE);
  if (info.outcome == IRL_OUTCOME_OPTIMAL) {
    char *text;
    ASSERT_EQ(IRL_STATUS_OK, irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &text));
    *rule = strdup(text);
    irl_text_free(env, text);
  }
  irl_fit_free(fit);
  irl_table_free(raw);
  PASS();
}

static enum greatest_test_res check_texts(const char *rule_text, const char *certificate,
                                          const char *type, irl_verification *v) {
  irl_rule *rule;
  save_text(CERTIFICATE, certificate);
  ASSERT_EQ_FMTm(error_of(env), IRL_STATUS_OK,
                 irl_rule_parse_json(env, rule_text, strlen(rule_text), &rule), "%d");
  CHECK_CALL(verify_table(rule, type, v));
  irl_rule_free(rule);
  PASS();
}

/* Whatever fit --prove accepts has a certificate that says by itself how its data are made. */
TEST every_mix_has_a_certificate(void) {
  static const char *const texts[][2] = {
      {"cuts", "all"},        {"cuts", "quantile:2"},     {"weights", "unit"},
      {"weight_column", "w"}, {"loss", "hamming"},        {"missing", "drop"},
      {"missing", "impute"},  {"forbid", "age >"},        {"only", "age,x,colour"},
      {"ignore", "z"},        {"type", "x=category"},     {"penalty", "0.013"},
      {"test", "0.25"},       {"min_sensitivity", "0.7"}, {"min_specificity", "0.6"},
      {"max_literals", "3"},  {"negations", ""},          {"cnf", ""}};
  const size_t n = sizeof texts / sizeof *texts;
  unsigned n_checked = 0;
  save_table();
  for (unsigned i = 0; i < 60; i++) {
    irl_options options =
        options_of(env, "M", "2", "prove", "", "certificate", "1", "threads", "1", NULL);
    char *rule, *certificate;
    irl_verification v = IRL_SIZED(irl_verification);
    irl_random_init(&numbers, 12, i);
    options.rule.K = 1 + below(2);
    options.search.seed = below(100);
    options.data.ignore = "w";
    for (size_t k = 0; k < n; k++)
      if ((i < n ? k == i : below(4) == 0) &&
          !(options.data.only && !strcmp(texts[k][0], "ignore")) &&
          !(options.data.type && !strcmp(texts[k][0], "ignore")) &&
          irl_options_set(env, &options, texts[k][0], texts[k][1]))
        abort();
    if (options.data.only) options.data.ignore = NULL;
    if (options.data.weight_column) options.data.ignore = NULL;
    CHECK_CALL(prove(&options, &rule, &certificate));
    if (!rule) continue;
    n_checked++;
    CHECK_CALL(check_texts(rule, certificate, options.data.type, &v));
    if (!v.valid) printf("mix %u: %s\n%s", i, v.reason, certificate);
    ASSERT(v.valid);
    free(rule);
    free(certificate);
  }
  ASSERT(n_checked > 40);
  PASS();
}

/* The text with the member `key` of the first scope in it changed. */
static char *edit_scope(const char *text, const char *key, const char *value) {
  buffer b = {0};
  const char *scope = strstr(text, "\"checksum\"") ? strstr(text, "scope") : NULL;
  char quoted[40];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = scope ? strstr(scope, quoted) : NULL;
  if (!at) abort();
  at += strlen(quoted);
  put_bytes(&b, text, (size_t)(at - text));
  put(&b, value);
  put(&b, at + strcspn(at, ",}\n"));
  return b.bytes;
}

/* The end line of a certificate for what stands before it. */
static char *mend_text(char *text) {
  buffer b = {0};
  put(&b, text);
  mend(&b);
  free(text);
  return b.bytes;
}

/* A scope that was edited is refused, in the certificate alone, and in the rule as well where the
 * proof or the data tell. */
TEST edited_scopes_are_refused(void) {
  static const char *const edits[][2] = {{"K", "1"},
                                         {"K", "3"},
                                         {"M", "1"},
                                         {"max_literals", "2"},
                                         {"complexity", "9"},
                                         {"min_sensitivity", "0.9"},
                                         {"budget", "3"},
                                         {"min_specificity", "0.9"},
                                         {"plain", "true"},
                                         {"pool", "true"},
                                         {"loss", "\"hamming\""},
                                         {"weights", "\"unit\""},
                                         {"penalty", "0.02"},
                                         {"weight_column", "\"w\""},
                                         {"rounded_to", "0.5"},
                                         {"literals", "3"},
                                         {"form", "\"cnf\""},
                                         {"negations", "true"},
                                         {"cuts", "\"all\""},
                                         {"forbid", "\"age >\""},
                                         {"only", "\"age\""},
                                         {"ignore", "\"age\""},
                                         {"missing", "\"drop\""},
                                         {"samples", "59"},
                                         {"test", "0.2"},
                                         {"checksum", "\"0123456789abcdef\""},
                                         {"positive", "\"0\""}};
  const irl_options options = options_of(env, "K", "2", "M", "2", "prove", "", "certificate", "1",
                                         "threads", "1", "ignore", "w", NULL);
  char *rule, *certificate;
  irl_verification v = IRL_SIZED(irl_verification);
  save_table();
  CHECK_CALL(prove(&options, &rule, &certificate));
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
    for (int with_rule = 0; with_rule < 2; with_rule++) {
      char *text = mend_text(edit_scope(certificate, edits[i][0], edits[i][1]));
      char *own = with_rule ? edit_scope(rule, edits[i][0], edits[i][1]) : strdup(rule);
      const bool is_class = !strcmp(edits[i][0], "positive"); /* the rule is for the other one */
      if (!is_class || !with_rule) CHECK_CALL(check_texts(own, text, NULL, &v));
      if (v.valid) printf("%s %s%s\n", edits[i][0], edits[i][1], with_rule ? ", both" : "");
      ASSERT_FALSE(v.valid);
      ASSERT(*v.reason);
      free(text);
      free(own);
    }
  free(rule);
  free(certificate);
  PASS();
}

/* Rules of column generation: their certificates are valid, and one for a smaller complexity does
 * not show what a larger one allows. */
TEST column_generation_has_certificates(void) {
  unsigned n_forged = 0;
  save_table();
  for (unsigned i = 0; i < 24; i++) {
    irl_options options = options_of(env, "K", "3", "M", "2", "prove", "", "certificate", "1",
                                     "threads", "1", "ignore", "w", "method", "brcg", NULL);
    char *rule[2], *certificate[2], larger[16], best[2][24];
    irl_verification v = IRL_SIZED(irl_verification);
    irl_random_init(&numbers, 13, i);
    options.rule.weights = below(2) ? IRL_WEIGHTS_UNIT : IRL_WEIGHTS_BALANCED;
    options.rule.max_literals = below(4) ? 0 : 1 + below(4);
    options.rule.complexity = 2 + below(4);
    for (int k = 0; k < 2; k++, options.rule.complexity += 2) {
      CHECK_CALL(prove(&options, &rule[k], &certificate[k]));
      CHECK_CALL(check_texts(rule[k], certificate[k], NULL, &v));
      ASSERT(v.valid);
      const char *at = strstr(certificate[k], " best ");
      snprintf(best[k], sizeof best[k], "%.*s", (int)strcspn(at + 6, "\n"), at + 6);
    }
    if (strcmp(best[0], best[1])) {
      snprintf(larger, sizeof larger, "%d", (int)options.rule.complexity - 2);
      char *text = mend_text(edit_scope(certificate[0], "complexity", larger));
      char *own = edit_scope(rule[0], "complexity", larger);
      CHECK_CALL(check_texts(own, text, NULL, &v));
      ASSERT_FALSE(v.valid);
      n_forged++;
      free(text);
      free(own);
    }
    for (int k = 0; k < 2; k++) {
      free(rule[k]);
      free(certificate[k]);
    }
  }
  ASSERT(n_forged > 5);
  PASS();
}

/* W6: the literals of a rule are those of the proof by what they ask, not by their names. */
TEST literals_are_what_they_ask(void) {
  const irl_options options = options_of(env, "K", "1", "M", "1", "only", "age", "prove", "",
                                         "certificate", "1", "threads", "1", NULL);
  char *rule, *certificate;
  irl_verification v = IRL_SIZED(irl_verification);
  save_table();
  CHECK_CALL(prove(&options, &rule, &certificate));
  CHECK_CALL(check_texts(rule, certificate, NULL, &v));
  ASSERT(v.valid);
  const char *is = strstr(rule, "\">\"");
  ASSERT(is);
  buffer b = {0};
  for (const char *at = rule; *at; at++)
    if (at == is + 1)
      put(&b, "<=");
    else
      put_bytes(&b, at, 1);
  CHECK_CALL(check_texts(b.bytes, certificate, NULL, &v));
  ASSERT_FALSE(v.valid);
  ASSERT(strstr(v.reason, "asks something else"));
  free(b.bytes);
  free(rule);
  free(certificate);
  PASS();
}

/* Options that are given are compared with the scope. */
TEST given_options_are_compared(void) {
  const irl_options options = options_of(env, "K", "2", "M", "1", "prove", "", "certificate", "1",
                                         "threads", "1", "ignore", "w", NULL);
  static const char *const same[][2] = {{"K", "2"}, {"M", "1"}, {"cuts", "mdl:3"}, {"ignore", "w"}};
  static const char *const other[][2] = {{"K", "3"},    {"cuts", "all"},    {"negations", ""},
                                         {"cnf", ""},   {"penalty", "0.1"}, {"weights", "unit"},
                                         {"only", "x"}, {"positive", "0"},  {"loss", "hamming"}};
  char *rule, *text;
  irl_certificate *certificate;
  save_table();
  CHECK_CALL(prove(&options, &rule, &text));
  save_text(CERTIFICATE, text);
  ASSERT_EQ(IRL_STATUS_OK, irl_certificate_read(env, CERTIFICATE, &certificate));
  for (size_t i = 0; i < sizeof same / sizeof *same + sizeof other / sizeof *other; i++) {
    const bool is_same = i < sizeof same / sizeof *same;
    const char *const *pair = is_same ? same[i] : other[i - sizeof same / sizeof *same];
    irl_options relaxed;
    irl_options_init(&relaxed, sizeof relaxed);
    irl_certificate_clear_options(&relaxed);
    ASSERT_EQ(IRL_STATUS_OK, irl_options_set(env, &relaxed, pair[0], pair[1]));
    ASSERT_EQm(pair[0], is_same ? IRL_STATUS_OK : IRL_STATUS_BAD_ARGUMENT,
               irl_certificate_options(env, certificate, &relaxed));
    ASSERTm(error_of(env), is_same || strstr(irl_env_error(env), pair[0]));
  }
  irl_certificate_free(certificate);
  free(rule);
  free(text);
  PASS();
}

/* C6: a certificate of a few lines may ask for any number of clauses. */
TEST checking_obeys_limits(void) {
  irl_data *data;
  irl_rule *rule;
  irl_scope *scope;
  irl_verify_result result;
  char *json;
  irl_json writer;
  const char *rule_text = "{\"K\": 12, \"M\": 12, \"clauses\": [[\"f1\"]]}";
  irl_options options = options_of(env, "N", "300", "J", "200", "K", "12", "M", "12", "negations",
                                   "", "weights", "unit", NULL);
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(env, &options, &data, NULL));
  ASSERT_EQ(IRL_STATUS_OK, irl_rule_parse_json(env, rule_text, strlen(rule_text), &rule));
  ASSERT_EQ(IRL_STATUS_OK, irl_scope_make(env, data, &options, &scope));
  irl_json_init(&writer, env);
  irl_scope_put(&writer, NULL, true, scope);
  ASSERT_EQ(IRL_STATUS_OK, irl_json_take(&writer, &json));
  irl_evaluation e = IRL_SIZED(irl_evaluation);
  ASSERT_EQ(IRL_STATUS_OK, irl_evaluate(env, rule, data, &e));
  buffer b = {0};
  char head[400];
  put(&b, "ireland certificate 3\nscope ");
  put(&b, json);
  snprintf(head, sizeof head, "data %016llx samples 300 cases %u controls %u features 200\n",
           (unsigned long long)checksum_of(data), data->n_cases, data->n_controls);
  put(&b, head);
  put_features(&b, data);
  snprintf(head, sizeof head,
           "limits K 12 M 12 negations 1 literals 0 cases 0 controls %u\nloss weighted case 1 "
           "control 1 penalty 0 "
           "best %llu\nsamples plain\nrule 1\nclause 1\n0 list\nend 1 0\n",
           data->n_controls, (unsigned long long)(e.fp + e.fn));
  put(&b, head);
  for (int i = 0; i < 3; i++) {
    irl_verify_job job = {.rule = rule, .data = data, .bytes = b.bytes, .size = b.length};
    options.limits.work_limit = i == 0 ? 10000000 : 0;
    options.limits.time_limit = i == 1 ? 0.2 : 0;
    if (i == 2) irl_env_stop(env);
    irl_limit_init(&job.limit, env, &options);
    ASSERT_EQ(IRL_STATUS_OK, irl_verify_run(env, &job, &result));
    ASSERTm(result.reason, result.is_cut && !result.is_valid && !result.line);
    ASSERT(strstr(result.reason, i == 0 ? "work" : i == 1 ? "time" : "interrupted"));
  }
  irl_env_clear_stop(env);
  free(b.bytes);
  irl_text_free(env, json);
  irl_scope_free(scope);
  irl_rule_free(rule);
  irl_data_free(data);
  PASS();
}

/* Without a limit on work or time a certificate gets work by its length and no more. */
TEST work_is_guarded(void) {
  irl_limit limit = {.max_work = UINT64_MAX, .max_mb = 200};
  const irl_verify_meter small = irl_verify_start_meter(&limit, 300);
  const irl_verify_meter large = irl_verify_start_meter(&limit, 300000);
  ASSERT(small.is_guarded && small.limit.max_work < (uint64_t)1 << 39);
  ASSERT(large.is_guarded && large.limit.max_work > small.limit.max_work);
  ASSERT(large.limit.max_work < (uint64_t)1 << 44);
  limit.deadline = 1;
  ASSERT_EQ(UINT64_MAX, irl_verify_start_meter(&limit, 300).limit.max_work);
  limit = (irl_limit){.max_work = 12};
  ASSERT_EQ(12, irl_verify_start_meter(&limit, 300).limit.max_work);
  ASSERT(!irl_verify_start_meter(&limit, 300).is_guarded);
  PASS();
}

SUITE(verify) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(work_is_guarded);
  RUN_TEST(only_the_truth_is_accepted);
  RUN_TEST(planted_rules_have_certificates);
  RUN_TEST(every_mix_has_a_certificate);
  RUN_TEST(edited_scopes_are_refused);
  RUN_TEST(column_generation_has_certificates);
  RUN_TEST(literals_are_what_they_ask);
  RUN_TEST(given_options_are_compared);
  RUN_TEST(checking_obeys_limits);
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
