#!/usr/bin/env python3
"""Exact answers of the benchmark mechanisms, in minimal coordinates.

    reference.py CASE [--n N] [--until T] [--rtol 1e-12]

prints one JSON line {"case", "n", "until", "final": {...}, "uncertainty": {...}}. The equations are
integrated by DOP853 at the tolerance asked for and once more at a tolerance 30 times as large; the
difference of the two is printed as the uncertainty, so that nobody takes more digits than there are.

No program under comparison is involved: the equations are written out below. Slender rods throughout,
gravity g along -y, angles counted from +x.

chain         absolute angles theta_i, rods of length l = 1/n and mass m = 1/n:
              sum_j a_ij cos(theta_i - theta_j) theta_j''
                  = -sum_j a_ij sin(theta_i - theta_j) theta_j'^2 - b_i g cos(theta_i),
              a_ii = m l^2 (1/3 + n - i), a_ij = m l^2 (1/2 + n - max(i, j)), b_i = m l (1/2 + n - i),
              i, j = 1..n.
fourbar       all bars stay parallel: ((n+1)/3 + n) theta'' = -g ((n+1)/2 + n) cos(theta).
slider_crank  J(theta) theta'' + J'(theta) theta'^2 / 2 + V'(theta) = 0.
pendulum      theta'' = -(g / l) cos(theta).
forward       accelerations of the chain at its start: joint angles of the first and the last link.
"""

import argparse
import json
import math

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81


class Chain:
    def __init__(self, n: int):
        self.n = n
        self.length = 1.0 / n
        beyond = n - np.arange(1, n + 1)  # links beyond link i
        mass = 1.0 / n
        self.coupling = mass * self.length**2 * (
            0.5 + np.minimum.outer(beyond, beyond) - np.eye(n) / 6.0
        )
        self.weight = mass * self.length * GRAVITY * (0.5 + beyond)
        self.start = np.zeros(2 * n)

    def accelerations(self, angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
        difference = angles[:, None] - angles[None, :]
        mass_matrix = self.coupling * np.cos(difference)
        force = -(self.coupling * np.sin(difference)) @ rates**2 - self.weight * np.cos(angles)
        return np.linalg.solve(mass_matrix, force)

    def rates_of(self, _time: float, state: np.ndarray) -> np.ndarray:
        angles, rates = state[: self.n], state[self.n :]
        return np.concatenate([rates, self.accelerations(angles, rates)])

    def final(self, state: np.ndarray) -> dict:
        angles = state[: self.n]
        return {
            "x": float(self.length * np.cos(angles).sum()),
            "y": float(self.length * np.sin(angles).sum()),
            "angle": float(angles[-1]),
        }


class OneAngle:
    """theta'' = f(theta, theta') with a bar of 1 m whose tip is reported."""

    def __init__(self, factor: float, angle: float, rate: float):
        self.factor = factor
        self.start = np.array([angle, rate])

    def rates_of(self, _time: float, state: np.ndarray) -> list:
        return [state[1], -self.factor * math.cos(state[0])]

    def final(self, state: np.ndarray) -> dict:
        angle, rate = map(float, state)
        return {"angle": angle, "rate": rate, "x": math.cos(angle), "y": math.sin(angle)}


def fourbar(n: int) -> OneAngle:
    return OneAngle(GRAVITY * ((n + 1) / 2 + n) / ((n + 1) / 3 + n), math.pi / 2, -1.0)


def pendulum() -> OneAngle:
    return OneAngle(GRAVITY, math.pi, 0.0)


class SliderCrank:
    crank, rod = 0.15, 0.45
    crank_mass, rod_mass, slider_mass = 0.5, 1.0, 0.7
    start = np.array([math.pi / 4, 10.0])

    def rates_of(self, _time: float, state: np.ndarray) -> list:
        theta, rate = state
        r, l = self.crank, self.rod
        # Rod angle phi(theta) from l sin(phi) = -r sin(theta), with two derivatives by theta.
        c, s = math.cos(theta), math.sin(theta)
        phi = -math.asin(r * s / l)
        cp, sp = math.cos(phi), math.sin(phi)
        p1 = -r * c / (l * cp)
        p2 = (r * s + l * sp * p1**2) / (l * cp)
        # First and second derivatives of the rod's centre (x, y) and of the slider.
        x1, x2 = -r * s - l / 2 * sp * p1, -r * c - l / 2 * (cp * p1**2 + sp * p2)
        y1, y2 = r * c + l / 2 * cp * p1, -r * s + l / 2 * (cp * p2 - sp * p1**2)
        s1, s2 = -r * s - l * sp * p1, -r * c - l * (cp * p1**2 + sp * p2)
        m1, m2, m3 = self.crank_mass, self.rod_mass, self.slider_mass
        inertia = m1 * r**2 / 3 + m2 * (x1**2 + y1**2 + l**2 / 12 * p1**2) + m3 * s1**2
        half_slope = m2 * (x1 * x2 + y1 * y2 + l**2 / 12 * p1 * p2) + m3 * s1 * s2
        potential_slope = GRAVITY * (m1 * r / 2 * c + m2 * y1)
        return [rate, -(half_slope * rate**2 + potential_slope) / inertia]

    def final(self, state: np.ndarray) -> dict:
        theta, rate = map(float, state)
        phi = -math.asin(self.crank * math.sin(theta) / self.rod)
        x = self.crank * math.cos(theta) + self.rod * math.cos(phi)
        return {"angle": theta, "rate": rate, "slider_x": x}


def integrate(problem, until: float, rtol: float) -> dict:
    solution = solve_ivp(
        problem.rates_of, (0.0, until), problem.start, method="DOP853", rtol=rtol, atol=rtol
    )
    if not solution.success:
        raise RuntimeError(f"the reference failed at t = {solution.t[-1]}: {solution.message}")
    return problem.final(solution.y[:, -1])


def forward(n: int) -> dict:
    chain = Chain(n)
    accelerations = chain.accelerations(np.zeros(n), np.zeros(n))
    last = accelerations[-1] - (accelerations[-2] if n > 1 else 0.0)
    return {
        "first_joint_acceleration": float(accelerations[0]),
        "last_joint_acceleration": float(last),
    }


def reference(case: str, n: int = 1, until: float = 1.0, rtol: float = 1e-12) -> dict:
    answer = {"case": case, "n": n, "until": until}
    if case == "forward":
        return answer | {"final": forward(n), "uncertainty": {}}
    problem = {
        "chain": lambda: Chain(n),
        "fourbar": lambda: fourbar(n),
        "slider_crank": SliderCrank,
        "pendulum": pendulum,
    }[case]()
    fine = integrate(problem, until, rtol)
    coarse = integrate(problem, until, 30 * rtol)
    return answer | {
        "final": fine,
        "uncertainty": {name: abs(fine[name] - coarse[name]) for name in fine},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "case", choices=["chain", "fourbar", "slider_crank", "pendulum", "forward"]
    )
    parser.add_argument("--n", type=int, default=1, help="links (chain) or loops (fourbar)")
    parser.add_argument("--until", type=float, default=1.0, help="end of the motion [s]")
    parser.add_argument("--rtol", type=float, default=1e-12, help="tolerance of DOP853")
    arguments = parser.parse_args()
    print(json.dumps(reference(arguments.case, arguments.n, arguments.until, arguments.rtol)))


if __name__ == "__main__":
    main()
