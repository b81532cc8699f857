"""All that `fit` says and writes, against the attack's own answer."""
import json
import os
from fractions import Fraction

import exports
import forge
import grouping
import mixes
import twin
from brute import Problem, TooLarge
from rules import Seen, check_limits, check_scope, confusion
from tool import LIMITS, Setting, expect, read, same


class Fit:
    def __init__(self, tool, case, setting, answer, code, rng):
        self.tool, self.case, self.setting, self.answer, self.code, self.rng = tool, case, setting, answer, code, rng
        self.options = case["options"]
        self.problem = Problem(case)
        self.rule = json.load(open(tool.path("rule.json"))) if os.path.exists(tool.path("rule.json")) else None
        self.optimum = self.find_optimum()

    def is_planted(self):
        """Is there a rule without errors in the scope, which the table was made by?"""
        case, o = self.case, self.options
        if "planted" not in case or "negations" not in o or int(o.get("K", 0)) < len(case["planted"]) or int(o.get("M", 0)) < 5:
            return False
        if set(o) - {"K", "M", "negations", "method", "weights", "prove", "certificate", "threads"}:
            return False
        return mixes.planted_labels(case) == [label == case["positive"] for label in case["labels"]]

    def find_optimum(self):
        if self.is_planted():
            return Fraction(0)
        if "test" in self.options or len(self.problem.rows) > 40:
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
        if self.is_to_be_proven() and "test" not in self.options and (self.optimum == "unknown" or self.rng.random() < 0.1):
            twin.check(self)
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
        self.check_count()
        grouping.check_validation(self.case, self.answer, len(self.problem.rows))
        self.check_outside()
        return status

    def is_to_be_proven(self):
        o = self.options
        return ("prove" in o and o.get("method", "ireland") == "ireland" and not any(n in o for n in LIMITS) and "pool" not in o and
                o.get("effort") != "quick" and o.get("profile") != "paper" and "resume" not in o)

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
               "negations": "negations" in o, "het": "het" in o, "missing": o.get("missing", "false"), "literals": p.n_coded, "samples": len(p.rows),
               "min_sensitivity": float(o.get("min-sensitivity", 0)), "min_specificity": float(o.get("min-specificity", 0)),
               "max_literals": int(o["max-literals"]) if "max-literals" in o else None, "penalty": float(o.get("penalty", 0)),
               "weight_column": o.get("weight-column")}
        own.update({"strata": o.get("strata"), "rounded_to": p.rounded_to or 0})
        if "pool" in o:
            del own["M"], own["negations"]
        expect(bool(scope["one_per"]) == any(literal.column.name in p.group_of for literal in p.literals), "scope", "one_per is %s" % scope["one_per"])
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

    def check_count(self):
        """--count-within: all sets of clauses, superfluous ones too, and how many have each literal."""
        found = self.answer.get("within_count")
        if "count-within" not in self.options or self.answer["status"] != "optimal" or self.optimum == "unknown":
            return
        expect(found, "count", "nothing is counted")
        if not found["complete"]:
            return
        try:
            n, shares = self.problem.count_rules(self.optimum * (1 + Fraction(self.options.get("within", "0"))))
        except TooLarge:
            return
        expect(found["rules"] == n, "count", "%s rules, own count %d" % (found["rules"], n))
        said = sorted(row["rules"] for row in found["literal_shares"])
        expect(said == sorted(shares.values()), "count", "shares of literals %s, own %s" % (said, sorted(shares.values())))

    # ---- other commands and files ----

    def check_outside(self):
        self.check_predictions()
        self.check_export()
        if "certificate" in self.options:
            self.check_certificate()
        if "permutations" in self.options:
            n, p_value = self.answer["permutations"], self.answer["p_value"]
            expect(p_value is None if not n else 1 / (n + 1) - 1e-9 <= p_value <= 1, "p-value", "%s of %s permutations" % (p_value, n))
        if "resume" in self.options and "test" not in self.options and os.path.exists(self.tool.path("r0.json")):
            before = json.load(open(self.tool.path("r0.json")))
            seen = Seen(self.problem, before["clauses"], before)
            least = self.problem.objective(seen.covers, seen.sizes)
            expect(float(self.answer["objective"]) <= float(least) + 1e-9, "resume", "objective %s, but the run before had %s" % (self.answer["objective"], float(least)))
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
        if "weight-column" in o or "strata" in o:
            del choices["weights"]  # unit is what they are then
        name = self.rng.choice(sorted(name for name in choices if name in "KM" or name not in o))
        words = self.setting.arguments(without=("checkpoint", "resume", "certificate", "save-pool", "report", "time-limit", name), more=["--resume", "run.ck", "--quiet"])
        code, _, err = self.tool.run(words + Setting.words(name, choices[name]))
        expect(code in (2, 3) and err.strip(), "resume", "the checkpoint of a job without this %s %s is accepted" % (name, choices[name]))

    def all_rows(self):
        return range(len(self.case["labels"]))

    def check_predictions(self):
        p, tool, data, reading = self.problem, self.tool, self.setting.data, self.setting.reading
        rows = self.all_rows()
        union = Seen(p, self.rule["clauses"], self.rule, rows).union
        code, found, err = tool.json(["predict", "rule.json", data, "--decide"] + reading)
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
        """Python often, SQL, C and JavaScript now and then."""
        p, n = self.problem, len(self.case["labels"])
        union = Seen(p, self.rule["clauses"], self.rule, range(n)).union
        own = [union >> bit & 1 for bit in range(n)]
        for language, share in (("python", 0.5), ("sql", 0.1), ("c", 0.03), ("javascript", 0.03)):
            if self.rng.random() > share:
                continue
            code, text, err = self.tool.run(["export", "rule.json", "--to", language])
            expect(code == 0, "export", "%s: %s" % (language, err.strip()))
            if language == "c":
                said = exports.c_says(text, p, n, self.tool.folder)
            else:
                said = {"python": exports.python_says, "sql": exports.sql_says, "javascript": exports.javascript_says}[language](text, p, n)
            expect(said is None or said == own, "export", "%s says %s, own %s" % (language, said, own))

    def check_certificate(self):
        tool, path = self.tool, self.tool.path("proof.txt")
        if self.answer["status"] != "optimal":
            expect(not os.path.exists(path), "certificate", "written though nothing is proven")
            return
        if not os.path.exists(path):
            expect(any(n in self.options for n in LIMITS), "certificate", "none though the rule is proven")
            return
        words = ["verify", "rule.json", self.setting.data] + self.setting.more + ["--certificate"]
        reading = [w for n in ("delimiter", "no-header", "na", "type", "types", "het", "one-per") if n in self.setting.options for w in Setting.words(n, self.options[n])]
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
