#!/usr/bin/env bash
# The README tells the truth: its commands print what it says, its programs run, its picture is what the command draws.
. "$(dirname "$0")/../shell.sh"
begin readme
ln -s "$(realpath "$ireland")" "$dir/ireland"
ln -s "$PWD/data" "$dir/data"

# Each line `$ ./ireland ...` of a block, and what stands below it up to the next one.
awk -v dir="$dir" '
  /^```/ { inside = !inside; next }
  inside && /^\$ / { k++; file = dir "/" k; print substr($0, 3) > (file ".command"); close(file ".command"); printf "" > (file ".expected"); next }
  inside && k { print > (file ".expected") }
' <(sed '/^## Commands/,$d' README.md)
n=0
for command in "$dir"/*.command; do
  n=$((n + 1))
  stem=${command%.command}
  (cd "$dir" && OMP_WAIT_POLICY=passive bash -c "$(cat "$(basename "$command")")") >"$stem.got" 2>&1
  sed -i '/^$/d' "$stem.got" "$stem.expected"
  cp "$stem.expected" "$dir/expected" && cp "$stem.got" "$dir/got"
  agree "$(cat "$command")"
done
check "it has commands" [ "$n" -ge 5 ]
check "the picture is what curve draws" cmp bench/results/curve.svg "$dir/curve.svg"
for command in $("$ireland" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  check "command $command is in the table" grep -q "^| \`$command " README.md
done

# The C program is that of the header, which test_header.sh compiles and runs.
sed -n '/^```c$/,/^```$/p' README.md | sed '1d; $d' >"$dir/expected"
sed -n '/^ \*   #include <ireland.h>/,/^ \*   }/s/^ \* \{0,3\}//p' include/ireland.h >"$dir/got"
agree "the C program is that of ireland.h"

# The session in Python.
python="" reason="needs python3 with NumPy and pandas"
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy, pandas' 2>/dev/null && python=$candidate && break
done
case $ireland in *asan* | *tsan*) python="" reason="a library with sanitizers does not go into another program" ;; esac
if [ -n "$python" ]; then
  sed -n '/^```python$/,/^```$/p' README.md | sed '1d; $d' >"$dir/session"
  sed -n 's/^>>> //p' "$dir/session" >"$dir/session.py"
  grep -v '^>>>' "$dir/session" >"$dir/expected"
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src/python "$python" "$dir/session.py" >"$dir/got" 2>&1
  agree "Python"
else
  skip Python "$reason"
fi
finish
