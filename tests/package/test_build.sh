#!/usr/bin/env bash
# What the Makefile promises: layers, symbols and formatting; the static binary; help.
. "$(dirname "$0")/../shell.sh"
begin build
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours

check "make check" quietly make check
check "make help names every target" quietly bash -c 'make help | grep -q "make static"'

# ---- hardening: what the linker was told stands in the file ------------------------------------
if command -v readelf >/dev/null; then
  for file in ireland libireland.so.0; do
    hardened $file
    check "$file has stack canaries" holds -sW $file '__stack_chk_fail'
  done
  case $(${CC:-cc} -dumpmachine) in
  x86_64* | i?86*)
    # The linker keeps the mark of jumps that are checked only if all parts have it, libraries in other languages too.
    check "our code has checked jumps" holds -nW build/plain/cli/main.o 'IBT.*SHSTK'
    ;;
  esac
else
  skip "hardening" "this machine has no readelf"
fi

if echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -static -fopenmp -o "$dir/probe" 2>/dev/null; then
  check "make static" quietly make static
  check "the static binary needs no shared library" quietly bash -c '! readelf -d build/static/ireland 2>/dev/null | grep -q NEEDED'
  if ${CC:-cc} -print-file-name=rcrt1.o | grep -q /; then
    check "the static binary has no fixed address" holds -h build/static/ireland 'Type: *DYN'
    check "the static binary has its tables read-only" holds -lW build/static/ireland 'GNU_RELRO'
    check "the static binary has no executable stack" holds -lW build/static/ireland 'GNU_STACK.* RW '
  fi
  check "the static binary runs" quietly build/static/ireland info data/monks1.csv
else
  skip "make static" "this machine has no static C library"
fi

# ---- what the compiler is told ------------------------------------------------------------------
told() { # told FLAG MAKE-VARIABLES: is an object made with it?
  make -n V=1 "${@:2}" -B build/plain/base/number.o 2>/dev/null | grep -q -- "$1"
}
check "stacks cannot jump over their guard" told -fstack-clash-protection
if echo 'int x;' | ${CC:-cc} -m32 -fsyntax-only -x c - 2>/dev/null; then
  check "i386 computes in SSE2" told '-msse2 -mfpmath=sse' CFLAGS=-m32
else
  skip "i386 computes in SSE2" "the compiler has no -m32"
fi
finish
