/* Genotypes as large as those of a study, in PLINK's binary form, with a rule planted in them.
 *
 *   genotypes STEM PEOPLE VARIANTS [SEED]
 *
 * Variants stand in blocks of 16. In a block each of a person's two haplotypes is copied from one
 * of twelve founders, and in one of four from another founder beyond some place, which is what
 * makes linkage disequilibrium. Two of a thousand calls are missing. Ill is who carries both
 * variants of one of three planted pairs, each in blocks of their own; of the phenotypes one in
 * twenty is inverted. Writes STEM.bed, STEM.bim and STEM.fam, and prints the planted pairs. */
#include "base/random.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK      16u
#define N_FOUNDERS 12u
#define N_PLANTED  6u

typedef struct study {
  uint32_t n_people, n_variants;
  uint32_t planted[N_PLANTED]; /* variants; 2i and 2i + 1 are a pair */
  uint8_t *carries;            /* per person, a bit for each of these */
  uint8_t *codes;              /* of a block: variant by variant as .bed has it */
  irl_random random;
} study;

static FILE *open_beside(const char *stem, const char *extension) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", stem, extension);
  FILE *file = fopen(path, "wb");
  if (!file) perror(path);
  return file;
}

/* The alleles of the founders, variants of one block as bits. */
static void make_founders(study *s, uint32_t first, uint16_t founders[N_FOUNDERS]) {
  memset(founders, 0, N_FOUNDERS * sizeof *founders);
  for (uint32_t v = 0; v < BLOCK; v++) {
    uint32_t n_carriers = 1 + (uint32_t)irl_random_below(&s->random, N_FOUNDERS / 2);
    for (uint32_t i = 0; i < N_PLANTED; i++) /* a carrier of three in ten people */
      if (first + v == s->planted[i]) n_carriers = 2;
    while (n_carriers) {
      const uint32_t f = (uint32_t)irl_random_below(&s->random, N_FOUNDERS);
      n_carriers -= !(founders[f] >> v & 1);
      founders[f] |= (uint16_t)(1u << v);
    }
  }
}

static uint16_t copy_haplotype(study *s, const uint16_t founders[N_FOUNDERS]) {
  const uint64_t draw = irl_random_next(&s->random);
  const uint16_t one = founders[(draw & 0xffff) * N_FOUNDERS >> 16];
  const uint16_t other = founders[(draw >> 16 & 0xffff) * N_FOUNDERS >> 16];
  if (draw >> 32 & 3) return one;
  const uint16_t below = (uint16_t)((1u << (1 + (draw >> 34) % (BLOCK - 1))) - 1);
  return (uint16_t)((one & below) | (other & ~below));
}

static void make_block(study *s, uint32_t first, size_t bytes) {
  static const uint8_t code_of[] = {3, 2, 0}; /* by the count of the first allele */
  uint16_t founders[N_FOUNDERS];
  make_founders(s, first, founders);
  memset(s->codes, 0, BLOCK * bytes);
  for (uint32_t i = 0; i < s->n_people; i++) {
    const uint16_t a = copy_haplotype(s, founders), b = copy_haplotype(s, founders);
    for (uint32_t v = 0; v < BLOCK; v++)
      s->codes[v * bytes + i / 4] |= (uint8_t)(code_of[(a >> v & 1) + (b >> v & 1)] << 2 * (i & 3));
    for (uint32_t k = 0; k < N_PLANTED; k++)
      if (s->planted[k] - first < BLOCK && (a | b) >> (s->planted[k] - first) & 1)
        s->carries[i] |= (uint8_t)(1u << k);
  }
  const uint64_t n_missing = (uint64_t)s->n_people * BLOCK / 500;
  for (uint64_t m = 0; m < n_missing; m++) {
    const uint64_t i = irl_random_below(&s->random, s->n_people);
    uint8_t *at = s->codes + irl_random_below(&s->random, BLOCK) * bytes + i / 4;
    *at = (uint8_t)((*at & ~(3u << 2 * (i & 3))) | 1u << 2 * (i & 3));
  }
}

static void write_people(study *s, FILE *fam) {
  for (uint32_t i = 0; i < s->n_people; i++) {
    bool is_ill = false;
    for (uint32_t k = 0; k < N_PLANTED; k += 2) is_ill |= (s->carries[i] >> k & 3) == 3;
    is_ill ^= !irl_random_below(&s->random, 20);
    fprintf(fam, "f%u i%u 0 0 %u %d\n", i + 1, i + 1, 1 + i % 2, 1 + is_ill);
  }
}

static void write_variants(const study *s, FILE *bim) {
  for (uint32_t v = 0; v < s->n_variants; v++)
    fprintf(bim, "%u\trs%u\t0\t%u\tA\tG\n", 1 + (uint32_t)((uint64_t)v * 22 / s->n_variants), v + 1,
            1000 + 300 * v);
}

int main(int n, char **words) {
  study s = {.n_people = n > 2 ? (uint32_t)atoi(words[2]) : 0,
             .n_variants = n > 3 ? (uint32_t)atoi(words[3]) : 0};
  if (s.n_people < 100 || s.n_variants < 2 * N_PLANTED * BLOCK) {
    fprintf(stderr, "usage: genotypes STEM PEOPLE VARIANTS [SEED], at least 100 x %u\n",
            2 * N_PLANTED * BLOCK);
    return 2;
  }
  const size_t bytes = (s.n_people + 3) / 4;
  FILE *bed = open_beside(words[1], ".bed"), *bim = open_beside(words[1], ".bim"),
       *fam = open_beside(words[1], ".fam");
  s.carries = calloc(s.n_people, 1);
  s.codes = malloc(BLOCK * bytes);
  if (!bed || !bim || !fam || !s.carries || !s.codes) return 3;
  irl_random_init(&s.random, n > 4 ? (uint64_t)atoi(words[4]) : 1, 0);
  for (uint32_t k = 0; k < N_PLANTED; k++)
    s.planted[k] = s.n_variants / N_PLANTED * k + (uint32_t)irl_random_below(&s.random, BLOCK);
  fwrite("\x6c\x1b\x01", 1, 3, bed);
  for (uint32_t first = 0; first < s.n_variants; first += BLOCK) {
    const uint32_t left = s.n_variants - first;
    make_block(&s, first, bytes);
    fwrite(s.codes, bytes, left < BLOCK ? left : BLOCK, bed);
  }
  write_people(&s, fam);
  write_variants(&s, bim);
  for (uint32_t k = 0; k < N_PLANTED; k += 2)
    printf("rs%u_A:dom AND rs%u_A:dom\n", s.planted[k] + 1, s.planted[k + 1] + 1);
  const bool failed =
      ferror(bed) | ferror(bim) | ferror(fam) | fclose(bed) | fclose(bim) | fclose(fam);
  free(s.carries);
  free(s.codes);
  return failed ? 3 : 0;
}
