#!/usr/bin/env bash
# 10-fold cross-validation of ireland on the real data sets, beside RIPPER (Weka's JRip) and a decision tree.
#
#   bench/scripts/cv.sh [FOLDER [SET...]]      FOLDER (SHARED/datasets) holds SET.csv and README.md with the peers' figures
#
# Two runs for each set: balanced weights, for the balanced accuracy, and unit weights, for the accuracy. In each the
# setting is the one that cv chooses: the simplest within one standard error of the best of all settings. The table goes
# to standard output; `seconds` is of both runs, on THREADS threads (2). A run ends after LIMIT seconds (0: never), and its
# row says how many folds it has. K and M (1..8, 1..4) are what is tried, CUTS (mdl:3) how numbers are cut, FOLDS (10) and
# REPEATS (1) as their names say, CHOOSE (one-se) how the setting is chosen. NESTED=1 shows the nested estimate instead,
# for which the setting is chosen anew without each fold.
set -u
SHARED=${SHARED:-../shared} # data sets and models that are not part of this repository
ireland=${IRELAND:-./ireland}
folder=${1:-${SHARED}/datasets}
[ $# -gt 0 ] && shift
[ -r "$folder/README.md" ] || { echo "cv.sh: no $folder/README.md, so there is nothing to compare with" >&2; exit 0; }
options=(--folds "${FOLDS:-10}" --repeats "${REPEATS:-1}" -K "${K:-1..8}" -M "${M:-1..4}" --cuts "${CUTS:-mdl:3}" --choose "${CHOOSE:-one-se}"
  --threads "${THREADS:-2}" --time-limit "${LIMIT:-0}" --quiet --json)
[ -n "${NESTED:-}" ] && options+=(--nested)

# peers SET prints: JRip acc, JRip bal, tree acc, tree bal
peers() {
  awk -F'|' -v set="$1" '{ name = $2; gsub(/ /, "", name) }
    name == set && $8 ~ /\(/ { split($8, a, "("); print $4 + 0, $5 + 0, a[1] + 0, $9 + 0 }' "$folder/README.md"
}
# value KEY FILE: the first number of that name, or the nested one
value() {
  if [ -n "${NESTED:-}" ]; then sed -n "s/^  \"nested\": .*\"$1\": \([-+.0-9e]*\).*/\1/p" "$2"
  else sed -n "s/^  \"$1\": \([-+.0-9e]*\).*/\1/p" "$2" | head -n 1; fi
}
rounded() { awk -v x="${1:-nan}" 'BEGIN { printf "%.1f", x }'; }
percent() { awk -v x="${1:-nan}" 'BEGIN { printf "%.1f", 100 * x }'; }

sets=("$@")
[ ${#sets[@]} = 0 ] && mapfile -t sets < <(sed -n 's/^| \([a-z0-9_]*\) | [0-9.]* | [0-9.]* | [0-9.]* | [0-9]* |.*/\1/p' "$folder/README.md")
mkdir -p build/bench
out=$(mktemp -d build/bench/cv.XXXXXX)
trap 'rm -rf "$out"' EXIT
echo "| data set | accuracy (se) | JRip | tree | balanced accuracy (se) | JRip | tree | clauses, literals | folds | seconds |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for set in "${sets[@]}"; do
  read -r jrip jrip_balanced tree tree_balanced < <(peers "$set")
  for weights in balanced unit; do
    "$ireland" cv "$folder/$set.csv" --weights $weights "${options[@]}" >"$out/$weights" 2>"$out/err" || cat "$out/err" >&2
  done
  b=$out/balanced u=$out/unit
  seconds=$(cat "$b" "$u" | sed -n 's/.*"seconds": \([0-9.]*\).*/\1/p' | awk '{ s += $1 } END { printf "%.0f", s }')
  echo "| $set | $(percent "$(value accuracy "$u")") ($(percent "$(value accuracy_se "$u")")) | ${jrip:--} | ${tree:--}" \
    "| $(percent "$(value balanced_accuracy "$b")") ($(percent "$(value balanced_accuracy_se "$b")")) | ${jrip_balanced:--} | ${tree_balanced:--}" \
    "| $(rounded "$(value clauses "$u")"), $(rounded "$(value literals "$u")"); $(rounded "$(value clauses "$b")"), $(rounded "$(value literals "$b")") | $(value folds "$u"), $(value folds "$b") | $seconds |"
done
