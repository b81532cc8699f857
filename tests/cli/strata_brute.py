"""Strata against brute force: tables with groups of unequal classes, all clauses of one or two literals.

usage: strata_brute.py IRELAND FOLDER SEED ROUNDS. The objective is the sum over strata of the shares of missed cases and covered controls; what ireland
proves must be the best of it, but for the rounding of weights that it names in its scope."""
import itertools
import json
import os
import random
import subprocess
import sys

ireland, folder, seed, rounds = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def one(draw):
    n, j, groups = draw.choice([30, 60, 90]), draw.choice([4, 7]), draw.choice([2, 3])
    rows = []
    for _ in range(n):
        g = draw.randrange(groups)
        bits = [int(draw.random() < (0.3 + 0.2 * g)) for _ in range(j)]
        rows.append((bits, g, int((bits[0] and bits[1]) ^ (draw.random() < 0.1 + 0.2 * g))))
    if draw.random() < 0.3:  # a stratum of one class, which is left out
        rows += [([1] * j, groups, 1)] * 3
    with open("t.csv", "w") as out:
        out.write(",".join(f"f{k}" for k in range(j)) + ",site,y\n")
        out.writelines(",".join(map(str, b)) + f",{'abcd'[g]},{y}\n" for b, g, y in rows)
    count = {(g, y): sum(r[1] == g and r[2] == y for r in rows) for g in range(groups + 1) for y in (0, 1)}
    mixed = [g for g in range(groups + 1) if count[g, 0] and count[g, 1]]
    used = [r for r in rows if r[1] in mixed]

    def objective(clause):
        return sum(1 / count[g, y] for b, g, y in used if all(b[k] for k in clause) != y)

    best = min(objective(c) for size in (1, 2) for c in itertools.combinations(range(j), size))
    best = min(best, sum(1 for _ in mixed))  # the empty rule misses all cases
    done = subprocess.run([ireland, "fit", "t.csv", "--strata", "site", "--prove", "-K", "1", "-M", "2", "--json", "--quiet", "--certificate", "c.txt", "-o", "r.json"],
                          capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    answer = json.loads(done.stdout)
    clauses = [[int(name[1:]) for name in c] for c in answer["clauses"]]
    got = objective(clauses[0]) if clauses else len(mixed)
    # In the mean a sample weighs 1: both classes of all strata together as much as there are samples.
    scale = len(used) / (2 * len(mixed))
    slack = len(used) * (answer["scope"]["rounded_to"] or 0) / scale + 1e-9
    if answer["scope"]["strata"] != "site" or answer["status"] != "optimal":
        return f"scope {answer['scope']}"
    if got > best + slack or abs(answer["objective"] / scale - got) > slack:
        return f"objective {answer['objective'] / scale}, of its rule {got}, best {best}"
    checked = subprocess.run([ireland, "verify", "r.json", "t.csv", "--certificate", "c.txt", "--quiet"], capture_output=True, text=True)
    return "" if checked.returncode == 0 else checked.stdout + checked.stderr


wrong = 0
for k in range(rounds):
    what = one(random.Random(1000 * seed + k))
    if what:
        wrong += 1
        print(f"seed {seed} round {k}: {what}")
sys.exit(1 if wrong else 0)
