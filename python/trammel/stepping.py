"""Simulations taken step by step: to steer them, to look at them, to go back."""

from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from .computing import AnyModel, Names, Time, names_of, prepare, wrong_argument
from .model import Model, load

Value = Union[float, str]


def _number(value: Value) -> float:
    """In SI units."""
    return _core.quantity(value)[0] if isinstance(value, str) else float(value)


def _with_inputs(model: Model, inputs: Union[Mapping[str, Value], Sequence[str]]) -> Model:
    """The model with parameters turned into inputs: states that change only when they are set."""
    if not inputs:
        return model
    model = model.copy()
    for name in inputs if isinstance(inputs, Mapping) else names_of(inputs):
        known = name in model.parameters or name in model.states
        if isinstance(inputs, Mapping):
            value: Optional[Value] = inputs[name]
        elif known:
            value = model.parameters.get(name)
        else:
            raise wrong_argument("inputs", f"'{name}' is no parameter of the model",
                                 "name parameters that formulas read, or give a first value: {'name': 0.0}")
        if name in model.states:
            if value is not None:
                model.states[name].initial = _number(value)
            continue
        model.parameters.pop(name, None)
        model.states.add(name, rate=0, initial=_number(value))
    return model


class State:
    """Where a simulation stands: a value that can be kept, compared and given back."""

    def __init__(self, saved: Any) -> None:
        self._saved = saved

    @property
    def time(self) -> float:
        """s"""
        return self._saved.time

    @property
    def q(self) -> np.ndarray:
        """Positions, a copy."""
        return self._saved.q

    @property
    def v(self) -> np.ndarray:
        """Velocities, a copy."""
        return self._saved.v

    @property
    def z(self) -> np.ndarray:
        """First-order states, inputs among them; a copy."""
        return self._saved.z

    def __repr__(self) -> str:
        return f"<state at t = {self.time:.6g} s>"


class Simulation:
    """A model on its way, as `Model.start` gives it.

    >>> import trammel as tr
    >>> sim = tr.load("examples/slider_crank/slider_crank.yaml").start(step="1 ms")
    >>> angle = sim.watch("main.angle")
    >>> before = sim.state
    >>> for _ in range(100):
    ...     sim.step()
    >>> round(sim.time, 6), angle.shape
    (0.1, (1,))
    >>> sim.state = before
    >>> sim.time
    0.0

    The arrays `q`, `v`, `a`, `z`, `multipliers` and those of `watch` are no copies: their numbers change with
    every step. Copy what you want to keep.
    """

    def __init__(self, core: Any) -> None:
        self._core = core
        #: Steps of the simulation; a method that chooses its own steps goes as far.
        self.step = core.step
        self.set_input = core.set_input
        self.q: np.ndarray = core.q
        self.v: np.ndarray = core.v
        self.a: np.ndarray = core.a
        self.z: np.ndarray = core.z
        self.multipliers: np.ndarray = core.multipliers

    # ---- going on, and back

    @property
    def time(self) -> float:
        """s"""
        return self._core.time

    @property
    def step_size(self) -> float:
        """s"""
        return self._core.step_size

    @property
    def method(self) -> str:
        """The method, its settings and its step in words."""
        return self._core.method

    @property
    def inputs(self) -> List[str]:
        """Names of the inputs, for `set_input(name, value)`."""
        return self._core.inputs

    def input(self, name: str) -> float:
        """The present value of an input."""
        return self._core.input(name)

    def advance(self, until: float) -> None:
        """Goes on to a time in whole steps and a last one that ends there."""
        self._core.advance(until)

    def reset(self) -> None:
        """Back to the assembled start, with the inputs' initial values."""
        self._core.reset()

    def copy(self) -> "Simulation":
        """A simulation of its own that stands at the same state."""
        return Simulation(self._core.copy())

    __copy__ = copy

    @property
    def state(self) -> State:
        """Where it stands. Given back (`sim.state = kept`), it goes on from there."""
        return State(self._core.save())

    @state.setter
    def state(self, state: State) -> None:
        self._core.restore(state._saved)

    def set_state(self, q: Optional[Sequence[float]] = None, v: Optional[Sequence[float]] = None,
                  z: Optional[Sequence[float]] = None, time: Optional[float] = None, project: bool = True) -> None:
        """Goes on from other numbers; what is not given stays. `project` takes positions and velocities onto the
        constraints by the least motion of mass; without it they are taken as they are."""
        given = [np.asarray(self_ if other is None else other, dtype=float).copy()
                 for self_, other in ((self.q, q), (self.v, v), (self.z, z))]
        self._core.set_state(self.time if time is None else time, *given, project)

    # ---- looking

    @property
    def channels(self) -> List[str]:
        """Names of everything that can be watched."""
        return [name for name, _ in self._core.channels()]

    def watch(self, *names: str) -> np.ndarray:
        """An array that holds these channels from now on, after every step. Names may be patterns. It replaces
        what was watched before."""
        return self._core.watch([each for given in names for each in names_of(given)])

    def observe(self) -> Dict[str, float]:
        """All channels by name, as they are now."""
        return dict(zip(self.channels, self._core.observe()))

    @property
    def energy(self) -> Dict[str, float]:
        """Kinetic and potential energy in J."""
        kinetic, potential = self._core.energy()
        return {"kinetic": kinetic, "potential": potential}

    # ---- what is inside: r = M a + G^T lambda - f = 0,  g(t, q) = 0

    @property
    def freedoms(self) -> int:
        """Degrees of freedom at the start."""
        return self._core.freedoms

    @property
    def velocity_names(self) -> List[str]:
        """What the entries of `v`, the columns of M and G and the rows of f are. In absolute coordinates: the
        velocity of each body's mass centre along the axes of the world, and its rates of turn (in space about the
        axes of the body); in relative ones the rates of hinges."""
        return self._core.velocity_names()

    @property
    def row_names(self) -> List[str]:
        """What the rows of G, the entries of g and the multipliers are."""
        return self._core.row_names()

    def _parts(self, position: float, velocity: float, acceleration: float):
        from scipy import sparse

        values, rows, starts, n, m = self._core.matrices(position, velocity, acceleration)
        whole = sparse.csc_matrix((values, rows, starts), shape=(n + m, n + m))
        return whole[:n, :n], whole[n:, :n]

    def mass_matrix(self):
        """M, a SciPy matrix of compressed columns. In relative coordinates that of the hinges."""
        return self._parts(0.0, 0.0, 1.0)[0]

    def constraint_jacobian(self):
        """G: holonomic rows dg/dq T, then nonholonomic ones."""
        return self._parts(0.0, 0.0, 1.0)[1]

    def tangent(self, position: float = 0.0, velocity: float = 0.0, acceleration: float = 0.0):
        """w_q dr/dq + w_v dr/dv + w_a M at the present motion, derivatives by q along the manifold."""
        return self._parts(position, velocity, acceleration)[0]

    def kkt_matrix(self, position: float = 0.0, velocity: float = 0.0, acceleration: float = 1.0):
        """[K G^T; G 0] with K = `tangent(...)`."""
        from scipy import sparse

        tangent, jacobian = self._parts(position, velocity, acceleration)
        return sparse.bmat([[tangent, jacobian.T], [jacobian, None]], format="csc")

    def null_space(self, tolerance: float = 1e-10) -> np.ndarray:
        """An orthonormal basis of the velocities that the constraints allow, one column for each freedom. Singular
        values of G below `tolerance` of the largest count as zero."""
        jacobian = self.constraint_jacobian().toarray()
        if not len(jacobian):
            return np.eye(len(self.v))
        _, sizes, basis = np.linalg.svd(jacobian)
        rank = int(np.sum(sizes > tolerance * max(1.0, sizes[0]))) if len(sizes) else 0
        return basis[rank:].T

    def forces(self) -> np.ndarray:
        """f(t, q, v, z): all loads and gyroscopic terms, without reactions."""
        return self._core.forces()

    def residual(self) -> np.ndarray:
        """r = M a + G^T lambda - f at the present motion."""
        return self._core.residual()[0]

    def position_constraint(self) -> np.ndarray:
        """g(t, q)"""
        return self._core.position_constraint()

    def velocity_constraint(self) -> np.ndarray:
        """G v + dg/dt"""
        return self._core.velocity_constraint()

    def acceleration_bias(self) -> np.ndarray:
        """gamma of g'' = G a + gamma."""
        return self._core.acceleration_bias()

    def velocity_jacobian(self, *names: str) -> np.ndarray:
        """How channels change with `v`: one row for each. Exact for velocities and rates, which are linear in v."""
        return self._core.velocity_jacobian([each for given in names for each in names_of(given)])

    def frame_jacobian(self, body: str, point: Sequence[float] = ()) -> np.ndarray:
        """The velocity of a point fixed to a body and the body's angular velocity, per `v`, along the axes of the
        world: rows x, y, (z,) then the angular velocity (one row in the plane, three in space). `point` is in the
        axes of the body, from its origin."""
        planar = f"{body}.position.z" not in self.channels
        axes = "xy" if planar else "xyz"
        linear = self.velocity_jacobian(*[f"{body}.velocity.{axis}" for axis in axes])
        turned = self._rotation(body, planar)
        if planar:
            angular = self.velocity_jacobian(f"{body}.angular_velocity")
        else:  # these channels are in the axes of the body
            angular = turned @ self.velocity_jacobian(*[f"{body}.angular_velocity.{axis}" for axis in axes])
        arm = turned @ np.asarray(point if len(point) else [0.0] * len(axes), dtype=float)
        if planar:
            return np.vstack([linear + np.outer([-arm[1], arm[0]], angular[0]), angular])
        x, y, z = arm
        cross = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # w x arm = cross w
        return np.vstack([linear + cross @ angular, angular])

    def _rotation(self, body: str, planar: bool) -> np.ndarray:
        seen = self.observe()
        if planar:
            c, s = np.cos(seen[f"{body}.angle"]), np.sin(seen[f"{body}.angle"])
            return np.array([[c, -s], [s, c]])
        w, x, y, z = (seen[f"{body}.orientation.e{i}"] for i in range(4))
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

    def __repr__(self) -> str:
        return f"<simulation at t = {self.time:.6g} s: {self.method}>"


class Batch:
    """Simulations of one model side by side, on several threads; arrays have one row for each.

    >>> import trammel as tr
    >>> batch = tr.batch("examples/slider_crank/slider_crank.yaml", 4, watch="main.angle")
    >>> batch.step(10)
    >>> batch.q.shape, batch.watched.shape
    ((4, 9), (4, 1))
    """

    def __init__(self, core: Any) -> None:
        self._core = core
        self.step = core.step
        self.q: np.ndarray = core.q
        self.v: np.ndarray = core.v
        self.z: np.ndarray = core.z
        #: One column for each channel that is watched.
        self.watched: np.ndarray = core.watched
        self.time: np.ndarray = core.time

    def __len__(self) -> int:
        return len(self._core)

    def advance(self, until: float) -> None:
        """All of them to a time."""
        self._core.advance(until)

    def set_input(self, name: str, values: Union[float, Sequence[float]]) -> None:
        """One value for each simulation, or one for all."""
        self._core.set_input(name, np.broadcast_to(np.asarray(values, dtype=float), (len(self),)).copy())

    def reset(self, which: Optional[Sequence[Any]] = None) -> None:
        """Back to the start: all of them, those with these numbers, or those where an array of truths says so."""
        chosen = np.arange(len(self)) if which is None else np.asarray(which)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        self._core.reset([int(i) for i in chosen])

    @contextlib.contextmanager
    def member(self, number: int) -> Iterator[Simulation]:
        """One of them, to look at or to change; the arrays follow at the end of the `with` block."""
        yield Simulation(self._core.member(number))
        self._core.gather(number)


def start(model: AnyModel, *, inputs: Union[Mapping[str, Value], Sequence[str]] = (), step: Optional[Time] = None,
          method: Optional[str] = None, coordinates: Optional[str] = None, **settings: Any) -> Simulation:
    """Assembles a model and stands at its start, ready for steps. See `Model.start`."""
    if not isinstance(model, Model):
        model = load(model)
    model = _with_inputs(model, inputs)
    job = prepare(model, "", {"step": step, "method": method, "coordinates": coordinates, **settings})
    with job.model._places():
        return Simulation(_core.Stepping(job.handle, job.functions))


def batch(model: AnyModel, count: int, *, watch: Names = (), threads: int = 0, **arguments: Any) -> Batch:
    """`count` simulations of a model, stepped together on so many threads (0: all there are). Further arguments
    are those of `Model.start`. The model must call no functions of Python."""
    if count < 1:
        raise wrong_argument("count", f"'{count}' is no number above zero", "give how many simulations")
    first = start(model, **arguments)
    if names_of(watch):
        first.watch(*names_of(watch))
    return Batch(_core.Batch(first._core, count, threads))
