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
# As glpsol -o prints it, but for what it says about residuals; .sol as HiGHS writes it.
if command -v glpsol >/dev/null; then
  glpsol --freemps "$dir/m.mps" -o "$dir/g.out" >/dev/null 2>&1
  if cmp -s <(sed '/^Karush/d; /^KKT/d; /max.rel.err/d; /High quality/d; /^$/d' "$dir/g.out") <(sed '/^$/d' "$dir/s.txt"); then pass solution_as_glpsol; else fail solution_as_glpsol "$(cat "$dir/s.txt")"; fi
else skip solution_as_glpsol "no glpsol"; fi
expect solution_sol 0 optimal "$dir/m.mps" --solution "$dir/s.sol"
printf '%s\n' 'Model status' Optimal '' '# Primal solution values' Feasible 'Objective 4' '# Columns 2' 'x 2' 'y 1' '# Rows 2' 'r1 3' 'r2 2' '' \
  '# Dual solution values' Feasible '# Columns 2' 'x 0' 'y 0' '# Rows 2' 'r1 2' 'r2 -1' '' '# Basis' 'HiGHS v1' Valid '# Columns 2' '1 1 ' '# Rows 2' '0 2 ' >"$dir/wanted.sol"
check solution_as_highs cmp -s "$dir/s.sol" "$dir/wanted.sol"
expect solution_none 4 infeasible "$dir/infeasible.mps" --solution "$dir/none.sol"
check solution_of_nothing grep -q '^Infeasible$' "$dir/none.sol"
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
printf 'Minimize\n x\nSubject To\n x + y >= 3\n x <= 2\n x - y <= 9\n y <= 0\nEnd\n' >"$dir/none.lp"
expect conflict 4 'conflict   c1 c2 c4' "$dir/none.lp"
expect conflict_json 4 '"rows": ["c1", "c2", "c4"],' "$dir/none.lp" --json --quiet
expect lp_infeasible 4 'status     infeasible' "$dir/none.lp"

# Integer models that are unusual: the right status and exit code.
# integer NAME ROWS COLUMNS RHS BOUNDS: writes the model; all columns are integer.
integer() {
  printf 'NAME m\nROWS\n N cost\n%bCOLUMNS\n M1 %s %s\n%b M2 %s %s\nRHS\n%bBOUNDS\n%bENDATA\n' \
    "$2" "'MARKER'" "'INTORG'" "$3" "'MARKER'" "'INTEND'" "$4" "$5" >"$dir/$1.mps"
}
integer int_infeasible ' E r\n' ' x cost 1 r 2\n y cost 1 r 4\n' ' RHS r 3\n' ' UP BND x 9\n UP BND y 9\n'
expect int_infeasible 4 '"status": "infeasible"' "$dir/int_infeasible.mps" --json --quiet
expect int_conflict 4 'cannot hold together in integers' "$dir/int_infeasible.mps"
integer int_infeasible_free ' E r\n' ' x cost 1 r 2\n y cost 1 r 4\n' ' RHS r 3\n' ' FR BND x\n FR BND y\n'
expect int_infeasible_free 4 '"status": "infeasible"' "$dir/int_infeasible_free.mps" --json --quiet
integer int_unbounded ' G r\n' ' x cost -1 r 1\n y cost 1 r 1\n' ' RHS r 1\n' ' PL BND x\n UP BND y 3\n'
expect int_unbounded 4 '"status": "unbounded"' "$dir/int_unbounded.mps" --json --quiet
integer int_free ' G r\n' ' x cost 2 r 2\n y cost 3 r 1\n' ' RHS r -7\n' ' FR BND x\n UP BND y 3\n'
expect int_free 0 '"objective": -6,' "$dir/int_free.mps" --json --quiet
integer int_no_objective ' G r\n' ' x r 2\n y r 3\n' ' RHS r 7\n' ' UP BND x 9\n UP BND y 9\n'
expect int_no_objective 0 '"objective": 0,' "$dir/int_no_objective.mps" --json --quiet
integer int_crossed ' G r\n' ' x cost 1 r 1\n' ' RHS r 1\n' ' LO BND x 5\n UP BND x 3\n'
expect int_crossed 3 "$dir/int_crossed.mps:13:1: column 'x' has the lower bound 5 above its upper bound 3" "$dir/int_crossed.mps"
integer int_between ' G r\n' ' x cost 1 r 1\n' ' RHS r 0\n' ' LO BND x 2.2\n UP BND x 2.8\n'
expect int_between 4 '"status": "infeasible"' "$dir/int_between.mps" --json --quiet
# The LP is unbounded, but no integers meet the row: in thousandths it is 3004833 = 1000000 (2 y - 3 x) + 3000 w - 1168 z + 2611 v,
# so that the last three make 4833, for which v must be odd; 2222 and -8222 are no multiples of 8, and -3000 needs w = -1.
integer int_unbounded_lp ' E r\n' ' x cost -1 r -3000\n y cost -4000 r 2000\n z cost -1 r -1.168\n w cost 1 r 3\n v cost -1 r 2.611\n' \
  ' RHS r 3004.833\n' ' FR BND x\n FR BND y\n LO BND z -8\n UP BND z 8\n UP BND w 9\n UP BND v 5\n'
expect int_unbounded_lp 4 '"status": "infeasible"' "$dir/int_unbounded_lp.mps" --json --quiet --work-limit 100000000
expect int_between_bounds 4 'conflict   the bounds of the columns alone' "$dir/int_between.mps"
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

# ---- what no file may ask for: file and line, exit code 3 ----------------------------------------------
# bad NAME LINE SENTENCE TEXT [ENDING]
bad() {
  printf "$4" >"$dir/$1.${5:-lp}"
  "$ireland" solve "$dir/$1.${5:-lp}" >"$dir/out" 2>"$dir/err"
  code=$?
  if [ $code = 3 ] && grep -q "^$dir/$1.${5:-lp}:$2:[0-9]*: .*$3" "$dir/err"; then pass "$1"; else fail "$1" "exit code $code: $(cat "$dir/err")"; fi
}
bad crossed_sides 4 'the row has the lower side 1 above its upper side 0.5' 'Minimize\n x\nSubject To\n c1: 1 <= x <= 0.5\nEnd\n'
bad crossed_bounds 6 "column 'x' has the lower bound 0 above its upper bound -4" 'Minimize\n x\nSubject To\n c1: x >= -9\nBounds\n x <= -4\nEnd\n'
bad crossed_binary 8 "column 'x' has the lower bound 3 above its upper bound 1" 'Minimize\n x\nSubject To\n c1: x >= -9\nBounds\n x >= 3\nBinary\n x\nEnd\n'
bad nan_side 4 "expected a number, not 'nan'" 'Minimize\n x\nSubject To\n c1: x >= nan\nEnd\n'
bad infinite_side 5 'nothing has a value beyond 1e20' 'Minimize\n x\nSubject To\n c1: x >= inf\nEnd\n'
bad infinite_entry 4 'no coefficient is infinite' 'Minimize\n x\nSubject To\n c1: inf x >= 1\nEnd\n'
bad huge_integer 6 "the integer column 'x' has a bound beyond 2^53" 'Minimize\n x\nSubject To\n c1: x >= 1\nBounds\n x <= 9007199254740994\nGeneral\n x\nEnd\n'
bad empty_lp 1 'the model is empty' 'Minimize\nSubject To\nEnd\n'
bad no_bytes 1 'a model in LP format begins with' ''
bad blanks 4 'expected' 'Minimize\n x\nSubject To\n row one: x >= 1\nEnd\n'
bad only_free_rows 1 'the model is empty' 'NAME m\nROWS\n N cost\n N free\nCOLUMNS\nRHS\nENDATA\n' mps
bad empty_mps 1 'the model is empty' 'NAME m\nROWS\n N cost\nCOLUMNS\nRHS\nENDATA\n' mps
bad nan_entry 6 'not a number' 'NAME m\nROWS\n N cost\n G r\nCOLUMNS\n x cost 1 r nan\nRHS\nENDATA\n' mps
bad infinite_mps 6 'not a finite number' 'NAME m\nROWS\n N cost\n G r\nCOLUMNS\n x cost 1 r inf\nRHS\nENDATA\n' mps
bad huge_mps 10 'beyond 2^53' "NAME m\nROWS\n N cost\n G r\nCOLUMNS\n M1 'MARKER' 'INTORG'\n x cost 1 r 1\nRHS\nBOUNDS\n LO B x 1e17\nENDATA\n" mps
bad blanks_mps 6 'there is no row' 'NAME m\nROWS\n N cost\n G r\nCOLUMNS\n x one cost 1 r\nRHS\nENDATA\n' mps
printf 'NAME          m\nROWS\n N  cost\n G  r one\nCOLUMNS\n    x one     cost               1     r one              2\nRHS\n    RHS       r one              3\nENDATA\n' >"$dir/blank_fixed.mps"
expect blank_fixed 0 'optimal' "$dir/blank_fixed.mps"
gzip -c "$dir/m.mps" | head -c 60 >"$dir/cut.mps.gz"
expect cut_gz 3 'cut.mps.gz: the compressed file ends early' "$dir/cut.mps.gz"
# An integer column that only rows force beyond what is told apart: no answer, but an end.
printf 'Minimize\n x\nSubject To\n c1: x - y = 0\n c2: y = 1e17\nGeneral\n x\nEnd\n' >"$dir/forced.lp"
expect forced_beyond 4 'status     limit' "$dir/forced.lp" --quiet
finish
