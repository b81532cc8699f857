"""What is asked, claim by claim. Planted data are made by `ireland generate`; data and tables that are not part of this repository are looked
for in the folders --shared (datasets/*.csv) and --peers (what came with a peer), and a task without them is skipped."""
import json
import os
import pickle
import random
import subprocess

import folds

FOLDERS = {"ireland": "./ireland", "work": "build/bench/peers", "shared": "../shared", "peers": ""}


def run_ireland(*words):
    subprocess.run([FOLDERS["ireland"], *(str(word) for word in words), "--quiet"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def need(*paths):
    """The first of them that exists."""
    for path in paths:
        if os.path.exists(path):
            return path
    raise LookupError("there is no " + " and no ".join(paths))


class Task:
    """A question to all contestants of a claim. limit: seconds of each; rounds: how often it is repeated at most."""
    threads, rounds, limit = 1, 5, 30

    def __init__(self, claim, name, **more):
        self.claim, self.name = claim, name
        self.__dict__.update(more)

    def prepare(self):
        pass

    def words(self):
        return []


class Planted(Task):
    """Data with a rule in it: N, J, K, M, noise, seed."""
    M, noise, seed, is_exact = 3, 0, 1, True

    def stem(self):
        return f"{FOLDERS['work']}/planted-{self.N}-{self.J}-{self.K}-{self.M}-{self.noise}-{self.seed}{'e' if self.is_exact else ''}"

    def data(self):
        return self.stem() + ".irb"

    def sizes(self):
        return ["-K", self.K, "-M", self.M]

    def words(self):
        return self.sizes()

    def prepare(self):
        if not os.path.exists(self.data()):
            os.makedirs(FOLDERS["work"], exist_ok=True)
            run_ireland("generate", "-N", self.N, "-J", self.J, *self.sizes(), *(["--exact-size"] if self.is_exact else []), "--noise", self.noise, "--seed",
                        self.seed, "-o", self.data(), "--rule", self.stem() + ".json")

    def planted(self):
        said = subprocess.run([FOLDERS["ireland"], "evaluate", self.stem() + ".json", self.data(), "--json", "--quiet"], stdout=subprocess.PIPE, text=True).stdout
        return f"planted={json.loads(said)['weighted_error']:.6g}"


class Model(Planted):
    """A model of the paper as a file: bp1 to bp6; sp: the best clause within a budget of controls; mp: the best choice from a pool."""
    budget, pool, has_rule, least = 0, 0, True, 3

    def stem_of_model(self):
        return f"{self.stem()}-{self.form}-{self.budget}-{self.pool}-{self.least}{'' if self.has_rule else 'x'}"

    def model(self, kind):
        return f"{self.stem_of_model()}.{kind}"

    def prepare(self):
        super().prepare()
        more = {"sp": ["--budget", self.budget], "mp": ["--pool", self.stem_of_model() + ".pool"]}.get(self.form, ["--plain"])
        if self.form == "mp":
            self.make_pool()
        for kind in ("mps", "lp"):
            if not os.path.exists(self.model(kind)):
                run_ireland("model", self.data(), *self.sizes(), "--form", self.form, *more, "-o", self.model(kind))

    def make_pool(self):
        """Random clauses, with the planted ones among them or without."""
        draw, clauses = random.Random(self.seed), []
        with open(self.stem() + ".json") as file:
            planted = [sorted(clause, key=lambda name: int(name[1:])) for clause in json.load(file)["clauses"]]
        if self.has_rule:
            clauses = list(planted)
        while len(clauses) < self.pool:
            clause = [f"f{j}" for j in sorted(draw.sample(range(1, self.J + 1), draw.randint(self.least, self.M)))]
            if clause not in clauses and clause not in planted:
                clauses.append(clause)
        said = subprocess.run([FOLDERS["ireland"], "info", self.data(), "--json"], stdout=subprocess.PIPE, text=True).stdout
        with open(self.stem_of_model() + ".pool", "w") as file:
            json.dump({"format": "ireland-pool", "version": 1, "checksum": json.loads(said)["checksum"], "M": self.M, "negations": False, "clauses": clauses}, file)


class Speed(Planted):
    """Whole commands, learning alone, on all cores."""
    threads, is_proof, limit = os.cpu_count(), False, 120


class Table(Task):
    """A 0/1 table of STreeD: trees of a depth, and rules of the size that every such tree has."""
    limit = 60

    def prepare(self):
        self.source = need(f"{FOLDERS['peers']}/pystreed/data/classification/{self.set}.csv", f"{FOLDERS['peers']}/streed/{self.set}.csv")
        with open(self.source) as file:
            rows = [line.split() for line in file if line.strip()]
        self.N = len(rows)
        os.makedirs(FOLDERS["work"], exist_ok=True)
        if not os.path.exists(self.data()):
            folds.write(self.data(), [f"f{j}" for j in range(1, len(rows[0]))] + ["y"], [[*row[1:], row[0]] for row in rows])

    def data(self):
        return f"{FOLDERS['work']}/table-{self.set}.csv"

    def words(self):
        return ["-K", 2 ** (self.depth - 1), "-M", self.depth, "--negations", "--weights", "unit"]

    def value(self, found):
        return found["confusion"]["fp"] + found["confusion"]["fn"]


class Lists(Task):
    """CORELS' own data: its mined antecedents for it, the columns that they were mined from for us."""
    limit, penalty = 30, 0.005

    def prepare(self):
        folder = need(f"{FOLDERS['peers']}/corels/data")
        self.files = [f"{folder}/compas_train.{end}" for end in ("out", "label", "minor")]
        names, rows = folds.read(f"{folder}/compas_train-binary.csv")
        self.N = len(rows)
        os.makedirs(FOLDERS["work"], exist_ok=True)
        folds.write(self.data(), [f"c{j}" for j in range(len(names) - 1)] + ["y"], rows)

    def data(self):
        return f"{FOLDERS['work']}/corels.csv"

    def words(self):
        return ["-K", self.K, "-M", 2, "--negations", "--weights", "unit"]

    def value(self, found):
        return found["confusion"]["fp"] + found["confusion"]["fn"]


class Literals(Task):
    """The best rule of L literals in all, by balanced accuracy; EXPLORE tries the columns both ways at their cuts."""
    limit = 60

    def prepare(self):
        source = need(f"{FOLDERS['shared']}/datasets/{self.set}.csv")
        names, rows = folds.read(source)
        names[-1] = "y"
        heads, (coded, _) = folds.code(names, rows, [], folds.bit_coder)
        os.makedirs(FOLDERS["work"], exist_ok=True)
        folds.write(self.data(), heads, coded)
        with open(self.data()[:-3] + "arff", "w") as file:
            file.write("@relation d\n" + "".join(f"@attribute {head} numeric\n" for head in heads[:-1]) + '@attribute y {"0","1"}\n@data\n')
            for row in coded:
                file.write(",".join(map(str, row[:-1])) + f',"{row[-1]}"\n')

    def data(self):
        return f"{FOLDERS['work']}/literals-{self.set}.csv"

    def words(self):
        return ["-K", self.L, "-M", self.L, "--max-literals", self.L, "--negations"]

    def value(self, found):
        return f"{found['balanced_accuracy']:.4f}"

    def project(self, result):
        sections = {
            "General": f"Name=d;Remarks=d;DataFile={os.path.abspath(self.data())[:-3]}arff;Output=File;OutputFile={os.path.abspath(result)};IncrementalOutputFile=false",
            "Setup": f"PartitionMethod=RESUBSTITUTION;Randomize=no;StartRulelength=1;EndRulelength={self.L};LearnRatio=0.8;NumberofPartitions=3;"
                     'OperatorMethod=EXHAUSTIVE;CutoffMethod=RVAC;CutoffFile=none;ClassFeature=y;PositiveClass="1"',
            "Restrictions": "Rule=;FeatureInclude=;FeatureRule=",
            "Constraints": "Maximize=BALANCEDACCURACY;Accuracy=;Specificity=;BalancedAccuracy=;F1score=",
            "Output": "OutputMethod=BEST;PrintSettings=no;PrintPartitions=no;PrintFeatureOperators=no;PrintCutoffMethod=no;PrintCutoffValues=no;PrintOperatorMethod=no;"
                      "PrintOperatorValues=no;PrintCombinations=no;PrintFeatureSets=no;PrintCutoffSets=no;PrintPerformance=yes;PrintSets=no;SavePartitions=no",
            "Run": "Subsumption=yes;BranchBound=yes;Parallel=no"}
        return "".join(f"[{name}]\n" + lines.replace(";", "\n") + "\n" for name, lines in sections.items())


class Learners(Task):
    """Accuracy on samples that were not learnt from: ten folds, the same for all."""
    limit, folds, rounds, is_small = 300, 10, 1, True

    def prepare(self):
        self.folder = f"{FOLDERS['work']}/folds-{self.set}"
        if not os.path.exists(self.file(f"bits.test.{self.folds - 1}.csv")):
            folds.make(need(f"data/{self.set}.csv", f"{FOLDERS['shared']}/datasets/{self.set}.csv"), self.folder, self.folds)

    def file(self, name):
        return f"{self.folder}/{name}"


class Pairs(Task):
    """All sets of two (or three) SNPs, counted in cases and controls."""
    limit, order = 120, 2

    def prepare(self):
        self.pairs = self.snps * (self.snps - 1) // 2 * ((self.snps - 2) if self.order == 3 else 3) // 3
        os.makedirs(FOLDERS["work"], exist_ok=True)
        if not os.path.exists(self.data() + ".bed"):
            subprocess.run(["plink1.9", "--dummy", str(self.samples), str(self.snps), "--seed", "1", "--make-bed", "--out", self.data()], check=True, stdout=subprocess.DEVNULL)

    def data(self):
        return f"{FOLDERS['work']}/snps-{self.snps}-{self.samples}"


class Generated(Task):
    """Column generation beside runs with Gurobi that were published with their data (their folds were drawn anew each time)."""
    folds, rounds, limit = 5, 1, 10

    def prepare(self):
        self.source = need(f"{FOLDERS['peers']}/brcgruns/data/{self.set}.csv")


class Within(Task):
    """All choices from the 104 mined rules that were published with BBenum whose errors and penalty are at most 0.25 of the samples; each
    mined rule is a column, so a clause of one literal is one of them, and a clause and a literal cost half of its penalty each."""
    limit, penalty, most = 60, 0.05, 0.25

    def prepare(self):
        rules = read_mined(need(f"{FOLDERS['peers']}/rashomon/rules_compas_104"))
        with open(need(f"{FOLDERS['peers']}/rashomon/compas_test.label")) as file:
            labels = file.read().splitlines()[1].split()[1:]
        os.makedirs(FOLDERS["work"], exist_ok=True)
        folds.write(self.data(), [f"r{i}" for i in range(len(rules))] + ["y"], [[*(bits >> n & 1 for bits in rules), y] for n, y in enumerate(labels)])

    def data(self):
        return f"{FOLDERS['work']}/mined.csv"

    def words(self):
        within = self.most / self.penalty - 1 + 1e-5  # the best choice is one rule without an error
        return ["-K", 5, "-M", 1, "--weights", "unit", "--penalty", self.penalty / 2, "--prove", "--all-optimal", 1000000, "--within", within, "--count-within", "--validate", "none"]

    def value(self, found):
        count = found["within_count"]
        return f"{count['rules']:,} in all{'' if count['complete'] else ', more'}; {len(found['rules'])} tight{'' if found['rules_complete'] else ', more'}"


class Mined(pickle.Unpickler):
    """Reads the published file as data: nothing of it is called but this."""

    def find_class(self, module, name):
        if name == "Rule":
            return type("Rule", (), {"__setstate__": lambda rule, state: rule.__dict__.update(state)})
        if name == "from_binary":
            return lambda number: int.from_bytes(number[2:], "little")
        raise ValueError(f"{module}.{name} in a file of rules")


def read_mined(path):
    """The samples that each rule covers, as bits of a number."""
    with open(path, "rb") as file:
        return [rule.truthtable for rule in Mined(file).load()]


def models():
    """Those first that no peer is known to solve."""
    sizes = [(200, 100, 0, False, 60, ("bp4", "bp1")), (500, 100, 0, False, 30, ("bp4", "bp1")), (100, 50, 0.05, True, 30, ("bp4", "bp1")),
             (100, 50, 0, False, 30, ("bp4", "bp1")), (100, 50, 0, True, 30, ("bp4", "bp1"))]
    for N, J, noise, exact, limit, forms in sizes:
        for form in forms:
            yield Model("models", f"{form.upper()} {N} x {J}, K = 3{', three literals' if exact else ''}{', 5 % noise' if noise else ''}", N=N, J=J, K=3, noise=noise,
                        is_exact=exact, form=form, limit=limit)
    for N, J, K, noise, budget in ((500, 500, 5, 0.025, 0.02), (200, 100, 3, 0, 0.02), (200, 100, 3, 0, 0)):
        yield Model("models", f"SP {N} x {J}, K = {K}, budget {100 * budget:g} %", N=N, J=J, K=K, noise=noise, form="sp", budget=budget, limit=20)
    for N, pool, has_rule, least in ((2000, 500, True, 3), (500, 500, True, 3), (2000, 200, True, 3), (500, 50, False, 3), (500, 50, False, 1)):
        more = "" if has_rule else ", without the rule" + ("" if least == 3 else ", 1 to 3 literals")
        yield Model("models", f"MP {N} samples, pool {pool}{more}", N=N, J=50, K=5, noise=0.025, form="mp", pool=pool, has_rule=has_rule, least=least, limit=20)
    for noise in (0.05, 0):
        for i in range(1, 7):
            yield Model("models", f"BP{i} 50 x 20, K = 2{', 5 % noise' if noise else ''}", N=50, J=20, K=2, noise=noise, is_exact=bool(noise), form=f"bp{i}", limit=20)


def speed():
    """What README tells."""
    for N, J, K, M, noise in ((10000, 10000, 5, 3, 0), (10000, 10000, 10, 4, 0.05), (1000000, 1000, 5, 3, 0.025), (1000, 1000, 10, 4, 0.025), (5000, 5000, 5, 4, 0.05)):
        yield Speed("speed", f"{N:,} x {J:,}, K = {K}, M = {M}{f', {100 * noise:g} % noise' if noise else ''}", N=N, J=J, K=K, M=M, noise=noise)
    for N, J, K, M, noise in ((10000, 10000, 3, 3, 0.025), (5000, 3000, 5, 4, 0.025), (1000, 1000, 3, 3, 0.05), (10000, 1000, 5, 3, 0.05), (2000, 500, 8, 3, 0.025)):
        yield Speed("speed", f"{N:,} x {J:,}, K = {K}, M = {M}, {100 * noise:g} % noise, proven", N=N, J=J, K=K, M=M, noise=noise, is_proof=True)
    for seed in range(1001, 1011):
        yield Speed("speed", f"2,000 x 10,000, K = 20, M = 5, seed {seed}", N=2000, J=10000, K=20, M=5, seed=seed, rounds=1)


TABLES = ("anneal audiology australian-credit breast-wisconsin diabetes german-credit heart-cleveland hepatitis hypothyroid ionosphere kr-vs-kp lymph mushroom pendigits "
          "primary-tumor segment soybean splice-1 tic-tac-toe vehicle vote yeast").split()
SETS = ("heart_cleveland tic_tac_toe spect house_votes_84 transfusion pima ilpd monks1 monks2 monks3 ionosphere wdbc compas_binary hiv_pi_lpv splice_ei "
        "mushroom golub_leukemia").split()
LARGE_SETS = "compas_binary hiv_pi_lpv splice_ei mushroom ionosphere wdbc golub_leukemia".split()


def all_tasks():
    """In the order in which a round goes through them: largest claims first, and what takes longest at the end.
    Speed is the very first: to the peak of a program's memory counts what the process that starts it has then, which grows."""
    yield from speed()
    yield from models()
    for depth in (2, 3):
        for name in TABLES:
            yield Table("trees", f"{name}, depth {depth}", set=name, depth=depth, rounds=3 if depth == 2 else 1)
    for name, C, limit in (("heart", 12, 10), ("ilpd", 12, 10), ("bank", 25, 10), ("fico_clean", 15, 60), ("fico_clean", 18, 60)):
        yield Generated("brcg", f"{name}, C = {C}", set=name, C=C, limit=limit)
    yield Within("within", "compas, 104 mined rules, 0.25", rounds=3)
    for name, most in (("spect", 5), ("compas_binary", 5), ("house_votes_84", 4), ("pima", 4), ("heart_cleveland", 4)):
        for L in range(3, most + 1):
            yield Literals("literals", f"{name}, {L} literals", set=name, L=L, rounds=3)
    for penalty in (0.015, 0.005):
        yield Lists("lists", f"compas, penalty {penalty}", K=3, penalty=penalty, rounds=3)
    yield Pairs("pairs", "all pairs of 10,000 SNPs, 2,000 people", snps=10000, samples=2000, rounds=3)
    yield Pairs("pairs", "all triples of 300 SNPs, 2,000 people", snps=300, samples=2000, order=3, rounds=3)
    for name in SETS:
        yield Learners("learners", name, set=name, is_small=name not in LARGE_SETS)
