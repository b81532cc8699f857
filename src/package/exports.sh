#!/bin/sh
# The functions of the public headers, one per line in the order of the alphabet; with `map`, the version script of the shared
# library. src/package/ireland.map is made by it (`make map`), and tests/check.sh compares the two.
cd "$(dirname "$0")/../.." || exit 1
names() {
  cat include/*.h | grep -v '^#' | tr '\n' ' ' | grep -o 'IRL_API [^;]*;' | sed 's/ *(.*//; s/.*[ *]//' | LC_ALL=C sort -u
}
if [ "${1:-}" != map ]; then
  names
  exit
fi

# Nodes of earlier versions stay as they are; what none of them has is in that of this version.
map=src/package/ireland.map
node=IRELAND_$(sed -n 's/^#define IRL_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' include/ireland.h)
earlier=$(awk -v node="$node" '$1 == node { exit } /^IRELAND_/ { is_on = 1 } is_on' $map 2>/dev/null)
cat <<'HEAD'
/* What the shared library exports, by the version that a function came with: made by `make map` from
   the headers. The nodes of earlier versions stay as they are (src/doc/release.md). */
HEAD
[ "$earlier" ] && printf '%s\n' "$earlier"
echo "$node {"
echo "  global:"
names | while read -r name; do
  printf '%s\n' "$earlier" | grep -qx "    $name;" || echo "    $name;"
done
parent=$(printf '%s\n' "$earlier" | sed -n 's/^\(IRELAND_[0-9.]*\) {/\1/p' | tail -n 1)
if [ "$parent" ]; then
  echo "} $parent;"
else
  printf '  local:\n    *;\n};\n'
fi
