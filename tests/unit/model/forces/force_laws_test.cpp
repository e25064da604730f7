// registry: forces
// Every registered kind of force obeys the laws of support/force_laws.h.
#include "support/force_laws.h"

#include "support/elements/membrane.h"
#include "support/elements/modes.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model::force_laws_test {
namespace {

using support::Random;
using support::Side;

constexpr unsigned seeds = 12;

// Kinds of one's own obey the laws from the line on that registers them.
const bool registered = [] {
  register_force_kind(support::membrane());
  register_force_kind(support::modes(Space::planar));
  register_force_kind(support::modes(Space::spatial));
  return true;
}();

class ForceLaws : public testing::TestWithParam<std::size_t> {
 protected:
  const ForceKind& kind() const { return force_kinds()[GetParam()]; }

  template <class Law>
  void for_seeds(Side a, Side b, Law law) const {
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", sides " << static_cast<int>(a) << " "
                                      << static_cast<int>(b));
      Random random(seed);
      const Description description = support::random_force(kind(), a, b, random);
      const auto system = compile(description);
      law(description, *system, random);
      if (HasFailure()) return;
    }
  }

  template <class Law>
  void for_sides(Law law) const {
    for_seeds(Side::body, Side::body, law);
    for_seeds(Side::ground, Side::body, law);
    // A force on one frame acts on b, and the ground feels nothing.
    if (kind().attachments == 2) for_seeds(Side::body, Side::ground, law);
    if (kind().name == "spring" || kind().name == "force") {
      for_seeds(Side::body, Side::point, law);
    }
    for_seeds(Side::body, Side::carried, law);
    if (kind().attachments >= 2) for_seeds(Side::carried, Side::carried, law);
  }
};

TEST_P(ForceLaws, TangentIsDerivative) {
  for_sides([](const Description&, ModelSystem& system, Random&) {
    support::expect_force_tangent_is_derivative(system, system.described_state());
  });
}

TEST_P(ForceLaws, EnergyRateIsPower) {
  for_sides([](const Description&, ModelSystem& system, Random&) {
    support::expect_energy_rate_is_power(system, system.described_state());
  });
}

TEST_P(ForceLaws, MomentumIsKeptBetweenTwoBodies) {
  if (kind().attachments != 2) return;
  for_seeds(Side::body, Side::body,
            [](const Description& description, ModelSystem& system, Random&) {
              support::expect_momentum_is_kept(description, system, system.described_state());
            });
}

TEST_P(ForceLaws, CommonRigidMotionChangesNothing) {
  if (kind().attachments != 2) return;
  for_seeds(Side::body, Side::body,
            [](const Description& description, ModelSystem& system, Random& random) {
              support::expect_objective(description, system, system.described_state(), random);
            });
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         ForceLaws,
                         testing::Range<std::size_t>(0, force_kinds().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           const ForceKind& kind = force_kinds()[info.param];
                           return to_string(kind.space) + "_" + kind.name;
                         });

}  // namespace
}  // namespace trammel::model::force_laws_test
