#!/usr/bin/env bash
# What it takes to check a proof, at three levels of distrust: bench/scripts/referee.sh [IRELAND]
# Rows go to build/bench/referee.csv: bytes of certificate, question and VeriPB proof; user seconds of fit, verify (one thread),
# ireland-check, VeriPB. The last is run if `veripb` is on the PATH (its format: veripb_format.sh) and the proof has at most
# MAX_MB (default 60). Sets that are there already are not measured again. SHARED has data that are not part of this repository.
set -u
SHARED=${SHARED:-../shared}
ireland=${1:-./ireland} dir=build/bench format=$(bench/scripts/veripb_format.sh)
mkdir -p $dir
out=$dir/referee.csv
[ -s "$out" ] || echo "set,K,M,certificate,opb,pbp,fit_s,verify_s,check_s,veripb_s" >"$out"
TIMEFORMAT=%U

# seconds COMMAND...: its user seconds, or what became of it
seconds() {
  { time timeout 600 "$@" >$dir/referee.words 2>&1; } 2>$dir/referee.time && cat $dir/referee.time || echo "$(head -c 30 $dir/referee.words | tr ',\n' '  ')"
}
bytes() { [ -s "$1" ] && wc -c <"$1"; }

# measure NAME DATA K M OPTIONS...
measure() {
  local name=$1 data=$2 k=$3 m=$4 fit verify check veripb=''
  shift 4
  grep -q "^$name,$k,$m," "$out" && return
  rm -f $dir/referee.cert $dir/claim.{opb,pbp}
  fit=$(seconds "$ireland" fit "$data" -K "$k" -M "$m" "$@" --prove --certificate $dir/referee.cert -o $dir/referee.json --quiet)
  verify=$(seconds "$ireland" verify $dir/referee.json "$data" --certificate $dir/referee.cert --threads 1)
  check=$(seconds python3 src/python/ireland_check.py $dir/referee.json "$data" --certificate $dir/referee.cert --quiet)
  seconds python3 src/python/ireland_veripb.py $dir/referee.json "$data" --certificate $dir/referee.cert -o $dir/claim \
    --format "$format" --max-mb "${MAX_MB:-60}" --quiet >/dev/null
  [ -s $dir/claim.pbp ] && command -v veripb >/dev/null && veripb=$(seconds veripb $([ "$format" = 1 ] && echo --requireUnsat) $dir/claim.opb $dir/claim.pbp)
  echo "$name,$k,$m,$(bytes $dir/referee.cert),$(bytes $dir/claim.opb),$(bytes $dir/claim.pbp),$fit,$verify,$check,$veripb" | tee -a "$out"
}

planted() {
  "$ireland" generate -N "$1" -J "$2" -K "$3" -M "$4" --exact-size --noise "$5" --seed 1 -o $dir/referee_data.csv --quiet 2>/dev/null &&
    measure "$1x$2 $5" $dir/referee_data.csv "$3" "$4"
}

measure planted_noisy data/planted_noisy.csv 3 3
measure monks1 data/monks1.csv 4 3
measure tic_tac_toe data/tic_tac_toe.csv 2 3
[ -d "$SHARED/datasets" ] && measure heart "$SHARED/datasets/heart_cleveland.csv" 2 2
[ -d "$SHARED/datasets" ] && measure heart "$SHARED/datasets/heart_cleveland.csv" 3 3
[ -d "$SHARED/datasets" ] && measure compas "$SHARED/datasets/compas_binary.csv" 4 3
planted 1000 300 5 4 0.025
planted 2000 500 8 3 0.025
planted 1000 1000 3 3 0.05
planted 1000 1000 5 3 0.025
planted 5000 1000 5 3 0.05
