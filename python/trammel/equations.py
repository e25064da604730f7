"""Equations of motion as formulas."""

from __future__ import annotations

from typing import List


class Equations:
    """The equations of motion of a small model, as `Model.equations` gives them."""

    def __init__(self, coordinates: List[str], text: str, latex: str) -> None:
        #: What q1, q2 ... are, e.g. "pin.angle".
        self.coordinates = coordinates
        #: An `align*` environment.
        self.latex = latex
        self._text = text

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        legend = r",\quad ".join(rf"q_{{{i}}} = \texttt{{{name}}}".replace("_", r"\_").replace(r"q\_", "q_")
                                for i, name in enumerate(self.coordinates, 1))
        lines = "\n".join(line for line in self.latex.splitlines() if not line.startswith("%"))
        return f"$${legend}$$\n{lines}"
