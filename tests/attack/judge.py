"""Runs the tool on a case and compares all that it says with the attack's own answer."""
import os
import random
import re
import traceback

import checkpoints
import genotypes
import grouping
import tables
from brute import BadInput, Problem
from fits import Fit
from others import check_clause, check_curve, check_cv
from tool import Finding, Setting, Tool, clean, expect, is_sound, normalise, prepare_files, read, same

# ---- refusals ---------------------------------------------------------------------------------------

def named_options(sentence, options):
    plain = sentence.lower().replace("_", "-")
    singular = {"min-sensitivity": "sensitivit", "min-specificity": "specificit", "weight-column": "weight", "start": "start from",
                "certificate": "certificate", "all-optimal": "list of rules", "within": "list of rules", "save-pool": "pool", "resume": "checkpoint"}
    return [name for name in options if re.search(r"(^|[^a-z-])(--|-)?%s($|[^a-z-])" % re.escape(name.lower()), plain) or
            (name in singular and singular[name] in plain)]


def drop_refused(case, sentence, rng):
    """The case without one of the options that a refusal names."""
    expect(sentence.strip(), "refusal", "exit code 2 without a sentence")
    said = re.sub(r"\(--type [^)]*\)", "", sentence)  # a hint, not what is refused
    named = [name for name in named_options(said, case["options"]) if name not in ("K", "M") or len(case["options"]) == 1]
    expect(named, "refusal", "names none of the options %s: %s" % (sorted(case["options"]), sentence.strip()))
    options = dict(case["options"])
    gone = rng.choice(named)
    del options[gone]
    if gone == "tune":  # one setting in place of a range
        options.update({name: re.split(r",|\.\.", options[name])[-1] for name in ("K", "M", "penalty") if name in options})
    if gone == "prove":  # what needs it
        for name in ("certificate", "all-optimal", "within"):
            options.pop(name, None)
    return normalise(dict(case, options=options))


# ---- the same again ------------------------------------------------------------------------------------

def without_run(answer):
    """All but times, and the command to go on with, which names the file."""
    return {key: value for key, value in answer.items() if key not in ("run", "fit_command")}


OF_VARIANTS = ("variants",)  # what only files say that have places


def compare_runs(tool, setting, first, rule, more, what, output):
    for name in ("rule.json", "proof.txt", "folds.csv"):
        if os.path.exists(tool.path(name)):
            os.rename(tool.path(name), tool.path("first-" + name))
    code, answer, err = tool.json(setting.arguments(without=("threads",), more=output + more))
    expect(answer is not None, what, "exit code %d: %s" % (code, err.strip()))
    a, b = without_run(first), without_run(answer)
    is_mixed = what == "format" and setting.form in genotypes.FORMS + ("csv", "irb") and "raw" in (setting.form, setting.case["format"])
    is_mixed |= what == "format" and (setting.form in genotypes.FORMS) != (setting.case["format"] in genotypes.FORMS)
    differ = [key for key in a if a[key] != b.get(key) and not (is_mixed and key in OF_VARIANTS)]
    expect(not differ, what, "%s differ: %s and %s" % (differ, *([x.get(differ[0]) for x in (a, b)] if differ else ("", ""))))
    expect(rule == read(tool, "rule.json"), what, "the rule files differ")
    for name in ("rule.json", "proof.txt", "folds.csv"):
        if os.path.exists(tool.path("first-" + name)):
            expect(read(tool, name) == read(tool, "first-" + name), what, "%s differs" % name)
            os.rename(tool.path("first-" + name), tool.path(name))


def other_format(case, rng):
    has_empty = any(set(c["cells"]) == {None} for c in case["columns"])
    if genotypes.may_be(case) and case.get("label_name"):
        return rng.choice([form for form in genotypes.FORMS + ("csv",) + ("irb",) * (not has_empty) if form not in [case["format"]] + case.get("without", [])])
    forms = ["csv", "tsv", "arff", "irb"] + (["svm"] if tables.can_be_svm(case) else [])
    if any(n in case["options"] for n in ("delimiter", "no-header", "na")):
        forms = ["csv", "irb"]
    if case["options"].get("delimiter") not in (None, "comma"):
        forms = ["irb"]
    if any(n in case["options"] for n in ("target", "vs-rest", "decimal")):
        forms = [form for form in forms if form in ("csv", "tsv", "irb")]
    if has_empty:
        forms = [form for form in forms if form in ("csv", "tsv")]
    return rng.choice([form for form in forms if form not in [case["format"]] + case.get("without", [])] or [None])


# ---- a case -----------------------------------------------------------------------------------------------------

class Outcome:
    def __init__(self):
        self.status, self.refusals, self.options, self.runs = None, [], None, 0


def is_allowed_bad_input(case, sentence):
    """Exit code 3 that the attack does not foresee by its own model, for reasons of size."""
    o = case["options"]
    words = ["no column gives literals", "constant", "one class", "only one"]
    if "weight-column" in o and not case["weights"]:
        words.append("weight-column")
    if "group" in o or "fold-column" in o or "strata" in o:
        words += ["there is no column"] if case["format"] == "svm" else []
    if case["command"] == "cv" or "tune" in o:
        words += ["fold", "class"]
    if "permutations" in o and "group" in o and "strata" in o:
        words.append("a group has samples of several strata")
    if "time-limit" in o and "resume" in o:  # it ended before there was a checkpoint
        words.append("before.ck: No such file")
    if o.get("validate") in ("cv", "bootstrap"):
        words.append("no estimate can be made, since")
    if "test" in o and "group" in o:
        words.append("groups are held out whole")
    if "test" in o:
        words += ["hold-out", "no column", "held out"]
    return any(word in sentence for word in words)


def output_words(case):
    """A file that the attack looks into: the rule, or the folds of samples that are kept apart."""
    if case["command"] == "fit":
        return ["-o", "rule.json"]
    return ["--predictions", "folds.csv"] if case["command"] == "cv" and (case.get("groups") or case.get("folds")) else []


def settle(tool, case, rng, outcome):
    """Runs the command, dropping options that are refused, until it is accepted. None: bad input, as it has to be."""
    for _ in range(12):
        clean(tool)
        output = output_words(case)
        setting = Setting(tool, case, case["format"])
        answer, refusal = None, setting.refusal or prepare_files(tool, setting)
        if refusal:
            code, err = refusal
        else:
            code, answer, err = tool.json(setting.arguments(more=output))
        if code != 2:
            return case, setting, code, answer, err
        outcome.refusals.append((sorted(case["options"]), err.strip()))
        expect(not os.path.exists(tool.path("rule.json")), "refusal", "a rule was written")
        case = drop_refused(case, err, rng)
        if not is_sound(case):
            return case, None, 2, None, err
    raise Finding("refusal", "twelve times: %s" % err.strip())


def check_case(case, binary, folder):
    """Raises a Finding, or says how the case ended."""
    outcome = Outcome()
    case = normalise(case)
    if not is_sound(case):
        outcome.status = "not sound"
        return outcome
    rng = random.Random(case["seed"])
    tool = Tool(binary, folder)
    try:
        case, setting, code, answer, err = settle(tool, case, rng, outcome)
        outcome.options = sorted(case["options"])
        if setting is None:
            outcome.status = "refused"
        elif answer is None and code == 4:
            expect("time-limit" in case["options"] or "work-limit" in case["options"], "limit", err.strip())
            outcome.status = "limit"
        elif code in (2, 3):
            outcome.status = judge_bad_input(case, err)
        else:
            outcome.status = judge(tool, case, setting, answer, code, rng)
    except Finding as finding:
        finding.log = tool.log
        raise
    except Exception as error:  # an answer that the attack cannot read, or a mistake of its own
        finding = Finding("trouble", "%s: %s" % (type(error).__name__, traceback.format_exc()[-600:]))
        finding.log = tool.log
        raise finding
    outcome.runs = len(tool.log)
    return outcome


def judge_bad_input(case, err):
    expect(err.strip(), "bad input", "exit code 3 without a sentence")
    try:
        rows = Problem(case).rows
    except BadInput:
        return "bad input"
    if grouping.find_mistake(case, rows):
        return "bad input"
    if "the folds of column" in err and "nested" not in case["options"] and case["options"].get("missing") != "drop":
        expect(grouping.lacks_class(case, rows), "bad input", "each given fold has both classes: %s" % err.strip())
    expect(is_allowed_bad_input(case, err), "bad input", "a good table is refused: %s" % err.strip())
    return "bad input"


def settle_tuned(tool, case, setting, answer, code, rng):
    """The choice is checked, and a fit with the chosen settings, which has the same rule, takes the place of the tuned one."""
    check_cv(case, answer["tuning"], code)
    rule, scope, is_timed = read(tool, "rule.json"), answer["scope"], "time-limit" in case["options"]
    if "K" in answer["tuning"]:
        for name in ("K", "M", "penalty"):
            expect(same(scope[name], answer["tuning"][name]), "tune", "%s is %s, chosen was %s" % (name, scope[name], answer["tuning"][name]))
    if not is_timed and rng.random() < 0.4:
        compare_runs(tool, setting, answer, rule, ["--threads", rng.choice("228")], "tune on threads", output_words(case))
    options = {name: value for name, value in case["options"].items() if name not in ("tune", "no-negations", "negations", "penalty")}
    options.update(K=str(scope["K"]), M=str(scope["M"]))
    if answer["tuning"]["cuts"] != "mdl:3":
        options["cuts"] = answer["tuning"]["cuts"]
    if scope["penalty"]:
        options["penalty"] = repr(scope["penalty"])
    if scope["negations"]:
        options["negations"] = True
    case = dict(case, options=options)
    setting = Setting(tool, case, case["format"])
    expect(setting.refusal is None, "tune", str(setting.refusal))
    code, again, err = tool.json(setting.arguments(more=output_words(case)))
    expect(again is not None, "tune", "exit code %d with the chosen settings: %s" % (code, err.strip()))
    if not is_timed:
        differ = [name for name in ("objective", "bound", "clauses", "scope", "held_out") if again.get(name) != answer.get(name)]
        expect(not differ and read(tool, "rule.json") == rule, "tune", "not the fit with the chosen settings: %s" % differ)
    return case, setting, again, code


def judge(tool, case, setting, answer, code, rng):
    try:
        mistake = grouping.find_mistake(case, Problem(case).rows)
        expect(not mistake, "bad input", "an answer though %s" % mistake)
    except BadInput as why:
        is_due = (case["command"] in ("fit", "curve") and "tune" not in case["options"]) or (case["command"] == "clause" and "forbidden" in str(why))
        if "test" not in case["options"] and is_due:  # folds and parts have literals of their own
            raise Finding("bad input", "an answer though there is %s" % why)
        if case["command"] != "cv":
            return answer["status"]
    command, output = case["command"], output_words(case)
    if "tune" in case["options"]:
        case, setting, answer, code = settle_tuned(tool, case, setting, answer, code, rng)
    if command == "fit":
        status = Fit(tool, case, setting, answer, code, rng).check()
    else:
        status = {"curve": check_curve, "clause": check_clause, "cv": check_cv}[command](case, answer, code)
    is_grouped = bool(case.get("groups") or case.get("folds"))
    if is_grouped and command == "cv":
        grouping.check_folds(tool, case, answer)
    is_timed = "time-limit" in case["options"]
    rule = read(tool, "rule.json")
    if not is_timed and (rng.random() < 0.4 or is_grouped):
        compare_runs(tool, setting, answer, rule, ["--threads", rng.choice("228")], "threads", output)
    if not is_timed and rng.random() < 0.4 and not set(case["options"]) & {"resume", "pool", "start", "work-limit"}:
        form = other_format(case, rng)
        if form:
            other = Setting(tool, case, form)
            expect(other.refusal is None, "convert", str(other.refusal))
            compare_runs(tool, other, answer, rule, ["--threads", "1"], "format", output)
    if command in ("fit", "curve"):
        checkpoints.check(tool, case, setting, answer, rng)
    return status
