"""The report: a CSV file per table, an SVG file per figure, one page with all of it, and a summary in Markdown."""
import csv
import os
import platform
from html import escape

import runner
import sections
from results import Results

STYLE = """body{font:15px/1.45 sans-serif;max-width:1180px;margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:1em 0}
td,th{border:1px solid #ccc;padding:2px 8px;text-align:left}.confirmed{background:#e6f2e6}.exceeded{background:#cfe8cf}
.not-confirmed{background:#f7dada}.not-run{background:#eee}figure{display:inline-block;margin:4px}details{margin:1em 0}"""
CLAIM_HEAD = ["the paper", "verdict", "measured"]
LONG_TABLE = 30  # rows; a longer one is folded


def machine():
    model = ""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next((row.partition(":")[2].strip() for row in file if row.startswith("model name")), "")
    return f"{os.cpu_count()} cores of {model or platform.machine()}"


def facts(runs):
    """What the runs have in common and in what they differ."""
    def values(field):
        return ", ".join(sorted({row[field] for row in runs})) or "none"
    return [f"Machine: {machine()}.", f"Program: ireland {values('version')}; threads {values('threads')}; limit of a run {values('limit')} s "
            "of wall clock (the paper: 300 s for (a), four hours else; four threads, with noise 24).",
            f"{len(runs)} runs, {sum(float(row['seconds'] or 0) for row in runs) / 60:.0f} min in all; "
            f"{sum(row['status'].startswith(('crash', 'killed', 'failed', 'out of')) for row in runs)} crashed, failed or were killed."]


def cells(tag, values):
    return "<tr>" + "".join(f"<{tag}>{escape(str(value))}</{tag}>" for value in values) + "</tr>"


def html_table(table):
    body = f"<table>{cells('th', table.head)}{''.join(cells('td', row) for row in table.rows)}</table>"
    if len(table.rows) > LONG_TABLE:
        body = f"<details><summary>{table.name}: {len(table.rows)} rows</summary>{body}</details>"
    return body


def html_claims(claims):
    rows = "".join(f'<tr class="{claim.verdict.replace(" ", "-")}">' + cells("td", claim)[len("<tr>"):] for claim in claims)
    return f"<table>{cells('th', CLAIM_HEAD)}{rows}</table>"


def html_section(section):
    figures = "".join(f'<figure id="{figure.name}">{figure.svg}</figure>' for figure in section.figures)
    tables = "".join(html_table(table) for table in section.tables)
    return f"<section><h2>({section.key}) {escape(section.title)}</h2>{html_claims(section.claims)}{tables}{figures}</section>"


def html_page(made, runs):
    text = "".join(f"<p>{escape(fact)}</p>" for fact in facts(runs))
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>The paper, reproduced</title><style>{STYLE}</style></head>'
            f"<body><h1>The paper, reproduced</h1>{text}{''.join(html_section(section) for section in made)}</body></html>\n")


def markdown_table(head, rows):
    lines = ["| " + " | ".join(map(str, head)) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def markdown(made, runs):
    parts = ["# The paper, reproduced: results of a run\n", *(f"- {fact}" for fact in facts(runs)), ""]
    for section in made:
        parts += [f"## ({section.key}) {section.title}\n", markdown_table(CLAIM_HEAD, section.claims)]
        parts += [markdown_table(table.head, table.rows) for table in section.tables if table.rows]
    return "\n".join(parts)


def write(sets, arguments):
    runs = runner.read_runs(os.path.join(arguments.folder, "runs.csv"))
    made = [section(Results(runs, sets)) for section in sections.ALL]
    for section in made:
        for table in section.tables:
            with open(os.path.join(arguments.folder, table.name + ".csv"), "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([table.head, *table.rows])
        for figure in section.figures:
            with open(os.path.join(arguments.folder, figure.name + ".svg"), "w") as file:
                file.write(figure.svg)
    page = os.path.join(arguments.folder, "index.html")
    with open(page, "w") as file:
        file.write(html_page(made, runs))
    if arguments.results:
        with open(arguments.results, "w") as file:
            file.write(markdown(made, runs))
    print(page)
