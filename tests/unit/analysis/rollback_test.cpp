// Steps that are taken back leave no trace in a model: taken again, by an integrator of their own,
// they have the same bits, whatever was evaluated in between. Of every example, with its own
// method.
#include <cmath>
#include <cstring>

#include "coordinate_views.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/method.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis {
namespace {

bool same_bits(const system::Vector& a, const system::Vector& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(),
                                       sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

class Rollback : public testing::TestWithParam<std::string> {};

TEST_P(Rollback, LeavesNoTrace) {
  const model::Description description = example(GetParam());
  const auto system = formulation::compile_model(description).system;
  const Assembly assembly = assemble(*system);
  const model::SimulationSettings settings =
      choose_method(*system, assembly, description.simulation).settings;
  system->accept(assembly.motion.state);
  const double h = settings.step;
  const auto end_of = [&](double size, int steps) {
    const auto integrator = make_integrator(*system, settings);
    integrator->start(assembly.motion);
    for (int i = 0; i < steps; ++i) integrator->step(size);
    return integrator->motion();
  };
  const system::Motion first = end_of(h, 3);
  const system::Motion elsewhere = end_of(2.3 * h, 2);
  const system::Energy energy = system->energy(elsewhere.state);
  EXPECT_TRUE(std::isfinite(energy.kinetic));
  const system::Motion again = end_of(h, 3);
  EXPECT_TRUE(same_bits(first.state.q, again.state.q));
  EXPECT_TRUE(same_bits(first.state.v, again.state.v));
  EXPECT_TRUE(same_bits(first.state.z, again.state.z));
  EXPECT_TRUE(same_bits(first.a, again.a));
  EXPECT_TRUE(same_bits(first.lambda, again.lambda));
}

INSTANTIATE_TEST_SUITE_P(Examples, Rollback, testing::ValuesIn(example_names()));

}  // namespace
}  // namespace trammel::analysis
