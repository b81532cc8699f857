"""One section for each of the paper's experiments: what it claims, what was measured, tables and figures.

A verdict is `confirmed`, `not confirmed`, `exceeded` (where the paper gives a figure and ours is better) or `not run`. Counts are compared as
shares of the sets that were run.
"""
import collections
import statistics

import experiments
import methods
import svg
from results import TOLERANCE, better_time, better_value, paired_t_test

Section = collections.namedtuple("Section", ("key", "title", "claims", "tables", "figures"))
Claim = collections.namedtuple("Claim", ("paper", "verdict", "measured"))
Table = collections.namedtuple("Table", ("name", "head", "rows"))
Figure = collections.namedtuple("Figure", ("name", "svg"))
ALPHA = 0.05
NEARLY_ALL = 0.9
LEAST_SECONDS = 0.01  # where axes of runtimes begin


def judge(holds):
    return "confirmed" if holds else "not confirmed"


def share_claim(paper, count, of, paper_count, paper_of):
    """A count of the paper beside ours."""
    if not of:
        return Claim(paper, "not run", "")
    ours, theirs = count / of, paper_count / paper_of
    verdict = "exceeded" if ours > theirs else "confirmed" if count * paper_of == paper_count * of else "not confirmed"
    return Claim(paper, verdict, f"{count} of {of} ({100 * ours:.0f} %; the paper {100 * theirs:.0f} %)")


def claim(paper, evidence, holds, measured):
    return Claim(paper, judge(holds) if evidence else "not run", measured if evidence else "")


def mean(values):
    return statistics.fmean(values) if values else float("nan")


def number(value):
    return "" if value is None or value != value else f"{value:.4g}"


# ---- (a) ----

def formulations(results):
    runs = {name: results.all(name, methods.FITS[name], False) for form in methods.FORMS for name in (f"{form}-binary", f"{form}-relaxed")}
    names = sorted(set.intersection(*(set(found) for found in runs.values())))
    times = {method: [found[name].seconds for name in names] for method, found in runs.items()}
    rows, p_values = [], {}
    for form in methods.FORMS:
        p_values[form] = paired_t_test(times[form + "-binary"], times[form + "-relaxed"])
        solved = [sum(runs[f"{form}-{kind}"][name].is_proven for name in names) for kind in ("binary", "relaxed")]
        rows.append([form.upper(), len(names), *solved, *(number(mean(times[f"{form}-{kind}"])) for kind in ("binary", "relaxed")),
                     number(p_values[form])])
    relaxed = [mean(times[form + "-relaxed"]) for form in methods.FORMS]
    others = [paired_t_test(times["bp1-relaxed"], times[form + "-relaxed"]) for form in ("bp3", "bp5")]
    different = [form for form in methods.FORMS if p_values[form] is not None and p_values[form] < ALPHA]
    n_solved = sum(found[name].is_proven for found in runs.values() for name in names)
    means = "" if n_solved else "nothing was solved within the limit, so times say nothing; "
    means += ", ".join(f"{form.upper()} {value:.3g} s" for form, value in zip(methods.FORMS, relaxed))
    claims = [
        claim("Formulations with the constraints (AND1), BP1, BP3 and BP5, largely outperform those with (AND2).", names,
              n_solved and all(relaxed[i] < relaxed[i + 1] for i in (0, 2, 4)), f"mean runtimes, relaxed: {means}"),
        claim("The choice of OR constraints and objective does not significantly influence the solution times.", len(names) > 1,
              n_solved and all(p is not None and p >= ALPHA for p in others), f"BP1 against BP3, BP5: p = {', '.join(number(p) for p in others)}"),
        claim("All-binary and relaxed take the same time (t-test, alpha 0.05), but for BP2, where the relaxation is slower.",
              len(names) > 1, n_solved and set(different) <= {"bp2"}, f"different: {', '.join(form.upper() for form in different) or 'none'}"),
    ]
    limit = max([found[name].limit for found in runs.values() for name in names] + [1])
    figures = [Figure(f"a_{kind}", svg.boxes(f"Six formulations, {kind}", "formulation", "runtime (s)",
                                             [(form.upper(), times[f"{form}-{kind}"]) for form in methods.FORMS], LEAST_SECONDS, limit))
               for kind in ("binary", "relaxed")]
    head = ["model", "sets", "solved, binary", "solved, relaxed", "mean s, binary", "mean s, relaxed", "p, two-sided"]
    return Section("a", "Six formulations, all-binary and relaxed", claims, [Table("a_formulations", head, rows)], figures)


# ---- (b) ----

VALUE_BINS = ((TOLERANCE, "0"), (0.005, "to 0.005"), (0.05, "to 0.05"), (1.01, "more"))
TIME_BINS = ((0.1, "to 0.1"), (1, "to 1"), (10, "to 10"), (1e9, "more"))


def histogram(title, label, groups, value, bins):
    """How many of each group's results fall into each bin; groups: {name: results}."""
    counts, low = [], -1
    for high, name in bins:
        counts.append((name, [sum(low < value(result) <= high for result in found) for found in groups.values()]))
        low = high
    return svg.bars(title, label, "runs", counts, list(groups))


def tuning(results):
    found = {sample: results.all("ireland-paper-0", experiments.tuning_options(sample), False) for sample in experiments.TUNING}
    names = set.intersection(*(set(by_name) for by_name in found.values()))  # sets that were run with all settings
    groups = {f"N_s = {sample}": [by_name[name] for name in sorted(names)] for sample, by_name in found.items()}
    rows = [[name, len(found), sum(r.is_zero for r in found), number(mean([r.value for r in found])), number(mean([r.seconds for r in found])),
             number(max([r.seconds for r in found], default=None))] for name, found in groups.items()]
    values, seconds = ([mean([getattr(r, what) for r in found]) for found in groups.values()] for what in ("value", "seconds"))
    claims = [
        claim("N_s = 100 in general yields the lowest objective value and runtime.", all(groups.values()),
              values[0] <= min(values) + TOLERANCE and seconds[0] <= min(seconds),
              f"mean objective {', '.join(map(number, values))}; mean runtime {', '.join(map(number, seconds))} s for 100, 250, 500"),
    ]
    figures = [Figure("b_objective_sample", histogram("Objective by N_s", "normalised objective", groups, lambda r: r.value, VALUE_BINS)),
               Figure("b_runtime_sample", histogram("Runtime by N_s", "seconds", groups, lambda r: r.seconds, TIME_BINS))]
    head = ["setting", "runs", "zero error", "mean objective", "mean s", "worst s"]
    return Section("b", "N_s of IRELAND's paper profile", claims, [Table("b_tuning", head, rows)], figures)


# ---- comparing two methods: (c), (d), (e) ----

class Pair:
    """Two methods on the sets that both were run on."""

    def __init__(self, results, first, second, is_noisy):
        (self.first, method_a), (self.second, method_b) = first, second
        a, b = (results.all(method, methods.FITS[method], is_noisy) for method in (method_a, method_b))
        self.sets = {name: results.sets[name] for name in a if name in b}
        self.both = {name: (a[name], b[name]) for name in self.sets}

    def where(self, test):
        return {name: pair for name, pair in self.both.items() if test(self.sets[name])}

    def counts(self, names, compare):
        signs = [compare(*self.both[name]) for name in names]
        return [signs.count(sign) for sign in (-1, 0, 1)]

    def figures(self, key, title):
        limit = max([r.limit for pair in self.both.values() for r in pair] + [1])
        legend = [f"{self.first} better", "alike", f"{self.second} better"]
        drawn = [Figure(f"{key}_objective", svg.scatter(f"Objective, {title}", self.first, self.second,
                                                        [(n, a.value, b.value) for n, (a, b) in self.both.items()], 0, self.top(), False)),
                 Figure(f"{key}_runtime", svg.scatter(f"Runtime (s), {title}", self.first, self.second,
                                                      [(n, a.seconds, b.seconds) for n, (a, b) in self.both.items()], LEAST_SECONDS, limit, True))]
        for what, compare in (("objective", better_value), ("runtime", better_time)):
            for letter in "NJK":
                sizes = sorted({row[letter] for row in self.sets.values()})
                groups = [(str(size), self.counts(self.where(lambda row: row[letter] == size), compare)) for size in sizes]
                drawn.append(Figure(f"{key}_{what}_{letter}", svg.bars(f"{what} by {letter}, {title}", letter, "sets", groups, legend)))
            drawn.append(Figure(f"{key}_{what}_split", svg.bars(f"{what} by N and J, {title}", "", "sets", self.split(compare), legend)))
        return drawn

    def top(self):
        return max([r.value for pair in self.both.values() for r in pair] + [0.05])

    def split(self, compare):
        parts = {"N<1k J<=1k": (False, False), "N<1k J>1k": (False, True), "N>=1k J<=1k": (True, False), "N>=1k J>1k": (True, True)}
        return [(name, self.counts(self.where(lambda row: (row["N"] >= 1000, row["J"] > 1000) == part), compare))
                for name, part in parts.items()]

    def table(self, name):
        rows = []
        for index, method in enumerate((self.first, self.second)):
            found = [pair[index] for pair in self.both.values()]
            rows.append([method, len(found), sum(r.is_proven for r in found), sum(r.is_zero for r in found),
                         sum(not r.has_answer for r in found), number(mean([r.value for r in found])), number(mean([r.seconds for r in found]))])
        head = ["method", "sets", "ended as optimal", "zero error", "no answer", "mean objective", "mean s"]
        return Table(name, head, rows)


def never_worse(pair, names=None):
    """Sets on which the second is worse than the first."""
    return [n for n in (pair.both if names is None else names) if better_value(*pair.both[n]) < 0]


def time_claim(pair, paper, test):
    names = pair.where(test)
    first, alike, second = pair.counts(names, better_time)
    return claim(paper, names, second > first, f"IRELAND faster on {second}, alike {alike}, slower {first} of {len(names)}")


BP1 = ("BP1", "bp1")


def without_noise(results):
    pair = Pair(results, BP1, ("IRELAND", "ireland-paper-0"), False)
    a, b = ([found[i] for found in pair.both.values()] for i in (0, 1))
    worse = never_worse(pair)
    claims = [
        share_claim("BP1 found the optimal solution for 90 of 128 sets within four hours.", sum(r.is_zero for r in a), len(a), 90, 128),
        share_claim("IRELAND found the optimal solution for 119 of 128 sets within four hours.", sum(r.is_zero for r in b), len(b), 119, 128),
        claim("IRELAND's objective is never worse than BP1's.", pair.both, not worse, f"worse on {len(worse)} of {len(pair.both)}"),
        claim("BP1 ran out of memory for ten sets; IRELAND found solutions for all.", b, all(r.has_answer for r in b),
              f"no answer from BP1 on {sum(not r.has_answer for r in a)}, from IRELAND on {sum(not r.has_answer for r in b)}"),
        time_claim(pair, "For N >= 1,000 IRELAND has a clear advantage in runtime.", lambda row: row["N"] >= 1000),
        claim("For N <= 500 BP1 has lower runtimes for most sets.", pair.where(lambda row: row["N"] <= 500),
              pair.counts(pair.where(lambda row: row["N"] <= 500), better_time)[0] > len(pair.where(lambda row: row["N"] <= 500)) / 2,
              "BP1 faster, alike, slower: " + ", ".join(map(str, pair.counts(pair.where(lambda row: row["N"] <= 500), better_time)))),
    ]
    return Section("c", "BP1 against IRELAND's paper profile without noise", claims, [pair.table("c_without_noise")],
                   pair.figures("c", "no noise"))


def with_noise(results):
    pair = Pair(results, BP1, ("IRELAND", "ireland-paper"), True)
    a = [found[0] for found in pair.both.values()]
    large = pair.where(lambda row: row["N"] >= 1000)
    worse, few = never_worse(pair, large), never_worse(pair)
    claims = [
        share_claim("BP1 finished within four hours on 19 of 118 sets.", sum(r.is_proven for r in a), len(a), 19, 118),
        claim("For N >= 1,000 IRELAND always outperforms BP1.", large, not worse, f"BP1's objective is better on {len(worse)} of {len(large)}"),
        claim("For most sets IRELAND's objective is as good as BP1's or better.", pair.both, len(few) < len(pair.both) / 2,
              f"BP1's is better on {len(few)} of {len(pair.both)}"),
        time_claim(pair, "For N >= 500 IRELAND's runtimes are better.", lambda row: row["N"] >= 500),
    ]
    return Section("d", "BP1 against IRELAND's paper profile with noise", claims, [pair.table("d_with_noise")], pair.figures("d", "noise"))


def column_generation(results):
    brcg, profile = ("BRCG", "brcg"), "ireland-paper"
    clean, noisy = Pair(results, brcg, ("IRELAND", profile + "-0"), False), Pair(results, brcg, ("IRELAND", profile), True)
    wide, narrow = noisy.where(lambda row: row["J"] > 1000), noisy.where(lambda row: row["J"] <= 1000)
    good = [n for n, (a, b) in clean.both.items() if better_value(a, b) >= 0 and better_time(a, b) >= 0]
    first, alike, second = noisy.counts(wide, better_value)
    times = noisy.counts(narrow, better_time)
    claims = [
        claim("Without noise IRELAND outperforms BRCG in objective and runtime for nearly all sets.", clean.both,
              len(good) >= NEARLY_ALL * len(clean.both), f"as good or better in both on {len(good)} of {len(clean.both)}"),
        claim("With noise and J > 1,000 IRELAND outperforms BRCG, which often finds no solution.", wide, second > first,
              f"objective better on {second}, alike {alike}, worse {first} of {len(wide)}; no answer from BRCG on "
              f"{sum(not noisy.both[n][0].has_answer for n in wide)}"),
        claim("With noise and J <= 1,000 BRCG is much faster and the objectives are alike.", narrow,
              times[0] > times[2] and not sum(noisy.counts(narrow, better_value)[::2]) > len(narrow) / 2,
              f"BRCG faster, alike, slower: {', '.join(map(str, times))} of {len(narrow)}; objective better, alike, worse: "
              f"{', '.join(map(str, noisy.counts(narrow, better_value)))}"),
    ]
    return Section("e", "BRCG against IRELAND's paper profile", claims, [clean.table("e_without_noise"), noisy.table("e_with_noise")],
                   clean.figures("e_clean", "no noise") + noisy.figures("e_noisy", "noise"))


# ---- (f) ----

def curves(results):
    found = results.all("curve", "", True)
    rows, drawn = [], []
    for name, result in found.items():
        points = [tuple(map(float, point.split(":"))) for point in result.row["extra"].split()]
        fit = results.get(name, "ireland", "")
        rows.append([name, result.status, len(points), number(result.seconds), number(fit.seconds if fit else None)])
        drawn.append((name, points))
    seconds = [result.seconds for result in found.values()]
    ended = sum(result.is_proven for result in found.values())
    claims = [claim("The trade-off curve is made from the pool within a limited amount of time.", found, ended == len(found),
                    f"{ended} of {len(found)} curves complete, each point proven for its pool; median "
                    f"{number(statistics.median(seconds) if seconds else None)} s, worst {number(max(seconds, default=None))} s")]
    examples = [curve for curve in drawn if curve[1]]
    examples = [examples[i * len(examples) // 4] for i in range(4)] if len(examples) >= 4 else examples
    figures = [Figure("f_curves", svg.steps("Trade-off curves of four sets", "1 - specificity", "sensitivity", examples)),
               Figure("f_runtimes", svg.boxes("Runtimes of curves", "", "runtime (s)", [("all sets", seconds)], LEAST_SECONDS, max(seconds + [1])))]
    head = ["set", "status", "points", "curve s", "fit s"]
    return Section("f", "Trade-off curves from the pool", claims, [Table("f_curves", head, rows)], figures)


# ---- (g) ----

CONTENDERS = {"IRELAND (paper)": ("ireland-paper-0", "ireland-paper"), "BP1": ("bp1", "bp1"), "BRCG": ("brcg", "brcg"),
              "default": ("ireland", "ireland")}


def rules_of_thumb(results):
    """Which method is best by objective, then by runtime, on the sets that all of them were run on."""
    wins = collections.defaultdict(collections.Counter)
    for name, row in results.sets.items():
        kind = int(row["noise"] > 0)
        found = {who: results.get(name, names[kind], methods.FITS[names[kind]]) for who, names in CONTENDERS.items()}
        if all(found.values()):
            part = ("noise" if kind else "no noise", "N >= 1,000" if row["N"] >= 1000 else "N < 1,000",
                    "J > 1,000" if row["J"] > 1000 else "J <= 1,000")
            best = min(found, key=lambda who: (round(found[who].value / 0.005), found[who].seconds))
            wins[part][best] += 1
    rows = [[*part, sum(count.values()), *(count[who] for who in CONTENDERS)] for part, count in sorted(wins.items())]
    papers = [who for who in CONTENDERS if who != "default"]
    ours = sum(count["default"] for count in wins.values())
    all_sets = sum(sum(count.values()) for count in wins.values())
    large = sum((count for part, count in wins.items() if part[1] == "N >= 1,000"), collections.Counter())
    wide = sum((count for part, count in wins.items() if part[0] == "noise" and part[2] == "J > 1,000"), collections.Counter())
    claims = [
        claim("N tells whether to use IRELAND or BP1: IRELAND from about 1,000 samples.", large, large["BP1"] < large["IRELAND (paper)"],
              f"N >= 1,000: {', '.join(f'{who} {large[who]}' for who in papers)} best"),
        claim("J tells whether to use IRELAND or BRCG: with noise IRELAND above 1,000 features.", wide,
              wide["BRCG (paper)"] < wide["IRELAND (paper)"], f"{', '.join(f'{who} {wide[who]}' for who in papers)} best"),
        claim("(ours) One default for all sizes is best by objective, then runtime.", all_sets, ours > all_sets / 2,
              f"best on {ours} of {all_sets}"),
    ]
    return Section("g", "Rules of thumb: which method is best", claims,
                   [Table("g_best", ["data", "samples", "features", "sets", *CONTENDERS], rows)], [])


# ---- (h) our default on every set, (p) other solvers ----

def reaches(result, row):
    return result.has_answer and result.objective <= row["planted"] * (1 + TOLERANCE) + TOLERANCE


def duration_claim(paper, found, most, is_good):
    """Exceeded if every set took less than the paper's worst and what came out is as good."""
    seconds = [r.seconds for r in found.values()]
    if not seconds:
        return Claim(paper, "not run", "")
    verdict = "exceeded" if is_good and max(seconds) < most else "not confirmed"
    return Claim(paper, verdict, f"worst {max(seconds):.1f} s, median {statistics.median(seconds):.2f} s, total {sum(seconds) / 60:.1f} min; "
                                 f"proven {sum(r.is_proven for r in found.values())} of {len(found)}")


def collection(results):
    tables, claims = [], []
    for is_noisy in (False, True):
        found = results.all("ireland", "", is_noisy)
        rows = [[name, f"{results.sets[name]['planted']:.3f}", number(r.objective), number(r.bound), r.status, f"{r.seconds:.2f}",
                 f"{r.limit:g}", "yes" if reaches(r, results.sets[name]) else "NO"] for name, r in found.items()]
        tables.append(Table(f"h_{'noisy' if is_noisy else 'clean'}",
                            ["set", "planted error", "objective", "bound", "status", "s", "limit s", "planted error reached"], rows))
        reached = sum(reaches(r, results.sets[name]) for name, r in found.items())
        proven = sum(r.is_proven for r in found.values())
        if is_noisy:
            claims.append(duration_claim("With noise IRELAND found a solution for each set within four hours.", found, 14400,
                                         all(r.has_answer for r in found.values())))
            claims.append(share_claim("With noise BP1 finished (its optimum proven) on 19 of 118 sets in four hours.", proven, len(found), 19, 118))
            claims.append(claim("(ours) The planted rule's error is reached with noise.", found, reached == len(found),
                                f"{reached} of {len(found)}"))
        else:
            claims.append(share_claim("Without noise IRELAND found the optimum for 119 of 128 sets (BP1 90) in four hours.", reached,
                                      len(found), 119, 128))
            claims.append(duration_claim("Without noise IRELAND takes up to 2.5 hours for a set.", found, 9000,
                                         reached * 128 >= 119 * len(found)))
    return Section("h", "Our default profile on every set", claims, tables, [])


def peers(results):
    cells = collections.defaultdict(dict)
    for (name, method, _), result in results.by_key.items():
        if "@" in method:
            cells[method][name] = result
    rows, wrong = [], []
    for form in ("bp1", "sp", "mp"):
        ours = cells.get(form + "@ireland", {})
        for method in sorted(m for m in cells if m.startswith(form + "@")):
            found = cells[method]
            rows.append([form.upper(), method.partition("@")[2], len(found), sum(r.is_proven for r in found.values()),
                         sum(not r.has_answer for r in found.values()), number(mean([r.seconds for r in found.values()]))])
            wrong += [f"{method} {n}" for n, r in found.items()
                      if n in ours and r.is_proven and ours[n].is_proven and abs(r.objective - ours[n].objective) > 1e-6]
    claims = [claim("(ours) All solvers that prove an optimum agree on it.", rows, not wrong, ", ".join(wrong) or "no difference")]
    head = ["model", "solver", "models", "proven", "no answer", "mean s"]
    return Section("p", "Other solvers on the exported models", claims, [Table("p_peers", head, rows)], [])


ALL = (collection, formulations, tuning, without_noise, with_noise, column_generation, curves, rules_of_thumb, peers)
