"""The methods: for each the command that is measured and how its answer is read.

`objective` and `bound` are weighted errors, sum of w_n over wrong samples, for whatever learns a rule, `normalized` is the objective over N;
for BRCG the bound belongs to its Hamming loss and is left out. For (SP) they count cases, for a curve there is neither. `extra` has
what one experiment alone asks for.
"""
import json
import os
import re
import shutil
import subprocess

PEERS = ("glpsol", "cbc", "highs")

# What `ireland fit` is told. The paper ran IRELAND without noise for UB = 0 only.
FITS = {
    "ireland": "",
    "ireland-paper": "--profile paper",
    "ireland-paper-0": "--profile paper --budgets 0",
    "bp1": "--method bp1 --plain --no-start",
    "brcg": "--method brcg",
}
FORMS = [f"bp{i}" for i in range(1, 7)]
FITS.update({f"{form}-{kind}": f"--method {form} --plain --no-start{flag}" for form in FORMS for kind, flag in (("binary", " --binary"), ("relaxed", ""))})


def installed_peers():
    return [peer for peer in PEERS if shutil.which(peer)]


def limits(runner, run):
    return ["--threads", str(runner.threads), "--time-limit", str(run.limit), "--seed", "1", "--json", "--quiet"]


def prepare(runner, run, row):
    """The command to measure and the function that reads what it prints; models and pools are made here, unmeasured."""
    data = runner.store.get(row)
    sizes = ["-K", str(row["K"]), "-M", str(row["M"])]
    if run.method in FITS:
        return [runner.ireland, "fit", data, *sizes, *run.options.split(), *limits(runner, run)], parse_fit
    if run.method == "curve":
        pool = save_pool(runner, run, data, sizes)
        return [runner.ireland, "curve", data, *sizes, "--pool", pool, *limits(runner, run)], parse_curve
    form, _, solver = run.method.partition("@")
    if solver == "engine":
        return engine_command(runner, run, form, data, sizes)
    if solver == "ireland":
        return [runner.ireland, "solve", export(runner, run, form, data, sizes, "mps"), *limits(runner, run)], \
            lambda ended, row: parse_solve(ended, row, run.method)
    return peer_command(runner, run, solver, export(runner, run, form, data, sizes))


def save_pool(runner, run, data, sizes, name="pool"):
    path = os.path.join(runner.folder, name)
    subprocess.run([runner.ireland, "fit", data, *sizes, "--save-pool", path, *limits(runner, run)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True, timeout=2 * run.limit + 60)
    return path


# ---- models ----

def engine_command(runner, run, form, data, sizes):
    """What we have for the problem besides a MILP solver: clause search for SP, selection for MP, the rule of the clause engine for BP1.
    Selection proves for its pool, but `fit` tells what is proven for all rules, so it counts as proven less often than it is."""
    if form == "sp":
        return [runner.ireland, "clause", data, *sizes[2:], "--prove", *limits(runner, run)], parse_clause
    options = ["--pool", save_pool(runner, run, data, sizes)] if form == "mp" else ["--method", form]
    return [runner.ireland, "fit", data, *sizes, *options, *limits(runner, run)], parse_fit


def export(runner, run, form, data, sizes, kind="lp"):
    path = os.path.join(runner.folder, "model." + kind)
    command = [runner.ireland, "model", data, *sizes, "--form", form, "-o", path, "--quiet"]
    if form == "mp":
        command += ["--pool", save_pool(runner, run, data, sizes)]
    if form.startswith("bp"):
        command.append("--plain")
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=600)
    return path


def peer_command(runner, run, solver, model):
    limit, written = str(run.limit), os.path.join(runner.folder, "solution")
    if os.path.exists(written):
        os.remove(written)
    if solver == "glpsol":
        return ["glpsol", "--lp", model, "--tmlim", limit, "-o", written], lambda ended, row: parse_glpsol(ended, row, written, run.method)
    if solver == "cbc":
        return ["cbc", model, "-threads", str(runner.threads), "-sec", limit, "-ratio", "0", "-timeMode", "elapsed", "-solve",
                "-quit"], lambda ended, row: parse_cbc(ended, row, run.method)
    return ["highs", "--time_limit", limit, model], lambda ended, row: parse_highs(ended, row, run.method)


def scaled(method, row, status, value, bound):
    """Values of a model: whole numbers N times the weighted error, or for SP (which the writers minimise or maximise) cases."""
    if value is None:
        return {"status": status if status != "optimal" else "", "bound": ""}
    if method.startswith("sp"):
        return {"status": status, "objective": abs(value), "bound": "" if bound is None else abs(bound)}
    error, low = value / row["N"], None if bound is None else bound / row["N"]
    return {"status": status, "objective": error, "normalized": error / row["N"], "bound": "" if low is None else low}


def last_number(pattern, text):
    found = re.findall(pattern + r"\s*([-+.\deE]+)", text)
    return float(found[-1]) if found else None


def parse_glpsol(ended, row, written, method):
    text = open(written).read() if os.path.exists(written) else ""
    status = "optimal" if "INTEGER OPTIMAL" in text else "limit"
    value = last_number(r"Objective:\s+\S+ =", text) if "INTEGER" in text and "UNDEFINED" not in text else None
    bound = value if status == "optimal" else last_number(r"[<>]=", ended.output)
    return scaled(method, row, status, value, bound)


def parse_cbc(ended, row, method):
    status = "optimal" if "Optimal solution found" in ended.output else "limit"
    value = last_number(r"Objective value:", ended.output) if "No feasible solution found" not in ended.output else None
    bound = value if status == "optimal" else last_number(r"(?:Lower|Upper) bound:", ended.output)
    return scaled(method, row, status, value, bound)


def parse_highs(ended, row, method):
    status = "optimal" if re.search(r"Status\s+Optimal", ended.output) else "limit"
    return scaled(method, row, status, last_number(r"Primal bound", ended.output), last_number(r"Dual bound", ended.output))


# ---- our own answers ----

def parse_fit(ended, row):
    found = json.loads(ended.output)
    bound = "" if found["method"] == "brcg" else found["bound"]
    return {"status": found["status"], "objective": found["weighted_error"], "normalized": found["normalized"], "bound": bound,
            "extra": f"hamming={found['hamming_loss']}", "work": found["work"]}


def parse_clause(ended, _row):
    found = json.loads(ended.output)
    return {"status": found["status"], "objective": found["objective"], "bound": found["bound"], "work": found["work"]}


def parse_solve(ended, row, method):
    found = json.loads(ended.output)
    return {**scaled(method, row, found["status"], found["objective"], found["bound"]), "work": found["work"]}


def parse_curve(ended, _row):
    found = json.loads(ended.output)
    points = " ".join(f"{1 - point['specificity']:.4g}:{point['sensitivity']:.4g}" for point in found["tradeoff"])
    return {"status": found["status"], "extra": points, "work": found["work"]}
