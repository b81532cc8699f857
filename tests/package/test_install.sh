#!/usr/bin/env bash
# What `make install` leaves: files where a packager wants them, examples in C and C++ built by pkg-config and by CMake against the
# shared and the static library, the manual page, the completions; and that `make uninstall` leaves nothing of it.
. "$(dirname "$0")/../shell.sh"
begin install
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours
version=$(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
prefix=$PWD/$dir/usr
lists() { (cd "$1" && find . -type f -o -type l) | sort; }

check install quietly make install PREFIX="$prefix"
for file in bin/ireland bin/ireland-check bin/ireland-veripb bin/ireland-question include/ireland.h lib/libireland.a "lib/libireland.so.$version" lib/libireland.so.0 lib/libireland.so \
  lib/pkgconfig/ireland.pc lib/cmake/ireland/irelandConfig.cmake lib/cmake/ireland/irelandConfigVersion.cmake share/doc/ireland/LICENSE \
  share/doc/ireland/README.md share/man/man1/ireland.1 share/bash-completion/completions/ireland share/zsh/site-functions/_ireland \
  share/fish/vendor_completions.d/ireland.fish share/ireland/python/ireland/__init__.py; do
  check "has $file" test -s "$prefix/$file"
done
check "nothing else" [ "$(lists "$prefix" | wc -l)" = $((18 + $(ls include | wc -l) + $(ls src/python/ireland | grep -cv __pycache__))) ]
check "the program runs" quietly "$prefix/bin/ireland" --version
if command -v readelf >/dev/null; then
  check soname grep -q 'SONAME.*\[libireland.so.0\]' <(readelf -d "$prefix/lib/libireland.so")
else
  skip soname "needs readelf"
fi

# ---- another place for everything ----
staged() {
  quietly make install DESTDIR="$PWD/$dir/stage" PREFIX=/opt/x libdir=/opt/x/lib/multi &&
    test -s "$dir/stage/opt/x/lib/multi/libireland.so.0" && grep -q '^libdir=${exec_prefix}/lib/multi$' "$dir/stage/opt/x/lib/multi/pkgconfig/ireland.pc" &&
    ! grep -q stage "$dir/stage/opt/x/lib/multi/pkgconfig/ireland.pc" &&
    grep -q '{_irl_libdir}/../../include"' "$dir/stage/opt/x/lib/multi/cmake/ireland/irelandConfig.cmake"
}
check staged staged
check "uninstall, staged" quietly make uninstall DESTDIR="$PWD/$dir/stage" PREFIX=/opt/x libdir=/opt/x/lib/multi
check "uninstall, staged, leaves nothing" [ -z "$(lists "$dir/stage")" ]

# ---- examples by pkg-config ----
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
cxx=${CXX:-}
[ -z "$cxx" ] && case $cc in *clang*) cxx=clang++ ;; *) cxx=g++ ;; esac
strict="-Wall -Wextra -pedantic -Wconversion -Werror"

# build KIND NAME SOURCE COMPILER FLAGS...: an example against the shared or the static library.
build() {
  local kind=$1 name=$2 source=$3 libraries
  shift 3
  libraries=$(pkg-config --libs ireland)
  [ "$kind" = static ] && libraries=$(pkg-config --static --libs ireland | sed 's/-lireland/-l:libireland.a/')
  # shellcheck disable=SC2046,SC2086
  quietly "$@" $strict $(pkg-config --cflags ireland) "$source" $libraries -o "$dir/$name-$kind"
}

# try NAME KIND: runs an example and checks what it says.
try() {
  local program=$PWD/$dir/$1-$2
  case $1 in
  minimal) "$program" | grep -qx '(rash) OR (fever AND cough)' ;;
  progress) "$program" 2>"$dir/err" | grep -q '^interrupted: weighted error' && grep -q 'objective' "$dir/err" ;;
  stream)
    run fit data/monks1.csv --quiet -o "$dir/rule.json"
    # Classes 1 and 0 are yes and no; each answer has its reason.
    for input in data/monks1.csv -; do
      "$program" "$dir/rule.json" $input <data/monks1.csv >"$dir/got" &&
        "$ireland" predict "$dir/rule.json" data/monks1.csv | awk 'NR > 1 { print $1, $2 ? "yes" : "no" }' |
        cmp -s - <(sed 's/:.*//' "$dir/got") && [ "$(grep -c ': ' "$dir/got")" = "$(grep -c '' "$dir/got")" ] || return 1
    done
    ;;
  tradeoff) "$program" data/monks1.csv "$dir/curve.svg" | grep -q '^0.833 1.000 ' && grep -q '</svg>' "$dir/curve.svg" ;;
  allocator) "$program" 2>"$dir/err" | grep -qx 'poor: out of memory, 0 bytes left in use' ;;
  warm_start)
    "$program" >"$dir/got" && awk '{ sub(/ iterations:.*/, ""); steps[NR] = $NF } END { exit !(NR == 4 && steps[1] > steps[2] && steps[1] > steps[4]) }' "$dir/got" &&
      grep -q '^at first .*optimal, cost 23.43' "$dir/got"
    ;;
  proof) "$program" | grep -q '^valid, ' ;;
  tour) [ "$("$program" "$dir/tour.csv" | sed 's/,.*//; s/[0-9]* of/N of/' | xargs)" = "interrupted with progress valid N of 300 rows cost 8 cost 9" ] ;;
  modern) "$program" | grep -qx '(age > [0-9.]* AND smokes)' ;;
  esac
}

if ! command -v pkg-config >/dev/null; then
  skip examples "needs pkg-config"
else
  check "version in ireland.pc" [ "$(pkg-config --modversion ireland)" = "$version" ]
  check "shared needs nothing else" [ "$(pkg-config --libs ireland | xargs)" = "-L$prefix/lib -lireland" ]
  for kind in shared static; do
    for name in minimal progress proof stream tradeoff allocator warm_start; do
      check "$name, $kind, builds" build $kind $name tests/examples/$name.c "$cc" -std=c11
      check "$name, $kind, runs" try $name $kind
    done
    if command -v "${cxx%% *}" >/dev/null && echo 'int main() {}' | $cxx -x c++ - -o "$dir/probe" 2>/dev/null; then
      for name in modern tour; do
        check "$name, $kind, builds" build $kind $name tests/examples/$name.cpp "$cxx" -std=c++17
        check "$name, $kind, runs" try $name $kind
      done
    else
      skip "C++, $kind" "there is no C++ compiler"
    fi
  done
  check "shared needs libireland.so.0" grep -q 'libireland.so.0' <(ldd "$dir/minimal-shared")
  check "static does not" bash -c "! ldd '$dir/minimal-static' | grep -q libireland"
fi

# ---- the same by CMake, after the installation has moved ----
# by_cmake FOLDER: two programs, by the shared and by the static library.
by_cmake() {
  mkdir -p "$dir/cmake" && cat >"$dir/cmake/CMakeLists.txt" <<LISTS || return 1
cmake_minimum_required(VERSION 3.10)
project(try C)
find_package(ireland $2 REQUIRED)
add_executable(shared $PWD/tests/examples/minimal.c)
target_link_libraries(shared PRIVATE ireland::ireland)
add_executable(static $PWD/tests/examples/minimal.c)
target_link_libraries(static PRIVATE ireland::static)
LISTS
  rm -rf "$dir/cmake/build"
  quietly env -u PKG_CONFIG_PATH -u LD_LIBRARY_PATH CC="$cc" cmake -S "$dir/cmake" -B "$dir/cmake/build" -DCMAKE_PREFIX_PATH="$1"
}
runs_by_cmake() {
  quietly cmake --build "$dir/cmake/build" && for kind in shared static; do
    env -u LD_LIBRARY_PATH "$dir/cmake/build/$kind" | grep -qx '(rash) OR (fever AND cough)' || return 1
  done
}
refused_by_cmake() { ! by_cmake "$PWD/$dir/moved" "$1"; }
if ! command -v cmake >/dev/null; then
  skip "CMake" "needs cmake"
else
  cp -a "$prefix" "$PWD/$dir/moved"
  check "CMake finds it" by_cmake "$PWD/$dir/moved" "${version%.*}"
  check "CMake's programs run" runs_by_cmake
  check "CMake takes this very version" by_cmake "$PWD/$dir/moved" "$version EXACT"
  check "CMake refuses a newer one" refused_by_cmake 0.99
  check "CMake refuses another major" refused_by_cmake 1.0
  rm -rf "$dir/moved"
fi

# The header with every standard that it promises.
printf '#include <ireland.h>\nint main(void) { irl_options o; irl_options_init(&o, sizeof o); return o.rule.K != 3; }\n' >"$dir/header.c"
cp "$dir/header.c" "$dir/header.cpp"
for standard in c99 c11 c17; do
  check "header, $standard" quietly "$cc" -std=$standard $strict -Iinclude -fsyntax-only "$dir/header.c"
done
if command -v "${cxx%% *}" >/dev/null; then
  for standard in c++11 c++17 c++20; do
    check "header, $standard" quietly "$cxx" -std=$standard $strict -Iinclude -fsyntax-only "$dir/header.cpp"
  done
fi

# ---- manual page and completions: every command and option of --help is in them ----
page=$prefix/share/man/man1/ireland.1
plain_page=$(sed 's/\\-/-/g' "$page")
commands=$("$ireland" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
missing=""
zsh_file=$prefix/share/zsh/site-functions/_ireland fish_file=$prefix/share/fish/vendor_completions.d/ireland.fish
# zsh's own functions say what they were given.
zsh_offers() { # COMMAND
  zsh -f -c '
    _describe() { print -rl -- ${commands%%:*}; }
    _arguments() { local spec; for spec in "$@"; do print -r -- ${${spec#\*}%%\[*}; done; }
    compadd() { print -rl -- "$@"; }
    compdef() { :; }
    source "$1"
    words=(ireland ${2:+"$2"} "") CURRENT=${#words}
    _ireland' zsh "$zsh_file" "$1"
}
fish_offers() { HOME=$PWD/$dir fish -N -c "source '$fish_file'; complete -C 'ireland $1'" | sed 's/\t.*//'; }
. "$prefix/share/bash-completion/completions/ireland"
completed() { # WORDS...: what completion offers for the last one
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _ireland
  printf '%s\n' "${COMPREPLY[@]}"
}
for shell in zsh fish; do command -v $shell >/dev/null || skip "completion for $shell" "needs $shell"; done
in_zsh="" in_fish=""
command -v zsh >/dev/null && in_zsh=$(zsh_offers "")
command -v fish >/dev/null && in_fish=$(fish_offers "")
for command in $commands; do
  [ -z "$in_zsh" ] || grep -qx -- "$command" <<<"$in_zsh" || missing+=" zsh:$command"
  [ -z "$in_fish" ] || grep -qx -- "$command" <<<"$in_fish" || missing+=" fish:$command"
  of_zsh=${in_zsh:+$(zsh_offers "$command")} of_fish=${in_fish:+$(fish_offers "$command -")$'\n'$(fish_offers "$command --")}
  grep -q "^\.SS \"ireland $command " "$page" || missing+=" $command"
  completed ireland "" | grep -qx -- "$command" || missing+=" completion:$command"
  for option in $("$ireland" "$command" --help | sed -n 's/^  \(-[-A-Za-z0-9]*\).*/\1/p'); do
    grep -qF -- "$option" <<<"$plain_page" || missing+=" $command$option"
    completed ireland "$command" - | grep -qx -- "$option" || missing+=" completion:$command$option"
    [ -z "$in_zsh" ] || grep -qx -- "$option" <<<"$of_zsh" || missing+=" zsh:$command$option"
    [ -z "$in_fish" ] || grep -qx -- "$option" <<<"$of_fish" || missing+=" fish:$command$option"
  done
done
check "page and completion have all commands and options" [ -z "$missing" ]
[ -z "$missing" ] || echo "missing:$missing"
check "completion of a part" [ "$(completed ireland fit --cert)" = --certificate ]
check "completion of a word" [ "$(completed ireland fit --method bp | xargs)" = "bp1 bp2 bp3 bp4 bp5 bp6" ]
if command -v fish >/dev/null; then
  check "fish completes a part" [ "$(fish_offers 'fit --cert')" = --certificate ]
  check "fish completes a word" [ "$(fish_offers 'fit --method bp' | xargs)" = "bp1 bp2 bp3 bp4 bp5 bp6" ]
  check "fish has no complaint" [ -z "$(fish -n "$fish_file" 2>&1)" ]
fi
if command -v zsh >/dev/null; then check "zsh has no complaint" [ -z "$(zsh -n "$zsh_file" 2>&1)" ]; fi
if command -v mandoc >/dev/null; then
  check "mandoc has no complaint" [ -z "$(mandoc -Tlint -Wwarning "$page" 2>&1)" ]
else
  skip mandoc "needs mandoc"
fi
if command -v man >/dev/null && man --version >/dev/null 2>&1; then
  check "man has no warning" [ -z "$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)" ]
else
  skip man "needs man"
fi

check uninstall quietly make uninstall PREFIX="$prefix"
check "uninstall leaves nothing" [ -z "$(lists "$prefix")$(ls "$prefix/share/ireland" 2>/dev/null)" ]
finish
