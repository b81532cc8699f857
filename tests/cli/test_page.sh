#!/usr/bin/env bash
# The page of --report: its figures against the samples themselves, and the page in a real browser, light and dark, wide
# and narrow: the slider, copying, keys, what screen readers are told, nothing broken or cut off.
. "$(dirname "$0")/../shell.sh"
begin page

awk 'BEGIN { srand(7); print "row,age,site,dose,smoker,x&y,ill";
  for (i = 1; i <= 400; i++) { age = int(20 + 60 * rand()); site = substr("northeast south", 1 + 5 * int(3 * rand()), 5);
    gsub(/ /, "", site); dose = int(1000 * rand()) / 10; s = rand() < 0.4; t = rand() < 0.5;
    y = (age > 55 && s) || (site == "south" && dose > 60) || (t && age > 70); if (rand() < 0.12) y = !y;
    print i "," (rand() < 0.05 ? "" : age) "," (rand() < 0.03 ? "" : site) "," dose "," s "," t "," (y ? "yes" : "no") } }' >"$dir/d.csv"
run fit "$dir/d.csv" -K 3 -M 2 --ignore row --test 0.4 --prove --quiet -o "$dir/r.json" --report "$dir/p.html" --json
check ends-well [ $code = 0 ]
cp "$dir/out" "$dir/fit.json"
if command -v python3 >/dev/null; then
  check split python3 "$(dirname "$0")/page_split.py" "$ireland" "$dir"
  if [ -n "$browser" ]; then
    browse "$dir/p.html"
    check figures python3 "$(dirname "$0")/page_facts.py" "$dir/dom" "$dir/r.json" "$dir/train.csv" "$dir/held.csv"
  else
    skip figures "needs chromium"
  fi
else
  skip figures "needs python3"
fi
if command -v node >/dev/null; then
  check intervals quietly node "$(dirname "$0")/page_intervals.mjs" "$dir/fit.json"
  for file in src/report/page/*.js; do check "$(basename "$file") is JavaScript" quietly node --check "$file"; done
else
  skip intervals "needs node"
fi
# Only what the page was made with is applied and run.
check policy python3 - "$dir/p.html" <<'P'
import base64, hashlib, re, sys
text = open(sys.argv[1], "rb").read()
policy = re.search(rb'Security-Policy" content="([^"]*)"', text)[1].decode()
for tag in ("style", "script"):
    parts = re.findall(rb"<%s>(.*?)</%s>" % (tag.encode(), tag.encode()), text, re.S)
    wanted = base64.b64encode(hashlib.sha256(parts[0]).digest()).decode()
    assert len(parts) == 1 and f"{tag}-src 'sha256-{wanted}'" in policy, f"{tag.upper()}_SUM of src/report/page.c should be {wanted}"
assert "unsafe" not in policy and "default-src 'none'" in policy, policy
P
# Without the script the answer stands there as text.
check text grep -q '^held-out samples: balanced accuracy' "$dir/p.html"
# The certificate is of the rule, whose method may have none for the points of the page's curve.
run fit "$dir/d.csv" -K 1 -M 1 --ignore row --method brcg --prove --certificate "$dir/brcg.txt" --quiet --report "$dir/brcg.html"
check certificate-beside [ $code = 0 -a -s "$dir/brcg.txt" -a -s "$dir/brcg.html" ]
run fit "$dir/d.csv" -K 2 -M 2 --ignore row --cnf --test 0.4 --quiet --report "$dir/cnf.html" --json
cp "$dir/out" "$dir/cnf.json"
run fit "$dir/d.csv" -K 20 -M 1 --ignore row --cuts all --quiet --report "$dir/many.html" --effort quick --validate none
# Free text of a paper, and what is not known is not said.
page_has methods-data "$dir/p.html" 'The rule was developed on 240 samples'
page_has methods-missing "$dir/p.html" 'A condition on a missing value was taken not to hold'
page_has many-clauses "$dir/many.html" 'id="patterns"'
if [ -n "$browser" ]; then
  browse "$dir/cnf.html"
  check cnf-turns-figures python3 - "$dir/dom" "$dir/cnf.json" <<'P'
import json, re, sys
text, fit = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
large = [float(x) for x in re.findall(r"<dd><b>([0-9.]+)", text)]
held = fit["test"]
assert abs(large[1] - 100 * held["specificity"]) < 0.06 and abs(large[2] - 100 * held["sensitivity"]) < 0.06, (large, held)
P
fi

# ---- names that would be markup, or would end the script or the data ----
printf '%s\n' '</script><script>x=1</script>,<!--<script>,"a""><img src=x onerror=x=1>",&lt;b&gt;,</td>' >"$dir/evil.csv"
awk 'BEGIN { srand(3); for (i = 0; i < 80; i++) { a = rand() < 0.5; b = rand() < 0.5;
  print a "," b "," (rand() < 0.5) "," (rand() < 0.5) "," ((a && b) != (rand() < 0.1) ? "<yes>" : "</pre>") } }' >>"$dir/evil.csv"
run curve "$dir/evil.csv" -K 2 -M 2 --negations --positive '<yes>' --quiet --report "$dir/evil.html"
check evil-ends-well [ $code = 0 ]
check evil-one-script [ "$(grep -o '<script' "$dir/evil.html" | wc -l) $(grep -o '</script' "$dir/evil.html" | wc -l) $(grep -c '<!--\|<img' "$dir/evil.html")" = "2 2 0" ]
page_has evil-shown "$dir/evil.html" '<code class="long">&lt;/script&gt;&lt;script&gt;x=1&lt;/script&gt;</code>'
page_has evil-label "$dir/evil.html" '<code>&lt;yes&gt;</code>'

# ---- stability, and the near-optimal rules ----
for threads in 1 2 8; do
  run fit "$dir/d.csv" -K 2 -M 2 --ignore row --stability 12 --prove --all-optimal 50 --within 0.3 --validate none --quiet --json --threads $threads \
    --report "$dir/s.html"
  sed '/^  "run"/,$d' "$dir/out" >"$dir/s$threads.json"
  sed '/--threads/d' "$dir/s.html" >"$dir/s$threads.html"
done
for threads in 2 8; do
  check "stability-$threads-threads" cmp "$dir/s1.json" "$dir/s$threads.json"
  check "stability-page-$threads-threads" cmp "$dir/s1.html" "$dir/s$threads.html"
done
check shares-agree-with-rules python3 - "$dir/out" <<'P'
import collections, json, sys
fit = json.load(open(sys.argv[1]))
counts = collections.Counter(l for r in fit['rules'] for l in {l for c in r['clauses'] for l in c})
assert {x['literal']: x['rules'] for x in fit['literal_shares']} == counts, fit['literal_shares']
assert {x['literal'] for x in fit['literal_shares'] if x['in'] == 'all'} == set(fit['common_literals'])
n = len(fit['rules'])
assert n > 1 and all((x['in'] == 'most') == (n / 2 <= x['rules'] < n) for x in fit['literal_shares'])
s = fit['stability']
assert s['resamples'] == s['done'] == 12 and len(s['clauses']) == len(fit['clauses']) and 0.5 < s['agreement'] <= 1
assert all(0 <= x['count'] <= 12 for x in s['literals'])
own = {x['literal'] for x in s['literals'] if x['in_rule']}
assert {' '.join(l.split()[:2]) if '>' in l or '<=' in l else l for c in fit['clauses'] for l in c} == own, own
P
for mix in '--cnf' '--negations --missing impute' '--loss hamming' '--weights unit --penalty 0.02' '--test 0.3 --strata site --ignore row' '--method brcg' '--group site' '--min-specificity 0.9'; do
  run fit "$dir/d.csv" -K 2 -M 2 $([[ $mix == *row* ]] || echo --ignore row) --stability 3 --validate none --quiet --json $mix --report "$dir/mix.html"
  check "stability $mix" grep -q '"done": 3' "$dir/out"
  check "stability page $mix" grep -q '^  "stability": {' "$dir/mix.html"
done
run fit "$dir/d.csv" -K 2 -M 2 --ignore row --stability 3 --validate none --quiet --penalty 0.9
check stability-of-nothing grep -q 'stability: not known, since the rule has no literals' "$dir/out"
run fit "$dir/d.csv" -K 2 -M 2 --stability -1
check stability-range [ $code = 2 ]

# ---- in a browser ----
if [ -z "$browser" ]; then
  skip browser "needs chromium"
  finish
fi
# The page with a visitor at its end, who looks around, moves the slider, presses keys, and writes what he saw.
sed "s|</body>||; s|</html>||; s|script-src|& 'nonce-visitor'|" "$dir/p.html" >"$dir/visit.html"
cat "$(dirname "$0")/page_visitor.html" >>"$dir/visit.html"
for look in 390-dark 1300-light; do
  scheme=1
  [ ${look#*-} = dark ] && scheme=0
  cp "$dir/visit.html" "$dir/visit-${look#*-}.html"
  browse "$dir/visit-${look#*-}.html" "${look%-*}" $scheme
  for name in title scheme saved slider-there slider-label verdict verdict-moves pays-moves curve-moves copy whole-numbers fits \
    scrolled-by-keys contrast pictures-named tables-headed headings dots-read; do
    check "$look-$name" grep -q "yes $name" "$dir/dom"
  done
done
# Pages of other kinds, on a phone: nothing sticks out.
for page in cnf many; do
  { sed "s|</body>||; s|</html>||; s|script-src|& 'nonce-visitor'|" "$dir/$page.html"
    echo '<script nonce="visitor">addEventListener("load", () => { const wide = [...document.querySelectorAll("main *")].filter(x => !x.closest(".wide") && x.getBoundingClientRect().right > innerWidth + 1);'
    echo 'document.body.textContent = wide.length ? "out " + wide[0].outerHTML.slice(0, 200) : "all inside"; })</script></body></html>'; } >"$dir/visit.html"
  browse "$dir/visit.html" 390
  check "$page-fits" grep -q 'all inside' "$dir/dom"
done
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/browser" --print-to-pdf="$dir/p.pdf" "file://$PWD/$dir/p.html" >/dev/null 2>&1
check prints test -s "$dir/p.pdf"
rm -rf "$dir/browser"
finish
