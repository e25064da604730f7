"""Ctrl-C and the progress bar."""

import io
import signal
import subprocess
import sys
import threading

import pytest

import trammel as tr

SCRIPT = """
import sys
import trammel as tr
model = tr.load("examples/slider_crank/slider_crank.yaml")
{functions}
def progress(time, until, steps, seconds):
    print("running", flush=True)
try:
    tr.simulate(model, until=1e7, output={output!r}, output_step=0.1, progress=progress, channels="rod.angle")
except KeyboardInterrupt as interrupt:
    print("kept", len(interrupt.run.time), interrupt.run.outcome, len(tr.read({output!r}).time))
"""
WITH_CALLBACK = """
model.functions["nothing"] = lambda t: 0.0
model.forces.add("none", type="actuator", coordinate="main.angle", formula="nothing(time)")
"""


@pytest.mark.parametrize("functions", ["", WITH_CALLBACK], ids=["inside", "in_python"])
def test_control_c_stops_and_keeps_the_results(tmp_path, functions):
    script = SCRIPT.format(functions=functions, output=str(tmp_path / "out.h5"))
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    word, rows, outcome, in_file = output.split()[-4:]
    assert word == "kept" and int(rows) > 0 and rows == in_file
    assert outcome in ("stopped", "failed")  # "failed": the signal arrived while Python code ran
    assert process.returncode == 0


def test_handler_of_the_user_is_left_in_place(arm):
    before = signal.getsignal(signal.SIGINT)
    tr.simulate(arm, until=0.01)
    assert signal.getsignal(signal.SIGINT) is before


def test_runs_in_other_threads_leave_signals_alone(arm):
    runs = []
    worker = threading.Thread(target=lambda: runs.append(tr.simulate(arm, until=0.01)))
    worker.start()
    worker.join()
    assert runs[0].outcome == "completed"


def test_progress_bar_shows_and_removes_one_line():
    stream = io.StringIO()
    bar = tr.ProgressBar(stream, delay=0.5)
    bar(0.1, 2.0, 100, 0.2)
    assert stream.getvalue() == ""
    bar(1.0, 2.0, 1000, 70.0)
    half = "#" * 15 + "-" * 15
    assert stream.getvalue() == f"\r 50% [{half}] t = 1 of 2 s, 1000 steps, 1:10 left"
    bar.close()
    assert stream.getvalue().endswith(" \r")


def test_progress_is_silent_where_nobody_watches(arm, capfd):
    tr.simulate(arm)
    assert capfd.readouterr().err == ""
    calls = []
    tr.simulate(arm, progress=lambda *row: calls.append(row))
    assert calls and calls[0][1] == 0.5
