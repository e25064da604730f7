"""Integrators of your own, written in Python."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Type, TypeVar

from . import _core
from .computing import wrong_argument

Motion = _core.Motion
System = _core.System

_known: Dict[str, Type[Any]] = {}
_settings: Dict[str, Dict[str, float]] = {}
AnyClass = TypeVar("AnyClass", bound=type)


def find(name: str) -> Type[Any]:
    """The class that was registered last under a name."""
    return _known[name]


def integrator(name: str, *, summary: Optional[str] = None,
               settings: Optional[Mapping[str, float]] = None) -> Callable[[AnyClass], AnyClass]:
    """Makes a class known as an integrator: `simulate`, `compare`, `start` and model files may name it from then on.

    An object of the class is made for every run, with the system and its settings (numbers, with the values they
    have when nobody gives others). It has

        step(motion, h)   the motion at motion.time + h, or None: a smaller step is tried
        start(motion)     optional: a run begins here, or goes on after an event
        order             optional: of its global error, 2 unless it says otherwise

    `system` moves positions along their manifold (`move(q, x)`, never q + x), gives `forces`, `mass_matrix`,
    `constraint_jacobian`, `residual`, `tangent` and others at a time, q, v and z, and `consistent(time, q, v, z)`: the
    motion nearest to these on the constraints, with its accelerations and multipliers; None where there is none.

    A class that is defined anew under its name, as in a notebook, replaces the one before.

    >>> import trammel as tr
    >>> @tr.integrator("explicit-euler-example")
    ... class ExplicitEuler:
    ...     order = 1
    ...     def __init__(self, system):
    ...         self.system = system
    ...     def step(self, motion, h):
    ...         q = self.system.move(motion.q, h * motion.v)
    ...         return self.system.consistent(motion.time + h, q, motion.v + h * motion.a, motion.z)
    >>> run = tr.simulate("examples/pendulum/pendulum.yaml", until=0.1, step=0.001, method="explicit-euler-example")
    >>> run.outcome
    'completed'
    """
    numbers = {key: float(value) for key, value in (settings or {}).items()}

    def register(kind: AnyClass) -> AnyClass:
        if not callable(getattr(kind, "step", None)):
            raise wrong_argument("integrator", f"the class {kind.__name__} has no step(motion, h)", "write one")
        if name in _known:
            if numbers != _settings[name]:
                raise wrong_argument("settings", f"the settings of '{name}' were {_settings[name]} before",
                                     "choose another name, or begin a new session of Python")
        else:
            text = summary or (kind.__doc__ or "written in Python").strip().splitlines()[0]
            _core.register_integrator(name, text, numbers)
        _known[name], _settings[name] = kind, numbers
        return kind

    return register
