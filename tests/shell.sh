# What the tests of the command line share: `. "$(dirname "$0")/../shell.sh"`, `begin NAME`, tests, `finish`.
# Each runs by hand from the top of the tree: bash tests/cli/test_fit.sh; IRELAND and CC name another program and compiler.
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

# browse PAGE [WIDTH [SCHEME]]: the page as its script has made it, in $dir/dom; SCHEME is 0 for dark, 1 for light. $browser is empty
# where there is none.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
browse() {
  timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/browser" --window-size="${2:-1300}",900 \
    --blink-settings=preferredColorScheme="${3:-1}" --dump-dom "file://$(realpath "$1")" >"$dir/dom" 2>"$dir/err"
  local ended=$?
  rm -rf "$dir/browser"
  return $ended
}

# page_has NAME PAGE TEXT: the page shows it, if there is a browser to ask.
page_has() {
  [ -n "$browser" ] || { skip "$1" "needs chromium"; return; }
  browse "$2"
  check "$1" grep -qF -- "$3" "$dir/dom"
}

# No test asks how long something took, which says more about the machine than about the program: a limit on time or a signal
# has to end what would go on for hours, within the five minutes after which only a hang is left.
patience=300

# patient_run ARGUMENTS...: run, killed ($code is 124) after these five minutes.
patient_run() {
  timeout "$patience" "$ireland" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
}

# await CONDITION...: until the command succeeds; false if process $pid has ended without it, or after five minutes.
await() {
  local i
  for ((i = 0; i < 20 * patience; i++)); do
    "$@" && return 0
    kill -0 "$pid" 2>/dev/null || { "$@"; return; }
    sleep 0.05
  done
  return 1
}

# is_waiting: process $pid has set its signal handlers (34: those it catches) and sleeps, for want of input.
is_waiting() {
  local -a stat=()
  read -r -a stat <"/proc/$pid/stat" && ((stat[33] != 0)) && [ "${stat[2]}" = S ]
} 2>/dev/null

# is_working [HALVES]: it has set its signal handlers and used half a second of processor time, or so many halves.
is_working() {
  local -a stat=()
  read -r -a stat <"/proc/$pid/stat" && ((stat[33] != 0 && 2 * (stat[13] + stat[14]) >= ${1:-1} * $(getconf CLK_TCK)))
} 2>/dev/null

# interrupt SIGNAL: to process $pid, whose exit code is left in $code. It is killed if it goes on for five minutes.
interrupt() {
  local guard
  kill -s "$1" "$pid"
  (for ((i = 0; i < patience; i++)); do sleep 1 && kill -0 "$pid" 2>/dev/null || exit; done; kill -KILL "$pid") 2>/dev/null &
  guard=$!
  wait "$pid"
  code=$?
  { kill "$guard" && wait "$guard"; } 2>/dev/null
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

# holds OPTION FILE PATTERN: readelf shows it.
holds() { readelf "$1" "$2" 2>/dev/null | grep -qE "$3"; }

# hardened FILE: an address that is not fixed (DYN), relocations done before main (BIND_NOW, RELRO), a stack that is not executable,
# checked functions in use. False: there is no readelf.
hardened() {
  local name=${1##*/}
  command -v readelf >/dev/null || return 1
  check "$name has no fixed address" holds -h "$1" 'Type: *DYN'
  check "$name has its tables read-only" holds -lW "$1" 'GNU_RELRO'
  check "$name is bound before it runs" holds -dW "$1" 'BIND_NOW|FLAGS.*NOW'
  check "$name has no executable stack" holds -lW "$1" 'GNU_STACK.* RW '
  check "$name has checked functions" holds -sW "$1" '__(mem|str|v?sn?|f|v?f)[a-z]*_chk'
}
