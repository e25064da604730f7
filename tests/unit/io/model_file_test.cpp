#include "trammel/io/model_file.h"

#include <chrono>
#include <cmath>
#include <numbers>

#include "test_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/io/text_file.h"
#include "trammel/math/euler_angles.h"
#include "trammel/math/shapes.h"

namespace trammel::io::model_file_test {
namespace {

using Eigen::Vector3d;
constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;  // a few operations on numbers of size one

ModelFile good_model(const std::string& name, const ReadOptions& options = {}) {
  const auto path = test::source_folder() / "tests/data/good_models" / name;
  return read_model_file(path.string(), test::vocabulary(), options);
}

const model::Body& body(const ModelFile& file, std::string_view name) {
  for (const model::Body& each : file.description.bodies) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

TEST(ModelFile, ReadsTheSettingsOfThePlanarExample) {
  const ModelFile file = good_model("slider_crank.yaml");
  const model::Description& model = file.description;
  EXPECT_EQ(model.name, "slider-crank");
  EXPECT_EQ(model.space, model::Space::planar);
  EXPECT_EQ(model.gravity, Vector3d(0, -9.81, 0));
  EXPECT_EQ(model.bodies.size(), 4U);
  EXPECT_EQ(model.joints.size(), 5U);
  EXPECT_DOUBLE_EQ(model.simulation.until, 2.0);
  EXPECT_DOUBLE_EQ(model.simulation.output_step, 0.01);
  EXPECT_DOUBLE_EQ(model::number(model.simulation.integrator_values, "spectral_radius"), 0.8);
  EXPECT_TRUE(file.warnings.empty());
  ASSERT_EQ(model.ground_frames.size(), 2U);
  EXPECT_EQ(model.ground_frames[1].position, Vector3d(1, 0, 0));
}

TEST(ModelFile, ReadsBodiesWithParametersAndUnits) {
  const ModelFile file = good_model("slider_crank.yaml");
  const model::Body& crank = body(file, "crank");
  EXPECT_DOUBLE_EQ(crank.angle, pi / 4);
  EXPECT_NEAR(crank.position.x(), 0.075 * std::cos(pi / 4), rounding);
  EXPECT_DOUBLE_EQ(crank.angular_velocity.z(), 50 * pi);
  EXPECT_EQ(crank.fixed_pose, (std::array<bool, 6>{false, false, false, false, false, true}));
  EXPECT_EQ(crank.fixed_velocity, (std::array<bool, 6>{false, false, false, false, false, true}));
  EXPECT_DOUBLE_EQ(crank.mass.mass, 0.5);
  EXPECT_NEAR(crank.mass.inertia(2, 2), 0.5 * 0.15 * 0.15 / 12, rounding);
  ASSERT_EQ(crank.frames.size(), 2U);
  EXPECT_NEAR(crank.frames[0].rotation.angularDistance(
                  Eigen::Quaterniond(Eigen::AngleAxisd(pi / 18, Vector3d::UnitZ()))),
              0.0, 1e-7);  // the arc cosine loses half of the digits near 1
  EXPECT_EQ(crank.frames[1].position, Vector3d(0.075, 0, 0));

  const model::Body& slider = body(file, "slider");
  // Steiner: 10 kg cm^2 about the origin, 2 kg at 1 cm.
  EXPECT_NEAR(slider.mass.inertia(2, 2), 1e-3 - 2 * 1e-4, rounding);
  EXPECT_NEAR(slider.velocity.x(), -50 * pi * 0.15 / 10, rounding);

  const model::Body& ball = body(file, "ball");
  EXPECT_EQ(ball.kind, model::BodyKind::point);
  EXPECT_TRUE(ball.fixed_pose[0]);
  EXPECT_FALSE(ball.fixed_pose[1]);
}

TEST(ModelFile, AddsUpShapes) {
  const ModelFile file = good_model("slider_crank.yaml");
  const model::Body& rod = body(file, "rod");
  EXPECT_DOUBLE_EQ(rod.mass.mass, 1.1);
  EXPECT_NEAR(rod.mass.center.x(), -0.225 * 0.1 / 1.1, rounding);
  // By hand, about the origin of the rod: rod + ring with Steiner, then back to the centre.
  const double about_origin =
      0.45 * 0.45 / 12 + 0.1 * ((0.02 * 0.02 + 0.01 * 0.01) / 2 + 0.225 * 0.225);
  const double c = rod.mass.center.x();
  EXPECT_NEAR(rod.mass.inertia(2, 2), about_origin - 1.1 * c * c, rounding);
}

TEST(ModelFile, ReadsJointsAndForces) {
  const ModelFile file = good_model("slider_crank.yaml");
  const auto& joints = file.description.joints;
  EXPECT_EQ(joints[0].name, "pin");
  EXPECT_EQ(joints[0].attachments, (std::vector<std::string>{"ground.pivot", "crank.base"}));
  ASSERT_TRUE(joints[2].at);
  EXPECT_EQ(*joints[2].at, Vector3d(0.5, 0, 0));
  EXPECT_EQ(model::vector(joints[3].values, "axis"), Vector3d(1, 0, 0));
  const auto& forces = file.description.forces;
  EXPECT_DOUBLE_EQ(model::number(forces[0].values, "damping"), 2.0);
  EXPECT_EQ(forces[1].attachments, (std::vector<std::string>{"slider"}));
  EXPECT_EQ(model::vector(forces[1].values, "force"), Vector3d(10, 2, 0));
}

TEST(ModelFile, ReadsEveryFormOfOrientation) {
  const ModelFile file = good_model("spatial.yaml");
  const Eigen::Quaterniond quarter_turn(Eigen::AngleAxisd(pi / 2, Vector3d::UnitZ()));
  for (const char* name : {"by_axis", "by_matrix", "by_rodrigues"}) {
    const Eigen::Matrix3d R = body(file, name).orientation.toRotationMatrix();
    EXPECT_LT((R - quarter_turn.toRotationMatrix()).norm(), rounding) << name;
  }
  const Eigen::Matrix3d R_x = Eigen::AngleAxisd(pi / 2, Vector3d::UnitX()).toRotationMatrix();
  EXPECT_LT((body(file, "by_quaternion").orientation.toRotationMatrix() - R_x).norm(), rounding);
  const Eigen::Matrix3d R_xyz =
      math::matrix_from_angles(math::EulerSequence::bryant_xyz(), Vector3d(10, 20, 30) * pi / 180);
  EXPECT_LT((body(file, "by_bryant_angles").orientation.toRotationMatrix() - R_xyz).norm(),
            rounding);
  // The world's x axis is the body's -y axis after a quarter turn about z.
  EXPECT_LT((body(file, "by_axis").angular_velocity - Vector3d(0, -1, 0)).norm(), rounding);
  EXPECT_EQ(body(file, "by_bryant_angles").angular_velocity, Vector3d(1, 2, 3));
}

TEST(ModelFile, ReadsSpatialMassPropertiesAndFixedValues) {
  const ModelFile file = good_model("spatial.yaml");
  const math::MassProperties& given = body(file, "by_rodrigues").mass;
  EXPECT_EQ(given.center, Vector3d(0, 0, 0.1));
  EXPECT_EQ(given.inertia(0, 1), 0.01);
  EXPECT_EQ(given.inertia(2, 0), -0.02);
  EXPECT_EQ(given.inertia(1, 2), 0.03);
  const math::MassProperties box =
      math::from_shape_and_density(math::Box{.x = 0.1, .y = 0.01, .z = 0.01}, 7850);
  EXPECT_NEAR(body(file, "by_axis").mass.mass, box.mass, rounding);
  EXPECT_EQ(body(file, "by_bryant_angles").mass.inertia, body(file, "by_axis").mass.inertia);
  const model::Body& fixed = body(file, "by_quaternion");
  EXPECT_EQ(fixed.fixed_pose, (std::array<bool, 6>{false, false, true, true, true, true}));
  EXPECT_EQ(fixed.fixed_velocity, (std::array<bool, 6>{true, true, true, false, false, false}));
  EXPECT_EQ(file.description.name, "spatial") << "without a name, that of the file";
}

TEST(ModelFile, ReadsJson) {
  const ModelFile file = good_model("pendulum.json");
  EXPECT_DOUBLE_EQ(file.description.bodies[0].mass.mass, 2.0);
}

TEST(ModelFile, FillsInFallbacks) {
  const ModelFile file = good_model("spatial.yaml");
  EXPECT_DOUBLE_EQ(file.description.simulation.step, 1e-3);
  EXPECT_EQ(model::vector(file.description.joints[2].values, "axis").norm(), 1.0);
}

TEST(ModelFile, TakesTheMethodAsANameOrAsAMapWithItsSettings) {
  const auto settings = [](const std::string& method) {
    const std::string text =
        "trammel: 1\nspace: planar\nbodies:\n  bob: {kind: point, mass: 1}\nsimulation:\n  "
        "method: " +
        method + "\n";
    return read_model_text(text, "method.yaml", test::vocabulary()).description.simulation;
  };
  for (const char* method : {"generalized-alpha", "{generalized-alpha: 0.3, modified: false}",
                             "{name: generalized-alpha, spectral_radius: 0.3}"}) {
    EXPECT_EQ(settings(method).integrator, "generalized-alpha") << method;
  }
  const model::Values values =
      settings("{generalized-alpha: 0.3, modified: false}").integrator_values;
  EXPECT_DOUBLE_EQ(model::number(values, "spectral_radius"), 0.3);
  EXPECT_FALSE(model::flag(values, "modified"));
  EXPECT_TRUE(settings("generalized-alpha").integrator_values.empty());
}

TEST(ModelFile, LocatesPathsInTheText) {
  const ModelFile file = good_model("slider_crank.yaml");
  const auto place = [&](const std::string& path) {
    core::Diagnostic diagnostic{core::Severity::error, path, "x", "y", {}, 0, 0};
    file.locate(diagnostic);
    return std::pair(diagnostic.line, diagnostic.column);
  };
  const auto line_with = [&](const std::string& text) {
    const std::size_t at = file.text.find(text);
    return 1 + static_cast<int>(std::count(
                   file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  EXPECT_EQ(place("bodies.crank.angle"), std::pair(line_with("    angle: phi"), 12));
  EXPECT_EQ(place("bodies.crank"), std::pair(line_with("  crank:"), 3));
  EXPECT_EQ(place("bodies.crank.nothing"), std::pair(line_with("  crank:"), 3));
  EXPECT_EQ(place("bodies.rod.shape.2"), std::pair(line_with("- disc"), 9));
  EXPECT_EQ(place("joints.slide.axis"), std::pair(line_with("  slide:"), 61));
  EXPECT_EQ(place(""), std::pair(2, 1));
}

TEST(ModelFile, WarningsCarryTheirPlace) {
  const ModelFile file = read_model_text(
      "trammel: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\n"
      "joints:\n  pin: {type: revolute, between: [ground, a]}\n",
      "test.yaml", test::vocabulary());
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_EQ(file.warnings[0].path, "bodies.b");
  EXPECT_EQ(file.warnings[0].line, 5);
  EXPECT_EQ(file.warnings[0].file, "test.yaml");
}

TEST(ModelFile, MarksWhatIsStated) {
  const auto bodies = read_model_text(R"(
trammel: 1
space: spatial
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, 1]}
  b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: z, angle: 270 deg}, velocity: [0, 0, 0]}
  c: {mass: 1, inertia: [1, 1, 1], orientation: {euler: zxz, angles: [100 deg, 0, 150 deg]}}
  d: {mass: 1, inertia: [1, 1, 1], orientation: {quaternion: [1, 0, 0, -1]}}
)",
                                      "model", test::vocabulary())
                          .description.bodies;
  const std::array<bool, 6> first{true, true, true, false, false, false};
  const std::array<bool, 6> last{false, false, false, true, true, true};
  EXPECT_EQ(bodies[0].stated_pose, first);
  EXPECT_EQ(bodies[0].stated_velocity, last);
  EXPECT_EQ(bodies[1].stated_pose, last);
  EXPECT_EQ(bodies[1].stated_velocity, first);
  // Turns are kept as they are stated; quaternions forget the whole ones.
  EXPECT_NEAR(bodies[1].stated_turn.z(), 1.5 * M_PI, 1e-12);
  EXPECT_NEAR(bodies[2].stated_turn.z(), 250.0 / 180.0 * M_PI, 1e-12);
  EXPECT_NEAR(bodies[3].stated_turn.z(), -0.5 * M_PI, 1e-12);
  EXPECT_TRUE(bodies[2].turn_counts);
  EXPECT_FALSE(bodies[3].turn_counts);
}

TEST(ModelFile, QuestionsAnglesThatLookLikeDegrees) {
  const auto warnings = [](const std::string& angle) {
    return read_model_text("trammel: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1, angle: " +
                               angle + "}}\n",
                           "model", test::vocabulary())
        .warnings;
  };
  for (const char* doubtful : {"30", "-45", "90.0"}) {
    ASSERT_EQ(warnings(doubtful).size(), 1u) << doubtful;
    EXPECT_NE(warnings(doubtful)[0].remedy.find("deg"), std::string::npos);
    EXPECT_EQ(warnings(doubtful)[0].line, 3);
  }
  for (const char* clear : {"30 deg", "30 rad", "6.2", "2*pi", "10*pi", "0"}) {
    EXPECT_TRUE(warnings(clear).empty()) << clear;
  }
}

TEST(ModelFile, TakesOneNumberForAListOfOne) {
  const auto stiffness = [](const std::string& given) {
    const model::Description d = read_model_text(R"(
trammel: 1
space: planar
bodies: {a: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, a]}}
forces: {s: {type: coordinate_spring, coordinate: pin.angle, stiffness: )" +
                                                     given + "}}\n",
                                                 "model", test::vocabulary())
                                     .description;
    return std::get<std::vector<double>>(d.forces[0].values.at("stiffness"));
  };
  EXPECT_EQ(stiffness("300"), stiffness("[300]"));
}

// Formulas of drives, couplings and forces are judged although bodies and joints have mistakes;
// what names those is not blamed for them.
TEST(ModelFile, TellsMistakesOfDrivesBesideThoseOfBodiesAndJoints) {
  std::vector<std::string> paths;
  try {
    read_model_text(R"(
trammel: 1
space: planar
bodies:
  a: {mass: -1, inertia: 1}
  b: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, a]}
  broken: {type: revolute, between: [ground, nobody]}
drives:
  one: {type: position, coordinate: pin.angle, motion: "1 m"}
  two: {type: position, coordinate: pin.angel, motion: "1 rad"}
  three: {type: position, coordinate: broken.angle, motion: "1 rad"}
couplings:
  four: {type: equation, equation: "b.position.x + nothing"}
)",
                    "model", test::vocabulary());
  } catch (const core::InputError& error) {
    for (const core::Diagnostic& each : error.diagnostics()) paths.push_back(each.path);
  }
  const auto told = [&](const std::string& path) {
    return std::count_if(paths.begin(), paths.end(),
                         [&](const std::string& each) { return each.rfind(path, 0) == 0; });
  };
  EXPECT_EQ(told("bodies.a"), 1);
  EXPECT_EQ(told("joints.broken"), 1);
  EXPECT_EQ(told("drives.one"), 1);
  EXPECT_EQ(told("drives.two"), 1);
  EXPECT_EQ(told("drives.three"), 0);  // a consequence
  EXPECT_EQ(told("couplings.four"), 1);
}

TEST(ModelFile, MissingFilesGetTheNearestName) {
  const std::string folder = (test::source_folder() / "tests/data/good_models").string();
  try {
    read_model_file(folder + "/slider_crnak.yaml", test::vocabulary());
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean '" + folder + "/slider_crank.yaml'?"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(read_text_file(folder), core::InputError);
  EXPECT_THROW(read_text_file("/no/such/folder/file.yaml"), core::InputError);
}

TEST(ModelFile, TenThousandBodiesLoadQuickly) {
  std::string text = "trammel: 1\nspace: spatial\nparameters: {link: 100 mm}\nbodies:\n";
  for (int i = 0; i < 10'000; ++i) {
    text += fmt::format(
        "  link{0}:\n"
        "    shape: {{box: {{size: [link, 10 mm, 10 mm], density: 7850 kg/m^3}}}}\n"
        "    position: [{0} * link + link / 2, 0, 0]\n"
        "    orientation: {{axis: [0, 0, 1], angle: 0 deg}}\n"
        "    frames: {{left: [-link / 2, 0, 0], right: {{position: [link / 2, 0, 0]}}}}\n",
        i);
  }
  text += "joints:\n";
  for (int i = 0; i < 10'000; ++i) {
    const std::string first = i == 0 ? "ground" : fmt::format("link{}.right", i - 1);
    text += fmt::format("  hinge{0}: {{type: revolute, between: [{1}, link{0}.left], axis: y}}\n",
                        i, first);
  }
  const auto start = std::chrono::steady_clock::now();
  const ModelFile file = read_model_text(text, "chain.yaml", test::vocabulary());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(file.description.bodies.size(), 10'000U);
  RecordProperty("seconds", std::to_string(seconds));
  // Measured below 1 s; the bound leaves room for sanitizers and a busy machine, and still fails if
  // reading becomes quadratic in the number of bodies (10^8 steps and more).
  EXPECT_LT(seconds, 30.0);
}

}  // namespace
}  // namespace trammel::io::model_file_test
