"""Models that run while somebody looks at them."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

from . import _core

_FRAME = ('<iframe src="{}" style="width: 100%; height: {}px; border: 1px solid #8884; border-radius: 6px" '
          'title="a model that runs"></iframe>')


class LiveView:
    """A model that runs while one looks at it, as `Model.view` gives it. In a notebook it shows itself, with sliders
    for parameters, pause, step and restart, and bodies that can be dragged; elsewhere open `address` in a browser.

    It runs on this machine, for this machine alone, until `close()` or the end of Python.
    """

    def __init__(self, path: str, allow_outside: bool, port: int, height: int,
                 folder: "Optional[tempfile.TemporaryDirectory[str]]" = None) -> None:
        self._core: Any = _core.LiveView(path, allow_outside, port)
        self._folder = folder
        self._height = height
        #: The file that runs; whoever saves it restarts the model.
        self.path = path
        #: For a browser on this machine.
        self.address: str = self._core.address

    @property
    def running(self) -> bool:
        """Whether it can still be looked at."""
        return self._core.running

    def close(self) -> None:
        """Ends it."""
        self._core.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> "LiveView":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        if not self.running:
            return "<p>This view was closed.</p>"
        return _FRAME.format(self.address, self._height)

    def __repr__(self) -> str:
        return f"<live view of '{os.path.basename(self.path)}' at {self.address}>"


def live_view(text: str, path: str, changed: bool, allow_outside: bool, port: int, height: int) -> LiveView:
    """Of a file, or of a text that lies nowhere."""
    if path and not changed:
        return LiveView(path, allow_outside, port, height)
    folder = tempfile.TemporaryDirectory(prefix="trammel-view-")
    copy = os.path.join(folder.name, os.path.basename(path) or "model.yaml")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text)
    return LiveView(copy, allow_outside, port, height, folder)
