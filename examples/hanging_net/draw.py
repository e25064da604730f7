#!/usr/bin/python3
"""Draws the net at some times from its positions, every third thread.

    trammel export net_100.h5 -c 'k*.position.*' -o net_100.csv
    examples/hanging_net/draw.py net_100.csv 0 0.2 0.35 0.5 > hanging_net.svg
"""

import csv
import math
import sys

TURN, TILT, SCALE, EVERY = math.radians(35), math.radians(18), 300, 3


def seen(x, y, z):
    """On the page, from the right and a little above."""
    right = x * math.cos(TURN) + y * math.sin(TURN)
    away = -x * math.sin(TURN) + y * math.cos(TURN)
    return SCALE * right, -SCALE * (z * math.cos(TILT) + away * math.sin(TILT))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        table = [{name.split(" ")[0]: value for name, value in row.items()} for row in rows]
    side = 1 + max(int(name[1:].split("_")[0]) for name in table[0] if name.startswith("k"))
    drawn, left = [], 0.0
    low, high = math.inf, -math.inf
    for wanted in map(float, sys.argv[2:]):
        row = min(table, key=lambda r: abs(float(r[next(iter(r))]) - wanted))
        at = [[seen(*(float(row[f"k{i}_{j}.position.{c}"]) for c in "xyz")) for j in range(side)] for i in range(side)]
        xs = [p[0] for line in at for p in line]
        shift = left - min(xs)
        left += max(xs) - min(xs) + 40
        low = min([low] + [p[1] for line in at for p in line])
        high = max([high] + [p[1] for line in at for p in line])
        threads = at[::EVERY] + [list(line) for line in list(zip(*at))[::EVERY]]
        for thread in threads:
            points = " ".join(f"{x + shift:.0f},{y:.0f}" for x, y in thread)
            drawn.append(f'<polyline points="{points}"/>')
        for i, j in ((0, 0), (side - 1, 0)):
            drawn.append(f'<circle cx="{at[i][j][0] + shift:.0f}" cy="{at[i][j][1]:.0f}" r="4" fill="#c33"/>')
        drawn.append(f'<text x="{shift + (min(xs) + max(xs)) / 2:.0f}" y="{{low}}">{wanted:g} s</text>')
    top = low - 30
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 {top:.0f} {left:.0f} {high - top + 20:.0f}" '
          'font-family="sans-serif" font-size="16" text-anchor="middle">')
    print('<g fill="none" stroke="#357" stroke-width="0.7">')
    print("\n".join(d for d in drawn if d.startswith("<poly")))
    print("</g>")
    print("\n".join(d.replace("{low}", f"{low - 10:.0f}") for d in drawn if not d.startswith("<poly")))
    print("</svg>")


if __name__ == "__main__":
    main()
