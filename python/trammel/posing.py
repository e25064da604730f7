"""Inverse kinematics: a configuration in which channels have wanted values."""

from __future__ import annotations

from typing import Any, Mapping, Union

import numpy as np

from . import _core
from .computing import AnyModel
from .errors import RunError
from .stepping import Simulation, start


def _rate_of(channel: str, known: set) -> str:
    """The channel that is the rate of another."""
    if ".position." in channel:
        rate = channel.replace(".position.", ".velocity.")
    elif channel.endswith(".angle") and channel[:-5] + "angular_velocity" in known:
        rate = channel[:-5] + "angular_velocity"
    else:
        rate = channel + "_rate"
    if rate not in known:
        raise RunError(f"'{channel}' has no rate among the channels, so that nothing tells how it moves",
                       "name positions of bodies, coordinates of joints or sensors")
    return rate


def inverse_kinematics(model: Union[AnyModel, Simulation], targets: Mapping[str, Union[float, str]], *,
                       tolerance: float = 1e-9, most_steps: int = 200, **arguments: Any) -> Simulation:
    """Moves a model, or a simulation that stands somewhere, until channels have these values, at rest.

    targets     positions of bodies ("hand.position.x"), angles of planar bodies, joint coordinates and sensors, in
                SI units or as texts with units
    tolerance   of the constraints and of what is wanted, in m and rad

    Of all small motions that lead there each step takes the shortest (least squares over the constraints G x = -g
    and the targets J x = wanted - present, damped while that does not come nearer). Raises RunError when it gets
    stuck: out of reach, or on the wrong side of a dead centre. Further arguments are those of `Model.start`.

    >>> import trammel as tr
    >>> sim = tr.inverse_kinematics("examples/slider_crank/slider_crank.yaml", {"slider.position.x": 0.5})
    >>> round(sim.observe()["slider.position.x"], 9)
    0.5
    """
    sim = model.copy() if isinstance(model, Simulation) else start(model, **arguments)
    wanted = np.array([_core.quantity(value)[0] if isinstance(value, str) else float(value)
                       for value in targets.values()])
    known = set(sim.channels)
    rates = [_rate_of(name, known) for name in targets]
    seen = sim.watch(*targets)
    if len(seen) != len(wanted):
        raise RunError("a target stands for several channels", "name each of them")
    still = np.zeros_like(sim.v)
    sim.set_state(v=still)
    damping, largest_step = 0.0, 0.3

    def gap() -> np.ndarray:
        return np.concatenate([-sim.position_constraint(), wanted - seen])

    error = gap()
    for _ in range(most_steps):
        if np.max(np.abs(error), initial=0.0) <= tolerance:
            return sim
        rows = np.vstack([sim.constraint_jacobian().toarray(), sim.velocity_jacobian(*rates)])
        square = rows @ rows.T + damping * np.eye(len(rows))
        x = rows.T @ np.linalg.lstsq(square, error, rcond=1e-12)[0]
        x *= min(1.0, largest_step / max(np.max(np.abs(x)), 1e-300))
        before, kept = error, sim.state
        sim.set_state(q=sim._core.retract(sim.q.copy(), x), v=still, project=False)
        error = gap()
        if np.linalg.norm(error) < np.linalg.norm(before):
            damping = 0.0 if damping < 1e-8 else 0.1 * damping
            continue
        damping = max(1e-6, 10.0 * damping)
        if damping > 1e6:
            break
        sim.state = kept
        error = before
    distance = float(np.max(np.abs(wanted - seen), initial=0.0))
    raise RunError(f"no configuration was found: the targets are missed by {distance:.3g} m or rad",
                   "look whether they are within reach, and start nearer to them")
