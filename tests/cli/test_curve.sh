#!/usr/bin/env bash
# `ireland curve` and the page of --report from outside: files, limits, signals, bad input, hostile names, and the
# page in a real browser.
. "$(dirname "$0")/../shell.sh"
begin curve
# refused NAME CODE PART ARGUMENTS...: the exit code, and PART in the error.
refused() {
  local name=$1 wanted=$2 part=$3
  shift 3
  run "$@"
  if [ $code = "$wanted" ] && grep -qF -- "$part" "$dir/err"; then pass "$name"; else fail "$name" "exit $code: $(cat "$dir/err")"; fi
}

# Names that a page must not obey, a picture must not choke on, and a table must quote.
awk 'BEGIN { srand(5); print "<script>document.title=\"broken\"</script>,\"a,\"\"b\"\"\",x&y,</table>,caf\351,f6,f7,f8,ill";
  for (i = 0; i < 300; i++) { for (j = 0; j < 8; j++) { x[j] = rand() < 0.5; printf "%d,", x[j] }
    y = (x[0] && x[1]) || (x[2] && x[3]); if (rand() < 0.1) y = !y; print y } }' >"$dir/names.csv"
data="$dir/names.csv"
"$ireland" generate -N 2000 -J 300 -K 6 -M 4 --noise 0.2 --seed 2 -o "$dir/hard.irb" --quiet || exit 1

# ---- files ----
run curve "$data" -K 3 -M 2 --complexity --quiet --plot --csv "$dir/c.csv" --svg "$dir/c.svg" --report "$dir/c.html" --save-pool "$dir/p.json"
check ends-well [ $code = 0 ]
check quiet [ ! -s "$dir/err" ]
check plot grep -q 'area under the curve' "$dir/out"
check csv-head grep -q '^curve,sensitivity,specificity,' "$dir/c.csv"
check csv-sizes grep -q '^literals,.*,optimal,,,' "$dir/c.csv"
cp "$dir/out" "$dir/first.out"
run curve "$data" -K 3 -M 2 --complexity --quiet --plot --pool "$dir/p.json" --csv "$dir/again.csv"
check pool-ends-well [ $code = 0 ]
# Of a given pool nothing is proven for all rules, so status and bounds may differ.
for file in c again; do sed 's/,\(optimal\|feasible\),[^"]*,"/,"/' "$dir/$file.csv" >"$dir/$file.cut"; done
check pool-same-curve cmp "$dir/c.cut" "$dir/again.cut"
check pool-is-not-optimal grep -q '^feasible: ' "$dir/out"
run curve "$data" -K 3 -M 2 --json --quiet --pool "$dir/p.json"
for key in status proven_for pool threshold area tradeoff sensitivity specificity sensitivity_bound specificity_bound tp fp \
  literals clauses samples features K M method seed selections nodes work learning_work run; do
  check "key-$key" grep -q "\"$key\": " "$dir/out"
done

if command -v python3 >/dev/null; then
  # Every point of the CSV: its rule, evaluated by itself, has these counts; the points are in order.
  run curve "$data" -K 3 -M 2 --complexity --json --quiet --pool "$dir/p.json"
  cat >"$dir/points.py" <<'P'
import csv, json, subprocess, sys
ireland, data, answer, table, dir = sys.argv[1:]
curve = json.load(open(answer))
rows = [r for r in csv.DictReader(open(table, encoding='utf-8', errors='surrogateescape'))]
assert len(rows) == sum(len(curve[k]) for k in ('tradeoff', 'literals', 'clauses')), 'rows'
last = (-1, -1)
for p in curve['tradeoff']:
    assert p['tp'] > last[0] and p['fp'] > last[1], 'order'
    last = p['tp'], p['fp']
for kind in ('tradeoff', 'literals', 'clauses'):
    for p in curve[kind]:
        json.dump({'clauses': p['clauses']}, open(dir + '/point.json', 'w'))
        if not p['clauses']: continue
        e = json.loads(subprocess.run([ireland, 'evaluate', dir + '/point.json', data, '--json'], capture_output=True, check=True).stdout)
        assert (e['confusion']['tp'], e['confusion']['fp']) == (p['tp'], p['fp']), 'counts'
        assert abs(e['sensitivity'] - p['sensitivity']) < 1e-12 and abs(e['specificity'] - p['specificity']) < 1e-12, 'shares'
P
  check points-agree-with-evaluate python3 "$dir/points.py" "$ireland" "$data" "$dir/out" "$dir/c.csv" "$dir"
  check svg-is-xml python3 -c 'import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); assert len(d.getElementsByTagName("circle")) > 3' "$dir/c.svg"
else
  skip points-agree-with-evaluate "needs python3"
  skip svg-is-xml "needs python3"
fi

# ---- the same bytes again ----
for threads in 1 2 8; do
  run curve "$data" -K 3 -M 2 --complexity --quiet --threads $threads --csv "$dir/t$threads.csv" --svg "$dir/t$threads.svg"
done
for threads in 2 8; do
  check "csv-$threads" cmp "$dir/t1.csv" "$dir/t$threads.csv"
  check "svg-$threads" cmp "$dir/t1.svg" "$dir/t$threads.svg"
done
cp "$dir/c.html" "$dir/kept.html"
run curve "$data" -K 3 -M 2 --complexity --quiet --plot --csv "$dir/c.csv" --svg "$dir/c.svg" --report "$dir/c.html" --save-pool "$dir/p.json"
check page-again cmp "$dir/kept.html" "$dir/c.html"

run curve "$data" -K 2 -M 2 --json --quiet --prove
check proven-for-all-rules grep -q '"proven_for": "rules"' "$dir/out"
check proven-status grep -q '^  "status": "optimal"' "$dir/out"

# ---- part of the curve ----
run curve "$data" -K 3 -M 2 --quiet --pool "$dir/p.json" --min-sensitivity 0.6 --min-specificity 0.5 --csv "$dir/part.csv"
check part-ends-well [ $code = 0 ]
check part-in-range awk -F, 'NR > 1 && ($2 < 0.6 || $3 < 0.5) { exit 1 } END { exit NR < 2 }' "$dir/part.csv"
run curve "$data" -K 3 -M 2 --quiet --pool "$dir/p.json" --min-sensitivity 1 --min-specificity 1
check part-empty [ $code = 4 ]

# ---- weights of samples, and samples held out ----
awk -F, 'NR == 1 { print "w," $0 } NR > 1 { print 1 + NR % 3 "," $0 }' "$data" >"$dir/weights.csv"
run fit "$dir/weights.csv" -K 2 -M 2 --weight-column w --quiet --report "$dir/w.html"
check weights-fit-page [ $code = 0 ]
run curve "$dir/weights.csv" -K 2 -M 2 --weight-column w --quiet --report "$dir/w.html"
check weights-curve-page [ $code = 0 ]
run fit "$data" -K 2 -M 2 --test 0.3 --quiet --report "$dir/held.html"
page_has held-out-page "$dir/held.html" 'samples that were held out</b>'
page_has held-out-matrix "$dir/held.html" '<caption>Samples that were held out</caption>'

# ---- bad input ----
refused no-data 3 "none.csv" curve "$dir/none.csv"
refused threshold 2 "threshold" curve "$data" --threshold 2
refused other-data 3 "hard.irb" curve "$dir/hard.irb" --pool "$dir/hard.irb"
refused pool-of-other-data 3 "p.json:4:" curve "$dir/hard.irb" --pool "$dir/p.json"
refused no-folder 3 "nowhere" curve "$data" --pool "$dir/p.json" --quiet --svg "$dir/nowhere/c.svg"

# ---- limits and signals ----
run curve "$dir/hard.irb" -K 6 -M 4 --quiet --json --work-limit 2e8
check work-limit-ends grep -q '"status": "limit"' "$dir/out"
check work-limit-has-points grep -q '"sensitivity"' "$dir/out"
for limit in 2 8 32 128; do # a busy machine may need more to come to a point
  patient_run curve "$dir/hard.irb" -K 6 -M 4 --prove --quiet --json --time-limit $limit
  grep -q '"sensitivity"' "$dir/out" && break
done
check time-limit-ends grep -q '"status": "limit"' "$dir/out"
check time-limit-has-points grep -q '"sensitivity"' "$dir/out"
env --default-signal=INT "$ireland" curve "$dir/hard.irb" -K 6 -M 4 --prove --json --report "$dir/i.html" >"$dir/out" 2>"$dir/err" </dev/null &
pid=$!
await grep -qE '^ *(budget|first)' "$dir/err"
interrupt INT
check INT-exit-code [ $code = 130 ]
check INT-status grep -q '"status": "interrupted"' "$dir/out"
page_has INT-page "$dir/i.html" 'was interrupted'

# ---- the page ----
run fit "$data" -K 3 -M 2 --quiet --report "$dir/f.html"
check fit-page [ $code = 0 ]
[ -z "$browser" ] || browse "$dir/f.html"
[ -z "$browser" ] || for part in 'id="rule"' 'id="worth"' 'id="confusion"' 'id="prevalence"' 'id="clauses"' 'id="patterns"' 'id="certainty"' 'id="tradeoff"' \
  'id="literals"' 'id="columns"' 'id="methods"' 'id="data"' 'id="origin"' 'new samples of the same kind</b>, as estimated by quick' '95' 'ireland fit' '&lt;script&gt;' 'proven to be the best'; do
  check "page-has-$part" grep -qF -- "$part" "$dir/dom"
done
run fit "$data" -K 2 -M 1 --prove --certificate "$dir/proof.txt" --all-optimal 9 --within 0.3 --quiet --report "$dir/proven.html"
page_has page-has-certificate "$dir/proven.html" "certificate of checksum <code>$(awk 'END { print $3 }' "$dir/proof.txt")</code>"
[ -z "$browser" ] || check page-has-all-rules [ "$(grep -o 'id="rules".*id="columns"' "$dir/dom" | grep -oE '<tr><td>[0-9.]+</td><td class="text">' | wc -l)" = "$(grep -cE '^ +[0-9.]+  \(' "$dir/out")" ]
run fit "$data" -K 2 -M 2 --validate none --quiet --report "$dir/none.html"
page_has page-says-that-training-flatters "$dir/none.html" 'Only on the samples that it was learnt from'
check page-loads-nothing test -z "$(grep -oE '(src|href)=|url\(|@import' "$dir/f.html")"
check page-one-script [ "$(grep -o '<script' "$dir/f.html" | wc -l)" = 2 ] # and the data

# Equivalent literals, statistics and the p-value of the search; names are shown, not obeyed.
awk 'BEGIN { print "a,<b>copy</b>,c,ill"; for (i = 0; i < 60; i++) print i % 2 "," i % 2 "," (i % 3 > 0) "," (i % 2 && i % 3 > 0) }' >"$dir/copies.csv"
run fit "$dir/copies.csv" -K 1 -M 2 --permutations 9 --quiet --report "$dir/e.html"
check equivalents-page [ $code = 0 ]
page_has equivalents-page-section "$dir/e.html" 'id="equivalents"'
[ -z "$browser" ] || for part in '&lt;b&gt;copy&lt;/b&gt;' 'odds ratio' 'p-value of the whole search: 0.1.'; do
  check "equivalents-page-has-$part" grep -qF -- "$part" "$dir/dom"
done
check equivalents-page-escapes test -z "$(grep -F '<b>copy' "$dir/e.html")"

if [ -n "$browser" ]; then
  # A copy of the page with a visitor at its end: it looks around, clicks, hovers, presses keys, and writes what it saw.
  sed "s|</body>||; s|</html>||; s|script-src|& 'nonce-visitor'|" "$dir/c.html" >"$dir/visit.html"
  cat >>"$dir/visit.html" <<'J'
<script nonce="visitor">
addEventListener('load', () => {
  const curve = document.querySelector('#tradeoff'), points = [...curve.querySelectorAll('.point')];
  const rows = [...curve.querySelectorAll('tbody tr')], shown = () => curve.querySelector('.shown').textContent;
  const sees = i => [...rows[i].cells].every(c => shown().includes(c.textContent)) &&
    points.every((p, k) => p.classList.contains('on') === (k === i));
  const said = [], say = (name, ok) => said.push((ok ? 'yes ' : 'no ') + name);
  const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  say('title', document.title === 'Rule for ill in names.csv' || document.title === 'Rule for ill');
  say('rule', document.querySelector('#rule li').textContent.includes('and'));
  say('hostile-name', document.querySelector('#rule').textContent.includes('<script>document'));
  say('points', points.length > 3 && points.length === rows.length);
  say('first', sees(points.findIndex(p => p.classList.contains('chosen'))));
  points[1].dispatchEvent(new MouseEvent('click', {bubbles: true}));
  say('click', sees(1) && document.activeElement === points[1]);
  press('ArrowRight');
  say('arrow', sees(2) && document.activeElement === points[2]);
  press('Home');
  say('home', sees(0));
  press('End');
  say('end', sees(points.length - 1));
  const box = points[2].getBoundingClientRect();
  curve.querySelector('svg').dispatchEvent(new PointerEvent('pointermove',
    {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true}));
  say('hover', sees(2));
  curve.querySelector('svg').dispatchEvent(new PointerEvent('pointerleave'));
  say('leave', sees(points.length - 1));
  say('one-tab-stop', points.filter(p => p.tabIndex === 0).length === 1);
  say('fits', document.documentElement.scrollWidth <= innerWidth);
  const out = document.createElement('pre');
  out.id = 'said';
  out.textContent = said.join('\n');
  document.body.replaceChildren(out);
});
</script></body></html>
J
  for width in 400 1300; do
    browse "$dir/visit.html" $width
    for name in title rule hostile-name points first click arrow home end hover leave one-tab-stop fits; do
      check "browser-$width-$name" grep -q "yes $name" "$dir/dom"
    done
  done
else
  skip browser "needs chromium"
fi

# No clause pays for itself: there is none to choose from, and no size has a rule of its own.
printf 'f1,y\n1,0\n0,1\n' >"$dir/none.csv"
run curve "$dir/none.csv" --penalty 0.05 --complexity --threads 1 --json --quiet
check nothing-to-choose [ $code = 0 -a -n "$(grep '"pool": 0' "$dir/out")" -a -z "$(grep '"accuracy_bound"' "$dir/out")" ]
finish
