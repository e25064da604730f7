"""Kinematics and dynamics of multibody systems with arbitrary connections.

>>> import trammel as tr
>>> model = tr.load("examples/slider_crank/slider_crank.yaml")
>>> model.bodies["slider"].mass = "900 g"
>>> run = tr.simulate(model, until=0.5)
>>> run["rod.angle"].shape
(101,)
"""

from . import _core
from .comparison import Comparison, compare
from .driven import (Change, InverseRun, KinematicsRun, Load, Mobility, SingularPosition, dof, inverse,
                     kinematics)
from .equilibrium import Equilibrium, Modes, modes, statics
from .equations import Equations
from .errors import CallbackError, Diagnostic, Error, InputError, RunError
from .functions import Function, Functions
from .integrators import Motion, System, integrator
from .live import LiveView
from .model import Check, Item, Model, Section, load, loads
from .posing import inverse_kinematics
from .progress import ProgressBar
from .run import Channels, Run, read
from .simulation import simulate
from .stepping import Batch, Simulation, State, batch, start
from .vocabulary import Field, Kind, features, kinds, quantity

__version__: str = _core.version

__all__ = [
    "Batch", "CallbackError", "Change", "Channels", "Check", "Comparison", "Diagnostic", "Equations", "Equilibrium",
    "Error", "Field", "Function", "Functions", "InputError", "InverseRun", "Item", "Kind", "KinematicsRun",
    "LiveView", "Load", "Mobility", "Model", "Modes", "Motion", "ProgressBar", "Run", "RunError", "Section",
    "Simulation", "SingularPosition", "State", "System", "batch", "compare", "dof", "features", "integrator",
    "inverse", "inverse_kinematics", "kinds", "kinematics", "load", "loads", "modes", "quantity", "read",
    "simulate", "start", "statics",
]
