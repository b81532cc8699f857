#!/usr/bin/env bash
# A few dozen cases of the attack by mixes (tests/attack), always the same; `make attack` draws others.
. "$(dirname "$0")/../shell.sh"
begin attack
cases=40

if ! command -v python3 >/dev/null; then
  skip attack "python3 is missing"
  finish
fi
python3 "$(dirname "$0")/attack.py" --ireland "$ireland" --seed test --cases $cases >"$dir/out" 2>"$dir/err"
code=$?
grep -A1 '^FAIL' "$dir/out"
line=$(tail -n 1 "$dir/out")
if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
  passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
  check all_cases test $((passed + failed)) = $cases
  check exit_code test $code = $((failed > 0))
else
  fail attack "no closing line: $(tail -n 3 "$dir/out" "$dir/err")"
fi
# It must not pass by being refused all the time.
check answers test "$(sed -n 's/.* \([0-9]*\) optimal.*/\1/p' "$dir/out" | paste -sd+ | sed 's/^$/0/' | { read -r sum; echo $((sum)); })" -ge 10
finish
