"""Changed certificates, signed anew: what `verify` accepts must still be the same claim. Heads that do not follow from the data are none."""
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


# ---- heads that do not follow from the data ---------------------------------------------------------------------------------

def change_scope(name, value):
    """The scope with another value, which may be made of the old one."""
    def apply(rng, head, scope, features):
        scope[name] = value(scope) if callable(value) else value
    return apply


def change_loss(**factors):
    """The line of the loss with other numbers: each times a factor, plus a sum."""
    def apply(rng, head, scope, features):
        for name, (factor, more) in factors.items():
            head[5] = re.sub(name + r" (\d+)", lambda match: "%s %d" % (name, int(match[1]) * factor + more), head[5])
    return apply


def forge_coarse(rng, head, scope, features):
    """Weights without the unit that makes a penalty whole, and the least penalty above 0."""
    sizes = [int(x) for x in re.findall(r"cases (\d+) controls (\d+)", head[2])[0]]
    weights = (1, 1) if scope["weights"] == "unit" else (sizes[1], sizes[0])
    scope["penalty"] = scope["penalty"] or 0.001
    head[5] = re.sub(r"case \d+ control \d+ penalty \d+", "case %d control %d penalty 1" % weights, head[5])


def change_missing(rng, head, scope, features):
    """A feature with another answer where its value is missing."""
    i = rng.randrange(len(features))
    entry = features[i] if isinstance(features[i], dict) else {"column": features[i], "is": "is 1"}
    features[i] = dict(entry, missing=not entry["missing"] if "missing" in entry else rng.random() < 0.5)


def change_column(rng, head, scope, features):
    """A feature of a column that has none: the labels, the weights, one that is not there."""
    i = rng.randrange(len(features))
    name = rng.choice([x for x in (scope["target"], scope["weight_column"], scope["strata"], "no such column") if x])
    features[i] = dict(features[i], column=name) if isinstance(features[i], dict) else name


CLAIMS = {"penalty of the scope": change_scope("penalty", lambda s: (1 + int(s["penalty"] * 1000)) / 1000), "a fine penalty": change_scope("penalty", 1e-9),
          "penalty": change_loss(penalty=(1, 1)), "ten times the penalty": change_loss(penalty=(10, 1)), "coarse unit": forge_coarse,
          "fine unit": change_loss(case=(10, 0), control=(10, 0), penalty=(10, 0), best=(10, 0)), "weight of a case": change_loss(case=(1, 1)),
          "weight of a control": change_loss(control=(2, 0)), "rounded_to": change_scope("rounded_to", lambda s: s["rounded_to"] * 2 or 1e9),
          "rounded less": change_scope("rounded_to", lambda s: 0 if s["rounded_to"] else 1e-3), "answers on missing values": change_missing,
          "controls": change_scope("negative", "somebody"), "no controls": change_scope("negative", None), "cases": change_scope("positive", "somebody"),
          "no cases": change_scope("positive", None), "target": change_scope("target", "no such column"), "columns": change_column,
          "K": change_scope("K", lambda s: s["K"] + 1), "literals": change_scope("literals", lambda s: s["literals"] + 1),
          "samples": change_scope("samples", lambda s: s["samples"] + 1)}


def forge_claim(rng, lines, name):
    """The lines of a certificate with a head that does not follow from scope and data."""
    head, scope, features = list(lines[:8]), json.loads(lines[1][6:]), json.loads(lines[3][9:])
    CLAIMS[name](rng, head, scope, features)
    head[1], head[3] = "scope " + json.dumps(scope), "features " + json.dumps(features)
    return head + lines[8:]
