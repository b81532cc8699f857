"""Rules with hostile names and categories through every export, run by its language, against `ireland predict`.

hostile_export.py IRELAND FOLDER CC RULES SEED prints a line PASS, FAIL or SKIP for each language.
"""
import json, os, random, re, shutil, subprocess, sys

ireland, folder, compiler, n_rules, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
draw = random.Random(seed)
os.makedirs(folder, exist_ok=True)
PIECES = [b"'", b'"', b"''", b'""', b"\\", b"\\'", b'\\"', b"\\\\", b"\\n", b"\\x41", b"\\u0041", b"\\101", b"??/", b"???", b"?", b"\x1b]0;owned\x07", b"\x01",
          b"7", b"\x7f", b"\r", b"\n", b"\r\n", b"\t", b"\xc2\x85", b"\xc2\x9b", b"\xe2\x80\xa8", b"\xe2\x80\xae", "é".encode(), "漢".encode(), "😀".encode(),
          b"\xff", b"\xe9", b"\xc3", b"\xed\xa0\x80", b"--", b"/*", b"*/", b"//", b"#", b"%s", b"%n", b"$1", b"${x}", b"`", b"</script>", b"{", b"}", b";",
          b") THEN 1 ELSE 1 END --", b" OR 1=1", b"a b", b"A", b",", b"=", b"<", b"e9"]
WORDS = [b"constructor", b"__proto__", b"toString", b"hasOwnProperty", b"None", b"NULL", b"NaN", b"if", b"x"]
CELLS = [word for word in WORDS if word not in (b"None", b"NULL", b"NaN")]  # these are missing values


def hostile(taken, words=WORDS):
    while True:
        text = b"q" + b"".join(draw.choice(PIECES) for _ in range(draw.randint(1, 6))) + b"q"
        if draw.random() < 0.15: text = draw.choice(words)
        key = text.lower() if text.isascii() else text
        if key not in taken:
            taken.add(key)
            return text


def as_text(raw):  # as in the JSON of rules
    return raw.decode("utf-8", "surrogateescape")


class Case:
    def __init__(self, is_raw):
        taken, self.is_raw = {b"label"}, is_raw
        n = draw.randint(2, 5)
        self.columns = [hostile(taken) for _ in range(n)]
        self.kinds = [draw.choice(["number", "text", "bit"]) if is_raw else "bit" for _ in range(n)]
        if is_raw: self.kinds[0] = "text"
        self.values = [[hostile(set(), CELLS) for _ in range(draw.randint(2, 4))] for _ in range(n)]
        self.literals, names = [], set()
        for _ in range(draw.randint(2, 8)):
            self.literals.append(self.draw_literal(names))
        self.clauses = [[(draw.randrange(len(self.literals)), draw.random() < 0.3) for _ in range(draw.randint(1, 3))] for _ in range(draw.randint(1, 4))]
        self.rows = [[self.draw_cell(j) for j in range(n)] for _ in range(60)]

    def draw_literal(self, names):
        j = draw.randrange(len(self.columns))
        literal = {"column": j}
        if not self.is_raw: return {"name": self.columns[j], "column": j, "is": "is 1"}
        literal["name"] = hostile(names)
        kind = self.kinds[j]
        literal["is"] = draw.choice({"number": ["<=", ">"], "text": ["=", "!="], "bit": ["is 1", "is 0"]}[kind])
        if kind == "number": literal["value"] = draw.randint(-3, 3) + 0.5
        if kind == "text": literal["value"] = draw.choice(self.values[j])
        if draw.random() < 0.3: literal["missing"] = draw.random() < 0.5
        return literal

    def draw_cell(self, j):
        if self.is_raw and draw.random() < 0.15: return b""
        kind = self.kinds[j]
        return draw.choice(self.values[j]) if kind == "text" else str(draw.randint(-4, 4)).encode() if kind == "number" else draw.choice([b"0", b"1"])

    def rule(self):
        out = {"clauses": [[("!" if negated else "") + as_text(self.literals[i]["name"]) for i, negated in clause] for clause in self.clauses]}
        if self.is_raw:
            out["literals"] = [{k: as_text(v) if isinstance(v, bytes) else as_text(self.columns[v]) if k == "column" else v for k, v in l.items()} for l in self.literals]
        return json.dumps(out)

    def csv(self):
        quote = lambda cell: b'"' + cell.replace(b'"', b'""') + b'"' if cell else b""
        lines = [self.columns + [b"label"]] + [row + [b"01"[i % 2:i % 2 + 1]] for i, row in enumerate(self.rows)]
        return b"".join(b",".join(quote(cell) for cell in line) + b"\n" for line in lines)


def save(name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
    return path


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    return done.returncode, done.stdout, done.stderr


def lines_of(command, **more):
    code, out, error = run(*command, **more)
    if code: raise RuntimeError(error.decode("utf-8", "replace")[-300:])
    return out.decode().split()


def bytes_of(raw):
    return ", ".join(str(b) for b in raw + b"\0")


def run_c(case, code):
    texts = [cell for row in case.rows for cell in row] + case.columns
    n = len(case.columns)
    main = ["#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n", code]
    main += ["static const char t%d[] = {%s};\n" % (i, ", ".join(str(b - 256 if b > 127 else b) for b in raw + b"\0")) for i, raw in enumerate(texts)]
    main.append("static const char *const cells[] = {%s};\n" % ", ".join("t%d" % i for i in range(len(texts))))
    main.append("int main(void) {\n  const int n = %d;\n  const char *const *names = cells + %d;\n  for (int r = 0; r < %d; r++) {\n" % (n, n * len(case.rows), len(case.rows)))
    if case.is_raw:
        main.append("""    double number[99]; const char *text[99];
    for (int k = 0; rule_numbers[k]; k++) for (int j = 0; j < n; j++)
      if (!strcmp(names[j], rule_numbers[k])) number[k] = *cells[r * n + j] ? strtod(cells[r * n + j], 0) : NAN;
    for (int k = 0; rule_texts[k]; k++) for (int j = 0; j < n; j++)
      if (!strcmp(names[j], rule_texts[k])) text[k] = *cells[r * n + j] ? cells[r * n + j] : 0;
    printf("%d\\n", rule_predict(number, text));
""")
    else:
        main.append("""    int x[99];
    for (unsigned k = 0; k < sizeof rule_features / sizeof *rule_features; k++) for (int j = 0; j < n; j++)
      if (!strcmp(names[j], rule_features[k])) x[k] = cells[r * n + j][0] - '0';
    printf("%d\\n", rule_predict(x));
""")
    source = save("dispatch.c", "".join(main) + "  }\n  return 0;\n}\n")
    for standard in ["-std=c99", "-std=gnu11"]:  # the first one has trigraphs
        code, _, error = run(compiler, standard, "-w", source, "-lm", "-o", os.path.join(folder, "main"))
        if code: raise RuntimeError(error.decode("utf-8", "replace")[:300])
        got = lines_of([os.path.join(folder, "main")])
        if standard == "-std=c99": first = got
    if first != got: raise RuntimeError("the standards differ")
    return got


def value_of(case, j, cell):
    if not case.is_raw: return int(cell)
    return None if cell == b"" else float(cell) if case.kinds[j] == "number" else int(cell) if case.kinds[j] == "bit" else as_text(cell)


def table_of(case):
    return [{as_text(case.columns[j]): value_of(case, j, cell) for j, cell in enumerate(row)} for row in case.rows]


def run_python(case, code):
    names = {}
    exec(compile(code.encode("utf-8", "surrogateescape"), "rule.py", "exec"), names)
    return [str(names["predict"](row)) for row in table_of(case)]


def run_javascript(case, code):
    source = save("main.mjs", code + "\nfor (const row of JSON.parse(%s)) console.log(predict(row));\n" % json.dumps(json.dumps(table_of(case))))
    return lines_of(["node", source])


def run_r(case, code):
    raw = lambda text: "rawToChar(as.raw(c(%s)))" % ", ".join(str(b) for b in text)
    out = [code, "d <- data.frame(row.names = 1:%d)\n" % len(case.rows)]
    for j, column in enumerate(case.columns):
        cells = [row[j] for row in case.rows]
        put = lambda cell: "NA" if cell == b"" else raw(cell) if case.kinds[j] == "text" else cell.decode()
        out.append("d[[%s]] <- c(%s)\n" % (raw(column), ", ".join(map(put, cells))))
    out.append("writeLines(as.character(predict_rule(d)))\n")
    return lines_of(["Rscript", save("main.r", "".join(out))], env=dict(os.environ, LC_ALL="C.UTF-8"))


def run_sql(case, code):
    """By Python's own SQLite, which takes no query that is not UTF-8: then nothing is compared."""
    import sqlite3
    check_backslashes(code)
    name = lambda column: '"' + column.replace('"', '""') + '"'
    kinds = {"number": "REAL", "bit": "INTEGER", "text": "TEXT"}
    try:
        base = sqlite3.connect(":memory:")
        base.execute("CREATE TABLE t (%s)" % ", ".join(name(as_text(c)) + " " + kinds[k] for c, k in zip(case.columns, case.kinds)))
        for row in case.rows:
            base.execute("INSERT INTO t VALUES (%s)" % ", ".join("?" * len(row)), [value_of(case, j, cell) for j, cell in enumerate(row)])
        return [str(row[0]) for row in base.execute("SELECT " + code + " FROM t ORDER BY rowid")]
    except UnicodeEncodeError:
        return None


def check_backslashes(code):
    """What is outside of strings is the same whether a backslash escapes or not."""
    standard = re.sub(r"'(?:[^']|'')*'", "S", code)
    escaping = re.sub(r"'(?:[^'\\]|\\.|'')*'", "S", code, flags=re.S)
    if standard != escaping: raise RuntimeError("a backslash breaks out of a string")


LANGUAGES = [("c", run_c, compiler.split()[0]), ("python", run_python, "python3"), ("javascript", run_javascript, "node"), ("r", run_r, "Rscript"), ("sql", run_sql, "python3")]
failures, n_refused, n_run = {}, 0, 0
for i in range(n_rules):
    case = Case(i % 4 != 3)
    rule, data = save("rule.json", case.rule()), save("data.csv", case.csv())
    code, out, error = run(ireland, "predict", rule, data, "--target", "label", "--decide")
    if code:
        print("FAIL predict: rule %d of seed %d: %s" % (i, seed, error.decode("utf-8", "replace")))
        sys.exit(1)
    expected = [line.split("\t")[1] for line in out.decode().split("\n")[1:] if line]
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", out + error): failures.setdefault("predict", "control characters in what it prints")
    code, text, error = run(ireland, "export", rule, "--to", "text")
    if code or re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\n.", text): failures.setdefault("text", "control characters in %r" % text)
    for language, act, tool in LANGUAGES:
        if not shutil.which(tool) or language in failures: continue
        code, out, error = run(ireland, "export", rule, "--to", language)
        used = {c for l in case.literals for c in [case.columns[l["column"]]] if any(case.literals[k] is l for clause in case.clauses for k, _ in clause)}
        if language == "sql" and any(b"\\" in column for column in used):
            n_refused += 1
            if code != 3 or b"backslash" not in error: failures["sql"] = "rule %d of seed %d: a column with a backslash is not refused" % (i, seed)
            continue
        try:
            if code: raise RuntimeError(error.decode("utf-8", "replace"))
            got = act(case, out.decode("utf-8", "surrogateescape"))
            n_run += 1
            if got is not None and got != expected: failures[language] = "rule %d of seed %d: %d of %d rows differ" % (i, seed, sum(a != b for a, b in zip(got, expected)), len(expected))
        except (RuntimeError, SyntaxError, UnicodeError, ValueError) as e:
            failures[language] = "rule %d of seed %d: %s" % (i, seed, " ".join(str(e).split()))
        if language in failures: shutil.copy(rule, os.path.join(folder, "failed_%s.json" % language)); shutil.copy(data, os.path.join(folder, "failed_%s.csv" % language))
for language, _, tool in LANGUAGES:
    if language in failures: print("FAIL %s: %s" % (language, failures[language]))
    elif shutil.which(tool): print("PASS %s" % language)
    else: print("SKIP %s: needs %s" % (language, tool))
for name in ["predict", "text"]: print("FAIL %s: %s" % (name, failures[name]) if name in failures else "PASS %s" % name)
