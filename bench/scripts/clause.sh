#!/usr/bin/env bash
# The clause engine: finding, successive clauses, proofs, growth, threads.
# bench/scripts/clause.sh [find|cover|prove|grow|threads|baseline]...   (default: all but baseline)
# `baseline` prints the rows of bench/baseline.csv that belong to the clause engine.
set -u
ireland=${IRELAND:-./ireland}
bench=${BENCH:-build/plain/bench}
dir=build/bench
mkdir -p "$dir"

find_best() {
  echo "== find: 10,000 x 10,000, K = 10, M = 4, noise 0 and 0.05: best planted clause and what is found"
  "$bench/clause_seek" 10000 10000 10 4 1 0 1 0 2 1
  "$bench/clause_seek" 10000 10000 10 4 0 0 1 0 2 1
  "$bench/clause_seek" 10000 10000 10 4 1 0.05 1 0.05 2 1
  "$bench/clause_seek" 10000 10000 10 4 0 0.05 2 0.05 2 1
}

cover() {
  echo "== cover: clause after clause until no case is left, zero false positives"
  for seed in 1 2 3; do "$bench/clause_seek" 2000 10000 20 5 1 0 $seed 0 2 30 | tail -1; done
  for seed in 1 2 3; do "$bench/clause_seek" 500 10000 10 4 1 0 $seed 0 2 30 | tail -1; done
}

# N J K M exact noise seed budget start threads
prove() {
  echo "== prove (from the planted clause; search without: last line)"
  "$bench/clause_prove" 1000 1000 10 4 1 0 1 0 1 2
  "$bench/clause_prove" 1000 1000 10 4 1 0 1 0.025 1 2
  "$bench/clause_prove" 1000 1000 10 4 1 0.025 1 0.025 1 2
  "$bench/clause_prove" 10000 1000 10 4 1 0 1 0 1 2
  "$bench/clause_prove" 10000 10000 5 3 1 0 1 0 1 2
  "$bench/clause_prove" 1000 1000 10 4 1 0 1 0 0 2
}

grow() {
  echo "== grow: N, then J, then M"
  for n in 1000 2000 4000 8000; do "$bench/clause_prove" $n 500 10 4 1 0 1 0 1 2; done
  for j in 250 500 1000 2000; do "$bench/clause_prove" 1000 $j 10 4 1 0 1 0 1 2; done
  for m in 2 3 4 5; do "$bench/clause_prove" 1000 200 10 $m 1 0 1 0 1 2; done
}

threads() {
  echo "== threads: one, then two"
  for t in 1 2; do "$bench/clause_prove" 10000 1000 10 4 1 0 1 0 1 $t; done
  for t in 1 2; do "$bench/clause_seek" 2000 10000 20 5 1 0 3 0 $t 1 | tail -1; done
}

field() { sed -n "s/.*\"$1\": \([0-9.-]*\).*/\1/p" "$2" | head -1; }

row() { # name, options of generate, --, options of clause
  local name=$1 make=() ask=()
  shift
  while [ "$1" != -- ]; do make+=("$1"); shift; done
  shift
  ask=("$@")
  "$ireland" generate "${make[@]}" -o "$dir/row.irb" --quiet
  "$ireland" clause "$dir/row.irb" "${ask[@]}" --prove --json --quiet >"$dir/row.json"
  echo "$name,$(field objective "$dir/row.json"),$(field bound "$dir/row.json"),$(field nodes "$dir/row.json"),,$(field work "$dir/row.json")"
}

baseline() {
  row clause-n200-j100-m3 -N 200 -J 100 -K 3 -M 3 --exact-size -- -M 3
  row clause-n200-j100-m3-neg -N 200 -J 100 -K 3 -M 3 --exact-size --noise 0.05 -- -M 3 --negations --budget 0.05
  row clause-n1000-j300-m4 -N 1000 -J 300 -K 10 -M 4 --exact-size -- -M 4
  row clause-n1000-j300-m4-b2.5 -N 1000 -J 300 -K 10 -M 4 --exact-size --noise 0.025 -- -M 4 --budget 0.025
  row clause-n1000-j1000-m4 -N 1000 -J 1000 -K 10 -M 4 --exact-size -- -M 4
  row clause-n2000-j2000-m3 -N 2000 -J 2000 -K 5 -M 3 --exact-size -- -M 3
  row clause-n300-j60-m6 -N 300 -J 60 -K 5 -M 3 --noise 0.1 -- -M 6 --budget 0.05
}

[ $# = 0 ] && set -- find cover prove grow threads
for part in "$@"; do
  case $part in
  find) find_best ;;
  cover | prove | grow | threads | baseline) $part ;;
  *) echo "bench/scripts/clause.sh: unknown part '$part'" >&2; exit 2 ;;
  esac
done
