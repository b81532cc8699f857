#!/usr/bin/env bash
# tests/fuzz/fuzz.sh TARGET SECONDS: fuzzes one target from its seeds, what was once found and the corpus of earlier runs.
set -u
target=${1:?target} seconds=${2:-60}
corpus=build/fuzz/corpus-$target
mkdir -p "$corpus"
scratch=$(mktemp -d /dev/shm/fuzz-XXXXXX 2>/dev/null || mktemp -d) # in memory: files are written to the disk before they are closed
trap 'rm -rf "$scratch"' EXIT
folders=("$corpus")
for folder in tests/fuzz/{seeds,found}/"$target"; do [ -d "$folder" ] && folders+=("$folder"); done
max_length=4096
case $target in irb | shards) max_length=40960 ;; esac # the parts of .irb stand on pages
asan=detect_leaks=1:allocator_may_return_null=1
# htslib asks for the 8 GB that a damaged record may claim and never writes them, but the sanitizer marks each byte.
[ "$target" = bcf ] && asan=$asan:max_allocation_size_mb=500
FUZZ_DIR=$scratch FUZZ_TARGET=$target OMP_NUM_THREADS=1 ASAN_OPTIONS=$asan \
  build/fuzz/fuzz -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -max_len=$max_length -dict=tests/fuzz/dictionary.txt \
  -artifact_prefix="build/fuzz/found-$target-" -print_final_stats=1 "${folders[@]}" >"build/fuzz/log-$target" 2>&1
status=$?
n=$(sed -n 's/stat::number_of_executed_units: //p' "build/fuzz/log-$target")
echo "$target: ${n:-no} executions, $(ls "$corpus" | wc -l) inputs in the corpus, exit status $status"
exit $status
