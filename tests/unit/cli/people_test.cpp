// What people of several kinds do: units where they know them, tables that open, runs side by side.
#include <algorithm>

#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

std::string with(std::string text, const std::string& name, const std::string& value) {
  return text.replace(text.find(name), name.size(), value);
}

TEST(People, OpenTablesInSpreadsheets) {
  Folder folder;
  ASSERT_EQ(folder.run({"new", "pendulum"}).code, 0);
  ASSERT_EQ(folder.run({"run", "pendulum.yaml", "-u", "0.1 s", "-q"}).code, 0);
  ASSERT_EQ(folder.run({"export", "pendulum.h5", "-c", "pin.angle,energy.total"}).code, 0);
  const std::string text = contents_of(folder / "pendulum.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "time [s],pin.angle [rad],energy.total [J]");
  EXPECT_EQ(text.find('#'), std::string::npos) << "nothing but numbers";
  // It reads back, with its units.
  const results::Table back = results::read(folder / "pendulum.csv");
  EXPECT_EQ(back.channels[0].name, "pin.angle");
  EXPECT_EQ(back.channels[0].unit, "rad");
  // Everything else on request, and other units.
  ASSERT_EQ(folder.run({"export", "pendulum.h5", "-o", "all.csv", "--remarks"}).code, 0);
  EXPECT_TRUE(contains(contents_of(folder / "all.csv"), "# outcome: completed"));
  const Answer degrees =
      folder.run({"export", "pendulum.h5", "-c", "pin.angle", "--units", "deg", "-o", "-"});
  EXPECT_TRUE(contains(degrees.out, "time [s],pin.angle [deg]")) << degrees.out;
  EXPECT_EQ(folder.run({"export", "pendulum.h5", "--units", "furlongs", "-o", "-"}).code, 2);
}

TEST(People, DrawRunsSideBySideAndSeeWhatDiffers) {
  Folder folder;
  ASSERT_EQ(folder.run({"new", "pendulum"}).code, 0);
  ASSERT_EQ(folder.run({"run", "pendulum.yaml", "-u", "0.5 s", "-q", "-o", "a.h5"}).code, 0);
  ASSERT_EQ(
      folder.run({"run", "pendulum.yaml", "-u", "0.5 s", "--step", "5 ms", "-q", "-o", "b.h5"})
          .code,
      0);
  const Answer answer =
      folder.run({"plot", "a.h5", "b.h5", "pin.angle", "--units", "deg", "-o", "both.svg"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "2 runs")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "simulation.step")) << answer.out;
  const std::string picture = contents_of(folder / "both.svg");
  EXPECT_TRUE(contains(picture, "pin.angle (a)"));
  EXPECT_TRUE(contains(picture, "pin.angle (b)"));
  EXPECT_TRUE(contains(picture, "[deg]"));
}

// A push-type toggle clamp: the plunger is at crank + link = 100 mm where the knee is straight, the
// workpiece begins at 98.5 mm and gives way by 2 kN/mm.
constexpr const char* clamp = R"model(trammel: 1
name: toggle clamp
space: planar
bodies:
  handle: {mass: 0.2, inertia: 1e-4, position: [15 mm, 26 mm], angle: 60 deg, frames: {knee: [30 mm, 0]}}
  coupler: {mass: 0.15, inertia: 1e-4, position: [15 mm, 26 mm], angle: -22 deg, frames: {pin: [70 mm, 0]}}
  plunger: {mass: 0.1, inertia: 1e-4, position: [80 mm, 0]}
joints:
  pivot: {type: revolute, between: [ground, handle]}
  knee: {type: revolute, between: [handle.knee, coupler]}
  pin: {type: revolute, between: [coupler.pin, plunger]}
  guide: {type: prismatic, between: [ground, plunger], axis: x}
forces:
  workpiece: {type: coordinate_stop, coordinate: guide.displacement, upper: UPPER, stiffness: STIFFNESS}
drives:
  hand: {type: position, coordinate: pivot.angle, motion: "60 deg - 63 deg*step5(time, 0 s, 0, 0.5 s, 1)"
}
report: {units: [deg, mm, kN], plots: [workpiece.load, hand.load]}
simulation: {until: 0.6 s, step: 0.5 ms, output_step: 0.5 ms}
)model";

TEST(People, GiveStopsTheUnitsOfTheirCoordinate) {
  Folder folder;
  const auto with_units = [](const std::string& upper, const std::string& stiffness) {
    return with(with(clamp, "UPPER", upper), "STIFFNESS", stiffness);
  };
  folder.put("clamp.yaml", with_units("98.5 mm", "2 kN/mm"));
  const Answer run = folder.run({"run", "clamp.yaml", "--no-estimate"});
  ASSERT_EQ(run.code, 0) << run.err;
  const results::Table table = results::read(folder / "clamp.h5");
  double most = 0.0;
  for (const double load : table.column("workpiece.load")) most = std::max(most, -load);
  // 1.5 mm of 2 kN/mm as the knee passes; between two rows the angle changes by 0.2 deg, which is
  // 0.1 um of the way.
  EXPECT_NEAR(most, 3000.0, 0.5);
  // -3 deg beyond: 30 cos 3 + sqrt(70^2 - (30 sin 3)^2) = 99.94127 mm.
  EXPECT_NEAR(table.column("workpiece.load").back(), -2882.55, 0.01);
  // The numbers are told at once, in the units that the model asks for, with what joints carry.
  for (const char* part : {"Numbers", "workpiece.load", "kN", "pin.reaction.force.magnitude"}) {
    EXPECT_TRUE(contains(run.out, part)) << part << "\n" << run.out;
  }
  const Answer info = folder.run({"info", "clamp.h5"});
  EXPECT_TRUE(contains(info.out, "pin.reaction.force.magnitude")) << info.out;
  EXPECT_TRUE(contains(info.out, "deg, mm, kN")) << info.out;
  EXPECT_FALSE(contains(info.out, "math")) << "formulas are for the report";
  const Answer summary = folder.run({"export", "clamp.h5", "-c", "pin.*", "--summary"});
  EXPECT_TRUE(contains(summary.out, "pin.reaction.force.magnitude")) << summary.out;
  // Units of the other kind, of neither kind, and none.
  folder.put("turned.yaml", with_units("30 deg", "2 kN/mm"));
  const Answer turned = folder.run({"check", "turned.yaml"});
  EXPECT_EQ(turned.code, 2);
  EXPECT_TRUE(contains(turned.err,
                       "forces.workpiece.upper: '30 deg' is in rad, but "
                       "guide.displacement is in m; give a value in m"))
      << turned.err;
  folder.put("wrong.yaml", with_units("98.5 mm", "2 kg"));
  const Answer wrong = folder.run({"check", "wrong.yaml"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "in N/m along a length, in N m/rad along an angle")) << wrong.err;
  folder.put("plain.yaml", with_units("0.0985", "2e6"));
  EXPECT_EQ(folder.run({"check", "plain.yaml"}).code, 0);
}

TEST(People, ReadTheEquations) {
  Folder folder;
  folder.put("clamp.yaml", with(with(clamp, "UPPER", "98.5 mm"), "STIFFNESS", "2 kN/mm"));
  const Answer text = folder.run({"equations", "clamp.yaml"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"q1 = pivot.angle [rad]", "0.1 q3'' + lambda1 = F_workpiece",
                           "-0.03 cos(q1) - 0.07 cos(q1 + q2) + q3 = 0", "lambda3 of hand"}) {
    EXPECT_TRUE(contains(text.out, part)) << part << "\n" << text.out;
  }
  const Answer latex = folder.run({"equations", "clamp.yaml", "--latex"});
  EXPECT_TRUE(contains(latex.out, "\\end{align*}")) << latex.out;
  // The report has them, too; a model that cannot be written goes without.
  ASSERT_EQ(folder.run({"run", "clamp.yaml", "-q"}).code, 0);
  EXPECT_TRUE(contains(contents_of(folder / "clamp.html"), "equations_latex"));
  folder.put("stone.yaml",
             "trammel: 1\nspace: spatial\nbodies: {stone: {mass: 1, inertia: [1, 2, 3]}}\n");
  const Answer refused = folder.run({"equations", "stone.yaml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "the free body 'stone'")) << refused.err;
}

// A force and an integrator from a shared library, by run, by compare and by name in the file.
TEST(People, BringTheirOwnParts) {
  Folder folder;
  const std::string text = R"(trammel: 1
space: spatial
gravity: [0, 0, -9.81]
PLUGINS
bodies: {jumper: {mass: 70 kg, inertia: [3, 3, 3], position: [0, 0, -1]}}
forces: {cord: {type: rope, between: [ground, jumper], length: 10 m, stiffness: 400 N/m}}
simulation: {until: 2.5 s, step: 1 ms, integrator: symplectic-euler}
)";
  folder.put("jump.yaml", with(text, "PLUGINS", "name: jump"));
  const Answer without = folder.run({"check", "jump.yaml"});
  EXPECT_EQ(without.code, 2);
  EXPECT_TRUE(contains(without.err, "rope")) << without.err;
  const Answer run =
      folder.run({"--plugin", TRAMMEL_PLUGIN, "run", "jump.yaml", "-q", "--no-estimate"});
  ASSERT_EQ(run.code, 0) << run.err;
  const results::Table table = results::read(folder / "jump.h5");
  double lowest = 0.0;
  for (const double z : table.column("jumper.position.z")) lowest = std::min(lowest, z);
  // m g (9 + e) = k e^2/2 at 2.14 s; of first order in the step of 1 ms (13 m/s at the most).
  EXPECT_NEAR(lowest, -17.535, 0.015);
  const Answer compared =
      folder.run({"--plugin", TRAMMEL_PLUGIN, "compare", "jump.yaml", "--methods",
                  "symplectic-euler,generalized-alpha", "--step", "2 ms,1 ms", "-u", "0.5 s"});
  EXPECT_TRUE(compared.code == 0 && contains(compared.out, "symplectic-euler"))
      << compared.out << compared.err;
  folder.put("no.so", "this is no library");
  const Answer wrong = folder.run({"--plugin", "no.so", "check", "jump.yaml"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "cannot be used")) << wrong.err;
}

TEST(People, ReadTheLicences) {
  Folder folder;
  const Answer answer = folder.run({"--licences"});
  EXPECT_EQ(answer.code, 0);
  for (const char* word : {"Apache License", "three.js", "Leon Sorokin", "Eigen", "LGPL", "HDF"}) {
    EXPECT_TRUE(contains(answer.out, word == std::string("LGPL") ? "Lesser General" : word))
        << word;
  }
}

}  // namespace
}  // namespace trammel::cli::testing
