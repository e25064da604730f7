// Sensors as the kinematics of any frame of a body: value, rate and acceleration.
#include "support/finite_differences.h"
#include "support/force_laws.h"
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/math/euler_angles.h"
#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

using support::Random;
using system::Vector;

class Sensors : public testing::TestWithParam<Space> {
 protected:
  Sensors() {
    pair_ =
        support::random_pair(GetParam(), support::Side::ground, support::Side::body, 0.8, random_);
    Description& d = pair_.description;
    const Space space = GetParam();
    for (const char* axis : {"x", "y", "z"}) {
      if (space == Space::planar && *axis == 'z') continue;
      d.add_sensor("displacement", std::string("p") + axis, {"ground", pair_.mark_b},
                   {{"axis", Eigen::Vector3d(Eigen::Vector3d::Unit(*axis - 'x'))}});
    }
    d.add_sensor("distance", "far", {pair_.mark_a, pair_.mark_b});
    d.add_sensor("angle", "turn", {pair_.mark_a, pair_.mark_b});
    if (space == Space::spatial) {
      for (const math::EulerSequence& sequence : math::EulerSequence::all()) {
        for (const char* turn : {"first", "second", "third"}) {
          d.add_sensor("euler_angle", sequence.name() + "_" + turn, {pair_.mark_a, pair_.mark_b},
                       {{"sequence", sequence.name()}, {"turn", std::string(turn)}});
        }
      }
    }
    system_ = compile(d);
    motion_ = support::at_rest(*system_, system_->described_state());
    motion_.a = random_.values(motion_.a.size(), 2.0);
  }

  support::Observation at(double s) {
    system::Motion later = motion_;
    const Vector x = s * motion_.state.v + 0.5 * s * s * motion_.a;
    system_->retract(motion_.state.q, x, later.state.q);
    later.state.v += s * motion_.a;
    return support::observe(*system_, later);
  }

  Random random_{51};
  support::RandomPair pair_;
  std::unique_ptr<ModelSystem> system_;
  system::Motion motion_;
};

TEST_P(Sensors, RatesAndAccelerationsAreDerivatives) {
  const support::Observation now = at(0.0);
  for (const Item& sensor : pair_.description.sensors) {
    const Vector slope = support::first_derivative([&](double s) {
      const support::Observation seen = at(s);
      return Vector(Eigen::Vector2d(seen.at(sensor.name), seen.at(sensor.name + "_rate")));
    });
    // Round-off of the differences on numbers of size one to ten.
    EXPECT_NEAR(slope[0], now.at(sensor.name + "_rate"), 1e-10) << sensor.name;
    EXPECT_NEAR(slope[1], now.at(sensor.name + "_acceleration"), 1e-9) << sensor.name;
  }
}

// r_n'' = r'' + w' x b + w x (w x b) [Sol1983, eq. 2.2.28], from the channels of the body.
TEST_P(Sensors, GiveTheMotionOfAMarker) {
  const support::Observation now = at(0.0);
  const support::BodyMotion body = support::body_motion(now, "b");
  const Eigen::Vector3d arm = body.R * support::frame_of(pair_.description, pair_.mark_b).position;
  const Eigen::Vector3d position = body.p + arm;
  const Eigen::Vector3d velocity = body.v + body.w.cross(arm);
  const Eigen::Vector3d acceleration =
      body.acceleration + body.angular_acceleration.cross(arm) + body.w.cross(body.w.cross(arm));
  for (const char* axis : {"x", "y", "z"}) {
    if (GetParam() == Space::planar && *axis == 'z') continue;
    const std::string name = std::string("p") + axis;
    const int i = *axis - 'x';
    EXPECT_NEAR(now.at(name), position[i], 1e-13);
    EXPECT_NEAR(now.at(name + "_rate"), velocity[i], 1e-12);
    EXPECT_NEAR(now.at(name + "_acceleration"), acceleration[i], 1e-12);
  }
}

// R_ab = R_i(t1) R_j(t2) R_k(t3), and by the w vectors of [Sol1983, eq. 2.2.7, 2.2.14] the rates
// and accelerations of all twelve sequences are those of one and the same motion.
TEST_P(Sensors, OfEulerAnglesDescribeTheMotion) {
  if (GetParam() == Space::planar) return;
  const support::Observation now = at(0.0);
  const support::BodyMotion body = support::body_motion(now, "b");
  const auto axes = [&](const std::string& mark) {
    return support::frame_of(pair_.description, mark).rotation.toRotationMatrix();
  };
  const Eigen::Matrix3d ground = axes(pair_.mark_a);
  const Eigen::Matrix3d R = ground.transpose() * body.R * axes(pair_.mark_b);
  for (const math::EulerSequence& sequence : math::EulerSequence::all()) {
    const auto all = [&](const char* what) {
      const std::string name = sequence.name() + "_";
      return Eigen::Vector3d(now.at(name + "first" + what), now.at(name + "second" + what),
                             now.at(name + "third" + what));
    };
    // Round-off grows as the angles come near to their singularity.
    const double distance = math::distance_from_singularity(sequence, all(""));
    EXPECT_GT(distance, 0.01) << sequence.name();
    const double small = 1e-12 / (distance * distance * distance);
    EXPECT_LT((math::matrix_from_angles(sequence, all("")) - R).norm(), 1e-13) << sequence.name();
    const Eigen::Vector3d w = math::rotation_vectors(sequence, all("")) * all("_rate");
    EXPECT_LT((w - ground.transpose() * body.w).norm(), small) << sequence.name();
    const Eigen::Vector3d acceleration = math::angular_acceleration_from_rates(
        sequence, all(""), all("_rate"), all("_acceleration"));
    EXPECT_LT((acceleration - ground.transpose() * body.angular_acceleration).norm(), small)
        << sequence.name();
  }
}

// A sensor of a whole frame, from the ground and from a frame that moves and turns.
class FrameSensors : public testing::TestWithParam<Space> {
 protected:
  FrameSensors() {
    pair_ =
        support::random_pair(GetParam(), support::Side::body, support::Side::body, 0.8, random_);
    Description& d = pair_.description;
    d.add_sensor("frame", "fixed", {"ground", pair_.mark_b});
    d.add_sensor("frame", "moving", {pair_.mark_a, pair_.mark_b});
    // A force that reads such names, for its tangent.
    const bool planar = GetParam() == Space::planar;
    d.add_force(
        "general_force", "reads", {pair_.mark_a, pair_.mark_b},
        {{"force_x", formula(planar ? "moving.angle" : "moving.rotation.xz")},
         {"force_y", formula(planar ? "moving.angular_velocity" : "moving.angular_velocity.z")}});
    system_ = compile(d);
    motion_ = support::at_rest(*system_, system_->described_state());
    motion_.a = random_.values(motion_.a.size(), 2.0);
  }

  std::string formula(const std::string& turn) const {
    return "2 + 1*moving.position.x*fixed.velocity.y + 3*" + turn + "*" + pair_.mark_b +
           ".own_velocity.x";
  }

  support::Observation at(double s) {
    system::Motion later = motion_;
    const Vector x = s * motion_.state.v + 0.5 * s * s * motion_.a;
    system_->retract(motion_.state.q, x, later.state.q);
    later.state.v += s * motion_.a;
    return support::observe(*system_, later);
  }

  // Motion of a mark in world components, from the channels of its body.
  support::BodyMotion mark(const std::string& body, const std::string& name) {
    const Frame frame = support::frame_of(pair_.description, name);
    support::BodyMotion m = support::body_motion(at(0.0), body);
    const Eigen::Vector3d arm = m.R * frame.position;
    m.acceleration += m.angular_acceleration.cross(arm) + m.w.cross(m.w.cross(arm));
    m.v += m.w.cross(arm);
    m.p += arm;
    m.R *= frame.rotation.toRotationMatrix();
    return m;
  }

  Random random_{52};
  support::RandomPair pair_;
  std::unique_ptr<ModelSystem> system_;
  system::Motion motion_;
};

// A sensor's channels are those of a body; this is the motion they give.
TEST_P(FrameSensors, FromTheGroundGiveTheMotionOfTheMark) {
  const support::BodyMotion expected = mark("b", pair_.mark_b);
  const support::BodyMotion seen = support::body_motion(at(0.0), "fixed");
  // Round-off of numbers of size one to ten.
  EXPECT_LE((seen.p - expected.p).norm(), 1e-13);
  EXPECT_LE((seen.R - expected.R).norm(), 1e-13);
  EXPECT_LE((seen.v - expected.v).norm(), 1e-12);
  EXPECT_LE((seen.w - expected.w).norm(), 1e-12);
  EXPECT_LE((seen.acceleration - expected.acceleration).norm(), 1e-12);
  EXPECT_LE((seen.angular_acceleration - expected.angular_acceleration).norm(), 1e-12);
}

// Relative motion with the terms of Euler, Coriolis and the centrifugal one.
TEST_P(FrameSensors, FromAMovingFrameGiveRelativeMotion) {
  const support::BodyMotion a = mark("a", pair_.mark_a);
  const support::BodyMotion b = mark("b", pair_.mark_b);
  const Eigen::Vector3d d = b.p - a.p;
  const Eigen::Vector3d u = b.v - a.v - a.w.cross(d);
  const Eigen::Vector3d acceleration = b.acceleration - a.acceleration -
                                       a.angular_acceleration.cross(d) - a.w.cross(a.w.cross(d)) -
                                       2.0 * a.w.cross(u);
  const support::BodyMotion seen = support::body_motion(at(0.0), "moving");
  EXPECT_LE((seen.p - a.R.transpose() * d).norm(), 1e-13);
  EXPECT_LE((seen.R - a.R.transpose() * b.R).norm(), 1e-13);
  EXPECT_LE((seen.v - a.R.transpose() * u).norm(), 1e-12);
  EXPECT_LE((seen.acceleration - a.R.transpose() * acceleration).norm(), 1e-12);
  // body_motion() turns both from the axes of the second frame to those of the first. The
  // derivative of components fixed in b is that of w_b - w_a seen from b.
  const Eigen::Vector3d spin = b.w - a.w;
  const Eigen::Vector3d spin_up = b.angular_acceleration - a.angular_acceleration - b.w.cross(spin);
  EXPECT_LE((seen.w - a.R.transpose() * spin).norm(), 1e-12);
  EXPECT_LE((seen.angular_acceleration - a.R.transpose() * spin_up).norm(), 1e-12);
}

// Every rate is the derivative of what it is the rate of, along the motion.
TEST_P(FrameSensors, RatesAreDerivativesOfTheMotion) {
  const support::Observation now = at(0.0);
  const bool planar = GetParam() == Space::planar;
  const auto expect_derivative = [&](const std::string& of, const std::string& rate) {
    const Vector slope = support::first_derivative(
        [&](double s) { return Vector(Vector::Constant(1, at(s).at(of))); });
    EXPECT_NEAR(slope[0], now.at(rate), 1e-9) << rate;
  };
  for (const std::string sensor : {"fixed", "moving"}) {
    for (const char* axis : {".x", ".y", ".z"}) {
      if (planar && axis[1] == 'z') continue;
      expect_derivative(sensor + ".position" + axis, sensor + ".velocity" + axis);
      expect_derivative(sensor + ".velocity" + axis, sensor + ".acceleration" + axis);
    }
    if (planar) {
      expect_derivative(sensor + ".angle", sensor + ".angular_velocity");
      expect_derivative(sensor + ".angular_velocity", sensor + ".angular_acceleration");
      continue;
    }
    for (const char* axis : {".x", ".y", ".z"}) {
      expect_derivative(sensor + ".angular_velocity" + axis,
                        sensor + ".angular_acceleration" + axis);
    }
    // e' = 1/2 e (0, w), w in the frame's own axes.
    const Vector slope = support::first_derivative([&](double s) {
      const support::Observation seen = at(s);
      Vector e(4);
      for (int i = 0; i < 4; ++i) e[i] = seen.at(sensor + ".orientation.e" + std::to_string(i));
      return e;
    });
    const Eigen::Quaterniond e(
        now.at(sensor + ".orientation.e0"), now.at(sensor + ".orientation.e1"),
        now.at(sensor + ".orientation.e2"), now.at(sensor + ".orientation.e3"));
    const Eigen::Quaterniond w(0.0, now.at(sensor + ".angular_velocity.x"),
                               now.at(sensor + ".angular_velocity.y"),
                               now.at(sensor + ".angular_velocity.z"));
    const Eigen::Quaterniond rate = e * w;
    EXPECT_NEAR(slope[0], 0.5 * rate.w(), 1e-9);
    EXPECT_LE((slope.tail(3) - 0.5 * rate.vec()).norm(), 1e-9);
  }
}

TEST_P(FrameSensors, ForcesReadThemWithExactTangents) {
  support::expect_force_tangent_is_derivative(*system_, system_->described_state());
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         FrameSensors,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Sensors,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

// Formulas read channels, and what couplings can besides.
TEST(FormulaSensors, ReadWhatCouplingsCan) {
  Random random(7);
  Description d =
      support::random_pair(Space::spatial, support::Side::ground, support::Side::body, 0.8, random)
          .description;
  d.add_sensor("formula", "seen", {},
               {{"formula", std::string("b.rotation.zz + 2*b.rotation.xy")}});
  d.add_sensor("formula", "moving", {}, {{"formula", std::string("b.mark.own_velocity.x")}});
  const auto system = compile(d);
  const system::State state = system->described_state();
  const auto seen = support::observe(*system, support::at_rest(*system, state));
  const Body& body = d.bodies.front();
  const Eigen::Matrix3d R = body.orientation.normalized().toRotationMatrix();
  EXPECT_NEAR(seen.at("seen"), R(2, 2) + 2.0 * R(0, 1), 1e-14);
  const Frame& mark = body.frames.front();
  const Eigen::Vector3d v = body.velocity + R * body.angular_velocity.cross(mark.position);
  const Eigen::Vector3d own = (R * mark.rotation.toRotationMatrix()).transpose() * v;
  EXPECT_NEAR(seen.at("moving"), own.x(), 1e-12);
}

}  // namespace
}  // namespace trammel::model
