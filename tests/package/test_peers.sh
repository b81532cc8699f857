#!/usr/bin/env bash
# The race beside peers on tiny models with a peer that is made up: rows, rounds, resuming, limits; and RESULTS.md and README's table are what
# the CSV files of bench/results make.
. "$(dirname "$0")/../shell.sh"
begin peers
if ! command -v python3 >/dev/null; then skip peers "python3 is missing"; finish; fi
peers=$dir/peers folder=$dir/race
mkdir -p "$peers/bin"
cat >"$peers/bin/glpsol" <<'END'
#!/usr/bin/env bash
case "$*" in
*--version*) echo "GLPSOL 5.99" ;;
*bp1*) while [ $# -gt 0 ]; do [ "$1" = -o ] && printf 'Status:     INTEGER OPTIMAL\nObjective:  obj = 0 (MINimum)\n' >"$2"; shift; done ;;
*) sleep 1; exit 1 ;;
esac
END
chmod +x "$peers/bin/glpsol"
race() { python3 bench/peers run --ireland "$ireland" --peers "$peers" --folder "$folder" --shared "$dir" --who "ireland solve,glpsol,STreeD" --limit 60 "$@" >"$dir/out" 2>"$dir/err"; }
rows() { tail -n +2 "$folder/peers.csv" | wc -l; }

race --only models --match "BP1 50 x 20, K = 2" --rounds 1
check "a row for each" [ "$(rows)" = 4 ]
check "ours is proven" grep -q '^models,"BP1 50 x 20, K = 2",ireland solve,1,proven,0,' "$folder/peers.csv"
check "a peer of the folder, with its version" grep -q '^models,"BP1 50 x 20, K = 2",glpsol,1,proven,0,.*,5.99,' "$folder/peers.csv"
cp "$folder/peers.csv" "$dir/before"
race --only models --match "BP1 50 x 20, K = 2" --rounds 2
head -n 5 "$folder/peers.csv" >"$dir/got" && cp "$dir/before" "$dir/expected"
agree "rows that are there stay"
check "a second round has as many" [ "$(rows)" = 8 ]
printf 'models,"BP1 50 x' >>"$folder/peers.csv"
race --only models --match "BP2 50 x 20, K = 2, 5" --rounds 2
check "after a row that was cut off the next ones are whole" grep -q '^models,"BP2 50 x 20, K = 2, 5 % noise",ireland solve,2,proven' "$folder/peers.csv"
check "a peer without an answer is a row" grep -q '^models,"BP2 50 x 20, K = 2, 5 % noise",glpsol,1,limit' "$folder/peers.csv"
check "and is not asked again" [ "$(grep -c '^models,"BP2 50 x 20, K = 2, 5 % noise",glpsol' "$folder/peers.csv")" = 1 ]
check "a part says what it will take" grep -q '^models, round 1: 1 tasks, about [0-9.]* minutes of 50.0 minutes' "$dir/err"
race --only models --match "BP4 200 x 100" --minutes 0.05
check "what does not fit into the minutes is not begun" grep -q '^models, round 1: no time for 1 of 1 tasks' "$dir/err"
race --only trees --match "vote, depth 2"
check "data that are not there are skipped with a reason" grep -q 'skipped, there is no' "$dir/err"

python3 bench/peers page --preview --folder "$folder" >"$dir/out" 2>&1
check "a page of this race" grep -q '^| BP 50 x 20, K = 2 | ' "$folder/RESULTS.md"
check "with its machine" grep -q '^Machine of the race: [0-9]* cores' "$folder/RESULTS.md"
check "and its pictures" python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(path) for path in sys.argv[1:]]' "$folder"/*.svg

# ---- times over those of a reference ----
burn() { printf '#!/usr/bin/env bash\n[[ "$*" == *generate* ]] && exit\nfor ((i = 0; i < %s; i++)); do :; done\necho "{\\"run\\": {\\"kernel\\": \\"%s\\"}}"\n' "$1" "$2" >"$dir/$3" && chmod +x "$dir/$3"; }
times() { python3 bench/scripts/times.py --ireland "$dir/fake" --reference "$dir/unit" --list "$dir/times.csv" --rounds 1 "$@" >"$dir/out" 2>&1; }
burn 20000 avx9 unit && burn 20000 avx9 fake
times --write
check "ratios are written" [ "$(grep -c ',avx9$' "$dir/times.csv")" -ge 5 ]
burn 80000 avx9 fake
is_told() { ! times; }
check "slower commands are told" is_told
check "with how much" grep -q '^SLOWER fit-' "$dir/out"
burn 80000 avx1 fake
check "on other kernels nothing is compared" times
check "and it is said" grep -q 'not compared: the file has kernels avx9' "$dir/out"

check "RESULTS.md and README's table are what the CSV files make" python3 bench/peers page --check
check "README's rows are not wider than 100" [ -z "$(sed -n '/^| what | figure |/,/^$/p' README.md | awk 'length > 100')" ]
finish
