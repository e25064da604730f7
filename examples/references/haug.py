"""The mechanisms of [Haug1997], examples/haug: angles as the only coordinates."""

import math

import numpy as np
from scipy.integrate import solve_ivp

from .integration import GRAVITY


def integrate_stiff(rates, start, times, tolerance):
    """States at `times` by Radau IIA of order 5: the dampers of these models are too stiff for DOP853."""
    solution = solve_ivp(rates, (0.0, times[-1]), start, method="Radau", t_eval=times,
                         rtol=100 * tolerance, atol=100 * tolerance)
    if not solution.success:
        raise RuntimeError(f"the reference failed at t = {solution.t[-1]}: {solution.message}")
    return solution.y.T


def double_pendulum_rates(_time, state):
    """M(q) q'' = f for the two angles; bars of half lengths 1 m and 1.5 m."""
    a, b, u, v = state
    l1, l2, m1, m2 = 1.0, 1.5, 3.0, 0.3
    soft = -400.0 * (a + math.pi / 2) - 15.0 * u
    stiff = -3e5 * (b - a) - 7850.0 * (v - u)
    mass = np.array([[m1 * l1**2 * 4 / 3 + 4 * m2 * l1**2, 2 * m2 * l1 * l2 * math.cos(a - b)],
                     [2 * m2 * l1 * l2 * math.cos(a - b), m2 * l2**2 * 4 / 3]])
    swing = 2 * m2 * l1 * l2 * math.sin(a - b)
    loads = [-swing * v**2 - (m1 + 2 * m2) * GRAVITY * l1 * math.cos(a) + soft - stiff,
             swing * u**2 - m2 * GRAVITY * l2 * math.cos(b) + stiff]
    return [u, v, *np.linalg.solve(mass, loads)]


def double_pendulum(tolerance):
    """Torsion springs and dampers at both pins; the second pair is stiff."""
    times = [0.05, 0.1]
    start = [0.0, -math.radians(15.0), 0.0, 10.0]
    for time, state in zip(times, integrate_stiff(double_pendulum_rates, start, times, tolerance)):
        yield "bar1.angle", time, state[0]
        yield "bar2.angle", time, state[1]
        yield "bar1.angular_velocity", time, state[2]
        yield "bar2.angular_velocity", time, state[3]


class GuidedRod:
    """Crank and rod as functions of the crank's angle a, with their first and second derivatives."""

    r, l = 0.6, 1.2
    m1, m2 = 3.0, 9.0
    k, c, anchor = 5000.0, 1000.0, 2.0
    free = 2.0 - 1.2 * math.cos(math.pi / 6) + 0.1

    def rates(self, _time, state):
        a, u = state
        r, l = self.r, self.l
        rod = -math.asin(r * math.sin(a) / l)
        c, s, cr, sr = math.cos(a), math.sin(a), math.cos(rod), math.sin(rod)
        first = -r * c / (l * cr)
        second = (r * s + l * sr * first**2) / (l * cr)
        # Centre of the rod, and its tip, which stays on the x axis.
        centre1 = np.array([-r * s - l / 2 * sr * first, r * c + l / 2 * cr * first])
        centre2 = np.array([-r * c - l / 2 * (cr * first**2 + sr * second),
                            -r * s + l / 2 * (cr * second - sr * first**2)])
        tip1 = -r * s - l * sr * first
        inertia = self.m1 * r**2 / 3 + self.m2 * (centre1 @ centre1 + l**2 / 12 * first**2)
        slope = 2 * self.m2 * (centre1 @ centre2 + l**2 / 12 * first * second)
        length = self.anchor - (r * c + l * cr)
        pull = self.k * (length - self.free) - self.c * tip1 * u
        weight = -GRAVITY * (self.m1 * r / 2 * c + self.m2 * centre1[1])
        return [u, (pull * tip1 + weight - 0.5 * slope * u**2) / inertia]


def slider_crank(tolerance):
    """J(a) a'' + J'(a) a'^2 / 2 = loads for the crank's angle."""
    rod = GuidedRod()
    times = [0.05, 0.1]
    for time, (a, u) in zip(times, integrate_stiff(rod.rates, [math.pi / 2, 0.0], times, tolerance)):
        yield "crank.angle", time, a
        yield "crank.angular_velocity", time, u
        yield "rod.angle", time, -math.asin(rod.r * math.sin(a) / rod.l)


class SevenBodies:
    """Andrews' squeezing mechanism in its seven angles [Hairer & Wanner 1996, sec. VII.7]."""

    xa, ya, xb, yb, xc, yc, free, moment = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072, 0.07785, 0.033
    d, da, e, ea, rr, ra, ss, sa, sb, sc, sd = (0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874,
                                                0.01043, 0.018, 0.02)
    ta, tb, u, ua, ub, zf, zt, fa = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    m = (0.0, 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    i = (0.0, 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    start = np.array([-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885,
                      0.487364979543842550, -0.222668390165885885, 1.23054744454982119])

    def __init__(self, stiffness, damping):
        self.stiffness, self.damping = stiffness, damping
        self.rest = self.start[1:].copy()  # where the search for the other six angles begins

    def constraints(self, q):
        b, t, g, p, d, o, e = q
        x = self.rr * math.cos(b) - self.d * math.cos(b + t)
        y = self.rr * math.sin(b) - self.d * math.sin(b + t)
        return np.array([
            x - self.ss * math.sin(g) - self.xb, y + self.ss * math.cos(g) - self.yb,
            x - self.e * math.sin(p + d) - self.zt * math.cos(d) - self.xa,
            y + self.e * math.cos(p + d) - self.zt * math.sin(d) - self.ya,
            x - self.zf * math.cos(o + e) - self.u * math.sin(e) - self.xa,
            y - self.zf * math.sin(o + e) + self.u * math.cos(e) - self.ya])

    def jacobian(self, q):
        b, t, g, p, d, o, e = q
        x_t, y_t = self.d * math.sin(b + t), -self.d * math.cos(b + t)
        x_b, y_b = x_t - self.rr * math.sin(b), y_t + self.rr * math.cos(b)
        rows = np.zeros((6, 7))
        rows[0::2, 0], rows[1::2, 0], rows[0::2, 1], rows[1::2, 1] = x_b, y_b, x_t, y_t
        rows[0:2, 2] = -self.ss * math.cos(g), -self.ss * math.sin(g)
        rows[2:4, 3] = -self.e * math.cos(p + d), -self.e * math.sin(p + d)
        rows[2:4, 4] = rows[2:4, 3] + [self.zt * math.sin(d), -self.zt * math.cos(d)]
        rows[4:6, 5] = self.zf * math.sin(o + e), -self.zf * math.cos(o + e)
        rows[4:6, 6] = rows[4:6, 5] + [-self.u * math.cos(e), -self.u * math.sin(e)]
        return rows

    def bias(self, q, v):
        """G' v: second derivatives of the constraints, all of them of sines and cosines of sums."""
        b, t, g, p, d, o, e = q
        bb, tt, gg, pp, dd, oo, ee = v
        x = -self.rr * math.cos(b) * bb**2 + self.d * math.cos(b + t) * (bb + tt)**2
        y = -self.rr * math.sin(b) * bb**2 + self.d * math.sin(b + t) * (bb + tt)**2
        return np.array([
            x + self.ss * math.sin(g) * gg**2, y - self.ss * math.cos(g) * gg**2,
            x + self.e * math.sin(p + d) * (pp + dd)**2 + self.zt * math.cos(d) * dd**2,
            y - self.e * math.cos(p + d) * (pp + dd)**2 + self.zt * math.sin(d) * dd**2,
            x + self.zf * math.cos(o + e) * (oo + ee)**2 + self.u * math.sin(e) * ee**2,
            y + self.zf * math.sin(o + e) * (oo + ee)**2 - self.u * math.cos(e) * ee**2])

    def mass(self, q):
        _, t, _, p, _, o, _ = q
        m, i = self.m, self.i
        matrix = np.zeros((7, 7))
        lever4, lever6 = self.e - self.ea, self.zf - self.fa
        matrix[0, 0] = (m[1] * self.ra**2 + m[2] * (self.rr**2 - 2 * self.da * self.rr * math.cos(t) + self.da**2)
                        + i[1] + i[2])
        matrix[0, 1] = matrix[1, 0] = m[2] * (self.da**2 - self.da * self.rr * math.cos(t)) + i[2]
        matrix[1, 1] = m[2] * self.da**2 + i[2]
        matrix[2, 2] = m[3] * (self.sa**2 + self.sb**2) + i[3]
        matrix[3, 3] = m[4] * lever4**2 + i[4]
        matrix[3, 4] = matrix[4, 3] = m[4] * (lever4**2 + self.zt * lever4 * math.sin(p)) + i[4]
        matrix[4, 4] = (m[4] * (self.zt**2 + 2 * self.zt * lever4 * math.sin(p) + lever4**2)
                        + m[5] * (self.ta**2 + self.tb**2) + i[4] + i[5])
        matrix[5, 5] = m[6] * lever6**2 + i[6]
        matrix[5, 6] = matrix[6, 5] = m[6] * (lever6**2 - self.u * lever6 * math.sin(o)) + i[6]
        matrix[6, 6] = (m[6] * (lever6**2 - 2 * self.u * lever6 * math.sin(o) + self.u**2)
                        + m[7] * (self.ua**2 + self.ub**2) + i[6] + i[7])
        return matrix

    def loads(self, q, v):
        _, t, g, p, _, o, _ = q
        bb, tt, gg, pp, dd, oo, ee = v
        m = self.m
        point = np.array([self.xb + self.sc * math.sin(g) + self.sd * math.cos(g),
                          self.yb - self.sc * math.cos(g) + self.sd * math.sin(g)])
        slope = np.array([self.sc * math.cos(g) - self.sd * math.sin(g),
                          self.sc * math.sin(g) + self.sd * math.cos(g)])
        way = point - [self.xc, self.yc]
        length = math.hypot(*way)
        rate = way @ slope / length
        pull = self.stiffness * (length - self.free) + self.damping * rate * gg
        lever4, lever6 = self.e - self.ea, self.zf - self.fa
        return np.array([
            self.moment - m[2] * self.da * self.rr * tt * (tt + 2 * bb) * math.sin(t),
            m[2] * self.da * self.rr * bb**2 * math.sin(t), -pull * rate,
            m[4] * self.zt * lever4 * dd**2 * math.cos(p),
            -m[4] * self.zt * lever4 * pp * (pp + 2 * dd) * math.cos(p),
            -m[6] * self.u * lever6 * ee**2 * math.cos(o),
            m[6] * self.u * lever6 * oo * (oo + 2 * ee) * math.cos(o)])

    def pose(self, beta):
        """All angles at an angle of the crank, by Newton's method from those of the last call."""
        q = np.concatenate([[beta], self.rest])
        for _ in range(30):
            change = np.linalg.solve(self.jacobian(q)[:, 1:], self.constraints(q))
            q[1:] -= change
            if np.max(np.abs(change)) < 1e-14:
                break
        self.rest = q[1:].copy()
        return q

    def rates(self, _time, state):
        beta, rate = state
        q = self.pose(beta)
        rows = self.jacobian(q)
        others = -np.linalg.solve(rows[:, 1:], rows[:, 0])
        v = np.concatenate([[rate], others * rate])
        matrix = np.block([[self.mass(q), rows.T], [rows, np.zeros((6, 6))]])
        right = np.concatenate([self.loads(q, v), -self.bias(q, v)])
        return [rate, np.linalg.solve(matrix, right)[0]]


def seven_bodies(tolerance):
    """The crank's angle with the source's spring and damper: it creeps."""
    bodies = SevenBodies(30000.0, 100000.0)
    times = [0.01, 0.035]
    for time, (beta, rate) in zip(times, integrate_stiff(bodies.rates, [bodies.start[0], 0.0], times, tolerance)):
        q = bodies.pose(beta)
        yield "k1.angle", time, beta
        yield "k1.angular_velocity", time, rate
        yield "k3.angle", time, q[2]
        yield "k7.angle", time, q[6]


SOURCE = "angles as coordinates, Radau IIA"
EXAMPLES = {
    "haug/double_pendulum": (double_pendulum, SOURCE),
    "haug/slider_crank": (slider_crank, SOURCE),
    "haug/seven_bodies": (seven_bodies, SOURCE),
}
