// What check() finds wrong with a description: every mistake with its path and a remedy, all at
// once.
#include <algorithm>
#include <limits>

#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model {
namespace {

using core::Diagnostic;
using core::Severity;
using Eigen::Vector3d;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Diagnostic> found_in(Description description) {
  core::Diagnostics diagnostics;
  check(description, diagnostics);
  return diagnostics.list();
}

// Expects exactly one error with this path, whose text holds the words and which has a remedy.
void expect_mistake(const Description& description,
                    const std::string& path,
                    const std::string& words,
                    const std::string& remedy = "") {
  const std::vector<Diagnostic> list = found_in(description);
  std::string all;
  for (const Diagnostic& d : list) all += to_string(d) + "\n";
  const auto matches = std::count_if(list.begin(), list.end(), [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.path == path &&
           d.message.find(words) != std::string::npos && !d.remedy.empty() &&
           d.remedy.find(remedy) != std::string::npos;
  });
  EXPECT_EQ(matches, 1) << "path " << path << ", words " << words << ", remedy " << remedy
                        << "; found\n"
                        << all;
  EXPECT_THROW(compile(description), core::InputError);
}

Description planar_model() {
  return support::slider_crank();
}
Description spatial_model() {
  return support::spatial_slider_crank();
}

TEST(Check, GoodModelsHaveNoMistakes) {
  for (const Description& d : {support::pendulum(), support::four_bars(2), planar_model(),
                               support::chain(3, Space::spatial), support::heavy_top(),
                               support::asymmetric_top(), support::bricard(), spatial_model()}) {
    EXPECT_TRUE(found_in(d).empty()) << d.name;
  }
}

TEST(Check, FillsInFallbacks) {
  Description d = support::chain(1, Space::spatial);
  core::Diagnostics diagnostics;
  check(d, diagnostics);
  EXPECT_EQ(vector(d.joints[0].values, "axis"), Vector3d(0, 0, 1));
  EXPECT_FALSE(has(d.joints[0].values, "axis_b"));
}

TEST(Check, Names) {
  Description d = planar_model();
  d.bodies.clear();
  d.joints.clear();
  expect_mistake(d, "bodies", "no body");

  d = planar_model();
  d.bodies[1].name = "crank";
  expect_mistake(d, "bodies.crank", "used twice");
  d = planar_model();
  d.joints[0].name = "slider";
  expect_mistake(d, "joints.slider", "used twice");
  d = planar_model();
  d.joints[0].name = "ground";
  expect_mistake(d, "joints.ground", "used twice", "'ground' is taken");
  d = planar_model();
  d.joints[0].name = "main..pin";
  expect_mistake(d, "joints.main..pin", "cannot be a name", "single dots");
  // Parts of sub-assemblies have dots in their names.
  d = planar_model();
  d.joints[0].name = "main.pin";
  EXPECT_TRUE(found_in(d).empty());
  d = planar_model();
  d.bodies.push_back(d.bodies[0]);
  d.bodies.back().name = "crank.pin";
  expect_mistake(d, "bodies.crank.pin", "is the name of a body and begins another");
  d = planar_model();
  d.bodies[0].frames.push_back({"end.left"});
  expect_mistake(d, "bodies.crank.frames.end.left", "cannot be the name of a body's frame");
  d = planar_model();
  d.joints[0].name = "";
  expect_mistake(d, "joints.", "cannot be a name");
  d = planar_model();
  d.bodies[0].frames.push_back({"left"});
  expect_mistake(d, "bodies.crank.frames.left", "twice");
  d = planar_model();
  d.ground_frames = {{"post"}, {"post"}};
  expect_mistake(d, "ground.frames.post", "twice");
}

TEST(Check, Masses) {
  Description d = support::pendulum();
  d.bodies[0].mass.mass = 0.0;
  expect_mistake(d, "bodies.bob.mass", "mass is 0 kg", "above zero");
  d = planar_model();
  d.bodies[0].mass.mass = -1.0;
  expect_mistake(d, "bodies.crank.mass", "mass is -1 kg", "above zero");
  d = planar_model();
  d.bodies[0].mass.inertia *= -1.0;
  expect_mistake(d, "bodies.crank.inertia", "inertia about z is -", "point mass");
  d = planar_model();
  d.bodies[0].mass.center.x() = nan;
  expect_mistake(d, "bodies.crank.center", "not finite");
  d = spatial_model();
  d.bodies[0].mass.mass = nan;
  EXPECT_THROW(compile(d), core::InputError);
  d = spatial_model();
  d.bodies[0].mass.inertia = Vector3d(1, 1, 3).asDiagonal();
  EXPECT_THROW(compile(d), core::InputError);
}

TEST(Check, NumbersThatAreNotFinite) {
  Description d = planar_model();
  d.bodies[2].velocity.y() = nan;
  expect_mistake(d, "bodies.slider", "not finite", "finite");
  d = planar_model();
  d.bodies[2].angle = std::numeric_limits<double>::infinity();
  expect_mistake(d, "bodies.slider", "not finite", "finite");
  d = planar_model();
  d.gravity.y() = nan;
  expect_mistake(d, "gravity", "not finite", "finite");
  d = planar_model();
  d.bodies[0].frames[0].position.x() = nan;
  expect_mistake(d, "bodies.crank.frames.left", "not finite", "finite");
  d = planar_model();
  d.ground_frames.push_back({"post", Vector3d(nan, 0, 0)});
  expect_mistake(d, "ground.frames.post", "not finite", "finite");
  d = spatial_model();
  d.joints[0].at = Vector3d(0, nan, 0);
  expect_mistake(d, "joints.main.at", "not finite", "finite");
  d = spatial_model();
  d.bodies[0].orientation.coeffs().setZero();
  expect_mistake(d, "bodies.crank", "orientation", "unit");
}

TEST(Check, TurnsThatCannotBeFollowed) {
  // Joint angles are counted along the stated turn of a body: 1e300 rad never came to an end, or
  // had no beginning.
  for (const double turn : {1e4, 1e9, 1e300}) {
    Description d = spatial_model();
    d.bodies[0].stated_turn = Vector3d(0.0, turn, 0.0);
    expect_mistake(d, "bodies." + d.bodies[0].name + ".orientation", "more than a thousand times",
                   "whole turns");
  }
  Description d = spatial_model();
  d.bodies[0].stated_turn = Vector3d(0.0, 6000.0, 0.0);
  EXPECT_TRUE(found_in(d).empty());
}

TEST(Check, Types) {
  Description d = planar_model();
  d.joints[0].type = "revoulte";
  expect_mistake(d, "joints.main.type", "unknown type 'revoulte'", "did you mean 'revolute'?");
  d = planar_model();
  d.joints[0].type = "spherical";
  expect_mistake(d, "joints.main.type", "does not exist in planar models", "known: revolute");
  d = planar_model();
  d.add_force("sprin", "coil", {"ground", "slider"});
  expect_mistake(d, "forces.coil.type", "unknown type 'sprin'", "did you mean 'spring'?");
}

TEST(Check, Values) {
  Description d = spatial_model();
  d.joints[0].values["axsi"] = Vector3d(1, 0, 0);
  expect_mistake(d, "joints.main.axsi", "unknown key 'axsi'", "did you mean 'axis'?");
  d = spatial_model();
  d.joints[0].values["axis"] = Vector3d(0, 0, 0);
  expect_mistake(d, "joints.main.axis", "length 0", "[0, 0, 1]");
  d = spatial_model();
  d.joints[0].values["axis"] = Vector3d(0, nan, 0);
  expect_mistake(d, "joints.main.axis", "not finite", "finite");
  d = spatial_model();
  d.joints[0].values["axis"] = 2.0;
  expect_mistake(d, "joints.main.axis", "must be a direction");
  d = planar_model();
  d.joints[3].values["axis"] = Vector3d(0, 0, 1);
  expect_mistake(d, "joints.guide.axis", "length 0", "[1, 0]");
  d = support::pendulum();
  d.joints[0].values["length"] = 0.0;
  expect_mistake(d, "joints.rod.length", "length is 0 m", "above zero");
  d = planar_model();
  d.add_force("spring", "coil", {"ground", "slider"}, {{"stiffness", -3.0}});
  expect_mistake(d, "forces.coil.stiffness", "stiffness is -3 N/m", "zero or a number above");
  d = planar_model();
  d.add_force("spring", "coil", {"ground", "slider"}, {{"preload", nan}});
  expect_mistake(d, "forces.coil.preload", "preload is nan", "finite");
  d = planar_model();
  d.add_force("force", "push", {"slider"});
  expect_mistake(d, "forces.push", "'force' is missing", "force vector");
  d = planar_model();
  d.add_force("force", "push", {"slider"},
              {{"force", Vector3d(1, 0, 0)}, {"axes", std::string("bdy")}});
  expect_mistake(d, "forces.push.axes", "axes is 'bdy'", "did you mean 'body'?");
}

TEST(Check, Attachments) {
  Description d = planar_model();
  d.joints[0].attachments = {"ground", "crnk.left"};
  expect_mistake(d, "joints.main.between", "there is no body 'crnk'", "did you mean 'crank'?");
  d = planar_model();
  d.joints[0].attachments = {"ground", "crank.lef"};
  expect_mistake(d, "joints.main.between", "'crank' has no frame 'lef'", "did you mean 'left'?");
  d = planar_model();
  d.joints[0].attachments = {"ground.post", "crank.left"};
  expect_mistake(d, "joints.main.between", "'ground' has no frame 'post'", "none is defined");
  d = planar_model();
  d.joints[0].attachments = {"crank"};
  expect_mistake(d, "joints.main.between", "1 attachments", "name two frames");
  d = planar_model();
  d.joints[0].attachments = {"crank.left", "crank.right"};
  expect_mistake(d, "joints.main.between", "both attachments are on 'crank'", "two different");
  d = planar_model();
  d.add_force("torque", "motor", {"ground", "crank"}, {{"torque", 1.0}});
  expect_mistake(d, "forces.motor.on", "2 attachments", "name one frame");
}

TEST(Check, RodsWithoutLength) {
  // Both ends at the same place, and no length given.
  Description d = support::pendulum();
  d.bodies[0].position.setZero();
  EXPECT_THROW(compile(d), core::InputError);
  d.joints[0].values["length"] = 1.0;
  EXPECT_NO_THROW(compile(d));
}

TEST(Check, SimulationSettings) {
  Description d = planar_model();
  d.simulation.until = 0.0;
  expect_mistake(d, "simulation.until", "until is 0 s", "above zero");
  d = planar_model();
  d.simulation.step = -1e-3;
  expect_mistake(d, "simulation.step", "step is -0.001 s", "above zero");
  d = planar_model();
  d.simulation.output_step = nan;
  expect_mistake(d, "simulation.output_step", "output_step is nan s", "leave it out");
}

TEST(Check, FreeBodiesAreADoubtNotAMistake) {
  Description d = planar_model();
  Body loose = support::bar("loose", 1.0, 1.0, Space::planar);
  d.add_body(loose);
  const auto list = found_in(d);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].severity, Severity::warning);
  EXPECT_EQ(list[0].path, "bodies.loose");
  EXPECT_NO_THROW(compile(d));
}

// Fields hold what they name, and all bodies when they name none.
TEST(Check, BodiesInAFieldAreNotFree) {
  for (const char* kind : {"central_gravity", "gravity_field"}) {
    Description d;
    d.space = Space::planar;
    for (const char* name : {"earth", "moon", "probe"}) {
      d.add_body(support::bar(name, 1.0, 1.0, Space::planar));
    }
    Values values;
    if (std::string_view(kind) == "central_gravity") {
      values["strength"] = 1.0;
      values["center"] = Vector3d(3, 0, 0);
    } else {
      values["field_x"] = std::string("1 m/s^2");
    }
    d.add_force(kind, "sun", {}, values);
    EXPECT_TRUE(found_in(d).empty()) << kind;
    d.forces[0].values["bodies"] = std::vector<std::string>{"earth", "moon"};
    const auto list = found_in(d);
    ASSERT_EQ(list.size(), 1U) << kind;
    EXPECT_EQ(list[0].path, "bodies.probe") << kind;
  }
}

TEST(Check, AllMistakesAtOnce) {
  Description d = spatial_model();
  d.bodies[0].mass.mass = -1.0;
  d.joints[0].values["axis"] = Vector3d(0, 0, 0);
  d.joints[1].type = "sphere";
  d.joints[2].attachments = {"slidr", "rod"};
  d.simulation.step = 0.0;
  try {
    compile(d);
    FAIL() << "must throw";
  } catch (const core::InputError& error) {
    std::vector<std::string> paths;
    for (const Diagnostic& diagnostic : error.diagnostics()) paths.push_back(diagnostic.path);
    for (const std::string path :
         {"joints.main.axis", "joints.crank_pin.type", "joints.wrist.between", "simulation.step"}) {
      EXPECT_EQ(std::count(paths.begin(), paths.end(), path), 1) << path;
    }
    EXPECT_GE(paths.size(), 5U);
  }
}

}  // namespace
}  // namespace trammel::model
