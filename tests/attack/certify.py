"""Certificates under attack: random small tables and mixes of options, proven, certified and checked by `ireland verify`
and by ireland-check; then forged ones, signed anew, whose claim is false since a better rule is at hand.

    python3 tests/attack/certify.py [--cases N] [--seed SEED] [--first I] [--ireland PATH] [--veripb COMMAND --format 1|3]

A forged certificate names a worse rule with its true loss, and a proof that is the true one of the better rule, a damaged
one, or one drawn by lot. With --veripb proofs are written for that checker too; in the damaged ones the solution is a worse one. Whoever accepts one has a bug. The exit code is 1 if somebody did, or refused a true one.
"""
import argparse
import collections
import contextlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "src", "python"))
import forge  # noqa: E402
import ireland_check  # noqa: E402
import ireland_veripb  # noqa: E402
import mixes  # noqa: E402
from judge import Outcome, settle  # noqa: E402
from tool import Setting, Tool, Finding, is_sound, normalise  # noqa: E402

KEPT = ("K", "M", "negations", "weights", "penalty", "loss", "max-literals", "min-sensitivity", "min-specificity", "cnf", "missing", "cuts",
        "forbid", "only", "ignore", "weight-column", "type", "types", "target", "positive", "vs-rest", "na", "delimiter", "no-header", "seed")
READING = ("delimiter", "no-header", "na", "type", "types")


def draw(seed, index):
    """A fit that is to be proven, with the options that a scope has."""
    rng = random.Random("%s/certify/%d" % (seed, index))
    names = rng.sample([n for n in KEPT if n not in ("K", "M", "types")], rng.randrange(0, 5))
    case = mixes.draw_case(seed, index, [("fit", a, b) for a, b in zip(names[::2] or ["K"], names[1::2] or ["M"])])
    options = {n: v for n, v in case["options"].items() if n in KEPT}
    for name in names:
        if name not in options and name not in ("only", "ignore", "forbid", "type", "types", "weight-column", "vs-rest", "target", "positive", "na", "no-header"):
            options[name] = mixes.draw_value(rng, name, "fit")
    options.update({"prove": True, "certificate": True})
    if options.get("loss") == "hamming" and rng.random() < 0.5:
        options.pop("min-sensitivity", None)
    form = case["format"] if case["format"] in ("csv", "tsv") else "csv"
    return dict(case, command="fit", options=options, format=form, seed=rng.randrange(1 << 30)), rng


def check(tool, setting, rule, certificate, run=ireland_check.check, **more):
    """ireland-check, or ireland-veripb, in this process: its exit code and its words."""
    options = setting.options
    delimiter = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}.get(options.get("delimiter"))
    arguments = argparse.Namespace(rule=tool.path(rule), data=tool.path(setting.data), certificate=tool.path(certificate), delimiter=delimiter,
                                   na=options.get("na"), no_header="no-header" in options, time_limit=60, quiet=True, **more)
    words = io.StringIO()
    with contextlib.redirect_stdout(words):
        code = run(arguments)
    return code, words.getvalue().strip()


def verify(tool, setting, rule, certificate):
    reading = [w for n in READING if n in setting.options for w in Setting.words(n, setting.options[n])]
    code, out, err = tool.run(["verify", rule, setting.data, "--certificate", certificate] + reading)
    return code, (out + err).strip()


# ---- false claims -----------------------------------------------------------------------------------------------------

def name_rule(rule, features, clauses, snps):
    """The file of a rule with these clauses, of numbers as in the certificate."""
    literals, named = {}, []
    for clause in clauses:
        named.append([])
        for word in clause.split(" "):
            entry = features[int(word.lstrip("!")) - 1]
            is_negated = word[0] == "!"
            if isinstance(entry, str):
                named[-1].append("!" * is_negated + entry)
            elif entry["is"] in ("is 0", "is 1") and "missing" not in entry:
                named[-1].append("!" * (is_negated != (entry["is"] == "is 0")) + entry["column"])
            else:
                value = entry.get("value")
                name = "%s %s %s" % (entry["column"], entry["is"], value if isinstance(value, str) else "%.15g" % (value or 0))
                if entry["is"] in ("is 0", "is 1"):
                    name = "!" * (entry["is"] == "is 0") + entry["column"]
                elif entry["is"] in ("<=", ">") and snps and entry["column"] in snps:
                    name = "!" * (entry["is"] == "<=") + entry["column"] + (":dom" if value == 0.5 else ":rec")
                literals[name] = dict(entry, name=name)
                named[-1].append(name)
    names = sorted({name for clause in named for name in clause})
    return dict(rule, features=names, literals=list(literals.values()), clauses=named)


def worse_clauses(rng, clauses, n_features, K, M, negations):
    clauses = [c.split(" ") for c in clauses]
    for _ in range(rng.randrange(1, 3)):
        kind = rng.randrange(4)
        if clauses and kind == 0:
            clauses.pop(rng.randrange(len(clauses)))
        elif len(clauses) < K and kind == 1:
            clauses.append([str(rng.randrange(1, n_features + 1))])
        elif clauses:
            clause = rng.choice(clauses)
            other = "!" * (negations and rng.random() < 0.4) + str(rng.randrange(1, n_features + 1))
            if kind == 2 and len(clause) < M:
                clause.append(other)
            else:
                clause[rng.randrange(len(clause))] = other
    number = lambda word: int(word.lstrip("!"))
    found = []
    for clause in clauses:
        one = {number(word): word for word in clause}
        found.append(" ".join(one[key] for key in sorted(one)))
    return found


def draw_set(rng, n, share):
    digits = ""
    for i in range(0, n, 4):
        digits += "%x" % sum((rng.random() < share) << k for k in range(min(4, n - i)))
    return digits


def draw_proof(rng, lines, n_cases, n_features, K, M, best):
    """A proof as lines: the true one of the better rule, that one damaged, or one by lot."""
    kind = rng.randrange(8)
    if kind < 2:
        return list(lines)
    if kind < 4:
        lines = list(lines)
        for _ in range(rng.randrange(1, 4)):
            if lines:
                lines = forge.change(rng, lines)
        return lines
    if kind == 4:
        return ["0 list"] if rng.random() < 0.3 else ["0 branch %s 0" % rng.choice(["value", "cover"])]
    if kind == 5:
        return ["0 list %d %s" % (rng.choice([0, best, best // 2, 3 * best + 5, rng.randrange(1, 2 + 4 * best), 10 ** 16]), draw_set(rng, n_cases, rng.random()))]
    if kind == 6:
        return ["0 kept %d %s" % (rng.randrange(1, n_cases + 2), draw_set(rng, n_cases, rng.choice([1, rng.random()])))]

    def tree(depth):
        n = rng.choice([0, 0, 1, 2, 3]) if depth + 1 < K else 0
        clause = " ".join(str(x) for x in sorted(rng.sample(range(1, n_features + 1), min(n_features, rng.randrange(1, M + 1)))))
        own = "%d %s" % (depth, clause + " " if depth else "")
        if not n and rng.random() < 0.3:
            return [own + "list"]
        return [own + "branch %s %d" % (rng.choice(["value", "cover"]), n)] + [line for _ in range(n) for line in tree(depth + 1)]
    return tree(0)


def attack(tool, setting, rng, n_forged, counts):
    """Forged certificates for worse rules; a finding if one is accepted."""
    sign = forge.signer()
    lines = open(tool.path("proof.txt")).read().rstrip("\n").split("\n")
    rule = json.load(open(tool.path("rule.json")))
    sizes, limits, loss = (re.findall(r"\d+", lines[i][22 if i == 2 else 0:]) for i in (2, 4, 5))
    features, best = json.loads(lines[3][9:]), int(loss[-1])
    n_cases, K, M, negations = int(sizes[1]), int(limits[0]), int(limits[1]), limits[2] == "1"
    snps = [item.split("=")[0] for n in ("type", "types") if n in setting.case["options"]
            for item in setting.case["options"][n].split(",") if item.endswith("=snp")]
    n_clauses = int(lines[7].split()[1])
    clauses, proof = [line[7:] for line in lines[8:8 + n_clauses]], lines[8 + n_clauses:-1]

    def write(clauses, loss, proof):
        head = lines[:5] + [re.sub(r"best \d+", "best %d" % loss, lines[5]), lines[6], "rule %d" % len(clauses)]
        if rng.random() < 0.2:
            head[6] = rng.choice(["samples plain", "samples merged"])
        text = "\n".join(head + ["clause " + c for c in clauses] + proof) + "\n"
        with open(tool.path("forged.txt"), "w") as file:
            file.write(text + "end %d %s\n" % (len(proof), sign(text) if sign else "0" * 16))
        with open(tool.path("worse.json"), "w") as file:
            json.dump(name_rule(rule, features, clauses, snps), file)

    for _ in range(n_forged):
        worse = worse_clauses(rng, clauses, len(features), K, M, negations)
        write(worse, 0 if best else 1, proof)
        code, words = check(tool, setting, "worse.json", "forged.txt")
        match = re.search(r"the rule has loss (\d+)", words)
        counts["tried"] += 1
        if not match or int(match[1]) <= best:
            continue
        write(worse, int(match[1]), ["0 list"])
        if "not within the limits" in check(tool, setting, "worse.json", "forged.txt")[1]:
            continue
        write(worse, int(match[1]), draw_proof(rng, proof, n_cases, len(features), K, M, int(match[1])))
        counts["forged"] += 1
        for name, judge in (("ireland-check", check), ("verify", verify) if sign else ("ireland-check", check)):
            code, words = judge(tool, setting, "worse.json", "forged.txt")
            counts["%s %s" % (name, {0: "ACCEPTED", 3: "refused", 4: "not checked"}.get(code, "code %d" % code))] += 1
            reason = re.sub(r"[^:]*forged.txt:\d+: *", "", words.split("\n")[0])
            counts["reason: %s: %s" % (name, re.sub(r"\d+|'.*'|\(.*\)", "#", reason)[:60])] += 1
            if code == 0:
                raise Finding("ACCEPTED", "%s accepts a false claim: %s" % (name, words))


def attack_proof(tool, setting, rng, options, counts):
    """A proof for VeriPB: accepted; with a worse solution, and perhaps other damage, refused."""
    code, words = check(tool, setting, "rule.json", "proof.txt", ireland_veripb.write, output=tool.path("q"), format=options.format, max_mb=20)
    counts["veripb: %s" % {0: "written", 3: "other loss or limits", 4: "too large"}[code]] += 1
    if code:
        return
    run = lambda proof: subprocess.run([options.veripb, tool.path("q.opb"), tool.path(proof)], capture_output=True, text=True, timeout=300)
    done = run("q.pbp")
    if done.returncode:
        raise Finding("veripb", "it refuses a true proof: %s" % (done.stdout + done.stderr)[-300:])
    lines = open(tool.path("q.pbp")).read().split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"(@c\d+ )?(o|soli) ", line))
    zero = lambda word: re.sub(r"^~?(p\d+_\d+_0|e\d+)$", r"\1", re.sub(r"^~?([tpf]\d)", r"~\1", word)) if not re.match(r"~?(p\d+_\d+_0|e\d+)$", word) else word.lstrip("~")
    worse = " ".join(zero(word) if word[-1] != ";" and word[0] in "~tpfe" else word for word in lines[at].split(" "))
    if worse == lines[at] or re.findall(r"(?<!~)e\d+", lines[at]) == re.findall(r"e\d+", worse):
        return  # the best rule has no clauses
    lines[at] = worse
    for _ in range(rng.randrange(3)):
        i = rng.randrange(at + 1, len(lines) - 1)
        lines = forge.change_number(rng, lines, i) if rng.random() < 0.5 else lines[:i] + lines[i + 1:]
    with open(tool.path("worse.pbp"), "w") as file:
        file.write("\n".join(lines))
    counts["veripb: damaged"] += 1
    if not run("worse.pbp").returncode:
        raise Finding("ACCEPTED", "VeriPB accepts a false proof")


def run_case(seed, index, options, folder, counts):
    case, rng = draw(seed, index)
    case = normalise(case)
    if not is_sound(case):
        counts["not sound"] += 1
        return
    tool = Tool(options.ireland, folder)
    case, setting, code, answer, err = settle(tool, case, rng, Outcome())
    if setting is None or answer is None or not os.path.exists(tool.path("proof.txt")):
        counts["no certificate (code %d)" % code] += 1
        return
    counts["certificates"] += 1
    lines = open(tool.path("proof.txt")).read().split("\n")
    counts["nodes: " + " ".join(w for w in lines[8 + int(lines[7].split()[1])].split(" ")[1:3] if not w[0].isdigit())] += 1
    for name in ("cnf", "penalty", "loss", "max-literals", "min-sensitivity", "min-specificity", "weight-column", "negations", "missing", "cuts"):
        counts["with " + name] += name in case["options"]
    counts["merged"] += lines[6] == "samples merged"
    ireland_check.FEW = rng.choice([0, 50])
    for name, judge in (("verify", verify), ("ireland-check", check)):
        code, words = judge(tool, setting, "rule.json", "proof.txt")
        if code:
            raise Finding("refused", "%s refuses a true one: %s" % (name, words))
    attack(tool, setting, rng, options.forged, counts)
    if options.veripb:
        attack_proof(tool, setting, rng, options, counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--veripb")
    parser.add_argument("--format", type=int, default=3)
    parser.add_argument("--forged", type=int, default=3)
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--ireland", default=os.environ.get("IRELAND", os.path.join(TOP, "ireland")))
    options = parser.parse_args()
    options.ireland = os.path.abspath(options.ireland)
    counts, failed = collections.Counter(), 0
    print("certify: seed %s" % options.seed, flush=True)
    for index in range(options.first, options.first + options.cases):
        with tempfile.TemporaryDirectory() as folder:
            try:
                run_case(options.seed, index, options, folder, counts)
            except Finding as finding:
                failed += 1
                kept = os.path.join(TOP, "build", "certify", options.seed, str(index))
                os.makedirs(os.path.dirname(kept), exist_ok=True)
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                print("FAIL %d: %s\n  %s" % (index, finding, kept), flush=True)
    for name, n in sorted(counts.items()):
        print("%8d %s" % (n, name))
    print("certify: %d certificates, %d forged, %d failed (seed %s)" % (counts["certificates"], counts["forged"], failed, options.seed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
