#!/usr/bin/env python3
"""What Python costs: a run started from Python against the command line, and a call of a Python function.

    PYTHONPATH=build/release/python benchmarks/python_overhead.py build/release/bin/trammel

Times are processor times, as the machine may have other things to do. Runs from Python and from the command line alternate and
their medians are compared; of the calls the best of several runs counts.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import trammel as tr

MODEL = "examples/slider_crank/slider_crank.yaml"
UNTIL, SHORT = "40", "0.005"  # s
ROUNDS = 25
REPEATS = 5


def best(measure):
    return min(measure() for _ in range(REPEATS))


def of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command_line(cli, folder, until):
    before = of_children()
    options = ["--until", until, "-o", os.path.join(folder, "cli.h5"), "-f", "-q", "--no-report"]
    subprocess.run([cli, "run", MODEL, *options], check=True)
    return of_children() - before


def from_python(folder, until):
    before = time.process_time()
    tr.simulate(MODEL, until=until, output=os.path.join(folder, "python.h5"), overwrite=True, progress=False)
    return time.process_time() - before


def compare_with_command_line(cli):
    """One after the other, so that both meet the same disturbances. The short run is what starting costs: of the
    program, reading the model, making and closing the file."""
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for until in (SHORT, UNTIL):
                times.setdefault(("cli", until), []).append(command_line(cli, folder, until))
                times.setdefault(("python", until), []).append(from_python(folder, until))
    whole = {who: statistics.median(times[who, UNTIL]) for who in ("cli", "python")}
    part = {who: whole[who] - statistics.median(times[who, SHORT]) for who in ("cli", "python")}
    print(f"slider-crank, {UNTIL} s, with results in HDF5, medians of {ROUNDS} runs, one after the other:")
    print(f"  trammel run        {whole['cli']:.3f} s, without its start {part['cli']:.3f} s")
    print(f"  tr.simulate        {whole['python']:.3f} s, without its start {part['python']:.3f} s")
    print(f"  Python adds        {100 * (whole['python'] / whole['cli'] - 1):+.1f} %, without the starts "
          f"{100 * (part['python'] / part['cli'] - 1):+.1f} %")


def pendulum(formula):
    model = tr.Model(space="planar", gravity=[0, -9.81])
    model.bodies.add("bar", shape={"rod": {"length": 0.5, "mass": 1.0}, "position": [0.25, 0]})
    model.joints.add("pin", type="revolute", between=["ground", "bar"])
    model.forces.add("torque", type="actuator", coordinate="pin.angle", formula=formula)
    return model


def interpreters_own(function, calls=1_000_000):
    """Seconds for a call of the function by the interpreter, without the loop around it."""
    arguments = (0.1, 0.2)
    start = time.process_time()
    for _ in range(calls):
        function(*arguments)
    whole = time.process_time() - start
    start = time.process_time()
    for _ in range(calls):
        pass
    return (whole - (time.process_time() - start)) / calls


def callback_cost():
    count = 0

    def counted(angle, rate):
        nonlocal count
        count += 1
        return -0.1 * rate - 0.01 * angle

    def law(angle, rate):
        return -0.1 * rate - 0.01 * angle

    def slopes(angle, rate):
        return -0.01, -0.1

    call = "law(pin.angle, pin.angle_rate)"
    settings = {"until": 20, "output_step": 1, "progress": False}
    counting = pendulum(call)
    counting.functions["law"] = tr.Function(counted, derivatives=slopes)
    tr.simulate(counting, **settings)
    in_python, in_text = pendulum(call), pendulum("-0.1*pin.angle_rate - 0.01*pin.angle")
    in_python.functions["law"] = tr.Function(law, derivatives=slopes)

    def seconds(model):
        start = time.process_time()
        tr.simulate(model, **settings)
        return time.process_time() - start

    python, text = best(lambda: seconds(in_python)), best(lambda: seconds(in_text))
    each = (python - text) / count
    own = best(lambda: interpreters_own(law))
    print(f"a force law with two arguments, {count} calls (its derivatives are among the costs):")
    print(f"  as text            {text:.3f} s")
    print(f"  as Python function {python:.3f} s   {1e6 * each:.2f} us for each call")
    print(f"  the interpreter's own part {1e6 * own:.2f} us; beyond it {1e6 * (each - own):.2f} us")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    compare_with_command_line(sys.argv[1])
    callback_cost()


if __name__ == "__main__":
    main()
