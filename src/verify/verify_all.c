/* Checking that a list of rules is complete: `0 all T n` and n rules.
 *
 * Claim: every rule within the limits with a loss of at most T in which nothing is superfluous
 * (each clause and each literal that is dropped makes the loss larger, or leaves the limits) is one
 * of the n, and all of these are such rules, none of less loss than the rule of the certificate.
 * Then no rule has less loss: of one that had, drop what is superfluous until nothing is; what is
 * left has no more loss and would be on the list.
 *
 * Checked: each rule of the list is weighed whole and without each of its parts. Then all rules are
 * gone through, clause by clause, as if T + 1 were the loss to beat. Let R be a rule of the claim
 * that has the clauses S of a node. By the lemma of verify_select.c one of its further clauses has
 * at least the value that the loss asks for; it covers a case that no other clause of R covers,
 * since without it the loss were not larger otherwise; and without any of its literals (if it has
 * more than one) it would cover more controls that count, since else the loss were not larger
 * either. The node has a child for each clause of that kind. Below a child no rule is looked for
 * that has the clause of an earlier sibling, of it or of the nodes above: these were met there. */
#include "base/endian.h"
#include "bits/kernels.h"
#include "verify/verify_replay.h"
#include <assert.h>
#include <stdlib.h>

/* Numbers one after the other. */
typedef struct words {
  IRL_ARRAY(uint32_t)
} words;

/* A rule of the list: its clauses in order, each as its size and its literals. */
typedef struct listed {
  uint64_t hash;
  size_t at, n; /* words */
} listed;

typedef struct search {
  irl_verify_replay *v;
  size_t line;
  irl_verify_limits limits; /* with T + 1 as the best loss */
  int64_t least;            /* the loss of the rule itself */
  words text;               /* of the rules of the list */
  struct {
    IRL_ARRAY(listed)
  } rules;
  irl_verify_state levels[IRL_VERIFY_MAX_K + 1]; /* of the path */
  irl_verify_state parts[2];                     /* scratch: a rule that is weighed */
  uint64_t *cover, *shorter;                     /* scratch */
  uint32_t (*path)[IRL_VERIFY_MAX_M + 1];        /* clauses: size, literals */
  words children[IRL_VERIFY_MAX_K];              /* of each node of the path, clauses likewise */
  /* Clauses that no rule below may have, each as M + 1 words, and where they stand by their hash:
   * numbers from 1 in open addressing, of which the last one put is the first one to go. */
  words barred;
  uint32_t *slots;
  size_t n_slots;
  uint32_t depth;
  bool is_out_of_memory;
} search;

/* ---- clauses and rules as words ---- */

static int compare_clauses(const void *x, const void *y) {
  const uint32_t *a = x, *b = y; /* size, literals */
  for (uint32_t i = 0; i < a[0] && i < b[0]; i++)
    if (a[i + 1] != b[i + 1]) return a[i + 1] < b[i + 1] ? -1 : 1;
  return (a[0] > b[0]) - (a[0] < b[0]);
}

static uint64_t hash_words(const uint32_t *items, size_t n) {
  uint64_t hash = n;
  for (size_t i = 0; i < n; i++) hash = (hash ^ items[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
  return hash;
}

/* The rule of so many clauses at `clauses`, in order, behind the other words. */
static bool put_rule(search *s, uint32_t (*clauses)[IRL_VERIFY_MAX_M + 1], uint32_t n,
                     listed *rule) {
  const irl_allocator *allocator = &s->v->env->allocator;
  uint32_t sorted[IRL_VERIFY_MAX_K][IRL_VERIFY_MAX_M + 1];
  assert(n <= s->limits.K);
  *rule = (listed){.at = s->text.n};
  for (uint32_t k = 0; k < n; k++) memcpy(sorted[k], clauses[k], sizeof *sorted);
  if (n) qsort(sorted, n, sizeof *sorted, compare_clauses);
  for (uint32_t k = 0; k < n; k++) {
    if (!irl_array_reserve(allocator, &s->text, sorted[k][0] + 1)) return false;
    memcpy(s->text.items + s->text.n, sorted[k], (sorted[k][0] + 1) * sizeof **sorted);
    s->text.n += sorted[k][0] + 1;
  }
  rule->n = s->text.n - rule->at;
  if (rule->n) rule->hash = hash_words(s->text.items + rule->at, rule->n);
  return true;
}

static int compare_rules(const search *s, const listed *a, const listed *b) {
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->n != b->n) return a->n < b->n ? -1 : 1;
  return a->n ? memcmp(s->text.items + a->at, s->text.items + b->at, a->n * sizeof(uint32_t)) : 0;
}

/* By hash alone; equal ones are compared by whoever looks. */
static int by_hash(const void *x, const void *y) {
  const listed *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

/* Is the rule of the path on the list? */
static bool is_listed(search *s) {
  listed rule;
  const size_t n = s->text.n;
  if (!put_rule(s, s->path, s->depth, &rule)) {
    s->is_out_of_memory = true;
    return true;
  }
  assert(rule.at == n && rule.at + rule.n == s->text.n);
  s->text.n = n; /* it stays readable there */
  size_t low = 0, high = s->rules.n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->rules.items[middle].hash < rule.hash)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < s->rules.n && s->rules.items[low].hash == rule.hash; low++)
    if (!compare_rules(s, &s->rules.items[low], &rule)) return true;
  return false;
}

/* ---- what a rule loses ---- */

/* The loss without literal l of clause k, or (l its size) without the clause, or (k = n) of all;
 * INT64_MAX: that is not within the limits. */
static int64_t weigh(search *s, uint32_t (*clauses)[IRL_VERIFY_MAX_M + 1], uint32_t n, uint32_t k,
                     uint32_t l) {
  const irl_verify_view *view = &s->v->all;
  irl_verify_state *at = &s->parts[0], *next = &s->parts[1];
  const irl_verify_state *root = &s->levels[0];
  memcpy(at->live, root->live, 2 * view->stride * sizeof *at->live);
  const irl_verify_state start = {root->left,     root->uncovered, root->cost_so_far,
                                  root->controls, root->literals,  at->live,
                                  at->touched};
  *at = start;
  irl_verify_spend(&s->v->meter, 3 * view->stride * (n + 1));
  for (uint32_t i = 0; i < n; i++) {
    irl_literal literals[IRL_VERIFY_MAX_M];
    uint32_t size = 0;
    if (i == k && l == clauses[i][0]) continue;
    for (uint32_t j = 0; j < clauses[i][0]; j++)
      if (i != k || j != l) literals[size++] = clauses[i][j + 1];
    irl_verify_cover(view, at->live, literals, size, s->cover);
    irl_verify_take(view, &s->limits, at, s->cover, size, next);
    irl_verify_state *swap = at;
    at = next;
    next = swap;
  }
  const irl_verify_limits *limits = &s->limits;
  assert(irl_verify_state_check(view, limits, at));
  if (at->uncovered > limits->max_uncovered || at->controls > limits->max_controls ||
      at->literals > limits->max_literals)
    return INT64_MAX;
  return at->uncovered + at->cost_so_far;
}

/* Is nothing superfluous in a rule of that loss? */
static bool is_tight(search *s, uint32_t (*clauses)[IRL_VERIFY_MAX_M + 1], uint32_t n,
                     int64_t loss) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t l = clauses[k][0] > 1 ? 0 : 1; l <= clauses[k][0]; l++)
      if (weigh(s, clauses, n, k, l) <= loss) return false;
  return true;
}

/* ---- the list ---- */

/* One rule of the list: within the limits, of a loss that is claimed, with nothing superfluous. */
static irl_status read_rule(search *s) {
  irl_verify_replay *v = s->v;
  uint64_t n;
  listed rule;
  if (!irl_verify_expect(v, "rule #", &n)) return IRL_STATUS_OK;
  const size_t line = v->text.line.number;
  if (n > v->limits.K) irl_verify_reject(v, line, "a rule of the list has %u clauses", (unsigned)n);
  for (uint32_t k = 0; k < n && !v->is_rejected; k++)
    if (!irl_verify_read_clause(v, s->path[k] + 1, s->path[k])) return IRL_STATUS_OK;
  if (v->is_rejected) return IRL_STATUS_OK;
  const int64_t loss = weigh(s, s->path, (uint32_t)n, (uint32_t)n, 0);
  if (loss >= s->limits.best || loss < s->least)
    irl_verify_reject(v, line, "a rule of the list is not within the limits, or of another loss");
  else if (!is_tight(s, s->path, (uint32_t)n, loss))
    irl_verify_reject(v, line, "something is superfluous in a rule of the list");
  if (v->is_rejected) return IRL_STATUS_OK;
  return put_rule(s, s->path, (uint32_t)n, &rule) &&
                 irl_array_push(&v->env->allocator, &s->rules, rule)
             ? IRL_STATUS_OK
             : irl_fail_memory(v->env);
}

static irl_status read_rules(search *s, uint64_t n) {
  irl_verify_replay *v = s->v;
  irl_status status = IRL_STATUS_OK;
  for (uint64_t i = 0; i < n && !status && !v->is_rejected && !v->meter.is_cut; i++)
    status = read_rule(s);
  if (status || v->is_rejected || v->meter.is_cut) return status;
  if (s->rules.n) qsort(s->rules.items, s->rules.n, sizeof *s->rules.items, by_hash);
  for (size_t i = 0; i < s->rules.n; i++)
    for (size_t k = i; k-- > 0 && s->rules.items[k].hash == s->rules.items[i].hash;)
      if (!compare_rules(s, &s->rules.items[k], &s->rules.items[i]))
        irl_verify_reject(v, s->line, "a rule is there twice");
  return IRL_STATUS_OK;
}

/* ---- clauses that no rule below may have ---- */

static uint32_t *slot_of(const search *s, const uint32_t *clause) {
  const size_t stride = s->limits.M + 1;
  assert(clause[0] && clause[0] < stride && s->n_slots);
  size_t i = hash_words(clause, clause[0] + 1) & (s->n_slots - 1);
  while (s->slots[i] && memcmp(s->barred.items + (s->slots[i] - 1) * stride, clause,
                               (clause[0] + 1) * sizeof *clause))
    i = (i + 1) & (s->n_slots - 1);
  return &s->slots[i];
}

static bool bar(search *s, const uint32_t *clause) {
  const irl_allocator *allocator = &s->v->env->allocator;
  const size_t stride = s->limits.M + 1, n = s->barred.n / stride;
  if (!irl_array_reserve(allocator, &s->barred, stride)) return false;
  if (2 * (n + 1) > s->n_slots) { /* anew, in the same order */
    const size_t larger = s->n_slots ? 2 * s->n_slots : 64;
    uint32_t *slots = irl_mem_alloc(allocator, larger, sizeof *slots);
    if (!slots) return false;
    irl_mem_free(allocator, s->slots);
    s->slots = slots;
    s->n_slots = larger;
    for (size_t i = 0; i < n; i++) *slot_of(s, s->barred.items + i * stride) = (uint32_t)i + 1;
  }
  uint32_t *slot = slot_of(s, clause);
  assert(!*slot);
  memcpy(s->barred.items + s->barred.n, clause, stride * sizeof *clause);
  s->barred.n += stride;
  *slot = (uint32_t)n + 1;
  return true;
}

/* Only the first n stay. */
static void unbar(search *s, size_t n) {
  const size_t stride = s->limits.M + 1;
  while (s->barred.n > n * stride) {
    uint32_t *slot = slot_of(s, s->barred.items + s->barred.n - stride);
    assert(*slot == s->barred.n / stride);
    *slot = 0;
    s->barred.n -= stride;
  }
}

/* ---- all rules ---- */

/* Called for each clause that the loss allows at a node: it is a child if it may be met and none of
 * its literals is superfluous. */
static bool keep_child(void *user, const irl_verify_clause *clause) {
  search *s = user;
  irl_verify_replay *v = s->v;
  const irl_verify_view *view = &v->all;
  const irl_verify_state *state = &s->levels[s->depth];
  const size_t stride = s->limits.M + 1, bytes = stride * sizeof(uint32_t);
  uint32_t own[IRL_VERIFY_MAX_M + 1] = {clause->n};
  assert(clause->n && clause->n < stride && irl_verify_view_has(view, clause->cover));
  memcpy(own + 1, clause->literals, clause->n * sizeof *clause->literals);
  v->result->clauses++;
  if (irl_verify_spend(&v->meter, clause->n * view->stride)) return true;
  if (s->n_slots && *slot_of(s, own)) return false;
  for (uint32_t l = 0; l < clause->n && clause->n > 1; l++) {
    irl_literal literals[IRL_VERIFY_MAX_M];
    for (uint32_t i = 0, n = 0; i < clause->n; i++)
      if (i != l) literals[n++] = clause->literals[i];
    irl_verify_cover(view, state->live, literals, clause->n - 1, s->shorter);
    if (irl_verify_weigh(view, &view->controls, s->shorter) == clause->controls) return false;
  }
  if (v->meter.bytes + bytes > v->meter.max_bytes) {
    v->meter.is_cut = v->meter.is_full = true;
    return true;
  }
  words *children = &s->children[s->depth];
  if (!irl_array_reserve(&v->env->allocator, children, stride)) return s->is_out_of_memory = true;
  memcpy(children->items + children->n, own, bytes);
  children->n += stride;
  v->meter.bytes += bytes;
  return false;
}

static irl_status list_children(search *s) {
  const irl_verify_limits *limits = &s->limits;
  const irl_verify_state *state = &s->levels[s->depth];
  const int64_t left = state->left, gain = irl_verify_required_gain(limits, state);
  const bool costs = limits->is_hamming || limits->penalty;
  const irl_verify_wanted wanted = {.case_factor = left,
                                    .control_factor = limits->is_hamming ? left : 1,
                                    .min_value = gain < 0 && costs ? left * gain : gain,
                                    .min_cover = 1,
                                    .max_controls = irl_verify_max_controls(limits, state),
                                    .budget = irl_verify_budget(limits, state),
                                    .penalty = limits->penalty,
                                    .max_size = irl_verify_max_size(limits, state)};
  assert(left > 0 && s->depth + state->left == limits->K);
  s->children[s->depth].n = 0;
  if (state->controls > limits->max_controls) return IRL_STATUS_OK;
  return irl_verify_list(s->v->env, &s->v->all, state->live, &wanted, keep_child, s);
}

static bool is_ended(const search *s) {
  return s->v->is_rejected || s->v->meter.is_cut || s->is_out_of_memory;
}

static irl_status visit(search *s) {
  irl_verify_replay *v = s->v;
  const irl_verify_view *view = &v->all;
  const irl_verify_state *state = &s->levels[s->depth];
  const size_t stride = s->limits.M + 1, n_barred = s->barred.n / stride;
  const int64_t loss = state->cost_so_far + state->uncovered;
  assert(irl_verify_state_check(view, &s->limits, state));
  if (irl_verify_is_better(&s->limits, state) && is_tight(s, s->path, s->depth, loss) &&
      !is_listed(s))
    irl_verify_reject(v, s->line, "a rule of %u clauses with loss %lld is not on the list",
                      s->depth, (long long)loss);
  if (!state->left || is_ended(s)) return IRL_STATUS_OK;
  irl_status status = list_children(s);
  const words *children = &s->children[s->depth];
  for (size_t i = 0; i < children->n && !status && !is_ended(s); i += stride) {
    uint32_t *clause = s->path[s->depth];
    memcpy(clause, children->items + i, stride * sizeof *clause);
    irl_verify_cover(view, state->live, clause + 1, clause[0], s->cover);
    irl_verify_take(view, &s->limits, state, s->cover, clause[0], &s->levels[s->depth + 1]);
    s->depth++;
    status = visit(s);
    s->depth--;
    s->is_out_of_memory |= !bar(s, children->items + i);
  }
  v->meter.bytes -= children->n * sizeof(uint32_t);
  unbar(s, n_barred);
  return status;
}

static irl_status prepare(search *s) {
  irl_verify_replay *v = s->v;
  irl_env *env = v->env;
  irl_status status = irl_verify_make_root(v, &s->levels[0]);
  for (uint32_t i = 0; i < v->limits.K && !status; i++)
    status = irl_verify_state_init(env, &v->all, &s->levels[i + 1]);
  for (int i = 0; i < 2 && !status; i++) status = irl_verify_state_init(env, &v->all, &s->parts[i]);
  s->cover = irl_verify_new_column(env, &v->all);
  s->shorter = irl_verify_new_column(env, &v->all);
  s->path = irl_mem_alloc(&env->allocator, v->limits.K, sizeof *s->path);
  if (!status && (!s->cover || !s->shorter || !s->path)) status = irl_fail_memory(env);
  return status;
}

irl_status irl_verify_check_all(irl_verify_replay *v, size_t line, uint64_t most, uint64_t n) {
  const irl_allocator *allocator = &v->env->allocator;
  search *s = irl_mem_alloc(allocator, 1, sizeof *s);
  if (!s) return irl_fail_memory(v->env);
  s->v = v;
  s->line = line;
  s->limits = v->limits;
  s->limits.best = (int64_t)most + 1;
  s->least = v->result->loss;
  irl_status status = IRL_STATUS_OK;
  if ((int64_t)most < s->least)
    irl_verify_reject(v, line, "the rule has loss %lld", (long long)s->least);
  else
    status = prepare(s);
  if (!status && !v->is_rejected) status = read_rules(s, n);
  if (!status && !is_ended(s)) status = visit(s);
  if (!status && s->is_out_of_memory) status = irl_fail_memory(v->env);
  if (v->meter.is_cut) status = irl_verify_cut(v);
  v->result->rules = s->rules.n;
  v->result->most = (int64_t)most;
  for (uint32_t i = 0; i <= v->limits.K; i++) irl_verify_state_free(v->env, &s->levels[i]);
  for (int i = 0; i < 2; i++) irl_verify_state_free(v->env, &s->parts[i]);
  for (uint32_t i = 0; i < v->limits.K; i++) irl_array_free(allocator, &s->children[i]);
  irl_mem_free_aligned(allocator, s->cover);
  irl_mem_free_aligned(allocator, s->shorter);
  irl_mem_free(allocator, s->path);
  irl_array_free(allocator, &s->text);
  irl_array_free(allocator, &s->rules);
  irl_array_free(allocator, &s->barred);
  irl_mem_free(allocator, s->slots);
  irl_mem_free(allocator, s);
  return status;
}
