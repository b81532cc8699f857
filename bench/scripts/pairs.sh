#!/usr/bin/env bash
# bench/scripts/pairs.sh [SNPS [SAMPLES]]: all pairs of SNPs, counted in cases and controls, beside `plink1.9
# --fast-epistasis boost` on the same file and threads; the best of three runs of each. Needs plink1.9, which also makes
# the file. For plink the time is that of reading and testing, for ours that of the counting, which the program prints.
set -eu
bench=${BENCH:-build/plain/bench}
snps=${1:-10000} samples=${2:-2000}
dir=build/bench
command -v plink1.9 >/dev/null || { echo "pairs: skipped, plink1.9 is not on the PATH"; exit 0; }
mkdir -p "$dir"
file=$dir/pairs-$snps-$samples
[ -s "$file.bed" ] || plink1.9 --dummy "$samples" "$snps" --seed 1 --make-bed --out "$file" >/dev/null
pairs=$(awk -v n="$snps" 'BEGIN { printf "%.0f", n * (n - 1) / 2 }')
TIMEFORMAT='%R %U'
for threads in 1 2; do
  plink="999999 0" # seconds of the clock, of processors
  for run in 1 2 3; do
    took=$({ time plink1.9 --bfile "$file" --fast-epistasis boost --epi1 1e-12 --threads "$threads" \
      --out "$dir/pairs" >/dev/null 2>&1; } 2>&1)
    plink=$(printf '%s\n%s\n' "$plink" "$took" | sort -g | head -1)
  done
  ours=$(for run in 1 2 3; do "$bench/pairs" "$file.bed" "$threads"; done | sort -t: -k2 -g | head -1)
  echo "$ours"
  awk -v p="$plink" -v o="$ours" -v n="$pairs" -v t="$threads" 'BEGIN {
    split(p, a, " "); match(o, /: [0-9.]+ s, [0-9.]+/); split(substr(o, RSTART + 2, RLENGTH - 2), b, " s, ")
    printf "threads %d: plink1.9 boost %.2f s (%.2f processor s), %.3g SNP pairs/s; ours %.3g SNP pairs/s\n", t, a[1], a[2], n / a[1], n / b[1]
    printf "  %.1f times as many by the clock, %.1f times by processor time\n", a[1] / b[1], a[2] / b[2] }'
done
