/* Clauses that cover many cases: those that are kept, and further literals among few, depth first,
 * a column of a few words each. */
#include "clause/covering_worker.h"

void irl_covering_keep(irl_covering_worker *w, uint32_t column, uint32_t cases, uint64_t controls) {
  const irl_covering *job = w->job;
  assert(cases >= job->thresholds->min_cases);
  if (w->ending || !irl_covering_is_wanted(job->search->model, job->thresholds, cases, controls))
    return;
  irl_clause clause = w->clause;
  clause.literals[clause.n++] = job->search->model->root.set.id[column];
  clause.value = 0;
  clause.cases = cases;
  clause.controls = (uint32_t)controls;
  irl_clause_sort_literals(&clause);
  if (w->store->n > job->cap) /* one more than the list has room for says that there are more */
    w->ending = IRL_ENDED_BY_CAP;
  else if (!irl_clause_array_add(w->store, &clause))
    w->ending = IRL_ENDED_BY_MEMORY;
}

void irl_covering_extend(irl_covering_worker *w, const irl_covering_table *t, const uint64_t *cases,
                         uint32_t *ids, uint32_t n) {
  const irl_clause_search *search = w->job->search;
  const uint32_t depth = w->clause.n, least = w->job->thresholds->min_cases;
  uint64_t *joint = irl_covering_path_cases(w, depth + 1);
  for (uint32_t i = 0; i < n && !irl_covering_must_end(w); i++) {
    const uint32_t column = t->column[ids[i]];
    const uint32_t covered =
        irl_covering_and_words(joint, cases, t->columns.words + ids[i] * t->words, t->words);
    w->work += t->words;
    if (depth + 1 == search->model->max_size || i + 1 == n) {
      irl_covering_keep(w, column, covered, irl_covering_count_controls(w, column));
      continue;
    }
    const uint64_t controls = irl_covering_push(w, column);
    w->clause.n--;
    irl_covering_keep(w, column, covered, controls);
    w->clause.n++;
    uint32_t *further = ids + n, n_further = n - i - 1, kept = 0;
    memcpy(further, ids + i + 1, n_further * sizeof *further);
    w->work += 2 * n_further; /* most are out at the first word or the second */
    n_further = (uint32_t)w->job->kernels->keep_close(joint, t->words, t->columns.words, t->words,
                                                      further, n_further, covered - least);
    for (uint32_t k = 0; k < n_further; k++)
      if (!irl_covering_is_grouped(w, t->column[further[k]])) further[kept++] = further[k];
    if (kept) irl_covering_extend(w, t, joint, further, kept);
    w->clause.n--;
  }
}
