#!/usr/bin/env bash
# What Python and R cost beside the command line: a fit on a frame of ROWS rows (a million) in memory against the same fit from a CSV,
# in seconds of processor time, the least of three; and how long the import takes. Uses the wheel and the R package that were built
# (make wheel r-package), in folders of its own.
#   bench/scripts/packages.sh [ROWS]
set -eu
cd "$(dirname "$0")/../.."
rows=${1:-1000000}
out=$PWD/build/bench/packages
mkdir -p "$out/r"
python=python3
/usr/bin/python3 -c 'import pandas' 2>/dev/null && python=/usr/bin/python3
[ -x "$out/venv/bin/python" ] || "$python" -m venv --system-site-packages "$out/venv"
"$out/venv/bin/pip" install -q --force-reinstall --no-index --no-deps --disable-pip-version-check build/python/*.whl
cat >"$out/fit.py" <<'END'
import sys, time
import numpy as np, pandas as pd
import ireland
csv, rows = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(1)
if len(sys.argv) > 3:
    frame = pd.DataFrame({f"n{j}": rng.normal(size=rows).round(4) for j in range(8)} | {f"b{j}": rng.integers(0, 2, rows) for j in range(8)}
                         | {f"c{j}": rng.choice(["red", "green", "blue", "white"], rows) for j in range(4)})
    case = (frame.n0 > 0.5) & (frame.b0 == 1) | (frame.c0 == "red") & (frame.n1 < -0.3)
    frame["y"] = (case ^ (rng.random(rows) < 0.05)).astype(int)
    frame.to_csv(csv, index=False)
    frame.to_pickle(csv + ".pickle")
    sys.exit()
frame = pd.read_pickle(csv + ".pickle")
X, y = frame.drop(columns="y"), frame["y"]
ireland.RuleClassifier, ireland.library_path()
before = time.process_time()
model = ireland.RuleClassifier(K=2, M=2, threads=1).fit(X, y)
print(time.process_time() - before, model.rule_)
END
csv=$out/rows-$rows.csv
[ -s "$csv.pickle" ] || "$out/venv/bin/python" "$out/fit.py" "$csv" "$rows" make
least() { sort -n | head -n 1; }
program() { for _ in 1 2 3; do /usr/bin/time -f %U ./ireland fit "$csv" -K 2 -M 2 --threads 1 --quiet 2>&1 >/dev/null | tail -n 1; done | least; }
of_python() { for _ in 1 2 3; do "$out/venv/bin/python" "$out/fit.py" "$csv" "$rows" | cut -d ' ' -f 1; done | least; }
echo "rows $rows"
cli=$(program)
echo "command line, reading a CSV: $cli s"
py=$(of_python)
echo "Python, fit of a pandas frame: $py s ($(awk -v a="$py" -v b="$cli" 'BEGIN { printf "%+.1f %%", 100 * (a / b - 1) }'))"
if command -v Rscript >/dev/null && ls build/r/ireland_*.tar.gz >/dev/null 2>&1; then
  R CMD INSTALL -l "$out/r" build/r/ireland_*.tar.gz >"$out/install.log" 2>&1
  cat >"$out/fit.R" <<'END'
arguments <- commandArgs(TRUE)
library(ireland, lib.loc = arguments[2])
rds <- paste0(arguments[1], ".rds")
if (!file.exists(rds)) saveRDS(read.csv(arguments[1]), rds, compress = FALSE)
frame <- readRDS(rds)
cat(system.time(fit <- ireland(y ~ ., frame, K = 2, M = 2, threads = 1))[["user.self"]], fit$rule, "\n")
END
  r=$(for _ in 1 2 3; do Rscript "$out/fit.R" "$csv" "$out/r" | cut -d ' ' -f 1; done | least)
  echo "R, fit of a frame: $r s ($(awk -v a="$r" -v b="$cli" 'BEGIN { printf "%+.1f %%", 100 * (a / b - 1) }'))"
fi
import_time() { for _ in 1 2 3 4 5; do "$out/venv/bin/python" -c "import time; a = time.process_time(); $1; print(round(time.process_time() - a, 4))"; done | least; }
echo "import ireland: $(import_time 'import ireland') s; with RuleClassifier: $(import_time 'from ireland import RuleClassifier') s, of which NumPy: $(import_time 'import numpy') s"
