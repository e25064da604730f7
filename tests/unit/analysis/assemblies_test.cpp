// All assemblies: against closed forms of circles that meet, and by symmetry.
#include "trammel/analysis/assemblies.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::assemblies_test {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

struct Found {
  std::unique_ptr<formulation::RelativeModel> system;
  AssembliesReport report;

  double at(std::size_t assembly, const std::string& channel) const {
    Observer observer(*system);
    const auto& quantities = observer.quantities();
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      if (quantities[i].name != channel) continue;
      return observer.observe(report.found[assembly].motion)[i];
    }
    ADD_FAILURE() << channel;
    return NAN;
  }
};

Found found(const model::Description& description, int most_starts = 2000) {
  Found result;
  result.system = formulation::compile_relative(description, formulation::HingeDrives::rows);
  result.report = all_assemblies(*result.system, description, {.most_starts = most_starts});
  return result;
}

model::Description example(const std::string& name) {
  const std::string path =
      std::string(TRAMMEL_SOURCE_DIR) + "/examples/" + name + "/" + name + ".yaml";
  return io::read_model_file(path, full_vocabulary()).description;
}

using Point = Eigen::Vector2d;

// Where circles about a and b meet.
std::vector<Point> meeting(const Point& a, double r_a, const Point& b, double r_b) {
  const double d = (b - a).norm();
  const double along = (d * d + r_a * r_a - r_b * r_b) / (2.0 * d);
  const double square = r_a * r_a - along * along;
  if (square < 0.0) return {};
  const Point x = (b - a) / d;
  const Point y(-x.y(), x.x());
  return {a + along * x + std::sqrt(square) * y, a + along * x - std::sqrt(square) * y};
}

// Whether an assembly has this body's origin there; closed forms agree to round-off.
bool among(const Found& all, const std::string& body, const Point& place) {
  for (std::size_t i = 0; i < all.report.found.size(); ++i) {
    const Point p(all.at(i, body + ".position.x"), all.at(i, body + ".position.y"));
    if ((p - place).norm() < 1e-9) return true;
  }
  return false;
}

// The rocker's pin is where the circle about the crank's tip meets that about the right pivot.
TEST(AllAssemblies, OfAFourBarAreTwo) {
  const Found all = found(described(four_bar("a.angle", "30 deg")));
  ASSERT_EQ(all.report.found.size(), 2u);
  EXPECT_TRUE(all.report.complete);
  EXPECT_EQ(all.report.chance_of_more(), 0.0);
  EXPECT_TRUE(all.report.found[0].described);
  const Point tip(2.0 * std::cos(30.0 * degree), 2.0 * std::sin(30.0 * degree));
  const std::vector<Point> places = meeting(tip, 4.0, {4.0, 0.0}, 3.0);
  ASSERT_EQ(places.size(), 2u);
  for (const Point& place : places) EXPECT_TRUE(among(all, "rocker", place)) << place.transpose();
}

// A four-bar with a dyad on its coupler: for each way in which the one closes the other has two,
// where it reaches.
TEST(AllAssemblies, OfASixBarAreThoseOfItsDyads) {
  const Found all = found(example("stephenson_sixbar"));
  const Point tip(0.1, 0.0);
  std::size_t expected = 0;
  for (const Point& pin : meeting(tip, 0.3, {0.3, 0.0}, 0.2)) {
    const Point x = (pin - tip) / 0.3;
    const Point y(-x.y(), x.x());
    const Point point = tip + 0.25 * (std::cos(30.0 * degree) * x + std::sin(30.0 * degree) * y);
    for (const Point& end : meeting(point, 0.35, {0.5, 0.0}, 0.25)) {
      ++expected;
      bool known = false;
      for (std::size_t i = 0; i < all.report.found.size(); ++i) {
        const double angle = all.at(i, "output.angle");
        const Point seen(0.5 + 0.25 * std::cos(angle), 0.25 * std::sin(angle));
        const Point start(all.at(i, "link.position.x"), all.at(i, "link.position.y"));
        known = known || ((seen - end).norm() < 1e-9 && (start - point).norm() < 1e-9);
      }
      EXPECT_TRUE(known) << end.transpose();
    }
  }
  EXPECT_GE(expected, 2u);
  EXPECT_EQ(all.report.found.size(), expected);
}

// Feet and joints lie in planes, so that the mirror image in the plane of the feet is an assembly.
TEST(AllAssemblies, OfAStewartPlatformComeInPairs) {
  const Found all = found(example("stewart_platform"), 600);
  EXPECT_GE(all.report.found.size(), 4u);
  EXPECT_EQ(all.report.found.size() % 2, 0u);
  for (std::size_t i = 0; i < all.report.found.size(); ++i) {
    bool mirrored = false;
    for (std::size_t k = 0; k < all.report.found.size(); ++k) {
      bool same = true;
      for (const char* axis : {"x", "y", "z"}) {
        const std::string channel = std::string("platform.position.") + axis;
        const double sign = *axis == 'z' ? -1.0 : 1.0;
        same = same && std::abs(all.at(i, channel) - sign * all.at(k, channel)) < 1e-6;
      }
      mirrored = mirrored || same;
    }
    EXPECT_TRUE(mirrored) << i;
  }
}

// Each satisfies the constraints with the velocities of its drives.
TEST(AllAssemblies, AreConsistent) {
  const Found all = found(example("stephenson_sixbar"));
  for (const FoundAssembly& each : all.report.found) {
    Vector g;
    all.system->restart_angles();
    all.system->accept(each.motion.state);
    all.system->position_constraint(each.motion.state, g);
    // Angles of drives may be whole turns off where the search found them.
    for (Eigen::Index i = 0; i < g.size(); ++i) {
      EXPECT_NEAR(std::remainder(g[i], 2.0 * std::numbers::pi), 0.0, 1e-11);
    }
    all.system->velocity_constraint(each.motion.state, g);
    EXPECT_LT(largest(g), 1e-9);
    EXPECT_FALSE(each.singular);
  }
}

TEST(AllAssemblies, WantPositionsThatAreDetermined) {
  model::Description free = described(four_bar("a.angle", "30 deg"));
  free.drives.clear();
  EXPECT_THROW(found(free), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::assemblies_test
