/* Files that name people: phenotypes, covariates, lists to keep or remove.
 *
 * A header is a first line that begins with FID, IID, ID or SAMPLE, with or without #. Without one
 * the first two fields are family and name, as in PLINK's files. Commas separate the fields if the
 * first line has one, otherwise any number of blanks and tabs. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/genotypes.h"

irl_status irl_id_file_fail_at(irl_env *env, const char *path, size_t line, const char *format,
                               ...) {
  char what[IRL_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  irl_c_vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s:%zu:1: %s", path, line, what);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* A field without the blanks and quotes around it. */
static irl_slice trim(const char *from, const char *to) {
  while (from < to && is_blank(*from)) from++;
  while (to > from && is_blank(to[-1])) to--;
  if (to - from >= 2 && *from == '"' && to[-1] == '"') {
    from++;
    to--;
  }
  return (irl_slice){from, (size_t)(to - from)};
}

static bool add_field(irl_env *env, irl_id_file *file, irl_slice field) {
  if (!irl_mem_reserve(&env->allocator, &file->fields, &file->fields_capacity, file->n_fields,
                       sizeof *file->fields))
    return false;
  file->fields[file->n_fields++] = field;
  return true;
}

static bool split(irl_env *env, irl_id_file *file, const char *line, const char *end) {
  file->n_fields = 0;
  if (file->has_commas) {
    for (const char *from = line;; from++) {
      const char *comma = memchr(from, ',', (size_t)(end - from));
      const char *to = comma ? comma : end;
      if (!add_field(env, file, trim(from, to))) return false;
      if (!comma) return true;
      from = comma;
    }
  }
  for (const char *at = line; at < end;) {
    while (at < end && is_blank(*at)) at++;
    const char *from = at;
    while (at < end && !is_blank(*at)) at++;
    if (at > from && !add_field(env, file, trim(from, at))) return false;
  }
  return true;
}

bool irl_id_file_next(irl_env *env, irl_id_file *file, irl_status *status) {
  while (file->at < file->end) {
    const char *line = file->at;
    const char *end = memchr(line, '\n', (size_t)(file->end - line));
    file->at = end ? end + 1 : file->end;
    if (!end) end = file->end;
    file->line++;
    if (memchr(line, '\0', (size_t)(end - line))) {
      *status = irl_id_file_fail(env, file, "there is a NUL byte in this line");
      return false;
    }
    if (!split(env, file, line, end)) {
      *status = irl_fail_memory(env);
      return false;
    }
    if (file->n_fields && (file->n_fields > 1 || file->fields[0].length)) return true;
  }
  return false;
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
  const char *text = bytes->data ? bytes->data : "";
  *file = (irl_id_file){.path = bytes->name ? bytes->name : name,
                        .text = text,
                        .at = text,
                        .end = text + bytes->size,
                        .n_ids = 2,
                        .is_named = irl_mem_alloc(&env->allocator, g->n_people, 1)};
  if (!file->is_named) return irl_fail_memory(env);
  if (bytes->size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) file->at += 3;
  const char *end = memchr(file->at, '\n', (size_t)(file->end - file->at));
  const size_t first = (size_t)((end ? end : file->end) - file->at);
  file->has_commas = memchr(file->at, ',', first) && !memchr(file->at, '\t', first);
  if (!irl_id_file_next(env, file, &status))
    return status ? status : irl_id_file_fail_at(env, file->path, 1, "the file is empty");
  file->n_columns = file->n_fields;
  const bool has_family = is_family_header(file->fields[0]);
  file->has_header = has_family || is_name_header(file->fields[0]);
  if (file->has_header) {
    file->n_ids = has_family && file->n_fields > 1 && is_name_header(file->fields[1]) ? 2 : 1;
    file->header = file->fields;
    file->header_capacity = file->fields_capacity;
    file->fields = NULL;
    file->fields_capacity = file->n_fields = 0;
    return IRL_STATUS_OK;
  }
  if (file->n_fields == 1) file->n_ids = 1;
  file->at = text; /* the line is one of people */
  file->line = 0;
  return IRL_STATUS_OK;
}

/* Samples of VCF have one name, which is that of the second column, or both with _ between, as
 * `plink --recode vcf` writes them. */
irl_status irl_id_file_person(const irl_genotypes *g, irl_id_file *file, uint32_t *person) {
  char id[512];
  *person = UINT32_MAX;
  if (file->n_fields < file->n_ids)
    return irl_id_file_fail(g->env, file, "this line does not have %s",
                            file->n_ids == 2 ? "a family and a name" : "a name");
  const irl_slice family = file->fields[0], name = file->fields[file->n_ids - 1];
  if (!g->by_name && file->n_ids < 2)
    return irl_id_file_fail(g->env, file,
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
    return irl_id_file_fail(g->env, file,
                            "%s has the samples '%.*s' and '%.200s', and family '%.*s', name "
                            "'%.*s' may be either: leave out the column FID and give the names as "
                            "they are there, under a header IID",
                            g->source->path, (int)name.length, name.text, id, (int)family.length,
                            family.text, (int)name.length, name.text);
  *person = alone != IRL_NO_NAME ? alone : both;
  if (*person == UINT32_MAX) return IRL_STATUS_OK;
  if (file->is_named[*person] && !file->may_repeat)
    return irl_id_file_fail(g->env, file, "'%.200s' is there twice",
                            irl_names_get(&g->ids, *person));
  file->is_named[*person] = true;
  return IRL_STATUS_OK;
}

void irl_id_file_close(irl_env *env, irl_id_file *file) {
  irl_mem_free(&env->allocator, file->header);
  irl_mem_free(&env->allocator, file->fields);
  irl_mem_free(&env->allocator, file->is_named);
}
