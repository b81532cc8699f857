#include "base/memory.h"
#include "data/sample_weights.h"
#include "search/proof.h"
#include <assert.h>
#include <string.h>

#define MOST_STEPS (1u << 22) /* of a search for a loss: some milliseconds */

static const char *const method_names[] = {
#define SOURCE_TEXT(id, text)      text,
#define METHOD_TEXT(id, name, tag) #name,
    IRL_PROOF_METHOD_TABLE(SOURCE_TEXT, METHOD_TEXT)
#undef SOURCE_TEXT
#undef METHOD_TEXT
};

const char *irl_proof_method_name(irl_proof_method method) {
  assert(method < IRL_N_PROOF_METHODS);
  return method_names[method];
}

irl_proof_method irl_proof_method_find(const char *name, size_t length) {
  int i = 0;
  while (i < IRL_N_PROOF_METHODS &&
         (strlen(method_names[i]) != length || memcmp(method_names[i], name, length)))
    i++;
  return (irl_proof_method)i;
}

void irl_proof_init(irl_proof *proof) {
  *proof = (irl_proof){.evidence = {.target = -1}};
}

void irl_proof_evidence_free(irl_proof_evidence *evidence, const irl_allocator *allocator) {
  irl_mem_free_aligned(allocator, evidence->relaxed);
  irl_mem_free(allocator, evidence->nodes);
  *evidence = (irl_proof_evidence){.target = -1};
}

void irl_proof_raise(irl_proof *proof, int64_t bound, int64_t loss) {
  const int64_t before = proof->bound;
  assert(loss >= proof->least);
  if (bound > loss) bound = loss;
  if (bound > before) {
    proof->bound = bound;
    proof->bound_by = proof->method;
  }
  assert(proof->bound <= loss || proof->bound == before);
}

void irl_proof_close(irl_proof *proof, int64_t loss, irl_proof_evidence *evidence,
                     const irl_allocator *allocator) {
  assert(proof->bound <= loss);
  irl_proof_raise(proof, loss, loss);
  irl_proof_evidence_free(&proof->evidence, allocator);
  proof->evidence = *evidence;
  *evidence = (irl_proof_evidence){.target = -1};
}

void irl_proof_restart(irl_proof *proof, const irl_allocator *allocator) {
  irl_proof_evidence_free(&proof->evidence, allocator);
  proof->bound = proof->least;
  proof->bound_by = IRL_PROOF_MERGED;
}

#ifndef NDEBUG
bool irl_proof_check(const irl_proof *proof, int64_t loss) {
  const irl_proof_evidence *evidence = &proof->evidence;
  const bool is_closed = irl_proof_is_closed(proof, loss), is_there = evidence->target >= 0;
  if (proof->bound < proof->least) return false;
  if (proof->bound > loss) return false;
  if (is_there ? !is_closed : evidence->way != IRL_PROOF_BY_BOUND) return false;
  if (evidence->relaxed &&
      ((evidence->way != IRL_PROOF_BY_ENUMERATION && evidence->way != IRL_PROOF_BY_CASE_SUBSET) ||
       !is_there || evidence->largest <= 0))
    return false;
  return !evidence->nodes || (evidence->way == IRL_PROOF_BY_RULE_BNB && evidence->n_nodes);
}
#endif

int64_t irl_loss_round_up(int64_t bound, int64_t case_weight, int64_t control_weight,
                          uint64_t n_cases) {
  int64_t least = INT64_MAX;
  assert(case_weight > 0 && control_weight > 0);
  if (bound <= 0) return 0;
  if (n_cases > MOST_STEPS) { /* a multiple of what all losses are multiples of */
    const int64_t unit = irl_common_divisor(case_weight, control_weight);
    return (bound + unit - 1) / unit * unit;
  }
  for (int64_t a = 0; a <= (int64_t)n_cases && least > bound; a++) {
    const int64_t rest = bound - a * case_weight;
    const int64_t b = rest > 0 ? (rest + control_weight - 1) / control_weight : 0;
    const int64_t loss = a * case_weight + b * control_weight;
    if (loss < least) least = loss;
    if (rest <= 0) break;
  }
  assert(least >= bound);
  return least;
}
