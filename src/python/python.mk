# The Python package: a source distribution, a wheel from it, both in build/python. Nothing is fetched: setuptools, wheel and pip are
# those of the Python that PYTHON names (Debian: python3-setuptools, python3-wheel, python3-venv, python3-pip).
python_tools = import setuptools, wheel, pip
PYTHON ?= $(firstword $(foreach name,python3 /usr/bin/python3,$(shell $(name) -c '$(python_tools)' 2>/dev/null && echo $(name))) python3)
python_sources = $(wildcard src/python/* src/python/*/*.py src/python/native/*.c)
sdist_file := build/python/ireland-$(VERSION).tar.gz

.PHONY: sdist wheel
sdist: $(sdist_file) ## the Python package with the C sources inside: build/python/ireland-VERSION.tar.gz
	@echo $<

$(sdist_file): $(python_sources) $(lib_sources) $(page_parts) $(cli_sources) $(wildcard src/*/*.h include/*.h) src/package/xxh3/xxhash.h
	@$(PYTHON) -c '$(python_tools)' || { echo "make sdist: needs setuptools, wheel and pip for Python: make deps" >&2; exit 1; }
	@mkdir -p build/python
	@cd src/python && $(PYTHON) setup.py -q sdist --dist-dir ../../build/python 2>&1 | grep -v -i warn || true
	@rm -rf src/python/ireland.egg-info
	@test -s $@

wheel: build/python/.wheel ## a wheel for this platform and every Python 3, with the library inside: build/python/*.whl
	@ls build/python/*.whl

build/python/.wheel: $(sdist_file)
	@rm -f build/python/*.whl
	@env -u CFLAGS CC="$(CC)" $(PYTHON) -m pip wheel -q --no-index --no-deps --no-build-isolation --disable-pip-version-check -w build/python $(sdist_file)
	@touch $@
