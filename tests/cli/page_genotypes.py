"""The genetics of a page against the allele counts of a .raw file: page_genotypes.py PAGE RAW. Compared are r2 of all pairs of
the picture, and for each clause the people of each combination of genotypes and whether it asks for it."""
import collections
import html
import re
import sys

page, raw = sys.argv[1:]
text = open(page, encoding="utf-8").read()
text = text[text.index('<section id="variants">'):]
text = text[:text.index("</section>")]
lines = [line.split() for line in open(raw, encoding="utf-8")]
counts = {name: [None if row[i] == "NA" else int(row[i]) for row in lines[1:]] for i, name in enumerate(lines[0]) if i > 5}
is_case = [row[5] == "2" for row in lines[1:]]


def cells(row):
    return [html.unescape(re.sub(r"<small>.*?</small>|<[^>]*>", "", x)).strip() for x in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]


def r2(a, b):
    both = [(x, y) for x, y in zip(counts[a], counts[b]) if x is not None and y is not None]
    n, x, y = len(both), sum(a for a, _ in both), sum(b for _, b in both)
    xx, yy, xy = sum(a * a for a, _ in both), sum(b * b for _, b in both), sum(a * b for a, b in both)
    return (n * xy - x * y) ** 2 / ((n * xx - x * x) * (n * yy - y * y))


tables = re.findall(r"<table.*?</table>", text, re.S)
ld = next(t for t in tables if ">r2</th>" in t)
rows = [cells(row) for row in re.findall(r"<tr>.*?</tr>", ld, re.S)]
n_pairs = 0
for row in rows[1:]:
    for other, shown in zip(rows[0][1:], row[1:]):
        assert abs(float(shown) - r2(row[0], other)) <= 0.00501, (row[0], other, shown)
        n_pairs += 1
assert n_pairs > 5, n_pairs

clauses = [t for t in tables if "<caption>Clause" in t]
assert clauses
alleles = {}
for row in re.findall(r"<tr>.*?</tr>", tables[0], re.S)[1:]:
    name, _, both, *_ = cells(row)
    alleles[name] = [x.strip() for x in both.split(",")]
for table in clauses:
    caption = re.search(r"<caption>.*?</caption>", table, re.S).group()
    literals = [("!" if sign else "") + name for sign, name in re.findall(r"(<i>not</i> )?<code>(.*?)</code>", caption)]
    rows = re.findall(r"<tr>.*?</tr>", table, re.S)
    names = cells(rows[0])[:-5]
    wanted = collections.Counter(
        (tuple(counts[name][i] for name in names), is_case[i]) for i in range(len(is_case)))
    seen = 0
    for row in rows[1:]:
        values = cells(row)
        genotypes = []
        for name, shown in zip(names, values):
            counted, other = alleles[name]
            genotypes.append({f"{other}/{other}": 0, f"{counted}/{other}": 1, f"{counted}/{counted}": 2, "\u2013": None}[shown])
        holds = all(g is not None and (g >= (2 if literal.endswith(":rec") else 1)) != literal.startswith("!")
                    for name, g in zip(names, genotypes) for literal in literals if literal.lstrip("!").rsplit(":", 1)[0] == name)
        assert values[len(names)] == ("yes" if holds else "no"), (values, literals)
        cases, controls = int(values[len(names) + 1]), int(values[len(names) + 2])
        assert (cases, controls) == (wanted[tuple(genotypes), True], wanted[tuple(genotypes), False]), values
        seen += cases + controls
    assert seen == len(is_case), (seen, len(is_case))
print(n_pairs, "pairs and", len(clauses), "clauses agree")
