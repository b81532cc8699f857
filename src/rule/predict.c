/* What a rule says of each sample, and why: the clauses that fired or, if none did, the clause that
 * misses fewest literals (the first of them) and the literals it misses. */
#include "base/memory.h"
#include "rule/rule_json.h"

typedef struct walker {
  irl_env *env;
  const irl_bound_rule *bound;
  uint32_t *fired, *missed;
} walker;

/* One sample: its class in the matrices and its number there. */
typedef struct place {
  bool is_case;
  uint32_t i;
} place;

static void find_closest(const walker *w, place at, irl_verdict *verdict) {
  const irl_rule *rule = w->bound->rule;
  size_t best = SIZE_MAX;
  for (uint32_t k = 0; k < rule->n_clauses; k++) {
    size_t n = 0;
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      n += irl_bound_rule_misses(w->bound, at.is_case, at.i, i);
    if (n >= best) continue;
    best = n;
    verdict->closest = k;
  }
  if (best == SIZE_MAX) return;
  const size_t start = rule->start[verdict->closest], end = rule->start[verdict->closest + 1];
  for (size_t i = start; i < end; i++)
    if (irl_bound_rule_misses(w->bound, at.is_case, at.i, i))
      w->missed[verdict->n_missed++] = (uint32_t)(i - start);
  verdict->missed = w->missed;
}

static void walk(const walker *w, int (*visit)(void *user, const irl_verdict *verdict),
                 void *user) {
  const irl_data *data = w->bound->data;
  uint32_t n[2] = {0, 0};
  for (uint32_t i = 0; i < data->n_samples; i++) {
    const bool is_case = irl_bits_get(data->labels, i);
    const place at = {is_case, n[is_case]++};
    assert(at.i < (is_case ? data->n_cases : data->n_controls));
    irl_verdict verdict = {.sample = i, .label = data->has_labels ? is_case : -1};
    const irl_bits_matrix *covers = at.is_case ? &w->bound->cases : &w->bound->controls;
    for (uint32_t k = 0; k < covers->n_vectors; k++)
      if (irl_bits_get(irl_bits_vector(covers, k), at.i)) w->fired[verdict.n_fired++] = k;
    verdict.fired = w->fired;
    verdict.predicted = verdict.n_fired > 0;
    if (!verdict.predicted) find_closest(w, at, &verdict);
    if (visit(user, &verdict)) return;
  }
}

irl_status irl_predict(irl_env *env, const irl_rule *rule, const irl_data *data,
                       int (*visit)(void *user, const irl_verdict *verdict), void *user) {
  irl_bound_rule bound;
  irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  const walker w = {env, &bound, irl_mem_alloc(&env->allocator, rule->n_clauses, sizeof(uint32_t)),
                    irl_mem_alloc(&env->allocator, rule->n_literals, sizeof(uint32_t))};
  if (w.fired && w.missed)
    walk(&w, visit, user);
  else
    status = irl_fail_memory(env);
  irl_mem_free(&env->allocator, w.fired);
  irl_mem_free(&env->allocator, w.missed);
  irl_bound_rule_free(env, &bound);
  return status;
}

irl_status irl_predict_bytes(irl_env *env, const irl_rule *rule, const irl_data *data,
                             uint8_t *predicted, uint8_t *fired) {
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
  return IRL_OK;
}

/* ---- as text and as JSON ---- */

typedef struct printer {
  const irl_rule *rule;
  const irl_data *data;
  bool explain;
  irl_text text;
  irl_json json;
} printer;

/* The rule's own words for the classes; the data's where it has none. */
static const char *class_name(const printer *p, int is_case) {
  const char *name = is_case ? p->rule->positive : p->rule->negative;
  return name ? name : is_case ? p->data->positive : p->data->negative;
}

static int print_line(void *user, const irl_verdict *v) {
  printer *p = user;
  irl_text_printf(&p->text, "%u\t%s", v->sample + 1, class_name(p, v->predicted));
  if (v->label >= 0) irl_text_printf(&p->text, "\t%s", class_name(p, v->label));
  if (p->explain) irl_text_puts(&p->text, "\t");
  for (uint32_t i = 0; p->explain && i < v->n_fired; i++) {
    if (i) irl_text_puts(&p->text, " OR ");
    irl_rule_print_clause(&p->text, p->rule, v->fired[i]);
  }
  if (p->explain && v->n_missed) {
    irl_text_puts(&p->text, "closest ");
    irl_rule_print_clause(&p->text, p->rule, v->closest);
    irl_text_puts(&p->text, " misses");
    for (uint32_t i = 0; i < v->n_missed; i++) {
      const irl_literal_view literal = irl_rule_literal(p->rule, v->closest, v->missed[i]);
      irl_text_printf(&p->text, "%s %s%s", i ? "," : "", literal.negated ? "NOT " : "",
                      literal.feature);
    }
  }
  irl_text_puts(&p->text, "\n");
  return p->text.failed;
}

static int print_object(void *user, const irl_verdict *v) {
  printer *p = user;
  irl_json *json = &p->json;
  irl_json_open_flat(json, NULL, '{');
  irl_json_unsigned(json, "sample", v->sample + 1);
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
      const irl_literal_view literal = irl_rule_literal(p->rule, v->closest, v->missed[i]);
      irl_json_literal(json, literal.feature, literal.negated);
    }
    irl_json_close(json, ']');
  }
  irl_json_close(json, '}');
  return json->text.failed;
}

static irl_status render_text(irl_env *env, printer *p, char **text) {
  irl_text_init(&p->text, env);
  irl_text_printf(&p->text, "sample\tpredicted%s%s\n", p->data->has_labels ? "\tlabel" : "",
                  p->explain ? "\twhy" : "");
  const irl_status status = irl_predict(env, p->rule, p->data, print_line, p);
  if (!status) return irl_text_take_shown(&p->text, text);
  irl_text_drop(&p->text);
  return status;
}

static irl_status render_json(irl_env *env, printer *p, char **text) {
  irl_json_init(&p->json, env);
  irl_json_open(&p->json, NULL, '[');
  const irl_status status = irl_predict(env, p->rule, p->data, print_object, p);
  irl_json_close(&p->json, ']');
  if (!status) return irl_json_take(&p->json, text);
  irl_json_drop(&p->json);
  return status;
}

irl_status irl_predict_render(irl_env *env, const irl_rule *rule, const irl_data *data,
                              irl_format format, bool explain, char **text) {
  printer p = {.rule = rule, .data = data, .explain = explain};
  return format == IRL_FORMAT_JSON ? render_json(env, &p, text) : render_text(env, &p, text);
}
