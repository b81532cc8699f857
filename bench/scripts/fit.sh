#!/usr/bin/env bash
# Learning on planted sets, exact-size clauses, beside the planted rule: bench/scripts/fit.sh IRELAND
# Three parts: without noise; with noise; with noise and proven (FIT_OPTIONS=--prove).
set -u
ireland=${1:-./ireland}
limit=${LIMIT:-60}
echo "== without noise: N J K M noise"
bench/scripts/planted.sh "$ireland" "$limit" "100 1000 3 3 0" "500 500 5 4 0" "1000 1000 10 4 0" "5000 1000 10 5 0" "1000 5000 5 4 0" \
  "500 10000 10 4 0" "2000 10000 20 5 0" "10000 10000 5 3 0" "10000 10000 10 4 0" "10000 10000 10 5 0"
echo "== with noise"
bench/scripts/planted.sh "$ireland" "$limit" "1000 1000 5 3 0.01" "1000 1000 10 4 0.025" "5000 5000 5 4 0.05" "10000 10000 3 3 0.025" "10000 10000 10 4 0.05"
echo "== with noise, proven"
FIT_OPTIONS=--prove bench/scripts/planted.sh "$ireland" "$limit" "1000 1000 3 3 0.05" "1000 5000 3 3 0.05" "10000 10000 3 3 0.025" "1000 300 5 4 0.025" \
  "1000 1000 5 3 0.025" "10000 1000 5 3 0.05" "2000 500 8 3 0.025"
