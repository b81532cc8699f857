#!/usr/bin/env bash
# Names and categories of hostile bytes: code in every language means what `ireland predict` says, and what people are shown
# does not steer their terminal.
. "$(dirname "$0")/../shell.sh"
begin hostile-export

if command -v python3 >/dev/null; then
  while read -r line; do
    case $line in
    PASS*) pass "hostile rules, ${line#PASS }" ;;
    SKIP*) skip "hostile rules" "${line#SKIP }" ;;
    *) fail "hostile rules" "$line" ;;
    esac
  done < <(python3 tests/cli/hostile_export.py "$ireland" "$dir" "$cc" "${HOSTILE_RULES:-12}" "${HOSTILE_SEED:-7}" 2>&1)
else
  skip "hostile rules" "needs python3"
fi

# clean NAME: nothing of the last run is a control character, in UTF-8 or as a byte.
clean() {
  if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]' "$dir/out" "$dir/err"; then
    fail "$1" "control characters: $(cat -v "$dir/out" "$dir/err" | head -c 300)"
  else pass "$1"; fi
}
{
  printf '"a\033]0;owned\007",b\302\233c,"two\nlines","re\rturn",y\n'
  for i in 1 2 3 4 5 6 7 8; do printf '1,0,"x\033[2J",%d,1\n0,1,"y\233",%d,0\n' $i $((i + 4)); done
} >"$dir/bad.csv"
run info "$dir/bad.csv"; clean "info"
run fit "$dir/bad.csv" -K 1 -M 1 -o "$dir/r.json"; clean "fit"
check "fit shows escapes" grep -qF '\x1b]0;owned\x07' "$dir/out"
run evaluate "$dir/r.json" "$dir/bad.csv"; clean "evaluate"
run predict "$dir/r.json" "$dir/bad.csv" --explain; clean "predict"
run export "$dir/r.json" --to text; clean "export --to text"
run clause "$dir/bad.csv" -M 2; clean "clause"
run curve "$dir/bad.csv" -K 1 -M 1; clean "curve"
run cv "$dir/bad.csv" -K 1 -M 1 --folds 2; clean "cv"
run fit "$dir/bad.csv" --target "$(printf 'no\033[31m')"; clean "an error that quotes an argument"
printf 'a,y\n0,1\n\033[2J,0\n1,\2332\n0,3\n' >"$dir/cell.csv"
run fit "$dir/cell.csv"; clean "an error that quotes a cell"
run info "$dir/bad.csv" --json
if command -v python3 >/dev/null; then
  check "JSON stays exact" python3 -c "import json, sys
text = open('$dir/r.json').read(); json.loads(text); assert 'owned\\\\u0007' in text"
fi

# ---- SQL: what a backslash does is left to no database --------------------------------------------------
printf '{"clauses": [["p"]], "literals": [{"name": "p", "column": "c", "is": "=", "value": "x\\\\'"'"' OR 1=1 -- "}]}' >"$dir/sql.json"
run export "$dir/sql.json" --to sql
check "a text with a backslash" grep -qF "\"c\" = REPLACE('x\\\\'' OR 1=1 -- ', '\\\\', SUBSTR('\\\\', 1, 1))" "$dir/out"
printf '{"clauses": [["a\\\\b"]]}' >"$dir/sql.json"
expect "a column with a backslash" 3 "has a backslash in its name" export "$dir/sql.json" --to sql
printf '{"clauses": [["b"]], "literals": [{"name": "b", "column": "other", "is": "is 1"}]}' >"$dir/named.json"
expect "a 0/1 column under another name" 0 'number("other") == 1' export "$dir/named.json" --to python
finish
