// What is told of bodies that bend where their equations stop being true.
#include "trammel/analysis/deformation_watch.h"

#include <algorithm>
#include <cmath>

#include "analysis_models.h"
#include "recorded_run.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/modes.h"
#include "trammel/analysis/statics.h"

namespace trammel::analysis::deformation_watch_test {
namespace {

model::Description flexible_example(const std::string& name, const io::Overrides& overrides) {
  return io::read_model_file(
             std::string(TRAMMEL_SOURCE_DIR) + "/examples/flexible/" + name + ".yaml",
             full_vocabulary(), {.overrides = overrides})
      .description;
}

const Doubt* find_doubt(const SimulationReport& report, const std::string& number) {
  for (const Doubt& doubt : report.doubts) {
    if (doubt.number == number) return &doubt;
  }
  return nullptr;
}

// The rubber strip bends by more than a radian within half a second, which is told with the number;
// other formulations hold there.
TEST(Deformations, OfAFloatingFrameOutOfItsRangeAreTold) {
  const auto run = [](const std::string& formulation) {
    return recorded_run(flexible_example("pendulum", {{"flexible.beam.formulation", formulation},
                                                      {"flexible.beam.elements", "4"},
                                                      {"simulation.until", "0.5"},
                                                      {"simulation.output_step", "0.05"}}));
  };
  const RecordedRun floating = run("floating");
  const Doubt* doubt = find_doubt(floating.report, "deformation");
  ASSERT_NE(doubt, nullptr);
  double largest = 0.0;
  for (const char* element : {"1", "2", "3", "4"}) {
    const auto turns =
        floating.table.column(std::string("beam.element_") + element + ".section_turn");
    largest = std::max(largest, *std::max_element(turns.begin(), turns.end()));
  }
  EXPECT_GT(largest, 0.5);
  EXPECT_NE(doubt->message.find(fmt::format("turned by {:.2g} rad", largest)), std::string::npos)
      << doubt->message;
  // The section at the tip against that at the start, which is the frame.
  const auto tip = floating.table.column("beam.tip.angle");
  const auto start = floating.table.column("beam.start.angle");
  for (std::size_t i = 0; i < tip.size(); ++i) {
    const double turn = std::abs(tip[i] - start[i]);
    EXPECT_GE(floating.table.column("beam.element_4.section_turn")[i], turn - 1e-12);
  }
  for (const char* other : {"inertial", "ancf"}) {
    EXPECT_EQ(find_doubt(run(other).report, "deformation"), nullptr) << other;
  }
}

// A stiff arm bends by a hundredth of a radian.
TEST(Deformations, WithinTheRangeAreNoDoubt) {
  const RecordedRun run = recorded_run(described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
materials:
  steel: {density: 7850 kg/m^3, youngs_modulus: 210 GPa}
sections:
  strip: {rectangle: [20 mm, 20 mm]}
flexible:
  beam: {formulation: floating, elements: 2, material: steel, section: strip, tip: [1, 0]}
joints:
  hinge: {type: revolute, between: [ground, beam.start]}
simulation: {until: 0.5 s, step: 1 ms, output_step: 50 ms}
)"));
  EXPECT_EQ(find_doubt(run.report, "deformation"), nullptr);
}

// The tip is held a length away from where it was described: nothing but strain closes the gap.
TEST(Deformations, ThatCloseAGapAreTold) {
  const auto held = [](const char* where) {
    const auto system = model::compile(described(std::string(R"(
trammel: 1
space: planar
materials:
  steel: {density: 7850 kg/m^3, youngs_modulus: 210 GPa}
sections:
  strip: {rectangle: [20 mm, 1 mm]}
ground: {frames: {wall: [)") + where + R"(, 0]}}
flexible:
  beam: {formulation: inertial, elements: 8, material: steel, section: strip, tip: [1, 0]}
joints:
  clamp: {type: fixed, between: [ground, beam.start]}
  far: {type: revolute, between: [ground.wall, beam.tip]}
)"));
    return strained_elements(*system, assemble(*system).motion);
  };
  const std::vector<StrainedElement> stretched = held("2");
  ASSERT_FALSE(stretched.empty());
  EXPECT_GT(stretched.front().strain, 0.5);
  EXPECT_EQ(stretched.front().name, "beam.element_8");
  EXPECT_TRUE(held("1").empty());
  EXPECT_TRUE(held("1.001").empty());
}

// The exact modes of an undamped beam neither grow nor decay. A frequency f beside the largest one
// F is known within some n eps F^2/f.
TEST(Modes, OfUndampedBeamsNeitherGrowNorDecay) {
  for (const char* elements : {"2", "8", "16"}) {
    const auto system = model::compile(flexible_example("beam_modes", {{"elements", elements}}));
    const StaticsReport rest = statics(*system);
    const Modes found = modes(linearise(*system, rest.motion, {}), system->displacement_scale());
    EXPECT_EQ(found.unstable, 0) << elements;
    for (const Mode& mode : found.modes) {
      EXPECT_FALSE(mode.damped()) << elements << " elements, " << mode.frequency << " Hz";
      // The threshold is no excuse: far below a damping that anybody would notice.
      EXPECT_LT(mode.round_off, 1e-3 * std::abs(mode.eigenvalue)) << mode.frequency << " Hz";
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::deformation_watch_test
