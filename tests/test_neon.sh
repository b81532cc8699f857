#!/usr/bin/env bash
# The NEON kernels on a machine that has none: cross-compiled and run under qemu, if both are there.
. "$(dirname "$0")/shell.sh"
begin neon
if [ "$(uname -m)" = aarch64 ]; then
  skip neon "this machine has NEON, test_bits covers it"
elif ! command -v aarch64-linux-gnu-gcc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
  skip neon "needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user"
else
  for name in test_bits test_clause_kernels; do
    if aarch64-linux-gnu-gcc -std=gnu11 -O2 -static -fopenmp -Iinclude -Isrc -Itests \
      src/base/{env,watch,status,memory,random,clock}.c src/bits/*.c "tests/$name.c" -o "$dir/$name" 2>"$dir/log" &&
      qemu-aarch64 "$dir/$name" -v >"$dir/output" && grep -q 'neon' "$dir/output" && ! grep '^FAIL' "$dir/output"; then
      pass "$name: neon kernels equal the scalar ones"
    else
      fail "$name" "neon kernels under qemu: $(tail -n 20 "$dir/log" "$dir/output")"
    fi
  done
fi
finish
