// Steps and rows: they fill the time exactly, and those that nobody can wait for are refused.
#include "trammel/analysis/output_grid.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

model::SimulationSettings settings(double until, double step, double output_step = 0.0) {
  model::SimulationSettings s;
  s.until = until;
  s.step = step;
  s.output_step = output_step;
  return s;
}

std::string refusal(const model::SimulationSettings& s) {
  try {
    const OutputGrid grid(s);
    return "accepted";
  } catch (const core::InputError& error) {
    return error.what();
  }
}

TEST(OutputGrid, FillsTheTimeExactlyWithStepsThatAreNotLonger) {
  for (const double until : {1e-6, 0.05, 0.1, 0.3, 1.0, 7.0 / 3.0, 10.0, 1000.0, 1e9}) {
    for (const double steps : {0.3, 1.0, 2.5, 3.0, 10.0, 999.7, 1e4, 1e7, 3e9}) {
      for (const double per_output : {0.0, 0.4, 1.0, 2.0, 7.3, 100.0}) {
        const double step = until / steps;
        const OutputGrid grid(settings(until, step, per_output * step));
        const double end = static_cast<double>(grid.outputs) * grid.h *
                               static_cast<double>(grid.steps_per_output) +
                           grid.last_h * static_cast<double>(grid.last_steps);
        EXPECT_NEAR(end, until, 1e-14 * until) << until << " " << steps << " " << per_output;
        EXPECT_LE(grid.h, step * (1.0 + 1e-8));
        EXPECT_LE(grid.last_h, grid.h * (1.0 + 1e-8));
      }
    }
  }
}

TEST(OutputGrid, AnEndThatIsNoMultipleIsReachedByAShorterInterval) {
  const OutputGrid grid(settings(1.0, 0.1, 0.3));
  EXPECT_EQ(grid.outputs, 3);
  EXPECT_EQ(grid.steps_per_output, 3);
  EXPECT_EQ(grid.last_steps, 1);
  EXPECT_NEAR(grid.last_h, 0.1, 1e-15);
}

// Output steps that nearly divide the time: the last row is that of its end, and no step is next to
// nothing.
TEST(OutputGrid, ARestThatIsNextToNothingIsShared) {
  for (const double share : {1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3}) {
    for (const double sign : {1.0, -1.0}) {
      for (const double step : {1e-3, 1e-2}) {
        SCOPED_TRACE(sign * share);
        const OutputGrid grid(settings(1.0, step, 1e-2 * (1.0 + sign * share)));
        const double rows = static_cast<double>(grid.outputs * grid.steps_per_output) * grid.h;
        EXPECT_NEAR(rows + grid.last_h * static_cast<double>(grid.last_steps), 1.0, 1e-14);
        EXPECT_TRUE(grid.last_steps == 0 || grid.last_h > 1e-6 * grid.h) << grid.last_h;
        EXPECT_LE(grid.last_h, grid.h * (1.0 + 1e-8));
      }
    }
  }
  // As they are written.
  EXPECT_EQ(OutputGrid(settings(0.3, 0.1, 0.1)).h, 0.1);
}

TEST(OutputGrid, OutputsLongerThanTheMotionAreOneInterval) {
  const OutputGrid grid(settings(1.0, 0.25, 1e300));
  EXPECT_EQ(grid.outputs, 1);
  EXPECT_EQ(grid.steps_per_output, 4);
  EXPECT_EQ(grid.last_steps, 0);
}

TEST(OutputGrid, ManyRowsLeaveNoIntervalOfRounding) {
  // 1000 s / 0.1 ms is 1e7 rows, with a quotient that is off by 2e-9.
  const OutputGrid grid(settings(1000.0, 1e-4));
  EXPECT_EQ(grid.outputs, 10'000'000);
  EXPECT_EQ(grid.last_steps, 0);
}

TEST(OutputGrid, RefusesStepsThatCannotBeCountedOrTakeYears) {
  const std::string years = refusal(settings(0.05, 1e-15, 0.01));
  EXPECT_NE(years.find("simulation.step: 5e+13 steps of 1e-15 s"), std::string::npos) << years;
  EXPECT_NE(years.find("1.58 years"), std::string::npos) << years;
  EXPECT_NE(refusal(settings(1.0, 1e-20)).find("1e+20 steps"), std::string::npos);
  EXPECT_NE(refusal(settings(1e300, 1e-300)).find("inf steps"), std::string::npos);
  EXPECT_EQ(refusal(settings(1.0, 1e-12, 0.1)), "accepted");
}

TEST(OutputGrid, RefusesRowsThatFillNoDisk) {
  const std::string tiny = refusal(settings(1.0, 1e-3, 1e-300));
  EXPECT_NE(tiny.find("simulation.output_step: 1e+300 steps"), std::string::npos) << tiny;
  const std::string rows = refusal(settings(1.0, 1e-11));
  EXPECT_NE(rows.find("1e+11 rows of results, one every 1e-11 s"), std::string::npos) << rows;
  EXPECT_NE(rows.find("give an output_step of at least 1e-10 s"), std::string::npos) << rows;
}

TEST(OutputGrid, StepsOfMethodsThatChooseTheirOwnAreNotCounted) {
  model::SimulationSettings s = settings(1e10, 1e-3, 1e7);
  for (const char* method : {"dormand-prince", "adams", "bdf", "auto"}) {
    s.integrator = method;
    EXPECT_EQ(simulation_grid(s).outputs, 1000) << method;
  }
  s.integrator = "generalized-alpha";
  EXPECT_THROW(simulation_grid(s), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis
