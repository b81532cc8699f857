"""Errors that are weighed within strata (--strata): which samples are left, and what each weighs.

The objective is the sum over strata of the share of missed cases and of covered controls, scaled so that the mean weight is 1. Weights are exact where
that makes at most 131072 units of the sum, else rounded to multiples of such a unit, which the scope names.
"""
from fractions import Fraction
from math import lcm

MOST_UNITS = 131072


def mixed_rows(strata, is_case, rows):
    """Of these rows those whose stratum has both classes."""
    classes = {}
    for i in rows:
        classes.setdefault(strata[i], set()).add(is_case[i])
    return [i for i in rows if strata[i] is not None and len(classes[strata[i]]) == 2]


def weigh(strata, is_case, rows):
    """The weight of each row as a fraction, and the unit if it is rounded to it."""
    counts = {}
    for i in rows:
        key = (strata[i], is_case[i])
        counts[key] = counts.get(key, 0) + 1
    n_strata = len({stratum for stratum, _ in counts})
    if 2 * n_strata * lcm(*counts.values()) <= MOST_UNITS:
        return [Fraction(len(rows), 2 * n_strata * counts[strata[i], is_case[i]]) for i in rows], None
    weights = [len(rows) / (2.0 * n_strata * counts[strata[i], is_case[i]]) for i in rows]
    total = 0.0
    for weight in weights:
        total += weight
    unit = total / MOST_UNITS
    return [max(1, round(weight / unit)) * Fraction(unit) for weight in weights], unit
