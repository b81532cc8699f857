"""Who can be asked: ireland in its ways, and the peers. A peer is an entry of PEERS with the claims it takes part in, where it is looked for,
and a function of a few lines that asks it and reads its answer. Programs are found on the PATH and in the folder of --peers and its bin."""
import functools
import json
import os
import re
import shutil
import subprocess
import sys

import folds

SETTINGS = {"ireland": "./ireland", "programs": "build/plain/bench", "peers": ""}
HERE = os.path.dirname(os.path.abspath(__file__))


class Contestant:
    def __init__(self, name, claims, solve, find, asks=lambda task: True, said=None):
        self.name, self.claims, self.solve, self.find, self.asks, self.said = name, claims.split(), solve, find, asks, said

    def missing(self, task):
        return "" if self.find() else "not found"

    def takes(self, task):
        return task.claim in self.claims and self.asks(task)

    def threads(self, task):
        return task.threads if self.name.startswith("ireland") else 1

    @functools.lru_cache(None)
    def version(self):
        """The first number with a dot that it says of itself, or what versions.txt beside the peers says (lines: name, tab, version)."""
        if not self.said:
            path = os.path.join(SETTINGS["peers"], "versions.txt")
            lines = open(path).read().splitlines() if os.path.exists(path) else []
            return dict(line.split("\t") for line in lines if "\t" in line).get(self.name, "")
        said = subprocess.run(self.said(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL, timeout=60).stdout
        found = re.search(r"\d+\.\d[\w.~-]*", said)
        return found.group(0) if found else ""


def of(task):
    """The contestants of a task."""
    return [contestant for contestant in OURS + PEERS if contestant.takes(task)]


# ---- where things are ----

def program(name):
    for folder in (SETTINGS["peers"], os.path.join(SETTINGS["peers"], "bin")):
        path = os.path.join(folder, name)
        if SETTINGS["peers"] and os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return shutil.which(name)


def finder(name):
    return lambda: program(name)


def own():
    return SETTINGS["ireland"]


def bench_program(name):
    path = os.path.join(SETTINGS["programs"], name)
    return path if os.access(path, os.X_OK) else None


@functools.lru_cache(None)
def highs_package():
    """The folder of npm's highs, WebAssembly for node."""
    for folder in (os.path.join(SETTINGS["peers"], "node_modules"), "node_modules", "/usr/share/nodejs", "/usr/local/lib/node_modules"):
        if shutil.which("node") and os.path.isdir(os.path.join(folder, "highs")):
            return os.path.abspath(os.path.join(folder, "highs"))
    return None


def weka_jar():
    for path in (os.path.join(SETTINGS["peers"], "weka.jar"), "/usr/share/java/weka.jar"):
        if shutil.which("java") and os.path.exists(path):
            return path
    return None


@functools.lru_cache(None)
def python_with(module):
    """A Python that has the module, of the machine or under the folder of peers."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", "import " + module], stderr=subprocess.DEVNULL, env=python_path()).returncode == 0:
            return python
    return None


def python_path():
    return {**os.environ, "PYTHONPATH": os.path.join(SETTINGS["peers"], "wittgenstein")}


@functools.lru_cache(None)
def r_with(package):
    if not shutil.which("Rscript"):
        return None
    found = subprocess.run(["Rscript", "-e", f"cat(requireNamespace('{package}', quietly = TRUE))"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           env={**os.environ, **r_path()})
    return "Rscript" if found.stdout.strip() == "TRUE" else None


def r_path():
    return {"R_LIBS": os.path.abspath(os.path.join(SETTINGS["peers"], "rlib"))}


# ---- ireland ----

def ask_ireland(box, task, *words):
    ended = box.run([own(), *words, "--threads", task.threads, "--time-limit", task.limit, "--json", "--quiet"])
    return json.loads(ended.output)


def status_of(found):
    return {"optimal": "proven", "limit": "limit"}.get(found["status"], "done")


def by_solve(_, task, box):
    found = ask_ireland(box, task, "solve", task.model("mps"))
    return {"status": status_of(found), "value": whole(found["objective"]), "bound": found["bound"]}


def by_fit(_, task, box):
    """The model, built by fit from the data; neither the clause engine nor a start."""
    found = ask_ireland(box, task, "fit", task.data(), *task.sizes(), "--method", task.form, "--plain", "--no-start", "--validate", "none")
    return {"status": status_of(found), "value": whole(found["objective"] * task.N), "bound": found["bound"] * task.N}


def by_clause(_, task, box):
    found = ask_ireland(box, task, "clause", task.data(), "-M", task.M, "--budget", task.budget, "--prove")
    return {"status": status_of(found), "value": whole(found["objective"] or 0), "bound": found["bound"]}


def by_proof(_, task, box):
    """The best rule, proven: what a user asks."""
    found = ask_ireland(box, task, "fit", task.data(), *task.words(), "--prove", "--validate", "none")
    return {"status": status_of(found), "value": task.value(found), "bound": found["bound"]}


def by_default(_, task, box):
    found = ask_ireland(box, task, "fit", task.data(), *task.words())
    return {"status": "proven" if found["status"] == "optimal" else "done", "value": found["weighted_error"], "bound": found["bound"], "extra": task.planted()}


def by_certificate(_, task, box):
    found = ask_ireland(box, task, "fit", task.data(), *task.words(), "--prove", "--validate", "none", "--certificate", box.path("proof"))
    return {"status": status_of(found), "value": found["weighted_error"], "bound": found["bound"], "extra": task.planted()}


def by_pairs(_, task, box):
    ended = box.run([bench_program("pairs"), task.data() + ".bed", 1])
    took = re.search(r": ([\d.]+) s, ([\d.]+)", ended.output)
    return {"status": "done", "value": task.pairs, "extra": f"counting={took.group(2)}"}


def by_brcg(_, task, box):
    return folds.by_brcg(own(), task, box)


def by_within(_, task, box):
    found = ask_ireland(box, task, "fit", task.data(), *task.words())
    return {"status": status_of(found), "value": task.value(found), "bound": found["bound"]}


def learner(_, task, box):
    return folds.score(task, folds.ours(own(), task, box))


OURS = [
    Contestant("ireland solve", "models", by_solve, own),
    Contestant("ireland fit --plain --no-start", "models", by_fit, own, lambda task: task.form.startswith("bp")),
    Contestant("ireland clause --prove", "models", by_clause, own, lambda task: task.form == "sp"),
    Contestant("ireland fit --prove", "trees lists literals", by_proof, own),
    Contestant("ireland fit", "speed", by_default, own, lambda task: not task.is_proof),
    Contestant("ireland fit --prove --certificate", "speed", by_certificate, own, lambda task: task.is_proof),
    Contestant("ireland cv, fit", "learners", learner, own),
    Contestant("ireland fit --method brcg", "brcg", by_brcg, own),
    Contestant("ireland fit --all-optimal --within", "within", by_within, own),
    Contestant("ireland, all pairs", "pairs", by_pairs, lambda: bench_program("pairs"), lambda task: task.order == 2),
]


# ---- general solvers ----

def whole(value):
    return round(value) if value is not None and abs(value - round(value)) < 1e-6 * (1 + abs(value)) else value


def last_number(pattern, text):
    found = re.findall(pattern + r"\s*([-+.\deE]+)", text)
    return float(found[-1]) if found else None


def solved(is_proven, value, bound=None):
    return {"status": "proven" if is_proven else "limit", "value": "" if value is None else whole(abs(value)), "bound": "" if bound is None else abs(bound)}


def glpsol(peer, task, box):
    ended = box.run([peer.find(), "--lp", task.model("lp"), "--tmlim", int(task.limit), "-o", box.path("solution")])
    text = open(box.path("solution")).read() if os.path.exists(box.path("solution")) else ""
    value = last_number(r"Objective:\s+\S+ =", text) if "INTEGER" in text and "UNDEFINED" not in text else None
    return solved("INTEGER OPTIMAL" in text, value, last_number(r"[<>]=", ended.output))


def cbc(peer, task, box):
    ended = box.run([peer.find(), task.model("lp"), "-ratio", "0", "-sec", int(task.limit), "-timeMode", "cpu", "-solve", "-quit"])
    value = last_number(r"Objective value:", ended.output) if "No feasible solution found" not in ended.output else None
    return solved("Optimal solution found" in ended.output, value, last_number(r"(?:Lower|Upper) bound:", ended.output))


HIGHS = """require(process.argv[1])().then(h => { const r = h.solve(require("fs").readFileSync(process.argv[2], "utf8"),
  {mip_rel_gap: 0, mip_abs_gap: 0, threads: 1, time_limit: Number(process.argv[3])}); console.log(r.Status, "objective", r.ObjectiveValue) })"""


def highs(peer, task, box):
    ended = box.run(["node", "--stack-size=4000", "-e", HIGHS, peer.find(), task.model("lp"), task.limit])
    return solved(ended.output.startswith("Optimal"), last_number("objective", ended.output))


# ---- exact learners ----

def streed(peer, task, box):
    ended = box.run([peer.find(), "-task", "accuracy", "-file", task.source, "-max-depth", task.depth, "-max-num-nodes", 2 ** task.depth - 1, "-time", task.limit])
    share = float(re.search(r"Solution 0:\s+\d+\s+\d+\s+([\d.]+)", ended.output).group(1))
    return {"status": "limit" if "No proof of optimality" in ended.output else "proven", "value": round((1 - share) * task.N)}


def corels(peer, task, box):
    os.makedirs(box.path("logs/here"), exist_ok=True)
    program_path, files = os.path.abspath(peer.find()), [os.path.abspath(path) for path in task.files]
    command = f"cd '{box.path('logs/here')}' && exec '{program_path}' -r {task.penalty} -c 2 -p 1 -n 2000000 {' '.join(files)}"
    ended = box.run(["sh", "-c", command])
    share = last_number("final accuracy:", ended.output)
    left = last_number("minimum lower bound in queue:", ended.output)
    return {"status": "limit" if "max number of nodes" in ended.output else "proven", "value": round((1 - share) * task.N), "extra": f"queue={left}"}


def explore(peer, task, box):
    with open(box.path("task.project"), "w") as file:
        file.write(task.project(box.path("result")))
    ended = box.run([peer.find(), box.path("task.project")])
    text = open(box.path("result")).read()
    found = re.findall(r"SE:([\d.]+) SP:([\d.]+)", text)
    if ended.code or not found:
        return {"status": "limit"}
    return {"status": "proven", "value": f"{(float(found[-1][0]) + float(found[-1][1])) / 200:.4f}"}


# ---- learners that promise no optimum ----

def jrip(peer, task, box):
    said = []
    for k in range(task.folds):
        ended = box.run(["java", "-Xss16m", "-cp", peer.find(), "weka.classifiers.rules.JRip", "-t", task.file(f"train.{k}.arff"), "-T", task.file(f"test.{k}.arff"), "-p", "0"])
        said.append([int(label) for label in re.findall(r"^\s*\d+\s+\d+:\S+\s+\d+:(\d)", ended.output, re.M)])
    return folds.score(task, said)


def predictions(ended):
    return [[int(label) for label in line.split()[1]] for line in ended.output.splitlines() if line.startswith("fold ")]


def python_learner(module, kind):
    def solve(_, task, box):
        return folds.score(task, predictions(box.run([python_with(module), os.path.join(HERE, "learn.py"), kind, task.folder, task.folds], **python_path())))
    return solve


def r_learner(package):
    def solve(_, task, box):
        return folds.score(task, predictions(box.run(["Rscript", os.path.join(HERE, "learn.R"), package, task.folder, task.folds], **r_path())))
    return solve


# ---- genetics ----

def plink(peer, task, box):
    ended = box.run([peer.find(), "--bfile", task.data(), "--fast-epistasis", "boost", "--epi1", "1e-12", "--threads", 1, "--out", box.path("found")])
    return {"status": "done" if not ended.code else "failed: exit code %d" % ended.code, "value": task.pairs}


def bitepi(peer, task, box):
    ended = box.run([peer.find(), "-i", task.data(), "-bfile", "-o", box.path("found"), "-t", 1, f"-b{task.order}", 10])
    return {"status": "done" if not ended.code else "failed: exit code %d" % ended.code, "value": task.pairs}


PEERS = [
    Contestant("cbc", "models", cbc, finder("cbc"), said=lambda: [program("cbc"), "-quit"]),
    Contestant("glpsol", "models", glpsol, finder("glpsol"), said=lambda: [program("glpsol"), "--version"]),
    Contestant("HiGHS (wasm)", "models", highs, highs_package, said=lambda: ["node", "-p", f"require('{highs_package()}/package.json').version"]),
    Contestant("STreeD", "trees", streed, finder("streed")),
    Contestant("CORELS", "lists", corels, finder("corels")),
    Contestant("EXPLORE", "literals", explore, finder("explore")),
    Contestant("JRip", "learners", jrip, weka_jar, said=lambda: ["java", "-cp", weka_jar(), "weka.core.Version"]),
    Contestant("scikit-learn tree", "learners", python_learner("sklearn", "tree"), lambda: python_with("sklearn"),
               said=lambda: [python_with("sklearn"), "-c", "import sklearn; print(sklearn.__version__)"]),
    Contestant("wittgenstein", "learners", python_learner("wittgenstein", "ripper"), lambda: python_with("wittgenstein"), lambda task: task.is_small),
    Contestant("LogicReg", "learners", r_learner("LogicReg"), lambda: r_with("LogicReg"), lambda task: task.is_small,
               said=lambda: ["env", *(f"{k}={v}" for k, v in r_path().items()), "Rscript", "-e", "packageVersion('LogicReg')"]),
    Contestant("logicDT", "learners", r_learner("logicDT"), lambda: r_with("logicDT"), lambda task: task.is_small,
               said=lambda: ["env", *(f"{k}={v}" for k, v in r_path().items()), "Rscript", "-e", "packageVersion('logicDT')"]),
    Contestant("plink1.9 boost", "pairs", plink, finder("plink1.9"), lambda task: task.order == 2, said=lambda: [program("plink1.9"), "--version"]),
    Contestant("BitEpi", "pairs", bitepi, finder("BitEpi")),
]
