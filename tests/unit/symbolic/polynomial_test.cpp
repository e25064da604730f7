#include "trammel/symbolic/polynomial.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace trammel::symbolic {
namespace {

constexpr std::array<double, 2> somewhere{0.7, -1.3};
const Polynomial x = Polynomial::coordinate(2, 0);
const Polynomial c0 = Polynomial::cosine(2, 0);
const Polynomial s0 = Polynomial::sine(2, 0, 1.0);
const Polynomial c1 = Polynomial::cosine(2, 1);
const Polynomial s1 = Polynomial::sine(2, 1, 1.0);

TEST(Polynomial, SquaresOfSineAndCosineAreOne) {
  const Polynomial sum = c0 * c0 + s0 * s0;
  ASSERT_EQ(sum.terms().size(), 1U);
  EXPECT_TRUE(sum.terms().begin()->first.is_one());
  EXPECT_EQ(sum.terms().begin()->second, 1.0);
}

TEST(Polynomial, EqualOnesLookEqual) {
  // cos(a - b), written in two ways.
  const Polynomial one = c0 * c1 + s0 * s1;
  EXPECT_EQ(one.terms().size(), 1U);
  EXPECT_NEAR(one.value(somewhere), std::cos(0.7 + 1.3), 1e-15);
  EXPECT_TRUE((one - (c1 * c0 + s1 * s0)).is_zero());
}

TEST(Polynomial, ProductsHaveTheProductOfTheValues) {
  const Polynomial a = x * s0 + 2.0 * c1 - Polynomial::constant(2, 0.3);
  const Polynomial b = x * x * c0 * s1 - s0;
  // Sums of about ten terms of size 1.
  EXPECT_NEAR((a * b).value(somewhere), a.value(somewhere) * b.value(somewhere), 1e-14);
}

TEST(Polynomial, DerivativesAreThoseOfDifferences) {
  const Polynomial p = x * x * c0 * s1 + 3.0 * x * c1 - s0 * s1;
  const double h = 1e-5;
  for (int i = 0; i < 2; ++i) {
    std::array<double, 2> up = somewhere;
    std::array<double, 2> down = somewhere;
    up.at(static_cast<std::size_t>(i)) += h;
    down.at(static_cast<std::size_t>(i)) -= h;
    // Central differences: h^2 and round-off/h are both about 1e-10.
    EXPECT_NEAR(p.derivative(i).value(somewhere), (p.value(up) - p.value(down)) / (2.0 * h), 1e-9);
  }
}

TEST(Polynomial, RoundOffGoesAndTheRestStays) {
  const Polynomial p = c0 + 1e-15 * s1;
  EXPECT_EQ(p.without_round_off(1.0).terms().size(), 1U);
  EXPECT_EQ(p.without_round_off(1e-15).terms().size(), 2U);
}

}  // namespace
}  // namespace trammel::symbolic
