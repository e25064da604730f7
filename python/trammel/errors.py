"""The exceptions of the package, with the same texts as the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence

if TYPE_CHECKING:
    from .run import Run


class Diagnostic(NamedTuple):
    """One mistake or doubt: what is wrong and what to do about it."""

    severity: str  #: "error" or "warning"
    path: str  #: the name of the thing, e.g. "joints.pin.axis"
    message: str
    remedy: str
    file: str = ""
    line: int = 0  #: 0: not from a file
    column: int = 0
    text: str = ""  #: everything in one line

    def without_place(self) -> "Diagnostic":
        """The same without file, line and column."""
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: "
        text = self.text[len(place):] if self.file and self.text.startswith(place) else self.text
        return self._replace(file="", line=0, column=0, text=text)

    def __str__(self) -> str:
        return self.text or f"{self.severity}: {self.path}: {self.message}; {self.remedy}"


class Error(Exception):
    """What all exceptions of the package have in common."""

    #: What was computed until then; None if nothing was.
    run: Optional["Run"] = None


class InputError(Error, ValueError):
    """Wrong input: every mistake that was found.

    >>> import trammel as tr
    >>> try:
    ...     tr.loads("{trammel: 1, space: planar, bodies: {rod: {mass: -1, inertia: 1}}}").check()
    ... except tr.InputError as error:
    ...     print(error.diagnostics[0].path)
    bodies.rod.mass
    """

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics = list(diagnostics)

    def __reduce__(self):
        return type(self), (str(self), self.diagnostics)


class RunError(Error, RuntimeError):
    """A computation that could not be finished. What there is of its results is in `run`."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what}; {remedy}" if remedy else what)
        self.what = what
        self.remedy = remedy

    def __reduce__(self):
        return type(self), (self.what, self.remedy)


class CallbackError(RunError):
    """A Python function or callback raised, or returned something else than it should.

    `callback` says which, `time` the last recorded time before it (s), and the exception itself is the cause
    (`__cause__`). What was computed until then is in `run`.
    """

    def __init__(self, callback: str, call: str, time: float, reason: str) -> None:
        super().__init__(f"{callback} failed in the step after t = {time:.6g} s, in {call}: {reason}")
        self.callback = callback
        self.call = call
        self.time = time
        self.reason = reason

    def __reduce__(self):
        return type(self), (self.callback, self.call, self.time, self.reason)
