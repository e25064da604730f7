#!/usr/bin/env python3
"""Writes the matrices of a lattice boom as a program of finite elements does: pin-jointed bars of steel in three faces.

Units are mm, t and s, so that forces are N. Each node has three rows, along x, y and z.

    ./make_boom.py            # boom_mass.mtx, boom_stiffness.mtx, boom_nodes.csv
"""
import math
import pathlib

BAYS = 8
LENGTH = 4000.0  # mm
SIDE = 300.0  # mm, of the triangle across
AREA = 60.0  # mm^2, of each bar
YOUNG = 210e3  # N/mm^2
DENSITY = 7.85e-9  # t/mm^3

here = pathlib.Path(__file__).resolve().parent


def places():
    radius = SIDE / math.sqrt(3.0)
    for bay in range(BAYS + 1):
        for corner in range(3):
            angle = math.radians(90.0 + 120.0 * corner)
            yield (LENGTH / BAYS * bay, radius * math.cos(angle), radius * math.sin(angle))


def bars():
    for bay in range(BAYS + 1):
        for corner in range(3):
            node, neighbour = 3 * bay + corner, 3 * bay + (corner + 1) % 3
            yield node, neighbour
            if bay < BAYS:
                yield node, node + 3
                yield node, neighbour + 3


def add(matrix, i, j, value):
    if i >= j and value != 0.0:
        matrix[i, j] = matrix.get((i, j), 0.0) + value


def write(name, matrix, size):
    lines = ["%%MatrixMarket matrix coordinate real symmetric", f"{size} {size} {len(matrix)}"]
    lines += [f"{i + 1} {j + 1} {value:.15g}" for (i, j), value in sorted(matrix.items(), key=lambda e: e[0][::-1])]
    (here / name).write_text("\n".join(lines) + "\n")


def main():
    nodes = list(places())
    mass, stiffness = {}, {}
    for a, b in bars():
        way = [q - p for p, q in zip(nodes[a], nodes[b])]
        length = math.hypot(*way)
        m = DENSITY * AREA * length
        k = YOUNG * AREA / length
        for i in range(3):
            # The bar is a straight line between its nodes: consistent mass, the same in all directions.
            for p, q, share in ((a, a, 2.0), (b, b, 2.0), (max(a, b), min(a, b), 1.0)):
                add(mass, 3 * p + i, 3 * q + i, m * share / 6.0)
            for j in range(3):
                value = k * way[i] * way[j] / length**2
                for p, q, sign in ((a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)):
                    add(stiffness, 3 * p + i, 3 * q + j, sign * value)
    write("boom_mass.mtx", mass, 3 * len(nodes))
    write("boom_stiffness.mtx", stiffness, 3 * len(nodes))
    table = ["node, x, y, z"] + [f"{k + 1}, " + ", ".join(f"{x:.12g}" for x in p) for k, p in enumerate(nodes)]
    (here / "boom_nodes.csv").write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
