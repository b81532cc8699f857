#!/usr/bin/env bash
# What the Makefile promises: layers, symbols and formatting; install; the static binary; help.
set -u
passed=0 failed=0 skipped=0
out=build/test-build
check() { # name, command...
  local name=$1
  shift
  if "$@" >>"$out/log" 2>&1; then passed=$((passed + 1)); echo "PASS $name"; else failed=$((failed + 1)); echo "FAIL $name"; fi
}
skip() { skipped=$((skipped + 1)); echo "SKIP $1: $2"; }
rm -rf "$out" && mkdir -p "$out"
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours

check "make check" make check
check "make help names every target" bash -c 'make help | grep -q "make static"'
check "make install" make install DESTDIR="$PWD/$out" PREFIX=/usr
for file in bin/ireland lib/libireland.a lib/libireland.so include/ireland.h; do check "installs $file" test -s "$out/usr/$file"; done
check "installed ireland runs" "$out/usr/bin/ireland" --version
if echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -static -fopenmp -o "$out/probe" 2>/dev/null; then
  check "make static" make static
  check "the static binary needs no shared library" bash -c '! readelf -d build/static/ireland 2>/dev/null | grep -q NEEDED'
  check "the static binary runs" build/static/ireland info data/monks1.csv
else
  skip "make static" "this machine has no static C library"
fi
cat >"$out/two.c" <<'C'
#include <ireland.h>
int main(void) { irl_env *env; if (irl_env_create(0, &env)) return 1; irl_env_free(env); return 0; }
C
check "a program links with the shared library" ${CC:-cc} -I"$out/usr/include" "$out/two.c" -L"$out/usr/lib" -lireland -o "$out/two"
check "and runs" env LD_LIBRARY_PATH="$out/usr/lib" "$out/two"
[ "$failed" = 0 ] || tail -n 30 "$out/log"
echo "Pass: $passed, fail: $failed, skip: $skipped."
exit $((failed > 0))
