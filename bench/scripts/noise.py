"""Are p-values that `fit` prints what they say? Pure noise of ten shapes, seeded; how often is p at most 0.05?

    python3 bench/scripts/noise.py [IRELAND] [--draws 200] [--permutations 199] [--csv bench/results/noise.csv]

Each draw is a table without any signal: labels have nothing to do with the columns. `fit --permutations` is asked for the p-value of
the whole search and of each clause. A p-value that holds is at most 0.05 in 5 % of the draws, up to chance: with 200 draws in 1.5 to
9 % of them (99 % of the time). `nominal`: the same of the smallest Fisher p, which is labelled "not valid after search" for this reason.
"""
import argparse
import csv
import json
import os
import random
import subprocess

DIRECTORY = "build/bench/noise"


def binary(samples, columns, cases=0.5, density=0.5):
    def make(draw):
        rows = [[int(draw.random() < density) for _ in range(columns)] for _ in range(samples)]
        return ["f%d" % j for j in range(columns)], rows, [int(draw.random() < cases) for _ in range(samples)]
    return make


def mixed(samples, numbers, categories, missing=0.0):
    def cell(draw, j):
        if draw.random() < missing:
            return "NA"
        return "%.4f" % draw.gauss(0, 1) if j < numbers else draw.choice("abcd")

    def make(draw):
        rows = [[cell(draw, j) for j in range(numbers + categories)] for _ in range(samples)]
        return ["x%d" % j for j in range(numbers + categories)], rows, [draw.randrange(2) for _ in range(samples)]
    return make


SHAPES = [
    ("100 x 200 binary, K 1, M 2", binary(100, 200), ["-K", "1", "-M", "2"]),
    ("100 x 20 binary, K 3, M 3", binary(100, 20), ["-K", "3", "-M", "3"]),
    ("400 x 50 binary, K 3, M 1", binary(400, 50), ["-K", "3", "-M", "1"]),
    ("200 x 40 binary, 10 % cases, M 2", binary(200, 40, cases=0.1), ["-K", "2", "-M", "2"]),
    ("200 x 40 rare features, M 2", binary(200, 40, density=0.1), ["-K", "2", "-M", "2"]),
    ("80 x 15 binary, negations, M 2", binary(80, 15), ["-K", "2", "-M", "2", "--negations"]),
    ("150 x 8 numbers, mdl cuts, M 2", mixed(150, 8, 0), ["-K", "2", "-M", "2"]),
    ("150 x 6 numbers, quantiles, M 2", mixed(150, 6, 0), ["-K", "2", "-M", "2", "--cuts", "quantile:9"]),
    ("150 x 4 + 4 mixed, missing, M 2", mixed(150, 4, 4, missing=0.1), ["-K", "2", "-M", "2"]),
    ("60 x 400 binary, quick search, M 4", binary(60, 400), ["-K", "2", "-M", "4"]),
]


def fit(program, make, words, seed, permutations):
    """The p-value of the search, the smallest of a clause, and the smallest nominal one."""
    path = "%s/d.csv" % DIRECTORY
    while True:
        draw = random.Random(seed)
        names, rows, labels = make(draw)
        if 2 <= sum(labels) <= len(labels) - 2:
            break
        seed += 1000000
    with open(path, "w") as file:
        file.write(",".join(names + ["y"]) + "\n")
        for row, label in zip(rows, labels):
            file.write(",".join(map(str, row + [label])) + "\n")
    done = subprocess.run([program, "fit", path, *words, "--effort", "quick", "--permutations", str(permutations),
                           "--validate", "none", "--threads", "1", "--quiet", "--json"],
                          capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    clauses = answer["clause_statistics"]
    return answer["p_value"], min([c["p_value"] for c in clauses] or [1]), min([c["fisher_p"] for c in clauses] or [1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="./ireland")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--permutations", type=int, default=199)
    parser.add_argument("--csv", help="a file for the same table")
    chosen = parser.parse_args()
    table = [["shape", "draws", "permutations", "search_p_at_most_0.05", "smallest_clause_p_at_most_0.05", "smallest_fisher_p_at_most_0.05"]]
    os.makedirs(DIRECTORY, exist_ok=True)
    print("| shape | p of the search <= 0.05 | smallest p of a clause | nominal (Fisher) |")
    print("| --- | --: | --: | --: |")
    for shape, (name, make, words) in enumerate(SHAPES):
        counts = [0, 0, 0]
        for i in range(chosen.draws):
            found = fit(chosen.program, make, words, 1000 * shape + i, chosen.permutations)
            for k in range(3):
                counts[k] += found[k] <= 0.05 + 1e-12
        print("| %s | %s |" % (name, " | ".join("%.1f %%" % (100 * c / chosen.draws) for c in counts)), flush=True)
        table.append([name, chosen.draws, chosen.permutations, *("%.4g" % (c / chosen.draws) for c in counts)])
        if chosen.csv:
            with open(chosen.csv, "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main()
