#!/usr/bin/env bash
# Few samples, many features, many clauses: bench/scripts/frontier.sh IRELAND SECONDS [seeds|sets]...
# seeds: 2,000 x 10,000, K = 20, M = 5 without noise, ten seeds; sets: those of the paper's grid
# (bench/paper/sets.csv) where few samples hide the rule, or the names in SETS. A line per set:
# planted and found error, seconds of the whole command and of the processor.
set -u
ireland=$1 limit=$2
shift 2
[ $# = 0 ] && set -- seeds sets
dir=build/bench
mkdir -p $dir
number() { sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$2" | head -n 1; }
TIMEFORMAT='%R s, processor %U s'

fit() { # name N J K M size noise seed
  local size=()
  [ "$6" = exact ] && size=(--exact-size)
  "$ireland" generate -N "$2" -J "$3" -K "$4" -M "$5" "${size[@]}" --noise "$7" --seed "$8" -o $dir/f.irb \
    --rule $dir/f.json --quiet >$dir/f.out 2>&1 || { echo "$1: no such set"; return; }
  "$ireland" evaluate $dir/f.json $dir/f.irb --json >$dir/f.planted
  printf '%-24s ' "$1"
  { time "$ireland" fit $dir/f.irb -K "$4" -M "$5" --json --quiet --time-limit "$limit" >$dir/f.found; } 2>$dir/f.time
  awk -v p="$(number weighted_error $dir/f.planted)" -v f="$(number weighted_error $dir/f.found)" -v t="$(tail -n 1 $dir/f.time)" \
    'BEGIN { printf "planted %.4f found %.4f  %s%s\n", p, f, t, f <= p * (1 + 1e-9) ? "" : "  WORSE" }'
}

seeds() { for seed in $(seq 1001 1010); do fit "seed $seed" 2000 10000 20 5 exact 0 "$seed"; done; }

sets() {
  local names=${SETS:-n500_j5000_k10_m4e_e0 n1000_j10000_k10_m5e_e0 n100_j10000_k3_m3_e0 n100_j10000_k3_m4_e0
    n500_j500_k10_m5e_e10 n500_j1000_k10_m4e_e25} name
  for name in $names; do
    IFS=, read -r _ n j k m size noise seed _ < <(grep "^$name," bench/paper/sets.csv)
    fit "$name" "$n" "$j" "$k" "$m" "$size" "$noise" "$seed"
  done
}

for part in "$@"; do
  case $part in seeds | sets) $part ;; *) echo "unknown part: $part" && exit 2 ;; esac
done
