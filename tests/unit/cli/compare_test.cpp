// trammel compare and trammel method.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

class Compare : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0); }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{
        "compare", "pendulum.yaml", "--methods",   "newmark,V0(1,1,0)", "--index",
        "2",       "--step",        "10 ms, 5 ms", "--until",           "0.3 s"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Folder folder_;
};

TEST_F(Compare, WritesATableAndAPageAndPrintsVerdictsAndOrders) {
  const Answer answer = folder_.run(command({"--picture", "work.png"}));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  for (const char* part : {"newmark", "V0(1, 1, 0)", "projection", "stable", "reference",
                           "8 runs in", "pendulum.compare.html", "Most accurate"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
  const std::string table = contents_of(folder_ / "pendulum.compare.csv");
  EXPECT_TRUE(contains(table, "method,index,stabilisation,step_s,verdict")) << table.substr(0, 80);
  const std::string page = contents_of(folder_ / "pendulum.compare.html");
  for (const char* part : {"<svg", "Work and precision", "Measured orders", "trammel compare"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  EXPECT_EQ(contents_of(folder_ / "work.png").substr(1, 3), "PNG");
}

// By rounding alone some method is always the best.
TEST_F(Compare, CrownsNobodyWhereTheMotionIsPrescribed) {
  folder_.put(
      "driven.yaml",
      "trammel: 1\nspace: planar\ngravity: [0, -9.81]\n"
      "bodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0], frames: {end: [-0.5, 0]}}}\n"
      "joints: {pin: {type: revolute, between: [ground, rod.end]}}\n"
      "drives: {motor: {type: position, coordinate: pin.angle, motion: 1 rad/s * time}}\n");
  const Answer answer = folder_.run({"compare", "driven.yaml", "-m", "newmark,generalized-alpha",
                                     "--step", "10 ms, 5 ms", "--until", "0.2 s"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "The motion is prescribed")) << answer.out;
  EXPECT_FALSE(contains(answer.out, "Most accurate")) << answer.out;
  const std::string page = contents_of(folder_ / "driven.compare.html");
  EXPECT_TRUE(contains(page, "The motion is prescribed"));
  EXPECT_FALSE(contains(page, "Most accurate"));
}

TEST_F(Compare, DoesNotRepeatFinishedRuns) {
  ASSERT_EQ(folder_.run(command()).code, 0);
  const Answer again = folder_.run(command());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "8 of them kept from before")) << again.out;
  // Another length is another model.
  const Answer other = folder_.run(command({"--set", "length=2 m"}));
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_FALSE(contains(other.out, "kept from before")) << other.out;
}

TEST_F(Compare, RefusesWhatItDoesNotKnowAndForeignFiles) {
  const Answer method = folder_.run({"compare", "pendulum.yaml", "-m", "newmrak"});
  EXPECT_EQ(method.code, 2);
  EXPECT_TRUE(contains(method.err, "did you mean 'newmark'?")) << method.err;
  const Answer step = folder_.run({"compare", "pendulum.yaml", "--step", "2 kg"});
  EXPECT_EQ(step.code, 2);
  EXPECT_TRUE(contains(step.err, "'2 kg' is no time")) << step.err;
  folder_.put("pendulum.compare.html", "precious");
  EXPECT_EQ(folder_.run(command()).code, 2);
  EXPECT_EQ(contents_of(folder_ / "pendulum.compare.html"), "precious");
}

TEST_F(Compare, LeavesOutCombinationsThatCannotWorkWithTheReason) {
  const Answer answer =
      folder_.run({"compare", "pendulum.yaml", "-m", "U0(0,0,0),newmark", "--index", "1",
                   "--stabilisation", "none", "--step", "10 ms", "--until", "0.1 s"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "left out")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "no true acceleration")) << answer.out;
}

TEST(Method, TellsParametersOrdersAndUses) {
  const Folder folder;
  const Answer answer = folder.run({"method", "V0", "1", "1", "0", "-o", "midpoint.html"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  for (const char* part : {"V0(1, 1, 0): mpr-mpa", "W1", "0.5", "Measured orders",
                           "index 1, projection", "What it is good for"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
  EXPECT_TRUE(contains(contents_of(folder / "midpoint.html"), "Spectral radius"));
  EXPECT_EQ(folder.run({"method", "generalized-alpha", "0.8", "-o", "radius.png"}).code, 0);
  EXPECT_EQ(contents_of(folder / "radius.png").substr(1, 3), "PNG");
}

TEST(Method, RefusesMembersThatDoNotExist) {
  const Folder folder;
  const Answer order = folder.run({"method", "V0", "1", "0.5", "0"});
  EXPECT_EQ(order.code, 2);
  EXPECT_TRUE(contains(order.err, "nearest member is V0(0.5, 1, 0)")) << order.err;
  EXPECT_TRUE(contains(folder.run({"method", "hth"}).err, "did you mean 'hht'?"));
  EXPECT_EQ(folder.run({"method", "V0", "1"}).code, 2);
  EXPECT_EQ(folder.run({"method", "newmark", "1"}).code, 2);
}

TEST(CheckMethod, RefusesBadCombinationsWithTheirPlaceAndTellsTheChoiceOfAuto) {
  const Folder folder;
  const std::string model =
      "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
      "  bob: {kind: point, mass: 1 kg, position: [-1, 0]}\n"
      "joints:\n  rod: {type: distance, between: [ground, bob]}\nsimulation:\n";
  folder.put("bad.yaml", model + "  method: {name: newmark, index: 3, stabilisation: baumgarte}\n");
  for (const char* command : {"check", "run"}) {
    const Answer answer = folder.run({command, "bad.yaml"});
    EXPECT_EQ(answer.code, 2) << command;
    EXPECT_TRUE(contains(answer.err, "bad.yaml:9:")) << answer.err;
    EXPECT_TRUE(contains(answer.err, "write index: 1 with it")) << answer.err;
  }
  folder.put("misspelt.yaml", model + "  method: {dorman-prince: 1e-8}\n");
  const Answer misspelt = folder.run({"check", "misspelt.yaml"});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_TRUE(contains(misspelt.err, "did you mean 'dormand-prince'?")) << misspelt.err;
  folder.put("good.yaml", model + "  method: {auto: energy}\n");
  const Answer good = folder.run({"check", "good.yaml"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(contains(good.out, "chosen")) << good.out;
  EXPECT_TRUE(contains(good.out, "goal energy")) << good.out;
  const Answer run = folder.run({"run", "good.yaml", "-u", "0.1 s"});
  EXPECT_TRUE(contains(run.out, "goal energy")) << run.out;
}

}  // namespace
}  // namespace trammel::cli::testing
