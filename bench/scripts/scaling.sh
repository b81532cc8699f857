#!/usr/bin/env bash
# What a team of processes holds and sends: counts, since they share the cores of one machine. `make mpi` first.
#   bench/scripts/scaling.sh [N,J ...]     sizes; bench/results/RESULTS.md has the table of 20000,5000 40000,5000 20000,10000 100000,20000
set -u
export LC_ALL=C OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 IRELAND_MPI_REPORT=1
ireland=${IRELAND:-./ireland} mpi=${IRELAND_MPI:-./ireland-mpi} dir=build/scaling
options="-K 3 -M 3 --threads 1"
mkdir -p $dir
[ $# -gt 0 ] || set -- 20000,5000 40000,5000 20000,10000

# memory and traffic in MB: least to most over the processes
summary() {
  sed -n 's/^process [0-9]*: peak \([0-9]*\) MB, \([0-9]*\) operations, \([0-9.]*\) MB sent/\1 \2 \3/p' "$1" |
    awk '{ if (NR == 1 || $1 < a) a = $1; if ($1 > b) b = $1; if (NR == 1 || $3 < c) c = $3; if ($3 > d) d = $3; n = $2; s += $3 }
         END { printf "%d to %d | %d | %.1f to %.1f | %.1f", a, b, n, c, d, s }'
}

echo "| samples x features | processes | grid | held MB | peak MB | operations | sent MB by each | by all | work | same rule |"
echo "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
for size in "$@"; do
  n=${size%,*} j=${size#*,} data=$dir/${size/,/x}.irb
  [ -e "$data" ] || "$ireland" generate -N "$n" -J "$j" -K 3 -M 3 --noise 0.01 --seed 11 -o "$data" --quiet
  "$ireland" fit "$data" $options --quiet -o $dir/alone.json >/dev/null
  for team in 1 2 4 4:2x2 4:1x4; do
    p=${team%:*} grid=
    [ "$p" = "$team" ] || grid="--grid ${team#*:}"
    rm -f $dir/team.json
    mpirun --oversubscribe -n "$p" "$mpi" fit "$data" $options $grid -o $dir/team.json --json >$dir/out 2>$dir/err
    held=$(sed -n 's/.*each holds \([0-9.]*\) MB.*/\1/p' $dir/err)
    shape=$(sed -n 's/.*processes as \([0-9]*\) x \([0-9]*\):.*/\1x\2/p' $dir/err)
    work=$(sed -n 's/.*"work": \([0-9]*\).*/\1/p' $dir/out | head -n 1)
    same=no
    cmp -s $dir/alone.json $dir/team.json && same=yes
    printf '| %s x %s | %s | %s | %s | %s | %.2g | %s |\n' "$n" "$j" "$p" "${shape:--}" "${held:-$(stat -c %s "$data" | awk '{ printf "%.1f", $1 / 1e6 }')}" \
      "$(summary $dir/err)" "$work" "$same"
  done
done
