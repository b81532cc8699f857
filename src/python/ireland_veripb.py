#!/usr/bin/env python3
"""ireland-veripb [RULE.json] DATA.csv --certificate FILE -o NAME: a proof for VeriPB that no rule is better than this one.

Writes NAME.csv (the samples as 0/1 for the literals of the certificate, label last), NAME.opb (the question, the same bytes as
`ireland-question NAME.csv K M` prints) and NAME.pbp (the proof). Nothing here has to be believed: whoever reads the thirty lines of
ireland-question, compares both OPB files and runs VeriPB knows that no rule has less loss. It is for the weighted loss, with limits and
penalties. --format 3 is that of VeriPB 3 (it ends with `conclusion BOUNDS`), 1 that of VeriPB of 2022 (version 1.2).

The proof is a branch and bound over rules by lemmas 1 and 4 of method.md. Literals of a clause stand by falling numbers of their
columns: `red` with a swap of two places as witness. At a node with clauses S in the first slots, of which a fresh variable q says that the
slot is dominated by the clause of the path, one `pol` adds the objective, the rows E and F and the definitions of the q: the values
of the r slots left sum up to r g. The first of them may be taken to have the largest (`red` with a swap of slots), so it has g or more.
Then all clauses by prefixes of literals: one `pol` for each prefix bounds the value by its next literal, and what it leaves is a child.
With limits a sum of the objective and the rows of the limits takes the place of the objective: it holds for every better rule, and
where the clauses of a path are no better rule, one of the rows is broken by them and by all that they dominate. Literals count by
variables l (so many or more), which the q of a clause asks for too; costs of literals and clauses are part of the value."""
import os, sys
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "share", "ireland", "python"))
from collections import namedtuple
from itertools import product
from ireland_check import Checker, Refused, NotChecked, arguments, members, need, set_timer, weigher

# What rows, literals and clauses cost in a sum of the objective and the limits; which rows are then cases and controls; the limit of the sum.
Prices = namedtuple("Prices", "times net weigh cases controls literal clause base bound")
# Live cases and controls, how many literals the clauses of the path have, clauses left.
Node = namedtuple("Node", "cases controls sizes left")
Child = namedtuple("Child", "cases controls size")
Step = namedtuple("Step", "q definition rows size")  # of a path


class Done(Exception):
    """All is written."""


class Proof:
    """Lines of a proof, and which constraints are there."""

    def __init__(self, path, version, n, limit):
        self.file, self.version, self.n_formula, self.last, self.limit, self.size = open(path, "w", buffering=1 << 20), version, n, n, limit, 0
        self.end, self.live = (" ;\n" if version == 3 else "\n"), []
        self.write("pseudo-Boolean proof version %s\nf %d%s" % ({1: "1.2", 3: "3.0"}[version], n, self.end))

    def write(self, text):
        self.size += len(text)
        if self.size > self.limit:
            raise NotChecked("the proof has more than %d MB: --max-mb allows more" % (self.limit // 10 ** 6))
        self.file.write(text)

    def comment(self, text):
        self.write("%s %s\n" % ({1: "*", 3: "%"}[self.version], " ".join(text.split())))

    def name(self, number):
        """Version 3 has labels, so that constraints of subproofs need not be counted."""
        return "@c%d" % number if self.version == 3 and number > self.n_formula else str(number)

    def add(self, text):
        self.last += 1
        self.live.append(self.last)
        self.write(("@c%d " % self.last if self.version == 3 else "") + text)
        return self.last

    def pol(self, text):
        return self.add("pol " + text + self.end)

    def rup(self, text):
        return self.add("rup " + text + " ;\n")

    def red(self, constraint, witness, goals=None):
        """`goals`: of a swap, the constraints that the witness turns into others; each of these follows from it and the new one."""
        if goals is None or (not goals and self.version == 3):
            return self.add("red %s %s %s%s" % (constraint, ":" if self.version == 3 else ";", witness, self.end))
        lines, negated = [], self.last + 1
        if self.version == 1:
            steps = [("#1", "-1 -2 +")] + [(str(g), "-1 %d + %d +" % (g, negated)) for g in goals]
            lines = ["proofgoal %s\npol %s\nc -1\nend\n" % step for step in steps]
            self.last += 1 + 2 * len(steps)  # the negated constraint, and of each goal its negation and the sum
            return self.add("red %s ; %s ; begin\n%send\n" % (constraint, witness, "".join(lines)))
        for i, g in enumerate(goals):
            lines.append("proofgoal %s\npol -1 %s + %d + ;\nqed : -1 ;\n" % (self.name(g), self.name(g), -2 - 2 * i))
        return self.add("red %s : %s : subproof\n%sqed ;\n" % (constraint, witness, "".join(lines)))

    def delete(self, first, keep):
        """All since `first` but the constraint `keep`."""
        gone = []
        while self.live and self.live[-1] >= first:
            gone.append(self.live.pop())
        self.live.append(keep)
        gone = [self.name(x) for x in reversed(gone) if x != keep]
        if gone:
            self.write("del id " + " ".join(gone) + self.end)

    def finish(self, loss):
        if self.version == 3:
            self.write("output NONE ;\nconclusion BOUNDS %d : %s %d ;\nend pseudo-Boolean proof ;\n" % (loss, self.name(self.last), loss))
        else:
            self.write("c %d\n" % self.last)
        self.file.close()


class Writer(Checker):
    def node(self, state, depth):
        """Called by the checker once the head is read: data, limits and rule are what it says."""
        need(not self.is_hamming and not self.n_groups, "a VeriPB proof is for the weighted loss, and without groups (--one-per)")
        self.gather_rows()
        forecast = self.forecast()
        if not self.options.quiet:
            print("forecast: %.1f MB of OPB and about %.1f MB of proof" % forecast, file=sys.stderr)
        if sum(forecast) * 1e6 > self.options.max_mb * 1e6:
            raise NotChecked("that is more than %d MB: --max-mb allows more" % self.options.max_mb)
        self.write_table()
        self.proof = Proof(self.options.output + ".pbp", self.options.format, self.write_question(), self.options.max_mb * 10 ** 6)
        self.write_proof()
        raise Done

    # ---- the question ----

    def gather_rows(self):
        """Distinct rows with the weights of their cases and controls, and the literals as sets of rows; 0 is FALSE."""
        found = {}
        for (digits, _), weights in self.found.items():
            loss = found.setdefault(digits[:self.n_features], [0, 0])
            loss[0], loss[1] = loss[0] + weights[0], loss[1] + weights[1]
        self.kinds = sorted(found)
        self.losses = [found[row] for row in self.kinds]
        N, (w1, w0) = len(self.kinds), self.w
        self.copies = [(x // w1, y // w0) for x, y in self.losses]
        self.lits = [0] + [sum(1 << n for n, row in enumerate(self.kinds) if row[j] == "1") for j in range(self.n_features)]
        if self.negations:
            self.lits += [(1 << N) - 1 & ~c for c in self.lits[1:]]
        self.real, self.all = range(1, len(self.lits)), (1 << N) - 1
        self.lits += [self.all] * self.counts_literals  # an empty place
        self.J = len(self.lits)
        self.falling = [*reversed(self.real)] + [self.J - 1] * self.counts_literals
        self.rank = {0: 0, **{j: i for i, j in enumerate(reversed(self.falling), 1)}}
        self.has = [self.limits[0] > 0, self.limits[1] < self.n[1], self.counts_literals and (self.max_literals < self.K * self.M or not self.penalty)]
        self.prices = self.draw_prices()
        start = self.prices[0]
        self.cases0 = start.cases if self.is_free else sum(1 << n for n, w in enumerate(self.losses) if w[0])
        self.controls0 = start.controls if self.is_free else sum(1 << n for n, w in enumerate(self.losses) if w[1])

    def draw_prices(self):
        """The objective, each limit, and some sums of them: every sum holds for a better rule, and where clauses are no better rule one
        of the first is broken."""
        has, some = self.has, lambda x, is_there: (0, x, 4 * x) if is_there else (0,)
        times = [(1, 0, 0, 0)] + [x for x, is_there in zip([(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)], has) if is_there]
        each = max(1, self.loss // (4 * self.max_literals))
        times += [(1, *x) for x in product(some(self.w[0], has[0]), some(self.w[1], has[1]), some(each, has[2])) if any(x)]
        return [self.price(*x) for x in times]

    def price(self, objective, cases, controls, literals):
        most = [self.loss - 1, self.n[0] - self.limits[0], self.limits[1], self.max_literals]
        both = [(objective * w1 + cases * n1, objective * w0 + controls * n0) for (w1, w0), (n1, n0) in zip(self.losses, self.copies)]
        net, times = [a - b for a, b in both], (objective, cases, controls, literals)
        return Prices(times, net, weigher([abs(x) for x in net]), sum(1 << n for n, x in enumerate(net) if x > 0),
                      sum(1 << n for n, x in enumerate(net) if x < 0), objective * self.penalty + literals, objective * self.penalty,
                      sum(map(min, both)), sum(x * y for x, y in zip(times, most)))

    def forecast(self):
        """In MB: the question, and the proof, of which at each depth a few children stand for all."""
        N, J, K, M = len(self.kinds), self.J, self.K, self.M

        def lines(node):
            """Rows that the prefixes of a node and of all below it take."""
            prices, survivors, n = self.choose_prices(node)
            children = self.not_dominated(survivors, node)
            some = children[::max(1, len(children) // 3)]
            below = [lines(self.below(node, x)) for x in some]
            return n * (node.cases & prices.cases | node.controls & prices.controls).bit_count() + sum(below) * len(children) / max(1, len(some))
        opb = K * N * J * M * 10 * 0.75 + K * M * J * 11
        return opb / 1e6, (lines(self.start()) * 5 + K * M * M * J * 20) / 1e6

    def start(self):
        return Node(self.cases0, self.controls0, (), self.K)

    @staticmethod
    def below(node, x):
        return Node(node.cases & ~x.cases, node.controls & ~x.controls, node.sizes + (x.size,), node.left - 1)

    @staticmethod
    def not_dominated(survivors, node):
        """The cases, controls and sizes of clauses that none before dominates: the children."""
        shown = []
        for _, _, cover, size in survivors:
            if not any(not cover & node.cases & ~x.cases and not x.controls & ~cover and x.size <= size for x in shown):
                shown.append(Child(cover & node.cases, cover & node.controls, size))
        return shown

    def need(self, x, node):
        """The gain that a better rule still needs, by these prices."""
        paid = self.controls0 & ~node.controls & x.controls
        return (x.base + x.weigh(paid) + x.weigh(node.cases & x.cases) + x.literal * sum(node.sizes) + x.clause * len(node.sizes) - x.bound)

    def choose_prices(self, node):
        """Those that leave the least to write; the clauses of enough value, largest first; and how many prefixes are written."""
        best = None
        for x in self.prices:
            least = self.need(x, node)
            if least > 0:
                n, survivors = self.count(x, node, least) if node.left else (1, [])
                effort = n + len(survivors) * (50 if node.left > 1 else 3)
                if best is None or effort < best[0]:
                    best = effort, x, survivors, n
        assert best, "a better rule"
        return best[1], sorted(best[2], key=lambda x: (-x[0], x[1])), best[3]

    def count(self, x, node, least):
        """How many prefixes have to be written; and the clauses of enough value, literals by falling rank."""
        n, found, r, W, cases, controls = 0, [], node.left, x.weigh, node.cases & x.cases, node.controls & x.controls

        def go(prefix, cover, cost):
            nonlocal n
            n += 1
            for j in self.next(prefix):
                c, price = cover & self.lits[j], cost + r * x.literal * (j in self.real)
                a = r * W(c & cases) - price
                if a < least:
                    continue
                if len(prefix) + 1 < self.M:
                    go(prefix + (j,), c, price)
                elif a - W(c & controls) >= least and (prefix + (j,))[0] in self.real:
                    size = sum(i in self.real for i in prefix + (j,)) * self.counts_literals
                    found.append((a - W(c & controls), prefix + (j,), c, size))
        go((), self.all, r * x.clause)
        return n, found

    def next(self, prefix):
        """The literals that a place may have after these."""
        return self.falling[len(self.falling) - self.rank[prefix[-1]]:] if prefix else self.falling

    def write_table(self):
        with open(self.options.output + ".csv", "w") as file:
            file.write(",".join(["x%d" % (j + 1) for j in range(self.n_features)] + ["y"]) + "\n")
            for kind in (0, 1):
                for row, weights in zip(self.kinds, self.losses):
                    file.write((",".join(row) + ",%d\n" % (1 - kind)) * (weights[kind] // self.w[kind]))

    def write_question(self):
        """The OPB; the numbers of its constraints by what they say."""
        lines, number, self.ids = [], 0, {}
        for k in range(1, self.K + 1):
            p = [["1 p%d_%d_%d" % (k, m, j) for j in range(self.J)] for m in range(1, self.M + 1)]
            for m, x in enumerate(p, 1):
                lines.append(" ".join(x) + " = 1 ;")
                self.ids["A", k, m], number = number + 2, number + 2  # an equation is two; the second says at most one
            if self.counts_literals:
                lines.append(" ".join("1 ~" + x[-1][2:] for x in p) + " >= 1 ;")
                number += 1
            for m, x in enumerate(p if self.penalty else (), 1):
                lines.append("%s 1 v%d >= 1 ;" % (x[0], k))
                self.ids["V", k, m] = number = number + 1
            for n in range(len(self.kinds)):
                true = [j for j in range(self.J) if self.lits[j] >> n & 1]
                false = [j for j in range(self.J) if not self.lits[j] >> n & 1]
                for m, x in enumerate(p, 1):
                    lines.append(" ".join([x[j] for j in true] + ["1 ~t%d_%d >= 1 ;" % (k, n)]))
                    self.ids["C", k, m, n] = number = number + 1
                lines.append(" ".join([x[j] for x in p for j in false] + ["1 t%d_%d >= 1 ;" % (k, n)]))
                self.ids["D", k, n] = number = number + 1
                if self.losses[n][1]:
                    lines.append("1 ~t%d_%d 1 f%d >= 1 ;" % (k, n, n))
                    self.ids["F", k, n] = number = number + 1
        for n, (w1, _) in enumerate(self.losses):
            if w1:
                lines.append(" ".join(["1 t%d_%d" % (k, n) for k in range(1, self.K + 1)] + ["1 u%d >= 1 ;" % n]))
                self.ids["E", n] = number = number + 1
        terms = ["%d %s%d" % (w[kind], "uf"[kind], n) for kind in (0, 1) for n, w in enumerate(self.losses) if w[kind]]
        slots, uses = range(1, self.K + 1), ["p%d_%d_%d" % (k, m, j) for k in range(1, self.K + 1) for m in range(1, self.M + 1) for j in self.real]
        rows = [["%d ~%s%d" % (w[kind], "uf"[kind], n) for n, w in enumerate(self.copies) if w[kind]] for kind in (0, 1)]
        rows.append(["1 ~" + x for x in uses])
        for i, least in enumerate((self.limits[0], self.n[1] - self.limits[1], len(uses) - self.max_literals)):
            if self.has[i]:
                lines.append(" ".join(rows[i]) + " >= %d ;" % least)
                self.ids["limit", i] = number = number + 1
        n_variables = self.K * (self.M * self.J + len(self.kinds)) + len(terms) + self.K * (self.penalty > 0)
        costs = [["%d %s" % (self.penalty, x) for x in names if self.penalty] for names in (uses, ["v%d" % k for k in slots])]
        terms = costs[0] + terms + costs[1]
        with open(self.options.output + ".opb", "w") as file:
            file.write("* #variable= %d #constraint= %d\nmin: %s ;\n" % (n_variables, len(lines), " ".join(terms)))
            file.write("\n".join(lines) + "\n")
        return number

    def words(self):
        """What ireland-question has to be told."""
        is_unit, scale = self.scope["weights"] == "unit", self.w[0] // (1 if self.scope["weights"] == "unit" else self.n[1])
        limits = [("scale", scale, scale > 1), ("cases", self.limits[0], self.has[0]), ("controls", self.limits[1], self.has[1]),
                  ("literals", self.max_literals, self.has[2]), ("penalty", self.penalty, self.penalty)]
        return " unit" * is_unit + " negations" * self.negations + "".join(" %s=%d" % x[:2] for x in limits if x[2])

    # ---- the proof ----

    def write_proof(self):
        proof, p = self.proof, lambda k, m: ["p%d_%d_%d" % (k, m, j) for j in range(self.J)]
        self.explain()
        for k in range(1, self.K + 1):
            order = {}  # literals of a clause stand by falling numbers, place m before place l
            for m in range(1, self.M + 1):
                for l in range(m + 1, self.M + 1):
                    terms = ["%d %s" % (sign * self.rank[j], x) for sign, at in ((1, m), (-1, l)) for j, x in enumerate(p(k, at)) if j]
                    goals = [order[m, y] for y in range(m + 1, l)]
                    order[m, l] = proof.red(" ".join(terms) + " >= 0", self.swap(p(k, m), p(k, l)), goals)
            for m in range(1, self.M):  # so that they propagate
                proof.pol("%s %d %d * +" % (proof.name(order[m, m + 1]), self.ids["A", k, m], self.J - 1))
        self.mixed = {n: proof.rup("1 u%d 1 f%d >= 1" % (n, n)) for n, w in enumerate(self.losses) if all(w)}
        self.objective = proof.add(("soli " if proof.version == 3 else "o ") + " ".join(self.solution()) + proof.end)
        self.n_selectors = 0
        self.define_sizes()
        self.branch([], self.start(), {})
        proof.finish(self.loss)

    def define_sizes(self):
        """l: the clause has so many literals or more; then it is used."""
        proof, self.sizes = self.proof, {}
        for k, z in product(range(1, self.K + 1), range(1, self.M + 1) if self.counts_literals else ()):
            p, l = ["p%d_%d_%d" % (k, m, j) for m in range(1, self.M + 1) for j in self.real], "l%d_%d" % (k, z)
            proof.red(" ".join(["%d %s" % (len(p) - z + 1, l)] + ["1 ~" + y for y in p]) + " >= %d" % (len(p) - z + 1), l + " -> 1")
            definition = proof.red(" ".join(["%d ~%s" % (z, l)] + ["1 " + y for y in p]) + " >= %d" % z, l + " -> 0")
            self.sizes[k, z] = definition, proof.rup("1 v%d 1 ~%s >= 1" % (k, l)) if self.penalty else None

    def explain(self):
        """The merged problem, in comments."""
        say, mixed = self.proof.comment, sum(all(w) for w in self.losses)
        say("%d cases and %d controls are %d distinct rows, n = 0 to %d; of %d with both a rule pays for one of them" % (
            *self.n, len(self.kinds), len(self.kinds) - 1, mixed))
        say("a rule is at most %d clauses k, each at most %d literals m; p: this literal is number j; t: the clause covers the row" % (self.K, self.M))
        say("u costs the cases of a row that is not covered, f the controls of one that is; no rule costs less than %d" % self.loss)
        say("literal 0 is FALSE%s%s" % (", %d and later are the negations" % (self.n_features + 1) if self.negations else "",
                                   ", %d is an empty place" % (self.J - 1) if self.counts_literals else ""))
        for j, x in enumerate(self.literals[:self.n_features], 1):
            say("literal %d is x%d: %s" % (j, j, " ".join(str(y) for y in x[:3] if y is not None).encode("ascii", "replace").decode()))

    @staticmethod
    def swap(a, b):
        return " ".join("%s -> %s %s -> %s" % (x, y, y, x) for x, y in zip(a, b))

    def solution(self):
        """The rule as values of all variables."""
        found, either = [], 0
        for k in range(1, self.K + 1):
            clause = sorted((x + 1 for x in self.rule[k - 1].numbers), reverse=True) if k <= len(self.rule) else [0]
            is_used, size = clause != [0], len(clause)
            clause += (clause[-1:] if not (is_used and self.counts_literals) else [self.J - 1]) * (self.M - size)
            found += ["~" * (not is_used) + "v%d" % k] * (self.penalty > 0)
            cover = (1 << len(self.kinds)) - 1
            for m, literal in enumerate(clause, 1):
                found += ["~" * (j != literal) + "p%d_%d_%d" % (k, m, j) for j in range(self.J)]
                cover &= self.lits[literal]
            found += ["~" * (not cover >> n & 1) + "t%d_%d" % (k, n) for n in range(len(self.kinds))]
            either |= cover
        for n, (w1, w0) in enumerate(self.losses):
            found += ["~" * (either >> n & 1) + "u%d" % n] * (w1 > 0) + ["~" * (not either >> n & 1) + "f%d" % n] * (w0 > 0)
        return found

    def total(self, start, parts):
        """A sum of constraints with factors, those of the same factor together."""
        groups = {}
        for number, factor in parts:
            groups.setdefault(factor, []).append(self.proof.name(number))
        text = [] if start is None else [self.proof.name(start)]
        for factor, names in groups.items():
            text.append(names[0] + "".join(" %s +" % x for x in names[1:]) + (" %d *" % factor if factor != 1 else "") + (" +" if text else ""))
        return " ".join(text)

    def sum_up(self, path, node, paid, x):
        """What a better rule has to gain with the clauses left, as one constraint; `paid`: controls and who covers them."""
        K, k, r, net, ids = self.K, len(path) + 1, max(1, node.left), x.net, self.ids
        base = [min(x.times[0] * w[0] + x.times[1] * n[0], x.times[0] * w[1] + x.times[2] * n[1]) for w, n in zip(self.losses, self.copies)]
        rows = [self.objective] + [ids.get(("limit", i)) for i in range(3)]
        parts = [(row, r * times) for row, times in zip(rows, x.times)] + [(number, r * base[n]) for n, number in self.mixed.items()]
        parts += [(ids["E", n], r * net[n]) for n in members(node.cases & x.cases)]
        parts += [(ids["F", s, n], -r * net[n]) for n, s in paid.items() if net[n] < 0]
        parts += [(ids["F", s, n], -net[n]) for n in members(node.controls & x.controls) for s in range(k, K + 1)]
        for s, step in enumerate(path, 1):
            size, used = self.sizes.get((s, step.size), (None, None))
            parts += [(size, r * x.literal), (used, r * x.clause)]
            weight = max([abs(net[n]) for n in step.rows] + [step.size * x.literal + x.clause])
            parts.append((step.definition, r * (weight or 1)))
        return self.proof.pol(self.total(None, [part for part in parts if part[1]]) + "".join(" u%d w" % n for n in members(x.cases & ~node.cases)))

    def value(self, k, sign, node, x):
        """The terms of the value of slot k."""
        r = sign * node.left
        terms = ["%d t%d_%d" % ((r if x.net[n] > 0 else sign) * x.net[n], k, n) for n in members(node.cases & x.cases | node.controls & x.controls)]
        terms += ["%d p%d_%d_%d" % (-r * x.literal, k, m, j) for m in range(1, self.M + 1) for j in self.real if x.literal]
        return terms + ["%d v%d" % (-r * x.clause, k)] * (x.clause > 0)

    def slot(self, k):
        """All variables of slot k."""
        places = range(1, self.M + 1)
        return (["p%d_%d_%d" % (k, m, j) for m in places for j in range(self.J)] + ["t%d_%d" % (k, n) for n in range(len(self.kinds))] +
                ["v%d" % k] * (self.penalty > 0) + ["l%d_%d" % (k, m) for m in places if self.counts_literals])

    def branch(self, path, node, paid):
        """Shows that no better rule has its first clauses dominated by those of the path."""
        proof, K = self.proof, self.K
        self.progress(0)
        k, r, first = len(path) + 1, node.left, proof.last + 1
        x, survivors, _ = self.choose_prices(node)
        cases, controls = node.cases & x.cases, node.controls & x.controls
        sum_all = self.sum_up(path, node, paid, x)
        nots = "".join(" 1 ~" + step.q for step in path)
        if r > 1 and cases | controls:
            big, order = 2 * (r * x.weigh(cases) + x.weigh(controls) + r * (self.M * x.literal + x.clause)), []
            for s in range(k + 1, K + 1):
                text = " ".join(self.value(k, 1, node, x) + self.value(s, -1, node, x)) + "".join(" %d ~%s" % (big, step.q) for step in path)
                order.append(proof.red(text + " >= 0", self.swap(self.slot(k), self.slot(s)), list(order)))
            sum_all = proof.pol(proof.name(sum_all) + " " + "".join("%s + " % proof.name(y) for y in order) + "%d d" % r)
        for child in self.not_dominated(survivors, node):
            self.child(path, node, paid, child)
        if x.clause and r:
            sum_all = proof.pol(self.total(sum_all, [(self.ids["V", k, 1], r * x.clause)]))
        if r:
            self.write_prefixes(k, node, x, sum_all, nots, survivors)
        lemma = proof.rup(nots[1:] + " >= 1")
        proof.delete(first, lemma)
        return lemma

    def child(self, path, node, paid, child):
        """A fresh q: slot k covers no other live case than the clause, all live controls that it covers, and has as many literals."""
        proof, k = self.proof, len(path) + 1
        self.n_selectors += 1
        q, out, inn = "q%d" % self.n_selectors, list(members(node.cases & ~child.cases)), list(members(child.controls))
        says = ["1 ~t%d_%d" % (k, n) for n in out] + ["1 t%d_%d" % (k, n) for n in inn] + ["1 l%d_%d" % (k, child.size)] * (child.size > 0)
        nots = [y.replace("1 ", "1 ~").replace("~~", "") for y in says]
        proof.red(" ".join(["1 " + q] + nots) + " >= 1", q + " -> 1")
        definition = proof.red(" ".join(["%d ~%s" % (len(says), q)] + says) + " >= %d" % len(says), q + " -> 0")
        self.branch(path + [Step(q, definition, out + inn, child.size)], self.below(node, child), {**paid, **{n: k for n in inn}})

    def write_prefixes(self, k, node, x, need_all, nots, survivors):
        """From the value of slot k to its literals: for each prefix a bound by the next literal, then that the prefix is none."""
        proof, ids, lits, W, M, r, least = self.proof, self.ids, self.lits, x.weigh, self.M, node.left, self.need(x, node)
        cases, controls = node.cases & x.cases, node.controls & x.controls
        mine = {}
        for _, clause, _, _ in survivors:
            mine.setdefault(clause[:-1], []).append(clause[-1])
        without = proof.pol(proof.name(need_all) + "".join(" t%d_%d w" % (k, n) for n in members(controls)))
        say = lambda prefix: " ".join("1 ~p%d_%d_%d" % (k, m, j) for m, j in enumerate(prefix, 1)) + nots + " >= 1"
        cost = lambda m, j: r * (x.literal * (j in self.real) - x.clause * (j == 0 and m == 1))  # FALSE gets the price of a clause back
        least += r * x.clause

        def go(prefix, needs, alive, cover, fixed):
            """needs: the constraint with and without controls, into which the literals of the prefix but the last have been put."""
            depth, first, parts = len(prefix), proof.last + 1, []
            last = depth == M - 1
            if prefix:
                gone, alive, cover = alive & ~lits[prefix[-1]], alive & lits[prefix[-1]], cover & lits[prefix[-1]]
                c = [r * W(gone & y) - cost(depth, j) for j, y in enumerate(lits)]
                if gone:
                    parts = [(ids["C", k, depth, n], r * x.net[n]) for n in members(gone)] + [(ids["A", k, depth], max(c))] * (max(c) > 0)
                fixed = fixed + [[y - max(c) * (gone > 0) for y in c]]
                if gone and not last:
                    needs, parts = tuple(proof.pol(self.total(y, parts)) for y in needs), []
            parts = parts + [(ids["C", k, depth + 1, n], r * x.net[n]) for n in members(alive)]
            b = cover & controls if last else 0
            parts += [(ids["D", k, n], -x.net[n]) for n in members(b)]
            more = [W(b & ~y) for y in lits]
            for m, f in enumerate(fixed if b else (), 1):
                most = max(y + z for y, z in zip(f, more))
                parts += [(ids["A", k, m], most)] * (most > 0)
            c = [r * W(alive & y) + z * (b > 0) - cost(depth + 1, j) for j, (y, z) in enumerate(zip(lits, more))]
            parts += [(ids["A", k, depth + 1], max(c))] * (max(c) > 0)
            later = [" p%d_%d_%d w" % (k, m, j) for m in range(depth + 2, M + 1) for j in self.real if x.literal]
            saturated = " s" if proof.version == 3 else ""  # VeriPB of 2022 does it wrongly below 0
            proof.pol(self.total(needs[0] if last else needs[1], parts) + "".join(later) + saturated)
            for j in mine.get(prefix, ()) if last else ():
                proof.rup(say(prefix + (j,)))
            paid = sum(cost(m, j) for m, j in enumerate(prefix, 1))
            for j in self.next(prefix) if not last else ():
                if c[j] - paid >= least:
                    go(prefix + (j,), needs, alive, cover, fixed)
            if prefix:
                proof.delete(first, proof.rup(say(prefix)))
        go((), (need_all, without), cases, (1 << len(self.kinds)) - 1, [])


def main():
    parser = arguments("ireland-veripb", __doc__)
    parser.add_argument("-o", "--output", required=True, metavar="NAME")
    parser.add_argument("--format", type=int, choices=(1, 3), default=3, help="of the proof: 3.0, or 1.2 of VeriPB of 2022")
    parser.add_argument("--max-mb", type=int, default=200, help="of all files; a larger forecast is refused")
    return write(parser.parse_args())


def write(options):
    """The exit code: 0 written, 3 refused, 4 too large."""
    writer = None
    try:
        set_timer(options.time_limit)
        with open(options.certificate, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            writer = Writer(options, file)
            writer.run()
    except Done:
        print("%s.pbp says of %s.opb that no rule has less loss than %d. To check:" % (options.output, options.output, writer.loss))
        print("  veripb %s%s.opb %s.pbp" % ("--requireUnsat " * (options.format == 1), options.output, options.output))
        print("  ireland-question %s.csv %d %d%s | cmp - %s.opb" % (options.output, writer.K, writer.M, writer.words(), options.output))
        return 0
    except NotChecked as reason:
        return print("not written:", reason) or 4
    except (Refused, ValueError, KeyError, OSError) as reason:
        return print("refused: %s:%d: %s" % (options.certificate, writer.at if writer else 0, reason)) or 3
    finally:
        set_timer(0)


if __name__ == "__main__":
    sys.exit(main())
