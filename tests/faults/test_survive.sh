#!/usr/bin/env bash
# What was found survives: outputs that cannot be written are said before the work, a side file that fails takes nothing with it,
# files keep their mode, and a fit that is stopped at any moment leaves a whole rule.
# SURVIVE_STOPS=100 stops it so often instead of a dozen times.
. "$(dirname "$0")/../shell.sh"
begin survive
export OMP_WAIT_POLICY=passive # many short runs

"$ireland" generate -N 100 -J 20 -K 2 -M 2 --noise 0.05 -o "$dir/d.irb" --rule "$dir/planted.json" --quiet || exit 1
"$ireland" generate -N 400 -J 300 -K 5 -M 4 --noise 0.2 --seed 3 -o "$dir/hard.irb" --quiet || exit 1 # a proof takes hours
"$ireland" model "$dir/d.irb" --form bp1 -K 2 -o "$dir/m.mps" --quiet || exit 1

# ---- before the work: exit code 3 and the name, at once -----------------------------------------
none=$dir/none/f
while read -r name command; do
  # shellcheck disable=SC2086
  timeout "$patience" "$ireland" ${command//@/$none} >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
  check "early-$name" [ $code = 3 -a ! -s "$dir/out" -a "$(grep -c '' "$dir/err")" = 1 -a -n "$(grep "$none.*: cannot write: No such file" "$dir/err")" ]
done <<END
rule fit $dir/hard.irb -K 5 -M 4 --prove -o @
certificate fit $dir/hard.irb -K 5 -M 4 --prove -o $dir/r.json --certificate @
pool fit $dir/hard.irb -K 5 -M 4 --prove --save-pool @
report fit $dir/hard.irb -K 5 -M 4 --prove --report @
checkpoint fit $dir/hard.irb -K 5 -M 4 --prove --checkpoint @
curve-csv curve $dir/hard.irb -K 5 -M 4 --prove --csv @
curve-svg curve $dir/hard.irb -K 5 -M 4 --prove --svg @
curve-report curve $dir/hard.irb -K 5 -M 4 --prove --report @
curve-checkpoint curve $dir/hard.irb -K 5 -M 4 --prove --checkpoint @
generate generate -N 1000000 -J 1000 -o @.irb
generate-rule generate -N 1000000 -J 1000 -o $dir/g.irb --rule @
convert convert $dir/hard.irb @.csv
model model $dir/hard.irb --form bp1 -o @.mps
solution solve $dir/m.mps --solution @
solve-copy solve $dir/m.mps -o @.mps
export export $dir/planted.json --to c -o @
END
check early-nothing-written [ ! -e "$dir/r.json" -a ! -e "$dir/g.irb" ]
expect folder-as-output 3 "directory" fit "$dir/d.irb" -o "$dir"
expect two-outputs 2 "two outputs" fit "$dir/d.irb" -o "$dir/both" --report "$dir/both"
expect output-is-input 2 "is read" fit "$dir/d.irb" -o "$dir/../$(basename "$dir")/d.irb"
ln -s d.irb "$dir/link.irb"
expect output-is-input-by-link 2 "is read" fit "$dir/d.irb" --save-pool "$dir/link.irb"
expect resume-and-checkpoint 0 "optimal" fit "$dir/d.irb" -K 1 -M 1 --prove --checkpoint "$dir/ck"
expect resume-and-checkpoint-again 0 "optimal" fit "$dir/d.irb" -K 1 -M 1 --prove --checkpoint "$dir/ck" --resume "$dir/ck"

# ---- mixes that data and options decide are refused before the work, which would take hours ----------
"$ireland" convert "$dir/hard.irb" "$dir/plain.csv" --quiet || exit 1
# g: groups over both strata of s, one: all cases in one group, lone: a fold of cases only, pair: two groups of each class
awk -F, 'NR == 1 { print "g,s,one,lone,pair," $0 } NR > 1 { print int(NR / 4) "," NR % 2 "," ($NF ? "a" : NR % 9) "," ($NF ? "a" : "b") "," $NF NR % 2 "," $0 }' "$dir/plain.csv" >"$dir/mixed.csv"
"$ireland" fit "$dir/d.irb" -K 1 -M 1 -o "$dir/start.json" --save-pool "$dir/start.pool" --quiet >/dev/null || exit 1
while read -r name wanted words; do
  IFS='|' read -r words sentence <<<"$words"
  # shellcheck disable=SC2086
  patient_run ${words//@/$dir/mixed.csv} -o "$dir/never.json" --certificate "$dir/never.txt" --prove -K 5 -M 4
  check "mix-$name" [ $code = "$wanted" -a ! -s "$dir/out" -a ! -e "$dir/never.json" -a -n "$(grep -F "$sentence" "$dir/err")" ]
done <<'END'
strata 3 fit @ --group g --strata s --permutations 99 --ignore one,lone,pair|a group has samples of several strata
cv-groups 3 fit @ --group one --validate cv --ignore g,s,lone,pair|no estimate can be made, since fewer than two groups have samples of a class
bootstrap-groups 3 fit @ --group one --validate bootstrap --ignore g,s,lone,pair|no estimate can be made, since fewer than two groups
cv-folds 3 fit @ --fold-column lone --validate cv --ignore g,s,one,pair|without one of the given folds only one class is left
test-groups 3 fit @ --group one --test 0.3 --ignore g,s,lone,pair|groups are held out whole
END
run cv "$dir/mixed.csv" --fold-column lone --ignore g,s,one,pair
check mix-cv-one-class [ $code = 3 -a -n "$(grep 'single class' "$dir/err")" ]
patient_run cv "$dir/mixed.csv" --group pair --folds 2 --nested --ignore g,s,one,lone
check mix-cv-inner-folds [ $code = 3 -a ! -s "$dir/out" -a -n "$(grep "the groups of column 'pair' leave a fold" "$dir/err")" ]
expect mix-start-permutations 2 "p-value of the search too small" fit "$dir/d.irb" -K 1 -M 1 --start "$dir/start.json" --permutations 9
expect mix-pool-stability 2 "option stability has no effect with option pool" fit "$dir/d.irb" -K 1 --pool "$dir/start.pool" --stability 9
expect mix-pool-validate 2 "since the clauses of a pool have seen all samples" fit "$dir/d.irb" -K 1 --pool "$dir/start.pool" --validate cv
expect pool-quick 0 "no estimate, since the clauses of a pool" fit "$dir/d.irb" -K 1 --pool "$dir/start.pool"
# What a limit leaves no room for is missing, with a note; the rule and its exit code stay.
expect limit-leaves-a-note 0 'note: there is no certificate: the rule is not proven' fit "$dir/hard.irb" -K 5 -M 4 --prove --work-limit 1e7 --certificate "$dir/none.txt" -o "$dir/noted.json" --permutations 2 --stability 2
check limit-leaves-the-rule [ -s "$dir/noted.json" -a ! -e "$dir/none.txt" ]
expect note-json 0 '"there is no certificate: the rule is not proven"' fit "$dir/hard.irb" -K 5 -M 4 --prove --work-limit 1e7 --certificate "$dir/none.txt" --validate none --json --quiet
# A run that a limit on work or memory ended goes on with another one.
run fit "$dir/d.irb" -K 2 -M 2 --prove --work-limit 20000 --checkpoint "$dir/cut.ck" --quiet
expect work-limit-goes-on 0 'optimal: weighted' fit "$dir/d.irb" -K 2 -M 2 --prove --resume "$dir/cut.ck" --quiet
expect work-limit-goes-on-with-more 0 'optimal: weighted' fit "$dir/d.irb" -K 2 -M 2 --prove --work-limit 1e9 --memory-limit 4000 --resume "$dir/cut.ck" --quiet

# ---- modes ---------------------------------------------------------------------------------------
for mode in 600 640 664 444; do
  rm -f "$dir/mode.json"
  echo old >"$dir/mode.json"
  chmod $mode "$dir/mode.json"
  run fit "$dir/d.irb" -K 1 -M 1 -o "$dir/mode.json"
  if [ $mode = 444 ] && [ "$(id -u)" != 0 ]; then
    check "mode-$mode-stays" [ $code = 3 -a "$(cat "$dir/mode.json")" = old ]
  else
    check "mode-$mode" [ $code = 0 -a "$(stat -c %a "$dir/mode.json")" = $mode ]
  fi
done
(umask 077; "$ireland" fit "$dir/d.irb" -K 1 -M 1 -o "$dir/new.json" --quiet >/dev/null)
check mode-new-umask [ "$(stat -c %a "$dir/new.json")" = 600 ]
if [ "$(id -u)" = 0 ]; then
  chown 65534:65534 "$dir/mode.json"
  run fit "$dir/d.irb" -K 1 -M 1 -o "$dir/mode.json"
  check owner-stays [ "$(stat -c %u:%g "$dir/mode.json")" = 65534:65534 ]
  echo old >"$dir/theirs.json" && chmod 444 "$dir/theirs.json" && chmod 777 "$dir"
  if setpriv --reuid=65534 --regid=65534 --clear-groups "$ireland" --version >/dev/null 2>&1; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$ireland" fit "$dir/d.irb" -o "$dir/theirs.json" >"$dir/out" 2>"$dir/err"
    check read-only-stays [ $? = 3 -a "$(cat "$dir/theirs.json")" = old -a -n "$(grep 'cannot write' "$dir/err")" ]
  fi
fi
if command -v strace >/dev/null && strace -o "$dir/calls" true 2>/dev/null; then
  strace -f -o "$dir/calls" -e trace=fsync,rename "$ireland" fit "$dir/d.irb" -K 1 -M 1 -o "$dir/synced.json" --quiet >/dev/null
  check synced test "$(sed -n 's/^[0-9]* *\(fsync\|rename\)(.*/\1/p' "$dir/calls" | tr '\n' ' ')" = "fsync rename fsync "
else
  skip synced "no strace"
fi

# ---- a side file that fails takes nothing with it (L1) -------------------------------------------
all=(-o "$dir/s/rule.json" --certificate "$dir/s/proof.txt" --save-pool "$dir/s/pool.json" --report "$dir/s/page.html" --checkpoint "$dir/s/ck")
names=(rule.json proof.txt pool.json page.html ck)
mkdir "$dir/s"
is_json() { if command -v python3 >/dev/null; then python3 -m json.tool "$1" >/dev/null 2>&1; else [ "$(tail -c 2 "$1")" = '}' ]; fi; }
if [ -w /dev/full ]; then
  for ((k = 0; k < ${#names[@]}; k++)); do
    rm -f "$dir"/s/*
    run fit "$dir/d.irb" -K 2 -M 2 --prove "${all[@]//"$dir/s/${names[k]}"//dev/full}" --json --quiet
    left=''
    for ((i = 0; i < ${#names[@]}; i++)); do [ $i = $k ] || [ -s "$dir/s/${names[i]}" ] || left="$left ${names[i]}"; done
    check "full-${names[k]}-code" [ $code = 3 ]
    check "full-${names[k]}-others" test -z "$left"
    check "full-${names[k]}-answer" is_json "$dir/out"
    check "full-${names[k]}-warning" [ "$(grep -c "^warning: /dev/full: cannot write: No space" "$dir/err")" = 1 -a "$(grep -c '' "$dir/err")" = 1 ]
  done
  run fit "$dir/d.irb" -K 2 -M 2 --prove --checkpoint /dev/full
  check full-ck-warning-once [ $code = 3 -a "$(grep -c '^warning: the checkpoint is not saved.*/dev/full: cannot write: No space' "$dir/err")" = 1 ]
  run curve "$dir/d.irb" -K 2 -M 2 --csv /dev/full --svg "$dir/s/c.svg" --report "$dir/s/c.html" --save-pool "$dir/s/c.pool" --checkpoint /dev/full
  check full-curve [ $code = 3 -a -s "$dir/out" -a -s "$dir/s/c.svg" -a -s "$dir/s/c.html" -a -s "$dir/s/c.pool" ]
  run solve "$dir/m.mps" --solution /dev/full
  check full-solution [ $code = 3 -a -n "$(grep optimal "$dir/out")" ]
else
  skip full "there is no /dev/full"
fi

# A disk on which the rule has room and the page has not, where the machine lets one have it.
mkdir "$dir/small"
# shellcheck disable=SC2016
small() { unshare -rm bash -c 'mount -t tmpfs -o size=24k tmpfs "$1" && cd "$1" && shift && "$@"; code=$?; ls; exit $code' - "$dir/small" "$@"; }
if small true >/dev/null 2>&1; then
  small "$(realpath "$ireland")" fit "$(realpath "$dir/d.irb")" -K 2 -M 2 --prove -o rule.json --certificate proof.txt --report page.html --quiet >"$dir/out" 2>"$dir/err" </dev/null
  check small-disk [ $? = 3 -a "$(tail -n 2 "$dir/out" | tr '\n' ' ')" = "proof.txt rule.json " -a -n "$(grep '^warning: page.html: cannot write: No space' "$dir/err")" ]
else
  skip small-disk "no file system of one's own"
fi

# ---- a checkpoint belongs to its job (W14, W15; more in test_checkpoint.c) ---------------------------
run fit "$dir/d.irb" --profile paper --paper-sample 5 --checkpoint "$dir/paper.ck"
expect other-job 3 "paper_sample was 5 and is 100" fit "$dir/d.irb" --profile paper --paper-sample 100 --resume "$dir/paper.ck"
expect other-command 3 "command was fit and is curve" curve "$dir/d.irb" --profile paper --paper-sample 5 --resume "$dir/paper.ck"
run curve "$dir/d.irb" -K 2 -M 2 --checkpoint "$dir/curve.ck"
expect curve-goes-on 0 "points, area under the curve" curve "$dir/d.irb" -K 2 -M 2 --resume "$dir/curve.ck"
# A run that is cut while it is taken up again does not shorten its checkpoint.
run fit "$dir/hard.irb" -K 5 -M 4 --work-limit 1e8 --checkpoint "$dir/long.ck" --quiet
before=$(stat -c %s "$dir/long.ck")
run fit "$dir/hard.irb" -K 5 -M 4 --work-limit 1e8 --checkpoint "$dir/long.ck" --resume "$dir/long.ck" --time-limit 1e-6 --quiet
check cut-resume-keeps-the-checkpoint [ "$(stat -c %s "$dir/long.ck")" -ge "$before" ]

# ---- stopped at any moment -------------------------------------------------------------------------
# A moment is a line of the log, or the one when signals are caught first, and a little later by chance.
"$ireland" generate -N 300 -J 40 -K 3 -M 3 --noise 0.5 --seed 2 -o "$dir/noise.irb" --quiet || exit 1
mkfifo "$dir/events"
last='proven; now the certificate'
wrong='' n_rules=0 n_certificates=0 n_whole=0

# catches PID: has the program set its handlers?
catches() {
  local mask
  mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
  [ -n "$mask" ] && ((0x${mask: -4} & 2))
}

# stop SIGNAL LINES DELAY: sends it so many milliseconds after that many lines, or after the last one that there is; leaves $code.
stop() {
  local signal=$1 lines=$2 delay=$3 line='' pid
  rm -rf "$dir/s" && mkdir "$dir/s"
  env --default-signal=INT "$ireland" fit "$dir/noise.irb" -K 3 -M 3 --prove --threads 1 "${all[@]}" --json >"$dir/out" 2>"$dir/events" </dev/null &
  pid=$!
  exec 6<"$dir/events"
  if [ "$lines" = 0 ] && [ -r /proc/self/status ]; then
    until catches $pid || ! kill -0 $pid 2>/dev/null; do :; done
  else
    for ((; lines > 0; lines--)); do IFS= read -r line <&6 && [ "$line" != "$last" ] || break; done
  fi
  sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  kill -s "$signal" $pid 2>/dev/null
  cat <&6 >"$dir/err"
  exec 6<&-
  wait $pid
  code=$?
}

# What it left behind is whole; says what is not.
left_whole() {
  local file
  [ $code = 0 ] || [ $code = 130 ] || { echo "code $code"; return; }
  [ -z "$(ls -A "$dir/s" | grep -vx 'rule.json\|proof.txt\|pool.json\|page.html\|ck')" ] || echo "left $(ls -A "$dir/s")"
  [ $code = 130 ] || for file in rule.json proof.txt pool.json page.html ck; do [ -s "$dir/s/$file" ] || echo "no $file"; done
  [ -s "$dir/out" ] || { [ -z "$(ls -A "$dir/s")" ] && grep -q 'stopped while the data were read' "$dir/err" || echo "no answer"; return; }
  is_json "$dir/out" || echo "half an answer"
  grep -q '"objective": [0-9]' "$dir/out" || return
  is_json "$dir/s/rule.json" || echo "no whole rule"
  quietly "$ireland" evaluate "$dir/s/rule.json" "$dir/noise.irb" || echo "a rule that cannot be read"
  is_json "$dir/s/pool.json" || echo "no whole pool"
  grep -q '</html>' "$dir/s/page.html" || echo "no whole page"
  if [ -e "$dir/s/proof.txt" ]; then
    quietly "$ireland" verify "$dir/s/rule.json" "$dir/noise.irb" --certificate "$dir/s/proof.txt" || echo "a certificate that does not hold"
  elif grep -q '"status": "optimal"' "$dir/out"; then
    grep -q '^warning: there is no certificate: stopped while' "$dir/err" || echo "no word about the certificate"
  fi
}

stops=${SURVIVE_STOPS:-12}
for ((i = 0; i < stops; i++)); do
  signal=$([ $((i % 2)) = 0 ] && echo INT || echo TERM)
  case $i in
    0) stop INT 0 0 ;; # at once,
    1) for try in 1 2 3 4 5; do stop TERM 99 0; [ $code = 130 ] && break; done ;; # and while the certificate is made, if the shell is there in time
    *[26]) stop "$signal" 99 $((RANDOM % 3000)) ;;
    *) stop "$signal" $((RANDOM % 8)) $((RANDOM % 400)) ;;
  esac
  found=$(left_whole)
  [ -z "$found" ] || wrong="$wrong; stop $i: $(tr '\n' ',' <<<"$found")"
  [ -e "$dir/s/rule.json" ] && ((n_rules++))
  [ -e "$dir/s/proof.txt" ] && ((n_certificates++))
  [ $code = 0 ] && ((n_whole++))
  [ $i != 1 ] || check stopped-in-the-certificate [ $code = 130 -a -s "$dir/s/rule.json" -a ! -e "$dir/s/proof.txt" -a -n "$(grep '"status": "optimal"' "$dir/out")" ]
done
echo "$stops stops: $n_rules rules, $n_certificates certificates, $n_whole runs were over before"
check stopped-at-any-moment test -z "$wrong"
[ -z "$wrong" ] || echo "$wrong"
finish
