"""Which proof methods matter: each proof again without the method that ended it.

    python3 bench/scripts/methods.py [--work WORDS] [--tables FOLDER ...] [--shared FOLDER] [--jobs N] [--only TEXT]

Runs `fit --prove` with a limit on work, so that the answers do not depend on the machine, on the noisy sets of the paper, on
real tables (--shared) and on binary tables whose first column is the label (--tables). A run that ends with a proof, or with a
bound, names the method; the run is repeated without that method. Rows go to build/bench/methods.csv; what is there is not
run again.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "paper"))
import sets  # noqa: E402

FOLDER = "build/bench/methods"
LIST = "build/bench/methods.csv"
FIELDS = ("set", "K", "M", "without", "status", "objective", "bound", "by", "work", "seconds")
REAL = (("heart_cleveland", 4), ("wdbc", 4), ("pima", 3), ("ilpd", 3), ("spect", 8), ("house_votes_84", 8), ("transfusion", 8),
        ("monks2_train", 8), ("compas_binary", 8), ("ionosphere", 3), ("splice_ei", 4), ("hiv_pi_lpv", 2), ("tic_tac_toe", 4))


class Question:
    """A table with the options of `fit`."""

    def __init__(self, name, k, m, path, options=(), make=None):
        self.name, self.k, self.m, self.path, self.options, self.make = name, k, m, path, list(options), make

    def fit(self, ireland, work, without):
        if self.make and not os.path.exists(self.path):
            self.make()
        command = [ireland, "fit", self.path, "-K", str(self.k), "-M", str(self.m), "--prove", "--validate", "none", "--json",
                   "--quiet", "--threads", "1", "--work-limit", str(work), *self.options]
        if without:
            command += ["--internal", ",".join(method + "=0" for method in without.split("+"))]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 4):
            raise SystemExit(f"{' '.join(command)}: {run.stderr}")
        return json.loads(run.stdout)


def questions(arguments):
    for row in csv.DictReader(open(sets.LIST)):
        if float(row["noise"]) > 0:
            path = os.path.join(FOLDER, row["name"])
            wanted = {**row, "N": int(row["N"]), "J": int(row["J"]), "K": int(row["K"]), "M": int(row["M"]), "noise": float(row["noise"]),
                      "seed": int(row["seed"])}
            yield Question(row["name"], row["K"], row["M"], path + ".irb", make=lambda w=wanted, p=path: sets.generate(arguments.ireland, w, p))
    if arguments.shared:
        for name, k in REAL:
            yield Question(name, k, 3, os.path.join(arguments.shared, "datasets", name + ".csv"), ["--cuts", "quantile:4"])
    for folder in arguments.tables:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".csv"):
                yield Question(name[:-4], 4, 3, os.path.join(folder, name), ["--negations", "--weights", "unit"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ireland", default="./ireland")
    parser.add_argument("--work", type=int, default=10**11)
    parser.add_argument("--shared")
    parser.add_argument("--tables", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--first", action="store_true", help="no repetitions")
    parser.add_argument("--without", help="leave this out, in place of what ended the proof")
    arguments = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    done = {}
    if os.path.exists(LIST):
        done = {(row["set"], row["without"]): row for row in csv.DictReader(open(LIST))}
    else:
        with open(LIST, "w") as file:
            csv.writer(file).writerow(FIELDS)

    def run(question, without):
        known = done.get((question.name, without))
        if known:
            return known
        found = question.fit(arguments.ireland, arguments.work, without)
        row = {"set": question.name, "K": question.k, "M": question.m, "without": without, "status": found["status"],
               "objective": found["objective"], "bound": found["bound"], "by": found["bound_by"], "work": found["work"],
               "seconds": round(found.get("seconds", 0), 2)}
        with open(LIST, "a") as file:
            csv.DictWriter(file, FIELDS).writerow(row)
        print(*row.values(), flush=True)
        return row

    def study(question):
        if arguments.without:
            return run(question, arguments.without)
        base = run(question, "")
        if not arguments.first and base["status"] == "optimal" and base["by"] != "equal samples":
            run(question, base["by"])

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(study, [q for q in questions(arguments) if arguments.only in q.name]))


if __name__ == "__main__":
    main()
