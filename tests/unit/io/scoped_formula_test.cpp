#include "trammel/io/scoped_formula.h"

#include <string>

#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

TEST(ScopedFormula, PutsThePrefixBeforeNamesAndValuesForParameters) {
  Quantities parameters;
  parameters["k"] = Quantity{.value = 2.5, .dimension = core::dimension::stiffness};
  EXPECT_EQ(scoped_formula("k*gap + sin(3 rad/s * time) - pin.angle_rate", "left.", parameters),
            "(2.5 N/m)*left.gap + sin(3 rad/s * time) - left.pin.angle_rate");
  EXPECT_EQ(scoped_formula("k*gap", "", parameters), "k*gap");
  EXPECT_EQ(scoped_formula("k*u + gap", "left.", {}, {"u"}), "left.k*u + left.gap");
}

TEST(ScopedFormula, LeavesFunctionsToTheWholeModel) {
  EXPECT_EQ(scoped_formula("law(gap) + wind.x (time, gap)", "left.", {}),
            "law(left.gap) + wind.x (time, left.gap)");
}

// Two copies with a parameter each: every formula reads its own copy.
TEST(ScopedFormula, GivesEveryCopyItsOwnQuantities) {
  const auto file = read_model_text(R"(
trammel: 1
space: planar
assemblies:
  unit:
    parameters: {speed: 1 rad/s}
    bodies: {wheel: {mass: 1 kg, inertia: 0.1 kg m^2}, arm: {mass: 1 kg, inertia: 0.1 kg m^2}}
    joints:
      axle: {type: revolute, between: [ground, wheel]}
      hub: {type: revolute, between: [ground, arm]}
    drives:
      motor: {type: velocity, coordinate: axle.angle, motion: 2*speed}
    couplings:
      mesh: {type: gear, coordinates: [axle.angle, hub.angle], ratio: 3}
    states:
      sum: {rate: axle.angle - sum, initial: 0.5}
instances:
  one: {assembly: unit}
  two: {assembly: unit, parameters: {speed: 4 rad/s}, place: [1, 0]}
)",
                                    "test", test::vocabulary());
  const model::Description& d = file.description;
  ASSERT_EQ(d.drives.size(), 2U);
  EXPECT_EQ(d.drives[0].name, "one.motor");
  EXPECT_EQ(model::text(d.drives[1].values, "coordinate"), "two.axle.angle");
  EXPECT_EQ(model::text(d.drives[1].values, "motion"), "2*(4 rad/s)");
  EXPECT_EQ(model::texts(d.couplings[1].values, "coordinates"),
            (std::vector<std::string>{"two.axle.angle", "two.hub.angle"}));
  ASSERT_EQ(d.states.size(), 2U);
  EXPECT_EQ(d.states[1].name, "two.sum");
  EXPECT_EQ(d.states[1].rate, "two.axle.angle - two.sum");
  EXPECT_DOUBLE_EQ(d.states[0].initial, 0.5);
}

}  // namespace
}  // namespace trammel::io
