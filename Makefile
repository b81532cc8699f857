# ireland: `make help` lists the targets. Objects go to build/<flavour>/, so flavours live side by side.
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
OPT     ?= -O2 -g
VERSION := $(shell sed -n 's/^\#define IRL_VERSION "\(.*\)"/\1/p' include/ireland.h)
SO_MAJOR := 0
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
Q       := $(if $(V),,@)

# ---- flavours: plain, checked (assertions on, what the tests use), sanitizers -------------------
flavour := $(if $(checked),checked,plain)
SANITIZE :=
ifdef asan
  SANITIZE += -fsanitize=address
  flavour := asan$(if $(ubsan),-ubsan)
endif
ifdef ubsan
  SANITIZE += -fsanitize=undefined -fno-sanitize-recover=undefined
  flavour := $(if $(asan),asan-ubsan,ubsan)
endif
ifdef tsan
  # gcc's OpenMP runtime hides its locks from the thread sanitizer; clang's does not.
  CC := clang
  SANITIZE += -fsanitize=thread
  flavour := tsan
  export TSAN_OPTIONS := ignore_noninstrumented_modules=1
  export OMP_TOOL_LIBRARIES := $(firstword $(wildcard /usr/lib/llvm-*/lib/libarcher.so))
endif
ifeq ($(flavour),plain)
  ASSERTIONS := -DNDEBUG
endif
dir := build/$(flavour)$(if $(findstring clang,$(CC)),-clang)

# What the compiler makes code for, as it says itself: `CFLAGS=-m32` counts.
machine := $(firstword $(shell echo __x86_64__ __i386__ | $(CC) $(CFLAGS) -E -P -x c - 2>/dev/null | sed 's/^1 .*/x86_64/; s/.* 1$$/i386/; s/^__.*//') other)
# accepted FLAG: the flag, if the compiler knows it.
accepted = $(shell $(CC) $(CFLAGS) -Werror $(1) -fsyntax-only -x c - </dev/null >/dev/null 2>&1 && echo "$(1)")

# Hardening, where no sanitizer looks closer: checked string functions (which need optimisation), stack canaries, stacks that
# cannot jump over their guard, jumps that land where the compiler meant them to, addresses that cannot be guessed, tables of
# functions that are read-only before main. `make HARDEN= HARDEN_LINK=` leaves it out.
ifeq ($(SANITIZE),)
  hardening := -fstack-protector-strong $(call accepted,-fstack-clash-protection) \
               $(if $(filter x86_64 i386,$(machine)),$(call accepted,-fcf-protection))
  HARDEN ?= $(if $(filter -O0,$(OPT) $(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) $(hardening)
  HARDEN_LINK ?= -Wl,-z,relro,-z,now,-z,noexecstack
endif
PIE ?= $(if $(HARDEN_LINK),-pie)

# The x87 would round twice, and differently from every other machine.
ROUNDING := $(if $(filter i386,$(machine)),-msse2 -mfpmath=sse) -ffp-contract=off

# Compressed files are read where zlib is found; `make ZLIB=` leaves it out.
ifeq ($(origin ZLIB),undefined)
  ZLIB := $(shell echo '\#include <zlib.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 && \
            $(CC) $(CFLAGS) -print-file-name=libz.so | grep -q / && echo -lz)
endif

# BCF is read by htslib where it is found; `make HTS=` leaves it out.
ifeq ($(origin HTS),undefined)
  HTS := $(shell echo '\#include <htslib/vcf.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 && \
           $(CC) $(CFLAGS) -print-file-name=libhts.so | grep -q / && echo -lhts)
endif

# Dense factorisations go to OpenBLAS where it is found, here or where LDFLAGS point; `make BLAS=` takes plain loops instead.
ifeq ($(origin BLAS),undefined)
  BLAS := $(if $(strip $(wildcard $(patsubst -L%,%/libopenblas.*,$(filter -L%,$(LDFLAGS)))) \
            $(foreach end,so a dylib,$(findstring /,$(shell $(CC) $(CFLAGS) -print-file-name=libopenblas.$(end))))),-lopenblas)
endif

# Threads are those of OpenMP where the compiler has it; `make OPENMP=` has one, and the same answers.
ifeq ($(origin OPENMP),undefined)
  OPENMP := $(shell echo '\#include <omp.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -fopenmp -E -x c - >/dev/null 2>&1 && echo -fopenmp)
endif
# Hash tables and checksums use XXH3, of libxxhash where it is found; `make XXHASH=` takes plain loops that give the same numbers.
ifeq ($(origin XXHASH),undefined)
  XXHASH := $(shell echo '\#include <xxhash.h>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 && echo -lxxhash)
endif
THREADS := $(or $(OPENMP),-pthread -Wno-unknown-pragmas)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
ALL_CFLAGS = -std=gnu11 $(OPT) $(ASSERTIONS) $(WARNINGS) $(THREADS) -fPIC -fvisibility=hidden \
             $(ROUNDING) -Iinclude -Isrc $(if $(XXHASH),,-Isrc/package/xxh3) -MMD -MP $(if $(ZLIB),-DIRL_HAS_ZLIB) $(if $(BLAS),-DIRL_HAS_BLAS) $(HARDEN) $(SANITIZE) $(CPPFLAGS) $(CFLAGS)
LIBS := $(BLAS) $(XXHASH) $(HTS) $(ZLIB) -lm

# Only one file knows htslib.
$(dir)/read/bcf.o: HTS_FLAG := $(if $(HTS),-DIRL_HAS_HTS)

# Only the kernels get instruction sets beyond the architecture's baseline; they are chosen at run time.
ifeq ($(machine),x86_64)
  $(dir)/bits/kernels_avx2.o:   KERNEL_FLAGS := -mavx2 -mbmi2 -mpopcnt
  $(dir)/bits/kernels_avx512.o: KERNEL_FLAGS := -mavx512f -mavx512vpopcntdq -mbmi2 -mpopcnt
  $(dir)/bits/kernels_rows_avx2.o:   KERNEL_FLAGS := -mavx2 -mbmi2 -mpopcnt
  $(dir)/bits/kernels_rows_avx512.o: KERNEL_FLAGS := -mavx512f -mavx512vpopcntdq -mbmi2 -mpopcnt
endif

cli_sources := $(wildcard src/cli/*.c)
mpi_sources := $(wildcard src/mpi/*.c)
web_sources := $(wildcard src/web/*.c)
lib_sources := $(filter-out $(cli_sources) $(mpi_sources) $(web_sources),$(wildcard src/*/*.c))
# The style and the script of the page, as C.
page_parts := $(wildcard src/report/page/*.css) $(sort $(wildcard src/report/page/*.js))
page_text = $(dir)/report/page_text.c
lib_objects := $(lib_sources:src/%.c=$(dir)/%.o) $(dir)/report/page_text.o
cli_objects := $(cli_sources:src/%.c=$(dir)/%.o)
# Suites stand by room, the programs of all of them in one folder; those of tests/mpi have a target of their own.
test_sources := $(wildcard tests/unit/*/test_*.c tests/*/test_*.c)
test_scripts := $(filter-out tests/mpi/%,$(wildcard tests/*/test_*.sh))
test_programs := $(patsubst %.c,$(dir)/tests/%,$(notdir $(test_sources)))
vpath test_%.c $(sort $(dir $(test_sources)))
bench_programs := $(patsubst bench/programs/%.c,$(dir)/bench/%,$(wildcard bench/programs/*.c))

.DELETE_ON_ERROR:
.PHONY: all library deps demo agree attack puzzles certify test run-tests quick run-quick suites test-programs bench bench-programs bench-quick bench-paper bench-peers bench-page bench-check check static clean help

all: library $(dir)/ireland ## build ireland, libireland.a and the shared library (default)
ifeq ($(dir),build/plain)
	@[ $(dir)/ireland -ef ireland ] || ln -f $(dir)/ireland ireland 2>/dev/null || cp -f $(dir)/ireland ireland
	@for file in libireland.a libireland.so.$(SO_MAJOR); do cmp -s $(dir)/$$file $$file || cp -f $(dir)/$$file $$file; done
	@[ -L libireland.so ] || ln -s libireland.so.$(SO_MAJOR) libireland.so
endif

library: $(dir)/libireland.a $(dir)/libireland.so.$(SO_MAJOR)

$(dir)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC  $@")
	$(Q)$(CC) $(ALL_CFLAGS) $(KERNEL_FLAGS) $(HTS_FLAG) -c $< -o $@

$(page_text): src/package/page_text.awk $(page_parts)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@

$(dir)/report/page_text.o: $(page_text)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC  $@")
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@

$(dir)/libireland.a: $(lib_objects)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Its functions carry the version that they came with: src/package/ireland.map, which `make map` writes from the headers.
$(dir)/libireland.so.$(SO_MAJOR): $(lib_objects) src/package/ireland.map
	$(Q)$(CC) $(ALL_CFLAGS) -shared -Wl,-soname,libireland.so.$(SO_MAJOR) -Wl,--version-script=src/package/ireland.map $(lib_objects) $(HARDEN_LINK) $(LDFLAGS) $(LIBS) -o $@

$(dir)/ireland: $(cli_objects) $(dir)/libireland.a
	$(if $(V),,@echo "  LD  $@")
	$(Q)$(CC) $(ALL_CFLAGS) $^ $(PIE) $(HARDEN_LINK) $(LDFLAGS) $(LIBS) -o $@

$(dir)/tests/%: %.c $(dir)/libireland.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC  $@")
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -Itests/support $< $(dir)/libireland.a $(LDFLAGS) $(LIBS) -o $@

$(dir)/bench/%: bench/programs/%.c $(dir)/libireland.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC  $@")
	$(Q)$(CC) $(ALL_CFLAGS) $< $(dir)/libireland.a $(LDFLAGS) $(LIBS) -o $@

deps: ## install the packages that building and testing need (Debian), or say what is missing; for the page too: make deps web
	@tests/deps.sh $(filter web,$(MAKECMDGOALS))

demo: all ## generate planted data and show the main job on it
	@bench/scripts/demo.sh ./ireland

test: ## run all suites, in parallel over the cores
	@$(MAKE) --no-print-directory -j$(JOBS) all $(if $(BLAS),bench-programs)
	@$(MAKE) -j$(JOBS) --no-print-directory $(if $(SANITIZE),,checked=1) run-tests

quick:
	@$(MAKE) -j$(JOBS) --no-print-directory $(if $(SANITIZE),,checked=1) run-quick

quick_programs := $(patsubst %.c,$(dir)/tests/%,$(notdir $(wildcard tests/unit/*/test_*.c tests/oracle/test_*.c)))
run-quick: $(quick_programs) $(dir)/ireland
	@IRELAND=$(CURDIR)/$(dir)/ireland CC="$(CC)" tests/run.sh $(quick_programs)

test-programs: $(test_programs) $(dir)/ireland library

run-tests: test-programs
	@IRELAND=$(CURDIR)/$(dir)/ireland CC="$(CC)" tests/run.sh $(test_programs) $(test_scripts)

# Names of suites to their paths: programs of the flavour, scripts where they stand.
suite_paths = $(addprefix $(dir)/tests/,$(filter-out %.sh,$(SUITES))) $(foreach name,$(filter %.sh,$(SUITES)),$(wildcard tests/*/$(name)))
suites: $(addprefix $(dir)/tests/,$(filter-out %.sh,$(SUITES))) $(dir)/ireland library
	@IRELAND=$(CURDIR)/$(dir)/ireland CC="$(CC)" tests/run.sh $(suite_paths)

bench: all bench-programs
	@IRELAND=$(CURDIR)/$(dir)/ireland BENCH=$(CURDIR)/$(dir)/bench bench/scripts/run.sh

bench-programs: $(bench_programs)

bench-quick: all
	@python3 bench/paper run --folder build/bench/quick --limit 2 --cells 250000 --sets 3
	@python3 bench/paper report --folder build/bench/quick

bench-paper: all
	@python3 bench/paper run --limit $(or $(LIMIT),60) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ONLY),--only $(ONLY)) $(if $(SETS),--sets $(SETS))
	@python3 bench/paper report

# What learns on all cores or is timed in milliseconds runs alone, of the rest two at a time, on one thread each; PEER_JOBS=1: never two.
bench-peers: all bench-programs
	@python3 bench/peers run --jobs $(or $(PEER_JOBS),2) $(peer_words)
	@python3 bench/peers page --preview
peer_words = $(if $(PEERS),--peers $(PEERS)) $(if $(SHARED),--shared $(SHARED)) $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(LIMIT),--limit $(LIMIT))

bench-page:
	@python3 bench/peers page $(if $(RECORD),--record)

bench-check: all $(if $(TIMES),$(dir)/bench/reference)
	@bench/scripts/baseline.sh
	$(if $(TIMES),@python3 bench/scripts/times.py --reference $(dir)/bench/reference $(if $(TOLERANCE),--tolerance $(TOLERANCE)))

attack: all
	@python3 tests/attack/attack.py --ireland $(CURDIR)/ireland $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES))

puzzles: $(dir)/tests/test_select_masks
	@IRELAND_PUZZLES=$(or $(PUZZLES),20000) IRELAND_SEED=$(or $(SEED),$(shell date +%s)) $<

certify: all
	@python3 tests/attack/certify.py --ireland $(CURDIR)/ireland --cases $(or $(CASES),1000) $(if $(SEED),--seed $(SEED))

agree: $(dir)/tests/test_agree_lp
	@seed=$${SEED:-$$(date +%s)}; echo "SEED=$$seed"; IRL_FUZZ=$(or $(MODELS),10000) IRL_FUZZ_SEED=$$seed $<

check: all
	@tests/check.sh $(dir)/libireland.so.$(SO_MAJOR)

# With addresses that cannot be guessed where the C library has what that needs.
STATIC ?= $(if $(findstring /,$(if $(PIE),$(shell $(CC) $(CFLAGS) -print-file-name=rcrt1.o))),-static-pie,-static)

static: $(cli_objects) $(dir)/libireland.a ## one binary without shared libraries, which reads no BCF: build/static/ireland
	@mkdir -p build/static
	$(CC) $(ALL_CFLAGS) $(STATIC) $(cli_objects) src/read/bcf.c $(dir)/libireland.a $(HARDEN_LINK) $(LDFLAGS) $(filter-out $(HTS),$(LIBS)) -lpthread -o build/static/ireland

parts := src/mpi/mpi.mk src/package/package.mk src/python/python.mk src/r/r.mk src/web/web.mk tests/fuzz/fuzz.mk tests/machines/machines.mk
include $(parts)

clean: ## remove all that was built
	rm -rf build ireland ireland-mpi libireland.a libireland.so libireland.so.$(SO_MAJOR)

help: ## show this list
	@echo "ireland $(VERSION)"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile $(parts) | column -t -s '|'
	@echo "  For developers: .github/CONTRIBUTING.md"

# What is older than this file is built again anyway, and may name files that have moved.
-include $(shell find build -name '*.d' -type f -newer Makefile 2>/dev/null)
