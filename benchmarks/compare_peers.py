#!/usr/bin/python3
"""The same mechanisms in Trammel, Simbody and MuJoCo, interleaved in one run, at stated errors.

    compare_peers.py BIN_FOLDER [--rounds 3] [--quick]

BIN_FOLDER holds trammel_bench, peer_simbody and peer_mujoco. Each case is run by every program in turn, several rounds,
and the median CPU time is kept, so that a busy machine disturbs all of them alike. Errors are the largest difference of
the end values from peers/reference.py (minimal coordinates, DOP853).
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# case, n, until, [(program, arguments)]
CASES = [
    ("pendulum", 1, 2.0, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("peer_simbody", ["--method", "rk4", "--h", "1e-3"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
    ]),
    ("slider_crank", 1, 1.0, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("trammel_bench", ["--h", "1e-4"]),
        ("peer_simbody", ["--method", "rk4", "--h", "1e-3"]),
        ("peer_simbody", ["--method", "adaptive_merson", "--accuracy", "1e-6"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-4"]),
    ]),
    ("fourbar", 2, 2.0, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("peer_simbody", ["--method", "rk4", "--h", "1e-3", "--accuracy", "1e-8"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
    ]),
    ("fourbar", 40, 1.0, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("peer_simbody", ["--method", "adaptive_merson", "--accuracy", "1e-6"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
    ]),
    ("chain", 20, 1.0, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("trammel_bench", ["--h", "2.5e-4"]),
        ("peer_simbody", ["--method", "rk4", "--h", "1e-3"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
    ]),
    ("chain", 100, 0.4, [
        ("trammel_bench", ["--h", "1e-3"]),
        ("trammel_bench", ["--h", "2.5e-4"]),
        ("peer_simbody", ["--method", "rk4", "--h", "1e-3"]),
        ("peer_simbody", ["--method", "adaptive_merson", "--accuracy", "1e-4"]),
        ("peer_mujoco", ["--method", "rk4", "--h", "1e-3"]),
    ]),
]


def run(folder, program, case, n, until, arguments):
    command = [str(folder / program), case, "--n", str(n), "--until", str(until), "--repeat", "1", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def reference(case, n, until):
    command = ["/usr/bin/python3", str(HERE / "peers" / "reference.py"), case, "--n", str(n), "--until", str(until)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["final"]


def error(values, exact):
    """Largest difference of positions and angles (rates are left out: other units)."""
    names = [name for name in exact if name != "rate" and name in values]
    return max(abs(values[name] - exact[name]) for name in names) if names else float("nan")


def compare(folder, case, n, until, programs, rounds):
    exact = reference(case, n, until)
    results = [[] for _ in programs]
    for _ in range(rounds):
        for i, (program, arguments) in enumerate(programs):
            results[i].append(run(folder, program, case, n, until, arguments))
    print(f"\n{case}, n = {n}, {until:g} s")
    print(f"{'program':<14}{'method':<26}{'us/step':>10}{'CPU ms':>10}{'ratio':>8}{'error':>10}")
    base = None
    for (program, arguments), runs in zip(programs, results):
        cpu = statistics.median(r["cpu_s"] for r in runs)
        first = runs[0]
        base = base or cpu
        method = f"{first['method']} {' '.join(arguments[-2:])}"
        if first["failed"]:
            print(f"{first['program']:<14}{method:<26}  failed: {first['note']}")
            continue
        print(f"{first['program']:<14}{method[:25]:<26}{1e6 * cpu / first['steps']:>10.2f}{1e3 * cpu:>10.2f}"
              f"{cpu / base:>8.2f}{error(first['final'], exact):>10.1e}")


def forward_dynamics(folder, rounds):
    """Accelerations of a chain of revolute joints from its coordinates and rates, no integration."""
    print(f"\nforward dynamics of a chain, us per link and evaluation\n{'links':<10}" + "".join(
        f"{name:>14}" for name in ("Trammel", "Simbody", "ratio")))
    for n in (10, 100, 1000, 10000):
        programs = [("trammel_bench", ["--h", "1e-3"]), ("peer_simbody", ["--h", "1e-3"])]
        times = [[], []]
        for _ in range(rounds):
            for i, (program, arguments) in enumerate(programs):
                times[i].append(run(folder, program, "forward", n, 1, arguments)["final"]["us_per_link"])
        ours, theirs = (statistics.median(t) for t in times)
        print(f"{n:<10}{ours:>14.3f}{theirs:>14.3f}{theirs / ours:>14.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="without the cases of more than 20 bodies")
    options = parser.parse_args()
    forward_dynamics(options.folder, options.rounds)
    for case, n, until, programs in CASES:
        if not (options.quick and n > 20):
            compare(options.folder, case, n, until, programs, options.rounds)
    print("\nratio: CPU time of the whole motion against the first line of its table; error: positions and angles at the end")


if __name__ == "__main__":
    main()
