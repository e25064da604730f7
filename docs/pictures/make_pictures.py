#!/usr/bin/python3
"""Draws the pictures of the docs as SVG, beside this file.

    docs/pictures/make_pictures.py          # all of them
    docs/pictures/make_pictures.py revolute # those whose names contain the word

Blue is the first body (a), orange the second (b), green what a joint allows, red a force.
"""

import cmath
import math
import sys
from pathlib import Path

from drawing import (FIRST, FIRST_FILL, FORCE, GREY, H, INK, MOTION, PALE, SECOND, SECOND_FILL, W, Picture,
                     Space, legend)
from concept_pictures import CONCEPT_PICTURES
from element_pictures import ELEMENT_PICTURES
from force_pictures import FORCE_PICTURES
from joint_pictures import JOINT_PICTURES

HERE = Path(__file__).resolve().parent
# --- planar joints ----------------------------------------------------------------------------------


def planar_revolute():
    p = Picture(W, H, "planar_revolute: Planar revolute joint: two bars on one pin")
    joint = (215, 175)
    p.bar((50, 205), joint, 30, FIRST, FIRST_FILL)
    p.bar(joint, (345, 60), 30, SECOND, SECOND_FILL)
    p.pin(joint, 6)
    along = math.degrees(math.atan2(30, 165))
    p.line(joint, (joint[0] + 200, joint[1] - 200 * math.tan(math.radians(along))), FIRST, 1.3, "5 4")
    p.arc(joint, 130, along, math.degrees(math.atan2(115, 130)) - 8, MOTION)
    p.text((352, 118), "angle", MOTION, 15, "start")
    p.text((224, 214), "p_{a} = p_{b}", INK, 16)
    legend(p, "free: 1 rotation")
    return p


def planar_prismatic():
    p = Picture(W, H, "planar_prismatic: Planar prismatic joint: a slider on an axis")
    p.line((30, 150), (435, 150), FIRST, 1.4, "9 4 2 4")
    p.box((45, 180), (330, 24), FIRST, 1.8, FIRST_FILL, 4)
    p.box((235, 122), (110, 56), SECOND, 1.8, SECOND_FILL, 6)
    p.circle((85, 150), 4, FIRST, 2, "white")
    p.circle((290, 150), 4, SECOND, 2, "white")
    p.axes((85, 150), 0, 46, FIRST, ("", "n"))
    p.text((152, 142), "axis", FIRST, 14, italic=True)
    p.arrow((85, 66), (290, 66), MOTION, 2.2, 10, True)
    p.line((290, 146), (290, 58), GREY, 1, "3 3")
    p.line((85, 84), (85, 58), GREY, 1, "3 3")
    p.text((188, 54), "displacement", MOTION, 15)
    p.text((76, 172), "p_{a}", FIRST, 15)
    p.text((306, 168), "p_{b}", SECOND, 15)
    legend(p, "free: 1 translation")
    return p


def planar_fixed():
    p = Picture(W, H, "planar_fixed: Planar fixed joint: two bodies welded together")
    joint = (230, 140)
    p.bar((60, 205), joint, 34, FIRST, FIRST_FILL)
    p.bar(joint, (390, 165), 34, SECOND, SECOND_FILL)
    p.path([(213, 120), (247, 120), (252, 160), (208, 160)], INK, 1.5, "#999999", closed=True)
    p.axes(joint, 15, 62, INK, ("x", "y"))
    p.text((262, 214), "both frames coincide", INK, 14)
    legend(p, "free: nothing")
    return p


def planar_distance():
    p = Picture(W, H, "planar_distance: Planar distance joint: a massless rod between two points")
    a, b = (130, 190), (335, 95)
    p.path([(40, 150), (120, 130), (165, 195), (110, 235), (45, 215)], FIRST, 1.8, FIRST_FILL, True)
    p.path([(300, 70), (370, 40), (425, 90), (395, 150), (320, 135)], SECOND, 1.8, SECOND_FILL, True)
    p.line(a, b, INK, 5)
    p.pin(a)
    p.pin(b)
    nx, ny = 0.42, 0.907
    p.arrow((a[0] + 34 * nx, a[1] + 34 * ny), (b[0] + 34 * nx, b[1] + 34 * ny), INK, 1.5, 8, True)
    p.text((268, 190), "L", INK, 17, italic=True)
    p.text((110, 182), "p_{a}", FIRST, 15)
    p.text((355, 88), "p_{b}", SECOND, 15)
    p.text((222, 122), "d = p_{b} - p_{a}", INK, 15)
    legend(p, "free: 2 of 3")
    return p


# --- spatial joints ---------------------------------------------------------------------------------


def spatial_spherical():
    p = Picture(W, H, "spatial_spherical: Spherical joint: ball and socket")
    joint = (220, 140)
    p.bar((55, 185), (188, 149), 24, FIRST, FIRST_FILL)
    # Socket: a thick ring open towards b.
    outer, inner = 48, 33
    points = [(joint[0] + outer * math.cos(math.radians(t)), joint[1] - outer * math.sin(math.radians(t)))
              for t in range(65, 326, 5)]
    points += [(joint[0] + inner * math.cos(math.radians(t)), joint[1] - inner * math.sin(math.radians(t)))
               for t in range(325, 64, -5)]
    p.path(points, FIRST, 1.8, FIRST_FILL, True)
    p.bar((joint[0] + 12, joint[1] - 4), (395, 95), 22, SECOND, SECOND_FILL)
    p.circle(joint, 31, SECOND, 1.8, SECOND_FILL)
    p.circle(joint, 3, INK, 1.5, INK)
    p.line((222, 146), (234, 206), INK, 1)
    p.text((238, 224), "p_{a} = p_{b}", INK, 16)
    p.arc(joint, 130, -28, 62, MOTION, 2)
    p.arc(joint, 130, 62, -28, MOTION, 2)
    p.arc((372, 101), 26, 200, 500, MOTION, 2)
    legend(p, "free: 3 rotations")
    return p


def spatial_universal():
    p = Picture(W, H, "spatial_universal: Universal joint: two perpendicular axes on a cross")
    s = Space(p, (225, 138), 1.0, -38, 22)
    s.cylinder((-150, 0, 0), (-62, 0, 0), 13, FIRST, FIRST_FILL)
    # Fork of a holds the vertical pin.
    s.block((-62, -10, -44), (-50, 10, 44), FIRST, FIRST_FILL)
    s.block((-50, -10, -52), (12, 10, -40), FIRST, FIRST_FILL)
    # Fork of b, behind the cross first.
    s.block((-12, 42, -10), (50, 54, 10), SECOND, SECOND_FILL)
    s.cylinder((0, 0, -48), (0, 0, 48), 6, INK, "#bbbbbb")
    s.cylinder((0, -50, 0), (0, 50, 0), 6, INK, "#bbbbbb")
    s.block((-50, -10, 40), (12, 10, 52), FIRST, FIRST_FILL)
    s.block((50, -54, -10), (62, 54, 10), SECOND, SECOND_FILL)
    s.cylinder((62, 0, 0), (150, 0, 0), 13, SECOND, SECOND_FILL)
    s.block((-12, -54, -10), (50, -42, 10), SECOND, SECOND_FILL)
    s.arrow((0, 0, 56), (0, 0, 104), FIRST)
    s.label((0, 0, 112), "s_{a}", FIRST, 12, 6)
    s.turn((0, 0, 78), 2, 24, -60, 240)
    s.label((0, 0, 84), "angle1", MOTION, -58, 0, 14)
    s.arrow((0, -58, 0), (0, -112, 0), SECOND)
    s.label((0, -122, 0), "s_{b}", SECOND, -4, 8)
    s.turn((0, -86, 0), 1, 22, 60, -230)
    s.label((0, -92, -36), "angle2", MOTION, -26, 12, 14)
    legend(p, "free: 2 rotations")
    return p


def spatial_revolute():
    p = Picture(W, H, "spatial_revolute: Revolute joint: a hinge")
    s = Space(p, (225, 165), 1.0, -30, 26)
    s.block((-150, -6, -40), (-14, 6, 40), FIRST, FIRST_FILL)
    s.cylinder((0, 0, -60), (0, 0, -22), 15, FIRST, FIRST_FILL)
    s.block((14, -6, -20), (150, 6, 20), SECOND, SECOND_FILL)
    s.cylinder((0, 0, -20), (0, 0, 20), 15, SECOND, SECOND_FILL)
    s.cylinder((0, 0, 22), (0, 0, 60), 15, FIRST, FIRST_FILL)
    s.line((0, 0, 60), (0, 0, 84), INK, 1.3, "9 4 2 4")
    s.arrow((0, 0, 84), (0, 0, 118), INK)
    s.label((0, 0, 122), "z (axis)", INK, 34, 8, 15)
    s.turn((0, 0, 92), 2, 36, -110, 130)
    s.label((0, 0, 92), "angle", MOTION, -62, 6, 15)
    legend(p, "free: 1 rotation")
    return p


def spatial_cylindrical():
    p = Picture(W, H, "spatial_cylindrical: Cylindrical joint: a rod in a sleeve")
    s = Space(p, (205, 155), 1.0, -30, 24)
    s.line((-170, 0, 0), (-150, 0, 0), INK, 1.3, "9 4 2 4")
    s.cylinder((-150, 0, 0), (-50, 0, 0), 13, SECOND, SECOND_FILL)
    s.cylinder((-50, 0, 0), (30, 0, 0), 30, FIRST, FIRST_FILL, 13)
    s.cylinder((30, 0, 0), (140, 0, 0), 13, SECOND, SECOND_FILL)
    s.arrow((140, 0, 0), (195, 0, 0), INK)
    s.label((205, 0, 0), "z (axis)", INK, 24, 10)
    s.turn((105, 0, 0), 0, 34, -70, 210)
    s.label((105, 0, 34), "angle", MOTION, 16, -14)
    s.arrow((-40, 0, -58), (80, 0, -58), MOTION, 2.2, 10, True)
    s.label((20, 0, -58), "displacement", MOTION, -34, 24)
    legend(p, "free: 1 rotation, 1 translation")
    return p


def spatial_prismatic():
    p = Picture(W, H, "spatial_prismatic: Prismatic joint: a square bar in a square sleeve")
    s = Space(p, (205, 155), 1.0, -30, 24)
    s.block((-150, -13, -13), (-50, 13, 13), SECOND, SECOND_FILL)
    s.block((-50, -32, -32), (30, 32, 32), FIRST, FIRST_FILL)
    s.face([(30, -13, -13), (30, 13, -13), (30, 13, 13), (30, -13, 13)], FIRST, "white")
    s.block((30, -13, -13), (140, 13, 13), SECOND, SECOND_FILL)
    s.arrow((140, 0, 0), (195, 0, 0), INK)
    s.label((205, 0, 0), "z (axis)", INK, 24, 10)
    s.arrow((-40, 0, -64), (80, 0, -64), MOTION, 2.2, 10, True)
    s.label((20, 0, -64), "displacement", MOTION, -34, 24)
    legend(p, "free: 1 translation")
    return p


def spatial_fixed():
    p = Picture(W, H, "spatial_fixed: Fixed joint: two bodies welded together")
    s = Space(p, (215, 165), 1.0, -30, 26)
    s.block((-140, -24, -24), (0, 24, 24), FIRST, FIRST_FILL)
    s.block((0, -24, -24), (46, 24, 96), SECOND, SECOND_FILL)
    s.line((0, -24, -24), (0, -24, 24), INK, 4)
    s.line((0, -24, 24), (0, 24, 24), INK, 4)
    s.triad((0, -24, 24), 52, INK)
    s.label((100, -24, -10), "both frames coincide", INK, 70, 6, 14)
    legend(p, "free: nothing")
    return p


def spatial_distance():
    p = Picture(W, H, "spatial_distance: Distance joint in space: a massless rod with ball ends")
    s = Space(p, (225, 150), 1.0, -30, 24)
    s.block((-170, -30, -55), (-90, 30, 5), FIRST, FIRST_FILL)
    s.block((95, -30, 0), (165, 30, 65), SECOND, SECOND_FILL)
    a, b = (-90, -10, -20), (95, -10, 35)
    s.line(a, b, INK, 5)
    p.circle(s.at(a), 8, FIRST, 2, "white")
    p.circle(s.at(b), 8, SECOND, 2, "white")
    s.label(a, "p_{a}", FIRST, -24, 5)
    s.label(b, "p_{b}", SECOND, 26, 10)
    s.label((0, -10, 8), "L = |p_{b} - p_{a}|", INK, 10, -18)
    legend(p, "free: 5 of 6")
    return p


# --- forces -----------------------------------------------------------------------------------------


def force_spring():
    p = Picture(W, H, "force_spring: Spring and damper between two points")
    a, b = (105, 150), (345, 110)
    p.path([(30, 110), (100, 95), (140, 150), (100, 210), (35, 195)], FIRST, 1.8, FIRST_FILL, True)
    p.path([(310, 80), (380, 55), (435, 110), (395, 170), (325, 155)], SECOND, 1.8, SECOND_FILL, True)
    ux, uy = 240 / 243.3, -40 / 243.3

    def off(q, side):
        return (q[0] - side * uy * -1 * -1, q[1] + side * ux)

    p.spring(off(a, -14), off(b, -14))
    p.damper(off(a, 16), off(b, 16))
    p.line(off(a, -14), off(a, 16), INK, 2)
    p.line(off(b, -14), off(b, 16), INK, 2)
    p.pin(a)
    p.pin(b)
    p.text((82, 146), "p_{a}", FIRST, 15)
    p.text((368, 104), "p_{b}", SECOND, 15)
    p.text((218, 92), "k", INK, 16, italic=True)
    p.text((232, 178), "c", INK, 16, italic=True)
    p.arrow((a[0], a[1] + 62), (a[0] + 62 * ux, a[1] + 62 + 62 * uy), FORCE, 2.5, 11)
    p.text((a[0] + 32, a[1] + 82), "F", FORCE, 16, italic=True)
    p.arrow((b[0], b[1] + 62), (b[0] - 62 * ux, b[1] + 62 - 62 * uy), FORCE, 2.5, 11)
    p.text((b[0] - 26, b[1] + 92), "F", FORCE, 16, italic=True)
    p.text((W - 14, H - 14), "F > 0 pulls", FORCE, 13, "end")
    p.text((14, H - 14), "first body a", FIRST, 13, "start")
    p.text((120, H - 14), "second body b", SECOND, 13, "start")
    return p


def force_rotational_spring():
    p = Picture(W, H, "force_rotational_spring: Rotational spring and damper about an axis")
    joint = (200, 160)
    p.bar((45, 160), joint, 30, FIRST, FIRST_FILL)
    p.bar(joint, (360, 70), 30, SECOND, SECOND_FILL)
    points = []
    for i in range(140):
        t = i / 139
        angle = math.radians(180 - 720 * t + t * 30)
        radius = 62 - 48 * t
        points.append((joint[0] + radius * math.cos(angle), joint[1] - radius * math.sin(angle)))
    p.path(points, INK, 2)
    p.pin(joint, 6)
    p.line(joint, (400, 160), FIRST, 1.3, "5 4")
    p.arc(joint, 150, 0, 28, MOTION)
    p.text((366, 132), "phi", MOTION, 16, italic=True)
    p.arc((330, 86), 40, 100, -10, FORCE, 2.5, 11)
    p.text((330, 34), "tau on b, when phi > phi_{0}", FORCE, 14)
    p.text((14, H - 14), "first body a", FIRST, 13, "start")
    p.text((120, H - 14), "second body b", SECOND, 13, "start")
    return p


def force_force():
    p = Picture(W, H, "force_force: A force at a point, in world axes and in body axes")
    for x, name in ((112, "axes: world"), (342, "axes: body")):
        p.text((x, 34), name, INK, 15, bold=True)
        for turn, color, shadow in ((0, GREY, True), (35, SECOND, False)):
            t = math.radians(turn)
            tip = (x + 75 * math.cos(t), 175 - 75 * math.sin(t))
            tail = (x - 75 * math.cos(t), 175 + 75 * math.sin(t))
            p.bar(tail, tip, 24, color, "#f4f4f4" if shadow else SECOND_FILL)
            follow = t if name.endswith("body") else 0.0
            d = (math.sin(follow) * -1, -math.cos(follow))
            shade = "#d8a0a8" if shadow else FORCE
            p.arrow(tip, (tip[0] + 58 * d[0], tip[1] + 58 * d[1]), shade, 2.8, 12)
            p.circle(tip, 4, color, 2, "white")
    p.line((228, 40), (228, 240), GREY, 1)
    p.text((112, H - 14), "keeps its direction", FORCE, 13)
    p.text((342, H - 14), "turns with the body", FORCE, 13)
    return p


def force_torque():
    p = Picture(W, H, "force_torque: A torque on a body")
    s = Space(p, (225, 160), 1.0, -30, 26)
    s.block((-90, -40, -22), (90, 40, 22), SECOND, SECOND_FILL)
    s.arrow((0, 0, 22), (0, 0, 108), FORCE, 3, 13)
    s.turn((0, 0, 66), 2, 40, -110, 170, FORCE)
    s.label((0, 0, 110), "torque", FORCE, 38, 4)
    p.text((225, H - 14), "the point of application does not matter", INK, 13)
    return p


def force_gravity():
    p = Picture(W, H, "force_gravity: Gravity acts on every body at its mass centre")
    p.path([(60, 90), (150, 60), (190, 120), (130, 165), (70, 145)], SECOND, 1.8, SECOND_FILL, True)
    p.bar((285, 80), (415, 130), 30, SECOND, SECOND_FILL)
    for c, m, length in (((122, 115), "m_{1} g", 75), ((350, 105), "m_{2} g", 55)):
        p.circle(c, 5, INK, 1.5, INK)
        p.arrow(c, (c[0], c[1] + length), FORCE, 2.8, 12)
        p.text((c[0] + 34, c[1] + length - 6), m, FORCE, 15)
    p.ground((40, 235), (420, 235))
    p.arrow((225, 60), (225, 120), INK, 2.2, 10)
    p.text((240, 98), "g", INK, 17, "start", True)
    return p


# --- mechanisms and concepts ------------------------------------------------------------------------


def slider_crank():
    p = Picture(640, 320, "slider_crank: A slider-crank mechanism and its path")
    o, scale = (150, 175), 620.0
    crank, rod, theta = 0.15, 0.45, math.radians(45)
    lean = math.asin(crank / rod * math.sin(theta))

    def at(x, y):
        return (o[0] + scale * x, o[1] - scale * y)

    pin = (crank * math.cos(theta), crank * math.sin(theta))
    end = (pin[0] + rod * math.cos(lean), 0.0)
    # Path of the rod's middle over one turn.
    path = []
    for i in range(121):
        t = 2 * math.pi * i / 120
        b = math.asin(crank / rod * math.sin(t))
        path.append(at(crank * math.cos(t) + rod / 2 * math.cos(b), crank * math.sin(t) / 2))
    p.add("circle", cx=o[0], cy=o[1], r=scale * crank, stroke=GREY, fill="none",
          stroke_dasharray="5 5", stroke_width=1.2)
    p.path(path, MOTION, 1.8, dash="2 4")
    p.line((60, 175), (600, 175), GREY, 1, "10 4 2 4")
    p.ground((at(end[0], 0)[0] - 130, 175 + 28), (at(end[0], 0)[0] + 65, 175 + 28))
    p.box((at(end[0], 0)[0] - 36, 175 - 26), (72, 52), SECOND, 2, SECOND_FILL, 5)
    p.pivot(at(0, 0), 26)
    p.bar(at(*pin), at(*end), 24, MOTION, "#d8ecdf")
    p.bar(at(0, 0), at(*pin), 30, FIRST, FIRST_FILL)
    for q in ((0, 0), pin, end):
        p.pin(at(*q), 6)
    p.arc(o, 112, 75, 115, INK, 2, 10)
    p.text(at(0.02, 0.085), "crank", FIRST, 17, "end")
    p.text(at(0.33, 0.115), "rod", MOTION, 17)
    p.text((at(end[0], 0)[0], 136), "slider", SECOND, 17)
    p.text((at(0.23, 0)[0], 262), "path of the rod's middle", MOTION, 14)
    return p


def frames():
    p = Picture(560, 300, "frames: World, body and frame on a body")
    w, b = (70, 245), (262, 188)
    p.axes(w, 0, 56, INK, ("x_{W}", "y_{W}"))
    p.text((58, 268), "W", INK, 17, bold=True)
    p.path([(210, 150), (250, 85), (380, 55), (490, 90), (470, 165), (390, 205), (270, 222)], SECOND, 1.8,
           "#fdf1e8", True)
    p.axes(b, -12, 60, SECOND, ("x_{B}", "y_{B}"))
    p.text((248, 208), "B", SECOND, 17, bold=True)
    c = (372, 165)
    p.circle(c, 6, INK, 1.5, "white")
    p.line((c[0] - 6, c[1]), (c[0] + 6, c[1]), INK, 1.2)
    p.line((c[0], c[1] - 6), (c[0], c[1] + 6), INK, 1.2)
    p.text((384, 186), "mass centre", INK, 13)
    f = (415, 110)
    p.axes(f, 60, 44, FIRST, ("x_{F}", "y_{F}"))
    p.text((432, 122), "F", FIRST, 17, bold=True)
    p.arrow(w, b, INK, 1.5)
    p.text((176, 234), "p_{WB}", INK, 16)
    p.arrow(b, f, GREY, 1.5)
    p.text((322, 178), "p_{BF}", GREY, 16)
    p.arrow(w, f, GREY, 1.2)
    p.text((180, 176), "p_{WF}", GREY, 16)
    p.text((300, 252), "p_{WF} = p_{WB} + R_{WB} p_{BF}", INK, 15, "start")
    p.text((300, 280), "R_{WF} = R_{WB} R_{BF}", INK, 15, "start")
    return p


def labelled_box(p, corner, size, title, lines, color=INK, fill="white"):
    p.box(corner, size, color, 1.8, fill, 8)
    x = corner[0] + size[0] / 2
    p.text((x, corner[1] + 22), title, color, 15, bold=True)
    for i, line in enumerate(lines):
        p.text((x, corner[1] + 42 + 17 * i), line, INK, 12)


def data_flow():
    p = Picture(860, 470, "data_flow: From the model file to results")
    labelled_box(p, (20, 40), (150, 92), "model file", ["slider_crank.yaml", "bodies, joints,", "forces, simulation"],
                 FIRST, FIRST_FILL)
    labelled_box(p, (235, 40), (170, 92), "io", ["YAML tree, units,", "expressions, checks with", "line and column"])
    labelled_box(p, (470, 40), (170, 92), "model::Description", ["what a person described,", "plain values, SI units", "(also by C++)"])
    labelled_box(p, (690, 40), (150, 92), "model::check", ["all mistakes at once,", "each with remedy"])
    labelled_box(p, (470, 190), (370, 78), "model::compile  ->  ModelSystem",
                 ["nodes, constraint primitives, forces, constant KKT pattern", "is a system::MechanicalSystem"],
                 SECOND, SECOND_FILL)
    labelled_box(p, (235, 190), (170, 78), "analysis::assemble", ["positions, velocities,", "accelerations; rank"])
    labelled_box(p, (235, 320), (170, 92), "analysis::simulate", ["march over output times,", "energy balance, errors"])
    labelled_box(p, (470, 320), (170, 92), "integrators", ["generalized-alpha:", "Newton, step halving"], MOTION, "#d8ecdf")
    labelled_box(p, (690, 320), (150, 92), "linear", ["block-ldlt, klu, ...", "factor, solve, refine"], MOTION, "#d8ecdf")
    labelled_box(p, (20, 320), (150, 92), "results", ["HDF5, CSV, memory;", "read, plot, export"], FIRST, FIRST_FILL)
    for a, b in (((170, 86), (235, 86)), ((405, 86), (470, 86)), ((640, 86), (690, 86)),
                 ((765, 132), (765, 190)), ((470, 229), (405, 229)), ((320, 268), (320, 320)),
                 ((405, 366), (470, 366)), ((640, 366), (690, 366)), ((235, 366), (170, 366))):
        p.arrow(a, b, INK, 2, 10)
    p.arrow((555, 320), (555, 268), MOTION, 2, 10, True)
    p.text((566, 300), "residual, tangent, move", MOTION, 12, "start")
    p.text((430, 446), "The integrator sees the system only through the contract of system/.", GREY, 13)
    return p


def rooms():
    p = Picture(760, 452, "rooms: The rooms of src/trammel; each may include what stands below it")
    def room(x, y, w, title, line, color=INK, fill="white"):
        p.box((x, y), (w, 54), color, 1.8, fill, 8)
        p.text((x + w / 2, y + 23), title, color, 16 if 12 * len(title) < w else 14, bold=True)
        p.text((x + w / 2, y + 42), line, INK, 12)
    room(20, 20, 720, "apps/cli, python", "command line and Python: know everybody, are used by nobody")
    room(20, 92, 70, "io", "model file", FIRST, FIRST_FILL)
    room(96, 92, 70, "report", "pages", FIRST, FIRST_FILL)
    room(172, 92, 78, "symbolic", "equations", FIRST, FIRST_FILL)
    room(270, 92, 470, "analysis", "the roof: assemble, simulate, kinematics, modes, compare")
    room(20, 164, 230, "formulation", "relative coordinates", FIRST, FIRST_FILL)
    room(270, 164, 150, "integrators", "time stepping", MOTION, "#d8ecdf")
    room(430, 164, 180, "constraint_handling", "start, rank", MOTION, "#d8ecdf")
    room(630, 164, 110, "results", "files, plots")
    room(20, 236, 140, "model", "bodies, joints, forces", FIRST, FIRST_FILL)
    room(170, 236, 80, "topology", "trees", FIRST, FIRST_FILL)
    room(270, 236, 340, "linear", "KKT solvers", MOTION, "#d8ecdf")
    room(20, 308, 110, "math", "rotations", FIRST, FIRST_FILL)
    room(140, 308, 110, "expression", "formulas", FIRST, FIRST_FILL)
    room(150, 380, 460, "system", "the contract: state, equations, KKT pattern", SECOND, SECOND_FILL)
    room(20, 380, 110, "core", "errors, names")
    room(630, 380, 110, "core", "(the same)")
    p.line((260, 88), (260, 378), SECOND, 2, "6 5")
    p.text((255, 375), "model side", FIRST, 13, "end")
    p.text((265, 375), "solver side", MOTION, 13, "start")
    return p


def spectral_radius(rho, omega):
    """Largest eigenvalue of generalized-alpha for x'' + w^2 x = 0 at w h = omega."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    w2 = omega * omega
    # Unknowns (x, v, a) with h = 1; the balance (1-am) a1 + am a0 = -(1-af) w2 x1 - af w2 x0.
    left = (1 - am) + (1 - af) * w2 * beta
    ax = -w2 / left
    av = -(1 - af) * w2 / left
    aa = -(am + (1 - af) * w2 * (0.5 - beta)) / left
    m = [[1 + beta * ax, 1 + beta * av, 0.5 - beta + beta * aa],
         [gamma * ax, 1 + gamma * av, 1 - gamma + gamma * aa],
         [ax, av, aa]]
    # Roots of the characteristic polynomial by Durand and Kerner.
    t = m[0][0] + m[1][1] + m[2][2]
    s = sum(m[i][i] * m[j][j] - m[i][j] * m[j][i] for i, j in ((0, 1), (0, 2), (1, 2)))
    d = (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
         + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
    roots = [cmath.exp(1j * (0.4 + 2.1 * k)) for k in range(3)]
    for _ in range(400):
        for k in range(3):
            value = ((roots[k] - t) * roots[k] + s) * roots[k] - d
            rest = 1
            for other in range(3):
                if other != k:
                    rest *= roots[k] - roots[other]
            roots[k] -= value / rest if rest != 0 else 0
    return max(abs(r) for r in roots)


def generalized_alpha():
    p = Picture(600, 340, "generalized_alpha: Spectral radius of generalized-alpha over step times frequency")
    left, right, top, bottom = 70, 560, 30, 280

    def at(omega, value):
        return (left + (right - left) * (math.log10(omega) + 2) / 5, bottom - (bottom - top) * value)

    for value in (0, 0.2, 0.4, 0.6, 0.8, 1.0):
        p.line(at(0.01, value), at(1000, value), PALE, 1)
        p.text((left - 12, at(1, value)[1] + 5), f"{value:.1f}", INK, 13, "end")
    for power in range(-2, 4):
        p.line(at(10**power, 0), at(10**power, 1), PALE, 1)
        p.text((at(10**power, 0)[0], bottom + 20), f"{10.0**power:g}", INK, 13)
    for rho, color in ((1.0, INK), (0.8, SECOND), (0.5, MOTION), (0.0, FIRST)):
        curve = [at(10 ** (-2 + 5 * i / 250), spectral_radius(rho, 10 ** (-2 + 5 * i / 250)))
                 for i in range(251)]
        p.path(curve, color, 2.4)
        p.text((right - 6, at(1000, rho)[1] + (-8 if rho < 1 else 18)), f"rho = {rho:g}", color, 14, "end")
    p.line((left, bottom), (right, bottom), INK, 1.5)
    p.line((left, bottom), (left, top), INK, 1.5)
    p.text(((left + right) / 2, bottom + 44), "step times angular frequency, h w", INK, 14)
    p.text((left + 4, 20), "share of an oscillation's amplitude kept per step", INK, 13, "start")
    return p


def design_space():
    p = Picture(680, 420, "design_space: The GSSSS members by their three spectral radii")

    def at(low, high, spurious):
        """rho_min to the right, rho_max into the depth, rho_s upwards."""
        return (90 + 330 * low + 120 * (high - low), 350 - 60 * (high - low) - 270 * spurious)

    zero, tip, plain, top = (0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1)
    for a, b, hidden in ((zero, plain, False), (plain, top, False), (zero, top, False),
                         (zero, tip, True), (tip, plain, True), (tip, top, True)):
        p.line(at(*a), at(*b), PALE if hidden else GREY, 1.5)
    for corner, place in ((zero, (-12, 18)), (tip, (10, 22)), (plain, (34, 20)), (top, (36, -8))):
        x, y = at(*corner)
        p.text((x + place[0], y + place[1]), "({}, {}, {})".format(*corner), INK, 13)
    grid = [i / 60 for i in range(61)]
    p.path([at(r, r, r) for r in grid], SECOND, 2.6)
    p.path([at(r, r, 0) for r in grid], FIRST, 2.6)
    p.path([at(0.5 + r / 2, 0.5 + r / 2, (0.5 - r / 2) / (1 + r)) for r in grid], MOTION, 2.6)
    p.path([at(r, 1, r) for r in grid], INK, 2.6)
    p.text((222, 222), "generalized-alpha", SECOND, 15, "end")
    p.text((230, 374), "WBZ", FIRST, 15)
    p.text((345, 290), "HHT", MOTION, 15, "start")
    p.text((302, 212), "U0-V0 optimal", INK, 15, "start")
    for point, lines, color in ((plain, ("Newmark (U0)", "MPR-MPA (V0)"), FIRST),
                                (top, ("MPR-EPA (U0 = V0)",), SECOND)):
        x, y = at(*point)
        p.circle((x, y), 5, color, 2, "white")
        for i, line in enumerate(lines):
            p.text((x + 78, y - 14 + 20 * i), line, color, 15, "start")
    p.text((90, 405), "(rho_min, rho_max, rho_s): rho_min to the right, rho_s upwards, rho_max into the depth", INK, 13,
           "start")
    return p


def block_elimination():
    p = Picture(720, 250, "block_elimination: Order of elimination on an open chain")
    bodies = [(120, 80), (300, 80), (480, 80), (660, 80)]
    joints = [(30, 80), (210, 80), (390, 80), (570, 80)]
    for a, b in zip([bodies[0]] + bodies[:3], [joints[0]] + joints[1:]):
        p.line(a, b, GREY, 2)
    for a, b in zip(bodies, joints):
        p.line(a, b, GREY, 2)
    order = {660: 1, 570: 2, 480: 3, 390: 4, 300: 5, 210: 6, 120: 7, 30: 8}
    for i, (x, y) in enumerate(bodies):
        p.box((x - 26, y - 26), (52, 52), SECOND, 2, SECOND_FILL, 6)
        p.text((x, y + 6), f"M_{{{i + 1}}}", SECOND, 17)
        p.text((x, y + 52), str(order[x]), INK, 16, bold=True)
    for i, (x, y) in enumerate(joints):
        p.circle((x, y), 22, FIRST, 2, FIRST_FILL)
        p.text((x, y + 6), f"G_{{{i + 1}}}", FIRST, 16)
        p.text((x, y + 52), str(order[x]), INK, 16, bold=True)
    p.arrow((640, 165), (50, 165), MOTION, 2.2, 11)
    p.text((345, 190), "eliminated from the free end to the ground: no fill, cost O(n)", MOTION, 15)
    p.text((345, 222), "a joint's block goes after the body beyond it, whose mass makes its pivot large", INK, 14)
    return p


def assembly():
    p = Picture(640, 300, "assembly: From described to assembled positions")
    for x, title, angle, end, guess in ((20, "described", -4, (245, 118), True), (340, "assembled", 0, None, False)):
        o = (x + 50, 200)
        p.text((x + 140, 30), title, INK, 16, bold=True)
        p.pivot(o, 18)
        pin = (o[0] + 52, o[1] - 74)
        if guess:
            p.bar((x + 90, 92), (x + 224, 152), 18, GREY, "#f0f0f0")
            p.box((x + 222, 158), (46, 34), GREY, 1.8, "#f0f0f0", 4)
            p.line(pin, (x + 90, 92), FORCE, 1.6, "4 3")
            p.line((x + 224, 152), (x + 245, 175), FORCE, 1.6, "4 3")
            p.text((x + 128, 84), "gaps g", FORCE, 14, "start")
        else:
            length = 156
            dx = math.sqrt(length**2 - 74**2)
            slider = (pin[0] + dx, o[1])
            p.box((slider[0] - 23, slider[1] - 17), (46, 34), SECOND, 1.8, SECOND_FILL, 4)
            p.bar(pin, slider, 18, MOTION, "#d8ecdf")
            p.pin(slider)
        p.bar(o, pin, 20, FIRST, FIRST_FILL)
        p.pin(o)
        p.pin(pin)
        p.ground((x + 150, 222 if not guess else 222), (x + 275, 222))
    p.arrow((298, 130), (338, 130), INK, 2.5, 12)
    p.text((70, 282), "the crank is fixed; everything else is a guess", INK, 13, "start")
    p.text((410, 282), "least mass moved, g = 0", INK, 13, "start")
    return p


def emblem():
    """The elliptic trammel: crossed rails, two sliders, a bar and the ellipse of its pen."""
    p = Picture(160, 160, "emblem: Trammel's emblem: the elliptic trammel")
    c, length, reach, angle = (80, 80), 44, 26, math.radians(52)
    ellipse = [(c[0] + (length + reach) * math.cos(t), c[1] + reach * math.sin(t))
               for t in (2 * math.pi * i / 72 for i in range(72))]
    p.line((8, 80), (152, 80), GREY, 5)
    p.line((80, 20), (80, 140), GREY, 5)
    p.path(ellipse, MOTION, 3, closed=True)
    wall = (c[0], c[1] - length * math.sin(angle))
    floor = (c[0] + length * math.cos(angle), c[1])
    pen = (c[0] + (length + reach) * math.cos(angle), c[1] + reach * math.sin(angle))
    p.bar(wall, pen, 11, FIRST, FIRST_FILL)
    p.box((wall[0] - 7, wall[1] - 10), (14, 20), SECOND, 2, SECOND_FILL, 2)
    p.box((floor[0] - 10, floor[1] - 7), (20, 14), SECOND, 2, SECOND_FILL, 2)
    p.pin(wall, 3.5)
    p.pin(floor, 3.5)
    p.circle(pen, 4.5, MOTION, 1.5, MOTION)
    return p


PICTURES = [planar_revolute, planar_prismatic, planar_fixed, planar_distance, spatial_spherical,
            spatial_universal, spatial_revolute, spatial_cylindrical, spatial_prismatic, spatial_fixed,
            spatial_distance, force_spring, force_rotational_spring, force_force, force_torque,
            force_gravity, slider_crank, frames, data_flow, rooms, generalized_alpha, design_space,
            block_elimination, assembly, emblem, *JOINT_PICTURES, *FORCE_PICTURES,
            *ELEMENT_PICTURES, *CONCEPT_PICTURES]


def main():
    words = sys.argv[1:]
    for make in PICTURES:
        if not words or any(word in make.__name__ for word in words):
            make().write(HERE)


if __name__ == "__main__":
    main()
