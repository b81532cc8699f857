#!/usr/bin/env bash
# The complete programs in the opening comments of ireland.h, ireland_data.h and ireland_model.h: taken
# out, compiled against libireland.a as C and as C++, run.
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
# And it is linked with what it was built for.
libraries=$(tests/libraries.sh "$library")

# take HEADER: its program, from the first #include to the closing brace in the first column, as NAME.c and NAME.cpp.
take() {
  local program=$dir/$1.c lines
  sed -n '/^ \*   #include <'"$1"'.h>/,/^ \*   }/s/^ \* \{0,3\}//p' "include/$1.h" >"$program"
  cp "$program" "$dir/$1.cpp"
  lines=$(grep -c '' "$program")
  if [ "$lines" -ge 15 ] && [ "$lines" -le 36 ]; then pass "$1, short"; else fail "$1, short" "$lines lines"; fi
  if awk 'length > 100 { exit 1 }' "$program" && ! grep -qE '^(\|\||&&)' "$program"; then
    pass "$1, indented"
  else
    fail "$1, indented" "a formatter has been at it"
  fi
}
take ireland
take ireland_data
take ireland_model

# What the programs must print: the rule that the command line finds; an optimum, then another one in fewer steps.
"$binary" generate -K 2 -o "$dir/data.csv" --quiet
rule=$("$binary" fit "$dir/data.csv" -K 2 --quiet -o "$dir/rule.json" >/dev/null && "$binary" export "$dir/rule.json" --to text)

# Who has fever and cough is a case; 203 rows are three blocks.
awk 'BEGIN { print "cough,age,fever"; for (i = 0; i < 203; i++) print i % 2 "," i "," (i % 3 == 0) }' >"$dir/rows.csv"
awk -F, 'NR > 1 { print $1 && $3 ? 1 : 0 }' "$dir/rows.csv" >"$dir/cases"
input() { if [ "$1" = ireland_data ]; then echo "$dir/rows.csv"; else echo "$dir/data.csv"; fi; }
expected() {
  case $1 in
  ireland) echo "$rule" ;;
  ireland_data) cat "$dir/cases" ;;
  *) echo "45 in 3 steps, then 42 in 1" ;;
  esac
}

# build NAME COMPILER STANDARD ENDING
build() {
  local name=$1 header
  for header in ireland ireland_data ireland_model; do
    # shellcheck disable=SC2086
    if ! $2 -std=$3 -Wall -Wextra -Wpedantic -Werror $flags -Iinclude "$dir/$header.$4" "$library" $libraries \
      -o "$dir/$header-$name" 2>"$dir/err"; then
      fail "$header, $name" "$(head -n 3 "$dir/err")"
    elif ! "$dir/$header-$name" "$(input $header)" >"$dir/out" 2>"$dir/err"; then
      fail "$header, $name" "exit status: $(cat "$dir/out" "$dir/err")"
    elif [ "$(cat "$dir/out")" != "$(expected $header)" ]; then
      fail "$header, $name" "it prints $(cat "$dir/out")"
    else
      pass "$header, $name"
    fi
  done
}
build c11 "$cc" c11 c
build c2x "$cc" c2x c

cxx=${CXX:-}
[ -z "$cxx" ] && case $cc in *clang*) cxx=clang++ ;; *) cxx=g++ ;; esac
if command -v "${cxx%% *}" >/dev/null && echo 'int main(){}' | $cxx -x c++ - -o "$dir/probe" 2>/dev/null; then
  build cxx11 "$cxx" c++11 cpp
  build cxx20 "$cxx" c++20 cpp
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
