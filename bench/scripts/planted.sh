#!/usr/bin/env bash
# fit on planted sets: bench/scripts/planted.sh IRELAND SECONDS "N J K M NOISE" ...; a line each:
# the answer, wall clock of the whole command, and when the rule was there.
ireland=$1 limit=$2
shift 2
dir=build/bench
mkdir -p $dir
text() { sed -n "s/.*\"$1\": \"*\([-+.a-z0-9]*\).*/\1/p" $dir/p.found | head -n 1; }
for set in "$@"; do
  read -r n j k m noise seed <<<"$set"
  "$ireland" generate -N "$n" -J "$j" -K "$k" -M "$m" --exact-size --noise "$noise" --seed "${seed:-1}" -o $dir/p.irb --rule $dir/p.json --quiet 2>/dev/null ||
    { echo "$set: no such data set"; continue; }
  planted=$("$ireland" evaluate $dir/p.json $dir/p.irb | awk '/weighted/ { print $3 }')
  start=$(date +%s%N)
  "$ireland" fit $dir/p.irb -K "$k" -M "$m" --json --quiet --time-limit "$limit" ${FIT_OPTIONS:-} >$dir/p.found
  end=$(date +%s%N)
  printf '%-28s planted %-9s found %-9.7g %-9s %6.2f s, rule at %.2f s\n' "$set" "$planted" "$(text objective)" "$(text status)" \
    "$(awk -v a="$start" -v b="$end" 'BEGIN { print (b - a) / 1e9 }')" "$(text best_seconds)"
done
