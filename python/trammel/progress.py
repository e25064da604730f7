"""How far a run is, in one line of a terminal or notebook."""

from __future__ import annotations

import sys
from typing import Callable, Optional, TextIO, Union

ProgressFunction = Callable[[float, float, int, float], object]
_WIDTH = 30


def duration(seconds: float) -> str:
    """"7 s", "2:05", "1:12:30"."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, seconds_left = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"


class ProgressBar:
    """Called with the time reached, the end, the steps and the seconds since the start."""

    def __init__(self, stream: Optional[TextIO] = None, delay: float = 0.5) -> None:
        self.stream = stream or sys.stderr
        self.delay = delay  #: short runs show nothing, s
        self.shown = 0

    def __call__(self, time: float, until: float, steps: int, seconds: float) -> None:
        if seconds < self.delay:
            return
        done = min(1.0, time / until) if until > 0 else 1.0
        bar = "#" * round(done * _WIDTH)
        left = duration(seconds * (1 - done) / done) if done > 0 else "?"
        line = f"{done:4.0%} [{bar:-<{_WIDTH}}] t = {time:.4g} of {until:g} s, {steps} steps, {left} left"
        self.stream.write("\r" + line.ljust(self.shown))
        self.stream.flush()
        self.shown = len(line)

    def close(self) -> None:
        """Removes the line."""
        if self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.stream.flush()
        self.shown = 0


def chosen(progress: Union[bool, None, ProgressFunction]) -> Optional[ProgressFunction]:
    """The function to call: a bar for True, and for None where somebody may be watching."""
    if callable(progress):
        return progress
    if progress is None:
        notebook = "ipykernel" in sys.modules
        progress = notebook or (sys.stderr is not None and sys.stderr.isatty())
    return ProgressBar() if progress else None
