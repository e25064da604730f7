"""What the documents show runs: docstrings, the reference page and the notebook."""

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

NOTEBOOK = Path("docs/tutorials/python.ipynb")
MODULES = ["trammel", "trammel.comparison", "trammel.computing", "trammel.driven", "trammel.equations",
           "trammel.equilibrium", "trammel.errors", "trammel.functions", "trammel.integrators", "trammel.live", "trammel.model", "trammel.posing", "trammel.progress", "trammel.run",
           "trammel.simulation", "trammel.stepping", "trammel.vocabulary", "trammel.yaml_text"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_docstrings_have_examples():
    found = [test for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name))
             if test.examples]
    assert len(found) >= 15


def test_everything_public_has_a_docstring():
    import trammel as tr

    missing = [name for name in tr.__all__ if not (getattr(tr, name).__doc__ or "").strip()]
    assert missing == []


def test_reference_page(tmp_path, monkeypatch):
    """The Python blocks of docs/python.md, one after the other."""
    blocks = re.findall(r"```python\n(.*?)```", Path("docs/python.md").read_text(), re.DOTALL)
    assert len(blocks) >= 5
    names: dict = {}
    for block in blocks:
        exec(compile(block.replace("OUT/", f"{tmp_path}/"), "docs/python.md", "exec"), names)


def code_cells():
    notebook = json.loads(NOTEBOOK.read_text())
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def texts_of(cell):
    """What a cell prints and shows as text, without numbers, which may differ in their last digits."""
    parts = []
    for output in cell.get("outputs", ()):
        if output.get("name") == "stderr":  # bars of progress, where a machine is slow
            continue
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        parts.append(re.sub(r"[-+]?[\d.]+(e[-+]?\d+)?|0x[0-9a-f]+", "#", "".join(text)))
    return re.sub(r"\s+", " ", " ".join(parts))


def test_notebook_is_kept_with_its_outputs():
    """tools/renew_notebook writes them; pages that run are left out, so that the file stays small."""
    text = NOTEBOOK.read_text()
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert sum(1 for cell in cells if cell["outputs"]) >= len(cells) / 2
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell["outputs"])
    assert len(text) < 1_000_000 and "<iframe" not in text


def test_notebook(tmp_path, monkeypatch):
    """In a real kernel where there is one, else cell by cell."""
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError:
        names: dict = {}
        for cell in code_cells():
            exec(compile(cell, str(NOTEBOOK), "exec"), names)
        return
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": str(Path.cwd())}}).execute()
    kept = json.loads(NOTEBOOK.read_text())["cells"]
    for before, now in zip(kept, notebook.cells):
        if before["cell_type"] == "code" and "view" not in "".join(before["source"]):
            assert texts_of(before) == texts_of(now), "run tools/renew_notebook"
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())
             if "text/html" in output.get("data", {})]
    assert any("<iframe" in output["data"]["text/html"] for output in shown)
