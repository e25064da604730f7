#include "trammel/integrators/gssss_options.h"

#include "hand_written_systems.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators::testing {
namespace {

std::string refusal(FunctionSystem system, const GssssOptions& options) {
  try {
    check(options, system);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GssssOptions, RefusesStabilisationsAtAnIndexWhereTheyMeanNothing) {
  const std::string baumgarte =
      refusal(circle_pendulum(), {.index = 3, .stabilisation = Stabilisation::baumgarte});
  EXPECT_TRUE(says(baumgarte, "index 3") && says(baumgarte, "index: 1")) << baumgarte;
  const std::string ggl =
      refusal(circle_pendulum(), {.index = 1, .stabilisation = Stabilisation::ggl});
  EXPECT_TRUE(says(ggl, "index: 2")) << ggl;
  const std::string positions =
      refusal(circle_pendulum(), {.index = 3,
                                  .stabilisation = Stabilisation::projection,
                                  .projected_levels = ProjectedLevels::positions});
  EXPECT_TRUE(says(positions, "index: 2")) << positions;
  EXPECT_EQ(refusal(circle_pendulum(), {.stabilisation = Stabilisation::baumgarte}), "accepted");
  EXPECT_EQ(refusal(circle_pendulum(), {.stabilisation = Stabilisation::ggl}), "accepted");
}

TEST(GssssOptions, RefusesToProjectPositionsOfNonholonomicRows) {
  const std::string text = refusal(skate(), {.index = 2,
                                             .stabilisation = Stabilisation::projection,
                                             .projected_levels = ProjectedLevels::positions});
  EXPECT_TRUE(says(text, "nonholonomic") && says(text, "project velocities")) << text;
}

TEST(GssssOptions, RefusesWhatNeedsTheFirstTrueAccelerationOfU0WithoutAny) {
  const GssssOptions annihilating{.radii = {0, 0, 0}};
  GssssOptions options = annihilating;
  options.index = 1;
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "U0(0, 0.1, 0)"));
  options = annihilating;
  options.stabilisation = Stabilisation::baumgarte;
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "evaluation: end"));
  options.stabilisation = Stabilisation::projection;
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "projection of accelerations"));
  options.evaluation = Evaluation::end;
  EXPECT_EQ(refusal(circle_pendulum(), options), "accepted");
  EXPECT_EQ(refusal(circle_pendulum(), annihilating), "accepted");
}

TEST(GssssOptions, RefusesExactEnergyWhereItCannotBeKept) {
  GssssOptions options{
      .family = Family::V0, .radii = {1, 1, 0}, .conservation = Conservation::energy};
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "no discrete gradients"));
  options.index = 2;
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "index: 3"));
  options.radii = {0.8, 0.8, 0.8};
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "V0(1, 1, 0)"));
  options.stabilisation = Stabilisation::projection;
  EXPECT_TRUE(says(refusal(circle_pendulum(), options), "stabilisation: none"));
}

TEST(GssssOptions, RefusesNumbersOutOfRangeAllAtOnce) {
  const std::string text = refusal(circle_pendulum(), {.index = 4,
                                                       .stabilisation = Stabilisation::baumgarte,
                                                       .baumgarte_alpha = 0.0,
                                                       .baumgarte_beta = 2.0,
                                                       .projection_steps = 0,
                                                       .newton_tolerance = -1.0});
  for (const char* part : {"index is 4", "alpha is 0", "beta is 2", "projection_steps is 0",
                           "newton_tolerance is -1"}) {
    EXPECT_TRUE(says(text, part)) << part << " in " << text;
  }
  EXPECT_TRUE(
      says(refusal(circle_pendulum(), {.family = Family::V0, .evaluation = Evaluation::end}),
           "U0 family"));
}

TEST(GssssKind, TakesRadiiInOneListAndNamesTheNearestMember) {
  FunctionSystem system = circle_pendulum();
  const IntegratorKind& kind = *find_integrator_kind("gssss");
  EXPECT_NE(kind.make(system, {{"family", "U0"}, {"rho", std::vector{0.5, 1.0, 0.2}}}, "auto"),
            nullptr);
  const auto refused = [&](const Settings& settings) {
    try {
      kind.make(system, settings, "auto");
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_TRUE(says(refused({{"rho", std::vector{1.0, 0.5, 0.2}}}), "V0(0.5, 1, 0.2)"));
  EXPECT_TRUE(says(refused({{"rho", std::vector{1.0, 0.5}}}), "three"));
  EXPECT_TRUE(says(refused({{"family", "W0"}}), "did you mean") ||
              says(refused({{"family", "W0"}}), "known"));
  EXPECT_TRUE(says(refused({{"rho", 0.5}}), "wrong type"));
}

}  // namespace
}  // namespace trammel::integrators::testing
