"""What `curve`, `clause` and `cv` say, against the attack's own answer."""
from fractions import Fraction

from brute import Problem, TooLarge
from rules import Seen, check_limits, check_scope
from tool import LIMITS, expect, same


def check_curve(case, answer, code):
    p = Problem(case)
    p.penalty = 0
    expect(code in (0, 4), "exit code", str(code))
    try:
        p.hamming = False
        points = p.front()
    except TooLarge:
        points = None
    for point in answer.get("tradeoff", []):
        check_point(p, point, points, answer)
    for name in ("literals", "clauses"):
        check_sizes(p, answer.get(name) or [], name, points is not None)
    check_whole(p, answer, points)
    return answer["status"]


def check_whole(p, answer, points):
    """The area under the points, and that none is missing if nothing may be."""
    line = [(0.0, 0.0)] + sorted((1 - a["specificity"], a["sensitivity"]) for a in answer.get("tradeoff", [])) + [(1.0, 1.0)]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(line, line[1:]))
    if len(line) > 2 and answer.get("area") is not None:
        expect(same(answer["area"], area), "curve", "area %s, own %s" % (answer["area"], area))
    if points is None or answer["status"] != "optimal" or answer.get("threshold") != 0:
        return
    front = {(a, b) for a, b in points if not any((x > a and y <= b) or (x >= a and y < b) for x, y in points)}
    found = {(round(a["sensitivity"] * float(p.n1), 6), round((1 - a["specificity"]) * float(p.n0), 6)) for a in answer["tradeoff"]}
    missing = [(a, b) for a, b in front if (round(float(a), 6), round(float(b), 6)) not in found]
    expect(not missing, "curve", "optimal, but %d points are missing, as %s" % (len(missing), ["%s, %s" % m for m in missing[:1]]))


def seen_point(p, point):
    seen = Seen(p, point["clauses"])
    check_scope(p, seen, "a point")
    check_limits(p, seen, "a point")
    tp, fp = p.sum(seen.union & p.cases), p.sum(seen.union & p.controls)
    expect(same(point["sensitivity"], tp / p.n1) and same(point["specificity"], 1 - fp / p.n0), "point",
           "sensitivity %s and specificity %s, own %s and %s" % (point["sensitivity"], point["specificity"], float(tp / p.n1), float(1 - fp / p.n0)))
    expect(point["literals"] == sum(seen.sizes), "point", "%s literals" % point["literals"])
    own = 1 - (p.w1 * (p.n1 - tp) + p.w0 * fp) / p.total
    expect(same(point["accuracy"], own), "point", "accuracy %s, own %s" % (point["accuracy"], float(own)))
    return seen, tp, fp


def check_point(p, point, points, answer):
    seen, tp, fp = seen_point(p, point)
    for k in range(len(seen.covers)):
        rest = 0
        for i, cover in enumerate(seen.covers):
            rest |= cover if i != k else 0
        expect(rest != seen.union, "point", "a clause adds nothing: %s" % point["clauses"])
    if points is None:
        return
    for a, b in points:
        better = (a > tp and b <= fp) or (a >= tp and b < fp)
        expect(not (better and point["status"] == "optimal"), "curve", "an optimal point (%s, %s) is dominated by (%s, %s)" % (tp, fp, a, b))
        if answer.get("proven_for") != "pool":
            if b <= fp and point.get("sensitivity_bound") is not None:
                expect(float(a / p.n1) <= point["sensitivity_bound"] + 1e-9, "curve", "sensitivity bound %s, but %s exists" % (point["sensitivity_bound"], float(a / p.n1)))
            if a >= tp and point.get("specificity_bound") is not None:
                expect(float(1 - b / p.n0) <= point["specificity_bound"] + 1e-9, "curve", "specificity bound %s, but %s exists" % (point["specificity_bound"], float(1 - b / p.n0)))


def check_sizes(p, points, by, is_small):
    if not is_small:
        return
    levels = p.rules() if points else []
    for point in points:
        seen, tp, fp = seen_point(p, point)
        if point["status"] != "optimal":
            continue
        size = sum(seen.sizes) if by == "literals" else len(seen.sizes)
        best = None
        for k, level in enumerate(levels):
            for (cover, _), literals in level.items():
                if (literals if by == "literals" else k) <= size and literals <= p.max_literals and p.is_within(cover):
                    loss = p.loss(cover)
                    best = loss if best is None or loss < best else best
        own = p.w1 * (p.n1 - tp) + p.w0 * fp
        expect(best == own, "curve", "the best of %d %s has loss %s, the optimal point %s" % (size, by, best and float(best), float(own)))


def check_clause(case, answer, code):
    p = Problem(case)
    o = case["options"]
    n0 = p.controls.bit_count()
    budget = int(o["budget-count"]) if "budget-count" in o else int(Fraction(o.get("budget", "0")) * n0)
    try:
        best = p.best_clause(budget)
    except TooLarge:
        return answer["status"]
    status = answer["status"]
    if best is None:
        expect(not answer["clause"], "clause", "%s though none covers a case within the budget" % answer["clause"])
        if status not in ("limit", "feasible"):
            expect(status == "infeasible" and code == 4, "clause", "status %s, exit code %d, none exists" % (status, code))
        return status
    expect(status != "infeasible", "clause", "infeasible, but one covers %d cases" % best)
    expect(answer["bound"] >= best, "clause", "bound %s, but %d exists" % (answer["bound"], best))
    if answer["clause"]:
        expect(code == 0, "exit code", str(code))
        seen = Seen(p, [answer["clause"]])
        check_scope(p, seen, "the clause")
        tp, fp = (seen.union & p.cases).bit_count(), (seen.union & p.controls).bit_count()
        expect((answer["tp"], answer["fp"]) == (tp, fp), "clause", "tp %s fp %s, own %d %d" % (answer["tp"], answer["fp"], tp, fp))
        expect(answer["fp"] <= budget, "clause", "%d controls, %d are allowed" % (answer["fp"], budget))
        expect(answer["objective"] == answer["tp"] <= best, "clause", "objective %s" % answer["objective"])
    if status == "optimal":
        expect(answer["objective"] == best == answer["bound"], "clause", "optimal with %s, but %d exists" % (answer["objective"], best))
    if "prove" in o and not any(n in o for n in LIMITS):
        expect(status == "optimal", "clause", "%s though --prove was given" % status)
    return status


def check_cv(case, answer, code):
    expect(code in (0, 4), "exit code", str(code))
    rows = answer["table"]
    measure, by_weight = answer.get("chosen_by", "balanced_accuracy"), answer.get("chosen_by")
    for row in rows:
        for name in ("accuracy", "balanced_accuracy", "sensitivity", "specificity"):
            expect(row[name] is None or -1e-12 <= row[name] <= 1 + 1e-12, "cv", "%s is %s" % (name, row[name]))
        if "negations" in case["options"] or "no-negations" in case["options"]:
            expect(row["negations"] == ("negations" in case["options"]), "cv", "a row %s negations" % ("with" if row["negations"] else "without"))
    done = [row for row in rows if row["folds"] >= answer["folds_needed"]]
    if not done:
        expect("best" not in answer, "cv", "a best row, though none has as many folds as a choice needs")
        return answer.get("status")
    known = [row[measure] for row in done if row.get(measure) is not None]
    if not known:  # as where a fold has no weight
        return answer.get("status")
    best = max(known)
    expect(same(answer["best"][measure], best), "cv", "best is %s, the greatest is %s" % (answer["best"][measure], best))
    chosen = [row for row in rows if all(row[k] == answer[k] for k in ("K", "M", "penalty", "negations"))]
    expect(len(chosen) == 1 and chosen[0][measure] == answer[measure], "cv", "the chosen row is not in the table")
    if answer["choose"] == "best":
        expect(same(answer[measure], best), "cv", "the chosen row is not the best")
    else:
        expect(answer[measure] >= best - (answer["best"].get(measure + "_se") or 0) - 1e-9, "cv", "the chosen row is not within one standard error")
    return answer.get("status")
