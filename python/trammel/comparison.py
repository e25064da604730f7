"""The same model by many methods."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _core, yaml_text
from .computing import AnyModel, AnyPath, Names, Time, limit_of, names_of, prepare, seconds
from .model import in_main_thread, raise_ending

Radii = Union[float, Sequence[float]]


class Comparison:
    """Runs of the same model by many methods, one row each.

    Rows are dicts: method, index, stabilisation, step (s), verdict ("stable", "oscillates", "drifts", "fails"),
    reason; errors against the reference and measured orders of positions, velocities, accelerations and
    reactions (NaN where unknown); residuals of the constraints; energy that no force explains (J) and its trend
    (W); iterations and factorisations per step; processor time (s). `pandas.DataFrame(comparison.rows)`.
    """

    def __init__(self, handle: Any, name: str, call: str) -> None:
        self._handle, self._name, self._call = handle, name, call
        found = handle.contents()
        self.rows: List[Dict[str, Any]] = found["rows"]
        #: Combinations that cannot work, with the reason.
        self.left_out: List[Tuple[str, str]] = found["left_out"]
        #: What the errors are measured against, and how good it is.
        self.reference: str = found["reference"]
        #: Errors are measured until then, s.
        self.trusted_until: float = found["trusted_until"]
        #: Sentences about the runs that stand out.
        self.findings: List[str] = found["findings"]
        #: Why it ended early, with the runs that were finished; empty when it did not.
        self.ending: str = found["ending"]
        self.threads: int = found["threads"]
        self.wall_time: float = found["wall_time"]  #: s

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def to_dict(self) -> Dict[str, List[Any]]:
        """The columns by name."""
        names = list(self.rows[0]) if self.rows else []
        return {name: [row[name] for row in self.rows] for name in names}

    def report(self, path: AnyPath, overwrite: bool = False) -> str:
        """Writes the page with figures and tables, one HTML file; returns its path. A page of an earlier
        comparison is replaced, other files only with `overwrite`."""
        self._handle.report(os.fspath(path), self._name, self._call, overwrite)
        return os.fspath(path)

    def __repr__(self) -> str:
        return "\n".join([*self.findings, *filter(None, [self.ending])])


def _listed(given: Any) -> List[Any]:
    """One value or several."""
    return [given] if isinstance(given, (str, int, float)) else list(given)


def _call_text(model: str, given: Dict[str, Any]) -> str:
    """The call that makes the same comparison."""
    arguments = [f"{name}={value!r}" for name, value in given.items() if value not in (None, [], ())]
    return f"tr.compare({', '.join([repr(model), *arguments])})"


def compare(
    model: AnyModel,
    methods: Names = (),
    rho: Union[Radii, Sequence[Radii]] = (),
    index: Union[int, Sequence[int]] = (),
    stabilisation: Names = (),
    step: Union[Time, Sequence[Time]] = (),
    until: Optional[Time] = None,
    threads: int = 0,
    *,
    tolerance: Union[float, Sequence[float]] = (),
    drift: float = 1e-3,
    time_limit: Optional[Time] = None,
    **settings: Any,
) -> Comparison:
    """Runs a model by many methods and compares them with a converged reference of its own.

    methods        integrators ("hht", "bdf"), families ("V0") or members ("V0(1, 1, 0)"); newmark, mpr-mpa,
                   generalized-alpha
    rho            spectral radii: a number each, or (rho1, rho2, rho3) for families
    index          of the constraints: 3, 2, 1
    stabilisation  "none", "baumgarte", "projection", "ggl"; none and projection
    step           in s, or texts such as "4 ms"; 4, 2 and 1 times that of the model
    tolerance      of methods that choose their own steps; 1e-4, 1e-6 and 1e-8
    threads        0: as many as the machine runs at once; models with functions of Python use one
    drift          position constraints that are violated by more than this part of the model's size drift
    time_limit     ends after this time, in s or a text such as "10 min", with the runs that were finished;
                   `ending` says so
    **settings     further settings of every method

    Ctrl-C raises KeyboardInterrupt, with the runs that were finished in its attribute `run`.

    >>> import trammel as tr
    >>> found = tr.compare("examples/slider_crank/slider_crank.yaml", methods="hht", rho=0.8, index=3,
    ...                    stabilisation="none", step=["4 ms", "2 ms"], until=0.2)
    >>> [(row["method"], row["step"], row["verdict"]) for row in found]
    [('hht 0.8', 0.004, 'stable'), ('hht 0.8', 0.002, 'stable')]
    """
    axes = _core.Axes()
    axes.methods, axes.stabilisations = names_of(methods), names_of(stabilisation)
    axes.radii = [_listed(each) for each in _listed(rho)]
    axes.indices = _listed(index)
    axes.steps = [seconds("step", each) for each in _listed(step)]
    axes.tolerances = _listed(tolerance)
    for name, value in settings.items():
        axes.set(f"{name}={yaml_text.flow(yaml_text.plain(value))}")
    job = prepare(model, "", {"until": until})
    call = _call_text(job.model._path, {"methods": axes.methods, "rho": axes.radii, "index": axes.indices,
                                        "stabilisation": axes.stabilisations, "step": axes.steps,
                                        "tolerance": axes.tolerances, "until": until, **settings})
    with job.model._places():
        handle, ending = _core.compare(job.handle, job.functions, axes, drift, threads, limit_of(time_limit),
                                       in_main_thread())
    comparison = Comparison(handle, job.handle.name or job.model._path, call)
    raise_ending(ending, comparison)
    return comparison
