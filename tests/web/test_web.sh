#!/usr/bin/env bash
# What the page is made of compiles. The engine in WebAssembly, if `make web` has built it: a fit is the same as the native one.
# `make test-web` looks at everything.
. "$(dirname "$0")/../shell.sh"
begin web-smoke
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
check "every file of the page compiles" quietly make --no-print-directory CC="$cc" web-syntax
if [ ! -f build/web/ireland.html ] || ! command -v node >/dev/null; then
  skip web "needs node and the page, which 'make web' builds with emscripten (make deps web)"
  finish
fi
if [ -n "$(find src include -name '*.[ch]' -newer build/web/engine.wasm -print -quit)" ]; then
  skip web "the page is older than the sources: make web"
  finish
fi
cat >"$dir/fit.mjs" <<'EOF'
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
const irelandJob = new Function(readFileSync('src/web/job.js', 'utf8') + '\nreturn irelandJob;')();
const create = createRequire(import.meta.url)(resolve('build/web/engine.js'));
const compiled = await WebAssembly.compile(readFileSync('build/web/engine.wasm'));
const files = [{name: 'monks3.csv', data: new Uint8Array(readFileSync('data/monks3.csv'))}];
const words = ['fit', 'monks3.csv', '-K', '2', '-M', '2', '--negations', '--prove', '--quiet', '-o', 'rule.json', '--certificate', 'proof.txt'];
const answer = await irelandJob(create, compiled, {words, files, outputs: ['rule.json', 'proof.txt']});
writeFileSync(process.argv[2] + '/web.out', answer.out);
for (const [name, bytes] of Object.entries(answer.files)) writeFileSync(process.argv[2] + '/web.' + name, bytes);
process.exit(answer.code);
EOF
check "the engine learns" node "$dir/fit.mjs" "$dir"
run fit data/monks3.csv -K 2 -M 2 --negations --prove --quiet -o "$dir/rule.json" --certificate "$dir/proof.txt"
for name in out rule.json proof.txt; do check "the same $name as the program" cmp "$dir/$name" "$dir/web.$name"; done
finish
