#!/usr/bin/python3
"""Writes the plates that examples draw for bodies with outlines of their own: cam, follower, gears and
Geneva wheel.

    /usr/bin/python3 examples/plates.py
"""

import math
from pathlib import Path

from scipy.interpolate import CubicSpline

HERE = Path(__file__).parent


def cross(a, b, c):
    """Twice the area of a triangle, positive when it runs counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def triangles(rim):
    """Of a simple polygon, counterclockwise, by cutting off one ear after the other."""
    left, found = list(range(len(rim))), []
    while len(left) > 3:
        for k in range(len(left)):
            i, j, m = left[k - 1], left[k], left[(k + 1) % len(left)]
            a, b, c = rim[i], rim[j], rim[m]
            others = (rim[n] for n in left if n not in (i, j, m))
            inside = any(cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others)
            if cross(a, b, c) > 0 and not inside:
                found.append((i, j, m))
                del left[k]
                break
        else:
            raise ValueError("the outline crosses itself")
    return [*found, tuple(left)]


def write_plate(path, remark, rim, thickness):
    """A plate with this outline about the origin, in m, as OBJ."""
    n = len(rim)
    lines = [f"# {remark}"]
    for z in (-thickness / 2, thickness / 2):
        lines += [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y in rim]
    for a, b, c in triangles(rim):
        lines += [f"f {c + 1} {b + 1} {a + 1}", f"f {n + a + 1} {n + b + 1} {n + c + 1}"]
    for i in range(n):
        j = (i + 1) % n
        lines += [f"f {i + 1} {j + 1} {n + j + 1}", f"f {i + 1} {n + j + 1} {n + i + 1}"]
    path.write_text("\n".join(lines) + "\n")


def circle(center, radius, start, end, count):
    """Points of an arc, both ends among them."""
    angles = [start + (end - start) * k / (count - 1) for k in range(count)]
    return [(center[0] + radius * math.cos(a), center[1] + radius * math.sin(a)) for a in angles]


def cam():
    """The follower touches at 90 deg - phi of the cam when that has turned by phi."""
    lift = CubicSpline([k * math.pi / 4 for k in range(9)], [0, 2, 8, 14, 16, 14, 8, 2, 0], bc_type="periodic")
    rim = []
    for k in range(120):
        angle = 2 * math.pi * k / 120
        radius = (50 + float(lift((math.pi / 2 - angle) % (2 * math.pi)))) / 1000
        rim.append((radius * math.cos(angle), radius * math.sin(angle)))
    return rim


def geneva_wheel():
    """Four slots for a pin that runs at 100 mm about a shaft 100 mm * sqrt(2) away, and arcs between them that
    would lock the wheel."""
    outer, distance, half_width, lock = 0.1, 0.1 * math.sqrt(2), 0.007, 0.055
    bottom = distance - 0.1 - 0.001  # how far the pin comes in
    at_slot = math.asin(half_width / outer)
    spread = math.acos((outer**2 + distance**2 - lock**2) / (2 * outer * distance))
    middle = math.pi / 4
    center = (distance * math.cos(middle), distance * math.sin(middle))
    ends = [math.atan2(outer * math.sin(a) - center[1], outer * math.cos(a) - center[0]) % (2 * math.pi)
            for a in (middle - spread, middle + spread)]
    quarter = [
        *circle((bottom, 0), half_width, 1.5 * math.pi, 0.5 * math.pi, 7),
        *circle((0, 0), outer, at_slot, middle - spread, 5),
        *circle(center, lock, ends[0], ends[1], 13)[1:-1],
        *circle((0, 0), outer, middle + spread, math.pi / 2 - at_slot, 5),
    ]
    rim = []
    for turn in range(4):
        c, s = round(math.cos(turn * math.pi / 2)), round(math.sin(turn * math.pi / 2))
        rim += [(c * x - s * y, s * x + c * y) for x, y in quarter]
    return rim


def gear(teeth, module, tooth_at):
    """Teeth with straight flanks, one of them at this angle."""
    pitch = 2 * math.pi / teeth
    rim = []
    for k in range(teeth):
        middle = tooth_at + k * pitch
        for share, height in ((-0.36, -1.1), (-0.14, 0.9), (0.14, 0.9), (0.36, -1.1)):
            radius = (teeth / 2 + height) * module
            rim.append((radius * math.cos(middle + share * pitch), radius * math.sin(middle + share * pitch)))
    return rim


write_plate(HERE / "planetary_gear/sun.obj", "20 teeth, module 4 mm, in m", gear(20, 0.004, 0), 0.004)
write_plate(HERE / "planetary_gear/planet.obj", "16 teeth, module 4 mm, in m", gear(16, 0.004, math.pi / 16), 0.004)
write_plate(HERE / "cam_follower/cam.obj", "radius 50 mm + lift(90 deg - angle), in m", cam(), 0.004)
write_plate(HERE / "cam_follower/follower.obj", "a stem that ends in a knife edge, in m",
            [(0, 0), (0.009, 0.014), (0.009, 0.07), (-0.009, 0.07), (-0.009, 0.014)], 0.004)
write_plate(HERE / "geneva/wheel.obj", "a Geneva wheel with four slots, in m", geneva_wheel(), 0.004)
