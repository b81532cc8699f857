"""Rules of an answer on the samples of a problem."""
from literals import compare, literal_of_name, literal_of_rule
from tool import expect


class Seen:
    """A rule of an answer on the samples of a problem."""

    def __init__(self, problem, clauses, rule=None, rows=None, is_mirrored=False):
        """`is_mirrored`: the clauses of a CNF, which are taken for those of the rule for the other class."""
        self.literals = []
        for clause in clauses:
            found = [literal_of_rule(n, rule, problem.raw) if rule else literal_of_name(n, problem.raw) for n in clause]
            expect(None not in found, "literal", "no column gives %s" % clause)
            for literal in found if not rule else []:
                fill = problem.fill(literal.column)
                literal.is_imputed = fill is not None
                literal.on_missing = literal.is_imputed and compare(literal.relation, fill, literal.value)
            self.literals.append([literal.opposite() for literal in found] if is_mirrored else found)
        rows = problem.rows if rows is None else rows
        self.covers = []
        for found in self.literals:
            cover = (1 << len(rows)) - 1
            for literal in found:
                cover &= literal.mask(rows)
            self.covers.append(cover)
        self.sizes = [len(found) for found in self.literals]
        self.union = 0
        for cover in self.covers:
            self.union |= cover


def check_scope(problem, seen, what):
    """Is the rule one of those that were asked for? Cut points of a part of the samples are not known here."""
    expect(len(seen.sizes) <= problem.K, "scope", "%s has %d clauses, K is %d" % (what, len(seen.sizes), problem.K))
    expect(max(seen.sizes, default=0) <= problem.M, "scope", "%s has a clause longer than M" % what)
    expect(sum(seen.sizes) <= problem.max_literals, "scope", "%s has %d literals, %d are allowed" % (what, sum(seen.sizes), problem.max_literals))
    if problem.max_complexity:
        expect(sum(seen.sizes) + len(seen.sizes) <= problem.max_complexity, "scope", "%s is more complex than allowed" % what)
    for found in seen.literals:
        names = [literal.column.name for literal in found]
        expect(not problem.breaks_groups(names), "scope", "%s has a clause with two literals of one group: %s" % (what, names))
    if "test" in problem.options:
        return
    known = {(l.column.name, l.relation, mask) for mask, group in problem.literal_masks.items() for l in group}
    masks = {(name, mask) for name, _, mask in known}
    for found in seen.literals:
        for literal in found:
            key = (literal.column.name, literal.mask(problem.rows))
            expect(key in masks, "scope", "%s has the literal '%s', which is not among those asked for" % (what, literal.name))


def check_limits(problem, seen, what):
    expect(problem.sum(seen.union & problem.cases) >= problem.min_cases, "limits", "%s has too little sensitivity" % what)
    expect(problem.sum(seen.union & problem.controls) <= problem.max_controls, "limits", "%s has too little specificity" % what)


def confusion(problem, union, rows):
    """Of the answer, which with --cnf says case where no clause holds."""
    counts = {"tp": 0, "fp": 0, "tn": 0, "fn": 0}
    for bit, i in enumerate(rows):
        says = (union >> bit & 1) != problem.is_cnf
        counts[("tp" if says else "fn") if problem.is_case[i] else ("fp" if says else "tn")] += 1
    return counts
