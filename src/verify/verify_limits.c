/* The limits that a certificate is about, and what a rule loses within them: the only file that
 * knows the losses (weighted, Hamming), penalties and limits.
 *
 * Limits, weights and the penalty are computed from the scope and the data, whatever made the
 * certificate; the numbers of the file have to be the same.
 *
 * Lemma 1. With r clauses left and a required gain g, the values r * (a - c) - b of the clauses
 * selected sum up to at least r * g, where a is the weight of cases that a clause newly covers, b
 * that of controls, and c its penalty. For a control is paid once, so each of the r clauses that
 * may share it is charged 1/r of it at least; and s < r clauses that gain g have s * (a - c) - b
 * summing up to s * g or more, and their a - c to g or more. Under the Hamming loss controls are
 * shared by nobody, and the value is r * (a - b - c). */
#include "verify/verify_parts.h"
#include <assert.h>
#include <math.h>

/* ---- reading them ---- */

irl_status irl_verify_read_limits(irl_verify_replay *v) {
  irl_verify_limits *limits = &v->limits;
  const irl_verify_line *line = &v->text.line;
  const uint64_t n1 = irl_data_total(v->data, 0), n0 = irl_data_total(v->data, 1);
  uint64_t numbers[6], loss[4];
  irl_status status =
      irl_verify_expect(v, "limits K # M # negations # literals # cases # controls #", numbers);
  if (status) return status;
  if (!numbers[0] || numbers[0] > IRL_VERIFY_MAX_K || !numbers[1] ||
      numbers[1] > IRL_VERIFY_MAX_M || numbers[2] > 1 || numbers[4] > n1 || numbers[5] > n0)
    return irl_verify_reject(v, line->number, "there are no such limits");
  limits->K = numbers[0];
  limits->M = numbers[1];
  limits->negations = numbers[2];
  limits->max_literals = numbers[3];
  limits->min_cases = numbers[4];
  limits->most_controls = numbers[5];
  limits->has_all_controls = numbers[5] == n0;

  /* The line on the loss, whose name tells which one it is. */
  const char *next = v->text.at;
  limits->is_hamming = (size_t)(v->text.end - next) > 13 && !memcmp(next, "loss hamming ", 13);
  status = irl_verify_expect(v,
                             limits->is_hamming ? "loss hamming case # control # penalty # best #"
                                                : "loss weighted case # control # penalty # best #",
                             loss);
  if (status) return status;
  const uint64_t most = (uint64_t)IRL_VERIFY_MAX_WEIGHT, K = limits->K;
  if (!loss[0] || !loss[1] || (n1 && loss[0] > most / K / n1) ||
      (n0 && loss[1] > (most / K - loss[0] * n1) / n0) ||
      loss[2] > most / K / K / (limits->M + 1) || loss[3] > most)
    return irl_verify_reject(v, line->number, "all weights together are from 1 to 2^54 / K");
  limits->weights = (irl_verify_weights){(int64_t)loss[0], (int64_t)loss[1]};
  limits->penalty = (int64_t)loss[2];
  limits->best = (int64_t)loss[3];
  limits->max_uncovered = limits->weights.of_case * (int64_t)(n1 - limits->min_cases);
  limits->max_controls = limits->weights.of_control * (int64_t)limits->most_controls;
  assert(limits->max_uncovered >= 0 && limits->max_controls >= 0);

  /* How samples of equal features count. */
  status = irl_verify_expect_line(v);
  if (status) return status;
  limits->is_merged = line->n == 2 && irl_verify_is_word(line, 1, "merged");
  if (line->n != 2 || !irl_verify_is_word(line, 0, "samples") ||
      (!limits->is_merged && !irl_verify_is_word(line, 1, "plain")))
    return irl_verify_reject(v, line->number,
                             "'samples plain' or 'samples merged' is expected here");
  if (limits->is_merged &&
      (!irl_verify_is_plain(limits) || limits->min_cases || !limits->has_all_controls))
    return irl_verify_reject(v, line->number,
                             "samples cannot be merged with this loss and these limits");
  return IRL_STATUS_OK;
}

/* Slack for a share of the samples: 0.29 of 100 is 29, though less in binary. */
#define ROUNDING 1e-6
/* Losses are counted in units of 1, 1/10, ... 1/MAX_UNIT. */
#define MAX_UNIT 1000000000000000

/* Weights are those of the scope in the unit in which the penalty is whole: the smallest power of
 * ten by which the penalty is d / unit, rounded to a double. Each number is exact in a double, so
 * the quotient is what reading the decimal gives. The penalty is then its share of all weights. */
static irl_status check_loss(irl_verify_replay *v, size_t line) {
  const irl_scope *scope = v->scope;
  const double asked = scope->penalty;
  const int64_t n1 = (int64_t)irl_data_total(v->data, 0), n0 = (int64_t)irl_data_total(v->data, 1);
  const int64_t penalty = v->limits.penalty;
  const bool is_unit = scope->weights[0] == 'u';
  const int64_t of_case = is_unit ? 1 : n0, of_control = is_unit ? 1 : n1;
  int64_t unit = 1;
  if (!(asked >= 0 && asked <= 1)) return irl_verify_reject(v, 2, "a penalty is from 0 to 1");
  if (strcmp(scope->loss, v->limits.is_hamming ? "hamming" : "weighted"))
    return irl_verify_reject(v, line, "the scope has the loss %s", scope->loss);
  while (unit < MAX_UNIT && llround(asked * (double)unit) / (double)unit != asked) unit *= 10;
  const int64_t share = llround(asked * (double)unit), all = of_case * n1 + of_control * n0;
  if (v->limits.weights.of_case % unit || v->limits.weights.of_case / unit != of_case ||
      v->limits.weights.of_control % unit || v->limits.weights.of_control / unit != of_control)
    return irl_verify_reject(v, line, "these are not %s weights for a penalty of %.15g",
                             scope->weights, asked);
  if (share / (double)unit != asked ||
      (share ? penalty % share || penalty / share != all : penalty))
    return irl_verify_reject(v, line, "the scope has a penalty of %.15g", asked);
  return IRL_STATUS_OK;
}

irl_status irl_verify_check_claim(irl_verify_replay *v) {
  const irl_scope *scope = v->scope;
  irl_verify_limits *limits = &v->limits;
  const irl_data *data = v->data;
  const size_t line = v->text.line.number - 2; /* of the limits; that of the loss follows */
  assert(v->text.line.number > 2 && limits->K && limits->M);

  /* Limits on the rules. */
  const bool by_sign = scope->negations && irl_data_may_negate(data);
  const uint64_t literals = (uint64_t)data->n_features * (by_sign ? 2 : 1);
  const int64_t most = limits->max_literals ? (int64_t)limits->max_literals : -1;
  if (scope->plain || scope->pool || scope->budget >= 0 ||
      (scope->complexity >= 0 && !limits->is_hamming)) /* which column generation alone has */
    return irl_verify_reject(v, 2, "no certificate is about such rules");
  if ((scope->form[0] == 'c') != data->is_reflected)
    return irl_verify_reject(v, 2, "the scope has another form of rules than the data");
  if ((uint64_t)scope->K != limits->K || (uint64_t)scope->M != limits->M)
    return irl_verify_reject(v, line, "the scope has K = %lld and M = %lld", (long long)scope->K,
                             (long long)scope->M);
  if (limits->negations != by_sign || (uint64_t)scope->literals != literals)
    return irl_verify_reject(v, line,
                             "the scope has %lld literals, %s negations, and the data %llu",
                             (long long)scope->literals, scope->negations ? "with" : "without",
                             (unsigned long long)literals);
  if (scope->max_literals != most)
    return irl_verify_reject(v, line, "the scope has another limit on literals");
  if ((v->rule->K && v->rule->K != limits->K) || (v->rule->M && v->rule->M != limits->M))
    return irl_verify_reject(v, line, "the rule was learnt with K = %u and M = %u", v->rule->K,
                             v->rule->M);

  /* The least sensitivity and specificity are those of the user's classes. */
  const double least = data->is_reflected ? scope->min_specificity : scope->min_sensitivity;
  const double other = data->is_reflected ? scope->min_sensitivity : scope->min_specificity;
  const double n1 = (double)irl_data_total(data, 0), n0 = (double)irl_data_total(data, 1);
  const double cases = ceil(least * n1 - ROUNDING), controls = floor((1 - other) * n0 + ROUNDING);
  if (!(cases >= 0 && cases <= n1 && controls >= 0 && controls <= n0) ||
      (uint64_t)cases != limits->min_cases || (uint64_t)controls != limits->most_controls)
    return irl_verify_reject(v, line, "the scope has another least sensitivity or specificity");
  const irl_status status = check_loss(v, line + 1);
  if (!limits->max_literals) limits->max_literals = UINT64_MAX;
  /* The scope alone has a limit on complexity. */
  limits->max_complexity = scope->complexity >= 0 ? (uint64_t)scope->complexity : UINT64_MAX;
  return status;
}

/* ---- states ---- */

bool irl_verify_counts_literals(const irl_verify_limits *limits) {
  return limits->max_literals != UINT64_MAX || limits->max_complexity != UINT64_MAX ||
         limits->penalty;
}

bool irl_verify_is_plain(const irl_verify_limits *limits) {
  return !limits->is_hamming && !limits->penalty;
}

bool irl_verify_is_free(const irl_verify_limits *limits) {
  return irl_verify_is_plain(limits) && !irl_verify_counts_literals(limits) && !limits->min_cases &&
         limits->has_all_controls;
}

/* Clauses and literals that are selected. */
static uint64_t complexity_of(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->K - state->left + state->literals;
}

int64_t irl_verify_budget(const irl_verify_limits *limits, const irl_verify_state *state) {
  return limits->best - 1 - state->cost_so_far;
}

/* What further clauses have to gain together: the cases that they cover less their costs. */
static int64_t required_gain(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->uncovered - irl_verify_budget(limits, state);
}

int64_t irl_verify_required_cases(const irl_verify_limits *limits, const irl_verify_state *state) {
  const int64_t by_loss = irl_verify_budget(limits, state);
  return state->uncovered - (by_loss < limits->max_uncovered ? by_loss : limits->max_uncovered);
}

/* The literals that one more clause may have. */
static uint32_t max_size(const irl_verify_limits *limits, const irl_verify_state *state) {
  const uint64_t used = complexity_of(limits, state) + 1;
  const uint64_t room = limits->max_complexity > used ? limits->max_complexity - used : 0;
  uint64_t left =
      limits->max_literals > state->literals ? limits->max_literals - state->literals : 0;
  if (room < left) left = room;
  return (uint32_t)(left < limits->M ? left : limits->M);
}

bool irl_verify_is_within(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->uncovered <= limits->max_uncovered && state->controls <= limits->max_controls &&
         state->literals <= limits->max_literals &&
         complexity_of(limits, state) <= limits->max_complexity;
}

bool irl_verify_is_better(const irl_verify_limits *limits, const irl_verify_state *state) {
  return state->cost_so_far + state->uncovered < limits->best &&
         irl_verify_is_within(limits, state);
}

irl_status irl_verify_state_init(const irl_verify_view *view, irl_verify_state *state) {
  state->live = irl_mem_alloc_aligned(&view->env->allocator, 2 * view->stride, sizeof *state->live);
  state->touched = state->live ? state->live + view->stride : NULL;
  return state->live ? IRL_STATUS_OK : irl_fail_memory(view->env);
}

void irl_verify_state_free(irl_env *env, irl_verify_state *state) {
  irl_mem_free_aligned(&env->allocator, state->live);
}

irl_status irl_verify_state_root(const irl_verify_view *view, const irl_verify_limits *limits,
                                 irl_verify_state *state) {
  *state = (irl_verify_state){.left = (uint32_t)limits->K, .cost_so_far = limits->offset};
  const irl_status status = irl_verify_state_init(view, state);
  if (status) return status;
  irl_verify_fill(view, state->live);
  state->uncovered = irl_verify_weigh(view, &view->cases, state->live);
  assert(irl_verify_state_check(view, limits, state));
  return IRL_STATUS_OK;
}

void irl_verify_state_copy(const irl_verify_view *view, irl_verify_state *into,
                           const irl_verify_state *from) {
  uint64_t *live = into->live, *touched = into->touched;
  *into = *from;
  into->live = memcpy(live, from->live, view->stride * sizeof *live);
  into->touched = memcpy(touched, from->touched, view->stride * sizeof *touched);
}

bool irl_verify_state_check(const irl_verify_view *view, const irl_verify_limits *limits,
                            const irl_verify_state *state) {
  const size_t offset = view->controls.offset, words = view->controls.words;
  bool is_apart = true; /* what is paid for is not live, but under the Hamming loss */
  for (size_t w = offset; w < offset + words; w++)
    is_apart = is_apart && !(state->live[w] & state->touched[w]);
  return state->left <= limits->K && (limits->is_hamming || is_apart) &&
         state->uncovered == irl_verify_weigh(view, &view->cases, state->live) &&
         state->controls >= irl_verify_weigh(view, &view->controls, state->touched) &&
         irl_verify_view_has(view, state->live) && irl_verify_view_has(view, state->touched);
}

void irl_verify_take(const irl_verify_view *view, const irl_verify_limits *limits,
                     const irl_verify_state *state, const uint64_t *cover, uint32_t size,
                     irl_verify_state *next) {
  const irl_kernels *kernels = view->kernels;
  const irl_verify_class *controls = &view->controls;
  const size_t offset = controls->offset;
  assert(state->left && size <= limits->M);
  next->left = state->left - 1;
  next->literals = state->literals + size;
  next->cost_so_far = state->cost_so_far + irl_verify_cost(limits->penalty, size);
  kernels->andnot_into(next->live, state->live, cover, view->cases.words);
  kernels->or_into(next->touched + offset, state->touched + offset, cover + offset,
                   controls->words);
  next->uncovered = irl_verify_weigh(view, &view->cases, next->live);
  const int64_t more = irl_verify_weigh(view, controls, next->touched) -
                       irl_verify_weigh(view, controls, state->touched);
  next->controls = state->controls + more;
  if (limits->is_hamming) {
    memcpy(next->live + offset, state->live + offset, controls->words * sizeof *cover);
    next->cost_so_far += irl_verify_weigh(view, controls, cover);
  } else {
    kernels->andnot_into(next->live + offset, state->live + offset, cover + offset,
                         controls->words);
    next->cost_so_far += more;
  }
  assert(more >= 0 && next->uncovered <= state->uncovered);
  assert(next->cost_so_far >= state->cost_so_far);
}

/* ---- what is wanted of a clause ---- */

irl_verify_wanted irl_verify_want_all(const irl_verify_limits *limits,
                                      const irl_verify_state *state) {
  const int64_t left = state->left;
  /* Under the Hamming loss a clause pays for controls that are covered already, too. */
  return (irl_verify_wanted){
      .case_factor = left,
      .control_factor = limits->is_hamming ? left : 1,
      .min_value = INT64_MIN,
      .min_cover = 1,
      .max_controls = limits->is_hamming ? INT64_MAX : limits->max_controls - state->controls,
      .budget = irl_verify_budget(limits, state),
      .penalty = limits->penalty,
      .min_size = 1,
      .max_size = max_size(limits, state)};
}

int64_t irl_verify_least_value(const irl_verify_limits *limits, int64_t left, int64_t gain) {
  return gain >= 0 || irl_verify_is_plain(limits) ? gain : left * gain;
}

/* Lemma. Suppose that a better rule adds clauses of more than m = `small` literals only, and that
 * the gain g that they need together is positive. For each of them let n be the most clauses that a
 * rule may add if it adds this one and no other is shorter than m + 1. Then n * (a - c) - b >= g
 * for one of them, where a and b are what it newly covers and c what it costs. Proof. Let q be
 * their number, and B the weight of the new controls of all: the a - c sum up to g + B or more, so
 * one of them has q * (a - c) >= g + B, where B >= b. And n >= q, as q clauses are added, with this
 * one among them, and a - c is positive. QED. Under the Hamming loss each pays b, and with a - b -
 * c in place of a - c the same holds without B. That clauses have to cover cases of some weight
 * together is the same with c = b = 0. All clauses have literals and complexity within the limits,
 * and cost no more than the budget together. */
static int64_t clauses_beside(const irl_verify_limits *limits, const irl_verify_state *state,
                              uint32_t size, uint32_t small) {
  int64_t others = (int64_t)state->left - 1;
  assert(state->left && size);
  if (limits->max_literals != UINT64_MAX) {
    const uint64_t used = state->literals + size;
    const uint64_t rest = limits->max_literals > used ? limits->max_literals - used : 0;
    if (rest / (small + (uint64_t)1) < (uint64_t)others)
      others = (int64_t)(rest / (small + (uint64_t)1));
  }
  if (limits->max_complexity != UINT64_MAX) {
    const uint64_t used = complexity_of(limits, state) + 1 + size;
    const uint64_t rest = limits->max_complexity > used ? limits->max_complexity - used : 0;
    if (rest / (small + (uint64_t)2) < (uint64_t)others)
      others = (int64_t)(rest / (small + (uint64_t)2));
  }
  if (limits->penalty) {
    const int64_t rest = irl_verify_budget(limits, state) - irl_verify_cost(limits->penalty, size);
    const int64_t most = rest > 0 ? rest / irl_verify_cost(limits->penalty, small + 1) : 0;
    if (most < others) others = most;
  }
  return others + 1;
}

/* How often the value of a clause of so many literals counts its cases. Where nothing need be
 * gained, few clauses may lose more each than many. */
static int64_t factor_of(const irl_verify_limits *limits, const irl_verify_state *state,
                         bool is_cover, uint32_t small, uint32_t size) {
  const bool counts_sizes = is_cover || required_gain(limits, state) > 0;
  return counts_sizes && size > small ? clauses_beside(limits, state, size, small) : state->left;
}

uint32_t irl_verify_want_branch(const irl_verify_limits *limits, const irl_verify_state *state,
                                bool is_cover, uint32_t small, irl_verify_wanted *wanted) {
  const int64_t cases = irl_verify_required_cases(limits, state), left = state->left;
  const uint32_t size = wanted->min_size, most = max_size(limits, state);
  const int64_t n = factor_of(limits, state, is_cover, small, size);
  uint32_t next = size + 1;
  while (next <= most && (next <= small) == (size <= small) &&
         factor_of(limits, state, is_cover, small, next) == n)
    next++;
  assert(n > 0 && n <= left && next <= most + 1);
  *wanted = irl_verify_want_all(limits, state);
  wanted->case_factor = n;
  wanted->control_factor = limits->is_hamming ? n : 1;
  wanted->min_size = size;
  wanted->max_size = next - 1;
  if (size <= small) return next;
  if (!is_cover || left == 1)
    wanted->min_value = irl_verify_least_value(limits, left, required_gain(limits, state));
  if ((is_cover || left == 1) && cases > n) wanted->min_cover = (cases + n - 1) / n;
  return next;
}

int64_t irl_verify_branch_value(const irl_verify_limits *limits, const irl_verify_state *state,
                                bool is_cover, uint32_t small, uint32_t size, int64_t cases,
                                int64_t controls) {
  const bool is_allowed = size <= max_size(limits, state);
  const int64_t n = is_allowed ? factor_of(limits, state, is_cover, small, size) : state->left;
  return n * (cases - irl_verify_cost(limits->penalty, size)) -
         (limits->is_hamming ? n : 1) * controls;
}
