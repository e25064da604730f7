#!/usr/bin/python3
"""Makes the comparisons of [Haug1997, sec. 4] from runs of Trammel.

    examples/haug/tables.py build/release/bin/trammel            # writes tables.md beside this file
    examples/haug/tables.py build/release/bin/trammel --check    # compares with tables.md
    examples/haug/tables.py build/release/bin/trammel --cost     # processor times, which no file can state

Largest steps and iterations per step with the exact Jacobian (IMPL), with that of Fisette and Vaneghem (FV) and
explicitly (EXPL), and errors against a reference of order 4. Printed entries stand beside ours.
"""

import argparse
import csv
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PREDICTORS = ("taylor", "tilde", "hold")
ITERATIONS = {"IMPL": "newton", "FV": "fisette-vaneghem"}


class Mechanism:
    """A model, what is free in it, and what the source prints about it. Times in seconds."""

    def __init__(self, name, file, free, seen, until, steps, explicit, printed, plot_step, reference_step):
        self.name, self.file, self.free, self.seen, self.until = name, HERE / file, free, seen, until
        self.rate = seen.replace(".angle", ".angular_velocity")
        self.steps = steps          # largest and spacing of the steps that are tried
        self.explicit = explicit    # between which the explicit limit lies
        self.printed = printed      # largest steps IMPL, FV, EXPL
        self.plot_step = plot_step  # of figures 9 to 11
        self.reference_step = reference_step  # of order 4


MECHANISMS = (
    Mechanism("double pendulum", "double_pendulum.yaml", "[bar1.angle, bar2.angle]", "bar1.angle", 0.1,
              (0.05, 0.0005), (5e-5, 4e-4), ("0.015 (0.02 in sec. 4.1)", "0.0089", "0.00012"), 0.0089, 4e-5),
    Mechanism("slider-crank", "slider_crank.yaml", "[crank.angle]", "crank.angle", 0.1,
              (0.1, 0.001), (1e-3, 4e-2), ("0.0649", "0.0086", ""), 0.0086, 2.5e-4),
    Mechanism("seven bodies", "seven_bodies.yaml", "[k1.angle]", "k1.angle", 0.035,
              (0.0035, 0.00005), (1e-7, 4e-5), ("0.0018", "0.0001", ""), 0.0001, 1e-6),
)


class Run:
    """Rows of a run with fixed steps; `ok` when every step was taken as it was asked for."""

    def __init__(self, trammel, mechanism, method, step, folder):
        count = math.ceil(mechanism.until / step - 1e-9)
        output = Path(folder) / "run.csv"
        process = subprocess.Popen(
            [trammel, "run", mechanism.file, "--force", "--quiet", "--no-report", "--no-estimate", "--output", output,
             "--until", f"{count * step!r} s", "--step", f"{step!r} s", "--output-step", f"{step!r} s",
             "--channels", f"solver.*,{mechanism.seen},{mechanism.rate}", "--set", f"simulation.method={method}"],
            stderr=subprocess.PIPE, text=True)
        self.message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.cost = usage.ru_utime + usage.ru_stime
        if process.returncode not in (0, 1):
            raise RuntimeError(self.message)
        with open(output, newline="", encoding="utf-8") as file:
            lines = file.readlines()
        told = dict(line[2:].rstrip("\n").split(": ", 1) for line in lines if line.startswith("# outcome: "))
        numbers = dict(line[len("# statistic: "):].split(",", 1) for line in lines if line.startswith("# statistic: "))
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        self.times = [float(row["time"]) for row in rows]
        self.values = [float(row[mechanism.seen]) for row in rows]
        self.fastest = max(abs(float(row[mechanism.rate])) for row in rows)
        total = [int(float(row["solver.iterations"])) for row in rows]
        self.iterations = [b - a for a, b in zip(total, total[1:])]
        self.mean = int(numbers["newton_iterations"]) / count
        self.ok = told["outcome"] == "completed" and int(numbers["halvings"]) == 0


def implicit(mechanism, iteration, predictor):
    return (f"{{state-space-newmark: {iteration}, predictor: {predictor}, independent: {mechanism.free}, "
            "repartition_above: 0}")


def explicit(mechanism, method="state-space-abm2"):
    return f"{{{method}: lu, independent: {mechanism.free}, repartition_above: 0}}"


def largest_steps(trammel, mechanism, method, folder):
    """The largest step up to which all of the grid complete, and the largest that completes at all."""
    most, spacing = mechanism.steps
    count = round(most / spacing)
    done = [Run(trammel, mechanism, method, i * spacing, folder).ok for i in range(1, count + 1)]
    first = done.index(False) if False in done else count
    last = max((i + 1 for i, ok in enumerate(done) if ok), default=0)
    return first * spacing, last * spacing


def explicit_limit(trammel, mechanism, folder):
    """A step that completes, while one that is a fiftieth larger does not, or is ten times too fast somewhere."""
    low, high = mechanism.explicit
    most = 10 * Run(trammel, mechanism, explicit(mechanism, "state-space-rk4"), mechanism.reference_step, folder).fastest
    while high / low > 1.02:
        middle = math.sqrt(low * high)
        run = Run(trammel, mechanism, explicit(mechanism), middle, folder)
        if run.ok and run.fastest < most:
            low = middle
        else:
            high = middle
    return low


def table(head, lines):
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(rows + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def step_text(pair, most):
    first, last = pair
    text = f"{first:.4g}" if first < most * (1 - 1e-9) else f"{most:.4g} and more"
    return text if last <= first * (1 + 1e-9) else f"{text} ({last:.4g})"


def table_of_steps(trammel, folder):
    lines = []
    for m in MECHANISMS:
        for predictor in PREDICTORS:
            limits = [largest_steps(trammel, m, implicit(m, iteration, predictor), folder)
                      for iteration in ITERATIONS.values()]
            printed = m.printed[:2] if predictor == "taylor" else ("", "")
            lines.append((m.name, predictor, *(f"{source or '–'} / {step_text(pair, m.steps[0])}"
                                               for source, pair in zip(printed, limits))))
        limit = explicit_limit(trammel, m, folder)
        lines.append((m.name, "explicit", f"EXPL: {m.printed[2] or '–'} / {limit:.2g}", ""))
    return table(("mechanism", "predictor", "IMPL: source / ours, s", "FV: source / ours, s"), lines)


def history(run):
    """1x7 2x4: seven steps of one iteration, then four of two."""
    parts, last, count = [], None, 0
    for iterations in [*run.iterations, None]:
        if iterations != last and last is not None:
            parts.append(f"{last}x{count}" if count > 1 else f"{last}")
            count = 0
        last, count = iterations, count + 1
    return " ".join(parts if len(parts) <= 24 else [*parts[:24], "..."])


def table_of_iterations(trammel, folder):
    lines = []
    for m in MECHANISMS:
        for predictor in PREDICTORS:
            for name, iteration in ITERATIONS.items():
                run = Run(trammel, m, implicit(m, iteration, predictor), m.plot_step, folder)
                lines.append((m.name, f"{m.plot_step:g}", predictor, name, f"{run.mean:.2f}" if run.ok else "fails",
                              history(run)))
    return table(("mechanism", "step, s", "predictor", "", "iterations per step", "step by step"), lines)


def errors(run, reference, parts):
    """Sup-norm and its time, 2-norm, and the error relative to the value at that time in %."""
    differences = [abs(a - b) for a, b in zip(run.values, reference.values[::parts])][1:]
    k = max(range(len(differences)), key=differences.__getitem__)
    value = abs(reference.values[parts * (k + 1)])
    return differences[k], run.times[k + 1], math.sqrt(sum(d * d for d in differences)), 100 * differences[k] / value


def table_of_errors(trammel, folder):
    """IMPL at three steps, EXPL where it can: against RK4 on the same form, at a fraction of the step."""
    lines = []
    cases = {"double pendulum": ((4e-3, 2e-3, 1e-3), 1e-4), "slider-crank": ((8e-3, 4e-3, 2e-3), 1e-3),
             "seven bodies": ((1e-3, 5e-4, 2.5e-4), None)}
    for m in MECHANISMS:
        steps, explicit_step = cases[m.name]
        runs = [("IMPL", step, implicit(m, "newton", "hold")) for step in steps]
        if explicit_step:
            runs.append(("EXPL", explicit_step, explicit(m)))
        for name, step, method in runs:
            parts = math.ceil(step / m.reference_step)
            reference = Run(trammel, m, explicit(m, "state-space-rk4"), step / parts, folder)
            run = Run(trammel, m, method, step, folder)
            if not (run.ok and reference.ok):
                lines.append((m.name, name, f"{step:g}", "fails", "", "", ""))
                continue
            largest, when, norm, share = errors(run, reference, parts)
            lines.append((m.name, name, f"{step:g}", f"{largest:.2e}", f"{when:.4g}", f"{norm:.2e}", f"{share:.2g} %"))
    return table(("mechanism", "", "step, s", "sup-norm, rad", "at, s", "2-norm, rad", "relative"), lines)


def page(trammel, folder):
    return "\n".join((
        "# Tables of Haug, Negrut and Iancu 1997, made from runs", "",
        "Made by `examples/haug/tables.py build/release/bin/trammel`; see [the page of this example](README.md).", "",
        "## Table 5: largest steps", "",
        "Up to the step all steps of a grid complete (0.5 ms, 1 ms and 0.05 ms apart); in brackets the largest that completes at all.",
        "EXPL: a step that is a fiftieth larger does not complete, or makes the angle ten times as fast as it is.",
        "The source takes the predictor `taylor` as far as it can be read.", "", table_of_steps(trammel, folder),
        "## Figures 9 to 11: iterations", "",
        "`1x7 2x4`: seven steps of one iteration, then four of two.", "", table_of_iterations(trammel, folder),
        "## Errors (sec. 4.1)", "",
        "Of the angle of bar1, crank and k1, against `state-space-rk4` at a fraction of the step.", "",
        table_of_errors(trammel, folder)))


def print_costs(trammel, folder):
    """Processor time of the whole command, the best of five."""
    for m in MECHANISMS:
        limit = explicit_limit(trammel, m, folder)
        cases = [(name, m.plot_step, implicit(m, iteration, "hold")) for name, iteration in ITERATIONS.items()]
        for name, step, method in [*cases, ("EXPL", limit, explicit(m))]:
            cost = min(Run(trammel, m, method, step, folder).cost for _ in range(5))
            print(f"{m.name:16} {name:5} step {step:.3g} s  {1000 * cost:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trammel", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.cost:
            print_costs(options.trammel, folder)
            return 0
        text = page(options.trammel, folder)
    target = HERE / "tables.md"
    if not options.check:
        target.write_text(text, encoding="utf-8")
        return 0
    same = target.read_text(encoding="utf-8") == text
    print("tables.md is what the runs give" if same else "tables.md differs from what the runs give")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
