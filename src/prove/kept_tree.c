/* The tree over one list of clauses, whose nodes are in kept_node.c: workers go through parts of it
 * at the same time (search/tree_rounds.h). A clause that is a child of a node is out for the later
 * children and below them as soon as it is dealt out: the rules that hold both are met in the part
 * of the earlier one.
 *
 * One worker, whose scans and listings have all threads, is better where a list is very long, for
 * memory, or where nodes that list clauses by themselves would take much of the work that is
 * left. */
#include "base/clock.h"
#include "base/memory.h"
#include "prove/kept_node.h"
#include "prove/prove_effort.h"
#include "search/tree_rounds.h"

#define NO_RULE UINT32_MAX

typedef struct tree {
  irl_kept_tree *task;
  irl_search *search;
  irl_kept_view view;
  irl_kept_worker *workers;
  uint32_t n_workers;
  uint64_t trial_end;    /* work by which a share must be closed, */
  uint64_t nodes_before; /* if there were some nodes after these */
  double last_line;      /* of progress: when */
  irl_arena arena;
  irl_status status;
} tree;

/* ---- workers ---- */

static irl_status init_worker(tree *x, irl_kept_worker *t) {
  irl_search *search = x->search;
  const irl_data *data = x->view.merged->data;
  const uint32_t K = search->problem->K;
  bool has_memory = true;
  t->view = &x->view;
  t->threads = search->settings.threads;
  t->n_found = NO_RULE;
  irl_arena_init(&t->arena, &search->env->allocator);
  if (t == x->workers)
    t->env = search->env;
  else if (irl_env_create_child(search->env, &t->env))
    return irl_fail_memory(search->env);
  t->is_out = irl_arena_alloc(&t->arena, x->task->list->n + 1, sizeof *t->is_out);
  t->levels = irl_arena_alloc(&t->arena, K + 1u, sizeof *t->levels);
  for (uint32_t i = 0; t->levels && i <= K && has_memory; i++) {
    irl_kept_level *l = &t->levels[i];
    irl_clause_array_init(&l->own, &search->env->allocator, search->problem->M);
    l->cases = irl_arena_alloc_aligned(&t->arena, data->cases.stride, sizeof *l->cases);
    l->kept = irl_arena_alloc_aligned(&t->arena, data->cases.stride, sizeof *l->kept);
    l->controls = irl_arena_alloc_aligned(&t->arena, data->controls.stride, sizeof *l->controls);
    has_memory = l->cases && l->kept && l->controls;
  }
  return t->is_out && t->levels && has_memory ? IRL_STATUS_OK : irl_fail_memory(search->env);
}

static void free_worker(const tree *x, irl_kept_worker *t) {
  const irl_allocator *allocator = &x->search->env->allocator;
  if (!t->view) return; /* never begun */
  for (uint32_t i = 0; t->levels && i <= x->search->problem->K; i++) {
    irl_clause_array_free(&t->levels[i].own);
    irl_mem_free(allocator, t->levels[i].children);
    if (i) irl_mem_free(allocator, t->levels[i].ids); /* the root's are those of the view */
  }
  irl_mem_free(allocator, t->counts);
  irl_mem_free(allocator, t->kept_of_part);
  irl_arena_free(&t->arena);
  if (t->env != x->search->env) irl_env_free(t->env);
}

/* ---- rounds ---- */

static irl_tree_answer enter(void *user, uint32_t worker, uint32_t depth, size_t i,
                             size_t *n_children) {
  irl_kept_worker *t = &((tree *)user)->workers[worker];
  t->is_cut = t->is_cut || irl_limit_reached(&t->limit, t->work);
  if (t->is_cut || t->status) return IRL_TREE_CUT;
  if (!irl_kept_descend(t, depth, i)) return IRL_TREE_PASSED;
  t->status = irl_kept_open(t, depth + 1);
  if (t->status || t->is_cut) return IRL_TREE_CUT;
  *n_children = t->levels[depth + 1].n_children;
  return IRL_TREE_ENTERED;
}

static void leave(void *user, uint32_t worker, uint32_t depth, size_t i) {
  irl_kept_close(&((tree *)user)->workers[worker], depth, i);
}

static uint64_t work_of(void *user, uint32_t worker) {
  return ((tree *)user)->workers[worker].work;
}

/* The children of a node, which a worker is to go through. */
static bool copy_children(const irl_kept_worker *from, irl_kept_worker *to, uint32_t n) {
  const irl_kept_level *l = &from->levels[n];
  irl_kept_level *at = &to->levels[n];
  irl_clause clause;
  if (!irl_mem_reserve_more(&to->env->allocator, &at->children, &at->capacity, 0, l->n_children + 1,
                            sizeof *at->children))
    return false;
  memcpy(at->children, l->children, l->n_children * sizeof *l->children);
  at->n_children = l->n_children;
  at->gain = l->gain;
  at->target = l->target;
  at->is_own = l->is_own;
  at->own.n = 0;
  assert(!l->is_own || l->n_children == l->own.n);
  for (size_t i = 0; l->is_own && i < l->own.n; i++) {
    irl_clause_array_get(&l->own, i, &clause);
    if (!irl_clause_array_add(&at->own, &clause)) return false;
  }
  return true;
}

/* A node on the way to one that is handed over: what it covers and what it has seen of the list. */
static bool copy_node(const irl_kept_worker *from, irl_kept_worker *to, uint32_t n) {
  const irl_data *data = from->view->merged->data;
  const irl_kept_level *l = &from->levels[n];
  irl_kept_level *at = &to->levels[n];
  memcpy(at->cases, l->cases, data->cases.stride * sizeof *l->cases);
  memcpy(at->kept, l->kept, data->cases.stride * sizeof *l->kept);
  memcpy(at->controls, l->controls, data->controls.stride * sizeof *l->controls);
  at->uncovered = l->uncovered;
  at->paid = l->paid;
  at->clause = l->clause;
  at->n_out = 0;
  at->n_ids = l->n_ids;
  at->n_seen = l->n_seen;
  if (!n) { /* all of the list */
    at->ids = from->view->order;
    return true;
  }
  if (!irl_mem_reserve_more(&to->env->allocator, &at->ids, &at->id_capacity, 0, l->n_ids + 1u,
                            sizeof *at->ids))
    return false;
  assert(l->n_ids <= l->n_seen && l->n_seen <= from->levels[n - 1].n_ids);
  if (l->n_ids) /* it has none if it listed clauses of its own */
    memcpy(at->ids, l->ids, l->n_ids * sizeof *l->ids);
  return true;
}

/* Worker 0 keeps the root, and the others what they got of it with their first child. What is out
 * below the node is not out for who gets it. */
static bool give(void *user, uint32_t from, uint32_t to, uint32_t depth, size_t first) {
  tree *x = user;
  const bool is_root = from == IRL_TREE_ROOT;
  const irl_kept_worker *giver = &x->workers[is_root ? 0 : from];
  irl_kept_worker *t = &x->workers[to];
  irl_kept_level *at = &t->levels[depth];
  const uint32_t K = x->search->problem->K;
  if (giver != t && (!is_root || !at->n_children)) {
    for (uint32_t n = 0; n <= depth; n++)
      if (!copy_node(giver, t, n)) return false;
    if (!copy_children(giver, t, depth)) return false;
    if (!is_root) memcpy(t->is_out, giver->is_out, x->task->list->n * sizeof *t->is_out);
    for (uint32_t n = depth + 1; n <= K && !is_root; n++) {
      const irl_kept_level *below = &giver->levels[n];
      for (size_t k = 0; k < below->n_out; k++) t->is_out[below->children[k].i] = false;
    }
    for (uint32_t n = depth + 1; n <= K; n++) t->levels[n].n_out = 0;
  }
  assert(at->n_out <= first && first < at->n_children);
  for (; !at->is_own && at->n_out < first; at->n_out++) t->is_out[at->children[at->n_out].i] = true;
  return true;
}

/* Offers the best rule of a worker. */
static irl_status offer(tree *x, const irl_kept_worker *t) {
  irl_search *search = x->search;
  irl_search_rule rule = {.n = t->n_found};
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < rule.n && !status; i++)
    status = irl_clause_set_add(search->env, &search->pool, t->found[i].literals, t->found[i].n,
                                &rule.clauses[i], NULL);
  if (!status) status = irl_search_offer_logged(search, &rule, "proof", UINT64_MAX);
  assert(status || irl_search_target(search) <= irl_merged_loss(x->view.merged, t->best));
  return status;
}

/* What the workers did and found since the last time, and what is sought from now on. */
static void take_results(tree *x) {
  irl_search *search = x->search;
  const irl_merged *merged = x->view.merged;
  for (uint32_t w = 0; w < x->n_workers; w++) {
    irl_kept_worker *t = &x->workers[w];
    search->work += t->work;
    search->nodes += t->nodes;
    t->work = t->nodes = 0;
    assert(t->n_found == NO_RULE || t->target <= t->best);
    if (t->status && !x->status)
      x->status = irl_fail(search->env, t->status, "%s", irl_env_error(t->env));
    if (!x->status && t->n_found != NO_RULE &&
        t->best < irl_merged_target(merged, irl_search_target(search)))
      x->status = offer(x, t);
    t->n_found = NO_RULE;
  }
  const int64_t best = irl_merged_target(merged, irl_search_target(search));
  if (best < x->task->target) x->task->target = best;
  for (uint32_t w = 0; w < x->n_workers; w++) {
    x->workers[w].best = best;
    x->workers[w].target = x->task->target;
    x->workers[w].limit = irl_limit_left(&x->task->limit, search->work - x->task->start);
  }
}

static void log_progress(tree *x, double share) {
  const double now = irl_clock_now();
  if (now - x->last_line < IRL_PROVE_PROGRESS_PERIOD) return;
  x->last_line = now;
  irl_log(
      x->search->env, IRL_LOG_PROGRESS, "kept  nodes %llu  clauses %zu  %.1f %% done  work %.3g",
      (unsigned long long)x->search->nodes, x->task->list->n, 100 * share, (double)x->search->work);
}

static bool merge(void *user, double share) {
  tree *x = user;
  take_results(x);
  log_progress(x, share);
  const uint64_t used = x->search->work - x->task->start;
  return !x->status && !irl_limit_reached(&x->task->limit, used) &&
         (used <= x->trial_end || share >= IRL_PROVE_LEAST_SHARE ||
          x->search->nodes - x->nodes_before < IRL_PROVE_TRIAL_NODES * x->n_workers);
}

/* ---- the list ---- */

/* All clauses of the list, by falling kept cases: they are counted by these and placed. */
static bool sort_list(tree *x) {
  const uint32_t n = (uint32_t)x->task->list->n, n_cases = x->view.merged->data->n_cases;
  irl_kept_worker *t = &x->workers[0];
  uint32_t at = 0, *starts = irl_arena_alloc(&x->arena, n_cases + 1u, sizeof *starts);
  x->view.order = irl_arena_alloc(&x->arena, n + 1u, sizeof *x->view.order);
  x->view.totals = irl_arena_alloc(&x->arena, n + 1u, sizeof *x->view.totals);
  if (!starts || !x->view.order || !x->view.totals || !irl_kept_reserve(t, n)) return false;
  for (uint32_t i = 0; i < n; i++) x->view.order[i] = i;
  irl_kept_count(t, x->task->keep, x->view.order, n);
  memcpy(x->view.totals, t->counts, n * sizeof *t->counts);
  for (uint32_t i = 0; i < n; i++) starts[x->view.totals[i]]++;
  for (uint32_t c = n_cases + 1; c-- > 0;) {
    const uint32_t here = starts[c];
    starts[c] = at;
    at += here;
  }
  assert(at == n);
  for (uint32_t i = 0; i < n; i++) x->view.order[starts[x->view.totals[i]]++] = i;
  return true;
}

/* Columns of few kept cases are packed: scans read a word or a few in place of a block. */
static bool pack_list(tree *x) {
  const irl_bits_matrix *cases = &x->task->list->cases;
  irl_kept_view *view = &x->view;
  view->n_words = (view->kernels->count(x->task->keep, cases->stride) + 63) / 64;
  if (view->n_words > IRL_KEPT_PACKED_WORDS) return true;
  view->packed = irl_arena_alloc_aligned(&x->arena, x->task->list->n * view->n_words + 1, 8);
  if (!view->packed) return false;
  view->kernels->gather_many(view->packed, view->n_words, view->n_words, cases->words,
                             cases->stride, NULL, x->task->list->n, x->task->keep, cases->stride);
  x->workers[0].work += x->task->list->n * cases->stride;
  return true;
}

static bool make_root(tree *x) {
  const irl_data *data = x->view.merged->data;
  irl_kept_level *root = &x->workers[0].levels[0];
  x->view.all_controls = irl_arena_alloc_aligned(&x->arena, data->controls.stride, 8);
  if (!x->view.all_controls || !sort_list(x) || !pack_list(x)) return false;
  irl_bits_fill(x->view.all_controls, data->n_controls, data->controls.stride);
  irl_bits_fill(root->cases, data->n_cases, data->cases.stride);
  irl_bits_fill(root->controls, data->n_controls, data->controls.stride);
  memcpy(root->kept, x->task->keep, data->cases.stride * sizeof *root->kept);
  root->uncovered = irl_merged_total(x->view.merged);
  root->ids = x->view.order;
  root->n_ids = (uint32_t)x->task->list->n;
  return true;
}

/* ---- the whole ---- */

/* How many workers, by the length of the list and what a node's own listing would take. */
static uint32_t choose_n_workers(const tree *x) {
  const irl_problem *problem = x->search->problem;
  const irl_data *data = x->view.merged->data;
  const double n = data->n_features * (problem->negations ? 2.0 : 1.0);
  const double own = n * n / 2 * IRL_PROVE_OWN_WORDS;
  const double words = n * (double)(data->cases.stride + data->controls.stride);
  const uint64_t list = x->task->list->n * sizeof(uint32_t) * (problem->K + 2ull);
  const irl_kept_worker *root = &x->workers[0];
  if (root->levels[0].n_children < 2) return 1;
  if (own * IRL_TREE_WORKERS > (double)root->limit.max_work) return 1;
  return list + words * sizeof(uint64_t) > (double)IRL_PROVE_MAX_MEMORY / 2 / IRL_TREE_WORKERS
             ? 1
             : IRL_TREE_WORKERS;
}

static irl_status search_tree(tree *x) {
  irl_kept_worker *root = &x->workers[0];
  irl_status status = init_worker(x, root);
  x->n_workers = 1;
  if (!status && !make_root(x)) status = irl_fail_memory(x->search->env);
  if (status) return status;
  take_results(x);
  root->status = irl_kept_open(root, 0);
  take_results(x);
  if (x->status || root->is_cut) return x->status;
  const uint32_t n = choose_n_workers(x);
  while (x->n_workers < n && !status) {
    irl_kept_worker *t = &x->workers[x->n_workers++];
    status = init_worker(x, t);
    t->threads = root->threads = 1;
  }
  if (status) return status;
  take_results(x);
  irl_tree_rounds rounds = {.env = x->search->env,
                            .threads = x->search->settings.threads,
                            .n_workers = n,
                            .max_depth = x->search->problem->K,
                            .n_root = root->levels[0].n_children,
                            .turn = n > 1 ? IRL_PROVE_TURN_WORK : 1,
                            .user = x,
                            .enter = enter,
                            .leave = leave,
                            .work = work_of,
                            .give = give,
                            .merge = merge}; /* a tree that is cut says nothing */
  status = irl_tree_rounds_run(&rounds);
  x->task->is_closed = !status && !x->status && !rounds.is_cut;
  return status ? status : x->status;
}

irl_status irl_kept_tree_search(irl_kept_tree *task) {
  irl_search *search = task->search;
  const irl_allocator *allocator = &search->env->allocator;
  tree x = {.task = task,
            .search = search,
            .view = {.task = task,
                     .search = search,
                     .merged = &search->problem->merged,
                     .kernels = irl_bits_kernels()}};
  const uint64_t used = search->work - task->start, most = task->limit.max_work;
  x.trial_end = most > used ? used + (most - used) / 4 : used;
  x.nodes_before = search->nodes;
  task->is_closed = false;
  irl_arena_init(&x.arena, allocator);
  assert(task->least && task->target > 0 && task->unit > 0 &&
         irl_problem_is_simple(search->problem));
  x.workers = irl_mem_alloc(allocator, IRL_TREE_WORKERS, sizeof *x.workers);
  const irl_status status = x.workers ? search_tree(&x) : irl_fail_memory(search->env);
  for (uint32_t w = 0; x.workers && w < IRL_TREE_WORKERS; w++) free_worker(&x, &x.workers[w]);
  irl_mem_free(allocator, x.workers);
  irl_arena_free(&x.arena);
  return status;
}
