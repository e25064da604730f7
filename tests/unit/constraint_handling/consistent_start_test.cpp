#include "trammel/constraint_handling/consistent_start.h"

#include "support/mechanisms.h"
#include "support/system_view.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::constraint_handling {
namespace {

using system::Vector;

TEST(ConsistentStart, ChangesVelocitiesByTheLeastMass) {
  // v = v0 - M^-1 G^T (G M^-1 G^T)^-1 G v0, computed densely.
  const auto system = model::compile(support::spatial_slider_crank());
  system::State state = system->described_state();
  ConsistentStart start(*system);
  ASSERT_TRUE(start.positions(state, {}).converged);
  Vector v0(state.v.size());
  for (Eigen::Index i = 0; i < v0.size(); ++i) v0[i] = std::sin(1.0 + static_cast<double>(i));
  state.v = v0;
  ASSERT_TRUE(start.velocities(state, {}).converged);

  const Eigen::MatrixXd G = support::constraint_jacobian(*system, state);
  system::KktMatrix matrix(system->pattern());
  system::Motion motion{state, Vector::Zero(v0.size()), Vector::Zero(G.rows())};
  system->tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(v0.size(), v0.size());
  for (int j = 0; j < v0.size(); ++j) {
    for (int i = 0; i < v0.size(); ++i) {
      const int position = matrix.pattern->find(i, j);
      if (position >= 0) M(i, j) = matrix.values[static_cast<std::size_t>(position)];
    }
  }
  const Eigen::MatrixXd MG = M.inverse() * G.transpose();
  const Vector expected = v0 - MG * (G * MG).inverse() * (G * v0);
  // The dense inverse is the less accurate of the two.
  EXPECT_LT((state.v - expected).norm(), 1e-8 * v0.norm());
}

TEST(ConsistentStart, KeepsFixedComponents) {
  const auto system = model::compile(support::slider_crank());
  system::State state = system->described_state();
  ConsistentStart start(*system);
  std::vector<bool> fixed(static_cast<std::size_t>(system->sizes().v), false);
  fixed[2] = true;  // the crank's angle
  state.q[2] += 0.3;
  const double angle = state.q[2];
  const ProjectionReport report = start.positions(state, fixed);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.residual, 1e-12);
  EXPECT_EQ(state.q[2], angle);
}

TEST(ConsistentStart, EndsInTheLeastSquaresCompromiseWhenALoopCannotClose) {
  model::Description d = support::four_bars(1);
  d.ground_frames[1].position = {4, 0, 0};  // three bars reach 3 m
  const auto system = model::compile(d);
  system::State state = system->described_state();
  ConsistentStart start(*system);
  const ProjectionReport report = start.positions(state, {});
  EXPECT_FALSE(report.converged);
  // A gap of 1 m over four joints: equal shares of 0.25 m are the least sum of squares, and the
  // search may stop somewhat before it.
  EXPECT_GE(report.residual, 0.25 - 1e-9);
  EXPECT_LT(report.residual, 0.4);
}

TEST(ConsistentStart, SolvesAccelerationsAndMultipliersToRoundOff) {
  for (const model::Description& d :
       {support::heavy_top(), support::chain(50, model::Space::spatial), support::bricard(),
        support::four_bars(10)}) {
    const auto system = model::compile(d);
    system::State state = system->described_state();
    ConsistentStart start(*system);
    ASSERT_TRUE(start.positions(state, {}).converged) << d.name;
    ASSERT_TRUE(start.velocities(state, {}).converged) << d.name;
    system::Motion motion;
    motion.state = state;
    ASSERT_TRUE(start.accelerations(state, motion.a, motion.lambda).converged) << d.name;
    Vector r;
    Vector g;
    system->residual(motion, r, g);
    Vector gamma;
    system->acceleration_bias(state, gamma);
    const double scale = std::max(1.0, motion.a.norm());
    EXPECT_LT(r.norm(), 1e-11 * scale) << d.name;
    EXPECT_LT((support::constraint_jacobian(*system, state) * motion.a + gamma).norm(),
              1e-10 * scale)
        << d.name;
  }
}

}  // namespace
}  // namespace trammel::constraint_handling
