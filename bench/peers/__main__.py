"""ireland beside its peers: `python3 bench/peers --help` (bench/README.md explains)."""
import argparse
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import contestants
import race
import tasks


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/peers", description="The same work for ireland and its peers, and the page of what came of it.")
    parser.add_argument("command", choices=("run", "list", "page"))
    parser.add_argument("--ireland", default="./ireland", help="program to run (./ireland)")
    parser.add_argument("--peers", default="", help="folder with peers that are not on the PATH, and the data that came with them")
    parser.add_argument("--shared", default="../shared", help="folder with public data sets, datasets/*.csv (../shared)")
    parser.add_argument("--folder", default="build/bench/peers", help="where peers.csv and the data go (build/bench/peers)")
    parser.add_argument("--programs", default="build/plain/bench", help="our programs that time a part (build/plain/bench)")
    parser.add_argument("--only", default="", help="claims, as models,trees (all)")
    parser.add_argument("--match", default="", help="tasks whose name has this in it (all)")
    parser.add_argument("--who", default="", help="contestants whose name begins so, as ireland,cbc (all)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in all of what ends; of what takes more than seconds three (5)")
    parser.add_argument("--minutes", type=float, default=50, help="what would not be done after so many is not begun (50)")
    parser.add_argument("--limit", type=float, default=0, help="seconds of a run at most (each task has its own)")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at once, save those that run alone (1)")
    parser.add_argument("--results", default="bench/results", help="page: the folder of RESULTS.md and its CSV files (bench/results)")
    parser.add_argument("--readme", default="README.md", help="page: the document whose table is that of RESULTS.md (README.md)")
    parser.add_argument("--paper", default="build/bench/paper/runs.csv", help="page: rows of bench/paper that --record takes")
    parser.add_argument("--preview", action="store_true", help="page: of the last race, into its folder")
    parser.add_argument("--record", action="store_true", help="page: take the rows of the last races into the folder of results first")
    parser.add_argument("--check", action="store_true", help="page: write nothing, exit with 1 if a document is not what its CSV files make")
    return parser.parse_args()


def commit():
    said = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    return said or "unknown"


def main():
    arguments = parse_arguments()
    if arguments.command == "page":
        import page
        return page.write(arguments)
    os.environ.update(OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS="1", LC_ALL="C")
    tasks.FOLDERS.update(ireland=arguments.ireland, work=arguments.folder, shared=arguments.shared, peers=arguments.peers)
    contestants.SETTINGS.update(ireland=arguments.ireland, programs=arguments.programs, peers=arguments.peers)
    wanted = arguments.only.split(",") if arguments.only else None
    chosen = [task for task in tasks.all_tasks() if (not wanted or task.claim in wanted) and arguments.match in task.name]
    who = tuple(arguments.who.split(","))
    for task in chosen:
        task.limit = min(task.limit, arguments.limit or task.limit)

    def asked(task):
        return [contestant for contestant in contestants.of(task) if contestant.name.startswith(who)]

    if arguments.command == "list":
        for task in chosen:
            print(task.claim, "|", task.name, "|", ", ".join(contestant.name + ("" if not contestant.missing(task) else " (absent)") for contestant in asked(task)))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the process of the run is ended too
    import page
    os.makedirs(arguments.folder, exist_ok=True)
    page.note_machine(arguments.folder)
    race.Race(arguments.folder, commit(), page.machine_rows(arguments.folder)["cpu"], arguments.rounds, arguments.minutes, arguments.jobs,
              race.read_rows(f"{arguments.results}/peers.csv")).series(chosen, asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
