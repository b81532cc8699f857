#!/usr/bin/env bash
# The library for Windows by the MinGW compiler: every file compiles, a DLL links, and where wine is there a program learns a rule.
. "$(dirname "$0")/../shell.sh"
begin windows
compiler=x86_64-w64-mingw32-gcc-posix
if ! command -v $compiler >/dev/null; then
  skip windows "needs $compiler (Debian: gcc-mingw-w64-x86-64-posix)"
  finish
fi
flags="-std=gnu11 -O0 -DNDEBUG -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -Werror=implicit-function-declaration -Wno-unknown-pragmas
  -Iinclude -Isrc -Isrc/package/xxh3"
awk -f src/package/page_text.awk src/report/page/*.css src/report/page/*.js >"$dir/page_text.c"
list() { ls src/*/*.c "$dir/page_text.c" | grep -vE '^src/(cli|mpi|web)/'; }
one() {
  # shellcheck disable=SC2086
  $compiler $flags -c "$1" -o "$dir/$(basename "$1" .c).o" 2>"$dir/$(basename "$1").err" || { echo "$1"; head -n 3 "$dir/$(basename "$1").err"; }
}
export -f one
export compiler flags dir
list | xargs -P 2 -I '{}' bash -c 'one {}' >"$dir/err"
check "every file compiles" [ ! -s "$dir/err" ]
check "a DLL links" quietly $compiler -shared -static "$dir"/*.o -o "$dir/ireland.dll"
sed -n '/^ \*   #include <ireland.h>/,/^ \*   }/s/^ \* \{0,3\}//p' include/ireland.h >"$dir/learn.c"
# shellcheck disable=SC2086
check "a program links" quietly $compiler $flags "$dir/learn.c" "$dir"/*.o -static -o "$dir/learn.exe"
if command -v x86_64-w64-mingw32-objdump >/dev/null; then
  check "it needs nothing but Windows" bash -c "! x86_64-w64-mingw32-objdump -p '$dir/ireland.dll' | grep 'DLL Name' | grep -ivE 'kernel32|msvcrt|api-ms-win|psapi|ucrtbase'"
  check "the DLL has the public functions" bash -c "x86_64-w64-mingw32-objdump -p '$dir/ireland.dll' | grep -qw irl_fit_table"
fi
if command -v wine >/dev/null || command -v wine64 >/dev/null; then
  wine=$(command -v wine || command -v wine64)
  export WINEPREFIX=$PWD/$dir/wine WINEDEBUG=-all
  expected=$(
    $cc -std=gnu11 -Iinclude "$dir/learn.c" "$(dirname "$ireland")/libireland.a" $(tests/libraries.sh "$(dirname "$ireland")/libireland.a") -o "$dir/learn" &&
      "$dir/learn" data/monks1.csv
  )
  found=$($wine "$dir/learn.exe" data/monks1.csv 2>"$dir/err" | tr -d '\r')
  check "it learns the same rule under wine" [ "$found" = "$expected" ]
else
  skip "the program under wine" "there is no wine"
fi
finish
