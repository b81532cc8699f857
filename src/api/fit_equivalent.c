/* The equivalent literals of a rule, in text and JSON. */
#include "api/fit_table.h"
#include "base/memory.h"
#include "learn/equivalent.h"
#include <math.h>

#define SHOWN 8u /* for one place, in the text */

typedef struct lister {
  const irl_fit_result *result;
  irl_bound_rule bound;
  irl_text *text; /* one of the two */
  irl_json *json;
  double unit; /* of the loss, in objective */
  bool has_any;
} lister;

static const char *name_of(const lister *l, irl_literal literal) {
  return irl_names_get(&l->bound.data->names, irl_literal_feature(literal));
}

static void print_place(lister *l, size_t clause, irl_literal literal,
                        const irl_equivalents *found) {
  const irl_rule *rule = l->result->rule;
  if (!found->n_all) return;
  if (!l->has_any) irl_text_puts(l->text, "\ncould stand in place of\n");
  l->has_any = true;
  irl_text_printf(l->text, "  %s%s (clause %zu):", irl_literal_is_negated(literal) ? "NOT " : "",
                  irl_rule_name(rule, literal), clause + 1);
  for (uint32_t i = 0; i < found->n && i < SHOWN; i++) {
    const irl_equivalent *other = &found->others[i];
    irl_text_printf(l->text, "%s %s%s", i ? "," : "",
                    irl_literal_is_negated(other->literal) ? "NOT " : "",
                    name_of(l, other->literal));
    if (other->change) irl_text_printf(l->text, " (%+.4g)", (double)other->change * l->unit);
  }
  if (found->n_all > SHOWN) irl_text_printf(l->text, " and %u more", found->n_all - SHOWN);
  irl_text_puts(l->text, "\n");
}

static void put_place(lister *l, size_t clause, irl_literal literal, const irl_equivalents *found) {
  irl_json *json = l->json;
  if (!found->n_all) return;
  irl_json_open_flat(json, NULL, '{');
  irl_json_unsigned(json, "clause", clause);
  irl_json_open_flat(json, "literal", '[');
  irl_json_literal(json, irl_rule_name(l->result->rule, literal), irl_literal_is_negated(literal));
  irl_json_close(json, ']');
  irl_json_unsigned(json, "count", found->n_all);
  irl_json_open_flat(json, "others", '[');
  for (uint32_t i = 0; i < found->n; i++)
    irl_json_literal(json, name_of(l, found->others[i].literal),
                     irl_literal_is_negated(found->others[i].literal));
  irl_json_close(json, ']');
  irl_json_open_flat(json, "changes", '[');
  for (uint32_t i = 0; i < found->n; i++)
    irl_json_real(json, NULL, (double)found->others[i].change * l->unit);
  irl_json_close(json, ']');
  irl_json_close(json, '}');
}

static irl_status visit(irl_env *env, lister *l, int64_t most) {
  const irl_rule *rule = l->result->rule;
  irl_equivalents *found = irl_mem_alloc(&env->allocator, 1, sizeof *found);
  irl_status status = found ? IRL_OK : irl_fail_memory(env);
  for (size_t k = 0; k < rule->n_clauses && !status; k++)
    for (size_t i = rule->start[k]; i < rule->start[k + 1] && !status; i++) {
      status = irl_equivalents_find(env, &l->bound, &l->result->settings, most, k,
                                    (uint32_t)(i - rule->start[k]), found);
      if (status) break;
      if (l->json)
        put_place(l, k, rule->literals[i], found);
      else
        print_place(l, k, rule->literals[i], found);
    }
  irl_mem_free(&env->allocator, found);
  return status;
}

/* What a change of the objective may be, in units of the loss: a share of the weights, as the
 * penalty is. */
static int64_t most_of(const irl_fit_result *result) {
  const irl_learn_settings *settings = &result->settings;
  const irl_data *data = result->data;
  const double all = (double)settings->case_weight * data->n_cases +
                     (double)settings->control_weight * data->n_controls;
  return (int64_t)floor(settings->equivalent * all + 1e-6);
}

static irl_status list(irl_env *env, const irl_fit_result *result, irl_text *text, irl_json *json) {
  lister l = {.result = result, .text = text, .json = json};
  const irl_data *data = result->data;
  l.unit = 1 / ((double)result->settings.unit * data->n_samples);
  const irl_status bound = irl_rule_bind(env, result->rule, data, &l.bound);
  if (bound) return bound;
  const irl_status status = visit(env, &l, most_of(result));
  irl_bound_rule_free(env, &l.bound);
  return status;
}

/* The Hamming loss and weights per sample count otherwise. */
static bool is_countable(const irl_fit_result *result) {
  return !result->settings.is_hamming && !result->data->case_weights;
}

irl_status irl_fit_print_equivalents(irl_env *env, const irl_fit_result *result, irl_text *text) {
  return is_countable(result) ? list(env, result, text, NULL) : IRL_OK;
}

irl_status irl_fit_put_equivalents(irl_env *env, const irl_fit_result *result, irl_json *json) {
  irl_json_open(json, "equivalents", '[');
  const irl_status status = is_countable(result) ? list(env, result, NULL, json) : IRL_OK;
  irl_json_close(json, ']');
  return status;
}
