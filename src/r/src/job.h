/* A job: what one call from R makes of the library, and R values of its answers.
 *
 * R's errors and interrupts jump out of C code. So all that a job makes of the library hangs on an
 * external pointer whose finalizer frees it, whatever happens; and while the library runs no R code
 * runs, but for the question whether the user has asked to stop, which is caught (R_ToplevelExec).
 * A stopped search has its best rule as any other. What the library refuses comes back as
 * list(error = sentence), of which the R code makes a condition. */
#ifndef JOB_H
#define JOB_H

#include "base/arena.h"
#include "ireland_data.h"
#include "ireland_study.h"
#include <Rinternals.h>

typedef struct job {
  irl_env *env;
  irl_options options;
  irl_cv_grid grid; /* to choose from, with tune = TRUE */
  irl_table *table; /* of a frame; of a sparse matrix of bits `data` alone */
  irl_coding *coding;
  irl_data *data;
  irl_rule *rule;
  irl_fit_result *fit, *curve_fit;
  irl_curve *curve;
  irl_cv_result *cv;
  irl_certificate *certificate;
  char *text;
  irl_arena arena; /* of JSON that is read */
  int is_interrupted, is_shown;
} job;

/* The pointer that the job hangs on, which stays protected until job_end. */
SEXP job_begin(job **out);
/* Frees the job; `made` is what the call returns. */
SEXP job_end(SEXP pointer, SEXP made);

/* Options: a named vector of texts, which live as long as the vector does. */
irl_status take_options(job *j, SEXP options);
/* Options that are contents of files: a named vector of texts, which must live as long. */
void take_contents(job *j, SEXP contents);
/* The samples, `frame` being list(columns, names, types, labels, weights, words, bits), as
 * problem.R makes it: j->table or, of bits, j->data. */
irl_status take_samples(job *j, SEXP frame);
irl_status take_rule(job *j, SEXP json);
/* j->data of j->table, where there is none yet. */
irl_status code_samples(job *j);
/* A text of a vector; NULL: it has none there, or NA. */
const char *text_at(SEXP texts, R_xlen_t i);

/* Up to eight values by name, protected until answers_end, which adds notes and is_interrupted. */
typedef struct answers {
  SEXP values, names;
  int n;
} answers;

answers answers_begin(void);
void answer(answers *a, const char *name, SEXP value);
SEXP answers_end(answers *a, job *j);
SEXP failure(const job *j, irl_status status);
SEXP utf8(const char *text);
/* The text that the job holds, which is freed: as it is, or the JSON as values. */
SEXP taken(job *j, int as_json);
/* list(answer, notes, is_interrupted) of the JSON that the job holds, or the failure. */
SEXP told(job *j, irl_status status);

#endif
