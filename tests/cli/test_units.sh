#!/usr/bin/env bash
# One unit of the objective: text, JSON, log, progress, page and the list of rules show the sum of the weights of the errors.
. "$(dirname "$0")/../shell.sh"
begin units
subject=(fit)

# Best with one clause: f0, wrong on one case and one control; the weights have the common factor 2.
printf 'f0,w,y\n1,2,1\n0,2,0\n1,2,0\n0,2,1\n1,2,1\n' >"$dir/even.csv"
# The same with weights that are not whole: what is wrong weighs 0.4 + 1.2.
printf 'f0,w,y\n1,0.4,1\n0,0.4,0\n1,0.4,0\n0,1.2,1\n1,2.4,1\n' >"$dir/decimal.csv"
"$ireland" generate -N 300 -J 40 -K 2 -M 2 --noise 0.1 --seed 5 -o "$dir/d.csv" --quiet || exit 1

# shows NAME OBJECTIVE RATE WORDS OPTIONS...: everywhere the same number.
shows() {
  local name=$1 objective=$2 rate=$3 words=$4 member
  shift 4
  run fit "$@" --json --report "$dir/page.html"
  check "$name-json" [ "$(number objective) $(number bound) $(number rate)" = "$objective $objective $rate" ]
  check "$name-page" grep -q "^  \"objective\": $objective,$" "$dir/page.html"
  member=$(awk '/ (list|nested|first|columns|proof|branch|refine) /{found = $7} END {print found}' "$dir/err")
  [ -z "$member" ] || check "$name-log" [ "$member" = "$objective" ]
  expect "$name-text" 0 "optimal: $words" "$@"
}

for method in ireland brcg bp4; do
  word='weighted error' wrong='2 of 5 samples wrong'
  [ $method != brcg ] || word='Hamming loss' wrong='Hamming loss 2'
  set -- -K 1 -M 1 --method $method
  shows $method-unit 2 0.4 "$wrong (40.00 %), bound 2, gap 0.00 %" "$dir/even.csv" --ignore w --weights unit "$@"
  shows $method-balanced 1 0.4166666666666667 "$word 1 (41.67 %), bound 1" "$dir/even.csv" --ignore w "$@"
  shows $method-both 2 0.4166666666666667 "$word 2 (41.67 %), bound 2" "$dir/even.csv" --weight-column w --weights balanced "$@"
done
shows by-weight 4 0.4 "weight 4 of 10 wrong (40.00 %), bound 4" "$dir/even.csv" --weight-column w -K 1 -M 1
shows by-decimals 1.6 0.3333333333333333 "weight 1.6 of 4.8 wrong (33.33 %)" "$dir/decimal.csv" --weight-column w -K 1 -M 1
# Two costs, of the clause and of its literal, of 0.05 times all weights each.
shows penalised-unit 2.5 0.5 "penalised error 2.5 (50.00 %)" "$dir/even.csv" --ignore w --weights unit -K 1 -M 1 --penalty 0.05
shows penalised-weights 4.5 0.45 "penalised error 4.5 (45.00 %)" "$dir/even.csv" --weight-column w -K 1 -M 1 --penalty 0.025
shows penalised-balanced 1.12 0.4666666666666667 "penalised error 1.12 (46.67 %)" "$dir/even.csv" --ignore w -K 1 -M 1 --penalty 0.025

# ---- what stands beside it ----
run fit "$dir/even.csv" --weight-column w --weights balanced -K 1 -M 1 --json
check errors-by-weight [ "$(number errors_by_weight) $(number weighted_error_by_weight)" = "4 2" ]
# Weights of many digits are exact: one error of 0.000001 less decides between two features.
printf 'a,b,w,y\n1,1,100000,1\n0,0,100000,0\n1,0,0.123457,0\n0,1,0.123456,0\n' >"$dir/digits.csv"
for method in ireland brcg bp4; do
  run fit "$dir/digits.csv" --weight-column w -K 1 -M 1 --method $method --json
  check exact-$method [ "$(number objective) $(number bound) $(number rounded_to)" = "0.123456 0.123456 0" ]
done
expect too-fine 2 "sample weights of fewer digits, would do" "$dir/digits.csv" --weight-column w -K 1 -M 1 --weights balanced
# Weights that had to be rounded to be learnt from are summed as they were given.
awk 'BEGIN { srand(3); print "a,w,y"; for (i = 0; i < 300; i++) { a = rand() < 0.5; w = int(1e9 * rand()) * 10 ^ int(6 * rand()) / 1e12; printf "%d,%.12f,%d\n", a, w, rand() < 0.8 ? a : !a } }' >"$dir/round.csv"
run fit "$dir/round.csv" -K 1 -M 1 --weight-column w --target y --json --quiet
wanted=$(awk -F, 'NR > 1 && $1 != $3 { sum += $2 } END { printf "%.9g", sum }' "$dir/round.csv")
check rounded-weights bash -c "grep -q '\"rounded_to\": 0\.' '$dir/out'"
check errors-by-given-weight [ "$(printf %.9g "$(number errors_by_weight)")" = "$wanted" ]
run fit "$dir/even.csv" --weight-column w -K 1 -M 1 --prove --all-optimal 5 --json
check list-by-weight [ "$(grep -A1 '"rules"' "$dir/out" | sed -n 's/.*"objective": \([0-9.]*\).*/\1/p')" = 4 ]
run fit "$dir/d.csv" -K 2 -M 2 --weights unit --json
check errors-are-counted [ "$(number objective)" = $(($(number fp) + $(number fn))) ]
check seconds-of-the-best awk "BEGIN {exit !($(number best_seconds) > 0 && $(number best_seconds) <= $(number seconds))}"
run fit "$dir/d.csv" -K 2 -M 2
check seconds-in-the-log grep -q 'the best rule was there after [0-9.]* s of [0-9.]* s' "$dir/err"
run fit "$dir/d.csv" -K 2 -M 2 --json -o "$dir/rule.json"
wrong=$(($(number fp) + $(number fn)))
run evaluate "$dir/rule.json" "$dir/d.csv"
check evaluate-counts grep -q "^wrong  *$wrong of 300 samples (" "$dir/out"
finish
