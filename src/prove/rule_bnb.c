/* Rule branch and bound: the search of the tree whose nodes are in rule_bnb_node.c.
 *
 * Workers go through parts of the tree at the same time (search/tree_rounds.h), the children of the
 * root by falling value, so that the bound of what is open rises. A clause of an earlier sibling
 * counts as closed at a later one as soon as it is dealt out: a rule that is left out for it is no
 * better than one in the part of that sibling, where it is met, or which stays open by its own
 * bound. As long as no better rule is found the tree is that of one worker, node for node.
 *
 * One worker, whose enumerations have all threads, is better where an enumeration takes a large
 * part of the work that is left, or much memory: the root's is measured.
 *
 * With a list (rule_list.c) a node that the list serves takes its children from there. What is
 * closed then are clauses of the list, by number, and dominance is asked of enumerated ones only.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "prove/prove.h"
#include "prove/rule_bnb_node.h"
#include "search/tree_rounds.h"

#define NO_RULE UINT32_MAX
/* Words of data from which on the enumeration at a node is worth more than one thread. */
#define WORTH_THREADS ((uint64_t)1 << 13)
/* Words of a worker's turn: some milliseconds, so that waiting for the last one costs little. */
#define TURN_WORK       ((uint64_t)2000000)
#define ROOT_PART       4u   /* enumerations as the root's that each of many workers could afford */
#define LONGER_LIST     4u   /* times the root's list that a list below it may have, for memory */
#define PROGRESS_PERIOD 0.25 /* seconds between two lines of progress */

typedef struct tree {
  irl_search *search;
  irl_rule_bnb_task *task;
  const irl_merged *merged;
  irl_rule_bnb *workers;
  uint32_t n_workers;
  int64_t target, bound;
  irl_limit limit; /* for a trial less work than in the end: */
  uint64_t max_work;
  uint64_t trial_end;                        /* work by which a share must be closed, */
  uint64_t nodes_before;                     /* if there were some nodes after these */
  irl_rule_list_view view;                   /* of the task's list, if there is one */
  uint64_t start;                            /* work of the search before */
  double last_line;                          /* of progress: when */
  irl_rule_bnb_text *first_text, *last_text; /* in the order of the tree; NULL: none are wanted */
  irl_status status;
} tree;

/* ---- workers ---- */

/* The vectors of all levels; nothing is covered at the root. */
static bool make_levels(irl_rule_bnb *s) {
  const irl_data *data = s->data;
  for (uint32_t i = 0; i <= s->search->problem->K; i++) {
    irl_rule_bnb_level *l = &s->levels[i];
    l->cases = irl_arena_alloc_aligned(&s->arena, data->cases.stride, sizeof *l->cases);
    l->controls = irl_arena_alloc_aligned(&s->arena, data->controls.stride, sizeof *l->controls);
    if (s->merged->weights[0])
      l->scaled = irl_arena_alloc(&s->arena, data->n_samples, sizeof *l->scaled);
    if (!l->cases || !l->controls || (s->merged->weights[0] && !l->scaled)) return false;
  }
  irl_bits_fill(s->levels[0].cases, data->n_cases, data->cases.stride);
  irl_bits_fill(s->levels[0].controls, data->n_controls, data->controls.stride);
  return true;
}

/* Rules of less loss, in units of the merged samples, are better than the incumbent. */
static int64_t best_of(const tree *x) {
  return irl_merged_target(x->merged, irl_search_target(x->search));
}

static irl_status init_worker(tree *x, irl_rule_bnb *s) {
  irl_search *search = x->search;
  const irl_allocator *allocator = &search->env->allocator;
  const irl_data *data = x->merged->data;
  const uint64_t words = (uint64_t)data->n_features * (data->cases.stride + data->controls.stride);
  s->search = search;
  s->merged = x->merged;
  s->data = data;
  s->task = x->task;
  s->target = x->target;
  s->best = best_of(x);
  s->n_found = NO_RULE;
  s->limit = x->limit;
  s->threads = words < WORTH_THREADS ? 1 : search->settings.threads;
  irl_arena_init(&s->arena, allocator);
  irl_clause_array_init(&s->closed, allocator, search->problem->M);
  irl_clause_array_init(&s->other, allocator, search->problem->M);
  for (uint32_t i = 0; i <= search->problem->K; i++)
    irl_clause_array_init(&s->levels[i].clauses, allocator, search->problem->M);
  if (s == x->workers)
    s->env = search->env;
  else if (irl_env_create_child(search->env, &s->env))
    return irl_fail_memory(search->env);
  if (!make_levels(s)) return irl_fail_memory(search->env);
  if (!x->task->list) return IRL_STATUS_OK;
  return s == x->workers ? irl_rule_list_view_make(s, x->task->list, &x->view)
                         : irl_listed_create(s, &x->view);
}

static void free_worker(const tree *x, irl_rule_bnb *s) {
  const irl_allocator *allocator = &x->search->env->allocator;
  if (!s->search) return; /* never begun */
  irl_listed_free(s);
  for (uint32_t i = 0; i <= x->search->problem->K; i++) {
    irl_clause_array_free(&s->levels[i].clauses);
    irl_mem_free(allocator, s->levels[i].order);
  }
  irl_clause_array_free(&s->closed);
  irl_clause_array_free(&s->other);
  irl_arena_free(&s->arena);
  if (s->env != x->search->env) irl_env_free(s->env);
}

/* ---- lines of a certificate ---- */

/* A text after that one, or after all. */
static bool begin_text(tree *x, irl_rule_bnb *s, irl_rule_bnb_text *before) {
  irl_rule_bnb_text *text = irl_mem_alloc(&x->search->env->allocator, 1, sizeof *text);
  if (!text) return false;
  irl_text_init(&text->text, x->search->env);
  if (before) {
    text->next = before->next;
    before->next = text;
  } else
    x->first_text = text;
  if (before == x->last_text) x->last_text = text;
  s->text = text;
  return true;
}

static void join_texts(tree *x) {
  irl_text *all = x->task->nodes;
  for (irl_rule_bnb_text *text = x->first_text, *next; text; text = next) {
    next = text->next;
    if (text->text.length) irl_text_add(all, text->text.bytes, text->text.length);
    all->failed = all->failed || text->text.failed;
    x->task->n_nodes += text->n_lines;
    irl_text_drop(&text->text);
    irl_mem_free(&x->search->env->allocator, text);
  }
}

/* ---- rounds ---- */

static irl_tree_answer enter(void *user, uint32_t worker, uint32_t depth, size_t i,
                             size_t *n_children) {
  irl_rule_bnb *s = &((tree *)user)->workers[worker];
  if (!s->ending && irl_limit_reached(&s->limit, s->work)) s->ending = IRL_ENDED_BY_LIMIT;
  if (s->ending || s->status) return IRL_TREE_CUT;
  if (!irl_rule_bnb_descend(s, depth, i)) return IRL_TREE_PASSED; /* a better rule was found */
  s->status = irl_rule_bnb_open(s, depth + 1);
  if (s->status || s->ending) return IRL_TREE_CUT;
  *n_children = s->levels[depth + 1].n_order;
  return IRL_TREE_ENTERED;
}

static void leave(void *user, uint32_t worker, uint32_t depth, size_t i) {
  irl_rule_bnb *s = &((tree *)user)->workers[worker];
  const irl_rule_bnb_level *here = &s->levels[depth];
  irl_clause clause;
  if (s->listed) {
    irl_listed_close(s, depth, i);
    return;
  }
  assert(i < here->n_order && s->levels[depth + 1].n_closed <= s->closed.n);
  s->closed.n = s->levels[depth + 1].n_closed;
  irl_clause_array_get(&here->clauses, here->order[i], &clause);
  if (!irl_clause_array_add(&s->closed, &clause)) s->status = irl_fail_memory(s->env);
}

static uint64_t work_of(void *user, uint32_t worker) {
  return ((tree *)user)->workers[worker].work;
}

static bool copy_clauses(const irl_clause_array *from, size_t n, irl_clause_array *to) {
  irl_clause clause;
  for (size_t i = to->n; i < n; i++) {
    irl_clause_array_get(from, i, &clause);
    if (!irl_clause_array_add(to, &clause)) return false;
  }
  return true;
}

/* The node at that depth with its children and the way to it. */
static bool copy_level(const irl_rule_bnb *from, irl_rule_bnb *to, uint32_t depth) {
  const irl_data *data = from->data;
  const irl_rule_bnb_level *l = &from->levels[depth];
  irl_rule_bnb_level *here = &to->levels[depth];
  if (l->n_order > here->order_capacity) {
    uint32_t *order =
        irl_mem_grow(&from->search->env->allocator, here->order, l->n_order, sizeof *order);
    if (!order) return false;
    here->order = order;
    here->order_capacity = l->n_order;
  }
  here->node = l->node;
  here->base = l->base;
  here->is_cover = l->is_cover;
  here->is_listed = l->is_listed;
  here->small = l->small;
  here->n_closed = l->n_closed;
  here->n_order = l->n_order;
  assert(l->node.n == depth && l->n_order <= l->clauses.n && l->n_closed <= from->closed.n);
  memcpy(here->order, l->order, l->n_order * sizeof *l->order);
  memcpy(here->cases, l->cases, data->cases.stride * sizeof *l->cases);
  memcpy(here->controls, l->controls, data->controls.stride * sizeof *l->controls);
  memcpy(to->path, from->path, depth * sizeof *to->path);
  here->clauses.n = 0;
  return copy_clauses(&l->clauses, l->clauses.n, &here->clauses);
}

static bool give(void *user, uint32_t from, uint32_t to, uint32_t depth, size_t first) {
  tree *x = user;
  const bool is_root = from == IRL_TREE_ROOT;
  const irl_rule_bnb *giver = &x->workers[is_root ? 0 : from];
  irl_rule_bnb *s = &x->workers[to];
  const irl_rule_bnb_level *here = &s->levels[depth];
  irl_clause clause;
  /* Worker 0 keeps the root, and the others what they got of it with their first child. */
  if (giver != s && (!is_root || !here->n_order) && !copy_level(giver, s, depth)) return false;
  if (s->listed) return irl_listed_give(giver, s, depth, first, is_root);
  if (!is_root) s->closed.n = 0;
  if (!is_root && !copy_clauses(&giver->closed, here->n_closed, &s->closed)) return false;
  assert(s->closed.n >= here->n_closed && s->closed.n <= here->n_closed + first);
  for (size_t i = s->closed.n - here->n_closed; i < first; i++) {
    irl_clause_array_get(&here->clauses, here->order[i], &clause);
    if (!irl_clause_array_add(&s->closed, &clause)) return false;
  }
  return !x->first_text || begin_text(x, s, is_root ? x->last_text : giver->text);
}

/* Offers the best rule of a worker, and goes on with its loss as the target. */
static irl_status offer(tree *x, const irl_rule_bnb *s) {
  irl_search *search = x->search;
  irl_search_rule rule = {.n = s->n_found};
  irl_status status = IRL_STATUS_OK;
  for (uint32_t i = 0; i < rule.n && !status; i++)
    status = irl_clause_set_add(search->env, &search->pool, s->found[i].literals, s->found[i].n,
                                &rule.clauses[i], NULL);
  if (!status) status = irl_search_offer_logged(search, &rule, "proof", UINT64_MAX);
  if (status) return status;
  assert(search->best.loss <= irl_merged_loss(x->merged, s->best));
  if (search->best.loss >= x->task->target) return IRL_STATUS_OK;
  x->task->target = search->best.loss;
  x->target = irl_merged_target(x->merged, search->best.loss);
  return IRL_STATUS_OK;
}

static void log_progress(tree *x, double share) {
  const irl_search *search = x->search;
  const double now = irl_clock_now(), loss = (double)search->best.loss;
  if (now - x->last_line < PROGRESS_PERIOD) return;
  x->last_line = now;
  irl_log(search->env, IRL_LOG_PROGRESS,
          "rule-bnb  nodes %llu  clauses %zu  best %.6g  bound %.6g  gap %.1f %%  %.1f %% done",
          (unsigned long long)search->nodes, x->workers[0].levels[0].n_order,
          irl_problem_objective(search->problem, search->best.loss),
          irl_problem_objective(search->problem, search->proof.bound),
          loss > 0 ? 100 * (loss - (double)search->proof.bound) / loss : 0, 100 * share);
}

/* What the workers did and found since the last time. */
static void take_results(tree *x) {
  irl_search *search = x->search;
  for (uint32_t w = 0; w < x->n_workers; w++) {
    irl_rule_bnb *s = &x->workers[w];
    search->work += s->work;
    search->nodes += s->nodes;
    s->work = s->nodes = 0;
    assert(s->n_found == NO_RULE || s->n_found <= search->problem->K);
    if (s->ending == IRL_ENDED_BY_CAP) x->task->ending = IRL_ENDED_BY_CAP;
    if (s->status && !x->status)
      x->status = irl_fail(search->env, s->status, "%s", irl_env_error(s->env));
    if (!x->status && s->n_found != NO_RULE && s->best < best_of(x)) x->status = offer(x, s);
    s->n_found = NO_RULE;
  }
  const uint64_t used = search->work - x->start;
  for (uint32_t w = 0; w < x->n_workers; w++) {
    x->workers[w].target = x->target;
    x->workers[w].best = best_of(x);
    x->workers[w].limit = irl_limit_left(&x->limit, used);
  }
}

/* Nodes that a list serves are many and short: the share that is closed says little at first. */
static bool gets_on(const tree *x, double share) {
  const irl_tuning *tuning = &x->search->settings.tuning;
  return x->search->work - x->start <= x->trial_end || share * (double)tuning->tree_share >= 1 ||
         x->search->nodes - x->nodes_before < tuning->tree_nodes * x->n_workers;
}

static bool merge(void *user, double share) {
  tree *x = user;
  take_results(x);
  log_progress(x, share);
  /* A trial is passed if the share that is done lets expect an end. */
  const uint64_t used = x->search->work - x->start;
  const double most = (double)x->search->settings.tuning.prove_overrun / 2;
  if (x->limit.max_work < x->max_work && (double)used <= share * most * (double)x->max_work) {
    x->limit.max_work = x->max_work;
    for (uint32_t w = 0; w < x->n_workers; w++)
      x->workers[w].limit = irl_limit_left(&x->limit, used);
  }
  return !x->status && !irl_limit_reached(&x->limit, used) && (!x->task->list || gets_on(x, share));
}

/* The least bound of what is open holds for all. */
static void leave_open(void *user, uint32_t worker, uint32_t depth, size_t i) {
  tree *x = user;
  const irl_rule_bnb *s = &x->workers[worker == IRL_TREE_ROOT ? 0 : worker];
  const int64_t bound = irl_rule_bnb_open_bound(s, depth, i);
  assert(bound >= 0);
  if (bound < x->bound) x->bound = bound;
}

/* ---- the whole ---- */

/* How many workers with a list, by its length and what a node's own enumeration would take. */
static uint32_t choose_n_readers(const tree *x, uint64_t left) {
  const irl_problem *problem = x->search->problem;
  const irl_data *data = x->merged->data;
  const double n = data->n_features * (problem->negations ? 2.0 : 1.0);
  const double own = n * n / 2 * IRL_RULE_LIST_OWN_WORDS;
  const double words = n * (double)(data->cases.stride + data->controls.stride);
  const uint64_t list = x->task->list->clauses->n * sizeof(uint32_t) * (problem->K + 2ull);
  if (own * IRL_TREE_WORKERS > (double)left) return 1;
  return list + words * sizeof(uint64_t) > (double)IRL_PROVE_MEMORY / 2 / IRL_TREE_WORKERS
             ? 1
             : IRL_TREE_WORKERS;
}

/* How many workers, by what the root took and listed. */
static uint32_t choose_n_workers(const tree *x, uint64_t root_work) {
  const irl_rule_bnb *root = &x->workers[0];
  const irl_problem *problem = x->search->problem;
  const size_t n = root->levels[0].clauses.n * LONGER_LIST;
  const size_t most = n < x->task->cap ? n : x->task->cap;
  const size_t bytes = sizeof(int64_t) + (4 + (size_t)problem->M) * sizeof(uint32_t);
  const uint64_t used = x->search->work - x->start;
  const uint64_t left = x->limit.max_work > used ? x->limit.max_work - used : 0;
  if (x->task->found || root->is_divided || problem->K < 2 || root->levels[0].n_order < 2) return 1;
  if (x->task->list) return choose_n_readers(x, left);
  if (root_work > left / IRL_TREE_WORKERS / ROOT_PART) return 1;
  return most > IRL_PROVE_MEMORY / 2 / IRL_TREE_WORKERS / bytes / problem->K ? 1 : IRL_TREE_WORKERS;
}

/* The children of the root, which is open. */
static irl_status search_children(tree *x) {
  irl_rule_bnb *root = &x->workers[0];
  const uint64_t root_work = root->work;
  irl_status status = IRL_STATUS_OK;
  take_results(x);
  if (x->status) return x->status;
  /* The trial begins: the children have that much work at first. */
  const uint64_t end = x->search->work - x->start + x->task->trial_work;
  const uint32_t n = choose_n_workers(x, root_work);
  if (x->task->list) x->trial_end = end;
  if (!x->task->list && x->task->trial_work && end < x->max_work) x->limit.max_work = end;
  root->limit = irl_limit_left(&x->limit, x->search->work - x->start);
  while (x->n_workers < n && !status) {
    irl_rule_bnb *s = &x->workers[x->n_workers++];
    status = init_worker(x, s);
    s->limit = root->limit;
    s->threads = root->threads = 1;
  }
  irl_tree_rounds rounds = {.env = x->search->env,
                            .threads = x->search->settings.threads,
                            .n_workers = n,
                            .max_depth = x->search->problem->K,
                            .n_root = root->levels[0].n_order,
                            .turn = n > 1 ? TURN_WORK : 1,
                            .user = x,
                            .enter = enter,
                            .leave = leave,
                            .work = work_of,
                            .give = give,
                            .merge = merge,
                            .leave_open = leave_open};
  if (!status) status = irl_tree_rounds_run(&rounds);
  x->task->share = rounds.share;
  if (!status && !x->status && !rounds.is_cut) x->task->ending = IRL_ENDED;
  return status ? status : x->status;
}

static irl_status solve(tree *x) {
  const irl_search *search = x->search;
  const irl_rule_bnb_task *task = x->task;
  const irl_merged *merged = x->merged;
  irl_rule_bnb *root = &x->workers[0];
  const bool is_known = !task->has_no_bound && !task->found;
  const int64_t above = search->proof.bound - merged->offset;
  irl_status status = init_worker(x, root);
  x->n_workers = 1;
  if (!status && task->nodes && !begin_text(x, root, NULL)) status = irl_fail_memory(search->env);
  if (status) return status;
  root->levels[0].node =
      (irl_rule_bnb_node){.uncovered = irl_merged_weigh(merged, 0, root->levels[0].cases),
                          .bound = is_known && above > 0 ? above / merged->unit : 0};
  root->status = irl_rule_bnb_open(root, 0);
  if (!root->status && !root->ending) return search_children(x);
  x->bound = root->levels[0].node.bound;
  x->task->share = 0;
  take_results(x);
  return x->status;
}

irl_status irl_rule_bnb_solve(irl_search *search, const irl_limit *limit, irl_rule_bnb_task *task) {
  const irl_merged *merged = &search->problem->merged;
  const irl_allocator *allocator = &search->env->allocator;
  tree x = {.search = search,
            .task = task,
            .merged = merged,
            .target = irl_merged_target(merged, task->target),
            .limit = *limit,
            .max_work = limit->max_work,
            .start = search->work,
            .nodes_before = search->nodes};
  task->ending = IRL_ENDED_BY_LIMIT;
  task->share = 1;
  task->n_nodes = 0;
  task->bound = search->proof.bound;
  assert(task->cap && merged->data && search->problem->K <= IRL_MAX_K);
  x.bound = x.target;
  x.workers = irl_mem_alloc(allocator, IRL_TREE_WORKERS, sizeof *x.workers);
  const irl_status status = x.workers ? solve(&x) : irl_fail_memory(search->env);
  const int64_t bound = irl_merged_loss(merged, x.bound < x.target ? x.bound : x.target);
  if (!status) task->bound = bound < task->target ? bound : task->target;
  assert(status || task->ending || x.bound >= x.target);
  for (uint32_t w = 0; x.workers && w < IRL_TREE_WORKERS; w++) free_worker(&x, &x.workers[w]);
  join_texts(&x);
  irl_mem_free(allocator, x.workers);
  return status;
}
