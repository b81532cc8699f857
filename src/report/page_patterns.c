/* Which clauses hold together: each pattern of clauses that some sample has, with how many cases
 * and controls have it, of the training samples and of those that were held out. */
#include "report/page.h"
#include "rule/training.h"

#define SHOWN 24u /* patterns, the most frequent ones */

static void put_counts(irl_json *json, const char *key, const uint64_t counts[2]) {
  irl_json_open_flat(json, key, '[');
  irl_json_unsigned(json, NULL, counts[1]);
  irl_json_unsigned(json, NULL, counts[0]);
  irl_json_close(json, ']');
}

static void put_pattern(irl_json *json, const irl_training *own, const irl_training *held,
                        size_t i) {
  static const uint64_t none[2];
  const char *key = irl_names_get(&own->keys, i);
  irl_json_open_flat(json, NULL, '{');
  irl_json_open(json, "clauses", '[');
  for (size_t k = 0; k < own->n_clauses; k++)
    if (key[k] == '1') irl_json_unsigned(json, NULL, k);
  irl_json_close(json, ']');
  put_counts(json, "training", own->counts[i]);
  if (held) {
    const uint32_t found = irl_names_find(&held->keys, key, own->n_clauses);
    put_counts(json, "held_out", found == IRL_NO_NAME ? none : held->counts[found]);
  }
  irl_json_close(json, '}');
}

/* The patterns that are shown, and how many samples the others have. */
static void put_patterns(irl_json *json, const irl_training *own, const irl_training *held) {
  uint64_t others = 0, n_others = 0, n_shown = 0;
  irl_json_open(json, "patterns", '[');
  for (size_t i = 0; i < own->keys.n; i++) {
    const uint64_t n = own->counts[i][0] + own->counts[i][1];
    if (n && n_shown++ < SHOWN) put_pattern(json, own, held, i);
    if (!n || n_shown <= SHOWN) continue;
    others += n;
    n_others++;
  }
  irl_json_close(json, ']');
  irl_json_unsigned(json, "other_patterns", n_others);
  irl_json_unsigned(json, "samples_of_others", others);
}

/* Samples that a clause covers and no other: those of the pattern of that clause alone. */
static void put_alone(irl_json *json, const irl_training *own) {
  irl_json_open(json, "alone", '[');
  for (size_t k = 0; k < own->n_clauses; k++) {
    uint64_t counts[2] = {0, 0};
    for (size_t i = 0; i < own->keys.n; i++) {
      const char *key = irl_names_get(&own->keys, i);
      if (strchr(key, '1') == key + k && !strchr(key + k + 1, '1'))
        memcpy(counts, own->counts[i], sizeof counts);
    }
    put_counts(json, NULL, counts);
  }
  irl_json_close(json, ']');
}

irl_status irl_page_patterns(irl_page *page) {
  irl_training *own = NULL, *held = NULL;
  const irl_fit_result *fit = page->fit;
  if (!fit->rule->n_clauses) return IRL_STATUS_OK;
  irl_status status = irl_training_of(page->env, fit->rule, fit->data, SIZE_MAX, &own);
  if (!status && fit->test_data)
    status = irl_training_of(page->env, fit->rule, fit->test_data, SIZE_MAX, &held);
  if (!status) {
    put_patterns(&page->json, own, held);
    put_alone(&page->json, own);
  }
  irl_training_free(own);
  irl_training_free(held);
  return status;
}
