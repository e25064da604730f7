// Steps allocate nothing once they are warm.
#include <ostream>
#include <string>

#include "support/allocation_counter.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/integrators/generalized_alpha.h"
#include "trammel/integrators/kinds.h"

namespace trammel::analysis::step_allocations_test {
namespace {

struct Case {
  std::string name;
  model::Description description;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

class StepAllocations : public ::testing::TestWithParam<Case> {};

TEST_P(StepAllocations, AreZeroAfterWarmUp) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "the sanitizer has its own malloc";
  const auto system = model::compile(GetParam().description);
  const Assembly assembly = assemble(*system);
  integrators::GeneralizedAlpha integrator(*system, {});
  integrator.start(assembly.motion);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(integrator.step(1e-3).ok());
  const support::AllocationCounter counter;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(integrator.step(1e-3).ok());
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(StepAllocations, AreZeroWithEveryTreatmentOfConstraints) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "the sanitizer has its own malloc";
  using integrators::Stabilisation;
  const auto system = model::compile(GetParam().description);
  const Assembly assembly = assemble(*system);
  for (const auto& [index, stabilisation] :
       {std::pair(3, Stabilisation::none), std::pair(1, Stabilisation::none),
        std::pair(1, Stabilisation::baumgarte), std::pair(2, Stabilisation::ggl),
        std::pair(2, Stabilisation::projection)}) {
    integrators::Gssss integrator(*system, {.family = integrators::Family::V0,
                                            .radii = {0.8, 0.8, 0.8},
                                            .index = index,
                                            .stabilisation = stabilisation});
    integrator.start(assembly.motion);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(integrator.step(1e-3).ok());
    const support::AllocationCounter counter;
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(integrator.step(1e-3).ok());
    EXPECT_EQ(counter.count(), 0) << index << " " << static_cast<int>(stabilisation);
  }
}

// Explicit methods and those by passes, with their penalties.
TEST_P(StepAllocations, AreZeroOnStaggeredGrids) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "the sanitizer has its own malloc";
  const auto system = model::compile(GetParam().description);
  const Assembly assembly = assemble(*system);
  for (const char* name : {"staggered", "park-chiou", "central-difference", "single-grid"}) {
    const auto integrator = integrators::find_integrator_kind(name)->make(*system, {}, "auto");
    integrator->start(assembly.motion);
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(integrator->step(1e-4).ok()) << name;
    const support::AllocationCounter counter;
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(integrator->step(1e-4).ok()) << name;
    EXPECT_EQ(counter.count(), 0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms,
                         StepAllocations,
                         ::testing::Values(Case{"pendulum", support::pendulum()},
                                           Case{"slider_crank", support::slider_crank()},
                                           Case{"four_bars", support::four_bars(10)},
                                           Case{"chain", support::chain(20, model::Space::spatial)},
                                           Case{"heavy_top", support::heavy_top()},
                                           Case{"bricard", support::bricard()},
                                           Case{"driven_gears", support::geared_servo()}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace trammel::analysis::step_allocations_test
