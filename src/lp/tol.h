/* Every tolerance of the LP engine: its name, its unit and its reason. "Scaled" means in the units
 * of the scaled model, where rows and columns have entries near 1. */
#ifndef IRL_LP_TOL_H
#define IRL_LP_TOL_H

/* Scaled distance by which a variable may leave its bounds while the simplex runs. Looser than the
 * final one: Harris' ratio test pays for large pivots with this slack. */
#define IRL_LP_TOL_PRIMAL 1e-7
/* Scaled amount by which a reduced cost may have the wrong sign while the simplex runs. */
#define IRL_LP_TOL_DUAL 1e-7
/* Both of them in the last rounds, where the perturbation is gone and the vertex is to be the true
 * one. */
#define IRL_LP_TOL_FINAL 1e-9
/* Unscaled, relative to 1 + the magnitudes involved: what the independent check asks of 'optimal'.
 * Looser than the scaled ones, since unscaling multiplies errors. */
#define IRL_LP_TOL_CHECK 1e-6

/* Absolute value under which an entry of a solved vector is rounding noise and dropped. */
#define IRL_LP_TOL_DROP 1e-14
/* Absolute value under which an entry of the pivot row or column cannot be a pivot. */
#define IRL_LP_TOL_PIVOT 1e-7
/* Absolute value under which it cannot be one directly after a refactorisation, when there is
 * nothing more accurate to be had. */
#define IRL_LP_TOL_PIVOT_FRESH 1e-9
/* Pivot relative to the largest entry of its row or column below which it is not trusted. */
#define IRL_LP_TOL_PIVOT_RELATIVE 1e-9
/* Pivot relative to the largest entry of its row below which another one is preferred. */
#define IRL_LP_TOL_PIVOT_SAFE 1e-6
/* Absolute value of a pivot of the primal simplex below which fresh factors are asked for, and then
 * another entering variable: its column is divided by it. */
#define IRL_LP_TOL_PIVOT_PRIMAL 1e-5
/* Violation of a bound, relative to 1 + the value, from which on the primal simplex moves the bound
 * to where the point is, and from which on it gives the basis back to the dual one: so far out that
 * the point has nothing to do with the last one. */
#define IRL_LP_TOL_ADOPT 1e-6
#define IRL_LP_TOL_LOST  1e3
/* Relative difference of the pivot found by row and by column above which the factors are stale. */
#define IRL_LP_TOL_PIVOT_MISMATCH 1e-6
/* Relative difference on fresh factors above which the pivot is noise. */
#define IRL_LP_TOL_PIVOT_HOPELESS 0.1

/* Markowitz pivots: share of the largest entry of the row that a pivot needs; the second value is
 * used after numerical trouble. */
#define IRL_LP_TOL_MARKOWITZ      0.1
#define IRL_LP_TOL_MARKOWITZ_SAFE 0.5
/* Absolute value (scaled basis, entries near 1) below which a pivot means a singular basis. */
#define IRL_LP_TOL_SINGULAR 1e-11
/* Entries that cancel to this share of their operands are set to zero while factoring. */
#define IRL_LP_TOL_CANCEL 1e-15

/* Scaled residual, relative to 1 + the largest unknown, up to which a solve with updated factors is
 * as good as one with fresh ones: two digits below IRL_LP_TOL_FINAL. */
#define IRL_LP_TOL_RESIDUAL 1e-11

/* Perturbation of costs, relative to 1 + |cost|: above IRL_LP_TOL_DUAL, so that ties break, and
 * small enough that few pivots are left when it is removed. */
#define IRL_LP_PERTURB 5e-5
/* Perturbation of bounds in the primal clean-up, relative to 1 + |bound|, against stalling. */
#define IRL_LP_PERTURB_BOUND 5e-7

/* Largest entry over smallest one above which a model is scaled at all. */
#define IRL_LP_SCALE_RANGE 8.0
/* A matrix with entries above this, or below its inverse, is not scaled. */
#define IRL_LP_SCALE_LIMIT 0x1p200
/* Binary digits by which the mean of all bounds, or of all costs, may differ from 1 before they are
 * scaled. */
#define IRL_LP_SCALE_POWER 10
/* A steepest edge weight that is off by more than this factor from its true value is replaced and
 * the row chosen again. */
#define IRL_LP_WEIGHT_TRUST 3.0
/* Steepest edge weights stay above this, whatever the update formula loses by cancellation. */
#define IRL_LP_WEIGHT_MIN 1e-4

/* Coefficients of a Farkas proof or a ray, relative to its largest one, that count as zero. */
#define IRL_LP_TOL_RAY 1e-9
/* Zero relative to the largest multiplier of a Farkas proof: what rounding leaves of a sum in
 * which only multipliers took part that are themselves rounding errors. */
#define IRL_LP_TOL_RAY_NOISE 1e-13
/* Violation that a Farkas proof must show, relative to the sum of the magnitudes of its terms. */
#define IRL_LP_TOL_FARKAS 1e-9

/* Presolve: share of the other entry of an equation that the one to divide by must have. */
#define IRL_LP_TOL_SUBSTITUTE 1e-2
/* Presolve: an entry that a substitution reduces to this share of what was added is zero. */
#define IRL_LP_TOL_SUBSTITUTE_NOISE 1e-12

/* Bounds beyond this are infinite. */
#define IRL_LP_INFINITY 1e20

#endif
