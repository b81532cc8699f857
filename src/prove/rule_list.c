/* Children of the rule branch and bound from one list of clauses, for a proof on a subset of the
 * cases (case_subset.c).
 *
 * A node has chosen some clauses, and r more may follow. Let u be the number of cases of the subset
 * that are uncovered, p what is paid for controls, and each case of the subset weigh e or more. A
 * rule below the target t has w(uncovered cases of the subset) + w(covered controls) <= t - 1, so
 * its further clauses must gain g = e * u + p - (t - 1) on the subset.
 *
 * Lemma. With v(c) = r * e * (cases of the subset that c newly covers) - w(controls that it newly
 * covers) the values of the at most r further clauses sum up to r * g or more, since a control that
 * several of them cover is paid once. So for g > 0 one of them has v(c) >= g, and it covers at
 * least g / (r * e) uncovered cases of the subset, so no fewer of the whole subset. If that is more
 * than s - 1, the clause is in the list of all clauses with s cases of the subset: a scan of the
 * list gives all children. If the best of the children that are left has value v, no rule below
 * them has less loss than e * u + p - v.
 *
 * Where controls have a price, a list is shorter. Of all controls of that clause, of weight b,
 * those not yet covered weigh at least b - p and at least 0, so at least (b - p) / 2, and
 * 2 * r * e * a - b >= 2 * g - p for its cases a. If 2 * g - p > 2 * r * e * (s - 1), the clause is
 * in the list of the threshold s, which has all clauses with a >= s and 2 * K * e * (a - s + 1) >
 * b.
 *
 * Otherwise the node enumerates clauses by itself, on all uncovered cases (rule_bnb_node.c). This
 * happens where few clauses are left to choose, and then many cases have to be covered by each: the
 * enumeration is short.
 *
 * A clause that was branched on is in no rule sought that holds the clauses of the node; it is left
 * out at later siblings and below them. Of clauses with the same cover the list has one. What a
 * clause newly covers shrinks on the way down, so children scan only what reached the threshold of
 * the list at their parent; and of that, by falling totals, only those that cover as many cases as
 * the children of the node must newly cover. */
#include "prove/rule_list.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "prove/rule_bnb_node.h"

#define PACKED_WORDS 6u /* of the subset: more are counted faster in whole blocks */

/* What a node has seen of the list. */
typedef struct listed_level {
  uint64_t *live; /* uncovered cases of the subset */
  /* By falling totals: what reaches the threshold of the list here and is not out, as far as
   * children had to look. */
  uint32_t *ids;
  uint32_t n_ids;
  size_t id_capacity;
  uint32_t n_seen; /* of the parent's ids */
  uint32_t *child; /* the number in the list of each clause of the node */
  size_t child_capacity;
  size_t n_out; /* so many of the children are out */
} listed_level;

struct irl_listed {
  const irl_rule_list_view *view;
  listed_level levels[IRL_MAX_K + 1];
  uint32_t *counts, *kept_of_part; /* scratch for a scan of the list */
  size_t count_capacity, part_capacity;
  bool *is_out; /* of the list: in no rule sought with the clauses of the path */
};

/* ---- scans, in parts, in parallel where that pays ---- */

#define SCAN_PART 4096u

static uint32_t n_parts(size_t n) {
  return (uint32_t)((n + SCAN_PART - 1) / SCAN_PART);
}
static uint32_t part_size(uint32_t n, uint32_t part) {
  return n - part * SCAN_PART < SCAN_PART ? n - part * SCAN_PART : SCAN_PART;
}

/* One more than are asked for: an empty list has arrays too. */
static bool reserve_scan(const irl_rule_bnb *s, size_t n) {
  const irl_allocator *allocator = &s->env->allocator;
  irl_listed *l = s->listed;
  return irl_mem_reserve_more(allocator, &l->counts, &l->count_capacity, 0, n + 1,
                              sizeof *l->counts) &&
         irl_mem_reserve_more(allocator, &l->kept_of_part, &l->part_capacity, 0, n_parts(n) + 1u,
                              sizeof *l->kept_of_part);
}

/* How many of the live cases each of these clauses covers, in the scratch. */
static void count_live(irl_rule_bnb *s, const uint64_t *live, const uint32_t *ids, uint32_t n) {
  const irl_bits_matrix *cases = &s->listed->view->list->clauses->cases;
  const irl_kernels *kernels = irl_bits_kernels();
  const uint32_t parts = n_parts(n);
  uint32_t *counts = s->listed->counts;
  assert(counts && n <= s->listed->count_capacity);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? s->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    kernels->and_count_many(live, cases->words, cases->stride, ids + part * SCAN_PART,
                            part_size(n, part), cases->stride, counts + part * SCAN_PART);
  s->work += n * cases->stride;
}

/* Of these clauses those that newly cover as many cases as the list asks for: `into`, which must
 * not be before `ids` in the same array. How many. */
static uint32_t keep_close(irl_rule_bnb *s, const listed_level *at, const uint32_t *ids, uint32_t n,
                           uint32_t *into) {
  const irl_listed *l = s->listed;
  const irl_rule_list_view *view = l->view;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t stride = s->data->cases.stride;
  const uint32_t least = view->list->least;
  uint32_t kept = 0;
  if (!view->packed) {
    count_live(s, at->live, ids, n);
    for (uint32_t i = 0; i < n; i++) {
      into[kept] = ids[i];
      kept += l->counts[i] >= least && !l->is_out[ids[i]];
    }
    return kept;
  }
  const uint32_t parts = n_parts(n);
  uint64_t live[PACKED_WORDS];
  assert(view->n_words <= PACKED_WORDS && parts < l->part_capacity);
  kernels->gather_many(live, view->n_words, view->n_words, at->live, stride, NULL, 1,
                       view->list->subset, stride);
  memcpy(l->counts, ids, n * sizeof *ids);
#pragma omp parallel for num_threads(irl_threads_here(parts > 4 ? s->threads : 1)) schedule(static)
  for (uint32_t part = 0; part < parts; part++)
    l->kept_of_part[part] =
        (uint32_t)kernels->and_keep(live, view->n_words, view->packed, view->n_words,
                                    l->counts + part * SCAN_PART, part_size(n, part), least);
  for (uint32_t part = 0; part < parts; part++)
    for (uint32_t i = 0; i < l->kept_of_part[part]; i++) {
      const uint32_t k = l->counts[part * SCAN_PART + i];
      into[kept] = k;
      kept += !l->is_out[k];
    }
  s->work += n * view->n_words;
  return kept;
}

/* Looks so far that the level has all clauses of so many cases. A clause that is out below a node
 * was its child, and seen there before: it is missing nowhere once it is no longer out. */
static irl_status extend_ids(irl_rule_bnb *s, uint32_t depth, uint32_t need) {
  listed_level *at = &s->listed->levels[depth];
  if (!depth) return IRL_STATUS_OK;
  const listed_level *parent = &s->listed->levels[depth - 1];
  const irl_status status = extend_ids(s, depth - 1, need);
  if (status) return status;
  const uint32_t first = at->n_seen;
  while (at->n_seen < parent->n_ids && s->listed->view->totals[parent->ids[at->n_seen]] >= need)
    at->n_seen++;
  const uint32_t more = at->n_seen - first;
  assert(at->n_ids <= first && at->n_seen <= s->listed->view->list->clauses->n);
  if (!more) return IRL_STATUS_OK;
  if (!irl_mem_reserve_more(&s->env->allocator, &at->ids, &at->id_capacity, at->n_ids, more + 1u,
                            sizeof *at->ids) ||
      !reserve_scan(s, more))
    return irl_fail_memory(s->env);
  at->n_ids += keep_close(s, at, parent->ids + first, more, at->ids + at->n_ids);
  return IRL_STATUS_OK;
}

/* ---- the list as it is scanned ---- */

/* All clauses by falling totals: they are counted by these and placed. */
static bool sort_list(irl_rule_bnb *s, irl_rule_list_view *view) {
  const uint32_t n = (uint32_t)view->list->clauses->n, n_cases = s->data->n_cases;
  uint32_t at = 0, *starts = irl_arena_alloc(&s->arena, n_cases + 1u, sizeof *starts);
  view->order = irl_arena_alloc(&s->arena, n + 1u, sizeof *view->order);
  view->totals = irl_arena_alloc(&s->arena, n + 1u, sizeof *view->totals);
  if (!starts || !view->order || !view->totals || !reserve_scan(s, n)) return false;
  for (uint32_t i = 0; i < n; i++) view->order[i] = i;
  count_live(s, view->list->subset, view->order, n);
  memcpy(view->totals, s->listed->counts, n * sizeof *view->totals);
  for (uint32_t i = 0; i < n; i++) starts[view->totals[i]]++;
  for (uint32_t c = n_cases + 1; c-- > 0;) {
    const uint32_t here = starts[c];
    starts[c] = at;
    at += here;
  }
  assert(at == n);
  for (uint32_t i = 0; i < n; i++) view->order[starts[view->totals[i]]++] = i;
  return true;
}

/* Covers on a small subset are packed: scans read a word or a few in place of a block. */
static bool pack_list(irl_rule_bnb *s, irl_rule_list_view *view) {
  const irl_bits_matrix *cases = &view->list->clauses->cases;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t n = view->list->clauses->n;
  view->n_words = (kernels->count(view->list->subset, cases->stride) + 63) / 64;
  if (view->n_words > PACKED_WORDS) return true;
  view->packed = irl_arena_alloc_aligned(&s->arena, n * view->n_words + 1, sizeof *view->packed);
  if (!view->packed) return false;
  kernels->gather_many(view->packed, view->n_words, view->n_words, cases->words, cases->stride,
                       NULL, n, view->list->subset, cases->stride);
  s->work += n * cases->stride;
  return true;
}

irl_status irl_rule_list_view_make(irl_rule_bnb *s, const irl_rule_list *list,
                                   irl_rule_list_view *view) {
  *view = (irl_rule_list_view){.list = list};
  assert(list->least && list->unit > 0);
  const irl_status status = irl_listed_create(s, view);
  if (status) return status;
  if (!sort_list(s, view) || !pack_list(s, view)) return irl_fail_memory(s->env);
  s->listed->levels[0].ids = view->order;
  s->listed->levels[0].n_ids = (uint32_t)list->clauses->n;
  return IRL_STATUS_OK;
}

/* ---- workers ---- */

irl_status irl_listed_create(irl_rule_bnb *s, const irl_rule_list_view *view) {
  irl_listed *l = s->listed = irl_arena_alloc(&s->arena, 1, sizeof *l);
  if (!l) return irl_fail_memory(s->env);
  l->view = view;
  l->is_out = irl_arena_alloc(&s->arena, view->list->clauses->n + 1, sizeof *l->is_out);
  bool is_ready = l->is_out;
  for (uint32_t i = 0; i <= s->search->problem->K && is_ready; i++) {
    l->levels[i].live =
        irl_arena_alloc_aligned(&s->arena, s->data->cases.stride, sizeof *l->levels[i].live);
    is_ready = l->levels[i].live;
  }
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(s->env);
}

void irl_listed_free(irl_rule_bnb *s) {
  const irl_allocator *allocator = &s->search->env->allocator;
  irl_listed *l = s->listed;
  if (!l) return;
  for (uint32_t i = 0; i <= s->search->problem->K; i++) {
    if (i) irl_mem_free(allocator, l->levels[i].ids); /* the root's are those of the view */
    irl_mem_free(allocator, l->levels[i].child);
  }
  irl_mem_free(allocator, l->counts);
  irl_mem_free(allocator, l->kept_of_part);
}

/* ---- nodes ---- */

/* Clause k of the list becomes a child. */
static irl_status add_child(irl_rule_bnb *s, uint32_t depth, int64_t value, uint32_t k) {
  const irl_clause_set *list = s->listed->view->list->clauses;
  irl_clause_array *into = &s->levels[depth].clauses;
  listed_level *at = &s->listed->levels[depth];
  irl_clause clause = {.value = value, .n = list->sizes[k]};
  memcpy(clause.literals, irl_clause_set_literals(list, k), clause.n * sizeof *clause.literals);
  if (!irl_mem_reserve(&s->env->allocator, &at->child, &at->child_capacity, into->n,
                       sizeof *at->child) ||
      !irl_clause_array_add(into, &clause))
    return irl_fail_memory(s->env);
  at->child[into->n - 1] = k;
  return IRL_STATUS_OK;
}

/* The children of the node: clauses of the list that gain enough. */
static irl_status scan_list(irl_rule_bnb *s, uint32_t depth, int64_t gain) {
  const irl_rule_list_view *view = s->listed->view;
  const irl_clause_set *list = view->list->clauses;
  const irl_rule_bnb_level *here = &s->levels[depth];
  const listed_level *at = &s->listed->levels[depth];
  const irl_kernels *kernels = irl_bits_kernels();
  const int64_t left = s->search->problem->K - depth, factor = left * view->list->unit;
  const int64_t budget = s->target - 1 - here->node.cost_so_far;
  const int64_t need = (gain + factor - 1) / factor;
  assert(gain > 0 && budget >= 0);
  if (need > UINT32_MAX) return IRL_STATUS_OK;
  irl_status status = extend_ids(s, depth, (uint32_t)need);
  for (uint32_t i = 0; i < at->n_ids && view->totals[at->ids[i]] >= need && !status; i++) {
    const uint32_t k = at->ids[i];
    if (s->listed->is_out[k]) continue;
    const int64_t count =
        (int64_t)kernels->and_count(at->live, irl_bits_vector(&list->cases, k), list->cases.stride);
    s->work += list->cases.stride;
    if (factor * count < gain) continue;
    const int64_t cost =
        irl_merged_weigh_both(s->merged, 1, irl_bits_vector(&list->controls, k), here->controls);
    s->work += list->controls.stride;
    if (cost > budget || factor * count - cost < gain) continue;
    status = add_child(s, depth, factor * count - cost, k);
  }
  return status;
}

irl_status irl_listed_open(irl_rule_bnb *s, uint32_t depth, bool *is_served) {
  const irl_rule_list *list = s->listed->view->list;
  irl_rule_bnb_level *here = &s->levels[depth];
  listed_level *at = &s->listed->levels[depth];
  const size_t words = s->data->cases.stride;
  const int64_t left = s->search->problem->K - depth, paid = here->node.cost_so_far;
  const uint64_t u = irl_bits_kernels()->and_into(at->live, here->cases, list->subset, words);
  at->n_out = 0;
  if (depth) at->n_ids = at->n_seen = 0;
  here->base = list->unit * (int64_t)u + paid;
  const int64_t gain = here->base - (s->target - 1);
  const int64_t twice = 2 * gain - (list->is_priced ? paid : 0);
  *is_served = twice > 2 * left * list->unit * ((int64_t)list->least - 1);
  if (!*is_served || paid > s->target - 1) return IRL_STATUS_OK;
  return scan_list(s, depth, gain);
}

/* Child i of the node is out, or no longer. Children that the node enumerated are not of the list.
 */
static void set_out(irl_rule_bnb *s, uint32_t depth, size_t i, bool is_out) {
  const irl_rule_bnb_level *here = &s->levels[depth];
  if (here->is_listed) s->listed->is_out[s->listed->levels[depth].child[here->order[i]]] = is_out;
}

static void put_out_up_to(irl_rule_bnb *s, uint32_t depth, size_t first) {
  listed_level *at = &s->listed->levels[depth];
  for (; at->n_out < first; at->n_out++) set_out(s, depth, at->n_out, true);
}

void irl_listed_close(irl_rule_bnb *s, uint32_t depth, size_t i) {
  listed_level *below = &s->listed->levels[depth + 1];
  for (size_t k = 0; k < below->n_out; k++) set_out(s, depth + 1, k, false);
  below->n_out = 0;
  assert(s->listed->levels[depth].n_out <= i + 1);
  put_out_up_to(s, depth, i + 1);
}

/* What a node on the way has seen of the list. */
static bool copy_level(const irl_rule_bnb *from, irl_rule_bnb *to, uint32_t depth) {
  const listed_level *l = &from->listed->levels[depth];
  listed_level *at = &to->listed->levels[depth];
  memcpy(at->live, l->live, from->data->cases.stride * sizeof *l->live);
  at->n_out = 0;
  at->n_ids = l->n_ids;
  at->n_seen = l->n_seen;
  if (!depth) { /* all of the list */
    at->ids = from->listed->view->order;
    return true;
  }
  if (!irl_mem_reserve_more(&to->env->allocator, &at->ids, &at->id_capacity, 0, l->n_ids + 1u,
                            sizeof *at->ids))
    return false;
  assert(l->n_ids <= l->n_seen && l->n_seen <= from->listed->levels[depth - 1].n_ids);
  if (l->n_ids) /* it has none if it enumerated clauses itself */
    memcpy(at->ids, l->ids, l->n_ids * sizeof *l->ids);
  return true;
}

bool irl_listed_give(const irl_rule_bnb *from, irl_rule_bnb *to, uint32_t depth, size_t first,
                     bool is_root) {
  const irl_listed *giver = from->listed;
  irl_listed *l = to->listed;
  listed_level *at = &l->levels[depth];
  const irl_rule_bnb_level *here = &to->levels[depth];
  const uint32_t K = to->search->problem->K;
  const size_t n = here->is_listed ? here->clauses.n : 0;
  if (from != to && (!is_root || !at->child)) {
    for (uint32_t i = 0; i <= depth; i++)
      if (!copy_level(from, to, i)) return false;
    if (!irl_mem_reserve_more(&to->env->allocator, &at->child, &at->child_capacity, 0, n + 1,
                              sizeof *at->child))
      return false;
    if (n) memcpy(at->child, giver->levels[depth].child, n * sizeof *at->child);
    /* What is out below the node is not out for who gets it. */
    if (!is_root)
      memcpy(l->is_out, giver->is_out, giver->view->list->clauses->n * sizeof *l->is_out);
    for (uint32_t i = depth + 1; i <= K && !is_root; i++) {
      const irl_rule_bnb_level *below = &from->levels[i];
      for (size_t k = 0; below->is_listed && k < giver->levels[i].n_out; k++)
        l->is_out[giver->levels[i].child[below->order[k]]] = false;
    }
    for (uint32_t i = depth + 1; i <= K; i++) l->levels[i].n_out = 0;
  }
  assert(at->n_out <= first && first < here->n_order);
  put_out_up_to(to, depth, first);
  return true;
}
