#!/usr/bin/env bash
# The same answers whatever compiled the program and whichever kernels OpenBLAS takes: MACHINES names more programs to compare
# (make flavours builds some).
. "$(dirname "$0")/shell.sh"
begin machines
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

"$ireland" generate -N 150 -J 25 -K 3 -M 2 --noise 0.08 --seed 4 -o "$dir/d.irb" --quiet || exit 1
"$ireland" generate -N 40 -J 8 -K 2 -M 2 --noise 0.1 --seed 4 -o "$dir/tiny.irb" --quiet || exit 1

# answers PROGRAM: of fits with every method, without what may differ between runs.
answers() {
  local options
  while read -r options; do
    # shellcheck disable=SC2086
    "$1" fit $options --json --quiet --threads 1 2>&1 | sed '/"run"/,$d'
  done <<TEXT
$dir/d.irb -K 3 -M 2 --prove
$dir/d.irb -K 2 -M 3 --negations --prove --weights unit
$dir/d.irb -K 3 -M 2 --method brcg --prove
$dir/tiny.irb -K 2 -M 2 --method bp1
$dir/tiny.irb -K 2 -M 2 --method bp3 --binary
$dir/tiny.irb -K 2 -M 2 --method bp6
data/monks2.csv -K 4 -M 3 --work-limit 3e7
data/tic_tac_toe.csv -K 8 -M 3
TEXT
}

# What is proven: status, objective and bound; between CPUs of OpenBLAS the way there may differ.
proven() { grep -E '"(status|objective|bound)":' "$1"; }

answers "$ireland" >"$dir/expected"
check proves-most [ "$(grep -c '"status": "optimal"' "$dir/expected")" -ge 6 ]
for core in Prescott Nehalem Sandybridge Haswell Zen; do
  OPENBLAS_CORETYPE=$core answers "$ireland" >"$dir/got-$core"
  proven "$dir/expected" >"$dir/a"
  proven "$dir/got-$core" >"$dir/b"
  check "coretype-$core" cmp "$dir/a" "$dir/b"
done
for program in ${MACHINES:-}; do
  answers "$program" >"$dir/got"
  agree "$program"
done
finish
