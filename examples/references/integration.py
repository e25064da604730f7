"""Ordinary differential equations, rotations and mechanisms with one freedom for the references."""

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81


def integrate(rates, start, times, tolerance):
    """States at `times`, one row each."""
    solution = solve_ivp(rates, (0.0, times[-1]), start, method="DOP853", t_eval=times,
                         rtol=max(tolerance, 3e-14), atol=tolerance)
    if not solution.success:
        raise RuntimeError(f"the reference failed at t = {solution.t[-1]}: {solution.message}")
    return solution.y.T


def skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rotation(e):
    """Body to world, from Euler parameters of any length."""
    e0, v = e[0], e[1:]
    matrix = (e0 * e0 - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * e0 * skew(v)
    return matrix / (e @ e)


def parameter_rates(e, w):
    """e' for the angular velocity w in body axes."""
    e0, v = e[0], e[1:]
    return 0.5 * np.concatenate([[-v @ w], e0 * w + np.cross(v, w)])


class OneFreedom:
    """Bodies whose poses are explicit functions of one angle.

    T = J(theta) theta'^2 / 2 with J = sum m |p'|^2 + w^T J w, where p' and w are the velocities for
    theta' = 1. Derivatives by theta are taken by a Richardson-extrapolated difference quotient, exact
    to about 1e-12.
    """

    def __init__(self, bodies, gravity):
        self.bodies = bodies  # (mass, inertia in body axes, theta -> (position, R))
        self.gravity = gravity

    @staticmethod
    def slope(function, theta):
        step = 8e-3

        def central(h):
            return (function(theta + h) - function(theta - h)) / (2.0 * h)

        table = [central(step / 2**k) for k in range(5)]
        for order in range(1, 5):
            table = [(4**order * b - a) / (4**order - 1) for a, b in zip(table, table[1:])]
        return table[0]

    def inertia(self, theta):
        total = 0.0
        for mass, inertia, pose in self.bodies:
            velocity = self.slope(lambda angle, pose=pose: pose(angle)[0], theta)
            turn = pose(theta)[1].T @ self.slope(lambda angle, pose=pose: pose(angle)[1], theta)
            w = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
            total += mass * velocity @ velocity + w @ (inertia * w)
        return total

    def potential(self, theta):
        return -sum(mass * self.gravity @ pose(theta)[0] for mass, _, pose in self.bodies)

    def rates(self, _time, state):
        theta, rate = state
        slope = self.slope(self.inertia, theta)
        push = self.slope(self.potential, theta)
        return [rate, -(0.5 * slope * rate**2 + push) / self.inertia(theta)]


class Turning:
    """J(theta) theta'' + J' theta'^2 / 2 + V' = load for a mechanism that turns over and over.

    J and V are read off once, at `count` angles of a turn; trigonometric polynomials through these values
    give them and their slopes everywhere, to round-off where the functions are smooth.
    """

    def __init__(self, inertia, potential, count=256):
        angles = 2.0 * np.pi * np.arange(count) / count
        self.orders = np.arange(count // 2)
        self.series = [2.0 * np.fft.rfft([function(a) for a in angles])[: count // 2] / count
                       for function in (inertia, potential)]
        for series in self.series:
            series[0] *= 0.5

    def inertia(self, theta):
        """J and its slope."""
        return self.evaluate(self.series[0], theta)

    def potential(self, theta):
        return self.evaluate(self.series[1], theta)

    def evaluate(self, series, theta):
        terms = series * np.exp(1j * self.orders * theta)
        return float(np.sum(terms.real)), float(-np.sum(self.orders * terms.imag))

    def acceleration(self, theta, rate, load=0.0):
        inertia, slope = self.inertia(theta)
        return (load - 0.5 * slope * rate**2 - self.potential(theta)[1]) / inertia
