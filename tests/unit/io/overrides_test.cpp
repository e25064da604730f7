#include "trammel/io/overrides.h"

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

constexpr const char* text = R"(trammel: 1
space: planar
parameters: {size: 1 m, heavy: 2 kg}
bodies:
  crank: &crank {shape: {rod: {length: size, mass: heavy}}}
  rod: *crank
joints:
  pin: {type: revolute, between: [ground, crank]}
  knee: {type: revolute, between: [crank, rod]}
)";

model::Description with(const Overrides& overrides) {
  return read_model_text(text, "test", test::vocabulary(), {overrides}).description;
}

std::string error_with(const Overrides& overrides) {
  try {
    with(overrides);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Overrides, ReplaceParameters) {
  EXPECT_DOUBLE_EQ(with({{"heavy", "500 g"}}).bodies[0].mass.mass, 0.5);
  EXPECT_DOUBLE_EQ(with({{"heavy", "3 * size / (1 m) * 1 kg"}}).bodies[0].mass.mass, 3.0);
  EXPECT_DOUBLE_EQ(with({{"parameters.heavy", "7"}}).bodies[0].mass.mass, 7.0);
}

TEST(Overrides, ReplaceAndAddValuesByPath) {
  EXPECT_DOUBLE_EQ(with({{"bodies.crank.position", "[1, 2 mm]"}}).bodies[0].position.y(), 0.002);
  EXPECT_EQ(with({{"gravity", "[0, -1.6]"}}).gravity.y(), -1.6);
  EXPECT_EQ(with({{"simulation.until", "5 min"}}).simulation.until, 300.0);
  EXPECT_EQ(with({{"forces.push", "{type: force, on: rod, force: [1, 0]}"}}).forces.size(), 1U);
}

// `method` and `integrator` are two words for one thing: the later one counts.
TEST(Overrides, NameAMethodInPlaceOfTheFiles) {
  const auto has_radius = [](const Overrides& overrides) {
    return with(overrides).simulation.integrator_values.contains("spectral_radius");
  };
  const std::pair<std::string, std::string> method{
      "simulation.method", "{name: generalized-alpha, spectral_radius: 0.8}"};
  const std::pair<std::string, std::string> integrator{"simulation.integrator",
                                                       "generalized-alpha"};
  EXPECT_TRUE(has_radius({method}));
  EXPECT_FALSE(has_radius({method, integrator}));
  EXPECT_TRUE(has_radius({integrator, method}));
}

TEST(Overrides, OfAMethodThatIsReplacedAreRefused) {
  EXPECT_EQ(error_with({{"simulation.method", "{name: generalized-alpha}"},
                        {"simulation.method.spectral_radius", "0.8"},
                        {"simulation.integrator", "generalized-alpha"}}),
            "--set simulation.method.spectral_radius=0.8: error: has no effect: the method "
            "generalized-alpha replaces the one that it belongs to; give both in one: --set "
            "'simulation.method={name: generalized-alpha, spectral_radius: 0.8}'");
}

TEST(Overrides, ChangeOneUserOfAnAliasOnly) {
  const model::Description model = with({{"bodies.rod.angle", "90 deg"}});
  EXPECT_EQ(model.bodies[0].angle, 0.0);
  EXPECT_GT(model.bodies[1].angle, 1.5);
}

TEST(Overrides, TellWhichOneIsWrong) {
  EXPECT_EQ(error_with({{"heavi", "2"}}),
            "--set heavi=2: error: there is no parameter 'heavi'; did you mean 'heavy'?");
  EXPECT_EQ(
      error_with({{"bodies.crnk.mass", "2"}}),
      "--set bodies.crnk.mass=2: error: there is no 'crnk' on the way of 'bodies.crnk.mass'; did "
      "you mean 'crank'?");
  EXPECT_EQ(
      error_with({{"bodies.crank.angel", "2"}}),
      "--set bodies.crank.angel=2: error: bodies.crank.angel: unknown key 'angel'; did you mean "
      "'angle'?");
  EXPECT_NE(error_with({{"heavy", "2 mm"}}).find("'heavy' is in m"), std::string::npos);
  EXPECT_NE(error_with({{"gravity", "[1, 2"}}).find("--set gravity=[1, 2: error"),
            std::string::npos);
  EXPECT_NE(error_with({{"heavy", ""}}).find("no value"), std::string::npos);
  EXPECT_NE(error_with({{"space.x", "1"}}).find("is no map"), std::string::npos);
  EXPECT_NE(error_with({{"", "1"}}).find("error"), std::string::npos);
  EXPECT_NE(error_with({{"..", "1"}}).find("error"), std::string::npos);
}

}  // namespace
}  // namespace trammel::io
