/* LIBSVM's sparse text: `label index:value ...` per line, indices from 1, ascending; `#` starts a
 * comment. It has no names, so features are f1, f2, ... An index that a line does not have is 0. If
 * all values are 0 and 1 the columns are features; otherwise they are numbers, and are cut as those
 * of other files. What each of those is for comes from the options or from a rule (typed_roles.c),
 * and so do weights and missing values (nan). Columns that hold 0 and 1 alone are binary. The table
 * is dense, eight bytes per cell: files of very many columns, as of texts, are refused rather than
 * fill the memory. */
#include "read/libsvm.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "ireland_data.h"
#include "read/blocks.h"
#include "read/typed.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The table is dense, so it may not be far larger than the text: */
#define FREE_BYTES     ((double)(64 << 20)) /* up to here anything, */
#define BYTES_PER_BYTE 256.0                /* and so many more for each byte of the file */
#define COLUMN_BYTES   400.0                /* of a column of numbers besides its cells */

/* Fails if so many bytes are more than the memory limit leaves, or than the file can justify. */
static irl_status afford(const irl_libsvm *r, double bytes) {
  const double most = FREE_BYTES + BYTES_PER_BYTE * (double)(r->end - r->text);
  if (bytes <= most)
    return irl_reading_affords(r->env, bytes) ? IRL_STATUS_OK
                                              : irl_reading_fail(r->env, r->source->path);
  return irl_libsvm_fail(
      r, r->not_a_bit ? r->not_a_bit : r->text,
      "%zu samples with indices up to %u would take %.0f MB, more than so short a file can "
      "have meant",
      r->start.n, r->n_features, bytes / 1e6);
}

/* The index that the name of a feature means; 0: none. */
static uint32_t index_of(const irl_libsvm *r, const char *name) {
  char *end;
  if (name[0] != 'f' || name[1] < '1' || name[1] > '9') return 0;
  const unsigned long index = strtoul(name + 1, &end, 10);
  return !*end && index <= irl_libsvm_max_index(r) ? (uint32_t)index : 0;
}

/* A feature that no sample has does not show in the file; if a rule needs it, it is 0. */
static void add_wanted_features(irl_libsvm *r) {
  const irl_names *only = r->source->only;
  for (size_t i = 0; only && i < only->n && !r->is_part; i++) {
    const uint32_t index = index_of(r, irl_names_get(only, i));
    if (index > r->n_features) r->n_features = index;
  }
}

static int compare_indices(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The indices that a part is read for. */
static irl_status list_wanted(irl_libsvm *r) {
  const irl_names *only = r->source->only;
  r->wanted = irl_mem_alloc(&r->env->allocator, only->n, sizeof *r->wanted);
  if (!r->wanted) return irl_fail_memory(r->env);
  for (size_t i = 0; i < only->n; i++) {
    const uint32_t index = index_of(r, irl_names_get(only, i));
    if (index) r->wanted[r->n_wanted++] = index;
  }
  qsort(r->wanted, r->n_wanted, sizeof *r->wanted, compare_indices);
  return IRL_STATUS_OK;
}

/* f1, f2, ..., or of a part those that are wanted. */
static bool name_features(const irl_libsvm *r, irl_names *names) {
  char name[16];
  bool done = r->is_part || irl_names_add_numbered(names, r->n_features);
  for (size_t i = 0; r->is_part && i < r->n_wanted && done; i++) {
    const int length = snprintf(name, sizeof name, "f%" PRIu32, r->wanted[i]);
    done = irl_names_add(names, name, (size_t)length);
  }
  return done;
}

/* Entries of row i: from start[i] up to this one. */
static size_t row_end(const irl_libsvm *r, size_t row) {
  return row + 1 < r->start.n ? r->start.items[row + 1] : r->entries.n;
}

/* ---- labels ---- */

/* Have the controls several labels? */
static bool has_rest(const irl_libsvm *r) {
  return r->source->vs_rest && r->known.n != 1;
}

/* Labels become 1 for cases, and texts[] those of cases and controls. */
static irl_status resolve(irl_libsvm *r, char *texts[2]) {
  const irl_source *source = r->source;
  const irl_allocator *allocator = &r->env->allocator;
  irl_status status = IRL_STATUS_OK;
  int positive;
  if (source->no_labels) return IRL_STATUS_OK;
  if (!source->vs_rest) {
    const irl_place at = {source->path, r->text, r->known.text[0], r->before};
    status = irl_labels_resolve(r->env, source, &r->known, irl_place_find(at), "label", &positive);
    if (status) return status;
    for (size_t i = 0; i < r->start.n; i++) r->labels.items[i] = r->labels.items[i] == positive;
    for (int i = 0; i < (int)r->known.n && !status; i++) {
      char **text = &texts[i != positive];
      *text = irl_mem_copy_text(allocator, r->known.text[i], r->known.length[i]);
      if (!*text) status = irl_fail_memory(r->env);
    }
    return status;
  }
  irl_text no;
  size_t n_cases = 0;
  irl_text_init(&no, r->env);
  if (has_rest(r))
    irl_text_printf(&no, "not %s", source->vs_rest);
  else
    irl_text_add(&no, r->known.text[0], r->known.length[0]);
  status = irl_text_take(&no, &texts[1]);
  if (status) return status;
  texts[0] = irl_mem_copy_text(allocator, source->vs_rest, strlen(source->vs_rest));
  if (!texts[0]) return irl_fail_memory(r->env);
  for (size_t i = 0; i < r->start.n; i++) n_cases += r->labels.items[i];
  if (source->one_class_ok || (n_cases && n_cases < r->start.n)) return IRL_STATUS_OK;
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: %s label is '%s'", source->path,
                  n_cases ? "every" : "no", source->vs_rest);
}

/* ---- data ---- */

static irl_status refuse(const typed_plan *plan, size_t column, const char *what) {
  return irl_fail(plan->csv.env, IRL_STATUS_BAD_INPUT, "%s: column '%s' %s", plan->csv.source->path,
                  irl_names_get(&plan->csv.columns, column), what);
}

static irl_status find_type(typed_plan *plan, size_t i) {
  typed_column *c = &plan->columns[i];
  if (c->role != TYPED_KEEP) return IRL_STATUS_OK;
  if (c->forced == IRL_COLUMN_CATEGORY)
    return refuse(plan, i, "cannot be a category; this format has numbers only");
  if (c->forced == IRL_COLUMN_BINARY && c->look.has_other)
    return refuse(plan, i, "holds other values than 0 and 1");
  if (c->forced == IRL_COLUMN_SNP && c->look.has_more)
    return refuse(plan, i, "holds other values than 0, 1 and 2, which count alleles");
  c->type = c->forced != IRL_NOT_FORCED ? (irl_column_type)c->forced
            : c->look.has_other         ? IRL_COLUMN_NUMBER
                                        : IRL_COLUMN_BINARY;
  return IRL_STATUS_OK;
}

static irl_status take_value(const typed_plan *plan, size_t row, uint32_t column, double value) {
  const typed_column *from = &plan->columns[column];
  assert(column < plan->csv.n_columns && row < plan->n_rows);
  if (from->role == TYPED_KEEP)
    irl_column_set_number(&plan->table->columns[from->into], row, value);
  if (from->role != TYPED_WEIGHT) return IRL_STATUS_OK;
  if (!isfinite(value) || value < 0) return refuse(plan, column, "has a weight below 0 or none");
  plan->table->weights[row] = value;
  return IRL_STATUS_OK;
}

static irl_status make_columns(const irl_libsvm *r, typed_plan *plan) {
  size_t n_missing = 0;
  /* Which columns hold other values than 0 and 1, and missing ones. */
  for (size_t e = 0; r->values.n && e < r->entries.n; e++) {
    const double value = r->values.items[e];
    typed_look *of = &plan->columns[r->entries.items[e]].look;
    of->n_numbers++;
    of->has_other |= value != 1 && !isnan(value);
    of->has_more |= value != 1 && value != 2 && !isnan(value);
    if (!isnan(value)) continue;
    if (!of->n_missing++) of->first_missing = r->missing.items[n_missing];
    n_missing++;
  }
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < plan->csv.n_columns && !status; i++) {
    plan->at_column = i;
    status = find_type(plan, i);
  }
  if (!status) status = afford(r, irl_typed_bytes(plan));
  if (!status) status = irl_typed_make_room(plan);
  for (size_t i = 0; i < r->start.n && !status; i++)
    for (size_t e = r->start.items[i]; e < row_end(r, i) && !status; e++)
      status = take_value(plan, i, r->entries.items[e], r->values.n ? r->values.items[e] : 1);
  return status;
}

static irl_status build_columns(irl_libsvm *r, const irl_data_labels *called, irl_table *table) {
  add_wanted_features(r);
  typed_plan plan = {.csv = {.env = r->env,
                             .source = r->source,
                             .before = r->before,
                             .n_columns = r->n_features,
                             .target = r->n_features,
                             .text = r->text,
                             .header = r->text,
                             .end = r->end},
                     .n_rows = r->start.n,
                     .table = table};
  table->n_samples = (uint32_t)r->start.n;
  table->has_labels = !r->source->no_labels;
  table->is_rest = has_rest(r);
  if (table->has_labels) IRL_SWAP(table->labels, r->labels.items);
  irl_status status = irl_table_name_labels(r->env, table, called);
  if (!status) status = afford(r, COLUMN_BYTES * r->n_features);
  if (status) return status;
  irl_names_init(&plan.csv.columns, &r->env->allocator);
  status = name_features(r, &plan.csv.columns) && irl_names_index(&plan.csv.columns, NULL)
               ? irl_typed_roles(&plan)
               : irl_fail_memory(r->env);
  if (!status) status = make_columns(r, &plan);
  if (!status) status = irl_typed_check(&plan);
  r->at_column = plan.at_column;
  irl_typed_free(&plan);
  return status;
}

static void free_reader(irl_libsvm *r) {
  const irl_allocator *allocator = &r->env->allocator;
  irl_array_free(allocator, &r->labels);
  irl_array_free(allocator, &r->start);
  irl_array_free(allocator, &r->entries);
  irl_array_free(allocator, &r->values);
  irl_array_free(allocator, &r->missing);
  irl_mem_free(allocator, r->wanted);
}

/* What was read as a table. */
static irl_status build(irl_libsvm *r, irl_table *table) {
  const irl_source *source = r->source;
  char *texts[2] = {NULL, NULL};
  irl_status status = resolve(r, texts);
  const irl_data_labels called = {NULL, texts[0] ? texts[0] : source->positive,
                                  texts[1] ? texts[1] : source->negative, false};
  if (!status) status = build_columns(r, &called, table);
  table->is_bits = !r->not_a_bit && !source->is_typed;
  for (size_t i = 0; i < 2; i++) irl_mem_free(&r->env->allocator, texts[i]);
  return status;
}

irl_status irl_libsvm_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  irl_libsvm r = {.env = env,
                  .source = source,
                  .text = file.bytes,
                  .at = file.bytes,
                  .end = file.bytes + file.size,
                  .file_size = file.size};
  status = irl_libsvm_lines(&r);
  if (!status && r.start.n > UINT32_MAX - 512)
    status = irl_libsvm_fail(&r, r.end, "more than 4294966783 samples");
  if (!status) status = build(&r, table);
  free_reader(&r);
  irl_file_close(&file);
  return status;
}

/* ---- in parts ---- */

static irl_status add_facts(const irl_libsvm *r, irl_facts *facts) {
  facts->n_rows += r->start.n;
  facts->has_features |= r->n_features > 0;
  facts->has_values |= r->has_values;
  for (size_t i = facts->labels.n; i < r->known.n; i++) {
    const irl_place at = {r->source->path, r->text, r->known.text[i], r->before};
    char *label = irl_mem_copy_text(&r->env->allocator, r->known.text[i], r->known.length[i]);
    const bool done = label && irl_facts_add_label(facts, label, label, r->known.length[i], at);
    irl_mem_free(&r->env->allocator, label);
    if (!done) return irl_fail_memory(r->env);
  }
  return IRL_STATUS_OK;
}

irl_status irl_libsvm_read_part(irl_env *env, const irl_source *source, const irl_part *part,
                                irl_facts *facts, irl_table *table) {
  irl_source bare = *source;
  irl_libsvm r = {.env = env,
                  .source = source,
                  .text = part->text,
                  .at = part->text,
                  .end = part->end,
                  .before = part->before,
                  .file_size = part->file_size,
                  .is_part = true};
  assert(source->only);
  for (; facts && r.known.n < facts->raw.n; r.known.n++) { /* of the parts before */
    r.known.text[r.known.n] = irl_names_get(&facts->raw, r.known.n);
    r.known.length[r.known.n] = strlen(r.known.text[r.known.n]);
  }
  irl_status status = list_wanted(&r);
  if (!status) status = irl_libsvm_lines(&r);
  if (!status && facts) status = add_facts(&r, facts);
  const bool is_read = !status;
  r.n_features = (uint32_t)r.n_wanted;
  bare.no_labels |= facts != NULL;
  r.source = &bare;
  if (!status && r.start.n) status = build(&r, table);
  if (status == IRL_STATUS_BAD_INPUT && facts && is_read) {
    irl_facts_add_misfit(facts, r.at_column, irl_env_error(env));
    status = IRL_STATUS_OK;
  }
  free_reader(&r);
  return status;
}
