"""One literal per group against brute force: what is proven is the best of the rules whose clauses have one literal of a group at most, by all clauses.

usage: one_per_brute.py IRELAND FOLDER SEED ROUNDS. Some columns are in no group; columns are alike, so that the best rule without groups breaks them."""
import itertools
import json
import os
import random
import subprocess
import sys

ireland, folder, seed, rounds = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "python", "ireland_check.py")
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def run(*words):
    return subprocess.run([ireland, *words], capture_output=True, text=True)


def checks_python():
    """ireland-check needs the groups, and refuses the same proof for the rule without clauses if that is worse."""
    lines = open("c.txt").read().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("loss "))
    words = lines[at].split(" ")
    none = int(words[3]) * labels_of_cases(lines)
    is_best = int(words[-1]) == none
    lines[at] = " ".join(words[:-1] + [str(none)])
    lines = ["rule 0" if line.startswith("rule ") else line for line in lines if not line.startswith("clause ")]
    with open("forged.txt", "w") as out:
        out.write("\n".join(lines))
    tries = [["r.json", "t.csv", "--certificate", "c.txt", "--one-per", "groups"], ["r.json", "t.csv", "--certificate", "c.txt"],
             ["t.csv", "--certificate", "forged.txt", "--one-per", "groups"]]
    codes = [subprocess.run([sys.executable, CHECKER, *words, "--quiet"], capture_output=True, text=True).returncode for words in tries]
    return "" if codes == [0, 4, 0 if is_best else 3] else f"ireland-check with the groups, without, and of a worse rule: {codes}"


def labels_of_cases(lines):
    return int(next(line for line in lines if line.startswith("data ")).split(" cases ")[1].split(" ")[0])


def one(draw):
    n, j = draw.choice([24, 40, 70]), draw.choice([5, 7, 9])
    K, M = draw.choice([(1, 2), (1, 3), (2, 2), (2, 3), (3, 2)])
    negations, hamming, missing = draw.random() < 0.4, draw.random() < 0.2, draw.random() < 0.3
    rows, plan = [], [draw.sample(range(j), 2) for _ in range(2)]
    for _ in range(n):
        bits = [int(draw.random() < 0.5) for _ in range(j)]
        for k in range(1, j, 3):  # like the one before
            if draw.random() < 0.8:
                bits[k] = bits[k - 1]
        y = int(any(all(bits[k] for k in p) for p in plan) ^ (draw.random() < 0.15))
        rows.append(([None if missing and draw.random() < 0.05 else b for b in bits], y))
    if len({y for _, y in rows}) < 2 or any(len({r[0][k] for r in rows} - {None}) < 2 for k in range(j)):
        return ""
    group = {k: draw.randrange(3) for k in range(j) if draw.random() < 0.8}
    if not group:
        return ""
    with open("t.csv", "w") as out:
        out.write(",".join(f"f{k}" for k in range(j)) + ",y\n")
        out.writelines(",".join("" if b is None else str(b) for b in bits) + f",{y}\n" for bits, y in rows)
    with open("groups", "w") as out:
        out.writelines(f"f{k}\tgene{g}\n" for k, g in group.items())
    literals = [(k, v) for k in range(j) for v in ((1, 0) if negations else (1,))]

    def allowed(clause):
        of = [group[k] for k, _ in clause if k in group]
        return len(set(of)) == len(of) and len({k for k, _ in clause}) == len(clause)

    clauses = [c for size in range(1, M + 1) for c in itertools.combinations(literals, size) if allowed(c)]
    covers = list({tuple(int(all(bits[k] == v for k, v in c)) for bits, _ in rows) for c in clauses})
    labels = [y for _, y in rows]
    weight = {1: labels.count(0), 0: labels.count(1)}  # balanced, times the product of both

    def loss(rule):
        total = 0
        for i, y in enumerate(labels):
            hits = sum(c[i] for c in rule)
            total += weight[y] * (hits == 0 if y else hits if hamming else hits > 0)
        return total

    best = min(loss(r) for size in range(0, K + 1) for r in itertools.combinations(covers, size))
    words = ["t.csv", "--one-per", "groups"]
    done = run("fit", *words, "--prove", "-K", str(K), "-M", str(M), "--json", "--quiet", "--certificate", "c.txt", "-o", "r.json",
               *(["--negations"] if negations else []), *(["--loss", "hamming"] if hamming else []))
    if done.returncode:
        return done.stderr
    answer = json.loads(done.stdout)
    for clause in answer["clauses"]:
        if not allowed([(int(name.lstrip("!")[1:]), name[0] != "!") for name in clause]):
            return f"clause {clause} breaks the groups {group}"
    scale = best / answer["objective"] if answer["objective"] else 1
    if answer["status"] != "optimal" or not answer["scope"]["one_per"]:
        return f"status {answer['status']}, scope {answer['scope']}"
    rule = [tuple(int(all(bits[int(name.lstrip("!")[1:])] == (name[0] != "!") for name in c)) for bits, _ in rows) for c in answer["clauses"]]
    if loss(rule) != best:
        return f"K {K} M {M} negations {negations} hamming {hamming}: loss {loss(rule)}, best {best}, scale {scale}"
    checked = run("verify", "r.json", *words, "--certificate", "c.txt", "--quiet")
    if checked.returncode:
        return checked.stdout + checked.stderr
    if run("verify", "r.json", "t.csv", "--certificate", "c.txt", "--quiet").returncode != 3:
        return "verified without the groups"
    return checks_python() if sys.version_info >= (3, 10) else ""


wrong = 0
for k in range(rounds):
    what = one(random.Random(1000 * seed + k))
    if what:
        wrong += 1
        print(f"round {k} of seed {seed}: {what}")
sys.exit(wrong > 0)
