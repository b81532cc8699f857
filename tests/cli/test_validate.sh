#!/usr/bin/env bash
# The estimates of `ireland fit` from outside: whatever --validate says, the rule, its status and its bound stay what they are.
. "$(dirname "$0")/../shell.sh"
begin validate
"$ireland" generate -N 150 -J 12 -K 2 -M 2 --exact-size --noise 0.08 --seed 5 -o "$dir/bits.csv" --quiet || exit 1
awk 'BEGIN { print "age,dose,sex,site,w,y"; srand(7)
  for (i = 0; i < 160; i++) { a = int(60 * rand()); d = int(9 * rand()); y = (a > 35 && d > 3) != (rand() < 0.1)
    print a "," d "," (rand() < 0.5 ? "f" : "m") "," (i % 3) "," 1 + i % 2 "," y } }' >"$dir/mixed.csv"
awk 'BEGIN { print "a,b,site,y"; srand(3) # as many of both classes at each site, so that all weigh the same
  for (i = 0; i < 160; i++) { y = i % 2; print (rand() < 0.8 ? y : 1 - y) "," int(9 * rand()) "," int(i / 2) % 2 "," y } }' >"$dir/sites.csv"

# keeps NAME OPTIONS...: the answer of fit without its estimate is the same for each way to make one.
keeps() {
  local name=$1 how
  shift
  for how in none quick cv bootstrap; do
    run fit "$@" --work-limit 20000000 --json --quiet --threads 1 --validate $how -o "$dir/rule-$how.json"
    if [ $code -gt 1 ]; then fail "$name-$how" "exit code $code: $(head -c 300 "$dir/err")"; return; fi
    sed '/"validation": {.*}/d; /"validation": {/,/}/d; /"run"/d' "$dir/out" >"$dir/answer-$how"
    cmp -s "$dir/answer-none" "$dir/answer-$how" || { fail "$name-$how" "$(diff "$dir/answer-none" "$dir/answer-$how" | head -n 4)"; return; }
    cmp -s "$dir/rule-none.json" "$dir/rule-$how.json" || { fail "$name-$how" 'another rule file'; return; }
    [ $how = none ] || grep -q '"validation": {' "$dir/out" || { fail "$name-$how" 'no word of an estimate'; return; }
  done
  pass "keeps-$name"
}
keeps plain "$dir/bits.csv" -K 2 -M 2
keeps prove "$dir/bits.csv" -K 2 -M 2 --prove
keeps negations "$dir/bits.csv" -K 2 -M 2 --negations
keeps cnf "$dir/bits.csv" -K 2 -M 2 --cnf
keeps cnf-mixed "$dir/mixed.csv" -K 2 -M 2 --cnf --negations --ignore w
keeps hamming "$dir/bits.csv" -K 2 -M 2 --loss hamming
keeps unit "$dir/bits.csv" -K 2 -M 2 --weights unit --penalty 0.01
keeps max-literals "$dir/bits.csv" -K 3 -M 2 --max-literals 4
keeps floors "$dir/bits.csv" -K 2 -M 2 --min-sensitivity 0.8
keeps budgets "$dir/bits.csv" -K 2 -M 2 --budgets 0.01,0.1 --effort quick
keeps paper "$dir/bits.csv" -K 2 -M 2 --profile paper --paper-sample 40 --seed 3
keeps brcg "$dir/bits.csv" -K 2 -M 2 --method brcg
keeps brcg "$dir/bits.csv" -K 2 -M 2 --method brcg
keeps complexity "$dir/bits.csv" --method brcg --complexity 6
keeps bp1 "$dir/bits.csv" -K 1 -M 1 --method bp1
keeps weights "$dir/mixed.csv" -K 2 -M 2 --weight-column w --penalty 0.005
keeps strata "$dir/sites.csv" -K 2 -M 2 --strata site
keeps cuts "$dir/mixed.csv" -K 2 -M 2 --cuts quantile:4 --missing impute --forbid 'age >' --ignore w
keeps test "$dir/mixed.csv" -K 2 -M 2 --test 0.3 --ignore w
keeps permutations "$dir/mixed.csv" -K 1 -M 2 --permutations 9 --ignore w
keeps all-optimal "$dir/bits.csv" -K 2 -M 2 --prove --all-optimal 5 --within 0.05
keeps equivalent "$dir/bits.csv" -K 2 -M 2 --equivalent 0.1

finish
