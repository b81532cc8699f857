"""Contestants on the same tasks, in turns, each in processes of its own; a row of a CSV file for each, written as soon as it is done.

A round asks every contestant of every task once, one after the other within a task, so that what the machine does besides meets all of them.
Further rounds repeat what ended within its limit: their spread is the interval that the page shows. Rows that are there already are not
run again, so a race that was broken off goes on. Seconds are those of the processor, children included; `wall` is beside them.
"""
import concurrent.futures
import csv
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

FIELDS = ("claim", "task", "contestant", "round", "status", "value", "bound", "cpu", "wall", "peak_mb", "threads", "limit", "extra", "version", "commit", "machine")
KEY = ("claim", "task", "contestant", "round")
SLACK = 5   # seconds of processor time beyond the limit that a contestant was told, before the system ends it
PATIENCE = 4  # times the limit of wall clock, as the machine may have other work


class Ended:
    def __init__(self, code, output, error):
        self.code, self.output, self.error = code, output, error


class Box:
    """What a contestant runs its processes in: a folder, a limit in seconds, and what they cost so far."""

    def __init__(self, folder, limit):
        self.folder, self.limit = folder, limit
        self.cpu, self.wall, self.peak_mb, self.is_late = 0.0, 0.0, 0.0, False
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, **environment):
        """Runs a command to its end or its limit and adds up its cost."""
        def restrict():
            seconds = int(self.limit) + SLACK
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        began = time.monotonic()
        with open(self.path("out"), "wb") as out, open(self.path("err"), "wb") as err:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=restrict,
                                       start_new_session=True, env={**os.environ, **environment})
        timer = threading.Timer(PATIENCE * self.limit + 30, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        self.is_late |= process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        self.cpu += usage.ru_utime + usage.ru_stime
        self.wall += time.monotonic() - began
        self.peak_mb = max(self.peak_mb, usage.ru_maxrss / 1024)
        return Ended(process.returncode, *(open(self.path(name), errors="replace").read() for name in ("out", "err")))


class Race:
    def __init__(self, folder, commit, machine, rounds, minutes, jobs):
        self.folder, self.commit, self.machine, self.rounds, self.jobs = folder, commit, machine, rounds, jobs
        self.path = os.path.join(folder, "peers.csv")
        self.until = time.monotonic() + 60 * minutes
        self.lock = threading.Lock()
        os.makedirs(folder, exist_ok=True)
        self.rows = {tuple(row[field] for field in KEY): row for row in read_rows(self.path) if not row["status"].startswith(("absent", "failed"))}

    def is_over(self, task, contestant, number):
        """Was it run in this round, or did it reach its limit or fail before?"""
        rows = [self.rows.get((task.claim, task.name, contestant.name, str(k))) for k in range(1, number + 1)]
        return rows[-1] is not None or any(row and row["status"] not in ("proven", "done") for row in rows) or number > task.rounds

    def ask(self, task, contestant, number):
        """A row: the contestant's answer, or why there is none."""
        row = {"claim": task.claim, "task": task.name, "contestant": contestant.name, "round": number, "limit": task.limit,
               "threads": contestant.threads(task), "commit": self.commit, "machine": self.machine}
        reason = contestant.missing(task)
        if reason:
            return {**row, "status": "absent: " + reason}
        box = Box(os.path.join(self.folder, "run", f"{task.claim}-{threading.get_ident() % 1000}"), task.limit)
        try:
            answer = contestant.solve(contestant, task, box)
        except (ValueError, KeyError, TypeError, IndexError, OSError) as error:
            answer = {"status": f"failed: {type(error).__name__} {error}".split("\n")[0][:80]}
        if box.is_late and answer.get("status") != "proven":
            answer["status"] = "limit"
        shutil.rmtree(box.folder, ignore_errors=True)
        cost = {"cpu": f"{box.cpu:.3f}", "wall": f"{box.wall:.3f}", "peak_mb": f"{box.peak_mb:.0f}", "version": contestant.version()}
        return {**row, **cost, **answer}

    def turn(self, task, contestants, number):
        """All contestants of a task, one after the other."""
        left = [contestant for contestant in contestants if not self.is_over(task, contestant, number)]
        if not left or time.monotonic() > self.until:
            return
        try:
            task.prepare()
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            print(f"{task.claim}, {task.name}: skipped, {error}", file=sys.stderr, flush=True)
            return
        for contestant in left:
            row = self.ask(task, contestant, number)
            with self.lock:
                self.rows[tuple(str(row[field]) for field in KEY)] = row
                append(self.path, row)
            print(f"{number} {task.claim} | {task.name} | {contestant.name}: {row['status']} {row.get('value', '')} {row.get('cpu', '')} s", file=sys.stderr, flush=True)

    def series(self, tasks, contestants):
        for number in range(1, self.rounds + 1):
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                for done in [pool.submit(self.turn, task, contestants(task), number) for task in tasks]:
                    done.result()


def append(path, row):
    """Adds a row; after one that was cut off a new line begins."""
    with open(path, "a+", newline="") as file:
        file.seek(0)
        before = file.read()
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not before:
            writer.writeheader()
        elif not before.endswith("\n"):
            file.write("\n")
        writer.writerow(row)


def read_rows(path):
    """The rows; one that was cut off is left out, and of two for the same the later one counts."""
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["commit"]]
    return list({tuple(row[field] for field in KEY): row for row in rows}.values())
