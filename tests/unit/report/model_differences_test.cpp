#include "trammel/report/model_differences.h"

#include <gtest/gtest.h>

namespace trammel::report::model_differences_test {
namespace {

results::RunInformation model(const char* text, const char* set = "") {
  results::RunInformation info;
  info.model_text = text;
  info.method = "generalized-alpha";
  if (*set != '\0') info.more["set"] = set;
  return info;
}

constexpr const char* base = R"(trammel: 1
parameters:
  stiffness: 20 kN/m   # of the strut
bodies:
  rod: {mass: 1 kg, frames: {tip: [0.5, 0]}}
  block:
    mass: 2 kg
simulation: {until: 1, step: 1 ms}
)";

TEST(ModelDifferences, NameTheirPlaces) {
  std::string other = base;
  other.replace(other.find("2 kg"), 4, "3 kg");
  other.replace(other.find("1 ms"), 4, "2 ms");
  other.replace(other.find("[0.5, 0]"), 8, "[0.6, 0]");
  const auto found = model_differences({model(base), model(other.c_str())});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].place, "bodies.rod.frames.tip");
  EXPECT_EQ(found[0].values, (std::vector<std::string>{"[0.5, 0]", "[0.6, 0]"}));
  EXPECT_EQ(found[1].place, "bodies.block.mass");
  EXPECT_EQ(found[2].place, "simulation.step");
}

TEST(ModelDifferences, CountWhatWasSet) {
  const auto found = model_differences(
      {model(base), model(base, "stiffness=80 kN/m\nsimulation.until=2"), model(base)});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].place, "parameters.stiffness");
  EXPECT_EQ(found[0].values, (std::vector<std::string>{"20 kN/m", "80 kN/m", "20 kN/m"}));
  EXPECT_EQ(found[1].place, "simulation.until");
}

TEST(ModelDifferences, AreNoneBetweenEqualModels) {
  EXPECT_TRUE(model_differences({model(base), model(base)}).empty());
  std::string spaced = base;
  spaced.replace(spaced.find("   # of the strut"), 17, "");
  EXPECT_TRUE(model_differences({model(base), model(spaced.c_str())}).empty())
      << "remarks count not";
}

TEST(ModelDifferences, TellOtherMethodsAndWhatIsMissing) {
  results::RunInformation other = model("trammel: 1\n");
  other.method = "rk4";
  const auto found = model_differences({model("trammel: 1\nname: a\n"), other});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].values, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(found[1].place, "method");
}

}  // namespace
}  // namespace trammel::report::model_differences_test
