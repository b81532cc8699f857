#!/usr/bin/env python3
"""ireland-question DATA.csv K M [unit] [negations] [cases=N] [controls=N] [literals=N] [penalty=P] [scale=S]: the question of a proof in OPB.

DATA.csv: a header, columns of 0/1, the label last. Which rule has the least loss? p: literal number m of clause k is j (0: FALSE, from
J + 1 on negations; one may be there twice), t: clause k covers row n, u: the cases of row n are left out, f: its controls are covered.
At least so many cases and at most so many controls are covered. Where literals are limited or penalised, the last literal is an empty
place, of which a clause has fewer than M; v: clause k is used, which costs P, as each literal does. All other weights are times S."""
import csv, signal, sys


def main():
    signal.signal(getattr(signal, "SIGPIPE", signal.SIGTERM), signal.SIG_DFL)  # a reader who leaves ends it without a word
    data, K, M, *words = sys.argv[1:]
    most = {x: int(n) for x, n in (word.split("=") for word in words if "=" in word)}
    table = [tuple(map(int, row)) for row in list(csv.reader(open(data)))[1:]]
    n1 = sum(row[-1] for row in table)
    weight = (1, 1) if "unit" in words else (n1, len(table) - n1)  # of a control, of a case
    rows, P, has_empty = sorted({row[:-1] for row in table}), most.get("penalty", 0), "penalty" in most or "literals" in most
    count = {(row, y): table.count(row + (y,)) for row in rows for y in (0, 1)}
    holds = [(0,) + row + tuple(1 - x for x in row if "negations" in words) + (1,) * has_empty for row in rows]  # each literal on each row
    slots, places, literals, lines = range(1, int(K) + 1), range(1, int(M) + 1), range(len(holds[0])), []
    real = ["p%d_%d_%d" % (k, m, j) for k in slots for m in places for j in literals[1:len(literals) - has_empty]]
    for k in slots:
        p = [["1 p%d_%d_%d" % (k, m, j) for j in literals] for m in places]
        lines += [" ".join(x) + " = 1 ;" for x in p]  # each place has one literal
        lines += [" ".join("1 ~" + x[-1][2:] for x in p) + " >= 1 ;"] * has_empty + ["%s 1 v%d >= 1 ;" % (x[0], k) for x in p if P]
        for n, row in enumerate(holds):
            lines += [" ".join([x[j] for j in literals if row[j]] + ["1 ~t%d_%d >= 1 ;" % (k, n)]) for x in p]  # all must hold
            lines.append(" ".join([x[j] for x in p for j in literals if not row[j]] + ["1 t%d_%d >= 1 ;" % (k, n)]))
            lines += ["1 ~t%d_%d 1 f%d >= 1 ;" % (k, n, n)] * (count[rows[n], 0] > 0)
    lines += [" ".join(["1 t%d_%d" % (k, n) for k in slots] + ["1 u%d >= 1 ;" % n]) for n, row in enumerate(rows) if count[row, 1]]
    for y, name, least in ((1, "cases", most.get("cases")), (0, "controls", len(table) - n1 - most.get("controls", 0))):
        row = " ".join("%d ~%s%d" % (count[row, y], "fu"[y], n) for n, row in enumerate(rows) if count[row, y])
        lines += [row + " >= %d ;" % least] if name in most else []
    lines += [" ".join("1 ~" + x for x in real) + " >= %d ;" % (len(real) - most["literals"])] if "literals" in most else []
    terms = ["%d %s%d" % (weight[y] * most.get("scale", 1) * count[row, y], "fu"[y], n) for y in (1, 0) for n, row in enumerate(rows) if count[row, y]]
    n_variables = len(slots) * (int(M) * len(literals) + len(rows) + (P > 0)) + len(terms)
    terms = ["%d %s" % (P, x) for x in real if P] + terms + ["%d v%d" % (P, k) for k in slots if P]
    print("* #variable= %d #constraint= %d" % (n_variables, len(lines)))
    print("min: " + " ".join(terms) + " ;\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
