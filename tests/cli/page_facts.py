"""The figures of a page against the samples themselves: page_facts.py PAGE RULE TRAIN TEST, where TRAIN and TEST are
CSV files of the samples that the rule was learnt from and of those that were held out. The rule's clauses are applied by
code of this file; patterns, matrices, likelihood ratios, predictive values and the columns are compared."""
import csv
import json
import math
import re
import sys
from html.parser import HTMLParser

page, rule_file, train_file, test_file = sys.argv[1:]


class Tables(HTMLParser):
    """All tables as rows of cells, by the id of the section around them."""

    def __init__(self):
        super().__init__()
        self.tables, self.section, self.cell, self.small = {}, None, None, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "section":
            self.section = attrs.get("id")
        elif tag == "table":
            self.tables.setdefault(self.section, []).append([])
        elif tag == "tr":
            self.tables[self.section][-1].append([])
        elif tag in ("td", "th"):
            self.cell = ""
            self.tables[self.section][-1][-1].append("")
        elif tag == "small" and self.cell is not None:
            self.tables[self.section][-1][-1][-1] += " | "

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.tables[self.section][-1][-1][-1] += data


def number(text):
    return float(re.search(r"-?[0-9.]+", text).group())


def holds(literal, row):
    negated, literal = literal.startswith("!"), literal.lstrip("!")
    for sign in ("<=", ">", "!=", "="):
        name, found, value = literal.partition(f" {sign} ")
        if found:
            cell = row[name]
            if cell == "":
                return False
            return {"<=": lambda: float(cell) <= float(value), ">": lambda: float(cell) > float(value),
                    "=": lambda: cell == value, "!=": lambda: cell != value}[sign]()
    return row[literal] == ("0" if negated else "1")


def load(name):
    with open(name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def wilson(hits, n):
    z = 1.959963984540054
    p, middle = hits / n, (hits / n + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0, middle - half) if hits else 0, min(1, middle + half) if hits < n else 1


tables = Tables()
tables.feed(open(page, encoding="utf-8").read())
clauses = json.load(open(rule_file, encoding="utf-8"))["clauses"]
parts = [load(train_file), load(test_file)]
seen = [{}, {}]
counts = [[0, 0, 0, 0], [0, 0, 0, 0]]  # tp, fp, fn, tn
for part, rows in enumerate(parts):
    for row in rows:
        pattern = tuple(all(holds(literal, row) for literal in clause) for clause in clauses)
        is_case = row["ill"] == "yes"
        seen[part].setdefault(pattern, [0, 0])[is_case] += 1
        counts[part][(0 if is_case else 1) if any(pattern) else (2 if is_case else 3)] += 1

# The matrices: held out first.
for part, table in ((1, tables.tables["confusion"][0]), (0, tables.tables["confusion"][1])):
    tp, fp, fn, tn = counts[part]
    assert [int(x) for x in table[1][1:]] == [tp, fp, tp + fp], (table, counts[part])
    assert [int(x) for x in table[2][1:]] == [fn, tn, fn + tn]

# The patterns.
rows = tables.tables["patterns"][0][1:]
assert len(rows) == len(seen[0]), (rows, seen)
for row in rows:
    pattern = tuple(cell == "yes" for cell in row[:len(clauses)])
    controls, cases = seen[0][pattern]
    assert [int(x) for x in row[len(clauses):len(clauses) + 2]] == [cases, controls]
    share, low, high = (number(x) for x in re.split(r"\||to", row[len(clauses) + 3]))
    expected = [100 * x for x in (cases / (cases + controls), *wilson(cases, cases + controls))]
    assert all(abs(a - b) <= 0.0501 for a, b in zip((share, low, high), expected)), (row, expected)
    held = seen[1].get(pattern)
    if held:
        assert abs(number(row[-1]) - 100 * held[1] / sum(held)) <= 0.0501, row

# Large figures and ratios are those of the samples that were held out.
tp, fp, fn, tn = counts[1]
sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
figures = {row[0].split(" | ")[0].strip(): row[1] for row in tables.tables["worth"][0][1:]}
assert abs(number(figures["sensitivity"]) - 100 * sensitivity) <= 0.0501
assert abs(number(figures["specificity"]) - 100 * specificity) <= 0.0501
if fp:
    assert abs(number(figures["likelihood ratio +"]) / (sensitivity / (1 - specificity)) - 1) < 0.006
text = open(page, encoding="utf-8").read()
large = [float(x) for x in re.findall(r"<dd><b>([0-9.]+)", text)]
for got, wanted in zip(large, ((sensitivity + specificity) / 2, sensitivity, specificity)):
    assert abs(got - 100 * wanted) <= 0.0501, (large, sensitivity, specificity)

# Predictive values at some prevalences.
for row in tables.tables["prevalence"][0][2:]:
    p = number(row[0]) / 100
    hits, alarms, misses = p * sensitivity, (1 - p) * (1 - specificity), p * (1 - sensitivity)
    assert abs(number(row[1]) - 100 * hits / (hits + alarms)) <= 0.0501, row
    assert abs(number(row[2]) - 100 * (1 - p - alarms) / (1 - p - alarms + misses)) <= 0.0501, row

# Columns: missing values of the whole file, and each literal of the rule among cut points and values.
columns = {row[0]: row for table in tables.tables["columns"] for row in table[1:]}
for name in parts[0][0]:
    if name in ("ill", "row"):
        continue
    missing = sum(row[name] == "" for rows in parts for row in rows)
    assert int(columns[name][2]) == missing, (name, columns[name], missing)
for clause in clauses:
    for literal in clause:
        name, *value = re.split(r" (?:<=|>|!=|=) ", literal.lstrip("!"))
        assert name in {row[0] for row in tables.tables["columns"][0][1:]}, literal
        if value:
            assert value[0] in re.split(r"[ ,]+", columns[name][3]), (literal, columns[name])
print("all figures agree")
