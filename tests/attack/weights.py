"""What samples weigh: by a column (--weight-column), or within strata (--strata), and which of them are left.

The objective is the sum over strata of the share of missed cases and of covered controls, scaled so that the mean weight is 1. Weights are exact where
that makes at most 2^40 units of the sum, else rounded to multiples of 2^-20 of it, which the scope names. Those of a column have a decimal unit of at most
nine places.
"""
from fractions import Fraction
from math import gcd, lcm

MOST_UNITS, ROUNDED_UNITS = 1 << 40, 1 << 20


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
    return round_weights([len(rows) / (2.0 * n_strata * counts[strata[i], is_case[i]]) for i in rows])


def round_weights(weights):
    total = 0.0
    for weight in weights:
        total += weight
    unit = total / ROUNDED_UNITS
    return [(weight > 0) * max(1, int(weight / unit + 0.5)) * Fraction(unit) for weight in weights], unit


def weigh_column(texts, rows):
    """The same of weights that are given, for rows that are left of all: the unit is that of the whole column."""
    given = [Fraction(text) for text in texts]
    if not any(given):
        return [given[i] for i in rows], None
    for power in (10 ** k for k in range(10)):
        if all((weight * power).denominator == 1 for weight in given):
            unit = Fraction(gcd(*(int(weight * power) for weight in given)), power)
            if unit and sum(given) / unit <= MOST_UNITS:
                return [given[i] for i in rows], None
    rounded, unit = round_weights([float(weight) for weight in given])
    return [rounded[i] for i in rows], unit
