"""Pictures of the joints of the catalogue: lines, planes, curves, cams, rolling (see make_pictures.py)."""

import math

from drawing import (FIRST, FIRST_FILL, FORCE, GREY, H, INK, MOTION, SECOND, SECOND_FILL, W, Picture, Space,
                     legend)


def curve(f, start, end, count=80):
    return [f(start + (end - start) * i / count) for i in range(count + 1)]


def around(centre, radius, start=0.0, end=360.0):
    """Points of a circle; radius may be a function of the angle in degrees."""
    r = radius if callable(radius) else (lambda _: radius)
    return curve(lambda t: (centre[0] + r(t) * math.cos(math.radians(t)),
                            centre[1] - r(t) * math.sin(math.radians(t))), start, end, 120)


# --- planar -----------------------------------------------------------------------------------------


def planar_pin_in_slot():
    p = Picture(W, H, "planar_pin_in_slot: Pin in slot: a pin of one body in a straight slot of the other")
    p.bar((60, 200), (400, 110), 44, FIRST, FIRST_FILL)
    p.bar((120, 184), (340, 126), 18, FIRST, "white")
    pin = (250, 150)
    p.bar(pin, (300, 40), 22, SECOND, SECOND_FILL)
    p.pin(pin, 8)
    p.arrow((190, 196), (310, 164), MOTION, 2.2, 10, True)
    p.text((262, 204), "displacement", MOTION, 14)
    p.text((150, 146), "axis", FIRST, 14, italic=True)
    p.text((222, 128), "p_{b}", SECOND, 15)
    legend(p, "free: 1 translation, 1 rotation")
    return p


def planar_rolling_disc():
    p = Picture(W, H, "planar_rolling_disc: A disc rolls on a line")
    p.ground((40, 210), (420, 210))
    p.line((40, 210), (420, 210), FIRST, 2.5)
    p.circle((220, 140), 70, SECOND, 2, SECOND_FILL)
    p.line((220, 140), (268, 90), SECOND, 1.6)
    p.text((252, 128), "R", SECOND, 16, italic=True)
    p.pin((220, 140))
    p.arrow((220, 140), (330, 140), MOTION)
    p.text((336, 128), "displacement", MOTION, 14, "start")
    p.arc((220, 140), 88, 30, 110, MOTION)
    p.text((226, 44), "angle", MOTION, 14)
    p.circle((220, 210), 4, INK, 1.5, INK)
    p.text((234, 232), "no slip", INK, 13, "start")
    legend(p, "free: 1")
    return p


def planar_rolling_discs():
    p = Picture(W, H, "planar_rolling_discs: A disc rolls on a disc; a disc rolls in a ring")
    p.circle((110, 150), 60, FIRST, 2, FIRST_FILL)
    p.circle((182, 92), 32, SECOND, 2, SECOND_FILL)
    p.line((110, 150), (182, 92), INK, 1.2, "4 3")
    p.text((100, 168), "R_{a}", FIRST, 15)
    p.text((196, 88), "R_{b}", SECOND, 15)
    p.arc((110, 150), 98, 46, 92, MOTION)
    p.circle((330, 135), 98, FIRST, 2, FIRST_FILL)
    p.circle((330, 135), 84, FIRST, 2, "white")
    p.circle((370, 165), 34, SECOND, 2, SECOND_FILL)
    p.text((370, 170), "R_{b}", SECOND, 15)
    p.text((296, 110), "R_{a} < 0", FIRST, 15)
    legend(p, "free: 1")
    return p


def planar_skate():
    p = Picture(W, H, "planar_skate: A blade moves only along itself")
    p.path([(150, 190), (290, 110), (320, 160), (180, 240)], SECOND, 1.8, SECOND_FILL, True)
    p.line((170, 212), (304, 136), INK, 4)
    p.pin((237, 174))
    p.arrow((237, 174), (360, 104), MOTION)
    p.text((368, 98), "allowed", MOTION, 14, "start")
    p.arrow((237, 174), (204, 114), FORCE)
    p.text((196, 104), "forbidden: reaction", FORCE, 14)
    p.axes((60, 215), 0, 40, FIRST)
    legend(p, "free: 2 of 3 velocities")
    return p


def planar_point_on_curve():
    p = Picture(W, H, "planar_point_on_curve: A point stays on a curve")
    f = lambda x: (x, 160 - 55 * math.sin((x - 40) / 60))
    p.path(curve(f, 40, 420), FIRST, 2.5)
    at = f(245)
    p.path([(at[0] - 30, at[1] - 86), (at[0] + 55, at[1] - 78), (at[0] + 40, at[1] + 4), (at[0], at[1])], SECOND,
           1.8, SECOND_FILL, True)
    p.pin(at)
    slope = -55 / 60 * math.cos(205 / 60)
    p.arrow((at[0] - 45, at[1] - 45 * slope), (at[0] + 62, at[1] + 62 * slope), MOTION, 2.2, 10, True)
    p.text((330, 238), "u", MOTION, 16, italic=True)
    p.text((90, 84), "C(u) or y = f(x)", FIRST, 15)
    p.axes((40, 230), 0, 40, FIRST)
    legend(p, "free: 1 along, 1 rotation")
    return p


def cam_shape(centre):
    return around(centre, lambda t: 58 + 18 * math.cos(math.radians(t - 70)))


def planar_cam_roller():
    p = Picture(W, H, "planar_cam_roller: A roller runs on a cam")
    c = (220, 175)
    p.path(cam_shape(c), FIRST, 2, FIRST_FILL, True)
    p.pin(c)
    p.bar((238, 66), (238, 20), 18, SECOND, SECOND_FILL)
    p.circle((238, 77), 24, SECOND, 2, "white")
    p.pin((238, 77), 4)
    p.line(c, (160, 140), FIRST, 1.3)
    p.text((176, 166), "r(angle)", FIRST, 14, "end")
    p.arrow((290, 110), (290, 40), MOTION, 2.2, 10, True)
    p.text((300, 76), "lift", MOTION, 14, "start")
    p.arc(c, 92, -40, 30, MOTION)
    legend(p, "free: 2 of 3")
    return p


def planar_cam_flat():
    p = Picture(W, H, "planar_cam_flat: A flat face rests on a cam")
    c = (220, 175)
    p.path(cam_shape(c), FIRST, 2, FIRST_FILL, True)
    p.pin(c)
    p.bar((230, 84), (230, 20), 18, SECOND, SECOND_FILL)
    p.box((150, 80), (160, 20), SECOND, 1.8, SECOND_FILL, 3)
    p.arrow((350, 92), (350, 40), INK)
    p.text((360, 62), "n", INK, 15, "start", True)
    p.arrow((150, 118), (120, 118), MOTION, 2, 8, True)
    p.text((100, 92), "slide", MOTION, 14)
    p.arc(c, 92, -40, 30, MOTION)
    legend(p, "free: 2 of 3")
    return p


def planar_curve_on_curve():
    p = Picture(W, H, "planar_curve_on_curve: Two convex profiles touch")
    a, b = (150, 150), (290, 122)
    p.path(around(a, lambda t: 72 + 8 * math.cos(math.radians(2 * t))), FIRST, 2, FIRST_FILL, True)
    p.path(around(b, lambda t: 62 + 5 * math.cos(math.radians(3 * t + 180 + 35))), SECOND, 2, SECOND_FILL, True)
    p.pin(a)
    p.pin(b)
    p.line((218, 60), (240, 214), INK, 1.2, "6 4")
    p.arrow((229, 137), (300, 137 - 10), INK)
    p.text((306, 142), "n", INK, 15, "start", True)
    p.text((120, 128), "r_{a}(angle)", FIRST, 14)
    p.text((330, 100), "r_{b}(angle)", SECOND, 14)
    p.arc(b, 84, -30, 50, MOTION)
    p.arc(a, 96, 120, 190, MOTION)
    legend(p, "free: 2 of 3")
    return p


# --- spatial ----------------------------------------------------------------------------------------


def spatial_screw():
    p = Picture(W, H, "spatial_screw: A nut on a screw")
    s = Space(p, (205, 150), 1.0, -30, 24)
    s.cylinder((-150, 0, 0), (-40, 0, 0), 16, FIRST, FIRST_FILL)
    s.cylinder((-40, 0, 0), (10, 0, 0), 40, SECOND, SECOND_FILL, 16)
    s.cylinder((10, 0, 0), (140, 0, 0), 16, FIRST, FIRST_FILL)
    for start in list(range(-145, -50, 14)) + list(range(18, 136, 14)):
        p.path([s.at((start + 7 * t / 10, -16 * math.sin(math.pi * t / 10 - 0.6), 16 * math.cos(math.pi * t / 10 - 0.6)))
                for t in range(11)], FIRST, 1.2)
    s.arrow((140, 0, 0), (195, 0, 0), INK)
    s.label((205, 0, 0), "z (axis)", INK, 24, 10)
    s.turn((-15, 0, 0), 0, 58, -70, 150)
    s.label((-15, 0, 58), "angle", MOTION, 20, -12)
    s.arrow((-40, 0, -66), (60, 0, -66), MOTION, 2.2, 10, True)
    s.label((10, 0, -66), "displacement = pitch * turns", MOTION, -50, 26)
    legend(p, "free: 1")
    return p


def plane(s, size=110, color=FIRST, fill=FIRST_FILL):
    s.face([(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)], color, fill)


def spatial_planar():
    p = Picture(W, H, "spatial_planar: Plane on plane")
    s = Space(p, (225, 165), 1.0, -32, 24)
    plane(s)
    s.block((-50, -40, 0), (20, 30, 24), SECOND, SECOND_FILL)
    s.arrow((-15, -5, 24), (-15, -5, 90), INK)
    s.label((-15, -5, 98), "z (axis)", INK, 4, -4)
    s.turn((-15, -5, 24), 2, 58, -40, 200)
    s.arrow((30, -5, 4), (95, -5, 4), MOTION, 2.2, 10, True)
    s.label((95, -5, 4), "x", MOTION, 10, 12)
    s.arrow((-15, 40, 4), (-15, 95, 4), MOTION, 2.2, 10, True)
    s.label((-15, 95, 4), "y", MOTION, 12, 0)
    legend(p, "free: 2 translations, 1 rotation")
    return p


def body_on(p, at, up=1):
    p.path([(at[0], at[1]), (at[0] - 34, at[1] - 60 * up), (at[0] + 30, at[1] - 78 * up),
            (at[0] + 52, at[1] - 30 * up)], SECOND, 1.8, SECOND_FILL, True)
    p.pin(at)


def spatial_point_on_line():
    p = Picture(W, H, "spatial_point_on_line: A point stays on a line")
    s = Space(p, (215, 165), 1.0, -32, 24)
    s.line((-190, 0, 0), (190, 0, 0), FIRST, 3)
    body_on(p, s.at((20, 0, 0)))
    s.arrow((-60, 0, -16), (90, 0, -16), MOTION, 2.2, 10, True)
    s.label((0, 0, -16), "displacement", MOTION, -30, 26)
    s.label((-170, 0, 0), "z (axis)", FIRST, 10, -14)
    legend(p, "free: 1 translation, 3 rotations")
    return p


def spatial_point_on_plane():
    p = Picture(W, H, "spatial_point_on_plane: A point stays in a plane")
    s = Space(p, (225, 165), 1.0, -32, 24)
    plane(s)
    body_on(p, s.at((0, -10, 0)))
    s.arrow((-80, 60, 0), (-80, 60, 60), INK)
    s.label((-80, 60, 66), "normal", INK, 0, -6)
    s.arrow((10, -10, 0), (85, -10, 0), MOTION)
    s.arrow((0, -20, 0), (0, -90, 0), MOTION)
    legend(p, "free: 2 translations, 3 rotations")
    return p


def spatial_constant_velocity():
    p = Picture(W, H, "spatial_constant_velocity: Two shafts at an angle turn with equal speeds")
    c = (215, 150)
    p.bar((40, 150), (c[0] - 26, 150), 24, FIRST, FIRST_FILL)
    p.bar((c[0] + 20, c[1] - 16), (400, 44), 24, SECOND, SECOND_FILL)
    p.circle(c, 38, FIRST, 2, FIRST_FILL)
    p.circle(c, 24, SECOND, 2, SECOND_FILL)
    p.pin(c, 4)
    p.line((c[0] - 18, c[1] + 76), (c[0] + 18, c[1] - 76), INK, 1.2, "6 4")
    p.text((c[0] - 18, c[1] + 94), "plane of symmetry", INK, 13)
    p.arc((80, 150), 30, -120, 120, MOTION)
    p.arc((366, 64), 30, -90, 150, MOTION)
    p.text((80, 108), "w", MOTION, 15, italic=True)
    p.text((392, 108), "w", MOTION, 15, italic=True)
    legend(p, "free: 2 rotations")
    return p


def spatial_revolute_spherical():
    p = Picture(W, H, "spatial_revolute_spherical: Massless link with a hinge and a ball")
    s = Space(p, (150, 150), 1.0, -32, 24)
    s.line((0, 0, -90), (0, 0, 96), FIRST, 1.3, "9 4 2 4")
    s.cylinder((0, 0, -34), (0, 0, 34), 16, FIRST, FIRST_FILL)
    tip = (150, 60, 0)
    s.line((10, 4, 0), tip, INK, 5)
    at = s.at(tip)
    p.path([(at[0] - 8, at[1] - 20), (at[0] + 30, at[1] - 66), (at[0] + 86, at[1] - 30), (at[0] + 60, at[1] + 30)],
           SECOND, 1.8, SECOND_FILL, True)
    p.circle(at, 12, SECOND, 2, "white")
    s.label((70, 30, 0), "L", INK, 0, -10, 16, True)
    s.turn((0, 0, 40), 2, 60, -10, 120)
    s.label((0, 0, 96), "z (axis)", FIRST, -30, -2)
    legend(p, "free: 4 of 6")
    return p


def spatial_revolute_cross():
    p = Picture(W, H, "spatial_revolute_cross: Hinge whose axes have no cross product")
    s = Space(p, (205, 155), 1.0, -30, 24)
    s.cylinder((-110, 0, 0), (-10, 0, 0), 30, FIRST, FIRST_FILL)
    s.cylinder((-10, 0, 0), (90, 0, 0), 30, SECOND, SECOND_FILL)
    s.arrow((90, 0, 0), (185, 0, 0), SECOND)
    s.label((185, 0, 0), "s_{b}", SECOND, 14, 14)
    s.arrow((90, 0, 0), (170, 0, 46), FIRST)
    s.label((170, 0, 46), "s_{a}", FIRST, 14, -4)
    s.label((0, 0, 62), "s_{a} x s_{b} = 0: two of three rows", INK, 0, -26)
    s.turn((40, 0, 0), 0, 46, -70, 210)
    legend(p, "free: 1 rotation")
    return p


def spatial_rolling_sphere():
    p = Picture(W, H, "spatial_rolling_sphere: A sphere rolls on a plane")
    s = Space(p, (225, 185), 1.0, -32, 24)
    plane(s)
    at = s.at((0, 0, 62))
    p.circle(at, 62, SECOND, 2, SECOND_FILL)
    p.pin(at, 4)
    s.line((0, 0, 62), (0, 0, 0), SECOND, 1.5, "4 3")
    p.text((at[0] + 14, at[1] + 34), "R", SECOND, 15, italic=True)
    p.circle(s.at((0, 0, 0)), 4, INK, 1.5, INK)
    s.arrow((0, 0, 62), (120, 0, 62), MOTION)
    s.arrow((-90, -85, 0), (-90, -85, 56), INK)
    s.label((-90, -85, 60), "normal", INK, 0, -8)
    legend(p, "free: 3 of 6 velocities")
    return p


def leaning(p, s, radius, lean, color, fill):
    n = (0.0, math.cos(lean), math.sin(lean))
    up = (0.0, -math.sin(lean), math.cos(lean))
    centre = (0.0, up[1] * radius, up[2] * radius)
    points = [s.at(tuple(centre[k] + radius * (math.cos(t) * (1.0, 0.0, 0.0)[k] + math.sin(t) * up[k])
                         for k in range(3))) for t in (2 * math.pi * i / 72 for i in range(72))]
    p.path(points, color, 2, fill, True)
    return centre, n, up


def spatial_rolling_disc():
    p = Picture(W, H, "spatial_rolling_disc: A thin disc rolls on its edge")
    s = Space(p, (225, 190), 1.0, -52, 24)
    plane(s)
    centre, n, _ = leaning(p, s, 74, 0.35, SECOND, SECOND_FILL)
    p.pin(s.at(centre), 4)
    s.arrow(centre, tuple(c + 70 * k for c, k in zip(centre, n)), INK)
    s.label(tuple(c + 78 * k for c, k in zip(centre, n)), "axle", INK, 12, -4)
    s.arrow((0, 0, 0), (100, 0, 0), MOTION)
    p.circle(s.at((0, 0, 0)), 4, INK, 1.5, INK)
    s.label((-20, -40, 0), "rests", INK, -4, 18, 13)
    legend(p, "free: 3 of 6 velocities")
    return p


def spatial_rolling_wheel():
    p = Picture(W, H, "spatial_rolling_wheel: Section of a leaning wheel with a rounded rim")
    p.ground((60, 225), (400, 225))
    p.line((60, 225), (400, 225), FIRST, 2.5)
    low, high = (215, 201), (165, 59)
    p.bar(low, high, 46, SECOND, SECOND_FILL)
    centre = (190, 130)
    p.pin(centre)
    p.line(centre, (320, 84), INK, 1.5, "6 4")
    p.text((330, 80), "axle", INK, 14, "start")
    p.line(centre, low, SECOND, 1.4)
    p.text((222, 160), "R - r", SECOND, 14, "start")
    p.line(low, (215, 225), FORCE, 2)
    p.text((226, 218), "r", FORCE, 15, "start", True)
    p.circle((215, 225), 4, INK, 1.5, INK)
    legend(p, "free: 3 of 6 velocities")
    return p


def spatial_skate():
    p = Picture(W, H, "spatial_skate: A blade on a plane")
    s = Space(p, (225, 175), 1.0, -32, 24)
    plane(s)
    s.block((-45, -4, 4), (45, 4, 26), SECOND, SECOND_FILL)
    s.block((-30, -16, 26), (30, 16, 60), SECOND, SECOND_FILL)
    s.arrow((48, 0, 2), (120, 0, 2), MOTION)
    s.label((120, 0, 2), "allowed", MOTION, 26, 12, 13)
    s.arrow((0, 16, 2), (0, 84, 2), FORCE)
    s.label((0, 84, 2), "forbidden", FORCE, 30, 0, 13)
    legend(p, "free: 4 of 6 velocities")
    return p


def spatial_point_on_curve():
    p = Picture(W, H, "spatial_point_on_curve: A point stays on a space curve")
    s = Space(p, (220, 170), 1.0, -32, 24)
    f = lambda t: s.at((120 * math.cos(t), 90 * math.sin(t), 26 * math.sin(2 * t + 1.2)))
    p.path(curve(f, 0, 2 * math.pi, 140), FIRST, 2.5)
    at = f(5.4)
    body_on(p, at)
    a, b = f(5.1), f(5.9)
    p.arrow(at, (at[0] + 1.2 * (b[0] - at[0]), at[1] + 1.2 * (b[1] - at[1]) + 14), MOTION)
    p.line(at, a, MOTION, 2)
    p.text((92, 60), "C(u)", FIRST, 16)
    s.triad((-60, -20, -10), 36, GREY)
    legend(p, "free: 1 along, 3 rotations")
    return p


def spatial_curve_on_curve():
    p = Picture(W, H, "spatial_curve_on_curve: Two space curves cross")
    s = Space(p, (220, 165), 1.0, -32, 24)
    first = lambda t: s.at((120 * math.cos(t), 70 * math.sin(t), 18 * math.sin(2 * t + 1.2)))
    p.path(curve(first, 0, 2 * math.pi, 140), FIRST, 2.5)
    at = (120 * math.cos(5.4), 70 * math.sin(5.4), 18 * math.sin(12.0))
    second = lambda t: s.at((at[0] + 30 - 30 * math.cos(t), at[1] + 8 * math.sin(2 * t), at[2] + 58 * math.sin(t)))
    p.path(curve(second, 0, 2 * math.pi, 120), SECOND, 2.5)
    p.circle(s.at(at), 4, MOTION, 2)
    p.text((88, 60), "A(s)", FIRST, 16)
    p.text((s.at(at)[0] + 66, s.at(at)[1] - 50), "B(t)", SECOND, 16)
    s.triad((-60, -20, -10), 36, GREY)
    legend(p, "free: 2 along the curves, 3 rotations")
    return p


JOINT_PICTURES = [planar_pin_in_slot, planar_rolling_disc, planar_rolling_discs, planar_skate,
                  planar_point_on_curve, planar_cam_roller, planar_cam_flat, planar_curve_on_curve, spatial_screw,
                  spatial_planar,
                  spatial_point_on_line, spatial_point_on_plane, spatial_constant_velocity,
                  spatial_revolute_spherical, spatial_revolute_cross, spatial_rolling_sphere,
                  spatial_rolling_disc, spatial_rolling_wheel, spatial_skate, spatial_point_on_curve,
                  spatial_curve_on_curve]
