#!/usr/bin/env bash
# `make test-web`: the engine against the native program, the page in Chromium, the npm package. Skips, with a reason, what lacks its tool.
. "$(dirname "$0")/../shell.sh"
begin web
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
page=build/web/ireland.html modules=build/web/node
sets=../shared/datasets
heart=$(ls $sets/heart_cleveland.csv 2>/dev/null || true)

# lines: results that a script has printed.
lines() {
  local word rest
  while read -r word rest; do
    case $word in
    PASS) pass "$rest" ;;
    FAIL) fail "${rest%%: *}" "${rest#*: }" ;;
    esac
  done <"$1"
}

for file in src/report/page/*.js src/web/*.js src/web/*.mjs src/web/page/*.js src/web/npm/*.mjs tests/web/*.mjs; do check "$file" node --check "$file"; done
check "no file is longer than 500 lines" [ -z "$(wc -l src/web/*.* src/web/*/* | awk '$2 != "total" && $1 > 500')" ]

python3 tests/support/make_genotypes.py "$dir/g" --people 200 --variants 60 >/dev/null
node tests/web/same.mjs "$ireland" build/web/engine.js data "$dir/same" "${SEED:-$RANDOM}" "$dir/g.pheno" "$dir/g.vcf" "$dir/g.vcf.gz" $heart >"$dir/same.log" 2>"$dir/err"
check "the comparison came to its end" [ $? = 0 ]
lines "$dir/same.log"
check "at least 80 comparisons" [ "$(grep -c ^PASS "$dir/same.log")" -ge 80 ]

if ! command -v npm >/dev/null; then
  skip npm "needs npm"
  finish
fi
mkdir -p "$dir/npm"
(cd "$dir/npm" && npm init -y && npm install --no-audit --no-fund --offline ../../web/npm/ireland-rules-*.tgz) >"$dir/err" 2>&1
check "npm installs the tarball" [ -f "$dir/npm/node_modules/ireland-rules/ireland.mjs" ]
node tests/web/npm.mjs "$dir/npm" data >"$dir/npm.log" 2>"$dir/err"
check "the tests of the package came to their end" [ $? = 0 ]
lines "$dir/npm.log"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  skip browser "needs chromium (make deps)"
  finish
fi
[ -d $modules/node_modules/puppeteer-core ] || npm install --no-audit --no-fund --prefix $modules puppeteer-core >"$dir/err" 2>&1
if [ ! -d $modules/node_modules/puppeteer-core ]; then
  skip browser "npm cannot fetch puppeteer-core, which drives chromium"
  finish
fi
node tests/web/browser.mjs $page $modules "$browser" "$dir/walk" $heart >"$dir/walk.log" 2>"$dir/err"
check "the walk came to its end" [ $? = 0 ]
lines "$dir/walk.log"
finish
