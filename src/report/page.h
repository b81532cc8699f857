/* What the page about a fit needs beside the answers that --json prints: members of one object. */
#ifndef IRL_REPORT_PAGE_H
#define IRL_REPORT_PAGE_H

#include "ireland_study.h"
#include "report/report.h"
#include "rule/rule.h"

/* Cases are those of the data that were learnt from: for a CNF the other class than the user's. */
typedef struct irl_page {
  irl_json json; /* in the object */
  irl_env *env;
  const irl_fit_result *fit;
  const irl_options *options; /* of the fit */
} irl_page;

/* Data, claims, options (page_facts.c). */
void irl_page_facts(irl_page *page);
/* Which clauses hold together, and how often such samples are cases (page_patterns.c). */
irl_status irl_page_patterns(irl_page *page);
/* The columns: type, missing values, cut points, categories (page_columns.c). */
irl_status irl_page_columns(irl_page *page);
/* Where the data are genotypes: linkage disequilibrium among the variants of the rule and their
 * partners (page_ld.c), genotype counts of each clause (page_genotypes.c). */
irl_status irl_page_ld(irl_page *page);
irl_status irl_page_genotypes(irl_page *page);

/* The last part of the path that data were read from; NULL: they were not in a file. */
const char *irl_page_file_name(const char *path);

/* Style and script, a line each; NULL after the last. Made of the files of report/page when the
 * library is built. */
extern const char *const irl_page_style[], *const irl_page_script[];

#endif
