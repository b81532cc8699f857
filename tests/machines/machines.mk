# Other machines: cross-built, run under qemu-user where this CPU cannot.
.PHONY: machines machine-deps
machines: all
	@tests/machines/machines.sh $(MACHINE)

machine-deps:
	@tests/deps.sh machines
