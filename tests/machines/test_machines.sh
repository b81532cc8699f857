#!/usr/bin/env bash
# The same answers whatever compiled the program and whichever CPU OpenBLAS and libm see: MACHINES names more programs to compare
# (make flavours builds some).
. "$(dirname "$0")/../shell.sh"
begin machines
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

"$ireland" generate -N 150 -J 25 -K 3 -M 2 --noise 0.08 --seed 4 -o "$dir/d.irb" --quiet || exit 1
"$ireland" generate -N 40 -J 8 -K 2 -M 2 --noise 0.1 --seed 4 -o "$dir/tiny.irb" --quiet || exit 1

fits() {
  cat <<TEXT
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

# For other machines and compilers: every kind of input, method and loss, on one, two and three threads.
more_fits() {
  cat <<TEXT
data/planted_noisy.csv -K 4 -M 3 --prove --threads 2
data/planted_clean.csv -K 3 -M 3 --prove --all-optimal 20 --threads 3
data/monks1.csv -K 4 -M 3 --prove --negations --threads 2
data/monks3.csv -K 2 -M 2 --prove --penalty 0.01 --threads 2
data/monks3.csv -K 3 -M 3 --method brcg --threads 2
data/monks1.csv -K 3 -M 3 --profile paper --work-limit 1e7
data/tic_tac_toe.csv -K 4 -M 3 --cnf --work-limit 2e7 --threads 2
data/tic_tac_toe.csv -K 8 -M 3 --max-literals 20 --work-limit 1e8
$dir/d.irb -K 2 -M 2 --loss hamming --prove
$dir/d.irb -K 3 -M 2 --budgets 0.01,0.05,0.2 --threads 2
$dir/d.irb -K 3 -M 2 --min-specificity 0.9 --prove
$dir/d.irb -K 2 -M 2 --permutations 20 --seed 7
$dir/d.svm -K 2 -M 2 --prove --equivalent 0.01
$dir/tiny.irb -K 2 -M 2 --method bp2
$dir/tiny.irb -K 2 -M 2 --method bp4
$dir/tiny.irb -K 2 -M 2 --method bp5 --negations
$dir/raw.csv -K 2 -M 2 --prove
$dir/raw.csv -K 3 -M 2 --cuts all --work-limit 2e7 --threads 2
$dir/raw.csv -K 2 -M 2 --cuts quantile:9 --missing impute --test 0.3 --weight-column w
$dir/raw.arff -K 2 -M 3 --negations --prove --threads 2
TEXT
}

# answers PROGRAM: of the fits that are asked for, without what may differ between runs.
answers() {
  local options
  while read -r options; do
    # shellcheck disable=SC2086
    "$1" fit --threads 1 $options --json --quiet 2>&1 </dev/null | sed '/"run"/,$d'
  done
}

# What is proven, and the rules; between CPUs of OpenBLAS the way there may differ.
proven() { sed -n '/"status"/,/"confusion"/p' "$1"; }

fits | answers "$ireland" >"$dir/expected"
check proves-most [ "$(grep -c '"status": "optimal"' "$dir/expected")" -ge 6 ]
for core in Prescott Nehalem Sandybridge Haswell Zen; do
  case $core in
  Haswell | Zen) hidden=-FMA4 ;;
  *) hidden=-FMA,-FMA4,-AVX2 ;; # the older ones: log and exp of libm have other last digits without them
  esac
  fits | OPENBLAS_CORETYPE=$core GLIBC_TUNABLES=glibc.cpu.hwcaps=$hidden answers "$ireland" >"$dir/got-$core"
  proven "$dir/expected" >"$dir/a"
  proven "$dir/got-$core" >"$dir/b"
  check "coretype-$core" cmp "$dir/a" "$dir/b"
done
if [ -n "${MACHINES:-}" ]; then
  "$ireland" convert "$dir/d.irb" "$dir/d.svm" --quiet
  awk 'BEGIN { srand(4); print "age,dose,group,w,y"; for (i = 0; i < 200; i++) { a = int(rand() * 600) / 10; d = rand()
    printf "%s,%.9g,%s,%d,%d\n", rand() < 0.05 ? "NA" : a, d, substr("abc", 1 + int(3 * rand()), 1), 1 + int(3 * rand()), (a > 30 && d > 0.4) || rand() < 0.1 } }' >"$dir/raw.csv"
  awk -F, 'NR == 1 { print "@relation r\n@attribute age real\n@attribute dose real\n@attribute group {a,b,c}\n@attribute y {0,1}\n@data"; next }
    { print ($1 == "NA" ? "?" : $1) "," $2 "," $3 "," $5 }' "$dir/raw.csv" >"$dir/raw.arff"
  { fits && more_fits; } >"$dir/all"
  answers "$ireland" <"$dir/all" >"$dir/expected"
  check answers-all [ "$(grep -c '"status"' "$dir/expected")" = "$(wc -l <"$dir/all")" ]
fi
for program in ${MACHINES:-}; do
  answers "$program" <"$dir/all" >"$dir/got"
  agree "$program"
done
finish
