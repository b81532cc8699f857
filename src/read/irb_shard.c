/* An .irb file of bits in parts: header, names and labels by every process, of the bits only those
 * that it holds. A process that sees another file under the name differs in the hash of the header,
 * which has the hashes of all parts in it; what the processes read is checked by its sum. */
#include "base/endian.h"
#include "base/memory.h"
#include "data/shard.h"
#include "read/irb.h"

typedef struct reader {
  irl_env *env;
  const irl_source *source;
  irl_file_parts file;
  irl_irb_header h;
  irl_data *data;
} reader;

/* A part that every process has. */
static irl_status load(reader *r, const irl_irb_part *part, const char *name, char *bytes) {
  const irl_status status = irl_file_read_part(&r->file, part->offset, bytes, part->size);
  return status ? status : irl_irb_check_part(r->env, r->source->path, bytes, part, name);
}

static irl_status read_names(reader *r) {
  const irl_irb_part *part = &r->h.parts[IRL_PART_NAMES];
  irl_names names;
  irl_data_frame frame = {r->source->path, &names, r->h.n_samples, NULL, {0}};
  char *text = irl_mem_alloc(&r->env->allocator, part->size, 1);
  irl_names_init(&names, &r->env->allocator);
  irl_status status = text ? load(r, part, "names", text) : irl_fail_memory(r->env);
  if (!status)
    status = irl_irb_read_names(r->env, r->source->path, text, &r->h, &frame.called, &names);
  if (!status) status = irl_data_create_unfilled(r->env, &frame, &r->data);
  irl_names_free(&names);
  irl_mem_free(&r->env->allocator, text);
  return status;
}

static irl_status read_labels(reader *r) {
  const irl_irb_part *part = &r->h.parts[IRL_PART_LABELS];
  irl_data *data = r->data;
  const irl_bits_matrix view = irl_bits_borrow(data->labels, 1, data->n_samples);
  uint32_t n_cases = 0;
  const irl_status status = load(r, part, "labels", (char *)data->labels);
  if (status) return status;
  irl_endian_convert(data->labels, view.stride);
  for (uint32_t i = 0; i < data->n_samples; i++) n_cases += irl_bits_get(data->labels, i);
  if (n_cases != r->h.n_cases || !irl_bits_tails_are_zero(&view))
    return irl_irb_damaged(r->env, r->source->path, part->offset,
                           "labels contradict the sizes in the header");
  data->n_cases = n_cases;
  data->n_controls = data->n_samples - n_cases;
  data->has_labels = r->h.has_labels;
  return irl_irb_check_classes(r->env, r->source, &r->h);
}

/* Reads the words that are held of each feature that is held; in one go if they are all. */
static irl_status read_held(reader *r, int class) {
  const irl_shard *shard = r->data->shard;
  const irl_bits_matrix *held = &shard->held[class];
  const size_t stride = (class ? &r->data->controls : &r->data->cases)->stride;
  const uint64_t start = r->h.parts[IRL_PART_CASES + class].offset;
  const size_t bytes = held->stride * sizeof(uint64_t);
  irl_status status = IRL_STATUS_OK;
  if (held->stride == stride)
    status = irl_file_read_part(&r->file, start + shard->features.first * stride * sizeof(uint64_t),
                                held->words, held->n_vectors * bytes);
  for (size_t i = 0; i < held->n_vectors && held->stride < stride && !status; i++) {
    const uint64_t word = (shard->features.first + i) * stride + shard->words[class].first;
    status = irl_file_read_part(&r->file, start + word * sizeof(uint64_t), irl_bits_vector(held, i),
                                bytes);
  }
  irl_endian_convert(held->words, held->n_vectors * held->stride);
  if (!status && !irl_bits_tails_are_zero(held))
    status = irl_irb_damaged(r->env, r->source->path, start, "tails of vectors are not zero");
  return status;
}

static irl_status read_bits(reader *r) {
  const irl_data *data = r->data;
  uint64_t sums[2];
  irl_status status = irl_shard_create(r->env, r->source, r->data);
  if (status) return status;
  irl_shard *shard = data->shard;
  status = read_held(r, 0);
  if (!status) status = read_held(r, 1);
  if (!status) status = irl_file_check_parts(&r->file);
  status = irl_comm_agree(r->env, status);
  if (status) return status;
  /* The sums over all processes: what they read may be damaged, or not what the header says. */
  for (int class = 0; class < 2; class ++) {
    shard->hashes[class] = r->h.parts[IRL_PART_CASES + class].hash;
    sums[class] = irl_irb_sum(&shard->held[class], shard->features.first, shard->words[class].first,
                              (class ? &data->controls : &data->cases)->stride);
  }
  status = irl_comm_allreduce(r->env, sums, 2);
  if (!status && !r->h.has_sums)
    irl_log(r->env, IRL_LOG_WARNING,
            "%s was written by an older ireland: what the processes read of it is not checked "
            "(`ireland convert` it)",
            r->source->path);
  for (int class = 0; class < 2 && !status && r->h.has_sums; class ++)
    if (sums[class] != r->h.sums[class])
      status = irl_irb_damaged(r->env, r->source->path, r->h.parts[IRL_PART_CASES + class].offset,
                               "the checksum of the bits is wrong: the file is damaged, or not the "
                               "same for all processes");
  return status;
}

irl_status irl_irb_read_shard(irl_env *env, const irl_source *source, irl_data **out) {
  reader r = {.env = env, .source = source, .file = {.descriptor = -1}};
  char bytes[IRL_IRB_HEADER] = {0};
  irl_status status = irl_file_open_parts(env, source->path, &r.file);
  const size_t n = r.file.size < sizeof bytes ? (size_t)r.file.size : sizeof bytes;
  if (!status) status = irl_file_read_part(&r.file, 0, bytes, n);
  if (!status) status = irl_irb_check_header(env, source->path, bytes, r.file.size, &r.h);
  status = irl_comm_agree(env, status);
  if (!status) status = irl_shard_compare(env, source->path, r.h.hash);
  if (!status && r.h.version != IRL_IRB_TABLE) { /* tables are read whole */
    status = read_names(&r);
    if (!status) status = read_labels(&r);
    status = irl_comm_agree(env, status);
    if (!status) status = read_bits(&r);
  }
  irl_file_close_parts(&r.file);
  return irl_data_deliver(status, r.data, out);
}
