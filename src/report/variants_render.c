/* The variants of a rule as text and as JSON: place, alleles, gene, frequency among cases and
 * controls, genotype counts, and partners in linkage disequilibrium. */
#include "report/report.h"
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
