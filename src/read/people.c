/* Who is in a file of genotypes: names, phenotypes from it or another file, keep and remove. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/genotypes.h"

#define SHOWN 5u /* people that a message names */

irl_status irl_people_add(irl_genotypes *g, const irl_person_text *text, irl_phenotype phenotype) {
  irl_text id;
  irl_text_init(&id, g->env);
  if (!g->by_name) {
    irl_text_add(&id, text->family.text, text->family.length);
    irl_text_puts(&id, "\t");
  }
  irl_text_add(&id, text->name.text, text->name.length);
  const bool done = !id.failed &&
                    irl_mem_reserve(&g->env->allocator, &g->people, &g->people_capacity,
                                    g->n_people, sizeof *g->people) &&
                    irl_names_add(&g->ids, id.bytes, id.length);
  irl_text_drop(&id);
  if (!done) return irl_fail_memory(g->env);
  g->people[g->n_people++] = (irl_person){.sex = (uint8_t)text->sex,
                                          .phenotype = (uint8_t)phenotype,
                                          .is_founder = text->is_founder,
                                          .is_kept = true};
  return IRL_STATUS_OK;
}

irl_status irl_people_add_fam(irl_genotypes *g, const irl_slice *fields, irl_phenotype phenotype) {
  const bool is_male = irl_slice_is(&fields[4], "1"), is_female = irl_slice_is(&fields[4], "2");
  const irl_person_text person = {.family = fields[0],
                                  .name = fields[1],
                                  .sex = is_male     ? IRL_SEX_MALE
                                         : is_female ? IRL_SEX_FEMALE
                                                     : IRL_SEX_UNKNOWN,
                                  .is_founder = irl_slice_is(&fields[2], "0") &&
                                                irl_slice_is(&fields[3], "0")};
  return irl_people_add(g, &person, phenotype);
}

bool irl_phenotype_is_missing(irl_slice text) {
  static const char *const missing[] = {"NA", "nan", ".", "-9", ""};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
    if (text.length == strlen(missing[i]) &&
        irl_c_equal_ignoring_case(text.text, missing[i], text.length))
      return true;
  return false;
}

bool irl_phenotype_parse(const irl_genotypes *g, irl_slice text, irl_phenotype *phenotype) {
  char copy[32], *end;
  *phenotype = IRL_NO_PHENOTYPE;
  if (irl_phenotype_is_missing(text)) return true;
  if (text.length >= sizeof copy) return false;
  memcpy(copy, text.text, text.length);
  copy[text.length] = '\0';
  const double value = irl_c_strtod(copy, &end);
  const double control = g->options.pheno_01 ? 0 : 1;
  if (*end || end == copy) return false;
  if (fabs(value - control) < 1e-9)
    *phenotype = IRL_CONTROL;
  else if (fabs(value - control - 1) < 1e-9)
    *phenotype = IRL_CASE;
  else
    return fabs(value + 9) < 1e-9 || (!g->options.pheno_01 && fabs(value) < 1e-9);
  return true;
}

/* A list of names, the first few of more. */
typedef struct shown {
  irl_text text;
  size_t n;
} shown;

static void show(shown *list, irl_slice name) {
  if (list->n++ < SHOWN)
    irl_text_printf(&list->text, "%s%.*s", list->n > 1 ? ", " : "", (int)name.length, name.text);
}

static const char *shown_text(const shown *list) {
  return list->text.bytes && !list->text.failed ? list->text.bytes : "";
}

static irl_slice own_name(const irl_genotypes *g, uint32_t person) {
  const char *id = irl_names_get(&g->ids, person);
  const char *tab = g->by_name ? NULL : strchr(id, '\t');
  return (irl_slice){tab ? tab + 1 : id, strlen(tab ? tab + 1 : id)};
}

/* ---- phenotypes ---- */

/* The field of a line that has the phenotype. */
static irl_status find_column(irl_genotypes *g, const irl_id_file *file, size_t *column) {
  const char *wanted = g->options.pheno_name;
  irl_env *env = g->env;
  *column = file->n_ids;
  if (file->n_columns <= file->n_ids)
    return irl_id_file_fail_whole(file, "there is no column of phenotypes");
  if (!wanted && !file->has_header) return IRL_STATUS_OK;
  if (wanted && !file->has_header)
    return irl_id_file_fail_whole(
        file, "option pheno_name needs a header line (FID IID NAME ...), and there is none");
  for (size_t i = file->n_ids; i < file->n_columns && wanted; i++)
    if (irl_slice_is(&file->header[i], wanted)) *column = i;
  const irl_slice name = file->header[*column];
  if (wanted && !irl_slice_is(&name, wanted)) {
    shown list = {.n = 0};
    irl_text_init(&list.text, env);
    for (size_t i = file->n_ids; i < file->n_columns; i++) show(&list, file->header[i]);
    const irl_status status = irl_id_file_fail_whole(
        file, "there is no phenotype '%s'; there are %s", wanted, shown_text(&list));
    irl_text_drop(&list.text);
    return status;
  }
  g->target = irl_mem_copy_text(&env->allocator, name.text, name.length);
  return g->target ? IRL_STATUS_OK : irl_fail_memory(env);
}

/* What is said of people that only one of two files has. */
static irl_status note_others(irl_genotypes *g, const irl_id_file *file, const shown *unknown,
                              size_t n_found) {
  if (!n_found) {
    const irl_slice first = own_name(g, 0);
    return irl_id_file_fail_whole(
        file, "nobody here is in %s: names are as %.100s here, and as %.*s there", g->source->path,
        shown_text(unknown), (int)first.length, first.text);
  }
  if (unknown->n)
    irl_log(g->env, IRL_LOG_NOTE, "%s: %zu people are not in %s: %s%s", file->rows.path, unknown->n,
            g->source->path, shown_text(unknown), unknown->n > SHOWN ? ", ..." : "");
  return IRL_STATUS_OK;
}

static irl_status read_phenotypes(irl_genotypes *g) {
  irl_env *env = g->env;
  irl_id_file file = {.header = NULL};
  shown unknown = {.n = 0}, others = {.n = 0};
  size_t column = 0, n_found = 0;
  irl_text_init(&unknown.text, env);
  irl_text_init(&others.text, env);
  irl_status status = irl_id_file_open(g, g->options.pheno, "pheno", &file);
  if (!status) status = find_column(g, &file, &column);
  for (size_t i = 0; i < g->n_people && !status; i++) g->people[i].phenotype = IRL_NO_PHENOTYPE;
  while (!status && irl_id_file_next(&file, &status)) {
    uint32_t person;
    irl_phenotype phenotype;
    status = irl_id_file_person(g, &file, &person);
    if (status) break;
    if (file.rows.n <= column) {
      status = irl_id_file_fail(&file, "this line has no field %zu, the phenotype", column + 1);
    } else if (person == UINT32_MAX) {
      show(&unknown, file.rows.words[file.n_ids - 1]);
    } else if (!irl_phenotype_parse(g, file.rows.words[column], &phenotype)) {
      status =
          irl_id_file_fail(&file, "the phenotype '%.*s' is not %s; ireland learns from two classes",
                           (int)file.rows.words[column].length, file.rows.words[column].text,
                           g->options.pheno_01 ? "0 (control), 1 (case) or -9 (missing)"
                                               : "1 (control), 2 (case), 0 or -9 (missing)");
    } else {
      g->people[person].phenotype = (uint8_t)phenotype;
      n_found++;
    }
  }
  if (!status) status = note_others(g, &file, &unknown, n_found);
  for (uint32_t i = 0; i < g->n_people && !status; i++)
    if (!file.is_named[i]) show(&others, own_name(g, i));
  if (!status && others.n)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu people of %s are not there: %s%s", file.rows.path, others.n,
            g->source->path, shown_text(&others), others.n > SHOWN ? ", ..." : "");
  irl_text_drop(&unknown.text);
  irl_text_drop(&others.text);
  irl_id_file_close(&file);
  return status;
}

/* ---- keep and remove ---- */

static irl_status apply_list(irl_genotypes *g, const irl_bytes *bytes, const char *option,
                             bool keeps) {
  irl_env *env = g->env;
  irl_id_file file = {.header = NULL};
  size_t n_found = 0, n_unknown = 0;
  irl_status status = irl_id_file_open(g, bytes, option, &file);
  file.may_repeat = true;
  while (!status && irl_id_file_next(&file, &status)) {
    uint32_t person;
    status = irl_id_file_person(g, &file, &person);
    n_unknown += !status && person == UINT32_MAX;
  }
  for (size_t i = 0; i < g->n_people && !status; i++) {
    n_found += file.is_named[i];
    if (file.is_named[i] != keeps) g->people[i].is_kept = false;
  }
  if (!status && n_unknown)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu people are not in %s", file.rows.path, n_unknown,
            g->source->path);
  if (!status && keeps && !n_found)
    status =
        irl_id_file_fail_whole(&file, "nobody here is in %s, so nobody is kept", g->source->path);
  irl_id_file_close(&file);
  return status;
}

irl_status irl_people_finish(irl_genotypes *g) {
  uint32_t twice;
  irl_status status = IRL_STATUS_OK;
  if (!irl_names_index(&g->ids, &twice)) return irl_fail_memory(g->env);
  if (twice != IRL_NO_NAME) {
    const irl_slice name = own_name(g, twice);
    return irl_fail(g->env, IRL_STATUS_BAD_INPUT, "%s: person %u, '%.*s', is there twice",
                    g->people_path, twice + 1, (int)name.length, name.text);
  }
  if (g->options.pheno && !g->source->no_labels) {
    g->has_phenotype = true;
    status = read_phenotypes(g);
  }
  if (!status && g->options.keep) status = apply_list(g, g->options.keep, "keep", true);
  if (!status && g->options.remove) status = apply_list(g, g->options.remove, "remove", false);
  return status;
}

irl_status irl_people_identify(const irl_genotypes *g, irl_table *table) {
  uint32_t n = 0;
  bool done = irl_column_init(&table->ids, &table->allocator, IRL_COLUMN_CATEGORY,
                              table->n_samples ? table->n_samples : 1);
  table->id_name = irl_mem_copy_text(&table->allocator, "IID", 3);
  done = done && table->id_name;
  for (uint32_t i = 0; i < g->n_people && done; i++) {
    if (!irl_bits_get(g->mask, i)) continue;
    const irl_slice name = own_name(g, i);
    assert(n < table->n_samples);
    done = irl_names_intern(table->ids.values, name.text, name.length, &table->ids.codes[n++]);
  }
  return done ? IRL_STATUS_OK : irl_fail_memory(g->env);
}
