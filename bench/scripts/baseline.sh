#!/usr/bin/env bash
# Work and objectives of a fixed small set against bench/baseline.csv: bench/scripts/baseline.sh [--write]
#
# All figures are the same on every machine and for any number of threads. A row that is worse (objective, bound, or more work) is
# printed and makes the exit status 1; a better one is printed too. --write makes the file anew, to be committed with the change
# that moved the figures.
set -u
ireland=${IRELAND:-./ireland}
dir=build/bench
list=bench/baseline.csv
mkdir -p "$dir"
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

field() { sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$dir/row.json" | head -1; }

# data GENERATE-OPTIONS -- OTHERS: makes the data, and leaves the others in `others`
data() {
  local make=()
  while [ "$1" != -- ]; do make+=("$1"); shift; done
  others=("${@:2}")
  "$ireland" generate "${make[@]}" -o "$dir/row.irb" --quiet
}

# row NAME GENERATE-OPTIONS -- FIT-OPTIONS
row() {
  local name=$1 others
  data "${@:2}"
  "$ireland" fit "$dir/row.irb" "${others[@]}" --validate none --json --quiet >"$dir/row.json"
  echo "$name,$(field objective),$(field bound),,,$(field work)"
}

# curve NAME GENERATE-OPTIONS -- CURVE-OPTIONS: the area below a curve whose points are all proven
curve() {
  local name=$1 others
  data "${@:2}"
  "$ireland" curve "$dir/row.irb" "${others[@]}" --prove --json --quiet >"$dir/row.json"
  echo "$name,$(field area),$(field area),,,$(field work)"
}

# model NAME GENERATE-OPTIONS -- MODEL-OPTIONS: the MILP solver
model() {
  local name=$1 others
  data "${@:2}"
  "$ireland" model "$dir/row.irb" "${others[@]}" -o "$dir/row.mps" --quiet
  "$ireland" solve "$dir/row.mps" --json --quiet >"$dir/row.json"
  echo "$name,$(field objective),$(field bound),$(field nodes),$(field iterations),$(field work)"
}

rows() {
  echo instance,objective,bound,nodes,pivots,work
  bench/scripts/clause.sh baseline
  row fit-n500-j500-k5-m4 -N 500 -J 500 -K 5 -M 4 --exact-size -- -K 5 -M 4
  row fit-n1000-j300-k5-m3-e2.5 -N 1000 -J 300 -K 5 -M 3 --exact-size --noise 0.025 -- -K 5 -M 3
  row fit-n1000-j1000-k3-m3-e5 -N 1000 -J 1000 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3
  row fit-n100-j500-k5-m4 -N 100 -J 500 -K 5 -M 4 -- -K 5 -M 4
  row fit-paper-n500-j200-k5-m3-e1 -N 500 -J 200 -K 5 -M 3 --noise 0.01 -- -K 5 -M 3 --profile paper

  # Rule branch and bound, with every loss and limit.
  row bnb-n500-j100-k3-m4-e1 -N 500 -J 100 -K 3 -M 4 --noise 0.01 -- -K 3 -M 4
  row bnb-n1000-j300-k3-m4-e5 -N 1000 -J 300 -K 3 -M 4 --noise 0.05 -- -K 3 -M 4 --prove
  row penalty-n250-j60-k3-m3-e5 -N 250 -J 60 -K 4 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --penalty 0.002 --prove
  row sensitivity-n150-j50-k3-m3-e10 -N 150 -J 50 -K 4 -M 3 --exact-size --noise 0.1 -- -K 3 -M 3 --min-sensitivity 0.8 --prove
  row literals-n300-j60-k4-m4-e10 -N 300 -J 60 -K 4 -M 3 --exact-size --noise 0.1 -- -K 4 -M 4 --max-literals 5 --negations --prove
  row hamming-n300-j60-k3-m3-e5 -N 300 -J 60 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --loss hamming --prove
  # Rising cutoffs.
  row cutoffs-n500-j50-k4-m3-e10 -N 500 -J 50 -K 4 -M 3 --exact-size --noise 0.1 -- -K 4 -M 3 --prove
  row negations-n200-j40-k3-m3-e5 -N 200 -J 40 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --negations --prove
  row weights-n300-j60-k3-m3-e5 -N 300 -J 60 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --weights unit --prove
  # One enumeration.
  row enum-n1000-j800-k6-m3-e.3 -N 1000 -J 800 -K 6 -M 3 --exact-size --noise 0.003 -- -K 6 -M 3 --prove
  row enum-n2000-j600-k10-m3-e.2 -N 2000 -J 600 -K 10 -M 3 --exact-size --noise 0.002 -- -K 10 -M 3 --prove
  row enum-n3000-j1000-k8-m3-e.1 -N 3000 -J 1000 -K 8 -M 3 --exact-size --noise 0.001 -- -K 8 -M 3 --prove
  # A case subset.
  row subset-n1000-j1000-k5-m4-e2.5 -N 1000 -J 1000 -K 5 -M 4 --exact-size --noise 0.025 -- -K 5 -M 4 --prove
  row subset-n2000-j800-k5-m4-e2.5 -N 2000 -J 800 -K 5 -M 4 --exact-size --noise 0.025 -- -K 5 -M 4 --prove
  row subset-n5000-j500-k3-m4-e1 -N 5000 -J 500 -K 3 -M 4 --noise 0.01 -- -K 3 -M 4 --prove
  # Column generation.
  row brcg-n500-j100-k3-m3-e2.5 -N 500 -J 100 -K 3 -M 3 --noise 0.025 -- -K 3 -M 3 --method brcg
  row brcg-n300-j40-k3-m3-e5 -N 300 -J 40 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --method brcg --prove
  row brcg-complexity-n300-j40-k3-m3-e5 -N 300 -J 40 -K 3 -M 3 --exact-size --noise 0.05 -- -K 3 -M 3 --method brcg --complexity 8 --prove
  curve curve-n200-j20-k3-m2-e5 -N 200 -J 20 -K 3 -M 2 --noise 0.05 -- -K 3 -M 2
  model bp1-n60-j20-k2-m3 -N 60 -J 20 -K 2 -M 3 -- -K 2 -M 3 --form bp1 --plain
  model bp4-n60-j20-k2-m3-e5 -N 60 -J 20 -K 2 -M 3 --noise 0.05 -- -K 2 -M 3 --form bp4 --plain
}

if [ "${1:-}" = --write ]; then
  rows >"$dir/baseline.new" && mv "$dir/baseline.new" "$list"
  exit
fi

# Clauses and areas are maximised, the rest is minimised; of a bound the nearer one is better. Objectives are compared to nine digits.
rows >"$dir/baseline.new"
awk -F, '
  function differs(a, b) { d = a - b; if (d < 0) d = -d; m = a < 0 ? -a : a; return d > 1e-9 * (1 + m) }
  function say(word, what, old, new) { printf "%-6s %s: %s %s, was %s\n", word, $1, what, new, old; if (word == "WORSE") worse++ }
  FNR == 1 { next }
  FNR == NR { objective[$1] = $2; bound[$1] = $3; work[$1] = $6; next }
  !($1 in work) { printf "new    %s\n", $1; next }
  { n++; sign = $1 ~ /^(clause|curve)/ ? -1 : 1; seen[$1] = 1
    if ($2 == "" || $6 == "") { say("WORSE", "objective", objective[$1], "none"); next }
    if (differs($2, objective[$1])) say(sign * ($2 - objective[$1]) > 0 ? "WORSE" : "better", "objective", objective[$1], $2)
    if (differs($3, bound[$1])) say(sign * ($3 - bound[$1]) < 0 ? "WORSE" : "better", "bound", bound[$1], $3)
    if ($6 != work[$1]) say($6 > work[$1] ? "WORSE" : "better", "work", work[$1], $6) }
  END { for (name in work) if (!(name in seen)) { printf "WORSE  %s: gone\n", name; worse++ }
        printf "%d rows, %d changes for the worse\n", n, worse; exit worse > 0 }' "$list" "$dir/baseline.new"
