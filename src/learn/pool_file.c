#include "learn/pool_file.h"
#include "base/contract.h"
#include "base/file.h"
#include "base/json.h"
#include "base/limit.h"
#include "base/memory.h"
#include "clause/clause_problem.h"
#include "rule/rule.h"
#include <inttypes.h>
#include <stdio.h>

#define FORMAT  "ireland-pool"
#define VERSION 1

static void print_checksum(const irl_data *data, char checksum[20]) {
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  snprintf(checksum, 20, "%016" PRIx64, info.checksum);
}

/* ---- writing ---- */

irl_status irl_pool_render(irl_env *env, const irl_clause_set *pool, bool negations, char **text) {
  irl_json json;
  char checksum[20];
  print_checksum(pool->data, checksum);
  irl_json_init(&json, env);
  irl_json_open(&json, NULL, '{');
  irl_json_string(&json, "format", FORMAT);
  irl_json_integer(&json, "version", VERSION);
  irl_json_string(&json, "checksum", checksum);
  irl_json_unsigned(&json, "M", pool->max_size);
  irl_json_bool(&json, "negations", negations);
  irl_json_open(&json, "clauses", '[');
  for (size_t k = 0; k < pool->n; k++) {
    irl_json_open_flat(&json, NULL, '[');
    for (uint32_t i = 0; i < pool->sizes[k]; i++) {
      const irl_literal_view literal =
          irl_literal_in_words(pool->data, irl_clause_set_literals(pool, k)[i]);
      irl_json_literal(&json, literal.feature, literal.negated);
    }
    irl_json_close(&json, ']');
  }
  irl_json_close(&json, ']');
  irl_json_close(&json, '}');
  return irl_json_take(&json, text);
}

/* ---- reading ---- */

typedef struct reader {
  irl_json_source in;
  const irl_json_value *root;
  const irl_data *data;
  uint32_t M;
  bool negations;
} reader;

static irl_status refuse(const reader *r, const irl_json_value *value, const char *what) {
  return irl_json_refuse(&r->in, value ? value : r->root, what);
}

static bool is_text(const irl_json_value *value, const char *text) {
  return value && value->type == IRL_JSON_STRING && !strcmp(value->text, text);
}

/* Literals ascend in the pool, and each feature stands in a clause once. */
static irl_status add_clause(const reader *r, const irl_json_value *clause, irl_clause_set *pool) {
  const irl_names *names = &r->data->names;
  irl_literal literals[IRL_CLAUSE_MAX];
  uint32_t n = 0;
  if (clause->type != IRL_JSON_ARRAY)
    return refuse(r, clause, "a clause must be an array of literals");
  if (!clause->n_items) return refuse(r, clause, "a clause must have at least one literal");
  if (clause->n_items > r->M) return refuse(r, clause, "this clause has more than M literals");
  for (const irl_json_value *v = clause->first; v; v = v->next, n++) {
    if (v->type != IRL_JSON_STRING)
      return refuse(r, v, "a literal must be a text: \"name\" or \"!name\"");
    uint32_t feature = irl_names_find(names, v->text, v->length);
    const bool has_sign = feature == IRL_NO_NAME && *v->text == '!'; /* or it names an opposite */
    const bool is_negated = has_sign != irl_data_is_complemented(r->data);
    if (is_negated && !r->negations)
      return refuse(r, v,
                    has_sign ? "this literal is negated, but \"negations\" is false"
                             : "this literal of a CNF's reflection is not negated, but "
                               "\"negations\" is false");
    if (has_sign) feature = irl_names_find(names, v->text + 1, v->length - 1);
    if (feature == IRL_NO_NAME) return refuse(r, v, "the data has no feature of this name");
    assert(feature < r->data->n_features);
    const uint32_t at = irl_literal_insert(literals, n, irl_literal_make(feature, is_negated));
    if ((at && irl_literal_feature(literals[at - 1]) == feature) ||
        (at < n && irl_literal_feature(literals[at + 1]) == feature))
      return refuse(r, v, "this feature stands in the clause twice");
  }
  assert(n == clause->n_items && n <= pool->max_size);
  return irl_clause_set_add(r->in.env, pool, literals, n, NULL, NULL);
}

static irl_status build(reader *r, irl_clause_set *out) {
  const irl_json_value *format = irl_json_get(r->root, "format");
  const irl_json_value *version = irl_json_get(r->root, "version");
  const irl_json_value *checksum = irl_json_get(r->root, "checksum");
  const irl_json_value *clauses = irl_json_get(r->root, "clauses");
  const irl_json_value *M = irl_json_get(r->root, "M");
  const irl_json_value *negations = irl_json_get(r->root, "negations");
  char expected[20];
  if (!is_text(format, FORMAT))
    return refuse(r, format, "this is not a pool: its format is not \"" FORMAT "\"");
  if (!version || version->type != IRL_JSON_NUMBER || version->number != VERSION)
    return refuse(r, version, "this version of the pool format is not known; version 1 is");
  print_checksum(r->data, expected);
  if (!is_text(checksum, expected))
    return refuse(r, checksum, "this pool is of other data: the checksums differ");
  if (!clauses || clauses->type != IRL_JSON_ARRAY)
    return refuse(r, clauses, "a pool needs an array \"clauses\"");
  if (!irl_json_is_whole(M, 1, IRL_CLAUSE_MAX))
    return refuse(r, M, "a pool needs \"M\", a whole number from 1 to 64");
  if (!negations || (negations->type != IRL_JSON_TRUE && negations->type != IRL_JSON_FALSE))
    return refuse(r, negations, "a pool needs \"negations\", true or false");
  r->M = (uint32_t)M->number;
  r->negations = negations->type == IRL_JSON_TRUE;

  irl_clause_set pool;
  irl_status status = IRL_STATUS_OK;
  irl_clause_set_init(&pool, r->data, r->M);
  for (const irl_json_value *clause = clauses->first; clause && !status; clause = clause->next) {
    status = add_clause(r, clause, &pool);
    if (!status && pool.n % IRL_CLAUSE_SET_CLOCK == 0 && irl_reading_limit_reached(r->in.env))
      status = irl_reading_fail(r->in.env, r->in.place);
  }
  assert(status || irl_clause_set_check(&pool));
  if (status)
    irl_clause_set_free(&pool);
  else
    *out = pool;
  return status;
}

irl_status irl_pool_load(irl_env *env, const irl_pool *pool, const irl_data *data,
                         irl_clause_set *clauses, bool *negations) {
  irl_arena arena;
  irl_json_value *root;
  irl_arena_init(&arena, &env->allocator);
  irl_status status = irl_json_parse(env, pool->name, pool->text, pool->size, &arena, &root);
  reader r = {.in = {env, pool->name, pool->text}, .root = status ? NULL : root, .data = data};
  if (!status) status = build(&r, clauses);
  if (!status) *negations = r.negations;
  irl_arena_free(&arena);
  return status;
}

/* ---- the text ---- */

irl_status irl_pool_create(irl_env *env, const char *name, const char *text, size_t size,
                           irl_pool **pool) {
  irl_pool *made = irl_mem_alloc(&env->allocator, 1, sizeof *made);
  if (!made) return irl_fail_memory(env);
  *made = (irl_pool){.allocator = env->allocator,
                     .name = irl_mem_copy_text(&env->allocator, name, strlen(name)),
                     .text = irl_mem_copy_text(&env->allocator, text, size),
                     .size = size};
  if (!made->name || !made->text) {
    irl_pool_free(made);
    return irl_fail_memory(env);
  }
  *pool = made;
  return IRL_STATUS_OK;
}

void irl_pool_free(irl_pool *pool) {
  if (!pool) return;
  const irl_allocator allocator = pool->allocator;
  irl_mem_free(&allocator, pool->name);
  irl_mem_free(&allocator, pool->text);
  irl_mem_free(&allocator, pool);
}

irl_status irl_pool_read(irl_env *env, const char *path, irl_pool **pool) {
  IRL_NEED(env, "env, path, pool", env, path, pool);
  irl_file file;
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  status = irl_pool_create(env, path, file.bytes, file.size, pool);
  irl_file_close(&file);
  return status;
}

irl_status irl_pool_write(irl_env *env, const irl_pool *pool, const char *path) {
  IRL_NEED(env, "env, pool, path", env, pool, path);
  return irl_file_write(env, path, pool->text, pool->size);
}
