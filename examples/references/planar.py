"""Planar linkages in complex numbers: a point is x + i y, a direction exp(i angle)."""

import cmath
import math

from .integration import GRAVITY, OneFreedom


def dyad(a, b, from_a, from_b, side):
    """The point at the distances `from_a` and `from_b`; side +1: to the left of the way from a to b."""
    d = abs(b - a)
    along = (d * d + from_a**2 - from_b**2) / (2.0 * d)
    return a + (b - a) / d * (along + 1j * side * math.sqrt(from_a**2 - along**2))


def unit(z):
    return z / abs(z)


def angle(z):
    return cmath.phase(z)


class Linkage:
    """Bodies whose mass centres and directions are explicit functions of one coordinate s.

    T = J(s) s'^2 / 2,  J = sum m |c'|^2 + I (arg u)'^2;  the load along s that makes it move as it does is
    J s'' + J'(s) s'^2 / 2 + V'(s).
    """

    slope = staticmethod(OneFreedom.slope)

    def __init__(self, bodies, gravity=GRAVITY):
        self.bodies = bodies  # (mass, inertia about the centre, s -> (centre, direction))
        self.gravity = gravity

    def inertia(self, s):
        total = 0.0
        for mass, inertia, pose in self.bodies:
            velocity = self.slope(lambda x, pose=pose: pose(x)[0], s)
            turn = (pose(s)[1].conjugate() * self.slope(lambda x, pose=pose: pose(x)[1], s)).imag
            total += mass * abs(velocity) ** 2 + inertia * turn**2
        return total

    def potential(self, s):
        return sum(mass * self.gravity * pose(s)[0].imag for mass, _, pose in self.bodies)

    def load(self, s, rate, acceleration=0.0):
        return (self.inertia(s) * acceleration + 0.5 * self.slope(self.inertia, s) * rate**2
                + self.slope(self.potential, s))


def rod(mass, start, end):
    """A slender rod between two points that are functions of s."""
    length = abs(end(0.0) - start(0.0))
    return (mass, mass * length**2 / 12.0,
            lambda s: (0.5 * (start(s) + end(s)), (end(s) - start(s)) / length))


def block(mass, at, direction=lambda s: 1.0 + 0.0j, inertia=0.0):
    return mass, inertia, lambda s: (at(s), direction(s))


def derivatives(function, s, rate, acceleration=0.0):
    """Value, velocity and acceleration of function(s(t))."""
    first = Linkage.slope(function, s)
    second = Linkage.slope(lambda x: Linkage.slope(function, x), s)
    return function(s), first * rate, first * acceleration + second * rate**2
