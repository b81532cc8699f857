#!/usr/bin/env bash
# The example data is what data/make.sh makes, and has the sizes that data/README.md says.
set -u
ireland=${IRELAND:-./ireland}
out=build/test-data-folder
passed=0 failed=0
check() { # name, command...
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); echo "PASS $name"; else failed=$((failed + 1)); echo "FAIL $name"; fi
}
rm -rf "$out"
check "make.sh runs" data/make.sh "$ireland" "$out"
for file in data/*.csv data/*.json; do check "$file is made again byte for byte" cmp "$file" "$out/$(basename "$file")"; done
sizes() { "$ireland" info "$1" --json | tr -d ' ,"' | awk -F: '/^(samples|features|cases):/ { printf "%s ", $2 }'; }
for file in data/*.csv; do
  row=$(grep "^| $(basename "$file") " data/README.md | awk -F'|' '{ gsub(/ x /, " ", $3); print $3, $4 }' | xargs)
  check "$file has the sizes of its README row ($row)" test "$(sizes "$file" | xargs)" = "$row"
done
echo "Pass: $passed, fail: $failed, skip: 0."
exit $((failed > 0))
