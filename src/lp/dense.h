/* Elimination of a dense matrix by panels of columns, as LAPACK's dgetrf does it: by LAPACK from
 * OpenBLAS (dense_blas.c) or, where the library is built without it, by plain loops
 * (dense_plain.c). Matrices are n times n, by columns. */
#ifndef IRL_LP_DENSE_H
#define IRL_LP_DENSE_H

#include <stdbool.h>

/* Columns factored between two looks at the clock: with some thousands of rows well under a
 * second. */
#define IRL_LP_PANEL 128

/* Factors rows k .. n - 1 of `width` columns from k on, with the largest entry of each column as
 * its pivot. Below the diagonal is L, whose diagonal is 1, and above it U. swaps[i] is the row,
 * counted from 0, that was exchanged with row i, in these columns alone. False: singular. */
bool irl_lp_dense_panel(int n, int k, int width, double *a, int *swaps);

/* What such a panel means for the columns left and right of it: the exchanges and, on the right,
 * the elimination. */
void irl_lp_dense_apply(int n, int k, int width, double *a, const int *swaps);

#endif
