#!/usr/bin/env bash
# --count-within from outside: all rules within a loss against brute force; limits, and what it needs.
. "$(dirname "$0")/../shell.sh"
begin count
python3 "$(dirname "$0")/count_brute.py" "$ireland" "$dir/brute" "${IRL_FUZZ_SEED:-1}" "${IRL_FUZZ_ROUNDS:-30}" >"$dir/out" 2>"$dir/err"
check brute-force [ ! -s "$dir/err" ]
[ -s "$dir/err" ] && cat "$dir/err"
# Two columns that are alike and right: each alone, and both.
printf 'a,b,c,y\n1,1,0,1\n1,1,1,1\n0,0,1,0\n0,0,0,0\n' >"$dir/twins.csv"
expect twins 0 '3 rules have an objective of at most 0: sets of at most 2 of 2 clauses' fit "$dir/twins.csv" -K 2 -M 1 --prove --count-within --validate none --quiet
expect twins-json 0 '"rules": 3' fit "$dir/twins.csv" -K 2 -M 1 --prove --count-within --validate none --quiet --json
expect unproven 2 'has no effect without option prove' fit "$dir/twins.csv" -K 2 -M 1 --count-within
run generate -N 200 -J 300 -K 2 -M 2 --seed 3 -o "$dir/many.csv"
expect too-many 0 'rules are not counted: there are too many clauses' fit "$dir/many.csv" -K 1 -M 3 --prove --count-within --within 1000 --validate none
finish
