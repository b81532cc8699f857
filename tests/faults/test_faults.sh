#!/usr/bin/env bash
# Faults from outside: disks that are full, files that may not grow, inputs that vanish or change, closed outputs, little memory,
# kills at any moment. Each ends with a sentence and leaves neither half a file nor a temporary one.
# FAULT_KILLS=100 kills so often instead of eight times, FAULT_MEGABYTES="50 60 70" other amounts of memory.
# FAULT_M is M of a fit that is killed, FAULT_DELAY the milliseconds after which it is, at most: a checkpoint is written every two seconds.
. "$(dirname "$0")/../shell.sh"
begin faults
export OMP_WAIT_POLICY=passive # many short runs
kills=${FAULT_KILLS:-8}

"$ireland" generate -N 100 -J 20 -K 2 -M 2 --noise 0.05 -o "$dir/d.irb" --rule "$dir/rule.json" --quiet || exit 1
"$ireland" convert "$dir/d.irb" "$dir/d.csv" --quiet || exit 1
"$ireland" fit "$dir/d.irb" -K 2 -M 2 --save-pool "$dir/pool" --quiet >"$dir/out" 2>&1 || exit 1
"$ireland" generate -N 12 -J 4 -o "$dir/tiny.irb" --quiet || exit 1
"$ireland" model "$dir/tiny.irb" --form bp1 -K 2 -o "$dir/m.mps" --quiet || exit 1

# ---- every output of every command ---------------------------------------------------------------
# NAME|ENDING|COMMAND, where @ is the output
outputs="fit-rule|json|fit $dir/d.irb -K 2 -M 2 -o @
fit-report|html|fit $dir/d.irb -K 2 -M 2 --report @
fit-checkpoint|ck|fit $dir/d.irb -K 2 -M 2 --checkpoint @
fit-certificate|txt|fit $dir/tiny.irb -K 2 -M 2 --prove --certificate @
fit-pool|pool|fit $dir/d.irb -K 2 -M 2 --save-pool @
curve-csv|csv|curve $dir/d.irb -K 2 -M 2 --effort quick --csv @
curve-svg|svg|curve $dir/d.irb -K 2 -M 2 --effort quick --svg @
curve-report|html|curve $dir/d.irb -K 2 -M 2 --effort quick --report @
curve-checkpoint|ck|curve $dir/d.irb -K 2 -M 2 --effort quick --checkpoint @
curve-pool|pool|curve $dir/d.irb -K 2 -M 2 --effort quick --save-pool @
generate-csv|csv|generate -N 200 -J 20 -o @
generate-irb|irb|generate -N 200 -J 20 -o @
generate-rule|json|generate -N 200 -J 20 -o $dir/other.irb --rule @
convert-csv|csv|convert $dir/d.irb @
convert-tsv|tsv|convert $dir/d.irb @
convert-svm|svm|convert $dir/d.irb @
convert-irb|irb|convert $dir/d.csv @
model-mps|mps|model $dir/tiny.irb --form bp1 -o @
model-lp|lp|model $dir/tiny.irb --form bp1 -o @
model-mp|mps|model $dir/d.irb --form mp --pool $dir/pool -o @
solve-copy|lp|solve $dir/m.mps -o @
solve-solution|txt|solve $dir/m.mps --solution @
export-c|c|export $dir/rule.json --to c -o @"

# ended NAME FOLDER: a code other than 0 and a signal's, one sentence at the end, nothing in the folder.
ended() {
  if [ $code = 0 ] || [ $code -gt 127 ]; then fail "$1" "exit code $code"
  elif ! grep -q '^\(ireland\|warning\): .*cannot write\|^ireland: .*memory' "$dir/err"; then fail "$1" "no sentence: $(tail -n 2 "$dir/err")"
  elif [ "$(ls -A "$2")" ]; then fail "$1" "left: $(ls -A "$2")"
  else pass "$1"; fi
}

while IFS='|' read -r name ending command; do
  mkdir "$dir/o-$name"
  place=$dir/o-$name/f.$ending
  # shellcheck disable=SC2086
  (ulimit -f 0; exec "$ireland" ${command//@/$place}) 2>&1 >/dev/null </dev/null | cat >"$dir/err" # a file that may grow
  code=${PIPESTATUS[0]}
  ended "$name-may-not-grow" "$dir/o-$name"
  # shellcheck disable=SC2086
  run ${command//@/$dir/no-such-folder/f.$ending}
  mkdir -p "$dir/empty"
  ended "$name-no-folder" "$dir/empty"
  # shellcheck disable=SC2086
  run ${command//@/$place}
  check "$name-works" [ $code = 0 -a "$(ls -A "$dir/o-$name")" = "f.$ending" ]
  cp "$place" "$dir/before"
  # shellcheck disable=SC2086
  (ulimit -f 0; exec "$ireland" ${command//@/$place}) >/dev/null 2>&1 </dev/null
  check "$name-keeps-the-old-one" cmp -s "$dir/before" "$place"
done <<<"$outputs"

# A disk that is full: a small one of one's own, where the machine lets one have it.
full() {
  mount -t tmpfs -o size=64k tmpfs "$1" && { dd if=/dev/zero of="$1/filler" bs=1k || true; } 2>/dev/null
  shift
  exec "$@"
}
export -f full
mkdir "$dir/full"
if unshare -rm bash -c 'full "$@"' - "$dir/full" true 2>/dev/null; then
  while IFS='|' read -r name ending command; do
    # shellcheck disable=SC2086,SC2016
    unshare -rm bash -c 'full "$@"' - "$dir/full" bash -c '"$@"; code=$?; ls -A "$0" | grep -v "^filler$" >&2; exit $code' "$dir/full" \
      "$ireland" ${command//@/$dir/full/f.$ending} >/dev/null 2>"$dir/err" </dev/null
    code=$?
    check "$name-disk-full" grep -q "cannot write.*No space" "$dir/err"
    check "$name-disk-full-code" [ $code != 0 -a $code -lt 128 -a -z "$(grep "^f\." "$dir/err")" ]
  done <<<"$outputs"
else
  skip disk-full "no file system of one's own"
fi

# ---- inputs that are not what they were ----------------------------------------------------------
expect vanished 3 "No such file" info "$dir/vanished.csv"
ln -s "$dir/vanished.csv" "$dir/link.csv"
expect dangling-link 3 "No such file" info "$dir/link.csv"
expect folder-as-input 3 "directory" fit "$dir"
# The one who may read anything becomes nobody.
nobody=()
[ "$(id -u)" = 0 ] && nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${nobody[@]}" "$ireland" --version >/dev/null 2>&1; then
  cp "$dir/d.csv" "$dir/secret.csv" && chmod 000 "$dir/secret.csv"
  "${nobody[@]}" "$ireland" info "$dir/secret.csv" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
  check unreadable [ $code = 3 -a -n "$(grep denied "$dir/err")" ]
else
  skip unreadable "this user may read anything"
fi
# A file that shrinks and grows while it is read: whole or refused, never a crash.
"$ireland" generate -N 20000 -J 100 -o "$dir/large.csv" --quiet || exit 1
codes=''
for i in 1 2 3 4 5 6; do
  cp "$dir/large.csv" "$dir/moving.csv"
  "$ireland" info "$dir/moving.csv" >/dev/null 2>"$dir/err" &
  pid=$!
  for k in 1 2 3 4 5 6 7 8; do truncate -s $((k * 100)) "$dir/moving.csv"; cat "$dir/d.csv" >>"$dir/moving.csv"; done
  wait $pid
  codes="$codes $?"
done
for i in 1 2 3 4; do
  cp "$dir/large.csv" "$dir/moving.csv"
  "$ireland" info "$dir/moving.csv" >/dev/null 2>"$dir/err" &
  pid=$!
  sleep "0.0$i"
  rm "$dir/moving.csv"
  wait $pid
  codes="$codes $?"
done
check moving-input test -z "$(tr ' ' '\n' <<<"$codes" | grep -vx '0\|3\|')"

# ---- checkpoints that are not ours --------------------------------------------------------------
run fit "$dir/d.irb" -K 2 -M 2 --checkpoint "$dir/ck"
cp "$dir/ck" "$dir/cut" && truncate -s -8 "$dir/cut"
expect checkpoint-truncated 3 "damaged or truncated" fit "$dir/d.irb" -K 2 -M 2 --resume "$dir/cut"
expect checkpoint-foreign 3 "another data set or other options" fit "$dir/d.irb" -K 3 -M 2 --resume "$dir/ck"
expect checkpoint-other 3 "not a checkpoint" fit "$dir/d.irb" -K 2 -M 2 --resume "$dir/d.csv"
: >"$dir/empty-file"
expect checkpoint-empty 3 "not a checkpoint" fit "$dir/d.irb" -K 2 -M 2 --resume "$dir/empty-file"

# ---- outputs that nobody reads -------------------------------------------------------------------
run fit "$dir/tiny.irb" -K 2 -M 2 --prove --certificate "$dir/proof.txt" -o "$dir/proven.json"
for command in "fit $dir/d.irb -K 2 -M 2 --json" "curve $dir/d.irb -K 2 -M 2 --effort quick" "info $dir/d.irb" "predict $dir/rule.json $dir/d.irb" \
  "solve $dir/m.mps" "evaluate $dir/rule.json $dir/d.irb" "clause $dir/d.irb" "export $dir/rule.json --to c" "cv $dir/d.irb --folds 2 --effort quick" \
  "verify $dir/proven.json $dir/tiny.irb --certificate $dir/proof.txt" "generate -N 20 -J 5 -o $dir/g.irb --json" "convert $dir/d.irb $dir/c.csv --json" \
  "model $dir/tiny.irb --form bp1 -o $dir/mm.mps --json" "help"; do
  # shellcheck disable=SC2086
  run $command
  [ $code = 0 ] && [ -s "$dir/out" ] || { check "works-${command%% *}" [ $code = 0 ]; continue; } # it prints nothing
  # shellcheck disable=SC2086
  "$ireland" $command >&- 2>"$dir/err" </dev/null
  code=$?
  check "closed-output-${command%% *}" [ $code != 0 -a $code -lt 128 -a -s "$dir/err" ]
  if [ -w /dev/full ]; then
    # shellcheck disable=SC2086
    "$ireland" $command >/dev/full 2>"$dir/err" </dev/null
    code=$?
    check "full-output-${command%% *}" [ $code != 0 -a $code -lt 128 -a -s "$dir/err" ]
  fi
  # shellcheck disable=SC2086
  (trap '' PIPE; exec "$ireland" $command 2>"$dir/err" </dev/null) | true
  code=${PIPESTATUS[0]}
  check "no-reader-${command%% *}" [ $code -lt 128 ]
done

# ---- little memory -------------------------------------------------------------------------------
# Whatever the address space allows: the answer, with fewer threads if need be, or a sentence and exit code 1 or 4.
sanitized=''
[[ $ireland == *san* ]] && sanitized=yes
if [ -z "$sanitized" ]; then
  "$ireland" generate -N 3000 -J 3000 -o "$dir/wide.irb" --quiet || exit 1
  "$ireland" generate -N 500 -J 100 -K 2 -M 2 --noise 0.05 -o "$dir/k3.irb" --quiet || exit 1
  for job in "fit $dir/wide.irb -K 3 -M 3 --threads 1 --work-limit 5e6" "clause $dir/wide.irb -M 3 --threads 1 --work-limit 5e6" "info $dir/large.csv" \
    "curve $dir/wide.irb -K 2 -M 2 --threads 1 --work-limit 5e6" "solve $dir/m.mps --threads 1"; do
    wrong=''
    for megabytes in ${FAULT_MEGABYTES:-45 65 80 100 160}; do
      # shellcheck disable=SC2086
      (ulimit -v $((megabytes * 1024)); OPENBLAS_NUM_THREADS=1 exec timeout "$patience" "$ireland" $job) >"$dir/out" 2>"$dir/err" </dev/null
      code=$?
      [ $code = 127 ] && continue # not even the libraries fit
      { [ $code = 0 ] || { { [ $code = 1 ] || [ $code = 4 ]; } && grep -q memory "$dir/err"; }; } || wrong="$wrong $megabytes:$code"
    done
    check "memory-${job%% *}" test -z "$wrong"
  done
  # More threads than there is room for, and those of BLAS, which take 128 MB each if they are not kept from it.
  "$ireland" fit "$dir/k3.irb" -K 2 -M 2 --threads 1 -o "$dir/alone.json" --quiet >"$dir/out"
  (ulimit -v 120000; unset OPENBLAS_NUM_THREADS; exec timeout "$patience" "$ireland" fit "$dir/k3.irb" -K 2 -M 2 --threads 64 -o "$dir/many.json" --quiet) >"$dir/out" 2>"$dir/err"
  check few-threads [ $? = 0 ]
  check few-threads-same cmp -s "$dir/alone.json" "$dir/many.json"
else
  skip memory "sanitizers take address space of their own"
fi

# ---- limits while data are read: nothing to keep, so a sentence ----------------------------------
for format in csv svm; do
  "$ireland" generate -N 20000 -J 2000 -o "$dir/long.$format" --quiet || exit 1
done
"$ireland" generate -N 2000 -J 90000 -o "$dir/long.irb" --quiet || exit 1
sed '2s/,[01],/,0.5,/' "$dir/long.csv" >"$dir/typed.csv"
for file in long.csv typed.csv long.svm long.irb; do
  expect "time-limit-reading-$file" 4 'time limit came while the data were read' fit "$dir/$file" --time-limit 0.0001
  [ -n "$sanitized" ] || expect "memory-limit-reading-$file" 4 'take more memory than the limit of 18 MB' fit "$dir/$file" --memory-limit 18
done
awk 'BEGIN { print "NAME m\nROWS\n N c\n L r\nCOLUMNS"; for (i = 0; i < 200000; i++) print " x" i " c 1 r 1"; print "RHS\n b r 1\nENDATA" }' >"$dir/long.mps"
awk 'BEGIN { print "Minimize\n c: x"; print "Subject To"; for (i = 0; i < 200000; i++) print " r" i ": x + y" i " >= 1"; print "End" }' >"$dir/long.lp"
awk 'BEGIN { printf "{\"clauses\": [[\"f1\"]"; for (i = 0; i < 300000; i++) printf ", [\"f%d\"]", i % 20 + 1; print "]}" }' >"$dir/long.json"
for file in long.mps long.lp; do
  [ -n "$sanitized" ] || expect "memory-limit-reading-$file" 4 'take more memory than the limit of 18 MB' solve "$dir/$file" --memory-limit 18
done
for job in "solve $dir/long.mps" "solve $dir/long.lp" "evaluate $dir/long.json $dir/d.irb" "export $dir/long.json --to c"; do
  # shellcheck disable=SC2086
  expect "time-limit-reading-${job%% *}" 4 'time limit came while the data were read' $job --time-limit 0.0001
done
expect time-limit-making 4 'before the data were there' generate -N 100000 -J 1000 -o "$dir/made.irb" --time-limit 0.0001
expect memory-limit-making 4 'before the data were there' generate -N 1000000 -J 100000 -o "$dir/made.irb" --memory-limit 100
check nothing-made [ ! -e "$dir/made.irb" ]
mkfifo "$dir/pipe"
env --default-signal=INT "$ireland" fit - <"$dir/pipe" >"$dir/out" 2>"$dir/err" &
pid=$!
exec 5>"$dir/pipe"
printf 'a,b,y\n1,0,1\n' >&5
await is_waiting
interrupt INT
check interrupted-while-reading [ $code = 130 ]
check interrupted-says-so grep -q 'stopped while the data were read' "$dir/err"
exec 5>&-
expect time-limit-without-a-writer 4 'time limit came while the data were read' fit "$dir/pipe" --time-limit 0.2
rm -f "$dir"/long.* "$dir/typed.csv"

# ---- a memory limit: a fit that would take 400 MB is content with less ---------------------------
if [ -z "$sanitized" ]; then
  "$ireland" generate -N 300 -J 2000 -K 4 -M 3 --noise 0.2 --seed 3 -o "$dir/deep.irb" --quiet || exit 1
  run fit "$dir/deep.irb" -K 4 -M 3 --prove --memory-limit 100 --threads 1 --work-limit 1e9 --json --quiet
  check memory-limit [ $code = 0 -a "$(number peak_mb | cut -d. -f1)" -lt 110 ]
else
  skip memory-limit "sanitizers take memory of their own"
fi

# ---- kills: a fit or a curve that is taken up again ends with the same loss, or the same points ----
"$ireland" generate -N 200 -J 60 -K 3 -M 4 --exact-size --noise 0.1 --seed 2 -o "$dir/k.irb" --quiet || exit 1
mkdir "$dir/kill"
signals=(KILL TERM INT)

# What the answer of a fit or a curve claims: another rule may be as good.
claims_of() { case $1 in
  fit) "$ireland" evaluate "$2" "$dir/k.irb" --json | grep weighted_error ;;
  curve) cut -d, -f 1-6,9-11 "$2" ;;
esac; }

# killed NAME KILLS OUTPUT COMMAND...: the job again and again, killed up to five times each, until there were so many kills.
killed() {
  local name=$1 wanted=$2 output=$3 n=0 runs=0 same=0 resumed=0 left='' part pid delay status resume
  shift 3
  "$ireland" "$@" "$output" "$dir/answer" >/dev/null || exit 1
  claims_of "$name" "$dir/answer" >"$dir/whole"
  while ((n < wanted)); do
    rm -f "$dir"/kill/*
    for ((part = 0; part < 40; part++)); do
      resume=()
      [ -s "$dir/kill/ck" ] && resume=(--resume "$dir/kill/ck") && ((resumed++))
      env --default-signal=INT "$ireland" "$@" "$output" "$dir/kill/answer" --checkpoint "$dir/kill/ck" "${resume[@]}" >/dev/null 2>"$dir/err" &
      pid=$!
      if [ $part -lt 5 ]; then
        delay=$((RANDOM % ${FAULT_DELAY:-250}))
        sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
        kill -s "${signals[n % 3]}" $pid 2>/dev/null && ((n++))
      fi
      wait $pid 2>/dev/null
      status=$?
      [ $status = 0 ] && break
    done
    ((runs++))
    claims_of "$name" "$dir/kill/answer" | cmp -s "$dir/whole" && ((same++))
    left="$left$(ls -A "$dir/kill" | grep -v '^ck$\|^answer$')"
  done 2>/dev/null
  echo "$name: $n kills in $runs runs, $resumed times from a checkpoint"
  check "killed-$name-ends-the-same" [ "$same" = "$runs" ]
  check "killed-$name-leaves-nothing" test -z "$left"
}
killed fit $(((kills + 1) / 2)) -o fit "$dir/k.irb" -K 3 -M "${FAULT_M:-4}" --prove --threads 1 --quiet
killed curve $((kills / 2)) --csv curve "$dir/k.irb" -K 3 -M 2 --prove --threads 1 --quiet
finish
