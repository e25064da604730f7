"""Excavators: cylinders of prescribed length and the forces they need; cylinders with oil and valves."""

import cmath
import math

import numpy as np

from .dynamics import step5
from .integration import GRAVITY, integrate
from .planar import Linkage, dyad, unit

slope = Linkage.slope


class Excavator:
    """Boom, stick and bucket as functions of time, in complex numbers; see the model for the points."""

    boom = (600.0, 600.0, 2.5 + 0.5j)  # mass, inertia about the centre, centre from the pin
    stick = (300.0, 120.0, 1.0 + 0.1j)
    bucket = (250.0, 40.0, 0.5 - 0.2j)

    @staticmethod
    def cylinders(time):
        wave = math.pi * time / 2.0
        return 2.1 + 0.2 * math.sin(wave), 2.5 + 0.25 * math.sin(wave), 1.5 - 0.2 * math.sin(wave)

    def directions(self, time):
        """Of boom, stick and bucket."""
        first, second, third = self.cylinders(time)
        foot, eye = 0.5 - 0.6j, 1.8 + 0.9j
        top = dyad(foot, 0j, first, abs(eye), -1)
        boom = unit(top / eye)
        # In the boom: cylinder from `back` to the heel of the stick, which turns about the boom's end.
        heel = dyad(2.2 + 1.2j, 4.5 + 0j, second, abs(-0.5 + 0.3j), 1)
        stick = boom * unit((heel - 4.5) / (-0.5 + 0.3j))
        # In the stick: cylinder from its upper side to the bucket.
        tip = dyad(0.8 + 0.5j, 2.2 + 0j, third, abs(0.1 + 0.4j), 1)
        bucket = stick * unit((tip - 2.2) / (0.1 + 0.4j))
        return boom, stick, bucket

    def pins(self, time):
        boom, stick, _ = self.directions(time)
        return 0j, 4.5 * boom, 4.5 * boom + 2.2 * stick

    def centre(self, part, time):
        offset = (self.boom, self.stick, self.bucket)[part][2]
        return self.pins(time)[part] + offset * self.directions(time)[part]

    def angle_rate(self, part, time):
        direction = self.directions(time)[part]
        return (direction.conjugate() * slope(lambda t: self.directions(t)[part], time)).imag

    def moment(self, first, time):
        """About the pin of part `first`: what all parts from there on need."""
        pin, total = self.pins(time)[first], 0.0
        for part in range(first, 3):
            mass, inertia, _ = (self.boom, self.stick, self.bucket)[part]
            acceleration = slope(lambda x, p=part: slope(lambda t: self.centre(p, t), x), time)
            force = mass * (acceleration + 1j * GRAVITY)
            total += ((self.centre(part, time) - pin).conjugate() * force).imag
            total += inertia * slope(lambda t, p=part: self.angle_rate(p, t), time)
        return total


def excavator(_tolerance):
    """Force of a cylinder times its lever arm dL/dphi is the moment about the pin it turns."""
    problem = Excavator()
    for time in (0.5, 1.8, 3.4):
        boom, stick, bucket = problem.directions(time)
        rates = [problem.angle_rate(part, time) for part in range(3)]
        relative = [rates[0], rates[1] - rates[0], rates[2] - rates[1]]
        speeds = [slope(lambda t, i=i: problem.cylinders(t)[i], time) for i in range(3)]
        teeth = problem.pins(time)[2] + (1.1 - 0.1j) * bucket
        yield "boom.angle", time, cmath.phase(boom)
        yield "teeth_x", time, teeth.real
        yield "teeth_y", time, teeth.imag
        for name, part in (("lift", 0), ("crowd", 1), ("curl", 2)):
            yield f"{name}.load", time, problem.moment(part, time) * relative[part] / speeds[part]


class Cylinder:
    """Two chambers of oil and a four-way valve; pressures p_a, p_b are states."""

    bulk, supply, tank, smooth, valve, leakage = 1.4e9, 2e7, 1e5, 1e4, 8e-7, 2e-12

    def __init__(self, reference, areas, volumes, opening):
        self.reference, self.areas, self.volumes, self.opening = reference, areas, volumes, opening

    def force(self, pressures):
        return self.areas[0] * pressures[0] - self.areas[1] * pressures[1]

    def root(self, drop):
        return drop / (drop * drop + self.smooth**2) ** 0.25

    def rates(self, time, length, speed, pressures):
        opening, leak = self.opening(time), self.leakage * (pressures[0] - pressures[1])
        result = []
        for area, volume, pressure, sign in zip(self.areas, self.volumes, pressures, (1.0, -1.0)):
            feed, drain = max(sign * opening, 0.0), max(-sign * opening, 0.0)
            flow = self.valve * (feed * self.root(self.supply - pressure) - drain * self.root(pressure - self.tank))
            room = volume + sign * area * (length - self.reference)
            result.append(self.bulk / room * (flow - sign * (area * speed + leak)))
        return result


class HydraulicExcavator:
    """Angles of boom, stick and bucket against the horizontal, and six pressures.

    M(q) q'' = Q: a part's centre is the sum of arms, each a constant times exp(i angle).
    """

    arms = [(2.5 + 0.5j,), (4.5, 1.0 + 0.1j), (4.5, 2.2, 0.5 - 0.2j)]  # centre of each part
    masses, inertias = (600.0, 300.0, 250.0), (600.0, 120.0, 40.0)
    # Ends of each cylinder: {part: arm}, -1 is the ground.
    ends = [({-1: 0.5 - 0.6j}, {0: 1.8 + 0.9j}), ({0: 2.2 + 1.2j}, {0: 4.5, 1: -0.5 + 0.3j}),
            ({1: 0.8 + 0.5j}, {1: 2.2, 2: 0.1 + 0.4j})]
    cylinders = [
        Cylinder(2.1, (80e-4, 50e-4), (6e-3, 4e-3),
                 lambda t: 0.6 * (step5(t, 0.2, 0.0, 0.7, 1.0)[0] - step5(t, 1.1, 0.0, 1.9, 1.0)[0])),
        Cylinder(2.5, (60e-4, 35e-4), (5e-3, 3e-3),
                 lambda t: 0.4 * (step5(t, 0.9, 0.0, 1.4, 1.0)[0] - step5(t, 1.9, 0.0, 2.5, 1.0)[0])),
        Cylinder(1.5, (40e-4, 25e-4), (2e-3, 2e-3), lambda t: 0.0)]
    start = [math.radians(20.0), math.radians(-60.0), math.radians(-100.0), 0.0, 0.0, 0.0,
             98e5, 50e5, 20e5, 50e5, 20e5, 24e5]

    def length(self, number, q):
        """Of a cylinder, and its slopes by the angles."""
        span, slopes = 0j, np.zeros(3, complex)
        for sign, arms in zip((-1.0, 1.0), self.ends[number]):
            for part, arm in arms.items():
                turned = sign * arm * (cmath.exp(1j * q[part]) if part >= 0 else 1.0)
                span += turned
                if part >= 0:
                    slopes[part] += 1j * turned
        return abs(span), (unit(span).conjugate() * slopes).real

    def rates(self, time, state):
        q, v, pressures = state[:3], state[3:6], state[6:]
        turns = np.exp(1j * q)
        M, Q = np.diag(self.inertias).astype(float), np.zeros(3)
        for arms, mass in zip(self.arms, self.masses):
            columns = np.zeros(3, complex)
            columns[: len(arms)] = 1j * np.array(arms) * turns[: len(arms)]
            M += mass * (np.conj(columns)[:, None] * columns).real
            Q -= mass * (np.conj(columns) * (1j * GRAVITY + np.sum(1j * columns * v**2))).real
        changes = []
        for number, cylinder in enumerate(self.cylinders):
            own = pressures[2 * number: 2 * number + 2]
            length, slopes = self.length(number, q)
            Q += cylinder.force(own) * slopes
            changes += cylinder.rates(time, length, slopes @ v, own)
        return np.concatenate([v, np.linalg.solve(M, Q), changes])


def hydraulic_excavator(tolerance):
    """Pressures are scaled by 1e7 Pa, so that one tolerance fits all states."""
    problem = HydraulicExcavator()
    scale = np.array(6 * [1.0] + 6 * [1e7])
    times = [0.4, 1.0, 1.6, 2.4, 3.0]
    states = integrate(lambda t, y: problem.rates(t, y * scale) / scale, problem.start / scale, times,
                       max(tolerance, 1e-12))
    for time, state in zip(times, states * scale):
        q, pressures = state[:3], state[6:]
        teeth = 4.5 * cmath.exp(1j * q[0]) + 2.2 * cmath.exp(1j * q[1]) + (1.1 - 0.1j) * cmath.exp(1j * q[2])
        yield "teeth_x", time, teeth.real
        yield "teeth_y", time, teeth.imag
        for number, name in enumerate(("lift", "crowd", "curl")):
            yield f"{name}_length", time, problem.length(number, q)[0]
            yield f"{name}.load", time, problem.cylinders[number].force(pressures[2 * number: 2 * number + 2])
        yield "lift.pressure_a", time, pressures[0]
        yield "lift.pressure_b", time, pressures[1]


EXAMPLES = {
    "excavator": (excavator, "intersections of circles; forces from moments about the pins"),
    "hydraulic_excavator": (hydraulic_excavator, "three angles and six pressures, DOP853"),
}
