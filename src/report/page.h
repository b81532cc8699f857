/* The page about a fit, section by section. */
#ifndef IRL_REPORT_PAGE_H
#define IRL_REPORT_PAGE_H

#include "ireland_study.h"
#include "report/report.h"

/* What every section draws on. */
typedef struct irl_page {
  irl_text text;
  irl_env *env;
  const irl_fit_result *fit;
  const irl_curve *curve;     /* NULL: none */
  const irl_options *options; /* of the fit */
  const char *command;        /* NULL: not known */
  irl_evaluation evaluation;
  irl_data_info about;
} irl_page;

/* Label of the cases, and of the controls, as the data calls them. */
const char *irl_page_positive(const irl_page *page);
const char *irl_page_negative(const irl_page *page);

/* The rule in words, its measures, what it gets right and wrong, a row per clause, and literals
 * that could stand in place of others (page_rule.c). */
void irl_page_rule(irl_page *page);
void irl_page_measures(irl_page *page);
void irl_page_confusion(irl_page *page);
irl_status irl_page_clauses(irl_page *page);
irl_status irl_page_equivalents(irl_page *page);
/* The variants of the rule, where the data are genotypes (page_variants.c). */
void irl_page_variants(irl_page *page);
/* How certain it is (page_facts.c), */
void irl_page_certainty(irl_page *page);
/* and where it comes from: data, options, command. */
void irl_page_facts(irl_page *page);
/* The curves, with a table of their points each (page_curves.c). */
void irl_page_curves(irl_page *page);

/* "93.1 % to 98.4 %": the 95 % interval of Wilson for a share. */
void irl_page_put_interval(irl_text *text, uint64_t hits, uint64_t n);

/* Style and script of the page (page_style.c). */
extern const char irl_page_style[], irl_page_script[];

#endif
