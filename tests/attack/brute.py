"""Brute force: the problem that a case poses, and the best of all its rules.

Everything is exact: weights and penalties are fractions. A clause is a set of samples (an integer) with its number of
literals; a rule an OR of clauses. Clauses that another one replaces in every rule without harm (no fewer cases, no other
controls, no more literals) are left out of the search for optima, never out of lists of rules.
"""
from fractions import Fraction
from itertools import combinations
from math import comb

import weights
from literals import Column, code_column, fill_of, forced_types, is_forbidden, kind_of

MOST_STATES = 200000  # unions of clauses that a search may meet; a case with more is not decided


class TooLarge(Exception):
    pass


class BadInput(Exception):
    """The tool has to refuse this table with exit code 3."""


class Problem:
    def __init__(self, case, rows=None):
        options = case["options"]
        if case["command"] == "cv" or "tune" in options:  # what it tries is not one problem
            options = {name: value for name, value in options.items() if name not in ("K", "M", "penalty")}
        self.options, self.is_cnf = options, "cnf" in options
        self.hamming = options.get("loss") == "hamming" or options.get("method") in ("brcg", "bp5", "bp6")
        self.columns = {}
        self.raw = {c["name"]: Column(c["name"], kind_of(c, options), c["cells"], c["name"] in forced_types(options))
                    for c in case["columns"]}
        only = options.get("only", "").split(",") if "only" in options else None
        ignored = options.get("ignore", "").split(",") if "ignore" in options else []
        for name, column in self.raw.items():
            if name not in ignored and (only is None or name in only) and not column.is_empty:
                self.columns[name] = column
        self.is_case = [label == case["positive"] for label in case["labels"]]
        self.choose_rows(case)
        self.weigh(case)
        self.make_literals()

    def choose_rows(self, case):
        n = len(case["labels"])
        cells = [c.values for c in self.columns.values()] + [case[name] for name in ("groups", "folds", "strata") if case.get(name)]
        missing = [any(values[i] is None for values in cells) for i in range(n)]
        choice = self.options.get("missing")
        if choice == "error" and any(missing):
            raise BadInput("a missing value")
        self.rows = [i for i in range(n) if not (choice == "drop" and missing[i])]
        labels = {self.is_case[i] for i in self.rows}
        if len(labels) < 2:
            raise BadInput("one class")
        if case.get("strata"):
            self.rows = weights.mixed_rows(case["strata"], self.is_case, self.rows)
            if not self.rows:
                raise BadInput("no stratum of both classes")

    def weigh(self, case):
        """Positive: the class that clauses are for, which --cnf swaps."""
        rows = self.rows
        weigh, self.rounded_to = [Fraction(1)] * len(rows), None
        self.has_weights = bool(case.get("strata") or (case["weights"] and "weight-column" in self.options))
        if case.get("strata"):
            weigh, self.rounded_to = weights.weigh(case["strata"], self.is_case, rows)
        elif self.has_weights:
            weigh, self.rounded_to = weights.weigh_column(case["weights"], rows)
        self.weights = weigh
        self.positive = [self.is_case[i] != self.is_cnf for i in rows]
        self.cases = sum(1 << k for k, p in enumerate(self.positive) if p)
        self.all = (1 << len(rows)) - 1
        self.controls = self.all & ~self.cases
        self.groups = {}
        for k, weight in enumerate(weigh):
            self.groups[weight] = self.groups.get(weight, 0) | 1 << k
        self.n1, self.n0 = self.sum(self.cases), self.sum(self.controls)
        if not self.n1 or not self.n0:
            raise BadInput("one class")
        is_unit = self.options.get("weights") == "unit" or (self.has_weights and self.options.get("weights") != "balanced")
        if is_unit:
            self.w1 = self.w0 = Fraction(1)
        else:
            self.w1, self.w0 = self.n0 / (self.n0 + self.n1), self.n1 / (self.n0 + self.n1)
        self.total = self.w1 * self.n1 + self.w0 * self.n0
        self.penalty = Fraction(self.options.get("penalty", "0")) * self.total
        low, high = Fraction(self.options.get("min-sensitivity", "0")), Fraction(self.options.get("min-specificity", "0"))
        if self.is_cnf:
            low, high = high, low
        self.min_cases, self.max_controls = low * self.n1, (1 - high) * self.n0
        self.K, self.M = int(self.options.get("K", "3")), int(self.options.get("M", "3"))
        self.max_literals = int(self.options.get("max-literals", "0")) or self.K * self.M
        self.max_complexity = int(self.options.get("complexity", "0")) if self.options.get("complexity") not in (None, True) else 0

    def fill(self, column):
        """What stands for a missing value of the column, None: nothing does."""
        if self.options.get("missing") != "impute":
            return None
        return fill_of(column, self.rows)

    def sum(self, mask):
        return sum((weight * (mask & group).bit_count() for weight, group in self.groups.items()), Fraction(0))

    def make_literals(self):
        labels = dict(zip(self.rows, (self.is_case[i] for i in self.rows)))
        found = [literal for column in self.columns.values() for literal in code_column(column, self.rows, labels, self.options)]
        forbidden = [line for line in self.options.get("forbid", "").split("\n") if line]
        self.literals = [literal for literal in found if not is_forbidden(literal, forbidden)]
        self.n_coded = len(self.literals)
        if forbidden and len(found) == len(self.literals):
            raise BadInput("no literal of those that are forbidden")
        if self.is_cnf:
            self.literals = [literal.opposite() for literal in self.literals]
        masks = [literal.mask(self.rows) for literal in self.literals]
        self.literal_masks = {}
        for literal, mask in zip(self.literals, masks):
            self.literal_masks.setdefault(mask, []).append(literal)
        self.group_of = dict(item.split("=") for item in self.options["one-per"].split(",")) if "one-per" in self.options else {}
        if self.group_of and not set(self.group_of) & set(self.columns):
            raise BadInput("no column in a group")
        if not any(0 < mask < self.all for mask in masks):
            raise BadInput("every literal is constant")

    # ---- clauses -----------------------------------------------------------------------------

    def breaks_groups(self, names):
        """Has a clause of literals of these columns two of one group (--one-per)?"""
        groups = [self.group_of[name] for name in names if name in self.group_of]
        return len(set(groups)) < len(groups)

    def least_clauses_of_groups(self):
        """The same where a clause has one literal of a group at most: covers are told apart by the groups that are used up."""
        singles = {(mask, self.group_of.get(literal.column.name)) for mask, found in self.literal_masks.items() for literal in found}
        layer, found, met = {(self.all, frozenset())}, {}, set()
        for size in range(1, self.M + 1):
            layer = {(cover & mask, used | {group} if group else used) for cover, used in layer for mask, group in singles
                     if group is None or group not in used} - met
            met |= layer
            for cover, _ in layer:
                found.setdefault(cover, size)
            if len(met) > MOST_STATES:
                raise TooLarge
        return found

    def least_clauses(self):
        """Cover -> fewest literals."""
        if self.group_of:
            return self.least_clauses_of_groups()
        layer, found = {self.all: 0}, {}
        singles = list(self.literal_masks)
        for size in range(1, self.M + 1):
            nexts = {}
            for cover in layer:
                for mask in singles:
                    nexts[cover & mask] = size
            layer = {cover: size for cover in nexts if cover not in found}
            found.update(layer)
            if len(found) > MOST_STATES:
                raise TooLarge
        return found

    def useful_clauses(self):
        """Those of least_clauses that no other replaces."""
        items = sorted(((cover & self.cases, cover & self.controls, size) for cover, size in self.least_clauses().items()),
                       key=lambda item: (-item[0].bit_count(), item[1].bit_count(), item[2]))
        kept = []
        for a, b, size in items:
            if a and not any(a & ~x == 0 and y & ~b == 0 and m <= size for x, y, m in kept):
                kept.append((a, b, size))
        return kept

    # ---- rules ---------------------------------------------------------------------------------

    def loss(self, cover, paid=None):
        """Weight of the errors; `paid`: the weight of controls by clause, for the Hamming loss."""
        wrong = self.w1 * self.sum(self.cases & ~cover)
        return wrong + self.w0 * (self.sum(cover & self.controls) if paid is None else paid)

    def is_within(self, cover):
        return self.sum(cover & self.cases) >= self.min_cases and self.sum(cover & self.controls) <= self.max_controls

    def rules(self, K=None, clauses=None):
        """All unions: (cover, weight of controls paid by clauses) -> {number of clauses: fewest literals}, in levels."""
        levels = [{(0, Fraction(0)): 0}]
        clauses = self.useful_clauses() if clauses is None else clauses
        clauses = [(a, b, size, self.sum(b) if self.hamming else 0) for a, b, size in clauses]
        work = 0
        for k in range(K or self.K):
            level = {}
            work += len(levels[-1]) * len(clauses)
            if work > MOST_STATES * 5:
                raise TooLarge
            for (cover, paid), literals in levels[-1].items():
                for a, b, size, cost in clauses:
                    key = (cover | a | b, paid + cost)
                    if level.get(key, 1 << 30) > literals + size:
                        level[key] = literals + size
            if len(level) > MOST_STATES:
                raise TooLarge
            levels.append(level)
        return levels

    def optimum(self, clauses=None, limits=True):
        """The least loss of all rules of the scope; None: none is within the limits."""
        best = None
        for k, level in enumerate(self.rules(clauses=clauses)):
            for (cover, paid), literals in level.items():
                if literals > self.max_literals or (self.max_complexity and literals + k > self.max_complexity):
                    continue
                if limits and not self.is_within(cover):
                    continue
                loss = self.loss(cover, paid if self.hamming else None) + self.penalty * (k + literals)
                if best is None or loss < best:
                    best = loss
        return best

    def plain_optimum(self):
        """The paper's reading for bp1 to bp6: exactly K clauses, the empty one among them."""
        clauses = [(c & self.cases, c & self.controls, s) for c, s in self.least_clauses().items()]
        clauses.append((self.cases, self.controls, 0))
        level = self.rules(clauses=clauses)[-1]
        return min(self.loss(cover, paid if self.hamming else None) for cover, paid in level)

    def objective(self, covers, sizes):
        """Of a rule given by the covers of its clauses."""
        union = 0
        for cover in covers:
            union |= cover
        paid = sum((self.sum(cover & self.controls) for cover in covers), Fraction(0)) if self.hamming else None
        return self.loss(union, paid) + self.penalty * (len(sizes) + sum(sizes))

    def front(self):
        """Reachable (true positive, false positive) weights of rules within the limits that no other dominates."""
        points = set()
        for level in self.rules():
            for (cover, _), literals in level.items():
                if literals <= self.max_literals and self.is_within(cover):
                    points.add((self.sum(cover & self.cases), self.sum(cover & self.controls)))
        return points

    # ---- lists of rules ----------------------------------------------------------------------------

    def all_clauses(self, most):
        """Every clause as a set of literals, by (column, relation, value); implied and contradictory ones too."""
        items = [(mask, literal) for mask, group in self.literal_masks.items() for literal in group]
        found = []
        for size in range(1, self.M + 1):
            for chosen in combinations(items, size):
                if self.group_of and self.breaks_groups([literal.column.name for _, literal in chosen]):
                    continue
                cover = self.all
                for mask, _ in chosen:
                    cover &= mask
                found.append((cover, tuple(literal for _, literal in chosen)))
                if len(found) > most:
                    raise TooLarge
        return found

    def tight_rules(self, most_loss, most_clauses=400, most_rules=30000):
        """All rules of at most this loss in which no clause and no literal can be dropped without making it larger."""
        clauses = []
        for cover, literals in self.all_clauses(most_clauses * 10):
            if cover & self.cases and (len(literals) == 1 or self.is_tight_alone(cover, literals)):
                clauses.append((cover, literals))
        if len(clauses) > most_clauses:
            raise TooLarge
        found, n = [], 0
        for k in range(0, self.K + 1):
            for rule in combinations(clauses, k):
                n += 1
                if n > most_rules:
                    raise TooLarge
                if self.is_listed(rule, most_loss):
                    found.append(rule)
        return found

    def is_tight_alone(self, cover, literals):
        """A literal that no sample needs is in no tight rule."""
        for literal in literals:
            rest = self.all
            for other in literals:
                if other is not literal:
                    rest &= other.mask(self.rows)
            if rest == cover:
                return False
        return True

    def rule_loss(self, rule):
        """None: not within the limits."""
        union = 0
        for cover, _ in rule:
            union |= cover
        if not self.is_within(union):
            return None
        return self.objective([cover for cover, _ in rule], [len(literals) for _, literals in rule])

    def is_listed(self, rule, most_loss):
        loss = self.rule_loss(rule)
        if loss is None or loss > most_loss or sum(len(c[1]) for c in rule) > self.max_literals:
            return False
        return self.is_tight(rule, loss)

    def is_tight(self, rule, loss):
        for k, (cover, literals) in enumerate(rule):
            others = rule[:k] + rule[k + 1:]
            choices = [others]
            if len(literals) > 1:
                for literal in literals:
                    rest, left = self.all, tuple(other for other in literals if other is not literal)
                    for other in left:
                        rest &= other.mask(self.rows)
                    choices.append(others + ((rest, left),))
            for choice in choices:
                shorter = self.rule_loss(choice)
                if shorter is not None and shorter <= loss:
                    return False
        return True

    # ---- numbers of rules ----

    def kin_of(self, literal):
        """Literals of which a clause has one at most: of a group of --one-per, or nested and disjoint ones of a column; None: it is alone."""
        name, relation = literal.column.name, literal.relation
        if name in self.group_of:
            return "group", self.group_of[name]
        if literal.column.kind == "bin":
            return name, "bit"
        if relation in ("!=", "is not het"):
            return None
        return name, ">" if relation == "is het" else relation

    def count_rules(self, most_loss, most_clauses=300, most_rules=60000):
        """The sets of at most K clauses, whether or not all of them matters, of at most this loss; how many have each literal."""
        clauses = []
        for cover, literals in self.all_clauses(most_clauses * 10):
            kin = [k for k in map(self.kin_of, literals) if k]
            if len(set(kin)) == len(kin):
                clauses.append((cover, literals))
        if sum(comb(len(clauses), k) for k in range(self.K + 1)) > most_rules:
            raise TooLarge
        n, shares = 0, {}
        for k in range(self.K + 1):
            for rule in combinations(clauses, k):
                if sum(len(literals) for _, literals in rule) > self.max_literals:
                    continue
                loss = self.rule_loss(rule)
                if loss is None or loss > most_loss:
                    continue
                n += 1
                for name in {(l.column.name, l.relation, l.value) for _, literals in rule for l in literals}:
                    shares[name] = shares.get(name, 0) + 1
        return n, shares

    # ---- one clause ---------------------------------------------------------------------------------

    def best_clause(self, budget):
        """Most cases that a clause covers with at most so many controls; None: no clause covers a case."""
        best = 0
        for cover in self.least_clauses():
            if (cover & self.controls).bit_count() <= budget:
                best = max(best, (cover & self.cases).bit_count())
        return best or None
