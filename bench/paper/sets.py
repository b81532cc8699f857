"""The two collections of planted data sets, 128 without and 118 with noise, and the list of them in sets.csv.

The paper names neither its grid nor its seeds: N and J go "up to 10,000" and are split at 500 and 1,000 in its figures, clauses have
"at most M" features, and 128 and 118 sets were left where 25 attempts gave 25 to 75 % cases. Ours: N and J in SIZES, K and M below, clauses
of 1 to M literals (max) and of exactly M (exact, the harder reading), features Bernoulli(1/2), the position in the grid as seed. More
combinations than the paper's have a proper balance, so 128 and 118 of them are taken at equal steps in the order of the grid. In the
noisy grid the rates 1, 2.5 and 5 % take turns. No set was left out or exchanged for what came out on it.
"""
import csv
import itertools
import json
import os
import subprocess

SIZES = (100, 500, 1000, 5000, 10000)
CLAUSES = (3, 5, 10)
LITERALS = (3, 4, 5)
LAWS = ("max", "exact")
RATES = (0.01, 0.025, 0.05)
COUNTS = {"clean": 128, "noisy": 118}
FIELDS = ("name", "N", "J", "K", "M", "size", "noise", "seed", "cases", "planted", "checksum")
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sets.csv")


def grid(collection):
    """All combinations, in order, as rows of the list that lack what only the data tells."""
    for seed, (n, j, k, m, law) in enumerate(itertools.product(SIZES, SIZES, CLAUSES, LITERALS, LAWS), 1):
        noise = RATES[seed % len(RATES)] if collection == "noisy" else 0
        name = f"n{n}_j{j}_k{k}_m{m}{'e' if law == 'exact' else ''}_e{round(1000 * noise)}"
        yield {"name": name, "N": n, "J": j, "K": k, "M": m, "size": law, "noise": noise, "seed": seed}


def equal_steps(things, count):
    """`count` of them, or all if there are not so many."""
    count = min(count, len(things))
    return [things[i * len(things) // count] for i in range(count)]


def generate(ireland, row, path):
    """Writes PATH.irb and PATH.json (the planted rule); False if no attempt had a proper balance."""
    command = [ireland, "generate", "--quiet", "-o", path + ".irb", "--rule", path + ".json"]
    for option in ("N", "J", "K", "M"):
        command += ["-" + option, str(row[option])]
    command += ["--noise", str(row["noise"]), "--seed", str(row["seed"])]
    if row["size"] == "exact":
        command.append("--exact-size")
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def answer(*command):
    """The JSON object that a command prints."""
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def complete(ireland, row, path):
    info = answer(ireland, "info", path + ".irb", "--json", "--quiet")
    planted = answer(ireland, "evaluate", path + ".json", path + ".irb", "--json", "--quiet")
    return {**row, "cases": info["cases"], "planted": planted["weighted_error"], "checksum": info["checksum"]}


def choose(ireland, collection, folder):
    """The sets of a collection; each combination of the grid is made once."""
    path = os.path.join(folder, "grid")
    proper = [complete(ireland, row, path) for row in grid(collection) if generate(ireland, row, path)]
    print(f"{collection}: {len(proper)} of {sum(1 for _ in grid(collection))} combinations have 25 to 75 % cases")
    return equal_steps(proper, COUNTS[collection])


def write_list(ireland, folder, path=LIST):
    os.makedirs(folder, exist_ok=True)
    rows = [row for collection in COUNTS for row in choose(ireland, collection, folder)]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_list(path=LIST):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update({key: int(row[key]) for key in ("N", "J", "K", "M", "seed", "cases")})
        row.update({key: float(row[key]) for key in ("noise", "planted")})
    return rows


class Store:
    """The data of one set at a time, made when it is asked for and checked against the list."""

    def __init__(self, ireland, folder):
        self.ireland, self.path, self.name = ireland, os.path.join(folder, "set"), None
        os.makedirs(folder, exist_ok=True)

    def get(self, row):
        if self.name != row["name"]:
            if not generate(self.ireland, row, self.path):
                raise SystemExit(f"{row['name']}: cannot be generated")
            checksum = answer(self.ireland, "info", self.path + ".irb", "--json", "--quiet")["checksum"]
            if checksum != row["checksum"]:
                raise SystemExit(f"{row['name']}: checksum {checksum}, not {row['checksum']} as listed: the generator has changed")
            self.name = row["name"]
        return self.path + ".irb"
