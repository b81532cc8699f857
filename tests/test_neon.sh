#!/usr/bin/env bash
# The NEON kernels on a machine that has none: cross-compiled and run under qemu, if both are there.
set -u
out=build/test-neon
if [ "$(uname -m)" = aarch64 ]; then
  echo "SKIP neon: this machine has NEON, test_bits covers it"
elif ! command -v aarch64-linux-gnu-gcc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
  echo "SKIP neon: needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user"
else
  mkdir -p "$out"
  failed=0
  for name in test_bits test_clause_kernels; do
    if aarch64-linux-gnu-gcc -std=gnu11 -O2 -static -fopenmp -Iinclude -Isrc -Itests \
      src/base/{env,status,memory,random,clock}.c src/bits/*.c "tests/$name.c" -o "$out/$name" 2>"$out/log" &&
      qemu-aarch64 "$out/$name" -v >"$out/output" && grep -q 'neon' "$out/output" && ! grep '^FAIL' "$out/output"; then
      echo "PASS $name: neon kernels equal the scalar ones"
    else
      echo "FAIL $name: neon kernels under qemu"
      tail -n 20 "$out/log" "$out/output"
      failed=$((failed + 1))
    fi
  done
  echo "Pass: $((2 - failed)), fail: $failed, skip: 0."
  exit "$((failed > 0))"
fi
echo "Pass: 0, fail: 0, skip: 1."
