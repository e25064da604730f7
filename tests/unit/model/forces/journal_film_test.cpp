#include "trammel/model/forces/journal_film.h"

#include <cmath>

#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

const JournalFilmLaw film{.viscosity = 1.7e-2, .length = 14e-3, .radius = 6e-3, .clearance = 6e-6};

// The definition, by Simpson's rule over the half turn.
Vector2d by_quadrature(const Vector2d& e, const Vector2d& V) {
  constexpr int intervals = 2000;
  const double middle = std::atan2(V.y(), V.x());
  Vector2d sum = Vector2d::Zero();
  for (int i = 0; i <= intervals; ++i) {
    const double angle = middle + M_PI * (static_cast<double>(i) / intervals - 0.5);
    const Vector2d n(std::cos(angle), std::sin(angle));
    const double weight = i == 0 || i == intervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    sum += weight * V.dot(n) * n / std::pow(film.clearance - e.dot(n), 3);
  }
  return film.viscosity * std::pow(film.length, 3) * film.radius * M_PI / (3.0 * intervals) * sum;
}

TEST(JournalFilm, ForceIsTheIntegralOverTheSqueezedHalf) {
  for (const double ratio : {0.0, 0.2, 0.6, 0.9}) {
    for (int i = 0; i < 12; ++i) {
      const double turn = 2.0 * M_PI * i / 12.0;
      const Vector2d e = ratio * film.clearance * Vector2d(std::cos(0.7), std::sin(0.7));
      const Vector2d V = 1e-3 * Vector2d(std::cos(turn), std::sin(turn));
      const Vector2d expected = by_quadrature(e, V);
      // Simpson's rule with 2000 intervals: far below.
      EXPECT_LE((film.force(e, V).force - expected).norm(), 1e-9 * expected.norm())
          << "eccentricity ratio " << ratio << ", direction " << turn;
    }
  }
}

TEST(JournalFilm, DerivativesAreThoseOfTheForce) {
  const Vector2d e(2.1e-6, -3.3e-6);
  const Vector2d V(-0.4e-3, 1.1e-3);
  const JournalFilmLaw::Force at = film.force(e, V);
  Matrix2d by_e;
  Matrix2d by_V;
  for (int i = 0; i < 2; ++i) {
    const Vector2d de = 1e-11 * Vector2d::Unit(i);
    const Vector2d dV = 1e-8 * Vector2d::Unit(i);
    by_e.col(i) = (film.force(e + de, V).force - film.force(e - de, V).force) / 2e-11;
    by_V.col(i) = (film.force(e, V + dV).force - film.force(e, V - dV).force) / 2e-8;
  }
  // Central differences with steps of 1e-5: 1e-10 of truncation, 1e-11 of round-off.
  EXPECT_LE((at.by_e - by_e).norm(), 1e-8 * by_e.norm());
  EXPECT_LE((at.by_V - by_V).norm(), 1e-8 * by_V.norm());
}

// Steadily loaded short bearing [Ocvirk]: eta w R L^3/(4 C^2) eps/(1 - eps^2)^2
// sqrt(pi^2 (1 - eps^2) + 16 eps^2), at the angle atan(pi sqrt(1 - eps^2)/(4 eps)) to the load.
TEST(JournalFilm, SteadyBearingIsThatOfOcvirk) {
  constexpr double eps = 0.4;
  constexpr double w = 200.0;  // of the sleeve
  const Vector2d e(eps * film.clearance, 0.0);
  const Vector2d V(0.0, -0.5 * w * e.x());
  const Vector2d F = film.force(e, V).force;
  const double s2 = 1.0 - eps * eps;
  const double expected = film.viscosity * w * film.radius * std::pow(film.length, 3) /
                          (4.0 * film.clearance * film.clearance) * eps / (s2 * s2) *
                          std::sqrt(M_PI * M_PI * s2 + 16.0 * eps * eps);
  EXPECT_NEAR(F.norm(), expected, 1e-12 * expected);
  EXPECT_NEAR(std::atan2(std::abs(F.y()), std::abs(F.x())),
              std::atan2(M_PI * std::sqrt(s2), 4.0 * eps), 1e-12);
}

TEST(JournalFilm, TellsItsFilm) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Description d;
    d.space = space;
    Body ring;
    ring.name = "ring";
    ring.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
    ring.position = {3e-6, 0, 0};
    ring.angular_velocity = {0, 0, 100.0};
    d.add_body(ring);
    d.add_force("journal_film", "film", {"ground", "ring"},
                {{"radius", 6e-3}, {"length", 14e-3}, {"clearance", 6e-6}, {"viscosity", 1.7e-2}});
    const auto system = compile(d);
    const auto seen =
        support::observe(*system, support::at_rest(*system, system->described_state()));
    EXPECT_NEAR(seen.at("film.eccentricity_ratio"), 0.5, 1e-12);
    EXPECT_NEAR(seen.at("film.minimum_film"), 3e-6, 1e-18);
    EXPECT_NEAR(seen.at("film.torque"),
                -2.0 * M_PI * 1.7e-2 * 14e-3 * std::pow(6e-3, 3) * 100.0 / (6e-6 * std::sqrt(0.75)),
                1e-12);
    EXPECT_GT(std::hypot(seen.at("film.force.x"), seen.at("film.force.y")), 1.0);
  }
}

}  // namespace
}  // namespace trammel::model
