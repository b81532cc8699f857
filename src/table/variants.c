#include "table/variants.h"
#include "base/c_locale.h"
#include "base/memory.h"
#include <string.h>

void irl_variants_init(irl_variants *variants, const irl_allocator *allocator) {
  *variants = (irl_variants){.allocator = *allocator};
  irl_names_init(&variants->texts, allocator);
}

void irl_variants_free(irl_variants *variants) {
  if (!variants->allocator.resize) return;
  irl_names_free(&variants->texts);
  irl_mem_free(&variants->allocator, variants->items);
  *variants = (irl_variants){.n = 0};
}

size_t irl_chromosome_name(const char *text, size_t length, char name[IRL_CHROMOSOME_SIZE]) {
  static const struct {
    const char *is, *name;
  } known[] = {{"23", "X"},  {"24", "Y"}, {"25", "XY"}, {"26", "MT"},   {"x", "X"},    {"y", "Y"},
               {"xy", "XY"}, {"m", "MT"}, {"mt", "MT"}, {"par1", "XY"}, {"par2", "XY"}};
  if (length > 3 && irl_c_equal_ignoring_case(text, "chr", 3)) {
    text += 3;
    length -= 3;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].is) == length && irl_c_equal_ignoring_case(known[i].is, text, length)) {
      strcpy(name, known[i].name);
      return strlen(name);
    }
  while (length > 1 && *text == '0' && irl_c_is_digit(text[1])) {
    text++;
    length--;
  }
  if (length > IRL_CHROMOSOME_SIZE - 1) length = IRL_CHROMOSOME_SIZE - 1;
  memcpy(name, text, length);
  name[length] = '\0';
  return length;
}

bool irl_variants_add(irl_variants *variants, const irl_variant_text *text) {
  char chromosome[IRL_CHROMOSOME_SIZE];
  irl_variant made = {.position = text->position};
  const size_t n = irl_chromosome_name(text->chromosome, text->chromosome_length, chromosome);
  if (!irl_mem_reserve(&variants->allocator, &variants->items, &variants->capacity, variants->n,
                       sizeof *variants->items) ||
      !irl_names_intern(&variants->texts, chromosome, n, &made.chromosome) ||
      !irl_names_intern(&variants->texts, text->counted, text->counted_length, &made.counted) ||
      !irl_names_intern(&variants->texts, text->other, text->other_length, &made.other))
    return false;
  variants->items[variants->n++] = made;
  return true;
}
