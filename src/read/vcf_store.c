#include "base/limit.h"
#include "base/memory.h"
#include "base/posix.h"
#include "read/vcf.h"

static void take_cells(const irl_genotypes *g, size_t variant, irl_packed *cells) {
  const irl_cell_store *store = (const irl_cell_store *)(const void *)g;
  *cells = irl_store_cells(store, g->places[variant]);
}

void irl_store_init(irl_cell_store *store, irl_env *env, const irl_source *source) {
  *store = (irl_cell_store){.n = 0};
  irl_genotypes_init(&store->g, env, source);
  store->g.cells = take_cells;
}

void irl_store_free(irl_cell_store *store) {
  if (!store->g.env) return;
  const irl_allocator allocator = store->g.env->allocator;
  for (size_t i = 0; i < store->n_blocks; i++) irl_mem_free(&allocator, store->blocks[i]);
  irl_mem_free(&allocator, store->blocks);
  irl_genotypes_free(&store->g);
}

irl_packed irl_store_cells(const irl_cell_store *store, size_t place) {
  assert(place < store->n);
  uint64_t *low =
      store->blocks[place / IRL_STORE_BLOCK] + 2 * store->n_words * (place % IRL_STORE_BLOCK);
  return (irl_packed){low, low + store->n_words};
}

irl_status irl_store_add(irl_cell_store *store) {
  irl_env *env = store->g.env;
  if (!store->n) store->n_words = irl_packed_words(store->g.n_people);
  assert(store->n_words == irl_packed_words(store->g.n_people));
  if (store->n == IRL_STORE_BLOCK * store->n_blocks) {
    const size_t words = 2 * store->n_words * IRL_STORE_BLOCK;
    if (!irl_reading_affords(env, 8.0 * (double)words))
      return irl_reading_fail(env, store->g.source->path);
    if (!irl_mem_reserve(&env->allocator, &store->blocks, &store->blocks_capacity, store->n_blocks,
                         sizeof *store->blocks))
      return irl_fail_memory(env);
    uint64_t *block = irl_mem_alloc(&env->allocator, words, sizeof *block);
    if (!block) return irl_fail_memory(env);
    store->blocks[store->n_blocks++] = block;
  }
  store->n++;
  return IRL_STATUS_OK;
}

irl_status irl_store_take(irl_cell_store *store, const irl_variant_line *line, size_t number) {
  bool is_twice;
  store->g.n_read = store->n;
  const irl_status status = irl_variants_take(&store->g, line, &is_twice);
  if (status || !is_twice) return status ? status : irl_store_add(store);
  return irl_fail(store->g.env, IRL_STATUS_BAD_INPUT,
                  "%s:%s%zu%s: variant '%.*s' with allele %.*s is there twice",
                  store->g.source->path, store->has_records ? " record " : "", number,
                  store->has_records ? "" : ":1", (int)line->id.length, line->id.text,
                  (int)line->counted.length, line->counted.text);
}

void irl_store_note(const irl_cell_store *store) {
  const char *path = store->g.source->path;
  if (store->n_filtered)
    irl_log(store->g.env, IRL_LOG_NOTE, "%s: %zu variants are left out by --vcf-filter", path,
            store->n_filtered);
  if (store->n_bare)
    irl_log(store->g.env, IRL_LOG_NOTE, "%s: %zu lines have no alternative allele and are left out",
            path, store->n_bare);
}

irl_status irl_bgzf_check(const irl_input *input) {
  static const char last[] =
      "\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0\x42\x43\x02\0\x1b\0\x03\0\0\0\0\0"
      "\0\0\0\0";
  char end[28];
  assert(sizeof last - 1 == sizeof end);
  /* The first block says that it is one of bgzip: an extra field BC. */
  const bool is_bgzf = input->is_packed && input->is_regular && input->raw_n >= 16 &&
                       !memcmp(input->raw, last, 4) && !memcmp(input->raw + 12, "BC", 2);
  if (!is_bgzf || input->first) return IRL_STATUS_OK;
  const off_t size = input->about.st_size;
  if (size >= (off_t)sizeof end &&
      pread(input->descriptor, end, sizeof end, size - (off_t)sizeof end) == sizeof end &&
      !memcmp(end, last, sizeof end))
    return IRL_STATUS_OK;
  return irl_fail(input->env, IRL_STATUS_BAD_INPUT,
                  "%s: the file does not end with the empty block of bgzip: it was cut off",
                  input->place);
}
