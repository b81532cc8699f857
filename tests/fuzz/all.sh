#!/usr/bin/env bash
# tests/fuzz/all.sh SECONDS TARGET...: fuzzes the targets one after the other and says how many executions there were in all. What
# one finds does not keep the others from their turn; exit status 1 if there was anything.
set -u
seconds=${1:?seconds}
shift
total=0 findings=0 began=$SECONDS
for target in "$@"; do
  tests/fuzz/fuzz.sh "$target" "$seconds" || findings=$((findings + 1))
  n=$(sed -n 's/stat::number_of_executed_units: //p' "build/fuzz/log-$target")
  total=$((total + ${n:-0}))
done
echo "all $# targets: $total executions in $((SECONDS - began)) s, targets with findings: $findings"
exit $((findings > 0))
