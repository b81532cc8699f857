/* What a rule says of each sample, and why: the clauses that fired or, if none did, the clause that
 * misses fewest literals (the first of them) and the literals it misses. */
#include "base/contract.h"
#include "base/memory.h"
#include "ireland_data.h"
#include "rule/rule_json.h"
#include <inttypes.h>

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

irl_status irl_predict(irl_env *env, const irl_rule *rule, const irl_data *data,
                       int (*visit)(void *user, const irl_verdict *verdict), void *user) {
  IRL_NEED(env, "env, rule, data", env, rule, data);
  if (!visit) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "argument 'visit' must not be NULL");
  irl_bound_rule bound;
  const irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  uint32_t n[2] = {0, 0};
  uint32_t *fired =
      irl_mem_alloc(&env->allocator, rule->n_clauses + rule->n_literals, sizeof *fired);
  bool is_ended = !fired;
  for (uint32_t i = 0; i < data->n_samples && !is_ended; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const irl_bits_matrix *covers = is_case ? &bound.cases : &bound.controls;
    const uint32_t at = n[is_case]++;
    irl_verdict verdict = {.size = sizeof verdict,
                           .sample = i,
                           .label = data->has_labels ? is_case : -1,
                           .fired = fired};
    assert(at < (is_case ? data->n_cases : data->n_controls));
    for (uint32_t k = 0; k < covers->n_vectors; k++)
      if (irl_bits_get(irl_bits_vector(covers, k), at)) fired[verdict.n_fired++] = k;
    verdict.predicted = verdict.n_fired > 0;
    if (!verdict.predicted) find_closest(&bound, is_case, at, fired + rule->n_clauses, &verdict);
    is_ended = visit(user, &verdict);
  }
  irl_mem_free(&env->allocator, fired);
  irl_bound_rule_free(env, &bound);
  return fired ? IRL_STATUS_OK : irl_fail_memory(env);
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

/* ---- as text and as JSON ---- */

struct irl_predictor {
  irl_allocator allocator;
  const irl_rule *rule;
  bool is_json, explain;
  bool is_begun, has_labels, is_finished;
  uint64_t n_samples; /* of the blocks before */
  irl_json json;      /* or its text alone; between two blocks it has none */
  const irl_data *data;
};

typedef irl_predictor printer;

/* The rule's own words for the classes; the data's where it has none. */
static const char *class_name(const printer *p, int is_case) {
  const char *name = is_case ? p->rule->positive : p->rule->negative;
  return name ? name : is_case ? p->data->positive : p->data->negative;
}

static int print_line(void *user, const irl_verdict *v) {
  printer *p = user;
  irl_text *text = &p->json.text;
  irl_text_printf(text, "%" PRIu64 "\t%s", p->n_samples + v->sample + 1,
                  class_name(p, v->predicted));
  if (v->label >= 0) irl_text_printf(text, "\t%s", class_name(p, v->label));
  if (p->explain) irl_text_puts(text, "\t");
  for (uint32_t i = 0; p->explain && i < v->n_fired; i++) {
    if (i) irl_text_puts(text, " OR ");
    irl_rule_print_clause(text, p->rule, v->fired[i]);
  }
  if (p->explain && v->n_missed) {
    irl_text_puts(text, "closest ");
    irl_rule_print_clause(text, p->rule, v->closest);
    irl_text_puts(text, " misses");
    for (uint32_t i = 0; i < v->n_missed; i++) {
      bool is_negated;
      const char *feature = irl_rule_literal(p->rule, v->closest, v->missed[i], &is_negated);
      irl_text_printf(text, "%s %s%s", i ? "," : "", is_negated ? "NOT " : "", feature);
    }
  }
  irl_text_puts(text, "\n");
  return text->failed;
}

static int print_object(void *user, const irl_verdict *v) {
  printer *p = user;
  irl_json *json = &p->json;
  irl_json_open_flat(json, NULL, '{');
  irl_json_unsigned(json, "sample", p->n_samples + v->sample + 1);
  irl_json_string(json, "predicted", class_name(p, v->predicted));
  if (v->label >= 0) irl_json_string(json, "label", class_name(p, v->label));
  if (p->explain) {
    irl_json_open(json, "fired", '[');
    for (uint32_t i = 0; i < v->n_fired; i++) irl_rule_put_clause(json, NULL, p->rule, v->fired[i]);
    irl_json_close(json, ']');
  }
  if (p->explain && v->n_missed) {
    irl_rule_put_clause(json, "closest", p->rule, v->closest);
    irl_json_open(json, "misses", '[');
    for (uint32_t i = 0; i < v->n_missed; i++) {
      bool is_negated;
      const char *feature = irl_rule_literal(p->rule, v->closest, v->missed[i], &is_negated);
      irl_json_literal(json, feature, is_negated);
    }
    irl_json_close(json, ']');
  }
  irl_json_close(json, '}');
  return json->text.failed;
}

irl_status irl_predictor_create(irl_env *env, const irl_rule *rule, irl_format format, bool explain,
                                irl_predictor **out) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!rule || !out || (format != IRL_FORMAT_TEXT && format != IRL_FORMAT_JSON))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a predictor needs a rule, a format and a place for it");
  irl_predictor *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  made->allocator = env->allocator;
  made->rule = rule;
  made->is_json = format == IRL_FORMAT_JSON;
  made->explain = explain;
  irl_json_init(&made->json, env);
  *out = made;
  return IRL_STATUS_OK;
}

void irl_predictor_free(irl_predictor *predictor) {
  if (!predictor) return;
  const irl_allocator allocator = predictor->allocator;
  irl_mem_free(&allocator, predictor);
}

/* What stands before the first sample. */
static void begin(irl_predictor *p, bool has_labels) {
  p->is_begun = true;
  p->has_labels = has_labels;
  if (p->is_json)
    irl_json_open(&p->json, NULL, '[');
  else
    irl_text_printf(&p->json.text, "sample\tpredicted%s%s\n", has_labels ? "\tlabel" : "",
                    p->explain ? "\twhy" : "");
}

/* Hands over the text of this block; JSON goes on where it was. */
static irl_status hand_over(irl_predictor *p, irl_env *env, char **text) {
  irl_text taken = p->json.text;
  irl_text_init(&p->json.text, env);
  return p->is_json ? irl_text_take(&taken, text) : irl_text_take_shown(&taken, text);
}

irl_status irl_predictor_add(irl_env *env, irl_predictor *p, const irl_data *data, char **text) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!p || !data || !text || p->is_finished)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a predictor that is not finished, data and a place for the text are needed");
  if (p->is_begun && p->has_labels != data->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "some of the blocks have labels and some have not");
  const irl_json before = p->json;
  const bool was_begun = p->is_begun;
  p->json.text.env = env;
  p->data = data;
  if (!p->is_begun) begin(p, data->has_labels);
  irl_status status = irl_predict(env, p->rule, data, p->is_json ? print_object : print_line, p);
  p->data = NULL;
  if (!status) {
    status = hand_over(p, env, text);
  } else {
    irl_json_drop(&p->json);
    irl_text_init(&p->json.text, env);
  }
  if (!status) {
    p->n_samples += data->n_samples;
  } else { /* as if it had not been tried */
    const irl_text empty = p->json.text;
    p->json = before;
    p->json.text = empty;
    p->is_begun = was_begun;
  }
  return status;
}

irl_status irl_predictor_finish(irl_env *env, irl_predictor *p, char **text) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!p || !text || p->is_finished)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a predictor that is not finished and a place for the text are needed");
  p->json.text.env = env;
  if (!p->is_begun) begin(p, false);
  if (p->is_json) {
    irl_json_close(&p->json, ']');
    irl_text_puts(&p->json.text, "\n");
  }
  p->is_finished = true;
  return hand_over(p, env, text);
}

irl_status irl_predict_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                              irl_format format, bool explain, char **text) {
  IRL_NEED(env, "env, rule, data, text", env, rule, data, text);
  IRL_NEED_FORMAT(env, format);
  irl_predictor *p = NULL;
  char *samples = NULL, *end = NULL;
  irl_status status = irl_predictor_create(env, rule, format, explain, &p);
  if (!status) status = irl_predictor_add(env, p, data, &samples);
  if (!status) status = irl_predictor_finish(env, p, &end);
  irl_predictor_free(p);
  const size_t length = samples ? strlen(samples) : 0;
  irl_text all = {.env = env, .bytes = samples, .length = length, .capacity = length + !!samples};
  if (!status) irl_text_puts(&all, end);
  irl_text_free(env, end);
  if (!status) return irl_text_take(&all, text);
  irl_text_drop(&all);
  return status;
}
