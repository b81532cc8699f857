#!/bin/sh
# What a program must be linked with that uses a libireland.a: as the library was built, so by the symbols that it asks for.
#   tests/libraries.sh LIBRARY.a
asked=$(nm "${1:?usage: tests/libraries.sh LIBRARY.a}" 2>/dev/null | sed -n 's/^ *U //p' | sort -u)
asks() { printf '%s\n' "$asked" | grep -qE "^($1)\$"; }
libraries=""
asks 'GOMP_.*|__kmpc_.*|omp_.*' && libraries="-fopenmp"
asks 'dgetrf_' && libraries="$libraries -lopenblas"
asks 'XXH.*' && libraries="$libraries -lxxhash"
asks 'bcf_.*' && libraries="$libraries -lhts"
asks 'inflate' && libraries="$libraries -lz"
echo $libraries -lpthread -lm
