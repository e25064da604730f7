"""The first examples: free mechanisms, tops and chains."""

import math

import numpy as np

from reference import Chain, SliderCrank, fourbar, pendulum

from .integration import GRAVITY, OneFreedom, integrate, parameter_rates, rotation, skew

def slider_crank(tolerance):
    """J(theta) theta'' + J'(theta) theta'^2 / 2 + V'(theta) = 0."""
    problem = SliderCrank()
    times = [0.0, 0.5, 1.0]
    for time, (theta, rate) in zip(times, integrate(problem.rates_of, problem.start, times, tolerance)):
        acceleration = problem.rates_of(time, [theta, rate])[1]
        r, l = problem.crank, problem.rod
        # The only horizontal force from outside is that of the main bearing: it is the rate of change
        # of horizontal momentum. Derivatives of the rod angle phi from l sin(phi) = -r sin(theta).
        c, s = math.cos(theta), math.sin(theta)
        phi = -math.asin(r * s / l)
        p1 = -r * c / (l * math.cos(phi))
        p2 = (r * s + l * math.sin(phi) * p1**2) / (l * math.cos(phi))
        crank1, crank2 = -r * s, -r * c
        rod1 = -l * math.sin(phi) * p1
        rod2 = -l * (math.cos(phi) * p1**2 + math.sin(phi) * p2)
        weights = [(problem.crank_mass, 0.5, 0.0), (problem.rod_mass, 1.0, 0.5),
                   (problem.slider_mass, 1.0, 1.0)]
        force = sum(m * ((a * crank2 + b * rod2) * rate**2 + (a * crank1 + b * rod1) * acceleration)
                    for m, a, b in weights)
        exact = time == 0.0  # the start is assembled to round-off, with velocities and forces
        yield "main.angle", time, theta, 1e-12 if exact else 1.6e-3
        yield "main.angle_rate", time, rate, 1e-12 if exact else 3.5e-3
        yield "slider.position.x", time, r * c + l * math.cos(phi), 1e-12 if exact else 2.5e-4
        yield "slider.velocity.x", time, (crank1 + rod1) * rate, 1e-12 if exact else 4e-4
        yield "slider.acceleration.x", time, ((crank2 + rod2) * rate**2
                                              + (crank1 + rod1) * acceleration), 1e-10 if exact else 2e-3
        yield "main.reaction.force.x", time, force, 1e-10 if exact else 3e-3


def simple_pendulum(tolerance):
    """theta'' = -(g / l) cos(theta); tension of the rod 3 m g sin(theta) for a start at rest."""
    problem = pendulum()
    times = [1.0, 10.0]
    for time, (theta, _) in zip(times, integrate(problem.rates_of, problem.start, times, tolerance)):
        x, y = math.cos(theta), math.sin(theta)
        yield "bob.position.x", time, x, 4e-4
        yield "bob.position.y", time, y, 1.2e-4
        yield "rod.reaction.force.y", time, 3.0 * GRAVITY * y * y, 7e-3


def four_bar(tolerance):
    """((n+1)/3 + n) theta'' = -g ((n+1)/2 + n) cos(theta): all rockers stay parallel."""
    problem = fourbar(2)
    times = [1.0, 10.0]
    for time, (theta, rate) in zip(times, integrate(problem.rates_of, problem.start, times, tolerance)):
        yield "rocker0.angle", time, theta, 8e-4
        yield "coupler1.position.x", time, 1.5 + math.cos(theta), 8e-4
        yield "coupler1.position.y", time, math.sin(theta), 3e-4
        yield "rocker2.angular_velocity", time, rate, 2e-3


def heavy_top(tolerance):
    """J_O w' + w x J_O w = m c x R^T g about the fixed tip, with Euler parameters for R."""
    mass, centre = 15.0, np.array([0.0, 1.0, 0.0])
    about_centre = np.diag([0.234375, 0.46875, 0.234375])
    inertia = about_centre + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    gravity = np.array([0.0, 0.0, -GRAVITY])

    def acceleration(e, w):
        torque = mass * np.cross(centre, rotation(e).T @ gravity)
        return np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))

    def rates(_time, state):
        e, w = state[:4], state[4:]
        return np.concatenate([parameter_rates(e, w), acceleration(e, w)])

    start = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 150.0, -4.61538])
    times = [0.1, 1.0]
    for time, state in zip(times, integrate(rates, start, times, tolerance)):
        e, w = state[:4] / np.linalg.norm(state[:4]), state[4:]
        lift = np.cross(acceleration(e, w), centre) + np.cross(w, np.cross(w, centre))
        force = mass * (rotation(e) @ lift - gravity)
        for i in range(4):
            yield f"top.orientation.e{i}", time, e[i], 5e-4
        for name, value in zip("xyz", w):
            yield f"top.angular_velocity.{name}", time, value, 1.3e-2
        yield "tip.reaction.force.z", time, force[2], 1.0


def asymmetric_top(tolerance):
    """Euler's equations J w' + w x J w = 0, with Euler parameters for the attitude."""
    inertia = np.array([1.0, 2.0, 3.0])

    def rates(_time, state):
        e, w = state[:4], state[4:]
        return np.concatenate([parameter_rates(e, w), -np.cross(w, inertia * w) / inertia])

    start = np.array([1.0, 0.0, 0.0, 0.0, 0.1, 5.0, 0.1])
    times = [2.0, 5.0]
    for time, state in zip(times, integrate(rates, start, times, tolerance)):
        e = state[:4] / np.linalg.norm(state[:4])
        for name, value in zip("xyz", state[4:]):
            yield f"top.angular_velocity.{name}", time, value, 1.5e-4
        for i in range(4):
            yield f"top.orientation.e{i}", time, e[i], 1.5e-5


def chain10(tolerance):
    """The chain's equations in absolute angles; see benchmarks/peers/reference.py."""
    problem = Chain(10)
    times = [0.25, 0.5]
    for time, state in zip(times, integrate(problem.rates_of, problem.start, times, tolerance)):
        angles, rates = state[:10], state[10:]
        x = problem.length * (np.cos(angles).sum() - 0.5 * math.cos(angles[-1]))
        y = problem.length * (np.sin(angles).sum() - 0.5 * math.sin(angles[-1]))
        yield "hinge0.angle", time, angles[0], 1.5e-4
        yield "hinge0.angle_rate", time, rates[0], 4e-2
        yield "hinge9.angle", time, angles[9] - angles[8], 1.2e-3
        yield "link9.position.x", time, x, 4e-5
        yield "link9.position.y", time, y, 4e-5


def chain_fall(tolerance):
    """The chain's equations again, from a polygon in a half circle."""
    n = 50
    problem = Chain(n)
    start = np.concatenate([(np.arange(n) + 0.5) * math.pi / n - 0.5 * math.pi, np.zeros(n)])
    times = [0.2, 0.4]
    for time, state in zip(times, integrate(problem.rates_of, start, times, tolerance)):
        angles = state[:n]
        x = problem.length * (np.cos(angles).sum() - 0.5 * math.cos(angles[-1]))
        y = problem.length * (np.sin(angles).sum() - 0.5 * math.sin(angles[-1]))
        yield "chain_1.bar.angle", time, angles[0], 6e-4
        yield "chain_25.bar.angle", time, angles[24], 3.5e-4
        yield "chain_50.bar.position.x", time, x, 4.5e-5
        yield "chain_50.bar.position.y", time, y, 4.5e-5


def spring_mass_damper(_tolerance):
    """m x'' + c x' + k x = 0 in closed form; the damper takes what the oscillator loses."""
    mass, stiffness, damping, free, extension = 2.0, 800.0, 8.0, 0.5, 0.1
    decay = damping / (2.0 * mass)
    frequency = math.sqrt(stiffness / mass - decay**2)
    for time in (0.1, 1.0):
        fade = extension * math.exp(-decay * time)
        c, s = math.cos(frequency * time), math.sin(frequency * time)
        x = fade * (c + decay / frequency * s)
        v = -fade * (decay**2 / frequency + frequency) * s
        energy = 0.5 * mass * v * v + 0.5 * stiffness * x * x
        yield "block.position.x", time, free + x, 7e-6
        yield "rail.displacement_rate", time, v, 6e-5
        yield "spring.tension", time, stiffness * x + damping * v, 6e-3
        yield "energy.dissipated", time, 0.5 * stiffness * extension**2 - energy, 3e-4


def pendulum_with_torsion_spring(tolerance):
    """(m l^2 / 3) theta'' = -m g (l/2) cos(theta) - k (theta - pi/2) - c theta'."""
    mass, length, stiffness, damping = 1.5, 0.6, 6.0, 0.1

    def rates(_time, state):
        theta, rate, _ = state
        spring = -stiffness * (theta - 0.5 * math.pi) - damping * rate
        weight = -mass * GRAVITY * 0.5 * length * math.cos(theta)
        return [rate, 3.0 * (weight + spring) / (mass * length**2), damping * rate**2]

    times = [1.0, 2.0]
    for time, (theta, rate, lost) in zip(times, integrate(rates, [0.0, 0.0, 0.0], times, tolerance)):
        yield "pin.angle", time, theta, 5e-5
        yield "pin.angle_rate", time, rate, 1.2e-4
        yield "spring.torque", time, -stiffness * (theta - 0.5 * math.pi) - damping * rate, 3e-4
        yield "energy.dissipated", time, lost, 1e-5


def spatial_slider_crank(tolerance):
    """One equation for the crank angle theta, from the energies of crank, rod and slider.

    The pin is at (0, 0.1 - 0.08 sin(theta), 0.12 + 0.08 cos(theta)), the slider where the rod of 0.3 m
    reaches the x axis. The rod's turn about itself follows from the universal joint: its axis s,
    perpendicular to the rod, stays perpendicular to z, hence s = z x u / |z x u| with u along the rod.
    """

    def pin(theta):
        return np.array([0.0, 0.1 - 0.08 * math.sin(theta), 0.12 + 0.08 * math.cos(theta)])

    def slider(theta):
        p = pin(theta)
        return np.array([math.sqrt(0.09 - p[1] ** 2 - p[2] ** 2), 0.0, 0.0])

    def crank_pose(theta):
        c, s = math.cos(theta), math.sin(theta)
        turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        return 0.5 * (np.array([0.0, 0.1, 0.12]) + pin(theta)), turn

    def rod_pose(theta):
        u = (slider(theta) - pin(theta)) / 0.3
        s = np.cross([0.0, 0.0, 1.0], u)
        s /= np.linalg.norm(s)
        return 0.5 * (pin(theta) + slider(theta)), np.column_stack([u, s, np.cross(u, s)])

    def slider_pose(theta):
        return slider(theta), np.eye(3)

    problem = OneFreedom([(0.12, np.array([1e-4, 1e-4, 1e-5]), crank_pose),
                          (0.5, np.array([4e-4, 4e-3, 4e-3]), rod_pose),
                          (2.0, np.array([1e-4, 1e-4, 1e-4]), slider_pose)],
                         np.array([0.0, 0.0, -GRAVITY]))
    times = [0.5, 1.0]
    for time, (theta, rate) in zip(times, integrate(problem.rates, [0.0, 6.0], times, 100 * tolerance)):
        speed = problem.slope(slider, theta)[0] * rate
        yield "main.angle", time, theta, 2e-3
        yield "main.angle_rate", time, rate, 6e-3
        yield "guide.displacement", time, slider(theta)[0], 1e-4
        yield "slider.velocity.x", time, speed, 1.2e-3


class HingeLoop:
    """Bars joined by hinges in a loop, in hinge angles: d'Alembert's principle on the loop's tangent.

    phi'' solves  J phi'' = -J' phi'  (closure of the loop, six rows of rank five) and
    n^T (M phi'' + h) = 0, where n spans the null space of J and M, h are those of the opened chain.
    """

    def __init__(self, points, axes, centres, mass, across, along, gravity):
        self.points, self.axes, self.centres = points, axes, centres
        self.mass, self.across, self.along, self.gravity = mass, across, along, gravity

    def sweep(self, phi, phi_dot):
        """Hinge points and axes, bar centres and directions, angular velocities, bias accelerations."""
        turn, origin = np.eye(3), np.zeros(3)
        w, bias_w = np.zeros(3), np.zeros(3)
        v, bias_v = np.zeros(3), np.zeros(3)  # of the point `origin` of the current bar
        hinges = []
        for i, (point, axis) in enumerate(zip(self.points, self.axes)):
            place = origin + turn @ (point - self.points[max(i - 1, 0)])
            arm = place - origin
            v = v + np.cross(w, arm)
            bias_v = bias_v + np.cross(bias_w, arm) + np.cross(w, np.cross(w, arm))
            a = turn @ axis
            bias_w = bias_w + np.cross(w, a * phi_dot[i])
            w = w + a * phi_dot[i]
            s, c = math.sin(phi[i]), math.cos(phi[i])
            about = np.outer(axis, axis) + c * (np.eye(3) - np.outer(axis, axis)) + s * skew(axis)
            turn, origin = turn @ about, place
            hinges.append((place, a, turn, w, bias_w, v, bias_v))
        return hinges

    def accelerations(self, phi, phi_dot):
        hinges = self.sweep(phi, phi_dot)
        count = len(hinges)
        M, h = np.zeros((count, count)), np.zeros(count)
        for b, centre in enumerate(self.centres):  # bar b hangs on hinge b
            place, _, turn, w, bias_w, v, bias_v = hinges[b]
            arm = turn @ (centre - self.points[b])
            p = place + arm
            u = turn @ ((self.points[b + 1] - self.points[b]))
            u = u / np.linalg.norm(u)
            inertia = self.across * np.eye(3) + (self.along - self.across) * np.outer(u, u)
            jv, jw = np.zeros((3, count)), np.zeros((3, count))
            for j in range(b + 1):
                jw[:, j] = hinges[j][1]
                jv[:, j] = np.cross(hinges[j][1], p - hinges[j][0])
            bias = bias_v + np.cross(bias_w, arm) + np.cross(w, np.cross(w, arm))
            M += self.mass * jv.T @ jv + jw.T @ inertia @ jw
            h += self.mass * jv.T @ (bias - self.gravity)
            h += jw.T @ (inertia @ bias_w + np.cross(w, inertia @ w))
        # The last link is the ground again: it must neither turn nor move.
        place, _, _, w, bias_w, v, bias_v = hinges[-1]
        J = np.zeros((6, count))
        for j, (at, a, *_rest) in enumerate(hinges):
            J[:3, j], J[3:, j] = a, np.cross(a, place - at)
        n = np.linalg.svd(J)[2][-1]
        left = np.vstack([J, n @ M])
        right = -np.concatenate([bias_w, bias_v, [n @ h]])
        return np.linalg.lstsq(left, right, rcond=1e-9)[0]

    def rates(self, _time, state):
        count = len(self.points)
        phi, phi_dot = state[:count], state[count:]
        return np.concatenate([phi_dot, self.accelerations(phi, phi_dot)])


def bricard(tolerance):
    """Six hinge angles with the loop closed on the level of accelerations; drift is checked."""
    points = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    axes = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], float)
    centres = 0.5 * (points[:-1] + points[1:])
    loop = HingeLoop(points, axes, centres, 1.0, 1.0 / 12.0, 1e-4, np.array([0.0, -GRAVITY, 0.0]))
    times = [1.0, 4.0]
    states = integrate(loop.rates, np.zeros(12), times, tolerance)
    for time, state in zip(times, states):
        phi, phi_dot = state[:6], state[6:]
        hinges = loop.sweep(phi, phi_dot)
        gap = np.linalg.norm(hinges[5][0] - points[5]) + np.linalg.norm(hinges[5][2] - np.eye(3))
        if gap > 1e-8:
            raise RuntimeError(f"the loop has drifted open by {gap:.1e}")
        yield "hinge0.angle", time, phi[0], 1.5e-5
        yield "hinge0.angle_rate", time, phi_dot[0], 1e-5
        yield "hinge3.angle", time, phi[3], 3e-6
        for axis, value in zip("xyz", hinges[2][0] + hinges[2][2] @ (centres[2] - points[2])):
            yield f"bar2.position.{axis}", time, value, 1e-5


EXAMPLES = {
    "asymmetric_top": (asymmetric_top, "Euler's equations of the free body, DOP853"),
    "bricard": (bricard, "hinge angles of the loop, DOP853"),
    "chain_fall": (chain_fall, "absolute angles of the planar chain, DOP853"),
    "chain10": (chain10, "absolute angles of the planar chain, DOP853"),
    "four_bar": (four_bar, "one angle for all rockers, DOP853"),
    "heavy_top": (heavy_top, "Euler's equations about the fixed tip, DOP853"),
    "pendulum": (simple_pendulum, "angle of the pendulum, DOP853"),
    "pendulum_with_torsion_spring": (pendulum_with_torsion_spring, "angle of the rod, DOP853"),
    "slider_crank": (slider_crank, "crank angle as the only coordinate, DOP853"),
    "spatial_slider_crank": (spatial_slider_crank, "crank angle as the only coordinate, DOP853"),
    "spring_mass_damper": (spring_mass_damper, "closed form of the damped oscillator"),
}
