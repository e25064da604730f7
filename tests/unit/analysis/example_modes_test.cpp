// Equilibrium and modes that the pages of examples quote, against examples/references/.
#include <cmath>
#include <filesystem>

#include "full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/analysis/modes.h"
#include "trammel/analysis/statics.h"
#include "trammel/io/model_file.h"

namespace trammel::analysis {
namespace {

// V'(s) = 0 and omega^2 = V''(s) / J(s) in the crank's angle alone: SpringFourBar.equilibrium() of
// examples/references/connections.py.
TEST(ExampleModes, FourBarWithADiagonalSpring) {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "examples/spring_four_bar/spring_four_bar.yaml";
  const model::Description description =
      io::read_model_file(file.string(), full_vocabulary()).description;
  const auto system = model::compile(description);
  const StaticsReport rest = statics(*system);
  const Linearisation linear =
      linearise(*system, rest.motion, {.coordinates = {"a.angle"}, .outputs = {"a.angle"}});
  const Modes result = modes(linear, system->displacement_scale());
  ASSERT_EQ(result.modes.size(), 1u);
  // Differences of order 8 leave 1e-10; the reference is good to 1e-9.
  EXPECT_NEAR(std::abs(result.modes[0].eigenvalue.imag()), 21.643557222, 1e-7);
  EXPECT_NEAR(result.modes[0].eigenvalue.real(), 0.0, 1e-9);

  std::vector<double> values(system->observables().size());
  system->accept(rest.motion.state);
  system->observe(rest.motion, values.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (system->observables()[i].name != "a.angle") continue;
    EXPECT_NEAR(values[i], 1.60384385986, 1e-9);
  }
}

}  // namespace
}  // namespace trammel::analysis
