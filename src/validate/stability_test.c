/* Stability of a rule: samples, or whole groups of them (units.h), are drawn with replacement, as
 * many as there are, and the whole procedure (coding, quick search, choice of the rule) runs on
 * them, again and again. Told is how often each literal and each clause of the rule comes back, how
 * near the nearest clause is where it does not (Jaccard index of the samples that both cover), how
 * many samples are predicted alike, and which literals stand in place of one that is missing: of
 * the literals of such a resample's rule that the rule has not, the one that goes with it most over
 * the samples (phi coefficient, at least LEAST_R).
 *
 * Each resample is a job of its own that leaves its findings in its own place; they are joined in
 * their order, so the answer is the same on any number of threads. */
#include "base/memory.h"
#include "validate/applied_rule.h"
#include "validate/estimate.h"
#include "validate/fit_extras.h"
#include <math.h>
#include <stdlib.h>

#define LEAST_R 0.3 /* of a substitute */

/* What one resample has given. */
typedef struct finding {
  bool is_done, is_same;
  irl_names cores;  /* of the literals of its rule, */
  double *cuts;     /* their cut points; NaN: none, */
  double *r;        /* and their correlations with each literal of the rule */
  uint8_t *has;     /* per clause of the rule: does it come back? */
  double *overlaps; /* per clause of the rule */
  double agreement;
} finding;

typedef struct resampler {
  irl_resampling parts;
  irl_options options; /* of the rules of resamples */
  irl_cv_axes axes;    /* one setting */
  const irl_rule *rule;
  irl_applied_rule own;
  irl_names own_cores; /* each once, indexed */
  finding *findings;
} resampler;

/* ---- how two rules compare ---- */

/* The position of a literal of the rule that is called so. */
static size_t place_of(const irl_applied_rule *own, const char *core) {
  size_t i = 0;
  while (strcmp(irl_names_get(&own->cores, i), core)) i++;
  assert(i < own->cores.n);
  return i;
}

static void compare(const resampler *s, const irl_applied_rule *a, finding *f) {
  const irl_applied_rule *own = &s->own;
  const irl_rule *rule = a->bound.rule;
  const size_t words[2] = {own->bound.cases.stride, own->bound.controls.stride};
  const double n = s->parts.rows.n;
  f->is_same = rule->n_clauses == s->rule->n_clauses;
  for (size_t k = 0; k < s->rule->n_clauses; k++) {
    for (size_t l = 0; l < rule->n_clauses; l++) {
      f->has[k] |= irl_applied_same_clause(own, k, a, l);
      f->overlaps[k] = fmax(f->overlaps[k], irl_cover_overlap(irl_applied_clause(own, k),
                                                              irl_applied_clause(a, l), words));
    }
    f->is_same = f->is_same && f->has[k];
  }
  for (size_t i = 0; i < rule->n_literals; i++) {
    f->cuts[i] = irl_literal_cut(rule, rule->literals[i]);
    for (size_t j = 0; j < s->own_cores.n; j++)
      f->r[i * s->own_cores.n + j] = irl_cover_correlate(
          irl_applied_literal(own, place_of(own, irl_names_get(&s->own_cores, j))),
          irl_applied_literal(a, i), words, n);
  }
  const irl_cover mine = {{own->predicted[0], own->predicted[1]}},
                  its = {{a->predicted[0], a->predicted[1]}};
  f->agreement =
      1 - (irl_cover_shared(mine.of, mine.of, words) + irl_cover_shared(its.of, its.of, words) -
           2 * irl_cover_shared(mine.of, its.of, words)) /
              n;
}

/* A constant rule asks for nothing: it has no literals, and its clause covers all samples. */
static void compare_constant(const resampler *s, bool is_yes, finding *f) {
  const size_t words[2] = {s->own.bound.cases.stride, s->own.bound.controls.stride};
  const irl_cover mine = {{s->own.predicted[0], s->own.predicted[1]}};
  const double n = s->parts.rows.n, yes = irl_cover_shared(mine.of, mine.of, words);
  f->agreement = (is_yes ? yes : n - yes) / n;
  for (size_t k = 0; k < s->rule->n_clauses && is_yes; k++)
    f->overlaps[k] = irl_cover_shared(irl_applied_clause(&s->own, k).of,
                                      irl_applied_clause(&s->own, k).of, words) /
                     n;
}

/* ---- a resample ---- */

typedef struct visit {
  const resampler *s;
  finding *f;
} visit;

static irl_status look_at_rule(irl_env *env, void *user, const irl_rule *rule) {
  const visit *v = user;
  finding *f = v->f;
  irl_applied_rule a = {0};
  f->has = irl_mem_alloc(&env->allocator, v->s->rule->n_clauses, 1);
  f->overlaps = irl_mem_alloc(&env->allocator, v->s->rule->n_clauses, sizeof *f->overlaps);
  f->cuts = irl_mem_alloc(&env->allocator, rule->n_literals, sizeof *f->cuts);
  f->r = irl_mem_alloc(&env->allocator, rule->n_literals * v->s->own_cores.n, sizeof *f->r);
  if (!f->has || !f->overlaps || !f->cuts || !f->r) return irl_fail_memory(env);
  if (!rule->n_literals) {
    compare_constant(v->s, rule->n_clauses > 0, f);
    return IRL_STATUS_OK;
  }
  const irl_status status = irl_applied_make(env, v->s->parts.table, &v->s->parts.rows, rule, &a);
  if (!status) {
    compare(v->s, &a, f);
    f->cores = a.cores;
    a.cores = (irl_names){0};
  }
  irl_applied_free(env, &a);
  return status;
}

static irl_status learn(irl_env *env, void *user, uint32_t part, irl_split *split) {
  resampler *s = user;
  visit v = {s, &s->findings[part]};
  irl_cv_score score = {0};
  const irl_cv_fold fold = {.from = &s->parts,
                            .split = split,
                            .axes = &s->axes,
                            .scores = &score,
                            .visit = look_at_rule,
                            .user = &v};
  irl_status status = irl_split_code(env, s->parts.table, &s->options, split);
  if (!status) status = irl_cv_fold_run(env, &fold, &s->options);
  v.f->is_done = !status && score.is_done;
  return status;
}

/* ---- what comes of them ---- */

/* How often a literal stood where one of the rule was missing. */
typedef struct stand_in {
  uint32_t place, literal, count;
  double sum;
} stand_in;

typedef struct joiner {
  const resampler *s;
  irl_stability *found;
  stand_in *stand_ins;
  size_t n, capacity;
} joiner;

static bool has_core(const irl_names *cores, const char *core) {
  for (size_t i = 0; i < cores->n; i++)
    if (!strcmp(irl_names_get(cores, i), core)) return true;
  return false;
}

static irl_status note_stand_in(joiner *j, uint32_t place, uint32_t literal, double r) {
  irl_env *env = j->s->parts.env;
  size_t i = 0;
  while (i < j->n && (j->stand_ins[i].place != place || j->stand_ins[i].literal != literal)) i++;
  if (i == j->capacity) {
    const size_t wanted = 2 * j->capacity + 16;
    stand_in *more = irl_mem_grow(&env->allocator, j->stand_ins, wanted, sizeof *more);
    if (!more) return irl_fail_memory(env);
    j->stand_ins = more;
    j->capacity = wanted;
  }
  if (i == j->n) j->stand_ins[j->n++] = (stand_in){.place = place, .literal = literal};
  j->stand_ins[i].count++;
  j->stand_ins[i].sum += r;
  return IRL_STATUS_OK;
}

/* What stands in place of the literals of the rule that resample f has not. */
static irl_status note_missing(joiner *j, const finding *f) {
  const size_t n_own = j->s->own_cores.n;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t p = 0; p < n_own && !status; p++) {
    size_t best = f->cores.n;
    if (has_core(&f->cores, irl_names_get(&j->s->own_cores, p))) continue;
    for (size_t i = 0; i < f->cores.n; i++) {
      const bool is_own = has_core(&j->s->own_cores, irl_names_get(&f->cores, i));
      const double r = f->r[i * n_own + p];
      if (!is_own && r >= LEAST_R && (best == f->cores.n || r > f->r[best * n_own + p])) best = i;
    }
    if (best == f->cores.n) continue;
    const char *core = irl_names_get(&f->cores, best);
    const uint32_t literal = irl_names_find(&j->found->names, core, strlen(core));
    assert(literal != IRL_NO_NAME);
    status = note_stand_in(j, p, literal, f->r[best * n_own + p]);
  }
  return status;
}

static void count_literals(irl_stability *found, const finding *f) {
  for (size_t i = 0; i < f->cores.n; i++) {
    const char *core = irl_names_get(&f->cores, i);
    irl_stable_literal *l = &found->literals[irl_names_find(&found->names, core, strlen(core))];
    bool is_first = true;
    for (size_t k = 0; k < i; k++) is_first &= strcmp(irl_names_get(&f->cores, k), core) != 0;
    l->count += is_first;
    l->low = fmin(l->low, f->cuts[i]); /* of a number and NaN fmin gives the number */
    l->high = fmax(l->high, f->cuts[i]);
  }
}

static int compare_stand_ins(const void *a, const void *b) {
  const stand_in *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* The most frequent ones of each literal, and the literals in their order. */
static void arrange(joiner *j) {
  irl_stability *found = j->found;
  const uint32_t n = (uint32_t)found->names.n, n_own = (uint32_t)j->s->own_cores.n;
  if (j->n) qsort(j->stand_ins, j->n, sizeof *j->stand_ins, compare_stand_ins);
  for (size_t i = 0; i < j->n; i++) {
    const stand_in *from = &j->stand_ins[i];
    irl_stable_literal *l = &found->literals[from->place];
    if (l->n_others == IRL_SUBSTITUTES) continue;
    l->others[l->n_others++] =
        (irl_substitute){from->literal, from->count, from->sum / from->count};
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i; /* by insertion: those of the rule stay where they are */
    for (; at > n_own && found->literals[found->order[at - 1]].count < found->literals[i].count;
         at--)
      found->order[at] = found->order[at - 1];
    found->order[at] = i;
  }
}

static irl_status name_literals(irl_env *env, const resampler *s, irl_stability *found) {
  const irl_allocator *allocator = &env->allocator;
  uint32_t number;
  bool is_ready = irl_names_copy(&found->names, &s->own_cores, allocator) &&
                  irl_names_index(&found->names, NULL);
  for (uint32_t b = 0; b < found->n_asked && is_ready; b++)
    for (size_t i = 0; i < s->findings[b].cores.n && s->findings[b].is_done && is_ready; i++) {
      const char *core = irl_names_get(&s->findings[b].cores, i);
      is_ready = irl_names_intern(&found->names, core, strlen(core), &number);
    }
  found->literals = irl_mem_alloc(allocator, found->names.n, sizeof *found->literals);
  found->order = irl_mem_alloc(allocator, found->names.n, sizeof *found->order);
  if (!is_ready || !found->literals || !found->order) return irl_fail_memory(env);
  for (size_t i = 0; i < found->names.n; i++)
    found->literals[i] =
        (irl_stable_literal){.is_in_rule = i < s->own_cores.n, .low = NAN, .high = NAN};
  return IRL_STATUS_OK;
}

static irl_status join(const resampler *s, irl_stability *found) {
  joiner j = {.s = s, .found = found};
  irl_status status = name_literals(s->parts.env, s, found);
  for (uint32_t b = 0; b < found->n_asked && !status; b++) {
    const finding *f = &s->findings[b];
    if (!f->is_done) continue;
    found->n_done++;
    found->n_same += f->is_same;
    found->agreement += f->agreement;
    count_literals(found, f);
    for (size_t k = 0; k < found->n_clauses; k++) {
      found->clauses[k].count += f->has[k];
      found->clauses[k].overlap += f->overlaps[k];
    }
    status = note_missing(&j, f);
  }
  if (!status) arrange(&j);
  for (size_t k = 0; k < found->n_clauses; k++) found->clauses[k].overlap /= found->n_done;
  found->agreement /= found->n_done;
  irl_mem_free(&s->parts.env->allocator, j.stand_ins);
  return status;
}

/* ---- the run ---- */

static const char *find_obstacle(const irl_fit_result *result) {
  if (isnan(result->info.objective)) return "there is no rule";
  if (!result->rule->n_literals) return "the rule has no literals";
  if (!result->data->n_cases || !result->data->n_controls) return "there is one class only";
  if (result->data->shard) return "the data are divided among processes";
  return NULL;
}

static irl_status prepare(irl_env *env, resampler *s, const irl_options *options,
                          irl_stability *found) {
  irl_allocator *allocator = &env->allocator;
  uint32_t number;
  irl_estimate_options(options, &s->options);
  s->axes = irl_cv_one_setting(options);
  s->parts.draw = IRL_DRAW_BAGS;
  s->parts.stream = IRL_STABILITY_STREAM;
  found->n_asked = (uint32_t)options->output.stability;
  found->n_clauses = s->rule->n_clauses;
  found->clauses = irl_mem_alloc(allocator, found->n_clauses, sizeof *found->clauses);
  s->findings = irl_mem_alloc(allocator, found->n_asked, sizeof *s->findings);
  irl_status status = s->findings && found->clauses ? IRL_STATUS_OK : irl_fail_memory(env);
  if (!status) status = irl_applied_make(env, s->parts.table, &s->parts.rows, s->rule, &s->own);
  irl_names_init(&s->own_cores, allocator);
  for (size_t i = 0; i < s->own.cores.n && !status; i++) {
    const char *core = irl_names_get(&s->own.cores, i);
    if (!irl_names_intern(&s->own_cores, core, strlen(core), &number))
      status = irl_fail_memory(env);
  }
  return status;
}

static void free_resampler(irl_env *env, resampler *s, uint32_t n_asked) {
  irl_allocator *allocator = &env->allocator;
  for (uint32_t b = 0; s->findings && b < n_asked; b++) {
    irl_names_free(&s->findings[b].cores);
    irl_mem_free(allocator, s->findings[b].cuts);
    irl_mem_free(allocator, s->findings[b].r);
    irl_mem_free(allocator, s->findings[b].has);
    irl_mem_free(allocator, s->findings[b].overlaps);
  }
  irl_mem_free(allocator, s->findings);
  irl_names_free(&s->own_cores);
  irl_applied_free(env, &s->own);
  irl_resampling_free(&s->parts);
}

irl_status irl_fit_resample(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result) {
  resampler s = {.rule = result->rule};
  irl_stability *found = irl_mem_alloc(&env->allocator, 1, sizeof *found);
  if (!found) return irl_fail_memory(env);
  result->stability = found;
  found->allocator = env->allocator;
  found->none_since = find_obstacle(result);
  if (found->none_since) return IRL_STATUS_OK;
  irl_status status = irl_resampling_init(env, &s.parts, table, rows, options, limit);
  if (!status) status = prepare(env, &s, options, found);
  const irl_parts parts = {
      .n = found->n_asked, .title = "stability", .unit = "resamples", .user = &s, .learn = learn};
  if (!status) status = irl_resampling_run(&s.parts, &parts);
  if (!status) status = join(&s, found);
  if (!status && !found->n_done) found->none_since = "the limit was reached before";
  free_resampler(env, &s, found->n_asked);
  if (status) found->none_since = "it could not be made";
  return status;
}
