// registry: joints
// Every registered kind of joint obeys the laws of support/joint_laws.h.
#include "support/joint_laws.h"

#include <set>

#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model::joint_laws_test {
namespace {

using support::Random;
using support::Side;

// Each seed is another pair of bodies, frames and field values.
constexpr unsigned seeds = 12;

class JointLaws : public testing::TestWithParam<std::size_t> {
 protected:
  const JointKind& kind() const { return joint_kinds()[GetParam()]; }

  /// Calls law(description, system, random) for every seed.
  template <class Law>
  void for_seeds(Side a, Side b, Law law) const {
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", sides " << static_cast<int>(a) << " "
                                      << static_cast<int>(b));
      Random random(seed);
      const Description description = support::random_joint(kind(), a, b, random);
      const auto system = compile(description);
      law(description, *system, random);
      if (HasFailure()) return;
    }
  }

  template <class Law>
  void for_sides(Law law) const {
    for_seeds(Side::body, Side::body, law);
    for_seeds(Side::ground, Side::body, law);
    for_seeds(Side::body, Side::ground, law);
  }

  /// With an end, or both, that others carry.
  template <class Law>
  void for_carried(Law law) const {
    for_seeds(Side::ground, Side::carried, law);
    for_seeds(Side::carried, Side::body, law);
    for_seeds(Side::carried, Side::carried, law);
  }

  /// Kinds that ask nothing of the orientation can hold a point mass.
  bool holds_points() const {
    const std::set<std::string> kinds{"distance",      "spherical",     "revolute_spherical",
                                      "pin_in_slot",   "point_on_line", "point_on_plane",
                                      "point_on_curve"};
    return kinds.contains(kind().name) ||
           (kind().space == Space::planar && kind().name == "revolute");
  }
};

TEST_P(JointLaws, JacobianIsDerivative) {
  const auto law = [](const Description&, ModelSystem& system, Random&) {
    support::expect_jacobian_is_derivative(system, system.described_state());
  };
  for_sides(law);
  for_carried(law);
  if (!holds_points()) return;
  for_seeds(Side::point, Side::body, law);
  for_seeds(Side::ground, Side::point, law);
}

TEST_P(JointLaws, BiasIsSecondDerivative) {
  const auto law = [](const Description&, ModelSystem& system, Random& random) {
    support::expect_bias_is_second_derivative(system, system.described_state(), random);
  };
  for_sides(law);
  for_carried(law);
  if (!holds_points()) return;
  for_seeds(Side::point, Side::body, law);
  for_seeds(Side::ground, Side::point, law);
}

TEST_P(JointLaws, StiffnessIsDerivativeOfReactions) {
  const auto law = [](const Description&, ModelSystem& system, Random& random) {
    support::expect_stiffness_is_derivative(system, system.described_state(), random);
  };
  for_sides(law);
  for_carried(law);
  if (!holds_points()) return;
  for_seeds(Side::point, Side::body, law);
  for_seeds(Side::ground, Side::point, law);
}

TEST_P(JointLaws, RowsAreIndependentAndAsManyAsDeclared) {
  const auto law = [&](const Description&, ModelSystem& system, Random&) {
    support::expect_full_rank(system, support::assembled(system), kind());
  };
  for_sides(law);
  if (holds_points()) for_seeds(Side::ground, Side::point, law);
}

TEST_P(JointLaws, ReactionsDoNoWork) {
  for_sides([](const Description& description, ModelSystem& system, Random& random) {
    support::expect_reactions_do_no_work(description, system, support::assembled(system), random);
  });
}

TEST_P(JointLaws, ActionIsReaction) {
  for_seeds(Side::body, Side::body,
            [](const Description& description, ModelSystem& system, Random& random) {
              support::expect_action_is_reaction(description, system, support::assembled(system),
                                                 random);
            });
}

TEST_P(JointLaws, CoordinateRatesAreDerivatives) {
  const auto law = [](const Description&, ModelSystem& system, Random& random) {
    support::expect_coordinate_rates(system, support::assembled(system), random);
  };
  for_sides(law);
  for_carried(law);
}

TEST_P(JointLaws, CoordinatesDescribeTheFreedoms) {
  // A rod reports its length, which is no freedom but the constraint itself.
  if (kind().name == "distance") return;
  const auto law = [&](const Description&, ModelSystem& system, Random&) {
    support::expect_coordinates_complete(system, support::assembled(system), kind());
  };
  for_seeds(Side::ground, Side::body, law);
  for_seeds(Side::body, Side::ground, law);
}

TEST_P(JointLaws, AnglesAreFollowedOverSeveralTurns) {
  if (kind().name == "distance") return;
  for (const unsigned seed : {1U, 2U}) {
    Random random(seed);
    const auto system = compile(support::random_joint(kind(), Side::ground, Side::body, random));
    const system::State state = support::assembled(*system);
    const auto quantities = system->observables();
    const auto names = support::joint_coordinates(*system);
    for (std::size_t i = 0; i < names.size(); ++i) {
      // The second Bryant angle ends at a right angle, where the others are not determined.
      if (names[i] == "item.angle2" && kind().name != "universal") continue;
      // A disc that is turned about another axis than its own falls flat; see its own tests.
      if (kind().name == "rolling_disc" || kind().name == "rolling_wheel") {
        if (kind().space == Space::spatial) continue;
      }
      // Curves that turn about their common normal become parallel.
      if (kind().name == "curve_on_curve" && kind().space == Space::spatial) continue;
      if (names[i].find("angle") == std::string::npos) continue;
      SCOPED_TRACE(names[i]);
      support::expect_angle_tracked(*system, state, i, 3.0);
      support::expect_angle_tracked(*system, state, i, -2.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         JointLaws,
                         testing::Range<std::size_t>(0, joint_kinds().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           const JointKind& kind = joint_kinds()[info.param];
                           return to_string(kind.space) + "_" + kind.name;
                         });

}  // namespace
}  // namespace trammel::model::joint_laws_test
