/* Prepares a problem: live samples and wanted literals are packed into the root table, in the order
 * in which the search takes them; weights are sliced.
 *
 * Literals stand by ascending case count: a child sees only the candidates after it, so the small
 * ones, whose subtrees die early, get the long lists, and the large ones short lists. */
#include "base/arena.h"
#include "base/memory.h"
#include "base/threads.h"
#include "clause/distributed.h"
#include <stdlib.h>

/* Everything that only preparing needs. */
struct draft {
  irl_clause_model *model;
  irl_arena arena;
  uint64_t *live[2]; /* cases, controls */
  uint32_t n_live[2];
  uint32_t per_feature; /* literals */
  uint64_t *counts;     /* of the features */
  irl_literal_set literals;
};

/* The live samples of a class, the least and the greatest of their weights, and how many planes
 * these take: none where all are the same. False: out of memory. */
static bool read_class(struct draft *draft, int class) {
  irl_clause_model *model = draft->model;
  const irl_clause_problem *problem = model->problem;
  const uint64_t *given = class ? problem->live_controls : problem->live_cases;
  const int64_t *weights = class ? problem->control_weights : problem->case_weights;
  const uint32_t n = class ? problem->data->n_controls : problem->data->n_cases;
  const size_t stride = irl_bits_stride(n);
  uint64_t *live = irl_arena_alloc_aligned(&draft->arena, stride, sizeof *live);
  if (!live) return false;
  irl_bits_fill(live, n, stride);
  if (given) model->kernels->and_into(live, live, given, stride);
  draft->live[class] = live;
  draft->n_live[class] = (uint32_t)model->kernels->count(live, stride);
  int64_t least = class ? problem->control_weight : problem->case_weight, most = least;
  bool is_first = true;
  for (uint32_t i = 0; weights && i < n; i++) {
    if (!irl_bits_get(live, i)) continue;
    if (is_first || weights[i] < least) least = weights[i];
    if (is_first || weights[i] > most) most = weights[i];
    is_first = false;
  }
  if (weights && is_first) least = most = 0;
  assert(0 <= least && least <= most);
  model->least_weight[class] = least;
  model->weight[class] = most;
  model->n_planes[class] = least == most ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)most);
  return true;
}

/* Live samples, limits, and memory for what each feature and literal counts. */
static bool start_draft(struct draft *draft) {
  irl_clause_model *model = draft->model;
  const irl_clause_problem *problem = model->problem;
  const irl_data *data = problem->data;
  if (!read_class(draft, 0) || !read_class(draft, 1)) return false;
  model->max_size = problem->max_size;
  model->budget = problem->budget < draft->n_live[1] ? (uint32_t)problem->budget : draft->n_live[1];
  model->min_cases =
      problem->min_cases <= draft->n_live[0] ? (uint32_t)problem->min_cases : UINT32_MAX;
  assert(model->max_size && model->max_size <= IRL_CLAUSE_MAX);
  /* Literals of one feature or group never meet, which a replacement might make them do; but then
   * the clause covered no case before. Groups that bind it might break. */
  const bool is_free = ((!problem->negations && !problem->groups) || model->min_cases > 0) &&
                       !irl_groups_bind(problem->groups, data->n_features);
  model->may_replace = is_free && !problem->keeps_all;
  draft->per_feature = problem->negations && irl_data_may_negate(data) ? 2 : 1;
  draft->counts = irl_mem_alloc(&model->allocator, data->n_features, sizeof *draft->counts);
  return draft->counts && irl_literal_set_reserve(&model->allocator, &draft->literals,
                                                  data->n_features * draft->per_feature + 1);
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The literals that cover enough cases, in search order, and which of them are here. False: out of
 * memory. */
static bool order_root(struct draft *draft) {
  irl_clause_model *model = draft->model;
  const irl_data *data = model->problem->data;
  irl_literal_set *set = &draft->literals;
  irl_clause_table *root = &model->root;
  for (uint32_t j = 0; j < data->n_features; j++)
    for (uint32_t negated = 0; negated < draft->per_feature; negated++) {
      const uint32_t cases = (uint32_t)draft->counts[j], controls = draft->counts[j] >> 32;
      const uint32_t covered = negated ? draft->n_live[0] - cases : cases;
      assert(cases <= draft->n_live[0] && controls <= draft->n_live[1]);
      if (covered < model->min_cases) continue;
      assert(set->n < set->capacity);
      set->id[set->n] = irl_literal_make(j, negated);
      set->cases[set->n] = covered;
      set->controls[set->n] = negated ? draft->n_live[1] - controls : controls;
      set->n++;
    }
  const size_t n_literals = 2 * (size_t)data->n_features;
  uint64_t *order = irl_mem_alloc(&model->allocator, (size_t)set->n + 1, sizeof *order);
  model->column_of = irl_mem_alloc(&model->allocator, n_literals, sizeof *model->column_of);
  if (!order || !model->column_of ||
      !irl_literal_set_reserve(&model->allocator, &root->set, set->n)) {
    irl_mem_free(&model->allocator, order);
    return false;
  }
  for (uint32_t i = 0; i < set->n; i++) order[i] = (uint64_t)set->cases[i] << 32 | i;
  qsort(order, set->n, sizeof *order, compare_keys);
  memset(model->column_of, 0xff, n_literals * sizeof *model->column_of);
  for (uint32_t i = 0; i < set->n; i++) {
    irl_literal_set_put(&root->set, i, set, (uint32_t)order[i]);
    model->column_of[root->set.id[i]] = i;
  }
  root->set.n = set->n;
  irl_mem_free(&model->allocator, order); /* the columns are large, and come now */
  irl_mem_free(&model->allocator, set->memory);
  irl_mem_free(&model->allocator, draft->counts);
  draft->counts = NULL;
  *set = (irl_literal_set){0};
  if (data->shard && !irl_clause_assign_own(model, root)) return false;
  return irl_clause_table_shape(model, root, root->set.n, draft->n_live[0], draft->n_live[1]);
}

/* Packs the columns of a feature's literals that are among those of the root. */
static void pack_feature(void *user, uint32_t feature, const uint64_t *cases,
                         const uint64_t *controls) {
  const struct draft *draft = user;
  const irl_clause_model *model = draft->model;
  const irl_clause_table *root = &model->root;
  for (uint32_t negated = 0; negated < draft->per_feature; negated++) {
    uint32_t column = model->column_of[irl_literal_make(feature, negated)];
    if (column == UINT32_MAX) continue;
    if (root->own) column = irl_clause_find_own(root, column);
    for (int class = 0; class < 2; class ++) {
      const size_t words = class ? root->control_words : root->case_words;
      const size_t stride =
          irl_bits_stride(class ? model->problem->data->n_controls : model->problem->data->n_cases);
      uint64_t *into = class ? irl_clause_controls(root, column) : irl_clause_cases(root, column);
      uint64_t ones[IRL_BITS_BLOCK];
      model->kernels->gather_many(into, words, words, class ? controls : cases, stride, NULL, 1,
                                  draft->live[class], stride);
      for (size_t w = 0; negated && w < words; w += IRL_BITS_BLOCK) {
        const size_t left = draft->n_live[class] - 64 * w;
        irl_bits_fill(ones, left < 512 ? left : 512, IRL_BITS_BLOCK);
        for (size_t b = 0; b < IRL_BITS_BLOCK; b++) into[w + b] ^= ones[b];
      }
    }
  }
}

/* Fills the planes, and weighs the columns; where weights differ, their weight is known only where
 * they are. */
static irl_status weigh_root(irl_env *env, const struct draft *draft) {
  irl_clause_model *model = draft->model;
  const irl_clause_problem *problem = model->problem;
  irl_clause_table *root = &model->root;
  root->is_reducible = true;
  root->cost = model->n_planes[1] ? 0 : model->weight[1] * (int64_t)root->n_controls;
  for (int class = 0; class < 2; class ++) {
    const int64_t *weights = class ? problem->control_weights : problem->case_weights;
    const uint32_t n = class ? problem->data->n_controls : problem->data->n_cases;
    const size_t n_words = class ? root->control_words : root->case_words;
    uint64_t *planes = irl_clause_planes(model, root, class);
    uint32_t at = 0;
    memset(planes, 0, model->n_planes[class] * n_words * sizeof *planes);
    for (uint32_t i = 0; model->n_planes[class] && i < n; i++) {
      if (!irl_bits_get(draft->live[class], i)) continue;
      for (unsigned b = 0; b < model->n_planes[class]; b++)
        if (weights[i] >> b & 1) irl_bits_set(planes + b * n_words, at);
      if (class) root->cost += weights[i];
      at++;
    }
  }
  const bool has_planes = model->n_planes[0] || model->n_planes[1];
  if (root->own && has_planes) {
    memset(root->set.gain, 0, root->set.n * sizeof *root->set.gain);
    memset(root->set.cost, 0, root->set.n * sizeof *root->set.cost);
  }
  for (uint32_t here = 0; here < (has_planes ? irl_clause_n_here(root) : root->set.n); here++) {
    const uint32_t i = has_planes ? irl_clause_number(root, here) : here;
    const uint64_t *cases = has_planes ? irl_clause_cases(root, here) : NULL;
    const uint64_t *controls = has_planes ? irl_clause_controls(root, here) : NULL;
    root->set.gain[i] = irl_clause_weigh(model, root, 0, cases, root->set.cases[i]);
    root->set.cost[i] = irl_clause_weigh(model, root, 1, controls, root->set.controls[i]);
  }
  if (!root->own || !has_planes) return IRL_STATUS_OK;
  const irl_status status = irl_comm_allreduce(env, (uint64_t *)root->set.gain, root->set.n);
  return status ? status : irl_comm_allreduce(env, (uint64_t *)root->set.cost, root->set.n);
}

/* On divided data all processes do this together. */
static irl_status prepare(irl_env *env, struct draft *draft) {
  irl_clause_model *model = draft->model;
  const irl_data *data = model->problem->data;
  irl_status status = start_draft(draft) ? IRL_STATUS_OK : irl_fail_memory(env);
  if (data->shard) status = irl_comm_agree(env, status);
  if (!status)
    status = data->shard ? irl_shard_count(env, data, draft->live[0], draft->live[1], draft->counts)
                         : irl_data_count(env, data, draft->live[0], draft->live[1],
                                          model->problem->threads, draft->counts);
  if (status) return status;
  if (!order_root(draft)) status = irl_fail_memory(env);
  if (data->shard) status = irl_comm_agree(env, status);
  if (status) return status;
  model->work += model->root.set.n * (data->cases.stride + data->controls.stride) * 2;
  if (data->shard) status = irl_shard_transpose(env, data, pack_feature, draft);
  const uint32_t n_whole = data->shard ? 0 : data->n_features;
#pragma omp parallel for num_threads(irl_threads_for(                                              \
    model->problem->threads, n_whole, 4.0 * (double)model->root.stride)) schedule(static)
  for (uint32_t j = 0; j < n_whole; j++)
    pack_feature(draft, j, irl_bits_vector(&data->cases, j), irl_bits_vector(&data->controls, j));
  if (!status) status = weigh_root(env, draft);
  assert(status || irl_clause_table_check(model, &model->root));
  return status;
}

irl_status irl_clause_model_prepare(irl_env *env, irl_clause_model *model,
                                    const irl_clause_problem *problem) {
  struct draft draft = {.model = model};
  irl_arena_init(&draft.arena, &env->allocator);
  *model = (irl_clause_model){.problem = problem, .allocator = env->allocator};
  model->kernels = problem->kernels ? problem->kernels : irl_bits_kernels();
  const irl_status status = prepare(env, &draft);
  irl_mem_free(&env->allocator, draft.literals.memory);
  irl_mem_free(&env->allocator, draft.counts);
  irl_arena_free(&draft.arena);
  if (status) irl_clause_model_free(model);
  return status;
}

irl_status irl_clause_model_init(irl_env *env, irl_clause_model *model,
                                 const irl_clause_problem *problem) {
  *model = (irl_clause_model){0};
  const irl_status status = irl_clause_problem_check(env, problem);
  if (status) return status;
  return problem->data->shard ? irl_clause_model_ask(env, model, problem)
                              : irl_clause_model_prepare(env, model, problem);
}

void irl_clause_model_free(irl_clause_model *model) {
  if (!model->allocator.resize) return;
  if (model->comm) irl_comm_forget(model->comm, model->id);
  irl_clause_table_free(&model->allocator, &model->root);
  irl_mem_free(&model->allocator, model->column_of);
  *model = (irl_clause_model){0};
}

#ifndef NDEBUG
bool irl_clause_model_check(const irl_clause_model *model, const irl_clause *clause,
                            uint64_t *cover) {
  const irl_clause_table *root = &model->root;
  irl_clause copy = {0};
  if (!irl_clause_is_ascending(clause) || clause->n > model->max_size ||
      clause->controls > model->budget || clause->cases < model->min_cases)
    return false;
  if (root->own) return true;
  irl_bits_fill(cover, root->n_cases, root->case_words);
  irl_bits_fill(cover + root->case_words, root->n_controls, root->control_words);
  for (uint32_t i = 0; i < clause->n; i++) {
    const uint32_t column = model->column_of[clause->literals[i]];
    if (column == UINT32_MAX) return false;
    model->kernels->and_into(cover, cover, irl_clause_cases(root, column), root->stride);
  }
  irl_clause_set_counts(model, root, cover, &copy);
  return copy.cases == clause->cases && copy.controls == clause->controls &&
         copy.value == clause->value;
}
#endif
