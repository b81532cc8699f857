#!/usr/bin/env bash
# MILPs: models with known optima beside cbc and glpsol, then the paper's six models on data: ours as fit builds it, as the paper has
# it (--plain), and the same files solved by `ireland solve`, cbc, glpsol and HiGHS.
#
#   bench/scripts/milp.sh [LIMIT] [known|models|large|a|all]   LIMIT: processor seconds of each solve (default 10)
#
# known: SHARED/milp. models: 50 x 20 and 100 x 50. large: 100 x 50 with noise, 200 x 100 and 500 x 100; the other solvers get bp1 and bp4
# alone. a: the paper's experiment (a), its sets without noise of up to 250,000 cells (bench/paper/sets.csv), ours alone.
#
# Reads SHARED/milp and SHARED/instances, prints Markdown and writes build/bench/milp.csv. Seconds are processor time of one thread, and
# limits count processor time too, so that other work on the machine does not count. A peer that is not installed leaves its column
# empty; HIGHS=FOLDER with the npm package highs (WebAssembly, under node) fills that of HiGHS.
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
# fit DATA K FORM OPTIONS...: processor seconds of a proof, or how far it got: >seconds (found / bound).
fit() {
  local data=$1 K=$2 form=$3 s n
  shift 3
  n=$(sed 's/n\([0-9]*\)_.*/\1/' <<<"$data")
  s=$(seconds "$dir/out" "$ireland" fit "${SHARED}/instances/$data.csv" -K "$K" -M 3 --method "$form" "$@" --threads 1 --time-limit "$((limit - 1))" --json --quiet)
  if [ "$(field status)" = optimal ]; then echo "$s"; else
    echo ">$s ($(awk -v a="$(field objective)" -v b="$(field bound)" -v n="$n" 'BEGIN { printf "%.0f / %.0f", a * n, b * n }'))"
  fi
}
own() {
  local s
  s=$(seconds "$dir/out" "$ireland" solve "$1" --threads 1 --time-limit "$((limit - 1))" --json --quiet)
  if [ "$(field status)" = optimal ]; then echo "$s"; else echo ">$s"; fi
}
glpk() {
  [ -z "$(command -v glpsol)" ] && return
  local s
  s=$(seconds "$dir/glpsol" glpsol --freemps "$1")
  if grep -q 'INTEGER OPTIMAL SOLUTION FOUND' "$dir/glpsol"; then echo "$s"; else echo ">$s"; fi
}
coin() {
  [ -z "$(command -v cbc)" ] && return
  local s
  sed '1s/$/ FREE/' "$1" >"$dir/cbc.mps"
  [ -n "${2:-}" ] && cp "$1" "$dir/cbc.mps"
  s=$(seconds "$dir/cbc" cbc "$dir/cbc.mps" -ratio 0 -solve -quit)
  if grep -q 'Optimal solution found' "$dir/cbc"; then echo "$s"; else echo ">$s"; fi
}
highs() {
  [ -z "${HIGHS:-}" ] && return
  local s
  s=$(seconds "$dir/highs" node -e 'require(process.argv[1] + "/node_modules/highs")().then(h =>
    console.log(h.solve(require("fs").readFileSync(process.argv[2], "utf8"), {mip_rel_gap: 0, threads: 1}).Status))' "$HIGHS" "$1")
  if grep -q Optimal "$dir/highs"; then echo "$s"; else echo ">$s"; fi
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
  c=$(coin "$file" fixed)
  echo "$name,$rows,$columns,$optimum,$found,$(field nodes),$(field iterations),$s,$c,$g" >>"$dir/milp.csv"
  echo "| $name | $rows | $columns | $optimum | $found, $([ "$proven" = optimal ] && echo yes || echo NO) | $(field nodes) | $(field iterations) | $s | $c | $g |"
done < <(tail -n +2 ${SHARED}/milp/optimum.csv)
}

# bp DATA K FORM [--binary]: a row of the table. without_peers=1: other solvers are not asked.
without_peers=
bp() {
  local data=$1 K=$2 form=$3 n s value kind=relaxed others='| | | '
  shift 3
  [ $# -gt 0 ] && kind=binary
  n=$(sed 's/n\([0-9]*\)_.*/\1/' <<<"$data")
  s=$(fit "$data" "$K" "$form" --no-start "$@")
  value=$(awk -v w="$(field objective)" -v n="$n" 'BEGIN { printf "%.0f", w * n }')
  for ending in mps lp; do
    "$ireland" model "${SHARED}/instances/$data.csv" -K "$K" -M 3 --form "$form" --plain "$@" -o "$dir/bp.$ending" --quiet
  done
  s="$s | $(fit "$data" "$K" "$form" --plain "$@") | $(own "$dir/bp.mps")"
  [ "$without_peers" ] || others="| $(coin "$dir/bp.mps") | $(glpk "$dir/bp.mps") | $(highs "$dir/bp.lp")"
  echo "| $data | $K | $form | $kind | $value | $s $others |"
}
heading() {
  echo
  echo "## BP1 .. BP6 on data"
  echo
  echo "| data | K | form | t, y | value (N1*FP + N0*FN) | fit --no-start s | fit --plain s | solve FILE s | cbc s | glpsol s | HiGHS (wasm) s |"
  echo "| --- | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
}
models() {
  heading
  for data in n50_j20_k2_m3_e0_s1 n50_j20_k2_m3e_e50_s1 n100_j50_k3_m3_e0_s1; do
    K=$(sed 's/.*_k\([0-9]*\)_.*/\1/' <<<"$data")
    for form in bp1 bp2 bp3 bp4 bp5 bp6; do
      bp $data "$K" $form
      bp $data "$K" $form --binary
    done
  done
  for form in bp1 bp4; do bp n100_j50_k3_m3e_e0_s1 3 $form; done
}
large() {
  heading
  for data in n100_j50_k3_m3e_e50_s1 n200_j100_k3_m3_e0_s1 n500_j100_k3_m3_e0_s1; do
    for form in bp1 bp2 bp3 bp4 bp5 bp6; do
      [[ $form = bp1 || $form = bp4 ]] && without_peers='' || without_peers=1
      bp $data 3 $form
      without_peers=1
      bp $data 3 $form --binary
    done
  done
  without_peers=
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
known | models | large) "$part" ;;
a) experiment_a ;;
*) known && models && large && experiment_a ;;
esac
