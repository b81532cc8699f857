"""The R package as a folder that R CMD build takes: this folder, and the C sources of the library beside its own.

    python3 src/r/make_package.py build/r/ireland

R asks for a Makevars without GNU extensions and without flags per file. So all objects are written out, and the kernels with wider
instructions get theirs by pragmas, as in the amalgamation.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src/package"))
import amalgamate  # noqa: E402

LEFT_OUT = ("cli", "mpi", "package", "python", "r", "web")
MAKEVARS = """PKG_CPPFLAGS = -DNDEBUG -D_FILE_OFFSET_BITS=64 -D__USE_MINGW_ANSI_STDIO=1 -Iireland/include -Iireland -Iireland/xxh3
PKG_CFLAGS = $(SHLIB_OPENMP_CFLAGS)
PKG_LIBS = $(SHLIB_OPENMP_CFLAGS) -lm $$(test "$$(uname)" = Linux && echo -Wl,-z,relro,-z,now,-z,noexecstack)

OBJECTS = {objects}

all: $(SHLIB) stripped

# Debug information is several times the code.
stripped: $(SHLIB)
\t@if command -v strip >/dev/null 2>&1 && test `uname` = Linux; then strip --strip-debug $(SHLIB); fi

.PHONY: all stripped
"""

# CRAN wants no flag -f in a Makevars, so canaries are there where R itself is configured with them, as distributions do.
CHECKED = """#if defined(__linux__) && defined(__OPTIMIZE__) && !defined(_FORTIFY_SOURCE)
#define _FORTIFY_SOURCE 2
#endif
"""

ROUNDING = """#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && defined(__FP_FAST_FMA)
#pragma GCC optimize("fp-contract=off")
#endif
"""


def rooms():
    return [room for room in sorted((ROOT / "src").iterdir()) if room.is_dir() and room.name not in LEFT_OUT and any(room.glob("*.c"))]


def copy_source(path, target):
    """A source, with pragmas where the Makefile has flags."""
    text, key = path.read_text(), f"{path.parent.name}/{path.name}"
    if key in amalgamate.TARGETS:
        target_flags, macros = amalgamate.TARGETS[key]
        text = amalgamate.target_begin(target_flags, macros) + text + amalgamate.target_end(macros)
    if path.suffix == ".c":  # sums and products are rounded each for itself, on every machine
        text = CHECKED + ROUNDING + text
    target.write_text(text)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_package.py FOLDER")
    out = pathlib.Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(ROOT / "src/r", out, ignore=shutil.ignore_patterns("*.py", "*.mk", "*.o", "*.so"))
    library, objects = out / "src/ireland", [f"{path.stem}.o" for path in sorted((ROOT / "src/r/src").glob("*.c"))]
    for room in rooms():
        (library / room.name).mkdir(parents=True)
        for path in sorted(room.glob("*.[ch]")):
            copy_source(path, library / room.name / path.name)
            if path.suffix == ".c":
                objects.append(f"ireland/{room.name}/{path.stem}.o")
    (library / "report/page_text.c").write_text(amalgamate.page_text())
    objects.append("ireland/report/page_text.o")
    shutil.copytree(ROOT / "include", library / "include")
    shutil.copytree(ROOT / "src/package/xxh3", library / "xxh3")
    (out / "src/Makevars").write_text(MAKEVARS.replace("{objects}", " \\\n  ".join(objects)))
    version = re.search(r'#define IRL_VERSION "(.*)"', (ROOT / "include/ireland.h").read_text()).group(1)
    description = out / "DESCRIPTION"
    description.write_text(re.sub(r"^Version: .*$", f"Version: {version}", description.read_text(), flags=re.M))


main()
