#!/usr/bin/env bash
# What the Makefile promises: layers, symbols and formatting; the static binary; help.
. "$(dirname "$0")/shell.sh"
begin build
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours

check "make check" quietly make check
check "make help names every target" quietly bash -c 'make help | grep -q "make static"'

# ---- hardening: what the linker was told stands in the file ------------------------------------
# An address that is not fixed (DYN), relocations done before main (BIND_NOW, RELRO), a stack that is not executable, canaries and
# checked functions in use.
holds() { readelf "$1" "$2" 2>/dev/null | grep -qE "$3"; }
if command -v readelf >/dev/null; then
  for file in ireland libireland.so.0; do
    check "$file has no fixed address" holds -h $file 'Type: *DYN'
    check "$file has its tables read-only" holds -lW $file 'GNU_RELRO'
    check "$file is bound before it runs" holds -dW $file 'BIND_NOW|FLAGS.*NOW'
    check "$file has no executable stack" holds -lW $file 'GNU_STACK.* RW '
    check "$file has stack canaries" holds -sW $file '__stack_chk_fail'
    check "$file has checked functions" holds -sW $file '__(mem|str|v?sn?|f|v?f)[a-z]*_chk'
  done
else
  skip "hardening" "this machine has no readelf"
fi

if echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -static -fopenmp -o "$dir/probe" 2>/dev/null; then
  check "make static" quietly make static
  check "the static binary needs no shared library" quietly bash -c '! readelf -d build/static/ireland 2>/dev/null | grep -q NEEDED'
  check "the static binary runs" quietly build/static/ireland info data/monks1.csv
else
  skip "make static" "this machine has no static C library"
fi
finish
