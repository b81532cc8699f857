#!/usr/bin/env python3
"""ireland-veripb [RULE.json] DATA.csv --certificate FILE -o NAME: a proof for VeriPB that no rule is better than this one.

Writes NAME.csv (the samples as 0/1 for the literals of the certificate, label last), NAME.opb (the question, the same bytes as
`ireland-question NAME.csv K M` prints) and NAME.pbp (the proof). Nothing here has to be believed: whoever reads the twenty lines of
ireland-question, compares both OPB files and runs VeriPB knows that no rule has less loss. It is for the weighted loss without limits
and penalties. --format 3 is that of VeriPB 3 (it ends with `conclusion BOUNDS`), 1 that of VeriPB of 2022 (version 1.2).

The proof is a branch and bound over rules by lemmas 1 and 4 of method.md. Literals of a clause stand by falling numbers of their
columns: `red` with a swap of two places as witness. At a node with clauses S in the first slots, of which a fresh variable q says that the
slot is dominated by the clause of the path, one `pol` adds the objective, the rows E and F and the definitions of the q: the values
of the r slots left sum up to r g. The first of them may be taken to have the largest (`red` with a swap of slots), so it has g or more.
Then all clauses by prefixes of literals: one `pol` for each prefix bounds the value by its next literal, and what it leaves is a child."""
import os, sys
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "share", "ireland", "python"))
from ireland_check import Checker, Refused, NotChecked, arguments, members, need, weigher


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
        need(self.is_plain and not self.counts_literals and self.is_free,
             "a VeriPB proof is for the weighted loss without limits and penalties")
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
        found, places = {}, [self.place[x] for x in self.literals[:self.n_features]]
        for (digits, _), weights in self.found.items():
            loss = found.setdefault("".join(digits[k] for k in places), [0, 0])
            loss[0], loss[1] = loss[0] + weights[0], loss[1] + weights[1]
        self.kinds = sorted(found)
        self.losses = [found[row] for row in self.kinds]
        N = len(self.kinds)
        self.lits = [0] + [sum(1 << n for n, row in enumerate(self.kinds) if row[j] == "1") for j in range(self.n_features)]
        if self.negations:
            self.lits += [(1 << N) - 1 & ~c for c in self.lits[1:]]
        self.net = [w1 - w0 for w1, w0 in self.losses]
        self.cases0 = sum(1 << n for n in range(N) if self.net[n] > 0)
        self.controls0 = sum(1 << n for n in range(N) if self.net[n] < 0)
        self.W = weigher([abs(x) for x in self.net])
        self.J, self.base = len(self.lits), sum(map(min, self.losses))

    def forecast(self):
        """In MB: the question, and the proof, of which at each depth a few children stand for all."""
        N, J, K, M = len(self.kinds), self.J, self.K, self.M

        def lines(cases, controls, paid, r):
            """Rows that the prefixes of a node and of all below it take."""
            self.survivors = []
            found = self.count(cases, controls, r, self.need(cases, paid)) * (cases | controls).bit_count()
            children = self.not_dominated(sorted(self.survivors, key=lambda x: (-x[0], x[1])), cases, controls) if r > 1 else []
            some = children[::max(1, len(children) // 3)]
            below = [lines(cases & ~p, controls & ~n, paid + self.W(n), r - 1) for p, n in some]
            return found + sum(below) * len(children) / max(1, len(some))
        opb = K * N * J * M * 10 * 0.75 + K * M * J * 11
        return opb / 1e6, (lines(self.cases0, self.controls0, 0, K) * 5 + K * M * M * J * 20) / 1e6

    @staticmethod
    def not_dominated(survivors, cases, controls):
        """The cases and controls of clauses that none before dominates: the children."""
        shown = []
        for _, _, cover in survivors:
            if not any(not cover & cases & ~p and not n & ~cover for p, n in shown):
                shown.append((cover & cases, cover & controls))
        return shown

    def need(self, cases, paid):
        return self.base + paid + self.W(cases) - (self.loss - 1)

    def count(self, cases, controls, r, least):
        """Prefixes that have to be written; clauses of enough value go to `survivors`, literals by falling numbers."""
        n = 0

        def go(prefix, cover):
            nonlocal n
            n += 1
            for j in range(prefix[-1] if prefix else self.J - 1, 0, -1):
                c = cover & self.lits[j]
                a = r * self.W(c & cases)
                if a < least:
                    continue
                if len(prefix) + 1 < self.M:
                    go(prefix + (j,), c)
                elif a - self.W(c & controls) >= least:
                    self.survivors.append((a - self.W(c & controls), prefix + (j,), c))
        go((), (1 << len(self.kinds)) - 1)
        return n

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
        with open(self.options.output + ".opb", "w") as file:
            n_variables = self.K * (self.M * self.J + len(self.kinds)) + len(terms)
            file.write("* #variable= %d #constraint= %d\nmin: %s ;\n" % (n_variables, len(lines), " ".join(terms)))
            file.write("\n".join(lines) + "\n")
        return number

    # ---- the proof ----

    def write_proof(self):
        proof, p = self.proof, lambda k, m: ["p%d_%d_%d" % (k, m, j) for j in range(self.J)]
        self.explain()
        for k in range(1, self.K + 1):
            order = {}  # literals of a clause stand by falling numbers, place m before place l
            for m in range(1, self.M + 1):
                for l in range(m + 1, self.M + 1):
                    terms = ["%d %s" % (j, x) for j, x in enumerate(p(k, m)) if j] + ["-%d %s" % (j, x) for j, x in enumerate(p(k, l)) if j]
                    goals = [order[m, y] for y in range(m + 1, l)]
                    order[m, l] = proof.red(" ".join(terms) + " >= 0", self.swap(p(k, m), p(k, l)), goals)
            for m in range(1, self.M):  # so that they propagate
                proof.pol("%s %d %d * +" % (proof.name(order[m, m + 1]), self.ids["A", k, m], self.J - 1))
        self.mixed = {n: proof.rup("1 u%d 1 f%d >= 1" % (n, n)) for n, w in enumerate(self.losses) if all(w)}
        self.objective = proof.add(("soli " if proof.version == 3 else "o ") + " ".join(self.solution()) + proof.end)
        self.n_selectors = 0
        self.branch([], self.cases0, self.controls0, {})
        proof.finish(self.loss)

    def explain(self):
        """The merged problem, in comments."""
        say, mixed = self.proof.comment, sum(all(w) for w in self.losses)
        say("%d cases and %d controls are %d distinct rows, n = 0 to %d; of %d with both a rule pays for one of them" % (
            *self.n, len(self.kinds), len(self.kinds) - 1, mixed))
        say("a rule is at most %d clauses k, each at most %d literals m; p: this literal is number j; t: the clause covers the row" % (self.K, self.M))
        say("u costs the cases of a row that is not covered, f the controls of one that is; no rule costs less than %d" % self.loss)
        say("literal 0 is FALSE%s" % (", %d and later are the negations" % (self.n_features + 1) if self.negations else ""))
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
            clause += clause[-1:] * (self.M - len(clause))
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

    def branch(self, path, cases, controls, paid):
        """Shows that no better rule has its first clauses dominated by those of the path. `paid`: controls and who covers them."""
        proof, K, net, ids = self.proof, self.K, self.net, self.ids
        self.progress(0)
        k, r, first = len(path) + 1, K - len(path), proof.last + 1
        least = self.need(cases, sum(abs(net[n]) for n in paid))
        assert least > 0, "a better rule"
        parts = [(self.objective, r)] + [(number, r * min(self.losses[n])) for n, number in self.mixed.items()]
        parts += [(ids["E", n], r * net[n]) for n in members(cases)] + [(ids["F", s, n], -r * net[n]) for n, s in paid.items()]
        parts += [(ids["F", s, n], -net[n]) for n in members(controls) for s in range(k, K + 1)]
        parts += [(definition, r * weight) for _, definition, weight in path]
        sum_all = proof.pol(self.total(None, parts) + "".join(" u%d w" % n for n in members(self.cases0 & ~cases)))
        nots = "".join(" 1 ~" + q for q, _, _ in path)
        if r > 1 and cases | controls:
            slot = lambda s: ["p%d_%d_%d" % (s, m, j) for m in range(1, self.M + 1) for j in range(self.J)] + ["t%d_%d" % (s, n) for n in range(len(self.kinds))]
            value = lambda s, sign: ["%d t%d_%d" % (sign * (r if net[n] > 0 else 1) * net[n], s, n) for n in members(cases | controls)]
            big, order = 2 * (r * self.W(cases) + self.W(controls)), []
            for s in range(k + 1, K + 1):
                text = " ".join(value(k, 1) + value(s, -1)) + "".join(" %d ~%s" % (big, q) for q, _, _ in path)
                order.append(proof.red(text + " >= 0", self.swap(slot(k), slot(s)), list(order)))
            sum_all = proof.pol(proof.name(sum_all) + " " + "".join("%s + " % proof.name(x) for x in order) + "%d d" % r)
        self.survivors = []
        self.count(cases, controls, r, least)
        survivors = sorted(self.survivors, key=lambda x: (-x[0], x[1]))
        for clause in self.not_dominated(survivors, cases, controls):
            self.child(path, (cases, controls), paid, clause)
        self.write_prefixes(k, (r, least, cases, controls), sum_all, nots, survivors)
        lemma = proof.rup(nots[1:] + " >= 1")
        proof.delete(first, lemma)
        return lemma

    def child(self, path, live, paid, clause):
        """A fresh q: slot k covers no other live case than the clause, and all live controls that it covers."""
        proof, k, (cases, controls), (p, n_) = self.proof, len(path) + 1, live, clause
        self.n_selectors += 1
        q, out, inn = "q%d" % self.n_selectors, list(members(cases & ~p)), list(members(n_))
        proof.red(" ".join(["1 " + q] + ["1 t%d_%d" % (k, n) for n in out] + ["1 ~t%d_%d" % (k, n) for n in inn]) + " >= 1", q + " -> 1")
        size = len(out) + len(inn)
        definition = proof.red(" ".join(["%d ~%s" % (size, q)] + ["1 ~t%d_%d" % (k, n) for n in out] + ["1 t%d_%d" % (k, n) for n in inn]) +
                               " >= %d" % size, q + " -> 0")
        weight = max([abs(self.net[n]) for n in out + inn] or [1])
        self.branch(path + [(q, definition, weight)], cases & ~p, controls & ~n_, {**paid, **{n: k for n in inn}})

    def write_prefixes(self, k, node, need_all, nots, survivors):
        """From the value of slot k to its literals: for each prefix a bound by the next literal, then that the prefix is none."""
        (r, least, cases, controls), proof, ids, lits, W, J, M = node, self.proof, self.ids, self.lits, self.W, self.J, self.M
        mine = {}
        for _, clause, _ in survivors:
            mine.setdefault(clause[:-1], []).append(clause[-1])
        without = proof.pol(proof.name(need_all) + "".join(" t%d_%d w" % (k, n) for n in members(controls)))
        say = lambda prefix: " ".join("1 ~p%d_%d_%d" % (k, m, j) for m, j in enumerate(prefix, 1)) + nots + " >= 1"

        def go(prefix, needs, alive, cover, fixed):
            """needs: the constraint with and without controls, into which the literals of the prefix but the last have been put."""
            depth, first, parts = len(prefix), proof.last + 1, []
            last = depth == M - 1
            if prefix:
                gone, alive, cover = alive & ~lits[prefix[-1]], alive & lits[prefix[-1]], cover & lits[prefix[-1]]
                c = [r * W(gone & x) for x in lits]
                if gone:
                    parts = [(ids["C", k, depth, n], r * self.net[n]) for n in members(gone)] + [(ids["A", k, depth], max(c))] * (max(c) > 0)
                fixed = fixed + [[x - max(c) for x in c]]
                if gone and not last:
                    needs, parts = tuple(proof.pol(self.total(x, parts)) for x in needs), []
            parts = parts + [(ids["C", k, depth + 1, n], r * self.net[n]) for n in members(alive)]
            b = cover & controls if last else 0
            parts += [(ids["D", k, n], -self.net[n]) for n in members(b)]
            more = [W(b & ~x) for x in lits]
            for m, f in enumerate(fixed if b else (), 1):
                most = max(x + y for x, y in zip(f, more))
                parts += [(ids["A", k, m], most)] * (most > 0)
            c = [r * W(alive & x) + y * (b > 0) for x, y in zip(lits, more)]
            parts += [(ids["A", k, depth + 1], max(c))] * (max(c) > 0)
            proof.pol(self.total(needs[0] if last else needs[1], parts) + " s")
            for j in mine.get(prefix, ()) if last else ():
                proof.rup(say(prefix + (j,)))
            for j in range(prefix[-1] if prefix else J - 1, 0, -1) if not last else ():
                if c[j] >= least:
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
        with open(options.certificate, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            writer = Writer(options, file)
            writer.run()
    except Done:
        print("%s.pbp says of %s.opb that no rule has less loss than %d. To check:" % (options.output, options.output, writer.loss))
        print("  veripb %s%s.opb %s.pbp" % ("--requireUnsat " * (options.format == 1), options.output, options.output))
        print("  ireland-question %s.csv %d %d%s%s | cmp - %s.opb" % (
            options.output, writer.K, writer.M, " unit" * (writer.w == [1, 1]), " negations" * writer.negations, options.output))
        return 0
    except NotChecked as reason:
        return print("not written:", reason) or 4
    except (Refused, ValueError, KeyError, OSError) as reason:
        return print("refused: %s:%d: %s" % (options.certificate, writer.at if writer else 0, reason)) or 3


if __name__ == "__main__":
    sys.exit(main())
