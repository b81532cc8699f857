#!/usr/bin/env bash
# `ireland clause`: exit codes, JSON, the same answer for any number of threads and kernels, limits.
. "$(dirname "$0")/../shell.sh"
begin clause
subject=(clause)

printf 'a,b,c,y\n1,0,1,1\n1,1,0,1\n0,1,1,0\n0,0,1,0\n1,1,1,1\n' >"$dir/small.csv"
printf 'a,b,y\n1,1,1\n1,1,0\n0,1,1\n0,1,0\n' >"$dir/hopeless.csv"
"$ireland" generate -N 400 -J 80 -K 4 -M 4 --exact-size --noise 0.05 -o "$dir/d.irb" --quiet || exit 1


expect text 0 "optimal: covers 3 cases and 0 controls" "$dir/small.csv"
expect json 0 '"clause": ["a"]' "$dir/small.csv" --json
expect negation 0 '"clause": ["!a"]' "$dir/small.csv" --json --negations --positive 0
expect infeasible 4 '"status": "infeasible"' "$dir/hopeless.csv" --json
expect budget-count 0 "covers 2 cases and 2 controls" "$dir/hopeless.csv" --budget-count 2
expect budget-fraction 0 "covers 2 cases and 2 controls" "$dir/hopeless.csv" --budget 1
expect budget-above-one 2 "budget" "$dir/small.csv" --budget 1.5
expect budget-below-zero 2 "budget" "$dir/small.csv" --budget -0.1
expect no-literals 2 "option M" "$dir/small.csv" -M 0
expect too-many-literals 2 "option M" "$dir/small.csv" -M 65
expect most-literals 0 "optimal" "$dir/small.csv" -M 64
expect no-file 3 "none.csv" "$dir/none.csv"
expect work-limit 0 '"status": "limit"' "$dir/d.irb" -M 5 --negations --work-limit 300000 --budget 0.02 --json --quiet
expect no-clause-in-time 4 '"clause": []' "$dir/d.irb" -M 4 --work-limit 1 --json --quiet

# All but the run object is the same.
answer() { "$ireland" clause "$dir/d.irb" -M 4 --budget 0.05 --negations --json --quiet "$@" | grep -v '"run"'; }
first=$(answer --threads 1)
for threads in 2 8; do
  if [ "$(answer --threads $threads)" = "$first" ]; then pass "threads-$threads"; else fail "threads-$threads" "another answer"; fi
done
if [ "$(IRELAND_KERNEL=scalar answer)" = "$first" ]; then pass kernel; else fail kernel "another answer"; fi

finish
