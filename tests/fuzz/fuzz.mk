# Fuzzing with libFuzzer, which comes with clang. SECONDS: for each target; FUZZ_TARGETS: which; FUZZ_AT_ONCE: how many at once;
# FUZZ_CASES: problems for the solvers, FUZZ_SEED: which.
# What is found goes to build/fuzz/found-TARGET; a copy in tests/fuzz/found/TARGET is tried by `make test` from then on.
FUZZ_SECONDS ?= $(or $(SECONDS),60)
FUZZ_TARGETS ?= $(shell sed -n 's/^  X(\([a-z]*\), [0-9]*).*/\1/p' tests/fuzz/targets.h)
FUZZ_AT_ONCE ?= 1
fuzz_flags = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

FUZZ_CASES ?= 20000
FUZZ_SEED ?= 3

.PHONY: fuzz fuzz-program fuzz-solvers
build/fuzz/fuzz: tests/fuzz/fuzz_main.c $(wildcard tests/fuzz/*.h) $(lib_sources)
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang dir=build/fuzz OPT="-O1 -g" ASSERTIONS= HARDEN= HARDEN_LINK= CFLAGS="$(fuzz_flags)" build/fuzz/libireland.a
	$(Q)clang -std=gnu11 -O1 -g -fopenmp $(fuzz_flags) -fsanitize=fuzzer $(if $(ZLIB),-DIRL_HAS_ZLIB) -Iinclude -Isrc -Itests -Itests/support $< build/fuzz/libireland.a $(LIBS) -o $@

fuzz-program: build/fuzz/fuzz

fuzz: build/fuzz/fuzz
	@tests/fuzz/all.sh $(FUZZ_SECONDS) $(FUZZ_AT_ONCE) $(FUZZ_TARGETS)

fuzz-solvers: $(dir)/tests/test_agree $(dir)/tests/test_agree_lp $(dir)/tests/test_learn $(dir)/tests/test_verify
	@for suite in $^; do IRL_FUZZ=$(FUZZ_CASES) IRL_FUZZ_SEED=$(FUZZ_SEED) $$suite -v || exit 1; done

# The same answers from other compilers and levels of optimisation.
.PHONY: flavours faults
flavours: all
	@for way in "gcc -O0" "gcc -O3" "clang -O0" "clang -O3"; do set -- $$way; \
	  $(MAKE) --no-print-directory -j$(JOBS) CC=$$1 OPT=$$2 dir=build/flavour-$$1$$2 build/flavour-$$1$$2/ireland || exit 1; done
	@MACHINES="$$(echo build/flavour-*/ireland)" bash tests/machines/test_machines.sh

faults: all
	@FAULT_KILLS=100 FAULT_WORK=3e9 FAULT_DELAY=4000 FAULT_MEGABYTES="$$(seq -s ' ' 20 5 160)" bash tests/faults/test_faults.sh
	@SURVIVE_STOPS=100 bash tests/faults/test_survive.sh

# Memory that is read before it is written, which the sanitizers do not see. Suites that take seconds; valgrind takes fifty times as long.
VALGRIND_SUITES ?= base rule statistics table pool_file input lp_lu lp_files clause_kernels optimal_rules fuzz
.PHONY: valgrind
valgrind: $(VALGRIND_SUITES:%=$(dir)/tests/test_%)
	@for suite in $^; do OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
	    --errors-for-leak-kinds=definite $$suite >$(dir)/valgrind.log 2>&1 || { cat $(dir)/valgrind.log; exit 1; }; \
	  echo "$$suite: $$(tail -n 1 $(dir)/valgrind.log)"; done
