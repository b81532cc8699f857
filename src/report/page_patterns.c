/* Which clauses hold together: a row for each pattern of clauses that some sample has, with how
 * many cases and controls have it and the share of cases among them, as an UpSet chart (Lex and
 * others 2014) that is a table. Where samples were held out their share stands beside.
 *
 * Patterns are found by refinement: samples begin in one group, and each clause divides every group
 * into those it covers and the others. */
#include "base/memory.h"
#include "report/html.h"
#include "report/page.h"
#include "rule/statistics.h"
#include <inttypes.h>
#include <stdlib.h>

#define SHOWN      24u /* patterns, the most frequent ones */
#define MOST_DOTS  12u /* clauses that have a column each; of more, numbers are listed */
#define BAR_WIDTH  150.0
#define RISK_WIDTH 120.0

typedef struct pattern {
  uint64_t counts[2][2]; /* of the samples learnt from, held out: controls, cases */
  uint32_t sample;       /* one that has it: */
  uint8_t part, is_case; /* of these samples, and that class */
} pattern;

typedef struct patterns {
  const irl_bound_rule *bound[2]; /* on the samples learnt from and held out; NULL: none */
  uint32_t *group;                /* of each sample: both classes of both parts, in order */
  uint32_t *next;                 /* of each group: what its covered samples become */
  size_t n_samples, n, capacity;
  pattern *items;
} patterns;

static const irl_bits_matrix *covers_of(const irl_bound_rule *bound, int is_case) {
  return is_case ? &bound->cases : &bound->controls;
}

static bool holds(const patterns *p, const pattern *item, size_t clause) {
  return irl_bits_get(irl_bits_vector(covers_of(p->bound[item->part], item->is_case), clause),
                      item->sample);
}

/* Divides the groups by clause k; then numbers are taken again for groups that have samples. */
static void divide(patterns *p, size_t k) {
  uint32_t *group = p->group, n = 0;
  size_t made = p->n;
  for (size_t i = 0; i < p->n; i++) p->next[i] = UINT32_MAX;
  for (int part = 0; part < 2; part++)
    for (int class = 0; class < 2 && p->bound[part]; class ++) {
      const irl_bits_matrix *covers = covers_of(p->bound[part], class);
      const uint64_t *cover = irl_bits_vector(covers, k);
      for (size_t i = 0; i < covers->n_bits; i++, group++) {
        if (!irl_bits_get(cover, i)) continue;
        if (p->next[*group] == UINT32_MAX) p->next[*group] = (uint32_t)made++;
        *group = p->next[*group];
      }
    }
  assert(group == p->group + p->n_samples && made <= p->capacity);
  for (size_t i = 0; i < made; i++) p->next[i] = UINT32_MAX;
  for (size_t i = 0; i < p->n_samples; i++) {
    uint32_t *number = &p->next[p->group[i]];
    if (*number == UINT32_MAX) *number = n++;
    p->group[i] = *number;
  }
  p->n = n;
}

/* Counts the samples of each group that is left. */
static void count(patterns *p) {
  const uint32_t *group = p->group;
  for (int part = 0; part < 2; part++)
    for (int class = 0; class < 2 && p->bound[part]; class ++)
      for (uint32_t i = 0; i < covers_of(p->bound[part], class)->n_bits; i++, group++) {
        pattern *item = &p->items[*group];
        if (!item->counts[0][0] && !item->counts[0][1] && !item->counts[1][0] &&
            !item->counts[1][1]) {
          item->sample = i;
          item->part = (uint8_t)part;
          item->is_case = (uint8_t) class;
        }
        item->counts[part][class]++;
      }
}

static uint64_t size_of(const pattern *p) {
  return p->counts[0][0] + p->counts[0][1];
}

/* The most frequent first; ties in the order of the samples. */
static int compare(const void *a, const void *b) {
  const pattern *x = a, *y = b;
  if (size_of(x) != size_of(y)) return size_of(x) > size_of(y) ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  if (x->is_case != y->is_case) return x->is_case < y->is_case ? -1 : 1;
  return (x->sample > y->sample) - (x->sample < y->sample);
}

static irl_status find(irl_env *env, patterns *p) {
  for (int part = 0; part < 2; part++)
    if (p->bound[part])
      p->n_samples += p->bound[part]->cases.n_bits + p->bound[part]->controls.n_bits;
  const size_t n_clauses = p->bound[0]->rule->n_clauses;
  /* A division makes no more groups than there were. */
  size_t most = 1;
  for (size_t k = 0; k < n_clauses && most < p->n_samples; k++) most *= 2;
  p->capacity = 2 * most;
  p->group = irl_mem_alloc(&env->allocator, p->n_samples, sizeof *p->group);
  p->next = irl_mem_alloc(&env->allocator, p->capacity, sizeof *p->next);
  if (!p->group || !p->next) return irl_fail_memory(env);
  p->n = 1;
  for (size_t k = 0; k < n_clauses; k++) divide(p, k);
  p->items = irl_mem_alloc(&env->allocator, p->n, sizeof *p->items);
  if (!p->items) return irl_fail_memory(env);
  count(p);
  qsort(p->items, p->n, sizeof *p->items, compare);
  while (p->n && !size_of(&p->items[p->n - 1])) p->n--; /* those that only held-out ones have */
  return IRL_STATUS_OK;
}

/* ---- the table ---- */

static void put_clauses(irl_text *text, const patterns *p, const pattern *item) {
  const size_t n = p->bound[0]->rule->n_clauses;
  bool is_first = true;
  if (n <= MOST_DOTS) {
    for (size_t k = 0; k < n; k++)
      irl_text_printf(text, "<td class=\"dot%s\"><span>%s</span></td>",
                      holds(p, item, k) ? " on" : "", holds(p, item, k) ? "yes" : "no");
    return;
  }
  irl_text_puts(text, "<td class=\"text\">");
  for (size_t k = 0; k < n; k++) {
    if (!holds(p, item, k)) continue;
    irl_text_printf(text, is_first ? "%zu" : ", %zu", k + 1);
    is_first = false;
  }
  irl_text_puts(text, is_first ? "none</td>" : "</td>");
}

/* Cases and controls as bars one behind the other, `most` being the longest row. */
static void put_bar(irl_text *text, const pattern *item, uint64_t most) {
  const double scale = BAR_WIDTH / (double)most;
  const double cases = scale * (double)item->counts[0][1],
               controls = scale * (double)item->counts[0][0];
  irl_text_printf(
      text,
      "<td class=\"bar\"><svg class=\"chart many\" viewBox=\"0 0 150 14\" width=\"150\" "
      "height=\"14\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"cases\" "
      "width=\"%.1f\" "
      "height=\"14\"/><rect class=\"controls\" x=\"%.1f\" width=\"%.1f\" "
      "height=\"14\"/></svg></td>",
      cases, cases, controls);
}

static void put_share(irl_text *text, const uint64_t counts[2]) {
  const uint64_t n = counts[0] + counts[1];
  if (!n) {
    irl_text_puts(text, "<td>\xe2\x80\x93</td>");
    return;
  }
  irl_text_puts(text, "<td>");
  irl_html_percent(text, (double)counts[1] / (double)n);
  irl_text_puts(text, "<small>");
  irl_page_put_interval(text, counts[1], n);
  irl_text_puts(text, "</small></td>");
}

/* The share of cases with its interval, between 0 and 1; held-out samples as an open circle. */
static void put_risk(irl_text *text, const pattern *item) {
  const uint64_t *own = item->counts[0], *held = item->counts[1];
  double low, high;
  irl_statistics_wilson(own[1], own[0] + own[1], &low, &high);
  irl_text_printf(text,
                  "<td class=\"bar\"><svg class=\"chart\" viewBox=\"-5 0 130 14\" width=\"130\" "
                  "height=\"14\" aria-hidden=\"true\"><path class=\"grid\" d=\"M0 0V14M60 0V14M120 "
                  "0V14\"/><path class=\"line\" d=\"M%.1f 7H%.1f\"/><circle class=\"point\" "
                  "cx=\"%.1f\" cy=\"7\" r=\"3.5\"/>",
                  RISK_WIDTH * low, RISK_WIDTH * high,
                  RISK_WIDTH * (double)own[1] / (double)(own[0] + own[1]));
  if (held[0] + held[1])
    irl_text_printf(text, "<circle class=\"point chosen\" cx=\"%.1f\" cy=\"7\" r=\"2.5\"/>",
                    RISK_WIDTH * (double)held[1] / (double)(held[0] + held[1]));
  irl_text_puts(text, "</svg></td>");
}

static void put_head(irl_text *text, const patterns *p) {
  const size_t n = p->bound[0]->rule->n_clauses;
  irl_text_puts(text, "<div class=\"wide\"><table class=\"numbers upset\">\n<thead><tr>");
  for (size_t k = 0; k < n && n <= MOST_DOTS; k++)
    irl_text_printf(text,
                    "<th scope=\"col\" class=\"dot\"><span class=\"only-read\">clause "
                    "</span>%zu</th>",
                    k + 1);
  if (n > MOST_DOTS) irl_text_puts(text, "<th scope=\"col\" class=\"text\">clauses</th>");
  irl_text_puts(text, "<th scope=\"col\">cases</th><th scope=\"col\">controls</th>"
                      "<th class=\"bar\"><span class=\"only-read\">bars</span></th>"
                      "<th scope=\"col\">share of cases<small>95\xc2\xa0% interval</small></th>"
                      "<th class=\"bar\"><span class=\"ends\"><span>0</span><span>100\xc2\xa0%"
                      "</span></span></th>");
  if (p->bound[1])
    irl_text_puts(text, "<th scope=\"col\">held out<small>share of cases</small></th>");
  irl_text_puts(text, "</tr></thead>\n<tbody>\n");
}

static void put_table(irl_page *page, const patterns *p) {
  irl_text *text = &page->text;
  uint64_t rest = 0;
  put_head(text, p);
  for (size_t i = 0; i < p->n; i++) {
    const pattern *item = &p->items[i];
    if (i >= SHOWN) {
      rest += size_of(item);
      continue;
    }
    irl_text_puts(text, "<tr>");
    put_clauses(text, p, item);
    irl_text_printf(text, "<td>%" PRIu64 "</td><td>%" PRIu64 "</td>", item->counts[0][1],
                    item->counts[0][0]);
    put_bar(text, item, size_of(&p->items[0]));
    put_share(text, item->counts[0]);
    put_risk(text, item);
    if (p->bound[1]) put_share(text, item->counts[1]);
    irl_text_puts(text, "</tr>\n");
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n<p class=\"hint\">");
  if (rest)
    irl_text_printf(text, "The other %zu patterns have %" PRIu64 " samples together. ",
                    p->n - SHOWN, rest);
  irl_text_puts(text, "Bars: cases dark, controls light. ");
  irl_text_puts(text, p->bound[1]
                          ? "The share among the samples learnt from, with its interval, and as a "
                            "ring that among those held out: where both agree the share can be "
                            "taken for a risk at the share of cases of these data.</p>\n"
                          : "The shares are those of the samples that the clauses were chosen on, "
                            "at their share of cases: for new samples they are nearer to each "
                            "other. <code>--test</code> shows both.</p>\n");
}

irl_status irl_page_patterns(irl_page *page) {
  irl_text *text = &page->text;
  irl_bound_rule held = {0};
  patterns p = {.bound = {&page->bound, NULL}};
  if (!page->fit->rule->n_clauses) return IRL_STATUS_OK;
  irl_status status = IRL_STATUS_OK;
  if (page->fit->test_data)
    status = irl_rule_bind(page->env, page->fit->rule, page->fit->test_data, &held);
  if (status) return status;
  if (page->fit->test_data) p.bound[1] = &held;
  status = find(page->env, &p);
  if (!status) {
    irl_text_puts(text, "<section id=\"patterns\">\n<h2>Which clauses hold together, and how often "
                        "such samples are cases</h2>\n<p>Each row is a combination of clauses that "
                        "hold, and of no others.</p>\n");
    put_table(page, &p);
    irl_text_puts(text, "</section>\n");
  }
  irl_mem_free(&page->env->allocator, p.group);
  irl_mem_free(&page->env->allocator, p.next);
  irl_mem_free(&page->env->allocator, p.items);
  if (page->fit->test_data) irl_bound_rule_free(page->env, &held);
  return status;
}
