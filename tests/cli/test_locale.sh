#!/usr/bin/env bash
# The same bytes read and written in a host whose locale has a decimal comma, or whose letters are Turkish (no 'i' for 'I').
# The host is the program itself with setlocale called before main.
. "$(dirname "$0")/../shell.sh"
begin locale
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1 ASAN_OPTIONS=verify_asan_link_order=0

cat >"$dir/host.c" <<'C'
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void choose(void) {
  const char *wanted = getenv("HOST_LOCALE"), *point = setlocale(LC_ALL, wanted) ? localeconv()->decimal_point : "";
  if (*point != ',') fprintf(stderr, "host: locale %s has no decimal comma\n", wanted);
}
C

# What the library says and writes for every kind of number it reads or writes; arguments: words before the program.
tour() {
  local on=("$@" "$(realpath "$ireland")") out=$dir/tour
  rm -rf "$out" && mkdir "$out"
  awk 'BEGIN { srand(4); print "ID,AGE,dose,GRP,INF,w,y"
    for (i = 0; i < 240; i++) { a = int(rand() * 600) / 10; d = rand(); g = rand() < 0.5 ? "I" : "i"
      printf "%d,%.1f,%.17g,%s,%s,%.2f,%s\n", i, a, d, g, rand() < 0.1 ? "Inf" : "1e-3", 0.25 + int(rand() * 4) / 4,
        (a > 30.5 && d > 0.4) || rand() < 0.1 ? "1.5" : "0.5" } }' >"$out/raw.csv"
  awk -F, 'NR == 1 { print "@RELATION r\n@ATTRIBUTE AGE REAL\n@ATTRIBUTE dose NUMERIC\n@ATTRIBUTE y {0.5,1.5}\n@DATA"; next }
    { print $2 "," $3 "," $7 }' "$out/raw.csv" >"$out/raw.arff"
  printf 'NAME x\nROWS\n N obj\n L r\n g s\nCOLUMNS\n  a obj -1.25 r 0.5\n  b obj -2.75 r 1.5\n  b s 0.125\nRHS\n  RHS r 4.75 s 0.0625\nBOUNDS\n ui BOUND a 3\n UP BOUND b 2.5\nENDATA\n' >"$out/m.mps"
  (
    cd "$out" || exit 1
    "${on[@]}" info raw.csv --positive 1.5
    "${on[@]}" info raw.arff --positive 1.5 --json
    "${on[@]}" fit raw.csv --ignore ID,w --positive 1.5 -K 2 -M 2 --penalty 0.0125 --test 0.25 --json --quiet --threads 2 -o raw.json | sed '/"run"/,$d'
    "${on[@]}" fit raw.arff -K 2 -M 2 --cuts quantile:4 --budgets 0.005,0.5 --quiet --threads 1 --report page.html | sed '/ seconds/d'
    "${on[@]}" fit raw.csv --weight-column w --ignore ID --quiet --threads 1
    "${on[@]}" evaluate raw.json raw.csv --positive 1.5
    "${on[@]}" evaluate raw.json raw.csv --positive 1.5 --json
    for to in c python sql r javascript text; do "${on[@]}" export raw.json --to $to; done
    "${on[@]}" predict raw.json raw.csv --explain
    "${on[@]}" cv raw.csv --ignore ID,w -K 1..2 -M 2 --penalty 0,0.0125 --folds 3 --quiet --threads 1
    "${on[@]}" convert raw.arff raw.irb
    "${on[@]}" convert raw.irb raw.svm
    "${on[@]}" info raw.svm
    "${on[@]}" generate -N 90 -J 15 -K 2 -M 2 --noise 0.05 --density 0.45 --seed 3 -o d.CSV --rule d.json
    "${on[@]}" fit d.CSV -K 2 -M 2 --prove --certificate d.cert -o best.json --save-pool pool.json --quiet --threads 1
    "${on[@]}" verify best.json d.CSV --certificate d.cert --quiet
    "${on[@]}" clause d.CSV -M 3 --budget 0.05 --quiet --threads 1
    "${on[@]}" curve d.CSV -K 2 -M 2 --complexity --csv curve.csv --svg curve.svg --quiet --threads 1
    for file in bp1.mps bp3.LP; do "${on[@]}" model d.CSV --form "${file%.*}" -K 2 -M 2 -o $file; done
    "${on[@]}" solve m.mps --solution m.sol --quiet
    "${on[@]}" solve m.mps --json --quiet | sed '/"run"/,$d'
    "${on[@]}" clause d.CSV --budget 0,05
    "${on[@]}" fit d.CSV --budgets 0.1,2.5
    sed 's/[0-9.]* s$//' page.html
    cat raw.json best.json pool.json d.json d.cert bp1.mps bp3.LP m.sol curve.csv curve.svg raw.svm
  ) 2>&1
}

export LOCPATH=$PWD/$dir/locales
mkdir -p "$LOCPATH"
if ! command -v localedef >/dev/null; then
  skip locale "needs localedef"
elif ! $cc -shared -fPIC "$dir/host.c" -o "$dir/host.so" 2>"$dir/err"; then
  fail host "$(head -n 3 "$dir/err")"
else
  tour env >"$dir/expected"
  check says-much [ "$(wc -l <"$dir/expected")" -gt 500 ]
  check understands-all [ "$(grep -c '^ireland: ' "$dir/expected")" = 2 ]
  for name in de_DE tr_TR; do
    if ! localedef -i $name -f UTF-8 "$LOCPATH/$name.UTF-8" 2>"$dir/err"; then
      skip $name "needs the package locales: $(head -n 1 "$dir/err")"
      continue
    fi
    tour env LD_PRELOAD="$PWD/$dir/host.so" HOST_LOCALE=$name.UTF-8 >"$dir/got"
    agree $name
  done
fi
finish
