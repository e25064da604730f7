"""Simulations taken step by step, and what is inside of them."""

import copy

import numpy as np
import pytest

import trammel as tr

SLIDER_CRANK = "examples/slider_crank/slider_crank.yaml"


@pytest.fixture
def double_pendulum():
    model = tr.Model(space="planar", name="double", gravity=[0, -9.81], parameters={"torque": "0 N m"})
    rod = {"rod": {"length": 1.0, "mass": 1.0}, "position": [0.5, 0]}
    model.bodies.add("upper", shape=rod)
    model.bodies.add("lower", shape=rod, position=[1, 0])
    model.bodies["upper"].frames = {"end": [1, 0]}
    model.joints.add("shoulder", type="revolute", between=["ground", "upper"])
    model.joints.add("elbow", type="revolute", between=["upper.end", "lower"])
    model.forces.add("motor", type="actuator", coordinate="shoulder.angle", formula="torque")
    model.simulation.step = 0.001
    return model


@pytest.mark.parametrize("settings", [{"method": "rk4", "coordinates": "relative"}, {"method": "generalized-alpha"}])
def test_steps_are_those_of_a_run(double_pendulum, settings):
    run = tr.simulate(double_pendulum, until=0.2, estimate=False, **settings)
    sim = double_pendulum.start(**settings)
    angles = sim.watch("shoulder.angle", "elbow.angle")
    for _ in range(150):
        sim.step()
    assert sim.time == pytest.approx(0.15)
    sim.advance(0.2)
    # The same steps, which differ by nothing.
    assert angles == pytest.approx([run["shoulder.angle"][-1], run["elbow.angle"][-1]], abs=1e-12)
    assert sim.method.startswith(settings["method"])


def test_arrays_are_looks_at_the_simulation(double_pendulum):
    sim = double_pendulum.start()
    q, angle = sim.q, sim.watch("shoulder.*")
    first, place = q.copy(), q.__array_interface__["data"]
    sim.step(50)
    assert not np.array_equal(q, first) and q.__array_interface__["data"] == place
    assert angle[0] == sim.observe()["shoulder.angle"]
    sim.reset()
    assert np.array_equal(q, first)
    with pytest.raises(ValueError):
        q[0] = 1.0
    assert sim.energy["kinetic"] == 0.0


def test_states_are_kept_and_given_back(double_pendulum):
    sim = double_pendulum.start(inputs=["torque"], method="rk4")
    sim.set_input("torque", 2.0)
    sim.step(100)
    kept = sim.state
    sim.step(100)
    first = sim.q.copy()
    sim.set_input("torque", -5.0)
    sim.step(10)
    other = sim.copy()
    sim.state = kept
    assert sim.time == kept.time and sim.input("torque") == 2.0
    sim.step(100)
    assert np.array_equal(sim.q, first)
    assert other.time == pytest.approx(0.21) and other.input("torque") == -5.0
    assert np.array_equal(kept.q, kept.q) and "0.1 s" in repr(kept)
    assert copy.copy(sim).time == sim.time


def test_inputs_act_at_once_and_wrong_ones_are_told(double_pendulum):
    sim = double_pendulum.start(inputs={"torque": "1 N m"})
    assert sim.inputs == ["torque"]
    still = sim.observe()["upper.angular_acceleration"]
    sim.set_input("torque", 11.0)
    # The mass matrix of the hinges at rest, stretched out: [[16, 5], [5, 2]]/6 kg m^2.
    hinges = np.array([[16.0, 5.0], [5.0, 2.0]]) / 6
    assert sim.observe()["upper.angular_acceleration"] - still == pytest.approx(np.linalg.solve(hinges, [10, 0])[0])
    with pytest.raises(tr.InputError, match="did you mean 'torque'"):
        sim.set_input("torqe", 1.0)
    with pytest.raises(tr.InputError, match="no parameter"):
        double_pendulum.start(inputs=["force"])


def test_steps_that_fail_and_functions_that_raise_are_told(double_pendulum):
    model = double_pendulum
    model.functions["push"] = lambda t: 1.0 if t < 0.05 else [][0]
    model.forces["motor"].formula = "push(time)"
    sim = model.start(method="rk4")
    with pytest.raises(IndexError):
        sim.step(100)
    assert 0.04 < sim.time < 0.051
    with pytest.raises(tr.InputError, match="before the present time"):
        sim.advance(0.0)
    with pytest.raises(tr.InputError, match="functions of Python"):
        tr.batch(model, 2)


def test_matrices_have_the_names_and_the_physics(double_pendulum):
    sim = double_pendulum.start(coordinates="relative")
    sim.step(100)
    assert sim.velocity_names == ["shoulder.angle_rate", "elbow.angle_rate"]
    c = np.cos(sim.observe()["elbow.angle"])
    expected = np.array([[5 / 3 + c, 1 / 3 + c / 2], [1 / 3 + c / 2, 1 / 3]])
    assert sim.mass_matrix().toarray() == pytest.approx(expected, abs=1e-12)
    assert sim.kkt_matrix().shape == (2, 2) and sim.null_space().shape == (2, 2)

    sim = double_pendulum.start()
    sim.step(100)
    M, G = sim.mass_matrix(), sim.constraint_jacobian()
    assert M.shape == (6, 6) and G.shape == (4, 6)
    assert sim.velocity_names[:3] == ["upper.center_velocity.x", "upper.center_velocity.y", "upper.angular_velocity"]
    assert sim.row_names[0] == "shoulder: point x" and len(sim.row_names) == 4
    N = sim.null_space()
    assert N.shape == (6, sim.freedoms) and np.abs(G @ N).max() < 1e-12
    # The same motion by the KKT matrix: [M G^T; G 0] (a, lambda) = (f, -gamma).
    sim.set_state()  # accelerations of the equations, not of the method
    solution = np.linalg.solve(sim.kkt_matrix().toarray(), np.r_[sim.forces(), -sim.acceleration_bias()])
    assert solution[:6] == pytest.approx(sim.a, abs=1e-9)
    assert solution[6:] == pytest.approx(sim.multipliers, abs=1e-9)
    assert np.abs(sim.residual()).max() < 1e-9


def test_the_tangent_is_the_derivative_of_the_residual(double_pendulum):
    sim = double_pendulum.start()
    sim.step(100)
    K = sim.tangent(position=1.0).toarray()
    q, a, multipliers = sim.q.copy(), sim.a.copy(), sim.multipliers.copy()
    G, f = sim.constraint_jacobian().toarray(), sim.forces()
    h = 1e-6
    for i in range(len(sim.v)):
        sides = []
        for sign in (1, -1):
            x = np.zeros(len(sim.v))
            x[i] = sign * h
            moved = sim.copy()
            moved.set_state(q=sim._core.retract(q, x), project=False)
            sides.append(moved.mass_matrix() @ a + moved.constraint_jacobian().T @ multipliers - moved.forces())
        # Central differences: errors of h^2 and of rounding over h.
        assert (sides[0] - sides[1]) / (2 * h) == pytest.approx(K[:, i], abs=1e-6)
    assert np.array_equal(sim.forces(), f) and np.array_equal(sim.constraint_jacobian().toarray(), G)


@pytest.mark.parametrize("path, body, point", [(SLIDER_CRANK, "rod", [0.1, 0.2]),
                                               ("examples/bricard/bricard.yaml", None, [0.1, 0.2, 0.3])])
def test_frame_jacobians_are_those_of_the_motion(path, body, point):
    sim = tr.load(path).start(step=1e-5, method="rk4")
    body = body or next(name.split(".")[0] for name in sim.channels if name.endswith(".position.x"))
    planar = len(point) == 2
    sim.step(20)
    twist = sim.frame_jacobian(body, point) @ sim.v

    def place():
        seen = sim.observe()
        origin = [seen[f"{body}.position.{axis}"] for axis in "xyz"[:len(point)]]
        return np.array(origin) + sim._rotation(body, planar) @ point

    before, turned = place(), sim._rotation(body, planar)
    sim.step()
    ahead = place()
    spin = (sim._rotation(body, planar) - turned) / 1e-5 @ turned.T
    # One-sided differences over 10 microseconds: errors of the acceleration times half of that.
    assert (ahead - before) / 1e-5 == pytest.approx(twist[:len(point)], abs=5e-3)
    rates = [spin[1, 0]] if planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
    assert rates == pytest.approx(twist[len(point):], abs=5e-3)


def test_inverse_kinematics_reaches_what_is_in_reach(double_pendulum):
    double_pendulum.bodies["upper"].angle = 0.3
    double_pendulum.bodies["lower"].angle = -0.4
    sim = tr.inverse_kinematics(double_pendulum, {"lower.position.x": 0.6, "lower.angle": "-20 deg"})
    seen = sim.observe()
    assert seen["lower.position.x"] == pytest.approx(0.6, abs=1e-8)
    assert seen["lower.angle"] == pytest.approx(np.radians(-20), abs=1e-8)
    assert np.abs(sim.position_constraint()).max() < 1e-8
    with pytest.raises(tr.RunError, match="missed by"):
        tr.inverse_kinematics(double_pendulum, {"lower.position.x": 1.5})
    with pytest.raises(tr.RunError, match="no rate"):
        tr.inverse_kinematics(double_pendulum, {"shoulder.reaction.force.x": 1.5})


def test_a_batch_does_what_its_members_do(double_pendulum):
    many = tr.batch(double_pendulum, 5, inputs=["torque"], watch=["shoulder.angle", "elbow.angle"], method="rk4",
                    threads=2)
    torques = np.linspace(-2, 2, 5)
    many.set_input("torque", torques)
    many.step(50)
    assert many.q.shape == (5, 6) and many.watched.shape == (5, 2)
    for i, torque in enumerate(torques):
        one = double_pendulum.start(inputs=["torque"], method="rk4")
        one.set_input("torque", torque)
        one.step(50)
        assert np.array_equal(many.q[i], one.q) and many.time[i] == one.time
    many.reset(many.watched[:, 0] < 0)
    assert set(many.time) <= {0.0, 0.05} and 0.0 in many.time
    with many.member(4) as one:
        one.advance(0.1)
    assert many.time[4] == pytest.approx(0.1)
    many.reset()
    assert not many.time.any()
    with pytest.raises(tr.InputError, match="one for each|above zero"):
        tr.batch(double_pendulum, 0)
