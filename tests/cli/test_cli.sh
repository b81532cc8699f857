#!/usr/bin/env bash
# The command line from outside: bad input, usage errors, help, JSON, generate, and where output goes.
. "$(dirname "$0")/../shell.sh"
begin cli
mkdir "$dir/new" || exit 1
same() { cmp -s "$1" "$2"; }
differ() { ! cmp -s "$1" "$2"; }

printf 'a,b,c,y\n1,0,1,1\n0,1,1,0\n1,1,0,1\n0,0,1,0\n' >"$dir/good.csv"
printf '{"clauses": [["a"]], "target": "y", "positive": "1"}' >"$dir/good.json"
run convert "$dir/good.csv" "$dir/good.irb"
[ $code = 0 ] || fail setup "convert exits with $code: $(cat "$dir/err")"

# ---- bad input: exit code 3, one line that starts with the place, nothing written ---------------

# bad NAME PLACE PART ARGUMENTS...
bad() {
  local name=$1 place=$2 part=$3 line
  shift 3
  run "$@"
  line=$(cat "$dir/err")
  if [ $code != 3 ]; then fail "$name" "exit code $code: $line"
  elif [ -s "$dir/out" ]; then fail "$name" "something on standard output"
  elif [ "$(grep -c '' "$dir/err")" != 1 ]; then fail "$name" "not one line: $line"
  elif [[ $line != "$place: "* ]]; then fail "$name" "the place: $line"
  elif [[ $line != *"$part"* ]]; then fail "$name" "the text: $line"
  elif [ -n "$(ls -A "$dir/new")" ]; then fail "$name" "left: $(ls -A "$dir/new")" && rm -f "$dir/new/"*
  else pass "$name"; fi
}
learners=$("$ireland" --help | sed -n 's/^  \(fit\|clause\|curve\|cv\) .*/\1/p')
# bad_data NAME PLACE PART FILE [OPTIONS...]: with every command that reads data
bad_data() {
  local name=$1 place=$2 part=$3 file=$4
  shift 4
  bad "info_$name" "$place" "$part" info "$file" "$@"
  bad "convert_$name" "$place" "$part" convert "$file" "$dir/new/out.irb" "$@"
  for command in $learners; do bad "${command}_$name" "$place" "$part" "$command" "$file" "$@"; done
  bad "evaluate_$name" "$place" "$part" evaluate "$dir/good.json" "$file" "$@"
  bad "predict_$name" "$place" "$part" predict "$dir/good.json" "$file" "$@"
}
f=$dir/none.csv; bad_data missing "$f" "No such file" "$f"
f=$dir/none.irb; bad_data missing_irb "$f" "No such file" "$f"
f=$dir/none.bed; bad_data missing_bed "$f" "No such file" "$f"
f=$dir/none.svm; bad_data missing_svm "$f" "No such file" "$f"
bad_data directory "$dir" "directory" "$dir"
for kind in csv tsv txt; do
  f=$dir/empty.$kind; : >"$f"; bad_data "empty_$kind" "$f:1:1" "empty" "$f"
done
f=$dir/empty.irb; : >"$f"; bad_data empty_irb "$f" "offset 0: the file is empty" "$f"
f=$dir/empty.svm; : >"$f"; bad_data empty_svm "$f:1:1" "no samples" "$f"
f=$dir/header.csv; echo a,b,y >"$f"; bad_data only_a_header "$f:2:1" "no samples" "$f"
f=$dir/short.csv; printf 'a,b,y\n1,0,1\n0,1\n' >"$f"; bad_data ragged_short "$f:3:4" "2 columns" "$f"
f=$dir/long.csv; printf 'a,b,y\n1,0,1\n0,1,1,1\n' >"$f"; bad_data ragged_long "$f:3:6" "more than 3" "$f"
f=$dir/cell.csv; printf 'a,b,y\n1,0,1\n0.5,1,0\n' >"$f"
for command in evaluate predict; do bad "${command}_not_binary" "$f:3:1" "'0.5'" $command "$dir/good.json" "$f"; done
f=$dir/thousands.csv; printf 'a,b,y\n1,0,1\n"1,234",1,0\n' >"$f"; bad_data thousands "$f:3:2" "has a comma" "$f"
f=$dir/lines.csv; printf 'a,b,y\n1,0,1\n"x\ny",1,0\n' >"$f"
for command in evaluate predict; do bad "${command}_line_end_in_a_cell" "$f:3:2" "not 0 or 1" $command "$dir/good.json" "$f"; done
f=$dir/quote.csv; printf 'a,b,y\n1,0,1\n"0,1,0\n' >"$f"; bad_data open_quote "$f:3:1" "quote" "$f"
f=$dir/twice.csv; printf 'a,b,a,y\n1,0,1,1\n0,1,1,0\n' >"$f"; bad_data twice "$f:1:5" "'a' is there twice" "$f"
f=$dir/good.csv; bad_data unknown_target "$f:1:1" "no column 'z'" "$f" --target z
f=$dir/good.csv; bad_data unknown_positive "$f:2:7" "'maybe'" "$f" --positive maybe
f=$dir/labels.csv; printf 'a,y\n1,1\n0,0\n1,2\n' >"$f"
for command in evaluate fit; do bad "${command}_three_labels" "$f:4:3" "third label" $command $([ $command = evaluate ] && echo "$dir/good.json") "$f"; done
f=$dir/one.csv; printf 'a,y\n1,1\n0,1\n' >"$f"
bad info_one_class "$f:2:3" "only one class" info "$f"
for command in $learners; do bad "${command}_one_class" "$f:2:3" "only one class" "$command" "$f"; done
bad convert_one_class "$f:2:3" "only one class" convert "$f" "$dir/new/out.csv"
run evaluate "$dir/good.json" "$f"
check evaluate_one_class [ $code = 0 ]

head -c -3 "$dir/good.irb" >"$dir/cut.irb"; bad_data truncated_irb "$dir/cut.irb" "offset" "$dir/cut.irb"
head -c 100 "$dir/good.irb" >"$dir/cut.irb"; bad_data truncated_header "$dir/cut.irb" "offset 0" "$dir/cut.irb"
flip() { # flip OFFSET: a copy of good.irb with one byte inverted
  cp "$dir/good.irb" "$dir/flip.irb"
  printf '\xff' | dd of="$dir/flip.irb" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
for at in 3 9 20 60 111 200 240 263; do
  flip $at
  bad_data "flipped_$at" "$dir/flip.irb" "offset" "$dir/flip.irb"
done
printf 'f p 0 0 1 2\nf q 0 0 1 1\n' >"$dir/size.fam"
printf '1 rs1 0 1 A C\n' >"$dir/size.bim"
printf '\x6c\x1b\x01\x00\x00' >"$dir/size.bed"
bad_data bed_size "$dir/size.bed" "offset 4: the file has 5 bytes" "$dir/size.bed"
f=$dir/bad.svm; printf '1 1:1\n0 1:7x\n' >"$f"; bad_data bad_svm "$f:2:5" "not a number" "$f"
f=$dir/nan.svm; printf '1 2:0.5 7:nan\n0 1:1\n' >"$f"; bad fit_missing_svm "$f:1:11" "missing value in column 'f7'" fit "$f" --missing error

bad_rule() { # bad_rule NAME PLACE PART TEXT
  f=$dir/bad.json
  printf '%s' "$4" >"$f"
  bad "evaluate_$1" "$f:$2" "$3" evaluate "$f" "$dir/good.csv"
  bad "predict_$1" "$f:$2" "$3" predict "$f" "$dir/good.csv"
}
bad_rule json_no_rule 1:1 "not a rule" '{"a": 1}'
bad_rule json_array 1:1 "not a rule" '[]'
bad_rule json_syntax 2:3 "':'" $'{"a"\n  1}'
bad_rule json_text 1:1 "not a JSON value" 'a,b,y'
bad_rule json_empty 1:1 "ends" ''
bad rule_missing "$dir/none.json" "No such file" evaluate "$dir/none.json" "$dir/good.csv"
printf '{"clauses": [["a", "x"], ["!z"]]}' >"$dir/other.json"
bad features_missing "$dir/good.csv" "'x', 'z'" predict "$dir/other.json" "$dir/good.csv"

# ---- output that cannot be written ---------------------------------------------------------------
bad no_such_folder "ireland" "$dir/none/x.irb" convert "$dir/good.csv" "$dir/none/x.irb"
bad no_such_folder_generate "ireland" "$dir/none/x.csv" generate -o "$dir/none/x.csv"
bad rule_cannot_be_written "ireland" "$dir/none/x.json" generate -o "$dir/new/x.csv" --rule "$dir/none/x.json"
bad data_cannot_be_written "ireland" "$dir/none/x.csv" generate -o "$dir/none/x.csv" --rule "$dir/new/x.json"
bad rule_to_a_device "ireland" "$dir/none/x.csv" generate -o "$dir/none/x.csv" --rule /dev/null
check device_is_still_there [ -c /dev/null ]
mkdir "$dir/folder.irb"
bad output_is_a_folder "ireland" "$dir/folder.irb" convert "$dir/good.csv" "$dir/folder.irb"
rmdir "$dir/folder.irb"
mkdir "$dir/locked" && chmod 555 "$dir/locked"
if touch "$dir/locked/probe" 2>/dev/null; then
  rm -f "$dir/locked/probe"
  skip locked_folder "this user may write anywhere"
else
  bad locked_folder "ireland" "$dir/locked" convert "$dir/good.csv" "$dir/locked/x.irb"
fi
run convert "$dir/good.csv" "$dir/new/x.foo"
check unknown_extension [ "$code-$(ls -A "$dir/new")" = 2- ]
if [ -w /dev/full ]; then
  for command in "info $dir/good.csv" "info $dir/good.csv --json" --help --version "info --help" "predict $dir/good.json $dir/good.csv"; do
    # shellcheck disable=SC2086
    "$ireland" $command >/dev/full 2>"$dir/err"
    code=$?
    check "full_disk_${command%% *}" [ $code != 0 -a "$(grep -c 'No space left' "$dir/err")" = 1 ]
  done
  run generate -N 20000 -J 5 -o "$dir/many.csv" --rule "$dir/many.json"
  "$ireland" predict "$dir/many.json" "$dir/many.csv" --explain >/dev/full 2>"$dir/err"
  code=$?
  check full_disk_long [ $code != 0 -a "$(grep -c 'No space left' "$dir/err")" = 1 ]
else
  skip full_disk "there is no /dev/full"
  run generate -N 20000 -J 5 -o "$dir/many.csv" --rule "$dir/many.json"
fi
"$ireland" predict "$dir/many.json" "$dir/many.csv" --explain 2>"$dir/err" | head -n 1 >"$dir/out"
code=${PIPESTATUS[0]}
check closed_pipe_line [ "$(cut -f 1 "$dir/out")" = sample ]
# killed silently, or a plain error where the caller ignores SIGPIPE
check closed_pipe [ \( "$code" = 141 -a ! -s "$dir/err" \) -o \( "$code" != 0 -a "$(grep -c 'Broken pipe' "$dir/err")" = 1 \) ]
umask_before=$(umask)
umask 027
run convert "$dir/good.csv" "$dir/mode.csv"
umask "$umask_before"
check file_mode [ "$(stat -c %a "$dir/mode.csv")" = 640 ]

# ---- interrupted while it waits for input ----------------------------------------------------------
mkfifo "$dir/fifo"
"$ireland" info - <"$dir/fifo" >"$dir/out" 2>"$dir/err" &
pid=$!
exec 5>"$dir/fifo"
echo "a,b,y" >&5
await is_waiting
interrupt TERM
exec 5>&-
check interrupted [ $code = 130 ]

# ---- usage: exit code 2, one line, the nearest name ----------------------------------------------
usage() { # usage NAME PART ARGUMENTS...
  local name=$1 part=$2
  shift 2
  run "$@"
  if [ $code != 2 ]; then fail "$name" "exit code $code: $(cat "$dir/err")"
  elif [ -s "$dir/out" ]; then fail "$name" "something on standard output"
  elif [ "$(grep -c '' "$dir/err")" != 1 ]; then fail "$name" "not one line: $(cat "$dir/err")"
  elif ! grep -q -- "$part" "$dir/err"; then fail "$name" "$(cat "$dir/err")"
  else pass "$name"; fi
}
usage command_near "'info'" ifno x
usage command_near_2 "'generate'" genrate
usage command_near_3 "'evaluate'" eval-uate
usage command_far "ireland --help" xyzzy
usage option_near "did you mean --noise" generate --noize 0.1 -o "$dir/new/x.csv"
usage option_near_value "did you mean --noise" generate --noize=0.1 -o "$dir/new/x.csv"
usage option_near_2 "did you mean --target" info "$dir/good.csv" --tagret y
usage option_near_3 "did you mean --no-header" info "$dir/good.csv" --noheader
usage option_far "info --help" info "$dir/good.csv" --xyzzy-and-more
usage option_of_another "option --explain has no effect on info; it is for predict" info "$dir/good.csv" --explain
usage option_without_value "needs a value" info "$dir/good.csv" --target
usage no_arguments "usage: ireland convert IN OUT" convert
usage one_argument "usage: ireland convert IN OUT" convert "$dir/good.csv"
usage too_many "too many" info "$dir/good.csv" "$dir/good.csv"
usage no_output "needs -o" generate
for value in x 1.5 -1 0 1 1e10 "" 5x 1e 1e-3 99999999999999999999; do
  usage "number_N_$value" "option N" generate -N "$value" -o "$dir/new/x.csv"
done
for value in x -0.1 0.51 nan inf "" 0.1x; do
  usage "number_noise_$value" "option noise" generate --noise "$value" -o "$dir/new/x.csv"
done
usage exact_size_too_large "J >= 4" generate -J 3 -M 4 --exact-size -o "$dir/new/x.csv"
usage threads "option threads" info "$dir/good.csv" --threads 5000
usage delimiter "option delimiter" info "$dir/good.csv" --delimiter 01
usage flag_value "on or off" info "$dir/good.csv" --no-header=maybe
usage same_output "two outputs" generate -o "$dir/new/x.csv" --rule "$dir/new/x.csv"
run
check nothing [ "$code-$(grep -c '^ireland COMMAND' "$dir/err")" = 2-1 ]
check nothing_was_written [ -z "$(ls -A "$dir/new")" ]

# ---- help, version -------------------------------------------------------------------------------
run --version
check version [ "$code-$(cat "$dir/out")" = "0-ireland $(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)" ]
for word in --help -h help; do
  run $word
  check "help_$word" [ "$code-$(grep -c '^ireland COMMAND' "$dir/out")" = 0-1 ]
done
run --help
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$dir/out")
check lists_commands [ "$(echo "$commands" | wc -w)" -ge 5 ]
for command in $commands; do
  check "help_${command}_exit_codes" [ "$("$ireland" help "$command" | grep -c 'infeasible or unbounded')" = 1 ]
  for word in --help -h; do
    run "$command" $word
    check "help_$command$word" [ "$code-$(grep -A 1 '^Example' "$dir/out" | grep -c "^  ireland $command ")" = 0-1 ]
  done
done

# ---- options in all their spellings --------------------------------------------------------------
run generate -N 50 -J 6 -K 2 -M 2 --seed 3 -o "$dir/s1.csv"
run generate -N50 -J6 -K=2 -M=2 --seed=3 "-o$dir/s2.csv"
check spelled_short same "$dir/s1.csv" "$dir/s2.csv"
run generate "--output=$dir/s2.csv" -N 5e1 -J 6 -K 2 -M 2 --seed 3
check spelled_long same "$dir/s1.csv" "$dir/s2.csv"
cp "$dir/good.csv" "$dir/-odd.csv"
(cd "$dir" && "$OLDPWD/${ireland#"$PWD"/}" info -- -odd.csv >out 2>err) || (cd "$dir" && "$ireland" info -- -odd.csv >out 2>err)
check dashes [ "$(grep -c samples "$dir/out")" = 1 ]

# ---- quiet and JSON ------------------------------------------------------------------------------
printf 'a,y\n1,cat\n0,dog\n' >"$dir/pets.csv"
run info "$dir/pets.csv"
check note [ "$code-$(grep -c "'dog' is taken as the cases" "$dir/err")" = 0-1 ]
quiet() { # quiet NAME ARGUMENTS...
  local name=$1
  shift
  run "$@" --quiet
  check "quiet_$name" [ $code = 0 -a ! -s "$dir/err" ]
}
quiet info info "$dir/pets.csv"
quiet convert convert "$dir/pets.csv" "$dir/pets.irb"
quiet generate generate -o "$dir/q.csv" --rule "$dir/q.json"
quiet evaluate evaluate "$dir/q.json" "$dir/q.csv"
quiet predict predict "$dir/q.json" "$dir/q.csv"
run info "$dir/none.csv" --quiet
check quiet_error [ "$code-$(grep -c 'No such file' "$dir/err")" = 3-1 ]
if command -v python3 >/dev/null; then
  valid() { # valid NAME KEY ARGUMENTS...
    local name=$1 key=$2
    shift 2
    run "$@" --json
    python3 - "$dir/out" "$key" >"$dir/err2" 2>&1 <<'P'
import json, sys
value = json.load(open(sys.argv[1], encoding='utf-8'))
if isinstance(value, list):
    value = value[0]
assert sys.argv[2] in value, value
P
    check "json_$name" [ $? = 0 -a $code = 0 ]
  }
  valid info checksum info "$dir/good.csv"
  valid convert features convert "$dir/good.csv" "$dir/j.svm"
  valid generate cases generate -o "$dir/j.csv"
  valid evaluate hamming_loss evaluate "$dir/good.json" "$dir/good.csv"
  valid predict predicted predict "$dir/good.json" "$dir/good.csv"
  valid explain predicted predict "$dir/good.json" "$dir/good.csv" --explain
  printf '"caf\xe9 ""x""\t\n",y\n1,\xff\n0,\\\n' >"$dir/odd.csv"
  valid odd_names positive info "$dir/odd.csv"
  python3 -m json.tool "$dir/q.json" >/dev/null 2>&1
  check json_rule [ $? = 0 ]
else
  skip json "python3 is not installed"
fi

# ---- generate ------------------------------------------------------------------------------------
g() { run generate -N 3000 -J 150 -K 3 -M 3 "$@"; }
run convert "$dir/good.csv" "$dir/named.svm"
if [ $code = 0 ] && grep -q 'no names; features are f1' "$dir/err"; then pass svm_drops_names; else fail svm_drops_names "$(cat "$dir/err")"; fi
for kind in irb csv svm; do
  g --seed 5 --threads 1 -o "$dir/g1.$kind" --rule "$dir/g1.json"
  g --seed 5 --threads 7 -o "$dir/g2.$kind" --rule "$dir/g2.json"
  g --seed 6 -o "$dir/g3.$kind" --rule "$dir/g3.json"
  check "same_seed_same_$kind" same "$dir/g1.$kind" "$dir/g2.$kind"
  check "same_seed_same_rule_$kind" same "$dir/g1.json" "$dir/g2.json"
  check "other_seed_other_$kind" differ "$dir/g1.$kind" "$dir/g3.$kind"
done
for options in "" "--exact-size" "--density 0.7" "-K 1 -M 1" "-J 3 -K 2 -M 3" "--seed 9223372036854775807"; do
  # shellcheck disable=SC2086
  run generate -N 500 $options -o "$dir/p.irb" --rule "$dir/p.json"
  run evaluate "$dir/p.json" "$dir/p.irb" --json
  check "planted_without_noise $options" [ "$code-$(number fp)-$(number fn)" = 0-0-0 ]
done
for noise in 0.05 0.1234 0.25 0.0001 0.5; do
  run generate -N 1001 -J 40 --noise $noise -o "$dir/p.irb" --rule "$dir/p.json"
  run evaluate "$dir/p.json" "$dir/p.irb" --json
  wanted=$(awk "BEGIN { print int($noise * 1001 + 0.5) }")
  check "noise_$noise" [ $(($(number fp) + $(number fn))) = "$wanted" ]
done
run generate --density 0.01 -o "$dir/new/x.csv" --rule "$dir/new/x.json"
check too_few_cases [ "$code-$(grep -c '25 attempts' "$dir/err")-$(ls -A "$dir/new")" = 3-1- ]
run generate -N 1000 -J 50 -K 10 -M 1 --exact-size -o "$dir/new/x.csv"
check too_many_cases [ "$code-$(grep -c '25 attempts' "$dir/err")-$(ls -A "$dir/new")" = 3-1- ]
run generate -N 2000 -J 30 -K 2 -M 2 --seed 4 -o "$dir/half.irb"
run info "$dir/half.irb" --json
check density [ "$(awk "BEGIN { d = $(number density); print (d > 0.48 && d < 0.52) }")" = 1 ]
check balance [ "$(awk "BEGIN { c = $(number cases); print (c >= 500 && c <= 1500) }")" = 1 ]

# ---- files and standard input ----------------------------------------------------------------------
info_of() { "$ireland" info "$@" --json --quiet | sed -n 's/.*"checksum": "\(.*\)".*/\1/p'; }
wanted=$(info_of "$dir/good.csv")
check stdin [ "$("$ireland" info - --json <"$dir/good.csv" | sed -n 's/.*"checksum": "\(.*\)".*/\1/p')" = "$wanted" ]
check stdin_pipe [ "$(cat "$dir/good.csv" | "$ireland" info - --json | sed -n 's/.*"checksum": "\(.*\)".*/\1/p')" = "$wanted" ]
check stdin_predict [ "$("$ireland" predict "$dir/good.json" - <"$dir/good.csv" | cut -f 2 | tr '\n' ' ')" = "predicted 1 0 1 0 " ]
"$ireland" info - </dev/null >"$dir/out" 2>"$dir/err"
check stdin_empty [ "$?-$(grep -c empty "$dir/err")" = 3-1 ]
cp "$dir/g1.irb" "$dir/self.irb"
run convert "$dir/self.irb" "$dir/self.irb"
check convert_onto_itself same "$dir/g1.irb" "$dir/self.irb"
run convert "$dir/g1.irb" "$dir/UPPER.IRB"
check upper_case same "$dir/g1.irb" "$dir/UPPER.IRB"
check no_temporaries [ -z "$(find "$dir" -name '*.tmp' -o -name '*.csv.*' -o -name '*.irb.*' -o -name '*.json.*')" ]

# ---- help in groups, and the line on a terminal ----
run fit --help
check help_in_groups [ "$(grep -nE '^(Every day|Data|Rule|Limits|Validation|The paper)' "$dir/out" | wc -l)" = 6 ]
check daily_first [ "$(grep -n -e '--prove' "$dir/out" | head -n 1 | cut -d : -f 1)" -lt "$(grep -n '^Data' "$dir/out" | cut -d : -f 1)" ]
cp "$dir/out" "$dir/help"
run help fit
check help_fit cmp -s "$dir/out" "$dir/help"
run generate -N 400 -J 60 -K 5 -M 4 --noise 0.2 --seed 5 -o "$dir/hard.csv" --quiet
run fit "$dir/hard.csv" -K 5 -M 4 --prove --validate none --time-limit 1
check no_codes_in_a_file [ "$(grep -c "$(printf '\033')" "$dir/err")" = 0 ]
if command -v script >/dev/null && [ "$(TERM=xterm script -qec 'echo yes' /dev/null 2>/dev/null | tr -d '\r\n')" = yes ]; then
  for limit in 2 8 32 128; do # a busy machine may need more to come to a rule
    TERM=xterm script -qec "$ireland fit $dir/hard.csv -K 5 -M 4 --prove --validate none --time-limit $limit" /dev/null >"$dir/terminal" </dev/null
    live_line='best [0-9.]+  bound [0-9.]+  gap [0-9.]+ %  [0-9.]+ s  [0-9]+ % of the limit, [0-9]+ s left'
    grep -qE "$live_line" "$dir/terminal" && break
  done
  check live_line grep -qE "$live_line" "$dir/terminal"
  awk 'BEGIN { srand(3); print "a,b,c,d,y"; for (i = 0; i < 3000000; i++) print i % 97 "," i % 89 "," i % 83 "," i % 79 "," i % 2 }' >"$dir/long.csv"
  TERM=xterm script -qec "$ireland info $dir/long.csv --threads 1" /dev/null >"$dir/terminal" </dev/null
  check live_reading grep -qE 'reading the data  [0-9.]+ s' "$dir/terminal"
  run info "$dir/long.csv"
  check reading_silent [ ! -s "$dir/err" ]
  rm "$dir/long.csv"
  printf 'a,b,y\n1,,1\n0,,0\n' >"$dir/warns.csv"
  TERM=xterm NO_COLOR= script -qec "$ireland info $dir/warns.csv" /dev/null >"$dir/terminal" </dev/null
  check colour_on_terminals grep -q "$(printf '\033')\[1;33mwarning:" "$dir/terminal"
  TERM=xterm NO_COLOR=1 script -qec "$ireland info $dir/warns.csv" /dev/null >"$dir/terminal" </dev/null
  check no_colour grep -q "^warning: " "$dir/terminal"
else
  skip live_line "needs script(1)"
fi
finish
