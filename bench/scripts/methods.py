"""Which proof methods matter: each proof again without the method that ended it.

    python3 bench/scripts/methods.py [--work WORDS] [--tables FOLDER ...] [--shared FOLDER] [--jobs N] [--only TEXT]
                                     [--seconds S] [--open N] [--without METHOD ...]

Runs `fit --prove` with a limit on work, so that the answers do not depend on the machine, on the noisy sets of the paper that
are proven within so many seconds (bench/results/noisy_sets.csv), on as many of the open ones, on real tables (--shared) and on
binary tables (--tables). A run that ends with a proof names the method that ended it, and is repeated without that method; one
that ends with a bound is repeated without each of --without. Rows go to build/bench/methods.csv; what is there is not run again.
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
WITHOUT_NUMBERS = ("spect", "house_votes_84", "compas_binary", "splice_ei", "hiv_pi_lpv", "tic_tac_toe")


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


def noisy_sets(arguments):
    """Names of the sets that are proven soon, and of some that are open, the fast ones first."""
    rows = [(float(row["processor s"]), row["set"], row["status"] == "optimal")
            for row in csv.DictReader(open("bench/results/noisy_sets.csv"))]
    soon = [name for seconds, name, is_proven in sorted(rows) if is_proven and seconds <= arguments.seconds]
    return soon + sets.equal_steps([name for _, name, is_proven in rows if not is_proven], arguments.open)


def questions(arguments):
    known = {row["name"]: row for row in csv.DictReader(open(sets.LIST))}
    for name in noisy_sets(arguments):
        row, path = known[name], os.path.join(FOLDER, name)
        wanted = {**row, "N": int(row["N"]), "J": int(row["J"]), "K": int(row["K"]), "M": int(row["M"]), "noise": float(row["noise"]),
                  "seed": int(row["seed"])}
        yield Question(name, row["K"], row["M"], path + ".irb", make=lambda w=wanted, p=path: sets.generate(arguments.ireland, w, p))
    if arguments.shared:
        for name, k in REAL:
            yield Question(name, k, 3, os.path.join(arguments.shared, "datasets", name + ".csv"),
                           [] if name in WITHOUT_NUMBERS else ["--cuts", "quantile:4"])
    for folder in arguments.tables:
        for name in sorted(os.listdir(folder)):
            for k, m in ((4, 3),) if name.endswith(".csv") else ():
                yield Question(name[:-4], k, m, os.path.join(folder, name), ["--negations", "--weights", "unit"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ireland", default="./ireland")
    parser.add_argument("--work", type=int, default=10**11)
    parser.add_argument("--shared")
    parser.add_argument("--tables", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=10, help="of the noisy sets on record")
    parser.add_argument("--open", type=int, default=12, help="so many of the open noisy sets")
    parser.add_argument("--first", action="store_true", help="no repetitions")
    parser.add_argument("--without", nargs="*", default=[], help="leave each out where there is no proof")
    arguments = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    done = {}
    if os.path.exists(LIST):
        done = {(row["set"], row["K"], row["M"], row["without"]): row for row in csv.DictReader(open(LIST))}
    else:
        with open(LIST, "w") as file:
            csv.writer(file).writerow(FIELDS)

    def run(question, without):
        known = done.get((question.name, str(question.k), str(question.m), without))
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
        base = run(question, "")
        if arguments.first:
            return
        is_proven = base["status"] == "optimal"
        for method in [base["by"]] if is_proven else arguments.without:
            if method != "equal samples":
                run(question, method)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(study, [q for q in questions(arguments) if arguments.only in q.name]))


if __name__ == "__main__":
    main()
