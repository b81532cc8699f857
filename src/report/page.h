/* The page about a fit, section by section. */
#ifndef IRL_REPORT_PAGE_H
#define IRL_REPORT_PAGE_H

#include "ireland_study.h"
#include "report/report.h"
#include "rule/predictive.h"
#include "rule/rule.h"

/* Where figures come from, the ones that say most about new samples first. */
typedef enum irl_page_source {
  IRL_PAGE_HELD_OUT, /* samples that were held out of the fit */
  IRL_PAGE_NEW,      /* the estimate by internal validation */
  IRL_PAGE_TRAINING, /* the samples that the rule was learnt from */
  IRL_PAGE_SOURCES
} irl_page_source;

typedef struct irl_page_figures {
  bool is_known;
  irl_interval balanced_accuracy;
  irl_two_shares shares;
  irl_evaluation counts; /* not of IRL_PAGE_NEW */
} irl_page_figures;

/* What every section draws on. Cases are those of the data that were learnt from: for a CNF the
 * other class than the user's. */
typedef struct irl_page {
  irl_text text;
  irl_env *env;
  const irl_fit_result *fit;
  const irl_curve *curve;     /* NULL: none */
  const irl_options *options; /* of the fit */
  const char *command;        /* NULL: not known */
  const char *data_name;      /* of the file; NULL: not known */
  irl_data_info about;
  irl_bound_rule bound; /* the rule on the samples that it was learnt from */
  irl_page_figures figures[IRL_PAGE_SOURCES];
  irl_page_source main; /* the first that is known: its figures are the large ones */
} irl_page;

/* Label of the cases, and of the controls, as the data calls them. */
const char *irl_page_positive(const irl_page *page);
const char *irl_page_negative(const irl_page *page);

/* What every page begins with, up to its header, and ends with. `data_name` may be NULL. */
void irl_page_open(irl_text *text, const char *title, const char *data_name);
void irl_page_close(irl_text *text);
/* The last part of the path that data were read from; NULL: they were not in a file. */
const char *irl_page_file_name(const char *path);

/* Fills `figures` and `main` (page_measures.c). */
irl_status irl_page_measure(irl_page *page);
/* "samples that were held out", and the like: where figures come from. */
const char *irl_page_source_name(irl_page_source source);

/* The rule in words (page_rule.c). */
void irl_page_rule(irl_page *page);
/* What it is worth, in large figures and a table; what it gets right and wrong (page_measures.c).
 */
void irl_page_measures(irl_page *page);
void irl_page_confusion(irl_page *page);
/* Predictive values at a prevalence that the reader sets, and a decision curve (page_prevalence.c).
 */
void irl_page_prevalence(irl_page *page);
/* What is claimed, of what, and by what right (page_certainty.c). */
void irl_page_certainty(irl_page *page);
/* A row per clause, and literals that could stand in place of others (page_rule.c). */
irl_status irl_page_clauses(irl_page *page);
irl_status irl_page_equivalents(irl_page *page);
/* Which clauses hold together, and how often such samples are cases (page_patterns.c). */
irl_status irl_page_patterns(irl_page *page);
/* Rules that are as good, or nearly (page_optimal.c). */
irl_status irl_page_optimal_rules(irl_page *page);
/* How often its parts come back in resamples (page_stability.c). */
void irl_page_stability(irl_page *page);
/* A cell with a bar of that share. */
void irl_page_put_bar(irl_text *text, double share, bool is_dark);
/* Where the data are genotypes: the variants of the rule (page_variants.c), linkage disequilibrium
 * among them and their partners (page_ld.c), genotype counts of each clause (page_genotypes.c). */
irl_status irl_page_variants(irl_page *page);
irl_status irl_page_ld(irl_page *page);
irl_status irl_page_genotypes(irl_page *page);
/* The curves, with a table of their points each (page_curves.c). */
void irl_page_curves(irl_page *page);
/* The columns: type, missing values, cut points, categories (page_columns.c). */
irl_status irl_page_columns(irl_page *page);
/* A paragraph for a paper (page_methods.c). */
void irl_page_methods(irl_page *page);
/* Data, options, command (page_facts.c). */
void irl_page_facts(irl_page *page);

/* "93.1 % to 98.4 %" */
void irl_page_put_range(irl_text *text, double low, double high);
/* The same for a share: the 95 % interval of Wilson. */
void irl_page_put_interval(irl_text *text, uint64_t hits, uint64_t n);

/* Style and script of the page, in parts (page_style.c, page_script.c); NULL after the last. */
extern const char *const irl_page_style[], *const irl_page_script[];

#endif
