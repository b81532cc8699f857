#!/usr/bin/env bash
# The trade-off curve beside the learning of its pool: bench/scripts/curve.sh [IRELAND]
# Planted data, noise 5 %; processor seconds of one thread. 'learn' is the whole command without the curve, which
# is measured alone from the saved pool.
set -u
ireland=${1:-./ireland}
dir=build/bench
mkdir -p "$dir"
export TIMEFORMAT=%U

# processor COMMAND...: its seconds
processor() { { time "$@" >"$dir/curve.out" 2>/dev/null; } 2>&1; }
count() { grep -c "\"status\": \"$1\"" "$dir/curve.out"; }

printf '%-34s %8s %8s %6s %7s %7s %7s\n' 'N J K M' 'learn s' 'curve s' share pool points proven
while read -r N J K M exact; do
  data=$dir/curve.irb pool=$dir/curve.pool
  "$ireland" generate -N "$N" -J "$J" -K "$K" -M "$M" $exact --noise 0.05 --seed 1 -o "$data" --quiet || exit 1
  whole=$(processor "$ireland" curve "$data" -K "$K" -M "$M" --threads 1 --quiet --json --save-pool "$pool")
  proven=$(($(count optimal)))
  points=$(grep -c '"sensitivity"' "$dir/curve.out")
  head -2 "$dir/curve.out" | grep -q optimal && proven=$((proven - 1)) # the curve's own status
  clauses=$(sed -n 's/.*"pool": \([0-9]*\).*/\1/p' "$dir/curve.out")
  alone=$(processor "$ireland" curve "$data" -K "$K" --pool "$pool" --threads 1 --quiet --json)
  awk -v w="$whole" -v c="$alone" -v name="$N x $J, K = $K, M = $M $exact" -v n="$clauses" -v p="$points" -v o="$proven" \
    'BEGIN { printf "%-34s %8.1f %8.1f %6.2f %7d %7d %7d\n", name, w - c, c, c / (w - c), n, p, o }'
done <<'SETS'
1000 1000 3 3 --exact-size
10000 1000 3 3 --exact-size
10000 1000 5 3 --exact-size
10000 1000 5 4
10000 1000 10 4 --exact-size
SETS
