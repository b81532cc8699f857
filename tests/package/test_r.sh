#!/usr/bin/env bash
# The R package: it builds with its vignette, R CMD check --as-cran has nothing to say, its own tests pass there (the check runs them), it
# learns the same rules as the program, and an interrupt keeps the best one.
. "$(dirname "$0")/../shell.sh"
begin r
unset MAKEFLAGS MFLAGS MAKEOVERRIDES asan ubsan tsan checked # the flavour of the outer make is not ours
case $ireland in /*) ;; *) ireland=$PWD/$ireland ;; esac
for package in tinytest knitr rmarkdown; do
  if ! Rscript -e "stopifnot(requireNamespace('$package', quietly = TRUE))" >/dev/null 2>&1; then
    skip r "needs R with tinytest, knitr and rmarkdown (make deps)"
    finish
  fi
done
version=$(sed -n 's/^#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
tarball=$PWD/build/r/ireland_$version.tar.gz

# What the compiler does is the business of other tests: quickly is good enough.
printf 'CFLAGS=-O1 -g\n' >"$dir/Makevars"
export R_MAKEVARS_USER=$PWD/$dir/Makevars OMP_WAIT_POLICY=passive
# Nothing is fetched: neither the time of day nor the index of CRAN.
export _R_CHECK_SYSTEM_CLOCK_=0 _R_CHECK_CRAN_INCOMING_REMOTE_=FALSE _R_CHECK_FORCE_SUGGESTS_=FALSE
export _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=TRUE
check "make r-package" quietly make r-package
check "at most 2 MB" [ "$(stat -c %s "$tarball" 2>/dev/null || echo 99999999)" -le 2000000 ]
check "without objects" bash -c "! tar -tzf '$tarball' | grep -E '\.(o|so)\$'"
manual=""
command -v pdflatex >/dev/null || manual=--no-manual
(cd "$dir" && MAKEFLAGS=-j2 R CMD check --as-cran $manual "$tarball" >check.log 2>&1)
log=$dir/ireland.Rcheck/00check.log
grep -A8 -E '\.\.\. *(NOTE|WARNING|ERROR)|^ERROR' "$log" >"$dir/err" 2>/dev/null
check "R CMD check --as-cran" grep -qE '^Status: (OK|1 NOTE)$' "$log"
check "with no note but that of a new package" bash -c "! grep -E '\.\.\. *NOTE' '$log' | grep -v 'CRAN incoming feasibility'"
check "its tests ran" bash -c "grep -h '' '$dir'/ireland.Rcheck/tests/*.Rout* | grep -E 'All ok|[0-9]+ passes'"

hardened "$dir/ireland.Rcheck/ireland/libs/ireland.so" || skip hardening "this machine has no readelf"

# ---- the same rules, and interrupts, with what the check has installed ----
export R_LIBS=$PWD/$dir/ireland.Rcheck
sed -n '/^```r$/,/^```$/{/^```/!p}' src/doc/r.md >"$dir/page.R"
check "the code of src/doc/r.md runs" quietly Rscript "$dir/page.R"
check "which is not nothing" [ "$(wc -l <"$dir/page.R")" -ge 10 ]
mkdir -p "$dir/sets"
Rscript tests/package/r_same.R "$ireland" data "$dir/sets" >"$dir/same" 2>"$dir/err"
while read -r word rest; do
  if [ "$word" = PASS ]; then pass "$rest"; else fail "${rest%%:*}" "${rest#*:}"; fi
done <"$dir/same"
check "at least ten sets" [ "$(grep -c '^PASS' "$dir/same")" -ge 10 ]
cat >"$dir/interrupt.R" <<'END'
library(ireland)
set.seed(1)
x <- matrix(rbinom(600 * 300, 1, 0.5), 600)
y <- rbinom(600, 1, 0.5)
fit <- withCallingHandlers(ireland(x, y, K = 6, M = 4, prove = TRUE, verbose = TRUE), warning = function(w) cat("warned:", conditionMessage(w), "\n"))
cat(fit$status, length(predict(fit, x)), fit$bound <= fit$objective, "\n")
END
Rscript "$dir/interrupt.R" >"$dir/out" 2>"$dir/err" &
pid=$!
await grep -q ' objective [0-9]' "$dir/err" # there is a rule
kill -INT "$pid"
wait "$pid"
check "an interrupt keeps the best rule" grep -qx 'interrupted 600 TRUE ' "$dir/out"
check "and says so" grep -q '^warned: interrupted' "$dir/out"
finish
