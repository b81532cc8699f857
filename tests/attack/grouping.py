"""Samples that belong together (--group) and folds that are given (--fold-column): drawn, and held against what the tool says."""
import csv

from tool import expect


def draw_sets(rng, n, most, share_missing):
    """A text per sample: few sets or many, called by words or by numbers; None if missing."""
    n_sets = rng.randrange(1 if rng.random() < 0.05 else 2, max(3, most + 1))
    first, word = rng.choice([(0, ""), (1, ""), (1, "P"), (1, "at ")])
    return [None if rng.random() < share_missing else word + str(first + rng.randrange(n_sets)) for _ in range(n)]


def draw_grouping(rng, case):
    """Columns for the options of the case. Where both are given, folds mostly keep the groups whole."""
    n, options = len(case["labels"]), case["options"]
    if case["format"] == "svm":
        return
    if "strata" in options:
        case["strata"] = draw_sets(rng, n, 3, 0.1 if rng.random() < 0.2 else 0)
    if "group" in options:
        case["groups"] = draw_sets(rng, n, n, 0.1 if rng.random() < 0.2 else 0)
    if "fold-column" in options:
        folds = draw_sets(rng, n, 3, 0.05 if rng.random() < 0.1 else 0)
        if case.get("groups") and rng.random() < 0.8:
            first = {name: folds[i] for i, name in reversed(list(enumerate(case["groups"]))) if name is not None}
            folds = [first.get(name, fold) for name, fold in zip(case["groups"], folds)]
        case["folds"] = folds


def group_numbers(case):
    """A number per sample; one without a group is one by itself."""
    return [i if name is None else "of " + name for i, name in enumerate(case["groups"])]


def find_mistake(case, rows):
    """Why the tool has to refuse these columns where samples `rows` are kept, or None."""
    if not case.get("folds"):
        return None
    folds = [case["folds"][i] for i in rows]
    if None in folds:
        return "a sample has no fold"
    if len(set(folds)) < 2:
        return "there is one fold"
    groups = [group_numbers(case)[i] for i in rows] if case.get("groups") else []
    if len(set(zip(groups, folds))) > len(set(groups)):
        return "a fold divides a group"
    return None


def lacks_class(case, rows):
    """Has a given fold, or what is left without it, samples of one class only among `rows`?"""
    own = [(case["labels"][i] == case["positive"], case["folds"][i]) for i in rows]
    return any(len({c for c, f in own if (f == fold) == inside}) < 2 for fold in {f for _, f in own} for inside in (True, False))


def check_folds(tool, case, answer):
    """The predictions of cv tell the fold of each sample: no group is in two, given folds are as they are."""
    if answer["status"] != "done" or not answer["table"]:
        return
    with open(tool.path("folds.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    for repeat in {row["repeat"] for row in rows}:
        own = [(int(row["sample"]) - 1, row["fold"]) for row in rows if row["repeat"] == repeat]
        expect(len({i for i, _ in own}) == len(own), "folds", "a sample is predicted twice in repeat %s" % repeat)
        for name, numbers in (("group", case.get("groups") and group_numbers(case)), ("given fold", case.get("folds"))):
            if numbers:
                pairs = {(numbers[i], fold) for i, fold in own}
                expect(len(pairs) == len({number for number, _ in pairs}), "folds", "a %s is in two folds: %s" % (name, sorted(map(str, pairs))))
                expect(name == "group" or len(pairs) == len({fold for _, fold in pairs}), "folds", "a fold has samples of several given folds")
    for row in rows:
        says = case["labels"][int(row["sample"]) - 1]
        expect(row["label"] == says or "vs-rest" in case["options"], "folds", "sample %s has label %s, not %s" % (row["sample"], row["label"], says))
    if case.get("folds") and "nested" not in case["options"] and case["options"].get("missing") != "drop":
        expect(not lacks_class(case, {int(row["sample"]) - 1 for row in rows}), "folds", "an answer though a given fold has one class only")


def check_validation(case, answer, n_rows):
    """What the estimate of fit says of groups and folds."""
    found, o = answer.get("validation") or {}, case["options"]
    if "test" in o or "parts" not in found or n_rows != len(case["labels"]):
        return
    if case.get("groups") and "groups" in found:
        n = len(set(group_numbers(case)))
        expect(found["groups"] == n, "validation", "%s groups, own %d" % (found["groups"], n))
    if case.get("folds") and o.get("validate") in (None, "quick", "cv"):
        n = len(set(case["folds"]))
        expect(found["parts"] == n, "validation", "%s parts of %d given folds" % (found["parts"], n))
