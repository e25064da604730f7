#!/usr/bin/python3
"""Draws the tracks of the bowling ball: on the plane, its angular velocities, and on the ball from four sides (needs matplotlib).

    examples/chiou/ball_track.py build/release/bin/trammel -o ball_track.png
    examples/chiou/ball_track.py build/release/bin/trammel -s offset=0.1 -o ball_track.png

Figures 2, 3 and 5 to 8 of [ParkChiou1987]. The point of contact in body axes is -a (R13, R23, R33) with Rij of the matrix that turns
world axes into body axes; the track on the plane is the guide y = sin x.
"""

import argparse
import csv
import math
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(trammel, settings):
    """Columns by channel."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "ball.csv"
        words = [word for setting in settings for word in ("-s", setting)]
        subprocess.run([trammel, "run", HERE / "bowling_ball.yaml", "-s", "simulation.output_step=0.04 s", *words, "--output", results,
                        "--no-report", "--no-estimate", "--quiet"], check=True)
        with open(results, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def contact_on_ball(columns):
    """Where the plane touches, in axes of the ball, over its radius: minus the vertical, seen from the ball."""
    points = []
    for e0, e1, e2, e3 in zip(*(columns[f"ball.orientation.e{i}"] for i in range(4))):
        points.append((-2 * (e1 * e3 - e0 * e2), -2 * (e2 * e3 + e0 * e1), -(e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3)))
    return points


def check(columns, points):
    """The guide is kept, the contact is on the ball, and the ball rolls: both tracks are equally long."""
    guide = max(abs(y - math.sin(x)) for x, y in zip(columns["ball.position.x"], columns["ball.position.y"]))
    on_ball = max(abs(math.hypot(*point) - 1.0) for point in points)
    plane = list(zip(columns["ball.position.x"], columns["ball.position.y"]))
    lengths = [sum(math.dist(a, b) for a, b in zip(track, track[1:])) for track in (plane, points)]
    print(f"guide kept to {guide:.1e}, contact on the ball to {on_ball:.1e}, tracks {lengths[0]:.3f} and {lengths[1]:.3f} radii long")
    # The staggered rule is off by h^2 a with h = 0.02 s and accelerations of 1 radius/s^2; chords of 0.04 s are shorter than their
    # arcs by a share of (0.06)^2/24.
    return guide < 4e-4 and on_ball < 1e-9 and abs(lengths[0] / lengths[1] - 1.0) < 1e-3


def draw(columns, points, output):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"font.size": 8, "axes.titlesize": 8})
    figure, grid = pyplot.subplots(2, 3, figsize=(11, 7), layout="constrained")
    (plane, rates, xz), (yz, xy, _) = grid
    plane.plot(columns["ball.position.x"], columns["ball.position.y"], color="#1b6ca8")
    plane.set_title("track on the plane, radii")
    for axis, colour in zip("xyz", ("#1b6ca8", "#c0392b", "#2e8b57")):
        rates.plot(columns["time"], columns[f"ball.angular_velocity.{axis}"], color=colour, linewidth=0.8, label=f"ω{axis}")
    rates.set_title("angular velocity in axes of the ball, rad/s")
    rates.legend(ncols=3)
    x, y, z = zip(*points)
    for ax, (across, up), names in ((xz, (x, z), "xz"), (yz, (y, z), "yz"), (xy, (x, y), "xy")):
        ax.add_patch(pyplot.Circle((0, 0), 1.0, fill=False, color="#999"))
        ax.plot(across, up, color="#1b6ca8", linewidth=0.7)
        ax.set_aspect("equal")
        ax.set_title(f"track on the ball, {names[0]}-{names[1]}")
    grid[1][2].remove()
    space = figure.add_subplot(2, 3, 6, projection="3d")
    space.plot(x, y, z, color="#1b6ca8", linewidth=0.7)
    space.set_box_aspect((1, 1, 1))
    space.set_title("and in space")
    figure.savefig(output, dpi=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--set", "-s", action="append", default=[], dest="settings")
    parser.add_argument("--check", action="store_true", help="draw nothing; tell whether the tracks are what they must be")
    parser.add_argument("--output", "-o", type=Path, default=Path("ball_track.png"))
    options = parser.parse_args()
    columns = run(options.trammel, options.settings)
    points = contact_on_ball(columns)
    if options.check:
        return 0 if check(columns, points) else 1
    draw(columns, points, options.output)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
