#!/usr/bin/python3
"""The planar crane of crane_planar.yaml by inverse kinematics and balance of moments, without Trammel.

    examples/chiou/crane_planar.py    # t, pitches of the arms in degrees, torques of the joints
"""

import numpy as np

LENGTH = np.array([14.0, 14.0, 8.0])
MASS = np.array([100.0, 100.0, 50.0])
INERTIA = MASS * LENGTH**2 / 12
RISE, END, TOP = 60.0, 180.0, 22.0 / 120.0


def speed(t):
    """Of the tip along y, its way and its rate."""
    w = np.pi / RISE
    if t <= RISE:
        return 0.5 * TOP * (1 - np.cos(w * t)), 0.5 * TOP * (t - np.sin(w * t) / w), 0.5 * TOP * w * np.sin(w * t)
    if t <= END - RISE:
        return TOP, 5.5 + TOP * (t - RISE), 0.0
    s = t - END + RISE
    return (0.5 * TOP * (1 + np.cos(w * s)), 16.5 + 0.5 * TOP * (s + np.sin(w * s) / w),
            -0.5 * TOP * w * np.sin(w * s))


def main():
    ratio = np.array([-5 / 11, 1.0, np.radians(80) / 22])  # x, y and pitch of the last arm per way along y
    start = np.array([np.hypot(24, 14), 0.0, np.radians(-40)])
    for t in np.linspace(0, END, 7):
        v, way, a = speed(t)
        x, y, last = start + ratio * way
        wrist = np.array([x, y]) - LENGTH[2] * np.array([np.cos(last), np.sin(last)])
        middle, half = np.arctan2(wrist[1], wrist[0]), np.arccos(np.hypot(*wrist) / 28)
        pitch = np.array([middle + half, middle - half, last])
        along = LENGTH * np.array([np.cos(pitch), np.sin(pitch)])  # columns: arms
        across = np.array([-along[1], along[0]])
        J = np.vstack([across, [0, 0, 1]])
        rate = np.linalg.solve(J, ratio * v)
        turning = np.append(-along @ rate**2, 0.0)
        second = np.linalg.solve(J, ratio * a - turning)
        arm = across * second - along * rate**2  # acceleration of an arm's end over that of its beginning
        ends = np.cumsum(arm, axis=1)
        centre = ends - 0.5 * arm
        root = np.cumsum(along, axis=1) - along
        place = root + 0.5 * along
        torque = [sum(MASS[i] * np.cross(place[:, i] - root[:, k], centre[:, i]) + INERTIA[i] * second[i]
                      for i in range(k, 3)) for k in range(3)]
        print(f"{t:6.0f}", *[f"{p:11.5f}" for p in np.degrees(pitch)], *[f"{p:10.4f}" for p in torque])


if __name__ == "__main__":
    main()
