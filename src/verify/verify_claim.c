/* The numbers of a certificate against the words of its scope: limits, weights and penalty are
 * computed here from the scope and the data, whatever made the certificate. */
#include "verify/verify_replay.h"
#include <assert.h>
#include <math.h>

/* Slack for a share of the samples: 0.29 of 100 is 29, though less in binary. */
#define ROUNDING 1e-6
/* Losses are counted in units of 1, 1/10, ... 1/MAX_UNIT. */
#define MAX_UNIT 1000000000000000

/* Weights are those of the scope in the unit in which the penalty is whole: the smallest power of
 * ten by which the penalty is d / unit, rounded to a double. Each number is exact in a double, so
 * the quotient is what reading the decimal gives. The penalty is then its share of all weights. */
static void check_loss(irl_verify_replay *v, size_t line) {
  const irl_scope *scope = v->scope;
  const double asked = scope->penalty;
  const int64_t n1 = (int64_t)irl_data_total(v->data, 0), n0 = (int64_t)irl_data_total(v->data, 1);
  const int64_t penalty = v->limits.penalty;
  const bool is_unit = scope->weights[0] == 'u';
  const int64_t of_case = is_unit ? 1 : n0, of_control = is_unit ? 1 : n1;
  int64_t unit = 1;
  if (!(asked >= 0 && asked <= 1)) irl_verify_reject(v, 2, "a penalty is from 0 to 1");
  if (strcmp(scope->loss, v->limits.is_hamming ? "hamming" : "weighted"))
    irl_verify_reject(v, line, "the scope has the loss %s", scope->loss);
  if (v->is_rejected) return;
  while (unit < MAX_UNIT && llround(asked * (double)unit) / (double)unit != asked) unit *= 10;
  const int64_t share = llround(asked * (double)unit), all = of_case * n1 + of_control * n0;
  if (v->weights.of_case % unit || v->weights.of_case / unit != of_case ||
      v->weights.of_control % unit || v->weights.of_control / unit != of_control)
    irl_verify_reject(v, line, "these are not %s weights for a penalty of %.15g", scope->weights,
                      asked);
  if (share / (double)unit != asked ||
      (share ? penalty % share || penalty / share != all : penalty))
    irl_verify_reject(v, line, "the scope has a penalty of %.15g", asked);
}

void irl_verify_check_claim(irl_verify_replay *v) {
  const irl_scope *scope = v->scope;
  const irl_verify_limits *limits = &v->limits;
  const irl_data *data = v->data;
  const size_t line = v->text.line.number - 2; /* of the limits; that of the loss follows */
  assert(v->text.line.number > 2 && limits->K && limits->M);

  /* Limits on the rules. */
  const bool by_sign = scope->negations && irl_data_may_negate(data);
  const uint64_t literals = (uint64_t)data->n_features * (by_sign ? 2 : 1);
  const int64_t most = limits->max_literals ? (int64_t)limits->max_literals : -1;
  if (scope->plain || scope->pool || scope->budget >= 0 ||
      (scope->complexity >= 0 && !limits->is_hamming)) /* which column generation alone has */
    irl_verify_reject(v, 2, "no certificate is about such rules");
  if ((scope->form[0] == 'c') != data->is_reflected)
    irl_verify_reject(v, 2, "the scope has another form of rules than the data");
  if ((uint64_t)scope->K != limits->K || (uint64_t)scope->M != limits->M)
    irl_verify_reject(v, line, "the scope has K = %lld and M = %lld", (long long)scope->K,
                      (long long)scope->M);
  if (limits->negations != by_sign || (uint64_t)scope->literals != literals)
    irl_verify_reject(v, line, "the scope has %lld literals, %s negations, and the data %llu",
                      (long long)scope->literals, scope->negations ? "with" : "without",
                      (unsigned long long)literals);
  if (scope->max_literals != most)
    irl_verify_reject(v, line, "the scope has another limit on literals");
  if ((v->rule->K && v->rule->K != limits->K) || (v->rule->M && v->rule->M != limits->M))
    irl_verify_reject(v, line, "the rule was learnt with K = %u and M = %u", v->rule->K,
                      v->rule->M);

  /* The least sensitivity and specificity are those of the user's classes. */
  const double least = data->is_reflected ? scope->min_specificity : scope->min_sensitivity;
  const double other = data->is_reflected ? scope->min_sensitivity : scope->min_specificity;
  const double n1 = (double)irl_data_total(data, 0), n0 = (double)irl_data_total(data, 1);
  const double cases = ceil(least * n1 - ROUNDING), controls = floor((1 - other) * n0 + ROUNDING);
  if (!(cases >= 0 && cases <= n1 && controls >= 0 && controls <= n0) ||
      (uint64_t)cases != v->min_cases || (uint64_t)controls != v->max_controls)
    irl_verify_reject(v, line, "the scope has another least sensitivity or specificity");
  check_loss(v, line + 1);
}
