#!/usr/bin/env python3
"""ireland-question DATA.csv K M [unit] [negations]: the question of a proof as a pseudo-Boolean program in OPB.

DATA.csv: a header, columns of 0/1, the label last. Which rule has the least loss? p: literal number m of clause k is j (0: FALSE, from
J + 1 on negations; one may be there twice), t: clause k covers row n, u: the cases of row n are left out, f: its controls are covered."""
import csv, sys


def main():
    data, K, M, *words = sys.argv[1:]
    table = [tuple(map(int, row)) for row in list(csv.reader(open(data)))[1:]]
    n1 = sum(row[-1] for row in table)
    weight = (1, 1) if "unit" in words else (n1, len(table) - n1)  # of a control, of a case
    rows = sorted({row[:-1] for row in table})
    loss = {(row, y): weight[y] * table.count(row + (y,)) for row in rows for y in (0, 1)}
    holds = [(0,) + row + tuple(1 - x for x in row if "negations" in words) for row in rows]  # each literal on each row
    slots, literals, lines = range(1, int(K) + 1), range(len(holds[0])), []
    for k in slots:
        p = [["1 p%d_%d_%d" % (k, m, j) for j in literals] for m in range(1, int(M) + 1)]
        lines += [" ".join(x) + " = 1 ;" for x in p]  # each place has one literal
        for n, row in enumerate(holds):
            lines += [" ".join([x[j] for j in literals if row[j]] + ["1 ~t%d_%d >= 1 ;" % (k, n)]) for x in p]  # all must hold
            lines.append(" ".join([x[j] for x in p for j in literals if not row[j]] + ["1 t%d_%d >= 1 ;" % (k, n)]))
            lines += ["1 ~t%d_%d 1 f%d >= 1 ;" % (k, n, n)] * (loss[rows[n], 0] > 0)
    lines += [" ".join(["1 t%d_%d" % (k, n) for k in slots] + ["1 u%d >= 1 ;" % n]) for n, row in enumerate(rows) if loss[row, 1]]
    terms = ["%d %s%d" % (loss[row, y], "fu"[y], n) for y in (1, 0) for n, row in enumerate(rows) if loss[row, y]]
    print("* #variable= %d #constraint= %d" % (len(slots) * (int(M) * len(literals) + len(rows)) + len(terms), len(lines)))
    print("min: " + " ".join(terms) + " ;\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
