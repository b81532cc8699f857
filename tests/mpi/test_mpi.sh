#!/usr/bin/env bash
# ireland-mpi with 1 to 6 processes gives the files that ireland gives, and ends in order when a process dies. Needs MPI: `make test-mpi`.
# Seconds say nothing here, since the processes share two cores.
. "$(dirname "$0")/../shell.sh"
begin mpi
mpi=${IRELAND_MPI:-./ireland-mpi}
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # containers know root only
if ! command -v mpirun >/dev/null || ! command -v "${MPICC:-mpicc}" >/dev/null; then
  skip mpi "MPI is not installed (Debian: libopenmpi-dev openmpi-bin, or libmpich-dev mpich)"
  finish
fi
quietly make mpi || { fail build "$(tail -n 3 "$dir/log")"; finish; }
over=$(mpirun --version 2>&1 | grep -q 'Open MPI' && echo --oversubscribe)

# team N ARGUMENTS...: ireland-mpi with N processes; leaves $code, $dir/out, $dir/err.
team() {
  local n=$1
  shift
  timeout "$patience" mpirun $over -n "$n" "$mpi" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
}

"$ireland" generate -N 3000 -J 200 -K 3 -M 3 --noise 0.02 --seed 5 -o "$dir/d.irb" --quiet
"$ireland" convert "$dir/d.irb" "$dir/d.csv" --quiet

# ---- the same files ------------------------------------------------------------------------------
# same NAME ARGUMENTS...: fit's rule file with 1 to 6 processes and on a grid.
same() {
  local name=$1 n
  shift
  "$ireland" fit "$@" --quiet -o "$dir/expected" >/dev/null || fail "$name" "alone: $?"
  for n in 1 2 3 4 6; do
    rm -f "$dir/got"
    team $n fit "$@" --quiet -o "$dir/got"
    agree "$name-$n"
  done
  rm -f "$dir/got"
  team 4 fit "$@" --quiet --grid 2x2 -o "$dir/got"
  agree "$name-2x2"
}
same fit "$dir/d.irb" -K 3 -M 3
same prove "$dir/d.irb" -K 2 -M 2 --prove
same negations "$dir/d.irb" -K 2 -M 3 --negations --work-limit 2e8
same csv "$dir/d.csv" -K 3 -M 2
same whole "$dir/d.irb" -K 2 -M 2 --test 0.3

"$ireland" curve "$dir/d.irb" -K 3 -M 2 --csv "$dir/expected" --quiet >/dev/null
team 3 curve "$dir/d.irb" -K 3 -M 2 --csv "$dir/got" --quiet
agree curve
"$ireland" fit "$dir/d.irb" -K 3 -M 3 --quiet -o "$dir/rule.json" >/dev/null
for command in predict evaluate; do
  "$ireland" $command "$dir/rule.json" "$dir/d.irb" >"$dir/expected" 2>/dev/null
  team 3 $command "$dir/rule.json" "$dir/d.irb"
  cp "$dir/out" "$dir/got"
  agree $command
done
"$ireland" clause "$dir/d.irb" -M 3 --prove 2>/dev/null >"$dir/expected"
team 4 clause "$dir/d.irb" -M 3 --prove
cp "$dir/out" "$dir/got"
agree clause
team 3 cv "$dir/d.csv" -K 1..2 -M 1..2 --folds 3 --quiet # the first process alone
check cv [ $code = 0 ]

# ---- mistakes ------------------------------------------------------------------------------------
team 2 fit "$dir/missing.irb"
check missing-file [ $code = 3 ]
check missing-file-once [ "$(grep -c 'missing.irb: No such file' "$dir/err")" = 1 ]
team 2 fit "$dir/d.irb" --grid 3x1
check grid [ $code = 2 ]
team 2 nonsense
check command [ $code = 2 ]
team 2 fit "$dir/d.irb" --memory-limit 1
check memory [ $code = 1 ]
check memory-said grep -q 'would need' "$dir/err"
team 2 fit "$dir/d.irb" -K 1 -M 1
check memory-stated grep -q '2 processes as 2 x 1: each holds' "$dir/err"
printf 'a,b,y\n0,1,1\n0,1,0,1\n' >"$dir/bad.csv"
"$ireland" fit "$dir/bad.csv" 2>"$dir/expected" >/dev/null
team 3 fit "$dir/bad.csv"
check mistake [ $code = 3 ]
check mistake-once [ "$(grep -c 'bad.csv:3:' "$dir/err")" = 1 ]
check mistake-same grep -qF "$(grep -m 1 'bad.csv:3:' "$dir/expected")" "$dir/err"
cp "$dir/d.irb" "$dir/bad.irb"
size=$(stat -c %s "$dir/bad.irb")
printf '\377\377\377' | dd of="$dir/bad.irb" bs=1 seek=$((size - 2000)) conv=notrunc 2>/dev/null
team 2 fit "$dir/bad.irb"
check damaged [ $code = 3 ]
check damaged-said grep -q 'the checksum is wrong: the file is damaged' "$dir/err"

# Only the first process needs the file: each has a folder of its own.
mkdir -p "$dir/0" "$dir/1"
cp "$dir/d.irb" "$dir/0/x.irb"
cat >"$dir/apart.sh" <<SH
#!/bin/sh
cd "$PWD/$dir/\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" && exec "$(realpath "$mpi")" "\$@"
SH
chmod +x "$dir/apart.sh"
"$ireland" fit "$dir/d.irb" -K 2 -M 2 --quiet -o "$dir/expected" >/dev/null
timeout "$patience" mpirun $over -n 2 "$dir/apart.sh" fit x.irb -K 2 -M 2 --quiet -o "$PWD/$dir/got" >"$dir/out" 2>"$dir/err" </dev/null
code=$?
agree one-file

# ---- killed processes ----------------------------------------------------------------------------
# The run goes on from its checkpoint with another number of processes, to a rule as good.
"$ireland" generate -N 6000 -J 800 -K 6 -M 4 --noise 0.05 --seed 9 -o "$dir/long.irb" --quiet
work=6e9
"$ireland" fit "$dir/long.irb" -K 6 -M 4 --work-limit $work --quiet -o "$dir/whole" >/dev/null
loss_of() { "$ireland" evaluate "$1" "$dir/long.irb" --json | sed -n 's/.*"weighted_error": \([0-9.]*\).*/\1/p'; }
# kill_one RANK: starts a run, kills the process of that rank once there is a checkpoint.
kill_one() {
  rm -f "$dir/check" "$dir/pids"
  cat >"$dir/noted.sh" <<SH
#!/bin/sh
echo "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} \$\$" >>"$PWD/$dir/pids"
exec "$(realpath "$mpi")" "\$@"
SH
  chmod +x "$dir/noted.sh"
  timeout "$patience" mpirun $over -n 3 "$dir/noted.sh" fit "$dir/long.irb" -K 6 -M 4 --work-limit $work --checkpoint "$dir/check" -o "$dir/got" \
    >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
  await test -s "$dir/check"
  kill -9 "$(awk -v r="$1" '$1 == r { print $2 }' "$dir/pids")" 2>/dev/null
  wait $pid
  code=$?
}
for rank in 2 1 0; do
  rm -f "$dir/got"
  kill_one $rank
  check "killed-$rank" [ $code != 0 ]
  [ $rank = 0 ] || check "killed-$rank-said" grep -q 'a process of this run has ended' "$dir/err"
  check "killed-$rank-checkpoint" [ -s "$dir/check" ]
  if [ $rank = 1 ]; then
    "$ireland" fit "$dir/long.irb" -K 6 -M 4 --work-limit $work --resume "$dir/check" --quiet -o "$dir/got" >/dev/null
  else
    team $((4 - rank)) fit "$dir/long.irb" -K 6 -M 4 --work-limit $work --resume "$dir/check" --quiet -o "$dir/got"
  fi
  check "resumed-$rank" awk -v got="$(loss_of "$dir/got")" -v whole="$(loss_of "$dir/whole")" 'BEGIN { exit !(got != "" && got + 0 <= whole + 0) }'
done
check nothing-left [ -z "$(ls "$dir" | grep tmp)" ]
finish
