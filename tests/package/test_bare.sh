#!/usr/bin/env bash
# The library without OpenBLAS, OpenMP, zlib, htslib and xxHash: it builds without a warning, says what it has, gives the same answers to the byte
# and refuses what it cannot do with a sentence. What such a build alone can show of a room is shown by that room's suites.
. "$(dirname "$0")/../shell.sh"
begin bare
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours
bare=$PWD/$dir/build/ireland
whole=$PWD/${IRELAND:-./ireland}
case ${IRELAND:-} in /*) whole=$IRELAND ;; esac

build() {
  quietly make -j2 BLAS= OPENMP= ZLIB= HTS= XXHASH= CC="$cc" OPT=-O2 ASSERTIONS= dir="$dir/build" "$dir/build/ireland" "$dir/build/tests/test_lp_lu" "$dir/build/tests/test_lp_dense" \
    "$dir/build/tests/test_lp_simplex" && ! grep -n 'warning:' "$dir/log" >"$dir/err"
}
check "builds without a warning" build
[ -x "$bare" ] || finish
if command -v nm >/dev/null; then
  check "asks for none of the five" bash -c "! nm -u '$dir/build/libireland.a' | grep -E 'GOMP_|__kmpc|omp_|dgetrf|dgemm|openblas|inflate|XXH| bcf_'"
fi
said() { "$bare" --version --json | grep -q "$1"; }
check "says that there is no BLAS" said '"blas": "none: plain loops"'
check "says that there is no OpenMP" said '"openmp": 0'
for suite in test_lp_lu test_lp_dense test_lp_simplex; do check "$suite" quietly "$dir/build/tests/$suite"; done

# ---- the same answers ----
# answer PROGRAM FOLDER ARGUMENTS...: all that it prints and writes, but for how long it took.
answer() {
  local program=$1 folder=$2
  shift 2
  rm -rf "$folder" && mkdir -p "$folder"
  (cd "$folder" && "$program" "$@" >out 2>err </dev/null; echo "exit code $?" >>out)
  sed -E -i '/"(run|seconds|best_seconds)": /d; s/ in [0-9.]+ s\b.*//; s/[0-9.]+ (s|MB)\b//g' "$folder"/out "$folder"/*.json 2>/dev/null
  rm -f "$folder/err"
}
same() {
  local name=$1
  shift
  answer "$whole" "$dir/whole" "$@"
  answer "$bare" "$dir/without" "$@"
  if diff -r "$dir/whole" "$dir/without" >"$dir/differences" 2>&1; then pass "$name"; else fail "$name" "$(head -n 6 "$dir/differences")"; fi
}
data=$PWD/data/monks1.csv
"$whole" generate -N 150 -J 25 -K 2 -M 2 --noise 0.1 --seed 6 -o "$dir/small.csv" --quiet
"$whole" model "$dir/small.csv" --form bp2 -K 2 -M 2 -o "$dir/model.lp" --quiet
small=$PWD/$dir/small.csv
same fit fit "$data" --json -o rule.json
same "fit, proven" fit "$small" -K 2 -M 2 --prove --work-limit 3e8 --json -o rule.json --certificate proof.txt --save-pool pool.json
cp "$dir/whole/rule.json" "$dir/whole/proof.txt" "$dir/"
same "fit, four threads" fit "$small" -K 2 -M 2 --threads 4 --json
same curve curve "$small" -K 2 -M 2 --work-limit 1e8 --json
same bp1 fit "$small" -K 1 -M 2 --method bp1 --work-limit 1e8 --json
same bp4 fit "$small" -K 2 -M 2 --method bp4 --work-limit 1e7 --json
same brcg fit "$small" -K 2 -M 2 --method brcg --work-limit 1e8 --json
# Rounding leads a simplex along other ways to the same end: its work is another, the answer is not.
ends() {
  local name=$1 program
  shift
  for program in "$whole" "$bare"; do
    "$program" "$@" --json 2>/dev/null | sed -nE 's/^  "(status|objective|bound)": (.*),$/\1 \2/p' | awk '$2 ~ /^[-0-9]/ { $2 = sprintf("%.9g", $2) } { print }'
  done >"$dir/ends"
  check "$name" awk 'NR <= 3 { first[NR] = $0 } NR > 3 && $0 != first[NR - 3] { differs = 1 } END { exit NR != 6 || differs }' "$dir/ends"
}
ends "solve, relaxed" solve "$PWD/$dir/model.lp" --relax
"$whole" model "$dir/small.csv" --form bp1 -K 1 -M 2 -o "$dir/one.lp" --quiet
ends solve solve "$PWD/$dir/one.lp"
same cv cv "$small" --folds 3 -K 1..2 -M 1 --json
same clause clause "$small" -M 2 --budget 0.05 --prove --json
same verify verify "$PWD/$dir/rule.json" "$small" --certificate "$PWD/$dir/proof.txt" --json

# ---- what cannot be done is said ----
printf 'BCF' >"$dir/a.bcf"
"$bare" info "$dir/a.bcf" >"$dir/out" 2>"$dir/err"
check "BCF is refused" [ $? = 3 ]
check "and bcftools named" grep -q 'a.bcf: this build reads no BCF: convert it with bcftools view' "$dir/err"
gzip -c "$small" >"$dir/small.csv.gz" 2>/dev/null || skip gzip "there is no gzip"
if [ -s "$dir/small.csv.gz" ]; then
  "$bare" info "$dir/small.csv.gz" >"$dir/out" 2>"$dir/err"
  check "compressed files are refused" [ $? = 3 ]
  check "with a sentence" grep -q 'zlib' "$dir/err"
fi
finish
