"""The paper, reproduced: `python3 bench/paper --help` (bench/README.md explains)."""
import argparse
import os
import signal
import sys

sys.dont_write_bytecode = True
import sets
import experiments
import runner


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/paper", description="The paper's experiments: data, runs, figures and a page.")
    parser.add_argument("command", choices=("sets", "run", "report"))
    parser.add_argument("--ireland", default="./ireland", help="program to run (./ireland)")
    parser.add_argument("--folder", default="build/bench/paper", help="where runs.csv, figures and the page go (build/bench/paper)")
    parser.add_argument("--list", default=sets.LIST, help="the data sets (sets.csv beside this program)")
    parser.add_argument("--only", default="", help="experiments, as a,c,h (all)")
    parser.add_argument("--limit", type=int, default=60, help="seconds of wall clock for each run (60)")
    parser.add_argument("--minutes", type=float, default=1e6, help="run: begin no run after so many (any)")
    parser.add_argument("--memory", type=int, default=8192, help="MB of address space for each run (8192)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of each run (one per core)")
    parser.add_argument("--cells", type=int, default=10**9, help="sets of at most so many cells N * J (all)")
    parser.add_argument("--sets", type=int, default=10**9, help="at most so many sets of each collection, at equal steps (all)")
    parser.add_argument("--results", help="report: also write the summary to this file, as Markdown")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    os.environ.update(OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS="1")
    if arguments.command == "sets":
        sets.write_list(arguments.ireland, arguments.folder, arguments.list)
        return
    rows = sets.read_list(arguments.list)
    if arguments.command == "run":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the process of the run is ended too
        store = sets.Store(arguments.ireland, arguments.folder)
        machine = runner.Runner(arguments.ireland, arguments.folder, store, arguments.threads, arguments.memory)
        machine.series(experiments.plan(rows, arguments), {row["name"]: row for row in rows}, arguments.minutes)
        return
    import page
    page.write(rows, arguments)


if __name__ == "__main__":
    sys.exit(main())
