#!/usr/bin/env bash
# The Python package as a user has it: the wheel is built from the source distribution and installed into a fresh environment beside
# the NumPy, pandas and scikit-learn that are here; python_suite.py and python_features.py run there. Then the ways to install it,
# its types, and a few tests with the library of this flavour.
. "$(dirname "$0")/../shell.sh"
begin python
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours
export OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1 TEST_DIR=$PWD/$dir PIP_DISABLE_PIP_VERSION_CHECK=1
case $ireland in /*) ;; *) ireland=$PWD/$ireland ;; esac
export IRELAND=$ireland
python="" wanted="import numpy, setuptools, wheel, pip, venv, ensurepip"
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
  [ -n "$candidate" ] && "$candidate" -c "$wanted" 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
  skip python "needs python3 with NumPy, setuptools, wheel, pip and venv (make deps)"
  finish
fi

# ---- the wheel in an environment of its own ----
check wheel quietly make wheel PYTHON="$python" CC="$cc"
check "environment" quietly "$python" -m venv --system-site-packages "$dir/venv"
check "pip install" quietly "$dir/venv/bin/pip" install --no-index --no-deps build/python/*.whl
inside=$PWD/$dir/venv/bin/python
found=$(cd / && "$inside" -c 'import ireland; print(ireland.library_path())')
check "it brings its library" bash -c "case '$found' in */venv/lib/*/ireland/libireland.*) ;; *) false ;; esac"
[ -n "$found" ] || finish
if command -v ldd >/dev/null; then
  check "which needs no other but the compiler's" bash -c "! ldd '$found' | grep -E 'not found|openblas|xxhash|libz\.'"
fi
if hardened "$found"; then check "it has stack canaries" holds -sW "$found" __stack_chk_fail; else skip hardening "this machine has no readelf"; fi
version=$(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
check "it has the version of the header" [ "$("$inside" -c 'import ireland; print(ireland.__version__)')" = "$version" ]
check "it has ireland-check" quietly "$dir/venv/bin/ireland-check" --help
check "it has ireland-veripb" quietly "$dir/venv/bin/ireland-veripb" --help
check "pip knows it" bash -c "'$dir/venv/bin/pip' show ireland | grep -x 'Version: $version' >/dev/null"

# suite FILE: its tests, counted with ours.
suite() {
  "$inside" "tests/package/$1" | tee "$dir/out" | grep -v '^counts'
  read -r _ good bad left < <(grep '^counts' "$dir/out" || echo counts 0 1 0)
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
}
suite python_suite.py
suite python_features.py
library=$(dirname "$ireland")/libireland.so.0
case $ireland in
*asan* | *tsan*) skip "the library of this flavour" "one with sanitizers does not go into another program" ;;
*)
  if [ -e "$library" ]; then
    export IRELAND_LIBRARY=$library PYTHON_ONLY="numbers_and_missing_values frames types_of_frames a_cnf_is_the_negation proofs_and_certificates curves
      cross_validation sparse_matrices exceptions_at_any_moment mistakes_are_said"
    PYTHON_ALARMS=20 suite python_suite.py
    suite python_features.py
    unset IRELAND_LIBRARY PYTHON_ONLY
  else
    skip "the library of this flavour" "$library was not built"
  fi
  ;;
esac

# ---- types ----
if command -v mypy >/dev/null; then
  check "mypy --strict" quietly mypy --strict --no-incremental --cache-dir="$dir/mypy" src/python/ireland
else
  skip "mypy --strict" "there is no mypy"
fi

# ---- from the sources, as `pip install ./src/python` does; without optimisation, which is quicker here ----
mkdir -p "$dir/tree" && cp -r src include LICENSE Makefile "$dir/tree"
check "pip install of the sources" quietly env CFLAGS=-O0 CC="$cc" IRELAND_OPENMP=0 "$python" -m pip install -q --no-index --no-deps --no-build-isolation --target "$dir/target" "$dir/tree/src/python"
rule=$(PYTHONPATH=$dir/target "$python" -c '
import numpy as np
from ireland import RuleClassifier
X = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 5)
print(RuleClassifier(K=1, M=1).fit(X, X[:, 1]).rule_)')
check "it learns" [ "$rule" = "(x1)" ]

# ---- beside its own installation, without any help ----
prefix=$PWD/$dir/usr
mkdir -p "$prefix/share/ireland/python/ireland" "$prefix/lib"
cp src/python/ireland/*.py "$prefix/share/ireland/python/ireland"
cp "$dir/venv"/lib/*/site-packages/ireland/libireland.so "$prefix/lib/libireland.so.0"
found=$(cd / && env -u IRELAND_LIBRARY PYTHONPATH="$prefix/share/ireland/python" "$python" -c 'import ireland; print(ireland.library_path())')
check "one of make install finds its library" [ "$found" = "$prefix/lib/libireland.so.0" ]
finish
