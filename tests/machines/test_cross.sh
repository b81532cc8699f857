#!/usr/bin/env bash
# A quick look at other machines: the kernels and the byte order of files, cross-compiled and run under qemu where this CPU cannot.
# `make machines` runs everything there is.
. "$(dirname "$0")/../shell.sh"
begin cross
top=$PWD

# build MACHINE PROGRAMS...: what they need of the library, once, and the programs.
build() {
  local out=$dir/$1 name
  shift
  mkdir -p "$out"
  # shellcheck disable=SC2086
  (cd "$out" && $compiler -std=gnu11 -O1 $flags -fopenmp -I"$top"/{include,src} -c "$top"/src/bits/*.c "$top"/src/base/*.c) || return 1
  for name in "$@"; do
    # shellcheck disable=SC2086
    $compiler -std=gnu11 -O1 $flags -fopenmp -Iinclude -Isrc -Itests/support tests/unit/*/"$name.c" "$out"/*.o -static -lxxhash -lm -o "$out/$name" || return 1
  done
}

# cross MACHINE KERNEL PROGRAMS...: by $compiler, $flags and $emulator; the programs pass, and test_bits tried that kernel.
cross() {
  local machine=$1 kernel=$2 name
  shift 2
  if ! command -v $compiler >/dev/null || { [ "$emulator" ] && ! command -v $emulator >/dev/null; } ||
    ! echo '#include <xxhash.h>' | $compiler -E -x c - >/dev/null 2>&1; then
    skip "$machine" "needs $compiler, libxxhash-dev of that machine${emulator:+ and $emulator} (make machine-deps)"
    return
  fi
  if ! build "$machine" "$@" >"$dir/log" 2>&1; then
    fail "$machine" "does not build: $(tail -n 20 "$dir/log")"
    return
  fi
  for name in "$@"; do
    check "$machine-$name" quietly $emulator "$dir/$machine/$name" -v
    [ $name != test_bits ] || check "$machine-$kernel" grep -q "kernel $kernel" "$dir/log"
  done
}

compiler=aarch64-linux-gnu-gcc flags='' emulator=qemu-aarch64
[ "$(uname -m)" = aarch64 ] && emulator=
cross aarch64 neon test_bits test_clause_kernels test_endian
compiler=s390x-linux-gnu-gcc emulator=qemu-s390x
cross s390x scalar test_bits test_endian
compiler=i686-linux-gnu-gcc flags='-msse2 -mfpmath=sse' emulator=
if [ "$(uname -m)" = x86_64 ]; then cross i386 scalar test_bits test_endian; else skip i386 "its programs run on x86-64 only"; fi
finish
