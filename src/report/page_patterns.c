/* Which clauses hold together: each pattern of clauses that some sample has, with how many cases
 * and controls have it, of the training samples and of those that were held out.
 *
 * Patterns are found by refinement: samples begin in one group, and each clause divides every group
 * into those it covers and the others. */
#include "base/memory.h"
#include "report/page.h"
#include <stdlib.h>

#define SHOWN 24u /* patterns, the most frequent ones */

typedef struct pattern {
  uint64_t counts[2][2]; /* of the samples learnt from, held out: controls, cases */
  uint32_t sample;       /* one that has it: */
  uint8_t part, is_case; /* of these samples, and that class */
} pattern;

typedef struct patterns {
  const irl_bound_rule *bound[2]; /* on the samples learnt from and held out; NULL: none */
  uint32_t *group;                /* of each sample: both classes of both parts, in order */
  uint32_t *next;                 /* of each group: what its covered samples become */
  size_t n_samples, n, capacity;
  pattern *items;
} patterns;

static const irl_bits_matrix *covers_of(const irl_bound_rule *bound, int is_case) {
  return is_case ? &bound->cases : &bound->controls;
}

static bool holds(const patterns *p, const pattern *item, size_t clause) {
  return irl_bits_get(irl_bits_vector(covers_of(p->bound[item->part], item->is_case), clause),
                      item->sample);
}

/* Divides the groups by clause k; then numbers are taken again for groups that have samples. */
static void divide(patterns *p, size_t k) {
  uint32_t *group = p->group, n = 0;
  size_t made = p->n;
  for (size_t i = 0; i < p->n; i++) p->next[i] = UINT32_MAX;
  for (int part = 0; part < 2; part++)
    for (int class = 0; class < 2 && p->bound[part]; class ++) {
      const irl_bits_matrix *covers = covers_of(p->bound[part], class);
      const uint64_t *cover = irl_bits_vector(covers, k);
      for (size_t i = 0; i < covers->n_bits; i++, group++) {
        if (!irl_bits_get(cover, i)) continue;
        if (p->next[*group] == UINT32_MAX) p->next[*group] = (uint32_t)made++;
        *group = p->next[*group];
      }
    }
  assert(group == p->group + p->n_samples && made <= p->capacity);
  for (size_t i = 0; i < made; i++) p->next[i] = UINT32_MAX;
  for (size_t i = 0; i < p->n_samples; i++) {
    uint32_t *number = &p->next[p->group[i]];
    if (*number == UINT32_MAX) *number = n++;
    p->group[i] = *number;
  }
  p->n = n;
}

/* Counts the samples of each group that is left. */
static void count(patterns *p) {
  const uint32_t *group = p->group;
  for (int part = 0; part < 2; part++)
    for (int class = 0; class < 2 && p->bound[part]; class ++)
      for (uint32_t i = 0; i < covers_of(p->bound[part], class)->n_bits; i++, group++) {
        pattern *item = &p->items[*group];
        if (!item->counts[0][0] && !item->counts[0][1] && !item->counts[1][0] &&
            !item->counts[1][1]) {
          item->sample = i;
          item->part = (uint8_t)part;
          item->is_case = (uint8_t) class;
        }
        item->counts[part][class]++;
      }
}

static uint64_t size_of(const pattern *p) {
  return p->counts[0][0] + p->counts[0][1];
}

/* The most frequent first; ties in the order of the samples. */
static int compare(const void *a, const void *b) {
  const pattern *x = a, *y = b;
  if (size_of(x) != size_of(y)) return size_of(x) > size_of(y) ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  if (x->is_case != y->is_case) return x->is_case < y->is_case ? -1 : 1;
  return (x->sample > y->sample) - (x->sample < y->sample);
}

static irl_status find(irl_env *env, patterns *p) {
  for (int part = 0; part < 2; part++)
    if (p->bound[part])
      p->n_samples += p->bound[part]->cases.n_bits + p->bound[part]->controls.n_bits;
  const size_t n_clauses = p->bound[0]->rule->n_clauses;
  /* A division makes no more groups than there were. */
  size_t most = 1;
  for (size_t k = 0; k < n_clauses && most < p->n_samples; k++) most *= 2;
  p->capacity = 2 * most;
  p->group = irl_mem_alloc(&env->allocator, p->n_samples, sizeof *p->group);
  p->next = irl_mem_alloc(&env->allocator, p->capacity, sizeof *p->next);
  if (!p->group || !p->next) return irl_fail_memory(env);
  p->n = 1;
  for (size_t k = 0; k < n_clauses; k++) divide(p, k);
  p->items = irl_mem_alloc(&env->allocator, p->n, sizeof *p->items);
  if (!p->items) return irl_fail_memory(env);
  count(p);
  qsort(p->items, p->n, sizeof *p->items, compare);
  while (p->n && !size_of(&p->items[p->n - 1])) p->n--; /* those that only held-out ones have */
  return IRL_STATUS_OK;
}

/* ---- as JSON ---- */

static void put_counts(irl_json *json, const char *key, const uint64_t counts[2]) {
  irl_json_open_flat(json, key, '[');
  irl_json_unsigned(json, NULL, counts[1]);
  irl_json_unsigned(json, NULL, counts[0]);
  irl_json_close(json, ']');
}

/* The patterns that are shown, and how many samples the others have. */
static void put_patterns(irl_json *json, const patterns *p) {
  uint64_t rest = 0;
  irl_json_open(json, "patterns", '[');
  for (size_t i = 0; i < p->n && i < SHOWN; i++) {
    const pattern *item = &p->items[i];
    irl_json_open_flat(json, NULL, '{');
    irl_json_open(json, "clauses", '[');
    for (size_t k = 0; k < p->bound[0]->rule->n_clauses; k++)
      if (holds(p, item, k)) irl_json_unsigned(json, NULL, k);
    irl_json_close(json, ']');
    put_counts(json, "training", item->counts[0]);
    if (p->bound[1]) put_counts(json, "held_out", item->counts[1]);
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
  for (size_t i = SHOWN; i < p->n; i++) rest += size_of(&p->items[i]);
  irl_json_unsigned(json, "other_patterns", p->n > SHOWN ? p->n - SHOWN : 0);
  irl_json_unsigned(json, "samples_of_others", rest);
}

/* Samples that a clause covers and no other: those of the pattern of that clause alone. */
static void put_alone(irl_json *json, const patterns *p) {
  const size_t n_clauses = p->bound[0]->rule->n_clauses;
  irl_json_open(json, "alone", '[');
  for (size_t k = 0; k < n_clauses; k++) {
    uint64_t counts[2] = {0, 0};
    for (size_t i = 0; i < p->n; i++) {
      size_t n = 0;
      for (size_t other = 0; other < n_clauses; other++) n += holds(p, &p->items[i], other);
      if (n != 1 || !holds(p, &p->items[i], k)) continue;
      counts[0] += p->items[i].counts[0][0];
      counts[1] += p->items[i].counts[0][1];
    }
    put_counts(json, NULL, counts);
  }
  irl_json_close(json, ']');
}

irl_status irl_page_patterns(irl_page *page) {
  irl_bound_rule own = {0}, held = {0};
  patterns p = {.bound = {&own, NULL}};
  const irl_fit_result *fit = page->fit;
  if (!fit->rule->n_clauses) return IRL_STATUS_OK;
  irl_status status = irl_rule_bind(page->env, fit->rule, fit->data, &own);
  if (status) return status;
  if (fit->test_data) status = irl_rule_bind(page->env, fit->rule, fit->test_data, &held);
  if (fit->test_data && !status) p.bound[1] = &held;
  if (!status) status = find(page->env, &p);
  if (!status) {
    put_patterns(&page->json, &p);
    put_alone(&page->json, &p);
  }
  irl_mem_free(&page->env->allocator, p.group);
  irl_mem_free(&page->env->allocator, p.next);
  irl_mem_free(&page->env->allocator, p.items);
  irl_bound_rule_free(page->env, &own);
  if (p.bound[1]) irl_bound_rule_free(page->env, &held);
  return status;
}
