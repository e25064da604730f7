"""An excavator: cylinders of prescribed length, and the forces they need."""

import cmath
import math

from .integration import GRAVITY
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


EXAMPLES = {"excavator": (excavator, "intersections of circles; forces from moments about the pins")}
