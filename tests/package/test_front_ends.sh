#!/usr/bin/env bash
# The command line, Python, R and the page's engine give the same numbers for the same question.
. "$(dirname "$0")/../shell.sh"
begin front-ends
awk 'BEGIN { srand(3); print "a,b,c,d,x,y"; for (i = 0; i < 160; i++) { for (k = 0; k < 4; k++) v[k] = int(2 * rand())
  x = int(40 * rand()); print v[0] "," v[1] "," v[2] "," v[3] "," x "," ((v[0] && !v[1] || x > 25) != (rand() < 0.1)) } }' >"$dir/t.csv"

# figures: a cross-validation in JSON as lines: the choice, each setting, the nested estimate; rounded, since R reads decimals in its own way.
figures() {
  sed -n '/"best"/d; s/^  "K": \(.*\),$/chosen \1/p
    s/.*"K": \([0-9]*\), "M": \([0-9]*\), "penalty": \([^,]*\), "negations": \([a-z]*\), .*"accuracy": \([^,]*\), .*"balanced_accuracy": \([^,]*\), .*"clauses": \([^,]*\), "literals": \([^,]*\),.*/\1 \2 \3 \4 \5 \6 \7 \8/p
    s/.*"nested": {.*"accuracy": \([^,]*\), .*"balanced_accuracy": \([^,]*\), .*/nested \1 \2/p' | awk '
    $1 == "chosen" { print; next }
    $1 == "nested" { printf "nested %.9f %.9f\n", $2, $3; next }
    { printf "%d %d %g %d %.9f %.9f %.6f %.6f\n", $1, $2, $3, $4 == "true", $5, $6, $7, $8 }' | sort
}
# ask NAME WORDS...: the command line answers first; the others are held against $dir/NAME.
ask() {
  run cv "$dir/t.csv" --folds 4 --json --quiet "${@:2}"
  figures <"$dir/out" >"$dir/$1"
}
ask usual --nested
ask named -K 1,2,4 -M 1..2 --penalty 0,0.01 --negations
check "there is something to compare" test "$(wc -l <"$dir/usual")" -gt 100 -a "$(wc -l <"$dir/named")" = 13
run fit "$dir/t.csv" --tune -K 1..2 -M 1..2 --penalty 0 --json --quiet
sed -n '/"tuning"/,/^  }/s/^  //p' "$dir/out" | figures >"$dir/tuned"
# same FRONT: what this front end wrote to $dir/FRONT.usual, FRONT.named and FRONT.tuned.
same() {
  for name in usual named tuned; do
    sort "$dir/$1.$name" >"$dir/sorted" 2>>"$dir/err"
    if cmp -s "$dir/$name" "$dir/sorted"; then pass "$1: $name"; else fail "$1: $name" "$(diff "$dir/$name" "$dir/sorted" | head -n 4) $(tail -n 2 "$dir/err")"; fi
  done
}

# ---- Python ----
cat >"$dir/ask.py" <<'END'
import sys
import numpy as np
from ireland import RuleClassifier
folder = sys.argv[1]
table = np.genfromtxt(folder + "/t.csv", delimiter=",", skip_header=1)
X, y = table[:, :5], table[:, 5].astype(int)
model = RuleClassifier()

def note(name, cv):
    names = ("K", "M", "penalty", "negations", "accuracy", "balanced_accuracy", "clauses", "literals")
    with open(f"{folder}/python.{name}", "w") as out:
        print("chosen", cv.chosen["K"], file=out)
        for row in cv.rows:
            print("%d %d %g %d %.9f %.9f %.6f %.6f" % tuple(row[n] for n in names), file=out)
        if cv.nested:
            print("nested %.9f %.9f" % (cv.nested["accuracy"], cv.nested["balanced_accuracy"]), file=out)

note("usual", model.cross_validate(X, y, folds=4, nested=True))
note("named", model.cross_validate(X, y, K=[1, 2, 4], M=range(1, 3), penalty=[0, 0.01], negations=True, folds=4))
tuned = RuleClassifier(tune=True, K=[1, 2], M="1..2", penalty="0").fit(X, y)
note("tuned", tuned.tuning_)
ways = (([1, 2], 0, [False, True]), ("1..2", "0", "0,1"), (range(1, 3), 0.0, None), (np.array([2, 1]), [0], (1, 0)))
asked = [model.cross_validate(X, y, K=K, M="1..2", penalty=penalty, folds=2, negations=n).rows for K, penalty, n in ways]
assert all(rows == asked[0] for rows in asked) and len(asked[0]) == 8
END
python=""
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
  [ -n "$candidate" ] && "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
library=$(realpath "$(dirname "$(realpath "$ireland")")/libireland.so.0" 2>/dev/null)
sanitizers=$(nm -D "$library" 2>/dev/null | grep -E '__[at]san_init')
if [ -z "$python" ]; then
  skip python "needs python3 with NumPy (make deps)"
elif [ ! -f "$library" ] || [ -n "$sanitizers" ]; then
  skip python "needs a library without sanitizers"
else
  check "Python answers" env PYTHONPATH=src/python IRELAND_LIBRARY="$library" PYTHONDONTWRITEBYTECODE=1 "$python" "$dir/ask.py" "$dir" 2>"$dir/err"
  same python
fi

# ---- R: its calls beside its code, without a package ----
cat >"$dir/ask.R" <<'END'
folder <- commandArgs(TRUE)[1]
calls <- getDLLRegisteredRoutines(dyn.load(file.path(folder, "ireland.so")))$.Call
for (call in calls) assign(call$name, call)
for (file in list.files("src/r/R", full.names = TRUE)) source(file)
table <- read.csv(file.path(folder, "t.csv"))
note <- function(name, cv) {
  rows <- as.data.frame(cv)
  line <- sprintf("%d %d %g %d %.9f %.9f %.6f %.6f", as.integer(rows$K), as.integer(rows$M), rows$penalty, as.integer(rows$negations), rows$accuracy,
                  rows$balanced_accuracy, rows$clauses, rows$literals)
  nested <- if (!is.null(cv$nested)) sprintf("nested %.9f %.9f", cv$nested$accuracy, cv$nested$balanced_accuracy)
  writeLines(c(paste("chosen", cv$K), line, nested), file.path(folder, paste0("r.", name)))
}
note("usual", ireland_cv(y ~ ., table, folds = 4, nested = TRUE))
note("named", ireland_cv(y ~ ., table, K = c(1, 2, 4), M = "1..2", penalty = c(0, 0.01), negations = TRUE, folds = 4))
note("tuned", ireland(y ~ ., table, tune = TRUE, K = 1:2, M = 1:2, penalty = 0)$tuning)
END
if ! command -v Rscript >/dev/null; then
  skip r "needs R (make deps)"
elif [ ! -f "$library" ] || [ -n "$sanitizers" ]; then
  skip r "needs a library without sanitizers"
else
  archive=$(dirname "$(realpath "$ireland")")/libireland.a
  check "the calls of R compile" quietly "$cc" -O1 -fPIC -shared $(R CMD config --cppflags) -Iinclude -Isrc src/r/src/*.c "$archive" $(tests/libraries.sh "$archive") -o "$dir/ireland.so"
  check "R answers" quietly Rscript "$dir/ask.R" "$dir"
  same r
fi

# ---- the page ----
cat >"$dir/ask.mjs" <<'END'
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
const irelandJob = new Function(readFileSync('src/web/job.js', 'utf8') + '\nreturn irelandJob;')();
const create = createRequire(import.meta.url)(resolve('build/web/engine.js'));
const compiled = await WebAssembly.compile(readFileSync('build/web/engine.wasm'));
const files = [{name: 't.csv', data: new Uint8Array(readFileSync(process.argv[2] + '/t.csv'))}];
const cv = ['cv', 't.csv', '--folds', '4'], questions = {usual: [...cv, '--nested'], named: [...cv, '-K', '1,2,4', '-M', '1..2', '--penalty', '0,0.01', '--negations'],
  tuned: ['fit', 't.csv', '--tune', '-K', '1..2', '-M', '1..2', '--penalty', '0']};
for (const [name, words] of Object.entries(questions)) {
  const answer = await irelandJob(create, compiled, {words: [...words, '--json', '--quiet'], files});
  writeFileSync(`${process.argv[2]}/web.${name}.json`, answer.out);
}
END
check "the page has no grid of its own" bash -c "! grep -nE \"'-K', '1|'--penalty', '\" src/web/page/*.js"
if [ ! -f build/web/engine.wasm ] || ! command -v node >/dev/null; then
  skip page "needs node and the page, which 'make web' builds with emscripten (make deps web)"
elif [ -n "$(find src include -name '*.[ch]' -newer build/web/engine.wasm -print -quit)" ]; then
  skip page "the page is older than the sources: make web"
else
  check "the page's engine answers" node "$dir/ask.mjs" "$dir"
  for name in usual named; do figures <"$dir/web.$name.json" >"$dir/web.$name"; done
  sed -n '/"tuning"/,/^  }/s/^  //p' "$dir/web.tuned.json" | figures >"$dir/web.tuned"
  same web
fi
finish
