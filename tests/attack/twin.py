"""The same question as a table of 0/1: a column for each literal of the attack's own coding, the classes as clauses are for them, whole weights.

Whatever the library makes of types, missing values, SNPs, strata, groups and CNF, its answer has to be that of this table; the tables may be larger than
brute force bears."""
import math
from fractions import Fraction

from tool import expect, same

SHARED = ("K", "M", "penalty", "max-literals", "loss", "weights", "all-optimal", "within")


def write(problem, path, groups_path):
    """Returns the words of the command line, and the weight that one of its weights stands for."""
    n, literals = len(problem.rows), problem.literals
    masks = [literal.mask(problem.rows) for literal in literals]
    scale = math.lcm(*(weight.denominator for weight in problem.weights))
    units = [int(weight * scale) for weight in problem.weights]
    common = math.gcd(*units)
    with open(path, "w") as file:
        file.write(",".join(["l%d" % j for j in range(len(literals))] + ["w"] * problem.has_weights + ["y"]) + "\n")
        for i in range(n):
            cells = [str(mask >> i & 1) for mask in masks] + [str(units[i] // common)] * problem.has_weights
            file.write(",".join(cells + [str(int(problem.positive[i]))]) + "\n")
    grouped = [(j, problem.group_of[literal.column.name]) for j, literal in enumerate(literals) if literal.column.name in problem.group_of]
    with open(groups_path, "w") as file:
        file.writelines("l%d %s\n" % pair for pair in grouped)
    words = [word for name in SHARED if name in problem.options for word in ["-" * (1 + (len(name) > 1)) + name, problem.options[name]]]
    limits = [problem.options.get(name, "0") for name in ("min-sensitivity", "min-specificity")]
    for name, value in zip(("--min-sensitivity", "--min-specificity"), reversed(limits) if problem.is_cnf else limits):
        words += [name, value] if value != "0" else []
    words += ["--weight-column", "w"] if problem.has_weights else []
    words += ["--one-per", "twin.groups"] if grouped else []
    words += ["--type", ",".join("l%d=binary" % j for j in range(len(literals)))]
    return words, Fraction(common, scale)


def check(fit):
    """The answer of a fit that is to be proven, against that of its twin. Weights that are rounded might be rounded again."""
    if fit.problem.rounded_to:
        return
    words, unit = write(fit.problem, fit.tool.path("twin.csv"), fit.tool.path("twin.groups"))
    code, answer, err = fit.tool.json(["fit", "twin.csv", "--prove", "--validate", "none", "--quiet", "--threads", "1"] + words)
    expect(answer, "twin", "exit code %d: %s" % (code, err.strip()))
    own = fit.answer
    expect(answer["status"] == own["status"], "twin", "%s, of the table of literals %s" % (own["status"], answer["status"]))
    if own["status"] != "optimal":
        return
    expect(same(own["objective"], answer["objective"] * float(unit)), "twin",
           "objective %s, of the table of literals %s" % (own["objective"], answer["objective"] * float(unit)))
    if "rules" in own and own.get("rules_complete") and answer.get("rules_complete"):
        expect(len(own["rules"]) == len(answer["rules"]), "twin", "%d rules, of the table of literals %d" % (len(own["rules"]), len(answer["rules"])))
