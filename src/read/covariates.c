/* Covariates of people from another file, as columns beside the variants: numbers, 0/1 or
 * categories, by what the values are. NA, ., nan, -9 and nothing are missing, and so are all values
 * of people whom the file does not have. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/genotypes.h"

#define MOST_COVARIATES 64u

struct irl_covariates {
  size_t n;          /* columns */
  irl_slice *values; /* of person i in column k: values[i * n + k]; NULL text: missing */
  irl_column_type types[MOST_COVARIATES];
};

static bool read_number(irl_slice value, double *number) {
  char copy[64], *end;
  if (!value.length || value.length >= sizeof copy) return false;
  memcpy(copy, value.text, value.length);
  copy[value.length] = '\0';
  *number = irl_c_strtod(copy, &end);
  return !*end && isfinite(*number);
}

static irl_status fail_name(irl_env *env, const irl_id_file *file, const char *name, size_t n) {
  irl_text list;
  irl_text_init(&list, env);
  for (size_t i = file->n_ids; i < file->n_columns; i++) {
    if (i > file->n_ids) irl_text_puts(&list, ", ");
    irl_text_add(&list, file->header[i].text, file->header[i].length);
  }
  const irl_status status =
      list.failed || !list.bytes
          ? irl_id_file_fail_whole(file, "there is no covariate '%.*s'", (int)n, name)
          : irl_id_file_fail_whole(file, "there is no covariate '%.*s'; there are %s", (int)n, name,
                                   list.bytes);
  irl_text_drop(&list);
  return status;
}

/* The fields of the file that are wanted, and their names as columns. */
static irl_status choose_fields(irl_genotypes *g, const irl_id_file *file, size_t *fields) {
  irl_covariates *c = g->covariates;
  const char *list = g->options.covar_name;
  irl_env *env = g->env;
  if (!file->has_header)
    return irl_id_file_fail_whole(file, "covariates need a header line (FID IID NAME ...)");
  for (size_t i = file->n_ids; i < file->n_columns && !list; i++) {
    if (c->n == MOST_COVARIATES) break;
    fields[c->n++] = i;
  }
  for (const char *at = list; at && *at;) {
    const size_t n = strcspn(at, ",\n ");
    size_t i = file->n_ids;
    while (i < file->n_columns &&
           (file->header[i].length != n || memcmp(file->header[i].text, at, n)))
      i++;
    if (i == file->n_columns) return fail_name(env, file, at, n);
    if (c->n == MOST_COVARIATES)
      return irl_id_file_fail_whole(file, "at most 64 covariates are read");
    fields[c->n++] = i;
    at += n + (at[n] != '\0');
  }
  for (size_t k = 0; k < c->n; k++) {
    const size_t before = g->names.n;
    uint32_t number;
    const irl_slice name = file->header[fields[k]];
    if (!name.length || *name.text == '!')
      return irl_id_file_fail_whole(file, "covariate '%.*s' needs another name", (int)name.length,
                                    name.text);
    if (!irl_names_intern(&g->names, name.text, name.length, &number)) return irl_fail_memory(env);
    if (g->names.n == before)
      return irl_id_file_fail_whole(file, "there is a column '%.*s' already", (int)name.length,
                                    name.text);
  }
  return c->n ? IRL_STATUS_OK : irl_id_file_fail_whole(file, "there is no column of covariates");
}

/* Is it the column of groups or of given folds, in which values may be missing? */
static bool is_kept(const irl_genotypes *g, const char *name) {
  const irl_options *options = g->source->options;
  return g->source->only || !options ||
         (options->data.group && !strcmp(name, options->data.group)) ||
         (options->data.fold_column && !strcmp(name, options->data.fold_column));
}

/* Types by the values of the people that are samples; a column without any is left out. */
static void find_types(irl_genotypes *g) {
  irl_covariates *c = g->covariates;
  for (size_t k = 0; k < c->n; k++) {
    const char *name = irl_names_get(&g->names, g->variants.n + k);
    bool is_number = true, is_bit = true, is_empty = true;
    for (size_t i = 0; i < g->n_people && is_number; i++) {
      const irl_slice value = c->values[i * c->n + k];
      double number;
      if (!value.text || !irl_bits_get(g->mask, i)) continue;
      is_empty = false;
      is_number = read_number(value, &number);
      is_bit = is_bit && is_number && (number == 0 || number == 1);
    }
    c->types[k] = !is_number ? IRL_COLUMN_CATEGORY : is_bit ? IRL_COLUMN_BINARY : IRL_COLUMN_NUMBER;
    if (!is_empty || is_kept(g, name)) continue;
    c->types[k] = IRL_COLUMN_IGNORED;
    irl_log(g->env, IRL_LOG_WARNING, "%s: column '%s' has no value at all and is left out",
            g->options.covar->name ? g->options.covar->name : "covar", name);
  }
}

irl_status irl_covariates_read(irl_genotypes *g) {
  irl_env *env = g->env;
  irl_id_file file = {.header = NULL};
  size_t fields[MOST_COVARIATES], n_found = 0, n_unknown = 0;
  irl_covariates *c = g->covariates = irl_mem_alloc(&env->allocator, 1, sizeof *c);
  irl_status status =
      c ? irl_id_file_open(g, g->options.covar, "covar", &file) : irl_fail_memory(env);
  if (!status) status = choose_fields(g, &file, fields);
  if (!status) {
    c->values = irl_mem_alloc(&env->allocator, g->n_people * c->n, sizeof *c->values);
    if (!c->values) status = irl_fail_memory(env);
  }
  while (!status && irl_id_file_next(&file, &status)) {
    uint32_t person;
    status = irl_id_file_person(g, &file, &person);
    if (!status && file.rows.n < file.n_columns)
      status = irl_id_file_fail(&file, "this line has %zu fields, the header %zu", file.rows.n,
                                file.n_columns);
    if (status) break;
    n_unknown += person == UINT32_MAX;
    if (person == UINT32_MAX) continue;
    n_found++;
    for (size_t k = 0; k < c->n; k++) {
      const irl_slice value = file.rows.words[fields[k]];
      c->values[person * c->n + k] = irl_phenotype_is_missing(value) ? (irl_slice){NULL, 0} : value;
    }
  }
  if (!status && !n_found)
    status = irl_id_file_fail_whole(&file, "nobody here is in %s", g->source->path);
  if (!status && n_unknown)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu people are not in %s", file.rows.path, n_unknown,
            g->source->path);
  if (!status) find_types(g);
  irl_id_file_close(&file);
  return status;
}

irl_status irl_covariates_bring(const irl_genotypes *g, size_t k, irl_column *into) {
  const irl_covariates *c = g->covariates;
  irl_env *env = g->env;
  size_t sample = 0;
  assert(k < c->n);
  *into = (irl_column){.type = c->types[k]};
  if (into->type == IRL_COLUMN_IGNORED) return IRL_STATUS_OK;
  if (!irl_column_init(into, &env->allocator, c->types[k], g->n_samples))
    return irl_fail_memory(env);
  for (size_t i = 0; i < g->n_people; i++) {
    const irl_slice value = c->values[i * c->n + k];
    double number = NAN;
    if (!irl_bits_get(g->mask, i)) continue;
    if (c->types[k] == IRL_COLUMN_CATEGORY) {
      uint32_t code = IRL_NO_VALUE;
      if (value.text && !irl_names_intern(into->values, value.text, value.length, &code))
        return irl_fail_memory(env);
      into->codes[sample] = code;
    } else {
      if (value.text) read_number(value, &number);
      irl_column_set_number(into, sample, number);
    }
    sample++;
  }
  into->n_missing = irl_column_count_missing(into, g->n_samples);
  return IRL_STATUS_OK;
}

void irl_covariates_free(irl_genotypes *g) {
  if (!g->covariates) return;
  irl_mem_free(&g->env->allocator, g->covariates->values);
  irl_mem_free(&g->env->allocator, g->covariates);
  g->covariates = NULL;
}
