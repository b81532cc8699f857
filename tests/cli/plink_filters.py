"""PLINK's options against plink1.9: random people, variants and mixes of options must leave the same people and variants with the same cells.

usage: plink_filters.py IRELAND FOLDER SEED ROUNDS; prints a line for each mix that differs."""
import os
import random
import subprocess
import sys

ireland, folder, seed, rounds = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def make(draw):
    """A random file: sexes, families, phenotypes, X, Y and MT, missing calls by person and by variant."""
    n, m = draw.choice([20, 63, 64, 90, 150]), draw.choice([30, 80])
    names = ["1", "2", "3", "X", "Y", "MT", "XY"]
    with open("t.fam", "w") as out:
        for i in range(n):
            parents = f"S{draw.randrange(max(1, i))} 0" if draw.random() < 0.2 else "0 0"
            out.write(f"F{i // 3} S{i} {parents} {draw.choice([0, 1, 1, 2, 2])} {draw.choice([1, 1, 1, 2, 2, 2, 0, -9])}\n")
    with open("t.bim", "w") as out:
        for j in range(m):
            out.write(f"{names[j * len(names) // m]}\trs{j}\t0\t{1000 * j + 1}\tA\tG\n")
    by_person = [draw.choice([0, 0, 0.02, 0.15]) for _ in range(n)]
    with open("t.bed", "wb") as out:
        out.write(b"\x6c\x1b\x01")
        for j in range(m):
            p, missing, inbred = draw.choice([0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 1]), draw.choice([0, 0, 0.05, 0.1, 0.3, 1 if j == 7 else 0]), draw.random() < 0.3
            codes = []
            for i in range(n):
                a = draw.random() < p
                b = a if inbred and draw.random() < 0.6 else draw.random() < p
                codes.append(1 if draw.random() < missing + by_person[i] else (3, 2, 0)[a + b])
            codes += [0] * 3
            out.write(bytes(codes[i] | codes[i + 1] << 2 | codes[i + 2] << 4 | codes[i + 3] << 6 for i in range(0, n, 4)))
    with open("t.pheno", "w") as out:
        out.write("FID IID one two\n")
        for i in range(n):
            if draw.random() < 0.9:
                out.write(f"F{i // 3} S{i} {draw.choice([1, 2, 1, 2, -9])} {draw.choice([0, 1, 0, 1, -9])}\n")
    with open("t.people", "w") as out:
        out.writelines(f"F{i // 3} S{i}\n" for i in range(n) if draw.random() < 0.6)
        out.write("nobody here\n")
    with open("t.variants", "w") as out:
        out.writelines(f"rs{j}\n" for j in range(m) if draw.random() < 0.6)
        out.write("rsnone\n")


def mix(draw):
    words = []
    if draw.random() < 0.4:
        words += ["--pheno", "t.pheno", "--pheno-name", "one"] if draw.random() < 0.5 else ["--pheno", "t.pheno", "--pheno-name", "two", "--1"]
    for option, values in (("--keep", ["t.people"]), ("--remove", ["t.people"]), ("--extract", ["t.variants"]), ("--exclude", ["t.variants"])):
        if draw.random() < 0.2:
            words += [option, draw.choice(values)]
    if draw.random() < 0.4:
        words += ["--chr", draw.choice(["1", "1-2", "X", "2,X", "23-24", "MT", "1,3,XY", "1-22"])]
        if words[-1] == "1" and draw.random() < 0.5:
            words += ["--from-bp", "2000", "--to-bp", "8001"]
    for option, values in (("--maf", ["0.01", "0.05", "0.1", "0.25"]), ("--geno", ["0", "0.05", "0.1", "0.2"]), ("--mind", ["0.05", "0.1", "0.2", "0.3"]),
                           ("--hwe", ["1e-6", "0.001", "0.05"])):
        if draw.random() < 0.5:
            words += [option, draw.choice(values)]
    if draw.random() < 0.3 and "--extract" not in words:  # by which plink takes what it leaves
        if "--chr" not in words:  # on X plink weighs people by sex
            words += ["--chr", draw.choice(["1-3", "1-22", "2,Y,MT"])]
        elif "X" in words[words.index("--chr") + 1] or "23" in words[words.index("--chr") + 1]:
            return words
        words += ["--prune-ld", draw.choice(["0.01", "0.05", "0.2", "0.5"])]
    return words


def wanted(words):
    """What plink leaves, as the .csv that `ireland convert` writes; None: nothing, or one class."""
    for path in ("p.raw",):
        if os.path.exists(path):
            os.remove(path)
    own = ["plink1.9", "--bfile", "t", "--keep-allele-order", "--allow-no-sex", "--out", "p", *words]
    if "--prune-ld" in words:  # plink does it in two steps, and the second is to leave the same people
        at = own.index("--prune-ld")
        most = own[at + 1]
        del own[at:at + 2]
        if os.path.exists("p.prune.in"):
            os.remove("p.prune.in")
        subprocess.run(own + ["--indep-pairwise", "50", "5", most], capture_output=True)
        if not os.path.exists("p.prune.in"):  # plink wants two variants
            return "refused"
        subprocess.run([word if word != "p" else "q" for word in own] + ["--make-bed"], capture_output=True)
        own = ["plink1.9", "--bfile", "q", "--keep-allele-order", "--allow-no-sex", "--out", "p", "--extract", "p.prune.in"]
    subprocess.run(own + ["--recode", "A"], capture_output=True)
    if not os.path.exists("p.raw"):
        return None
    with open("p.raw") as file:
        rows = [line.split() for line in file]
    zero = "--1" in words
    # plink writes 1 and 2 whatever it has read.
    label = {"1": "0", "2": "1"} if zero else {"1": "1", "2": "2"}
    target = words[words.index("--pheno-name") + 1] if "--pheno-name" in words else "phenotype"
    body = [",".join("" if v == "NA" else v for v in r[6:]) + "," + label[r[5]] for r in rows[1:] if r[5] in label]
    if len({line[-1] for line in body}) < 2 or len(rows[0]) < 7:
        return None
    return "\n".join([",".join(rows[0][6:] + [target])] + body) + "\n"


def main():
    wrong = compared = 0
    for k in range(rounds):
        draw = random.Random(1000 * seed + k)
        make(draw)
        for _ in range(8):
            words = mix(draw)
            want = wanted(words)
            if want == "refused":
                continue
            done = subprocess.run([ireland, "convert", "t.bed", "got.csv", "--quiet", *words], capture_output=True, text=True)
            got = None
            if done.returncode == 0:
                with open("got.csv") as file:
                    got = file.read()
            compared += want is not None
            if got != want and not (want is None and done.returncode == 3):
                wrong += 1
                lines = lambda text: "nothing" if text is None else f"{text.count(chr(10)) - 1} people, {text.split(chr(10))[0].count(',')} variants"
                print(f"seed {seed} round {k}: {' '.join(words)}: ireland {lines(got)} {done.stderr.strip()}, plink {lines(want)}")
    print(f"{compared} compared, {wrong} differ")
    return 1 if wrong or not compared else 0


sys.exit(main())
