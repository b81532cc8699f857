#!/usr/bin/env bash
# The engine in WebAssembly against the native program on one thread: bench/scripts/web.sh IRELAND, after `make web`.
# Seconds of user time, the least of three runs each, interleaved: proofs of 1,000 x 1,000 and a longer search. The first run of
# the engine compiles it; the others are of a page that has been used.
set -eu
ireland=${1:?usage: bench/scripts/web.sh IRELAND}
dir=build/bench/web
mkdir -p $dir
[ -f build/web/engine.js ] || { echo "web.sh: make web first" >&2; exit 1; }
cat >$dir/run.mjs <<'EOF'
import {readFileSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
const [ireland, file, ...options] = process.argv.slice(2);
const irelandJob = new Function(readFileSync('src/web/job.js', 'utf8') + '\nreturn irelandJob;')();
const create = createRequire(import.meta.url)(resolve('build/web/engine.js'));
const compiled = await WebAssembly.compile(readFileSync('build/web/engine.wasm'));
const words = ['fit', 'data.irb', ...options, '--quiet'];
const files = [{name: 'data.irb', data: new Uint8Array(readFileSync(file))}];
/* Of this process, or of its children that have ended. */
const timed = async body => {
  const before = process.resourceUsage().userCPUTime;
  const answer = await body();
  return [answer, (process.resourceUsage().userCPUTime - before) / 1e6];
};
const native = env => {
  const done = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time "$@"', '-', ireland, 'fit', file, ...options, '--threads', '1', '--quiet'], {encoding: 'utf8', env: {...process.env, ...env}});
  return [done.stdout, Number(done.stderr.trim().split('\n').pop())];
};
const least = {first: 0, warm: Infinity, native: Infinity, scalar: Infinity};
for (let i = 0; i < 4; i++) {
  const [answer, time] = await timed(() => irelandJob(create, compiled, {words, files}));
  const [text, nativeTime] = native({}), [, scalarTime] = native({IRELAND_KERNEL: 'scalar'});
  if (answer.out !== text) throw new Error('the answers differ');
  if (i === 0) least.first = time;
  else least.warm = Math.min(least.warm, time);
  least.native = Math.min(least.native, nativeTime);
  least.scalar = Math.min(least.scalar, scalarTime);
}
const column = value => value.toFixed(2).padStart(8);
console.log(column(least.native) + column(least.scalar) + column(least.first) + column(least.warm) + '   ' + (least.warm / least.native).toFixed(2) + '  ' + (least.warm / least.scalar).toFixed(2) + '  ' + options.join(' '));
EOF
echo "  native  scalar   first    warm   warm/native  warm/scalar"
for seed in 1 2; do
  "$ireland" generate -N 1000 -J 1000 -K 3 -M 3 --noise 0.025 --seed $seed -o $dir/$seed.irb >/dev/null 
  node $dir/run.mjs "$ireland" $dir/$seed.irb -K 3 -M 3 --prove
done
"$ireland" generate -N 1000 -J 1000 -K 10 -M 4 --noise 0.025 --seed 3 -o $dir/3.irb >/dev/null 
node $dir/run.mjs "$ireland" $dir/3.irb -K 3 -M 3 --prove --work-limit 400000000
