"""Runs in processes of their own, one row of a CSV file each, written as soon as it is done.

A process has a limit of memory (address space) and of wall clock; what crashes, is killed or fails is a row like any other, its status says
so. Rows that are there already are not run again, so an interrupted series goes on where it stopped.
"""
import collections
import csv
import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import csv_rows
import methods

FIELDS = ("instance", "checksum", "method", "options", "seed", "threads", "limit", "status", "objective", "normalized", "bound", "extra",
          "seconds", "cpu_seconds", "work", "peak_mb", "version")
KEY = ("instance", "method", "options", "seed", "threads", "limit")
GRACE = float(os.environ.get("BENCH_GRACE", 10))  # seconds of wall clock beyond the limit that a process was told, before it is killed

Run = collections.namedtuple("Run", ("instance", "method", "options", "limit"))
Ended = collections.namedtuple("Ended", ("code", "is_late", "output", "error", "seconds", "cpu_seconds", "peak_mb"))


def spawn(command, limit, memory_mb, folder):
    """Runs the command to its end or its limits; its output is read from files."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    paths = [os.path.join(folder, name) for name in ("out", "err")]
    began = time.monotonic()
    with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=restrict, start_new_session=True)
    late = threading.Event()

    def end():
        late.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(limit + GRACE, end)
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    texts = [open(path, errors="replace").read() for path in paths]
    return Ended(process.returncode, late.is_set(), *texts, time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def version_of(ireland):
    """What it says, and the start of the program's hash, since builds of one version differ."""
    said = subprocess.run([ireland, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()
    with open(ireland, "rb") as file:
        return f"{said[-1] if said else '?'}+{hashlib.sha256(file.read()).hexdigest()[:8]}"


def failure(ended):
    """Why there is no answer."""
    if ended.is_late:
        return "killed: over the time limit"
    if ended.code < 0:
        return f"crash: {signal.Signals(-ended.code).name}"
    if "out of memory" in ended.error or "bad_alloc" in ended.error:
        return "out of memory"
    if ended.code == 4:
        return "limit without a solution"
    return f"failed: exit code {ended.code}"


class Runner:
    def __init__(self, ireland, folder, store, threads, memory_mb):
        self.ireland, self.folder, self.store, self.threads, self.memory_mb = ireland, folder, store, threads, memory_mb
        self.path = os.path.join(folder, "runs.csv")
        self.version = version_of(ireland)
        os.makedirs(folder, exist_ok=True)

    def describe(self, run, row):
        """The columns of a row that are known before it is run."""
        return {"instance": run.instance, "checksum": row["checksum"], "method": run.method, "options": run.options, "seed": 1,
                "threads": self.threads, "limit": run.limit, "version": self.version}

    def execute(self, run, row):
        result = self.describe(run, row)
        try:
            command, parse = methods.prepare(self, run, row)
        except (OSError, subprocess.SubprocessError) as error:
            return {**result, "status": f"failed: {type(error).__name__}"}
        ended = spawn(command, run.limit, self.memory_mb, self.folder)
        try:
            found = parse(ended, row)
        except (ValueError, KeyError, TypeError):
            found = {}
        if ended.code or not found.get("status"):
            found = {"status": failure(ended)}
        cost = {"seconds": round(ended.seconds, 3), "cpu_seconds": round(ended.cpu_seconds, 3), "peak_mb": round(ended.peak_mb, 1)}
        return {**result, **cost, **found}

    def series(self, runs, rows, minutes):
        """Runs what is not there yet, for so many minutes."""
        done = {key_of(row) for row in read_runs(self.path)}
        left = [run for run in dict.fromkeys(runs) if key_of(self.describe(run, rows[run.instance])) not in done]
        print(f"{len(runs)} runs, {len(left)} to do, at most {sum(run.limit for run in left) / 3600:.1f} hours", file=sys.stderr)
        began = time.monotonic()
        for number, run in enumerate(left, 1):
            if time.monotonic() - began > 60 * minutes:
                print(f"{len(left) - number + 1} runs are left for the next time", file=sys.stderr)
                return
            result = self.execute(run, rows[run.instance])
            csv_rows.append(self.path, FIELDS, result)
            each = (time.monotonic() - began) / number
            print(f"[{number}/{len(left)}] {run.instance} {run.method}: {result['status']} {result.get('objective', '')} "
                  f"{result.get('seconds', 0)} s; about {each * (len(left) - number) / 60:.1f} min left", file=sys.stderr, flush=True)


def key_of(row):
    return tuple(str(row[field]) for field in KEY)


def read_runs(path):
    """The rows; one that was cut off is left out."""
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if row["version"]]
