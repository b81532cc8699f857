#!/usr/bin/env bash
# LPs with known optima: iterations and user seconds (whole process, best of three) beside glpsol and clp, in one run.
#
#   bench/scripts/lp.sh [FOLDER]        FOLDER: *.mps and optimum.csv, by default SHARED/lp
#
# Prints a Markdown table and writes build/bench/lp.csv. clp is the program of that name, or else cbc, which uses it for LPs.
set -u
SHARED=${SHARED:-../shared} # data sets and models that are not part of this repository
ireland=${IRELAND:-./ireland}
folder=${1:-${SHARED}/lp}
dir=build/bench
mkdir -p "$dir"
[ -r "$folder/optimum.csv" ] || { echo "no $folder/optimum.csv: nothing to measure"; exit 0; }
export OPENBLAS_NUM_THREADS=1
clp=$(command -v clp || command -v cbc || true)

# seconds COMMAND...: user seconds, the least of three; what it prints stays in $dir/out. Processor time, since the wall
# clock of a machine that does other things says little.
seconds() {
  local TIMEFORMAT=%3U best=999999 i t
  for i in 1 2 3; do
    t=$({ time nice -n 5 "$@" >"$dir/out" 2>&1; } 2>&1)
    best=$(awk -v a="$best" -v b="$t" 'BEGIN { printf "%.3f", a + 0 < b + 0 ? a : b }')
  done
  echo "$best"
}
number() { sed -n "s/.*\"$1\": \([^,]*\),.*/\1/p" "$dir/out" | tr -d '"'; }

echo "name,rows,columns,wanted,found,difference,iterations,seconds,glpsol_iterations,glpsol_seconds,clp_iterations,clp_seconds" >"$dir/lp.csv"
echo "| model | rows | columns | answer | difference | iterations | s | glpsol | s | clp | s |"
echo "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
while IFS=, read -r name rows columns _ wanted _; do
  [ "$name" = name ] && continue
  file=$folder/$name.mps
  s=$(seconds "$ireland" solve "$file" --json --quiet)
  status=$(number status) objective=$(number objective) iterations=$(number iterations)
  # The table leaves out e226's constant.
  [ "$name" = e226 ] && objective=$(awk -v x="$objective" 'BEGIN { printf "%.10f", x - 7.113 }')
  if [ "$status" = optimal ]; then
    difference=$(awk -v a="$objective" -v b="$wanted" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; if (s < 1) s = 1; printf "%.0e", d / s }')
  else difference=$([ "$status" = "$wanted" ] && echo 0 || echo WRONG); fi
  g=- gi=- c=- ci=-
  if command -v glpsol >/dev/null; then
    g=$(seconds glpsol --mps "$file")
    gi=$(sed -n 's/^[*# ]*\([0-9][0-9]*\): obj.*/\1/p' "$dir/out" | tail -1)
  fi
  if [ -n "$clp" ]; then
    c=$(seconds "$clp" "$file" -solve)
    ci=$(sed -n 's/.* - \([0-9]*\) iterations.*/\1/p' "$dir/out" | tail -1)
  fi
  echo "$name,$rows,$columns,$wanted,$([ "$status" = optimal ] && echo "$objective" || echo "$status"),$difference,$iterations,$s,$gi,$g,$ci,$c" >>"$dir/lp.csv"
  echo "| $name | $rows | $columns | $status | $difference | $iterations | $s | $gi | $g | $ci | $c |"
done <"$folder/optimum.csv"
awk -F, 'NR > 1 { n++; bad += $6 == "WRONG" || $6 + 0 > 1e-7; a += $8; i += $7; b += $10; c += $12 }
  END { printf "\n%d models, %d wrong; %d iterations; seconds: ireland %.2f, glpsol %.2f, clp %.2f\n", n, bad, i, a, b, c }' "$dir/lp.csv"
