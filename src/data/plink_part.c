/* PLINK's files in parts: .bim and .fam by every member, of the .bed the genotypes of the variants
 * whose features it holds, in batches. All people of a variant lie together, so members in a row of
 * the grid read the same bytes and keep the samples of their columns each. What makes the data the
 * same for all is the hash of .bim and .fam and the size of the .bed; its genotypes are in the
 * checksum of the data (irl_part_hash), which is made from what was read. */
#include "base/memory.h"
#include "base/threads.h"
#include "data/part.h"
#include "data/plink.h"
#include <xxhash.h>

#define BATCH_BYTES ((size_t)16 << 20) /* of genotypes that are read at a time */

typedef struct reader {
  irl_plink plink;
  irl_file_parts bed;
  irl_data *data;
} reader;

static irl_status open_files(reader *r, irl_env *env, const irl_source *source) {
  char start[IRL_BED_HEADER] = {0};
  irl_status status = irl_file_open_parts(env, source->path, &r->bed);
  if (!status) status = irl_plink_open(&r->plink, env, source);
  if (status) return status;
  status = irl_file_read_part(&r->bed, 0, start,
                              r->bed.size < sizeof start ? (size_t)r->bed.size : sizeof start);
  return status ? status : irl_plink_check_bed(&r->plink, start, r->bed.size);
}

static irl_status compare_files(const reader *r) {
  const irl_plink *p = &r->plink;
  const uint64_t hashes[] = {XXH3_64bits(p->bim.bytes, p->bim.size),
                             XXH3_64bits(p->fam.bytes, p->fam.size), r->bed.size};
  return irl_part_compare(p->env, p->source->path, XXH3_64bits(hashes, sizeof hashes));
}

/* From slots in all samples to those in the held ones. */
static void hold_slots(reader *r) {
  const irl_data_part *part = r->data->part;
  const size_t n_cases = r->data->n_cases, n_held = part->held[0].n_bits;
  for (size_t i = 0; i < r->plink.n_people; i++) {
    uint32_t *slot = &r->plink.slot[i];
    if (*slot == IRL_LEFT_OUT) continue;
    const int class = *slot >= n_cases;
    const size_t at = *slot - (class ? n_cases : 0), before = 64 * part->words[class].first;
    const bool is_held = at >= before && at - before < part->held[class].n_bits;
    *slot = is_held ? (uint32_t)(at - before + (class ? n_held : 0)) : IRL_LEFT_OUT;
  }
}

/* The features `range` from the genotypes of their variants, of which `first` is the first. */
static void fill(const reader *r, irl_range range, const char *genotypes, size_t first) {
  const irl_data_part *part = r->data->part;
  const irl_bits_matrix *held = part->held;
#pragma omp parallel for num_threads(irl_threads_here(r->plink.source->threads)) schedule(static)
  for (size_t j = range.first; j < range.last; j++) {
    const size_t variant = r->plink.variants[j] / 4 - first, i = j - part->features.first;
    irl_plink_fill(&r->plink, (uint32_t)j, genotypes + variant * irl_plink_variant_bytes(&r->plink),
                   held[0].n_bits, irl_bits_vector(&held[0], i), irl_bits_vector(&held[1], i));
  }
}

/* Every variant has as many features, side by side. */
static irl_status read_held(reader *r) {
  const irl_plink *p = &r->plink;
  const irl_range features = r->data->part->features;
  const size_t bytes = irl_plink_variant_bytes(p), each = p->n_features / p->n_variants;
  size_t batch = (BATCH_BYTES / bytes + 1) * each; /* features */
  if (batch > p->n_features) batch = p->n_features;
  char *genotypes = irl_mem_alloc(&p->env->allocator, batch / each + 2, bytes);
  irl_status status = genotypes ? IRL_OK : irl_fail_memory(p->env);
  for (size_t j = features.first; j < features.last && !status; j += batch) {
    const irl_range range = {j, features.last - j < batch ? features.last : j + batch};
    const size_t first = range.first / each, last = (range.last - 1) / each + 1;
    status = irl_file_read_part(&r->bed, IRL_BED_HEADER + (uint64_t)first * bytes, genotypes,
                                (last - first) * bytes);
    if (!status) fill(r, range, genotypes, first);
  }
  irl_mem_free(&p->env->allocator, genotypes);
  return status ? status : irl_file_check_parts(&r->bed);
}

irl_status irl_plink_read_part(irl_env *env, const irl_source *source, irl_data **out) {
  reader r = {.plink = {.env = env}, .bed = {.descriptor = -1}};
  irl_status status = irl_team_agree(env, open_files(&r, env, source));
  if (!status) status = compare_files(&r);
  if (!status) status = irl_team_agree(env, irl_plink_create(&r.plink, &r.data));
  if (!status) status = irl_part_create(env, source, r.data);
  if (!status) {
    hold_slots(&r);
    status = irl_team_agree(env, read_held(&r));
  }
  irl_plink_close(&r.plink);
  irl_file_close_parts(&r.bed);
  if (status)
    irl_data_free(r.data);
  else
    *out = r.data;
  return status;
}
