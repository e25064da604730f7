#include "trammel/analysis/rank_watch.h"

#include <cmath>

#include "full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"

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

model::Description example(const std::string& name) {
  const std::string path =
      std::string(TRAMMEL_SOURCE_DIR) + "/examples/" + name + "/" + name + ".yaml";
  return io::read_model_file(path, full_vocabulary()).description;
}

// A parallelogram falls through the position in which all bars lie on one line: the times at which
// its rockers are level, found from their angle by interpolation, are those that are told.
TEST(RankWatch, TellsWhereAMechanismLosesRank) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    model::Description d = example("four_bar");
    d.simulation.coordinates = coordinates;
    d.simulation.until = 3.0;
    const auto system = formulation::compile_model(d).system;
    Observer observer(*system);
    const NamedCoordinate angle = observer.find("base0.angle");
    std::vector<double> level;
    double last_time = 0.0;
    double last = 1.0;
    SimulationOptions options;
    options.visit = [&](const system::Motion& motion) {
      // Of the rocker, which stands upright where its joint is described.
      const double now = std::sin(observer.observe(motion)[angle.value]);
      const double t = motion.state.t;
      if (t > 0.0 && now * last < 0.0)
        level.push_back(last_time + (t - last_time) * last / (last - now));
      last = now;
      last_time = t;
    };
    const SimulationReport report = simulate(*system, d.simulation, options);
    ASSERT_GE(level.size(), 2u);
    std::vector<double> told;
    for (const std::string& note : report.notes) {
      const std::string_view begin = "singular position at t = ";
      if (note.rfind(begin, 0) != 0) continue;
      told.push_back(std::stod(note.substr(begin.size())));
      EXPECT_NE(note.find("'right0'"), std::string::npos) << note;
    }
    ASSERT_EQ(told.size(), level.size());
    // Both interpolate within a step of 1 ms; s is no straight line there, but nearly.
    for (std::size_t i = 0; i < level.size(); ++i) EXPECT_NEAR(told[i], level[i], 1e-5);
  }
}

TEST(RankWatch, IsSilentWhereNothingIsSingular) {
  for (const char* name : {"slider_crank", "stephenson_sixbar", "bricard", "pendulum"}) {
    model::Description d = example(name);
    const auto system = formulation::compile_model(d).system;
    const SimulationReport report = simulate(*system, d.simulation, {});
    for (const std::string& note : report.notes) {
      EXPECT_EQ(note.find("singular position"), std::string::npos) << name << ": " << note;
    }
  }
}

// Far from singular positions it looks seldom, and at trees never.
TEST(RankWatch, LooksSeldomWhereNothingIsNear) {
  const auto looks = [](const char* name) {
    model::Description d = example(name);
    const auto system = formulation::compile_model(d).system;
    RankWatch watch(*system);
    long steps = 0;
    SimulationOptions options;
    options.visit = [&](const system::Motion& motion) {
      watch.follow(motion.state);
      ++steps;
    };
    simulate(*system, d.simulation, options);
    return static_cast<double>(watch.samples()) / static_cast<double>(steps);
  };
  EXPECT_LT(looks("stephenson_sixbar"), 0.15);
  EXPECT_EQ(looks("pendulum"), 0.0);
}

}  // namespace
}  // namespace trammel::analysis::rank_watch_test
