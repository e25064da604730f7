// conservation: energy with bodies that bend: bars, beams in absolute nodal coordinates, and beams
// in the inertial frame with a constant mass.
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/core/diagnostic.h"
#include "trammel/integrators/gssss.h"
#include "trammel/integrators/march.h"
#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::analysis::flexible_energy_test {
namespace {

using integrators::Conservation;
using integrators::Family;
using integrators::Gssss;
using integrators::GssssOptions;

struct Sort {
  std::string formulation;
  std::string element;
  bool green = false;
};

const std::vector<Sort> sorts{{"inertial", "bar"},       {"ancf", "bar"},
                              {"ancf", "bar", true},     {"ancf", "euler_bernoulli"},
                              {"ancf", "timoshenko"},    {"inertial", "euler_bernoulli"},
                              {"inertial", "timoshenko"}};

model::FlexibleBody rubber(const Sort& sort, int elements) {
  model::FlexibleBody body;
  body.name = "beam";
  body.formulation = sort.formulation;
  body.element = sort.element;
  body.elements = elements;
  body.material = {.density = 5540.0, .youngs_modulus = 0.7e6, .poissons_ratio = 0.3};
  body.section = {.area = 1.8e-3, .second_moment = 1.215e-6};
  body.tip = {1.0, 0.0, 0.0};
  body.mass = model::InertialMass::constant;
  if (sort.green) body.strain = model::BarStrain::green;
  return body;
}

// A pendulum with a rigid body at its tip: joints on nodes that are carried, too.
model::Description swinging(const Sort& sort, int elements) {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  model::FlexibleBody body = rubber(sort, elements);
  model::add_flexible_body(body, d);
  model::Body weight;
  weight.name = "weight";
  weight.mass.mass = 2.0;
  weight.mass.inertia = Eigen::Vector3d(0.01, 0.01, 0.02).asDiagonal();
  weight.position = body.tip;
  d.add_body(weight);
  d.add_joint("revolute", "hinge", "ground", "beam.start");
  const bool turns = sort.element != "bar";
  d.add_joint(turns ? "fixed" : "revolute", "wrist", "beam.tip", "weight");
  return d;
}

struct Drift {
  double energy = 0.0;  ///< largest, over the largest change of potential energy met
  bool ok = true;
};

Drift drift(model::Description description, Conservation conservation, long steps, double h) {
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  GssssOptions options{.family = Family::V0, .radii = {1.0, 1.0, 0.0}};
  options.conservation = conservation;
  options.newton_tolerance = 1e-11;
  options.resolution = 0.0;
  Gssss integrator(*system, options);
  integrator.start(assembly.motion);
  const auto energy = [&] { return system->energy(integrator.motion().state); };
  const system::Energy start = energy();
  double work = 0.0;
  Drift result;
  for (long i = 0; i < steps; ++i) {
    if (!integrator.step(h).ok()) return {result.energy, false};
    system->accept(integrator.motion().state);
    const system::Energy now = energy();
    work = std::max(work, std::abs(now.potential - start.potential));
    result.energy = std::max(
        result.energy, std::abs(now.kinetic + now.potential - start.kinetic - start.potential));
  }
  result.energy /= work;
  return result;
}

// Newton stops at 1e-11 of a step's displacement: 1e-9 of the energy that goes to and fro is left
// of it after thousands of steps, where the symplectic form loses and wins 1e-5 and more.
TEST(FlexibleEnergy, IsKeptToNewtonsToleranceByTheEnergyForm) {
  for (const Sort& sort : sorts) {
    SCOPED_TRACE(sort.formulation + " " + sort.element + (sort.green ? " green" : ""));
    const Drift kept = drift(swinging(sort, 2), Conservation::energy, 2000, 2e-3);
    EXPECT_TRUE(kept.ok);
    EXPECT_LT(kept.energy, 1e-9);
    const Drift bounded = drift(swinging(sort, 2), Conservation::symplectic, 500, 2e-3);
    EXPECT_GT(bounded.energy, 1e-6);
  }
}

// A hundred thousand steps of a tumbling bar.
TEST(FlexibleEnergy, OfABarStaysOverAHundredThousandSteps) {
  model::Description d;
  d.space = model::Space::planar;
  model::FlexibleBody body = rubber({"inertial", "bar"}, 2);
  body.angular_velocity = {0.0, 0.0, 3.0};
  body.velocity = {0.2, 0.1, 0.0};
  model::add_flexible_body(body, d);
  const Drift kept = drift(d, Conservation::energy, 100000, 1e-3);
  EXPECT_TRUE(kept.ok);
  EXPECT_LT(kept.energy, 1e-9);
}

TEST(FlexibleEnergy, IsRefusedWhereTheMassDependsOnTheMotion) {
  for (const std::string formulation : {"inertial", "floating"}) {
    model::FlexibleBody body = rubber({formulation, "euler_bernoulli"}, 1);
    body.mass = model::InertialMass::consistent;
    model::Description d;
    d.space = model::Space::planar;
    model::add_flexible_body(body, d);
    const auto system = model::compile(d);
    GssssOptions options{.family = Family::V0, .radii = {1.0, 1.0, 0.0}};
    options.conservation = Conservation::energy;
    try {
      const Gssss integrator(*system, options);
      FAIL() << formulation;
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'beam.element_1'"), std::string::npos)
          << error.what();
    }
  }
}

// The soft double pendulum in floating frames: at 3.25 s the symmetric part of the tangent lets
// Newton's iteration diverge, at any index; with all of it 5 s go by without a failed step.
TEST(FlexibleFrames, SoftDoublePendulumNeedsTheFullTangent) {
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0.0, -9.81, 0.0};
  model::FlexibleBody link;
  link.formulation = "floating";
  link.elements = 1;
  link.material = {.density = 2767.0, .youngs_modulus = 1e6};
  link.section = {.area = 2.5e-4, .second_moment = 1.3e-5};
  link.name = "one";
  link.tip = {1.8, 0.0, 0.0};
  model::add_flexible_body(link, d);
  link.name = "two";
  link.start = link.tip;
  link.tip = {3.6, 0.0, 0.0};
  model::add_flexible_body(link, d);
  d.add_joint("revolute", "hinge", "ground", "one.start");
  d.add_joint("revolute", "elbow", "one.tip", "two.start");
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  Gssss integrator(*system, {.family = Family::V0, .radii = {1.0, 1.0, 0.0}});
  integrator.start(assembly.motion);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(integrator.step(1e-3).ok()) << integrator.motion().state.t;
    system->accept(integrator.motion().state);
  }
  ASSERT_EQ(integrator.notes().size(), 1U);
  EXPECT_NE(integrator.notes().front().find("full tangent"), std::string::npos);
}

}  // namespace
}  // namespace trammel::analysis::flexible_energy_test
