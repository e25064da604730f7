"""Pictures of elements with states, equations and matrices; drawn by make_pictures.py."""

import math

from drawing import (FIRST, FIRST_FILL, FORCE, GREY, INK, MOTION, SECOND, SECOND_FILL, Picture)
from force_pictures import H, W, graph


def block(p, corner, size, text, color=INK, fill="white"):
    """A box of a block diagram."""
    p.box(corner, size, color, 1.8, fill, 4)
    p.text((corner[0] + size[0] / 2, corner[1] + size[1] / 2 + 5), text, color, 15)


def shaft(p, at, radius=34):
    p.circle(at, radius, SECOND, 2, SECOND_FILL)
    p.circle(at, 4, INK, 1.5, "white")


def circuit(p, source):
    """A winding between its source and the armature."""
    p.line((70, 70), (150, 70), INK, 1.6)
    p.box((150, 60), (54, 20), INK, 1.6)
    p.text((177, 50), "R", INK, 15, italic=True)
    p.line((204, 70), (232, 70), INK, 1.6)
    for i in range(4):
        p.arc((241 + 18 * i, 70), 9, 180, 0, INK, 1.6, 0)
    p.text((268, 50), "L", INK, 15, italic=True)
    p.line((304, 70), (350, 70), INK, 1.6)
    p.line((350, 70), (350, 110), INK, 1.6)
    p.line((350, 178), (350, 215), INK, 1.6)
    p.line((350, 215), (70, 215), INK, 1.6)
    p.line((70, 215), (70, 165), INK, 1.6)
    p.line((70, 120), (70, 70), INK, 1.6)
    p.circle((70, 142), 22, FORCE, 1.8, "white")
    p.text((70, 147), source, FORCE, 15, italic=True)
    p.arrow((100, 92), (140, 92), FORCE, 2, 9)
    p.text((120, 110), "i", FORCE, 15, italic=True)
    shaft(p, (350, 144))
    p.arc((350, 144), 50, -50, 60, MOTION, 2.4, 10)
    p.text((418, 150), "x", MOTION, 17, italic=True)


def force_dc_motor():
    p = Picture(W, H, "force_dc_motor: Circuit of a motor and its shaft")
    circuit(p, "V")
    p.text((230, H - 20), "F = c i,   L i' = V - R i - c x'", INK, 15)
    return p


def force_position_servo():
    p = Picture(W, H, "force_position_servo: The error of position drives a motor")
    p.circle((90, 130), 16, INK, 1.8, "white")
    p.text((90, 135), "-", INK, 18)
    p.arrow((26, 130), (74, 130), INK, 1.8, 9)
    p.text((40, 120), "s", INK, 16, italic=True)
    p.arrow((106, 130), (150, 130), INK, 1.8, 9)
    block(p, (150, 105), (60, 50), "b")
    p.arrow((210, 130), (250, 130), INK, 1.8, 9)
    p.text((230, 120), "V", INK, 15, italic=True)
    block(p, (250, 105), (84, 50), "motor", FIRST, FIRST_FILL)
    p.arrow((334, 130), (370, 130), FORCE, 2.2, 9)
    p.text((350, 118), "F", FORCE, 16, italic=True)
    shaft(p, (404, 130), 30)
    p.path([(404, 160), (404, 215), (90, 215), (90, 150)], MOTION, 1.8)
    p.head((90, 147), (0, -1), MOTION, 9)
    p.text((240, 234), "x", MOTION, 16, italic=True)
    return p


def force_pid():
    p = Picture(W, H, "force_pid: Three parts of the load, and its limits")
    p.arrow((16, 130), (60, 130), INK, 1.8, 9)
    p.text((34, 120), "e", INK, 16, italic=True)
    p.line((60, 60), (60, 200), INK, 1.6)
    for y, text in ((60, "kp e"), (130, "ki int e"), (200, "kd e'")):
        p.arrow((60, y), (90, y), INK, 1.6, 8)
        block(p, (90, y - 20), (90, 40), text)
        p.line((180, y), (214, y), INK, 1.6)
    p.line((214, 60), (214, 114), INK, 1.6)
    p.line((214, 200), (214, 146), INK, 1.6)
    p.circle((214, 130), 14, INK, 1.8, "white")
    p.text((214, 136), "+", INK, 17)
    p.arrow((228, 130), (272, 130), INK, 1.8, 9)
    p.text((248, 120), "u", INK, 16, italic=True)
    p.box((272, 90), (100, 80), FIRST, 1.8, FIRST_FILL, 4)
    p.path([(282, 155), (304, 155), (340, 105), (362, 105)], FIRST, 2.4)
    p.arrow((372, 130), (430, 130), FORCE, 2.4, 10)
    p.text((404, 118), "F", FORCE, 17, italic=True)
    p.path([(390, 130), (390, 240), (200, 240), (200, 145), (182, 145)], GREY, 1.4, dash="4 3")
    p.text((270, 258), "F - u lets the integral run back", GREY, 13)
    return p


def force_state_space():
    p = Picture(W, H, "force_state_space: Inputs, states and loads of a linear model")
    block(p, (90, 110), (50, 44), "B")
    block(p, (210, 105), (70, 54), "int")
    block(p, (320, 110), (50, 44), "C")
    block(p, (215, 190), (60, 40), "A")
    block(p, (215, 30), (60, 40), "D")
    p.arrow((20, 132), (90, 132), INK, 1.8, 9)
    p.text((34, 122), "i", INK, 16, italic=True)
    p.arrow((140, 132), (210, 132), INK, 1.8, 9)
    p.text((174, 122), "z'", INK, 16, italic=True)
    p.arrow((280, 132), (320, 132), INK, 1.8, 9)
    p.text((298, 122), "z", INK, 16, italic=True)
    p.arrow((370, 132), (446, 132), FORCE, 2.4, 10)
    p.text((426, 120), "F", FORCE, 17, italic=True)
    p.path([(300, 132), (300, 210), (275, 210)], INK, 1.6)
    p.path([(215, 210), (170, 210), (170, 140)], INK, 1.6)
    p.head((170, 136), (0, -1), INK, 8)
    p.path([(56, 132), (56, 50), (215, 50)], INK, 1.6)
    p.path([(275, 50), (396, 50), (396, 124)], INK, 1.6)
    p.head((396, 129), (0, 1), INK, 8)
    return p


def force_hydraulic_cylinder():
    p = Picture(W, H, "force_hydraulic_cylinder: Two chambers, a piston and a four-way valve")
    p.box((60, 40), (240, 80), FIRST, 2, FIRST_FILL, 4)
    p.box((66, 46), (110, 68), GREY, 1, "#f6e6c8")
    p.box((194, 46), (100, 68), GREY, 1, "#f9f1e0")
    p.box((176, 46), (18, 68), SECOND, 1.8, SECOND_FILL)
    p.bar((194, 80), (410, 80), 12, SECOND, SECOND_FILL)
    p.text((120, 86), "p_{a}, V_{a}", INK, 15, italic=True)
    p.text((246, 70), "p_{b}", INK, 15, italic=True)
    p.arrow((330, 46), (390, 46), FORCE, 2.6, 11)
    p.text((360, 34), "F, x", FORCE, 15, italic=True)
    for x in (90, 270):
        p.line((x, 120), (x, 176), INK, 2)
    p.text((78, 152), "Q_{a}", MOTION, 14, "end")
    p.text((282, 152), "Q_{b}", MOTION, 14, "start")
    p.box((70, 176), (220, 44), INK, 1.8)
    p.arrow((110, 214), (100, 182), INK, 1.8, 9)
    p.arrow((260, 182), (250, 214), INK, 1.8, 9)
    p.text((180, 203), "valve, u", INK, 15)
    p.line((110, 220), (110, 250), INK, 2)
    p.line((250, 220), (250, 250), INK, 2)
    p.text((110, 268), "supply p_{s}", INK, 13)
    p.text((250, 268), "tank p_{t}", INK, 13)
    return p


def maxwell(p):
    p.line((80, 50), (80, 210), FIRST, 3)
    p.line((380, 50), (380, 210), SECOND, 3)
    p.spring((80, 70), (380, 70), 11, 18)
    p.text((230, 52), "k_{inf}", INK, 15)
    for y, name in ((140, "1"), (200, "2")):
        p.spring((80, y), (220, y), 6, 16)
        p.damper((220, y), (380, y), 18)
        p.circle((220, y), 4, INK, 1.6, "white")
        p.text((150, y - 16), "k_{" + name + "}", INK, 14)
        p.text((300, y - 16), "k_{" + name + "} tau_{" + name + "}", INK, 14)
    p.arrow((80, 240), (380, 240), MOTION, 2, 9, True)
    p.text((230, 260), "x", MOTION, 16, italic=True)


def force_viscoelastic_spring():
    p = Picture(W, H, "force_viscoelastic_spring: A spring beside Maxwell elements, between two points")
    maxwell(p)
    p.pin((80, 130))
    p.pin((380, 130))
    return p


def force_coordinate_viscoelastic():
    p = Picture(W, H, "force_coordinate_viscoelastic: The load relaxes after a step of the coordinate")
    graph(p, (30, 20), (400, 220), "t", "-F",
          [(lambda t: 0.0 if t < 0 else 0.45 + 0.5 * math.exp(-4 * t), FORCE, None),
           (lambda t: 0.0 if t < 0 else 0.45, GREY, "4 3")], (-0.2, 1.0))
    p.text((300, 110), "k_{inf} e", GREY, 14)
    p.text((W / 2, H - 14), "k(t) e after a step e at t = 0", INK, 13)
    return p


def force_implicit_force():
    p = Picture(W, H, "force_implicit_force: The root of the equation is the load")
    at = graph(p, (30, 20), (400, 220), "F", "r(F)",
               [(lambda f: 0.5 * f + 0.8 * f ** 3 - 0.25, FORCE, None)])
    p.circle(at(0.404, 0.0), 5, INK, 1.8, "white")
    p.text((at(0.404, 0)[0], at(0, 0)[1] + 22), "load", INK, 14)
    return p


def force_parametric_spring():
    p = Picture(W, H, "force_parametric_spring: A stiffness that varies in time")
    graph(p, (30, 20), (400, 220), "t", "K(t)",
          [(lambda t: 0.6 + 0.3 * math.cos(14 * t), FORCE, None),
           (lambda t: 0.6, GREY, "4 3")], (-0.05, 1.0))
    return p


def force_matrix_element():
    p = Picture(W, H, "force_matrix_element: Relevant variables between several bodies and their matrix")
    places = ((90, 80), (230, 190), (370, 90), (230, 70))
    for i, at in enumerate(places):
        p.circle(at, 20, SECOND, 2, SECOND_FILL)
    for a, b, name in ((0, 1, "x_{1}"), (1, 2, "x_{2}"), (0, 3, "x_{3}"), (3, 2, "x_{4}")):
        (xa, ya), (xb, yb) = places[a], places[b]
        length = math.hypot(xb - xa, yb - ya)
        ux, uy = (xb - xa) / length, (yb - ya) / length
        p.arrow((xa + 22 * ux, ya + 22 * uy), (xb - 22 * ux, yb - 22 * uy), MOTION, 1.8, 8, True)
        p.text(((xa + xb) / 2 + 14 * uy, (ya + yb) / 2 - 14 * ux + 10), name, MOTION, 14)
    p.text((230, 258), "F = -K (x - x0) - B x'", INK, 16)
    return p


def force_fung_element():
    p = Picture(W, H, "force_fung_element: The load after sudden strains of two sizes: their responses, and one relaxation")
    graph(p, (30, 20), (400, 220), "t", "-F",
          [(lambda t: 0.0 if t < 0 else 0.9 * (1 - 0.14 * math.log(1 + 60 * t)), FORCE, None),
           (lambda t: 0.0 if t < 0 else 0.3 * (1 - 0.14 * math.log(1 + 60 * t)), FORCE, None),
           (lambda t: 0.9, GREY, "4 3"), (lambda t: 0.3, GREY, "4 3")], (-0.1, 1.0))
    p.text((330, 36), "E(2 e)", GREY, 14)
    p.text((330, 148), "E(e)", GREY, 14)
    p.text((W / 2, H - 14), "G(t) E after a step at t = 0", INK, 13)
    return p


def force_triangle():
    p = Picture(W, H, "force_triangle: Elastic sheet between three points")
    corners = ((70, 210), (370, 220), (160, 50))
    p.path(corners, FIRST, 2.2, FIRST_FILL, True)
    for at in corners:
        p.circle(at, 7, SECOND, 2, SECOND_FILL)
    p.text((54, 228), "1", INK, 15)
    p.text((388, 236), "2", INK, 15)
    p.text((150, 38), "3", INK, 15)
    p.text((220, 238), "a", MOTION, 16, italic=True)
    p.text((98, 124), "b", MOTION, 16, italic=True)
    p.text((284, 124), "c", MOTION, 16, italic=True)
    p.text((200, 160), "E, nu, t", INK, 15)
    return p


def force_beam():
    p = Picture(W, H, "force_beam: A bent beam, its chord and the turns of its ends")
    a, b = (70, 190), (390, 90)
    points = []
    for i in range(41):
        s = i / 40
        bow = 26 * math.sin(math.pi * s) + 10 * math.sin(2 * math.pi * s)
        points.append((a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s + bow))
    p.path(points, SECOND, 6)
    p.line(a, b, GREY, 1.4, "5 4")
    p.text((220, 124), "d", GREY, 16, italic=True)
    p.axes(a, -2, 56, FIRST, ("x_{a}", "y_{a}"))
    p.axes(b, 32, 56, SECOND, ("x_{b}", "y_{b}"))
    p.pin(a)
    p.pin(b)
    p.text((176, 178), "t_{a}", MOTION, 15, italic=True)
    p.text((334, 132), "t_{b}", MOTION, 15, italic=True)
    p.text((230, H - 16), "stretch |d| - l0, turns of the ends against the chord, twist", INK, 13)
    return p


def connection():
    p = Picture(W, H, "connection: A connection with two internal nodes between three bodies")
    p.box((20, 30), (70, 40), FIRST, 2, FIRST_FILL, 4)
    p.box((360, 20), (80, 44), SECOND, 2, SECOND_FILL, 4)
    p.box((190, 226), (90, 40), SECOND, 2, SECOND_FILL, 4)
    left, right = (160, 120), (300, 130)
    p.spring((90, 58), left, 7, 14)
    p.spring((360, 56), right, 7, 14)
    p.path([left, (200, 132), (255, 136), right], INK, 5)
    p.spring(left, (215, 226), 7, 14)
    p.spring(right, (255, 226), 7, 14)
    for at, name in ((left, "I_{1}"), (right, "I_{2}")):
        p.circle(at, 7, INK, 1.8, "white")
        p.text((at[0] + 20, at[1] - 8), name, INK, 14)
    p.arrow((300, 138), (300, 190), FORCE, 2.4, 10)
    p.text((316, 186), "F", FORCE, 16, italic=True)
    for at in ((90, 58), (360, 56), (215, 226), (255, 226)):
        p.pin(at, 4)
    p.text((300, H - 14), "internal nodes find their place", INK, 13, "start")
    return p


ELEMENT_PICTURES = [connection, force_dc_motor, force_position_servo, force_pid, force_state_space, force_hydraulic_cylinder,
                    force_viscoelastic_spring, force_coordinate_viscoelastic, force_implicit_force,
                    force_parametric_spring, force_matrix_element, force_fung_element, force_triangle, force_beam]
