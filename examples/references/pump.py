"""The fuel injection pump of [Sol1983, ch. 9]: kinematics in closed form, dynamics in reduced coordinates.

Coordinates as in the source: q1 angle of the shaft, (q2, q3) polar coordinates of the roller's centre in the
cam, q4 rotation of the roller against the cam, q5 lift of the plunger. Angles count from +x towards +z; in the
model files the plane is x-y, and y is z here. Dimensions that the source does not print are those of the
reconstruction that the page of the example describes.
"""

import json
import math
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

SPEED = -1000.0 * 2.0 * math.pi / 60.0  # q1', rad/s
ROLLER, BASE, TOP, SMALL = 12e-3, 16e-3, 26e-3, 2.5e-3  # radii, m
PSI = math.radians(58.0)
NOSE = math.radians(270.0)
TANGENT = math.sqrt(TOP**2 - BASE**2 - 2.0 * SMALL * (TOP - BASE))  # length of the straight flank
THETA1 = math.atan(TANGENT / (BASE + ROLLER))
THETA2 = math.atan(TANGENT / (BASE - SMALL))


def cam(q2):
    """f1 with two derivatives, and the curvature of the cam where the roller touches."""
    offset = math.remainder(q2 - NOSE, 2.0 * math.pi)
    theta = PSI - abs(offset)
    side = 1.0 if offset < 0.0 else -1.0
    if theta <= 0.0:
        return BASE + ROLLER, 0.0, 0.0, 1.0 / BASE
    if theta < THETA1:
        f, x = (BASE + ROLLER) / math.cos(theta), math.tan(theta)
        return f, side * f * x, f * (1.0 + 2.0 * x * x), 0.0
    if theta < THETA2:
        d, a, u = TOP - SMALL, SMALL + ROLLER, theta - THETA2
        s, k = d * math.sin(u), d * math.cos(u)
        w = math.sqrt(a * a - s * s)
        return (k + w, side * (-s - s * k / w), -k - (k * k - s * s) / w - (s * k) ** 2 / w**3,
                1.0 / SMALL)
    return TOP + ROLLER, 0.0, 0.0, 1.0 / TOP


def kappa(f, df, ddf):
    """d alpha/d q2."""
    return (f * f + 2.0 * df * df - f * ddf) / (f * f + df * df)


def kinematics(angle):
    """Values over |q1| in degrees, at constant speed [Sol1983, 9.2.15-18]."""
    q2 = math.radians(90.0 + angle)
    f, df, ddf, _ = cam(q2)
    rate = -SPEED
    g = math.hypot(f, df)
    dg = df * (f + ddf) / g
    return {"lift": f - BASE - ROLLER, "velocity": df * rate, "acceleration": ddf * rate**2,
            "roller_rate": g * rate / ROLLER, "roller_acceleration": dg * rate**2 / ROLLER,
            "pressure_angle": -math.atan2(df, f)}


# ---- dynamics

PIN, CLEARANCE, BEARING, CONTACT = 6e-3, 6e-6, 14e-3, 14e-3
ETA, ALPHA, TAU = 1.7e-2, 1.85e-8, 5.0e6
MODULUS = 210e9 / (1.0 - 0.3**2)
M2, J2, M3 = 0.037, 3.35e-6, 0.30
STIFFNESS, FREE = 50e3, 24e-3
PLUNGER, PEAK = 78.5e-6, 40e6
JUNCTIONS = [math.degrees(a) for b in (-PSI, PSI) for a in (b, b - math.copysign(THETA1, b),
                                                          b - math.copysign(THETA2, b))]


def pressure(angle):
    """Over |q1| in degrees, any turn."""
    place = angle % 360.0
    return PEAK * math.sin(math.pi * (place - 148.0) / 8.0) ** 2 if 148.0 < place < 156.0 else 0.0


def half_moments(eccentricity, direction):
    """Integrals of n n^T/(1 - eps cos a)^3 over the half turn around `direction`, a from e; closed form."""
    s = math.sqrt(1.0 - eccentricity**2)

    def gamma(a):
        return math.atan2(s * math.sin(a), math.cos(a) - eccentricity)

    low, high = gamma(direction - 0.5 * math.pi), gamma(direction + 0.5 * math.pi)
    if high < low:
        high += 2.0 * math.pi

    def primitive(g):
        c, n = math.cos(g), math.sin(g)
        cc, nn, cn = 0.5 * (g + c * n), 0.5 * (g - c * n), 0.5 * n * n
        return np.array([eccentricity**2 * g + 2.0 * eccentricity * n + cc, s * (cn - eccentricity * c),
                         s * s * nn])

    return (primitive(high) - primitive(low)) / s**5


def film_force(e, v):
    """On the roller, from the eccentricity e of the pin and the squeeze velocity V."""
    size = math.hypot(*e)
    base = np.array(e) / size if size > 0.0 else np.array([1.0, 0.0])
    turn = np.array([[base[0], -base[1]], [base[1], base[0]]])
    local = turn.T @ np.array(v)
    xx, xy, yy = half_moments(size / CLEARANCE, math.atan2(local[1], local[0]))
    factor = ETA * (BEARING / CLEARANCE) ** 3 * PIN
    return factor * (turn @ np.array([xx * local[0] + xy * local[1], xy * local[0] + yy * local[1]]))


class Contact:
    """The EHD film at a normal load."""

    def __init__(self, load, slip, speed, bend):
        if load <= 0.0:
            self.traction = self.film = self.hertz = 0.0
            return
        radius, line = 1.0 / (1.0 / ROLLER + bend), load / CONTACT
        self.hertz = math.sqrt(line * MODULUS / (2.0 * math.pi * radius))
        mean = 0.25 * math.pi * self.hertz
        speed = math.hypot(speed, 1e-6)
        self.film = (2.65 * radius * (ETA * speed / (MODULUS * radius)) ** 0.7 * (ALPHA * MODULUS) ** 0.54
                     * (line / (MODULUS * radius)) ** -0.13)
        self.traction = load * TAU / mean * math.asinh(ETA * math.exp(ALPHA * mean) * slip / (self.film * TAU))


class Pump:
    """State q2, q5, q2', q4', q5' with q3 = f1(q2) on the cam."""

    def evaluate(self, t, y):
        q2, q5, dq2, dq4, dq5 = y
        q1 = math.radians(-60.0) + SPEED * t
        f, df, ddf, bend = cam(q2)
        dq3 = df * dq2
        delta = -math.atan2(df, f)
        c12, s12 = math.cos(q1 + q2), math.sin(q1 + q2)
        e = (-f * c12, q5 - f * s12)
        turn = SPEED + dq2
        de = (-dq3 * c12 + f * s12 * turn, dq5 - dq3 * s12 - f * c12 * turn)
        mean = 0.5 * (SPEED + dq4)
        fx, fz = film_force(e, (de[0] + mean * e[1], de[1] - mean * e[0]))
        eps = math.hypot(*e) / CLEARANCE
        m3 = -2.0 * math.pi * ETA * BEARING * PIN**3 * (SPEED + dq4) / (CLEARANCE * math.sqrt(1.0 - eps**2))
        tangential = f * dq2 * math.cos(delta) - dq3 * math.sin(delta)
        slip = tangential - ROLLER * dq4
        speed = 0.5 * (tangential + ROLLER * dq4) - ROLLER * kappa(f, df, ddf) * dq2
        known2 = f * (-fx * s12 + fz * c12) - 2.0 * M2 * f * dq3 * turn
        known3 = fx * c12 + fz * s12 + M2 * f * turn**2
        load = 0.0
        for _ in range(40):  # implicit friction: a fixed point, since the traction coefficient is small
            contact = Contact(load, slip, speed, bend)
            Q2 = known2 - f * contact.traction * math.cos(delta)
            Q3 = known3 + contact.traction * math.sin(delta)
            multiplier = (-M2 * f * f * ddf * dq2**2 + f * f * Q3 - df * Q2) / (df * df + f * f)
            new = -multiplier / math.cos(delta)
            if abs(new - load) <= 1e-12 * max(1.0, abs(new)):
                break
            load = new
        a2 = (df * multiplier + Q2) / (M2 * f * f)
        a4 = (ROLLER * contact.traction + m3) / J2
        a5 = (-fz - STIFFNESS * (q5 - FREE) - PLUNGER * pressure(-math.degrees(q1))) / M3
        rates = [dq2, dq5, a2, a4, a5]
        outputs = {"roller_rate": dq4, "load": load, "traction": contact.traction, "slip": slip,
                   "film_speed": speed, "film_thickness": contact.film, "hertz_stress": contact.hertz,
                   "eccentricity_ratio": eps,
                   "torque": df * multiplier - contact.traction * (f * math.cos(delta) - ROLLER)}
        return rates, outputs

    def run(self, angles, tolerance=1e-9):
        """Outputs at angles |q1| in degrees from 60, stopping at the junctions of the profile."""
        y = np.array([math.radians(150.0), BASE + ROLLER, -SPEED, -SPEED * (BASE + ROLLER) / ROLLER, 0.0])
        stops = sorted({270.0 - 90.0 + j + 360.0 * n for j in JUNCTIONS for n in range(-1, 3)}
                       | {148.0 + 360.0 * n for n in range(3)} | {156.0 + 360.0 * n for n in range(3)})
        last = max(angles)
        borders = [60.0] + [s for s in stops if 60.0 < s < last] + [last]
        rate = math.degrees(-SPEED)
        found = {}
        for low, high in zip(borders, borders[1:]):
            t0, t1 = (low - 60.0) / rate, (high - 60.0) / rate
            inside = sorted(a for a in angles if low < a <= high)
            times = [min((a - 60.0) / rate, t1) for a in inside]
            solution = solve_ivp(lambda t, x: self.evaluate(t, x)[0], (t0, t1), y, method="Radau",
                                 t_eval=sorted(set(times + [t1])), rtol=tolerance,
                                 atol=tolerance * np.array([1e-3, 1e-5, 1e-1, 1e-1, 1e-2]),
                                 first_step=1e-9)
            for a, t in zip(inside, times):
                column = int(np.argmin(abs(solution.t - t)))
                found[a] = self.evaluate(t, solution.y[:, column])[1]
            y = solution.y[:, -1]
        return found


# ---- expected values

KINEMATIC = {"lift": "lift", "velocity": "plunger.velocity.y", "acceleration": "plunger.acceleration.y",
             "roller_rate": "contact.angle_rate", "roller_acceleration": "roller.angular_acceleration",
             "pressure_angle": "pressure_angle"}
DYNAMIC = {"roller_rate": "contact.angle_rate", "load": "contact.load", "traction": "traction.traction",
           "slip": "contact.slip", "film_speed": "traction.film_speed",
           "film_thickness": "traction.film_thickness", "hertz_stress": "traction.hertz_stress",
           "eccentricity_ratio": "bearing.eccentricity_ratio", "torque": "motor.load"}


def entries(rows, channels, start, share, floor, source):
    """`share` of a value is its tolerance, and `floor` of the largest of its channel."""
    for key, channel in channels.items():
        sign = -1.0 if key == "traction" else 1.0  # the channel is the force on the roller, along its slip
        largest = max(abs(row[key]) for row in rows.values())
        for angle, row in rows.items():
            near = share > 1e-4 and 155.0 <= angle % 360.0 <= 158.0  # first order where the curvature jumps
            wide = 5.0 * share if near else share
            yield {"channel": channel, "time": round((angle - start) / 6000.0, 12),
                   "value": float(f"{sign * row[key]:.9g}"),
                   "tolerance": float(f"{max(wide * abs(row[key]), floor * largest):.3g}"), "source": source}


def write(path, list_of_entries):
    lines = ",\n".join("  " + json.dumps(entry) for entry in list_of_entries)
    path.write_text(f"[\n{lines}\n]\n")


def draw(path):
    """Lift, velocity of the plunger and speed of the roller over one stroke, one above the other."""
    panels = (("lift, mm", "lift", 1e3, "#1f77b4"), ("velocity of the plunger, m/s", "velocity", 1.0, "#d62728"),
              ("roller against cam, rad/s", "roller_rate", 1.0, "#2ca02c"))
    angles = [100.0 + 0.25 * i for i in range(641)]
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 420" font-family="sans-serif" font-size="12">',
             '<rect width="640" height="420" fill="white"/>']
    for number, (title, key, factor, color) in enumerate(panels):
        values = [factor * kinematics(a)[key] for a in angles]
        low, high, top = min(values), max(values), 24 + 128 * number
        points = " ".join(f"{60 + 560 * (a - 100.0) / 160.0:.1f},{top + 100 * (high - v) / (high - low):.1f}"
                          for a, v in zip(angles, values))
        lines += [f'<rect x="60" y="{top}" width="560" height="100" fill="none" stroke="#bbb"/>',
                  f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>',
                  f'<text x="60" y="{top - 6}">{title}</text>',
                  f'<text x="55" y="{top + 10}" text-anchor="end">{high:.3g}</text>',
                  f'<text x="55" y="{top + 100}" text-anchor="end">{low:.3g}</text>']
    lines += [f'<text x="{60 + 3.5 * (a - 100)}" y="400" text-anchor="middle">{a}</text>' for a in range(100, 261, 20)]
    lines += ['<text x="340" y="416" text-anchor="middle">angle of the shaft, deg</text>', "</svg>"]
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = Path(__file__).resolve().parent.parent / "fuel_injection_pump"
    rows = {a: kinematics(a) for a in (100, 130, 140, 150, 156.48, 156.5, 160, 170, 180, 220)}
    write(folder / "kinematics.json", entries(rows, KINEMATIC, 100.0, 1e-5, 1e-5, "closed form"))
    rows = Pump().run([360.0 + a for a in (100, 140, 150, 152, 155, 158, 165, 180, 210, 250, 340)], 1e-7)
    write(folder / "dynamics.json",
          entries(rows, DYNAMIC, 60.0, 1e-2, 1e-4, "reduced coordinates, SciPy's Radau"))
    draw(folder / "kinematics.svg")
    for angle, row in rows.items():
        print(angle - 360.0, " ".join(f"{key} {value:.5g}" for key, value in row.items()))


if __name__ == "__main__":
    main()
