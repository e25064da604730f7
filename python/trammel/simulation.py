"""Running models."""

from __future__ import annotations

import datetime
import os
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from . import _core, yaml_text
from .errors import Diagnostic, InputError
from .model import Model, in_main_thread, load, raise_ending
from .progress import ProgressBar, ProgressFunction, chosen
from .run import Run

Time = Union[float, str]


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


def simulate(
    model: Union[Model, str, "os.PathLike[str]"],
    until: Optional[Time] = None,
    step: Optional[Time] = None,
    method: Optional[str] = None,
    output: Union[str, "os.PathLike[str]", None] = None,
    *,
    output_step: Optional[Time] = None,
    solver: Optional[str] = None,
    channels: Union[str, Sequence[str]] = (),
    progress: Union[bool, None, ProgressFunction] = None,
    callback: Optional[Callable[[Any], Optional[bool]]] = None,
    overwrite: bool = False,
    **settings: Any,
) -> Run:
    """Assembles the model and simulates it.

    until, step, output_step  in s, or texts such as "10 ms"; what is not given is as in the model
    method, **settings        the integrator and its settings, e.g. method="hht", spectral_radius=0.8
    solver                    the linear solver
    output                    also write the results to this file (.h5 or .csv); `overwrite` replaces one
    channels                  record only these, e.g. ["rod.*", "energy.*"]
    progress                  True: a bar; None: a bar where somebody may be watching; or a function, called
                              with time, end, steps and seconds
    callback                  called with a sample at every output time (`sample.time`,
                              `sample["rod.angle"]`); the run stops when it returns True

    Other threads of Python go on meanwhile. Ctrl-C stops the run after its present step and raises
    KeyboardInterrupt; what was computed until then is in its attribute `run` (at the prompt:
    `sys.last_value.run`), and in the file. So it is with RunError and CallbackError.

    >>> import trammel as tr
    >>> model = tr.load("examples/slider_crank/slider_crank.yaml")
    >>> run = tr.simulate(model, until=0.2, method="generalized-alpha", spectral_radius=0.8)
    >>> run.time[-1], run["slider.position.x"].shape
    (0.2, (41,))
    """
    if not isinstance(model, Model):
        model = load(model)
    given = [("until", until), ("step", step), ("output_step", output_step), ("solver", solver)]
    overrides = _overrides([(name, f"simulation.{name}", value) for name, value in given]
                           + [("method", "simulation.integrator", method)]
                           + [(name, f"simulation.{name}", value) for name, value in settings.items()])
    try:
        with model._places():
            handle, text = model._read([(key, value) for _, key, value in overrides])
    except InputError as error:
        raise _named_as_given(error, overrides) from None
    request = _core.Request()
    request.channels = [channels] if isinstance(channels, str) else list(channels)
    request.output = os.fspath(output) if output is not None else ""
    request.overwrite = overwrite
    request.main_thread = in_main_thread()
    request.text = text
    request.started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    request.more = _origin(model, overrides)
    show = chosen(progress)
    try:
        with model._places():
            results, ending = _core.simulate(handle, model.functions._entries(), show, callback, request)
    finally:
        if isinstance(show, ProgressBar):
            show.close()
    run = Run(results)
    raise_ending(ending, run)
    return run


def _origin(model: Model, overrides: Sequence[Tuple[str, str, str]]) -> dict:
    """Where a run comes from, for its record."""
    more = {"started_from": "Python"}
    if overrides:
        more["set"] = "\n".join(f"{key}={value}" for _, key, value in overrides)
    if model.functions:
        more["functions"] = ", ".join(model.functions)
    if model._is_as_read() and os.path.exists(model._path):
        more["model_file"] = model._path
        if not model.functions:
            more["command"] = _core.command(model._path, [f"{key}={value}" for _, key, value in overrides])
    return more
