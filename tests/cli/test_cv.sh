#!/usr/bin/env bash
# `ireland cv` and the statistics of `ireland fit` from outside: JSON, threads, limits, signals, bad settings.
. "$(dirname "$0")/../shell.sh"
begin cv-cli
"$ireland" generate -N 120 -J 12 -K 2 -M 2 --exact-size --noise 0.05 --seed 5 -o "$dir/d.csv" --quiet || exit 1
"$ireland" generate -N 1000 -J 300 -K 5 -M 4 --noise 0.2 --seed 5 -o "$dir/hard.irb" --quiet || exit 1

# ---- what it says ----
expect table 0 'chosen: K = ' cv "$dir/d.csv" --folds 3 -K 1..2 -M 1..2
expect json 0 '"balanced_accuracy"' cv "$dir/d.csv" --folds 3 -K 1..2 -M 1..2 --json --threads 1
sed '/"run"/d' "$dir/out" >"$dir/one"
for threads in 2 8; do
  expect "threads-$threads" 0 '"table"' cv "$dir/d.csv" --folds 3 -K 1..2 -M 1..2 --json --threads $threads
  if sed '/"run"/d' "$dir/out" | cmp -s - "$dir/one"; then pass "same-$threads"; else fail "same-$threads" "other bytes"; fi
done
expect nested 0 'chosen anew without each fold' cv "$dir/d.csv" --folds 3 -K 1 -M 1..2 --penalty 0 --nested
expect repeats 0 '"repeats": 2' cv "$dir/d.csv" --folds 2 --repeats 2 -K 2 -M 2 --penalty 0 --json
expect one-se 0 'the simplest within one standard error' cv "$dir/d.csv" --folds 2 -K 1..2 -M 1 --choose one-se
expect half-se 0 'the simplest within half a standard error' cv "$dir/d.csv" --folds 2 -K 1..2 -M 1
expect half-se-json 0 '"choose": "half-se"' cv "$dir/d.csv" --folds 2 -K 1..2 -M 1 --choose half-se --json
expect best 0 'the best' cv "$dir/d.csv" --folds 2 -K 1..2 -M 1 --choose best
for method in brcg bp4; do expect "usual-$method" 0 'chosen: K = 1' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --method $method; done
expect proven 0 '2 of 2 rules are proven' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --penalty 0 --prove
expect full 0 'chosen: K = 1' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --penalty 0 --effort full
expect quiet 0 'accuracy' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --quiet
[ ! -s "$dir/err" ] && pass quiet-err || fail quiet-err "$(cat "$dir/err")"
expect help 0 '--folds' cv --help

# ---- negations, and more literals while that helps ----
# Cases have exactly one of a, b, c, d: four clauses of four literals, of which three are negated; no smaller clause tells anything.
awk 'BEGIN { print "a,b,c,d,e,y"; for (i = 0; i < 160; i++) { x = i % 16; a = int(x / 8); b = int(x / 4) % 2; c = int(x / 2) % 2; d = x % 2; print a "," b "," c "," d "," int(i / 16) % 2 "," (a + b + c + d == 1) } }' >"$dir/one.csv"
cp "$dir/one" "$dir/kept"
expect negations-help 0 'chosen: K = 4, M = 4, penalty 0, with negations' cv "$dir/one.csv" --folds 4 --penalty 0 --weights unit --quiet
line=$(sed -n 's/^to fit it to all samples: ireland //p' "$dir/out")
check negations-fit-line test "$line" = "fit $dir/one.csv -K 4 -M 4 --negations --weights unit"
read -ra words <<<"$line"
expect negations-fit-line-runs 0 'optimal: 0 of 160 samples wrong' "${words[@]}" --quiet
for threads in 1 8; do
  run cv "$dir/one.csv" --folds 4 --penalty 0 --weights unit --nested --json --quiet --threads $threads --predictions "$dir/grown$threads.csv"
  sed '/"run"/d' "$dir/out" >"$dir/grown$threads"
done
check grown-threads cmp "$dir/grown1" "$dir/grown8"
check grown-predictions cmp "$dir/grown1.csv" "$dir/grown8.csv"
check grown-predicted awk -F, 'NR > 1 { bad += $4 != $5 || $5 == "" || $6 == "" } END { exit bad > 0 || NR != 161 }' "$dir/grown1.csv"
run cv "$dir/one.csv" --folds 4 -M 1..3 --penalty 0 --weights unit --quiet
check named-literals-do-not-grow test "$(awk '/^[ *+] / { print $2 == "chosen:" ? 0 : (/^[*+]/ ? $3 : $2) }' "$dir/out" | sort -n | tail -n 1)" = 3
run cv "$dir/one.csv" --folds 4 --penalty 0,0.01 --quiet
check best-dozen test "$(grep -c ' 4/4$' "$dir/out")" = 12 -a "$(grep -c '^\*  *[0-9]' "$dir/out")" = 1
more=$(sed -n 's/^and \([0-9]*\) more settings: --all prints them$/\1/p' "$dir/out")
check best-first test "$(sed -n 's/^[ *+]  *[0-9].*)  *\(0[.0-9]*\) (.*(.*(.*/\1/p' "$dir/out" | head -n 11)" = "$(sed -n 's/^[ *+]  *[0-9].*)  *\(0[.0-9]*\) (.*(.*(.*/\1/p' "$dir/out" | head -n 11 | sort -r)"
run cv "$dir/one.csv" --folds 4 --penalty 0,0.01 --quiet --all
check all-settings test "$(grep -c ' 4/4$' "$dir/out")" = $((12 + more)) -a "$(grep -c 'more settings' "$dir/out")" = 0
run cv "$dir/one.csv" --folds 4 --penalty 0,0.01 --quiet --json
check all-settings-json test "$(grep -c '"K": ' "$dir/out")" = $((12 + more + 2))
run cv "$dir/one.csv" --folds 4 -K 1..2 -M 1 --penalty 0 --no-negations --quiet --json
check no-negations test "$(grep -c '"negations": true' "$dir/out")" = 0 -a "$(grep -c '"K": ' "$dir/out")" = 4
run cv "$dir/one.csv" --folds 4 -K 1..2 -M 1 --penalty 0 --negations --quiet --json
check negations-alone test "$(grep -c '"negations": false' "$dir/out")" = 0 -a "$(grep -c '"K": ' "$dir/out")" = 4
# SNPs are not negated by themselves, whatever file they are in and whatever stands beside them.
awk 'BEGIN { print "s,b,y"; for (i = 0; i < 24; i++) print i % 3 "," i % 2 "," (i % 5 > 2) }' >"$dir/snp.csv"
run cv "$dir/snp.csv" --type s=snp --folds 2 -K 1 -M 1 --penalty 0 --quiet --json
check snps-not-negated test "$(grep -c '"negations": true' "$dir/out")" = 0
expect negations-twice 2 'exclude each other' cv "$dir/one.csv" --negations --no-negations
awk 'BEGIN { srand(2); print "x,y"; for (i = 0; i < 60; i++) print rand() "," i % 2 }' >"$dir/numbers.csv"
run cv "$dir/numbers.csv" --folds 2 -K 1 -M 1 --penalty 0 --quiet
check numbers-have-their-opposites test "$(grep -c negations "$dir/out")" = 0
mv "$dir/kept" "$dir/one"

# ---- fit: hold-out, permutations, statistics, penalty ----
expect test 0 'taken for cases; accuracy' fit "$dir/d.csv" -K 2 -M 2 --test 0.3 --quiet
expect test-json 0 '"test": {' fit "$dir/d.csv" -K 2 -M 2 --test 0.3 --quiet --json
expect permutations 0 'p-value of the whole search: 0.1 (9 permutations, 0 as good)' fit "$dir/d.csv" -K 2 -M 2 --permutations 9 --quiet
expect statistics 0 '"fisher_p"' fit "$dir/d.csv" -K 2 -M 2 --quiet --json
expect penalty 0 'sensitivity 0.0000' fit "$dir/d.csv" -K 2 -M 2 --quiet --penalty 1 -o "$dir/empty.json"
"$ireland" export "$dir/empty.json" --to text >"$dir/out" 2>&1
grep -q FALSE "$dir/out" && pass penalty-empty || fail penalty-empty "$(cat "$dir/out")"

# ---- what a cross-validation hands on ----
run cv "$dir/d.csv" --folds 5 --repeats 2 -K 1..2 -M 1..2 --penalty 0,0.01 --nested --seed 3 --quiet --predictions "$dir/p.csv" --forbid 'f1' --forbid 'f12'
check says-what-it-is grep -q '^on the folds that chose it, so a little too good: accuracy' "$dir/out"
check folds-beside-figures grep -q ' 10/10$' "$dir/out"
line=$(sed -n 's/^to fit it to all samples: ireland //p' "$dir/out")
check fit-line test "$line" = "fit $dir/d.csv -K 2 -M 2 --forbid f1 --forbid f12 --seed 3"
read -ra words <<<"$line"
expect fit-line-runs 0 'among all rules of at most 2 clauses of at most 2' "${words[@]}" --quiet
cp "$dir/p.csv" "$dir/one.csv"
run cv "$dir/d.csv" --folds 5 --repeats 2 -K 1..2 -M 1..2 --penalty 0,0.01 --nested --seed 3 --json --quiet --predictions "$dir/p.csv" --forbid 'f1' --forbid 'f12' --threads 1
check predictions-same cmp "$dir/one.csv" "$dir/p.csv"
check predictions-lines test "$(wc -l <"$dir/p.csv")" = 241
# means over folds of the accuracy, of the chosen setting and of the nested choice, from the lines
for column in 5:accuracy 6:nested; do
  found=$(awk -F, -v c=${column%:*} 'NR > 1 { k = $2 "," $3; n[k]++; hits[k] += $4 == $c } END { for (k in n) { s += hits[k] / n[k]; m++ } printf "%.10f", s / m }' "$dir/p.csv")
  case $column in 5:*) wanted=$(number accuracy) ;; *) wanted=$(sed -n 's/.*"nested": .*"accuracy": \([0-9.]*\),.*/\1/p' "$dir/out") ;; esac
  check "predictions-${column#*:}" awk -v a="$found" -v b="$wanted" 'BEGIN { exit !(b > 0 && (a - b) ^ 2 < 1e-16) }'
done
# A sample has the number of its row in the file, whatever rows are left out before it: those without a label, and those that miss a value.
awk 'BEGIN { print "a,b,y"; for (i = 1; i <= 40; i++) print (i % 7 ? i % 2 : "") "," (i % 3 == 0) "," (i % 11 ? i % 2 : "") }' >"$dir/gaps.csv"
run cv "$dir/gaps.csv" --folds 4 -K 1 -M 1 --penalty 0 --missing drop --quiet --predictions "$dir/gaps-p.csv"
awk 'BEGIN { for (i = 1; i <= 40; i++) if (i % 7 && i % 11) print i "," i % 2 }' >"$dir/expected"
sed 1d "$dir/gaps-p.csv" | cut -d, -f1,4 | sort -n >"$dir/got"
agree predictions-of-rows
expect fit-command-json 0 '"fit_command": "ireland fit' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --json --quiet
expect too-good-json 0 'a little too good' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --json --quiet
expect predictions-elsewhere 2 'option --predictions has no effect on fit; it is for cv' fit "$dir/d.csv" --predictions "$dir/p.csv"
expect predictions-nowhere 3 '' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --predictions "$dir/no/such"

# ---- more samples, more cut points ----
for n in 299 375 700 5000; do
  awk -v n=$n 'BEGIN { srand(4); print "x,z,y"; for (i = 0; i < n; i++) { x = rand(); print x "," rand() "," (x > 0.37) } }' >"$dir/n$n.csv"
done
cuts_are() {
  run cv "$dir/n$2.csv" --folds 2 -K 1 -M 1 --penalty 0 --quiet "${@:4}"
  check "$1" test "$(sed -n 's/^numbers are cut by --cuts //p' "$dir/out")" = "$3"
  check "$1-fit" test "$(grep -c -- "--cuts $3" "$dir/out")" = $([ "$3" ] && echo 2 || echo 0)
}
cuts_are few-samples 299 ''
cuts_are some-samples 375 mdl:4
cuts_are more-samples 700 mdl:8
cuts_are many-samples 5000 mdl:9
cuts_are cuts-named 700 mdl:2 --cuts mdl:2
expect cuts-json 0 '"cuts": "mdl:8"' cv "$dir/n700.csv" --folds 2 -K 1 -M 1 --penalty 0 --quiet --json
expect no-numbers-json 0 '"cuts": "mdl:3"' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --penalty 0 --quiet --json

# ---- its page ----
run cv "$dir/d.csv" --folds 5 -K 1..2 -M 1..2 --penalty 0,0.01 --nested --seed 3 --quiet --json --threads 1 --report "$dir/p.html"
check page-written test $code = 0 -a -s "$dir/p.html"
if command -v python3 >/dev/null && [ -n "$browser" ]; then
  browse "$dir/p.html"
  check page-figures python3 - "$dir/dom" "$dir/out" <<'P'
import html, json, re, sys
page, cv = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
large = [float(x) for x in re.findall(r"<dd><b>([0-9.]+)", page)]
nested = [100 * cv["nested"][k] for k in ("balanced_accuracy", "accuracy", "sensitivity", "specificity")]
assert len(large) == 4 and all(abs(a - b) < 0.051 for a, b in zip(large, nested)), (large, nested)
rows = re.findall(r"<tr[^>]*><th scope=\"row\">.*?</tr>", page)
assert len(rows) == len(cv["table"]) == 16 and page.count("<circle") == 16
for row, setting in zip(rows, cv["table"]):
    text = html.unescape(re.sub(r"<[^>]*>", " ", row)).replace("\u00a0", " ")
    assert "K %d, M %d" % (setting["K"], setting["M"]) in text and "5 of 5" in text, text
    assert (", negations" in text) == setting["negations"], text
    assert any(abs(float(x) - 100 * setting["accuracy"]) < 0.051 for x in re.findall(r"([0-9.]+) %", text)), (text, setting)
assert sum("chosen" in row.split("</th>")[0].split("<th")[1] for row in rows) == 1
assert cv["fit_command"] in html.unescape(page)
P
else
  skip page-figures "needs python3 and chromium"
fi
cp "$dir/p.html" "$dir/first.html"
run cv "$dir/d.csv" --folds 5 -K 1..2 -M 1..2 --penalty 0,0.01 --nested --seed 3 --quiet --json --threads 8 --report "$dir/p.html"
check page-threads cmp <(sed 's/--threads [18]//' "$dir/first.html") <(sed 's/--threads [18]//' "$dir/p.html")
for limit in 0.00{1,2,4,8} 0.01{2,6} 0.02{0,4,8} 0.04; do # after the reading and before a fold, however busy the machine is
  run cv "$dir/hard.irb" --time-limit $limit --quiet --report "$dir/p.html"
  if grep -q 'no fold was ended' "$dir/out"; then break; fi
done
check no-time [ $code = 4 ]
check no-time-words grep -q 'no fold was ended' "$dir/out"
page_has page-no-choice "$dir/p.html" 'Nothing: 0 of 10 folds were ended at most, and a choice needs 5'
expect page-nowhere 3 '' cv "$dir/d.csv" --folds 2 -K 1 -M 1 --report "$dir/no/such.html"
if [ -n "$browser" ]; then
  { sed "s|</body>||; s|</html>||; s|script-src|& 'nonce-visitor'|" "$dir/first.html"
    echo '<script nonce="visitor">addEventListener("load", () => { const wide = [...document.querySelectorAll("main *")].filter(x => !x.closest(".wide") && x.getBoundingClientRect().right > innerWidth + 1);'
    echo 'document.querySelector(".copy").click(); const copied = document.querySelector(".copied").textContent;'
    echo 'document.body.textContent = (wide.length ? "out " + wide[0].outerHTML.slice(0, 200) : "all inside") + "; " + copied; })</script></body></html>'; } >"$dir/visit.html"
  browse "$dir/visit.html" 390
  check page-on-a-phone grep -Eq 'all inside; (Copied|Marked)' "$dir/dom"
else
  skip page-on-a-phone "needs chromium"
fi

# ---- mistakes ----
expect bad-K 2 'option K takes' cv "$dir/d.csv" -K 8..1
expect bad-penalty 2 'option penalty takes' cv "$dir/d.csv" --penalty 2
expect no-pool 2 'option --save-pool has no effect on cv' cv "$dir/d.csv" --save-pool "$dir/p.json"
expect bad-choose 2 'option choose takes' cv "$dir/d.csv" --choose worst
expect bad-effort 2 'option effort takes' fit "$dir/d.csv" --effort none
expect bad-test 2 'option test takes' fit "$dir/d.csv" --test 1
expect brcg-penalty 2 'option penalty has no effect with method brcg' fit "$dir/d.csv" --method brcg --penalty 0.1
expect many-folds 3 'folds need as many samples' cv "$dir/d.csv" --folds 100
expect no-file 3 'no-such' cv "$dir/no-such.csv"
expect not-for-cv 2 'option --checkpoint has no effect on cv; it is for fit, curve' cv "$dir/d.csv" --checkpoint x

# ---- limits and signals ----
for halves in 2 8 32 128; do # of a second of work, until a fold has ended, which no log tells
  "$ireland" cv "$dir/hard.irb" --quiet >"$dir/out" 2>"$dir/err" &
  pid=$!
  await is_working $halves
  interrupt INT
  grep -q 'fold' "$dir/out" && break
done
[ $code = 130 ] && pass interrupt || fail interrupt "exit code $code"
grep -q 'fold' "$dir/out" && pass interrupt-table || fail interrupt-table "$(cat "$dir/out" "$dir/err")"

# ---- folds that give no literals: the better constant ----
awk 'BEGIN { print "x,w,y"; srand(5); for (i = 0; i < 40; i++) print int(1000 * rand()) "," 1 + i % 3 "," (i % 4 > 0) }' >"$dir/noise.csv"
run cv "$dir/noise.csv" --cuts mdl --folds 5 -K 1 -M 1 --json --quiet --ignore w
check no-cut-pays test $code = 0 -a "$(number balanced_accuracy)" = 0.5 -a "$(number specificity)" = 1
run cv "$dir/noise.csv" --cuts mdl --folds 5 -K 1 -M 1 --json --quiet --ignore w --weights unit
check always-yes test $code = 0 -a "$(number accuracy)" = 0.75 -a "$(number sensitivity)" = 1
run cv "$dir/noise.csv" --cuts mdl --folds 5 -K 1 -M 1 --json --quiet --weight-column w --effort full
check always-yes-by-weight test $code = 0 -a "$(number sensitivity)" = 1
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print int(i / 2) / 4 "," (i > 19) }' >"$dir/step.csv"
run fit "$dir/step.csv" --cuts mdl -K 1 -M 1 --permutations 9 --json --quiet
check shuffled-labels-without-cuts test $code = 0 -a "$(number permutations)" = 9

# ---- a limit: of how many folds the figures are ----
"$ireland" generate -N 4000 -J 300 -K 4 -M 3 --noise 0.2 --seed 4 -o "$dir/long.csv" --quiet || exit 1
run cv "$dir/long.csv" --time-limit 2 --folds 20 -K 1..4 -M 1..3
check how-many-folds test $code -ne 0 -o -n "$(grep -E 'from [0-9]* of 20 folds|no choice: [0-9]* of 20 folds were ended at most, and a choice needs 10' "$dir/out")" -o -n "$(grep 'no fold was ended' "$dir/out")"

finish
