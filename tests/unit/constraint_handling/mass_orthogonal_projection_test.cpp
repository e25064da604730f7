#include "trammel/constraint_handling/mass_orthogonal_projection.h"

#include <random>

#include "support/mechanisms.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::constraint_handling {
namespace {

using system::Vector;

// A mechanism in a consistent state, and the same state disturbed.
struct Disturbed {
  explicit Disturbed(const model::Description& description)
      : system(model::compile(description)), sizes(system->sizes()) {
    ConsistentStart start(*system);
    state = system->described_state();
    start.positions(state, {});
    start.velocities(state, {});
    std::mt19937 random(3);
    std::normal_distribution<double> normal(0.0, 1e-3);
    const auto noise = [&] {
      return Vector(Vector::NullaryExpr(sizes.v, [&] { return normal(random); }));
    };
    moved = state;
    system->retract(state.q, noise(), moved.q);
    moved.v += noise();
    a = 1e3 * noise();
  }

  // [M G^T; G 0] as a dense matrix.
  Eigen::MatrixXd dense(const system::State& at) const {
    system::Motion motion{at, Vector::Zero(sizes.v), Vector::Zero(sizes.multipliers())};
    system::KktMatrix matrix(system->pattern());
    system->tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
    const int n = sizes.v + sizes.multipliers();
    Eigen::MatrixXd result(n, n);
    Vector column;
    for (int i = 0; i < n; ++i) {
      matrix.multiply(Vector::Unit(n, i), column);
      result.col(i) = column;
    }
    return result;
  }

  std::unique_ptr<model::ModelSystem> system;
  system::Sizes sizes;
  system::State state;
  system::State moved;
  Vector a;
};

MassOrthogonalProjection projection(const Disturbed& d, const char* solver = "block-ldlt") {
  return {*d.system, linear::make_solver(solver)};
}

TEST(MassOrthogonalProjection, SatisfiesEveryLevelToRoundOff) {
  for (const auto& description : {support::slider_crank(), support::four_bars(3),
                                  support::heavy_top(), support::spatial_slider_crank()}) {
    Disturbed d(description);
    MassOrthogonalProjection project = projection(d);
    Vector rows;
    EXPECT_TRUE(project.positions(d.moved, 20).converged);
    d.system->position_constraint(d.moved, rows);
    EXPECT_LT(rows.lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_TRUE(project.velocities(d.moved));
    d.system->velocity_constraint(d.moved, rows);
    EXPECT_LT(rows.lpNorm<Eigen::Infinity>(), 1e-11);  // round-off of 150 rad/s
    project.accelerations(d.moved, d.a);
    AccelerationConstraint level(*d.system);
    level(d.moved, d.a, rows);
    EXPECT_LT(rows.lpNorm<Eigen::Infinity>(), 1e-8);  // round-off of (150 rad/s)^2
  }
}

TEST(MassOrthogonalProjection, ChangesVelocitiesAlongTheConstraintsInTheMassMetric) {
  Disturbed d(support::slider_crank());
  const Vector before = d.moved.v;
  Vector rows;
  d.system->velocity_constraint(d.moved, rows);
  const Eigen::MatrixXd matrix = d.dense(d.moved);
  Vector right_side = Vector::Zero(matrix.rows());
  right_side.tail(d.sizes.multipliers()) = -rows;
  const Vector expected = matrix.fullPivLu().solve(right_side).head(d.sizes.v);
  MassOrthogonalProjection project = projection(d);
  project.velocities(d.moved);
  EXPECT_LT((d.moved.v - before - expected).norm(), 1e-12);
}

TEST(MassOrthogonalProjection, OneStepLeavesTheSquareOfTheError) {
  Disturbed d(support::slider_crank());
  Vector rows;
  d.system->position_constraint(d.moved, rows);
  const double before = rows.norm();
  MassOrthogonalProjection project = projection(d);
  EXPECT_EQ(project.positions(d.moved, 1).iterations, 1);
  d.system->position_constraint(d.moved, rows);
  EXPECT_LT(rows.norm(), 10.0 * before * before);
  EXPECT_GT(rows.norm(), 1e-12);
}

TEST(MassOrthogonalProjection, RecoversTheMultipliersOfConsistentAccelerations) {
  Disturbed d(support::slider_crank());
  ConsistentStart start(*d.system);
  Vector a;
  Vector lambda;
  ASSERT_TRUE(start.accelerations(d.state, a, lambda).converged);
  MassOrthogonalProjection project = projection(d, "dense");
  ASSERT_TRUE(project.factor(d.state));
  Vector recovered;
  ASSERT_TRUE(project.multipliers(d.state, a, recovered));
  EXPECT_LT((recovered - lambda).norm(), 1e-9 * lambda.norm());
}

}  // namespace
}  // namespace trammel::constraint_handling
