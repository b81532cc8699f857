"""No option without effect: a walk over option x command x input.

For every option that `ireland COMMAND --help` shows and every input that the command reads, the option changes the result, or it is validated (a wrong
name is an error), or it is refused with exit code 2. A cell that is silent is printed, and so is an option without a row here. fit reads every
input here, the other commands one of each kind; with IRL_WALK=all they read all of them. Used by test_options.sh:
python3 tests/cli/option_walk.py IRELAND FOLDER [COMMAND...]."""
import functools
import json
import os
import random
import re
import subprocess
import sys

ireland, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
COMMANDS = "fit cv evaluate predict clause curve verify info generate convert model solve export".split()
# How a command runs, not what it answers: every command takes these, whether it has much to do or not.
COMMON = "threads seed time-limit work-limit memory-limit quiet help".split()


SLIM = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def run(*words):
    done = subprocess.run([ireland, *words], capture_output=True, stdin=subprocess.DEVNULL, env=SLIM)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


# ---- inputs: what an option names in each ----

class Input:
    def __init__(self, path, number, column, weight, label, types=True):
        self.path, self.number, self.column, self.weight, self.label, self.types = path, number, column, weight, label, types


def make_inputs():
    draw = random.Random(7)
    rows = []
    for i in range(60):
        x, c, b, s, w = draw.randint(0, 9), draw.choice("abc"), draw.randint(0, 1), draw.randint(0, 2), draw.randint(1, 3)
        ill = ((x > 5 and c != "a") or (b and s == 2)) ^ (draw.random() < 0.15)
        rows.append(["" if draw.random() < 0.1 else x, c, b, s, w, "ill" if ill else "well"])
    for name, mark in (("t.csv", ","), ("t.tsv", "\t")):
        with open(name, "w") as out:
            out.write(mark.join("x c b s w y".split()) + "\n")
            out.writelines(mark.join(map(str, r)) + "\n" for r in rows)
    with open("t.arff", "w") as out:
        out.write("@relation t\n@attribute x numeric\n@attribute c {a,b,c}\n@attribute b numeric\n@attribute s numeric\n"
                  "@attribute w numeric\n@attribute y {well,ill}\n@data\n")
        out.writelines(",".join("?" if v == "" else str(v) for v in r) + "\n" for r in rows)
    with open("t.svm", "w") as out:
        out.writelines(("1" if r[5] == "ill" else "-1") + "".join(f" {j + 1}:{v}" for j, v in enumerate([r[0] or 0, r[2], r[3], r[4], int(r[1] == "a")]) if v) + "\n"
                       for r in rows)
    with open("bits.csv", "w") as out:
        out.write("f1,f2,f3,y\n")
        out.writelines(f"{int((r[0] or 0) > 5)},{int(r[1] == 'a')},{r[2]},{int(r[5] == 'ill')}\n" for r in rows)
    with open("t.bim", "w") as out:
        out.writelines(f"1\trs{j}\t0\t{j}\tA\tG\n" for j in range(1, 4))
    with open("t.fam", "w") as out:
        out.writelines(f"f{i} s{i} 0 0 1 {2 if r[5] == 'ill' else 1}\n" for i, r in enumerate(rows))
    with open("t.bed", "wb") as out:
        out.write(b"\x6c\x1b\x01")
        for alleles in (lambda r: 2 - (r[0] or 0) // 4, lambda r: r[3], lambda r: (r[1] != "a") + r[2]):
            codes = [1 if draw.random() < 0.1 else (3, 2, 0)[alleles(r)] for r in rows]  # 1: missing
            out.write(bytes(sum(codes[i + k] << 2 * k for k in range(4)) for i in range(0, 60, 4)))
    head = "##fileformat=VCFv4.2\n##contig=<ID=1>\n" + "\t".join("#CHROM POS ID REF ALT QUAL FILTER INFO FORMAT".split() + [f"s{i}" for i in range(60)]) + "\n"
    with open("t.vcf", "w") as out, open("t.raw", "w") as counts:
        out.write(head)
        counts.write("FID IID PAT MAT SEX PHENOTYPE rs1_A rs2_A rs3_A\n")
        columns = []
        for j, alleles in enumerate((lambda r: 2 - (r[0] or 0) // 4, lambda r: r[3], lambda r: (r[1] != "a") + r[2])):
            cells = [None if draw.random() < 0.1 else alleles(r) for r in rows]
            columns.append(cells)
            dose = ["." if c is None else str(c + (0.2 if i % 5 == 0 and c < 2 else 0)) for i, c in enumerate(cells)]
            calls = [("./.", "0/0", "0/1", "1/1")[0 if c is None else c + 1] + ":" + d for c, d in zip(cells, dose)]
            out.write("\t".join(["1", str(j + 1), f"rs{j + 1}", "G", "A", ".", "PASS" if j else "q10", ".", "GT:DS"] + calls) + "\n")
        for i, r in enumerate(rows):
            counts.write(f"f{i} s{i} 0 0 1 {2 if r[5] == 'ill' else 1} " + " ".join("NA" if c[i] is None else str(c[i]) for c in columns) + "\n")
    with open("pheno", "w") as out:
        out.write("FID IID ill other\n")
        out.writelines(f"f{i} s{i} {2 if r[5] == 'ill' else 1} {1 + (i % 3 == 0)}\n" for i, r in enumerate(rows))
    with open("other", "w") as out:
        out.writelines(f"f{i} s{i} {1 + (i % 3 == 0)}\n" for i, r in enumerate(rows))
    with open("people", "w") as out:
        out.writelines(f"f{i} s{i}\n" for i in range(0, 60, 2))
    with open("covar", "w") as out:
        out.write("FID IID age site\n")
        out.writelines(f"f{i} s{i} {20 + (7 * i) % 50} {'ab'[i % 2]}\n" for i in range(60))
    with open("genes", "w") as out:
        out.write("1\t0\t9\tGENE\n.\t0\t9\tGENE\n")
    with open("variants", "w") as out:
        out.write("rs1\nrs3\n")
    for names in (("x", "b", "s"), ("f1", "f2", "f3", "f4"), ("rs1", "rs2", "rs3")):
        with open("groups_" + names[0], "w") as out:
            out.writelines(f"{name} GENE\n" for name in names)
    for source, into in (("t.csv", "t.irb"), ("bits.csv", "bits.irb")):
        assert run("convert", source, into)[0] == 0
    for kind, name, value in (("types", "x", "category"), ("types_f1", "f1", "category")):
        with open(kind, "w") as out:
            out.write(f"{name},{value}\n")


INPUTS = {"csv": Input("t.csv", "x", "b", "w", "well"), "tsv": Input("t.tsv", "x", "b", "w", "well"), "arff": Input("t.arff", "x", "b", "w", "well"),
          "libsvm": Input("t.svm", "f1", "f2", "f4", "-1"), "bed": Input("t.bed", "rs1", "rs2", "rs3", "1"),
          "vcf": Input("t.vcf", "rs1", "rs2", "rs3", "1"), "raw": Input("t.raw", "rs1", "rs2", "rs3", "1"),
          "irb": Input("t.irb", "x", "b", "w", "well"), "irb of bits": Input("bits.irb", "f1", "f3", "f2", "0")}


KINDS = ("csv", "libsvm", "bed", "irb")  # text with types, sparse numbers, genotypes, packed


def inputs_of(command):
    if command in ("generate", "solve", "export"):
        return ["csv"]
    return list(INPUTS) if command == "fit" or os.environ.get("IRL_WALK") == "all" else KINDS


# ---- options: values that must matter, and names that must be wrong ----

def trials(command, i):
    """Option -> (words before it, values of which one must change the result, wrong values)."""
    types = "types_f1" if i.number == "f1" else "types"
    groups = "groups_" + i.number
    rows = {
        "target": ([], [i.column], ["nosuch"]), "positive": ([], [i.label], ["nosuch"]), "vs-rest": ([], [i.label], ["nosuch"]),
        "pheno": ([], ["other"], ["nosuch"]), "pheno-name": (["--pheno", "pheno"], ["other"], ["nosuch"]), "pheno-01": ([], [None], []),
        "covar": ([], ["covar"], ["nosuch"]), "covar-name": (["--covar", "covar"], ["age"], ["nosuch"]), "strata": ([], [i.column, i.column + "_A"], ["nosuch"]),
        "group": ([], [i.column, i.column + "_A"], ["nosuch"]), "fold-column": ([], [i.column, i.column + "_A"], ["nosuch"]),
        "keep": ([], ["people"], ["nosuch"]), "remove": ([], ["people"], ["nosuch"]), "extract": ([], ["variants"], ["nosuch"]),
        "exclude": ([], ["variants"], ["nosuch"]), "chr": ([], ["2"], []), "from-bp": (["--chr", "1"], ["2", "3"], []), "to-bp": (["--chr", "1"], ["2"], []),
        "region": ([], ["1:2-3"], ["1:x"]), "maf": ([], ["0.45", "0.5"], []), "geno": ([], ["0", "0.05"], []), "mind": ([], ["0.1"], []), "hwe": ([], ["1", "0.9"], []),
        "ld-r2": ([], ["0.001"], []), "genes": ([], ["genes"], ["nosuch"]), "prune-ld": ([], ["0", "0.01"], []), "het": ([], [None], []),
        "one-per": ([], [groups], ["nosuch"]), "decimal": ([], ["comma"], ["nosuch"]),
        "vcf-filter": ([], [None], []), "dosage": ([], ["0.1"], []), "bfile": ([], [i.path[:-4]], ["nosuch"]), "vcf": ([], ["t.vcf"], ["nosuch.vcf"]),
        "bcf": ([], ["t.bcf"], ["nosuch.bcf"]),
        "delimiter": ([], ["semicolon"], []), "no-header": ([], [None], []), "na": ([], ["0,a", "b", "c", "9"], []), "type": ([], [i.number + "=category"], ["nosuch=number"]),
        "types": ([], [types], ["nosuch"]), "ignore": ([], [i.number], ["nosuch"]), "only": ([], [i.column], ["nosuch"]),
        "forbid": ([], [i.number, i.column], ["nosuch"]), "cuts": ([], ["all", "quantile:1"], ["nosuch"]), "missing": ([], ["drop", "error"], ["nosuch"]),
        "weight-column": ([], [i.weight], ["nosuch"]), "grid": ([], ["2x1"], []),
        "K": ([], ["1"], []), "M": ([], ["1"], []), "max-literals": ([], ["1"], []), "complexity": ([], ["2"], []), "method": ([], ["brcg"], ["nosuch"]),
        "binary": ([], [None], []), "plain": ([], [None], []), "no-start": ([], [None], []), "cnf": ([], [None], []),
        "profile": ([], ["paper"], ["nosuch"]), "paper-sample": ([], ["1"], []),
        "budgets": ([], ["0", "0.5"], ["2"]), "weights": ([], ["unit", "balanced"], ["nosuch"]), "penalty": ([], ["0.3"], ["nosuch"]),
        "equivalent": ([], ["0.5", "1"], []), "effort": ([], ["quick", "full"], ["nosuch"]), "test": ([], ["0.4"], []), "permutations": ([], ["2"], []), "stability": ([], ["2", "3"], ["-1"]), "validate": ([], ["none", "cv", "bootstrap"], ["nosuch", "holdout"]),
        "folds": ([], ["3"], []), "repeats": ([], ["2"], []), "nested": ([], [None], []), "choose": ([], ["best"], ["nosuch"]), "all": (["-K", "1..8"], [None], []),
        "min-sensitivity": ([], ["0.99"], []), "min-specificity": ([], ["0.99"], []), "checkpoint": ([], ["made.ck"], []), "resume": ([], [], ["nosuch.ck"]),
        "start": ([], [], ["nosuch.json"]), "save-pool": ([], ["made.json"], []), "pool": ([], [], ["nosuch.json"]), "negations": ([], [None], []), "no-negations": ([], [None], []), "tune": ([], [None], []),
        "prove": ([], [None], []), "loss": ([], ["hamming"], ["nosuch"]), "all-optimal": ([], ["3"], []), "within": ([], ["0.5"], []), "count-within": ([], [None], []),
        "certificate": ([], ["made.txt"], ["nosuch.txt"]), "output": ([], ["made.out"], []), "report": ([], ["made.html"], []), "predictions": ([], ["made.csv"], []),
        "budget": ([], ["0.5"], []), "budget-count": ([], ["9"], []), "threshold": ([], ["0.9"], []), "csv": ([], ["made.csv"], []),
        "svg": ([], ["made.svg"], []), "plot": ([], [None], []), "explain": ([], [None], []), "id": ([], [], ["nosuch"]), "format": ([], ["csv"], ["nosuch"]), "decide": ([], [None], []), "json": ([], [None], []),
        "N": ([], ["20"], []), "J": ([], ["7"], []), "exact-size": ([], [None], []), "noise": ([], ["0.4"], []), "density": ([], ["0.9"], []),
        "rule": ([], ["made.json"], []), "form": ([], ["bp2"], ["nosuch"]), "relax": ([], [None], []), "no-presolve": ([], [None], []), "no-structure": ([], [None], []),
        "iteration-limit": (["--no-presolve"], ["1"], []), "node-limit": ([], ["1"], []), "solution": ([], ["made.sol"], []), "to": ([], ["c"], ["nosuch"]),
    }
    if command == "fit":  # what only matters where there is something to prove, to list or to certify
        rows["prove"] = (["--all-optimal", "3"], [None], [])
    if command == "generate":
        rows["K"] = rows["M"] = ([], ["5"], [])
        rows["output"] = ([], ["made.irb"], [])
    if command == "cv":
        rows["K"] = rows["M"] = ([], ["3"], ["nosuch"])
    if command == "curve":
        rows["complexity"] = ([], [None], [])
    if command == "model":  # other forms take it with a warning
        rows["budget"] = (["--form", "sp"], ["0.5"], [])
    return rows


# Small tables are proven anyway: what the option does takes ten thousand million words of work and is shown on one input.
ELSEWHERE = {("clause", "prove"): "proof_goes_on in test_clause_solve.c", ("predict", "decide"): "decided in test_predict.sh"}


# Options that are another one in the scope that verify compares.
ALIASES = {"vs-rest": "positive", "types": "type"}


# ---- the walk ----

def base_of(command, name, i):
    """The words of a plain run; results go to standard output or made.out."""
    if command == "generate":
        return ["generate", "-o", "made.dat.csv", "--seed", "2"]
    if command == "solve":
        return ["solve", "m.mps"]
    if command == "export":
        return ["export", f"{name}.json", "--to", "python"]
    words = {"fit": ["fit", i.path, "-K", "2", "-M", "2", "--validate", "none"], "cv": ["cv", i.path, "-K", "1,2", "-M", "2", "--penalty", "0", "--folds", "4"],
             "evaluate": ["evaluate", f"{name}.json", i.path], "predict": ["predict", f"{name}.json", i.path], "clause": ["clause", i.path],
             "curve": ["curve", i.path, "-K", "2", "-M", "2"], "verify": ["verify", f"{name}.json", i.path, "--certificate", f"{name}.txt"],
             "info": ["info", i.path], "convert": ["convert", i.path, "made.irb"], "model": ["model", i.path, "--form", "bp1", "-K", "2", "-M", "2", "-o", "made.mps"]}
    return words[command] + (["--pheno", "pheno"] if name == "vcf" else [])


def without(words, option):
    """The words without an option that the trial gives itself."""
    spelled = option if len(option) == 1 else "-" + option
    for spelling in ("-" + spelled, "-o" if option == "output" else None):
        if spelling in words:
            at = words.index(spelling)
            return words[:at] + words[at + 2:]
    return words


def result_of(words):
    """Exit code, output without what may differ between two runs, and the files that were made."""
    for path in os.listdir("."):
        if path.startswith("made"):
            os.remove(path)
    code, out, err = run(*words)
    out = re.sub(r'"run": \{.*\}', "", out)
    files = []
    for path in sorted(os.listdir(".")):
        if path.startswith("made"):
            with open(path, "rb") as file:
                files.append((path, file.read()))
    return (code, out, files), err


@functools.cache
def plain_result(words):
    return result_of(words)[0]


def spell(option):
    return "-" + option if len(option) == 1 else "--" + option


def walk_cell(command, name, i, option, row):
    before, values, wrong = row
    base = base_of(command, name, i)
    for given in [option] + [word[2:] for word in before if word.startswith("--")]:
        base = without(base, given)
    base += before
    json_too = [] if option in ("json", "plot", "all") or command in ("export", "predict") else ["--json"]
    plain = plain_result(tuple(base + json_too))
    for value in values:
        words = base + json_too + [spell(option)] + ([] if value is None else [value])
        got, err = result_of(words)
        if got[0] == 2:
            names = [option, option.replace("-", "_"), ALIASES.get(option, option)] + [word[2:] for word in before if word.startswith("--")]
            if any(name in err for name in names):
                return "refused"
            return f"SILENT (refused without its name: {err.strip()})"
        if got != plain:
            return "changes"
    for value in wrong:
        (code, _, _), err = result_of(base + json_too + [spell(option), value])
        if code in (2, 3) and (value in err or option.replace("-", "_") in err):
            return "validated"
    return "SILENT"


def options_of(command):
    text = run(command, "--help")[1]
    return [line.split()[0].lstrip("-") for line in text.splitlines() if re.match(r"  -", line)]


def prepare():
    make_inputs()
    for name, i in INPUTS.items():
        labels = ["--pheno", "pheno"] if name == "vcf" else []
        code, _, err = run("fit", i.path, *labels, "-K", "2", "-M", "2", "--prove", "-o", f"{name}.json", "--certificate", f"{name}.txt", "--quiet")
        assert code == 0, err
    code, _, err = run("model", "bits.csv", "--form", "bp1", "-K", "2", "-M", "2", "-o", "m.mps", "--quiet")
    assert code == 0, err


def main():
    prepare()
    cells, silent = {}, []
    only = sys.argv[3:] or COMMANDS
    for command in only:
        for name in inputs_of(command):
            rows = trials(command, INPUTS[name])
            for option in options_of(command):
                if option in COMMON:
                    continue
                if option not in rows:
                    silent.append(f"{command} {spell(option)}: no row in tests/cli/option_walk.py")
                    continue
                answer = walk_cell(command, name, INPUTS[name], option, rows[option])
                if answer.startswith("SILENT") and (command, option) in ELSEWHERE:
                    answer = "elsewhere"
                cells[answer] = cells.get(answer, 0) + 1
                if answer.startswith("SILENT"):
                    silent.append(f"{command} {spell(option)} on {name}: {answer}")
    print(json.dumps(cells))
    print("\n".join(silent))
    return 1 if silent else 0


sys.exit(main())
