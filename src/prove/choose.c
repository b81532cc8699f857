/* Branch and bound over choices of clauses from a list, for weighted samples.
 *
 * With r clauses left and `need` still to gain, value = r * (new cases) - (new controls) of the r
 * clauses sums up to r * need or more, as everywhere in the proof. That counts a case once for each
 * clause that covers it, and where clauses resemble each other the bound is hopeless. So some cases
 * are given away: let D be a set of them. The r clauses gain at most the weight of D and what they
 * gain on the others, so the values counted without D must sum up to r * (need - weight of D). D
 * grows by the cases that more than one of the r largest values count, as long as that makes the
 * bound smaller; nothing and the D of the parent are tried too, and of all these that set is taken
 * which leaves the fewest clauses to begin with. (This is a Lagrangian bound with multipliers 0 or
 * 1, which need no arithmetic but counting.)
 *
 * A candidate is dropped if its value and the r - 1 largest others do not reach that sum. The
 * clause branched on is the first of the choice by value, the others come after it; two clauses are
 * left to a loop over pairs, where both new cases less the larger new controls reject nearly
 * everything without touching a bit. The first clauses are the tasks of a search in rounds. */
#include "base/clock.h"
#include "base/memory.h"
#include "prove/choose_worker.h"
#include "search/rounds.h"
#include "state/learner.h"

#define PROGRESS_PERIOD 0.25 /* seconds between two lines */

typedef struct chooser {
  irl_env *env;
  irl_learn_choosing *choosing;
  const irl_limit *limit;
  size_t case_words, control_words;
  irl_choose_worker *workers;
  irl_choose_candidate *list; /* of the root: a task each */
  uint32_t n;
  int64_t *bounds;
  uint32_t *found, *n_found; /* by each task of a round, K each */
  int64_t *losses;
  uint64_t *task_nodes;
  const irl_search_rounds *rounds;
  double last_line; /* when */
  bool is_together; /* with a team */
} chooser;

/* ---- tasks ---- */

static uint64_t run_task(void *user, int thread, uint32_t task, uint64_t max_work, bool *is_done) {
  chooser *c = user;
  const irl_learn_choosing *choosing = c->choosing;
  irl_choose_worker *w = &c->workers[thread];
  w->target = choosing->loss;
  w->nodes = w->work = w->next_check = 0;
  w->max_work = max_work;
  w->is_cut = false;
  w->n_best = UINT32_MAX;
  w->n_path = 0;
  if (c->bounds[task] < w->target) irl_choose_branch(w, 0, c->list, c->n, task);
  c->task_nodes[task] = w->nodes;
  c->n_found[task] = w->n_best;
  if (w->n_best != UINT32_MAX) {
    memcpy(c->found + (size_t)task * choosing->K, w->best, w->n_best * sizeof *c->found);
    c->losses[task] = w->target;
  }
  *is_done = !w->is_cut;
  return w->work;
}

static void merge_task(void *user, uint32_t task, bool is_done) {
  chooser *c = user;
  irl_learn_choosing *choosing = c->choosing;
  (void)is_done;
  choosing->nodes += c->task_nodes[task];
  if (c->n_found[task] == UINT32_MAX || c->losses[task] >= choosing->loss) return;
  choosing->n = c->n_found[task];
  choosing->loss = c->losses[task];
  memcpy(choosing->chosen, c->found + (size_t)task * choosing->K,
         choosing->n * sizeof *choosing->chosen);
}

/* No choice has less loss, as far as the open tasks say. */
static int64_t open_bound(const chooser *c) {
  int64_t bound = c->choosing->loss;
  /* What the candidates could gain may be more than there is to lose. */
  for (uint32_t i = 0; i < c->n; i++)
    if (c->rounds->is_open[i] && c->bounds[i] < bound) bound = c->bounds[i];
  return bound > 0 ? bound : 0;
}

static bool report(void *user, uint32_t n_open, uint64_t work) {
  chooser *c = user;
  const irl_learn_choosing *choosing = c->choosing;
  const double now = irl_clock_now();
  if (now - c->last_line < PROGRESS_PERIOD) return true;
  c->last_line = now;
  const double loss = (double)irl_merged_loss(choosing->merged, choosing->loss);
  const double bound = (double)irl_merged_loss(choosing->merged, open_bound(c));
  irl_log(c->env, IRL_LOG_PROGRESS,
          "choose  nodes %llu  open %u of %u  best %.6g  bound %.6g  gap %.1f %%  work %.3g",
          (unsigned long long)choosing->nodes, n_open, c->n, loss / choosing->divisor,
          bound / choosing->divisor, loss > 0 ? 100 * (loss - bound) / loss : 0, (double)work);
  return true;
}

/* What a task found, to the others and from them. */
static void put_task(void *user, uint32_t task, irl_message *message) {
  const chooser *c = user;
  irl_message_put_number(message, c->task_nodes[task]);
  irl_message_put_number(message, c->n_found[task]);
  irl_message_put_number(message, (uint64_t)c->losses[task]);
  if (c->n_found[task] != UINT32_MAX)
    irl_message_put(message, c->found + (size_t)task * c->choosing->K,
                    c->n_found[task] * sizeof *c->found);
}

static bool get_task(void *user, uint32_t task, irl_message *message) {
  chooser *c = user;
  c->task_nodes[task] = irl_message_get_number(message);
  c->n_found[task] = (uint32_t)irl_message_get_number(message);
  c->losses[task] = (int64_t)irl_message_get_number(message);
  if (c->n_found[task] == UINT32_MAX) return true;
  const size_t n = c->n_found[task] * sizeof *c->found;
  const void *found = irl_message_get(message, n);
  if (found) memcpy(c->found + (size_t)task * c->choosing->K, found, n);
  return found;
}

static irl_status run_tasks(chooser *c) {
  irl_learn_choosing *choosing = c->choosing;
  irl_search_rounds rounds = {.env = c->env,
                              .limit = c->limit,
                              .threads = choosing->threads,
                              .n_tasks = c->n,
                              .user = c,
                              .run = run_task,
                              .merge = merge_task,
                              .report = report};
  if (c->is_together) {
    rounds.put = put_task;
    rounds.get = get_task;
  }
  c->rounds = &rounds;
  const irl_status status = irl_search_run(&rounds);
  if (status) return status;
  choosing->work += rounds.work;
  choosing->bound = open_bound(c);
  irl_mem_free(&c->env->allocator, rounds.is_open);
  return IRL_OK;
}

/* ---- memory ---- */

static bool make_worker(chooser *c, irl_choose_worker *w) {
  const irl_allocator *allocator = &c->env->allocator;
  const size_t n = c->choosing->list->n, words = c->case_words + c->control_words;
  bool is_ready = true;
  w->choosing = c->choosing;
  w->limit = c->limit;
  w->case_words = c->case_words;
  w->control_words = c->control_words;
  for (uint32_t i = 0; i <= c->choosing->K && is_ready; i++) {
    irl_choose_frame *f = &w->frames[i];
    f->live = irl_mem_alloc_aligned(allocator, words, sizeof *f->live);
    f->relaxed = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *f->relaxed);
    f->list = irl_mem_alloc(allocator, n, sizeof *f->list);
    is_ready = f->live && f->relaxed && f->list;
  }
  w->ids = irl_mem_alloc(allocator, n, sizeof *w->ids);
  w->places = irl_mem_alloc(allocator, n, sizeof *w->places);
  w->weights = irl_mem_alloc(allocator, n, sizeof *w->weights);
  w->sums = irl_mem_alloc(allocator, n, sizeof *w->sums);
  w->counted = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->counted);
  w->once = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->once);
  w->twice = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->twice);
  w->relaxed = irl_mem_alloc_aligned(allocator, c->case_words, sizeof *w->relaxed);
  w->cover = irl_mem_alloc_aligned(allocator, words, sizeof *w->cover);
  return is_ready && w->ids && w->places && w->weights && w->sums && w->counted && w->once &&
         w->twice && w->relaxed && w->cover;
}

static void free_worker(chooser *c, irl_choose_worker *w) {
  const irl_allocator *allocator = &c->env->allocator;
  for (uint32_t i = 0; i <= c->choosing->K; i++) {
    irl_mem_free_aligned(allocator, w->frames[i].live);
    irl_mem_free_aligned(allocator, w->frames[i].relaxed);
    irl_mem_free(allocator, w->frames[i].list);
  }
  irl_mem_free(allocator, w->ids);
  irl_mem_free(allocator, w->places);
  irl_mem_free(allocator, w->weights);
  irl_mem_free(allocator, w->sums);
  irl_mem_free_aligned(allocator, w->counted);
  irl_mem_free_aligned(allocator, w->once);
  irl_mem_free_aligned(allocator, w->twice);
  irl_mem_free_aligned(allocator, w->relaxed);
  irl_mem_free_aligned(allocator, w->cover);
}

/* Nothing is chosen. */
static void begin_root(chooser *c, irl_choose_worker *w) {
  const irl_learn_choosing *choosing = c->choosing;
  const irl_data *data = choosing->merged->data;
  irl_choose_frame *root = &w->frames[0];
  irl_bits_fill(root->live, data->n_cases, c->case_words);
  irl_bits_fill(root->live + c->case_words, data->n_controls, c->control_words);
  root->left = choosing->K;
  root->loss = irl_merged_weigh(choosing->merged, 0, root->live);
  w->target = choosing->loss;
}

/* The candidates of the root, from the first worker, are the tasks. */
static irl_status make_tasks(chooser *c) {
  const irl_allocator *allocator = &c->env->allocator;
  irl_learn_choosing *choosing = c->choosing;
  const irl_choose_frame *first = &c->workers[0].frames[0];
  for (int t = 0; t < choosing->threads; t++) begin_root(c, &c->workers[t]);
  irl_choose_fill(&c->workers[0], 0, NULL, (uint32_t)choosing->list->n);
  for (int t = 1; t < choosing->threads; t++) {
    irl_choose_frame *root = &c->workers[t].frames[0];
    memcpy(root->relaxed, first->relaxed, c->case_words * sizeof *root->relaxed);
    root->relaxed_weight = first->relaxed_weight;
  }
  choosing->work += c->workers[0].work;
  c->n = first->n;
  c->list = irl_mem_alloc(allocator, c->n, sizeof *c->list);
  c->bounds = irl_mem_alloc(allocator, c->n, sizeof *c->bounds);
  c->found = irl_mem_alloc(allocator, (size_t)c->n * choosing->K, sizeof *c->found);
  c->n_found = irl_mem_alloc(allocator, c->n, sizeof *c->n_found);
  c->losses = irl_mem_alloc(allocator, c->n, sizeof *c->losses);
  c->task_nodes = irl_mem_alloc(allocator, c->n, sizeof *c->task_nodes);
  if (!c->list || !c->bounds || !c->found || !c->n_found || !c->losses || !c->task_nodes)
    return irl_fail_memory(c->env);
  memcpy(c->list, first->list, c->n * sizeof *c->list);
  for (uint32_t i = 0; i < c->n; i++) c->bounds[i] = irl_choose_bound(first, c->list, c->n, i);
  return IRL_OK;
}

static irl_status begin(chooser *c, irl_env *env, const irl_limit *limit,
                        irl_learn_choosing *choosing) {
  *c = (chooser){.env = env,
                 .choosing = choosing,
                 .limit = limit,
                 .case_words = choosing->merged->data->cases.stride,
                 .control_words = choosing->merged->data->controls.stride};
  choosing->n = UINT32_MAX;
  choosing->loss = choosing->target;
  choosing->bound = 0;
  choosing->nodes = choosing->work = 0;
  c->workers = irl_mem_alloc(&env->allocator, (size_t)choosing->threads, sizeof *c->workers);
  if (!c->workers) return irl_fail_memory(env);
  for (int t = 0; t < choosing->threads; t++)
    if (!make_worker(c, &c->workers[t])) return irl_fail_memory(env);
  return IRL_OK;
}

static void end(chooser *c) {
  const irl_allocator *allocator = &c->env->allocator;
  for (int t = 0; c->workers && t < c->choosing->threads; t++) free_worker(c, &c->workers[t]);
  irl_mem_free(allocator, c->workers);
  irl_mem_free(allocator, c->list);
  irl_mem_free(allocator, c->bounds);
  irl_mem_free(allocator, c->found);
  irl_mem_free(allocator, c->n_found);
  irl_mem_free(allocator, c->losses);
  irl_mem_free(allocator, c->task_nodes);
}

/* Alone, or in step with a team. */
static irl_status choose(irl_env *env, const irl_limit *limit, bool is_together,
                         irl_learn_choosing *choosing) {
  chooser c;
  irl_status status = begin(&c, env, limit, choosing);
  c.is_together = is_together;
  if (!status) status = make_tasks(&c);
  if (is_together) status = irl_comm_agree(env, status);
  if (!status) status = run_tasks(&c);
  end(&c);
  return status;
}

/* ---- a team ---- */

static irl_status ask(irl_env *env, const irl_limit *limit, const irl_learn_choosing *choosing) {
  const irl_clause_set *list = choosing->list;
  irl_message message;
  irl_message_init(&message, env);
  irl_merged_put(&message, choosing->merged);
  irl_message_put_number(&message, list->max_literals);
  irl_message_put_number(&message, list->n);
  for (size_t k = 0; k < list->n; k++) {
    irl_message_put_number(&message, list->sizes[k]);
    irl_message_put(&message, irl_clause_set_literals(list, k),
                    list->sizes[k] * sizeof *list->literals);
  }
  irl_message_put_number(&message, choosing->K);
  irl_message_put_number(&message, choosing->max_literals);
  irl_message_put_number(&message, (uint64_t)choosing->target);
  irl_message_put_number(&message, (uint64_t)choosing->threads);
  irl_limit_put(&message, limit);
  irl_status status = irl_comm_call(env, IRL_COMM_SELECT, &message);
  irl_message_free(&message);
  return status ? status : irl_comm_agree(env, IRL_OK);
}

/* The list, with the covers of its clauses. */
static irl_status get_list(irl_env *env, irl_message *message, irl_clause_set *list) {
  irl_status status = IRL_OK;
  const size_t n = irl_message_get_number(message);
  for (size_t k = 0; k < n && !status; k++) {
    uint32_t literals[IRL_CLAUSE_MAX] = {0}, number;
    bool is_new;
    const uint32_t size = (uint32_t)irl_message_get_number(message);
    const void *bytes = irl_message_get(message, size * sizeof *literals);
    if (!bytes || size > list->max_literals) return irl_fail_memory(env);
    memcpy(literals, bytes, size * sizeof *literals);
    status = irl_clause_set_add(env, list, literals, size, &number, &is_new);
  }
  return status;
}

irl_status irl_learn_serve_choose(irl_env *env, irl_message *message) {
  irl_merged merged = {.unit = 1};
  irl_clause_set list = {0};
  irl_limit limit = {.env = env};
  uint32_t chosen[IRL_LEARN_MAX_K];
  irl_status status = irl_merged_get(env, message, &merged);
  irl_learn_choosing choosing = {.merged = &merged, .list = &list, .chosen = chosen};
  if (!status) {
    irl_clause_set_init(&list, merged.data, (uint32_t)irl_message_get_number(message));
    status = get_list(env, message, &list);
  }
  if (!status) {
    choosing.K = (uint32_t)irl_message_get_number(message);
    choosing.max_literals = irl_message_get_number(message);
    choosing.target = (int64_t)irl_message_get_number(message);
    choosing.threads = (int)irl_message_get_number(message);
    irl_limit_get(message, env, &limit);
  }
  status = irl_comm_agree(env, status);
  if (!status) status = choose(env, &limit, true, &choosing);
  if (list.data) irl_clause_set_free(&list);
  irl_merged_free(&merged);
  return status;
}

irl_status irl_learn_choose(irl_env *env, const irl_limit *limit, irl_learn_choosing *choosing) {
  const bool is_together = choosing->merged->data->copy_id;
  const irl_status status = is_together ? ask(env, limit, choosing) : IRL_OK;
  return status ? status : choose(env, limit, is_together, choosing);
}
