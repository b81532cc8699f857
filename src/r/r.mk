# The R package: the C sources of the library go into it, then R CMD build makes build/r/ireland_VERSION.tar.gz, with the vignette.
R ?= R
r_tarball := build/r/ireland_$(VERSION).tar.gz
r_sources = $(wildcard src/r/* src/r/*/* src/r/*/*/*)

.PHONY: r-package check-r
r-package: $(r_tarball) ## the R package with the C sources inside: build/r/ireland_VERSION.tar.gz
	@echo $<

$(r_tarball): $(r_sources) $(lib_sources) $(page_parts) $(wildcard src/*/*.h include/*.h) src/package/xxh3/xxhash.h
	@command -v $(R) >/dev/null || { echo "make r-package: needs R: make deps" >&2; exit 1; }
	@mkdir -p build/r
	@python3 src/r/make_package.py build/r/ireland
	@cd build/r && MAKEFLAGS=-j$(JOBS) $(R) CMD build $(R_BUILD_FLAGS) ireland >build.log 2>&1 || { tail -n 30 build.log >&2; exit 1; }
	@test -s $@

check-r: $(r_tarball)
	@cd build/r && MAKEFLAGS=-j$(JOBS) _R_CHECK_CRAN_INCOMING_=FALSE _R_CHECK_FORCE_SUGGESTS_=FALSE _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=TRUE $(R) CMD check --as-cran $(if $(shell command -v pdflatex),,--no-manual) ireland_$(VERSION).tar.gz
