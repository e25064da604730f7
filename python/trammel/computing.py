"""What all computations share: the model with the values of the arguments, and what is to be recorded."""

from __future__ import annotations

import datetime
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core, yaml_text
from .errors import Diagnostic, InputError
from .model import Model, in_main_thread, load

AnyPath = Union[str, "os.PathLike[str]"]
AnyModel = Union[Model, AnyPath]
Time = Union[float, str]  #: s, or a text such as "10 ms"
Names = Union[str, Sequence[str]]

_KEYS = {"method": "simulation.integrator"}  #: of arguments whose keys have another name


def names_of(given: Names) -> List[str]:
    """One name or several."""
    return [given] if isinstance(given, str) else list(given)


def wrong_argument(argument: str, message: str, remedy: str) -> InputError:
    """The error about the value of an argument."""
    text = f"error: {argument}: {message}; {remedy}"
    return InputError(text, [Diagnostic("error", argument, message, remedy, text=text)])


def seconds(argument: str, time: Time) -> float:
    """A time in s, from a number or a text such as "4 ms"; it must be above zero."""
    value, unit = _core.quantity(time) if isinstance(time, str) else (float(time), "s")
    if unit not in ("s", "") or not value > 0.0:
        raise wrong_argument(argument, f"'{time}' is no time above zero", "give e.g. 0.004 or '4 ms'")
    return value


def limit_of(time_limit: Optional[Time]) -> float:
    """The time limit of a computation in s; 0: none."""
    return 0.0 if time_limit is None else seconds("time_limit", time_limit)


def check_choice(argument: str, value: str, known: Sequence[str]) -> None:
    """Raises InputError for a word that is none of the known ones."""
    if value not in known:
        raise wrong_argument(argument, f"'{value}' is not known", f"give one of {', '.join(known)}")


def _overrides(given: Sequence[Tuple[str, str, Any]]) -> List[Tuple[str, str, str]]:
    """Argument, key of the model file and text of every value that was given."""
    return [(argument, key, yaml_text.flow(yaml_text.plain(value)))
            for argument, key, value in given if value is not None]


def _named_as_given(error: InputError, overrides: Sequence[Tuple[str, str, str]]) -> InputError:
    """Messages about values from the arguments name the argument."""
    diagnostics = []
    for each in error.diagnostics:
        for argument, key, text in overrides:
            if each.file == f"--set {key}={text}":
                tail = f"{each.message}; {each.remedy}" if each.remedy else each.message
                each = Diagnostic(each.severity, argument, each.message, each.remedy,
                                  text=f"{each.severity}: {argument}={text}: {tail}")
        diagnostics.append(each)
    return InputError("\n".join(map(str, diagnostics)), diagnostics)


class Prepared:
    """A checked model with the values of the arguments, ready for a computation."""

    def __init__(self, model: Model, command: str, overrides: Sequence[Tuple[str, str, str]]) -> None:
        self.model = model
        self.command = command  #: of the command line, that does the same
        self.overrides = overrides
        try:
            with model._places():
                self.handle, self.text = model._read([(key, value) for _, key, value in overrides])
        except InputError as error:
            raise _named_as_given(error, overrides) from None
        self.functions = model.functions._entries()

    def request(self, output: Optional[AnyPath] = None, channels: Names = (), overwrite: bool = False,
                time_limit: Optional[Time] = None) -> Any:
        """What is to be recorded, and what the record says about its origin."""
        request = _core.Request()
        request.channels = names_of(channels)
        request.output = os.fspath(output) if output is not None else ""
        request.overwrite = overwrite
        request.main_thread = in_main_thread()
        request.time_limit = limit_of(time_limit)
        request.text = self.text
        request.started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        request.more = self._origin()
        return request

    def _origin(self) -> Dict[str, str]:
        model, assignments = self.model, [f"{key}={value}" for _, key, value in self.overrides]
        more = {"started_from": "Python"}
        if assignments:
            more["set"] = "\n".join(assignments)
        if model.functions:
            more["functions"] = ", ".join(model.functions)
        if model._is_as_read() and os.path.exists(model._path):
            more["model_file"] = model._path
            if self.command and not model.functions:
                more["command"] = _core.command(self.command, model._path, assignments)
        return more


def prepare(model: AnyModel, command: str = "", settings: Mapping[str, Any] = {}) -> Prepared:
    """The model with settings of its simulation; those that are None stay as in the model. `command` is empty
    where no command line does the same."""
    if not isinstance(model, Model):
        model = load(model)
    given = [(name, _KEYS.get(name, f"simulation.{name}"), value) for name, value in settings.items()]
    return Prepared(model, command, _overrides(given))
