/* The part of an .irb file that says what features mean: a record per feature, then the number of
 * columns and of values, then their names, a NUL after each. Numbers are little-endian. */
#include "base/little.h"
#include "base/memory.h"
#include "data/irb.h"

typedef struct record {
  double cut;
  uint32_t column, value, group;
  uint8_t relation; /* an irl_relation, or NO_MEANING for all features */
  uint8_t is_imputed, is_true_missing, reserved;
} record;

_Static_assert(sizeof(record) == 24, "records have no gaps");

#define NO_MEANING 255u

/* From and to the order of the file. */
static record turn_record(record r) {
  uint64_t cut;
  memcpy(&cut, &r.cut, sizeof cut);
  cut = irl_little_64(cut);
  memcpy(&r.cut, &cut, sizeof cut);
  r.column = irl_little_32(r.column);
  r.value = irl_little_32(r.value);
  r.group = irl_little_32(r.group);
  return r;
}

bool irl_irb_has_coding(const irl_data *data) {
  return data->has_opposites;
}

static record make_record(const irl_data *data, uint32_t j) {
  record r = {.relation = NO_MEANING, .group = data->groups ? data->groups[j] : 0};
  if (!irl_has_meanings(&data->meanings)) return r;
  const irl_condition *c = &data->meanings.conditions[j];
  r.cut = c->cut;
  r.column = c->column;
  r.value = irl_condition_is_text(c) ? c->value : 0;
  r.relation = (uint8_t)c->relation;
  r.is_imputed = c->is_imputed;
  r.is_true_missing = c->is_true_missing;
  return r;
}

char *irl_irb_pack_coding(irl_env *env, const irl_data *data, uint64_t *size) {
  const irl_names *const lists[2] = {&data->meanings.columns, &data->meanings.values};
  const uint32_t counts[2] = {irl_little_32((uint32_t)lists[0]->n),
                              irl_little_32((uint32_t)lists[1]->n)};
  const size_t records = data->n_features * sizeof(record);
  *size = records + sizeof counts + lists[0]->text_used + lists[1]->text_used;
  char *bytes = irl_mem_alloc(&env->allocator, *size, 1), *at = bytes;
  if (!bytes) return NULL;
  for (uint32_t j = 0; j < data->n_features; j++, at += sizeof(record)) {
    const record r = turn_record(make_record(data, j));
    memcpy(at, &r, sizeof r);
  }
  memcpy(at, counts, sizeof counts);
  at += sizeof counts;
  for (int i = 0; i < 2; i++) {
    if (lists[i]->n) memcpy(at, lists[i]->text, lists[i]->text_used);
    at += lists[i]->text_used;
  }
  return bytes;
}

/* `n` texts up to `end`, each followed by NUL: where each starts. False: there are fewer. */
static bool find_texts(const char **at, const char *end, uint32_t n, const char **starts) {
  for (uint32_t i = 0; i < n; i++) {
    const char *stop = *at < end ? memchr(*at, '\0', (size_t)(end - *at)) : NULL;
    if (!stop) return false;
    starts[i] = *at;
    *at = stop + 1;
  }
  return true;
}

/* The data set's arrays from the records; false: they make no sense. */
static bool take_records(irl_data *data, const char *records, const uint32_t counts[2],
                         const char *const *texts, uint32_t *groups, irl_meanings *meanings,
                         bool *out_of_memory) {
  for (uint32_t j = 0; j < data->n_features; j++) {
    record r;
    memcpy(&r, records + j * sizeof r, sizeof r);
    r = turn_record(r);
    groups[j] = r.group;
    if (r.relation == NO_MEANING && !irl_has_meanings(meanings)) continue;
    const irl_condition c = {.relation = (irl_relation)r.relation,
                             .cut = r.cut,
                             .is_imputed = r.is_imputed,
                             .is_true_missing = r.is_true_missing};
    const bool has_value = irl_condition_is_text(&c);
    if (r.relation >= IRL_N_RELATIONS || r.column >= counts[0] ||
        (has_value && r.value >= counts[1]) || meanings->n != j)
      return false;
    if (!j) irl_meanings_init(meanings, &data->allocator);
    *out_of_memory = !irl_meanings_add(meanings, c, texts[r.column],
                                       has_value ? texts[counts[0] + r.value] : NULL);
    if (*out_of_memory) return false;
  }
  return true;
}

bool irl_irb_unpack_coding(irl_env *env, const char *bytes, uint64_t size, irl_data *data,
                           irl_status *status) {
  const size_t records = (size_t)data->n_features * sizeof(record);
  const irl_allocator *allocator = &env->allocator;
  uint32_t counts[2];
  *status = IRL_OK;
  if (size < records + sizeof counts) return false;
  memcpy(counts, bytes + records, sizeof counts);
  for (int i = 0; i < 2; i++) counts[i] = irl_little_32(counts[i]);
  const uint64_t n = (uint64_t)counts[0] + counts[1];
  const char *at = bytes + records + sizeof counts, *end = bytes + size;
  if (n > (uint64_t)(end - at)) return false;
  const char **texts = irl_mem_alloc(allocator, n, sizeof *texts);
  uint32_t *groups = irl_mem_alloc(allocator, data->n_features, sizeof *groups);
  irl_meanings meanings = {0};
  bool out_of_memory = !texts || !groups;
  const bool fits = !out_of_memory && find_texts(&at, end, (uint32_t)n, texts) && at == end &&
                    take_records(data, bytes, counts, texts, groups, &meanings, &out_of_memory);
  if (out_of_memory) *status = irl_fail_memory(env);
  if (fits) *status = irl_data_set_meanings(env, data, &meanings, groups);
  irl_meanings_free(&meanings);
  irl_mem_free(allocator, texts);
  irl_mem_free(allocator, groups);
  return fits || out_of_memory;
}
