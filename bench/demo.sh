#!/usr/bin/env bash
# The main job on planted data, step by step: bench/demo.sh IRELAND
set -eu
ireland=${1:?usage: bench/demo.sh IRELAND}
dir=build/demo
mkdir -p "$dir"
show() { echo; echo "\$ $*"; "$@"; }

show "$ireland" generate -N 1000 -J 200 -K 3 -M 3 --exact-size --noise 0.02 --seed 7 -o $dir/data.csv --rule $dir/planted.json
show "$ireland" info $dir/data.csv
show "$ireland" evaluate $dir/planted.json $dir/data.csv
echo; echo "\$ $ireland predict $dir/planted.json $dir/data.csv --explain | head -n 6"
"$ireland" predict $dir/planted.json $dir/data.csv --explain >$dir/predictions.tsv
head -n 6 $dir/predictions.tsv
