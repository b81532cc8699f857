"""The rows of the race as tables: for each claim heads and cells."""
import re
import statistics

import contestants
import tasks

OUR_MODELS = "ireland solve"


def seconds(value):
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def extra(row, name):
    found = re.search(rf"(?:^|;){name}=([^;]*)", row["extra"]) if row else None
    return found.group(1) if found else ""


class Rows:
    """Rows by claim, task and contestant, and what was published."""

    def __init__(self, rows, published):
        self.rows, self.published = [row for row in rows if not row["status"].startswith("absent")], published
        self.gone = sorted({row["contestant"] for row in rows if row["status"].startswith("absent")} - {row["contestant"] for row in self.rows})

    def of(self, claim, task, contestant):
        return sorted((row for row in self.rows if (row["claim"], row["task"], row["contestant"]) == (claim, task, contestant)), key=lambda row: int(row["round"]))

    def tasks(self, claim):
        """In the order in which they are asked; of those that are asked no longer nothing is told."""
        there = {row["task"] for row in self.rows if row["claim"] == claim}
        return [task.name for task in tasks.all_tasks() if task.claim == claim and task.name in there]

    def contestants(self, claim):
        there = {row["contestant"] for row in self.rows if row["claim"] == claim}
        return [one.name for one in contestants.OURS + contestants.PEERS if one.name in there]

    def cpu(self, claim, task, contestant):
        """The median of what ended; None: it did not."""
        times = [float(row["cpu"]) for row in self.of(claim, task, contestant) if row["status"] in ("proven", "done")]
        return statistics.median(times) if times else None

    def first(self, claim, task, contestant):
        rows = self.of(claim, task, contestant)
        return rows[0] if rows else None


def cell(rows, claim, task, contestant):
    row = rows.first(claim, task, contestant)
    if row is None:
        return ""
    taken = rows.cpu(claim, task, contestant)
    return seconds(taken) if taken is not None else ">" + seconds(float(row["cpu"])) if row["status"] == "limit" else row["status"]


def span(cells):
    """A range of cells of several tasks."""
    cells = [text for text in cells if text]
    values = sorted(cells, key=lambda text: (text.startswith(">"), number(text.lstrip(">")) or 0))
    if not values:
        return ""
    return values[0] if values[0] == values[-1] else f"{values[0]} to {values[-1]}"


def ratio(rows, claim, tasks, ours, peers):
    """The best peer's seconds over ours, round by round: smallest and largest; what reached its limit counts with it."""
    ratios, is_open = [], False
    for task in tasks:
        mine = {row["round"]: float(row["cpu"]) for row in rows.of(claim, task, ours) if row["status"] in ("proven", "done")}
        best = [(rows.cpu(claim, task, peer), peer) for peer in peers if rows.first(claim, task, peer)]
        ended = [pair for pair in best if pair[0] is not None]
        if not mine or not best:
            continue
        if ended:
            theirs = {row["round"]: float(row["cpu"]) for row in rows.of(claim, task, min(ended)[1])}
            ratios += [theirs[k] / max(mine[k], 0.001) for k in mine if k in theirs]
        else:
            is_open = True
            most = max(float(rows.first(claim, task, peer)["cpu"]) for _, peer in best)
            ratios += [most / max(taken, 0.001) for taken in mine.values()]
    if not ratios:
        return ""
    low, high = (f"{value:.2g}" if value < 10 else f"{value:.0f}" for value in (min(ratios), max(ratios)))
    return (">" if is_open else "") + (low if low == high else f"{low} to {high}")


def groups(tasks):
    """Tasks that differ in the form alone."""
    found = {}
    for task in tasks:
        found.setdefault(re.sub(r"^BP\d ", "BP ", task), []).append(task)
    return found


def models(rows):
    ours = [name for name in (OUR_MODELS, "ireland fit --plain --no-start") if name in rows.contestants("models")]
    peers = [name for name in rows.contestants("models") if not name.startswith("ireland")]
    table = []
    for name, tasks in groups(rows.tasks("models")).items():
        cells = [span([cell(rows, "models", task, contestant) for task in tasks]) for contestant in ours + peers]
        table.append([name + (f" ({len(tasks)} forms)" if len(tasks) > 1 else ""), *cells, ratio(rows, "models", tasks, OUR_MODELS, peers)])
    return ["model", *(name.replace("ireland ", "") for name in ours), *peers, "best peer / solve"], table


def speed(rows):
    table, seeds = [], []
    for task in rows.tasks("speed"):
        some = [row for name in rows.contestants("speed") for row in rows.of("speed", task, name)]
        if "seed" in task:
            seeds += some
            continue
        table.append(speed_row(task, some))
    if seeds:
        table.append(speed_row(re.sub(", seed.*", f", {len(seeds)} seeds", seeds[0]["task"]), seeds))
    return ["data", "planted error", "found", "wall s", "processor s", "MB"], table


def speed_row(task, some):
    walls = [float(row["wall"]) for row in some]
    error = sorted({f"{float(row['value']):.6g}" for row in some if row["value"]})
    planted = sorted({extra(row, "planted") for row in some})
    return [task, "-".join(planted), "-".join(error), f"{seconds(statistics.median(walls))} ({seconds(min(walls))} to {seconds(max(walls))})",
            seconds(statistics.median(float(row["cpu"]) for row in some)), max((row["peak_mb"] for row in some), key=float)]


def trees(rows):
    names = list(dict.fromkeys(task.split(",")[0] for task in rows.tasks("trees")))
    table = []
    for name in names:
        cells = [name]
        for depth in (2, 3):
            task = f"{name}, depth {depth}"
            for who in ("STreeD", "ireland fit --prove"):
                row = rows.first("trees", task, who) or published(rows, "trees", task, who)
                is_open = row and row["status"] == "limit"
                cells += [row["value"] if row else "", f"bound {float(row['bound']):.0f}" if is_open and row["bound"] else cell(rows, "trees", task, who) or (row or {}).get("cpu", "")]
        table.append(cells)
    return ["set", "tree, depth 2", "s", "rule (2, 2)", "s", "tree, depth 3", "s", "rule (4, 3)", "s"], table


def published(rows, claim, task, who):
    return next((row for row in rows.published if (row["claim"], row["task"], row["contestant"]) == (claim, task, who)), None)


def against(rows, claim, ours, peer):
    table = []
    for task in rows.tasks(claim):
        first = [rows.first(claim, task, name) or {"value": ""} for name in (ours, peer)]
        table.append([task, first[0]["value"], cell(rows, claim, task, ours), first[1]["value"], cell(rows, claim, task, peer), ratio(rows, claim, [task], ours, [peer])])
    return table


def literals(rows):
    return ["data", "balanced accuracy", "s", "EXPLORE's", "its s", "ratio"], against(rows, "literals", "ireland fit --prove", "EXPLORE")


def lists(rows):
    return ["data", "errors", "s", "CORELS' errors", "its s", "ratio"], against(rows, "lists", "ireland fit --prove", "CORELS")


def pairs(rows):
    who = rows.contestants("pairs")
    table = []
    for task in rows.tasks("pairs"):
        for name in who:
            row, taken = rows.first("pairs", task, name), rows.cpu("pairs", task, name)
            if row:
                table.append([task, name, cell(rows, "pairs", task, name), f"{float(row['value']) / taken / 1e6:.1f}" if taken else ""])
    return ["work", "program", "s", "million a second"], table


def learners(rows):
    who = rows.contestants("learners")
    table, columns = [], {name: {} for name in who}
    for task in rows.tasks("learners"):
        cells = [task]
        for name in who:
            row = rows.first("learners", task, name)
            value = number(row["value"]) if row else None
            if value is not None:
                columns[name][task] = value
            cells.append("" if row is None else f"{value:.1f}" if value is not None else row["status"].split(":")[0])
        table.append(cells)
    common = [task for task in rows.tasks("learners") if all(task in columns[name] for name in who)]
    if common:
        table.append([f"mean of the {len(common)} that all have", *(f"{statistics.fmean(columns[name][task] for task in common):.1f}" for name in who)])
        table.append(["processor s of these", *(f"{sum(rows.cpu('learners', task, name) or 0 for task in common):.0f}" for name in who)])
    return ["data", *who], table


def brcg(rows):
    table = []
    for task in rows.tasks("brcg"):
        row = rows.first("brcg", task, "ireland fit --method brcg")
        found = [other for other in rows.published if other["claim"] == "brcg" and other["task"] == task]
        gap = f"{extra(row, 'loss')} / {row['bound']}"
        table.append([task, *(("; ".join(other[field] for other in found)) for field in ("value", "loss", "cpu")), row["value"], gap, extra(row, "longest"), extra(row, "proven") + " of 5"])
    return ["data", "published accuracy", "loss / LP", "s a fold", "accuracy", "loss / bound", "longest s", "folds proven"], table


def within(rows):
    table = []
    for task in rows.tasks("within"):
        row = rows.first("within", task, "ireland fit --all-optimal --within")
        other = next((found for found in rows.published if found["claim"] == "within" and found["task"] == task), {"value": "", "cpu": ""})
        table.append([task, other["value"], other["cpu"], row["value"], cell(rows, "within", task, row["contestant"])])
    return ["data", "published", "its s", "rules", "s"], table


def agreement(rows):
    """Who proves the same question must have the same value; those of EXPLORE are rounded."""
    asked, differ = 0, []
    for claim in ("models", "literals"):
        for task in rows.tasks(claim):
            found = {name: number(row["value"]) for name in rows.contestants(claim) if (row := rows.first(claim, task, name)) and row["status"] == "proven"}
            values = [value for value in found.values() if value is not None]
            asked += len(values) > 1
            if values and max(values) - min(values) > 2e-4 * (1 + max(values) * (claim == "models") * 0.01):
                differ.append(f"{task}: {found}")
    return f"Of {asked} questions that two or more proved, all have one value." if not differ else "CONTRADICTION: " + "; ".join(differ)


def absent(rows):
    return "Not there, so not asked: " + (", ".join(rows.gone) if rows.gone else "none of those known") + "."


def solved(rows, claim):
    """Curves for a cactus plot."""
    return [(name, [taken for task in rows.tasks(claim) if (taken := rows.cpu(claim, task, name)) is not None and rows.first(claim, task, name)["status"] == "proven"])
            for name in rows.contestants(claim)]


class Paper:
    """Runs of bench/paper, those with a method's own options: of several of a set and method the one with the longest limit counts."""

    def __init__(self, runs, sets):
        self.planted = {row["name"]: float(row["planted"]) for row in sets}
        self.runs = {}
        for row in runs:
            key, is_tuning = (row["instance"], row["method"]), "--paper-sample" in row["options"]
            if row["status"] and not is_tuning and row["instance"] in self.planted and float(row["limit"]) >= float(self.runs.get(key, row)["limit"]):
                self.runs[key] = row

    def is_good(self, row):
        """The planted error or less, which is 0 without noise."""
        return row["objective"] != "" and float(row["objective"]) <= self.planted[row["instance"]] * (1 + 1e-9) + 1e-9

    def reached(self):
        """Of how many sets our default reaches the planted error, of how many."""
        rows = [*self.all("ireland", False), *self.all("ireland", True)]
        return sum(self.is_good(row) for row in rows), len(rows)

    def all(self, method, is_noisy):
        return [row for (name, how), row in self.runs.items() if how == method and (not name.endswith("_e0")) == is_noisy]

    def n_sets(self, is_noisy):
        return sum((not name.endswith("_e0")) == is_noisy for name in self.planted)

    def words(self, methods, is_noisy):
        """What a collection came to, of the sets that were run and, if those are not all, of how many; of several methods least and most."""
        found = [rows for rows in (self.all(method, is_noisy) for method in methods) if rows]
        if not found:
            return "not run"
        good, proven, n = ([count(rows) for rows in found] for count in (
            lambda rows: sum(map(self.is_good, rows)), lambda rows: sum(row["status"] == "optimal" for row in rows), len))
        of_all = "" if min(n) == self.n_sets(is_noisy) else f" (of {self.n_sets(is_noisy)})"
        return f"{span(good)} of {span(n)}{of_all}; {span(proven)} proven"


def span(numbers):
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


# The experiments of bench/paper that tell of errors, and their methods; where a method has two names, they are two of one kind.
EXPERIMENTS = (("h", "ireland", ("ireland",)), ("c, d", "bp1", ("bp1",)), ("c, d", "the paper's loop", ("ireland-paper-0", "ireland-paper")), ("e", "brcg", ("brcg",)),
               ("a", "bp1 to bp6, binary and relaxed", tuple(f"bp{i}-{kind}" for i in range(1, 7) for kind in ("binary", "relaxed"))))


def paper(runs):
    table = []
    for letter, what, methods in EXPERIMENTS:
        rows = [row for method in methods for is_noisy in (False, True) for row in runs.all(method, is_noisy)]
        if not rows:
            continue
        times = [float(row["cpu_seconds"] or 0) for row in rows]
        table.append([letter, what, runs.words(methods, False), runs.words(methods, True), seconds(statistics.median(times)), seconds(max(times)),
                      span([int(float(row["limit"])) for row in rows])])
    return ["", "method", "error 0, no noise", "planted error or less, noise", "median s", "most s", "limit s"], table


# ---- README ----

def planted_words(some):
    good = all(float(row["value"]) <= float(extra(row, "planted")) * (1 + 1e-6) + 1e-9 for row in some)
    if not good:
        return "not the planted error on all"
    return "zero error" if all(float(row["value"]) == 0 for row in some) else "the planted rule's error"


def short(rows, runs):
    """(what, figure); a figure is empty where the race has no rows."""
    speeds = {task: rows.of("speed", task, "ireland fit") or rows.of("speed", task, "ireland fit --prove --certificate") for task in rows.tasks("speed")}
    for task, what in (("10,000 x 10,000, K = 10, M = 4, 5 % noise", "`fit`, 10,000 x 10,000, K = 10, M = 4, 5 % noise"),
                       ("seed", "`fit`, 2,000 x 10,000, K = 20, M = 5, no noise, ten seeds"),
                       ("1,000,000 x 1,000, K = 5, M = 3, 2.5 % noise", "`fit`, 1,000,000 x 1,000, K = 5, M = 3, 2.5 % noise")):
        some = speeds.get(task) or [row for name, found in speeds.items() if task in name and task == "seed" for row in found]
        walls = [float(row["wall"]) for row in some]
        times = "" if not walls else f"{seconds(min(walls))} to {seconds(max(walls))}" if task == "seed" else seconds(statistics.median(walls))
        yield what, f"{planted_words(some)} in {times} s" if walls else ""
    some = speeds.get("10,000 x 10,000, K = 3, M = 3, 2.5 % noise, proven", [])
    is_proven = some and all(row["status"] == "proven" for row in some)
    yield "`fit --prove --certificate`, 10,000 x 10,000, K = M = 3, 2.5 % noise", (
        f"proven in {seconds(statistics.median(float(row['wall']) for row in some))} s" if is_proven else "")
    reached, all_sets = runs.reached()
    yield "`fit`, the paper's 128 sets without and 118 with noise", (
        f"the planted error or less on {'all ' if reached == all_sets else f'{reached} of '}{all_sets}" if all_sets == 246 else "")
    yield from short_peers(rows)


def short_peers(rows):
    asked = [task for task in rows.tasks("models") if rows.first("models", task, OUR_MODELS)]
    peers = [name for name in rows.contestants("models") if not name.startswith("ireland")]
    mine = [task for task in asked if rows.cpu("models", task, OUR_MODELS) is not None]
    theirs = [task for task in asked if any(rows.cpu("models", task, peer) is not None for peer in peers)]
    times = [min(rows.cpu("models", task, peer) for peer in peers if rows.cpu("models", task, peer) is not None) / max(rows.cpu("models", task, OUR_MODELS), 0.001)
             for task in theirs if task in mine]
    yield f"`solve` beside cbc, glpsol and HiGHS, {len(asked)} models", (
        f"{len(mine)} proven, they {len(theirs)}; {statistics.median(times):.0f} times as fast" if times else "")
    pairs_of = [(rows.first("trees", task, "ireland fit --prove"), rows.first("trees", task, "STreeD")) for task in rows.tasks("trees") if "depth 2" in task]
    both = [(a, b) for a, b in pairs_of if a and b and a["value"] and b["value"]]
    proven, fewer = sum(a["status"] == "proven" for a, _ in both), sum(int(a["value"]) < int(b["value"]) for a, b in both)
    worse = sum(int(a["value"]) > int(b["value"]) for a, b in both)
    yield "`fit --prove`, K = M = 2, beside STreeD's trees of depth 2", (
        f"{proven} of {len(both)} proven, fewer errors on {fewer}{f', MORE on {worse}' if worse else ''}" if both else "")
