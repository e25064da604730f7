#include "trammel/model/assembly/mechanism_system.h"

#include "support/allocation_counter.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/system/operators.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;
using support::Random;

struct Sort {
  Space space = Space::planar;
  bool carries = false;
};

class MechanismSystems : public testing::TestWithParam<Sort> {
 protected:
  /// A system with every joint and force of the space, and a random motion of it.
  void make(unsigned seed) {
    random_ = Random(seed);
    system_ =
        compile(GetParam().carries ? support::random_carrying_mechanism(GetParam().space, random_)
                                   : support::random_mechanism(GetParam().space, random_));
    motion_ = support::at_rest(*system_, system_->described_state());
    motion_.a = random_.values(motion_.a.size(), 2.0);
    motion_.lambda = random_.values(motion_.lambda.size(), 2.0);
  }

  Random random_{0};
  std::unique_ptr<ModelSystem> system_;
  system::Motion motion_;
};

TEST_P(MechanismSystems, TangentIsTheDerivativeOfTheResidual) {
  for (const unsigned seed : {1U, 2U}) {
    make(seed);
    support::expect_tangent_is_derivative(*system_, motion_, {.position = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system_, motion_, {.velocity = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system_, motion_, {.acceleration = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system_, motion_, {0.3, 2.0, 1.5}, nullptr);
  }
}

TEST_P(MechanismSystems, TangentWithAStepIsTheDerivativeAlongTheStep) {
  for (const unsigned seed : {3U, 4U}) {
    make(seed);
    const system::Vector step = random_.values(motion_.a.size(), 0.8);
    support::expect_tangent_is_derivative(*system_, motion_, {1.0, 1.5, 2.0}, &step);
    support::expect_tangent_is_derivative(*system_, motion_, {0.0, 1.5, 2.0}, &step);
    // A tangent without a step does not remember the last one.
    support::expect_tangent_is_derivative(*system_, motion_, {1.0, 1.5, 2.0}, nullptr);
  }
}

TEST_P(MechanismSystems, MoveAndDisplacementUndoEachOther) {
  make(5);
  support::expect_move_and_displacement_agree(*system_, motion_.state.q, random_);
}

TEST_P(MechanismSystems, PullBackIsTheDerivativeOfTheDisplacement) {
  make(6);
  support::expect_inverse_tangent_is_derivative(*system_, motion_.state.q, random_);
}

TEST_P(MechanismSystems, ResidualIsTheSumOfItsParts) {
  make(7);
  support::expect_residual_is_sum_of_parts(*system_, motion_.state, random_);
}

// M x, M^-1 x, G x and G^T lambda against the matrices themselves.
TEST_P(MechanismSystems, ProductsAreThoseOfTheMatrices) {
  make(11);
  system::Operators* products = system::operators(*system_);
  ASSERT_NE(products, nullptr);
  const system::State& state = motion_.state;
  const auto n = motion_.a.size();
  const Eigen::MatrixXd all = support::tangent_matrix(*system_, support::at_rest(*system_, state),
                                                      {.acceleration = 1.0}, nullptr);
  const Eigen::MatrixXd M = all.topLeftCorner(n, n);
  const Eigen::MatrixXd G = support::constraint_jacobian(*system_, state);
  system::Vector y;
  products->mass_product(state, motion_.a, y);
  EXPECT_LT((y - M * motion_.a).norm(), 1e-13 * M.norm() * motion_.a.norm());
  products->jacobian_product(state, motion_.a, y);
  EXPECT_LT((y - G * motion_.a).norm(), 1e-13 * G.norm() * motion_.a.norm());
  products->transposed_product(state, motion_.lambda, y);
  EXPECT_LT((y - G.transpose() * motion_.lambda).norm(), 1e-13 * G.norm() * motion_.lambda.norm());
  EXPECT_FALSE(products->mass_obstacle().empty());  // an element has a mass of its own

  const auto chain = compile(support::four_bars(3));
  const system::State start = chain->described_state();
  system::Operators* plain = system::operators(*chain);
  ASSERT_EQ(plain->mass_obstacle(), "");
  const system::Vector x = random_.values(start.v.size());
  system::Vector back;
  plain->mass_product(start, x, y);
  plain->solve_mass(start, y, back);
  EXPECT_LT((back - x).norm(), 1e-14 * x.norm());
  system::Vector lumped;
  ASSERT_TRUE(plain->lumped_mass(start, lumped));
  EXPECT_LT((lumped.cwiseProduct(x) - y).norm(), 1e-14 * y.norm());
}

TEST_P(MechanismSystems, ClonesAreIndependent) {
  make(8);
  support::expect_clone_is_independent(*system_, motion_.state, random_);
}

// Loads and dampers act, frictions of joints among them: some of these models have so much of it
// that there are no accelerations, which must be told.
TEST_P(MechanismSystems, EnergyChangesByThePowerOfTheElements) {
  int balanced = 0;
  for (unsigned seed = 9; seed < 21; ++seed) {
    SCOPED_TRACE(seed);
    make(seed);
    const system::State state = support::assembled(*system_);
    system::Vector a;
    system::Vector lambda;
    const auto report =
        constraint_handling::ConsistentStart(*system_).accelerations(state, a, lambda);
    if (report.friction_share < 1.0) continue;
    support::expect_energy_balance(*system_, state);
    ++balanced;
  }
  EXPECT_GE(balanced, 8);
}

TEST_P(MechanismSystems, AllocateNothingAfterTheFirstCall) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  make(10);
  const system::Vector step = random_.values(motion_.a.size(), 0.1);
  system::KktMatrix matrix(system_->pattern());
  std::vector<double> seen(system_->observables().size());
  system::Vector r;
  system::Vector g;
  system::Vector f;
  system::Vector q;
  system::Vector x;
  const auto everything = [&] {
    system_->residual(motion_, r, g);
    system_->tangent(motion_, {1.0, 1.0, 1.0}, &step, matrix);
    system_->forces(motion_.state, f);
    system_->position_constraint(motion_.state, g);
    system_->velocity_constraint(motion_.state, g);
    system_->acceleration_bias(motion_.state, g);
    system_->retract(motion_.state.q, step, q);
    system_->logarithm(motion_.state.q, q, x);
    system_->inverse_tangent(step, step, x);
    system_->energy(motion_.state);
    system_->power(motion_);
    system_->accept(motion_.state);
  };
  everything();
  const support::AllocationCounter counter;
  everything();
  EXPECT_EQ(counter.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         MechanismSystems,
                         testing::Values(Sort{Space::planar},
                                         Sort{Space::spatial},
                                         Sort{Space::planar, true},
                                         Sort{Space::spatial, true}),
                         [](const testing::TestParamInfo<Sort>& info) {
                           return to_string(info.param.space) +
                                  (info.param.carries ? "_carrying" : "");
                         });

// ---- known values

TEST(MechanismSystem, FreeBodyFallsAndTumblesByEuler) {
  Description d = support::asymmetric_top();
  d.gravity = {0, 0, -9.81};
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  EXPECT_LE((f.head<3>() - Vector3d(0, 0, -9.81)).norm(), 1e-15);
  const Vector3d w(0.1, 5.0, 0.1);
  EXPECT_LE((f.tail<3>() + w.cross(Vector3d(0.1, 10.0, 0.3))).norm(), 1e-14);
}

TEST(MechanismSystem, EnergyOfABodyWithOffCentreFrame) {
  // Centre of mass 2 m along x from the frame; spinning about z with 3 rad/s, frame at rest.
  Description d;
  d.gravity = {0, -10, 0};
  Body body;
  body.name = "club";
  body.mass.mass = 4.0;
  body.mass.center = {2, 0, 0};
  body.mass.inertia = Vector3d(1, 1.5, 2).asDiagonal();
  body.position = {0, 5, 0};
  body.angular_velocity = {0, 0, 3};
  d.add_body(body);
  for (const Space space : {Space::planar, Space::spatial}) {
    d.space = space;
    const auto system = compile(d);
    const system::Energy energy = system->energy(system->described_state());
    EXPECT_NEAR(energy.kinetic, 0.5 * 4.0 * 36.0 + 0.5 * 2.0 * 9.0, 1e-12);
    EXPECT_NEAR(energy.potential, 4.0 * 10.0 * 5.0, 1e-12);
  }
}

// Moves every body frame by a shift and a turn of its own without changing anything physical.
Description redescribed(Description d, Random& random) {
  for (Body& body : d.bodies) {
    const Vector3d shift = random.vector(d.space);
    const Eigen::Quaterniond turn = random.rotation(d.space, 2.0);
    // New frame N in the old one: p_BN = shift, R_BN = turn.
    const Eigen::Matrix3d R_NB = turn.conjugate().toRotationMatrix();
    body.mass = math::placed(body.mass, R_NB, -(R_NB * shift));
    const Vector3d w = body.orientation * body.angular_velocity;
    const Vector3d arm = body.orientation * shift;
    body.position += arm;
    body.velocity += w.cross(arm);
    body.orientation = body.orientation * turn;
    body.angle += 2.0 * std::atan2(turn.z(), turn.w());
    body.angular_velocity = turn.conjugate() * body.angular_velocity;
    for (Frame& frame : body.frames) {
      frame.position = turn.conjugate() * (frame.position - shift);
      frame.rotation = turn.conjugate() * frame.rotation;
    }
  }
  return d;
}

// The same mechanism, whether its bodies are described at their centres of mass or elsewhere.
TEST(MechanismSystem, ReferencePointOfTheDescriptionDoesNotMatter) {
  Description spatial = support::spatial_slider_crank();
  for (const Description& d : {support::slider_crank(), spatial}) {
    SCOPED_TRACE(d.name);
    Random random(12);
    // Joints between body frames themselves would change with them.
    Description named = d;
    for (Body& body : named.bodies) body.frames.push_back({"own"});
    for (Item& joint : named.joints) {
      for (std::string& attachment : joint.attachments) {
        const bool bare = attachment.find('.') == std::string::npos;
        if (bare && attachment != "ground" && !joint.at) attachment += ".own";
      }
    }
    const Description other = redescribed(named, random);
    const auto system_1 = compile(named);
    const auto system_2 = compile(other);
    const auto motion_1 =
        support::reference_motion(*system_1, support::assembled(*system_1), 0.1, 100);
    const auto motion_2 =
        support::reference_motion(*system_2, support::assembled(*system_2), 0.1, 100);
    const auto seen_1 = support::observe(*system_1, motion_1);
    const auto seen_2 = support::observe(*system_2, motion_2);
    // Frames "own" coincide in the world.
    for (const Body& body : other.bodies) {
      const Frame own = support::frame_of(other, body.name + ".own");
      const auto pose_1 = support::body_motion(seen_1, body.name);
      const auto pose_2 = support::body_motion(seen_2, body.name);
      EXPECT_LE((pose_1.p - pose_2.point(own.position)).norm(), 1e-10) << body.name;
      EXPECT_LE((pose_1.R - pose_2.R * own.rotation.toRotationMatrix()).norm(), 1e-9) << body.name;
    }
    for (const Item& joint : d.joints) {
      const Vector3d force_1 = support::observed_vector(seen_1, joint.name + ".reaction.force");
      const Vector3d force_2 = support::observed_vector(seen_2, joint.name + ".reaction.force");
      EXPECT_LE((force_1 - force_2).norm(), 1e-8 * (1.0 + force_1.norm())) << joint.name;
      const Vector3d torque_1 = support::observed_vector(seen_1, joint.name + ".reaction.torque");
      const Vector3d torque_2 = support::observed_vector(seen_2, joint.name + ".reaction.torque");
      EXPECT_LE((torque_1 - torque_2).norm(), 1e-8 * (1.0 + torque_1.norm())) << joint.name;
    }
  }
}

TEST(MechanismSystem, AccelerationsOfOffCentreFramesAreSecondDerivatives) {
  Random random(14);
  const Description d = redescribed(support::heavy_top(), random);
  Description slow = d;
  slow.bodies[0].angular_velocity *= 0.02;
  slow.bodies[0].velocity *= 0.02;
  slow.joints[0].attachments[1] = "top.tip";
  slow.bodies[0].frames.push_back(
      {"tip", slow.bodies[0].orientation.conjugate() * Vector3d(-slow.bodies[0].position)});
  const auto system = compile(slow);
  const system::State start = support::assembled(*system);
  const auto position = [&](double t) {
    const auto motion = support::reference_motion(*system, start, t, 20);
    return support::observed_vector(support::observe(*system, motion), "top.position");
  };
  const double h = 0.002;
  const Vector3d second = (position(h) + position(-h) - 2.0 * position(0.0)) / (h * h);
  const auto motion = support::reference_motion(*system, start, 0.0, 1);
  const Vector3d recorded =
      support::observed_vector(support::observe(*system, motion), "top.acceleration");
  // h^2/12 times the fourth derivative: (3 rad/s)^2 h^2/12 of it.
  EXPECT_LE((second - recorded).norm(), 1e-5 * recorded.norm());
  EXPECT_GT(recorded.norm(), 1.0);
}

TEST(MechanismSystem, NamesRowsJointsAndScales) {
  const auto system = compile(support::slider_crank());
  EXPECT_EQ(system->sizes().v, 9);
  EXPECT_EQ(system->sizes().multipliers(), 8);
  ASSERT_EQ(system->joints().size(), 4U);
  EXPECT_EQ(system->joints()[3].name, "guide");
  EXPECT_EQ(system->joints()[3].type, "prismatic");
  EXPECT_EQ(system->joints()[3].first, 6);
  EXPECT_EQ(system->joints()[3].count, 2);
  ASSERT_EQ(system->row_names().size(), 8U);
  EXPECT_EQ(system->row_names()[0].joint, "main");
  EXPECT_EQ(system->row_names()[0].label, "point x");
  EXPECT_EQ(system->row_names()[7].label, "angle");
  EXPECT_EQ(system->body_count(), 3);
  EXPECT_TRUE(system->fixed_velocities()[2]);
  EXPECT_FALSE(system->fixed_velocities()[5]);
  const system::Vector& scale = system->displacement_scale();
  EXPECT_EQ(scale[2], 1.0);
  EXPECT_EQ(scale[0], system->size());
  EXPECT_GT(system->memory_bytes(), 1000U);
}

}  // namespace
}  // namespace trammel::model
