"""Certificates that say what cannot be, signed anew: both checkers refuse each with the line and the reason, in bounded time and memory.

    python3 tests/cli/bad_certificates.py IRELAND CERTIFICATE RULE DATA

The certificate is one of `fit -N 200 -J 30 -K 2 -M 2` with one line of proof. A line for each failure; the last says how many were tried.
"""
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "attack"))
import forge  # noqa: E402

HUGE, SET = str(10 ** 18), "f" * 20
PLACES = {"version": (0, "3", "4"), "huge version": (0, "3", HUGE), "clauses of the rule": (7, "rule 2", "rule " + HUGE), "K": (4, "K 2", "K " + HUGE),
          "M": (4, "M 2", "M " + HUGE), "K and M": (4, "K 2 M 2", "K 64 M 64"), "literals": (4, "literals 0", "literals " + HUGE),
          "samples": (2, "samples 200", "samples " + HUGE), "features": (2, "features 30", "features " + HUGE), "weight": (5, " case ", " case 10000000000000"),
          "no weight": (5, "penalty 0", "penalty -1"), "loss": (5, "best ", "best 1000000000000"), "negative loss": (5, "best ", "best -"),
          "penalty": (5, "penalty 0", "penalty " + HUGE), "literal": (8, "clause ", "clause " + HUGE), "literal 0": (8, "clause ", "clause 0 "),
          "negation": (8, "clause ", "clause !"), "scope's K": (1, '"K": 2', '"K": 1e400')}
NODES = ["0 branch value " + HUGE, "0 branch value 999999999", "0 branch cover 99999999999999999", "0 branch size 1 0", "0 branch size 1", "0 branch size 999999999 0",
         "0 branch size 0 " + HUGE, "0 all 1 " + HUGE, "0 all 99999999999999999 1\nrule 0",
         HUGE + " list", "1 list", "0 list 5", "0 list %s %s" % (HUGE, SET), "0 list 1 " + SET, "0 kept %s %s" % (HUGE, SET), "0 kept 0 " + SET,
         "0 kept 1 zz", "0 list 1 " + "0" * 10 ** 6, "0 nothing", "0 branch value 1\n" + "\n".join("%d 1 branch value 1" % i for i in range(1, 10000))]
LINES = {"nested scope": (1, "scope " + "[" * 100000), "no object": (1, "scope 5"), "empty scope": (1, "scope {}"), "no features": (3, "features []"),
         "numbers": (3, "features [1, 2]"), "nested feature": (3, 'features [{"column": {"a": 1}, "is": "is 1"}]'), "long line": (1, "x" * 10 ** 7)}


def damaged(text, sign):
    """Pairs of a name and a certificate."""
    base = text.split("\n")[:-2]
    n_clauses = int(base[7].split(" ")[1])

    def close(lines, nodes=1):
        body = "\n".join(lines) + "\n"
        return body + "end %s %s\n" % (nodes, sign(body))
    for name, (at, old, new) in PLACES.items():
        yield name, close(base[:at] + [base[at].replace(old, new, 1)] + base[at + 1:])
    for node in NODES:
        yield node[:40], close(base[:8 + n_clauses] + [node])
    for name, (at, line) in LINES.items():
        yield name, close(base[:at] + [line] + base[at + 1:])
    for nodes in (0, HUGE, "1" + "0" * 30):
        yield "%s nodes" % nodes, close(base, nodes)
    for share in (0, 10, 50, 90, 99):
        yield "cut at %d %%" % share, text[:len(text) * share // 100]
    yield "no last newline", text[:-1]
    yield "text after the end", text + "more\n"
    yield "bytes", "\0\1\2" * 1000


def limit():
    """Of the address space; sanitizers take all of it for themselves."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def main():
    ireland, certificate, rule, data = sys.argv[1:]
    checker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "python", "ireland_check.py")
    path, n, sign = certificate + ".bad", 0, forge.signer()
    limits = None if "san" in os.path.basename(os.path.dirname(ireland)) else limit
    for name, text in damaged(open(certificate).read(), sign or (lambda body: "0" * 16)):
        with open(path, "w") as file:
            file.write(text)
        for tool in ([ireland, "verify"], [sys.executable, checker]):
            done = subprocess.run(tool + [rule, data, "--certificate", path, "--quiet"], capture_output=True, text=True, timeout=300, preexec_fn=limits)
            words = done.stdout + done.stderr
            n += 1
            if done.returncode != 3 or path + ":" not in words or "Traceback" in words:
                print("%s: %s: code %d: %s" % (name, tool[0], done.returncode, words[:300]))
    print("%d tried" % n)


if __name__ == "__main__":
    main()
