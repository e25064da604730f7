"""Kinematics, degrees of freedom, inverse dynamics, statics and modes."""

import subprocess

import numpy as np
import pytest

import trammel as tr

SLIDER_CRANK = "examples/slider_crank/slider_crank.yaml"
CRANK, ROD, START = 0.15, 0.45, np.pi / 4  # of the slider-crank: m, m, rad


@pytest.fixture
def driven():
    """The slider-crank with a motor that turns at 10 rad/s."""
    model = tr.load(SLIDER_CRANK)
    model.drives.add("motor", type="position", coordinate="crank.angle", motion="start + 10 rad/s * time")
    return model


def pendulum():
    """A bar of 1 kg on a pin, 0.5 m long, hanging 0.3 rad beside the vertical; with a torque as parameter."""
    model = tr.Model(space="planar", name="pendulum", gravity=[0, -9.81], parameters={"torque": "0 N m"})
    model.bodies.add("bar", mass=1.0, inertia=1.0 / 48, position=["0.25 * sin(0.3)", "-0.25 * cos(0.3)"], angle=0.3)
    model.joints.add("pin", type="revolute", between=["ground", "bar"], at=[0, 0])
    model.forces.add("motor", type="actuator", coordinate="pin.angle",
                     formula="torque - 0.02 N m s * pin.angle_rate")
    model.sensors.add("tip", type="formula", formula="0.5 m * sin(bar.angle)")
    return model


def from_command_line(cli, tmp_path, command, *arguments):
    out = tmp_path / f"{command}.h5"
    subprocess.run([cli, command, *arguments, "-o", str(out), "--no-report", "-q"], check=True)
    return tr.read(out)


def assert_same(run, written):
    assert written.channels == run.channels
    for name in run.channels:
        assert np.array_equal(written[name], run[name], equal_nan=True), name


# ---- kinematics

def test_slider_follows_the_closed_form(driven):
    run = tr.kinematics(driven, until=0.5, output_step=0.01)
    angle = START + 10 * run.time
    lean = np.sqrt(ROD**2 - (CRANK * np.sin(angle))**2)
    # The loop is closed to Newton's tolerance, 1e-10 of the model's size or better.
    assert np.allclose(run["slider.position.x"], CRANK * np.cos(angle) + lean, atol=1e-9, rtol=0)
    velocity = -10 * CRANK * np.sin(angle) * (1 + CRANK * np.cos(angle) / lean)
    assert np.allclose(run["slider.velocity.x"], velocity, atol=1e-8, rtol=0)
    assert run.outcome == "completed" and run.singular == []
    assert run.information["method"] == "kinematics"


def test_kinematics_are_those_of_the_command_line(cli, tmp_path):
    path = "examples/scotch_yoke/scotch_yoke.yaml"
    written = from_command_line(cli, tmp_path, "kinematics", path, "--until", "0.1")
    run = tr.kinematics(path, until=0.1)
    assert_same(run, written)
    assert run.information["command"] == f"trammel kinematics {path} --set simulation.until=0.1"


def test_relative_coordinates_give_the_same_motion_and_loads():
    path = "examples/scotch_yoke/scotch_yoke.yaml"
    hinged = tr.load(path)
    hinged.simulation.coordinates = "relative"
    for analysis in (tr.kinematics, tr.inverse):
        absolute = analysis(path, until=0.1)
        relative = analysis(hinged, until=0.1)
        for name in absolute.channels:
            if name.startswith("solver."):
                continue
            # Newton's tolerance, of the largest value that the channel has.
            size = max(1.0, np.nanmax(np.abs(absolute[name])))
            assert np.allclose(relative[name], absolute[name], atol=1e-8 * size, rtol=0, equal_nan=True), name


def test_too_few_drives_are_told_with_what_to_drive():
    with pytest.raises(tr.InputError, match="main.angle|crank"):
        tr.kinematics(SLIDER_CRANK)


def test_dead_centre_ends_the_motion_and_keeps_it():
    model = tr.load(SLIDER_CRANK)
    model.bodies["crank"].fixed = []  # the drive, not the file, says how fast the crank turns
    # The slider is pushed beyond its reach of 0.6 m.
    model.drives.add("push", type="position", coordinate="slider.position.x",
                     motion="0.15 m * cos(45 deg) + sqrt((0.45 m)^2 - (0.15 m * sin(45 deg))^2) + 0.2 m/s * time")
    with pytest.raises(tr.RunError) as caught:
        tr.kinematics(model, until=1.0)
    run = caught.value.run
    reach = (0.6 - run["slider.position.x"][0]) / 0.2
    assert 0 < run.time[-1] <= reach + 1e-9 and reach < 1.0
    assert run.singular[-1].kind == "dead centre"
    # Near the dead centre the crank moves with the square root: within a step of it, 1 ms.
    assert run.singular[-1].time == pytest.approx(reach, abs=2e-3)


def test_results_go_to_a_file(driven, tmp_path):
    run = tr.kinematics(driven, until=0.1, output=tmp_path / "out.h5", channels="slider.*")
    assert_same(run, tr.read(tmp_path / "out.h5"))
    assert all(name.startswith("slider.") for name in run.channels)
    with pytest.raises(tr.InputError, match="exists"):
        tr.kinematics(driven, output=tmp_path / "out.h5")


# ---- degrees of freedom

def test_freedoms_are_counted_along_the_motion(driven):
    free = tr.dof(SLIDER_CRANK, along="simulation", until=0.1)
    assert (free.freedoms, free.drives, free.remaining) == (1, 0, 1)
    assert free.along == "simulation" and free.until == pytest.approx(0.1)
    assert free.proposals and free.changes == [] and free.end == ""
    found = tr.dof(driven, until=0.1)
    assert (found.freedoms, found.drives, found.remaining, found.along) == (1, 1, 0, "kinematics")
    assert "determined" in repr(found)


def test_change_points_are_found():
    # A parallelogram is flat at t = pi / 2 s, where it could go on crosswise.
    model = tr.Model(space="planar")
    model.bodies.add("left", mass=1, inertia=1, position=[0, 0.5], angle="90 deg")
    model.bodies.add("right", mass=1, inertia=1, position=[2, 0.5], angle="90 deg")
    model.bodies.add("top", mass=1, inertia=1, position=[1, 1])
    for name, between, at in (("a", ["ground", "left"], [0, 0]), ("b", ["left", "top"], [0, 1]),
                              ("c", ["top", "right"], [2, 1]), ("d", ["right", "ground"], [2, 0])):
        model.joints.add(name, type="revolute", between=between, at=at)
    model.drives.add("motor", type="position", coordinate="left.angle", motion="90 deg - 1 rad/s * time")
    found = tr.dof(model, along="kinematics", until=2.0, step=0.01)
    assert [(each.before, each.there, each.passing) for each in found.changes] == [(1, 2, True)]
    assert found.changes[0].time == pytest.approx(np.pi / 2, abs=0.02)  # two steps


def test_choices_are_checked():
    with pytest.raises(tr.InputError, match="along: 'path' is not known; give one of auto, start"):
        tr.dof(SLIDER_CRANK, along="path")
    with pytest.raises(tr.InputError, match="load-stepping"):
        tr.statics(SLIDER_CRANK, method="gradient")
    with pytest.raises(tr.InputError, match="equilibrium, nearest, start"):
        tr.modes(SLIDER_CRANK, about="rest")


# ---- inverse dynamics

def test_load_of_a_driven_pendulum_is_that_on_paper():
    model = pendulum()
    del model.forces["motor"]
    model.drives.add("drive", type="position", coordinate="bar.angle", motion="0.3 rad * cos(3 rad/s * time)")
    run = tr.inverse(model, until=1.0, step=0.01)
    angle = 0.3 * np.cos(3 * run.time)
    expected = (1 / 48 + 1 / 16) * -9 * angle + 9.81 * 0.25 * np.sin(angle)
    assert np.allclose(run["drive.load"], expected, atol=1e-9, rtol=0)  # exact but for Newton's tolerance
    load = run.loads["drive"]
    assert (load.unit, load.smallest, load.largest) == ("N m", run["drive.load"].min(), run["drive.load"].max())
    assert not run.over_actuated and run.not_unique == [] and run.missing == []


def test_loads_are_those_of_the_command_line(cli, tmp_path):
    path = "examples/scotch_yoke/scotch_yoke.yaml"
    assert_same(tr.inverse(path, until=0.1), from_command_line(cli, tmp_path, "inverse", path, "--until", "0.1"))


def test_a_recorded_motion_gives_back_the_torque_behind_it(tmp_path):
    model = pendulum()
    model.forces["motor"].formula = "0.5 N m * sin(4 rad/s * time)"
    motion = tr.simulate(model, until=0.5, step=0.001, output_step=0.01)
    motion.save(tmp_path / "motion.h5")
    del model.forces["motor"]
    for given in (motion, tmp_path / "motion.h5"):
        run = tr.inverse(model, motion=given, actuate="pin.angle")
        assert run.loads.keys() == {"pin.angle"}
        # Positions, velocities and accelerations of a row agree to the tolerance of its step, 1e-6 relative.
        assert np.allclose(run["pin.angle.load"], 0.5 * np.sin(4 * run.time), atol=1e-4)


def test_what_is_missing_is_told():
    motion = tr.simulate(pendulum(), until=0.1)
    heavier = pendulum()
    heavier.forces["motor"].formula = "1 N m"
    with pytest.raises(tr.RunError, match="bar.angle|pin.angle"):
        tr.inverse(heavier, motion=motion)
    run = tr.inverse(heavier, motion=motion, least_squares=True)
    assert run.missing and run.largest_missing > 0.01
    with pytest.raises(tr.InputError, match="actuate: belongs to a recorded motion"):
        tr.inverse(heavier, actuate=["pin.angle"])


# ---- statics

@pytest.mark.parametrize("method", ["auto", "newton", "relaxation"])
def test_chain_hangs_from_its_first_hinge(method):
    chain = tr.Model(space="planar", gravity=[0, -9.81])
    before = "ground"
    for i in range(4):  # links of 0.1 m and 0.1 kg, some way off the vertical
        x = 0.05 + 0.1 * i
        chain.bodies.add(f"link{i}", mass=0.1, inertia=1e-3 / 12, position=[0.06 * x, -x], angle="-88 deg",
                         frames={"top": [-0.05, 0], "bottom": [0.05, 0]})
        chain.joints.add(f"hinge{i}", type="revolute", between=[before, f"link{i}.top"])
        before = f"link{i}.bottom"
    rest = tr.statics(chain, method=method)
    for i in range(4):
        assert rest[f"link{i}.position.x"] == pytest.approx(0, abs=1e-8)
        assert rest[f"link{i}.position.y"] == pytest.approx(-0.05 - 0.1 * i, abs=1e-8)
    assert rest.stability == "stable" and len(rest.stiffness) == 4
    if method != "auto":
        assert rest.method == method
    # The first hinge carries everything.
    force = [value for name, value in rest.values.items() if name.startswith("hinge0.reaction.force.")]
    assert np.linalg.norm(force) == pytest.approx(0.4 * 9.81, rel=1e-8)


def test_unstable_rest_is_left_unless_the_nearest_is_wanted():
    model = pendulum()
    model.bodies["bar"].position, model.bodies["bar"].angle = [0, 0.25], "180 deg"
    rest = tr.statics(model)
    assert rest.stability == "stable" and rest.left_along == "pin.angle"
    assert rest["bar.position.y"] == pytest.approx(-0.25, abs=1e-9)
    standing = tr.statics(model, nearest=True)
    assert standing.stability == "unstable" and standing.left_along == ""
    assert standing["bar.position.y"] == pytest.approx(0.25, abs=1e-9)
    assert tr.modes(model).unstable == 0 and tr.modes(model, about="nearest").unstable == 1


def test_statics_are_those_of_the_command_line(cli, tmp_path):
    path = "examples/chain10/chain10.yaml"
    rest = tr.statics(path)
    assert_same(rest.run, from_command_line(cli, tmp_path, "statics", path))
    assert rest.values["energy.kinetic"] == rest["energy.kinetic"] == 0.0
    assert "stable" in repr(rest)


def test_what_cannot_rest_is_told():
    model = tr.Model(space="planar", gravity=[0, -9.81])
    model.bodies.add("stone", mass=1, inertia=1)
    with pytest.raises(tr.RunError, match="stone"):
        tr.statics(model)


# ---- modes

def test_pendulum_has_its_frequency_and_damping():
    found = tr.modes(pendulum(), coordinates="pin.angle", inputs=["torque", "pin.angle"], outputs=["bar.angle"])
    inertia = 1 / 48 + 1 / 16
    stiffness, damping = 9.81 * 0.25 / inertia, 0.02 / inertia
    # A has exact entries; B by a parameter is a difference of order 8.
    assert np.allclose(found.A, [[0, 1], [-stiffness, -damping]], rtol=1e-9, atol=1e-9)
    assert np.allclose(found.B, [[0, 0], [1 / inertia, 1 / inertia]], rtol=1e-7, atol=1e-9)
    assert np.allclose(found.C, [[1, 0]], atol=1e-9) and np.allclose(found.D, 0)
    eigenvalue = -damping / 2 + 1j * np.sqrt(stiffness - damping**2 / 4)
    assert found.eigenvalues.dtype == complex and len(found) == 1
    assert found.eigenvalues[0] == pytest.approx(eigenvalue, rel=1e-9)
    assert found.frequencies[0] == pytest.approx(eigenvalue.imag / (2 * np.pi), rel=1e-9)
    assert found.damping_ratios[0] == pytest.approx(-eigenvalue.real / abs(eigenvalue), rel=1e-9)
    assert found.states[0] == "pin.angle" and set(found.inputs) == {"torque", "load on pin.angle"}
    assert found.outputs == ["bar.angle"] and found.units["torque"] == "N m"
    assert found.unstable == 0 and found.notes == []


def test_sensors_are_the_outputs_and_the_start_may_be_unsteady():
    found = tr.modes(pendulum(), about="start")
    assert found.outputs == ["tip"]
    assert found.C.shape == (1, 2) and found.B.shape == (2, 0)
    assert any("not steady" in note for note in found.notes)


def test_functions_of_python_are_linearised():
    model = pendulum()
    model.functions["spring"] = lambda angle: -3.0 * angle
    model.forces["motor"].formula = "torque + spring(pin.angle)"
    found = tr.modes(model, coordinates="bar.angle", inputs="torque")
    inertia = 1 / 48 + 1 / 16
    # The spring is stretched from where the joint measures zero; at rest sin is no longer linear. Its own part
    # of the stiffness is 3 N m / rad, found by differences: 1e-7 relative.
    rest = tr.statics(model)["bar.angle"]
    stiffness = (9.81 * 0.25 * np.cos(rest) + 3.0) / inertia
    assert found.A[1, 0] == pytest.approx(-stiffness, rel=1e-6)
    assert found.B[1, 0] == pytest.approx(1 / inertia, rel=1e-6)


def test_modes_are_shown_in_pseudo_time(cli, tmp_path):
    path = "examples/pendulum/pendulum.yaml"
    run = tr.modes(path).animate()
    assert_same(run, from_command_line(cli, tmp_path, "modes", path))
    assert run.information["method"] == "mode shapes in pseudo-time, 2 s each"
    short = tr.modes(path).animate(seconds=0.5)
    assert short.time[-1] <= 0.5 and set(short["mode.number"]) == {1.0}
    with pytest.raises(ValueError, match="seconds"):
        tr.modes(path).animate(0.0)


# ---- what all share

def test_python_code_that_raises_is_told():
    model = pendulum()
    model.functions["broken"] = lambda t: 1 / 0
    model.forces["motor"].formula = "broken(time)"
    for analysis in (tr.statics, tr.modes, lambda each: tr.dof(each, until=0.1)):
        with pytest.raises(tr.CallbackError) as caught:
            analysis(model)
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


# ---- time limits


def chain(links):
    model = tr.Model(space="planar", gravity=[0, -9.81])
    before = "ground"
    for i in range(links):
        model.bodies.add(f"b{i}", mass=1, inertia=0.1, position=[i, 0], frames={"end": [1, 0]})
        model.joints.add(f"j{i}", type="revolute", between=[before, f"b{i}"])
        before = f"b{i}.end"
    return model


@pytest.mark.parametrize("search", [
    lambda model, limit: tr.statics(model, method="relaxation", time_limit=limit),
    lambda model, limit: tr.modes(model, time_limit=limit),
])
def test_time_limit_ends_the_search_for_a_rest(search):
    with pytest.raises(tr.RunError, match="the time limit of 0.2 s was reached while"):
        search(chain(60), 0.2)
    for wrong in (0, -1, "3 kg"):
        with pytest.raises(tr.InputError, match="time_limit: .* is no time above zero"):
            search(chain(1), wrong)
    search(chain(1), "1 min")


def test_time_limit_ends_the_path_of_freedoms(driven):
    found = tr.dof(driven, until=1e6, time_limit=0.3)
    assert found.end.startswith("the time limit of 0.3 s was reached")
    assert found.until < 1e6


# ---- what is not unique, and doubts


def test_loads_that_depend_on_reactions_without_a_value_are_named():
    model = tr.Model(space="planar", gravity=[0, -9.81])
    model.bodies.add("sledge", mass=1, inertia=0.1, frames={"left": [-0.5, 0], "right": [0.5, 0]})
    for side in ("left", "right"):
        model.joints.add(side, type="prismatic", between=["ground", f"sledge.{side}"], axis=[1, 0])
        model.forces.add(f"{side}_friction", type="joint_friction", coordinate=f"{side}.displacement", friction=0.2)
    for found in (model.check(), tr.dof(model, along="start")):
        assert found.redundant and found.not_unique
        assert sorted(found.loads_not_unique) == ["left_friction", "right_friction"]
    assert tr.dof("examples/slider_crank/slider_crank.yaml", along="start").loads_not_unique == []


def test_doubts_about_formulas_reach_check():
    model = tr.Model(space="planar")
    for name, x in (("a", 0), ("b", 1)):
        model.bodies.add(name, mass=1, inertia=1, position=[x, 0])
        model.joints.add(f"{name}_pin", type="revolute", between=["ground", name], at=[x, 0])
    model.couplings.add("kinked", type="equation", equation="abs(a_pin.angle) - b_pin.angle")
    told = [str(each) for each in model.check().warnings]
    assert any("couplings.kinked" in each and "kinks or jumps" in each for each in told), told
