#!/usr/bin/env bash
# fit on planted sets: bench/scripts/planted.sh IRELAND SECONDS "N J K M NOISE" ...; a line each.
ireland=$1 limit=$2
shift 2
dir=build/bench
mkdir -p $dir
for set in "$@"; do
  read -r n j k m noise seed <<<"$set"
  "$ireland" generate -N "$n" -J "$j" -K "$k" -M "$m" --exact-size --noise "$noise" --seed "${seed:-1}" -o $dir/p.irb --rule $dir/p.json --quiet 2>/dev/null ||
    { echo "$set: no such data set"; continue; }
  planted=$("$ireland" evaluate $dir/p.json $dir/p.irb | awk '/weighted/ { print $3 }')
  start=$(date +%s%N)
  found=$("$ireland" fit $dir/p.irb -K "$k" -M "$m" --quiet --time-limit "$limit" ${FIT_OPTIONS:-} | head -n 1)
  end=$(date +%s%N)
  printf '%-28s planted %-9s %-60s %6.2f s\n' "$set" "$planted" "$found" "$(awk -v a="$start" -v b="$end" 'BEGIN { print (b - a) / 1e9 }')"
done
