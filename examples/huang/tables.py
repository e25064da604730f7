#!/usr/bin/python3
"""Makes the tables 4.1, 4.2, 5.1, 5.2, 5.6 and 5.7 of [Huang2014] from runs of Trammel.

    examples/huang/tables.py build/release/bin/trammel            # writes tables.md beside this file
    examples/huang/tables.py build/release/bin/trammel --check    # compares with tables.md, and with the exact motions

Runs `trammel compare` on the rigid double pendulum: three algorithms, three indices, three stabilisations,
10 s and 100 s; and on the single pendulum, 10 s. Published entries stand beside ours.
"""

import argparse
import csv
import math
import re
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

# The exact motions by time, found without Trammel: Runge-Kutta of order 8 in the angles theta alone, to 1e-13. Angles count
# from the downward vertical. lambda are the multipliers of (x, y) of each hinge in M a + C^T lambda = F.
EXACT_SINGLE = {  # theta, its rate, lambda
    1: (-1.4050273115, -1.7993090169, -4.7896984579, -0.8013371579),
    2: (0.9166475897, 3.4552068991, 14.2109311301, -10.8965367729),
    5: (1.2294518115, -2.5627875682, 9.2834237002, -3.2979395464),
    10: (0.2786806736, -4.3431606929, 7.7834806974, -27.2029403119),
}
EXACT_DOUBLE = {  # theta of both links, their rates, the first one's acceleration, lambda of both hinges
    1: (-0.8836963867, -0.4710044459, 2.0945540689, -6.1211560437, 23.8872067608,
        -36.988850606, -30.3483240612, -18.4455851482, -36.2224911517),
    2: (0.8297212197, -1.2130021878, 0.0327706486, 3.7215631888, -12.6206094628,
        2.8594938717, -2.6166168407, -5.6612377958, -2.1166606761),
    5: (-0.9171276581, 0.7875678495, 2.9884281104, 1.0178376693, 7.3114485889,
        -11.8763984684, -9.0974334197, -0.3405737935, 0.3390991144),
    10: (0.104991436, -2.220748879, -1.703029162, 0.591460396, 2.932647084,
         1.71689844, -16.29261671, 4.32944838, -3.29094158),
}


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


def exact_motion_error(trammel, model, links, exact):
    """Largest distance of a run with error control from the exact motion, over all times and quantities.

    A hinge's multiplier is the opposite of its reaction, which acts on the second body: M a + G^T lambda = f.
    """
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "exact.csv"
        subprocess.run([trammel, "run", HERE / model, "--method", "dormand-prince", "--tolerance", "1e-11", "--output-step",
                        "1 s", "--output", results, "--no-report", "--no-estimate", "--quiet"], check=True)
        with open(results, newline="", encoding="utf-8") as file:
            rows = {float(row["time"]): row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    error = 0.0
    for time, values in exact.items():
        row = rows[float(time)]
        found = [float(row[f"link{i}.angle"]) + math.pi / 2 for i in links]
        found += [float(row[f"link{i}.angular_velocity"]) for i in links]
        if len(links) == 2:
            found.append(float(row["link1.angular_acceleration"]))
        found += [-float(row[f"hinge{i}.reaction.force.{axis}"]) for i in links for axis in "xy"]
        error = max(error, *(abs(ours - theirs) for ours, theirs in zip(found, values)))
    return error


def same_number(kept, made):
    """Whether two numbers of the tables tell the same.

    Largest residuals of 100 s of a chaotic motion are bounds: what counts is their power of ten, and of round-off that it is
    one. Times of failure and mean counts of iterations depend on what happened before, too, but far less.
    """
    first, second = float(kept), float(made)
    if "e" not in kept:
        of_time = kept.endswith(" ")  # its unit follows
        return abs(first - second) <= (0.3 if of_time else 0.1)
    round_off = 1e-12
    return max(first, second) < round_off or (min(first, second) > 0.0 and abs(math.log10(first / second)) < 0.7)


def differences(kept, made):
    """Lines of two pages that do not tell the same, as texts."""
    number = re.compile(r"-?\d+\.\d+(?:e[+-]\d+| (?=s\b))?")
    kept, made = kept.splitlines(), made.splitlines()
    if len(kept) != len(made):
        return [f"tables.md has {len(kept)} lines, the runs give {len(made)}"]
    return [f"line {line}:\n  tables.md: {old}\n  the runs:  {new}" for line, (old, new) in enumerate(zip(kept, made), 1)
            if number.sub("#", old) != number.sub("#", new)
            or not all(map(same_number, number.findall(old), number.findall(new)))]


def check(trammel, text):
    found = differences((HERE / "tables.md").read_text(encoding="utf-8"), text)
    for model, links, exact in (("single_pendulum.yaml", (1,), EXACT_SINGLE), ("double_pendulum.yaml", (1, 2), EXACT_DOUBLE)):
        error = exact_motion_error(trammel, model, links, exact)
        print(f"{model}: within {error:.1e} of the exact motion, multipliers included")
        # The exact values of the double pendulum have nine digits at 10 s: 5e-9 of numbers above 1.
        if not error < 1e-8:
            found.append(f"{model}: {error:.1e} off the exact motion")
    print("\n".join(found) or "tables.md is what the runs give")
    return 1 if found else 0


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
    if options.check:
        return check(options.trammel, text)
    (HERE / "tables.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
