/* Why a sample is predicted so, in a sentence that a person reads: what holds, with the values that
 * the sample has, or what is missing for it to hold; what was never seen; and what samples like it
 * were among those that the rule was learnt from. */
#include "base/number.h"
#include "rule/predictor.h"
#include <inttypes.h>

const char *irl_predict_class(const irl_predictor *p, int is_case) {
  const char *name = is_case ? p->rule->positive : p->rule->negative;
  return name ? name : is_case ? p->data->positive : p->data->negative;
}

/* "ill = yes" */
static void put_class(irl_text *text, const irl_predictor *p, int is_case) {
  if (p->rule->target) irl_text_printf(text, "%s = ", p->rule->target);
  irl_text_puts(text, irl_predict_class(p, is_case));
}

/* The column of the table that a name of the rule asks about; NULL: there are bits alone. */
static const irl_column *find_column(const irl_predictor *p, const char *name) {
  if (!p->table) return NULL;
  const uint32_t found = irl_names_find(&p->table->names, name, strlen(name));
  return found == IRL_NO_NAME ? NULL : &p->table->columns[found];
}

static void put_value(irl_text *text, const irl_column *column, uint32_t sample) {
  if (irl_column_is_missing(column, sample)) {
    irl_text_puts(text, "missing");
  } else if (column->type == IRL_COLUMN_CATEGORY) {
    irl_text_puts(text, irl_names_get(column->values, column->codes[sample]));
  } else {
    char number[IRL_NUMBER_SIZE];
    irl_number_print(irl_column_number(column, sample), number);
    irl_text_puts(text, number);
  }
}

/* A literal that holds: "age > 52.5 (it is 61)". */
static void put_literal(irl_text *text, const irl_predictor *p, irl_literal literal,
                        uint32_t sample, bool with_value) {
  const irl_named_condition asked =
      irl_condition_of(&p->rule->conditions, &p->rule->names, irl_literal_feature(literal));
  const irl_column *column = find_column(p, asked.column);
  const bool is_told =
      irl_condition_is_cut(&asked.condition) || asked.condition.relation == IRL_DIFFERS;
  irl_text_printf(text, "%s%s", irl_literal_is_negated(literal) ? IRL_NEGATION : "",
                  irl_rule_name(p->rule, literal));
  if (!with_value || !column || !is_told) return;
  irl_text_puts(text, " (it is ");
  put_value(text, column, sample);
  irl_text_puts(text, ")");
}

static void put_clause(irl_text *text, const irl_predictor *p, uint32_t clause, uint32_t sample,
                       bool with_values) {
  const size_t first = p->rule->start[clause], end = p->rule->start[clause + 1];
  if (first == end) irl_text_puts(text, "it holds of every sample");
  for (size_t i = first; i < end; i++) {
    if (i > first) irl_text_puts(text, i + 1 == end ? " and " : ", ");
    put_literal(text, p, p->rule->literals[i], sample, with_values);
  }
}

/* Why a literal fails: "ca is 0", "!smoker fails". */
static void put_failure(irl_text *text, const irl_predictor *p, const irl_verdict *v, uint32_t i) {
  const irl_literal literal = p->rule->literals[p->rule->start[v->closest] + v->missed[i]];
  const irl_named_condition asked =
      irl_condition_of(&p->rule->conditions, &p->rule->names, irl_literal_feature(literal));
  const irl_column *column = find_column(p, asked.column);
  if (column && column->type != IRL_COLUMN_SNP) {
    irl_text_printf(text, "%s is ", asked.column);
    put_value(text, column, v->sample);
    return;
  }
  irl_text_printf(text, "%s is %d", irl_rule_name(p->rule, literal),
                  irl_literal_is_negated(literal));
}

static void put_control(irl_text *text, const irl_predictor *p, const irl_verdict *v) {
  if (!v->n_missed) {
    irl_text_puts(text, ": the rule has no clause");
    return;
  }
  irl_text_puts(text, p->rule->n_clauses == 1 ? ": the only clause, " : ": closest is ");
  put_clause(text, p, v->closest, v->sample, false);
  irl_text_puts(text, p->rule->n_clauses == 1 ? ", fails: " : ", but ");
  for (uint32_t i = 0; i < v->n_missed; i++) {
    if (i) irl_text_puts(text, i + 1 == v->n_missed ? " and " : ", ");
    put_failure(text, p, v, i);
  }
}

/* "ca and thal are missing" */
static void put_missing(irl_text *text, const irl_verdict *v) {
  for (uint32_t i = 0; i < v->n_measure; i++)
    irl_text_printf(text, "%s%s",
                    i == 0                  ? ""
                    : i + 1 == v->n_measure ? " and "
                                            : ", ",
                    v->measure[i]);
  irl_text_puts(text, v->n_measure == 1 ? " is missing; once it is known the rule decides"
                                        : " are missing; once they are known the rule decides");
}

/* Columns with values that were never seen, one after another: i = 0, 1, ...; NULL: no more. */
static const irl_column *next_unseen(const irl_predictor *p, const irl_verdict *v, size_t *i,
                                     const char **name) {
  const irl_training *t = p->rule->training;
  for (; t && p->table && *i < t->columns.n; ++*i) {
    *name = irl_names_get(&t->columns, *i);
    const irl_column *column = find_column(p, *name);
    if (!column || !irl_known_lacks(&t->known[*i], column, v->sample)) continue;
    ++*i;
    return column;
  }
  return NULL;
}

void irl_predict_put_unseen(irl_predictor *p, const irl_verdict *v) {
  const char *name;
  size_t i = 0;
  bool is_open = false;
  while (next_unseen(p, v, &i, &name)) {
    if (!is_open) irl_json_open(&p->json, "unseen", '[');
    is_open = true;
    irl_json_string(&p->json, NULL, name);
  }
  if (is_open) irl_json_close(&p->json, ']');
}

void irl_predict_explain(irl_text *text, const irl_predictor *p, const irl_verdict *v) {
  const char *name;
  const irl_column *column;
  size_t i = 0;
  if (v->undecided)
    irl_text_puts(text, "cannot tell: ");
  else
    put_class(text, p, v->predicted);
  if (v->undecided)
    put_missing(text, v);
  else if (!v->predicted)
    put_control(text, p, v);
  else if (!v->n_fired)
    irl_text_puts(text, ", whatever the missing values are");
  for (uint32_t k = 0; k < v->n_fired; k++) {
    irl_text_puts(text, k ? "; and because " : ", because ");
    put_clause(text, p, v->fired[k], v->sample, true);
  }
  while ((column = next_unseen(p, v, &i, &name))) {
    irl_text_printf(text, "; %s is ", name);
    put_value(text, column, v->sample);
    irl_text_puts(text, ", which was never seen");
  }
  if (!v->like_samples) return;
  irl_text_printf(text, "; of %" PRIu64 " samples like it %" PRIu64 " had ", v->like_samples,
                  v->like_cases);
  put_class(text, p, 1);
}
