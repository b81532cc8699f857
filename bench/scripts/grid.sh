#!/usr/bin/env bash
# fit on the paper's grid of planted sets: bench/scripts/grid.sh IRELAND SECONDS NOISE [SIZES]
# N and J in SIZES, K in 3 5 10, M in 3 4 5, exact-size clauses, seed 1. A line per set that exists:
# sizes, planted error, found error, status, wall clock of the whole command and when the rule was there; at the end how many
# reach the planted error.
set -u
ireland=${1:-./ireland} limit=${2:-30} noise=${3:-0} sizes=${4:-100 500 1000 5000 10000}
dir=build/bench
mkdir -p $dir
exist=0 reached=0
number() { sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$2" | head -n 1; }
for n in $sizes; do for j in $sizes; do for k in 3 5 10; do for m in 3 4 5; do
  "$ireland" generate -N "$n" -J "$j" -K "$k" -M "$m" --exact-size --noise "$noise" --seed 1 -o $dir/g.irb \
    --rule $dir/g.json --quiet >$dir/g.out 2>&1 || continue
  exist=$((exist + 1))
  "$ireland" evaluate $dir/g.json $dir/g.irb --json >$dir/g.planted
  start=$(date +%s%N)
  "$ireland" fit $dir/g.irb -K "$k" -M "$m" --json --quiet --time-limit "$limit" >$dir/g.found
  end=$(date +%s%N)
  planted=$(number weighted_error $dir/g.planted) found=$(number weighted_error $dir/g.found)
  good=$(awk -v p="$planted" -v f="$found" 'BEGIN { print f <= p * (1 + 1e-9) }')
  reached=$((reached + good))
  printf '%s %s %s %s %s  planted %.4f found %.4f %s %.2f s, rule at %.2f s%s\n' "$n" "$j" "$k" "$m" "$noise" "$planted" "$found" \
    "$(sed -n 's/.*"status": "\([a-z]*\)".*/\1/p' $dir/g.found | head -n 1)" "$(awk -v a="$start" -v b="$end" 'BEGIN { print (b - a) / 1e9 }')" \
    "$(number best_seconds $dir/g.found)" "$( ((good)) || echo '  WORSE')"
done; done; done; done
echo "$exist sets, $reached reach the planted error"
