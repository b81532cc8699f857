/* .irb, the packed format: the data as they are in memory, so that loading is reading.
 *
 *   header    512 bytes: magic, version, sizes, then offset, size and hash of each part, the sums
 *             of cases and controls (irl_irb_sum), by which parts of the file can be checked
 *             together, and last the hash of all that stands before it in the header
 *   names     target, positive, negative, then the features' names, a NUL after each
 *   labels    a bit per sample in the order of the file, in whole blocks of 64 bytes
 *
 * Version 1 is a table of 0/1 without missing cells, as the vectors of its data set:
 *
 *   cases     the vectors of the cases, feature by feature, each in whole blocks
 *   controls  the same for the controls
 *
 * Version 3 is any other table, its columns in place of features (irb_table.c):
 *
 *   columns   a record per column: offset, size and hash of what it has in the last part, how many
 *             of its cells are missing (64 bits each), type and number of values (32 bits each);
 *             types count from 0: binary, number, category, snp, ignore
 *   cells     column by column, each in whole words of 64 bits: of a number its doubles, NaN where
 *             it is missing; of 0/1 and SNPs two vectors of bits, the low and the high bit of each
 *             cell (packed.h), 3 where it is missing; of a category a number of 32 bits per cell,
 *             all ones where it is missing, then its values, a NUL after each; nothing of a column
 *             that is ignored. The hash of this part is 0: its columns have theirs
 *
 * What features mean and how they relate is not in the file: it is made from the columns anew. The
 * files of version 2 had it, and are refused.
 * All numbers are little-endian and vectors are little-endian words of 64 bits, parts start at
 * multiples of 4096, the gaps are zero, hashes are XXH3 of the bytes. Every part is checked when it
 * is loaded. A big-endian machine turns the words around as it reads and writes them. */
#include "read/irb.h"
#include "base/endian.h"
#include "base/limit.h"
#include "base/memory.h"
#include "data/source.h"
#include <xxhash.h>

#define MAGIC "IRELAND\x1a"
#define CODED 2u /* a version of former times */
#define PAGE  4096u

typedef irl_irb_part part;
typedef irl_irb_header header;

uint64_t irl_irb_sum(const irl_bits_matrix *matrix, size_t first_vector, size_t first_word,
                     size_t stride) {
  uint64_t sum = 0, words[IRL_BITS_BLOCK + 1];
  for (size_t i = 0; i < matrix->n_vectors; i++)
    for (size_t w = 0; w < matrix->stride; w += IRL_BITS_BLOCK) {
      memcpy(words, irl_bits_vector(matrix, i) + w, IRL_BITS_BLOCK * sizeof *words);
      words[IRL_BITS_BLOCK] = (uint64_t)(first_vector + i) * stride + first_word + w;
      sum += irl_endian_hash(words, IRL_BITS_BLOCK + 1);
    }
  return sum;
}

/* From and to the order of the file, but for the header's own hash. */
static void turn_header(header *h) {
  uint32_t *const numbers[] = {&h->version,    &h->has_labels, &h->n_samples,
                               &h->n_features, &h->n_cases,    &h->is_rest};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = irl_endian_32(*numbers[i]);
  for (int i = 0; i < IRL_N_PARTS; i++) {
    part *p = &h->parts[i];
    *p = (part){irl_endian_64(p->offset), irl_endian_64(p->size), irl_endian_64(p->hash)};
  }
  h->has_sums = irl_endian_64(h->has_sums);
  irl_endian_convert(h->sums, 2);
}

/* ---- writing ---- */

static void lay_out(header *h, const uint64_t sizes[IRL_N_PARTS]) {
  uint64_t at = PAGE;
  for (int i = 0; i < IRL_N_PARTS; i++) {
    h->parts[i].offset = at;
    h->parts[i].size = sizes[i];
    at += (sizes[i] + PAGE - 1) / PAGE * PAGE;
  }
}

static uint64_t matrix_size(uint64_t n_features, uint64_t n_bits) {
  return n_features * irl_bits_stride(n_bits) * sizeof(uint64_t);
}

void irl_irb_pad(FILE *stream, uint64_t *at, uint64_t offset) {
  static const char zeros[PAGE];
  while (*at < offset) {
    const uint64_t n = offset - *at < PAGE ? offset - *at : PAGE;
    fwrite(zeros, 1, n, stream);
    *at += n;
  }
}

char *irl_irb_pack_names(irl_env *env, const irl_data_labels *called, const irl_names *names,
                         uint64_t *size) {
  const char *const labels[] = {called->target, called->positive, called->negative};
  size_t n = names->text_used, at = 0;
  for (int i = 0; i < 3; i++) n += strlen(labels[i]) + 1;
  char *text = irl_mem_alloc(&env->allocator, n, 1);
  if (!text) return NULL;
  for (int i = 0; i < 3; i++) {
    const size_t length = strlen(labels[i]) + 1;
    memcpy(text + at, labels[i], length);
    at += length;
  }
  if (names->n) memcpy(text + at, names->text, names->text_used);
  *size = n;
  return text;
}

void irl_irb_put_header(header *h, const uint64_t sizes[IRL_N_PARTS],
                        const uint64_t hashes[IRL_N_PARTS], FILE *stream) {
  memcpy(h->magic, MAGIC, sizeof h->magic);
  lay_out(h, sizes);
  for (int i = 0; i < IRL_N_PARTS; i++) h->parts[i].hash = hashes[i];
  header turned = *h;
  turn_header(&turned);
  turned.hash = irl_endian_64(XXH3_64bits(&turned, offsetof(header, hash)));
  fwrite(&turned, 1, sizeof turned, stream);
}

irl_status irl_irb_write(irl_env *env, const irl_data *data, FILE *stream) {
  const irl_data_labels called = {data->target, data->positive, data->negative, false};
  uint64_t sizes[IRL_N_PARTS] = {0, irl_bits_stride(data->n_samples) * sizeof(uint64_t),
                                 matrix_size(data->n_features, data->n_cases),
                                 matrix_size(data->n_features, data->n_controls)};
  header h = {.version = IRL_IRB_BITS,
              .has_labels = data->has_labels,
              .n_samples = data->n_samples,
              .n_features = data->n_features,
              .n_cases = data->n_cases,
              .has_sums = 1,
              .sums = {irl_irb_sum(&data->cases, 0, 0, data->cases.stride),
                       irl_irb_sum(&data->controls, 0, 0, data->controls.stride)}};
  const uint64_t *const words[IRL_N_PARTS] = {NULL, data->labels, data->cases.words,
                                              data->controls.words};
  assert(!data->has_opposites && !irl_data_has_weights(data) && !data->is_rest &&
         irl_data_check(data));
  char *names = irl_irb_pack_names(env, &called, &data->names, &sizes[IRL_PART_NAMES]);
  if (!names) return irl_fail_memory(env);
  uint64_t hashes[IRL_N_PARTS] = {XXH3_64bits(names, sizes[IRL_PART_NAMES])}, at = sizeof h;
  irl_status status = IRL_STATUS_OK;
  for (int i = IRL_PART_LABELS; i < IRL_N_PARTS; i++)
    hashes[i] = irl_endian_hash(words[i], sizes[i] / sizeof(uint64_t));
  irl_irb_put_header(&h, sizes, hashes, stream);
  for (int i = 0; i < IRL_N_PARTS && !status; i++) {
    irl_irb_pad(stream, &at, h.parts[i].offset);
    const size_t n = words[i] ? sizes[i] / sizeof(uint64_t) : 0;
    for (size_t first = 0; first < n && !status; first += IRL_READING_STEP) {
      const size_t now = n - first < IRL_READING_STEP ? n - first : IRL_READING_STEP;
      irl_endian_write(words[i] + first, now, stream);
      if (now < n && irl_reading_limit_reached(env)) status = IRL_STATUS_LIMIT;
    }
    if (i == IRL_PART_NAMES) fwrite(names, 1, sizes[i], stream);
    at += sizes[i];
  }
  irl_mem_free(&env->allocator, names);
  return status;
}

/* ---- reading ---- */

irl_status irl_irb_damaged(irl_env *env, const char *path, uint64_t offset, const char *what) {
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: offset %llu: %s", path,
                  (unsigned long long)offset, what);
}

/* The parts must stand exactly where the sizes say, and fill the file. */
static irl_status check_layout(irl_env *env, const char *path, const header *h,
                               uint64_t file_size) {
  header wanted = {.version = 0};
  const bool is_table = h->version == IRL_IRB_TABLE;
  const uint64_t n_controls = h->n_samples - h->n_cases;
  const uint64_t sizes[IRL_N_PARTS] = {
      h->parts[IRL_PART_NAMES].size, irl_bits_stride(h->n_samples) * sizeof(uint64_t),
      is_table ? (uint64_t)h->n_features * IRL_IRB_RECORD : matrix_size(h->n_features, h->n_cases),
      is_table ? h->parts[IRL_PART_CELLS].size : matrix_size(h->n_features, n_controls)};
  bool is_possible = h->n_samples && h->n_cases <= h->n_samples && h->has_labels <= 1 &&
                     (h->has_labels || !h->n_cases) && h->is_rest <= is_table && !h->reserved[0] &&
                     !h->reserved[1] && !h->reserved[2];
  for (int i = 0; i < IRL_N_PARTS; i++) is_possible &= h->parts[i].size <= file_size;
  if (!is_possible)
    return irl_irb_damaged(env, path, offsetof(header, n_samples),
                           "the sizes in the header are impossible");
  lay_out(&wanted, sizes);
  for (int i = 0; i < IRL_N_PARTS; i++)
    if (h->parts[i].offset != wanted.parts[i].offset || h->parts[i].size != wanted.parts[i].size)
      return irl_irb_damaged(env, path, offsetof(header, parts), "the parts do not fit the sizes");
  const part *last = &h->parts[IRL_N_PARTS - 1];
  if (last->offset + last->size != file_size)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s: offset %llu: the file has %llu bytes instead of %llu: it is %s", path,
                    (unsigned long long)file_size, (unsigned long long)file_size,
                    (unsigned long long)(last->offset + last->size),
                    file_size < last->offset + last->size ? "truncated" : "too long");
  return IRL_STATUS_OK;
}

irl_status irl_irb_check_header(irl_env *env, const char *path, const char *bytes, uint64_t size,
                                header *h) {
  if (size < sizeof *h || memcmp(bytes, MAGIC, sizeof h->magic)) {
    if (!size) return irl_irb_damaged(env, path, 0, "the file is empty");
    return irl_irb_damaged(env, path, 0, "this is not an .irb file, or it is truncated");
  }
  memcpy(h, bytes, sizeof *h);
  const uint64_t hash = XXH3_64bits(h, offsetof(header, hash));
  turn_header(h);
  if (h->version == CODED)
    return irl_fail(
        env, IRL_STATUS_BAD_INPUT,
        "%s: offset 8: format version 2, made by an older ireland: convert the original "
        "again",
        path);
  if (h->version != IRL_IRB_BITS && h->version != IRL_IRB_TABLE)
    return irl_fail(env, IRL_STATUS_BAD_INPUT,
                    "%s: offset 8: format version %u; this ireland reads version %u and %u", path,
                    h->version, IRL_IRB_BITS, IRL_IRB_TABLE);
  if (irl_endian_64(h->hash) != hash)
    return irl_irb_damaged(env, path, 0,
                           "the checksum of the header is wrong: the file is damaged");
  return check_layout(env, path, h, size);
}

irl_status irl_irb_check_part(irl_env *env, const char *path, const char *bytes, const part *p,
                              const char *name) {
  if (XXH3_64bits(bytes, p->size) == p->hash) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: offset %llu: the checksum of the %s is wrong: the file is damaged", path,
                  (unsigned long long)p->offset, name);
}

static irl_status check_parts(irl_env *env, const char *path, const irl_file *file,
                              const header *h) {
  static const char *const names[] = {"names", "labels", "cases", "controls", "columns", "cells"};
  uint64_t end = sizeof *h;
  for (int i = 0; i < IRL_N_PARTS; i++) {
    const part *p = &h->parts[i];
    uint64_t at = end;
    while (at < p->offset && !file->bytes[at]) at++;
    if (at < p->offset)
      return irl_irb_damaged(env, path, end,
                             "the gap before the next part is not zero: the file is damaged");
    end = p->offset + p->size;
    if (i == IRL_PART_CELLS && h->version == IRL_IRB_TABLE) continue; /* column by column */
    const char *name = names[i >= IRL_PART_CASES && h->version == IRL_IRB_TABLE ? i + 2 : i];
    const irl_status status = irl_irb_check_part(env, path, file->bytes + p->offset, p, name);
    if (status) return status;
  }
  return IRL_STATUS_OK;
}

irl_status irl_irb_read_names(irl_env *env, const char *path, const char *text, const header *h,
                              irl_data_labels *called, irl_names *names) {
  const char **labels[] = {&called->target, &called->positive, &called->negative};
  const part *p = &h->parts[IRL_PART_NAMES];
  const char *at = text, *end = text + p->size;
  for (uint64_t i = 0; i < (uint64_t)h->n_features + 3; i++) {
    const char *stop = memchr(at, '\0', (size_t)(end - at));
    if (!stop) return irl_irb_damaged(env, path, p->offset, "there are fewer names than features");
    if (i < 3)
      *labels[i] = at;
    else if (!irl_names_add(names, at, (size_t)(stop - at)))
      return irl_fail_memory(env);
    at = stop + 1;
  }
  return at == end ? IRL_STATUS_OK
                   : irl_irb_damaged(env, path, p->offset, "there are more names than features");
}

/* The vectors where they are in the file as it was read. What came through a pipe is not aligned
 * and is copied, and so is what has to be turned around. */
static irl_status use_matrix(irl_env *env, const irl_file *file, const part *p, size_t n_vectors,
                             size_t n_bits, irl_bits_matrix *matrix) {
  if (file->is_mapped && IRL_IS_LITTLE_ENDIAN) {
    *matrix = irl_bits_borrow((const void *)(file->bytes + p->offset), n_vectors, n_bits);
    return IRL_STATUS_OK;
  }
  const irl_status status = irl_bits_matrix_init(env, matrix, n_vectors, n_bits);
  if (status) return status;
  memcpy(matrix->words, file->bytes + p->offset, p->size);
  irl_endian_convert(matrix->words, p->size / sizeof(uint64_t));
  return IRL_STATUS_OK;
}

irl_status irl_irb_check_classes(irl_env *env, const irl_source *source, const header *h) {
  if (source->one_class_ok || (h->n_cases && h->n_cases < h->n_samples)) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: offset %llu: there is only one class: every sample is a %s", source->path,
                  (unsigned long long)h->parts[IRL_PART_LABELS].offset,
                  h->n_cases ? "case" : "control");
}

static irl_status read_bits(irl_env *env, const irl_source *source, irl_file *file, const header *h,
                            irl_data **out) {
  const part *parts = h->parts;
  const char *labels = file->bytes + parts[IRL_PART_LABELS].offset;
  irl_names names;
  irl_data *data = NULL;
  irl_data_frame frame = {source->path, &names, h->n_samples, NULL, {0}};
  irl_names_init(&names, &env->allocator);
  irl_status status = irl_irb_read_names(
      env, source->path, file->bytes + parts[IRL_PART_NAMES].offset, h, &frame.called, &names);
  if (!status) status = irl_data_create_unfilled(env, &frame, &data);
  irl_names_free(&names);
  if (status) return status;
  /* The data set takes the file over. */
  data->map = *file;
  *file = (irl_file){0};
  memcpy(data->labels, labels, parts[IRL_PART_LABELS].size);
  irl_endian_convert(data->labels, parts[IRL_PART_LABELS].size / sizeof(uint64_t));
  data->n_cases = h->n_cases;
  data->n_controls = h->n_samples - h->n_cases;
  data->has_labels = h->has_labels;
  status =
      use_matrix(env, &data->map, &parts[IRL_PART_CASES], h->n_features, h->n_cases, &data->cases);
  if (!status)
    status = use_matrix(env, &data->map, &parts[IRL_PART_CONTROLS], h->n_features, data->n_controls,
                        &data->controls);
  if (!status && !irl_data_check(data))
    status = irl_irb_damaged(env, source->path, PAGE,
                             "labels or tails contradict the sizes in the header");
  if (!status) status = irl_irb_check_classes(env, source, h);
  return irl_data_deliver(status, data, out);
}

irl_status irl_irb_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  header h;
  irl_data *data = NULL;
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  status = irl_irb_check_header(env, source->path, file.bytes, file.size, &h);
  if (!status) status = check_parts(env, source->path, &file, &h);
  if (!status && h.version == IRL_IRB_TABLE)
    status = irl_irb_read_table(env, source, file.bytes, &h, table);
  else if (!status)
    status = read_bits(env, source, &file, &h, &data);
  if (data) {
    status = irl_table_from_bits(env, source, data, table);
    table->is_bits = !source->is_typed;
    irl_data_free(data);
  }
  irl_file_close(&file);
  return status;
}
