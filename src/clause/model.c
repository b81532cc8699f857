/* Prepares a problem: live samples and wanted literals are packed into the root table, in the order
 * in which the search takes them; weights are sliced; excluded clauses get a hash index and, if
 * covers count, their covers.
 *
 * Literals stand by ascending case count: a child sees only the candidates after it, so the small
 * ones, whose subtrees die early, get the long lists, and the large ones short lists. */
#include "base/arena.h"
#include "base/memory.h"
#include "clause/distributed.h"
#include <stdlib.h>
#include <xxhash.h>

/* Everything that only preparing needs. */
struct draft {
  irl_arena arena;
  uint64_t *live[2]; /* cases, controls */
  uint32_t n_live[2];
  uint32_t per_feature; /* literals */
  uint64_t *counts;     /* of the features */
  irl_literal_set literals;
  uint64_t *order;
};

static bool copy_live(const irl_clause_model *model, struct draft *draft, bool is_control) {
  const irl_clause_problem *problem = model->problem;
  const uint64_t *given = is_control ? problem->live_controls : problem->live_cases;
  const uint32_t n = is_control ? problem->data->n_controls : problem->data->n_cases;
  const size_t stride = irl_bits_stride(n);
  uint64_t *live = irl_arena_alloc_aligned(&draft->arena, stride, sizeof *live);
  if (!live) return false;
  irl_bits_fill(live, n, stride);
  if (given) model->kernels->and_into(live, live, given, stride);
  draft->live[is_control] = live;
  draft->n_live[is_control] = (uint32_t)model->kernels->count(live, stride);
  return true;
}

/* The least and the greatest weight of the live samples of a class; planes where they differ. */
static void weigh_class(irl_clause_model *model, const struct draft *draft, bool is_control) {
  const irl_clause_problem *problem = model->problem;
  const int64_t *weights = is_control ? problem->control_weights : problem->case_weights;
  const uint32_t n = is_control ? problem->data->n_controls : problem->data->n_cases;
  int64_t least = is_control ? problem->control_weight : problem->case_weight, most = least;
  bool is_first = true;
  for (uint32_t i = 0; weights && i < n; i++) {
    if (!irl_bits_get(draft->live[is_control], i)) continue;
    if (is_first || weights[i] < least) least = weights[i];
    if (is_first || weights[i] > most) most = weights[i];
    is_first = false;
  }
  if (weights && is_first) least = most = 0;
  assert(0 <= least && least <= most);
  const unsigned n_planes = least == most ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)most);
  *(is_control ? &model->least_control : &model->least_case) = least;
  *(is_control ? &model->control_weight : &model->case_weight) = most;
  *(is_control ? &model->n_control_planes : &model->n_case_planes) = n_planes;
}

static void fill_planes(const uint64_t *live, uint32_t n, const int64_t *weights, unsigned n_planes,
                        size_t n_words, uint64_t *planes) {
  memset(planes, 0, n_planes * n_words * sizeof *planes);
  uint32_t at = 0;
  for (uint32_t i = 0; n_planes && i < n; i++) {
    if (!irl_bits_get(live, i)) continue;
    for (unsigned b = 0; b < n_planes; b++)
      if (weights[i] >> b & 1) irl_bits_set(planes + b * n_words, at);
    at++;
  }
}

static void choose_literals(irl_clause_model *model, struct draft *draft) {
  const irl_data *data = model->problem->data;
  irl_literal_set *set = &draft->literals;
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
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The literals in search order, and which of them are here. */
static bool order_root(irl_clause_model *model, struct draft *draft) {
  const irl_data *data = model->problem->data;
  const irl_literal_set *from = &draft->literals;
  irl_clause_table *root = &model->root;
  draft->order = irl_arena_alloc(&draft->arena, from->n + 1, sizeof *draft->order);
  if (!draft->order || !irl_literal_set_reserve(&model->allocator, &root->set, from->n))
    return false;
  for (uint32_t i = 0; i < from->n; i++) draft->order[i] = (uint64_t)from->cases[i] << 32 | i;
  qsort(draft->order, from->n, sizeof *draft->order, compare_keys);
  for (uint32_t i = 0; i < from->n; i++)
    irl_literal_set_put(&root->set, i, from, (uint32_t)draft->order[i]);
  root->set.n = from->n;
  if (data->shard && !irl_clause_assign_own(model, root)) return false;
  return irl_clause_table_shape(model, root, from->n, draft->n_live[0], draft->n_live[1]);
}

/* Packs a literal's column, given its feature's bits. */
static void pack_column(const irl_clause_model *model, const struct draft *draft, uint32_t column,
                        bool is_negated, const uint64_t *const bits[2]) {
  const irl_clause_table *root = &model->root;
  for (int class = 0; class < 2; class ++) {
    const uint32_t n = class ? model->problem->data->n_controls : model->problem->data->n_cases;
    const size_t words = class ? root->control_words : root->case_words;
    const size_t stride = irl_bits_stride(n);
    uint64_t *into = class ? irl_clause_controls(root, column) : irl_clause_cases(root, column);
    model->kernels->gather_many(into, words, words, bits[class], stride, NULL, 1,
                                draft->live[class], stride);
    if (!is_negated) continue;
    uint64_t ones[IRL_BITS_BLOCK];
    for (size_t w = 0; w < words; w += IRL_BITS_BLOCK) {
      const size_t done = 64 * w, left = draft->n_live[class] - done;
      irl_bits_fill(ones, left < 512 ? left : 512, IRL_BITS_BLOCK);
      for (size_t b = 0; b < IRL_BITS_BLOCK; b++) into[w + b] ^= ones[b];
    }
  }
}

/* A feature that is turned around: its literals. */
struct packing {
  const irl_clause_model *model;
  const struct draft *draft;
};

static void pack_feature(void *user, uint32_t feature, const uint64_t *cases,
                         const uint64_t *controls) {
  const struct packing *packing = user;
  const irl_clause_model *model = packing->model;
  const uint64_t *const bits[2] = {cases, controls};
  for (uint32_t negated = 0; negated < packing->draft->per_feature; negated++) {
    const uint32_t column = model->column_of[irl_literal_make(feature, negated)];
    if (column == UINT32_MAX) continue;
    pack_column(model, packing->draft, irl_clause_find_own(&model->root, column), negated, bits);
  }
}

/* Packs the columns that are here. */
static irl_status pack_root(irl_env *env, irl_clause_model *model, struct draft *draft) {
  const irl_data *data = model->problem->data;
  const irl_literal_set *set = &model->root.set;
  model->work += set->n * (data->cases.stride + data->controls.stride) * 2;
  if (data->shard)
    return irl_shard_transpose(env, data, pack_feature, &(struct packing){model, draft});
  for (uint32_t i = 0; i < set->n; i++) {
    const uint32_t feature = irl_literal_feature(set->id[i]);
    const uint64_t *const bits[2] = {irl_bits_vector(&data->cases, feature),
                                     irl_bits_vector(&data->controls, feature)};
    pack_column(model, draft, i, irl_literal_is_negated(set->id[i]), bits);
  }
  return IRL_OK;
}

/* What the columns weigh; where weights differ, that is known only where they are. */
static irl_status weigh_columns(irl_env *env, irl_clause_model *model) {
  irl_clause_table *root = &model->root;
  const bool has_planes = model->n_case_planes || model->n_control_planes;
  if (root->own && has_planes) {
    memset(root->set.gain, 0, root->set.n * sizeof *root->set.gain);
    memset(root->set.cost, 0, root->set.n * sizeof *root->set.cost);
  }
  for (uint32_t here = 0; here < (has_planes ? irl_clause_n_here(root) : root->set.n); here++) {
    const uint32_t i = has_planes ? irl_clause_number(root, here) : here;
    const uint64_t *column = has_planes ? irl_clause_cases(root, here) : NULL;
    root->set.gain[i] = irl_clause_weigh_cases(model, root, column, root->set.cases[i]);
    root->set.cost[i] = irl_clause_weigh_controls(
        model, root, has_planes ? column + root->case_words : NULL, root->set.controls[i]);
  }
  if (!root->own || !has_planes) return IRL_OK;
  const irl_status status = irl_comm_allreduce(env, (uint64_t *)root->set.gain, root->set.n);
  return status ? status : irl_comm_allreduce(env, (uint64_t *)root->set.cost, root->set.n);
}

static irl_status weigh_root(irl_env *env, irl_clause_model *model, const struct draft *draft) {
  const irl_clause_problem *problem = model->problem;
  irl_clause_table *root = &model->root;
  uint64_t *control_planes = root->planes + model->n_case_planes * root->case_words;
  fill_planes(draft->live[0], problem->data->n_cases, problem->case_weights, model->n_case_planes,
              root->case_words, root->planes);
  fill_planes(draft->live[1], problem->data->n_controls, problem->control_weights,
              model->n_control_planes, root->control_words, control_planes);
  root->is_reducible = true;
  root->cost = model->control_weight * (int64_t)root->n_controls;
  if (model->n_control_planes) {
    root->cost = 0;
    for (unsigned b = 0; b < model->n_control_planes; b++)
      root->cost += (int64_t)(model->kernels->count(control_planes + b * root->control_words,
                                                    root->control_words)
                              << b);
  }
  return weigh_columns(env, model);
}

static uint64_t hash_literals(const irl_clause *clause) {
  return XXH3_64bits(clause->literals, clause->n * sizeof *clause->literals);
}

static bool index_excluded(irl_clause_model *model) {
  const irl_clause_problem *problem = model->problem;
  if (!problem->n_excluded) return true;
  if (!irl_hash_index_reset(&model->excluded, problem->n_excluded)) return false;
  for (size_t i = 0; i < problem->n_excluded; i++)
    irl_hash_index_insert(&model->excluded, hash_literals(&problem->excluded[i]), (uint32_t)i);
  if (!problem->excluded_by_cover) return true;
  const size_t stride = model->root.stride;
  model->excluded_covers =
      irl_mem_alloc_aligned(&model->allocator, problem->n_excluded * stride, sizeof(uint64_t));
  for (size_t i = 0; model->excluded_covers && i < problem->n_excluded; i++) {
    irl_clause clause = problem->excluded[i];
    irl_clause_model_cover(model, &clause, model->excluded_covers + i * stride);
  }
  return model->excluded_covers != NULL;
}

static bool index_literals(irl_clause_model *model) {
  const size_t n = 2 * (size_t)model->problem->data->n_features;
  model->column_of = irl_mem_alloc(&model->allocator, n, sizeof(uint32_t));
  if (!model->column_of) return false;
  memset(model->column_of, 0xff, n * sizeof(uint32_t));
  for (uint32_t i = 0; i < model->root.set.n; i++) model->column_of[model->root.set.id[i]] = i;
  return true;
}

static void read_limits(irl_clause_model *model, const struct draft *draft) {
  const irl_clause_problem *problem = model->problem;
  model->max_literals = problem->max_literals;
  model->budget = problem->budget < draft->n_live[1] ? (uint32_t)problem->budget : draft->n_live[1];
  model->min_cases =
      problem->min_cases <= draft->n_live[0] ? (uint32_t)problem->min_cases : UINT32_MAX;
  assert(model->max_literals && model->max_literals <= IRL_CLAUSE_MAX);
  /* Literals of one feature or group never meet, which a replacement might make them do; but then
   * the clause covered no case before. */
  const bool is_free = (!problem->negations && !problem->groups) || model->min_cases > 0;
  model->may_replace = is_free && !problem->n_excluded && !problem->keeps_all;
  model->may_merge =
      is_free && !problem->keeps_all && (!problem->n_excluded || problem->excluded_by_cover);
  weigh_class(model, draft, false);
  weigh_class(model, draft, true);
}

/* Live samples, limits, and memory for what each feature and literal counts. */
static bool start_draft(irl_clause_model *model, struct draft *draft) {
  const irl_data *data = model->problem->data;
  if (!copy_live(model, draft, false) || !copy_live(model, draft, true)) return false;
  read_limits(model, draft);
  draft->per_feature = model->problem->negations && irl_data_may_negate(data) ? 2 : 1;
  draft->counts = irl_arena_alloc(&draft->arena, data->n_features, sizeof *draft->counts);
  return draft->counts && irl_literal_set_reserve(&model->allocator, &draft->literals,
                                                  data->n_features * draft->per_feature + 1);
}

/* On divided data all processes do this together. */
static irl_status prepare(irl_env *env, irl_clause_model *model, struct draft *draft) {
  const irl_data *data = model->problem->data;
  const bool is_divided = data->shard;
  irl_status status = start_draft(model, draft) ? IRL_OK : irl_fail_memory(env);
  if (is_divided) status = irl_comm_agree(env, status);
  if (!status)
    status = (is_divided ? irl_shard_count : irl_data_count)(env, data, draft->live[0],
                                                             draft->live[1], draft->counts);
  if (status) return status;
  choose_literals(model, draft);
  if (!order_root(model, draft) || !index_literals(model)) status = irl_fail_memory(env);
  if (is_divided) status = irl_comm_agree(env, status);
  if (!status) status = pack_root(env, model, draft);
  if (!status) status = weigh_root(env, model, draft);
  if (!status && !index_excluded(model)) status = irl_fail_memory(env);
  assert(status || irl_clause_table_check(model, &model->root));
  return status;
}

irl_status irl_clause_model_prepare(irl_env *env, irl_clause_model *model,
                                    const irl_clause_problem *problem) {
  struct draft draft = {0};
  irl_arena_init(&draft.arena, &env->allocator);
  *model = (irl_clause_model){.problem = problem, .allocator = env->allocator};
  irl_hash_index_init(&model->excluded, &env->allocator);
  model->kernels = problem->kernels ? problem->kernels : irl_bits_kernels();
  const irl_status status = prepare(env, model, &draft);
  irl_mem_free(&model->allocator, draft.literals.memory);
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
  irl_hash_index_free(&model->excluded);
  irl_mem_free_aligned(&model->allocator, model->excluded_covers);
  *model = (irl_clause_model){0};
}

void irl_clause_model_cover(const irl_clause_model *model, irl_clause *clause, uint64_t *cover) {
  const irl_clause_table *root = &model->root;
  assert(clause->n && !root->own);
  for (uint32_t i = 0; i < clause->n; i++) {
    assert(irl_literal_feature(clause->literals[i]) < model->problem->data->n_features);
    const uint32_t column = model->column_of[clause->literals[i]];
    if (column == UINT32_MAX) { /* covers too few cases, and so does the clause */
      memset(cover, 0, root->stride * sizeof *cover);
      break;
    }
    if (i)
      model->kernels->and_into(cover, cover, irl_clause_cases(root, column), root->stride);
    else
      memcpy(cover, irl_clause_cases(root, column), root->stride * sizeof *cover);
  }
  clause->cases = (uint32_t)model->kernels->count(cover, root->case_words);
  clause->controls = (uint32_t)model->kernels->count(cover + root->case_words, root->control_words);
  clause->value =
      irl_clause_weigh_cases(model, root, cover, clause->cases) -
      irl_clause_weigh_controls(model, root, cover + root->case_words, clause->controls);
}

#ifndef NDEBUG
bool irl_clause_model_check(const irl_clause_model *model, const irl_clause *clause,
                            uint64_t *cover) {
  if (!irl_clause_is_ascending(clause) || clause->n > model->max_literals ||
      clause->controls > model->budget || clause->cases < model->min_cases)
    return false;
  if (model->root.own) return true;
  irl_clause copy = *clause;
  irl_clause_model_cover(model, &copy, cover);
  return copy.cases == clause->cases && copy.controls == clause->controls &&
         copy.value == clause->value;
}
#endif

bool irl_clause_model_excludes(const irl_clause_model *model, const irl_clause *clause,
                               uint64_t *cover) {
  const irl_clause_problem *problem = model->problem;
  assert(irl_clause_is_ascending(clause));
  if (!model->excluded.n) return false;
  irl_hash_probe probe = irl_hash_probe_start(&model->excluded, hash_literals(clause));
  for (uint32_t k; (k = irl_hash_probe_next(&probe)) != IRL_HASH_NONE;) {
    const irl_clause *other = &problem->excluded[k];
    if (other->n == clause->n &&
        !memcmp(other->literals, clause->literals, clause->n * sizeof *clause->literals))
      return true;
  }
  if (!model->excluded_covers) return false;
  irl_clause copy = *clause;
  const size_t stride = model->root.stride;
  irl_clause_model_cover(model, &copy, cover);
  for (size_t i = 0; i < problem->n_excluded; i++)
    if (!memcmp(cover, model->excluded_covers + i * stride, stride * sizeof *cover)) return true;
  return false;
}
