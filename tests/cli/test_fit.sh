#!/usr/bin/env bash
# `ireland fit` from outside: JSON, the same rule for any number of threads, limits, signals, bad settings.
. "$(dirname "$0")/../shell.sh"
begin fit
subject=(fit)

printf 'a,b,c,y\n1,0,1,1\n1,1,0,1\n0,1,1,0\n0,0,1,0\n1,1,1,1\n' >"$dir/small.csv"
printf 'a,b,y\n1,0,1\n1,0,0\n1,0,1\n' >"$dir/constant.csv"
printf 'a,b,y\n1,0,1\n0,1,1\n1,1,1\n' >"$dir/cases.csv"
printf 'a,y\n1,1\n1,0\n0,1\n0,0\n' >"$dir/same.csv"
"$ireland" generate -N 300 -J 60 -K 3 -M 3 --exact-size --noise 0.05 -o "$dir/d.irb" --quiet || exit 1
"$ireland" generate -N 2000 -J 1000 -K 8 -M 5 --noise 0.3 --seed 2 -o "$dir/hard.irb" --quiet || exit 1

# ---- settings ----
expect proven 0 '"status": "optimal"' "$dir/small.csv" --json
expect text 0 "optimal: weighted error 0" "$dir/small.csv"
expect equal-samples 0 '"status": "optimal"' "$dir/same.csv" --json
# Nothing to show is explained: what was asked, and what could be reached.
expect out-of-reach 4 "no rule within K = 1, M = 1 has sensitivity >= 0.9; the best found reaches sensitivity 0.5" "$dir/same.csv" -K 1 -M 1 --min-sensitivity 0.9
expect out-of-reach-json 4 '"reason": "no rule within K = 1' "$dir/same.csv" -K 1 -M 1 --min-sensitivity 0.9 --json
expect out-of-reach-cnf 4 "specificity >= 0.9; the best found reaches specificity 0.5" "$dir/same.csv" -K 1 -M 1 --min-specificity 0.9 --cnf

# What is said to be within reach is: the command with these options has a rule.
reached() { # NAME WORDS...: runs fit with them
  local name=$1
  shift
  run fit "$@" --validate none --quiet --json
  if [ $code = 0 ] && [ "$(number clauses)" != 0 ] && ! grep -q '"clauses": \[\]' "$dir/out"; then pass "$name"; else fail "$name" "$*: $code $(head -c 200 "$dir/err")"; fi
}
for seed in 1 2 3; do
  run generate -N 60 -J 12 -K 2 -M 2 --noise 0.2 --seed $seed -o "$dir/noisy.csv" --quiet
  for form in "" --cnf; do
    # shellcheck disable=SC2086
    run fit "$dir/noisy.csv" -K 1 -M 1 $form --prove --penalty 0.5 --validate none --quiet
    penalty=$(grep -o -- '--penalty [0-9.e-]*' "$dir/out")
    # shellcheck disable=SC2086
    [ -n "$penalty" ] && reached "penalty-within-reach-$seed$form" "$dir/noisy.csv" -K 1 -M 1 $form --prove $penalty
    # shellcheck disable=SC2086
    run fit "$dir/noisy.csv" -K 1 -M 1 $form --prove --min-sensitivity 0.99 --min-specificity 0.99 --validate none --quiet
    sed -n 's/.*within reach: *//p' "$dir/out" | sed 's/, or */\n/' >"$dir/reach"
    check "says-what-is-within-reach-$seed$form" [ -s "$dir/reach" ]
    while read -r words; do
      # shellcheck disable=SC2086
      reached "within-reach-$seed$form-$words" "$dir/noisy.csv" -K 1 -M 1 $form --prove $words
    done <"$dir/reach"
  done
done
expect empty-rule 0 "the best rule is FALSE: no clause pays for itself; the best one found, (a), would cost 1" "$dir/same.csv" -K 1 -M 1
expect empty-rule-json 0 '"reason": "the best rule is FALSE' "$dir/same.csv" -K 1 -M 1 --json --report "$dir/empty.html"
page_has empty-rule-page "$dir/empty.html" 'Why: the best rule is FALSE'
expect no-clauses 2 "option K" "$dir/small.csv" -K 0
expect too-many-clauses 2 "option K takes a whole number from 1 to 64" "$dir/small.csv" -K 65
expect most-clauses 0 optimal "$dir/small.csv" -K 64
expect no-literals 2 "option M" "$dir/small.csv" -M 0
expect too-many-literals 2 "option M" "$dir/small.csv" -M 65
expect most-literals 0 optimal "$dir/small.csv" -M 64
expect budget-above-one 2 "budgets" "$dir/small.csv" --budgets 1.5
expect budget-below-zero 2 "budgets" "$dir/small.csv" --budgets 0,-0.1
expect budget-empty 2 "budgets" "$dir/small.csv" --budgets ''
expect budget-no-number 2 "budgets" "$dir/small.csv" --budgets nan
expect no-sample 2 "paper_sample" "$dir/small.csv" --paper-sample 0
expect unknown-method 2 "method" "$dir/small.csv" --method magic
expect constant-features 3 "every feature is constant" "$dir/constant.csv"
expect one-class 3 "class" "$dir/cases.csv"
expect no-file 3 "none.csv" "$dir/none.csv"

# ---- the answer ----
run fit "$dir/d.irb" --json --quiet -o "$dir/rule.json"
check quiet [ ! -s "$dir/err" ]
check ends-well [ $code = 0 ]
for key in status objective bound gap clauses confusion tp fp tn fn weighted_error normalized hamming_loss \
  balanced_accuracy samples features K M method seed work run threads seconds peak_mb kernel; do
  check "key-$key" grep -q "\"$key\": " "$dir/out"
done
check rule-without-run test -z "$(grep '"run"' "$dir/rule.json")"
for key in tp fp tn fn weighted_error hamming_loss balanced_accuracy; do number "$key"; done >"$dir/fitted"
run evaluate "$dir/rule.json" "$dir/d.irb" --json
for key in tp fp tn fn weighted_error hamming_loss balanced_accuracy; do number "$key"; done >"$dir/evaluated"
check evaluate-agrees cmp "$dir/fitted" "$dir/evaluated"

# ---- the same bytes again ----
# same NAME OPTIONS...: with 1, 2 and 8 threads; all but the run object counts.
same() {
  local name=$1 threads
  shift
  for threads in 1 2 8; do
    run fit "$dir/${data:-d}.irb" --json --quiet --threads $threads -o "$dir/$name-$threads.json" "$@"
    sed '/"run"/,$d' "$dir/out" >"$dir/$name-$threads.out"
  done
  for threads in 2 8; do
    check "$name-rule-$threads" cmp "$dir/$name-1.json" "$dir/$name-$threads.json"
    check "$name-answer-$threads" cmp "$dir/$name-1.out" "$dir/$name-$threads.out"
  done
}
same plain
same prove --prove --negations -K 2 -M 2
same work --work-limit 3000000
same paper --profile paper --max-literals 5
work=$(number work)
same sample --profile paper --max-literals 5 --paper-sample 20
check sample-counts [ "$(number work)" != "$work" ]
# Few samples, many clauses that chance made as good as the planted ones: the deep search.
"$ireland" generate -N 200 -J 60 -K 8 -M 4 --exact-size -o "$dir/few.irb" --quiet || exit 1
data=few same deep -K 8 -M 4
check deep-finds-all grep -q '"weighted_error": 0,' "$dir/out"
expect work-limit 0 '"status": "limit"' "$dir/hard.irb" -K 8 -M 5 --prove --work-limit 1e7 --json

# BP1 in the large: the planted rule has no error, and within little work no other one may be called optimal.
"$ireland" generate -N 300 -J 10000 -K 7 -M 5 -o "$dir/wide.irb" --quiet || exit 1
expect wide-model 0 '"bound": 0,' "$dir/wide.irb" -K 7 -M 5 --method bp1 --plain --no-start --work-limit 1e8 --json --quiet
check wide-model-status grep -q '"status": "limit"' "$dir/out"

# ---- limits and signals ----
patient_run fit "$dir/hard.irb" -K 8 -M 5 --prove --time-limit 2 --json --quiet
check time-limit-ends grep -q '"status": "limit"' "$dir/out"
check time-limit-not-before awk "BEGIN { exit !($(number seconds) >= 2) }"
"$ireland" generate -N 60 -J 10000 -K 2 -M 3 -o "$dir/wide.irb" --quiet || exit 1
patient_run fit "$dir/wide.irb" -K 2 -M 3 --method bp1 --plain --no-start --time-limit 1 --json --quiet
check time-limit-of-rounding [ $code = 0 -o $code = 4 ]

# A run that goes on for ever is asked to end once its log tells of a rule: the best one is written.
for signal in INT TERM; do
  rm -f "$dir/rule.json"
  # A shell without job control starts background commands deaf to SIGINT; env makes them listen.
  env --default-signal=INT "$ireland" fit "$dir/hard.irb" -K 8 -M 5 --prove --json -o "$dir/rule.json" \
    >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
  await grep -qE '^ *(budget|first)' "$dir/err"
  interrupt $signal
  check "$signal-exit-code" [ $code = 130 ]
  check "$signal-status" grep -q '"status": "interrupted"' "$dir/out"
  run evaluate "$dir/rule.json" "$dir/hard.irb" --json
  check "$signal-rule" test $code = 0 -a "$(number tp)" -ge 1
done

# ---- at a limit too, a literal that would be better is in the rule, not in the list beside it ----
for seed in 2 3; do
  "$ireland" generate -N 300 -J 80 -K 4 -M 3 --noise 0.2 --seed $seed -o "$dir/swap.csv" --quiet || exit 1
  for work in 1e5 3e5 1e6 3e6; do
    run fit "$dir/swap.csv" -K 4 -M 3 --work-limit $work --json --quiet
    check "no-better-literal-$seed-$work" test $code = 0 -a -z "$(grep '"changes": \[-' "$dir/out")"
  done
done

# ---- what a long search found is selected from, though nothing is left to spend after it ----
"$ireland" generate -N 500 -J 5000 -K 5 -M 5 --seed 155 -o "$dir/late.irb" --quiet || exit 1
run fit "$dir/late.irb" -K 5 -M 5 --json --quiet
check late-clauses-are-selected test $code = 0 -a "$(number weighted_error)" = 0

# ---- a rule to start from ----
"$ireland" generate -N 600 -J 200 -K 3 -M 3 --noise 0.1 --seed 8 -o "$dir/warm.csv" --quiet
run fit "$dir/warm.csv" --quiet --json -o "$dir/warm.json"
found=$(number objective)
run fit "$dir/warm.csv" --quiet --json --work-limit 1 --start "$dir/warm.json"
check start-is-kept [ "$(number objective)" = "$found" ]
expect start-with-too-many-literals 2 "not 1 to M = 2" "$dir/warm.csv" -M 2 --start "$dir/warm.json"
expect start-without-a-file 3 "absent.json" "$dir/warm.csv" --start "$dir/absent.json"
expect start-and-permutations 2 "p-value" "$dir/warm.csv" --start "$dir/warm.json" --permutations 3

# A rule to start from that the limits forbid is no rule of the scope.
printf 'p,y\n1,1\n0,2\n-1,1\n' >"$dir/band.csv"
"$ireland" fit "$dir/band.csv" -K 1 -o "$dir/band.json" --quiet >/dev/null
expect start-too-complex 0 "Hamming loss 0.333333" "$dir/band.csv" --method brcg --complexity 2 --start "$dir/band.json"
expect start-too-long 0 "bound 0.333333" "$dir/band.csv" --max-literals 1 --prove --start "$dir/band.json"

# ---- column generation where the LP's bound is below 0 ----
# A rule of four clauses makes the labels, so no bound is above 0, and a rule that is called optimal makes no error.
if python3 - >"$dir/planted.csv" 2>/dev/null <<'END'
import random
r = random.Random(92)
J, N, share = r.randint(10, 80), r.randint(30, 200), r.choice([0.3, 0.5])
rows = [[int(r.random() < share) for _ in range(J)] for _ in range(N)]
K, M, _ = r.randint(2, 5), r.randint(3, 5), r.random()
rule = [[(j, r.randint(0, 1)) for j in r.sample(range(J), r.randint(3, M))] for _ in range(K)]
print(",".join("f%d" % j for j in range(J)) + ",y")
for x in rows:
    print(",".join(map(str, x)) + ",%d" % any(all(x[j] == v for j, v in c) for c in rule))
END
then
  run fit "$dir/planted.csv" -K 4 -M 5 --weights unit --negations --method brcg --prove --json --quiet --threads 1
  check brcg-bound [ "$(number bound)" = 0 ]
  check brcg-claim [ "$(number objective)" = 0 -o "$(grep -c '"status": "optimal"' "$dir/out")" = 0 ]
else
  skip brcg-bound "python3 is missing"
fi
finish
