#!/usr/bin/env bash
# MILPs on the command line: ends and exit codes of `ireland solve`, Ctrl-C, and the models that `ireland model` writes, solved by
# ireland, glpsol and cbc, with the optimum that `ireland fit` finds.
. "$(dirname "$0")/../shell.sh"
begin model
subject=(solve)

# write FILE BOUNDS_OF_X COST_OF_X [SIDE]: minimise COST*x + y, 2 x + 2 y >= SIDE, both integer.
write() {
  cat >"$dir/$1.mps" <<END
NAME $1
ROWS
 N cost
 G r1
COLUMNS
 M1 'MARKER' 'INTORG'
 x cost $3 r1 2
 y cost 1 r1 2
 M2 'MARKER' 'INTEND'
RHS
 RHS r1 ${4:-3}
BOUNDS
$2
 UP BND y 10
ENDATA
END
}
write integer ' UP BND x 10' 1
write unbounded ' PL BND x' -1
write fractional $' LO BND x 0.25\n UP BND x 0.75' 1
write crossed $' LO BND x 3\n UP BND x 2' 1
write infeasible ' UP BND x 10' 1 100
write free $' MI BND x\n PL BND x' 1 -7
write costless ' UP BND x 10' 0
sed -i 's/ y cost 1/ y cost 0/' "$dir/costless.mps"
sed '/^ G r1/d; s/ r1 2//; /RHS r1/d' "$dir/integer.mps" >"$dir/rowless.mps"

expect integer 0 '"objective": 2,' "$dir/integer.mps" --json --quiet
expect gap 0 '"gap": 0,' "$dir/integer.mps" --json --quiet
expect relaxed 0 '"objective": 1.5,' "$dir/integer.mps" --relax --json --quiet
expect log 0 'incumbent' "$dir/integer.mps"
sed '/MARKER/d' "$dir/integer.mps" >"$dir/relaxed.mps"
expect unbounded 4 '"status": "unbounded"' "$dir/unbounded.mps" --json --quiet
expect fractional 4 '"status": "infeasible"' "$dir/fractional.mps" --json --quiet
expect crossed 3 "$dir/crossed.mps:14:1: column 'x' has the lower bound 3 above its upper bound 2" "$dir/crossed.mps"
expect infeasible 4 '"status": "infeasible"' "$dir/infeasible.mps" --json --quiet
expect free 0 '"objective": -3,' "$dir/free.mps" --json --quiet
expect costless 0 '"objective": 0,' "$dir/costless.mps" --json --quiet
expect rowless 0 '"objective": 0,' "$dir/rowless.mps" --json --quiet
expect solution 0 optimal "$dir/integer.mps" --solution "$dir/s.txt"
if grep -q ' = 2 (MINimum)$' "$dir/s.txt" && grep -q '^     1 r1  *4 ' "$dir/s.txt"; then pass solution_file; else fail solution_file "$(cat "$dir/s.txt")"; fi

# An equation between large even numbers and an odd one that is hard to miss: branch and bound finds no end of it.
awk 'BEGIN { srand(7); print "NAME hard"; print "ROWS"; print " N cost"; for (i = 0; i < 4; i++) print " E r" i
  print "COLUMNS"; print " M1 '"'MARKER' 'INTORG'"'"
  for (j = 0; j < 45; j++) { print " x" j " cost " int(100 * rand()); for (i = 0; i < 4; i++) { v = int(100 * rand()); s[i] += v; print " x" j " r" i " " v } }
  for (i = 0; i < 4; i++) { print " p" i " cost 1000 r" i " 1"; print " q" i " cost 1000 r" i " -1" }
  print " M2 '"'MARKER' 'INTEND'"'"; print "RHS"; for (i = 0; i < 4; i++) print " R r" i " " int(s[i] / 2)
  print "BOUNDS"; for (j = 0; j < 45; j++) print " UP B x" j " 1"; for (i = 0; i < 4; i++) print " UP B p" i " 5000\n UP B q" i " 5000"; print "ENDATA" }' >"$dir/hard.mps"
"$ireland" solve "$dir/hard.mps" --json >"$dir/hard.json" 2>"$dir/hard.err" &
pid=$!
await grep -q '^\*' "$dir/hard.err" # an incumbent
interrupt INT
if [ "$code" = 130 ] && grep -q '"status": "interrupted"' "$dir/hard.json" && ! grep -q '"objective": null' "$dir/hard.json"; then pass ctrl_c; else fail ctrl_c "exit code $code: $(cat "$dir/hard.json" "$dir/hard.err")"; fi
expect nodes 0 '"status": "limit"' "$dir/hard.mps" --node-limit 200 --json --quiet
a=$("$ireland" solve "$dir/hard.mps" --node-limit 500 --json --quiet --threads 1 | sed '/"run"/d')
b=$("$ireland" solve "$dir/hard.mps" --node-limit 500 --json --quiet --threads 3 | sed '/"run"/d')
if [ -n "$a" ] && [ "$a" = "$b" ]; then pass any_threads; else fail any_threads "$a / $b"; fi

# ---- models of data -------------------------------------------------------------------------------
"$ireland" generate -N 24 -J 6 -K 2 -M 2 --noise 0.1 --seed 3 -o "$dir/d.csv" --quiet || exit 1
number_in() { sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" | head -1; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && (a - b) ^ 2 < 1e-10 * (1 + a * a)) }'; }

# compare NAME FILE WANTED: the optimum of a written model by every solver at hand.
compare() {
  local name=$1 file=$2 wanted=$3 found
  found=$("$ireland" solve "$file.mps" --json --quiet | number_in objective)
  if near "$wanted" "$found"; then pass "$name"; else fail "$name" "ireland: $found, not $wanted"; fi
  found=$("$ireland" solve "$file.mps" --no-structure --json --quiet | number_in objective)
  if near "$wanted" "$found"; then pass "general_$name"; else fail "general_$name" "ireland: $found, not $wanted"; fi
  if command -v glpsol >/dev/null; then
    glpsol --lp "$file.lp" -w "$dir/g.txt" >"$dir/g.log" 2>&1
    found=$(awk '/^s mip/ { print $6 }' "$dir/g.txt")
    if near "$wanted" "$found"; then pass "glpsol_$name"; else fail "glpsol_$name" "$found, not $wanted"; fi
  fi
  if command -v cbc >/dev/null; then
    cbc "$file.lp" -solve -quit >"$dir/c.log" 2>&1
    found=$(awk '/^Objective value:/ { print $3 }' "$dir/c.log")
    if near "$wanted" "$found" || near "-$wanted" "$found"; then pass "cbc_$name"; else fail "cbc_$name" "$found, not $wanted"; fi
  fi
}
for form in bp1 bp2 bp3 bp4 bp5 bp6; do
  for variant in "" --plain --binary; do
    wanted=$("$ireland" fit "$dir/d.csv" -K 2 -M 2 --method $form $variant --json --quiet | number_in objective)
    wanted=$(awk -v w="$wanted" 'BEGIN { print w * 24 }')
    "$ireland" model "$dir/d.csv" --form $form $variant -K 2 -M 2 -o "$dir/m.mps" --quiet || fail "$form$variant" "no model"
    "$ireland" model "$dir/d.csv" --form $form $variant -K 2 -M 2 -o "$dir/m.lp" --quiet
    compare "$form$variant" "$dir/m" "$wanted"
  done
done
wanted=$("$ireland" clause "$dir/d.csv" -M 2 --budget 0.1 --prove --json --quiet | number_in tp)
"$ireland" model "$dir/d.csv" --form sp -M 2 --budget 0.1 -o "$dir/m.mps" --quiet
"$ireland" model "$dir/d.csv" --form sp -M 2 --budget 0.1 -o "$dir/m.lp" --quiet
compare sp "$dir/m" "$wanted"
expect structure 0 'AND/OR structure: 1 clause of at most 2 of 6 literals' "$dir/m.mps"
expect no_structure 0 'R         0        0' "$dir/m.mps" --no-structure
expect node_limit_is_general 0 'R         0        0' "$dir/m.mps" --node-limit 100000
expect no_integers 2 'no_structure has no effect' "$dir/relaxed.mps" --no-structure
command -v glpsol >/dev/null || skip glpsol "not installed"
command -v cbc >/dev/null || skip cbc "not installed"
if grep -q '^ *s_f1\|s_f1 ' "$dir/m.mps"; then pass names; else fail names "no column s_f1"; fi
text=$("$ireland" model "$dir/d.csv" --form bp9 -o "$dir/x.mps" 2>&1)
if [ $? = 2 ] && [[ $text == *"bp6, sp, mp or whole, not"* ]]; then pass bad_form; else fail bad_form "$text"; fi

finish
