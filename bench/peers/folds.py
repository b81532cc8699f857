"""Samples divided into folds: the files that learners read, what ireland does on them, and what predictions are worth.

For each fold there are the columns as they are (train.K.csv, and .arff for Weka), coded ones (numbers with the training median for what is
missing, a 0/1 column for each value of a category) and bits (numbers cut at the training samples' fifths), so that every learner gets the
same samples in the form that it takes.
"""
import csv
import json
import os
import random
import shlex
import statistics

MISSING = ("", "?", "NA")


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(path, names, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows])


def is_number(cells):
    try:
        return bool([float(cell) for cell in cells if cell not in MISSING])
    except ValueError:
        return False


def stratified(labels, folds, seed):
    """The fold of each sample; each class is dealt out in turn."""
    places, draw = [0] * len(labels), random.Random(seed)
    for label in sorted(set(labels)):
        members = [n for n, y in enumerate(labels) if y == label]
        draw.shuffle(members)
        for i, n in enumerate(members):
            places[n] = i % folds
    return places


def quantile(ordered, share):
    """With linear interpolation, as numpy has it."""
    place = share * (len(ordered) - 1)
    low = int(place)
    return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


def cuts(cells, parts):
    values = sorted(float(cell) for cell in cells if cell not in MISSING)
    return sorted({quantile(values, i / parts) for i in range(1, parts)} - {values[-1]}) or values[:1]


def columns_of(names, train):
    """For each column its name, cells of the training samples, and whether they are numbers."""
    return [(name, [row[j] for row in train]) for j, name in enumerate(names[:-1])]


def coder(name, cells):
    """Names and a function from a cell to numbers."""
    if is_number(cells):
        middle = statistics.median(float(cell) for cell in cells if cell not in MISSING)
        return [name], lambda cell: [middle if cell in MISSING else float(cell)]
    values = sorted(set(cells) - set(MISSING))
    return [f"{name}_{i}" for i in range(len(values))], lambda cell: [int(cell == value) for value in values]


def bit_coder(name, cells, parts=5):
    values = sorted(set(cells) - set(MISSING))
    if is_number(cells) and len(values) > 2:
        at = cuts(cells, parts)
        return [f"{name}_{i}" for i in range(len(at))], lambda cell: [int(cell not in MISSING and float(cell) <= cut) for cut in at]
    if len(values) == 2:
        return [name], lambda cell: [int(cell == values[1])]
    return [f"{name}_{i}" for i in range(len(values))], lambda cell: [int(cell == value) for value in values]


def code(names, train, test, make):
    made = [make(name, cells) for name, cells in columns_of(names, train)]
    heads = [head for more, _ in made for head in more] + ["y"]
    return heads, [[[x for (_, of), cell in zip(made, row) for x in of(cell)] + [row[-1]] for row in rows] for rows in (train, test)]


def write_arff(path, names, rows, every):
    def kind(j):
        cells = [row[j] for row in every]
        return "numeric" if j < len(names) - 1 and is_number(cells) else "{" + ",".join("'%s'" % v for v in sorted(set(cells) - set(MISSING))) + "}"

    kinds = [kind(j) for j in range(len(names))]
    with open(path, "w") as file:
        file.write("@relation data\n" + "".join(f"@attribute '{name}' {k}\n" for name, k in zip(names, kinds)) + "@data\n")
        for row in rows:
            file.write(",".join("?" if cell in MISSING else cell if k == "numeric" else f"'{cell}'" for cell, k in zip(row, kinds)) + "\n")


def make(source, folder, folds, seed=1):
    os.makedirs(folder, exist_ok=True)
    names, rows = read(source)
    names[-1] = "y"
    places = stratified([row[-1] for row in rows], folds, seed)
    for k in range(folds):
        parts = {"train": [row for row, at in zip(rows, places) if at != k], "test": [row for row, at in zip(rows, places) if at == k]}
        for part, some in parts.items():
            write(f"{folder}/{part}.{k}.csv", names, some)
            write_arff(f"{folder}/{part}.{k}.arff", names, some, rows)
        for prefix, how in (("coded", coder), ("bits", bit_coder)):
            heads, both = code(names, parts["train"], parts["test"], how)
            for part, some in zip(("train", "test"), both):
                write(f"{folder}/{prefix}.{part}.{k}.csv", heads, some)


def labels_of(task, k):
    return [int(row[-1]) for row in read(task.file(f"test.{k}.csv"))[1]]


def score(task, said):
    """Accuracy, the mean over all samples; extra: that of each fold, and the balanced accuracy."""
    truth = [labels_of(task, k) for k in range(task.folds)]
    if [len(some) for some in said] != [len(some) for some in truth]:
        raise ValueError("not a prediction for each sample")
    pairs = [(a, b) for some, others in zip(said, truth) for a, b in zip(some, others)]
    rates = [statistics.fmean(a == b for a, b in pairs if b == label) for label in (0, 1)]
    each = [statistics.fmean(a == b for a, b in zip(some, others)) for some, others in zip(said, truth)]
    return {"status": "done", "value": f"{100 * statistics.fmean(a == b for a, b in pairs):.2f}",
            "extra": f"balanced={50 * sum(rates):.2f};folds=" + " ".join(f"{100 * x:.2f}" for x in each)}


# ---- ireland on folds ----

def ours(ireland, task, box):
    """In each fold cv chooses what it chooses by default within the training samples, the fit that it prints learns, predict answers for the
    test samples."""
    said, common = [], ["--threads", task.threads, "--quiet"]
    for k in range(task.folds):
        train, rule = task.file(f"train.{k}.csv"), box.path("rule.json")
        ended = box.run([ireland, "cv", train, "--weights", "unit", "--json", *common])
        words = shlex.split(json.loads(ended.output)["fit_command"])[1:]
        box.run([ireland, *words, "--validate", "none", "-o", rule, *common])
        lines = box.run([ireland, "predict", rule, task.file(f"test.{k}.csv"), "--quiet"]).output.splitlines()[1:]
        said.append([int(line.split("\t")[1] == "1") for line in lines])  # where a missing value decides, predict cannot tell: a control
    return said


def both_ways(name, cells, parts=10):
    """A column for each of the cuts at the tenths, or for each value of a category, and one for its opposite."""
    heads, of = bit_coder(name, cells, parts) if is_number(cells) else coder(name, cells)
    if is_number(cells):
        at = cuts(cells, parts)
        heads, of = [f"{name}_{i}" for i in range(len(at))], lambda cell: [int(cell not in MISSING and float(cell) <= cut) for cut in at]
    return heads + ["not_" + head for head in heads], lambda cell: of(cell) + [1 - bit for bit in of(cell)]


def by_brcg(ireland, task, box):
    """Five folds, bits as those of the published runs: both ways at the tenths of all samples, at most C of clauses and literals together."""
    names, rows = read(task.source)
    rows = [[*row[:-1], {"TRUE": "1", "FALSE": "0"}.get(row[-1].upper(), row[-1])] for row in rows]
    random.Random(1).shuffle(rows)
    heads, (coded, _) = code(names, rows, [], both_ways)
    ends = [k * len(rows) // task.folds for k in range(task.folds + 1)]
    hits, found, seconds = [], [], []
    for k in range(task.folds):
        write(box.path("train.csv"), heads, coded[:ends[k]] + coded[ends[k + 1]:])
        write(box.path("test.csv"), heads, coded[ends[k]:ends[k + 1]])
        before = box.cpu
        ended = box.run([ireland, "fit", box.path("train.csv"), "--method", "brcg", "--complexity", task.C, "-K", task.C // 2, "-M", task.C - 1, "--weights", "unit",
                         "--validate", "none", "--threads", task.threads, "--time-limit", task.limit, "-o", box.path("rule.json"), "--json", "--quiet"])
        seconds.append(box.cpu - before)
        found.append(json.loads(ended.output))
        lines = box.run([ireland, "predict", box.path("rule.json"), box.path("test.csv"), "--quiet"]).output.splitlines()[1:]
        hits.append(statistics.fmean((line.split("\t")[1] == "1") == (row[-1] == "1") for line, row in zip(lines, coded[ends[k]:ends[k + 1]])))
    proven = sum(answer["status"] == "optimal" for answer in found)
    return {"status": "proven" if proven == task.folds else "done", "value": f"{100 * statistics.fmean(hits):.2f}",
            "bound": f"{statistics.fmean(answer['bound'] for answer in found):.2f}",
            "extra": f"loss={statistics.fmean(answer['objective'] for answer in found):.2f};proven={proven};longest={max(seconds):.1f};folds="
                     + " ".join(f"{100 * x:.2f}" for x in hits)}
