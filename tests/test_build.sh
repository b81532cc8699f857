#!/usr/bin/env bash
# What the Makefile promises: layers, symbols and formatting; the static binary; help.
. "$(dirname "$0")/shell.sh"
begin build
check() { # name, command...
  local name=$1
  shift
  if "$@" >>"$dir/log" 2>&1; then pass "$name"; else fail "$name" "not so"; fi
}
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours

check "make check" make check
check "make help names every target" bash -c 'make help | grep -q "make static"'
if echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -static -fopenmp -o "$dir/probe" 2>/dev/null; then
  check "make static" make static
  check "the static binary needs no shared library" bash -c '! readelf -d build/static/ireland 2>/dev/null | grep -q NEEDED'
  check "the static binary runs" build/static/ireland info data/monks1.csv
else
  skip "make static" "this machine has no static C library"
fi
[ "$failed" = 0 ] || tail -n 30 "$dir/log"
finish
