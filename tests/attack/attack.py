"""Attack by mixes: random small tables and mixes of options against brute force.

    python3 tests/attack/attack.py [--seconds S] [--seed SEED] [--cases N] [--jobs J] [--claims] [--ireland PATH]
    python3 tests/attack/attack.py --replay build/attack/SEED/INDEX/case.json

A finding is made smaller (samples, columns and options are dropped while it stays) and written to build/attack/SEED/INDEX
with the commands that show it. The exit code is 1 if there is any.
"""
import argparse
import collections
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time

import mixes
from judge import check_case
from shrink import shrink
from tool import Finding, normalise

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ireland", default=os.environ.get("IRELAND", os.path.join(TOP, "ireland")))
    parser.add_argument("--replay")
    parser.add_argument("--most", type=int, default=10, help="findings to look for before it ends")
    parser.add_argument("--without", default="", help="options, formats and commands to leave out, with commas between")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--claims", action="store_true", help="only what bears on claims, which are all to be proven")
    return parser.parse_args()


def save(finding, case, folder):
    """Leaves in the folder what is needed to see it again."""
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)
    with open(os.path.join(folder, "commands.txt"), "w") as file:
        file.write("# %s\n" % finding)
        for arguments in finding.log:
            file.write("ireland " + " ".join("'%s'" % a if set(a) & set(" <>!;\n*") else a for a in arguments) + "\n")


def attempt(case, binary, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return check_case(case, binary, folder)


def leave_out(case, names):
    options = {name: value for name, value in case["options"].items() if name not in names}
    return normalise(dict(case, options=options, without=names, format="csv" if case["format"] in names else case["format"]))


def work(number, arguments, jobs, queue):
    """One process: every jobs-th case."""
    pairs = mixes.all_pairs(arguments.seed, arguments.claims)
    end = time.time() + arguments.seconds if arguments.seconds else None
    folder = os.path.join(TOP, "build", "attack", arguments.seed)
    index = arguments.first + number
    while not (arguments.cases and index >= arguments.first + arguments.cases) and not (end and time.time() >= end):
        case = leave_out(mixes.draw_attack(arguments.seed, index, pairs, arguments.claims), arguments.without.split(","))
        place = os.path.join(folder, "run%d" % number)
        if case["command"] in case["without"]:
            index += jobs
            continue
        try:
            outcome = attempt(case, arguments.ireland, place)
            queue.put(("done", index, case["command"], sorted(case["options"]), outcome.options, outcome.status, len(outcome.refusals), outcome.runs))
        except Finding as finding:
            own = os.path.join(folder, str(index))
            case = normalise(case)
            if not arguments.no_shrink:
                case, finding = shrink(case, finding, lambda other: attempt(other, arguments.ireland, place))
            shutil.rmtree(own, ignore_errors=True)
            try:
                attempt(case, arguments.ireland, own)
            except Finding as again:
                finding = again
            save(finding, case, own)
            queue.put(("found", index, case["command"], sorted(case["options"]), str(finding), own))
        index += jobs
    shutil.rmtree(os.path.join(folder, "run%d" % number), ignore_errors=True)
    queue.put(("end",))


class Tally:
    def __init__(self):
        self.met, self.worked = collections.Counter(), collections.Counter()
        self.outcomes = {command: collections.Counter() for command in mixes.COMMANDS}
        self.cases = self.refusals = self.runs = 0
        self.findings = []

    @staticmethod
    def pairs(command, options):
        return ((command, a, b) for i, a in enumerate(options) for b in options[:i])

    def add(self, message):
        kind, index, command, options = message[:4]
        self.cases += 1
        self.met.update(self.pairs(command, options))
        if kind == "found":
            self.findings.append(message)
            print("FAIL case %d: %s\n     %s" % (index, message[4], message[5]), flush=True)
            return
        _, _, _, _, left, status, refusals, runs = message
        self.worked.update(self.pairs(command, left or []))
        self.outcomes[command][status] += 1
        self.refusals += refusals
        self.runs += runs

    def report(self):
        for command, outcomes in self.outcomes.items():
            print("%-7s %s" % (command, ", ".join("%d %s" % (n, status) for status, n in sorted(outcomes.items()))))
        pairs = [tuple([c] + sorted((a, b), reverse=True)) for c, a, b in mixes.all_pairs("")]
        missing = [pair for pair in pairs if pair not in self.met]
        refused = [pair for pair in pairs if pair in self.met and pair not in self.worked]
        print("%d refusals on the way; %d runs of ireland" % (self.refusals, self.runs))
        print("%d of %d pairs of options were met, %d of them always refused" % (len(pairs) - len(missing), len(pairs), len(refused)))
        self.show("never met", missing)
        return refused

    @staticmethod
    def show(title, pairs):
        if pairs:
            shown = ["%s %s+%s" % pair for pair in pairs[:40]]
            print("%s: %s%s" % (title, ", ".join(shown), " and %d more" % (len(pairs) - 40) if len(pairs) > 40 else ""))


def check_options(binary):
    """Options of the help that no mix draws: the attack has to learn them."""
    for command in mixes.COMMANDS:
        text = subprocess.run([binary, command, "--help"], capture_output=True, text=True).stdout
        names = {line.split()[0].lstrip("-") for line in text.splitlines() if line.startswith("  -")}
        unknown = sorted(names - set(mixes.KNOWN[command]) - mixes.NOT_DRAWN)
        gone = sorted(set(mixes.KNOWN[command]) - names)
        if unknown or gone:
            print("%s: options that are not drawn: %s; that are gone: %s" % (command, unknown, gone))


def replay(arguments):
    case = json.load(open(arguments.replay))
    folder = os.path.join(os.path.dirname(os.path.abspath(arguments.replay)), "again")
    try:
        outcome = attempt(case, arguments.ireland, folder)
    except Finding as finding:
        print(finding)
        for words in finding.log:
            print("  ireland " + " ".join(words))
        return 1
    print("clean: %s" % outcome.status)
    return 0


def main():
    arguments = parse()
    arguments.ireland = os.path.abspath(arguments.ireland)
    if arguments.replay:
        return replay(arguments)
    if not arguments.cases and not arguments.seconds:
        arguments.seconds = 60
    print("attack: seed %s" % arguments.seed, flush=True)
    check_options(arguments.ireland)
    start, queue, tally = time.time(), multiprocessing.Queue(), Tally()
    workers = [multiprocessing.Process(target=work, args=(i, arguments, arguments.jobs, queue)) for i in range(arguments.jobs)]
    for worker in workers:
        worker.start()
    n_ended = 0
    while n_ended < len(workers):
        try:
            message = queue.get(timeout=5)
        except Exception:
            if not any(worker.is_alive() for worker in workers) and queue.empty():
                print("FAIL a worker has died")
                tally.findings.append(None)
                break
            continue
        if message[0] == "end":
            n_ended += 1
            continue
        tally.add(message)
        if tally.cases % 1000 == 0:
            print("%d cases in %.0f s" % (tally.cases, time.time() - start), flush=True)
        if len(tally.findings) >= arguments.most:
            print("%d findings, that is enough" % arguments.most)
            for worker in workers:
                worker.terminate()
            break
    tally.report()
    print("%.0f s; %d passed, %d failed" % (time.time() - start, tally.cases - len(tally.findings), len(tally.findings)))
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
