#!/usr/bin/env bash
# The documents name what is there: files, functions at their stops, targets of make, suites and links.
. "$(dirname "$0")/../shell.sh"
begin documents
documents=$(ls README.md bench/README.md bench/results/*.md data/README.md src/doc/*.md .github/*.md)

# missing_files DOCUMENT: words in backquotes that look like files and are none, seen from the top, from src, or beside the document.
missing_files() {
  grep -oE '`[A-Za-z_.]+(/[A-Za-z_0-9.-]+)+`' "$1" | tr -d '`' | grep -E '\.(c|h|sh|py|md|mk|csv|svg|cff|in)$' | grep -vE '^build/|NAME|FORMAT|ROOM' | sort -u | while read -r name; do
    [ -e "$name" ] || [ -e "src/$name" ] || [ -e "$(dirname "$1")/$name" ] || echo "$name"
  done
}
# missing_stops DOCUMENT: `room/file.c:function` that the file does not define.
missing_stops() {
  grep -oE '`[a-z_]+/[a-z_0-9]+\.[ch]:[a-zA-Z_0-9]+`' "$1" | tr -d '`' | sort -u | while IFS=: read -r file name; do
    grep -qE "^[a-z].*[ *]$name\(" "src/$file" 2>/dev/null || echo "$file:$name"
  done
}
# missing_targets DOCUMENT: `make TARGET` of which make knows nothing.
missing_targets() {
  grep -oE '`make [^`]+' "$1" | sed 's/`make //' | tr ' ' '\n' | grep -xE '[a-z-]+' | sort -u | while read -r target; do
    grep -qE "^$target:|^\.PHONY:.* $target( |$)" Makefile src/*/*.mk tests/*/*.mk || echo "$target"
  done
}
missing_links() {
  grep -oE '\]\([^)#:]+\)' "$1" | sed 's/](\(.*\))/\1/' | while read -r link; do [ -e "$(dirname "$1")/$link" ] || echo "$link"; done
}
# nothing NAME TEXT: passes if the text is empty.
nothing() { if [ -z "$2" ]; then pass "$1"; else fail "$1" "not there: $(echo $2)"; fi; }

for document in $documents; do
  nothing "files of $document" "$(missing_files "$document")"
  nothing "functions of $document" "$(missing_stops "$document")"
  nothing "targets of $document" "$(missing_targets "$document")"
  nothing "links of $document" "$(missing_links "$document")"
done

# Every room stands in the list of architecture.md, in the order of the layers that tests/check.sh has.
sed -n 's/^- `\([a-z]*\)`: .*/\1/p' src/doc/architecture.md >"$dir/got"
sed -n 's/^layers="\(.*\)"/\1 cli mpi/p' tests/check.sh | tr ' ' '\n' >"$dir/expected"
agree "rooms in their order"
check "the walk has stops" [ "$(grep -oE '`[a-z_]+/[a-z_0-9]+\.[ch]:[a-zA-Z_0-9]+`' src/doc/architecture.md | wc -l)" -ge 30 ]
# The tables that show each proof method: | `method` | `words of generate` | `words of fit` | ...
sed -n 's/^ *| `\([a-z_]*\)` | `\(-N [^`]*\)` | `\([^`]*\)` |.*/\1\t\2\t\3/p' src/doc/architecture.md >"$dir/methods"
while IFS=$'\t' read -r method generate fit; do
  "$ireland" generate $generate -o "$dir/method.irb" --quiet
  run fit "$dir/method.irb" $fit --prove --validate none --json --quiet
  check "proven by $method" grep -q "\"proven_by\": \"$method\"" "$dir/out"
done <"$dir/methods"
check "each proof method has a table" [ "$(wc -l <"$dir/methods")" = "$(grep -c '^  METHOD(' src/search/proof.h)" ]
check "the version is cited" grep -qx "version: $(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)" .github/CITATION.cff
finish
