#!/usr/bin/env bash
# The suites and the same fits on other machines: cross-built with Debian's compilers and packages (`make machine-deps` installs
# them), run under qemu-user where this CPU cannot.
#
#   tests/machines/machines.sh [MACHINE...]      aarch64 (NEON), i386 (32 bits), s390x (big-endian); without a name all of them
#
# SUITES names suites to run instead of all that make sense there, as SUITES='test_bits test_cli.sh'; those that are slow under
# emulation are only run if they are named. IRELAND_KERNEL=scalar takes these kernels. What is missing is skipped with a reason.
# The last line is 'Machines passed: 2, failed: 0, skipped: 1.'.
set -u
cd "$(dirname "$0")/../.." || exit 2
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
passed=0 failed=0 skipped=0

# Suites about building, packages and this machine rather than about the program.
elsewhere="test_bench.sh test_build.sh test_cross.sh test_dist.sh test_faults.sh test_greatest test_header.sh test_install.sh test_locale.sh
  test_machines.sh test_python.sh test_readme.sh"
# Suites that take many minutes under emulation: long searches, or thousands of them.
slow="test_agree test_brcg test_clause_bnb test_clause_enumerate test_clause_solve test_csv test_curve test_cv test_fit test_hooks test_checkpoint
  test_learn test_load test_memory test_memory_search test_mutants test_bp test_curve.sh test_cv.sh test_fit.sh test_hostile.sh"

# describe MACHINE: sets compiler, flags, emulator, package.
describe() {
  flags='' emulator=qemu-$1 package=$1
  case $1 in
  aarch64) compiler=aarch64-linux-gnu-gcc package=arm64 ;;
  i386) compiler=i686-linux-gnu-gcc emulator='' ;;
  s390x) compiler=s390x-linux-gnu-gcc ;;
  *) echo "machines: '$1' is none of aarch64, i386, s390x" >&2 && exit 2 ;;
  esac
  build=build/machine-$1
}

# missing: what building and running programs would need and is not there.
missing() {
  command -v "$compiler" >/dev/null || echo "gcc-${compiler%-gcc}"
  [ -z "$emulator" ] || command -v "$emulator" >/dev/null || echo qemu-user
  mkdir -p "$build"
  printf '#include <cblas.h>\n#include <xxhash.h>\nint main(void) { return !XXH_versionNumber(); }\n' >"$build/probe.c"
  # shellcheck disable=SC2086
  $compiler -fopenmp $flags "$build/probe.c" -lopenblas -lxxhash -o "$build/probe" 2>/dev/null && $emulator "$build/probe" ||
    echo "lib{openblas-dev,xxhash-dev,gomp1}:$package"
}

suites() {
  local name without=" $(echo $elsewhere) "
  [ -z "$emulator" ] || without+="$(echo $slow) "
  for name in $(ls tests/unit/*/test_*.c tests/*/test_*.c tests/*/test_*.sh | grep -v '^tests/mpi/' | xargs -n 1 basename); do
    [[ $without == *" ${name%.c} "* ]] || echo "${name%.c}"
  done
}

# wrap PROGRAM NAME [SETTING...]: a script of that name that runs it.
wrap() {
  local program=$1 script=$build/run/$2
  shift 2
  mkdir -p "$build/run"
  printf '#!/bin/sh\nexec env %s %s "%s" "$@"\n' "$*" "$emulator" "$PWD/$program" >"$script"
  chmod +x "$script"
}

# try_machine NAME: builds what is needed, runs the suites, compares the fits.
try_machine() {
  local name targets=("$build/ireland") paths=() machines=$PWD/$build/run/ireland
  for name in ${SUITES:-$(suites)}; do
    [[ $name == *.sh ]] && paths+=(tests/*/"$name") && continue
    targets+=("$build/tests/$name") paths+=("$build/run/$name")
    wrap "$build/tests/$name" "$name"
  done
  make --no-print-directory -j"$(nproc)" CC="$compiler" AR="${compiler%gcc}gcc-ar" dir="$build" ASSERTIONS= CFLAGS="$flags" "${targets[@]}" || return 1
  wrap "$build/ireland" ireland
  if [ "$1" = aarch64 ]; then
    wrap "$build/ireland" ireland-scalar IRELAND_KERNEL=scalar
    machines+=" $machines-scalar"
  fi
  IRELAND=$PWD/$build/run/ireland tests/run.sh "${paths[@]}" || return 1
  MACHINES=$machines bash tests/machines/test_machines.sh
}

for machine in "${@:-aarch64 i386 s390x}"; do
  for name in $machine; do
    describe "$name"
    needs=$(missing)
    if [ -n "$needs" ]; then
      echo "SKIP $name: needs" $needs && skipped=$((skipped + 1))
    elif echo "---- $name" && try_machine "$name"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
    fi
  done
done
echo "Machines passed: $passed, failed: $failed, skipped: $skipped."
exit $((failed > 0))
