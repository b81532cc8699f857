/* Predictions as text, block after block: a line or an object per sample. What a person reads of a
 * sample is in predict_words.c.
 *
 * Texts have a column for what identifies samples, under its own name, or for their numbers, then
 * the class, the label if there is one, the share of cases among like samples with its interval if
 * the rule knows it, what to measure where one cannot tell, and the sentence. CSV is quoted where
 * it has to be; in the other text names are shown so that they steer no terminal. Identifiers of
 * the first MOST_IDS samples are compared: one that stands there twice is worth a warning. */
#include "rule/predictor.h"
#include "base/contract.h"
#include "base/memory.h"
#include <inttypes.h>
#include <math.h>

#define MOST_IDS ((size_t)1 << 19)

/* ---- cells of texts ---- */

static void put_cell(irl_predictor *p, const char *cell) {
  irl_text *text = &p->json.text;
  if (p->format == IRL_FORMAT_CSV)
    irl_text_cell(text, cell, *cell == ' ');
  else
    irl_text_show(text, cell);
}

static const char *between(const irl_predictor *p) {
  return p->format == IRL_FORMAT_CSV ? "," : "\t";
}

static void put_share(irl_predictor *p, double share) {
  irl_text_puts(&p->json.text, between(p));
  if (!isnan(share)) irl_text_printf(&p->json.text, "%.4f", share);
}

static void put_header(irl_predictor *p) {
  irl_text *text = &p->json.text;
  const char *mark = between(p);
  put_cell(p, p->id_name ? p->id_name : "sample");
  irl_text_printf(text, "%spredicted", mark);
  if (p->has_labels) irl_text_printf(text, "%slabel", mark);
  if (p->rule->training) irl_text_printf(text, "%sprobability%slow%shigh", mark, mark, mark);
  if (p->can_miss) irl_text_printf(text, "%smeasure", mark);
  if (p->explain) irl_text_printf(text, "%swhy", mark);
  irl_text_puts(text, "\n");
}

/* Words that are made for a cell of their own. */
static void put_words(irl_predictor *p, irl_text *words) {
  irl_text_puts(&p->json.text, between(p));
  if (words->length && !words->failed) put_cell(p, words->bytes);
  p->json.text.failed |= words->failed;
  irl_text_drop(words);
}

/* The columns that decide, in one cell. */
static void put_measure(irl_predictor *p, const irl_verdict *v) {
  irl_text list;
  irl_text_init(&list, p->json.text.env);
  for (uint32_t i = 0; i < v->n_measure; i++)
    irl_text_printf(&list, "%s%s", i ? "; " : "", v->measure[i]);
  put_words(p, &list);
}

static void put_why(irl_predictor *p, const irl_verdict *v) {
  irl_text why;
  irl_text_init(&why, p->json.text.env);
  irl_predict_explain(&why, p, v);
  put_words(p, &why);
}

static void put_line(irl_predictor *p, const irl_verdict *v) {
  irl_text *text = &p->json.text;
  if (!p->id_name)
    irl_text_printf(text, "%" PRIu64, p->n_samples + v->sample + 1);
  else if (v->id)
    put_cell(p, v->id);
  irl_text_puts(text, between(p));
  put_cell(p, v->undecided ? "cannot tell" : irl_predict_class(p, v->predicted));
  if (p->has_labels) irl_text_puts(text, between(p));
  if (v->label >= 0) put_cell(p, irl_predict_class(p, v->label));
  if (p->rule->training) {
    put_share(p, v->probability);
    put_share(p, v->low);
    put_share(p, v->high);
  }
  if (p->can_miss) put_measure(p, v);
  if (p->explain) put_why(p, v);
  irl_text_puts(text, "\n");
}

/* ---- objects ---- */

/* Which clauses held or came closest, and the sentence. */
static void put_reasons(irl_predictor *p, const irl_verdict *v) {
  irl_json *json = &p->json;
  irl_text why;
  irl_json_open(json, "fired", '[');
  for (uint32_t i = 0; i < v->n_fired; i++) irl_rule_put_clause(json, NULL, p->rule, v->fired[i]);
  irl_json_close(json, ']');
  if (v->n_missed) {
    irl_rule_put_clause(json, "closest", p->rule, v->closest);
    irl_json_open(json, "misses", '[');
    for (uint32_t i = 0; i < v->n_missed; i++) {
      bool is_negated;
      const char *feature = irl_rule_literal(p->rule, v->closest, v->missed[i], &is_negated);
      irl_json_literal(json, feature, is_negated);
    }
    irl_json_close(json, ']');
  }
  irl_text_init(&why, json->text.env);
  irl_predict_explain(&why, p, v);
  irl_json_take_text(json, "why", &why);
}

static void put_object(irl_predictor *p, const irl_verdict *v) {
  irl_json *json = &p->json;
  irl_json_open_flat(json, NULL, '{');
  irl_json_unsigned(json, "sample", p->n_samples + v->sample + 1);
  if (p->id_name) irl_json_string(json, "id", v->id);
  irl_json_string(json, "predicted", v->undecided ? NULL : irl_predict_class(p, v->predicted));
  if (v->label >= 0) irl_json_string(json, "label", irl_predict_class(p, v->label));
  if (p->rule->training) {
    irl_json_real(json, "probability", v->probability);
    irl_json_real(json, "low", v->low);
    irl_json_real(json, "high", v->high);
  }
  if (v->undecided) {
    irl_json_open(json, "measure", '[');
    for (uint32_t i = 0; i < v->n_measure; i++) irl_json_string(json, NULL, v->measure[i]);
    irl_json_close(json, ']');
  }
  irl_predict_put_unseen(p, v);
  if (p->explain) put_reasons(p, v);
  irl_json_close(json, '}');
  if (p->format != IRL_FORMAT_JSON_LINES) return;
  irl_text_puts(&json->text, "\n");
  json->has_items = false;
}

/* ---- identifiers that repeat ---- */

/* Notes what identifies a sample; the first that was there before is remembered. */
static bool note_id(irl_predictor *p, const irl_verdict *v) {
  const size_t n = p->ids.n;
  uint32_t number;
  if (!v->id || n >= MOST_IDS) return true;
  if (!irl_mem_reserve(&p->allocator, &p->id_samples, &p->samples_capacity, n,
                       sizeof *p->id_samples) ||
      !irl_names_intern(&p->ids, v->id, strlen(v->id), &number))
    return false;
  if (number == n) {
    p->id_samples[n] = p->n_samples + v->sample + 1;
  } else if (!p->n_twice++) {
    p->twice = number;
    p->twice_at = p->n_samples + v->sample + 1;
  }
  return true;
}

static void tell_ids(irl_env *env, const irl_predictor *p) {
  if (p->n_twice)
    irl_log(env, IRL_LOG_WARNING,
            "%s '%s' identifies samples %" PRIu64 " and %" PRIu64
            "%s: every row is predicted for itself",
            p->id_name, irl_names_get(&p->ids, p->twice), p->id_samples[p->twice], p->twice_at,
            p->n_twice > 1 ? ", and it is not the only one that repeats" : "");
  if (p->n_undecided)
    irl_log(env, IRL_LOG_NOTE,
            "%" PRIu64 " of %" PRIu64
            " samples miss values that decide; --decide takes a condition "
            "on a missing value for false, as when the rule was learnt",
            p->n_undecided, p->n_samples);
}

/* ---- the predictor ---- */

static int print_verdict(void *user, const irl_verdict *given) {
  irl_predictor *p = user;
  irl_verdict v = *given;
  if (p->decides && (v.undecided || v.predicted != (v.n_fired > 0))) {
    v.undecided = false;
    v.predicted = v.n_fired > 0;
    v.n_measure = 0;
  }
  p->n_undecided_here += v.undecided;
  if (!note_id(p, &v)) p->json.text.failed = true;
  if (p->format == IRL_FORMAT_JSON || p->format == IRL_FORMAT_JSON_LINES)
    put_object(p, &v);
  else
    put_line(p, &v);
  return p->json.text.failed;
}

irl_status irl_predictor_create(irl_env *env, const irl_rule *rule, irl_format format, bool explain,
                                irl_predictor **out) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!rule || !out || (unsigned)format > IRL_FORMAT_JSON_LINES)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a predictor needs a rule, a format and a place for it");
  irl_predictor *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  made->allocator = env->allocator;
  made->rule = rule;
  made->format = format;
  made->explain = explain;
  irl_names_init(&made->ids, &env->allocator);
  irl_json_init(&made->json, env);
  *out = made;
  return IRL_STATUS_OK;
}

void irl_predictor_decide(irl_predictor *predictor) {
  if (predictor) predictor->decides = true;
}

void irl_predictor_free(irl_predictor *predictor) {
  if (!predictor) return;
  const irl_allocator allocator = predictor->allocator;
  irl_names_free(&predictor->ids);
  irl_mem_free(&allocator, predictor->id_samples);
  irl_mem_free(&allocator, predictor->id_name);
  irl_mem_free(&allocator, predictor);
}

/* What stands before the first sample. */
static void begin(irl_predictor *p, bool has_labels) {
  p->is_begun = true;
  p->has_labels = has_labels;
  p->can_miss = p->table && !p->decides;
  if (p->format == IRL_FORMAT_JSON)
    irl_json_open(&p->json, NULL, '[');
  else if (p->format != IRL_FORMAT_JSON_LINES)
    put_header(p);
}

/* Hands over the text of this block; JSON goes on where it was. */
static irl_status hand_over(irl_predictor *p, irl_env *env, char **text) {
  irl_text taken = p->json.text;
  irl_text_init(&p->json.text, env);
  return p->format == IRL_FORMAT_TEXT ? irl_text_take_shown(&taken, text)
                                      : irl_text_take(&taken, text);
}

/* The name of the column of identifiers is that of the first block. */
static irl_status take_id_name(irl_env *env, irl_predictor *p, const irl_table *table) {
  if (p->is_begun || !table || !table->id_name) return IRL_STATUS_OK;
  irl_mem_free(&p->allocator, p->id_name);
  p->id_name = irl_mem_copy_text(&p->allocator, table->id_name, strlen(table->id_name));
  return p->id_name ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* The text of samples; a block that fails leaves the predictor as it was. */
static irl_status add_samples(irl_env *env, irl_predictor *p, const irl_data *data,
                              const irl_table *table, char **text) {
  if (p->is_begun && p->has_labels != data->has_labels)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "some of the blocks have labels and some have not");
  const irl_json before = p->json;
  const bool was_begun = p->is_begun;
  const irl_visitor visitor = {print_verdict, p};
  irl_status status = take_id_name(env, p, table);
  p->json.text.env = env;
  p->data = data;
  p->table = table && !table->is_bits && !table->cell_file ? table : NULL;
  p->n_undecided_here = 0;
  if (!status && !p->is_begun) begin(p, data->has_labels);
  if (!status) status = irl_predict_samples(env, p->rule, data, table, &visitor);
  p->data = NULL;
  p->table = NULL;
  if (!status) {
    status = hand_over(p, env, text);
  } else {
    irl_json_drop(&p->json);
    irl_text_init(&p->json.text, env);
  }
  if (!status) {
    p->n_samples += data->n_samples;
    p->n_undecided += p->n_undecided_here;
    return IRL_STATUS_OK;
  }
  const irl_text empty = p->json.text;
  p->json = before;
  p->json.text = empty;
  p->is_begun = was_begun;
  return status;
}

static irl_status refuse(irl_env *env) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "a predictor that is not finished, data and a place for the text are needed");
}

irl_status irl_predictor_add(irl_env *env, irl_predictor *p, const irl_data *data, char **text) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!p || !data || !text || p->is_finished) return refuse(env);
  return add_samples(env, p, data, NULL, text);
}

irl_status irl_predictor_add_table(irl_env *env, irl_predictor *p, const irl_table *table,
                                   char **text) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!p || !table || !text || p->is_finished) return refuse(env);
  irl_data *data = NULL;
  if (table->divided) return add_samples(env, p, table->divided, NULL, text);
  irl_status status = irl_table_data_for(env, table, p->rule, &data);
  if (!status) status = add_samples(env, p, data, table, text);
  irl_data_free(data);
  return status;
}

irl_status irl_predictor_finish(irl_env *env, irl_predictor *p, char **text) {
  if (!env) return IRL_STATUS_BAD_ARGUMENT;
  if (!p || !text || p->is_finished)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "a predictor that is not finished and a place for the text are needed");
  p->json.text.env = env;
  if (!p->is_begun) begin(p, false);
  if (p->format == IRL_FORMAT_JSON) {
    irl_json_close(&p->json, ']');
    irl_text_puts(&p->json.text, "\n");
  }
  irl_text_puts(&p->json.text, "");
  p->is_finished = true;
  tell_ids(env, p);
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
