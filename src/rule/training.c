#include "rule/training.h"
#include "base/memory.h"
#include "rule/statistics.h"
#include <math.h>
#include <stdlib.h>

#define MOST_PATTERNS 256u  /* in a rule file */
#define MOST_VALUES   1000u /* of a column in a rule file; of one that has more nothing is kept */
#define PRIOR_SAMPLES 2.0   /* how many samples the share above counts for */

static irl_training *create(const irl_allocator *allocator, size_t n_clauses) {
  irl_training *made = irl_mem_alloc(allocator, 1, sizeof *made);
  if (!made) return NULL;
  made->allocator = *allocator;
  made->n_clauses = n_clauses;
  irl_names_init(&made->keys, allocator);
  irl_names_init(&made->columns, allocator);
  return made;
}

void irl_training_free(irl_training *training) {
  if (!training) return;
  const irl_allocator allocator = training->allocator;
  for (size_t i = 0; i < training->columns.n; i++) irl_names_free(&training->known[i].values);
  irl_names_free(&training->keys);
  irl_names_free(&training->columns);
  irl_mem_free(&allocator, training->counts);
  irl_mem_free(&allocator, training->known);
  irl_mem_free(&allocator, training);
}

/* ---- patterns ---- */

/* Adds to the counts of a pattern; false: out of memory. */
static bool add_pattern(irl_training *t, const char *key, int class, uint64_t n) {
  uint32_t number;
  const size_t before = t->keys.n;
  if (!irl_names_intern(&t->keys, key, t->n_clauses, &number) ||
      (t->keys.n > before &&
       !irl_mem_reserve(&t->allocator, &t->counts, &t->counts_capacity, before, sizeof *t->counts)))
    return false;
  if (t->keys.n > before) t->counts[number][0] = t->counts[number][1] = 0;
  t->counts[number][class] += n;
  t->listed[class] += n;
  if (!strchr(irl_names_get(&t->keys, number), '1')) t->none[class] += n;
  return true;
}

static bool count_class(irl_training *t, const irl_bits_matrix *covers, int class, char *key) {
  const size_t n_samples = covers->n_bits;
  uint64_t n_none = 0;
  for (size_t w = 0; 64 * w < n_samples; w++) {
    const size_t left = n_samples - 64 * w < 64 ? n_samples - 64 * w : 64;
    uint64_t any = 0;
    for (size_t k = 0; k < t->n_clauses; k++) any |= irl_bits_vector(covers, k)[w];
    n_none += left - (size_t)__builtin_popcountll(any);
    for (; any; any &= any - 1) {
      const int bit = __builtin_ctzll(any);
      for (size_t k = 0; k < t->n_clauses; k++)
        key[k] = irl_bits_vector(covers, k)[w] >> bit & 1 ? '1' : '0';
      if (!add_pattern(t, key, class, 1)) return false;
    }
  }
  memset(key, '0', t->n_clauses);
  t->n[class] = n_samples;
  return add_pattern(t, key, class, n_none);
}

typedef struct ranked {
  uint32_t number;
  uint64_t n;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->n != y->n) return x->n < y->n ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

/* The most frequent patterns, the one in which no clause holds first; of equal ones those that came
 * first. */
static bool keep_frequent(irl_training **training, size_t most) {
  const irl_training *all = *training;
  const size_t n = all->keys.n;
  ranked *order = irl_mem_alloc(&all->allocator, n, sizeof *order);
  irl_training *kept = create(&all->allocator, all->n_clauses);
  bool done = order && kept;
  for (uint32_t i = 0; i < n && done; i++) {
    const bool is_none = !strchr(irl_names_get(&all->keys, i), '1');
    order[i] = (ranked){i, is_none ? UINT64_MAX : all->counts[i][0] + all->counts[i][1]};
  }
  if (done) qsort(order, n, sizeof *order, compare_ranked);
  for (size_t i = 0; i < n && i < most && done; i++) {
    const char *key = irl_names_get(&all->keys, order[i].number);
    for (int class = 0; class < 2 && done; class ++)
      done = add_pattern(kept, key, class, all->counts[order[i].number][class]);
  }
  irl_mem_free(&all->allocator, order);
  if (done) memcpy(kept->n, all->n, sizeof kept->n);
  irl_training_free(done ? *training : kept);
  if (done) *training = kept;
  return done;
}

irl_status irl_training_of(irl_env *env, const irl_rule *rule, const irl_data *data, size_t most,
                           irl_training **out) {
  irl_bound_rule bound;
  const irl_status status = irl_rule_bind(env, rule, data, &bound);
  if (status) return status;
  irl_training *made = create(&env->allocator, rule->n_clauses);
  char *key = irl_mem_alloc(&env->allocator, rule->n_clauses + 1, 1);
  const bool done = made && key && count_class(made, &bound.controls, 0, key) &&
                    count_class(made, &bound.cases, 1, key) && keep_frequent(&made, most);
  irl_mem_free(&env->allocator, key);
  irl_bound_rule_free(env, &bound);
  if (!done) {
    irl_training_free(made);
    return irl_fail_memory(env);
  }
  irl_training_free(*out);
  *out = made;
  return IRL_STATUS_OK;
}

irl_status irl_training_count(irl_env *env, irl_rule *rule, const irl_data *data) {
  return irl_training_of(env, rule, data, MOST_PATTERNS, &rule->training);
}

irl_likeness irl_training_find(const irl_training *t, const char *pattern) {
  const bool fires = strchr(pattern, '1');
  const uint32_t found = irl_names_find(&t->keys, pattern, t->n_clauses);
  double group[2] = {0, 0}; /* samples that are predicted alike: controls, cases */
  uint64_t own[2] = {0, 0};
  for (int class = 0; class < 2; class ++) {
    assert(t->listed[class] <= t->n[class]);
    group[class] = (double)(fires ? t->n[class] - t->none[class] : t->none[class]);
    /* One that is not listed is like those that are not. */
    own[class] = found != IRL_NO_NAME ? t->counts[found][class]
                 : fires              ? t->n[class] - t->listed[class]
                                      : 0;
  }
  irl_likeness like = {.cases = own[1], .samples = own[0] + own[1]};
  const double all =
      ((double)t->n[1] + PRIOR_SAMPLES / 2) / ((double)t->n[0] + (double)t->n[1] + PRIOR_SAMPLES);
  const double alike = (group[1] + PRIOR_SAMPLES * all) / (group[0] + group[1] + PRIOR_SAMPLES);
  like.share = ((double)own[1] + PRIOR_SAMPLES * alike) / ((double)like.samples + PRIOR_SAMPLES);
  irl_statistics_wilson(like.cases, like.samples, &like.low, &like.high);
  assert(like.low <= like.share && like.share <= like.high);
  return like;
}

/* ---- values ---- */

const irl_known *irl_training_known(const irl_training *training, const char *column) {
  if (!training) return NULL;
  const uint32_t found = irl_names_find(&training->columns, column, strlen(column));
  return found == IRL_NO_NAME ? NULL : &training->known[found];
}

/* A column of which nothing is known yet; NULL: out of memory. */
static irl_known *add_column(irl_training *t, const char *column) {
  uint32_t number;
  if (!irl_mem_reserve(&t->allocator, &t->known, &t->known_capacity, t->columns.n,
                       sizeof *t->known))
    return NULL;
  irl_known *known = &t->known[t->columns.n];
  *known = (irl_known){.is_number = false};
  irl_names_init(&known->values, &t->allocator);
  return irl_names_intern(&t->columns, column, strlen(column), &number) ? known : NULL;
}

static bool add_range(irl_training *t, const char *name, double low, double high) {
  irl_known *known = add_column(t, name);
  if (!known) return false;
  known->is_number = true;
  known->low = low;
  known->high = high;
  return true;
}

static bool note_number(irl_training *t, const char *name, const irl_column *column,
                        const irl_rows *rows) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < rows->n; i++) {
    const double value = column->numbers[irl_rows_sample(rows, i)];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return !isfinite(low) || !isfinite(high) || add_range(t, name, low, high);
}

static int by_text(const void *x, const void *y) {
  const char *const *a = x, *const *b = y;
  return strcmp(*a, *b);
}

/* The values stand in the order of their texts, whatever order a file has them in. */
static bool note_category(irl_training *t, const char *name, const irl_column *column,
                          const irl_rows *rows) {
  const size_t n = column->values->n;
  size_t n_used = 0;
  uint8_t *is_used = irl_mem_alloc(&t->allocator, n, 1);
  const char **used = irl_mem_alloc(&t->allocator, n, sizeof *used);
  bool done = is_used && used;
  for (uint32_t i = 0; i < rows->n && done; i++) {
    const uint32_t code = column->codes[irl_rows_sample(rows, i)];
    if (code == IRL_NO_VALUE || is_used[code]) continue;
    is_used[code] = 1;
    used[n_used++] = irl_names_get(column->values, code);
  }
  if (done && n_used && n_used <= MOST_VALUES) {
    irl_known *known = add_column(t, name);
    uint32_t number;
    done = known;
    qsort(used, n_used, sizeof *used, by_text);
    for (size_t v = 0; v < n_used && done; v++)
      done = irl_names_intern(&known->values, used[v], strlen(used[v]), &number);
  }
  irl_mem_free(&t->allocator, is_used);
  irl_mem_free(&t->allocator, used);
  return done;
}

irl_status irl_training_note(irl_env *env, irl_rule *rule, const irl_table *table,
                             const irl_rows *rows) {
  irl_training *t = rule->training;
  bool done = true;
  if (!t) return IRL_STATUS_OK;
  for (uint32_t i = 0; i < rule->names.n && done; i++) {
    const irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, i);
    const uint32_t found = irl_names_find(&table->names, asked.column, strlen(asked.column));
    if (found == IRL_NO_NAME || irl_training_known(t, asked.column)) continue;
    const irl_column *column = &table->columns[found];
    if (column->type == IRL_COLUMN_NUMBER) done = note_number(t, asked.column, column, rows);
    if (column->type == IRL_COLUMN_CATEGORY) done = note_category(t, asked.column, column, rows);
  }
  return done ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* ---- in rule files ---- */

void irl_training_put(irl_json *json, const char *key, const irl_training *t) {
  irl_json_open(json, key, '{');
  irl_json_unsigned(json, "cases", t->n[1]);
  irl_json_unsigned(json, "controls", t->n[0]);
  irl_json_open(json, "patterns", '[');
  for (size_t i = 0; i < t->keys.n; i++) {
    const char *pattern = irl_names_get(&t->keys, i);
    irl_json_open_flat(json, NULL, '{');
    irl_json_open(json, "fires", '[');
    for (size_t k = 0; k < t->n_clauses; k++)
      if (pattern[k] == '1') irl_json_unsigned(json, NULL, k + 1);
    irl_json_close(json, ']');
    irl_json_unsigned(json, "cases", t->counts[i][1]);
    irl_json_unsigned(json, "controls", t->counts[i][0]);
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
  if (t->columns.n) irl_json_open(json, "columns", '[');
  for (size_t i = 0; i < t->columns.n; i++) {
    const irl_known *known = &t->known[i];
    irl_json_open_flat(json, NULL, '{');
    irl_json_string(json, "column", irl_names_get(&t->columns, i));
    if (known->is_number) {
      irl_json_real(json, "low", known->low);
      irl_json_real(json, "high", known->high);
    } else {
      irl_json_open(json, "values", '[');
      for (size_t v = 0; v < known->values.n; v++)
        irl_json_string(json, NULL, irl_names_get(&known->values, v));
      irl_json_close(json, ']');
    }
    irl_json_close(json, '}');
  }
  if (t->columns.n) irl_json_close(json, ']');
  irl_json_close(json, '}');
}

static irl_status get_count(const irl_json_source *in, const irl_json_value *from, const char *key,
                            uint64_t *count) {
  const irl_json_value *value = irl_json_get(from, key);
  if (!irl_json_is_whole(value, 0, 1e15))
    return irl_json_refuse(in, value ? value : from,
                           "this needs whole numbers \"cases\" and \"controls\"");
  *count = (uint64_t)value->number;
  return IRL_STATUS_OK;
}

static irl_status get_pattern(const irl_json_source *in, const irl_json_value *from,
                              irl_training *t, char *key) {
  const irl_json_value *fires = irl_json_get(from, "fires");
  uint64_t n[2] = {0, 0};
  if (!fires || fires->type != IRL_JSON_ARRAY)
    return irl_json_refuse(in, from, "a pattern needs \"fires\", the numbers of its clauses");
  memset(key, '0', t->n_clauses);
  for (const irl_json_value *v = fires->first; v; v = v->next) {
    if (!irl_json_is_whole(v, 1, (double)t->n_clauses))
      return irl_json_refuse(in, v, "there is no clause of this number");
    key[(size_t)v->number - 1] = '1';
  }
  irl_status status = get_count(in, from, "controls", &n[0]);
  if (!status) status = get_count(in, from, "cases", &n[1]);
  if (status) return status;
  if (irl_names_find(&t->keys, key, t->n_clauses) != IRL_NO_NAME)
    return irl_json_refuse(in, from, "this pattern is there twice");
  return add_pattern(t, key, 0, n[0]) && add_pattern(t, key, 1, n[1]) ? IRL_STATUS_OK
                                                                      : irl_fail_memory(in->env);
}

static irl_status get_column(const irl_json_source *in, const irl_json_value *from,
                             irl_training *t) {
  const irl_json_value *column = irl_json_get(from, "column"), *low = irl_json_get(from, "low"),
                       *high = irl_json_get(from, "high"), *values = irl_json_get(from, "values");
  const bool has_range = low && high && low->type == IRL_JSON_NUMBER &&
                         high->type == IRL_JSON_NUMBER && low->number <= high->number;
  uint32_t number;
  if (!irl_json_is_text(column) || (!has_range && (!values || values->type != IRL_JSON_ARRAY)))
    return irl_json_refuse(in, from,
                           "a column needs its name, and \"low\" and \"high\" or \"values\"");
  if (irl_training_known(t, column->text))
    return irl_json_refuse(in, from, "this column is there twice");
  if (has_range)
    return add_range(t, column->text, low->number, high->number) ? IRL_STATUS_OK
                                                                 : irl_fail_memory(in->env);
  irl_known *known = add_column(t, column->text);
  bool done = known;
  for (const irl_json_value *v = values->first; v && done; v = v->next) {
    if (!irl_json_is_text(v)) return irl_json_refuse(in, v, "a value must be a text");
    done = irl_names_intern(&known->values, v->text, v->length, &number);
  }
  return done ? IRL_STATUS_OK : irl_fail_memory(in->env);
}

irl_status irl_training_get(const irl_json_source *in, const irl_json_value *value,
                            irl_rule *rule) {
  irl_env *env = in->env;
  irl_training *t = create(&env->allocator, rule->n_clauses);
  const irl_json_value *patterns = irl_json_get(value, "patterns"),
                       *columns = irl_json_get(value, "columns");
  char *key = irl_mem_alloc(&env->allocator, rule->n_clauses + 1, 1);
  irl_status status = t && key ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status && value->type != IRL_JSON_OBJECT)
    status = irl_json_refuse(in, value, "this must be an object");
  if (!status) status = get_count(in, value, "controls", &t->n[0]);
  if (!status) status = get_count(in, value, "cases", &t->n[1]);
  uint64_t left[2] = {0, 0};
  if (!status) memcpy(left, t->n, sizeof left);
  for (const irl_json_value *v = patterns ? patterns->first : NULL; v && !status; v = v->next) {
    status = get_pattern(in, v, t, key);
    for (int class = 0; class < 2 && !status; class ++) {
      const uint64_t own = t->counts[t->keys.n - 1][class];
      if (own > left[class])
        status = irl_json_refuse(in, v, "the patterns have more samples than there are");
      if (!status) left[class] -= own;
    }
  }
  for (const irl_json_value *v = columns ? columns->first : NULL; v && !status; v = v->next)
    status = get_column(in, v, t);
  irl_mem_free(&env->allocator, key);
  if (status)
    irl_training_free(t);
  else
    rule->training = t;
  return status;
}
