/* The library for R: each job is one call, which makes a handle, works, and hands back R values.
 *
 * R's errors and interrupts jump out of C code. So all that a job makes of the library hangs on an
 * external pointer whose finalizer frees it, whatever happens; and while the library runs no R code
 * runs, but for the question whether the user has asked to stop, which is caught (R_ToplevelExec).
 * A stopped search has its best rule as any other. What the library refuses comes back as
 * list(error = sentence), of which the R code makes a condition.
 */
#include "glue.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a job ---- */

typedef struct job {
  irl_env *env;
  irl_options options;
  irl_table *table;
  irl_coding *coding;
  irl_data *data;
  irl_rule *rule;
  irl_fit_result *fit, *curve_fit;
  irl_curve *curve;
  irl_cv_result *cv;
  irl_certificate *certificate;
  char *text;
  int is_interrupted, is_shown;
} job;

static void job_free(SEXP pointer) {
  job *j = R_ExternalPtrAddr(pointer);
  if (!j) return;
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

/* The handle, protected by the caller. */
static SEXP job_begin(job **out) {
  job *j = calloc(1, sizeof(job) + sizeof(note_book));
  if (!j) Rf_error("out of memory");
  SEXP pointer = PROTECT(R_MakeExternalPtr(j, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, job_free, TRUE);
  if (irl_env_create(NULL, &j->env)) Rf_error("out of memory");
  irl_options_init(&j->options, sizeof j->options);
  irl_env_set_log(j->env, on_log, j);
  irl_env_set_progress(j->env, on_progress, j);
  UNPROTECT(1);
  *out = j;
  return pointer;
}

static SEXP named(const char *name, SEXP value) {
  PROTECT(value);
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 1));
  SET_VECTOR_ELT(list, 0, value);
  Rf_setAttrib(list, R_NamesSymbol, PROTECT(Rf_mkString(name)));
  UNPROTECT(3);
  return list;
}

static SEXP utf8(const char *text) {
  SEXP value = PROTECT(Rf_allocVector(STRSXP, 1));
  SET_STRING_ELT(value, 0, Rf_mkCharCE(text, CE_UTF8));
  UNPROTECT(1);
  return value;
}

static SEXP failure(const job *j, irl_status status) {
  return named("error",
               utf8(status == IRL_STATUS_NO_MEMORY ? "out of memory" : irl_env_error(j->env)));
}

/* ---- options, columns, tables ---- */

/* A named vector of texts; they live as long as the vector does. */
static irl_status take_options(job *j, SEXP options) {
  SEXP names = Rf_getAttrib(options, R_NamesSymbol);
  irl_status status = IRL_STATUS_OK;
  for (R_xlen_t i = 0; i < XLENGTH(options) && !status; i++) {
    const char *name = Rf_translateCharUTF8(STRING_ELT(names, i)),
               *value = Rf_translateCharUTF8(STRING_ELT(options, i));
    if (!strcmp(name, "verbose"))
      j->is_shown = 1;
    else
      status = irl_options_set(j->env, &j->options, name, value);
  }
  return status;
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

static const char *text_at(SEXP texts, R_xlen_t i) {
  return XLENGTH(texts) <= i || STRING_ELT(texts, i) == NA_STRING
             ? NULL
             : Rf_translateCharUTF8(STRING_ELT(texts, i));
}

/* `frame`: list(columns, names, types, labels, weights, words), as problem.R makes it. */
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

static irl_status take_rule(job *j, SEXP json) {
  const char *text = Rf_translateCharUTF8(STRING_ELT(json, 0));
  return irl_rule_parse_json(j->env, text, strlen(text), &j->rule);
}

static irl_status code(job *j) {
  irl_status status = irl_table_code(j->env, j->table, NULL, &j->options, &j->coding);
  return status ? status : irl_table_data(j->env, j->table, j->coding, NULL, &j->data);
}

/* ---- answers ---- */

typedef struct answers {
  SEXP values, names;
  int n;
} answers;

/* Up to eight values, protected until answers_end. */
static answers answers_begin(void) {
  answers a = {.values = PROTECT(Rf_allocVector(VECSXP, 8))};
  a.names = PROTECT(Rf_allocVector(STRSXP, 8));
  return a;
}

static void answer(answers *a, const char *name, SEXP value) {
  PROTECT(value);
  SET_VECTOR_ELT(a->values, a->n, value);
  SET_STRING_ELT(a->names, a->n++, Rf_mkChar(name));
  UNPROTECT(1);
}

/* The text that the job holds, which is freed. */
static SEXP taken(job *j, int as_json) {
  SEXP value = PROTECT(!j->text ? R_NilValue : as_json ? json_to_r(j->text) : utf8(j->text));
  irl_text_free(j->env, j->text);
  j->text = NULL;
  UNPROTECT(1);
  return value;
}

static SEXP answers_end(answers *a, job *j) {
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

/* ---- learning ---- */

static SEXP fitted_answer(job *j, SEXP wants_certificate) {
  irl_status status;
  const irl_rule *rule = irl_fit_rule(j->fit);
  answers a = answers_begin();
  if ((status = irl_fit_render(j->env, j->fit, IRL_FORMAT_JSON, &j->text))) goto failed;
  answer(&a, "answer", taken(j, 1));
  const char *reason = irl_fit_reason(j->fit);
  answer(&a, "reason", reason ? utf8(reason) : R_NilValue);
  if (rule) {
    if ((status = irl_rule_render(j->env, rule, IRL_FORMAT_TEXT, &j->text))) goto failed;
    answer(&a, "text", taken(j, 0));
    if ((status = irl_rule_render(j->env, rule, IRL_FORMAT_JSON, &j->text))) goto failed;
    answer(&a, "json", taken(j, 0));
  }
  if (Rf_asLogical(wants_certificate) == 1) {
    if ((status = irl_fit_certificate(j->env, j->fit, &j->text))) goto failed;
    answer(&a, "certificate", taken(j, 0));
  }
  return answers_end(&a, j);
failed:
  UNPROTECT(2);
  return failure(j, status);
}

SEXP ireland_r_fit(SEXP frame, SEXP options, SEXP wants_certificate) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  irl_status status = take_options(j, options);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_fit_table(j->env, j->table, &j->options, &j->fit);
  SEXP made = PROTECT(status ? failure(j, status) : fitted_answer(j, wants_certificate));
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

static irl_status make_curve(job *j) {
  irl_status status = j->data ? IRL_STATUS_OK : code(j);
  if (!status) status = irl_fit_for_curve(j->env, j->data, &j->options, &j->curve_fit);
  return status ? status : irl_curve_make(j->env, j->curve_fit, &j->options, &j->curve);
}

SEXP ireland_r_curve(SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  irl_status status = take_options(j, options);
  if (!status) status = take_table(j, frame);
  if (!status) status = make_curve(j);
  if (!status) status = irl_curve_render(j->env, j->curve, IRL_FORMAT_JSON, &j->text);
  SEXP made;
  if (status) {
    made = PROTECT(failure(j, status));
  } else {
    answers a = answers_begin();
    answer(&a, "answer", taken(j, 1));
    made = PROTECT(answers_end(&a, j));
  }
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

SEXP ireland_r_cv(SEXP frame, SEXP options, SEXP ranges) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  const irl_cv_grid grid = {.size = sizeof grid,
                            .K = text_at(ranges, 0),
                            .M = text_at(ranges, 1),
                            .penalty = text_at(ranges, 2)};
  irl_status status = take_options(j, options);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_cv(j->env, j->table, &j->options, &grid, &j->cv);
  if (!status) status = irl_cv_render(j->env, j->cv, IRL_FORMAT_JSON, &j->text);
  SEXP made;
  if (status) {
    made = PROTECT(failure(j, status));
  } else {
    answers a = answers_begin();
    answer(&a, "answer", taken(j, 1));
    made = PROTECT(answers_end(&a, j));
  }
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

SEXP ireland_r_report(SEXP frame, SEXP options, SEXP with_curve) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  irl_status status = take_options(j, options);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_fit_table(j->env, j->table, &j->options, &j->fit);
  if (!status && Rf_asLogical(with_curve) == 1) status = make_curve(j);
  if (!status) status = irl_report_render(j->env, j->fit, j->curve, &j->options, NULL, &j->text);
  SEXP made = PROTECT(status ? failure(j, status) : taken(j, 0));
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

SEXP ireland_r_optimal(SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  bool is_complete = false;
  irl_status status = take_options(j, options);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_fit_table(j->env, j->table, &j->options, &j->fit);
  const uint32_t n = status ? 0 : irl_fit_n_optimal_rules(j->fit, &is_complete);
  SEXP rules = PROTECT(Rf_allocVector(STRSXP, n));
  for (uint32_t i = 0; i < n && !status; i++) {
    status = irl_fit_optimal_rule(j->env, j->fit, i, &j->rule);
    if (!status) status = irl_rule_render(j->env, j->rule, IRL_FORMAT_JSON, &j->text);
    if (!status) SET_STRING_ELT(rules, i, STRING_ELT(taken(j, 0), 0));
    irl_rule_free(j->rule);
    j->rule = NULL;
  }
  SEXP made;
  if (status) {
    made = PROTECT(failure(j, status));
  } else {
    answers a = answers_begin();
    answer(&a, "rules", rules);
    answer(&a, "is_complete", Rf_ScalarLogical(is_complete));
    made = PROTECT(answers_end(&a, j));
  }
  job_free(pointer);
  UNPROTECT(3);
  return made;
}

SEXP ireland_r_verify(SEXP rule, SEXP certificate, SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  const char *proof = Rf_translateCharUTF8(STRING_ELT(certificate, 0));
  const irl_bytes bytes = {proof, strlen(proof), "certificate"};
  irl_verification found = IRL_SIZED(irl_verification);
  irl_status status = take_table(j, frame);
  if (!status) status = take_rule(j, rule);
  if (!status) status = irl_certificate_parse(j->env, &bytes, &j->certificate);
  if (!status) irl_certificate_clear_options(&j->options);
  if (!status) status = take_options(j, options);
  if (!status) status = irl_certificate_options(j->env, j->certificate, &j->options);
  if (!status)
    status = irl_verify_table(j->env, j->rule, j->table, &j->options, j->certificate, &found);
  SEXP made;
  if (status) {
    made = PROTECT(failure(j, status));
  } else {
    answers a = answers_begin();
    answer(&a, "valid", found.cut ? Rf_ScalarLogical(NA_LOGICAL) : Rf_ScalarLogical(found.valid));
    answer(&a, "line", Rf_ScalarReal((double)found.line));
    answer(&a, "reason", utf8(found.reason));
    made = PROTECT(answers_end(&a, j));
  }
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

/* ---- rules on samples ---- */

/* A logical matrix: samples by clauses. */
SEXP ireland_r_fires(SEXP rule, SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j)), made = R_NilValue;
  irl_rule_info rule_info = IRL_SIZED(irl_rule_info);
  irl_data_info data_info = IRL_SIZED(irl_data_info);
  irl_status status = take_options(j, options);
  if (!status) status = take_rule(j, rule);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_table_data_for(j->env, j->table, j->rule, &j->data);
  if (!status) {
    irl_rule_describe(j->rule, &rule_info);
    irl_data_describe(j->data, &data_info);
    const size_t n = (size_t)data_info.samples, k = rule_info.clauses;
    uint8_t *predicted = (uint8_t *)R_alloc(n + 1, 1), *fired = (uint8_t *)R_alloc(n * k + 1, 1);
    status = irl_predict_bytes(j->env, j->rule, j->data, predicted, fired);
    if (!status) {
      made = PROTECT(Rf_allocMatrix(LGLSXP, (int)n, (int)k));
      for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++) LOGICAL(made)[i + c * n] = fired[i * k + c];
      UNPROTECT(1);
    }
  }
  PROTECT(made = status ? failure(j, status) : made);
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

/* What `ireland predict --explain` or `ireland evaluate` says, as a list. */
SEXP ireland_r_tell(SEXP rule, SEXP frame, SEXP is_evaluation) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  irl_status status = take_rule(j, rule);
  if (!status) status = take_table(j, frame);
  if (!status) status = irl_table_data_for(j->env, j->table, j->rule, &j->data);
  if (!status)
    status = Rf_asLogical(is_evaluation) == 1
                 ? irl_evaluate_render(j->env, j->rule, j->data, IRL_FORMAT_JSON, &j->text)
                 : irl_predict_render(j->env, j->rule, j->data, IRL_FORMAT_JSON, true, &j->text);
  SEXP made = PROTECT(status ? failure(j, status) : taken(j, 1));
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

/* The rule as code; without a language list(text, content). */
SEXP ireland_r_rule(SEXP rule, SEXP language) {
  job *j;
  SEXP pointer = PROTECT(job_begin(&j));
  const char *to = text_at(language, 0);
  irl_status status = take_rule(j, rule);
  if (!status)
    status = to ? irl_rule_export(j->env, j->rule, to, &j->text)
                : irl_rule_render(j->env, j->rule, IRL_FORMAT_TEXT, &j->text);
  SEXP made;
  if (status) {
    made = PROTECT(failure(j, status));
  } else if (to) {
    made = PROTECT(taken(j, 0));
  } else {
    answers a = answers_begin();
    answer(&a, "text", taken(j, 0));
    answer(&a, "content", json_to_r(Rf_translateCharUTF8(STRING_ELT(rule, 0))));
    made = PROTECT(answers_end(&a, j));
  }
  job_free(pointer);
  UNPROTECT(2);
  return made;
}

SEXP ireland_r_version(void) {
  return Rf_mkString(irl_version());
}

/* ---- registration ---- */

static const R_CallMethodDef calls[] = {{"ireland_r_fit", (DL_FUNC)&ireland_r_fit, 3},
                                        {"ireland_r_curve", (DL_FUNC)&ireland_r_curve, 2},
                                        {"ireland_r_cv", (DL_FUNC)&ireland_r_cv, 3},
                                        {"ireland_r_report", (DL_FUNC)&ireland_r_report, 3},
                                        {"ireland_r_optimal", (DL_FUNC)&ireland_r_optimal, 2},
                                        {"ireland_r_verify", (DL_FUNC)&ireland_r_verify, 4},
                                        {"ireland_r_fires", (DL_FUNC)&ireland_r_fires, 3},
                                        {"ireland_r_tell", (DL_FUNC)&ireland_r_tell, 3},
                                        {"ireland_r_rule", (DL_FUNC)&ireland_r_rule, 2},
                                        {"ireland_r_version", (DL_FUNC)&ireland_r_version, 0},
                                        {NULL, NULL, 0}};

void R_init_ireland(DllInfo *info) {
  R_registerRoutines(info, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
}
