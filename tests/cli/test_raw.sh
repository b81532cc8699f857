#!/usr/bin/env bash
# Raw tables on the command line: types, missing values, labels, weights, ARFF, and bad input.
. "$(dirname "$0")/../shell.sh"
begin raw
# fit NAME CODE PART FILE OPTION...: exit code, and PART in what is printed on either stream.
fit() {
  local name=$1 code=$2 part=$3
  shift 3
  "$ireland" fit "$@" -K 2 -M 2 >"$dir/out" 2>"$dir/err"
  local got=$?
  check "$name" [ "$got-$(cat "$dir/out" "$dir/err" | grep -cF -e "$part" | sed 's/^[1-9].*/found/')" = "$code-found" ]
}
table() { awk -v n="$1" "BEGIN { print \"$2\"; for (i = 0; i < n; i++) { $3 } }"; }

# ---- bad or strange input: a sentence with its place, or a stated default ----
f=$dir/constant.csv; table 100 c,k,x,y 'printf "5,same,%d,%d\n", i % 10, (i % 10 > 4)' >"$f"
fit constant_column 0 "(x > 4.5)" "$f"
check constant_is_said grep -q "column 'c' gives no literals: it is constant" "$dir/err"
f=$dir/empty.csv; table 100 m,x,y 'printf "NA,%d,%d\n", i % 10, (i % 10 > 4)' >"$f"
fit column_all_missing 0 "column 'm' has no value at all and is left out" "$f"
f=$dir/ids.csv; table 10000 id,x,y 'printf "P%d,%d,%d\n", i, i % 10, (i % 10 > 4)' >"$f"
fit identifiers 0 "column 'id' has more than 1000 different texts, is taken for an identifier and left out" "$f"
f=$dir/numbered.csv; table 100 n,x,y 'printf "%d,%d,%d\n", i + 1, i % 10, (i % 10 > 4)' >"$f"
fit row_numbers 0 "column 'n' numbers the rows and is left out" "$f"
f=$dir/thousands.csv; table 50 v,y 'printf "\"%d,%03d\",%d\n", i + 1, i * 7, (i > 20)' >"$f"
fit thousands 3 "$f:2:2: '1,000' in column 'v' has a comma" "$f" --delimiter comma
f=$dir/comma.csv; table 50 'v;y' 'printf "%d,5;%d\n", i % 10, (i % 10 > 4)' >"$f"
fit decimal_comma 0 "(v > 5)" "$f"
check decimal_comma_is_said grep -q "numbers are read with a decimal comma" "$dir/err"
fit decimal_point 3 "$f:2:1: '0,5' in column 'v' has a comma" "$f" --decimal point
f=$dir/id.csv; table 50 'patient_id,v,y' 'printf "%d,%d,%d\n", 1000 + i * i, i % 10, (i % 10 > 4)' >"$f"
fit numbered_samples 0 "column 'patient_id' numbers the samples and is left out" "$f"
f=$dir/headless.csv; table 50 '3,red,1' 'printf "%d,red,%d\n", i % 10, (i % 10 > 4)' >"$f"
fit no_header 0 "'3' in the first line is taken for a name; --no-header if it is data" "$f"
f=$dir/inf.csv; table 100 v,y 'split("inf -inf nan 3 4", w, " "); printf "%s,%d\n", w[i % 5 + 1], i % 5 == 0' >"$f"
fit infinite_and_nan 0 "(v > 9)" "$f"
f=$dir/mixed.csv; table 100 v,x,y 'v = i * 1.5; if (i == 77) v = "oops"; printf "%s,%d,%d\n", v, i % 10, (i % 10 > 4)' >"$f"
fit mixed_types 3 "$f:79:1: 'oops' in column 'v' is not a number, as 99 other cells are" "$f"
fit mixed_types_as_missing 0 "optimal" "$f" --na oops
fit mixed_types_forced 3 "$f:79:1: 'oops' in column 'v' is not a number" "$f" --type v=number
f=$dir/unnamed.csv; table 50 ',x,y' 'printf "%d,%d,%d\n", i + 1, i % 10, (i % 10 > 4)' >"$f"
fit first_column_without_name 0 "the first column has no name, as row names have none, and is left out" "$f"
fit first_column_kept 0 "(x > 4.5)" "$f" --type 'column 1=number'
f=$dir/unnamed.csv; table 50 'x,,y' 'printf "%d,%d,%d\n", i % 10, i % 7, (i % 10 > 4)' >"$f"
fit column_without_name 0 "column 2 has no name and is called 'column 2'" "$f"
f=$dir/spelling.csv; table 50 'x,y' 'split("yes Yes no", w, " "); printf "%s,%d\n", w[i % 3 + 1], (i % 3 < 2)' >"$f"
fit spelling 0 "column 'x' has 'yes' and 'Yes', which are different categories" "$f"
f=$dir/zeros.csv; table 50 'x,y' 'printf "%04d,%d\n", i % 10, (i % 10 > 4)' >"$f"
fit zeros_before 0 "column 'x' has zeros before its numbers" "$f"
fit codes 0 "x = 000" "$f" --type x=category
f=$dir/data.csv; printf '5,0,5,1\n3,1,4,0\n2,0,2,1\n' >"$f"
fit data_for_names 3 "$f:1:5: column name '5' is there twice; --no-header if the first line is data" "$f"
f=$dir/pm.csv; table 50 'x;y' 'printf " %d ;%s\r\n", i % 10, (i % 10 > 4) ? "has disease" : "no disease"' >"$f"
fit labels_of_words 0 "label 'has disease' is taken as the cases" "$f"
f=$dir/twice.csv; printf 'v,v,y\n1,2,1\n3,4,0\n' >"$f"; fit two_columns_of_one_name 3 "$f:1:3: column name 'v' is there twice" "$f"
f=$dir/one.csv; printf 'v,y\n1,a\n3,a\n' >"$f"; fit one_label 3 "$f:2:3: there is only one class" "$f"
f=$dir/three.csv; table 90 v,y 'split("a b c", w, " "); printf "%d,%s\n", i % 30, w[int(i % 30 / 10) + 1]' >"$f"
fit three_labels 3 "$f:22:4: 'c' is the third label" "$f"
fit one_against_rest 0 "(v > 9.5 AND v <= 19.5)" "$f" --vs-rest b --cuts all
printf '1 1:1\n0 1:0\n' >"$dir/two.svm"; printf 'f1,y\n1,1\n0,0\n' >"$dir/two.csv"
for form in csv svm; do "$ireland" fit "$dir/two.$form" --vs-rest 1 -K 1 -M 1 --quiet -o "$dir/two.$form.json" >/dev/null 2>"$dir/err"; done
check rest_of_two cmp "$dir/two.csv.json" "$dir/two.svm.json"
fit rest_of_unknown 3 "no label in column 'y' is 'zzz'" "$f" --vs-rest zzz
f=$dir/words.csv; printf 'v,w,y\n1,r,yes\n3,s,no\n4,t,never\n' >"$f"
fit rest_suggested 3 "is 'neverr'; did you mean 'never'?" "$f" --vs-rest neverr
f=$dir/words.csv; printf 'v,w,y\n1,r,Yes\n3,s,No\n4,t,No\n' >"$f"
fit positive_suggested 3 "$f:2:5: no label in column 'y' is 'Yess'; there is 'Yes' and 'No'; did you mean 'Yes'?" "$f" --positive Yess
fit positive_unlike 3 "there is 'Yes' and 'No'" "$f" --positive ill
check nothing_suggested [ "$(grep -c 'did you mean' "$dir/err")" = 0 ]
"$ireland" convert "$f" "$dir/words.irb" --quiet && fit positive_suggested_irb 3 "no label is 'yess'; they are 'No' and 'Yes'; did you mean 'Yes'?" "$dir/words.irb" --positive yess
f=$dir/label.csv; printf 'v,y\n1,a\n3,?\n4,b\n' >"$f"; fit missing_label 0 "1 rows have no label and are left out" "$f"
f=$dir/weights.csv; table 40 v,w,y 'printf "%d,%s,%d\n", i % 10, (i % 4) / 2, (i % 10 > 4)' >"$f"
fit weights 0 "(v > 4.5)" "$f" --weight-column w
sed 's/,1.5,/,-1.5,/' "$f" >"$dir/negative.csv"; fit negative_weight 3 "negative.csv:5:3: this weight is negative" "$dir/negative.csv" --weight-column w
sed 's/,1.5,/,x,/' "$f" >"$dir/text.csv"; fit text_weight 3 "text.csv:5:3: this weight is not a number" "$dir/text.csv" --weight-column w
sed '2,$s/,[0-9.]*,/,0,/' "$f" >"$dir/zero.csv"; fit zero_weights 3 "the weights in column 'w' are all zero" "$dir/zero.csv" --weight-column w
sed '2,$s/,[0-9.]*,0$/,0,0/' "$f" >"$dir/half.csv"; fit zero_class 3 "all controls have weight 0" "$dir/half.csv" --weight-column w
fit no_weights 3 "there is no column 'z' for --weight-column" "$f" --weight-column z
fit weights_are_labels 3 "cannot have both" "$f" --weight-column y
fit unknown_forbidden 3 "'smoker'; did you mean column 'v'?" "$f" --forbid 'vv >'
fit nothing_forbidden 3 "no literal is 'v > 99'" "$f" --forbid 'v > 99'
fit nothing_forbidden_test 3 "no literal is 'v > 99'" "$f" --forbid 'v > 99' --test 0.3
"$ireland" cv "$f" --folds 3 -K 1 -M 1 --forbid 'v > 99' >"$dir/out" 2>&1
check nothing_forbidden_cv grep -q "no literal is 'v > 99'" "$dir/out"
fit forbidden_column 3 "there is no literal 'v' for --forbid" "$f" --forbid v
printf 'a,b,NOT c,c,y\n1,0,1,0,1\n1,1,0,0,0\n0,1,1,1,1\n0,0,0,1,0\n1,0,1,1,1\n' >"$dir/not.csv"
for sign in '!b' 'NOT b' 'NOT c' '!c'; do
  run fit "$dir/not.csv" -K 2 -M 2 --negations --quiet --json --validate none --forbid "$sign"
  sed -n '/"clauses"/,/"normalized"/p;/"literals"/p' "$dir/out" >"$dir/of $sign"
done
check forbidden_not cmp "$dir/of !b" "$dir/of NOT b"
check forbidden_named_not test "$(cmp -s "$dir/of NOT c" "$dir/of !c"; echo $?)" = 1 # a column of that name is itself
fit forbidden_not_alone 3 "there is no literal 'NOT b' for --forbid" "$dir/not.csv" --forbid 'NOT b'
fit forbidden_opposite 3 "there is no literal '!w' for --forbid" "$f" --type w=ignore --forbid '!w'
fit unknown_type 2 "a type is binary, number, category, snp or ignore, not 'real'" "$f" --type v=real
fit unknown_column 3 "there is no column 'z' for --ignore" "$f" --ignore z
fit unknown_cuts 2 "option cuts takes" "$f" --cuts some
fit unknown_missing 2 "option missing takes" "$f" --missing maybe
fit nothing_left 3 "no column is left for features" "$f" --ignore v,w

# ---- types, columns, forbidden literals ----
f=$dir/types.csv; table 120 'code,x,z,y' 'printf "%d,%d,%d,%d\n", i % 4, i % 11, i % 7, i % 4 == 2' >"$f"
fit number 0 "(code > 1.5 AND code <= 2.5)" "$f"
fit category 0 "(code = 2)" "$f" --type code=category
printf '# types\ncode,category\nx,ignore\n' >"$dir/types"; fit types_file 0 "(code = 2)" "$f" --types "$dir/types"
printf 'code,category\nx,real\n' >"$dir/types"; fit bad_types_file 3 "$dir/types:2:3: a type is" "$f" --types "$dir/types"
fit binary_forced 3 "$f:4:1: '2' in feature 'code' is not 0 or 1" "$f" --type code=binary
fit only 0 "code" "$f" --only code,x
fit forbidden 0 "(code <= 2.5" "$f" --forbid 'code >' --forbid 'x > 4.5'
check forbidden_is_left_out [ "$(grep -c 'code >' "$dir/out")" = 0 ]
fit snp_of_three 3 "$f:5:1: '3' in column 'code' is not 0, 1 or 2" "$f" --type code=snp --only code
sed 's/^3,/0,/' "$f" >"$dir/snp.csv"; fit snp 0 "(code:rec)" "$dir/snp.csv" --type code=snp --only code

# ---- missing values ----
f=$dir/missing.csv; table 100 a,b,y 'printf "%s,%d,%d\n", i % 5 ? i % 10 : "", i % 2, (i % 10 > 4)' >"$f"
fit missing_false 0 "optimal" "$f"
fit missing_error 3 "$f:2:1: a missing value in column 'a', the first of 20" "$f" --missing error
fit missing_drop 0 "20 of 100 samples have missing values and are left out" "$f" --missing drop
check missing_drop_is_perfect grep -q "balanced accuracy 1.0000" "$dir/out"
fit missing_impute 0 "optimal" "$f" --missing impute
f=$dir/binary.csv; table 90 a,b,y 'printf "%s,%d,%d\n", i % 3 ? i % 2 : "?", i % 7, i % 3 && i % 2 == 0' >"$f"
fit opposite_of_missing 0 "balanced accuracy 1.0000" "$f" --negations
check opposite_is_negated grep -q "(!a)" "$dir/out"

# ---- a rule of raw columns on other files ----
f=$dir/train.csv; table 200 'age,kind,y' 'split("red blue", w, " "); printf "%d,%s,%d\n", i % 50, w[i % 2 + 1], (i % 50 > 24 && i % 2)' >"$f"
"$ireland" fit "$f" -K 1 -M 2 --cuts all --quiet -o "$dir/rule.json" >"$dir/out" 2>"$dir/err"
printf 'kind,extra,age\nblue,1,1000\nred,2,30\ngreen,3,40\nblue,4,\n,5,60\nblue,x,-7\n' >"$dir/other.csv"
"$ireland" predict "$dir/rule.json" "$dir/other.csv" >"$dir/out" 2>"$dir/err"
check predict_raw [ "$(awk -F '\t' 'NR > 1 { printf "%s", $2 }' "$dir/out")" = "100cannot tellcannot tell0" ]
"$ireland" predict "$dir/rule.json" "$dir/other.csv" --decide >"$dir/out" 2>"$dir/err"
check predict_decided [ "$(awk 'NR > 1 { printf "%s", $2 }' "$dir/out")" = 100000 ]
printf 'kind,y\nblue,1\n' >"$dir/short.csv"
"$ireland" predict "$dir/rule.json" "$dir/short.csv" >"$dir/out" 2>"$dir/err"
check predict_lacks_a_column [ "$?-$(grep -c "column 'age', which the rule needs, is missing" "$dir/err")" = 3-1 ]
printf 'kind,age,y\nblue,old,1\n' >"$dir/text.csv"
"$ireland" predict "$dir/rule.json" "$dir/text.csv" >"$dir/out" 2>"$dir/err"
check predict_text_for_a_number [ "$?-$(grep -c "text.csv:2:6: 'old' in column 'age' is not a number" "$dir/err")" = 3-1 ]
"$ireland" convert "$f" "$dir/packed.irb" --quiet && "$ireland" evaluate "$dir/rule.json" "$dir/packed.irb" >"$dir/out" 2>"$dir/err"
check evaluate_packed grep -q "balanced accuracy  1" "$dir/out"
for break in 's/"is": ">"/"is": "near"/' 's/"value": 24.5/"value": "x"/' 's/"column": "age", //'; do
  sed "$break" "$dir/rule.json" >"$dir/broken.json"
  "$ireland" predict "$dir/broken.json" "$dir/other.csv" >"$dir/out" 2>"$dir/err"
  check "broken_rule_$break" [ "$?-$(grep -c "broken.json:[0-9]*:[0-9]*: " "$dir/err")" = 3-1 ]
done

# ---- ARFF ----
cat >"$dir/a.arff" <<'A'
% a comment
@RELATION 'some data'
@attribute 'the age' NUMERIC
@attribute kind {red, 'dark blue', "it's"}
@attribute flag {0,1}
@attribute class {no,yes}

@DATA
10,red,0,no
20,'dark blue',1,no
% another
30,'it\'s',1,yes
40,"it's",0,yes
?,red,?,no
A
fit arff 0 "balanced accuracy 1.0000" "$dir/a.arff"
"$ireland" info "$dir/a.arff" --json >"$dir/out" 2>"$dir/err"
check arff_columns grep -q '{"name": "the age", "type": "number", "missing": 1, "values": 4, "least": 10, "most": 40}' "$dir/out"
# With --na the sign of the format is one of a missing value all the same.
printf '@relation r\n@attribute c {u,v}\n@attribute y {0,1}\n@data\n?,1\n-9,0\nu,1\nv,0\n' >"$dir/q.arff"
"$ireland" info "$dir/q.arff" --na=-9 --json >"$dir/out" 2>"$dir/err"
check arff_na grep -q '{"name": "c", "type": "category", "missing": 2, "values": 2,' "$dir/out"
printf '@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n{0 1, 1 1}\n' >"$dir/s.arff"; fit arff_sparse 3 "$dir/s.arff:5:1: sparse ARFF" "$dir/s.arff"
printf '@relation r\n@attribute a numeric\n' >"$dir/n.arff"; fit arff_no_data 3 "there is no @data" "$dir/n.arff"
printf '@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\nx,1\n2,0\n' >"$dir/t.arff"; fit arff_text 3 "$dir/t.arff:5:1: 'x' in column 'a' is not a number" "$dir/t.arff"

# ---- one thread or eight: the same bytes ----
f=$dir/mixed.csv
for n in 1 8; do "$ireland" fit "$f" --na oops -K 2 -M 3 --negations --threads $n --quiet -o "$dir/rule$n.json" >/dev/null 2>"$dir/err"; done
check threads cmp -s "$dir/rule1.json" "$dir/rule8.json"

# ---- real sets ----
sets=../shared/datasets
if [ -d $sets ]; then
  for f in $sets/*.csv; do
    "$ireland" fit "$f" --target y --quiet --json -K 1 -M 1 >"$dir/out" 2>"$dir/err"
    check "reads_$(basename "$f")" [ "$?-$(wc -c <"$dir/err")" = 0-0 ]
  done
  "$ireland" fit $sets/monks3_train.csv -K 2 -M 3 --quiet -o "$dir/monks3.json" >/dev/null
  "$ireland" evaluate "$dir/monks3.json" $sets/monks3_test.csv >"$dir/out" 2>"$dir/err"
  check monks3_concept grep -q "^accuracy           1$" "$dir/out"
  "$ireland" fit $sets/monks1_train.csv -K 4 -M 4 --quiet -o "$dir/monks1.json" >/dev/null
  "$ireland" evaluate "$dir/monks1.json" $sets/monks1_test.csv >"$dir/out" 2>"$dir/err"
  check monks1_concept grep -q "^accuracy           1$" "$dir/out"
else skip real_sets "no $sets"; fi
# ---- an .irb of samples some of which were left out: the same cells as of those that stay ----
f=$dir/left_out.csv
awk 'BEGIN { srand(4); print "b,s,c,x,y"; for (i = 0; i < 700; i++)
  print (rand() < 0.1 ? "" : int(2 * rand())) "," (rand() < 0.1 ? "" : int(3 * rand())) "," substr("pqr", 1 + int(3 * rand()), 1) "," int(50 * rand()) "," \
    (rand() < 0.4 ? "" : int(2 * rand())) }' >"$f"
grep -v ',$' "$f" >"$dir/stay.csv"
for file in left_out stay; do
  "$ireland" convert "$dir/$file.csv" "$dir/$file.irb" --type s=snp --quiet 2>"$dir/err"
  "$ireland" convert "$dir/$file.irb" "$dir/$file.again.csv" --quiet 2>>"$dir/err"
done
check left_out_irb cmp "$dir/left_out.irb" "$dir/stay.irb"
check left_out_cells cmp "$dir/left_out.again.csv" "$dir/stay.again.csv"
finish
