#include "trammel/analysis/undefined_quantity.h"

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis::undefined_quantity_test {
namespace {

model::Description falling() {
  model::Description d;
  d.space = model::Space::planar;
  model::Body body;
  body.name = "stone";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  d.add_body(body);
  d.simulation.until = 1.0;
  d.simulation.step = 0.01;
  return d;
}

// A state equation and a force law that have no value from 0.5 s on.
TEST(UndefinedQuantity, NamesTheStateOfAFailedRun) {
  model::Description d = falling();
  d.add_state({.name = "leak", .rate = "sqrt(0.505 - time/(1 s))"});
  const auto system = model::compile(d);
  const SimulationReport report = simulate(*system, d.simulation);
  EXPECT_EQ(report.outcome, results::Outcome::failed);
  EXPECT_NE(report.message.find("the rate of the state 'leak' is not finite"), std::string::npos)
      << report.message;
}

TEST(UndefinedQuantity, NamesTheForceOfAFailedRun) {
  model::Description d = falling();
  d.add_force("actuator", "push", {},
              {{"coordinate", std::string("stone.position.x")},
               {"formula", std::string("1 N*sqrt(0.505 - time/(1 s))")}});
  const auto system = model::compile(d);
  const SimulationReport report = simulate(*system, d.simulation);
  EXPECT_EQ(report.outcome, results::Outcome::failed);
  EXPECT_NE(report.message.find("'push.load' is not finite"), std::string::npos) << report.message;
}

}  // namespace
}  // namespace trammel::analysis::undefined_quantity_test
