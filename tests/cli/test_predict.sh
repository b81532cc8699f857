#!/usr/bin/env bash
# `ireland predict` in practice: identifiers, probabilities, missing values, values never seen, formats, files, long streams.
. "$(dirname "$0")/../shell.sh"
begin predict
subject=(predict)
tab=$'\t'

# y = (age > 50 and sex = male) or smoker, in 200 samples; f1 of ten lies.
awk 'BEGIN { print "patient_id,age,sex,smoker,y"
  for (i = 0; i < 200; i++) { age = 30 + i * 7 % 45; sex = i % 2 ? "male" : "female"; s = i % 5 == 0
    y = (age > 50 && sex == "male") || s; if (i % 10 == 3) y = !y
    printf "P%03d,%d,%s,%d,%s\n", i, age, sex, s, y ? "ill" : "well" } }' >"$dir/train.csv"
run fit "$dir/train.csv" --ignore patient_id --positive ill -K 2 -M 2 --prove --validate none --quiet -o "$dir/rule.json"
check rule [ $code = 0 ]
rule=$dir/rule.json

# ---- what the rule file keeps ----
check patterns python3 - "$rule" "$dir/train.csv" <<'P'
import csv, json, sys
rule, rows = json.load(open(sys.argv[1])), list(csv.DictReader(open(sys.argv[2])))
asks = {l["name"]: l for l in rule["literals"]}
def holds(name, row):
    l = asks.get(name)
    if l is None: return row[name.lstrip("!")] == ("0" if name[0] == "!" else "1")
    v = row[l["column"]]
    return {">": lambda: float(v) > l["value"], "<=": lambda: float(v) <= l["value"], "=": lambda: v == l["value"], "!=": lambda: v != l["value"]}[l["is"]]()
counts = {}
for row in rows:
    fires = tuple(k + 1 for k, clause in enumerate(rule["clauses"]) if all(holds(n, row) for n in clause))
    counts.setdefault(fires, [0, 0])[row["y"] != "ill"] += 1
found = {tuple(p["fires"]): [p["cases"], p["controls"]] for p in rule["training"]["patterns"]}
assert found == counts, (found, counts)
assert rule["training"]["cases"] == sum(c[0] for c in counts.values())
known = {c["column"]: c for c in rule["training"]["columns"]}
assert known["sex"]["values"] == ["female", "male"] and known["age"]["low"] == 30 and known["age"]["high"] == 74, known
P

# ---- identifiers, probability, interval ----
printf 'patient_id,age,sex,smoker\nA,60,male,0\n"B,x",60,female,0\nC,,male,0\nD,,female,0\nE,40,,1\nF,60,,0\n' >"$dir/new.csv"
run predict "$rule" "$dir/new.csv"
check header [ "$(head -n 1 "$dir/out")" = "patient_id${tab}predicted${tab}probability${tab}low${tab}high${tab}measure" ]
check classes [ "$(cut -f 1,2,6 "$dir/out" | tail -n +2 | tr '\n' '|')" = "A${tab}ill${tab}|B,x${tab}well${tab}|C${tab}cannot tell${tab}age|D${tab}well${tab}|E${tab}ill${tab}|F${tab}cannot tell${tab}sex|" ]
check probability python3 - "$rule" "$dir/out" <<'P'
import json, math, sys
t = json.load(open(sys.argv[1]))["training"]
rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[2])][1:]
n = t["cases"] + t["controls"]
def share(cases, all, prior): return (cases + 2 * prior) / (all + 2)
fired = [p for p in t["patterns"] if p["fires"]]
def groups(fires):
    of = fired if fires else [p for p in t["patterns"] if not p["fires"]]
    return sum(p["cases"] for p in of), sum(p["cases"] + p["controls"] for p in of)
def expected(fires):
    p = next(p for p in t["patterns"] if p["fires"] == fires)
    c, m = p["cases"], p["cases"] + p["controls"]
    q = share(*groups(fires), share(t["cases"], n, 0.5))
    z2 = 1.959963984540054 ** 2
    mid, half = (c / m + z2 / (2 * m)) / (1 + z2 / m), math.sqrt(z2) * math.sqrt(c / m * (1 - c / m) / m + z2 / (4 * m * m)) / (1 + z2 / m)
    return share(c, m, q), max(0, mid - half), min(1, mid + half)
for name, row in (("some", rows[0]), ("none", rows[1])):
    fires = next(p["fires"] for p in fired if len(p["fires"]) == 1) if name == "some" else []
    options = [expected(p["fires"]) for p in t["patterns"] if bool(p["fires"]) == bool(fires)]
    assert any(all(abs(float(a) - b) < 6e-5 for a, b in zip(row[2:5], o)) for o in options), (row, options)
assert rows[2][2:5] == ["", "", ""]
P
check warns_of_open grep -q "2 of 6 samples miss values that decide; --decide" "$dir/err"
run predict "$rule" "$dir/new.csv" --decide
check decided [ "$(cut -f 2 "$dir/out" | tr '\n' ' ')" = "predicted ill well well well ill well " ]
check no_measure [ "$(head -n 1 "$dir/out" | grep -c measure)" = 0 ]
sed 's/patient_id/who/' "$dir/new.csv" >"$dir/who.csv"
run predict "$rule" "$dir/who.csv"
check numbered [ "$(cut -f 1 "$dir/out" | tr '\n' ' ')" = "sample 1 2 3 4 5 6 " ]
run predict "$rule" "$dir/who.csv" --id who
check asked [ "$(sed -n '2p' "$dir/out" | cut -f 1)" = A ]
expect no_such_id 3 "there is no column 'wo' for --id; did you mean 'who'?" "$rule" "$dir/who.csv" --id wo
expect id_of_the_rule 3 "column 'age' has values the rule asks for" "$rule" "$dir/who.csv" --id age
expect id_of_labels 3 "column 'y' has the labels" "$rule" "$dir/train.csv" --id y
run fit "$dir/train.csv" --id who
check id_for_fit grep -q "option --id has no effect on fit; it is for predict" "$dir/err"
sed '3s/^[^"]*"B,x"/A/' "$dir/new.csv" | sed 's/"B,x"/A/' >"$dir/twice.csv"
expect repeated 0 "patient_id 'A' identifies samples 1 and 2: every row is predicted for itself" "$rule" "$dir/twice.csv"
printf ',age,sex,smoker\nr1,60,male,0\n' >"$dir/rows.csv"
run predict "$rule" "$dir/rows.csv"
check row_names [ "$(sed -n 2p "$dir/out" | cut -f 1)" = r1 ]
printf '@relation x\n@attribute SampleID string\n@attribute age numeric\n@attribute sex {male,female}\n@attribute smoker {0,1}\n@data\nq7,60,male,0\n' >"$dir/new.arff"
run predict "$rule" "$dir/new.arff"
check arff [ "$(sed -n 2p "$dir/out" | cut -f 1,2)" = "q7${tab}ill" ]

# ---- what was never seen ----
printf 'id,age,sex,smoker\n1,60,Male,0\n2,60,other,0\n3,99,male,0\n4,12,male,0\n' >"$dir/odd.csv"
run predict "$rule" "$dir/odd.csv" --explain
check spelt_otherwise grep -q "column 'sex' has 'Male' (sample 1), which no sample had that the rule was learnt from; did you mean 'male'?" "$dir/err"
check unknown_value grep -q "'other' (sample 2), .*; it had 'female', 'male'" "$dir/err"
check out_of_range grep -q "column 'age' has values from 12 to 99 (2 samples from sample 3 on), where the rule was learnt from 30 to 74" "$dir/err"
check said_in_the_row grep -q "sex is Male, which was never seen" "$dir/out"
sed '2s/female/Female/' "$dir/train.csv" >"$dir/label.csv"
run evaluate "$rule" "$dir/label.csv"
check evaluate_warns_too grep -q "did you mean 'female'?" "$dir/err"
run predict "$rule" "$dir/train.csv"
check nothing_to_say [ ! -s "$dir/err" ]

# ---- sentences ----
run predict "$rule" "$dir/new.csv" --explain --json
check json_valid python3 - "$dir/out" <<'P'
import json, sys
rows = json.load(open(sys.argv[1]))
assert [r["id"] for r in rows] == ["A", "B,x", "C", "D", "E", "F"]
assert rows[0]["predicted"] == "ill" and rows[0]["why"].startswith("y = ill, because ") and "age > " in rows[0]["why"] and "(it is 60)" in rows[0]["why"]
assert " samples like it " in rows[0]["why"] and rows[0]["why"].endswith(" had y = ill")
assert rows[1]["why"].startswith("y = well: closest is ") and "but smoker is 0; of " in rows[1]["why"], rows[1]
assert rows[2]["predicted"] is None and rows[2]["measure"] == ["age"] and rows[2]["probability"] is None
assert rows[2]["why"] == "cannot tell: age is missing; once it is known the rule decides"
P

# ---- formats and files ----
for format in tsv csv jsonl json; do
  run predict "$rule" "$dir/new.csv" --explain --format $format
  cp "$dir/out" "$dir/$format.said"
  run predict "$rule" "$dir/new.csv" --explain -o "$dir/out.$format"
  check "file_$format" cmp -s "$dir/$format.said" "$dir/out.$format"
  check "silent_$format" [ ! -s "$dir/out" ]
done
check same_in_all python3 - "$dir" <<'P'
import csv, json, sys
d = sys.argv[1]
lines = [json.loads(line) for line in open(d + "/jsonl.said")]
assert lines == json.load(open(d + "/json.said"))
a, b = list(csv.DictReader(open(d + "/csv.said"))), list(csv.DictReader(open(d + "/tsv.said"), delimiter="\t", quoting=csv.QUOTE_NONE))
assert a == b and len(a) == 6
for row, line in zip(a, lines):
    assert row["patient_id"] == line["id"] and row["why"] == line["why"] and row["predicted"] == (line["predicted"] or "cannot tell")
P
expect wrong_format 2 "option --format takes tsv, csv, jsonl or json, not 'cvs'; did you mean csv?" "$rule" "$dir/new.csv" --format cvs
expect two_formats 2 "--format csv is another" "$rule" "$dir/new.csv" --format csv --json
expect output_is_input 2 "is read, so it cannot be written" "$rule" "$dir/new.csv" -o "$dir/new.csv"
cp "$dir/csv.said" "$dir/kept.csv"; printf 'patient_id,age,sex,smoker\nA,60,male,0\nB,old,male,0\n' >"$dir/bad.csv"
run predict "$rule" "$dir/bad.csv" -o "$dir/kept.csv"
check kept_if_it_fails cmp -s "$dir/csv.said" "$dir/kept.csv"

# ---- rule files without training, and with a wrong one ----
python3 - "$rule" "$dir" <<'P'
import copy, json, sys
rule = json.load(open(sys.argv[1]))
def save(name, change):
    made = copy.deepcopy(rule); change(made["training"]); json.dump(made, open("%s/%s.json" % (sys.argv[2], name), "w"))
save("clause", lambda t: t["patterns"][1]["fires"].append(9)); save("more", lambda t: t["patterns"][0].update(cases=10 ** 6))
save("twice", lambda t: t["patterns"].append(t["patterns"][0])); save("count", lambda t: t.update(cases=-1)); save("column", lambda t: t["columns"].append({"column": "x"}))
del rule["training"]; json.dump(rule, open(sys.argv[2] + "/old.json", "w"))
P
run predict "$dir/old.json" "$dir/new.csv"
check old_rules [ "$(cut -f 2,3 "$dir/out" | tail -n +2 | tr '\n' '|')" = "ill${tab}|well${tab}|cannot tell${tab}age|well${tab}|ill${tab}|cannot tell${tab}sex|" ]
for name in clause:"no clause of this number" more:"more samples than there are" twice:"there twice" count:"whole numbers" column:"a column needs its name"; do
  expect "bad_${name%%:*}" 3 "${name#*:}" "$dir/${name%%:*}.json" "$dir/new.csv"
done

# ---- streams of any length in little memory ----
awk 'BEGIN { pad = sprintf("%060d", 0); print "id,age,sex,smoker,pad"; for (i = 0; i < 240000; i++) printf "%d,%d,%s,%d,%s\n", i, 30 + i % 45, i % 3 ? "male" : "female", i % 7 == 0, pad }' >"$dir/long.csv"
"$ireland" predict "$rule" "$dir/long.csv" -o "$dir/long.tsv" 2>"$dir/err"
check long_file [ "$(wc -l <"$dir/long.tsv")" = 240001 ]
"$ireland" predict "$rule" - <"$dir/long.csv" 2>>"$dir/err" | cmp -s - "$dir/long.tsv"
check long_pipe [ "${PIPESTATUS[1]}" = 0 ]
check no_false_repeats [ ! -s "$dir/err" ]
if [ -x /usr/bin/time ] && [[ $ireland != *asan* && $ireland != *tsan* ]]; then
  for n in 60000 240001; do
    head -n $n "$dir/long.csv" | /usr/bin/time -f %M -o "$dir/peak.$n" "$ireland" predict "$rule" - --threads 1 -o "$dir/peak.tsv" 2>>"$dir/err"
  done
  check bounded_memory [ "$(cat "$dir/peak.240001")" -lt $(($(cat "$dir/peak.60000") + 120000)) ]
else
  skip bounded_memory "needs GNU time and no sanitizer"
fi

# ---- cannot tell, against all completions ----
python3 tests/cli/predict_brute.py "$ireland" "$dir" "${SEED:-$(date +%s)}" >"$dir/brute"
if grep -q ^PASS "$dir/brute"; then pass cannot_tell_as_enumerated; else fail cannot_tell_as_enumerated "$(cat "$dir/brute")"; fi
finish
