"""Divides d.csv into the samples that a fit with --test 0.4 learns from (train.csv) and those that it holds out
(held.csv): page_split.py IRELAND FOLDER. The hold-out depends on labels and seed alone, and a category that names each
sample gives a literal for each one that was learnt from, which a certificate lists."""
import csv
import re
import subprocess
import sys

ireland, folder = sys.argv[1:]
subprocess.run([ireland, "fit", folder + "/d.csv", "-K", "1", "-M", "1", "--only", "row", "--type", "row=category", "--test", "0.4",
                "--validate", "none", "--quiet", "--prove", "--certificate", folder + "/split.txt"], check=True, capture_output=True)
line = next(x for x in open(folder + "/split.txt", encoding="utf-8") if x.startswith("features "))
learnt = set(re.findall(r'"row = ([0-9]+)"', line)) or set(re.findall(r'"([0-9]+)"', line))
rows = list(csv.reader(open(folder + "/d.csv", newline="", encoding="utf-8")))
for name, is_learnt in (("train", True), ("held", False)):
    with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([rows[0]] + [row for row in rows[1:] if (row[0] in learnt) == is_learnt])
assert len(learnt) == 240, len(learnt)
