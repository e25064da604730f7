"""A whole engine as one equation of its crank angle, and the loads of its bearings from the accelerations."""

import cmath
import math

import numpy as np
from scipy.interpolate import CubicSpline

from .integration import GRAVITY, Turning, integrate
from .planar import Linkage, derivatives

POINTS = [(0, 20), (15, 42), (30, 36), (45, 23), (60, 14.5), (90, 7), (120, 4.2), (150, 2.8), (180, 1.2), (210, 0.3),
          (240, 0.15), (300, 0.1), (360, 0), (420, -0.15), (480, -0.15), (540, 0), (600, 0.5), (630, 1.3), (660, 3.2),
          (690, 9), (705, 14.5), (720, 20)]


class SixCylinders:
    """Points of the plane across the crank are y + i z; the pin of a cylinder at the angle a is i r exp(i a)."""

    throw, length, centre = 0.045, 0.15, 0.045
    rod, rod_inertia, piston, crank_inertia, crank_mass = 0.6, 2e-3, 0.5, 0.3, 40.0
    area = math.pi * 0.085**2 / 4.0
    fan = 0.0096
    fires = [math.radians(x) for x in (0, 480, 240, 600, 120, 360)]

    def __init__(self):
        angles, pressures = np.array(POINTS).T
        self.gas = CubicSpline(np.radians(angles), 1e5 * pressures, bc_type="periodic")
        # What one cylinder adds to inertia and potential; the others stand at other angles.
        one = Linkage([(self.rod, self.rod_inertia, lambda s: (self.rod_centre(s), self.direction(s))),
                       (self.piston, 0.0, lambda s: (self.wrist(s), 1.0 + 0.0j))])
        self.cylinder = Turning(one.inertia, one.potential)

    def pin(self, s):
        return 1j * self.throw * cmath.exp(1j * s)

    def wrist(self, s):
        y = self.pin(s).real
        return 1j * (self.pin(s).imag + math.sqrt(self.length**2 - y * y))

    def direction(self, s):
        return (self.wrist(s) - self.pin(s)) / self.length

    def rod_centre(self, s):
        return self.pin(s) + self.centre * self.direction(s)

    def slope_of_wrist(self, s):
        sine, cosine = math.sin(s), math.cos(s)
        return -self.throw * sine - self.throw**2 * sine * cosine / math.sqrt(self.length**2 - (self.throw * sine)**2)

    def pushes(self, theta):
        """Of the gas on each piston, downwards."""
        return [self.area * float(self.gas((theta - fires) % (4.0 * math.pi))) for fires in self.fires]

    def acceleration(self, theta, rate):
        inertia, slope, load = self.crank_inertia, 0.0, -self.fan * rate**2
        for fires, push in zip(self.fires, self.pushes(theta)):
            s = theta - fires
            own, own_slope = self.cylinder.inertia(s)
            inertia, slope = inertia + own, slope + own_slope
            load -= push * self.slope_of_wrist(s) + self.cylinder.potential(s)[1]
        return (load - 0.5 * slope * rate**2) / inertia

    def loads(self, s, push, rate, acceleration):
        """Forces on one rod: at its wrist and at its crank pin. Moments about the crank pin give the first."""
        motion = [derivatives(f, s, rate, acceleration)[2] for f in (self.wrist, self.rod_centre)]
        spin = Linkage.slope(lambda x: (self.direction(x).conjugate()
                                        * Linkage.slope(self.direction, x)).imag, s)
        turn = (self.direction(s).conjugate() * Linkage.slope(self.direction, s)).imag
        twist = turn * acceleration + spin * rate**2
        up = -(push + self.piston * (GRAVITY + motion[0].imag))  # of the piston on the rod
        inertia_force = self.rod * (motion[1] + 1j * GRAVITY)
        d = self.direction(s)
        moment = self.rod_inertia * twist + self.centre * (d.conjugate() * inertia_force).imag
        across = (self.length * d.real * up - moment) / (self.length * d.imag)
        wrist = across + 1j * up
        return wrist, inertia_force - wrist, motion


def engine_six_cylinder(tolerance):
    engine = SixCylinders()
    times = [0.02, 0.05, 0.1, 0.15]
    states = integrate(lambda _, y: [y[1], engine.acceleration(*y)], [0.0, 50.0 * math.pi], times,
                       max(tolerance, 1e-12))
    for time, (theta, rate) in zip(times, states):
        acceleration = engine.acceleration(theta, rate)
        on_crank, shake = 1j * engine.crank_mass * GRAVITY, 0.0
        for number, (fires, push) in enumerate(zip(engine.fires, engine.pushes(theta)), 1):
            wrist, pin, motion = engine.loads(theta - fires, push, rate, acceleration)
            on_crank += pin
            shake += engine.piston * motion[0] + engine.rod * motion[1]
            if number == 1:
                first, first_pin, one = wrist, pin, engine.piston * motion[0].imag
        yield "main.angle", time, theta
        yield "main.angle_rate", time, rate
        yield "main.reaction.force.y", time, on_crank.real
        yield "main.reaction.force.z", time, on_crank.imag
        yield "c1.liner.reaction.force.y", time, first.real
        yield "pin1.reaction.force.z", time, first_pin.imag
        yield "shake_of_one", time, one
        yield "shake_z", time, shake.imag
        yield "shake_y", time, 0.0  # exactly: three pins at 120 degrees, twice


EXAMPLES = {"engine_six_cylinder": (engine_six_cylinder,
                                    "one equation of the crank angle, DOP853; loads from accelerations")}
