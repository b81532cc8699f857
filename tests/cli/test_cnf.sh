#!/usr/bin/env bash
# `ireland fit --cnf` from outside: limits, literals, what a CNF is called, hold-outs, starts, pools, several other labels.
. "$(dirname "$0")/../shell.sh"
begin cnf
subject=(fit)

# c is what is left if a and b may not be used; y = a.
printf 'a,b,c,y\n1,1,0,1\n1,0,1,1\n0,1,0,0\n0,0,1,0\n1,1,1,1\n0,1,1,0\n' >"$dir/small.csv"
printf 'a,y\n1,1\n1,0\n0,0\n' >"$dir/one.csv"
printf 'a,b,y\n1,1,1\n1,0,1\n0,1,0\n0,0,0\n1,1,0\n' >"$dir/two.csv"
printf 'x,k,y\n1,u,a\n2,u,a\n3,v,b\n4,v,c\n1,v,a\n5,u,b\n6,w,c\n2,w,a\n7,v,b\n,u,b\n' >"$dir/rest.csv"
printf 'x,k,y\n1,u,1\n2,w,1\n3,u,1\n4,w,0\n5,u,0\n2,v,0\n1,v,0\n' >"$dir/several.csv"
sed 's/[bc]$/n/' "$dir/rest.csv" >"$dir/raw.csv"

# ---- the literals are those of fit, forbidden ones too ----
expect plain 0 "CNF: (a)" "$dir/small.csv" -K 1 -M 1 --prove --cnf
expect coded 0 "CNF: (a)" "$dir/small.csv" -K 1 -M 1 --prove --cnf --forbid c
run fit "$dir/small.csv" -K 2 -M 2 --prove --cnf --forbid a --quiet --json
check forbidden test -z "$(grep '\["*!*a"' "$dir/out")"
expect opposites 0 "CNF: (x <= 2.5)" "$dir/raw.csv" --positive a -K 1 -M 1 --cuts all --prove --cnf
expect forbidden-relation 0 "CNF: (x > " "$dir/raw.csv" --positive n -K 1 -M 1 --cuts all --prove --cnf --forbid 'x <=
k ='
expect several 0 "CNF: (x <= 3.5) AND (k != v)" "$dir/several.csv" -K 2 -M 1 --prove --cnf --negations --cuts all

# n0:dom is n0:rec OR n0:het, whose opposites are not nested.
printf 'n0,y\n1,1\n2,1\n0,0\n' >"$dir/snp.csv"
snp=("$dir/snp.csv" --type n0=snp --het --cnf --prove)
expect two-carriers 0 "optimal: weighted error 0 " "${snp[@]}" --forbid n0:dom --quiet
run fit "${snp[@]}" --forbid n0:dom --quiet -o "$dir/rule.json" --certificate "$dir/proof.txt"
check het-in-the-scope grep -q '(no negations, het, without forbidden ones)' "$dir/out"
subject=(verify)
expect het-verified 0 'valid: none has a smaller loss' "$dir/rule.json" "$dir/snp.csv" --certificate "$dir/proof.txt" --type n0=snp
expect het-needs-the-type 2 'which has no column of SNPs' "$dir/rule.json" "$dir/snp.csv" --certificate "$dir/proof.txt"
subject=(fit)
run fit "${snp[@]}" --all-optimal 9 --quiet --json
check all-carriers [ "$(grep -c '"clauses": \[\["n0:dom"\]\]\|"clauses": \[\["n0:rec", "n0:het"\]\]' "$dir/out")" = 2 ]

# ---- the limits are those of the user's classes ----
for data in one two small; do
  run fit "$dir/$data.csv" -K 1 -M 1 --prove --cnf --min-sensitivity 0.9 --quiet --json
  check "$data-sensitivity" awk "BEGIN { exit !($(number sensitivity) >= 0.9) }"
done
expect one-specificity 4 infeasible "$dir/one.csv" -K 1 -M 1 --prove --cnf --min-specificity 0.9
expect two-specificity 0 '"specificity": 1,' "$dir/two.csv" -K 2 -M 1 --prove --cnf --min-specificity 0.9 --negations --json

# ---- what else fit does ----
run fit "$dir/raw.csv" --positive a -K 1 -M 2 --cuts all --prove --cnf --quiet --json -o "$dir/rule.json" --save-pool "$dir/pool.json"
found=$(number objective)
run fit "$dir/raw.csv" --positive a -K 1 -M 2 --cuts all --cnf --quiet --json --work-limit 1 --start "$dir/rule.json"
check start [ "$(number objective)" = "$found" ]
run fit "$dir/raw.csv" --positive a -K 1 -M 2 --cuts all --cnf --quiet --json --pool "$dir/pool.json"
check pool [ "$(number objective)" = "$found" ]
run fit "$dir/two.csv" -K 1 -M 2 --cnf --prove --quiet --json --save-pool "$dir/pool.json" -o "$dir/rule.json"
found=$(number objective)
run fit "$dir/two.csv" -K 1 -M 2 --cnf --quiet --json --pool "$dir/pool.json"
check plain-pool [ "$(number objective)" = "$found" ]
run fit "$dir/two.csv" -K 1 -M 2 --cnf --quiet --json --work-limit 1 --start "$dir/rule.json"
check plain-start [ "$(number objective)" = "$found" ]
run fit "$dir/raw.csv" --positive a -K 1 -M 2 --cuts all --cnf --quiet -o "$dir/rule.json"
expect start-for-the-other-class 2 "is for 'n'" "$dir/raw.csv" --positive n -K 1 -M 2 --cuts all --start "$dir/rule.json" --cnf
# What is shown of the reflection says so: the label that its clauses are for, and the CNF itself.
run fit "$dir/small.csv" -K 1 -M 1 --prove --cnf --quiet --json --report "$dir/page.html"
check json-names-the-label [ "$(grep -c '"statistics_and_equivalents_for": "0"\|{"clause": \["!a"\]' "$dir/out")" = 2 ]
page_has page-has-the-cnf "$dir/page.html" '<p>A CNF for <code>1</code>: <code class="long" id="cnf">(a)</code></p>'
page_has page-names-the-label "$dir/page.html" 'The same as clauses for <code>0</code>, any of which says so'
run fit "$dir/small.csv" -K 1 -M 1 --prove --quiet --json --report "$dir/page.html"
check dnf-has-neither [ "$(cat "$dir/out" "$dir/page.html" | grep -c 'equivalents_for\|^CNF')" = 0 ]
expect all-optimal 0 "CNF" "$dir/two.csv" -K 1 -M 2 --cnf --prove --all-optimal 5
"$ireland" generate -N 400 -J 20 -K 2 -M 2 --noise 0.1 --seed 3 -o "$dir/planted.csv" --quiet || exit 1
run fit "$dir/planted.csv" --cnf -K 2 -M 2 --test 0.25 --permutations 3 --quiet --json
held=$(sed -n '/"test"/,/}/p' "$dir/out" | sed -n 's/.*"tp": \([0-9]*\), "fp": \([0-9]*\), "tn": \([0-9]*\), "fn": \([0-9]*\).*/\1+\4 \3+\2/p')
run info "$dir/planted.csv" --json
check held-out-classes test "$((4 * (${held% *})))" -ge "$(($(number cases) - 4))" -a "$((4 * (${held% *})))" -le "$(($(number cases) + 4))"

# ---- several labels on the other side ----
run fit "$dir/rest.csv" --vs-rest a --cnf -K 1 -M 1 --cuts all --prove --quiet -o "$dir/rule.json"
run evaluate "$dir/rule.json" "$dir/rest.csv" --json
check rest-evaluated [ "$(number tp) $(number fp) $(number tn) $(number fn)" = "5 0 4 1" ]
run predict "$dir/rule.json" "$dir/rest.csv" --decide
check rest-predicted [ "$(awk '$2 " " $3 == "not a" || $2 == "a"' "$dir/out" | wc -l)" = 10 ]

finish
