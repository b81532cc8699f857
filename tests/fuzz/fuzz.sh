#!/usr/bin/env bash
# tests/fuzz/fuzz.sh TARGET SECONDS: fuzzes one target from its seeds, what was once found and the corpus of earlier runs.
set -u
target=${1:?target} seconds=${2:-60}
corpus=build/fuzz/corpus-$target
scratch=build/fuzz/scratch-$target
mkdir -p "$corpus" "$scratch"
trap 'rm -rf "$scratch"' EXIT
folders=("$corpus")
for folder in tests/fuzz/{seeds,found}/"$target"; do [ -d "$folder" ] && folders+=("$folder"); done
max_length=4096
[ "$target" = irb ] && max_length=40960 # its parts stand on pages
FUZZ_DIR=$scratch FUZZ_TARGET=$target OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
  build/fuzz/fuzz -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -max_len=$max_length -dict=tests/fuzz/dictionary.txt \
  -artifact_prefix="build/fuzz/found-$target-" -print_final_stats=1 "${folders[@]}" >"build/fuzz/log-$target" 2>&1
status=$?
echo "$target: $(sed -n 's/stat::number_of_executed_units: //p' "build/fuzz/log-$target") executions, $(ls "$corpus" | wc -l) inputs in the corpus, exit status $status"
exit $status
