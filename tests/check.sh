#!/usr/bin/env bash
# Layers, exported symbols, formatting, widths of documents. One line per finding; exit status 1 if there is any. Then a report of
# what is counted but not demanded: assertions, long lists of parameters, symbols that nobody needs.
set -u
library=${1:?usage: tests/check.sh LIBRARY.so}
findings=0
finding() { echo "check: $*"; findings=$((findings + 1)); }

# ---- layers: what each folder may include besides itself and ireland.h -------------------------
# A folder may include those before it on this list, lp and verify less; nothing points back up.
layers="base comm bits data table read rule lp model verify problem search clause select milp brcg prove learn curve validate report api"
allowed() {
  case $1 in
  lp | model) echo "base bits lp" ;;
  verify) echo "base bits data table read rule" ;;
  cli) echo "" ;;
  mpi | web) echo "cli" ;;
  *) case " $layers " in *" $1 "*) echo "${layers%%"$1"*}" ;; *) echo "?" ;; esac ;;
  esac
}
for file in src/*/*.[ch]; do
  folder=$(basename "$(dirname "$file")")
  permitted=" $folder $(allowed "$folder") "
  [ "$permitted" = " $folder ? " ] && finding "$file: folder $folder is in no layer"
  for include in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
    case $include in ireland*.h) continue ;; esac
    case "$permitted" in
    *" ${include%%/*} "*) ;;
    *) finding "$file includes $include, which is not below $folder" ;;
    esac
  done
done

# ---- the header that everybody reads stays short ---------------------------------------------------
lines=$(wc -l <include/ireland.h)
[ "$lines" -le 500 ] || finding "include/ireland.h has $lines lines, more than 500: what fewer need goes into another header"

# ---- file names are unique in the whole tree ----------------------------------------------------
for name in $(ls src/*/*.[ch] | xargs -n 1 basename | sort | uniq -d); do finding "two files are called $name"; done

# ---- tests stand in the folder of their room, and their programs in one folder of the build -------
for file in $(ls tests/test_* tests/*.h 2>/dev/null); do finding "$file belongs into tests/unit/ROOM or another folder of tests"; done
for folder in tests/unit/*/; do [ -d "src/$(basename "$folder")" ] || finding "$folder is named after no folder of src"; done
for name in $(ls tests/unit/*/test_* tests/*/test_* | xargs -n 1 basename | sort | uniq -d); do finding "two suites are called $name"; done

# ---- the shared library exports exactly the public functions, each with its version --------------
# GNU's linker shows the nodes of the map too, as absolute symbols of their own names.
src/package/exports.sh map | cmp -s - src/package/ireland.map || finding "src/package/ireland.map is not what the headers declare: make map"
if command -v nm >/dev/null; then
  declared=$(src/package/exports.sh | LC_ALL=C sort -u)
  shown=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && !($2 == "A" && $3 ~ /^IRELAND_[0-9.]+(@@?IRELAND_[0-9.]+)?$/) { print $3 }' | LC_ALL=C sort -u)
  exported=$(echo "$shown" | sed 's/@.*//' | LC_ALL=C sort -u)
  for name in $(LC_ALL=C comm -23 <(echo "$declared") <(echo "$exported")); do finding "$name is declared but not exported"; done
  for name in $(LC_ALL=C comm -13 <(echo "$declared") <(echo "$exported")); do finding "$name is exported but not declared"; done
  for name in $(echo "$shown" | grep -vE '^irl_[a-z0-9_]+@@IRELAND_[0-9]+\.[0-9]+$'); do finding "$name is exported without a version"; done
fi

# ---- what a library in somebody's process must not do -------------------------------------------
# Its own code holds no writable variable but the table of kernels and a note of each thread, ends or signals nothing, prints nothing, and leaves
# settings of the process and of the libraries below it alone (omp_set_lock sets none).
if command -v nm >/dev/null; then
  archive=$(dirname "$library")/libireland.a
  for name in $(nm --format=sysv "$archive" 2>/dev/null | awk -F'|' '$7 ~ /^ *\.(t?data|t?bss)(\.[^r].*)? *$/ && $4 !~ /SECTION/ { print $1 }' | sort -u); do
    case $name in
    chosen*) ;; # the kernels
    threads_home) ;; # of each thread: the process that its OpenMP threads are in, which nothing else can tell after a fork (base/threads.c)
    *) finding "$name is a writable variable of the library" ;;
    esac
  done
  forbidden='exit|_exit|quick_exit|abort|raise|kill|signal|sigaction|printf|vprintf|puts|putchar|perror|stdout|stderr|setenv|putenv|setlocale|srand|rand|lgamma|strtok|localtime|gmtime|atexit|omp_set_[a-km-z].*|openblas_set_.*|fork|system'
  for name in $(nm -u "$archive" 2>/dev/null | awk '{ print $2 }' | grep -xE "$forbidden" | sort -u); do finding "the library uses $name"; done
fi

# ---- parallel regions do not wait for threads that a fork has left behind -----------------------
while read -r line; do finding "$line: the number of threads is irl_threads_here(...) or irl_threads_for(...), see base/threads.c"; done < <(grep -n -A 1 '#pragma omp parallel' src/*/*.c | sed '/\\$/{N;s/ *\\\n[^ ]* */ /}' | grep '#pragma' | grep -vE 'num_threads\( *irl_threads_(here|for)\(')

# ---- a library without OpenMP has its one thread from base/parallel.h -----------------------------
for file in $(grep -lE '#include <omp\.h>|[^_a-z]omp_[a-z]' src/*/*.[ch] | grep -vx src/base/parallel.h); do finding "$file uses OpenMP by other ways than base/parallel.h"; done

# ---- numbers do not depend on the locale of the host ---------------------------------------------
# Numbers that are not whole are read and written by base/c_locale.h, and letters are told apart by it. The command line is its own
# host and sets no locale.
locale_bound() {
  awk -v file="$1" '
    BEGIN { before = "(^|[^_a-z])"
      banned = "strto[fd]|strtold|atof|v[fs]?scanf|v[fs]n?printf|strn?casecmp|strcoll|setlocale|localeconv|"
      banned = banned "is(alpha|alnum|space|digit|graph|print|punct|upper|lower)|to(upper|lower)" }
    $0 ~ before "(" banned ")\\(" { print file ":" NR " calls a function that depends on the locale: see base/c_locale.h" }
    $0 ~ before "((f|sn)printf|[fs]?scanf)\\(" { statement = ""; is_open = 1; first = NR }
    is_open { statement = statement $0; if ($0 !~ /;/) next
      is_open = 0; gsub(/%%/, "", statement)
      if (statement ~ /%[-+ #0-9.*]*[lL]?[aefgAEFG]/) print file ":" first " reads or prints a number in the locale of the host: see base/c_locale.h" }' "$1"
}
while read -r line; do finding "$line"; done < <(for file in $(ls src/*/*.[ch] | grep -vE '^src/((cli|mpi|web)/|base/c_locale\.)'); do locale_bound "$file"; done)

# ---- an order says 0 of what is equal, as qsort demands -----------------------------------------------
while read -r line; do finding "${line%%  *} is no order: equal items must give 0, as (a > b) - (a < b) does"; done < <(grep -nE '^ +return [^?]*[<>][^?]* \? (-1 : 1|1 : -1);' src/*/*.[ch])

# ---- formatting: of all but the test library, in whose place upstream's header may stand -------------
if command -v clang-format >/dev/null; then
  for file in $(ls src/*/*.[ch] include/*.h tests/*/*.[ch] tests/unit/*/*.[ch] tests/examples/*.cpp bench/programs/*.[ch] 2>/dev/null | grep -vx tests/support/greatest.h); do
    clang-format --dry-run -Werror "$file" >/dev/null 2>&1 || finding "$file is not formatted (clang-format -i $file)"
  done
else
  echo "check: clang-format is missing, formatting not checked"
fi

# ---- documents: at most 100 columns, but for blocks of code and the tables of RESULTS.md, which are made ------------------------
while read -r line; do finding "$line"; done < <(find . -name '*.md' -not -path './build/*' -print | sort | while read -r file; do
  awk -v file="${file#./}" '/^ *```/ { inside = !inside } !inside && length($0) > 100 && !(file ~ /RESULTS.md$/ && /^\|/) { print file ":" FNR " has " length($0) " columns, more than 100" }' "$file"
done)

# ---- report ---------------------------------------------------------------------------------------
# parameters ROOM: functions of the room that are defined with more than six of them, as 'FILE:NAME'.
parameters() {
  awk '
    FNR == 1 { text = "" }
    /^[a-z].*\(/ && !/;$/ && !/^(typedef|struct|enum|union|extern)/ { text = "" ; is_open = 1 }
    is_open { text = text " " $0
      if ($0 ~ /;$/) is_open = 0
      if ($0 ~ /\{$/) {
        is_open = 0
        name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        inner = text; sub(/^[^(]*\(/, "", inner); sub(/\)[^)]*\{$/, "", inner)
        while (gsub(/\([^()]*\)/, "", inner)) {}
        file = FILENAME; sub(/.*src\//, "", file)
        if (gsub(/,/, "", inner) > 5) print file ":" name
      } }' $(ls "src/$1"/*.[ch] | grep -v '/kernels')
}
# unneeded: functions that are not public and that no other file of src names, but for checks, which only assertions call: either
# their own file calls them (they could be static) or nobody in src does.
unneeded() {
  for object in "$(dirname "$library")"/*/*.o; do
    [ -f "src/$(basename "$(dirname "$object")")/$(basename "$object" .o).c" ] && echo "$object"
  done | xargs nm -A 2>/dev/null | awk '
    $(NF - 1) == "U" { used[$NF] = 1 }
    $(NF - 1) == "T" { place = $1; sub(/:.*/, "", place); sub(/.*build\/[^\/]*\//, "", place); sub(/\.o$/, ".c", place); where[$NF] = place }
    END { for (name in where) if (!used[name] && name ~ /^irl_/ && name !~ /_check$/) print where[name], name }' | sort | while read -r place name; do
    grep -qw "$name" include/*.h src/mpi/*.c && continue
    [ "$(grep -cw "$name" "src/$place")" -gt 1 ] && echo "own $place:$name" || echo "none $place:$name"
  done
}
echo "room        lines  assertions  per 1,000  more than six parameters"
long=""
for room in $layers cli mpi web; do
  names=$(parameters "$room")
  [ "$names" ] && long="$long $(echo $names)"
  lines=$(cat "src/$room"/*.[ch] | wc -l)
  asserts=$(cat "src/$room"/*.[ch] | grep -cE '\bassert\(|_Static_assert\(')
  printf '%-10s %6d %11d %10.1f %25d\n' "$room" "$lines" "$asserts" "$(echo "$asserts $lines" | awk '{ print 1000 * $1 / $2 }')" "$(echo $names | wc -w)"
done
echo "more than six parameters:${long:- none}" | fold -s -w 100
unneeded=$(unneeded)
echo "called in their own file alone:" $(echo "$unneeded" | sed -n 's/^own //p') | fold -s -w 100
echo "called by nobody in src:" $(echo "$unneeded" | sed -n 's/^none //p') | fold -s -w 100

[ "$findings" = 0 ] && echo "layers, symbols, formatting and documents are in order"
exit $((findings > 0))
