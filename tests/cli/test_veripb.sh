#!/usr/bin/env bash
# Proofs for VeriPB: the question is that of ireland-question to the byte, forecasts and refusals; and where `veripb` is on the PATH (its
# format: bench/scripts/veripb_format.sh), it accepts the proofs and refuses one of a worse rule.
. "$(dirname "$0")/../shell.sh"
begin veripb
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  skip veripb "needs python3 of version 3.10 or later"
  finish
fi
format=$(bench/scripts/veripb_format.sh)
veripb=(veripb)
[ "$format" = 1 ] && veripb+=(--requireUnsat) # which else succeeds with proofs that do not end
"$ireland" generate -N 60 -J 8 -K 2 -M 2 --noise 0.05 --seed 3 -o "$dir/d.csv" --quiet || exit 1
printf 'age,sex,bp,w,ill\n30,m,120,1,yes\n41,f,,2,no\n52,m,133,1,yes\n33,f,141,1,no\n64,x,120,3,yes\n25,m,99,1,no\n36,f,150,1,no\n47,x,160,1,yes\n' >"$dir/m.csv"
# proves NAME DATA OPTIONS...: fit, certificate, proof, question.
proves() {
  local name=$1 data=$2
  shift 2
  "$ireland" fit "$data" "$@" --prove --certificate "$dir/c" -o "$dir/r.json" --quiet >/dev/null 2>"$dir/err" || cat "$dir/err"
  python3 src/python/ireland_veripb.py "$dir/r.json" "$data" --certificate "$dir/c" -o "$dir/q" --format "$format" --quiet >"$dir/out" 2>&1
  check "$name is written" test $? = 0
  # shellcheck disable=SC2046
  python3 src/python/ireland_question.py $(sed -n 's/.*ireland-question \(.*\) |.*/\1/p' "$dir/out") >"$dir/own.opb"
  check "$name has the question" cmp "$dir/q.opb" "$dir/own.opb"
  local words
  read -r -a words <<<"$(sed -n 's/.*ireland-question \(.*\) |.*/\1/p' "$dir/out")"
  local options=(-K "${words[1]}" -M "${words[2]}")
  [[ " ${words[*]} " == *" unit "* ]] && options+=(--weights unit)
  [[ " ${words[*]} " == *" negations "* ]] && options+=(--negations)
  local at sensitivity=--min-sensitivity specificity=--min-specificity
  [[ " $* " == *" --cnf "* ]] && sensitivity=--min-specificity specificity=--min-sensitivity # the others are its cases
  local -a given=("$@")
  for at in "${!given[@]}"; do # limits and penalties are the same for the table of the question
    case ${given[at]} in
    --penalty | --max-literals) options+=("${given[at]}" "${given[at + 1]}") ;;
    --min-sensitivity) options+=("$sensitivity" "${given[at + 1]}") ;;
    --min-specificity) options+=("$specificity" "${given[at + 1]}") ;;
    esac
  done
  "$ireland" model "$dir/q.csv" --form whole "${options[@]}" -o "$dir/model.opb" --quiet 2>"$dir/err" || cat "$dir/err"
  check "$name has the model" cmp "$dir/q.opb" "$dir/model.opb"
  if ! command -v veripb >/dev/null; then
    skip "$name in VeriPB" "veripb is not on the PATH"
    return
  fi
  check "$name in VeriPB" quietly "${veripb[@]}" "$dir/q.opb" "$dir/q.pbp"
  # The rule without clauses in place of the best: nothing shows that it is the best, or it is not within the limits.
  awk '/^(@c[0-9]+ )?(o|soli) /{ for (i = 1; i <= NF; i++) { sub(/^~?t/, "~t", $i); if ($i ~ /^~?p.*_0$/) sub(/^~/, "", $i); else sub(/^~?p/, "~p", $i)
    sub(/^~?u/, "u", $i); sub(/^~?[fv]/, "~&", $i); sub(/^~~/, "~", $i) } } { print }' "$dir/q.pbp" >"$dir/worse.pbp"
  check "$name of a worse rule" bash -c "! ${veripb[*]} '$dir/q.opb' '$dir/worse.pbp' >/dev/null 2>&1"
}
proves plain "$dir/d.csv" -K 2 -M 2
proves negations "$dir/d.csv" -K 2 -M 3 --negations
proves three "$dir/d.csv" -K 3 -M 2 --weights unit
proves one "$dir/d.csv" -K 1 -M 3
proves coded "$dir/m.csv" -K 2 -M 2 --ignore w
proves weights "$dir/m.csv" -K 1 -M 2 --weight-column w --missing impute
proves cnf "$dir/m.csv" -K 1 -M 2 --cnf --ignore w
proves literals "$dir/d.csv" -K 2 -M 2 --max-literals 3
proves sensitivity "$dir/d.csv" -K 2 -M 2 --min-sensitivity 0.95
proves specificity "$dir/d.csv" -K 2 -M 2 --min-specificity 1 --weights unit
proves penalty "$dir/d.csv" -K 3 -M 2 --penalty 0.003 --negations
proves several "$dir/m.csv" -K 2 -M 2 --ignore w --penalty 0.01 --max-literals 3 --min-sensitivity 0.8 --min-specificity 0.5 --cnf
# A proof of what is best within a limit says nothing about the question without it, where a rule is better.
"$ireland" fit "$dir/d.csv" -K 2 -M 2 --max-literals 1 --prove --certificate "$dir/c" -o "$dir/r.json" --quiet >/dev/null
python3 src/python/ireland_veripb.py "$dir/r.json" "$dir/d.csv" --certificate "$dir/c" -o "$dir/q" --format "$format" --quiet >"$dir/out" 2>&1
python3 src/python/ireland_question.py "$dir/q.csv" 2 2 literals=4 >"$dir/free.opb"
if command -v veripb >/dev/null; then
  check "the proof with a limit" quietly "${veripb[@]}" "$dir/q.opb" "$dir/q.pbp"
  check "is none without it" bash -c "! ${veripb[*]} '$dir/free.opb' '$dir/q.pbp' >/dev/null 2>&1"
else
  skip "a proof for another limit" "veripb is not on the PATH"
fi
# A reader who leaves, once with all three commands.
for command in "check.py $dir/r.json $dir/d.csv --certificate $dir/c" "veripb.py $dir/r.json $dir/d.csv --certificate $dir/c -o $dir/q" "question.py $dir/q.csv 2 2"; do
  # shellcheck disable=SC2086
  (sleep 0.5; exec python3 -u src/python/ireland_$command) 2>"$dir/err" | true
  check "a closed pipe of ${command%% *}" bash -c "! grep -qE 'Traceback|BrokenPipe' '$dir/err'"
done
# The question in other formats: the optimum is that of fit, times the samples. What OPB cannot say is refused.
"$ireland" generate -N 40 -J 6 -K 2 -M 2 --noise 0.1 --seed 5 -o "$dir/s.csv" --quiet
for format_of in lp mps; do
  "$ireland" model "$dir/s.csv" --form whole -K 2 -M 2 -o "$dir/s.$format_of" --quiet
  check "whole as $format_of" grep -q '"objective": 80,' <("$ireland" solve "$dir/s.$format_of" --json --quiet)
done
check "that of fit" grep -q '"objective": 2,' <("$ireland" fit "$dir/s.csv" -K 2 -M 2 --prove --json --quiet)
expect relaxed 2 "which OPB cannot say" model "$dir/s.csv" --form bp1 -K 2 -M 2 -o "$dir/s.opb"
"$ireland" model "$dir/s.csv" --form bp1 --binary -K 2 -M 2 -o "$dir/s.opb" --quiet
check "a model of the paper" grep -q '^min: ' "$dir/s.opb"
check "positive coefficients" bash -c "! grep -qE -- '-[0-9]+ [~a-z]' <(grep '>=' '$dir/s.opb')"
"$ireland" generate -N 20000 -J 5000 -K 2 -M 2 --seed 5 -o "$dir/large.irb" --quiet
expect too-large 3 "it is for smaller tables" model "$dir/large.irb" --form whole -K 3 -M 3 -o "$dir/large.opb"
"$ireland" fit "$dir/d.csv" -K 2 -M 2 --loss hamming --prove --certificate "$dir/c" -o "$dir/r.json" --quiet >/dev/null
python3 src/python/ireland_veripb.py "$dir/r.json" "$dir/d.csv" --certificate "$dir/c" -o "$dir/q" >"$dir/out" 2>&1
check "the Hamming loss is refused" test $? = 3
check "with a reason" grep -q "for the weighted loss" "$dir/out"
"$ireland" fit "$dir/d.csv" -K 3 -M 3 --negations --prove --certificate "$dir/c" -o "$dir/r.json" --quiet >/dev/null
python3 src/python/ireland_veripb.py "$dir/r.json" "$dir/d.csv" --certificate "$dir/c" -o "$dir/none" --max-mb 0 >"$dir/out" 2>&1
check "a forecast above the limit" test $? = 4
check "leaves no file" test ! -e "$dir/none.opb"
finish
