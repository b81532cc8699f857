#!/usr/bin/env bash
# `ireland solve`: exit codes, JSON keys, --solution, -o, and what is written read by other solvers.
. "$(dirname "$0")/../shell.sh"
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
expect infeasible 4 '"status": "infeasible"' "$dir/infeasible.mps" --json --quiet
expect unbounded 4 '"status": "unbounded"' "$dir/unbounded.mps" --json --quiet
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

# ---- the LP format ---------------------------------------------------------------------------------
expect read_lp 0 '"objective": 4,' "$dir/copy.lp" --json --quiet
cp "$dir/copy.lp" "$dir/no_ending"
expect lp_by_content 0 '"objective": 4,' "$dir/no_ending" --json --quiet
"$ireland" solve - --json --quiet <"$dir/copy.lp" >"$dir/out" 2>"$dir/err"
check lp_in_a_pipe grep -q '"objective": 4,' "$dir/out"
expect lp_again 0 optimal "$dir/copy.lp" -o "$dir/again.lp"
check lp_same_bytes cmp -s "$dir/copy.lp" "$dir/again.lp"
printf 'Maximize\n x + y\nSubject To\n x + 2 y <= 4 z\nEnd\n' >"$dir/bad.lp"
expect lp_place 3 "$dir/bad.lp:4:15: the right-hand side is a single number; behind it stands 'z'" "$dir/bad.lp"
printf 'Minimize\n x\nSubject To\n x >= 3\n x <= 2\nEnd\n' >"$dir/none.lp"
expect lp_infeasible 4 'status     infeasible' "$dir/none.lp"

# Integer models that are unusual: the right status and exit code.
# integer NAME ROWS COLUMNS RHS BOUNDS: writes the model; all columns are integer.
integer() {
  printf 'NAME m\nROWS\n N cost\n%bCOLUMNS\n M1 %s %s\n%b M2 %s %s\nRHS\n%bBOUNDS\n%bENDATA\n' \
    "$2" "'MARKER'" "'INTORG'" "$3" "'MARKER'" "'INTEND'" "$4" "$5" >"$dir/$1.mps"
}
integer int_infeasible ' E r\n' ' x cost 1 r 2\n y cost 1 r 4\n' ' RHS r 3\n' ' UP BND x 9\n UP BND y 9\n'
expect int_infeasible 4 '"status": "infeasible"' "$dir/int_infeasible.mps" --json --quiet
integer int_infeasible_free ' E r\n' ' x cost 1 r 2\n y cost 1 r 4\n' ' RHS r 3\n' ' FR BND x\n FR BND y\n'
expect int_infeasible_free 4 '"status": "infeasible"' "$dir/int_infeasible_free.mps" --json --quiet
integer int_unbounded ' G r\n' ' x cost -1 r 1\n y cost 1 r 1\n' ' RHS r 1\n' ' PL BND x\n UP BND y 3\n'
expect int_unbounded 4 '"status": "unbounded"' "$dir/int_unbounded.mps" --json --quiet
integer int_free ' G r\n' ' x cost 2 r 2\n y cost 3 r 1\n' ' RHS r -7\n' ' FR BND x\n UP BND y 3\n'
expect int_free 0 '"objective": -6,' "$dir/int_free.mps" --json --quiet
integer int_no_objective ' G r\n' ' x r 2\n y r 3\n' ' RHS r 7\n' ' UP BND x 9\n UP BND y 9\n'
expect int_no_objective 0 '"objective": 0,' "$dir/int_no_objective.mps" --json --quiet
integer int_crossed ' G r\n' ' x cost 1 r 1\n' ' RHS r 1\n' ' LO BND x 5\n UP BND x 3\n'
expect int_crossed 4 '"status": "infeasible"' "$dir/int_crossed.mps" --json --quiet
integer int_between ' G r\n' ' x cost 1 r 1\n' ' RHS r 0\n' ' LO BND x 2.2\n UP BND x 2.8\n'
expect int_between 4 '"status": "infeasible"' "$dir/int_between.mps" --json --quiet
integer int_no_rows '' ' x cost -2\n y cost 3\n' '' ' UP BND x 4.5\n LO BND y 1\n'
expect int_no_rows 0 '"objective": -5,' "$dir/int_no_rows.mps" --json --quiet
integer int_no_rows_unbounded '' ' x cost -2\n' '' ' PL BND x\n'
expect int_no_rows_unbounded 4 '"status": "unbounded"' "$dir/int_no_rows_unbounded.mps" --json --quiet

if command -v glpsol >/dev/null; then
  for format in mps lp; do
    option=$([ $format = lp ] && echo --lp || echo --freemps)
    glpsol $option "$dir/copy.$format" -o "$dir/glpsol.txt" >"$dir/glpsol.log" 2>&1
    if grep -q '= 4 (MINimum)' "$dir/glpsol.txt"; then pass "glpsol_$format"; else fail "glpsol_$format" "$(tail -3 "$dir/glpsol.log")"; fi
  done
else skip glpsol "not installed"; fi


expect log_has_time 0 seconds "$dir/int_free.mps" --no-presolve

# ---- what other solvers write ------------------------------------------------------------------------
cat >"$dir/mixed.lp" <<'END'
\ a model with a bit of everything
Maximize
 profit: 3 x + 2.5e0 y - z + 4 w
Subject To
 c1: x + y + z <= 10
 c2: -2 <= x - 4 z <= 8
 x + w >= 1
 c4: 2 y - w = 1
Bounds
 x <= 4
 -inf <= z <= 3
 1 <= y <= 5.5
 w <= 7
General
 w
Binary
 b
End
END
expect mixed 0 '"objective": 51,' "$dir/mixed.lp" --json --quiet
objective() { "$ireland" solve "$1" --json --quiet 2>/dev/null | sed -n 's/.*"objective": \(.*\),/\1/p'; }
wanted=$(objective "$dir/mixed.lp")
"$ireland" solve "$dir/mixed.lp" -o "$dir/mixed2.lp" >/dev/null 2>&1
if command -v glpsol >/dev/null; then
  glpsol --lp "$dir/mixed2.lp" --check --wlp "$dir/glp.lp" >/dev/null 2>&1
  check "a model that glpsol has written" [ "$(objective "$dir/glp.lp")" = "$wanted" ]
  glpsol --lp "$dir/mixed2.lp" -o "$dir/glp.sol" >/dev/null 2>&1
  check "glpsol reads what is written" grep -q "Objective: .* = ${wanted%% *}" "$dir/glp.sol"
else skip "glpsol" "is not here"; fi
if command -v cbc >/dev/null; then
  check "cbc reads what is written" bash -c "cbc '$dir/mixed2.lp' -solve 2>&1 | grep -q 'Objective value: *-*${wanted}\.0'"
else skip "cbc" "is not here"; fi

# MPS has no word for a row whose lower side is above its upper one: it must not come back as another row.
printf 'Minimize\n x\nSubject To\n c1: 1 <= x <= 0.5\nEnd\n' >"$dir/crossed.lp"
expect crossed 4 '"status": "infeasible"' "$dir/crossed.lp" --json --quiet
"$ireland" solve "$dir/crossed.lp" -o "$dir/crossed.mps" >/dev/null 2>"$dir/crossed.err"
check "crossed sides are not written as MPS" grep -q "row 'c1' has a lower side above its upper one" "$dir/crossed.err"
# A column between 0 and -4 has no value, in MPS too.
printf 'Minimize\n x\nSubject To\n c1: x >= -9\nBounds\n x <= -4\nEnd\n' >"$dir/empty.lp"
"$ireland" solve "$dir/empty.lp" -o "$dir/empty.mps" >/dev/null 2>&1
expect empty-column 4 '"status": "infeasible"' "$dir/empty.mps" --json --quiet
finish
