#!/usr/bin/python3
"""Fills in the table of docs/which_method.md from runs.

    docs/which_method.py build/release/bin/trammel [FOLDER]   # FOLDER keeps the runs

Runs `trammel compare` on five examples and ranks the combinations of method, index and stabilisation.
"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
MODELS = {"slider_crank": "slider_crank/slider_crank.yaml", "bricard": "bricard/bricard.yaml",
          "heavy_top": "heavy_top/heavy_top.yaml", "rolling_disc": "rolling_disc/rolling_disc.yaml",
          "double_pendulum": "huang/double_pendulum.yaml"}
UNTIL = {"double_pendulum": ["--until", "3 s"]}
METHODS = "newmark,mpr-mpa,mpr-epa,generalized-alpha"
MARKS = ("<!-- runs begin -->", "<!-- runs end -->")


def compare(trammel, folder):
    """Rows of the CSV files by model."""
    rows = {}
    for name, model in MODELS.items():
        out = Path(folder) / name
        subprocess.run([trammel, "compare", EXAMPLES / model, "-m", METHODS, *UNTIL.get(name, []), "-o", out, "--quiet"],
                       check=True)
        with open(f"{out}.compare.csv", newline="", encoding="utf-8") as file:
            rows[name] = list(csv.DictReader(file))
    return rows


def gather(rows):
    """By combination: values at the shortest step by model, and counts of verdicts at all steps."""
    found = {}
    for model, lines in rows.items():
        shortest = min(float(line["step_s"]) for line in lines)
        for line in lines:
            key = (line["method"], line["index"], line["stabilisation"])
            entry = found.setdefault(key, {"values": {}, "verdicts": {}})
            entry["verdicts"][line["verdict"]] = entry["verdicts"].get(line["verdict"], 0) + 1
            if float(line["step_s"]) <= 1.001 * shortest and line["position_error"]:
                entry["values"][model] = {
                    "position": float(line["position_error"]), "acceleration": float(line["acceleration_error"]),
                    "reaction": float(line["reaction_error"]), "energy": float(line["energy_change_J"]),
                    # Second order: the time for a given error is proportional to this.
                    "work": float(line["time_s"]) * math.sqrt(float(line["position_error"]))}
    return found


def score(found, key, name):
    """Geometric mean over the models of the value over the least one; a failed run counts as a hundred times."""
    logs = []
    for model in MODELS:
        best = min(entry["values"][model][name] for entry in found.values() if model in entry["values"])
        values = found[key]["values"]
        logs.append(math.log(values[model][name] / best) if model in values else math.log(100.0))
    return math.exp(sum(logs) / len(logs))


def number(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0e}".replace("e+0", "e")


def table(found):
    lines = ["| method | index | stabilisation | stable | else | u | a | f | energy | work |", "|" + "---|" * 10]
    for key in sorted(found, key=lambda k: score(found, k, "position")):
        verdicts = found[key]["verdicts"]
        other = ", ".join(f"{count} {word}" for word, count in sorted(verdicts.items()) if word != "stable")
        scores = (number(score(found, key, name)) for name in ("position", "acceleration", "reaction", "energy", "work"))
        lines.append("| " + " | ".join((*key, f"{verdicts.get('stable', 0)} of {sum(verdicts.values())}", other,
                                        *scores)) + " |")
    return "\n".join(lines) + "\n"


def main():
    trammel = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[2] if len(sys.argv) > 2 else temporary
        text = table(gather(compare(trammel, folder)))
    page = HERE / "which_method.md"
    before, rest = page.read_text(encoding="utf-8").split(MARKS[0])
    page.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
