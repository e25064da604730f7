#!/usr/bin/python3
"""Run time, speed-up and efficiency of the suspension [Chiou1990, figs. 7.7.9 to 7.7.11], and of a
chain that is long enough for threads.

    examples/chiou/parallel.py build/release/bin/trammel            # prints the tables of the page
    examples/chiou/parallel.py build/release/bin/trammel --quick    # one run of each, short; for tests

Speed-up is the time of one thread over that of n, efficiency the speed-up over n. Penalty
stabilisation works on absolute coordinates, natural partitioning on relative ones. Whatever the
number of threads, the results must be the same to the last bit: the script fails if they are not.
"""

import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2, 3, 4)
TREATMENTS = (
    ("penalty stabilisation", "absolute"),
    ("natural partitioning", "relative"),
)
CHAIN = """trammel: 1
space: spatial
gravity: [0, 0, -9.81]
assemblies:
  link:
    bodies:
      bar: {{shape: {{box: {{size: [0.1, 0.02, 0.02], mass: 0.1}}}}, frames: {{start: [-0.05, 0, 0], end: [0.05, 0, 0]}}}}
instances:
  chain:
    assembly: link
    repeat: {links}
    place: [0.1 * i - 0.05, 0, 0]
    start: ground
    joints: {{pin: {{type: revolute, between: [previous.bar.end, bar.start], axis: y}}}}
simulation: {{until: {until}, step: 1 ms, method: {method}}}
"""


def run(trammel, model, threads, coordinates, channels, folder):
    """Wall time in s and the results as text."""
    output = os.path.join(folder, f"{threads}_{coordinates}.csv")
    command = [trammel, "run", model, "-o", output, "-f", "-q", "--no-report", "--no-estimate",
               "--threads", str(threads), "--coordinates", coordinates, "-c", channels]
    begin = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    with open(output, encoding="utf-8") as file:
        rows = [line for line in file if not line.startswith("#")]
    return seconds, rows


def table(trammel, title, model, channels, rounds, folder, treatments=TREATMENTS):
    """Prints a row for each treatment and number of threads; the least time of several rounds counts,
    since what others on the machine do can only add."""
    print(f"\n{title}\n\n| treatment | threads | run time | speed-up | efficiency |\n|---|---|---|---|---|")
    for treatment, coordinates in treatments:
        best = {n: float("inf") for n in THREADS}
        first = None
        for _ in range(rounds):
            for threads in THREADS:
                seconds, rows = run(trammel, model, threads, coordinates, channels, folder)
                best[threads] = min(best[threads], seconds)
                first = first or rows
                if rows != first:
                    sys.exit(f"{title}, {treatment}: {threads} threads give other results than one")
        for threads in THREADS:
            gain = best[1] / best[threads]
            print(f"| {treatment} | {threads} | {best[threads]:.3f} s | {gain:.2f} | {gain / threads:.2f} |")


def main():
    trammel = os.path.abspath(sys.argv[1])
    quick = "--quick" in sys.argv
    rounds = 1 if quick else 5
    links, until = (6000, "2 ms") if quick else (50000, "10 ms")
    with tempfile.TemporaryDirectory() as folder:
        table(trammel, "Suspension, nine bodies, 1 s", os.path.join(HERE, "suspension.yaml"),
              "chassis.*,wheel_*,error.*", rounds, folder)
        chain = os.path.join(folder, "chain.yaml")
        with open(chain, "w", encoding="utf-8") as file:
            file.write(CHAIN.format(links=links, until=until, method="generalized-alpha"))
        table(trammel, f"Chain of {links} bodies, {until}", chain, f"chain_{links}.bar.*,energy.*", rounds,
              folder, (("implicit, absolute coordinates", "absolute"),))
    print(f"\n{os.cpu_count()} cores; results the same to the last bit for all numbers of threads")


if __name__ == "__main__":
    main()
