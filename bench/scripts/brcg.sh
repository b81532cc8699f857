#!/usr/bin/env bash
# BRCG beside IRELAND: bench/scripts/brcg.sh [IRELAND] [SECONDS] > build/bench/brcg.md
#
# Data sets of SHARED/datasets, if they are there (columns of few values become one column per
# value), then planted sets without and with noise. Each run has one thread and a limit of
# SECONDS (300) of wall clock; CPU time is what the process used. A run that ends without a rule
# would show as 'failed'.
set -u
ireland=${1:-./ireland} limit=${2:-300}
dir=build/bench/brcg
mkdir -p "$dir"
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
TIMEFORMAT=%U

# field NAME FILE: a number or text of one line of JSON
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2" | head -n 1; }

# row NAME DATA K M METHOD OPTIONS...
row() {
  local name=$1 data=$2 k=$3 m=$4 method=$5
  shift 5
  local cpu
  cpu=$({ time timeout $((2 * limit + 60)) "$ireland" fit "$data" -K "$k" -M "$m" --method "$method" \
    --threads 1 --time-limit "$limit" --quiet --json "$@" >"$dir/out.json" 2>"$dir/err.txt"; } 2>&1)
  [ -s "$dir/out.json" ] || { echo "| $name | $method | failed | | | | | | |"; return; }
  printf '| %s | %s | %s | %.6g | %.6g | %.6g | %.1f | %.1f | %.0f |\n' "$name" "$method" \
    "$(field status "$dir/out.json")" "$(field hamming_loss "$dir/out.json")" \
    "$(field weighted_error "$dir/out.json")" "$(field bound "$dir/out.json")" \
    "$(awk -v g="$(field gap "$dir/out.json")" 'BEGIN { print 100 * g }')" "$cpu" \
    "$(field peak_mb "$dir/out.json")"
}

head_of_table() {
  echo
  echo "| $1 | method | status | Hamming loss | weighted error | bound | gap % | CPU s | MB |"
  echo "|---|---|---|---|---|---|---|---|---|"
}

# One column for each value of a column with two to eight of them; 0/1 columns stay.
binarise() {
  awk -F, -v OFS=, '
    { for (i = 1; i <= NF; i++) cell[NR, i] = $i; n = NF }
    NR > 1 { for (i = 1; i < NF; i++) if (!((i, $i) in seen)) { seen[i, $i] = 1; value[i, ++count[i]] = $i } }
    END {
      for (r = 1; r <= NR; r++) {
        line = ""
        for (i = 1; i < n; i++) {
          if (count[i] < 2 || count[i] > 8) continue
          if (count[i] == 2 && ((i, "0") in seen) && ((i, "1") in seen)) { line = line cell[r, i] OFS; continue }
          for (v = 1; v <= count[i]; v++)
            line = line (r == 1 ? cell[1, i] "=" value[i, v] : cell[r, i] == value[i, v] ? 1 : 0) OFS
        }
        print line cell[r, n]
      }
    }' "$1"
}

echo "# BRCG beside IRELAND"
echo
echo "\`bench/scripts/brcg.sh ./ireland $limit\`; one thread. BRCG minimises the Hamming loss, to which its bound and gap belong;"
echo "IRELAND minimises the weighted error, to which its belong. Status optimal: proven."
shared=${SHARED:-../shared}/datasets
if [ -d "$shared" ]; then
  head_of_table "data set, K M"
  for name in spect house_votes_84 compas_binary monks1_train monks2_train monks3_train tic_tac_toe mushroom hiv_pi_lpv splice_ei; do
    binarise "$shared/$name.csv" >"$dir/$name.csv"
    for k in 1 3 5; do
      for method in brcg ireland; do row "$name, $k 3" "$dir/$name.csv" $k 3 $method; done
    done
  done
fi

for noise in 0 0.025; do
  head_of_table "planted N J K M, noise $noise"
  while read -r n j k m; do
    "$ireland" generate -N "$n" -J "$j" -K "$k" -M "$m" --exact-size --noise $noise --seed 1 -o "$dir/p.irb" --quiet 2>/dev/null ||
      { echo "| $n $j $k $m | | no such data set | | | | | | |"; continue; }
    for method in brcg ireland; do row "$n $j $k $m" "$dir/p.irb" "$k" "$m" $method; done
  done <<'SETS'
500 100 3 3
500 1000 3 3
500 10000 3 3
1000 1000 5 3
2000 500 5 3
2000 5000 5 3
2000 1000 10 4
5000 1000 5 3
10000 1000 5 3
10000 1000 10 5
10000 10000 5 3
10000 10000 10 4
SETS
done
