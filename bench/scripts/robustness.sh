#!/usr/bin/env bash
# How well limits are kept: bench/scripts/robustness.sh [RUNS]. A run is a job with a time limit drawn between 0.05 and 3 seconds; shown is by how
# much it was exceeded, from the start of the process to its end. Then the same for memory limits, and 100 fits at once.
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

# The largest resident size with a memory limit, of jobs that take more without one.
"$ireland" generate -N 300 -J 2000 -K 4 -M 3 --noise 0.2 --seed 3 -o "$dir/deep.irb" --quiet
"$ireland" generate -N 4000 -J 100 -K 4 -M 4 --noise 0.2 --seed 3 -o "$dir/list.irb" --quiet
"$ireland" generate -N 1500 -J 300 -K 3 -M 3 --noise 0.2 --seed 3 -o "$dir/bp.irb" --quiet
"$ireland" model "$dir/bp.irb" --form bp1 -K 2 -o "$dir/bp.mps" --quiet

# memory NAME COMMAND...: a row of peaks in MB, without a limit and with each of $limits.
limits="200 100 50 25"
memory() {
  local name=$1 row='' limit
  shift
  for limit in 0 $limits; do
    "$ireland" "$@" --memory-limit "$limit" --time-limit 8 --threads 1 --json --quiet >"$dir/out" 2>/dev/null
    row="$row $(sed -n 's/.*"peak_mb": \([0-9]*\).*/\1/p' "$dir/out" | head -n 1) |"
  done
  echo "| $name |$row"
}
echo
echo "| job: peak in MB with a limit of | none |${limits// / |} |" | sed 's/|\([0-9]\)/| \1/g'
echo "| --- | ---: | ---: | ---: | ---: | ---: |"
memory fit fit "$dir/hard.irb" -K 8 -M 5
memory "fit --prove" fit "$dir/deep.irb" -K 4 -M 3 --prove
memory "fit --prove, more samples" fit "$dir/list.irb" -K 4 -M 4 --prove
memory "fit --method brcg --prove" fit "$dir/list.irb" -K 4 -M 4 --method brcg --prove
memory "fit --method bp1" fit "$dir/bp.irb" -K 3 -M 3 --method bp1 --no-start
memory "curve --prove" curve "$dir/deep.irb" -K 4 -M 3 --prove
memory solve solve "$dir/bp.mps"

# Fits in processes of their own, all at once: equal rules, no message.
"$ireland" generate -N 300 -J 60 -K 3 -M 3 --noise 0.1 --seed 4 -o "$dir/many.irb" --quiet
began=$(date +%s%N)
for ((i = 0; i < 100; i++)); do "$ireland" fit "$dir/many.irb" -K 3 -M 3 --threads 2 --quiet -o "$dir/many-$i.json" >/dev/null 2>>"$dir/messages" & done
wait
ended=$(date +%s%N)
echo
echo "100 fits at once: $(((ended - began) / 1000000)) ms, $(cat "$dir"/many-*.json | sort -u | wc -l) lines in all of $(cat "$dir/many-0.json" | sort -u | wc -l) of one, $(wc -c <"$dir/messages") bytes of messages"
rm -f "$dir"/many-*.json "$dir/messages"
