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
 *                    (lemma 1, verify_limits.c; under the Hamming loss every clause pays for
 *                    each control, and the value is r * (a - b - c)). So one of them has at least g
 *                    if that is positive, and r * g otherwise; without penalties and with the
 *                    weighted loss at least g in any case, since s clauses have s * a - b >= g for
 *                    one of them, and r * a is no less. All such clauses are listed here, and every
 *                    one of them must be dominated. Each pays b + c out of the budget. The n
 *                    children come by falling value, fewer literals, literals.
 *                    If literals are limited or cost, and g is positive, the values of clauses of s
 *                    literals have in place of r the most clauses that a rule may add if it adds
 *                    one of s literals (verify_limits.c, where the lemma is).
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
 *   kept T CASES     For the root of a weighted loss without penalties and limits.
 *                    Of the cases the set CASES is kept, each of which weighs e or more. A better
 *                    rule leaves kept cases uncovered and covers controls of at most U - 1
 *                    together, counting e for each of the former; so it is one for the kept cases
 *                    alone. All clauses that cover T kept cases are listed, and all selections of K
 *                    of them gone through as verify_choose.c says.
 *   all T n          For the root: n rules follow, each as the rule above, and no others have a
 *                    loss of at most T: verify_rules.c.
 *
 * A clause d is dominated by e if e covers no fewer of the live cases, no controls that d does not
 * cover, and, where literals count or cost, is no longer: with e in place of d a better rule stays
 * one. What may dominate are refuted clauses: the children, and the earlier siblings of the node
 * and of its ancestors. Each of them has been shown to be in no better rule together with clauses
 * that are all in S. With r = 1 nothing may be left that passes both thresholds. A clause that adds
 * no case is in no smallest better rule. */
#include "base/memory.h"
#include "verify/verify_parts.h"
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
  enum { BY_VALUE, BY_COVER, A_LIST, KEPT, ALL } kind;
  uint64_t n_children, n_rules;
  uint64_t small;     /* all clauses of at most so many literals are accounted for */
  uint64_t largest;   /* of a list with relaxed cases: the largest value; of kept ones: cases of a
                         clause; of all rules: their loss */
  const char *digits; /* the set of the relaxed or kept cases; NULL: none */
  size_t n_digits;
} node;

/* "list", "kept" and "all", with what follows; false: it is none of them. */
static bool read_list(const irl_verify_replay *v, uint32_t at, node *out) {
  const irl_verify_line *line = &v->text.line;
  const irl_verify_limits *limits = &v->limits;
  const uint64_t most = (uint64_t)IRL_VERIFY_MAX_WEIGHT;
  const bool is_root = !out->depth && line->n == at + 3;
  out->kind = A_LIST;
  if (irl_verify_is_word(line, at, "list") && line->n == at + 1) return true;
  if (!is_root) return false;
  if (irl_verify_is_word(line, at, "all")) {
    out->kind = ALL;
    return limits->max_complexity == UINT64_MAX &&
           irl_verify_number(line, at + 1, most, &out->largest) &&
           irl_verify_number(line, at + 2, UINT32_MAX, &out->n_rules);
  }
  out->digits = line->word[at + 2];
  out->n_digits = line->length[at + 2];
  if (irl_verify_is_word(line, at, "list"))
    return irl_verify_is_plain(limits) && irl_verify_number(line, at + 1, most, &out->largest);
  out->kind = KEPT;
  return irl_verify_is_word(line, at, "kept") && irl_verify_is_free(limits) &&
         irl_verify_number(line, at + 1, UINT32_MAX, &out->largest);
}

static bool read_branch(const irl_verify_replay *v, uint32_t at, node *out) {
  const irl_verify_line *line = &v->text.line;
  const bool is_size = irl_verify_is_word(line, at + 1, "size");
  out->kind = irl_verify_is_word(line, at + 1, "cover") ? BY_COVER : BY_VALUE;
  return irl_verify_is_word(line, at, "branch") && line->n == at + 3 + is_size &&
         (is_size ? irl_verify_number(line, at + 2, v->limits.M, &out->small)
                  : out->kind == BY_COVER || irl_verify_is_word(line, at + 1, "value")) &&
         irl_verify_number(line, at + 2 + is_size, UINT32_MAX, &out->n_children);
}

/* A node of this depth comes next. */
static irl_status read_node(irl_verify_replay *v, uint32_t depth, node *out) {
  const irl_status status = irl_verify_expect_line(v);
  const irl_verify_line *line = &v->text.line;
  uint32_t at = 1;
  uint64_t number;
  if (status) return status;
  assert(depth <= v->limits.K);
  *out = (node){.line = line->number, .depth = depth};
  if (!irl_verify_number(line, 0, v->limits.K, &number) || number != depth)
    return irl_verify_reject(v, line->number, "a node of depth %u is expected here", depth);
  if (!irl_verify_read_literals(v, &at, out->literals, &out->n) || !out->n != !depth)
    return irl_verify_reject(v, line->number, "the node has no proper clause");
  assert(out->n <= v->limits.M && at <= line->n);
  if (!read_branch(v, at, out) && !read_list(v, at, out))
    return irl_verify_reject(
        v, line->number,
        "'branch value', 'cover' or 'size' with a number, 'list', 'kept' or 'all' is expected");
  v->result->nodes++;
  return IRL_STATUS_OK;
}

/* ---- what is listed ---- */

/* The listing of a node and what dominates its clauses. */
typedef struct listing {
  irl_verify_replay *v;
  const node *at;
  const irl_verify_view *view;
  const irl_verify_state *state;
  irl_verify_view counted; /* without relaxed cases, or of kept ones alone; no columns: all count */
  irl_verify_wanted wanted;
  irl_verify_pool refuted; /* with covers among what is live; made when the first clause comes */
  irl_verify_pool list;    /* all clauses that are not dominated */
  uint64_t *set;           /* the cases of the node's line, */
  uint64_t *cover;         /* then: of a clause, among all that is live, */
  int64_t largest;         /* and the largest value allowed */
  int64_t unit;            /* the least weight of a kept case */
  bool is_ready;
  irl_status status; /* of what is done with a clause */
} listing;

static irl_status cover_refuted(listing *l) {
  irl_verify_replay *v = l->v;
  uint64_t *cover = irl_verify_new_column(l->view);
  irl_status status = cover ? IRL_STATUS_OK : irl_fail_memory(v->env);
  for (size_t i = 0; i < v->refuted_sizes.n && !status; i++) {
    const uint32_t size = v->refuted_sizes.items[i];
    if (irl_verify_cover(l->view, l->state->live, v->refuted.items + i * v->limits.M, size, cover))
      status = irl_verify_pool_add(l->view, &l->refuted, cover, NULL, size);
  }
  irl_mem_free_aligned(&v->env->allocator, cover);
  l->is_ready = true;
  return status;
}

/* Says what is wrong with a clause. */
static irl_status refuse_clause(const listing *l, const char *format,
                                const irl_verify_clause *clause) {
  char shown[SHOWN_SIZE] = "";
  for (uint32_t i = 0, used = 0; i < clause->n && used < SHOWN_SIZE - 10; i++)
    used += (uint32_t)snprintf(
        shown + used, SHOWN_SIZE - used, "%s%s%s", i ? " AND " : "",
        irl_literal_is_negated(clause->literals[i]) ? IRL_NEGATION : "",
        irl_names_get(&l->v->data->names, irl_literal_feature(clause->literals[i])));
  return irl_verify_reject(l->v, l->at->line, format, shown);
}

/* A clause of the listing is dominated, or goes to the list. */
static irl_status check_clause(listing *l, const irl_verify_clause *clause) {
  irl_verify_replay *v = l->v;
  irl_verify_pool *list = &l->list;
  const uint64_t *cover = clause->cover;
  v->result->clauses++;
  if (l->counted.columns) {
    if (l->wanted.case_factor * clause->cases - clause->controls > l->largest)
      return refuse_clause(l, "the clause (%s) has a larger value", clause);
    irl_verify_cover(l->view, l->state->live, clause->literals, clause->n, l->cover);
    cover = l->cover;
  }
  irl_status status = l->is_ready ? IRL_STATUS_OK : cover_refuted(l);
  if (status) return status;
  for (size_t i = 0; i < l->refuted.n; i++)
    if (irl_verify_dominates(l->view, &l->refuted, i, cover,
                             irl_verify_counts_literals(&v->limits) ? clause->n : UINT32_MAX))
      return IRL_STATUS_OK;
  if (irl_verify_spend(&v->meter, l->refuted.n * l->view->stride))
    return irl_verify_meter_status(v->env, &v->meter);
  if (l->at->kind < A_LIST && l->state->left > 1)
    return refuse_clause(l, "nothing is said about the clause (%s)", clause);
  /* A long list loses what is there twice before it grows. */
  if (list->n == list->capacity && list->n >= LONG_LIST)
    status = irl_verify_pool_reduce(l->view, list);
  return status ? status : irl_verify_pool_add(l->view, list, cover, clause->literals, clause->n);
}

static bool visit_clause(void *user, const irl_verify_clause *clause) {
  listing *l = user;
  l->status = check_clause(l, clause);
  return l->status;
}

/* The set of the node's line; the least weight of its cases. */
static irl_status read_set(listing *l) {
  static const char digits[] = "0123456789abcdef";
  irl_verify_replay *v = l->v;
  const uint32_t n = v->data->n_cases;
  const node *at = l->at;
  l->unit = INT64_MAX;
  if (at->n_digits != (n + 3) / 4)
    return irl_verify_reject(v, at->line, "%u cases take %u digits", n, (n + 3) / 4);
  for (uint32_t i = 0; i < 4 * (uint32_t)at->n_digits; i++) {
    const char *digit = memchr(digits, at->digits[i / 4], 16);
    const bool is_there = digit && (digit - digits) >> i % 4 & 1;
    if (!digit || (is_there && i >= n))
      return irl_verify_reject(v, at->line, "the digits are no set of cases");
    const uint32_t sample = is_there ? l->view->case_of[i] : UINT32_MAX;
    if (sample == UINT32_MAX) continue;
    const int64_t weight = irl_verify_weight_of(&l->view->cases, sample);
    irl_bits_set(l->set, sample);
    if (weight < l->unit) l->unit = weight;
  }
  assert(irl_verify_view_has(l->view, l->set));
  return IRL_STATUS_OK;
}

/* Which cases count at the root, and the thresholds that follow. */
static irl_status count_cases(listing *l) {
  irl_verify_replay *v = l->v;
  const irl_verify_view *view = l->view;
  const node *at = l->at;
  const int64_t left = l->state->left;
  l->set = irl_verify_new_column(view);
  l->cover = irl_verify_new_column(view);
  if (!l->set || !l->cover) return irl_fail_memory(v->env);
  irl_status status = read_set(l);
  if (status) return status;
  memcpy(l->cover, l->state->live, view->stride * sizeof *l->cover);
  for (size_t w = 0; w < view->cases.words; w++)
    l->cover[w] &= at->kind == KEPT ? l->set[w] : ~l->set[w];
  if (at->kind == KEPT) {
    const uint64_t n = view->kernels->count(l->set, view->cases.words);
    if (!n || !at->largest || at->largest > n)
      return irl_verify_reject(v, at->line, "so many cases cannot be kept, or not be covered");
    l->wanted.min_cover = l->unit * (int64_t)at->largest;
    l->largest = INT64_MAX;
  } else {
    const int64_t counted = irl_verify_weigh(view, &view->cases, l->cover);
    const int64_t gain = counted - irl_verify_budget(&v->limits, l->state);
    l->largest = (int64_t)at->largest > gain ? (int64_t)at->largest : gain;
    l->wanted.min_value = left * gain - (left - 1) * l->largest;
    if (l->wanted.min_value <= 0)
      return irl_verify_reject(v, at->line, "that leaves no threshold for values");
  }
  status = irl_verify_view_pack(&l->counted, view, l->cover);
  if (!status && at->kind == KEPT) { /* all of them count as the least one */
    irl_mem_free_aligned(&v->env->allocator, l->counted.cases.planes);
    l->counted.cases.planes = NULL;
    l->counted.cases.weight = l->unit;
  }
  return status;
}

static irl_status list_wanted(listing *l) {
  const bool has_all = !l->counted.columns;
  const irl_status status =
      irl_verify_list(has_all ? l->view : &l->counted, has_all ? l->state->live : NULL, &l->wanted,
                      visit_clause, l);
  return l->status ? l->status : status;
}

/* Lists the clauses that the node has to account for and checks each of them. */
static irl_status list_clauses(listing *l) {
  irl_verify_replay *v = l->v;
  const node *at = l->at;
  irl_status status = IRL_STATUS_OK;
  l->wanted = irl_verify_want_all(&v->limits, l->state);
  if (at->digits) status = count_cases(l);
  if (at->kind >= A_LIST) return status ? status : list_wanted(l);
  const uint32_t most = l->wanted.max_size;
  for (uint32_t size = 1; size <= most && !status;) {
    l->wanted.min_size = size;
    size = irl_verify_want_branch(&v->limits, l->state, at->kind == BY_COVER, (uint32_t)at->small,
                                  &l->wanted);
    status = list_wanted(l);
  }
  return status;
}

/* ---- nodes ---- */

/* The clauses that are left make no better rule. */
static irl_status check_choices(listing *l, const irl_verify_limits *limits,
                                irl_verify_rules *rules) {
  irl_verify_replay *v = l->v;
  const node *at = l->at;
  irl_verify_choice choice = {.view = l->view,
                              .limits = limits,
                              .state = l->state,
                              .pool = &l->list,
                              .known = IRL_VERIFY_ALL_KNOWN,
                              .rules = rules};
  if (at->kind == ALL) choice.known = IRL_VERIFY_NONE_KNOWN;
  if (at->kind == KEPT) {
    choice.counted = l->set;
    choice.unit = l->unit;
    choice.known = l->unit * ((int64_t)at->largest - 1);
  }
  const irl_status status = irl_verify_choose(&choice);
  v->result->clauses += choice.n_listed;
  if (status || !choice.is_better) return status;
  return rules ? irl_verify_reject(v, at->line,
                                   "a rule of %u clauses with loss %lld is not on the list",
                                   choice.n_clauses, (long long)choice.loss)
               : irl_verify_reject(v, at->line, "there is a better rule");
}

/* What the line of a node says of the clauses that it does not have as children. */
static irl_status check_listing(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                                const irl_verify_state *state) {
  listing l = {.v = v, .at = at, .view = view, .state = state};
  l.refuted.width = l.list.width = (uint32_t)v->limits.M + 1;
  assert(state->left);
  if (state->controls > v->limits.max_controls)
    return IRL_STATUS_OK; /* and no clause takes that back */
  irl_status status = list_clauses(&l);
  if (!status && l.list.n > 1) status = irl_verify_pool_reduce(view, &l.list);
  if (!status && (l.list.n || at->kind == KEPT)) status = check_choices(&l, &v->limits, NULL);
  irl_verify_view_free(&l.counted);
  irl_mem_free_aligned(&v->env->allocator, l.set);
  irl_mem_free_aligned(&v->env->allocator, l.cover);
  irl_verify_pool_free(view, &l.refuted);
  irl_verify_pool_free(view, &l.list);
  return status;
}

/* The rules that follow are all of that loss. */
static irl_status check_all(irl_verify_replay *v, const node *at, const irl_verify_state *root) {
  irl_verify_limits limits = v->limits;
  irl_verify_rules rules = {0};
  listing l = {.v = v, .at = at, .view = &v->all, .state = root};
  limits.best = (int64_t)at->largest + 1;
  if ((int64_t)at->largest < v->result->loss)
    return irl_verify_reject(v, at->line, "the rule has loss %lld", (long long)v->result->loss);
  irl_status status = irl_verify_rules_read(v, at->line, &limits, at->n_rules, &rules);
  v->result->rules = rules.starts.n;
  v->result->most = (int64_t)at->largest;
  if (!status) status = check_choices(&l, &limits, &rules);
  irl_verify_rules_free(&rules);
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

/* One child: its clause is taken, then its own proof follows. `cover`: scratch. */
static irl_status check_child(irl_verify_replay *v, const node *parent, const node *child,
                              const irl_verify_view *view, const irl_verify_state *state,
                              uint64_t *cover, int64_t *value) {
  irl_verify_state next = {0};
  if (!irl_verify_cover(view, state->live, child->literals, child->n, cover))
    return irl_verify_reject(v, child->line, "the node has no proper clause");
  *value = irl_verify_branch_value(
      &v->limits, state, parent->kind == BY_COVER, (uint32_t)parent->small, child->n,
      irl_verify_weigh(view, &view->cases, cover), irl_verify_weigh(view, &view->controls, cover));
  irl_status status = irl_verify_state_init(view, &next);
  if (!status) {
    irl_verify_take(view, &v->limits, state, cover, child->n, &next);
    status = check_node(v, child, view, &next);
  }
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
  uint64_t *cover = irl_verify_new_column(view);
  if (!cover) return irl_fail_memory(v->env);
  for (uint64_t i = 0; i < at->n_children && !status; i++) {
    status = read_node(v, at->depth + 1, &child);
    if (!status) status = check_child(v, at, &child, view, state, cover, &value);
    if (!status && i && !is_in_order(at->small, &before, last, &child, value))
      status = irl_verify_reject(v, child.line, "the node is not in its place among its siblings");
    if (status) break;
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
  assert(at->depth + state->left == v->limits.K);
  if (at->kind == ALL) return check_all(v, at, state);
  assert(irl_verify_state_check(view, &v->limits, state));
  if (irl_verify_is_better(&v->limits, state))
    return irl_verify_reject(v, at->line,
                             "the clauses down to here have loss %lld, less than the rule's",
                             (long long)(state->cost_so_far + state->uncovered));
  if (at->n_children && state->left < 2)
    return irl_verify_reject(v, at->line, "no clause is left for children");
  irl_status status = check_children(v, at, view, state);
  if (!status && state->left) status = check_listing(v, at, view, state);
  assert(v->refuted_sizes.n >= n_refuted);
  v->refuted_sizes.n = n_refuted; /* those of its children hold with its own clauses only */
  return status;
}

/* From the samples as they are, on which the rule was weighed, to merged ones. */
static irl_status merge_samples(irl_verify_replay *v) {
  irl_verify_limits *limits = &v->limits;
  irl_verify_merged merged = {0, 1};
  irl_verify_view_free(&v->all);
  v->all.meter = &v->meter;
  const irl_status status =
      irl_verify_view_init(v->env, &v->all, v->data, limits->negations, &limits->weights, &merged);
  if (status) return status;
  limits->offset = merged.offset;
  /* The largest loss of a better rule that there can be. */
  const int64_t best = limits->best, most = best - 1 - merged.offset;
  if (most >= 0) limits->best = merged.offset + most / merged.unit * merged.unit + 1;
  assert(limits->best <= best && limits->best > best - merged.unit);
  return IRL_STATUS_OK;
}

static irl_status check_proof(irl_verify_replay *v) {
  irl_verify_state root = {0};
  node at;
  char end[80];
  uint64_t nodes;
  irl_status status = read_node(v, 0, &at);
  if (status) return status;
  status = irl_verify_state_root(&v->all, &v->limits, &root);
  if (!status) status = check_node(v, &at, &v->all, &root);
  irl_verify_state_free(v->env, &root);
  if (status) return status;
  assert(!v->refuted_sizes.n);
  const size_t size = (size_t)(v->text.at - v->text.begin);
  snprintf(end, sizeof end, "end # %016llx", (unsigned long long)XXH3_64bits(v->text.begin, size));
  status = irl_verify_expect(v, end, &nodes);
  if (!status && nodes != v->result->nodes)
    return irl_verify_reject(v, v->text.line.number, "there are %llu nodes",
                             (unsigned long long)v->result->nodes);
  if (!status && v->text.at != v->text.end)
    return irl_verify_reject(v, v->text.line.number + 1, "nothing is expected after the end");
  return status;
}

irl_status irl_verify_run(irl_env *env, const irl_verify_job *job, irl_verify_result *result) {
  *result = (irl_verify_result){0};
  irl_verify_replay v = {.env = env, .data = job->data, .rule = job->rule, .result = result};
  v.text = (irl_verify_text){.begin = job->bytes, .at = job->bytes, .end = job->bytes + job->size};
  v.meter = irl_verify_start_meter(&job->limit, job->size);
  v.all.meter = &v.meter;
  /* From the first line to the last: what it is about, the rule, the proof. */
  irl_status status = irl_verify_read_head(&v);
  if (!status) status = irl_verify_read_data(&v);
  if (!status) status = irl_verify_read_limits(&v);
  if (!status && !v.rule) status = irl_verify_read_rule(&v);
  if (!status) status = irl_verify_check_claim(&v);
  if (!status)
    status = irl_verify_view_init(env, &v.all, v.data, v.limits.negations, &v.limits.weights, NULL);
  if (!status) status = irl_verify_check_rule(&v);
  if (!status && v.limits.is_merged) status = merge_samples(&v);
  if (!status) status = check_proof(&v);
  if (!status) status = irl_verify_meter_status(env, &v.meter);
  result->is_cut = status == IRL_STATUS_LIMIT;
  if (result->is_cut) irl_verify_name_cut(&v);
  result->is_valid = !status;
  result->work = v.meter.work;
  assert(!result->is_valid || (!v.meter.is_cut && v.text.at == v.text.end && result->nodes));
  irl_verify_view_free(&v.all);
  if (!job->rule) irl_rule_free((irl_rule *)v.rule);
  irl_scope_free(v.scope);
  irl_array_free(&env->allocator, &v.refuted);
  irl_array_free(&env->allocator, &v.refuted_sizes);
  return result->is_cut || result->line ? IRL_STATUS_OK : status;
}

irl_status irl_verify_read_scope(irl_env *env, const char *bytes, size_t size, irl_scope **scope,
                                 irl_verify_result *result) {
  *result = (irl_verify_result){0};
  irl_verify_replay v = {.env = env, .result = result};
  v.text = (irl_verify_text){.begin = bytes, .at = bytes, .end = bytes + size};
  const irl_status status = irl_verify_read_head(&v);
  if (!status) *scope = v.scope;
  return result->line ? IRL_STATUS_OK : status;
}
