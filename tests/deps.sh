#!/usr/bin/env bash
# Installs what building and testing need, where apt-get exists; elsewhere says what is missing.
# Does nothing if all is there. The tests skip, with a reason, what an optional tool would check.
#   tests/deps.sh            for building and testing here
#   tests/deps.sh web        for `make web` as well: emscripten and npm, which are large
#   tests/deps.sh machines   for `make machines`: cross compilers, libraries of these machines beside those of this one, qemu
set -u
needed="gcc make"
optional="libxxhash-dev libopenblas-dev zlib1g-dev libhts-dev g++ clang clang-format libomp-dev plink1.9 bcftools glpk-utils coinor-cbc python3 sqlite3 nodejs valgrind chromium r-base-core pkg-config cmake zsh fish man-db mandoc locales
  python3-numpy python3-pandas python3-sklearn python3-matplotlib python3-setuptools python3-wheel python3-pip python3-venv mypy
  r-cran-tinytest r-cran-knitr r-cran-rmarkdown r-cran-matrix qpdf"
[ "${1:-}" = web ] && optional="$optional emscripten npm"

if ! command -v apt-get >/dev/null; then
  missing=""
  for header in xxhash.h cblas.h zlib.h; do
    echo "#include <$header>" | ${CC:-cc} -E -x c - >/dev/null 2>&1 || missing="$missing $header"
  done
  [ -z "$missing" ] || echo "deps: these headers are missing:$missing (packages xxHash, OpenBLAS and zlib, with development files)" >&2
  exit 0 # it builds without them: hashes and dense factorisations are slower, compressed files are not read
fi

sudo=""
if [ "$(id -u)" != 0 ]; then sudo="sudo"; fi
export DEBIAN_FRONTEND=noninteractive

if [ "${1:-}" = machines ]; then
  wanted="qemu-user locales gcc-aarch64-linux-gnu gcc-i686-linux-gnu gcc-s390x-linux-gnu libc6-dev-arm64-cross libc6-dev-i386-cross libc6-dev-s390x-cross"
  for machine in arm64 i386 s390x; do
    $sudo dpkg --add-architecture $machine
    wanted="$wanted libopenblas-pthread-dev:$machine libxxhash-dev:$machine zlib1g-dev:$machine libgomp1:$machine"
  done
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  exec $sudo apt-get install -y -qq --no-install-recommends --no-remove $wanted
fi

absent() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed' || echo "$package"
  done
}

# A compiler, make or clang from elsewhere will do.
wanted=""
for package in $(absent $needed $optional); do
  command -v "$package" >/dev/null || wanted="$wanted $package"
done
[ -z "$wanted" ] && exit 0

echo "deps: installing$wanted"
$sudo apt-get update -qq
for package in $wanted; do
  if $sudo apt-get install -y -qq --no-install-recommends "$package" >/dev/null; then continue; fi
  case " $needed " in
  *" $package "*) echo "deps: $package could not be installed" >&2; exit 1 ;;
  *) echo "deps: $package could not be installed; the tests that use it will be skipped" >&2 ;;
  esac
done
