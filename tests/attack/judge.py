"""Runs the tool on a case and compares all that it says with the attack's own answer."""
import json
import os
import random
import re
import subprocess
import traceback
from fractions import Fraction

import exports
import forge
import tables
from brute import BadInput, Problem, TooLarge
from literals import compare, literal_of_name, literal_of_rule

SECONDS = 120  # that a run on such small tables may take; longer is a finding
READING = ("target", "positive", "delimiter", "no-header", "na", "vs-rest")
LIMITS = ("time-limit", "work-limit", "memory-limit")


class Finding(Exception):
    def __init__(self, kind, text):
        super().__init__("%s: %s" % (kind, text))
        self.kind = kind


def expect(condition, kind, text):
    if not condition:
        raise Finding(kind, text)


def same(a, b):
    if a is None or b is None:
        return a is None and b is None
    return abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(b)))


# ---- running --------------------------------------------------------------------------------------

class Tool:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.log = binary, folder, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, arguments):
        self.log.append(arguments)
        try:
            done = subprocess.run([self.binary] + arguments, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                                  env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        except subprocess.TimeoutExpired:
            raise Finding("hang", "no answer in %d s: %s" % (SECONDS, " ".join(arguments)))
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if done.returncode not in (0, 2, 3, 4):
            raise Finding("exit code", "%d: %s; %s" % (done.returncode, " ".join(arguments), err[-500:]))
        return done.returncode, out, err

    def json(self, arguments):
        code, out, err = self.run(arguments + ["--json"])
        if code in (2, 3):
            return code, None, err
        try:
            return code, json.loads(out), err
        except ValueError as why:
            raise Finding("json", "%s: %s" % (why, " ".join(arguments)))


def normalise(case):
    """The case after options were dropped: a table that fits those that are left."""
    options, case = dict(case["options"]), dict(case, columns=[dict(c) for c in case["columns"]])
    if "weight-column" not in options:
        case["weights"] = None
    elif case["weights"]:
        options["weight-column"] = "f%d" % (len(case["columns"]) + 1) if "no-header" in options else "w"
    if "vs-rest" not in options:
        other = [label for label in case["labels"] if label not in (case["positive"], "third")]
        rest = other[0] if other else dict(tables.LABELS)[case["positive"]]
        case["labels"] = [rest if label == "third" else label for label in case["labels"]]
    if "target" not in options or case["format"] in ("arff", "svm"):
        case.pop("target_at", None)
    if case["positive"] == "b" and "positive" not in options and "vs-rest" not in options:
        pass  # the later one in the order of bytes is the case
    case["options"] = options
    return case


def is_sound(case):
    """Is this still a table? Shrinking may leave none."""
    if not case["columns"] or len({label == case["positive"] for label in case["labels"]}) < 2:
        return False
    if any(all(cell is None for cell in c["cells"]) for c in case["columns"]):
        return False
    names = {c["name"] for c in case["columns"]}
    for name in ("only", "ignore"):
        if name in case["options"] and not set(case["options"][name].split(",")) <= names:
            return False
    for name in ("type", "types"):
        if name in case["options"] and not {item.split("=")[0] for item in case["options"][name].split(",")} <= names:
            return False
    if "forbid" in case["options"] and not any(case["options"]["forbid"].lstrip("!").startswith(n) for n in names):
        return False
    return case["format"] != "svm" or tables.can_be_svm(case)


class Setting:
    """A case on disk in one format, and the words of its command line."""

    def __init__(self, tool, case, form):
        self.tool, self.case, self.form = tool, case, form
        options = case["options"]
        path = tables.write_table(case, form, tool.folder)
        if "types" in options:
            with open(tool.path("types.csv"), "w") as file:
                file.write("".join(item.replace("=", ",") + "\n" for item in options["types"].split(",")))
        self.reading = [word for name in READING if name in options for word in self.words(name, options[name])]
        self.data = os.path.basename(path)
        self.refusal = None
        if form == "irb":
            typing = [w for name in ("type", "types") if name in options for w in self.words(name, options[name])]
            code, _, err = tool.run(["convert", self.data, "t.irb"] + self.reading + typing)
            self.refusal = (code, err) if code else None
            self.data, self.reading = "t.irb", []
        self.options = {n: v for n, v in options.items() if not (form == "irb" and n in READING + ("type", "types"))}

    @staticmethod
    def words(name, value):
        flag = ("-" if len(name) == 1 else "--") + name
        files = {"types": "types.csv", "save-pool": "saved.json", "pool": "pool.json", "checkpoint": "run.ck", "resume": "before.ck",
                 "start": "start.json", "certificate": "proof.txt", "report": "page.html", "csv": "curve.csv", "svg": "curve.svg"}
        if name in files:
            return [flag, files[name]]
        return [flag] if value is True else [flag, value]

    def arguments(self, without=(), more=()):
        found = [self.case["command"], self.data]
        for name, value in self.options.items():
            if name not in without:
                found += self.words(name, value)
        if "threads" not in without and "threads" not in self.options:
            found += ["--threads", "1"]
        return found + list(more)


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
    named = [name for name in named_options(sentence, case["options"]) if name not in ("K", "M") or len(case["options"]) == 1]
    expect(named, "refusal", "names none of the options %s: %s" % (sorted(case["options"]), sentence.strip()))
    options = dict(case["options"])
    gone = rng.choice(named)
    del options[gone]
    if gone == "prove":  # what needs it
        for name in ("certificate", "all-optimal", "within"):
            options.pop(name, None)
    return normalise(dict(case, options=options))


# ---- rules ---------------------------------------------------------------------------------------------

class Seen:
    """A rule of an answer on the samples of a problem."""

    def __init__(self, problem, clauses, rule=None, rows=None, is_mirrored=False):
        """`is_mirrored`: the clauses of a CNF, which are taken for those of the rule for the other class."""
        self.literals = []
        for clause in clauses:
            found = [literal_of_rule(n, rule, problem.raw) if rule else literal_of_name(n, problem.raw) for n in clause]
            expect(None not in found, "literal", "no column gives %s" % clause)
            for literal in found if not rule else []:
                fill = problem.fill(literal.column)
                literal.is_imputed = fill is not None
                literal.on_missing = literal.is_imputed and compare(literal.relation, fill, literal.value)
            self.literals.append([literal.opposite() for literal in found] if is_mirrored else found)
        rows = problem.rows if rows is None else rows
        self.covers = []
        for found in self.literals:
            cover = (1 << len(rows)) - 1
            for literal in found:
                cover &= literal.mask(rows)
            self.covers.append(cover)
        self.sizes = [len(found) for found in self.literals]
        self.union = 0
        for cover in self.covers:
            self.union |= cover


def check_scope(problem, seen, what):
    """Is the rule one of those that were asked for? Cut points of a part of the samples are not known here."""
    expect(len(seen.sizes) <= problem.K, "scope", "%s has %d clauses, K is %d" % (what, len(seen.sizes), problem.K))
    expect(max(seen.sizes, default=0) <= problem.M, "scope", "%s has a clause longer than M" % what)
    expect(sum(seen.sizes) <= problem.max_literals, "scope", "%s has %d literals, %d are allowed" % (what, sum(seen.sizes), problem.max_literals))
    if problem.max_complexity:
        expect(sum(seen.sizes) + len(seen.sizes) <= problem.max_complexity, "scope", "%s is more complex than allowed" % what)
    if "test" in problem.options:
        return
    known = {(l.column.name, l.relation, mask) for mask, group in problem.literal_masks.items() for l in group}
    masks = {(name, mask) for name, _, mask in known}
    for found in seen.literals:
        for literal in found:
            key = (literal.column.name, literal.mask(problem.rows))
            expect(key in masks, "scope", "%s has the literal '%s', which is not among those asked for" % (what, literal.name))


def check_limits(problem, seen, what):
    expect(problem.sum(seen.union & problem.cases) >= problem.min_cases, "limits", "%s has too little sensitivity" % what)
    expect(problem.sum(seen.union & problem.controls) <= problem.max_controls, "limits", "%s has too little specificity" % what)


def confusion(problem, union, rows):
    """Of the answer, which with --cnf says case where no clause holds."""
    counts = {"tp": 0, "fp": 0, "tn": 0, "fn": 0}
    for bit, i in enumerate(rows):
        says = (union >> bit & 1) != problem.is_cnf
        counts[("tp" if says else "fn") if problem.is_case[i] else ("fp" if says else "tn")] += 1
    return counts


# ---- fit -------------------------------------------------------------------------------------------------

class Fit:
    def __init__(self, tool, case, setting, answer, code, rng):
        self.tool, self.case, self.setting, self.answer, self.code, self.rng = tool, case, setting, answer, code, rng
        self.options = case["options"]
        self.problem = Problem(case)
        self.rule = json.load(open(tool.path("rule.json"))) if os.path.exists(tool.path("rule.json")) else None
        self.optimum = self.find_optimum()

    def find_optimum(self):
        if "test" in self.options:
            return "unknown"
        try:
            if self.options.get("method", "").startswith("bp") and "plain" in self.options:
                return self.problem.plain_optimum()
            return self.problem.optimum()
        except TooLarge:
            return "unknown"

    def check(self):
        status, answer = self.answer["status"], self.answer
        expect(status in ("optimal", "feasible", "limit", "infeasible"), "status", status)
        if self.optimum is None:
            expect(self.rule is None or answer["objective"] is None, "infeasible", "a rule though none is within the limits")
            if self.is_to_be_proven():
                expect(status == "infeasible" and self.code == 4, "infeasible", "status %s, exit code %d, though no rule exists" % (status, self.code))
            return status
        if status == "infeasible":
            expect(self.optimum == "unknown", "infeasible", "though a rule of objective %s exists" % self.optimum)
        if answer["objective"] is None or self.rule is None:
            expect(self.code == 4, "exit code", "%d without a rule" % self.code)
            return status
        expect(self.code == 0, "exit code", "%d with a rule" % self.code)
        self.check_rule()
        self.check_claims()
        self.check_pool()
        self.check_lists()
        self.check_outside()
        return status

    def is_to_be_proven(self):
        o = self.options
        return ("prove" in o and o.get("method", "ireland") == "ireland" and not any(n in o for n in LIMITS) and "pool" not in o and
                o.get("effort") != "quick" and "paper-brcg" not in o and o.get("profile") != "paper" and "resume" not in o)

    def check_rule(self):
        p, answer = self.problem, self.answer
        is_plain_model = "plain" in self.options and self.options.get("method", "").startswith("bp")
        self.seen = Seen(p, self.rule["clauses"], self.rule)
        shown = answer["clauses"]
        if not p.is_cnf:
            expect(shown == self.rule["clauses"], "rule file", "clauses differ from those of the answer")
            if "test" not in self.options or self.options.get("missing") != "impute":
                expect(Seen(p, shown).covers == self.seen.covers, "rule file", "names and meanings differ")
        else:
            self.check_mirror(shown)
        if not is_plain_model:
            check_scope(p, self.seen, "the rule")
        if "test" in self.options:
            return self.check_held_out()
        check_limits(p, self.seen, "the rule")
        counts = confusion(p, self.seen.union, p.rows)
        expect(answer["confusion"] == counts, "confusion", "%s, own count %s" % (answer["confusion"], counts))
        own = p.objective(self.seen.covers, self.seen.sizes)
        expect(same(answer["objective"], own), "objective", "%s, but the rule's is %s" % (answer["objective"], float(own)))
        self.own = own
        self.check_scope_object()
        self.check_measures(counts)
        self.check_equivalents()

    def check_mirror(self, shown):
        """The CNF that is shown is the negation of the rule in the file, where nothing is missing."""
        p = self.problem
        whole = [i for i in p.rows if all(c.values[i] is not None for c in p.raw.values())]
        file = Seen(p, self.rule["clauses"], self.rule, whole)
        holds = (1 << len(whole)) - 1
        for clause in shown:
            either = 0
            for literal in Seen(p, [[name] for name in clause], None, whole).covers:
                either |= literal
            holds &= either
        expect(holds == (1 << len(whole)) - 1 & ~file.union, "cnf", "%s is not the negation of %s" % (shown, self.rule["clauses"]))

    def check_held_out(self):
        p, answer = self.problem, self.answer
        held = answer.get("test") or answer.get("held_out")
        expect(held, "test", "no evaluation on what was held out")
        both = {key: answer["confusion"][key] + held["confusion"][key] for key in answer["confusion"]}
        counts = confusion(p, self.seen.union, p.rows)
        if self.options.get("missing") != "impute":
            expect(both == counts, "test", "training and test count %s together, own count %s" % (both, counts))
        self.own = None

    def check_scope_object(self):
        """What the answer says that it was sought among."""
        p, o, scope = self.problem, self.options, self.answer["scope"]
        own = {"K": p.K, "M": p.M, "loss": "hamming" if p.hamming else "weighted", "form": "cnf" if p.is_cnf else "dnf",
               "negations": "negations" in o, "missing": o.get("missing", "false"), "literals": p.n_coded, "samples": len(p.rows),
               "min_sensitivity": float(o.get("min-sensitivity", 0)), "min_specificity": float(o.get("min-specificity", 0)),
               "max_literals": int(o["max-literals"]) if "max-literals" in o else None, "penalty": float(o.get("penalty", 0)),
               "weight_column": o.get("weight-column")}
        if "pool" in o:
            del own["M"], own["negations"]
        for name, value in own.items():
            expect(scope[name] == value, "scope", "%s is said to be %s, not %s" % (name, scope[name], value))

    def check_measures(self, counts):
        answer = self.answer
        n1, n0 = counts["tp"] + counts["fn"], counts["tn"] + counts["fp"]
        own = {"sensitivity": Fraction(counts["tp"], n1), "specificity": Fraction(counts["tn"], n0),
               "accuracy": Fraction(counts["tp"] + counts["tn"], n1 + n0), "weighted_error": Fraction(n1 * counts["fp"] + n0 * counts["fn"], n1 + n0)}
        own["balanced_accuracy"] = (own["sensitivity"] + own["specificity"]) / 2
        own["normalized"] = own["weighted_error"] / (n1 + n0)
        for name, value in own.items():
            expect(same(answer[name], value), "measure", "%s is %s, own %s" % (name, answer[name], float(value)))

    def check_equivalents(self):
        p = self.problem
        if p.is_cnf:
            return
        for entry in self.answer.get("equivalents", []):
            k, old = entry["clause"], entry["literal"]
            names = self.rule["clauses"][k]
            for other, change in zip(entry["others"], entry["changes"]):
                new = [other if n in old else n for n in names]
                seen = Seen(p, self.rule["clauses"][:k] + [new] + self.rule["clauses"][k + 1:])
                own = p.objective(seen.covers, seen.sizes) - self.own
                expect(same(change, own), "equivalent", "%s for %s changes the loss by %s, not %s" % (other, old, float(own), change))

    def check_claims(self):
        answer, status, best = self.answer, self.answer["status"], self.optimum
        objective, bound = answer["objective"], answer["bound"]
        if bound is not None:
            expect(bound <= objective + 1e-9 * max(1, abs(objective)), "bound", "%s above the objective %s" % (bound, objective))
            gap = 0 if objective == 0 else (objective - bound) / objective
            expect(same(answer["gap"], gap), "gap", "%s of %s and %s" % (answer["gap"], objective, bound))
        if status == "optimal":
            expect(same(bound, objective), "optimal", "objective %s, bound %s" % (objective, bound))
            expect("pool" not in self.options, "optimal", "the best of a pool")
        if best == "unknown":
            return
        if status == "optimal":
            expect(same(objective, best), "optimal", "objective %s, but %s exists" % (objective, float(best)))
        expect(bound is None or float(bound) <= float(best) + 1e-9 * max(1, float(best)), "bound", "%s, but a rule of %s exists" % (bound, float(best)))
        if "plain" not in self.options:
            expect(float(objective) >= float(best) - 1e-9 * max(1, float(best)), "objective", "%s below the least of all rules %s" % (objective, float(best)))
        if self.is_to_be_proven():
            expect(status == "optimal", "status", "%s though --prove was given and no limit" % status)

    def check_pool(self):
        """From a pool nothing better comes than its best choice."""
        if "pool" not in self.options or self.optimum == "unknown" or self.problem.penalty:
            return
        p = self.problem
        pool = json.load(open(self.tool.path("pool.json")))
        seen = Seen(p, pool["clauses"])
        clauses = [(cover & p.cases, cover & p.controls, size) for cover, size in zip(seen.covers, seen.sizes)]
        try:
            best = p.optimum(clauses=clauses)
        except TooLarge:
            return
        expect(best is not None and float(self.answer["objective"]) >= float(best) - 1e-9, "pool",
               "objective %s, but the best choice from the pool has %s" % (self.answer["objective"], best and float(best)))

    # ---- lists ----

    def key_of(self, literals):
        return frozenset((l.column.name, l.mask(self.problem.rows)) for l in literals)

    def check_lists(self):
        if "all-optimal" not in self.options and "within" not in self.options:
            return
        p, rules = self.problem, self.answer.get("rules")
        if rules is None or self.optimum == "unknown" or self.answer["status"] != "optimal":
            return
        most = self.optimum * (1 + Fraction(self.options.get("within", "0")))
        last, met = None, []
        for entry in rules:
            seen = Seen(p, entry["clauses"], is_mirrored=p.is_cnf)
            check_scope(p, seen, "a rule of the list")
            check_limits(p, seen, "a rule of the list")
            own = p.objective(seen.covers, seen.sizes)
            expect(same(entry["objective"], own), "list", "objective %s, own %s" % (entry["objective"], float(own)))
            expect(own <= most, "list", "a rule of objective %s where %s is the most" % (float(own), float(most)))
            expect(last is None or own >= last, "list", "not in order")
            rule = tuple((cover, tuple(found)) for cover, found in zip(seen.covers, seen.literals))
            expect(p.is_tight(rule, own), "list", "a rule with a part that can be dropped: %s" % entry["clauses"])
            last = own
            met.append(frozenset(self.key_of(found) for found in seen.literals))
        if not self.answer.get("rules_complete"):
            expect("work-limit" in self.options or "time-limit" in self.options or len(rules) >= int(self.options.get("all-optimal", "0")),
                   "list", "neither complete nor full")
            return
        try:
            own = {frozenset(self.key_of(c[1]) for c in rule) for rule in p.tight_rules(most)}
        except TooLarge:
            return
        expect(own == set(met) or not own - set(met), "list", "said to be complete, but %d rules are not in it" % len(own - set(met)))

    # ---- other commands and files ----

    def check_outside(self):
        self.check_predictions()
        self.check_export()
        if "certificate" in self.options:
            self.check_certificate()
        if "permutations" in self.options:
            n, p_value = self.answer["permutations"], self.answer["p_value"]
            expect(p_value is None if not n else 1 / (n + 1) - 1e-9 <= p_value <= 1, "p-value", "%s of %s permutations" % (p_value, n))
        if "resume" in self.options and not any(name in self.options for name in LIMITS + ("paper-seconds",)):
            expect(read(self.tool, "r0.json") == read(self.tool, "rule.json"), "resume", "another rule than without")
        if "checkpoint" in self.options:
            self.check_foreign()
        for name, path in (("report", "page.html"), ("save-pool", "saved.json"), ("checkpoint", "run.ck")):
            if name in self.options:
                expect(os.path.exists(self.tool.path(path)), "file", "%s was not written" % path)

    def check_foreign(self):
        """The checkpoint of this job is of no other one."""
        o = dict(self.setting.options)
        choices = {"K": str(int(o["K"]) + 1), "M": str(int(o["M"]) + 1), "negations": True, "weights": "unit", "penalty": "0.07", "max-literals": "7",
                   "min-sensitivity": "0.05", "loss": "hamming", "budgets": "0.35", "seed": "99", "effort": "quick", "prove": True, "cnf": True}
        if "weight-column" in o:
            del choices["weights"]  # unit is what they are then
        name = self.rng.choice(sorted(name for name in choices if name in "KM" or name not in o))
        words = self.setting.arguments(without=("checkpoint", "resume", "certificate", "save-pool", "report", name), more=["--resume", "run.ck", "--quiet"])
        code, _, err = self.tool.run(words + Setting.words(name, choices[name]))
        expect(code in (2, 3) and err.strip(), "resume", "the checkpoint of a job without this %s %s is accepted" % (name, choices[name]))

    def all_rows(self):
        return range(len(self.case["labels"]))

    def check_predictions(self):
        p, tool, data, reading = self.problem, self.tool, self.setting.data, self.setting.reading
        rows = self.all_rows()
        union = Seen(p, self.rule["clauses"], self.rule, rows).union
        code, found, err = tool.json(["predict", "rule.json", data] + reading)
        expect(code == 0, "predict", "exit code %d: %s" % (code, err.strip()))
        found = found["samples"] if isinstance(found, dict) else found
        expect(len(found) == len(rows), "predict", "%d rows" % len(found))
        for bit, row in enumerate(found):
            says = self.rule["positive"] if union >> bit & 1 else self.rule["negative"]
            expect(row["predicted"] == says, "predict", "sample %d is %s, own %s" % (bit + 1, row["predicted"], says))
        code, found, err = tool.json(["evaluate", "rule.json", data] + reading)
        expect(code == 0, "evaluate", "exit code %d: %s" % (code, err.strip()))
        counts = {"tp": 0, "fp": 0, "tn": 0, "fn": 0}
        for bit, i in enumerate(rows):
            is_case = p.is_case[i] != p.is_cnf
            says = union >> bit & 1
            counts[("tp" if says else "fn") if is_case else ("fp" if says else "tn")] += 1
        if reading and ("--positive" in reading or "--vs-rest" in reading) and p.is_cnf:
            return  # the word on the command line stands over the rule's own
        expect(found["confusion"] == counts, "evaluate", "%s, own %s" % (found["confusion"], counts))

    def check_export(self):
        """Python often, SQL and C now and then."""
        p, n = self.problem, len(self.case["labels"])
        union = Seen(p, self.rule["clauses"], self.rule, range(n)).union
        own = [union >> bit & 1 for bit in range(n)]
        for language, share in (("python", 0.5), ("sql", 0.1), ("c", 0.03)):
            if self.rng.random() > share:
                continue
            code, text, err = self.tool.run(["export", "rule.json", "--to", language])
            expect(code == 0, "export", "%s: %s" % (language, err.strip()))
            if language == "c":
                said = exports.c_says(text, p, n, self.tool.folder)
            else:
                said = {"python": exports.python_says, "sql": exports.sql_says}[language](text, p, n)
            expect(said is None or said == own, "export", "%s says %s, own %s" % (language, said, own))

    def check_certificate(self):
        tool, path = self.tool, self.tool.path("proof.txt")
        if self.answer["status"] != "optimal":
            expect(not os.path.exists(path), "certificate", "written though nothing is proven")
            return
        if not os.path.exists(path):
            expect(any(n in self.options for n in LIMITS), "certificate", "none though the rule is proven")
            return
        words = ["verify", "rule.json", self.setting.data, "--certificate"] + []
        reading = [w for n in ("delimiter", "no-header", "na") if n in self.setting.options for w in Setting.words(n, self.options[n])]
        code, found, err = tool.json(words + ["proof.txt"] + reading)
        expect(code == 0 and found["status"] == "valid", "certificate", "verify: exit code %d, %s %s" % (code, (found or {}).get("reason"), err.strip()))
        if "scope" in found and "scope" in self.answer:
            expect(found["scope"] == self.answer["scope"], "certificate", "verify names another scope: %s" % found["scope"])
        self.check_forged(words, reading)

    def check_forged(self, words, reading):
        text, sign = read(self.tool, "proof.txt"), forge.signer()
        at = self.rng.randrange(len(text))
        other = self.rng.choice([c for c in "0123456789ab \n" if c != text[at]])
        forged = [(text[:at] + other + text[at + 1:], True)]  # the checksum does not fit
        forged += [forge.forge(self.rng, text, sign) for _ in range(2)] if sign else []
        for made in forged:
            if made is None:
                continue
            with open(self.tool.path("forged.txt"), "w") as file:
                file.write(made[0])
            code, out, err = self.tool.run(words + ["forged.txt", "--json"] + reading)
            expect(code != 0 or not made[1], "certificate", "forged.txt is accepted")


def prepare_files(tool, setting):
    """Files that options name are made by a run before."""
    o = setting.options
    base = ["fit", setting.data] + [w for n, v in o.items() if n in READING + ("type", "types", "ignore", "only", "forbid", "cuts", "missing",
                                    "weight-column", "negations", "M", "weights", "cnf", "test", "seed") and setting.case["command"] != "cv" for w in Setting.words(n, v)]
    if setting.case["command"] == "cv":
        base = ["fit", setting.data] + [w for n, v in o.items() if n in READING + ("type", "types", "ignore", "only", "forbid", "cuts", "missing",
                                        "negations") for w in Setting.words(n, v)]
    if "pool" in o:
        code, _, err = tool.run(base + ["-K", "2", "--save-pool", "pool.json", "--quiet", "--threads", "1"])
        if code:
            return code, err
    if "start" in o:
        code, _, err = tool.run(base + ["-K", "1", "--effort", "quick", "-o", "start.json", "--quiet", "--threads", "1"])
        if code:
            return code, err
    if "resume" in o:
        more = ["--checkpoint", "before.ck", "--quiet"] + (["-o", "r0.json"] if setting.case["command"] == "fit" else [])
        code, _, err = tool.run(setting.arguments(without=("resume", "checkpoint", "certificate", "save-pool", "report"), more=more))
        if code not in (0, 4):
            return code, err
    return None


def clean(tool):
    for name in os.listdir(tool.folder):
        path = tool.path(name)
        if os.path.isfile(path) and not name.startswith("case"):
            os.unlink(path)


def without_run(answer):
    return {key: value for key, value in answer.items() if key != "run"}


def read(tool, name):
    path = tool.path(name)
    return open(path).read() if os.path.exists(path) else None


def plain_rule(text):
    """A rule file but for what says how the file was read, which a packed one holds itself."""
    return text and re.sub('"(types|na)": .*', "", text)


def compare_runs(tool, setting, first, rule, more, what, output):
    for name in ("rule.json", "proof.txt"):
        if os.path.exists(tool.path(name)):
            os.rename(tool.path(name), tool.path("first-" + name))
    code, answer, err = tool.json(setting.arguments(without=("threads",), more=output + more))
    expect(answer is not None, what, "exit code %d: %s" % (code, err.strip()))
    a, b = without_run(first), without_run(answer)
    differ = [key for key in a if a[key] != b.get(key)]
    if "scope" in differ and what == "format":
        differ.remove("scope")
    expect(not differ, what, "%s differ: %s and %s" % (differ, *([x.get(differ[0]) for x in (a, b)] if differ else ("", ""))))
    expect(plain_rule(rule) == plain_rule(read(tool, "rule.json")), what, "the rule files differ")
    for name in ("rule.json", "proof.txt"):
        if os.path.exists(tool.path("first-" + name)):
            os.rename(tool.path("first-" + name), tool.path(name))


def other_format(case, rng):
    forms = ["csv", "tsv", "arff", "irb"] + (["svm"] if tables.can_be_svm(case) else [])
    if any(n in case["options"] for n in ("delimiter", "no-header", "na")):
        forms = ["csv", "irb"]
    if case["options"].get("delimiter") not in (None, "comma"):
        forms = ["irb"]
    if "target" in case["options"] or "vs-rest" in case["options"]:
        forms = [form for form in forms if form in ("csv", "tsv", "irb")]
    return rng.choice([form for form in forms if form not in [case["format"]] + case.get("without", [])] or [None])


# ---- the other commands ------------------------------------------------------------------------------------

def check_curve(case, answer, code):
    p = Problem(case)
    p.penalty = 0
    expect(code in (0, 4), "exit code", str(code))
    try:
        p.hamming = False
        points = p.front()
    except TooLarge:
        points = None
    for point in answer.get("tradeoff", []):
        check_point(p, point, points, answer)
    for name in ("literals", "clauses"):
        check_sizes(p, answer.get(name) or [], name, points is not None)
    check_whole(p, answer, points)
    return answer["status"]


def check_whole(p, answer, points):
    """The area under the points, and that none is missing if nothing may be."""
    line = [(0.0, 0.0)] + sorted((1 - a["specificity"], a["sensitivity"]) for a in answer.get("tradeoff", [])) + [(1.0, 1.0)]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(line, line[1:]))
    if len(line) > 2 and answer.get("area") is not None:
        expect(same(answer["area"], area), "curve", "area %s, own %s" % (answer["area"], area))
    if points is None or answer["status"] != "optimal" or answer.get("threshold") != 0:
        return
    front = {(a, b) for a, b in points if not any((x > a and y <= b) or (x >= a and y < b) for x, y in points)}
    found = {(round(a["sensitivity"] * float(p.n1), 6), round((1 - a["specificity"]) * float(p.n0), 6)) for a in answer["tradeoff"]}
    missing = [(a, b) for a, b in front if (round(float(a), 6), round(float(b), 6)) not in found]
    expect(not missing, "curve", "optimal, but %d points are missing, as %s" % (len(missing), ["%s, %s" % m for m in missing[:1]]))


def seen_point(p, point):
    seen = Seen(p, point["clauses"])
    check_scope(p, seen, "a point")
    check_limits(p, seen, "a point")
    tp, fp = p.sum(seen.union & p.cases), p.sum(seen.union & p.controls)
    expect(same(point["sensitivity"], tp / p.n1) and same(point["specificity"], 1 - fp / p.n0), "point",
           "sensitivity %s and specificity %s, own %s and %s" % (point["sensitivity"], point["specificity"], float(tp / p.n1), float(1 - fp / p.n0)))
    expect(point["literals"] == sum(seen.sizes), "point", "%s literals" % point["literals"])
    own = 1 - (p.w1 * (p.n1 - tp) + p.w0 * fp) / p.total
    expect(same(point["accuracy"], own), "point", "accuracy %s, own %s" % (point["accuracy"], float(own)))
    return seen, tp, fp


def check_point(p, point, points, answer):
    seen, tp, fp = seen_point(p, point)
    for k in range(len(seen.covers)):
        rest = 0
        for i, cover in enumerate(seen.covers):
            rest |= cover if i != k else 0
        expect(rest != seen.union, "point", "a clause adds nothing: %s" % point["clauses"])
    if points is None:
        return
    for a, b in points:
        better = (a > tp and b <= fp) or (a >= tp and b < fp)
        expect(not (better and point["status"] == "optimal"), "curve", "an optimal point (%s, %s) is dominated by (%s, %s)" % (tp, fp, a, b))
        if answer.get("proven_for") != "pool":
            if b <= fp and point.get("sensitivity_bound") is not None:
                expect(float(a / p.n1) <= point["sensitivity_bound"] + 1e-9, "curve", "sensitivity bound %s, but %s exists" % (point["sensitivity_bound"], float(a / p.n1)))
            if a >= tp and point.get("specificity_bound") is not None:
                expect(float(1 - b / p.n0) <= point["specificity_bound"] + 1e-9, "curve", "specificity bound %s, but %s exists" % (point["specificity_bound"], float(1 - b / p.n0)))


def check_sizes(p, points, by, is_small):
    if not is_small:
        return
    levels = p.rules() if points else []
    for point in points:
        seen, tp, fp = seen_point(p, point)
        if point["status"] != "optimal":
            continue
        size = sum(seen.sizes) if by == "literals" else len(seen.sizes)
        best = None
        for k, level in enumerate(levels):
            for (cover, _), literals in level.items():
                if (literals if by == "literals" else k) <= size and literals <= p.max_literals and p.is_within(cover):
                    loss = p.loss(cover)
                    best = loss if best is None or loss < best else best
        own = p.w1 * (p.n1 - tp) + p.w0 * fp
        expect(best == own, "curve", "the best of %d %s has loss %s, the optimal point %s" % (size, by, best and float(best), float(own)))


def check_clause(case, answer, code):
    p = Problem(case)
    o = case["options"]
    n0 = p.controls.bit_count()
    budget = int(o["budget-count"]) if "budget-count" in o else int(Fraction(o.get("budget", "0")) * n0)
    try:
        best = p.best_clause(budget)
    except TooLarge:
        return answer["status"]
    status = answer["status"]
    if best is None:
        expect(not answer["clause"], "clause", "%s though none covers a case within the budget" % answer["clause"])
        if status not in ("limit", "feasible"):
            expect(status == "infeasible" and code == 4, "clause", "status %s, exit code %d, none exists" % (status, code))
        return status
    expect(status != "infeasible", "clause", "infeasible, but one covers %d cases" % best)
    expect(answer["bound"] >= best, "clause", "bound %s, but %d exists" % (answer["bound"], best))
    if answer["clause"]:
        expect(code == 0, "exit code", str(code))
        seen = Seen(p, [answer["clause"]])
        check_scope(p, seen, "the clause")
        tp, fp = (seen.union & p.cases).bit_count(), (seen.union & p.controls).bit_count()
        expect((answer["tp"], answer["fp"]) == (tp, fp), "clause", "tp %s fp %s, own %d %d" % (answer["tp"], answer["fp"], tp, fp))
        expect(answer["fp"] <= budget, "clause", "%d controls, %d are allowed" % (answer["fp"], budget))
        expect(answer["objective"] == answer["tp"] <= best, "clause", "objective %s" % answer["objective"])
    if status == "optimal":
        expect(answer["objective"] == best == answer["bound"], "clause", "optimal with %s, but %d exists" % (answer["objective"], best))
    if "prove" in o and not any(n in o for n in LIMITS):
        expect(status == "optimal", "clause", "%s though --prove was given" % status)
    return status


def check_cv(case, answer, code):
    expect(code in (0, 4), "exit code", str(code))
    rows = answer["table"]
    measure, by_weight = answer.get("chosen_by", "balanced_accuracy"), answer.get("chosen_by")
    for row in rows:
        for name in ("accuracy", "balanced_accuracy", "sensitivity", "specificity"):
            expect(row[name] is None or -1e-12 <= row[name] <= 1 + 1e-12, "cv", "%s is %s" % (name, row[name]))
    done = [row for row in rows if row["folds"]]
    if not done:
        return answer["status"]
    best = max(row[measure] for row in done if row[measure] is not None)
    expect(same(answer["best"][measure], best), "cv", "best is %s, the greatest is %s" % (answer["best"][measure], best))
    chosen = [row for row in rows if all(row[k] == answer[k] for k in ("K", "M", "penalty"))]
    expect(len(chosen) == 1 and chosen[0][measure] == answer[measure], "cv", "the chosen row is not in the table")
    if answer["choose"] == "best":
        expect(same(answer[measure], best), "cv", "the chosen row is not the best")
    else:
        expect(answer[measure] >= best - (answer["best"].get(measure + "_se") or 0) - 1e-9, "cv", "the chosen row is not within one standard error")
    return answer["status"]


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
    if case["command"] == "cv":
        words += ["fold", "class"]
    if "test" in o:
        words += ["hold-out", "no column", "held out"]
    return any(word in sentence for word in words)


def settle(tool, case, rng, outcome):
    """Runs the command, dropping options that are refused, until it is accepted. None: bad input, as it has to be."""
    output = ["-o", "rule.json"] if case["command"] == "fit" else []
    for _ in range(12):
        clean(tool)
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
    try:
        Problem(case)
    except BadInput:
        return "bad input"
    expect(is_allowed_bad_input(case, err), "bad input", "a good table is refused: %s" % err.strip())
    return "bad input"


def judge(tool, case, setting, answer, code, rng):
    try:
        Problem(case)
    except BadInput as why:
        if "test" not in case["options"] and (case["command"] in ("fit", "curve") or "forbidden" in str(why)):
            raise Finding("bad input", "an answer though there is %s" % why)
        if case["command"] != "cv":
            return answer["status"]
    command, output = case["command"], ["-o", "rule.json"] if case["command"] == "fit" else []
    if command == "fit":
        status = Fit(tool, case, setting, answer, code, rng).check()
    else:
        status = {"curve": check_curve, "clause": check_clause, "cv": check_cv}[command](case, answer, code)
    is_timed = "time-limit" in case["options"] or "paper-seconds" in case["options"]
    rule = read(tool, "rule.json")
    if not is_timed and rng.random() < 0.4:
        compare_runs(tool, setting, answer, rule, ["--threads", "2"], "threads", output)
    if not is_timed and rng.random() < 0.4 and not set(case["options"]) & {"resume", "pool", "start", "work-limit"}:
        form = other_format(case, rng)
        if form:
            other = Setting(tool, case, form)
            expect(other.refusal is None, "convert", str(other.refusal))
            compare_runs(tool, other, answer, rule, ["--threads", "1"], "format", output)
    return status
