#!/usr/bin/python3
"""Writes the hanging net as a model file: knots of a square mesh on threads that do not stretch.

    examples/hanging_net/net.py 100 > net_100.yaml    # 100 x 100 knots

The net begins as half a tube, all threads straight and of one length, and hangs on the two ends of its first arc.
"""

import math
import sys

LENGTH = 1.0  # m, along each side
MASS = 1.0  # kg, of the whole net


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    mesh = LENGTH / (side - 1)
    bend = math.pi / (side - 1)  # from one chord of the half circle to the next
    radius = mesh / (2 * math.sin(bend / 2))
    mass = MASS / side**2
    print(f"""# A net of {side} x {side} knots on threads of {1000 * mesh:.6g} mm, by net.py: half a tube that hangs on two corners.
trammel: 1
name: hanging net
space: spatial
gravity: [0, 0, -9.81]
bodies:""")
    for i in range(side):
        x, z = -radius * math.cos(i * bend), -radius * math.sin(i * bend)
        for j in range(side):
            print(f"  k{i}_{j}: {{kind: point, mass: {mass!r}, position: [{x!r}, {j * mesh!r}, {z!r}]}}")
    print(f"ground: {{frames: {{left: [{-radius!r}, 0, 0], right: [{-radius * math.cos(math.pi)!r}, 0, {-radius * math.sin(math.pi)!r}]}}}}")
    print("joints:")
    print(f"  left: {{type: spherical, between: [ground.left, k0_0]}}")
    print(f"  right: {{type: spherical, between: [ground.right, k{side - 1}_0]}}")
    for i in range(side):
        for j in range(side):
            if j > 0:
                print(f"  a{i}_{j}: {{type: distance, between: [k{i}_{j - 1}, k{i}_{j}]}}")
            if i > 0:
                print(f"  b{i}_{j}: {{type: distance, between: [k{i - 1}_{j}, k{i}_{j}]}}")
    print("""simulation:
  until: 0.5 s
  step: 1 ms
  output_step: 50 ms
  method: {name: generalized-alpha, spectral_radius: 0.3}""")


if __name__ == "__main__":
    main()
