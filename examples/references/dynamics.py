"""Motions under forces: one or two coordinates, written out and integrated, or in closed form."""

import math

import numpy as np

from .integration import GRAVITY, integrate, parameter_rates


def step5(t, t0, y0, t1, y1):
    """Value and two derivatives of the smooth step of fifth order."""
    u = min(max((t - t0) / (t1 - t0), 0.0), 1.0)
    rise, length = y1 - y0, t1 - t0
    return (y0 + rise * u**3 * (10.0 - 15.0 * u + 6.0 * u * u),
            rise * 30.0 * u * u * (1.0 - u) ** 2 / length,
            rise * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / length**2)


def elliptic_trammel(tolerance):
    """With equal sliders the inertia does not depend on the angle: the trammel is a pendulum."""
    length, bar, slider = 0.4, 1.0, 0.5
    factor = GRAVITY * (0.5 * bar + slider) / (length * (bar / 3.0 + slider))

    def rates(_time, state):
        return [state[1], -factor * math.cos(state[0])]

    times = [0.5, 1.0, 2.0]
    for time, (theta, rate) in zip(times, integrate(rates, [math.pi / 3, 0.0], times, tolerance)):
        yield "bar.angle", time, -theta
        yield "bar.angular_velocity", time, -rate
        yield "floor.displacement", time, length * math.cos(theta)
        yield "pen_x", time, (length + 0.2) * math.cos(theta)
        yield "pen_y", time, -0.2 * math.sin(theta)


def skate(_tolerance):
    """The heading turns evenly, v' = -g_s sin(theta): the track is a cycloid across the slope."""
    slope, turn = 2.0, 3.0
    k = slope / turn
    for time in (1.0, 2.0, 4.0):
        theta = turn * time
        c, s = math.cos(theta), math.sin(theta)
        yield "skate.angle", time, theta
        yield "skate.velocity.x", time, k * (c - 1.0) * c
        yield "skate.position.x", time, k / turn * (0.5 * theta + 0.5 * s * c - s)
        yield "skate.position.y", time, k / turn * (0.5 * s * s + c - 1.0)
        # The push across the edge is m (v theta' + g_s cos(theta)); its part along y:
        yield "edge.load", time, 70.0 * (k * (c - 1.0) * turn + slope * c) * c


def crane(tolerance):
    """l theta'' + 2 l' theta' + g sin(theta) + x'' cos(theta) = 0, x and l prescribed."""
    trolley, load = 100.0, 200.0

    def prescribed(time):
        return step5(time, 0.0, 0.0, 2.0, 2.0), step5(time, 1.0, 3.0, 3.0, 2.0)

    def rates(time, state):
        (_, _, xa), (l, lv, _) = prescribed(time)
        theta, rate = state
        return [rate, -(2.0 * lv * rate + GRAVITY * math.sin(theta) + xa * math.cos(theta)) / l]

    times = [1.0, 2.0, 3.0, 4.0]
    state, states = np.zeros(2), []
    for begin, end in zip([0.0] + times, times):  # the third derivatives jump at these times
        state = integrate(lambda t, y, b=begin: rates(b + t, y), state, [end - begin], tolerance)[-1]
        states.append(state)
    for time, (theta, rate) in zip(times, states):
        (x, _, xa), (l, _, la) = prescribed(time)
        tension = load * (GRAVITY * math.cos(theta) + l * rate**2 - la - xa * math.sin(theta))
        yield "load.position.x", time, x + l * math.sin(theta)
        yield "load.position.y", time, -l * math.cos(theta)
        yield "hoist.load", time, -tension
        yield "travel.load", time, trolley * xa - tension * math.sin(theta)


def tumbling_box(tolerance):
    """Euler's equations about the middle axis; the mass centre flies as a stone does."""
    a, b, c, mass = 0.3, 0.2, 0.06, 1.2
    inertia = mass / 12.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])

    def rates(_time, state):
        e, w = state[:4], state[4:]
        return np.concatenate([parameter_rates(e, w), -np.cross(w, inertia * w) / inertia])

    start = np.array([1.0, 0.0, 0.0, 0.0, 0.2, 12.0, 0.0])
    times = [0.5, 1.0, 1.5]
    for time, state in zip(times, integrate(rates, start, times, tolerance)):
        e = state[:4] / np.linalg.norm(state[:4])
        for name, value in zip("xyz", state[4:]):
            yield f"box.angular_velocity.{name}", time, value
        yield "box.orientation.e0", time, e[0]
        yield "box.orientation.e2", time, e[2]
        yield "box.position.z", time, 1.0 + 7.0 * time - 0.5 * GRAVITY * time**2


def kapitza(tolerance):
    """(l / 3) theta'' = (g + y'') sin(theta) / 2, theta from upright, y = a cos(w t) the pivot."""
    length, a, w, mass = 0.3, 0.02, 150.0, 0.5

    def rates(time, state):
        lift = GRAVITY - a * w * w * math.cos(w * time)
        return [state[1], 1.5 * lift * math.sin(state[0]) / length]

    times = [0.25, 0.5, 1.0]
    for time, (theta, rate) in zip(times, integrate(rates, [0.3, 0.0], times, tolerance)):
        acceleration = rates(time, [theta, rate])[1]
        up = -a * w * w * math.cos(w * time) - 0.5 * length * (math.cos(theta) * rate**2
                                                              + math.sin(theta) * acceleration)
        yield "pin.angle", time, 0.5 * math.pi - theta
        yield "pin.angle_rate", time, -rate
        yield "pin.reaction.force.y", time, mass * (up + GRAVITY)


def pid_arm(tolerance):
    """Arm, lagging motor and integral of the error: four first-order equations."""
    mass, length, kp, ki, kd, lag, target = 2.0, 0.5, 60.0, 80.0, 12.0, 0.02, 1.0

    def rates(_time, state):
        angle, rate, torque, integral = state
        error = target - angle
        command = kp * error + ki * integral - kd * rate
        weight = -mass * GRAVITY * 0.5 * length * math.cos(angle)
        return [rate, 3.0 * (torque + weight) / (mass * length**2), (command - torque) / lag, error]

    times = [0.2, 0.5, 2.0]
    for time, (angle, rate, torque, integral) in zip(times, integrate(rates, np.zeros(4), times,
                                                                      tolerance)):
        yield "shoulder.angle", time, angle
        yield "shoulder.angle_rate", time, rate
        yield "torque", time, torque
        yield "integral", time, integral


def servo_arm(tolerance):
    """Arm, current of the servo and strain of the rubber's Maxwell element: four first-order equations."""
    mass, length, gain, resistance, inductance, constant = 2.0, 0.5, 150.0, 2.0, 5e-3, 4.0
    k, k1, tau, rise = 4.0, 6.0, 0.2, 0.3

    def rates(begin, time, state):
        angle, rate, current, strain = state
        u = min(1.0, (begin + time) / rise)
        target = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
        weight = -mass * GRAVITY * 0.5 * length * math.cos(angle)
        torque = constant * current - k * angle - k1 * (angle - strain) + weight
        return [rate, 3.0 * torque / (mass * length**2),
                (gain * (target - angle) - resistance * current - constant * rate) / inductance,
                (angle - strain) / tau]

    times = [0.2, rise, 0.5, 2.0]  # the third derivative of the set point jumps when it is reached
    state, begin = np.zeros(4), 0.0
    for time in times:
        state = integrate(lambda t, y, b=begin: rates(b, t, y), state, [time - begin], tolerance)[-1]
        begin = time
        if time == rise:
            continue
        angle, rate, current, strain = state
        yield "shoulder.angle", time, angle
        yield "shoulder.angle_rate", time, rate
        yield "servo.current", time, current
        yield "rubber.load", time, -k * angle - k1 * (angle - strain)


def projectile(tolerance):
    """m v' = m g - c |v - u| (v - u) with the wind u; the third state is the work of the drag."""
    mass, c, wind = 0.046, 2.2e-4, -4.0

    def rates(_time, state):
        vx, vy = state[2], state[3]
        speed = math.hypot(vx - wind, vy)
        fx, fy = -c * speed * (vx - wind), -c * speed * vy
        return [vx, vy, fx / mass, fy / mass - GRAVITY, fx * vx + fy * vy]

    start = [0.0, 0.0, 60.0 * math.cos(math.radians(20.0)), 60.0 * math.sin(math.radians(20.0)), 0.0]
    times = [1.0, 2.0, 3.0]
    for time, state in zip(times, integrate(rates, start, times, tolerance)):
        yield "ball.position.x", time, state[0]
        yield "ball.position.y", time, state[1]
        yield "ball.velocity.x", time, state[2]
        yield "ball.velocity.y", time, state[3]
        yield "energy.loads", time, state[4]


def friction_block(tolerance):
    """v' = -mu g tanh(v / v0), that is sinh(v / v0) = sinh(v_start / v0) exp(-mu g t / v0)."""
    mu, v0, start, mass = 0.3, 0.01, 2.0, 5.0

    def speed(time):
        # sinh of 200 is too large for comfort: asinh(y) from its logarithm while y is large.
        logarithm = start / v0 - math.log(2.0) - mu * GRAVITY * time / v0
        y = math.exp(logarithm) if logarithm < 20.0 else math.inf
        return v0 * (math.asinh(y) if y < math.inf else logarithm + math.log(2.0))

    times = [0.3, 0.6, 0.8]
    rates = integrate(lambda t, _x: [speed(t)], [0.0], times, tolerance)
    for time, (x,) in zip(times, rates):
        yield "rail.displacement", time, x
        yield "rail.displacement_rate", time, speed(time)
        yield "energy.loads", time, 0.5 * mass * (speed(time) ** 2 - start**2)


def stick_slip(_tolerance):
    """A belt carries a block until k x = F_s; then m x'' + k x = F_d until x' = V again."""
    mass, stiffness, speed, static, sliding = 2.0, 200.0, 0.1, 5.0, 3.0
    omega = math.sqrt(stiffness / mass)
    lead = (static - sliding) / stiffness
    slip = (2.0 * math.pi - 2.0 * math.atan(lead * omega / speed)) / omega
    stick = 2.0 * lead / speed
    first = static / stiffness / speed

    for time in [0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.5]:
        phase = (time - first) % (slip + stick) if time > first else time - first
        if 0.0 <= phase < slip:
            angle = omega * phase
            x = sliding / stiffness + lead * math.cos(angle) + speed / omega * math.sin(angle)
            rate = -lead * omega * math.sin(angle) + speed * math.cos(angle)
            load, stuck = sliding, 0.0
        else:
            begun = phase - slip - stick if phase > 0.0 else phase
            x, rate = static / stiffness + speed * begun, speed
            load, stuck = stiffness * x, 1.0
        yield "block.position.x", time, x
        yield "block.velocity.x", time, rate
        yield "dry.load", time, load
        yield "dry.stuck", time, stuck


def flood_gate(tolerance):
    """J theta'' = moment of the water - weight - brake; s runs along the gate from its hinge."""
    mass, height, depth, weight, brake = 6000.0, 2.0, 0.5, 9810.0, 8000.0
    inertia = mass * height**2 / 3.0

    def rates(_time, state):
        angle, rate = state
        water = weight * (depth * height**2 / 2.0 + math.cos(angle) * height**3 / 3.0)
        return [rate, (water - mass * GRAVITY * height / 2.0 * math.sin(angle) - brake * rate) / inertia]

    times = [0.5, 1.0, 2.0, 3.0]
    for time, (angle, rate) in zip(times, integrate(rates, [0.0, 0.0], times, tolerance)):
        push = weight * (depth * height + math.cos(angle) * height**2 / 2.0)
        yield "hinge.angle", time, angle
        yield "hinge.angle_rate", time, rate
        yield "water.force.x", time, push * math.cos(angle)
        yield "water.force.y", time, push * math.sin(angle)
        yield "water.torque", time, weight * math.cos(angle) * height**3 / 12.0


EXAMPLES = {
    "crane": (crane, "pendulum of prescribed length on a prescribed trolley, DOP853"),
    "elliptic_trammel": (elliptic_trammel, "angle of the bar as the only coordinate, DOP853"),
    "flood_gate": (flood_gate, "angle of the gate as the only coordinate, DOP853"),
    "friction_block": (friction_block, "closed form of the speed, its integral by DOP853"),
    "kapitza": (kapitza, "angle of the pendulum, DOP853"),
    "pid_arm": (pid_arm, "four first-order equations, DOP853"),
    "projectile": (projectile, "point mass with drag, DOP853"),
    "servo_arm": (servo_arm, "four first-order equations, DOP853"),
    "skate": (skate, "closed form of the cycloid"),
    "stick_slip": (stick_slip, "closed form, piece by piece"),
    "tumbling_box": (tumbling_box, "Euler's equations of the free body, DOP853"),
}
