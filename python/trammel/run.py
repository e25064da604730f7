"""Results: channels over time as NumPy arrays."""

from __future__ import annotations

import html
import os
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core

_DISPLAY_BYTES = 3_000_000  #: of numbers in a notebook
_FRAME = ('<iframe srcdoc="{}" style="width: 100%; height: {}px; border: 1px solid #8884; '
          'border-radius: 6px"></iframe>')


class Channels(Mapping[str, np.ndarray]):
    """Channels with a common beginning: `run.energy.kinetic` is `run["energy.kinetic"]`."""

    def __init__(self, run: "Run", prefix: str) -> None:
        self._run = run
        self._prefix = prefix

    def __getitem__(self, name: str) -> np.ndarray:
        return self._run[self._prefix + name]

    def __iter__(self) -> Iterator[str]:
        return (name[len(self._prefix):] for name in self._run.channels if name.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return f"<channels {self._prefix}*: {', '.join(self)}>"


class Summary(NamedTuple):
    """A channel in a few numbers; times in s."""

    least: float
    least_time: float
    largest: float
    largest_time: float
    mean: float
    rms: float
    last: float


def _summary(time: np.ndarray, values: np.ndarray) -> Summary:
    low, high = int(np.argmin(values)), int(np.argmax(values))
    steps, duration = np.diff(time), time[-1] - time[0]
    before, after = values[:-1], values[1:]
    mean, square = values[-1], values[-1] ** 2
    if duration > 0:  # exact for the straight lines between rows
        mean = float(steps @ (before + after)) / (2 * duration)
        square = float(steps @ (before**2 + before * after + after**2)) / (3 * duration)
    return Summary(float(values[low]), float(time[low]), float(values[high]), float(time[high]), float(mean),
                   float(np.sqrt(square)), float(values[-1]))


def _with_magnitudes(columns: Dict[str, np.ndarray], units: Mapping[str, str]) -> Dict[str, np.ndarray]:
    """Also how large forces and torques are whose components are all there."""
    found: Dict[str, np.ndarray] = {}
    for name, values in columns.items():
        found[name] = values
        stem, axis = name[:-2], name[-2:]
        parts = [columns[stem + each] for each in (".x", ".y", ".z") if stem + each in columns]
        if axis == (".x", ".y", ".z")[len(parts) - 1] and len(parts) > 1 and units.get(name) in ("N", "N m"):
            found[f"{stem}.magnitude"] = np.sqrt(sum(part**2 for part in parts))
    return found


class Run:
    """The results of a run: `run["rod.angle"]` is an array over `run.time`.

    Arrays look into the memory of the run, which lives as long as they do; they are not copies and cannot be
    written to. Unknown names raise InputError, which names the nearest.

    >>> import trammel as tr
    >>> run = tr.simulate("examples/slider_crank/slider_crank.yaml", until=0.1)
    >>> run.time[0], run.units["rod.angle"], run.outcome
    (0.0, 'rad', 'completed')
    >>> float(abs(run.energy.numerical_loss[-1])) < 1e-3
    True
    """

    def __init__(self, results: Any) -> None:
        self._results = results
        self._channels = {row[0]: row[1:] for row in results.channels()}

    # ---- numbers

    @property
    def time(self) -> np.ndarray:
        """Output times, s."""
        return self._results.time()

    @property
    def channels(self) -> List[str]:
        """Names of all channels."""
        return list(self._channels)

    @property
    def units(self) -> Dict[str, str]:
        """SI units by channel."""
        return {name: row[0] for name, row in self._channels.items()}

    @property
    def descriptions(self) -> Dict[str, str]:
        """What the channels mean."""
        return {name: row[2] for name, row in self._channels.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._results.column(name)

    def __contains__(self, name: object) -> bool:
        return name == "time" or name in self._channels

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        """How many channels there are."""
        return len(self._channels)

    def keys(self) -> List[str]:
        """Names of all channels, so that dict(run) works."""
        return self.channels

    def select(self, *patterns: str) -> Dict[str, np.ndarray]:
        """The channels that match names or patterns, e.g. select("rod.*")."""
        return {self.channels[i]: self._results.column_at(i) for i in self._results.select(list(patterns))}

    def group(self, prefix: str) -> Channels:
        """Channels with a common beginning: run.group("rod.position").x"""
        return Channels(self, prefix + ".")

    @property
    def energy(self) -> Channels:
        """The energy balance over time, J: kinetic, potential, total, dissipated, loads, drives and
        numerical_loss."""
        return self.group("energy")

    def to_dict(self) -> Dict[str, np.ndarray]:
        """Time and all channels by name; pandas.DataFrame(run.to_dict()) makes a frame of it."""
        columns = {name: self._results.column_at(i) for i, name in enumerate(self._channels)}
        return {"time": self.time, **columns}

    def to_xarray(self):
        """An xarray.Dataset over time, with units and descriptions as attributes."""
        import xarray

        variables = {}
        for i, (name, (unit, frame, description)) in enumerate(self._channels.items()):
            meaning = {"units": unit, "long_name": description, "frame": frame}
            variables[name] = ("time", self._results.column_at(i), meaning)
        time = ("time", self.time, {"units": "s"})
        attributes = {key: value for key, value in self.information.items() if key != "model_text"}
        return xarray.Dataset(variables, coords={"time": time}, attrs=attributes)

    # ---- what happened

    @property
    def outcome(self) -> str:
        """"completed", "stopped" or "failed"; "running" for a file that is still being written."""
        return self._results.outcome

    @property
    def message(self) -> str:
        """Why it ended, if not completed."""
        return self._results.message

    @property
    def statistics(self) -> Dict[str, float]:
        """Steps, iterations, factorisations, wall time in s ..."""
        return self._results.statistics

    @property
    def information(self) -> Dict[str, str]:
        """Where the numbers come from: model, method, software, date."""
        return self._results.information()

    @property
    def facts(self) -> List[Tuple[str, str]]:
        """What the command line prints after a run; empty for results from a file."""
        return self._results.facts

    @property
    def verdict(self) -> str:
        """"sound" when nothing about the run is to be doubted, "doubtful" when `warnings` says what, "not judged"
        where nobody examined it: it did not come to its end, or it is no simulation."""
        if not self._results.judged:
            return "not judged"
        return "doubtful" if self._results.doubts else "sound"

    @property
    def warnings(self) -> List[str]:
        """Which numbers to doubt, why, and what to try; empty for a healthy run."""
        return self._results.doubts

    @property
    def certificate(self) -> str:
        """Of a run with `certify`: how many digits all channels have, and until when; else empty."""
        return self.information.get("certificate", "")

    @property
    def notes(self) -> List[str]:
        """Warnings of the model and remarks of the integrator."""
        return self._results.notes

    # ---- for people

    def save(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> None:
        """Writes the results to a file, .h5 or .csv."""
        self._results.save(os.fspath(path), overwrite)

    def report(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> str:
        """Writes the report, one HTML file for any browser; returns its path."""
        self._results.report(os.fspath(path), overwrite)
        return os.fspath(path)

    def summary(self, *names: str) -> Dict[str, Summary]:
        """Least, largest, mean, rms and last value of channels by name, and when; without names of all. Mean and rms
        are those over time of the straight lines between rows. Forces and torques with all their components have
        their magnitude besides, `pin.reaction.force.magnitude`.

        >>> import trammel as tr
        >>> run = tr.simulate("examples/slider_crank/slider_crank.yaml", until=0.5)
        >>> bounds = run.summary("slider.position.x")["slider.position.x"]
        >>> round(bounds.largest, 3), round(bounds.largest_time, 2)
        (0.6, 0.42)
        """
        chosen = self.select(*names) if names else {name: self[name] for name in self.channels}
        chosen = _with_magnitudes(chosen, self.units)
        return {name: _summary(self.time, values) for name, values in chosen.items()}

    def plot(self, *names: str, x: Optional[str] = None, units: Optional[Sequence[str]] = None, axes: Any = None,
             show: bool = False):
        """Draws channels over time, or over the channel `x`, with matplotlib: one diagram for each unit. Names may be
        patterns; without any, those that the model names (`report: plots:`), else a few that are worth a first look.
        `units` are display units, each for its dimension ("deg", "mm", "kN"); without them, those of the model
        (`report: units:`). Returns the figure."""
        import matplotlib.pyplot as plt

        noted = self.information
        if not names:
            names = tuple(noted["plots"].split("\n")) if "plots" in noted else self._results.interesting()
        if units is None:
            units = noted["display_units"].split("\n") if "display_units" in noted else ()
        chosen = dict(self.select(*names))
        along = self.time if x is None else self[x]
        wanted = _display_units(self.units.values(), units)
        units = {name: wanted.get(unit, (unit, 1.0))[0] for name, unit in self.units.items()}
        for name, unit in self.units.items():
            factor = wanted.get(unit, (unit, 1.0))[1]
            if name in chosen and factor != 1.0:
                chosen[name] = factor * chosen[name]
            if name == x:
                along = factor * along
        by_unit: Dict[str, List[str]] = {}
        for name in chosen:
            by_unit.setdefault(units[name], []).append(name)
        if axes is None:
            _, axes = plt.subplots(len(by_unit), 1, sharex=True, squeeze=False, layout="constrained",
                                   figsize=(7.0, 1.2 + 2.3 * len(by_unit)))
        flat: Sequence[Any] = np.ravel(axes)
        if len(flat) < len(by_unit):
            raise ValueError(f"the channels have {len(by_unit)} units and there are {len(flat)} axes; "
                             "give more axes")
        for axis, (unit, group) in zip(flat, by_unit.items()):
            for name in group:
                axis.plot(along, chosen[name], label=name, linewidth=1.2)
            axis.set_ylabel(unit or "1")
            axis.grid(alpha=0.3)
            axis.legend(fontsize="small")
        flat[len(by_unit) - 1].set_xlabel("time, s" if x is None else f"{x}, {units[x] or '1'}")
        figure = flat[0].figure
        if show:
            plt.show()
        return figure

    def _repr_html_(self) -> str:
        return _FRAME.format(html.escape(self._results.page(_DISPLAY_BYTES)), 560)

    def __repr__(self) -> str:
        time = self.time
        end = f" until t = {time[-1]:.6g} s" if len(time) else ""
        name = self.information.get("model_name", "")
        return f"<run of '{name}': {self.outcome}, {len(self)} channels at {len(time)} times{end}>"


def _display_units(channel_units: Iterable[str], wanted: Sequence[str]) -> Dict[str, Tuple[str, float]]:
    """{"rad": ("deg", 57.3)}: by the unit of channels what to show, and how much for 1. J and N m stay apart."""
    sizes = [(unit, *_core.quantity(f"1 {unit}")) for unit in wanted]
    found: Dict[str, Tuple[str, float]] = {}
    for own in set(channel_units) - {""}:
        value, kind = _core.quantity(f"1 {own}")
        for unit, size, other in sizes:
            if other == kind and ("J" in unit) == ("J" in own):
                found[own] = (unit, value / size)
    return found


def read(path: Union[str, "os.PathLike[str]"], channels: Union[str, Sequence[str]] = ()) -> Run:
    """The results of a file (.h5 or .csv), all of them or the named channels. The file may still be growing.

    A file that is missing, damaged or foreign raises InputError; doubts are told as warnings.
    """
    patterns = [channels] if isinstance(channels, str) else list(channels)
    results, doubts = _core.read_results(os.fspath(path), patterns)
    for doubt in doubts:
        warnings.warn(str(doubt), stacklevel=2)
    return Run(results)
