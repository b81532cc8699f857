"""--count-within against brute force: all sets of at most K distinct clauses, by all clauses, their losses and which literals they have.

usage: count_brute.py IRELAND FOLDER SEED ROUNDS. Columns are 0/1, so that plain literals and negated ones are all there is; some columns are alike, so
that many rules have the same cover."""
import itertools
import json
import os
import random
import subprocess
import sys

ireland, folder, seed, rounds = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def one(draw):
    n, j = draw.choice([20, 40, 80]), draw.choice([3, 4, 5])
    K, M = draw.choice([(1, 1), (1, 3), (2, 1), (3, 1), (5, 1), (2, 2), (3, 2)])
    negations, hamming, unit = draw.random() < 0.4, draw.random() < 0.25, draw.random() < 0.5
    penalty = draw.choice([0, 0, 0.025, 0.05]) if unit else 0
    longest = draw.choice([0, 0, 2, 3])
    within = draw.choice([0, 0.1, 0.5, 2])
    sensitive, specific = draw.choice([0, 0, 0.5]), draw.choice([0, 0, 0.5])
    rows = []
    for _ in range(n):
        bits = [int(draw.random() < 0.5) for _ in range(j)]
        if draw.random() < 0.8:
            bits[1] = bits[0]
        rows.append((bits, int((bits[0] or bits[2]) ^ (draw.random() < 0.2))))
    cases = [bits for bits, y in rows if y]
    controls = [bits for bits, y in rows if not y]
    if not cases or not controls or any(len({bits[k] for bits, _ in rows}) < 2 for k in range(j)):
        return ""
    with open("t.csv", "w") as out:
        out.write(",".join(f"f{k}" for k in range(j)) + ",y\n")
        out.writelines(",".join(map(str, bits)) + f",{y}\n" for bits, y in rows)
    words = ["-K", K, "-M", M, "--prove", "--count-within", "--within", within, "--validate", "none", "--quiet", "--json", "--threads", draw.choice([1, 2])]
    words += ["--negations"] * negations + ["--loss", "hamming"] * hamming + ["--weights", "unit"] * unit
    words += ["--penalty", penalty] * (penalty > 0) + ["--max-literals", longest] * (longest > 0)
    words += ["--min-sensitivity", sensitive] * (sensitive > 0) + ["--min-specificity", specific] * (specific > 0)
    ended = subprocess.run([ireland, "fit", "t.csv", *map(str, words)], capture_output=True, text=True)
    told = " ".join(map(str, words))
    if ended.returncode == 4:  # no rule is within the limits
        return ""
    if ended.returncode:
        return f"{told}: {ended.stderr.strip()}"
    found = json.loads(ended.stdout)
    if found["status"] != "optimal":
        return f"{told}: not proven"
    # A literal is a column and the value that it wants.
    literals = [(k, v) for k in range(j) for v in ((1, 0) if negations else (1,))]
    clauses = [c for m in range(1, M + 1) for c in itertools.combinations(literals, m) if len({k for k, _ in c}) == m]
    holds = {c: ([all(b[k] == v for k, v in c) for b in cases], [all(b[k] == v for k, v in c) for b in controls]) for c in clauses}
    w1, w0 = (1, 1) if unit else (len(controls) / n, len(cases) / n)
    losses = {}
    for size in range(K + 1):
        for rule in itertools.combinations(clauses, size):
            if longest and sum(map(len, rule)) > longest:
                continue
            missed = sum(not any(holds[c][0][i] for c in rule) for i in range(len(cases)))
            covers = [sum(holds[c][1][i] for c in rule) for i in range(len(controls))]
            wrong = sum(covers) if hamming else sum(c > 0 for c in covers)
            if len(cases) - missed < sensitive * len(cases) or sum(c > 0 for c in covers) > (1 - specific) * len(controls):
                continue
            losses[rule] = w1 * missed + w0 * wrong + penalty * n * sum(1 + len(c) for c in rule)
    best = min(losses.values())
    if abs(best - found["objective"]) > 1e-6 * (1 + best):
        return f"{told}: objective {found['objective']}, brute force {best}"
    good = [rule for rule, loss in losses.items() if loss <= best * (1 + within) + 1e-7]
    shares = {}
    for rule in good:
        for k, v in {l for c in rule for l in c}:
            name = ("" if v else "!") + f"f{k}"
            shares[name] = shares.get(name, 0) + 1
    count = found["within_count"]
    if not count["complete"] or count["rules"] != len(good):
        return f"{told}: {count['rules']} rules, brute force {len(good)}"
    told_shares = {row["literal"]: row["rules"] for row in count["literal_shares"]}
    return "" if told_shares == shares else f"{told}: literals {told_shares}, brute force {shares}"


for number in range(rounds):
    wrong = one(random.Random(f"{seed} {number}"))
    if wrong:
        sys.exit(f"round {number} of seed {seed}: {wrong}")
