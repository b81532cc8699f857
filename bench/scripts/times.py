"""Are commands slower than they were? Their processor seconds over those of a reference program of the same run, against bench/times.csv.

    python3 bench/scripts/times.py [--write] [--rounds 5] [--tolerance 0.25] [--ireland ./ireland] [--reference build/plain/bench/reference]

In each round the reference and all commands run once, one thread each; the smallest of the rounds counts, so that other work on the machine
hardly does. A ratio that exceeds the one of the file by more than the tolerance is printed and makes the exit status 1. Ratios belong to
a kind of processor: the file names the kernels (avx2, avx512, ...) they were taken with, and with others nothing is compared.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys

LIST, FOLDER = "bench/times.csv", "build/bench"

# name: options of generate, then the command, in which DATA stands for the file
ROWS = {
    "fit-n10000-j10000-k5-m3": ("-N 10000 -J 10000 -K 5 -M 3 --exact-size", "fit DATA -K 5 -M 3"),
    "fit-n5000-j5000-k5-m4-e5": ("-N 5000 -J 5000 -K 5 -M 4 --exact-size --noise 0.05", "fit DATA -K 5 -M 4"),
    "fit-n100-j1000-k3-m3": ("-N 100 -J 1000 -K 3 -M 3 --exact-size", "fit DATA -K 3 -M 3"),
    "prove-n1000-j1000-k5-m3-e2.5": ("-N 1000 -J 1000 -K 5 -M 3 --exact-size --noise 0.025", "fit DATA -K 5 -M 3 --prove"),
    "prove-n10000-j1000-k5-m3-e5": ("-N 10000 -J 1000 -K 5 -M 3 --exact-size --noise 0.05", "fit DATA -K 5 -M 3 --prove"),
    "clause-n1000-j1000-m4": ("-N 1000 -J 1000 -K 10 -M 4 --exact-size", "clause DATA -M 4 --prove"),
    "bp4-n500-j50-k5-m3-e2.5": ("-N 500 -J 50 -K 5 -M 3 --exact-size --noise 0.025", "fit DATA -K 5 -M 3 --method bp4 --no-start"),
    "brcg-n500-j100-k3-m3-e2.5": ("-N 500 -J 100 -K 3 -M 3 --noise 0.025", "fit DATA -K 3 -M 3 --method brcg"),
    "curve-n1000-j300-k3-m3-e5": ("-N 1000 -J 300 -K 3 -M 3 --exact-size --noise 0.05", "curve DATA -K 3 -M 3"),
}


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"times: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[:200]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def commands(ireland):
    os.makedirs(FOLDER, exist_ok=True)
    for name, (make, words) in ROWS.items():
        data = f"{FOLDER}/times-{name}.irb"
        subprocess.run([ireland, "generate", *make.split(), "-o", data, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        quick = ["--validate", "none"] if words.startswith("fit") else []
        yield name, [ireland, *words.replace("DATA", data).split(), *quick, "--threads", "1", "--json", "--quiet"]


def measure(arguments):
    """The smallest ratio of each row, and the kernels that were used."""
    todo, least, unit, kernel = list(commands(arguments.ireland)), {}, None, ""
    for _ in range(arguments.rounds):
        for name, command in [("", [arguments.reference]), *todo]:
            taken, said = processor_seconds(command)
            least[name] = min(taken, least.get(name, taken))
            kernel = json.loads(said)["run"].get("kernel", kernel) if name else kernel
    unit = least.pop("")
    return unit, {name: taken / unit for name, taken in least.items()}, kernel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ireland", default="./ireland")
    parser.add_argument("--reference", default="build/plain/bench/reference")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tolerance", type=float, default=0.25)
    parser.add_argument("--list", default=LIST)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    os.environ.update(OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS="1", LC_ALL="C")
    unit, ratios, kernel = measure(arguments)
    if arguments.write:
        with open(arguments.list, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("command", "ratio", "kernel"), *((name, f"{ratio:.3f}", kernel) for name, ratio in ratios.items())])
        return 0
    with open(arguments.list, newline="") as file:
        before = {row["command"]: row for row in csv.DictReader(file)}
    print(f"reference {unit:.3f} s, kernels {kernel}, {arguments.rounds} rounds")
    slower = 0
    for name, ratio in ratios.items():
        old = before.get(name)
        if not old or old["kernel"] != kernel:
            print(f"       {name}: {ratio:.3f}, not compared: the file has {'no such row' if not old else 'kernels ' + old['kernel']}")
            continue
        change = ratio / float(old["ratio"])
        word = "SLOWER" if change > 1 + arguments.tolerance else "faster" if change < 1 - arguments.tolerance else ""
        slower += word == "SLOWER"
        print(f"{word:6} {name}: {ratio:.3f}, was {old['ratio']} ({change:.2f})")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
