"""Simulating, and what a run holds."""

import copy
import gc
import pickle
import subprocess
import threading
import time

import numpy as np
import pytest

import trammel as tr

PENDULUM = "examples/pendulum/pendulum.yaml"


def test_numbers_are_those_of_the_command_line(cli, tmp_path):
    out = tmp_path / "out.h5"
    subprocess.run([cli, "run", PENDULUM, "-o", str(out), "--no-report", "-q"], check=True)
    written, run = tr.read(out), tr.simulate(PENDULUM)
    assert written.channels == run.channels
    for name in run.channels:
        assert np.array_equal(written[name], run[name]), name


def test_healthy_runs_are_sound_and_say_how_accurate_they_are(tmp_path):
    run = tr.simulate(PENDULUM, output=tmp_path / "run.h5")
    assert run.verdict == "sound" and run.warnings == []
    assert 0.0 < run.statistics["error_estimate"] < 1e-2
    assert tr.read(tmp_path / "run.h5").verdict == "sound"
    assert "error_estimate" not in tr.simulate(PENDULUM, estimate=False).statistics


def test_doubtful_runs_say_what_to_doubt_and_what_to_try(arm, tmp_path):
    run = tr.simulate(arm, until=10.0, step=0.5, output=tmp_path / "run.h5")  # 500 times too long
    assert run.verdict == "doubtful"
    assert any("try a smaller step" in warning for warning in run.warnings)
    assert set(run.warnings) <= set(run.notes)
    run.save(tmp_path / "saved.csv")
    for name in ("run.h5", "saved.csv"):
        assert tr.read(tmp_path / name).warnings == run.warnings


def test_runs_that_were_stopped_are_not_judged(arm):
    run = tr.simulate(arm, until=1.0, callback=lambda sample: sample.time > 0.1)
    assert run.outcome == "stopped" and run.verdict == "not judged"


def test_arrays_are_views_that_outlive_the_run(arm):
    run = tr.simulate(arm, until=0.01)
    angle = run["pin.angle"]
    assert not angle.flags.owndata and not angle.flags.writeable
    assert np.shares_memory(angle, run["pin.angle"])
    copy = angle.copy()
    del run
    gc.collect()
    assert np.array_equal(angle, copy)
    with pytest.raises(ValueError):
        angle[0] = 1.0


def test_bar_falls_with_its_energy(arm):
    run = tr.simulate(arm, until=0.3, step=0.0005)
    # All potential energy lost becomes kinetic: J w^2 / 2 = m g l/2 sin(-angle), J = m l^2 / 3.
    angle, rate = run["pin.angle"], run["pin.angle_rate"]
    expected = -np.sqrt(3 * 9.81 / 0.5 * np.abs(np.sin(angle)))
    # Second order: h^2 times the square of the angular velocity, about 1e-5.
    assert np.allclose(rate, expected, atol=2e-4)
    assert np.allclose(run.energy.total, run.energy.total[0], atol=1e-3)
    assert set(run.energy) >= {"kinetic", "potential", "numerical_loss"}


def test_arguments_stand_for_the_values_of_the_model(arm):
    run = tr.simulate(arm, until="20 ms", step="2 ms", method="hht", spectral_radius=0.9, output_step=0.004)
    assert run.time == pytest.approx([0, 0.004, 0.008, 0.012, 0.016, 0.02])
    assert run.information["method"].startswith("hht")
    assert run.statistics["steps"] == 10
    assert arm.simulation.until == 0.5


def test_wrong_arguments_are_named(arm):
    with pytest.raises(tr.InputError, match="until=-1"):
        tr.simulate(arm, until=-1)
    with pytest.raises(tr.InputError, match="generalized-alpha"):
        tr.simulate(arm, method="generalised-alpha")
    with pytest.raises(tr.InputError, match="spectral_radius"):
        tr.simulate(arm, spectral_radios=0.5)


def test_channels_are_selected_and_unknown_ones_refused(arm):
    run = tr.simulate(arm, until=0.01, channels=["pin.angle*", "energy.*"])
    assert "pin.angle" in run and "bar.position.x" not in run
    assert set(run.select("pin.*")) == {"pin.angle", "pin.angle_rate"}
    with pytest.raises(tr.InputError, match="pin.angle"):
        run["pin.angel"]
    with pytest.raises(tr.InputError, match="no channel matches 'enrgy"):
        tr.simulate(arm, channels=["enrgy.*"])
    with pytest.raises(AttributeError, match="kinetic"):
        run.energy.kinetics


def test_results_go_to_dicts_and_xarray(arm):
    run = tr.simulate(arm, until=0.01)
    assert list(run.to_dict())[0] == "time"
    assert dict(run).keys() == set(run.channels)
    xarray = pytest.importorskip("xarray")
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert data["pin.angle"].attrs["units"] == "rad"
    assert data["pin.angle"].sel(time=0.005, method="nearest") == run["pin.angle"][5]


def test_results_are_written_and_read(arm, tmp_path):
    run = tr.simulate(arm, until=0.02, output=tmp_path / "out.h5")
    for path in (tmp_path / "out.h5", tmp_path / "out.csv"):
        if not path.exists():
            run.save(path)
        again = tr.read(path)
        assert again.channels == run.channels
        assert np.array_equal(again["pin.angle"], run["pin.angle"])
    some = tr.read(tmp_path / "out.h5", "pin.*")
    assert some.channels == [each for each in run.channels if each.startswith("pin.")]
    with pytest.raises(tr.InputError, match="exists"):
        tr.simulate(arm, output=tmp_path / "out.h5")
    tr.simulate(arm, until=0.01, output=tmp_path / "out.h5", overwrite=True)
    assert tr.read(tmp_path / "out.h5").time[-1] == pytest.approx(0.01)


def test_foreign_and_damaged_files_are_refused(arm, tmp_path):
    (tmp_path / "foreign.h5").write_bytes(b"no results" * 100)
    with pytest.raises(tr.InputError, match="give a results file"):
        tr.read(tmp_path / "foreign.h5")
    with pytest.raises(tr.InputError, match="does not exist"):
        tr.read(tmp_path / "missing.h5")
    tr.simulate(arm, until=0.02, output=tmp_path / "whole.h5")
    whole = (tmp_path / "whole.h5").read_bytes()
    (tmp_path / "cut.h5").write_bytes(whole[:len(whole) // 3])
    with pytest.raises(tr.InputError, match="damaged or incomplete.*repeat the run"):
        tr.read(tmp_path / "cut.h5")


def test_a_file_that_is_being_written_is_read(cli, tmp_path):
    path = tmp_path / "long.csv"
    running = subprocess.Popen([cli, "run", "examples/slider_crank/slider_crank.yaml", "--until", "1e5", "-q",
                                "--no-report", "-o", str(path)])
    try:
        for _ in range(300):  # up to 30 s on a busy machine
            if path.exists() and path.stat().st_size > 100_000:
                break
            time.sleep(0.1)
        part = tr.read(path)
    finally:
        running.kill()
        running.wait()
    assert part.outcome == "running" and len(part.time) > 10
    assert np.all(np.isfinite(part["slider.position.x"]))


def test_report_and_display(arm, tmp_path):
    run = tr.simulate(arm, until=0.02)
    path = run.report(tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    assert path.endswith("out.html") and "pin.angle" in text
    with pytest.raises(tr.InputError, match="exists"):
        run.report(tmp_path / "out.html")
    run.report(tmp_path / "out.html", overwrite=True)
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;html" in shown
    assert "completed" in repr(run)


def test_plot_has_one_diagram_per_unit(arm):
    import matplotlib.pyplot as plt

    run = tr.simulate(arm, until=0.02)
    figure = run.plot("pin.angle", "pin.angle_rate", "energy.kinetic", "energy.potential")
    assert [axis.get_ylabel() for axis in figure.axes] == ["rad", "rad/s", "J"]
    assert len(figure.axes[2].lines) == 2
    assert run.plot().axes
    one, axis = plt.subplots()
    assert run.plot("pin.angle", axes=axis) is one
    with pytest.raises(ValueError, match="axes"):
        run.plot("pin.*", axes=axis)
    plt.close("all")


def test_callback_sees_every_row_and_may_stop(arm):
    seen = []

    def look(sample):
        seen.append((sample.time, sample["pin.angle"]))
        return sample.time > 0.0995

    run = tr.simulate(arm, callback=look)
    assert run.outcome == "stopped"
    assert run.time[-1] == pytest.approx(0.1)
    assert np.array_equal([row[0] for row in seen], run.time)
    assert np.array_equal([row[1] for row in seen], run["pin.angle"])


def test_failed_run_raises_and_keeps_its_results(arm):
    # A torque without bound: the run ends at t = 0.1 s.
    arm.forces.add("torque", type="actuator", coordinate="pin.angle", formula="1e-3 / max(0, 0.1 s - time)")
    with pytest.raises(tr.RunError) as caught:
        tr.simulate(arm, step=0.01)
    assert caught.value.remedy
    assert 0.05 < caught.value.run.time[-1] <= 0.1 + 1e-9
    assert caught.value.run.outcome == "failed"


def test_other_threads_go_on_during_a_run():
    model = tr.load("examples/slider_crank/slider_crank.yaml")
    worker = threading.Thread(target=tr.simulate, args=(model,), kwargs={"until": 20, "output_step": 1})
    worker.start()
    turns = 0
    while worker.is_alive():
        time.sleep(0.001)
        turns += 1
    # With the interpreter locked this thread would have come on once or twice.
    assert turns > 10


def test_several_runs_at_once_are_those_of_one_after_the_other(arm):
    expected = tr.simulate(arm)["pin.angle"]
    found = []
    workers = [threading.Thread(target=lambda: found.append(tr.simulate(arm)["pin.angle"])) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(each, expected) for each in found) and len(found) == 4


def test_several_files_are_written_at_once(arm, tmp_path):
    def work(i):
        tr.simulate(arm, output=tmp_path / f"{i}.h5")
        tr.read(tmp_path / f"{i}.h5")

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len({tr.read(tmp_path / f"{i}.h5")["pin.angle"].tobytes() for i in range(4)}) == 1


def test_samples_that_are_kept_stay_as_they_are(arm):
    kept = []
    run = tr.simulate(arm, until=0.05, callback=lambda sample: kept.append(sample))
    assert [sample.time for sample in kept] == list(run.time)
    assert [sample["pin.angle"] for sample in kept] == list(run["pin.angle"])


def test_samples_that_are_not_kept_are_used_again(arm):
    seen = set()
    tr.simulate(arm, until=0.05, callback=lambda sample: seen.add(id(sample)) and None)
    assert len(seen) == 1


def test_run_survives_pickle_and_deepcopy(arm, tmp_path):
    run = tr.simulate(arm, until=0.05)
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert other.channels == run.channels and other.units == run.units
        assert other.descriptions == run.descriptions
        assert np.array_equal(other.time, run.time)
        for name in run.channels:
            assert np.array_equal(other[name], run[name]), name
        for what in ("outcome", "message", "statistics", "information", "facts", "notes"):
            assert getattr(other, what) == getattr(run, what), what
        other.report(tmp_path / "report.html", overwrite=True)
        other.save(tmp_path / "out.h5", overwrite=True)
    assert np.array_equal(tr.read(tmp_path / "out.h5")["pin.angle"], run["pin.angle"])


def test_time_limit_stops_a_run_and_keeps_it(arm):
    run = tr.simulate(arm, until=1e6, output_step=1e5, time_limit=0.3)
    assert run.outcome == "stopped"
    assert run.message.startswith("the time limit of 0.3 s was reached at t = ")
    assert len(run.time) == 2
    for wrong in (0, -1, "3 kg"):
        with pytest.raises(tr.InputError, match="time_limit: .* is no time above zero"):
            tr.simulate(arm, time_limit=wrong)


def test_steps_that_nobody_can_wait_for_are_refused(arm):
    with pytest.raises(tr.InputError, match="steps of 1e-15 s until t = 1 s are too many"):
        tr.simulate(arm, until=1, step=1e-15)


def test_certified_runs_have_bands():
    model = tr.load("examples/slider_crank/slider_crank.yaml")
    run = tr.simulate(model, until=0.2, certify=True)
    assert "digit" in run.certificate and "until 0.2 s" in run.certificate
    band = run["crank.angle.band"]
    assert band[0] < 1e-9 and (np.diff(band) >= 0).all()
    fine = tr.simulate(model, until=0.2, method="dormand-prince", relative_tolerance=1e-10, absolute_tolerance=1e-10)
    assert (abs(run["crank.angle"] - fine["crank.angle"]) <= band + 1e-9).all()
    assert tr.simulate(model, until=0.1).certificate == ""
