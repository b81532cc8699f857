#!/usr/bin/env bash
# bench/scripts/large.sh [rows|columns]: whole commands on large planted data, K = 5, M = 3: 1,000,000 x 1,000 with
# 2.5 % noise (rows, 125 MB), 10,000 x 1,000,000 with 1 % (columns, 1.3 GB, twice that in memory). Wall clock, processor
# seconds, peak memory.
set -eu
ireland=${IRELAND:-./ireland}
dir=build/bench
mkdir -p "$dir"
fit() { # name N J noise
  [ -s "$dir/$1.irb" ] || "$ireland" generate -N "$2" -J "$3" -K 5 -M 3 --exact-size --noise "$4" --seed 1 -o "$dir/$1.irb" --quiet
  echo "$2 x $3, noise $4"
  /usr/bin/time -f '%e s, %U + %S processor s, %M KB' "$ireland" fit "$dir/$1.irb" -K 5 -M 3 2>&1 | grep -v '^beam'
}
case ${1:-all} in rows | all) fit large-rows 1000000 1000 0.025 ;; esac
case ${1:-all} in columns | all) fit large-columns 10000 1000000 0.01 ;; esac
