/* Every tolerance of branch and bound: its name, its unit and its reason. Where the data of a row
 * are integers and so are its columns none of them is used: such rows are met exactly or not. */
#ifndef IRL_MILP_MILP_TOL_H
#define IRL_MILP_MILP_TOL_H

/* Violation that a point may have in a row with continuous columns or fractional entries, relative
 * to the largest of 1, the row's sides and its entries. Propagation grants the same, so that it
 * never cuts off what would have been accepted. */
#define IRL_MILP_TOL_ROW 1e-7
/* Share of that tolerance that is granted as long as there is hope of a better point: only where
 * the LP with all integers fixed does not meet it is the whole of it granted. */
#define IRL_MILP_TOL_STRICT 0.01
/* Distance from an integer up to which a value of the LP counts as integer; the point is rounded
 * and checked before it is believed. */
#define IRL_MILP_TOL_INTEGER 1e-6
/* Integers beyond this are not told apart from their neighbours well enough to round to them. */
#define IRL_MILP_MAX_INTEGER 1e15
/* Continuous values this near to an integer are one, but for rounding; the point is checked after.
 */
#define IRL_MILP_TOL_SNAP 1e-9
/* Relative to the objective: how near a bound must be to prune where objectives lie on no grid. */
#define IRL_MILP_TOL_GAP 1e-9
/* What is taken off the objective of an LP where a column without bounds leaves no safe bound; less
 * than the gap tolerance, so that a node whose LP is a solution is closed by it. */
#define IRL_MILP_TOL_UNSAFE 5e-10
/* Share of a grid step by which a bound may miss a grid value where the grid itself is rounded
 * (costs like 0.1). */
#define IRL_MILP_TOL_GRID 1e-6
/* Share of a range that a continuous bound must move for propagation to go on from it. */
#define IRL_MILP_TOL_TIGHTER 0.05
/* Bounds beyond this that propagation finds for continuous columns are no news. */
#define IRL_MILP_MAX_BOUND 1e9

/* Cuts. Distance of the right-hand side from an integer below which rounding is not worth it. */
#define IRL_MILP_CUT_FRACTION 0.01
/* Largest over smallest coefficient of a cut; with more it does harm to the LP. */
#define IRL_MILP_CUT_RANGE 1e6
/* Coefficients this much smaller than the largest one are replaced by their bound. */
#define IRL_MILP_CUT_NOISE 1e-9
/* Distance by which the LP's point must miss a cut, in units of the variables. */
#define IRL_MILP_CUT_DEPTH 1e-3

#endif
