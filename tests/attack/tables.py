"""Random small tables, and how they are written in each format.

A case is a plain dictionary, so that it can be saved, replayed and made smaller:

    command   fit, curve, clause or cv
    columns   a list of {"name", "kind", "cells"}; kind is bin, num, cat or snp; a cell is a text, None if missing
    labels    a text per sample; `positive` is that of the cases
    weights   a text per sample, or None
    groups    what belongs together (--group), a text per sample, None if missing; or there are none
    folds     of --fold-column, in the same way
    strata    of --strata, in the same way
    format    csv, tsv, arff, svm, irb, or one of genotypes.FORMS
    options   name (as on the command line, without dashes) -> value; True for a flag or for a file of the attack's own
    seed      of what the check draws itself
"""
import os

LABELS = [("1", "0"), ("yes", "no"), ("b", "a"), ("2", "1")]


def n_rows(case):
    return len(case["labels"])


def has_missing(case):
    return any(cell is None for column in case["columns"] for cell in column["cells"])


# ---- drawing ----------------------------------------------------------------------------------

def draw_cells(rng, kind, n, share_missing):
    if kind == "bin":
        chance = rng.choice([0.2, 0.5, 0.7])
        cells = [str(int(rng.random() < chance)) for _ in range(n)]
    elif kind == "snp":
        cells = [str(rng.choice([0, 0, 1, 1, 2])) for _ in range(n)]
    elif kind == "num":
        values = rng.choice([[0, 1, 2], [1, 2, 3, 4], [-1, 0, 1, 3], [3, 5, 7, 8, 9, 12], ["0.5", "1.25", "2", "10"],
                             list(range(15))])
        cells = [str(rng.choice(values)) for _ in range(n)]
    else:
        values = rng.choice([["a", "b"], ["a", "b", "c"], ["red", "green", "light blue"], ["x", "y", "z", "u"]])
        cells = [rng.choice(values) for _ in range(n)]
    return [None if rng.random() < share_missing else cell for cell in cells]


def pick_kinds(rng, wanted, n_columns):
    """Kinds of the columns; `wanted` are those that some option needs."""
    style = rng.choice(["plain", "plain", "num", "cat", "mixed", "mixed", "mixed"])
    pool = {"plain": ["bin"], "num": ["num", "bin"], "cat": ["cat", "bin"], "mixed": ["bin", "num", "cat", "snp"]}[style]
    kinds = [rng.choice(pool) for _ in range(n_columns)]
    for i, kind in enumerate(sorted(wanted)):
        kinds[i % n_columns] = kind
    return kinds


def copy_rows(rng, columns, labels):
    """Equal samples, of the same class or of both."""
    for _ in range(rng.randrange(len(labels))):
        i, j = rng.randrange(len(labels)), rng.randrange(len(labels))
        for column in columns:
            column["cells"][i] = column["cells"][j]


def make_dull(rng, columns):
    """A column that is constant, empty or like another one."""
    column = rng.choice(columns)
    kind = rng.randrange(4)
    if kind == 0:
        column["cells"] = [None] * len(column["cells"])
    elif kind == 1:
        column["cells"] = [column["cells"][0]] * len(column["cells"])
    else:
        other = rng.choice(columns)
        other["kind"], other["cells"] = column["kind"], list(column["cells"])


def share_controls(rng, n):
    """Two features that cover cases of their own and the same controls: the trap of design.md."""
    n_cases = max(3, n // 2)
    n_shared = max(1, (n - n_cases) // 2)
    first = rng.randrange(1, n_cases)
    a = ["1" if i < first or n_cases <= i < n_cases + n_shared else "0" for i in range(n)]
    b = ["1" if first <= i < n_cases or n_cases <= i < n_cases + n_shared else "0" for i in range(n)]
    return a, b, [int(i < n_cases) for i in range(n)]


def draw_table(rng, wanted_kinds, wants_missing, is_for_svm, largest, is_large=False):
    """Large: more than brute force bears."""
    n = rng.choice([rng.randrange(4, 9), rng.randrange(6, 15), rng.randrange(10, largest)])
    n_columns = rng.choice([1, 2, 3, 3, 4, 4, 5])
    if is_large:
        n, n_columns = rng.randrange(45, 160), rng.randrange(4, 12)
    kinds = pick_kinds(rng, wanted_kinds, n_columns)
    if is_for_svm:
        kinds = [kind if kind in ("bin", "num") else "bin" for kind in kinds]
    missing = 0 if is_for_svm else rng.choice([0.1, 0.3]) if wants_missing or rng.random() < 0.3 else 0
    columns = [{"name": "", "kind": kind, "cells": draw_cells(rng, kind, n, missing)} for kind in kinds]
    labels = [int(rng.random() < rng.choice([0.3, 0.5, 0.5])) for _ in range(n)]
    if rng.random() < 0.15 and not is_for_svm:
        make_dull(rng, columns)
    if rng.random() < 0.15 and n_columns >= 2 and columns[0]["kind"] == columns[1]["kind"] == "bin" and n >= 6:
        columns[0]["cells"], columns[1]["cells"], labels = share_controls(rng, n)
    elif rng.random() < 0.5:
        copy_rows(rng, columns, labels)
    if rng.random() < 0.3:  # labels that follow a clause
        cells = columns[0]["cells"]
        value = rng.choice(cells)
        labels = [int((cell == value) != (rng.random() < 0.1)) for cell in cells]
    if wants_missing and not is_for_svm and all(cell is not None for column in columns for cell in column["cells"]):
        columns[0]["cells"][rng.randrange(n)] = None
    for j, (column, letter) in enumerate(zip(columns, rng.sample("abcdeghkmnpqrstuvxz", n_columns))):
        column["name"] = letter if rng.random() < 0.8 else letter + str(j)
    if sum(labels) == 0:
        labels[0] = 1
    if sum(labels) == n:
        labels[-1] = 0
    return columns, labels


# ---- writing ----------------------------------------------------------------------------------

def quote(text, delimiter):
    return '"' + text + '"' if delimiter in text or (delimiter == " " and not text) else text


def more_columns(case):
    """Columns that give no literals, by name, in the order in which they stand after the others."""
    return [(name, case[key]) for key, name in (("weights", "w"), ("groups", "pid"), ("folds", "site"), ("strata", "pop")) if case.get(key)]


def write_delimited(case, path, delimiter, header, na):
    more = more_columns(case)
    names = [column["name"] for column in case["columns"]] + [name for name, _ in more]
    with open(path, "w") as file:
        cells = [column["cells"] for column in case["columns"]] + [c for _, c in more]
        rows = [[na if c[i] is None else c[i] for c in cells] for i in range(n_rows(case))]
        target = case.get("target_at", len(names))
        for row, label in zip(rows, case["labels"]):
            row.insert(target, label)
        names.insert(target, case.get("label_name", "y"))
        for row in ([names] if header else []) + rows:
            file.write(delimiter.join(quote(cell, delimiter) for cell in row) + "\n")


def write_arff(case, path):
    with open(path, "w") as file:
        file.write("@relation attack\n")
        for column in case["columns"]:
            values = sorted({cell for cell in column["cells"] if cell is not None})
            kind = "numeric"
            if column["kind"] == "cat":
                kind = "{" + ",".join("'%s'" % v if " " in v else v for v in values) + "}"
            elif column["kind"] != "snp" and set(values) <= {"0", "1"}:
                kind = "{0,1}"
            file.write("@attribute %s %s\n" % (column["name"], kind))
        more = more_columns(case)
        for name, cells in more:
            words = sorted({cell for cell in cells if cell is not None})
            is_number = name == "w" or all(word.isdigit() for word in words)
            file.write("@attribute %s %s\n" % (name, "numeric" if is_number else "{" + ",".join("'%s'" % word for word in words) + "}"))
        file.write("@attribute %s {%s}\n@data\n" % (case.get("label_name", "y"), ",".join(sorted(set(case["labels"])))))
        for i in range(n_rows(case)):
            cells = [c["cells"][i] for c in case["columns"]] + [c[i] for _, c in more] + [case["labels"][i]]
            file.write(",".join("?" if c is None else "'%s'" % c if " " in c else c for c in cells) + "\n")


def write_svm(case, path):
    with open(path, "w") as file:
        last = len(case["columns"])
        for i in range(n_rows(case)):
            cells = [c["cells"][i] for c in case["columns"]]
            entries = ["%d:%s" % (j + 1, cell) for j, cell in enumerate(cells) if float(cell) != 0 or j + 1 == last]
            file.write(" ".join([case["labels"][i]] + entries) + "\n")


def can_be_svm(case):
    return (not has_missing(case) and not more_columns(case) and set(case["labels"]) <= {"0", "1"} and
            all(c["kind"] in ("bin", "num") and c["name"] == "f%d" % (j + 1) for j, c in enumerate(case["columns"])))


def write_table(case, form, folder):
    """Writes the table; for irb the CSV that is to be converted. Returns its path."""
    options = case["options"]
    na = options.get("na", "NA").split(",")[0] if "na" in options else ""
    path = os.path.join(folder, "t." + ("csv" if form == "irb" else form))
    if form == "arff":
        write_arff(case, path)
    elif form == "svm":
        write_svm(case, path)
    else:
        delimiter = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}.get(options.get("delimiter"), "\t" if form == "tsv" else ",")
        write_delimited(case, path, delimiter, "no-header" not in options, na if na or delimiter != " " else "NA")
    return path
