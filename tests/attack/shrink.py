"""Makes a case smaller while it shows a finding of the same kind."""
import copy
import time

from tool import Finding, is_sound, normalise

MOST_TRIES = 400
MOST_SECONDS = 60


def without_row(case, i):
    case = copy.deepcopy(case)
    for column in case["columns"]:
        del column["cells"][i]
    del case["labels"][i]
    for key in ("weights", "groups", "folds", "strata"):
        if case.get(key):
            del case[key][i]
    return case


def without_column(case, j):
    case = copy.deepcopy(case)
    del case["columns"][j]
    if "target_at" in case:
        case["target_at"] = min(case["target_at"], len(case["columns"]))
    if case["format"] == "svm" or "no-header" in case["options"]:
        for k, column in enumerate(case["columns"]):
            column["name"] = "f%d" % (k + 1)
    return case


def without_option(case, name):
    case = copy.deepcopy(case)
    del case["options"][name]
    return normalise(case)


def in_csv(case):
    return dict(copy.deepcopy(case), format="csv")


def with_smaller(case, name):
    case = copy.deepcopy(case)
    value = case["options"].get(name, "3")
    if not value.isdigit() or int(value) < 2:
        return None
    case["options"][name] = str(int(value) - 1)
    return case


def with_cell(case, j, i):
    case = copy.deepcopy(case)
    if case["columns"][j]["cells"][i] is not None:
        return None
    known = [cell for cell in case["columns"][j]["cells"] if cell is not None] or ["1"]
    case["columns"][j]["cells"][i] = known[0]
    return case


def candidates(case):
    yield in_csv(case) if case["format"] != "csv" else None
    for name in sorted(case["options"]):
        yield without_option(case, name)
    for j in reversed(range(len(case["columns"]))):
        yield without_column(case, j)
    for i in reversed(range(len(case["labels"]))):
        yield without_row(case, i)
    for name in ("K", "M"):
        yield with_smaller(case, name)
    for j in range(len(case["columns"])):
        for i in range(len(case["labels"])):
            yield with_cell(case, j, i)


def shrink(case, finding, attempt):
    tries, is_smaller, end = 0, True, time.time() + MOST_SECONDS
    while is_smaller and tries < MOST_TRIES:
        is_smaller = False
        for other in candidates(case):
            if other is None or not is_sound(normalise(other)):
                continue
            tries += 1
            if tries > MOST_TRIES or time.time() > end:
                return case, finding
            try:
                attempt(other)
            except Finding as found:
                if found.kind == finding.kind:
                    case, finding, is_smaller = other, found, True
                    break
    return case, finding
