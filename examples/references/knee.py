"""A knee: two points of the thigh on surfaces of the shin, ligaments; equations of motion with multipliers."""

import numpy as np

from .integration import GRAVITY, integrate, parameter_rates, rotation

APART = 0.023


def medial(x, y):
    """Height of the surface, its slopes and second derivatives (xx, yy)."""
    across = y - APART
    return 12.0 * x * x + 8.0 * across**2, (24.0 * x, 16.0 * across), (24.0, 16.0)


def lateral(x, y):
    across = y + APART
    return (-6.0 * x * x - 80.0 * x**3 + 8.0 * across**2, (-12.0 * x - 240.0 * x * x, 16.0 * across),
            (-12.0 - 480.0 * x, 16.0))


class Knee:
    """The shin by its mass centre r, Euler parameters e, velocity v and angular velocity w in its own axes.

    A condyle's middle F, fixed in the world, stands at c = R^T (F - r) + s in the shin, whose mass centre is s.
    c_z = h(c_x, c_y) is kept by a force along n = (-h_x, -h_y, 1).
    """

    mass, inertia, centre = 4.0, np.array([0.08, 0.08, 0.008]), np.array([0.01, 0.0, -0.25])
    condyles = [(np.array([0.0, APART, 0.0]), medial), (np.array([0.0, -APART, 0.0]), lateral)]
    # Ends in the thigh and in the shin, mm; length, mm.
    ligaments = {"acl": ((-8, -8, 2), (14, 2, -27), 39.3), "pcl": ((3, 6, -4), (-26, 0, -33), 39.5),
                 "mcl": ((0, 45, 2), (4, 34, -90), 91.0), "lcl": ((0, -42, 1), (-16, -38, -55), 57.5)}
    stiffness, hardening, damping, smoothing = 5e4, 2e7, 500.0, 1e-3

    def ramp(self, e):
        s = self.smoothing
        if abs(e) >= 0.5 * s:
            return (e, 1.0) if e > 0.0 else (0.0, 0.0)
        y = e / s + 0.5
        return s * y**3 * (1.0 - 0.5 * y), y * y * (3.0 - 2.0 * y)

    def tension(self, length, speed):
        stretch, share = self.ramp(length)
        elastic = (self.stiffness * stretch + self.hardening * stretch**2) * share
        return max(elastic + self.damping * speed * share, 0.0)

    def pulls(self, r, R, v, w):
        """Each line that pulls: its name, tension, direction from shin to thigh, arm from the mass centre."""
        lines = [(name, *(1e-3 * np.array(end) for end in ends), 1e-3 * length)
                 for name, (*ends, length) in self.ligaments.items()]
        lines.append(("muscles", np.array([0.0, -0.006, 0.0]), np.array([0.0, -0.006, -0.15]), None))
        for name, begin, end, length in lines:
            arm = end - self.centre
            span = begin - r - R @ arm
            speed = -span @ (v + R @ np.cross(w, arm)) / np.linalg.norm(span)
            pull = 250.0 if length is None else self.tension(np.linalg.norm(span) - length, speed)
            yield name, pull, span / np.linalg.norm(span), arm

    def contacts(self, r, R, v, w):
        """Rows G of both contacts by (v', w') and what else makes up c_z'' - h''."""
        rows, rest, places = [], [], []
        for fixed, surface in self.condyles:
            c = R.T @ (fixed - r) + self.centre
            _, (slope_x, slope_y), (bend_x, bend_y) = surface(c[0], c[1])
            n = np.array([-slope_x, -slope_y, 1.0])
            arm, carried = c - self.centre, R.T @ v
            speed = -carried - np.cross(w, arm)
            rows.append(np.concatenate([-R @ n, -np.cross(arm, n)]))
            turning = np.array([-bend_x * speed[0], -bend_y * speed[1], 0.0])
            rest.append(turning @ speed + n @ np.cross(w, carried - speed))
            places.append(c)
        return np.array(rows), np.array(rest), places

    def solve(self, state):
        """Accelerations, contact loads, tensions, places of the condyles."""
        r, e, v, w = state[:3], state[3:7], state[7:10], state[10:]
        R = rotation(e)
        load = np.concatenate([[0.0, 0.0, -self.mass * GRAVITY], -np.cross(w, self.inertia * w)])
        tensions = {}
        for name, pull, direction, arm in self.pulls(r, R, v, w):
            tensions[name] = pull
            load += pull * np.concatenate([direction, np.cross(arm, R.T @ direction)])
        G, rest, places = self.contacts(r, R, v, w)
        inverse = 1.0 / np.concatenate([3 * [self.mass], self.inertia])
        pushes = np.linalg.solve((G * inverse) @ G.T, -rest - G @ (inverse * load))
        return inverse * (load + G.T @ pushes), pushes, tensions, places

    def rates(self, _time, state):
        v, e, w = state[7:10], state[3:7], state[10:]
        return np.concatenate([v, parameter_rates(e, w), self.solve(state)[0]])

    def start(self):
        e = np.array([np.cos(np.radians(-25.0)), 0.0, np.sin(np.radians(-25.0)), 0.0])
        return np.concatenate([rotation(e) @ self.centre, e, np.zeros(6)])


def knee(tolerance):
    problem = Knee()
    times = [0.1, 0.3, 0.5, 0.7, 1.0]
    for time, state in zip(times, integrate(problem.rates, problem.start(), times, 100.0 * tolerance)):
        _, pushes, tensions, places = problem.solve(state)
        foot = state[:3] + rotation(state[3:7]) @ (np.array([0.06, 0.0, -0.45]) - problem.centre)
        yield "foot_x", time, foot[0]
        yield "foot_y", time, foot[1]
        yield "foot_z", time, foot[2]
        yield "medial_x", time, places[0][0]
        yield "lateral_x", time, places[1][0]
        for name in ("acl", "pcl", "mcl"):
            yield f"{name}.tension", time, tensions[name]
        yield "medial_contact.load", time, pushes[0]
        yield "lateral_contact.load", time, pushes[1]


EXAMPLES = {"knee": (knee, "Newton's and Euler's equations with two multipliers, DOP853")}
