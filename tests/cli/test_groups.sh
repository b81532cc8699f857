#!/usr/bin/env bash
# --group and --fold-column from outside: the columns give no literals, groups stay whole, given folds are used, mistakes have their sentences.
. "$(dirname "$0")/../shell.sh"
begin groups
# 60 patients with one to four rows each. A mark tells who it is, not what is the matter: it helps only where patients are divided.
awk 'BEGIN { print "patient,site,a,b,c,mark,y"; srand(3)
  for (p = 0; p < 60; p++) { y = rand() < 0.45; mark = int(1000 * rand())
    for (k = 0; k <= p % 4; k++) printf "P%03d,%s,%d,%d,%d,%d,%d\n", p, substr("ABCD", 1 + p % 4, 1), (rand() < 0.8 ? y : 1 - y), rand() < 0.5, rand() < 0.3, mark, y } }' >"$dir/d.csv"
# The same with a label that nothing but the mark of the patient can tell.
awk 'BEGIN { print "patient,mark,y"; srand(8)
  for (p = 0; p < 40; p++) { y = rand() < 0.5; mark = int(1000 * rand()); for (k = 0; k < 6; k++) print "P" p "," mark + rand() "," y } }' >"$dir/leak.csv"

same_rule() { # the rule and its figures are those of a fit without the columns
  run fit "$dir/d.csv" -K 2 -M 2 --quiet --json --validate none --ignore "$2"
  sed -n '/"clauses"/,/"normalized"/p' "$dir/out" >"$dir/expected"
  run fit "$dir/d.csv" -K 2 -M 2 --quiet --json "${@:3}"
  sed -n '/"clauses"/,/"normalized"/p' "$dir/out" >"$dir/got"
  agree "$1"
}
same_rule group-rule patient --group patient
same_rule folds-rule site --fold-column site
same_rule both-rule patient,site --group patient --fold-column site
same_rule group-of-only patient --group patient --only site,a,b,c,mark
# Strata: their column is read though --only leaves it out, and their weights are exact where the counts have a small common multiple.
expect strata-of-only 0 'errors balanced within strata of site' fit "$dir/d.csv" -K 1 -M 1 --quiet --strata site --only a,b
expect strata-labels 3 "column 'y' for --strata has the labels" fit "$dir/d.csv" --strata y
printf 'a,s,y\n1,p,1\n0,p,1\n1,p,1\n0,p,0\n1,p,0\n0,p,0\n0,q,0\n1,q,1\n1,q,0\n0,q,0\n' >"$dir/thirds.csv"
expect strata-thirds 0 '"objective": 2.5,' fit "$dir/thirds.csv" -K 1 -M 1 --quiet --json --strata s --prove --certificate "$dir/thirds" -o "$dir/thirds.json"
expect strata-exact 0 '"rounded_to": 0,' fit "$dir/thirds.csv" -K 1 -M 1 --quiet --json --strata s
expect strata-verified 0 'valid: none has' verify "$dir/thirds.json" "$dir/thirds.csv" --certificate "$dir/thirds"
# A column without any value is in no group of literals either.
printf 'a,e,y\n1,,1\n0,,0\n1,,0\n1,,1\n' >"$dir/empty.csv"
echo 'e g' >"$dir/empty.groups"
expect empty-in-group 3 'none of the columns' fit "$dir/empty.csv" --one-per "$dir/empty.groups"
for how in quick cv bootstrap; do expect "says-groups-$how" 0 '60 groups kept whole' fit "$dir/d.csv" -K 1 -M 2 --quiet --group patient --validate $how; done
expect says-folds 0 'by the 4 given folds' fit "$dir/d.csv" -K 1 -M 2 --quiet --fold-column site
expect json-groups 0 '"groups": 60' fit "$dir/d.csv" -K 1 -M 2 --quiet --group patient --json
for command in fit cv; do
  for threads in 1 2 8; do
    run $command "$dir/d.csv" -K 2 -M 2 --quiet --json --group patient --threads $threads
    sed '/"run"/d' "$dir/out" >"$dir/of-$threads"
  done
  if cmp -s "$dir/of-1" "$dir/of-2" && cmp -s "$dir/of-1" "$dir/of-8"; then pass "same-$command"; else fail "same-$command" 'other bytes'; fi
done

# ---- nothing leaks from one row of a patient to another ----
estimate() { sed -n '/"validation"/,/}/s/.*"balanced_accuracy": \([0-9.]*\).*/\1/p' "$dir/out"; }
run fit "$dir/leak.csv" -K 4 -M 2 --cuts quantile:40 --quiet --json --ignore patient
check leaks-without awk -v x="$(estimate)" 'BEGIN { exit !(x > 0.7) }'
run fit "$dir/leak.csv" -K 4 -M 2 --cuts quantile:40 --quiet --json --group patient
check leaks-not awk -v x="$(estimate)" 'BEGIN { exit !(x < 0.65) }'
run cv "$dir/leak.csv" -K 4 -M 2 --penalty 0 --folds 5 --cuts quantile:40 --quiet --json --group patient
check leaks-not-cv awk -v x="$(number balanced_accuracy)" 'BEGIN { exit !(x < 0.7) }'
run fit "$dir/leak.csv" -K 2 -M 2 --cuts quantile:9 --quiet --json --permutations 99 --ignore patient
check p-without awk -v p="$(number p_value)" 'BEGIN { exit !(p <= 0.01) }' # six rows of a patient count as six
run fit "$dir/leak.csv" -K 2 -M 2 --cuts quantile:9 --quiet --json --permutations 99 --group patient
check p-with awk -v p="$(number p_value)" 'BEGIN { exit !(p > 0.05) }'

# ---- held-out groups, and a certificate about what is left ----
expect held-out 0 'whole groups of patient' fit "$dir/d.csv" -K 1 -M 2 --group patient --test 0.3 --prove --certificate "$dir/c.txt" -o "$dir/r.json"
check held-out-first awk '/^held-out samples/ { a = NR } /^new samples/ { b = NR } /^samples learnt/ { c = NR } END { exit !(a && a < b && b < c) }' "$dir/out"
check matrix grep -q 'cases .* found and .* missed, of .* controls .* passed and .* taken for cases' "$dir/out"
expect verified 0 '' verify "$dir/r.json" "$dir/d.csv" --certificate "$dir/c.txt"
run fit "$dir/d.csv" -K 1 -M 2 --group patient --test 0.3 --quiet --json
check json-first awk '/"held_out"/ { a = NR } /^  "confusion"/ { b = NR } END { exit !(a && a < b) }' "$dir/out"
check json-matrix grep -A3 '"held_out"' "$dir/out" -m 1 -q

# ---- cv ----
expect cv-folds 0 '4 folds, 1 repeat' cv "$dir/d.csv" -K 1 -M 1 --penalty 0 --quiet --fold-column site
expect cv-nested-folds 0 'chosen anew' cv "$dir/d.csv" -K 1,2 -M 1 --penalty 0 --quiet --fold-column site --nested
expect cv-nested-groups 0 'chosen anew' cv "$dir/d.csv" -K 1,2 -M 1 --penalty 0 --quiet --group patient --folds 5 --nested

# ---- other formats ----
tr ',' '\t' <"$dir/d.csv" >"$dir/d.tsv"
sed '1d' "$dir/d.csv" | sed 's/^P0*//' | awk -F, 'BEGIN { print "patient,mark,y" } { print $1 + 0 "," $6 "," $7 }' >"$dir/numbers.csv"
cut -d, -f1,3-5,7 "$dir/d.csv" >"$dir/bits.csv"
awk 'BEGIN { print "fold,a,b,y,half"; srand(5); for (i = 0; i < 80; i++) { b = int(i / 2) % 2; print i % 2 "," (rand() < 0.5) "," b "," ((rand() < 0.7) == b) "," int(i / 40) } }' >"$dir/zero-one.csv"
expect tsv 0 '60 groups' fit "$dir/d.tsv" -K 1 -M 1 --quiet --group patient
expect numbers 0 '60 groups' fit "$dir/numbers.csv" -K 1 -M 1 --quiet --group patient
expect bits 0 '60 groups' fit "$dir/bits.csv" -K 1 -M 1 --quiet --group patient
expect zero-one 0 'by the 2 given folds' fit "$dir/zero-one.csv" -K 1 -M 1 --quiet --fold-column fold --target y --ignore half
check zero-one-literals grep -q 'of 2 literals' "$dir/out"
for source in d.csv zero-one.csv; do
  "$ireland" convert "$dir/$source" "$dir/${source%.csv}.irb" --quiet --target y --type "$([ $source = d.csv ] && echo patient=category || echo fold=binary)" >/dev/null 2>"$dir/err" || fail "convert-$source" "$(cat "$dir/err")"
done
expect irb 0 '60 groups' fit "$dir/d.irb" -K 1 -M 1 --quiet --group patient
expect irb-bits 0 'by the 2 given folds' fit "$dir/zero-one.irb" -K 1 -M 1 --quiet --fold-column fold

# ---- mistakes ----
expect no-column 3 "there is no column 'patients' for --group; did you mean 'patient'?" fit "$dir/d.csv" --group patients
expect label-column 3 "column 'y' for --group has the labels" fit "$dir/d.csv" --group y
expect weight-column 3 "column 'mark' for --fold-column has the weights" fit "$dir/d.csv" --fold-column mark --weight-column mark
awk -F, 'NR == 1 { print "half," $0 } NR > 1 { print NR % 2 "," $0 }' "$dir/d.csv" >"$dir/divided.csv"
expect divided-group 3 "the folds of column 'half' divide a group of column 'patient': sample 3 " cv "$dir/divided.csv" --group patient --fold-column half -K 1 -M 1
expect divided-fit 3 "divide a group of column 'patient'" fit "$dir/divided.csv" --group patient --fold-column half
expect same-column 2 'name the same column' fit "$dir/d.csv" --group site --fold-column site
expect folds-twice 2 'option folds has no effect with option fold_column' cv "$dir/d.csv" --fold-column site --folds 3
expect folds-bootstrap 2 'option fold_column has no effect with validate bootstrap' fit "$dir/d.csv" --fold-column site --validate bootstrap
expect one-class-fold 3 "the folds of column 'patient' leave one with samples of a single class" cv "$dir/d.csv" --fold-column patient -K 1 -M 1
expect many-folds 3 "the groups of column 'patient' leave a fold with samples of a single class" cv "$dir/d.csv" --group patient --folds 40 -K 1 -M 1
awk -F, 'NR == 1 { print "g," $0 } NR > 1 { print "one," $0 }' "$dir/zero-one.csv" >"$dir/one.csv"
expect one-fold 3 'has one value only' fit "$dir/one.csv" --fold-column g --target y
awk 'BEGIN { print "g,a,y"; srand(4); for (i = 0; i < 40; i++) print (i < 10 ? "case" : "control" i % 3) "," (rand() < 0.5) "," (i < 10) }' >"$dir/few.csv"
expect few-groups 0 'no estimate, since fewer than two groups have samples of a class' fit "$dir/few.csv" -K 1 -M 1 --quiet --group g
expect few-folds 0 'no estimate, since without one of the given folds only one class is left' fit "$dir/few.csv" -K 1 -M 1 --quiet --fold-column g
expect hold-out-groups 3 'groups are held out whole' fit "$dir/few.csv" --group g --test 0.4
expect missing-fold 3 'samples have no fold' fit "$dir/d.csv" --fold-column site --na site=A
expect missing-fold-dropped 0 'samples have missing values and are left out' fit "$dir/d.csv" -K 1 -M 1 --fold-column site --na site=A --missing drop
expect missing-group 0 'are groups by themselves' fit "$dir/d.csv" -K 1 -M 1 --group patient --na patient=P003
expect not-for-curve 2 'option --group has no effect on curve' curve "$dir/d.csv" --group patient
finish
