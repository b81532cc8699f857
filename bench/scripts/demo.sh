#!/usr/bin/env bash
# The main job on planted data, step by step: bench/scripts/demo.sh IRELAND
set -eu
ireland=${1:?usage: bench/scripts/demo.sh IRELAND}
dir=build/demo format=$(bench/scripts/veripb_format.sh)
mkdir -p "$dir"
show() { echo; echo "\$ $*"; "$@"; }

echo "Data with a rule hidden in it: 1,000 samples, 1,000 features, 5 % of the labels wrong."
show "$ireland" generate -N 1000 -J 1000 -K 3 -M 3 --exact-size --noise 0.05 --seed 7 -o $dir/data.csv --rule $dir/planted.json
echo; echo "Learn a rule, and prove that none of at most 3 clauses with 3 literals is better:"
show "$ireland" fit $dir/data.csv -K 3 -M 3 --prove --certificate $dir/proof.txt --quiet -o $dir/rule.json
echo; echo "Check the proof with code that shares nothing with the search:"
show "$ireland" verify $dir/rule.json $dir/data.csv --certificate $dir/proof.txt
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo; echo "With one file of Python, which reads the CSV itself, on a smaller table:"
  show "$ireland" fit data/monks1.csv -K 2 -M 3 --prove --certificate $dir/small.txt --quiet -o $dir/small.json
  show python3 src/python/ireland_check.py $dir/small.json data/monks1.csv --certificate $dir/small.txt --quiet
  echo; echo "And a proof for somebody else's checker:"
  show python3 src/python/ireland_veripb.py $dir/small.json data/monks1.csv --certificate $dir/small.txt -o $dir/small --format "$format"
  echo; echo "\$ src/python/ireland_question.py $dir/small.csv 2 3 | cmp - $dir/small.opb"
  python3 src/python/ireland_question.py $dir/small.csv 2 3 | cmp - $dir/small.opb && echo "the question is the same"
  if command -v veripb >/dev/null; then show veripb $([ "$format" = 1 ] && echo --requireUnsat) $dir/small.opb $dir/small.pbp; fi
fi
echo; echo "The hidden rule, for comparison:"
show "$ireland" evaluate $dir/planted.json $dir/data.csv
echo; echo "Why is a sample a case?"
echo "\$ $ireland predict $dir/rule.json $dir/data.csv --explain | head -n 6"
"$ireland" predict $dir/rule.json $dir/data.csv --explain >$dir/predictions.tsv
head -n 6 $dir/predictions.tsv
