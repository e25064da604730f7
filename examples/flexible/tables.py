#!/usr/bin/python3
"""Makes the tables of flexible pendulums of [Huang2014, sec. 4.2] from runs of Trammel.

    examples/flexible/tables.py build/release/bin/trammel            # writes tables.md beside this file
    examples/flexible/tables.py build/release/bin/trammel --check    # compares with tables.md

Runs `trammel compare` on the single and the double pendulum, soft and nearly rigid: three elements, three
formulations, three algorithms, three indices. Published entries stand beside ours.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
METHODS = {"newmark": "U0(1,1,0)", "mpr-mpa": "V0(1,1,0)", "mpr-epa": "U0V0(1,1,1)"}
FORMULATIONS = {"inertial": "IRF", "ancf": "ANCF-S", "floating": "FRF"}
ELEMENTS = {"bar": "bar", "euler_bernoulli": "Euler-Bernoulli", "timoshenko": "Timoshenko"}
INDICES = (3, 2, 1)

# Iterations per step; "*": drift or unstable behaviour within 5 s. By index: U0, V0, U0V0.
TABLE_4_3 = {"ancf": {3: ("67.43", "67.41", "64.86"), 2: ("67.43", "67.41", "64.86"), 1: ("67.39", "67.40", "64.85")},
             "floating": {3: ("4.91*", "4.91", "4.82"), 2: ("4.93", "4.93", "4.88"), 1: ("4.96", "4.98*", "4.92")}}
TABLE_4_4 = {"inertial": dict.fromkeys(INDICES, ("6.02", "6.02", "5.88")),
             "ancf": {3: ("5.62", "5.59", "5.60"), 2: ("5.60", "5.59", "5.54"), 1: ("5.61", "5.60", "5.49")},
             "floating": {3: ("5.43*", "5.43", "5.34"), 2: ("5.48", "5.50", "5.40"), 1: ("5.53", "5.61*", "5.56")}}
TABLE_4_6 = {"ancf": {3: ("60.21", "60.80", "60.12"), 2: ("60.20", "60.80", "60.10"), 1: ("60.32", "60.82", "60.11")},
             "floating": {3: ("7.37*", "7.07", "7.30"), 2: ("7.48", "7.43", "7.53"), 1: ("7.83", "7.96", "7.70")}}
TABLE_4_7 = {"inertial": {3: ("6.48", "6.48", "6.48"), 2: ("6.50", "6.51", "6.49"), 1: ("6.51", "6.51", "6.50")},
             "ancf": {3: ("4.04", "4.03", "4.00"), 2: ("4.04", "4.05", "4.00"), 1: ("4.04", "4.07", "4.00")},
             "floating": {3: ("10.23*", "9.67", "10.23*"), 2: ("10.72", "9.93", "10.20"),
                          1: ("11.01*", "10.17*", "10.27*")}}


def runs(trammel, model, element, formulation, until, sets=(), stabilisation="none", drift=None):
    """Rows of `trammel compare` by (index, method, stabilisation)."""
    bodies = ("beam",) if model == "pendulum" else ("one", "two")
    options = list(sets)
    for body in bodies:
        options += [f"flexible.{body}.element={element}", f"flexible.{body}.formulation={formulation}"]
        if formulation == "inertial" and element != "bar":
            options.append(f"flexible.{body}.mass=constant")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [trammel, "compare", HERE / f"{model}.yaml", "--methods", ",".join(METHODS), "--index", "3,2,1",
             "--stabilisation", stabilisation, "--step", "1 ms", "--until", f"{until} s", "--setting",
             "start=plain,form=a", "--output", Path(folder) / "out", "--quiet", *(() if drift is None else ("--drift", str(drift))),
             *(word for each in options for word in ("--set", each))],
            check=True)
        with open(Path(folder) / "out.compare.csv", newline="", encoding="utf-8") as file:
            return {(int(row["index"]), row["method"], row["stabilisation"]): row for row in csv.DictReader(file)}


def ours(row):
    if row["verdict"] == "fails":
        return f"fails at {float(row['reached_s']):.2f} s"
    text = f"{float(row['iterations_per_step']):.2f}"
    return text if row["verdict"] == "stable" else f"{text} {row['verdict']}"


def table(head, lines):
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(rows + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def cost_table(results, published):
    """Source / ours, by index and algorithm."""
    lines = []
    for index in INDICES:
        for place, (method, name) in enumerate(METHODS.items()):
            line = [str(index), name]
            for formulation in FORMULATIONS:
                source = published.get(formulation, {}).get(index, ("Fail",) * 3)[place]
                line.append(f"{source} / {ours(results[formulation][index, method, 'none'])}")
            lines.append(line)
    return table(("index", "algorithm", *(f"{name}: source / ours" for name in FORMULATIONS.values())), lines)


def grid_table(results):
    """Energy change by element and formulation, index and algorithm."""
    lines = []
    for element, name in ELEMENTS.items():
        for formulation, short in FORMULATIONS.items():
            line = [name, short]
            for index in INDICES:
                cells = []
                for method in METHODS:
                    row = results[element, formulation][index, method, "none"]
                    cells.append(f"fails at {float(row['reached_s']):.2f} s" if row["verdict"] == "fails"
                                 else f"{float(row['energy_change_J']):.1e}")
                line.append(", ".join(cells))
            lines.append(line)
    return table(("element", "formulation", *(f"index {i}: U0, V0, U0V0" for i in INDICES)), lines)


def page(trammel):
    parts = ["# Tables of flexible pendulums of Huang 2014, made from runs", "",
             "Made by `examples/flexible/tables.py build/release/bin/trammel`; see "
             "[the page of this example](README.md).", ""]
    single = {(e, f): runs(trammel, "pendulum", e, f, 5) for e in ELEMENTS for f in FORMULATIONS}
    parts += ["## The single pendulum, 5 s: largest change of energy, J", "", grid_table(single)]
    soft = {(e, f): runs(trammel, "double_pendulum", e, f, 5) for e in ELEMENTS for f in FORMULATIONS}
    parts += ["## The double pendulum, E = 1 MPa, 5 s: largest change of energy, J", "", grid_table(soft)]
    stiff = {(e, f): runs(trammel, "double_pendulum", e, f, 5, ["modulus=1e10 Pa"])
             for e in ELEMENTS for f in FORMULATIONS}
    parts += ["## The double pendulum, E = 10 GPa, 5 s: largest change of energy, J", "", grid_table(stiff)]
    for title, element, results, published in (
            ("Table 4.3: nearly rigid, bar", "bar", stiff, TABLE_4_3), ("Table 4.4: soft, bar", "bar", soft, TABLE_4_4),
            ("Table 4.6: nearly rigid, Euler-Bernoulli", "euler_bernoulli", stiff, TABLE_4_6),
            ("Table 4.7: soft, Euler-Bernoulli", "euler_bernoulli", soft, TABLE_4_7)):
        parts += [f"## {title}, iterations per step", "",
                  cost_table({f: results[element, f] for f in FORMULATIONS}, published)]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = page(options.trammel.resolve())
    target = HERE / "tables.md"
    if not options.check:
        target.write_text(text, encoding="utf-8")
        return 0
    same = target.read_text(encoding="utf-8") == text
    print("tables.md is what the runs give" if same else "tables.md differs from what the runs give")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
