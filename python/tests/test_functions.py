"""Python functions in formulas: forces, controls, constraints; and what happens when they fail."""

import pickle

import numpy as np
import pytest

import trammel as tr

STIFFNESS, DAMPING = 12.0, 0.3


def spring(angle, rate):
    return -STIFFNESS * angle - DAMPING * rate


def slopes(angle, rate):
    return [-STIFFNESS, -DAMPING]


def with_torque(arm, formula, **functions):
    model = arm.copy()
    model.forces.add("torque", type="actuator", coordinate="pin.angle", formula=formula)
    model.functions = functions
    return model


def test_force_law_equals_its_text(arm):
    text = tr.simulate(with_torque(arm, "-12*pin.angle - 0.3*pin.angle_rate"))["pin.angle"]
    for function in (spring, tr.Function(spring, derivatives=slopes)):
        model = with_torque(arm, "law(pin.angle, pin.angle_rate)", law=function)
        # Newton's tolerance: 1e-8 of h^2 times the acceleration, over 500 steps.
        assert np.allclose(tr.simulate(model)["pin.angle"], text, rtol=0, atol=1e-10)


def test_derivatives_are_used(arm):
    calls = []

    def counted(angle, rate):
        calls.append(angle)
        return spring(angle, rate)

    tr.simulate(with_torque(arm, "law(pin.angle, pin.angle_rate)", law=counted))
    by_differences = len(calls)
    calls.clear()
    exact = tr.Function(counted, derivatives=slopes)
    tr.simulate(with_torque(arm, "law(pin.angle, pin.angle_rate)", law=exact))
    assert 0 < len(calls) < by_differences


def test_function_of_several_outputs_is_run_once_for_all(arm):
    calls = []

    def wind(x, y, t):
        calls.append(1)
        return 2.0 * np.sin(t) - x, np.float64(0.5) * y

    model = arm.copy()
    model.functions["wind"] = tr.Function(wind, outputs=("x", "y"), derivatives=lambda x, y, t: np.array(
        [[-1, 0, 2 * np.cos(t)], [0, 0.5, 0]]))
    arguments = "bar.mass_center.x, bar.mass_center.y, time"
    model.forces.add("wind", type="general_force", between=["ground", "bar"],
                     force_x=f"wind.x({arguments})", force_y=f"wind.y({arguments})")
    text = arm.copy()
    text.forces.add("wind", type="general_force", between=["ground", "bar"],
                    force_x="2*sin(1 rad/s*time) - 1 N/m*bar.mass_center.x",
                    force_y="0.5 N/m*bar.mass_center.y")
    assert np.allclose(tr.simulate(model)["pin.angle"], tr.simulate(text)["pin.angle"], rtol=0, atol=1e-10)
    evaluations = len(calls)
    calls.clear()
    model.functions["wind"] = tr.Function(lambda x, y, t: (wind(x, y, t)[0], 0.5 * y), outputs=("x", "y"),
                                          derivatives=model.functions["wind"].derivatives)
    tr.simulate(model)
    assert len(calls) == evaluations < 5000


def bead(constraint, functions=None):
    model = tr.Model(space="planar", gravity=[0, -9.81])
    model.bodies.add("bead", kind="point", mass=0.2, position=[0.5, 0.5], fixed="x")
    model.couplings.add("wire", type="equation", equation=constraint)
    model.functions = functions or {}
    model.simulation.until = 1.0
    return model


def test_constraint_function_equals_its_text():
    text = tr.simulate(bead("bead.position.y - 2*bead.position.x^2"))
    names = "bead.position.x, bead.position.y"
    exact = tr.Function(lambda x, y: y - 2 * x * x, derivatives=lambda x, y: (-4 * x, 1.0))
    run = tr.simulate(bead(f"wire_shape({names})", {"wire_shape": exact}))
    assert np.allclose(run["bead.position.x"], text["bead.position.x"], rtol=0, atol=1e-8)
    assert np.max(np.abs(run["bead.position.y"] - 2 * run["bead.position.x"] ** 2)) < 1e-9
    # By differences: the Hessian is good to 1e-7, which the accelerations feel and the constraint does not.
    run = tr.simulate(bead(f"wire_shape({names})", {"wire_shape": lambda x, y: y - 2 * x * x}))
    assert np.allclose(run["bead.position.x"], text["bead.position.x"], rtol=0, atol=1e-5)
    assert np.max(np.abs(run["bead.position.y"] - 2 * run["bead.position.x"] ** 2)) < 1e-9


def test_control_with_a_state_holds_its_target(arm):
    arm.states.add("integral", rate="target - pin.angle")
    arm.parameters["target"] = "1 rad"
    model = with_torque(arm, "pid(target - pin.angle, integral, pin.angle_rate)",
                        pid=lambda error, integral, rate: 60 * error + 80 * integral - 12 * rate)
    run = tr.simulate(model, until=4.0)
    assert run["pin.angle"][-1] == pytest.approx(1.0, abs=1e-2)  # settles like exp(-1.4 t)


def test_function_in_a_drive_and_in_a_sensor(arm):
    arm.drives.add("motor", type="position", coordinate="pin.angle", motion="swing(time)")
    arm.sensors.add("height", type="formula", formula="lift(bar.position.y, pin.angle)")
    arm.functions["swing"] = tr.Function(lambda t: 0.3 * np.sin(4 * t),
                                         derivatives=lambda t: [1.2 * np.cos(4 * t)])
    arm.functions["lift"] = lambda y, angle: y + np.sin(angle)
    run = tr.simulate(arm)
    assert np.allclose(run["pin.angle"], 0.3 * np.sin(4 * run.time), atol=1e-9)
    assert np.allclose(run["height"], run["bar.position.y"] + np.sin(run["pin.angle"]), atol=1e-12)


def test_function_serves_every_copy_of_a_sub_assembly():
    model = tr.Model(space="planar", gravity=[0, -9.81])
    arm = {"bodies": {"bar": {"shape": {"rod": {"length": 0.5, "mass": 1}, "position": [0.25, 0]}}},
           "joints": {"pin": {"type": "revolute", "between": ["ground", "bar"]}},
           "forces": {"hold": {"type": "actuator", "coordinate": "pin.angle", "formula": "law (pin.angle, 2)"}}}
    model.assemblies["arm"] = arm
    model.instances["left"] = {"assembly": "arm"}
    model.instances["right"] = {"assembly": "arm", "place": [1, 0]}
    model.functions["law"] = lambda angle, factor: -factor * angle
    run = tr.simulate(model, until=0.3)
    assert np.allclose(run["left.hold.load"], -2 * run["left.pin.angle"], atol=1e-12)
    assert np.allclose(run["right.pin.angle"], run["left.pin.angle"], atol=1e-9)


def test_exception_names_function_time_and_keeps_results(arm, tmp_path):
    def broken(t):
        if t > 0.25:
            raise ZeroDivisionError("out of paper")
        return 0.0

    model = with_torque(arm, "broken(time)", broken=broken)
    with pytest.raises(tr.CallbackError) as caught:
        tr.simulate(model, output=tmp_path / "part.h5")
    error = caught.value
    assert error.callback == "function 'broken'"
    assert error.time == pytest.approx(0.25, abs=2e-3)
    assert "out of paper" in str(error) and "broken(0.25" in str(error)
    assert isinstance(error.__cause__, ZeroDivisionError) and error.__cause__.__traceback__
    assert error.run.time[-1] == pytest.approx(0.25, abs=2e-3)
    assert error.run.outcome == "failed" and "broken" in error.run.message
    kept = tr.read(tmp_path / "part.h5")
    assert kept.outcome == "failed" and np.array_equal(kept["pin.angle"], error.run["pin.angle"])


@pytest.mark.parametrize("result, told", [
    (None, "None"), ([1.0, 2.0], "list of 2"), (np.zeros(3), "shape (3,)"), (np.zeros(1), "shape (1,)"),
    ("3", "str")])
def test_wrong_shape_is_told(arm, result, told):
    model = with_torque(arm, "law(time)", law=lambda t: 0.0 if t < 0.01 else result)
    with pytest.raises(tr.CallbackError, match="a number is wanted") as caught:
        tr.simulate(model)
    assert told in str(caught.value)
    assert caught.value.run.time[-1] == pytest.approx(0.01, abs=2e-3)


def test_wrong_shapes_of_derivatives_and_outputs_are_told(arm):
    short = tr.Function(lambda t, x: -x, derivatives=lambda t, x: [1.0])
    model = with_torque(arm, "law(time, pin.angle)", law=short)
    with pytest.raises(tr.CallbackError, match="a list of 1 values; a sequence of 2 numbers is wanted"):
        tr.simulate(model)
    model = with_torque(arm, "law.b(time)", law=tr.Function(lambda t: (1.0,), outputs=("a", "b")))
    with pytest.raises(tr.CallbackError, match="a sequence of 2 numbers is wanted"):
        tr.simulate(model)
    two = tr.Function(lambda t: (0.0, 0.0), outputs=("a", "b"), derivatives=lambda t: [0.0])
    with pytest.raises(tr.CallbackError, match="2 rows of 1 numbers"):
        tr.simulate(with_torque(arm, "law.b(time)", law=two))


def test_exception_at_the_start_is_told_by_check_as_well(arm):
    model = with_torque(arm, "law(time)", law=lambda t: 1 / t)
    for compute in (model.check, lambda: tr.simulate(model)):
        with pytest.raises(tr.CallbackError, match="function 'law'.*ZeroDivisionError"):
            compute()


def test_exception_in_the_callback_and_in_progress(arm):
    def callback(sample):
        if sample.time > 0.05:
            sample["pin.angel"]

    with pytest.raises(tr.CallbackError, match="callback of simulate.*pin.angle") as caught:
        tr.simulate(arm, callback=callback)
    assert caught.value.run.time[-1] == pytest.approx(0.051, abs=1e-3)

    def progress(*_):
        raise OSError("no screen")

    with pytest.raises(tr.CallbackError, match="progress.*no screen"):
        tr.simulate(arm, progress=progress)


def test_mistakes_in_formulas_that_call_are_explained(arm):
    with pytest.raises(tr.InputError, match="law"):
        tr.simulate(with_torque(arm, "lwa(pin.angle, pin.angle_rate)", law=spring))
    with pytest.raises(tr.InputError, match="it takes 2"):
        tr.simulate(with_torque(arm, "law(pin.angle)", law=spring))
    with pytest.raises(tr.InputError, match="sin"):
        tr.simulate(with_torque(arm, "sin(pin.angle)", sin=spring))
    with pytest.raises(TypeError, match="function is wanted"):
        arm.functions["law"] = 3


def test_value_that_is_not_finite_fails_the_run_with_results(arm):
    model = with_torque(arm, "law(time)", law=lambda t: float("nan") if t > 0.1 else 0.0)
    with pytest.raises(tr.RunError) as caught:
        tr.simulate(model)
    assert caught.value.run.time[-1] == pytest.approx(0.1, abs=2e-3)


def test_saving_a_model_with_functions_warns(arm, tmp_path):
    model = with_torque(arm, "law(pin.angle, pin.angle_rate)", law=spring)
    with pytest.warns(UserWarning, match="law"):
        model.save(tmp_path / "arm.yaml")
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(tr.simulate(again)["pin.angle"], tr.simulate(model)["pin.angle"])


def test_run_inside_a_callback_is_allowed(arm):
    inner = arm.copy()
    model = with_torque(arm, "law(time)", law=lambda t: tr.simulate(inner, until=0.002)["pin.angle"][-1])
    assert tr.simulate(model, until=0.003).outcome == "completed"
