#!/usr/bin/env bash
# `ireland verify` from outside: valid, invalid with the place, JSON, exit codes; limits that no rule keeps; rules that are as good.
. "$(dirname "$0")/shell.sh"
begin verify-cli
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 3 -o "$dir/d.irb" --quiet || exit 1
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 4 -o "$dir/other.irb" --quiet || exit 1
printf 'a,y\n1,1\n1,0\n0,1\n0,0\n' >"$dir/same.csv"
expect proven 0 '"status": "optimal"' fit "$dir/d.irb" -K 2 -M 2 --prove --certificate "$dir/c" -o "$dir/r.json" --json
expect valid 0 "valid: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c"
expect json 0 '"status": "valid"' verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" --json
expect other-data 3 "$dir/c:2: " verify "$dir/r.json" "$dir/other.irb" --certificate "$dir/c"
sed 's/K 2 M/K 3 M/' "$dir/c" >"$dir/changed"
expect other-limits 3 "$dir/changed:3: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
sed '$d' "$dir/c" >"$dir/changed"
expect cut-short 3 '"status": "invalid"' verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed" --json
expect no-file 3 "none" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/none"
expect no-certificate 2 "--certificate" verify "$dir/r.json" "$dir/d.irb"
expect needs-proof 2 "option certificate has no effect without option prove" fit "$dir/d.irb" --certificate "$dir/c"
expect infeasible 4 "infeasible" fit "$dir/same.csv" --min-sensitivity 0.9 --min-specificity 0.9 --prove
expect hamming 0 "Hamming loss" fit "$dir/d.irb" -K 2 -M 2 --loss hamming --prove
expect alike 0 '"rules_complete": true' fit "$dir/d.irb" -K 2 -M 2 --prove --all-optimal 100 --json
finish
