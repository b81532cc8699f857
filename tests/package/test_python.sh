#!/usr/bin/env bash
# The Python classifier with the NumPy, pandas and scikit-learn that are here (python_suite.py), and that an installed one finds its library.
. "$(dirname "$0")/../shell.sh"
begin python
export OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1 TEST_DIR=$dir
python=""
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do # one that has NumPy, or else any
  [ -n "$candidate" ] && "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
case $ireland in
*asan* | *tsan*) python="" ; reason="a library with sanitizers does not go into another program" ;;
*) reason="needs python3 with NumPy" ;;
esac
if [ -z "$python" ]; then
  skip python "$reason"
  finish
fi

library=$(cd "$(dirname "$ireland")" && pwd)/libireland.so.0
[ -e "$library" ] || library=$PWD/libireland.so.0
PYTHONPATH=src/python IRELAND_LIBRARY=$library IRELAND=$ireland "$python" tests/package/python_suite.py | tee "$dir/out"
read -r _ passed failed skipped < <(grep '^counts' "$dir/out" || echo counts 0 1 0)

# Beside its own installation, without any help.
prefix=$PWD/$dir/usr
mkdir -p "$prefix/share/ireland/python" "$prefix/lib"
cp src/python/ireland.py "$prefix/share/ireland/python" && cp "$library" "$prefix/lib"
found=$(cd / && env -u IRELAND_LIBRARY PYTHONPATH="$prefix/share/ireland/python" "$python" -c 'import ireland; print(ireland.library_path())')
check "an installed one finds its library" [ "$found" = "$prefix/lib/libireland.so.0" ]
version=$(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
check "it has the version of the header" grep -qx "__version__ = \"$version\"" src/python/ireland.py
finish
