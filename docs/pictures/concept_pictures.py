"""Pictures of the page of concepts, of the tutorial on connections and of stability."""

import cmath
import math

from drawing import (FIRST, FIRST_FILL, FORCE, GREY, INK, MOTION, PALE, SECOND, SECOND_FILL, Picture)


def concepts():
    p = Picture(640, 300, "concepts: Bodies, elements with endpoints, a connection, hinges and a cut joint")
    # A four-bar: two hinges to the ground, two between the links, one of which is opened.
    p.pivot((80, 220))
    p.pivot((300, 220))
    p.bar((80, 220), (120, 110), 24, FIRST, FIRST_FILL)
    p.bar((120, 110), (270, 90), 24, SECOND, SECOND_FILL)
    p.bar((300, 220), (270, 90), 24, FIRST, FIRST_FILL)
    for at in ((80, 220), (120, 110), (270, 90), (300, 220)):
        p.pin(at, 5)
    p.text((62, 160), "body", FIRST, 15)
    p.text((195, 78), "body", SECOND, 15)
    p.text((118, 86), "hinge", MOTION, 14)
    p.circle((270, 90), 17, FORCE, 2, "none")
    p.text((290, 68), "cut joint", FORCE, 15, "start")
    p.text((190, 284), "hinges make the tree; a cut joint closes a loop", INK, 14)
    # An assembled connection.
    p.box((400, 60), (60, 44), FIRST, 2, FIRST_FILL, 4)
    p.box((560, 180), (64, 44), SECOND, 2, SECOND_FILL, 4)
    node = (520, 110)
    p.spring((460, 84), node, 6, 14)
    p.spring(node, (575, 180), 6, 14)
    p.ground((430, 220), (500, 220))
    p.spring((465, 220), node, 7, 14)
    p.circle(node, 7, INK, 1.8, "white")
    p.text((536, 100), "internal node", INK, 14, "start")
    p.text((482, 66), "element", INK, 14, "start")
    for at in ((460, 84), (575, 180), (465, 220)):
        p.pin(at, 4)
    p.text((392, 150), "endpoint", GREY, 14, "start")
    p.line((430, 138), (456, 92), GREY, 1, "3 3")
    p.text((515, 284), "a connection of three elements", INK, 14)
    return p


def tree_and_cut_joint():
    p = Picture(460, 220, "tree_and_cut_joint: The graph of a loop: branches of a tree and a cut joint")
    places = {"ground": (70, 160), "crank": (70, 60), "rod": (230, 60), "rocker": (230, 160)}
    for a, b, name in (("ground", "crank", "pin"), ("crank", "rod", "joint"), ("ground", "rocker", "bearing")):
        p.arrow(places[a], places[b], MOTION, 2.4, 10)
    p.line(places["rod"], places["rocker"], FORCE, 2.4, "7 5")
    for name, at in places.items():
        p.circle(at, 9, INK, 1.8, PALE if name == "ground" else FIRST_FILL)
    p.text((70, 190), "ground", INK, 14)
    p.text((70, 40), "crank", INK, 14)
    p.text((230, 40), "rod", INK, 14)
    p.text((230, 190), "rocker", INK, 14)
    p.line((300, 80), (340, 80), MOTION, 2.4)
    p.text((350, 85), "branch: hinge", INK, 14, "start")
    p.line((300, 120), (340, 120), FORCE, 2.4, "7 5")
    p.text((350, 125), "cut joint: rows", INK, 14, "start")
    return p


def pedal():
    p = Picture(460, 250, "pedal: A muscle pulls a lever through a tendon")
    p.pivot((90, 190))
    p.bar((90, 190), (350, 170), 26, SECOND, SECOND_FILL)
    p.pin((90, 190), 5)
    p.text((270, 208), "lever", SECOND, 15)
    p.ground((40, 70), (40, 20))
    knot = (200, 85)
    p.path([(44, 45), (80, 38), (120, 44), (160, 66), knot, (150, 84), (100, 78), (66, 62)], FIRST, 2, FIRST_FILL,
           closed=True)
    p.text((112, 66), "muscle", FIRST, 14)
    p.circle(knot, 7, INK, 1.8, "white")
    p.text((216, 78), "knot", INK, 14, "start")
    p.spring((206, 89), (345, 166), 9, 14)
    p.text((292, 118), "tendon", INK, 14, "start")
    p.spring((200, 92), (205, 178), 7, 12)
    p.text((186, 140), "skin", INK, 14, "end")
    p.pin((345, 168), 4)
    p.pin((205, 181), 4)
    p.arrow((190, 112), (150, 100), FORCE, 2.2, 9)
    p.text((150, 122), "pull", FORCE, 14)
    return p


def staggered_stability():
    """Growth per step of J w' + w x J w = 0 linearised, x = h W with the rate of precession W."""
    p = Picture(600, 340, "staggered_stability: Growth of a perturbed rotation per step over step times rate")
    left, right, top, bottom = 70, 560, 40, 280

    def at(x, value):
        return (left + (right - left) * x / 3.2, bottom - (bottom - top) * (value - 0.5) / 2.5)

    def two_stages(x):
        # s^2 + i x s - 1 = 0 per half step.
        root = cmath.sqrt(4.0 - x * x)
        return max(abs((-1j * x + sign * root) / 2.0) for sign in (1, -1)) ** 2

    for value in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0):
        p.line(at(0, value), at(3.2, value), PALE, 1)
        p.text((left - 12, at(0, value)[1] + 5), f"{value:.1f}", INK, 13, "end")
    for x in (0, 1, 2, 3):
        p.text((at(x, 0.5)[0], bottom + 20), str(x), INK, 13)
    grid = [3.2 * i / 640 for i in range(641)]
    p.path([at(x, 1.0) for x in grid], MOTION, 2.4, dash="6 5")
    p.path([at(x, math.sqrt(1.0 + x * x)) for x in grid if 1.0 + x * x <= 9.0], FORCE, 2.4)
    p.path([at(x, two_stages(x)) for x in grid if two_stages(x) <= 3.0], FIRST, 2.4)
    p.line(at(2, 0.5), at(2, 1.0), FIRST, 1.2, "3 3")
    printed = 2.0 * math.sqrt(2.0)
    p.line(at(printed, 0.5), at(printed, 1.0), GREY, 1.2, "3 3")
    p.text((at(printed, 0.5)[0], bottom - 12), "printed limit", GREY, 13)
    p.text((at(1.55, 0)[0], at(0, 2.2)[1]), "velocities half a step late", FORCE, 14, "end")
    p.text((at(1.96, 0)[0], at(0, 1.2)[1]), "two stages", FIRST, 14, "end")
    p.text((at(0.5, 0)[0], at(0, 0.8)[1]), "mean of both velocities, implicit", MOTION, 14, "start")
    p.line((left, bottom), (right, bottom), INK, 1.5)
    p.line((left, bottom), (left, top), INK, 1.5)
    p.text(((left + right) / 2, bottom + 44), "step times rate of precession, h W", INK, 14)
    p.text((left + 4, 24), "growth of a perturbation per step", INK, 13, "start")
    return p


CONCEPT_PICTURES = [staggered_stability, concepts, tree_and_cut_joint, pedal]
