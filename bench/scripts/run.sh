#!/usr/bin/env bash
# Everything that is measured, as ratios in one run. Called by `make bench`, which sets IRELAND and BENCH.
set -eu
ireland=${IRELAND:-./ireland}
bench=${BENCH:-build/plain/bench}
dir=build/bench
mkdir -p "$dir"

# Seconds of the fastest of five runs of a command.
seconds() {
  local best=999999 i start end
  for i in 1 2 3 4 5; do
    start=$(date +%s%N); "$@" >/dev/null 2>&1; end=$(date +%s%N)
    [ $(((end - start) / 1000)) -lt "$best" ] && best=$(((end - start) / 1000))
  done
  awk -v us="$best" 'BEGIN { printf "%.4f", us / 1e6 }'
}

echo "== kernels"
"$bench/kernels"
bash bench/scripts/pairs.sh

echo "== files, 10,000 x 10,000"
generate=$(seconds "$ireland" generate -N 10000 -J 10000 -K 10 -M 4 --exact-size -o "$dir/big.irb")
"$ireland" convert "$dir/big.irb" "$dir/big.csv" --quiet
lines=$(seconds wc -l "$dir/big.csv")
csv=$(seconds "$ireland" info "$dir/big.csv")
irb=$(seconds "$ireland" info "$dir/big.irb")
awk -v g="$generate" -v w="$lines" -v c="$csv" -v i="$irb" 'BEGIN {
  printf "generate into .irb     %8.3f s\n", g
  printf "wc -l on the .csv      %8.3f s\n", w
  printf "ireland info on .csv   %8.3f s  %5.2f times wc -l\n", c, c / w
  printf "ireland info on .irb   %8.3f s\n", i }'
