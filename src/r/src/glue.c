/* The calls that R makes: each makes a job, works, and hands back R values (job.h). */
#include "job.h"
#include "json.h"
#include <R_ext/Rdynload.h>
#include <string.h>

/* A job with options and samples; `status` says how that went. */
static SEXP begin_on(SEXP frame, SEXP options, job **j, irl_status *status) {
  SEXP pointer = job_begin(j);
  *status = take_options(*j, options);
  if (!*status) *status = take_samples(*j, frame);
  return pointer;
}

/* ---- learning ---- */

static irl_status learn(job *j) {
  return j->table ? irl_fit_table(j->env, j->table, &j->options, &j->fit)
                  : irl_fit(j->env, j->data, &j->options, &j->fit);
}

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
  irl_status status;
  SEXP pointer = begin_on(frame, options, &j, &status);
  if (!status) status = learn(j);
  return job_end(pointer, status ? failure(j, status) : fitted_answer(j, wants_certificate));
}

/* From a file, as `ireland fit` does; `contents` are those of the files that options name. */
SEXP ireland_r_fit_file(SEXP path, SEXP options, SEXP contents, SEXP wants_certificate) {
  job *j;
  SEXP pointer = job_begin(&j);
  irl_status status = take_options(j, options);
  take_contents(j, contents);
  if (!status) status = irl_table_read(j->env, text_at(path, 0), &j->options, &j->table);
  if (!status) status = learn(j);
  return job_end(pointer, status ? failure(j, status) : fitted_answer(j, wants_certificate));
}

static irl_status make_curve(job *j) {
  irl_status status = code_samples(j);
  if (!status) status = irl_fit_for_curve(j->env, j->data, &j->options, &j->curve_fit);
  return status ? status : irl_curve_make(j->env, j->curve_fit, &j->options, &j->curve);
}

SEXP ireland_r_curve(SEXP frame, SEXP options) {
  job *j;
  irl_status status;
  SEXP pointer = begin_on(frame, options, &j, &status);
  if (!status) status = make_curve(j);
  if (!status) status = irl_curve_render(j->env, j->curve, IRL_FORMAT_JSON, &j->text);
  return job_end(pointer, told(j, status));
}

SEXP ireland_r_cv(SEXP frame, SEXP options, SEXP ranges) {
  job *j;
  irl_status status;
  SEXP pointer = begin_on(frame, options, &j, &status);
  const irl_cv_grid grid = {.size = sizeof grid,
                            .K = text_at(ranges, 0),
                            .M = text_at(ranges, 1),
                            .penalty = text_at(ranges, 2),
                            .negations = text_at(ranges, 3)};
  if (!status) status = irl_cv(j->env, j->table, &j->options, &grid, &j->cv);
  if (!status) status = irl_cv_render(j->env, j->cv, IRL_FORMAT_JSON, &j->text);
  return job_end(pointer, told(j, status));
}

SEXP ireland_r_report(SEXP frame, SEXP options, SEXP with_curve) {
  job *j;
  irl_status status;
  SEXP pointer = begin_on(frame, options, &j, &status);
  if (!status) status = learn(j);
  if (!status && Rf_asLogical(with_curve) == 1) status = make_curve(j);
  if (!status) status = irl_report_render(j->env, j->fit, j->curve, &j->options, NULL, &j->text);
  return job_end(pointer, status ? failure(j, status) : taken(j, 0));
}

/* The JSON of all rules of the least loss. */
static SEXP optimal_answer(job *j) {
  bool is_complete = false;
  irl_status status = IRL_STATUS_OK;
  const uint32_t n = irl_fit_n_optimal_rules(j->fit, &is_complete);
  answers a = answers_begin();
  SEXP rules = PROTECT(Rf_allocVector(STRSXP, n));
  for (uint32_t i = 0; i < n && !status; i++) {
    status = irl_fit_optimal_rule(j->env, j->fit, i, &j->rule);
    if (!status) status = irl_rule_render(j->env, j->rule, IRL_FORMAT_JSON, &j->text);
    if (!status) SET_STRING_ELT(rules, i, STRING_ELT(taken(j, 0), 0));
    irl_rule_free(j->rule);
    j->rule = NULL;
  }
  answer(&a, "rules", rules);
  UNPROTECT(1);
  answer(&a, "is_complete", Rf_ScalarLogical(is_complete));
  SEXP made = answers_end(&a, j);
  return status ? failure(j, status) : made;
}

SEXP ireland_r_optimal(SEXP frame, SEXP options) {
  job *j;
  irl_status status;
  SEXP pointer = begin_on(frame, options, &j, &status);
  if (!status) status = learn(j);
  return job_end(pointer, status ? failure(j, status) : optimal_answer(j));
}

static SEXP verified_answer(job *j, const irl_verification *found) {
  answers a = answers_begin();
  answer(&a, "valid", Rf_ScalarLogical(found->cut ? NA_LOGICAL : found->valid));
  answer(&a, "line", Rf_ScalarReal((double)found->line));
  answer(&a, "reason", utf8(found->reason));
  return answers_end(&a, j);
}

SEXP ireland_r_verify(SEXP rule, SEXP certificate, SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = job_begin(&j);
  const char *proof = Rf_translateCharUTF8(STRING_ELT(certificate, 0));
  const irl_bytes bytes = {proof, strlen(proof), "certificate"};
  irl_verification found = IRL_SIZED(irl_verification);
  irl_status status = take_samples(j, frame);
  if (!status) status = take_rule(j, rule);
  if (!status) status = irl_certificate_parse(j->env, &bytes, &j->certificate);
  if (!status) irl_certificate_clear_options(&j->options);
  if (!status) status = take_options(j, options);
  if (!status) status = irl_certificate_options(j->env, j->certificate, &j->options);
  if (!status)
    status = irl_verify_table(j->env, j->rule, j->table, &j->options, j->certificate, &found);
  return job_end(pointer, status ? failure(j, status) : verified_answer(j, &found));
}

/* ---- rules on samples ---- */

/* j->rule, and j->data with its features: of columns, or of a file. */
static irl_status take_both(job *j, SEXP rule, SEXP frame) {
  irl_status status = take_rule(j, rule);
  if (!status && TYPEOF(frame) == STRSXP)
    return irl_data_read_for(j->env, text_at(frame, 0), &j->options, j->rule, false, &j->data);
  if (!status) status = take_samples(j, frame);
  return status ? status : irl_table_data_for(j->env, j->table, j->rule, &j->data);
}

static SEXP fired_matrix(job *j) {
  irl_rule_info rule_info = IRL_SIZED(irl_rule_info);
  irl_data_info data_info = IRL_SIZED(irl_data_info);
  irl_rule_describe(j->rule, &rule_info);
  irl_data_describe(j->data, &data_info);
  const size_t n = (size_t)data_info.samples, k = rule_info.clauses;
  uint8_t *predicted = (uint8_t *)R_alloc(n + 1, 1), *fired = (uint8_t *)R_alloc(n * k + 1, 1);
  const irl_status status = irl_predict_bytes(j->env, j->rule, j->data, predicted, fired);
  if (status) return failure(j, status);
  SEXP made = PROTECT(Rf_allocMatrix(LGLSXP, (int)n, (int)k));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) LOGICAL(made)[i + c * n] = fired[i * k + c];
  UNPROTECT(1);
  return made;
}

/* A logical matrix: samples by clauses. */
SEXP ireland_r_fires(SEXP rule, SEXP frame, SEXP options) {
  job *j;
  SEXP pointer = job_begin(&j);
  irl_status status = take_options(j, options);
  if (!status) status = take_both(j, rule, frame);
  return job_end(pointer, status ? failure(j, status) : fired_matrix(j));
}

/* What `ireland predict --explain` or `ireland evaluate` says, as a list. */
SEXP ireland_r_tell(SEXP rule, SEXP frame, SEXP is_evaluation) {
  job *j;
  SEXP pointer = job_begin(&j);
  irl_status status = take_both(j, rule, frame);
  if (!status)
    status = Rf_asLogical(is_evaluation) == 1
                 ? irl_evaluate_render(j->env, j->rule, j->data, IRL_FORMAT_JSON, &j->text)
                 : irl_predict_render(j->env, j->rule, j->data, IRL_FORMAT_JSON, true, &j->text);
  return job_end(pointer, status ? failure(j, status) : taken(j, 1));
}

/* The rule's text and the content of its JSON. */
static SEXP rule_answer(job *j, SEXP rule) {
  answers a = answers_begin();
  answer(&a, "text", taken(j, 0));
  answer(&a, "content", json_to_r(j, Rf_translateCharUTF8(STRING_ELT(rule, 0))));
  return answers_end(&a, j);
}

/* The rule as code; without a language list(text, content). */
SEXP ireland_r_rule(SEXP rule, SEXP language) {
  job *j;
  SEXP pointer = job_begin(&j);
  const char *to = text_at(language, 0);
  irl_status status = take_rule(j, rule);
  if (!status)
    status = to ? irl_rule_export(j->env, j->rule, to, &j->text)
                : irl_rule_render(j->env, j->rule, IRL_FORMAT_TEXT, &j->text);
  return job_end(pointer, status ? failure(j, status) : to ? taken(j, 0) : rule_answer(j, rule));
}

SEXP ireland_r_version(void) {
  return Rf_mkString(irl_version());
}

/* ---- registration ---- */

static const R_CallMethodDef calls[] = {{"ireland_r_fit", (DL_FUNC)&ireland_r_fit, 3},
                                        {"ireland_r_fit_file", (DL_FUNC)&ireland_r_fit_file, 4},
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
