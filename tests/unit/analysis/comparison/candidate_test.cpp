#include "trammel/analysis/comparison/candidate.h"

#include <gtest/gtest.h>

#include "trammel/analysis/method_study.h"
#include "trammel/core/diagnostic.h"
#include "trammel/integrators/kinds.h"

namespace trammel::analysis::comparison {
namespace {

std::string mistakes(const Axes& axes) {
  try {
    expand(axes, hinged_rod());
  } catch (const core::InputError& error) {
    std::string text;
    for (const core::Diagnostic& d : error.diagnostics()) text += core::to_string(d) + "\n";
    return text;
  }
  return "accepted";
}

TEST(Candidates, SplitsListsAtCommasOutsideOfParentheses) {
  EXPECT_EQ(split_list("V0(1,1,0), hht ,U0"), (std::vector<std::string>{"V0(1,1,0)", "hht", "U0"}));
  EXPECT_TRUE(split_list("").empty());
  EXPECT_EQ(parse_radii("1/0.5/0"), (std::vector<double>{1.0, 0.5, 0.0}));
  EXPECT_EQ(parse_radii("0.8"), (std::vector<double>{0.8}));
  EXPECT_THROW(parse_radii("1/2"), core::InputError);
  EXPECT_THROW(parse_radii("one"), core::InputError);
}

TEST(Candidates, AreAllCombinationsFromTheLongestStepToTheShortest) {
  const Candidates c = expand({.methods = {"newmark", "V0", "hht"},
                               .radii = {{0.8}, {0.9}},
                               .indices = {3, 2},
                               .stabilisations = {"none", "projection"},
                               .steps = {1e-3, 4e-3}},
                              hinged_rod());
  // newmark once, V0 and hht at two radii each; two indices, two stabilisations, two steps.
  EXPECT_EQ(c.list.size(), (1u + 2u + 2u) * 2u * 2u * 2u);
  EXPECT_TRUE(c.left_out.empty());
  EXPECT_EQ(c.list[0].name(), "newmark, index 3, none, step 0.004 s");
  EXPECT_EQ(c.list[1].name(), "newmark, index 3, none, step 0.001 s");
  EXPECT_EQ(c.list[8].method, "V0(0.8, 0.8, 0.8)");
  EXPECT_EQ(c.list.back().group(), "hht 0.9, index 2, projection");
}

TEST(Candidates, TakeTreatmentsWithAnIndexOfTheirOwnOnce) {
  const Candidates c = expand({.methods = {"newmark"},
                               .indices = {3, 2, 1},
                               .stabilisations = {"baumgarte", "ggl"},
                               .steps = {1e-3}},
                              hinged_rod());
  ASSERT_EQ(c.list.size(), 2u);
  EXPECT_EQ(c.list[0].group(), "newmark, index 1, baumgarte");
  EXPECT_EQ(c.list[1].group(), "newmark, index 2, ggl");
}

// Whatever can be named as an integrator can be compared.
TEST(Candidates, MayBeAnyIntegrator) {
  for (const auto& kind : integrators::integrator_kinds()) {
    if (kind.name == "gssss") continue;  // named by its families
    EXPECT_FALSE(expand({.methods = {kind.name}}, hinged_rod()).list.empty()) << kind.name;
  }
  EXPECT_NE(mistakes({.methods = {"gssss"}}).find("stands for many"), std::string::npos);
}

// As what it chooses, with index and stabilisation of its own.
TEST(Candidates, MayBeChosenByTheModel) {
  const Candidates c =
      expand({.methods = {"auto", "newmark"}, .steps = {4e-3, 1e-3}}, hinged_rod());
  ASSERT_EQ(c.list.size(), 2u * 3u * 2u + 2u);
  const Candidate& first = c.list[c.list.size() - 2];
  EXPECT_EQ(first.name(), "auto (mpr-mpa), index 2, projection, step 0.004 s");
  EXPECT_EQ(first.settings.integrator, "mpr-mpa");
  EXPECT_EQ(c.list.back().step, 1e-3);
  const Candidates energy =
      expand({.methods = {"auto"}, .settings = {{"goal", std::string("energy")}}, .steps = {1e-3}},
             hinged_rod());
  ASSERT_EQ(energy.list.size(), 1u);
  EXPECT_EQ(energy.list[0].group(), "auto (mpr-mpa), index 3, none");
  EXPECT_NE(
      mistakes({.methods = {"auto"}, .settings = {{"goal", std::string("speed")}}}).find("'speed'"),
      std::string::npos);
}

TEST(Candidates, ThatChooseTheirStepsVaryInTolerance) {
  const Candidates c =
      expand({.methods = {"bdf", "rk4"}, .tolerances = {1e-7, 1e-5}}, hinged_rod());
  std::vector<std::string> names;
  for (const Candidate& candidate : c.list) names.push_back(candidate.name());
  ASSERT_EQ(names.size(), 5u);  // two tolerances, and three steps
  EXPECT_EQ(names[0], "bdf, tolerance 1e-05, index 1, projection");
  EXPECT_EQ(names[1], "bdf, tolerance 1e-07, index 1, projection");
  EXPECT_EQ(names[2].rfind("rk4, index 1, projection, step", 0), 0u) << names[2];
  EXPECT_TRUE(c.list[0].own_steps);
  EXPECT_FALSE(c.list[2].own_steps);
}

TEST(Candidates, TakeTheStabilisationsThatTheyHave) {
  const Candidates c = expand({.methods = {"newmark", "staggered", "single-grid"},
                               .indices = {3},
                               .stabilisations = {"projection", "penalty", "baumgarte-implicit"},
                               .steps = {1e-3}},
                              hinged_rod());
  std::vector<std::string> groups;
  for (const Candidate& candidate : c.list) groups.push_back(candidate.group());
  EXPECT_EQ(groups,
            (std::vector<std::string>{"newmark, index 3, projection", "staggered, index 1, penalty",
                                      "single-grid, index 1, penalty",
                                      "single-grid, index 1, baumgarte-implicit"}));
  ASSERT_EQ(c.left_out.size(), 2u);
  EXPECT_EQ(c.left_out[0].group, "newmark, index 3, penalty");
}

TEST(Candidates, LeaveOutWhatCannotWorkWithTheReason) {
  // U0(0, 0, 0) has no true acceleration in its first step.
  const Candidates c = expand({.methods = {"U0(0,0,0)", "newmark"},
                               .indices = {3, 1},
                               .stabilisations = {"none"},
                               .steps = {1e-3}},
                              hinged_rod());
  EXPECT_EQ(c.list.size(), 3u);
  ASSERT_EQ(c.left_out.size(), 1u);
  EXPECT_EQ(c.left_out[0].group, "U0(0, 0, 0), index 1, none");
  EXPECT_NE(c.left_out[0].reason.find("no true acceleration"), std::string::npos);
}

TEST(Candidates, RefuseUnknownThingsAllAtOnceWithTheNearest) {
  const std::string text = mistakes({.methods = {"newmrak", "V0(1,0.5,0)"},
                                     .indices = {4},
                                     .stabilisations = {"projektion"},
                                     .steps = {-1.0}});
  for (const char* part : {"newmark", "V0(0.5, 1, 0)", "give 3, 2 or 1", "projection", "-1 s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_NE(mistakes({.methods = {"hht"}, .radii = {{1.0, 1.0, 0.0}}}).find("one spectral radius"),
            std::string::npos);
}

}  // namespace
}  // namespace trammel::analysis::comparison
