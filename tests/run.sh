#!/usr/bin/env bash
# Runs test programs in parallel and adds up what they report.
#
#   tests/run.sh [-j JOBS] PROGRAM_OR_SCRIPT...      JOBS: as many as there are cores
#
# A program is a greatest binary (run with -v) or a *.sh script; either ends with a line
# 'Pass: 3, fail: 0, skip: 1.', of which the last one counts. One that ends without it, or reports
# no failure and yet exits with a status, counts as one failed. All it prints goes into
# build/test-logs/NAME.log; its failures and its reasons to skip are shown here.
#
# The last line is 'N passed, N failed, N skipped', the exit status 1 if any failed. Needs bash 5.
set -u

n_last=20    # lines of the log of a program that crashed
n_failing=60 # lines of a log that speak of failures, at most

usage() {
  echo "usage: tests/run.sh [-j JOBS] PROGRAM_OR_SCRIPT..." >&2
  exit 2
}

jobs=$(nproc 2>/dev/null || echo 1)
while getopts j: option; do
  [[ $option == j ]] || usage
  jobs=$OPTARG
done
shift $((OPTIND - 1))
[[ $jobs =~ ^[1-9][0-9]*$ && $# -gt 0 ]] || usage

logs=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/test-logs
mkdir -p "$logs" || exit 2

paths=("$@")
names=() # of the log, unique
declare -A is_taken=()
width=0
for path in "${paths[@]}"; do
  base=$(basename "$path")
  name=$base
  for ((k = 2; ${is_taken[$name]:-0}; k++)); do name=$base-$k; done
  is_taken[$name]=1
  names+=("$name")
  ((${#name} > width)) && width=${#name}
done

# A job tells through descriptor 3 that it is done. Job control gives each a process group of its
# own, so that nothing it started outlives it.
set -m
mkfifo "$logs/.done.$$" && exec 3<>"$logs/.done.$$"
rm -f "$logs/.done.$$"
declare -A pids=() # of what runs now, by index
began=()
passed=0 failed=0 skipped=0

stop() {
  trap '' INT TERM HUP
  for pid in "${pids[@]}"; do kill -KILL -- "-$pid" 2>/dev/null; done
  exit 130
}
trap stop INT TERM HUP

start() {
  local i=$1 command=("${paths[$1]}" -v)
  [[ ${paths[i]} == */* ]] || command=("./${paths[i]}" -v)
  [[ ${paths[i]} == *.sh ]] && command=(bash "${paths[i]}")
  began[i]=${EPOCHREALTIME//[.,]/}
  {
    "${command[@]}" 3>&-
    echo "$i $? ${EPOCHREALTIME//[.,]/}" >&3
  } >"$logs/${names[i]}.log" 2>&1 </dev/null &
  pids[$i]=$!
  disown "$!" # or bash prints a line of its own when the group is killed
}

# What a log says of failures: the lines of the test library, of the sanitizers, of assert().
failing_lines() {
  grep -aE '^FAIL|^Expected:|^ +Got:|[Ee]rror:|ERROR|\.[ch]:[0-9]+' | grep -avE '^(PASS|SKIP)' |
    head -n "$n_failing"
}

# show_log LOG HAS_CRASHED
show_log() {
  if (($2)); then
    head -n "-$n_last" "$1" | failing_lines
    tail -n "$n_last" "$1"
  else
    failing_lines <"$1"
  fi | sed 's/^/     /'
}

# report INDEX STATUS TIME: prints how a program ended and adds up its counts.
report() {
  local i=$1 status=$2 log=$logs/${names[$1]}.log line word=ok note='' has_crashed=0
  [[ ${pids[$i]:-} ]] || return 0 # it was taken for killed, and told so late
  local p=0 f=1 s=0 took=$((($3 - began[$1]) / 10000))
  kill -KILL -- "-${pids[$i]}" 2>/dev/null
  unset "pids[$i]"

  line=$(grep -aE '^Pass: [0-9]+, fail: [0-9]+, skip: [0-9]+\.$' "$log" | tail -n 1)
  if [[ $line =~ ^Pass:\ ([0-9]+),\ fail:\ ([0-9]+),\ skip:\ ([0-9]+) ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
  else
    has_crashed=1 note=', no report'
  fi
  if ((status != 0 && (f == 0 || has_crashed))); then
    f=$((f > 0 ? f : 1)) has_crashed=1 note+=", exit status $status"
    ((status > 128)) && note+=" ($(kill -l "$status" 2>/dev/null))"
  fi
  ((passed += p, failed += f, skipped += s))

  ((f > 0)) && word=FAIL note=", $f failed$note"
  ((s > 0)) && note+=", $s skipped"
  printf '%-4s %-*s  %d passed%s  %d.%02d s\n' "$word" "$width" "${names[i]}" "$p" "$note" \
    $((took / 100)) $((took % 100))
  grep -a '^SKIP' "$log" | sed -E 's/ \([0-9]+ ticks, [0-9.]+ sec\)$//; s/^/     /'
  ((f > 0)) && show_log "$log" "$has_crashed"
}

# A program that kills its whole process group cannot tell that it is done. One that is gone has
# told so before: only if a second later nothing has come it was killed.
declare -A is_gone=()
report_killed() {
  local i
  for i in "${!pids[@]}"; do
    kill -0 "${pids[$i]}" 2>/dev/null && continue
    [[ ${is_gone[$i]:-} ]] && report "$i" 137 "${EPOCHREALTIME//[.,]/}"
    is_gone[$i]=1
  done
}

next=0
line='' # what has come of it: a busy machine may cut a line in two, also at a blank
while ((${#pids[@]} > 0 || next < ${#paths[@]})); do
  while ((${#pids[@]} < jobs && next < ${#paths[@]})); do start $((next++)); done
  if IFS= read -r -t 1 part <&3; then
    read -r i status ended <<<"$line$part"
    line=''
    report "$i" "$status" "$ended"
  else
    line+=$part
    [[ $line ]] || report_killed
  fi
done

echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
