"""Connections of many kinds: a blade on a slope, bars with balls, loops in space, springs along a diagonal."""

import cmath
import math

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.linalg import expm
from scipy.optimize import brentq

from .integration import GRAVITY, OneFreedom, Turning, integrate
from .planar import Linkage, dyad, rod

slope = OneFreedom.slope


def inclined_skate(_tolerance):
    """x = g'/(2 w^2) sin^2 wt, y = g'/(2 w^2) (wt - sin(2wt)/2): a cycloid [Sol1983]."""
    mass, incline, spin = 2.0, math.radians(15.0), 2.0
    pull = GRAVITY * math.sin(incline)
    for time in (0.5, 1.5, 4.0):
        turned = spin * time
        s, c = math.sin(turned), math.cos(turned)
        across = 2.0 * mass * pull * s  # m (v w + g' sin(wt)), v = g'/w sin(wt)
        yield "blade.x", time, pull / (2.0 * spin**2) * s * s
        yield "blade.y", time, pull / (2.0 * spin**2) * (turned - s * c)
        yield "blade.angle3", time, turned
        yield "blade.reaction.joint_force.x", time, -across * s
        yield "blade.reaction.joint_force.y", time, across * c
        yield "blade.reaction.joint_force.z", time, mass * GRAVITY * math.cos(incline)


class BallBarBall(OneFreedom):
    """A crank about -y and a rocker about x; the ends of their arms keep their distance.

    p cos(phi) + q sin(phi) = r, with the crank's angle in p, q and r, gives the rocker's angle phi.
    """

    crank, rocker, base = 0.05, 0.2, np.array([0.3, 0.2, 0.0])
    length = math.sqrt(0.25**2 + 0.2**2 + 0.2**2)

    def __init__(self):
        super().__init__([(0.5, np.array([1e-5, 5e-4, 5e-4]), self.crank_pose),
                          (0.8, np.array([2.7e-3, 2.7e-3, 1e-5]), self.rocker_pose)],
                         np.array([0.0, 0.0, -GRAVITY]))

    def crank_ball(self, theta):
        return self.crank * np.array([math.cos(theta), 0.0, math.sin(theta)])

    def rocker_ball(self, theta):
        phi = self.rocker_angle(theta)
        return self.base + self.rocker * np.array([0.0, -math.sin(phi), math.cos(phi)])

    def rocker_angle(self, theta):
        """Counted from z about x."""
        d = self.base - self.crank_ball(theta)
        rest = (self.length**2 - d @ d - self.rocker**2) / (2.0 * self.rocker)
        # d_z cos(phi) - d_y sin(phi) = rest; the branch of the start, phi = 0.
        size, place = math.hypot(d[2], d[1]), math.atan2(-d[1], d[2])
        return place + math.acos(rest / size)

    def crank_pose(self, theta):
        s, c = math.sin(theta), math.cos(theta)
        return 0.5 * self.crank_ball(theta), np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])

    def rocker_pose(self, theta):
        phi = self.rocker_angle(theta)
        s, c = math.sin(phi), math.cos(phi)
        return (0.5 * (self.base + self.rocker_ball(theta)),
                np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]))

    def push(self, theta, rate, acceleration):
        """Force of the bar on the rocker, from the moments about the rocker's axis."""
        phi = self.rocker_angle(theta)
        first = slope(self.rocker_angle, theta)
        second = slope(lambda x: slope(self.rocker_angle, x), theta)
        turn = first * acceleration + second * rate**2
        inertia = 2.7e-3 + 0.8 * (0.5 * self.rocker) ** 2
        moment = inertia * turn - 0.8 * GRAVITY * 0.5 * self.rocker * math.sin(phi)
        along = (self.rocker_ball(theta) - self.crank_ball(theta)) / self.length
        arm = self.rocker_ball(theta) - self.base
        return moment / np.cross(arm, along)[0] * along


def ball_bar_ball(tolerance):
    problem = BallBarBall()
    turning = Turning(problem.inertia, problem.potential)
    times = [0.1, 0.2, 0.4]
    states = integrate(lambda _, y: [y[1], turning.acceleration(*y)], [0.0, 20.0], times, tolerance)
    for time, (theta, rate) in zip(times, states):
        push = problem.push(theta, rate, turning.acceleration(theta, rate))
        for name in ("built", "plain"):
            yield f"{name}.main.angle", time, theta
            yield f"{name}.main.angle_rate", time, rate
            yield f"{name}.pivot.angle", time, problem.rocker_angle(theta)
        yield "difference", time, 0.0
        yield "bar.reaction.force.z", time, push[2]
        yield "link.reaction.force.z", time, push[2]


class SpringFourBar(Linkage):
    """A four-bar by its crank's angle, with a spring from the crank's pivot to the rocker's pin."""

    stiffness, free_length = 1500.0, 0.48

    def __init__(self):
        super().__init__([rod(1.0, lambda s: 0j, self.crank), rod(2.0, self.crank, self.pin),
                          rod(1.5, lambda s: 0.5 + 0j, self.pin)])

    @staticmethod
    def crank(s):
        return 0.2 * complex(math.cos(s), math.sin(s))

    @classmethod
    def pin(cls, s):
        return dyad(cls.crank(s), 0.5 + 0j, 0.4, 0.3, 1)

    def tension(self, s):
        return self.stiffness * (abs(self.pin(s)) - self.free_length)

    def potential(self, s):
        return super().potential(s) + 0.5 * self.tension(s) ** 2 / self.stiffness

    def rates(self):
        """Of angle and speed; Chebyshev polynomials between 50 and 130 degrees stand for J and V."""
        inertia, potential = (Chebyshev.interpolate(np.vectorize(f), 60, [0.9, 2.3])
                              for f in (self.inertia, self.potential))
        inertia_slope, push = inertia.deriv(), potential.deriv()
        return lambda _time, y: [y[1], -(0.5 * inertia_slope(y[0]) * y[1] ** 2 + push(y[0])) / inertia(y[0])]

    def equilibrium(self):
        """Angle of rest and circular frequency of small motions about it: omega^2 = V'' / J."""
        rest = brentq(lambda s: self.slope(self.potential, s), 1.2, 1.9, xtol=1e-14)
        stiffness = self.slope(lambda x: self.slope(self.potential, x), rest)
        return rest, math.sqrt(stiffness / self.inertia(rest))


def spring_four_bar(tolerance):
    problem = SpringFourBar()
    times = [0.25, 1.0, 2.0]
    start = [math.radians(70.0), 0.0]
    for time, (s, rate) in zip(times, integrate(problem.rates(), start, times, tolerance)):
        yield "a.angle", time, s
        yield "a.angle_rate", time, rate
        yield "diagonal.tension", time, problem.tension(s)


def bicycle(_tolerance):
    """M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for lean and steer, matrices of [Meijaard2007, eq. 5.3, 5.4]."""
    M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
    C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
    v = 5.0
    A = np.block([[np.zeros((2, 2)), np.eye(2)],
                  [-np.linalg.solve(M, GRAVITY * K0 + v * v * K2), -np.linalg.solve(M, v * C1)]])
    for time in (0.2, 1.0, 2.0, 4.0):
        q = expm(A * time) @ [0.0, 0.0, 0.01, 0.0]
        yield "lean", time, q[0]
        yield "steer.angle", time, q[1]
        yield "lean_rate", time, q[2]
        yield "steer.angle_rate", time, q[3]


STEEL, BAR = 7700.0, 0.025  # density and radius of Modelica's bars


def bar(vector):
    """Mass and inertia tensor about the centre of a cylinder along `vector`."""
    length = np.linalg.norm(vector)
    mass, along = STEEL * math.pi * BAR**2 * length, np.outer(vector, vector) / length**2
    return mass, 0.5 * mass * BAR**2 * along + mass * (BAR**2 / 4 + length**2 / 12) * (np.eye(3) - along)


class ModelicaLoop(OneFreedom):
    """Fourbar1 and Fourbar2: a crank about x, a slider along x, a rod between their ends.

    The rod keeps its length, which places the slider; its orientation is a turn about y and one about z,
    those of the universal joint at the slider. Fourbar2 has no mass in its rod.
    """

    crank, post, rod = np.array([0.0, 0.5, 0.1]), np.array([0.0, 0.2, 0.0]), np.array([-1.0, 0.3, 0.1])

    def __init__(self, with_rod):
        bodies = [(*bar(self.crank), lambda s: (0.5 * self.turned(s), about_x(s))),
                  (*bar(self.post), lambda s: (self.slider(s) + 0.5 * self.post, np.eye(3)))]
        if with_rod:
            bodies.append((*bar(self.rod), lambda s: (self.slider(s) + self.post + 0.5 * self.span(s),
                                                      self.orientation(s))))
        super().__init__(bodies, np.array([0.0, -GRAVITY, 0.0]))

    def turned(self, s):
        return about_x(s) @ self.crank

    def slider(self, s):
        y, z = (self.turned(s) - self.post)[1:]
        return np.array([math.sqrt(self.rod @ self.rod - y * y - z * z), 0.0, 0.0])

    def span(self, s):
        return self.turned(s) - self.slider(s) - self.post

    def orientation(self, s):
        x, y, z = self.span(s)
        b = math.acos(y / math.hypot(1.0, 0.3)) - math.atan2(1.0, 0.3)  # 0.3 cos(b) - sin(b) = y
        ahead = complex(-math.cos(b) - 0.3 * math.sin(b), 0.1)
        a = -cmath.phase(complex(x, z) / ahead)
        return (np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
                @ np.array([[math.cos(b), -math.sin(b), 0], [math.sin(b), math.cos(b), 0], [0, 0, 1]]))

    def inertia(self, theta):
        """As that of the base, for full tensors: w^T J w with w in body axes."""
        total = 0.0
        for mass, tensor, pose in self.bodies:
            velocity = self.slope(lambda x, pose=pose: pose(x)[0], theta)
            turn = pose(theta)[1].T @ self.slope(lambda x, pose=pose: pose(x)[1], theta)
            w = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
            total += mass * velocity @ velocity + w @ tensor @ w
        return total


def about_x(s):
    return np.array([[1, 0, 0], [0, math.cos(s), -math.sin(s)], [0, math.sin(s), math.cos(s)]])


def planar_loop():
    """Crank 0.15, coupler 0.4, rocker 0.3, base 0.5, of the same bars."""
    def part(start, end):
        length = abs(end(0.0) - start(0.0))
        mass, tensor = bar(np.array([length, 0.0, 0.0]))
        return mass, tensor[2, 2], lambda s: (0.5 * (start(s) + end(s)), (end(s) - start(s)) / length)

    def crank(s):
        return 0.15 * cmath.exp(1j * s)

    def pin(s):
        return dyad(crank(s), 0.5 + 0j, 0.4, 0.3, 1)

    return Linkage([part(lambda s: 0j, crank), part(crank, pin), part(lambda s: 0.5 + 0j, pin)]), pin


def modelica_four_bar(tolerance):
    times, speed = [0.1, 0.2, 0.4], math.radians(300.0)

    def motion(mechanism, start):
        turning = Turning(mechanism.inertia, mechanism.potential, 128)
        return integrate(lambda _, y: [y[1], turning.acceleration(*y)], [start, speed], times, tolerance)

    flat, pin = planar_loop()
    loops = [ModelicaLoop(True), ModelicaLoop(False)]
    first, second, third = motion(loops[0], 0.0), motion(loops[1], 0.0), motion(flat, 0.5 * math.pi)
    for i, time in enumerate(times):
        for name in ("one", "same"):
            yield f"{name}.j1.angle", time, first[i][0]
            yield f"{name}.j1.angle_rate", time, first[i][1]
            yield f"{name}.j2.displacement", time, loops[0].slider(first[i][0])[0] - 1.2
        yield "difference", time, 0.0
        yield "two.j1.angle", time, second[i][0]
        yield "two.j2.displacement", time, loops[1].slider(second[i][0])[0] - 1.2
        yield "a.angle", time, third[i][0]
        yield "d.angle", time, cmath.phase(pin(third[i][0]) - 0.5)


EXAMPLES = {
    "inclined_skate": (inclined_skate, "closed form of the cycloid"),
    "ball_bar_ball": (ball_bar_ball, "one equation of the crank's angle, DOP853"),
    "modelica_four_bar": (modelica_four_bar, "one equation of the crank angle for each loop, DOP853"),
    "spring_four_bar": (spring_four_bar, "one equation of the crank's angle, DOP853"),
    "bicycle": (bicycle, "published linear equations, matrix exponential"),
}
