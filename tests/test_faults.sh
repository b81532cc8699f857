#!/usr/bin/env bash
# Faults from outside: disks that are full, files that may not grow, inputs that vanish or change, closed outputs, little memory,
# kills at any moment. Each ends with a sentence and leaves neither half a file nor a temporary one.
# FAULT_KILLS=100 has more runs killed than three, FAULT_MEGABYTES="50 60 70" other amounts of memory.
# FAULT_WORK is the work of a fit that is killed, FAULT_DELAY the milliseconds after which it is, at most: a checkpoint is written every two seconds.
. "$(dirname "$0")/shell.sh"
begin faults
export OMP_WAIT_POLICY=passive # many short runs
kills=${FAULT_KILLS:-3}

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
  elif ! grep -q '^ireland: .*cannot write\|^ireland: .*memory' "$dir/err"; then fail "$1" "no sentence: $(tail -n 2 "$dir/err")"
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

# ---- inputs that are not what they were ----------------------------------------------------------
expect vanished 3 "No such file" info "$dir/vanished.csv"
ln -s "$dir/vanished.csv" "$dir/link.csv"
expect dangling-link 3 "No such file" info "$dir/link.csv"
expect folder-as-input 3 "directory" fit "$dir"
if [ "$(id -u)" != 0 ]; then
  cp "$dir/d.csv" "$dir/secret.csv" && chmod 000 "$dir/secret.csv"
  expect unreadable 3 "denied" info "$dir/secret.csv"
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
for command in "fit $dir/d.irb -K 2 -M 2 --json" "curve $dir/d.irb -K 2 -M 2 --effort quick" "info $dir/d.irb" "predict $dir/rule.json $dir/d.irb" \
  "solve $dir/m.mps" "evaluate $dir/rule.json $dir/d.irb" "clause $dir/d.irb" "export $dir/rule.json --to c"; do
  # shellcheck disable=SC2086
  "$ireland" $command >&- 2>"$dir/err" </dev/null
  code=$?
  check "closed-output-${command%% *}" [ $code != 0 -a $code -lt 128 -a -s "$dir/err" ]
  # shellcheck disable=SC2086
  (trap '' PIPE; exec "$ireland" $command 2>"$dir/err" </dev/null) | true
  code=${PIPESTATUS[0]}
  check "no-reader-${command%% *}" [ $code -lt 128 ]
done

# ---- little memory -------------------------------------------------------------------------------
# Whatever the address space allows: the answer, or a sentence and exit code 1 or 4.
sanitized=''
[[ $ireland == *san* ]] && sanitized=yes
if [ -z "$sanitized" ]; then
  "$ireland" generate -N 3000 -J 3000 -o "$dir/wide.irb" --quiet || exit 1
  for job in "fit $dir/wide.irb -K 3 -M 3 --threads 1 --work-limit 5e6" "clause $dir/wide.irb -M 3 --threads 1 --work-limit 5e6" "info $dir/large.csv" \
    "curve $dir/wide.irb -K 2 -M 2 --threads 1 --work-limit 5e6" "solve $dir/m.mps --threads 1"; do
    wrong=''
    for megabytes in ${FAULT_MEGABYTES:-45 65 80 100 160}; do
      # shellcheck disable=SC2086
      (ulimit -v $((megabytes * 1024)); OPENBLAS_NUM_THREADS=1 exec timeout 60 "$ireland" $job) >"$dir/out" 2>"$dir/err" </dev/null
      code=$?
      [ $code = 127 ] && continue # not even the libraries fit
      { [ $code = 0 ] || { { [ $code = 1 ] || [ $code = 4 ]; } && grep -qi memory "$dir/err"; }; } || wrong="$wrong $megabytes:$code"
    done
    check "memory-${job%% *}" test -z "$wrong"
  done
else
  skip memory "sanitizers take address space of their own"
fi

# ---- kills: a fit that is taken up again ends with the same rule ---------------------------------
"$ireland" generate -N 1000 -J 300 -K 6 -M 3 --exact-size --noise 0.1 --seed 5 -o "$dir/k.irb" --quiet || exit 1
options=(fit "$dir/k.irb" -K 6 -M 3 --work-limit "${FAULT_WORK:-2e8}" --threads 1 --quiet)
"$ireland" "${options[@]}" -o "$dir/whole.json" >/dev/null || exit 1
mkdir "$dir/kill"
same=0 left='' pieces=0
for ((i = 1; i <= kills; i++)); do
  rm -f "$dir"/kill/*
  signals=(KILL TERM INT)
  for ((part = 0; part < 40; part++)); do
    resume=()
    [ -s "$dir/kill/ck" ] && resume=(--resume "$dir/kill/ck")
    env --default-signal=INT "$ireland" "${options[@]}" -o "$dir/kill/rule.json" --checkpoint "$dir/kill/ck" "${resume[@]}" >/dev/null 2>"$dir/err" &
    pid=$!
    delay=$((RANDOM % ${FAULT_DELAY:-250}))
    sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
    [ $part -lt 5 ] && kill -s "${signals[(i + part) % 3]}" $pid 2>/dev/null && pieces=$((pieces + 1))
    wait $pid 2>/dev/null
    [ $? = 0 ] && break
  done
  cmp -s "$dir/whole.json" "$dir/kill/rule.json" && same=$((same + 1))
  left="$left$(ls "$dir/kill" | grep -v '^ck$\|^rule.json$')"
done 2>/dev/null
echo "$pieces kills in $kills runs"
check killed-runs-end-the-same [ $same = "$kills" ]
check killed-runs-leave-nothing test -z "$left"
finish
