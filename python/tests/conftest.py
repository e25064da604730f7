"""What the tests share. Paths are relative to the repository, from where the tests are run."""

import os
from pathlib import Path

import matplotlib
import pytest

import trammel as tr

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def cli():
    """The command line of the same build."""
    program = os.environ.get("TRAMMEL_CLI", "")
    if not program:
        pytest.skip("TRAMMEL_CLI does not name the program trammel")
    return program


@pytest.fixture
def arm():
    """A bar of 1 kg on a pin, 0.5 m long, horizontal at the start."""
    model = tr.Model(space="planar", name="arm", gravity=[0, -9.81])
    model.bodies.add("bar", shape={"rod": {"length": 0.5, "mass": 1.0}, "position": [0.25, 0]})
    model.joints.add("pin", type="revolute", between=["ground", "bar"])
    model.simulation.until = 0.5
    model.simulation.step = 0.001
    return model
