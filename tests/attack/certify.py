"""Certificates under attack: random small tables and mixes of options, proven, certified and checked by `ireland verify`
and by ireland-check; then forged ones, signed anew, whose claim is false since a better rule is at hand.

    python3 tests/attack/certify.py [--cases N] [--seed SEED] [--first I] [--ireland PATH] [--veripb COMMAND --format 1|3 --plain]

A forged certificate names a worse rule with its true loss, and a proof that is the true one of the better rule, a damaged
one, or one drawn by lot. Or its head does not follow from scope and data: units, penalties, rounding, missing values, classes, columns. With --veripb proofs are written for that checker too; in the damaged ones the solution is a worse one. Whoever accepts one has a bug. The exit code is 1 if somebody did, or refused a true one.
"""
import argparse
import collections
import contextlib
import functools
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

KEPT = ("K", "M", "negations", "het", "weights", "penalty", "loss", "max-literals", "min-sensitivity", "min-specificity", "cnf", "missing", "cuts",
        "forbid", "only", "ignore", "weight-column", "strata", "group", "fold-column", "type", "types", "target", "positive", "vs-rest", "na", "delimiter", "no-header", "seed")
LIMITS = ("penalty", "max-literals", "min-sensitivity", "min-specificity")
READING = ("delimiter", "no-header", "na", "type", "types", "one-per")


def draw(seed, index, is_plain):
    """A fit or a curve that is to be proven, with the options that a scope has; of fits some list all rules that are as good. Plain ones are
    fits that VeriPB gets a proof of."""
    rng = random.Random("%s/certify/%d" % (seed, index))
    command = "curve" if rng.random() < 0.3 and not is_plain else "fit"
    known = [n for n in KEPT if n in mixes.KNOWN[command] and n not in ("K", "M", "types") and not (is_plain and n == "loss")]
    names = rng.sample(known, rng.randrange(0, 5))
    if is_plain:
        names += [n for n in rng.sample(LIMITS, rng.randrange(0, 3)) if n not in names]
    case = mixes.draw_case(seed, index, [(command, a, b) for a, b in zip(names[::2] or ["K"], names[1::2] or ["M"])])
    options = {n: v for n, v in case["options"].items() if n in KEPT and not (is_plain and n == "loss")}
    options.update({n: re.match(r"\d+", options[n])[0] for n in ("K", "M") if n in options})  # a range is for a tuned fit
    for name in names:
        if name not in options and name not in ("only", "ignore", "forbid", "type", "types", "weight-column", "strata", "group", "fold-column", "vs-rest", "target", "positive", "na", "no-header"):
            options[name] = mixes.draw_value(rng, name, command)
    options.update({"prove": True, "certificate": True})
    if options.get("loss") == "hamming" and rng.random() < 0.5:
        options.pop("min-sensitivity", None)
    if command == "fit" and rng.random() < 0.3 and not is_plain:
        options["all-optimal"] = "200"
        options.update({"within": rng.choice(["0.1", "0.5"])} if rng.random() < 0.4 else {})
    if command == "curve" and rng.random() < 0.5:
        options["complexity"] = True
    if command == "fit" and rng.random() < 0.2 and not is_plain:  # column generation
        options = {n: v for n, v in options.items() if n not in ("loss", "penalty", "min-sensitivity", "min-specificity", "all-optimal", "within")}
        options.update({"method": "brcg"}, **{"complexity": rng.choice("23456")} if rng.random() < 0.5 else {})
    names = ["f%d" % i for i in range(1, len(case["columns"]) + 1)] if "no-header" in options else [c["name"] for c in case["columns"]]
    if rng.random() < 0.25 and not is_plain and "method" not in options and len(names) > 1 and not any(re.search(r"[\s=,#]", name) for name in names):
        grouped = rng.sample(names, rng.randrange(2, len(names) + 1))
        options["one-per"] = ",".join("%s=g%d" % (name, rng.randrange(1 + len(names) // 2)) for name in grouped)
    form = case["format"] if case["format"] in ("csv", "tsv") else "csv"
    return dict(case, command=command, options=options, format=form, seed=rng.randrange(1 << 30)), rng


def check(tool, setting, rule, certificate, run=ireland_check.check, **more):
    """ireland-check, or ireland-veripb, in this process: its exit code and its words."""
    options = setting.options
    delimiter = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}.get(options.get("delimiter"))
    arguments = argparse.Namespace(rule=rule and tool.path(rule), data=tool.path(setting.data), certificate=tool.path(certificate), delimiter=delimiter,
                                   na=options.get("na"), no_header="no-header" in options,
                                   one_per=tool.path("groups.txt") if "one-per" in options else None,
                                   time_limit=600, quiet=True, **more)
    words = io.StringIO()
    with contextlib.redirect_stdout(words):
        code = run(arguments)
    return code, words.getvalue().strip()


def verify(tool, setting, rule, certificate):
    reading = [w for n in READING if n in setting.options for w in Setting.words(n, setting.options[n])]
    code, out, err = tool.run(["verify"] + [rule] * bool(rule) + [setting.data, "--certificate", certificate] + reading)
    return code, (out + err).strip()


def verify_many(tool, setting, certificates):
    """`ireland verify` on a file of several, each by its own rule: an answer for each."""
    reading = [w for n in READING if n in setting.options for w in Setting.words(n, setting.options[n])]
    with open(tool.path("many.txt"), "w") as file:
        file.write("".join(certificates))
    code, out, err = tool.run(["verify", setting.data, "--certificate", "many.txt", "--json", "--quiet"] + reading)
    try:
        answers = json.loads(out)
    except ValueError:
        raise Finding("json", "verify of several: code %d, %s" % (code, err[-300:]))
    answers = answers if isinstance(answers, list) else [answers]
    if len(answers) < len(certificates) and answers[-1]["status"] != "not checked":
        raise Finding("json", "%d answers for %d certificates" % (len(answers), len(certificates)))
    return answers


# ---- false claims -----------------------------------------------------------------------------------------------------

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


def parts_of(text):
    """The certificates of a file, each as its lines."""
    return [("ireland certificate " + part).rstrip("\n").split("\n") for part in text.split("ireland certificate ")[1:]]


def sign_lines(lines, n_nodes, sign):
    text = "\n".join(lines) + "\n"
    return text + "end %d %s\n" % (n_nodes, sign(text) if sign else "0" * 16)


def forge_lists(rng, head, proof, sign):
    """A list without one of its rules, which is then said to be no rule; with one twice."""
    n, at = int(proof[0].split(" ")[3]), [i for i, line in enumerate(proof) if line.startswith("rule ")] + [len(proof)]
    parts = [proof[a:b] for a, b in zip(at, at[1:])]
    found = []
    for _ in range(min(n, 3)):
        i = rng.randrange(n)
        for other in (parts[:i] + parts[i + 1:], parts + [parts[i]]):
            other = rng.sample(other, len(other))
            first = proof[0].rsplit(" ", 1)[0] + " %d" % len(other)
            found.append(sign_lines(head + [first] + [line for part in other for line in part], 1, sign))
    return found


def attack(tool, setting, lines, rng, n_forged, counts):
    """Forged certificates for worse rules, and lists that lack a rule; a finding if one is accepted."""
    sign = forge.signer()
    sizes, limits, loss = (re.findall(r"\d+", lines[i][22 if i == 2 else 0:]) for i in (2, 4, 5))
    features, best = json.loads(lines[3][9:]), int(loss[-1])
    n_cases, K, M, negations = int(sizes[1]), int(limits[0]), int(limits[1]), limits[2] == "1"
    n_clauses = int(lines[7].split()[1])
    clauses, proof = [line[7:] for line in lines[8:8 + n_clauses]], lines[8 + n_clauses:-1]

    def make(clauses, loss, proof):
        head = lines[:5] + [re.sub(r"best \d+", "best %d" % loss, lines[5]), lines[6], "rule %d" % len(clauses)]
        if rng.random() < 0.2:
            head[6] = rng.choice(["samples plain", "samples merged"])
        n_nodes = sum(not re.match("rule|clause", line) for line in proof)
        return sign_lines(head + ["clause " + c for c in clauses] + proof, n_nodes, sign)

    def words_of(certificate):
        with open(tool.path("forged.txt"), "w") as file:
            file.write(certificate)
        return check(tool, setting, None, "forged.txt")

    forged = forge_lists(rng, lines[:8 + n_clauses], proof, sign) if proof[0].startswith("0 all ") else []
    counts["forged lists"] += len(forged)
    for _ in range(n_forged):
        worse = worse_clauses(rng, clauses, len(features), K, M, negations)
        match = re.search(r"the rule has loss (\d+)", words_of(make(worse, 0 if best else 1, proof))[1])
        counts["tried"] += 1
        if not match or int(match[1]) <= best:
            continue
        loss = int(match[1])
        if "not within the limits" in words_of(make(worse, loss, ["0 list"]))[1]:
            continue
        others = list(proof)
        if proof[0].startswith("0 all ") and rng.random() < 0.5:  # a list that has the worse rule and none that is better
            others = ["0 all %d 1" % loss, "rule %d" % len(worse)] + ["clause " + c for c in worse]
        forged.append(make(worse, loss, draw_proof(rng, others, n_cases, len(features), K, M, loss)))
    counts["forged"] += len(forged)
    answers = [("verify", x["status"] == "valid", x.get("reason", x["status"])) for x in (verify_many(tool, setting, forged) if sign and forged else [])]
    for certificate in forged:
        code, words = words_of(certificate)
        answers.append(("ireland-check", code == 0, re.sub(r"[^:]*forged.txt:\d+: *", "", words.split("\n")[0])))
    for name, is_valid, reason in answers:
        counts["%s %s" % (name, "ACCEPTED" if is_valid else "not checked" if "limit" in reason and "limits" not in reason else "refused")] += 1
        counts["reason: %s: %s" % (name, re.sub(r"\d+|'.*'|\(.*\)", "#", reason)[:60])] += 1
        if is_valid:
            with open(tool.path("accepted.txt"), "w") as file:
                file.write("".join(forged))
            raise Finding("ACCEPTED", "%s accepts a false claim" % name)


def attack_claim(tool, setting, lines, rng, n, counts):
    """Heads that do not follow from scope and data, with the true proof: both checkers refuse each."""
    sign = forge.signer()
    for name in rng.sample(sorted(forge.CLAIMS), n):
        with open(tool.path("forged.txt"), "w") as file:
            file.write(sign_lines(forge.forge_claim(rng, lines[:-1], name), int(lines[-1].split()[1]), sign))
        counts["claims: " + name] += 1
        for who, judge in (("verify", verify), ("ireland-check", check))[not sign:]:
            if judge(tool, setting, None, "forged.txt")[0] == 0:
                raise Finding("ACCEPTED", "%s accepts a forged head: %s" % (who, name))


class Kept(ireland_veripb.Writer):
    """The writer of the last proof."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        Kept.last = self


ireland_veripb.Writer = Kept


def worse_solution(rng, writer):
    """A rule within the limits that is not the best, as values of all variables; None if none was met by lot."""
    for _ in range(50):
        sizes = [rng.randrange(1, min(writer.M, len(writer.literals)) + 1) for _ in range(rng.randrange(writer.K + 1))]
        rule = [writer.clause(rng.sample(range(len(writer.literals)), size)) for size in sizes]
        state = functools.reduce(writer.take, rule, writer.root)
        if writer.is_within(state) and writer.loss_of(state) > writer.loss:
            writer.rule = rule
            return " ".join(writer.solution())
    return None


def attack_proof(tool, setting, rng, options, counts):
    """A proof for VeriPB: accepted; with a worse solution, and perhaps other damage, refused."""
    code, words = check(tool, setting, "rule.json", "proof.txt", ireland_veripb.write, output=tool.path("q"), format=options.format, max_mb=20)
    kind = "%s%s" % ("limits " * any(Kept.last.has[:2]), "literals" * Kept.last.counts_literals) if code == 0 else ""
    counts["veripb: %s %s" % ({0: "written", 3: "other loss", 4: "too large"}[code], kind)] += 1
    if code == 0:
        question = [sys.executable, os.path.join(TOP, "src", "python", "ireland_question.py")] + re.search("ireland-question (.*) [|]", words)[1].split(" ")
        if subprocess.run(question, capture_output=True, text=True).stdout != open(tool.path("q.opb")).read():
            raise Finding("veripb", "ireland-question says something else")
    if code:
        return
    command = [options.veripb] + ["--requireUnsat"] * (options.format == 1)  # which else succeeds with proofs that do not end
    run = lambda proof: subprocess.run(command + [tool.path("q.opb"), tool.path(proof)], capture_output=True, text=True, timeout=300)
    done = run("q.pbp")
    if done.returncode:
        raise Finding("veripb", "it refuses a true proof: %s" % (done.stdout + done.stderr)[-300:])
    lines = open(tool.path("q.pbp")).read().split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"(@c\d+ )?(o|soli) ", line))
    worse = worse_solution(rng, Kept.last)
    if worse is None:
        counts["veripb: no worse rule"] += 1
        return
    worse = re.match(r"(@c\d+ )?(o|soli) ", lines[at])[0] + worse + " ;" * (options.format == 3)
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
    case, rng = draw(seed, index, options.plain)
    os.environ["OMP_NUM_THREADS"] = rng.choice("11111112")  # threads take longer to start than all the rest
    case = normalise(case)
    if not is_sound(case):
        counts["not sound"] += 1
        return
    tool = Tool(options.ireland, folder)
    case, setting, code, answer, err = settle(tool, case, rng, Outcome())
    if setting is None or answer is None or not os.path.exists(tool.path("proof.txt")):
        counts["no certificate (code %d)" % code] += 1
        return
    text = open(tool.path("proof.txt")).read()
    parts, rule = parts_of(text), "rule.json" if case["command"] == "fit" else None
    counts["certificates"] += len(parts)
    for lines in parts:
        counts["nodes: " + " ".join(w for w in lines[8 + int(lines[7].split()[1])].split(" ")[1:3] if not w[0].isdigit())] += 1
        counts["merged"] += lines[6] == "samples merged"
    counts["curves"] += rule is None
    for name in ("method", "complexity", "cnf", "penalty", "loss", "max-literals", "min-sensitivity", "min-specificity", "weight-column", "strata", "group", "negations", "het", "missing", "cuts", "one-per"):
        counts["with " + name] += name in case["options"]
    for name, judge in (("verify", verify), ("ireland-check", check)):
        code, words = judge(tool, setting, rule, "proof.txt")
        if code:
            raise Finding("refused", "%s refuses a true one: %s" % (name, words[-600:]))
    attack(tool, setting, rng.choice(parts), rng, options.forged, counts)
    attack_claim(tool, setting, rng.choice(parts), rng, 2 * options.forged, counts)
    if rule is None or " all " in text.split("\n0", 1)[1][:5]:
        return
    if options.veripb:
        attack_proof(tool, setting, rng, options, counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--veripb")
    parser.add_argument("--format", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="only claims that VeriPB gets a proof of")
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
