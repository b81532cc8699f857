/* Replaying a certificate. Its lines:
 *
 *   ireland certificate 3
 *   scope {...}              what it is about, as JSON (rule/scope.h); the numbers follow from it
 *   data CHECKSUM samples N cases N1 controls N0 features J
 *   features [...]           what each of them asks, as JSON (rule/rule_json.h)
 *   limits K k M m negations 0|1 literals L cases C controls D
 *   loss weighted|hamming case W1 control W0 penalty P best U
 *   samples plain|merged
 *   rule n
 *   clause LITERALS          n times: the rule, as in its file
 *   0 KIND                   the root of the proof, then each node after its parent:
 *   DEPTH LITERALS KIND      the clause that the node adds to those of its parent
 *   end NODES CHECKSUM       how many nodes; of all bytes before this line
 *
 * A literal is the number of a feature, from 1, with ! before it if it is negated. L: at most so
 * many literals in a rule; C: it covers at least so many cases; D: at most so many controls. A
 * limit on complexity, clauses and literals together, is in the scope alone. A clause of n literals
 * costs P * (1 + n). With sample weights cases and controls are counted by these; data of a CNF
 * are reflected (table/reflect.c). Merged samples are those of irl_verify_view_merge: for the
 * weighted loss without C, D and P.
 *
 * Claim: no rule within the limits has a loss below U, the loss of the rule named. Suppose one had.
 * A node stands for the better rules that hold all clauses S on the way to it; it says why there
 * are none. With r clauses left, g is the gain that they need together, a and b are the weights of
 * cases and controls that a clause would newly cover, c what it costs by itself. KIND is one of
 *
 *   branch value n   The values r * (a - c) - b of the clauses, r or fewer, sum up to r * g or more
 *                    (the lemma of verify_select.c; under the Hamming loss every clause pays for
 *                    each control, and the value is r * (a - b - c)). So one of them has at least g
 *                    if that is positive, and r * g otherwise; without penalties and with the
 *                    weighted loss at least g in any case, since s clauses have s * a - b >= g for
 *                    one of them, and r * a is no less. All such clauses are listed here, and every
 *                    one of them must be dominated. Each pays b + c out of the budget. The n
 *                    children come by falling value, fewer literals, literals.
 *                    If literals are limited or cost, and g is positive, the values of clauses of s
 *                    literals have in place of r the most clauses that a rule may add if it adds
 *                    one of s literals (irl_verify_clauses_beside, where the lemma is).
 *   branch cover n   As before, for the clauses with r * a no less than the weight of cases that
 *                    the r clauses have to cover together: one of them has so much.
 *   branch size m n  As by value, where g is positive. All clauses of at most m literals are listed
 *                    as well; a rule that has none of them adds only clauses of more than m
 *                    literals, which are fewer. Children of at most m literals come first, shorter
 *                    ones before longer ones.
 *   list             All clauses that may be part of a better rule are listed, and all selections
 *                    of r of them gone through.
 *   list m CASES     For the root of a weighted loss. The cases of the set CASES (hexadecimal, the
 *                    first four in the first digit, lowest bit first; of merged samples all that
 *                    hold one of them) are relaxed, by a multiplier of 1 each: the clauses gain at
 *                    most their weight there, and g' = g - that weight on the others, where the
 *                    values sum up to r * g' or more. If none of them is above m, each is at least
 *                    r * g' - (r - 1) * m, which has to be more than 0. All such clauses are
 *                    listed; since m is at least g', one above m would be among them.
 *   kept T CASES     For the root of a weighted loss without penalties and limits: verify_kept.c.
 *   all T n          For the root: n rules follow, each as the rule above, and no others have a
 *                    loss of at most T: verify_all.c.
 *
 * A clause d is dominated by e if e covers no fewer of the live cases, no controls that d does not
 * cover, and, where literals count or cost, is no longer: with e in place of d a better rule stays
 * one. What may dominate are refuted clauses: the children, and the earlier siblings of the node
 * and of its ancestors. Each of them has been shown to be in no better rule together with clauses
 * that are all in S. With r = 1 nothing may be left that passes both thresholds. A clause that adds
 * no case is in no smallest better rule. */
#include "base/memory.h"
#include "bits/row_kernels.h"
#include "verify/verify_kept.h"
#include "verify/verify_replay.h"
#include <assert.h>
#include <stdio.h>
#include <xxhash.h>

#define LONG_LIST  ((size_t)1 << 16) /* clauses, from which on a list is reduced before it grows */
#define SHOWN_SIZE 200u              /* bytes of a clause in a message */

/* A node as its line has it. */
typedef struct node {
  size_t line;
  uint32_t depth, n;
  irl_literal literals[IRL_VERIFY_MAX_M]; /* of its clause, ascending */
  bool is_list, is_cover, is_kept, is_all;
  uint64_t n_children, n_rules;
  uint64_t small;      /* all clauses of at most so many literals are accounted for */
  int64_t factor;      /* of a child: how often the value of its clause counts the cases */
  uint64_t largest;    /* of a list with relaxed cases: the largest value; of kept ones: cases of a
                          clause; of all rules: their loss */
  const char *relaxed; /* the set of the relaxed or kept cases, */
  size_t n_digits;     /* of so many digits */
} node;

/* Does a node of this depth come next? Then it is in *out. */
static bool read_node(irl_verify_replay *v, uint32_t depth, node *out) {
  if (!irl_verify_expect_line(v)) return false;
  const irl_verify_line *line = &v->text.line;
  uint32_t at = 1;
  uint64_t number;
  assert(depth <= v->limits.K);
  *out = (node){.line = line->number, .depth = depth};
  if (!irl_verify_number(line, 0, v->limits.K, &number) || number != depth)
    return irl_verify_reject(v, line->number, "a node of depth %u is expected here", depth);
  if (!irl_verify_read_literals(v, &at, out->literals, &out->n) || !out->n != !depth)
    return irl_verify_reject(v, line->number, "the node has no proper clause");
  assert(out->n <= v->limits.M && at <= line->n);
  const bool is_list = irl_verify_is_word(line, at, "list");
  out->is_list = is_list && line->n == at + 1;
  if (is_list && !depth && line->n == at + 3 && !v->limits.is_hamming && !v->limits.penalty &&
      irl_verify_number(line, at + 1, (uint64_t)IRL_VERIFY_MAX_WEIGHT, &out->largest)) {
    out->is_list = true;
    out->relaxed = line->word[at + 2];
    out->n_digits = line->length[at + 2];
  }
  if (irl_verify_is_word(line, at, "kept") && !depth && line->n == at + 3 &&
      !v->limits.is_hamming && !irl_verify_counts_literals(&v->limits) && !v->min_cases &&
      v->max_controls >= irl_data_total(v->data, 1) &&
      irl_verify_number(line, at + 1, UINT32_MAX, &out->largest)) {
    out->is_kept = true;
    out->relaxed = line->word[at + 2];
    out->n_digits = line->length[at + 2];
  }
  out->is_cover = irl_verify_is_word(line, at + 1, "cover");
  const bool is_size = irl_verify_is_word(line, at + 1, "size") && line->n == at + 4 &&
                       irl_verify_number(line, at + 2, v->limits.M, &out->small);
  const bool is_branch = irl_verify_is_word(line, at, "branch") && line->n == at + 3 + is_size &&
                         (is_size || out->is_cover || irl_verify_is_word(line, at + 1, "value")) &&
                         irl_verify_number(line, at + 2 + is_size, UINT32_MAX, &out->n_children);
  out->is_all = irl_verify_is_word(line, at, "all") && !depth && line->n == at + 3 &&
                v->limits.max_complexity == UINT64_MAX &&
                irl_verify_number(line, at + 1, (uint64_t)IRL_VERIFY_MAX_WEIGHT, &out->largest) &&
                irl_verify_number(line, at + 2, UINT32_MAX, &out->n_rules);
  if (!out->is_list && !out->is_kept && !is_branch && !out->is_all)
    irl_verify_reject(
        v, line->number,
        "'branch value', 'cover' or 'size' with a number, 'list', 'kept' or 'all' is expected");
  v->result->nodes++;
  return !v->is_rejected;
}

/* The listing of a node and what dominates its clauses. */
typedef struct listing {
  irl_verify_replay *v;
  const node *at;
  const irl_verify_view *view;
  const irl_verify_state *state;
  irl_verify_pool refuted; /* with covers among what is live; made when the first clause comes */
  irl_verify_pool list;    /* of a list node: all clauses that are not dominated */
  irl_verify_state last;   /* of a node with one clause left: the rule with it */
  uint64_t *counted;       /* live samples without relaxed cases; NULL: all */
  uint64_t *cover;         /* then: of a clause, among all that is live, */
  int64_t largest;         /* and the largest value allowed */
  bool is_ready, is_out_of_memory;
} listing;

static bool cover_refuted(listing *l) {
  irl_verify_replay *v = l->v;
  uint64_t *cover = irl_verify_new_column(v->env, l->view);
  bool is_ready = cover != NULL;
  for (size_t i = 0; i < v->refuted_sizes.n && is_ready; i++)
    is_ready = irl_verify_cover(l->view, l->state->live, v->refuted.items + i * v->limits.M,
                                v->refuted_sizes.items[i], cover) &&
               irl_verify_pool_add(l->view, &l->refuted, cover, v->refuted_sizes.items[i]);
  irl_mem_free_aligned(&v->env->allocator, cover);
  return l->is_ready = is_ready;
}

/* Says what is wrong with a clause, and ends the listing. */
static bool refuse_clause(irl_verify_replay *v, size_t line, const char *format,
                          const irl_verify_clause *clause) {
  char shown[SHOWN_SIZE] = "";
  for (uint32_t i = 0, used = 0; i < clause->n && used < SHOWN_SIZE - 10; i++)
    used += (uint32_t)snprintf(
        shown + used, SHOWN_SIZE - used, "%s%s%s", i ? " AND " : "",
        irl_literal_is_negated(clause->literals[i]) ? IRL_NEGATION : "",
        irl_names_get(&v->data->names, irl_literal_feature(clause->literals[i])));
  irl_verify_reject(v, line, format, shown);
  return true;
}

/* Called for each clause of the listing: is it dominated, or on the list? True ends the listing. */
static bool check_clause(void *user, const irl_verify_clause *clause) {
  listing *l = user;
  irl_verify_replay *v = l->v;
  const uint64_t *cover = clause->cover;
  v->result->clauses++;
  if (l->counted) {
    if (l->state->left * clause->cases - clause->controls > l->largest)
      return refuse_clause(v, l->at->line, "the clause (%s) has a larger value", clause);
    irl_verify_cover(l->view, l->state->live, clause->literals, clause->n, l->cover);
    cover = l->cover;
  }
  if (l->last.live) { /* the last clause: is the rule a better one? */
    irl_verify_take(l->view, &v->limits, l->state, cover, clause->n, &l->last);
    if (!irl_verify_is_better(&v->limits, &l->last)) return false;
  }
  if (!l->is_ready && !cover_refuted(l)) return l->is_out_of_memory = true;
  for (size_t i = 0; i < l->refuted.n; i++)
    if (irl_verify_dominates(l->view, &l->refuted, i, cover,
                             irl_verify_counts_literals(&v->limits) ? clause->n : UINT32_MAX))
      return false;
  if (irl_verify_spend(&v->meter, l->refuted.n * l->view->stride)) return true;
  if (!l->at->is_list)
    return refuse_clause(v, l->at->line, "nothing is said about the clause (%s)", clause);
  irl_verify_pool *list = &l->list; /* a long one loses what is there twice before it grows */
  const bool is_full = list->n == list->capacity && list->n >= LONG_LIST;
  return l->is_out_of_memory =
             (is_full && !irl_verify_pool_reduce(l->view, list, IRL_VERIFY_COMPARED)) ||
             !irl_verify_pool_add(l->view, list, cover, clause->n);
}

/* The thresholds of a list without the relaxed cases, which are read from the line of the node. */
static irl_status relax_cases(listing *l, irl_verify_wanted *wanted) {
  static const char digits[] = "0123456789abcdef";
  irl_verify_replay *v = l->v;
  const irl_verify_state *state = l->state;
  const int64_t left = state->left;
  const uint32_t n = v->data->n_cases;
  l->counted = irl_verify_new_column(v->env, l->view);
  l->cover = irl_verify_new_column(v->env, l->view);
  if (!l->counted || !l->cover) return irl_fail_memory(v->env);
  memcpy(l->counted, state->live, l->view->stride * sizeof *l->counted);
  if (l->at->n_digits != (n + 3) / 4)
    irl_verify_reject(v, l->at->line, "%u cases take %u digits", n, (n + 3) / 4);
  for (uint32_t i = 0; i < 4 * (uint32_t)l->at->n_digits && !v->is_rejected; i++) {
    const char *digit = memchr(digits, l->at->relaxed[i / 4], 16);
    const bool is_relaxed = digit && (digit - digits) >> i % 4 & 1;
    if (!digit || (is_relaxed && i >= n))
      irl_verify_reject(v, l->at->line, "the digits are no set of cases");
    else if (is_relaxed) {
      const uint32_t sample = l->view->case_of ? l->view->case_of[i] : i;
      assert(sample < l->view->n_cases || sample == UINT32_MAX);
      if (sample != UINT32_MAX) irl_bits_clear(l->counted, sample);
    }
  }
  const int64_t relaxed = state->uncovered - irl_verify_weigh(l->view, &l->view->cases, l->counted);
  const int64_t gain = irl_verify_required_gain(&v->limits, state) - relaxed;
  assert(relaxed >= 0 && relaxed <= state->uncovered);
  l->largest = (int64_t)l->at->largest > gain ? (int64_t)l->at->largest : gain;
  wanted->min_value = left * gain - (left - 1) * l->largest;
  if (wanted->min_value <= 0)
    irl_verify_reject(v, l->at->line, "that leaves no threshold for values");
  return IRL_STATUS_OK;
}

/* The list of the root by rows (verify_kept_list.c). False: it is not for that. */
static bool list_by_rows(listing *l, const irl_verify_wanted *wanted, irl_status *status) {
  irl_verify_replay *v = l->v;
  irl_verify_kept kept = {.live = l->state->live,
                          .cases = l->counted ? l->counted : l->state->live,
                          .largest = l->counted ? l->largest : INT64_MAX,
                          .threads = v->threads};
  bool is_above = false;
  if (!l->at->is_list || l->at->depth || !irl_verify_kept_ask(l->view, wanted, &kept)) return false;
  assert(!v->refuted_sizes.n);
  *status = irl_verify_kept_list(v->env, l->view, &kept, &l->list, &is_above);
  v->result->clauses += l->list.n;
  if (is_above) irl_verify_reject(v, l->at->line, "a clause has a larger value");
  return true;
}

/* The clauses of a list node, or of a class of sizes of another one. */
static irl_status check_class(listing *l, irl_verify_wanted *wanted) {
  irl_verify_replay *v = l->v;
  irl_status status = IRL_STATUS_OK;
  if (l->at->relaxed) status = relax_cases(l, wanted);
  if (!status && !v->is_rejected && !list_by_rows(l, wanted, &status))
    status = irl_verify_list(v->env, l->view, l->counted ? l->counted : l->state->live, wanted,
                             check_clause, l);
  return status;
}

/* The clauses of at least wanted->min_size that a branching node has to account for: of as many
 * sizes as have the same thresholds. Returns the first size that has others. */
static uint32_t set_thresholds(const listing *l, irl_verify_wanted *wanted) {
  const irl_verify_limits *limits = &l->v->limits;
  const irl_verify_state *state = l->state;
  const int64_t left = state->left, gain = irl_verify_required_gain(limits, state);
  const int64_t cases = irl_verify_required_cases(limits, state);
  const uint32_t size = wanted->min_size, most = irl_verify_max_size(limits, state);
  const bool is_cover = l->at->is_cover, is_small = size <= l->at->small;
  /* Where nothing need be gained, few clauses may lose more each than many. */
  const bool counts_sizes = is_cover || gain > 0;
  const uint32_t small = counts_sizes ? (uint32_t)l->at->small : 0;
  const int64_t n =
      counts_sizes && !is_small ? irl_verify_clauses_beside(limits, state, size, small) : left;
  uint32_t next = size + 1;
  while (next <= most && (next <= l->at->small) == is_small &&
         (!counts_sizes || is_small || irl_verify_clauses_beside(limits, state, next, small) == n))
    next++;
  assert(n > 0 && n <= left && next <= most + 1);
  wanted->case_factor = n;
  wanted->control_factor = limits->is_hamming ? n : 1;
  wanted->max_size = next - 1;
  wanted->min_value = INT64_MIN;
  wanted->min_cover = 1;
  if (is_small) return next;
  if (!is_cover || left == 1) wanted->min_value = gain;
  if ((limits->is_hamming || limits->penalty) && wanted->min_value < 0 &&
      wanted->min_value > INT64_MIN)
    wanted->min_value *= left;
  if ((is_cover || left == 1) && cases > n) wanted->min_cover = (cases + n - 1) / n;
  return next;
}

/* Lists the clauses that the node has to account for and checks each of them. */
static irl_status check_listing(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                                const irl_verify_state *state) {
  const irl_verify_limits *limits = &v->limits;
  const int64_t left = state->left;
  listing l = {.v = v, .at = at, .view = view, .state = state};
  irl_verify_wanted wanted = {.case_factor = left,
                              .control_factor = limits->is_hamming ? left : 1,
                              .min_value = INT64_MIN,
                              .min_cover = 1,
                              .max_controls = irl_verify_max_controls(limits, state),
                              .budget = irl_verify_budget(limits, state),
                              .penalty = limits->penalty,
                              .min_size = 1,
                              .max_size = irl_verify_max_size(limits, state)};
  const uint32_t most = wanted.max_size;
  assert(left > 0 && most <= limits->M);
  bool is_better = false;
  irl_status status = IRL_STATUS_OK;
  if (state->controls > limits->max_controls)
    return IRL_STATUS_OK; /* and no clause takes that back */
  if (left == 1) status = irl_verify_state_init(v->env, view, &l.last);
  if (!status && at->is_list) status = check_class(&l, &wanted);
  for (uint32_t size = 1; size <= most && !at->is_list && !status && !v->is_rejected;) {
    wanted.min_size = size;
    size = set_thresholds(&l, &wanted);
    status = check_class(&l, &wanted);
    if (v->meter.is_cut || l.is_out_of_memory) break;
  }
  if (!status && l.is_out_of_memory && !v->meter.is_cut) status = irl_fail_memory(v->env);
  if (!status && at->is_list && !v->is_rejected && !v->meter.is_cut)
    status = irl_verify_select(v->env, view, limits, state, &l.list, &is_better);
  if (v->meter.is_cut) status = irl_verify_cut(v);
  if (!status && is_better) irl_verify_reject(v, at->line, "there is a better rule");
  irl_verify_state_free(v->env, &l.last);
  irl_mem_free_aligned(&v->env->allocator, l.counted);
  irl_mem_free_aligned(&v->env->allocator, l.cover);
  irl_verify_pool_free(view, &l.refuted);
  irl_verify_pool_free(view, &l.list);
  return status;
}

/* Small children come first, shorter ones before longer ones; then children stand by falling value,
 * then fewer literals, then literals. */
static bool is_in_order(uint64_t small, const node *a, int64_t value_a, const node *b,
                        int64_t value_b) {
  const uint64_t rank_a = a->n <= small ? a->n : UINT64_MAX;
  const uint64_t rank_b = b->n <= small ? b->n : UINT64_MAX;
  if (rank_a != rank_b) return rank_a < rank_b;
  if (value_a != value_b) return value_a > value_b;
  if (a->n != b->n) return a->n < b->n;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i];
  return false;
}

static irl_status check_node(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                             const irl_verify_state *state);

/* How often the value of a child of so many literals counts its cases. */
static int64_t factor_of(const irl_verify_replay *v, const node *parent,
                         const irl_verify_state *state, uint32_t size) {
  const bool counts_sizes = parent->is_cover || irl_verify_required_gain(&v->limits, state) > 0;
  if (!counts_sizes || size <= parent->small || size > irl_verify_max_size(&v->limits, state))
    return state->left;
  return irl_verify_clauses_beside(&v->limits, state, size, (uint32_t)parent->small);
}

/* One child: its clause is taken, then its own proof follows, on fewer samples if that pays.
 * `cover`: scratch. */
static irl_status check_child(irl_verify_replay *v, const node *child, const irl_verify_view *view,
                              const irl_verify_state *state, uint64_t *cover, int64_t *value) {
  const irl_kernels *kernels = view->kernels;
  const size_t offset = view->controls.offset;
  irl_verify_state next = {0}, small;
  irl_verify_view packed = {0};
  if (!irl_verify_cover(view, state->live, child->literals, child->n, cover)) {
    irl_verify_reject(v, child->line, "the node has no proper clause");
    return IRL_STATUS_OK;
  }
  const int64_t n = child->factor;
  *value = n * (irl_verify_weigh(view, &view->cases, cover) -
                irl_verify_cost(v->limits.penalty, child->n)) -
           (v->limits.is_hamming ? n : 1) * irl_verify_weigh(view, &view->controls, cover);
  irl_status status = irl_verify_state_init(v->env, view, &next);
  if (status) goto done;
  irl_verify_take(view, &v->limits, state, cover, child->n, &next);
  const size_t words = irl_bits_stride(kernels->count(next.live, view->cases.words)) +
                       irl_bits_stride(kernels->count(next.live + offset, view->controls.words));
  if (words < view->stride - view->stride / 4) {
    status = irl_verify_view_pack(v->env, &packed, view, next.live);
    small = next;
    if (!status) status = irl_verify_state_init(v->env, &packed, &small);
    if (status) goto done;
    for (int i = 0; i < 2; i++) {
      const uint64_t *from = i ? next.touched : next.live;
      uint64_t *into = i ? small.touched : small.live;
      kernels->gather_many(into, packed.stride, packed.cases.words, from, view->stride, NULL, 1,
                           next.live, view->cases.words);
      kernels->gather_many(into + packed.controls.offset, packed.stride, packed.controls.words,
                           from + offset, view->stride, NULL, 1, next.live + offset,
                           view->controls.words);
    }
    assert(kernels->count(small.live, packed.stride) == packed.n_cases + packed.n_controls);
    irl_verify_state_free(v->env, &next);
    next = small;
  }
  status = check_node(v, child, packed.columns ? &packed : view, &next);
done:
  irl_verify_view_free(&packed);
  irl_verify_state_free(v->env, &next);
  return status;
}

/* The children, in order; each is refuted for those after it. */
static irl_status check_children(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                                 const irl_verify_state *state) {
  const irl_allocator *allocator = &v->env->allocator;
  node child, before = {0};
  int64_t value = 0, last = 0;
  irl_status status = IRL_STATUS_OK;
  uint64_t *cover = irl_verify_new_column(v->env, view);
  if (!cover) return irl_fail_memory(v->env);
  for (uint64_t i = 0; i < at->n_children && !status && !v->is_rejected; i++) {
    if (!read_node(v, at->depth + 1, &child)) break;
    child.factor = factor_of(v, at, state, child.n);
    status = check_child(v, &child, view, state, cover, &value);
    if (status || v->is_rejected) break;
    if (i && !is_in_order(at->small, &before, last, &child, value))
      irl_verify_reject(v, child.line, "the node is not in its place among its siblings");
    before = child;
    last = value;
    v->refuted.n = v->refuted_sizes.n * v->limits.M;
    if (irl_array_reserve(allocator, &v->refuted, v->limits.M) &&
        irl_array_push(allocator, &v->refuted_sizes, child.n))
      memcpy(v->refuted.items + v->refuted.n, child.literals, child.n * sizeof *child.literals);
    else
      status = irl_fail_memory(v->env);
  }
  irl_mem_free_aligned(allocator, cover);
  return status;
}

static irl_status check_node(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                             const irl_verify_state *state) {
  const size_t n_refuted = v->refuted_sizes.n;
  irl_status status = IRL_STATUS_OK;
  assert(at->depth + state->left == v->limits.K);
  if (at->is_kept)
    return irl_verify_check_kept(v,
                                 &(irl_verify_kept_node){.line = at->line,
                                                         .least = at->largest,
                                                         .digits = at->relaxed,
                                                         .n_digits = at->n_digits},
                                 state);
  if (at->is_all) return irl_verify_check_all(v, at->line, at->largest, at->n_rules);
  assert(irl_verify_state_check(view, &v->limits, state));
  if (irl_verify_is_better(&v->limits, state))
    irl_verify_reject(v, at->line, "the clauses down to here have loss %lld, less than the rule's",
                      (long long)(state->cost_so_far + state->uncovered));
  else if (at->n_children && state->left < 2)
    irl_verify_reject(v, at->line, "no clause is left for children");
  if (!v->is_rejected) status = check_children(v, at, view, state);
  if (!status && !v->is_rejected && state->left) status = check_listing(v, at, view, state);
  assert(v->refuted_sizes.n >= n_refuted);
  v->refuted_sizes.n = n_refuted; /* those of its children hold with its own clauses only */
  return status;
}

static irl_status check_proof(irl_verify_replay *v) {
  irl_verify_state root = {0};
  node at;
  char end[80];
  uint64_t nodes;
  if (!read_node(v, 0, &at)) return IRL_STATUS_OK;
  irl_status status = irl_verify_make_root(v, &root);
  if (!status) status = check_node(v, &at, &v->all, &root);
  irl_verify_state_free(v->env, &root);
  if (status || v->is_rejected) return status;
  assert(!v->refuted_sizes.n);
  const size_t size = (size_t)(v->text.at - v->text.begin);
  snprintf(end, sizeof end, "end # %016llx", (unsigned long long)XXH3_64bits(v->text.begin, size));
  if (irl_verify_expect(v, end, &nodes) && nodes != v->result->nodes)
    irl_verify_reject(v, v->text.line.number, "there are %llu nodes",
                      (unsigned long long)v->result->nodes);
  if (!v->is_rejected && v->text.at != v->text.end)
    irl_verify_reject(v, v->text.line.number + 1, "nothing is expected after the end");
  return IRL_STATUS_OK;
}

irl_status irl_verify_run(irl_env *env, const irl_verify_job *job, irl_verify_result *result) {
  *result = (irl_verify_result){0};
  irl_verify_replay v = {.env = env, .data = job->data, .rule = job->rule, .result = result};
  v.threads = job->threads > 0 ? job->threads : 1;
  v.text = (irl_verify_text){.begin = job->bytes, .at = job->bytes, .end = job->bytes + job->size};
  v.meter = irl_verify_start_meter(&job->limit, job->size);
  /* From the first line to the last: what it is about, the rule, the proof. */
  irl_status status = irl_verify_read_head(&v);
  if (!status && !v.is_rejected) status = irl_verify_read_data(&v);
  if (!status && !v.is_rejected) irl_verify_read_limits(&v);
  if (!status && !v.is_rejected && !v.rule) status = irl_verify_read_rule(&v);
  if (!status && !v.is_rejected) irl_verify_check_claim(&v);
  if (!v.limits.max_literals) v.limits.max_literals = UINT64_MAX;
  v.limits.max_complexity = UINT64_MAX; /* the scope alone has it */
  if (v.scope && v.scope->complexity >= 0) v.limits.max_complexity = (uint64_t)v.scope->complexity;
  if (!status && !v.is_rejected)
    status = irl_verify_view_init(env, &v.meter, &v.all, v.data, v.limits.negations, &v.weights);
  if (!status && !v.is_rejected) status = irl_verify_check_rule(&v);
  if (!status && !v.is_rejected && v.is_merged) status = irl_verify_merge(&v);
  if (!status && !v.is_rejected) status = check_proof(&v);
  result->is_cut = status == IRL_STATUS_LIMIT;
  if (result->is_cut) irl_verify_name_cut(&v);
  result->is_valid = !status && !v.is_rejected;
  result->work = v.meter.work;
  assert(!result->is_valid || (!v.meter.is_cut && v.text.at == v.text.end && result->nodes));
  irl_verify_view_free(&v.all);
  if (!job->rule) irl_rule_free((irl_rule *)v.rule);
  irl_scope_free(v.scope);
  irl_array_free(&env->allocator, &v.refuted);
  irl_array_free(&env->allocator, &v.refuted_sizes);
  return status == IRL_STATUS_LIMIT ? IRL_STATUS_OK : status;
}

irl_status irl_verify_read_scope(irl_env *env, const char *bytes, size_t size, irl_scope **scope,
                                 irl_verify_result *result) {
  *result = (irl_verify_result){0};
  irl_verify_replay v = {.env = env, .result = result};
  v.text = (irl_verify_text){.begin = bytes, .at = bytes, .end = bytes + size};
  const irl_status status = irl_verify_read_head(&v);
  if (!status) *scope = v.scope;
  return status;
}
