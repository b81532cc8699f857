#!/usr/bin/env python3
"""The core of the library as one .c and one .h, for those who paste: amalgamate.py FOLDER writes
FOLDER/ireland.c and FOLDER/ireland.h. `make amalgamation` calls it.

The core is every room of src but lp, milp, model, brcg and the command line. Headers go where they
are first included, each once. Names that are private to a file (static functions and variables,
types, tags, enumerators) get the name of their file before them where two files, or a file and the
C library, have the same; its macros end with it.
"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
ROOMS = ("base comm bits data table read rule verify problem search clause select prove learn "
         "curve validate report api").split()
LEFT_OUT = {"learn/solve_bp.c", "learn/solve_structure.c"}  # and the files of api that know of models
PUBLIC = ["ireland_options.h", "ireland.h", "ireland_data.h", "ireland_study.h", "ireland_comm.h"]
IN_PLACE = {"bits/kernels_shared.h", "bits/row_kernels_shared.h"}  # includers set its parameters
MACROS = {"avx2": ["__AVX2__"], "bmi2": ["__BMI2__"], "popcnt": ["__POPCNT__"], "avx512f": ["__AVX2__", "__AVX512F__"],
          "avx512vpopcntdq": ["__AVX512VPOPCNTDQ__"]}  # that a compiler sets for its flag -m...
OPTIONAL = {"omp.h": "defined(_OPENMP)", "zlib.h": "defined(IRL_HAS_ZLIB)",  # what else is included, and when
            **dict.fromkeys(["langinfo.h", "poll.h", "sys/mman.h", "sys/resource.h", "unistd.h"], "!defined(_WIN32)"),
            **dict.fromkeys(["windows.h", "psapi.h", "io.h"], "defined(_WIN32)"), "xlocale.h": "defined(__APPLE__)",
            "immintrin.h": "defined(__x86_64__)"}
KEYWORDS = set("auto break case char const continue default do double else enum extern float for "
               "goto if inline int long register restrict return short signed sizeof static struct "
               "switch typedef union unsigned void volatile while _Atomic _Bool _Static_assert "
               "_Thread_local bool".split())

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<space>\s+)
  | (?P<mark>->|.)
""", re.X | re.S | re.M)


def tokens(text):
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]


def read(path):
    return (TOP / path).read_text()


def targets():
    """What files get flags of their own in the Makefile, as targets of pragmas, with the macros that go with them."""
    found = {}
    for name, flags in re.findall(r"^ *\$\(dir\)/(\w+/\w+)\.o: *KERNEL_FLAGS := (.*)$", read("Makefile"), flags=re.M):
        words = [flag[2:] for flag in flags.split()]
        found[name + ".c"] = (",".join(words), sorted({macro for word in words for macro in MACROS[word]}))
    return found


TARGETS = targets()


# ---- names at file scope ------------------------------------------------------------------------

def statements(text):
    """What stands at the top level: lists of tokens, with what is in braces as one token. A macro
    that makes a function of its first argument's name is a statement of its own."""
    stack, current, call, depth = [], [], None, 0
    known = definitions(text)
    parts = [t for t in tokens(text) if t[0] not in ("comment", "space", "directive")]
    for i, (kind, value) in enumerate(parts):
        if not stack and call is None and kind == "name" and value in known:
            if not current and parts[i + 1][1] == "(":
                call, depth = [], 0
                continue
            if re.search(r"\bstatic\b", known[value]):
                value = "static"
        if call is not None:
            depth += (value == "(") - (value == ")")
            call.append((kind, value))
            if depth == 0:
                yield [("name", "static"), *call[1:2], ("mark", ";")]
                call = None
            continue
        if value == "{":
            stack.append(current)
            current = []
        elif value == "}":
            inside, current = current, stack.pop()
            current.append(("braces", inside))
            if not stack and is_function(current):
                yield current
                current = []
        else:
            current.append((kind, value))
            if value == ";" and not stack:
                yield current
                current = []


def is_function(statement):
    """Has the body of a function just ended?"""
    flat = without_attributes(statement[:-1])
    return bool(flat) and flat[-1][1] == ")" and not any(v == "=" for _, v in flat)


def without_attributes(statement):
    result, depth, skipping = [], 0, False
    for kind, value in statement:
        if value in ("__attribute__", "_Alignas", "_Atomic") and kind == "name":
            skipping, depth = True, 0
            continue
        if skipping:
            depth += (value == "(") - (value == ")")
            if depth == 0:
                skipping = value not in ("(", ")")
            if depth or value in ("(", ")"):
                continue
        result.append((kind, value))
    return result


def enumerators(inside, known):
    """The names in the braces of an enum; of a table of rows, the first of each row."""
    names, at_start, depth = [], True, 0
    for kind, value in inside:
        depth += (value == "(") - (value == ")")
        if at_start and kind == "name" and value in known:
            names += re.findall(r"\bX\((\w+)", known[value])
        elif at_start and kind == "name":
            names.append(value)
        at_start = value == "," and depth == 0
    return names


def declared(statement, known):
    """The ordinary names and the tags that a top-level statement declares."""
    names, tags = set(), set()
    statement = without_attributes(statement)
    for i, (kind, value) in enumerate(statement[:-1]):
        if value in ("struct", "union", "enum"):
            following = statement[i + 1]
            body = statement[i + 2] if following[0] == "name" and i + 2 < len(statement) else following
            if following[0] == "name" and body[0] == "braces":
                tags.add(following[1])
            if value == "enum" and body[0] == "braces":
                names.update(enumerators(body[1], known))
    words = [v for k, v in statement if k == "name"]
    if not words or words[0] in ("extern", "_Static_assert"):
        return names, tags
    if "static" in words or "typedef" in words:
        depth, last, is_open, has_value = 0, None, True, False
        for i, (kind, value) in enumerate(statement):
            if value == "(" and depth == 0 and is_open and not has_value:
                if last and last not in KEYWORDS:
                    names.add(last)  # a function
                    is_open = False
                else:  # (*name)(...)
                    inner = [v for k, v in statement[i:] if k == "name"]
                    if inner:
                        names.add(inner[0])
                    is_open = False
            depth += (value in ("(", "[")) - (value in (")", "]"))
            if depth == 0 and value in ("=", ",", ";") or (value == "[" and depth == 1):
                if last and is_open and not has_value and last not in KEYWORDS:
                    names.add(last)
                has_value = value == "=" or (has_value and value != ",")
                if value == ",":
                    is_open = True
                if value == "[":
                    is_open = False
            if kind == "name" and depth == 0 and not has_value:
                last = value
    return names, tags


def private_names(text):
    names, tags, known = set(), set(), definitions(text)
    for statement in statements(text):
        n, t = declared(statement, known)
        names |= n
        tags |= t
    is_ours = lambda name: name.startswith(("irl_", "IRL_"))
    return {n for n in names if not is_ours(n)}, {t for t in tags if not is_ours(t)}


def definitions(text):
    """Macros and what they stand for."""
    return dict(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\n|[^\n])*)", text, re.M))


def macros(text):
    return list(definitions(text))


# ---- renaming -----------------------------------------------------------------------------------

def rename(text, names):
    """Renames what is not a member of a struct: neither after . or -> nor declared in one."""
    out, before, bodies = [], "", []
    parts = tokens(text)
    for i, (kind, value) in enumerate(parts):
        if kind == "directive" and re.match(r"\s*#\s*define", value):
            head = re.match(r"\s*#\s*define\s+\w+(\([^)]*\))?", value)
            arguments = re.findall(r"\w+", head.group(1) or "")
            others = {n: to for n, to in names.items() if n not in arguments}
            value = head.group() + rename_words(value[head.end():], others)
        elif kind == "directive" and re.match(r"\s*#\s*pragma", value):
            value = rename_words(value, names)
        elif kind == "mark" and value == "{":
            bodies.append(re.search(r"\b(struct|union)(\s+\w+)?\s*$", before) is not None)
        elif kind == "mark" and value == "}" and bodies:
            bodies.pop()
        elif kind == "name" and value in names:
            following = next((v for k, v in parts[i + 1:] if k not in ("space", "comment")), "")
            is_member = before.rstrip().endswith((".", "->"))
            if bodies and bodies[-1] and following in (";", ",", "[", ":", ")"):
                is_member = True
            if not is_member:
                value = names[value]
        out.append(value)
        if kind not in ("comment", "directive"):
            before = (before + value)[-200:]
    return "".join(out)


def rename_words(text, names):
    return re.sub(r"(?<![\w.])(?<!->)\b[A-Za-z_]\w*\b(?![^\"\n]*\"(?:[^\"\n]*\"[^\"\n]*\")*[^\"\n]*$)",
                  lambda m: names.get(m.group(), m.group()), text)


def system_names(includes):
    """All names that the system's headers know here; none if there is no compiler."""
    source = "#define _GNU_SOURCE 1\n" + "".join(f"#include <{name}>\n" for name in includes)
    try:
        run = subprocess.run(["cc", "-E", "-P", "-x", "c", "-"], input=source, text=True,
                             capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return set(re.findall(r"[A-Za-z_]\w*", run.stdout))


# ---- putting together ---------------------------------------------------------------------------

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<([^>]+)>)[^\n]*\n', re.M)


def units():
    """The .c files of the core, room by room."""
    for room in ROOMS:
        for path in sorted((TOP / "src" / room).glob("*.c")):
            name = f"{room}/{path.name}"
            is_model = '#include "api/api_model.h"' in path.read_text()
            if name not in LEFT_OUT and not is_model:
                yield name


def in_place(text):
    """A unit with the headers that belong into its middle."""
    def replace(match):
        name = match.group(1)
        if name not in IN_PLACE:
            return match.group()
        return re.sub(r"^#ifndef (IRL_\w+_H)\n#define \1\n|\n#endif\n*\Z", "\n", read("src/" + name),
                      flags=re.M)
    return INCLUDE.sub(replace, text)


class Amalgamation:
    def __init__(self):
        self.seen, self.system, self.parts = set(), [], []
        self.header_macros = set()

    def strip(self, text, found):
        """Without its #includes, which are noted; those between #if and #endif stay."""
        out, depth = [], 0
        for line in text.splitlines(True):
            match = INCLUDE.match(line)
            if re.match(r"\s*#\s*if", line) and not re.match(r"#ifndef IRL_\w+_H$", line):
                depth += 1
            if re.match(r"\s*#\s*endif", line):
                depth -= 1
            if not match:
                if not re.match(r"\s*#\s*define\s+_GNU_SOURCE\b", line):
                    out.append(line)
            elif match.group(1):
                found.append(match.group(1))
            elif match.group(2) == "xxhash.h":
                pass
            elif depth > 0:
                if match.group(2) not in OPTIONAL:
                    out.append(line)
            elif match.group(2) not in self.system:
                self.system.append(match.group(2))
        return "".join(out)

    def header(self, name):
        if name in self.seen or name in PUBLIC:
            return
        self.seen.add(name)
        found = []
        text = self.strip(read("src/" + name), found)
        for other in found:
            self.header(other)
        self.header_macros.update(macros(text))
        self.parts.append((name, text))

    def unit(self, name, text):
        found = []
        text = self.strip(text, found)
        for other in found:
            self.header(other)
        self.parts.append((name, text))

    def make(self):
        for name in units():
            self.unit(name, in_place(read("src/" + name)))
        self.unit("core_only.c", read("src/package/core_only.c.in"))

    def clashes(self):
        """For each .c file what its private names become."""
        known, owners = {}, {}
        for name, text in self.parts:
            known[name] = private_names(text)
            for kind in (0, 1):
                for word in known[name][kind]:
                    owners.setdefault((kind, word), []).append(name)
        taken = system_names(self.system)
        result = {}
        for name, (words, tags) in known.items():
            if not name.endswith(".c"):
                continue
            stem = name.split("/")[-1][:-2]
            result[name] = {word: f"{stem}_{word}" for word in sorted(words | tags)
                            if word in taken or len(owners.get((0, word), [])) > 1
                            or len(owners.get((1, word), [])) > 1}
        return result

    def text(self):
        self.make()
        renamed = self.clashes()
        out = [prologue(self.system)]
        for name, text in self.parts:
            out.append(f"\n/* ======== {name} ======== */\n\n")
            if name in TARGETS:
                out.append(target_begin(*TARGETS[name]))
            out.append(rename(text, renamed[name]) if renamed.get(name) else text)
            if name.endswith(".c"):
                own = sorted(set(macros(text)))
                both = [m for m in own if m in self.header_macros]
                if both:
                    sys.exit(f"amalgamate: {name} and a header both define {', '.join(both)}")
                out += [f"#undef {macro}\n" for macro in own]
            if name in TARGETS:
                out.append(target_end(TARGETS[name][1]))
        return "".join(out)


def target_begin(target, names):
    lines = ["#if defined(__x86_64__) && defined(__clang__)\n",
             f'#pragma clang attribute push(__attribute__((target("{target}"))), apply_to = function)\n']
    for name in names:
        lines.append(f"#ifndef {name}\n#define {name} 1\n#define IRL_MADE{name}\n#endif\n")
    lines += ["#elif defined(__x86_64__) && defined(__GNUC__)\n", "#pragma GCC push_options\n",
              f'#pragma GCC target("{target}")\n', "#endif\n"]
    return "".join(lines)


def target_end(names):
    lines = ["#if defined(__x86_64__) && defined(__clang__)\n", "#pragma clang attribute pop\n"]
    for name in names:
        lines.append(f"#ifdef IRL_MADE{name}\n#undef {name}\n#undef IRL_MADE{name}\n#endif\n")
    lines += ["#elif defined(__x86_64__) && defined(__GNUC__)\n", "#pragma GCC pop_options\n", "#endif\n"]
    return "".join(lines)


def version():
    return re.search(r'#define IRL_VERSION "(.*)"', read("include/ireland.h")).group(1)


def licence():
    return "".join(" * " + line if line.strip() else " *\n" for line in read("LICENSE").splitlines(True))


def prologue(system):
    return f"""/* ireland {version()}, the core in one file. Made by `make amalgamation`: change the sources, not this.
 *
 *   cc -std=c11 -O2 -c ireland.c && cc program.c ireland.o -lm -lpthread
 *
 * needs nothing but a C library with POSIX and the header of xxHash (Debian: libxxhash-dev, or the
 * one file xxhash.h of github.com/Cyan4973/xxHash beside this one), of which no library is linked.
 * -fopenmp gives it threads; -DIRL_HAS_ZLIB and -lz let it read compressed files; -DIRL_ASSERTIONS
 * turns assertions on. Not in it: linear and mixed-integer programs (ireland_model.h), and so the
 * methods bp1 to bp6 and brcg, which are refused with a sentence. All else answers as the whole
 * library does.
 *
{licence()} */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#if !defined(NDEBUG) && !defined(IRL_ASSERTIONS)
#define NDEBUG 1
#endif
#define IRL_CORE_ONLY 1
#define WIN32_LEAN_AND_MEAN 1

#include "ireland.h"
/* Those of some systems here, before pragmas that hide names or change targets. */
{"".join(f"#include <{name}>{chr(10)}" for name in system)}
{"".join(f"#if {when}{chr(10)}#include <{name}>{chr(10)}#endif{chr(10)}" for name, when in OPTIONAL.items())}
#define XXH_INLINE_ALL
#if defined(__has_include)
#if __has_include(<xxhash.h>)
#include <xxhash.h>
#elif __has_include("xxhash.h")
#include "xxhash.h"
#else
#error "ireland.c needs xxhash.h: Debian has it in libxxhash-dev, others in xxhash; or put the file beside this one"
#endif
#else
#include <xxhash.h>
#endif

/* The same numbers everywhere: sums and products are rounded each for itself. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#if defined(__i386__) && !defined(__SSE2_MATH__)
#warning "ireland.c: with -msse2 -mfpmath=sse the answers are those of other machines"
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(_OPENMP)
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#elif defined(__clang__) && !defined(_OPENMP)
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(hidden) /* but for what the header declares */
#endif
"""


def public_header():
    out = [f"/* ireland {version()}: the headers of its core in one. Made by `make amalgamation`. */\n"]
    for name in PUBLIC:
        text = re.sub(r'^#include "ireland\w*\.h"\n', "", read("include/" + name), flags=re.M)
        out.append(f"\n/* ======== {name} ======== */\n\n{text}")
    return "".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: amalgamate.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ireland.h").write_text(public_header())
    (folder / "ireland.c").write_text(Amalgamation().text())


if __name__ == "__main__":
    main()
