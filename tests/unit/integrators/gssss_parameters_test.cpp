#include "trammel/integrators/gssss_parameters.h"

#include <array>
#include <cmath>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::integrators::testing {
namespace {

constexpr double rounding = 1e-12;

struct TableRow {
  Family family;
  SpectralRadii radii;
  std::array<double, 8> values;  // W1, L2W2, L3W3, L5W2, L6W1, l3, l5, shift
};

std::array<double, 8> list(const GssssParameters& p) {
  return {p.w1, p.l2_w2, p.l3_w3, p.l5_w2, p.l6_w1, p.l3, p.l5, p.shift};
}

// The published table has six digits; these are the same numbers as fractions.
TEST(GssssParameters, HaveThePublishedValues) {
  const std::vector<TableRow> table{
      {Family::U0, {1, 1, 0}, {1, 0.5, 0.25, 0.5, 1, 0.25, 0.5, 0}},
      {Family::V0, {1, 1, 0}, {0.5, 0.25, 0.25, 0.5, 1, 0.5, 1, 0.5}},
      {Family::U0, {1, 1, 1}, {0.5, 0.25, 0.125, 0.25, 0.5, 0.25, 0.5, 0}},
      {Family::U0,
       {0.8, 0.8, 0.8},
       {5.0 / 9, 5.0 / 18, 125.0 / 729, 55.0 / 162, 2.0 / 3, 25.0 / 81, 11.0 / 18, 1.0 / 9}},
      {Family::U0,
       {0.8, 0.8, 0},
       {1, 0.5, 25.0 / 81, 11.0 / 18, 10.0 / 9, 25.0 / 81, 11.0 / 18, 1.0 / 9}},
      {Family::U0,
       {0.8, 0.8, 0.125},
       {8.0 / 9, 4.0 / 9, 200.0 / 729, 44.0 / 81, 1, 25.0 / 81, 11.0 / 18, 1.0 / 9}},
      {Family::V0,
       {0.8, 0.8, 0.8},
       {11.0 / 18, 25.0 / 81, 125.0 / 729, 250.0 / 729, 2.0 / 3, 5.0 / 18, 5.0 / 9, 1.0 / 18}},
      {Family::U0,
       {0.5, 1, 0.5},
       {2.0 / 3, 1.0 / 3, 2.0 / 9, 4.0 / 9, 5.0 / 6, 1.0 / 3, 2.0 / 3, 1.0 / 6}},
      {Family::V0, {0, 0, 0}, {1.5, 1, 1, 2, 2, 0.5, 1, 0.5}},
      {Family::U0, {0, 0, 0}, {1, 0.5, 1, 1.5, 2, 1, 1.5, 1}},
  };
  for (const TableRow& row : table) {
    const auto values = list(gssss_parameters(row.family, row.radii));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], row.values[i], rounding)
          << to_string(row.family, row.radii) << " " << i;
    }
  }
}

SpectralRadii random_radii(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::array<double, 3> r{uniform(random), uniform(random), uniform(random)};
  std::sort(r.begin(), r.end());
  return {r[1], r[2], r[0]};
}

TEST(GssssParameters, SatisfyTheIdentitiesOfTheFamily) {
  std::mt19937 random(6);
  for (int i = 0; i < 300; ++i) {
    const SpectralRadii r = random_radii(random);
    for (const Family family : {Family::U0, Family::V0}) {
      const GssssParameters p = gssss_parameters(family, r);
      EXPECT_NEAR(p.l5, 0.5 + p.shift, rounding);  // second order
      EXPECT_NEAR(p.shift, p.l6_w1 - p.w1, rounding);
    }
    const double rho = r.minimum;
    const auto u = list(gssss_parameters(Family::U0, {rho, 1.0, rho}));
    const auto v = list(gssss_parameters(Family::V0, {rho, 1.0, rho}));
    for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], v[k], rounding) << "U0-V0 optimal";
    // U0 interpolates displacement and velocity between the ends of the step.
    const GssssParameters p = gssss_parameters(Family::U0, r);
    EXPECT_NEAR(p.l2_w2, 0.5 * p.w1, rounding);
    EXPECT_NEAR(p.l3_w3, p.w1 * p.l3, rounding);
    EXPECT_NEAR(p.l5_w2, p.w1 * p.l5, rounding);
  }
}

// Coefficients of the characteristic polynomial: multiple roots would lose digits as eigenvalues.
TEST(GssssParameters, PutTheRootsAtInfinityWhereTheirRadiiSay) {
  std::mt19937 random(7);
  for (const Family family : {Family::U0, Family::V0}) {
    for (int i = 0; i < 300; ++i) {
      const SpectralRadii r = random_radii(random);
      const Eigen::Matrix3d A = amplification_matrix_at_infinity(gssss_parameters(family, r));
      const double a = r.minimum;
      const double b = r.maximum;
      const double c = r.spurious;
      const double minors = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0) + A(0, 0) * A(2, 2) -
                            A(0, 2) * A(2, 0) + A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1);
      EXPECT_NEAR(A.trace(), -(a + b + c), 2e-12) << to_string(family, r);
      EXPECT_NEAR(minors, a * b + b * c + c * a, 2e-12) << to_string(family, r);
      EXPECT_NEAR(A.determinant(), -a * b * c, 2e-12) << to_string(family, r);
    }
  }
}

TEST(GssssParameters, GiveMethodsThatAreStableForEveryStep) {
  std::mt19937 random(8);
  for (const Family family : {Family::U0, Family::V0}) {
    for (int i = 0; i < 300; ++i) {
      const SpectralRadii r = random_radii(random);
      const GssssParameters p = gssss_parameters(family, r);
      for (double frequency = 1e-3; frequency < 1e5; frequency *= 10.0) {
        for (const double damping : {0.0, 0.1}) {
          // Near a double root eigenvalues have the square root of round-off.
          EXPECT_LE(spectral_radius(amplification_matrix(p, frequency, damping)), 1.0 + 1e-7)
              << to_string(family, r) << " " << frequency;
        }
      }
      // The matrix for high frequencies tends to the one at infinity.
      const Eigen::Matrix3d far = amplification_matrix(p, 1e7, 0.0);
      EXPECT_LT((far - amplification_matrix_at_infinity(p)).norm(), 1e-10 * far.norm());
    }
  }
}

TEST(GssssParameters, RefuseRadiiOutOfRangeAndNameTheNearestMember) {
  const auto remedy = [](const SpectralRadii& r) {
    try {
      gssss_parameters(Family::V0, r);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(remedy({1.0, 0.5, 0.2}).find("nearest member is V0(0.5, 1, 0.2)"), std::string::npos);
  EXPECT_NE(remedy({0.5, 1.5, 0.2}).find("nearest member is V0(0.5, 1, 0.2)"), std::string::npos);
  EXPECT_NE(remedy({0.5, 0.8, 0.9}).find("nearest member is V0(0.5, 0.8, 0.5)"), std::string::npos);
  EXPECT_NE(remedy({-1.0, 0.8, 0.0}).find("nearest member is V0(0, 0.8, 0)"), std::string::npos);
  EXPECT_NE(remedy({std::nan(""), 1.0, 0.0}).find("nearest member is V0(1, 1, 0)"),
            std::string::npos);
}

TEST(GssssMembers, AreWhereTheTextbooksPutThem) {
  for (const double rho : {0.5, 0.6, 0.8, 1.0}) {
    // Chung & Hulbert: alpha_f = rho/(1 + rho), alpha_m = (2 rho - 1)/(1 + rho).
    GssssParameters p =
        gssss_parameters(Family::U0, radii_of(*find_gssss_member("generalized-alpha"), rho));
    EXPECT_NEAR(1.0 - p.w1, rho / (1.0 + rho), rounding);
    EXPECT_NEAR(1.0 - p.l6_w1, (2.0 * rho - 1.0) / (1.0 + rho), rounding);
    EXPECT_NEAR(p.l3, 0.25 * (p.l5 + 0.5) * (p.l5 + 0.5), rounding);
    // Hilber, Hughes, Taylor: alpha = (1 - rho)/(1 + rho), beta = (1 + alpha)^2/4.
    p = gssss_parameters(Family::U0, radii_of(*find_gssss_member("hht"), rho));
    const double alpha = (1.0 - rho) / (1.0 + rho);
    EXPECT_NEAR(p.l6_w1, 1.0, rounding);
    EXPECT_NEAR(1.0 - p.w1, alpha, rounding);
    EXPECT_NEAR(p.l3, 0.25 * (1.0 + alpha) * (1.0 + alpha), rounding);
    EXPECT_NEAR(p.l5, 0.5 + alpha, rounding);
    // Wood, Bossak, Zienkiewicz: forces at the end of the step.
    p = gssss_parameters(Family::U0, radii_of(*find_gssss_member("wbz"), rho));
    EXPECT_NEAR(p.w1, 1.0, rounding);
    EXPECT_NEAR(p.l6_w1, 2.0 / (1.0 + rho), rounding);
  }
  EXPECT_THROW(radii_of(*find_gssss_member("hht"), 0.4), core::InputError);
  EXPECT_THROW(radii_of(*find_gssss_member("wbz"), 1.1), core::InputError);
  EXPECT_EQ(find_gssss_member("hilber"), nullptr);
}

}  // namespace
}  // namespace trammel::integrators::testing
