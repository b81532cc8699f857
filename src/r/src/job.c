/* The parts that calls from R share: job.h. */
#include "job.h"
#include "json.h"
#include <R_ext/Utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a job ---- */

static void job_free(SEXP pointer) {
  job *j = R_ExternalPtrAddr(pointer);
  if (!j) return;
  irl_arena_free(&j->arena);
  irl_text_free(j->env, j->text);
  irl_certificate_free(j->certificate);
  irl_cv_free(j->cv);
  irl_curve_free(j->curve);
  irl_fit_free(j->curve_fit);
  irl_fit_free(j->fit);
  irl_rule_free(j->rule);
  irl_data_free(j->data);
  irl_coding_free(j->coding);
  irl_table_free(j->table);
  irl_env_free(j->env);
  free(j);
  R_ClearExternalPtr(pointer);
}

static void check_interrupt(void *unused) {
  (void)unused;
  R_CheckUserInterrupt();
}

static int on_progress(void *user, const irl_progress *progress) {
  job *j = user;
  if (j->is_shown && !isnan(progress->objective))
    REprintf("\r%-14.14s objective %g  bound %g  %.1f s ", progress->part, progress->objective,
             progress->bound, progress->seconds);
  if (!j->is_interrupted && !R_ToplevelExec(check_interrupt, NULL)) j->is_interrupted = 1;
  return j->is_interrupted;
}

/* Only the last few lines: a note must not fail. */
#define N_NOTES 8
typedef struct note_book {
  char lines[N_NOTES][400];
  int n;
} note_book;

static note_book *notes_of(job *j) {
  return (note_book *)(j + 1);
}

static void on_log(void *user, irl_log_kind kind, const char *line) {
  note_book *notes = notes_of(user);
  if (kind != IRL_LOG_WARNING || notes->n == N_NOTES) return;
  strncpy(notes->lines[notes->n], line, sizeof notes->lines[0] - 1);
  notes->n++;
}

SEXP job_begin(job **out) {
  job *j = calloc(1, sizeof(job) + sizeof(note_book));
  if (!j) Rf_error("out of memory");
  SEXP pointer = PROTECT(R_MakeExternalPtr(j, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, job_free, TRUE);
  if (irl_env_create(NULL, &j->env)) Rf_error("out of memory");
  irl_options_init(&j->options, sizeof j->options);
  irl_env_set_log(j->env, on_log, j);
  irl_env_set_progress(j->env, on_progress, j);
  *out = j;
  return pointer;
}

SEXP job_end(SEXP pointer, SEXP made) {
  PROTECT(made);
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

static SEXP named(const char *name, SEXP value) {
  PROTECT(value);
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 1));
  SET_VECTOR_ELT(list, 0, value);
  Rf_setAttrib(list, R_NamesSymbol, PROTECT(Rf_mkString(name)));
  UNPROTECT(3);
  return list;
}

SEXP utf8(const char *text) {
  SEXP value = PROTECT(Rf_allocVector(STRSXP, 1));
  SET_STRING_ELT(value, 0, Rf_mkCharCE(text, CE_UTF8));
  UNPROTECT(1);
  return value;
}

SEXP failure(const job *j, irl_status status) {
  return named("error",
               utf8(status == IRL_STATUS_NO_MEMORY ? "out of memory" : irl_env_error(j->env)));
}

/* ---- options, columns, tables ---- */

/* What a fit is to choose from: "tune", "tune_K" and so on. */
static void take_range(job *j, const char *name, const char *value) {
  static const char *const names[] = {"_K", "_M", "_penalty", "_negations"};
  const char **const ranges[] = {&j->grid.K, &j->grid.M, &j->grid.penalty, &j->grid.negations};
  j->grid.size = sizeof j->grid;
  j->options.search.tune = &j->grid;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) *ranges[i] = value;
}

irl_status take_options(job *j, SEXP options) {
  SEXP names = Rf_getAttrib(options, R_NamesSymbol);
  irl_status status = IRL_STATUS_OK;
  for (R_xlen_t i = 0; i < XLENGTH(options) && !status; i++) {
    const char *name = Rf_translateCharUTF8(STRING_ELT(names, i)),
               *value = Rf_translateCharUTF8(STRING_ELT(options, i));
    if (!strcmp(name, "verbose"))
      j->is_shown = 1;
    else if (!strncmp(name, "tune", 4))
      take_range(j, name + 4, value);
    else
      status = irl_options_set(j->env, &j->options, name, value);
  }
  return status;
}

/* They are pointers, at places that the library tells. */
void take_contents(job *j, SEXP contents) {
  SEXP names = Rf_getAttrib(contents, R_NamesSymbol);
  const R_xlen_t n = XLENGTH(contents);
  irl_bytes *bytes = (irl_bytes *)R_alloc((size_t)n + 1, sizeof *bytes);
  size_t n_options;
  const irl_option_info *options = irl_options_table(&n_options);
  for (R_xlen_t i = 0; i < n; i++) {
    const char *name = CHAR(STRING_ELT(names, i));
    bytes[i] = (irl_bytes){.data = CHAR(STRING_ELT(contents, i)),
                           .size = (size_t)LENGTH(STRING_ELT(contents, i)),
                           .name = name};
    for (size_t k = 0; k < n_options; k++)
      if (options[k].type == IRL_OPTION_OBJECT && !strcmp(options[k].name, name))
        *(const irl_bytes **)((char *)&j->options + options[k].offset) = &bytes[i];
  }
}

/* Numbers where they are if they are doubles; integers, logicals and codes of factors as copies
 * that R frees. */
static void take_column(SEXP values, const char *name, int type, irl_column_view *view) {
  const R_xlen_t n = XLENGTH(values);
  *view = (irl_column_view){.size = sizeof *view, .name = name, .type = (irl_column_type)type};
  SEXP levels = Rf_getAttrib(values, R_LevelsSymbol);
  if (TYPEOF(values) == REALSXP) {
    view->numbers = REAL(values);
  } else if (levels == R_NilValue) {
    const int *from = TYPEOF(values) == LGLSXP ? LOGICAL(values) : INTEGER(values);
    double *numbers = (double *)R_alloc((size_t)n, sizeof(double));
    for (R_xlen_t i = 0; i < n; i++) numbers[i] = from[i] == NA_INTEGER ? NAN : from[i];
    view->numbers = numbers;
  } else {
    const R_xlen_t n_levels = XLENGTH(levels);
    const char **texts = (const char **)R_alloc((size_t)n_levels + 1, sizeof(char *));
    int32_t *codes = (int32_t *)R_alloc((size_t)n, sizeof(int32_t));
    for (R_xlen_t k = 0; k < n_levels; k++) texts[k] = Rf_translateCharUTF8(STRING_ELT(levels, k));
    for (R_xlen_t i = 0; i < n; i++)
      codes[i] = INTEGER(values)[i] == NA_INTEGER ? -1 : INTEGER(values)[i] - 1;
    view->codes = codes;
    view->values = texts;
    view->n_values = (uint32_t)n_levels;
  }
}

const char *text_at(SEXP texts, R_xlen_t i) {
  return XLENGTH(texts) <= i || STRING_ELT(texts, i) == NA_STRING
             ? NULL
             : Rf_translateCharUTF8(STRING_ELT(texts, i));
}

static irl_status take_table(job *j, SEXP frame) {
  SEXP columns = VECTOR_ELT(frame, 0), names = VECTOR_ELT(frame, 1), types = VECTOR_ELT(frame, 2);
  SEXP labels = VECTOR_ELT(frame, 3), weights = VECTOR_ELT(frame, 4), words = VECTOR_ELT(frame, 5);
  const R_xlen_t n_columns = XLENGTH(columns);
  const R_xlen_t n = n_columns ? XLENGTH(VECTOR_ELT(columns, 0)) : 0;
  if (n > INT32_MAX || n_columns > INT32_MAX) Rf_error("too many samples or columns");
  irl_column_view *views = (irl_column_view *)R_alloc((size_t)n_columns + 1, sizeof *views);
  for (R_xlen_t k = 0; k < n_columns; k++) {
    if (XLENGTH(VECTOR_ELT(columns, k)) != n) Rf_error("columns differ in length");
    take_column(VECTOR_ELT(columns, k), Rf_translateCharUTF8(STRING_ELT(names, k)),
                INTEGER(types)[k], &views[k]);
  }
  if ((labels != R_NilValue && XLENGTH(labels) != n) ||
      (weights != R_NilValue && XLENGTH(weights) != n))
    Rf_error("labels or weights differ in length from the columns");
  const irl_table_view view = {.size = sizeof view,
                               .n_samples = (uint32_t)n,
                               .n_columns = (uint32_t)n_columns,
                               .columns = views,
                               .labels = labels == R_NilValue ? NULL : RAW(labels),
                               .weights = weights == R_NilValue ? NULL : REAL(weights),
                               .target = text_at(words, 0),
                               .positive = text_at(words, 1),
                               .negative = text_at(words, 2)};
  return irl_table_from_columns(j->env, &view, &j->options, &j->table);
}

/* `bits`: list(p, i, is_set) of a compressed sparse matrix: the stored rows of column k are those
 * of i from p[k] to p[k + 1], and is_set says which of them are not 0 after all (NULL: all are 1).
 * No column is written out but as bits. */
static irl_status take_bits(job *j, SEXP frame) {
  SEXP names = VECTOR_ELT(frame, 1), labels = VECTOR_ELT(frame, 3), bits = VECTOR_ELT(frame, 6);
  SEXP starts = VECTOR_ELT(bits, 0), rows = VECTOR_ELT(bits, 1), is_set = VECTOR_ELT(bits, 2);
  const R_xlen_t n = XLENGTH(labels), m = XLENGTH(names);
  const size_t stride = (size_t)(n + 63) / 64;
  if (n > INT32_MAX || m > INT32_MAX || XLENGTH(starts) != m + 1 || INTEGER(starts)[0] != 0 ||
      INTEGER(starts)[m] > XLENGTH(rows) ||
      (is_set != R_NilValue && XLENGTH(is_set) != XLENGTH(rows)))
    Rf_error("the sparse matrix is not valid");
  uint64_t *words = (uint64_t *)R_alloc(((size_t)m + 1) * stride, sizeof *words);
  const uint64_t **columns = (const uint64_t **)R_alloc((size_t)m + 1, sizeof *columns);
  const char **texts = (const char **)R_alloc((size_t)m + 1, sizeof *texts);
  memset(words, 0, ((size_t)m + 1) * stride * sizeof *words);
  for (R_xlen_t k = 0; k < m; k++) {
    uint64_t *column = words + (size_t)k * stride;
    const int end = INTEGER(starts)[k + 1];
    if (end < INTEGER(starts)[k]) Rf_error("the sparse matrix is not valid");
    for (int at = INTEGER(starts)[k]; at < end; at++) {
      const int row = INTEGER(rows)[at];
      if (row < 0 || row >= n) Rf_error("the sparse matrix is not valid");
      if (is_set == R_NilValue || LOGICAL(is_set)[at]) column[row / 64] |= UINT64_C(1) << row % 64;
    }
    columns[k] = column;
    texts[k] = Rf_translateCharUTF8(STRING_ELT(names, k));
  }
  uint64_t *cases = words + (size_t)m * stride;
  for (R_xlen_t i = 0; i < n; i++) cases[i / 64] |= (uint64_t)(RAW(labels)[i] != 0) << i % 64;
  return irl_data_from_bits(j->env, (uint32_t)n, (uint32_t)m, columns, cases, texts, &j->data);
}

irl_status take_samples(job *j, SEXP frame) {
  const int has_bits = XLENGTH(frame) > 6 && VECTOR_ELT(frame, 6) != R_NilValue;
  return has_bits ? take_bits(j, frame) : take_table(j, frame);
}

irl_status take_rule(job *j, SEXP json) {
  const char *text = Rf_translateCharUTF8(STRING_ELT(json, 0));
  return irl_rule_parse_json(j->env, text, strlen(text), &j->rule);
}

irl_status code_samples(job *j) {
  if (j->data) return IRL_STATUS_OK;
  irl_status status = irl_table_code(j->env, j->table, NULL, &j->options, &j->coding);
  return status ? status : irl_table_data(j->env, j->table, j->coding, NULL, &j->data);
}

/* ---- answers ---- */

answers answers_begin(void) {
  answers a = {.values = PROTECT(Rf_allocVector(VECSXP, 8))};
  a.names = PROTECT(Rf_allocVector(STRSXP, 8));
  return a;
}

void answer(answers *a, const char *name, SEXP value) {
  PROTECT(value);
  SET_VECTOR_ELT(a->values, a->n, value);
  SET_STRING_ELT(a->names, a->n++, Rf_mkChar(name));
  UNPROTECT(1);
}

SEXP taken(job *j, int as_json) {
  SEXP value = PROTECT(!j->text ? R_NilValue : as_json ? json_to_r(j, j->text) : utf8(j->text));
  irl_text_free(j->env, j->text);
  j->text = NULL;
  UNPROTECT(1);
  return value;
}

SEXP answers_end(answers *a, job *j) {
  const note_book *notes = notes_of(j);
  SEXP lines = PROTECT(Rf_allocVector(STRSXP, notes->n));
  for (int i = 0; i < notes->n; i++)
    SET_STRING_ELT(lines, i, Rf_mkCharCE(notes->lines[i], CE_UTF8));
  answer(a, "notes", lines);
  answer(a, "is_interrupted", Rf_ScalarLogical(j->is_interrupted));
  SEXP values = PROTECT(Rf_xlengthgets(a->values, a->n));
  Rf_setAttrib(values, R_NamesSymbol, PROTECT(Rf_xlengthgets(a->names, a->n)));
  if (j->is_shown) REprintf("\n");
  UNPROTECT(5);
  return values;
}

SEXP told(job *j, irl_status status) {
  if (status) return failure(j, status);
  answers a = answers_begin();
  answer(&a, "answer", taken(j, 1));
  return answers_end(&a, j);
}
