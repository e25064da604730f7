#!/usr/bin/python3
"""Draws the pictures of the examples: each mechanism at its start, with the paths of some points.

    examples/draw.py build/release/bin/trammel              # all of them
    examples/draw.py build/release/bin/trammel crane geneva # only these

The poses come from a run of the example, frames and joints from its model file, and what cannot be known
from there (paths to draw, radii of wheels, the view) from pictures.json. The style is that of the docs.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent / "docs" / "pictures"))
sys.path.insert(0, str(ROOT))
from drawing import (FIRST, FIRST_FILL, FORCE, GREY, INK, MOTION, PALE, SECOND, SECOND_FILL,  # noqa: E402
                     Picture, hull)
from mechanism import read_mechanism, rotation_of  # noqa: E402

WIDTH, HEIGHT, MARGIN, CAPTION = 460, 300, 42, 30
COLORS = [(FIRST, FIRST_FILL), (SECOND, SECOND_FILL), ("#6a5a9a", "#ded8ee"), ("#8a7a20", "#efe8c4"),
          ("#3a7d7d", "#d0e6e6"), ("#96506e", "#f0d8e2"), ("#5a6a7a", "#dde3e9")]


class Poses:
    """Positions and rotations of the bodies over time, from a CSV file."""

    def __init__(self, path, planar):
        with open(path) as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        self.names = {name: i for i, name in enumerate(rows[0])}
        self.values = np.array([[float(x) if x else 0.0 for x in row] for row in rows[1:]])
        self.planar = planar

    def column(self, name):
        return self.values[:, self.names[name]]

    def row_at(self, time):
        return int(np.argmin(np.abs(self.column("time") - time)))

    def pose(self, body, row):
        if body == "ground":
            return np.zeros(3), np.eye(3)
        axes = "xy" if self.planar else "xyz"
        position = np.array([self.values[row, self.names[f"{body}.position.{a}"]] for a in axes])
        if self.planar:
            index = self.names.get(f"{body}.angle")
            angle = self.values[row, index] if index is not None else 0.0
            return np.append(position, 0.0), rotation_of({"axis": "z", "angle": angle})
        if f"{body}.orientation.e0" not in self.names:
            return position, np.eye(3)
        e = [self.values[row, self.names[f"{body}.orientation.e{i}"]] for i in range(4)]
        return position, rotation_of({"quaternion": e})

    def point(self, body, local, row):
        position, turn = self.pose(body, row)
        return position + turn @ local


class View:
    """Planar models as they are; spatial ones in an axonometric view with z upwards."""

    def __init__(self, planar, turn, tilt):
        a, e = math.radians(turn), math.radians(tilt)
        self.right = np.array([math.cos(a), math.sin(a), 0.0])
        self.up = np.array([-math.sin(a) * math.sin(e), math.cos(a) * math.sin(e), math.cos(e)])
        if planar:
            self.right, self.up = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        self.to_eye = np.cross(self.right, self.up)
        self.scale, self.shift = 1.0, np.zeros(2)

    def flat(self, p):
        return np.array([self.right @ p, self.up @ p])

    def fit(self, points, caption):
        flat = np.array([self.flat(p) for p in points])
        low, high = flat.min(axis=0), flat.max(axis=0)
        bottom = CAPTION if caption else 0
        room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - bottom])
        self.scale = float(np.min(room / np.maximum(high - low, 1e-9)))
        middle = 0.5 * (low + high)
        self.shift = np.array([WIDTH / 2 - self.scale * middle[0],
                               (HEIGHT - bottom) / 2 + self.scale * middle[1]])

    def at(self, p):
        x, y = self.flat(p)
        return self.shift[0] + self.scale * x, self.shift[1] - self.scale * y


class Drawing:
    def __init__(self, name, mechanism, poses, options):
        self.mechanism, self.poses, self.options = mechanism, poses, options
        self.view = View(mechanism.planar, *options.get("view", (-32.0, 22.0)))
        self.picture = Picture(WIDTH, HEIGHT, f"{name}: {options.get('title', mechanism.name)}")
        self.radii = {**mechanism.radii, **options.get("radii", {})}
        mechanism.boxes.update(options.get("boxes", {}))
        for body, points in options.get("wires", {}).items():  # drawn as a bent bar through these points
            mechanism.points[body] = [np.array(p) for p in points]
        for body, points in options.get("points", {}).items():
            mechanism.points.setdefault(body, []).extend(np.array(p) for p in points)
        self.paths = [self.path(p) for p in options.get("paths", [])]

    def path(self, frame):
        body, local = self.mechanism.frame(frame) if isinstance(frame, str) else (frame[0], np.array(frame[1]))
        last = self.poses.row_at(self.options.get("path_until", 1e9))
        rows = np.unique(np.linspace(0, last, 160).astype(int))
        return [self.poses.point(body, local, row) for row in rows]

    def corners(self, body):
        """Points of a body that show its shape, in body axes."""
        return self.mechanism.points.get(body, [np.zeros(3)])

    def extent(self):
        points = [p for path in self.paths for p in path]
        for row in [0] + [self.poses.row_at(time) for time in self.options.get("ghosts", [])]:
            for body in self.mechanism.bodies:
                position, turn = self.poses.pose(body, row)
                points += [position + turn @ c for c in self.corners(body)]
                points += self.ring(body, self.radii.get(body, 0.0), row) + self.box(body, row)
        if not self.options.get("skip_ground"):
            points += self.mechanism.points.get("ground", [])
        for joint in self.mechanism.joints:
            if "rail" in joint:
                points += self.travel(joint)
        return points + [np.array(p, float) for p in self.options.get("extent", [])]

    def ring(self, body, radius, row):
        if radius <= 0.0:
            return []
        position, turn = self.poses.pose(body, row)
        axis = {"x": 0, "y": 1, "z": 2}[self.options.get("axes", {}).get(body, "z")]
        u, w = np.roll(np.eye(3)[0], axis + 1), np.roll(np.eye(3)[0], axis + 2)
        return [position + turn @ (radius * (math.cos(t) * u + math.sin(t) * w))
                for t in np.linspace(0.0, 2.0 * math.pi, 49)[:-1]]

    def box(self, body, row):
        size = self.mechanism.boxes.get(body)
        if size is None:
            return []
        position, turn = self.poses.pose(body, row)
        return [position + turn @ (0.5 * np.array(size) * [a, b, c])
                for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]

    # --- parts --------------------------------------------------------------------------------------

    def body(self, body, row, color, fill):
        at, picture = self.view.at, self.picture
        position, turn = self.poses.pose(body, row)
        ring, box = self.ring(body, self.radii.get(body, 0.0), row), self.box(body, row)
        if box:
            faces = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
            middle = np.mean(box, axis=0)
            for face in faces:
                if (np.mean([box[i] for i in face], axis=0) - middle) @ self.view.to_eye > 0:
                    picture.path([at(box[i]) for i in face], color, 1.6, fill, closed=True)
            return
        if ring:
            hollow = body in self.options.get("hollow", [])
            picture.path([at(p) for p in ring], color, 3.0 if hollow else 1.6, "none" if hollow else fill,
                         closed=True)
            if not hollow:
                picture.line(at(position), at(ring[0]), color, 1.4)
        points = [at(position + turn @ c) for c in self.corners(body)]
        width = self.options.get("width", 13)
        if body in self.options.get("wires", {}):
            wire = points[:len(self.options["wires"][body])]
            picture.path(wire, color, width)
            picture.path(wire, fill, width - 3)
            return
        outline = outline_of(points)
        if len(outline) > 2 and not ring:
            picture.path(outline, color, 1.6 + 0.5 * width, fill, closed=True)
            picture.path(outline, fill, 0.5 * width, fill, closed=True)
        elif len(outline) == 2 and math.dist(*outline) > 2:
            if self.mechanism.planar or not ring:
                picture.bar(outline[0], outline[1], width, color, fill)
        elif not ring and body not in self.mechanism.sliders:
            picture.circle(points[0], 8, color, 1.8, fill)
        if body in self.options.get("balls", {}):
            local, radius = self.options["balls"][body]
            centre = at(position + turn @ np.array(local))
            picture.circle(centre, f"{radius * self.view.scale:.1f}", color, 1.8, fill)

    def travel(self, joint, pad=0.0):
        """The ends of a slider's travel."""
        body, local, axis = joint["rail"]
        displacement = self.poses.column(f"{joint['name']}.displacement")
        origin, turn = self.poses.pose(body, 0)
        return [origin + turn @ (local + x * axis)
                for x in (displacement.min() - pad, displacement.max() + pad)]

    def rail(self, joint):
        ends = [self.view.at(p) for p in self.travel(joint, 22.0 / self.view.scale)]
        self.picture.line(*ends, GREY, 1.4, "8 4 2 4")

    def block(self, joint, color, fill):
        body, local, axis = joint["rail"]
        origin, turn = self.poses.pose(body, 0)
        shift = self.poses.column(f"{joint['name']}.displacement")[0]
        centre = np.array(self.view.at(origin + turn @ (local + shift * axis)))
        flat = self.view.flat(turn @ axis)
        length = np.linalg.norm(flat)
        u = np.array([flat[0], -flat[1]]) / length if length > 1e-6 else np.array([1.0, 0.0])
        n = np.array([-u[1], u[0]])
        corners = [centre + a * 13 * u + b * 9 * n for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        self.picture.path([tuple(c) for c in corners], color, 1.7, fill, closed=True)

    def links(self, row, color):
        for a, b, kind in self.mechanism.links:
            ends = [self.view.at(self.poses.point(*self.mechanism.frame(f), row)) for f in (a, b)]
            if kind == "spring" and self.options.get("strings"):
                self.picture.line(*ends, FORCE if row == 0 else color, 2.0)
            elif kind == "spring":
                self.picture.spring(*ends, color=INK)
            elif kind == "cylinder":
                middle = tuple(0.45 * x + 0.55 * y for x, y in zip(*ends))
                self.picture.line(*ends, color, 2.0)
                self.picture.line(ends[0], middle, color, 5.5)
            else:
                self.picture.line(*ends, color, 2.6)

    def pins(self):
        for joint in self.mechanism.joints:
            if joint["type"] == "prismatic" or joint["type"] == "cylindrical":
                continue
            for frame in joint["between"]:
                if frame.split(".")[0] == "ground" and joint["type"] in ("revolute", "spherical"):
                    at = self.view.at(self.poses.point(*self.mechanism.frame(frame), 0))
                    if self.mechanism.planar and not self.options.get("bare"):
                        x, y = at
                        self.picture.path([(x, y), (x - 9, y + 14), (x + 9, y + 14)], INK, 1.5, PALE, True)
                        self.picture.ground((x - 14, y + 14), (x + 14, y + 14), 8)
            body, local = joint["second"]
            self.picture.pin(self.view.at(self.poses.point(body, local, 0)), 3.5)
        for a, _, kind in self.mechanism.links:
            if kind != "spring" and a.split(".")[0] == "ground":
                self.picture.circle(self.view.at(self.poses.point(*self.mechanism.frame(a), 0)), 3.5, INK,
                                    1.5, GREY)

    def draw(self):
        caption = self.options.get("caption")
        self.view.fit(self.extent(), caption)
        for circle in self.options.get("circles", []):  # of the ground: x, y, radius
            x, y, radius = circle
            centre = self.view.at(np.array([x, y, 0.0]))
            self.picture.circle(centre, f"{radius * self.view.scale:.1f}", GREY, 1.6, "none")
        for *centre, radius in self.options.get("spheres", []):  # of the ground: x, y, z, radius
            self.picture.circle(self.view.at(np.array(centre)), f"{radius * self.view.scale:.1f}", GREY, 1.6, PALE)
        for a, b in self.options.get("lines", []):
            self.picture.line(self.view.at(np.array(a)), self.view.at(np.array(b)), INK, 2.0)
        for joint in self.mechanism.joints:
            if "rail" in joint:
                self.rail(joint)
        for time in self.options.get("ghosts", []):
            for body in self.mechanism.bodies:
                self.body(body, self.poses.row_at(time), "#cccccc", "#f4f4f4")
            self.links(self.poses.row_at(time), "#d0d0d0")
        order = sorted(self.mechanism.bodies, key=self.depth)
        colors = {body: COLORS[i % len(COLORS)] for i, body in enumerate(self.mechanism.bodies)}
        behind = [b for b in order if b in self.radii]
        for body in behind + [b for b in order if b not in self.radii]:
            self.body(body, 0, *colors[body])
        for joint in self.mechanism.joints:
            if "rail" in joint and joint["second"][0] in self.mechanism.sliders:
                self.block(joint, *colors[joint["second"][0]])
        self.links(0, FORCE if self.options.get("red_links") else INK)
        self.pins()
        for path in self.paths:
            self.picture.path([self.view.at(p) for p in path], MOTION, 1.8)
            self.picture.circle(self.view.at(path[0]), 3.5, MOTION, 1.5, MOTION)
        if caption:
            self.picture.text((14, HEIGHT - 14), caption, MOTION, 13, "start")
        return self.picture

    def depth(self, body):
        position, turn = self.poses.pose(body, 0)
        return float(np.mean([self.view.to_eye @ (position + turn @ c) for c in self.corners(body)]))


def outline_of(points):
    """Corners of the hull; the two ends where all points lie on one line, but for a pixel."""
    corners = hull(points) if len(points) > 1 else points
    if len(corners) < 3:
        return corners
    a, b = max(((p, q) for p in corners for q in corners), key=lambda pair: math.dist(*pair))
    length = math.dist(a, b)
    off = max(abs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / length for p in corners)
    return [a, b] if off < 1.0 else corners


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program trammel")
    parser.add_argument("examples", nargs="*", help="only these")
    arguments = parser.parse_args()
    options = json.loads((ROOT / "pictures.json").read_text())
    for name in arguments.examples or options:
        model = ROOT / name / f"{name}.yaml"
        mechanism = read_mechanism(model)
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "run.csv"
            subprocess.run([arguments.program, "run", str(model), "-q", "-o", str(output)], check=True)
            poses = Poses(output, mechanism.planar)
        mechanism.settle(poses)
        Drawing(name, mechanism, poses, options[name]).draw().write(ROOT / name)


if __name__ == "__main__":
    main()
