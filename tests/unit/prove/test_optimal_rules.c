/* All rules that are as good as the best, or nearly, against brute force over all sets of clauses.
 *
 * IRL_FUZZ=N tries N problems, IRL_FUZZ_SEED=S others, IRL_FUZZ_FIRST=I from number I on. */
#include "fuzzing.h"
#include "greatest.h"
#include "puzzle_data.h"
#include <math.h>
#include <stdio.h>

#define MAX_CLAUSES 200u
#define MAX_RULES   20000u

static irl_env *env;
static uint64_t seed = 21;

/* A clause as a bit per literal (feature twice, then the sign) and the rows that it covers. */
typedef struct clause {
  uint32_t literals, cover;
} clause;

static clause clauses[MAX_CLAUSES];
static uint32_t n_clauses;

/* Losses are in 1/unit, so that what each clause and each literal costs is whole. */
static int64_t unit, penalty;

static void draw_penalty(puzzle *p) {
  const int64_t all = p->case_weight * p->n_cases + p->control_weight * p->n_controls;
  const int64_t hundredths = below(2) ? 1 + below(below(2) ? 8 : 40) : 0;
  p->options.rule.penalty = (double)hundredths / 100;
  unit = !hundredths ? 1 : hundredths % 10 ? 100 : 10;
  penalty = hundredths * unit * all / 100;
}

static uint32_t cover_of(const puzzle *p, uint32_t literals) {
  uint32_t cover = (1u << p->n_rows) - 1;
  for (uint32_t l = 0; l < 2 * p->j; l++)
    for (uint32_t r = 0; literals >> l & 1 && r < p->n_rows; r++)
      if (p->rows[r][l / 2] == l % 2) cover &= ~(1u << r);
  return cover;
}

static void make_clauses(const puzzle *p, uint32_t first, uint32_t literals, uint32_t size) {
  if (size) clauses[n_clauses++] = (clause){literals, cover_of(p, literals)};
  for (uint32_t j = first; size < p->options.rule.M && j < p->j; j++)
    for (uint32_t sign = 0; sign < 1u + p->options.rule.negations; sign++)
      make_clauses(p, j + 1, literals | 1u << (2 * j + sign), size + 1);
}

/* INT64_MAX: not within the limits. */
static int64_t weigh(const puzzle *p, const clause *rule, uint32_t n) {
  uint32_t cover = 0, paid = 0, size = 0;
  for (uint32_t k = 0; k < n; k++) {
    cover |= rule[k].cover;
    paid += count_cover(p->controls, p->n_rows, rule[k].cover);
    size += (uint32_t)__builtin_popcount(rule[k].literals);
  }
  if (!is_within(p, cover) || size > max_literals_of(p)) return INT64_MAX;
  const int64_t cost = penalty * (n + size);
  if (!p->options.rule.loss) return cost + unit * loss_of(p, cover);
  const int64_t missed = p->n_cases - count_cover(p->cases, p->n_rows, cover);
  return cost + unit * (p->case_weight * missed + p->control_weight * (int64_t)paid);
}

static bool is_tight(const puzzle *p, const clause *rule, uint32_t n, int64_t loss) {
  clause other[8];
  for (uint32_t k = 0; k < n; k++) {
    memcpy(other, rule, n * sizeof *other);
    other[k] = other[n - 1];
    if (weigh(p, other, n - 1) <= loss) return false;
    for (uint32_t l = 0; l < 2 * p->j; l++) {
      memcpy(other, rule, n * sizeof *other);
      other[k].literals &= ~(1u << l);
      if (!(rule[k].literals >> l & 1) || !other[k].literals) continue;
      other[k].cover = cover_of(p, other[k].literals);
      if (weigh(p, other, n) <= loss) return false;
    }
  }
  return true;
}

/* A rule as a number that does not depend on the order of its clauses. */
static uint64_t name_rule(const clause *rule, uint32_t n) {
  uint64_t name = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint64_t x = rule[k].literals * 0x9e3779b97f4a7c15u;
    name += (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  }
  return name;
}

static uint64_t names[MAX_RULES];
static uint32_t n_rules;

static void list_rules(const puzzle *p, uint32_t first, clause *rule, uint32_t n, int64_t most) {
  const int64_t loss = weigh(p, rule, n);
  if (loss <= most && n_rules < MAX_RULES && is_tight(p, rule, n, loss))
    names[n_rules++] = name_rule(rule, n);
  for (uint32_t c = first; n < p->options.rule.K && c < n_clauses; c++) {
    rule[n] = clauses[c];
    list_rules(p, c + 1, rule, n + 1, most);
  }
}

/* The least loss of all; INT64_MAX: no rule is within the limits. */
static int64_t find_best(const puzzle *p, uint32_t first, clause *rule, uint32_t n) {
  int64_t best = weigh(p, rule, n);
  for (uint32_t c = first; n < p->options.rule.K && c < n_clauses; c++) {
    rule[n] = clauses[c];
    const int64_t loss = find_best(p, c + 1, rule, n + 1);
    if (loss < best) best = loss;
  }
  return best;
}

static uint64_t name_found(const irl_rule *rule) {
  irl_rule_info info = IRL_SIZED(irl_rule_info);
  clause found[8] = {{0, 0}};
  irl_rule_describe(rule, &info);
  for (uint32_t k = 0; k < info.clauses; k++)
    for (uint32_t l = 0; l < irl_rule_clause_size(rule, k); l++) {
      bool is_negated;
      const char *feature = irl_rule_literal(rule, k, l, &is_negated);
      found[k].literals |= 1u << (2 * (atoi(feature + 1) - 1) + is_negated);
    }
  return name_rule(found, info.clauses);
}

static enum greatest_test_res check_puzzle(puzzle *p) {
  static const double shares[] = {0, 0.1, 0.5};
  irl_data *data;
  irl_fit_result *result;
  char *text;
  bool is_complete;
  clause rule[8];
  p->options.search.prove = true;
  p->options.output.all_optimal = MAX_RULES;
  p->options.output.within = shares[below(3)];
  n_clauses = n_rules = 0;
  make_clauses(p, 0, 0, 0);
  draw_penalty(p);
  if (penalty) p->best = find_best(p, 0, rule, 0);
  if (p->best < INT64_MAX)
    list_rules(p, 0, rule, 0,
               (int64_t)floor((double)p->best * (1 + p->options.output.within) + 1e-6));
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, p, &data));
  for (int few = 0; few < 2; few++) {
    if (few) p->options.output.all_optimal = 1 + below(3);
    ASSERT_EQ(IRL_STATUS_OK, irl_fit(env, data, &p->options, &result));
    const uint32_t n = irl_fit_n_optimal_rules(result, &is_complete);
    const uint32_t most = (uint32_t)p->options.output.all_optimal;
    ASSERT_EQ_FMT(n_rules < most ? n_rules : most, n, "%u");
    if (p->best < INT64_MAX) ASSERT_EQ(n_rules <= most, is_complete);
    ASSERT(n || !is_complete);
    for (uint32_t i = 0; i < n; i++) {
      irl_rule *found;
      uint32_t k = 0;
      ASSERT_EQ(IRL_STATUS_OK, irl_fit_optimal_rule(env, result, i, &found));
      const uint64_t name = name_found(found);
      while (k < n_rules && names[k] != name) k++;
      ASSERT(k < n_rules);
      if (!few) names[k] = 0; /* each once */
      irl_rule_free(found);
    }
    ASSERT_EQ(IRL_STATUS_OK,
              irl_fit_render(env, result, few ? IRL_FORMAT_JSON : IRL_FORMAT_TEXT, &text));
    irl_text_free(env, text);
    irl_fit_free(result);
    n_rules = 0;
    if (!few && p->best < INT64_MAX)
      list_rules(p, 0, rule, 0,
                 (int64_t)floor((double)p->best * (1 + p->options.output.within) + 1e-6));
  }
  irl_data_free(data);
  PASS();
}

TEST all_rules_are_found(void) {
  const uint64_t first = number_of("IRL_FUZZ_FIRST", 0), n = number_of("IRL_FUZZ", 300);
  for (uint64_t i = first; i < first + n; i++) {
    static puzzle p;
    irl_random_init(&numbers, seed, (unsigned)i);
    do draw(&p);
    while (p.j > 4 || p.options.rule.K > 3 || p.options.rule.M > 2);
    p.options.search.profile = IRL_PROFILE_DEFAULT;
    const enum greatest_test_res res = check_puzzle(&p);
    if (res) printf("seed %llu, puzzle %llu\n", (unsigned long long)seed, (unsigned long long)i);
    if (res) return res;
  }
  PASS();
}

TEST a_proof_is_asked_for(void) {
  static puzzle p;
  irl_data *data;
  irl_fit_result *result;
  irl_random_init(&numbers, seed, 0);
  draw(&p);
  irl_options_init(&p.options, sizeof p.options);
  p.options.output.within = 0.1;
  ASSERT_EQ(IRL_STATUS_OK, puzzle_data(env, &p, &data));
  ASSERT_EQ(IRL_STATUS_BAD_ARGUMENT, irl_fit(env, data, &p.options, &result));
  irl_data_free(data);
  PASS();
}

SUITE(optimal_rules) {
  seed = number_of("IRL_FUZZ_SEED", seed);
  printf("seed %llu\n", (unsigned long long)seed);
  RUN_TEST(all_rules_are_found);
  RUN_TEST(a_proof_is_asked_for);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  keep_memory();
  if (irl_env_create(NULL, &env)) return 1;
  RUN_SUITE(optimal_rules);
  irl_env_free(env);
  GREATEST_MAIN_END();
}
