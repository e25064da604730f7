// Sensors as the kinematics of any frame of a body: value, rate and acceleration.
#include "support/finite_differences.h"
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

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
    system_ = compile(d);
    motion_ = support::at_rest(*system_, system_->described_state());
    motion_.a = random_.values(motion_.a.size(), 2.0);
  }

  support::Observation at(double s) {
    system::Motion later = motion_;
    const Vector x = s * motion_.state.v + 0.5 * s * s * motion_.a;
    system_->move(motion_.state.q, x, later.state.q);
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

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Sensors,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace trammel::model
