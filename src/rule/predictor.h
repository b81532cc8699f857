/* Inside predictions as text: what predictor.c and predict_words.c share. */
#ifndef IRL_RULE_PREDICTOR_H
#define IRL_RULE_PREDICTOR_H

#include "base/json.h"
#include "rule/rule_json.h"
#include "rule/training.h"

struct irl_predictor {
  irl_allocator allocator;
  const irl_rule *rule;
  irl_format format;
  bool explain;
  bool decides; /* a condition on a missing value fails, as when the rule was learnt */
  bool is_begun, has_labels, is_finished;
  bool can_miss; /* what came first was a table of columns: texts have one for what to measure */
  uint64_t n_samples; /* of the blocks before */
  irl_json json;      /* or its text alone; between two blocks it has none */
  const irl_data *data;
  const irl_table *table; /* of the data's columns; NULL: they are bits alone */
  uint64_t n_undecided, n_undecided_here;
  char *id_name;        /* of the column that identifies samples; NULL: there is none */
  irl_names ids;        /* what identified samples so far, */
  uint64_t *id_samples; /* and which */
  size_t samples_capacity;
  uint64_t n_twice, twice_at; /* how often one was there before; the first such sample, */
  uint32_t twice;             /* and which of `ids` it has */
};

/* The rule's own words for the classes; the data's where it has none. */
const char *irl_predict_class(const irl_predictor *predictor, int is_case);
/* Why a sample is predicted so, as a sentence. */
void irl_predict_explain(irl_text *text, const irl_predictor *predictor, const irl_verdict *v);
/* Columns with a value that was never seen, as a member of the open object. */
void irl_predict_put_unseen(irl_predictor *predictor, const irl_verdict *v);

#endif
