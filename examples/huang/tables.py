#!/usr/bin/python3
"""Makes the tables 4.1, 4.2, 5.1, 5.2, 5.6 and 5.7 of [Huang2014] from runs of Trammel.

    examples/huang/tables.py build/release/bin/trammel            # writes tables.md beside this file
    examples/huang/tables.py build/release/bin/trammel --check    # compares with tables.md (costs excepted)

Runs `trammel compare` on the rigid double pendulum: three algorithms, three indices, three stabilisations,
10 s and 100 s. Published entries stand beside ours.
"""

import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
METHODS = {"newmark": "U0(1,1,0)", "mpr-mpa": "V0(1,1,0)", "mpr-epa": "U0V0(1,1,1)"}
STABILISATIONS = ("none", "baumgarte", "projection")

# Table 4.1: 10 s. Baumgarte's method has no index: the same run in every row.
TABLE_4_1 = {(3, "newmark", "none"): "oscillates", (1, "mpr-mpa", "none"): "oscillates"}
# Table 4.2: iterations per step; X: failed.
TABLE_4_2 = {
    (3, "newmark"): ("X", 6.49, 5.99), (3, "mpr-mpa"): (6.22, 7.44, 6.19), (3, "mpr-epa"): (6.24, 7.21, 6.16),
    (2, "newmark"): (6.23, 6.49, 6.22), (2, "mpr-mpa"): (6.85, 7.44, 6.85), (2, "mpr-epa"): (6.85, 7.21, 6.85),
    (1, "newmark"): (6.858, 6.49, 6.86), (1, "mpr-mpa"): (7.77, 7.44, 7.77), (1, "mpr-epa"): (7.39, 7.21, 7.38),
}
# Tables 5.1 (10 s) and 5.6 (100 s), without stabilisation.
TABLE_5_1 = {
    (3, "newmark"): ("fails", "fails"), (3, "mpr-mpa"): ("stable", "stable"), (3, "mpr-epa"): ("stable", "oscillates"),
    (2, "newmark"): ("stable", "drifts"), (2, "mpr-mpa"): ("stable", "drifts"), (2, "mpr-epa"): ("stable", "drifts"),
    (1, "newmark"): ("stable", "drifts"), (1, "mpr-mpa"): ("drifts", "fails"), (1, "mpr-epa"): ("stable", "drifts"),
}
# Tables 5.2 (10 s) and 5.7 (100 s): powers of ten of the constraint residuals, position, velocity, acceleration.
TABLE_5_2 = {"baumgarte": (-4, -2, 0), "projection": (-14, -14, -14)}


def runs(trammel, model, until, drift):
    """Rows of `trammel compare` by (index, method, stabilisation)."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [trammel, "compare", HERE / model, "--methods", ",".join(METHODS), "--index", "3,2,1", "--stabilisation",
             ",".join(STABILISATIONS), "--step", "10 ms", "--until", f"{until} s", "--drift", str(drift), "--setting",
             "start=plain,form=a", "--output", Path(folder) / "out", "--quiet"], check=True)
        with open(Path(folder) / "out.compare.csv", newline="", encoding="utf-8") as file:
            rows = {(int(row["index"]), row["method"], row["stabilisation"]): row for row in csv.DictReader(file)}
    for method in METHODS:
        for index in (3, 2):
            rows[index, method, "baumgarte"] = rows[1, method, "baumgarte"]
    return rows


def verdict_text(row):
    text = row["verdict"]
    return text + f" at {float(row['reached_s']):.2f} s" if text == "fails" else text


def table(head, lines):
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(rows + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def keys():
    return [(index, method) for index in (3, 2, 1) for method in METHODS]


def table_4_1(short):
    return table(("index", "algorithm", *(f"{s}: source / ours" for s in STABILISATIONS)), [
        (str(i), METHODS[m], *(f"{TABLE_4_1.get((i, m, s), 'stable')} / {verdict_text(short[i, m, s])}"
                               for s in STABILISATIONS)) for i, m in keys()])


def table_4_2(short):
    return table(("index", "algorithm", *(f"{s}: source / ours" for s in STABILISATIONS)), [
        (str(i), METHODS[m], *(f"{source} / {float(short[i, m, s]['iterations_per_step']):.2f}"
                               for s, source in zip(STABILISATIONS, TABLE_4_2[i, m]))) for i, m in keys()])


def table_5_1(short, long):
    lines = []
    for i, m in keys():
        source = TABLE_5_1[i, m]
        lines.append((str(i), METHODS[m], f"{source[0]} / {verdict_text(short[i, m, 'none'])}",
                      f"{source[1]} / {verdict_text(long[i, m, 'none'])}",
                      *(f"{float(long[i, m, 'none'][c]):.1e}" for c in
                        ("position_residual", "velocity_residual", "acceleration_residual", "energy_change_J"))))
    return table(("index", "algorithm", "10 s (5.1): source / ours", "100 s (5.6): source / ours", "\\|g\\| at 100 s",
                  "\\|g'\\|", "\\|g''\\|", "energy change, J"), lines)


def levels(rows, stabilisation):
    """Largest residual at the three levels over all algorithms and indices."""
    names = ("position_residual", "velocity_residual", "acceleration_residual")
    return [max(float(row[n]) for (i, m, s), row in rows.items() if s == stabilisation) for n in names]


def table_5_2(short, long):
    lines = []
    for stabilisation, powers in TABLE_5_2.items():
        for level, power, ten, hundred in zip(("position", "velocity", "acceleration"), powers,
                                              levels(short, stabilisation), levels(long, stabilisation)):
            lines.append((stabilisation, level, f"10^{power}", f"{ten:.1e}", f"{hundred:.1e}"))
    return table(("stabilisation", "constraints", "source", "ours, 10 s (5.2)", "ours, 100 s (5.7)"), lines)


def page(short, long, single):
    return "\n".join((
        "# Tables of Huang 2014, made from runs", "",
        "Made by `examples/huang/tables.py build/release/bin/trammel`; see [the page of this example](README.md).", "",
        "## Table 4.1: rigid double pendulum, 10 s, h = 0.01 s", "", table_4_1(short),
        "## Table 4.2: iterations per step", "", table_4_2(short),
        "## Tables 5.1 and 5.6: without stabilisation, 10 s and 100 s", "", table_5_1(short, long),
        "## Tables 5.2 and 5.7: constraint levels with stabilisation", "", table_5_2(short, long),
        "## The single pendulum, 10 s, by the same measure as table 4.1", "",
        table(("index", "algorithm", *STABILISATIONS), [
            (str(i), METHODS[m], *(verdict_text(single[i, m, s]) for s in STABILISATIONS)) for i, m in keys()])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    # Drift as the source means it: 1e-2 of a link in short runs, 1e-3 in long ones. Trammel takes the diagonal of the
    # described mechanism for its size.
    size = math.sqrt(2.0)
    short = runs(options.trammel, "double_pendulum.yaml", 10, 1e-2 / size)
    long = runs(options.trammel, "double_pendulum.yaml", 100, 1e-3 / size)
    single = runs(options.trammel, "single_pendulum.yaml", 10, 1e-2)
    text = page(short, long, single)
    target = HERE / "tables.md"
    if not options.check:
        target.write_text(text, encoding="utf-8")
        return 0
    same = target.read_text(encoding="utf-8") == text
    print("tables.md is what the runs give" if same else "tables.md differs from what the runs give")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
