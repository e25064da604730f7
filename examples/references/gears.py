"""Coupled coordinates: gears, cams, belts and screws."""

import math

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

from .integration import GRAVITY, integrate


def cam_follower(_tolerance):
    """Lift by SciPy's periodic cubic spline through the same points; load m (y'' + g) + k (y - y0)."""
    degrees = [0, 45, 90, 135, 180, 225, 270, 315, 360]
    lifts = [0.0, 2.0, 8.0, 14.0, 16.0, 14.0, 8.0, 2.0, 0.0]
    lift = CubicSpline(np.radians(degrees), 1e-3 * np.array(lifts), bc_type="periodic")
    mass, stiffness, preload, speed = 0.4, 2000.0, 10.0, 30.0
    for time in (0.03, 0.1, 0.2):
        angle = speed * time % (2.0 * math.pi)
        y, first, second = lift(angle), lift(angle, 1), lift(angle, 2)
        force = mass * (second * speed**2 + GRAVITY) + stiffness * y + preload
        yield "guide.displacement", time, 0.05 + float(y)
        yield "follower.velocity.y", time, float(first) * speed
        yield "follower.acceleration.y", time, float(second) * speed**2
        yield "lift.load", time, float(force)
        yield "motor.load", time, float(force * first)


def planetary_gear(_tolerance):
    """Constant torque on the sun: constant acceleration of the inertia as the sun feels it."""
    sun, planet, ring, module = 20, 16, 52, 4e-3
    radius = 0.5 * module * (sun + planet)
    carrier = sun / (sun + ring)
    spin = carrier * (planet - ring) / planet
    inertia = 1.5e-3 + carrier**2 * (8e-3 + 3.0 * 0.3 * radius**2) + 3.0 * spin**2 * 1e-4
    acceleration = 2.0 / inertia
    for time in (0.1, 0.5):
        yield "sun.angle", time, 0.5 * acceleration * time**2
        yield "carrier.angular_velocity", time, carrier * acceleration * time
        yield "planet1.angular_velocity", time, spin * acceleration * time
        angle = math.radians(120.0) + 0.5 * carrier * acceleration * time**2
        yield "planet2.position.x", time, radius * math.cos(angle)


def differential(_tolerance):
    """Case speed c and spider speed s: M (c', s') = (T, 0) - D (c, s), solved by an exponential."""
    side, case, spider_across, spider_along, torque = 0.02, 0.05, 4e-4, 1e-4, 10.0
    ratio, left, right = 1.5, 0.4, 0.1  # left = c + s / ratio, right = c - s / ratio
    k = 1.0 / ratio
    M = np.diag([2.0 * side + case + spider_across + 0.4 * 0.05**2, 2.0 * side * k * k + spider_along])
    D = np.array([[left + right, k * (left - right)], [k * (left - right), k * k * (left + right)]])
    drive = np.array([torque, 0.0])
    final = np.linalg.solve(D, drive)
    for time in (0.1, 0.3, 1.0):
        c, s = final - expm(-np.linalg.solve(M, D) * time) @ final
        yield "case_bearing.angle_rate", time, c
        yield "left_bearing.angle_rate", time, c + k * s
        yield "right_bearing.angle_rate", time, c - k * s


def belt_drive(tolerance):
    """J w' = T (1 - w / w0) - n k (n w)^2 for the motor's speed w, with n = r1 / r2."""
    n, torque, idle, fan = 0.05 / 0.15, 2.0, 150.0, 2e-3
    inertia = 2e-3 + n * n * 0.03

    def rates(_time, state):
        w = state[1]
        return [w, (torque * (1.0 - w / idle) - n * fan * (n * w) ** 2) / inertia]

    times = [0.1, 0.5, 1.0]
    for time, (angle, w) in zip(times, integrate(rates, [0.0, 0.0], times, tolerance)):
        pull = (0.03 * n * rates(time, [angle, w])[1] + fan * (n * w) ** 2) / 0.15
        yield "motor_shaft.angle", time, angle
        yield "fan_shaft.angle_rate", time, n * w
        yield "belt.load", time, 0.15 * pull


def screw(_tolerance):
    """(J + m k^2) phi'' = m g k with k the advance per radian: a body that falls while turning."""
    mass, inertia, k = 2.0, 0.5 * 2.0 * 0.05**2, 0.08 / (2.0 * math.pi)
    acceleration = mass * GRAVITY * k * k / (inertia + mass * k * k)
    for time in (0.5, 1.0):
        yield "thread.displacement", time, 1.0 - 0.5 * acceleration * time**2
        yield "thread.angle_rate", time, -acceleration * time / k
        # The thread holds back m (g - a) along the axis.
        yield "pitch.load", time, mass * (GRAVITY - acceleration)


EXAMPLES = {
    "belt_drive": (belt_drive, "speed of the motor as the only coordinate, DOP853"),
    "cam_follower": (cam_follower, "SciPy's periodic cubic spline, closed form"),
    "differential": (differential, "two linear equations, matrix exponential"),
    "planetary_gear": (planetary_gear, "closed form: inertia as the sun feels it"),
    "screw": (screw, "closed form: constant acceleration"),
}
