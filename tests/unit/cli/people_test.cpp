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
