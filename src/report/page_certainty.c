/* What is claimed, of what, and by what right, in words that need no mathematics: the proof with
 * its scope and certificate, held-out samples, the estimate for new ones, the p-value of the
 * search.
 */
#include "report/html.h"
#include "report/page.h"
#include <inttypes.h>
#include <string.h>

static void put_proof(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text, scope;
  irl_text_init(&scope, page->env);
  irl_scope_print(&scope, page->fit->scope);
  irl_text_puts(text, info->outcome == IRL_OUTCOME_OPTIMAL
                          ? "<p><b>It is proven to be the best:</b> "
                          : "<p><b>It is not proven to be the best:</b> ");
  irl_html_put(text, "among all %s", scope.failed ? "" : scope.bytes);
  text->failed |= scope.failed;
  irl_text_drop(&scope);
  if (info->outcome == IRL_OUTCOME_OPTIMAL)
    irl_text_printf(text,
                    ": none has a smaller %s on these data. All rules of these literals are "
                    "accounted for, not only those that were tried; other literals, as by other "
                    "cuts, are not.</p>\n",
                    irl_fit_loss_name(page->fit));
  else if (info->bound > 0)
    irl_text_printf(text,
                    ": it is the best one found, and none could avoid more than "
                    "%.3g\xc2\xa0%% of its %s on these data.</p>\n",
                    100 * info->gap, irl_fit_loss_name(page->fit));
  else
    irl_text_puts(text, ": it is the best one found; how much better another could be is not "
                        "known.</p>\n");
  if (irl_fit_rests_on(page->fit))
    irl_html_put(text,
                 "<p>The bound is that of the checkpoint <code>%s</code>; this run has not shown "
                 "that it holds.</p>\n",
                 irl_fit_rests_on(page->fit));
  if (info->outcome == IRL_OUTCOME_LIMIT || info->outcome == IRL_OUTCOME_INTERRUPTED)
    irl_text_puts(text, info->outcome == IRL_OUTCOME_LIMIT
                            ? "<p>The search ended at its limit of time or work.</p>\n"
                            : "<p>The search was interrupted before its end.</p>\n");
}

/* ---- claim by claim ---- */

static void begin_claim(irl_text *text, const char *claim) {
  irl_text_printf(text, "<dt>%s</dt><dd>", claim);
}

static void put_optimality(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text;
  begin_claim(text, info->outcome == IRL_OUTCOME_OPTIMAL ? "No rule is better"
                                                         : "No rule is "
                                                           "better than the "
                                                           "bound");
  irl_text_printf(text,
                  "About the %" PRIu64
                  " samples that it was learnt from (checksum <code>%016" PRIx64
                  "</code>), all rules of the scope above, and the %s. <i>By</i> ",
                  page->about.samples, page->about.checksum, irl_fit_loss_name(page->fit));
  irl_text_puts(text,
                irl_fit_rests_on(page->fit) ? "a checkpoint that was read" : "proof in integers");
  if (page->fit->certificate) {
    /* Its last line ends with a hash of all before it. */
    const char *end = strrchr(page->fit->certificate, ' ');
    assert(end && strlen(end + 1) >= 16);
    irl_text_puts(text, "; certificate of checksum <code>");
    irl_text_add(text, end + 1, 16);
    irl_text_puts(text, "</code>, which <code>ireland verify</code> checks by other code");
  }
  irl_text_puts(text, ".</dd>\n");
}

static void put_figures(irl_page *page) {
  const irl_evaluation *held = &page->figures[IRL_PAGE_HELD_OUT].counts;
  irl_text *text = &page->text, method;
  if (page->figures[IRL_PAGE_HELD_OUT].is_known) {
    begin_claim(text, "Figures on held-out samples");
    irl_text_printf(text,
                    "About this rule, on samples as these come: drawn at random, by class, before "
                    "anything was learnt. <i>By</i> %" PRIu64 " samples, intervals of "
                    "Wilson.</dd>\n",
                    held->tp + held->fp + held->tn + held->fn);
  }
  if (page->figures[IRL_PAGE_NEW].is_known) {
    irl_text_init(&method, page->env);
    irl_report_print_method(&method, &page->fit->estimate);
    begin_claim(text, "Figures for new samples");
    irl_html_put(text,
                 "About this way of learning (coding, search, choice), on new samples of the same "
                 "population; not about other places or times. <i>By</i> %s.</dd>"
                 "\n",
                 method.failed ? "" : method.bytes);
    text->failed |= method.failed;
    irl_text_drop(&method);
  }
  begin_claim(text, "Figures of the samples learnt from");
  irl_text_puts(text, "About these samples only: the rule was chosen because it fits them. "
                      "<i>By</i> counting.</dd>\n");
}

static void put_claims(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text;
  irl_text_puts(text, "<h3>What is claimed, and of what</h3>\n<dl class=\"claims\">\n");
  put_optimality(page);
  put_figures(page);
  if (info->permutations) {
    begin_claim(text, "p-value of the search");
    irl_text_printf(text,
                    "About whether these data hold any association at all, all clauses that were "
                    "looked at together. <i>By</i> %u permutations of the labels.</dd>"
                    "\n",
                    info->permutations);
  }
  if (page->fit->optimal_rules.K) {
    begin_claim(text, page->fit->optimal_rules.is_complete ? "There are no other such rules"
                                                           : "There are such rules");
    irl_text_puts(text, "About rules of the scope above within the loss that was asked for, in "
                        "which every clause and literal matters. <i>By</i> ");
    irl_text_puts(text, page->fit->optimal_rules.is_complete ? "enumeration"
                                                             : "a list that ended "
                                                               "early");
    irl_text_puts(text, ".</dd>\n");
  }
  irl_text_puts(text, "</dl>\n");
}

void irl_page_certainty(irl_page *page) {
  const irl_fit_info *info = &page->fit->info;
  irl_text *text = &page->text;
  irl_text_puts(text, "<section id=\"certainty\">\n<h2>How certain it is</h2>\n");
  put_proof(page);
  if (info->permutations)
    irl_text_printf(
        text,
        "<p><b>p-value of the whole search: %.4g.</b> With shuffled labels the "
        "strongest clause was as strong as the rule\xe2\x80\x99s strongest in %u of %u runs.</p>\n",
        info->p_value, page->fit->n_as_good, info->permutations);
  put_claims(page);
  irl_text_puts(text, "<table class=\"facts\"><tbody>\n");
  irl_text_printf(text,
                  "<tr><th scope=\"row\">%s (objective)</th><td>%.6g (%.2f\xc2\xa0%%)</td></tr>\n"
                  "<tr><th scope=\"row\">proven bound: no rule has less</th><td>%.6g</td></tr>\n"
                  "<tr><th scope=\"row\">gap between them</th><td>%.2f\xc2\xa0%%</td></tr>\n"
                  "<tr><th scope=\"row\">status</th><td>%s</td></tr>\n</tbody></table>\n"
                  "</section>\n",
                  irl_fit_loss_name(page->fit), info->objective, 100 * info->rate, info->bound,
                  100 * info->gap, irl_outcome_text(info->outcome));
}
