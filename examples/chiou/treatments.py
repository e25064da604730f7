#!/usr/bin/python3
"""Planar mechanisms of Chiou 1990 by the treatments that were compared there, without Trammel.

    examples/chiou/treatments.py      # prints the tables that the pages of the methods quote

Crank-slider [sec. 7.2] and three links [sec. 7.3] in the coordinates of the source, with data of our
own; a pendulum of 1 m released level. One pass of a step finds accelerations and multipliers of
M a + B^T lambda = F with rows as the treatment asks for them.
"""

import numpy as np
from numpy import cos, sin


class CrankSlider:
    """u = (crank angle, rod angle, x, y of the rod's middle)."""

    M = np.array([1.0, 1 / 12, 1.0, 1.0])
    start = np.array([0.0, 0.0, 1.0, 0.0])

    def force(self, u):
        return np.array([22.8632157, 0.0, 0.0, -9.81])

    def rows(self, u):
        t, p, x, y = u
        return np.array([0.5 * cos(t) - x + 0.5 * cos(p), 0.5 * sin(t) - y + 0.5 * sin(p), 0.5 * sin(p) + y])

    def jacobian(self, u):
        t, p = u[:2]
        return np.array([[-0.5 * sin(t), -0.5 * sin(p), -1, 0], [0.5 * cos(t), 0.5 * cos(p), 0, -1],
                         [0, 0.5 * cos(p), 0, 1]])

    def bias(self, u, v):
        t, p = u[:2]
        a, b = v[0] ** 2, v[1] ** 2
        return -0.5 * np.array([cos(t) * a + cos(p) * b, sin(t) * a + sin(p) * b, sin(p) * b])


class ThreeLinks:
    """u = (three angles, x of three middles, y of them); equal angles mean folded links."""

    M = np.array([1 / 12] * 3 + [1.0] * 6)
    start = np.array([np.pi / 2] * 3 + [0.0] * 3 + [0.5] * 3)

    def force(self, u):
        return np.array([u[1] - 2 * u[0], u[0] - 2 * u[1] + u[2], u[1] - u[2], 0, 0, 7.0, 0, 0, 0])

    def rows(self, u):
        c, s, x, y = 0.5 * cos(u[:3]), 0.5 * sin(u[:3]), u[3:6], u[6:]
        return np.array([x[0] - c[0], y[0] - s[0], x[1] - x[0] - c[0] + c[1], y[1] - y[0] - s[0] + s[1],
                         x[2] - x[1] + c[1] - c[2], y[2] - y[1] + s[1] - s[2]])

    def jacobian(self, u):
        c, s = 0.5 * cos(u[:3]), 0.5 * sin(u[:3])
        return np.array([[s[0], 0, 0, 1, 0, 0, 0, 0, 0], [-c[0], 0, 0, 0, 0, 0, 1, 0, 0],
                         [s[0], -s[1], 0, -1, 1, 0, 0, 0, 0], [-c[0], c[1], 0, 0, 0, 0, -1, 1, 0],
                         [0, -s[1], s[2], 0, -1, 1, 0, 0, 0], [0, c[1], -c[2], 0, 0, 0, 0, -1, 1]])

    def bias(self, u, v):
        c, s = 0.5 * cos(u[:3]) * v[:3] ** 2, 0.5 * sin(u[:3]) * v[:3] ** 2
        return np.array([c[0], s[0], c[0] - c[1], s[0] - s[1], c[2] - c[1], s[2] - s[1]])


class Pendulum:
    """A point of 1 kg on a circle of 1 m, Phi = (|u|^2 - 1)/2."""

    M = np.ones(2)
    start = np.array([-1.0, 0.0])

    def force(self, u):
        return np.array([0.0, -9.81])

    def rows(self, u):
        return np.array([0.5 * (u @ u - 1.0)])

    def jacobian(self, u):
        return u[None, :].copy()

    def bias(self, u, v):
        return np.array([v @ v])


def solve(model, u, rows, shift=0.0):
    """a and lambda of M a + B^T lambda = F, B a - shift lambda = rows."""
    B = model.jacobian(u)
    n, m = B.shape[1], B.shape[0]
    K = np.block([[np.diag(model.M), B.T], [B, -shift * np.eye(m)]])
    x = np.linalg.solve(K, np.concatenate([model.force(u), rows]))
    return x[:n], x[n:]


def single_grid(model, until, h, treatment, epsilon=1e-6, rate=0.0, passes=1, tolerance=1e-6):
    """The trapezoidal rule by passes. Largest |Phi|, passes of each step, time of the first failure."""
    r = 0.5 * h
    u, v = model.start.copy(), np.zeros(len(model.M))
    a, lam = solve(model, u, -model.bias(u, v))
    lam0, lam_rate = lam.copy(), np.zeros_like(lam)
    worst, counts = 0.0, []
    for step in range(round(until / h)):
        v_h, c, v1 = v + r * a, a, v + h * a
        u1 = u + r * (v + v1)
        for count in range(1, passes + 1):
            B, g, shift = model.jacobian(u1), model.rows(u1), epsilon / r**2
            if treatment == "penalty":
                a1, lam1 = solve(model, u1, -(B @ v_h) / r - shift * (lam + r * lam_rate), shift)
            elif treatment == "penalty-position":
                a1, lam1 = solve(model, u1, B @ c - g / r**2 - shift * lam0, shift)
            elif treatment == "baumgarte":
                a1, lam1 = solve(model, u1, -model.bias(u1, v1) - 2 * rate * B @ v1 - rate**2 * g)
            else:
                rows = -model.bias(u1, v1) - 2 * rate * B @ v_h - rate**2 * (g - r * r * B @ c)
                a1, lam1 = solve(model, u1, rows / (1 + 2 * rate * r + (rate * r) ** 2))
            last_u, last_v = u1, v1
            c, v1 = a1, v_h + r * a1
            u1 = u + r * (v + v1)
            if not abs(v1).max() < 1e6:
                return np.inf, counts, step * h
            if passes > 1 and max(abs(u1 - last_u).max(), abs(v1 - last_v).max()) < tolerance:
                break
        else:
            if passes > 1:
                return worst, counts, (step + 1) * h
        counts.append(count)
        lam_rate = (lam1 - lam) / r - lam_rate
        u, v, a, lam = u1, v1, a1, lam1
        worst = max(worst, abs(model.rows(u)).max())
    return worst, counts, 0.0


def two_stages(model, until, h, epsilon, extrapolated=False, rebuilt=0):
    """The staggered method with the balanced start of docs/integrators/staggered.md. Largest |Phi|."""
    r = 0.5 * h
    shift = epsilon / r**2

    def free(u, v):
        return solve(model, u, -model.bias(u, v))

    def penalty(u, v_before, lam_before):
        return solve(model, u, -shift * lam_before - model.jacobian(u) @ v_before / r, shift)

    def balanced(u, v, jerk):
        B = model.jacobian(u)
        W = B.T / model.M[:, None]
        return v - W @ np.linalg.solve(B @ W, B @ (v + 0.5 * r * r * jerk))

    u, v = model.start.copy(), np.zeros(len(model.M))
    a, lam = free(u, v)
    u_h = v_h = None
    worst = 0.0
    for step in range(round(until / h)):
        if u_h is None or (rebuilt and step % rebuilt == 0):
            if u_h is not None:
                a, lam = free(u, v)
            u_h, v_h = u + r * (v + 0.5 * r * a), v + r * a
            jerk = (free(u_h, v_h)[0] - a) / r
            v_h, v = balanced(u_h, v_h + 0.5 * r * r * jerk, jerk), balanced(u, v, jerk)
        else:
            v_h, u_h = v_h + h * a, u_h + h * v
        a_h, lam_h = penalty(u_h, v, lam)
        u, v = u + h * v_h, v + h * a_h
        if extrapolated:
            lam = 2 * lam_h - lam
            a = (model.force(u) - model.jacobian(u).T @ lam) / model.M
        else:
            a, lam = penalty(u, v_h, lam_h)
        worst = max(worst, abs(model.rows(u)).max())
    return worst


def main():
    steps = (0.01, 0.005, 0.0025)
    print("Crank-slider, largest constraint error in one revolution, one pass, h =", *steps)
    for treatment, rate in (("penalty", 0), ("penalty-position", 0), ("baumgarte", 40), ("baumgarte", 70),
                            ("baumgarte-implicit", 70)):
        errors = [single_grid(CrankSlider(), 0.82, h, treatment, rate=rate)[0] for h in steps]
        print(f"  {treatment:20}{rate:4}", *[f"{e:10.2g}" for e in errors])
    for extrapolated in (False, True):
        errors = [two_stages(CrankSlider(), 0.82, h, 1e-6, extrapolated) for h in steps]
        print(f"  {'two stages, extrapolated' if extrapolated else 'two stages':24}", *[f"{e:10.2g}" for e in errors])
    print("Three links, h = 0.01: mean and most passes, failure at")
    for treatment, rate in (("penalty", 0), ("penalty-position", 0), ("baumgarte", 40), ("baumgarte", 65),
                            ("baumgarte", 70), ("baumgarte-implicit", 70)):
        _, counts, failed = single_grid(ThreeLinks(), 1.5, 0.01, treatment, rate=rate, passes=50)
        print(f"  {treatment:20}{rate:4}{np.mean(counts):10.3f}{max(counts):6}{failed:8.2f}")
    print("Pendulum, h = 0.01, largest constraint error")
    for epsilon in (1e-2, 1e-4, 1e-6, 1e-8):
        print(f"  epsilon {epsilon:g}, 10 s: {two_stages(Pendulum(), 10, 0.01, epsilon):.2g}")
    print(f"  epsilon 1e-6, 100 s: {two_stages(Pendulum(), 100, 0.01, 1e-6):.2g}")
    print(f"  epsilon 1e-8, 100 s, rebuilt every 10 steps: {two_stages(Pendulum(), 100, 0.01, 1e-8, rebuilt=10):.2g}")
    for until in (10, 100):
        print(f"  extrapolated, {until} s: {two_stages(Pendulum(), until, 0.01, 1e-6, True):.2g}")


if __name__ == "__main__":
    main()
