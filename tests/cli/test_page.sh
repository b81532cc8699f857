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
if command -v python3 >/dev/null; then
  check split python3 "$(dirname "$0")/page_split.py" "$ireland" "$dir"
  check figures python3 "$(dirname "$0")/page_facts.py" "$dir/p.html" "$dir/r.json" "$dir/train.csv" "$dir/held.csv"
else
  skip figures "needs python3"
fi
# Free text of a paper, and what is not known is not said.
check methods-data grep -q 'The rule was developed on 240 samples' "$dir/p.html"
check methods-missing grep -q 'A condition on a missing value was taken not to hold' "$dir/p.html"
run fit "$dir/d.csv" -K 2 -M 2 --ignore row --cnf --test 0.4 --quiet --report "$dir/cnf.html" --json
check cnf-turns-figures python3 - "$dir/cnf.html" "$dir/out" <<'P'
import json, re, sys
text, fit = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
large = [float(x) for x in re.findall(r"<dd><b>([0-9.]+)", text)]
held = fit["test"]
assert abs(large[1] - 100 * held["specificity"]) < 0.06 and abs(large[2] - 100 * held["sensitivity"]) < 0.06, (large, held)
P
run fit "$dir/d.csv" -K 20 -M 1 --ignore row --cuts all --quiet --report "$dir/many.html" --effort quick --validate none
check many-clauses grep -q 'id="patterns"' "$dir/many.html"

# ---- in a browser ----
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
  skip browser "needs chromium"
  finish
fi
# The page with a visitor at its end, who looks around, moves the slider, presses keys, and writes what he saw.
sed 's|</body>||; s|</html>||' "$dir/p.html" >"$dir/visit.html"
cat "$(dirname "$0")/page_visitor.html" >>"$dir/visit.html"
for look in 390-dark 1300-light; do
  scheme=1
  [ ${look#*-} = dark ] && scheme=0
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/browser" --window-size=${look%-*},900 \
    --blink-settings=preferredColorScheme=$scheme --dump-dom "file://$PWD/$dir/visit.html?${look#*-}" >"$dir/dom" 2>"$dir/err"
  for name in title scheme saved slider-there slider-label verdict verdict-moves pays-moves curve-moves copy whole-numbers fits \
    scrolled-by-keys contrast pictures-named tables-headed headings dots-read; do
    check "$look-$name" grep -q "yes $name" "$dir/dom"
  done
done
# Pages of other kinds, on a phone: nothing sticks out.
for page in cnf many; do
  { sed 's|</body>||; s|</html>||' "$dir/$page.html"
    echo '<script>addEventListener("load", () => { const wide = [...document.querySelectorAll("main *")].filter(x => !x.closest(".wide") && x.getBoundingClientRect().right > innerWidth + 1);'
    echo 'document.body.textContent = wide.length ? "out " + wide[0].outerHTML.slice(0, 200) : "all inside"; })</script></body></html>'; } >"$dir/visit.html"
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/browser" --window-size=390,900 \
    --dump-dom "file://$PWD/$dir/visit.html" >"$dir/dom" 2>"$dir/err"
  check "$page-fits" grep -q 'all inside' "$dir/dom"
done
"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/browser" --print-to-pdf="$dir/p.pdf" "file://$PWD/$dir/p.html" >/dev/null 2>&1
check prints test -s "$dir/p.pdf"
rm -rf "$dir/browser"
finish
