"""The page RESULTS.md, its pictures and README's table, all made from CSV files.

page.md beside this program has the words; a line `@table NAME` of it stands for a table of the race (peers.csv), `@csv FILE` for a file of
bench/results as it is, `@short` for the table that README has too. --check compares what is there with what the files make.
"""
import csv
import os
import platform
import re
import shutil
import sys
import textwrap

WIDTH = 100  # columns of a document
NUMBERS = r"[-+>]?[\d.,]+( (to|of|/) >?[\d.,]+)?( \([^)]*\))?"  # cells that stand to the right
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "paper"))
import svg
import race
import tables


def read_csv(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def with_commas(cell):
    """Whole numbers of five digits and more are easier to read so."""
    return re.sub(r"(?<![\d.])\d{5,}(?![\d.])", lambda found: f"{int(found.group(0)):,}", cell)


def markdown(heads, rows):
    """Columns of numbers stand to the right."""
    def is_right(j):
        cells = [row[j] for row in rows if row[j]]
        return bool(cells) and all(re.fullmatch(NUMBERS, cell) for cell in cells)

    line = "| " + " | ".join("---:" if is_right(j) else "---" for j in range(len(heads))) + " |"
    return ["| " + " | ".join(heads) + " |", line, *("| " + " | ".join(with_commas(cell) for cell in row) + " |" for row in rows)]


def csv_table(path):
    if not os.path.exists(path):
        return ["Not run here."]
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return markdown(rows[0], rows[1:])


def machine_rows(folder):
    return {row["what"]: row["is"] for row in read_csv(os.path.join(folder, "machine.csv"))}


class Page:
    def __init__(self, rows_path, results):
        self.results = results
        self.rows = tables.Rows(race.read_rows(rows_path), read_csv(f"{results}/published.csv"))
        self.paper = tables.Paper(read_csv(f"{results}/paper.csv"), read_csv(os.path.join(HERE, "..", "paper", "sets.csv")))
        self.machine = machine_rows(os.path.dirname(rows_path))
        self.earlier = {row["what"]: row["figure"] for row in read_csv(f"{results}/earlier.csv")}

    def short(self):
        """What README shows: a figure of the race, or one of an earlier run where the race has none."""
        found = {what: figure or self.earlier.get(what) for what, figure in tables.short(self.rows, self.paper)}
        return markdown(["what", "figure"], [[what, figure] for what, figure in found.items() if figure])

    def lines(self):
        with open(os.path.join(HERE, "page.md")) as file:
            for line in file.read().splitlines():
                word, _, rest = line.partition(" ")
                if word == "@short":
                    yield from self.short()
                elif word == "@csv":
                    yield from csv_table(os.path.join(self.results, rest))
                elif word == "@table":
                    made = getattr(tables, rest)(self.paper if rest == "paper" else self.rows)
                    yield from markdown(*made) if made[1] else ["Not run here."]
                elif word == "@machine":
                    yield from self.about_machine()
                else:
                    yield line

    def about_machine(self):
        commits = sorted({row["commit"] for row in self.rows.rows})
        of = self.machine
        words = f"Machine of the race: {of.get('cores', '?')} cores of {of.get('cpu', 'a machine that was not noted')}, {of.get('system', '')}; commit {', '.join(commits) or 'none'}."
        claims = {}
        for row in self.rows.rows:
            claims.setdefault(row.get("machine") or of.get("cpu", "?"), set()).add(row["claim"])
        if len(claims) > 1:
            words += " Not all rows are of one machine: " + "; ".join(f"{', '.join(sorted(some))} on {name}" for name, some in sorted(claims.items())) + "."
        yield from textwrap.wrap(" ".join((words, tables.absent(self.rows), tables.agreement(self.rows))), WIDTH)

    def pictures(self):
        yield "models.svg", cactus("The paper's models", tables.solved(self.rows, "models"))
        yield "trees.svg", cactus("Rules and trees, proven", tables.solved(self.rows, "trees"))
        growth = read_csv(f"{self.results}/growth.csv")
        for what, label in (("N", "samples"), ("J", "features")):
            points = [(float(row["value"]), float(row["processor s"])) for row in growth if row["what"] == what and row["value"] != "exponent"]
            yield f"growth_{label}.svg", lines(f"Processor seconds against {label}", label, [("fit", points)])


def limits_of(points):
    values = [value for value in points if value > 0] or [1]
    low, high = min(values), max(values)
    while low <= min(values) and 10 ** round_down(low) < low:
        low = 10 ** round_down(low)
    return low, max(high, low * 10)


def round_down(value):
    power = 0
    while 10 ** power > value:
        power -= 1
    while 10 ** (power + 1) <= value:
        power += 1
    return power


def lines(title, x_label, curves, y_label="seconds", is_log_y=True, is_step=False):
    """Curves (label, points) over a logarithmic axis."""
    xs, ys = ([point[i] for _, points in curves for point in points] for i in (0, 1))
    x = svg.axis_x(*limits_of(xs), True)
    y = svg.axis_y(*(limits_of(ys) if is_log_y else (0, max(ys, default=1))), is_log_y)
    body = []
    for i, (label, points) in enumerate(curves):
        colour, path = (*svg.LINES, "#555", "#c27ba0")[i % 6], ""
        for a, b in sorted(points):
            path += f"{'L' if path else 'M'}{x.at(a):.1f} {y.at(b):.1f}" if not is_step or not path else f"H{x.at(a):.1f}V{y.at(b):.1f}"
        body.append(f'<path d="{path or "M0 0"}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        body.append(svg.text(svg.WIDTH - svg.RIGHT - 4, svg.HEIGHT - svg.BOTTOM - 10 - 14 * i, label, "end", f'fill="{colour}"'))
    return svg.frame(title, x_label, y_label, body, x, y)


def cactus(title, curves):
    """Curves (label, seconds of what was proven): how many are within how many seconds."""
    return lines(title, "processor seconds", [(label, [(max(s, 0.001), k) for k, s in enumerate(sorted(times), 1)]) for label, times in curves], "proven", False, True)


def with_table(path, table):
    """The document with its table of figures replaced."""
    with open(path) as file:
        text = file.read()
    return re.sub(r"\| what \| figure \|\n(\|.*\n)+", lambda _: "\n".join(table) + "\n", text)


def note_machine(folder):
    """Written by a race: what it ran on."""
    cpu = platform.processor() or "unknown"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            text = file.read()
        cpu = (re.search(r"model name\s*:\s*(.*)", text) or [0, cpu])[1] + (" with AVX-512" if "avx512bw" in text else "")
    rows = [("what", "is"), ("cpu", cpu.replace(",", "")), ("cores", os.cpu_count()), ("system", f"{platform.system()} {platform.machine()}")]
    with open(os.path.join(folder, "machine.csv"), "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def merge(source, target):
    """Rows of a race into those that are kept; a row of the same claim, task, contestant and round is replaced."""
    before = machine_rows(os.path.dirname(target)).get("cpu", "")  # of rows that do not name theirs
    kept = [{**row, "machine": row.get("machine") or before} for row in race.read_rows(target)]
    rows = {tuple(row[field] for field in race.KEY): row for row in kept + race.read_rows(source)}
    with open(target, "w", newline="") as file:
        writer = csv.DictWriter(file, race.FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows.values(), key=lambda row: (row["claim"], row["task"], row["contestant"], int(row["round"]))))


def record(arguments):
    """The rows of the last races go to the folder of results."""
    merge(os.path.join(arguments.folder, "peers.csv"), os.path.join(arguments.results, "peers.csv"))
    shutil.copy(os.path.join(arguments.folder, "machine.csv"), arguments.results)
    if os.path.exists(arguments.paper):
        shutil.copy(arguments.paper, os.path.join(arguments.results, "paper.csv"))


def write(arguments):
    if arguments.record:
        record(arguments)
    folder = arguments.folder if arguments.preview else arguments.results
    page = Page(os.path.join(folder, "peers.csv"), arguments.results)
    made = {os.path.join(folder, "RESULTS.md"): "\n".join(page.lines()) + "\n"}
    made.update({os.path.join(folder, name): text for name, text in page.pictures()})
    if not arguments.preview:
        made[arguments.readme] = with_table(arguments.readme, page.short())
    different = [path for path, text in made.items() if not os.path.exists(path) or open(path).read() != text]
    if arguments.check:
        for path in different:
            print(f"{path} is not what the CSV files of {arguments.results} make: make bench-page")
        return 1 if different else 0
    for path in different:
        with open(path, "w") as file:
            file.write(made[path])
        print(path)
    return 0
