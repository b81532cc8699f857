#!/usr/bin/env bash
# MILPs with known optima beside cbc and glpsol, and the paper's experiment (a). `make bench-peers` has its models beside other solvers.
#
#   bench/scripts/milp.sh [LIMIT] [known|a|all]   LIMIT: processor seconds of each solve (default 10)
#
# known: SHARED/milp. a: sets without noise of up to 250,000 cells (bench/paper/sets.csv), ours alone.
#
# Prints Markdown and writes build/bench/milp.csv. Seconds are processor time of one thread, and limits count processor time too, so that
# other work on the machine does not count. A peer that is not installed leaves its column empty.
set -u
SHARED=${SHARED:-../shared} # data sets and models that are not part of this repository
ireland=${IRELAND:-./ireland}
limit=${1:-10}
part=${2:-all}
dir=build/bench
mkdir -p "$dir" || exit 1
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
TIMEFORMAT=%U

# seconds OUT COMMAND...: processor seconds; what it prints goes to OUT. It is ended after the limit.
seconds() {
  local out=$1
  shift
  { time { (ulimit -t "$limit"; exec "$@"); } >"$out" 2>/dev/null; } 2>&1 | tail -1
}
field() { sed -n "s/.*\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},.*/\1/p" "$dir/out" | head -1; }
coin() {
  [ -z "$(command -v cbc)" ] && return
  local s
  s=$(seconds "$dir/cbc" cbc "$1" -ratio 0 -solve -quit)
  if grep -q 'Optimal solution found' "$dir/cbc"; then echo "$s"; else echo ">$s"; fi
}
known() {
echo "name,rows,columns,optimum,found,nodes,iterations,seconds,cbc,glpsol" >"$dir/milp.csv"
echo "## Models with known optima"
echo
echo "| model | rows | columns | optimum | found, proven | nodes | iterations | s | cbc s | glpsol s |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
while IFS=, read -r name rows columns _ _ _ optimum _; do
  file=${SHARED}/milp/$name.mps
  [ -f "$file" ] || continue
  s=$(seconds "$dir/out" "$ireland" solve "$file" --threads 1 --time-limit "$((limit - 1))" --json --quiet)
  found=$(field objective) proven=$(field status)
  g=
  if [ -n "$(command -v glpsol)" ]; then
    gs=$(seconds "$dir/glpsol" glpsol --mps "$file")
    if grep -q 'INTEGER OPTIMAL SOLUTION FOUND' "$dir/glpsol"; then g=$gs; else g=">$gs"; fi
  fi
  c=$(coin "$file")
  echo "$name,$rows,$columns,$optimum,$found,$(field nodes),$(field iterations),$s,$c,$g" >>"$dir/milp.csv"
  echo "| $name | $rows | $columns | $optimum | $found, $([ "$proven" = optimal ] && echo yes || echo NO) | $(field nodes) | $(field iterations) | $s | $c | $g |"
done < <(tail -n +2 ${SHARED}/milp/optimum.csv)
}

# Of sets with K = 10 the first of each size, as the paper has fewer of them.
experiment_a() {
  echo
  echo "## Experiment (a): sets that each form solves, without a start"
  echo
  echo "| t, y | bp1 | bp2 | bp3 | bp4 | bp5 | bp6 |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
  awk -F, 'NR > 1 && $7 == 0 && $2 * $3 <= 250000 && !($4 == 10 && seen[$2, $3]++)' bench/paper/sets.csv >"$dir/sets"
  for kind in relaxed binary; do
    printf '| %s ' "$kind"
    for form in bp1 bp2 bp3 bp4 bp5 bp6; do
      local solved=0 sets=0
      while IFS=, read -r _ N J K M size noise seed _; do
        "$ireland" generate -N "$N" -J "$J" -K "$K" -M "$M" $([ "$size" = exact ] && echo --exact-size) --noise "$noise" --seed "$seed" -o "$dir/a.irb" --quiet
        seconds "$dir/out" "$ireland" fit "$dir/a.irb" -K "$K" -M "$M" --method $form --plain --no-start $([ $kind = binary ] && echo --binary) \
          --threads 1 --time-limit "$limit" --json --quiet >/dev/null
        sets=$((sets + 1))
        [ "$(field status)" = optimal ] && solved=$((solved + 1))
      done <"$dir/sets"
      printf '| %s of %s ' $solved $sets
    done
    echo '|'
  done
}
case $part in
known) known ;;
a) experiment_a ;;
*) known && experiment_a ;;
esac
