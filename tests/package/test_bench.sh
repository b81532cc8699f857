#!/usr/bin/env bash
# The runner of the paper's experiments on two tiny sets: rows, resuming, failures as rows, the report.
. "$(dirname "$0")/../shell.sh"
begin bench
if ! command -v python3 >/dev/null; then skip bench "python3 is missing"; finish; fi
[[ $ireland == *san* ]] && { skip bench "its runner bounds the address space, of which sanitizers take much"; finish; }

list=$dir/sets.csv folder=$dir/made
checksum() { "$ireland" generate "${@:2}" -K 2 -M 2 --seed 1 -o "$dir/one.irb" --quiet && "$ireland" info "$dir/one.irb" --json | sed -n 's/.*"checksum": "\(.*\)".*/\1/p'; }
{
  echo name,N,J,K,M,size,noise,seed,cases,planted,checksum
  echo "clean,40,8,2,2,max,0,1,20,0,$(checksum clean -N 40 -J 8)"
  echo "noisy,50,8,2,2,max,0.05,1,20,5,$(checksum noisy -N 50 -J 8 --noise 0.05)"
} >"$list"
paper() { python3 bench/paper "$@" --list "$list" --folder "$folder" >"$dir/out" 2>"$dir/err"; }
rows() { tail -n +2 "$folder/runs.csv" | wc -l; }
well_formed() { python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(path) for path in sys.argv[1:]]' "$@"; }

# ---- rows, and going on where it stopped ----
paper run --ireland "$ireland" --threads 1 --limit 5 --only h,f --sets 1
check "a run is a row" [ "$(rows)" = 3 ]
check "with the optimum" grep -q '^clean,[0-9a-f]*,ireland,,1,1,5,optimal,0,0,0,' "$folder/runs.csv"
cp "$folder/runs.csv" "$dir/before"
paper run --ireland "$ireland" --threads 1 --limit 5 --only h,f,c
head -n 4 "$folder/runs.csv" >"$dir/got" && cp "$dir/before" "$dir/expected"
agree "rows that are there stay"
check "and only the others are run" grep -q '^5 runs, 2 to do' "$dir/err"
check "all of them" [ "$(rows)" = 5 ]
head -n 3 "$dir/before" >"$folder/runs.csv" && printf 'noisy,abc' >>"$folder/runs.csv"
paper run --ireland "$ireland" --threads 1 --limit 5 --only h,f
check "a row that was cut off is run again" [ "$(grep -c '^noisy,[0-9a-f]*,curve' "$folder/runs.csv")" = 1 ]
head -n 3 "$dir/before" >"$folder/runs.csv"
paper run --ireland "$ireland" --threads 1 --limit 5 --only h,f --minutes 0
check "without minutes nothing is begun" grep -q '1 runs are left for the next time' "$dir/err"
check "and it is kept for the next time" [ "$(rows)" = 2 ]

# ---- what crashes, hangs, fails or needs too much memory is a row ----
cat >"$dir/fake" <<END
#!/usr/bin/env bash
case "\$*" in
*fit*bp1*) kill -SEGV \$\$ ;;
*fit*brcg*) mkdir "$dir/slept" 2>/dev/null && exec sleep 600 || exit 4 ;;
*fit*profile*) echo '{"status": ' ;;
*) exec "$(realpath "$ireland")" "\$@" ;;
esac
END
chmod +x "$dir/fake"
folder=$dir/failing
BENCH_GRACE=3 paper run --ireland "$dir/fake" --threads 1 --limit 1 --only d,e --sets 1
check "a crash is a row" grep -q '^noisy,[0-9a-f]*,bp1,.*,crash: SIGSEGV,' "$folder/runs.csv"
check "a run over its limit is a row" grep -q '^clean,[0-9a-f]*,brcg,.*,killed: over the time limit,' "$folder/runs.csv"
check "a run without a solution is a row" grep -q '^noisy,[0-9a-f]*,brcg,.*,limit without a solution,' "$folder/runs.csv"
check "half an answer is a row" grep -q '^noisy,[0-9a-f]*,ireland-paper,.*,failed: exit code 0,' "$folder/runs.csv"
check "and the series goes on" [ "$(rows)" = 4 ]
paper run --ireland "$ireland" --threads 1 --limit 2 --only h --sets 1 --memory 20
check "so is one without memory" grep -qE '^clean,[0-9a-f]*,ireland,,1,1,2,(failed|crash|out of)' "$folder/runs.csv"

# ---- the report ----
for folder in "$dir/made" "$dir/failing"; do
  paper report --results "$folder/results.md"
  check "a page of $(basename "$folder")" well_formed "$folder/index.html" "$folder"/*.svg
done
check "with the verdicts" grep -q '<td>exceeded</td>' "$dir/made/index.html"
check "what was not run is said" grep -q '<td>not run</td>' "$dir/made/index.html"
check "a summary" grep -q '^| clean | 0.000 | 0 | 0 | optimal |' "$dir/made/results.md"

# ---- a set that is not the one of the list ----
sed -i 's/^clean,\(.*\),[0-9a-f]*$/clean,\1,0123456789abcdef/' "$list"
folder=$dir/other
paper run --ireland "$ireland" --limit 1 --only h
check "a wrong checksum ends it" grep -q 'not 0123456789abcdef as listed' "$dir/err"

finish
