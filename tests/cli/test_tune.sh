#!/usr/bin/env bash
# `fit --tune`: the choice is that of `cv --nested`, the rule that of a fit with the chosen settings; ranges, limits, mixes that are refused.
. "$(dirname "$0")/../shell.sh"
begin tune
"$ireland" generate -N 160 -J 8 -K 2 -M 2 --exact-size --noise 0.1 --seed 5 -o "$dir/d.csv" --quiet || exit 1
awk 'BEGIN { srand(4); print "x,z,b,y"; for (i = 0; i < 400; i++) { x = rand(); print x "," rand() "," int(2 * rand()) "," ((x > 0.37) != (rand() < 0.1)) } }' >"$dir/n.csv"
grid=(-K 1..3 -M 1..2 --penalty 0,0.01)

# ---- the choice, and the rule ----
for table in d n; do
  run cv "$dir/$table.csv" "${grid[@]}" --nested --quiet
  sed -n 's/^new samples, chosen anew/&/p' "$dir/out" >"$dir/expected"
  line=$(sed -n 's/^to fit it to all samples: ireland //p' "$dir/out")
  run fit "$dir/$table.csv" --tune "${grid[@]}" --quiet -o "$dir/tuned.json"
  sed -n 's/^new samples, chosen anew/&/p' "$dir/out" >"$dir/got"
  check "$table-tuned" test $code = 0 -a -s "$dir/got"
  agree "$table-nested"
  check "$table-says-so" grep -q '^tuned: K = ' "$dir/out"
  read -ra words <<<"$line"
  "$ireland" "${words[@]}" --validate none --quiet -o "$dir/fitted.json" >/dev/null
  check "$table-rule" cmp "$dir/fitted.json" "$dir/tuned.json"
done
check cuts-are-tuned grep -q -- '--cuts mdl:4' <<<"$line"
run cv "$dir/d.csv" "${grid[@]}" --nested --quiet --json
sed -n '/"table"/,/^  \]/p; /"nested"/p' "$dir/out" | sed 's/^ *//' >"$dir/expected"
run fit "$dir/d.csv" --tune "${grid[@]}" --quiet --json
sed -n '/"table"/,/^    \]/p; /"nested"/p' "$dir/out" | sed 's/^ *//; s/^\]$/],/' >"$dir/got"
sed -i 's/^\]$/],/' "$dir/expected"
agree json
sed '/"run"/d' "$dir/out" >"$dir/one"
run fit "$dir/d.csv" --tune "${grid[@]}" --quiet --json --threads 8
sed '/"run"/d' "$dir/out" >"$dir/eight"
check threads cmp "$dir/one" "$dir/eight"
run fit "$dir/d.csv" --tune -K 2 -M 1..2 --penalty 0 --no-negations --quiet --json
check given-stays test "$(grep -c '{"K": 2, .*"penalty": 0, "negations": false' "$dir/out")" = 3 -a "$(grep -c '{"K": [^2]' "$dir/out")" = 0
run fit "$dir/d.csv" --tune -K 3 -M 3 --penalty 0 --no-negations --quiet --json # the usual values, given
check usual-given-stays test "$(grep -c '{"K": 3, "M": 3, "penalty": 0, "negations": false' "$dir/out")" = 2
expect no-estimate 0 'tuned: K' fit "$dir/d.csv" --tune "${grid[@]}" --validate none --quiet
check no-nested test "$(grep -c 'new samples' "$dir/out")" = 0
expect held-out 0 'held-out samples' fit "$dir/d.csv" --tune "${grid[@]}" --test 0.3 --quiet
expect page 0 'tuned' fit "$dir/d.csv" --tune "${grid[@]}" --quiet --report "$dir/p.html"
page_has page-says-so "$dir/p.html" 'How its size was chosen'
run fit "$dir/d.csv" --tune "${grid[@]}" --prove --quiet -o "$dir/r.json" --certificate "$dir/proof.txt"
check proven grep -q '^optimal: ' "$dir/out"
expect verified 0 'valid: none has a smaller loss' verify "$dir/r.json" "$dir/d.csv" --certificate "$dir/proof.txt"

# ---- few samples, little time ----
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 12; i++) print i % 2 "," int(i / 2) % 2 "," (i < 3) }' >"$dir/small.csv"
expect few-cases 0 ', 3 folds' fit "$dir/small.csv" --tune --quiet
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 12; i++) print i % 2 "," int(i / 2) % 2 "," (i < 2) }' >"$dir/two.csv"
expect two-cases 0 'too few samples for folds in folds' fit "$dir/two.csv" --tune --quiet
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 12; i++) print i % 2 "," int(i / 2) % 2 "," (i < 1) }' >"$dir/single.csv"
expect one-case 3 'a class has a single sample' fit "$dir/single.csv" --tune --quiet
"$ireland" generate -N 2000 -J 200 -K 5 -M 4 --noise 0.2 --seed 5 -o "$dir/hard.irb" --quiet
expect little-time 0 'tuning stopped' fit "$dir/hard.irb" --tune --time-limit 2 --quiet
expect little-time-json 0 '"tuning stopped' fit "$dir/hard.irb" --tune --time-limit 2 --quiet --json
check little-time-rule test "$(number objective)" != null

# ---- what is refused before the work starts ----
expect range-alone 2 'option K takes a whole number' fit "$dir/d.csv" -K 1..3
expect bad-range 2 'option K takes at most' fit "$dir/d.csv" --tune -K 3..1
expect empty-range 2 'option M takes at most' fit "$dir/d.csv" --tune -M ''
expect penalty-alone 2 'option penalty takes a number' fit "$dir/d.csv" --penalty 0,1
expect no-negations-alone 2 'no effect without --tune' fit "$dir/d.csv" --no-negations
expect negations-twice 2 'exclude each other' fit "$dir/d.csv" --tune --no-negations --negations
"$ireland" fit "$dir/d.csv" --quiet --save-pool "$dir/pool.json" --checkpoint "$dir/k.ck" -o "$dir/r.json" >/dev/null
for mix in "--pool $dir/pool.json" "--start $dir/r.json" "--resume $dir/k.ck" "--checkpoint $dir/l.ck" "--cnf" "--permutations 9" "--validate cv"; do
  read -ra words <<<"$mix"
  expect "refused ${words[0]}" 2 'option tune has no effect with option' fit "$dir/d.csv" --tune "${words[@]}"
done
check nothing-was-written test ! -e "$dir/l.ck"
finish
