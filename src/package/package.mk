# Installing, uninstalling and the source tarball. The directories are those of the GNU conventions; DESTDIR goes before them.
prefix        ?= $(PREFIX)
bindir        ?= $(prefix)/bin
libdir        ?= $(prefix)/lib
includedir    ?= $(prefix)/include
datadir       ?= $(prefix)/share
mandir        ?= $(datadir)/man
docdir        ?= $(datadir)/doc/ireland
completiondir ?= $(datadir)/bash-completion/completions
zshdir        ?= $(datadir)/zsh/site-functions
fishdir       ?= $(datadir)/fish/vendor_completions.d
cmakedir      ?= $(libdir)/cmake/ireland
pythondir     ?= $(datadir)/ireland/python

# The manual page and the completions come from the option table, so the program itself writes them. Where what was built
# does not run (cross compiling), RUN_IRELAND names a program of the same version that does.
RUN_IRELAND ?= $(dir)/ireland

$(dir)/ireland.1: $(dir)/ireland
	@$(RUN_IRELAND) --man-page >$@

$(dir)/ireland.bash $(dir)/ireland.zsh $(dir)/ireland.fish: $(dir)/ireland.%: $(dir)/ireland
	@$(RUN_IRELAND) --$*-completion >$@

$(dir)/ireland.pc: src/package/ireland.pc.in include/ireland.h FORCE
	@mkdir -p $(@D)
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(patsubst $(prefix)/%,$${exec_prefix}/%,$(libdir))|' \
	  -e 's|@includedir@|$(patsubst $(prefix)/%,$${prefix}/%,$(includedir))|' -e 's|@version@|$(VERSION)|' -e 's|@libs@|$(strip $(LIBS) $(or $(OPENMP),-pthread))|' $< >$@

# For find_package of CMake, whose files count paths from where they stand. `semicolon` parts lists there.
empty :=
semicolon = $(subst $(empty) $(empty),;,$(strip $(1)))
$(dir)/irelandConfig.cmake $(dir)/irelandConfigVersion.cmake: $(dir)/%.cmake: src/package/%.cmake.in include/ireland.h FORCE
	@mkdir -p $(@D)
	@sed -e 's|@version@|$(VERSION)|' -e 's|@major@|$(SO_MAJOR)|' -e 's|@first@|$(firstword $(subst ., ,$(VERSION)))|' -e 's|@include_from_lib@|'"$$(realpath -m --relative-to='$(libdir)' '$(includedir)')"'|' \
	  -e 's|@lib_from_here@|'"$$(realpath -m --relative-to='$(cmakedir)' '$(libdir)')"'|' -e 's|@libs@|$(call semicolon,$(LIBS) $(or $(OPENMP),-pthread))|' \
	  -e 's|@pointer@|'"$$(echo __SIZEOF_POINTER__ | $(CC) $(CFLAGS) -E -P -x c -)"'|' $< >$@

.PHONY: install uninstall dist map amalgamation asan-packages FORCE
FORCE:

map:
	@src/package/exports.sh map >build/ireland.map.new && mv build/ireland.map.new src/package/ireland.map

amalgamation: ## the core in one .c and one .h: build/amalgamation/ireland.c and ireland.h
	@python3 src/package/amalgamate.py build/amalgamation
	@echo build/amalgamation/ireland.c build/amalgamation/ireland.h

asan-packages:
	@$(MAKE) --no-print-directory asan=1 ubsan=1 library build/asan-ubsan/ireland
	@CC="$(CC)" PYTHON="$(PYTHON)" tests/package/sanitize.sh build/asan-ubsan "$(LIBS) $(OPENMP)"

made := $(addprefix $(dir)/ireland,.1 .bash .zsh .fish .pc Config.cmake ConfigVersion.cmake)
install: all $(made) ## copy to $(DESTDIR)$(PREFIX)
	install -d $(addprefix $(DESTDIR),$(bindir) $(libdir)/pkgconfig $(cmakedir) $(includedir) $(mandir)/man1 $(completiondir) $(zshdir) $(fishdir) $(docdir) $(pythondir)/ireland)
	install -m 755 $(dir)/ireland $(DESTDIR)$(bindir)/ireland
	for name in check veripb question; do install -m 755 src/python/ireland_$$name.py $(DESTDIR)$(bindir)/ireland-$$name; done
	install -m 644 src/python/ireland_check.py $(DESTDIR)$(pythondir)
	install -m 644 include/*.h $(DESTDIR)$(includedir)
	install -m 644 $(dir)/libireland.a $(DESTDIR)$(libdir)/libireland.a
	install -m 755 $(dir)/libireland.so.$(SO_MAJOR) $(DESTDIR)$(libdir)/libireland.so.$(VERSION)
	ln -sf libireland.so.$(VERSION) $(DESTDIR)$(libdir)/libireland.so.$(SO_MAJOR)
	ln -sf libireland.so.$(SO_MAJOR) $(DESTDIR)$(libdir)/libireland.so
	install -m 644 $(dir)/ireland.pc $(DESTDIR)$(libdir)/pkgconfig/ireland.pc
	install -m 644 $(dir)/ireland.1 $(DESTDIR)$(mandir)/man1/ireland.1
	install -m 644 $(dir)/irelandConfig.cmake $(dir)/irelandConfigVersion.cmake $(DESTDIR)$(cmakedir)
	install -m 644 $(dir)/ireland.bash $(DESTDIR)$(completiondir)/ireland
	install -m 644 $(dir)/ireland.zsh $(DESTDIR)$(zshdir)/_ireland
	install -m 644 $(dir)/ireland.fish $(DESTDIR)$(fishdir)/ireland.fish
	install -m 644 LICENSE README.md $(DESTDIR)$(docdir)
	install -m 644 $(wildcard src/python/ireland/*.py) src/python/ireland/py.typed $(DESTDIR)$(pythondir)/ireland

installed := $(bindir)/ireland $(addprefix $(bindir)/ireland-,check veripb question mpi) $(pythondir)/ireland_check.py $(addprefix $(includedir)/,$(notdir $(wildcard include/*.h))) $(addprefix $(libdir)/,libireland.a libireland.so.$(VERSION) \
  libireland.so.$(SO_MAJOR) libireland.so pkgconfig/ireland.pc) $(mandir)/man1/ireland.1 $(completiondir)/ireland $(addprefix $(pythondir)/ireland/,$(notdir $(wildcard src/python/ireland/*.py)) py.typed) $(zshdir)/_ireland $(fishdir)/ireland.fish \
  $(addprefix $(docdir)/,LICENSE README.md) $(addprefix $(cmakedir)/irelandConfig,.cmake Version.cmake)

uninstall: ## remove what install copied
	rm -f $(addprefix $(DESTDIR),$(installed))
	rm -rf $(DESTDIR)$(pythondir)/ireland/__pycache__ $(DESTDIR)$(pythondir)/__pycache__
	rmdir $(DESTDIR)$(pythondir)/ireland $(DESTDIR)$(pythondir) $(dir $(DESTDIR)$(pythondir)) $(DESTDIR)$(docdir) $(DESTDIR)$(cmakedir) 2>/dev/null || true

# The files under version control or, outside a repository, all of them; the same bytes each time.
dist_files = $(shell git ls-files 2>/dev/null | grep -v '^\.ci/' || true)
dist_time  = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)

dist: ## the sources as build/ireland-VERSION.tar.gz
	@mkdir -p build
	@tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(dist_time) --transform='s|^|ireland-$(VERSION)/|' -cf - \
	  $(or $(dist_files),Makefile README.md LICENSE .clang-format .gitignore .github src include tests bench data) | gzip -9n >build/ireland-$(VERSION).tar.gz
	@echo build/ireland-$(VERSION).tar.gz
