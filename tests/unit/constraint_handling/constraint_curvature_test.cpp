// Second and third derivatives of constraints against differences, for every joint there is.
#include "trammel/constraint_handling/constraint_curvature.h"

#include "support/finite_differences.h"
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::constraint_handling::constraint_curvature_test {
namespace {

using model::Space;
using system::Vector;

// Rows along a curve retract(q, s w) with velocities v + s v_w.
template <class Rows>
Vector along(system::MechanicalSystem& system,
             const system::State& state,
             const Vector& w,
             const Vector& v_w,
             Rows rows) {
  return support::first_derivative([&](double s) -> Eigen::VectorXd {
    system::State moved = state;
    system.retract(state.q, s * w, moved.q);
    moved.v = state.v + s * v_w;
    return rows(moved);
  });
}

void expect_curvature(system::MechanicalSystem& system,
                      const system::State& state,
                      support::Random& random) {
  const int n = system.sizes().v;
  ConstraintCurvature curvature(system);
  system::Motion motion{state, random.values(n, 3.0), Vector::Zero(system.sizes().multipliers())};
  const Vector w = random.values(n);
  const Vector v_w = random.values(n);
  const Vector zero = Vector::Zero(n);

  Vector rows;
  curvature.of_velocity(state, w, rows);
  const Vector velocity = along(system, state, w, zero, [&](const system::State& s) {
    Vector result;
    system.velocity_constraint(s, result);
    return result;
  });
  // Differences leave 1e-11 of the largest row; rows of a coupling may have large ones.
  const double size = 1.0 + system::largest(velocity);
  EXPECT_LT(system::largest(rows - velocity), 1e-8 * size);

  curvature.of_acceleration(motion, w, v_w, rows);
  const Vector acceleration = along(system, state, w, v_w, [&](const system::State& s) {
    Vector result;
    Vector with;
    Vector without;
    system.acceleration_bias(s, result);
    system::State probe = s;
    probe.v = motion.a;
    system.velocity_constraint(probe, with);
    probe.v = zero;
    system.velocity_constraint(probe, without);
    return Vector(result + with - without);
  });
  EXPECT_LT(system::largest(rows - acceleration), 1e-7 * (1.0 + system::largest(acceleration)));
}

class Curvature : public ::testing::TestWithParam<Space> {};

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Curvature,
                         ::testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return model::to_string(info.param); });

TEST_P(Curvature, OfEveryJointIsItsDerivative) {
  support::Random random(7);
  int seen = 0;
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.space != GetParam()) continue;
    SCOPED_TRACE(kind.name);
    const auto system = model::compile(
        support::random_joint(kind, support::Side::body, support::Side::body, random));
    system::State state = system->described_state();
    state.v = random.values(system->sizes().v);
    state.t = 0.3;
    expect_curvature(*system, state, random);
    ++seen;
  }
  EXPECT_GT(seen, 8);
}

}  // namespace
}  // namespace trammel::constraint_handling::constraint_curvature_test
