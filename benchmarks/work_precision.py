#!/usr/bin/python3
"""Draws docs/pictures/work_precision.svg from runs of `trammel compare`.

    benchmarks/work_precision.py build/release/bin/trammel [FOLDER]   # FOLDER keeps the runs

Error of positions over processor time of the steps: methods that choose their steps at seven tolerances, others at four steps.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 (after the choice of what draws)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PICTURE = ROOT / "docs/pictures/work_precision.svg"
METHODS = "dormand-prince,adams,bdf,radau,generalized-alpha,mpr-mpa,rk4,state-space-newmark"
TOLERANCES = "1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8"
# Models and steps.
CASES = {
    "Andrews' squeezing mechanism": ("tests/data/trials/squeezer.yaml", "80 us, 40 us, 20 us, 10 us"),
    "slider-crank": ("examples/slider_crank/slider_crank.yaml", "4 ms, 2 ms, 1 ms, 0.5 ms"),
    "three four-bars": ("benchmarks/work_precision/four_bars.yaml", "4 ms, 2 ms, 1 ms, 0.5 ms"),
    "double pendulum on stiff bushings": ("benchmarks/work_precision/bushings.yaml", "1 ms, 0.5 ms, 0.25 ms, 0.125 ms"),
}


def compare(trammel, model, steps, stem):
    """Time and error of every run that came to its end, by method."""
    subprocess.run([trammel, "compare", ROOT / model, "-m", METHODS, "--index", "2", "--stabilisation", "projection",
                    "--step", steps, "--tolerance", TOLERANCES, "--force", "--quiet", "--threads", "1", "-o", stem],
                   check=True)
    runs = {}
    with open(f"{stem}.compare.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["position_error"]:
                method = row["method"].split(",")[0]
                runs.setdefault(method, []).append((float(row["time_s"]), float(row["position_error"])))
    return runs


def draw(panels):
    pyplot.rcParams.update({"svg.hashsalt": "trammel", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7.5), layout="constrained")
    for axis, (name, runs) in zip(axes.flat, panels.items()):
        for method, points in runs.items():
            chooses = method in ("dormand-prince", "adams", "bdf", "radau")
            axis.loglog(*zip(*(((1e3 * time, error) for time, error in points))), marker="o", markersize=3.5,
                        linewidth=1.6 if chooses else 1.0, linestyle="-" if chooses else "--", label=method)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("processor time of the steps, ms")
        axis.set_ylabel("error of positions, model sizes or rad")
        axis.grid(alpha=0.3)
    axes.flat[3].legend(fontsize=7, loc="lower center")
    figure.savefig(PICTURE, metadata={"Date": None})


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else scratch)
        folder.mkdir(parents=True, exist_ok=True)
        draw({name: compare(sys.argv[1], model, steps, folder / Path(model).stem) for name, (model, steps) in CASES.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
