// What can be recorded of some parts agrees with what can be recorded of the whole.
// registry: joints
// registry: forces
#include "trammel/analysis/part_observables.h"

#include <set>

#include "support/mechanisms.h"
#include "support/random_models.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"
#include "trammel/model/kinds.h"

namespace trammel::analysis::part_observables_test {
namespace {

using model::PartKind;

void expect_numbers_of_the_whole(model::ModelSystem& system) {
  const std::vector<model::Quantity> all = system.observables();
  std::set<std::size_t> seen;
  for (const PartKind kind :
       {PartKind::body, PartKind::amplitudes, PartKind::joint, PartKind::force, PartKind::element,
        PartKind::connection, PartKind::formula}) {
    const model::ObservableChoice some =
        observables_of(system, [&](PartKind other, std::string_view) { return other == kind; });
    EXPECT_EQ(some.total, all.size());
    for (const model::Observable& each : some.chosen) {
      ASSERT_LT(each.number, all.size());
      EXPECT_TRUE(seen.insert(each.number).second) << each.quantity.name;
      EXPECT_EQ(each.quantity.name, all[each.number].name);
      EXPECT_EQ(each.quantity.unit, all[each.number].unit);
      EXPECT_EQ(each.quantity.description, all[each.number].description);
    }
  }
  EXPECT_EQ(seen.size(), all.size());
  // By name: what a part is called, all its names begin with.
  const model::ObservableChoice named = observables_of(
      system, [&](PartKind, std::string_view name) { return all.front().name.starts_with(name); });
  ASSERT_FALSE(named.chosen.empty());
  EXPECT_EQ(named.chosen.front().quantity.name, all.front().name);
}

TEST(PartObservables, HaveTheNumbersOfTheWholeForEveryJointAndForce) {
  support::Random random(5);
  for (const model::JointKind& kind : model::joint_kinds()) {
    SCOPED_TRACE(kind.name);
    const auto system = model::compile(
        support::random_joint(kind, support::Side::body, support::Side::body, random));
    expect_numbers_of_the_whole(*system);
  }
  for (const model::ForceKind& kind : model::force_kinds()) {
    SCOPED_TRACE(kind.name);
    const auto system = model::compile(
        support::random_force(kind, support::Side::body, support::Side::body, random));
    expect_numbers_of_the_whole(*system);
  }
}

TEST(PartObservables, HaveTheNumbersOfTheWholeInEveryKindOfModel) {
  for (const model::Description& d :
       {support::slider_crank(), support::geared_servo(), support::ancf_pendulum(3)}) {
    SCOPED_TRACE(d.name);
    expect_numbers_of_the_whole(*model::compile(d));
  }
  expect_numbers_of_the_whole(
      *formulation::compile_relative(support::chain(4, model::Space::spatial)));
}

}  // namespace
}  // namespace trammel::analysis::part_observables_test
