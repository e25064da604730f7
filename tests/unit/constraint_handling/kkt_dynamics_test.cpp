#include "trammel/constraint_handling/kkt_dynamics.h"

#include <algorithm>
#include <cctype>

#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/constraint_handling/acceleration_constraint.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/model/model_system.h"

namespace trammel::constraint_handling {
namespace {

using system::Vector;

class Mechanisms : public ::testing::TestWithParam<model::Description> {
 protected:
  Mechanisms() : system_(model::compile(GetParam())), start_(*system_) {
    state_ = system_->described_state();
    start_.positions(state_, {});
    start_.velocities(state_, {});
  }
  std::unique_ptr<model::ModelSystem> system_;
  ConsistentStart start_;
  system::State state_;
};

INSTANTIATE_TEST_SUITE_P(All,
                         Mechanisms,
                         ::testing::Values(support::pendulum(),
                                           support::slider_crank(),
                                           support::bricard(),
                                           support::heavy_top()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

TEST_P(Mechanisms, SatisfyTheEquationsOfMotionAndTheirConstraints) {
  KktDynamics dynamics(*system_, linear::make_solver("block-ldlt"));
  system::Motion motion{state_, {}, {}};
  ASSERT_TRUE(dynamics.accelerations(state_, motion.a, motion.lambda));
  Vector r;
  Vector rows;
  system_->residual(motion, r, rows);
  const double load = std::max(1.0, motion.lambda.lpNorm<Eigen::Infinity>());
  // Round-off of a solution that was refined.
  EXPECT_LT(r.lpNorm<Eigen::Infinity>(), 1e-9 * load);
  AccelerationConstraint constraint(*system_);
  constraint(state_, motion.a, rows);
  const double size = std::max(1.0, motion.a.lpNorm<Eigen::Infinity>());
  EXPECT_LT(rows.lpNorm<Eigen::Infinity>(), 1e-9 * size);
  EXPECT_EQ(dynamics.factorisations(), 1);
}

TEST_P(Mechanisms, ChangeVelocitiesByWhatTheConstraintsAskFor) {
  KktDynamics dynamics(*system_, linear::make_solver("block-ldlt"));
  Vector a;
  Vector lambda;
  ASSERT_TRUE(dynamics.accelerations(state_, a, lambda));
  system::State disturbed = state_;
  disturbed.v += Vector::LinSpaced(state_.v.size(), -0.1, 0.2);
  Vector rows;
  Vector dv;
  system_->velocity_constraint(disturbed, rows);
  dynamics.constrain(rows, dv);
  disturbed.v += dv;
  system_->velocity_constraint(disturbed, rows);
  EXPECT_LT(rows.lpNorm<Eigen::Infinity>(), 1e-10);
  // The least change is a mass-weighted combination of the rows: nothing that they allow.
  system::State again = disturbed;
  start_.velocities(again, {});
  EXPECT_LT((again.v - disturbed.v).norm(), 1e-9);
}

}  // namespace
}  // namespace trammel::constraint_handling
