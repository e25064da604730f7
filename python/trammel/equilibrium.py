"""Positions of rest, and small motions about them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _core
from .computing import AnyModel, Names, Prepared, Time, check_choice, limit_of, names_of, prepare
from .model import in_main_thread, raise_ending
from .run import Run


class Equilibrium:
    """A position of rest: all channels there, and whether it is stable."""

    def __init__(self, run: Run, found: Dict[str, Any]) -> None:
        #: One row, to be saved or shown.
        self.run = run
        #: "newton", "load-stepping" or "relaxation": what found it.
        self.method: str = found["method"]
        self.iterations: int = found["iterations"]
        #: Largest out-of-balance load along a freedom, over the loads.
        self.residual: float = found["residual"]
        #: Largest displacement from the assembled start, m or rad.
        self.moved: float = found["moved"]
        #: "stable", "neutral" or "unstable".
        self.stability: str = found["stability"]
        #: Eigenvalues of stiffness against mass, 1/s^2, ascending; negative ones push away.
        self.stiffness: np.ndarray = found["stiffness"]
        #: The coordinates that move most in the softest shape.
        self.softest: List[str] = found["softest"]
        #: The coordinate along which an unstable position was left for this one; empty if none was.
        self.left_along: str = found["left_along"]

    @property
    def values(self) -> Dict[str, float]:
        """All channels by name."""
        return {name: float(column[0]) for name, column in self.run.select("*").items()}

    @property
    def facts(self) -> List[Tuple[str, str]]:
        """What the command line prints."""
        return self.run.facts

    def __getitem__(self, name: str) -> float:
        return float(self.run[name][0])

    def __repr__(self) -> str:
        return "\n".join(f"{heading:14}{text}" for heading, text in self.facts)


def statics(
    model: AnyModel, method: str = "auto", nearest: bool = False, *, time_limit: Optional[Time] = None
) -> Equilibrium:
    """Finds a position of rest from the assembled start, with all reactions, and whether it is stable.

    method      "newton", "load-stepping", "relaxation", or "auto": one after the other
    nearest     stop at the first position found; otherwise an unstable one is left for a stable one
    time_limit  in s or a text such as "10 min"

    RunError says what does not come to rest, or that time was up.

    >>> import trammel as tr
    >>> rest = tr.statics("examples/chain10/chain10.yaml")
    >>> rest.stability, round(rest["link9.position.y"], 6), len(rest.stiffness)
    ('stable', -0.95, 10)
    """
    check_choice("method", method, ("auto", "newton", "load-stepping", "relaxation"))
    job = prepare(model, "statics")
    with job.model._places():
        results, found, ending = _core.statics(job.handle, job.functions, method, nearest,
                                                job.request(time_limit=time_limit))
    raise_ending(ending, None)
    return Equilibrium(Run(results), found)


class Modes:
    """A linear model d/dt x = A x + B u, y = C x + D u, and its modes.

    A conjugate pair of eigenvalues is one mode, with the one of positive imaginary part.
    """

    def __init__(self, handle: Any, job: Prepared) -> None:
        self._handle, self._job = handle, job
        found = handle.contents()
        self.eigenvalues: np.ndarray = found["eigenvalues"]  #: complex, 1/s
        self.frequencies: np.ndarray = found["frequencies"]  #: Hz, of the damped oscillation
        self.damping_ratios: np.ndarray = found["damping_ratios"]  #: 1: no oscillation; < 0: grows
        self.shapes: np.ndarray = found["shapes"]  #: eigenvectors, one column each
        self.A: np.ndarray = found["A"]
        self.B: np.ndarray = found["B"]
        self.C: np.ndarray = found["C"]
        self.D: np.ndarray = found["D"]
        self.states: List[str] = [name for name, _ in found["states"]]
        self.inputs: List[str] = [name for name, _ in found["inputs"]]
        self.outputs: List[str] = [name for name, _ in found["outputs"]]
        #: Units of states, inputs and outputs by name.
        self.units: Dict[str, str] = dict(found["states"] + found["inputs"] + found["outputs"])
        self.unstable: int = found["unstable"]  #: how many modes grow
        self.facts: List[Tuple[str, str]] = found["facts"]
        self.notes: List[str] = found["notes"]  #: doubts

    def __len__(self) -> int:
        """How many modes there are."""
        return len(self.eigenvalues)

    def animate(self, seconds: float = 2.0) -> Run:
        """Shows the modes one after the other, `seconds` each, in pseudo-time: a run for its report. The channel
        mode.number says which."""
        if not seconds > 0.0:
            raise ValueError(f"seconds is {seconds}; give a number above 0")
        job = self._job
        results, ending = _core.animate(self._handle, job.handle, job.functions, seconds, job.request())
        run = Run(results)
        raise_ending(ending, run)
        return run

    def __repr__(self) -> str:
        return "\n".join([*(f"{heading:14}{text}" for heading, text in self.facts), *self.notes])


def modes(
    model: AnyModel,
    about: str = "equilibrium",
    coordinates: Names = (),
    inputs: Names = (),
    outputs: Names = (),
    *,
    time_limit: Optional[Time] = None,
) -> Modes:
    """Linearises the model about rest or a steady motion: eigenvalues, mode shapes, state-space matrices.

    about        "equilibrium" (stable, found from the start), "nearest" (stable or not), or "start" as it moves
    coordinates  independent coordinates wanted first; the rest is chosen
    inputs       parameters that formulas of loads read, or coordinates with a load along each
    outputs      channels, patterns allowed; the sensors of the model when there are none
    time_limit   RunError after this time, in s or a text such as "10 min"; looked at while an equilibrium is
                 sought and between the parts of the linearisation

    >>> import trammel as tr
    >>> found = tr.modes("examples/pendulum/pendulum.yaml")
    >>> len(found), found.A.shape
    (1, (2, 2))
    >>> round(float(found.frequencies[0]), 6)  # sqrt(g / l) / (2 pi)
    0.498488
    """
    check_choice("about", about, ("equilibrium", "nearest", "start"))
    request = _core.LinearRequest()
    request.about = about
    request.coordinates, request.inputs, request.outputs = map(names_of, (coordinates, inputs, outputs))
    given = request.coordinates or request.inputs or request.outputs or about != "equilibrium"
    job = prepare(model, "" if given else "modes")
    with job.model._places():
        handle, ending = _core.modes(job.handle, job.functions, request, limit_of(time_limit),
                                     in_main_thread())
    raise_ending(ending, None)
    return Modes(handle, job)
