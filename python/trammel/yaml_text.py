"""A tree of dicts, lists, numbers and texts as the text of a model file."""

from __future__ import annotations

import json
import re
from typing import Any, Iterator

_PLAIN = re.compile(r"[A-Za-z0-9_.(-][\w .()*/^+-]*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~", ""}
_WIDTH = 96


def plain(value: Any) -> Any:
    """The value with NumPy arrays, tuples and other mappings as lists, dicts and plain numbers."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    if hasattr(value, "_tree"):  # items of a model
        return plain(dict(value._tree))
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a model holds numbers, texts, lists and dicts, not {value!r}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def scalar(value: Any) -> str:
    """A number or text as it stands in a file."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    safe = _PLAIN.fullmatch(value) and value.lower() not in _WORDS and not _is_number(value)
    if safe and value == value.strip() and not value.startswith("- "):
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any) -> str:
    """The value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def _lines(value: Any, indent: str, depth: int) -> Iterator[str]:
    for key, each in value.items():
        head = f"{indent}{scalar(key)}:"
        line = f"{head} {flow(each)}"
        # Sections are blocks; what lies in them is one line where that is short.
        block = isinstance(each, dict) and each and (depth == 0 or len(line) > _WIDTH)
        if not block:
            yield line
            continue
        if depth == 0:
            yield ""
        yield head
        yield from _lines(each, indent + "  ", depth + 1)


def text(tree: dict) -> str:
    """The whole file."""
    return "\n".join(_lines(tree, "", 0)) + "\n"
