#!/usr/bin/env bash
# bench/scripts/mixed.sh [ROWS]: a CSV of mixed columns (8 numbers, 6 categories, 4 of 0/1, an identifier, 2 %
# of the cells missing) is generated, then read and binarised; seconds of each on one and two threads.
set -eu
ireland=${IRELAND:-./ireland}
rows=${1:-1000000}
out=build/bench
mkdir -p "$out"
file=$out/mixed-$rows.csv
[ -s "$file" ] || awk -v n="$rows" 'BEGIN {
  srand(1)
  split("red green blue black white grey", color, " ")
  printf "id"
  for (j = 1; j <= 8; j++) printf ",number%d", j
  for (j = 1; j <= 6; j++) printf ",kind%d", j
  for (j = 1; j <= 4; j++) printf ",flag%d", j
  print ",y"
  for (i = 0; i < n; i++) {
    printf "P%07d", i
    first = rand() * 100
    printf ",%.2f", first
    for (j = 2; j <= 8; j++) if (rand() < 0.02) printf ","; else printf j % 2 ? ",%d" : ",%.3f", rand() * 1000
    kind = int(rand() * 6) + 1
    printf ",%s", color[kind]
    for (j = 2; j <= 6; j++) if (rand() < 0.02) printf ",NA"; else printf ",%s%d", color[int(rand() * 6) + 1], int(rand() * j)
    for (j = 1; j <= 4; j++) if (rand() < 0.02) printf ",?"; else printf ",%d", rand() < 0.3
    printf ",%d\n", (first > 60 && kind < 4) != (rand() < 0.1)
  }
}' >"$file"
echo "$file: $rows rows, $(($(stat -c %s "$file") / 1000000)) MB"
for threads in 1 2; do
  for command in "info $file" "convert $file $out/mixed.irb"; do
    rm -f "$out/mixed.irb"
    began=$EPOCHREALTIME
    "$ireland" $command --threads $threads --quiet >/dev/null
    echo "${command%% *} --threads $threads: $(awk "BEGIN { print $EPOCHREALTIME - $began }") s"
  done
done
# data.table's fread reads the same file, without cut points and without writing bits; best of three each.
command -v Rscript >/dev/null && Rscript -e 'quit(status = !requireNamespace("data.table", quietly = TRUE))' >/dev/null 2>&1 ||
  { echo "fread: skipped, R with data.table is not there"; exit 0; }
for threads in 1 2; do
  Rscript -e '
    words <- commandArgs(TRUE); data.table::setDTthreads(as.integer(words[2]))
    took <- sapply(1:3, function(i) { t <- system.time(data.table::fread(words[1], na.strings = c("", "NA", "?"), showProgress = FALSE))
                                      c(t[[3]], t[[1]] + t[[2]]) })
    cat(sprintf("fread on %s threads: %.2f s, %.2f processor s\n", words[2], min(took[1, ]), min(took[2, ])))' "$file" "$threads"
  best=999
  for run in 1 2 3; do
    rm -f "$out/mixed.irb"
    began=$EPOCHREALTIME
    "$ireland" convert "$file" "$out/mixed.irb" --threads "$threads" --quiet >/dev/null
    best=$(awk "BEGIN { t = $EPOCHREALTIME - $began; print t < $best ? t : $best }")
  done
  echo "convert on $threads threads, cut points included: $best s"
done
