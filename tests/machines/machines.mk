# Other machines: cross-built, run under qemu-user where this CPU cannot.
.PHONY: machines machine-deps
machines: all ## suites and the same fits on aarch64, i386 and s390x, or MACHINE=s390x, where compiler, packages and qemu are there
	@tests/machines/machines.sh $(MACHINE)

machine-deps: ## install what `make machines` needs (Debian)
	@tests/deps.sh machines
