"""Exported rules, run in this process, against the attack's own predictions."""
import ctypes
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess


def cell(column, i):
    """The value as readers give it: a number, the text of a CSV, or for 0 and 1 a Boolean."""
    value = column.values[i]
    if column.kind == "cat" or i % 3 == 0:
        return value
    if i % 3 == 1:
        return "" if value is None else str(value)
    return bool(value) if value in (0, 1) else value


def python_says(text, problem, n):
    scope = {}
    exec(compile(text, "export", "exec"), scope)
    return [scope["predict"]({c.name: cell(c, i) for c in problem.raw.values()}) for i in range(n)]


def sql_says(text, problem, n):
    base = sqlite3.connect(":memory:")
    columns = list(problem.raw.values())
    base.execute("create table t (%s)" % ", ".join('"%s" %s' % (c.name, "text" if c.kind == "cat" else "real") for c in columns))
    for i in range(n):
        base.execute("insert into t values (%s)" % ",".join("?" * len(columns)), [c.values[i] for c in columns])
    return [row[0] for row in base.execute("select %s from t order by rowid" % text.strip().rstrip(";"))]


def javascript_says(text, problem, n):
    """None where there is no node."""
    if not shutil.which("node"):
        return None
    rows = json.dumps([{c.name: cell(c, i) for c in problem.raw.values()} for i in range(n)])
    program = "%s\nfor (const row of %s) console.log(predict(row));\n" % (text, rows)
    return [int(line) for line in subprocess.run(["node", "-"], input=program, capture_output=True, text=True, check=True).stdout.split()]


def names_of(text, array):
    match = re.search(r"%s\[\] = \{(.*?)\}" % array, text)
    return re.findall(r'"([^"]*)"', match[1]) if match else None


n_libraries = 0


def c_says(text, problem, n, folder):
    """None where there is no compiler."""
    if not shutil.which("cc"):
        return None
    global n_libraries
    n_libraries += 1  # a library of the same name would be taken for the one that is loaded
    source, library = os.path.join(folder, "rule.c"), os.path.join(folder, "rule%d-%d.so" % (os.getpid(), n_libraries))
    with open(source, "w") as file:
        file.write(text)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", source, "-o", library], check=True)
    predict = ctypes.CDLL(library).rule_predict
    features, said = names_of(text, "rule_features"), []
    if features and any(problem.raw[name].values[i] is None for name in features for i in range(n)):
        return None  # a rule for 0 and 1 alone has no word for a missing value
    for i in range(n):
        if features is not None:
            cells = [int(problem.raw[name].values[i]) for name in features]
            said.append(predict((ctypes.c_int * len(cells))(*cells)))
            continue
        numbers = [problem.raw[name].values[i] for name in names_of(text, "rule_numbers")]
        texts = [problem.raw[name].values[i] for name in names_of(text, "rule_texts")]
        said.append(predict((ctypes.c_double * (len(numbers) or 1))(*[math.nan if x is None else x for x in numbers]),
                            (ctypes.c_char_p * (len(texts) or 1))(*[None if x is None else x.encode() for x in texts])))
    return said
