#!/usr/bin/python3
"""The expected values of the examples, computed without Trammel.

    examples/references.py            # prints every value with its uncertainty
    examples/references.py --write    # writes <example>/expected.json and the table of its README.md
    examples/references.py --measure build/release/bin/trammel   # how far Trammel is away, at two steps

Every example has an answer of its own, in the folder references/: a closed form, or an ordinary
differential equation in minimal coordinates that is integrated by SciPy's DOP853. Each equation is
integrated twice, at the tolerance TIGHT and at thirty times that; the difference is the uncertainty of
the reference and must stay a hundred times below the tolerance of the comparison.

The tolerances are those of the method, not of the reference: about three times the error that the
second order method leaves, with the step of the example. Halving the step divides that error by four;
--measure shows it. Where there is no such error (a driven mechanism passes through the prescribed
positions), it is ten times what Newton's iteration leaves. For most examples they stand in
references/tolerances.json. The asymmetric top and the four-bar have wider ones: the unstable axis of the
one amplifies what Newton's iteration leaves, and in the singular positions of the other the last digits matter.

Conventions: gravity 9.81 m/s^2, angles in rad counted from +x, SI units, Euler parameters e0..e3 from
body to world, angular velocities in body axes.
"""

import argparse
import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent / "benchmarks" / "peers"))
from references import (classic, connections, contacts, dynamics, engines, gears, haug, knee,  # noqa: E402
                        linkages, machines, rolling, spatial)

TIGHT = 1e-13
MODULES = [classic, connections, contacts, dynamics, engines, gears, haug, knee, linkages, machines, rolling, spatial]
EXAMPLES = {name: entry for module in MODULES for name, entry in module.EXAMPLES.items()}
TOLERANCES = json.loads((ROOT / "references" / "tolerances.json").read_text())


def entries_of(name):
    """The entries of expected.json, each with the uncertainty of its value."""
    problem, source = EXAMPLES[name]
    for fine, coarse in zip(problem(TIGHT), problem(30 * TIGHT)):
        channel, time, value = fine[:3]
        tolerance = fine[3] if len(fine) > 3 else TOLERANCES.get(name, {}).get(channel, math.nan)
        entry = {"channel": channel, "time": time, "value": round(float(value), 12),
                 "tolerance": tolerance, "source": source}
        yield entry, abs(value - coarse[2])


def files_of(name):
    """Model, expected values and page: of a folder, or of one model in a folder of several ("haug/slider_crank")."""
    if "/" not in name:
        return ROOT / name / f"{name}.yaml", ROOT / name / "expected.json", ROOT / name / "README.md"
    path = ROOT / name
    return path.with_suffix(".yaml"), path.with_suffix(".expected.json"), path.with_name("README.md")


def write(name, entries):
    _, expected, page = files_of(name)
    lines = ",\n".join("  " + json.dumps(entry) for entry in entries)
    expected.write_text(f"[\n{lines}\n]\n")
    if "/" in name:
        return
    rows = "".join(f"| `{e['channel']}` | {e['time']:g} s | {e['value']:.8g} | {e['tolerance']:g} |\n"
                   for e in entries)
    head = "| channel | time | value | tolerance |\n|---|---|---|---|\n"
    pattern = re.escape(head) + r"(?:\|.*\n)*"
    page.write_text(re.sub(pattern, lambda _: head + rows, page.read_text(), count=1))


def run(program, name, step, folder):
    """Rows of the results by time, with a step of the example's own times `step`."""
    model, output = files_of(name)[0], Path(folder) / f"{Path(name).name}.csv"
    text = re.search(r"^ +step: *([^\n#]+)", model.read_text(), re.MULTILINE).group(1)
    subprocess.run([program, "run", str(model), "-f", "-q", "-o", str(output), "--step",
                    f"({text.strip()}) * {step}"], check=True)
    with open(output) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {round(float(row["time"]), 9): row for row in rows}


def measure(program, name, entries):
    """Errors at the step of the example and at half of it, and the tolerances that follow."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(program, name, step, folder) for step in (1.0, 0.5)]
    errors = {}
    for e in entries:
        pair = [abs(float(rows[round(e["time"], 9)][e["channel"]]) - e["value"]) for rows in runs]
        before = errors.get(e["channel"], [0.0, 0.0])
        errors[e["channel"]] = [max(a, b) for a, b in zip(before, pair)]
    tolerances = {}
    for channel, (coarse, fine) in errors.items():
        size = max(abs(e["value"]) for e in entries if e["channel"] == channel)
        noise = fine > 0.4 * coarse  # of Newton's iteration: it does not fall with the step
        wanted = max(10.0 * max(coarse, fine) if noise else 3.0 * coarse, 1e-9 * max(1.0, size))
        unit = 10.0 ** (math.floor(math.log10(wanted)) - 1)
        tolerances[channel] = float(f"{math.ceil(wanted / unit) * unit:.2g}")
        print(f"{name:22} {channel:32} error {coarse:.1e}, at half the step {fine:.1e}, "
              f"ratio {coarse / max(fine, 1e-300):.2f}, largest value {size:.3g}")
    losses = [list(rows.values())[-1]["energy.numerical_loss"] for rows in runs]
    print(f"{name:22} numerical loss {float(losses[0]):.1e} J, at half the step {float(losses[1]):.1e} J")
    return tolerances


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write expected.json and the tables")
    parser.add_argument("--measure", metavar="PROGRAM", help="compare with Trammel at two steps")
    parser.add_argument("--keep", action="store_true", help="with --measure: keep the new tolerances")
    parser.add_argument("examples", nargs="*", default=[], help="only these")
    arguments = parser.parse_args()
    for name in arguments.examples or EXAMPLES:
        pairs = list(entries_of(name))
        if arguments.measure:
            found = measure(arguments.measure, name, [entry for entry, _ in pairs])
            if arguments.keep:
                TOLERANCES[name] = found
                text = json.dumps(dict(sorted(TOLERANCES.items())), indent=1)
                (ROOT / "references" / "tolerances.json").write_text(text + "\n")
            continue
        for entry, uncertainty in pairs:
            print(f"{name:30} {entry['channel']:28} t = {entry['time']:<5g} {entry['value']:+.12g} "
                  f"+- {uncertainty:.0e}")
            if not uncertainty <= 0.01 * entry["tolerance"]:
                raise RuntimeError("the reference is not sharp enough for its tolerance, or has none")
        if arguments.write:
            write(name, [entry for entry, _ in pairs])


if __name__ == "__main__":
    main()
