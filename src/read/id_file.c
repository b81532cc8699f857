/* Files that name people: phenotypes, covariates, lists to keep or remove.
 *
 * A header is a first line that begins with FID, IID, ID or SAMPLE, with or without #. Without one
 * the first two fields are family and name, as in PLINK's files. Commas separate the fields if the
 * first line has one, otherwise any number of blanks and tabs. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/genotypes.h"

bool irl_id_file_next(irl_id_file *file, irl_status *status) {
  const bool found = irl_word_rows_next(&file->rows, status);
  for (size_t i = 0; i < file->rows.n && found; i++) {
    irl_slice *word = &file->rows.words[i];
    if (word->length < 2 || *word->text != '"' || word->text[word->length - 1] != '"') continue;
    *word = (irl_slice){word->text + 1, word->length - 2};
  }
  return found;
}

static bool is_called(irl_slice field, const char *const *names, size_t n) {
  if (field.length && *field.text == '#') {
    field.text++;
    field.length--;
  }
  for (size_t i = 0; i < n; i++)
    if (field.length == strlen(names[i]) &&
        irl_c_equal_ignoring_case(field.text, names[i], field.length))
      return true;
  return false;
}

static bool is_family_header(irl_slice field) {
  static const char *const names[] = {"FID"};
  return is_called(field, names, 1);
}

static bool is_name_header(irl_slice field) {
  static const char *const names[] = {"IID", "ID", "sample", "sample_id", "sampleid"};
  return is_called(field, names, 5);
}

irl_status irl_id_file_open(const irl_genotypes *g, const irl_bytes *bytes, const char *name,
                            irl_id_file *file) {
  irl_env *env = g->env;
  irl_status status = IRL_STATUS_OK;
  *file = (irl_id_file){.rows = irl_word_rows_open(env, bytes, name),
                        .n_ids = 2,
                        .is_named = irl_mem_alloc(&env->allocator, g->n_people, 1)};
  irl_word_rows *rows = &file->rows;
  if (!file->is_named) return irl_fail_memory(env);
  const char *end = memchr(rows->text, '\n', (size_t)(rows->end - rows->text));
  const size_t first = (size_t)((end ? end : rows->end) - rows->text);
  if (memchr(rows->text, ',', first) && !memchr(rows->text, '\t', first)) rows->delimiter = ',';
  if (!irl_id_file_next(file, &status))
    return status ? status : irl_id_file_fail_whole(file, "the file is empty");
  file->n_columns = rows->n;
  const bool has_family = is_family_header(rows->words[0]);
  file->has_header = has_family || is_name_header(rows->words[0]);
  if (!file->has_header) {
    if (rows->n == 1) file->n_ids = 1;
    rows->at = rows->text; /* the line is one of people */
    return IRL_STATUS_OK;
  }
  file->n_ids = has_family && rows->n > 1 && is_name_header(rows->words[1]) ? 2 : 1;
  file->header = rows->words;
  rows->words = NULL;
  rows->capacity = rows->n = 0;
  return IRL_STATUS_OK;
}

/* Samples of VCF have one name, which is that of the second column, or both with _ between, as
 * `plink --recode vcf` writes them. */
irl_status irl_id_file_person(const irl_genotypes *g, irl_id_file *file, uint32_t *person) {
  char id[512];
  *person = UINT32_MAX;
  if (file->rows.n < file->n_ids)
    return irl_id_file_fail(file, "this line does not have %s",
                            file->n_ids == 2 ? "a family and a name" : "a name");
  const irl_slice family = file->rows.words[0], name = file->rows.words[file->n_ids - 1];
  if (!g->by_name && file->n_ids < 2)
    return irl_id_file_fail(file,
                            "people of %s have a family and a name: this file needs the columns "
                            "FID and IID",
                            g->source->path);
  uint32_t both = IRL_NO_NAME;
  const uint32_t alone = g->by_name ? irl_names_find(&g->ids, name.text, name.length) : IRL_NO_NAME;
  if (file->n_ids == 2) {
    const int n = snprintf(id, sizeof id, "%.*s%c%.*s", (int)family.length, family.text,
                           g->by_name ? '_' : '\t', (int)name.length, name.text);
    if (n < (int)sizeof id) both = irl_names_find(&g->ids, id, (size_t)n);
  }
  if (alone != IRL_NO_NAME && both != IRL_NO_NAME)
    return irl_id_file_fail(file,
                            "%s has the samples '%.*s' and '%.200s', and family '%.*s', name "
                            "'%.*s' may be either: leave out the column FID and give the names as "
                            "they are there, under a header IID",
                            g->source->path, (int)name.length, name.text, id, (int)family.length,
                            family.text, (int)name.length, name.text);
  *person = alone != IRL_NO_NAME ? alone : both;
  if (*person == UINT32_MAX) return IRL_STATUS_OK;
  if (file->is_named[*person] && !file->may_repeat)
    return irl_id_file_fail(file, "'%.200s' is there twice", irl_names_get(&g->ids, *person));
  file->is_named[*person] = true;
  return IRL_STATUS_OK;
}

void irl_id_file_close(irl_id_file *file) {
  if (!file->rows.env) return;
  irl_mem_free(&file->rows.env->allocator, file->header);
  irl_mem_free(&file->rows.env->allocator, file->is_named);
  irl_word_rows_close(&file->rows);
}
