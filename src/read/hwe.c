/* The exact test of Hardy-Weinberg equilibrium (Wigginton, Cutler, Abecasis 2005): given the counts
 * of both alleles, the probability of a number of heterozygotes that is no more likely than the one
 * observed. Probabilities follow from their neighbours by
 *   P(h - 2) = P(h) h (h - 1) / (4 (a + 1) (b + 1)),
 * a and b being the rare and common homozygotes at h, so they are summed relative to the observed
 * one, from it outwards. Sums end where terms no longer count. */
#include "read/genotypes.h"

#define TIE        (1 + 1e-11) /* as likely as the observed one, but for rounding */
#define NEGLIGIBLE 1e-17       /* of the sum: what follows decreases faster than a geometric row */

double irl_hwe_exact(uint32_t heterozygous, uint32_t first, uint32_t second) {
  const double least = first < second ? first : second, most = first < second ? second : first;
  double extreme = 1, all = 1; /* the observed number of heterozygotes */
  /* Fewer heterozygotes, then more: the terms on each side first rise or fall, then fall. */
  double term = 1, h = heterozygous, a = least, b = most;
  while (h >= 2) {
    term *= h * (h - 1) / (4 * (a + 1) * (b + 1));
    h -= 2;
    a++;
    b++;
    all += term;
    if (term <= TIE) extreme += term;
    if (term < NEGLIGIBLE * all) break;
  }
  term = 1;
  h = heterozygous;
  a = least;
  b = most;
  while (a >= 1) {
    term *= 4 * a * b / ((h + 2) * (h + 1));
    h += 2;
    a--;
    b--;
    all += term;
    if (term <= TIE) extreme += term;
    if (term < NEGLIGIBLE * all) break;
  }
  return extreme / all;
}
