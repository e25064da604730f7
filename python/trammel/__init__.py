"""Kinematics and dynamics of multibody systems with arbitrary connections.

>>> import trammel as tr
>>> model = tr.load("examples/slider_crank/slider_crank.yaml")
>>> model.bodies["slider"].mass = "900 g"
>>> run = tr.simulate(model, until=0.5)
>>> run["rod.angle"].shape
(101,)
"""

from . import _core
from .errors import CallbackError, Diagnostic, Error, InputError, RunError
from .functions import Function, Functions
from .model import Check, Item, Model, Section, load, loads
from .progress import ProgressBar
from .run import Channels, Run, read
from .simulation import simulate
from .vocabulary import Field, Kind, features, kinds, quantity

__version__: str = _core.version

__all__ = [
    "CallbackError", "Channels", "Check", "Diagnostic", "Error", "Field", "Function", "Functions",
    "InputError", "Item", "Kind", "Model", "ProgressBar", "Run", "RunError", "Section", "features", "kinds",
    "load", "loads", "quantity", "read", "simulate",
]
