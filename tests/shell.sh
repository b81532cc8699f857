# What the tests of the command line share: `. "$(dirname "$0")/shell.sh"`, `begin NAME`, tests, `finish`.
# Each runs by hand from the top of the tree: bash tests/test_fit.sh; IRELAND and CC name another program and compiler.
set -u
ireland=${IRELAND:-./ireland}
cc=${CC:-cc}
passed=0 failed=0 skipped=0
subject=() # words that `expect` puts before its arguments: the command that a script is about

# begin NAME: $dir is an empty folder for what the tests write.
begin() {
  dir=build/test-$1
  rm -rf "$dir" && mkdir -p "$dir" || exit 1
}

pass() { echo "PASS $1"; passed=$((passed + 1)); }
fail() { echo "FAIL $1: $2"; failed=$((failed + 1)); }
skip() { echo "SKIP $1: $2"; skipped=$((skipped + 1)); }

finish() {
  echo "Pass: $passed, fail: $failed, skip: $skipped."
  exit $((failed > 0))
}

# check NAME CONDITION...: the condition is a command.
check() {
  local name=$1
  shift
  if "$@"; then pass "$name"; else fail "$name" "not so: $*; $(head -c 300 "$dir/err" 2>/dev/null)"; fi
}

# quietly COMMAND...: what it prints is shown only if it fails, by check.
quietly() { "$@" >"$dir/log" 2>&1 || { tail -n 5 "$dir/log" >"$dir/err"; return 1; }; }

# run ARGUMENTS...: the program; leaves $code, $dir/out, $dir/err.
run() {
  "$ireland" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
}

# expect NAME CODE PART ARGUMENTS...: the exit code, and PART somewhere in all that is printed.
expect() {
  local name=$1 wanted=$2 part=$3
  shift 3
  run "${subject[@]}" "$@"
  if [ $code != "$wanted" ]; then fail "$name" "exit code $code, not $wanted: $(cat "$dir/err")"
  elif ! grep -qF -- "$part" "$dir/out" "$dir/err"; then fail "$name" "no '$part' in: $(cat "$dir/out" "$dir/err")"
  else pass "$name"; fi
}

# number KEY: its first value in the JSON of the last run.
number() { sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$dir/out" | head -n 1; }

# agree NAME: $dir/expected and $dir/got are the same.
agree() {
  if cmp -s "$dir/expected" "$dir/got"; then pass "$1"; else fail "$1" "$(diff "$dir/expected" "$dir/got" | head -n 3)"; fi
}
