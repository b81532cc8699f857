#!/usr/bin/env bash
# Proofs whose searches deal a tree out to workers: the same bytes on 1, 2 and 8 threads, and certificates that the checker accepts.
. "$(dirname "$0")/../shell.sh"
begin proof_threads
export OMP_WAIT_POLICY=passive

# same NAME METHOD OPTIONS...: rule and certificate of the table are the same, and the log names the method
same() {
  local name=$1 method=$2
  shift 2
  for threads in 1 2 8; do
    "$ireland" fit "$dir/$name.csv" "$@" --prove --validate none --threads $threads -o "$dir/$name.$threads.json" \
      --certificate "$dir/$name.$threads.txt" >/dev/null 2>"$dir/$name.$threads.log" || fail "$name-code-$threads" $?
  done
  check "$name-$method" grep -q "^ *$method .*[0-9]s$" "$dir/$name.1.log"
  for threads in 2 8; do
    check "$name-rule-$threads" cmp "$dir/$name.1.json" "$dir/$name.$threads.json"
    check "$name-certificate-$threads" cmp "$dir/$name.1.txt" "$dir/$name.$threads.txt"
  done
  expect "$name-valid" 0 'valid: none has a smaller loss' verify "$dir/$name.8.json" "$dir/$name.csv" --certificate "$dir/$name.1.txt"
}

# cut NAME OPTIONS...: all that a run which ends at its limit says is the same
cut_short() {
  local name=$1
  shift
  for threads in 1 2 8; do
    "$ireland" fit "$dir/$name.csv" "$@" --prove --validate none --threads $threads --json --quiet 2>&1 |
      python3 -c 'import json, sys; fit = json.load(sys.stdin); fit.pop("run"); print(json.dumps(fit))' >"$dir/$name.cut$threads"
  done
  check "$name-limit" grep -q '"status": "limit"' "$dir/$name.cut1"
  for threads in 2 8; do check "$name-cut-$threads" cmp "$dir/$name.cut1" "$dir/$name.cut$threads"; done
}

run generate -N 250 -J 60 -K 4 -M 3 --exact-size --noise 0.15 --seed 3 -o "$dir/penalty.csv"
same penalty rule-bnb -K 3 -M 3 --penalty 0.002
cut_short penalty -K 3 -M 3 --penalty 0.002 --work-limit 4e7
run generate -N 150 -J 50 -K 4 -M 3 --exact-size --noise 0.15 --seed 3 -o "$dir/sensitive.csv"
same sensitive rule-bnb -K 3 -M 3 --min-sensitivity 0.8
run generate -N 200 -J 60 -K 3 -M 4 --exact-size --noise 0.1 --seed 5 -o "$dir/subset.csv"
same subset subset -K 3 -M 4 --internal rule_bnb=0,enumeration=0
cut_short subset -K 3 -M 4 --internal rule_bnb=0,enumeration=0 --work-limit 6e7
run generate -N 300 -J 80 -K 4 -M 4 --exact-size --noise 0.03 --seed 2 -o "$dir/deep.csv"
same deep subset -K 4 -M 4 --negations --internal rule_bnb=0,enumeration=0
finish
