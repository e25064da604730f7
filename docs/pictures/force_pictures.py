"""Pictures of the force elements besides springs and loads; drawn by make_pictures.py."""

import math

from drawing import (FIRST, FIRST_FILL, FORCE, GREY, INK, MOTION, SECOND, SECOND_FILL, Picture)

W, H = 460, 280


def graph(p, corner, size, x_name, y_name, curves, span=(-1.0, 1.0), height=1.1):
    """Axes in a box with curves y(x), each (function, colour, dash)."""
    (x0, y0), (w, h) = corner, size

    def at(x, y):
        return (x0 + w * (x - span[0]) / (span[1] - span[0]), y0 + h * (0.5 - 0.5 * y / height))

    p.arrow(at(span[0], 0), at(span[1], 0), INK, 1.4, 8)
    p.arrow(at(0, -height), at(0, height), INK, 1.4, 8)
    p.text((at(span[1], 0)[0] - 6, at(0, 0)[1] + 20), x_name, INK, 14, "end", True)
    p.text((at(0, 0)[0] + 10, y0 + 8), y_name, INK, 14, "start", True)
    for function, color, dash in curves:
        points = []
        for i in range(201):
            x = span[0] + (span[1] - span[0]) * i / 200
            y = function(x)
            if abs(y) <= height:
                points.append(at(x, y))
        p.path(points, color, 2.2, dash=dash)
    return at


def force_polynomial_spring():
    p = Picture(W, H, "force_polynomial_spring: Tension over extension: hardening, rope and stop")
    graph(p, (30, 20), (400, 220), "e = L - L0", "T",
          [(lambda e: 0.5 * e + 0.8 * e ** 3, FORCE, None), (lambda e: max(0.0, 0.8 * e), FIRST, None),
           (lambda e: min(0.0, 0.8 * e), SECOND, None)])
    p.text((30, H - 14), "both sides", FORCE, 13, "start")
    p.text((180, H - 14), "tension only", FIRST, 13, "start")
    p.text((320, H - 14), "compression only", SECOND, 13, "start")
    return p


def force_table_spring():
    p = Picture(W, H, "force_table_spring: A spline through the points of a table")
    points = [(-0.9, -0.9), (-0.5, -0.3), (0.0, 0.0), (0.4, 0.15), (0.8, 0.9)]

    def cubic(x):
        for (xa, ya), (xb, yb) in zip(points, points[1:]):
            if xa <= x <= xb:
                s = (x - xa) / (xb - xa)
                return ya + (yb - ya) * s * s * (3 - 2 * s)
        return 2.0

    at = graph(p, (30, 20), (400, 220), "extension", "T", [(cubic, FORCE, None)])
    for x, y in points:
        p.circle(at(x, y), 5, INK, 1.6, "white")
    p.text((W / 2, H - 14), "points and interpolation; extended or held outside", INK, 13)
    return p


def force_gas_spring():
    p = Picture(W, H, "force_gas_spring: A piston on enclosed gas")
    p.box((60, 95), (210, 90), FIRST, 2, FIRST_FILL, 4)
    p.box((66, 101), (110, 78), GREY, 1, "#eef6ff")
    p.box((176, 101), (16, 78), SECOND, 1.8, SECOND_FILL)
    p.bar((192, 140), (390, 140), 14, SECOND, SECOND_FILL)
    p.text((120, 146), "p, V", INK, 17, italic=True)
    p.text((184, 88), "A", SECOND, 15, italic=True)
    p.text((228, 120), "p_{out}", INK, 14)
    p.pin((52, 140))
    p.pin((396, 140))
    p.arrow((52, 222), (396, 222), MOTION, 2, 9, True)
    p.text((224, 240), "L", MOTION, 16, italic=True)
    p.arrow((396, 60), (446, 60), FORCE, 2.6, 11)
    p.text((420, 48), "push", FORCE, 14)
    return p


def force_bushing():
    p = Picture(W, H, "force_bushing: Springs and dampers along and about all axes")
    p.circle((225, 138), 100, FIRST, 2, FIRST_FILL)
    p.circle((225, 138), 78, FIRST, 1.5, "white")
    p.circle((240, 130), 28, SECOND, 2, SECOND_FILL)
    for a, b in (((147, 138), (212, 130)), ((303, 138), (268, 130)), ((225, 60), (238, 102)),
                 ((225, 216), (238, 158))):
        p.spring(a, b, 5, 11)
    p.axes((225, 138), 0, 40, FIRST)
    p.axes((240, 130), 18, 40, SECOND, ("", ""))
    p.text((376, 70), "K, C: 6 x 6", INK, 15)
    p.text((14, H - 14), "first frame a", FIRST, 13, "start")
    p.text((120, H - 14), "second frame b", SECOND, 13, "start")
    return p


def force_drag():
    p = Picture(W, H, "force_drag: Drag against the velocity relative to the wind")
    for y in (50, 90, 200, 240):
        p.arrow((30, y), (100, y), GREY, 1.6, 8)
    p.text((66, 38), "wind", GREY, 14)
    p.circle((230, 145), 44, SECOND, 2, SECOND_FILL)
    p.arrow((230, 145), (350, 95), MOTION, 2.6, 11)
    p.text((366, 92), "u", MOTION, 17, "start", True)
    p.arrow((230, 145), (140, 182), FORCE, 2.8, 12)
    p.text((128, 200), "F", FORCE, 17, italic=True)
    return p


def force_plane_contact():
    p = Picture(W, H, "force_plane_contact: A sphere pressed into a plane")
    p.box((40, 190), (380, 46), FIRST, 1.8, FIRST_FILL)
    p.circle((225, 130), 78, SECOND, 2, "none")
    p.circle((225, 130), 4, SECOND, 2, "white")
    p.line((225, 130), (170, 75), SECOND, 1.4)
    p.text((190, 112), "r", SECOND, 16, italic=True)
    p.arrow((90, 190), (90, 130), FIRST, 2.2, 10)
    p.text((76, 150), "n", FIRST, 16, italic=True)
    p.line((225, 190), (320, 190), GREY, 1, "3 3")
    p.line((225, 208), (320, 208), GREY, 1, "3 3")
    p.text((334, 204), "d", INK, 16, italic=True)
    p.arrow((225, 208), (225, 150), FORCE, 2.8, 12)
    p.text((240, 172), "N", FORCE, 16, italic=True)
    p.arrow((225, 208), (165, 208), FORCE, 2.4, 11)
    p.text((140, 226), "friction", FORCE, 14)
    return p


def force_sphere_contact():
    p = Picture(W, H, "force_sphere_contact: Two spheres in contact")
    p.circle((160, 140), 85, FIRST, 2, "none")
    p.circle((300, 140), 70, SECOND, 2, "none")
    for c, color, name in (((160, 140), FIRST, "r_{a}"), ((300, 140), SECOND, "r_{b}")):
        p.circle(c, 4, color, 2, "white")
        p.text((c[0], c[1] + 24), name, color, 15)
    p.line((160, 140), (300, 140), GREY, 1, "4 3")
    p.arrow((238, 140), (400, 140), FORCE, 2.6, 11)
    p.text((392, 128), "N", FORCE, 16, italic=True)
    p.text((237, 62), "d", INK, 16, italic=True)
    p.arrow((230, 78), (245, 78), INK, 1.4, 5, True)
    return p


def force_tyre_spring():
    p = Picture(W, H, "force_tyre_spring: A wheel on a plane: spring and damper along the normal")
    p.circle((225, 125), 90, SECOND, 3, "none")
    p.circle((225, 125), 40, SECOND, 2, SECOND_FILL)
    p.spring((212, 160), (212, 206), 4, 10)
    p.damper((238, 160), (238, 206), 10)
    p.ground((60, 206), (400, 206))
    p.arrow((330, 206), (330, 130), FORCE, 2.8, 12)
    p.text((346, 164), "N >= 0", FORCE, 15, "start")
    return p


def force_coordinate_spring():
    p = Picture(W, H, "force_coordinate_spring: A spring along a joint's coordinate, turn after turn")
    joint = (215, 150)
    p.bar((50, 150), joint, 30, FIRST, FIRST_FILL)
    p.bar(joint, (345, 60), 30, SECOND, SECOND_FILL)
    points = []
    for i in range(300):
        t = i / 299
        angle = math.radians(35 + 360 * 2.6 * t)
        radius = 20 + 62 * t
        points.append((joint[0] + radius * math.cos(angle), joint[1] - radius * math.sin(angle)))
    p.path(points, FORCE, 2)
    p.pin(joint, 6)
    p.text((350, 210), "x = pin.angle", MOTION, 15)
    return p


def force_coordinate_stop():
    p = Picture(W, H, "force_coordinate_stop: Load of stops over the coordinate")
    at = graph(p, (30, 20), (400, 220), "x", "F",
               [(lambda x: -3 * max(0.0, x - 0.6) + 3 * max(0.0, -0.5 - x), FORCE, None)])
    for x, name in ((-0.5, "lower"), (0.6, "upper")):
        p.line(at(x, -0.9), at(x, 0.9), GREY, 1.2, "4 3")
        p.text((at(x, 0)[0], H - 14), name, INK, 13)
    return p


def stribeck(v, smoothing=0.04):
    return (0.45 + 0.35 * math.exp(-((v / 0.25) ** 2))) * v / math.hypot(v, smoothing) + 0.12 * v


def force_coordinate_friction():
    p = Picture(W, H, "force_coordinate_friction: Friction over slip: static, Stribeck, viscous")
    graph(p, (30, 20), (400, 220), "slip s", "friction", [(stribeck, FORCE, None)])
    p.text((W / 2, H - 14), "opposes the motion; smoothed about zero", INK, 13)
    return p


def force_lugre_friction():
    p = Picture(W, H, "force_lugre_friction: Bristles bend before they slip")
    p.box((40, 190), (380, 40), FIRST, 1.8, FIRST_FILL)
    p.box((90, 60), (280, 50), SECOND, 1.8, SECOND_FILL)
    for i in range(9):
        x = 105 + 30 * i
        p.path([(x - 6, 190), (x - 4, 165), (x + 6, 150)], FIRST, 2)
        p.path([(x - 2, 110), (x, 130), (x + 10, 148)], SECOND, 2)
    p.arrow((390, 85), (440, 85), MOTION, 2.6, 11)
    p.text((416, 74), "v", MOTION, 16, italic=True)
    p.text((60, 152), "z", INK, 17, italic=True)
    return p


def force_joint_friction():
    p = Picture(W, H, "force_joint_friction: The reaction presses the pin, friction turns against it")
    p.circle((215, 140), 84, FIRST, 2, FIRST_FILL)
    p.circle((215, 140), 52, FIRST, 1.5, "white")
    p.circle((215, 148), 44, SECOND, 2, SECOND_FILL)
    p.arrow((215, 252), (215, 194), FORCE, 2.8, 12)
    p.text((230, 240), "N from the reaction", FORCE, 14, "start")
    p.arc((215, 148), 30, 20, 200, MOTION)
    p.text((215, 140), "x'", MOTION, 15)
    p.arrow((250, 194), (168, 194), FORCE, 2.4, 10)
    p.text((318, 186), "r N mu", FORCE, 14)
    return p


def force_gravity_field():
    p = Picture(W, H, "force_gravity_field: Gravity that depends on the place")
    for i in range(7):
        for j in range(4):
            x, y = 60 + 57 * i, 50 + 60 * j
            dx, dy = 230 - x, 140 - y
            size = math.hypot(dx, dy)
            if size < 20:
                continue
            p.arrow((x, y), (x + 26 * dx / size, y + 26 * dy / size), GREY, 1.4, 6)
    p.circle((345, 80), 16, SECOND, 2, SECOND_FILL)
    p.arrow((345, 80), (295, 106), FORCE, 2.8, 12)
    p.text((372, 76), "m g(x, y, z)", FORCE, 14, "start")
    return p


def force_central_gravity():
    p = Picture(W, H, "force_central_gravity: The pull of a point mass")
    p.circle((215, 140), 22, FIRST, 2, FIRST_FILL)
    p.text((215, 146), "c", FIRST, 16, italic=True)
    p.circle((215, 140), 100, GREY, 1, "none")
    p.circle((315, 140), 12, SECOND, 2, SECOND_FILL)
    p.arrow((303, 140), (250, 140), FORCE, 2.8, 12)
    p.text((276, 128), "F", FORCE, 16, italic=True)
    p.arrow((315, 128), (315, 70), MOTION, 2.4, 10)
    return p


def force_surface_load():
    p = Picture(W, H, "force_surface_load: Pressure over a patch of a body, against its normal")
    p.path([(150, 60), (330, 60), (330, 220), (150, 220)], FIRST, 2, FIRST_FILL, closed=True)
    for i in range(8):
        y = 66 + 21 * i
        length = 28 + 10 * i
        p.arrow((148 - length, y), (148, y), FORCE, 2.0, 8)
    p.path([(118, 58), (46, 228)], FORCE, 1.4, dash="5 4")
    p.arrow((150, 140), (200, 140), INK, 1.2, 6)
    p.circle((150, 140), 4, INK, 1.4, "white")
    p.text((206, 132), "frame", INK, 13, "start")
    p.text((40, 54), "p(x, y, z, t)", FORCE, 14, "start")
    p.text((W / 2, H - 14), "dF = -p n dA, summed over Gauss points", INK, 13)
    return p


def force_volume_load():
    p = Picture(W, H, "force_volume_load: A force that depends on the place, over a body")
    p.path([(120, 70), (340, 70), (340, 210), (120, 210)], FIRST, 2, FIRST_FILL, closed=True)
    for i in range(4):
        for j in range(3):
            x, y = 150 + 54 * i, 92 + 40 * j
            p.circle((x, y), 3, INK, 1.2, "white")
            p.arrow((x, y), (x, y + 12 + 7 * i), FORCE, 2.0, 8)
    p.text((360, 120), "b(x, y, z, t)", FORCE, 14, "start")
    p.text((W / 2, H - 14), "dF = b dV", INK, 13)
    return p


FORCE_PICTURES = [force_polynomial_spring, force_table_spring, force_gas_spring, force_bushing, force_drag,
                  force_plane_contact, force_sphere_contact, force_tyre_spring, force_coordinate_spring,
                  force_coordinate_stop, force_coordinate_friction, force_lugre_friction,
                  force_joint_friction, force_gravity_field, force_central_gravity,
                  force_surface_load, force_volume_load]
