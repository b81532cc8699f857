"""Do the 95 % intervals of estimates hold what they should? Data of a known law, seeded; how often is the truth inside?

    python3 bench/scripts/coverage.py [IRELAND] [--draws 400] [--law NAME] [--method quick] [--csv FILE] [--seed 1]

Each draw is a table of a law under which the share of errors of any rule can be counted exactly: binary features, of which the label
depends on a few. `fit` learns a rule from it and gives an estimate with an interval for new samples. The truth is what the rule itself
is worth on the law: its sensitivity and specificity over all patterns of the features that it or the label asks for. `inside` is the
share of draws whose interval of the balanced accuracy has the truth inside, `bias` the mean of estimate minus truth, `training` the same
of the figures on the samples learnt from, which are too good. The interval is about the samples that were tested; the truth moves a
little too, since it is that of the rule from all samples and the folds learn from fewer. `grouped` laws have several rows of a patient,
whose features are alike: there `--group` is given, and `rows` shows what the interval would hold if it was not.
"""
import argparse
import csv
import itertools
import json
import os
import random
import subprocess

DIRECTORY = "build/bench/coverage"
# name: samples, features, chance that a feature is 1, rows of a patient, chance of a case by the first three features
LAWS = {
    "noise": (100, 10, 0.5, 1, lambda x: 0.5),
    "one strong": (150, 10, 0.5, 1, lambda x: 0.85 if x[0] else 0.15),
    "and": (200, 12, 0.6, 1, lambda x: 0.9 if x[0] and x[1] else 0.2),
    "rare cases": (300, 8, 0.4, 1, lambda x: 0.5 if x[0] and x[1] else 0.05),
    "grouped": (240, 8, 0.5, 4, lambda x: 0.8 if x[0] else 0.25),
}
COPY = 0.9  # chance that a feature of a row is that of its patient


def draw_table(law, seed):
    n, columns, density, rows, chance = LAWS[law]
    draw = random.Random(seed)
    lines = []
    for patient in range(n // rows):
        own = [int(draw.random() < density) for _ in range(columns)]
        label = int(draw.random() < chance(own))
        for _ in range(rows):
            cells = own if rows == 1 else [x if draw.random() < COPY else int(draw.random() < density) for x in own]
            lines.append(["P%d" % patient] * (rows > 1) + cells + [label])
    return ["patient"] * (rows > 1) + ["f%d" % (j + 1) for j in range(columns)] + ["y"], lines


def row_law(law):
    """Chances of all patterns of the first three features in a row, with the chance of a case for each."""
    _, _, density, rows, chance = LAWS[law]
    weights = {}
    for own in itertools.product((0, 1), repeat=3):
        of_own = 1.0
        for x in own:
            of_own *= density if x else 1 - density
        for seen in itertools.product((0, 1), repeat=3) if rows > 1 else [own]:
            of_seen = of_own
            for x, s in zip(own, seen) if rows > 1 else ():
                of_seen *= (COPY if x == s else 0) + (1 - COPY) * (density if s else 1 - density)
            pair = weights.setdefault(seen, [0.0, 0.0])
            pair[1] += of_seen * chance(own)
            pair[0] += of_seen * (1 - chance(own))
    return weights


def truth(law, clauses):
    """Sensitivity and specificity of a rule under the law: features beyond the first three have nothing to do with the label."""
    density = LAWS[law][2]
    names = sorted({literal.lstrip("!") for clause in clauses for literal in clause} - {"f1", "f2", "f3"})
    hits, alls = [0.0, 0.0], [0.0, 0.0]
    for seen, pair in row_law(law).items():
        for other in itertools.product((0, 1), repeat=len(names)):
            values = {"f1": seen[0], "f2": seen[1], "f3": seen[2], **dict(zip(names, other))}
            weight = 1.0
            for x in other:
                weight *= density if x else 1 - density
            says = any(all(values[a.lstrip("!")] != a.startswith("!") for a in clause) for clause in clauses)
            for label in (0, 1):
                alls[label] += weight * pair[label]
                hits[label] += weight * pair[label] * (says == bool(label))
    return hits[1] / alls[1], hits[0] / alls[0]


def fit(program, law, method, seed, words=()):
    path = "%s/%d.csv" % (DIRECTORY, os.getpid())
    while True:
        header, lines = draw_table(law, seed)
        if 4 <= sum(line[-1] for line in lines) <= len(lines) - 4:
            break
        seed += 1000000
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header] + lines)
    done = subprocess.run([program, "fit", path, "-K", "2", "-M", "2", "--validate", method, "--threads", "1", "--quiet", "--json", *words],
                          capture_output=True, text=True, check=True)
    os.remove(path)
    return json.loads(done.stdout)


def measure(program, law, method, draws, seed, words):
    """Shares of draws with the truth inside the intervals of balanced accuracy, sensitivity, specificity; biases."""
    n, inside, bias, flattery = 0, [0, 0, 0], 0.0, 0.0
    for i in range(draws):
        answer = fit(program, law, method, 100000 * seed + i, words)
        if "balanced_accuracy" not in answer["validation"]:
            continue
        found, (sensitivity, specificity) = answer["validation"], truth(law, answer["clauses"])
        balanced = (sensitivity + specificity) / 2
        n += 1
        for k, (value, key) in enumerate(((balanced, "interval"), (sensitivity, "sensitivity_interval"), (specificity, "specificity_interval"))):
            inside[k] += found[key][0] - 1e-12 <= value <= found[key][1] + 1e-12
        bias += found["balanced_accuracy"] - balanced
        flattery += answer["balanced_accuracy"] - balanced
    return [n] + [x / n for x in inside] + [bias / n, flattery / n]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="./ireland")
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--law", choices=LAWS, action="append")
    parser.add_argument("--method", choices=("quick", "cv", "bootstrap"), action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", help="a file for the same table")
    chosen = parser.parse_args()
    os.makedirs(DIRECTORY, exist_ok=True)
    table = [["law", "method", "draws", "inside", "sensitivity_inside", "specificity_inside", "bias", "training_bias"]]
    print("| law | method | draws | inside | sensitivity inside | specificity inside | bias | of training |\n| --- | --- |" + " --: |" * 6)
    for law in chosen.law or LAWS:
        grouped = LAWS[law][3] > 1
        for method in chosen.method or ("quick", "cv", "bootstrap"):
            for words in ([["--group", "patient"], ["--ignore", "patient"]] if grouped else [[]]):
                n, *found = measure(chosen.program, law, method, chosen.draws, chosen.seed, words)
                name = law + (", rows" if words and words[0] == "--ignore" else "")
                table.append([name, method, n, *("%.4g" % x for x in found)])
                print("| %s | %s | %d | %s | %+.3f | %+.3f |" % (name, method, n, " | ".join("%.1f %%" % (100 * x) for x in found[:3]), *found[3:]), flush=True)
                if chosen.csv:
                    with open(chosen.csv, "w", newline="") as file:
                        csv.writer(file, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main()
