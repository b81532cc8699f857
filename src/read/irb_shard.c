/* An .irb file of bits in parts: head, names and labels by every process, of the columns only those
 * that it holds. Processes in a row of the grid read the same columns and keep the samples of their
 * part each. A process that sees another file under the name differs in the hash of the head, which
 * has the hashes of all parts in it. */
#include "base/memory.h"
#include "bits/sieve.h"
#include "data/shard.h"
#include "read/irb.h"

/* Names and labels, without matrices. */
static irl_status create(const irl_irb *irb, irl_data **data) {
  irl_env *env = irb->env;
  irl_names names;
  const irl_data_frame frame = {irb->source->path, &names, irb->head->n_samples,
                                irb->head->has_labels ? irb->labels : NULL, irb->called};
  irl_status status = irl_names_copy(&names, &irb->names, &env->allocator)
                          ? irl_data_create_unfilled(env, &frame, data)
                          : irl_fail_memory(env);
  irl_names_free(&names);
  return status;
}

/* Of each feature that is held the words that are held. */
static irl_status read_held(const irl_irb *irb, irl_data *data) {
  irl_env *env = irb->env;
  const irl_shard *shard = data->shard;
  const size_t stride = irl_bits_stride(data->n_samples);
  irl_sieve sieves[2] = {{.n_words = 0}, {.n_words = 0}};
  uint64_t *column = irl_mem_alloc(&env->allocator, 2 * stride, sizeof *column);
  irl_status status = column ? irl_sieve_init_pair(env, sieves, data->labels, data->n_samples)
                             : irl_fail_memory(env);
  for (size_t j = shard->features.first; j < shard->features.last && !status; j++) {
    status = irl_irb_load(irb, IRL_IRB_COLUMNS + j, column);
    for (int class = 0; class < 2 && !status; class ++) {
      uint64_t *of_class = column + stride;
      memset(of_class, 0, stride * sizeof *of_class);
      for (size_t w = 0; w < sieves[class].n_words; w++)
        irl_sieve_gather(&sieves[class], w, column[w], of_class);
      memcpy(irl_bits_vector(&shard->held[class], j - shard->features.first),
             of_class + shard->words[class].first,
             irl_range_size(shard->words[class]) * sizeof *of_class);
    }
  }
  irl_sieve_free(&sieves[0]);
  irl_sieve_free(&sieves[1]);
  irl_mem_free(&env->allocator, column);
  return status ? status : irl_file_check_parts(irb->file);
}

irl_status irl_irb_read_shard(irl_env *env, const irl_source *source, irl_data **out) {
  irl_file_parts file = {.descriptor = -1};
  irl_irb irb = {.env = env, .source = source, .file = &file};
  irl_data *data = NULL;
  irl_status status = irl_file_open_parts(env, source->path, &file);
  irb.size = file.size;
  if (!status) status = irl_irb_open(&irb);
  status = irl_comm_agree(env, status);
  if (!status) status = irl_shard_compare(env, source->path, irb.hash);
  if (!status && irl_irb_is_bits(&irb)) { /* other tables are read whole */
    status = irl_comm_agree(env, create(&irb, &data));
    if (!status) status = irl_shard_create(env, source, data);
    if (!status) status = irl_comm_agree(env, read_held(&irb, data));
  }
  irl_irb_close(&irb);
  irl_file_close_parts(&file);
  return irl_data_deliver(status, data, out);
}
