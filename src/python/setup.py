"""Builds the shared library from its C sources and puts it into the package.

The sources are those of the tree that this folder stands in or, in a source distribution, those beside this file in `c`. It takes a
C compiler (CC, or cc, gcc, clang) and nothing else: no make, no other library. OpenMP is used where the compiler has it; IRELAND_OPENMP=0
leaves it out. CFLAGS and LDFLAGS are honoured. The wheel is one for all versions of Python: the library is called by ctypes.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"win32": "ireland.dll", "darwin": "libireland.dylib"}
PAGE_TEXT = "src/report/page_text.c"  # is made: see the Makefile
LEFT_OUT = ("mpi", "package", "python", "r", "web")  # rooms that are not of the library; cli is, as a function


def tree():
    """The folder that has src and include."""
    return HERE / "c" if (HERE / "c" / "src").is_dir() else HERE.parent.parent


def c_files(root):
    """Sources and headers, by their places below the root."""
    rooms = [room for room in sorted((root / "src").iterdir()) if room.is_dir() and room.name not in LEFT_OUT]
    found = [path for room in rooms for path in sorted(room.glob("*.[ch]"))]
    found += sorted((root / "include").glob("*.h")) + sorted((root / "src/package/xxh3").glob("*.h"))
    return [path.relative_to(root) for path in found]


def page_text(root):
    """The style and the script of the page, as C; a source distribution has them."""
    parts = [*sorted((root / "src/report/page").glob("*.css")), *sorted((root / "src/report/page").glob("*.js"))]
    command = ["awk", "-f", root / "src/package/page_text.awk", *parts]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wide_flags(root):
    """The flags that the Makefile gives to kernels alone, by the names of their files."""
    rows = re.findall(r"^ *\$\(dir\)/\w+/(\w+)\.o: *KERNEL_FLAGS := (.*)$", (root / "Makefile").read_text(), flags=re.M)
    return {name + ".c": flags.split() for name, flags in rows}


class Compiler:
    def __init__(self, root):
        self.wide = wide_flags(root)
        named = os.environ.get("CC")
        found = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
        self.command = shlex.split(named) if named else [found]
        if not self.command[0] or not shutil.which(self.command[0]):
            sys.exit(f"ireland: {named or 'a C compiler'} was not found; install gcc or clang, or let CC name one")
        macros = subprocess.run([*self.command, "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True).stdout
        self.is_x86_64 = "__x86_64__" in macros
        self.is_windows = "_WIN32" in macros
        self.own = shlex.split(os.environ.get("CFLAGS", ""))
        self.hardened = self.hardening()
        self.openmp = [] if os.environ.get("IRELAND_OPENMP") == "0" or not self.takes("-fopenmp", "#include <omp.h>\n") else ["-fopenmp"]

    def takes(self, flag, text=""):
        return not subprocess.run([*self.command, "-Werror", flag, "-fsyntax-only", "-x", "c", "-"], input=text, capture_output=True, text=True).returncode

    def hardening(self):
        """As in the Makefile; checked functions need optimisation."""
        checked = [] if self.is_windows or "-O0" in self.own else ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]
        wanted = [] if self.is_windows else ["-fstack-protector-strong", "-fstack-clash-protection", *(["-fcf-protection"] if self.is_x86_64 else [])]
        return checked + [flag for flag in wanted if self.takes(flag)]

    def run(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"ireland: {' '.join([*self.command, *map(str, arguments)])}\n{done.stderr}")

    def flags(self, root):
        threads = self.openmp or ["-Wno-unknown-pragmas", *([] if self.is_windows else ["-pthread"])]
        position = ["-fPIC", "-fvisibility=hidden"]
        if self.is_windows:
            position = ["-D__USE_MINGW_ANSI_STDIO=1", "-D_FILE_OFFSET_BITS=64"]
        return ["-std=gnu11", "-O2", "-DNDEBUG", "-Werror=implicit-function-declaration", "-ffp-contract=off", *self.hardened, *threads, *position, f"-I{root / 'include'}", f"-I{root / 'src'}",
                f"-I{root / 'src/package/xxh3'}", *self.own]

    def compile(self, root, source, target):
        wide = self.wide.get(source.name, []) if self.is_x86_64 else []
        self.run(*self.flags(root), *wide, "-c", source, "-o", target)

    def link(self, objects, target):
        kind = ["-dynamiclib"] if sys.platform == "darwin" else ["-shared", "-s", *([] if self.is_windows else ["-Wl,--no-undefined,-z,relro,-z,now,-z,noexecstack"])]
        # Windows has no place where libraries of the compiler are found.
        other = ["-static"] if self.is_windows else ["-lm", *([] if self.openmp else ["-pthread"])]
        listed = target.with_suffix(".objects")  # a command line of Windows is short
        listed.write_text("\n".join(f'"{path.as_posix()}"' for path in objects))
        self.run(*kind, f"@{listed}", *self.openmp, *other, *shlex.split(os.environ.get("LDFLAGS", "")), "-o", target)
        listed.unlink()


def build_library(folder, target):
    root = tree()
    compiler = Compiler(root)
    sources = [root / path for path in c_files(root) if path.suffix == ".c" and path.as_posix() != "src/cli/main.c"]
    if compiler.is_windows:  # the command line needs POSIX
        sources = [path for path in sources if path.parent.name != "cli"]
    else:
        sources.append(HERE / "native" / "command.c")
    folder.mkdir(parents=True, exist_ok=True)
    if not (root / PAGE_TEXT).exists():
        sources.append(folder / "page_text.c")
        sources[-1].write_text(page_text(root))
    target.parent.mkdir(parents=True, exist_ok=True)
    objects = [folder / f"{source.parent.name}_{source.stem}.o" for source in sources]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compiler.compile, [root] * len(sources), sources, objects))
    compiler.link(objects, target)


class BuildPackage(build_py):
    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            build_library(HERE / "build" / "objects", HERE / "ireland" / NAMES.get(sys.platform, "libireland.so"))
        else:
            folder = pathlib.Path(self.get_finalized_command("build").build_temp)
            build_library(folder / "objects", pathlib.Path(self.build_lib) / "ireland" / NAMES.get(sys.platform, "libireland.so"))


class SourceDistribution(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        base, root = pathlib.Path(base_dir), tree()
        shutil.copyfile(root / "LICENSE", base / "LICENSE")
        for path in [*c_files(root), pathlib.Path("LICENSE"), pathlib.Path("Makefile")]:
            (base / "c" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, base / "c" / path)
        if not (root / PAGE_TEXT).exists():
            (base / "c" / PAGE_TEXT).write_text(page_text(root))


class Wheel(bdist_wheel):
    """For every Python 3 of this platform."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": BuildPackage, "sdist": SourceDistribution, "bdist_wheel": Wheel}, distclass=WithLibrary)
