"""Rolling without slipping: the moment of momentum about the point of contact."""

import math

import numpy as np

from .integration import GRAVITY, integrate, parameter_rates, rotation


def disc_rates(state, mass, radius, inertia):
    """Rates of (position, Euler parameters, angular velocity in the body), and the force of the table.

    r = R (z - c n) / k points from the contact to the centre, with the axle n, c = n_z, k^2 = 1 - c^2;
    v = w x r, and  J w' + w x J w = -m r x (v' + g z).
    """
    e, w_body = state[3:7], state[7:]
    turn, up = rotation(e), np.array([0.0, 0.0, 1.0])
    w, n = turn @ w_body, turn[:, 1]
    c, n_rate = n[2], np.cross(w, n)
    k = math.sqrt(1.0 - c * c)
    r = radius * (up - c * n) / k
    k_rate = -c * n_rate[2] / k
    r_rate = -radius * (n_rate[2] * n + c * n_rate) / k - r * k_rate / k
    J = turn @ np.diag(inertia) @ turn.T
    left = J + mass * (r @ r * np.eye(3) - np.outer(r, r))
    right = -np.cross(w, J @ w) - mass * np.cross(r, np.cross(w, r_rate) + GRAVITY * up)
    w_rate = np.linalg.solve(left, right)
    acceleration = np.cross(w_rate, r) + np.cross(w, r_rate)
    rates = np.concatenate([np.cross(w, r), parameter_rates(e, w_body), turn.T @ w_rate])
    return rates, mass * (acceleration + GRAVITY * up)


def rolling_disc(tolerance):
    """The coin's equations above, from a lean of 20 degrees."""
    mass, radius, inertia = 0.5, 0.1, np.array([1.25e-3, 2.5e-3, 1.25e-3])
    lean = math.radians(20.0)
    start = np.concatenate([[0.0, 0.0, radius * math.cos(lean)],
                            [math.cos(lean / 2), math.sin(lean / 2), 0.0, 0.0], [0.0, 12.0, 0.0]])
    times = [0.5, 1.0, 2.0]
    states = integrate(lambda _t, y: disc_rates(y, mass, radius, inertia)[0], start, times, tolerance)
    for time, state in zip(times, states):
        force = disc_rates(state, mass, radius, inertia)[1]
        for name, value in zip("xyz", state[:3]):
            yield f"coin.position.{name}", time, value
        yield "coin.angular_velocity.y", time, state[8]
        yield "roll.reaction.force.z", time, force[2]


def turntable(_tolerance):
    """The velocity of the centre turns with 2/7 of the table's speed, so the path is a circle."""
    rate, radius, speed, start = 2.0, 0.05, 0.5, np.array([0.2, 0.0])
    for time in (1.0, 2.5, 4.0):
        # v = speed (-sin, cos)(rate t); the position is its integral.
        x = start[0] + speed / rate * (math.cos(rate * time) - 1.0)
        y = start[1] + speed / rate * math.sin(rate * time)
        yield "ball.position.x", time, x
        yield "ball.position.y", time, y
        yield "ball.velocity.x", time, -speed * math.sin(rate * time)
        # The table pushes the ball round: m times its acceleration.
        yield "roll.reaction.force.x", time, -0.5 * speed * rate * math.cos(rate * time)


EXAMPLES = {
    "rolling_disc": (rolling_disc, "momentum about the contact, DOP853"),
    "turntable": (turntable, "closed form of the circle"),
}
