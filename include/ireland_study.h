/* Beyond one rule: statistics, cross-validation, trade-off curves, pages, the best clause. */
#ifndef IRELAND_STUDY_H
#define IRELAND_STUDY_H

#include "ireland.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- statistics ---- */

/* A clause, or any condition, as a two by two table: what it covers against the label. The p-value
 * is that of a condition fixed before the data was seen: it is not valid after a search. */
typedef struct irl_statistics {
  size_t size;
  uint64_t tp, fp;                                 /* covered cases, covered controls */
  double precision, precision_low, precision_high; /* 95 % interval of Wilson; NaN: covers none */
  double odds_ratio, odds_low, odds_high;          /* 95 % interval of Woolf */
  bool is_corrected; /* a cell is 0, so one half was added to each for the odds ratio */
  double fisher_p;   /* Fisher's exact test, two-sided */
} irl_statistics;

IRL_API irl_status irl_statistics_compute(uint64_t tp, uint64_t fp, uint64_t fn, uint64_t tn,
                                          irl_statistics *statistics);

/* ---- estimates for new samples ----------------------------------------------------------------
 */

/* What the procedure that found the rule is worth on samples that it has not seen, by the option
 * `validate`, with 95 % intervals. */
typedef struct irl_estimate {
  size_t size;
  irl_validate method;
  uint32_t folds;             /* that the samples were divided into; 0: none */
  uint32_t parts, parts_done; /* of them, or bootstrap samples */
  double balanced_accuracy, low, high;
  double sensitivity, sensitivity_low, sensitivity_high;
  double specificity, specificity_low, specificity_high;
  double accuracy;
  uint32_t groups;      /* that the samples were kept together in; 0: each by itself */
  bool has_given_folds; /* by the option fold_column */
} irl_estimate;
/* False if it was not asked for, or could not be made. */
IRL_API bool irl_fit_estimate(const irl_fit_result *result, irl_estimate *estimate);

/* ---- cross-validation ------------------------------------------------------------------------ */

typedef struct irl_cv_result irl_cv_result;

/* The settings to try, as "1..8" or "1,2,4". NULL as K: 1..6,8,12,16; as M: 1..3, then 4, 6 and 8,
 * each while the one before has a row as good as any; as penalty: 0,0.001,0.003,0.01; as negations:
 * "1" with the option negations, else "0,1", but "0" where numbers and genotypes are the only
 * columns. Where every setting has a search of its own (options prove, method, profile, effort
 * full) NULL is 1..8, 1..4, 0,0.003,0.01 (0 for methods other than ireland, which take no penalty)
 * and what the option negations says. */
struct irl_cv_grid {
  size_t size;
  const char *K, *M, *penalty;
  const char *negations; /* may literals be negated? "0", "1" or "0,1" for both */
};

/* A measure over the folds: its mean and the standard error of that. The error is the standard
 * deviation over the folds of all repeats divided by the root of the folds of one: repeats see the
 * same samples. It will not grow. */
typedef struct irl_cv_measure {
  double mean, error;
} irl_cv_measure;

typedef struct irl_cv_row {
  size_t size;
  uint32_t K, M;
  double penalty;
  uint32_t folds; /* that were ended; 0 also of an M that was not tried */
  irl_cv_measure accuracy, balanced_accuracy, sensitivity, specificity;
  irl_cv_measure accuracy_by_weight, balanced_accuracy_by_weight; /* NaN without a weight column */
  double clauses, literals;                                       /* of the rules, on average */
  uint32_t proven; /* folds whose rule is proven the best of its scope */
  bool negations;  /* may its literals be negated? */
} irl_cv_row;

typedef struct irl_cv_info {
  size_t size;
  irl_outcome outcome;   /* feasible: all folds were ended; limit, interrupted */
  uint32_t rows, chosen; /* of the table; chosen is `rows` if too few folds were ended to choose */
  uint32_t best;         /* the row of the greatest mean */
} irl_cv_info;

/* Stratified folds; in each the coding and the rules are learnt without the samples of the fold and
 * tested on them. Chosen is the setting with the simplest rules (clauses and literals) whose mean
 * is within half a standard error of the best one, by balanced accuracy, or by accuracy if the
 * weights are `unit`; both by weight if there is a weight column. Without the option cuts, numbers
 * of more than 374 samples get more cut points than those of a fit: mdl:4 to mdl:9, a quantile for
 * each 75 samples, as the command of the result says. */
IRL_API irl_status irl_cv(irl_env *env, const irl_table *table, const irl_options *options,
                          const irl_cv_grid *grid, irl_cv_result **result);
IRL_API void irl_cv_free(irl_cv_result *result);
IRL_API irl_status irl_cv_describe(const irl_cv_result *result, irl_cv_info *info);
/* Row 0 .. rows - 1 of the table. */
IRL_API irl_status irl_cv_row_at(const irl_cv_result *result, uint32_t i, irl_cv_row *row);
/* With the option nested: K, M, penalty and negations chosen anew without each fold; folds 0: none
 * was ended, or the option was not given. */
IRL_API irl_status irl_cv_nested(const irl_cv_result *result, irl_cv_row *row);
IRL_API irl_status irl_cv_render(irl_env *env, const irl_cv_result *result, irl_format format,
                                 char **text);
/* `ireland fit ...` with the chosen setting and the options that the cross-validation had; NULL if
 * nothing is chosen. */
IRL_API const char *irl_cv_command(const irl_cv_result *result);
/* What irl_fit_table with the option tune chose K, M, penalty, negations and cuts from, by the same
 * rules, with the nested estimate unless `validate` is none, within half of the time limit; where a
 * class has fewer than ten samples there are fewer folds. It belongs to the fit. NULL: without that
 * option. */
IRL_API const irl_cv_result *irl_fit_tuning(const irl_fit_result *result);
/* A page in HTML: the choice, the nested estimate, the table of settings. `command` that made it
 * may be NULL. */
IRL_API irl_status irl_cv_report(irl_env *env, const irl_cv_result *result, const char *command,
                                 char **html);
/* With the option predictions: a CSV text, a line for each sample of each repeat with its label and
 * what the rule of the chosen setting that has not seen it says. */
IRL_API irl_status irl_cv_predictions(irl_env *env, const irl_cv_result *result, char **csv);

/* ---- trade-off curves ------------------------------------------------------------------------
 *
 * Points are rules chosen from the clauses that a fit has found. Their bounds are for these
 * clauses: others might do better. With the option prove a fit for a curve lists all clauses, if
 * they are not too many; then the bounds are for all rules. */

typedef struct irl_curve irl_curve;

/* Sensitivity against specificity; accuracy against the number of literals, and of clauses. */
typedef enum irl_curve_kind {
  IRL_CURVE_TRADEOFF,
  IRL_CURVE_LITERALS,
  IRL_CURVE_CLAUSES,
  IRL_N_CURVE_KINDS
} irl_curve_kind;

typedef struct irl_curve_point {
  size_t size;
  irl_outcome outcome; /* optimal: no rule is better, its bounds are its values */
  uint64_t tp, fp;
  double sensitivity, specificity;
  double accuracy;          /* by the weights of the fit: balanced, or plain */
  double sensitivity_bound; /* trade-off: none with this specificity has a larger sensitivity, */
  double specificity_bound; /* none with this sensitivity a larger specificity; NaN elsewhere */
  double accuracy_bound;    /* complexity: none of this size has more; NaN for the trade-off */
  uint32_t clauses, literals;
} irl_curve_point;

typedef struct irl_curve_info {
  size_t size;
  irl_outcome outcome;     /* optimal: all points, and nothing is missing by the threshold */
  double area;             /* under the trade-off curve, straight lines between points */
  uint64_t pool;           /* clauses to choose from */
  bool is_complete;        /* these are all that there are, so that points may be optimal */
  uint64_t selections;     /* problems solved */
  uint64_t work, nodes;    /* for the curve alone */
  const char *accuracy_is; /* "balanced accuracy" or "accuracy" */
} irl_curve_info;

/* What was asked for beside the rule and is missing, with the reason, a sentence each: i = 0, 1,
 * ..., NULL after the last. A certificate, estimate or test that fails never costs the rule. */
IRL_API const char *irl_fit_note(const irl_fit_result *result, uint32_t i);

/* Learns as irl_fit does, but for clauses over the whole range of budgets and, with the option
 * sizes, of every size; half of the limits are left for the curve. */
IRL_API irl_status irl_fit_for_curve(irl_env *env, const irl_data *data, const irl_options *options,
                                     irl_fit_result **result);
/* The trade-off curve, to the option threshold, and with the option sizes the others too; no points
 * if the fit kept no clauses, as irl_fit with weights of samples. The fit must live as long as the
 * curve. With the options checkpoint and resume the clauses of the fit come from a file; the curve
 * solves and proves every point itself. */
IRL_API irl_status irl_curve_make(irl_env *env, const irl_fit_result *fit,
                                  const irl_options *options, irl_curve **curve);
IRL_API void irl_curve_free(irl_curve *curve);
IRL_API irl_status irl_curve_describe(const irl_curve *curve, irl_curve_info *info);
/* As irl_fit_lost_checkpoint. */
IRL_API bool irl_curve_lost_checkpoint(const irl_curve *curve);
/* Always NULL: no bound of a curve rests on a checkpoint. For programs that call it. */
IRL_API const char *irl_curve_rests_on(const irl_curve *curve);
/* Points in order: specificity falls and sensitivity rises, or size and accuracy rise. */
IRL_API uint32_t irl_curve_size(const irl_curve *curve, irl_curve_kind kind);
IRL_API irl_status irl_curve_get(const irl_curve *curve, irl_curve_kind kind, uint32_t i,
                                 irl_curve_point *point);
IRL_API const irl_rule *irl_curve_rule(const irl_curve *curve, irl_curve_kind kind, uint32_t i);
/* The whole answer of `ireland curve`. */
IRL_API irl_status irl_curve_render(irl_env *env, const irl_curve *curve, irl_format format,
                                    char **text);
/* `to` is csv, svg (a picture), plot (a chart for a terminal) or certificate: with the option
 * certificate those of all proven points, one after the other; empty if there are none. */
IRL_API irl_status irl_curve_export(irl_env *env, const irl_curve *curve, const char *to,
                                    char **text);
/* A page in HTML that needs nothing but itself: the rule of the fit, how good and how certain it
 * is, what it was learnt from, and the curves. `options` are those of the fit; `curve` and
 * `command`, what made it, may be NULL. */
IRL_API irl_status irl_report_render(irl_env *env, const irl_fit_result *fit,
                                     const irl_curve *curve, const irl_options *options,
                                     const char *command, char **html);

/* ---- the best clause --------------------------------------------------------------------------
 */

typedef struct irl_clause_solution irl_clause_solution;

typedef struct irl_clause_info {
  size_t size;
  irl_outcome
      outcome;       /* optimal; feasible: not proven within the default work; limit, interrupted:
                        not proven either; infeasible: no clause covers a case within the budget */
  uint32_t literals; /* 0: no clause was found */
  uint64_t tp, fp;   /* covered cases and controls */
  int64_t objective; /* covered cases; -1 without a clause */
  int64_t bound;     /* no clause within the budget covers more cases */
  uint64_t nodes, work;
} irl_clause_info;

/* The clause of at most M literals that covers most cases and at most `budget` of the controls.
 * With the option `prove` it searches until that is proven, otherwise up to a default work. */
IRL_API irl_status irl_clause_solve(irl_env *env, const irl_data *data, const irl_options *options,
                                    irl_clause_solution **solution);
IRL_API void irl_clause_free(irl_clause_solution *solution);
IRL_API irl_status irl_clause_describe(const irl_clause_solution *solution, irl_clause_info *info);
/* As irl_rule_literal. */
IRL_API const char *irl_clause_literal(const irl_clause_solution *solution, uint32_t literal,
                                       bool *negated);
IRL_API irl_status irl_clause_render(irl_env *env, const irl_clause_solution *solution,
                                     irl_format format, char **text);

#ifdef __cplusplus
}
#endif
#endif
