"""Models: loaded, built and edited with the words of the model file."""

from __future__ import annotations

import contextlib
import copy
import errno
import functools
import os
import stat
import threading
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, MutableMapping, Optional, Sequence, Tuple, Union

from . import _core, yaml_text
from .errors import CallbackError, Diagnostic, InputError, RunError
from .equations import Equations
from .functions import Functions
from .live import LiveView, live_view

_SECTIONS = ("bodies", "flexible", "materials", "sections", "joints", "forces", "couplings", "drives", "sensors",
             "states", "tables", "assemblies", "instances")
_VALUES = ("name", "description", "gravity", "space", "include", "start", "report")


@functools.lru_cache(maxsize=None)
def _key_rows(place: str, space: str, kind: str) -> Tuple[Tuple[str, str, str, str], ...]:
    """Name, unit, default and meaning of every key; they are the same for all models."""
    return tuple(_core.keys(place, space, kind))


class _Lines(str):
    """A text that is shown as it is meant to be read."""

    def __repr__(self) -> str:
        return str(self)


class Item:
    """A body, joint, force ... of a model: its keys are attributes.

    Values are as in the model file: numbers in SI units, texts with units or parameters ("20 mm",
    "length / 2"), lists. A key that is not written is None; assigning None removes it.

    >>> import trammel as tr
    >>> model = tr.Model(space="planar")
    >>> rod = model.bodies.add("rod", mass="500 g", inertia=0.01)
    >>> rod.mass = 2.0
    >>> print(rod)
    rod: {mass: 2.0, inertia: 0.01}
    """

    __slots__ = ("_tree", "_place", "_name", "_space")

    def __init__(self, tree: Dict[str, Any], place: str, name: str, space: str) -> None:
        for slot, value in zip(self.__slots__, (tree, place, name, space)):
            object.__setattr__(self, slot, value)

    def _rows(self) -> Tuple[Tuple[str, str, str, str], ...]:
        kind = self._tree.get("integrator") if self._place == "simulation" else self._tree.get("type")
        return _key_rows(self._place, self._space, str(kind or ""))

    def _keys(self) -> List[str]:
        return [row[0] for row in self._rows()]

    def _check_key(self, key: str) -> None:
        known = self._keys()
        if key not in known:
            suggestion = _core.suggestion(key, known)
            raise AttributeError(f"{self._place}.{self._name} has no key '{key}'; {suggestion}")

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        if key not in self._tree:
            self._check_key(key)
        return self._tree.get(key)

    def __setattr__(self, key: str, value: Any) -> None:
        self._check_key(key)
        if value is None:
            self._tree.pop(key, None)
        else:
            self._tree[key] = yaml_text.plain(value)

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._keys()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self._tree == other._tree

    def __repr__(self) -> str:
        return f"{self._name}: {yaml_text.flow(self._tree)}"

    def __reduce__(self):
        return Item, (self._tree, self._place, self._name, self._space)

    def help(self) -> str:
        """The keys it may have, with units and meanings; at the prompt it shows itself in lines."""
        return _Lines("\n".join(f"{name:24} {unit:12} {meaning}" for name, unit, _, meaning in self._rows()))


class Section(MutableMapping[str, Item]):
    """The bodies (joints, forces ...) of a model by name."""

    def __init__(self, model: "Model", place: str) -> None:
        self._model = model
        self._place = place

    @property
    def _items(self) -> Dict[str, Any]:
        return self._model._tree.setdefault(self._place, {})

    def __getitem__(self, name: str) -> Item:
        items = self._model._tree.get(self._place) or {}
        if name not in items:
            raise KeyError(f"there is no '{name}' in {self._place}; {_core.suggestion(name, list(items))}")
        tree = items[name]
        if not isinstance(tree, dict):  # a shorthand
            return tree
        return Item(tree, self._place, name, self._model.space or "spatial")

    def __setitem__(self, name: str, value: Union[Item, Mapping[str, Any]]) -> None:
        self._items[str(name)] = yaml_text.plain(value)

    def __delitem__(self, name: str) -> None:
        self[name]
        del self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._model._tree.get(self._place) or {}))

    def __len__(self) -> int:
        return len(self._model._tree.get(self._place) or {})

    def __repr__(self) -> str:
        return f"<{self._place}: {', '.join(self) or 'none'}>"

    def add(self, name: str, **keys: Any) -> Item:
        """A new one; a name that exists is refused.

        >>> import trammel as tr
        >>> model = tr.Model(space="planar")
        >>> model.joints.add("pin", type="revolute", between=["ground", "rod"])
        pin: {type: revolute, between: [ground, rod]}
        """
        if name in self._items:
            raise KeyError(f"there is a '{name}' in {self._place} already; assign to "
                           f"{self._place}[{name!r}] instead")
        item = Item({}, self._place, name, self._model.space or "spatial")
        if "type" in keys:
            item.type = keys["type"]
        for key, value in keys.items():
            setattr(item, key, value)
        self._items[name] = item._tree
        return self[name]


class Check:
    """What `Model.check` found: degrees of freedom, redundancy, warnings, and the assembled start."""

    def __init__(self, found: Dict[str, Any], warnings_found: Sequence[Diagnostic]) -> None:
        self.freedoms: int = found["freedoms"]
        self.redundant: List[str] = found["redundant"]
        self.not_unique: List[str] = found["not_unique"]
        #: Frictions, laws and contacts that depend on such reactions: the motion is that of the least ones.
        self.loads_not_unique: List[str] = found["loads_not_unique"]
        self.largest_move: float = found["largest_move"]
        #: Stated initial values that joints and drives did not allow, from where to where.
        self.moved: List[str] = found["moved"]
        #: All channels at the assembled start, by name.
        self.values: Dict[str, float] = found["values"]
        self.facts: List[Tuple[str, str]] = found["facts"]
        self.warnings = list(warnings_found)

    def __repr__(self) -> str:
        lines = [f"{heading:14}{text}" for heading, text in self.facts]
        return "\n".join([*lines, *map(str, self.warnings)])


class Model:
    """A model with the words of the model file.

    >>> import trammel as tr
    >>> model = tr.Model(space="planar", gravity=[0, -9.81])
    >>> model.bodies.add("rod", shape={"rod": {"length": 0.5, "mass": 1.2}, "position": [0.25, 0]})
    rod: {shape: {rod: {length: 0.5, mass: 1.2}, position: [0.25, 0]}}
    >>> model.joints.add("pin", type="revolute", between=["ground", "rod"])
    pin: {type: revolute, between: [ground, rod]}
    >>> model.check().freedoms
    1
    """

    bodies: Section
    joints: Section
    forces: Section
    couplings: Section
    drives: Section
    sensors: Section
    states: Section
    tables: Section
    assemblies: Section
    instances: Section

    def __init__(
        self,
        space: str = "spatial",
        name: Optional[str] = None,
        gravity: Optional[Sequence[float]] = None,
        parameters: Optional[Mapping[str, Any]] = None,
    ) -> None:
        if space not in ("planar", "spatial"):
            raise ValueError(f"space is '{space}'; give 'planar' or 'spatial'")
        tree: Dict[str, Any] = {"trammel": 1, "name": name or "model", "space": space}
        if gravity is not None:
            tree["gravity"] = yaml_text.plain(gravity)
        if parameters:
            tree["parameters"] = yaml_text.plain(dict(parameters))
        # Whoever writes the program names the files: they may lie anywhere.
        self._start(tree, None, "model", True)

    def _start(self, tree: Optional[Dict[str, Any]], text: Optional[str], path: str, outside: bool) -> None:
        self.__dict__.update(_kept=tree, _original=None, _text=text, _path=path, _outside=outside)
        self.__dict__["functions"] = Functions()

    @classmethod
    def _from_text(cls, text: str, path: str, allow_outside: bool = False) -> "Model":
        model = cls.__new__(cls)
        model._start(None, text, path, allow_outside)
        return model

    # ---- the tree

    @property
    def _tree(self) -> Dict[str, Any]:
        # Parsed when somebody looks into it: models that are only run need no tree.
        if self._kept is None:
            tree = _core.parse(self._text, self._path, self._outside)
            self.__dict__["_kept"] = tree if isinstance(tree, dict) else {}
            self.__dict__["_original"] = copy.deepcopy(self._kept)
        return self._kept

    def _is_as_read(self) -> bool:
        return self._text is not None and (self._kept is None or self._kept == self._original)

    def __getattr__(self, key: str) -> Any:
        if key in _SECTIONS:
            return Section(self, key)
        if key in _VALUES:
            return self._tree.get(key)
        if key == "parameters":
            return self._tree.setdefault(key, {})
        if key in ("simulation", "ground"):
            return Item(self._tree.setdefault(key, {}), key, "model", self.space or "spatial")
        if key.startswith("_"):
            raise AttributeError(key)
        known = [*_SECTIONS, *_VALUES, "parameters", "simulation", "ground", "functions"]
        raise AttributeError(f"a model has no '{key}'; {_core.suggestion(key, known)}")

    def __setattr__(self, key: str, value: Any) -> None:
        if key == "functions":
            functions = Functions()
            functions.update(value)
            self.__dict__["functions"] = functions
            return
        known = [row[0] for row in _key_rows("model", self.space or "spatial", "")]
        if key not in known:
            raise AttributeError(f"a model has no '{key}'; {_core.suggestion(key, known)}")
        if value is None:
            self._tree.pop(key, None)
        elif isinstance(value, Section):
            self._tree[key] = copy.deepcopy(value._items)
        else:
            self._tree[key] = yaml_text.plain(value)

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *_SECTIONS, *_VALUES, "parameters", "simulation", "ground"})

    # ---- text

    def to_yaml(self) -> str:
        """The model file. One that was loaded and not changed keeps its comments. Functions are Python code
        and do not go with it."""
        if self._is_as_read():
            return self._text
        return _core.format(yaml_text.text(yaml_text.plain(self._tree)), self._path)

    def save(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> None:
        """Writes the model file; `overwrite` replaces a model that exists, and never anything else, nor a file
        that this one includes. Warns if formulas call functions, which the file cannot hold."""
        if self.functions:
            names = ", ".join(self.functions)
            warnings.warn(f"'{os.fspath(path)}' will not hold the functions {names}; only Python can run it",
                          stacklevel=2)
        text = self.to_yaml()
        inputs = [name for each in {text, self._text or ""} for name in _core.included_files(each, self._path)]
        _core.write_model(os.fspath(path), text, overwrite, inputs)

    # ---- copies

    def copy(self) -> "Model":
        """A model of its own; functions are shared."""
        other = Model._from_text(self._text, self._path) if self._text is not None else Model()
        other.__setstate__(self.__getstate__())
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Model":
        return self.copy()

    def __getstate__(self) -> Dict[str, Any]:
        state = {key: copy.deepcopy(self.__dict__[key]) for key in ("_kept", "_original", "_text", "_path", "_outside")}
        return {**state, "functions": dict(self.functions)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        functions = Functions()
        functions.update(state["functions"])
        self.__dict__.update({"_outside": False, **state})
        self.__dict__["functions"] = functions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self._tree == other._tree and dict(self.functions) == dict(other.functions)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = [f"{len(Section(self, key))} {key}" for key in _SECTIONS if self._tree.get(key)]
        return f"<model '{self.name or Path(self._path).stem}', {self.space}: {', '.join(counts) or 'empty'}>"

    # ---- computing

    def _read(self, overrides: Sequence[Tuple[str, str]] = ()) -> Tuple[Any, str]:
        """The checked model and its text."""
        text = self._text if self._is_as_read() else yaml_text.text(yaml_text.plain(self._tree))
        return _core.read(text, self._path, list(overrides), self._outside), text

    @contextlib.contextmanager
    def _places(self) -> Iterator[None]:
        """Mistakes are told with lines of the file only as long as the model is what the file says."""
        try:
            yield
        except InputError as error:
            if self._is_as_read():
                raise
            told = [each.without_place() if each.file == self._path else each for each in error.diagnostics]
            raise InputError("\n".join(map(str, told)), told) from None

    def start(self, *, inputs: Any = (), step: Any = None, method: Optional[str] = None,
              coordinates: Optional[str] = None, **settings: Any) -> Any:
        """Assembles the model and gives a `Simulation` that stands at its start, to be taken step by step.

        inputs       names of parameters that become inputs, or a map from names to first values: formulas see
                     what `set_input` set last. States with `rate: 0` are inputs, too
        step         s, or a text such as "1 ms"
        method, **settings, coordinates   as in `simulate`

        >>> import trammel as tr
        >>> model = tr.Model(space="planar", parameters={"torque": "0 N m"})
        >>> _ = model.bodies.add("bar", mass=1, inertia=0.1)
        >>> _ = model.joints.add("pin", type="revolute", between=["ground", "bar"])
        >>> _ = model.forces.add("motor", type="actuator", coordinate="pin.angle", formula="torque")
        >>> sim = model.start(inputs=["torque"], step=0.01, method="rk4")
        >>> sim.set_input("torque", 0.5)
        >>> sim.advance(1.0)
        >>> round(sim.observe()["pin.angle_rate"], 9)  # torque/inertia
        5.0
        """
        from .stepping import start

        return start(self, inputs=inputs, step=step, method=method, coordinates=coordinates, **settings)

    def view(self, port: int = 0, height: int = 560) -> LiveView:
        """Runs the model while one looks at it: in a notebook the view shows itself, elsewhere `view.address` is for
        a browser on this machine. Sliders change parameters, bodies can be dragged, and a model that was loaded from a
        file begins anew when the file is saved. `port` 0 is any that is free; `height` is that in the notebook, pixels.
        """
        if self.functions:
            raise InputError("error: functions: a model that calls functions of Python cannot be viewed live; "
                             "simulate it and show the run", [])
        with self._places():
            _, text = self._read()
            return live_view(text, self._path, not self._is_as_read(), self._outside, port, height)

    def equations(self) -> Equations:
        """The equations of motion of a small model as formulas, in the coordinates of its hinges. In a notebook they
        are typeset; `print` shows them as text, `latex` is for papers.

        Raises InputError for models that are not written as formulas, with the reason.

        >>> import trammel as tr
        >>> model = tr.Model(space="planar", gravity=[0, -10])
        >>> _ = model.bodies.add("rod", shape={"rod": {"length": 1, "mass": 3}, "position": [0.5, 0]})
        >>> _ = model.joints.add("pin", type="revolute", between=["ground", "rod"])
        >>> print(model.equations())
        coordinates
          q1 = pin.angle [rad]
        <BLANKLINE>
        equations of motion
          q1'' + 15 cos(q1) = 0
        """
        with self._places():
            handle, _ = self._read()
            return Equations(*_core.equations(handle, 100))

    def check(self) -> Check:
        """Checks and assembles the model.

        Raises InputError with every mistake, and RunError if it cannot be assembled.
        """
        with self._places():
            handle, _ = self._read()
            found, ending = _core.assemble(handle, self.functions._entries(), in_main_thread())
        raise_ending(ending, None)
        return Check(found, [*handle.warnings, *found["warnings"]])


def in_main_thread() -> bool:
    """Signals are told to the main thread only."""
    return threading.current_thread() is threading.main_thread()


def raise_ending(ending: Dict[str, Any], run: Any) -> None:
    """Raises what ended a computation early, with its results."""
    if ending["interrupt"] is not None:
        ending["interrupt"].run = run
        raise ending["interrupt"]
    if ending["callback"] is not None:
        name, call, time, exception = ending["callback"]
        if isinstance(exception, Exception):
            error: BaseException = CallbackError(name, call, time, f"{type(exception).__name__}: {exception}")
            error.__cause__ = exception
        else:  # Ctrl-C while Python code ran
            error = exception
        error.run = run  # type: ignore[attr-defined]
        raise error
    if ending["error"] is not None:
        failure = RunError(*ending["error"])
        failure.run = run
        raise failure


def load(path: Union[str, "os.PathLike[str]"], *, allow_outside: bool = False) -> Model:
    """The model of a file (YAML or JSON). Mistakes are told when the model is checked or run.

    Files that it includes or takes meshes and tables from must lie below its folder, unless `allow_outside`.

    >>> import trammel as tr
    >>> model = tr.load("examples/slider_crank/slider_crank.yaml")
    >>> model.bodies["slider"].mass = 2.0
    >>> model
    <model 'slider-crank', planar: 3 bodies, 4 joints>
    """
    name = os.fspath(path)
    # What Python says about files that cannot be opened. Nobody is waited for who writes into a pipe.
    descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    finally:
        os.close(descriptor)
    return Model._from_text(_core.read_text(name), name, allow_outside)


def loads(text: str, name: str = "model", *, allow_outside: bool = False) -> Model:
    """The model of a text in the notation of the model file; `name` stands for the path in messages, and files
    that the model reads lie below the folder of that path, unless `allow_outside`."""
    return Model._from_text(text, name, allow_outside)
