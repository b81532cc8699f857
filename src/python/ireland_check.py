#!/usr/bin/env python3
"""ireland-check [RULE.json] DATA.csv --certificate FILE: checks that no rule is better than this.

What has to be believed is this file; src/doc/method.md proves the lemmas that it names. Claim. A
literal is a condition that the certificate lists (or the opposite of one, if the limits say so), a
clause an AND of at most M literals, a rule an OR of at most K clauses. Its loss is w1 * (cases that
it leaves out) + w0 * (controls that it covers; by the Hamming loss, that each clause covers) + P *
(1 + literals) for each clause. No rule within the limits has less than that of the certificate.
Proof. Suppose there is a better rule; take one with the fewest clauses, so that each covers a case
that the others do not. A node stands for such rules with the clauses S on the way to it; children
come before what is said of their parent. With r clauses left, a and b are the weights of cases and
controls that a clause newly covers, c its penalty, g the gain that a better rule still needs."""
import argparse, bisect, csv, functools, gzip, json, math, re, signal, sys, time
from collections import Counter, defaultdict, namedtuple
from fractions import Fraction
from itertools import chain, compress, count
from operator import add, and_, or_

VERSION, MOST, FAR = 3, 3000000, 10 ** 40  # MOST: clauses of a list; FAR: beyond every loss
USUAL_NA = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.".split(",")
CHOICES = "cuts", "only", "ignore", "forbid", "het", "group", "fold_column", "one_per"
MOST_UNITS = 1 << 40  # that all weights may have together, if they are exact
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.I | re.ASCII)
RELATIONS = {"is 1": ("is 0", type(None)), "is 0": ("is 1", type(None)), "<=": (">", (int, float)),
             ">": ("<=", (int, float)), "=": ("!=", str), "!=": ("=", str),  # opposite; its values
             "is het": ("is not het", type(None)), "is not het": ("is het", type(None))}
NODE = ("#((?: !?[0-9]+)*) (list|(?:list|kept) [0-9]{1,17} [0-9a-f]+|all [0-9]{1,17} [0-9]{1,17}|"
        "branch (?:value|cover|size [0-9]{1,9}) [0-9]{1,17})")
Literal = namedtuple("Literal", "column relation value missing")  # missing: its answer there
# Sets, as integers; which literals it has; with its controls 64 bits for literals, if they count.
Clause = namedtuple("Clause", "cases controls numbers paid cost")
# What is listed: clauses of `first` to `last` literals of that value, their cases counted r times.
Wanted = namedtuple("Wanted", "least cover r first last")
# Cases left uncovered, controls that a further clause pays for, controls covered, cost so far.
State = namedtuple("State", "left cases controls hit cost rule")
class Refused(Exception): """The certificate does not show the claim."""
class NotChecked(Exception): """A limit came first."""

def need(holds, *words):
    if not holds:
        raise Refused(" ".join(map(str, words)))

# ---- sets as integers ----
def to_bits(digits):
    return int("".join(digits)[::-1] or "0", 2)

def flags(bits):
    return bin(bits)[:1:-1].encode().translate(bytes.maketrans(b"01", b"\0\1"))

def members(bits):
    return compress(count(), flags(bits))

def weigher(weights):
    """A function for the weight of a set, by the binary digits of weights over their divisor."""
    parts, unit = defaultdict(int), math.gcd(*weights) or 1
    for i, w in enumerate(weights):
        for k in members(w // unit):
            parts[unit << k] |= 1 << i
    def weigh(bits):
        return sum([w * (bits & part).bit_count() for w, part in parts.items()])
    weigh.counted, weigh.heaviest = to_bits("01"[w > 0] for w in weights), max([1, *weights])
    return weigh

def turn(sets, n_samples):
    """For each sample a set: of the numbers of the sets that have it."""
    text = "".join([format(x, "0%db" % n_samples) for x in reversed(sets)])
    return [int(text[n_samples - 1 - i::n_samples] or "0", 2) for i in range(n_samples)]

# ---- the table: labels, weights, and the answers of all literals as digits ----
def literal_of(entry):
    """A name: that column is 1; an object: what it says."""
    entry = {"column": entry, "is": "is 1"} if isinstance(entry, str) else entry
    x = Literal(entry["column"], entry["is"], entry.get("value"), entry.get("missing"))
    need(isinstance(x.value, RELATIONS[x.relation][1]), "no literal:", entry)
    return x

def opposite(x):
    missing = None if x.missing is None else not x.missing
    return Literal(x.column, RELATIONS[x.relation][0], x.value, missing)

def holds(x, cell, na):
    """The one coding of cells; 0/1 are numbers that are at most 0 or not."""
    if cell in na:
        return bool(x.missing)
    if x.relation in ("=", "!="):
        return (cell == x.value) == (x.relation == "=")
    is_allele = x.relation[-3:] == "het"
    need(NUMBER.fullmatch(cell) and (x.value is not None or float(cell) in range(2 + is_allele)),
         "'%s' in column '%s' is no number, or not 0 or 1" % (cell[:40], x.column))
    if is_allele:
        return (float(cell) == 1) == (x.relation == "is het")
    return (float(cell) <= (x.value or 0)) == (x.relation in ("<=", "is 0"))

def read_rows(options):
    """Row by row the cells by the names of their columns."""
    with (gzip.open if options.data.endswith(".gz") else open)(
            options.data, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        first = file.readline()
        delimiter = options.delimiter or max(",;\t|", key=first.count)
        rows = (list(map(str.strip, row)) for row in csv.reader(chain([first], file),
                                                                delimiter=delimiter))
        names = next(rows)
        if options.no_header:
            rows = chain([names], rows)
            names = ["f%d" % i for i in range(1, len(names))] + ["y"]
        need(len(set(names)) == len(names), "two columns have the same name")
        for row in rows:
            if any(row) or len(names) == len(row) > 1:
                need(len(row) == len(names), "a row of %d cells in %s" % (len(row), options.data))
                yield dict(zip(names, row))

def read_samples(options, scope, literals, negations, cells):
    """Of each sample with a label: is it a case (a CNF is the negation of a rule for the others),
    its weight, its stratum, a digit for each literal, and whether it is kept. Fills in how often
    each cell is in a column of a stratum, if missing values are imputed."""
    na = set(USUAL_NA if options.na is None else [""] + options.na.split(","))
    names = next(read_rows(options)).keys()
    aside = [scope[x] for x in ("target", "weight_column", "strata")]
    sets = {scope.get("group"), scope.get("fold_column")} - {None}
    only, ignored = ({x for line in (scope[option] or "").split("\n") for x in (
        [line] if line in names else line.split(","))} for option in ("only", "ignore"))
    usable = {x for x in names if x in only or not scope["only"]} - ignored - sets - {*aside}
    columns, filled, others = [x.column for x in literals], set(), set()
    need({*columns} <= usable, "there is no column '%s' for literals" %
         "', '".join({*columns} - usable))
    for row in read_rows(options) if scope["missing"] == "drop" else []:
        filled |= {x for x in usable | sets if row[x] not in na}  # one without values is no column
    @functools.cache
    def answer(j, cell):
        return "?" if negations and cell in na else "01"[holds(literals[j], cell, na)]
    for row in read_rows(options):
        label, weight, stratum = (row[name] if name is not None else None for name in aside)
        if label in USUAL_NA and label not in (scope["positive"], scope["negative"]):
            continue
        others |= {label} - {scope["positive"]}
        is_kept = stratum not in na and not any(row[x] in na for x in filled)
        for x in {*columns} if scope["missing"] == "impute" and is_kept else ():
            cells[stratum, x][row[x]] += row[x] not in na
        yield ((label == scope["positive"]) != (scope["form"] == "cnf"),
               1.0 if weight is None else float(weight), stratum,
               "".join(map(answer, count(), map(row.get, columns))), is_kept)
    need(others == {scope["negative"]} or (scope["vs_rest"] and scope["negative"] ==
         "not " + scope["positive"]), "the controls have other labels:", *sorted(others)[:9])

def read_groups(options):
    """Of lines COLUMN GROUP: a clause has at most one literal of the columns of a group."""
    if options.one_per is None:
        raise NotChecked("the claim takes one literal of each group: give --one-per FILE")
    with open(options.one_per, encoding="utf-8", errors="surrogateescape") as file:
        pairs = {tuple(line.split()) for line in file if line.strip() and line.split()[0][0] != "#"}
    need(all(len(x) == 2 for x in pairs) and len({x[0] for x in pairs}) == len(pairs),
         "a line has no group or more than one, or a column has two")
    return dict(pairs)

def in_units(weights, n):
    """To which unit the weights of n samples are rounded, and multiples of it. 0: they are of the largest unit of
    all, if that has at most nine decimals and does not make too many."""
    total = functools.reduce(add, weights, 0.0)
    need(total > 0 and min(weights) >= 0, "the weights are below 0, or all 0")
    exact = {w: Fraction(repr(w)) for w in {*weights}}
    power = math.lcm(*(x.denominator for x in exact.values()))
    unit = Fraction(math.gcd(*(int(x * power) for x in exact.values())), power)
    if 10 ** 9 % power == 0 and total / float(unit) <= MOST_UNITS:
        return 0, [int(exact[w] / unit) for w in weights]
    rounded = total / max(1 << 20, 8 * n)
    return rounded, [max(w > 0, math.floor(w / rounded + 0.5)) for w in weights]

def weigh_samples(samples, scope):
    """To which unit weights are rounded, and how many each sample has; None: it is left out, as
    are strata of one class. The cases of a stratum weigh as much as its controls, and as those of
    others. Weights of a column have the unit of all samples."""
    n = Counter((stratum, is_case) for is_case, _, stratum, _, is_kept in samples if is_kept)
    n = {key: n[key] for key in n if n[key[0], not key[1]]}
    sizes = [n.get((s, y)) if is_kept else None for y, _, s, _, is_kept in samples]
    weights, n_all = [weight for _, weight, _, _, _ in samples], len(samples)
    if scope["strata"] is not None:
        multiple, n_all = math.lcm(*n.values()), n_all - sizes.count(None)
        is_exact = len(n) * multiple <= MOST_UNITS
        weights = [size and (multiple // size if is_exact else n_all / (float(len(n)) * size)) or 0
                   for size in sizes]
    unit, units = in_units(weights, n_all)
    return unit, [n if size else None for n, size in zip(units, sizes)]

def check_missing(literals, scope, cells, strata):
    """A missing value is the lower median of a column or its most frequent text, if any."""
    @functools.cache
    def imputed(column, is_text):
        found = sum((cells[s, column] for s in strata), Counter())
        if not found.total():
            return None
        if is_text:
            return min(found, key=lambda x: (-found[x], x.encode(errors="surrogateescape")))
        return sorted(found.elements(), key=float)[(found.total() - 1) // 2]
    for x in literals:
        is_text, imputes = isinstance(x.value, str), scope["missing"] == "impute"
        value = imputed(x.column, is_text) if imputes else None
        need(x.missing == (None if value is None else holds(x, value, ())),
             "another answer where '%s' is missing" % x.column)

# ---- the certificate ----
class Checker:
    def __init__(self, options, file, at=0, ahead=None):
        self.options, self.file, self.at, self.ahead = options, file, at, ahead
        self.nodes, self.listed, self.refuted, self.rules = 0, 0, [], None
        self.shown = time.monotonic()

    def expect(self, pattern, name=None):
        """The words of a line in the places of #, which is a number, and of parentheses."""
        self.at += 1
        text, self.ahead = self.ahead or self.file.readline(), None
        need(text.endswith("\n"), "the file ends")
        match = re.fullmatch(pattern.replace("#", "(0|[1-9][0-9]{0,17})"), text[:-1], re.ASCII)
        need(match, "'%s' is expected here" % (name or pattern))
        return [int(word) if word.isdigit() else word for word in match.groups()]

    def run(self):
        version, = self.expect("ireland certificate #")
        need(version == VERSION, "version %d is not known here, only %d" % (version, VERSION))
        self.scope = json.loads(self.expect("scope (.*)")[0])
        sizes = self.expect("data [0-9a-f]{16} samples # cases # controls # features #")
        features = [literal_of(x) for x in json.loads(self.expect("features (.*)")[0])]
        limits = self.expect("limits K # M # negations # literals # cases # controls #")
        loss = self.expect("loss (weighted|hamming) case # control # penalty # best #")
        self.K, self.M, self.negations, self.max_literals, *self.limits = limits
        kind, *self.w, self.penalty, self.best = loss
        need(0 < self.K <= 64 and 0 < self.M <= 64 and self.negations < 2 and all(self.w) and
             features, "there are no such limits")
        self.literals = features + [opposite(x) for x in features] * self.negations
        self.n_features, self.is_hamming = len(features), kind == "hamming"
        self.is_plain = not self.is_hamming and not self.penalty
        self.read_table(sizes, self.expect("samples (plain|merged)") == ["merged"])
        self.check_rule()
        self.node(self.root, 0)
        nodes, = self.expect("end # [0-9a-f]{16}")
        self.ahead = self.file.readline()  # of the next certificate
        need(nodes == self.nodes and re.match("ireland certificate |$", self.ahead) and
             (not self.ahead or self.options.rule is None),
             "there are %d nodes, nothing after the end, one certificate for a rule" % self.nodes)

    def read_table(self, sizes, is_merged):
        """Samples as cases and controls with weights. Lemma 5: merged, equal ones are one with what
        is left of their weights. All that a rule loses beyond the offset is a multiple of unit."""
        scope = self.scope
        need(not scope["test"], "samples were held out at random: fit a file of the others")
        groups = read_groups(self.options) if scope.get("one_per") else {}
        self.group = [groups.get(x.column) for x in self.literals]
        self.n_groups = len({*self.group} - {None})
        need(self.n_groups == int((scope.get("one_per") or "0").split()[0]), "others are groups")
        cells = defaultdict(Counter)  # by stratum and column
        samples = list(read_samples(self.options, scope, self.literals, self.negations, cells))
        unit, weights = weigh_samples(samples, scope)
        need(scope["rounded_to"] == unit, "weights are rounded to multiples of", unit)
        strata = {x[2] for x, n in zip(samples, weights) if n is not None}
        check_missing(self.literals, scope, cells, strata)
        self.found, keys, self.n = {}, [], [0, 0]
        for i, ((is_case, _, _, digits, _), n) in enumerate(zip(samples, weights)):
            if n:
                key = digits, None if is_merged else i
                keys += [key] * is_case
                self.found.setdefault(key, [0, 0])[not is_case] += self.w[not is_case] * n
                self.n[not is_case] += n
        need(sizes == [sum(self.n), *self.n, self.n_features] and
             scope["samples"] == sum(n is not None for n in weights),
             "the certificate is for other data: here are %d cases and %d controls" % (*self.n,))
        self.check_claim(*self.n)
        need(not is_merged or (self.is_plain and self.is_free), "samples cannot be merged here")
        self.offset = sum(map(min, self.found.values()))
        parts = [[x for x, w in self.found.items() if w[kind] > w[1 - kind]] for kind in (0, 1)]
        self.weights = [[abs(int.__sub__(*self.found[x])) for x in part] for part in parts]
        self.weigh, self.weigh0 = map(weigher, self.weights)
        self.unit = math.gcd(self.penalty, *self.weights[0], *self.weights[1]) or 1
        number = {key: i for i, key in enumerate(parts[0])}
        self.case_of = [number.get(key) for key in keys]
        self.root = State(self.K, *((1 << len(part)) - 1 for part in parts), 0, self.offset, ())
        texts, width = ["".join(key[0] for key in part) for part in parts], len(self.literals)
        need("?" not in texts[0] + texts[1], "a column that misses values cannot be negated")
        self.columns = [[to_bits(text[j::width]) for j in range(width)] for text in texts]

    def check_claim(self, n1, n0):
        """The numbers are what the words of the scope say, on these samples."""
        scope, slack, (w1, w0) = self.scope, Fraction(1, 10 ** 6), self.w
        need(not scope["plain"] and not scope["pool"] and scope["budget"] is None and
             (scope["complexity"] is None or self.is_hamming) and
             scope["loss"] == ("weighted", "hamming")[self.is_hamming], "the scope has other rules or losses")
        need(not self.negations or (scope["negations"] and all(
            x.relation in ("is 0", "is 1") and x.missing is None for x in self.literals)),
            "only 0/1 columns are negated")
        least = [Fraction(str(scope["min_" + x])) for x in ("sensitivity", "specificity")]
        least = least[::{"dnf": 1, "cnf": -1}[scope["form"]]]
        cases = max(0, math.ceil(least[0] * n1 - slack))
        controls = min(n0, math.floor((1 - least[1]) * n0 + slack))
        need([self.K, self.M, self.max_literals, *self.limits, len(self.literals)] ==
             [scope["K"], scope["M"], scope["max_literals"] or 0, cases, controls,
              scope["literals"]], "the scope has others")
        penalty = Fraction(repr(scope["penalty"]))
        unit = next((10 ** k for k in range(16) if 10 ** k % penalty.denominator == 0), 0)
        weights = {"unit": (1, 1), "balanced": (n0, n1)}[scope["weights"]]
        need([w1, w0] == [unit * w for w in weights] and 0 <= penalty <= 1 and
             penalty * (w1 * n1 + w0 * n0) == self.penalty, "the scope has other weights")
        self.max_uncovered, self.max_hit = w1 * (n1 - cases), w0 * controls
        self.is_free = cases == 0 and controls == n0
        self.complexity = FAR if scope["complexity"] is None else int(scope["complexity"])
        self.counts_literals = bool(self.penalty or self.max_literals or self.complexity < FAR)
        self.max_literals = self.max_literals or self.K * self.M

    # ---- rules and states ----
    def clause(self, numbers):
        numbers, cases, controls = frozenset(numbers), self.root.cases, self.root.controls
        for j in numbers:
            cases, controls = cases & self.columns[0][j], controls & self.columns[1][j]
        literals = (1 << len(numbers)) - 1 if self.counts_literals else 0
        return Clause(cases, controls, numbers, controls << 64 | literals,
                      self.penalty * (1 + len(numbers)))

    def read_clause(self, words):
        """Literals by number, from 1; ! for opposites, which come after all others."""
        matches = [re.fullmatch("(!?)([1-9][0-9]{0,8})", word, re.ASCII) for word in words]
        need(0 < len(words) <= self.M and all(m and int(m[2]) <= self.n_features and
             self.negations >= len(m[1]) for m in matches), "no clause")
        numbers = [int(m[2]) - 1 + len(m[1]) * self.n_features for m in matches]
        groups = [self.group[j] for j in {*numbers} if self.group[j] is not None]
        need(len({*groups}) == len(groups), "a clause has two literals of a group")
        return self.clause(numbers)

    def read_rule(self):
        """Its clauses, and the state after them."""
        n, = self.expect("rule #")
        need(n <= self.K, "a rule of %d clauses" % n)
        rule = [self.read_clause(str(self.expect("clause (.*)")[0]).split(" ")) for _ in range(n)]
        return rule, functools.reduce(self.take, rule, self.root)

    def check_rule(self):
        """The rule of the file is the one of the certificate, whose loss is the one claimed."""
        own, scope, (self.rule, state) = {}, self.scope, self.read_rule()
        if self.options.rule is not None:
            with open(self.options.rule, encoding="utf-8", errors="surrogateescape") as file:
                own = json.load(file)
        label = own.get("negative" if scope["form"] == "cnf" else "positive", scope["positive"])
        need(own.get("scope", scope) == scope and label == scope["positive"] and
             own.get("target", scope["target"]) == scope["target"] and
             len(own.get("clauses", self.rule)) == len(self.rule), "it is for another rule")
        named = {entry["name"]: literal_of(entry) for entry in own.get("literals", [])}
        for names, clause in zip(own.get("clauses", []), self.rule):
            literals = {named.get(x) or (opposite(named.get(x[1:]) or literal_of(x[1:]))
                                         if x[0] == "!" else literal_of(x)) for x in names}
            need(literals == {self.literals[j] for j in clause.numbers}, "it has another clause")
        self.loss = self.loss_of(state)
        need(self.loss == self.best, "the rule has loss", self.loss)
        need(self.is_within(state), "the rule is not within the limits")
        if self.best > self.offset:
            self.best = self.offset + (self.best - 1 - self.offset) // self.unit * self.unit + 1

    def take(self, s, clause):
        paid = clause.controls if self.is_hamming else clause.controls & s.controls
        return State(s.left - 1, s.cases & ~clause.cases,
                     s.controls if self.is_hamming else s.controls & ~paid, s.hit | clause.controls,
                     s.cost + self.weigh0(paid) + clause.cost, s.rule + (clause.numbers,))

    def loss_of(self, s):
        return s.cost + self.weigh(s.cases)

    def is_within(self, s):
        return (self.weigh(s.cases) <= self.max_uncovered and self.weigh0(s.hit) <= self.max_hit
                and sum(map(len, s.rule)) <= self.max_literals
                and sum(map(len, s.rule)) + len(s.rule) <= self.complexity)

    def size_left(self, s):
        """The literals that one more clause may have."""
        used = sum(map(len, s.rule))
        return min(self.max_literals - used, self.complexity - used - len(s.rule) - 1)

    def check_not_better(self, s):
        """Or a list that shall have such rules (lemma 10) has it, or something is superfluous."""
        need(self.loss_of(s) >= self.best or not self.is_within(s) or (self.rules is not None and
             (frozenset(s.rule) in self.rules or not self.is_tight(s))), "there is a better rule")

    def value(self, r, a, b):
        """That of lemma 1, of a clause that covers a beyond its penalty, and b."""
        return r * (a - b) if self.is_hamming else r * a - b

    def least_value(self, r, g):
        """Lemma 1: the values of at most r clauses sum up to r g. So one is at least g; if g < 0 at
        least r g, unless plain costs let s <= r clauses have s a - b >= g for one of them."""
        return g if g >= 0 or self.is_plain else r * g

    # ---- nodes ----
    def node(self, parent, depth):
        """Checks a node with all below it; its clause is in no better rule with the parent's."""
        own_depth, path, words = self.expect(NODE, "a node")
        (kind, *given), at, n_refuted = words.split(), self.at, len(self.refuted)
        need(own_depth == depth and (depth > 0) == (path != ""), "no node of depth", depth)
        clause = self.read_clause(path.split()) if depth else None
        s = self.take(parent, clause) if depth else parent
        self.nodes += 1
        if kind == "all":
            need(depth == 0 and self.complexity == FAR, "no list of rules here")
            self.read_list(*map(int, given))
        self.check_not_better(s)
        n_children = int(given[-1]) if kind == "branch" else 0
        need(n_children == 0 or s.left > 1, "no clause is left for children")
        for _ in range(n_children):
            self.refuted.append(self.node(s, depth + 1))
        self.at, last = at, self.at  # what is refused now is so for this line
        if s.left and self.weigh0(s.hit) <= self.max_hit:  # no clause takes controls back
            self.check_node(s, kind, *given)
        self.at = last
        del self.refuted[n_refuted:]  # those of its children hold with its own clauses only
        return clause

    def check_node(self, s, kind, *given):
        """Of the clauses that are listed no r make a better rule; a branch leaves none, unless r is
        1. Branch: a better rule has one of those listed. List: all clauses or, where a set D is
        given, those of lemma 3, and none may have more than the largest value. Kept cases (lemma
        7): each counts as the least of them, and clauses with so many of them are listed. All:
        every choice lists anew."""
        r, budget, weights, cover, known = s.left, self.best - 1 - s.cost, self.weights[0], 1, -FAR
        weigh, counted, least, largest = self.weigh, self.weigh, -FAR, FAR
        if kind == "all":
            cover = known = FAR
        elif kind == "kept":
            number, cases = self.read_set(s, *given)
            need(not self.counts_literals and self.is_free and 0 < number <= cases.bit_count(),
                 "cases cannot be kept with these limits, or not so many be covered")
            e = min(weights[i] for i in members(cases))
            weigh = counted = weigher([e * (cases >> i & 1) for i in range(len(weights))])
            cover, known = e * number, e * (number - 1)
        elif kind == "list" and given:
            number, cases = self.read_set(s, *given)
            counted = weigher([w * (~cases >> i & 1) for i, w in enumerate(weights)])
            g = counted(s.cases) - budget
            largest = max(number, g)
            least = r * g - (r - 1) * largest
            need(least > 0, "that leaves no threshold for values")
        wanted = [Wanted(least, cover, r, 1, self.M)]
        if kind == "branch":
            wanted = self.branches(s, given[0], int(given[1]) if given[0] == "size" else 0)
        listed, pays = [], (s.controls + 1 << 64) - 1
        for c in chain.from_iterable(self.clauses(s, counted, x) for x in wanted):
            if not any(not c.cases & s.cases & ~e.cases and not e.paid & ~c.paid & pays
                       for e in self.refuted):  # lemma 4
                need(r == 1 or kind != "branch", "nothing is said about a clause")
                listed.append(c)
                value = self.value(r, counted(c.cases), self.weigh0(c.controls))
                need(value <= largest, "a clause has a larger value")
        self.choose(s, list(self.not_dominated(listed)), weigh, known)

    def branches(self, s, kind, small):
        """One of these clauses is in a better rule: by value (lemma 1) or by cover, as the r have
        to cover cases of a weight together, so one covers a share of 1/r of it; the last does both.
        By size, all of at most `small` literals. Where literals count, a longer clause has fewer
        than r - 1 others of more than `small` literals beside it (lemma 15)."""
        budget, weight = self.best - 1 - s.cost, self.weigh(s.cases)
        gain, must = weight - budget, weight - min(budget, self.max_uncovered)
        used, found = sum(map(len, s.rule)), []
        for size in range(1, self.M + 1):
            least, cover, others = -FAR, 1, [s.left - 1]
            if size > small and self.counts_literals and (kind == "cover" or gain > 0):
                others.append(max(0, self.max_literals - used - size) // (small + 1))
                rest = self.complexity - used - len(s.rule) - 1 - size
                others.append(max(0, rest) // (small + 2))
                if self.penalty:
                    room = budget - self.penalty * (1 + size)
                    others.append(max(0, room) // (self.penalty * (small + 2)))
            r = 1 + min(others)
            if size > small and (kind != "cover" or s.left == 1):
                least = self.least_value(r, gain)
            if size > small and (kind == "cover" or s.left == 1):
                cover = max(1, -(must // -r))
            if found and found[-1][:3] == (least, cover, r):
                found[-1] = found[-1]._replace(last=size)
            else:
                found.append(Wanted(least, cover, r, size, size))
        return found

    def read_set(self, s, number, digits):
        """Cases in hexadecimal, the lowest bit of a digit first; merged ones by any of theirs."""
        need(not s.rule and self.is_plain, "no such node here")
        bits = to_bits("{:04b}".format(int(x, 16))[::-1] for x in digits)
        need(len(digits) == (len(self.case_of) + 3) // 4 and bits >> len(self.case_of) == 0,
             "no set of cases")
        cases = {self.case_of[i] for i in members(bits)} - {None}
        return int(number), sum(1 << i for i in cases)

    def not_dominated(self, listed):
        """Lemma 4 within a list: what dominates a clause comes before it, is in the rows of all its
        cases and in none of what it does not pay."""
        order = sorted(listed, key=lambda c: (-c.cases.bit_count(), c.paid.bit_count()))
        rows = turn([c.cases for c in order], len(self.weights[0]))
        rows0, pays = turn([c.paid for c in order], len(self.weights[1]) + 64), self.root.controls
        for k, c in enumerate(order):
            found = functools.reduce(and_, compress(rows, flags(c.cases)), (1 << k) - 1)
            out = compress(rows0, flags((pays + 1 << 64) - 1 & ~c.paid))
            if not found or not found & ~functools.reduce(or_, out, 0):
                yield c

    def progress(self, n):
        if n > MOST:
            raise NotChecked("the limit of %d clauses in a list" % MOST)
        if time.monotonic() - self.shown > 5 and not self.options.quiet:
            print("  line %d, %d clauses listed" % (self.at, self.listed), file=sys.stderr)
            self.shown = time.monotonic()

    def clauses(self, s, weigh, wanted):
        """All clauses that reach value and cover and that loss and limits allow, depth first: cases
        only shrink as literals are added, and of the controls each further literal removes at most
        what it removes by itself."""
        (least, cover, r, first, last), budget = wanted, self.best - 1 - s.cost
        weigh0 = self.weigh0
        (cases, controls), group, n_before = self.columns, self.group, self.listed
        room = FAR if self.is_hamming else self.max_hit - weigh0(s.hit)
        top = min(last, self.size_left(s))
        def is_allowed(a, b, size):
            c = self.penalty * (1 + size)
            return b <= room and b + c <= budget and self.value(r, a - c, b) >= least
        def extend(path, p, n, b0, places):
            """p, n, b0: what the literals of path cover; places: of columns that may follow."""
            self.progress(self.listed - n_before)
            size = len(path) + 1
            enough = max(cover, self.penalty * (1 + size) - least // -r)
            fewest = -(-enough // weigh.heaviest)
            near = [(j, q) for j in places if (q := p & cases[j]).bit_count() >= fewest]
            found = [(a, j, q) for j, q in near if (a := weigh(q)) >= enough]
            found = [(*x, weigh0(n & controls[x[1]])) for x in found]
            more = sum(sorted(x[3] - b0 for x in found)[:top - size])
            found = [x for x in found if is_allowed(x[0], max(0, x[3] + more), size)]
            found.sort()  # those that cover much have few after them
            after = [x[1] for x in found]
            for at, (a, j, q, b) in enumerate(found, 1):
                if size >= first and is_allowed(a, b, size):
                    self.listed += 1
                    yield self.clause(path + (j,))
                rest = after[at:]
                if group[j] is not None:
                    rest = [i for i in rest if group[i] != group[j]]
                if size < top and rest:
                    yield from extend(path + (j,), q, n & controls[j], b, rest)
        if top > 0 and budget >= 0:
            start = s.cases & weigh.counted, s.controls, weigh0(s.controls)
            yield from extend((), *start, range(len(group)))

    # ---- choices from a list ----
    def choose(self, s, options, weigh, known, met=frozenset()):
        """Neither s nor r more clauses are a better rule; above `known` all are options. The
        one of largest value has at least g (lemma 1; by the weights of kept cases lemma 7): each in
        turn, without those before it. The values of a better rule sum up to r g, and none is larger
        than the first (lemma 3). A clause has no more value than if its cases were the heaviest."""
        self.progress(0)
        self.check_not_better(s)
        r, g = s.left, weigh(s.cases) - (self.best - 1 - s.cost)
        if r == 0 or s.cost >= self.best or self.weigh0(s.hit) > self.max_hit:
            return  # no clause takes back what it pays
        if g <= r * known:  # others may have that value: all clauses of lemma 1, by all weights
            for c in self.list_anew(s):
                if c.numbers not in met:
                    self.choose(self.take(s, c), options, weigh, known, met)
                    met |= {c.numbers}  # the rules with it were met
            return
        if self.counts_literals:
            top = self.size_left(s)
            options = [c for c in options if len(c.numbers) <= top]
        live, controls, weigh0, pay = s.cases, s.controls, self.weigh0, r if self.is_hamming else 1
        counts = [(c.cases & live).bit_count() for c in options]
        def reach(least):
            """Those of so much value by falling value: minus that, a number, the clause."""
            fewest = -(-least // (r * weigh.heaviest))
            near = [(i, options[i]) for i, n in enumerate(counts) if n >= fewest]
            return sorted([(-v, i, c) for i, c in near if
                           (v := r * (weigh(c.cases & live) - c.cost) -
                            pay * weigh0(c.controls & controls)) >= least])
        first = reach(self.least_value(r, g))
        found = reach(r * g - (r - 1) * max(0, -first[0][0])) if first and r > 1 else first
        order = [c for _, _, c in found]
        for i, (v, _, c) in enumerate(first, 1):
            end = bisect.bisect(found, (-r * g + (r - 1) * max(0, -v), FAR))
            self.choose(self.take(s, c), order[i:end], weigh, known)

    def list_anew(self, s):
        """The clauses of which a rule that is sought has one. In one of a list (lemma 10) each
        literal of a clause leaves out a control that counts; else they are not dominated."""
        least = self.least_value(s.left, self.loss_of(s) - (self.best - 1))
        listed = list(self.clauses(s, self.weigh, Wanted(least, 1, s.left, 1, self.M)))
        if self.rules is None:
            return self.not_dominated(listed)
        return [c for c in listed if len(c.numbers) == 1 or all(
            (self.clause(c.numbers - {j}).controls ^ c.controls) & s.controls for j in c.numbers)]

    # ---- all rules ----
    def read_list(self, most, n):
        """Lemma 10: the n rules that follow are all of a loss of at most `most` in which nothing is
        superfluous."""
        need(most >= self.loss, "the rule itself has loss", self.loss)
        self.most, self.best, rules = most, most + 1, set()
        for _ in range(n):
            _, s = self.read_rule()
            need(self.is_within(s) and self.loss <= self.loss_of(s) <= most and self.is_tight(s),
                 "a rule of the list is not within the limits, of another loss, or not tight")
            rules.add(frozenset(s.rule))
        need(len(rules) == n, "a rule is there twice")
        self.rules = rules

    def is_tight(self, s):
        """Without any clause, or literal of a longer one, the loss is larger or limits are left."""
        others = [(c, s.rule[:i] + s.rule[i + 1:]) for i, c in enumerate(s.rule)]
        parts = [rest for _, rest in others]
        parts += [rest + (c - {j},) for c, rest in others if len(c) > 1 for j in c]
        states = (functools.reduce(self.take, map(self.clause, part), self.root) for part in parts)
        return not any(self.is_within(t) and self.loss_of(t) <= self.loss_of(s) for t in states)

# ---- words ----
def describe(c):
    """What has been checked, in words."""
    scope, text = c.scope, lambda x: " ".join(str(y) for y in x[:3] if y is not None)
    rule = [" AND ".join(text(c.literals[j]) for j in sorted(x.numbers)) for x in c.rule]
    is_cnf, by = scope["form"] == "cnf", scope["weight_column"] or scope["strata"] or "nothing"
    size = f", {c.complexity} with the clauses counted" * (c.complexity < FAR)
    print(f"valid: no rule has less loss than {c.loss}",
          f"({c.nodes} nodes, {c.listed} clauses listed)")
    if c.rules is not None:
        print(f"no rules but the {len(c.rules)} that it lists have a loss of at most {c.most}, "
              "unless something in them is superfluous")
    print(f"""rule: ({') OR ('.join(rule) or 'FALSE'}){"; its negation is the CNF" * is_cnf}
cases: {c.n[0]} samples with {scope['target']} {'not' if is_cnf else '='} '{scope['positive']}'; \
controls: {c.n[1]} others; weighed by {by}
rules: an OR of at most {c.K} clauses, ANDs of at most {c.M} of {len(c.literals)} literals; \
at most {c.max_literals} literals in all{size}; at least {c.limits[0]} cases and at most {c.limits[1]} \
controls are covered; {c.n_groups} groups of columns of which a clause has at most one literal
loss ({scope['loss']}): {c.w[0]} for each case that is left out, {c.w[1]} for each control that is \
covered{' by a clause' * c.is_hamming}, {c.penalty} for each clause and each literal
literals{", negated too" * c.negations}: {"; ".join(map(text, c.literals[:min(200, c.n_features)]))}
missing values: {scope["missing"]}; weights rounded to multiples of: {scope["rounded_to"] or None}
trusted: that the options of fit ({", ".join(f"{x}: {scope[x]}" for x in CHOICES)}) lead to these \
literals and to no others, and that Python reads the file as fit did""")

def arguments(program, about):
    """Those that ireland-veripb has too. A reader who leaves ends the program without a word."""
    signal.signal(getattr(signal, "SIGPIPE", signal.SIGTERM), signal.SIG_DFL)
    if sys.version_info < (3, 10):
        sys.exit("%s needs Python 3.10 or later" % program)
    parser = argparse.ArgumentParser(prog=program, description=about.split("\n")[0])
    for name, more in {
            "rule": {"nargs": "?"}, "data": {}, "--certificate": {"required": True},
            "--delimiter": {}, "--na": {"help": "texts of missing values, separated by commas"},
            "--one-per": {"metavar": "FILE", "help": "groups of columns, as for fit"},
            "--time-limit": {"type": float, "metavar": "SECONDS"},
            "--no-header": {"action": "store_true"}, "--quiet": {"action": "store_true"}}.items():
        parser.add_argument(name, **more)
    return parser

def set_timer(seconds):
    """Interrupts whatever runs then; once more each second, lest it be lost. Windows has none."""
    def stop(*_):
        raise NotChecked("the limit of time")
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds or 0, 1)

def check(options):
    """The exit code: 0 valid, 3 refused, 4 not checked."""
    checker = None
    try:
        set_timer(options.time_limit)
        with open(options.certificate, encoding="utf-8", errors="surrogateescape") as file:
            while checker is None or checker.ahead:
                checker = Checker(options, file, *(checker.at, checker.ahead) if checker else ())
                checker.run()
                describe(checker)
        return 0
    except (NotChecked, MemoryError) as reason:
        return print("not checked:", reason) or 4
    except Exception as reason:
        words = "" if isinstance(reason, Refused) else type(reason).__name__ + ": "
        at = "%s:%d:" % (options.certificate, checker.at if checker else 0)
        return print("refused:", at, words + str(reason)) or 3
    finally:
        set_timer(0)

def main():
    return check(arguments("ireland-check", __doc__).parse_args())

if __name__ == "__main__":
    sys.exit(main())
