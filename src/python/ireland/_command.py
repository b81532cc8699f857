"""The command line, which is in the library of a wheel."""
import ctypes
import sys
from typing import List, Optional

from ._library import lib, library_path


def main(words: Optional[List[str]] = None) -> int:
    """Runs a command, such as ["fit", "data.csv"], by default that of this process; returns its exit code."""
    function = getattr(lib(), "irl_command", None)
    if function is None:
        print(f"{library_path()} has no command line; the program is `ireland`, beside it", file=sys.stderr)
        return 2
    arguments = [b"ireland", *(word.encode(errors="surrogateescape") for word in (sys.argv[1:] if words is None else words))]
    function.restype, function.argtypes = ctypes.c_int, [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    sys.stdout.flush()
    return int(function(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None)))
