/* Stability of a rule: samples, or whole groups of them (units.h), are drawn with replacement, as
 * many as there are, and the whole procedure (coding, quick search, choice of the rule) runs on
 * them, again and again. Told is how often each literal and each clause of the rule comes back, how
 * near the nearest clause is where it does not (Jaccard index of the samples that both cover), how
 * many samples are predicted alike, and which literals stand in place of one that is missing: of
 * the literals of such a resample's rule that the rule has not, the one that goes with it most over
 * the samples (phi coefficient, at least LEAST_R).
 *
 * Each resample is a job of its own that leaves its rule in its own place. The rules are compared
 * with the whole one in their order, whatever coding they were learnt in, by what their literals
 * and clauses cover of all samples; so the answer is the same on any number of threads. */
#include "base/array.h"
#include "bits/kernels.h"
#include "validate/estimate.h"
#include "validate/fit_extras.h"
#include "validate/max_statistic.h"
#include <math.h>
#include <stdlib.h>

#define LEAST_R 0.3 /* of a substitute */

/* A rule on all samples. */
typedef struct applied_rule {
  const irl_rule *rule;
  irl_bits_matrix covers; /* of each literal, then of each clause, then of the whole */
  uint32_t *cores;        /* of each literal: the number of its name */
} applied_rule;

/* How often a literal stood where one of the rule was missing. */
typedef struct stand_in {
  uint32_t place, literal, count;
  double sum;
} stand_in;

typedef struct resampler {
  irl_resampling parts;
  irl_options options; /* of the rules of resamples */
  irl_cv_axes axes;    /* one setting */
  irl_rule **rules;    /* of the resamples; NULL: it was not done */
  irl_stability *found;
  applied_rule own;
  uint32_t n_own; /* names of its literals: the first ones */
  struct {
    IRL_ARRAY(irl_stable_literal)
  } literals;
  struct {
    IRL_ARRAY(stand_in)
  } stand_ins;
} resampler;

/* ---- a rule on all samples ---- */

/* The cut point of a literal that is written with one; NaN: it is not. */
static double cut_of(const irl_rule *rule, irl_literal literal) {
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  const size_t n = strlen(asked.column);
  const char *name = irl_rule_name(rule, literal);
  return irl_condition_is_cut(&asked.condition) && !strncmp(name, asked.column, n) && name[n] == ' '
             ? asked.condition.cut
             : (double)NAN;
}

/* A literal without its cut point, as "age >", "!smoker": what is the same in all resamples. */
static void print_core(irl_text *text, const irl_rule *rule, irl_literal literal) {
  const irl_named_condition asked =
      irl_condition_of(&rule->conditions, &rule->names, irl_literal_feature(literal));
  if (irl_literal_is_negated(literal)) irl_text_puts(text, IRL_NEGATION);
  if (isnan(cut_of(rule, literal)))
    irl_text_puts(text, irl_rule_name(rule, literal));
  else
    irl_text_printf(text, "%s %s", asked.column, irl_relation_text(asked.condition.relation));
}

static irl_status name_literals(resampler *s, const applied_rule *a) {
  irl_env *env = s->parts.env;
  irl_names *names = &s->found->names;
  irl_text text;
  irl_text_init(&text, env);
  bool is_ready = true;
  for (size_t i = 0; i < a->rule->n_literals && is_ready; i++) {
    const irl_stable_literal new = {.is_in_rule = a == &s->own, .low = NAN, .high = NAN};
    text.length = 0;
    print_core(&text, a->rule, a->rule->literals[i]);
    is_ready = !text.failed && irl_names_intern(names, text.bytes, text.length, &a->cores[i]);
    if (is_ready && names->n > s->literals.n)
      is_ready = irl_array_push(&env->allocator, &s->literals, new);
  }
  irl_text_drop(&text);
  return is_ready ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* What the literals cover; a rule without any asks for no columns. */
static irl_status cover_literals(const resampler *s, const applied_rule *a) {
  irl_env *env = s->parts.env;
  irl_data *data = NULL;
  irl_bound_rule bound = {.rule = NULL};
  irl_bits_matrix columns = {0};
  if (!a->rule->n_literals) return IRL_STATUS_OK;
  irl_status status = irl_rule_code_table(env, a->rule, s->parts.table, &s->parts.rows, &data);
  if (!status) status = irl_classes_join(env, data, true, &columns);
  if (!status) status = irl_rule_bind(env, a->rule, data, &bound);
  for (size_t i = 0; i < a->rule->n_literals && !status; i++) {
    const irl_literal literal = irl_bound_rule_literal(&bound, a->rule->literals[i]);
    const size_t opposite = irl_literal_is_negated(literal) ? data->n_features : 0;
    assert(columns.stride == a->covers.stride);
    memcpy(irl_bits_vector(&a->covers, i),
           irl_bits_vector(&columns, irl_literal_feature(literal) + opposite),
           columns.stride * sizeof(uint64_t));
  }
  if (bound.rule) irl_bound_rule_free(env, &bound);
  irl_bits_matrix_free(&columns);
  irl_data_free(data);
  return status;
}

static const uint64_t *cover_of_clause(const applied_rule *a, size_t k) {
  return irl_bits_vector(&a->covers, a->rule->n_literals + k);
}

static const uint64_t *cover_of_rule(const applied_rule *a) {
  return cover_of_clause(a, a->rule->n_clauses);
}

static irl_status apply(resampler *s, const irl_rule *rule, applied_rule *a) {
  irl_env *env = s->parts.env;
  const irl_kernels *kernels = irl_bits_kernels();
  const size_t n_vectors = rule->n_literals + rule->n_clauses + 1, n = s->parts.rows.n;
  a->rule = rule;
  a->cores = irl_mem_alloc(&env->allocator, rule->n_literals, sizeof *a->cores);
  irl_status status =
      a->cores ? irl_bits_matrix_init(env, &a->covers, n_vectors, n) : irl_fail_memory(env);
  if (!status) status = cover_literals(s, a);
  if (!status) status = name_literals(s, a);
  for (size_t k = 0; k < rule->n_clauses && !status; k++) {
    const size_t words = a->covers.stride;
    uint64_t *clause = irl_bits_vector(&a->covers, rule->n_literals + k);
    uint64_t *whole = irl_bits_vector(&a->covers, n_vectors - 1);
    irl_bits_fill(clause, n, words);
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++)
      kernels->and_into(clause, clause, irl_bits_vector(&a->covers, i), words);
    kernels->or_into(whole, whole, clause, words);
  }
  return status;
}

static void free_applied(irl_env *env, applied_rule *a) {
  irl_bits_matrix_free(&a->covers);
  irl_mem_free(&env->allocator, a->cores);
}

/* ---- a resample ---- */

static irl_status learn(irl_env *env, void *user, uint32_t part, irl_split *split) {
  resampler *s = user;
  irl_cv_score score = {0};
  const irl_cv_fold fold = {.from = &s->parts,
                            .split = split,
                            .axes = &s->axes,
                            .scores = &score,
                            .rule = &s->rules[part]};
  irl_status status = irl_split_code(env, s->parts.table, &s->options, split);
  if (!status) status = irl_cv_fold_run(env, &fold, &s->options);
  if (status || score.is_done) return status;
  irl_rule_free(s->rules[part]);
  s->rules[part] = NULL;
  return IRL_STATUS_OK;
}

/* ---- how two rules compare ---- */

/* Samples that both cover. */
static double shared(const resampler *s, const uint64_t *a, const uint64_t *b) {
  return (double)irl_bits_kernels()->and_count(a, b, s->own.covers.stride);
}

/* The phi coefficient; 0 where one of them does not vary. */
static double correlate(const resampler *s, const uint64_t *a, const uint64_t *b) {
  const double n = s->parts.rows.n, x = shared(s, a, a), y = shared(s, b, b);
  const double spread = x * (n - x) * y * (n - y);
  return spread > 0 ? (n * shared(s, a, b) - x * y) / sqrt(spread) : 0;
}

/* The Jaccard index; 0 where both are empty. */
static double overlap(const resampler *s, const uint64_t *a, const uint64_t *b) {
  const double both = shared(s, a, b), either = shared(s, a, a) + shared(s, b, b) - both;
  return either > 0 ? both / either : 0;
}

static bool has_core(const uint32_t *cores, size_t n, uint32_t core) {
  for (size_t i = 0; i < n; i++)
    if (cores[i] == core) return true;
  return false;
}

/* Have clause k of one rule and clause l of another the same literals, cut points aside? */
static bool is_same_clause(const applied_rule *a, size_t k, const applied_rule *b, size_t l) {
  const size_t *i = &a->rule->start[k], *j = &b->rule->start[l], n = i[1] - i[0];
  bool is_same = n == j[1] - j[0];
  for (size_t p = 0; p < n && is_same; p++)
    is_same = has_core(b->cores + j[0], n, a->cores[i[0] + p]);
  return is_same;
}

static void compare(const resampler *s, const applied_rule *a) {
  irl_stability *found = s->found;
  const uint64_t *mine = cover_of_rule(&s->own), *its = cover_of_rule(a);
  bool is_same = a->rule->n_clauses == found->n_clauses;
  for (size_t k = 0; k < found->n_clauses; k++) {
    bool is_there = false;
    double nearest = 0;
    for (size_t l = 0; l < a->rule->n_clauses; l++) {
      is_there |= is_same_clause(&s->own, k, a, l);
      nearest = fmax(nearest, overlap(s, cover_of_clause(&s->own, k), cover_of_clause(a, l)));
    }
    found->clauses[k].count += is_there;
    found->clauses[k].overlap += nearest;
    is_same = is_same && is_there;
  }
  found->n_done++;
  found->n_same += is_same;
  found->agreement += 1 - (shared(s, mine, mine) + shared(s, its, its) - 2 * shared(s, mine, its)) /
                              s->parts.rows.n;
  for (size_t i = 0; i < a->rule->n_literals; i++) {
    irl_stable_literal *l = &s->literals.items[a->cores[i]];
    const double cut = cut_of(a->rule, a->rule->literals[i]);
    l->count += !has_core(a->cores, i, a->cores[i]);
    l->low = fmin(l->low, cut); /* of a number and NaN fmin gives the number */
    l->high = fmax(l->high, cut);
  }
}

static irl_status note_stand_in(resampler *s, uint32_t place, uint32_t literal, double r) {
  size_t i = 0;
  while (i < s->stand_ins.n &&
         (s->stand_ins.items[i].place != place || s->stand_ins.items[i].literal != literal))
    i++;
  const stand_in new = {.place = place, .literal = literal};
  if (i == s->stand_ins.n && !irl_array_push(&s->parts.env->allocator, &s->stand_ins, new))
    return irl_fail_memory(s->parts.env);
  s->stand_ins.items[i].count++;
  s->stand_ins.items[i].sum += r;
  return IRL_STATUS_OK;
}

/* What stands in place of the literals of the rule that another one has not. */
static irl_status note_missing(resampler *s, const applied_rule *a) {
  const size_t n = a->rule->n_literals;
  irl_status status = IRL_STATUS_OK;
  for (uint32_t p = 0; p < s->n_own && !status; p++) {
    size_t best = n, place = 0;
    double most = 0;
    if (has_core(a->cores, n, p)) continue;
    while (s->own.cores[place] != p) place++;
    for (size_t i = 0; i < n; i++) {
      const double r =
          correlate(s, irl_bits_vector(&s->own.covers, place), irl_bits_vector(&a->covers, i));
      if (a->cores[i] < s->n_own || r < LEAST_R || (best < n && r <= most)) continue;
      best = i;
      most = r;
    }
    if (best < n) status = note_stand_in(s, p, a->cores[best], most);
  }
  return status;
}

/* ---- what comes of them ---- */

static int compare_stand_ins(const void *a, const void *b) {
  const stand_in *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return (x->literal > y->literal) - (x->literal < y->literal);
}

/* The most frequent ones of each literal, and the literals in their order. */
static irl_status arrange(resampler *s) {
  irl_stability *found = s->found;
  const uint32_t n = (uint32_t)found->names.n;
  found->literals = s->literals.items;
  s->literals.items = NULL;
  found->order = irl_mem_alloc(&found->allocator, n, sizeof *found->order);
  if (!found->order) return irl_fail_memory(s->parts.env);
  if (s->stand_ins.n)
    qsort(s->stand_ins.items, s->stand_ins.n, sizeof *s->stand_ins.items, compare_stand_ins);
  for (size_t i = 0; i < s->stand_ins.n; i++) {
    const stand_in *from = &s->stand_ins.items[i];
    irl_stable_literal *l = &found->literals[from->place];
    if (l->n_others == IRL_SUBSTITUTES) continue;
    l->others[l->n_others++] =
        (irl_substitute){from->literal, from->count, from->sum / from->count};
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i; /* by insertion: those of the rule stay where they are */
    for (; at > s->n_own && found->literals[found->order[at - 1]].count < found->literals[i].count;
         at--)
      found->order[at] = found->order[at - 1];
    found->order[at] = i;
  }
  for (size_t k = 0; k < found->n_clauses; k++) found->clauses[k].overlap /= found->n_done;
  found->agreement /= found->n_done;
  return IRL_STATUS_OK;
}

static irl_status join(resampler *s) {
  irl_status status = apply(s, s->own.rule, &s->own);
  s->n_own = (uint32_t)s->found->names.n;
  for (uint32_t b = 0; b < s->found->n_asked && !status; b++) {
    applied_rule a = {.rule = s->rules[b]};
    if (!a.rule) continue;
    status = apply(s, a.rule, &a);
    if (!status) compare(s, &a);
    if (!status) status = note_missing(s, &a);
    free_applied(s->parts.env, &a);
  }
  return status ? status : arrange(s);
}

/* ---- the run ---- */

static const char *find_obstacle(const irl_fit_result *result) {
  if (isnan(result->info.objective)) return "there is no rule";
  if (!result->rule->n_literals) return "the rule has no literals";
  if (!result->data->n_cases || !result->data->n_controls) return "there is one class only";
  if (result->data->shard) return "the data are divided among processes";
  return NULL;
}

static irl_status run(irl_env *env, resampler *s) {
  irl_stability *found = s->found;
  const irl_parts parts = {
      .n = found->n_asked, .title = "stability", .unit = "resamples", .user = s, .learn = learn};
  s->parts.draw = IRL_DRAW_BAGS;
  s->parts.stream = IRL_STABILITY_STREAM;
  found->clauses = irl_mem_alloc(&env->allocator, found->n_clauses, sizeof *found->clauses);
  s->rules = irl_mem_alloc(&env->allocator, found->n_asked, sizeof *s->rules);
  if (!s->rules || !found->clauses) return irl_fail_memory(env);
  const irl_status status = irl_resampling_run(&s->parts, &parts);
  return status ? status : join(s);
}

irl_status irl_fit_resample(irl_env *env, const irl_table *table, const irl_options *options,
                            const irl_limit *limit, const irl_rows *rows, irl_fit_result *result) {
  const irl_allocator *allocator = &env->allocator;
  irl_stability *found = irl_mem_alloc(allocator, 1, sizeof *found);
  if (!found) return irl_fail_memory(env);
  result->stability = found;
  *found = (irl_stability){.allocator = *allocator,
                           .n_asked = (uint32_t)options->output.stability,
                           .none_since = find_obstacle(result)};
  if (found->none_since) return IRL_STATUS_OK;
  found->n_clauses = result->rule->n_clauses;
  resampler s = {.found = found, .own.rule = result->rule, .axes = irl_cv_one_setting(options)};
  irl_names_init(&found->names, allocator);
  irl_estimate_options(options, &s.options);
  irl_status status = irl_resampling_init(env, &s.parts, table, rows, options, limit);
  if (!status) status = run(env, &s);
  if (!status && !found->n_done) found->none_since = "the limit was reached before";
  if (status) found->none_since = "it could not be made";
  for (uint32_t b = 0; s.rules && b < found->n_asked; b++) irl_rule_free(s.rules[b]);
  irl_mem_free(allocator, s.rules);
  irl_array_free(allocator, &s.literals);
  irl_array_free(allocator, &s.stand_ins);
  free_applied(env, &s.own);
  irl_resampling_free(&s.parts);
  return status;
}
