"""Which runs each of the paper's figures and tables needs."""
import methods
import sets
from runner import Run

PEER_CELLS = 1000 * 1000  # the exported models are written out for other solvers up to this many cells
TUNING_SETS = 26          # of the paper's choice of N_s
TUNING = (100, 250, 500)


def clean(rows):
    return [row for row in rows if not row["noise"]]


def noisy(rows):
    return [row for row in rows if row["noise"]]


def fits(rows, names, limit):
    """A set's runs stand together, since its data is made once."""
    return [Run(row["name"], name, methods.FITS[name], limit) for row in rows for name in names]


def formulations(rows, limit):
    return fits(clean(rows), [f"{form}-{kind}" for form in methods.FORMS for kind in ("binary", "relaxed")], limit)


def tuning(rows, limit):
    return [Run(row["name"], "ireland-paper-0", tuning_options(sample), limit) for row in sets.equal_steps(clean(rows), TUNING_SETS)
            for sample in TUNING]


def tuning_options(sample):
    return f"{methods.FITS['ireland-paper-0']} --paper-sample {sample}"


def without_noise(rows, limit):
    return fits(clean(rows), ("bp1", "ireland-paper-0"), limit)


def with_noise(rows, limit):
    return fits(noisy(rows), ("bp1", "ireland-paper"), limit)


def column_generation(rows, limit):
    return fits(rows, ("brcg",), limit)


def curves(rows, limit):
    return [Run(row["name"], "curve", "", limit) for row in noisy(rows)]


def collection(rows, limit):
    return fits(rows, ("ireland",), limit)


def peers(rows, limit):
    small = [row for row in rows if row["N"] * row["J"] <= PEER_CELLS]
    solvers = ["engine", "ireland", *methods.installed_peers()]
    return [Run(row["name"], f"{form}@{solver}", "", limit) for row in small for form in ("bp1", "sp", "mp") for solver in solvers]


# In the order in which they are run: h, our default on every set, tells most in the least time; a takes longest. p: other solvers; g, the
# rules of thumb, needs no runs of its own.
RUNS = {"h": collection, "c": without_noise, "d": with_noise, "e": column_generation, "f": curves, "b": tuning, "p": peers, "a": formulations}


def plan(rows, arguments):
    small = [row for row in rows if row["N"] * row["J"] <= arguments.cells]
    chosen = sets.equal_steps(clean(small), arguments.sets) + sets.equal_steps(noisy(small), arguments.sets)
    wanted = arguments.only.split(",") if arguments.only else list(RUNS)
    return [run for name in wanted for run in RUNS[name](chosen, arguments.limit)]
