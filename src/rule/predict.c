/* What a rule says of each sample, and why: the clauses that fired or, if none did, the clause that
 * misses fewest literals (the first of them) and the literals it misses. Where the rule knows the
 * samples that it was learnt from, how many of those with the same clauses were cases (training.h);
 * of samples that miss values, whether these decide (completions.h). */
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "rule/completions.h"
#include "rule/training.h"
#include <math.h>

/* The clause that misses fewest literals of a sample, and which these are. */
static void find_closest(const irl_bound_rule *bound, bool is_case, uint32_t sample,
                         uint32_t *missed, irl_verdict *verdict) {
  const irl_rule *rule = bound->rule;
  size_t best = SIZE_MAX;
  for (uint32_t k = 0; k < rule->n_clauses; k++) {
    size_t n = 0;
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      n += irl_bound_rule_misses(bound, is_case, sample, i);
    if (n >= best) continue;
    best = n;
    verdict->closest = k;
  }
  if (best == SIZE_MAX) return;
  const size_t start = rule->start[verdict->closest], end = rule->start[verdict->closest + 1];
  for (size_t i = start; i < end; i++)
    if (irl_bound_rule_misses(bound, is_case, sample, i))
      missed[verdict->n_missed++] = (uint32_t)(i - start);
  verdict->missed = missed;
}

/* A rule on samples, one after another. */
typedef struct walk {
  const irl_bound_rule *bound;
  const irl_table *table;       /* NULL: there are bits alone */
  irl_completions *completions; /* NULL: no value is missing */
  uint32_t *fired, *missed;
  char *pattern; /* of the clauses, as training.h has it */
} walk;

static void find_likeness(const walk *w, irl_verdict *v) {
  const irl_training *training = w->bound->rule->training;
  v->probability = v->low = v->high = (double)NAN;
  if (!training || v->undecided || v->predicted != (v->n_fired > 0)) return;
  const irl_likeness like = irl_training_find(training, w->pattern);
  v->probability = like.share;
  v->low = like.low;
  v->high = like.high;
  v->like_cases = like.cases;
  v->like_samples = like.samples;
}

/* Sample i of the data is number `at` of its class. */
static irl_verdict judge(const walk *w, uint32_t i, bool is_case, uint32_t at) {
  const irl_data *data = w->bound->data;
  const irl_bits_matrix *covers = is_case ? &w->bound->cases : &w->bound->controls;
  irl_verdict v = {.size = sizeof v,
                   .sample = i,
                   .label = data->has_labels ? is_case : -1,
                   .fired = w->fired,
                   .id = w->table ? irl_table_id(w->table, i) : NULL};
  assert(at < (is_case ? data->n_cases : data->n_controls));
  for (uint32_t k = 0; k < covers->n_vectors; k++) {
    const bool fires = irl_bits_get(irl_bits_vector(covers, k), at);
    w->pattern[k] = fires ? '1' : '0';
    if (fires) w->fired[v.n_fired++] = k;
  }
  v.predicted = v.n_fired > 0;
  const irl_certainty certainty =
      w->completions && !v.predicted
          ? irl_completions_judge(w->completions, i, &v.measure, &v.n_measure)
          : IRL_IS_KNOWN;
  v.undecided = certainty == IRL_CANNOT_TELL;
  if (certainty == IRL_IS_CASE) v.predicted = 1; /* though no clause holds whatever is missing */
  if (!v.predicted) find_closest(w->bound, is_case, at, w->missed, &v);
  find_likeness(w, &v);
  return v;
}

/* Does any column of the table miss a value, and can that be asked? */
static bool may_miss(const irl_table *table) {
  bool some = false;
  for (size_t j = 0; table && !table->cell_file && j < table->names.n; j++)
    some |= table->columns[j].n_missing > 0;
  return some;
}

irl_status irl_predict_samples(irl_env *env, const irl_rule *rule, const irl_data *data,
                               const irl_table *table, const irl_visitor *visitor) {
  irl_bound_rule bound;
  irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  uint32_t n[2] = {0, 0};
  uint32_t *fired =
      irl_mem_alloc(&env->allocator, rule->n_clauses + rule->n_literals, sizeof *fired);
  walk w = {.bound = &bound,
            .table = table,
            .fired = fired,
            .missed = fired ? fired + rule->n_clauses : NULL,
            .pattern = irl_mem_alloc(&env->allocator, rule->n_clauses + 1, 1)};
  if (!fired || !w.pattern) status = irl_fail_memory(env);
  if (!status && may_miss(table))
    status = irl_completions_create(env, &bound, table, &w.completions);
  bool is_ended = status != IRL_STATUS_OK;
  for (uint32_t i = 0; i < data->n_samples && !is_ended; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_verdict verdict = judge(&w, i, is_case, n[is_case]++);
    is_ended = visitor->visit(visitor->user, &verdict);
  }
  irl_completions_free(w.completions);
  irl_mem_free(&env->allocator, w.pattern);
  irl_mem_free(&env->allocator, fired);
  irl_bound_rule_free(env, &bound);
  return status;
}

irl_status irl_predict(irl_env *env, const irl_rule *rule, const irl_data *data,
                       int (*visit)(void *user, const irl_verdict *verdict), void *user) {
  IRL_NEED(env, "env, rule, data", env, rule, data);
  if (!visit) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "argument 'visit' must not be NULL");
  const irl_visitor visitor = {visit, user};
  return irl_predict_samples(env, rule, data, NULL, &visitor);
}

irl_status irl_predict_table(irl_env *env, const irl_rule *rule, const irl_table *table,
                             int (*visit)(void *user, const irl_verdict *verdict), void *user) {
  IRL_NEED(env, "env, rule, table", env, rule, table);
  if (!visit) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "argument 'visit' must not be NULL");
  irl_data *data = NULL;
  const irl_visitor visitor = {visit, user};
  irl_status status = irl_table_data_for(env, table, rule, &data);
  if (!status) status = irl_predict_samples(env, rule, data, table, &visitor);
  irl_data_free(data);
  return status;
}

irl_status irl_predict_bytes(irl_env *env, const irl_rule *rule, const irl_data *data,
                             uint8_t *predicted, uint8_t *fired) {
  IRL_NEED(env, "env, rule, data, predicted", env, rule, data, predicted);
  irl_bound_rule bound;
  const irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  uint32_t n[2] = {0, 0};
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_bits_matrix *covers = is_case ? &bound.cases : &bound.controls;
    const uint32_t at = n[is_case]++;
    predicted[i] = 0;
    for (size_t k = 0; k < rule->n_clauses; k++) {
      const bool is_fired = irl_bits_get(irl_bits_vector(covers, k), at);
      predicted[i] |= is_fired;
      if (fired) fired[i * rule->n_clauses + k] = is_fired;
    }
  }
  irl_bound_rule_free(env, &bound);
  return IRL_STATUS_OK;
}
