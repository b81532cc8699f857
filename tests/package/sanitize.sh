#!/usr/bin/env bash
# The suites of the Python and the R package with a library that watches its memory and its arithmetic (`make asan-packages`). The
# interpreters are those of the system, which have no sanitizer inside: the runtime is loaded before all else. What interpreters leave
# behind when they end is theirs, so leaks are not looked for here.
#   tests/package/sanitize.sh BUILD LIBRARIES     BUILD has libireland.so.0 and libireland.a, LIBRARIES are what the latter needs
# PYTHON_ONLY names tests of Python to run, SANITIZE=python or =r one of both.
set -u
cd "$(dirname "$0")/../.."
build=$PWD/$1 libraries=$2 out=$PWD/build/test-sanitize
rm -rf "$out" && mkdir -p "$out/lib"
flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
runtime=""
for name in libasan.so libubsan.so; do runtime="$runtime${runtime:+ }$(${CC:-cc} -print-file-name=$name)"; done
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1
failed=0

of_python() {
  local file
  export IRELAND_LIBRARY=$build/libireland.so.0 IRELAND=$build/ireland PYTHONPATH=$PWD/src/python TEST_DIR=$out PYTHON_ALARMS=20
  for file in python_suite.py python_features.py; do
    LD_PRELOAD=$runtime "${PYTHON:-python3}" "tests/package/$file" >"$out/$file.log" 2>&1 || failed=1
    grep -E '^(FAIL|SKIP|counts)|runtime error|ERROR: AddressSanitizer' "$out/$file.log"
    grep -qE '^counts [0-9]+ 0 ' "$out/$file.log" && ! grep -qE 'runtime error|ERROR: AddressSanitizer' "$out/$file.log" || failed=1
  done
  unset IRELAND_LIBRARY
}

# The package's own C code, linked with the library of the build: its sources need not be compiled again.
of_r() {
  python3 src/r/make_package.py "$out/ireland" && rm -rf "$out/ireland/src/ireland/"[a-hj-z]*/*.c || failed=1
  {
    echo "PKG_CPPFLAGS = -I$PWD/include"
    echo "PKG_CFLAGS = -O1 -g $flags"
    echo "PKG_LIBS = $flags $build/libireland.a $libraries"
    echo "OBJECTS = $(cd src/r/src && echo *.c | sed 's/\.c/.o/g')"
  } >"$out/ireland/src/Makevars"
  R CMD INSTALL --no-docs --no-test-load -l "$out/lib" "$out/ireland" >"$out/install.log" 2>&1 || { tail -n 5 "$out/install.log"; failed=1; }
  for file in "$PWD"/src/r/inst/tinytest/*.R; do
    LD_PRELOAD=$runtime R_LIBS=$out/lib${R_LIBS:+:$R_LIBS} Rscript -e "found <- tinytest::run_test_file('$file', verbose = 0); print(found); quit(status = !tinytest::all_pass(found))" >"$out/r.log" 2>&1 || failed=1
    echo "$(basename "$file"): $(tail -n 1 "$out/r.log")"
    grep -A20 -E 'runtime error|ERROR: AddressSanitizer' "$out/r.log" && failed=1
  done
}

case ${SANITIZE:-} in python) of_python ;; r) of_r ;; *) of_python && of_r ;; esac
exit $failed
