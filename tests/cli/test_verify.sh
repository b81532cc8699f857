#!/usr/bin/env bash
# `ireland verify` from outside: valid, invalid with the place, JSON, exit codes; limits that no rule keeps; rules that are as good.
. "$(dirname "$0")/../shell.sh"
begin verify-cli
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 3 -o "$dir/d.irb" --quiet || exit 1
"$ireland" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 4 -o "$dir/other.irb" --quiet || exit 1
printf 'a,y\n1,1\n1,0\n0,1\n0,0\n' >"$dir/same.csv"
expect proven 0 '"status": "optimal"' fit "$dir/d.irb" -K 2 -M 2 --prove --certificate "$dir/c" -o "$dir/r.json" --json
expect valid 0 "valid: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c"
expect json 0 '"status": "valid"' verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" --json
expect other-data 3 "$dir/c:2: " verify "$dir/r.json" "$dir/other.irb" --certificate "$dir/c"
sed 's/K 2 M/K 3 M/' "$dir/c" >"$dir/changed"
expect other-limits 3 "$dir/changed:5: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
sed '$d' "$dir/c" >"$dir/changed"
expect cut-short 3 '"status": "invalid"' verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed" --json
expect no-file 3 "none" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/none"
expect no-certificate 2 "--certificate" verify "$dir/r.json" "$dir/d.irb"
expect scope 0 "among all rules of at most 2 clauses of at most 2 of 30 literals (no negations), balanced weights" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c"
expect scope-json 0 '"scope": {' verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" --json
expect same-options 0 "valid: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" -K 2 -M 2 --weights balanced
expect other-option 2 "option K: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" -K 3
expect other-weights 2 "option weights: " verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/c" --weights unit
sed '/"scope": {/,/^  },/d' "$dir/r.json" >"$dir/bare.json" # as older versions wrote rules
expect rule-without-scope 0 "warning: the rule's file does not say" verify "$dir/bare.json" "$dir/d.irb" --certificate "$dir/c"
sed 's/"weights": "balanced"/"weights": "unit"/' "$dir/r.json" >"$dir/changed.json"
expect rule-of-other-scope 3 "weights is 'unit' in the rule and 'balanced' in the certificate" verify "$dir/changed.json" "$dir/d.irb" --certificate "$dir/c"
# The same clauses for the other class, or about another column, are another rule.
sed '1,/"scope"/{s/"positive": "1"/"positive": "0"/; s/"negative": "0"/"negative": "1"/}' "$dir/r.json" >"$dir/changed.json"
expect rule-for-the-other-class 3 "the rule is for the label '0'" verify "$dir/changed.json" "$dir/d.irb" --certificate "$dir/c"
sed '1,/"scope"/s/"target": "y"/"target": "x1"/' "$dir/r.json" >"$dir/changed.json"
expect rule-of-another-column 3 "the rule is about the column 'x1'" verify "$dir/changed.json" "$dir/d.irb" --certificate "$dir/c"
for member in K loss weights form missing checksum; do
  sed "2s/\"$member\": [^,}]*/\"x$member\": null/" "$dir/c" >"$dir/changed"
  expect "scope-without-$member" 3 "a scope needs" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
done
sed -e '1s/3/1/' -e '2d' "$dir/c" >"$dir/changed"
expect older-version 3 "made by an older ireland" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
sed '1s/3/4/' "$dir/c" >"$dir/changed"
expect newer-version 3 "made by a newer ireland: version 4" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
sed '4s/"f2"/"f3"/' "$dir/c" >"$dir/changed"
expect other-features 3 "$dir/changed:4: the features of the data ask something else" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/changed"
# Few lines that ask for more clauses than anybody can list (C6): limits and signals end it, and it is neither valid nor invalid.
"$ireland" fit "$dir/d.irb" -K 9 -M 9 --weights unit --negations --json --quiet --effort quick >"$dir/many" || exit 1
{
  printf 'ireland certificate 3\nscope {'
  sed -n '/"scope": {/,/^  }/p' "$dir/many" | sed '1d;$d' | tr -d '\n'
  printf '}\n'
  sed -n 3,4p "$dir/c"
  awk 'NR == 3 { print "limits K 9 M 9 negations 1 literals 0 cases 0 controls", $8; print "loss weighted case 1 control 1 penalty 0 best", $6 }' "$dir/c"
  printf 'samples plain\nrule 0\n0 list\nend 1 0\n'
} >"$dir/many.txt"
printf '{"K": 9, "M": 9, "clauses": []}' >"$dir/none.json"
expect work-limit 4 "not checked: limit on work" verify "$dir/none.json" "$dir/d.irb" --certificate "$dir/many.txt" --work-limit 10000000
expect time-limit 4 '"status": "not checked"' verify "$dir/none.json" "$dir/d.irb" --certificate "$dir/many.txt" --time-limit 0.2 --json
"$ireland" verify "$dir/none.json" "$dir/d.irb" --certificate "$dir/many.txt" --quiet --time-limit 600 >"$dir/out" 2>&1 &
pid=$!
await is_working
interrupt TERM
check interrupted [ $code = 130 ]
check interrupted-says-so grep -q "not checked: interrupted" "$dir/out"
printf '1,no\n0,yes\n' >"$dir/bare.csv" # its label column has a name in the rule only
"$ireland" fit "$dir/bare.csv" --no-header --prove --certificate "$dir/bare" -o "$dir/bare.json" --quiet >/dev/null
expect no-header 0 "valid" verify "$dir/bare.json" "$dir/bare.csv" --no-header --certificate "$dir/bare"
# How a file was read is no part of the claim: the same table as .irb gives the same bytes, and each file is read by its own options.
printf '"x,y";b;class\n1;0;no\n2;1;yes\n-9;1;yes\n1;1;no\n3;0;yes\n3;1;yes\n-9;0;no\n' >"$dir/read.csv"
printf 'x,y,category\n' >"$dir/read.types"
reading=(--delimiter semicolon --na -9 --types "$dir/read.types")
"$ireland" convert "$dir/read.csv" "$dir/read.irb" "${reading[@]}" --quiet
"$ireland" fit "$dir/read.csv" "${reading[@]}" -M 1 --prove --certificate "$dir/read" -o "$dir/read.json" --quiet >/dev/null
"$ireland" fit "$dir/read.irb" -M 1 --prove --certificate "$dir/packed" -o "$dir/packed.json" --quiet >/dev/null
check same-certificate cmp -s "$dir/read" "$dir/packed"
check same-rule cmp -s "$dir/read.json" "$dir/packed.json"
expect read-again 0 "valid" verify "$dir/read.json" "$dir/read.csv" "${reading[@]}" --certificate "$dir/read"
expect read-packed 0 "valid" verify "$dir/read.json" "$dir/read.irb" --certificate "$dir/read"
expect read-otherwise 3 "as fit had them" verify "$dir/read.json" "$dir/read.csv" --certificate "$dir/read"
# Weights without a common decimal unit are rounded, which the claim says.
printf 'a,b,w,y\n1,0,0.12345678,1\n1,1,2.718281828459,1\n0,1,1.41421356,0\n0,0,3.14159265,0\n1,1,1,0\n' >"$dir/weights.csv"
expect rounded 0 "samples weighted by w, rounded to multiples of 8.01e-06" \
  fit "$dir/weights.csv" --weight-column w --prove --certificate "$dir/weights" -o "$dir/weights.json"
expect rounded-valid 0 "rounded to multiples of" verify "$dir/weights.json" "$dir/weights.csv" --certificate "$dir/weights"
sed 's/"rounded_to": [0-9.e-]*/"rounded_to": 0/' "$dir/weights.json" >"$dir/exact.json"
expect rounded-unsaid 3 "rounded_to is 0 in the rule" verify "$dir/exact.json" "$dir/weights.csv" --certificate "$dir/weights"
# A proof by rule branch and bound: its nodes are the certificate, and one that is missing is missed.
"$ireland" fit data/planted_noisy.csv -K 4 -M 4 --negations --min-specificity 0.9 --prove --certificate "$dir/nodes" -o "$dir/nodes.json" --quiet >/dev/null
check has-nodes [ "$(wc -l <"$dir/nodes")" -gt 100 ]
expect nodes 0 "valid: " verify "$dir/nodes.json" data/planted_noisy.csv --certificate "$dir/nodes"
sed '20d' "$dir/nodes" >"$dir/changed"
expect node-missing 3 "$dir/changed:" verify "$dir/nodes.json" data/planted_noisy.csv --certificate "$dir/changed"
# Column generation: with and without a limit on complexity, and no certificate without a proof.
for more in '' '--complexity 4'; do
  expect "brcg-proven$more" 0 '"status": "optimal"' fit "$dir/d.irb" -K 3 -M 2 --method brcg $more --prove --certificate "$dir/brcg" -o "$dir/brcg.json" --json
  expect "brcg-valid$more" 0 "valid: " verify "$dir/brcg.json" "$dir/d.irb" --certificate "$dir/brcg"
done
sed 's/"complexity": 4/"complexity": 9/' "$dir/brcg" >"$dir/changed"
expect brcg-other-complexity 3 "complexity is 4 in the rule and 9 in the certificate" verify "$dir/brcg.json" "$dir/d.irb" --certificate "$dir/changed"
sed 's/"complexity": 4/"complexity": 9/' "$dir/brcg.json" >"$dir/changed.json"
expect brcg-forged-complexity 3 "$dir/changed:" verify "$dir/changed.json" "$dir/d.irb" --certificate "$dir/changed"
rm -f "$dir/brcg"
expect brcg-not-proven 0 "there is no certificate: the rule is not proven" fit "$dir/d.irb" -K 3 -M 2 --method brcg --prove --work-limit 1 --certificate "$dir/brcg"
check brcg-no-file test ! -e "$dir/brcg"
# Complete lists: a rule that is missing, twice, of another loss or with something superfluous is noticed, by a certificate that is signed anew too.
"$ireland" fit "$dir/d.irb" -K 2 -M 2 --prove --all-optimal 500 --within 2 --certificate "$dir/list" -o "$dir/list.json" --quiet >/dev/null
check lists-several grep -q '^0 all [0-9]* [2-9]' "$dir/list"
expect list 0 "that it lists have a loss of at most" verify "$dir/list.json" "$dir/d.irb" --certificate "$dir/list"
expect list-json 0 '"rules": ' verify "$dir/d.irb" --certificate "$dir/list" --json
expect list-rule-shown 0 " covers " verify "$dir/d.irb" --certificate "$dir/list"
if python3 -c 'import sys; sys.path.insert(0, "tests/attack"); import forge; sys.exit(forge.signer() is None)' 2>/dev/null; then
  # forged NAME TEXT PYTHON: the lines of the list's certificate, changed by Python, signed, and refused with that text.
  forged() {
    python3 - "$dir/list" "$dir/changed" "$3" <<'END'
import sys
sys.path.insert(0, "tests/attack")
import forge
lines = open(sys.argv[1]).read().split("\n")[:-2]
at = next(i for i, line in enumerate(lines) if line.startswith("0 all "))
most, n = map(int, lines[at].split()[2:])
exec(sys.argv[3])
lines[at] = "0 all %d %d" % (most, n)
text = "\n".join(lines) + "\n"
open(sys.argv[2], "w").write(text + "end 1 %s\n" % forge.signer()(text))
END
    expect "forged-$1" 3 "$2" verify "$dir/list.json" "$dir/d.irb" --certificate "$dir/changed"
    if [ -n "$with_check" ]; then
      timeout "$patience" python3 src/python/ireland_check.py "$dir/list.json" "$dir/d.csv" --certificate "$dir/changed" >"$dir/out" 2>&1
      check "forged-$1-check" test $? = 3
    fi
  }
  "$ireland" convert "$dir/d.irb" "$dir/d.csv" --quiet >/dev/null 2>&1
  with_check=$(python3 -c 'import sys; print("yes" * (sys.version_info >= (3, 10)))')
  forged rule-missing "is not on the list" 'last = max(i for i, x in enumerate(lines) if x.startswith("rule ")); del lines[last:]; n -= 1'
  forged first-missing "is not on the list" 'k = 1 + int(lines[at + 1].split()[1]); del lines[at + 1:at + 1 + k]; n -= 1'
  forged rule-twice "a rule is there twice" 'k = 1 + int(lines[at + 1].split()[1]); lines += lines[at + 1:at + 1 + k]; n += 1'
  forged larger-loss "is not on the list" 'most *= 2'
  forged smaller-loss "of another loss" 'most = int(lines[5].split()[-1])'
  forged below-the-rule "the rule has loss" 'most = int(lines[5].split()[-1]) - 1'
  forged absurd "a number, " 'n = 10 ** 18'
  forged too-many "is expected here" 'n += 1'
  forged superfluous "superfluous" 'lines.append("rule 1"); lines.append("clause 1 2"); n += 1; most = 10 ** 15'
fi
expect list-work-limit 4 "limit on work" verify "$dir/list.json" "$dir/d.irb" --certificate "$dir/list" --work-limit 500
# Kept cases: the clause beside the one of largest value may cover so few of them that no list has it.
{
  echo f1,f2,f3,y
  for i in 1 2 3 4 5 6 7 8; do echo 1,0,0,1; done
  printf '0,1,1,1\n0,1,1,1\n0,1,1,1\n0,1,0,1\n'
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo 0,0,0,0; done
} >"$dir/kept.csv"
"$ireland" fit "$dir/kept.csv" -K 2 -M 1 --weights unit --prove --certificate "$dir/c" --quiet >/dev/null || exit 1
{
  sed '/^samples/,$d; s/best 0$/best 1/' "$dir/c"
  printf 'samples plain\nrule 2\nclause 1\nclause 3\n0 kept 6 fff\nend 1 0\n'
} >"$dir/kept.txt"
expect kept-beside 3 "$dir/kept.txt:11: there is a better rule" verify "$dir/kept.csv" --certificate "$dir/kept.txt"
# Curves: a certificate for each proven point, each with its own rule.
"$ireland" curve "$dir/d.irb" -K 2 -M 2 --prove --complexity --certificate "$dir/points" --json --quiet >"$dir/curve.json"
n=$(grep -c '^ireland certificate' "$dir/points")
check a-certificate-for-each-point test "$n" = "$(grep -c '"status": "optimal"' <(sed 1,2d "$dir/curve.json"))"
expect points 0 "$n of $n certificates are valid" verify "$dir/d.irb" --certificate "$dir/points"
expect points-json 0 '"cases": ' verify "$dir/d.irb" --certificate "$dir/points" --json
expect points-and-rule 2 "give no rule" verify "$dir/r.json" "$dir/d.irb" --certificate "$dir/points"
sed '0,/^limits/s/controls [0-9]*$/controls 1/' "$dir/points" >"$dir/changed"
expect point-changed 3 "$((n - 1)) of $n certificates are valid" verify "$dir/d.irb" --certificate "$dir/changed"
expect curve-needs-proof 2 "option certificate has no effect without option prove" curve "$dir/d.irb" --certificate "$dir/c"
expect needs-proof 2 "option certificate has no effect without option prove" fit "$dir/d.irb" --certificate "$dir/c"
expect infeasible 4 "infeasible" fit "$dir/same.csv" --min-sensitivity 0.9 --min-specificity 0.9 --prove
expect hamming 0 "Hamming loss" fit "$dir/d.irb" -K 2 -M 2 --loss hamming --prove
expect alike 0 '"rules_complete": true' fit "$dir/d.irb" -K 2 -M 2 --prove --all-optimal 100 --json
finish
