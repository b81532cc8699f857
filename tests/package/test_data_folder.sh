#!/usr/bin/env bash
# The example data is what data/make.sh makes, and has the sizes that data/README.md says.
. "$(dirname "$0")/../shell.sh"
begin data-folder
check "make.sh runs" data/make.sh "$ireland" "$dir"
for file in data/*.csv data/*.json; do check "$file is made again byte for byte" cmp "$file" "$dir/$(basename "$file")"; done
sizes() { "$ireland" info "$1" --json | tr -d ' ,"' | awk -F: '/^(samples|features|cases):/ { printf "%s ", $2 }'; }
for file in data/*.csv; do
  row=$(grep "^| $(basename "$file") " data/README.md | awk -F'|' '{ gsub(/ x /, " ", $3); print $3, $4 }' | xargs)
  check "$file has the sizes of its README row ($row)" test "$(sizes "$file" | xargs)" = "$row"
done
finish
