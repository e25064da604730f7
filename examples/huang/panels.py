#!/usr/bin/python3
"""Draws the panels that [Huang2014, ch. 4] has of every run, for the three algorithms side by side (needs matplotlib).

    examples/huang/panels.py build/release/bin/trammel                                     # double pendulum, index 3
    examples/huang/panels.py build/release/bin/trammel --model single_pendulum --index 2 --stabilisation projection -o p.png

Panels (a) to (i): y position, velocity and acceleration of the last mass, multipliers of the first hinge, total energy, its change,
trajectory, errors against the exact motion for steps of 20 ms / 2^k (the order is their slope), constraint residuals.
"""

import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import EXACT_DOUBLE, EXACT_SINGLE, HERE, METHODS

MODELS = {"single_pendulum": (1, EXACT_SINGLE, 2), "double_pendulum": (2, EXACT_DOUBLE, 1)}  # links, exact motion, time
STEPS = [0.02 / 2**k for k in range(5)]


def run(trammel, options, method, step, until, folder):
    """Columns by channel, and whether the run reached its end."""
    results = Path(folder) / f"{method}_{step}.csv"
    done = subprocess.run(
        [trammel, "run", HERE / f"{options.model}.yaml", "--method", method, "--step", f"{step} s", "--output-step", f"{step} s",
         "--until", f"{until} s", "-s", f"simulation.index={options.index}", "-s", f"simulation.stabilisation={options.stabilisation}",
         *(("-s", "simulation.start=plain") if options.index == "3" else ()),  # the others have none
         "--output", results, "--force", "--no-report", "--no-estimate", "--quiet"], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    with open(results, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}, done.returncode == 0


def errors(columns, links, exact):
    """Of angles, rates and multipliers at the last time, in the largest norm."""
    def last(name):
        return columns[name][-1]
    found = [[last(f"link{i}.angle") + math.pi / 2 for i in range(1, links + 1)],
             [last(f"link{i}.angular_velocity") for i in range(1, links + 1)],
             [-last(f"hinge{i}.reaction.force.{axis}") for i in range(1, links + 1) for axis in "xy"]]
    known = [exact[:links], exact[links:2 * links], exact[-2 * links:]]
    return [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(found, known)]


def draw(axes, columns, links, label, colour):
    time, tip = columns["time"], f"link{links}"
    energy = columns["energy.total"]
    over_time = (
        ("(a) y position, m", columns[f"{tip}.position.y"]), ("(b) y velocity, m/s", columns[f"{tip}.velocity.y"]),
        ("(c) y acceleration, m/s²", columns[f"{tip}.acceleration.y"]),
        ("(d) multiplier of hinge 1 in y, N", [-f for f in columns["hinge1.reaction.force.y"]]),
        ("(e) total energy, J", energy), ("(f) energy change, J", [e - energy[0] for e in energy]))
    for ax, (title, values) in zip(axes, over_time):
        ax.plot(time, values, color=colour, linewidth=0.8, label=label)
        ax.set_title(title)
    axes[6].plot(columns[f"{tip}.position.x"], columns[f"{tip}.position.y"], color=colour, linewidth=0.6)
    axes[6].set_title("(g) trajectory, m")
    for level, style in (("position", "-"), ("velocity", "--"), ("acceleration", ":")):
        axes[8].semilogy(time, [max(e, 1e-17) for e in columns[f"error.{level}"]], style, color=colour, linewidth=0.7)
    axes[8].set_title("(i) constraints: position –, velocity --, acceleration ··")


def orders(trammel, options, method, folder):
    """Errors by quantity for all steps, and their slopes over the last halving."""
    links, exact, at = MODELS[options.model]
    found = [errors(run(trammel, options, method, step, at, folder)[0], links, exact[at]) for step in STEPS]
    by_quantity = list(zip(*found))
    return by_quantity, [math.log2(values[-2] / values[-1]) for values in by_quantity]


def check(options):
    """Whether angles and rates are of second order by every algorithm."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for method, name in METHODS.items():
            slopes = orders(options.trammel, options, method, folder)[1]
            print(f"{name}: orders " + ", ".join(f"{what} {slope:.2f}" for what, slope in zip("uvλ", slopes)))
            good = good and all(abs(slope - 2.0) < 0.15 for slope in slopes[:2])  # of the last halving, 2.5 to 1.25 ms
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--model", choices=MODELS, default="double_pendulum")
    parser.add_argument("--index", choices=("3", "2", "1"), default="3")
    parser.add_argument("--stabilisation", choices=("none", "baumgarte", "projection"), default="none")
    parser.add_argument("--check", action="store_true", help="draw nothing; tell whether the orders are 2")
    parser.add_argument("--output", "-o", type=Path, default=Path("panels.png"))
    options = parser.parse_args()
    return check(options) if options.check else picture(options)


def picture(options):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"font.size": 7, "axes.titlesize": 7})
    figure, grid = pyplot.subplots(3, 3, figsize=(11, 8), layout="constrained")
    axes = list(grid.flat)
    links, _, at = MODELS[options.model]
    with tempfile.TemporaryDirectory() as folder:
        for (method, name), colour in zip(METHODS.items(), ("#1b6ca8", "#c0392b", "#2e8b57")):
            columns, ended = run(options.trammel, options, method, 0.01, 10, folder)
            draw(axes, columns, links, name if ended else f"{name}, failed at {columns['time'][-1]:.2f} s", colour)
            for values, style in zip(orders(options.trammel, options, method, folder)[0], ("o-", "s--", "^:")):
                axes[7].loglog(STEPS, values, style, color=colour, markersize=3, linewidth=0.7)
    axes[7].set_title(f"(h) errors at {at} s over the step: angle o, rate □, multiplier △")
    axes[0].legend()
    figure.suptitle(f"{options.model}, index {options.index}, stabilisation {options.stabilisation}, h = 10 ms")
    figure.savefig(options.output, dpi=80)
    return 0


if __name__ == "__main__":
    sys.exit(main())
