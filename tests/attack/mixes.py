"""Mixes of options: every pair of options of a command is drawn in turn, with a few others beside it."""
import random

import genotypes
from grouping import draw_grouping
from tables import LABELS, draw_table

COMMANDS = ("fit", "curve", "clause", "cv")
READ = ["target", "positive", "delimiter", "no-header", "na", "vs-rest", "decimal"]
CODE = ["type", "types", "ignore", "only", "forbid", "cuts", "missing", "weight-column", "het", "strata", "one-per"]
RUN = ["threads", "seed", "time-limit", "work-limit"]
LEARN = ["max-literals", "method", "binary", "plain", "no-start", "profile", "paper-sample",
         "budgets", "weights", "effort", "memory-limit", "negations", "prove"]
KNOWN = {
    "fit": READ + CODE + RUN + LEARN + ["K", "M", "complexity", "cnf", "penalty", "equivalent", "test", "permutations", "validate", "stability", "min-sensitivity",
                                        "min-specificity", "checkpoint", "resume", "start", "loss", "all-optimal", "within", "count-within", "certificate",
                                        "report", "save-pool", "pool", "group", "fold-column", "tune", "no-negations"],
    "curve": READ + CODE + RUN + LEARN + ["K", "M", "penalty", "min-sensitivity", "min-specificity", "checkpoint", "resume", "threshold",
                                          "complexity", "csv", "svg", "report", "save-pool", "pool", "certificate"],
    "clause": READ + CODE + RUN + ["memory-limit", "M", "negations", "budget", "budget-count", "prove"],
    "cv": READ + CODE + RUN + LEARN + ["K", "M", "penalty", "complexity", "folds", "repeats", "nested", "choose", "report", "group", "fold-column",
                                       "no-negations", "all"],
}
# Options of every command that the attack gives on its own account, or that belong to several processes.
NOT_DRAWN = {"json", "quiet", "help", "output", "grid", "plot", "predictions"}
# Options of files of genotypes, which are held against plink (tests/cli/plink_filters.py, test_genotypes.sh).
NOT_DRAWN |= {"pheno", "pheno-name", "pheno-01", "covar", "covar-name", "keep", "remove", "extract", "exclude", "chr", "from-bp", "to-bp", "region", "maf",
              "geno", "mind", "hwe", "vcf-filter", "dosage", "ld-r2", "genes", "prune-ld", "bfile", "vcf", "bcf"}
# What is drawn more often beside a pair: where answers depend on it.
CORE = ["negations", "prove", "weights", "penalty", "loss", "max-literals", "min-sensitivity", "min-specificity", "cnf", "missing", "cuts",
        "forbid", "weight-column", "strata", "one-per", "het", "all-optimal", "count-within", "within", "certificate"]
# Options that mean nothing without another one; it mostly comes with them.
COMPANION = {"binary": ("method", "bp"), "plain": ("method", "bp"), "no-start": ("method", "bp"),
             "paper-sample": ("profile", "paper"), "certificate": ("prove", True),
             "all-optimal": ("prove", True), "within": ("all-optimal", "20"), "count-within": ("prove", True), "complexity": ("method", "brcg"),
             "no-negations": ("tune", True)}


# Options that say what is claimed of what, and how it is found.
CLAIMS = CORE + ["only", "ignore", "type", "group", "fold-column", "vs-rest", "threads", "resume", "start", "save-pool", "equivalent", "complexity", "threshold",
                 "budget", "budget-count"]


def all_pairs(seed, is_claims=False):
    """Pairs of options of each command in random order; those of fit come twice as often as their share. Claims: of those alone, to be proven."""
    rng = random.Random(seed)
    found = []
    for command in COMMANDS:
        names = [name for name in KNOWN[command] if not is_claims or (name in CLAIMS and command != "cv")]
        found += [(command, a, b) for i, a in enumerate(names) for b in names[:i]]
    rng.shuffle(found)
    return found


def draw_value(rng, name, command):
    bp = "bp%d" % rng.randrange(1, 7)
    values = {
        "K": ["1", "2", "2", "3"], "M": ["1", "2", "2", "3"], "max-literals": ["1", "2", "3", "4"], "complexity": ["2", "3", "5"],
        "method": ["ireland", "brcg", "brcg", bp, bp], "profile": ["paper", "paper", "default"], "paper-sample": ["1", "5"],
        "budgets": ["0", "0.1,0.5", "0,0.25,1"], "weights": ["unit", "unit", "balanced"],
        "penalty": ["0.01", "0.05", "0.003", "0.2"], "equivalent": ["0.1", "0.3"], "effort": ["quick", "full"],
        "test": ["0.3", "0.5"], "permutations": ["2", "3"], "stability": ["2", "5"], "validate": ["none", "cv", "bootstrap"], "min-sensitivity": ["0.3", "0.5", "0.75", "0.9", "1"],
        "min-specificity": ["0.3", "0.5", "0.75", "0.9", "1"], "memory-limit": ["4000"], "loss": ["hamming", "hamming", "weighted"],
        "all-optimal": ["1", "5", "1000"], "within": ["0.1", "0.5"], "threads": ["1", "2"], "seed": ["0", "7", "123"],
        "time-limit": ["5", "0.001"], "work-limit": ["1", "300", "5000", "100000000"], "threshold": ["0", "0.3"],
        "budget": ["0", "0.2", "0.5"], "budget-count": ["0", "1", "3"], "folds": ["2", "3"], "repeats": ["1", "2"],
        "choose": ["one-se", "best", "half-se"], "cuts": ["all", "all", "mdl", "mdl:3", "quantile:9", "quantile:2"],
        "decimal": ["point", "point", "comma"], "missing": ["drop", "impute", "error", "false"], "delimiter": ["semicolon", "tab", "comma", "space"], "na": ["NA", "none", "-9"],
    }
    if command == "curve" and name == "complexity":
        return True
    if command == "cv" and name in ("K", "M"):
        return rng.choice(["1", "1..2", "1,3"])
    if command == "cv" and name == "penalty":
        return rng.choice(["0", "0,0.05"])
    return rng.choice(values[name]) if name in values else True


def draw_options(rng, command, pair):
    names = set(pair)
    known = KNOWN[command]
    for name in known:
        if rng.random() < (0.12 if name in CORE else 0.015):
            names.add(name)
    for name in sorted(names):
        if name in COMPANION and COMPANION[name][0] in known and rng.random() < 0.85:
            names.add(COMPANION[name][0])
    options = {}
    for name in known:
        if name in names:
            options[name] = draw_value(rng, name, command)
    for name in sorted(names):
        other, value = COMPANION.get(name, (None, None))
        if other in options and rng.random() < 0.9:
            options[other] = draw_value(rng, other, command) if value == "bp" else value
            if value == "bp":
                options[other] = "bp%d" % rng.randrange(1, 7)
    for name in ("K", "M"):
        if name in known and name not in options:
            options[name] = "1" if command == "cv" else rng.choice(["1", "2", "2", "3"])
    if "tune" in options and not {"pool", "start", "resume", "checkpoint"} & set(options):
        for name, ranges in (("K", ["1", "1..2", "1,3"]), ("M", ["1", "1..2", "1,3"]), ("penalty", ["0,0.05", "0.01"])):
            options[name] = rng.choice(ranges)
    if command == "cv":
        if "fold-column" in options and rng.random() < 0.9:
            options.pop("folds", None), options.pop("repeats", None)
        else:
            options.setdefault("folds", "2")
        options.setdefault("penalty", "0")
    return options


def name_columns(options, case, rng):
    """Options that name columns or literals, and what the table needs for them."""
    columns = [c["name"] for c in case["columns"]]
    if "only" in options:
        options["only"] = ",".join(sorted(rng.sample(columns, rng.randrange(1, len(columns) + 1))))
    if "ignore" in options:
        options["ignore"] = rng.choice(columns)
    if "forbid" in options:
        c = rng.choice(case["columns"])
        known = sorted({cell for cell in c["cells"] if cell is not None}) or ["0"]
        options["forbid"] = {"bin": [c["name"], ("!" if "negations" in options else "") + c["name"]], "snp": [c["name"] + ":dom", c["name"] + (":het" if "het" in options else ":rec")],
                             "num": [c["name"] + " >", c["name"] + " <="],
                             "cat": ["%s = %s" % (c["name"], rng.choice(known)), c["name"] + " ="]}[c["kind"]][rng.randrange(2)]
    if "one-per" in options:
        grouped = rng.sample(columns, rng.randrange(1, len(columns) + 1))
        options["one-per"] = ",".join("%s=g%d" % (name, rng.randrange(1 + len(columns) // 2)) for name in sorted(grouped))
    if "weight-column" in options:
        options["weight-column"] = "w"
    for name, word in (("target", "y"), ("group", "pid"), ("fold-column", "site"), ("strata", "pop")):
        if name in options:
            options[name] = word
    for name in ("positive", "vs-rest"):
        if name in options:
            options[name] = case["positive"]
    for name in ("type", "types"):
        if name in options:
            c = rng.choice(case["columns"])
            options[name] = "%s=%s" % (c["name"], {"bin": "binary", "num": "number", "cat": "category", "snp": "snp"}[c["kind"]])


def draw_attack(seed, index, pairs, is_claims):
    """A mix, or now and then a table that is too large for certificates to be forged by the dozen."""
    rng = random.Random("%s/planted/%d" % (seed, index))
    return draw_planted(rng) if rng.random() < 0.02 else draw_case(seed, index, pairs, is_claims)


def draw_planted(rng):
    """A table whose labels are a rule of long clauses: its least loss is 0, but columns by themselves tell little. For column generation."""
    K, n_columns, share = rng.randrange(2, 5), rng.randrange(10, 64), rng.choice([0.3, 0.5])
    cells = [[int(rng.random() < share) for _ in range(n_columns)] for _ in range(rng.randrange(30, 165))]
    rule = [{"x%d" % j: str(rng.randrange(2)) for j in rng.sample(range(n_columns), rng.randrange(3, 6))} for _ in range(K)]
    columns = [{"name": "x%d" % j, "kind": "bin", "cells": [str(row[j]) for row in cells]} for j in range(n_columns)]
    case = {"command": "fit", "pair": ["method", "M"], "columns": columns, "positive": "1", "weights": None, "format": "csv", "planted": rule,
            "options": {"K": str(K), "M": "5", "weights": rng.choice(["unit", "unit", "balanced"]), "method": "brcg", "negations": True},
            "seed": rng.randrange(1 << 30)}
    case["labels"] = ["01"[label] for label in planted_labels(case)]
    if rng.random() < 0.7:
        case["options"]["prove"] = True
    return case if len(set(case["labels"])) == 2 else draw_planted(rng)


def planted_labels(case):
    """What the planted rule says of each sample; None if the table lacks a column of it."""
    cells = {column["name"]: column["cells"] for column in case["columns"]}
    if not all(name in cells for clause in case["planted"] for name in clause):
        return None
    n = len(case["columns"][0]["cells"])
    return [any(all(cells[name][i] == value for name, value in clause.items()) for clause in case["planted"]) for i in range(n)]


def draw_case(seed, index, pairs, is_claims=False):
    rng = random.Random("%s/%d" % (seed, index))
    command, a, b = pairs[index % len(pairs)]
    if index >= len(pairs) and rng.random() < 0.5:
        command, a, b = "fit", *rng.sample([name for name in KNOWN["fit"] if not is_claims or name in CLAIMS], 2)
    options = draw_options(rng, command, (a, b))
    if is_claims:
        options = {name: value for name, value in options.items() if name in CLAIMS + ["K", "M"]}
        options["prove"] = True
    wanted = set()
    if "cuts" in options:
        wanted.add("num")
    if "het" in options:
        wanted.add("snp")
    form = rng.choice(["csv"] * 6 + ["tsv", "arff", "irb", "irb", "svm"])
    columns, labels = draw_table(rng, wanted, "missing" in options or "na" in options, form == "svm", 13 if command == "cv" or "tune" in options else 20,
                                 is_claims and command == "fit" and rng.random() < 0.3)
    positive, negative = LABELS[0] if form == "svm" or rng.random() < 0.6 else rng.choice(LABELS)
    if form == "svm" or "no-header" in options:
        for j, column in enumerate(columns):
            column["name"] = "f%d" % (j + 1)
    case = {"command": command, "pair": [a, b], "columns": columns, "labels": [positive if label else negative for label in labels],
            "positive": positive, "weights": None, "format": form, "options": options, "seed": rng.randrange(1 << 30)}
    if "vs-rest" in options and form != "svm":
        case["labels"] = [label if label == positive or rng.random() < 0.5 else "third" for label in case["labels"]]
    if "weight-column" in options and form != "svm":
        kind = rng.choice([["1", "2", "3"], ["2", "4"], ["0.5", "1", "2.5"], ["0", "1", "2"], ["0.1", "0.2", "0.7"], ["0.333", "0.0001"]])
        if rng.random() < 0.1 and not options.get("method", "").startswith("b"):  # many units, or no unit at all
            kind = rng.choice([["0.1234567891", "1", "2"], ["1", "1000000", "3"], ["0.000001", "1", "0"]])
        case["weights"] = [rng.choice(kind) for _ in labels]
    if rng.random() < 0.25:
        case["format"] = rng.choice(genotypes.FORMS)
        genotypes.make_fit(case)
    draw_grouping(rng, case)
    if "target" in options:
        case["target_at"] = rng.randrange(len(columns) + 1)
    name_columns(options, case, rng)
    if options.get("decimal") == "comma":  # a number with a point would be a text
        for column in columns:
            column["cells"] = [None if cell is None else cell.replace(".", "") for cell in column["cells"]]
        case["weights"] = case["weights"] and [weight.replace(".", "") for weight in case["weights"]]
    snps = [c["name"] for c in columns if c["kind"] == "snp"]
    if not snps:
        options.pop("het", None)
    if snps and "types" not in options:  # a SNP is one only if it is said
        more = ["%s=snp" % name for name in snps]
        own = [options["type"]] if "type" in options and options["type"].split("=")[0] not in snps else []
        options["type"] = ",".join(own + more)
    elif snps:
        options["types"] = ",".join("%s=snp" % name for name in snps)
    return case
