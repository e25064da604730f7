#include "trammel/analysis/rank_watch.h"

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis::rank_watch_test {
namespace {

model::Item element(
    const char* type, const char* name, const char* a, const char* b, const Eigen::Vector3d& axis) {
  return {.name = name,
          .type = type,
          .attachments = {a, b},
          .at = Eigen::Vector3d::Zero(),
          .values = {{"axis", axis}}};
}

// Two slides with a pin between them whose axis is as far from the one as from the other: a turn by
// 120 degrees brings the second slide into the line of the first. The body spins about its centre,
// which rests, at 2 sqrt(3) rad/s: it gets there after 0.605 s.
model::Description slides(const char* coordinates, double until) {
  model::Description d;
  model::Body bob;
  bob.name = "bob";
  bob.mass = {.mass = 2.0, .inertia = 0.2 * Eigen::Matrix3d::Identity()};
  bob.angular_velocity = {-2.0, -2.0, -2.0};
  d.add_body(bob);
  d.add_connection(
      {.name = "link",
       .nodes = {{.name = "n1"}, {.name = "n2"}},
       .elements = {element("prismatic", "s1", "ground", "n1", Eigen::Vector3d::UnitX()),
                    element("revolute", "pin", "n1", "n2", Eigen::Vector3d::Ones()),
                    element("prismatic", "s2", "n2", "bob", Eigen::Vector3d::UnitY())}});
  d.simulation.coordinates = coordinates;
  d.simulation.until = until;
  return d;
}

std::string told(const model::Description& description) {
  const auto system = formulation::compile_model(description).system;
  const SimulationReport report = simulate(*system, description.simulation, {});
  std::string text = report.message;
  for (const std::string& note : report.notes) text += "\n" + note;
  return text;
}

TEST(RankWatch, TellsWhereTheJointsOfAConnectionDependOnEachOther) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    const std::string text = told(slides(coordinates, 0.7));
    EXPECT_NE(text.find("connection 'link'"), std::string::npos) << text;
    EXPECT_NE(text.find("depend on each other"), std::string::npos) << text;
  }
}

TEST(RankWatch, IsSilentAwayFromThere) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    const std::string text = told(slides(coordinates, 0.3));
    EXPECT_EQ(text.find("link"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace trammel::analysis::rank_watch_test
