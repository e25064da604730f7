"""Contacts: forces that begin and end. Integrated in pieces, so that no step crosses such a moment."""

import math

import numpy as np
from scipy.integrate import solve_ivp

from .integration import GRAVITY


def in_pieces(rates, switches, start, times, tolerance):
    """States at `times`; the integration stops and starts anew where one of `switches` changes sign."""
    for switch in switches:
        switch.terminal = True
    time, state, found = 0.0, np.array(start, float), []
    while len(found) < len(times):
        solution = solve_ivp(rates, (time, times[-1]), state, method="DOP853", events=switches,
                             dense_output=True, rtol=max(tolerance, 3e-14), atol=tolerance, max_step=1e-2)
        end = solution.t[-1]
        found += [solution.sol(t) for t in times[len(found):] if t <= end]
        if len(found) < len(times):
            # A short step beyond the switch, so that it is not met again.
            ahead = min(1e-9, times[len(found)] - end)
            state = solution.y[:, -1] + ahead * np.array(rates(end, solution.y[:, -1]))
            time = end + ahead
    return found


def bouncing_ball(tolerance):
    """m y'' = -m g + k x^1.5 (1 + 1.5 d x') with the depth x = -y, only where x > 0."""
    mass, hardness, damping = 0.1, 1e5, 0.15

    def rates(_time, state):
        y, v, _ = state
        force = hardness * max(0.0, -y) ** 1.5 * (1.0 - 1.5 * damping * v)
        return [v, force / mass - GRAVITY, force * v]

    times = [0.3, 0.5, 1.0, 2.0]
    states = in_pieces(rates, [lambda _t, state: state[0]], [0.5, 0.0, 0.0], times, tolerance)
    for time, (y, v, work) in zip(times, states):
        yield "ball.position.y", time, y
        yield "ball.velocity.y", time, v
        yield "energy.loads", time, work


def newtons_cradle(tolerance):
    """J theta_i'' = -m g l sin(theta_i) + moments of the forces between neighbours, k overlap^1.5."""
    mass, length, diameter, hardness, count = 0.2, 0.3, 0.04, 2e6, 5
    inertia = 3.2e-5 + mass * length**2

    def middles(angles):
        return (diameter * np.arange(count) + length * np.sin(angles)
                - 1j * length * np.cos(angles))

    def rates(_time, state):
        angles, speeds = state[:count], state[count:]
        places = middles(angles)
        moments = -mass * GRAVITY * length * np.sin(angles)
        tangents = length * np.exp(1j * angles)
        for i in range(count - 1):
            way = places[i + 1] - places[i]
            force = hardness * max(0.0, diameter - abs(way)) ** 1.5 * way / abs(way)
            moments[i + 1] += (tangents[i + 1].conjugate() * force).real
            moments[i] -= (tangents[i].conjugate() * force).real
        return np.concatenate([speeds, moments / inertia])

    def gap(i):
        def between(_time, state):
            places = middles(state[:count])
            return abs(places[i + 1] - places[i]) - diameter
        return between

    start = np.concatenate([[-math.radians(30.0)], np.zeros(2 * count - 1)])
    times = [0.25, 0.35, 0.5, 0.8]
    for time, state in zip(times, in_pieces(rates, [gap(0)], start, times, 10.0 * tolerance)):
        yield "hook1.angle", time, state[0]
        yield "hook3.angle", time, state[2]
        yield "hook5.angle", time, state[4]
        yield "hook5.angle_rate", time, state[9]


EXAMPLES = {
    "bouncing_ball": (bouncing_ball, "height of the ball, DOP853 from contact to contact"),
    "newtons_cradle": (newtons_cradle, "five angles with Hertz' contacts, DOP853"),
}
