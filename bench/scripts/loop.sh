#!/usr/bin/env bash
# The problems of the paper's loop (SP)_u, (MP)_u and (MP), the same ones for all: on bits and as MILPs (build/plain/bench/paper_loop),
# and the exported models by glpsol and cbc.
#
#   bench/scripts/loop.sh [LIMIT] [MOST]   LIMIT: processor seconds of each solve by glpsol and cbc (default 10); they get MOST problems of
#                                          each kind and set, the first ones (default 4)
#
# Reads SHARED/instances, prints Markdown. Processor seconds of one thread; a sum with > has solves in it that did not end.
set -u
SHARED=${SHARED:-../shared} # data sets that are not part of this repository
program=${BENCH:-build/plain/bench}/paper_loop
limit=${1:-10}
most=${2:-4}
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
TIMEFORMAT=%U
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# seconds DONE COMMAND...: processor seconds, with > before them if the output has no line with DONE.
seconds() {
  local done=$1 s
  shift
  s=$({ time { (ulimit -t "$limit"; exec nice "$@"); } >"$folder/out" 2>/dev/null; } 2>&1 | tail -1)
  grep -q "$done" "$folder/out" && echo "$s" || echo ">$s"
}
sum() { awk '{ if (sub(/^>/, "")) open = 1; s += $1 } END { printf "%s%.3f", open ? ">" : "", s }'; }

echo "| data | kind | problems | bits s | our MILP s | of these | bits s | our MILP s | glpsol s | cbc s |"
echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for data in n50_j20_k2_m3e_e50_s1 n200_j100_k3_m3_e0_s1 n200_j100_k5_m3e_e25_s1 n500_j50_k5_m3e_e25_s1 n500_j500_k5_m3e_e25_s1; do
  [ -r "$SHARED/instances/$data.csv" ] || continue
  rm -f "$folder"/*
  K=$(sed 's/.*_k\([0-9]*\)_.*/\1/' <<<"$data")
  "$program" "$SHARED/instances/$data.csv" "$K" 3 "$folder" >"$folder/lines" || echo "DIFFERENT ANSWERS: $data"
  for kind in SPu MPu MP; do
    grep -e "-$(sed 's/SPu/sp-u/; s/MPu/mp-u/; s/MP/mp /' <<<$kind)" "$folder/lines" >"$folder/kind" || continue
    head -n "$most" "$folder/kind" >"$folder/first"
    : >"$folder/g"; : >"$folder/c"
    while read -r name _; do
      [ -n "$(command -v glpsol)" ] && seconds 'INTEGER OPTIMAL SOLUTION FOUND\|PROBLEM HAS NO' glpsol --lp "$folder/$name.lp" >>"$folder/g"
      [ -n "$(command -v cbc)" ] && seconds 'Optimal solution found' cbc "$folder/$name.lp" -ratio 0 -solve -quit >>"$folder/c"
    done <"$folder/first"
    echo "| $data | $kind | $(wc -l <"$folder/kind") | $(awk '{ print $3 }' "$folder/kind" | sum) | $(awk '{ print $4 }' "$folder/kind" | sum) | $(wc -l <"$folder/first") | $(awk '{ print $3 }' "$folder/first" | sum) | $(awk '{ print $4 }' "$folder/first" | sum) | $(sum <"$folder/g") | $(sum <"$folder/c") |"
  done
done
