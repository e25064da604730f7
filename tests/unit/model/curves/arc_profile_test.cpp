#include "trammel/model/curves/arc_profile.h"

#include <cmath>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/curves/curve_functions.h"

namespace trammel::model::arc_profile_test {
namespace {

constexpr double base = 16e-3;
constexpr double top = 26e-3;
constexpr double small = 2.5e-3;
constexpr double nose = 1.5 * M_PI;
const double psi = 58.0 * M_PI / 180.0;
const double flank = std::sqrt(top * top - base * base - 2.0 * small * (top - base));
const double rest = psi - std::atan(flank / (base - small));

// A cam of two circles about the shaft, two straight flanks and two small circles.
std::vector<ProfileCircle> cam() {
  const auto at = [](double angle) {
    return Eigen::Vector2d((top - small) * std::cos(angle), (top - small) * std::sin(angle));
  };
  return {{Eigen::Vector2d::Zero(), base},
          {at(nose - rest), small},
          {Eigen::Vector2d::Zero(), top},
          {at(nose + rest), small}};
}

TEST(ArcProfile, FollowsCirclesAndTangents) {
  const auto radius = arc_profile(cam());
  const auto at = [&](double angle) { return evaluated(*radius, angle); };
  EXPECT_NEAR(at(0.5 * M_PI).value, base, 1e-15);
  EXPECT_NEAR(at(nose).value, top, 1e-15);
  EXPECT_NEAR(at(nose + 2.0 * M_PI).value, top, 1e-15);
  // The flank begins where its normal stands, and goes straight on.
  const double start = nose - psi;
  for (const double along : {1e-3, 10e-3, flank - 1e-4}) {
    EXPECT_NEAR(at(start + std::atan(along / base)).value, std::hypot(base, along), 1e-15);
  }
}

TEST(ArcProfile, DerivativesAreExactInsideOfThePieces) {
  const auto radius = arc_profile(cam());
  const double h = 1e-4;
  for (const double angle : {0.3, nose - psi + 0.4, nose - rest - 0.03, nose, nose + rest + 0.04}) {
    const auto y = evaluated(*radius, angle);
    const auto before = evaluated(*radius, angle - h);
    const auto after = evaluated(*radius, angle + h);
    // Central differences: h^2/6 of a derivative of up to 1e3 times the radius.
    EXPECT_NEAR(y.first, (after.value - before.value) / (2.0 * h), 1e-6) << angle;
    EXPECT_NEAR(y.second, (after.first - before.first) / (2.0 * h), 1e-4) << angle;
    EXPECT_NEAR(y.third, (after.second - before.second) / (2.0 * h), 1e-2) << angle;
  }
}

TEST(ArcProfile, CurvatureJumpsWhereThePiecesMeet) {
  const auto profile = polar_curve(arc_profile(cam()));
  const auto bend = [&](double angle) { return curvature(profile->at(angle)); };
  const double end = nose - psi + std::atan(flank / base);
  EXPECT_NEAR(bend(0.0), 1.0 / base, 1e-9);
  EXPECT_NEAR(bend(end - 1e-9), 0.0, 1e-6);
  EXPECT_NEAR(bend(end + 1e-9), 1.0 / small, 1e-6);
  EXPECT_NEAR(bend(nose - rest + 1e-9), 1.0 / top, 1e-6);
  const auto radius = arc_profile(cam());
  for (const double angle : {nose - psi, end, nose - rest, nose + rest}) {
    const auto before = evaluated(*radius, angle - 1e-12);
    const auto after = evaluated(*radius, angle + 1e-12);
    EXPECT_NEAR(before.value, after.value, 1e-12);
    EXPECT_NEAR(before.first, after.first, 1e-9);
  }
}

TEST(ArcProfile, OneCircleMayBeEccentric) {
  const auto radius = arc_profile({{{0.01, 0.0}, 0.05}});
  EXPECT_NEAR(evaluated(*radius, 0.0).value, 0.06, 1e-15);
  EXPECT_NEAR(evaluated(*radius, M_PI).value, 0.04, 1e-15);
}

TEST(ArcProfile, RefusesWhatMakesNoProfile) {
  // The origin outside; one circle inside another; the wrong way round.
  EXPECT_THROW(arc_profile({{{0.1, 0.0}, 0.05}}), core::InputError);
  EXPECT_THROW(arc_profile({{{0.0, 0.0}, 0.05}, {{0.01, 0.0}, 0.02}}), core::InputError);
  std::vector<ProfileCircle> reversed = cam();
  std::swap(reversed[1], reversed[3]);
  EXPECT_THROW(arc_profile(reversed), core::InputError);
}

}  // namespace
}  // namespace trammel::model::arc_profile_test
