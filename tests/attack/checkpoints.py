"""Checkpoints: forged ones, whose hash is right, make no claim true, and a run that a limit ended goes on without it."""
import ctypes
import os
import struct

from others import check_curve
from tool import LIMITS, Setting, expect, same

LEFT_OUT = ("resume", "checkpoint", "save-pool", "report", "csv", "svg", "work-limit", "memory-limit", "time-limit", "validate", "stability", "permutations")


def hasher():
    """XXH3 of bytes; None where the library is missing."""
    try:
        library = ctypes.CDLL("libxxhash.so.0")
        library.XXH3_64bits.restype = ctypes.c_uint64
        library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    except (OSError, AttributeError):
        return None
    return lambda data: library.XXH3_64bits(data, len(data))


def forge(rng, data, sign):
    """The checkpoint with another bound, other clauses or any other words in its state."""
    words = list(struct.unpack("<%dQ" % (len(data) // 8), data))
    magic, body = words[0], words[3:]
    n_job = 1 + (body[0] + 7) // 8
    job, state = body[:n_job], body[n_job:]
    places = [2] if rng.random() < 0.5 else []  # work, nodes, bound, method, clauses of the rule; clauses
    places += [rng.randrange(len(state)) for _ in range(rng.randrange(3))]
    for k in places:
        value = rng.choice([0, 1, 2, 3, rng.randrange(40), state[k] + 1, max(0, state[k] - 1), 2 * state[k], 10 ** 6, 2 ** 62, 2 ** 64 - 1])
        state[k] = value % 2 ** 64
    if rng.random() < 0.2:
        state = state[:rng.randrange(len(state) + 1)]
    packed = struct.pack("<%dQ" % len(job + state), *(job + state))
    return struct.pack("<3Q", magic, len(job + state), sign(packed)) + packed


def verify(tool, setting, rule):
    """A certificate that was written holds."""
    if not os.path.exists(tool.path("proof.txt")):
        return
    reading = [w for n in ("delimiter", "no-header", "na", "type", "types", "het", "one-per") if n in setting.options for w in Setting.words(n, setting.options[n])]
    words = ["verify"] + rule + [setting.data] + setting.more + ["--certificate", "proof.txt"] + reading
    code, _, err = tool.run(words)
    expect(code == 0, "resume", "verify refuses what was written, exit code %d: %s" % (code, err.strip()))


def go_on(tool, case, setting, path, truth):
    """The run from a checkpoint; whatever that holds, its claims are true."""
    is_fit = case["command"] == "fit"
    if os.path.exists(tool.path("proof.txt")):
        os.unlink(tool.path("proof.txt"))
    more = ["--resume", path, "--quiet"] + (["-o", "again.json", "--validate", "none"] if is_fit else [])
    code, answer, err = tool.json(setting.arguments(without=LEFT_OUT, more=more))
    if answer is None:
        expect(code == 3 and "checkpoint" in err, "resume", "exit code %d: %s" % (code, err.strip()))
        return None
    if not is_fit:
        check_curve(case, answer, code)
    elif truth["status"] == "optimal" and answer["objective"] is not None:
        expect(answer["objective"] >= truth["objective"] - 1e-9, "resume", "objective %s, below the optimum" % answer["objective"])
        expect(answer["status"] != "optimal" or same(answer["objective"], truth["objective"]), "resume",
               "%s is called optimal, %s is" % (answer["objective"], truth["objective"]))
        is_marked = "bound_rests_on" in answer
        expect(is_marked or answer["bound"] <= truth["objective"] + 1e-9, "resume", "bound %s, but %s exists" % (answer["bound"], truth["objective"]))
        expect(not (is_marked and answer["status"] == "optimal"), "resume", "optimal by the word of a file")
    if answer["status"] != "infeasible" or not is_fit:
        verify(tool, setting, ["again.json"] if is_fit else [])
    return answer


def check(tool, case, setting, answer, rng):
    sign, o = hasher(), setting.options
    if "resume" not in o:
        return
    is_exact = not any(name in o for name in LIMITS)
    truth = answer if is_exact else {"status": "limit"}
    with open(tool.path("before.ck"), "rb") as file:
        data = file.read()
    for _ in range(2 if sign else 0):
        with open(tool.path("forged.ck"), "wb") as file:
            file.write(forge(rng, data, sign))
        go_on(tool, case, setting, "forged.ck", truth)
    limit = rng.choice(["1", "1000", "20000", "300000"])
    more = ["--checkpoint", "cut.ck", "--work-limit", limit, "--quiet"] + (["--validate", "none"] if case["command"] == "fit" else [])
    code, cut, err = tool.json(setting.arguments(without=LEFT_OUT + ("certificate",), more=more))
    expect(code in (0, 4), "resume", "exit code %d with a limit on work: %s" % (code, err.strip()))
    found = go_on(tool, case, setting, "cut.ck", truth)
    expect(found is not None, "resume", "a run that a limit on work ended cannot go on")
    if case["command"] == "fit" and cut is not None and cut["objective"] is not None and cut["bound"] is not None:
        expect(found["objective"] <= cut["objective"] + 1e-9 and found["bound"] >= cut["bound"] - 1e-9, "resume",
               "objective %s, bound %s; before %s, %s" % (found["objective"], found["bound"], cut["objective"], cut["bound"]))
    if truth["status"] == "optimal" and case["command"] == "fit" and "prove" in o:
        expect(found["status"] == "optimal", "resume", "%s after a limit on work, optimal without" % found["status"])
