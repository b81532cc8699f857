"""The cost model of bench/results/RESULTS.md: what a fit would take on a cluster, from counts that were measured on one machine.

    python3 bench/scripts/scaling_model.py

Everything that is assumed stands in the first lines; the rest is arithmetic.
"""
RATE = 5.1e9        # words of 64 bits that a core ANDs and counts in a second: 8.0e10 words in 15.6 s (100,000 x 20,000, measured)
CORES = 16          # of a node, half of which memory lets work
BANDWIDTH = 12.5e9  # bytes per second into a node: 100 Gbit/s
LATENCY = 5e-6      # seconds of one hop of a collective operation
DISK = 2e9          # bytes per second that a node reads
WORK = 2600         # words of work for each word of data: 8.0e10 / 3.1e7 (K = 3, M = 3, measured)
SEARCHES = 17       # of a fit (measured)
OPERATIONS = 1522   # of a fit (measured)
COLUMNS = 600       # columns that each process gets from the others in one search: the widths of the beam (200) and polishing
MAX_ADDED = 400       # columns that the first process fetches after it
LITERAL = 1.6e-7    # seconds to sort a literal, which every process does for all of them: qsort of 10^7 keys takes 1.6 s here
CHOICE = 60 * 400   # covers that the first process looks at, alone, to choose what to keep of a search


def estimate(n, j, nodes):
    words = n / 64 * j
    held = words * 8 / nodes
    column = n / 8
    times = {
        "reading": held / DISK,
        "search": WORK * words / (nodes * RATE * CORES / 2),
        "columns": SEARCHES * (COLUMNS + MAX_ADDED) * column / BANDWIDTH,
        "counts": SEARCHES * 2 * 8 * j / BANDWIDTH,
        "latency": OPERATIONS * LATENCY * max(1, (nodes - 1).bit_length()),
        "literals": SEARCHES * j * LITERAL,
        "choice": SEARCHES * CHOICE * n / 64 / (RATE * 4),
    }
    memory = 2 * held + 64 * j + (3 * 64e6 if column * 512 < 64e6 else 1100 * column)
    return held, memory, times


print("| samples x features | nodes | bits held GB | memory GB | " + " | ".join(estimate(1, 1, 1)[2]) + " | all s |")
print("| --- | ---: | ---: | ---: |" + " ---: |" * 8)
for n, j in ((10_000_000, 100_000), (1_000_000, 10_000_000)):
    for nodes in (16, 64, 256):
        held, memory, times = estimate(n, j, nodes)
        cells = [f"{t:.1f}" for t in (*times.values(), sum(times.values()))]
        print(f"| {n:,} x {j:,} | {nodes} | {held / 1e9:.1f} | {memory / 1e9:.1f} | " + " | ".join(cells) + " |")
