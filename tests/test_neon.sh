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
  if aarch64-linux-gnu-gcc -std=gnu11 -O2 -static -fopenmp -Iinclude -Isrc -Itests \
    src/base/{env,status,memory,random,clock}.c src/bits/*.c tests/test_bits.c -o "$out/test_bits" 2>"$out/log" &&
    qemu-aarch64 "$out/test_bits" | tee "$out/output" | grep 'kernel neon' && ! grep '^FAIL' "$out/output"; then
    echo "PASS neon kernels equal the scalar ones"
    echo "Pass: 1, fail: 0, skip: 0."
    exit 0
  fi
  echo "FAIL neon kernels under qemu"
  tail -n 20 "$out/log" "$out/output"
  echo "Pass: 0, fail: 1, skip: 0."
  exit 1
fi
echo "Pass: 0, fail: 0, skip: 1."
