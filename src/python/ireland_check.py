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
from itertools import chain, compress, count, islice
from operator import and_, getitem, itemgetter, or_

# MOST: clauses of a list; FAR: beyond every loss. For speed: FEW, MANY: literals and clauses that
# are tried in turn, more of them all at once; LARGE: bytes that this may take for clauses.
VERSION, MOST, FAR, FEW, MANY, LARGE = 3, 3000000, 10 ** 40, 50, 200, 10 ** 9
SHARES = (1, 0.65, 0.45)  # of the first clauses, beyond which a case that they cover is relaxed
USUAL_NA = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.".split(",")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.I | re.ASCII)
RELATIONS = {"is 1": ("is 0", type(None)), "is 0": ("is 1", type(None)), "<=": (">", (int, float)),
             ">": ("<=", (int, float)), "=": ("!=", str), "!=": ("=", str),  # opposite; its values
             "is het": ("is not het", type(None)), "is not het": ("is het", type(None))}
NODE = ("#((?: !?[0-9]+)*) (list|(?:list|kept) [0-9]{1,17} [0-9a-f]+|branch (?:value|cover|size [0-9]{1,9}) "
        "[0-9]{1,17}|all [0-9]{1,17} [0-9]{1,17})")
Literal = namedtuple("Literal", "column relation value missing")  # missing: its answer there
Clause = namedtuple("Clause", "cases controls numbers")  # sets, as integers; which literals it has
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
    """A function for the weight of a set. Its parts: weights, and the sets that have them, by value
    or, if these are fewer, by the binary digits of weights over their divisor."""
    by_value, by_digit, unit = defaultdict(int), defaultdict(int), math.gcd(*weights) or 1
    for i, w in enumerate(weights):
        by_value[w] |= 1 << i
        for k in members(w // unit):
            by_digit[unit << k] |= 1 << i
    by_value.pop(0, None)
    parts = [*min(by_value, by_digit, key=len).items()]
    weigh = lambda bits: sum([w * (bits & part).bit_count() for w, part in parts])
    if len(parts) == 1:
        (only, everything), = parts
        weigh = lambda bits: only * (bits & everything).bit_count()
    weigh.parts = parts
    return weigh

def turn(sets, n_samples, width=1):
    """For each sample a number with a digit of `width` bits for each set: 1 if it has it."""
    rows, gap, block = [], "0" * (width - 1), 256
    for first in range(0, n_samples, block):
        text = "".join(["{:0256b}".format(x >> first & (1 << block) - 1) for x in reversed(sets)])
        rows += [int(gap.join(text[block - 1 - i::block]) or "0", 2)
                 for i in range(min(block, n_samples - first))]
    return rows

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

def read_rows(options, target):
    """The names of the columns, then row by row."""
    with (gzip.open if options.data.endswith(".gz") else open)(
            options.data, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        first = file.readline()
        table = csv.reader(chain([first], file),
                           delimiter=options.delimiter or max(",;\t|", key=first.count))
        rows = (list(map(str.strip, row)) for row in table)
        names = next(rows)
        if options.no_header:
            rows = chain([names], rows)
            names = ["f%d" % i for i in range(1, len(names))] + [target]
        need(len(set(names)) == len(names), "two columns have the same name")
        yield names
        for row in rows:
            if any(row) or len(names) == len(row) > 1:
                need(len(row) == len(names), "a row of %d cells in %s" % (len(row), options.data))
                yield row

def read_samples(options, scope, literals, negations):
    """Of each sample: is it a case (a CNF is the negation of a rule for the others), its weight,
    its stratum, and a digit for each literal."""
    na = set(USUAL_NA if options.na is None else [""] + options.na.split(","))
    rows = read_rows(options, scope["target"])
    names, aside = next(rows), [scope[x] for x in ("target", "weight_column", "strata")]
    only, ignored = ((scope[x] or "").split(",") for x in ("only", "ignore"))
    used = [x for x in names if x in (scope.get("group"), scope.get("fold_column")) or
            (x not in aside + ignored and (not scope["only"] or x in only))]
    if scope["missing"] == "drop":  # a column without any value is no column
        columns = zip(*islice(read_rows(options, scope["target"]), 1, None))
        filled = {name for name, cells in zip(names, columns) if not na.issuperset(cells)}
        used = [x for x in used if x in filled]

    @functools.cache
    def answer(j, cell):
        return "?" if negations and cell in na else "01"[holds(literals[j], cell, na)]
    for x in literals:
        need(x.column in names, "there is no column '%s'" % x.column)
    columns = [names.index(x.column) for x in literals]
    for row in rows:
        cell = dict(zip(names, row))
        label, weight, stratum = (cell[name] if name is not None else None for name in aside)
        is_known = (label in (scope["positive"], scope["negative"]) or
                    (scope["vs_rest"] and label not in USUAL_NA))
        need(is_known or label in USUAL_NA, "an unknown label:", label)
        has_gaps = scope["missing"] == "drop" and any(cell[name] in na for name in used)
        if is_known and not has_gaps and stratum not in na:
            yield ((label == scope["positive"]) != (scope["form"] == "cnf"), Fraction(weight or 1),
                   stratum, "".join(map(answer, count(), map(row.__getitem__, columns))))

def read_groups(options):
    """Of lines COLUMN GROUP: a clause has at most one literal of the columns of a group."""
    if options.one_per is None:
        raise NotChecked("the claim takes one literal of each group: give --one-per FILE")
    with open(options.one_per, encoding="utf-8", errors="surrogateescape") as file:
        pairs = {tuple(line.split()) for line in file if line.strip() and line.split()[0][0] != "#"}
    need(all(len(x) == 2 for x in pairs) and len({x[0] for x in pairs}) == len(pairs),
         "a line has no group or more than one, or a column has two")
    return dict(pairs)

def count_copies(samples, scope):
    """A sample of weight w counts w / unit times, or is left out (None). The unit is the greatest
    common one, or that of rounding. In strata a case weighs 1 over the cases of its stratum."""
    weights, unit = [weight for _, weight, _, _ in samples], scope["rounded_to"]
    if scope["strata"] is not None:
        n = Counter((stratum, is_case) for is_case, _, stratum, _ in samples)
        both = {s for s, is_case in n if n[s, not is_case]}
        total = Fraction(sum(n[key] for key in n if key[0] in both), 2 * len(both) or 1)
        weights = [total / n[s, y] if s in both else None for y, _, s, _ in samples]
    known = {w for w in weights if w}
    need(known and min(known) > 0, "the weights are not above 0")
    if unit:
        return [w and max(1, math.floor(float(w) / unit + 0.5)) for w in weights]
    scale = math.lcm(*(w.denominator for w in known))
    unit = Fraction(math.gcd(*(int(w * scale) for w in known)), scale)
    return [w and int(w / unit) for w in weights]

# ---- the certificate ----

class Checker:
    def __init__(self, options, file, at=0, ahead=None):
        self.options, self.file, self.at, self.ahead = options, file, at, ahead
        self.nodes, self.listed, self.refuted, self.rules = 0, 0, [], None
        self.began = self.shown = time.monotonic()
        self.is_slow, self.near, self.sums = getattr(options, "plain", False), None, None

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
        need(nodes == self.nodes and re.match("ireland certificate |$", self.ahead),
             "there are %d nodes, and nothing after the end" % self.nodes)
        need(not self.ahead or self.options.rule is None, "several certificates: give no rule")

    def read_table(self, sizes, is_merged):
        """Samples as cases and controls with weights. Lemma 5: merged, equal ones are one with what
        is left of their weights. All that a rule loses beyond the offset is a multiple of unit."""
        scope = self.scope
        need(not scope["test"], "samples were held out at random: fit a file of the others")
        groups = read_groups(self.options) if scope.get("one_per") else {}
        self.group = [groups.get(x.column) for x in self.literals]
        self.n_groups = len({*self.group} - {None})
        need(self.n_groups == int((scope.get("one_per") or "0").split()[0]), "others are groups")
        samples = list(read_samples(self.options, scope, self.literals, self.negations))
        copies = count_copies(samples, scope)
        times = sizes[0] // (sum(c or 0 for c in copies) or 1)  # a smaller unit is the same claim
        times = times if scope["weight_column"] and times < 1000 else 1
        self.found, keys, self.n = {}, [], [0, 0]
        for (is_case, _, _, digits), n in zip(samples, copies):
            for _ in range((n or 0) * times):
                key = digits, None if is_merged else sum(self.n)
                keys += [key] * is_case
                self.found.setdefault(key, [0, 0])[not is_case] += self.w[not is_case]
                self.n[not is_case] += 1
        need(sizes == [sum(self.n), *self.n, self.n_features] and
             scope["samples"] == sum(c is not None for c in copies),
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
        self.columns = [tuple(to_bits(text[j::width]) for text in texts) for j in range(width)]
        # By ascending cases, so that first literals leave few others.
        self.order = sorted(range(width), key=lambda j: self.weigh(self.columns[j][0]))
        if not self.is_slow:
            self.near = Near([self.columns[j][0] for j in self.order], len(parts[0]))

    def check_claim(self, n1, n0):
        """The numbers are what the words of the scope say, on these samples."""
        scope, slack, (w1, w0) = self.scope, Fraction(1, 10 ** 6), self.w
        need(not scope["plain"] and not scope["pool"] and scope["complexity"] is None and
             scope["budget"] is None and scope["loss"] == ("weighted", "hamming")[self.is_hamming],
             "the scope has other rules or losses")
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
        unit = {"unit": (1, 1), "balanced": (n0, n1)}[scope["weights"]]
        exact = Fraction(str(scope["penalty"])) * (w1 * n1 + w0 * n0)
        need(w1 % unit[0] == 0 and w1 * unit[1] == w0 * unit[0] and
             (exact > 0) == (self.penalty > 0) and (exact < 1 == self.penalty or
             abs(exact - self.penalty) <= Fraction(1, 2) + slack), "the scope has other weights")
        self.max_uncovered, self.max_hit = w1 * (n1 - cases), w0 * controls
        self.is_free = cases == 0 and controls == n0
        self.counts_literals = bool(self.penalty or self.max_literals)
        self.max_literals = self.max_literals or self.K * self.M

    # ---- rules and states ----

    def clause(self, numbers):
        numbers, cases, controls = frozenset(numbers), self.root.cases, self.root.controls
        for j in numbers:
            cases, controls = cases & self.columns[j][0], controls & self.columns[j][1]
        return Clause(cases, controls, numbers)

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
                     s.cost + self.weigh0(paid) + self.cost(clause), s.rule + (clause.numbers,))

    def cost(self, clause):
        return self.penalty and self.penalty * (1 + len(clause.numbers))
    def size(self, clause):
        return len(clause.numbers) if self.counts_literals else 0
    def loss_of(self, s):
        return s.cost + self.weigh(s.cases)

    def is_within(self, s):
        return (self.weigh(s.cases) <= self.max_uncovered and self.weigh0(s.hit) <= self.max_hit
                and sum(map(len, s.rule)) <= self.max_literals)

    def check_not_better(self, s):
        """Or a list that shall have such rules (lemma 10) has it, or something is superfluous."""
        need(self.loss_of(s) >= self.best or not self.is_within(s) or (self.rules is not None and
             (frozenset(s.rule) in self.rules or not self.is_tight(s))), "there is a better rule")

    def room(self, s):
        """What one more clause may cost, controls it may add, literals it may have."""
        controls = FAR if self.is_hamming else self.max_hit - self.weigh0(s.hit)
        literals = self.max_literals - sum(map(len, s.rule))
        return self.best - 1 - s.cost, controls, min(self.M, literals)

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
            need(depth == 0, "a list of rules is for the root")
            return self.check_all(*map(int, given))
        self.check_not_better(s)
        n_children = int(given[-1]) if kind == "branch" else 0
        need(n_children == 0 or s.left > 1, "no clause is left for children")
        for _ in range(n_children):
            self.refuted.append(self.node(s, depth + 1))
        self.at, last = at, self.at  # what is refused now is so for this line
        if s.left and self.weigh0(s.hit) <= self.max_hit:  # no clause takes controls back
            if kind == "branch":
                self.check_branch(s, given[0], int(given[1]) if len(given) > 2 else 0)
            else:
                self.check_list(s, kind, *given)
        self.at = last
        del self.refuted[n_refuted:]  # those of its children hold with its own clauses only
        return clause

    def beside(self, s, size, small):
        """Lemma 16: the most clauses that may be added if one has so many literals, and no other
        `small` ones or fewer."""
        budget, _, _ = self.room(s)
        rest = self.max_literals - sum(map(len, s.rule)) - size
        most = [s.left - 1] + [max(0, rest) // (small + 1)] * self.counts_literals
        if self.penalty:
            most.append(max(0, budget - self.penalty * (1 + size)) // (self.penalty * (small + 2)))
        return 1 + min(most)

    def check_branch(self, s, kind, small):
        """Every clause of which lemma 1 says that a better rule has one is dominated by a refuted
        one. By cover: the r clauses have to cover cases of a weight together, so one covers a share
        of 1/r of it. The last clause does both, and makes no better rule. Where literals count,
        clauses of n literals are one of fewer than r; by size, the shortest are all there."""
        is_last, (budget, _, top) = s.left == 1, self.room(s)
        gain = self.weigh(s.cases) - budget
        must = self.weigh(s.cases) - min(budget, self.max_uncovered)
        classes = {}  # by thresholds: from and up to which size
        for size in range(1, top + 1):
            least, cover, r = -FAR, 1, s.left
            if size > small:
                if kind == "cover" or gain > 0:
                    r = self.beside(s, size, small)
                if kind != "cover" or is_last:
                    least = self.least_value(r, gain)
                if kind == "cover" or is_last:
                    cover = max(1, -(-must // r))
            first, _ = classes.get((least, cover, r), (size, size))
            classes[least, cover, r] = first, size
        for (least, cover, r), sizes in classes.items():
            for c in self.not_refuted(s, self.weigh, least, cover, (r, sizes)):
                need(is_last, "nothing is said about a clause of %d literals" % len(c.numbers))
                self.check_not_better(self.take(s, c))

    def check_list(self, s, kind, number="0", digits=""):
        """Of the clauses listed no r make a better rule. Kept cases (lemma 7): each counts as the
        least of them, and clauses with so many of them are listed. Else all clauses are, or where
        a set D is given those of lemma 3, and none may have more than the largest value."""
        r, given, weights, number = s.left, self.set_of(digits), self.weights[0], int(number)
        need(not digits or (not s.rule and self.is_plain), "no such node here")
        weigh, counted, least, cover, known, largest = self.weigh, self.weigh, -FAR, 1, -FAR, FAR
        if kind == "kept":
            need(not self.counts_literals and self.is_free and 0 < number <= given.bit_count(),
                 "cases cannot be kept with these limits, or not so many be covered")
            e = min(weights[i] for i in members(given))
            weigh = counted = weigher([e * (given >> i & 1) for i in range(len(weights))])
            cover, known = e * number, e * (number - 1)
        elif digits:
            counted = weigher([w * (~given >> i & 1) for i, w in enumerate(weights)])
            g = counted(s.cases) - (self.best - 1 - s.cost)
            largest = max(number, g)
            least = r * g - (r - 1) * largest
            need(least > 0, "that leaves no threshold for values")
        listed = list(self.not_refuted(s, counted, least, cover))
        values = (self.value(r, counted(c.cases), self.weigh0(c.controls)) for c in listed)
        need(largest == FAR or max(values, default=0) <= largest, "a clause has a larger value")
        options = list(self.not_dominated(listed))
        self.sums = None if self.is_slow else Sums(options, self)
        self.choose(s, options, range(len(options)), weigh, known)

    def set_of(self, digits):
        """Cases in hexadecimal, the lowest bit of a digit first; merged ones by any of theirs."""
        bits = to_bits("{:04b}".format(int(x, 16))[::-1] for x in digits)
        need(len(digits) in (0, (len(self.case_of) + 3) // 4) and bits >> len(self.case_of) == 0,
             "no set of cases")
        return sum(1 << i for i in {self.case_of[i] for i in members(bits)} - {None})

    def not_refuted(self, s, weigh, least, cover, class_=None):
        """Lemma 4: the clauses that no refuted one dominates."""
        answers = [(c.cases & s.cases, c.controls & s.controls, self.size(c)) for c in self.refuted]
        for c in self.clauses(s, weigh, least, cover, class_):
            p, n, size = ~c.cases, c.controls, self.size(c)
            if not any(not ~q & ~p and not m & ~n and length <= size for q, m, length in answers):
                yield c

    def not_dominated(self, listed):
        """Lemma 4 within a list: what dominates a clause comes before it, is in the rows of all its
        cases and in none of controls that it does not cover."""
        order = sorted(listed, key=lambda c: (
            -self.weigh(c.cases), self.weigh0(c.controls), self.size(c)))
        rows, rows0 = (turn([c[kind] for c in order], len(self.weights[kind])) for kind in (0, 1))
        at_most = [to_bits("01"[self.size(c) <= size] for c in order) for size in range(self.M + 1)]
        for k, c in enumerate(order):
            found = functools.reduce(and_, compress(rows, flags(c.cases)),
                                     at_most[self.size(c)] & (1 << k) - 1)
            out = compress(rows0, flags(self.root.controls & ~c.controls))
            if not found or not found & ~functools.reduce(or_, out, 0):
                yield c

    def progress(self, n):
        now, limit = time.monotonic(), self.options.time_limit
        if n > MOST or (limit and now - self.began > limit):
            raise NotChecked("the limit of %d clauses in a list, or of time" % MOST)
        if now - self.shown > 5 and not self.options.quiet:
            print("  line %d, %d clauses listed" % (self.at, self.listed), file=sys.stderr)
            self.shown = now

    def clauses(self, s, weigh, least, cover, class_=None):
        """All clauses that reach value and cover and that loss and limits allow, depth first: cases
        only shrink as literals are added, and of the controls each further literal removes at most
        what it removes by itself. A class: as often values count cases; the least and most
        literals."""
        (budget, room, top), weigh0, order = self.room(s), self.weigh0, self.order
        r, (first, top) = class_ or (s.left, (1, top))
        columns, group = [self.columns[j] for j in order], [self.group[j] for j in order]
        n_before, lightest = self.listed, min((w for w, _ in weigh.parts), default=1)
        counted = functools.reduce(or_, (part for _, part in weigh.parts), 0)

        def least_cover(size):
            return max(cover, self.penalty * (1 + size) - least // -r)

        def is_allowed(a, b, size):
            c = self.penalty * (1 + size)
            return b <= room and b + c <= budget and self.value(r, a - c, b) >= least

        def extend(path, p, n, b0, places):
            """p, n, b0: what the literals of path cover; places: of columns that may follow."""
            self.progress(self.listed - n_before)
            size, found, enough = len(path) + 1, [], least_cover(len(path) + 1)
            for j in places:
                q = p & columns[j][0]
                a = weigh(q)
                if a >= enough:
                    m = n & columns[j][1]
                    found.append((j, q, m, a, weigh0(m)))
            more = sum(sorted(x[4] - b0 for x in found)[:top - size])
            found = [x for x in found if is_allowed(x[3], max(0, x[4] + more), size)]
            found.sort(key=itemgetter(3))  # those that cover much have few after them
            after, enough = [x[0] for x in found], least_cover(size + 1)
            alive = sum(1 << j for j in after) if self.near and len(found) > FEW else 0
            for at, (j, q, m, a, b) in enumerate(found):
                if size >= first and is_allowed(a, b, size):
                    self.listed += 1
                    yield Clause(q, m, frozenset(order[i] for i in path + (j,)))
                if size == top or a < enough:
                    continue
                rest = after[at + 1:]
                if alive:
                    alive &= ~(1 << j)
                    rest = self.near.find(q & counted, (a - enough) // lightest, alive)
                if group[j] is not None:
                    rest = [i for i in rest if group[i] != group[j]]
                if rest:
                    yield from extend(path + (j,), q, m, b, rest)
        if top > 0 and budget >= 0:
            yield from extend((), s.cases, s.controls, weigh0(s.controls), range(len(order)))

    # ---- choices from a list ----

    def choose(self, s, options, alive, weigh, known):
        """No r clauses make a better rule; of weight above `known` all are among the options, of
        which those alive are left. The one of largest value has at least g (lemma 1; by the weights
        of kept cases lemma 7): each in turn, without those before it. The values of a better rule
        sum up to r g, and none is larger than the first."""
        self.progress(0)
        r, (budget, room, top), live, found = s.left, self.room(s), s.cases, []
        g = weigh(live) - budget
        if g <= r * known:  # others may have that value: all clauses of lemma 1, by all weights
            least = self.least_value(r, self.weigh(live) - budget)
            for c in self.not_dominated(list(self.clauses(s, self.weigh, least, 1))):
                self.check_not_better(self.take(s, c))
                if r > 1:
                    self.choose(self.take(s, c), options, alive, weigh, known)
            return
        if self.sums and self.sums.is_small and r > 1 and g > 0 and len(alive) > MANY:
            live, g, alive = self.sums.relax(s, alive, weigh, known)
        for k in alive:
            clause = options[k]
            a = weigh(clause.cases & live) - self.cost(clause)
            if r > 1 or a >= g:
                b = self.weigh0(clause.controls & s.controls)
                if b <= room and b + self.cost(clause) <= budget and len(clause.numbers) <= top:
                    found.append((-self.value(r, a, b), k))
        found.sort()
        order = [k for _, k in found]
        for i, (v, k) in enumerate(found[:bisect.bisect(found, (-self.least_value(r, g), FAR))]):
            state = self.take(s, options[k])
            self.check_not_better(state)
            end = bisect.bisect(found, (-v - r * g + (r - 2) * max(0, -v), FAR))
            if r > 1 and (i + 1 < end or known >= 0):
                self.choose(state, options, order[i + 1:end], weigh, known)

    # ---- all rules ----

    def check_all(self, most, n):
        """Lemma 10: the n rules that follow are all of a loss of at most `most` in which nothing is
        superfluous."""
        need(most >= self.loss, "the rule itself has loss", self.loss)
        line, self.most, self.best, rules = self.at, most, most + 1, set()
        for _ in range(n):
            _, s = self.read_rule()
            need(self.is_within(s) and self.loss <= self.loss_of(s) <= most and self.is_tight(s),
                 "a rule of the list is not within the limits, of another loss, or not tight")
            rules.add(frozenset(s.rule))
        need(len(rules) == n, "a rule is there twice")
        self.rules, self.at, last = rules, line, self.at
        self.find_all(self.root, frozenset())
        self.at = last

    def is_tight(self, s):
        """Without any clause, or literal of a longer one, the loss is larger or limits are left."""
        others = [(c, s.rule[:i] + s.rule[i + 1:]) for i, c in enumerate(s.rule)]
        parts = [rest for _, rest in others]
        parts += [rest + (c - {j},) for c, rest in others if len(c) > 1 for j in c]
        states = (functools.reduce(self.take, map(self.clause, part), self.root) for part in parts)
        return not any(self.is_within(t) and self.loss_of(t) <= self.loss_of(s) for t in states)

    def find_all(self, s, met):
        """Each clause of such a rule covers a case by itself, and each of its literals leaves out a
        control that counts; one has the value of lemma 1. Rules with a clause of `met` were met."""
        self.check_not_better(s)
        if not s.left or self.weigh0(s.hit) > self.max_hit:
            return
        least = self.least_value(s.left, self.loss_of(s) - (self.best - 1))
        for c in list(self.clauses(s, self.weigh, least, 1)):
            shorter = [self.clause(c.numbers - {j}) for j in c.numbers if len(c.numbers) > 1]
            is_tight = all((x.controls ^ c.controls) & s.controls for x in shorter)
            if c.numbers not in met and is_tight:
                self.find_all(self.take(s, c), met)
                met |= {c.numbers}

# ---- words ----

def describe(c):
    """What has been checked, in words."""
    scope, text = c.scope, lambda x: " ".join(str(y) for y in x[:3] if y is not None)
    rule = [" AND ".join(text(c.literals[j]) for j in sorted(x.numbers)) for x in c.rule]
    is_cnf, by = scope["form"] == "cnf", scope["weight_column"] or scope["strata"] or "nothing"
    print("valid: no rule has less loss than", c.loss,
          f"({c.nodes} nodes, {c.listed} clauses listed)")
    if c.rules is not None:
        print(f"no rules but the {len(c.rules)} that it lists have a loss of at most {c.most}, "
              "unless something in them is superfluous")
    print(f"rule: ({') OR ('.join(rule) or 'FALSE'})" + "; its negation is the CNF" * is_cnf)
    print(f"cases: {c.n[0]} samples with {scope['target']} {'not' if is_cnf else '='} "
          f"'{scope['positive']}'; controls: {c.n[1]} others; weighed by {by}")
    print(f"rules: an OR of at most {c.K} clauses, ANDs of at most {c.M} of {len(c.literals)} "
          f"literals; at most {c.max_literals} literals in all; at least {c.limits[0]} cases and "
          f"at most {c.limits[1]} controls are covered")
    if c.n_groups:
        print(f"no clause has two literals of one of {c.n_groups} groups of columns")
    print(f"loss ({scope['loss']}): {c.w[0]} for each case that is left out, {c.w[1]} for each "
          f"control that is covered{' by a clause' * c.is_hamming}, {c.penalty} for each clause "
          "and each literal")
    print("literals%s:" % (", negated too" * c.negations),
          "; ".join(map(text, c.literals[:min(200, c.n_features)])))
    print("not checked here: that options of fit (cuts: %s, forbid: %s) lead to these literals" % (
        scope["cuts"], scope["forbid"]))

def arguments(program, about):
    """Those that ireland-veripb has too. A reader who leaves ends the program without a word."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
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

def check(options):
    """The exit code: 0 valid, 3 refused, 4 not checked."""
    checker = None
    try:
        with open(options.certificate, encoding="utf-8", errors="surrogateescape") as file:
            while checker is None or checker.ahead:
                checker = Checker(options, file, *(checker.at, checker.ahead) if checker else ())
                checker.run()
                describe(checker)
        return 0
    except NotChecked as reason:
        return print("not checked:", reason) or 4
    except (Refused, LookupError, ValueError, TypeError, AttributeError, ArithmeticError,
            RecursionError, csv.Error, OSError) as reason:
        words = "" if isinstance(reason, Refused) else type(reason).__name__ + ": "
        at = "%s:%d:" % (options.certificate, checker.at if checker else 0)
        return print("refused:", at, words + str(reason)) or 3

def main():
    parser = arguments("ireland-check", __doc__)
    parser.add_argument("--plain", action="store_true", help="without what is only for speed")
    return check(parser.parse_args())

# ---- only for speed: with --plain nothing below is used, and need not be believed ----

class Near:
    """Finds the columns that leave out little of a set of cases: a table for each eight cases has
    the columns that miss one of a subset of them."""
    def __init__(self, columns, n_cases):
        self.tables, everything = [], (1 << len(columns)) - 1
        rows = [everything ^ row for row in turn(columns, min(n_cases, 512))]
        for k in range(0, len(rows), 8):
            self.tables.append([0])
            for row in rows[k:k + 8]:
                self.tables[-1] += [missing | row for missing in self.tables[-1]]

    def find(self, cases, most, alive):
        """Those of `alive` that miss at most so many, and perhaps others: a binary counter for
        each, begun so that it overflows at the first table too many."""
        n, first = most.bit_length(), cases & (1 << 8 * len(self.tables)) - 1
        planes = [alive if (1 << n) - 1 - most >> k & 1 else 0 for k in range(n)]
        for missing in map(getitem, self.tables, first.to_bytes(len(self.tables), "little")):
            carry, k = alive & missing, 0
            while carry and k < n:
                planes[k], carry = planes[k] ^ carry, planes[k] & carry
                k += 1
            alive ^= carry
            if not alive:
                return ()
        return list(members(alive))

class Sums:
    """Sums over what the clauses of a list cover, of all at once: a number has a digit of `step`
    bytes for each, half of which is beyond what values differ by."""
    def __init__(self, clauses, checker):
        self.clauses, self.unit, self.checker = clauses, checker.unit, checker
        costs = [checker.cost(c) // self.unit for c in clauses]
        gain, loss = (sum(weights) // self.unit for weights in checker.weights)
        self.low = -checker.value(checker.K, max(costs, default=0), -loss)
        self.high = checker.K * gain
        self.step = ((self.high - self.low + 1).bit_length() + 8) // 8
        self.ones, self.costs = (
            int.from_bytes(b"".join(x.to_bytes(self.step, "little") for x in digits), "little")
            for digits in ([1] * len(clauses), costs))
        self.sizes = [*map(len, checker.weights)]
        self.is_small = self.step * len(clauses) * sum(self.sizes) < LARGE

    @functools.cached_property
    def rows(self):
        return [turn([c[kind] for c in self.clauses], self.sizes[kind], 8 * self.step)
                for kind in (0, 1)]

    def weigh(self, kind, weigh, samples):
        return sum(w // self.unit * sum(compress(self.rows[kind], flags(samples & part)))
                   for w, part in weigh.parts)

    def reach(self, values, least, alive):
        """Those alive that have so much, by the top bits of their digits."""
        half = 1 << 8 * self.step - 1
        least = min(max(-(-least // self.unit), self.low), self.high + 1)
        tops = values + self.ones * (half - least) & self.ones * half
        digits = tops.to_bytes(self.step * len(self.clauses), "little")
        return [k for k in compress(count(), digits[self.step - 1::self.step]) if k in alive]

    def relax(self, s, alive, weigh, known):
        """Lemma 2: without a set D of cases that many clauses share, few may be the largest. The
        cases that are left, the gain that they need, and the clauses that lemma 3 leaves."""
        r, c, alive, sample, counts, found = s.left, self.checker, {*alive}, (), {}, []
        g = weigh(s.cases) - (c.best - 1 - s.cost)
        paid = self.weigh(1, c.weigh0, s.controls) * (r if c.is_hamming else 1)
        for share in SHARES:
            live = s.cases & ~sum(1 << i for i, n in counts.items() if n > share * len(sample))
            gain = g - weigh(s.cases & ~live)
            if gain > max(0, r * known):
                values = (self.weigh(0, weigh, live) - self.costs) * r - paid
                first = self.reach(values, gain, alive)
                found.append((len(first), -share, first, gain, live, values))
            if not sample:
                sample = [self.clauses[k].cases & s.cases for k in first[::len(first) // 99 + 1]]
                counts = Counter(chain.from_iterable(map(members, sample)))
        _, _, first, gain, live, values = min(found)
        largest = max((c.value(r, weigh(x.cases & live) - c.cost(x),
                               c.weigh0(x.controls & s.controls))
                       for x in map(self.clauses.__getitem__, first)), default=FAR)
        rest = self.reach(values, r * gain - (r - 1) * largest, alive)
        return live, gain, rest if first else []

if __name__ == "__main__":
    sys.exit(main())
