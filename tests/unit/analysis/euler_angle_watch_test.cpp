// Attitudes by Euler and Bryant angles: driven, read, and told of where they are singular.
#include "trammel/analysis/euler_angle_watch.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/math/euler_angles.h"

namespace trammel::analysis::euler_angle_watch_test {
namespace {

// A body on a ball joint, its three angles driven.
std::string ball(const std::string& sequence, const std::array<std::string, 3>& motions) {
  std::string text = R"(
trammel: 1
space: spatial
bodies:
  top:
    mass: 2 kg
    inertia: [0.2, 0.3, 0.4]
    orientation: {euler: )" +
                     sequence + R"(, angles: [0, 1, 0]}
joints:
  tip: {type: spherical, between: [ground, top], angles: )" +
                     sequence + R"(}
drives:
)";
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i + 1);
    text += "  d" + number + ": {type: position, coordinate: tip.angle" + number + ", motion: \"" +
            motions[static_cast<std::size_t>(i)] + "\"}\n";
  }
  return text + "simulation: {until: 1 s, step: 5 ms}\n";
}

Eigen::Matrix3d orientation(model::ModelSystem& system, const system::Motion& motion) {
  Observer observer(system);
  const std::vector<double>& values = observer.observe(motion);
  Eigen::Quaterniond e;
  for (std::size_t i = 0; i < observer.quantities().size(); ++i) {
    const std::string& name = observer.quantities()[i].name;
    if (name == "top.orientation.e0") e.w() = values[i];
    if (name == "top.orientation.e1") e.x() = values[i];
    if (name == "top.orientation.e2") e.y() = values[i];
    if (name == "top.orientation.e3") e.z() = values[i];
  }
  return e.toRotationMatrix();
}

// Whatever the sequence, three driven angles are three turns; whole turns are counted.
TEST(EulerAngles, DriveAnAttitudeInEverySequence) {
  for (const math::EulerSequence& sequence : math::EulerSequence::all()) {
    for (const char* coordinates : {"absolute", "relative"}) {
      model::Description d = described(ball(
          sequence.name(), {"7 rad/s * time", "1 + 0.3*sin(4 rad/s * time)", "-3 rad/s * time"}));
      d.simulation.coordinates = coordinates;
      const auto system = formulation::compile_model(d, formulation::HingeDrives::rows).system;
      const KinematicsReport report = kinematics(*system, d.simulation, drive_names(d), {});
      ASSERT_EQ(report.outcome, results::Outcome::completed)
          << sequence.name() << ": " << report.message;
      const Eigen::Matrix3d R =
          math::matrix_from_angles(sequence, {7.0, 1.0 + 0.3 * std::sin(4.0), -3.0});
      // Newton closes rows to 1e-12 or so.
      EXPECT_LT((orientation(*system, report.final_motion) - R).norm(), 1e-10) << sequence.name();
    }
  }
}

// As described the first and the third of the Euler angles have the same axis.
TEST(EulerAngles, ThatAreSingularWhereTheyAreDescribedAreNamed) {
  std::string text = ball("zxz", {"0", "1", "0"});
  const std::string stated = "angles: [0, 1, 0]";
  text.replace(text.find(stated), stated.size(), "angles: [0, 0, 0]");
  const auto system = model::compile(described(text));
  try {
    assemble(*system);
    FAIL();
  } catch (const core::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("angles zxz of 'tip'"), std::string::npos)
        << error.what();
  }
}

std::string refusal(const std::string& text) {
  try {
    model::compile(described(text));
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

// The second Bryant angle ends at 90 degrees, the second Euler angle at 0 and 180.
TEST(EulerAngles, ThatAreDrivenToTheirSingularityAreRefusedBeforeTheRun) {
  const std::string bryant = refusal(ball("xyz", {"0", "2 rad/s * time", "0"}));
  EXPECT_NE(bryant.find("angles 'xyz'"), std::string::npos) << bryant;
  EXPECT_NE(bryant.find("singular"), std::string::npos) << bryant;
  EXPECT_NE(bryant.find("0.785"), std::string::npos) << bryant;  // 90 degrees at 2 rad/s
  EXPECT_NE(refusal(ball("zxz", {"0", "1 - 2 rad/s * time", "0"})).find("angles 'zxz'"),
            std::string::npos);
  EXPECT_EQ(refusal(ball("zxz", {"0", "0.5 + 2 rad/s * time", "0"})), "");
  EXPECT_EQ(refusal(ball("xyz", {"2 rad/s * time", "0", "0"})), "");
}

// A body that turns about y passes the singularity of its Bryant angles, which are only read.
TEST(EulerAngles, ThatAreReadAreToldWhereTheyJump) {
  const std::string text = R"(
trammel: 1
space: spatial
bodies:
  top: {mass: 2 kg, inertia: [0.2, 0.3, 0.4], angular_velocity: [0, 2 rad/s, 0]}
joints:
  tip: {type: spherical, between: [ground, top], angles: SEQUENCE}
simulation: {until: 1 s, step: 5 ms}
)";
  const auto notes = [&](const std::string& sequence, const char* coordinates) {
    std::string with = text;
    with.replace(with.find("SEQUENCE"), 8, sequence);
    model::Description d = described(with);
    d.simulation.coordinates = coordinates;
    const auto system = formulation::compile_model(d).system;
    std::string all;
    for (const std::string& note : simulate(*system, d.simulation, {}).notes) all += note + "\n";
    return all;
  };
  for (const char* coordinates : {"absolute", "relative"}) {
    const std::string told = notes("xyz", coordinates);
    EXPECT_NE(told.find("angles xyz of 'tip'"), std::string::npos) << told;
    EXPECT_NE(told.find("t = 0.78"), std::string::npos) << told;
    EXPECT_EQ(notes("yxz", coordinates).find("angles"), std::string::npos);
  }
}

// First and third angle are driven, and a coupling takes the second to where they are the same.
TEST(EulerAngles, ThatAreHeldAreNamedWhereTheMotionEnds) {
  model::Description d = described(R"(
trammel: 1
space: spatial
bodies:
  top: {mass: 2 kg, inertia: [0.2, 0.3, 0.4]}
joints:
  tip: {type: spherical, between: [ground, top]}
drives:
  d1: {type: position, coordinate: tip.angle1, motion: "0"}
  d2: {type: velocity, coordinate: tip.angle2, motion: "2 rad/s"}
  d3: {type: position, coordinate: tip.angle3, motion: 0.2 * sin(3 rad/s * time)}
simulation: {until: 1 s, step: 5 ms}
)");
  const auto system = model::compile(d);
  const SimulationReport report = simulate(*system, d.simulation, {});
  std::string all = report.message + report.remedy;
  for (const std::string& note : report.notes) all += note;
  EXPECT_NE(all.find("angles xyz of 'tip'"), std::string::npos) << all;
  EXPECT_NE(all.find("another sequence"), std::string::npos) << all;
}

}  // namespace
}  // namespace trammel::analysis::euler_angle_watch_test
