#include "read/genotypes.h"
#include "base/limit.h"
#include "base/memory.h"
#include "bits/sieve.h"
#include "ireland_data.h"
#include "read/typed.h"

#define EPSILON       1e-9 /* of shares that are compared with limits, as plink does */
#define VARIANTS_STEP 1000u
#define MEMORY_MOST   268435456.0 /* bytes of cells that a table holds in memory, */
#define MEMORY_SHARE  4.0         /* or one part in so many of the limit of memory */

void irl_genotypes_init(irl_genotypes *g, irl_env *env, const irl_source *source) {
  irl_options presets;
  irl_options_init(&presets, sizeof presets);
  *g = (irl_genotypes){.env = env,
                       .source = source,
                       .options = source->options ? source->options->genotypes : presets.genotypes,
                       .people_path = source->path,
                       .variants_path = source->path};
  irl_names_init(&g->ids, &env->allocator);
  irl_names_init(&g->names, &env->allocator);
  irl_variants_init(&g->variants, &env->allocator);
}

void irl_genotypes_free(irl_genotypes *g) {
  if (!g->env) return;
  const irl_allocator *allocator = &g->env->allocator;
  irl_variant_choice_free(g);
  irl_covariates_free(g);
  irl_names_free(&g->ids);
  irl_names_free(&g->names);
  irl_variants_free(&g->variants);
  irl_mem_free(allocator, g->people);
  irl_mem_free(allocator, g->places);
  irl_mem_free(allocator, g->target);
  irl_mem_free(allocator, g->is_left);
  irl_mem_free(allocator, g->mask);
  irl_mem_free(allocator, g->labels);
}

/* ---- counts ---- */

/* X(name, who): people that are kept, and who of them counts where. */
#define MASK_TABLE(X)                                                                              \
  X(EVERYBODY, true)                                                                               \
  X(MALES, is_male)                                                                                \
  X(FOUNDERS, p->is_founder)                                                                       \
  X(MALE_FOUNDERS, p->is_founder &&is_male)                                                        \
  X(OTHER_FOUNDERS, p->is_founder && !is_male)                                                     \
  X(CONTROLS, p->is_founder &&is_control)                                                          \
  X(OTHER_CONTROLS, p->is_founder &&is_control && !is_male)
#define MASK_ROW(name, who) name,
typedef enum mask { MASK_TABLE(MASK_ROW) N_MASKS } mask;
#undef MASK_ROW

typedef struct counter {
  irl_genotypes *g;
  size_t n_words;
  uint64_t *masks; /* N_MASKS of them in one block, and the scratch */
  irl_packed scratch;
  size_t *missing; /* per person */
} counter;

static bool counter_init(counter *c, irl_genotypes *g) {
  const size_t n = irl_packed_words(g->n_people);
  *c = (counter){.g = g, .n_words = n};
  c->masks = irl_mem_alloc(&g->env->allocator, (N_MASKS + 2) * n, sizeof *c->masks);
  c->missing = irl_mem_alloc(&g->env->allocator, g->n_people, sizeof *c->missing);
  if (!c->masks || !c->missing) return false;
  c->scratch = (irl_packed){c->masks + N_MASKS * n, c->masks + (N_MASKS + 1) * n};
  return true;
}

static void counter_free(counter *c) {
  irl_mem_free(&c->g->env->allocator, c->masks);
  irl_mem_free(&c->g->env->allocator, c->missing);
}

/* Where nobody has a phenotype, all count as controls, as for plink. */
static void make_masks(counter *c) {
  const irl_genotypes *g = c->g;
  bool has_class = false;
  for (size_t i = 0; i < g->n_people; i++) has_class |= g->people[i].phenotype != IRL_NO_PHENOTYPE;
  memset(c->masks, 0, N_MASKS * c->n_words * sizeof *c->masks);
  for (size_t i = 0; i < g->n_people; i++) {
    const irl_person *p = &g->people[i];
    const bool is_male = p->sex == IRL_SEX_MALE;
    const bool is_control = !has_class || p->phenotype == IRL_CONTROL;
    if (!p->is_kept) continue;
#define MASK_ROW(name, who)                                                                        \
  if (who) irl_bits_set(c->masks + name * c->n_words, i);
    MASK_TABLE(MASK_ROW)
#undef MASK_ROW
  }
}

/* The kind of a chromosome, where counts differ by it. */
typedef enum chromosome { AUTOSOME, X, Y, MT } chromosome;

static chromosome chromosome_of(const irl_genotypes *g, size_t variant) {
  const char *name = irl_variant_chromosome(&g->variants, variant);
  return !strcmp(name, "X") ? X : !strcmp(name, "Y") ? Y : !strcmp(name, "MT") ? MT : AUTOSOME;
}

/* How many of some people have each genotype: 0, 1, 2 counted alleles, missing. */
typedef struct counts {
  uint32_t of[4], n;
} counts;

static inline uint32_t ones(uint64_t word) {
  return (uint32_t)__builtin_popcountll(word);
}

static counts count(const counter *c, const irl_packed *cells, mask who) {
  const uint64_t *among = c->masks + who * c->n_words;
  counts made = {{0}, 0};
  for (size_t w = 0; w < c->n_words; w++) {
    const uint64_t low = cells->low[w] & among[w], high = cells->high[w] & among[w];
    made.n += ones(among[w]);
    made.of[1] += ones(low & ~high);
    made.of[2] += ones(high & ~low);
    made.of[3] += ones(low & high);
  }
  made.of[0] = made.n - made.of[1] - made.of[2] - made.of[3];
  return made;
}

static irl_packed cells_of(const counter *c, size_t variant) {
  irl_packed cells = c->scratch;
  c->g->cells(c->g, variant, &cells);
  return cells;
}

static irl_status poll(const irl_genotypes *g, size_t variant) {
  if (variant % VARIANTS_STEP == VARIANTS_STEP - 1 && irl_reading_limit_reached(g->env))
    return irl_reading_fail(g->env, g->source->path);
  return IRL_STATUS_OK;
}

/* ---- people by missing calls ---- */

static irl_status filter_people(counter *c) {
  irl_genotypes *g = c->g;
  size_t n_y = 0, n_gone = 0;
  irl_status status = IRL_STATUS_OK;
  if (g->options.mind >= 1) return IRL_STATUS_OK;
  for (size_t v = 0; v < g->names.n && !status; v++) {
    const bool is_y = chromosome_of(g, v) == Y;
    const irl_packed cells = cells_of(c, v);
    n_y += is_y;
    status = poll(g, v);
    for (size_t w = 0; w < c->n_words; w++) {
      uint64_t missing =
          cells.low[w] & cells.high[w] & c->masks[(is_y ? MALES : EVERYBODY) * c->n_words + w];
      for (; missing; missing &= missing - 1)
        c->missing[64 * w + (size_t)__builtin_ctzll(missing)]++;
    }
  }
  for (size_t i = 0; i < g->n_people && !status; i++) {
    irl_person *p = &g->people[i];
    const size_t n = g->names.n - (p->sex == IRL_SEX_MALE ? 0 : n_y);
    if (!p->is_kept || (double)c->missing[i] <= g->options.mind * (double)n * (1 + EPSILON))
      continue;
    p->is_kept = false;
    n_gone++;
  }
  if (!status && n_gone)
    irl_log(g->env, IRL_LOG_NOTE, "%s: %zu people are left out by --mind", g->source->path, n_gone);
  return status;
}

/* ---- variants ---- */

typedef enum reason { LEFT, BY_GENO, BY_HWE, BY_MAF, N_REASONS } reason;

static bool fails_geno(const counter *c, const irl_packed *cells, chromosome where) {
  const counts all = count(c, cells, where == Y ? MALES : EVERYBODY);
  /* On Y, where there are no men, plink leaves a variant out. */
  return !all.n || (double)all.of[3] > c->g->options.geno * (double)all.n * (1 + EPSILON);
}

/* On X women alone: the others have one allele. */
static bool fails_hwe(const counter *c, const irl_packed *cells, chromosome where) {
  if (where == Y || where == MT) return false;
  const counts n = count(c, cells, where == X ? OTHER_CONTROLS : CONTROLS);
  return irl_hwe_exact(n.of[1], n.of[0], n.of[2]) < c->g->options.hwe;
}

/* Of the counted allele; NaN: not known. */
static double frequency_of(const counter *c, const irl_packed *cells, chromosome where) {
  const counts n = count(c, cells, where == X ? OTHER_FOUNDERS : FOUNDERS);
  double counted = 2.0 * n.of[2] + n.of[1], all = 2.0 * (n.n - n.of[3]);
  if (where == X || where == Y) {
    const counts men = count(c, cells, MALE_FOUNDERS);
    counted = (where == X ? counted : 0) + men.of[2];
    all = (where == X ? all : 0) + men.of[2] + men.of[0];
  }
  return all > 0 ? counted / all : (double)NAN;
}

static bool fails_maf(const counter *c, const irl_packed *cells, chromosome where) {
  const double share = frequency_of(c, cells, where);
  /* plink does not judge what it cannot */
  return (share < 0.5 ? share : 1 - share) < c->g->options.maf * (1 - EPSILON);
}

static reason judge(const counter *c, size_t variant) {
  const irl_genotypes_options *o = &c->g->options;
  const irl_packed cells = cells_of(c, variant);
  const chromosome where = chromosome_of(c->g, variant);
  if (o->geno < 1 && fails_geno(c, &cells, where)) return BY_GENO;
  if (o->hwe > 0 && fails_hwe(c, &cells, where)) return BY_HWE;
  return o->maf > 0 && fails_maf(c, &cells, where) ? BY_MAF : LEFT;
}

static irl_status filter_variants(counter *c) {
  static const char *const options[] = {"", "--geno", "--hwe", "--maf"};
  irl_genotypes *g = c->g;
  size_t n[N_REASONS] = {0};
  irl_status status = IRL_STATUS_OK;
  const bool is_filtered = g->options.geno < 1 || g->options.hwe > 0 || g->options.maf > 0;
  for (size_t v = 0; v < g->names.n && !status; v++) {
    const reason why = is_filtered ? judge(c, v) : LEFT;
    g->is_left[v] = why == LEFT;
    n[why]++;
    status = poll(g, v);
  }
  for (int why = 1; why < N_REASONS && !status; why++)
    if (n[why])
      irl_log(g->env, IRL_LOG_NOTE, "%s: %zu variants are left out by %s", g->variants_path, n[why],
              options[why]);
  if (!status && !n[LEFT])
    status = irl_fail(g->env, IRL_STATUS_BAD_INPUT, "%s: no variant is left by the filters",
                      g->variants_path);
  return status;
}

static irl_status prune(counter *c) {
  irl_genotypes *g = c->g;
  if (g->options.prune_ld >= 1) return IRL_STATUS_OK;
  double *frequency = irl_mem_alloc(&g->env->allocator, g->names.n, sizeof *frequency);
  irl_status status = frequency ? IRL_STATUS_OK : irl_fail_memory(g->env);
  for (size_t v = 0; v < g->names.n && !status; v++) {
    if (!g->is_left[v]) continue;
    const irl_packed cells = cells_of(c, v);
    frequency[v] = frequency_of(c, &cells, chromosome_of(g, v));
    status = poll(g, v);
  }
  if (!status)
    status = irl_genotypes_prune(g, c->masks + FOUNDERS * c->n_words,
                                 c->masks + MALE_FOUNDERS * c->n_words, frequency);
  irl_mem_free(&g->env->allocator, frequency);
  return status;
}

/* mind, geno, hwe, maf, prune_ld: is_left, is_kept. */
static irl_status filter(irl_genotypes *g) {
  counter c;
  g->is_left = irl_mem_alloc(&g->env->allocator, g->names.n, 1);
  irl_status status = counter_init(&c, g) && g->is_left ? IRL_STATUS_OK : irl_fail_memory(g->env);
  if (!status && g->source->only) {
    memset(g->is_left, 1, g->names.n);
  } else if (!status) {
    make_masks(&c);
    status = filter_people(&c);
    make_masks(&c);
    if (!status) status = filter_variants(&c);
    if (!status) status = prune(&c);
  }
  counter_free(&c);
  return status;
}

/* ---- samples ---- */

static irl_status fail_people(const irl_genotypes *g, const char *what) {
  return irl_fail(g->env, IRL_STATUS_BAD_INPUT, "%s:1:1: %s", g->people_path, what);
}

/* About the phenotypes: of the file that has them. */
static irl_status fail_phenotypes(const irl_genotypes *g, const char *what) {
  const irl_bytes *file = g->options.pheno;
  if (!file) return fail_people(g, what);
  return irl_fail(g->env, IRL_STATUS_BAD_INPUT, "%s:1:1: %s", file->name ? file->name : "pheno",
                  what);
}

/* One class: which, and what may have been meant. */
static irl_status fail_class(const irl_genotypes *g, bool is_case, bool has_missing) {
  irl_text text;
  irl_text_init(&text, g->env);
  const int value = (is_case ? 2 : 1) - g->options.pheno_01;
  irl_text_printf(&text, "there is only one class: every phenotype is %d", value);
  if (g->n_samples < g->n_people)
    irl_text_printf(&text, " among the %zu of %zu people that are left", g->n_samples, g->n_people);
  if (value == 1 && has_missing && !g->options.pheno_01)
    irl_text_puts(&text, "; if 0 means control and 1 case, say so by --1");
  const irl_status status = text.failed ? irl_fail_memory(g->env) : fail_phenotypes(g, text.bytes);
  irl_text_drop(&text);
  return status;
}

/* Who is a sample, and of which class; `labels` and `mask` are made. */
static irl_status choose_samples(irl_genotypes *g) {
  irl_env *env = g->env;
  const irl_source *source = g->source;
  const bool is_labelled = !source->no_labels && g->has_phenotype;
  size_t n_kept = 0, n_cases = 0;
  g->mask = irl_mem_alloc(&env->allocator, irl_packed_words(g->n_people), sizeof *g->mask);
  g->labels = irl_mem_alloc(&env->allocator, g->n_people, 1);
  if (!g->mask || !g->labels) return irl_fail_memory(env);
  g->n_samples = 0;
  for (size_t i = 0; i < g->n_people; i++) {
    const irl_person *p = &g->people[i];
    n_kept += p->is_kept;
    if (!p->is_kept || (is_labelled && p->phenotype == IRL_NO_PHENOTYPE)) continue;
    irl_bits_set(g->mask, i);
    g->variants.n_sex[p->sex]++;
    g->labels[g->n_samples++] = is_labelled && p->phenotype == IRL_CASE;
    n_cases += is_labelled && p->phenotype == IRL_CASE;
  }
  if (!g->has_phenotype && !source->only && !source->no_labels)
    irl_log(env, IRL_LOG_NOTE, "%s has no phenotypes; --pheno FILE gives them", source->path);
  if (!n_kept) return fail_people(g, "nobody is left by the filters");
  if (is_labelled && source->labels_optional && g->n_samples < n_kept)
    return fail_people(g, "somebody has no phenotype");
  if (!g->n_samples) return fail_phenotypes(g, "no person has a phenotype of 1 or 2");
  if (is_labelled && (!n_cases || n_cases == g->n_samples) && !source->one_class_ok)
    return fail_class(g, n_cases > 0, g->n_samples < n_kept);
  if (g->n_samples < n_kept)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu of %zu people have no phenotype and are left out",
            g->people_path, n_kept - g->n_samples, n_kept);
  return IRL_STATUS_OK;
}

/* ---- the table ---- */

typedef struct maker {
  irl_genotypes *g;
  irl_table *table;
  irl_sieve people;
  irl_packed scratch;
  bool stays;     /* the cells are not taken, */
  irl_packed own; /* only looked at here */
} maker;

/* Room for the places of all columns, of which some are no variants. */
static bool make_places(irl_table *table) {
  irl_variants *v = &table->variants;
  v->n = table->names.n;
  v->items = irl_mem_alloc(&table->allocator, v->n, sizeof *v->items);
  for (size_t i = 0; i < v->n && v->items; i++) v->items[i].chromosome = IRL_NO_VARIANT;
  return v->items;
}

/* Cells stay in their file where they are large, or memory is short, unless an option asks for
 * something of samples that only columns in memory can do. */
static bool may_stay(const irl_genotypes *g) {
  const irl_options *options = g->source->options;
  if (!g->stays || g->source->only || !options || options->data.missing ||
      options->data.weight_column || options->data.strata)
    return false;
  const double cells = (double)g->names.n * (double)g->n_samples / 4,
               limit = (double)options->limits.memory_limit * 1e6;
  const double most = g->source->window ? (double)g->source->window
                      : limit > 0       ? limit / MEMORY_SHARE
                                        : MEMORY_MOST;
  return cells > most;
}

static irl_status let_stay(maker *m) {
  const irl_genotypes *g = m->g;
  const irl_allocator *allocator = &g->env->allocator;
  const size_t words = irl_packed_words(g->n_samples);
  m->own.low = irl_mem_alloc(allocator, 2 * words, sizeof *m->own.low);
  m->own.high = m->own.low ? m->own.low + words : NULL;
  m->stays = true;
  irl_status status = m->own.low ? IRL_STATUS_OK : irl_fail_memory(g->env);
  if (!status) status = irl_cell_file_create(g->env, g->stays, g->names.n, &m->table->cell_file);
  return status ? status
                : irl_sieve_init(g->env, &m->table->cell_file->people, g->mask,
                                 irl_packed_words(g->n_people));
}

static irl_status bring(void *user, size_t i, irl_column *into) {
  const maker *m = user;
  const irl_genotypes *g = m->g;
  irl_packed cells = m->scratch;
  const size_t words = irl_packed_words(g->n_samples);
  if (i >= g->variants.n) return irl_covariates_bring(g, i - g->variants.n, into);
  irl_status status = poll(g, i);
  if (!status && !m->table->variants.items && !make_places(m->table))
    status = irl_fail_memory(g->env);
  if (!status && !m->stays &&
      !irl_column_init(into, &g->env->allocator, IRL_COLUMN_SNP, g->n_samples))
    status = irl_fail_memory(g->env);
  if (status) return status;
  irl_packed own = m->stays ? m->own : into->cells;
  into->type = IRL_COLUMN_SNP;
  g->cells(g, i, &cells);
  if (m->stays) memset(own.low, 0, 2 * words * sizeof *own.low);
  irl_cell_file_gather(&m->people, &cells, &own);
  assert(irl_packed_tails_are_zero(&own, g->n_samples));
  into->n_missing = irl_packed_count(&own, g->n_samples, IRL_CELL_MISSING);
  if (m->stays) m->table->cell_file->places[into - m->table->columns] = (uint32_t)g->places[i];
  m->table->variants.items[into - m->table->columns] = g->variants.items[i];
  return IRL_STATUS_OK;
}

/* Without the variants that are not left. */
static irl_status drop_variants(irl_genotypes *g) {
  irl_names left;
  size_t n = 0;
  irl_names_init(&left, &g->env->allocator);
  for (size_t v = 0; v < g->names.n; v++) {
    const char *name = irl_names_get(&g->names, v);
    if (!g->is_left[v]) continue;
    g->variants.items[n] = g->variants.items[v];
    g->places[n++] = g->places[v];
    if (!irl_names_add(&left, name, strlen(name))) {
      irl_names_free(&left);
      return irl_fail_memory(g->env);
    }
  }
  irl_names_free(&g->names);
  g->names = left;
  g->variants.n = n;
  return IRL_STATUS_OK;
}

static bool is_all_left(const irl_genotypes *g) {
  return !memchr(g->is_left, 0, g->names.n);
}

irl_status irl_genotypes_table(irl_genotypes *g, irl_table *table) {
  irl_env *env = g->env;
  const size_t n_words = irl_packed_words(g->n_people);
  maker m = {.g = g, .table = table};
  if (!g->names.n)
    return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: %s", g->variants_path,
                    g->n_read ? "no variant is one of those that are asked for"
                              : "there are no variants");
  irl_status status = filter(g);
  if (!status && !is_all_left(g)) status = drop_variants(g);
  if (!status) status = choose_samples(g);
  if (!status && g->options.covar) status = irl_covariates_read(g);
  if (!status) status = irl_sieve_init(env, &m.people, g->mask, n_words);
  if (status) return status;
  const irl_data_labels called = {g->target ? g->target : "phenotype",
                                  g->options.pheno_01 ? "1" : "2", g->options.pheno_01 ? "0" : "1",
                                  true};
  m.scratch.low = irl_mem_alloc(&env->allocator, 2 * n_words, sizeof *m.scratch.low);
  m.scratch.high = m.scratch.low ? m.scratch.low + n_words : NULL;
  table->n_samples = (uint32_t)g->n_samples;
  table->has_labels = !g->source->no_labels && g->has_phenotype;
  table->labels = g->labels;
  g->labels = NULL;
  status = m.scratch.low ? irl_table_name_labels(env, table, &called) : irl_fail_memory(env);
  if (!status && may_stay(g)) status = let_stay(&m);
  if (!status && !irl_reading_affords(env, (double)g->names.n * (double)g->n_samples / 4))
    status = irl_reading_fail(env, g->source->path);
  if (!status) status = irl_typed_file(env, g->source, &g->names, table, bring, &m);
  if (!status && g->source->keeps_ids) status = irl_people_identify(g, table);
  IRL_SWAP(table->variants.texts, g->variants.texts);
  memcpy(table->variants.n_sex, g->variants.n_sex, sizeof g->variants.n_sex);
  irl_mem_free(&env->allocator, m.scratch.low);
  irl_mem_free(&env->allocator, m.own.low);
  irl_sieve_free(&m.people);
  return status;
}
