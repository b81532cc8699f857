/* The clauses one by one: what each covers, how precise it is, and what only it explains. */
#include "base/memory.h"
#include "bits/kernels.h"
#include "report/html.h"
#include "report/page.h"
#include "rule/clause_rows.h"

/* Samples that clause k covers and no other; `scratch` is a vector. */
static uint64_t count_alone(const irl_bits_matrix *covers, size_t k, uint64_t *scratch) {
  const irl_kernels *kernels = irl_bits_kernels();
  memcpy(scratch, irl_bits_vector(covers, k), covers->stride * sizeof *scratch);
  for (size_t i = 0; i < covers->n_vectors; i++)
    if (i != k) kernels->andnot_into(scratch, scratch, irl_bits_vector(covers, i), covers->stride);
  return kernels->count(scratch, covers->stride);
}

static void put_row(irl_page *page, const irl_bound_rule *bound, size_t k, uint64_t *scratch) {
  irl_text *text = &page->text;
  const irl_statistics s = irl_clause_row(bound, k);
  irl_text_printf(text, "<tr><td>%zu</td><td class=\"text\">", k + 1);
  irl_html_clause(text, bound->rule, k);
  irl_text_printf(text, "</td><td>%llu</td><td>%llu</td><td>", (unsigned long long)s.tp,
                  (unsigned long long)s.fp);
  irl_html_percent(text, s.tp + s.fp ? s.precision : 0);
  irl_text_puts(text, "<small>");
  irl_page_put_interval(text, s.tp, s.tp + s.fp);
  irl_text_printf(text,
                  "</small></td><td>%.4g%s<small>%.3g to %.3g</small></td><td>%.3g</td>"
                  "<td>%llu</td><td>%llu</td></tr>\n",
                  s.odds_ratio, s.is_corrected ? "*" : "", s.odds_low, s.odds_high, s.fisher_p,
                  (unsigned long long)count_alone(&bound->cases, k, scratch),
                  (unsigned long long)count_alone(&bound->controls, k, scratch));
}

irl_status irl_page_clauses(irl_page *page) {
  irl_text *text = &page->text;
  irl_bound_rule bound;
  irl_status status = irl_rule_bind(page->env, page->fit->rule, page->fit->data, &bound);
  if (status || !page->fit->rule->n_clauses) {
    if (!status) irl_bound_rule_free(page->env, &bound);
    return status;
  }
  const size_t words =
      bound.cases.stride > bound.controls.stride ? bound.cases.stride : bound.controls.stride;
  uint64_t *scratch = irl_mem_alloc_aligned(&page->env->allocator, words, sizeof *scratch);
  if (!scratch) status = irl_fail_memory(page->env);
  irl_text_puts(text,
                "<section id=\"clauses\">\n<h2>Clause by clause</h2>\n<div class=\"wide\">"
                "<table class=\"numbers\">\n<thead><tr><th></th>"
                "<th scope=\"col\" class=\"text\">clause</th><th scope=\"col\">cases</th>"
                "<th scope=\"col\">controls</th><th scope=\"col\">precision"
                "<small>95\xc2\xa0% interval</small></th><th scope=\"col\">odds ratio"
                "<small>95\xc2\xa0% interval</small></th><th scope=\"col\">Fisher\xe2\x80\x99s p"
                "</th><th scope=\"col\">cases<small>only it "
                "explains</small></th><th scope=\"col\">controls<small>only it adds</small>"
                "</th></tr></thead>\n<tbody>\n");
  for (size_t k = 0; k < page->fit->rule->n_clauses && !status; k++)
    put_row(page, &bound, k, scratch);
  irl_text_puts(text,
                "</tbody>\n</table></div>\n<p class=\"hint\">Precision is the share of cases "
                "among the samples that a clause covers; *: a cell of its table is 0, so one half "
                "was added to each for the odds ratio. The p-value is that of a clause fixed "
                "before the data was seen. A clause that explains few cases of "
                "its own is more likely to be chance.</p>\n</section>\n");
  irl_mem_free_aligned(&page->env->allocator, scratch);
  irl_bound_rule_free(page->env, &bound);
  return status;
}
