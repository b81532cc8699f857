#!/usr/bin/env bash
# `ireland solve`: exit codes, JSON keys, --solution, -o, and what is written read by other solvers.
. "$(dirname "$0")/shell.sh"
begin solve
subject=(solve)

cat >"$dir/m.mps" <<'END'
NAME m
ROWS
 N cost
 G r1
 L r2
COLUMNS
 x cost 1 r1 1
 x r2 1
 y cost 2 r1 1
RHS
 RHS r1 3 r2 2
ENDATA
END
sed 's/ G r1/ L r1/; s/RHS r1 3/RHS r1 -3/' "$dir/m.mps" >"$dir/infeasible.mps"
sed 's/y cost 2/y cost -2/' "$dir/m.mps" >"$dir/unbounded.mps"
sed 's/x r2 1/x r3 1/' "$dir/m.mps" >"$dir/bad.mps"


expect optimal 0 '"objective": 4,' "$dir/m.mps" --json --quiet
expect text 0 'objective  4' "$dir/m.mps" --quiet
expect no_presolve 0 '"objective": 4,' "$dir/m.mps" --json --no-presolve --quiet
expect infeasible 0 '"status": "infeasible"' "$dir/infeasible.mps" --json --quiet
expect unbounded 0 '"status": "unbounded"' "$dir/unbounded.mps" --json --quiet
expect place 3 "$dir/bad.mps:8:4: there is no row 'r3'" "$dir/bad.mps"
expect missing 3 "No such file" "$dir/none.mps"
expect limit 4 '"status": "limit"' "$dir/m.mps" --json --quiet --iteration-limit 1 --no-presolve
expect solution 0 optimal "$dir/m.mps" --solution "$dir/s.txt" -o "$dir/copy.mps"
if grep -q '^column x 2 ' "$dir/s.txt"; then pass solution_file; else fail solution_file "$(cat "$dir/s.txt")"; fi
expect copy 0 '"objective": 4,' "$dir/copy.mps" --json --quiet
expect lp_file 0 optimal "$dir/m.mps" -o "$dir/copy.lp"
a=$("$ireland" solve "$dir/m.mps" --json --quiet | sed 's/"run".*//')
b=$("$ireland" solve "$dir/m.mps" --json --quiet --threads 2 | sed 's/"run".*//')
if [ "$a" = "$b" ]; then pass same_twice; else fail same_twice "$a / $b"; fi

if command -v glpsol >/dev/null; then
  for format in mps lp; do
    option=$([ $format = lp ] && echo --lp || echo --freemps)
    glpsol $option "$dir/copy.$format" -o "$dir/glpsol.txt" >"$dir/glpsol.log" 2>&1
    if grep -q '= 4 (MINimum)' "$dir/glpsol.txt"; then pass "glpsol_$format"; else fail "glpsol_$format" "$(tail -3 "$dir/glpsol.log")"; fi
  done
else skip glpsol "not installed"; fi

finish
