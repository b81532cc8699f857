# ireland over MPI: the same program with another main. Nothing else of the build knows of MPI.
MPICC ?= mpicc
mpi_objects := $(mpi_sources:src/%.c=$(dir)/%.o)
.PHONY: mpi install-mpi test-mpi

mpi: $(dir)/ireland-mpi ## build ireland-mpi, for mpirun (Debian: libopenmpi-dev openmpi-bin, or mpich)
ifeq ($(dir),build/plain)
	@[ $(dir)/ireland-mpi -ef ireland-mpi ] || ln -f $(dir)/ireland-mpi ireland-mpi 2>/dev/null || cp -f $(dir)/ireland-mpi ireland-mpi
endif

$(dir)/mpi/%.o: src/mpi/%.c Makefile src/mpi/mpi.mk
	@mkdir -p $(@D)
	@command -v $(MPICC) >/dev/null || { echo "make mpi: there is no $(MPICC); Debian has it in libopenmpi-dev and in libmpich-dev" >&2; exit 1; }
	$(if $(V),,@echo "  CC  $@")
	$(Q)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) $(ALL_CFLAGS) -Wno-pedantic -c $< -o $@

$(dir)/ireland-mpi: $(mpi_objects) $(filter-out $(dir)/cli/main.o,$(cli_objects)) $(dir)/libireland.a
	$(if $(V),,@echo "  LD  $@")
	$(Q)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) $(ALL_CFLAGS) $^ $(PIE) $(HARDEN_LINK) $(LDFLAGS) $(LIBS) -o $@

install-mpi: $(dir)/ireland-mpi ## copy ireland-mpi to $(DESTDIR)$(PREFIX); uninstall removes it too
	install -d $(DESTDIR)$(bindir)
	install -m 755 $< $(DESTDIR)$(bindir)/ireland-mpi

test-mpi: all
	@IRELAND=$(CURDIR)/ireland tests/run.sh tests/mpi/test_mpi.sh
