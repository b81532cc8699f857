#!/usr/bin/env bash
# tests/fuzz/all.sh SECONDS AT_ONCE TARGET...: fuzzes the targets, so many at once, and says how many executions there were of each and
# in all. What one finds does not keep the others from their turn; exit status 1 if there was anything.
set -u
seconds=${1:?seconds} at_once=${2:?targets at once}
shift 2
began=$SECONDS
rm -f build/fuzz/status-*
printf '%s\n' "$@" | xargs -P "$at_once" -I TARGET sh -c 'tests/fuzz/fuzz.sh TARGET '"$seconds"'; echo $? >build/fuzz/status-TARGET'
total=0 findings=0
for target in "$@"; do
  n=$(sed -n 's/stat::number_of_executed_units: //p' "build/fuzz/log-$target")
  total=$((total + ${n:-0}))
  [ "$(cat "build/fuzz/status-$target")" = 0 ] || findings=$((findings + 1))
done
echo "all $# targets: $total executions in $((SECONDS - began)) s, targets with findings: $findings"
exit $((findings > 0))
