"""Python functions that formulas of a model may call: force laws, controls, constraints."""

from __future__ import annotations

import inspect
from typing import Callable, MutableMapping, Optional, Sequence, Tuple


class Function:
    """A Python function for formulas, with what Trammel should know about it.

    function     takes floats, in SI units, and returns a float. The same arguments must give the same value:
                 steps are repeated and refined.
    derivatives  returns the derivative by each argument (with `outputs`: one row for each output). Without it
                 they are found by differences, at the cost of two more calls for each argument.
    outputs      names for several results: with outputs=("x", "y") the function `wind` returns two numbers,
                 and formulas call `wind.x(...)` and `wind.y(...)`; it is run once for both.
    """

    def __init__(
        self,
        function: Callable[..., object],
        derivatives: Optional[Callable[..., object]] = None,
        outputs: Sequence[str] = (),
    ) -> None:
        for each in filter(None, (function, derivatives)):
            if not callable(each):
                raise TypeError(f"a function is wanted, not {each!r}")
        self.function = function
        self.derivatives = derivatives
        self.outputs = tuple(outputs)

    def __call__(self, *arguments: float) -> object:
        return self.function(*arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Function({getattr(self.function, '__name__', self.function)!s})"

    def argument_count(self) -> Optional[int]:
        """How many arguments it takes; None if any number or unknown."""
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):
            return None
        plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        if any(each.kind not in plain or each.default is not each.empty for each in parameters):
            return None
        return len(parameters)

    def _entry(self, name: str) -> Tuple[object, ...]:
        return name, self.function, self.derivatives, self.argument_count(), list(self.outputs)


class Functions(MutableMapping[str, Function]):
    """The functions of a model by name. A plain Python function may be assigned.

    >>> import trammel as tr
    >>> model = tr.Model(space="planar")
    >>> model.functions["drag"] = lambda v: -0.1 * v * abs(v)
    >>> model.functions["drag"](2.0)
    -0.4
    """

    def __init__(self) -> None:
        self._functions: dict = {}

    def __getitem__(self, name: str) -> Function:
        return self._functions[name]

    def __setitem__(self, name: str, function: Callable[..., object]) -> None:
        self._functions[name] = function if isinstance(function, Function) else Function(function)

    def __delitem__(self, name: str) -> None:
        del self._functions[name]

    def __iter__(self):
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return f"<functions: {', '.join(self) or 'none'}>"

    def _entries(self) -> list:
        return [function._entry(name) for name, function in self._functions.items()]
