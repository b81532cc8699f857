#!/usr/bin/env bash
# Answers do not depend on the clock: with one that jumps ahead, so that progress is shown and checkpoints are saved at other moments,
# they are the same bytes but for the times.
. "$(dirname "$0")/../shell.sh"
begin clock
export OMP_WAIT_POLICY=passive

if ! "$cc" -shared -fPIC -O1 -o "$dir/clock.so" "$(dirname "$0")/jumping_clock.c" -ldl 2>"$dir/err"; then
  skip clock "no shared library can be made: $(head -n 1 "$dir/err")"
  finish
fi
clock=$PWD/$dir/clock.so
if ! LD_PRELOAD=$clock "$ireland" --version >/dev/null 2>"$dir/err" || [ -s "$dir/err" ]; then
  skip clock "no library can be loaded before this program: $(head -n 1 "$dir/err")"
  finish
fi

"$ireland" generate -N 150 -J 30 -K 3 -M 2 --noise 0.1 --seed 2 -o "$dir/d.irb" --quiet || exit 1
"$ireland" model "$dir/d.irb" --form bp4 -K 2 -M 2 -o "$dir/m.mps" --quiet || exit 1
awk 'BEGIN { OFS = ","; srand(5); print "a,b,c,d,y"; for (i = 0; i < 80; i++) print rand() < 0.5, int(4 * rand()), rand(), int(9 * rand()), rand() < 0.4 }' >"$dir/t.csv"
cat >"$dir/s.csv" <<END
rs1_A,g,b,s,w,label
0,,2,4,0,2
1,1.25,1.25,2,1,2
2,10,,2,1,2
0,0.5,0.5,3,1,2
1,10,2,2,1,1
2,0.5,10,1,0,1
0,1.25,2,3,0,2
1,1.25,10,,1,2
2,0.5,10,1,1,1
0,1.25,10,3,1,2
2,10,,2,1,2
2,1.25,1.25,2,1,2
1,1.25,1.25,2,1,2
2,0.5,2,4,2,1
2,1.25,2,3,1,2
END

# timeless FILE: without times and memory.
timeless() { grep -vE '"(seconds|best_seconds|peak_mb|reading|searching|refining|proving|shortening|finishing)"' "$1"; }

while read -r name command; do
  for way in "" "$clock"; do
    # shellcheck disable=SC2086
    LD_PRELOAD=$way "$ireland" ${command//@/$dir} --json --quiet >"$dir/out" 2>"$dir/err" </dev/null
    echo "exit code $?" >>"$dir/out"
    timeless "$dir/out" >"$dir/$name${way:+.jumping}"
  done
  check "$name" cmp -s "$dir/$name" "$dir/$name.jumping"
  check "$name-answers" grep -q 'exit code 0' "$dir/$name"
done <<END
fit fit @/d.irb -K 3 -M 2
prove fit @/d.irb -K 3 -M 2 --prove
threads fit @/d.irb -K 3 -M 3 --prove --threads 2 --penalty 0.002
checkpoint fit @/d.irb -K 3 -M 2 --prove --checkpoint @/k.bin
brcg fit @/d.irb -K 2 -M 2 --method brcg
bp2 fit @/d.irb -K 2 -M 2 --method bp2 --no-start
bp4 fit @/s.csv --positive 2 --type rs1_A=snp --forbid rs1_A:rec --weight-column w --method bp4 --no-start --negations --permutations 2 -K 3
plain fit @/s.csv --positive 2 --method bp3 --plain -K 1 -M 2 --ignore g,b --work-limit 1e8
solve solve @/m.mps
extras fit @/t.csv -K 2 -M 2 --stability 10 --permutations 9 --validate bootstrap
curve curve @/d.irb -K 2 -M 2 --prove
cv cv @/t.csv -K 1..3 -M 1..2
tune fit @/t.csv --tune -K 1..2 -M 1..2
clause clause @/d.irb -M 3
END
finish
