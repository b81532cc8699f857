#!/usr/bin/env bash
# What the Makefile promises: layers, symbols and formatting; the static binary; help.
. "$(dirname "$0")/shell.sh"
begin build
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours

check "make check" quietly make check
check "make help names every target" quietly bash -c 'make help | grep -q "make static"'
if echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -static -fopenmp -o "$dir/probe" 2>/dev/null; then
  check "make static" quietly make static
  check "the static binary needs no shared library" quietly bash -c '! readelf -d build/static/ireland 2>/dev/null | grep -q NEEDED'
  check "the static binary runs" quietly build/static/ireland info data/monks1.csv
else
  skip "make static" "this machine has no static C library"
fi
finish
