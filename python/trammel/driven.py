"""Kinematics, degrees of freedom and inverse dynamics."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import _core
from .computing import AnyModel, AnyPath, Names, Time, check_choice, limit_of, names_of, prepare, wrong_argument
from .model import in_main_thread, raise_ending
from .run import Run, read


class SingularPosition(NamedTuple):
    """A position where the motion is not determined."""

    time: float  #: s
    kind: str  #: "change point" (the mechanism could branch) or "dead centre" (unsuitable inputs)
    freedoms: int  #: of the joints there
    rows: List[str]  #: change point: rows that become dependent
    inputs: List[str]  #: dead centre: coordinates to drive instead
    text: str

    def __str__(self) -> str:
        return self.text


class KinematicsRun(Run):
    """The motion that joints and drives determine, with the singular positions on its way."""

    def __init__(self, results: Any, singular: List[Tuple[Any, ...]]) -> None:
        super().__init__(results)
        self.singular = [SingularPosition(*each) for each in singular]


class Load(NamedTuple):
    """The range of a load over a motion."""

    unit: str  #: of all but the power
    smallest: float
    largest: float
    effective: float  #: square root of the mean square
    peak_power: float  #: W, largest magnitude


class InverseRun(KinematicsRun):
    """A motion with the loads behind it: channels "motor.load", and their ranges in `loads`."""

    def __init__(self, results: Any, found: Dict[str, Any]) -> None:
        super().__init__(results, found["singular"])
        #: By the name of the drive or the coordinate.
        self.loads: Dict[str, Load] = {name: Load(*row) for name, row in found["loads"].items()}
        self.freedoms: int = found["freedoms"]
        self.actuators: int = found["actuators"]
        self.over_actuated: bool = found["over_actuated"]
        #: Coordinates along which a load would be needed and none acts.
        self.missing: List[str] = found["missing"]
        #: At most, as a share of all loads.
        self.largest_missing: float = found["largest_missing"]
        #: Joints, drives and loads whose values are not unique: the smallest are given.
        self.not_unique: List[str] = found["not_unique"]


class Change(NamedTuple):
    """A change of the number of freedoms along a motion."""

    time: float  #: s
    before: int
    there: int
    passing: bool  #: only at this instant; otherwise from there on


class Mobility:
    """Degrees of freedom, where they change, and what could be driven."""

    def __init__(self, found: Dict[str, Any]) -> None:
        #: Of joints and couplings, without the drives.
        self.freedoms: int = found["freedoms"]
        #: How many of them are driven, and how many are left.
        self.drives: int = found["drives"]
        self.remaining: int = found["remaining"]
        #: Drives that follow from joints and other drives.
        self.dependent: List[str] = found["dependent"]
        #: Coordinates to drive for what remains.
        self.proposals: List[str] = found["proposals"]
        self.redundant: List[str] = found["redundant"]
        self.not_unique: List[str] = found["not_unique"]
        #: Frictions, laws and contacts that depend on such reactions: the motion is that of the least ones.
        self.loads_not_unique: List[str] = found["loads_not_unique"]
        #: "start", "kinematics" or "simulation": the path that was followed, until this time (s).
        self.along: str = found["along"]
        self.until: float = found["until"]
        self.changes = [Change(*each) for each in found["changes"]]
        self.least_singular_value: float = found["least_singular_value"]
        self.least_time: float = found["least_time"]
        #: Why the path ended early; empty when it did not.
        self.end: str = found["end"]
        self.facts: List[Tuple[str, str]] = found["facts"]

    def __repr__(self) -> str:
        return "\n".join(f"{heading:14}{text}" for heading, text in self.facts)


def kinematics(
    model: AnyModel,
    until: Optional[Time] = None,
    step: Optional[Time] = None,
    output: Optional[AnyPath] = None,
    *,
    output_step: Optional[Time] = None,
    channels: Names = (),
    overwrite: bool = False,
    time_limit: Optional[Time] = None,
) -> KinematicsRun:
    """Follows the motion that joints and drives determine, whatever the loads.

    Arguments are those of `simulate`. Too few drives raise InputError, which says what to drive; a dead centre
    that ends the motion raises RunError, with the motion until there in `run`. Reactions and drive loads are
    those of inverse dynamics.

    >>> import trammel as tr
    >>> run = tr.kinematics("examples/scotch_yoke/scotch_yoke.yaml", until=0.1)
    >>> run.outcome, run.singular
    ('completed', [])
    """
    job = prepare(model, "kinematics", {"until": until, "step": step, "output_step": output_step})
    with job.model._places():
        results, singular, ending = _core.kinematics(job.handle, job.functions,
                                                     job.request(output, channels, overwrite, time_limit))
    run = KinematicsRun(results, singular)
    raise_ending(ending, run)
    return run


def dof(
    model: AnyModel,
    along: str = "auto",
    until: Optional[Time] = None,
    step: Optional[Time] = None,
    *,
    time_limit: Optional[Time] = None,
) -> Mobility:
    """Counts the degrees of freedom by the rank of the constraints, at the start and along a motion.

    along       "start" (no motion), "kinematics", "simulation", or "auto": kinematics if the drives determine it
    time_limit  the path ends after this time, in s or a text such as "10 min"; `end` says so

    >>> import trammel as tr
    >>> found = tr.dof("examples/slider_crank/slider_crank.yaml", along="start")
    >>> found.freedoms, found.remaining, found.redundant
    (1, 1, [])
    """
    check_choice("along", along, ("auto", "start", "kinematics", "simulation"))
    job = prepare(model, "dof", {"until": until, "step": step})
    with job.model._places():
        found, ending = _core.dof(job.handle, job.functions, along, limit_of(time_limit), in_main_thread())
    raise_ending(ending, None)
    return Mobility(found)


def inverse(
    model: AnyModel,
    motion: Union[Run, AnyPath, None] = None,
    actuate: Names = (),
    least_squares: bool = False,
    *,
    until: Optional[Time] = None,
    step: Optional[Time] = None,
    output: Optional[AnyPath] = None,
    output_step: Optional[Time] = None,
    channels: Names = (),
    overwrite: bool = False,
    time_limit: Optional[Time] = None,
) -> InverseRun:
    """Finds the loads of drives and all reactions behind a prescribed motion.

    motion         None: that of the model's drives; else a run or a results file with all channels of bodies
    actuate        further coordinates with a load along each, for a recorded motion
    least_squares  where loads are missing, balance as well as possible instead of raising RunError

    Times are those of the drives' motion; other arguments as for `simulate`.

    >>> import trammel as tr
    >>> run = tr.inverse("examples/scotch_yoke/scotch_yoke.yaml", until=0.1)
    >>> run.loads["motor"].unit, bool(run.loads["motor"].largest == run["motor.load"].max())
    ('N m', True)
    """
    actuators = names_of(actuate)
    if motion is None and (actuators or least_squares):
        raise wrong_argument("actuate" if actuators else "least_squares", "belongs to a recorded motion",
                             "give one as motion=run, or add drives to the model")
    if motion is not None and not isinstance(motion, Run):
        motion = read(motion)
    recorded = None if motion is None else motion._results
    job = prepare(model, "inverse" if motion is None else "",
                  {"until": until, "step": step, "output_step": output_step})
    with job.model._places():
        results, found, ending = _core.inverse(job.handle, job.functions, recorded,
                                               actuators, least_squares,
                                               job.request(output, channels, overwrite, time_limit))
    run = InverseRun(results, found)
    raise_ending(ending, run)
    return run
