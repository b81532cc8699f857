/* PLINK's files in parts: the features that a coding makes of SNPs (coding.c), two or with their
 * opposites four of a variant, whatever its genotypes are. .bim and .fam are read by every process,
 * of the .bed the genotypes of the variants whose features it holds, in batches. All people of a
 * variant lie together, so processes in a row of the grid read the same bytes and keep the samples
 * of their columns each. What makes the data the same for all is the hash of .bim and .fam and the
 * size of the .bed; its genotypes are in the checksum of the data (irl_shard_hash), which is made
 * from what was read. */
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "data/shard.h"
#include "read/plink.h"
#include <xxhash.h>

#define LEFT_OUT    UINT32_MAX         /* who is no sample, or whose is not held here */
#define BATCH_BYTES ((size_t)16 << 20) /* of genotypes that are read at a time */

typedef struct reader {
  irl_plink plink;
  irl_file_parts bed;
  irl_data *data;
  size_t each; /* features of a variant: dom, rec, !dom, !rec */
} reader;

/* ---- features ---- */

static const struct {
  const char *suffix;
  irl_condition condition;
  unsigned accepted; /* a bit for each of PLINK's codes: 0 two alleles, 2 one, 3 none */
} carriers[] = {{":dom", {.relation = IRL_ABOVE, .cut = 0.5}, 1u | 1u << 2},
                {":rec", {.relation = IRL_ABOVE, .cut = 1.5}, 1u},
                {":dom", {.relation = IRL_AT_MOST, .cut = 0.5}, 1u << 3},
                {":rec", {.relation = IRL_AT_MOST, .cut = 1.5}, 1u << 2 | 1u << 3}};

/* Names, labels and conditions, without matrices. dom and rec are nested, and so are their
 * opposites.
 */
static irl_status create(reader *r) {
  irl_env *env = r->plink.g.env;
  const irl_source *source = r->plink.g.source;
  const size_t n = r->each * r->plink.g.names.n;
  irl_names names;
  irl_conditions conditions;
  uint32_t *groups = irl_mem_alloc(&env->allocator, n, sizeof *groups);
  irl_status status = groups ? irl_genotypes_choose_samples(&r->plink.g) : irl_fail_memory(env);
  irl_names_init(&names, &env->allocator);
  irl_conditions_init(&conditions, &env->allocator);
  for (size_t j = 0; j < n && !status; j++) {
    const char *column = irl_names_get(&r->plink.g.names, j / r->each);
    const size_t carrier = j % r->each;
    irl_text name;
    irl_text_init(&name, env);
    irl_text_printf(&name, "%s%s%s", carrier >= 2 ? "!" : "", column, carriers[carrier].suffix);
    if (name.failed || !irl_names_add(&names, name.bytes, name.length) ||
        !irl_conditions_add(&conditions, carriers[carrier].condition, column, NULL))
      status = irl_fail_memory(env);
    irl_text_drop(&name);
    groups[j] = (uint32_t)(2 * (j / r->each) + carrier / 2 + 1);
  }
  const irl_data_labels called = {"phenotype", "2", "1", true};
  const irl_data_frame frame = {source->path, &names, r->plink.g.n_samples,
                                source->no_labels ? NULL : r->plink.g.labels, called};
  if (!status) status = irl_data_create_unfilled(env, &frame, &r->data);
  if (!status) status = irl_data_set_conditions(env, r->data, &conditions, groups);
  irl_names_free(&names);
  irl_conditions_free(&conditions);
  irl_mem_free(&env->allocator, groups);
  return status;
}

/* ---- genotypes ---- */

static irl_status read_held(reader *r) {
  const irl_plink *plink = &r->plink;
  const irl_genotypes *p = &plink->g;
  const irl_shard *shard = r->data->shard;
  const irl_bits_matrix *held = shard->held;
  const size_t bytes = irl_plink_variant_bytes(plink), each = r->each, n_cases = held[0].n_bits;
  /* The place of each person in the vectors that are held, cases first. */
  uint32_t *slots = irl_mem_alloc(&p->env->allocator, p->n_people, sizeof *slots);
  if (!slots) return irl_fail_memory(p->env);
  size_t at[2] = {0, 0}, n_samples = 0;
  for (size_t i = 0; i < p->n_people; i++) {
    slots[i] = LEFT_OUT;
    if (!irl_bits_get(p->mask, i)) continue;
    const int class = !p->labels[n_samples++];
    const size_t place = at[class]++, before = 64 * shard->words[class].first;
    if (place >= before && place - before < held[class].n_bits)
      slots[i] = (uint32_t)(place - before + (class ? n_cases : 0));
  }
  size_t batch = (BATCH_BYTES / bytes + 1) * each; /* features */
  if (batch > each * p->names.n) batch = each * p->names.n;
  unsigned char *genotypes = irl_mem_alloc(&p->env->allocator, batch / each + 2, bytes);
  irl_status status = genotypes ? IRL_STATUS_OK : irl_fail_memory(p->env);
  for (size_t from = shard->features.first; from < shard->features.last && !status; from += batch) {
    const size_t to = shard->features.last - from < batch ? shard->features.last : from + batch;
    const size_t first = from / each, last = (to - 1) / each + 1; /* variants */
    status = irl_file_read_part(&r->bed, IRL_BED_HEADER + (uint64_t)first * bytes, genotypes,
                                (last - first) * bytes);
    if (status) break;
#pragma omp parallel for num_threads(irl_threads_here(p->source->threads)) schedule(static)
    for (size_t j = from; j < to; j++) {
      const unsigned char *variant = genotypes + (j / each - first) * bytes;
      const unsigned accepted = carriers[j % each].accepted;
      uint64_t *cases = irl_bits_vector(&held[0], j - shard->features.first);
      uint64_t *controls = irl_bits_vector(&held[1], j - shard->features.first);
      for (size_t i = 0; i < p->n_people; i++) {
        const unsigned genotype = variant[i / 4] >> 2 * (i % 4) & 3u;
        const uint32_t slot = slots[i];
        if (!(accepted >> genotype & 1) || slot == LEFT_OUT) continue;
        if (slot < n_cases)
          irl_bits_set(cases, slot);
        else
          irl_bits_set(controls, slot - n_cases);
      }
    }
  }
  irl_mem_free(&p->env->allocator, genotypes);
  irl_mem_free(&p->env->allocator, slots);
  return status ? status : irl_file_check_parts(&r->bed);
}

irl_status irl_plink_read_shard(irl_env *env, const irl_source *source, irl_data **out) {
  reader r = {.bed = {.descriptor = -1},
              .each = source->options && source->options->rule.negations ? 4 : 2};
  char start[IRL_BED_HEADER] = {0};
  irl_status status = irl_file_open_parts(env, source->path, &r.bed);
  if (!status) status = irl_plink_open(&r.plink, env, source);
  const size_t n_start = r.bed.size < sizeof start ? (size_t)r.bed.size : sizeof start;
  if (!status) status = irl_file_read_part(&r.bed, 0, start, n_start);
  if (!status) status = irl_plink_check_bed(&r.plink, start, r.bed.size);
  status = irl_comm_agree(env, status);
  if (!status) {
    const irl_file *bim = &r.plink.bim, *fam = &r.plink.fam;
    const uint64_t hashes[] = {XXH3_64bits(bim->bytes, bim->size),
                               XXH3_64bits(fam->bytes, fam->size), r.bed.size};
    status = irl_shard_compare(env, source->path, XXH3_64bits(hashes, sizeof hashes));
  }
  if (!status) status = irl_comm_agree(env, create(&r));
  if (!status) status = irl_shard_create(env, source, r.data);
  if (!status) status = irl_comm_agree(env, read_held(&r));
  irl_plink_close(&r.plink);
  irl_file_close_parts(&r.bed);
  return irl_data_deliver(status, r.data, out);
}
