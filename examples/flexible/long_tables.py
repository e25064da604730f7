#!/usr/bin/python3
"""Makes the tables 4.5, 4.8, 5.3 to 5.5, 5.8 and 5.9 of flexible pendulums of [Huang2014] from runs of Trammel.

    examples/flexible/long_tables.py build/release/bin/trammel            # writes long_tables.md beside this file
    examples/flexible/long_tables.py build/release/bin/trammel --check    # compares its verdicts with long_tables.md

Runs `trammel compare` on the double pendulum, soft and nearly rigid: short runs of 5 s and long ones of 40 s (the source
tells no duration; its text mentions 33 s), without stabilisation, with Baumgarte's and with projection. Published entries
stand beside ours.
"""

import argparse
import re
import sys
from pathlib import Path

from tables import FORMULATIONS, HERE, INDICES, METHODS, ours, runs, table

SHORT, LONG = 5, 40
SIZE = 3.6  # m, what Trammel takes for the size of the described pendulum
RIGID = ("modulus=1e10 Pa",)
NAMES = {"bar": "bar", "euler_bernoulli": "beam"}

# Iterations per step over a long run, index 3.
TABLE_4_5 = {"inertial": ("26.78", "27.94", "27.62"), "ancf": ("19.37", "19.17", "18.34"), "floating": ("fails", "8.78", "8.64")}
TABLE_4_8 = {"inertial": ("fails",) * 3, "ancf": ("5.67", "5.77", "5.31"), "floating": ("fails",) * 3}
# Nearly rigid, floating frame: short / long / long with projection.
O, S, D, F = "oscillates", "stable", "drifts", "fails"
TABLE_5_4 = {3: ((O, F, S), (S, O, S), (S, F, O)), 2: ((S, O, S), (S, S, S), (S, S, O)), 1: ((S, S, S), (D, D, S), (S, F, O))}
TABLE_5_5 = {3: ((O, F, O), (S, F, S), (O, F, O)), 2: ((O, O, O), (S, S, S), (O, O, O)), 1: ((O, O, O), (D, D, S), (O, F, O))}
# Formulations overall: nearly rigid bar, soft bar, nearly rigid beam, soft beam.
TABLE_5_9 = {"inertial": (F, S, F, F), "ancf": ("stable, expensive", S, "stable, expensive", S), "floating": (S, F, S, F)}


def verdict(row):
    text = row["verdict"]
    return f"fails at {float(row['reached_s']):.1f} s" if text == "fails" else text


def measured(trammel, element, formulation, until, sets, stabilisation="none"):
    """With drift as the source means it: 1e-2 m in short runs, 1e-3 m in long ones."""
    drift = (1e-2 if until == SHORT else 1e-3) / SIZE
    return runs(trammel, "double_pendulum", element, formulation, until, sets, stabilisation, drift)


def long_costs(results, published):
    """Source / ours, by algorithm, index 3."""
    return table(("algorithm", *(f"{name}: source / ours" for name in FORMULATIONS.values())), [
        (name, *(f"{published[f][place]} / {ours(results[f][3, method, 'none'])}" for f in FORMULATIONS))
        for place, (method, name) in enumerate(METHODS.items())])


def verdicts(short, long, projected, published):
    lines = []
    for index in INDICES:
        for place, (method, name) in enumerate(METHODS.items()):
            mine = (verdict(short[index, method, "none"]), verdict(long[index, method, "none"]),
                    verdict(projected[index, method, "projection"]))
            lines.append((str(index), name, *(f"{s} / {o}" for s, o in zip(published[index][place], mine))))
    return table(("index", "algorithm", f"{SHORT} s: source / ours", f"{LONG} s: source / ours",
                  f"{LONG} s with projection: source / ours"), lines)


def stabilised(results):
    """Residuals and energy with Baumgarte's stabilisation and with projection."""
    lines = []
    for (name, element), by_kind in results.items():
        for stabilisation, rows in by_kind.items():
            for place, (method, short) in enumerate(METHODS.items()):
                row = rows[1, method, stabilisation]
                lines.append((name, NAMES[element], stabilisation, short, verdict(row), *(
                    f"{float(row[c]):.1e}" for c in ("position_residual", "velocity_residual", "acceleration_residual",
                                                     "energy_change_J"))))
    return table(("pendulum", "element", "stabilisation", "algorithm", "verdict", "\\|g\\|", "\\|g'\\|", "\\|g''\\|",
                  "energy change, J"), lines)


def overall(results):
    """The verdict on long runs of V0(1,1,0) at index 3, and its iterations per step."""
    columns = (("nearly rigid", "bar"), ("soft", "bar"), ("nearly rigid", "euler_bernoulli"), ("soft", "euler_bernoulli"))
    lines = []
    for formulation, name in FORMULATIONS.items():
        line = [name]
        for place, column in enumerate(columns):
            row = results[column][formulation][3, "mpr-mpa", "none"]
            line.append(f"{TABLE_5_9[formulation][place]} / {verdict(row)}, {float(row['iterations_per_step']):.1f}")
        lines.append(line)
    return table(("formulation", *(f"{a} {NAMES[b]}: source / ours" for a, b in columns)), lines)


PROPERTIES = """| | IRF | ANCF-S | FRF |
|---|---|---|---|
| coordinates | positions (and angles) of nodes | positions (and slopes) of nodes | a frame, deformations in it |
| mass | constant (`mass: constant`) | constant | depends on angle and deformations |
| internal force | nonlinear | nonlinear | linear |
| force of velocities | none | none | yes |
| weight | constant | constant | depends on angle and deformations |
| hinge on the ground | linear | linear | linear |
| hinge between bodies | linear | linear | nonlinear |
"""


def page(trammel):
    parts = ["# Long runs of flexible pendulums of Huang 2014", "",
             "Made by `examples/flexible/long_tables.py build/release/bin/trammel`; see [the page of this example](README.md).", ""]
    stabilised_runs, long = {}, {}
    for name, sets in (("soft", ()), ("nearly rigid", RIGID)):
        for element in NAMES:
            stabilised_runs[name, element] = {
                s: measured(trammel, element, "floating", SHORT, sets, s) for s in ("baumgarte", "projection")}
            long[name, element] = {f: measured(trammel, element, f, LONG, sets) for f in FORMULATIONS}
    parts += ["## Tables 5.3 and 5.8: what the formulations are", "",
              "As the source lists them, with the hinge on the ground put right; the equations are on",
              "[the page of flexible bodies](../../docs/flexible_bodies.md).", "", PROPERTIES]
    for title, element, published in (("Table 5.4: nearly rigid bars, FRF", "bar", TABLE_5_4),
                                      ("Table 5.5: nearly rigid Euler-Bernoulli beams, FRF", "euler_bernoulli", TABLE_5_5)):
        short = measured(trammel, element, "floating", SHORT, RIGID)
        projected = measured(trammel, element, "floating", LONG, RIGID, "projection")
        parts += [f"## {title}", "", verdicts(short, long["nearly rigid", element]["floating"], projected, published)]
    for title, element, published in (("Table 4.5: soft bars", "bar", TABLE_4_5),
                                      ("Table 4.8: soft Euler-Bernoulli beams", "euler_bernoulli", TABLE_4_8)):
        parts += [f"## {title}, {LONG} s, index 3, iterations per step", "", long_costs(long["soft", element], published)]
    parts += [f"## Table 5.9: formulations, {LONG} s, V0(1,1,0), index 3: verdict and iterations per step", "", overall(long),
              f"## Stabilised, FRF, index 1, {SHORT} s", "", stabilised(stabilised_runs)]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = page(options.trammel.resolve())
    target = HERE / "long_tables.md"
    if not options.check:
        target.write_text(text, encoding="utf-8")
        return 0
    # Numbers of chaotic motions differ in all digits; words may not.
    number = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")
    same = number.sub("#", target.read_text(encoding="utf-8")) == number.sub("#", text)
    print("long_tables.md tells what the runs give" if same else "long_tables.md differs from what the runs give")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
