"""Driven planar linkages: closed-form positions, loads of the drives from the energies."""

import cmath
import math

from .planar import Linkage, angle, block, derivatives, dyad, rod, unit


def quick_return(_tolerance):
    """The block on the crank pin turns the slotted lever, whose other end moves the ram."""
    r, d, arm, length, speed = 0.1, 0.05, 0.08, 0.3, 10.0

    def pin(s):
        return 1j * d + r * cmath.exp(1j * s)

    def end(s):
        return -arm * unit(pin(s))

    def ram(s):
        e = end(s)
        return e.real + math.sqrt(length**2 - e.imag**2) + 0j

    lever = (1.0, 0.25**2 / 12.0, lambda s: (0.045 * unit(pin(s)), unit(pin(s))))
    linkage = Linkage([rod(0.5, lambda s: 1j * d, pin), lever, rod(0.6, end, ram), block(2.0, ram),
                       block(0.2, pin, lambda s: unit(pin(s)), 1e-4)])
    for time in (0.1, 0.3, 0.5):
        s = speed * time
        x, v, a = derivatives(ram, s, speed)
        turn = (unit(pin(s)).conjugate() * Linkage.slope(lambda y: unit(pin(y)), s)).imag * speed
        yield "guide.displacement", time, x.real
        yield "ram.velocity.x", time, v.real
        yield "ram.acceleration.x", time, a.real
        yield "pivot.angle_rate", time, turn
        yield "motor.load", time, linkage.load(s, speed)


def geneva(_tolerance):
    """phi = atan2(-r sin(theta), c - r cos(theta)) while the pin is in the slot."""
    r, speed, inertia = 0.1, 2.0 * math.pi, 0.5 * 2.0 * 0.1**2
    c = r * math.sqrt(2.0)

    def wheel(s):
        return math.atan2(-r * math.sin(s), c - r * math.cos(s))

    for time in (0.0625, 0.125, 0.1875):
        s = -math.pi / 4 + speed * time
        phi, rate, acceleration = derivatives(wheel, s, speed)
        yield "wheel.angle", time, phi
        yield "wheel.angular_velocity", time, rate
        yield "wheel.angular_acceleration", time, acceleration
        yield "motor.load", time, inertia * acceleration * rate / speed


def four_bar(s):
    """Crank pin and rocker pin of the four-bar that both six-bars begin with."""
    a = 0.1 * cmath.exp(1j * s)
    return a, dyad(a, 0.3, 0.3, 0.2, 1)


def watt_sixbar(_tolerance):
    """Two four-bars in series; the second is driven by the rocker of the first, 60 degrees behind."""
    speed = 2.0 * math.pi

    def a(s):
        return 0.1 * cmath.exp(1j * s)

    def b(s):
        return four_bar(s)[1]

    def c(s):
        return 0.3 + 0.15 * unit(b(s) - 0.3) * cmath.exp(-1j * math.pi / 3)

    def d(s):
        return dyad(c(s), 0.6, 0.3, 0.2, 1)

    linkage = Linkage([rod(0.3, lambda s: 0j, a), rod(0.9, a, b), rod(0.6, lambda s: 0.3 + 0j, b),
                       rod(0.45, lambda s: 0.3 + 0j, c), rod(0.9, c, d),
                       rod(0.6, lambda s: 0.6 + 0j, d)])
    for time in (0.25, 0.5, 0.9):
        s = speed * time
        turn = (unit(d(s) - 0.6).conjugate() * Linkage.slope(lambda y: unit(d(y) - 0.6), s)).imag
        yield "rocker.angle", time, angle(b(s) - 0.3)
        yield "output.angle", time, angle(d(s) - 0.6)
        yield "output.angular_velocity", time, turn * speed
        yield "motor.load", time, linkage.load(s, speed)


def stephenson_sixbar(_tolerance):
    """A four-bar whose coupler point moves a third rocker through a dyad."""
    speed = 2.0 * math.pi

    def a(s):
        return 0.1 * cmath.exp(1j * s)

    def b(s):
        return four_bar(s)[1]

    def p(s):
        return a(s) + 0.25 * unit(b(s) - a(s)) * cmath.exp(1j * math.pi / 6)

    def d(s):
        return dyad(p(s), 0.5, 0.35, 0.25, 1)

    linkage = Linkage([rod(0.3, lambda s: 0j, a), rod(0.9, a, b), rod(0.5, a, p),
                       rod(0.6, lambda s: 0.3 + 0j, b), rod(0.7, p, d),
                       rod(0.5, lambda s: 0.5 + 0j, d)])
    for time in (0.25, 0.5, 0.9):
        s = speed * time
        turn = (unit(d(s) - 0.5).conjugate() * Linkage.slope(lambda y: unit(d(y) - 0.5), s)).imag
        yield "point_x", time, p(s).real
        yield "point_y", time, p(s).imag
        yield "output.angle", time, angle(d(s) - 0.5)
        yield "output.angular_velocity", time, turn * speed
        yield "motor.load", time, linkage.load(s, speed)


def peaucellier(_tolerance):
    """OC * OP = L^2 - l^2: the inverse of a circle through O is a straight line."""
    long, short, r = 0.3, 0.15, 0.1

    def c(s):
        return r + r * cmath.exp(1j * s)

    def p(s):
        return (long**2 - short**2) / c(s).conjugate()

    def a(s):
        return dyad(0j, c(s), long, short, 1)

    def b(s):
        return dyad(0j, c(s), long, short, -1)

    linkage = Linkage([rod(0.2, lambda s: r + 0j, c), rod(0.6, lambda s: 0j, a),
                       rod(0.6, lambda s: 0j, b), rod(0.3, a, c), rod(0.3, b, c), rod(0.3, a, p),
                       rod(0.3, b, p)])
    wave = math.pi
    for time in (0.3, 0.7, 1.5):
        s = math.pi / 3 * math.sin(wave * time)
        rate = math.pi / 3 * wave * math.cos(wave * time)
        acceleration = -wave**2 * s
        at, velocity, _ = derivatives(p, s, rate, acceleration)
        yield "pen_x", time, (long**2 - short**2) / (2.0 * r)
        yield "pen_y", time, at.imag
        yield "pen_y_rate", time, velocity.imag
        yield "motor.load", time, linkage.load(s, rate, acceleration)


def scotch_yoke(_tolerance):
    """x = r cos(omega t); the block moves up and down in the yoke."""
    r, speed, yoke, block_mass, crank = 0.05, 20.0, 1.5, 0.3, 0.4
    for time in (0.1, 0.2, 0.33):
        c, s = math.cos(speed * time), math.sin(speed * time)
        yield "guide.displacement", time, r * c
        yield "yoke.velocity.x", time, -r * speed * s
        yield "yoke.acceleration.x", time, -r * speed**2 * c
        load = yoke * r * r * speed**2 * c * s + (block_mass + 0.5 * crank) * 9.81 * r * c
        yield "motor.load", time, load


def oldham(_tolerance):
    """The middle of the floating disc runs twice per turn round a circle between the two shafts."""
    e, speed, mass = 0.02, 10.0, 0.8
    for time in (0.1, 0.25, 0.4):
        s = speed * time
        # The slots pass through both shafts, at right angles: the middle is the foot of a right angle.
        middle = e * math.cos(s) * cmath.exp(1j * s)
        yield "floating.position.x", time, middle.real
        yield "floating.position.y", time, middle.imag
        yield "driven.angular_velocity", time, speed
        yield "motor.load", time, mass * 9.81 * e * math.cos(2.0 * s)


def pantograph(_tolerance):
    """The pen is three times as far from the pivot as the tracer, in the same direction."""
    for time in (0.2, 0.5, 0.8):
        wave = 2.0 * math.pi * time
        x = 0.12 + 0.02 * math.cos(wave) + 0.01 * math.sin(2.0 * wave)
        y = 0.05 + 0.03 * math.sin(wave)
        vy = 0.03 * 2.0 * math.pi * math.cos(wave)
        yield "pen_x", time, 3.0 * x
        yield "pen_y", time, 3.0 * y
        yield "pen_y_rate", time, 3.0 * vy


def windshield_wiper(_tolerance):
    """A crank-rocker moves one blade; a parallelogram carries the angle to the other."""
    speed, ground = 2.0 * math.pi, 0.25 - 0.06j

    def a(s):
        return 0.05 * cmath.exp(1j * s)

    def b(s):
        return dyad(a(s), ground, 0.25, 0.09, -1)

    def blade(s):
        return unit(b(s) - ground) * cmath.exp(0.9j * math.pi)

    for time in (0.2, 0.5, 0.8):
        s = speed * time
        turn = (blade(s).conjugate() * Linkage.slope(blade, s)).imag * speed
        tip = ground + 0.6 + 0.45 * blade(s)
        yield "left.angle", time, angle(b(s) - ground)
        yield "right.angular_velocity", time, turn
        yield "tip_x", time, tip.real
        yield "tip_y", time, tip.imag


EXAMPLES = {
    "geneva": (geneva, "closed form of the pin in the slot"),
    "oldham": (oldham, "closed form: Thales' circle between the shafts"),
    "pantograph": (pantograph, "similar triangles"),
    "peaucellier": (peaucellier, "inversion of a circle, closed form; load from the energies"),
    "quick_return": (quick_return, "closed form; load from the energies"),
    "scotch_yoke": (scotch_yoke, "closed form"),
    "stephenson_sixbar": (stephenson_sixbar, "intersections of circles; load from the energies"),
    "watt_sixbar": (watt_sixbar, "intersections of circles; load from the energies"),
    "windshield_wiper": (windshield_wiper, "intersections of circles"),
}
