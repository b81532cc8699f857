/* What proof methods share: the table, limits of an attempt, and what there is to estimate by. */
#include "prove/methods.h"
#include "prove/prove.h"

static const irl_prover_row table[] = {
#define METHOD_ROW(id, name, tag) {IRL_PROOF_##id, tag, &irl_method_##name},
    IRL_PROOF_METHOD_TABLE(IRL_METHOD_NONE, METHOD_ROW)
#undef METHOD_ROW
};

const irl_prover_row *irl_prover_table(size_t *n) {
  *n = sizeof table / sizeof *table;
  return table;
}

irl_prover irl_prover_make(irl_search *search, uint64_t work) {
  const uint64_t end = work < UINT64_MAX - search->work ? search->work + work : UINT64_MAX;
  return (irl_prover){.search = search,
                      .end = end,
                      .last = end,
                      .attempt_end = end,
                      .effort = work,
                      .bnb_full_at = INT64_MAX,
                      .full_at = INT64_MAX};
}

irl_limit irl_prover_limit(const irl_prover *p) {
  const uint64_t work = p->search->work;
  return irl_search_sublimit(p->search, p->attempt_end > work ? p->attempt_end - work : 1);
}

double irl_prover_unknown(const irl_prover *p) {
  return (double)p->search->settings.tuning.prove_overrun * (double)p->effort;
}

size_t irl_prover_cap(const irl_prover *p, size_t least, size_t most) {
  const uint64_t more = p->effort / p->search->settings.tuning.prove;
  const size_t cap = more > most / least ? most : more > 1 ? (size_t)more * least : least;
  return p->cap ? p->cap : cap < most ? cap : most;
}

double irl_prover_n_literals(const irl_search *search) {
  return (double)search->problem->merged.data->n_features * (search->problem->negations ? 2 : 1);
}

double irl_prover_words(const irl_search *search) {
  const irl_data *data = search->problem->merged.data;
  return (double)(data->cases.stride + data->controls.stride);
}

/* For more than three literals no such number says anything, since few clauses are ever reached. */
double irl_prover_work_of_all(const irl_search *search) {
  const irl_problem *problem = search->problem;
  double work = irl_prover_words(search);
  for (uint32_t i = 0; i < problem->M; i++) work *= irl_prover_n_literals(search) / (i + 1);
  return problem->M > 3 ? 1e300 : work;
}

bool irl_prover_is_small(const irl_prover *p) {
  return irl_search_has_rule(p->search) &&
         irl_prover_work_of_all(p->search) <= irl_prover_unknown(p);
}

size_t irl_prove_max_cap(const irl_search *search) {
  const irl_data *data = search->problem->data;
  const size_t bytes = (data->cases.stride + data->controls.stride) * sizeof(uint64_t);
  const size_t cap = irl_search_affords(search, IRL_PROVE_MEMORY) / 2 / bytes;
  /* An enumeration that is an extra stays small. */
  const size_t quick = 5 * search->settings.tuning.list_cap;
  return !search->settings.prove && cap > quick ? quick : cap;
}
