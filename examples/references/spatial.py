"""Driven mechanisms and a gyroscope in space."""

import math

import numpy as np
from scipy.optimize import brentq

from .integration import GRAVITY, OneFreedom, integrate, skew
from .planar import derivatives, dyad

slope = OneFreedom.slope


def turn(axis, angle):
    """Rotation about an axis of length 1 (Rodrigues)."""
    a = np.asarray(axis, float)
    return (math.cos(angle) * np.eye(3) + (1.0 - math.cos(angle)) * np.outer(a, a)
            + math.sin(angle) * skew(a))


def hooke_drive_line(_tolerance):
    """Each arm of a cross is perpendicular to its own shaft and to the other arm."""
    bend, speed, inertia = math.radians(30.0), 20.0, 1e-3
    shaft = np.array([math.cos(bend), math.sin(bend), 0.0])
    start = np.array([0.0, 0.0, 1.0])  # arm of the middle shaft, in the plane across it

    def middle(s):
        arm = np.cross(shaft, [0.0, math.cos(s), math.sin(s)])
        arm /= np.linalg.norm(arm)
        # Angle of the arm about the shaft, counted near s.
        angle = math.atan2(shaft @ np.cross(start, arm), start @ arm)
        return angle + 2.0 * math.pi * round((s - angle) / (2.0 * math.pi))

    for time in (0.05, 0.1, 0.2):
        s = speed * time
        _, rate, acceleration = derivatives(middle, s, speed)
        yield "middle.angular_velocity.x", time, rate
        yield "output_bearing.angle", time, s
        yield "output.angular_velocity.x", time, speed
        yield "motor.load", time, inertia * acceleration * rate / speed


def gyroscope(tolerance):
    """Gimbal angles a (outer) and b (inner), with the rotor's and the outer gimbal's momenta constant.

    H = Js (c' + a' sin b),  P = a' (Io + B sin^2 b + Z cos^2 b) + H sin b,
    X b'' = (B - Z) a'^2 sin b cos b + (H a' - m g r) cos b.
    """
    outer, mass, arm = 2e-3, 0.3, 0.1
    inner, rotor_across, rotor = np.array([1e-3, 1.2e-3, 1e-3]), 5e-4, 8e-4
    X = inner[0] + mass * arm**2 + rotor_across
    Z = inner[2] + mass * arm**2 + rotor_across
    B, H, P = inner[1], rotor * 300.0, 0.0

    def precession(b):
        return (P - H * math.sin(b)) / (outer + B * math.sin(b) ** 2 + Z * math.cos(b) ** 2)

    def rates(_time, state):
        _, b, b_rate = state
        a_rate = precession(b)
        moment = ((B - Z) * a_rate**2 * math.sin(b) + H * a_rate - mass * GRAVITY * arm) * math.cos(b)
        return [a_rate, b_rate, moment / X]

    times = [0.2, 0.5, 1.0]
    for time, (a, b, b_rate) in zip(times, integrate(rates, [0.0, 0.0, 0.0], times, tolerance)):
        yield "outer_axis.angle", time, a
        yield "inner_axis.angle", time, b
        yield "inner_axis.angle_rate", time, b_rate
        yield "rotor_axis.angle_rate", time, H / rotor - precession(b) * math.sin(b)


def double_wishbone(_tolerance):
    """Two circles for the ball joints, a turn about the line through them from the tie rod's length."""
    lower_in, lower_out = np.array([0.0, 0.35, 0.25]), np.array([0.0, 0.70, 0.22])
    upper_in, upper_out = np.array([0.0, 0.45, 0.52]), np.array([0.0, 0.66, 0.50])
    rod_in, rod_out = np.array([0.12, 0.37, 0.27]), np.array([0.12, 0.68, 0.24])
    hub, tip = np.array([0.0, 0.72, 0.33]), np.array([0.0, 0.82, 0.33])

    def plane(p):
        return complex(p[1], p[2])

    def lengths(a, b):
        return np.linalg.norm(b - a)

    def upright(arm_turn):
        """Where the upright carries a point, for a turn of the lower arm."""
        low = plane(lower_in) + plane(lower_out - lower_in) * np.exp(1j * arm_turn)
        high = dyad(low, plane(upper_in), lengths(lower_out, upper_out), lengths(upper_in, upper_out), -1)
        lean = np.angle((high - low) / plane(upper_out - lower_out))
        about_x = turn([1.0, 0.0, 0.0], lean)
        axis = about_x @ (upper_out - lower_out) / lengths(lower_out, upper_out)
        base = np.array([0.0, low.real, low.imag])

        def carried(point, steer):
            return base + turn(axis, steer) @ about_x @ (point - lower_out)

        steer = brentq(lambda angle: lengths(rod_in, carried(rod_out, angle))
                       - lengths(rod_in, rod_out), -0.3, 0.3, xtol=1e-15)
        return lambda point: carried(point, steer)

    def angles(travel):
        arm_turn = brentq(lambda x: upright(x)(hub)[2] - hub[2] - travel, -0.25, 0.25, xtol=1e-15)
        axle = upright(arm_turn)(tip) - upright(arm_turn)(hub)
        return np.array([math.asin(axle[2] / 0.1), math.asin(axle[0] / 0.1), upright(arm_turn)(hub)[1]])

    wave = 2.0 * math.pi
    for time in (0.1, 0.25, 0.75):
        travel, speed = 0.06 * math.sin(wave * time), 0.06 * wave * math.cos(wave * time)
        camber, toe, track = angles(travel)
        yield "camber", time, camber
        yield "toe", time, toe
        yield "hub_y", time, track
        yield "hub_y_rate", time, slope(lambda x: angles(x / 10.0)[2], 10.0 * travel) * 10.0 * speed


def stewart_platform(_tolerance):
    """Heave and yaw are prescribed; two leg forces, equal in threes, carry weight and inertia."""
    base, top, lag, mass, inertia = 0.5, 0.3, math.radians(30.0), 20.0, 0.9
    wave = 2.0 * math.pi
    for time in (0.1, 0.3, 0.6):
        z = 0.6 + 0.05 * math.sin(wave * time)
        z_acc = -0.05 * wave**2 * math.sin(wave * time)
        yaw = math.radians(15.0) * (1.0 - math.cos(wave * time))
        yaw_acc = math.radians(15.0) * wave**2 * math.cos(wave * time)

        def leg(sign, z=z, yaw=yaw):
            length = math.sqrt(base**2 + top**2 - 2.0 * base * top * math.cos(yaw + sign * lag) + z * z)
            return length, z / length, base * top * math.sin(yaw + sign * lag) / length

        (length, rise_a, turn_a), (_, rise_b, turn_b) = leg(1.0), leg(-1.0)
        # Virtual work: 3 (f_a dL_a + f_b dL_b) = m (z'' + g) dz + J yaw'' dyaw.
        forces = np.linalg.solve([[3.0 * rise_a, 3.0 * rise_b], [3.0 * turn_a, 3.0 * turn_b]],
                                 [mass * (z_acc + GRAVITY), inertia * yaw_acc])
        yield "platform.position.z", time, z
        yield "platform.orientation.e3", time, math.sin(0.5 * yaw)
        yield "leg1", time, length
        yield "jack1.load", time, forces[0]
        yield "jack2.load", time, forces[1]


def delta_robot(_tolerance):
    """The platform is where three spheres about the elbows, moved inwards, meet; loads by virtual work."""
    hip, arm, forearm, wrist, arm_mass, mass = 0.2, 0.3, 0.6, 0.05, 0.6, 1.0
    wave = 2.0 * math.pi
    phases = np.array([0.0, 2.0, 4.0]) * math.pi / 3.0

    def arms(time):
        return np.radians(30.0 + 10.0 * np.sin(wave * time + phases))

    def platform(angles):
        centres = [np.array([(hip - wrist + arm * math.cos(q)) * math.cos(p),
                             (hip - wrist + arm * math.cos(q)) * math.sin(p), -arm * math.sin(q)])
                   for q, p in zip(angles, phases)]
        a, b, c = centres
        # Planes of equal distance, then the sphere about a along their common line.
        normals = 2.0 * np.array([b - a, c - a])
        sides = np.array([b @ b - a @ a, c @ c - a @ a])
        foot = np.linalg.lstsq(normals, sides, rcond=None)[0]
        line = np.cross(*normals)
        line /= np.linalg.norm(line)
        along = line @ (foot - a)
        root = math.sqrt(along**2 - (foot - a) @ (foot - a) + forearm**2)
        return min((foot + (-along + s * root) * line for s in (1.0, -1.0)), key=lambda p: p[2])

    for time in (0.1, 0.4, 0.8):
        p, velocity, acceleration = derivatives(lambda x: platform(arms(x / wave)), wave * time, wave)
        q = arms(time)
        q_acc = -wave**2 * (q - math.radians(30.0))
        partial = slope(lambda x: platform(q + np.array([x, 0.0, 0.0])), 0.0)
        load = (arm_mass * arm**2 / 3.0 * q_acc[0] - arm_mass * GRAVITY * 0.5 * arm * math.cos(q[0])
                + mass * (acceleration + [0.0, 0.0, GRAVITY]) @ partial)
        for name, value in zip("xyz", p):
            yield f"platform.position.{name}", time, value
        yield "platform.velocity.x", time, velocity[0]
        yield "motor0.load", time, load


EXAMPLES = {
    "delta_robot": (delta_robot, "intersection of three spheres; load by virtual work"),
    "double_wishbone": (double_wishbone, "two circles and a turn, Brent's method"),
    "gyroscope": (gyroscope, "gimbal angles with constant momenta, DOP853"),
    "hooke_drive_line": (hooke_drive_line, "perpendicular arms of the cross, closed form"),
    "stewart_platform": (stewart_platform, "inverse kinematics; forces by virtual work"),
}
