#!/usr/bin/env bash
# The complete program in the opening comment of ireland.h: taken out, compiled against libireland.a
# as C and as C++, run.
. "$(dirname "$0")/../shell.sh"
begin header
binary=${IRELAND:-./ireland}
library=$(dirname "$binary")/libireland.a

# A library with sanitizers needs them in the program too.
case $library in
*asan-ubsan*) flags="-fsanitize=address,undefined" ;;
*asan*) flags="-fsanitize=address" ;;
*ubsan*) flags="-fsanitize=undefined" ;;
*tsan*) flags="-fsanitize=thread" ;;
*) flags="" ;;
esac
# And one that reads compressed files needs zlib.
libraries="-lopenblas -lxxhash -lm"
nm "$library" 2>/dev/null | grep -q 'U inflate$' && libraries="$libraries -lz"

# From its first #include to the closing brace in the first column of the program.
sed -n '/^ \*   #include <ireland.h>/,/^ \*   }/s/^ \* \{0,3\}//p' include/ireland.h >"$dir/program.c"
lines=$(grep -c '' "$dir/program.c")
if [ "$lines" -ge 15 ] && [ "$lines" -le 30 ]; then pass program_is_short; else fail program_is_short "$lines lines"; fi
if awk 'length > 100 { exit 1 }' "$dir/program.c" && ! grep -qE '^(\|\||&&)' "$dir/program.c"; then
  pass program_is_indented
else
  fail program_is_indented "a formatter has been at it"
fi

# What the program must print: the rule that the command line finds.
"$binary" generate -K 2 -o "$dir/data.csv" --quiet
expected=$("$binary" fit "$dir/data.csv" -K 2 --quiet -o "$dir/rule.json" >/dev/null && "$binary" export "$dir/rule.json" --to text)

# build NAME COMPILER STANDARD SOURCE
build() {
  local name=$1
  # shellcheck disable=SC2086
  if ! $2 -std=$3 -Wall -Wextra -Wpedantic -Werror $flags -Iinclude "$4" "$library" -fopenmp $libraries \
    -o "$dir/$name" 2>"$dir/$name.err"; then
    fail "$name" "$(head -n 3 "$dir/$name.err")"
  elif ! "$dir/$name" "$dir/data.csv" >"$dir/$name.out" 2>"$dir/$name.err"; then
    fail "$name" "exit status: $(cat "$dir/$name.err")"
  elif [ "$(cat "$dir/$name.out")" != "$expected" ]; then
    fail "$name" "it prints $(cat "$dir/$name.out")"
  else
    pass "$name"
  fi
}
build c11 "$cc" c11 "$dir/program.c"
build c2x "$cc" c2x "$dir/program.c"

cxx=${CXX:-}
[ -z "$cxx" ] && case $cc in *clang*) cxx=clang++ ;; *) cxx=g++ ;; esac
if command -v "${cxx%% *}" >/dev/null && echo 'int main(){}' | $cxx -x c++ - -o "$dir/probe" 2>/dev/null; then
  cp "$dir/program.c" "$dir/program.cpp"
  build cxx11 "$cxx" c++11 "$dir/program.cpp"
  build cxx20 "$cxx" c++20 "$dir/program.cpp"
else
  skip cxx "there is no C++ compiler"
fi

# The header alone, in any order, twice.
printf '#include <ireland.h>\n#include <ireland.h>\nint main(void) { return irl_status_text(IRL_STATUS_OK) == NULL; }\n' >"$dir/alone.c"
if $cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$dir/alone.c" 2>"$dir/alone.err"; then
  pass header_alone
else
  fail header_alone "$(head -n 3 "$dir/alone.err")"
fi
finish
