#!/usr/bin/env python3
"""ireland-check [RULE.json] DATA.csv --certificate FILE: checks that no rule is better than this one.

Nothing here comes from ireland: the table is read by Python's csv, sets of samples are integers, every number is exact.
What has to be believed is this file; src/doc/method.md proves the lemmas that it names. No checksum is looked at.

Claim. A literal is one of the conditions that the certificate lists (of 0/1 columns also its negation, if the limits say
so), a clause an AND of at most M of them, a rule an OR of at most K clauses. Its loss is w1 * (cases that it leaves out)
+ w0 * (controls that it covers; by the Hamming loss, that each of its clauses covers) + P * (1 + literals) for each
clause. No rule within the limits has less loss than the one given, or, without a file, than that of the certificate, which
is shown. A file may hold several certificates, as that of a curve does.

Proof. Suppose there is a better rule; take one with the fewest clauses, so that each covers a case that the others do
not. A node of the certificate stands for such rules with the clauses S on the way to it; its children are refuted first.
With r clauses left, a and b are the weights of cases and controls that a clause newly covers, c its own cost, g the gain
that a better rule still needs. Each function below says on which lemma it rests."""
import argparse, csv, gzip, itertools, json, math, re, sys, time
from collections import namedtuple
from fractions import Fraction

VERSION, MOST, FEW = 3, 3000000, 50  # of certificates; clauses that a list may have; columns that are counted one by one
USUAL_NA = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.".split(",")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.I | re.ASCII)
OPPOSITE = {"is 1": "is 0", "is 0": "is 1", "<=": ">", ">": "<=", "=": "!=", "!=": "="}
VALUES = {"is 1": type(None), "is 0": type(None), "<=": (int, float), ">": (int, float), "=": str, "!=": str}
# Some clauses are taken, `left` may follow: cases not covered, controls that count for further clauses, controls covered.
State = namedtuple("State", "left cases controls hit cost literals")
Literal = namedtuple("Literal", "column relation value missing")  # missing: its answer where the value is; None: false


class Refused(Exception):
    """The certificate does not show the claim."""


class NotChecked(Exception):
    """A limit came first."""


def need(holds, *words):
    if not holds:
        raise Refused(" ".join(map(str, words)))


def members(bits):
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def to_bits(digits):
    return int("".join(digits)[::-1] or "0", 2)


# ---- the table ----------------------------------------------------------------------------------------------------------

def literal_of(entry):
    """A name: that column is 1; an object: what it says."""
    if isinstance(entry, str):
        return Literal(entry, "is 1", None, None)
    found = Literal(entry["column"], entry["is"], entry.get("value"), entry.get("missing"))
    need(isinstance(found.column, str) and isinstance(found.value, VALUES[found.relation]) and found.missing in (None, True, False), entry)
    return found


def opposite(x):
    return Literal(x.column, OPPOSITE[x.relation], x.value, None if x.missing is None else not x.missing)


def holds(literal, cell, na):
    if cell in na:
        return bool(literal.missing)
    if literal.relation in ("=", "!="):
        return (cell == literal.value) == (literal.relation == "=")
    need(NUMBER.fullmatch(cell), "'%s' in column '%s' is no number" % (cell[:40], literal.column))
    if literal.relation in ("<=", ">"):
        return (float(cell) <= literal.value) == (literal.relation == "<=")
    need(float(cell) in (0, 1), "'%s' in column '%s' is not 0 or 1" % (cell[:40], literal.column))
    return float(cell) == (literal.relation == "is 1")


class Table:
    """Which rows are cases, how often each counts, and for each literal the cases and the controls that it holds for."""

    def __init__(self, options, scope, literals, is_whole, n_copies):
        self.options, self.scope, self.is_case, self.is_whole = options, scope, [], is_whole
        self.na = set(USUAL_NA if options.na is None else [""] + options.na.split(","))
        if scope.get("one_per"):
            raise NotChecked("one literal of each group (--one-per) is not known here; ireland verify checks it")
        need(not scope["test"], "samples were held out by ireland's random numbers: fit a file of the training samples instead")
        self.copies = self.count_copies(*self.read_labels())
        times = n_copies // sum(self.copies)  # the unit of weights is smaller if samples that are left out need that: the claim is the same
        self.copies = [c * times if scope["weight_column"] and 1 < times < 1000 else c for c in self.copies]
        self.n = [sum(c for c, y in zip(self.copies, self.is_case) if y == kind) for kind in (True, False)]
        self.columns = self.read_literals(literals)

    def rows(self):
        """All rows, one after another; `at` has the places of the columns."""
        with (gzip.open if self.options.data.endswith(".gz") else open)(self.options.data, "rt", encoding="utf-8-sig",
                                                                         errors="surrogateescape", newline="") as file:
            first = file.readline()
            comma = self.options.delimiter or max(",;\t|", key=first.count)
            source = ([cell.strip() for cell in row] for row in csv.reader(itertools.chain([first], file), delimiter=comma))
            names = next(source)
            if self.options.no_header:
                source, names = itertools.chain([names], source), ["f%d" % i for i in range(1, len(names))] + [self.scope["target"]]
            self.at = {name: i for i, name in enumerate(names)}
            need(len(self.at) == len(names), "two columns have the same name")
            for row in source:
                if any(row) or len(names) == len(row) > 1:
                    need(len(row) == len(names), "a row of %d cells in %s" % (len(row), self.options.data))
                    yield row

    def read_labels(self):
        """The weight of each row, None where it is left out, and its stratum."""
        scope, weights, groups, special = self.scope, [], [], [self.scope[k] for k in ("target", "weight_column", "strata")]
        for row in self.rows():
            target, weight, strata = (None if name is None else self.at[name] for name in special)
            only, aside = (scope["only"] or "").split(","), special + (scope["ignore"] or "").split(",")
            used = [i for name, i in self.at.items() if name not in aside and (not scope["only"] or name in only)]
            is_known = row[target] in (scope["positive"], scope["negative"]) or (scope["vs_rest"] and row[target] not in USUAL_NA)
            need(is_known or row[target] in USUAL_NA, "an unknown label:", row[target])
            keep = is_known and not (scope["missing"] == "drop" and any(row[i] in self.na for i in used))
            keep = keep and (strata is None or row[strata] not in self.na)
            self.is_case.append((row[target] == scope["positive"]) != (scope["form"] == "cnf"))  # a CNF negates a rule for the others
            weights.append(Fraction(row[weight] if weight is not None else 1) if keep else None)
            groups.append(row[strata] if strata is not None else None)
        return weights, groups

    def count_copies(self, weights, groups):
        """A sample of weight w counts w / unit times; the unit is the greatest common one, or that of rounding."""
        if self.scope["strata"] is not None:  # a case weighs 1 over the cases of its stratum, scaled to a mean of 1
            counts = {}
            for w, s, y in zip(weights, groups, self.is_case):
                counts.setdefault(s, [0, 0])[y] += w is not None
            both = {s: pair for s, pair in counts.items() if all(pair)}
            n = sum(map(sum, both.values()))
            weights = [Fraction(n, 2 * len(both) * both[s][y]) if w is not None and s in both else None
                       for w, s, y in zip(weights, groups, self.is_case)]
        self.n_samples = sum(w is not None for w in weights)
        known, unit = {w for w in weights if w}, self.scope["rounded_to"]
        need(known and min(known) > 0, "the weights are not above 0")
        if unit:
            return [0 if not w else max(1, math.floor(float(w) / unit + 0.5)) for w in weights]
        scale = math.lcm(*(w.denominator for w in known))
        unit = Fraction(math.gcd(*(int(w * scale) for w in known)), scale)
        return [int((w or 0) / unit) for w in weights]

    def read_literals(self, literals):
        """Block by block, each distinct cell of a column once."""
        by_column, parts, first, source = {}, [([], []) for _ in literals], 0, self.rows()
        for number, literal in enumerate(literals):
            by_column.setdefault(literal.column, []).append(number)
        while rows := list(itertools.islice(source, 8192)):
            here = range(first, first + len(rows))
            places = [[i - first for i in here if self.is_case[i] == kind for _ in range(self.copies[i])] for kind in (True, False)]
            cells_of, first = list(zip(*rows)), first + len(rows)
            for name, numbers in by_column.items():
                need(name in self.at, "there is no column '%s'" % name)
                cells = [[cells_of[self.at[name]][i] for i in place] for place in places]
                seen = set(cells[0] + cells[1])
                need(not self.is_whole or not seen & self.na, "column '%s' misses values, so it cannot be negated" % name)
                for number in numbers:
                    digit = {cell: "01"[holds(literals[number], cell, self.na)] for cell in seen}
                    for kind in (0, 1):
                        parts[number][kind].append("".join(map(digit.__getitem__, cells[kind])))
        return [(to_bits(cases), to_bits(controls)) for cases, controls in parts]


def weigher(weights):
    """A function for the weight of a set of samples: equal weights together, or digit by digit."""
    groups, planes = {}, {}
    for i, weight in enumerate(weights):
        groups[weight] = groups.get(weight, 0) | 1 << i
        for b in members(weight):
            planes[1 << b] = planes.get(1 << b, 0) | 1 << i
    parts = list((groups if len(groups) <= len(planes) else planes).items())
    if len(parts) == 1:
        return lambda bits, factor=parts[0][0]: factor * bits.bit_count()
    return lambda bits: sum([weight * (bits & part).bit_count() for weight, part in parts])


# ---- the certificate ----------------------------------------------------------------------------------------------------

class Checker:
    def __init__(self, options, file, at=0, ahead=None):
        self.options, self.file, self.at, self.ahead, self.nodes, self.listed, self.refuted, self.rules = options, file, at, ahead, 0, 0, [], None
        self.began = self.shown = time.monotonic()

    def line(self):
        self.at += 1
        text, self.ahead = self.ahead or self.file.readline(), None
        need(text.endswith("\n"), "the file ends")
        return text[:-1]

    def expect(self, pattern):
        """The words of a line in the places of #, numbers without sign or leading zeros."""
        match = re.fullmatch(pattern.replace("#", "(0|[1-9][0-9]{0,17})"), self.line(), re.ASCII)
        need(match, "'%s' is expected here" % pattern)
        return [int(word) if word.isdigit() else word for word in match.groups()]

    def run(self):
        version, = self.expect("ireland certificate #")
        need(version == VERSION, "version %d is not known here, only %d" % (version, VERSION))
        self.scope = json.loads(self.expect("scope (.*)")[0])
        sizes = self.expect("data [0-9a-f]{16} samples # cases # controls # features #")
        self.features = [literal_of(entry) for entry in json.loads(self.expect("features (.*)")[0])]
        self.K, self.M, self.negations, self.max_literals, self.min_cases, self.max_controls = self.expect(
            "limits K # M # negations # literals # cases # controls #")
        loss, self.w1, self.w0, self.penalty, self.best = self.expect("loss (weighted|hamming) case # control # penalty # best #")
        form, = self.expect("samples (plain|merged)")
        need(0 < self.K <= 64 and 0 < self.M <= 64 and self.negations < 2 and self.w1 and self.w0 and self.features, "there are no such limits")
        self.is_hamming, is_merged, self.is_plain = loss == "hamming", form == "merged", loss == "weighted" and not self.penalty
        self.table = Table(self.options, self.scope, self.features, self.negations, sizes[0])
        n1, n0 = self.table.n
        need(sizes == [n1 + n0, n1, n0, len(self.features)] and self.scope["samples"] == self.table.n_samples,
             "the certificate is for other data: here are %d cases and %d controls" % (n1, n0))
        self.check_claim(n1, n0)
        self.columns, self.weights, self.offset, self.case_of = self.table.columns, [[self.w1] * n1, [self.w0] * n0], 0, range(n1)
        self.prepare()
        self.check_rule()
        if is_merged:
            need(self.is_plain and self.min_cases == 0 and self.max_controls == n0, "samples cannot be merged here")
            self.merge()
        self.node(State(self.K, self.all_cases, self.all_controls, 0, self.offset, 0), 0)
        nodes, = self.expect("end # [0-9a-f]{16}")
        self.ahead = self.file.readline()  # the next certificate
        need(nodes == self.nodes and (not self.ahead or self.ahead.startswith("ireland certificate ")), "there are %d nodes, and nothing after the end" % self.nodes)
        need(not self.ahead or self.options.rule is None, "several certificates, each of a rule of its own: give no rule")

    def check_claim(self, n1, n0):
        """The numbers are what the words of the scope say, on these samples."""
        scope, slack = self.scope, Fraction(1, 10 ** 6)
        need(not scope["plain"] and not scope["pool"] and scope["complexity"] is None and scope["budget"] is None and
             scope["form"] in ("dnf", "cnf") and scope["loss"] == ("hamming" if self.is_hamming else "weighted") and
             (scope["K"], scope["M"], scope["max_literals"] or 0) == (self.K, self.M, self.max_literals), "the scope is of other rules")
        need(not self.negations or (scope["negations"] and all(x.relation[:2] == "is" and x.missing is None for x in self.features)), "only 0/1 columns are negated")
        need(scope["literals"] == len(self.features) * (1 + self.negations), "the scope has %s literals" % scope["literals"])
        least, other = (Fraction(str(scope["min_" + name])) for name in ("sensitivity", "specificity"))
        if scope["form"] == "cnf":
            least, other = other, least
        need(self.min_cases == max(0, math.ceil(least * n1 - slack)) and self.max_controls == min(n0, math.floor((1 - other) * n0 + slack)),
             "the scope has another least sensitivity or specificity")
        pair = {"unit": (1, 1), "balanced": (n0, n1)}[scope["weights"]]
        need(any((self.w1, self.w0) == (pair[0] * 10 ** i, pair[1] * 10 ** i) for i in range(7)), "the scope has other weights")
        exact = Fraction(str(scope["penalty"])) * (self.w1 * n1 + self.w0 * n0)
        need((exact > 0) == (self.penalty > 0) and (abs(exact - self.penalty) <= Fraction(1, 2) + slack or exact < 1 == self.penalty),
             "the scope has another penalty")
        self.max_uncovered, self.max_hit = self.w1 * (n1 - self.min_cases), self.w0 * self.max_controls
        self.counts_literals = bool(self.penalty or self.max_literals)
        self.max_literals = self.max_literals or self.K * self.M

    def prepare(self):
        self.all_cases, self.all_controls = ((1 << len(weights)) - 1 for weights in self.weights)
        self.weigh, self.weigh0 = map(weigher, self.weights)
        if self.negations:
            self.columns = self.columns + [(self.all_cases & ~p, self.all_controls & ~n) for p, n in self.columns]

        digits, n = "".join(bin(p | 1 << len(self.weights[0]))[:2:-1] for p, _ in self.columns), len(self.weights[0])
        order = sorted(range(len(self.columns)), key=lambda j: self.weigh(self.columns[j][0]))
        self.numbers, self.order = order, [self.columns[j] for j in order]  # ascending cases, so that first literals leave few others
        self.rows = [to_bits(digits[i + n * j] for j in order) for i in range(n)]  # the columns of that order that hold for a case

    def merge(self):
        """Lemma 5: samples of equal features as one. All that a rule loses beyond the offset is a multiple of the unit."""
        columns, found, keys = self.table.columns, {}, []
        for kind, n in enumerate(self.table.n):
            digits = "".join(bin(column[kind] | 1 << n)[:2:-1] for column in columns)
            keys.append([digits[i::n] for i in range(n)])
            for key in keys[kind]:
                found.setdefault(key, [0, 0])[kind] += (self.w1, self.w0)[kind]
        self.offset = sum(map(min, found.values()))
        chosen = [[key for key, w in found.items() if w[kind] > w[1 - kind]] for kind in (0, 1)]
        self.weights = [[abs(found[key][0] - found[key][1]) for key in part] for part in chosen]
        place = {key: i for i, key in enumerate(chosen[0])}
        self.case_of = [place.get(key) for key in keys[0]]
        self.columns = [tuple(to_bits(key[j] for key in part) for part in chosen) for j in range(len(columns))]
        self.prepare()
        unit = math.gcd(*self.weights[0], *self.weights[1]) or 1
        if self.best > self.offset:
            self.best = self.offset + (self.best - 1 - self.offset) // unit * unit + 1

    def read_clause(self, words):
        """Numbers of columns (that of a negation stands after those of all features), and what the clause covers."""
        matches = [re.fullmatch("(!?)([1-9][0-9]{0,8})", word, re.ASCII) for word in words]
        need(0 < len(words) <= self.M and all(m and int(m[2]) <= len(self.features) and self.negations >= len(m[1]) for m in matches), "no clause")
        numbers = [int(m[2]) - 1 + len(m[1]) * len(self.features) for m in matches]
        return numbers, self.cover(numbers)

    def check_rule(self):
        """The rule of the file is the one of the certificate, is within the limits, and its loss is the one claimed."""
        rule = {}
        if self.options.rule is not None:
            with open(self.options.rule, encoding="utf-8", errors="surrogateescape") as file:
                rule = json.load(file)
        label = rule.get("negative" if self.scope["form"] == "cnf" else "positive", self.scope["positive"])
        self.rule_numbers = self.read_rule()
        need(rule.get("scope", self.scope) == self.scope and rule.get("target", self.scope["target"]) == self.scope["target"] and
             label == self.scope["positive"] and len(rule.get("clauses", self.rule_numbers)) == len(self.rule_numbers), "it is for another rule")
        meanings = {entry["name"]: literal_of(entry) for entry in rule.get("literals", [])}
        self.known = self.features + [opposite(x) for x in self.features]
        for names, numbers in zip(rule.get("clauses", []), self.rule_numbers):
            own = [meanings.get(x) or (opposite(meanings.get(x[1:]) or literal_of(x[1:])) if x[0] == "!" else literal_of(x)) for x in names]
            need(sorted(map(str, own)) == sorted(str(self.known[x]) for x in numbers), "the rule has another clause")
        state = self.state_of(self.rule_numbers)
        self.final_covers = self.table.n[0] - state.cases.bit_count(), state.hit.bit_count()
        self.loss = state.cost + self.weigh(state.cases)
        need(self.loss == self.best, "the rule has loss", self.loss)
        need(self.is_within(state), "the rule is not within the limits")

    def read_rule(self):
        """The numbers of its columns, clause by clause."""
        n, = self.expect("rule #")
        need(n <= self.K, "a rule of %d clauses" % n)
        return [self.read_clause(str(self.expect("clause (.*)")[0]).split(" "))[0] for _ in range(n)]

    def state_of(self, rule):
        state = State(self.K, self.all_cases, self.all_controls, 0, self.offset, 0)
        for numbers in rule:
            state = self.take(state, self.cover(numbers))
        return state

    def cover(self, numbers):
        cases, controls = self.all_cases, self.all_controls
        for number in numbers:
            cases, controls = cases & self.columns[number][0], controls & self.columns[number][1]
        return cases, controls, len(numbers)

    # ---- states ----

    def take(self, s, clause):
        cases, controls, size = clause
        cost = s.cost + self.penalty * (1 + size) + self.weigh0(controls if self.is_hamming else controls & s.controls)
        controls_left = s.controls if self.is_hamming else s.controls & ~controls
        return State(s.left - 1, s.cases & ~cases, controls_left, s.hit | controls, cost, s.literals + size)

    def is_within(self, s):
        return self.weigh(s.cases) <= self.max_uncovered and self.weigh0(s.hit) <= self.max_hit and s.literals <= self.max_literals

    def check_not_better(self, s):
        need(s.cost + self.weigh(s.cases) >= self.best or not self.is_within(s), "there is a better rule")

    def gain(self, s):
        return self.weigh(s.cases) + s.cost - (self.best - 1)

    def room(self, s):
        """What one more clause may cost, which controls it may add, and how many literals it may have."""
        controls = math.inf if self.is_hamming else self.max_hit - self.weigh0(s.hit)
        return self.best - 1 - s.cost, controls, min(self.M, self.max_literals - s.literals)

    def least_value(self, s):
        """Lemma 1: the values r (a - c) - b, by the Hamming loss r (a - b - c), of at most r clauses sum up to r g. So one
        is at least g; if g < 0 at least r g, unless plain costs let s <= r clauses have s a - b >= g for one of them."""
        g = self.gain(s)
        return g if g >= 0 or self.is_plain else s.left * g

    def least_cover(self, s):
        """The r clauses have to cover cases of this weight together, so one of them covers a share of 1/r."""
        must = self.weigh(s.cases) - min(self.best - 1 - s.cost, self.max_uncovered)
        return max(1, -(-must // s.left))

    # ---- nodes ----

    def node(self, parent, depth):
        """Checks a node with all below it and returns its clause, which no better rule has together with the parent's."""
        words, state, clause = self.line().split(" "), parent, None
        at, kind = self.at, next((i for i, word in enumerate(words) if word in ("list", "branch", "kept", "all")), 0)
        need(words[0] == str(depth) and kind and (kind == 1) == (depth == 0), "a node of depth %d is expected here" % depth)
        self.nodes += 1
        if depth:
            clause = self.read_clause(words[1:kind])[1]
            state = self.take(parent, clause)
        if words[1:2] == ["all"]:
            need(len(words) == 4 and all(re.fullmatch("[0-9]{1,17}", word, re.ASCII) for word in words[2:]), "no such node")
            return self.check_all(state, int(words[2]), int(words[3]))
        self.check_not_better(state)
        words, n_refuted = words[kind:], len(self.refuted)
        has_set = len(words) == 3 and depth == 0 and self.is_plain and re.fullmatch("[0-9]{1,17}", words[1], re.ASCII)
        if words[0] == "branch":
            need(len(words) == 3 and words[1] in ("value", "cover") and re.fullmatch("[0-9]{1,9}", words[2], re.ASCII), "no branch")
            need(words[2] == "0" or state.left > 1, "no clause is left for children")
            for _ in range(int(words[2])):
                self.refuted.append(self.node(state, depth + 1))
        need(words[0] == "branch" or words == ["list"] or has_set, "no such node")
        self.at, last = at, self.at  # what is refused now is so for this line
        if words[0] == "kept":
            need(not self.counts_literals and self.min_cases == 0 and self.max_controls == self.table.n[1], "no such node with these limits")
            self.check_kept(state, int(words[1]), self.set_of(words[2]))
        elif state.left and self.weigh0(state.hit) <= self.max_hit:  # no clause takes covered controls back
            self.inquire(state, words)
        self.at = last
        del self.refuted[n_refuted:]  # those of its children hold with its own clauses only
        return clause

    def set_of(self, digits):
        """Cases in hexadecimal, the lowest bit of a digit first; of merged samples those that hold one of them."""
        need(len(digits) == (len(self.case_of) + 3) // 4 and re.fullmatch("[0-9a-f]*", digits), "no set of cases")
        places = [i for i in range(4 * len(digits)) if int(digits[i // 4], 16) >> i % 4 & 1]
        need(not places or places[-1] < len(self.case_of), "no set of cases")
        return sum(1 << i for i in {self.case_of[i] for i in places} - {None})

    def inquire(self, s, words):
        """Every clause of which lemma 1 says that a better rule has one is dominated by a refuted one (lemma 4), or is in
        the list that is gone through. Where a set is given, lemmas 2 and 3 with a multiplier of 1 for each of its cases."""
        counted, least, cover, largest, options = s.cases, -math.inf, 1, math.inf, {}
        if words[0] == "branch":
            least = self.least_value(s) if words[1] == "value" or s.left == 1 else least
            cover = self.least_cover(s) if words[1] == "cover" or s.left == 1 else cover
        elif len(words) == 3:
            counted &= ~self.set_of(words[2])
            g = self.gain(s) - self.weigh(s.cases & ~counted)
            largest = max(int(words[1]), g)
            least = s.left * g - (s.left - 1) * largest
            need(least > 0, "that leaves no threshold for values")
        answers = [(p & s.cases, n & s.controls, size if self.counts_literals else 0) for p, n, size in self.refuted]
        for p, n, size, value, _ in self.clauses(s, counted, least, cover):
            need(value <= largest, "a clause has a larger value")
            p, n = p & s.cases, n & s.controls
            if any(not p & ~q and not m & ~n and length <= size for q, m, length in answers):
                continue
            if words[0] == "branch" and s.left == 1:
                self.check_not_better(self.take(s, (p, n, size)))
                continue
            need(words[0] == "list", "nothing is said about a clause of %d literals" % size)
            options[p, n] = min(size, options.get((p, n), size))
        if words[0] == "list":
            self.choose(s, self.without_dominated(options))

    def progress(self, n):
        now = time.monotonic()
        if n > MOST or (self.options.time_limit and now - self.began > self.options.time_limit):
            raise NotChecked("a list of more than %d clauses" % MOST if n > MOST else "the time limit")
        if now - self.shown > 5 and not self.options.quiet:
            self.shown = now
            print("  line %d, %d clauses listed, %.0f s" % (self.at, self.listed, now - self.began), file=sys.stderr)

    def clauses(self, s, counted, least, cover):
        """All clauses that reach value and cover and that loss and limits allow, depth first: cases only shrink as literals
        are added, and of the controls each further literal removes at most what it removes by itself."""
        r, (budget, room, top), weigh, weigh0 = s.left, self.room(s), self.weigh, self.weigh0
        factor, n_first = r if self.is_hamming else 1, self.listed

        def allowed(a, b, size):
            c = self.penalty * (1 + size)
            return a >= cover and b <= room and b + c <= budget and r * (a - c) - factor * b >= least

        def close(p, alive, most):
            """The columns of `alive` that miss cases of weight at most `most` among those of p: binary counters, one per column,
            start so that they overflow at the first one too many, each of at least the lightest weight."""
            most //= lightest
            planes = [alive if (1 << most.bit_length()) - 1 - most >> k & 1 else 0 for k in range(most.bit_length())]
            for i in members(p & counted):
                carry = alive & ~self.rows[i]
                for k, plane in enumerate(planes):
                    planes[k], carry = plane ^ carry, plane & carry
                    if not carry:
                        break
                alive &= ~carry
                if not alive:
                    break
            return alive

        def extend(b0, candidates, size, path):
            """`candidates`: columns by number; what the path covers with each of them, and the weights of that."""
            self.progress(self.listed - n_first)
            more = sum(sorted((b0 - x[1] for x in candidates.values()), reverse=True)[:top - size])
            candidates = {j: x for j, x in candidates.items() if allowed(x[0], max(0, x[1] - more), size)}
            after, numbers = sum(1 << j for j in candidates), list(candidates)
            for place, j in enumerate(numbers):
                a, b, p, n = candidates[j]
                after ^= 1 << j
                if allowed(a, b, size):
                    self.listed += 1
                    yield p, n, size, r * (a - self.penalty * (1 + size)) - factor * b, path + (j,)
                if size == top or not after:
                    continue
                slack = a - max(cover, -math.inf if least == -math.inf else -(-least // r) + self.penalty * (2 + size))
                is_short = lightest <= slack < 100 * lightest and len(candidates) > FEW
                found = {}
                for i in members(close(p, after, slack)) if is_short else numbers[place + 1:] if slack >= 0 else ():
                    a1, b1, p1, n1 = candidates[i]
                    low = max(0, b + b1 - b0) if size + 1 == top else 0
                    if allowed(min(a, a1), low, size + 1):
                        a1 = weigh(p & p1 & counted)
                        if allowed(a1, low, size + 1):
                            found[i] = (a1, weigh0(n & n1 & s.controls), p & p1, n & n1)
                if found:
                    yield from extend(b, found, size + 1, path + (j,))
        if top > 0 and budget >= 0:
            lightest = min(self.weights[0], default=1) if self.weigh is not int.bit_count else 1
            first = {j: (weigh(p & counted), weigh0(n & s.controls), p, n) for j, (p, n) in enumerate(self.order)}
            yield from extend(weigh0(s.controls), first, 1, ())

    def without_dominated(self, options):
        """Lemma 4 within a list. For each case a set of the clauses kept that cover it: what dominates is in all of them."""
        kept, by_case = [], {}
        for p, n in sorted(options, key=lambda x: (-self.weigh(x[0]), self.weigh0(x[1]), options[x])):
            size, left = options[p, n], (1 << len(kept)) - 1
            for i in members(p):
                left &= by_case.get(i, 0)
                if not left:
                    break
            if any(not kept[k][1] & ~n and (kept[k][2] <= size or not self.counts_literals) for k in members(left)):
                continue
            for i in members(p):
                by_case[i] = by_case.get(i, 0) | 1 << len(kept)
            kept.append((p, n, size))
        return kept

    def choose(self, s, options):
        """No r clauses of a list make a better rule. The one of largest value has at least g; with the others the values sum
        up to r g (lemma 1), and the a - c less the largest b to g (lemma 8 with multipliers of 1)."""
        self.progress(0)
        r, g, (budget, room, _), weigh, weigh0, found = s.left, self.gain(s), self.room(s), self.weigh, self.weigh0, []
        for p, n, size in options:
            a, c = weigh(p & s.cases), self.penalty * (1 + size)
            b = weigh0(n & s.controls) if a else 0
            if a and b <= room and b + c <= budget and s.literals + size <= self.max_literals:
                found.append((r * (a - b - c) if self.is_hamming else r * (a - c) - b, a - c, b, (p, n, size)))
        found.sort(key=lambda x: -x[0])
        least = self.least_value(s)
        for i, (v, a, b, clause) in enumerate(found):
            if v < least:
                break
            state = self.take(s, clause)
            self.check_not_better(state)
            if r == 1 or i + 1 == len(found):
                continue
            rest = r * g - v - max(0, found[i + 1][0]) * (r - 2)
            top = sum(max(0, x[1]) for x in sorted(found[i + 1:], key=lambda x: -x[1])[:r - 2]) if r > 2 else 0
            after = itertools.takewhile(lambda x: x[0] >= rest, itertools.islice(found, i + 1, None))
            after = [x[3] for x in after if self.is_hamming or a + x[1] + top - max(b, x[2]) >= g]
            if r == 2 and self.is_plain:  # pairs that gain enough
                g2, cases, controls = g - a + b, state.cases, state.controls
                after = [x for x in after if weigh(x[0] & cases) - weigh0(x[1] & controls) >= g2]
            if after:
                self.choose(state, after)

    # ---- all rules ----

    def check_all(self, s, most, n):
        """Lemma 10: the n rules that follow are all of a loss of at most `most` in which nothing is superfluous."""
        need(most >= self.loss, "the rule itself has loss", self.loss)
        line, self.most, self.best = self.at, most, most + 1
        self.rules = set()
        for _ in range(n):
            self.rules.add(self.read_listed())
        self.at, last = line, self.at
        need(len(self.rules) == n, "a rule is there twice")
        self.find_all(s, frozenset(), frozenset())
        self.at = last

    def read_listed(self):
        rule = frozenset(frozenset(numbers) for numbers in self.read_rule())
        s = self.state_of(rule)
        need(self.is_within(s) and self.loss <= s.cost + self.weigh(s.cases) < self.best and self.is_tight(rule, s),
             "a rule of the list is not within the limits, of another loss, or something in it is superfluous")
        return rule

    def is_tight(self, rule, s):
        """Without any clause, or any literal of a longer one, the loss is larger, or the limits are left."""
        parts = [rule - {c} for c in rule] + [rule - {c} | {c - {j}} for c in rule if len(c) > 1 for j in c]
        return not any(self.is_within(t) and t.cost + self.weigh(t.cases) <= s.cost + self.weigh(s.cases) for t in map(self.state_of, parts))

    def find_all(self, s, rule, met):
        """Each clause of such a rule covers a case by itself, and each of its literals leaves out a control that counts. Of
        those that are left one has the value of lemma 1. Rules with the clauses of `met` were met before."""
        if self.is_within(s) and s.cost + self.weigh(s.cases) < self.best:
            need(rule in self.rules or not self.is_tight(rule, s), "a rule of %d clauses is not on the list" % len(rule))
        found = [] if not s.left or self.weigh0(s.hit) > self.max_hit else self.clauses(s, s.cases, self.least_value(s), 1)
        for p, n, _, _, path in list(found):
            clause = frozenset(self.numbers[j] for j in path)
            if clause not in met and not any(self.cover(clause - {j})[1] & s.controls == n & s.controls for j in clause if len(clause) > 1):
                self.find_all(self.take(s, (p, n, len(clause))), rule | {clause}, met)
                met |= {clause}

    # ---- few cases ----

    def check_kept(self, s, least, kept):
        """Lemma 7: where g > r e (T - 1), a better rule adds a clause of value g that covers T kept cases: it is in this list."""
        need(kept and 0 < least <= kept.bit_count(), "so many cases cannot be kept, or not be covered")
        weigh, self.weigh, options = self.weigh, int.bit_count, {}
        for p, n, size, _, _ in self.clauses(s, kept, -math.inf, least):
            options[p, n] = size
        self.weigh = weigh
        self.kept_node(s, self.without_dominated(options), (least, kept, min(self.weights[0][i] for i in members(kept))))

    def kept_node(self, s, options, few):
        least, kept, e = few
        self.progress(0)
        self.check_not_better(s)
        r, live, budget = s.left, kept & s.cases, self.best - 1 - s.cost
        if not r or budget < 0:
            return
        g = e * live.bit_count() - budget
        if g <= r * e * (least - 1):  # the list is too short for it: all clauses of lemma 1, on all cases
            anew = {(p & s.cases, n & s.controls): size for p, n, size, _, _ in self.clauses(s, s.cases, self.least_value(s), 1)}
            for clause in self.without_dominated(anew):
                self.kept_node(self.take(s, clause), options, few)
            return
        here = [x for x in options if (x[0] & live).bit_count() >= least]
        b_of = {x: self.weigh0(x[1] & s.controls) for x in here}
        value = {x: r * e * (x[0] & live).bit_count() - b_of[x] for x in here}
        for clause in sorted((x for x in here if value[x] >= g and b_of[x] <= budget), key=value.get, reverse=True):
            here.remove(clause)  # each is refuted for those after it
            self.kept_node(self.take(s, clause), here, few)


def describe(c):
    """What has been checked, in words."""
    scope, by_column = c.scope, {}
    for x in c.features:
        by_column.setdefault(x.column, []).append(x.relation + ("" if x.value is None else " %s" % x.value))
    plain = all(texts == ["is 1"] for texts in by_column.values())
    columns = ["each of %d columns is 1" % len(by_column)] if plain else ["%s (%s)" % (n, ", ".join(t)) for n, t in itertools.islice(by_column.items(), 40)]
    limits = ["at most %d literals in all" % c.max_literals] * (scope["max_literals"] is not None)
    limits += ["at least %d cases and at most %d controls are covered" % (c.min_cases, c.max_controls)] * (c.max_hit < c.w0 * c.table.n[1] or c.min_cases > 0)
    limits += ["samples weighed by %s" % (scope["weight_column"] or scope["strata"])] * bool(scope["weight_column"] or scope["strata"])
    print("valid: no rule has less loss than %d (%d nodes, %d clauses listed)" % (c.loss, c.nodes, c.listed))
    if c.rules is not None:
        print("no rules but the %d that it lists have a loss of at most %d, unless something in them is superfluous" % (len(c.rules), c.most))
    if c.options.rule is None:
        text = lambda x: "%s %s%s" % (x.column, x.relation, "" if x.value is None else " %s" % x.value)
        print("rule: %s; it covers %d cases and %d controls" % (" OR ".join("(%s)" % " AND ".join(text(c.known[x]) for x in clause) for clause in c.rule_numbers) or "FALSE",
                                                             c.final_covers[0], c.final_covers[1]))
    print("cases: %d samples with %s %s '%s'; controls: %d others" % (c.table.n[0], scope["target"], "not" if scope["form"] == "cnf" else "=", scope["positive"], c.table.n[1]))
    print("rules: an OR of at most %d clauses, ANDs of at most %d of %d literals" % (c.K, c.M, scope["literals"]), *limits, sep="; ")
    if scope["form"] == "cnf":
        print("the CNF of the scope is the negation of such a rule, with the opposite literals")
    print("loss (%s): %d for each case that is left out, %d for each control that is covered%s, %d for each clause and each literal" % (
        scope["loss"], c.w1, c.w0, " by a clause" if c.is_hamming else "", c.penalty))
    print("literals%s: %s%s" % (", negated too" if c.negations else "", "; ".join(columns), "; and others" if len(by_column) > 40 and not plain else ""))
    print("not checked here: that options of fit (cuts: %s, forbid: %s) lead to these literals" % (scope["cuts"], scope["forbid"]))


def arguments(program, about):
    """Those that ireland-veripb has too."""
    if sys.version_info < (3, 10):
        sys.exit("%s needs Python 3.10 or later" % program)
    parser = argparse.ArgumentParser(prog=program, description=about.split("\n")[0])
    parser.add_argument("rule", nargs="?")
    parser.add_argument("data")
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--delimiter")
    parser.add_argument("--na", help="texts of missing values, separated by commas")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS")
    for name in ("--no-header", "--quiet"):
        parser.add_argument(name, action="store_true")
    return parser


def main():
    return check(arguments("ireland-check", __doc__).parse_args())


def check(options):
    """The exit code: 0 valid, 3 refused, 4 not checked."""
    checker = None
    try:
        with open(options.certificate, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            while checker is None or checker.ahead:
                checker = Checker(options, file, *(checker.at, checker.ahead) if checker else ())
                checker.run()
                describe(checker)
    except NotChecked as reason:
        return print("not checked:", reason) or 4
    except (Refused, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, csv.Error, OSError) as reason:
        what = str(reason) if isinstance(reason, Refused) else "%s: %s" % (type(reason).__name__, reason)
        return print("refused: %s:%d: %s" % (options.certificate, checker.at if checker else 0, what)) or 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
