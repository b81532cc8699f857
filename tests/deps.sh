#!/usr/bin/env bash
# Installs what building and testing need, where apt-get exists; elsewhere says what is missing.
# Does nothing if all is there. The tests skip, with a reason, what an optional tool would check.
set -u
needed="gcc make libopenblas-dev libxxhash-dev"
optional="g++ clang clang-format libomp-dev plink1.9 glpk-utils coinor-cbc python3 valgrind chromium r-base-core pkg-config man-db mandoc locales
  python3-numpy python3-pandas python3-sklearn"

if ! command -v apt-get >/dev/null; then
  missing=""
  for header in xxhash.h cblas.h; do
    echo "#include <$header>" | ${CC:-cc} -E -x c - >/dev/null 2>&1 || missing="$missing $header"
  done
  if [ -z "$missing" ]; then exit 0; fi
  echo "deps: these headers are missing:$missing (packages xxHash and OpenBLAS, with development files)" >&2
  exit 1
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

sudo=""
if [ "$(id -u)" != 0 ]; then sudo="sudo"; fi
echo "deps: installing$wanted"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
for package in $wanted; do
  if $sudo apt-get install -y -qq --no-install-recommends "$package" >/dev/null; then continue; fi
  case " $needed " in
  *" $package "*) echo "deps: $package could not be installed" >&2; exit 1 ;;
  *) echo "deps: $package could not be installed; the tests that use it will be skipped" >&2 ;;
  esac
done
