"""A line that tells how far a fit has come, in a terminal or a notebook."""
import math
import sys
from typing import Any, Optional, TextIO, Union

from ._library import Progress, ProgressFunction

_WIDTH = 20


class Bar:
    """Writes one line over and over: part, best objective, bound, a bar that is full when both meet, seconds.

    >>> Bar(sys.stdout).line(Progress("proof", 2.5, 1000, 10.0, 8.0))
    'proof          |################    |  objective 10  bound 8  gap 20.0 %  2.5 s'
    """

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self.stream = stream or sys.stderr
        self.length = 0

    def line(self, progress: Progress) -> str:
        gap = progress.gap
        is_known = not math.isnan(gap)
        filled = round(_WIDTH * (1 - min(1.0, max(0.0, gap)))) if is_known else 0
        shown = "".join(f"  {word} {value:.6g}" for word, value in (("objective", progress.objective), ("bound", progress.bound))
                        if not math.isnan(value))
        return (f"{progress.part:<14.14} |{'#' * filled:<{_WIDTH}}|{shown}" + (f"  gap {100 * gap:.1f} %" if is_known else "")
                + f"  {progress.seconds:.1f} s")

    def __call__(self, progress: Progress) -> Optional[bool]:
        line = self.line(progress)
        self.stream.write("\r" + line.ljust(self.length))
        self.stream.flush()
        self.length = len(line)
        return None

    def close(self) -> None:
        if self.length:
            self.stream.write("\n")
            self.stream.flush()


def progress_function(progress: Union[bool, ProgressFunction, None]) -> Optional[ProgressFunction]:
    """What the parameter `progress` stands for."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return Bar()
    if not callable(progress):
        raise TypeError(f"progress is True, False or a function of one argument, not {type(progress).__name__}")
    return progress


def close(progress: Any) -> None:
    if isinstance(progress, Bar):
        progress.close()
