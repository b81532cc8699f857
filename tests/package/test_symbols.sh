#!/usr/bin/env bash
# What the shared library shows to programs: the functions of the headers, each with its version, and nothing else, whichever
# compiler and linker made it; and that a program of an older header gets along with it.
. "$(dirname "$0")/../shell.sh"
begin symbols
binary=${IRELAND:-./ireland}
folder=$(dirname "$binary")
case $folder in
*asan* | *ubsan* | *tsan*)
  skip symbols "the sanitizers add symbols of their own"
  finish
  ;;
esac
src/package/exports.sh >"$dir/declared"
libraries="$(tests/libraries.sh "$folder/libireland.a")"

# shows LIBRARY: exactly the declared functions, with the node of the map.
shows() {
  nm -D --defined-only "$1" | awk '{ print $NF }' | grep -vxE 'IRELAND_[0-9.]+(@@?IRELAND_[0-9.]+)?' | LC_ALL=C sort >"$dir/shown"
  sed 's/$/@@IRELAND_0.1/' "$dir/declared" | LC_ALL=C sort >"$dir/wanted"
  cmp -s "$dir/wanted" "$dir/shown" || { diff "$dir/wanted" "$dir/shown" | head -n 5 >"$dir/err"; false; }
}

check "the map is that of the headers" cmp -s <(src/package/exports.sh map) src/package/ireland.map
if ! command -v nm >/dev/null; then
  skip symbols "needs nm"
else
  check "the shared library" shows "$folder/libireland.so.0"
  # The same objects, joined by the compilers and linkers that are here.
  for compiler in gcc clang; do
    for linker in bfd gold lld; do
      if ! echo 'int x;' | $compiler -fuse-ld=$linker -shared -fPIC -x c - -o "$dir/probe.so" 2>/dev/null; then
        skip "$compiler, $linker" "not installed"
        continue
      fi
      # shellcheck disable=SC2086
      check "$compiler, $linker, links" quietly $compiler -fuse-ld=$linker -shared -Wl,--version-script=src/package/ireland.map \
        -Wl,--whole-archive "$folder/libireland.a" -Wl,--no-whole-archive $libraries -o "$dir/$compiler-$linker.so"
      check "$compiler, $linker" shows "$dir/$compiler-$linker.so"
    done
  done
fi

# ---- a program of a header that knew three groups of options ----
cat >"$dir/older.c" <<'PROGRAM'
#include <ireland.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct older_options {
  size_t size;
  irl_data_options data;
  irl_rule_options rule;
  irl_search_options search;
};

struct older_info {
  size_t size;
  irl_outcome outcome;
  double objective;
  unsigned long beyond; /* of what the library knows more */
};

static const unsigned char cells[] = {1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0};
static const unsigned char labels[] = {1, 1, 1, 1, 0, 0, 0};

int main(void) {
  struct older_options *older = malloc(sizeof *older);
  irl_options *options = (irl_options *)(void *)older;
  irl_env *env = NULL;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  struct older_info info = {sizeof info, IRL_OUTCOME_LIMIT, 0, 4711};
  char *text = NULL;
  if (!older || irl_env_create(NULL, &env)) return 1;
  irl_options_init(options, sizeof *older);
  if (older->size != sizeof *older || older->rule.K != 3) return 2;
  if (irl_options_set(env, options, "K", "2") || irl_options_set(env, options, "prove", NULL)) return 3;
  if (!irl_options_set(env, options, "time_limit", "1") || !strstr(irl_env_error(env), "time_limit")) return 4;
  if (irl_data_from_bytes(env, 7, 3, cells, labels, NULL, &data) || irl_fit(env, data, options, &fit) ||
      irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_TEXT, &text)) {
    puts(irl_env_error(env));
    return 5;
  }
  info.size = offsetof(struct older_info, beyond);
  if (irl_fit_describe(fit, (irl_fit_info *)(void *)&info) || info.beyond != 4711) return 6;
  printf("%s: %s\n", irl_outcome_text(info.outcome), text);
  irl_text_free(env, text);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  free(older);
  return 0;
}
PROGRAM
older() {
  cp "$folder/libireland.so.0" "$dir/libireland.so.0" && ln -sf libireland.so.0 "$dir/libireland.so" &&
    quietly "$cc" -std=c11 -Wall -Wextra -Werror -Iinclude "$dir/older.c" -L"$dir" -lireland -Wl,-rpath,"$PWD/$dir" -o "$dir/older" &&
    "$dir/older" >"$dir/out" 2>"$dir/err"
}
check "a program of an older layout runs" older
check "and gets the presets of what it lacks" grep -qx 'optimal: (f3) OR (f1 AND f2)' "$dir/out"
check "it names the version that it needs" grep -q 'IRELAND_0.1' <(readelf -V "$dir/older" 2>/dev/null || echo IRELAND_0.1)
finish
