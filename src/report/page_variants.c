/* The variants of a rule as text, as JSON and on the page: place, alleles, gene, frequency among
 * cases and controls, genotype counts, and partners in linkage disequilibrium. */
#include "report/html.h"
#include "report/page.h"
#include "table/variant_facts.h"

static const char *name_of(const irl_variant_facts *f, uint32_t column) {
  return irl_names_get(&f->names, column);
}

static const char *text_of(const irl_variant_facts *f, uint32_t text) {
  return irl_names_get(&f->places.texts, text);
}

/* "2:12345", or nothing where the file does not say. */
static void print_place(irl_text *text, const irl_variant_facts *f, uint32_t column) {
  const irl_variant *v = &f->places.items[column];
  if (v->position)
    irl_text_printf(text, "%s:%u", text_of(f, v->chromosome), v->position);
  else
    irl_text_puts(text, "-");
}

static void print_partners(irl_text *text, const irl_variant_facts *f,
                           const irl_variant_fact *fact) {
  if (!fact->n_linked) return;
  irl_text_puts(text, "    in LD:");
  for (uint32_t k = 0; k < fact->n_partners; k++) {
    const irl_ld_partner *p = &fact->partners[k];
    irl_text_printf(text, "%s %s (r2 %.2f", k ? "," : "", name_of(f, p->column), p->r2);
    if (p->distance) irl_text_printf(text, ", %+.1f kb", (double)p->distance / 1000);
    irl_text_puts(text, ")");
  }
  if (fact->n_linked > fact->n_partners)
    irl_text_printf(text, " and %u more", fact->n_linked - fact->n_partners);
  irl_text_puts(text, "\n");
}

void irl_variant_facts_print(irl_text *text, const irl_variant_facts *f) {
  if (!f->n) return;
  irl_text_printf(text, "\nvariants of the rule, and others with r2 of at least %.3g to them\n",
                  f->r2);
  irl_text_puts(text, "     cases  controls  missing  counted  other  place           variant\n");
  for (size_t i = 0; i < f->n; i++) {
    const irl_variant_fact *fact = &f->items[i];
    const irl_variant *v = &f->places.items[fact->column];
    irl_text place;
    irl_text_init(&place, text->env);
    print_place(&place, f, fact->column);
    irl_text_printf(text, "  %8.4f  %8.4f  %7u  %-7s  %-5s  %-14s  %s", fact->frequency[1],
                    fact->frequency[0], fact->genotypes[0][3] + fact->genotypes[1][3],
                    text_of(f, v->counted), text_of(f, v->other), place.failed ? "" : place.bytes,
                    name_of(f, fact->column));
    if (fact->gene) irl_text_printf(text, "  %s", fact->gene);
    irl_text_puts(text, "\n");
    text->failed |= place.failed;
    irl_text_drop(&place);
    print_partners(text, f, fact);
  }
}

static void put_counts(irl_json *json, const char *name, const uint32_t counts[4]) {
  irl_json_open_flat(json, name, '[');
  for (int i = 0; i < 4; i++) irl_json_unsigned(json, NULL, counts[i]);
  irl_json_close(json, ']');
}

void irl_variant_facts_put(irl_json *json, const irl_variant_facts *f) {
  if (!f->n) return;
  irl_json_open(json, "variants", '[');
  for (size_t i = 0; i < f->n; i++) {
    const irl_variant_fact *fact = &f->items[i];
    const irl_variant *v = &f->places.items[fact->column];
    irl_json_open(json, NULL, '{');
    irl_json_string(json, "name", name_of(f, fact->column));
    irl_json_string(json, "chromosome", text_of(f, v->chromosome));
    irl_json_unsigned(json, "position", v->position);
    irl_json_string(json, "counted", text_of(f, v->counted));
    irl_json_string(json, "other", text_of(f, v->other));
    if (fact->gene) irl_json_string(json, "gene", fact->gene);
    irl_json_real(json, "frequency_cases", fact->frequency[1]);
    irl_json_real(json, "frequency_controls", fact->frequency[0]);
    put_counts(json, "genotypes_cases", fact->genotypes[1]);
    put_counts(json, "genotypes_controls", fact->genotypes[0]);
    irl_json_unsigned(json, "linked", fact->n_linked);
    irl_json_open(json, "ld", '[');
    for (uint32_t k = 0; k < fact->n_partners; k++) {
      irl_json_open_flat(json, NULL, '{');
      irl_json_string(json, "name", name_of(f, fact->partners[k].column));
      irl_json_real(json, "r2", fact->partners[k].r2);
      irl_json_integer(json, "distance", fact->partners[k].distance);
      irl_json_close(json, '}');
    }
    irl_json_close(json, ']');
    irl_json_close(json, '}');
  }
  irl_json_close(json, ']');
}

irl_status irl_page_variants(irl_page *page) {
  const irl_variant_facts *f = &page->fit->variants;
  irl_text *text = &page->text;
  if (!f->n) return IRL_STATUS_OK;
  irl_text_puts(text,
                "<section id=\"variants\">\n<h2>The variants</h2>\n<p>Frequencies are those of "
                "the counted allele; genotypes are how many people have 0, 1 and 2 of it, and "
                "how many calls are missing.</p>\n<div class=\"wide\"><table class=\"numbers\">\n"
                "<thead><tr><th scope=\"col\" class=\"text\">variant</th><th scope=\"col\" "
                "class=\"text\">place</th><th scope=\"col\" class=\"text\">alleles<small>counted, "
                "other</small></th><th scope=\"col\" class=\"text\">gene</th><th scope=\"col\">in "
                "cases</th><th scope=\"col\">in controls</th><th scope=\"col\">genotypes<small>of "
                "cases</small></th><th scope=\"col\">genotypes<small>of controls</small></th><th "
                "scope=\"col\" class=\"text\">in linkage disequilibrium<small>r2</small></th></tr>"
                "</thead>\n<tbody>\n");
  for (size_t i = 0; i < f->n; i++) {
    const irl_variant_fact *fact = &f->items[i];
    const irl_variant *v = &f->places.items[fact->column];
    irl_text_puts(text, "<tr><td class=\"text\">");
    irl_html_name(text, name_of(f, fact->column));
    irl_html_put(text, "</td><td class=\"text type\">%s", text_of(f, v->chromosome));
    irl_text_printf(text, ":%u</td>", v->position);
    irl_html_put(text,
                 "<td class=\"text type\"><code>%s</code>, <code>%s</code></td><td class=\"text "
                 "type\">%s</td>",
                 text_of(f, v->counted), text_of(f, v->other), fact->gene ? fact->gene : "");
    irl_text_printf(text, "<td>%.4f</td><td>%.4f</td>", fact->frequency[1], fact->frequency[0]);
    for (int class = 1; class >= 0; class --) {
      const uint32_t *n = fact->genotypes[class];
      irl_text_printf(text, "<td>%u / %u / %u, %u</td>", n[0], n[1], n[2], n[3]);
    }
    irl_text_puts(text, "<td class=\"text partners\">");
    for (uint32_t k = 0; k < fact->n_partners; k++) {
      irl_html_put(text, "%s<code>%s</code>", k ? ", " : "", name_of(f, fact->partners[k].column));
      irl_text_printf(text, "\xc2\xa0(%.2f)", fact->partners[k].r2);
    }
    if (fact->n_linked > fact->n_partners)
      irl_text_printf(text, " and %u more", fact->n_linked - fact->n_partners);
    irl_text_puts(text, "</td></tr>\n");
  }
  irl_text_puts(text, "</tbody>\n</table></div>\n");
  irl_status status = irl_page_ld(page);
  if (!status) status = irl_page_genotypes(page);
  irl_text_puts(text, "</section>\n");
  return status;
}
