#!/usr/bin/env bash
# How far proofs of the best rule go: bench/scripts/proof.sh rows|noise|map|full|real|trees|paper [IRELAND]
#   rows: the sets of the table in proof.md, each with its certificate checked (CPU seconds of fit and verify)
#   noise: four literals, many features and 2.5 % noise, proven on few cases, with their certificates
#   map:  planted sets over noise, J, N, K and M, a sample of about a hundred, LIMIT seconds each (default 5)
#   full: all of them, LIMIT 60: hours
#   real: the data sets given in DATA (default: all of SHARED/datasets), numbers cut at 4 and at 9 quantiles, M = 3,
#         K = 1, 2, 3, ... until the limit
#   trees: the tables of the folder DATA, CSV with the label last or STreeD's text with the label first, rules of
#         (K, M) = (4, 3) with negations and unit weights, LIMIT seconds each (default 60), with their certificates; TREES
#         names a file of lines "set,errors" of other learners, which the table shows beside
#   paper: the planted sets with noise of bench/paper/sets.csv, LIMIT seconds each (default 60), then how many are proven
#         and how many of K <= 6 have no bound; may be broken off and resumed
# Rows go to build/bench/proof-PART.csv; sets that are there already are not measured again. WORK=1e11 stops a fit after so
# much work instead of seconds, some 120 processor seconds, which gives the same rows on a machine that has other work.
set -u
SHARED=${SHARED:-../shared} # data sets and models that are not part of this repository
part=${1:-rows} ireland=${2:-./ireland}
dir=build/bench
mkdir -p $dir
out=$dir/proof-$part.csv
[ -s "$out" ] || echo "set,K,M,status,error,bound,gap,user_s,wall_s,verify,verify_user_s" >"$out"
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

# measure NAME DATA K M LIMIT CERTIFICATE OPTIONS...: a row, unless it is there
measure() {
  local name=$1 data=$2 k=$3 m=$4 limit=$5 certificate=$6 verified='' taken=''
  shift 6
  grep -q "^$name,$k,$m," "$out" && return
  [ "$certificate" = 1 ] && set -- "$@" --certificate $dir/proof.cert -o $dir/proof.json
  rm -f $dir/proof.cert
  TIMEFORMAT='%U %R'
  [ "${WORK:-}" ] && set -- "$@" --work-limit "$WORK" || set -- "$@" --time-limit "$limit"
  { time "$ireland" fit "$data" -K "$k" -M "$m" --prove --quiet --json "$@" >$dir/proof.out; } 2>$dir/proof.time
  if [ -s $dir/proof.cert ]; then
    { time timeout 300 "$ireland" verify $dir/proof.json "$data" --certificate $dir/proof.cert --quiet >$dir/proof.verdict; } 2>$dir/proof.verify
    verified=$(head -n 1 $dir/proof.verdict | cut -d: -f1) taken=$(tail -n 1 $dir/proof.verify | cut -d' ' -f1)
  fi
  value() { sed -n "s/^  \"$1\": \"\{0,1\}\([^,\"]*\).*/\1/p" $dir/proof.out | head -n 1; }
  echo "$name,$k,$m,$(value status),$(value objective),$(value bound),$(value gap),$(tail -n 1 $dir/proof.time | tr ' ' ','),$verified,$taken" >>"$out"
  tail -n 1 "$out"
}

# planted N J K M NOISE LIMIT CERTIFICATE
planted() {
  local name="$1x$2 $5" data=$dir/proof.irb
  grep -q "^$name,$3,$4," "$out" && return
  "$ireland" generate -N "$1" -J "$2" -K "$3" -M "$4" --exact-size --noise "$5" --seed 1 -o $data --quiet 2>/dev/null || return
  measure "$name" $data "$3" "$4" "$6" "$7"
}

case $part in
rows)
  for set in "1000 1000 3 3 0.05" "1000 5000 3 3 0.05" "1000 300 5 4 0.025" "1000 1000 5 3 0.025" "2000 500 8 3 0.025" \
    "10000 10000 3 3 0.025" "10000 1000 5 3 0.05" "5000 1000 5 3 0.05"; do
    planted $set "${LIMIT:-300}" 1
  done ;;
noise)
  for set in "5000 1000 5 4 0.025" "5000 3000 5 4 0.025" "5000 1000 7 4 0.025" "5000 10000 5 4 0.025" "10000 10000 5 4 0.025"; do
    planted $set "${LIMIT:-300}" 1
  done ;;
map | full)
  n=0
  for noise in 0.01 0.025 0.05; do for j in 100 300 1000 3000 10000; do for samples in 500 1000 5000 10000; do
    for k in 1 2 3 4 5 6 7 8; do for m in 2 3 4 5; do
      n=$((n + 1)) # every 19th, which meets all values of each
      [ $part = map ] && [ $((n % 19)) != 0 ] && continue
      planted $samples $j $k $m $noise "${LIMIT:-$([ $part = map ] && echo 5 || echo 60)}" 0
    done; done
  done; done; done ;;
real)
  for data in ${DATA:-${SHARED}/datasets/*.csv}; do
    numbers=$("$ireland" info "$data" | grep -c '^number ') # --cuts is refused where no column has numbers
    for cuts in 4 9; do
      [ "$numbers" = 0 ] && [ $cuts = 9 ] && continue
      name="$(basename "$data" .csv) $cuts"
      for k in 1 2 3 4 5 6 7 8; do
        measure "$name" "$data" $k 3 "${LIMIT:-60}" 0 $([ "$numbers" = 0 ] || echo --cuts quantile:$cuts)
        grep -q "^$name,$k,3,optimal" "$out" || break
      done
    done
  done ;;
trees)
  for data in "${DATA:?names the folder of the tables}"/*.csv; do
    [ -s "$data" ] || continue
    table=$dir/proof.csv
    if head -n 1 "$data" | grep -q '^[01] [01 ]*$'; then # the label comes last, names first
      awk 'NR == 1 { for (i = 2; i <= NF; i++) printf "f%d,", i - 1; print "y" }
           { for (i = 2; i <= NF; i++) printf "%s,", $i; print $1 }' "$data" >$table
    else cp "$data" $table; fi
    measure "$(basename "$data" .csv)" $table 4 3 "${LIMIT:-60}" 1 --negations --weights unit
  done
  echo "| set | errors | bound | user s | wall s | verify | verify user s | tree |"
  echo "|---|--:|--:|--:|--:|---|--:|--:|"
  awk -F, -v trees="${TREES:-/dev/null}" 'BEGIN { while ((getline line < trees) > 0) { split(line, part, ","); errors[part[1]] = part[2] } }
    FNR > 1 { n++; proven += $4 == "optimal"; print "| " $1 " | " $5 " | " $6 " | " $8 " | " $9 " | " $10 " | " $11 " | " errors[$1] " |" }
    END { print proven " of " n " proven" }' "$out" ;;
paper)
  while IFS=, read -r name n j k m size noise seed _; do
    case $noise in 0 | noise) continue ;; esac
    grep -q "^$name,$k,$m," "$out" && continue
    "$ireland" generate -N "$n" -J "$j" -K "$k" -M "$m" $([ "$size" = exact ] && echo --exact-size) --noise "$noise" \
      --seed "$seed" -o $dir/proof.irb --quiet 2>/dev/null || continue
    measure "$name" $dir/proof.irb "$k" "$m" "${LIMIT:-60}" 0
  done <bench/paper/sets.csv
  awk -F, 'FNR > 1 { n++; proven += $4 == "optimal"; bare += $4 != "optimal" && $2 <= 6 && $6 + 0 == 0 }
    END { print proven " of " n " proven, " bare " of K <= 6 without a bound" }' "$out" ;;
*) echo "usage: bench/scripts/proof.sh rows|noise|map|full|real|trees|paper [IRELAND]" >&2; exit 2 ;;
esac
echo "rows are in $out"
