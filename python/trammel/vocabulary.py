"""The words of the model file and what this build can do."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from . import _core

PLACES = ("joints", "forces", "couplings", "drives", "sensors", "integrators", "solvers")


class Field(NamedTuple):
    """A value that a kind takes."""

    name: str
    unit: str
    default: str
    description: str


class Kind(NamedTuple):
    """A kind of joint, force, integrator ... """

    name: str
    summary: str
    space: Optional[str]  #: "planar", "spatial" or None: both
    fields: Tuple[Field, ...]


def kinds(place: str, space: Optional[str] = None) -> List[Kind]:
    """The kinds of joints, forces, couplings, drives, sensors, integrators or solvers.

    >>> import trammel as tr
    >>> "revolute" in [kind.name for kind in tr.kinds("joints", space="planar")]
    True
    """
    if place not in PLACES:
        raise ValueError(f"there are no kinds of '{place}'; {_core.suggestion(place, list(PLACES))}")
    found = [Kind(name, summary, where, tuple(Field(*row) for row in fields))
             for name, summary, where, fields in _core.kinds(place)]
    return [kind for kind in found if space is None or kind.space in (None, space)]


def features() -> Dict[str, str]:
    """Version, compiler and libraries of this build."""
    return dict(_core.features())


def quantity(text: str) -> float:
    """The value of an expression with units, in SI units.

    >>> import trammel as tr
    >>> tr.quantity("25 mm"), tr.quantity("90 deg") == tr.quantity("pi / 2")
    (0.025, True)
    """
    return _core.quantity(text)[0]
