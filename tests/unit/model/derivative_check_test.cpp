#include "trammel/model/derivative_check.h"

#include <cmath>

#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/force.h"
#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;

// A pendulum with a spring, a coupling of formulas, and a motor on a pin.
Description machine() {
  Description d;
  d.gravity = {0, 0, -9.81};
  for (const char* name : {"arm", "bob"}) {
    Body body;
    body.name = name;
    body.mass = {.mass = 1.5, .inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal()};
    body.position = {std::string_view(name) == "arm" ? 0.5 : 1.3, 0.1, 0};
    body.frames.push_back({.name = "tip", .position = {0.2, 0.1, 0.3}});
    d.add_body(body);
  }
  d.add_joint("revolute", "pin", "ground", "arm", {{"axis", Vector3d(0, 1, 0)}}).at =
      Vector3d::Zero();
  d.add_joint("universal", "cross", "arm", "bob",
              {{"axis", Vector3d(0, 1, 0)}, {"axis_b", Vector3d(0, 0, 1)}})
      .at = Vector3d(1, 0.1, 0);
  d.ground_frames.push_back({.name = "hook", .position = {0.4, 1.0, 0.5}});
  d.add_force("spring", "string", {"ground.hook", "bob.tip"},
              {{"stiffness", 40.0}, {"length", 0.5}, {"damping", 2.0}});
  d.add_force(
      "actuator", "push", {},
      {{"coordinate", std::string("pin.angle")},
       {"formula", std::string("-3 N m*sin(pin.angle) - 0.2 N m*(pin.angle_rate/(1 rad/s))^2")}});
  d.add_force("dc_motor", "motor", {},
              {{"coordinate", std::string("pin.angle")},
               {"voltage", std::string("12")},
               {"resistance", 2.0},
               {"inductance", 0.1},
               {"torque_constant", 0.5}});
  d.add_sensor("distance", "gap", {"ground.hook", "bob.tip"});
  d.add_coupling("equation", "length",
                 {{"equation", std::string("gap^2/(1 m^2) + 0.3*pin.angle/(1 rad) - 2")}});
  return d;
}

std::vector<DerivativeMismatch> checked(const Description& d) {
  const auto system = compile(d);
  return check_derivatives(d, system->described_state());
}

TEST(DerivativeCheck, GoodElementsPass) {
  for (const DerivativeMismatch& wrong : checked(machine())) {
    ADD_FAILURE() << wrong.element << " " << wrong.quantity << " " << wrong.entry << " "
                  << wrong.exact << " " << wrong.difference;
  }
}

// A function of the user whose derivative is that of another function.
TEST(DerivativeCheck, NamesAFormulaWithAWrongDerivative) {
  Description d = machine();
  d.add_function(expression::UserFunction(
      "pull", 1, [](std::span<const double> x) { return std::sin(x[0]); },
      [](std::span<const double> x, std::span<double> out) { out[0] = 2.0 * std::cos(x[0]); }));
  d.add_force("actuator", "wrong", {},
              {{"coordinate", std::string("pin.angle")},
               {"formula", std::string("pull(pin.angle/(1 rad))")}});
  const auto found = checked(d);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].element, "force 'wrong.load'");
  EXPECT_EQ(found[0].quantity, "df/dx");
  EXPECT_NE(found[0].entry.find("'arm'"), std::string::npos);
  EXPECT_GT(std::abs(found[0].exact - found[0].difference), 0.1);
}

// A kink where the model starts: |x| at x = 0.
TEST(DerivativeCheck, NamesAFormulaWithAKink) {
  Description d = machine();
  d.add_force("actuator", "kinked", {},
              {{"coordinate", std::string("pin.angle")},
               {"formula", std::string("-5 N m*max(0, pin.angle/(1 rad))")}});
  const auto found = checked(d);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].element, "force 'kinked.load'");
}

// An element of one's own, with a sign lost in its tangent.
class WrongSpring final : public Force<Planar> {
 public:
  using Force<Planar>::Force;
  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double /*t*/,
                PairVector<Planar>& f) const override {
    f.setZero();
    f[0] = 3.0 * (b.p.x() - a.p.x());
    f[3] = -f[0];
  }
  void tangent(const Kinematics& /*a*/,
               const Kinematics& /*b*/,
               double /*t*/,
               PairMatrix<Planar>& f_q,
               PairMatrix<Planar>& f_v) const override {
    f_q.setZero();
    f_v.setZero();
    f_q(0, 0) = f_q(3, 3) = -3.0;
    f_q(0, 3) = 3.0;
    f_q(3, 0) = -3.0;
  }
  bool depends_on_velocity() const override { return false; }
  ForcePower power(const Kinematics&, const Kinematics&, double) const override { return {}; }
  std::vector<Quantity> quantities() const override { return {}; }
  void measure(const Kinematics&, const Kinematics&, double, double*) const override {}
};

TEST(DerivativeCheck, NamesTheWorstEntryOfAnElement) {
  std::vector<Planar::Kinematics> nodes(2);
  nodes[1].p = {0.7, 0.2};
  const auto found = check_derivatives<Planar>(WrongSpring(0, 1), nodes, 0.0, 1.0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].quantity, "df/dx");
  EXPECT_EQ(found[0].entry, "x of '1' by x of '0'");
  EXPECT_EQ(found[0].exact, -3.0);
  EXPECT_NEAR(found[0].difference, 3.0, 1e-9);
}

}  // namespace
}  // namespace trammel::model
