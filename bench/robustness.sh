#!/usr/bin/env bash
# How well limits are kept: bench/robustness.sh [RUNS]. A run is a job with a time limit drawn between 0.05 and 3 seconds; shown is by how
# much it was exceeded, from the start of the process to its end. Then 100 fits at once, and memory limits.
set -u
ireland=${IRELAND:-./ireland}
runs=${1:-10}
dir=build/robustness
mkdir -p "$dir"
"$ireland" generate -N 2000 -J 1000 -K 8 -M 5 --noise 0.3 --seed 2 -o "$dir/hard.irb" --quiet
"$ireland" generate -N 60 -J 40 -K 3 -M 3 --noise 0.2 --seed 2 -o "$dir/milp.irb" --quiet
"$ireland" model "$dir/milp.irb" --form bp1 -K 3 -o "$dir/hard.mps" --quiet

# overshoot NAME COMMAND...: least, median and greatest of all runs, in milliseconds.
overshoot() {
  local name=$1 i limit began ended
  shift
  for ((i = 0; i < runs; i++)); do
    limit=$((RANDOM % 2950 + 50))
    began=$(date +%s%N)
    "$ireland" "$@" --time-limit "$(printf '%d.%03d' $((limit / 1000)) $((limit % 1000)))" --threads 1 --quiet >/dev/null 2>&1
    ended=$(date +%s%N)
    echo $(((ended - began) / 1000000 - limit))
  done | sort -n | awk -v name="$name" '{ v[NR] = $1 } END { printf "| %s | %d | %d | %d | %d |\n", name, NR, v[1], v[int((NR + 1) / 2)], v[NR] }'
}
echo "| job | runs | least ms | median ms | greatest ms |"
echo "| --- | ---: | ---: | ---: | ---: |"
overshoot fit fit "$dir/hard.irb" -K 8 -M 5
overshoot "fit --prove" fit "$dir/hard.irb" -K 8 -M 5 --prove
overshoot "fit --method brcg" fit "$dir/hard.irb" -K 8 -M 5 --method brcg
overshoot "fit --method bp1" fit "$dir/hard.irb" -K 8 -M 5 --method bp1
overshoot clause clause "$dir/hard.irb" -M 5 --budget 0.3 --prove
overshoot curve curve "$dir/hard.irb" -K 8 -M 5
overshoot cv cv "$dir/hard.irb"
overshoot solve solve "$dir/hard.mps"
