/* Replaying a certificate. Its lines:
 *
 *   ireland certificate 2
 *   scope {...}              what it is about, as JSON (rule/scope.h); the numbers follow from it
 *   data CHECKSUM samples N cases N1 controls N0 features J
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
 * clause of n literals costs P * (1 + n). Data of samples that weigh more than once have copies of
 * them; those of a CNF are reflected (table/reflect.h). Merged samples are those of
 * irl_verify_view_merge: for the weighted loss without C, D and P.
 *
 * Claim: no rule within the limits has a loss below U, the loss of the rule named. Suppose one had.
 * A node stands for the better rules that hold all clauses S on the way to it; it says why there
 * are none. With r clauses left, `need` is what they have to gain together, a and b are the weights
 * of cases and controls that a clause would add, c what it costs, and `missing` the weight of cases
 * that they have to add together. KIND is one of
 *
 *   branch value n   The values r * (a - c) - b of the clauses, r or fewer, sum up to r * need or
 *                    more (verify_select.c; a control is paid once, at least b / r for each clause
 *                    that covers it; under the Hamming loss every clause pays, and the value is
 *                    r * (a - b - c)). So one of them has at least `need` if that is positive, and
 *                    r * need otherwise; without penalties and with the weighted loss `need` as
 *                    well, since s clauses have s * a - b >= need for one of them, and r * a is no
 *                    less. All such clauses are listed here; every one of them must be answered.
 *                    Each pays b + c of what may still be paid. The n children come by falling
 *                    value, fewer literals, literals.
 *   branch cover n   The same with r * a >= missing.
 *   list             All clauses that may be part of a better rule are listed, and all choices of r
 *                    of them gone through.
 *   list m CASES     For the root of a weighted loss. The cases of the set CASES (hexadecimal, the
 *                    first four in the first digit, lowest bit first; of merged samples all that
 *                    hold one of them) are given away: the clauses gain at most their weight, and
 *                    need' = need - that weight on the others, where the values sum up to
 *                    r * need' or more. If none of them is above m, each is at least
 *                    r * need' - (r - 1) * m, which has to be more than 0. All such clauses are
 *                    listed; since m is at least need', one above m would be among them.
 *
 * A clause d is answered by e if e covers no fewer of the live cases, no controls that d does not
 * cover, and, where literals count or cost, is no longer: with e in place of d a better rule stays
 * one. Answers are the children,
 * and the earlier siblings of the node and of its ancestors: each of them has been shown to be in
 * no better rule together with clauses that are all in S. With r = 1 nothing may be left that
 * passes both thresholds. A clause that adds no case is in no smallest better rule. */
#include "base/memory.h"
#include "verify/verify_replay.h"
#include <stdio.h>
#include <xxhash.h>

#define LONG_LIST ((size_t)1 << 16)

/* A node as its line has it. */
typedef struct node {
  size_t line;
  uint32_t depth, n;
  irl_literal literals[IRL_VERIFY_MAX_M];
  bool is_list, is_cover;
  uint64_t n_children;
  uint64_t largest; /* of a list with cases given away: */
  const char *given;
  size_t n_given; /* digits */
} node;

static bool read_node(irl_verify_replay *v, uint32_t depth, node *out) {
  if (!irl_verify_expect_line(v)) return false;
  const irl_verify_line *line = &v->text.line;
  uint32_t at = 1;
  uint64_t number;
  *out = (node){.line = line->number, .depth = depth};
  if (!irl_verify_number(line, 0, v->limits.K, &number) || number != depth) {
    irl_verify_reject(v, line->number, "a node of depth %u is expected here", depth);
    return false;
  }
  if (!irl_verify_read_literals(v, &at, out->literals, &out->n) || !out->n != !depth) {
    irl_verify_reject(v, line->number, "the node has no proper clause");
    return false;
  }
  out->is_list = irl_verify_is_word(line, at, "list") && line->n == at + 1;
  if (!depth && irl_verify_is_word(line, at, "list") && line->n == at + 3 &&
      !v->limits.is_hamming && !v->limits.penalty &&
      irl_verify_number(line, at + 1, (uint64_t)IRL_VERIFY_MAX_WEIGHT, &out->largest)) {
    out->is_list = true;
    out->given = line->word[at + 2];
    out->n_given = line->length[at + 2];
  }
  out->is_cover = irl_verify_is_word(line, at + 1, "cover");
  const bool is_branch = irl_verify_is_word(line, at, "branch") && line->n == at + 3 &&
                         (out->is_cover || irl_verify_is_word(line, at + 1, "value")) &&
                         irl_verify_number(line, at + 2, UINT32_MAX, &out->n_children);
  if (!out->is_list && !is_branch)
    irl_verify_reject(v, line->number,
                      "'branch value', 'branch cover' with a number, or 'list' is expected");
  v->result->nodes++;
  return !v->is_rejected;
}

static int64_t need_of(const irl_verify_replay *v, const irl_verify_state *state) {
  return state->paid + state->uncovered - (v->limits.best - 1);
}

/* What a node asks of the clauses that it lists. */
static irl_verify_wanted wanted_of(const irl_verify_replay *v, const node *at,
                                   const irl_verify_state *state) {
  const int64_t left = state->left, missing = irl_verify_missing(&v->limits, state);
  irl_verify_wanted wanted = {.case_factor = left,
                              .control_factor = v->limits.is_hamming ? left : 1,
                              .min_value = INT64_MIN,
                              .min_cover = 1,
                              .max_controls = irl_verify_max_controls(&v->limits, state),
                              .room = irl_verify_budget(&v->limits, state),
                              .penalty = v->limits.penalty,
                              .max_literals = irl_verify_max_size(&v->limits, state)};
  if (at->is_list) return wanted;
  if (!at->is_cover || left == 1) wanted.min_value = need_of(v, state);
  /* Fewer than r clauses that lose together lose more each. */
  if ((v->limits.is_hamming || v->limits.penalty) && wanted.min_value < 0 &&
      wanted.min_value > INT64_MIN)
    wanted.min_value *= left;
  if ((at->is_cover || left == 1) && missing > left) wanted.min_cover = (missing + left - 1) / left;
  return wanted;
}

static bool add_shown(irl_verify_replay *v, const node *child) {
  const uint32_t M = (uint32_t)v->limits.M;
  if (v->n_shown == v->capacity) {
    const size_t capacity = 2 * v->capacity + 64;
    irl_literal *shown = irl_mem_grow(&v->env->allocator, v->shown, capacity * M, sizeof *v->shown);
    if (shown) v->shown = shown;
    uint32_t *sizes =
        irl_mem_grow(&v->env->allocator, v->shown_sizes, capacity, sizeof *v->shown_sizes);
    if (sizes) v->shown_sizes = sizes;
    if (!shown || !sizes) return false;
    v->capacity = capacity;
  }
  memcpy(v->shown + v->n_shown * M, child->literals, child->n * sizeof *v->shown);
  v->shown_sizes[v->n_shown++] = child->n;
  return true;
}

/* A listing at a node and what answers its clauses. */
typedef struct inquiry {
  irl_verify_replay *v;
  const node *at;
  const irl_verify_view *view;
  const irl_verify_state *state;
  irl_verify_pool answers; /* made when the first clause comes */
  irl_verify_pool list;    /* of a list node: all clauses without an answer */
  irl_verify_state last;   /* of a node with one clause left: room for what it leads to */
  uint64_t *counted;       /* live samples without cases that are given away; NULL: all */
  uint64_t *cover;         /* then: of a clause, among all that is live */
  int64_t largest;         /* and the largest value allowed */
  bool is_ready, is_out_of_memory;
} inquiry;

static bool make_answers(inquiry *q) {
  irl_verify_replay *v = q->v;
  uint64_t *cover = irl_verify_new_column(v->env, q->view);
  bool is_ready = cover != NULL;
  for (size_t i = 0; i < v->n_shown && is_ready; i++)
    is_ready = irl_verify_cover(q->view, q->state->live, v->shown + i * v->limits.M,
                                v->shown_sizes[i], cover) &&
               irl_verify_pool_add(q->view, &q->answers, cover, v->shown_sizes[i]);
  irl_mem_free_aligned(&v->env->allocator, cover);
  return q->is_ready = is_ready;
}

static void name_clause(const irl_verify_replay *v, const irl_verify_clause *clause,
                        char text[200]) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < clause->n && used < 190; i++)
    used +=
        (size_t)snprintf(text + used, 200 - used, "%s%s%s", i ? " AND " : "",
                         irl_literal_is_negated(clause->literals[i]) ? "NOT " : "",
                         irl_names_get(&v->data->names, irl_literal_feature(clause->literals[i])));
}

/* A long list loses what is there twice before it grows. */
static bool add_to_list(inquiry *q, const uint64_t *cover, uint32_t n) {
  irl_verify_pool *list = &q->list;
  if (list->n == list->capacity && list->n >= LONG_LIST && !irl_verify_pool_reduce(q->view, list))
    return false;
  return irl_verify_pool_add(q->view, list, cover, n);
}

/* Called for each clause of the listing: is it answered? */
static bool ask(void *user, const irl_verify_clause *clause) {
  inquiry *q = user;
  irl_verify_replay *v = q->v;
  const uint64_t *cover = clause->cover;
  char text[200];
  v->result->clauses++;
  if (q->counted) {
    if (q->state->left * clause->a - clause->b > q->largest) {
      name_clause(v, clause, text);
      irl_verify_reject(v, q->at->line, "the clause (%s) has a larger value", text);
      return true;
    }
    irl_verify_cover(q->view, q->state->live, clause->literals, clause->n, q->cover);
    cover = q->cover;
  }
  if (q->last.live) { /* the last clause: is the rule a better one? */
    irl_verify_take(q->view, &v->limits, q->state, cover, clause->n, &q->last);
    if (!irl_verify_is_better(&v->limits, &q->last)) return false;
  }
  if (!q->is_ready && !make_answers(q)) return q->is_out_of_memory = true;
  for (size_t i = 0; i < q->answers.n; i++)
    if (irl_verify_dominates(q->view, &q->answers, i, cover,
                             irl_verify_counts_literals(&v->limits) ? clause->n : UINT32_MAX))
      return false;
  if (irl_verify_spend(&v->meter, q->answers.n * q->view->stride)) return true;
  if (q->at->is_list) return q->is_out_of_memory = !add_to_list(q, cover, clause->n);
  name_clause(v, clause, text);
  irl_verify_reject(v, q->at->line, "nothing is said about the clause (%s)", text);
  return true;
}

/* Takes the cases of the node's set out of q->counted. */
static void read_given(inquiry *q) {
  irl_verify_replay *v = q->v;
  const uint32_t n = v->data->n_cases;
  static const char digits[] = "0123456789abcdef";
  if (q->at->n_given != (n + 3) / 4) {
    irl_verify_reject(v, q->at->line, "%u cases take %u digits", n, (n + 3) / 4);
    return;
  }
  for (uint32_t i = 0; i < 4 * (uint32_t)q->at->n_given; i++) {
    const char *digit = memchr(digits, q->at->given[i / 4], 16);
    const bool is_given = digit && (digit - digits) >> i % 4 & 1;
    if (!digit || (is_given && i >= n)) {
      irl_verify_reject(v, q->at->line, "the digits are no set of cases");
      return;
    }
    if (!is_given) continue;
    const uint32_t sample = q->view->case_of ? q->view->case_of[i] : i;
    if (sample != UINT32_MAX) irl_bits_clear(q->counted, sample);
  }
}

/* The thresholds of a list without the cases that are given away. */
static irl_status give_away(inquiry *q, irl_verify_wanted *wanted) {
  irl_verify_replay *v = q->v;
  const irl_verify_state *state = q->state;
  const int64_t left = state->left;
  q->counted = irl_verify_new_column(v->env, q->view);
  q->cover = irl_verify_new_column(v->env, q->view);
  if (!q->counted || !q->cover) return irl_fail_memory(v->env);
  memcpy(q->counted, state->live, q->view->stride * sizeof *q->counted);
  read_given(q);
  const int64_t given = state->uncovered - irl_verify_weigh(q->view, &q->view->cases, q->counted);
  const int64_t need = need_of(v, state) - given;
  q->largest = (int64_t)q->at->largest > need ? (int64_t)q->at->largest : need;
  wanted->min_value = left * need - (left - 1) * q->largest;
  if (wanted->min_value <= 0)
    irl_verify_reject(v, q->at->line, "that leaves no threshold for values");
  return IRL_OK;
}

static irl_status inquire(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                          const irl_verify_state *state) {
  inquiry q = {.v = v, .at = at, .view = view, .state = state};
  irl_verify_wanted wanted = wanted_of(v, at, state);
  bool is_better = false;
  irl_status status = IRL_OK;
  if (state->controls > v->limits.max_controls) return IRL_OK; /* and no clause takes that back */
  if (state->left == 1) status = irl_verify_make_state(v, view, &q.last);
  if (!status && at->given) status = give_away(&q, &wanted);
  if (!status && !v->is_rejected)
    status = irl_verify_list(v->env, view, q.counted ? q.counted : state->live, &wanted, ask, &q);
  if (!status && q.is_out_of_memory && !v->meter.is_cut) status = irl_fail_memory(v->env);
  if (!status && at->is_list && !v->is_rejected && !v->meter.is_cut)
    status = irl_verify_select(v->env, view, &v->limits, state, &q.list, &is_better);
  if (v->meter.is_cut) status = irl_verify_cut(v);
  if (!status && is_better) irl_verify_reject(v, at->line, "there is a better rule");
  irl_verify_free_state(v, &q.last);
  irl_mem_free_aligned(&v->env->allocator, q.counted);
  irl_mem_free_aligned(&v->env->allocator, q.cover);
  irl_verify_pool_free(view, &q.answers);
  irl_verify_pool_free(view, &q.list);
  return status;
}

/* Children stand by falling value, then fewer literals, then literals. */
static bool is_in_order(const node *a, int64_t value_a, const node *b, int64_t value_b) {
  if (value_a != value_b) return value_a > value_b;
  if (a->n != b->n) return a->n < b->n;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->literals[i] != b->literals[i]) return a->literals[i] < b->literals[i];
  return false;
}

static irl_status check_node(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                             const irl_verify_state *state);

/* The state on fewer samples, if that pays. */
static irl_status pack(irl_verify_replay *v, const irl_verify_view *view, irl_verify_state *state,
                       irl_verify_view *packed, bool *is_packed) {
  const irl_kernels *kernels = view->kernels;
  const size_t offset = view->controls.offset;
  const size_t words = irl_bits_stride(kernels->count(state->live, view->cases.words)) +
                       irl_bits_stride(kernels->count(state->live + offset, view->controls.words));
  *is_packed = words < view->stride - view->stride / 4;
  if (!*is_packed) return IRL_OK;
  irl_status status = irl_verify_view_pack(v->env, packed, view, state->live);
  irl_verify_state small = *state;
  if (!status) status = irl_verify_make_state(v, packed, &small);
  if (status) return status;
  for (int i = 0; i < 2; i++) {
    const uint64_t *from = i ? state->touched : state->live;
    uint64_t *into = i ? small.touched : small.live;
    kernels->gather_many(into, packed->stride, packed->cases.words, from, view->stride, NULL, 1,
                         state->live, view->cases.words);
    kernels->gather_many(into + packed->controls.offset, packed->stride, packed->controls.words,
                         from + offset, view->stride, NULL, 1, state->live + offset,
                         view->controls.words);
  }
  irl_verify_free_state(v, state);
  *state = small;
  return IRL_OK;
}

/* One child: its clause is taken, then its own proof follows. `cover`: scratch. */
static irl_status check_child(irl_verify_replay *v, const node *child, const irl_verify_view *view,
                              const irl_verify_state *state, uint64_t *cover, int64_t *value) {
  irl_verify_state next = {0};
  irl_verify_view packed = {0};
  bool is_packed = false;
  if (!irl_verify_cover(view, state->live, child->literals, child->n, cover)) {
    irl_verify_reject(v, child->line, "the node has no proper clause");
    return IRL_OK;
  }
  *value =
      state->left * (irl_verify_weigh(view, &view->cases, cover) -
                     irl_verify_cost(v->limits.penalty, child->n)) -
      (v->limits.is_hamming ? state->left : 1) * irl_verify_weigh(view, &view->controls, cover);
  irl_status status = irl_verify_make_state(v, view, &next);
  if (!status) {
    irl_verify_take(view, &v->limits, state, cover, child->n, &next);
    status = pack(v, view, &next, &packed, &is_packed);
  }
  if (!status) status = check_node(v, child, is_packed ? &packed : view, &next);
  irl_verify_view_free(&packed);
  irl_verify_free_state(v, &next);
  return status;
}

static irl_status check_children(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                                 const irl_verify_state *state) {
  node child, before = {0};
  int64_t value = 0, last = 0;
  irl_status status = IRL_OK;
  uint64_t *cover = irl_verify_new_column(v->env, view);
  if (!cover) return irl_fail_memory(v->env);
  for (uint64_t i = 0; i < at->n_children && !status && !v->is_rejected; i++) {
    if (!read_node(v, at->depth + 1, &child)) break;
    status = check_child(v, &child, view, state, cover, &value);
    if (status || v->is_rejected) break;
    if (i && !is_in_order(&before, last, &child, value))
      irl_verify_reject(v, child.line, "the node is not in its place among its siblings");
    before = child;
    last = value;
    if (!add_shown(v, &child)) status = irl_fail_memory(v->env);
  }
  irl_mem_free_aligned(&v->env->allocator, cover);
  return status;
}

static irl_status check_node(irl_verify_replay *v, const node *at, const irl_verify_view *view,
                             const irl_verify_state *state) {
  const size_t n_shown = v->n_shown;
  irl_status status = IRL_OK;
  if (irl_verify_is_better(&v->limits, state))
    irl_verify_reject(v, at->line, "the clauses down to here have loss %lld, less than the rule's",
                      (long long)(state->paid + state->uncovered));
  else if (at->n_children && state->left < 2)
    irl_verify_reject(v, at->line, "no clause is left for children");
  if (!v->is_rejected) status = check_children(v, at, view, state);
  if (!status && !v->is_rejected && state->left) status = inquire(v, at, view, state);
  v->n_shown = n_shown;
  return status;
}

static irl_status check_proof(irl_verify_replay *v) {
  irl_verify_state root = {0};
  node at;
  char end[80];
  uint64_t nodes;
  if (!read_node(v, 0, &at)) return IRL_OK;
  irl_status status = irl_verify_make_root(v, &root);
  if (!status) status = check_node(v, &at, &v->all, &root);
  irl_verify_free_state(v, &root);
  if (status || v->is_rejected) return status;
  const size_t size = (size_t)(v->text.at - v->text.begin);
  snprintf(end, sizeof end, "end # %016llx", (unsigned long long)XXH3_64bits(v->text.begin, size));
  if (irl_verify_expect(v, end, &nodes) && nodes != v->result->nodes)
    irl_verify_reject(v, v->text.line.number, "there are %llu nodes",
                      (unsigned long long)v->result->nodes);
  if (!v->is_rejected && v->text.at != v->text.end)
    irl_verify_reject(v, v->text.line.number + 1, "nothing is expected after the end");
  return IRL_OK;
}

static irl_status check(irl_verify_replay *v) {
  irl_status status = irl_verify_read_head(v);
  if (!status && !v->is_rejected) irl_verify_read_data(v);
  if (!status && !v->is_rejected) irl_verify_read_limits(v);
  if (!status && !v->is_rejected) irl_verify_check_claim(v);
  if (status || v->is_rejected) return status;
  if (!v->limits.max_literals) v->limits.max_literals = UINT64_MAX;
  status =
      irl_verify_view_init(v->env, &v->meter, &v->all, v->data, v->limits.negations, &v->weights);
  if (!status) status = irl_verify_check_rule(v);
  if (!status && !v->is_rejected && v->is_merged) status = irl_verify_merge(v);
  return status || v->is_rejected ? status : check_proof(v);
}

irl_status irl_verify_run(irl_env *env, const irl_verify_job *job, irl_verify_result *result) {
  *result = (irl_verify_result){0};
  irl_verify_replay v = {.env = env, .data = job->data, .rule = job->rule, .result = result};
  v.text = (irl_verify_text){.begin = job->bytes, .at = job->bytes, .end = job->bytes + job->size};
  v.meter = irl_verify_start_meter(&job->limit, job->size);
  irl_status status = check(&v);
  result->is_cut = status == IRL_E_LIMIT;
  if (result->is_cut) irl_verify_name_cut(&v);
  result->is_valid = !status && !v.is_rejected;
  result->work = v.meter.work;
  irl_verify_view_free(&v.all);
  irl_scope_free(v.scope);
  irl_mem_free(&env->allocator, v.shown);
  irl_mem_free(&env->allocator, v.shown_sizes);
  return status == IRL_E_LIMIT ? IRL_OK : status;
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
