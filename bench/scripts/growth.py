"""How a fit grows when samples, features, clauses, literals and noise double, one at a time, and what that says of larger sizes.

    python3 bench/scripts/growth.py [IRELAND] [--seeds 3]

`fit` on planted data, one thread, beside its centre (N = 20,000, J = 10,000, K = 5, M = 3, 2.5 % noise); geometric means over the
seeds. `found`: work until the rule was there; `work`: in all (the same on every machine); processor seconds and peak MB of the
whole command. The exponent is the slope of log against log: 1 doubles what it measures with each doubling, 2 makes it four times.
"""
import argparse
import json
import math
import os
import subprocess

DIRECTORY = "build/bench/growth"
CENTRE = {"N": 20000, "J": 10000, "K": 5, "M": 3, "noise": 0.025}
RANGES = {"N": (5000, 10000, 20000, 40000, 80000), "J": (2500, 5000, 10000, 20000, 40000), "K": (5, 10, 20),
          "M": (2, 3, 4, 5, 6), "noise": (0.0125, 0.025, 0.05, 0.1)}
SEARCHED = ("found", "work", "seconds", "MB")
LARGE = ((1_000_000, 10_000), (1_000_000, 100_000), (100_000, 1_000_000), (10_000_000, 10_000))


def measure(program, point, seed):
    """Work until found, work, processor seconds and peak MB of one fit, and whether it reaches the planted error."""
    data, rule = f"{DIRECTORY}/g.irb", f"{DIRECTORY}/g.json"
    size = ["-K", str(point["K"]), "-M", str(point["M"])]
    made = subprocess.run([program, "generate", "-N", str(point["N"]), "-J", str(point["J"]), *size, "--exact-size", "--noise",
                           str(point["noise"]), "--seed", str(seed), "-o", data, "--rule", rule, "--quiet"], capture_output=True)
    if made.returncode:
        return None
    planted = json.loads(subprocess.run([program, "evaluate", rule, data, "--json"], capture_output=True, check=True).stdout)
    process = subprocess.Popen([program, "fit", data, *size, "--threads", "1", "--json", "--quiet"], stdout=subprocess.PIPE)
    answer = json.load(process.stdout)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return {"found": answer["best_work"], "work": answer["work"], "seconds": usage.ru_utime + usage.ru_stime,
            "MB": usage.ru_maxrss / 1000, "reached": answer["objective"] <= planted["weighted_error"] * (1 + 1e-9)}


def mean(values):
    return math.exp(sum(math.log(max(value, 1e-9)) for value in values) / len(values))


def slope(xs, ys):
    """Of least squares through the logarithms."""
    x, y = [math.log(value) for value in xs], [math.log(value) for value in ys]
    centre = sum(x) / len(x)
    return sum((a - centre) * b for a, b in zip(x, y)) / sum((a - centre) ** 2 for a in x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ireland", nargs="?", default="./ireland")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    os.makedirs(DIRECTORY, exist_ok=True)
    words_rate, byte_rate = [], []
    print("| what | value | found, 10^9 words | work, 10^9 words | processor s | peak MB | planted error reached |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, values in RANGES.items():
        rows = []
        for value in values:
            runs = [measure(arguments.ireland, {**CENTRE, name: value}, seed) for seed in range(1, arguments.seeds + 1)]
            runs = [run for run in runs if run]
            if not runs:
                continue
            row = {key: mean([run[key] for run in runs]) for key in SEARCHED}
            rows.append((value, row))
            print(f"| {name} | {value:,} | {row['found'] / 1e9:.2f} | {row['work'] / 1e9:.2f} | {row['seconds']:.2f} | "
                  f"{row['MB']:.0f} | {sum(run['reached'] for run in runs)} of {len(runs)} |", flush=True)
            words_rate.append(row["work"] / row["seconds"])
            byte_rate += [row] if value == CENTRE[name] else []
        cells = [f"{slope([value for value, _ in rows], [row[key] for _, row in rows]):.2f}" for key in SEARCHED]
        print(f"| {name} | exponent | {' | '.join(cells)} | |", flush=True)
    rate, centre = mean(words_rate), byte_rate[0]
    data = CENTRE["N"] * CENTRE["J"] / 64
    print(f"\nWork in a second of one core: {rate:.2g} words. For each word of data at the centre: {centre['work'] / data:.0f} words.")
    print("\nPast this machine, K = 5, M = 3, from these counts: work in proportion to the words of data, twice the packed data and "
          f"{centre['MB'] - 2 * data * 8 / 1e6:.0f} MB of memory.")
    print("\n| samples x features | packed GB | work, words | hours of one core | memory GB |\n| --- | ---: | ---: | ---: | ---: |")
    for n, j in LARGE:
        words = n * j / 64
        work = words * centre["work"] / data
        print(f"| {n:,} x {j:,} | {words * 8 / 1e9:.2f} | {work:.2g} | {work / rate / 3600:.2f} | "
              f"{(2 * words * 8 + centre['MB'] * 1e6 - 16 * data) / 1e9:.1f} |")


if __name__ == "__main__":
    main()
