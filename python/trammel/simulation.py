"""Running models."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from . import _core
from .computing import AnyModel, AnyPath, Time, prepare
from .model import raise_ending
from .progress import ProgressBar, ProgressFunction, chosen
from .run import Run


def simulate(
    model: AnyModel,
    until: Optional[Time] = None,
    step: Optional[Time] = None,
    method: Optional[str] = None,
    output: Optional[AnyPath] = None,
    *,
    output_step: Optional[Time] = None,
    tolerance: Optional[float] = None,
    solver: Optional[str] = None,
    channels: Union[str, Sequence[str]] = (),
    progress: Union[bool, None, ProgressFunction] = None,
    callback: Optional[Callable[[Any], Optional[bool]]] = None,
    overwrite: bool = False,
    time_limit: Optional[Time] = None,
    estimate: Optional[bool] = None,
    certify: bool = False,
    **settings: Any,
) -> Run:
    """Assembles the model and simulates it.

    until, step, output_step  in s, or texts such as "10 ms"; what is not given is as in the model
    method, **settings        the integrator and its settings, e.g. method="hht", spectral_radius=0.8
    tolerance                 error that is allowed, e.g. 1e-6: the method chooses its own steps; without
                              `method`, here and in the model, one is chosen
    solver                    the linear solver
    output                    also write the results to this file (.h5 or .csv); `overwrite` replaces one
    channels                  record only these, e.g. ["rod.*", "energy.*"]
    progress                  True: a bar; None: a bar where somebody may be watching; or a function, called
                              with time, end, steps and seconds
    estimate                  make a second, less accurate run to estimate the error; None: where that is cheap
                              and the model calls no functions of Python
    certify                   run coarser and finer besides: a band of errors, `run["rod.angle.band"]`, for every
                              channel, and what can be claimed of all of them in `run.certificate`
    callback                  called with a sample at every output time (`sample.time`,
                              `sample["rod.angle"]`); the run stops when it returns True. Samples may be kept

    time_limit                the run stops after this time, in s or a text such as "10 min"; what was computed
                              until then is returned, with the outcome "stopped"

    Other threads of Python go on meanwhile. Ctrl-C stops the run after its present step and raises
    KeyboardInterrupt; what was computed until then is in its attribute `run` (at the prompt:
    `sys.last_value.run`), and in the file. So it is with RunError and CallbackError.

    >>> import trammel as tr
    >>> model = tr.load("examples/slider_crank/slider_crank.yaml")
    >>> run = tr.simulate(model, until=0.2, method="generalized-alpha", spectral_radius=0.8)
    >>> run.time[-1], run["slider.position.x"].shape
    (0.2, (41,))
    """
    job = prepare(model, "run", {"until": until, "step": step, "output_step": output_step,
                                 "tolerance": tolerance, "solver": solver, "method": method, **settings})
    request = job.request(output, channels, overwrite, time_limit)
    second = _core.SecondRun
    if estimate is None:
        request.second_run = second.never if job.functions else second.when_cheap
    else:
        request.second_run = second.always if estimate else second.never
    if certify and job.functions:
        raise ValueError("runs of models that call functions of Python go one after the other: certify is not possible")
    request.certify = certify
    show = chosen(progress)
    try:
        with job.model._places():
            results, ending = _core.simulate(job.handle, job.functions, show, callback, request)
    finally:
        if isinstance(show, ProgressBar):
            show.close()
    run = Run(results)
    raise_ending(ending, run)
    return run
