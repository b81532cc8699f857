"""Changed certificates, signed anew: what `verify` accepts must still be the same claim."""
import ctypes
import json
import re

CLAIM = ("ireland", "scope", "data", "limits", "loss", "rule", "clause")  # first words of the lines that say what is claimed


def signer():
    """The checksum of a certificate as a text; None where the library is missing."""
    try:
        library = ctypes.CDLL("libxxhash.so.0")
        library.XXH3_64bits.restype = ctypes.c_uint64
        library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    except (OSError, AttributeError):
        return None
    return lambda text: "%016x" % library.XXH3_64bits(text.encode(), len(text.encode()))


def change_number(rng, lines, at):
    numbers = list(re.finditer(r"\d+", lines[at]))
    if not numbers:
        return lines
    match = rng.choice(numbers)
    value = int(match.group())
    other = rng.choice([value + 1, max(0, value - 1), value * 10, 0, 1, 2])
    return lines[:at] + [lines[at][:match.start()] + str(other) + lines[at][match.end():]] + lines[at + 1:]


def change(rng, lines):
    """One change: a number, or a line that is dropped, repeated or moved."""
    at = rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        return lines[:at] + lines[at + 1:]
    if kind == 1:
        return lines[:at] + [lines[at]] + lines[at:]
    if kind == 2:
        other = rng.randrange(len(lines))
        lines = list(lines)
        lines[at], lines[other] = lines[other], lines[at]
        return lines
    return change_number(rng, lines, at)


def rules_of(lines):
    """The rules of a list, whatever their order."""
    rules = " ".join(lines).split("rule ")[1:]
    return {frozenset(frozenset(clause.split()) for clause in rule.split("clause ")) for rule in rules}


def claim_of(lines):
    """A scope is what it says, not how: 0.50 is 0.5."""
    first = next((i for i, line in enumerate(lines) if line.startswith("0 all ")), len(lines) - 1) + 1
    claim = [line for line in lines[:first] if line.split(" ")[0] in CLAIM]
    for i, line in enumerate(claim):
        try:
            claim[i] = json.loads(line[len("scope "):]) if line.startswith("scope ") else line
        except ValueError:
            pass
    return claim, rules_of(lines[first:])


def forge(rng, text, sign):
    """A changed certificate and whether it claims something else; None if nothing has changed."""
    lines = text.rstrip("\n").split("\n")
    body, end = lines[:-1], lines[-1]
    other = change(rng, body)
    if other == body:
        return None
    nodes = int(end.split()[1]) + (len(other) - len(body) if rng.random() < 0.8 else 0)
    if rng.random() < 0.1:
        nodes += 1
    made = "\n".join(other) + "\n"
    return made + "end %d %s\n" % (nodes, sign(made)), claim_of(other) != claim_of(body)
