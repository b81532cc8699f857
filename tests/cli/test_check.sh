#!/usr/bin/env bash
# ireland-check, the checker in Python, from outside: valid, refused with the place, other data and rules, absurd numbers; and a few
# dozen drawn tables with forged certificates (tests/attack/certify.py; `make certify` draws more).
. "$(dirname "$0")/../shell.sh"
begin check
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  skip check "needs python3 of version 3.10 or later"
  finish
fi
checker="python3 src/python/ireland_check.py"
# checks NAME CODE TEXT ARGUMENTS...: the exit code and a text of what is printed.
checks() {
  local name=$1 wanted=$2 text=$3
  shift 3
  timeout "$patience" $checker "$@" --quiet >"$dir/out" 2>&1
  local code=$?
  check "$name" test $code = "$wanted"
  check "$name-says" grep -qF -- "$text" "$dir/out"
}
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 3 -o "$dir/d.csv" --quiet || exit 1
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 4 -o "$dir/other.csv" --quiet || exit 1
"$ireland" fit "$dir/d.csv" -K 2 -M 2 --prove --certificate "$dir/c" -o "$dir/r.json" --quiet >/dev/null
"$ireland" fit "$dir/d.csv" -K 2 -M 2 --prove --negations --weights unit -o "$dir/s.json" --quiet >/dev/null
checks valid 0 "ANDs of at most 2 of 30 literals" "$dir/r.json" "$dir/d.csv" --certificate "$dir/c"
check lines-in-referee.md grep -q "^To read: $(wc -l <src/python/ireland_check.py) lines" src/doc/referee.md
checks other-data 3 "" "$dir/r.json" "$dir/other.csv" --certificate "$dir/c"
checks other-rule 3 "it is for another rule" "$dir/s.json" "$dir/d.csv" --certificate "$dir/c"
checks no-file 3 "none" "$dir/r.json" "$dir/d.csv" --certificate "$dir/none"
sed '1s/3/4/' "$dir/c" >"$dir/changed"
checks newer-version 3 "changed:1: version 4 is not known here" "$dir/r.json" "$dir/d.csv" --certificate "$dir/changed"
sed '$d' "$dir/c" >"$dir/changed"
checks cut-short 3 "the file ends" "$dir/r.json" "$dir/d.csv" --certificate "$dir/changed"
for line in "0 branch value 999999999" "0 list 99999999999999999999 0" "0 branch value 1000000000000000000" "0 kept 1 zz" "1 list" "0 list 5"; do
  { sed '/^0 /,$d' "$dir/c"; printf '%s\nend 1 0123456789abcdef\n' "$line"; } >"$dir/changed"
  checks "absurd ($line)" 3 "refused:" "$dir/r.json" "$dir/d.csv" --certificate "$dir/changed"
done
sed 's/best [0-9]*/best 10000000000000000000000000/' "$dir/c" >"$dir/changed"
checks absurd-loss 3 "changed:6: " "$dir/r.json" "$dir/d.csv" --certificate "$dir/changed"
sed '4s/"f30"/"f31"/' "$dir/c" >"$dir/changed"
checks no-such-column 3 "there is no column 'f31'" "$dir/r.json" "$dir/d.csv" --certificate "$dir/changed"

# Few literals in all: nodes that branch on all clauses of a literal. A smaller size leaves clauses out, as does a child less.
"$ireland" generate -N 200 -J 20 -K 3 -M 2 --noise 0.2 --seed 3 -o "$dir/few.csv" --quiet || exit 1
"$ireland" fit "$dir/few.csv" -K 4 -M 4 --max-literals 4 --negations --prove --certificate "$dir/few" -o "$dir/few.json" --quiet >/dev/null
check sizes grep -q " branch size 1 " "$dir/few"
checks sizes-valid 0 "at most 4 literals in all" "$dir/few.json" "$dir/few.csv" --certificate "$dir/few"
check sizes-verified "$ireland" verify "$dir/few.json" "$dir/few.csv" --certificate "$dir/few"
sed 's/branch size 1 /branch size 0 /' "$dir/few" >"$dir/changed"
checks sizes-smaller 3 "nothing is said about a clause" "$dir/few.json" "$dir/few.csv" --certificate "$dir/changed"
sed 's/branch size 1 /branch size 99999999999 /' "$dir/few" >"$dir/changed"
checks sizes-absurd 3 "refused:" "$dir/few.json" "$dir/few.csv" --certificate "$dir/changed"

# Samples that --missing drop leaves out: one without a group, though --only does not name that column; none for a column without any value.
printf 'a,e,b,pid,y\n1,,0,p,1\n1,,1,p,1\n0,,1,q,0\n1,,0,,0\n0,,0,r,0\n1,,1,s,1\n0,,1,,1\n' >"$dir/gaps.csv"
"$ireland" fit "$dir/gaps.csv" --group pid --only a,b,e --missing drop -K 1 -M 2 --prove --certificate "$dir/gaps" -o "$dir/gaps.json" --quiet >/dev/null 2>&1
checks dropped 0 "" "$dir/gaps.json" "$dir/gaps.csv" --certificate "$dir/gaps"

# A clause that is there twice costs more than once: no list of rules may take one for the other (found by the attack).
printf 'x,y\n1,1\n1,1\n1,0\n0,0\n0,0\n' >"$dir/one.csv"
"$ireland" fit "$dir/one.csv" -K 2 -M 1 --penalty 0.01 --prove --all-optimal 5 --certificate "$dir/one" --quiet >/dev/null
checks complete-list 0 "no rules but the 1 that it lists" "$dir/one.csv" --certificate "$dir/one"
twice() { sed -E "s/best [0-9]+/best $1/; s/^rule 1/rule 2/; s/^clause 1/clause 1\nclause 1/; s/^0 all [0-9]+/0 all $1/" "$dir/one"; }
twice 0 >"$dir/changed"
checks clause-twice 3 "the rule has loss" "$dir/one.csv" --certificate "$dir/changed"
twice "$(sed 's/.*the rule has loss //' "$dir/out")" >"$dir/changed"
checks clause-twice-in-list 3 "or not tight" "$dir/one.csv" --certificate "$dir/changed"

# Certificates of false claims, rightly signed: both checkers see what does not follow from scope and data.
forged() {
  checks "forged-$1" 3 "$2" "tests/cli/forged/$1.csv" --certificate "tests/cli/forged/$1.txt"
  expect "forged-$1-verify" 3 "$3" verify "tests/cli/forged/$1.csv" --certificate "tests/cli/forged/$1.txt"
}
forged penalty "the scope has other weights" "these are not unit weights for a penalty of 0.001"
forged decimals "the scope has other weights" "these are not unit weights for a penalty of 0.03333333334"
forged rounding "weights are rounded to multiples of 0" "the weights of the data are not rounded"
forged missing "another answer where 'a' is missing" "the features of the data ask something else"
forged controls "the controls have other labels: 0" "the controls of the data are those with the label '0'"

# A penalty is exact or refused: (a AND b) costs 3 * 0.03333333334 * 10 and no rule costs 1.
exact() { "$ireland" fit tests/cli/forged/decimals.csv -K 1 -M 2 --weights unit --prove --certificate "$dir/exact" --penalty "$@" --quiet; }
exact 0.03333333334 >/dev/null
check exact-penalty grep -q "^loss weighted case 100000000000 control 100000000000 penalty 33333333340 best 100000000000$" "$dir/exact"
checks exact-checked 0 "rule: (FALSE)" tests/cli/forged/decimals.csv --certificate "$dir/exact"
expect exact-verified 0 "valid: " verify tests/cli/forged/decimals.csv --certificate "$dir/exact"
exact 0.013000000000000001 >/dev/null
check noise-of-doubles grep -q '"penalty": 0.013,' "$dir/exact"
exact 0.01234567890123456 >"$dir/out" 2>&1
check too-many-decimals test $? = 2
check too-many-decimals-says grep -q "has more than the 15 decimals that can be counted exactly" "$dir/out"

# Weights that are no decimals are rounded and said to be, and both checkers compute the unit; as the scope's is, so is the claim.
printf 'a,w,y\n1,1000000.0000000001,1\n0,1,0\n1,1,1\n0,1,1\n1,1,0\n' >"$dir/fine.csv"
"$ireland" fit "$dir/fine.csv" -K 1 -M 1 --weight-column w --prove --certificate "$dir/fine" --quiet >/dev/null 2>&1
check rounded-weights grep -q '"rounded_to": 0.9536' "$dir/fine"
checks rounded-checked 0 "weights rounded to multiples of: 0.9536" "$dir/fine.csv" --certificate "$dir/fine"
expect rounded-verified 0 "rounded to multiples of 0.954" verify "$dir/fine.csv" --certificate "$dir/fine"

# Literals are of the columns that options leave; the limit on time counts wherever it comes.
"$ireland" fit "$dir/fine.csv" -K 1 -M 1 --ignore w --prove --certificate "$dir/less" --quiet >/dev/null 2>&1
checks ignored 0 "ignore: w" "$dir/fine.csv" --certificate "$dir/less"
sed '4s/"a"/"w"/' "$dir/less" >"$dir/changed"
checks ignored-literal 3 "there is no column 'w' for literals" "$dir/fine.csv" --certificate "$dir/changed"
sed '4s/"a"/"y"/' "$dir/less" >"$dir/changed"
checks label-as-literal 3 "there is no column 'y' for literals" "$dir/fine.csv" --certificate "$dir/changed"
checks no-time 4 "not checked: the limit of time" "$dir/r.json" "$dir/d.csv" --certificate "$dir/c" --time-limit 0.00001

# Types are no part of a scope: what verify misses are these, not an option that is the certificate's.
"$ireland" fit tests/cli/forged/het.csv -K 1 -M 2 --het --type g=snp,h=snp --prove --certificate "$dir/het" --quiet >/dev/null 2>&1
expect het-without-types 2 "het.csv, which has no column of SNPs (--type x=snp makes one, for verify as for fit)" verify tests/cli/forged/het.csv --certificate "$dir/het"
expect het-with-types 0 "valid: " verify tests/cli/forged/het.csv --certificate "$dir/het" --type g=snp,h=snp

# Both checkers, each change signed anew.
timeout "$patience" python3 tests/cli/bad_certificates.py "$ireland" "$dir/c" "$dir/r.json" "$dir/d.csv" >"$dir/out" 2>&1
check "bad certificates" grep -qE '^1[0-9][0-9] tried$' "$dir/out"
check "bad certificates are refused" test "$(wc -l <"$dir/out")" = 1
grep -v tried "$dir/out"

# ---- drawn tables ----
python3 tests/attack/certify.py --ireland "$ireland" --seed test --cases 25 >"$dir/out" 2>"$dir/err"
check drawn test $? = 0
grep -A1 '^FAIL' "$dir/out"
cat "$dir/err"
check forged test "$(tail -n 1 "$dir/out" | sed 's/.* \([0-9]*\) forged.*/\1/')" -ge 20
finish
