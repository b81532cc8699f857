"""The tool on a case: files on disk, words of the command line, a run and its answer."""
import json
import os
import subprocess

import genotypes
import tables

SECONDS = 120  # that a run on such small tables may take; longer is a finding
READING = ("target", "positive", "delimiter", "no-header", "na", "vs-rest", "decimal")
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
        if code in (2, 3) or (code == 4 and not out and "limit came while" in err):
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
        options["weight-column"] = "w"
    for name, key in (("group", "groups"), ("fold-column", "folds"), ("strata", "strata")):
        if name not in options:
            case.pop(key, None)
        elif case.get(key):
            options[name] = {"groups": "pid", "folds": "site", "strata": "pop"}[key]
    for j, (word, _) in enumerate(tables.more_columns(case) if "no-header" in options else []):
        name = {"w": "weight-column", "pid": "group", "site": "fold-column", "pop": "strata"}[word]
        options[name] = "f%d" % (len(case["columns"]) + 1 + j)
    if "vs-rest" not in options:
        other = [label for label in case["labels"] if label not in (case["positive"], "third")]
        rest = other[0] if other else dict(tables.LABELS)[case["positive"]]
        case["labels"] = [rest if label == "third" else label for label in case["labels"]]
    if "target" not in options or "no-header" in options or case["format"] in ("arff", "svm"):
        case.pop("target_at", None)
    if "target" in options:  # a column without a name has a number
        last = len(case["columns"]) + 1 + len(tables.more_columns(case))
        options["target"] = str(last) if "no-header" in options else "y"
    case["options"] = options
    return case


def is_sound(case):
    """Is this still a table? Shrinking may leave none."""
    if not case["columns"] or len({label == case["positive"] for label in case["labels"]}) < 2:
        return False
    is_empty = [all(cell is None for cell in c["cells"]) for c in case["columns"]]
    if all(is_empty) or (any(is_empty) and case["format"] in ("arff", "svm", "irb")):  # which have types of such columns, or lack them
        return False
    names = {c["name"] for c in case["columns"]}
    for name in ("only", "ignore"):
        if name in case["options"] and not set(case["options"][name].split(",")) <= names:
            return False
    for name in ("type", "types"):
        if name in case["options"] and not {item.split("=")[0] for item in case["options"][name].split(",")} <= names:
            return False
    if "one-per" in case["options"] and not {item.split("=")[0] for item in case["options"]["one-per"].split(",")} <= names:
        return False
    if "forbid" in case["options"] and not any(case["options"]["forbid"].lstrip("!").startswith(n) for n in names):
        return False
    if case["format"] in genotypes.FORMS:
        return genotypes.may_be(case)
    return case["format"] != "svm" or tables.can_be_svm(case)


class Setting:
    """A case on disk in one format, and the words of its command line."""

    def __init__(self, tool, case, form):
        self.tool, self.case, self.form = tool, case, form
        options = case["options"]
        self.more = []  # words that files of genotypes need beside their own
        if form in genotypes.FORMS:
            self.more = genotypes.write(case, form, tool.folder, tables.more_columns(case))
            path = "t." + form
        else:
            path = tables.write_table(case, form, tool.folder)
        if "types" in options:
            with open(tool.path("types.csv"), "w") as file:
                file.write("".join(item.replace("=", ",") + "\n" for item in options["types"].split(",")))
        if "one-per" in options:
            with open(tool.path("groups.txt"), "w") as file:
                file.write("".join(item.replace("=", " ") + "\n" for item in options["one-per"].split(",")))
        self.reading = [word for name in READING if name in options for word in self.words(name, options[name])]
        self.data = os.path.basename(path)
        self.refusal = None
        if form == "irb":
            typing = [w for name in ("type", "types") if name in options for w in self.words(name, options[name])]
            code, _, err = tool.run(["convert", self.data, "t.irb"] + self.reading + typing)
            self.refusal = (code, err) if code else None
            self.data, self.reading = "t.irb", []
        if form in genotypes.FORMS:
            self.reading = self.more + [word for word in self.reading if "positive" in options]
        has_types = form == "irb" or form in genotypes.FORMS
        self.options = {n: v for n, v in options.items() if not (has_types and n in READING + ("type", "types"))}

    @staticmethod
    def words(name, value):
        flag = ("-" if len(name) == 1 else "--") + name
        files = {"types": "types.csv", "one-per": "groups.txt", "save-pool": "saved.json", "pool": "pool.json", "checkpoint": "run.ck", "resume": "before.ck",
                 "start": "start.json", "certificate": "proof.txt", "report": "page.html", "csv": "curve.csv", "svg": "curve.svg"}
        if name in files:
            return [flag, files[name]]
        return [flag] if value is True else [flag, value]

    def arguments(self, without=(), more=()):
        found = [self.case["command"], self.data] + self.more
        for name, value in self.options.items():
            if name not in without:
                found += self.words(name, value)
        if "threads" not in without and "threads" not in self.options:
            found += ["--threads", "1"]
        return found + list(more)


def prepare_files(tool, setting):
    """Files that options name are made by a run before."""
    o = setting.options
    base = ["fit", setting.data] + setting.more + [w for n, v in o.items() if n in READING + ("type", "types", "ignore", "only", "forbid", "cuts", "missing",
                                    "weight-column", "strata", "het", "negations", "M", "weights", "cnf", "test", "seed", "group", "fold-column") and setting.case["command"] != "cv" for w in Setting.words(n, v)]
    if setting.case["command"] == "cv":
        base = ["fit", setting.data] + setting.more + [w for n, v in o.items() if n in READING + ("type", "types", "ignore", "only", "forbid", "cuts", "missing",
                                        "strata", "het", "negations", "group", "fold-column") for w in Setting.words(n, v)]
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


def read(tool, name):
    path = tool.path(name)
    return open(path).read() if os.path.exists(path) else None
