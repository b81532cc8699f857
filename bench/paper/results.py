"""The rows of runs as the sections of the report ask for them."""
import math
import statistics

TIE_VALUE = 0.005         # normalised objectives that differ by no more count as alike: the paper's choice
TIE_SHARE = 30 / 14400    # the same for runtimes, as a share of the limit: 30 s of four hours in the paper
TIE_SECONDS = 0.1         # at least this much, since smaller differences are those of the machine
TOLERANCE = 1e-9


class Result:
    """A run that was made; without an answer its value is 1 and its time the limit, as in the paper."""

    def __init__(self, row):
        self.row, self.status, self.limit = row, row["status"], float(row["limit"])
        self.has_answer = row["objective"] != ""
        self.value = float(row["normalized"] or 1) if self.has_answer else 1.0
        self.objective = float(row["objective"]) if self.has_answer else None
        self.bound = float(row["bound"]) if row["bound"] else None
        self.is_proven = self.status == "optimal"
        taken = float(row["seconds"] or 0)
        self.seconds = taken if self.has_answer or self.is_proven else max(taken, self.limit)
        self.cpu = float(row["cpu_seconds"] or 0)

    @property
    def is_zero(self):
        return self.has_answer and self.objective <= TOLERANCE


class Results:
    """Of several runs that differ in the limit alone, the one with the longest counts."""

    def __init__(self, runs, sets):
        self.sets, self.by_key = {row["name"]: row for row in sets}, {}
        for row in runs:
            key = (row["instance"], row["method"], row["options"])
            if row["instance"] in self.sets and (key not in self.by_key or float(row["limit"]) > self.by_key[key].limit):
                self.by_key[key] = Result(row)

    def get(self, name, method, options):
        return self.by_key.get((name, method, options))

    def all(self, method, options, is_noisy):
        """{set: result} of a collection."""
        return {name: result for (name, m, o), result in self.by_key.items()
                if m == method and o == options and (self.sets[name]["noise"] > 0) == is_noisy}


def better_value(a, b):
    """-1, 0, 1: a is better, alike, b is better."""
    return 0 if abs(a.value - b.value) <= TIE_VALUE else -1 if a.value < b.value else 1


def better_time(a, b):
    alike = max(TIE_SECONDS, TIE_SHARE * max(a.limit, b.limit))
    return 0 if abs(a.seconds - b.seconds) <= alike else -1 if a.seconds < b.seconds else 1


def paired_t_test(a, b):
    """Two-sided p of equal means of pairs; 1 if all differences are 0, None for fewer than two."""
    differences = [x - y for x, y in zip(a, b)]
    if len(differences) < 2:
        return None
    deviation = statistics.stdev(differences)
    if deviation == 0:
        return 1.0 if differences[0] == 0 else 0.0
    return student_tails(statistics.fmean(differences) / deviation * math.sqrt(len(differences)), len(differences) - 1)


def student_tails(t, freedom, parts=2000):
    """P(|T| > |t|) by Simpson's rule over the angle atan(t / sqrt(freedom)), where the density is cos^(freedom - 1)."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    angle = math.atan(abs(t) / math.sqrt(freedom))
    total = sum((1 if i in (0, parts) else 4 if i % 2 else 2) * math.cos(angle * i / parts) ** (freedom - 1) for i in range(parts + 1))
    return max(0.0, 1 - 2 * scale * total * angle / parts / 3)
