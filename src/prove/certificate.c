/* Writing the certificate of a proven rule; what its lines mean is said in verify.c.
 *
 * A proof by nesting is run once more with the final loss, so that every node is that of a search
 * which knew it from the start: its nodes are the lines. A proof by list needs one line, since the
 * checker makes the list and goes through it by itself: one listing in place of one for each node,
 * so that it is preferred where the list is short. The list of the proof will do, unless it was
 * made for a greater loss.
 *
 * All of it obeys the limits of the run: a certificate that they cut short is not there
 * (IRL_E_LIMIT), and the rule is as proven as before. */
#include "prove/prove.h"
#include "prove/rule_bnb.h"
#include "verify/verify.h"
#include <xxhash.h>

#define FEW_NODES 50u /* of a nested search that are checked faster than a list */

static irl_status put_scope(const irl_learner *learner, irl_text *text) {
  irl_json json;
  char *line;
  irl_json_init(&json, learner->env);
  irl_scope_put(&json, NULL, true, learner->scope);
  const irl_status status = irl_json_take(&json, &line);
  if (status) return status;
  irl_text_printf(text, "scope %s", line); /* with its newline */
  irl_text_free(learner->env, line);
  return IRL_OK;
}

static irl_status put_head(const irl_learner *learner, irl_text *text) {
  const irl_learn_settings *settings = &learner->settings;
  const irl_data *data = learner->data;
  irl_data_info info;
  irl_data_describe(data, &info);
  irl_text_printf(text, "ireland certificate %u\n", IRL_VERIFY_VERSION);
  const irl_status status = put_scope(learner, text);
  irl_text_printf(text, "data %016llx samples %u cases %u controls %u features %u\n",
                  (unsigned long long)info.checksum, data->n_samples, data->n_cases,
                  data->n_controls, data->n_features);
  irl_text_printf(
      text, "limits K %u M %u negations %d literals %llu cases %llu controls %llu\n", settings->K,
      settings->M, settings->negations,
      settings->max_literals == UINT64_MAX ? 0ULL : (unsigned long long)settings->max_literals,
      (unsigned long long)learner->min_cases,
      learner->max_controls < data->n_controls ? (unsigned long long)learner->max_controls
                                               : data->n_controls);
  irl_text_printf(text, "loss %s case %lld control %lld penalty %lld best %lld\n",
                  settings->is_hamming ? "hamming" : "weighted", (long long)settings->case_weight,
                  (long long)settings->control_weight, (long long)settings->penalty,
                  (long long)learner->best.loss);
  irl_text_printf(text, "samples %s\n", learner->merged.own ? "merged" : "plain");
  return status;
}

static void put_rule(const irl_learner *learner, irl_text *text) {
  const irl_clause_set *pool = &learner->pool;
  irl_text_printf(text, "rule %u\n", learner->best.n);
  for (uint32_t i = 0; i < learner->best.n; i++) {
    const uint32_t k = learner->best.clauses[i];
    const uint32_t *literals = irl_clause_set_literals(pool, k);
    irl_text_puts(text, "clause");
    for (uint32_t l = 0; l < pool->sizes[k]; l++)
      irl_text_printf(text, " %s%u", irl_literal_is_negated(literals[l]) ? "!" : "",
                      irl_literal_feature(literals[l]) + 1);
    irl_text_puts(text, "\n");
  }
}

static irl_status cut_short(const irl_learner *learner) {
  return irl_fail(learner->env, IRL_E_LIMIT, "%s while the certificate was made",
                  irl_stopped(learner->env) ? "stopped" : "a limit came");
}

/* The nodes of the nested search, and how many they are. */
static irl_status put_bnb_nodes(irl_learner *learner, irl_text *text, uint64_t *n) {
  irl_rule_bnb_task task = {
      .cap = SIZE_MAX / 2, .target = irl_learner_target(learner), .record = text};
  const size_t start = text->length;
  const irl_limit left = irl_learner_sublimit(learner, UINT64_MAX);
  const irl_status status = irl_rule_bnb_solve(learner, &left, &task);
  if (status) return status;
  if (!task.is_proven) return cut_short(learner);
  *n = 0;
  for (size_t i = start; !text->failed && i < text->length; i++) *n += text->bytes[i] == '\n';
  return IRL_OK;
}

/* A list, with the cases that are given away for it in hexadecimal, four to a digit. */
static void put_list(const irl_learner *learner, irl_text *text) {
  irl_text_puts(text, "0 list");
  if (learner->relaxed) {
    irl_text_printf(text, " %lld ", (long long)learner->largest);
    for (uint32_t i = 0; i < learner->data->n_cases; i += 4) {
      const unsigned digit = learner->relaxed[i / 64] >> i % 64 & 15;
      irl_text_printf(text, "%x", digit);
    }
  }
  irl_text_puts(text, "\n");
}

static void put_end(irl_text *text, uint64_t n) {
  const uint64_t hash = text->failed ? 0 : XXH3_64bits(text->bytes, text->length);
  irl_text_printf(text, "end %llu %016llx\n", (unsigned long long)n, (unsigned long long)hash);
}

/* The nodes, one way or the other. */
static irl_status put_nodes(irl_learner *learner, irl_text *text, uint64_t *n) {
  irl_text nodes;
  bool is_enumerated =
      learner->is_enumerated && learner->enumerated_target == irl_learner_target(learner);
  irl_status status = IRL_OK;
  irl_text_init(&nodes, learner->env);
  *n = 1;
  if (!learner->is_enumerated) status = put_bnb_nodes(learner, &nodes, n);
  if (!status && !is_enumerated && (learner->is_enumerated || *n > FEW_NODES))
    status = irl_prove_again(learner, &is_enumerated);
  if (is_enumerated) {
    put_list(learner, text);
    *n = 1;
  } else if (nodes.bytes) {
    irl_text_puts(text, nodes.bytes);
  }
  text->failed |= nodes.failed;
  irl_text_drop(&nodes);
  return !status && !is_enumerated && learner->is_enumerated ? cut_short(learner) : status;
}

irl_status irl_prove_certify(irl_learner *learner, char **out) {
  irl_text text;
  uint64_t n = 0;
  irl_text_init(&text, learner->env);
  irl_status status = put_head(learner, &text);
  put_rule(learner, &text);
  if (!status) status = put_nodes(learner, &text, &n);
  put_end(&text, n);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}
