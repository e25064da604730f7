"""Integrators written in Python: in runs, step by step, in comparisons, and what becomes of their mistakes."""

import numpy as np
import pytest

import trammel as tr


@tr.integrator("test-symplectic-euler")
class SymplecticEuler:
    """explicit, order 1"""

    order = 1

    def __init__(self, system):
        self.system = system

    def step(self, motion, h):
        v = motion.v + h * motion.a
        return self.system.consistent(motion.time + h, self.system.move(motion.q, h * v), v, motion.z)


@tr.integrator("test-heun", settings={"weight": 0.5})
class Heun:
    """explicit, order 2 for weight 1/2"""

    def __init__(self, system, weight):
        self.system, self.weight, self.starts = system, weight, 0

    def start(self, motion):
        self.starts += 1

    def step(self, motion, h):
        s = self.system
        guess = s.consistent(motion.time + h, s.move(motion.q, h * motion.v), motion.v + h * motion.a, motion.z)
        if guess is None:
            return None
        w = self.weight
        # The motion at h seen from the motion now: displacements of both ends lie in the same plane for bodies in a plane.
        q = s.move(motion.q, h * ((1 - w) * motion.v + w * guess.v))
        return s.consistent(motion.time + h, q, motion.v + h * ((1 - w) * motion.a + w * guess.a), motion.z)


def error_of(model, method, step, **settings):
    run = tr.simulate(model, until=0.4, step=step, method=method, estimate=False, output_step=0.4, **settings)
    fine = tr.simulate(model, until=0.4, step=1e-3, method="rk4", coordinates="relative", estimate=False, output_step=0.4)
    return abs(run["pin.angle"][-1] - fine["pin.angle"][-1])


@pytest.mark.parametrize("method, order", [("test-symplectic-euler", 1), ("test-heun", 2)])
def test_the_order_is_that_of_the_method(arm, method, order):
    errors = [error_of(arm, method, step) for step in (0.02, 0.01, 0.005)]
    measured = [np.log2(a / b) for a, b in zip(errors, errors[1:])]
    # Halved steps come near to the order from one side: 0.15 is what the next power of h leaves at these steps.
    assert measured == pytest.approx([order, order], abs=0.15), errors


def test_settings_reach_it_and_change_the_order(arm):
    errors = [error_of(arm, "test-heun", step, weight=0.0) for step in (0.01, 0.005)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.15)
    with pytest.raises(tr.InputError, match="wieght"):
        tr.simulate(arm, method="test-heun", wieght=1.0)


def test_constraints_hold_and_reports_name_it(arm, tmp_path):
    run = tr.simulate(arm, method="test-heun", step=0.002)
    assert run.outcome == "completed" and "test-heun" in run.information["method"]
    assert run["error.position"].max() < 1e-9
    page = run.report(tmp_path / "own.html")
    assert "test-heun" in open(page, encoding="utf-8").read()
    assert "test-heun" in [kind.name for kind in tr.kinds("integrators")]


def test_it_goes_step_by_step_and_in_comparisons(arm):
    sim = arm.start(method="test-symplectic-euler", step=0.001)
    sim.step(100)
    assert sim.time == pytest.approx(0.1) and sim.v[2] < 0
    found = tr.compare(arm, methods=["test-heun", "newmark"], step=["8 ms", "4 ms"], until=0.4, index=3,
                       stabilisation="none", threads=2)
    rows = {(row["method"], row["step"]): row for row in found}
    own = rows[next(key for key in rows if key[0].startswith("test-heun") and key[1] == 0.004)]
    assert own["verdict"] == "stable" and own["position_order"] == pytest.approx(2.0, abs=0.2)


def test_mistakes_are_told(arm):
    @tr.integrator("test-broken")
    class Broken:
        def __init__(self, system):
            self.system = system

        def step(self, motion, h):
            return motion.velocity

    with pytest.raises(tr.RunError, match="'test-broken' at t = 0 s.*velocity"):
        tr.simulate(arm, method="test-broken")

    @tr.integrator("test-broken")  # defined anew, as in a notebook
    class Wrong:
        def __init__(self, system):
            pass

        def step(self, motion, h):
            return 42

    with pytest.raises(tr.RunError, match="neither a motion nor None"):
        tr.simulate(arm, method="test-broken")
    with pytest.raises(tr.InputError, match="no step"):
        tr.integrator("test-nothing")(object)
    with pytest.raises(tr.InputError, match="already"):
        tr.integrator("newmark")(Wrong)


def test_a_system_tells_forces_and_matrices(arm):
    seen = {}

    @tr.integrator("test-looking")
    class Looking(SymplecticEuler):
        def step(self, motion, h):
            s, at = self.system, (motion.time, motion.q, motion.v, motion.z)
            if not seen:
                seen.update(M=s.mass_matrix(*at), G=s.constraint_jacobian(*at), f=s.forces(*at),
                            gamma=s.acceleration_bias(*at), r=s.residual(motion)[0], motion=motion, system=s)
            return super().step(motion, h)

    tr.simulate(arm, method="test-looking", until=0.01, estimate=False)
    M, G, f = seen["M"], seen["G"], seen["f"]
    assert M.shape == (3, 3) and G.shape == (2, 3)
    assert M @ seen["motion"].a + G.T @ seen["motion"].multipliers == pytest.approx(f, abs=1e-10)
    assert G @ seen["motion"].a == pytest.approx(-seen["gamma"], abs=1e-10)
    with pytest.raises(tr.RunError, match="has ended"):
        seen["system"].forces(0.0, np.zeros(3), np.zeros(3))
