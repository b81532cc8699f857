"""The attack's own coding: which literals the columns of a table give, and which samples each holds for.

Written from the documents (README, design.md, the heads of coding.c and cuts.c), not from the library's code. Sets of
samples are integers, bit i for sample i.
"""
import math
import re


def forced_types(options):
    return dict(item.split("=") for name in ("type", "types") if name in options for item in options[name].split(","))


def kind_of(column, options):
    """A SNP is one only if it is said; otherwise its counts are numbers."""
    return "num" if column["kind"] == "snp" and forced_types(options).get(column["name"]) != "snp" else column["kind"]


class Column:
    """A column of the table as the tool has to understand it."""

    def __init__(self, name, kind, cells, is_forced):
        self.name, self.kind, self.cells = name, kind, cells
        if kind in ("bin", "num", "snp"):
            self.values = [None if cell is None else float(cell) for cell in cells]
            known = {value for value in self.values if value is not None}
            if kind == "num" and known <= {0.0, 1.0} and not is_forced:
                self.kind = "bin"
        else:
            self.values = list(cells)
        self.is_empty = not is_forced and all(value is None for value in self.values)

    def holds(self, relation, value, i, on_missing=False):
        cell = self.values[i]
        if cell is None:
            return on_missing
        return compare(relation, cell, value)


def compare(relation, cell, value):
    return {"is 1": lambda: cell == 1, "is 0": lambda: cell == 0, "<=": lambda: cell <= value, ">": lambda: cell > value,
            "=": lambda: cell == value, "!=": lambda: cell != value, "is het": lambda: cell == 1, "is not het": lambda: cell != 1}[relation]()


OPPOSITE = {"is 1": "is 0", "is 0": "is 1", "<=": ">", ">": "<=", "=": "!=", "!=": "=", "is het": "is not het", "is not het": "is het"}


class Literal:
    def __init__(self, column, relation, value, name, on_missing=False, is_imputed=False):
        self.column, self.relation, self.value, self.name = column, relation, value, name
        self.on_missing, self.is_imputed = on_missing, is_imputed

    def mask(self, rows):
        bits = 0
        for bit, i in enumerate(rows):
            bits |= self.column.holds(self.relation, self.value, i, self.on_missing) << bit
        return bits

    def opposite(self):
        """False on a missing value as well, unless one is put in its place."""
        on_missing = self.is_imputed and not self.on_missing
        return Literal(self.column, OPPOSITE[self.relation], self.value, self.name, on_missing, self.is_imputed)


# ---- cut points -------------------------------------------------------------------------------

def nearest_place(places, i, n):
    best = None
    for place in places:
        if best is None or (abs(place - i), place) < (abs(best - i), best):
            best = place
    return best


def entropy(cases, n):
    if cases <= 0 or cases >= n:
        return 0.0
    p = cases / n
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def mdl_places(pairs, first, last, found):
    """Fayyad and Irani, 1993: the places of pairs[first:last] that pay, left to right."""
    n = last - first
    total = sum(label for _, label in pairs[first:last])
    best, best_after, left, best_left = None, math.inf, 0, 0
    for i in range(first + 1, last):
        left += pairs[i - 1][1]
        if pairs[i - 1][0] == pairs[i][0]:
            continue
        a, b = i - first, last - i
        after = a / n * entropy(left, a) + b / n * entropy(total - left, b)
        if after < best_after:
            best, best_after, best_left = i, after, left
    if best is None:
        return
    a, b = best - first, last - best
    count = lambda cases, m: 2 if 0 < cases < m else 1
    k, k1, k2 = count(total, n), count(best_left, a), count(total - best_left, b)
    delta = math.log2(3 ** k - 2) - (k * entropy(total, n) - k1 * entropy(best_left, a) - k2 * entropy(total - best_left, b))
    if entropy(total, n) - best_after > (math.log2(n - 1) + delta) / n:
        mdl_places(pairs, first, best, found)
        found.append(best)
        mdl_places(pairs, best, last, found)


def find_cuts(column, rows, labels, plan):
    """Pairs of neighbouring values between which a cut lies."""
    pairs = sorted((column.values[i], labels[i]) for i in rows if column.values[i] is not None)
    n = len(pairs)
    places = [i for i in range(1, n) if pairs[i - 1][0] < pairs[i][0]]
    name, _, number = plan.partition(":")
    quantiles = int(number) if name == "quantile" and number else 9
    chosen = set()
    if name == "all":
        classes = {}
        for value, label in pairs:
            classes.setdefault(value, set()).add(label)
        chosen = {i for i in places if len(classes[pairs[i - 1][0]] | classes[pairs[i][0]]) > 1}
    elif len(places) <= quantiles:
        chosen = set(places)
    else:
        if name == "mdl":
            found = []
            mdl_places(pairs, 0, n, found)
            chosen = set(found)
            quantiles = int(number) if number else 0
        last = 0
        for k in range(1, quantiles + 1):
            place = nearest_place(places, int(n * k / (quantiles + 1)), n)
            if name == "mdl" or place > last:
                chosen.add(place)
                last = place
    return [(pairs[i - 1][0], pairs[i][0]) for i in sorted(chosen)]


def cut_name(low, high):
    """The text of the cut between two values where it is plain what it is, else None."""
    if low == int(low) and high == low + 1:
        return "%.1f" % (low + 0.5)
    if low == int(low) and high == low + 2:
        return "%d" % (low + 1)
    return None


# ---- all literals of a table --------------------------------------------------------------------

def lower_median(values):
    known = sorted(value for value in values if value is not None)
    return known[(len(known) - 1) // 2] if known else None


def most_frequent(values):
    known = sorted(value for value in values if value is not None)
    return max(sorted(set(known)), key=known.count) if known else None


def fill_of(column, rows):
    """The value that --missing impute puts in: the lower median, or the most frequent category."""
    here = [column.values[i] for i in rows]
    return most_frequent(here) if column.kind == "cat" else lower_median(here)


def code_column(column, rows, labels, options):
    negations = "negations" in options
    here = [column.values[i] for i in rows]
    fill = fill_of(column, rows) if options.get("missing") == "impute" else None
    found = []

    def add(relation, value, name):
        on_missing = fill is not None and compare(relation, fill, value)
        found.append(Literal(column, relation, value, name, on_missing, fill is not None))

    name = column.name
    if column.kind == "bin":
        add("is 1", None, name)
        if negations:
            add("is 0", None, "!" + name)
    elif column.kind == "snp":
        for suffix, cut in ((":dom", 0.5), (":rec", 1.5)):
            add(">", cut, name + suffix)
            if negations:
                add("<=", cut, "!" + name + suffix)
        if "het" in options:
            add("is het", None, name + ":het")
            if negations:
                add("is not het", None, "!" + name + ":het")
    elif column.kind == "num":
        for low, high in find_cuts(column, rows, labels, options.get("cuts", "mdl:3")):
            text = cut_name(low, high)
            add("<=", low, text and "%s <= %s" % (name, text))
            add(">", low, text and "%s > %s" % (name, text))
    else:
        values = sorted({value for value in here if value is not None}, key=lambda v: v.encode())
        if len(values) > 1 or None in here:
            for value in values:
                add("=", value, "%s = %s" % (name, value))
                if negations and len(values) > 2:
                    add("!=", value, "%s != %s" % (name, value))
    return found


def is_forbidden(literal, forbidden):
    name = literal.column.name
    return any(line in (literal.name, "%s %s" % (name, literal.relation)) for line in forbidden)


# ---- names and rule files -------------------------------------------------------------------------

def literal_of_name(name, columns):
    """What a name in an answer means on these columns; None if it is none of theirs."""
    for column in columns.values():
        own = re.escape(column.name)
        if column.kind == "snp":
            match = re.fullmatch("(!?)%s:(dom|rec|het)" % own, name)
            if match and match[2] == "het":
                return Literal(column, "is not het" if match[1] else "is het", None, name)
            if match:
                return Literal(column, "<=" if match[1] else ">", 0.5 if match[2] == "dom" else 1.5, name)
            continue
        match = re.fullmatch("(!?)%s (<=|>|=|!=) (.*)" % own, name)
        if match and column.kind == "cat" and match[2] in ("=", "!="):
            found = Literal(column, match[2], match[3], name)
            return found.opposite() if match[1] else found
        if match and column.kind == "num" and match[2] in ("<=", ">"):
            found = Literal(column, match[2], float(match[3]), name)
            return found.opposite() if match[1] else found
        if match and column.kind == "bin" and match[2] == "=" and match[3] in ("0", "1"):
            return Literal(column, "is " + match[3], None, name)
        if column.kind == "bin" and name in (column.name, "!" + column.name):
            return Literal(column, "is 0" if name[0] == "!" else "is 1", None, name)
    return None


def literal_of_rule(name, rule, columns):
    """The same by the meanings that a rule file holds."""
    meanings = {meaning["name"]: meaning for meaning in rule.get("literals", [])}
    is_negated = name not in meanings and name.startswith("!")
    meaning = meanings.get(name[1:] if is_negated else name)
    if meaning is None:
        return literal_of_name(name, columns)
    if meaning["column"] not in columns:
        return None
    column = columns[meaning["column"]]
    found = Literal(column, meaning["is"], meaning.get("value"), name, meaning.get("missing", False), "missing" in meaning)
    return found.opposite() if is_negated else found
