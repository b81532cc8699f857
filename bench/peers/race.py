"""Contestants on the same tasks, in turns, each in processes of its own; a row of a CSV file for each, written as soon as it is done.

A round asks every contestant of every task once, one after the other within a task, so that what the machine does besides meets all of them.
Further rounds repeat what ended within its limit, what took long not as often: their spread is the interval that the page shows. Rows that are
there already are not run again, so a race that was broken off goes on. Seconds are those of the processor, children included; `wall` is beside
them. A task is begun only if what it is expected to take is left of the minutes: what it took before, here or in the recorded results, or,
if nobody knows, its limit for each contestant.
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

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "paper"))
import csv_rows

FIELDS = ("claim", "task", "contestant", "round", "status", "value", "bound", "cpu", "wall", "peak_mb", "threads", "limit", "extra", "version", "commit", "machine")
KEY = ("claim", "task", "contestant", "round")
SLACK = 5   # seconds of processor time beyond the limit that a contestant was told, before the system ends it
PATIENCE = 4  # times the limit of wall clock, as the machine may have other work
LONG = 5  # seconds: what took more is asked in LONG_ROUNDS rounds at most
LONG_ROUNDS = 3
ALONE = ("speed", "within", "literals", "lists", "pairs")  # claims on all cores, or with figures of milliseconds: one process at a time


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
    def __init__(self, folder, commit, machine, rounds, minutes, jobs, recorded=()):
        self.folder, self.commit, self.machine, self.rounds, self.jobs = folder, commit, machine, rounds, jobs
        self.recorded = {(row["claim"], row["task"], row["contestant"]): float(row["wall"] or 0) for row in recorded}
        self.path = os.path.join(folder, "peers.csv")
        self.until = time.monotonic() + 60 * minutes
        self.lock = threading.Lock()
        self.skipped, self.n_left_out = set(), 0
        os.makedirs(folder, exist_ok=True)
        self.rows = {tuple(row[field] for field in KEY): row for row in read_rows(self.path) if not row["status"].startswith(("absent", "failed"))}

    def is_over(self, task, contestant, number):
        """Was it run in this round, or did it reach its limit or fail before?"""
        rows = [self.rows.get((task.claim, task.name, contestant.name, str(k))) for k in range(1, number + 1)]
        is_long = rows[0] and float(rows[0]["cpu"] or 0) > LONG
        return (rows[-1] is not None or any(row and row["status"] not in ("proven", "done") for row in rows)
                or number > (min(task.rounds, LONG_ROUNDS) if is_long else task.rounds))

    def seconds(self, task, contestants, number):
        """What a turn is expected to take: as long as before, or the limit of each (of each fold, and what is chosen there)."""
        known = 0
        for contestant in contestants:
            if contestant.missing(task) or self.is_over(task, contestant, number):
                continue
            first = self.rows.get((task.claim, task.name, contestant.name, "1"))
            key = (task.claim, task.name, contestant.name)
            before = float(first["wall"] or 0) if first else self.recorded.get(key, task.limit)
            known += min(before, task.limit * getattr(task, "folds", 1))
        return known

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
        if not left:
            return
        if time.monotonic() + self.seconds(task, left, number) > self.until:
            with self.lock:
                self.n_left_out += 1
            return
        for contestant in left:
            row = self.ask(task, contestant, number)
            with self.lock:
                self.rows[tuple(str(row[field]) for field in KEY)] = row
                csv_rows.append(self.path, FIELDS, row)
            print(f"{number} {task.claim} | {task.name} | {contestant.name}: {row['status']} {row.get('value', '')} {row.get('cpu', '')} s", file=sys.stderr, flush=True)

    def is_ready(self, task):
        """Its data are there, or are made now."""
        if task in self.skipped or time.monotonic() > self.until:
            return False
        try:
            task.prepare()
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            print(f"{task.claim}, {task.name}: skipped, {error}", file=sys.stderr, flush=True)
            self.skipped.add(task)
        return task not in self.skipped

    def part(self, tasks, contestants, number):
        """A claim in one round, after a line that says what it will take."""
        asked = [(task, contestants(task)) for task in tasks]
        asked = [(task, who) for task, who in asked if not all(self.is_over(task, contestant, number) for contestant in who) and self.is_ready(task)]
        if not asked:
            return
        seconds = [self.seconds(task, who, number) for task, who in asked]
        jobs = 1 if tasks[0].claim in ALONE else self.jobs
        expected, left = max(sum(seconds) / jobs, *seconds, 0), self.until - time.monotonic()
        print(f"{tasks[0].claim}, round {number}: {len(asked)} tasks, about {minutes(expected)} of {minutes(left)} that are left"
              + (f", {jobs} at a time" if jobs > 1 else ""), file=sys.stderr, flush=True)
        self.n_left_out = 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for done in [pool.submit(self.turn, task, who, number) for task, who in asked]:
                done.result()
        if self.n_left_out:
            print(f"{tasks[0].claim}, round {number}: no time for {self.n_left_out} of {len(asked)} tasks", file=sys.stderr, flush=True)

    def series(self, tasks, contestants):
        claims = list(dict.fromkeys(task.claim for task in tasks))
        for number in range(1, self.rounds + 1):
            for claim in claims:
                self.part([task for task in tasks if task.claim == claim], contestants, number)


def minutes(seconds):
    return f"{max(seconds, 0) / 60:.1f} minutes"


def read_rows(path):
    """The rows; one that was cut off is left out, and of two for the same the later one counts."""
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["commit"]]
    return list({tuple(row[field] for field in KEY): row for row in rows}.values())
