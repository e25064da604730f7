#!/usr/bin/python3
"""Draws shapes.svg: the strips of cantilever.yaml and roll_up.yaml at rest under growing loads, from runs.

    examples/flexible/draw.py build/release/bin/trammel
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "docs" / "pictures"))
from drawing import FIRST, GREY, INK, SECOND, Picture  # noqa: E402

ELEMENTS = 32


def line_at_rest(trammel, model, setting):
    """Points of the nodes."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "rest.csv"
        subprocess.run([trammel, "statics", HERE / model, "--set", f"elements={ELEMENTS}", "--set", setting, "--output",
                        results, "--no-report", "--quiet"], check=True)
        with open(results, encoding="utf-8") as file:
            names, values = list(csv.reader(row for row in file if not row.startswith("#")))[:2]
    row = dict(zip(names, values))
    nodes = ["start", *(f"node_{k}" for k in range(1, ELEMENTS)), "tip"]
    return [tuple(float(row[f"beam.{node}.position.{axis}"]) for axis in "xy") for node in nodes]


def main():
    trammel = Path(sys.argv[1]).resolve()
    picture = Picture(640, 300, "shapes: A strip of steel at rest under loads at its tip and under couples")
    for origin, model, settings, color in (
            ((40, 60), "cantilever.yaml", [f"load={load} N" for load in (0, 1, 2, 4, 7, 10)], FIRST),
            ((400, 250), "roll_up.yaml", [f"turns={turns}" for turns in (0, 0.1, 0.25, 0.5, 0.75, 1)], SECOND)):
        for i, setting in enumerate(settings):
            points = [(origin[0] + 210 * x, origin[1] - 210 * y) for x, y in line_at_rest(trammel, model, setting)]
            picture.path(points, color if i > 0 else GREY, 2.4 if i > 0 else 1.2, dash=None if i > 0 else "4 4")
        picture.line((origin[0], origin[1] - 16), (origin[0], origin[1] + 16), INK, 3)
    picture.text((145, 284), "P L²/(E I) = 1, 2, 4, 7, 10", FIRST, 14)
    picture.text((460, 284), "M L/(2π E I) = 0.1, 0.25, 0.5, 0.75, 1", SECOND, 14)
    picture.write(HERE)


if __name__ == "__main__":
    main()
