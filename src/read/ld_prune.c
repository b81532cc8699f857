/* Variants left out for linkage disequilibrium: plink 1.9's `--indep-pairwise 50 5 R2`.
 *
 * A window of 50 variants goes over each chromosome and moves by 5. In each window passes over the
 * pairs of variants that are left, in their order, look for a squared correlation of the counts
 * (irl_variant_r2, over the founders who have both) that is greater than R2; of such a pair the
 * variant with the rarer allele goes, of equals the second, and the pass goes on with the next
 * first variant. It ends with a pass that finds none. Variants of one genotype go too. On Y only
 * men count, and a man with two different alleles on X or Y is missing there. (On X plink weighs
 * people by sex, and may leave others.) */
#include "base/limit.h"
#include "base/memory.h"
#include "read/genotypes.h"
#include "table/variant_facts.h"

#define WINDOW  50u
#define STEP    5u
#define EPSILON 1e-9 /* of shares that are compared, as plink has it */

/* Variants of the window, ascending, with their cells; who does not count is missing there. */
typedef struct pruner {
  irl_genotypes *g;
  const uint64_t *founders, *men; /* those of them who are men */
  const double *frequency;        /* of the counted allele, per variant */
  size_t n_words;
  uint64_t *words; /* of WINDOW variants */
  size_t variant[WINDOW], slot[WINDOW], n;
  bool is_taken[WINDOW]; /* slots */
} pruner;

static irl_packed cells_in(const pruner *p, size_t slot) {
  uint64_t *low = p->words + 2 * p->n_words * slot;
  return (irl_packed){low, low + p->n_words};
}

static double rarer(const pruner *p, size_t variant) {
  const double share = p->frequency[variant];
  return share < 0.5 ? share : 1 - share;
}

/* Do the founders have one genotype, as far as they have any? */
static bool is_constant(const pruner *p, const irl_packed *cells) {
  bool has[3] = {false, false, false};
  for (size_t w = 0; w < p->n_words; w++) {
    has[0] |= (~cells->low[w] & ~cells->high[w]) != 0;
    has[1] |= (cells->low[w] & ~cells->high[w]) != 0;
    has[2] |= (cells->high[w] & ~cells->low[w]) != 0;
  }
  return has[0] + has[1] + has[2] < 2;
}

/* Takes a variant into the window, or leaves it out. */
static void enter(pruner *p, size_t variant) {
  size_t slot = 0;
  while (p->is_taken[slot]) slot++;
  assert(slot < WINDOW && p->n < WINDOW);
  irl_packed own = cells_in(p, slot), cells = own;
  p->g->cells(p->g, variant, &cells);
  const char *chromosome = irl_variant_chromosome(&p->g->variants, variant);
  const bool is_y = !strcmp(chromosome, "Y"), is_x = !strcmp(chromosome, "X");
  for (size_t w = 0; w < p->n_words; w++) {
    const uint64_t half = is_x || is_y ? p->men[w] & cells.low[w] & ~cells.high[w] : 0;
    const uint64_t gone = ~(is_y ? p->men[w] : p->founders[w]) | half;
    own.low[w] = cells.low[w] | gone;
    own.high[w] = cells.high[w] | gone;
  }
  p->g->is_left[variant] = !is_constant(p, &own);
  if (!p->g->is_left[variant]) return;
  p->is_taken[slot] = true;
  p->slot[p->n] = slot;
  p->variant[p->n++] = variant;
}

/* One pass; false: every pair that is left is far enough apart. `next` is where to begin with the
 * second of a pair, for each first one. */
static bool pass(pruner *p, size_t next[WINDOW]) {
  const double most = p->g->options.prune_ld * (1 + EPSILON);
  bool has_pruned = false;
  for (size_t i = 0; i + 1 < p->n; i++) {
    const irl_packed a = cells_in(p, p->slot[i]);
    if (!p->g->is_left[p->variant[i]]) continue;
    for (; next[i] < p->n; next[i]++) {
      const size_t k = next[i];
      if (!p->g->is_left[p->variant[k]]) continue;
      const irl_packed b = cells_in(p, p->slot[k]);
      if (!(irl_variant_r2(&a, &b, p->g->n_people) > most)) continue;
      const bool first_goes = rarer(p, p->variant[i]) < (1 - EPSILON) * rarer(p, p->variant[k]);
      p->g->is_left[p->variant[first_goes ? i : k]] = false;
      has_pruned = true;
      break;
    }
  }
  return has_pruned;
}

/* Moves on: those before `first` and those that have gone leave the window. */
static void leave(pruner *p, size_t first) {
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    const bool stays = p->variant[i] >= first && p->g->is_left[p->variant[i]];
    p->is_taken[p->slot[i]] = stays;
    if (!stays) continue;
    p->variant[n] = p->variant[i];
    p->slot[n++] = p->slot[i];
  }
  p->n = n;
}

/* The variants list[0 .. n - 1] of one chromosome. */
static irl_status prune_chromosome(pruner *p, const size_t *list, size_t n) {
  size_t entered = 0;
  for (size_t first = 0; first < n; first += STEP) {
    size_t next[WINDOW];
    leave(p, list[first]);
    for (; entered < n && entered < first + WINDOW; entered++) enter(p, list[entered]);
    for (size_t i = 0; i < p->n; i++) next[i] = i + 1;
    while (pass(p, next)) continue;
    if (irl_reading_limit_reached(p->g->env))
      return irl_reading_fail(p->g->env, p->g->source->path);
    if (entered == n) break;
  }
  leave(p, SIZE_MAX);
  return IRL_STATUS_OK;
}

irl_status irl_genotypes_prune(irl_genotypes *g, const uint64_t *founders, const uint64_t *men,
                               const double *frequency) {
  irl_env *env = g->env;
  pruner p = {.g = g,
              .founders = founders,
              .men = men,
              .frequency = frequency,
              .n_words = irl_packed_words(g->n_people)};
  size_t n_gone = 0;
  size_t *list = irl_mem_alloc(&env->allocator, g->names.n, sizeof *list);
  p.words = irl_mem_alloc(&env->allocator, 2 * WINDOW * p.n_words, sizeof *p.words);
  irl_status status = list && p.words ? IRL_STATUS_OK : irl_fail_memory(env);
  for (size_t v = 0; v < g->names.n && !status;) {
    const uint32_t chromosome = g->variants.items[v].chromosome;
    size_t n = 0;
    for (; v < g->names.n && g->variants.items[v].chromosome == chromosome; v++)
      if (g->is_left[v]) list[n++] = v;
    if (n > 1) status = prune_chromosome(&p, list, n); /* alone a variant stays, whatever it is */
    for (size_t i = 0; i < n; i++) n_gone += !g->is_left[list[i]];
  }
  if (!status && n_gone)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu variants are left out by --prune-ld", g->variants_path,
            n_gone);
  irl_mem_free(&env->allocator, list);
  irl_mem_free(&env->allocator, p.words);
  return status;
}
