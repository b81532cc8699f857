#!/usr/bin/env bash
# The core in one file: it compiles by itself, without a flag and without a warning, and a program that learns, proves, verifies
# and predicts says the same with it as with the whole library. What is not in it is refused with a sentence.
. "$(dirname "$0")/../shell.sh"
begin amalgamation
binary=${IRELAND:-./ireland}
folder=$(dirname "$binary")
flags=""
case $folder in
*asan-ubsan*) flags="-fsanitize=address,undefined" ;;
*asan*) flags="-fsanitize=address" ;;
*ubsan*) flags="-fsanitize=undefined" ;;
*tsan*) flags="-fsanitize=thread" ;;
esac
if ! command -v python3 >/dev/null; then
  skip amalgamation "needs python3"
  finish
fi
check "is made" quietly python3 src/package/amalgamate.py "$dir"
cp "$dir/ireland.c" "$dir/first.c"
check "is made again the same" eval 'quietly python3 src/package/amalgamate.py "$dir" && cmp -s "$dir/first.c" "$dir/ireland.c"'
compile() { (cd "$dir" && $cc -std=c11 -O2 -c ireland.c) >"$dir/err" 2>&1 && [ ! -s "$dir/err" ]; }
check "compiles by 'cc -std=c11 -O2 -c ireland.c', without a warning" compile
[ -s "$dir/ireland.o" ] || finish
check "compiles with all warnings" quietly "$cc" -std=c11 -O0 -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only "$dir/ireland.c"
check "compiles with assertions" quietly "$cc" -std=c11 -O0 -DIRL_ASSERTIONS -fsyntax-only "$dir/ireland.c"
other=clang
case $cc in *clang*) other=gcc ;; esac
if command -v $other >/dev/null; then
  check "compiles with $other" quietly $other -std=c11 -O0 -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only "$dir/ireland.c"
else
  skip "$other" "is not installed"
fi
check "has a header of C99 and C++" eval 'quietly "$cc" -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c "$dir/ireland.h" && quietly "$cc" -x c++ -std=c++11 -Wall -Werror -fsyntax-only "$dir/ireland.h"'
if command -v nm >/dev/null; then
  check "needs no library but those of C" bash -c "! nm -u '$dir/ireland.o' | grep -E 'irl_|GOMP|XXH|dgetrf|inflate|openblas'"
fi

cat >"$dir/program.c" <<'PROGRAM'
#include <ireland.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static irl_env *env;

static void stop_on(irl_status status) {
  if (!status) return;
  printf("%s: %s\n", irl_status_text(status), irl_env_error(env));
  exit(1);
}

static void show(char *text) {
  puts(text);
  irl_text_free(env, text);
}

int main(int n, char **words) {
  irl_options options;
  irl_data *data;
  irl_fit_result *fit;
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  irl_certificate *certificate;
  irl_verification verification = IRL_SIZED(irl_verification);
  irl_data_info about = IRL_SIZED(irl_data_info);
  char *text;
  stop_on(irl_env_create(NULL, &env));
  irl_options_init(&options, sizeof options);
  for (int i = 2; i + 1 < n; i += 2) stop_on(irl_options_set(env, &options, words[i], words[i + 1]));
  stop_on(irl_data_read(env, words[1], &options, &data));
  stop_on(irl_fit(env, data, &options, &fit));
  irl_fit_describe(fit, &info);
  printf("%s %.17g %.17g %llu\n", irl_outcome_text(info.outcome), info.objective, info.bound, (unsigned long long)info.work);
  stop_on(irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &text));
  show(text);
  if (options.search.certificate) {
    stop_on(irl_fit_certificate(env, fit, &text));
    const irl_bytes bytes = {text, strlen(text), "certificate"};
    stop_on(irl_certificate_parse(env, &bytes, &certificate));
    stop_on(irl_verify(env, irl_fit_rule(fit), data, &options, certificate, &verification));
    printf("%s %s\n", verification.valid ? "valid" : "invalid", verification.reason);
    show(text);
    irl_certificate_free(certificate);
  }
  irl_data_describe(data, &about);
  unsigned char *predictions = malloc(about.samples);
  stop_on(irl_predict_bytes(env, irl_fit_rule(fit), data, predictions, NULL));
  for (unsigned i = 0; i < about.samples; i++) putchar('0' + predictions[i]);
  putchar('\n');
  free(predictions);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return 0;
}
PROGRAM
# shellcheck disable=SC2046,SC2086
check "a program builds with it" quietly "$cc" -std=c11 -I"$dir" "$dir/program.c" "$dir/ireland.o" -lm -lpthread -o "$dir/one"
# shellcheck disable=SC2046,SC2086
check "a program builds with the whole library" quietly "$cc" -std=c11 $flags -Iinclude "$dir/program.c" "$folder/libireland.a" \
  $(tests/libraries.sh "$folder/libireland.a") -o "$dir/whole"
"$binary" generate -N 200 -J 30 -K 2 -M 2 --noise 0.05 --seed 4 -o "$dir/data.csv" --quiet
"$binary" generate -N 120 -J 60 -K 4 -M 3 --exact-size --noise 0.1 --seed 3 -o "$dir/hard.csv" --quiet
same() {
  local name=$1
  shift
  "$dir/one" "$@" >"$dir/got" 2>&1
  "$dir/whole" "$@" >"$dir/expected" 2>&1
  agree "$name"
}
same "learns and predicts" "$dir/data.csv" K 2 M 2
same "proves and verifies" "$dir/data.csv" K 2 M 2 prove 1 certificate 1
check "which is no failure" grep -q '^valid' "$dir/got"
same "proves what is hard" "$dir/hard.csv" K 3 M 3 prove 1 work_limit 2e8
same "learns from numbers and words" data/monks1.csv K 3 M 2 negations 1 prove 1 certificate 1
same "learns a CNF" "$dir/data.csv" K 2 M 2 cnf 1
same "refuses an unknown file" "$dir/nowhere.csv"

# With threads, compressed files and assertions, where these are to be had.
printf '#include <omp.h>\n#include <zlib.h>\nint main(void) { return !omp_get_num_procs() || !zlibVersion(); }\n' >"$dir/probe.c"
if $cc -fopenmp "$dir/probe.c" -lz -o "$dir/probe" 2>/dev/null; then
  check "a program builds with threads, zlib and assertions" quietly "$cc" -std=c11 -O1 -I"$dir" -fopenmp -DIRL_HAS_ZLIB -DIRL_ASSERTIONS "$dir/program.c" \
    "$dir/ireland.c" -lz -lm -o "$dir/many"
  gzip -k "$dir/data.csv"
  "$dir/many" "$dir/data.csv.gz" K 2 M 2 prove 1 certificate 1 threads 2 >"$dir/got" 2>&1
  "$dir/one" "$dir/data.csv" K 2 M 2 prove 1 certificate 1 >"$dir/expected" 2>&1
  agree "says the same with threads, from a compressed file"
else
  skip "threads and zlib" "need both"
fi
for method in bp1 brcg; do
  "$dir/one" "$dir/data.csv" method $method >"$dir/out" 2>"$dir/err"
  check "refuses $method with a sentence" grep -q '^bad argument: method .* needs linear programs' "$dir/out"
done

# The complete program of ireland.h, as whoever pastes would write it.
sed -n '/^ \*   #include <ireland.h>/,/^ \*   }/s/^ \* \{0,3\}//p' include/ireland.h >"$dir/first_program.c"
check "the header's program builds" quietly "$cc" -std=c11 -I"$dir" "$dir/first_program.c" "$dir/ireland.o" -lm -lpthread -o "$dir/first_program"
check "and runs" eval '"$dir/first_program" "$dir/data.csv" | grep -q AND'
finish
