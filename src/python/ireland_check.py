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
import argparse, csv, functools, gzip, itertools, json, math, re, signal, sys, time
from collections import Counter, defaultdict, namedtuple
from fractions import Fraction

# MOST: clauses of a list; FEW: columns that are tried in turn; FAR: beyond every loss.
VERSION, MOST, FEW, FAR = 3, 3000000, 50, 10 ** 40
USUAL_NA = ",NA,N/A,n/a,na,#N/A,<NA>,NaN,nan,NAN,null,NULL,Null,?,.".split(",")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.I | re.ASCII)
RELATIONS = {"is 1": ("is 0", type(None)), "is 0": ("is 1", type(None)), "<=": (">", (int, float)),
             ">": ("<=", (int, float)), "=": ("!=", str), "!=": ("=", str)}  # opposite; its values
Literal = namedtuple("Literal", "column relation value missing")  # missing: its answer there
Clause = namedtuple("Clause", "cases controls numbers")  # sets, as integers; which literals it has
# Cases left uncovered, controls that a further clause pays for, controls covered, cost so far.
State = namedtuple("State", "left cases controls hit cost rule")
class Refused(Exception): """The certificate does not show the claim."""
class NotChecked(Exception): """A limit came first."""

def need(holds, *words):
    if not holds:
        raise Refused(" ".join(map(str, words)))

def members(bits):
    return (i for i, digit in enumerate(reversed(bin(bits))) if digit == "1")

def to_bits(digits):
    return int("".join(digits)[::-1] or "0", 2)

def weigher(weights):
    """A function for the weight of a set, by the binary digits of weights over their divisor."""
    unit = math.gcd(*weights) or 1
    parts = [(unit << b, to_bits("01"[w // unit >> b & 1] for w in weights))
             for b in range((max(weights, default=0) // unit).bit_length())]
    if len(parts) == 1:
        return lambda bits: unit * bits.bit_count()
    return lambda bits: sum([weight * (bits & part).bit_count() for weight, part in parts])

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
    need(NUMBER.fullmatch(cell) and (x.value is not None or float(cell) in (0, 1)),
         "'%s' in column '%s' is no number, or not 0 or 1" % (cell[:40], x.column))
    return (float(cell) <= (x.value or 0)) == (x.relation in ("<=", "is 0"))

def read_rows(options, target):
    """The names of the columns, then row by row."""
    with (gzip.open if options.data.endswith(".gz") else open)(
            options.data, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        first = file.readline()
        table = csv.reader(itertools.chain([first], file),
                           delimiter=options.delimiter or max(",;\t|", key=first.count))
        rows = ([cell.strip() for cell in row] for row in table)
        names = next(rows)
        if options.no_header:
            rows = itertools.chain([names], rows)
            names = ["f%d" % i for i in range(1, len(names))] + [target]
        need(len(set(names)) == len(names), "two columns have the same name")
        yield names
        for row in rows:
            if any(row) or len(names) == len(row) > 1:
                need(len(row) == len(names), "a row of %d cells in %s" % (len(row), options.data))
                yield row

def read_samples(options, scope, by_column, negations):
    """Of each sample: is it a case (a CNF is the negation of a rule for the others), its weight,
    its stratum, and a digit for each literal, column by column."""
    na = set(USUAL_NA if options.na is None else [""] + options.na.split(","))
    rows = read_rows(options, scope["target"])
    names, aside = next(rows), [scope[x] for x in ("target", "weight_column", "strata")]
    only, ignored = ((scope[x] or "").split(",") for x in ("only", "ignore"))
    used = [x for x in names if x not in aside + ignored and (not scope["only"] or x in only)]

    @functools.cache
    def answers(name, cell):
        return "".join("?" if negations and cell in na else "01"[holds(x, cell, na)]
                       for x in by_column[name])
    for name in by_column:
        need(name in names, "there is no column '%s'" % name)
    for row in rows:
        cell = dict(zip(names, row))
        label, weight, stratum = (cell[name] if name is not None else None for name in aside)
        is_known = (label in (scope["positive"], scope["negative"]) or
                    (scope["vs_rest"] and label not in USUAL_NA))
        need(is_known or label in USUAL_NA, "an unknown label:", label)
        has_gaps = scope["missing"] == "drop" and any(cell[name] in na for name in used)
        if is_known and not has_gaps and stratum not in na:
            yield ((label == scope["positive"]) != (scope["form"] == "cnf"), Fraction(weight or 1),
                   stratum, "".join([answers(name, cell[name]) for name in by_column]))

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
        self.K, self.M, self.negations, self.max_literals, _, _ = limits
        kind, *self.w, self.penalty, self.best = loss
        need(0 < self.K <= 64 and 0 < self.M <= 64 and self.negations < 2 and all(self.w) and
             features, "there are no such limits")
        self.literals = features + [opposite(x) for x in features] * self.negations
        self.n_features, self.is_hamming = len(features), kind == "hamming"
        self.is_plain = not self.is_hamming and not self.penalty
        self.read_table(sizes, limits, self.expect("samples (plain|merged)") == ["merged"])
        self.check_rule()
        self.node(self.root, 0)
        nodes, = self.expect("end # [0-9a-f]{16}")
        self.ahead = self.file.readline()  # of the next certificate
        need(nodes == self.nodes and re.match("ireland certificate |$", self.ahead),
             "there are %d nodes, and nothing after the end" % self.nodes)
        need(not self.ahead or self.options.rule is None, "several certificates: give no rule")

    def read_table(self, sizes, limits, is_merged):
        """Samples as cases and controls with weights. Lemma 5: merged, equal ones are one with what
        is left of their weights. All that a rule loses beyond the offset is a multiple of unit."""
        scope, places = self.scope, defaultdict(list)
        need(not scope["test"], "samples were held out at random: fit a file of the others")
        groups = read_groups(self.options) if scope.get("one_per") else {}
        self.group = [groups.get(x.column) for x in self.literals]
        self.n_groups = len({*self.group} - {None})
        need(self.n_groups == int((scope.get("one_per") or "0").split()[0]), "others are groups")
        for x in self.literals:
            places[x.column].append(x)
        samples = list(read_samples(self.options, scope, places, self.negations))
        copies = count_copies(samples, scope)
        times = sizes[0] // (sum(c or 0 for c in copies) or 1)  # a smaller unit is the same claim
        times = times if scope["weight_column"] and times < 1000 else 1
        self.found, keys, self.n = {}, [], [0, 0]
        for (is_case, _, _, digits), count in zip(samples, copies):
            for _ in range((count or 0) * times):
                key = digits, None if is_merged else sum(self.n)
                keys += [key] * is_case
                self.found.setdefault(key, [0, 0])[not is_case] += self.w[not is_case]
                self.n[not is_case] += 1
        need(sizes == [sum(self.n), *self.n, self.n_features] and
             scope["samples"] == sum(c is not None for c in copies),
             "the certificate is for other data: here are %d cases and %d controls" % (*self.n,))
        self.check_claim(limits, *self.n)
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
        self.place = place = {x: k for k, x in enumerate(itertools.chain(*places.values()))}
        self.columns = [tuple(to_bits(text[place[x]::width]) for text in texts)
                        for x in self.literals]
        # By ascending cases, so that first literals leave few others; the columns of each case.
        self.order = sorted(range(width), key=lambda j: self.weigh(self.columns[j][0]))
        picked = [place[self.literals[j]] for j in self.order]
        self.rows = [to_bits(digits[k] for k in picked) for digits, _ in parts[0]]

    def check_claim(self, limits, n1, n0):
        """The numbers are what the words of the scope say, on these samples."""
        scope, slack, (w1, w0) = self.scope, Fraction(1, 10 ** 6), self.w
        need(not scope["plain"] and not scope["pool"] and scope["complexity"] is None and
             scope["budget"] is None and scope["loss"] == ("weighted", "hamming")[self.is_hamming],
             "the scope has other rules or losses")
        need(not self.negations or (scope["negations"] and all(
            x.relation[:2] == "is" and x.missing is None for x in self.literals)),
            "only 0/1 columns are negated")
        least = [Fraction(str(scope["min_" + x])) for x in ("sensitivity", "specificity")]
        least = least[::{"dnf": 1, "cnf": -1}[scope["form"]]]
        cases = max(0, math.ceil(least[0] * n1 - slack))
        controls = min(n0, math.floor((1 - least[1]) * n0 + slack))
        need([scope["literals"]] + limits == [len(self.literals), scope["K"], scope["M"],
             self.negations, scope["max_literals"] or 0, cases, controls], "the scope has others")
        unit = {"unit": (1, 1), "balanced": (n0, n1)}[scope["weights"]]
        exact = Fraction(str(scope["penalty"])) * (w1 * n1 + w0 * n0)
        need((w1, w0) in [(unit[0] * 10 ** i, unit[1] * 10 ** i) for i in range(7)] and
             (exact > 0) == (self.penalty > 0) and (exact < 1 == self.penalty or
             abs(exact - self.penalty) <= Fraction(1, 2) + slack), "the scope has other weights")
        self.max_uncovered, self.max_hit = w1 * (n1 - cases), w0 * controls
        self.is_free, self.limits = cases == 0 and controls == n0, (cases, controls)
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

    def least_value(self, s, weigh):
        """Lemma 1: the values r (a - c) - b, by the Hamming loss r (a - b - c), of at most r
        clauses sum up to r g. So one is at least g; if g < 0 at least r g, unless plain costs let
        s <= r clauses have s a - b >= g for one of them."""
        g = weigh(s.cases) + s.cost - (self.best - 1)
        return g if g >= 0 or self.is_plain else s.left * g

    # ---- nodes ----

    def node(self, parent, depth):
        """Checks a node with all below it; its clause is in no better rule with the parent's."""
        path, kind, given = map(str, self.expect(
            "([0-9 !]*?) (branch value|branch cover|list|kept|all)((?: [0-9a-f]+)*)", "a node"))
        path, given, at, n_refuted = path.split(" "), given.split(), self.at, len(self.refuted)
        need(path[0] == str(depth) and (depth > 0) == (len(path) > 1) and
             len(given) in {"list": (0, 2), "kept": (2,), "all": (2,)}.get(kind, (1,)) and
             all(re.fullmatch("[0-9]{1,17}", x) for x in given[:1]), "no node of depth", depth)
        clause, number = self.read_clause(path[1:]) if depth else None, int((given + [0])[0])
        s = self.take(parent, clause) if depth else parent
        self.nodes += 1
        if kind == "all":
            need(depth == 0, "a list of rules is for the root")
            return self.check_all(number, int(given[1]))
        self.check_not_better(s)
        need(kind[0] != "b" or number == 0 or s.left > 1, "no clause is left for children")
        for _ in range(number if kind[0] == "b" else 0):
            self.refuted.append(self.node(s, depth + 1))
        self.at, last = at, self.at  # what is refused now is so for this line
        if s.left and self.weigh0(s.hit) <= self.max_hit:  # no clause takes controls back
            self.inquire(s, kind, number, given[1:])
        self.at = last
        del self.refuted[n_refuted:]  # those of its children hold with its own clauses only
        return clause

    def set_of(self, digits):
        """Cases in hexadecimal, the lowest bit of a digit first; merged ones by any of theirs."""
        need(len(digits) == (len(self.case_of) + 3) // 4, "no set of cases")
        bits = to_bits("{:04b}".format(int(x, 16))[::-1] for x in digits)
        need(bits >> len(self.case_of) == 0, "no set of cases")
        return sum(1 << i for i in {self.case_of[i] for i in members(bits)} - {None})

    def inquire(self, s, kind, number, sets):
        """Every clause of which a lemma says that a better rule has one is dominated by a refuted
        one (lemma 4), or is in the list that is gone through. Branches: lemma 1; by cover: the r
        clauses have to cover cases of a weight together, so one covers a share of 1/r of it. A
        list: all clauses, or where a set is given those of lemma 3. Kept cases: lemma 7."""
        r, weigh, counted, least, cover, largest = s.left, self.weigh, s.cases, -FAR, 1, FAR
        is_branch, measure, known, options = kind[0] == "b", self.weigh, -FAR, {}
        need(not sets or (not s.rule and self.is_plain), "no such node here")
        if kind == "branch value" or (is_branch and r == 1):
            least = self.least_value(s, weigh)
        if kind == "branch cover" or (is_branch and r == 1):
            must = weigh(s.cases) - min(self.best - 1 - s.cost, self.max_uncovered)
            cover = max(1, -(-must // r))
        elif kind == "kept":
            counted, cover, weigh = self.set_of(sets[0]), number, int.bit_count
            need(not self.counts_literals and self.is_free and 0 < cover <= counted.bit_count(),
                 "cases cannot be kept with these limits, or not so many be covered")
            e = min(self.weights[0][i] for i in members(counted))
            measure, known = lambda p: e * (p & counted).bit_count(), e * (cover - 1)
        elif sets:
            counted &= ~self.set_of(sets[0])
            g = self.loss_of(s) - (self.best - 1) - weigh(s.cases & ~counted)
            largest = max(number, g)
            least = r * g - (r - 1) * largest
            need(least > 0, "that leaves no threshold for values")
        answers = [(c.cases & s.cases, c.controls & s.controls, self.size(c)) for c in self.refuted]
        for c, value in self.clauses(s, counted, weigh, least, cover):
            need(value <= largest, "a clause has a larger value")
            p, n, size = c.cases & s.cases, c.controls & s.controls, self.size(c)
            if any(not p & ~q and not m & ~n and length <= size for q, m, length in answers):
                continue
            if is_branch:
                need(r == 1, "nothing is said about a clause of %d literals" % len(c.numbers))
                self.check_not_better(self.take(s, c))
            elif (p, n) not in options or size < self.size(options[p, n]):
                options[p, n] = Clause(p, n, c.numbers)
        if not is_branch:
            self.choose(s, self.without_dominated(options.values()), measure, known)

    def progress(self, n):
        now, limit = time.monotonic(), self.options.time_limit
        if n > MOST or (limit and now - self.began > limit):
            raise NotChecked("the limit of %d clauses in a list, or of time" % MOST)
        if now - self.shown > 5 and not self.options.quiet:
            print("  line %d, %d clauses listed" % (self.at, self.listed), file=sys.stderr)
            self.shown = now

    def clauses(self, s, counted, weigh, least, cover):
        """All clauses that reach value and cover and that loss and limits allow, with their values,
        depth first: cases only shrink as literals are added, and of the controls each further
        literal removes at most what it removes by itself."""
        r, (budget, room, top), weigh0, order = s.left, self.room(s), self.weigh0, self.order
        factor, n_first = r if self.is_hamming else 1, self.listed
        lightest = 1 if weigh is int.bit_count else min(self.weights[0], default=1)

        def allowed(a, b, size):
            c = self.penalty * (1 + size)
            return (a >= cover and b <= room and b + c <= budget and
                    r * (a - c) - factor * b >= least)

        def close(p, alive, most):
            """The columns of `alive` that miss at most `most` cases among p: a binary counter for
            each, begun so that it overflows at the first one too many."""
            start, n = (1 << most.bit_length()) - 1 - most, most.bit_length()
            planes = [alive if start >> k & 1 else 0 for k in range(n)]
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
            """candidates: columns by place; weights and sets of what path and column cover."""
            self.progress(self.listed - n_first)
            more = sum(sorted((x[1] - b0 for x in candidates.values()))[:top - size])
            candidates = {j: x for j, x in candidates.items()
                          if allowed(x[0], max(0, x[1] + more), size)}
            after, places = sum(1 << j for j in candidates), list(candidates)
            for at, j in enumerate(places):
                a, b, p, n = candidates[j]
                after ^= 1 << j
                if allowed(a, b, size):
                    self.listed += 1
                    yield (Clause(p, n, frozenset(order[i] for i in path + (j,))),
                           r * (a - self.penalty * (1 + size)) - factor * b)
                if size == top or not after:
                    continue
                slack = min(a - cover, a - self.penalty * (2 + size) + least // -r)
                rest, found = places[at + 1:] if slack >= 0 else (), {}
                if lightest <= slack < 100 * lightest and len(candidates) > FEW:
                    rest = members(close(p, after, slack // lightest))
                mine = self.group[order[j]] or "\n"  # which no group is called
                for i in rest:
                    if self.group[order[i]] == mine:
                        continue
                    a1, b1, p1, n1 = candidates[i]
                    low = max(0, b + b1 - b0) if size + 1 == top else 0
                    if allowed(min(a, a1), low, size + 1):
                        a1 = weigh(p & p1 & counted)
                        if allowed(a1, low, size + 1):
                            found[i] = a1, weigh0(n & n1 & s.controls), p & p1, n & n1
                if found:
                    yield from extend(b, found, size + 1, path + (j,))
        if top > 0 and budget >= 0:
            first = {i: (weigh(p & counted), weigh0(n & s.controls), p, n)
                     for i, (p, n) in enumerate(self.columns[j] for j in order)}
            yield from extend(weigh0(s.controls), first, 1, ())

    def without_dominated(self, options):
        """Lemma 4 within a list. For each case the set of clauses kept that cover it: what
        dominates a clause is in the sets of all its cases."""
        kept, by_case = [], defaultdict(int)
        rank = lambda c: (-self.weigh(c.cases), self.weigh0(c.controls), self.size(c))
        for c in sorted(options, key=rank):
            left = (1 << len(kept)) - 1
            for i in members(c.cases):
                left &= by_case[i]
                if not left:
                    break
            if not any(not kept[k].controls & ~c.controls and self.size(kept[k]) <= self.size(c)
                       for k in members(left)):
                for i in members(c.cases):
                    by_case[i] |= 1 << len(kept)
                kept.append(c)
        return kept

    def choose(self, s, options, weigh, known):
        """No r clauses make a better rule; of weight above `known` all are among the options. The
        one of largest value has at least g (lemma 1; by the weights of kept cases lemma 7): each in
        turn, without those before it. Where the options are all, the values sum up to r g, and the
        a - c less the largest b to g (lemma 8 with multipliers of 1)."""
        self.progress(0)
        r, (budget, room, top), least, found = s.left, self.room(s), self.least_value(s, weigh), []
        g = weigh(s.cases) - budget
        if g <= r * known:  # others may have that value: all clauses of lemma 1, by all weights
            anew = self.clauses(s, s.cases, self.weigh, self.least_value(s, self.weigh), 1)
            anew = {(c.cases & s.cases, c.controls & s.controls): c.numbers for c, _ in anew}
            for c in self.without_dominated(Clause(*sets, x) for sets, x in anew.items()):
                self.check_not_better(self.take(s, c))
                if r > 1:
                    self.choose(self.take(s, c), options, weigh, known)
            return
        for clause in options:
            a, c = weigh(clause.cases & s.cases), self.cost(clause)
            b = self.weigh0(clause.controls & s.controls) if a > max(0, known) else FAR
            if b <= room and b + c <= budget and len(clause.numbers) <= top:
                value = r * (a - b - c) if self.is_hamming else r * (a - c) - b
                found.append((value, a - c, b, clause))
        found.sort(key=lambda x: -x[0])
        for i, (v, a, b, clause) in enumerate(found if r > 1 or not found else found[:1]):
            if v < least:
                break
            state = self.take(s, clause)
            self.check_not_better(state)
            after = found[i + 1:] if r > 1 else ()
            if after and known < 0:
                rest = r * g - v - max(0, after[0][0]) * (r - 2)
                more = sum(sorted(max(0, x[1]) for x in after)[2 - r:]) if r > 2 else 0
                after = [x for x in itertools.takewhile(lambda x: x[0] >= rest, after)
                         if self.is_hamming or a + x[1] + more - max(b, x[2]) >= g]
            if r == 2 and self.is_plain and known < 0:  # pairs that gain enough
                after = [x for x in after if weigh(x[3].cases & state.cases) -
                         self.weigh0(x[3].controls & state.controls) >= g - a + b]
            if after:
                self.choose(state, [x[3] for x in after], weigh, known)

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
        rule = frozenset(s.rule)
        parts = [rule - {c} for c in rule]
        parts += [rule - {c} | {c - {j}} for c in rule if len(c) > 1 for j in c]
        states = (functools.reduce(self.take, map(self.clause, part), self.root) for part in parts)
        return not any(self.is_within(t) and self.loss_of(t) <= self.loss_of(s) for t in states)

    def find_all(self, s, met):
        """Each clause of such a rule covers a case by itself, and each of its literals leaves out a
        control that counts; one has the value of lemma 1. Rules with a clause of `met` were met."""
        self.check_not_better(s)
        if not s.left or self.weigh0(s.hit) > self.max_hit:
            return
        for c, _ in list(self.clauses(s, s.cases, self.weigh, self.least_value(s, self.weigh), 1)):
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
    print("valid: no rule has less loss than", c.loss, "(%d nodes, %d clauses listed)" % (
        c.nodes, c.listed))
    if c.rules is not None:
        print("no rules but the %d that it lists have a loss of at most %d, unless something in "
              "them is superfluous" % (len(c.rules), c.most))
    print("rule: (%s)%s" % (") OR (".join(rule) or "FALSE", "; its negation is the CNF" * is_cnf))
    print("cases: %d samples with %s %s '%s'; controls: %d others; weighed by %s" % (
        c.n[0], scope["target"], "not" if is_cnf else "=", scope["positive"], c.n[1], by))
    print("rules: an OR of at most %d clauses, ANDs of at most %d of %d literals" % (
        c.K, c.M, len(c.literals)), "at most %d literals in all" % c.max_literals,
        "at least %d cases and at most %d controls are covered" % c.limits, sep="; ")
    if c.n_groups:
        print("no clause has two literals of one of %d groups of columns" % c.n_groups)
    print("loss (%s): %d for each case that is left out, %d for each control that is covered%s" % (
        scope["loss"], *c.w, " by a clause" * c.is_hamming),
        "%d for each clause and each literal" % c.penalty, sep=", ")
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
    parser.add_argument("rule", nargs="?")
    for name in ("data", "--delimiter"):
        parser.add_argument(name)
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--na", help="texts of missing values, separated by commas")
    parser.add_argument("--one-per", metavar="FILE", help="groups of columns, as for fit")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS")
    for name in ("--no-header", "--quiet"):
        parser.add_argument(name, action="store_true")
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
    return check(arguments("ireland-check", __doc__).parse_args())

if __name__ == "__main__":
    sys.exit(main())
