#!/usr/bin/env bash
# The source tarball: the same bytes each time, and it builds and passes tests by itself. Without optimisation, which is quicker here.
. "$(dirname "$0")/../shell.sh"
begin dist
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked IRELAND
version=$(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
tarball=build/ireland-$version.tar.gz

check dist quietly make dist
cp "$tarball" "$dir/first.tar.gz"
check "dist again" quietly make dist
check "the same bytes" cmp "$tarball" "$dir/first.tar.gz"
quietly tar -xzf "$tarball" -C "$dir"
tree=$dir/ireland-$version
check "one folder" [ "$(tar -tzf "$tarball" | cut -d / -f 1 | sort -u)" = "ireland-$version" ]
check "it builds" quietly make -j2 -C "$tree" OPT=-O0 all build/plain/tests/test_rule build/plain/tests/test_input
check "it has the program" [ "$("$tree/ireland" --version)" = "ireland $version" ]
for name in test_rule test_input; do check "$name passes there" quietly env -C "$tree" build/plain/tests/$name; done
check "a script passes there" quietly env -C "$tree" bash tests/cli/test_verify.sh
check "dist of the dist" quietly make -C "$tree" dist
check "has the same files" [ "$(tar -tzf "$tree/build/ireland-$version.tar.gz" | grep -v '/$' | sort)" = "$(tar -tzf "$tarball" | grep -v '/$' | sort)" ]
finish
