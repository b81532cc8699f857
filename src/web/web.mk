# The page: the program in WebAssembly and all that it shows in one file, build/web/ireland.html; and a package for npm.
EMCC ?= emcc
web_dir := build/web
page_sources := $(lib_sources) $(filter-out src/cli/main.c,$(cli_sources)) $(web_sources)
web_objects := $(page_sources:src/%.c=$(web_dir)/obj/%.o) $(web_dir)/obj/report/page_text.o
# Linked with -O2, which leaves the names of imports and exports alone: job.js uses two of them.
# The same numbers as the native program: no contraction, no reordering. SIMD is in every browser since 2023.
WEB_CFLAGS := -std=gnu11 -O3 -DNDEBUG -msimd128 -ffp-contract=off -Wall -Wextra -Wshadow -Wno-unknown-pragmas \
              -Iinclude -Isrc -Isrc/package/xxh3 -MMD -MP
WEB_LDFLAGS := -O2 -sMODULARIZE -sEXPORT_NAME=createIreland -sENVIRONMENT=web,worker -sINVOKE_RUN=0 -sEXIT_RUNTIME=0 -sSTRICT \
               -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=32MB -sTOTAL_STACK=4MB -sFORCE_FILESYSTEM -lworkerfs.js \
               -sEXPORTED_RUNTIME_METHODS=FS,stackAlloc,allocateUTF8OnStack,HEAP32 -sINCOMING_MODULE_JS_API=wasmBinary,instantiateWasm,print,printErr,stdin,stdout,stderr,onAbort,noInitialRun

web_parts := $(wildcard src/web/*.js src/web/*.mjs src/web/page/*) $(page_parts)

.PHONY: web web-syntax npm-package test-web
web: $(web_dir)/ireland.html ## the page that learns and proves in a browser, in one file: build/web/ireland.html
	@echo $<

$(web_dir)/ireland.html: $(web_dir)/engine.js $(web_parts) $(wildcard data/*.csv)
	$(Q)node src/web/bundle.mjs $(web_dir)/engine.js $(web_dir)/engine.wasm data $@

# What was built is made again when its flags change, not whenever this file does. `make -j deps web` installs first.
$(web_dir)/obj/flags: web_flags = $(WEB_CFLAGS)
$(web_dir)/obj/link-flags: web_flags = $(WEB_LDFLAGS)
$(web_dir)/obj/flags $(web_dir)/obj/link-flags: FORCE | $(filter deps,$(MAKECMDGOALS))
	@command -v $(EMCC) >/dev/null || { echo "make web: needs emscripten: make deps web" >&2; exit 1; }
	@mkdir -p $(@D)
	@echo '$(web_flags)' | cmp -s - $@ || echo '$(web_flags)' >$@

$(web_dir)/obj/%.o: src/%.c $(web_dir)/obj/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  EM  $@")
	$(Q)$(EMCC) $(WEB_CFLAGS) -c $< -o $@

$(web_dir)/obj/report/page_text.o: $(page_text) $(web_dir)/obj/flags
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(WEB_CFLAGS) -c $< -o $@

-include $(web_objects:.o=.d)

$(web_dir)/engine.js: $(web_objects) $(web_dir)/obj/link-flags
	$(if $(V),,@echo "  LD  $@")
	$(Q)NODE_PATH="$${NODE_PATH:-/usr/share/nodejs}" $(EMCC) $(WEB_LDFLAGS) $(web_objects) -o $@

# Emscripten is large and seldom there, so an ordinary compiler looks at the same files with the same definitions; those of
# emscripten itself are stubs.
web-syntax: $(page_text)
	@printf '%s\n' $(page_sources) $(page_text) | xargs -P $(JOBS) -n 16 $(CC) -fsyntax-only -Werror \
	  $(filter-out -msimd128 -MMD -MP,$(WEB_CFLAGS)) -Itests/web/stub

npm_dir := $(web_dir)/npm
npm_tarball := $(npm_dir)/ireland-rules-$(VERSION).tgz
npm-package: $(npm_tarball) ## the same engine for Node and bundlers, with types: build/web/npm/ireland-rules-VERSION.tgz
	@echo $<

$(npm_tarball): $(web_dir)/engine.js $(wildcard src/web/npm/*) src/web/job.js LICENSE
	@rm -rf $(npm_dir)
	@node src/web/npm/pack.mjs $(web_dir)/engine.js $(web_dir)/engine.wasm $(npm_dir)/package $(VERSION)
	@cd $(npm_dir) && npm pack --silent ./package >/dev/null

test-web: all web npm-package
	@IRELAND=$(CURDIR)/$(dir)/ireland tests/web/all.sh
