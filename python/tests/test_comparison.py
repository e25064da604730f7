"""Many methods against a reference."""

import csv
import math
import signal
import subprocess
import sys

import pytest

import trammel as tr

SLIDER_CRANK = "examples/slider_crank/slider_crank.yaml"
GRID = {"methods": ["newmark", "hht"], "rho": 0.8, "index": [3], "stabilisation": ["none", "projection"],
        "step": ["4 ms", 0.002], "until": 0.2}


@pytest.fixture(scope="module")
def found():
    return tr.compare(SLIDER_CRANK, **GRID)


def test_rows_are_those_of_the_grid(found):
    assert len(found) == 8
    assert {(row["index"], row["stabilisation"]) for row in found} == {(3, "none"), (3, "projection")}
    assert sorted({row["step"] for row in found}) == pytest.approx([0.002, 0.004])
    assert all(row["verdict"] in ("stable", "oscillates", "drifts", "fails") for row in found)
    assert found.reference and found.findings[0].startswith("8 runs") and repr(found)


def test_methods_are_of_second_order(found):
    orders = [row["position_order"] for row in found if not math.isnan(row["position_order"])]
    # Measured between the only two steps, which are not small.
    assert orders and all(1.7 < order < 2.3 for order in orders)


def test_columns_have_all_rows(found):
    columns = found.to_dict()
    assert list(columns) == list(found.rows[0])
    assert columns["position_error"] == [row["position_error"] for row in found]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(found.rows)
    assert len(frame.groupby("method")) == 2


def test_numbers_are_those_of_the_command_line(cli, found, tmp_path):
    subprocess.run([cli, "compare", SLIDER_CRANK, "--methods", "newmark,hht", "--rho", "0.8", "--index", "3",
                    "--stabilisation", "none,projection", "--step", "4 ms, 2 ms", "-q", "--set",
                    "simulation.until=0.2", "-o", str(tmp_path / "out")], check=True)
    with open(tmp_path / "out.compare.csv", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    written = [float(row["position_residual"]) for row in csv.DictReader(lines)]
    assert written == pytest.approx([row["position_residual"] for row in found], rel=1e-6)


def test_page_is_written(found, tmp_path):
    path = tmp_path / "out.html"
    assert found.report(path) == str(path)
    text = path.read_text()
    assert "methods compared" in text and "tr.compare(" in text and "newmark" in text
    path.write_text("<!doctype html> something else")
    with pytest.raises(tr.InputError, match="out.html"):
        found.report(path)
    with pytest.raises(tr.InputError, match="out.html"):
        found.report(path, overwrite=True)  # nothing of ours
    path.write_text('<!doctype html>\n<meta name="generator" content="trammel">')
    with pytest.raises(tr.InputError, match="out.html"):
        found.report(path)
    found.report(path, overwrite=True)


def test_three_radii_and_settings():
    found = tr.compare(SLIDER_CRANK, methods="V0", rho=[(1, 1, 0)], index=3, stabilisation="none", step=0.004,
                       until=0.1, start="plain")
    assert [row["method"] for row in found] == ["V0(1, 1, 0)"]


def test_wrong_arguments_are_told():
    with pytest.raises(tr.InputError, match="hht"):
        tr.compare(SLIDER_CRANK, methods="hth")
    with pytest.raises(tr.InputError, match="step: '4 kg' is no time"):
        tr.compare(SLIDER_CRANK, step="4 kg")


def test_functions_of_python_are_compared(arm):
    calls = []

    def brake(rate):
        calls.append(rate)
        return -0.1 * rate

    arm.functions["brake"] = brake
    arm.forces.add("brake", type="actuator", coordinate="pin.angle", formula="brake(pin.angle_rate)")
    found = tr.compare(arm, methods="newmark", index=3, stabilisation="none", step=0.005, until=0.05, threads=4)
    assert found.threads == 1 and calls
    arm.functions["brake"] = lambda rate: None
    with pytest.raises(tr.CallbackError, match="it returned None"):
        tr.compare(arm, methods="newmark", index=3, stabilisation="none", step=0.005, until=0.05)


SCRIPT = """
import threading, time
import trammel as tr
threading.Thread(target=lambda: (time.sleep(0.5), print("running", flush=True))).start()
try:
    tr.compare("examples/slider_crank/slider_crank.yaml", until=1e4, methods="newmark", index=3, step=0.002)
except KeyboardInterrupt as interrupt:
    print("kept", type(interrupt.run).__name__)
"""


def test_control_c_stops_it():
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output.split() == ["kept", "Comparison"]


def test_time_limit_keeps_the_finished_runs(arm):
    found = tr.compare(arm, methods="newmark", index=3, stabilisation="none", step="1 ms", until=1e5, threads=1,
                       time_limit=0.5)
    assert found.ending == "the time limit of 0.5 s was reached"
    assert found.ending in repr(found) and len(found) == 0
    with pytest.raises(tr.InputError, match="time_limit: .* is no time above zero"):
        tr.compare(arm, time_limit=0)
